//! From strips and stays to what is told of them: rows in order, names, regions, call chains.

use super::course::Woke;
use super::detail::{Detail, LeftOut};
use super::longest::{Longest, OwnerKey, Stay, Woken};
use super::model::{self, Deed, Holder, Interval, Levels, Singles, Stretch, Strip, ThreadRow};
use super::owned::Held;
use super::strips::ROWS;
use super::survey::{Surveyor, row};
use crate::pressure::crowd::is_service;
use crate::pressure::series::{Series, Sum};
use crate::program::Program;
use crate::region::RegionTable;
use crate::region::place::{LockShape, locate};
use locklens_trace::record::{LockObject, ThreadDef};
use locklens_trace::{LockId, Nanos, StackId, ThreadId};
use std::collections::{BTreeMap, BTreeSet};

/// Threads that have a row of their own in the end.
const TOLD: usize = 5_000;

impl<'a> Surveyor<'a> {
    /// Ends the pass.
    #[must_use]
    pub fn finish(self) -> Levels {
        self.finish_with_detail().0
    }

    /// The same, and what can read parts of the recording again.
    #[must_use]
    pub fn finish_with_detail(mut self) -> (Levels, Detail<'a>) {
        self.settle();
        let (woke, held) = (self.course.finish(), self.owned.finish());
        let (stocks, stock_bucket) = self.course.stocks.finish(self.last);
        let longest = self.take_longest();
        let order = Order::of(&self);
        let left_out = longest.each_ref().map(LeftOut::of);
        let Singles {
            longest,
            chains,
            targets,
        } = Draft::of(&self, &order, (&woke, &held)).stays(longest);
        let levels = Levels {
            begin: Nanos(self.begin.min(self.last)),
            end: Nanos(self.last),
            bucket: Nanos(self.strips.width),
            buckets: self.buckets(),
            threads: self.rows_told(&order),
            further: order.further,
            strips: self.strips_told(&order),
            chains,
            losses: self.collected.losses.iter().collect(),
            unmeasured: self.unmeasured,
            stocks,
            stock_bucket,
            targets,
            longest,
        };
        (levels, Detail::of(self, order, left_out))
    }

    fn buckets(&self) -> u32 {
        let buckets = self.last.div_ceil(self.strips.width);
        u32::try_from(buckets).map_or(u32::MAX, |n| n.max(1))
    }

    fn def(&self, slot: u32) -> Option<&ThreadDef> {
        let id = self.threads.id(slot);
        self.collected.catalog.threads.get(&ThreadId(id))
    }

    fn rows_told(&self, order: &Order) -> Vec<ThreadRow> {
        let mut alive: Vec<Sum> = vec![Sum::default(); order.rows()];
        for (row, series) in (0..).zip(&self.strips.alive) {
            if let Some(told) = order.row(row) {
                alive[told as usize].add(series);
            }
        }
        let rows = alive.into_iter().zip(order.slots());
        rows.map(|(alive, slot)| self.row_told(slot, &alive))
            .collect()
    }

    fn row_told(&self, slot: Option<u32>, alive: &Sum) -> ThreadRow {
        let def = slot.and_then(|slot| self.def(slot));
        let name = slot.map(|slot| ThreadId(self.threads.id(slot)));
        let name = name.map(|id| self.collected.catalog.thread_name(id));
        ThreadRow {
            name,
            tid: def.map_or(0, |def| def.tid),
            group: def.and_then(|def| def.group.clone()),
            is_virtual: def.is_some_and(|def| def.is_virtual),
            service: def.is_some_and(is_service),
            alive: alive.stretches(self.buckets(), self.strips.width),
        }
    }

    fn strips_told(&self, order: &Order) -> Vec<Strip> {
        let (buckets, width) = (self.buckets(), self.strips.width);
        let mut told: Vec<((u32, u32, Deed), &Series)> = Vec::new();
        let mut shared: BTreeMap<(u32, Deed), Sum> = BTreeMap::new();
        for (&(row, lock, deed), series) in self.strips.keys.iter().zip(&self.strips.all) {
            match order.row(row) {
                Some(thread) if thread == order.shared() => {
                    shared.entry((lock, deed)).or_default().add(series);
                }
                Some(thread) => told.push(((thread, lock, deed), series)),
                None => {}
            }
        }
        told.sort_unstable_by_key(|&(key, _)| key);
        let strip = |(thread, lock, deed): (u32, u32, Deed), mut stretches: Vec<Stretch>| {
            stretches.retain(|stretch| stretch.2 > 0);
            Strip {
                thread,
                lock: self.lock_told(lock),
                deed,
                stretches,
            }
        };
        let own = told.into_iter();
        let own = own.map(|(key, series)| strip(key, series.stretches(buckets, width)));
        // The row that several share comes behind all others.
        let shared = shared.into_iter().map(|((lock, deed), sum)| {
            let key = (order.shared(), lock, deed);
            strip(key, sum.stretches(buckets, width))
        });
        own.chain(shared).collect()
    }

