//! How fast traces are searched for deadlocks, and how that grows with their length.
//!
//!     cargo run --release -p locklens-inference --example deadlock_speed -- 1e8
//!     cargo run --release -p locklens-inference --example deadlock_speed -- --std 1e8 > steps.std
//!
//! The second one writes the steps in STD format, for `locklens deadlocks`.
//!
//! Steps of 1,000 threads over some 9,000 locks, 64 to each thread, made as they are read: pairs nested in one order, and
//! now and then one in the other.

use locklens_inference::deadlock::finding::{LockName, Names};
use locklens_inference::deadlock::step::{Lock, Mode, Op, Site, Step, Thread};
use locklens_inference::deadlock::{Scan, Suspects, report};
use locklens_inference::nesting::graph::ThreadName;
use std::time::Instant;

const THREADS: u32 = 1_000;
const LOCKS: u32 = 10_000;

struct Numbers;

impl Names for Numbers {
    fn thread(&self, thread: Thread) -> ThreadName {
        ThreadName {
            name: thread.0.to_string(),
            tid: None,
        }
    }

    fn lock(&self, lock: Lock) -> LockName {
        LockName {
            name: lock.0.to_string(),
            ..LockName::default()
        }
    }

    fn chain(&self, _: Site) -> Vec<String> {
        Vec::new()
    }
}

/// Each four steps are a nested pair; one of 5,000 is the other way round.
fn steps(count: u64, mut each: impl FnMut(&Step)) {
    let mut state = 1u64;
    for _ in 0..count / 4 {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        let dice = state >> 24;
        let thread = Thread((dice % u64::from(THREADS)) as u32);
        // Each thread has some dozens of locks that it shares with its neighbours.
        let outer = (thread.0 * 9 + (dice / 1_000 % 64) as u32) % (LOCKS - 1);
        let (a, b) = match dice % 4_999 {
            0 => (outer + 1, outer),
            _ => (outer, outer + 1),
        };
        let take = |lock| Op::Acquire {
            lock: Lock(lock),
            mode: Mode::Exclusive,
        };
        for op in [take(a), take(b), Op::Release(Lock(b)), Op::Release(Lock(a))] {
            each(&Step {
                thread,
                op,
                site: None,
            });
        }
    }
}

fn main() {
    let mut args = std::env::args().skip(1);
    let first = args.next();
    let is_std = first.as_deref() == Some("--std");
    let most = if is_std { args.next() } else { first };
    let most = most.and_then(|most| most.parse::<f64>().ok());
    if is_std {
        return write(most.unwrap_or(1e7) as u64);
    }
    let mut count = 100_000;
    while count <= most.unwrap_or(1e7) as u64 {
        measure(count);
        count = count.saturating_mul(10);
    }
}

/// The steps as lines; that nobody wants more of them ends it.
fn write(count: u64) {
    use std::io::Write;
    let mut out = std::io::BufWriter::new(std::io::stdout().lock());
    let mut line = 0u64;
    steps(count, |step| {
        let (name, lock) = match step.op {
            Op::Acquire { lock, .. } => ("acq", lock),
            Op::Release(lock) => ("rel", lock),
            _ => return,
        };
        line += 1;
        let place = line % 4;
        let _ = writeln!(out, "T{}|{name}(L{})|{place}", step.thread.0, lock.0);
    });
}

fn measure(count: u64) {
    let began = Instant::now();
    let mut scan = Scan::default();
    steps(count, |step| scan.push(step));
    let scanned = began.elapsed();
    let suspects = Suspects::of(&scan);
    let searched = began.elapsed();
    let mut history = suspects.history();
    steps(count, |step| history.push(step));
    let kept = began.elapsed();
    let report = report(&suspects, &history, &Numbers);
    let judged = began.elapsed();
    let per_second = count as f64 / scanned.as_secs_f64() / 1e6;
    let line = format!(
        "{count:>11} steps: {per_second:.1} M/s collected; {:.2} s collecting, {:.2} searching, {:.2} second pass, {:.2} judging; {} dependencies, {} findings{}; {} MB at most",
        scanned.as_secs_f64(),
        (searched - scanned).as_secs_f64(),
        (kept - searched).as_secs_f64(),
        (judged - kept).as_secs_f64(),
        scan.dependencies(),
        report.findings.len(),
        if report.stopped_after.is_empty() {
            ""
        } else {
            ", stopped early"
        },
        most_memory(),
    );
    say(&line);
}

/// The most memory that this process has had so far, in megabytes; 0 if that is not known.
fn most_memory() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kilobytes = line.and_then(|line| line.split_whitespace().next()?.parse::<u64>().ok());
    kilobytes.unwrap_or(0) / 1024
}

/// The only line that an example writes.
fn say(line: &str) {
    use std::io::Write;
    let _ = writeln!(std::io::stdout(), "{line}");
}
