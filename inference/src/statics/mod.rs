//! The static model: what the code of a lock's regions says about the lock.
//!
//! On today's JVMs watching shows who waits and hardly ever who releases; the code shows both,
//! for regions never seen to run. Nothing here looks at names of classes, methods or fields of
//! the program: only what is compared before a `wait`, what is changed after it, and what is
//! notified.
//!
//! In the order of the data:
//! - `descriptor`, `classes`, `program`: the code of a recording, indexed; `captured`: variables that functions capture, as fields;
//! - `expr`, `facts`, `frame`, `heap`: symbolic values, what is known of them, where they are kept;
//! - `flow`: values in one method, all paths at once; `survey`, `subject`, `alias`: the regions and
//!   what they lock;
//! - `paths` with `branch`, `rounds`, `call`, `members`, `texts`, `buffers`, `jdk`: the paths of a region, cut into atomic steps (`step`);
//! - `automaton`: the steps of all regions of a lock in common terms; `machine`, `render`: in words;
//! - `profile`, `change`, `drained`, `initial`, `resettled`: on what each region blocks, what it moves (and whether what it leaves is empty), what it begins with, and whether that lasts;
//! - `judge`: from there to types;
//! - `allowance`: how many runs there are besides; `together`, `clock`: who calls what, and what else they do;
//! - `setup`: what is done to a fresh lock before it is shared; `ending`, `ends`: locks that are opened by
//!   the last act of a thread.
//!
//! All work is bounded, and none of it can fail: what cannot be followed is unknown.

mod alias;
mod allowance;
mod asked;
mod automaton;
mod branch;
mod buffers;
mod call;
mod captured;
mod change;
pub(crate) mod classes;
pub(crate) mod clock;
mod declared;
pub(crate) mod descriptor;
mod drained;
mod ending;
mod ends;
pub(crate) mod expr;
mod facts;
pub(crate) mod flow;
pub(crate) mod frame;
mod heap;
mod initial;
mod jdk;
mod judge;
mod lent;
mod machine;
mod members;
mod overriding;
mod paths;
mod profile;
pub(crate) mod program;
mod render;
mod resettled;
mod rounds;
pub(crate) mod setup;
mod step;
pub(crate) mod subject;
pub(crate) mod survey;
mod texts;
pub(crate) mod together;

pub use allowance::MOST_RUN;
pub(crate) use allowance::not_run;
pub(crate) use initial::{Made, Makings};
pub use machine::{Machine, RegionMachine};
pub use subject::Subject;

use crate::catalog::Catalog;
use crate::model::Options;
use crate::region::{RegionId, RegionTable};
use crate::trial;
use crate::trial::PATIENTLY;
use crate::trial::machine::Manner;
use crate::types::{Evidence, Hypothesis, LockType, RegionFacts};
use alias::{Aliases, Index};
use allowance::Allowance;
use automaton::Automaton;
pub(crate) use facts::negated;
pub(crate) use judge::condition::UNEXPLAINED;
use judge::{Case, Unlike};
use locklens_trace::ClassId;
use program::Program;
use std::cell::{OnceCell, RefCell};
use std::collections::{BTreeMap, BTreeSet};
use survey::{Surveyed, Surveyor};

/// Everything the code of a recording says about its locks.
#[derive(Clone, Debug, Default)]
pub struct StaticModel {
    pub(crate) program: Program,
    pub(crate) regions: BTreeMap<RegionId, Surveyed>,
    aliases: Aliases,
    index: Index,
    depth: u32,
    judged: Cache,
    run: Cache,
    threads: OnceCell<ends::Threads>,
    allowance: Allowance,
}

/// Types with odds, best first.
type Readings = Vec<(Hypothesis, Evidence)>;

/// The regions of a lock, and the classes of its objects.
type Key = (BTreeSet<RegionId>, Vec<ClassId>);

/// What was said before of these regions on lock objects of these classes: it depends on nothing
/// else but the code.
type Cache = RefCell<BTreeMap<Key, Readings>>;

