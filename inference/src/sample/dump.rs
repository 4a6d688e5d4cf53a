//! Thread dumps, as `jstack`, `jcmd Thread.print`, the attach protocol and `kill -3` print them: text in, samples out.
//!
//! Tolerant: whatever stands before, between and behind dumps is passed over, and text of any kind is read to its end. What a
//! thread does is what its line `java.lang.Thread.State` says; what it stands at, the first line of its chain that says so.
//! Threads without that line, or without Java frames, are the JVM's own and only counted. What could not be read is counted.
//!
//! What threads own and stand at is read here, too (`notes`); what that comes to is not said here (`hang` does).
//!
//! Dumps of `jcmd Thread.dump_to_file` are another thing: [`Dumps::is_other_format`] recognises them, [`json`] reads them.

pub mod json;
mod notes;
mod waits;

use super::filter::Frame;
use super::group::{is_frameless, is_service};
use super::{Fold, Lens, State};
use locklens_trace::Nanos;
pub use notes::{Object, Owned, Stand};
use std::collections::BTreeSet;
use std::hash::{DefaultHasher, Hash, Hasher};

/// Longest call chain that is kept; the JVM itself prints 1,024 frames if nothing else is asked for.
pub(crate) const FRAMES: usize = 1024;
/// Lines that the name of a thread may have, and bytes of them that are looked at.
const BROKEN: usize = 16;
const LONG: usize = 1 << 17;
/// Characters of a name that are kept.
const NAME: usize = 256;
/// Begins a dump; its time stands on the line before.
const HEAD: &str = "Full thread dump ";
/// What a thread of Java does.
const STATE: &str = "java.lang.Thread.State: ";
/// Ends it.
const TAIL: &str = "JNI global ref";

/// What one dump says.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Dump {
    /// When it was made, by the wall clock of the JVM, if it says so; good for differences only.
    pub at: Option<Nanos>,
    /// Release of the JDK: 8, 11, 17; none if its first line does not say.
    pub release: Option<u32>,
    /// Its threads.
    pub threads: Vec<Thread>,
    /// Threads of the JVM's own.
    pub service: u64,
    /// Those of them that run Java code: no part of a sample, but of what hangs.
    pub jvms: Vec<Thread>,
    /// Threads without a call chain that are none of the JVM's by their names.
    pub bare: u64,
    /// Threads, or parts of call chains, that could not be read: there is at least so much more.
    pub unread: u64,
    /// It has an end.
    pub complete: bool,
    /// It has a beginning.
    pub begun: bool,
    /// It says which locks of `java.util.concurrent` threads own (`-l`).
    pub owners: bool,
    /// Who owns what, as the JVM's own search for deadlocks has said.
    pub told: Vec<Owned>,
    /// Of its text: two that have the same, and were made at the same time, are one that was given twice.
    pub fingerprint: u64,
}

impl Dump {
    /// Adds a thread; of one that is not told to be Java's nothing else is known.
    fn add(&mut self, thread: Thread, told: bool) {
        let ours = is_service(&thread.name);
        match (told && !thread.frames.is_empty(), ours) {
            (true, false) => self.threads.push(thread),
            (true, true) => {
                self.service += 1;
                self.jvms.push(thread);
            }
            (false, _) => {
                self.service += 1;
                self.bare += u64::from(told && !ours && !is_frameless(&thread.name));
            }
        }
    }

    /// Adds it to others as one sample.
    pub fn add_to(&self, fold: &mut Fold, lens: &Lens) {
        fold.begin_look(self.service);
        // The JVM has that thread where a virtual one sleeps or waits for a time.
        let wakes = |thread: &Thread| thread.name.starts_with("VirtualThread-unparker");
        let carries = self.threads.iter().any(|thread| thread.carries.is_some());
        if carries || self.jvms.iter().any(wakes) {
            fold.see_carrier();
        }
        for thread in &self.threads {
            let about = (thread.tid, thread.name.as_str(), None);
            let lock = thread.lock.clone();
            fold.see(&lens.seen(about, thread.does(), &thread.frames, lock));
        }
    }
}

