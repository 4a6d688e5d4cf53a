//! What incomplete instances say for or against a type.
//!
//! Between two events any region may have run unseen, so counters say nothing. What remains: who
//! waits and where, what can never be undone (a latch's opening, a thread's end), how many go
//! on together, and which threads do what.

use super::case::{Candidate, Case, Cast, Checker, encode};
use super::latch::objects;
use super::log::{Instance, Log};
use super::search::NONE;
use super::{Detail, Evidence, LockType, Role, absent, delay, groups, join, latch, odds};
use std::collections::{BTreeMap, BTreeSet};

/// Stays of others in the region that gives a lock back that count.
const OTHERS: u32 = 5;

/// Weighs a candidate on the incomplete instances of a case.
pub(super) fn weigh(case: &Case, candidate: &Candidate) -> Evidence {
    let mut out = Evidence::default();
    if candidate.lock_type == LockType::Latch {
        stays_shut(case, candidate, &mut out);
    }
    if candidate.statics.is_some() {
        who_waits(case, candidate, &mut out);
        absent::nobody_there(case, candidate, &mut out);
        absent::never_back(case, candidate, &mut out);
    }
    match candidate.lock_type {
        LockType::Latch => never_closed(case, candidate, &mut out),
        LockType::Condition => never_closed_event(case, candidate, &mut out),
        _ => {}
    }
    if case.partial.stays() == 0 {
        return out;
    }
    who_does_what(case, candidate, &mut out);
    match candidate.lock_type {
        LockType::Latch => as_latch(case, candidate, &mut out),
        LockType::Join => as_join(case, candidate, &mut out),
        LockType::Barrier => as_barrier(case, candidate, &mut out),
        LockType::Delay => as_delay(case, candidate, &mut out),
        _ => reused(case, candidate, &mut out),
    }
    out
}

fn pro(out: &mut Evidence, log_odds: f64, text: String) {
    out.log_odds += log_odds;
    out.confirmed += 1;
    out.pro.push(text);
}

pub(super) fn contra(out: &mut Evidence, log_odds: f64, text: String) {
    out.log_odds += log_odds;
    out.contradicted += 1;
    out.contra.push(text);
}

/// Whether a region of this role may wait.
pub(super) fn may_wait(role: Role) -> bool {
    !matches!(
        role,
        Role::Enter
            | Role::CountDown
            | Role::Release
            | Role::Unlock
            | Role::ReadUnlock
            | Role::WriteUnlock
            | Role::Notify
    )
}

/// Waits in the regions that should wait, and in none of the others. Says something of roles read
/// off the bytecode only: those read off the waits fit them by construction.
fn who_waits(case: &Case, candidate: &Candidate, out: &mut Evidence) {
    let (mut right, mut wrong) = (0, 0);
    // What ends or begins with a wait in a role that has none is no step of a machine: complete histories tell it no better.
    for region in candidate.regions() {
        let plays = |role: &Role| candidate.cast[role].contains(&region);
        let should = candidate.cast.keys().any(|r| may_wait(*r) && plays(r));
        let log = if should { &case.partial } else { &case.log };
        if log.usage[region].waits > 0 {
            *(if should { &mut right } else { &mut wrong }) += 1;
        }
    }
    if right > 0 {
        let odds = (0.4 + 0.4 * f64::from(right)).min(1.6);
        pro(
            out,
            odds,
            format!("waits in {right} of the regions that should wait"),
        );
    }
    // That nobody ever waits is all that a mutex says.
    let exclusive = matches!(candidate.lock_type, LockType::Mutex | LockType::NotShared);
    let unknown = |r: &usize| case.facts[*r].may_wait.is_none() && case.usage(*r).waits > 0;
    if exclusive && (0..case.regions.len()).any(|r| unknown(&r)) {
        let text = "it is waited on in code that is not known".to_owned();
        contra(out, UNKNOWN_WAITS, text);
    }
    if wrong > 0 {
        // The code says already that one of its regions waits for something else besides, and what that costs.
        let said = candidate.statics.as_ref().is_some_and(|code| code.beside);
        let each = match (exclusive, said) {
            (true, _) => -12.0,
            (false, true) => -1.0,
            (false, false) => -4.0,
        };
        let odds = each * f64::from(wrong);
        contra(
            out,
            odds,
            format!("waits in {wrong} regions that should never wait"),
        );
    }
}

/// What two roles by turns do.
pub(super) fn turns(lock_type: LockType) -> Option<[Role; 2]> {
    match lock_type {
        LockType::ProducerConsumer => Some([Role::Put, Role::Take]),
        LockType::Semaphore => Some([Role::Acquire, Role::Release]),
        LockType::Lock => Some([Role::Lock, Role::Unlock]),
        _ => None,
    }
}

