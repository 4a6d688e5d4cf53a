//! A failed attach never harms, and says why it failed.

use std::os::unix::net::UnixListener;
use std::process::Command;
use std::time::Duration;

use locklens_hotspot::{AttachError, Jvm, Pid, find, open};

use crate::jdk;
use crate::subject::{LIMIT, Scratch, Subject, state, wait_until};

const SHORT: Duration = Duration::from_millis(300);
/// A trigger of this age was not left behind by its age alone.
const YOUNG: Duration = Duration::from_secs(9);

fn socket(subject: &Subject) -> String {
    format!("/tmp/.java_pid{}", subject.pid())
}

/// A JVM that makes modules of three hundred jars, which takes it a while, and has all threads by then that it has later.
#[test]
fn nothing_is_asked_of_a_jvm_that_makes_its_modules() {
    let scratch = Scratch::new("modules");
    for nth in 0..300 {
        let mut empty = b"PK\x05\x06".to_vec();
        empty.extend([0; 18]);
        std::fs::write(scratch.file(&format!("m{nth}.jar")), empty).expect("a file");
    }
    let folder = scratch.file("");
    let modules = ["--module-path", &folder, "--add-modules", "ALL-MODULE-PATH"];
    for jdk in jdk::all() {
        let options = if jdk.feature() > 8 { &modules[..] } else { &[] };
        let mut subject = Subject::spawn(&mut Subject::command(jdk, options));
        let mut found = None;
        wait_until("a JVM", || {
            found = find(&subject.pid().to_string()).ok();
            found.is_some()
        });
        let door = open(&found.expect("just found"), LIMIT);
        let end = end_of_start_up(&subject);
        door.unwrap_or_else(|e| panic!("{}: {e}", jdk.home.display()));
        assert!(end > 0, "{}", jdk.home.display());
        subject.assert_well();
    }
}

/// When the start-up of a JVM was over, by its own counters; 0 if it is not.
fn end_of_start_up(subject: &Subject) -> i64 {
    let name = b"sun.rt.createVmEndTime\0";
    let folders = std::fs::read_dir("/tmp").expect("a folder").flatten();
    let files = folders.map(|folder| folder.path().join(subject.pid().to_string()));
    let mut files = files.filter(|file| file.to_string_lossy().contains("/hsperfdata_"));
    let bytes = files
        .find_map(|file| std::fs::read(file).ok())
        .expect("its counters");
    let number = |at: usize| {
        let bytes = bytes.get(at..at + 4).expect("an entry");
        u32::from_le_bytes(bytes.try_into().expect("four")) as usize
    };
    // The first entry; each has its length, where its name and its value are.
    let mut at = number(24);
    while !bytes[at + number(at + 4)..].starts_with(name) {
        at += number(at);
    }
    let value = at + number(at + 16);
    i64::from_le_bytes(bytes[value..value + 8].try_into().expect("eight"))
}

fn refusal(jvm: &Jvm, limit: Duration) -> AttachError {
    open(jvm, limit).expect_err("not to be opened")
}

#[test]
fn a_jvm_with_reduced_signals_lives() {
    for jdk in jdk::all() {
        for options in [&["-Xrs"][..], &["-Xrs", "-XX:-UsePerfData"]] {
            let mut subject = Subject::start(jdk, options);
            let jvm = subject.jvm();
            let door = open(&jvm, LIMIT).expect("its socket is there from the start");
            assert_eq!(
                door.execute("properties", &[]).expect("an answer").status,
                0
            );
            std::fs::remove_file(socket(&subject)).expect("its socket");
            let error = refusal(&jvm, SHORT);
            assert!(
                matches!(error, AttachError::SignalsReduced { .. }),
                "{}: {error}",
                jdk.home.display()
            );
            assert!(error.to_string().contains("-Xrs"), "{error}");
            subject.assert_well();
        }
    }
}

