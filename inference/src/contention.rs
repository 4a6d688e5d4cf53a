//! Blame: every blocked stay divided among the threads that held the lock during it.
//!
//! (Hofer et al., "Efficient Tracing and Versatile Analysis of Lock Contention in Java Applications on the Virtual
//! Machine Level"; there with a patched JVM.) Each piece has the call chain of who held the lock beside that of who
//! was blocked, and is counted by any keys in any order. Who held a lock is known in four ways:
//!
//! - of monitors that probes tell of: for certain (`exact`), with the chain of the release or of the acquisition;
//! - of others by what contention shows of them, as far as its own measure of itself allows (`evidence`);
//! - of locks of `java.util.concurrent` by their operations (`holds`), or by looks at parked threads, which are estimates, or by who unparked
//!   (`parks`);
//! - of locks that the program has built itself by the roles of their regions (`roles`).
//!
//! What is not known is charged to nobody and called unknown, with the reason. What looks at owners say ([`Looks`]) stands beside that: shares, not stays.
//!
//! Reading a trace takes two passes: a [`Census`] sees every record of the first, beside the collector; the
//! second gives every record to a [`Blamer`]. Memory grows with locks, threads and distinct rows.
//!
//! Of a recording under way, [`live`] makes both passes over one stretch after the other. [`timeline`] tells every stay instead of
//! counting it.
//!
//! `in_time` puts events in the order of time, `follow` follows threads, `lock` and `room` what goes on at one lock
//! while somebody is blocked there, `tally` counts, `books` keeps the tallies, `holders` counts looks at owners, [`cells`] counts by everything at once, `atlas` names, [`Blame`] is the result.

mod adjacent;
mod atlas;
mod blame;
mod books;
pub mod cells;
mod census;
mod evidence;
mod exact;
mod follow;
mod holders;
mod holds;
mod joined;
mod key;
pub mod live;
mod lock;
mod looks;
mod out;
pub(crate) mod owners;
mod parks;
mod pieces;
mod places;
mod roles;
mod room;
mod root;
mod sign;
mod span;
mod stay;
mod tally;
pub mod timeline;
mod wait;

use crate::analysis::Analysis;
use crate::collect::Collected;
use crate::in_time::Queue;
pub use atlas::Value;
use atlas::{Atlas, Numbers};
pub use blame::{Blame, Row};
use books::Books;
use cells::{Cells, Counter};
pub use census::{Census, Findings};
use follow::Follower;
use holders::Sightings;
pub use holders::{LookedAt, Looks, Place};
use joined::Joined;
pub use key::Key;
use locklens_trace::{Event, EventKind, LockId, Nanos, Record, StackId};
use parks::Parks;
use pieces::Wanted;
use places::{Places, places};
use roles::Holders;
pub use roles::Needs;
use roles::Roles;
use room::Keep;
use root::Roots;
use sign::Sign;
pub use span::{By, Happening, Hold, Kind, Length, Queued, Share, Shares, Span, Waker};
pub use stay::{Group, Why};
use stay::{Holder, Stay};
use std::panic::resume_unwind;
use std::sync::mpsc::sync_channel;
use std::thread;
use wait::Waiters;

/// What is wanted besides the keys.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Wish {
    /// Owners that are blocked themselves are followed to who runs.
    pub root: bool,
    /// Waits and who ended them, in place of blocked time.
    pub waits: bool,
}

/// What one blamer leaves to the next, of a recording under way.
#[derive(Debug, Default)]
struct Past {
    queue: Queue<Sign>,
    follower: follow::Past,
    parks: Option<Parks>,
    roots: Roots,
    numbers: Numbers,
    books: Books,
    joined: Joined,
    sightings: Sightings,
    parked: Sightings,
}

/// Pieces of a stay under way that are kept with their times, of a recording under way.
const LAST: usize = 1024;
/// Stays that are handed on together to who counts them beside.
const BATCH: usize = 1024;
/// How many times that, or what one heartbeat lets be told, who counts may be behind.
const AHEAD: usize = 2;

