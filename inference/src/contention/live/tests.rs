//! Blame of recordings under way, held against that of the file they would have made.

use super::super::tests::{Scene, anything, blame, sum, told};
use super::*;
use crate::contention::{Row, Value};
use locklens_trace::record::Owner;
use locklens_trace::{EventKind, LockId, Nanos, ThreadId};
use proptest::prelude::*;

const KEYS: [Key; 3] = [Key::Lock, Key::OwnerMethod, Key::WaiterThread];

fn watched(records: &[Record], keys: &[Key], wish: Wish, stretch: usize) -> Blame {
    let mut watcher = Watcher::new(Options::default(), keys, wish, stretch);
    records
        .iter()
        .for_each(|record| watcher.push(record.clone()));
    watcher.finish().0
}

/// Three threads take turns at one lock, each always from its own method: who comes through holds it until the next one
/// does, and two are blocked meanwhile.
fn turns(rounds: u64) -> Scene {
    let mut scene = Scene::new();
    let stacks = [0, 1, 2].map(|method| scene.at(method));
    let thread = |turn: u64| ThreadId((turn % 3) as u32 + 1);
    let lock = LockId(1);
    for turn in 0..rounds {
        let us = turn * 10;
        let wants = scene.push(us + 5, thread(turn + 2), EventKind::Enter, lock);
        wants.owner = Owner::Thread(thread(turn));
        wants.stack = Some(stacks[((turn + 2) % 3) as usize]);
        scene.push(us + 10, thread(turn + 1), EventKind::Entered, lock);
    }
    scene
}

#[test]
fn a_recording_of_one_stretch_is_as_its_file() {
    let records = turns(300).all();
    let file = blame(&records, &KEYS, Wish::default());
    assert_eq!(file, watched(&records, &KEYS, Wish::default(), STRETCH));
    assert!(file.unknown_total().0 < file.total.ns.0 / 10, "{file:#?}");
}

#[test]
fn stays_that_reach_over_a_border_are_counted_once() {
    let records = turns(300).all();
    let keys = [Key::WaiterThread];
    let file = blame(&records, &keys, Wish::default());
    for stretch in [1, 2, 7, 100] {
        let live = watched(&records, &keys, Wish::default(), stretch);
        assert_eq!(told(&live.total), told(&file.total), "{stretch}");
    }
}

#[test]
fn what_a_long_recording_knows_of_owners_is_right() {
    let records = turns(3_000).all();
    let keys = [Key::OwnerThread];
    let share = |blame: &Blame, name: &str| {
        let rows = told(&blame.total);
        let of = rows.into_iter().find(|row| row.0 == name);
        of.map_or(0.0, |row| row.1 as f64 * 1000.0 / blame.total.ns.0 as f64)
    };
    let file = blame(&records, &keys, Wish::default());
    let live = watched(&records, &keys, Wish::default(), 500);
    let unknown = share(&live, "(unknown)");
    assert!(unknown < 0.2, "{unknown}");
    for name in ["a", "b", "c"] {
        let (live, file) = (share(&live, name), share(&file, name));
        assert!(live <= file + 0.03 && file <= live + unknown + 0.03);
    }
}

fn is_rest(row: &Row) -> bool {
    row.value == Some(Value::Rest)
}

#[test]
fn what_finds_no_room_is_the_rest() {
    let mut scene = turns(30);
    let (other, thread) = (LockId(2), ThreadId(1));
    scene.push(5_000, thread, EventKind::Enter, other);
    scene.push(5_100, thread, EventKind::Entered, other);
    let records = scene.all();
    let whole = blame(&records, &KEYS, Wish::default());
    let mut watcher = Watcher::new(Options::default(), &KEYS, Wish::default(), STRETCH);
    let most = Most {
        objects: 1,
        rows: 4,
    };
    watcher.past.books = Books::by_object(&KEYS, most);
    records
        .iter()
        .for_each(|record| watcher.push(record.clone()));
    let live = watcher.finish().0;
    assert_eq!(live.total.ns, whole.total.ns);
    assert!(live.total.rows.iter().any(is_rest), "{live:#?}");
    let of_lock = live.total.rows.iter().find(|row| !is_rest(row)).unwrap();
    let mut below = of_lock.rows.iter().flat_map(|row| &row.rows);
    assert!(below.any(is_rest), "{live:#?}");
}

