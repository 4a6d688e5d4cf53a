//! Blame where threads park: by looks, by their parks, by operations.

use super::tests::{A, B, C, Scene, rows, told};
use super::*;
use locklens_trace::juc::{Act, Operation, Outcome};
use locklens_trace::park::{Park, ParkEnd, Unpark};
use locklens_trace::parked::{Parked, SyncDef, SyncKind};
use locklens_trace::record::{LockDef, LockObject, Owner, Tick, target_key};
use locklens_trace::{Nanos, ThreadId};

/// Parks of a `ReentrantLock`.
pub(super) fn parked_scene() -> Scene {
    let mut scene = Scene::new();
    let class = scene.build.class(
        "java.util.concurrent.locks.ReentrantLock$NonfairSync",
        "java.lang.Object",
    );
    let id = LockId(7);
    scene.build.catalog.locks.insert(
        id,
        LockDef {
            id,
            class,
            hash: 7,
            object: LockObject::Plain,
        },
    );
    scene.records.push(Record::Sync(SyncDef {
        lock: id,
        kind: SyncKind::Synchronizer,
        of: None,
        shared: false,
        most: 1,
        state: None,
    }));
    scene
}

pub(super) fn look(thread: ThreadId, from: u64, ms: u64, owner: Owner) -> Parked {
    Parked {
        thread,
        lock: LockId(7),
        stack: None,
        owner,
        owner_stack: None,
        from: Nanos::from_millis(from),
        to: Nanos::from_millis(from + ms),
        samples: 2,
        time: Nanos::from_millis(ms),
        continues: false,
        open: false,
        timed: false,
    }
}

#[test]
fn looks_at_parked_threads_are_estimates() {
    let mut scene = parked_scene();
    scene
        .records
        .push(Record::Parked(look(A, 10, 20, Owner::Thread(B))));
    scene
        .records
        .push(Record::Parked(look(A, 50, 10, Owner::Nobody)));
    let blame = scene.blame(&[Key::OwnerThread], Wish::default());
    assert_eq!(
        told(&blame.total),
        rows([("b", 20_000, 1), ("(unknown)", 10_000, 1)])
    );
    assert_eq!(blame.total.estimated, Nanos::from_millis(30));
    assert_eq!((blame.total.p50, blame.total.max), (None, None));
    assert_eq!(blame.parked_without_chain, Nanos::from_millis(30));
    assert_eq!(blame.waiter_without_chain, Nanos(0));
}

fn park(thread: ThreadId, from: u64, to: u64, by: Option<(ThreadId, u64)>) -> Record {
    Record::Park(Park {
        stack: None,
        thread,
        lock: Some(LockId(7)),
        from: Nanos(from * 1000),
        to: Nanos(to * 1000),
        limit: None,
        end: match by {
            Some(_) => ParkEnd::Unparked,
            None => ParkEnd::Open,
        },
        unpark: by.map(|(by, at)| Unpark {
            stack: None,
            by,
            at: Nanos(at * 1000),
        }),
    })
}

#[test]
fn all_who_are_parked_are_charged_to_those_who_release_one_after_the_other() {
    let mut scene = parked_scene();
    let facts = [(target_key::PARKS_SINCE, "0"), (target_key::PARKS, "3")];
    let facts = facts.map(|(key, value)| (key.to_owned(), value.to_owned()));
    scene.records.push(Record::Target(facts.to_vec()));
    // B is unparked by A and finds C in the lock; the fourth waits all the time.
    let fourth = ThreadId(4);
    scene.build.thread("d");
    scene.records.push(park(B, 10, 22, Some((A, 20))));
    scene.records.push(park(B, 23, 41, Some((C, 40))));
    scene.records.push(park(fourth, 12, 71, Some((B, 70))));
    let blame = scene.blame(&[Key::WaiterThread, Key::OwnerThread], Wish::default());
    assert_eq!(told(&blame.total), rows([("d", 59, 1), ("b", 30, 2)]));
    assert_eq!(
        told(&blame.total.rows[0]),
        rows([("b", 29, 1), ("c", 18, 1), ("a", 8, 1), ("(nobody)", 4, 1)])
    );
    assert_eq!(
        told(&blame.total.rows[1]),
        rows([("c", 17, 1), ("a", 10, 1), ("(nobody)", 3, 2)])
    );
    assert_eq!(blame.total.estimated, Nanos(0));
}

/// The same park, with the ways by which who was parked and who released it came there.
fn with_chains(mut record: Record, waits: StackId, gives: StackId) -> Record {
    if let Record::Park(park) = &mut record {
        park.stack = Some(waits);
        let by = park.unpark;
        park.unpark = by.map(|unpark| Unpark {
            stack: Some(gives),
            ..unpark
        });
    }
    record
}

