//! Blocked time by call chain as a profile of pprof: `perftools.profiles.Profile`, not compressed, which its readers take.
//!
//! A sample for each distinct call chain, thread and lock, with how often and how long threads were blocked there. Samples
//! of owners count a stay for each owner that had a part in it; its time is divided.

use super::names::harmless;
use super::proto::Message;
use crate::contention::{Side, fate};
use locklens_inference::contention::{Blame, Key, Row, Value};
use locklens_inference::model::{CallChain, Model};
use locklens_trace::record::target_key;
use std::collections::HashMap;
use std::io::{self, Write};

/// The keys of blocked time that such a profile is made of.
#[must_use]
pub fn keys(side: Side) -> Vec<Key> {
    vec![side.key(), Key::WaiterThread, Key::Lock, Key::Type]
}

/// Tells our profiles from others.
pub const MADE_BY: &str = "locklens export";

/// Names of the labels, for all keys but the first.
const LABELS: [&str; 3] = ["thread", "lock", "type"];

/// Writes blocked time that was divided by [`keys`].
///
/// # Errors
/// When `out` fails.
pub fn pprof(blame: &Blame, model: &Model, out: &mut dyn Write) -> io::Result<()> {
    let mut profile = Profile::default();
    profile.string("");
    profile.string(MADE_BY);
    profile.head(blame, model);
    for row in &blame.total.rows {
        let locations = profile.locations(row);
        profile.labelled(row, &locations, &mut Vec::new());
    }
    profile.tables();
    out.write_all(profile.message.bytes())
}

/// A profile under construction: samples are written, what they refer to is kept.
#[derive(Debug, Default)]
struct Profile {
    message: Message,
    /// Those that stand in it, by their places.
    strings: HashMap<String, u64>,
    /// Name, file and line of each location.
    locations: Vec<(u64, u64)>,
    known_locations: HashMap<(u64, u64), u64>,
    /// Name and file of each function.
    functions: Vec<(u64, u64)>,
    known_functions: HashMap<(u64, u64), u64>,
}

impl Profile {
    fn string(&mut self, text: &str) -> u64 {
        if let Some(&index) = self.strings.get(text) {
            return index;
        }
        let index = self.strings.len() as u64;
        self.strings.insert(text.to_owned(), index);
        self.message.string(6, text);
        index
    }

    fn head(&mut self, blame: &Blame, model: &Model) {
        let what = if blame.waits { "waits" } else { "contentions" };
        let types = [(what, "count"), ("delay", "nanoseconds")];
        let types = types.map(|(kind, unit)| (self.string(kind), self.string(unit)));
        for (kind, unit) in types {
            self.message.nested(1, |of| {
                of.uint(1, kind);
                of.uint(2, unit);
            });
        }
        let started = model.target.get(target_key::STARTED_UNIX_NS);
        if let Some(at) = started.and_then(|at| at.parse::<i64>().ok()) {
            self.message.int(9, at);
        }
        let duration = model.recording.duration.0.min(i64::MAX as u64);
        self.message.uint(10, duration);
        let (kind, unit) = types[0];
        self.message.nested(11, |of| {
            of.uint(1, kind);
            of.uint(2, unit);
        });
        self.message.uint(12, 1);
        self.message.uint(14, types[1].0);
        for remark in std::iter::once(MADE_BY).chain(remarks(model)) {
            let remark = self.string(remark);
            self.message.uint(13, remark);
        }
    }

    /// Samples of the rows within a row, with a label for each key.
    fn labelled(&mut self, row: &Row, locations: &[u64], labels: &mut Vec<(u64, u64)>) {
        if row.rows.is_empty() {
            return self.sample(row, locations, labels);
        }
        for inner in &row.rows {
            let key = LABELS[labels.len().min(LABELS.len() - 1)];
            let label = (self.string(key), self.string(&told(inner)));
            labels.push(label);
            self.labelled(inner, locations, labels);
            labels.pop();
        }
    }

