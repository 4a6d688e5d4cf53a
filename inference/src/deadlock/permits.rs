//! Semaphores: whether the permits that the threads of a cycle hold are so many that none is left for who wants one.
//!
//! A lock is kept from others by one thread, permits only by as many as there are. So a cycle through a semaphore counts
//! where those on it, with others that they keep waiting, hold them all. How many there are no class tells: it is known
//! from a thread that waited in vain, or from the code that makes it: the latter shows that there are too few, and never that there
//! are enough. Where it is not known, that is said.

use super::candidates::apart;
use super::follow::Wanted;
use super::scan::Scan;
use super::step::{Lock, Mode};
use super::table::Dependency;
use std::collections::BTreeSet;

/// Threads added to a cycle at most.
const MORE: usize = 32;

/// What there is for who wants permits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Supply {
    /// Too few are left.
    Exhausted,
    /// Enough, as far as those looked at are concerned.
    Enough,
    /// How many there are is not known.
    Unknown,
}

/// Why a choice is none, or what is to be added to it.
pub(super) enum Verdict {
    /// With these others it may be a deadlock.
    With(Vec<u32>),
    /// So many permits were never out: they keep each other apart.
    Gate(Lock),
    /// There are enough.
    Enough(Lock),
}

impl Dependency {
    /// How many permits of a semaphore it holds.
    fn permits(&self, lock: Lock) -> u64 {
        let held = self.held.iter().filter(|hold| hold.lock == lock);
        held.map(|hold| u64::from(hold.mode.permits())).sum()
    }

    /// The semaphore it wants, and how much of it.
    fn wants_permits(&self) -> Option<(Lock, u64)> {
        match self.wanted {
            Wanted::Lock(lock, Mode::Permit(count)) => Some((lock, u64::from(count))),
            _ => None,
        }
    }
}

fn part(scan: &Scan, index: u32) -> &Dependency {
    &scan.table.all[index as usize]
}

/// The semaphores that those chosen hold or want.
fn semaphores(scan: &Scan, chosen: &[u32]) -> BTreeSet<Lock> {
    let parts = chosen.iter().map(|&index| part(scan, index));
    let each = parts.flat_map(|part| {
        let held = part.held.iter().filter(|hold| hold.mode.permits() > 0);
        held.map(|hold| hold.lock)
            .chain(part.wants_permits().map(|(lock, _)| lock))
    });
    each.collect()
}

fn held(scan: &Scan, chosen: &[u32], lock: Lock) -> u64 {
    let parts = chosen.iter().map(|&index| part(scan, index));
    parts.map(|part| part.permits(lock)).sum()
}

/// The fewest that one of them wants; of a fair semaphore the most: behind him the others stand.
fn wanted(scan: &Scan, chosen: &[u32], lock: Lock) -> Option<u64> {
    let wants = chosen.iter().filter_map(|&index| {
        let (of, count) = part(scan, index).wants_permits()?;
        (of == lock).then_some(count)
    });
    match scan.nature(lock).fair {
        true => wants.max(),
        false => wants.min(),
    }
}

/// What is left of a semaphore when all those chosen have come to their places.
pub(super) fn supply(scan: &Scan, chosen: &[u32], lock: Lock) -> Supply {
    let Some(wanted) = wanted(scan, chosen, lock) else {
        return Supply::Exhausted;
    };
    let needed = held(scan, chosen, lock).saturating_add(wanted);
    match scan.nature(lock).permits {
        Some(permits) if needed <= u64::from(permits.least) => Supply::Enough,
        Some(permits) => permits
            .all
            .map_or(Supply::Unknown, |all| match needed > u64::from(all) {
                true => Supply::Exhausted,
                // Of what it was made with some may have been taken before anybody watched.
                false if scan.nature(lock).counted_by_code => Supply::Unknown,
                false => Supply::Enough,
            }),
        None => Supply::Unknown,
    }
}

/// Whether so many permits as those chosen hold can be out at once; none if that is not known.
fn fits(scan: &Scan, chosen: &[u32], lock: Lock) -> Option<bool> {
    let held = held(scan, chosen, lock);
    let permits = scan.nature(lock).permits;
    match permits {
        Some(permits) if held <= u64::from(permits.least) => Some(true),
        Some(permits) => {
            let fits = permits.all.map(|all| held <= u64::from(all));
            // What code says keeps nobody apart: others may have been made otherwise.
            fits.filter(|fits| *fits || !scan.nature(lock).counted_by_code)
        }
        // One alone has had them.
        None if chosen
            .iter()
            .any(|&index| part(scan, index).permits(lock) == held) =>
        {
            Some(true)
        }
        None => None,
    }
}