#[test]
fn a_jvm_that_does_not_catch_the_signal_is_never_sent_it() {
    let scratch = Scratch::new("starting");
    // Nothing we can read tells that its signals are reduced: as far as we can see it has not got
    // so far yet.
    let jdk = jdk::all()
        .iter()
        .max_by_key(|jdk| jdk.feature())
        .expect("a JDK");
    let file = scratch.file("options");
    let options = Subject::arguments(&["-Xrs", "-XX:-UsePerfData"])
        .join("\n")
        .replace("a b", "ab");
    std::fs::write(&file, options).expect("a file");
    let mut subject = Subject::run(Command::new(jdk.java()).arg(format!("@{file}")));
    std::fs::remove_file(&file).expect("our own file");
    std::fs::remove_file(socket(&subject)).expect("its socket");
    let error = refusal(&subject.jvm(), SHORT);
    assert!(
        matches!(error, AttachError::StillStarting { .. }),
        "{error}"
    );
    subject.assert_well();
}

#[test]
fn a_jvm_is_attached_to_from_its_first_moment() {
    for jdk in jdk::all() {
        for options in [&[][..], &["-XX:-UsePerfData"], &[], &["-XX:-UsePerfData"]] {
            let mut subject = Subject::spawn(&mut Subject::command(jdk, options));
            let mut found = None;
            wait_until("a JVM", || {
                found = find(&subject.pid().to_string()).ok();
                found.is_some()
            });
            let door = open(&found.expect("just found"), LIMIT);
            door.unwrap_or_else(|e| panic!("{}: {e}", jdk.home.display()));
            subject.assert_well();
            assert_eq!(
                subject.count("Full thread dump"),
                0,
                "{}",
                jdk.home.display()
            );
        }
    }
}

#[test]
fn a_jvm_with_attaching_disabled_is_left_alone() {
    let scratch = Scratch::new("disabled");
    let flag = "-XX:+DisableAttachMechanism";
    for jdk in jdk::all() {
        let on_the_line = Subject::command(jdk, &[flag]);
        let mut hidden = Subject::command(jdk, &["-XX:-UsePerfData"]);
        hidden.env("JAVA_TOOL_OPTIONS", flag);
        let flags = scratch.file("flags");
        std::fs::write(&flags, "+DisableAttachMechanism").expect("a file");
        let in_a_file = Subject::command(jdk, &[&format!("-XX:Flags={flags}")]);
        for mut command in [on_the_line, hidden, in_a_file] {
            let subject = Subject::run(&mut command);
            let error = refusal(&subject.jvm(), LIMIT);
            assert!(
                matches!(error, AttachError::Disabled { .. }),
                "{}: {error}",
                jdk.home.display()
            );
            assert!(
                error.to_string().contains("DisableAttachMechanism"),
                "{error}"
            );
            assert_eq!(
                subject.dumps_after_own_quit(),
                1,
                "only the one this test asked for"
            );
        }
    }
}

#[test]
fn the_last_word_on_disabling_counts() {
    let options = [
        "-XX:+DisableAttachMechanism",
        "-XX:-UsePerfData",
        "-XX:-DisableAttachMechanism",
    ];
    let subject = Subject::start(jdk::any(), &options);
    open(&subject.jvm(), LIMIT).expect("enabled again");
}

#[test]
fn a_socket_left_behind_is_replaced() {
    for jdk in jdk::all() {
        let subject = Subject::start(jdk, &[]);
        drop(UnixListener::bind(socket(&subject)).expect("a socket nobody serves"));
        let door = open(&subject.jvm(), LIMIT).expect("the JVM makes its own");
        assert_eq!(
            door.execute("properties", &[]).expect("an answer").status,
            0
        );
    }
}

#[test]
fn a_socket_somebody_else_serves_is_not_trusted() {
    let subject = Subject::start(jdk::any(), &[]);
    let impostor = UnixListener::bind(socket(&subject)).expect("a socket of ours");
    impostor.set_nonblocking(true).expect("a socket");
    let door = open(&subject.jvm(), LIMIT).expect("the JVM makes its own");
    let reply = door.execute("threaddump", &[]).expect("an answer");
    assert!(String::from_utf8_lossy(&reply.text).contains("Full thread dump"));
}