    fn sample(&mut self, row: &Row, locations: &[u64], labels: &[(u64, u64)]) {
        let values = [row.count, row.ns.0].map(|value| value.min(i64::MAX as u64));
        self.message.nested(2, |sample| {
            sample.packed(1, locations);
            sample.packed(2, &values);
            for &(key, text) in labels {
                sample.nested(3, |label| {
                    label.uint(1, key);
                    label.uint(2, text);
                });
            }
        });
    }

    /// The places of a row's call chain, innermost first.
    fn locations(&mut self, row: &Row) -> Vec<u64> {
        match &row.value {
            Some(Value::Chain(chain)) => self.chain(chain),
            Some(value) => vec![self.location(&format!("[{}]", fate(value)))],
            None => vec![self.location("[unknown]")],
        }
    }

    fn chain(&mut self, chain: &CallChain) -> Vec<u64> {
        let frames = chain.frames.iter();
        let mut all: Vec<u64> = frames.map(|frame| self.location(frame)).collect();
        if chain.cut {
            all.push(self.location("[more frames]"));
        }
        if all.is_empty() {
            all.push(self.location("[no frames]"));
        }
        all
    }

    fn location(&mut self, frame: &str) -> u64 {
        let (name, file, line) = parts(frame);
        let (name, file) = (self.string(&harmless(name)), self.string(&harmless(file)));
        let function = number((name, file), &mut self.functions, &mut self.known_functions);
        number(
            (function, line),
            &mut self.locations,
            &mut self.known_locations,
        )
    }

    /// What the samples refer to.
    fn tables(&mut self) {
        for (&(function, line), id) in self.locations.iter().zip(1..) {
            self.message.nested(4, |location| {
                location.uint(1, id);
                location.nested(4, |of| {
                    of.uint(1, function);
                    of.uint(2, line);
                });
            });
        }
        for (&(name, file), id) in self.functions.iter().zip(1..) {
            self.message.nested(5, |function| {
                function.uint(1, id);
                function.uint(2, name);
                function.uint(3, name);
                function.uint(4, file);
            });
        }
    }
}

/// The number of something, from 1 on.
fn number(
    what: (u64, u64),
    all: &mut Vec<(u64, u64)>,
    known: &mut HashMap<(u64, u64), u64>,
) -> u64 {
    *known.entry(what).or_insert_with(|| {
        all.push(what);
        all.len() as u64
    })
}

/// `Class.method(File.java:12)` in parts; 0 for a line that is not known.
fn parts(frame: &str) -> (&str, &str, u64) {
    let place = frame
        .strip_suffix(')')
        .and_then(|rest| rest.rsplit_once('('));
    let Some((name, place)) = place else {
        return (frame, "", 0);
    };
    let line = place.rsplit_once(':');
    let line = line.and_then(|(file, line)| Some((file, line.parse().ok()?)));
    let (file, line) = line.unwrap_or((place, 0));
    (name, file, line)
}

fn told(row: &Row) -> String {
    match &row.value {
        Some(Value::Named(name)) => harmless(name),
        // Its number is another one in another recording.
        Some(Value::Lock(_, name)) => harmless(name),
        Some(value) => fate(value).to_owned(),
        None => "unknown".to_owned(),
    }
}

/// What the recording does not have.
fn remarks(model: &Model) -> impl Iterator<Item = &'static str> {
    let recording = &model.recording;
    let all = [
        (!recording.ended, "the recording was cut off: it has no end"),
        (recording.lost > 0, "events were lost"),
        (
            recording.gaps > 0,
            "parts of the recording could not be read",
        ),
        (
            recording.paused.0 > 0,
            "events were switched off for a part of the time",
        ),
    ];
    let true_ones = all.into_iter().filter(|(is_so, _)| *is_so);
    true_ones.map(|(_, remark)| remark)
}

#[cfg(test)]
mod tests {
    use super::super::reader::{all, fields, get, varints};
    use super::super::scene::{hostile, is_harmless};
    use super::*;
    use locklens_trace::Nanos;

    fn row(value: Value, ns: u64, rows: Vec<Row>) -> Row {
        Row {
            value: Some(value),
            ns: Nanos(ns),
            count: 2,
            rows,
            ..Row::default()
        }
    }

    fn profile() -> Vec<u8> {
        let frames = ["app.Pool.take(Pool.java:12)", "app.Main.run(Main.java)"];
        profile_of("worker;\u{1b}[31m", "app.Pool", &frames)
    }

