//! From a selection to classes that are rewritten.

use super::apparatus::{apparatus, is_made};
use super::arena::{self, Consumer, Lane, Order};
use super::arrivals::Sites;
use super::candidates::{self, Found};
use super::chains::Pending;
use super::ending::let_go;
use super::guard::Guard;
use super::heirs::Heirs;
use super::install::Rewriter;
use super::intake::Intake;
use super::juc::Juc;
use super::ledger::Ledger;
use super::makings::Makings;
use super::merge::Merge;
use super::pause::Pause;
use super::select::{LOCK_SUPPORT, Selection};
use super::{Exact, Place, install, list};
use crate::clock;
use crate::recording::{Mode, Recording};
use crate::scattered::{Map, Set};
use crate::vm::sys::{Capabilities, capability};
use crate::vm::{Handle, Ref, Vm};
use locklens_rewrite::{Site, SiteKind};
use locklens_trace::record::target_key;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::time::Instant;

/// What was found and will be rewritten.
pub(crate) struct Prepared<'vm> {
    found: Found<'vm>,
    selection: Selection,
}

impl<'vm> Prepared<'vm> {
    /// Finds what a selection means here.
    pub(crate) fn find(
        vm: Vm<'vm>,
        recording: &Recording,
        selection: Selection,
    ) -> Result<Self, String> {
        let mut found = candidates::find(vm, recording, &selection)?;
        let touchable = found.unread.iter().filter(|(_, may)| *may);
        let mut unread = touchable.map(|(class, _)| class).peekable();
        if recording.mode == Mode::Launch && !selection.dry && unread.peek().is_some() {
            capable(vm)?;
            install::link(vm, unread);
            found = candidates::find(vm, recording, &selection)?;
        }
        Ok(Self { found, selection })
    }

    /// Nothing is to be changed.
    pub(crate) fn is_dry(&self) -> bool {
        self.selection.dry
    }

    /// Parks are to be recorded.
    pub(crate) fn has_parks(&self) -> bool {
        self.selection.has_parks()
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
            (target_key::EXACT_CHOSEN, self.selection.chosen().to_owned()),
        ]);
        if self.selection.guard {
            facts.insert(target_key::GUARD, "true".to_owned());
        }
        if self.selection.guard && self.selection.has_operations() {
            facts.insert(target_key::GUARD_JUC, "true".to_owned());
        }
        if is_made() {
            facts.insert(target_key::EXACT_BEFORE, "true".to_owned());
        }
        if !self.found.refused.is_empty() {
            facts.insert(target_key::EXACT_REFUSED, list(&self.found.refused));
        }
        if !self.selection.accesses().is_empty() {
            facts.insert(target_key::ACCESSES_OF, list(self.selection.accesses()));
        }
        if let Some(jvm) = &self.selection.jvm {
            facts.insert(target_key::EXACT_JVM, jvm.clone());
        }
        facts
    }

    /// An error, in a sentence, if there is nothing to rewrite. At the start of a JVM that is no error: the
    /// classes are still to come.
    pub(crate) fn check(&self, mode: Mode) -> Result<(), String> {
        // That threads are started is nothing to record by itself, nor is what any JVM has.
        let mut candidates = self.found.candidates.iter();
        match candidates.all(|one| one.beside) && mode == Mode::Live {
            true => Err(self.why_nothing()),
            false => Ok(()),
        }
    }

    /// Makes the probes ready. From then on classes like these come rewritten; what was loaded before is
    /// found once more, and not yet changed.
    pub(crate) fn open(self, vm: Vm<'vm>, recording: &Recording) -> Result<Opened<'vm>, String> {
        let mut facts = self.facts();
        let clock = if self.selection.clockless {
            "none"
        } else {
            "nanoTime"
        };
        facts.insert(target_key::EXACT_CLOCK, clock.to_owned());
        capable(vm)?;
        let mut exact = Exact::new(vm, recording, &self.selection, facts)?;
        let apparatus = exact.apparatus;
        let opened = apparatus.test(vm, recording, &mut exact.consumer);
        let told = exact.guard.is_none() && !exact.clockless && recording.options.depth > 0;
        exact.takes_chains = told && opened.is_ok() && apparatus.takes_chains(vm);
        if told && !exact.takes_chains {
            exact.fact(target_key::EXACT_CHAINS, "none".to_owned());
        }
        let name = apparatus.class_name.clone();
        let rewriter = Rewriter::of(name, &self.selection, (exact.takes_chains, vm.is_modular()));
        let opened = opened.and_then(|()| {
            let arrivals = &recording.arrivals;
            arrivals.open(self.selection.clone(), rewriter.clone());
            install::watch_classes(vm, true)?;
            candidates::find(vm, recording, &self.selection)
        });
        match opened {
            Ok(found) => Ok(Opened {
                found,
                exact,
                rewriter,
            }),
            Err(why) => {
                exact.give_up(vm, recording);
                Err(why)
            }
        }
    }

    fn why_nothing(&self) -> String {
        let (idle, refused) = (self.found.idle, self.found.refused.len());
        if idle + refused == 0 {
            return "no class of that name is loaded".to_owned();
        }
        let mut why = match (idle, self.selection.is_of_methods()) {
            (_, true) => "there is no method of that name that locks, waits or notifies".to_owned(),
            (1, false) => "the class of that name locks, waits for and notifies nothing".to_owned(),
            (_, false) => {
                format!("{idle} classes of that name lock, wait for and notify nothing")
            }
        };
        if refused > 0 {
            why += &format!("; not to be touched: {}", list(&self.found.refused));
        }
        why
    }
}

