//! Guesses at numbers that are not known, so that a trial can go on all the same.
//!
//! A guess stands for the surroundings of a lock (a random number, a setting, what was read from a
//! file): what one place of the code asks for is answered alike each time. Only in a call that
//! would go on asking for ever the answer turns. What is calculated from a guess is one, too, and
//! whatever is decided by it is counted: it bears nothing out for sure, and refutes nothing.

use super::Machine;
use super::value::{Kind, ObjectId, Value};
use crate::statics::program::{FieldId, MethodIx};
use std::collections::BTreeMap;

/// What is guessed of everything that is not known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bias {
    /// Nothing, no.
    Zero,
    /// One, yes.
    One,
    /// Now this, now that, by place.
    Mixed,
}

/// What asks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Place {
    Code(MethodIx, usize),
    Field(FieldId),
    Pair(ObjectId, ObjectId),
}

/// Guesses made so far.
#[derive(Clone, Debug)]
pub(super) struct Guesses {
    bias: Bias,
    /// How often it was asked since the last call began.
    asked: BTreeMap<Place, u32>,
    /// Decisions that rest on a guess.
    decided: u32,
}

/// Questions of one place within one call that are answered alike.
const ALIKE: u32 = 8;
/// The same for objects: somebody reads lines until there are none.
const OBJECTS: u32 = 24;
/// Numbers that are guessed where several may be meant.
const NUMBERS: [i64; 6] = [0, 1, 2, -1, 5, 100];

impl Guesses {
    pub(super) fn new(bias: Bias) -> Self {
        Self {
            bias,
            asked: BTreeMap::new(),
            decided: 0,
        }
    }

    /// A call begins.
    pub(super) fn begin(&mut self) {
        self.asked.clear();
    }

    /// How often this place asked before.
    fn ask(&mut self, place: Place) -> u32 {
        let asked = self.asked.entry(place).or_default();
        *asked += 1;
        *asked - 1
    }

    fn number(&mut self, place: Place, descriptor: &str) -> i64 {
        let is_flag = descriptor.starts_with('Z');
        // A factor or a share rather than a number of things.
        let is_measure = descriptor.starts_with(['D', 'F']);
        let usual = match self.bias {
            Bias::Mixed if is_measure => 2,
            _ if is_measure => 1,
            Bias::Zero => 0,
            Bias::One => 1,
            Bias::Mixed if is_flag => i64::from(scattered(place) & 1 == 1),
            Bias::Mixed => NUMBERS[scattered(place) as usize % NUMBERS.len()],
        };
        if self.ask(place) < ALIKE {
            usual
        } else {
            i64::from(usual == 0)
        }
    }
}

/// Similar places give unrelated numbers.
fn scattered(place: Place) -> u64 {
    let (a, b) = match place {
        Place::Code(method, at) => (method as u64, at as u64),
        Place::Field(field) => (u64::MAX, u64::from(field.0)),
        Place::Pair(a, b) => (u64::from(a.0.min(b.0)), u64::from(a.0.max(b.0))),
    };
    let mixed = (a.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ b).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    (mixed ^ (mixed >> 29)) >> 17
}

impl Machine<'_> {
    /// Values that are not known are guessed.
    pub(super) fn is_guessing(&self) -> bool {
        self.guesses.is_some()
    }

    /// Decisions of this machine that rest on a guess.
    pub(super) fn decided_by_guess(&self) -> u32 {
        self.guesses.as_ref().map_or(0, |g| g.decided)
    }

    /// The instruction that a thread executes.
    fn asking(&self, thread: usize) -> Place {
        let frame = self.threads[thread].frames.last();
        frame.map_or(Place::Code(0, 0), |f| {
            Place::Code(f.method, f.at.saturating_sub(1))
        })
    }

    /// A number of this type that a thread asks for and nobody knows.
    pub(super) fn guess(&mut self, thread: usize, descriptor: &str) -> Value {
        let place = self.asking(thread);
        self.guess_at(place, descriptor)
    }

    /// A number of this type that nobody knows.
    pub(super) fn guess_at(&mut self, place: Place, descriptor: &str) -> Value {
        match &mut self.guesses {
            Some(guesses) if Kind::of(descriptor) != Kind::Reference => {
                Value::Guess(guesses.number(place, descriptor))
            }
            _ => Value::Unknown,
        }
    }

    /// A thread asks for an object of which nothing is known; after many of them there is none.
    pub(super) fn is_last_object(&mut self, thread: usize) -> bool {
        let place = self.asking(thread);
        let last = match &mut self.guesses {
            Some(guesses) => guesses.ask(place) >= OBJECTS,
            None => false,
        };
        if last {
            self.note_decided();
        }
        last
    }

    /// What an instruction decides by what is not known; none where nothing is guessed.
    pub(super) fn decide(&mut self, thread: usize) -> Option<bool> {
        let place = self.asking(thread);
        let guessed = self.guesses.as_mut()?.number(place, "Z");
        self.note_decided();
        Some(guessed != 0)
    }

    /// Whether two texts or the like are equal of which nothing is known; none where nothing is
    /// guessed.
    pub(super) fn guess_equal(&mut self, a: ObjectId, b: ObjectId) -> Option<bool> {
        let place = Place::Pair(a.min(b), a.max(b));
        let guesses = self.guesses.as_mut()?;
        let equal = match guesses.bias {
            // Texts are mostly names, and names differ.
            Bias::Zero | Bias::One => false,
            Bias::Mixed => scattered(place) & 1 == 1,
        };
        self.note_decided();
        Some(equal)
    }

    /// A number that is known or guessed; that it was guessed is noted.
    pub(super) fn resolved(&mut self, value: Value) -> Option<i64> {
        if let Value::Guess(n) = value {
            self.note_decided();
            return Some(n);
        }
        value.number()
    }

    /// Something was decided by a guess.
    pub(super) fn note_decided(&mut self) {
        if let Some(guesses) = &mut self.guesses {
            guesses.decided += 1;
        }
    }
}
