//! Large numbers of classes through the rewriter, and the results through real JVMs.
//!
//! ```text
//! cargo run --release -p locklens-rewrite --example corpus -- [--jdk HOME]... [--hash] [--accesses] [--no-jits] [JAR]...
//! ```
//!
//! For each JDK (those of `LOCKLENS_JDKS` unless some are named): every class of the JDK and of the
//! jars goes through the identity, which must give the same bytes, and through full instrumentation,
//! with `--hash` with the object hashed before it is locked, with `--accesses` with probes around every access to a field. The JVM then verifies every class that
//! was changed (`-Xverify:all`): its own classes by redefining them in a running JVM, which runs on
//! with them; those of jars by loading them next to the originals. Finally C1 and C2 compile every
//! method that was changed, before and after (HotSpot's WhiteBox; `--no-jits` leaves it out). The
//! exit code is 1 if anything differs. `examples/corpus-jars` fetches a set of jars from Maven
//! Central, chosen for the compilers behind them.
//!
//! What it said (43 jars, Debian's JDKs, Temurin 25; with `--hash`, on 8 and 17, the same):
//!
//! | JDK | distinct classes | changed | methods | sites | taken differently | compilations | given up anew |
//! |---|---|---|---|---|---|---|---|
//! | 8 | 144,075 | 4,625 | 18,044 | 63,669 | 0 | 28,938 | 0 |
//! | 11 | 153,766 | 4,789 | 18,459 | 64,337 | 0 | 30,806 | 0 |
//! | 17 | 149,782 | 4,655 | 18,107 | 62,955 | 0 | 30,110 | 0 |
//! | 21 | 151,040 | 4,627 | 18,041 | 62,629 | 0 | 29,974 | 0 |
//! | 25 | 150,239 | 4,549 | 17,898 | 62,211 | 0 | 29,690 | 0 |
//!
//! Exceptions, and why:
//! - *refused: it is native* (31 to 43 methods): native synchronized methods have no code to put a
//!   probe into. Nothing else was refused.
//! - *notLinked* (443, on 8 573): classes that the JVM does not link unmodified either, with the same
//!   error before and after: they extend or name classes of libraries outside the set, or are of a
//!   newer version than the JVM.
//! - *notTried* (about one in twenty): the JVM initialises a class before it compiles its methods,
//!   and the initialiser fails here, mostly for want of native libraries or of a display.
//! - *skipped before* (36, that is 18 methods by both compilers): methods that the JIT gives up in the
//!   original already. All are Kotlin's, in the shape of an inlined `synchronized`.
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
            Some("--accesses") => options.accesses = true,
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
