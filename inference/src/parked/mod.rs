//! Locks known from looks at parked threads: those of `java.util.concurrent`, and what is built on the same
//! ground. What they are their classes say ([`kind`]); here they are grouped into logical locks as monitors are, by
//! the fields that they are kept in ([`kept`]), or else by the places of the program from which they are used, and counted.

mod aim;
mod group;
mod kept;
mod kind;
mod made;
mod place;
mod role;
mod tried;

use crate::catalog::Catalog;
use crate::collect::Collected;
use crate::collect::parked::{ParkedLog, ParkedSums};
use crate::effects::is_platform_name;
use crate::model::LogicalLock;
use crate::program::Program;
use crate::region::RegionTable;
use crate::stable_name::short;
use crate::statics::StaticModel;
use crate::statics::expr::Exprs;
use crate::types::{LockType, Role};
pub(crate) use aim::{Aim, aim};
use group::Group;
use kept::Fields;
use kind::Kind;
pub(crate) use kind::{awaits_peers, checks_owner, is_concurrent};
use locklens_trace::code::MemberRef;
use locklens_trace::record::StackDef;
use locklens_trace::{LockId, MethodId, StackId};
pub(crate) use place::telling;
use std::collections::{BTreeMap, BTreeSet};

/// What is known of parked threads.
#[derive(Default)]
pub(crate) struct Found {
    /// Logical locks with their objects.
    pub(crate) locks: Vec<(BTreeSet<LockId>, LogicalLock)>,
    /// Stays of idle threads that are not wanted, by name.
    pub(crate) hidden: BTreeMap<String, u64>,
}

/// The logical locks that threads were found parked on.
pub(crate) fn found(
    collected: &Collected,
    program: &Program<'_>,
    table: &mut RegionTable,
    statics: &StaticModel,
    hide_idle: bool,
) -> Found {
    let mut found = Found::default();
    let mut seen = Vec::new();
    for (&lock, log) in &collected.parked {
        if let Some(one) = Seen::of(&collected.catalog, lock, log, hide_idle, &mut found.hidden) {
            seen.push(one);
        }
    }
    let fields = Fields::of(program, table);
    let mut values = Exprs::default();
    let mut makings = statics.makings(&mut values);
    found.locks = groups(&seen, &fields)
        .into_iter()
        .map(|group| {
            let group: Vec<&Seen<'_>> = group.into_iter().map(|at| &seen[at]).collect();
            let objects = group.iter().map(|one| one.lock).collect();
            let kept = kept(&group, &fields);
            let group = Group {
                collected,
                kept,
                number: made::number(&group, &mut makings),
                group,
            };
            (objects, group.logical_lock(table))
        })
        .collect();
    tell_names_apart(&mut found.locks);
    found
}

/// The blockers on which threads are parked to own something, idle ones not among them.
pub(crate) fn owning(collected: &Collected) -> BTreeSet<LockId> {
    let owned = owned(collected, true).into_iter();
    let own = owned.filter(|(_, how)| *how != Owned::Permit);
    own.map(|(lock, _)| lock).collect()
}

/// The class a blocker is known by, if threads are parked on it to own something.
pub(crate) fn owned_class(catalog: &Catalog, lock: LockId, log: &ParkedLog) -> Option<String> {
    let seen = Seen::of(catalog, lock, log, true, &mut BTreeMap::new())?;
    seen.kind.blocks.then_some(seen.kind.class)
}

/// What a thread that is parked to own something waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Owned {
    /// What one thread owns at a time.
    Alone,
    /// What readers may own together.
    Shared,
    /// One of several permits.
    Permit,
}

/// Objects on which threads park in order to own them; on all others they wait for something to come about.
pub(crate) fn owned(collected: &Collected, hide_idle: bool) -> BTreeMap<LockId, Owned> {
    let mut hidden = BTreeMap::new();
    let mut owned = BTreeMap::new();
    for (&lock, log) in &collected.parked {
        let seen = Seen::of(&collected.catalog, lock, log, hide_idle, &mut hidden);
        let how = seen.and_then(|seen| match seen.kind.lock_type {
            LockType::Semaphore => Some(Owned::Permit),
            LockType::ReadWrite if seen.kind.blocks => Some(Owned::Shared),
            _ => seen.kind.blocks.then_some(Owned::Alone),
        });
        owned.extend(how.map(|how| (lock, how)));
    }
    owned
}

