//! Dumps of stuck threads, with and without what a recording knows of them.

use super::*;
use crate::deadlock::finding::{Kind, Report, Tier};
use crate::hang::{Evidence, explain};
use crate::sample::dump::Dumps;

/// A keeper of the catalogue wants a permit; whoever is named besides wants the catalogue.
fn dump(loaders: &[(u64, &str)], told: bool) -> String {
    let stand = match told {
        true => "<0x1> (a app.Slots)",
        false => "<no object reference available>",
    };
    let mut text = format!(
        "2026-01-01 10:00:00\nFull thread dump X (17 mixed mode):\n\n\"keeper\" #1 prio=5 os_prio=0 tid=0x1 nid=0x1 in Object.wait()  [0x1]\n   java.lang.Thread.State: WAITING (on object monitor)\n\tat java.lang.Object.wait(Native Method)\n\t- waiting on {stand}\n\tat app.Slots.acquire(Slots.java:9)\n\t- locked <0x1> (a app.Slots)\n\tat app.Keeper.keep(Keeper.java:5)\n\t- locked <0x2> (a app.Catalogue)\n\n"
    );
    for (number, place) in loaders {
        text += &format!(
            "\"loader\" #{number} prio=5 os_prio=0 tid=0x{number} nid=0x1 waiting for monitor entry  [0x1]\n   java.lang.Thread.State: BLOCKED (on object monitor)\n\tat {place}(It.java:7)\n\t- waiting to lock <0x2> (a app.Catalogue)\n\n"
        );
    }
    text + "JNI global refs: 1\n"
}

const LOAD: &str = "app.Loader.load";

/// The loaders of these numbers had all permits, and stood there.
fn recorded(numbers: &[u64], needs: Needs) -> Recorded {
    let holder = |&tid: &u64| Holder {
        tid,
        name: "loader".to_owned(),
        chain: vec!["app.Slots.acquire:8".to_owned()],
    };
    let then = |name: &str, place: &str, class: &str, wanted| Then {
        name: name.to_owned(),
        place: Some(place.to_owned()),
        class: class.to_owned(),
        wanted,
        owned: None,
    };
    let wanted = Wanted {
        name: "Slots".to_owned(),
        id: "3".to_owned(),
        types: "SEMAPHORE".to_owned(),
        needs,
        holders: numbers.iter().map(holder).collect(),
    };
    let keeper = then(
        "keeper",
        "app.Slots.acquire",
        "app.Slots",
        Some(Rc::new(wanted)),
    );
    let loader = |&tid: &u64| (tid, then("loader", LOAD, "app.Catalogue", None));
    let mut stays: BTreeMap<_, _> = numbers.iter().map(loader).collect();
    stays.insert(1, keeper);
    Recorded {
        stays,
        lacks: false,
    }
}

fn explained(texts: [String; 2], recorded: Option<&Recorded>) -> Report {
    let dumps: Vec<_> = texts
        .iter()
        .flat_map(|text| Dumps::read(text).dumps)
        .collect();
    explain(&Evidence {
        dumps: &dumps,
        recorded,
        ..Evidence::default()
    })
}

fn rings(text: &str, recorded: &Recorded) -> Vec<(Tier, Kind)> {
    let report = explained([text.to_owned(), text.to_owned()], Some(recorded));
    let all = report.findings.iter();
    let rings = all.filter(|one| one.remarks.iter().any(|said| said.contains("recording")));
    rings.map(|one| (one.tier, one.kind)).collect()
}

#[test]
fn who_has_all_permits_and_is_stuck_is_who_is_waited_for() {
    for told in [true, false] {
        let text = dump(&[(2, LOAD), (3, LOAD)], told);
        let known = recorded(&[2, 3], Needs::Permit);
        assert_eq!(rings(&text, &known), [(Tier::T4, Kind::Permit)]);
        let lock = recorded(&[2], Needs::Alone);
        assert_eq!(rings(&text, &lock), [(Tier::T4, Kind::Order)]);
    }
}

