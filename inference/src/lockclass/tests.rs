//! Grouping by the paper's rules, and its independence of order.

use super::*;
use crate::fixtures::{Build, SYNCHRONIZED};
use crate::region::{Region, RegionPlace};
use locklens_trace::MethodId;
use proptest::prelude::*;

#[derive(Default)]
struct World {
    b: Build,
    table: RegionTable,
    sights: Vec<Sight>,
}

impl World {
    /// A synchronized method of a class, as a region.
    fn region(&mut self, class: ClassId, name: &str) -> RegionId {
        let method = self.b.method(class, name, "()V", SYNCHRONIZED);
        self.table.intern(Region {
            method,
            class,
            place: RegionPlace::Method,
        })
    }

    /// A block somewhere on some object.
    fn block(&mut self, class: ClassId, name: &str) -> RegionId {
        let method = self.b.method(class, name, "()V", 0);
        let place = RegionPlace::Block { bci: 3, ordinal: 0 };
        self.table.intern(Region {
            method,
            class,
            place,
        })
    }

    fn see(&mut self, class: ClassId, regions: &[RegionId]) {
        let lock = LockId(self.sights.len() as u32 + 1);
        let regions = regions.iter().copied().collect();
        self.sights.push(Sight {
            lock,
            class: ClassKey::Of(class),
            regions,
        });
    }

    fn groups(&self) -> Vec<Vec<u32>> {
        self.grouped(&self.sights)
    }

    fn grouped(&self, sights: &[Sight]) -> Vec<Vec<u32>> {
        let program = Program::of(&self.b.catalog);
        let groups = group(&program, &self.table, sights);
        groups
            .iter()
            .map(|g| g.locks.iter().map(|l| l.0).collect())
            .collect()
    }
}

#[test]
fn one_class_and_a_shared_region_are_one_lock() {
    let mut w = World::default();
    let queue = w.b.class("app.Queue", "java.lang.Object");
    let (put, take, size) = (
        w.block(queue, "put"),
        w.block(queue, "take"),
        w.block(queue, "size"),
    );
    w.see(queue, &[put, take]);
    w.see(queue, &[take, size]);
    w.see(queue, &[size]);
    assert_eq!(w.groups(), [[1, 2, 3]]);
}

#[test]
fn plain_objects_that_share_no_region_are_never_one() {
    let mut w = World::default();
    let object = w.b.class("java.lang.Object", "");
    let user = w.b.class("app.User", "java.lang.Object");
    let (a, b) = (w.block(user, "a"), w.block(user, "b"));
    w.see(object, &[a]);
    w.see(object, &[b]);
    w.see(object, &[]);
    w.see(object, &[]);
    w.see(object, &[b]);
    assert_eq!(w.groups(), [vec![1], vec![2, 5], vec![3], vec![4]]);
}

#[test]
fn objects_seen_nowhere_join_the_only_lock_of_their_class() {
    let mut w = World::default();
    let (pool, queue) = (
        w.b.class("app.Pool", "java.lang.Object"),
        w.b.class("app.Queue", "java.lang.Object"),
    );
    let list = w.b.class("java.util.ArrayList", "java.lang.Object");
    let user = w.b.class("app.User", "java.lang.Object");
    let (a, b, c) = (w.block(user, "a"), w.block(user, "b"), w.block(user, "c"));
    w.see(pool, &[a]);
    w.see(pool, &[]);
    w.see(queue, &[b]);
    w.see(queue, &[c]);
    w.see(queue, &[]);
    w.see(list, &[a]);
    w.see(list, &[]);
    assert_eq!(
        w.groups(),
        [vec![1, 2, 6], vec![3], vec![4], vec![5], vec![7]],
        "two locks of one class claim what was seen nowhere, and a list can be anybody's"
    );
}

#[test]
fn a_crowd_of_plain_objects_seen_nowhere_is_told_at_once() {
    let grouped = |plain: usize| {
        let mut w = World::default();
        let object = w.b.class("java.lang.Object", "");
        (0..plain).for_each(|_| w.see(object, &[]));
        w.groups().len()
    };
    assert_eq!((grouped(10), grouped(11)), (10, 1));
}

