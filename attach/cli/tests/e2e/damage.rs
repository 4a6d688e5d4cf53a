//! Traces that are damaged, cut off, empty, foreign.

use crate::rig::{info, run, scratch};
use locklens_trace::chunk::{Encoder, FILE_HEADER_LEN, compress, file_header};
use locklens_trace::record::{End, EndReason, Hidden};
use locklens_trace::{Event, EventKind, LockId, Nanos, Owner, Record, ThreadId};
use std::fs;
use std::path::PathBuf;

/// Commands that read a trace.
fn readers(file: &str) -> [Vec<&str>; 4] {
    [
        vec!["info", file],
        vec!["report", file],
        vec!["events", "--raw", file],
        vec!["report", "--json", file],
    ]
}

fn file(name: &str, bytes: &[u8]) -> PathBuf {
    let path = scratch(name);
    fs::write(&path, bytes).unwrap();
    path
}

fn event(at: u64, thread: u32, kind: EventKind) -> Record {
    Record::Event(Event {
        at: Nanos(at),
        thread: ThreadId(thread),
        kind,
        lock: Some(LockId(1)),
        stack: None,
        owner: Owner::Unknown,
        seq: None,
    })
}

/// A trace of several chunks.
fn whole() -> Vec<u8> {
    let mut bytes = file_header().to_vec();
    for round in 0..4 {
        let mut encoder = Encoder::new();
        encoder.push(&event(round * 100, 1, EventKind::Enter));
        encoder.push(&event(round * 100 + 50, 1, EventKind::Entered));
        encoder.push(&Record::Hidden(Hidden {
            name: "x".into(),
            events: round,
        }));
        bytes.extend(compress(&encoder.take_chunk()).unwrap());
    }
    let mut encoder = Encoder::new();
    encoder.push(&Record::End(End {
        at: Nanos(1000),
        reason: EndReason::Stopped,
    }));
    bytes.extend(encoder.take_chunk());
    bytes
}

#[test]
fn what_is_no_trace_is_bad_input_and_says_what_a_trace_is() {
    let zeros = file("zeros", &[0; 5000]);
    let text = file("text", b"#!/bin/sh\necho this is no trace at all\n");
    for path in [zeros, text] {
        for words in readers(&path.to_string_lossy()) {
            run(&words)
                .ended_with(2)
                .said("is not a locklens trace")
                .said("locklens record");
        }
        fs::remove_file(path).unwrap();
    }
}

#[test]
fn a_compressed_trace_says_how_to_unpack_it() {
    let path = file(
        "packed.gz",
        b"\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\x03 and more",
    );
    for words in readers(&path.to_string_lossy()) {
        run(&words).ended_with(2).said("gunzip");
    }
    fs::remove_file(path).unwrap();
}

#[test]
fn a_trace_of_nothing_is_valid_for_every_reader() {
    let path = file("nothing.llt", &file_header());
    let name = path.to_string_lossy().into_owned();
    for words in [
        &["report", "--json"][..],
        &["info", "--json"],
        &["events", "--json"],
        &["events", "--raw", "--json"],
        &["graph", "--json"],
    ] {
        let ran = run(&[words, &[&name]].concat()).ended_with(0);
        let json: Result<serde_json::Value, _> = serde_json::from_str(&ran.stdout);
        assert!(json.is_ok(), "{words:?}: {ran:#?}");
    }
    fs::remove_file(path).unwrap();
}

#[test]
fn an_empty_file_is_called_empty() {
    let path = file("empty", b"");
    for words in readers(&path.to_string_lossy()) {
        run(&words).ended_with(2).said("is empty");
    }
    fs::remove_file(path).unwrap();
}

#[test]
fn a_missing_file_and_a_folder_are_bad_input() {
    run(&["report", "/nowhere/at.llt"])
        .ended_with(2)
        .said("No such file");
    run(&["info", "/"]).ended_with(2).said("/");
}

#[test]
fn another_version_is_named_with_advice() {
    let mut bytes = whole();
    bytes[7] = 200;
    let path = file("version", &bytes);
    for words in readers(&path.to_string_lossy()) {
        run(&words)
            .ended_with(2)
            .said("format 200")
            .said("use the version that recorded it");
    }
    fs::remove_file(path).unwrap();
}

#[test]
fn cut_off_anywhere_it_gives_what_is_whole() {
    let bytes = whole();
    let path = scratch("cut");
    for len in (FILE_HEADER_LEN..bytes.len()).step_by(7) {
        fs::write(&path, &bytes[..len]).unwrap();
        let figures = info(&path);
        assert_eq!(figures["ended"], false, "{len} bytes");
        let events = figures["events"].as_u64().unwrap();
        assert!(
            events <= 8 && events.is_multiple_of(2),
            "{len} bytes: {events} events"
        );
    }
    let name = path.to_string_lossy().into_owned();
    for words in [&["report"][..], &["graph", "--cycles"], &["graph"]] {
        let words = [words, &[&name]].concat();
        let ran = run(&words).ended_with(0);
        assert!(
            ran.stdout.contains("PARTIAL: the recording was"),
            "{ran:#?}"
        );
    }
    fs::remove_file(path).unwrap();
}

#[test]
fn damage_in_the_middle_costs_what_it_hits_and_is_reported() {
    let mut bytes = whole();
    bytes[FILE_HEADER_LEN + 30] ^= 0xff;
    let path = file("damaged", &bytes);
    let figures = info(&path);
    assert_eq!(figures["events"], 6);
    assert_eq!(figures["gaps"].as_object().unwrap().len(), 1, "{figures}");
    let name = path.to_string_lossy().into_owned();
    for words in [&["report"][..], &["graph", "--cycles"], &["graph"]] {
        let words = [words, &[&name]].concat();
        let ran = run(&words).ended_with(0);
        let said = "1 part of the trace could not be read";
        assert!(ran.stdout.contains(said), "{ran:#?}");
    }
    fs::remove_file(path).unwrap();
}

#[test]
fn without_its_beginning_nothing_is_said_of_how_it_was_recorded() {
    let mut bytes = whole();
    bytes[FILE_HEADER_LEN + 20] ^= 0xff;
    let path = file("headless.llt", &bytes);
    let word = path.to_string_lossy();
    let untold = "the part of the trace that says how it was recorded could not be read";
    let report = run(&["report", &word]).ended_with(0);
    report.printed("its beginning missing");
    let deadlocks = run(&["deadlocks", &word]).ended_with(0);
    assert!(!deadlocks.printed(untold).stdout.contains("watched only"));
    let graph = run(&["graph", &word, "--cycles"]).ended_with(0);
    assert!(!graph.said(untold).stderr.contains("watched only"));
    fs::remove_file(path).unwrap();
}
