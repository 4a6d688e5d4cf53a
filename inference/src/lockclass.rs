//! Lock objects grouped into logical locks ("lock classes").
//!
//! Two lock objects are the same logical lock if their class is the same and they share a
//! region (or both are locked by methods of their own class, on `this`), or if their classes
//! differ and they share at least three quarters of the larger set of regions: a subclass with
//! its own lock on top of inherited regions stays apart from its parent's. Besides, objects
//! whose regions are *all* inherited from another's class join that one.
//!
//! Classes that differ in what such regions leave to them (`template`) are never joined.
//!
//! The same holds between groups, where "same class" means that one's classes contain the
//! other's. Most similar first, until nothing changes, so the result does not depend on the
//! order of the objects. Classes are told apart by loader, hence by id. Two `java.lang.Object`
//! locks that share no region never meet any of these conditions.

mod neighbours;
mod pairing;
mod template;

use crate::effects::is_platform_name;
use crate::program::Program;
use crate::region::subject::Subject;
use crate::region::{RegionId, RegionTable};
use crate::sets::DisjointSets;
use locklens_trace::record::LockObject;
use locklens_trace::{ClassId, LockId};
use pairing::Pairing;
use std::collections::{BTreeMap, BTreeSet};
use template::{Manner, Templates};

/// What makes the class of a lock object: a mirror stands for the class it mirrors, since all
/// mirrors are instances of `java.lang.Class`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ClassKey {
    /// Instances of a class.
    Of(ClassId),
    /// The mirror of a class.
    Mirror(ClassId),
    /// A lock object whose definition was lost: like no other.
    Lost(LockId),
}

impl ClassKey {
    /// The class of a lock, from its definition.
    #[must_use]
    pub fn of(lock: LockId, class: Option<ClassId>, object: &LockObject) -> Self {
        match (object, class) {
            (LockObject::ClassMirror(mirrored), _) => Self::Mirror(*mirrored),
            (_, Some(class)) => Self::Of(class),
            (_, None) => Self::Lost(lock),
        }
    }
}

/// A lock object as grouping sees it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sight {
    /// The lock.
    pub lock: LockId,
    /// Its class.
    pub class: ClassKey,
    /// Regions it was seen in; real places only.
    pub regions: BTreeSet<RegionId>,
}

/// A logical lock: the objects that are it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Group {
    /// Its objects.
    pub locks: BTreeSet<LockId>,
    /// Their classes.
    pub classes: BTreeSet<ClassKey>,
    /// Regions any of them was seen in.
    pub regions: BTreeSet<RegionId>,
}

impl Group {
    /// Takes in all that the other has.
    pub(crate) fn join(&mut self, other: Self) {
        self.locks.extend(other.locks);
        self.classes.extend(other.classes);
        self.regions.extend(other.regions);
    }
}

/// Groups lock objects, in order of their first lock.
#[must_use]
pub fn group(program: &Program<'_>, table: &RegionTable, sights: &[Sight]) -> Vec<Group> {
    let templates = Templates::new(program, table);
    let groups = of_equal_regions(&templates, of_one_class(program, table, sights));
    let groups = Pairing::new(program, table, &templates, groups).join_alike();
    let mut groups = with_the_placeless(program, groups);
    groups.sort_by_key(|g| g.locks.first().copied());
    groups
}

/// What objects of one class have in common if they are one lock.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Bond {
    Region(RegionId),
    /// Locked by methods of its own class.
    Itself,
    /// Seen without any place.
    Nowhere,
}

/// Joins objects of the same class that share a bond: an equivalence, whatever the order.
fn of_one_class(program: &Program<'_>, table: &RegionTable, sights: &[Sight]) -> Vec<Group> {
    let mut sets = DisjointSets::new(sights.len());
    let mut first: BTreeMap<(ClassKey, Bond), usize> = BTreeMap::new();
    for (index, sight) in sights.iter().enumerate() {
        for bond in bonds(program, table, sight) {
            let other = *first.entry((sight.class, bond)).or_insert(index);
            sets.join(index, other);
        }
    }
    let mut groups: BTreeMap<usize, Group> = BTreeMap::new();
    for (index, sight) in sights.iter().enumerate() {
        groups.entry(sets.root(index)).or_default().join(Group {
            locks: [sight.lock].into(),
            classes: [sight.class].into(),
            regions: sight.regions.clone(),
        });
    }
    groups.into_values().collect()
}

fn bonds(program: &Program<'_>, table: &RegionTable, sight: &Sight) -> Vec<Bond> {
    let mut bonds: Vec<Bond> = sight.regions.iter().map(|&r| Bond::Region(r)).collect();
    let on_this = |id: &RegionId| {
        table
            .get(*id)
            .is_some_and(|r| program.subject(r) == Subject::This)
    };
    if sight.regions.iter().any(on_this) {
        bonds.push(Bond::Itself);
    }
    if bonds.is_empty() && !is_plain_object(program, sight.class) {
        bonds.push(Bond::Nowhere);
    }
    bonds
}

