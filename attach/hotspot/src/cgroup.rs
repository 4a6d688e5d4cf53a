//! What the control groups of a process tell: its container, whether it is paused, and its memory.
//!
//! Pure. Recognises how Docker, Podman, containerd, CRI-O, Kubernetes, LXC and systemd-nspawn name
//! their groups; anything else is no container as far as we know.

/// How many characters of a 64-digit id `docker ps` and its like show.
const SHORT_ID: usize = 12;

/// Short id or name of the container in the text of `/proc/PID/cgroup`.
pub(crate) fn container(text: &str) -> Option<String> {
    text.lines()
        .filter_map(|line| line.splitn(3, ':').nth(2))
        .find_map(|path| {
            path.rsplit('/')
                .find_map(|part| id(part).or_else(|| name(part, path)))
        })
}

/// The files that say whether the groups in the text of `/proc/PID/cgroup` are frozen: one for the
/// unified hierarchy, one for the old freezer.
pub(crate) fn freezer_files(text: &str) -> Vec<String> {
    let file = |line: &str| {
        let mut fields = line.splitn(3, ':');
        let (id, controllers, path) = (fields.next()?, fields.next()?, fields.next()?);
        match (id, controllers) {
            ("0", "") => Some(format!("/sys/fs/cgroup{path}/cgroup.events")),
            (_, "freezer") => Some(format!("/sys/fs/cgroup/freezer{path}/freezer.state")),
            _ => None,
        }
    };
    text.lines().filter_map(file).collect()
}

/// Reads the text of such a file.
pub(crate) fn says_frozen(text: &str) -> bool {
    text.lines()
        .any(|line| matches!(line.trim(), "frozen 1" | "FROZEN" | "FREEZING"))
}

/// The files of one group that say what memory it may take and takes.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct MemoryFiles {
    /// The most it may take.
    pub(crate) limit: String,
    /// What it takes.
    pub(crate) used: String,
    /// What of that is what.
    pub(crate) stat: String,
}

/// Those of the groups in the text of `/proc/PID/cgroup`, and of the groups these are in.
pub(crate) fn memory_files(text: &str) -> Vec<MemoryFiles> {
    let groups = |line: &str| {
        let mut fields = line.splitn(3, ':');
        let (id, controllers, path) = (fields.next()?, fields.next()?, fields.next()?);
        let (root, limit, used) = match id {
            "0" if controllers.is_empty() => ("/sys/fs/cgroup", "memory.max", "memory.current"),
            _ if controllers.split(',').any(|c| c == "memory") => (
                "/sys/fs/cgroup/memory",
                "memory.limit_in_bytes",
                "memory.usage_in_bytes",
            ),
            _ => return None,
        };
        let inwards = path.split('/').filter(|part| !part.is_empty());
        let mut folder = root.to_owned();
        let mut folders = vec![folder.clone()];
        for part in inwards {
            folder = format!("{folder}/{part}");
            folders.push(folder.clone());
        }
        let files = move |folder: String| MemoryFiles {
            limit: format!("{folder}/{limit}"),
            used: format!("{folder}/{used}"),
            stat: format!("{folder}/memory.stat"),
        };
        Some(folders.into_iter().rev().map(files))
    };
    text.lines().filter_map(groups).flatten().collect()
}

/// Reads a limit; none where there is no limit: `max`, and numbers no machine has.
pub(crate) fn memory_limit(text: &str) -> Option<u64> {
    const NO_MACHINE: u64 = 1 << 60;
    text.trim().parse().ok().filter(|&limit| limit < NO_MACHINE)
}

/// Of what a group takes, pages of files that can be dropped when room is wanted.
pub(crate) fn droppable(stat: &str) -> u64 {
    let of = |name: &str| {
        let line = |line: &str| line.strip_prefix(name)?.trim().parse().ok();
        stat.lines().find_map(line)
    };
    of("total_inactive_file ")
        .or_else(|| of("inactive_file "))
        .unwrap_or(0)
}

/// `docker-<64 hex>.scope`, `cri-containerd-<64 hex>.scope`, `<64 hex>` …
fn id(part: &str) -> Option<String> {
    let part = part.strip_suffix(".scope").unwrap_or(part);
    let digits = part.rsplit(['-', ':']).next().unwrap_or(part);
    let whole = digits.len() == 64 && digits.bytes().all(|b| b.is_ascii_hexdigit());
    whole.then(|| digits[..SHORT_ID].to_owned())
}

