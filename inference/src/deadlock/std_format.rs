//! Traces in the STD format of the RAPID tools, line by line.
//!
//! A line is `thread|operation(operand)|place`: `T0|acq(L1)|12`. Operations: `acq`, `rel`, `req` of a lock (`req`: about
//! to take it), `wait`, `notify`, `notifyAll` on a lock, `r` and `w` of a variable, `fork` and `join` of a thread,
//! `begin` and `end`; `branch`, `dummy`, and `enter` and `exit` of a method are passed over. The place may be missing. Empty lines and those that begin with `#` say nothing.
//!
//! `wait` is one line: the thread gives the lock up there. It has it again at its next line, be that the `acq` of this
//! lock or anything else.

mod plain;
mod pool;
mod word;

use super::finding::{LockName, Names};
use super::step::{Lock, Op, Site, Step, Thread};
use crate::nesting::graph::ThreadName;
use plain::Plain;
use pool::Pool;
use std::fmt;
use word::{Kind, Word};

/// What some programs write at the beginning of a text.
const MARK: char = '\u{feff}';
/// Letters told of a name that is wrong.
const NAME: usize = 40;
/// What a contradiction is.
const CONTRADICTS: &str =
    "(one that had begun or was forked before is forked, or one that was joined goes on)";

/// A line that is none of the format.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Malformed {
    /// Its number, from 1.
    pub line: u64,
    /// What is wrong with it.
    pub why: Wrong,
}

/// What is wrong with a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Wrong {
    /// It has no `|`, or nothing before it.
    NoThread,
    /// What stands behind the first `|` is no `operation(operand)`.
    NoOperation,
    /// There is no such operation.
    Unknown(String),
    /// The operation needs something in its parentheses.
    NoOperand(String),
    /// It has more than three fields.
    Fields,
    /// There are too many threads, locks, variables or places to be numbered.
    TooMany,
}

impl fmt::Display for Malformed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: ", self.line)?;
        match &self.why {
            Wrong::NoThread => write!(f, "no thread: a line is thread|operation(operand)|place"),
            Wrong::NoOperation => write!(f, "no operation: it looks like acq(L1)"),
            Wrong::Unknown(name) => write!(f, "there is no operation {name:?}"),
            Wrong::NoOperand(name) => write!(f, "{name} needs something in parentheses"),
            Wrong::Fields => write!(f, "more than three fields"),
            Wrong::TooMany => write!(f, "too many names"),
        }
    }
}

impl std::error::Error for Malformed {}

/// Reads lines.
#[derive(Debug, Default)]
pub struct Lines {
    threads: Pool,
    locks: Pool,
    vars: Pool,
    sites: Pool,
    /// By thread, the lock that it waits on.
    waiting: Vec<Option<Lock>>,
    /// By thread, what is known of its life.
    lives: Vec<Life>,
    /// Starts and ends that contradict the steps of their threads.
    contradictions: u64,
    /// Requests of locks that their threads have given up.
    given_up: u64,
    line: u64,
}

/// What was told of a thread so far.
#[derive(Clone, Copy, Debug, Default)]
struct Life {
    begun: bool,
    forked: bool,
    joined: bool,
    /// The lock that it has asked for just before.
    asked: Option<Lock>,
}

impl Lines {
    /// Takes in the next line, without its end, and gives the steps that it means.
    ///
    /// # Errors
    /// When the line is none of the format.
    pub fn push(&mut self, line: &[u8], each: &mut dyn FnMut(&Step)) -> Result<(), Malformed> {
        self.line += 1;
        let lossy;
        let text = match std::str::from_utf8(line) {
            Ok(text) => text,
            Err(_) => {
                lossy = String::from_utf8_lossy(line);
                &*lossy
            }
        };
        let marked = text.strip_prefix(MARK).filter(|_| self.line == 1);
        let text = trimmed(marked.unwrap_or(text));
        if text.is_empty() || text.starts_with('#') {
            return Ok(());
        }
        let line = self.line;
        self.step(text, each).map_err(|why| Malformed { line, why })
    }

