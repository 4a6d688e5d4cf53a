//! What both sides expect of the next event of a thread: most often that it goes on as it did the last
//! time when it came from the same place. Starts afresh with every chunk.

use crate::encode::{kind, tag};

/// Successors of events remembered at most, and locks, as a power of two.
const MOST_BITS: u32 = 12;
/// Kind of the event before a thread's first one.
const NONE: u8 = 0x0f;
const KIND: u8 = 0x0f;
/// What tells which kind of event it is, and whether it has a call chain and a number.
const HEAD: u8 = KIND | tag::HAS_STACK | tag::HAS_SEQ;

/// An event without its time and thread. What is absent is 0.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Fields {
    /// See [`HEAD`].
    pub(super) head: u8,
    pub(super) lock: u32,
    pub(super) stack: u32,
    pub(super) seq: u32,
    /// Of an ENTER its owner, of a WAIT its time-out.
    pub(super) more: u64,
}

impl Fields {
    pub(super) fn kind(self) -> u8 {
        self.head & KIND
    }

    pub(super) fn has_stack(self) -> bool {
        self.head & tag::HAS_STACK != 0
    }

    pub(super) fn has_seq(self) -> bool {
        self.head & tag::HAS_SEQ != 0
    }
}

/// A thread's last event.
#[derive(Clone, Copy, Debug)]
struct Past {
    kind: u8,
    lock: u32,
}

/// What came after an event; nothing yet without the bit [`tag::EVENT`].
#[derive(Clone, Copy, Debug, Default)]
struct Next {
    head: u8,
    lock: u32,
    stack: u32,
}

/// What is remembered of a lock: little, as there may be many, and each event needs another.
#[derive(Clone, Copy, Debug, Default)]
struct Lock {
    seq: u32,
    /// Where it was last entered and waited on.
    stacks: [u32; 2],
    /// As in an ENTER; too large ones are forgotten.
    owner: u32,
    /// As in a WAIT.
    timeout: u32,
}

/// See the module.
#[derive(Debug)]
pub(super) struct Model {
    threads: Vec<Past>,
    /// As many as locks.
    next: Box<[Next]>,
    locks: Box<[Lock]>,
    /// How many that is, as a power of two.
    bits: u32,
    /// What came last after an event of this kind, of any thread.
    usual: [u8; KIND as usize + 1],
    /// The last ENTER told its owner.
    owners: bool,
}

/// What is expected of a thread.
#[derive(Clone, Copy, Debug)]
pub(super) struct Expected {
    place: usize,
    pub(super) head: u8,
    pub(super) lock: u32,
    next: Next,
}

impl Model {
    /// Of so many threads and events.
    pub(super) fn new(threads: usize, events: u32) -> Self {
        let bits = events.checked_ilog2().unwrap_or(0).clamp(1, MOST_BITS);
        let past = Past {
            kind: NONE,
            lock: 0,
        };
        Self {
            threads: vec![past; threads],
            next: vec![Next::default(); 1 << bits].into(),
            locks: vec![Lock::default(); 1 << bits].into(),
            bits,
            usual: [kind::ENTER; KIND as usize + 1],
            owners: false,
        }
    }

    /// What is expected of the thread with this number.
    #[inline]
    pub(super) fn expect(&self, thread: usize) -> Expected {
        let past = self.threads[thread];
        let place = self.place(thread, past);
        let next = self.next[place];
        let (head, lock) = match next.head & tag::EVENT != 0 {
            true => (next.head & HEAD, next.lock),
            false => (self.usual[usize::from(past.kind)], past.lock),
        };
        Expected {
            place,
            head,
            lock,
            next,
        }
    }

    /// The rest of what is expected, where head and lock of the event are these.
    #[inline]
    pub(super) fn complete(&self, expected: &Expected, head: u8, lock: u32) -> Fields {
        let mut fields = Fields {
            head,
            lock,
            ..Fields::default()
        };
        let known = &self.locks[self.slot(lock)];
        if fields.has_stack() {
            let of_next = expected.next.lock == lock && expected.next.stack != 0;
            fields.stack = match of_next {
                true => expected.next.stack,
                false => known.stacks[usize::from(fields.kind() == kind::WAIT)],
            };
        }
        if fields.has_seq() {
            fields.seq = known.seq.wrapping_add(1);
        }
        fields.more = match fields.kind() {
            kind::ENTER if self.owners => known.owner.into(),
            kind::WAIT => known.timeout.into(),
            _ => 0,
        };
        fields
    }

    /// This is what it was; a thread as an owner has the code `code`.
    #[inline(always)]
    pub(super) fn learn(&mut self, thread: usize, code: u64, expected: &Expected, event: &Fields) {
        let slot = self.slot(event.lock);
        let next = &mut self.next[expected.place];
        next.head = event.head | tag::EVENT;
        next.lock = event.lock;
        let lock = &mut self.locks[slot];
        if event.has_stack() {
            next.stack = event.stack;
            lock.stacks[usize::from(event.kind() == kind::WAIT)] = event.stack;
        }
        if event.has_seq() {
            lock.seq = event.seq;
        }
        match event.kind() {
            kind::ENTER => {
                self.owners = event.more != 0;
                lock.owner = small(event.more);
            }
            kind::ENTERED | kind::RESUMED | kind::INTERRUPTED => lock.owner = small(code),
            kind::WAIT => lock.timeout = small(event.more),
            _ => {}
        }
        self.usual[usize::from(self.threads[thread].kind)] = event.head;
        self.threads[thread] = Past {
            kind: event.kind(),
            lock: event.lock,
        };
    }

    /// Where it is remembered what this thread did after this event.
    fn place(&self, thread: usize, past: Past) -> usize {
        let key = (thread as u64) << 36 | u64::from(past.lock) << 4 | u64::from(past.kind);
        (key.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> (u64::BITS - self.bits)) as usize
    }

    /// Where a lock is remembered.
    fn slot(&self, lock: u32) -> usize {
        lock as usize & ((1 << self.bits) - 1)
    }
}

fn small(code: u64) -> u32 {
    u32::try_from(code).unwrap_or(0)
}
