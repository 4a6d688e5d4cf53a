use super::*;
use std::time::Instant;

fn arena() -> &'static Arena {
    Box::leak(Box::new(Arena::within(1 << 16, 1).expect("memory")))
}

impl Arena {
    /// What the Java code does, in Rust.
    fn put(&self, tid: u64, at: u64) -> bool {
        let limit = self.switch[LIMIT].load(Relaxed);
        match self.own_ring(tid) {
            Some(ring) => self.put_own(ring, limit, (tid, at)),
            None => self.put_shared(limit, (tid, at)),
        }
    }

    fn own_ring(&self, tid: u64) -> Option<usize> {
        let group = tid as usize % (self.rings as usize / GROUP);
        let own = group * GROUP..(group + 1) * GROUP - 1;
        let is = |ring: &usize| self.owners[*ring].load(Relaxed) == tid;
        let claim = |ring: &usize| {
            let owner = &self.owners[*ring];
            owner
                .compare_exchange(NOBODY as u64, tid, Acquire, Relaxed)
                .is_ok()
        };
        own.clone().find(is).or_else(|| own.clone().find(claim))
    }

    fn put_own(&self, ring: usize, limit: u64, (tid, at): (u64, u64)) -> bool {
        let head = &self.heads[ring * HEAD_WORDS..];
        let tail = head[0].load(Relaxed);
        if tail - head[HEAD].load(Relaxed) >= limit {
            head[DROPPED].fetch_add(1, Relaxed);
            return false;
        }
        self.fill(ring, tail, tid, at);
        head[0].store(tail + 1, Release);
        true
    }

    fn put_shared(&self, limit: u64, (tid, at): (u64, u64)) -> bool {
        let ring = self.shared_ring(tid);
        let head = &self.heads[ring * HEAD_WORDS..];
        let position = loop {
            let tail = head[0].load(Relaxed);
            // The head may be of a later moment than the tail: then the exchange fails.
            if tail.saturating_sub(head[HEAD].load(Relaxed)) >= limit * WIDER {
                head[DROPPED].fetch_add(1, Relaxed);
                return false;
            }
            if head[0]
                .compare_exchange(tail, tail + 1, Acquire, Relaxed)
                .is_ok()
            {
                break tail;
            }
        };
        self.fill(ring, position, tid, at);
        true
    }

    fn shared_ring(&self, tid: u64) -> usize {
        let group = tid as usize % (self.rings as usize / GROUP);
        group * GROUP + GROUP - 1
    }

    fn fill(&self, ring: usize, position: u64, tid: u64, at: u64) {
        let slot = self.slot(ring, position);
        slot.at.store(at, Relaxed);
        slot.who.store(tid << 4 | 3, Relaxed);
        slot.stamp.store((position as u32).wrapping_add(1), Release);
    }

    fn reserve(&self, tid: u64) -> u64 {
        self.heads[self.shared_ring(tid) * HEAD_WORDS].fetch_add(1, Relaxed)
    }
}

impl Arena {
    /// A record of a lock that has a counter to itself; which ring it is in.
    fn put_numbered(&self, tid: u64, hash: u32, number: u64) -> usize {
        self.counters[hash as usize % COUNTS * 2].store(hash.into(), Relaxed);
        let ring = self.own_ring(tid).expect("a ring");
        let position = self.heads[ring * HEAD_WORDS].load(Relaxed);
        assert!(self.put(tid, number));
        self.slot(ring, position).hash.store(hash, Relaxed);
        ring
    }
}

#[test]
fn without_a_clock_numbers_tell_which_record_is_next() {
    let arena = arena();
    arena.switch_on(usize::MAX, Order::Numbers);
    let mut consumer = Consumer::new(arena, PATIENCE);
    consumer.go_by_numbers();
    let first = arena.put_numbered(1, 7, 0);
    let second = arena.put_numbered(2, 7, 1);
    for (tid, hash, number) in [(1, 9, 0), (1, 7, 2), (2, 9, 1), (2, 7, 3), (1, 7, 5)] {
        arena.put_numbered(tid, hash, number);
    }
    let ends = consumer.ends();
    let mut taken = Vec::new();
    while let Due::Ring(ring) = consumer.due(&ends) {
        let to = (ring, ends[ring]);
        consumer.drain_due(1000, to, (10, false), |note| {
            taken.push((note.hash, note.at))
        });
    }
    let of = |hash: u32| move |note: &&(u32, u64)| note.0 == hash;
    for hash in [7, 9] {
        let numbers: Vec<_> = taken.iter().filter(of(hash)).collect();
        assert!(numbers.is_sorted(), "{taken:?}");
    }
    assert_eq!(taken.len(), 6);
    // Number 4 was dropped.
    assert_eq!(consumer.due(&ends), Due::Gap(first));
    // A record under way may come before it.
    arena.reserve(2);
    let mut ends = consumer.ends();
    let shared = arena.shared_ring(2);
    assert_eq!(consumer.due(&ends), Due::HeldUp(shared));
    consumer.put_off(shared, &mut ends);
    assert_eq!((ends[shared], ends[second]), (0, 0));
    assert_eq!(consumer.due(&ends), Due::Gap(first));
    let to = (first, ends[first]);
    assert_eq!(consumer.drain_due(1000, to, (10, true), |_| {}), 1);
    assert_eq!(consumer.due(&ends), Due::Nothing);
}

/// Tids of one group, more than it has rings for.
const CROWD: [u64; 5] = [16, 32, 48, 64, 80];

