//! Locks of `java.util.concurrent` whose operations and parks are recorded: who held them, and how many permits are left.

use super::*;
use crate::levels::model::{StockKind, Sure};
use locklens_trace::juc::{Act, Operation, Outcome};
use locklens_trace::park::{Park, ParkEnd, Unpark};
use locklens_trace::parked::{SyncDef, SyncKind};

/// One lock of that class and its threads.
struct Desk {
    pool: Pool,
    lock: LockId,
    records: Vec<Record>,
}

impl Desk {
    fn new(class: &str, shared: bool) -> Self {
        let mut pool = Pool::new();
        let class = pool.build.class(class, "java.lang.Object");
        let lock = pool.build.lock(class);
        pool.build.thread("c");
        pool.build.thread("d");
        for thread in pool.build.catalog.threads.values_mut() {
            thread.group = Some("main".to_owned());
            thread.at_start = true;
        }
        let records = vec![Record::Sync(SyncDef {
            lock,
            kind: SyncKind::Synchronizer,
            of: None,
            shared,
            most: 1,
            state: None,
        })];
        Self {
            pool,
            lock,
            records,
        }
    }

    fn thread(name: char) -> ThreadId {
        ThreadId(name as u32 - 'a' as u32 + 1)
    }

    fn does(&mut self, us: u64, thread: char, act: Act) {
        self.records.push(Record::Operation(Operation {
            at: Nanos(us * 1000),
            thread: Self::thread(thread),
            lock: self.lock,
            act,
            outcome: Outcome::Done,
            count: 1,
            tries: false,
            stack: None,
        }));
    }

    fn parks(&mut self, thread: char, from: u64, to: u64, by: char) {
        self.records.push(Record::Park(Park {
            stack: None,
            thread: Self::thread(thread),
            lock: Some(self.lock),
            from: Nanos(from * 1000),
            to: Nanos(to * 1000),
            limit: None,
            end: ParkEnd::Unparked,
            unpark: Some(Unpark {
                stack: None,
                by: Self::thread(by),
                at: Nanos(to * 1000),
            }),
        }));
    }

    /// A recording of that mode.
    fn recorded(&self, mode: &str) -> Vec<Record> {
        let facts = [
            (target_key::PARKS_SINCE, "0"),
            (target_key::PARKS, "9"),
            (target_key::MODE, mode),
        ];
        let mut records = self.pool.records(&[], &facts);
        records.extend(self.records.iter().cloned());
        records
    }

    /// What is told of it.
    fn told(&self, mode: &str) -> Levels {
        surveyed(&self.recorded(mode)).0
    }
}

/// The row of a thread.
fn row(levels: &Levels, name: &str) -> u32 {
    let is_it = |row: &ThreadRow| row.name.as_deref() == Some(name);
    levels.threads.iter().position(is_it).unwrap() as u32
}

/// The lock is held by `a` when the probes come, then by `b`, while `c` and `d` want it.
fn lock() -> Desk {
    let mut desk = Desk::new(
        "java.util.concurrent.locks.ReentrantLock$NonfairSync",
        false,
    );
    desk.does(10, 'a', Act::Unlock);
    desk.does(20, 'b', Act::Lock);
    desk.parks('c', 30, 90, 'b');
    desk.parks('d', 90, 120, 'c');
    desk.does(89, 'b', Act::Unlock);
    desk.does(91, 'c', Act::Lock);
    desk.does(119, 'c', Act::Unlock);
    desk
}

#[test]
fn who_held_it_when_a_park_began_its_operations_tell() {
    let levels = lock().told("attach");
    let row = |name| row(&levels, name);
    let told = levels.longest[Deed::Blocked as usize].kept.iter();
    let told: Vec<_> = told.map(|stay| (stay.thread, stay.owner)).collect();
    // It was free for a microsecond when the second one came.
    let expected = [
        (row("c"), Holder::Row(row("b"))),
        (row("d"), Holder::Row(row("c"))),
    ];
    assert_eq!(told, expected);
}

#[test]
fn a_part_that_is_read_again_knows_who_held_it_by_then() {
    let mut desk = Desk::new(
        "java.util.concurrent.locks.ReentrantLock$NonfairSync",
        false,
    );
    desk.does(20, 'b', Act::Lock);
    let first = desk.records.len();
    desk.parks('c', 500, 560, 'b');
    desk.does(559, 'b', Act::Unlock);
    desk.parks('d', 600, 900, 'c');
    let records = desk.recorded("attach");
    let second = records.len() - (desk.records.len() - first);
    let (collected, analysis) = analysed(&records);
    let mut surveyor = Surveyor::within(&collected, &analysis, 1_000, 1);
    for (at, part) in [(0, &records[..second]), (1 << 20, &records[second..])] {
        surveyor.mark(at);
        part.iter().for_each(|record| surveyor.push(record));
    }
    let (levels, mut detail) = surveyor.finish_with_detail();
    assert_eq!(levels.longest[Deed::Blocked as usize].left_out, 1);
    let mut reading = detail.read(Nanos(500_000), Nanos(560_000)).unwrap();
    assert_eq!(reading.part().start, 1 << 20);
    records[second..].iter().for_each(|r| reading.push(r));
    let stays = reading.finish().stays;
    let told = stays.longest[Deed::Blocked as usize].kept.iter();
    let told: Vec<_> = told.map(|stay| (stay.thread, stay.owner)).collect();
    let row = |name| row(&levels, name);
    assert_eq!(told, [(row("c"), Holder::Row(row("b")))]);
}