/// What is in a cache; else what is found, which is put there.
fn cached(
    cache: &Cache,
    (regions, classes): (&BTreeSet<RegionId>, &[ClassId]),
    find: impl FnOnce() -> Readings,
) -> Readings {
    let key = (regions.clone(), classes.to_vec());
    let known = cache.borrow().get(&key).cloned();
    known.unwrap_or_else(|| {
        let found = find();
        cache.borrow_mut().insert(key, found.clone());
        found
    })
}

/// Reads the code of a catalog: every region of it is interned in `regions`, seen or not.
pub fn survey(catalog: &Catalog, regions: &mut RegionTable, options: &Options) -> StaticModel {
    let program = Program::new(catalog);
    let surveyed = Surveyor::new(&program, options.call_depth).run(regions);
    let aliases = Aliases::find(&program, &surveyed);
    StaticModel {
        index: Index::new(&program, &surveyed, &aliases),
        aliases,
        regions: surveyed,
        program,
        depth: options.call_depth,
        judged: Cache::default(),
        run: Cache::default(),
        threads: OnceCell::new(),
        allowance: Allowance::default(),
    }
}

impl StaticModel {
    /// What a region locks.
    #[must_use]
    pub fn subject(&self, region: RegionId) -> Subject {
        let found = self.regions.get(&region);
        found.map_or(Subject::Unknown, |s| s.subject.clone())
    }

    /// The regions seen on a lock and all others whose code can lock the same logical lock.
    /// `classes` are the classes of its lock objects.
    #[must_use]
    pub fn same_lock(&self, seen: &BTreeSet<RegionId>, classes: &[ClassId]) -> BTreeSet<RegionId> {
        let known = (&self.aliases, &self.index);
        alias::same_lock(&self.program, &self.regions, known, seen, classes)
    }

    /// Those of these regions that are left after a wait only to be entered again.
    #[must_use]
    pub fn asking_again(&self, regions: &BTreeSet<RegionId>) -> BTreeSet<RegionId> {
        let known = |id: &&RegionId| {
            let region = self.regions.get(id);
            region.is_some_and(|region| survey::asks_again(&self.program, region))
        };
        regions.iter().filter(known).copied().collect()
    }

    /// What a region can do on its own lock. Whether it was seen is for the caller to say.
    #[must_use]
    pub fn facts(&self, region: RegionId) -> RegionFacts {
        let Some(surveyed) = self.regions.get(&region) else {
            return RegionFacts::default();
        };
        RegionFacts {
            name: self.program.methods[surveyed.method].def.name.clone(),
            may_wait: Some(surveyed.reach.wait),
            may_notify: Some(surveyed.reach.notify),
            may_notify_all: Some(surveyed.reach.notify_all),
            seen: false,
        }
    }

    /// The guarded counter machine of a lock with these regions, in words.
    #[must_use]
    pub fn machine(&self, regions: &BTreeSet<RegionId>) -> Machine {
        Machine::new(&self.program, &self.automaton(regions, &[]))
    }

    fn automaton(&self, regions: &BTreeSet<RegionId>, classes: &[ClassId]) -> Automaton {
        let known = regions
            .iter()
            .filter_map(|&id| Some((id, self.regions.get(&id)?)));
        let exact = match classes {
            &[only] => Some(only),
            _ => None,
        };
        Automaton::explore(&self.program, &known.collect(), exact, self.depth)
    }

    /// The types a lock with these regions can be, best first, with roles, details and odds: what
    /// the code says when read, and what it does when run on a fresh lock. `classes` are the
    /// classes of its lock objects. Readings may exclude each other; several that share no region
    /// are several locks on one monitor. Of very many locks only those asked for first are run
    /// ([`MOST_RUN`]).
    #[must_use]
    pub fn judge(
        &self,
        regions: &BTreeSet<RegionId>,
        classes: &[ClassId],
    ) -> Vec<(Hypothesis, Evidence)> {
        cached(&self.judged, (regions, classes), || {
            let regions = &self.shared(regions);
            // A sandbox makes its locks in its own way: there, setting one up remains an operation.
            let (readings, unlike) = self.read_whole(&self.operating(regions), classes);
            if self.signalling(regions).is_empty() {
                return readings;
            }
            let lock = (regions.clone(), classes.to_vec());
            let weighed = match self.allowance.take_for(&lock) {
                true => {
                    let run = || self.weighed(readings.clone(), (regions, classes));
                    trial::guarded(|| Some(run())).ok_or_else(allowance::failed)
                }
                false => Err(allowance::not_run()),
            };
            let mut weighed = match weighed {
                Ok(weighed) => weighed,
                Err(why) => {
                    let mut untried = allowance::untried(readings, &why);
                    judge::unlike::tell(&unlike, &mut untried);
                    return ends::tell(self, untried);
                }
            };
            lent::tell(self, &mut weighed);
            judge::unlike::tell(&unlike, &mut weighed);
            ends::tell(self, weighed)
        })
    }

