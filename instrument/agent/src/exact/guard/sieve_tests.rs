//! The sieve against a thread-by-thread account that forgets nothing.

use super::super::arena::Note;
use super::super::probe::kind;
use super::deeds::{CONCURRENT, Deed, Gift, How, Link};
use super::sieve::{Chain, Sieve};
use crate::idmap::scatter;
use std::collections::BTreeSet;

const RINGS: usize = 4;
const SECOND: u64 = 1_000_000_000;

fn note(tid: u64, kind: u32, hash: u32, site: u32) -> Note {
    Note {
        chain: 0,
        at: 0,
        hash,
        site,
        tid,
        kind,
        argument: 0,
    }
}

fn take(sieve: &mut Sieve, ring: usize, note: &Note) {
    let deed = Deed::of_monitor(note).expect("of a monitor");
    sieve.take(ring, note.tid, &deed);
}

fn sieve() -> Sieve {
    Sieve::new(RINGS, 8 << 20)
}

fn drained(sieve: &mut Sieve) -> Vec<Chain> {
    std::iter::from_fn(|| sieve.next()).collect()
}

fn locks(chain: &Chain) -> Vec<u32> {
    chain.links.iter().map(|link| link.lock).collect()
}

/// Gives the records, a kind and a lock each, to a sieve; the locks of what it tells.
fn told(records: &[(u32, u32)]) -> Vec<Vec<u32>> {
    let mut sieve = sieve();
    for &(kind, lock) in records {
        take(&mut sieve, 0, &note(1, kind, lock, lock + 100));
    }
    drained(&mut sieve).iter().map(locks).collect()
}

use kind::{ENTERED, EXIT, WAITED, WAITING};

#[test]
fn nesting_is_told_once_and_second_entries_are_none() {
    let there = [(ENTERED, 1), (ENTERED, 2), (ENTERED, 1), (ENTERED, 2)];
    let back = [(EXIT, 2), (EXIT, 1), (EXIT, 2), (EXIT, 1)];
    let twice = [there, back, there, back].concat();
    assert_eq!(told(&twice), [[1, 2]]);
}

#[test]
fn a_lock_left_out_of_order_is_held_no_more() {
    let records = [(ENTERED, 1), (ENTERED, 2), (EXIT, 1), (ENTERED, 3)];
    assert_eq!(told(&records), [[1, 2], [2, 3]]);
}

#[test]
fn who_waits_holds_the_rest_and_wants_the_lock_back() {
    let records = [
        (ENTERED, 1),
        (ENTERED, 2),
        (WAITING, 1),
        (WAITED, 1),
        (ENTERED, 3),
    ];
    assert_eq!(told(&records), [vec![1, 2], vec![2, 1], vec![1, 2, 3]]);
}

#[test]
fn what_was_taken_before_is_not_known_and_does_no_harm() {
    let records = [(EXIT, 9), (WAITED, 8), (ENTERED, 1), (EXIT, 9), (EXIT, 1)];
    assert_eq!(told(&records), [[0; 0]; 0]);
}

#[test]
fn after_a_loss_nothing_is_held_and_for_a_while_nothing_is_sure() {
    let mut sieve = sieve();
    sieve.turn(SECOND);
    take(&mut sieve, 0, &note(1, ENTERED, 1, 1));
    take(&mut sieve, 1, &note(2, ENTERED, 1, 1));
    sieve.lose(0);
    take(&mut sieve, 0, &note(1, ENTERED, 2, 2));
    take(&mut sieve, 1, &note(2, ENTERED, 2, 2));
    let one = drained(&mut sieve);
    assert_eq!((one.len(), one[0].tid, one[0].sure), (1, 2, true));
    take(&mut sieve, 0, &note(1, ENTERED, 3, 3));
    assert!(!drained(&mut sieve)[0].sure);
    take(&mut sieve, 0, &note(1, EXIT, 3, 3));
    sieve.turn(2 * SECOND);
    take(&mut sieve, 0, &note(1, ENTERED, 3, 3));
    assert!(drained(&mut sieve)[0].sure, "told anew");
}

