//! What must be said below the tree: what is not known and why, what is inferred, what is left out.

use super::share;
use super::text::{is_of_owner_chain, is_of_waiter_chain, prefix};
use crate::report::{bare, damage, slices, stopped, unsampled};
use crate::text::{many, percent, time};
use locklens_inference::contention::{Blame, Key, Value, Why};
use locklens_inference::model::Model;

/// All of it, a paragraph each.
pub(super) fn notes(blame: &Blame, model: &Model) -> Vec<String> {
    let mut notes = Vec::new();
    if blame.keys.iter().any(|key| !prefix(*key).is_empty()) && blame.total.count > 0 {
        notes.push(match blame.waits {
            false => "by = held the lock meanwhile; in, of = was blocked. Shares are of all time above; a stay counts in each row that it lost time to.".to_owned(),
            true => "by = notified; in, of = waited.".to_owned(),
        });
    }
    let unknown = blame.unknown.iter().map(|(&why, &time_)| {
        let part = percent(share(time_.0, blame.total.ns.0));
        format!("Unknown {part}, {}: {}", time(time_), reason(why, model))
    });
    notes.extend(unknown);
    if blame.total.untested.0 > 0 {
        let part = percent(share(blame.total.untested.0, blame.total.ns.0));
        notes.push(format!(
            "Inferred {part}, {}{}: from contention alone, which takes threads to come whoever holds the lock. Looks at the owner would test that; there were less than 32 of each such lock, and none of them contradicts.",
            time(blame.total.untested),
            match blame.keys.iter().any(|key| key.is_of_owner()) {
                true => " (?)",
                false => "",
            }
        ));
    }
    if blame.without_chain.0 > 0 && blame.keys.iter().any(|key| is_of_owner_chain(*key)) {
        let part = percent(share(blame.without_chain.0, blame.total.ns.0));
        notes.push(format!(
            "Of {part}, {}, it is told who (--by owner-thread), and not where that thread was.",
            time(blame.without_chain)
        ));
    }
    notes.extend(nowhere(blame, model));
    if blame.total.estimated.0 > 0 {
        let otherwise = match model.recording.parks {
            None => "'locklens trace --juc' records every park.",
            Some(_) => {
                "Parks in LockSupport are recorded: these threads parked before that, or otherwise, as in StampedLock of JDK 8."
            }
        };
        notes.push(format!("~ = an estimate, from looks at parked threads now and then: no lengths of single stays. ≥ = at least so many stays, as those between two looks are missed. {otherwise}"));
    }
    if blame.unjoined > 0 {
        notes.push(format!(
            "Of {} it is not known whether several were for one acquisition: each is a single park, or a single wait in a lock of the program's own, and what one stay lost may have been more.",
            many(blame.unjoined, "stay")
        ));
    }
    if blame.total.unmeasured > 0 {
        notes.push(format!(
            "{} of unknown length, counted and in no time (≥, ?).",
            many(blame.total.unmeasured, "stay")
        ));
    }
    if blame.inferred > 0 {
        notes.push(format!(
            "Of {} it is inferred who ended it: several waited when one was notified, and the JVM takes the one that waited longest.",
            many(blame.inferred, "wait")
        ));
    }
    let (unplaced, length) = blame.unplaced;
    if unplaced > 0 {
        notes.push(format!(
            "{}, {}, on locks that the program has built are not in it: without call chains it is not known whether they were in an operation that acquires.",
            many(unplaced, "wait"),
            time(length)
        ));
    }
    notes.extend(renamed(blame));
    notes.extend(by_design(blame, model));
    notes.extend(hidden(blame, model));
    notes.extend(not_recorded(blame, model).map(str::to_owned));
    notes.extend(bare(&model.recording).filter(|_| !blame.waits));
    notes.extend(unsampled(&model.recording).filter(|_| !blame.waits));
    notes.extend(stopped(&model.recording));
    notes.extend(slices(&model.recording));
    notes.extend(damage(&model.recording));
    notes
}

/// That a thread has one name in all rows, where it had several.
fn renamed(blame: &Blame) -> Option<String> {
    use Key::{OwnerGroup, OwnerThread, WaiterGroup, WaiterThread};
    let by_name = [OwnerGroup, OwnerThread, WaiterGroup, WaiterThread];
    let is_by_name = blame.keys.iter().any(|key| by_name.contains(key));
    let renamed = many(blame.renamed as u64, "thread");
    (is_by_name && blame.renamed > 0).then(|| {
        format!("Names changed, of {renamed}: all of a thread's time stands under its last name.")
    })
}

