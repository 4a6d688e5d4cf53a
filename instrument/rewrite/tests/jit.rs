//! Rewritten methods are compiled as the original ones are, and count what they did.

mod jvm;

use jvm::{Jdk, Scratch, compile, jdks, rewrite_all, succeed};
use locklens_rewrite::Plan;
use locklens_rewrite::plan::Probes;

const METHODS: [&str; 9] = [
    "region",
    "nested",
    "withFinally",
    "returnsInLoops",
    "method",
    "shared",
    "recursive",
    "notifies",
    "leaks",
];

fn run_hot(jdk: &Jdk, scratch: &Scratch) -> String {
    let mut java = jdk.java();
    java.args(["-Xbatch", "-XX:+PrintCompilation", "-cp"])
        .arg(scratch.dir())
        .arg("Hot");
    succeed(&mut java)
}

/// The methods of the program that C2 compiled.
fn compiled(said: &str) -> Vec<&'static str> {
    let by_c2 = |name: &&&str| {
        let call = format!(" 4       Hot::{name} (");
        said.lines()
            .any(|line| line.contains(&call) && !line.contains("made not"))
    };
    METHODS.iter().filter(by_c2).copied().collect()
}

fn result(said: &str) -> (&str, u64, u64) {
    let line = said
        .lines()
        .find(|line| line.starts_with("sum "))
        .expect("came to its end");
    let words: Vec<&str> = line.split(' ').collect();
    let number = |at: usize| words[at].parse().expect("a number");
    (words[1], number(3), number(5))
}

#[test]
fn hot_methods_are_compiled_and_every_enter_has_its_exit() {
    let plain = Plan::everything("probe/Counter");
    let mut hashed = plain.clone();
    hashed.probes = Probes::of_class("probe/Counter").with_identity_hash();
    for jdk in jdks() {
        for plan in [&plain, &hashed] {
            let scratch = Scratch::new();
            compile::<&str>(
                &jdk,
                &[],
                &["probe/Counter.java", "Hot.java"],
                scratch.dir(),
            );
            let before = run_hot(&jdk, &scratch);
            rewrite_all(scratch.dir(), plan);
            let after = run_hot(&jdk, &scratch);
            assert!(!after.contains("COMPILE SKIPPED"), "{jdk:?}\n{after}");
            let (old, new) = (compiled(&before), compiled(&after));
            assert!(old.len() >= 6, "{jdk:?}, original: only {old:?}");
            let lost: Vec<_> = old.iter().filter(|name| !new.contains(name)).collect();
            assert!(lost.is_empty(), "{jdk:?}: no longer compiled: {lost:?}");
            let ((sum, none, _), (same, entered, exit)) = (result(&before), result(&after));
            assert_eq!((sum, none), (same, 0), "{jdk:?}");
            assert!(
                entered == exit && entered > 40_000 * 20,
                "{jdk:?} {entered} {exit}"
            );
        }
    }
}