/// Everything is ready, and nothing changed yet.
pub(crate) struct Opened<'vm> {
    found: Found<'vm>,
    exact: Exact,
    rewriter: Rewriter,
}

impl<'vm> Opened<'vm> {
    /// The classes, with the methods they declare: what must be read before they change.
    pub(crate) fn classes(&self) -> impl Iterator<Item = (&Ref<'vm>, &str, Vec<Handle>)> {
        self.found.candidates.iter().map(|candidate| {
            let handles = candidate.methods.iter().map(|m| m.handle).collect();
            (&candidate.class, candidate.name.as_str(), handles)
        })
    }

    /// Rewrites the classes and switches the probes on.
    pub(crate) fn begin(self, vm: Vm<'vm>, recording: &Recording) -> Result<Exact, String> {
        let mut exact = self.exact;
        if let Err(why) = exact.install(vm, recording, &self.found, &self.rewriter) {
            exact.give_up(vm, recording);
            return Err(why);
        }
        exact.looked = clock::monotonic();
        exact.since = exact.looked;
        let arena = &exact.apparatus.arena;
        let order = match (exact.clockless, &exact.guard) {
            (false, _) => Order::Clock,
            (true, None) => Order::Numbers,
            (true, Some(_)) => Order::Nothing,
        };
        arena.switch_on(recording.ceiling.shares.probes, order);
        exact.pause = Pause::within(arena.fewest());
        exact.offer_chains(recording, clock::monotonic());
        Ok(exact)
    }
}