/// Divides the blocked time of a recording, record by record in file order.
pub struct Blamer<'a> {
    finder: Finder<'a>,
    ledger: Ledger<'a>,
}

/// Finds the stays.
struct Finder<'a> {
    queue: Queue<Sign>,
    follower: Follower<'a>,
    parks: Parks,
    /// Looks at owners of monitors, and at owners of what threads are parked on.
    sightings: Sightings,
    parked: Sightings,
    /// What has been found and is not counted yet.
    found: Vec<Stay>,
}

/// Counts them.
struct Ledger<'a> {
    wish: Wish,
    /// What comes later may still tell what a lock is.
    is_live: bool,
    places: Places,
    roots: Roots,
    atlas: Atlas<'a>,
    books: Books,
    /// Stays of which more may come.
    joined: Joined,
    counter: Option<Counter>,
}

impl<'a> Blamer<'a> {
    /// One for the recording that was collected, analysed and looked through.
    #[must_use]
    pub fn new(
        collected: &'a Collected,
        analysis: &'a Analysis,
        findings: &'a Findings,
        keys: &[Key],
        wish: Wish,
    ) -> Self {
        let shown = Some(analysis.objects.iter().flatten().copied().collect());
        let follower = Follower::new(collected, &findings.scout, &findings.reasons, shown);
        let atlas = Atlas::new(collected, analysis);
        let follower = (follower, Keep::All);
        Self::with(analysis, findings, keys, wish, follower, atlas)
    }

    /// One that goes on where another one stopped, with what is known by now.
    fn going_on(
        collected: &'a Collected,
        analysis: &'a Analysis,
        findings: &'a Findings,
        wish: Wish,
        past: Past,
    ) -> Self {
        let follower = Follower::new(collected, &findings.scout, &findings.reasons, None);
        let mut atlas = Atlas::new(collected, analysis);
        atlas.go_on(past.numbers);
        let keys = past.books.keys().to_vec();
        let follower = (follower, Keep::Last(LAST));
        let mut blamer = Self::with(analysis, findings, &keys, wish, follower, atlas);
        let Self { finder, ledger } = &mut blamer;
        ledger.is_live = true;
        ledger.roots = past.roots;
        ledger.books = past.books;
        ledger.joined = past.joined;
        finder.queue = past.queue;
        finder.follower.go_on(past.follower);
        past.parks
            .into_iter()
            .for_each(|past| finder.parks.go_on(past));
        finder.sightings = past.sightings;
        finder.parked = past.parked;
        blamer
    }

    /// What has been counted up to now.
    fn so_far(&mut self) -> Blame {
        self.result()
    }

    fn result(&mut self) -> Blame {
        let Self { finder, ledger } = self;
        let mut looks = |sightings: &Sightings, blocks| match ledger.wish.waits {
            // Looks are at owners of what threads are blocked on.
            true => Looks::default(),
            false => sightings.looks(&mut ledger.atlas, blocks),
        };
        let (looks, parked_looks) = (looks(&finder.sightings, true), looks(&finder.parked, false));
        Blame {
            waits: ledger.wish.waits,
            root: ledger.wish.root,
            inferred: finder.follower.inferred(),
            unplaced: finder.follower.unplaced(),
            unjoined: ledger.joined.unclear,
            looks,
            parked_looks,
            ..Blame::of(&ledger.books, &mut ledger.atlas)
        }
    }

    /// Stops, so that another one can go on.
    fn stop(self) -> Past {
        let Self { finder, ledger } = self;
        Past {
            queue: finder.queue,
            follower: finder.follower.stop(),
            parks: Some(finder.parks),
            roots: ledger.roots,
            numbers: ledger.atlas.stop(),
            books: ledger.books,
            joined: ledger.joined,
            sightings: finder.sightings,
            parked: finder.parked,
        }
    }