#[test]
fn who_may_have_given_back_meanwhile_is_free() {
    let known = recorded(&[2, 3], Needs::Permit);
    let elsewhere = dump(&[(2, LOAD), (3, "app.Loader.other")], true);
    assert_eq!(rings(&elsewhere, &known), []);
    let gone = dump(&[(2, LOAD)], true);
    assert_eq!(rings(&gone, &known), []);
    let two = [
        dump(&[(2, LOAD), (3, "app.Loader.other")], true),
        dump(&[(2, LOAD), (3, LOAD)], true),
    ];
    let moved = explained(two, Some(&known));
    assert!(
        moved.findings.iter().all(|one| one.tier == Tier::T5),
        "{moved:#?}"
    );
}

const SYNC: &str = "java.util.concurrent.locks.ReentrantReadWriteLock$NonfairSync";

/// The first thread wants to write what this one reads.
fn writing(reader: u64) -> Recorded {
    let mut known = recorded(&[], Needs::Alone);
    let wanted = Wanted {
        name: "Catalogue".to_owned(),
        id: "4".to_owned(),
        types: "READ-WRITE".to_owned(),
        needs: Needs::Alone,
        holders: vec![Holder {
            tid: reader,
            name: "keeper".to_owned(),
            chain: Vec::new(),
        }],
    };
    let then = known.stays.get_mut(&1).unwrap();
    (then.class, then.wanted) = (SYNC.to_owned(), Some(Rc::new(wanted)));
    known
}

#[test]
fn who_reads_and_wants_to_write_waits_for_himself() {
    let text = format!(
        "Full thread dump X (17 mixed mode):\n\n\"keeper\" #1 prio=5 os_prio=0 tid=0x1 nid=0x1 waiting on condition  [0x1]\n   java.lang.Thread.State: WAITING (parking)\n\tat sun.misc.Unsafe.park(Native Method)\n\t- parking to wait for  <0x1> (a {SYNC})\n\tat app.Slots.acquire(Slots.java:9)\n\nJNI global refs: 1\n"
    );
    let found = |reader: u64| {
        let known = writing(reader);
        rings(&text, &known)
    };
    assert_eq!(found(1), [(Tier::T4, Kind::Upgrade)]);
    assert_eq!(found(2), [], "that one has gone");
}

/// Two threads that are parked at a lock of this class, and what the recording knows of who has it.
fn both_parked(sync: &str, needs: Needs) -> Vec<(Tier, Kind)> {
    let mut text = "Full thread dump X (17 mixed mode):\n\n".to_owned();
    let mut known = recorded(&[], needs);
    for tid in [1, 2] {
        text += &format!(
            "\"keeper\" #{tid} prio=5 os_prio=0 tid=0x{tid} nid=0x1 waiting on condition  [0x1]\n   java.lang.Thread.State: WAITING (parking)\n\tat sun.misc.Unsafe.park(Native Method)\n\t- parking to wait for  <0x1> (a {sync})\n\tat app.Slots.acquire(Slots.java:9)\n\n"
        );
        let holder = |tid| Holder {
            tid,
            name: "keeper".to_owned(),
            chain: Vec::new(),
        };
        let wanted = Wanted {
            name: "Slots".to_owned(),
            id: "4".to_owned(),
            types: String::new(),
            needs,
            holders: [1, 2].map(holder).into(),
        };
        let then = Then {
            name: "keeper".to_owned(),
            place: Some("app.Slots.acquire".to_owned()),
            class: sync.to_owned(),
            wanted: Some(Rc::new(wanted)),
            owned: None,
        };
        known.stays.insert(tid, then);
    }
    rings(&(text + "JNI global refs: 1\n"), &known)
}

