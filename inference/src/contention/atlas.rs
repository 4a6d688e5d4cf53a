//! What locks, threads and call chains are called, as numbers that stand for names.

use super::adjacent::Calls;
use super::key::Key;
use super::stay::{Chain, Group, Inner, Sure};
use super::tally::{CYCLE, EMPTY, FREE, INTERVAL, NAMED, NONE, REST};
use crate::analysis::Analysis;
use crate::collect::{Collected, FastHash, FastMap};
use crate::effects::is_platform_name;
use crate::model::CallChain;
use crate::parked::telling;
use crate::program::Program;
use crate::region::Region;
use crate::region::place::around;
use crate::sample::group::folded;
use locklens_trace::record::{Frame, StackDef};
use locklens_trace::{LockId, MethodId, Nanos, StackId, ThreadId};
use std::cell::OnceCell;
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// Places that are remembered: they are found again without that.
const REMEMBERED: usize = 1 << 17;

/// What a row is called.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Value {
    /// A name.
    Named(String),
    /// A logical lock: its number in the report, and its name.
    Lock(u32, String),
    /// A call chain.
    Chain(CallChain),
    /// A part of the recording.
    Time(Nanos, Nanos),
    /// The lock was free.
    Nobody,
    /// Nobody: there was nothing to take from it.
    Empty,
    /// Threads that hold each other up for ever.
    Cycle,
    /// It is not known.
    Unknown,
    /// One of those for which there was no room any more.
    Rest,
}

/// See the module.
#[derive(Debug)]
pub(super) struct Atlas<'a> {
    collected: &'a Collected,
    analysis: &'a Analysis,
    program: Program<'a>,
    objects: HashMap<LockId, usize, FastHash>,
    names: Names<String>,
    chains: Chains,
    /// Regions of a logical lock, worked out when asked for.
    regions: Vec<OnceCell<BTreeSet<Region>>>,
    /// Those of all.
    all_regions: OnceCell<BTreeSet<Region>>,
    calls: Calls<'a>,
    /// Numbers of names that were made up before, by what they are of: the class and the type of a lock object, the group of a
    /// thread, …
    classes: FastMap<LockId, u64>,
    types: FastMap<LockId, u64>,
    groups: FastMap<ThreadId, u64>,
    /// … and where a chain stands, at a logical lock.
    placed: FastMap<(Key, Chain, usize), Option<u64>>,
    /// Threads whose name others have, too.
    namesakes: BTreeSet<ThreadId>,
    /// Length of the parts of the recording that are values of [`Key::Time`].
    pub(super) interval: Nanos,
}

/// The numbers it has given, for another one that is to give the same.
#[derive(Debug, Default)]
pub(super) struct Numbers {
    names: Names<String>,
    chains: Chains,
}

/// Call chains as they are printed: calls on one line, or code before and after it was rewritten, make several stacks of one chain.
#[derive(Debug, Default)]
struct Chains {
    all: Names<CallChain>,
    /// That of a stack without so many of its frames.
    known: HashMap<(StackId, usize), u64, FastHash>,
}

impl Chains {
    fn code(&mut self, collected: &Collected, stack: StackId, first: usize) -> Option<u64> {
        if let Some(&code) = self.known.get(&(stack, first)) {
            return Some(code);
        }
        let mut chain = collected.catalog.call_chain(stack)?;
        chain.frames.drain(..first.min(chain.frames.len()));
        let code = self.all.code(chain);
        self.known.insert((stack, first), code);
        Some(code)
    }
}

/// Things and their numbers.
#[derive(Debug)]
struct Names<T> {
    all: Vec<T>,
    known: HashMap<T, u64>,
}

impl<T: Clone + Eq + std::hash::Hash> Names<T> {
    fn code(&mut self, name: T) -> u64 {
        let next = self.all.len() as u64;
        let code = *self.known.entry(name.clone()).or_insert(next);
        if code == next {
            self.all.push(name);
        }
        code
    }

    fn get(&self, code: u64) -> Option<&T> {
        self.all.get(usize::try_from(code).ok()?)
    }
}

impl<T> Default for Names<T> {
    fn default() -> Self {
        Self {
            all: Vec::new(),
            known: HashMap::new(),
        }
    }
}

