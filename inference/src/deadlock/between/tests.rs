//! What lies between two acquisitions of one thread.

use super::*;
use crate::fixtures::{Build, call, dup, field, load, store};

const CLASS: &str = "a.B";

/// What is not recorded from the lock that code takes first to the one it takes last.
fn between(ops: Vec<Op>) -> Option<String> {
    let mut build = Build::default();
    let class = build.class(CLASS, "java.lang.Object");
    build.coded(class, "isOpen", 0, vec![load(0), field(CLASS, "open")]);
    build.coded(class, "sleeps", 0, vec![call("java.lang.Thread", "sleep")]);
    let other = build.class("a.C", "java.lang.Object");
    build.coded(other, "elsewhere", 0, vec![Op::Return { value: false }]);
    let last = ops.len() as u16 - 1;
    let method = build.coded(class, "m", 0, ops);
    let frames = [0, last].map(|bci| Frame {
        method,
        bci: Some(bci),
    });
    let [from, to] = &frames;
    unrecorded(
        &build.catalog,
        &BTreeSet::from([CLASS]),
        [Some(from), Some(to)],
    )
}

fn locked(between: &[Op]) -> Vec<Op> {
    let enter = [Op::MonitorEnter];
    [&enter[..], between, &enter].concat()
}

#[test]
fn what_is_recorded_is_nothing_else() {
    let reads = [load(0), field(CLASS, "other"), dup(), store(1)];
    assert_eq!(between(locked(&reads)), None);
    assert_eq!(between(locked(&[call(CLASS, "isOpen")])), None);
}

#[test]
fn calls_of_other_code_are_told() {
    for (class, name, said) in [
        ("a.C", "elsewhere", "a.C.elsewhere"),
        (CLASS, "sleeps", "java.lang.Thread.sleep"),
        ("a.D", "unknown", "a.D.unknown"),
        ("java.io.PrintStream", "println", "PrintStream.println"),
    ] {
        let told = between(locked(&[call(class, name)]));
        assert!(told.as_ref().is_some_and(|t| t.contains(said)), "{told:?}");
    }
}

#[test]
fn a_class_may_have_to_be_initialised_unless_it_was_used_before() {
    let of = |class: &str| {
        Op::GetStatic(MemberRef {
            class: class.to_owned(),
            name: "all".to_owned(),
            descriptor: "I".to_owned(),
        })
    };
    let told = between(locked(&[of("a.C")]));
    assert!(told.is_some_and(|told| told.contains("a.C may have to be initialised")));
    assert_eq!(between(locked(&[of(CLASS)])), None);
}

#[test]
fn a_branch_out_of_it_makes_all_of_the_method_count() {
    let branch = |target| Op::IfNull { null: true, target };
    assert_eq!(between(locked(&[load(0), branch(3)])), None);
    let code = |target| {
        let mut ops = locked(&[load(0), branch(target)]);
        ops.insert(0, call("a.C", "elsewhere"));
        ops.insert(0, Op::MonitorEnter);
        ops
    };
    assert!(between(code(0)).is_some());
}

#[test]
fn what_is_not_reached_is_not_known() {
    let mut build = Build::default();
    let class = build.class(CLASS, "java.lang.Object");
    let [one, two] = ["one", "two"].map(|m| build.coded(class, m, 0, vec![Op::MonitorEnter]));
    let frames = [one, two].map(|method| Frame {
        method,
        bci: Some(0),
    });
    let classes = BTreeSet::from([CLASS]);
    let [from, to] = [Some(&frames[0]), Some(&frames[1])];
    let told = |places| unrecorded(&build.catalog, &classes, places);
    assert!(told([from, to]).is_some_and(|told| told.contains("the code from the one")));
    assert!(told([None, to]).is_some());
}