#[test]
fn who_is_to_blame_in_the_end_is_known_over_a_border() {
    let records = turns(300).all();
    let wish = Wish {
        root: true,
        waits: false,
    };
    let keys = [Key::OwnerThread];
    let file = blame(&records, &keys, wish);
    assert!(file.root);
    assert_eq!(told(&file.total).len(), 4, "{file:#?}");
    for stretch in [7, 100] {
        let live = watched(&records, &keys, wish, stretch);
        assert_eq!((live.root, live.total.ns), (true, file.total.ns));
        assert_eq!(live.cycle, file.cycle, "{stretch}");
    }
}

/// One stay of half a second in every one of so many.
fn every_second(seconds: u64) -> Vec<Record> {
    let (mut scene, lock) = (Scene::new(), LockId(1));
    for second in 0..seconds {
        let us = second * 1_000_000;
        scene.push(us, ThreadId(1), EventKind::Enter, lock);
        scene.push(us + 500_000, ThreadId(1), EventKind::Entered, lock);
    }
    scene.all()
}

#[test]
fn parts_of_a_long_recording_get_longer() {
    let parts = |seconds: u64, most: Most| {
        let mut watcher = Watcher::new(Options::default(), &[Key::Time], Wish::default(), 100);
        watcher.past.books = Books::by_object(&[Key::Time], most);
        let records = every_second(seconds);
        records.into_iter().for_each(|record| watcher.push(record));
        let live = watcher.finish().0;
        sum(&live.total, 0).unwrap();
        assert_eq!(live.total.count, seconds);
        let counts: Vec<u64> = live.total.rows.iter().map(|row| row.count).collect();
        assert!(!live.total.rows.iter().any(is_rest), "{live:#?}");
        (live.interval.0 / 1_000_000_000, counts)
    };
    let many = Most::default();
    assert_eq!(parts(1_000, many), (1, vec![1; 1_000]));
    assert_eq!(parts(1_030, many), (2, vec![2; 515]));
    assert_eq!(parts(2_050, many), (4, [vec![4; 512], vec![2]].concat()));
    let few = Most { rows: 50, ..many };
    assert_eq!(parts(60, few), (2, vec![2; 30]));
}

proptest! {
    #[test]
    fn any_recording_of_one_stretch_is_as_its_file(
        records in anything(), root in any::<bool>(), waits in any::<bool>(), by in 0usize..3,
    ) {
        let keys = [
            vec![Key::Lock, Key::OwnerMethod, Key::Time, Key::WaiterMethod],
            vec![Key::Group, Key::WaiterStack, Key::OwnerStack],
            vec![Key::OwnerGroup, Key::Type, Key::LockClass, Key::WaiterSite],
        ];
        let wish = Wish { root: root && !waits, waits };
        let file = blame(&records, &keys[by], wish);
        prop_assert_eq!(watched(&records, &keys[by], wish, STRETCH), file);
    }

    #[test]
    fn borders_lose_nothing(mut records in anything(), stretch in 1usize..40) {
        records.sort_by_key(|record| match record {
            Record::Event(event) => event.at,
            _ => Nanos(0),
        });
        records.retain(|record| !matches!(record, Record::Event(event) if event.kind == EventKind::Exit));
        let file = blame(&records, &[Key::Group], Wish::default());
        let live = watched(&records, &[Key::Group, Key::OwnerThread], Wish::default(), stretch);
        sum(&live.total, 0)?;
        prop_assert_eq!((live.total.ns, live.total.count), (file.total.ns, file.total.count));
    }
}
