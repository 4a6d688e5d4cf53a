use super::*;
use crate::sample::{By, Keys, Location, Profile, Row};
use proptest::prelude::*;

const DUMPS: [(&str, &str); 5] = [
    ("8", include_str!("../../../tests/dumps/jdk8.txt")),
    ("11", include_str!("../../../tests/dumps/jdk11.txt")),
    ("17", include_str!("../../../tests/dumps/jdk17.txt")),
    ("21", include_str!("../../../tests/dumps/jdk21.txt")),
    ("25", include_str!("../../../tests/dumps/jdk25.txt")),
];

fn one(text: &str) -> Dump {
    let found = Dumps::read(text);
    assert_eq!(found.unread, 0);
    let [dump] = &found.dumps[..] else {
        panic!("{found:?}")
    };
    dump.clone()
}

fn profile(dumps: &[Dump]) -> Profile {
    let mut fold = Fold::default();
    dumps
        .iter()
        .for_each(|dump| dump.add_to(&mut fold, &Lens::default()));
    Profile::of(&fold, None)
}

/// Group, state, threads found in it.
fn groups(profile: &Profile) -> Vec<(String, State, u64)> {
    let row = |row: &Row| match &row.keys {
        Keys::Group(name, _) => (name.clone(), row.state, row.samples),
        other => panic!("{other:?}"),
    };
    profile.rows(By::Group).iter().map(row).collect()
}

#[test]
fn a_dump_of_each_jdk_says_what_its_threads_do() {
    let expected = [
        ("blocked-#", State::Blocked, 4),
        ("holder", State::Sleeping, 1),
        ("locker-#", State::Parked, 2),
        ("main", State::Sleeping, 1),
        ("parked-#", State::Parked, 1),
        ("sleeping-#", State::Sleeping, 2),
        ("spinning-#", State::Runnable, 1),
        ("timed-#", State::WaitingTimed, 1),
        ("waiting-#", State::Waiting, 2),
    ];
    let expected = expected.map(|(name, state, n)| (name.to_owned(), state, n));
    for (jdk, text) in DUMPS {
        let dump = one(text);
        assert!(dump.complete && dump.begun && dump.at.is_some(), "{jdk}");
        assert_eq!(groups(&profile(&[dump])), expected, "{jdk}");
    }
}

#[test]
fn who_waits_for_a_class_is_told_to_run_and_waits() {
    let state = |header: &str, note: &str| {
        let text = format!(
            "2026-01-01 10:00:00\nFull thread dump X (17 mixed mode):\n\n\"late\" #9 prio=5 os_prio=0 tid=0x1 nid=0x1 {header}  [0x1]\n   java.lang.Thread.State: RUNNABLE\n\tat app.Main.work(Main.java:1)\n{note}\nJNI global refs: 1\n"
        );
        groups(&profile(&[one(&text)]))[0].1
    };
    assert_eq!(state("runnable", ""), State::Runnable);
    assert_eq!(state("in Object.wait()", ""), State::Waiting);
    let note = "\t- waiting on the Class initialization monitor for app.Registry\n";
    assert_eq!(state("in Object.wait()", note), State::Waiting);
}

#[test]
fn and_what_they_stand_at_and_where() {
    let class = "java.util.concurrent.locks.ReentrantLock$NonfairSync";
    let expected = [
        (
            State::Blocked,
            Some("States$Gate"),
            "States.blocked(States.java:55)",
            4,
        ),
        (
            State::Parked,
            Some(class),
            "States.locker(States.java:60)",
            2,
        ),
        (
            State::Parked,
            Some("java.lang.ThreadGroup"),
            "States.parked(States.java:64)",
            1,
        ),
        (
            State::Waiting,
            Some("States$Bell"),
            "States.waiting(States.java:71)",
            2,
        ),
        (
            State::WaitingTimed,
            Some("States$Bell"),
            "States.waiting(States.java:71)",
            1,
        ),
        (State::Sleeping, None, "States.sleep(States.java:81)", 4),
    ];
    for (jdk, text) in DUMPS {
        let profile = profile(&[one(text)]);
        let rows = profile.rows(By::Location).iter();
        let told: Vec<_> = rows
            .map(|row| (row.state, row.keys.clone(), row.samples))
            .collect();
        let wanted = expected.map(|(state, lock, place, n)| {
            let spot = crate::sample::Spot {
                lock: lock.map(str::to_owned),
                location: Location::At(place.to_owned()),
            };
            (state, Keys::Location(spot), n)
        });
        assert_eq!(told, wanted, "{jdk}");
    }
}