/// `lxc.payload.NAME`, `lxc/NAME`, `machine-NAME.scope`.
fn name(part: &str, path: &str) -> Option<String> {
    let lxc = part.strip_prefix("lxc.payload.");
    let machine = part
        .strip_prefix("machine-")
        .and_then(|m| m.strip_suffix(".scope"));
    let old_lxc = path
        .strip_prefix("/lxc/")
        .and_then(|rest| rest.split('/').next());
    lxc.or(machine)
        .or(old_lxc)
        .filter(|n| !n.is_empty())
        .map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const ID: &str = "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef";

    #[test]
    fn the_usual_engines_are_recognised() {
        for path in [
            format!("0::/system.slice/docker-{ID}.scope"),
            format!("12:memory:/docker/{ID}\n0::/"),
            format!("0::/machine.slice/libpod-{ID}.scope/container"),
            format!("0::/kubepods.slice/kubepods-pod1_2.slice/cri-containerd-{ID}.scope"),
            format!("1:name=systemd:/kubepods/burstable/pod12/{ID}"),
            format!("0::/kubepods-besteffort-pod9.slice:cri-containerd:{ID}"),
        ] {
            assert_eq!(container(&path).as_deref(), Some("0123456789ab"), "{path}");
        }
        assert_eq!(
            container("0::/lxc.payload.web/init.scope").as_deref(),
            Some("web")
        );
        assert_eq!(container("4:cpu:/lxc/web/x").as_deref(), Some("web"));
        assert_eq!(
            container("0::/machine.slice/machine-db.scope/payload").as_deref(),
            Some("db")
        );
    }

    #[test]
    fn no_container_is_none() {
        for text in [
            "",
            "0::/",
            "0::/user.slice/user-1000.slice/session-2.scope",
            "nonsense",
        ] {
            assert_eq!(container(text), None, "{text}");
        }
    }

    #[test]
    fn frozen_groups_are_known_in_both_hierarchies() {
        let files = freezer_files("7:freezer:/docker/a\n3:cpu,cpuacct:/x\n0::/b:c\nnonsense");
        let expected = [
            "/sys/fs/cgroup/freezer/docker/a/freezer.state",
            "/sys/fs/cgroup/b:c/cgroup.events",
        ];
        assert_eq!(files, expected);
        assert!(says_frozen("populated 1\nfrozen 1\n") && says_frozen("FROZEN\n"));
        assert!(!says_frozen("populated 1\nfrozen 0\n") && !says_frozen("THAWED\n"));
    }

    #[test]
    fn memory_is_asked_of_a_group_and_of_those_around_it() {
        let limits = |text| {
            let files = memory_files(text).into_iter();
            files.map(|f| f.limit).collect::<Vec<_>>()
        };
        let unified = ["/a/b/", "/a/", "/"].map(|p| format!("/sys/fs/cgroup{p}memory.max"));
        assert_eq!(limits("0::/a/b"), unified);
        let old = ["/docker/x/", "/docker/", "/"]
            .map(|p| format!("/sys/fs/cgroup/memory{p}memory.limit_in_bytes"));
        assert_eq!(limits("7:cpu:/\n4:hugetlb,memory:/docker/x\nnonsense"), old);
    }

    #[test]
    fn limits_and_droppable_pages_are_read() {
        assert_eq!(memory_limit("536870912\n"), Some(512 << 20));
        assert_eq!((memory_limit("max\n"), memory_limit("")), (None, None));
        assert_eq!(memory_limit("9223372036854771712\n"), None);
        assert_eq!(
            droppable("anon 5\ninactive_file 4096\nactive_file 7\n"),
            4096
        );
        let old = "inactive_file 1\ntotal_inactive_file 9\n";
        assert_eq!((droppable(old), droppable("")), (9, 0));
    }

    proptest! {
        #[test]
        fn no_text_makes_it_panic(text in "(?s).{0,200}") {
            let _ = (container(&text), freezer_files(&text), says_frozen(&text));
            let _ = (memory_files(&text), memory_limit(&text), droppable(&text));
        }
    }
}
