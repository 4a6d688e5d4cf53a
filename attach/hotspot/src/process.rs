//! A process seen through `/proc`: raw reads, no judgement.

use rustix::time::{ClockId, clock_gettime};
use std::fs;
use std::io;
use std::path::PathBuf;
use std::time::Duration;

use crate::cgroup::{self, MemoryFiles};
use crate::jvm::Pid;
use crate::status::{self, Status};

/// The unit of times in `/proc`, the same on every architecture Rust's Linux targets run on.
const TICKS_PER_SECOND: u64 = 100;

/// A place in `/proc`. Holding one promises nothing: the process may end, and its pid be used
/// again, at any time.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Process {
    pid: Pid,
}

impl Process {
    pub(crate) fn new(pid: Pid) -> Process {
        Process { pid }
    }

    /// `/proc/PID/entry`.
    pub(crate) fn path(&self, entry: &str) -> PathBuf {
        PathBuf::from(format!("/proc/{}/{entry}", self.pid))
    }

    /// The status; absent when the pid is free or belongs to a mere thread.
    pub(crate) fn status(&self) -> io::Result<Status> {
        let gone = || io::Error::from_raw_os_error(libc::ESRCH);
        let text = self.text("status")?;
        let status = Status::parse(&text).ok_or_else(gone)?;
        match status.tgid == self.pid.0 {
            true => Ok(status),
            false => Err(gone()),
        }
    }

    /// When the process began, in clock ticks since boot: with the pid, its identity.
    pub(crate) fn start_time(&self) -> io::Result<u64> {
        let text = self.text("stat")?;
        start_time(&text).ok_or_else(|| io::Error::from_raw_os_error(libc::ESRCH))
    }

    /// Processor time that it has taken, by threads that have ended too; none if it has gone.
    pub(crate) fn processor_time(&self) -> Option<Duration> {
        processor_time(&self.text("stat").ok()?)
    }

    pub(crate) fn maps(&self) -> io::Result<String> {
        self.text("maps")
    }

    pub(crate) fn cgroup(&self) -> io::Result<String> {
        self.text("cgroup")
    }

    /// Whether its control group is frozen, as a paused container is: then it neither runs nor
    /// shows it in its state.
    pub(crate) fn frozen(&self) -> bool {
        let groups = self.cgroup().unwrap_or_default();
        cgroup::freezer_files(&groups)
            .into_iter()
            .filter_map(|file| fs::read_to_string(file).ok())
            .any(|text| cgroup::says_frozen(&text))
    }

    /// The tightest of its control groups' memory limits, if there is any.
    pub(crate) fn room(&self) -> Option<Room> {
        let groups = self.cgroup().ok()?;
        let read = |file: &str| fs::read_to_string(file).ok();
        let room = |files: MemoryFiles| {
            let limit = cgroup::memory_limit(&read(&files.limit)?)?;
            let taken: u64 = read(&files.used)?.trim().parse().ok()?;
            let droppable = cgroup::droppable(&read(&files.stat).unwrap_or_default());
            let used = taken.saturating_sub(droppable);
            Some(Room { limit, used })
        };
        let rooms = cgroup::memory_files(&groups).into_iter().filter_map(room);
        rooms.min_by_key(Room::left)
    }

    /// How long the process has been there.
    pub(crate) fn age(&self) -> io::Result<Duration> {
        // Not of /proc/uptime, which some containers make up.
        let now = clock_gettime(ClockId::Boottime);
        let seconds = u64::try_from(now.tv_sec).unwrap_or(0);
        let start = Duration::from_secs(self.start_time()? / TICKS_PER_SECOND);
        Ok(Duration::from_secs(seconds).saturating_sub(start))
    }

    /// Whether one of its threads has this name, of which the kernel keeps fifteen bytes.
    pub(crate) fn has_thread(&self, name: &str) -> bool {
        let tasks = fs::read_dir(self.path("task"))
            .into_iter()
            .flatten()
            .flatten();
        let mut names = tasks.filter_map(|task| fs::read_to_string(task.path().join("comm")).ok());
        names.any(|found| found.trim_end() == name)
    }

    /// Command line, launcher first; empty for a zombie or a kernel thread.
    pub(crate) fn command_line(&self) -> Vec<String> {
        self.words("cmdline")
    }

    /// A variable of the environment the process was started with.
    pub(crate) fn variable(&self, name: &str) -> Option<String> {
        let entries = self.words("environ");
        let value = entries
            .iter()
            .find_map(|e| e.strip_prefix(name)?.strip_prefix('='));
        value.map(str::to_owned)
    }

