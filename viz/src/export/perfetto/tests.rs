//! Traces read again by the description of their format, and held against its rules.

use super::super::reader::{all, get};
use super::super::scene::{Told, hostile, hostile_records, is_harmless, records};
use super::*;
use std::collections::{BTreeMap, BTreeSet, HashMap};

fn trace(told: &Told) -> Vec<u8> {
    let mut out = Vec::new();
    let mut perfetto = Perfetto::begin(&told.collected, &told.analysis, &mut out).unwrap();
    for happening in &told.happenings {
        perfetto.tell(happening).unwrap();
    }
    perfetto.end(&Pressure::default()).unwrap();
    out
}

/// What a trace says, read as its viewer does.
#[derive(Default)]
struct Read {
    tracks: BTreeMap<u64, String>,
    interned: HashMap<(u32, u64), String>,
    open: HashMap<u64, (u64, String)>,
    ends: HashMap<u64, u64>,
    begun: BTreeSet<u64>,
    ended: BTreeSet<u64>,
    lines: Vec<String>,
}

impl Read {
    fn of(bytes: &[u8]) -> Self {
        let mut read = Self::default();
        for packet in all(bytes, 1) {
            read.packet(packet.bytes());
        }
        assert!(read.open.is_empty(), "every slice ends: {:?}", read.open);
        assert_eq!(read.begun, read.ended, "flows have two ends");
        read
    }

    fn packet(&mut self, packet: &[u8]) {
        assert_eq!(get(packet, 10).unwrap().number(), SEQUENCE);
        let interned = get(packet, 12).map(|data| data.bytes()).unwrap_or_default();
        for (field, entry) in super::super::reader::fields(interned) {
            let number = get(entry.bytes(), 1).unwrap().number();
            let text = get(entry.bytes(), 2).unwrap().text().to_owned();
            let before = self.interned.insert((field, number), text);
            assert_eq!(before, None, "a string is told once");
        }
        if let Some(track) = get(packet, 60) {
            self.track(track.bytes());
        }
        if let Some(event) = get(packet, 11) {
            self.event(get(packet, 8).unwrap().number(), event.bytes());
        }
    }

    fn track(&mut self, track: &[u8]) {
        let uuid = get(track, 1).unwrap().number();
        let parent = get(track, 5).map(|parent| self.tracks[&parent.number()].clone() + " / ");
        let name = match (get(track, 2), get(track, 4), get(track, 3)) {
            (Some(name), _, _) => name.text().to_owned(),
            (_, Some(thread), _) => {
                let tid = get(thread.bytes(), 2).unwrap().number();
                format!("{} [{tid}]", get(thread.bytes(), 5).unwrap().text())
            }
            (_, _, process) => get(process.unwrap().bytes(), 6).unwrap().text().to_owned(),
        };
        let name = parent.unwrap_or_default() + &name;
        assert!(
            self.tracks.insert(uuid, name).is_none(),
            "a track is told once"
        );
    }

    fn event(&mut self, at: u64, event: &[u8]) {
        let track = get(event, 11).unwrap().number();
        let place = self.tracks[&track].clone();
        let name = match (get(event, 10), get(event, 23)) {
            (Some(number), _) => self.interned[&(2, number.number())].clone(),
            (_, Some(text)) => text.text().to_owned(),
            _ => String::new(),
        };
        let about: Vec<String> = all(event, 4)
            .iter()
            .map(|a| self.annotation(a.bytes()))
            .collect();
        self.begun
            .extend(all(event, 47).iter().map(|flow| flow.number()));
        for flow in all(event, 48) {
            assert!(self.begun.contains(&flow.number()), "a flow begins first");
            assert!(self.ended.insert(flow.number()), "and ends once");
        }
        match get(event, 9).unwrap().number() {
            1 => {
                assert!(
                    at >= self.ends.get(&track).copied().unwrap_or(0),
                    "{place} overlaps"
                );
                let text = format!("{name} {}", about.join(" "));
                assert!(
                    self.open.insert(track, (at, text)).is_none(),
                    "{place} nests"
                );
            }
            2 => {
                let (from, text) = self.open.remove(&track).expect("what ends has begun");
                assert!(at >= from, "{place} ends before it begins");
                self.ends.insert(track, at);
                self.lines.push(format!("{from}..{at} {place}: {text}"));
            }
            3 => self
                .lines
                .push(format!("{at} {place}: {name} {}", about.join(" "))),
            _ => {
                let value = get(event, 30).or(get(event, 44)).unwrap().number();
                self.lines.push(format!("{at} {place} = {value}"));
            }
        }
    }

