//! At which of its steps, and at which places in the code, a thread was about to wait.
//!
//! What makes a dependency says nothing of places: the same thread can want the same at several, and only at some of them, or at
//! some times, others can be in its way.

use super::errands::Way;
use super::follow::{Held, Moment};
use super::history::History;
use super::step::{Lock, Site};

/// Places of one dependency that are told apart.
const SPOTS: usize = 255;
/// Of the others it is not known which is which.
const OTHER: u8 = SPOTS as u8;

/// Where a thread wants something, and where it took what it holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Spot {
    pub(super) wants: Option<Site>,
    held: Box<[(Lock, Option<Site>)]>,
}

impl Spot {
    /// Where it took what it holds.
    pub(super) fn taken(&self) -> impl Iterator<Item = Option<Site>> + use<'_> {
        self.held.iter().map(|(_, site)| *site)
    }

    /// Where it took a lock that it holds.
    pub(super) fn took(&self, lock: Lock) -> Option<Site> {
        let hold = self.held.iter().find(|(held, _)| *held == lock);
        hold.and_then(|(_, site)| *site)
    }

    fn is(&self, moment: Moment, held: &[Held]) -> bool {
        let own = held.iter().map(|held| (held.lock, held.site));
        self.wants == moment.site && self.held.iter().copied().eq(own)
    }
}

/// The moments of one dependency, in order.
#[derive(Debug, Default)]
pub(super) struct Moments {
    pub(super) at: Vec<u32>,
    pub(super) spots: Vec<Spot>,
    /// The spot of each; none as long as there is one only.
    spot: Vec<u8>,
    /// There was one, whether it counts or not.
    met: bool,
}

impl Moments {
    /// Whether none has been met before this one.
    pub(super) fn is_first(&mut self) -> bool {
        !std::mem::replace(&mut self.met, true)
    }

    pub(super) fn add(&mut self, moment: Moment, held: &[Held]) {
        let latest = self.spot.last().map_or(0, |&spot| usize::from(spot));
        let is = |spot: &Spot| spot.is(moment, held);
        let spot = match self.spots.get(latest) {
            Some(spot) if is(spot) => Some(latest),
            _ => self.spots.iter().position(is),
        };
        let spot = spot.unwrap_or_else(|| self.learn(moment, held));
        if spot > 0 || !self.spot.is_empty() {
            self.spot.resize(self.at.len(), 0);
            self.spot.push(u8::try_from(spot).unwrap_or(OTHER));
        }
        self.at.push(moment.at);
    }

    fn learn(&mut self, moment: Moment, held: &[Held]) -> usize {
        if self.spots.len() < SPOTS {
            self.spots.push(Spot {
                wants: moment.site,
                held: held.iter().map(|held| (held.lock, held.site)).collect(),
            });
            return self.spots.len() - 1;
        }
        SPOTS
    }

    /// Where it was at one of its moments.
    pub(super) fn spot(&self, at: u32) -> Option<&Spot> {
        let index = self.at.binary_search(&at).ok()?;
        let spot = self.spot.get(index).map_or(0, |&spot| usize::from(spot));
        self.spots.get(spot)
    }
}

/// Those moments of a dependency after which its thread let others go on at a lock, and had this on its way there: none if it is
/// kept from others for other reasons, or that is not known.
pub(super) fn on_the_way(history: &History<'_>, index: u32, lock: Lock) -> Option<Vec<u32>> {
    let scan = history.scan;
    let thread = scan.table.all[index as usize].thread;
    let ways = scan.errands.ways.get(&(lock, thread))?;
    // Of meetings the second pass tells otherwise than the first one.
    let notices = history.all_notices((lock, thread))?;
    let notices = (notices.len() == ways.count()).then_some(notices)?;
    let takes = |way: &Way| way.taken.contains(&index);
    if scan.nature(lock).ends || !ways.known().any(takes) {
        return None;
    }
    // What it took for earlier tasks is on the way to any later one.
    let earlier = |way: &Way| way.before.iter().any(|b| b.taken.contains(&index));
    let is_earlier: Vec<bool> = (1..=notices.len() as u32)
        .map(|time| ways.to(time).is_some_and(earlier))
        .collect();
    let last_earlier = is_earlier.iter().rposition(|&is| is);
    let is_on_way: Vec<bool> = (1..=notices.len() as u32)
        .map(|time| ways.to(time).is_none_or(takes))
        .collect();
    let moments = history.moments.get(&index)?;
    let goes = |at: &u32| {
        let next = notices.partition_point(|notice| notice <= at);
        is_on_way.get(next).is_some_and(|&is| is) || last_earlier.is_some_and(|last| next <= last)
    };
    Some(moments.at.iter().copied().filter(goes).collect())
}