#[test]
fn carriers_are_threads_whose_state_nobody_tells() {
    let dump = one(include_str!("../../../tests/dumps/virtual21.txt"));
    let carries = |thread: &&Thread| thread.carries.is_some();
    let carriers: Vec<_> = dump.threads.iter().filter(carries).collect();
    assert!(!carriers.is_empty());
    assert!(carriers.iter().all(|t| t.state == State::Unknown));
    let dump = one(include_str!("../../../tests/dumps/virtual25.txt"));
    let carrier = dump.threads.iter().find(carries).expect("one");
    assert_eq!(
        carrier.frames[0].method, "Virt.lambda$main$2",
        "its own work"
    );
}

#[test]
fn several_dumps_in_a_log_are_several_samples() {
    let (first, second) = (DUMPS[0].1, DUMPS[0].1.replace("21:08:35", "21:08:45"));
    let log = format!("starting\n{first}\nINFO \"quoted\"\n\tat no.Where.at(All.java:1)\n{second}");
    let found = Dumps::read(&log);
    assert_eq!(found.dumps.len(), 2);
    assert_eq!(found.dumps[0].threads, found.dumps[1].threads);
    let times: Vec<_> = found.dumps.iter().filter_map(|dump| dump.at).collect();
    assert_eq!(times[1].since(times[0]), Nanos(10_000_000_000));
    assert_eq!(profile(&found.dumps).samples, 2);
}

#[test]
fn a_dump_that_is_cut_off_is_read_to_its_end_and_says_so() {
    let text = DUMPS[2].1;
    for cut in (0..text.len()).step_by(97) {
        let found = Dumps::read(&text[..cut]);
        assert!(found.dumps.iter().all(|dump| !dump.complete));
        assert!(found.dumps.len() <= 1);
    }
    let half = one(&text[..text.len() / 2 / 100 * 100]);
    assert!(half.threads.len() > 2 && half.threads.len() < 15);
}

#[test]
fn names_may_hold_anything() {
    let name = "a \"b\" #7 prio=9 \"c";
    let text = format!(
        "Full thread dump X:\n\n\"{name}\" #12 daemon prio=5 os_prio=0 tid=0x1 nid=0x2 runnable\n   java.lang.Thread.State: RUNNABLE\n\tat a.B.c(B.java:1)\n\n"
    );
    let dump = one(&text);
    assert_eq!(dump.threads[0].name, name);
    assert_eq!(
        (dump.threads[0].tid, dump.threads[0].daemon),
        (Some(12), true)
    );
}

#[test]
fn who_waits_on_what_the_code_has_let_go_of_is_known_by_what_it_holds() {
    let text = |second: &str| {
        format!(
            "Full thread dump X:\n\"t\" #1 prio=5\n   java.lang.Thread.State: WAITING (on object monitor)\n\tat java.lang.Object.wait(java.base@11/Native Method)\n\t- waiting on <no object reference available>\n\tat a.B.c(B.java:1)\n\t- locked <0x1> (a a.B)\n{second}"
        )
    };
    assert_eq!(one(&text("")).threads[0].lock.as_deref(), Some("a.B"));
    let two = one(&text("\t- locked <0x2> (a a.C)\n"));
    assert_eq!(two.threads[0].lock, None, "either may be it");
    let outer = one(&text("\tat a.D.e(D.java:1)\n\t- locked <0x2> (a a.D)\n"));
    let thread = &outer.threads[0];
    let inner = thread.stand.as_ref().and_then(Stand::object);
    assert_eq!(
        (inner.unwrap().class.as_str(), thread.presumed),
        ("a.B", true)
    );
    assert_eq!(thread.lock, None, "no sample is of what only seems so");
}

