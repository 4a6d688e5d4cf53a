//! What method names suggest. Names may break ties and no more: a lock whose two sides are mirror
//! images of each other (a bounded buffer: items and free slots) has nothing else to tell them
//! apart in the middle of its life.

use super::case::{Case, Cast};
use super::{LockType, Role};

/// Prior odds of 3:1.
const TIE_BREAK: f64 = 1.1;

const IN: [&str; 10] = [
    "put", "offer", "add", "enqueue", "push", "send", "write", "produce", "insert", "submit",
];
const OUT: [&str; 10] = [
    "take", "poll", "remove", "dequeue", "pop", "receive", "read", "consume", "get", "fetch",
];

/// Log-odds that names lend to an assignment of roles.
pub(super) fn hint(case: &Case, lock_type: LockType, cast: &Cast) -> f64 {
    if lock_type != LockType::ProducerConsumer {
        return 0.0;
    }
    let fits = side(case, cast, Role::Put, &IN) + side(case, cast, Role::Take, &OUT)
        - side(case, cast, Role::Put, &OUT)
        - side(case, cast, Role::Take, &IN);
    TIE_BREAK * f64::from(fits.signum())
}

fn side(case: &Case, cast: &Cast, role: Role, words: &[&str]) -> i32 {
    let named = |r: &&usize| {
        let name = case.facts[**r].name.to_ascii_lowercase();
        words.iter().any(|w| name.starts_with(w))
    };
    cast.get(&role)
        .map_or(0, |set| set.iter().filter(named).count() as i32)
}
