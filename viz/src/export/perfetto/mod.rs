//! Perfetto's trace format: a `Trace` of packets with track events, written as happenings are told.
//!
//! Tracks are those of `tracks`: each thread with what held it up, each logical lock with who held it, how many were
//! blocked or waited, and its pressure. Slices on one track never overlap: where things do, they are put on tracks beside it.
//! Names of contended monitors are in the words of `contention`, which Perfetto takes apart itself. Strings are told
//! once, up to a number (`interned`). Flows go from who let a thread go on to the end of what held that thread up.
//! Packets of different tracks are not in the order of time, which the format does not ask for.
//!
//! Memory: threads, locks, distinct strings up to a number, and of locks parked on an average for each interval.

mod average;
mod contention;
mod interned;
#[cfg(test)]
mod tests;
mod tracks;

use super::names::{Names, harmless};
use super::proto::{Begun, Message};
use average::Averages;
use contention::Contended;
use interned::{Interned, Known, Label, Name, Text};
use locklens_inference::analysis::Analysis;
use locklens_inference::collect::Collected;
use locklens_inference::contention::{
    By, Happening, Hold, Kind, Length, Queued, Share, Span, Waker,
};
use locklens_inference::pressure::model::Pressure;
use locklens_trace::juc::{Operation, Outcome};
use locklens_trace::record::{LossCause, Lost, target_key};
use locklens_trace::{Nanos, ThreadId};
use std::io::{self, Write};
use tracks::{Track, Tracks};

/// The one sequence of packets.
const SEQUENCE: u64 = 1;
/// What came before in the sequence is void.
const CLEARED: u64 = 1;
/// Numbers of strings refer to what came before.
const NEEDS_STATE: u64 = 2;
/// The fields of a packet with an event that are always the same: `trusted_packet_sequence_id` and `sequence_flags`.
const USUAL: [u8; 4] = [10 << 3, SEQUENCE as u8, 13 << 3, NEEDS_STATE as u8];
/// Bytes of packets that are written at once.
const AT_ONCE: usize = 1 << 16;
/// `BuiltinClock`: the one that times are in, and the one of the wall.
const BOOTTIME: u64 = 6;
const REALTIME: u64 = 1;

/// `TrackEvent.Type`.
#[derive(Clone, Copy, Debug)]
enum Type {
    Begin = 1,
    End = 2,
    Instant = 3,
    Counter = 4,
}

/// A slice, before it is put on a track.
struct Slice {
    from: Nanos,
    to: Nanos,
    name: Known,
}

/// See the module.
pub struct Perfetto<'a> {
    names: Names<'a>,
    out: &'a mut dyn Write,
    /// Packets that have not been written yet; the last of them may be under way.
    packets: Message,
    /// Of an event under way, where its packet and itself begin.
    begun: Option<(Begun, Begun)>,
    interned: Interned,
    tracks: Tracks,
    averages: Averages,
    flows: u64,
    left_out: u64,
}

impl<'a> Perfetto<'a> {
    /// Writes what stands at the beginning: the clock, the process, and what is missing.
    ///
    /// # Errors
    /// When `out` fails.
    pub fn begin(
        collected: &'a Collected,
        analysis: &'a Analysis,
        out: &'a mut dyn Write,
    ) -> io::Result<Self> {
        let names = Names::of(collected, analysis);
        let mut perfetto = Self {
            tracks: Tracks::of(&names),
            averages: Averages::over(collected.recording.duration),
            names,
            out,
            packets: Message::default(),
            begun: None,
            interned: Interned::default(),
            flows: 0,
            left_out: 0,
        };
        perfetto.clock()?;
        perfetto.open(Track::Process);
        for warning in perfetto.names.warnings() {
            perfetto.remark(Nanos(0), &warning)?;
        }
        Ok(perfetto)
    }

    /// Writes what is told next.
    ///
    /// # Errors
    /// When the output fails.
    pub fn tell(&mut self, happening: &Happening) -> io::Result<()> {
        match happening {
            Happening::Stay(span) => self.stay(span),
            Happening::Hold(hold) => self.hold(hold),
            Happening::Queue(queued) => self.queue(queued),
            Happening::Used(operation) => self.used(operation),
            Happening::Lost(lost) => self.lost(lost),
        }
    }

