//! Why a JVM could not be attached to: the place, the cause, and what to do next.
//!
//! Every text here has its entry in `docs/troubleshooting.md`; a test of the command holds them together.

use std::io;
use std::time::Duration;

use crate::jvm::{Pid, VmKind};
use crate::machine::Machine;
use crate::reply::ReplyError;
use crate::request::RequestError;

/// Why attaching, or asking through an open door, failed.
#[derive(Debug, thiserror::Error)]
pub enum AttachError {
    /// The pid is free.
    #[error("process {pid} does not exist")]
    NoSuchProcess {
        /// The pid.
        pid: Pid,
    },
    /// No VM's library is mapped.
    #[error("process {pid} is not a JVM: it has no libjvm.so mapped")]
    NotAJvm {
        /// The pid.
        pid: Pid,
    },
    /// A VM with another protocol.
    #[error("process {pid} runs {vm}, not HotSpot")]
    UnsupportedVm {
        /// The pid.
        pid: Pid,
        /// What it runs.
        vm: VmKind,
    },
    /// The target's owner has forbidden attaching. No signal was sent.
    #[error("JVM {pid} was started with attaching disabled: {by}")]
    Disabled {
        /// The pid.
        pid: Pid,
        /// The option and where it stands.
        by: String,
    },
    /// SIGQUIT would kill it, and it has no socket. No signal was sent.
    #[error("JVM {pid} runs with reduced signals and has no attach socket: {by}")]
    SignalsReduced {
        /// The pid.
        pid: Pid,
        /// The option and where it stands.
        by: String,
    },
    /// It does not handle SIGQUIT yet, and did not within the limit. No signal was sent.
    #[error("JVM {pid} is still starting after {waited:.1?}")]
    StillStarting {
        /// The pid.
        pid: Pid,
        /// How long we waited.
        waited: Duration,
    },
    /// We may not do what is needed.
    #[error("no permission to attach to process {pid} of user {uid}: {doing}: {cause}")]
    NoPermission {
        /// The pid.
        pid: Pid,
        /// Whose process it is.
        uid: u32,
        /// What was being done.
        doing: String,
        /// The kernel's word.
        cause: io::Error,
    },
    /// It did not answer within the limit.
    #[error(
        "JVM {pid} did not answer within {waited:.1?} ({doing}){}",
        in_state(state)
    )]
    TimedOut {
        /// The pid.
        pid: Pid,
        /// What we waited for.
        doing: String,
        /// How long.
        waited: Duration,
        /// Its state when that explains the silence.
        state: Option<String>,
    },
    /// The caller did not want to wait any longer.
    #[error("interrupted before JVM {pid} answered ({doing}){}", in_state(state))]
    Interrupted {
        /// The pid.
        pid: Pid,
        /// What we waited for.
        doing: String,
        /// Its state when that explains the silence.
        state: Option<String>,
    },
    /// A socket of its name exists that is not its own, and the JVM did not replace it.
    #[error("the attach socket {path} is not served by JVM {pid}, and the JVM does not replace it")]
    StaleSocket {
        /// The pid.
        pid: Pid,
        /// The socket, as the target sees it.
        path: String,
    },
    /// Something keeps the JVM from making it.
    #[error("JVM {pid} cannot make its attach socket {path}: {why}")]
    NoSocket {
        /// The pid.
        pid: Pid,
        /// The socket, as the target sees it.
        path: String,
        /// What keeps it from that.
        why: String,
    },
    /// A library for another machine. Nothing was sent.
    #[error("the agent, built for {ours}, does not fit JVM {pid}, which is {theirs} code")]
    OtherMachine {
        /// The pid.
        pid: Pid,
        /// What the JVM is built for.
        theirs: Machine,
        /// What the library is built for.
        ours: Machine,
    },
    /// Another C library than the agent's. Nothing was sent.
    #[error(
        "the agent, built for glibc, does not fit JVM {pid}, whose C library is musl ({linker})"
    )]
    OtherLibc {
        /// The pid.
        pid: Pid,
        /// The dynamic linker it runs with.
        linker: String,
    },
    /// It ended meanwhile.
    #[error("process {pid} ended during the attach ({doing})")]
    TargetDied {
        /// The pid.
        pid: Pid,
        /// What was being done.
        doing: String,
    },
    /// Anything else the system refused.
    #[error("process {pid}: {doing}: {cause}")]
    Io {
        /// The pid.
        pid: Pid,
        /// What was being done, with the path concerned.
        doing: String,
        /// The kernel's word.
        cause: io::Error,
    },
    /// What came back is no reply.
    #[error("JVM {pid} gave no valid answer to {command}: {cause}")]
    BadReply {
        /// The pid.
        pid: Pid,
        /// The command asked.
        command: String,
        /// What is wrong with it.
        cause: ReplyError,
    },
    /// The request cannot be put into the protocol. Nothing was sent.
    #[error("request not sent: {0}")]
    BadRequest(#[from] RequestError),
}

fn in_state(state: &Option<String>) -> String {
    state
        .as_ref()
        .map_or(String::new(), |state| format!("; it is {state}"))
}

impl AttachError {
    /// What the user can do next.
    pub fn hint(&self) -> String {
        match self {
            AttachError::NoPermission { uid, .. } => permission_hint(*uid),
            AttachError::StaleSocket { path, .. } => {
                format!("remove {path} in the target's file system, then try again")
            }
            other => other.advice().to_owned(),
        }
    }

