//! What a trace consists of: records and bytes by kind, rates, gaps and losses (the figures of
//! Hofer et al., §5.4 and §5.5). Knows nothing of locks.

use locklens_trace::read::{Gap, GapCause, Volume};
use locklens_trace::record::{EndReason, LossCause};
use locklens_trace::{Event, EventKind, Nanos, Record};
use std::collections::BTreeMap;

/// How many records of one kind, and how many bytes they take.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Share {
    /// Records.
    pub records: u64,
    /// Bytes before compression.
    pub raw_bytes: u64,
}

/// Gaps of one cause.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct GapShare {
    /// How many.
    pub count: u64,
    /// Bytes that gave no record.
    pub bytes: u64,
}

/// How many of the events that may carry a call chain do.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ChainShare {
    /// Events at which a thread begins to block or to wait.
    pub events: u64,
    /// Those with a call chain.
    pub taken: u64,
}

/// What a trace consists of.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Composition {
    /// `key = value` as recorded.
    pub target: BTreeMap<String, String>,
    /// Events by kind.
    pub events: BTreeMap<&'static str, Share>,
    /// Everything else by kind.
    pub metadata: BTreeMap<&'static str, Share>,
    /// Events at which a thread begins to block or to wait, and how many of them carry a call chain.
    pub chains: ChainShare,
    /// Events missing, by cause; of those not recorded on purpose there is no count.
    pub lost: BTreeMap<&'static str, u64>,
    /// How long events were switched off.
    pub paused: Nanos,
    /// Known-safe locks: events counted and not recorded.
    pub hidden: BTreeMap<String, u64>,
    /// Unreadable parts, by cause.
    pub gaps: BTreeMap<&'static str, GapShare>,
    /// Bytes in the file and before compression.
    pub volume: Volume,
    /// Time of the last statement.
    pub duration: Nanos,
    /// Processor time of the agent's own thread.
    pub agent_cpu: Nanos,
    /// How the recording ended; none: it was cut off.
    pub end: Option<EndReason>,
}

impl Composition {
    /// Takes in a record that took `raw_len` bytes before compression.
    pub fn add(&mut self, record: &Record, raw_len: usize) {
        let share = match record {
            Record::Event(event) => {
                self.duration = self.duration.max(event.at);
                self.events.entry(event_name(event.kind)).or_default()
            }
            other => self.metadata.entry(metadata_name(other)).or_default(),
        };
        share.records += 1;
        share.raw_bytes += raw_len as u64;
        self.note(record);
    }

    fn note(&mut self, record: &Record) {
        match record {
            Record::Event(event) => self.chains.add(event),
            Record::Target(pairs) => self.target.extend(pairs.iter().cloned()),
            Record::Lost(lost) if lost.cause == LossCause::Paused => {
                let off = lost.to.since(lost.from).0;
                self.paused = Nanos(self.paused.0.saturating_add(off));
            }
            Record::Lost(lost) => {
                let known = self.lost.entry(loss_name(lost.cause)).or_default();
                *known = known.saturating_add(lost.count);
            }
            Record::Hidden(hidden) => drop(self.hidden.insert(hidden.name.clone(), hidden.events)),
            Record::Tick(tick) => {
                self.duration = self.duration.max(tick.at);
                self.agent_cpu = self.agent_cpu.max(tick.agent_cpu);
            }
            Record::Park(park) => self.duration = self.duration.max(park.to),
            Record::Operation(operation) => self.duration = self.duration.max(operation.at),
            Record::Kin(kin) => self.duration = self.duration.max(kin.at),
            Record::Access(access) => self.duration = self.duration.max(access.at),
            Record::Parked(parked) => self.duration = self.duration.max(parked.to),
            Record::Look(look) => self.duration = self.duration.max(look.at),
            Record::Held(held) => self.duration = self.duration.max(held.at),
            Record::End(end) => {
                self.duration = self.duration.max(end.at);
                self.end = Some(end.reason);
            }
            _ => {}
        }
    }

    /// Takes in a gap.
    pub fn gap(&mut self, gap: &Gap) {
        let share = self.gaps.entry(gap_name(gap.cause)).or_default();
        share.count += 1;
        share.bytes = share.bytes.saturating_add(gap.len);
    }

    /// All events.
    #[must_use]
    pub fn event_total(&self) -> Share {
        total(&self.events)
    }

    /// All metadata.
    #[must_use]
    pub fn metadata_total(&self) -> Share {
        total(&self.metadata)
    }
}

impl ChainShare {
    fn add(&mut self, event: &Event) {
        if matches!(event.kind, EventKind::Enter | EventKind::Wait { .. }) {
            self.events += 1;
            self.taken += u64::from(event.stack.is_some());
        }
    }
}

fn total(shares: &BTreeMap<&'static str, Share>) -> Share {
    shares.values().fold(Share::default(), |sum, share| Share {
        records: sum.records + share.records,
        raw_bytes: sum.raw_bytes + share.raw_bytes,
    })
}

/// Name of an event kind, as printed and as in JSON.
#[must_use]
pub fn event_name(kind: EventKind) -> &'static str {
    match kind {
        EventKind::Enter => "ENTER",
        EventKind::Entered => "ENTERED",
        EventKind::Wait { .. } => "WAIT",
        EventKind::Waited { .. } => "WAITED",
        EventKind::ThreadStart => "THREAD-START",
        EventKind::ThreadEnd => "THREAD-END",
        EventKind::Resumed => "RESUMED",
        EventKind::Interrupted => "INTERRUPTED",
        EventKind::Exit => "EXIT",
        EventKind::Notify => "NOTIFY",
        EventKind::NotifyAll => "NOTIFY-ALL",
    }
}

fn metadata_name(record: &Record) -> &'static str {
    match record {
        Record::Target(_) => "target",
        Record::Loader(_) => "loader",
        Record::Class(_) => "class",
        Record::Method(_) => "method",
        Record::Code(_) => "code",
        Record::Stack(_) => "stack",
        Record::Lock(_) => "lock",
        Record::Fields(_) => "fields",
        Record::Thread(_) => "thread",
        Record::Event(_) => "event",
        Record::Sync(_) => "sync",
        Record::Park(_) => "park",
        Record::Operation(_) => "operation",
        Record::Access(_) => "access",
        Record::Kin(_) => "kin",
        Record::Sighting(_) => "sighting",
        Record::Look(_) => "look",
        Record::Held(_) => "held",
        Record::Parked(_) => "parked",
        Record::Lost(_) => "lost",
        Record::Hidden(_) => "hidden",
        Record::Tick(_) => "tick",
        Record::End(_) => "end",
    }
}

/// Why events are missing, as printed and as in JSON.
#[must_use]
pub fn loss_name(cause: LossCause) -> &'static str {
    match cause {
        LossCause::BufferFull => "buffer-full",
        LossCause::TableFull => "table-full",
        LossCause::StackBudget => "stack-budget",
        LossCause::Unidentified => "unidentified",
        LossCause::Paused => "paused",
    }
}

fn gap_name(cause: GapCause) -> &'static str {
    match cause {
        GapCause::Truncated => "truncated",
        GapCause::Damaged => "damaged",
        GapCause::Unreadable => "unreadable",
        GapCause::AnotherTrace => "another-trace",
        GapCause::Io => "io-error",
    }
}