/// A thread in a dump.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Thread {
    /// Its number in the JVM, or that of the virtual thread.
    pub tid: Option<u64>,
    /// Its name.
    pub name: String,
    /// It does not keep the JVM alive.
    pub daemon: bool,
    /// It carries this virtual thread at the moment.
    pub carries: Option<u64>,
    /// Its number in the JVM's process, if it is one of the operating system's.
    pub nid: Option<u32>,
    /// How long it has run, if the JVM says so (JDK 11 on).
    pub cpu: Option<Nanos>,
    /// What it does.
    pub state: State,
    /// Its call chain, innermost first.
    pub frames: Vec<Frame>,
    /// Class of what it blocks, waits or is parked on.
    pub lock: Option<String>,
    /// It is no thread of the operating system.
    pub is_virtual: bool,
    /// What it stands at, and how.
    pub stand: Option<Stand>,
    /// No line says at which of the monitors that it has entered: at the one that was last, as it seems.
    pub presumed: bool,
    /// Monitors that its frames have entered, each with the place of the frame; that it waits on, too.
    pub entered: Vec<(usize, Object)>,
    /// Locks of `java.util.concurrent` that it owns, as far as the dump says.
    pub owns: Vec<Object>,
}

impl Thread {
    /// What it does: who waits for a class to be initialised is told to run.
    fn does(&self) -> State {
        match (&self.stand, self.state) {
            (Some(Stand::Init(_)), State::Runnable) => State::Waiting,
            (_, told) => told,
        }
    }
}

/// All dumps of a text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Dumps {
    /// In their order.
    pub dumps: Vec<Dump>,
    /// Threads whose first line could not be read.
    pub unread: u64,
    other_format: bool,
}

impl Dumps {
    /// Reads them.
    #[must_use]
    pub fn read(text: &str) -> Self {
        let mut reader = Reader::default();
        text.lines().for_each(|line| reader.line(line));
        reader.finish()
    }

    /// There are no such dumps, and the text looks as `jcmd Thread.dump_to_file` writes it.
    #[must_use]
    pub fn is_other_format(&self) -> bool {
        self.dumps.is_empty() && self.other_format
    }
}

/// Reads a text line by line. Who takes dumps out of it as they come keeps no more than two.
#[derive(Debug, Default)]
pub struct Reader {
    found: Dumps,
    dump: Option<Dump>,
    thread: Option<Draft>,
    /// What may be the beginning of a thread's first line, where its name breaks it, and how many lines that is.
    broken: Option<(String, usize)>,
    /// Bytes of lines that have left something in the dump that is being read, or behind the one before.
    weight: u64,
    /// The time in the line before.
    time: Option<Nanos>,
    /// Of the lines of the dump that is being read.
    fingerprint: DefaultHasher,
    /// The object that the JVM's search for deadlocks has just named.
    searched: Option<Object>,
}

/// A thread while its lines come.
#[derive(Debug)]
struct Draft {
    thread: Thread,
    /// Nothing but the state says that it is a Java thread.
    told: bool,
    /// Its first line says that it is in a wait of the JVM.
    in_wait: bool,
    /// Its call chain is over.
    closed: bool,
    /// What follows is what it owns.
    owning: bool,
}

impl Reader {
    /// Takes in the next line.
    pub fn line(&mut self, line: &str) {
        let line = line.trim_end();
        if self.mends(line) {
            return;
        }
        // A dump may be in a log, behind what another thread printed without ending its line.
        if let Some(at) = line.find(HEAD) {
            self.begin(at == 0, notes::release(&line[at..]));
        } else if line.starts_with(TAIL) {
            self.end(true);
        } else if line.starts_with('"') {
            self.thread_begins(line);
        } else if let Some(draft) = &mut self.thread {
            self.weight += draft.weight(line);
            let (lost, owners) = (draft.loses(line), draft.line(line.trim_start()));
            if let Some(dump) = &mut self.dump {
                dump.owners |= owners;
                dump.unread += u64::from(lost);
            }
        } else {
            self.orphan(line.trim_start());
            self.searched(line.trim_start());
        }
        if self.dump.is_some() {
            line.hash(&mut self.fingerprint);
        }
        self.found.other_format |= is_other(line);
        self.time = time(line).or(self.time.filter(|_| line.is_empty()));
    }

