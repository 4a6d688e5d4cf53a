//! Records to bytes. The mirror image of `decode`; the two change together, with the version.

use crate::ids::Nanos;
use crate::record::{
    ClassDef, End, EndReason, Event, EventKind, FieldsDef, Hidden, LoaderDef, LockDef, LockObject,
    LossCause, Lost, MethodDef, Owner, Reading, Record, StackDef, ThreadDef, Tick,
};
use crate::wire::{Short, put_i64, put_opt_str, put_str, put_u32, put_u64};

/// Tags of the records that are not events. Events have the high bit set.
pub(crate) mod tag {
    pub(crate) const TARGET: u8 = 1;
    pub(crate) const LOADER: u8 = 2;
    pub(crate) const CLASS: u8 = 3;
    pub(crate) const METHOD: u8 = 4;
    pub(crate) const CODE: u8 = 5;
    pub(crate) const STACK: u8 = 6;
    pub(crate) const LOCK: u8 = 7;
    pub(crate) const THREAD: u8 = 8;
    pub(crate) const LOST: u8 = 9;
    pub(crate) const HIDDEN: u8 = 10;
    pub(crate) const TICK: u8 = 11;
    pub(crate) const END: u8 = 12;
    pub(crate) const FIELDS: u8 = 13;
    /// Code with call sites.
    pub(crate) const LINKED_CODE: u8 = 14;
    pub(crate) const SYNC: u8 = 15;
    pub(crate) const PARKED: u8 = 16;
    pub(crate) const PARK: u8 = 17;
    pub(crate) const SIGHTING: u8 = 18;
    pub(crate) const LOOK: u8 = 19;
    pub(crate) const OPERATION: u8 = 20;
    pub(crate) const ACCESS: u8 = 21;
    pub(crate) const HELD: u8 = 22;
    pub(crate) const KIN: u8 = 23;
    pub(crate) const EVENT: u8 = 0x80;
    /// The lock is the one predicted from the thread.
    pub(crate) const SAME_LOCK: u8 = 0x10;
    /// A call chain follows.
    pub(crate) const HAS_STACK: u8 = 0x20;
    /// A sequence number follows.
    pub(crate) const HAS_SEQ: u8 = 0x40;
}

/// Codes of event kinds, in the low four bits of an event's tag.
pub(crate) mod kind {
    pub(crate) const ENTER: u8 = 0;
    pub(crate) const ENTERED: u8 = 1;
    pub(crate) const WAIT: u8 = 2;
    pub(crate) const WAITED: u8 = 3;
    pub(crate) const WAITED_TIMED_OUT: u8 = 4;
    pub(crate) const THREAD_START: u8 = 5;
    pub(crate) const THREAD_END: u8 = 6;
    pub(crate) const RESUMED: u8 = 7;
    pub(crate) const EXIT: u8 = 8;
    pub(crate) const NOTIFY: u8 = 9;
    pub(crate) const NOTIFY_ALL: u8 = 10;
    pub(crate) const INTERRUPTED: u8 = 11;
}

const THREADS: usize = 256;
const LOCKS: usize = 1024;

/// What both sides expect of the next event: cheap guesses that make most fields vanish.
/// Starts afresh with every chunk, so that a chunk can be read without its neighbours.
#[derive(Clone, Debug)]
pub(crate) struct Predictor {
    at: u64,
    lock_of_thread: [u32; THREADS],
    seq_of_lock: [u32; LOCKS],
}

impl Default for Predictor {
    fn default() -> Self {
        Self {
            at: 0,
            lock_of_thread: [0; THREADS],
            seq_of_lock: [0; LOCKS],
        }
    }
}

impl Predictor {
    /// The signed distance from the previous event's time.
    pub(crate) fn at_delta(&mut self, at: Nanos) -> i64 {
        let delta = at.0.wrapping_sub(self.at) as i64;
        self.at = at.0;
        delta
    }

    pub(crate) fn at_from(&mut self, delta: i64) -> Nanos {
        self.at = self.at.wrapping_add(delta as u64);
        Nanos(self.at)
    }

    pub(crate) fn lock(&mut self, thread: u32) -> &mut u32 {
        &mut self.lock_of_thread[thread as usize % THREADS]
    }

    pub(crate) fn seq(&mut self, lock: u32) -> &mut u32 {
        &mut self.seq_of_lock[lock as usize % LOCKS]
    }
}

