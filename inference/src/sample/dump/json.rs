//! What `jcmd Thread.dump_to_file -format=json` writes: the one dump that has virtual threads in it.
//!
//! Up to JDK 24 call chains and nothing else; from 25 on states, what a thread blocks, waits or is parked on, and the monitors it
//! has entered, objects by class and hash. It looks at one thread after the other: what such a dump says of two threads was
//! true at two moments. The JVM writes one thing a line, other tools all on one.

use super::{Dump, FRAMES, Object, Stand, Thread, frame_of};
use crate::sample::State;
use std::hash::{DefaultHasher, Hash, Hasher};

/// The first key of a dump.
const BEGIN: &str = "\"threadDump\"";

/// Reads one; none if this is no such dump.
#[must_use]
pub fn read(text: &str) -> Option<Dump> {
    let mut reader = Reader::default();
    text.lines().for_each(|line| reader.line(line));
    reader.finish()
}

/// Reads one line by line.
#[derive(Debug, Default)]
pub struct Reader {
    dump: Dump,
    begun: bool,
    /// Braces and brackets that are open, the outermost of the dump with them.
    depth: u32,
    /// Bytes of its lines.
    weight: u64,
    /// Of what has come.
    fingerprint: DefaultHasher,
    /// What has come of the pair or the item under way.
    open: String,
    /// It is within a text, behind a backslash or not.
    quoted: Option<bool>,
    thread: Option<Thread>,
    /// What an item without a key is one of.
    list: List,
    /// The frame whose monitors follow.
    frame: usize,
    parking: bool,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum List {
    #[default]
    None,
    Stack,
    Locks,
}

impl Reader {
    /// Takes in the next line. What stands before the dump is passed over.
    pub fn line(&mut self, line: &str) {
        self.piece(line);
        self.end_line();
    }

    /// Takes in a piece of a line: all may stand on one.
    pub fn piece(&mut self, text: &str) {
        let Some(text) = self.within(text) else {
            return;
        };
        self.weight += text.len() as u64;
        text.chars().for_each(|c| self.next(c));
    }

    /// No text goes on behind a line.
    pub fn end_line(&mut self) {
        self.quoted = None;
        self.close();
    }

    /// What of it is of a dump; of several in a text the last one counts.
    fn within<'t>(&mut self, text: &'t str) -> Option<&'t str> {
        if self.depth > 0 {
            return Some(text);
        }
        let at = text.find(BEGIN)?;
        let before = text[..at].trim_end();
        (before.is_empty() || before.ends_with('{')).then(|| {
            let weight = self.weight;
            *self = Self {
                begun: true,
                depth: 1,
                weight,
                ..Self::default()
            };
            &text[at..]
        })
    }

    fn next(&mut self, c: char) {
        match (self.quoted, c) {
            (Some(behind), c) => {
                self.open.push(c);
                self.quoted = match c {
                    '"' if !behind => None,
                    c => Some(c == '\\' && !behind),
                };
            }
            (None, '{' | '[') => {
                self.close();
                self.depth = self.depth.saturating_add(1);
            }
            (None, '}' | ']') => {
                self.close();
                self.list = List::None;
                self.depth = self.depth.saturating_sub(1);
            }
            (None, ',') => self.close(),
            (None, c) if c.is_whitespace() => {}
            (None, c) => {
                self.open.push(c);
                self.quoted = (c == '"').then_some(false);
            }
        }
    }

    /// A pair or an item is over, or the value of a key begins.
    fn close(&mut self) {
        let open = std::mem::take(&mut self.open);
        if self.depth == 0 || open.is_empty() {
            return;
        }
        match key_and_value(&open) {
            Some((key, value)) => {
                // One tool escapes what another one does not.
                (key, text(value)).hash(&mut self.fingerprint);
                self.pair(key, value);
            }
            None => {
                let item = text(&open);
                item.hash(&mut self.fingerprint);
                self.item(item);
            }
        }
    }

    /// The dump has begun; how long it is by now, in bytes.
    #[must_use]
    pub fn weight(&self) -> Option<u64> {
        self.begun.then_some(self.weight)
    }

    /// There is no more.
    #[must_use]
    pub fn finish(mut self) -> Option<Dump> {
        self.end_line();
        self.end_thread();
        let (begun, complete) = (self.begun, self.depth == 0);
        begun.then_some(Dump {
            begun,
            complete,
            fingerprint: self.fingerprint.finish(),
            ..self.dump
        })
    }

    fn pair(&mut self, key: &str, value: &str) {
        match key {
            "tid" => self.begin_thread(value),
            "stack" => self.list = List::Stack,
            "locks" => self.list = List::Locks,
            "parkBlocker" => self.parking = true,
            "depth" => self.frame = value.trim_matches('"').parse().unwrap_or(0),
            _ => self.fact(key, value),
        }
    }

    fn begin_thread(&mut self, value: &str) {
        self.end_thread();
        (self.list, self.parking) = (List::None, false);
        self.thread = Some(Thread {
            tid: value.trim_matches('"').parse().ok(),
            name: String::new(),
            daemon: false,
            carries: None,
            nid: None,
            cpu: None,
            state: State::Unknown,
            frames: Vec::new(),
            lock: None,
            is_virtual: false,
            stand: None,
            presumed: false,
            entered: Vec::new(),
            owns: Vec::new(),
        });
    }

    fn fact(&mut self, key: &str, value: &str) {
        let Some(thread) = &mut self.thread else {
            return;
        };
        let object = || object(&text(value)?);
        match key {
            "name" => thread.name = text(value).unwrap_or_default(),
            "virtual" => thread.is_virtual = value == "true",
            "state" => thread.state = text(value).map_or(State::Unknown, |state| state_of(&state)),
            "blockedOn" => thread.stand = object().map(Stand::Enter),
            "waitingOn" => thread.stand = object().map(Stand::Wait),
            "object" if self.parking => thread.stand = object().map(Stand::Park),
            _ => {}
        }
    }

    fn item(&mut self, item: Option<String>) {
        let (Some(thread), Some(item)) = (&mut self.thread, item) else {
            return;
        };
        match self.list {
            List::Stack if thread.frames.len() < FRAMES => thread.frames.push(frame_of(&item)),
            List::Locks => {
                let entered = object(&item).map(|object| (self.frame, object));
                thread.entered.extend(entered);
            }
            List::Stack | List::None => {}
        }
    }

    fn end_thread(&mut self) {
        let Some(mut thread) = self.thread.take() else {
            return;
        };
        // Up to JDK 24 nothing else says so; a thread that has not begun has no frames.
        let last = thread.frames.last();
        thread.is_virtual |=
            last.is_some_and(|frame| frame.method == "java.lang.VirtualThread.run");
        thread.state = precise(&thread);
        let object = thread.stand.as_ref().and_then(Stand::object);
        thread.lock = object.map(|object| object.class.clone());
        self.dump.add(thread, true);
    }
}