/// Blockers that are known to be safe, where those are not wanted: only threads of the JDK's own were found parked on them.
pub(crate) fn safe(collected: &Collected) -> BTreeSet<LockId> {
    if !collected.recording.options.hide_safe {
        return BTreeSet::new();
    }
    let is_safe = |(lock, log): &(&LockId, &ParkedLog)| {
        let mut hidden = BTreeMap::new();
        let seen = Seen::of(&collected.catalog, **lock, log, true, &mut hidden);
        seen.is_none() && !hidden.is_empty() && hidden.keys().all(|why| why == kind::SAFE)
    };
    let safe = collected.parked.iter().filter(is_safe);
    safe.map(|(&lock, _)| lock).collect()
}

/// Where the program uses a lock.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Place {
    frame: FrameKey,
    /// What for, where the JDK's frames above say so.
    role: Option<Role>,
    /// What is called there.
    callee: Option<MethodId>,
}

/// Method and bci.
type FrameKey = (u32, Option<u16>);

/// A blocker with what the looks found of it.
struct Seen<'a> {
    lock: LockId,
    log: &'a ParkedLog,
    kind: Kind,
    /// Call chains with their place; none without one.
    sites: Vec<(Option<StackId>, Option<Place>, ParkedSums)>,
    /// What it is the lock or a condition of.
    whole: LockId,
}

/// What a call chain says.
#[derive(Default)]
struct Reading {
    /// The JDK's class whose code uses the lock.
    container: Option<String>,
    place: Option<Place>,
    idle: Option<&'static str>,
    /// The method of the outermost frame of a queue.
    queue_method: Option<String>,
    /// The synchronizer itself was asked for, by several together or by one alone.
    shared: Option<bool>,
    /// A class of the program is in it, or may be further out.
    in_program: bool,
}

fn read(catalog: &Catalog, stack: &StackDef) -> Reading {
    let mut reading = Reading {
        in_program: stack.cut,
        ..Reading::default()
    };
    let mut role = None;
    let place = telling(catalog, &stack.frames);
    // What a thread of a pool does is where its code uses the lock, and all of it.
    let is_inside = |at: usize| {
        let inside = stack.frames.get(at);
        inside.is_some_and(|frame| catalog.is_concurrent(frame))
    };
    let end = place.filter(|&at| !is_inside(at));
    for (at, frame) in stack.frames.iter().enumerate() {
        let Some(method) = catalog.methods.get(&frame.method) else {
            break;
        };
        let class = catalog.class_name(method.class);
        reading.idle = reading.idle.or(kind::idle(&class, &method.name));
        reading.in_program |= !is_platform_name(&class);
        if kind::is_concurrent(&class) && end.is_none_or(|end| at < end) {
            // What the program calls is further out than what that calls.
            reading.shared = role::shared(&class, &method.name);
            role = role::role(&class, &method.name).or(role);
            if kind::is_queue(&class) {
                // A queue may use another one inside: which one it is, the outer one says.
                reading.container = Some(class);
                reading.queue_method = Some(method.name.clone());
            } else if !kind::is_parking(&class) {
                reading.container.get_or_insert(class);
            }
        }
    }
    let frame = place.and_then(|at| stack.frames.get(at));
    let above = place.and_then(|at| stack.frames.get(at.checked_sub(1)?));
    let callee = above.map(|frame| frame.method);
    reading.place = frame.map(|frame| Place {
        frame: (frame.method.0, frame.bci),
        role,
        callee,
    });
    reading
}

/// Whether it is a task, or a queue of tasks, and nobody was parked on it to wait for an end.
fn is_idle_task(log: &ParkedLog) -> bool {
    let mut acts = log.uses.iter().flat_map(|uses| uses.acts.keys());
    log.parks.is_none() && acts.any(|(act, _)| act.is_of_tasks())
}