#[test]
fn a_subclass_with_its_own_lock_stays_apart_and_one_without_joins() {
    let mut w = World::default();
    let table = w.b.class("java.util.Hashtable", "java.lang.Object");
    let own = w.b.class("app.OwnLock", "java.util.Hashtable");
    let bare = w.b.class("app.Bare", "java.util.Hashtable");
    let (get, put) = (w.region(table, "get"), w.region(table, "put"));
    let mine = [w.region(own, "begin"), w.region(own, "end")];
    w.see(table, &[get, put]);
    w.see(own, &[get, mine[0], mine[1]]);
    w.see(bare, &[put]);
    assert_eq!(w.groups(), [vec![1, 3], vec![2]]);
}

#[test]
fn three_quarters_of_the_larger_set_join_different_classes() {
    let mut w = World::default();
    let a = w.b.class("app.A", "java.lang.Object");
    let b = w.b.class("app.B", "java.lang.Object");
    let c = w.b.class("app.C", "java.lang.Object");
    let user = w.b.class("app.User", "java.lang.Object");
    let r: Vec<RegionId> = ["p", "q", "r", "s"].map(|n| w.block(user, n)).into();
    w.see(a, &r);
    w.see(b, &r[..3]);
    w.see(c, &r[..2]);
    assert_eq!(w.groups(), [vec![1, 2], vec![3]]);
}

#[test]
fn classes_of_two_loaders_and_mirrors_of_two_classes_stay_apart() {
    let mut w = World::default();
    let one = w.b.class_in(
        Some(locklens_trace::LoaderId(1)),
        "app.X",
        "java.lang.Object",
    );
    let two = w.b.class_in(
        Some(locklens_trace::LoaderId(2)),
        "app.X",
        "java.lang.Object",
    );
    let (in_one, in_two) = (w.region(one, "m"), w.region(two, "m"));
    w.see(one, &[in_one]);
    w.see(two, &[in_two]);
    for (class, region) in [(one, in_one), (two, in_two)] {
        w.see(class, &[region]);
        if let Some(sight) = w.sights.last_mut() {
            sight.class = ClassKey::Mirror(class);
            sight.regions.clear();
        }
    }
    assert_eq!(w.groups(), [[1], [2], [3], [4]]);
}

#[test]
fn objects_locked_by_their_own_methods_are_one_lock_whatever_was_seen() {
    let mut w = World::default();
    let gate = w.b.class("app.Gate", "java.lang.Object");
    let (open, shut) = (w.region(gate, "open"), w.region(gate, "shut"));
    w.see(gate, &[open]);
    w.see(gate, &[shut]);
    assert_eq!(w.groups(), [[1, 2]]);
}

proptest! {
    #[test]
    fn the_order_of_objects_does_not_matter(
        objects in prop::collection::vec((0usize..5, prop::collection::btree_set(0usize..8, 0..5)), 1..14),
        seed in any::<u64>(),
    ) {
        let mut w = World::default();
        let names = ["java.lang.Object", "app.A", "app.B", "app.Base", "app.Sub"];
        let parents = ["", "java.lang.Object", "java.lang.Object", "java.lang.Object", "app.Base"];
        let classes: Vec<ClassId> = names.iter().zip(parents).map(|(n, p)| w.b.class(n, p)).collect();
        let regions: Vec<RegionId> = (0..8).map(|i| match i {
            0..4 => w.region(classes[1 + i % 4], &format!("m{i}")),
            _ => w.block(classes[1], &format!("b{i}")),
        }).collect();
        for (class, seen) in objects {
            let seen: Vec<RegionId> = seen.into_iter().map(|r| regions[r]).collect();
            w.see(classes[class], &seen);
        }
        let mut shuffled = w.sights.clone();
        let mut state = seed | 1;
        for i in (1..shuffled.len()).rev() {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            shuffled.swap(i, (state >> 33) as usize % (i + 1));
        }
        prop_assert_eq!(w.grouped(&shuffled), w.groups());
    }
}