    /// Takes in those lines at the beginning of a text that are whole and plain, up to the first that needs a closer look:
    /// how many bytes they are. What is behind them is for [`Lines::push`].
    pub fn push_plain(&mut self, text: &[u8], each: &mut dyn FnMut(&Step)) -> usize {
        let mut rest = text;
        while let Some(line) = Plain::of(rest) {
            // What is wrong is told of the line when it is looked at closer.
            let Ok(step) = self.plain_step(&line) else {
                break;
            };
            self.line += 1;
            self.lives(&step);
            self.tell(step, each);
            rest = &rest[line.length..];
        }
        text.len() - rest.len()
    }

    /// From the beginning, with the same numbers for the same names.
    pub fn rewind(&mut self) {
        self.line = 0;
        self.waiting.clear();
        self.lives.clear();
        (self.contradictions, self.given_up) = (0, 0);
    }

    /// Threads, locks.
    #[must_use]
    pub fn counts(&self) -> (usize, usize) {
        (self.threads.len(), self.locks.len())
    }

    /// Forks of threads that had begun or were forked before, and steps of threads after their join.
    #[must_use]
    pub fn contradictions(&self) -> u64 {
        self.contradictions
    }

    fn life(&mut self, thread: Thread) -> &mut Life {
        let index = thread.0 as usize;
        if index >= self.lives.len() {
            self.lives.resize(index + 1, Life::default());
        }
        &mut self.lives[index]
    }

    /// Notes that a thread takes a step; what goes on after its join is told once.
    fn lives(&mut self, step: &Step) {
        let own = self.life(step.thread);
        own.begun = true;
        let after_end = std::mem::take(&mut own.joined);
        let asked = own.asked;
        own.asked = match step.op {
            Op::Request { lock, .. } => Some(lock),
            Op::Other => asked,
            _ => None,
        };
        let goes_on = match step.op {
            Op::Request { lock, .. } | Op::Acquire { lock, .. } => Some(lock) != asked,
            Op::Other | Op::End => false,
            _ => true,
        };
        self.contradictions += u64::from(after_end);
        self.given_up += u64::from(asked.is_some() && goes_on);
        match step.op {
            Op::Fork { child, .. } => {
                let child = self.life(child);
                let is_late = child.begun || child.forked;
                child.forked = true;
                self.contradictions += u64::from(is_late);
            }
            Op::Join { child, .. } => self.life(child).joined = true,
            _ => {}
        }
    }

    fn step(&mut self, text: &str, each: &mut dyn FnMut(&Step)) -> Result<(), Wrong> {
        let (thread, rest) = divided(text, b'|').ok_or(Wrong::NoThread)?;
        let thread = trimmed(thread);
        if thread.is_empty() {
            return Err(Wrong::NoThread);
        }
        let (operation, place) = divided(rest, b'|').unwrap_or((rest, ""));
        if divided(place, b'|').is_some() {
            return Err(Wrong::Fields);
        }
        let place = Some(trimmed(place)).filter(|place| !place.is_empty());
        let (name, operand) = parted(trimmed(operation))?;
        let thread = Thread(self.threads.number(thread)?);
        let op = self.op(name, operand)?;
        let site = place
            .map(|place| self.sites.number(place))
            .transpose()?
            .map(Site);
        let step = Step { thread, op, site };
        self.lives(&step);
        self.tell(step, each);
        Ok(())
    }

    fn op(&mut self, name: &str, operand: &str) -> Result<Op, Wrong> {
        match name {
            "begin" => return Ok(Op::Begin),
            "end" => return Ok(Op::End),
            "branch" | "dummy" | "enter" | "exit" => return Ok(Op::Other),
            _ => {}
        }
        let unknown = || Wrong::Unknown(name.chars().take(NAME).collect());
        let word = Word::of(name.as_bytes()).ok_or_else(unknown)?;
        if operand.is_empty() {
            return Err(Wrong::NoOperand(name.to_owned()));
        }
        Ok(word.op(self.pool(word).number(operand)?))
    }