    fn profile_of(thread: &str, lock: &str, frames: &[&str]) -> Vec<u8> {
        let named = |name: &str| Value::Named(name.to_owned());
        let lock = |ns| {
            let kind = row(named("MUTEX"), ns, Vec::new());
            let lock = row(Value::Lock(1, lock.to_owned()), ns, vec![kind]);
            vec![row(named(thread), ns, vec![lock])]
        };
        let chain = CallChain {
            frames: frames.iter().map(|&frame| frame.to_owned()).collect(),
            cut: true,
        };
        let rows = vec![
            row(Value::Chain(chain), 700, lock(700)),
            row(Value::Unknown, 300, lock(300)),
        ];
        let blame = Blame {
            keys: keys(Side::Waiter),
            total: Row {
                rows,
                ..Row::default()
            },
            ..Blame::default()
        };
        let mut out = Vec::new();
        pprof(&blame, &Model::default(), &mut out).unwrap();
        out
    }

    /// Every number refers to something, and text is made of it.
    fn told(bytes: &[u8]) -> Vec<String> {
        let strings: Vec<&str> = all(bytes, 6).iter().map(|text| text.text()).collect();
        assert_eq!(strings[0], "");
        let text = |index: u64| strings[usize::try_from(index).unwrap()];
        let part = |message: &[u8], field| get(message, field).unwrap().number();
        let functions = all(bytes, 5);
        let locations = all(bytes, 4);
        let frame = |&id: &u64| {
            let location = locations[id as usize - 1].bytes();
            assert_eq!(part(location, 1), id);
            let line = get(location, 4).unwrap().bytes();
            let function = functions[part(line, 1) as usize - 1].bytes();
            let (name, file) = (text(part(function, 2)), text(part(function, 4)));
            format!("{name}@{file}:{}", part(line, 2))
        };
        let sample = |sample: &[u8]| {
            let chain = varints(get(sample, 1).unwrap().bytes());
            let chain: Vec<String> = chain.iter().map(frame).collect();
            let values = varints(get(sample, 2).unwrap().bytes());
            let labels = all(sample, 3);
            let labels: Vec<String> = labels
                .iter()
                .map(|label| {
                    format!(
                        "{}={}",
                        text(part(label.bytes(), 1)),
                        text(part(label.bytes(), 2))
                    )
                })
                .collect();
            format!("{} {values:?} {}", chain.join(" < "), labels.join(" "))
        };
        all(bytes, 2)
            .iter()
            .map(|field| sample(field.bytes()))
            .collect()
    }

    #[test]
    fn samples_refer_to_places_and_labels() {
        insta::assert_snapshot!(told(&profile()).join("\n"));
    }

    #[test]
    fn names_do_no_harm() {
        for name in hostile() {
            let frame = format!("{name}.{name}({name}:12)");
            let bytes = profile_of(&name, &name, &[&frame, &name]);
            assert_eq!(told(&bytes).len(), 2, "{name:.40}");
            for text in all(&bytes, 6) {
                assert!(is_harmless(text.text()), "{name:.40}: {:?}", text.text());
            }
        }
    }

    #[test]
    fn its_values_are_counted_and_timed() {
        let bytes = profile();
        let strings: Vec<&str> = all(&bytes, 6).iter().map(|text| text.text()).collect();
        let types: Vec<_> = all(&bytes, 1)
            .iter()
            .map(|of| {
                fields(of.bytes())
                    .iter()
                    .map(|(_, value)| strings[value.number() as usize])
                    .collect::<Vec<_>>()
                    .join("/")
            })
            .collect();
        assert_eq!(types, ["contentions/count", "delay/nanoseconds"]);
    }

    #[test]
    fn a_frame_comes_apart() {
        assert_eq!(parts("a.B.c(B.java:7)"), ("a.B.c", "B.java", 7));
        assert_eq!(parts("a.B.c(B.java)"), ("a.B.c", "B.java", 0));
        assert_eq!(parts("a.B.c"), ("a.B.c", "", 0));
        assert_eq!(parts("a:9)"), ("a:9)", "", 0));
    }
}
