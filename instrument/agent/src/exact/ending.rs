//! The end of an exact recording: probes off, original bytes back, and what there is to say of it.

use super::arena::Lane;
use super::candidates::uses_monitors_now;
use super::old_code::in_old_code;
use super::refusal::Refusal;
use super::select::is_of_juc;
use super::{Exact, LOOKS, candidates, dormant, install, intake, list};
use crate::clock;
use crate::identity::binary_name;
use crate::recording::Recording;
use crate::vm::{Ref, Vm};
use locklens_trace::juc;
use locklens_trace::record::target_key;
use std::collections::HashMap;
use std::time::{Duration, Instant};

/// How long the reading of the last records may stand still. There are no more than the rings hold.
const LAST_NOTES: Duration = Duration::from_secs(5);

/// Of a class that was linked during the recording.
const LATER: &str = "it was loaded before and linked later, without probes";

impl Exact {
    /// Switches the probes off; how long the reading of what they have written may stand still.
    pub(crate) fn stop(&mut self, recording: &Recording) -> Duration {
        recording.arrivals.close();
        self.apparatus.arena.switch_off();
        self.until = clock::monotonic();
        let until = self.until.saturating_sub(recording.start);
        self.fact(target_key::EXACT_UNTIL, until.to_string());
        LAST_NOTES
    }

    /// Puts the original bytes back, unless the probes are to stay.
    pub(crate) fn restore(&mut self, vm: Vm<'_>, recording: &Recording) {
        self.fact(target_key::EXACT_OLD_CODE[LOOKS.len()], in_old_code(vm));
        // It cannot fail: it was switched on.
        let _ = install::watch_classes(vm, false);
        // Those that came after the last records were read, too.
        self.welcome(vm, recording);
        self.reread(vm);
        let mut classes: Vec<Ref<'_>> = self
            .classes
            .iter()
            .filter_map(|weak| vm.upgrade(weak))
            .collect();
        let (linked, others): (Vec<_>, Vec<_>) = unused(vm, recording)
            .into_iter()
            .partition(|class| vm.class_methods(class).is_ok());
        classes.extend(linked);
        // Replacing one would link it: this thread would run the code of the application's class loader, and
        // wait for it.
        for class in others {
            let name = vm.class_signature(&class).unwrap_or_default();
            let name = binary_name(&name);
            let why = "not linked when the recording ended: it keeps its probes, which are silent";
            self.refused.push(Refusal::of(&name, why));
            dormant::leave(vm, [&class]);
        }
        if self.dormant {
            let left = dormant::leave(vm, &classes);
            self.fact(target_key::EXACT_DORMANT, left.to_string());
            return;
        }
        let began = Instant::now();
        recording.rewritten.begin_change();
        let failed = match classes.is_empty() {
            true => HashMap::new(),
            false => install::retransform(vm, &classes.iter().collect::<Vec<_>>()),
        };
        recording.rewritten.clear();
        recording.rewritten.end_change();
        // They can be put back later, as those that were meant to stay.
        dormant::leave(vm, failed.keys().map(|&at| &classes[at]));
        let took = began.elapsed();
        self.fact(
            target_key::EXACT_RESTORED,
            (classes.len() - failed.len()).to_string(),
        );
        self.fact(target_key::EXACT_RESTORE_MS, took.as_millis().to_string());
    }

    /// Classes that were not linked at the beginning, and are now: their code has run without probes.
    fn reread(&mut self, vm: Vm<'_>) {
        for weak in self.unread.drain(..) {
            let class = vm.upgrade(&weak);
            let used = class.filter(|class| uses_monitors_now(vm, class) == Some(true));
            let signature = used.and_then(|class| vm.class_signature(&class).ok());
            if let Some(name) = signature.map(|signature| binary_name(&signature)) {
                self.refused
                    .push(Refusal::of(&name, LATER).using_monitors(true));
            }
            vm.delete_weak(weak);
        }
    }

    /// What there is to say when everything has been read.
    pub(crate) fn sum_up(&mut self, recording: &Recording) {
        self.ended = true;
        self.count(recording);
        self.fact(target_key::EXACT_LOCKS, self.ledger.locks().to_string());
        self.count_others();
        self.tell_guard();
        self.tell_operations(recording);
        self.tell_replaced(recording);
    }