    /// The line ends a name that has broken a thread's first line, or goes on with it.
    fn mends(&mut self, line: &str) -> bool {
        let Some((mut begun, lines)) = self.broken.take() else {
            return false;
        };
        let ends_or_begins_dump = line.contains(HEAD) || line.starts_with(TAIL);
        let goes_on =
            lines < BROKEN && begun.len() < LONG && !line.is_empty() && !ends_or_begins_dump;
        let is_chain = ["at ", "- ", STATE].map(|begin| line.trim_start().starts_with(begin));
        if goes_on && header(line).is_none() && !is_chain.contains(&true) {
            begun.push('\n');
            begun += line;
            match header(&begun) {
                Some(thread) => self.begins(thread, &begun),
                None => self.broken = Some((begun, lines + 1)),
            }
            return true;
        }
        self.found.unread += u64::from(self.dump.is_some());
        self.dump.iter_mut().for_each(|dump| dump.unread += 1);
        false
    }

    /// A line outside of threads: of one whose first line was not recognised, so that it is missing.
    fn orphan(&mut self, line: &str) {
        if let Some(dump) = &mut self.dump {
            dump.unread += u64::from(line.starts_with(STATE));
        }
    }

    /// A line of what the JVM's search for deadlocks says, behind a dump: an object, then who holds it.
    fn searched(&mut self, line: &str) {
        match (notes::held_by(line), self.searched.take()) {
            (Some(owner), Some(object)) => {
                let owned = Owned {
                    object,
                    owner: owner.to_owned(),
                };
                if let Some(dump) = self.found.dumps.last_mut() {
                    self.weight += (owned.owner.len() + owned.object.id.len()) as u64;
                    dump.told.push(owned);
                }
            }
            _ => self.searched = notes::wanted(line),
        }
    }

    /// Dumps to which nothing is added any more: all but the last one.
    pub fn take(&mut self) -> Vec<Dump> {
        let last = self.found.dumps.len().saturating_sub(1);
        self.found.dumps.drain(..last).collect()
    }

    /// About how much of the text is kept of the dump that is being read, in bytes.
    #[must_use]
    pub fn weight(&self) -> u64 {
        self.weight
    }

    fn begin(&mut self, timed: bool, release: Option<u32>) {
        self.end(false);
        self.weight = 0;
        self.dump = Some(Dump {
            at: self.time.filter(|_| timed),
            release,
            begun: true,
            ..Dump::default()
        });
    }

    fn end(&mut self, complete: bool) {
        self.end_thread();
        if let Some(mut dump) = self.dump.take() {
            waits::find(&mut dump.threads);
            let told = dump.service > 0 || !dump.threads.is_empty();
            let dump = Dump {
                complete,
                fingerprint: std::mem::take(&mut self.fingerprint).finish(),
                ..dump
            };
            self.found.dumps.extend(told.then_some(dump));
        }
    }

    fn thread_begins(&mut self, line: &str) {
        self.end_thread();
        match header(line) {
            Some(thread) => self.begins(thread, line),
            None if self.dump.is_some() => self.broken = Some((line.to_owned(), 1)),
            // Outside of dumps many things are quoted.
            None => {}
        }
    }

    fn begins(&mut self, thread: Thread, line: &str) {
        self.weight += line.len() as u64;
        self.dump.get_or_insert_default();
        self.thread = Some(Draft {
            thread,
            told: false,
            in_wait: line.contains(" in Object.wait()"),
            closed: false,
            owning: false,
        });
    }

    fn end_thread(&mut self) {
        let Some(draft) = self.thread.take() else {
            return;
        };
        let dump = self.dump.get_or_insert_default();
        let (told, thread) = (draft.told, draft.finish());
        dump.add(thread, told);
    }

    /// There is no more: what has not been taken.
    #[must_use]
    pub fn finish(mut self) -> Dumps {
        self.mends("");
        self.end(false);
        self.found
    }
}

impl Draft {
    /// How much of a line is kept.
    fn weight(&self, line: &str) -> u64 {
        match self.closed && !self.owning {
            true => 0,
            false => line.len() as u64,
        }
    }

