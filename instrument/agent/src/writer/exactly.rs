//! What rewriting classes adds to the writer's work: beginning it when the command says what is wanted,
//! the records of the probes beside the ring's, putting everything back.

use super::Writer;
use super::parked::Sampler;
use super::tell;
use crate::callbacks;
use crate::exact::{self, Exact, Opened, Prepared, Selection, dormant};
use crate::vm::Ref;
use crate::vm::sys::event;
use locklens_trace::record::target_key;
use locklens_trace::{Nanos, Record};
use std::collections::{BTreeMap, HashMap};
use std::time::{Duration, Instant};

/// Records left in the rings for which the writer comes back at once.
const MANY: u64 = 1000;
/// Pause when the last records do not come out of the rings.
const NOTHING_NEW: Duration = Duration::from_millis(1);

/// What the JVM says of monitors: of waits, and of threads that are blocked.
const WAITS: [i32; 2] = [event::MONITOR_WAIT, event::MONITOR_WAITED];
const BLOCKS: [i32; 2] = [
    event::MONITOR_CONTENDED_ENTER,
    event::MONITOR_CONTENDED_ENTERED,
];

impl<'vm> Writer<'vm> {
    /// Does what the command's message asks for, if it said from the beginning that one would come. A
    /// second message is not obeyed.
    pub(super) fn exactly(&mut self) {
        let Some(text) = self.output.take_message() else {
            return;
        };
        if self.exact.is_some() || self.done || !self.recording.options.exact {
            return;
        }
        if let Err(why) = self.begin_exact(&text) {
            self.say(&BTreeMap::from([(target_key::EXACT_ERROR, why)]));
            self.done = true;
        }
        self.recording.settled.set();
    }

    fn begin_exact(&mut self, text: &str) -> Result<(), String> {
        let selection = Selection::parse(text)?;
        if selection.detach {
            return self.detach();
        }
        exact::check_ceiling(self.recording)?;
        if !selection.dry && dormant::is_any() {
            // What is rewritten must be the classes' own code.
            exact::capable(self.vm)?;
            dormant::wake(self.vm);
        }
        let prepared = Prepared::find(self.vm, self.recording, selection)?;
        self.say(&prepared.facts());
        prepared.check(self.recording.mode)?;
        if prepared.is_dry() {
            self.done = true;
            return Ok(());
        }
        if prepared.has_parks() {
            // What a blocker is and who owns it, the looks say.
            self.sampler = Sampler::beside_operations(self.vm, self.recording);
            if self.sampler.is_none() {
                return Err("this JVM does not show what its threads park on".to_owned());
            }
        }
        let opened = prepared.open(self.vm, self.recording)?;
        self.read_before_change(&opened);
        let exact = opened.begin(self.vm, self.recording)?;
        let mut facts = exact.facts().clone();
        let since = exact.since().saturating_sub(self.recording.start);
        facts.insert(target_key::EXACT_SINCE, since.to_string());
        if exact.has_parks() {
            facts.insert(target_key::PARKS_SINCE, since.to_string());
        }
        facts.insert(target_key::EXACT, "true".to_owned());
        if exact.is_clockless() {
            // A guard asks who stays blocked.
            let blocks = BLOCKS.iter().filter(|_| !exact.is_guard());
            for &event in WAITS.iter().chain(blocks) {
                // The probes' records have no time to be sorted in among the JVM's by.
                let _ = self.vm.enable(event, false);
            }
            self.order.go_by_numbers();
        }
        self.exact = Some(exact);
        self.say(&facts);
        self.look_at_stood();
        Ok(())
    }

    /// Takes out the probes that another recording left, and ends.
    fn detach(&mut self) -> Result<(), String> {
        if dormant::is_any() {
            exact::capable(self.vm)?;
        }
        let began = Instant::now();
        let (there, back) = dormant::wake(self.vm);
        let facts = BTreeMap::from([
            (target_key::EXACT_DORMANT, there.to_string()),
            (target_key::EXACT_RESTORED, back.to_string()),
            (
                target_key::EXACT_RESTORE_MS,
                began.elapsed().as_millis().to_string(),
            ),
        ]);
        self.say(&facts);
        self.done = true;
        Ok(())
    }

    /// Code and lines as they are now: afterwards the JVM shows the rewritten ones.
    fn read_before_change(&mut self, opened: &Opened<'vm>) {
        for (class, name, methods) in opened.classes() {
            self.gatherer.read_now(
                self.vm,
                self.recording,
                &mut self.output,
                (class, name, &methods),
                &HashMap::new(),
            );
            for &method in &methods {
                // SAFETY: `opened` holds the class. What has no id has no site either.
                let _ = unsafe { self.recording.method(self.vm, method) };
            }
        }
        self.define();
    }

    /// The code of classes that came rewritten, as it was before.
    fn read_arrivals(&mut self) {
        let untold = self.exact.as_mut().map(Exact::untold);
        for comer in untold.unwrap_or_default() {
            if let Some(class) = self.vm.upgrade(&comer.class) {
                self.gatherer.read_now(
                    self.vm,
                    self.recording,
                    &mut self.output,
                    (&class, &comer.name, &comer.methods),
                    &comer.originals,
                );
            }
            self.vm.delete_weak(comer.class);
        }
    }

