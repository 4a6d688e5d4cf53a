//! How a recording begins and ends, and what is left of it: nothing.

use crate::harness::jdk::Jdk;
use crate::harness::trace::Trace;
use crate::harness::{DEADLINE, Scratch, Station, Target, agent, compile, count, record, until};
use locklens_trace::record::{EndReason, LossCause};
use locklens_trace::{EventKind, Record};
use std::io::Write;
use std::os::unix::net::UnixStream;
use std::time::{Duration, Instant};

/// After the channel breaks, and a margin for a busy machine.
const OFF: Duration = Duration::from_secs(2);

/// A running program and a place to be called from.
struct Stage {
    target: Target,
    scratch: Scratch,
}

impl Stage {
    fn new(jdk: &Jdk, program: &str, flags: &[&str]) -> Self {
        let scratch = Scratch::new();
        compile(jdk, program, scratch.path());
        let target = Target::start(jdk, scratch.path(), program, flags);
        Self { target, scratch }
    }

    fn begin(&self) -> UnixStream {
        self.begin_with(",depth=8,buffer=4194304")
    }

    fn begin_with(&self, options: &str) -> UnixStream {
        let station = Station::new(self.scratch.path());
        let reply = self.target.load(&station.options(options));
        let (hello, stream) = station.accept();
        assert_eq!(hello.status, 0, "{hello:?} {reply}");
        stream
    }

    fn cycle(&self) -> Vec<Record> {
        record(self.begin(), |_| true)
    }

    fn has_our_threads(&self) -> bool {
        self.target
            .threads()
            .iter()
            .any(|name| name.starts_with("locklens"))
    }
}

#[test]
fn nothing_is_left_after_a_stop() {
    for jdk in Jdk::all() {
        let stage = Stage::new(&jdk, "Zoo", &[]);
        // The attach mechanism itself leaves its listener behind; that is not ours.
        stage.cycle();
        until("our thread's end", || !stage.has_our_threads());
        let before = stage.target.descriptors();
        let records = stage.cycle();
        assert_eq!(Trace::of(&records).end, Some(EndReason::Stopped));
        until("our thread's end", || !stage.has_our_threads());
        assert_eq!(stage.target.descriptors(), before, "JDK {}", jdk.major);
    }
}

/// It may count or interrupt those in its own thread group.
#[test]
fn the_program_has_none_of_our_threads_in_its_group() {
    for jdk in Jdk::all() {
        let mut stage = Stage::new(&jdk, "Group", &[]);
        for _ in 0..2 {
            record(stage.begin_with(",depth=8,vmprobes=1"), |_| true);
            until("our thread's end", || !stage.has_our_threads());
        }
        stage.target.tell("");
        assert_eq!(stage.target.line(), "seen:", "JDK {}", jdk.major);
    }
}

#[test]
fn a_second_recorder_is_refused_and_the_first_goes_on() {
    let stage = Stage::new(&Jdk::newest(), "Zoo", &[]);
    let first = stage.begin();
    let station = Station::new(stage.scratch.path());
    stage.target.load(&station.options(""));
    let (hello, _stream) = station.accept();
    assert_eq!(hello.status, 1);
    assert!(hello.message.contains("another recorder"), "{hello:?}");
    let records = record(first, |records| count(records, EventKind::Entered) > 5);
    assert_eq!(Trace::of(&records).end, Some(EndReason::Stopped));
}

#[test]
fn options_that_make_no_sense_are_refused_in_words() {
    let stage = Stage::new(&Jdk::newest(), "Zoo", &[]);
    let station = Station::new(stage.scratch.path());
    stage.target.load(&station.options(",depth=1000"));
    let (hello, _stream) = station.accept();
    assert_eq!(hello.status, 2);
    assert!(hello.message.contains("depth"), "{hello:?}");
    stage.cycle();
}

#[test]
fn an_agent_nobody_listens_to_does_nothing() {
    let mut stage = Stage::new(&Jdk::newest(), "Zoo", &[]);
    let nowhere = stage.scratch.path().join("nowhere");
    stage.target.load(&format!("sock={}", nowhere.display()));
    stage.target.load("");
    assert!(!stage.has_our_threads() && stage.target.is_alive());
    stage.cycle();
}

