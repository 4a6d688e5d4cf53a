//! The code the analyser needs, read class by class beside the events, without touching a class.
//!
//! Wanted are, in this order: the classes of lock objects and their superclasses; the classes whose
//! methods were seen in call chains; every class outside the JDK that waits, notifies or locks such
//! an object; those that extend one of the nest of a lock's class; those that were found to use what threads park on, and who makes objects of
//! these; who calls what locks what it is handed, where that is rewritten; their nest mates; and, but for those that only park, what their methods call, a few calls deep, outside the JDK.
//!
//! The work comes in passes. A pass takes a list of all loaded classes, finds what the seeds
//! collected since the last one lead to, and lets go of the list. It runs in small steps, so that no
//! event waits for it, and under a budget for the whole recording. Where the ceiling is near, it gives up.
//!
//! `seeds` says what is wanted, `index` finds classes by name, `reader` reads one class, `scan` remembers those
//! that were looked at in vain, `pools` the constants just read, `pass` puts them together.

mod index;
mod pass;
mod pools;
mod reader;
mod scan;
mod seeds;

use super::output::Output;
use crate::bootstraps::Bootstraps;
use crate::definition::Definition;
use crate::recording::Recording;
use crate::vm::{Handle, Ref, Vm};
use pass::Pass;
use reader::Reader;
use seeds::{Home, Seeds};
use std::collections::HashMap;
use std::time::{Duration, Instant};

/// Time from the start to the first pass: the first call chains are in by then.
const FIRST: Duration = Duration::from_millis(100);
/// Time between passes at first, and later.
const SOON: Duration = Duration::from_millis(1000);
const LATER: Duration = Duration::from_secs(5);
/// Passes of the first kind.
const EAGER: u32 = 3;
/// Longest step beside the events.
const STEP: Duration = Duration::from_millis(8);

/// See the module.
pub(super) struct Gatherer<'vm> {
    seeds: Seeds,
    reader: Reader,
    pass: Option<Pass<'vm>>,
    passes: u32,
    /// Passes that come soon after one another.
    eager: u32,
    next: Instant,
}

impl<'vm> Gatherer<'vm> {
    /// Nothing read yet. A pass goes through all loaded classes: where there is a limit to what the recording costs, and nobody
    /// watches, they are few.
    pub(super) fn new(recording: &Recording) -> Self {
        let options = &recording.options;
        let spares = options.overhead.is_some() && !options.live;
        let (first, eager) = match spares {
            true => (SOON, 0),
            false => (FIRST, EAGER),
        };
        Self {
            seeds: Seeds::default(),
            reader: Reader::new(recording),
            pass: None,
            passes: 0,
            eager,
            next: Instant::now() + first,
        }
    }

    /// Looks up what call sites are linked by, if that can be read.
    pub(super) fn look_up(&mut self, bootstraps: Option<Bootstraps>) {
        self.reader.look_up(bootstraps);
    }

    /// Learns what a definition leads to.
    pub(super) fn learn(&mut self, definition: &Definition) {
        self.seeds.learn(definition);
    }

    /// Whether there is more to do at once.
    pub(super) fn is_reading(&self) -> bool {
        self.pass.is_some()
    }

    /// One step beside the events.
    pub(super) fn step(&mut self, vm: Vm<'vm>, recording: &Recording, output: &mut Output) {
        let now = Instant::now();
        if self.pass.is_none() && now >= self.next && (self.passes == 0 || self.seeds.any()) {
            self.begin(vm, now);
        }
        self.go_on(vm, recording, output, now + STEP);
    }

    fn begin(&mut self, vm: Vm<'vm>, now: Instant) {
        self.pass = Pass::begin(vm);
        self.passes += 1;
        self.next = now
            + if self.passes < self.eager {
                SOON
            } else {
                LATER
            };
    }

    fn go_on(
        &mut self,
        vm: Vm<'vm>,
        recording: &Recording,
        output: &mut Output,
        deadline: Instant,
    ) {
        let before = recording.ceiling.used();
        if let Some(pass) = &mut self.pass
            && pass.run(
                vm,
                recording,
                &mut self.seeds,
                &mut self.reader,
                output,
                deadline,
            )
        {
            self.pass = None;
        }
        if !recording.ceiling.has_room_for_code() && self.pass.take().is_some() {
            self.reader.note_cramped();
        }
        recording.ceiling.note_code(before, self.pass.is_none());
    }

    /// Gives up the pass under way: what it holds cannot be unloaded meanwhile.
    pub(super) fn let_go(&mut self) {
        if self.pass.take().is_some() {
            self.reader.note_unfinished();
        }
    }

    /// Reads the code of a class that is about to change: whole, and never again. Of these methods the
    /// code is known, and has been changed already.
    pub(super) fn read_now(
        &mut self,
        vm: Vm<'vm>,
        recording: &Recording,
        output: &mut Output,
        (class, name, methods): (&Ref<'vm>, &str, &[Handle]),
        known: &HashMap<Handle, Vec<u8>>,
    ) {
        let loader = vm.class_loader(class).ok().flatten();
        let loader = loader.and_then(|loader| recording.loader(vm, &loader).ok());
        let home = Home {
            loader: loader.map_or(0, |id| id.0),
            name: name.to_owned(),
        };
        let is_jdk = self.seeds.is_jdk(home.loader);
        self.reader
            .send_class(vm, recording, output, (class, home, methods), known);
        for (class, [name, descriptor]) in self.reader.take_locking() {
            if !is_jdk {
                self.seeds.learn_helper(&class, (&name, &descriptor), 0);
            }
        }
    }

    /// What is still wanted at the end, for at most `patience`.
    pub(super) fn finish(
        &mut self,
        vm: Vm<'vm>,
        recording: &Recording,
        output: &mut Output,
        patience: Duration,
    ) {
        let deadline = Instant::now() + patience;
        self.go_on(vm, recording, output, deadline);
        let has_room = || recording.ceiling.has_room_for_code();
        while self.pass.is_none() && self.seeds.any() && Instant::now() < deadline && has_room() {
            self.begin(vm, Instant::now());
            self.go_on(vm, recording, output, deadline);
        }
        self.let_go();
    }

    /// Why some code is missing, if it is.
    pub(super) fn shortfall(&self) -> Option<String> {
        self.reader.shortfall()
    }
}