impl<'a> Seen<'a> {
    /// None if there is nothing to say of it: it is the lock of something, or a task, and nobody was parked on it, or only
    /// idle threads were.
    fn of(
        catalog: &Catalog,
        lock: LockId,
        log: &'a ParkedLog,
        hide_idle: bool,
        hidden: &mut BTreeMap<String, u64>,
    ) -> Option<Self> {
        let def = catalog.locks.get(&lock);
        let class = def.map_or_else(
            || "<unknown>".to_owned(),
            |def| kind::class_of(catalog, def.class),
        );
        let mut containers: BTreeMap<String, u64> = BTreeMap::new();
        let (mut readings, mut shared) = (Vec::new(), Vec::new());
        let pool = class == "java.util.concurrent.ForkJoinPool";
        let told = log.parks.is_some() || log.uses.is_some();
        let only_parks = log.sites.is_empty() && told && !(pool && hide_idle);
        for (&stack, &sums) in &log.sites {
            let chain = stack.and_then(|id| catalog.stacks.get(&id));
            let reading = chain.map_or_else(Reading::default, |chain| read(catalog, chain));
            let reason = reading.idle.or(pool.then_some(kind::IDLE));
            shared.push(reading.shared);
            if let Some(container) = reading.container {
                add(containers.entry(container).or_default(), sums.samples);
            }
            readings.push((reason, (stack, reading.place, sums)));
        }
        let whole = log.whole.unwrap_or(lock);
        let container = containers.into_iter().max_by_key(|&(_, samples)| samples);
        let inside = catalog.locks.get(&whole).filter(|_| whole != lock);
        let inside = inside.map(|def| kind::class_of(catalog, def.class));
        let inside = inside.filter(|class| kind::has_parts(class));
        let container = container.map(|(name, _)| name).or(inside);
        let has_chain = readings.iter().any(|(_, (stack, ..))| stack.is_some());
        let mut kind = match def {
            Some(def) => Kind::of_class(catalog, def.class, &class, container.as_deref(), log),
            None => Kind::of(&class, container.as_deref(), log),
        };
        if !has_chain {
            kind.may_be_inside();
        }
        for ((_, (_, place, _)), shared) in readings.iter_mut().zip(shared) {
            if let (Some(place), Some(shared)) = (place, shared) {
                place.role = place.role.or_else(|| kind.role(shared));
            }
        }
        let (mut sites, mut idle) = (Vec::new(), Vec::new());
        for (reason, site) in readings {
            match reason.filter(|reason| !kind.blocks || *reason != kind::IDLE) {
                Some(reason) => idle.push((reason, site)),
                None => sites.push(site),
            }
        }
        if hide_idle {
            // What has no chain is what those with one are.
            if !idle.is_empty() && sites.iter().all(|(stack, ..)| stack.is_none()) {
                let reason = idle[0].0;
                idle.extend(sites.drain(..).map(|site| (reason, site)));
            }
            for (reason, (_, _, sums)) in idle {
                let stays = hidden.entry(reason.to_owned()).or_default();
                *stays = stays.saturating_add(sums.stays);
            }
        } else {
            sites.extend(idle.into_iter().map(|(_, site)| site));
        }
        if sites.is_empty() && (!only_parks || is_idle_task(log)) {
            return None;
        }
        // From where it was used without parking, too.
        let places = log.uses.iter().flat_map(|uses| uses.places.keys());
        sites.extend(places.map(|&stack| {
            let chain = catalog.stacks.get(&stack);
            let place = chain.and_then(|chain| read(catalog, chain).place);
            (Some(stack), place, ParkedSums::default())
        }));
        Some(Self {
            kind,
            lock,
            log,
            sites,
            whole,
        })
    }

