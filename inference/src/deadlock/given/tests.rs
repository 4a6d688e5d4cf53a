use super::*;
use crate::deadlock::finding::Excluded;
use crate::fixtures::{Build, STATIC, leave, load, store};
use locklens_trace::code::{Bootstrap, CallSite, Constant, HandleKind, InvokeKind, MemberRef, Op};
use locklens_trace::{ClassId, MethodId};

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
    let words = words.callers.iter().map(Handed::told).collect();
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

/// The id of a cycle of what `Shop.both` locks, which takes these monitors, in a program to which more is added.
fn id_of(enters: &[Op], lock: &str, more: impl Fn(&mut Build, ClassId)) -> String {
    let mut build = Build::default();
    let shop = build.class("a.Shop", "java.lang.Object");
    let both = build.method(shop, "both", PAIR, STATIC);
    build.code(both, enters.to_vec());
    more(&mut build, shop);
    let excluded = Excluded {
        id: "D1".to_owned(),
        locks: vec![lock.to_owned(); 2],
        reasons: Vec::new(),
    };
    let mut report = Report {
        excluded: vec![excluded],
        ..Report::default()
    };
    Given::of(&build.catalog, &report).tell(&mut report);
    report.excluded[0].id.clone()
}

fn enters() -> Vec<Op> {
    vec![
        load(0),
        Op::MonitorEnter,
        load(1),
        Op::MonitorEnter,
        leave(),
    ]
}

/// A static method that hands each of these pairs of static fields to `Shop.both`.
fn hands(build: &mut Build, shop: ClassId, name: &str, pairs: &[[&str; 2]]) {
    let calls = pairs.iter().flat_map(|pair| {
        let [one, other] = pair.map(kept);
        [one, other, calls("both")]
    });
    let ops = calls.chain([leave()]);
    build.coded(shop, name, STATIC, ops.collect());
}

#[test]
fn a_second_cycle_of_what_known_callers_hand_in_is_another_one() {
    let id = |sell: &[[&str; 2]], buy: &[[&str; 2]]| {
        id_of(&enters(), "Shop.both", |build, shop| {
            hands(build, shop, "sell", sell);
            hands(build, shop, "buy", buy);
        })
    };
    let ring = id(&[["a", "b"]], &[["b", "a"]]);
    // Of no cycle.
    assert_eq!(id(&[["a", "b"], ["a", "c"]], &[["b", "a"]]), ring);
    assert_ne!(
        id(&[["a", "b"], ["b", "c"]], &[["b", "a"], ["c", "b"]]),
        ring
    );
}

#[test]
fn a_pair_that_is_taken_in_two_methods_is_told_as_one() {
    const ONE: &str = "(Ljava/lang/Object;)V";
    let inner = || Op::Invoke {
        kind: InvokeKind::Static,
        method: member("inner", ONE),
    };
    let enters = [load(0), Op::MonitorEnter, load(1), inner(), leave()];
    let id = |lock: &str, last: &[[&str; 2]]| {
        id_of(&enters, lock, |build, shop| {
            let inner = build.method(shop, "inner", ONE, STATIC);
            build.code(inner, vec![load(0), Op::MonitorEnter, leave()]);
            hands(build, shop, "sell", &[["a", "b"], ["c", "d"]]);
            let buy = [&[["b", "a"], ["d", "e"], ["e", "c"]], last].concat();
            hands(build, shop, "buy", &buy);
        })
    };
    // All of these are taken outside and inside by the same callers before.
    for lock in ["Shop.inner", "Shop.both"] {
        assert_ne!(id(lock, &[]), id(lock, &[["d", "c"]]));
        assert_eq!(id(lock, &[]), id(lock, &[["d", "e"]]));
    }
}

#[test]
fn a_method_that_takes_them_both_ways_has_a_cycle_in_each_pair() {
    let other_way = [
        load(1),
        Op::MonitorEnter,
        load(0),
        Op::MonitorEnter,
        leave(),
    ];
    let first_way = [load(0), Op::MonitorEnter, load(1), Op::MonitorEnter];
    let exits = [load(1), Op::MonitorExit, load(0), Op::MonitorExit];
    let both_ways = [&first_way[..], &exits, &other_way].concat();
    let lock = "Shop.both in a.Shop.both(Ljava/lang/Object;Ljava/lang/Object;)V#1";
    let id = |enters: &[Op], pairs: &[[&str; 2]]| {
        id_of(enters, lock, |build, shop| {
            hands(build, shop, "sell", pairs);
        })
    };
    assert_eq!(id(&enters(), &[["a", "b"]]), "D1");
    let one = id(&both_ways, &[["a", "b"]]);
    assert_ne!(one, "D1");
    assert_ne!(id(&both_ways, &[["a", "b"], ["c", "d"]]), one);
}

#[test]
fn a_method_that_tells_a_field_and_does_nothing_else_is_that_field() {
    let id = |fields: [&str; 2]| {
        id_of(&enters(), "Shop.both", |build, shop| {
            for name in fields {
                let told = "()Ljava/lang/Object;";
                let method = build.method(shop, &format!("its{name}"), told, STATIC);
                build.code(method, vec![kept(name), Op::Return { value: true }]);
            }
            let [one, other] = fields.map(|name| Op::Invoke {
                kind: InvokeKind::Static,
                method: member(&format!("its{name}"), "()Ljava/lang/Object;"),
            });
            let sell = vec![one.clone(), other.clone(), calls("both"), leave()];
            build.coded(shop, "sell", STATIC, sell);
            build.coded(
                shop,
                "buy",
                STATIC,
                vec![other, one, calls("both"), leave()],
            );
        })
    };
    let direct = id_of(&enters(), "Shop.both", |build, shop| {
        hands(build, shop, "sell", &[["a", "b"]]);
        hands(build, shop, "buy", &[["b", "a"]]);
    });
    assert_eq!(id(["a", "b"]), direct);
    assert_ne!(id(["c", "d"]), direct);
}