    /// It is a line of a call chain that is over already, so what was printed between has cut it.
    fn loses(&self, line: &str) -> bool {
        let line = line.trim_start();
        self.closed && (line.starts_with(STATE) || line.starts_with("at "))
    }

    /// Takes in a line below the thread's first; whether it begins what the thread owns. An empty one ends the call chain: what
    /// a program prints meanwhile comes between threads.
    fn line(&mut self, line: &str) -> bool {
        let begins = line == "Locked ownable synchronizers:";
        if begins || line.is_empty() {
            (self.closed, self.owning) = (true, begins);
        } else if self.owning {
            let owned = line.strip_prefix("- ").and_then(Object::read);
            self.thread.owns.extend(owned);
        } else if !self.closed {
            self.link(line);
        }
        begins
    }

    /// A line of the call chain.
    fn link(&mut self, line: &str) {
        let thread = &mut self.thread;
        if let Some(state) = line.strip_prefix(STATE) {
            (thread.state, self.told) = (state_of(state), true);
        } else if let Some(number) = line.strip_prefix("Carrying virtual thread #") {
            (thread.carries, self.told) = (number.parse().ok(), true);
        } else if line.starts_with("Mounted virtual thread ") {
            // The chain above is the carrier's own; the work is what follows.
            thread.frames.clear();
            thread.entered.clear();
        } else if let Some(frame) = line.strip_prefix("at ") {
            if thread.frames.len() < FRAMES {
                thread.frames.push(frame_of(frame));
            }
        } else if let Some(held) = line.strip_prefix("- locked ") {
            let at = thread.frames.len().saturating_sub(1);
            thread
                .entered
                .extend(Object::read(held).map(|object| (at, object)));
        } else if let Some(note) = line.strip_prefix("- ") {
            thread.stand = thread.stand.take().or_else(|| Stand::read(note));
        }
    }

    /// Compiled code may have let go of what it waits on; but who waits has entered that monitor, so the only one it can be is it.
    fn finish(self) -> Thread {
        let mut thread = self.thread;
        let entered: BTreeSet<_> = thread.entered.iter().map(|(_, object)| object).collect();
        if thread.stand.is_none() && entered.len() == 1 {
            let only = entered.first().map(|&only| only.clone());
            thread.stand = only.and_then(|only| waits::stand(&thread, only));
        }
        // Somebody who is just about to enter is shown as if he had; the innermost comes first.
        let innermost = thread.entered.first().filter(|(frame, _)| *frame == 0);
        if thread.state == State::Blocked && thread.stand.is_none() {
            thread.stand = innermost.map(|(_, object)| Stand::Enter(object.clone()));
        }
        if self.in_wait && thread.state == State::Runnable && thread.stand.is_none() {
            thread.stand = Some(Stand::Init(None));
        }
        let object = thread.stand.as_ref().and_then(Stand::object);
        thread.lock = object.map(|object| object.class.clone());
        thread
    }
}

fn is_other(line: &str) -> bool {
    line.contains("\"threadDump\"") || line.starts_with('#') && line.contains(" \"")
}

/// What a thread's first line says. The name may hold anything, quotes as well, so the last that fits ends it. JDK 8 leaves out the
/// end of a name of 2,000 characters, with the quote.
fn header(line: &str) -> Option<Thread> {
    let line = line.strip_prefix('"')?;
    let ends = line.rmatch_indices("\" ").map(|(at, _)| at);
    let last = line.rfind("prio=");
    let ends = ends.filter(|at| last.is_some_and(|last| *at < last));
    let fits = |rest: &str| {
        let rest = rest.trim_start();
        ["#", "daemon ", "prio=", "os_prio="]
            .iter()
            .any(|begin| rest.starts_with(begin))
    };
    let whole = ends.map(|at| (&line[..at], &line[at + 2..]));
    let (name, rest) = whole
        .into_iter()
        .find(|(_, rest)| fits(rest))
        .or_else(|| cut(line))?;
    let mut words = rest.split_whitespace();
    let number = words.next().and_then(|word| word.strip_prefix('#'));
    Some(Thread {
        tid: number.and_then(|number| number.parse().ok()),
        name: kept(name),
        daemon: rest.split_whitespace().take(3).any(|word| word == "daemon"),
        carries: None,
        nid: words.clone().take(8).find_map(notes::nid),
        cpu: words.clone().take(8).find_map(notes::cpu),
        state: State::Unknown,
        frames: Vec::new(),
        lock: None,
        is_virtual: false,
        stand: None,
        presumed: false,
        entered: Vec::new(),
        owns: Vec::new(),
    })
}

