//! How much there is, where each call takes as much as a number of what it is handed says.

use super::super::bench::{Bench, Outcome};
use super::super::lab::{Budget, Lab, THREADS};

/// Calls that may pass before one waits.
const MANY: usize = 1_200;
/// What may be spent on finding out how many do.
const ROOM: Budget = Budget {
    calls: 1_300,
    cost: 200_000,
};
/// Numbers that are handed in.
const NUMBERS: [i64; 3] = [1, 2, 5];

/// Calls that pass if each is handed something with the number one, where that is a matter of this number: none of them if they are not known.
/// None where it makes no difference, or nothing is handed in.
pub(in super::super) fn units<B: Bench>(lab: &Lab<'_, B>, take: usize) -> Option<Option<u32>> {
    let rooms = NUMBERS.map(|number| {
        let bench = lab.bench().with_numbers(take, number)?;
        room(&Lab::new(&bench, ROOM), take)
    });
    let [ones, others @ ..] = rooms;
    // Where something is made of the number first, so many are not what there is.
    let all = ones.filter(|&ones| lab.bench().is_written(ones));
    others.iter().any(|other| *other != ones).then_some(all)
}

/// Calls that pass before one waits.
fn room<B: Bench>(lab: &Lab<'_, B>, take: usize) -> Option<u32> {
    let mut session = lab.session();
    let calls = (0..=MANY).map(|call| session.call(call % THREADS, take).own);
    let mut ended = (0..)
        .zip(calls)
        .skip_while(|(_, own)| matches!(own, Outcome::Passed(_)));
    match ended.next()? {
        (passed, Outcome::Waits { .. }) => Some(passed),
        _ => None,
    }
}