    /// Says the target again, with these facts.
    fn say(&mut self, facts: &BTreeMap<&'static str, String>) {
        for (key, value) in facts {
            self.target.retain(|(known, _)| known != key);
            self.target.push(((*key).to_owned(), value.clone()));
        }
        self.output.push(&Record::Target(self.target.clone()));
        self.output.cut();
    }

    /// Takes the probes' records, if there are probes; up to when that is complete, and whether there
    /// are more.
    pub(super) fn take_notes(&mut self, mark: u64) -> (u64, bool) {
        let Some(exact) = &mut self.exact else {
            return (mark, false);
        };
        let (held, sampler) = (&mut self.order, &mut self.sampler);
        let resolve = |blocker: &Ref<'vm>| sampler.as_mut()?.resolve_for_probes(blocker);
        let count = held.len();
        let complete = exact.collect(self.vm, self.recording, resolve, count, |event| {
            held.hold(event);
        });
        let ceiling = &self.recording.ceiling;
        ceiling.note_held(held.bytes() + exact.waiting());
        // A ring that one thread keeps full, or holds up, must not make everything else wait in memory.
        let mut complete = complete.told_to(held.mark(), held.impatient_from(self.pressed));
        if self.pressed {
            complete = complete.max(exact.patience_from());
        }
        if let Some(sampler) = &mut self.sampler {
            sampler.tell_new(&mut self.output);
        }
        let many = exact.backlog() > MANY;
        self.read_arrivals();
        (mark.min(complete), many)
    }

    /// Takes in objects met for the first time: until then the queue keeps them alive.
    pub(super) fn meet_objects(&mut self) {
        if let Some(exact) = &mut self.exact {
            let sampler = &mut self.sampler;
            let resolve = |blocker: &Ref<'vm>| sampler.as_mut()?.resolve_for_probes(blocker);
            exact.meet(self.vm, self.recording, resolve);
        }
    }

    pub(super) fn look_for_old_code(&mut self) {
        if let Some(exact) = &mut self.exact
            && exact.look_for_old_code(self.vm)
        {
            let facts = exact.facts().clone();
            self.say(&facts);
        }
    }

    /// Ends exact recording and puts the original bytes back, unless the JVM is going down. When events were switched off for that.
    pub(super) fn restore(&mut self) -> Option<Nanos> {
        let patience = self
            .exact
            .as_mut()
            .map(|exact| exact.stop(self.recording))?;
        let mut deadline = Instant::now() + patience;
        let left = |writer: &Self| writer.exact.as_ref().map_or(0, Exact::left);
        let mut before = left(self);
        while before > 0 && Instant::now() < deadline {
            self.take_events();
            self.output.flush();
            let now = left(self);
            if now < before {
                // The JVM's end waits for us as long as we get on.
                self.recording.finished.note_progress();
                deadline = Instant::now() + patience;
            } else {
                std::thread::sleep(NOTHING_NEW);
            }
            before = now;
        }
        let exact = self.exact.as_mut()?;
        let mut until = None;
        if !self.recording.is_dying() {
            // Replacing a class verifies it, and that may load others by the program's class loader, which may never answer: what
            // the command can have by then it has, and nothing else of ours goes on.
            self.output.cut();
            self.output.flush();
            callbacks::switch_off_but_death(self.vm);
            until = Some(self.recording.now());
            exact.restore(self.vm, self.recording);
        }
        exact.sum_up(self.recording);
        self.recording.finished.note_progress();
        let facts = exact.facts().clone();
        self.say(&facts);
        until
    }

    /// Tells what is new, where that is all there is to be told.
    pub(super) fn release_excerpts(&mut self) {
        let new = self.exact.as_mut().map(Exact::excerpts);
        for record in new.unwrap_or_default() {
            match record {
                Record::Event(event) => {
                    let (output, describer) = (&mut self.output, &mut self.describer);
                    tell(self.recording, describer, output, &(event, 0));
                }
                other => self.output.push(&other),
            }
        }
    }

    /// Tells the parks that ended before a time.
    pub(super) fn release_parks(&mut self, mark: u64) {
        if let Some(exact) = &mut self.exact {
            let (output, start) = (&mut self.output, self.recording.start);
            let stalls = &mut self.stalls;
            exact.release_parks(mark, start, &mut |record| {
                if let Record::Park(park) = &record {
                    stalls.recorded(start.saturating_add(park.to.0));
                }
                output.push(&record);
            });
        }
    }

    /// Tells what was held back.
    pub(super) fn release_rest(&mut self) {
        let (output, describer) = (&mut self.output, &mut self.describer);
        if let Some(exact) = &mut self.exact {
            let start = self.recording.start;
            let facts = exact.finish_parks(start, &mut |record| output.push(&record));
            let facts = facts
                .into_iter()
                .map(|(key, value)| (key.to_owned(), value));
            self.target.extend(facts);
            exact.release_rest(&mut |told| tell(self.recording, describer, output, &told));
            // The end of the trace says them again.
            let told: Vec<_> = exact
                .facts()
                .iter()
                .map(|(key, value)| (*key, value.clone()))
                .collect();
            for (key, value) in told {
                self.target.retain(|(known, _)| known != key);
                self.target.push((key.to_owned(), value));
            }
        }
    }
}