proptest! {
    /// The index leaves out no pair that is alike, before any join and after some.
    #[test]
    fn what_is_alike_are_neighbours(
        objects in prop::collection::vec((0usize..7, prop::collection::btree_set(0usize..12, 0..6)), 2..16),
        joins in prop::collection::vec((0usize..16, 0usize..16), 0..4),
    ) {
        let mut w = World::default();
        let names = ["java.lang.Object", "app.A", "app.B", "app.Base", "app.Sub", "app.Low", "app.Other"];
        let parents = ["", "java.lang.Object", "java.lang.Object", "java.lang.Object", "app.Base", "app.Sub", "app.Base"];
        let classes: Vec<ClassId> = names.iter().zip(parents).map(|(n, p)| w.b.class(n, p)).collect();
        let regions: Vec<RegionId> = (0..12).map(|i| match i {
            0..9 => w.region(classes[1 + i % 5], &format!("m{i}")),
            _ => w.block(classes[1], &format!("b{i}")),
        }).collect();
        for (class, seen) in objects {
            let seen: Vec<RegionId> = seen.into_iter().map(|r| regions[r]).collect();
            w.see(classes[class], &seen);
        }
        let program = Program::of(&w.b.catalog);
        let templates = Templates::new(&program, &w.table);
        let mut groups = of_one_class(&program, &w.table, &w.sights);
        let mut near = neighbours::Neighbours::new(&program, &w.table, &groups);
        (0..groups.len()).for_each(|at| near.list(at, &groups[at]));
        for (a, b) in joins {
            let (a, b) = (a % groups.len(), b % groups.len());
            if a != b {
                near.unlist(a, &groups[a]);
                near.unlist(b, &groups[b]);
                let other = std::mem::take(&mut groups[b]);
                groups[a].join(other);
                near.list(a, &groups[a]);
            }
        }
        let left: Vec<usize> = (0..groups.len()).filter(|&at| !groups[at].locks.is_empty()).collect();
        for &one in &left {
            let found = near.of(&groups[one]);
            for &other in left.iter().filter(|&&other| other != one) {
                let alike = likeness(&program, &w.table, &templates, (&groups[one], &groups[other]));
                prop_assert!(alike.is_none() || found.contains(&other), "{one} {other} {alike:?}");
            }
            prop_assert!(found.iter().all(|at| left.contains(at)), "what was joined is forgotten");
        }
    }
}

#[test]
fn many_groups_that_have_little_in_common_are_no_neighbours() {
    let mut w = World::default();
    let base = w.b.class("app.Base", "java.lang.Object");
    let object = w.b.class("java.lang.Object", "");
    let inherited = w.region(base, "inherited");
    for n in 0..100 {
        let class = w.b.class(&format!("app.C{n}"), "app.Base");
        let own = w.region(class, "own");
        w.see(class, &[inherited, own]);
        let block = w.block(class, "block");
        w.see(object, &[block]);
    }
    let program = Program::of(&w.b.catalog);
    let groups = of_one_class(&program, &w.table, &w.sights);
    let mut near = neighbours::Neighbours::new(&program, &w.table, &groups);
    (0..groups.len()).for_each(|at| near.list(at, &groups[at]));
    for (at, group) in groups.iter().enumerate() {
        assert_eq!(near.of(group), BTreeSet::from([at]));
    }
}

#[test]
fn unknown_methods_do_no_harm() {
    let mut w = World::default();
    let ghost = Region {
        method: MethodId(99),
        class: ClassId(99),
        place: RegionPlace::Method,
    };
    let region = w.table.intern(ghost);
    w.see(ClassId(98), &[region]);
    w.see(ClassId(97), &[region]);
    assert_eq!(w.groups(), [[1, 2]]);
}

#[test]
fn a_thousand_classes_that_share_a_region_are_grouped_at_once() {
    let mut w = World::default();
    let user = w.b.class("app.User", "java.lang.Object");
    let shared = w.block(user, "shared");
    let own: Vec<RegionId> = (0..8).map(|n| w.block(user, &format!("own{n}"))).collect();
    for n in 0..1_000 {
        let class = w.b.class(&format!("app.C{n}"), "java.lang.Object");
        // Half of them alike, the others with too much of their own.
        match n % 2 {
            0 => w.see(class, &[shared]),
            _ => w.see(class, &[shared, own[n % 8], own[(n / 2) % 8]]),
        }
    }
    let started = std::time::Instant::now();
    let groups = w.groups();
    assert!(groups.iter().any(|g| g.len() == 500), "the equal ones");
    assert!(started.elapsed().as_secs() < 60, "each pair once");
}
