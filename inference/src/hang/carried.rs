//! Virtual threads that stand on their carriers: blocked in a way in which they cannot leave them.
//!
//! Before JDK 24 one that is blocked on a monitor, or waits within one, keeps its carrier; the dump of platform threads says whom a carrier
//! carries and how long it has run, and nothing of what that one does. Of its call chain a dump of virtual threads tells.

use super::name::chain;
use super::pools::pool;
use super::scene::{Scene, Seat};
use super::{Carried, Carriers, called};
use crate::nesting::graph::ThreadName;
use locklens_trace::Nanos;
use std::collections::BTreeSet;

/// Who is blocked on a monitor wakes now and then, in the JVM's own code, to look whether it is free.
const WAKING: Nanos = Nanos(500_000);

/// Those whose carriers have not run between the dumps.
pub(super) fn carriers(scene: &Scene) -> Carriers {
    let carries = |seat: &&Seat| seat.thread.carries.is_some();
    let (standing, running): (Vec<&Seat>, Vec<&Seat>) = { scene.seats.iter() }
        .filter(carries)
        .partition(|seat| seat.steady && seat.spent.is_some_and(|spent| spent <= WAKING));
    let crews: BTreeSet<String> = standing
        .iter()
        .map(|seat| pool(&seat.thread.name))
        .collect();
    let of_crew = |seat: &&Seat| crews.contains(&pool(&seat.thread.name));
    let idle = { scene.seats.iter() }
        .filter(of_crew)
        .filter(|seat| seat.thread.carries.is_none());
    Carriers {
        others: (idle.count() + running.iter().copied().filter(of_crew).count()) as u64,
        standing: standing
            .iter()
            .filter_map(|seat| carried(scene, seat))
            .collect(),
    }
}

fn carried(scene: &Scene, seat: &Seat) -> Option<Carried> {
    let number = seat.thread.carries?;
    let mut seats = scene.seats.iter().map(|seat| &seat.thread);
    let known = seats.find(|thread| thread.is_virtual && thread.tid == Some(number));
    Some(Carried {
        carrier: called(&seat.thread),
        thread: known.map_or_else(
            || ThreadName {
                name: String::new(),
                tid: Some(number),
            },
            called,
        ),
        at: known.map_or_else(Vec::new, |thread| chain(&thread.frames)),
    })
}