    fn with(
        analysis: &'a Analysis,
        findings: &'a Findings,
        keys: &[Key],
        wish: Wish,
        (mut follower, keep): (Follower<'a>, Keep),
        mut atlas: Atlas<'a>,
    ) -> Self {
        let collected = atlas.collected();
        let places = places(findings, &mut atlas);
        let mut parks = Parks::new(collected);
        match wish.root || keys.contains(&Key::Time) {
            true => follower.keep(keep),
            false => parks.want(Wanted::Holders),
        }
        match wish.waits {
            true => follower.follow_waits(Waiters::default()),
            false => follower.follow_roles(Roles::new(collected, analysis)),
        }
        Self {
            finder: Finder {
                queue: Queue::default(),
                follower,
                parks,
                sightings: Sightings::default(),
                parked: Sightings::default(),
                found: Vec::new(),
            },
            ledger: Ledger {
                wish,
                is_live: false,
                places,
                roots: Roots::default(),
                atlas,
                books: Books::whole(keys),
                joined: Joined::default(),
                counter: None,
            },
        }
    }

    /// Takes in the next record.
    pub fn push(&mut self, record: &Record) {
        self.finder.push(record);
        self.count(false);
    }

    /// Takes in all records that are told, and counts on another thread what this one finds.
    #[must_use]
    pub fn beside(self, tell: impl FnOnce(&mut dyn FnMut(&Record))) -> Self {
        let Self {
            mut finder,
            mut ledger,
        } = self;
        // Owners are followed by all stays that are found together.
        let enough = if ledger.wish.root { 1 } else { BATCH };
        thread::scope(|scope| {
            let (sender, receiver) = sync_channel::<Vec<Stay>>(AHEAD);
            let counting = scope.spawn(move || {
                receiver
                    .into_iter()
                    .for_each(|stays| ledger.count(stays, false));
                ledger
            });
            tell(&mut |record| {
                finder.push(record);
                if finder.found.len() >= enough {
                    // One that is gone has panicked: that goes on below.
                    let _ = sender.send(std::mem::take(&mut finder.found));
                }
            });
            drop(sender);
            let ledger = counting.join().unwrap_or_else(|panic| resume_unwind(panic));
            let mut whole = Self { finder, ledger };
            whole.count(false);
            whole
        })
    }

    /// Goes through what waits for its turn, though more may come.
    pub(crate) fn catch_up(&mut self) {
        self.finder.catch_up();
        self.count(false);
    }

    /// Who holds what a thread wants that waits at this lock, there; none if not all of them are known.
    pub(crate) fn holders(
        &mut self,
        lock: LockId,
        stack: Option<StackId>,
    ) -> Option<(Needs, Holders)> {
        let parked = self.finder.parks.holders(lock);
        let parked = parked.map(|by| (Needs::Alone, by));
        parked.or_else(|| self.finder.follower.holders(lock, stack))
    }

    /// Counts by all aspects at once, too.
    #[must_use]
    pub fn with_cells(mut self) -> Self {
        self.ledger.counter = Some(Counter::new());
        self
    }

    /// Ends the pass.
    #[must_use]
    pub fn finish(mut self) -> Blame {
        self.end()
    }

    /// Ends the pass, and tells the cells that have most time: so many of them.
    #[must_use]
    pub fn finish_with_cells(mut self, most: usize) -> (Blame, Cells) {
        let blame = self.end();
        let ledger = &mut self.ledger;
        let counter = ledger.counter.take();
        let cells = counter.map(|counter| counter.finish(most, &ledger.atlas));
        (blame, cells.unwrap_or_default())
    }

    fn end(&mut self) -> Blame {
        self.catch_up();
        self.finder.end();
        self.count(true);
        self.ledger.end();
        self.result()
    }

    fn count(&mut self, over: bool) {
        if !self.finder.found.is_empty() {
            let found = std::mem::take(&mut self.finder.found);
            self.ledger.count(found, over);
        }
    }
}

impl Finder<'_> {
    fn push(&mut self, record: &Record) {
        match record {
            Record::Event(event) => {
                let due = self.queue.push(Sign::Event(*event));
                self.follow(due);
            }
            Record::Tick(tick) => {
                let due = self.queue.until(tick.at);
                self.follow(due);
                let parks = self.parks.until(tick.at);
                self.found.extend(parks);
            }
            Record::Parked(parked) => {
                if !self.parks.is_exact() && self.parks.is_owned(Some(parked.lock)) {
                    self.parked.add_parked(parked);
                }
                let stay = self.parks.found(parked);
                self.found.extend(stay);
            }
            Record::Held(held) => {
                let due = self.queue.push(Sign::Look(*held));
                self.follow(due);
            }
            Record::Operation(operation) => self.parks.operation(operation),
            Record::Lost(lost) if lost.cause.breaks_histories() => self.parks.lost(),
            Record::Park(park) => {
                let parks = self.parks.parked(park);
                self.found.extend(parks);
            }
            _ => {}
        }
    }