#[test]
fn who_gives_back_what_he_had_before_hides_nobody_who_takes_it_later() {
    let held = [named("b", 69_000), named("c", 28_000)];
    assert_eq!(of(&lock().told("attach"), Deed::Holding), held);
    // From the start of a program nobody had it before: who took it may not be who has it.
    assert_eq!(of(&lock().told("launch"), Deed::Holding), []);
}

/// Two permits, which `a` and `b` have when the probes come. `c` and `d` are about to take them then, unseen.
fn semaphore() -> Desk {
    let mut desk = Desk::new("java.util.concurrent.Semaphore$FairSync", true);
    desk.does(10, 'a', Act::Unshare);
    desk.does(20, 'b', Act::Unshare);
    for round in 0..3 {
        let at = 100 * round;
        for (nth, [gives, takes]) in (1..).zip([['c', 'a'], ['d', 'b'], ['a', 'c'], ['b', 'd']]) {
            desk.parks(takes, at + nth * 10 + 5, at + nth * 10 + 21, gives);
            desk.does(at + nth * 10 + 20, gives, Act::Unshare);
            desk.does(at + nth * 10 + 22, takes, Act::Share);
        }
    }
    desk
}

#[test]
fn permits_that_are_taken_unseen_are_not_told_to_be_left() {
    let desk = semaphore();
    let levels = desk.told("attach");
    let [row] = &levels.stocks[..] else {
        panic!("{:?}", levels.stocks)
    };
    assert_eq!(
        (row.kind, row.sure),
        (StockKind::PermitsLeft, Sure::AtLeast)
    );
    let (steps, changes) = &row.parts[0];
    let changes = changes.as_ref().unwrap();
    let left = |at: u64| changes.iter().rfind(|c| c.at.0 <= at * 1000).unwrap().value;
    // Whoever is parked has found none.
    let parked = desk.records.iter().filter_map(|record| match record {
        Record::Park(park) => Some(park.from.0 / 1000),
        _ => None,
    });
    let while_parked: Vec<i64> = parked.map(left).collect();
    assert_eq!(while_parked, [0; 12]);
    assert_eq!(left(51), 1, "given back, and not taken yet");
    assert!(
        changes.iter().all(|change| change.value <= 1),
        "{changes:?}"
    );
    assert!(steps.iter().all(|step| step.most <= 1), "{steps:?}");
}

/// A queue that is put into and taken from, with each operation told when it is over.
fn queue(told: &[(u64, char, Act)]) -> Desk {
    let mut desk = Desk::new("java.util.concurrent.ArrayBlockingQueue", false);
    let Some(Record::Sync(def)) = desk.records.first_mut() else {
        unreachable!("it begins with what the lock is")
    };
    def.kind = SyncKind::Other;
    told.iter()
        .for_each(|&(us, thread, act)| desk.does(us, thread, act));
    desk
}

/// How many are told to be in the queue from when on, and the most that any bucket has.
fn lengths(desk: &Desk, mode: &str) -> (Vec<(u64, i64)>, i64) {
    let levels = desk.told(mode);
    let [row] = &levels.stocks[..] else {
        panic!("{:?}", levels.stocks)
    };
    assert_eq!(row.kind, StockKind::QueueLength);
    let (steps, changes) = &row.parts[0];
    let changes = changes.as_ref().unwrap().iter();
    let changes = changes.map(|change| (change.at.0 / 1000, change.value));
    let most = steps.iter().map(|step| step.most).max().unwrap();
    (changes.collect(), most)
}

/// `b` tells twice that he has taken something before `a` tells that he has put it in.
const OVERTAKEN: [(u64, char, Act); 8] = [
    (30, 'b', Act::Take),
    (31, 'a', Act::Put),
    (20_040, 'a', Act::Put),
    (20_050, 'b', Act::Take),
    (40_060, 'b', Act::Take),
    (40_061, 'a', Act::Put),
    (60_070, 'a', Act::Put),
    (60_080, 'b', Act::Take),
];

#[test]
fn who_tells_what_he_took_before_another_tells_that_he_put_it_in_makes_nothing_that_was_there_before()
 {
    let expected = vec![
        (0, 0),
        (30, 0),
        (31, 0),
        (20_040, 1),
        (20_050, 0),
        (40_060, 0),
        (40_061, 0),
        (60_070, 1),
        (60_080, 0),
    ];
    for mode in ["launch", "attach"] {
        assert_eq!(
            lengths(&queue(&OVERTAKEN), mode),
            (expected.clone(), 1),
            "{mode}"
        );
    }
}

#[test]
fn what_nobody_can_have_put_in_by_then_was_there_before() {
    // Only `a` puts something in, and before that he takes something out.
    let told = [
        (30, 'b', Act::Take),
        (40, 'b', Act::Take),
        (50, 'a', Act::Take),
        (60, 'a', Act::Put),
        (70, 'a', Act::Put),
    ];
    for mode in ["launch", "attach"] {
        let (changes, most) = lengths(&queue(&told), mode);
        assert_eq!((changes[0], changes[3]), ((0, 3), (50, 0)), "{mode}");
        assert!(most <= 3, "{mode}: {most}");
    }
}
