//! Waits that the last notify of all has ended, which could as well have come before them: who waits then waits for ever.
//!
//! Told only of who asks nothing between taking the monitor and waiting there: who looks first whether what he waits for has come does not
//! wait then. Nor may anybody be left who could notify again.

use super::closure::{Answer, Force, Least, Place, reachable};
use super::finding::{Finding, Names, Outlook};
use super::follow::{Act, Held, Moment, Wanted, Watch};
use super::history::History;
use super::part::Writer;
use super::scan::Scan;
use super::step::{Lock, Site, Thread};
use super::stuck::Late;
use super::weakness::Weakness;
use super::written::Past;
use crate::collect::FastMap;
use std::collections::BTreeSet;

/// Threads remembered that wait on one lock.
const WAITERS: usize = 64;
/// Waits that are judged, and edges followed for all of them.
const JUDGED: usize = 1_000;
const WORK: usize = 20_000_000;

/// A wait without a time-out, and where its thread took what it gives up for that.
#[derive(Clone, Copy, Debug)]
struct Wait {
    thread: Thread,
    took: u32,
    took_at: Option<Site>,
    waits_at: Option<Site>,
    /// It read something in between, as far as the trace has reads.
    looked: bool,
}

/// What is known of the waits on one lock.
#[derive(Debug, Default)]
struct Record {
    standing: Vec<Wait>,
    /// The latest notify, and the waits that it ended.
    last: Option<(Moment, Vec<Wait>)>,
}

/// Follows the waits of a trace.
#[derive(Debug, Default)]
pub(super) struct Missed {
    locks: FastMap<Lock, Record>,
    /// Of each thread the latest step that read something.
    reads: FastMap<Thread, u32>,
}

impl Watch for Missed {
    fn saw(&mut self, moment: Moment, act: Act, _held: &[Held]) {
        match act {
            Act::Waits {
                lock,
                gave,
                timed: false,
            } => self.waits(moment, lock, gave),
            Act::Notified { lock, all, waiters } => self.notified(moment, lock, (all, waiters)),
            Act::Back(lock) => {
                if let Some(record) = self.locks.get_mut(&lock) {
                    record.standing.retain(|wait| wait.thread != moment.thread);
                }
            }
            _ => {}
        }
    }
}

impl Missed {
    /// Takes in that a thread reads something.
    pub(super) fn reads(&mut self, thread: Thread, at: u32) {
        self.reads.insert(thread, at);
    }

    fn waits(&mut self, moment: Moment, lock: Lock, gave: Held) {
        let read = self.reads.get(&moment.thread);
        let wait = Wait {
            thread: moment.thread,
            took: gave.at,
            took_at: gave.site,
            waits_at: moment.site,
            looked: read.is_some_and(|&read| read > gave.at),
        };
        let record = self.locks.entry(lock).or_default();
        if record.standing.len() < WAITERS {
            record.standing.push(wait);
        }
    }

    fn notified(&mut self, moment: Moment, lock: Lock, (all, waiters): (bool, usize)) {
        let record = self.locks.entry(lock).or_default();
        // Of several waiters it is not known which one a single notify ends.
        let known = moment.sure && (all || waiters <= 1) && waiters == record.standing.len();
        let ended = record.standing.iter().filter(|_| known);
        record.last = Some((moment, ended.copied().collect()));
    }

    /// Waits that the last notify of their lock has ended, with that notify.
    fn ended(&self) -> impl Iterator<Item = (Lock, Wait, Moment)> {
        let last = self.locks.iter().filter_map(|(&lock, record)| {
            let (by, waits) = record.last.as_ref()?;
            Some((lock, record, by, waits))
        });
        last.flat_map(|(lock, record, &by, waits)| {
            let stands = |wait: &Wait| {
                let mut standing = record.standing.iter();
                standing.any(|other| other.thread == wait.thread)
            };
            let over = waits.iter().filter(move |wait| !stands(wait));
            over.map(move |&wait| (lock, wait, by))
        })
    }
}

/// Whether there is anything to be judged.
pub(super) fn any(scan: &Scan, names: &dyn Names) -> bool {
    let suspects = Suspects::of(scan, names);
    scan.missed.ended().any(|one| suspects.may_be_missed(one))
}