/// Why it is not known where threads were blocked.
fn nowhere(blame: &Blame, model: &Model) -> Vec<String> {
    if !blame.keys.iter().any(|key| is_of_waiter_chain(*key)) {
        return Vec::new();
    }
    let left_out = match model.recording.stacks_lost {
        0 => "the recording has no call chain of it.",
        _ => "its call chain was left out, as they have a budget.",
    };
    let all = [
        (
            blame.parked_without_chain,
            "looks found it parked and took no call chain, as these have a budget.",
        ),
        (blame.waiter_without_chain, left_out),
    ];
    let told = all.iter().filter(|(time_, _)| time_.0 > 0);
    let told = told.map(|&(time_, why)| {
        let part = percent(share(time_.0, blame.total.ns.0));
        let who = if blame.waits { "waited" } else { "was blocked" };
        format!(
            "Of {part}, {}, it is not known where the thread was that {who}: {why}",
            time(time_)
        )
    });
    told.collect()
}

/// Time of which nobody need be alarmed.
fn by_design(blame: &Blame, model: &Model) -> Option<String> {
    let awaits = |id: u32| {
        let mut locks = model.locks.iter();
        locks.any(|lock| lock.id == id && lock.awaits_inside())
    };
    let rows = blame.total.rows.iter().filter(|row| row.ns.0 > 0);
    let mut locks = rows.filter_map(|row| match row.value {
        Some(Value::Lock(id, _)) => Some(id),
        _ => None,
    });
    (!blame.waits && locks.any(awaits)).then(|| {
        "Waits in put, take or await of locks that the program has built are in it, too, and nobody's: at a queue that is empty \
         that is idleness, and stands last above; at one that is full those keep others out who take too little of it. '--by group,lock' tells them apart."
            .to_owned()
    })
}

/// Blocked time of known-safe locks, which are left out, where it is a twentieth of what is told and more.
fn hidden(blame: &Blame, model: &Model) -> Option<String> {
    let hidden = model.recording.hidden_blocked;
    (!blame.waits && hidden.0 > 0 && hidden.0 >= blame.total.ns.0 / 20).then(|| {
        format!(
            "{} blocked on known-safe locks (class loading and the like) is not in it: '--show-safe-locks' shows them.",
            time(hidden)
        )
    })
}

/// What the recording has nothing of, where that may be why there is nothing to show.
fn not_recorded(blame: &Blame, model: &Model) -> Option<&'static str> {
    let recording = &model.recording;
    if blame.total.count > 0 {
        return None;
    }
    match (recording.parks, recording.looks) {
        (Some(parks), _) if parks.alone => {
            Some("Only parks were recorded: 'locklens record' has monitors as well.")
        }
        (None, None) => Some(
            "Parked threads were not looked at: 'locklens record' without --no-juc does so, 'locklens trace --juc' records every park.",
        ),
        _ => None,
    }
}

fn reason(why: Why, model: &Model) -> &'static str {
    let exact = model.recording.exact;
    match why {
        Why::NoNotify if exact => {
            "no notify was seen: the JVM itself ends joins, and code that was not rewritten reports none."
        }
        Why::Unseen if exact => {
            "no probe told of it, or not yet; from contention alone it is not certain who held the lock then."
        }
        Why::Unseen => {
            "from contention alone it is not certain who held the lock then. 'locklens trace' records every enter and exit."
        }
        Why::Before => "the recording had only begun, or the lock was in use before.",
        Why::Elsewhere => "the lock was entered or left in code that reports nothing.",
        Why::Lost => "events are missing.",
        Why::Shared => "several may have held it together, and who is not recorded.",
        Why::NotLooked => "no look was taken at who held it, or it found nobody.",
        Why::Forgotten => {
            "stays so long, or so many since, that there was no room to remember who it was."
        }
        Why::Uncounted => {
            "on locks that the program has built itself; who has passed through them is known from exact recordings, best from the start of the program."
        }
        Why::NoNotify => "no notify was seen. 'locklens trace' records them.",
    }
}