/// A semaphore on whose number of permits it depends, where nobody knows that.
pub(super) fn doubtful(scan: &Scan, chosen: &[u32]) -> Option<Lock> {
    semaphores(scan, chosen).into_iter().find(|&lock| {
        supply(scan, chosen, lock) == Supply::Unknown || fits(scan, chosen, lock).is_none()
    })
}

/// Looks for others who hold what is left of permits, and are kept waiting by those chosen; or who stand before them in the line of
/// a fair semaphore and want more than is left.
pub(super) fn completed(scan: &Scan, chosen: &[u32]) -> Verdict {
    let mut all = chosen.to_vec();
    let around = semaphores(scan, chosen);
    let left = |all: &[u32]| {
        let mut around = around.iter().copied();
        around.find(|&lock| supply(scan, all, lock) == Supply::Enough)
    };
    while let Some(lock) = left(&all) {
        match another(scan, &all, lock, &around).or_else(|| before(scan, &all, lock)) {
            Some(more) if all.len() < chosen.len() + MORE => all.push(more),
            _ => return Verdict::Enough(lock),
        }
    }
    if let Some(more) = as_code_has_it(scan, &all, &around) {
        all = more;
    }
    let gates = semaphores(scan, &all);
    match gates
        .into_iter()
        .find(|&lock| fits(scan, &all, lock) == Some(false))
    {
        Some(gate) => Verdict::Gate(gate),
        None => Verdict::With(all.split_off(chosen.len())),
    }
}

/// With so many others that, by the number that the code makes it with, too few are left, where those chosen leave enough by that.
fn as_code_has_it(scan: &Scan, chosen: &[u32], around: &BTreeSet<Lock>) -> Option<Vec<u32>> {
    let by_code = |&lock: &Lock| scan.nature(lock).counted_by_code;
    let open = |all: &[u32]| {
        let mut open = around.iter().copied().filter(by_code);
        open.find(|&lock| supply(scan, all, lock) == Supply::Unknown)
    };
    let mut all = chosen.to_vec();
    while let Some(lock) = open(&all) {
        let more = another(scan, &all, lock, around)?;
        (all.len() < chosen.len() + MORE).then(|| all.push(more))?;
    }
    doubtful(scan, &all).is_none().then_some(all)
}

/// Somebody who holds permits of it, and wants what is kept by one of those chosen, or permits of one of these semaphores, of which
/// none is to be left.
fn another(scan: &Scan, chosen: &[u32], lock: Lock, around: &BTreeSet<Lock>) -> Option<u32> {
    let waits = |one: &Dependency| {
        let more = matches!(one.wants_permits(), Some((of, _)) if around.contains(&of));
        let by = |&index: &u32| is_kept(part(scan, index), one);
        more || chosen.iter().any(by)
    };
    let mut holding = scan.holders(lock).iter().copied();
    holding.find(|&index| waits(part(scan, index)) && goes_with(scan, chosen, index))
}

/// Somebody who waits for more of a fair semaphore than any of those chosen: they stand behind him.
fn before(scan: &Scan, chosen: &[u32], lock: Lock) -> Option<u32> {
    let most = wanted(scan, chosen, lock).filter(|_| scan.nature(lock).fair)?;
    let wants_more = |index: u32| {
        let one = part(scan, index);
        let more = one.wants_permits().is_some_and(|(_, count)| count > most);
        more && !one.gives_up()
    };
    let mut wanting = scan.greedy(lock).iter().copied();
    wanting.find(|&index| wants_more(index) && goes_with(scan, chosen, index))
}

fn goes_with(scan: &Scan, chosen: &[u32], index: u32) -> bool {
    let mut others = chosen.iter().map(|&index| part(scan, index));
    others.all(|other| apart(other, part(scan, index)).is_none())
}

fn is_kept(holding: &Dependency, wanting: &Dependency) -> bool {
    match wanting.wanted {
        Wanted::Lock(lock, mode) => holding
            .hold(lock)
            .is_some_and(|hold| hold.mode.permits() == 0 && hold.mode.keeps_out(mode)),
        Wanted::Notice(_) | Wanted::End(_) => false,
    }
}

#[cfg(test)]
mod tests {
    use super::super::finding::{Kind, Tier};
    use super::super::recording_tests::Scene;
    use crate::fixtures::load;
    use locklens_trace::Record;
    use locklens_trace::code::{InvokeKind, MemberRef, Op};
    use locklens_trace::juc::Act;
    use locklens_trace::park::{Park, ParkEnd, Unpark};

    const SEMAPHORE: &str = "java.util.concurrent.Semaphore$NonfairSync";