#[test]
fn a_stopped_jvm_is_waited_for_and_then_named() {
    let mut subject = Subject::start(jdk::any(), &[]);
    subject.stop();
    let error = refusal(&subject.jvm(), SHORT);
    let AttachError::TimedOut {
        state: Some(state), ..
    } = &error
    else {
        panic!("{error}")
    };
    assert!(state.contains("stopped"), "{error}");
    subject.signal("CONT");
    subject.assert_well();
    let door = open(&subject.jvm(), LIMIT)
        .expect("it runs again")
        .within(SHORT);
    subject.stop();
    let error = door.execute("properties", &[]).expect_err("it is stopped");
    assert!(
        matches!(error, AttachError::TimedOut { state: Some(_), .. }),
        "{error}"
    );
    subject.signal("CONT");
    assert_eq!(
        door.within(LIMIT)
            .execute("properties", &[])
            .expect("an answer")
            .status,
        0
    );
    assert_eq!(
        subject.dumps_after_own_quit(),
        1,
        "no signal was left pending"
    );
}

#[test]
fn nothing_of_ours_is_left_in_the_targets_directories() {
    let scratch = Scratch::new("cwd");
    let subject = Subject::run(Subject::command(jdk::any(), &[]).current_dir(&scratch.0));
    open(&subject.jvm(), LIMIT).expect("open");
    assert_eq!(
        std::fs::read_dir(&scratch.0).expect("a directory").count(),
        0
    );
    let trigger = format!("/tmp/.attach_pid{}", subject.pid());
    assert!(!std::path::Path::new(&trigger).exists());
}

#[test]
fn a_trigger_left_behind_is_taken_over_and_removed() {
    let scratch = Scratch::new("trigger");
    let subject = Subject::run(Subject::command(jdk::any(), &[]).current_dir(&scratch.0));
    let trigger = scratch.file(&format!(".attach_pid{}", subject.pid()));
    let old = std::fs::File::create(&trigger).expect("a file");
    old.set_modified(std::time::SystemTime::UNIX_EPOCH)
        .expect("our own");
    open(&subject.jvm(), LIMIT).expect("open");
    assert!(!std::path::Path::new(&trigger).exists());
}

#[test]
fn the_trigger_of_a_locklens_that_was_killed_is_taken_over_at_once() {
    let scratch = Scratch::new("orphan");
    let subject = Subject::run(Subject::command(jdk::any(), &[]).current_dir(&scratch.0));
    let trigger = scratch.file(&format!(".attach_pid{}", subject.pid()));
    std::fs::write(&trigger, "locklens\n").expect("a file");
    let maker = std::fs::File::open(&trigger).expect("the same");
    maker.lock().expect("as its maker does");
    let error = refusal(&subject.jvm(), SHORT);
    assert!(matches!(error, AttachError::TimedOut { .. }), "{error}");
    assert!(std::path::Path::new(&trigger).exists());
    drop(maker);
    open(&subject.jvm(), YOUNG).expect("open");
    assert!(!std::path::Path::new(&trigger).exists());
    assert_eq!(
        subject.dumps_after_own_quit(),
        1,
        "only the one this test asked for"
    );
}

#[test]
fn one_whose_maker_was_killed_just_before_the_signal_does_not_keep_the_next_from_attaching() {
    let scratch = Scratch::new("unsent");
    let subject = Subject::run(Subject::command(jdk::any(), &[]).current_dir(&scratch.0));
    let trigger = scratch.file(&format!(".attach_pid{}", subject.pid()));
    std::fs::write(&trigger, "locklens, sent\n").expect("a file");
    open(&subject.jvm(), LIMIT).expect("open");
    assert!(!std::path::Path::new(&trigger).exists());
    assert_eq!(
        subject.dumps_after_own_quit(),
        1,
        "only the one this test asked for"
    );
}