/// A nested monitor lockout: it waits on the outer one, and who is to notify is blocked on the inner one.
#[test]
fn who_may_wait_on_the_outer_monitor_is_not_said_to_wait_on_the_inner_one() {
    let dump = |others: &str| {
        let text = format!(
            "Full thread dump X:\n\"taker\" #1 prio=5\n   java.lang.Thread.State: WAITING (on object monitor)\n\tat java.lang.Object.wait(java.base@17/Native Method)\n\t- waiting on <no object reference available>\n\tat a.B.scan(B.java:1)\n\t- locked <0x2> (a a.Index)\n\tat a.B.take(B.java:2)\n\t- locked <0x1> (a a.Inbox)\n\n{others}"
        );
        let stand = one(&text).threads[0].stand.clone();
        stand.and_then(|stand| Some(stand.object()?.class.clone()))
    };
    let blocked = "\"putter\" #2 prio=5\n   java.lang.Thread.State: BLOCKED (on object monitor)\n\tat a.B.put(B.java:3)\n\t- waiting to lock <0x2> (a a.Index)\n\n";
    let owner = "\"owner\" #3 prio=5\n   java.lang.Thread.State: RUNNABLE\n\tat a.B.run(B.java:4)\n\t- locked <0x2> (a a.Index)\n\n";
    assert_eq!(dump("").as_deref(), Some("a.Index"));
    assert_eq!(dump(blocked), None);
    assert_eq!(
        dump(&format!("{blocked}{owner}")).as_deref(),
        Some("a.Index")
    );
}

#[test]
fn who_is_back_from_a_wait_and_blocked_there_is_known_by_what_it_holds() {
    for (frame, blocked) in [("wait", true), ("wait0", true), ("notify", false)] {
        let text = format!(
            "Full thread dump X:\n\"t\" #1 prio=5\n   java.lang.Thread.State: BLOCKED (on object monitor)\n\tat java.lang.Object.{frame}(java.base@17/Native Method)\n\t- waiting on <no object reference available>\n\tat a.B.c(B.java:1)\n\tat a.B.d(B.java:2)\n\t- locked <0x1> (a a.B)\n"
        );
        let stand = &one(&text).threads[0].stand;
        assert_eq!(matches!(stand, Some(Stand::Reenter(_))), blocked, "{frame}");
    }
}

#[test]
fn what_is_no_dump() {
    assert_eq!(Dumps::read("").dumps, []);
    assert_eq!(Dumps::read("Full thread dump is what I want\n").dumps, []);
    let json = Dumps::read("{\n  \"threadDump\": {\n");
    assert!(json.dumps.is_empty() && json.is_other_format());
    assert!(Dumps::read("#3 \"main\" WAITING 2026\n    at a.B.c(B.java:1)\n").is_other_format());
}

#[test]
fn frames_without_loader_and_module() {
    for (text, method, source) in [
        ("app//a.B.c(B.java:7)", "a.B.c", "B.java:7"),
        (
            "java.lang.Thread.run(java.base@17.0.15/Thread.java:840)",
            "java.lang.Thread.run",
            "Thread.java:840",
        ),
        (
            "A$$Lambda/0x00007f1c.run(Unknown Source)",
            "A$$Lambda/0x00007f1c.run",
            "",
        ),
        ("a.B.c(Native Method)", "a.B.c", "Native Method"),
        ("odd", "odd", ""),
    ] {
        let frame = frame_of(text);
        assert_eq!(
            (frame.method.as_str(), frame.source.as_str()),
            (method, source)
        );
    }
}

proptest! {
    #[test]
    fn any_text_is_read(text in "(\\PC|\n){0,400}") {
        prop_assert!(Dumps::read(&text).dumps.iter().all(|dump| dump.threads.len() < 400));
    }

    #[test]
    fn a_damaged_dump_is_read_and_tells_no_thread_twice(
        jdk in 0..5_usize,
        damage in prop::collection::vec((any::<prop::sample::Index>(), any::<prop::sample::Index>()), 0..6),
    ) {
        let mut lines: Vec<&str> = DUMPS[jdk].1.lines().collect();
        let threads = one(DUMPS[jdk].1).threads.len() as u64;
        for (from, to) in damage {
            let n = lines.len();
            lines.swap(from.index(n), to.index(n));
        }
        let found = Dumps::read(&lines.join("\n"));
        let told: u64 = found.dumps.iter().map(|d| d.threads.len() as u64 + d.service).sum();
        let headers = lines.iter().filter(|line| line.starts_with('"')).count() as u64;
        prop_assert!(told <= headers && threads <= headers);
        let profile = profile(&found.dumps);
        let of = |rows: &[Row]| rows.iter().map(|row| row.samples).sum::<u64>();
        prop_assert_eq!(of(&profile.states), profile.findings);
        prop_assert_eq!(of(profile.rows(By::Thread)), profile.findings);
        prop_assert_eq!(of(profile.rows(By::Group)), profile.findings);
        for row in profile.rows(By::Thread).iter().chain(profile.rows(By::Location)) {
            prop_assert!(row.samples <= row.of && row.looks <= profile.samples);
            prop_assert!((0.0..=1.0).contains(&row.share()) && row.error() <= 0.98);
        }
    }
}

