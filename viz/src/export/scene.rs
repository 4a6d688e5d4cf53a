//! A recording written by hand, and the timeline of any records, for the tests of this module.

use locklens_inference::analysis::Analysis;
use locklens_inference::collect::{Collected, Collector};
use locklens_inference::contention::timeline::Timeline;
use locklens_inference::contention::{Census, Happening};
use locklens_inference::model::Options;
use locklens_trace::juc::{Act, Operation, Outcome};
use locklens_trace::park::{Park, ParkEnd, Unpark};
use locklens_trace::record::{
    ClassDef, Event, Frame, LockDef, LockObject, LossCause, Lost, MethodDef, Owner, StackDef,
    ThreadDef, target_key,
};
use locklens_trace::{ClassId, EventKind, LockId, MethodId, Nanos, Record, StackId, ThreadId};

/// What is known of a recording, and what it tells.
pub(crate) struct Told {
    pub(crate) collected: Collected,
    pub(crate) analysis: Analysis,
    pub(crate) happenings: Vec<Happening>,
}

impl Told {
    pub(crate) fn of(records: &[Record]) -> Self {
        let options = Options::default();
        let (mut collector, mut census) = (Collector::new(options), Census::default());
        for record in records {
            census.see(record);
            collector.push(record.clone());
        }
        let collected = collector.finish();
        let analysis = Analysis::of(&collected, &options);
        let findings = census.finish();
        let mut timeline = Timeline::new(&collected, &analysis, &findings);
        let mut happenings: Vec<Happening> = Vec::new();
        for record in records {
            happenings.extend(timeline.push(record));
        }
        happenings.extend(timeline.finish());
        Self {
            collected,
            analysis,
            happenings,
        }
    }
}

fn event(us: u64, thread: u32, kind: EventKind) -> Event {
    Event {
        at: Nanos(us * 1000),
        thread: ThreadId(thread),
        kind,
        lock: Some(LockId(1)),
        stack: Some(StackId(1)),
        owner: Owner::Unknown,
        seq: None,
    }
}

fn thread(id: u32, name: &str) -> Record {
    Record::Thread(ThreadDef {
        id: ThreadId(id),
        tid: u64::from(id) + 20,
        name: name.to_owned(),
        group: None,
        daemon: false,
        is_virtual: false,
        at_start: false,
    })
}

/// Two threads hand a lock to each other, one waits and is notified; one parks; events are lost. `writer` and `class` are names.
pub(crate) fn records(writer: &str, class: &str) -> Vec<Record> {
    let facts = [
        (target_key::PID, "4242"),
        (target_key::MAIN, "app.Main"),
        (target_key::EXACT, "true"),
        (target_key::EXACT_SINCE, "0"),
        (target_key::MODE, "launch"),
        (target_key::STARTED_UNIX_NS, "1700000000000000000"),
        (target_key::PARKS_SINCE, "0"),
    ];
    let facts = facts.map(|(key, value)| (key.to_owned(), value.to_owned()));
    let mut records = vec![
        Record::Target(facts.to_vec()),
        Record::Class(ClassDef {
            id: ClassId(1),
            loader: None,
            name: class.to_owned(),
            super_name: Some("java.lang.Object".to_owned()),
            interfaces: Vec::new(),
            flags: 0,
            source_file: Some("Store.java".to_owned()),
        }),
        Record::Method(MethodDef {
            id: MethodId(1),
            class: ClassId(1),
            name: "put".to_owned(),
            descriptor: "(Ljava/lang/String;[J)I".to_owned(),
            flags: 0x20,
            lines: vec![(0, 12)],
        }),
        Record::Stack(StackDef {
            id: StackId(1),
            frames: vec![Frame {
                method: MethodId(1),
                bci: Some(0),
            }],
            cut: true,
        }),
        thread(1, writer),
        thread(2, "reader"),
    ];
    records.extend((1..=2).map(|id| {
        Record::Lock(LockDef {
            id: LockId(id),
            class: ClassId(1),
            hash: 7,
            object: LockObject::Plain,
        })
    }));
    let events = [
        event(10, 1, EventKind::Entered),
        Event {
            owner: Owner::Thread(ThreadId(1)),
            ..event(20, 2, EventKind::Enter)
        },
        event(50, 1, EventKind::Exit),
        event(51, 2, EventKind::Entered),
        event(60, 2, EventKind::Wait { timeout: None }),
        event(70, 1, EventKind::Entered),
        event(75, 1, EventKind::Notify),
        event(80, 1, EventKind::Exit),
        event(81, 2, EventKind::Waited { timed_out: false }),
        event(82, 2, EventKind::Resumed),
        event(90, 2, EventKind::Exit),
    ];
    records.extend(events.map(Record::Event));
    records.push(Record::Park(Park {
        stack: None,
        thread: ThreadId(2),
        lock: Some(LockId(2)),
        from: Nanos(92_000),
        to: Nanos(99_000),
        limit: None,
        end: ParkEnd::Unparked,
        unpark: Some(Unpark {
            stack: None,
            by: ThreadId(1),
            at: Nanos(98_000),
        }),
    }));
    records.push(Record::Operation(Operation {
        at: Nanos(99_500),
        thread: ThreadId(2),
        lock: LockId(2),
        act: Act::Take,
        outcome: Outcome::Done,
        count: 1,
        tries: false,
        stack: None,
    }));
    records.push(Record::Lost(Lost {
        from: Nanos(100_000),
        to: Nanos(110_000),
        count: 3,
        cause: LossCause::BufferFull,
    }));
    records
}

/// Names that mean harm, one of each kind.
pub(crate) fn hostile() -> Vec<String> {
    let names = [
        "</script><script>alert(1)</script>",
        "\"'`,;\\\u{0}\r\n\t",
        "\u{1b}[2J\u{9b}31m\u{1b}]0;evil\u{7}",
        "\u{202e}\u{2066}\u{200b}\u{feff}gnp.exe",
        "[here](https://evil.example) {0} %s ${x} {{y}}",
        "=cmd|' /C calc'!A0",
        "../../etc/passwd",
        "",
    ];
    let mut names = names.map(str::to_owned).to_vec();
    names.push("\u{e4}".repeat(32 * 1024));
    names
}

/// The recording of [`records`], where everything that has a name has this one.
pub(crate) fn hostile_records(name: &str) -> Vec<Record> {
    let mut records = records(name, name);
    for record in &mut records {
        match record {
            Record::Target(facts) => {
                let main = facts.iter_mut().find(|(key, _)| key == target_key::MAIN);
                main.unwrap().1 = name.to_owned();
            }
            Record::Class(class) => class.source_file = Some(name.to_owned()),
            Record::Method(method) => {
                method.name = name.to_owned();
                method.descriptor = format!("(L{name};I)L{name};");
            }
            Record::Thread(thread) => {
                (thread.name, thread.group) = (name.to_owned(), Some(name.to_owned()));
            }
            _ => {}
        }
    }
    records
}

/// Whether a text can do no harm where it is shown, and is of a length that can be.
pub(crate) fn is_harmless(text: &str) -> bool {
    let is_harmful =
        |c: char| c.is_control() || matches!(c, '\u{202e}' | '\u{2066}' | '\u{200b}' | '\u{feff}');
    !text.contains(is_harmful) && text.chars().count() < 3_000
}