    /// Readings of the code beside what these locks do when they are run.
    fn weighed(
        &self,
        readings: Vec<(Hypothesis, Evidence)>,
        (regions, classes): (&BTreeSet<RegionId>, &[ClassId]),
    ) -> Vec<(Hypothesis, Evidence)> {
        let stock = trial::Stock::new(self, regions, classes);
        let trials = stock.trials();
        cached(&self.run, (regions, classes), || {
            trials.confirmed().to_vec()
        });
        let mut weighed = trial::weigh(readings, &trials);
        self.count_trees(&mut weighed, (regions, classes));
        weighed
    }

    /// Whether this lock was judged without being run, for want of runs ([`MOST_RUN`]).
    #[must_use]
    pub fn is_untried(&self, regions: &BTreeSet<RegionId>, classes: &[ClassId]) -> bool {
        self.allowance
            .refused(&(self.shared(regions), classes.to_vec()))
    }

    /// Of a barrier whose last to come goes on to meet others at another object of the same kind,
    /// each object knows but a part of those who meet. Where something around these objects is what
    /// others use, how many meet is what that shows when it is run, or not known.
    fn count_trees(
        &self,
        readings: &mut [(Hypothesis, Evidence)],
        (regions, classes): (&BTreeSet<RegionId>, &[ClassId]),
    ) {
        let barriers = readings
            .iter_mut()
            .map(|r| &mut r.0)
            .filter(|h| h.lock_type == LockType::Barrier && self.calls_itself(h));
        let mut barriers = barriers.peekable();
        if barriers.peek().is_none() {
            return;
        }
        let benches = trial::machine::benches_of_makers(self, regions, classes);
        if !benches.iter().any(|b| b.is_around()) {
            return;
        }
        let trials = trial::try_out(&benches);
        for barrier in barriers {
            let same = |h: &&(Hypothesis, Evidence)| h.0.roles == barrier.roles;
            let whole = trials.confirmed().iter().find(same);
            let parties = whole.and_then(|(h, _)| h.details.get("parties").cloned());
            match parties {
                Some(parties) => drop(barrier.details.insert("parties", parties)),
                None => drop(barrier.details.remove("parties")),
            }
        }
    }

    /// One of its regions is in a method that calls itself.
    fn calls_itself(&self, hypothesis: &Hypothesis) -> bool {
        let regions = hypothesis.regions();
        let mut methods = regions
            .iter()
            .filter_map(|r| Some(self.regions.get(r)?.method));
        methods.any(|method| {
            let def = &self.program.methods[method].def;
            self.program.callers(def).any(|site| site.0 == method)
        })
    }

    /// These regions without those that constructors alone go through: no thread comes there that has the lock from another one.
    fn shared(&self, regions: &BTreeSet<RegionId>) -> BTreeSet<RegionId> {
        let is_part = |id: &RegionId| {
            let known = self.regions.get(id);
            known
                .is_some_and(|r| !r.reach.wait && setup::is_part_of_making(&self.program, r.method))
        };
        regions.iter().filter(|id| !is_part(id)).copied().collect()
    }

    /// These regions without those that only set a fresh lock up.
    fn operating(&self, regions: &BTreeSet<RegionId>) -> BTreeSet<RegionId> {
        let sets_up = |id: &RegionId| {
            let known = self.regions.get(id);
            known.is_some_and(|r| {
                r.signals && !r.reach.wait && setup::only_sets_up(&self.program, r.method)
            })
        };
        regions.iter().filter(|id| !sets_up(id)).copied().collect()
    }