impl<'a> Atlas<'a> {
    pub(super) fn new(collected: &'a Collected, analysis: &'a Analysis) -> Self {
        let objects = analysis.objects.iter().enumerate();
        let objects = objects.flat_map(|(ix, locks)| locks.iter().map(move |&lock| (lock, ix)));
        Self {
            collected,
            analysis,
            program: Program::of(&collected.catalog),
            objects: objects.collect(),
            names: Names::default(),
            chains: Chains::default(),
            regions: vec![OnceCell::new(); analysis.model.locks.len()],
            all_regions: OnceCell::new(),
            calls: Calls::of(&collected.catalog),
            classes: FastMap::default(),
            types: FastMap::default(),
            groups: FastMap::default(),
            placed: FastMap::default(),
            namesakes: namesakes(collected),
            interval: INTERVAL,
        }
    }

    /// What it is made of.
    pub(super) fn collected(&self) -> &'a Collected {
        self.collected
    }

    /// Goes on with numbers that were given before.
    pub(super) fn go_on(&mut self, numbers: Numbers) {
        (self.names, self.chains) = (numbers.names, numbers.chains);
    }

    /// The numbers it has given.
    pub(super) fn stop(self) -> Numbers {
        Numbers {
            names: self.names,
            chains: self.chains,
        }
    }

    /// Index of the logical lock of an object; none if reports leave it out.
    pub(super) fn index_of(&self, lock: LockId) -> Option<usize> {
        self.objects.get(&lock).copied()
    }

    pub(super) fn lock_of(&self, lock: LockId) -> u64 {
        self.index_of(lock).unwrap_or(usize::MAX) as u64
    }

    pub(super) fn class_of(&mut self, lock: LockId) -> u64 {
        let Self {
            collected, names, ..
        } = self;
        *self.classes.entry(lock).or_insert_with(|| {
            let catalog = &collected.catalog;
            let def = catalog.locks.get(&lock);
            names.code(def.map_or_else(
                || "<unknown>".to_owned(),
                |def| catalog.class_name(def.class),
            ))
        })
    }

    pub(super) fn type_of(&mut self, lock: LockId) -> u64 {
        if let Some(&known) = self.types.get(&lock) {
            return known;
        }
        let index = self.index_of(lock);
        let of = index.and_then(|ix| self.analysis.model.locks.get(ix));
        let types = of.iter().flat_map(|lock| &lock.types);
        let types: Vec<_> = types.map(|verdict| verdict.lock_type.name()).collect();
        let code = self.names.code(types.join("+"));
        self.types.insert(lock, code);
        code
    }

    /// What threads of a pool have in common: the name, each number in it replaced.
    pub(super) fn thread_group(&mut self, thread: ThreadId) -> u64 {
        if let Some(&known) = self.groups.get(&thread) {
            return known;
        }
        let folded = folded(&self.thread_name(thread));
        let code = self.names.code(folded);
        self.groups.insert(thread, code);
        code
    }

    fn thread_name(&self, thread: ThreadId) -> String {
        self.collected.catalog.thread_name(thread)
    }

    /// Where a chain stands, as that key tells it; none if it is not known.
    pub(super) fn place(&mut self, key: Key, chain: Option<Chain>, lock: LockId) -> Option<u64> {
        let chain = chain.filter(|chain| chain.sure >= needed(key))?;
        let of = (key, chain, self.index_of(lock).unwrap_or(usize::MAX));
        if let Some(&known) = self.placed.get(&of) {
            return known;
        }
        let told = self.place_of(key, chain, lock);
        if self.placed.len() >= REMEMBERED {
            self.placed.clear();
        }
        self.placed.insert(of, told);
        told
    }

    fn place_of(&mut self, key: Key, chain: Chain, lock: LockId) -> Option<u64> {
        if matches!(key, Key::WaiterStack | Key::OwnerStack) {
            let first = self.first(chain, lock)?;
            return self.chains.code(self.collected, chain.stack, first);
        }
        let frame = self.told_frame(chain, lock)?;
        let told = match key {
            Key::WaiterSite | Key::OwnerSite => self.collected.catalog.frame(&frame),
            _ => self.method(frame),
        };
        Some(self.names.code(told))
    }

    /// The frame that a chain begins with as far as a lock is concerned.
    fn first(&self, chain: Chain, lock: LockId) -> Option<usize> {
        let stack = self.collected.catalog.stacks.get(&chain.stack)?;
        match chain.end {
            Inner::Region => self.acquiring(stack, lock),
            Inner::Edge | Inner::Look => Some(0),
        }
    }

    /// The frame by which a chain is called where only one is told.
    pub(super) fn told_frame(&self, chain: Chain, lock: LockId) -> Option<Frame> {
        let first = self.first(chain, lock)?;
        let stack = self.collected.catalog.stacks.get(&chain.stack)?;
        let frames = stack.frames.get(first..)?;
        let own = frames.iter().find(|frame| self.is_of_program(frame));
        let own = own.filter(|_| chain.end == Inner::Look);
        let catalog = &self.collected.catalog;
        let parks = frames
            .first()
            .is_some_and(|frame| catalog.is_concurrent(frame));
        let told = || match parks {
            true => telling(catalog, frames).and_then(|at| frames.get(at)),
            false => frames.iter().find(|frame| !self.is_machinery(frame)),
        };
        let frame = own.or_else(told);
        frame.or(frames.first()).copied()
    }

    fn method(&self, frame: Frame) -> String {
        let catalog = &self.collected.catalog;
        match catalog.methods.get(&frame.method) {
            Some(method) => format!("{}.{}", catalog.class_name(method.class), method.name),
            None => format!("<method {}>", frame.method.0),
        }
    }

    fn is_of_program(&self, frame: &Frame) -> bool {
        let catalog = &self.collected.catalog;
        let method = catalog.methods.get(&frame.method);
        method.is_some_and(|method| !is_platform_name(&catalog.class_name(method.class)))
    }

    /// `Object.wait` and its like, and the code of `java.util.concurrent` that parks.
    fn is_machinery(&self, frame: &Frame) -> bool {
        self.program.is_monitor_operation(frame.method)
            || self.collected.catalog.is_concurrent(frame)
    }

    /// Where a thread must have been when it held a lock: in the only method, at the only line of it, by the only call
    /// chain in which it was ever seen at it. None if there are several methods.
    pub(super) fn only(&mut self, lock: LockId, chains: &BTreeSet<Chain>) -> Option<Chain> {
        if self.may_come_back(lock, chains) {
            return None;
        }
        let mut places = |key| -> Option<BTreeSet<u64>> {
            let places = chains.iter();
            places
                .map(|&chain| self.place(key, Some(chain), lock))
                .collect()
        };
        let is_one = |places: Option<BTreeSet<u64>>| places.is_some_and(|places| places.len() == 1);
        if !is_one(places(Key::OwnerMethod)) {
            return None;
        }
        let sure = if is_one(places(Key::OwnerStack)) {
            Sure::All
        } else if is_one(places(Key::OwnerSite)) {
            Sure::Site
        } else {
            Sure::Method
        };
        chains.first().map(|&chain| Chain { sure, ..chain })
    }

    /// Whether a thread that was seen there may come back to the lock at once, by another method.
    fn may_come_back(&mut self, lock: LockId, chains: &BTreeSet<Chain>) -> bool {
        let Some(index) = self.index_of(lock) else {
            return true;
        };
        let here = chains
            .iter()
            .filter_map(|chain| self.method_of(chain, lock));
        let here: BTreeSet<MethodId> = here.collect();
        let regions = self.regions_of(index);
        let others = regions.iter().map(|region| region.method);
        let others = others.filter(|method| !here.contains(method)).collect();
        let stacks = &self.collected.catalog.stacks;
        let mut stacks = chains.iter().filter_map(|chain| stacks.get(&chain.stack));
        stacks.any(|stack| self.calls.lead_to(stack, &others))
    }

    /// The method that holds the lock.
    fn method_of(&self, chain: &Chain, lock: LockId) -> Option<MethodId> {
        let stack = self.collected.catalog.stacks.get(&chain.stack)?;
        let first = match chain.end {
            Inner::Region => self.acquiring(stack, lock)?,
            Inner::Edge | Inner::Look => 0,
        };
        Some(stack.frames.get(first)?.method)
    }

    /// The regions of a logical lock, seen or not.
    fn regions_of(&self, index: usize) -> &BTreeSet<Region> {
        self.regions[index].get_or_init(|| {
            let reports = self.analysis.model.locks[index].regions.iter();
            let regions = reports.filter_map(|report| self.analysis.regions.get(report.id));
            regions.cloned().collect()
        })
    }

    /// The frame whose method has acquired the lock: the outermost in a region of it.
    fn acquiring(&self, stack: &StackDef, lock: LockId) -> Option<usize> {
        let regions = self.regions_of(self.index_of(lock)?);
        let is_in = |frame: &Frame| {
            let around = around(&self.program, *frame);
            around.iter().any(|region| regions.contains(region))
        };
        stack.frames.iter().rposition(is_in)
    }

    /// Whether a thread with that chain can't have held the lock: all of its frames are known, and none is in a region of the
    /// lock, of which some are known, or in one of which nobody knows whose it is: nobody may ever have been blocked at that place.
    pub(super) fn is_outside(&self, stack: StackId, lock: LockId) -> bool {
        let is_placed = |index| !self.regions_of(index).is_empty();
        let stack = self.collected.catalog.stacks.get(&stack);
        let is_out = |stack: &StackDef| {
            !stack.cut && self.acquiring(stack, lock).is_none() && !self.is_in_unknown(stack)
        };
        stack.is_some_and(is_out) && self.index_of(lock).is_some_and(is_placed)
    }

    /// Some frame is in a region that is no lock's, as far as is known.
    fn is_in_unknown(&self, stack: &StackDef) -> bool {
        let all = self.all_regions.get_or_init(|| {
            let locks = 0..self.regions.len();
            locks
                .flat_map(|lock| self.regions_of(lock).clone())
                .collect()
        });
        let mut frames = stack.frames.iter();
        frames.any(|frame| {
            let around = around(&self.program, *frame);
            around.iter().any(|region| !all.contains(region))
        })
    }

    /// What a code stands for.
    pub(super) fn value(&self, key: Key, code: u64) -> Value {
        if code == REST {
            return Value::Rest;
        }
        match key {
            Key::Group => Value::Named(group_name(code).to_owned()),
            Key::LockClass | Key::Type => self.name(code),
            Key::Lock => self.lock(code),
            Key::Time => {
                let from = code.saturating_mul(self.interval.0);
                Value::Time(Nanos(from), Nanos(from.saturating_add(self.interval.0)))
            }
            _ => match code {
                NONE => Value::Unknown,
                FREE => Value::Nobody,
                EMPTY => Value::Empty,
                CYCLE => Value::Cycle,
                code => self.named(key, code - NAMED),
            },
        }
    }

    fn named(&self, key: Key, code: u64) -> Value {
        match key {
            Key::WaiterThread | Key::OwnerThread => {
                let thread = ThreadId(u32::try_from(code).unwrap_or(0));
                Value::Named(self.told_apart(thread))
            }
            Key::WaiterStack | Key::OwnerStack => self.chain(code),
            _ => self.name(code),
        }
    }

    fn name(&self, code: u64) -> Value {
        let name = self.names.get(code);
        name.map_or(Value::Unknown, |name| Value::Named(name.clone()))
    }

    fn lock(&self, code: u64) -> Value {
        let index = usize::try_from(code).ok();
        let lock = index.and_then(|ix| self.analysis.model.locks.get(ix));
        lock.map_or(Value::Unknown, |lock| {
            Value::Lock(lock.id, lock.name.clone())
        })
    }

    fn chain(&self, code: u64) -> Value {
        let chain = self.chains.all.get(code);
        chain.map_or(Value::Unknown, |chain| Value::Chain(chain.clone()))
    }

    /// Its name, with its number where others have the same.
    pub(super) fn told_apart(&self, thread: ThreadId) -> String {
        let name = self.thread_name(thread);
        let def = self.collected.catalog.threads.get(&thread);
        match def.filter(|_| self.namesakes.contains(&thread)) {
            Some(def) => format!("{name} (tid {})", def.tid),
            None => name,
        }
    }
}

/// How much of a chain must be known for that key.
pub(super) fn needed(key: Key) -> Sure {
    match key {
        Key::WaiterStack | Key::OwnerStack => Sure::All,
        Key::WaiterSite | Key::OwnerSite => Sure::Site,
        _ => Sure::Method,
    }
}

fn group_name(code: u64) -> &'static str {
    let all = [
        Group::Monitor,
        Group::AfterWait,
        Group::Parked,
        Group::Logical,
        Group::Wait,
    ];
    let group = all.into_iter().find(|&group| group as u64 == code);
    group.map_or("unknown", Group::name)
}

fn namesakes(collected: &Collected) -> BTreeSet<ThreadId> {
    let mut named: BTreeMap<&str, Vec<ThreadId>> = BTreeMap::new();
    let all = collected.catalog.threads.iter();
    for (&id, def) in all.filter(|(_, def)| !def.name.is_empty()) {
        named.entry(&def.name).or_default().push(id);
    }
    let several = named.into_values().filter(|ids| ids.len() > 1);
    several.flatten().collect()
}