pub(crate) fn record(out: &mut Vec<u8>, predictor: &mut Predictor, record: &Record) {
    match record {
        Record::Target(pairs) => target(out, pairs),
        Record::Loader(def) => loader(out, def),
        Record::Class(def) => class(out, def),
        Record::Method(def) => method(out, def),
        Record::Code(code) if !code.sites.is_empty() => {
            out.push(tag::LINKED_CODE);
            crate::code::encode_sites(out, code);
        }
        Record::Code(code) => {
            out.push(tag::CODE);
            crate::code::encode(out, code);
        }
        Record::Stack(def) => stack(out, def),
        Record::Lock(def) => lock(out, def),
        Record::Fields(def) => fields(out, def),
        Record::Thread(def) => thread(out, def),
        Record::Event(event) => self::event(out, predictor, event),
        Record::Sync(def) => {
            out.push(tag::SYNC);
            crate::parked::encode_sync(out, def);
        }
        Record::Park(park) => {
            out.push(tag::PARK);
            crate::park::encode(out, park);
        }
        Record::Parked(parked) => {
            out.push(tag::PARKED);
            crate::parked::encode(out, parked);
        }
        Record::Operation(operation) => {
            out.push(tag::OPERATION);
            crate::juc::encode(out, operation);
        }
        Record::Access(access) => {
            out.push(tag::ACCESS);
            crate::access::encode(out, access);
        }
        Record::Sighting(seen) => {
            out.push(tag::SIGHTING);
            crate::looks::encode_sighting(out, seen);
        }
        Record::Look(look) => {
            out.push(tag::LOOK);
            crate::looks::encode_look(out, look);
        }
        Record::Held(held) => {
            out.push(tag::HELD);
            crate::held::encode(out, held);
        }
        Record::Kin(kin) => {
            out.push(tag::KIN);
            crate::kin::encode(out, kin);
        }
        Record::Lost(lost) => self::lost(out, lost),
        Record::Hidden(hidden) => self::hidden(out, hidden),
        Record::Tick(tick) => self::tick(out, tick),
        Record::End(end) => self::end(out, end),
    }
}

fn target(out: &mut Vec<u8>, pairs: &[(String, String)]) {
    out.push(tag::TARGET);
    put_u64(out, pairs.len() as u64);
    for (key, value) in pairs {
        put_str(out, key);
        put_str(out, value);
    }
}

fn loader(out: &mut Vec<u8>, def: &LoaderDef) {
    out.push(tag::LOADER);
    put_u32(out, def.id.0);
    put_str(out, &def.class_name);
}

fn class(out: &mut Vec<u8>, def: &ClassDef) {
    out.push(tag::CLASS);
    put_u32(out, def.id.0);
    put_u64(out, def.loader.map_or(0, |l| u64::from(l.0) + 1));
    put_str(out, &def.name);
    put_opt_str(out, def.super_name.as_deref());
    put_u64(out, def.interfaces.len() as u64);
    for name in &def.interfaces {
        put_str(out, name);
    }
    put_u32(out, def.flags);
    put_opt_str(out, def.source_file.as_deref());
}

fn method(out: &mut Vec<u8>, def: &MethodDef) {
    out.push(tag::METHOD);
    put_u32(out, def.id.0);
    put_u32(out, def.class.0);
    put_str(out, &def.name);
    put_str(out, &def.descriptor);
    put_u32(out, def.flags);
    put_u64(out, def.lines.len() as u64);
    for &(bci, line) in &def.lines {
        put_u32(out, bci.into());
        put_u32(out, line.into());
    }
}

fn stack(out: &mut Vec<u8>, def: &StackDef) {
    out.push(tag::STACK);
    put_u32(out, def.id.0);
    out.push(u8::from(def.cut));
    put_u64(out, def.frames.len() as u64);
    for frame in &def.frames {
        put_u32(out, frame.method.0);
        put_u32(out, frame.bci.map_or(0, |bci| u32::from(bci) + 1));
    }
}

fn lock(out: &mut Vec<u8>, def: &LockDef) {
    out.push(tag::LOCK);
    put_u32(out, def.id.0);
    put_u32(out, def.class.0);
    put_i64(out, def.hash.into());
    let (what, id) = match def.object {
        LockObject::Plain => (0, 0),
        LockObject::Thread(thread) => (1, thread.0),
        LockObject::ClassMirror(class) => (2, class.0),
    };
    out.push(what);
    put_u32(out, id);
}

fn fields(out: &mut Vec<u8>, def: &FieldsDef) {
    out.push(tag::FIELDS);
    put_u32(out, def.lock.0);
    put_u64(out, def.values.len() as u64);
    for field in &def.values {
        put_str(out, &field.class);
        put_str(out, &field.name);
        match field.reading {
            Reading::Number(value) => {
                out.push(0);
                put_i64(out, value);
            }
            Reading::ArrayLength(len) => {
                out.push(1);
                put_u32(out, len);
            }
        }
    }
}

