//! What the sandbox makes of the Java library: held against the JVM itself, which runs the same
//! methods.

use crate::subjects::{Program, compile, find_tool};
use locklens_inference::trial::bench::{Bench, Outcome, Returned};
use locklens_inference::trial::machine::{Machine, benches};
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::process::Command;

fn source() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/trials/Library.java")
}

/// What each method returns on a new object, by class and name.
type Results = BTreeMap<(String, String), i64>;

/// As a JVM says.
fn expected() -> Results {
    let mut java = Command::new(find_tool("java"));
    let result = java.arg(source()).output().expect("java runs");
    let messages = String::from_utf8_lossy(&result.stderr);
    assert!(result.status.success(), "java: {messages}");
    let text = String::from_utf8_lossy(&result.stdout);
    let lines = text.lines().map(|l| l.split(' ').collect::<Vec<_>>());
    let fields = lines.filter_map(|l| match l.as_slice() {
        [class, method, result] => Some((class.to_string(), method.to_string(), *result)),
        _ => None,
    });
    let known = fields.filter_map(|(c, m, result)| Some(((c, m), result.parse().ok()?)));
    known.collect()
}

pub(crate) fn bench_of<'a>(program: &'a Program, class: &str) -> Option<Machine<'a>> {
    let classes = program.catalog.classes.values();
    let lock: Vec<_> = classes.filter(|c| c.name == class).map(|c| c.id).collect();
    let regions = program.regions.iter();
    let seen = regions.filter(|(_, r)| lock.contains(&r.class));
    let seen = seen.map(|r| r.0).collect();
    benches(&program.model, &seen, &lock).into_iter().next()
}

/// What the sandbox says, or why it says nothing.
pub(crate) fn executed(bench: &Machine<'_>, class: &str, method: &str) -> Result<i64, String> {
    let simple = class.rsplit('$').next().unwrap_or(class);
    let name = format!("{simple}.{method}()");
    let is_it = |o: &locklens_inference::trial::bench::Operation| o.name == name;
    let Some(at) = bench.operations().iter().position(is_it) else {
        let mut left_out = bench.left_out().iter();
        let why = left_out.find(|l| l.0 == name).map(|l| l.1.as_str());
        return Err(why.unwrap_or("it is no operation").to_owned());
    };
    let mut bench = bench.clone();
    match bench.call(0, at, 0).own {
        Outcome::Passed(Returned::Number(result)) => Ok(result),
        other => Err(format!("{other:?}, {:?}", bench.why())),
    }
}

#[test]
fn the_library_does_what_it_does_in_a_jvm() {
    let program = compile(&[source()]);
    let mut wrong = String::new();
    let mut benches = BTreeMap::new();
    for ((class, method), expected) in expected() {
        let bench = benches
            .entry(class.clone())
            .or_insert_with(|| bench_of(&program, &class));
        let Some(bench) = bench else {
            wrong += &format!("{class} cannot be made\n");
            continue;
        };
        let result = executed(bench, &class, &method);
        if result != Ok(expected) {
            wrong += &format!("{class}.{method}: {result:?} instead of {expected}\n");
        }
    }
    assert!(wrong.is_empty(), "\n{wrong}");
}

/// What comes back to itself, or grows without an end, ends the trial and not the process.
#[test]
fn what_has_no_end_says_nothing() {
    const CLASS: &str = "Library$Odd";
    let program = compile(&[source()]);
    let bench = bench_of(&program, CLASS).expect("it can be made");
    assert_eq!(executed(&bench, CLASS, "plain"), Ok(7));
    let odd = [
        "ring",
        "doubled",
        "deep",
        "parts",
        "removes",
        "grows",
        "lengthens",
        "arrays",
    ];
    for method in odd {
        let result = executed(&bench, CLASS, method);
        assert!(result.is_err(), "{method}: {result:?}");
    }
}
