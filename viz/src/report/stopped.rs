//! Times in which the process as a whole stood still.

use crate::text::{count, seconds, time};
use locklens_inference::model::{Recording, Stall};
use locklens_trace::Nanos;

/// The sentences on it, if it did.
pub(crate) fn stopped(recording: &Recording) -> Option<String> {
    let told = [halted(recording), stalled(recording)];
    let told: Vec<String> = told.into_iter().flatten().collect();
    (!told.is_empty()).then(|| told.join(" "))
}

fn times(many: usize) -> String {
    match many {
        1 => String::new(),
        n => format!(", {} times, first", count(n as u64)),
    }
}

/// It was kept from running for a while.
fn halted(recording: &Recording) -> Option<String> {
    let &(from, _) = recording.stops.first()?;
    Some(format!(
        "STOOD STILL: the process as a whole did not run for {}{} from second {} on (stopped by a signal, frozen, or held by a debugger). \
         Stays that reach over that are longer by it, and no lock is to blame.",
        time(recording.stopped()),
        times(recording.stops.len()),
        seconds(from)
    ))
}

/// Nobody got on, and nobody knows why.
fn stalled(recording: &Recording) -> Option<String> {
    let first = recording.stalls.first()?;
    let sum = |of: fn(&Stall) -> u64| {
        let each = recording.stalls.iter().map(of);
        Nanos(each.fold(0, u64::saturating_add))
    };
    let (all, delayed) = (
        sum(|stall| stall.to.since(stall.from).0),
        sum(|stall| stall.delayed.0),
    );
    Some(format!(
        "STALLED: nothing was recorded for {}{} from second {} on, and the agent's own thread did not get on either (for {} of it it waited \
         for a processor). What kept all of them is not known: the machine, the JVM, or memory that was not there. \
         Stays that reach over that are longer by it, and no lock need be to blame.",
        time(all),
        times(recording.stalls.len()),
        seconds(first.from),
        time(delayed)
    ))
}