/// Takes the capability to replace classes, which a recording that only watches never has.
pub(crate) fn capable(vm: Vm<'_>) -> Result<(), String> {
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
    /// With nothing rewritten yet.
    fn new(
        vm: Vm<'_>,
        recording: &Recording,
        selection: &Selection,
        facts: BTreeMap<&'static str, String>,
    ) -> Result<Self, String> {
        let apparatus = apparatus(vm, recording)?;
        let arena = &apparatus.arena;
        arena.switch_off();
        arena.clear();
        if let Ok(threads) = vm.all_threads() {
            let tids = threads.iter().map(|thread| recording.tid_of(vm, thread));
            arena.release_dead(&tids.collect());
        }
        let guard = selection
            .guard
            .then(|| Guard::new(vm, recording, (apparatus, selection)));
        let mut consumer = Consumer::new(arena, arena::PATIENCE);
        if selection.clockless && guard.is_none() {
            consumer.go_by_numbers();
        }
        Ok(Self {
            apparatus,
            consumer,
            fresh: Intake::new(arena, Lane::Locks, (vm, &apparatus.fresh)),
            ledger: Ledger::new(arena, selection.locks.clone()),
            merge: Merge::new(recording.ceiling.shares.heap / 8),
            juc: selection.has_parks().then(|| Juc::new(vm, apparatus)),
            guard,
            notes: Vec::new(),
            known: Vec::new(),
            pause: Pause::default(),
            takes_chains: false,
            chains_from: 0,
            more_chains: 0,
            pending: Pending::default(),
            last_thread: None,
            nameless: Vec::new(),
            retry_from: 0,
            makings: Makings::default(),
            classes: Vec::new(),
            places: Map::default(),
            heirs: Heirs::default(),
            first_site: install::next_site(),
            placeless: Set::default(),
            clockless: selection.clockless,
            dormant: selection.dormant,
            monitors: selection.has_monitors(),
            own: HashSet::new(),
            since: u64::MAX,
            until: u64::MAX,
            short: false,
            held_up: false,
            gap: None,
            unmet: Set::default(),
            bare: BTreeSet::new(),
            looked: 0,
            dropped: 0,
            ended: false,
            looks: 0,
            others: 0,
            operations: 0,
            names: Vec::new(),
            refused: Vec::new(),
            unread: Vec::new(),
            methods: 0,
            sites: 0,
            untold: Vec::new(),
            facts,
        })
    }

    /// Nothing is going to be recorded.
    fn give_up(&mut self, vm: Vm<'_>, recording: &Recording) {
        // What has come rewritten meanwhile calls probes that are switched off.
        let_go(vm, recording);
        self.release(vm);
    }

    fn install(
        &mut self,
        vm: Vm<'_>,
        recording: &Recording,
        found: &Found<'_>,
        rewriter: &Rewriter,
    ) -> Result<(), String> {
        let keys: Vec<_> = found
            .candidates
            .iter()
            .map(|candidate| candidates::key_of(vm, recording, &candidate.class).ok())
            .collect();
        // Who replaces one just behind us is not to be missed.
        recording
            .replaced
            .watch(keys.iter().flatten().cloned().collect());
        recording.rewritten.begin_change();
        let began = Instant::now();
        let room = recording.ceiling.room_for_sites();
        let batch = install::install(vm, &found.candidates, rewriter, room);
        let installed = batch.installed.iter();
        let installed = installed.filter_map(|one| keys[one.candidate].clone());
        recording.replaced.watch(installed.collect());
        let took = began.elapsed();
        if let Some(cost) = u32::try_from(found.candidates.len())
            .ok()
            .and_then(|n| took.checked_div(n))
        {
            recording.arrivals.limit(cost);
        }
        self.refused.extend(found.refused.iter().cloned());
        let unread = found.unread.iter();
        self.unread
            .extend(unread.filter_map(|(class, _)| vm.weak(class)));
        self.refused.extend(batch.refused);
        let mut maps = HashMap::new();
        for one in batch.installed {
            let candidate = &found.candidates[one.candidate];
            self.sites += one.sites.sites.len();
            self.methods += one.maps.len();
            self.refused.extend(one.refused);
            self.names.push(candidate.name.clone());
            maps.extend(one.maps);
            self.note_sites(vm, recording, &candidate.class, &one.sites);
        }
        if let Some(juc) = &mut self.juc {
            juc.whole = !self.refused.iter().any(|one| one.concerns(LOCK_SUPPORT));
        }
        recording.rewritten.add(maps);
        recording.rewritten.end_change();
        self.fact(target_key::EXACT_INSTALL_MS, took.as_millis().to_string());
        self.count(recording);
        match self.sites {
            0 if recording.mode == Mode::Live => Err(format!(
                "no class could be rewritten: {}",
                list(&self.refused)
            )),
            _ => Ok(()),
        }
    }

    /// Learns what the sites of a class mean.
    pub(super) fn note_sites(
        &mut self,
        vm: Vm<'_>,
        recording: &Recording,
        held: &Ref<'_>,
        Sites {
            sites,
            heirs,
            methods,
        }: &Sites,
    ) {
        self.heirs.note(heirs);
        let class = self.classes.len();
        if let Some(guard) = &mut self.guard {
            guard.note_mirror(vm, class, held);
        }
        self.classes.extend(vm.weak(held));
        for site in sites {
            let Some(&handle) = methods.get(&site.method) else {
                continue;
            };
            // SAFETY: the caller holds the class.
            let Ok(method) = (unsafe { recording.method(vm, handle) }) else {
                continue;
            };
            // Of a method that only tells of the lives of threads the monitor is not meant.
            if site.kind != SiteKind::Kin {
                self.own.insert(method);
            }
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
