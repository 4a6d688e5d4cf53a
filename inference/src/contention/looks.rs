//! Stays that looks at parked threads found, each put together from the records that tell of it: where a look finds
//! another owner or call chain, or it has gone on for long, what goes on is told in a record of its own.

use super::span::{By, Share, Shares, Span};
use crate::collect::FastHash;
use locklens_trace::record::Frame;
use locklens_trace::{Nanos, ThreadId};
use std::collections::HashMap;

/// Holders told of one stay; the rest are told together.
const SHARES: usize = 16;
/// Of a stay that goes on something is told every five seconds at least.
const FRESH: u64 = 7_000_000_000;

/// The last stay of each thread, which may go on.
#[derive(Debug, Default)]
pub(super) struct Looks {
    begun: HashMap<ThreadId, Span, FastHash>,
}

impl Looks {
    /// A record tells this of a thread, perhaps of the stay that was told last; what is over by that.
    pub(super) fn found(&mut self, span: Span, continues: bool) -> Option<Span> {
        let before = self.begun.remove(&span.thread);
        let goes_on = |before: &Span| continues && before.goes_on_as(&span);
        let (over, span) = match before {
            Some(before) if goes_on(&before) => (None, before.joined(span)),
            before => (before, span),
        };
        self.begun.insert(span.thread, span);
        over
    }

    /// Everything before this time is here: what is over, in the order of threads.
    pub(super) fn until(&mut self, at: Nanos) -> Vec<Span> {
        let is_over = |span: &Span| span.to.0.saturating_add(FRESH) <= at.0;
        let over = self.begun.extract_if(|_, span| is_over(span));
        let mut over: Vec<Span> = over.map(|(_, span)| span).collect();
        over.sort_unstable_by_key(|span| span.thread);
        over
    }
}

impl Span {
    fn goes_on_as(&self, later: &Self) -> bool {
        (self.lock, self.kind) == (later.lock, later.kind) && later.from <= self.to
    }

    /// The same with what was told of it later.
    fn joined(mut self, later: Self) -> Self {
        let more = later.to.since(later.from).0;
        self.to = Nanos(self.to.0.saturating_add(more));
        if self.stack.is_none() {
            (self.stack, self.site) = (later.stack, later.site);
        }
        for share in later.shares {
            charge(&mut self.shares, (share.by, share.site), share.time);
        }
        self
    }
}

/// Adds a part of a stay to those of the same holder at the same place.
pub(super) fn charge(shares: &mut Shares, (by, site): (By, Option<Frame>), time: Nanos) {
    let is =
        |by: By, site: Option<Frame>| move |share: &Share| (share.by, share.site) == (by, site);
    let room = shares.len() < SHARES || shares.iter().any(is(by, site));
    let (by, site) = if room { (by, site) } else { (By::Others, None) };
    let known = shares.iter().position(is(by, site));
    match known {
        Some(known) => {
            let sum = &mut shares[known].time.0;
            *sum = sum.saturating_add(time.0);
        }
        None => shares.push(Share { by, site, time }),
    }
}