    /// Where what a word says something of has its number.
    fn pool(&mut self, word: Word) -> &mut Pool {
        match word.kind() {
            Kind::Lock => &mut self.locks,
            Kind::Var => &mut self.vars,
            Kind::Thread => &mut self.threads,
        }
    }

    /// The step of a plain line.
    fn plain_step(&mut self, line: &Plain<'_>) -> Result<Step, Wrong> {
        let thread = Thread(self.threads.number_of(line.thread)?);
        let op = line.word.op(self.pool(line.word).number_of(line.operand)?);
        let site = line.place.map(|place| self.sites.number_of(place));
        let site = site.transpose()?.map(Site);
        Ok(Step { thread, op, site })
    }

    /// A thread that waited is back with whatever it does next.
    fn tell(&mut self, step: Step, each: &mut dyn FnMut(&Step)) {
        let index = step.thread.0 as usize;
        if index >= self.waiting.len() {
            self.waiting.resize(index + 1, None);
        }
        if let Some(lock) = self.waiting[index] {
            match step.op {
                // Blocked on its way back.
                Op::Request { lock: wanted, .. } if wanted == lock => {}
                Op::End | Op::Begin => {}
                _ => {
                    self.waiting[index] = None;
                    let timed_out = false;
                    let op = Op::Returned { lock, timed_out };
                    each(&Step { op, ..step });
                    if matches!(step.op, Op::Acquire { lock: wanted, .. } if wanted == lock) {
                        // Where the trace had it released before the wait, it is taken only now.
                        each(&Step {
                            op: Op::Retake(lock),
                            ..step
                        });
                        return;
                    }
                }
            }
        }
        if let Op::Wait { lock, .. } = step.op {
            self.waiting[index] = Some(lock);
        }
        each(&step);
    }
}

/// What stands before and behind the first such byte.
fn divided(text: &str, by: u8) -> Option<(&str, &str)> {
    let at = text.bytes().position(|byte| byte == by)?;
    Some((text.get(..at)?, text.get(at + 1..)?))
}

/// Without the space around it: there is none where a letter or sign stands at both ends.
fn trimmed(text: &str) -> &str {
    match text.as_bytes() {
        [b'!'..=b'~'] | [b'!'..=b'~', .., b'!'..=b'~'] => text,
        _ => text.trim(),
    }
}

/// `name(operand)`; a name alone has an empty operand.
fn parted(text: &str) -> Result<(&str, &str), Wrong> {
    let Some((name, rest)) = divided(text, b'(') else {
        return match text.is_empty() || text.contains(')') {
            true => Err(Wrong::NoOperation),
            false => Ok((text, "")),
        };
    };
    let operand = rest.strip_suffix(')').ok_or(Wrong::NoOperation)?;
    match name.is_empty() {
        true => Err(Wrong::NoOperation),
        false => Ok((trimmed(name), trimmed(operand))),
    }
}

impl Names for Lines {
    fn thread(&self, thread: Thread) -> ThreadName {
        ThreadName {
            name: self.threads.name(thread.0),
            tid: None,
        }
    }

    fn lock(&self, lock: Lock) -> LockName {
        let name = self.locks.name(lock.0);
        LockName {
            id: name.clone(),
            name,
            types: "LOCK".to_owned(),
            alone: true,
            ..LockName::default()
        }
    }

    fn chain(&self, site: Site) -> Vec<String> {
        vec![self.sites.name(site.0)]
    }

    fn reads_doubted(&self) -> Option<String> {
        let contradict = (self.contradictions > 0).then(|| match self.contradictions {
            1 => format!("a fork or join contradicts the steps of its thread {CONTRADICTS}"),
            n => format!("{n} forks or joins contradict the steps of their threads {CONTRADICTS}"),
        });
        let given_up = (self.given_up > 0).then(|| match self.given_up {
            1 => "a thread that asked for a lock went on without it".to_owned(),
            n => format!("{n} times a thread that asked for a lock went on without it"),
        });
        let doubts: Vec<String> = contradict.into_iter().chain(given_up).collect();
        (!doubts.is_empty()).then(|| doubts.join("; "))
    }
}

#[cfg(test)]
mod tests;
