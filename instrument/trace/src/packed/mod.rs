//! Records packed close, for files: what the command makes of the chunks that come from the agent.
//!
//! In a chunk as the agent sends it an event takes some seven bytes, half of them its time, and general
//! compression finds little in them. Packed, a thread is a number of the few bits that the threads of the
//! chunk need, a time a distance in one of four widths that suit the chunk, and all else most often one
//! bit, as it is what was expected ([`model`]).
//!
//! ```text
//! payload   others:varint  stored:varint  others, as LZ4   events
//! others    (events since the other before:varint  record)*
//! events    threads:varint (distance:varint)*  widths[4]  signed:u8  time:varint  bits
//! bits      (thread  choice:2  as expected:1  distance  corrections)*
//! corrections  head:1 lock:1 stack:1 seq:1 more:1  (what is not as expected)*
//! ```
//! Nothing here depends on another chunk.

mod bits;
mod model;
mod threads;
mod times;
mod unpack;

use crate::encode::{self, Predictor, tag};
use crate::ids::ThreadId;
use crate::record::{Event, Owner, Record};
use crate::wire::{Input, put_u32, put_u64};
use bits::BitWriter;
use model::{Expected, Fields, Model};
use threads::{Numbers, Threads};
use times::CHOICE;
pub(crate) use unpack::{Next, Unpacker};

/// Bits of a kind of event with its flags.
const HEAD_BITS: u32 = 6;

/// What [`pack`] gives.
pub(crate) struct Packed {
    /// The payload of a chunk.
    pub(crate) payload: Vec<u8>,
    /// Its length with the other records as they are.
    pub(crate) raw_len: usize,
    /// Events in it.
    pub(crate) events: u32,
}

/// Packs records.
pub(crate) fn pack(events: &[Event], records: &[(usize, Record)]) -> Packed {
    let (mut others, mut none) = (Vec::new(), Predictor::default());
    let mut from = 0;
    for (before, record) in records {
        put_u64(&mut others, before.saturating_sub(from) as u64);
        encode::record(&mut others, &mut none, record);
        from = *before;
    }
    let stored = lz4_flex::block::compress(&others);
    let mut payload = Vec::new();
    put_u64(&mut payload, others.len() as u64);
    put_u64(&mut payload, stored.len() as u64);
    payload.extend(&stored);
    let payload = pack_events(payload, events);
    Packed {
        raw_len: payload.len() - stored.len() + others.len(),
        payload,
        events: events.len() as u32,
    }
}

/// Length of what is in this payload, with the other records as they are, by what it says itself.
pub(crate) fn raw_len(payload: &[u8]) -> usize {
    let mut input = Input::new(payload, 0);
    let mut len = || usize::try_from(input.u64().ok()?).ok();
    let (others, stored) = (len().unwrap_or(0), len().unwrap_or(0));
    payload.len().saturating_sub(stored).saturating_add(others)
}

/// Packs events behind what is there.
fn pack_events(mut out: Vec<u8>, events: &[Event]) -> Vec<u8> {
    let threads = Threads::of(events);
    put_u64(&mut out, threads.ids.len() as u64);
    let mut before = 0;
    for &thread in &threads.ids {
        put_u32(&mut out, thread - before);
        before = thread;
    }
    let signed = !events.is_sorted_by_key(|event| event.at);
    let first = events.first().map_or(0, |event| event.at.0);
    let mut before = first;
    let distances = events.iter().map(|event| {
        let at = event.at.0;
        distance(std::mem::replace(&mut before, at), at, signed)
    });
    let distances: Vec<u64> = distances.collect();
    let widths = times::widths(distances.iter().copied());
    out.extend(widths);
    out.push(signed.into());
    put_u64(&mut out, first);
    let width = index_bits(threads.ids.len());
    let mut model = Model::new(threads.ids.len(), events.len() as u32);
    // Most take three bytes or four.
    out.reserve(events.len() * 4);
    let mut bits = BitWriter::after(out);
    let mut numbers = Numbers::of(&threads);
    for (event, distance) in events.iter().zip(distances) {
        let thread = numbers.number(event.thread.0);
        let choice = times::choice(&widths, distance);
        let expected = model.expect(thread);
        let fields = fields_of(event);
        let as_expected = fields == model.complete(&expected, expected.head, expected.lock);
        let head = u64::from(as_expected) << CHOICE | choice as u64;
        bits.put(head << width | thread as u64, width + CHOICE + 1);
        bits.put(distance, widths[choice].into());
        if !as_expected {
            correct(&mut bits, &model, &expected, &fields);
        }
        model.learn(thread, code_of(event.thread), &expected, &fields);
    }
    bits.finish()
}

/// The kind of an event and its flags without the gap between them.
fn close(head: u8) -> u8 {
    head & 0x0f | (head & (tag::HAS_STACK | tag::HAS_SEQ)) >> 1
}

/// The reverse of [`close`].
fn apart(code: u8) -> u8 {
    code & 0x0f | (code & 0x30) << 1
}

/// From one time to the next; of signed ones small magnitudes are small.
fn distance(from: u64, to: u64, signed: bool) -> u64 {
    let distance = to.wrapping_sub(from);
    match signed {
        true => distance << 1 ^ ((distance as i64) >> 63) as u64,
        false => distance,
    }
}

fn at_distance(from: u64, distance: u64, signed: bool) -> u64 {
    from.wrapping_add(match signed {
        true => distance >> 1 ^ (distance & 1).wrapping_neg(),
        false => distance,
    })
}

/// Bits that tell so many things apart.
fn index_bits(things: usize) -> u32 {
    bits::bits_of(things.saturating_sub(1) as u64)
}

/// The thread as an owner.
fn code_of(thread: ThreadId) -> u64 {
    encode::owner_code(Owner::Thread(thread))
}

fn fields_of(event: &Event) -> Fields {
    let mut head = encode::kind_code(event.kind);
    head |= event.stack.map_or(0, |_| tag::HAS_STACK);
    head |= event.seq.map_or(0, |_| tag::HAS_SEQ);
    Fields {
        head,
        lock: event.lock.map_or(0, |lock| lock.0),
        stack: event.stack.map_or(0, |stack| stack.0),
        seq: event.seq.unwrap_or(0),
        more: encode::more(event),
    }
}

/// Says what is not as expected, and what it is.
fn correct(bits: &mut BitWriter, model: &Model, expected: &Expected, event: &Fields) {
    let rest = model.complete(expected, event.head, event.lock);
    let wrong = [
        event.head != expected.head,
        event.lock != expected.lock,
        event.stack != rest.stack,
        event.seq != rest.seq,
        event.more != rest.more,
    ];
    let flags = (0..).zip(wrong).map(|(bit, wrong)| u64::from(wrong) << bit);
    bits.put(flags.sum(), wrong.len() as u32);
    let [head, lock, stack, seq, more] = wrong;
    if head {
        bits.put(close(event.head).into(), HEAD_BITS);
    }
    if lock {
        bits.put_any(event.lock.into());
    }
    if stack {
        bits.put_any(event.stack.into());
    }
    if seq {
        let from = u64::from(rest.seq);
        bits.put_any(distance(from, event.seq.into(), true));
    }
    if more {
        bits.put_any(event.more);
    }
}
