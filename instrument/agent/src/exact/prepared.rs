//! From a selection to classes that are rewritten.

use super::apparatus::apparatus;
use super::arena::{self, Consumer};
use super::candidates::{self, Candidate, Found};
use super::ledger::Ledger;
use super::merge::Merge;
use super::select::Selection;
use super::{Exact, Place, install, list};
use crate::clock;
use crate::recording::Recording;
use crate::vm::sys::{Capabilities, capability};
use crate::vm::{Handle, Ref, Vm};
use locklens_rewrite::{Site, SiteKind};
use locklens_trace::record::target_key;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::time::Instant;

/// What was found and will be rewritten.
pub(crate) struct Prepared<'vm> {
    found: Found<'vm>,
    selection: Selection,
}

impl<'vm> Prepared<'vm> {
    /// Finds what a selection means here.
    pub(crate) fn find(vm: Vm<'vm>, recording: &Recording, text: &str) -> Result<Self, String> {
        let selection = Selection::parse(text)?;
        let found = candidates::find(vm, recording, &selection)?;
        Ok(Self { found, selection })
    }

    /// Nothing is to be changed.
    pub(crate) fn is_dry(&self) -> bool {
        self.selection.dry
    }

    /// The classes, with the methods they declare: what must be read before they change.
    pub(crate) fn classes(&self) -> impl Iterator<Item = (&Ref<'vm>, &str, Vec<Handle>)> {
        self.found.candidates.iter().map(|candidate| {
            let handles = candidate.methods.iter().map(|m| m.handle).collect();
            (&candidate.class, candidate.name.as_str(), handles)
        })
    }

    /// What is going to happen, for the trace.
    pub(crate) fn facts(&self) -> BTreeMap<&'static str, String> {
        let names: Vec<&str> = self
            .found
            .candidates
            .iter()
            .map(|c| c.name.as_str())
            .collect();
        let mut facts = BTreeMap::from([
            (target_key::EXACT_CLASSES, names.len().to_string()),
            (target_key::EXACT_NAMES, list(&names)),
            (target_key::EXACT_IDLE, self.found.idle.to_string()),
        ]);
        if !self.found.refused.is_empty() {
            facts.insert(target_key::EXACT_REFUSED, list(&self.found.refused));
        }
        if let Some(jvm) = &self.selection.jvm {
            facts.insert(target_key::EXACT_JVM, jvm.clone());
        }
        facts
    }

    /// An error, in a sentence, if there is nothing to rewrite.
    pub(crate) fn check(&self) -> Result<(), String> {
        match self.found.candidates.is_empty() {
            true => Err(self.why_nothing()),
            false => Ok(()),
        }
    }

    /// Rewrites the classes and switches the probes on.
    pub(crate) fn begin(self, vm: Vm<'vm>, recording: &Recording) -> Result<Exact, String> {
        let clock = if self.selection.clockless {
            "none"
        } else {
            "nanoTime"
        };
        let mut facts = self.facts();
        facts.insert(target_key::EXACT_CLOCK, clock.to_owned());
        capable(vm)?;
        let apparatus = apparatus(vm, recording)?;
        let arena = &apparatus.arena;
        arena.switch_off();
        arena.clear();
        Ledger::forget(arena, vm, &apparatus.fresh);
        let mut exact = Exact {
            apparatus,
            consumer: Consumer::new(arena, arena::PATIENCE),
            ledger: Ledger::new(arena, self.selection.locks.clone()),
            merge: Merge::default(),
            notes: Vec::new(),
            nameless: Vec::new(),
            classes: Vec::new(),
            places: HashMap::new(),
            clockless: self.selection.clockless,
            own: HashSet::new(),
            since: u64::MAX,
            until: u64::MAX,
            unmet: HashSet::new(),
            looked: 0,
            ended: false,
            looks: 0,
            others: 0,
            facts,
        };
        let tested = apparatus.test(vm, recording, &mut exact.consumer);
        let begun = tested.and_then(|()| exact.install(vm, recording, &self.found));
        if let Err(why) = begun {
            exact.release(vm);
            return Err(why);
        }
        exact.looked = clock::monotonic();
        exact.since = exact.looked;
        arena.switch_on(recording.ceiling.shares.probes, exact.clockless);
        Ok(exact)
    }

    fn why_nothing(&self) -> String {
        let (idle, refused) = (self.found.idle, self.found.refused.len());
        if idle + refused == 0 {
            return "no class of that name is loaded".to_owned();
        }
        let mut why = format!(
            "nothing to rewrite: {idle} classes of that name lock, wait for and notify nothing"
        );
        if refused > 0 {
            why += &format!("; not to be touched: {}", list(&self.found.refused));
        }
        why
    }
}

