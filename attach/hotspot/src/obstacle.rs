//! What can be seen from outside of why a JVM that is asked to listen makes no socket.

use std::fs;
use std::os::fd::AsFd;

use rustix::fs::{StatVfsMountFlags, fstatvfs};

use crate::namespace;
use crate::process::Process;
use crate::status::Status;

/// Whether nothing can be made in a directory, by anybody, as long as it is mounted as it is.
pub(crate) fn read_only(tmp: impl AsFd) -> Option<String> {
    let mount = fstatvfs(tmp).ok()?;
    let read_only = mount.f_flag.contains(StatVfsMountFlags::RDONLY);
    read_only.then(|| "its /tmp is mounted read-only".to_owned())
}

/// What may be the reason just now: some of it may be over in a moment, and not every JVM minds the rest.
pub(crate) fn possible(process: &Process, tmp: impl AsFd) -> Option<String> {
    let nameless = || nameless(process, &process.status().ok()?);
    full(tmp)
        .or_else(|| out_of_files(process))
        .or_else(nameless)
}

/// From JDK 9 on a JVM gives its socket away to its own user and group, which takes numbers for both.
fn nameless(process: &Process, status: &Status) -> Option<String> {
    let lacks = |what, map, id| {
        let numbers = fs::read_to_string(process.path(map)).ok()?;
        let unknown = namespace::id_inside(&numbers, id).is_none();
        unknown.then(|| format!("its {what} {id} has no number in its user namespace ({map})"))
    };
    lacks("user", "uid_map", status.uid).or_else(|| lacks("group", "gid_map", status.gid))
}

/// A socket needs an inode and no block. Some file systems don't count inodes: they have 0 of 0.
fn full(tmp: impl AsFd) -> Option<String> {
    let mount = fstatvfs(tmp).ok()?;
    let full = mount.f_files > 0 && mount.f_favail == 0;
    full.then(|| "its /tmp has room for no more files".to_owned())
}

fn out_of_files(process: &Process) -> Option<String> {
    let limit = open_files_limit(&fs::read_to_string(process.path("limits")).ok()?)?;
    let open = fs::read_dir(process.path("fd")).ok()?.count();
    (open as u64 >= limit).then(|| format!("it has opened all {limit} files it may (ulimit -n)"))
}

/// The soft limit, in the text of `/proc/PID/limits`.
fn open_files_limit(limits: &str) -> Option<u64> {
    let line = limits
        .lines()
        .find_map(|l| l.strip_prefix("Max open files"));
    line?.split_whitespace().next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::jvm::Pid;

    #[test]
    fn the_limit_is_the_soft_one() {
        let text = "Limit                     Soft Limit           Hard Limit           Units\n\
                    Max core file size        0                    unlimited            bytes\n\
                    Max open files            64                   524288               files\n";
        assert_eq!(open_files_limit(text), Some(64));
        let unlimited = text.replace("64  ", "unlimited  ");
        assert_eq!(open_files_limit(&unlimited), None);
        assert_eq!(open_files_limit(""), None);
    }

    #[test]
    fn a_file_system_that_counts_nothing_is_not_full() {
        let proc = fs::File::open("/proc/self").expect("a directory");
        assert_eq!(full(&proc), None);
    }

    #[test]
    fn this_process_lacks_nothing() {
        let us = Process::new(Pid(std::process::id()));
        assert_eq!(out_of_files(&us), None);
        assert_eq!(nameless(&us, &us.status().expect("we run")), None);
    }
}
