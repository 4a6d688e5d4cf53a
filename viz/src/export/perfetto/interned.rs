//! Strings that are told once and then go by a number.
//!
//! What a string says is made up only where it is new: it is asked for by what it is about. There is a most for what is
//! remembered; what comes later is told in full each time.

use super::super::fast::FastMap;
use super::super::names::Names;
use super::super::proto::Message;
use super::contention::{self, Contended};
use super::tid;
use locklens_inference::contention::Why;
use locklens_trace::juc::Act;
use locklens_trace::record::Frame;
use locklens_trace::{LockId, StackId, ThreadId};

/// Strings of a kind that are remembered.
const MOST: usize = 1 << 17;

/// Fields of `InternedData`.
const EVENT_NAMES: u32 = 2;
const ANNOTATION_NAMES: u32 = 3;
const ANNOTATION_VALUES: u32 = 29;

/// What an event is called.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Name {
    Contended(Contended),
    Acquire(Option<LockId>, Option<ThreadId>),
    Wait(Option<LockId>),
    Parked(Option<LockId>),
    Thread(ThreadId),
    Used(Act, LockId),
    Released(Option<LockId>),
    Notified(Option<LockId>),
    Unparked(Option<LockId>),
}

/// A value of an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Text {
    Object(Option<LockId>),
    Place(Frame),
    Chain(StackId),
    Thread(ThreadId),
    Unknown(Why),
    Word(&'static str),
}

/// What a value of an event is called.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Label {
    Lock,
    Object,
    Region,
    Chain,
    Length,
    HeldBy,
    EndedBy,
    Thread,
    Ns,
    Outcome,
    Count,
    Until,
}

/// How many labels there are.
const LABELS: usize = Label::Until as usize + 1;

impl Label {
    fn name(self) -> &'static str {
        match self {
            Self::Lock => "lock",
            Self::Object => "object",
            Self::Region => "region",
            Self::Chain => "chain",
            Self::Length => "length",
            Self::HeldBy => "held by",
            Self::EndedBy => "ended by",
            Self::Thread => "thread",
            Self::Ns => "ns",
            Self::Outcome => "outcome",
            Self::Count => "count",
            Self::Until => "until",
        }
    }
}

/// A string, as it is told.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Known {
    Number(u64),
    Text(String),
}

/// See the module.
#[derive(Debug, Default)]
pub(super) struct Interned {
    names: FastMap<Name, u64>,
    texts: FastMap<Text, u64>,
    /// The number of each label that has been told; 0 of the others.
    labels: [u64; LABELS],
    /// How many have been.
    labelled: u64,
    /// `InternedData` of the next packet.
    fresh: Message,
}

impl Interned {
    /// What the next packet has to tell.
    pub(super) fn fresh(&self) -> &[u8] {
        self.fresh.bytes()
    }

    /// It has.
    pub(super) fn told(&mut self) {
        self.fresh.clear();
    }

    pub(super) fn name(&mut self, name: Name, names: &Names<'_>) -> Known {
        if let Some(&number) = self.names.get(&name) {
            return Known::Number(number);
        }
        let text = spell(&name, names);
        if self.names.len() >= MOST {
            return Known::Text(text);
        }
        let number = self.names.len() as u64 + 1;
        self.names.insert(name, number);
        self.tell(EVENT_NAMES, number, &text);
        Known::Number(number)
    }

    pub(super) fn text(&mut self, text: Text, names: &Names<'_>) -> Known {
        if let Some(&number) = self.texts.get(&text) {
            return Known::Number(number);
        }
        let told = value(&text, names);
        if self.texts.len() >= MOST {
            return Known::Text(told);
        }
        let number = self.texts.len() as u64 + 1;
        self.texts.insert(text, number);
        self.tell(ANNOTATION_VALUES, number, &told);
        Known::Number(number)
    }

    /// The number of what a value is called.
    #[inline]
    pub(super) fn label(&mut self, label: Label) -> u64 {
        match self.labels[label as usize] {
            0 => self.tell_label(label),
            number => number,
        }
    }

    #[cold]
    fn tell_label(&mut self, label: Label) -> u64 {
        self.labelled += 1;
        self.labels[label as usize] = self.labelled;
        self.tell(ANNOTATION_NAMES, self.labelled, label.name());
        self.labelled
    }

    fn tell(&mut self, field: u32, number: u64, text: &str) {
        self.fresh.nested(field, |entry| {
            entry.uint(1, number);
            entry.string(2, text);
        });
    }
}

fn spell(name: &Name, names: &Names<'_>) -> String {
    match *name {
        Name::Contended(of) => contention::name(&of, names),
        Name::Acquire(lock, owner) => {
            let owner = owner.and_then(|owner| tid(names, owner));
            let lock = names.object(lock);
            match owner {
                Some(tid) => format!("Lock contention on {lock} (owner tid: {tid})"),
                None => format!("Lock contention on {lock} (owner unknown)"),
            }
        }
        Name::Wait(lock) => format!("Object.wait on {}", names.object(lock)),
        Name::Parked(lock) => format!("parked on {}", names.object(lock)),
        Name::Thread(thread) => names.thread_name(thread),
        Name::Used(act, lock) => format!("{} {}", act.name(), names.object(Some(lock))),
        Name::Released(lock) => format!("released {}", names.object(lock)),
        Name::Notified(lock) => format!("notified {}", names.object(lock)),
        Name::Unparked(lock) => format!("unparked from {}", names.object(lock)),
    }
}

fn value(text: &Text, names: &Names<'_>) -> String {
    match *text {
        Text::Object(lock) => names.object(lock),
        Text::Place(frame) => names.place(&frame).short(),
        Text::Chain(stack) => names.chain(stack),
        Text::Thread(thread) => names.thread_name(thread),
        Text::Unknown(why) => format!("unknown: {}", why.name()),
        Text::Word(word) => word.to_owned(),
    }
}