/// Chains of parks are sampled: a recording need not have one.
#[test]
fn who_stood_at_a_place_that_is_not_known_stands_there_if_it_is_at_such_an_object() {
    let found = |class: &str| {
        let mut known = recorded(&[2, 3], Needs::Permit);
        for (tid, then) in &mut known.stays {
            then.place = None;
            if *tid != 1 {
                class.clone_into(&mut then.class);
            }
        }
        rings(&dump(&[(2, LOAD), (3, LOAD)], true), &known)
    };
    assert_eq!(found("app.Catalogue"), [(Tier::T4, Kind::Permit)]);
    assert_eq!(found("app.Other"), [], "they have gone on");
}

#[test]
fn who_wants_to_read_is_behind_who_waits_for_himself_to_write() {
    let waits = |name: &str, tid: u32, method: &str| {
        format!(
            "\"{name}\" #{tid} prio=5 os_prio=0 tid=0x{tid} nid=0x1 waiting on condition  [0x1]\n   java.lang.Thread.State: WAITING (parking)\n\tat sun.misc.Unsafe.park(Native Method)\n\t- parking to wait for  <0x1> (a {SYNC})\n\tat java.util.concurrent.locks.ReentrantReadWriteLock${method}.lock(R.java:1)\n\tat app.Slots.acquire(Slots.java:9)\n\n"
        )
    };
    let text = format!(
        "Full thread dump X (17 mixed mode):\n\n{}{}JNI global refs: 1\n",
        waits("keeper", 1, "WriteLock"),
        waits("http", 2, "ReadLock")
    );
    let known = writing(1);
    let report = explained([text.clone(), text], Some(&known));
    let hang = report.hang.unwrap();
    let behind: Vec<_> = hang.behind[0]
        .1
        .iter()
        .map(|one| one.thread.name.as_str())
        .collect();
    assert_eq!((behind, hang.queues.len()), (vec!["http"], 0));
}

/// The owner of a lock is blocked on what the second of two has who wait for it; the first may be elsewhere by now.
fn owning(first: &str, cpu: &str) -> String {
    const LOCK: &str = "java.util.concurrent.locks.ReentrantLock$NonfairSync";
    let waits = |name: &str, tid: u32, place: &str, chain: &str| {
        format!(
            "\"{name}\" #{tid} prio=5 os_prio=0 {cpu}tid=0x{tid} nid=0x1 waiting on condition  [0x1]\n   java.lang.Thread.State: {place}\n{chain}\n"
        )
    };
    let parked = |place: &str| {
        format!(
            "\tat sun.misc.Unsafe.park(Native Method)\n\t- parking to wait for  <0x9> (a {LOCK})\n\tat java.util.concurrent.locks.ReentrantLock.lock(R.java:1)\n\tat {place}(It.java:7)\n"
        )
    };
    let busy = format!("\tat {first}(It.java:7)\n");
    let first = match first {
        LOAD => waits("loader", 2, "WAITING (parking)", &parked(LOAD)),
        _ => waits("loader", 2, "RUNNABLE", &busy),
    };
    let owner =
        "\tat app.Keeper.keep(Keeper.java:5)\n\t- waiting to lock <0x2> (a app.Catalogue)\n";
    let second = parked(LOAD) + "\t- locked <0x2> (a app.Catalogue)\n";
    format!(
        "Full thread dump X (17 mixed mode):\n\n{}{first}{}{}JNI global refs: 1\n",
        waits("keeper", 1, "BLOCKED (on object monitor)", owner),
        waits("loader", 3, "WAITING (parking)", &second),
        // Where nobody goes on the owner is among those who wait.
        waits("busy", 4, "RUNNABLE", "\tat app.Loader.spin(It.java:7)\n")
    )
}