#[test]
fn the_ring_furthest_behind_goes_first_and_time_is_that_of_its_last_record() {
    let arena = arena();
    arena.switch_on(usize::MAX, Order::Clock);
    let mut consumer = Consumer::new(arena, PATIENCE);
    for at in 0..50 {
        assert!(arena.put(1, 100 + at) && arena.put(2, 120 + at));
    }
    let ends = consumer.ends();
    let mut taken = Vec::new();
    while let Some(ring) = consumer.behind(&ends) {
        let last = taken.last().map_or(0, |note: &Note| note.at);
        let before = taken.len();
        consumer.drain_ring(1000, (ring, ends[ring]), 10, |note| taken.push(note));
        assert_eq!(taken.len(), before + 10);
        // Never further ahead of the other ring than a piece.
        let behind = consumer.behind(&ends).map(|ring| consumer.clear[ring]);
        assert!(
            behind.is_none_or(|at| at == 0 || at + 30 >= last),
            "{behind:?} {last}"
        );
    }
    assert_eq!((taken.len(), consumer.left()), (100, 0));
    let untouched = consumer.clear.iter().filter(|&&at| at == 0).count();
    assert_eq!(untouched, ends.len() - 2);
    consumer.note_empty(2000);
    assert_eq!(consumer.clear(), Some(2000));
}

#[test]
fn racing_producers_lose_nothing_and_keep_their_order_with_a_ring_of_their_own_or_without() {
    const EACH: u64 = if cfg!(miri) { 100 } else { 50_000 };
    let arena = arena();
    arena.switch_on(BESIDE + (1 << 16), Order::Clock);
    let mut consumer = Consumer::new(arena, Duration::from_secs(600));
    let mut last = [0; CROWD.len()];
    std::thread::scope(|scope| {
        for tid in CROWD {
            scope.spawn(move || {
                for at in 1..=EACH {
                    while !arena.put(tid, at) {
                        std::thread::yield_now();
                    }
                }
            });
        }
        while last != [EACH; CROWD.len()] {
            consumer.drain(0, 100, |note| {
                let last = &mut last[note.tid as usize / 16 - 1];
                assert_eq!((note.at, note.kind), (*last + 1, 3));
                *last += 1;
            });
        }
    });
}

#[test]
fn a_full_ring_counts_what_it_drops() {
    let arena = arena();
    arena.switch_on(16 * 16 * 32, Order::Clock);
    let put = (0..40).filter(|at| arena.put(5, *at)).count();
    assert_eq!(
        (put, arena.take_dropped(), arena.take_dropped()),
        (16, 24, 0)
    );
    let mut seen = 0;
    Consumer::new(arena, Duration::from_millis(200)).drain(0, u64::MAX, |_| seen += 1);
    assert_eq!(seen, 16);
    assert!(arena.put(5, 1));
}

#[test]
fn a_slot_never_filled_is_passed_by_and_what_comes_late_is_not_taken() {
    let arena = arena();
    arena.switch_on(BESIDE + (1 << 16), Order::Clock);
    let mut consumer = Consumer::new(arena, Duration::from_millis(200));
    assert_eq!(consumer.drain(10, u64::MAX, |note| panic!("{note:?}")), 10);
    let owners = arena.owners.iter();
    owners.for_each(|owner| owner.store(1 << 40, Relaxed));
    let position = arena.reserve(5);
    assert!(arena.put(5, 7));
    assert_eq!(consumer.drain(20, u64::MAX, |note| panic!("{note:?}")), 10);
    let mut seen = Vec::new();
    let deadline = Instant::now() + Duration::from_secs(30);
    while seen.is_empty() && Instant::now() < deadline {
        consumer.drain(0, u64::MAX, |note| seen.push(note.at));
    }
    assert_eq!((seen.as_slice(), consumer.take_skipped()), (&[7][..], 1));
    arena.fill(arena.shared_ring(5), position, 5, 9);
    consumer.drain(0, u64::MAX, |note| seen.push(note.at));
    assert_eq!(seen, [7]);
}

#[test]
fn a_ring_is_its_owners_until_he_ends() {
    let arena = arena();
    arena.switch_on(BESIDE + (1 << 16), Order::Clock);
    let rings = || CROWD.map(|tid| arena.own_ring(tid));
    assert_eq!(rings(), [Some(0), Some(1), Some(2), None, None]);
    assert_eq!(rings(), [Some(0), Some(1), Some(2), None, None]);
    arena.release(CROWD[1]);
    arena.release(CROWD[4]);
    assert_eq!(arena.own_ring(CROWD[4]), Some(1));
    assert_eq!(arena.own_ring(CROWD[1]), None);
    arena.release_dead(&HashSet::from([CROWD[4]]));
    assert_eq!(
        [1, 0, 4].map(|n| arena.own_ring(CROWD[n])),
        [Some(0), Some(2), Some(1)]
    );
    assert_eq!(arena.own_ring(17), Some(GROUP), "another group");
}

#[test]
fn what_is_off_or_from_before_is_not_read() {
    let arena = arena();
    arena.switch_on(BESIDE + (1 << 16), Order::Clock);
    assert!(arena.put(5, 7));
    arena.switch_off();
    assert!(!arena.put(5, 8));
    arena.clear();
    Consumer::new(arena, Duration::from_millis(200)).drain(0, u64::MAX, |note| panic!("{note:?}"));
    assert_eq!(arena.take_dropped(), 0);
}