/// A name without its end, and what follows: `#8 prio=5 os_prio=0 tid=…`.
fn cut(line: &str) -> Option<(&str, &str)> {
    const CUT: usize = 1_900;
    let at = line.rfind('#').filter(|at| *at > CUT)?;
    let rest = &line[at..];
    let number = rest[1..].split(' ').next()?.parse::<u64>();
    (number.is_ok() && rest.contains(" os_prio=") && rest.contains(" tid=0x"))
        .then_some((&line[..at], rest))
}

/// The beginning of a long name.
fn kept(name: &str) -> String {
    match name.char_indices().nth(NAME) {
        Some((end, _)) => format!("{}…", &name[..end]),
        None => name.to_owned(),
    }
}

/// `TIMED_WAITING (parking)`.
fn state_of(text: &str) -> State {
    let (state, how) = text.split_once(' ').unwrap_or((text, ""));
    match (state, how) {
        ("RUNNABLE", _) => State::Runnable,
        ("BLOCKED", _) => State::Blocked,
        ("WAITING", "(parking)") => State::Parked,
        ("TIMED_WAITING", "(parking)") => State::ParkedTimed,
        ("WAITING", _) => State::Waiting,
        ("TIMED_WAITING", "(sleeping)") => State::Sleeping,
        ("TIMED_WAITING", _) => State::WaitingTimed,
        _ => State::Unknown,
    }
}

/// `app//app.Pool.take(app@1.0/Pool.java:42)`: loaders and modules are left out.
fn frame_of(text: &str) -> Frame {
    let text = text.trim_end();
    let (method, source) = match text.split_once('(') {
        Some((method, source)) => (method, source.strip_suffix(')').unwrap_or(source)),
        None => (text, ""),
    };
    // A hidden class has a slash in its name too: `Main$$Lambda/0x00007f.run`, up to 17 `Main$$Lambda$1/0x00007f.run`.
    let named = method
        .split_once("$$Lambda")
        .map_or(method, |(class, _)| class);
    let loader = named.rfind('/').map_or(0, |at| at + 1);
    let method = &method[loader..];
    let source = source.rsplit('/').next().unwrap_or(source);
    Frame {
        method: method.to_owned(),
        source: match source {
            "Unknown Source" => String::new(),
            source => source.to_owned(),
        },
    }
}

/// `2026-11-22 21:08:35` as nanoseconds since the year 1600: of use for differences only.
fn time(line: &str) -> Option<Nanos> {
    let bytes = line.as_bytes();
    let form = b"dddd-dd-dd dd:dd:dd";
    let fits = |(byte, form): (&u8, &u8)| match form {
        b'd' => byte.is_ascii_digit(),
        form => byte == form,
    };
    if bytes.len() != form.len() || !bytes.iter().zip(form).all(fits) {
        return None;
    }
    let number = |at: usize, length: usize| line[at..at + length].parse::<u64>().ok();
    let days = days(
        number(0, 4)?.checked_sub(1600)?,
        number(5, 2)?,
        number(8, 2)?,
    )?;
    let (hours, minutes, seconds) = (number(11, 2)?, number(14, 2)?, number(17, 2)?);
    let seconds = ((days * 24 + hours) * 60 + minutes) * 60 + seconds;
    Some(Nanos(seconds.saturating_mul(1_000_000_000)))
}

/// Days to a date; none if there is no such month.
fn days(year: u64, month: u64, day: u64) -> Option<u64> {
    const BEFORE: [u64; 12] = [0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334];
    let before = BEFORE.get(usize::try_from(month.checked_sub(1)?).ok()?)?;
    // This year's 29 February counts from March on.
    let whole = if month > 2 {
        year
    } else {
        year.checked_sub(1)?
    };
    let leap_days = whole / 4 - whole / 100 + whole / 400;
    Some(year * 365 + leap_days + before + day)
}

#[cfg(test)]
mod tests;
