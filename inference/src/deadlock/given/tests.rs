use super::*;
use crate::deadlock::finding::Excluded;
use crate::fixtures::{Build, STATIC, leave, load};
use locklens_trace::code::{InvokeKind, MemberRef, Op};

const PAIR: &str = "(Ljava/lang/Object;Ljava/lang/Object;)V";

fn member(name: &str, descriptor: &str) -> MemberRef {
    MemberRef {
        class: "a.Shop".into(),
        name: name.into(),
        descriptor: descriptor.into(),
    }
}

fn kept(name: &str) -> Op {
    Op::GetStatic(member(name, "Ljava/lang/Object;"))
}

fn calls(name: &str) -> Op {
    Op::Invoke {
        kind: InvokeKind::Static,
        method: member(name, PAIR),
    }
}

/// A report of a cycle of what `Shop.both` locks, which `Shop.on` calls with what it is handed, and `Shop.go` with a and c; that is called by
/// these, with two fields each.
fn known(callers: &[(&str, [&str; 2])]) -> (String, BTreeSet<String>) {
    known_of(&["Shop.both", "Shop.a"], callers, &[])
}

/// The same of these locks, where others call it with what has no name.
fn known_of(
    locks: &[&str],
    callers: &[(&str, [&str; 2])],
    others: &[&str],
) -> (String, BTreeSet<String>) {
    let mut build = Build::default();
    let shop = build.class("a.Shop", "java.lang.Object");
    let both = build.method(shop, "both", PAIR, STATIC);
    let enters = [
        load(0),
        Op::MonitorEnter,
        load(1),
        Op::MonitorEnter,
        leave(),
    ];
    build.code(both, enters.to_vec());
    let on = build.method(shop, "on", PAIR, STATIC);
    build.code(on, vec![load(1), load(0), calls("both"), leave()]);
    build.coded(
        shop,
        "go",
        STATIC,
        vec![kept("a"), kept("c"), calls("both"), leave()],
    );
    for (name, fields) in callers {
        let [one, other] = fields.map(kept);
        build.coded(shop, name, STATIC, vec![one, other, calls("on"), leave()]);
    }
    for name in others {
        let made = || [Op::Null, Op::Null];
        let ops = made().into_iter().chain([calls("both"), leave()]);
        build.coded(shop, name, STATIC, ops.collect());
    }
    let excluded = Excluded {
        id: "D1".to_owned(),
        locks: locks.iter().map(|&lock| lock.to_owned()).collect(),
        reasons: Vec::new(),
    };
    let mut report = Report {
        excluded: vec![excluded],
        ..Report::default()
    };
    let given = Given::of(&build.catalog, &report);
    given.tell(&mut report);
    let words = given.0.get("Shop.both").cloned().unwrap_or_default();
    let words = words.into_keys().collect();
    (report.excluded[0].id.clone(), words)
}

#[test]
fn callers_are_a_part_of_what_is_known_of_locks_that_are_handed_around() {
    let (one, words) = known(&[("sell", ["a", "b"])]);
    assert_eq!(
        words,
        ["Shop.go(Shop.a, Shop.c)", "Shop.sell(Shop.b, Shop.a)"]
            .map(str::to_owned)
            .into()
    );
    let (other, _) = known(&[("sell", ["a", "d"])]);
    let (more, _) = known(&[("sell", ["a", "b"]), ("buy", ["a", "b"])]);
    let (nobody, words) = known(&[]);
    assert_eq!(words.len(), 2, "{words:?}");
    assert!(words.contains("Shop.on(?, ?)"));
    let all = BTreeSet::from([&one, &other, &more, &nobody]);
    assert_eq!(all.len(), 4);
    assert!(!all.contains(&"D1".to_owned()));
}

#[test]
fn of_who_calls_the_one_method_that_locks_it_all_only_a_ring_of_fields_tells_it_from_others() {
    let id = |callers: &[(&str, [&str; 2])], others: &[&str]| {
        known_of(&["Shop.both", "Shop.both (2)"], callers, others).0
    };
    let ring = id(&[("sell", ["a", "b"]), ("buy", ["b", "a"])], &[]);
    let besides = [
        ("sell", ["a", "b"]),
        ("buy", ["b", "a"]),
        ("rent", ["d", "e"]),
    ];
    assert_eq!(id(&besides, &["move", "swap"]), ring);
    let two = [besides[0], besides[1], besides[2], ("lend", ["e", "d"])];
    assert_ne!(id(&two, &[]), ring);
    assert_eq!(id(&[("sell", ["a", "b"])], &["move"]), "D1");
}
