//! How fast classes are rewritten: `cargo run --release -p locklens-rewrite --example speed -- [FILE.class | PACK]...`
//!
//! Takes class files, or packs as the corpus makes them (`tests/java/Pack.java`); without arguments
//! all classes of the first JDK. Prints classes per second of CPU time of one thread for the
//! identity and for full instrumentation, the best of five rounds each; 5,000 is the goal.
#![allow(clippy::print_stdout, reason = "a command")]

#[path = "../tests/jvm/mod.rs"]
mod jvm;

#[path = "../tests/jvm/corpus.rs"]
mod corpus;

use locklens_rewrite::{Plan, identity, rewrite};
use std::fs;

fn main() {
    let files: Vec<_> = std::env::args_os().skip(1).collect();
    let contents: Vec<Vec<u8>> = match files.is_empty() {
        true => vec![corpus::pack_of_jdk(&jvm::jdks()[0])],
        false => files
            .iter()
            .map(|file| fs::read(file).expect("readable"))
            .collect(),
    };
    let classes: Vec<&[u8]> = contents.iter().flat_map(|bytes| split(bytes)).collect();
    let plan = Plan::everything("java/lang/LocklensProbe");
    let with_sites = |bytes: &&&[u8]| rewrite(bytes, &plan).is_ok_and(|d| !d.sites.is_empty());
    let locking: Vec<&[u8]> = classes.iter().filter(with_sites).copied().collect();
    report("identity", &classes, |bytes| identity(bytes).is_ok());
    report("instrumentation", &classes, |bytes| {
        rewrite(bytes, &plan).is_ok()
    });
    report("of classes with sites", &locking, |bytes| {
        rewrite(bytes, &plan).is_ok()
    });
}

fn split(bytes: &[u8]) -> Vec<&[u8]> {
    match bytes.starts_with(&[0xca, 0xfe, 0xba, 0xbe]) {
        true => vec![bytes],
        false => corpus::classes(bytes).map(|(_, bytes)| bytes).collect(),
    }
}

fn report(what: &str, classes: &[&[u8]], each: impl Fn(&[u8]) -> bool) {
    let round = || {
        let began = corpus::on_cpu();
        let done = classes.iter().filter(|bytes| each(bytes)).count();
        (done, (corpus::on_cpu() - began).as_secs_f64())
    };
    let best = (0..5).map(|_| round()).min_by(|a, b| a.1.total_cmp(&b.1));
    if let Some((done, seconds)) = best {
        println!(
            "{what}: {done} classes, {:.0} classes/s",
            done as f64 / seconds
        );
    }
}