/// What it costs a mutex that threads wait on it, nobody knows what for.
const UNKNOWN_WAITS: f64 = -12.0;

/// Threads seen in the regions of a role.
pub(super) fn threads(log: &Log, cast: &Cast, role: Role) -> BTreeSet<u32> {
    let regions = cast.get(&role).into_iter().flatten();
    regions
        .flat_map(|&r| log.usage[r].threads.keys().copied())
        .collect()
}

fn who_does_what(case: &Case, candidate: &Candidate, out: &mut Evidence) {
    let Some(roles) = turns(candidate.lock_type) else {
        return;
    };
    let [a, b] = roles.map(|role| threads(&case.partial, &candidate.cast, role));
    if a.len().min(b.len()) == 0 || a.len() + b.len() < 3 {
        return;
    }
    let apart = a.is_disjoint(&b) || apart_by_object(case, candidate);
    match (candidate.lock_type, apart) {
        (LockType::ProducerConsumer, true) => pro(out, 0.8, "two groups of threads".to_owned()),
        (LockType::ProducerConsumer, false) => {}
        (_, false) => pro(out, 0.5, "those who wait also give back".to_owned()),
        (kind, true) => {
            // Who holds a lock gives it back: then each of these would have got it without waiting every time.
            let given = match kind {
                LockType::Lock => stays(&case.partial, &candidate.cast, Role::Unlock),
                _ => 0,
            };
            contra(
                out,
                -0.5 - f64::from(given.min(OTHERS)),
                "those who wait were never seen giving back".to_owned(),
            );
        }
    }
}

/// Of objects that were used in both roles, again and again, nobody plays both at one: who takes of one gives to another.
fn apart_by_object(case: &Case, candidate: &Candidate) -> bool {
    let Some(roles) = turns(candidate.lock_type) else {
        return false;
    };
    let by_threads = |instance: &Instance, role: Role| {
        let mut threads: BTreeMap<u32, u32> = BTreeMap::new();
        let plays = |stay: &&super::log::Stay| {
            let regions = candidate.cast.get(&role);
            stay.fresh && regions.is_some_and(|set| set.contains(&usize::from(stay.region)))
        };
        for stay in instance.stays().filter(plays) {
            *threads.entry(stay.thread).or_default() += 1;
        }
        threads
    };
    let sides = case
        .partial
        .instances
        .iter()
        .map(|i| roles.map(|r| by_threads(i, r)));
    let busy = |side: &BTreeMap<u32, u32>| side.values().sum::<u32>() >= OTHERS;
    let mut sides = sides.filter(|[a, b]| busy(a) && busy(b)).peekable();
    sides.peek().is_some() && sides.all(|[a, b]| a.keys().all(|thread| !b.contains_key(thread)))
}

/// Stays seen in the regions of a role.
pub(super) fn stays(log: &Log, cast: &Cast, role: Role) -> u32 {
    let regions = cast.get(&role).into_iter().flatten();
    regions.map(|&r| log.usage[r].stays).sum()
}

/// Objects on which some thread waited in two separate stays.
fn reused(case: &Case, candidate: &Candidate, out: &mut Evidence) {
    let regions = candidate.regions();
    let waited_on = case
        .partial
        .instances
        .iter()
        .filter_map(|i| most_waits(i, &regions));
    let counts: Vec<u32> = waited_on.collect();
    let again = counts.iter().filter(|&&c| c > 1).count();
    if again > 0 {
        out.log_odds += 0.3;
    } else if counts.len() >= 3 && !case.is_composite {
        contra(
            out,
            -0.7,
            format!("each of {} objects was waited on only once", counts.len()),
        );
    }
}

fn most_waits(instance: &Instance, regions: &BTreeSet<usize>) -> Option<u32> {
    let mut by_thread: BTreeMap<u32, u32> = BTreeMap::new();
    let waits = |s: &&super::log::Stay| s.waits() && s.fresh;
    for stay in instance.stays().filter(waits) {
        if regions.contains(&usize::from(stay.region)) {
            *by_thread.entry(stay.thread).or_default() += 1;
        }
    }
    by_thread.into_values().max()
}

fn as_latch(case: &Case, candidate: &Candidate, out: &mut Evidence) {
    let roles = encode(&latch::Latch, &candidate.cast, case.regions.len());
    opened(latch::watched(&case.partial, &roles), out);
}

/// Objects that were waited on, opened and left alone, if there are many, and none was used again.
pub(super) fn used_up(case: &Case, latch: &Candidate) -> u32 {
    let roles = encode(&latch::Latch, &latch.cast, case.regions.len());
    let seen = latch::watched(&case.partial, &roles);
    match seen.closed_again == 0 && seen.restless == 0 && seen.opened >= MANY_ONCE {
        true => seen.opened,
        false => 0,
    }
}