/// Takes the capability, late: a recording that only watches never has it.
fn capable(vm: Vm<'_>) -> Result<(), String> {
    let error = |error: crate::vm::Error| {
        format!(
            "this JVM lets nobody retransform classes (JVM TI error {})",
            error.0
        )
    };
    let wanted = [
        capability::RETRANSFORM_CLASSES,
        capability::RETRANSFORM_ANY_CLASS,
    ];
    let potential = vm.potential_capabilities().map_err(error)?;
    let wanted = Capabilities::of(&wanted).and(&potential);
    vm.add_capabilities(&wanted).map_err(error)
}

impl Exact {
    fn install(
        &mut self,
        vm: Vm<'_>,
        recording: &Recording,
        found: &Found<'_>,
    ) -> Result<(), String> {
        recording.rewritten.begin_change();
        let began = Instant::now();
        let batch = install::install(vm, &found.candidates, &self.apparatus.class_name);
        let took = began.elapsed();
        let batch = match batch {
            Ok(batch) => batch,
            Err(why) => {
                recording.rewritten.end_change(HashMap::new());
                return Err(why);
            }
        };
        let mut refused: Vec<String> = found
            .refused
            .iter()
            .chain(&batch.refused)
            .cloned()
            .collect();
        let mut maps = HashMap::new();
        let (mut sites, mut methods) = (0, 0);
        for one in batch.installed {
            sites += one.sites.len();
            methods += one.maps.len();
            refused.extend(one.refused);
            maps.extend(one.maps);
            self.note_sites(
                vm,
                recording,
                &found.candidates[one.candidate],
                &one.sites,
                &one.methods,
            );
        }
        recording.rewritten.end_change(maps);
        self.fact(target_key::EXACT_CLASSES, self.classes.len().to_string());
        self.fact(target_key::EXACT_METHODS, methods.to_string());
        self.fact(target_key::EXACT_SITES, sites.to_string());
        self.fact(target_key::EXACT_INSTALL_MS, took.as_millis().to_string());
        if !refused.is_empty() {
            self.fact(target_key::EXACT_REFUSED, list(&refused));
        }
        match sites {
            0 => Err(format!("no class could be rewritten: {}", list(&refused))),
            _ => Ok(()),
        }
    }

    fn note_sites(
        &mut self,
        vm: Vm<'_>,
        recording: &Recording,
        candidate: &Candidate<'_>,
        sites: &[Site],
        methods: &HashMap<usize, Handle>,
    ) {
        let class = self.classes.len();
        self.classes.extend(vm.weak(&candidate.class));
        for site in sites {
            let Some(&handle) = methods.get(&site.method) else {
                continue;
            };
            // SAFETY: the candidate holds its class.
            let Ok(method) = (unsafe { recording.method(vm, handle) }) else {
                continue;
            };
            self.own.insert(method);
            if let Ok(stack) = recording.site_stack(method, bci(site)) {
                self.places.insert(site.id.0, Place { stack, class });
            }
        }
    }
}

/// The bci that a site's stack shows; the end of a method stands for its last instruction.
fn bci(site: &Site) -> Option<u16> {
    match site.kind {
        SiteKind::MethodThrow => None,
        _ => u16::try_from(site.bci).ok(),
    }
}
