//! What becomes a marker, kept small until all of it is known, and no more of it than a viewer can hold.

use super::super::names::Names;
use super::tables::Tables;
use locklens_inference::contention::{By, Happening, Kind, Length, Span};
use locklens_trace::juc::Act;
use locklens_trace::record::Frame;
use locklens_trace::{LockId, Nanos, StackId, ThreadId};
use std::cmp::Reverse;
use std::fmt::Write;

/// Markers at most.
const MOST: usize = 1 << 20;

/// What kind of marker.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum What {
    Blocked,
    Waiting,
    Parked,
    Held,
    Used,
}

/// A marker.
#[derive(Clone, Copy, Debug)]
pub(super) struct Mark {
    pub(super) kind: What,
    pub(super) thread: ThreadId,
    pub(super) from: Nanos,
    pub(super) to: Nanos,
    pub(super) stack: Option<StackId>,
    lock: Option<LockId>,
    site: Option<Frame>,
    by: Option<ThreadId>,
    by_site: Option<Frame>,
    length: Length,
    act: Option<Act>,
}

/// See the module.
#[derive(Debug, Default)]
pub(super) struct Marks {
    all: Vec<Mark>,
    /// Shorter ones find no room any more.
    least: u64,
    pub(super) left_out: u64,
}

impl Mark {
    pub(super) fn of(happening: &Happening, names: &Names<'_>) -> Option<Self> {
        let nothing = Self {
            kind: What::Held,
            thread: ThreadId(0),
            from: Nanos(0),
            to: Nanos(0),
            stack: None,
            lock: None,
            site: None,
            by: None,
            by_site: None,
            length: Length::Exact,
            act: None,
        };
        match happening {
            Happening::Stay(span) => Some(Self::stay(span, nothing)),
            Happening::Hold(hold) => names.index(hold.lock).map(|_| Self {
                thread: hold.thread,
                from: hold.from,
                to: hold.to,
                stack: hold.stack,
                lock: Some(hold.lock),
                ..nothing
            }),
            Happening::Used(operation) => Some(Self {
                kind: What::Used,
                thread: operation.thread,
                from: operation.at,
                to: operation.at,
                stack: operation.stack,
                lock: Some(operation.lock),
                act: Some(operation.act),
                ..nothing
            }),
            Happening::Queue(_) | Happening::Lost(_) => None,
        }
    }

    fn stay(span: &Span, nothing: Self) -> Self {
        // Whoever had it longest; nobody, if that was nobody or is not known.
        let most = span.shares.iter().rev().max_by_key(|share| share.time);
        let by = most.and_then(|share| match share.by {
            By::Thread(thread) => Some((thread, share.site)),
            _ => None,
        });
        Self {
            kind: match span.kind {
                Kind::Monitor | Kind::AfterWait | Kind::Acquire => What::Blocked,
                Kind::Wait => What::Waiting,
                Kind::Parked => What::Parked,
            },
            thread: span.thread,
            from: span.from,
            to: span.to,
            stack: span.stack,
            lock: span.lock,
            site: span.site,
            by: by.map(|(thread, _)| thread),
            by_site: by.and_then(|(_, site)| site),
            length: span.length,
            ..nothing
        }
    }

    /// It says why the thread did not go on.
    pub(super) fn holds_up(&self) -> bool {
        matches!(self.kind, What::Blocked | What::Waiting | What::Parked)
    }

    pub(super) fn is_instant(&self) -> bool {
        self.kind == What::Used
    }

    /// The payload, as JSON.
    pub(super) fn data(&self, names: &Names<'_>, tables: &mut Tables<'_>) -> String {
        let mut data = format!(
            "{{\"type\":\"{}\",\"lock\":{}",
            self.kind.title(),
            tables.object(self.lock)
        );
        let mut texts = Vec::new();
        if self.kind == What::Blocked || self.kind == What::Waiting {
            let by = self.by.map(|by| names.thread_name(by));
            texts.push(("by", by.unwrap_or_else(|| "unknown".to_owned())));
            texts.extend(
                self.by_site
                    .map(|site| ("there", names.place(&site).short())),
            );
        }
        texts.extend(self.site.map(|site| ("region", names.place(&site).short())));
        match self.length {
            Length::Exact => {}
            Length::Estimate => texts.push(("length", "estimate".to_owned())),
            Length::Unknown => texts.push(("length", "unknown".to_owned())),
        }
        texts.extend(self.act.map(|act| ("act", act.name().to_owned())));
        for (key, text) in texts {
            // Writing to a text can't fail.
            let _ = write!(data, ",\"{key}\":{}", tables.string(&text));
        }
        if let Some(stack) = self.stack.and_then(|stack| tables.stack(stack)) {
            let _ = write!(data, ",\"cause\":{{\"stack\":{stack}}}");
        }
        data + "}"
    }

    fn length(&self) -> u64 {
        self.to.since(self.from).0
    }
}

impl Marks {
    pub(super) fn add(&mut self, mark: Mark) {
        if mark.length() < self.least {
            self.left_out += 1;
            return;
        }
        self.all.push(mark);
        if self.all.len() > MOST {
            self.thin();
        }
    }

    /// Keeps the longer half, those told first where they are equal.
    fn thin(&mut self) {
        let before = self.all.len();
        self.all.sort_by_key(|mark| Reverse(mark.length()));
        self.all.truncate(MOST / 2);
        self.left_out += (before - self.all.len()) as u64;
        self.least = self
            .all
            .last()
            .map_or(0, |mark| mark.length().saturating_add(1));
    }

    /// Those of each thread, in the order of their begins.
    pub(super) fn by_thread(mut self) -> Vec<Vec<Mark>> {
        self.all
            .sort_by_key(|mark| (mark.thread, mark.from, mark.to));
        let groups = self.all.chunk_by(|a, b| a.thread == b.thread);
        groups.map(<[Mark]>::to_vec).collect()
    }
}