    fn annotation(&self, annotation: &[u8]) -> String {
        let name = &self.interned[&(3, get(annotation, 1).unwrap().number())];
        let value = match (get(annotation, 17), get(annotation, 3)) {
            (Some(number), _) => self.interned[&(29, number.number())].clone(),
            (_, Some(number)) => number.number().to_string(),
            _ => {
                let entries = all(annotation, 12);
                let entry = |entry: &[u8]| {
                    let parts = all(entry, 11);
                    let parts: Vec<_> = parts.iter().map(|p| self.annotation(p.bytes())).collect();
                    format!("{{{}}}", parts.join(" "))
                };
                entries.iter().map(|e| entry(e.bytes())).collect()
            }
        };
        format!("{name}={value}")
    }

    fn text(&self) -> String {
        self.lines.join("\n")
    }
}

#[test]
fn a_recording_becomes_slices_counters_and_flows() {
    let bytes = trace(&Told::of(&records("writer", "app.Store")));
    insta::assert_snapshot!(Read::of(&bytes).text());
}

#[test]
fn the_same_recording_becomes_the_same_bytes() {
    let told = || Told::of(&records("writer", "app.Store"));
    assert_eq!(trace(&told()), trace(&told()));
}

/// As Perfetto's own plugin takes names apart.
fn taken_apart(name: &str) -> [String; 6] {
    let split = |text: &str, by: &str, nth: usize| {
        text.split(by)
            .nth(nth)
            .unwrap_or_else(|| panic!("{nth} of {by:?} in {text:?}"))
            .to_owned()
    };
    let method = |after: &str| {
        let rest = split(name, after, 1);
        split(&split(&rest, " ", 1), "(", 0)
    };
    [
        split(&split(name, "with owner ", 1), " (", 0),
        split(&split(name, " (", 1), ")", 0),
        method(") at "),
        method("blocking from "),
        split(&split(name, ")(", 1), ")", 0),
        split(&split(name, "waiters=", 1), " ", 0),
    ]
}

fn contended(writer: &str, class: &str) -> [String; 6] {
    let bytes = trace(&Told::of(&records(writer, class)));
    let read = Read::of(&bytes);
    let mut names = read
        .interned
        .into_iter()
        .filter(|((field, _), _)| *field == 2);
    let name =
        names.find(|(_, name)| name.starts_with("monitor contention") && name.contains("(21)"));
    taken_apart(&name.expect("a contended monitor with its owner").1)
}

#[test]
fn a_contended_monitor_is_told_in_perfettos_words() {
    let parts = contended("writer", "app.Store");
    let expected = [
        "writer",
        "21",
        "app.Store.put",
        "app.Store.put",
        "Store.java:12",
        "0",
    ];
    assert_eq!(parts, expected);
}

#[test]
fn names_do_no_harm_to_that() {
    let parts = contended(
        "evil (7) at x y(z)(A:1) waiters=9 blocking from \u{1b}[31m\u{202e}",
        "a b(c)(d) waiters=3 blocking from ",
    );
    assert_eq!(
        (parts[1].as_str(), parts[4].as_str(), parts[5].as_str()),
        ("21", "Store.java:12", "0")
    );
    assert!(
        !parts
            .concat()
            .chars()
            .any(|c| c.is_control() || c == '\u{202e}'),
        "{parts:?}"
    );
}

#[test]
fn whatever_has_a_name_that_means_harm_is_told_as_text() {
    for name in hostile() {
        let read = Read::of(&trace(&Told::of(&hostile_records(&name))));
        for text in read.tracks.values().chain(read.interned.values()) {
            assert!(is_harmless(text), "{name:.40}: {text:?}");
        }
    }
}

#[test]
fn a_long_name_is_cut() {
    let bytes = trace(&Told::of(&records(
        &"n".repeat(65_000),
        &"c".repeat(65_000),
    )));
    Read::of(&bytes);
    assert!(bytes.len() < 20_000, "{}", bytes.len());
}

#[test]
fn a_recording_of_nothing_is_a_trace() {
    let bytes = trace(&Told::of(&[]));
    insta::assert_snapshot!(Read::of(&bytes).text());
}

#[test]
fn what_overlaps_is_put_side_by_side() {
    let told = Told::of(&records("writer", "app.Store"));
    let mut happenings = told.happenings.clone();
    happenings.extend(told.happenings.clone());
    let told = Told { happenings, ..told };
    // Every slice is there twice, on tracks beside each other: reading it fails where they overlap.
    Read::of(&trace(&told));
}