/// What the looks have read: the keeper owned it, and stood at this place.
fn read(place: Option<&str>, at: &[&str]) -> Recorded {
    const LOCK: &str = "java.util.concurrent.locks.ReentrantLock$NonfairSync";
    let owned = Owned {
        thread: ThreadName {
            name: "keeper".to_owned(),
            tid: Some(1),
        },
        is_virtual: false,
        ended: false,
        at: at.iter().map(|at| (*at).to_owned()).collect(),
        waiters: Rc::new(BTreeSet::from([2, 3])),
    };
    let then = |name: &str, place: &str, class: &str, owned| Then {
        name: name.to_owned(),
        place: Some(place.to_owned()),
        class: class.to_owned(),
        wanted: None,
        owned,
    };
    let waiters = [2, 3].map(|tid| (tid, then("loader", LOAD, LOCK, Some(owned.clone()))));
    let mut stays = BTreeMap::from(waiters);
    stays.extend(place.map(|place| (1, then("keeper", place, "app.Catalogue", None))));
    Recorded {
        stays,
        lacks: false,
    }
}

#[test]
fn a_lock_is_whose_it_was_only_if_neither_he_nor_any_who_waited_has_gone_on() {
    let rings = |text: &str, known: &Recorded| {
        let report = explained([text.to_owned(), text.to_owned()], Some(known));
        let each = report.findings.iter().filter(|one| one.tier <= Tier::T4);
        each.map(|one| (one.tier, one.kind)).collect::<Vec<_>>()
    };
    const KEEP: &str = "app.Keeper.keep";
    let cpu = "cpu=7.00ms ";
    let ring = [(Tier::T4, Kind::Order)];
    let all = owning(LOAD, cpu);
    assert_eq!(rings(&all, &read(Some(KEEP), &[])), ring);
    let looked = read(None, &["java.util.Map.get:1", "app.Keeper.keep:4"]);
    assert_eq!(rings(&all, &looked), ring, "the looks found him there");
    let elsewhere = read(Some("app.Keeper.other"), &["app.Keeper.other:4"]);
    assert_eq!(rings(&all, &elsewhere), [], "he has gone on");
    assert_eq!(
        rings(&all, &read(None, &[])),
        [],
        "where he was nobody knows"
    );
    let handed_on = owning("app.Loader.work", cpu);
    let known = read(Some(KEEP), &[]);
    assert_eq!(rings(&handed_on, &known), [], "the first has it");
    assert_eq!(rings(&owning(LOAD, ""), &known), [], "they may have run");
}

#[test]
fn who_has_a_permit_and_wants_another_one_upgrades_nothing() {
    let permits = "java.util.concurrent.Semaphore$NonfairSync";
    let found = both_parked(permits, Needs::Permit);
    assert_eq!(found, [(Tier::T4, Kind::Permit)]);
}

#[test]
fn nothing_that_rests_on_a_recording_is_certain() {
    let text = dump(&[(2, LOAD), (3, LOAD)], false);
    let known = recorded(&[2, 3], Needs::Permit);
    let report = explained([text.clone(), text], Some(&known));
    assert!(report.findings.iter().all(|one| one.tier > Tier::T0));
    let held = &report.findings[0].edges;
    let taken = held.iter().map(|part| part.holds_at.first().cloned());
    let taken: Vec<_> = taken.flatten().collect();
    assert!(
        taken.contains(&"app.Slots.acquire:8".to_owned()),
        "{taken:?}"
    );
}

#[test]
fn where_an_owner_may_have_gone_on_it_is_told_who_it_was() {
    let text = owning(LOAD, "cpu=7.00ms ");
    let last = |known: &Recorded| {
        let report = explained([text.clone(), text.clone()], Some(known));
        let queues = report.hang.unwrap().queues;
        let of = queues.into_iter().find(|queue| queue.threads.len() == 2);
        of.unwrap().held_last.map(|last| last.name)
    };
    assert_eq!(last(&read(None, &[])).as_deref(), Some("keeper"));
    let mut known = read(None, &[]);
    known.stays.values_mut().for_each(|then| then.owned = None);
    assert_eq!(last(&known), None);
}