#[test]
fn a_thread_is_read_whatever_its_name_does_to_the_first_line() {
    let rest = "#9 prio=5 os_prio=0 tid=0x00007f2400165000 nid=0x510c waiting for monitor entry [0x00007f23e2158000]";
    let state = "   java.lang.Thread.State: BLOCKED (on object monitor)\n\tat app.Bank.move(Bank.java:4)\n\t- waiting to lock <0x0000000742770508> (a java.lang.Object)\n";
    let long = "x".repeat(1_999);
    for (line, name) in [
        (
            format!("\"two\nlines \"x\" #3\" {rest}"),
            "two\nlines \"x\" #3".to_owned(),
        ),
        (format!("\"a\n\" {rest}"), "a\n".to_owned()),
        (format!("\"{long}{rest}"), format!("{}…", "x".repeat(256))),
        (
            format!("\"{long}\" {rest}"),
            format!("{}…", "x".repeat(256)),
        ),
    ] {
        let text = format!(
            "Full thread dump OpenJDK 64-Bit Server VM (17.0.15+6 mixed mode):\n\n{line}\n{state}\nJNI global refs: 1\n"
        );
        let dump = one(&text);
        let thread = &dump.threads[0];
        assert_eq!((&thread.name, thread.tid, dump.unread), (&name, Some(9), 0));
        assert_eq!((thread.state, thread.frames.len()), (State::Blocked, 1));
    }
}

#[test]
fn what_a_program_prints_between_takes_nothing_of_a_chain_with_it() {
    let text = "Full thread dump OpenJDK 64-Bit Server VM (17.0.15+6 mixed mode):\n\n\"main\" #1 prio=5 os_prio=0 tid=0x1 nid=0x1 runnable\n   java.lang.Thread.State: RUNNABLE\n\"quoted\n\tat app.Bank.run(Bank.java:4)\n\n\"next\" #2 prio=5 os_prio=0 tid=0x2 nid=0x2 runnable\n   java.lang.Thread.State: RUNNABLE\n\tat app.Bank.run(Bank.java:4)\n\nJNI global refs: 1\n";
    let dump = &Dumps::read(text).dumps[0];
    assert_eq!(dump.threads.len(), 1, "the first has lost its chain");
    assert!(dump.unread > 0);
}

#[test]
fn what_breaks_off_within_a_name_is_told() {
    for after in [
        "",
        "\"main\" #1 prio=5 os_prio=0 tid=0x1 nid=0x1 runnable\n   java.lang.Thread.State: RUNNABLE\n\tat app.Bank.run(Bank.java:4)\n",
    ] {
        let text = format!(
            "Full thread dump OpenJDK 64-Bit Server VM (17.0.15+6 mixed mode):\n\n\"main\" #1 prio=5 os_prio=0 tid=0x1 nid=0x1 runnable\n   java.lang.Thread.State: RUNNABLE\n\tat app.Bank.run(Bank.java:4)\n\n\"broken\n{after}"
        );
        let found = Dumps::read(&text);
        assert_eq!(found.dumps[0].unread, 1, "{after}");
    }
}

