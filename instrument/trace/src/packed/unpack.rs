//! The way back, total on any bytes. Records come one by one, as they are asked for.

use super::bits::BitReader;
use super::model::{Expected, Fields, Model};
use super::times::{CHOICE, WIDTHS};
use super::{HEAD_BITS, apart, at_distance, code_of, index_bits};
use crate::decode;
use crate::encode::tag;
use crate::ids::{LockId, Nanos, StackId, ThreadId};
use crate::juc::{self, Operation};
use crate::record::{Event, Record};
use crate::wire::{Input, WireError};

type Result<T> = std::result::Result<T, WireError>;

/// What comes next in a packed chunk.
pub(crate) enum Next {
    /// To be had by [`Unpacker::event`].
    Event,
    /// To be had by [`Unpacker::operation`].
    Operation,
    /// To be had by [`Unpacker::other`].
    Other,
    /// Nothing.
    End,
}

/// The records of a packed chunk.
#[derive(Debug)]
pub(crate) struct Unpacker {
    others: Vec<u8>,
    /// Where the next other record lies in `others`, or the number of events before it.
    at: usize,
    /// Events before the next other record; none: not read yet.
    before: Option<u64>,
    payload: Vec<u8>,
    /// Bits of `payload` used.
    bit: usize,
    events: u32,
    time: u64,
    threads: Vec<u32>,
    thread_width: u32,
    widths: [u8; WIDTHS],
    signed: bool,
    model: Model,
}

impl Unpacker {
    /// The records of this payload with so many events, which take `raw_len` bytes with the other records
    /// as they are.
    pub(crate) fn new(payload: &[u8], events: u32, raw_len: usize) -> Result<Self> {
        let mut input = Input::new(payload, 0);
        let len = usize::try_from(input.u64()?).map_err(|_| WireError::Range)?;
        let stored = usize::try_from(input.u64()?).map_err(|_| WireError::Range)?;
        let begin = input.position();
        let end = begin.checked_add(stored).ok_or(WireError::Range)?;
        let packed = payload.get(begin..end).ok_or(WireError::Short)?;
        if raw_len != (payload.len() - stored).saturating_add(len) {
            return Err(WireError::Range);
        }
        let others = lz4_flex::block::decompress(packed, len).map_err(|_| WireError::Range)?;
        if others.len() != len {
            return Err(WireError::Range);
        }
        let mut input = Input::new(payload, end);
        let mut thread = 0u32;
        let threads = input.list(|input| {
            thread = thread.checked_add(input.u32()?).ok_or(WireError::Range)?;
            Ok(thread)
        })?;
        let mut widths = [0; WIDTHS];
        for width in &mut widths {
            *width = input.u8()?;
        }
        if widths.iter().any(|&width| u32::from(width) > u64::BITS) {
            return Err(WireError::Range);
        }
        let signed = input.bool()?;
        let time = input.u64()?;
        let thread_width = index_bits(threads.len());
        // Each takes this many bits at least: where more are promised, room for them is not made.
        let least = (thread_width + CHOICE + 1) as usize;
        let possible = (payload.len() - input.position()) * 8 / least;
        let expected = events.min(u32::try_from(possible).unwrap_or(u32::MAX));
        Ok(Self {
            others,
            at: 0,
            before: None,
            bit: input.position() * 8,
            payload: payload.to_vec(),
            events,
            time,
            thread_width,
            model: Model::new(threads.len(), expected),
            threads,
            widths,
            signed,
        })
    }

    /// Bytes not read yet.
    pub(crate) fn rest(&self) -> usize {
        self.others.len() - self.at + (self.payload.len() * 8).saturating_sub(self.bit) / 8
    }

    /// Bytes read so far.
    pub(crate) fn position(&self) -> usize {
        self.at + self.bit.div_ceil(8)
    }