/// The code could close again what nobody was ever seen to close.
fn never_closed(case: &Case, candidate: &Candidate, out: &mut Evidence) {
    let awaits = candidate.cast.get(&Role::Await);
    let mut events = case.seeds.iter().filter(|s| s.is_event());
    let written = events.any(|s| s.cast.get(&Role::Wait) == awaits);
    if let Some(odds) = used_once(case, &candidate.cast).filter(|_| written) {
        let text = "what could close it again never does".to_owned();
        pro(out, (-candidate.static_odds()).max(0.0) + odds, text);
    }
}

/// It never opened, and those who wait for it have slept over and over: complete histories show that too, and predict it.
fn stays_shut(case: &Case, candidate: &Candidate, out: &mut Evidence) {
    let awaits = candidate.cast.get(&Role::Await).into_iter().flatten();
    if let Some(naps) = delay::naps(&case.log, awaits.copied()) {
        contra(out, NAPS, format!("{naps} waits ran out, none was ended"));
    }
}

/// Objects from which on it is no chance that each is opened and left alone, though the code could close it again …
const MANY_ONCE: u32 = 50;
/// … and what that costs who says that they are closed again.
const NEVER_CLOSED: f64 = -3.0;
/// What it says for a latch that many were seen from their beginning on, and none was closed again.
const SEEN_WHOLE: f64 = 2.0;

/// Of an event as it is written many objects were seen, and none in use after its first opening. What that says for a latch: more
/// where all was seen of many of them.
fn used_once(case: &Case, latch: &Cast) -> Option<f64> {
    let roles = encode(&latch::Latch, latch, case.regions.len());
    let seen = latch::watched(&case.partial, &roles);
    let known = latch::run(&case.exact, &roles);
    let never = seen.closed_again == 0 && seen.restless == 0 && known.closed_again == 0;
    let many = never && seen.opened + known.opened >= MANY_ONCE;
    many.then_some(if known.opened >= MANY_ONCE {
        SEEN_WHOLE
    } else {
        0.0
    })
}

fn never_closed_event(case: &Case, candidate: &Candidate, out: &mut Evidence) {
    let of = |role| candidate.cast.get(&role).cloned().unwrap_or_default();
    let latch = Cast::from([
        (Role::Await, of(Role::Wait)),
        (Role::CountDown, of(Role::Notify)),
    ]);
    let mut events = case.seeds.iter().filter(|s| s.is_event());
    let written = events.any(|s| s.cast.get(&Role::Wait) == latch.get(&Role::Await));
    if written && used_once(case, &latch).is_some() {
        let text = "nobody comes back to one of them after its opening".to_owned();
        contra(out, NEVER_CLOSED, text);
    }
}

/// What it costs a latch that it stays shut while those who wait for it come back over and over.
const NAPS: f64 = -9.0;

/// What it costs a latch that those who wait for it are woken over and over, and not for it.
const RESTLESS: f64 = -5.0;

fn opened(seen: latch::Watched, out: &mut Evidence) {
    if seen.closed_again > 0 {
        let odds = (-3.0 * f64::from(seen.closed_again)).max(-9.0);
        let text = format!("{}: waits after the opening", objects(seen.closed_again));
        contra(out, odds, text);
    }
    if seen.restless > 0 {
        let text = format!(
            "{}: a thread woken over and over waited on",
            objects(seen.restless)
        );
        contra(out, RESTLESS, text);
    }
    if seen.opened > 0 {
        let odds = (0.35 * f64::from(seen.opened)).min(3.0) + more_of_them(seen.opened);
        let text = format!("{}: nobody waited after the opening", objects(seen.opened));
        pro(out, odds, text);
    }
}

/// Beyond the first ten objects each tenfold number says a little more.
fn more_of_them(opened: u32) -> f64 {
    (f64::from(opened) / 10.0).max(1.0).log10()
}

fn as_join(case: &Case, candidate: &Candidate, out: &mut Evidence) {
    let roles = encode(&join::Join, &candidate.cast, case.regions.len());
    let stands_for_it = !join::ends_known(&case.partial);
    if candidate.statics.is_some() && (stands_for_it || is_marked(case, candidate)) {
        // That it ends shows only in that nobody waits afterwards: the object stands for a task, or
        // for a thread that wakes its waiters itself, before it ends.
        let awaits = roles
            .iter()
            .map(|&r| if r == NONE { NONE } else { latch::AWAIT });
        return opened(
            latch::watched(&case.partial, &awaits.collect::<Vec<u8>>()),
            out,
        );
    }
    let run = join::run(&case.partial, &roles);
    out.confirmed += u64::from(run.score.confirmed);
    out.contradicted += u64::from(run.score.contradicted);
    out.log_odds += run.score.llr.clamp(-10.0, 10.0);
    if run.ended_with > 0 {
        let text = format!("{} times waits ended with the subject", run.ended_with);
        out.pro.push(text);
    }
}