#[test]
fn names_of_lambdas_are_of_their_classes() {
    for (frame, method) in [
        (
            "app.Main$$Lambda$15/0x00007f.run(Unknown Source)",
            "app.Main$$Lambda$15/0x00007f.run",
        ),
        (
            "cp//app.Main$$Lambda/0x00007f.run(Unknown Source)",
            "app.Main$$Lambda/0x00007f.run",
        ),
        (
            "java.base@17.0.1/java.lang.Thread.run(T.java:1)",
            "java.lang.Thread.run",
        ),
    ] {
        assert_eq!(frame_of(frame).method, method);
    }
}

#[test]
fn the_same_text_has_the_same_fingerprint() {
    let text = |cpu: &str| {
        format!(
            "Full thread dump X (17 mixed mode):\n\n\"a\" #1 prio=5 os_prio=0 cpu={cpu}ms\n   java.lang.Thread.State: RUNNABLE\n\tat a.B.c(B.java:1)\n\nJNI global refs: 1\n"
        )
    };
    let one = text("1.00");
    let dumps = Dumps::read(&format!("{one}said\n{one}{}", text("1.01"))).dumps;
    let prints: Vec<_> = dumps.iter().map(|dump| dump.fingerprint).collect();
    assert_eq!(prints[0], prints[1]);
    assert_ne!(prints[1], prints[2]);
}

#[test]
fn a_reader_keeps_one_dump_and_the_one_before() {
    let dump = |name: &str| {
        format!(
            "2026-01-01 10:00:00\nFull thread dump X (17 mixed mode):\n\n\"{name}\" #1 prio=5\n   java.lang.Thread.State: RUNNABLE\n\tat a.B.c(B.java:1)\n\nJNI global refs: 1\n"
        )
    };
    let text: String = (0..50).map(|at| dump(&format!("t{at}"))).collect();
    let log = "a line of a program\n".repeat(50);
    let mut reader = Reader::default();
    let mut taken = Vec::new();
    for line in text.lines().chain(log.lines()) {
        reader.line(line);
        taken.extend(reader.take());
        assert!(reader.found.dumps.len() < 2 && reader.weight() < 100);
    }
    assert_eq!(taken.len(), 49);
    taken.extend(reader.finish().dumps);
    assert_eq!(taken, Dumps::read(&text).dumps);
}

#[test]
fn what_a_dump_keeps_has_weight() {
    let mut reader = Reader::default();
    let mut last = 0;
    reader.line("Full thread dump X (17 mixed mode):");
    for line in [
        "\"a\" #1 prio=5",
        "   java.lang.Thread.State: RUNNABLE",
        "\tat a.B.c(B.java:1)",
        "\t- locked <0x1> (a a.B)",
    ] {
        reader.line(line);
        assert!(reader.weight() > last, "{line}");
        last = reader.weight();
    }
    reader.line("");
    reader.line("\tat nothing.of(It.java:1)");
    assert_eq!(reader.weight(), last);
    reader.line("Full thread dump X (17 mixed mode):");
    assert_eq!(reader.weight(), 0);
}

/// HotSpot shows somebody who has just been let in, or is about to be, with the monitor as entered.
#[test]
fn who_is_blocked_stands_at_the_monitor_of_his_first_frame() {
    let told = |note: &str| {
        let text = format!(
            "2026-01-01 10:00:00\nFull thread dump X (17 mixed mode):\n\n\"poller\" #1 prio=5 os_prio=0 tid=0x1 nid=0x1 waiting for monitor entry  [0x1]\n   java.lang.Thread.State: BLOCKED (on object monitor)\n\tat app.Poll.clear(Poll.java:9)\n{note}\tat app.Poll.run(Poll.java:5)\n\t- locked <0x2> (a app.Set)\n\n"
        );
        let dump = one(&text);
        let stand = dump.threads[0].stand.clone();
        stand.and_then(|stand| stand.object().map(|object| object.class.clone()))
    };
    let first = "\t- locked <0x1> (a app.Gate)\n";
    assert_eq!(told(first).as_deref(), Some("app.Gate"));
    let outer = "\t- locked <0x3> (a app.Outer)\n";
    assert_eq!(
        told(&format!("{first}{outer}")).as_deref(),
        Some("app.Gate")
    );
    let said = "\t- waiting to lock <0x4> (a app.Door)\n";
    assert_eq!(told(said).as_deref(), Some("app.Door"));
    // One that it entered in another method is not what it is blocked on.
    assert_eq!(told(""), None);
}