    /// The types that fresh locks with these regions go as when they are run, best first.
    #[must_use]
    pub fn run(
        &self,
        regions: &BTreeSet<RegionId>,
        classes: &[ClassId],
    ) -> Vec<(Hypothesis, Evidence)> {
        let regions = &self.shared(regions);
        cached(&self.run, (regions, classes), || {
            if !self.allowance.take() {
                return Vec::new();
            }
            trial::guarded(|| {
                let stock = trial::Stock::new(self, regions, classes);
                stock.trials().confirmed().to_vec()
            })
        })
    }

    /// The same of locks whose operations wait in these other regions: if nothing is found, supposing that no time limit passes there.
    #[must_use]
    pub fn run_beside(
        &self,
        regions: &BTreeSet<RegionId>,
        classes: &[ClassId],
        rooms: &BTreeSet<RegionId>,
    ) -> Vec<(Hypothesis, Evidence)> {
        let found = self.run(regions, classes);
        let may_help = found.is_empty() && trial::machine::waits_with_limit(self, rooms);
        if !may_help || !self.allowance.take() {
            return found;
        }
        trial::guarded(|| {
            let benches = trial::machine::benches_in(PATIENTLY, self, regions, classes);
            trial::try_out(&benches).confirmed().to_vec()
        })
    }

    /// The types that fresh locks made of several monitors go as when what others call of them is
    /// run, best first.
    #[must_use]
    pub fn run_whole(
        &self,
        regions: &BTreeSet<RegionId>,
        classes: &[ClassId],
    ) -> Vec<(Hypothesis, Evidence)> {
        if !self.allowance.take() {
            return Vec::new();
        }
        let run = |manner| {
            trial::guarded(|| {
                let benches = trial::machine::benches_of_whole(manner, self, regions, classes);
                trial::try_out(&benches).wholes()
            })
        };
        let found = run(Manner::default());
        let may_help = found.is_empty() && trial::machine::waits_with_limit(self, regions);
        match may_help && self.allowance.take() {
            true => run(PATIENTLY),
            false => found,
        }
    }

    /// What the whole program says of the ends of threads.
    fn threads(&self) -> &ends::Threads {
        self.threads
            .get_or_init(|| ends::Threads::of(&self.program))
    }

    /// Those of these regions that can wait or notify.
    pub(crate) fn signalling(&self, regions: &BTreeSet<RegionId>) -> BTreeSet<RegionId> {
        let signals = |id: &&RegionId| self.regions.get(id).is_some_and(|r| r.signals);
        regions.iter().filter(signals).copied().collect()
    }

    /// The types read off the code, without running it.
    #[must_use]
    pub fn read(
        &self,
        regions: &BTreeSet<RegionId>,
        classes: &[ClassId],
    ) -> Vec<(Hypothesis, Evidence)> {
        let (mut readings, unlike) = self.read_whole(regions, classes);
        judge::unlike::tell(&unlike, &mut readings);
        readings.sort_by(|a, b| b.1.log_odds.total_cmp(&a.1.log_odds));
        readings
    }

    /// The same, and what speaks against types that a sandbox may find nevertheless.
    fn read_whole(
        &self,
        regions: &BTreeSet<RegionId>,
        classes: &[ClassId],
    ) -> (Vec<(Hypothesis, Evidence)>, Unlike) {
        let known = regions.iter().filter(|r| self.regions.contains_key(r));
        let known: BTreeSet<_> = known.copied().collect();
        if self.signalling(&known).is_empty() {
            return (judge::quiet(&known), Unlike::default());
        }
        let mut automaton = self.automaton(&known, classes);
        let beginning = judge::prepare(&self.program, &mut automaton, classes, self.depth);
        let thread = |&c: &ClassId| self.program.classes.is_a(c, "java.lang.Thread");
        let is_thread = !classes.is_empty() && classes.iter().all(thread);
        judge::judge(&Case::new(&self.program, &automaton, &beginning, is_thread))
    }
}