#[test]
fn a_broken_channel_switches_off_within_two_seconds() {
    for jdk in Jdk::all() {
        let stage = Stage::new(&jdk, "Storm", &[]);
        let before = {
            stage.cycle();
            until("our thread's end", || !stage.has_our_threads());
            stage.target.descriptors()
        };
        let stream = stage.begin();
        until("our thread", || stage.has_our_threads());
        drop(stream);
        let broken = Instant::now();
        until("our thread's end", || !stage.has_our_threads());
        assert!(
            broken.elapsed() < OFF,
            "JDK {}: {:?}",
            jdk.major,
            broken.elapsed()
        );
        assert_eq!(stage.target.descriptors(), before);
        stage.cycle();
    }
}

/// A defect of ours, as builds for tests can be asked for.
#[test]
fn a_writer_that_fails_costs_the_recording_and_nothing_else() {
    for jdk in Jdk::all() {
        let mut stage = Stage::new(&jdk, "Storm", &[]);
        stage.cycle();
        until("our thread's end", || !stage.has_our_threads());
        let before = stage.target.descriptors();
        let mut stream = stage.begin();
        until("our thread", || stage.has_our_threads());
        stream.write_all(b"!").expect("a fault asked for");
        let mut rest = Vec::new();
        // It may be reset, with what we said unread.
        let _ = std::io::Read::read_to_end(&mut stream, &mut rest);
        let mut items = locklens_trace::read::Reader::new(&rest[..])
            .into_iter()
            .flatten();
        let ended =
            items.any(|item| matches!(item, locklens_trace::read::Item::Record(Record::End(_))));
        assert!(
            !ended,
            "JDK {}: it ended as if nothing were amiss",
            jdk.major
        );
        until("our thread's end", || !stage.has_our_threads());
        // Among them is what callbacks wake the writer by: it goes with the recording itself.
        assert_eq!(stage.target.descriptors(), before, "JDK {}", jdk.major);
        let records = stage.cycle();
        assert_eq!(Trace::of(&records).end, Some(EndReason::Stopped));
        assert!(stage.target.is_alive());
    }
}

/// Where there is no room for a thread object, the writer is no thread of the JVM: nothing has been switched on by then.
#[test]
fn a_full_heap_refuses_the_recording_and_nothing_is_left_of_it() {
    for jdk in Jdk::all() {
        let mut stage = Stage::new(&jdk, "Full", &[]);
        assert_eq!(stage.target.line(), "E");
        stage.cycle();
        until("our thread's end", || !stage.has_our_threads());
        let before = stage.target.descriptors();
        stage.target.tell("f");
        assert_eq!(stage.target.line(), "F", "JDK {}", jdk.major);
        for _ in 0..3 {
            let station = Station::new(stage.scratch.path());
            let reply = stage
                .target
                .load(&station.options(",depth=8,buffer=4194304"));
            let (hello, stream) = station.accept();
            assert_eq!(hello.status, 2, "JDK {}: {hello:?} {reply}", jdk.major);
            assert!(hello.message.contains("heap"), "{hello:?}");
            drop(stream);
        }
        until("our thread's end", || !stage.has_our_threads());
        // The JVM takes a moment to close what the last request came by.
        until("the end of all that is open", || {
            stage.target.descriptors() == before
        });
        stage.target.tell("f");
        assert_eq!(stage.target.line(), "E");
        let records = stage.cycle();
        assert_eq!(Trace::of(&records).end, Some(EndReason::Stopped));
        assert!(stage.target.is_alive());
    }
}

#[test]
fn a_command_that_falls_silent_is_left() {
    for jdk in Jdk::all() {
        let stage = Stage::new(&jdk, "Zoo", &[]);
        let stream = stage.begin_with(",depth=8,beat=5000");
        let mut control = stream.try_clone().expect("second handle");
        let mut beats = 0;
        let records = crate::harness::read(stream, |records, tick| {
            if tick && (beats == 0 || count(records, EventKind::Entered) < 20) {
                control.write_all(b"H").expect("a beat");
                beats += 1;
            }
        });
        let trace = Trace::of(&records);
        assert_eq!(
            trace.end,
            Some(EndReason::CommandSilent),
            "JDK {}",
            jdk.major
        );
        assert!(beats > 0 && count(&records, EventKind::Entered) >= 20);
        until("our thread's end", || !stage.has_our_threads());
        stage.cycle();
    }
}