    /// What comes next.
    #[inline(always)]
    pub(crate) fn next(&mut self) -> Next {
        if self.before.is_none() && self.at < self.others.len() {
            self.read_before();
        }
        match &mut self.before {
            Some(0) => {
                return match self.others.get(self.at) {
                    Some(&tag::OPERATION) => Next::Operation,
                    _ => Next::Other,
                };
            }
            Some(before) => *before -= 1,
            None if self.events == 0 => return Next::End,
            None => {}
        }
        Next::Event
    }

    /// How many events come before the next other record. Where that can't be read, it can't either.
    #[inline]
    fn read_before(&mut self) {
        let mut input = Input::new(&self.others, self.at);
        self.before = Some(input.u64().unwrap_or(0));
        self.at = input.position();
    }

    /// The next record, which is an operation: where they are told there is hardly anything else.
    #[inline]
    pub(crate) fn operation(&mut self) -> Result<Operation> {
        let mut input = Input::new(&self.others, self.at + 1);
        let operation = juc::decode(&mut input)?;
        self.at = input.position();
        self.before = None;
        Ok(operation)
    }

    /// The next record, which is none of these.
    #[cold]
    pub(crate) fn other(&mut self) -> Result<Record> {
        let mut input = Input::new(&self.others, self.at);
        let head = input.u8()?;
        if decode::is_event(head) {
            return Err(WireError::Tag(head));
        }
        let record = decode::other(&mut input, head)?;
        self.at = input.position();
        self.before = None;
        Ok(record)
    }

    /// The next record, which is an event.
    #[inline(always)]
    pub(crate) fn event(&mut self) -> Result<Event> {
        // Else an other record is said to be behind more events than there are.
        self.events = self.events.checked_sub(1).ok_or(WireError::Short)?;
        let mut bits = BitReader::new(&self.payload, self.bit);
        // Three numbers in one step.
        let head = bits.take(self.thread_width + CHOICE + 1);
        let thread = (head & !(u64::MAX << self.thread_width)) as usize;
        let id = *self.threads.get(thread).ok_or(WireError::Range)?;
        let head = head >> self.thread_width;
        let choice = head as usize % WIDTHS;
        let as_expected = head >> CHOICE != 0;
        let distance = bits.take(self.widths[choice].into());
        self.time = at_distance(self.time, distance, self.signed);
        let expected = self.model.expect(thread);
        let fields = match as_expected {
            true => self.model.complete(&expected, expected.head, expected.lock),
            false => correct(&mut bits, &self.model, &expected)?,
        };
        bits.check()?;
        let id = ThreadId(id);
        self.model.learn(thread, code_of(id), &expected, &fields);
        self.bit = bits.position();
        event(Nanos(self.time), id, &fields)
    }
}

/// What it is, where it is not as expected.
fn correct(bits: &mut BitReader<'_>, model: &Model, expected: &Expected) -> Result<Fields> {
    let [head, lock, stack, seq, more] = std::array::from_fn(|_| bits.flag());
    let id =
        |bits: &mut BitReader<'_>| u32::try_from(bits.take_any()).map_err(|_| WireError::Range);
    let head = match head {
        true => apart(bits.take(HEAD_BITS) as u8),
        false => expected.head,
    };
    let lock = match lock {
        true => id(bits)?,
        false => expected.lock,
    };
    let mut fields = model.complete(expected, head, lock);
    if stack {
        fields.stack = id(bits)?;
    }
    if seq {
        let from = u64::from(fields.seq);
        let seq = at_distance(from, bits.take_any(), true);
        fields.seq = u32::try_from(seq).map_err(|_| WireError::Range)?;
    }
    if more {
        fields.more = bits.take_any();
    }
    Ok(fields)
}

#[inline]
fn event(at: Nanos, thread: ThreadId, fields: &Fields) -> Result<Event> {
    let (kind, owner) = decode::kind_of(fields.kind(), fields.more)?;
    Ok(Event {
        at,
        thread,
        kind,
        lock: (fields.lock != 0).then_some(LockId(fields.lock)),
        stack: fields.has_stack().then_some(StackId(fields.stack)),
        owner,
        seq: fields.has_seq().then_some(fields.seq),
    })
}
