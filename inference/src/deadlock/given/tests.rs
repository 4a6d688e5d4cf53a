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
    let excluded = Excluded {
        id: "D1".to_owned(),
        locks: vec!["Shop.both".to_owned(), "Shop.a".to_owned()],
        reasons: Vec::new(),
    };
    let mut report = Report {
        excluded: vec![excluded],
        ..Report::default()
    };
    let given = Given::of(&build.catalog, &report);
    given.tell(&mut report);
    let words = given.0.get("Shop.both").cloned().unwrap_or_default();
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