#[test]
fn who_releases_is_told_with_the_way_by_which_he_did() {
    let (mut parks, mut operations) = (parked_scene(), juc_scene());
    let facts = [(target_key::PARKS_SINCE, "0"), (target_key::PARKS, "1")];
    let facts = facts.map(|(key, value)| (key.to_owned(), value.to_owned()));
    parks.records.push(Record::Target(facts.to_vec()));
    let took = operations.at(0);
    used(&mut operations, 1, A, Act::Lock);
    if let Some(Record::Operation(operation)) = operations.records.last_mut() {
        operation.stack = Some(took);
    }
    for (mut scene, tells) in [(parks, false), (operations, true)] {
        let (waits, gives) = (scene.at(0), scene.at(1));
        let parked = park(B, 10_000, 21_000, Some((A, 20_000)));
        scene.records.push(with_chains(parked, waits, gives));
        if tells {
            used(&mut scene, 20, A, Act::Unlock);
        }
        let keys = [Key::WaiterStack, Key::OwnerThread, Key::OwnerStack];
        let blame = scene.blame(&keys, Wish::default());
        let waiter = &blame.total.rows[0];
        let chain_of = |stack| scene.build.catalog.call_chain(stack).map(Value::Chain);
        assert_eq!(waiter.value, chain_of(waits));
        let owner = waiter
            .rows
            .iter()
            .find(|row| row.value == Some(Value::Named("a".to_owned())));
        let owner = owner.expect("the owner");
        assert_eq!(owner.ns, Nanos::from_millis(10));
        assert_eq!(owner.rows[0].value, chain_of(gives));
    }
}

/// A thread gives the lock back without unparking anybody, takes it again at once and gives it back by another way: that is not the way
/// of the first time.
#[test]
fn a_hold_is_not_told_with_the_way_of_the_next_release_of_its_thread() {
    let mut scene = juc_scene();
    let (took, gives) = (scene.at(0), scene.at(1));
    let acts = [
        (1_000, Act::Lock),
        (15_000, Act::Unlock),
        (15_010, Act::Lock),
        (15_020, Act::Unlock),
    ];
    for (us, act) in acts {
        used(&mut scene, 0, A, act);
        if let Some(Record::Operation(operation)) = scene.records.last_mut() {
            operation.at = Nanos(us * 1000);
            operation.stack = Some(took);
        }
    }
    let parked = park(B, 10_000, 15_030, Some((A, 15_021)));
    scene.records.push(with_chains(parked, took, gives));
    let blame = scene.blame(&[Key::OwnerMethod], Wish::default());
    let ns = |name: &str| {
        let row = told(&blame.total).into_iter().find(|row| row.0 == name);
        row.map_or(0, |row| row.1)
    };
    assert_eq!((ns("app.Store.put"), ns("app.Store.get")), (5_000, 10));
}

/// A chain that was cut before it came to the program says less than the place of the operation.
#[test]
fn a_chain_of_nothing_but_the_lock_itself_is_none() {
    let mut scene = juc_scene();
    let (took, unpark) = (scene.at(0), {
        let class = "java.util.concurrent.locks.LockSupport";
        let class = scene.build.class(class, "java.lang.Object");
        let method = scene.build.coded(class, "unpark", 0, vec![]);
        scene.build.stack(&[(method, 0)])
    });
    used(&mut scene, 1, A, Act::Lock);
    if let Some(Record::Operation(operation)) = scene.records.last_mut() {
        operation.stack = Some(took);
    }
    used(&mut scene, 20, A, Act::Unlock);
    let parked = park(B, 10_000, 20_010, Some((A, 20_001)));
    scene.records.push(with_chains(parked, unpark, unpark));
    let blame = scene.blame(&[Key::OwnerMethod], Wish::default());
    assert!(
        told(&blame.total)
            .iter()
            .any(|row| row.0 == "app.Store.put")
    );
}

/// Operations and parks are recorded, from the start of the program.
fn juc_scene() -> Scene {
    let mut scene = parked_scene();
    let facts = [
        (target_key::PARKS_SINCE, "0"),
        (target_key::PARKS, "3"),
        (target_key::MODE, "launch"),
    ];
    let facts = facts.map(|(key, value)| (key.to_owned(), value.to_owned()));
    scene.records.push(Record::Target(facts.to_vec()));
    scene
}

fn used(scene: &mut Scene, ms: u64, thread: ThreadId, act: Act) {
    scene.records.push(Record::Operation(Operation {
        at: Nanos::from_millis(ms),
        thread,
        lock: LockId(7),
        act,
        outcome: Outcome::Done,
        count: 1,
        tries: false,
        stack: None,
    }));
}

