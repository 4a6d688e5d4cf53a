//! Names of a target that would like to work on somebody's terminal.

use crate::rig::{run, scratch};
use locklens_trace::chunk::{Encoder, file_header};
use locklens_trace::record::{
    ClassDef, End, EndReason, Frame, LockDef, LockObject, MethodDef, StackDef, ThreadDef,
    target_key,
};
use locklens_trace::{
    ClassId, Event, EventKind, LockId, MethodId, Nanos, Owner, Record, StackId, ThreadId,
};
use std::fs;

const EVIL: &str = "=a.\u{1b}[2J\u{9b}31mEVIL,\"q\"\r\n\u{2028}\u{200b}\u{202e}";

fn definitions(evil: &str) -> [Record; 5] {
    let method = MethodId(1);
    let frames = vec![Frame {
        method,
        bci: Some(0),
    }];
    [
        Record::Class(ClassDef {
            id: ClassId(1),
            loader: None,
            name: evil.into(),
            super_name: None,
            interfaces: Vec::new(),
            flags: 0,
            source_file: Some(evil.into()),
        }),
        Record::Method(MethodDef {
            id: method,
            class: ClassId(1),
            name: evil.into(),
            descriptor: "()V".into(),
            flags: 0x20,
            lines: vec![(0, 10)],
        }),
        Record::Stack(StackDef {
            id: StackId(1),
            frames,
            cut: false,
        }),
        Record::Lock(LockDef {
            id: LockId(1),
            class: ClassId(1),
            hash: 1,
            object: LockObject::Plain,
        }),
        Record::Thread(ThreadDef {
            id: ThreadId(1),
            tid: 9,
            name: evil.into(),
            group: None,
            daemon: false,
            is_virtual: false,
            at_start: true,
        }),
    ]
}

/// A thread that was blocked once; whatever has a name has this one.
pub(crate) fn trace(evil: &str) -> Vec<u8> {
    let mut encoder = Encoder::new();
    let facts = [target_key::MAIN, target_key::EXACT_NAMES];
    let facts = facts.map(|key| (key.to_owned(), evil.to_owned()));
    encoder.push(&Record::Target(facts.into()));
    definitions(evil)
        .iter()
        .for_each(|record| encoder.push(record));
    for (at, kind) in [(10, EventKind::Enter), (90, EventKind::Entered)] {
        encoder.push(&Record::Event(Event {
            at: Nanos(at),
            thread: ThreadId(1),
            kind,
            lock: Some(LockId(1)),
            stack: Some(StackId(1)),
            owner: Owner::Thread(ThreadId(1)),
            seq: None,
        }));
    }
    encoder.push(&Record::End(End {
        at: Nanos(100),
        reason: EndReason::Stopped,
    }));
    let mut bytes = file_header().to_vec();
    bytes.extend(encoder.take_chunk());
    bytes
}

#[test]
fn no_name_of_the_target_reaches_the_terminal_as_it_is() {
    let path = scratch("hostile");
    fs::write(&path, trace(EVIL)).unwrap();
    let file = path.to_str().unwrap();
    for words in [
        &["report", file][..],
        &["report", "--csv", file],
        &["report", "--select", "*", file],
        &["show", file, "1"],
        &["html", file, "-o", "-"],
        &["show", file, EVIL],
        &["show", file, "no \u{1b}[2J such lock"],
        &["events", file],
        &["events", "--csv", file],
        &["events", "--raw", file],
        &["info", file],
        &["graph", file],
    ] {
        let ran = run(words);
        for text in [&ran.stdout, &ran.stderr] {
            let harmful = |c: char| {
                c.is_control() && c != '\n' || matches!(c, '\u{2028}' | '\u{200b}' | '\u{202e}')
            };
            assert!(!text.contains(harmful), "{words:?}: {text:?}");
        }
    }
    fs::remove_file(path).unwrap();
}
