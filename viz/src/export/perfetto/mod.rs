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
use super::proto::Message;
use average::Averages;
use contention::Contended;
use interned::{Interned, Known, Name, Text};
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
    packet: Message,
    event: Message,
    list: Message,
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
            packet: Message::default(),
            event: Message::default(),
            list: Message::default(),
            interned: Interned::default(),
            flows: 0,
            left_out: 0,
        };
        perfetto.clock()?;
        perfetto.open(Track::Process)?;
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
        Ok(())
    }

    fn clock(&mut self) -> io::Result<()> {
        let wall = self.names.fact(target_key::STARTED_UNIX_NS);
        let wall: Option<u64> = wall.and_then(|ns| ns.parse().ok());
        self.packet.clear();
        self.packet.nested(1, |packet| {
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
        self.out.write_all(self.packet.bytes())
    }

    /// Describes a track, and those it is in, if that has not been done.
    fn open(&mut self, track: Track) -> io::Result<()> {
        if self.tracks.is_open(track) {
            return Ok(());
        }
        if let Some(parent) = self.tracks.parent(track) {
            self.open(parent)?;
        }
        self.packet.clear();
        let (names, tracks) = (&self.names, &self.tracks);
        self.packet.nested(1, |packet| {
            packet.uint(10, SEQUENCE);
            packet.nested(60, |descriptor| tracks.describe(track, names, descriptor));
        });
        self.tracks.opened(track);
        self.out.write_all(self.packet.bytes())
    }

    /// Writes an event, whose further fields are in `self.event`.
    fn packet(&mut self, at: Nanos) -> io::Result<()> {
        let (event, fresh) = (&self.event, self.interned.fresh());
        self.packet.clear();
        self.packet.nested(1, |packet| {
            packet.uint(8, at.0.min(i64::MAX as u64));
            packet.uint(10, SEQUENCE);
            packet.uint(13, NEEDS_STATE);
            if !fresh.is_empty() {
                packet.raw(12, fresh);
            }
            packet.raw(11, event.bytes());
        });
        self.interned.told();
        self.out.write_all(self.packet.bytes())
    }

    /// Begins an event in `self.event`.
    fn event(&mut self, kind: Type, track: Track) -> io::Result<()> {
        self.open(track)?;
        self.event.clear();
        self.event.uint(9, kind as u64);
        self.event.uint(11, track.uuid());
        Ok(())
    }

    fn named(&mut self, name: &Known) {
        match name {
            Known::Number(number) => self.event.uint(10, *number),
            Known::Text(text) => self.event.string(23, text),
        }
    }

    /// A value of an event under a name.
    fn text(&mut self, name: &'static str, text: Text) {
        let name = self.interned.annotation(name);
        let value = self.interned.text(text, &self.names);
        self.event.nested(4, |annotation| {
            annotation.uint(1, name);
            match &value {
                Known::Number(number) => annotation.uint(17, *number),
                Known::Text(text) => annotation.string(6, text),
            }
        });
    }

    fn number(&mut self, name: &'static str, value: u64) {
        let name = self.interned.annotation(name);
        self.event.nested(4, |annotation| {
            annotation.uint(1, name);
            annotation.uint(3, value);
        });
    }

    /// Something that has no length.
    fn instant(&mut self, at: Nanos, track: Track, name: &Known) -> io::Result<()> {
        self.event(Type::Instant, track)?;
        self.named(name);
        self.packet(at)
    }

    /// About the recording itself.
    fn remark(&mut self, at: Nanos, text: &str) -> io::Result<()> {
        self.instant(at, Track::Recording, &Known::Text(harmless(text)))
    }

    fn count(&mut self, track: Track, at: Nanos, value: f64) -> io::Result<()> {
        self.event(Type::Counter, track)?;
        self.event.double(44, value);
        self.packet(at)
    }

    fn whole(&mut self, track: Track, at: Nanos, value: u32) -> io::Result<()> {
        self.event(Type::Counter, track)?;
        self.event.int(30, value.into());
        self.packet(at)
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
        self.begin_slice(track, &slice)?;
        self.about(span);
        self.packet(slice.from)?;
        let flow = span
            .waker
            .filter(|waker| waker.at <= span.to && waker.thread != span.thread);
        let flow = flow.map(|waker| self.flow_from(&waker, span)).transpose()?;
        self.event(Type::End, track)?;
        if let Some(flow) = flow {
            self.event.fixed64(48, flow);
        }
        self.packet(slice.to)
    }

    fn begin_slice(&mut self, track: Track, slice: &Slice) -> io::Result<()> {
        self.event(Type::Begin, track)?;
        self.named(&slice.name);
        Ok(())
    }

    /// What is known of a stay beside its name.
    fn about(&mut self, span: &Span) {
        self.text("lock", Text::Object(span.lock));
        if let Some(lock) = span.lock {
            self.number("object", lock.0.into());
        }
        if let Some(site) = span.site {
            self.text("region", Text::Place(site));
        }
        if let Some(stack) = span.stack {
            self.text("chain", Text::Chain(stack));
        }
        match span.length {
            Length::Exact => {}
            Length::Estimate => self.text("length", Text::Word("estimate")),
            Length::Unknown => self.text("length", Text::Word("unknown")),
        }
        if span.shares.iter().any(|share| share.time.0 > 0) {
            self.shares(span);
        }
    }

    /// Who held it, and for how long: a list of entries.
    fn shares(&mut self, span: &Span) {
        let word = match span.kind {
            Kind::Wait => "ended by",
            _ => "held by",
        };
        let name = self.interned.annotation(word);
        let mut list = std::mem::take(&mut self.list);
        list.clear();
        for share in span.shares.iter().filter(|share| share.time.0 > 0) {
            list.nested(12, |entry| self.share(share, entry));
        }
        self.event.nested(4, |annotation| {
            annotation.uint(1, name);
            annotation.append(&list);
        });
        self.list = list;
    }

    fn share(&mut self, share: &Share, entry: &mut Message) {
        let who = match share.by {
            By::Thread(thread) => Text::Thread(thread),
            By::Nobody => Text::Word("nobody"),
            By::Unknown(why) => Text::Unknown(why),
            By::Others => Text::Word("others"),
        };
        let mut part = |name: &'static str, text: Text| {
            let name = self.interned.annotation(name);
            let value = self.interned.text(text, &self.names);
            entry.nested(11, |part| {
                part.uint(1, name);
                match &value {
                    Known::Number(number) => part.uint(17, *number),
                    Known::Text(text) => part.string(6, text),
                }
            });
        };
        part("thread", who);
        if let Some(site) = share.site {
            part("region", Text::Place(site));
        }
        let ns = self.interned.annotation("ns");
        entry.nested(11, |part| {
            part.uint(1, ns);
            part.uint(3, share.time.0);
        });
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
        self.event(Type::Instant, Track::Given(waker.thread))?;
        self.named(&name);
        self.event.fixed64(47, flow);
        self.packet(waker.at)?;
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
        self.begin_slice(track, &slice)?;
        self.number("object", hold.lock.0.into());
        if let Some(stack) = hold.stack {
            self.text("chain", Text::Chain(stack));
        }
        self.packet(slice.from)?;
        self.event(Type::End, track)?;
        self.packet(slice.to)
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
        self.event(Type::Instant, Track::Operations(operation.thread))?;
        self.named(&name);
        if operation.outcome != Outcome::Done {
            self.text("outcome", Text::Word(operation.outcome.name()));
        }
        if operation.count != 1 {
            self.number("count", operation.count.into());
        }
        if let Some(stack) = operation.stack {
            self.text("chain", Text::Chain(stack));
        }
        self.packet(operation.at)
    }

    fn lost(&mut self, lost: &Lost) -> io::Result<()> {
        let what = match lost.cause {
            LossCause::BufferFull => "events lost, a buffer was full",
            LossCause::TableFull => "events lost, a table was full",
            LossCause::StackBudget => "call chains left out",
            LossCause::Unidentified => "events lost, something could not be identified",
            LossCause::Paused => "events were switched off",
        };
        self.event(Type::Instant, Track::Recording)?;
        self.event.string(23, what);
        self.number("count", lost.count);
        self.number("until", lost.to.0);
        self.packet(lost.from)
    }

    /// A value for each interval.
    fn pressure(&mut self, pressure: &Pressure) -> io::Result<()> {
        let locks = &self.names.analysis.model.locks;
        for lock in &pressure.locks {
            let Some(index) = locks.iter().position(|known| known.id == lock.id) else {
                continue;
            };
            let mut at = pressure.begin;
            for share in &lock.series {
                let percent = share.unwrap_or(0.0) * 100.0;
                self.count(Track::Pressure(index), at, percent)?;
                at = Nanos(at.0.saturating_add(pressure.interval.0));
            }
        }
        Ok(())
    }
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