    fn lock_told(&self, row: u32) -> Option<u32> {
        (row < self.rows.others).then_some(row)
    }
}

/// Which threads are told of, and in what order.
#[derive(Debug)]
pub(super) struct Order {
    /// Slots in the order of rows; those behind share a row.
    told: Vec<u32>,
    /// Row by row of the strips, if it has one.
    rows: Vec<Option<u32>>,
    further: u64,
}

impl Order {
    /// Threads of the program, and others that met a lock of the report; if there are very many, those that were held up
    /// longest.
    fn of(surveyor: &Surveyor<'_>) -> Self {
        let slots = 0..surveyor.threads.len() as u32;
        let rows = (slots.len()).min(ROWS as usize + 1);
        let (mut held_up, mut met) = (vec![0_u64; rows], vec![false; rows]);
        for (&(row, lock, deed), series) in surveyor.strips.keys.iter().zip(&surveyor.strips.all) {
            let time = &mut held_up[row as usize];
            let counts = deed != Deed::Holding;
            *time = time.saturating_add(if counts { series.total() } else { 0 });
            met[row as usize] |= lock < surveyor.rows.others;
        }
        let is_told = |slot: &u32| {
            let of_program = surveyor.def(*slot).is_some_and(|def| !is_service(def));
            of_program || met[row(*slot) as usize]
        };
        let mut told: Vec<u32> = slots.filter(is_told).collect();
        told.sort_by_key(|slot| {
            let time = held_up[row(*slot) as usize];
            (*slot >= ROWS, std::cmp::Reverse(time), *slot)
        });
        let own = told
            .len()
            .min(TOLD)
            .min(told.partition_point(|&slot| slot < ROWS));
        let further = told.split_off(own);
        let tid = |slot: u32| surveyor.def(slot).map_or(u64::MAX, |def| def.tid);
        told.sort_by_key(|&slot| (tid(slot), slot));
        let mut rows = vec![None; rows];
        for (told, &slot) in (0..).zip(&told) {
            rows[slot as usize] = Some(told);
        }
        for &slot in &further {
            rows[row(slot) as usize] = Some(told.len() as u32);
        }
        Self {
            told,
            rows,
            further: further.len() as u64,
        }
    }

    /// The row that several share, if any do.
    fn shared(&self) -> u32 {
        self.told.len() as u32
    }

    /// Rows there are.
    fn rows(&self) -> usize {
        self.told.len() + usize::from(self.further > 0)
    }

    /// The row of what is kept in a row of the strips.
    fn row(&self, strip: u32) -> Option<u32> {
        *self.rows.get(strip as usize)?
    }

    /// The slot of each row; none for the row that several share.
    fn slots(&self) -> impl Iterator<Item = Option<u32>> {
        let shared = (self.further > 0).then_some(None);
        self.told.iter().map(|&slot| Some(slot)).chain(shared)
    }
}

/// Stays about to be told.
pub(super) struct Draft<'a, 's> {
    surveyor: &'s Surveyor<'a>,
    order: &'s Order,
    woke: &'s Woke,
    held: &'s Held,
    program: Program<'a>,
    table: RegionTable,
    regions: BTreeMap<(LockId, StackId), Option<String>>,
}

impl<'a, 's> Draft<'a, 's> {
    pub(super) fn of(
        surveyor: &'s Surveyor<'a>,
        order: &'s Order,
        (woke, held): (&'s Woke, &'s Held),
    ) -> Self {
        Self {
            surveyor,
            order,
            woke,
            held,
            program: Program::of(&surveyor.collected.catalog),
            table: surveyor.analysis.regions.clone(),
            regions: BTreeMap::new(),
        }
    }

