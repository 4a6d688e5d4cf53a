//! Where each lock object was seen: its call chains mapped to regions.

use crate::collect::LockLog;
use crate::lockclass::{ClassKey, Sight};
use crate::program::Program;
use crate::region::place::{LockShape, Place, locate};
use crate::region::{RegionId, RegionTable};
use locklens_trace::record::LockObject;
use locklens_trace::{LockId, StackId};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// Where call chains stand.
type Places = BTreeMap<StackId, Place>;

/// A lock object with its places.
pub(super) struct Seen<'a> {
    pub(super) log: &'a LockLog,
    pub(super) class: ClassKey,
    /// Its object is a thread.
    pub(super) is_thread: bool,
    /// Where each of its call chains stands; real places only.
    pub(super) places: Rc<Places>,
}

impl Seen<'_> {
    pub(super) fn sight(&self) -> Sight {
        Sight {
            lock: self.log.lock,
            class: self.class,
            regions: self.regions(),
        }
    }

    pub(super) fn regions(&self) -> BTreeSet<RegionId> {
        self.places
            .values()
            .flat_map(|p| p.levels.iter().copied())
            .collect()
    }
}

/// Maps call chains to places, once for each class of lock objects.
pub(super) struct Atlas<'a, 't> {
    program: &'a Program<'a>,
    table: &'t mut RegionTable,
    known: BTreeMap<(ClassKey, StackId), Option<Place>>,
    /// Many lock objects of a class are met in the very same call chains.
    shared: BTreeMap<(ClassKey, BTreeSet<StackId>), Rc<Places>>,
}

impl<'a, 't> Atlas<'a, 't> {
    pub(super) fn new(program: &'a Program<'a>, table: &'t mut RegionTable) -> Self {
        Self {
            program,
            table,
            known: BTreeMap::new(),
            shared: BTreeMap::new(),
        }
    }

    pub(super) fn all(
        mut self,
        logs: impl IntoIterator<Item = &'a LockLog>,
    ) -> BTreeMap<LockId, Seen<'a>> {
        logs.into_iter()
            .map(|log| (log.lock, self.see(log)))
            .collect()
    }

    fn see(&mut self, log: &'a LockLog) -> Seen<'a> {
        let def = self.program.catalog.locks.get(&log.lock);
        let object = def.map_or(&LockObject::Plain, |d| &d.object);
        let shape = LockShape {
            class: def.map(|d| d.class),
            object,
        };
        let class = ClassKey::of(log.lock, shape.class, object);
        let places = self.places(class, shape, log.stacks());
        Seen {
            log,
            class,
            is_thread: matches!(object, LockObject::Thread(_)),
            places,
        }
    }

    fn places(
        &mut self,
        class: ClassKey,
        shape: LockShape<'_>,
        stacks: BTreeSet<StackId>,
    ) -> Rc<Places> {
        let key = (class, stacks);
        if let Some(places) = self.shared.get(&key) {
            return Rc::clone(places);
        }
        let found = key.1.iter();
        let found = found.filter_map(|&stack| Some((stack, self.place(class, shape, stack)?)));
        let places: Rc<Places> = Rc::new(found.collect());
        self.shared.insert(key, Rc::clone(&places));
        places
    }

    fn place(&mut self, class: ClassKey, shape: LockShape<'_>, id: StackId) -> Option<Place> {
        let Self {
            program,
            table,
            known,
            ..
        } = self;
        let place = known.entry((class, id)).or_insert_with(|| {
            let place = locate(program, table, program.catalog.stacks.get(&id), shape);
            let placed = table.get(place.outermost()).is_some_and(|r| r.is_placed());
            placed.then_some(place)
        });
        place.clone()
    }
}
