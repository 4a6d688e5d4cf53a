//! What `jcmd Thread.dump_to_file -format=json` writes: the one dump that has virtual threads in it.
//!
//! Up to JDK 24 call chains and nothing else; from 25 on states, what a thread blocks, waits or is parked on, and the monitors it
//! has entered, objects by class and hash. The JVM writes one thing a line, and looks at one thread after the other: what such a
//! dump says of two threads was true at two moments.

use super::{Dump, FRAMES, Object, Stand, Thread, frame_of};
use crate::sample::State;

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
    /// The last line was its end.
    complete: bool,
    /// Bytes of its lines.
    weight: u64,
    thread: Option<Thread>,
    /// What a line without a key is one of.
    list: List,
    /// The frame whose monitors follow.
    depth: usize,
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
        let line = line.trim();
        if !self.begun && !line.starts_with(BEGIN) {
            return;
        }
        self.complete = line == "}";
        self.weight += line.len() as u64;
        let line = line.trim_end_matches(',');
        match key_and_value(line) {
            Some((key, value)) => self.pair(&key, value),
            None if line.starts_with(']') => self.list = List::None,
            None => self.item(text(line)),
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
        self.end_thread();
        let Self {
            begun, complete, ..
        } = self;
        begun.then_some(Dump {
            begun,
            complete,
            ..self.dump
        })
    }

    fn pair(&mut self, key: &str, value: &str) {
        match key {
            "threadDump" => self.begun = true,
            "tid" => self.begin_thread(value),
            "stack" => self.list = List::Stack,
            "locks" => self.list = List::Locks,
            "parkBlocker" => self.parking = true,
            "depth" => self.depth = value.trim_matches('"').parse().unwrap_or(0),
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
            cpu: None,
            state: State::Unknown,
            frames: Vec::new(),
            lock: None,
            is_virtual: false,
            stand: None,
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
                let entered = object(&item).map(|object| (self.depth, object));
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

/// `"key": value`.
fn key_and_value(line: &str) -> Option<(String, &str)> {
    let (key, value) = line.split_once("\": ")?;
    let key = key.strip_prefix('"')?;
    (!key.contains('"')).then(|| (key.to_owned(), value))
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