    /// What it has in common with others of its logical lock.
    fn keys<'s>(&'s self, fields: &Fields<'s, '_>) -> Vec<Key<'s>> {
        let kind = (self.kind.lock_type, self.kind.class.as_str());
        let key = |place: Place| match fields.kept_in(&self.kind, place) {
            Some(field) => Key::Field(kind, field),
            None => Key::Place(kind, place.frame),
        };
        let mut keys: Vec<_> = self.places().map(key).collect();
        if self.kind.is_part || kind::has_parts(&self.kind.class) {
            keys.push(Key::Whole(kind, self.whole));
        }
        if keys.is_empty() {
            keys.push(Key::Nowhere(kind, self.kind.is_fair()));
        }
        keys
    }

    /// A part of a queue, and it is not known of which: some queues park on what they have inside (`SynchronousQueue`), and it names no
    /// owner. It is taken for one of a queue of the same class that is used from the same place.
    fn is_orphan(&self) -> bool {
        self.kind.is_part && self.whole == self.lock && self.log.uses.is_none()
    }

    /// The places by which an orphan is known.
    fn as_orphan<'s>(&'s self) -> impl Iterator<Item = Key<'s>> {
        let kind = (self.kind.lock_type, self.kind.class.as_str());
        self.frames().map(move |frame| Key::Orphan(kind, frame))
    }

    /// Threads are parked on it to put something into a queue.
    fn is_of_putters(&self) -> bool {
        let mut roles = self
            .sites
            .iter()
            .filter_map(|(_, place, _)| place.as_ref()?.role);
        roles.any(|role| role == Role::Put)
    }

    fn places(&self) -> impl Iterator<Item = Place> {
        self.sites.iter().filter_map(|(_, place, _)| *place)
    }

    fn frames(&self) -> impl Iterator<Item = FrameKey> {
        self.places().map(|place| place.frame)
    }

    fn sums(&self) -> ParkedSums {
        let mut sums = ParkedSums::default();
        self.sites.iter().for_each(|(_, _, site)| sums.join(site));
        sums
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Key<'s> {
    Field((LockType, &'s str), &'s MemberRef),
    Place((LockType, &'s str), FrameKey),
    Whole((LockType, &'s str), LockId),
    /// See [`Seen::is_orphan`].
    Orphan((LockType, &'s str), FrameKey),
    /// Without a place it is not of one logical lock with what is made otherwise.
    Nowhere((LockType, &'s str), Option<bool>),
}

/// Those that have a key in common, directly or through others; in order of their first lock.
fn groups<'s>(seen: &'s [Seen<'_>], fields: &Fields<'s, '_>) -> Vec<Vec<usize>> {
    let mut parent: Vec<usize> = (0..seen.len()).collect();
    let mut first: BTreeMap<Key<'_>, usize> = BTreeMap::new();
    let orphans = seen.iter().filter(|one| one.is_orphan());
    let orphans: BTreeSet<Key<'_>> = orphans.flat_map(Seen::as_orphan).collect();
    for (at, one) in seen.iter().enumerate() {
        let may_adopt = one.is_orphan() || one.log.uses.is_some();
        let shared = one
            .as_orphan()
            .filter(|key| may_adopt && orphans.contains(key));
        for key in one.keys(fields).into_iter().chain(shared) {
            let other = *first.entry(key).or_insert(at);
            let (a, b) = (root(&mut parent, at), root(&mut parent, other));
            parent[a.max(b)] = a.min(b);
        }
    }
    let mut groups: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for at in 0..seen.len() {
        groups.entry(root(&mut parent, at)).or_default().push(at);
    }
    groups.into_values().collect()
}

/// The name of the field that all of these are kept in, of several the first one.
fn kept(group: &[&Seen<'_>], fields: &Fields<'_, '_>) -> Option<String> {
    let of = |one: &Seen<'_>| -> BTreeSet<&MemberRef> {
        let all = one.places();
        all.filter_map(|place| fields.kept_in(&one.kind, place))
            .collect()
    };
    let (first, others) = group.split_first()?;
    let mut common = of(first);
    for one in others {
        let own = of(one);
        common.retain(|field| own.contains(field));
    }
    let class = short(&first.kind.class);
    Some(fields.name(&class, common.first()?))
}

fn root(parent: &mut [usize], mut at: usize) -> usize {
    while parent[at] != at {
        parent[at] = parent[parent[at]];
        at = parent[at];
    }
    at
}

fn add(sum: &mut u64, more: u64) {
    *sum = sum.saturating_add(more);
}

/// Locks of one name get a number behind it.
fn tell_names_apart(locks: &mut [(BTreeSet<LockId>, LogicalLock)]) {
    let mut counts: BTreeMap<String, u32> = BTreeMap::new();
    for (_, lock) in locks {
        let count = counts.entry(lock.name.clone()).or_default();
        *count += 1;
        if *count > 1 {
            lock.name = format!("{} ({count})", lock.name);
        }
    }
}

#[cfg(test)]
mod kept_tests;
#[cfg(test)]
mod made_tests;
#[cfg(test)]
mod tests;
