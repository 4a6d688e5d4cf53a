//! What threads were parked on, or waited on, all along, other than to own it. A full queue that nobody empties is told with its chain; of the
//! rest watching does not tell who is stuck and who has nothing to do, and so this is said in a lower voice.

use super::name;
use super::stuck::{TOP, lock_of, object, of_program};
use crate::Look;
use crate::text::{Paint, clean, count, folded, many, short_class};
use locklens_inference::model::{Model, Standstill, Wants};
use std::io::{self, Write};

/// Objects told of at the top of a report.
const MOST: usize = 6;

/// Tells those at full queues that nobody empties; whether there are any.
pub(super) fn stuck(model: &Model, look: Look, out: &mut dyn Write) -> io::Result<bool> {
    let all: Vec<_> = model
        .standstills
        .iter()
        .filter(|at| at.is_stuck())
        .collect();
    for at in all.iter().take(MOST) {
        let threads = at.threads.len() as u64;
        let title = format!(
            "BLOCKED: {} {} for room in {}, since before the recording",
            many(threads, "thread"),
            if threads == 1 { "waits" } else { "wait" },
            object(model, at.first())
        );
        let title = folded(&title, 4, look.width);
        writeln!(out, "{}", Paint::Bold.on(&title, look))?;
        writeln!(
            out,
            "  nobody made room meanwhile: who should is stuck, gone, or wants no more"
        )?;
        if let Some(chain) = &at.chain {
            of_program(chain, TOP, look, out)?;
        }
    }
    if all.len() > MOST {
        writeln!(out, "… and {} more full queues", all.len() - MOST)?;
    }
    Ok(!all.is_empty())
}

/// Tells those that are stuck or idle.
pub(super) fn parked(model: &Model, look: Look, out: &mut dyn Write) -> io::Result<()> {
    let unclear = |at: &&Standstill| !at.is_stuck() && at.wants != Wants::Elements;
    let all: Vec<_> = model.standstills.iter().filter(unclear).collect();
    let Some(first) = all.first() else {
        return Ok(());
    };
    let how = match (all.iter().any(|at| at.wants == Wants::Notify), first.proven) {
        (true, _) => "Parked or waiting all along",
        (false, true) => "Parked all along",
        (false, false) => "Parked at every look",
    };
    let title = format!("{how}, stuck or idle (which is not known by watching):");
    writeln!(out, "{}", folded(&title, 2, look.width))?;
    for at in all.iter().take(MOST) {
        line(model, at, look, out)?;
    }
    if all.len() > MOST {
        writeln!(
            out,
            "  … and {} more, which `locklens show` tells",
            all.len() - MOST
        )?;
    }
    writeln!(out)
}

/// One of them.
pub(super) fn line(
    model: &Model,
    at: &Standstill,
    look: Look,
    out: &mut dyn Write,
) -> io::Result<()> {
    let lock = lock_of(model, at.first()).filter(|_| at.shared);
    let place = match lock {
        Some(lock) => format!("{} (lock {})", name(lock), lock.id),
        None if at.shared => clean(&short_class(&at.first().class)),
        None => object(model, at.first()),
    };
    let threads = many(at.threads.len() as u64, "thread");
    let line = format!("{threads} at {place}: {}", wants(at));
    writeln!(out, "  {}", folded(&line, 4, look.width))
}

fn wants(at: &Standstill) -> String {
    let least = at.state.and_then(|(low, _)| u64::try_from(low).ok());
    match at.wants {
        Wants::Room => "no room in it".to_owned(),
        Wants::Elements => "nothing in it to take".to_owned(),
        Wants::Permit if at.state.is_some_and(|(_, high)| high <= 0) => {
            "no permit was free at any look; who holds them is not known".to_owned()
        }
        Wants::Permit => "not enough permits".to_owned(),
        Wants::Count => match least.filter(|n| *n > 0) {
            Some(n) => format!("{} left to count down", count(n)),
            None => "not counted down".to_owned(),
        },
        Wants::Result => "no result yet".to_owned(),
        Wants::Parties => "the others have not come".to_owned(),
        Wants::Notify => "in Object.wait".to_owned(),
    }
}

/// Those that wait for something to do, in a sentence.
pub(super) fn idle(model: &Model) -> Option<String> {
    let all = model.standstills.iter();
    let all = all.filter(|at| at.wants == Wants::Elements);
    let (mut queues, mut threads) = (0, 0);
    for at in all {
        queues += 1;
        threads += at.threads.len() as u64;
    }
    (queues > 0).then(|| {
        format!(
            "{} parked or waiting all along on {}: idle, or nobody feeds {}.",
            many(threads, "thread"),
            many(queues, "empty queue"),
            if threads == 1 { "it" } else { "them" }
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_known_of_the_state_is_said() {
        let said = |wanted, state| {
            wants(&Standstill {
                threads: Vec::new(),
                wants: wanted,
                proven: true,
                state,
                shared: false,
                chain: None,
            })
        };
        assert!(said(Wants::Permit, Some((0, 0))).starts_with("no permit was free"));
        assert_eq!(said(Wants::Permit, Some((0, 1))), "not enough permits");
        assert_eq!(said(Wants::Count, Some((2, 5))), "2 left to count down");
        assert_eq!(said(Wants::Count, None), "not counted down");
    }
}