/// A park says nothing of where the thread was; the operation that it parked for does.
#[test]
fn who_was_parked_was_where_it_then_took_the_lock() {
    let mut scene = juc_scene();
    let (put, get) = (scene.at(0), scene.at(1));
    used(&mut scene, 1, A, Act::Lock);
    scene
        .records
        .push(park(B, 10_000, 20_000, Some((A, 20_000))));
    scene
        .records
        .push(park(B, 30_000, 50_000, Some((A, 50_000))));
    for (ms, act, place) in [(60, Act::Lock, put), (70, Act::Unlock, get)] {
        used(&mut scene, ms, B, act);
        if let Some(Record::Operation(operation)) = scene.records.last_mut() {
            operation.stack = Some(place);
        }
    }
    let blame = scene.blame(&[Key::WaiterMethod], Wish::default());
    assert_eq!(told(&blame.total), rows([("app.Store.put", 30_000, 1)]));
    assert_eq!(blame.parked_without_chain, Nanos(0));
}

/// Who parks twice until he has the lock is blocked once; where operations are not told nobody can say which parks belong together.
#[test]
fn parks_between_which_a_thread_has_done_nothing_are_one_stay() {
    let blamed = |is_told: bool, acts: &[u64]| {
        let mut scene = juc_scene();
        if is_told {
            used(&mut scene, 1, A, Act::Lock);
        }
        scene
            .records
            .push(park(B, 10_000, 20_000, Some((A, 20_000))));
        acts.iter()
            .for_each(|&ms| used(&mut scene, ms, B, Act::Lock));
        scene
            .records
            .push(park(B, 30_000, 50_000, Some((A, 50_000))));
        let blame = scene.blame(&[Key::WaiterThread], Wish::default());
        let max = blame.total.max.map(|max| max.0 / 1_000_000);
        (told(&blame.total), max, blame.unjoined)
    };
    assert_eq!(blamed(true, &[60]), (rows([("b", 30_000, 1)]), Some(30), 0));
    let each = rows([("b", 30_000, 2)]);
    assert_eq!(blamed(true, &[25, 60]), (each.clone(), Some(20), 0));
    assert_eq!(blamed(false, &[]), (each, Some(20), 1), "nothing is told");
}

#[test]
fn who_parks_where_no_park_is_recorded_is_told_by_looks_and_charged_by_operations() {
    let mut scene = juc_scene();
    used(&mut scene, 0, B, Act::Lock);
    // The looks are told before the operations of their time are: from 10 to 50 ms five of them found A, for 80 ms.
    let mut found = look(A, 10, 40, Owner::Nobody);
    (found.time, found.samples) = (Nanos::from_millis(80), 5);
    scene.records.push(Record::Parked(found));
    used(&mut scene, 30, B, Act::Unlock);
    used(&mut scene, 35, C, Act::Lock);
    scene.records.push(Record::Tick(Tick {
        at: Nanos::from_millis(60),
        agent_cpu: Nanos(0),
    }));
    let blame = scene.blame(&[Key::OwnerThread], Wish::default());
    assert_eq!(
        told(&blame.total),
        rows([("b", 32_000, 1), ("c", 32_000, 1), ("(unknown)", 16_000, 1)]),
        "looks do not know that nobody held it"
    );
    assert_eq!(blame.total.estimated, Nanos::from_millis(80));
}

/// Where an owner was is known of looks that took its call chain, and of them alone.
#[test]
fn looks_at_parked_threads_tell_where_owners_were() {
    let mut scene = parked_scene();
    let (put, get) = (scene.at(0), scene.at(1));
    for nth in 0..40 {
        let mut found = look(A, 20 * nth, 1, Owner::Thread(B));
        found.samples = 1;
        found.owner_stack = match nth % 4 {
            0 => Some(put),
            1 => Some(get),
            _ => None,
        };
        scene.records.push(Record::Parked(found));
    }
    let blame = scene.blame(&[Key::OwnerThread], Wish::default());
    assert_eq!(blame.looks, Looks::default());
    let [lock] = &blame.parked_looks.locks[..] else {
        panic!("{:?}", blame.parked_looks);
    };
    let place = |place: &Place| (place.looks, (place.share * 100.0).round());
    let places: Vec<_> = lock.places.iter().map(place).collect();
    assert_eq!((lock.looks, places), (20, vec![(10, 50.0), (10, 50.0)]));
}

#[test]
fn looks_do_not_count_beside_recorded_parks() {
    let mut scene = juc_scene();
    scene
        .records
        .push(Record::Parked(look(A, 10, 40, Owner::Thread(C))));
    scene
        .records
        .push(park(A, 10_000, 50_000, Some((B, 50_000))));
    let blame = scene.blame(&[Key::OwnerThread], Wish::default());
    assert_eq!(told(&blame.total), rows([("b", 40_000, 1)]));
    assert_eq!(blame.total.estimated, Nanos(0));
}