    /// Goes through what waits for its turn.
    fn catch_up(&mut self) {
        let rest = self.queue.rest();
        self.follow(rest);
    }

    fn follow(&mut self, signs: Vec<Sign>) {
        for sign in signs {
            match &sign {
                Sign::Look(held) => self.sightings.add(held),
                Sign::Event(Event {
                    kind: EventKind::Entered,
                    lock: Some(lock),
                    ..
                }) => self.sightings.handed_on(*lock),
                Sign::Event(_) => {}
            }
            self.follower.take(&sign);
        }
        self.found.append(&mut self.follower.done);
    }

    /// Nothing more comes, and nothing waits for its turn.
    fn end(&mut self) {
        self.follower.end();
        self.found.append(&mut self.follower.done);
        let parks = self.parks.until(Nanos(u64::MAX));
        self.found.extend(parks);
    }
}

impl Ledger<'_> {
    /// Counts stays, those that go on when the recording is `over` or others; who held up whom at the time is remembered first.
    fn count(&mut self, mut stays: Vec<Stay>, over: bool) {
        stays.retain_mut(|stay| self.is_wanted(stay));
        if self.wish.root {
            stays.iter().for_each(|stay| self.roots.remember(stay));
            for stay in &mut stays {
                stay.pieces = self.roots.follow(stay, over);
            }
        }
        let (joined, mut book) = self.parts();
        for stay in stays {
            joined.push(stay, &mut book);
        }
    }

    /// Nothing more comes.
    fn end(&mut self) {
        let (joined, book) = self.parts();
        joined.rest().iter().for_each(book);
    }

    /// What puts stays together, and what counts them.
    fn parts(&mut self) -> (&mut Joined, impl FnMut(&Stay)) {
        let Self {
            atlas,
            books,
            joined,
            counter,
            ..
        } = self;
        let book = move |stay: &Stay| {
            books.add(stay, atlas);
            if let Some(counter) = counter.as_mut() {
                counter.add(stay, atlas);
            }
        };
        (joined, book)
    }

    /// Whether it is to be counted; what is inferred of call chains is put in.
    fn is_wanted(&self, stay: &mut Stay) -> bool {
        let index = self.atlas.index_of(stay.lock);
        if index.is_none() && !self.is_live {
            return false;
        }
        for piece in stay.pieces.iter_mut().filter(|piece| piece.chain.is_none()) {
            if let (Some(index), Holder::Thread(thread)) = (index, piece.holder) {
                piece.chain = self.places.get(&(index, thread)).copied();
            }
        }
        (stay.group == Group::Wait) == self.wish.waits
    }
}

#[cfg(test)]
mod cells_tests;
#[cfg(test)]
mod evidence_tests;
#[cfg(test)]
mod holders_tests;
#[cfg(test)]
mod holds_tests;
#[cfg(test)]
mod parks_tests;
#[cfg(test)]
mod roles_tests;
#[cfg(test)]
mod tests;
