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
    of_all(&build, [Some(from), Some(to)])
}

/// The same where everything has run.
fn of_all(build: &Build, places: [Option<&Frame>; 2]) -> Option<String> {
    let classes = BTreeSet::from([CLASS]);
    let ran = Ran::of(&build.catalog, &BTreeSet::new(), std::iter::empty());
    unrecorded((&build.catalog, &ran), &classes, places)
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
    let [from, to] = [Some(&frames[0]), Some(&frames[1])];
    let told = |places| of_all(&build, places);
    assert!(told([from, to]).is_some_and(|told| told.contains("the code from the one")));
    assert!(told([None, to]).is_some());
}

/// Whether what code reads between its two locks may be set meanwhile, where a method of its class sets "open", and only the constructor
/// "all"; and with which methods threads begin that read nothing so before.
fn reading(ops: Vec<Op>, ways: &[Vec<Op>]) -> (Option<String>, Result<usize, String>) {
    reading_up_to(ops.len() as u16 - 1, ops, ways)
}

fn reading_up_to(
    last: u16,
    ops: Vec<Op>,
    ways: &[Vec<Op>],
) -> (Option<String>, Result<usize, String>) {
    let mut build = Build::default();
    let class = build.class(CLASS, "java.lang.Object");
    let put = |name: &str| {
        let Op::GetField(member) = field(CLASS, name) else {
            unreachable!("a field")
        };
        vec![load(0), load(1), Op::PutField(member)]
    };
    build.coded(class, "<init>", 0, [put("open"), put("all")].concat());
    build.coded(class, "opens", 0, put("open"));
    build.coded(class, "isOpen", 0, vec![load(0), field(CLASS, "open")]);
    let method = build.coded(class, "m", 0, ops);
    for (at, way) in ways.iter().enumerate() {
        let name = if at == 0 { "run" } else { "work" };
        build.coded(class, name, 0, way.clone());
    }
    let [from, to] = [0, last].map(|bci| Frame {
        method,
        bci: Some(bci),
    });
    let (classes, asked) = (BTreeSet::from([CLASS]), Asked::of(&build.catalog));
    let ran = Ran::of(&build.catalog, &BTreeSet::new(), std::iter::empty());
    let named = named(&build.catalog);
    let code = (&build.catalog, &ran, &named);
    (
        read(code, &classes, &asked, [&from, &to]),
        read_before(code, &classes, &asked, &to).map(|begin| begin.len()),
    )
}

#[test]
fn what_is_read_between_two_locks_decides_nothing_if_only_constructors_set_it() {
    let between = |ops: &[Op]| reading(locked(ops), &[]).0;
    assert_eq!(between(&[load(0), field(CLASS, "all"), store(1)]), None);
    assert_eq!(between(&[call("java.lang.Thread", "sleep")]), None);
    let told = between(&[load(0), field(CLASS, "open"), store(1)]);
    assert!(told.is_some_and(|told| told.contains("a.B.open is read")));
    assert!(between(&[call(CLASS, "isOpen")]).is_some());
    assert!(between(&[Op::ArrayLoad { wide: false }]).is_some());
    let atomic = "java.util.concurrent.atomic.AtomicInteger";
    assert!(between(&[call(atomic, "incrementAndGet")]).is_some());
    assert!(between(&[call("a.D", "unknown")]).is_some());
}

#[test]
fn so_does_what_is_read_on_every_way_from_where_a_thread_begins() {
    let way = |before: Op| vec![before, call(CLASS, "m")];
    let begin = |ways: &[Vec<Op>]| reading(locked(&[]), ways).1;
    let all = || field(CLASS, "all");
    assert_eq!(begin(&[way(all())]), Ok(1));
    let told = begin(&[way(all()), vec![call(CLASS, "m"), call(CLASS, "run")]]);
    assert!(told.is_err_and(|told| told.contains("who calls")));
    assert!(begin(&[way(field(CLASS, "open"))]).is_err());
    let through = vec![call(CLASS, "isOpen"), call(CLASS, "m")];
    assert!(begin(&[through]).is_err());
    // What comes behind it is none of it.
    let behind = vec![call(CLASS, "m"), field(CLASS, "open")];
    assert_eq!(begin(&[behind]), Ok(1));
    let again = vec![call(CLASS, "m"), field(CLASS, "open"), Op::Goto(0)];
    assert!(begin(&[again]).is_err());
    let twice = [call(CLASS, "m"), call(CLASS, "m")].to_vec();
    assert_eq!(begin(&[twice]), Ok(1));
    // What stands behind the place comes before the second time, but not before that of another thread.
    let tail = [load(0), field(CLASS, "open")];
    let begin = |ways: &[Vec<Op>]| reading_up_to(1, [&locked(&[])[..], &tail].concat(), ways).1;
    let once = || vec![call(CLASS, "m")];
    assert_eq!(begin(&[once()]), Ok(1));
    assert!(begin(&[[once(), once()].concat()]).is_err());
    assert!(begin(&[]).is_err());
}
