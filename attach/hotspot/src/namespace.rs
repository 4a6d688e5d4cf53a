//! Namespaces: whether a process lives in ours, and what our ids are called in its.

use std::fs;
use std::os::linux::fs::MetadataExt;

use crate::process::Process;

/// Whether the process has another pid or mount namespace than we. Where the kernel won't show its
/// namespaces, only what its pids give away.
pub(crate) fn foreign(process: &Process, ns_pids: &[u32]) -> bool {
    let other = |kind| differs(process, kind).unwrap_or(false);
    ns_pids.len() > 1 || other("pid") || other("mnt")
}

/// Whether the process has another namespace of this kind; `None` if it can't be seen.
pub(crate) fn differs(process: &Process, kind: &str) -> Option<bool> {
    let theirs = fs::metadata(process.path(&format!("ns/{kind}"))).ok()?;
    let ours = fs::metadata(format!("/proc/self/ns/{kind}")).ok()?;
    Some((theirs.st_ino(), theirs.st_dev()) != (ours.st_ino(), ours.st_dev()))
}

/// What an id of our user namespace is called inside another, by the text of its `uid_map` or
/// `gid_map`.
pub(crate) fn id_inside(map: &str, ours: u32) -> Option<u32> {
    map.lines().find_map(|line| {
        let mut numbers = line.split_whitespace().map(|n| n.parse::<u32>().ok());
        let (inside, outside, count) = (numbers.next()??, numbers.next()??, numbers.next()??);
        let at = ours.checked_sub(outside)?;
        (at < count).then(|| inside.checked_add(at)).flatten()
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn ids_of_a_rootless_container() {
        let map = "         0       1000          1\n         1     100000      65536\n";
        assert_eq!(id_inside(map, 1000), Some(0));
        assert_eq!(id_inside(map, 100_998), Some(999));
        assert_eq!(id_inside(map, 1001), None);
        assert_eq!(id_inside("", 0), None);
    }

    #[test]
    fn we_are_no_foreigners_to_ourselves() {
        let me = Process::new(crate::Pid(std::process::id()));
        assert_eq!(differs(&me, "mnt"), Some(false));
    }

    proptest! {
        #[test]
        fn an_id_maps_to_where_it_came_from(inside: u32, outside: u32, count: u32, at: u32) {
            prop_assume!(at < count);
            if let (Some(ours), Some(theirs)) = (outside.checked_add(at), inside.checked_add(at)) {
                prop_assert_eq!(id_inside(&format!("{inside} {outside} {count}"), ours), Some(theirs));
            }
        }

        #[test]
        fn no_text_makes_it_panic(text in "(?s).{0,99}", id: u32) {
            let _ = id_inside(&text, id);
        }
    }
}