fn is_plain_object(program: &Program<'_>, class: ClassKey) -> bool {
    match class {
        ClassKey::Of(id) => program.catalog.class_name(id) == "java.lang.Object",
        ClassKey::Mirror(_) | ClassKey::Lost(_) => false,
    }
}

/// Joins groups that were seen in the very same regions, and go alike there: those would be joined first anyway, and no
/// such join makes another pair more alike.
fn of_equal_regions(templates: &Templates<'_, '_>, groups: Vec<Group>) -> Vec<Group> {
    let mut first: BTreeMap<(BTreeSet<RegionId>, Manner), usize> = BTreeMap::new();
    let mut joined: Vec<Group> = Vec::with_capacity(groups.len());
    for group in groups {
        let next = joined.len();
        let place = match group.regions.is_empty() {
            true => next,
            false => {
                let manner = templates.manner(&group);
                *first.entry((group.regions.clone(), manner)).or_insert(next)
            }
        };
        match joined.get_mut(place) {
            Some(known) => known.join(group),
            None => joined.push(group),
        }
    }
    joined
}

/// How alike two groups are: by tier, then by shared regions in millionths, then shared count.
type Likeness = (u8, u64, usize);

fn instance_classes(group: &Group) -> impl Iterator<Item = ClassId> {
    group.classes.iter().filter_map(|key| match key {
        ClassKey::Of(id) => Some(*id),
        ClassKey::Mirror(_) | ClassKey::Lost(_) => None,
    })
}

fn likeness(
    program: &Program<'_>,
    table: &RegionTable,
    templates: &Templates<'_, '_>,
    (a, b): (&Group, &Group),
) -> Option<Likeness> {
    let shared = a.regions.intersection(&b.regions).count();
    let larger = a.regions.len().max(b.regions.len()).max(1);
    let share = (shared * 1_000_000 / larger) as u64;
    let same_class = a.classes.is_subset(&b.classes) || b.classes.is_subset(&a.classes);
    if same_class && shared > 0 {
        Some((2, share, shared))
    } else if templates.differ(a, b) {
        None
    } else if shared > 0 && share >= 750_000 {
        Some((1, share, shared))
    } else if is_inherited(program, table, a, b) || is_inherited(program, table, b, a) {
        Some((0, share, shared))
    } else {
        None
    }
}

/// Objects that were seen at no place at all (their call chains were left out) are the logical lock of their class, if it
/// has one only. A class of the platform's own says nothing: any code may lock a list.
fn with_the_placeless(program: &Program<'_>, groups: Vec<Group>) -> Vec<Group> {
    let (placeless, mut groups): (Vec<_>, Vec<_>) =
        groups.into_iter().partition(|g| g.regions.is_empty());
    let mut of_class: BTreeMap<ClassKey, Vec<usize>> = BTreeMap::new();
    for (at, group) in groups.iter().enumerate() {
        for &class in &group.classes {
            of_class.entry(class).or_default().push(at);
        }
    }
    for group in at_once(program, placeless) {
        let mut classes = group.classes.iter();
        let home = match (classes.next(), classes.next()) {
            (Some(class), None) if !is_of_the_platform(program, *class) => of_class.get(class),
            _ => None,
        };
        match home.map(Vec::as_slice) {
            Some(&[only]) => groups[only].join(group),
            _ => groups.push(group),
        }
    }
    groups
}

/// Plain objects that were seen at no place and are told one by one; more are told at once.
const PLAIN: usize = 10;

/// Plain objects may be anything, but of a crowd of which nothing is known nobody wants a row each.
fn at_once(program: &Program<'_>, placeless: Vec<Group>) -> Vec<Group> {
    let is_plain = |group: &Group| group.classes.iter().all(|&c| is_plain_object(program, c));
    let (plain, mut groups): (Vec<_>, Vec<_>) = placeless.into_iter().partition(is_plain);
    match plain.len() > PLAIN {
        true => groups.extend(plain.into_iter().reduce(|mut all, one| {
            all.join(one);
            all
        })),
        false => groups.extend(plain),
    }
    groups
}

fn is_of_the_platform(program: &Program<'_>, class: ClassKey) -> bool {
    match class {
        ClassKey::Of(id) => is_platform_name(&program.catalog.class_name(id)),
        ClassKey::Mirror(_) | ClassKey::Lost(_) => false,
    }
}

/// Whether every region of `sub` is declared by one class of `base`, or above it, and all
/// classes of `sub` extend that class.
fn is_inherited(program: &Program<'_>, table: &RegionTable, sub: &Group, base: &Group) -> bool {
    let hierarchy = &program.hierarchy;
    let subs: Vec<ClassId> = instance_classes(sub).collect();
    if subs.len() != sub.classes.len() || sub.regions.is_empty() {
        return false;
    }
    instance_classes(base).any(|parent| {
        let above = hierarchy.ancestry(parent);
        subs.iter()
            .all(|&s| s != parent && hierarchy.extends(s, parent) == Some(true))
            && sub.regions.iter().all(|&region| {
                table.get(region).is_some_and(|r| {
                    above.contains(&r.class) && program.subject(r) == Subject::This
                })
            })
    })
}

#[cfg(test)]
mod tests;