    fn advice(&self) -> &'static str {
        match self {
            AttachError::NoSuchProcess { .. } => "`locklens list` shows the JVMs that run",
            AttachError::NotAJvm { .. } => {
                "`locklens list` shows the JVMs that run; a wrapper script or launcher may have \
                 started one as its child"
            }
            AttachError::UnsupportedVm { .. } => {
                "run the program on an OpenJDK (HotSpot) build, 8 to 25"
            }
            AttachError::Disabled { .. } => {
                "restart the target without that option, or record it from its start: \
                 `locklens record -- java …`"
            }
            AttachError::SignalsReduced { .. } => {
                "restart the target: its socket in /tmp was removed, perhaps by a cleaner of old \
                 files"
            }
            AttachError::StillStarting { .. } => "try again when it has started, or wait longer",
            AttachError::TimedOut { state: Some(_), .. }
            | AttachError::Interrupted { state: Some(_), .. } => {
                "let it run again (`kill -CONT`, detach the debugger, unpause the container), \
                 then try again"
            }
            AttachError::TimedOut { state: None, .. }
            | AttachError::Interrupted { state: None, .. } => {
                "it may be busy at a safepoint or short of CPU: try again or wait longer"
            }
            AttachError::NoSocket { .. } => {
                "mend that, or record it from its start: `locklens record -- java …`"
            }
            AttachError::OtherMachine { .. } => {
                "only `locklens attach` works on it, or a locklens built for that machine"
            }
            AttachError::OtherLibc { .. } => {
                "run it on a JVM for glibc (an image that is not Alpine's); what needs no agent works on it: \
                 `locklens deadlocks PID`, `locklens sample --no-agent`, `locklens attach`"
            }
            AttachError::TargetDied { .. } => "see the target's own output for why it ended",
            AttachError::BadReply { .. } => {
                "the JVM drops callers whose user or group is not its own; otherwise another \
                 program may serve its socket"
            }
            AttachError::BadRequest(_) => "shorten the arguments, for example the path of a file",
            _ => "docs/troubleshooting.md lists the known causes",
        }
    }
}

fn permission_hint(uid: u32) -> String {
    let owner = match (uid, crate::user::name(uid)) {
        (0, _) => String::new(),
        (_, Some(name)) => format!("{name} (uid {uid}) or as "),
        (_, None) => format!("user {uid} or as "),
    };
    format!("run locklens as {owner}root; in a container, with CAP_SYS_PTRACE")
}

/// What is being done to a process, to put a kernel error in its place.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Place {
    pub(crate) pid: Pid,
    pub(crate) uid: u32,
}

impl Place {
    /// The right variant for an error of the system.
    pub(crate) fn failed(self, doing: impl Into<String>, cause: io::Error) -> AttachError {
        let (pid, doing) = (self.pid, doing.into());
        match cause.raw_os_error() {
            Some(libc::EACCES | libc::EPERM) => AttachError::NoPermission {
                pid,
                uid: self.uid,
                doing,
                cause,
            },
            Some(libc::ESRCH) => AttachError::TargetDied { pid, doing },
            _ => AttachError::Io { pid, doing, cause },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn one_of_each() -> Vec<AttachError> {
        let pid = Pid(4711);
        let waited = Duration::from_secs(10);
        let doing = "opening its root".to_owned();
        let by = "-Xrs on the command line".to_owned();
        let cause = || io::Error::from_raw_os_error(libc::EACCES);
        vec![
            AttachError::NoSuchProcess { pid },
            AttachError::NotAJvm { pid },
            AttachError::UnsupportedVm {
                pid,
                vm: VmKind::OpenJ9,
            },
            AttachError::Disabled {
                pid,
                by: by.clone(),
            },
            AttachError::SignalsReduced { pid, by },
            AttachError::StillStarting { pid, waited },
            AttachError::NoPermission {
                pid,
                uid: 33,
                doing: doing.clone(),
                cause: cause(),
            },
            AttachError::TimedOut {
                pid,
                doing: doing.clone(),
                waited,
                state: Some("stopped by a signal (state T)".into()),
            },
            AttachError::Interrupted {
                pid,
                doing: doing.clone(),
                state: None,
            },
            AttachError::StaleSocket {
                pid,
                path: "/tmp/.java_pid4711".into(),
            },
            AttachError::NoSocket {
                pid,
                path: "/tmp/.java_pid4711".into(),
                why: "its /tmp is mounted read-only".into(),
            },
            AttachError::OtherMachine {
                pid,
                theirs: crate::machine::I386,
                ours: crate::machine::I386,
            },
            AttachError::OtherLibc {
                pid,
                linker: "/lib/ld-musl-x86_64.so.1".into(),
            },
            AttachError::TargetDied {
                pid,
                doing: doing.clone(),
            },
            AttachError::Io {
                pid,
                doing,
                cause: cause(),
            },
            AttachError::BadReply {
                pid,
                command: "load".into(),
                cause: ReplyError::Empty,
            },
            AttachError::BadRequest(RequestError::Nul { number: 1 }),
        ]
    }

    #[test]
    fn every_error_has_a_hint() {
        assert!(one_of_each().iter().all(|e| e.hint().len() > 20));
    }

    #[test]
    fn the_users_who_may_are_named_once() {
        assert!(permission_hint(0).starts_with("run locklens as root;"));
        let other = permission_hint(4_000_000_001);
        assert!(other.starts_with("run locklens as user 4000000001 or as root;"));
    }

    #[test]
    fn a_strange_state_is_said() {
        let texts: Vec<_> = one_of_each().iter().map(ToString::to_string).collect();
        assert!(
            texts
                .iter()
                .any(|t| t.ends_with("; it is stopped by a signal (state T)"))
        );
    }
}