fn thread(out: &mut Vec<u8>, def: &ThreadDef) {
    out.push(tag::THREAD);
    put_u32(out, def.id.0);
    put_u64(out, def.tid);
    put_str(out, &def.name);
    put_opt_str(out, def.group.as_deref());
    let flags = [def.daemon, def.is_virtual, def.at_start];
    out.push(
        (0..)
            .zip(flags)
            .map(|(bit, flag)| u8::from(flag) << bit)
            .sum(),
    );
}

pub(crate) fn event(out: &mut Vec<u8>, predictor: &mut Predictor, event: &Event) {
    let lock = event.lock.map_or(0, |l| l.0);
    let same = std::mem::replace(predictor.lock(event.thread.0), lock) == lock;
    let mut head = tag::EVENT | kind_code(event.kind);
    head |= if same { tag::SAME_LOCK } else { 0 };
    head |= event.stack.map_or(0, |_| tag::HAS_STACK);
    head |= event.seq.map_or(0, |_| tag::HAS_SEQ);
    let mut short = Short::default();
    short.byte(head);
    short.i64(predictor.at_delta(event.at));
    short.u64(event.thread.0.into());
    if !same {
        short.u64(lock.into());
    }
    if let Some(stack) = event.stack {
        short.u64(stack.0.into());
    }
    if let Some(seq) = event.seq {
        let before = std::mem::replace(predictor.seq(lock), seq);
        short.i64(i64::from(seq) - i64::from(before) - 1);
    }
    if matches!(event.kind, EventKind::Enter | EventKind::Wait { .. }) {
        short.u64(more(event));
    }
    out.extend_from_slice(short.bytes());
}

/// Of an ENTER its owner, of a WAIT its time-out.
pub(crate) fn more(event: &Event) -> u64 {
    match event.kind {
        EventKind::Enter => owner_code(event.owner),
        EventKind::Wait { timeout } => timeout_code(timeout),
        _ => 0,
    }
}

pub(crate) fn kind_code(kind: EventKind) -> u8 {
    match kind {
        EventKind::Enter => kind::ENTER,
        EventKind::Entered => kind::ENTERED,
        EventKind::Wait { .. } => kind::WAIT,
        EventKind::Waited { timed_out: false } => kind::WAITED,
        EventKind::Waited { timed_out: true } => kind::WAITED_TIMED_OUT,
        EventKind::ThreadStart => kind::THREAD_START,
        EventKind::ThreadEnd => kind::THREAD_END,
        EventKind::Resumed => kind::RESUMED,
        EventKind::Interrupted => kind::INTERRUPTED,
        EventKind::Exit => kind::EXIT,
        EventKind::Notify => kind::NOTIFY,
        EventKind::NotifyAll => kind::NOTIFY_ALL,
    }
}

pub(crate) fn owner_code(owner: Owner) -> u64 {
    match owner {
        Owner::Unknown => 0,
        Owner::Nobody => 1,
        Owner::Thread(thread) => u64::from(thread.0) + 2,
    }
}

/// 0: none; else twice the whole milliseconds plus 1, or twice the nanoseconds plus 2. More milliseconds than there can be
/// nanoseconds, which are read as the most of these, stand for just that: `wait(Long.MAX_VALUE)`.
fn timeout_code(timeout: Option<Nanos>) -> u64 {
    match timeout {
        None => 0,
        Some(Nanos(u64::MAX)) => u64::MAX.div_ceil(1_000_000) * 2 + 1,
        Some(Nanos(ns)) if ns.is_multiple_of(1_000_000) => (ns / 1_000_000) * 2 + 1,
        Some(Nanos(ns)) => ns.min(u64::MAX / 2 - 1) * 2 + 2,
    }
}

fn lost(out: &mut Vec<u8>, lost: &Lost) {
    out.push(tag::LOST);
    put_u64(out, lost.from.0);
    put_u64(out, lost.to.0);
    put_u64(out, lost.count);
    out.push(match lost.cause {
        LossCause::BufferFull => 0,
        LossCause::TableFull => 1,
        LossCause::StackBudget => 2,
        LossCause::Unidentified => 3,
        LossCause::Paused => 4,
    });
}

fn hidden(out: &mut Vec<u8>, hidden: &Hidden) {
    out.push(tag::HIDDEN);
    put_str(out, &hidden.name);
    put_u64(out, hidden.events);
}

fn tick(out: &mut Vec<u8>, tick: &Tick) {
    out.push(tag::TICK);
    put_u64(out, tick.at.0);
    put_u64(out, tick.agent_cpu.0);
}

fn end(out: &mut Vec<u8>, end: &End) {
    out.push(tag::END);
    put_u64(out, end.at.0);
    out.push(match end.reason {
        EndReason::Stopped => 0,
        EndReason::VmDeath => 1,
        EndReason::CommandSilent => 2,
        EndReason::OutOfMemory => 3,
    });
}
