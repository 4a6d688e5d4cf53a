//! What a JVM's threads spend their processor time on, read from outside: its compiler threads, and all else.
//!
//! Costs the JVM nothing. Who discards compiled code can watch here how it comes back.

use std::collections::BTreeMap;
use std::fs;
use std::time::Duration;

use crate::jvm::{Jvm, Pid, counters_at, published};
use crate::process::{Process, processor_time};
use crate::root::Root;

/// How the threads that compile are called; the kernel keeps fifteen bytes of a name.
const COMPILERS: [&str; 3] = ["C1 CompilerThre", "C2 CompilerThre", "JVMCI CompilerT"];
/// A thread is given its name after it has begun: one that was looked at so often keeps the one it had.
const LOOKS: u8 = 3;

/// Processor time spent since a JVM began.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Effort {
    /// By its compiler threads.
    pub compilers: Duration,
    /// By all other threads: the program's, the collector's, and what the JVM does besides.
    pub others: Duration,
    /// Methods compiled, where the JVM publishes it.
    pub compiled: Option<u64>,
}

/// Reads the [`Effort`] of one JVM, again and again.
#[derive(Debug)]
pub struct EffortMeter {
    process: Process,
    /// Where the JVM publishes its counters.
    published: Option<(Root, String)>,
    compilers: BTreeMap<Pid, Duration>,
    /// Other threads, and how often they were looked at.
    others: BTreeMap<Pid, u8>,
}

impl EffortMeter {
    /// A meter for this JVM.
    #[must_use]
    pub fn new(jvm: &Jvm) -> Self {
        let process = Process::new(jvm.pid);
        let maps = process.maps().unwrap_or_default();
        Self {
            process,
            published: Root::of(&process).ok().zip(published(&process, &maps)),
            compilers: BTreeMap::new(),
            others: BTreeMap::new(),
        }
    }

    /// What was spent up to now; none if the process has gone.
    pub fn read(&mut self) -> Option<Effort> {
        let all = self.process.processor_time()?;
        self.look();
        let compilers = self.compilers.values().sum();
        Some(Effort {
            compilers,
            others: all.saturating_sub(compilers),
            compiled: self.compiled(),
        })
    }

    /// The times of the compiler threads. What one that has ended took stays known.
    fn look(&mut self) {
        let tasks = fs::read_dir(self.process.path("task"));
        let ids = tasks.into_iter().flatten().flatten();
        let ids = ids.filter_map(|task| task.file_name().to_str()?.parse().ok());
        for id in ids.map(Pid).collect::<Vec<_>>() {
            if self.compiles(id)
                && let Some(spent) = processor_time(&self.task(id, "stat"))
            {
                self.compilers.insert(id, spent);
            }
        }
    }

    fn compiles(&mut self, id: Pid) -> bool {
        if self.compilers.contains_key(&id) {
            return true;
        }
        let looks = self.others.get(&id).copied().unwrap_or(0);
        if looks >= LOOKS {
            return false;
        }
        self.others.insert(id, looks + 1);
        COMPILERS.contains(&self.task(id, "comm").trim_end())
    }

    fn task(&self, id: Pid, entry: &str) -> String {
        let path = self.process.path(&format!("task/{id}/{entry}"));
        fs::read_to_string(path).unwrap_or_default()
    }

    fn compiled(&self) -> Option<u64> {
        let (root, path) = self.published.as_ref()?;
        let compiled = counters_at(root, path)?.number("sun.ci.totalCompiles")?;
        u64::try_from(compiled).ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::hint::black_box;

    /// A meter of this process, which is no JVM.
    fn ours() -> EffortMeter {
        EffortMeter {
            process: Process::new(Pid(std::process::id())),
            published: None,
            compilers: BTreeMap::new(),
            others: BTreeMap::new(),
        }
    }

    #[test]
    fn what_is_no_compiler_counts_as_others() {
        let mut meter = ours();
        let mut read = || meter.read().expect("our own");
        let before = read();
        let mut after = read();
        while after.others == before.others {
            black_box((0..1_000_000).map(black_box).sum::<u64>());
            after = read();
        }
        assert_eq!((after.compilers, after.compiled), (Duration::ZERO, None));
    }

    #[test]
    fn a_thread_called_like_a_compiler_is_one_and_stays_known_when_it_has_ended() {
        let mut meter = ours();
        let (end, told) = std::sync::mpsc::channel::<()>();
        let (say, began) = std::sync::mpsc::channel();
        let named = std::thread::Builder::new().name("C2 CompilerThread0".into());
        let life = move || {
            let _ = say.send(());
            let _ = told.recv();
        };
        let compiler = named.spawn(life).expect("a thread can be started");
        // It has its name before anything else runs in it.
        began.recv().expect("it runs");
        meter.read();
        assert_eq!(meter.compilers.len(), 1);
        drop(end);
        compiler.join().expect("it ends in order");
        meter.read();
        assert_eq!(meter.compilers.len(), 1);
    }
}
