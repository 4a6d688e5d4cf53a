//! What stands in a row of each table.

use super::sheet::{Cell, maybe, number, text, word};
use crate::export::{FastMap, Names, harmless};
use crate::report::Known;
use locklens_inference::contention::{By, Hold, Kind, Length, Share, Span};
use locklens_inference::model::{LogicalLock, Recording};
use locklens_inference::nesting::graph::{Edge, Graph};
use locklens_inference::volume::{event_name, loss_name};
use locklens_trace::juc::Operation;
use locklens_trace::park::{Park, ParkEnd};
use locklens_trace::parked::Parked;
use locklens_trace::record::{
    Frame, LockDef, LockObject, Lost, Owner, Record, StackDef, ThreadDef, target_key,
};
use locklens_trace::{Event, EventKind, LockId, StackId, ThreadId};

/// Places in words, each made once.
pub(super) type Sites = FastMap<Frame, Cell>;

fn id(id: u32) -> Cell {
    Cell::Number(i64::from(id))
}

fn thread_id(thread: ThreadId) -> Cell {
    id(thread.0)
}

fn stack_id(stack: StackId) -> Cell {
    id(stack.0)
}

/// The number of an object's lock in the report.
fn lock_of(object: LockId, names: &Names<'_>) -> Cell {
    let lock = names.index(object);
    let lock = lock.and_then(|index| names.analysis.model.locks.get(index));
    maybe(lock, |lock| id(lock.id))
}

fn site(frame: Option<Frame>, names: &Names<'_>, sites: &mut Sites) -> Cell {
    let Some(frame) = frame else {
        return Cell::Nothing;
    };
    let known = sites.entry(frame);
    known
        .or_insert_with(|| text(&names.place(&frame).short()))
        .clone()
}

pub(super) fn recording(names: &Names<'_>) -> [Cell; 11] {
    let fact = |key| maybe(names.fact(key), |fact| text(&harmless(fact)));
    let recording = &names.analysis.model.recording;
    [
        fact(target_key::MAIN),
        fact(target_key::JAVA_VERSION),
        fact(target_key::VM_NAME),
        number(recording.duration.0),
        number(recording.events),
        Cell::Truth(recording.exact),
        Cell::Truth(recording.ended),
        Cell::Truth(recording.is_whole()),
        number(recording.lost),
        number(recording.gaps),
        number(recording.paused.0),
    ]
}

pub(super) fn thread(thread: &ThreadDef) -> [Cell; 7] {
    [
        thread_id(thread.id),
        number(thread.tid),
        text(&harmless(&thread.name)),
        maybe(thread.group.as_deref(), |group| text(&harmless(group))),
        Cell::Truth(thread.daemon),
        Cell::Truth(thread.is_virtual),
        Cell::Truth(thread.at_start),
    ]
}

pub(super) fn frame(stack: &StackDef, depth: i64, frame: &Frame, names: &Names<'_>) -> [Cell; 7] {
    let place = names.place(frame);
    [
        stack_id(stack.id),
        Cell::Number(depth),
        text(&place.method),
        text(&harmless(&place.descriptor)),
        maybe(place.file, |file| text(&file)),
        maybe(place.line, |line| Cell::Number(i64::from(line))),
        Cell::Truth(stack.cut),
    ]
}

pub(super) fn object(object: &LockDef, names: &Names<'_>) -> [Cell; 4] {
    [
        id(object.id.0),
        text(&harmless(&names.catalog().class_name(object.class))),
        word(match object.object {
            LockObject::Plain => "plain",
            LockObject::Thread(_) => "thread",
            LockObject::ClassMirror(_) => "class",
        }),
        lock_of(object.id, names),
    ]
}

pub(super) fn lock(lock: &LogicalLock, recording: &Recording) -> [Cell; 17] {
    let known = Known::of(lock, recording);
    let types = lock.types.iter().map(|one| one.lock_type.name());
    let types: Vec<&str> = types.collect();
    let best = lock.types.first();
    [
        id(lock.id),
        text(&harmless(&lock.name)),
        maybe(lock.classes.first(), |class| text(&harmless(class))),
        text(types.first().copied().unwrap_or("UNKNOWN")),
        text(&types.join("+")),
        Cell::Weight(best.map_or(0.0, |best| best.confidence)),
        number(lock.instances),
        number(lock.threads),
        maybe(known.locked, number),
        maybe(known.blocked, number),
        maybe(known.blocked_ns, number),
        number(lock.waits.count),
        maybe(known.wait_ns, number),
        number(lock.timed_out),
        number(lock.still_blocked),
        number(lock.still_waiting),
        Cell::Truth(lock.is_estimated()),
    ]
}

/// An event, if the record is one.
pub(super) fn event(record: &Record, names: &Names<'_>) -> Option<[Cell; 11]> {
    Some(match record {
        Record::Event(event) => monitor(event, names),
        Record::Park(park) => parked(park, names),
        Record::Parked(found) => found_parked(found, names),
        Record::Operation(operation) => used(operation, names),
        Record::Lost(lost) => missing(lost),
        _ => return None,
    })
}

fn monitor(event: &Event, names: &Names<'_>) -> [Cell; 11] {
    let (owner, free) = owner(event.owner);
    let (detail, limit) = match event.kind {
        EventKind::Wait { timeout } => (Cell::Nothing, timeout),
        EventKind::Waited { timed_out: true } => (word("timed-out"), None),
        _ => (free, None),
    };
    [
        number(event.at.0),
        Cell::Nothing,
        word(event_name(event.kind)),
        thread_id(event.thread),
        maybe(event.lock, |lock| id(lock.0)),
        event
            .lock
            .map_or(Cell::Nothing, |lock| lock_of(lock, names)),
        maybe(event.stack, stack_id),
        owner,
        detail,
        maybe(limit, |limit| number(limit.0)),
        Cell::Nothing,
    ]
}