#[test]
fn a_trigger_that_did_its_work_before_its_maker_was_killed_is_cleared_away() {
    let scratch = Scratch::new("worked");
    let subject = Subject::run(Subject::command(jdk::any(), &[]).current_dir(&scratch.0));
    open(&subject.jvm(), LIMIT).expect("open");
    let trigger = scratch.file(&format!(".attach_pid{}", subject.pid()));
    std::fs::write(&trigger, "locklens, sent\n").expect("a file");
    let maker = std::fs::File::open(&trigger).expect("the same");
    maker.lock().expect("as its maker does");
    open(&subject.jvm(), LIMIT).expect("it listens");
    assert!(std::path::Path::new(&trigger).exists(), "its maker lives");
    drop(maker);
    open(&subject.jvm(), LIMIT).expect("it listens");
    assert!(!std::path::Path::new(&trigger).exists());
    // Another tool's may still be needed by it.
    std::fs::write(&trigger, "").expect("a file");
    open(&subject.jvm(), LIMIT).expect("it listens");
    std::fs::remove_file(&trigger).expect("left alone");
}

#[test]
fn while_another_tool_is_attaching_no_second_signal_is_sent() {
    let scratch = Scratch::new("rival");
    let subject = Subject::run(Subject::command(jdk::any(), &[]).current_dir(&scratch.0));
    let trigger = scratch.file(&format!(".attach_pid{}", subject.pid()));
    std::fs::write(&trigger, "").expect("a file");
    let error = refusal(&subject.jvm(), SHORT);
    assert!(matches!(error, AttachError::TimedOut { .. }), "{error}");
    std::fs::remove_file(&trigger).expect("the other tool's, left alone");
    assert_eq!(
        subject.dumps_after_own_quit(),
        1,
        "only the one this test asked for"
    );
}

#[test]
fn a_working_directory_that_is_gone_is_no_obstacle() {
    let scratch = Scratch::new("gone");
    let subject = Subject::run(Subject::command(jdk::any(), &[]).current_dir(&scratch.0));
    std::fs::remove_dir(&scratch.0).expect("empty");
    open(&subject.jvm(), LIMIT).expect("by its /tmp");
}

#[test]
fn a_target_that_dies_is_reported_as_dead() {
    let subject = Subject::start(jdk::any(), &[]);
    let jvm = subject.jvm();
    let door = open(&jvm, LIMIT).expect("open");
    subject.stop();
    let answer = std::thread::scope(|scope| {
        let asking = scope.spawn(|| door.execute("properties", &[]));
        // Connections wait in the stopped JVM's queue: one more than the door has made so far.
        wait_until("asked", || queued(&socket(&subject)) > 0);
        subject.signal("KILL");
        asking.join().expect("no panic")
    });
    let error = answer.expect_err("it is dead");
    assert!(matches!(error, AttachError::TargetDied { .. }), "{error}");
    let error = door.execute("properties", &[]).expect_err("it is dead");
    assert!(matches!(error, AttachError::TargetDied { .. }), "{error}");
    assert_eq!(state(subject.pid()), 'Z');
    let error = refusal(&jvm, SHORT);
    assert!(
        matches!(
            error,
            AttachError::NoSuchProcess { .. } | AttachError::TargetDied { .. }
        ),
        "{error}"
    );
}

/// Connections of the socket that are not accepted yet: they have no inode so far. (The path the
/// kernel shows is the one the JVM first bound it to, with an ending.)
fn queued(path: &str) -> usize {
    let text = std::fs::read_to_string("/proc/net/unix").expect("sockets");
    text.lines()
        .filter(|l| l.contains(path))
        .filter(|l| l.split_whitespace().nth(6) == Some("0"))
        .count()
}

#[test]
fn what_is_no_hotspot_is_refused_untouched() {
    let subject = Subject::start(jdk::any(), &[]);
    let mut cat = Command::new("cat")
        .stdin(std::process::Stdio::piped())
        .spawn()
        .expect("cat");
    let other = Jvm {
        pid: Pid(cat.id()),
        ..subject.jvm()
    };
    assert!(matches!(
        refusal(&other, LIMIT),
        AttachError::NotAJvm { .. }
    ));
    assert_eq!(cat.try_wait().expect("our own child"), None, "not killed");
    cat.kill().expect("our own child");
    cat.wait().expect("our own child");
    assert!(matches!(
        refusal(&other, LIMIT),
        AttachError::NoSuchProcess { .. }
    ));
}