    /// What is found where so many threads take a permit of one of two semaphores and then one of the other, so many the
    /// other way round, and two can have permits of each at once.
    fn crossed(threads: [usize; 2]) -> Vec<(Tier, Kind)> {
        let mut scene = Scene::default();
        let semaphores = [(); 2].map(|()| scene.lock(SEMAPHORE));
        let both = [semaphores, [semaphores[1], semaphores[0]]];
        for (order, count) in both.into_iter().zip(threads) {
            let threads: Vec<_> = (0..count).map(|_| scene.build.thread("clerk")).collect();
            for lock in order {
                for &thread in &threads {
                    scene.did(thread, lock, &[(Act::Share, 1)]);
                }
            }
            for lock in order {
                for &thread in &threads {
                    scene.did(thread, lock, &[(Act::Unshare, 1)]);
                }
            }
        }
        scene.found()
    }

    #[test]
    fn two_semaphores_take_as_many_threads_as_there_are_permits() {
        // That there are no more than two permits is not known.
        assert_eq!(crossed([2, 2]), [(Tier::T5, Kind::Permit)]);
        assert_eq!(crossed([2, 1]), []);
    }

    /// "one" has a permit of two and wants another one, "two" wants both at once, and a third one has had both.
    fn behind(class: &str) -> Vec<(Tier, Kind)> {
        let mut scene = Scene::default();
        let semaphore = scene.lock(class);
        let [one, two, three] = ["one", "two", "three"].map(|name| scene.build.thread(name));
        let (take, give) = (Act::Share, Act::Unshare);
        scene.did(three, semaphore, &[(take, 2)]);
        scene.did(three, semaphore, &[(give, 2)]);
        scene.is_let_go(two, semaphore, three);
        for thread in [two, three] {
            scene.did(thread, semaphore, &[(take, 2)]);
            scene.did(thread, semaphore, &[(give, 2)]);
        }
        scene.did(one, semaphore, &[(take, 1), (take, 1), (give, 2)]);
        scene.found()
    }

    #[test]
    fn who_wants_one_more_stands_behind_who_wants_several_where_a_semaphore_is_fair() {
        assert_eq!(behind(SEMAPHORE), []);
        let fair = behind("java.util.concurrent.Semaphore$FairSync");
        assert_eq!(fair, [(Tier::T5, Kind::Permit)]);
    }

    /// What is found where three permits are there, two have one each, and then want so many more at once, in vain.
    fn in_vain(count: i64) -> Vec<(Tier, Kind)> {
        let mut scene = Scene::default();
        let semaphore = scene.lock(SEMAPHORE);
        let [one, two, three] = ["one", "two", "three"].map(|name| scene.build.thread(name));
        scene.did(three, semaphore, &[(Act::Share, 3)]);
        let from = scene.now();
        scene.did(three, semaphore, &[(Act::Unshare, 3)]);
        let (at, to) = (scene.now(), scene.now());
        scene.push(Record::Park(Park {
            thread: two,
            lock: Some(semaphore),
            from,
            to,
            limit: None,
            end: ParkEnd::Unparked,
            unpark: Some(Unpark {
                by: three,
                at,
                stack: None,
            }),
            stack: None,
        }));
        scene.did(two, semaphore, &[(Act::Share, 1), (Act::Unshare, 1)]);
        let class = "java.util.concurrent.Semaphore";
        let (outer, app) = (
            scene.build.class(class, "java.lang.Object"),
            scene.build.class("app.Shop", "java.lang.Object"),
        );
        let acquire = MemberRef {
            class: class.to_owned(),
            name: "acquire".to_owned(),
            descriptor: "(I)V".to_owned(),
        };
        let inner = scene.build.method(outer, "acquire", "(I)V", 0);
        let ask = Op::Const {
            value: count,
            wide: false,
        };
        let call = Op::Invoke {
            kind: InvokeKind::Virtual,
            method: acquire,
        };
        let caller = scene.build.coded(app, "sell", 0, vec![load(0), ask, call]);
        let stack = scene.build.stack(&[(inner, 7), (caller, 2)]);
        for thread in [one, two] {
            scene.did(thread, semaphore, &[(Act::Share, 1)]);
        }
        for thread in [one, two] {
            scene.is_parked_at(thread, semaphore, Some(stack));
        }
        scene.found()
    }

    #[test]
    fn how_many_permits_somebody_wants_in_vain_the_code_tells_that_asks_for_them() {
        let found = in_vain(2);
        assert!(
            found
                .iter()
                .any(|&(tier, kind)| tier < Tier::T5 && kind == Kind::Permit),
            "{found:?}"
        );
        assert_eq!(in_vain(1), [], "one is left");
    }
}
