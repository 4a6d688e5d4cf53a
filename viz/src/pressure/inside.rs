//! What pressure does not count: waits inside locks that the program has built of monitors.

use crate::text::{clean, many, time};
use locklens_inference::model::{Inside, LogicalLock, Model};
use locklens_trace::Nanos;
use serde_json::{Value, json as value};

/// How much there is, in which locks, and which has most: `44.9s of waits inside 1 lock that the program has built (#1 Gate, LOCK)`.
pub(crate) fn inside(model: &Model) -> Option<String> {
    let all = model.waited_inside();
    let (most, _) = all.first()?;
    let times = all.iter().map(|(_, inside)| inside.time.0);
    let total = Nanos(times.fold(0, u64::saturating_add));
    let least = all.iter().any(|(_, inside)| inside.is_least);
    Some(format!(
        "{}{} of waits inside {} that the program has built ({}#{} {}, {})",
        if least { "at least " } else { "" },
        time(total),
        many(all.len() as u64, "lock"),
        if all.len() > 1 { "most: " } else { "" },
        most.id,
        clean(&most.name),
        kind(most)
    ))
}

/// In a sentence.
pub(crate) fn not_counted(model: &Model) -> Option<String> {
    let inside = inside(model)?;
    let (first, rest) = inside.split_at(1);
    let first = first.to_uppercase();
    Some(format!(
        "{first}{rest} are not counted here: 'locklens contention' has them, and who kept threads out."
    ))
}

/// For programs.
pub(super) fn json(model: &Model) -> Vec<Value> {
    let told = |(lock, inside): (&LogicalLock, Inside)| {
        value!({
            "id": lock.id,
            "name": lock.name,
            "type": kind(lock),
            "wait_ns": inside.time.0,
            "lower_bound": inside.is_least,
        })
    };
    model.waited_inside().into_iter().map(told).collect()
}

fn kind(lock: &LogicalLock) -> &'static str {
    let best = lock.types.first();
    best.map_or("UNKNOWN", |verdict| verdict.lock_type.name())
}