#[test]
fn a_thread_that_gets_a_ring_to_itself_begins_anew() {
    let mut sieve = sieve();
    take(&mut sieve, 3, &note(1, ENTERED, 1, 1));
    take(&mut sieve, 0, &note(1, ENTERED, 2, 2));
    // Too late.
    take(&mut sieve, 3, &note(1, ENTERED, 4, 4));
    take(&mut sieve, 0, &note(1, ENTERED, 3, 3));
    assert_eq!(
        drained(&mut sieve).iter().map(locks).collect::<Vec<_>>(),
        [[3, 0]; 0]
    );
}

#[test]
fn threads_that_hold_nothing_are_forgotten_and_the_others_are_not() {
    let mut sieve = sieve();
    take(&mut sieve, 0, &note(1, ENTERED, 1, 1));
    for tid in 2..10_000 {
        take(&mut sieve, 0, &note(tid, ENTERED, 2, 2));
        take(&mut sieve, 0, &note(tid, EXIT, 2, 2));
        sieve.turn(tid);
    }
    take(&mut sieve, 0, &note(1, ENTERED, 2, 2));
    assert_eq!(drained(&mut sieve).len(), 1);
}

/// Numbers that look random.
struct Dice(u64);

impl Dice {
    fn below(&mut self, n: u64) -> u64 {
        self.0 += 1;
        scatter(self.0) % n
    }
}

/// What a thread really does.
#[derive(Clone, Default)]
struct Truth {
    held: Vec<Link>,
}

impl Truth {
    /// The next thing it does: its record, what it holds when it enters a lock, with that lock, and whether that is a dependency.
    fn step(&mut self, dice: &mut Dice) -> (u32, Link, Option<(Vec<Link>, bool)>) {
        let enter = self.held.is_empty() || self.held.len() < 4 && dice.below(2) == 0;
        if !enter {
            let gone = self.held.pop().expect("holds one");
            return (EXIT, gone, None);
        }
        let link = Link::alone(1 + dice.below(6) as u32, 1 + dice.below(3) as u32);
        let known = self.held.iter().any(|held| held.lock == link.lock);
        let mut chain: Vec<Link> = Vec::new();
        for &held in &self.held {
            if chain.iter().all(|l| l.lock != held.lock) {
                chain.push(held);
            }
        }
        self.held.push(link);
        let nested = !known && !chain.is_empty();
        chain.push(link);
        (ENTERED, link, Some((chain, nested)))
    }
}

type Dependencies = BTreeSet<(u64, Vec<Link>)>;

/// What came of a play.
#[derive(Default)]
struct Played {
    /// Dependencies there were.
    all: Dependencies,
    /// The same, with second entries of what is held already.
    entries: Dependencies,
    /// What was told, for sure or not.
    sure: Dependencies,
    unsure: Dependencies,
}

/// Random doings of three threads, of which some records may be lost.
fn played(seed: u64, losses: bool) -> Played {
    let (mut dice, mut sieve) = (Dice(seed << 20), sieve());
    let mut truths = vec![Truth::default(); 3];
    let mut played = Played::default();
    let mut lost = [false; 3];
    for turn in 0..2_000 {
        sieve.turn(turn * SECOND / 500);
        let who = dice.below(3) as usize;
        let (kind, link, chain) = truths[who].step(&mut dice);
        if let Some((chain, nested)) = chain {
            let entry = (who as u64 + 1, chain);
            played.all.extend(nested.then(|| entry.clone()));
            played.entries.insert(entry);
        }
        if losses && dice.below(20) == 0 {
            lost[who] = true;
            continue;
        }
        if std::mem::take(&mut lost[who]) {
            sieve.lose(who);
        }
        take(
            &mut sieve,
            who,
            &note(who as u64 + 1, kind, link.lock, link.site),
        );
        for chain in drained(&mut sieve) {
            let told = match chain.sure {
                true => &mut played.sure,
                false => &mut played.unsure,
            };
            told.insert((chain.tid, chain.links));
        }
    }
    played
}

#[test]
fn without_losses_every_dependency_is_told_and_nothing_else() {
    for seed in 1..40 {
        let played = played(seed, false);
        assert_eq!(played.sure, played.all, "seed {seed}");
        assert!(played.unsure.is_empty());
    }
}