    /// File name of the program that runs.
    pub(crate) fn program(&self) -> Option<String> {
        let exe = fs::read_link(self.path("exe")).ok()?;
        let name = exe.file_name()?.to_string_lossy().into_owned();
        Some(name.trim_end_matches(" (deleted)").to_owned())
    }

    /// A path as `maps` shows it, as the process itself would write it: they differ by a chroot.
    pub(crate) fn path_in_target(&self, path: &str) -> String {
        let root = fs::read_link(self.path("root")).unwrap_or_default();
        let inner = root.to_str().and_then(|root| path.strip_prefix(root));
        match inner {
            Some(inner) if inner.starts_with('/') => inner.to_owned(),
            _ => path.to_owned(),
        }
    }

    fn text(&self, entry: &str) -> io::Result<String> {
        let bytes = fs::read(self.path(entry))?;
        Ok(String::from_utf8_lossy(&bytes).into_owned())
    }

    fn words(&self, entry: &str) -> Vec<String> {
        let bytes = fs::read(self.path(entry)).unwrap_or_default();
        let whole = bytes.strip_suffix(b"\0").unwrap_or(&bytes);
        if whole.is_empty() {
            return Vec::new();
        }
        whole
            .split(|b| *b == 0)
            .map(|w| String::from_utf8_lossy(w).into_owned())
            .collect()
    }
}

/// What a control group allows its processes together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Room {
    /// Bytes of memory it may take.
    pub limit: u64,
    /// Bytes it takes, without pages of files that can be dropped.
    pub used: u64,
}

impl Room {
    /// Bytes that are left.
    #[must_use]
    pub fn left(&self) -> u64 {
        self.limit.saturating_sub(self.used)
    }
}

/// The tightest memory limit of the control groups that a process is in, of those that can be seen from
/// here; none if nothing limits it.
#[must_use]
pub fn room(pid: Pid) -> Option<Room> {
    Process::new(pid).room()
}

/// Whether a process has a thread of this native name.
#[must_use]
pub fn has_thread(pid: Pid, name: &str) -> bool {
    Process::new(pid).has_thread(name)
}

/// Why a process does nothing until somebody lets it run again; none if it may run.
#[must_use]
pub fn halted(pid: Pid) -> Option<&'static str> {
    let process = Process::new(pid);
    let status = process.status().ok()?;
    let stopped = status.unable_to_answer().filter(|_| status.stopped());
    stopped.or_else(|| process.frozen().then_some("frozen with its control group"))
}

/// Field 22 of a stat line, counted from behind the name, which may contain anything.
fn start_time(stat: &str) -> Option<u64> {
    let (_, behind) = stat.rsplit_once(')')?;
    behind.split_whitespace().nth(19)?.parse().ok()
}

/// Fields 14 and 15 of a stat line: the time taken by a process or a thread.
pub(crate) fn processor_time(stat: &str) -> Option<Duration> {
    let (_, behind) = stat.rsplit_once(')')?;
    let mut fields = behind.split_whitespace().skip(11);
    let mut ticks = || fields.next()?.parse::<u64>().ok();
    let ticks = ticks()?.checked_add(ticks()?)?;
    Some(Duration::from_millis(
        ticks.saturating_mul(1000 / TICKS_PER_SECOND),
    ))
}

/// The process that started this one, or that has taken it over.
pub(crate) fn parent(pid: Pid) -> Option<Pid> {
    let text = Process::new(pid).text("status").ok()?;
    status::parent(&text).map(Pid)
}

/// Every pid there is, as far as we may see.
pub(crate) fn all_pids() -> Vec<Pid> {
    let entries = fs::read_dir("/proc").into_iter().flatten().flatten();
    let names = entries.filter_map(|e| e.file_name().to_str()?.parse().ok());
    let mut pids: Vec<Pid> = names.map(Pid).collect();
    pids.sort_unstable();
    pids
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_with_parentheses_does_not_shift_the_fields() {
        let tail: Vec<String> = (4..=30).map(|n| n.to_string()).collect();
        let stat = format!("17 (a) S (b) ) S {}", tail.join(" "));
        assert_eq!(start_time(&stat), Some(22));
        assert_eq!(processor_time(&stat), Some(Duration::from_millis(290)));
    }

    #[test]
    fn we_exist_and_an_impossible_pid_does_not() {
        let me = Process::new(Pid(std::process::id()));
        assert_eq!(
            me.status().expect("our own status").tgid,
            std::process::id()
        );
        assert!(me.start_time().expect("our own start") > 0);
        assert!(all_pids().contains(&Pid(std::process::id())));
        assert!(Process::new(Pid(u32::MAX)).status().is_err());
    }
}