    /// Writes what is known only at the end.
    ///
    /// # Errors
    /// When the output fails.
    pub fn end(mut self, pressure: &Pressure) -> io::Result<()> {
        self.pressure(pressure)?;
        for (index, at, average) in std::mem::take(&mut self.averages).all() {
            self.count(Track::Parked(index), at, average)?;
        }
        if self.left_out > 0 {
            let text = format!("slices left out, too many at once: {}", self.left_out);
            self.remark(Nanos(0), &text)?;
        }
        self.write()
    }

    fn clock(&mut self) -> io::Result<()> {
        let wall = self.names.fact(target_key::STARTED_UNIX_NS);
        let wall: Option<u64> = wall.and_then(|ns| ns.parse().ok());
        self.packets.nested(1, |packet| {
            packet.uint(10, SEQUENCE);
            packet.uint(13, CLEARED);
            packet.nested(6, |snapshot| {
                let clocks = [(BOOTTIME, Some(0)), (REALTIME, wall)];
                for (id, at) in clocks {
                    let Some(at) = at else { continue };
                    snapshot.nested(1, |clock| {
                        clock.uint(1, id);
                        clock.uint(2, at);
                    });
                }
                snapshot.uint(2, BOOTTIME);
            });
        });
        self.write()
    }

    /// Writes what has come together.
    fn write(&mut self) -> io::Result<()> {
        self.out.write_all(self.packets.bytes())?;
        self.packets.clear();
        Ok(())
    }

    /// Describes a track, and those it is in, if that has not been done.
    fn open(&mut self, track: Track) {
        if self.tracks.is_open(track) {
            return;
        }
        if let Some(parent) = self.tracks.parent(track) {
            self.open(parent);
        }
        let (names, tracks) = (&self.names, &self.tracks);
        self.packets.nested(1, |packet| {
            packet.uint(10, SEQUENCE);
            packet.nested(60, |descriptor| tracks.describe(track, names, descriptor));
        });
        self.tracks.opened(track);
    }

    /// Begins an event on a track, which is described before it if that has not been done.
    fn event(&mut self, kind: Type, track: Track, at: Nanos) {
        self.open(track);
        self.on_open(kind, track, at);
    }

    /// The same of a track that has been described.
    fn on_open(&mut self, kind: Type, track: Track, at: Nanos) {
        let packet = self.packets.begin(1);
        self.packets.uint(8, at.0.min(i64::MAX as u64));
        self.packets.fields(&USUAL);
        let event = self.packets.begin(11);
        self.packets.uint(9, kind as u64);
        self.packets.uint(11, track.uuid());
        self.begun = Some((packet, event));
    }

    /// Ends the event, and tells the strings that are new in it.
    fn done(&mut self) -> io::Result<()> {
        if let Some((packet, event)) = self.begun.take() {
            self.packets.end(event);
            if !self.interned.fresh().is_empty() {
                self.packets.raw(12, self.interned.fresh());
                self.interned.told();
            }
            self.packets.end(packet);
        }
        match self.packets.bytes().len() < AT_ONCE {
            true => Ok(()),
            false => self.write(),
        }
    }

    fn named(&mut self, name: &Known) {
        match name {
            Known::Number(number) => self.packets.uint(10, *number),
            Known::Text(text) => self.packets.string(23, text),
        }
    }

    /// A value of an event under a name.
    fn text(&mut self, label: Label, text: Text) {
        let label = self.interned.label(label);
        let value = self.interned.text(text, &self.names);
        annotation(&mut self.packets, 4, label, &value);
    }

    fn number(&mut self, label: Label, value: u64) {
        let label = self.interned.label(label);
        number(&mut self.packets, 4, label, value);
    }

    /// Something that has no length.
    fn instant(&mut self, at: Nanos, track: Track, name: &Known) -> io::Result<()> {
        self.event(Type::Instant, track, at);
        self.named(name);
        self.done()
    }

    /// About the recording itself.
    fn remark(&mut self, at: Nanos, text: &str) -> io::Result<()> {
        self.instant(at, Track::Recording, &Known::Text(harmless(text)))
    }

    fn count(&mut self, track: Track, at: Nanos, value: f64) -> io::Result<()> {
        self.event(Type::Counter, track, at);
        self.packets.double(44, value);
        self.done()
    }

    fn whole(&mut self, track: Track, at: Nanos, value: u32) -> io::Result<()> {
        self.event(Type::Counter, track, at);
        self.packets.int(30, value.into());
        self.done()
    }