#[test]
fn a_command_that_does_not_read_costs_events_and_nothing_else() {
    let mut stage = Stage::new(&Jdk::newest(), "Storm", &[]);
    let stream = stage.begin();
    let handed = |target: &mut Target| target.line().parse::<u64>().expect("a number");
    let first = handed(&mut stage.target);
    // The channel's and the socket's buffers, and the ring, hold some 100,000 events.
    until("a million turns", || {
        handed(&mut stage.target) > first + 1_000_000
    });
    let resident = stage.target.resident();
    assert!(resident < 400 << 20, "{resident}");
    let mut seen = 0;
    let records = record(stream, |records| {
        let is_loss = |r: &Record| matches!(r, Record::Lost(l) if l.cause == LossCause::BufferFull);
        let lost = records[seen..].iter().any(is_loss);
        seen = records.len();
        lost
    });
    let trace = Trace::of(&records);
    assert_eq!(trace.end, Some(EndReason::Stopped));
    assert!(trace.lost(LossCause::BufferFull) > 0);
}

#[test]
fn two_hundred_recordings_leave_nothing_that_grows() {
    for jdk in [Jdk::all().swap_remove(0), Jdk::newest()] {
        let stage = Stage::new(&jdk, "Zoo", &[]);
        let settle = |cycles: u32| {
            for _ in 0..cycles {
                stage.cycle();
            }
            until("our thread's end", || !stage.has_our_threads());
            (
                stage.target.descriptors().len(),
                stage.target.maps(),
                stage.target.resident(),
            )
        };
        let (descriptors, maps, resident) = settle(40);
        let (descriptors_after, maps_after, resident_after) = settle(160);
        assert_eq!(descriptors_after, descriptors, "JDK {}", jdk.major);
        // The JVM maps and unmaps for itself, so these are bounds, not equalities.
        assert!(maps_after < maps + 40, "{maps} → {maps_after}");
        let grown = resident_after.saturating_sub(resident) >> 20;
        assert!(
            grown < 24,
            "JDK {}: {grown} MiB in 160 recordings",
            jdk.major
        );
    }
}

/// A thread that ends between two recordings must not leave anything behind that the second writes
/// to; see `keep_an_environment` in the agent. Only a crash tells, and not every time.
#[test]
fn threads_may_end_between_recordings() {
    for jdk in Jdk::all().into_iter().filter(|jdk| jdk.major < 21) {
        let mut stage = Stage::new(&jdk, "Zoo", &[]);
        for _ in 0..40 {
            stage.cycle();
        }
        assert!(stage.target.is_alive(), "JDK {}", jdk.major);
    }
}

/// Classes are unloaded, threads end, everything is collected, while recordings come and go.
#[test]
fn a_jvm_in_which_nothing_lasts_survives_many_recordings() {
    for jdk in Jdk::all() {
        let mut stage = Stage::new(&jdk, "Churn", &["-XX:MaxMetaspaceSize=64m"]);
        for _ in 0..12 {
            let records = record(stage.begin(), |records| {
                count(records, EventKind::Wait { timeout: None }) > 40
            });
            let trace = Trace::of(&records);
            assert_eq!(trace.end, Some(EndReason::Stopped));
            let guests = trace.classes.values().filter(|c| c.name == "Churn$Guest");
            let loaders: Vec<_> = guests.map(|class| class.loader).collect();
            // Classes of one name from several loaders stay apart.
            assert!(loaders.len() > 1, "JDK {}: {loaders:?}", jdk.major);
        }
        assert!(stage.target.is_alive(), "JDK {}", jdk.major);
        until("our thread's end", || !stage.has_our_threads());
    }
}

