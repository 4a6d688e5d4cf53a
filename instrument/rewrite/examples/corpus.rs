//! Large numbers of classes through the rewriter, and the results through real JVMs.
//!
//! ```text
//! cargo run --release -p locklens-rewrite --example corpus -- [--jdk HOME]... [--hash] [--no-jits] [JAR]...
//! ```
//!
//! For each JDK (those of `LOCKLENS_JDKS` unless some are named): every class of the JDK and of the
//! jars goes through the identity, which must give the same bytes, and through full instrumentation.
//! The JVM then verifies every class that was changed (`-Xverify:all`): its own classes by redefining
//! them in a running JVM, those of jars by loading them next to the original. Finally C1 and C2
//! compile every method that was changed, before and after. What differs is printed, and the exit
//! code is 1 if anything does. `examples/corpus/jars` fetches a set of jars.
#![allow(clippy::print_stdout, reason = "a command")]

#[path = "../tests/jvm/mod.rs"]
mod jvm;

#[path = "../tests/jvm/corpus.rs"]
mod corpus;

use std::path::PathBuf;
use std::process::ExitCode;

fn main() -> ExitCode {
    let mut options = corpus::Options::default();
    let mut homes = Vec::new();
    let mut args = std::env::args_os().skip(1);
    while let Some(arg) = args.next() {
        match arg.to_str() {
            Some("--jdk") => homes.extend(args.next().map(PathBuf::from)),
            Some("--hash") => options.hash = true,
            Some("--no-jits") => options.compile = false,
            _ => options.jars.push(PathBuf::from(arg)),
        }
    }
    let mut jdks = jvm::jdks();
    if !homes.is_empty() {
        jdks = homes.into_iter().map(jvm::jdk).collect();
    }
    let mut good = true;
    for jdk in jdks {
        let report = corpus::check(&jdk, &options);
        println!("{report}");
        good &= report.is_good();
    }
    if good {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    }
}