    fn stay(&mut self, span: &Span) -> io::Result<()> {
        if let (Kind::Acquire, Some(index)) =
            (span.kind, span.lock.and_then(|lock| self.names.index(lock)))
        {
            self.averages.add(index, span.from, span.to);
        }
        let name = self.interned.name(name_of(span), &self.names);
        let slice = Slice {
            from: span.from,
            to: span.to,
            name,
        };
        let Some(track) = self
            .tracks
            .lane(Track::Thread(span.thread), span.from, span.to)
        else {
            self.left_out += 1;
            return Ok(());
        };
        self.begin_slice(track, &slice);
        self.about(span);
        self.done()?;
        let flow = span
            .waker
            .filter(|waker| waker.at <= span.to && waker.thread != span.thread);
        let flow = flow.map(|waker| self.flow_from(&waker, span)).transpose()?;
        self.on_open(Type::End, track, slice.to);
        if let Some(flow) = flow {
            self.packets.fixed64(48, flow);
        }
        self.done()
    }

    fn begin_slice(&mut self, track: Track, slice: &Slice) {
        self.event(Type::Begin, track, slice.from);
        self.named(&slice.name);
    }

    /// What is known of a stay beside its name.
    fn about(&mut self, span: &Span) {
        self.text(Label::Lock, Text::Object(span.lock));
        if let Some(lock) = span.lock {
            self.number(Label::Object, lock.0.into());
        }
        if let Some(site) = span.site {
            self.text(Label::Region, Text::Place(site));
        }
        if let Some(stack) = span.stack {
            self.text(Label::Chain, Text::Chain(stack));
        }
        match span.length {
            Length::Exact => {}
            Length::Estimate => self.text(Label::Length, Text::Word("estimate")),
            Length::Unknown => self.text(Label::Length, Text::Word("unknown")),
        }
        if span.shares.iter().any(|share| share.time.0 > 0) {
            self.shares(span);
        }
    }

    /// Who held it, and for how long: a list of entries.
    fn shares(&mut self, span: &Span) {
        let label = self.interned.label(match span.kind {
            Kind::Wait => Label::EndedBy,
            _ => Label::HeldBy,
        });
        let list = self.packets.begin(4);
        self.packets.uint(1, label);
        for share in span.shares.iter().filter(|share| share.time.0 > 0) {
            let entry = self.packets.begin(12);
            self.share(share);
            self.packets.end(entry);
        }
        self.packets.end(list);
    }

    fn share(&mut self, share: &Share) {
        let who = match share.by {
            By::Thread(thread) => Text::Thread(thread),
            By::Nobody => Text::Word("nobody"),
            By::Unknown(why) => Text::Unknown(why),
            By::Others => Text::Word("others"),
        };
        let site = share.site.map(|site| (Label::Region, Text::Place(site)));
        for (label, text) in [Some((Label::Thread, who)), site].into_iter().flatten() {
            let label = self.interned.label(label);
            let value = self.interned.text(text, &self.names);
            annotation(&mut self.packets, 11, label, &value);
        }
        let ns = self.interned.label(Label::Ns);
        number(&mut self.packets, 11, ns, share.time.0);
    }

    /// Who let it go on, as an instant from which a flow begins.
    fn flow_from(&mut self, waker: &Waker, span: &Span) -> io::Result<u64> {
        self.flows += 1;
        let flow = self.flows;
        let name = match span.kind {
            Kind::Wait => Name::Notified(span.lock),
            Kind::Parked => Name::Unparked(span.lock),
            Kind::Monitor | Kind::AfterWait | Kind::Acquire => Name::Released(span.lock),
        };
        let name = self.interned.name(name, &self.names);
        self.event(Type::Instant, Track::Given(waker.thread), waker.at);
        self.named(&name);
        self.packets.fixed64(47, flow);
        self.done()?;
        Ok(flow)
    }

    fn hold(&mut self, hold: &Hold) -> io::Result<()> {
        let Some(index) = self.names.index(hold.lock) else {
            return Ok(());
        };
        let Some(track) = self.tracks.lane(Track::Held(index, 0), hold.from, hold.to) else {
            self.left_out += 1;
            return Ok(());
        };
        let slice = Slice {
            from: hold.from,
            to: hold.to,
            name: self.interned.name(Name::Thread(hold.thread), &self.names),
        };
        self.begin_slice(track, &slice);
        self.number(Label::Object, hold.lock.0.into());
        if let Some(stack) = hold.stack {
            self.text(Label::Chain, Text::Chain(stack));
        }
        self.done()?;
        self.on_open(Type::End, track, slice.to);
        self.done()
    }