/// What may happen where a notify comes before the wait that it ended in this run: one of each lock.
pub(super) fn findings(scan: &Scan, history: &History<'_>, names: &dyn Names) -> Vec<Finding> {
    let suspects = Suspects::of(scan, names);
    let mut all: Vec<_> = scan.missed.ended().collect();
    all.sort_by_key(|(lock, wait, _)| (*lock, wait.thread));
    let may = all.into_iter();
    let may = may.filter(|&one| suspects.may_be_missed(one));
    let (writer, mut work) = (Writer { names }, WORK);
    let told = may.take(JUDGED).filter_map(|(lock, wait, by)| {
        let doubt = doubt((history, names), &wait, by, &mut work)?;
        Some(writer.late(Late {
            lock,
            waits: (wait.thread, wait.took_at, wait.waits_at),
            by: (by.thread, by.site),
            doubt,
        }))
    });
    told.collect()
}

/// Picks those who may come too late.
struct Suspects<'s> {
    scan: &'s Scan,
    names: &'s dyn Names,
    /// Whose waits have a limit, as far as that is known by other means than the wait itself.
    limited: BTreeSet<(Thread, Wanted)>,
}

impl<'s> Suspects<'s> {
    fn of(scan: &'s Scan, names: &'s dyn Names) -> Self {
        let limited = scan.table.all.iter().filter(|one| one.limited);
        Self {
            scan,
            names,
            limited: limited.map(|one| (one.thread, one.wanted)).collect(),
        }
    }

    /// Nobody looks whether he has been notified already, and nobody is left to do it again.
    fn may_be_missed(&self, (lock, wait, by): (Lock, Wait, Moment)) -> bool {
        let threads = &self.scan.follower.threads;
        let is_over = |thread: Thread| {
            let state = threads.get(thread.0 as usize);
            thread == wait.thread || state.is_some_and(|state| state.ended)
        };
        let mut notifiers = self.scan.waits.notifiers(lock);
        let nobody_left = match self.names.outlook() {
            Outlook::Steps | Outlook::Exits => true,
            Outlook::GoesOn | Outlook::Breaks | Outlook::Unknown => notifiers.all(is_over),
        };
        let blind = || match self.names.unread((wait.took_at, wait.waits_at)) {
            Some(_) => true,
            None => self.scan.accesses > 0 && !wait.looked && self.names.reads_known().is_none(),
        };
        by.thread != wait.thread
            && nobody_left
            && !self.names.lock(lock).hidden
            && !self.limited.contains(&(wait.thread, Wanted::Notice(lock)))
            && blind()
    }
}

/// Why it may be that the notify never comes first, if it is not excluded.
fn doubt(
    (history, names): (&History<'_>, &dyn Names),
    wait: &Wait,
    by: Moment,
    work: &mut usize,
) -> Option<Option<String>> {
    let (before, behind) = ([wait.took], [by.at + 1]);
    let places = [(wait.thread, &before[..]), (by.thread, &behind[..])];
    let places = places.map(|(thread, moments)| Place { thread, moments });
    let reasons = [
        (Least::Must, None),
        (Least::Opened, Some(Weakness::Opener(None))),
        (Least::Presumed, Some(Weakness::Presumed)),
        (Least::Stood, Some(Weakness::Stood)),
        (Least::Data, Some(Weakness::Data(None))),
    ];
    for (least, why) in reasons {
        let force = Force {
            locks: false,
            least,
        };
        let why = match reachable(history, &places, force, work) {
            Answer::Possible => continue,
            Answer::Impossible => why?,
            Answer::GivenUp => Weakness::GivenUp,
        };
        return Some(Some(why.words(names)));
    }
    Some(told(names, wait, by))
}

/// What the code says that may keep the notify behind the wait.
fn told(names: &dyn Names, wait: &Wait, by: Moment) -> Option<String> {
    let between = (by.site, wait.took_at);
    // Whether others come there, or he comes again, is not looked at: it could only make a doubt less.
    let past = Past {
        ended: false,
        once: true,
        alone: true,
    };
    let awaited = names.awaited(between, past);
    awaited
        .map(|_| Weakness::Awaited(between, past).words(names))
        .or_else(|| names.comes_again(by.site?))
}
