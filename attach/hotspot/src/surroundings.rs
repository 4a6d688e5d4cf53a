//! What holds for every JVM of this machine: whose processes we see, and what we may do with them.

use std::fs;
use std::os::linux::fs::MetadataExt;

use rustix::process::geteuid;

/// The number of the first pid namespace, the kernel's own constant (`PROC_PID_INIT_INO`).
const FIRST_PID_NAMESPACE: u64 = 0xeffffffc;

/// The rights that reaching another user's JVM takes, with the kernel's numbers.
const NEEDED: [(&str, u32); 4] = [
    ("CAP_KILL", 5),
    ("CAP_SETGID", 6),
    ("CAP_SETUID", 7),
    ("CAP_SYS_PTRACE", 19),
];

/// Which processes `/proc` shows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Sight {
    /// All of our pid namespace.
    All,
    /// Those of others only to who may debug them: the mount has this option.
    Hidden(String),
    /// None that we could speak of: it is not mounted, or is that of another pid namespace.
    None,
}

/// See the module.
#[derive(Debug, Clone)]
pub struct Surroundings {
    /// Our effective user.
    pub uid: u32,
    /// Which processes are seen.
    pub sight: Sight,
    /// We are in a pid namespace below another one: what runs outside of it is not seen.
    pub contained: bool,
    /// Rights we lack of those that another user's JVM takes.
    pub lacking: Vec<&'static str>,
}

/// Looks around. Touches no JVM.
pub fn surroundings() -> Surroundings {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mounts = fs::read_to_string("/proc/self/mountinfo").unwrap_or_default();
    let namespace = fs::metadata("/proc/self/ns/pid").map(|ns| ns.st_ino());
    Surroundings {
        uid: geteuid().as_raw(),
        sight: match own_pid() == Some(std::process::id()) {
            true => sight(&mounts),
            false => Sight::None,
        },
        contained: namespace.is_ok_and(|number| number != FIRST_PID_NAMESPACE),
        lacking: lacking(&status),
    }
}

/// Our number as `/proc` has it.
fn own_pid() -> Option<u32> {
    let link = fs::read_link("/proc/self").ok()?;
    link.to_str()?.parse().ok()
}

/// By the text of `mountinfo`; the last mount at a place covers the others.
fn sight(mounts: &str) -> Sight {
    let of_proc = mounts
        .lines()
        .rfind(|line| line.split(' ').nth(4) == Some("/proc"));
    let options = of_proc.and_then(|line| line.split_once(" - ")?.1.split(' ').nth(2));
    let mut options = options.unwrap_or_default().split(',');
    let hiding = options.find_map(|option| option.strip_prefix("hidepid="));
    match hiding {
        None | Some("0" | "off") => Sight::All,
        Some(how) => Sight::Hidden(format!("hidepid={how}")),
    }
}

/// By the text of a status file; where it does not say, all of them.
fn lacking(status: &str) -> Vec<&'static str> {
    let effective = status.lines().find_map(|line| line.strip_prefix("CapEff:"));
    let held = effective.and_then(|held| u64::from_str_radix(held.trim(), 16).ok());
    let held = held.unwrap_or(0);
    let missing = NEEDED.iter().filter(|(_, number)| held >> number & 1 == 0);
    missing.map(|(name, _)| *name).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn we_see_ourselves() {
        let here = surroundings();
        assert_ne!(here.sight, Sight::None);
        assert_eq!(here.uid, geteuid().as_raw());
    }

    #[test]
    fn a_proc_that_hides_is_told() {
        let line =
            |options| format!("22 1 0:20 / /proc rw,nosuid shared:5 - proc proc rw{options}\n");
        assert_eq!(sight(&line("")), Sight::All);
        assert_eq!(sight(&line(",hidepid=off")), Sight::All);
        let hidden = |how: &str| Sight::Hidden(format!("hidepid={how}"));
        assert_eq!(sight(&line(",gid=4,hidepid=2")), hidden("2"));
        let covered = line(",hidepid=invisible") + &line("");
        assert_eq!(sight(&covered), Sight::All, "the later one counts");
        assert_eq!(sight("22 1 0:20 /"), Sight::All, "a line cut short");
    }

    #[test]
    fn rights_are_read_by_number() {
        assert!(lacking("CapEff:\t000001ffffffffff\n").is_empty());
        assert_eq!(
            lacking("CapEff:\t0000000000080020\n"),
            ["CAP_SETGID", "CAP_SETUID"]
        );
        assert_eq!(lacking("").len(), NEEDED.len());
    }
}