    fn queue(&mut self, queued: &Queued) -> io::Result<()> {
        let counts = [
            (Track::Blocked(queued.index), queued.blocked),
            (Track::Waiting(queued.index), queued.waiting),
        ];
        for (track, count) in counts {
            if self.tracks.counts(track, count) {
                self.whole(track, queued.at, count)?;
            }
        }
        Ok(())
    }

    fn used(&mut self, operation: &Operation) -> io::Result<()> {
        let name = Name::Used(operation.act, operation.lock);
        let name = self.interned.name(name, &self.names);
        let track = Track::Operations(operation.thread);
        self.event(Type::Instant, track, operation.at);
        self.named(&name);
        if operation.outcome != Outcome::Done {
            self.text(Label::Outcome, Text::Word(operation.outcome.name()));
        }
        if operation.amount() != 1 {
            self.number(Label::Count, operation.amount().into());
        }
        if let Some(stack) = operation.stack {
            self.text(Label::Chain, Text::Chain(stack));
        }
        self.done()
    }

    fn lost(&mut self, lost: &Lost) -> io::Result<()> {
        let what = match lost.cause {
            LossCause::BufferFull => "events lost, a buffer was full",
            LossCause::TableFull => "events lost, a table was full",
            LossCause::StackBudget => "call chains left out",
            LossCause::Unidentified => "events lost, something could not be identified",
            LossCause::Paused => "events were switched off",
        };
        self.event(Type::Instant, Track::Recording, lost.from);
        self.packets.string(23, what);
        self.number(Label::Count, lost.count);
        self.number(Label::Until, lost.to.0);
        self.done()
    }

    /// A value for each interval of the recording; 0 where nobody ran, or events were switched off.
    fn pressure(&mut self, pressure: &Pressure) -> io::Result<()> {
        let locks = &self.names.analysis.model.locks;
        for lock in &pressure.locks {
            let Some(index) = locks.iter().position(|known| known.id == lock.id) else {
                continue;
            };
            // Intervals are counted from the beginning of the clock.
            for (interval, share) in (0_u64..).zip(&lock.series) {
                let percent = share.unwrap_or(0.0) * 100.0;
                let from = interval.saturating_mul(pressure.interval.0);
                if from.saturating_add(pressure.interval.0) > pressure.begin.0 {
                    let at = Nanos(from).max(pressure.begin);
                    self.count(Track::Pressure(index), at, percent)?;
                }
            }
        }
        Ok(())
    }
}

/// A value of an event, or within one.
#[inline]
fn annotation(out: &mut Message, field: u32, label: u64, value: &Known) {
    let begun = out.begin(field);
    out.uint(1, label);
    match value {
        Known::Number(number) => out.uint(17, *number),
        Known::Text(text) => out.string(6, text),
    }
    out.end(begun);
}

#[inline]
fn number(out: &mut Message, field: u32, label: u64, value: u64) {
    let begun = out.begin(field);
    out.uint(1, label);
    out.uint(3, value);
    out.end(begun);
}

/// What a stay is called.
fn name_of(span: &Span) -> Name {
    let first = || {
        let mut shares = span.shares.iter();
        shares.find(|share| matches!(share.by, By::Thread(_)))
    };
    let thread = |share: Option<&Share>| match share.map(|share| share.by) {
        Some(By::Thread(thread)) => Some(thread),
        _ => None,
    };
    match span.kind {
        Kind::Monitor | Kind::AfterWait => {
            let owner = first();
            Name::Contended(Contended {
                owner: thread(owner),
                owner_site: owner.and_then(|share| share.site),
                site: span.site,
                waiters: span.others,
            })
        }
        Kind::Acquire => Name::Acquire(span.lock, thread(first())),
        Kind::Wait => Name::Wait(span.lock),
        Kind::Parked => Name::Parked(span.lock),
    }
}

/// The Java number of a thread, as a viewer is to find it again.
fn tid(names: &Names<'_>, thread: ThreadId) -> Option<i64> {
    let tid = names.thread(thread)?.tid;
    i64::try_from(tid).ok().filter(|&tid| tid > 0)
}
