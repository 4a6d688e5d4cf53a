//! The one way out: everything is switched off, the last words are said, and everything is given back.

use super::look::Ending;
use super::output::Output;
use super::parked::LastLook;
use super::{LAST_CODE, QUIET, Writer};
use crate::callbacks;
use crate::clock;
use crate::gate::Left;
use crate::recording::{GATE, Recording};
use crate::ring::Blocks;
use crate::safe;
use locklens_trace::record::{End, EndReason, Hidden, Tick, target_key};
use locklens_trace::{Nanos, Record};
use std::sync::atomic::Ordering::Relaxed;

impl Writer<'_> {
    /// Switches everything off, says the last words, gives everything back.
    pub(super) fn finish(mut self, reason: Option<EndReason>) -> (Output, Option<Left<Recording>>) {
        let until = self.restore();
        self.end_samples();
        let stopped = reason == Some(EndReason::Stopped);
        let tells_end = stopped && self.recording.options.sample.is_none();
        let ending = tells_end.then(|| {
            let parked = self.look_at_parked_last();
            self.see_ending(parked)
        });
        callbacks::switch_off(self.vm);
        // What follows takes its time: nothing that happens in it is recorded.
        let until = until.unwrap_or_else(|| self.recording.now());
        // After the events: what they tell of the end of a wait is told together with what ended it.
        self.end_vm_probes();
        self.recording.settled.set();
        // Who is parked when the JVM ends was so up to the last look.
        self.end_parked(stopped || reason == Some(EndReason::VmDeath));
        let left = GATE.close(QUIET, self.recording.start);
        if let Some(reason) = reason {
            self.last_words(End { at: until, reason }, ending);
        }
        self.recording.finished.note_progress();
        if let Some(mut exact) = self.exact.take() {
            exact.release(self.vm);
        }
        self.describer.release(self.vm);
        (self.output, left)
    }

    /// Looks at the threads a last time, while events still come.
    fn see_ending(&mut self, parked: LastLook) -> Ending {
        self.take_events();
        self.end_look();
        Ending::see(self.vm, self.recording, &self.describer, parked)
    }

    fn last_words(&mut self, end: End, ending: Option<Ending>) {
        let (order, contract) = (&mut self.order, &mut self.contract);
        self.recording
            .ring
            .drain(usize::MAX, Blocks::Keep, |event| {
                contract.note(&event);
                order.hold(event);
            });
        self.define();
        self.release(u64::MAX);
        self.end_holders();
        self.release_rest();
        self.gatherer
            .finish(self.vm, self.recording, &mut self.output, LAST_CODE);
        self.define();
        self.describer
            .read_names(self.vm, self.recording, &mut self.output);
        self.tell_pause(self.recording.start + end.at.0);
        self.report_losses();
        if self.contract.is_off() {
            self.describer.stays.forget(Nanos(u64::MAX));
        }
        if let Some(ending) = ending {
            ending.tell(&self.describer, &mut self.output);
        }
        self.report_shortfall();
        self.report_hidden();
        let (at, agent_cpu) = (end.at, Nanos(clock::thread_cpu()));
        self.output.push(&Record::Tick(Tick { at, agent_cpu }));
        self.output.push(&Record::End(end));
        self.output.cut();
    }

    /// Says the target again, now with what is missing of its code and what was needed of the ceiling.
    fn report_shortfall(&mut self) {
        let mut pairs = self.target.clone();
        let mut add = |key: &str, value: String| pairs.push((key.to_owned(), value));
        if let Some(why) = self.gatherer.shortfall() {
            add("code", why);
        }
        let recording = self.recording;
        let stops = self.stops.fact(recording.start).into_iter();
        stops.for_each(|stops| add(target_key::STOPS, stops));
        let stalls = self.stalls.fact(recording.start).into_iter();
        stalls.for_each(|stalls| add(target_key::STALLS, stalls));
        let observed = &self.observed;
        observed.report(recording, &mut add);
        let facts = self.contract.facts(recording);
        facts.into_iter().for_each(|(key, fact)| add(key, fact));
        add("memory.heap.peak", recording.ceiling.peak().to_string());
        add("memory.tagged", recording.identity.tagged().to_string());
        self.output.push(&Record::Target(pairs));
    }

    fn report_hidden(&mut self) {
        for (entry, count) in safe::TABLE.iter().zip(&self.recording.hidden) {
            let events = count.load(Relaxed);
            if events > 0 {
                self.output.push(&Record::Hidden(Hidden {
                    name: entry.name.to_owned(),
                    events,
                }));
            }
        }
    }
}
