//! Names of locks of programs written by hand.

use super::*;
use crate::fixtures::{Build, STATIC, SYNCHRONIZED, dup, leave, load, store};
use locklens_trace::code::Op;
use locklens_trace::{ClassId, LockId};

#[test]
fn runtime_numbers_are_dropped() {
    for (given, stable) in [
        ("app.Main$$Lambda/0x00007f3a4c000a00", "app.Main$$Lambda"),
        ("app.Main$$Lambda$14/0x0000000800c03000", "app.Main$$Lambda"),
        (
            "java.lang.invoke.LambdaForm$MH/1234",
            "java.lang.invoke.LambdaForm$MH",
        ),
        ("com.sun.proxy.$Proxy12", "com.sun.proxy.$Proxy"),
        ("jdk.proxy2.$Proxy12", "jdk.proxy.$Proxy"),
        (
            "jdk.internal.reflect.GeneratedMethodAccessor7",
            "jdk.internal.reflect.GeneratedMethodAccessor",
        ),
        (
            "app.Order$HibernateProxy$q3Zx81aB",
            "app.Order$HibernateProxy",
        ),
        ("app.Main$1", "app.Main$1"),
        // Classes of a program that are called nearly so.
        ("shop.Net$ProxyPool", "shop.Net$ProxyPool"),
        ("shop.Net$Proxy2", "shop.Net$Proxy2"),
        ("shop.$Proxy", "shop.$Proxy"),
    ] {
        assert_eq!(stable_class(given), stable);
    }
    assert_eq!(stable_method("lambda$run$3"), "lambda$run");
    assert_eq!(
        stable_method("work$lambda$1$lambda$0"),
        "work$lambda$lambda"
    );
    assert_eq!(stable_method("work$lambda-4"), "work$lambda");
    assert_eq!(stable_method("$anonfun$run$3"), "$anonfun$run");
    assert_eq!(stable_method("access$000"), "access$000");
    assert_eq!(stable_method("lambda$run$x"), "lambda$run$x");
    assert_eq!(short("app.Outer$Inner"), "Outer.Inner");
    assert_eq!(short("app.Main$$Lambda/0x1"), "Main$$Lambda");
}

#[test]
fn names_are_unique_and_say_what_is_locked() {
    let mut b = Build::default();
    let gate = b.class("app.Gate", "java.lang.Object");
    let other = b.class("lib.Gate", "java.lang.Object");
    let open = b.method(gate, "open", "()V", SYNCHRONIZED);
    let shut = b.method(other, "shut", "()V", SYNCHRONIZED);
    let all = b.method(gate, "all", "()V", SYNCHRONIZED | STATIC);
    let mut table = RegionTable::default();
    let mut lock = |method, class, key| {
        let region = table.intern(Region {
            method,
            class,
            place: RegionPlace::Method,
        });
        let regions = BTreeSet::from([region]);
        (
            Group {
                classes: [key].into(),
                ..Group::default()
            },
            regions,
        )
    };
    let locks = [
        lock(open, gate, ClassKey::Of(gate)),
        lock(shut, other, ClassKey::Of(other)),
        lock(all, gate, ClassKey::Mirror(gate)),
        lock(open, gate, ClassKey::Of(gate)),
    ];
    let program = Program::of(&b.catalog);
    let locks: Vec<_> = locks.iter().map(|(g, r)| (g, r)).collect();
    let names = names(&program, &table, &locks);
    assert_eq!(
        Vec::from_iter(names.iter().map(|named| named.name.as_str())),
        ["Gate", "Gate in Gate.shut", "Gate.class", "Gate (2)"]
    );
}

/// Whichever of its methods and of the classes below a run has met.
#[test]
fn an_object_is_called_by_the_uppermost_class_that_locks_it() {
    let mut b = Build::default();
    let vector = b.class("java.util.Vector", "java.lang.Object");
    b.class("app.Base", "java.util.Vector");
    let middle = b.class("app.Middle", "app.Base");
    let low = b.class("app.Low", "app.Middle");
    let stack = b.class("java.util.Stack", "java.util.Vector");
    let own = b.class("app.Own", "java.util.Vector");
    let mut table = RegionTable::default();
    let mut region = |class| {
        let method = b.method(class, "m", "()V", SYNCHRONIZED);
        let place = RegionPlace::Method;
        BTreeSet::from([table.intern(Region {
            method,
            class,
            place,
        })])
    };
    let (of_vector, of_middle) = (region(vector), region(middle));
    let (of_low, of_stack) = (region(low), region(stack));
    let group = |classes: &[ClassId]| Group {
        classes: classes.iter().map(|&class| ClassKey::Of(class)).collect(),
        ..Group::default()
    };
    let program = Program::of(&b.catalog);
    let named = |classes: &[ClassId], regions| {
        let group = group(classes);
        names(&program, &table, &[(&group, regions)]).remove(0).name
    };
    for classes in [&[low][..], &[middle], &[low, middle]] {
        assert_eq!(named(classes, &of_low), "Middle");
        assert_eq!(named(classes, &of_middle), "Middle");
    }
    let concrete = |classes: &[ClassId], regions| {
        let group = group(classes);
        names(&program, &table, &[(&group, regions)])
            .remove(0)
            .concrete
    };
    let classes = |all: &[&str]| all.iter().map(|&class| class.to_owned()).collect();
    assert_eq!(concrete(&[low], &of_middle), classes(&["app.Low"]));
    let both = classes(&["app.Low", "app.Middle"]);
    assert_eq!(concrete(&[low, middle], &of_low), both);
    assert_eq!(concrete(&[middle], &of_low), classes(&[]));
    assert_eq!(named(&[stack, vector], &of_stack), "Vector");
    assert_eq!(named(&[own], &of_vector), "Own");
}