/// The code that those who wait are waiting for was read: it is not the JVM that ends the waits.
fn is_marked(case: &Case, candidate: &Candidate) -> bool {
    let joined = candidate.cast.get(&Role::Join);
    let mut latches = case.seeds.iter().filter(|s| s.lock_type == LockType::Latch);
    latches.any(|s| s.cast.get(&Role::Await) == joined)
}

fn as_delay(case: &Case, candidate: &Candidate, out: &mut Evidence) {
    for region in candidate.regions() {
        let evidence = delay::watched(case, region);
        out.log_odds += evidence.log_odds;
        out.confirmed += evidence.confirmed;
    }
}

/// What it costs a barrier that the last one who comes could let nobody go.
const ELSEWHERE: f64 = -4.0;

/// The code of all who wait is known and tells nobody, and that of others does. Where it was run and the last to come let the others
/// go, he tells them by what nobody has read.
fn ends_nobody_s_wait(case: &Case, barrier: &Candidate) -> bool {
    let own = barrier.regions();
    let tells = |r: &usize| case.can_notify(*r);
    let run = barrier.statics.as_ref().is_some_and(odds::is_run);
    !case.is_composite
        && !run
        && own.iter().all(|r| tells(r) == Some(false))
        && (0..case.regions.len()).any(|r| !own.contains(&r) && tells(&r) == Some(true))
}

fn as_barrier(case: &Case, candidate: &Candidate, out: &mut Evidence) {
    let phaser = Detail::Word("phaser".to_owned());
    if candidate.details.get("form") == Some(&phaser) {
        // How many meet changes.
        return;
    }
    if ends_nobody_s_wait(case, candidate) {
        let text = "who waits there ends nobody's wait, and others do";
        contra(out, ELSEWHERE, text.to_owned());
    }
    let found = match candidate.details.get("parties") {
        Some(Detail::Count(n)) => groups::of_size(case, candidate, (*n).saturating_sub(1)),
        _ => groups::best(case, candidate),
    };
    let Some(groups) = found.filter(|g| g.whole + g.broken > 1) else {
        return;
    };
    let (odds, size) = (groups.log_odds(), groups.size);
    let all = groups.whole + groups.broken;
    let text = format!(
        "{} of {all} times the {size} who had waited longest went on",
        groups.whole
    );
    if odds > 0.0 {
        pro(out, odds, text);
    } else {
        out.log_odds += odds;
        out.contra.push(text);
    }
}

/// Types that waits alone may suggest when nothing else is known.
pub(super) fn propose(case: &Case, checkers: &[&dyn Checker]) -> Vec<Candidate> {
    let waiting: BTreeSet<usize> = (0..case.regions.len())
        .filter(|&r| case.partial.usage[r].waits > 0)
        .collect();
    let quiet: BTreeSet<usize> = (0..case.regions.len())
        .filter(|&r| case.partial.usage[r].waits == 0 && case.free_to_notify(r) == Some(true))
        .collect();
    if waiting.is_empty() {
        return Vec::new();
    }
    let seeded = |t: LockType| case.seeds.iter().any(|s| s.lock_type == t);
    let checkers = checkers.iter().filter(|c| !seeded(c.lock_type()));
    let offered = |c: &&dyn Checker| sides(c.lock_type()).map(|s| (c.lock_type(), s));
    let make = |(lock_type, (wait, give)): (LockType, (Role, Option<Role>))| {
        let mut cast = Cast::from([(wait, waiting.clone())]);
        if let Some(give) = give.filter(|_| !quiet.is_empty()) {
            cast.insert(give, quiet.clone());
        }
        Candidate::new(lock_type, cast)
    };
    checkers.filter_map(offered).map(make).collect()
}

fn sides(lock_type: LockType) -> Option<(Role, Option<Role>)> {
    Some(match lock_type {
        LockType::Join => (Role::Join, None),
        LockType::Barrier => (Role::Arrive, None),
        LockType::Latch => (Role::Await, Some(Role::CountDown)),
        LockType::Semaphore => (Role::Acquire, Some(Role::Release)),
        LockType::ProducerConsumer => (Role::Take, Some(Role::Put)),
        LockType::Lock => (Role::Lock, Some(Role::Unlock)),
        _ => return None,
    })
}
