//! What the sandbox makes of the Java library: held against the JVM itself, which runs the same
//! methods.

use crate::subjects::{Program, compile, find_tool};
use locklens_inference::trial::bench::{Bench, Outcome, Returned};
use locklens_inference::trial::machine::{Machine, benches};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

fn source() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/trials/Library.java")
}

/// What each method returns on a new object, by class and name; none if it throws.
type Results = BTreeMap<(String, String), Option<i64>>;

/// Why nothing is said of what was not called.
const NO_OPERATION: &str = "it is no operation";

/// As a JVM says that runs this source: a line for each, with its class and name.
pub(crate) fn expected(source: &Path) -> Results {
    let mut java = Command::new(find_tool("java"));
    let result = java.arg(source).output().expect("java runs");
    let messages = String::from_utf8_lossy(&result.stderr);
    assert!(result.status.success(), "java: {messages}");
    let text = String::from_utf8_lossy(&result.stdout);
    let fields = text.lines().filter_map(|line| {
        let mut words = line.splitn(3, ' ');
        let (class, method) = (words.next()?, words.next()?);
        let result = words.next()?.parse().ok();
        Some(((class.to_owned(), method.to_owned()), result))
    });
    fields.collect()
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
        return Err(why.unwrap_or(NO_OPERATION).to_owned());
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
    for ((class, method), expected) in expected(&source()) {
        let bench = benches
            .entry(class.clone())
            .or_insert_with(|| bench_of(&program, &class));
        let Some(bench) = bench else {
            wrong += &format!("{class} cannot be made\n");
            continue;
        };
        let result = executed(bench, &class, &method);
        if expected.is_none() || result.as_ref().ok() != expected.as_ref() {
            wrong += &format!("{class}.{method}: {result:?} instead of {expected:?}\n");
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
        let why = result.expect_err(method);
        assert_ne!(why, NO_OPERATION, "{method}");
    }
}
