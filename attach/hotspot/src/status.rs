//! What `/proc/PID/status` says of a process: who it is, whether it runs, which signals it catches.
//!
//! Pure: text in, value out. The pids and uids are those of the reader's own namespaces.

/// Bit of `SigCgt` for SIGQUIT, the signal HotSpot takes as "look for an attach request".
const SIGQUIT_BIT: u64 = 0x4;

/// The fields of `/proc/PID/status` that matter here.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Status {
    /// The thread group, that is the process, the entry belongs to.
    pub(crate) tgid: u32,
    /// One letter: R, S, D, T, t, Z, X …
    pub(crate) state: char,
    /// The pid in each pid namespace, ours first, the target's own last.
    pub(crate) ns_pids: Vec<u32>,
    /// Effective user: HotSpot compares a caller's credentials with its effective ones.
    pub(crate) uid: u32,
    /// Effective group.
    pub(crate) gid: u32,
    /// Signals with a handler.
    pub(crate) caught: u64,
}

impl Status {
    /// Reads the text of a status file; `None` when a field is missing or malformed.
    pub(crate) fn parse(text: &str) -> Option<Status> {
        let tgid = field(text, "Tgid")?.parse().ok()?;
        // Kernels before 4.1 have no NSpid; they show the same pid to everybody we can see.
        let ns_pids = field(text, "NSpid").map_or(Some(vec![tgid]), numbers)?;
        Some(Status {
            tgid,
            state: field(text, "State")?.chars().next()?,
            ns_pids,
            uid: *numbers(field(text, "Uid")?)?.get(1)?,
            gid: *numbers(field(text, "Gid")?)?.get(1)?,
            caught: u64::from_str_radix(field(text, "SigCgt")?, 16).ok()?,
        })
    }

    /// The target's pid as the target itself knows it.
    pub(crate) fn ns_pid(&self) -> u32 {
        self.ns_pids.last().copied().unwrap_or(self.tgid)
    }

    /// Whether SIGQUIT would be handled rather than kill the process.
    pub(crate) fn catches_quit(&self) -> bool {
        self.caught & SIGQUIT_BIT != 0
    }

    /// In words, when the process is in a state in which it cannot answer.
    pub(crate) fn unable_to_answer(&self) -> Option<&'static str> {
        match self.state {
            'T' => Some("stopped by a signal (state T)"),
            't' => Some("stopped by a debugger (state t)"),
            'Z' => Some("a zombie (state Z)"),
            'X' | 'x' => Some("dead (state X)"),
            'D' => Some("in uninterruptible sleep (state D)"),
            _ => None,
        }
    }

    /// Whether a signal would stay pending until somebody lets the process run again.
    pub(crate) fn stopped(&self) -> bool {
        matches!(self.state, 'T' | 't')
    }

    /// Whether the process has ended, even if its parent has not noticed yet.
    pub(crate) fn ended(&self) -> bool {
        matches!(self.state, 'Z' | 'X' | 'x')
    }
}

/// The process that started it, or that has taken it over.
pub(crate) fn parent(text: &str) -> Option<u32> {
    field(text, "PPid")?.parse().ok()
}

fn field<'a>(text: &'a str, name: &str) -> Option<&'a str> {
    text.lines()
        .find_map(|line| line.strip_prefix(name)?.strip_prefix(':'))
        .map(str::trim)
}

fn numbers(text: &str) -> Option<Vec<u32>> {
    text.split_whitespace().map(|n| n.parse().ok()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const TEXT: &str = "Name:\tjava\nUmask:\t0022\nState:\tS (sleeping)\nTgid:\t4711\nPid:\t4711\n\
        Uid:\t1000\t1001\t1002\t1003\nGid:\t100\t101\t102\t103\nNSpid:\t4711\t27\t1\n\
        SigCgt:\t2000000181005ccf\n";

    #[test]
    fn effective_ids_and_innermost_pid_are_taken() {
        let status = Status::parse(TEXT).expect("a whole status file");
        assert_eq!((status.uid, status.gid), (1001, 101));
        assert_eq!((status.tgid, status.ns_pid()), (4711, 1));
        assert!(status.catches_quit());
        assert_eq!(status.unable_to_answer(), None);
    }

    #[test]
    fn a_missing_quit_handler_shows() {
        let text = TEXT.replace("2000000181005ccf", "2000000181005ccb");
        assert!(!Status::parse(&text).expect("whole").catches_quit());
    }

    #[test]
    fn a_parent_is_told_where_it_is_known() {
        let text = TEXT.replace("Pid:\t4711\n", "Pid:\t4711\nPPid:\t42\n");
        assert_eq!((parent(&text), parent(TEXT)), (Some(42), None));
    }

    #[test]
    fn without_nspid_the_pid_is_the_pid() {
        let text = TEXT.replace("NSpid:\t4711\t27\t1\n", "");
        assert_eq!(Status::parse(&text).expect("whole").ns_pid(), 4711);
    }

    #[test]
    fn a_process_name_cannot_forge_a_field() {
        let text = TEXT.replace("Name:\tjava", "Name:\tx SigCgt:\t0");
        assert!(Status::parse(&text).expect("whole").catches_quit());
    }

    proptest! {
        #[test]
        fn no_text_makes_it_panic(text in "(?s).{0,400}") {
            let _ = Status::parse(&text);
        }

        #[test]
        fn every_field_comes_back(tgid: u32, inner: u32, uid: u32, gid: u32, caught: u64, state in "[RSDTtZX]") {
            let text = format!(
                "State:\t{state} (x)\nTgid:\t{tgid}\nUid:\t1\t{uid}\t2\t3\nGid:\t1\t{gid}\t2\t3\nNSpid:\t{tgid}\t{inner}\nSigCgt:\t{caught:016x}\n"
            );
            let status = Status::parse(&text).expect("whole");
            prop_assert_eq!((status.tgid, status.ns_pid(), status.uid, status.gid), (tgid, inner, uid, gid));
            prop_assert_eq!(status.caught, caught);
            prop_assert_eq!(status.catches_quit(), caught & 4 == 4);
            prop_assert_eq!(status.state.to_string(), state);
        }
    }
}