    /// All that is told of these stays.
    pub(super) fn stays(&mut self, longest: [Longest; 3]) -> Singles {
        let longest = longest.map(|longest| self.longest(longest));
        let all = || longest.iter().flat_map(|longest| &longest.kept);
        let stacks: BTreeSet<StackId> = all().filter_map(|stay| stay.stack).collect();
        let objects: BTreeSet<LockId> = all().map(|stay| stay.object).collect();
        let target = |object| Some((object, self.target(object)?));
        let chain = |stack| Some((stack, self.surveyor.collected.catalog.call_chain(stack)?));
        Singles {
            chains: stacks.into_iter().filter_map(chain).collect(),
            targets: objects.into_iter().filter_map(target).collect(),
            longest,
        }
    }

    fn longest(&mut self, longest: Longest) -> model::Longest {
        let (left_out, cut) = (longest.left_out, Nanos(longest.cut));
        let stays = longest.in_order();
        model::Longest {
            kept: stays.iter().filter_map(|stay| self.told(stay)).collect(),
            left_out,
            cut,
        }
    }

    fn told(&mut self, stay: &Stay) -> Option<Interval> {
        let from = stay.from.0;
        Some(Interval {
            thread: self.order.row(row(stay.thread.0))?,
            lock: self.surveyor.lock_told(stay.lock),
            object: stay.object,
            from: Nanos(from),
            to: Nanos(from.saturating_add(stay.length)),
            stack: stay.stack,
            region: stay.stack.and_then(|stack| self.region(stay.object, stack)),
            owner: self.owner(stay),
            woken: self.woken(stay),
            limit: stay.limit.map(Nanos),
            shared: stay.shared,
            open: stay.open,
            estimate: stay.estimate,
        })
    }

    /// Who ended it: a park says that itself.
    fn woken(&self, stay: &Stay) -> Option<model::Woken> {
        let threads = &self.surveyor.threads;
        let thread = ThreadId(threads.id(stay.thread.0));
        let notified = || Woken::of(self.woke, (thread, stay.from.0), |by| threads.find(by.0));
        let woken = stay.woken.or_else(notified)?;
        Some(model::Woken {
            by: self.order.row(row(woken.by))?,
            at: Nanos(woken.at),
            inferred: woken.inferred,
        })
    }

    /// The row of the thread that a lock object is.
    fn target(&self, object: LockId) -> Option<u32> {
        let def = self.surveyor.collected.catalog.locks.get(&object)?;
        let LockObject::Thread(thread) = def.object else {
            return None;
        };
        let slot = self.surveyor.threads.find(thread.0)?;
        self.order.row(row(slot))
    }

    /// Who held the lock: a park does not tell that itself.
    fn owner(&self, stay: &Stay) -> Holder {
        let thread = ThreadId(self.surveyor.threads.id(stay.thread.0));
        let held = || self.held.get(&(thread, stay.object, stay.from.0));
        let owner = match stay.owner {
            OwnerKey::Unknown => held().copied().unwrap_or(OwnerKey::Unknown),
            known => known,
        };
        match owner {
            OwnerKey::Unknown => Holder::Unknown,
            OwnerKey::Nobody => Holder::Nobody,
            OwnerKey::Thread(id) => {
                let slot = self.surveyor.threads.find(id);
                let row = slot.and_then(|slot| self.order.row(row(slot)));
                row.map_or(Holder::Unknown, Holder::Row)
            }
        }
    }

    /// The innermost region on that lock that a call chain stands in.
    fn region(&mut self, lock: LockId, stack: StackId) -> Option<String> {
        if let Some(known) = self.regions.get(&(lock, stack)) {
            return known.clone();
        }
        let told = self.located(lock, stack);
        self.regions.insert((lock, stack), told.clone());
        told
    }

    fn located(&mut self, lock: LockId, stack: StackId) -> Option<String> {
        let catalog = &self.surveyor.collected.catalog;
        let chain = catalog.stacks.get(&stack)?;
        let def = catalog.locks.get(&lock);
        let shape = LockShape {
            class: def.map(|def| def.class),
            object: def.map_or(&LockObject::Plain, |def| &def.object),
        };
        let place = locate(&self.program, &mut self.table, Some(chain), shape);
        let region = self.table.get(place.innermost())?;
        let method = catalog.methods.get(&region.method)?;
        Some(format!(
            "{}.{}",
            catalog.class_name(method.class),
            method.name
        ))
    }
}