/// `"key":value`.
fn key_and_value(pair: &str) -> Option<(&str, &str)> {
    let (key, value) = pair.strip_prefix('"')?.split_once('"')?;
    Some((key, value.strip_prefix(':')?))
}

/// A text between quotes.
fn text(value: &str) -> Option<String> {
    let inner = value.strip_prefix('"')?.strip_suffix('"')?;
    let mut out = String::with_capacity(inner.len());
    let mut chars = inner.chars();
    while let Some(c) = chars.next() {
        match c {
            '\\' => out.push(escaped(&mut chars)),
            c => out.push(c),
        }
    }
    Some(out)
}

fn escaped(chars: &mut std::str::Chars<'_>) -> char {
    match chars.next() {
        Some('n') => '\n',
        Some('t') => '\t',
        Some('u') => {
            let digits: String = chars.by_ref().take(4).collect();
            let code = u32::from_str_radix(&digits, 16).ok();
            code.and_then(char::from_u32).unwrap_or('\u{fffd}')
        }
        Some(c) => c,
        None => '\\',
    }
}

/// `app.Gate@1b2c3d`.
fn object(text: &str) -> Option<Object> {
    let (class, hash) = text.rsplit_once('@')?;
    (!class.is_empty() && !hash.is_empty()).then(|| Object {
        id: text.to_owned(),
        class: class.to_owned(),
    })
}

fn state_of(state: &str) -> State {
    match state {
        "RUNNABLE" => State::Runnable,
        "BLOCKED" => State::Blocked,
        "WAITING" => State::Waiting,
        "TIMED_WAITING" => State::WaitingTimed,
        _ => State::Unknown,
    }
}

/// What it waits for tells waiting from being parked and from sleeping.
fn precise(thread: &Thread) -> State {
    let parked = thread.frames.iter().take(3).any(|frame| {
        let method = frame.method.rsplit('.').next();
        method.is_some_and(|method| method.starts_with("park"))
    });
    match (thread.state, parked, &thread.stand) {
        (State::Waiting, true, _) => State::Parked,
        (State::WaitingTimed, true, _) => State::ParkedTimed,
        (State::WaitingTimed, false, None) => State::Sleeping,
        (state, ..) => state,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FILE: &str = include_str!("../../../tests/dumps/hang/vmon-25.json");

    fn on_one_line() -> String {
        let lines = FILE
            .lines()
            .map(|line| line.trim().replacen("\": ", "\":", 1).replace("\\/", "/"));
        lines.collect()
    }

    #[test]
    fn it_is_the_same_on_one_line_and_in_pieces() {
        let read = read(FILE).unwrap();
        assert!(read.complete && read.threads.iter().any(|thread| thread.is_virtual));
        let line = on_one_line();
        assert_eq!(super::read(&line).as_ref(), Some(&read));
        assert_eq!(super::read(&format!("{FILE}\n\n")).as_ref(), Some(&read));
        let mut reader = Reader::default();
        let chars: Vec<char> = line.chars().collect();
        for piece in chars.chunks(40) {
            reader.piece(&String::from_iter(piece));
        }
        assert_eq!(reader.finish(), Some(read));
    }

    #[test]
    fn one_that_is_cut_off_has_no_end() {
        for text in [FILE, &on_one_line()] {
            for percent in [20, 50, 85, 99] {
                let (end, _) = text.char_indices().nth(text.len() * percent / 100).unwrap();
                let read = read(&text[..end]).unwrap();
                assert!(!read.complete, "{percent}");
            }
        }
    }
}