/// Who held what somebody wants; and that it was nobody.
fn owner(owner: Owner) -> (Cell, Cell) {
    match owner {
        Owner::Unknown => (Cell::Nothing, Cell::Nothing),
        Owner::Nobody => (Cell::Nothing, word("free")),
        Owner::Thread(thread) => (thread_id(thread), Cell::Nothing),
    }
}

fn parked(park: &Park, names: &Names<'_>) -> [Cell; 11] {
    let end = match park.end {
        ParkEnd::Unparked => "unparked",
        ParkEnd::TimedOut => "timed-out",
        ParkEnd::Interrupted => "interrupted",
        ParkEnd::Unknown => "unknown",
        ParkEnd::Unseen => "unseen",
        ParkEnd::Open => "open",
    };
    let is_over = park.end != ParkEnd::Unseen;
    [
        number(park.from.0),
        maybe(is_over.then_some(park.to), |to| number(to.0)),
        word("PARK"),
        thread_id(park.thread),
        maybe(park.lock, |lock| id(lock.0)),
        park.lock.map_or(Cell::Nothing, |lock| lock_of(lock, names)),
        maybe(park.stack, stack_id),
        maybe(park.unpark, |unpark| thread_id(unpark.by)),
        word(end),
        maybe(park.limit, |limit| number(limit.0)),
        Cell::Nothing,
    ]
}

fn found_parked(found: &Parked, names: &Names<'_>) -> [Cell; 11] {
    let (owner, free) = owner(found.owner);
    [
        number(found.from.0),
        number(found.to.0),
        word("FOUND-PARKED"),
        thread_id(found.thread),
        id(found.lock.0),
        lock_of(found.lock, names),
        maybe(found.stack, stack_id),
        owner,
        free,
        Cell::Nothing,
        Cell::Number(i64::from(found.samples)),
    ]
}

fn used(operation: &Operation, names: &Names<'_>) -> [Cell; 11] {
    [
        number(operation.at.0),
        Cell::Nothing,
        word(operation.act.name()),
        thread_id(operation.thread),
        id(operation.lock.0),
        lock_of(operation.lock, names),
        maybe(operation.stack, stack_id),
        Cell::Nothing,
        word(operation.outcome.name()),
        Cell::Nothing,
        Cell::Number(i64::from(operation.amount())),
    ]
}

fn missing(lost: &Lost) -> [Cell; 11] {
    [
        number(lost.from.0),
        number(lost.to.0),
        word("LOST"),
        Cell::Nothing,
        Cell::Nothing,
        Cell::Nothing,
        Cell::Nothing,
        Cell::Nothing,
        word(loss_name(lost.cause)),
        Cell::Nothing,
        number(lost.count),
    ]
}

pub(super) fn contention(
    nth: i64,
    span: &Span,
    names: &Names<'_>,
    sites: &mut Sites,
) -> [Cell; 14] {
    let (length, is_known) = match span.length {
        Length::Exact => ("exact", true),
        Length::Estimate => ("estimate", true),
        Length::Unknown => ("unknown", false),
    };
    let ns = is_known.then(|| span.to.since(span.from));
    [
        Cell::Number(nth),
        word(match span.kind {
            Kind::Monitor => "monitor",
            Kind::AfterWait => "after-wait",
            Kind::Wait => "wait",
            Kind::Acquire => "acquire",
            Kind::Parked => "parked",
        }),
        thread_id(span.thread),
        maybe(span.lock, |lock| id(lock.0)),
        span.lock.map_or(Cell::Nothing, |lock| lock_of(lock, names)),
        number(span.from.0),
        number(span.to.0),
        maybe(ns, |ns| number(ns.0)),
        word(length),
        maybe(span.stack, stack_id),
        site(span.site, names, sites),
        Cell::Number(i64::from(span.others)),
        maybe(span.waker, |waker| thread_id(waker.thread)),
        maybe(span.waker, |waker| number(waker.at.0)),
    ]
}

/// A part of the stay `of`, by its number and that of the part.
pub(super) fn share(
    (contention, nth): (i64, i64),
    share: &Share,
    of: &Span,
    names: &Names<'_>,
    sites: &mut Sites,
) -> [Cell; 7] {
    let (by, owner, why) = match share.by {
        By::Thread(thread) => ("thread", Some(thread), None),
        By::Nobody => ("nobody", None, None),
        By::Unknown(why) => ("unknown", None, Some(why.name())),
        By::Others => ("others", None, None),
    };
    let time = (of.length != Length::Unknown).then_some(share.time);
    [
        Cell::Number(contention),
        Cell::Number(nth),
        word(by),
        maybe(owner, thread_id),
        site(share.site, names, sites),
        maybe(time, |time| number(time.0)),
        maybe(why, word),
    ]
}

pub(super) fn hold(hold: &Hold, names: &Names<'_>) -> [Cell; 6] {
    [
        thread_id(hold.thread),
        id(hold.lock.0),
        lock_of(hold.lock, names),
        number(hold.from.0),
        number(hold.to.0),
        maybe(hold.stack, stack_id),
    ]
}

pub(super) fn edge(edge: &Edge, graph: &Graph) -> [Cell; 9] {
    let (from, to) = (&graph.nodes[edge.from], &graph.nodes[edge.to]);
    [
        id(from.id),
        text(&harmless(&from.name)),
        id(to.id),
        text(&harmless(&to.name)),
        number(edge.count),
        number(edge.threads.len() as u64),
        word(edge.known.name()),
        number(edge.first.0),
        Cell::Truth(edge.in_cycle),
    ]
}
