//! How long each thread of a JVM has run, read from outside: JDK 8 does not tell it in a thread dump.
//!
//! Costs the JVM nothing.

use std::collections::BTreeMap;
use std::fs;
use std::time::Duration;

use crate::jvm::{Jvm, Pid};
use crate::process::Process;
use crate::status::Status;

/// By all threads of a process together, those that have ended too; none if it has gone.
#[must_use]
pub fn spent_in_all(pid: Pid) -> Option<Duration> {
    Process::new(pid).processor_time()
}

/// Of each thread, by its number as the JVM knows it (`nid`). Empty where the kernel does not tell.
#[must_use]
pub fn spent(jvm: &Jvm) -> BTreeMap<u32, Duration> {
    of(&Process::new(jvm.pid))
}

fn of(process: &Process) -> BTreeMap<u32, Duration> {
    let tasks = fs::read_dir(process.path("task"));
    let ids = tasks.into_iter().flatten().flatten();
    let ids = ids.filter_map(|task| task.file_name().to_str()?.parse().ok());
    let each = ids.map(Pid).filter_map(|id| {
        let text = |entry| fs::read_to_string(process.path(&format!("task/{id}/{entry}"))).ok();
        let inner = Status::parse(&text("status")?)?.ns_pids;
        // Where there is one namespace, or an old kernel, it has the number that we see.
        let own = inner.get(1..)?.last().copied().unwrap_or(id.0);
        Some((own, on_processor(&text("schedstat")?)?))
    });
    each.collect()
}

/// The first number of a line of `schedstat`, in nanoseconds.
fn on_processor(schedstat: &str) -> Option<Duration> {
    let nanos = schedstat.split_whitespace().next()?.parse().ok()?;
    Some(Duration::from_nanos(nanos))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::hint::black_box;

    #[test]
    fn who_runs_has_run_longer_and_who_waits_has_not() {
        let ours = Process::new(Pid(std::process::id()));
        let (end, told) = std::sync::mpsc::channel::<()>();
        let (say, began) = std::sync::mpsc::channel();
        let waiter = std::thread::spawn(move || {
            let _ = say.send(fs::read_link("/proc/thread-self"));
            let _ = told.recv();
        });
        let link = began.recv().expect("it runs").expect("there is /proc");
        let id = link.file_name().and_then(|id| id.to_str()?.parse().ok());
        let id: u32 = id.expect("a number");
        std::thread::sleep(Duration::from_millis(20));
        let before = of(&ours);
        let all = |spent: &BTreeMap<u32, Duration>| spent.values().sum::<Duration>();
        let mut after = of(&ours);
        while all(&after) < all(&before) + Duration::from_millis(1) {
            black_box((0..100_000).map(black_box).sum::<u64>());
            after = of(&ours);
        }
        assert_eq!(before[&id], after[&id]);
        drop(end);
        waiter.join().expect("it ends in order");
    }

    #[test]
    fn the_first_number_counts() {
        let read = on_processor("1234567 890 12\n");
        assert_eq!(read, Some(Duration::from_nanos(1_234_567)));
        assert_eq!(on_processor(""), None);
    }
}