/// A region that locks what the instruction pushes, in a method of its own.
fn locks(b: &mut Build, table: &mut RegionTable, class: ClassId, what: Op) -> RegionId {
    let name = format!("lock{}", b.catalog.methods.len());
    let ops = vec![
        what,
        dup(),
        store(1),
        Op::MonitorEnter,
        load(1),
        Op::MonitorExit,
        leave(),
    ];
    let method = b.coded(class, &name, STATIC, ops);
    table.intern(Region {
        method,
        class,
        place: RegionPlace::Block { bci: 3, ordinal: 0 },
    })
}

fn fixed(name: &str) -> Op {
    Op::GetStatic(MemberRef {
        class: "app.Shop".into(),
        name: name.into(),
        descriptor: "Lapp/Shop$Account;".into(),
    })
}

#[test]
fn a_static_field_names_no_object_but_its_own() {
    let mut b = Build::default();
    let shop = b.class("app.Shop", "java.lang.Object");
    let object = b.class("java.lang.Object", "");
    let account = b.class("app.Shop$Account", "java.lang.Object");
    let mut table = RegionTable::default();
    let at_a = locks(&mut b, &mut table, shop, fixed("a"));
    let at_b = locks(&mut b, &mut table, shop, fixed("b"));
    let given = locks(&mut b, &mut table, shop, load(0));
    let program = Program::of(&b.catalog);
    let named_of = |class, objects: &[u32], seen: &[RegionId], all: &[RegionId]| {
        let group = Group {
            locks: objects.iter().map(|&id| LockId(id)).collect(),
            classes: [ClassKey::Of(class)].into(),
            regions: seen.iter().copied().collect(),
        };
        let all = all.iter().copied().collect();
        names(&program, &table, &[(&group, &all)]).remove(0).name
    };
    let named = |objects: &[u32], seen: &[RegionId], all: &[RegionId]| {
        named_of(account, objects, seen, all)
    };
    let all = [at_a, at_b, given];
    // A class that says nothing: where either is locked.
    assert_eq!(named_of(object, &[1, 2], &all, &all), "Shop.lock2");
    for (objects, seen, all, name) in [
        // Seen at its field only.
        (&[1][..], &[at_a][..], &all[..], "Shop.a"),
        (&[2], &[at_b], &all, "Shop.b"),
        // Several of which each may be either.
        (&[1, 2], &[at_a, at_b, given], &all, "Shop.Account"),
        (&[1, 2], &[given], &all, "Shop.Account"),
        (&[1], &[given], &all, "Shop.Account"),
        (&[1], &[at_a, given], &all, "Shop.Account"),
        // One field, and others that are given.
        (&[1, 3], &[at_a, given], &[at_a, given], "Shop.Account"),
        (&[1], &[at_a, given], &[at_a, given], "Shop.a"),
        // One field that has been assigned anew.
        (&[1, 3], &[at_a], &[at_a], "Shop.a"),
    ] {
        assert_eq!(named(objects, seen, all), name, "{objects:?} {seen:?}");
    }
}

#[test]
fn many_locks_of_one_name_are_numbered_one_after_the_other() {
    let same = || ["Gate", "Gate in A.b", "Gate in a.A.b()V"].map(str::to_owned);
    let many = 50_000;
    let mut candidates = vec![same(); many];
    candidates.push(["Gate (3)", "x", "y"].map(str::to_owned));
    candidates.swap(0, many);
    let names = unique(&candidates);
    assert_eq!(names[..4], ["Gate (3)", "Gate", "Gate (2)", "Gate (4)"]);
    assert_eq!(names.last().map(String::as_str), Some("Gate (50001)"));
}

#[test]
fn overlap_tolerates_regions_one_run_has_not_seen() {
    let of = |regions: &[&str]| Signature {
        classes: BTreeSet::new(),
        regions: regions.iter().map(|&r| r.to_owned()).collect(),
    };
    assert_eq!(of(&["a", "b", "c"]).overlap(&of(&["b"])), 1.0);
    assert_eq!(of(&["a", "b"]).overlap(&of(&["b", "d"])), 0.5);
    assert_eq!(of(&[]).overlap(&of(&["b"])), 0.0);
}