/// A thread that keeps two locks which its constructor is handed.
fn clerk(build: &mut Build) {
    let clerk = build.class("a.Clerk", "java.lang.Thread");
    let [first, second] = ["first", "second"].map(|name| MemberRef {
        class: "a.Clerk".into(),
        name: name.into(),
        descriptor: "Ljava/lang/Object;".into(),
    });
    let made = build.method(clerk, "<init>", PAIR, 0);
    let [one, other] = [(1, &first), (2, &second)]
        .map(|(slot, field)| [load(0), load(slot), Op::PutField(field.clone())]);
    build.code(made, [&one[..], &other, &[leave()]].concat());
    let [one, other] = [first, second].map(|field| [load(0), Op::GetField(field)]);
    build.coded(
        clerk,
        "run",
        0,
        [&one[..], &other, &[calls("both"), leave()]].concat(),
    );
}

/// Makes a clerk with each of these pairs.
fn makes(build: &mut Build, shop: ClassId, pairs: &[[Op; 2]]) -> MethodId {
    let made = Op::Invoke {
        kind: InvokeKind::Special,
        method: MemberRef {
            class: "a.Clerk".into(),
            name: "<init>".into(),
            descriptor: PAIR.into(),
        },
    };
    let all = pairs.iter().flat_map(|[one, other]| {
        [
            Op::New("a.Clerk".into()),
            one.clone(),
            other.clone(),
            made.clone(),
        ]
    });
    let locals = (0..4).flat_map(|slot| [Op::New("java.lang.Object".into()), store(slot)]);
    let ops = locals.chain(all).chain([leave()]);
    build.coded(shop, "main", STATIC, ops.collect())
}

#[test]
fn what_a_constructor_keeps_is_told_by_who_makes_the_object() {
    let id = |pairs: &[[Op; 2]]| {
        id_of(&enters(), "Shop.both", |build, shop| {
            clerk(build);
            makes(build, shop, pairs);
        })
    };
    let fields = |one, other| [kept(one), kept(other)];
    let ring = id(&[fields("a", "b"), fields("b", "a")]);
    assert_eq!(
        id(&[fields("a", "b"), fields("b", "a"), fields("c", "d")]),
        ring
    );
    let two = [
        fields("a", "b"),
        fields("b", "a"),
        fields("c", "d"),
        fields("d", "c"),
    ];
    assert_ne!(id(&two), ring);
    // What is made there has only a number.
    let locals = |one, other| [load(one), load(other)];
    let ring = id(&[locals(0, 1), locals(1, 0)]);
    assert_eq!(id(&[locals(2, 3), locals(3, 2), locals(0, 1)]), ring);
    assert_ne!(
        id(&[locals(0, 1), locals(1, 0), locals(2, 3), locals(3, 2)]),
        ring
    );
}

#[test]
fn what_a_lambda_captures_is_told_by_who_makes_it() {
    let id = |captured: &[[u16; 2]]| {
        id_of(&enters(), "Shop.both", |build, shop| {
            let locals = (0..4).flat_map(|slot| [Op::New("java.lang.Object".into()), store(slot)]);
            let mut ops: Vec<Op> = locals.collect();
            let mut sites = Vec::new();
            for (at, [one, other]) in captured.iter().enumerate() {
                let name = format!("lambda$main${at}");
                let body = build.method(shop, &name, PAIR, STATIC);
                build.code(body, vec![load(0), load(1), calls("both"), leave()]);
                ops.extend([load(*one), load(*other)]);
                sites.push(CallSite {
                    bci: ops.len() as u16,
                    bootstrap: Bootstrap {
                        class: "java.lang.invoke.LambdaMetafactory".into(),
                        name: "metafactory".into(),
                        arguments: vec![Constant::Handle {
                            kind: HandleKind::InvokeStatic,
                            member: member(&name, PAIR),
                        }],
                    },
                });
                let run = "(Ljava/lang/Object;Ljava/lang/Object;)Ljava/lang/Runnable;";
                ops.push(Op::Invoke {
                    kind: InvokeKind::Dynamic,
                    method: member("run", run),
                });
                ops.push(store(5));
            }
            ops.push(leave());
            let main = build.coded(shop, "main", STATIC, ops);
            let code = build.catalog.code.get_mut(&main).expect("it has code");
            code.sites = sites;
        })
    };
    let ring = id(&[[0, 1], [1, 0]]);
    assert_ne!(ring, "D1");
    assert_eq!(id(&[[0, 1], [2, 3], [1, 0]]), ring);
    assert_ne!(id(&[[0, 1], [1, 0], [2, 3], [3, 2]]), ring);
}

#[test]
fn fields_of_another_object_are_told_from_own_ones() {
    let id = |peers: bool| {
        id_of(&enters(), "Shop.both", |build, _| {
            let desk = build.class("a.Desk", "java.lang.Object");
            let field = |name: &str| {
                Op::GetField(MemberRef {
                    class: "a.Desk".into(),
                    name: name.into(),
                    descriptor: "Ljava/lang/Object;".into(),
                })
            };
            let own = |name| [load(0), field(name)];
            let peer = [load(0), field("peer"), field("out")];
            let mut ops = [&own("in")[..], &own("out"), &[calls("both")]].concat();
            if peers {
                ops.extend([&own("in")[..], &peer, &[calls("both")]].concat());
            }
            ops.push(leave());
            build.coded(desk, "sell", 0, ops);
        })
    };
    assert_ne!(id(true), id(false));
}