/// All that is told was held at the time; what a thread held besides may be missing, the wanted lock among that.
#[test]
fn with_losses_nothing_is_told_to_be_held_that_was_not() {
    for seed in 1..40 {
        let Played {
            entries,
            sure,
            unsure,
            ..
        } = played(seed, true);
        assert!(!unsure.is_empty());
        for (tid, chain) in sure.iter().chain(&unsure) {
            let within = |(of, real): &(u64, Vec<Link>)| {
                let locks: BTreeSet<u32> = real.iter().map(|link| link.lock).collect();
                of == tid
                    && real.last() == chain.last()
                    && chain.iter().all(|link| locks.contains(&link.lock))
            };
            assert!(entries.iter().any(within), "seed {seed}: {tid} {chain:?}");
        }
    }
}

#[test]
fn who_is_blocked_wants_a_lock_that_it_never_gets() {
    let mut sieve = sieve();
    take(&mut sieve, 0, &note(1, ENTERED, 1, 11));
    take(&mut sieve, 1, &note(2, ENTERED, 2, 12));
    sieve.want(1, Link::alone(2, 21));
    sieve.want(2, Link::alone(1, 22));
    // Nothing is held; it has the lock; nobody has heard of it.
    take(&mut sieve, 2, &note(3, ENTERED, 3, 13));
    take(&mut sieve, 2, &note(3, EXIT, 3, 13));
    sieve.want(3, Link::alone(1, 23));
    sieve.want(1, Link::alone(1, 21));
    sieve.want(4, Link::alone(1, 24));
    let told = drained(&mut sieve);
    assert_eq!(told.iter().map(locks).collect::<Vec<_>>(), [[1, 2], [2, 1]]);
    assert!(told.iter().all(|chain| chain.sure));
    // It holds no more than before.
    take(&mut sieve, 0, &note(1, ENTERED, 4, 14));
    assert_eq!(locks(&drained(&mut sieve)[0]), [1, 4]);
    sieve.lose(0);
    sieve.want(1, Link::alone(9, 29));
    assert!(drained(&mut sieve).is_empty(), "what it holds is not known");
}

#[test]
fn who_was_there_before_is_not_sure_until_it_was_seen_outside_of_old_code() {
    let mut sieve = sieve();
    let nested = |sieve: &mut Sieve, tid, now| {
        sieve.turn(now);
        for (kind, lock) in [(ENTERED, 1), (ENTERED, 2), (EXIT, 2), (EXIT, 1)] {
            take(sieve, 0, &note(tid, kind, lock, lock));
        }
        let told = drained(sieve);
        told.iter().map(|chain| chain.sure).collect::<Vec<_>>()
    };
    sieve.doubt([1, 2].into_iter());
    assert_eq!(nested(&mut sieve, 1, 1), [false]);
    assert_eq!(nested(&mut sieve, 3, 1), [true], "came later");
    sieve.see_inside(&[1].into());
    assert_eq!(nested(&mut sieve, 2, 2), [false]);
    assert_eq!(nested(&mut sieve, 2, 2 * SECOND), [true]);
    assert_eq!(nested(&mut sieve, 1, 100 * SECOND), [false]);
    assert!(sieve.has_doubts());
    sieve.see_inside(&[].into());
    assert!(!sieve.has_doubts());
    assert_eq!(nested(&mut sieve, 1, 102 * SECOND), [true]);
}

const ONE: u32 = CONCURRENT | 1;
const TWO: u32 = CONCURRENT | 2;

fn link(lock: u32, shared: bool, tried: bool) -> Link {
    let (site, how) = (lock & 0xff, How { shared, tried });
    Link { lock, site, how }
}

fn took(lock: u32) -> Deed {
    Deed::Took(link(lock, false, false))
}

fn read(lock: u32) -> Deed {
    Deed::Took(link(lock, true, false))
}

fn tried(lock: u32) -> Deed {
    Deed::Took(link(lock, false, true))
}

fn gift(lock: u32, shared: bool, free: bool) -> Gift {
    Gift { lock, shared, free }
}

fn gives(lock: u32) -> Deed {
    Deed::Gives(gift(lock, false, false))
}

/// What is told of the deeds of one thread.
fn links(deeds: &[Deed]) -> Vec<Vec<Link>> {
    let mut sieve = sieve();
    for deed in deeds {
        sieve.take(0, 1, deed);
    }
    drained(&mut sieve).into_iter().map(|c| c.links).collect()
}

#[test]
fn monitors_and_locks_of_one_hash_are_two() {
    let told = links(&[took(1), took(ONE), took(1), gives(1), took(TWO)]);
    let [a, b, c] = [1, ONE, TWO].map(|lock| link(lock, false, false));
    assert_eq!(told, [vec![a, b], vec![a, b, c]]);
}