#[test]
fn the_end_of_the_target_ends_the_recording() {
    for jdk in Jdk::all() {
        let mut stage = Stage::new(&jdk, "Zoo", &[]);
        let stream = stage.begin();
        let mut asked = false;
        let records = crate::harness::read(stream, |records, _| {
            if !asked && count(records, EventKind::Entered) > 5 {
                stage.target.terminate();
                asked = true;
            }
        });
        assert_eq!(
            Trace::of(&records).end,
            Some(EndReason::VmDeath),
            "JDK {}",
            jdk.major
        );
        stage.target.wait_for_exit();
    }
}

#[test]
fn a_launched_target_is_recorded_from_its_first_moment_to_its_own_exit() {
    for jdk in Jdk::all() {
        let scratch = Scratch::new();
        compile(&jdk, "Brief", scratch.path());
        let station = Station::new(scratch.path());
        let path = agent();
        let flag = format!(
            "-agentpath:{}={}",
            path.display(),
            station.options(",depth=8")
        );
        let mut target = Target::launch(&jdk, scratch.path(), "Brief", &[&flag]);
        let (hello, stream) = station.accept();
        assert_eq!(hello.status, 0);
        let records = crate::harness::read(stream, |_, _| {});
        assert_eq!(target.exit_code(), Some(7));
        let trace = Trace::of(&records);
        let context = format!("JDK {}", jdk.major);
        assert_eq!(trace.end, Some(EndReason::VmDeath), "{context}");
        assert_eq!(trace.target.get("mode").map(String::as_str), Some("launch"));
        for name in ["brief-0", "brief-1", "brief-2"] {
            let def = trace.threads.values().find(|def| def.name == name);
            let def = def.unwrap_or_else(|| panic!("{context}: no {name}"));
            assert!(!def.at_start, "{context}: {def:?}");
            let events = trace.events.iter().filter(|e| e.thread == def.id);
            let kinds: Vec<EventKind> = events.map(|event| event.kind).collect();
            assert_eq!(kinds.first(), Some(&EventKind::ThreadStart), "{context}");
            assert_eq!(kinds.last(), Some(&EventKind::ThreadEnd), "{context}");
        }
        let enters = trace.on("java.lang.Object", EventKind::Enter);
        assert!(!enters.is_empty(), "{context}");
    }
}

#[test]
fn a_launched_target_runs_when_nobody_listens() {
    let jdk = Jdk::newest();
    let scratch = Scratch::new();
    compile(&jdk, "Brief", scratch.path());
    let flag = format!("-agentpath:{}=sock=/nowhere", agent().display());
    let mut target = Target::launch(&jdk, scratch.path(), "Brief", &[&flag]);
    assert_eq!(target.line(), "ready");
    assert_eq!(target.exit_code(), Some(7));
}

#[test]
fn the_jvm_checks_our_calls_and_finds_nothing() {
    for jdk in Jdk::all() {
        let mut stage = Stage::new(&jdk, "Zoo", &["-Xcheck:jni"]);
        let mut stream = stage.begin();
        let control = stream.try_clone().expect("second handle");
        let records = record(control, |records| {
            count(records, EventKind::Entered) > 30
                && records.iter().any(|r| matches!(r, Record::Code(_)))
        });
        assert!(!records.is_empty());
        let _ = stream.write_all(b"S");
        stage.target.terminate();
        stage.target.wait_for_exit();
        let said = stage.target.rest();
        let ours = said
            .lines()
            .filter(|l| l.contains("locklens") || l.contains("FATAL") || l.contains("local refs"));
        assert_eq!(
            ours.collect::<Vec<_>>(),
            Vec::<&str>::new(),
            "JDK {}",
            jdk.major
        );
    }
}

#[test]
fn the_first_event_comes_at_once() {
    let jdk = Jdk::newest();
    let stage = Stage::new(&jdk, "Zoo", &[]);
    stage.cycle();
    let asked = Instant::now();
    let stream = stage.begin();
    let mut first = None;
    let mut control = stream.try_clone().expect("second handle");
    crate::harness::read(stream, |records, _| {
        if first.is_none() && matches!(records.last(), Some(Record::Event(_))) {
            first = Some(asked.elapsed());
            let _ = control.write_all(b"S");
        }
    });
    let first = first.expect("an event");
    assert!(first < Duration::from_millis(300), "{first:?}");
    assert!(first < DEADLINE);
}