    /// What probes did not tell of, as far as it has been let pass.
    pub(super) fn count_others(&mut self) {
        let elsewhere = self.merge.elsewhere();
        self.fact(target_key::EXACT_ELSEWHERE, elsewhere.to_string());
        self.fact(target_key::EXACT_UNMET, self.unmet.len().to_string());
        self.fact(target_key::EXACT_OTHERS, self.others.to_string());
        if !self.bare.is_empty() {
            // Each of them counts: none is cut off.
            let bare: Vec<String> = self.bare.iter().map(|lock| lock.0.to_string()).collect();
            self.fact(target_key::EXACT_BARE, bare.join("\n"));
        }
    }

    /// How many operations there were, and which classes tell of none.
    fn tell_operations(&mut self, recording: &Recording) {
        match (&self.juc, self.guards_operations()) {
            (Some(_), _) => self.fact(target_key::OPERATIONS, self.operations.to_string()),
            // Which of them there were, excerpts tell.
            (None, true) => {}
            (None, false) => return,
        }
        let all = self.all_refused(recording);
        let is_of_one = |one: &&Refusal| juc::CLASSES.iter().any(|c| one.concerns(c.name));
        let refused: Vec<&Refusal> = all.named().filter(is_of_one).collect();
        if !refused.is_empty() {
            self.fact(target_key::OPERATIONS_REFUSED, list(&refused));
        }
    }

    /// Which classes somebody else replaced while there were probes. Those that park are told apart from those that lock.
    fn tell_replaced(&mut self, recording: &Recording) {
        let replaced = recording.replaced.until(self.until);
        let is_of_parks = |(name, _): &(String, u64)| self.has_parks() && is_of_juc(name);
        let (parks, locks): (Vec<_>, Vec<_>) = replaced.into_iter().partition(is_of_parks);
        let first = |some: &[(String, u64)]| {
            let first = some.iter().map(|(_, at)| *at).min()?;
            Some(first.saturating_sub(recording.start).to_string())
        };
        if let Some(at) = first(&parks) {
            self.fact(target_key::PARKS_REPLACED, at);
        }
        if let Some(at) = first(&locks) {
            let names: Vec<String> = locks.into_iter().map(|(name, _)| name).collect();
            self.fact(target_key::EXACT_REPLACED, list(&names));
            self.fact(target_key::EXACT_REPLACED_SINCE, at);
        }
    }

    /// Gives back what the JVM and the system hold for it. The probes are switched off.
    pub(crate) fn release(&mut self, vm: Vm<'_>) {
        let arena = &self.apparatus.arena;
        arena.switch_off();
        let comers = self.untold.drain(..).map(|comer| comer.class);
        let known = self.classes.drain(..).chain(self.unread.drain(..));
        for class in known.chain(comers) {
            vm.delete_weak(class);
        }
        if let Some(juc) = &mut self.juc {
            juc.blocked.release(vm);
        }
        intake::empty(arena, vm, (Lane::Locks, &self.apparatus.fresh));
        intake::empty(arena, vm, (Lane::Blockers, &self.apparatus.blockers));
        arena.give_back();
    }
}

/// Lets no more classes come rewritten. Those that have, and are not taken in, keep silent probes, and are remembered for that.
pub(crate) fn let_go(vm: Vm<'_>, recording: &Recording) {
    recording.arrivals.close();
    // Fails where nothing was to be rewritten.
    let _ = install::watch_classes(vm, false);
    let comers = recording.arrivals.take();
    dormant::keep(comers.into_iter().map(|comer| comer.class));
    dormant::leave(vm, &unused(vm, recording));
}

/// Classes that came rewritten and that no code has used yet.
fn unused<'vm>(vm: Vm<'vm>, recording: &Recording) -> Vec<Ref<'vm>> {
    let unused = recording.arrivals.unused();
    if unused.is_empty() {
        return Vec::new();
    }
    let is_one = |class: &Ref<'_>| {
        let key = candidates::key_of(vm, recording, class);
        key.is_ok_and(|key| unused.contains(&key))
    };
    let classes = vm.loaded_classes().unwrap_or_default().into_iter();
    classes.filter(is_one).collect()
}