#[test]
fn a_lock_that_was_tried_is_held_and_not_wanted() {
    let told = links(&[took(ONE), tried(TWO), took(3), gives(TWO), took(4)]);
    let [one, three, four] = [ONE, 3, 4].map(|lock| link(lock, false, false));
    let two = link(TWO, false, true);
    assert_eq!(told, [vec![one, two, three], vec![one, three, four]]);
}

#[test]
fn who_has_a_lock_alone_may_read_and_who_reads_wants_it_alone() {
    let down = [took(ONE), read(ONE), gives(ONE), took(2)];
    let (reads, two) = (link(ONE, true, false), link(2, false, false));
    assert_eq!(links(&down), [[reads, two]]);
    let up = [read(ONE), read(ONE), took(ONE)];
    assert_eq!(links(&up), [[reads, link(ONE, false, false)]]);
    let mut sieve = sieve();
    sieve.take(0, 1, &read(ONE));
    sieve.want(1, link(ONE, true, false));
    sieve.want(1, link(ONE, false, false));
    assert_eq!(drained(&mut sieve).len(), 1, "let in again");
}

#[test]
fn a_hold_that_turns_is_no_new_dependency() {
    let turned = Deed::Turned(gift(ONE, true, true), link(ONE, false, true));
    let told = links(&[took(2), read(ONE), turned, gives(ONE), took(3)]);
    let [two, three] = [2, 3].map(|lock| link(lock, false, false));
    assert_eq!(told, [vec![two, link(ONE, true, false)], vec![two, three]]);
}

#[test]
fn what_threw_was_not_given_back() {
    let told = links(&[took(ONE), took(TWO), gives(ONE), Deed::Kept, took(3)]);
    let [one, two, three] = [ONE, TWO, 3].map(|lock| link(lock, false, false));
    assert_eq!(told, [vec![one, two], vec![one, two, three]]);
}

#[test]
fn who_waits_at_a_condition_gives_the_lock_up_and_wants_it_back_from_there() {
    let (lock, site) = (ONE, 9);
    let waits = Deed::Waits { lock, site };
    let back = Deed::Returned { lock, site: 0 };
    // A synchronizer of the program's gives it up by its own method.
    let own = Deed::Gives(gift(ONE, false, true));
    let told = links(&[
        took(ONE),
        took(ONE),
        took(TWO),
        waits,
        own,
        took(3),
        gives(3),
        back,
    ]);
    let [one, two, three] = [ONE, TWO, 3].map(|lock| link(lock, false, false));
    let again = Link { site, ..one };
    assert_eq!(told, [vec![one, two], vec![two, three], vec![two, again]]);
    let mut sieve = sieve();
    sieve.turn(SECOND);
    sieve.take(0, 1, &took(ONE));
    sieve.take_unknown(0, 1);
    sieve.take(0, 1, &took(TWO));
    sieve.take(0, 1, &took(3));
    let told = drained(&mut sieve);
    assert_eq!(
        (told.len(), told[0].sure),
        (1, false),
        "what it holds is not known"
    );
}

#[test]
fn of_a_lock_that_another_gives_back_nobody_knows_who_has_it() {
    let free = |lock| Deed::Gives(gift(lock, false, true));
    let mut sieve = sieve();
    sieve.turn(SECOND);
    sieve.take(0, 1, &took(ONE));
    sieve.take(0, 1, &took(TWO));
    drained(&mut sieve);
    sieve.take(1, 2, &free(ONE));
    sieve.take(1, 2, &Deed::Kept);
    assert!(drained(&mut sieve).is_empty(), "it threw");
    sieve.take(1, 2, &free(ONE));
    sieve.take(1, 2, &took(5));
    let told = drained(&mut sieve);
    assert!(told.len() == 1 && told[0].stray && told[0].links[0].lock == ONE);
    sieve.take(0, 1, &took(3));
    assert_eq!(locks(&drained(&mut sieve)[0]), [TWO, 3]);
    for deed in [took(ONE), free(ONE), free(ONE), took(6)] {
        sieve.take(1, 2, &deed);
    }
    assert_eq!(locks(&drained(&mut sieve)[0]), [5, 6]);
}
