//! One process, held fast: its identity, its file system, its credentials.

use std::io;
use std::os::fd::{AsFd, OwnedFd};
use std::time::Duration;

use rustix::fs::{AtFlags, FileType, Mode, OFlags, openat, statat};
use rustix::io::Errno;
use rustix::process::{PidfdFlags, Signal, kill_process, pidfd_open, pidfd_send_signal};

use crate::error::{AttachError, Place};
use crate::jvm::{self, Jvm, Pid, VmKind};
use crate::persona::{DEED_LIMIT, Deed, Kind, Persona, wait_readable};
use crate::process::Process;
use crate::root::Root;
use crate::socket::{Attempt, Connection, server_pid};
use crate::status::Status;

/// Where HotSpot on Linux keeps its sockets, whatever its `java.io.tmpdir` says.
const TMP: &str = "/tmp";

/// Entitles to act on exactly the process it was made for, and no other that gets its pid later.
#[derive(Debug)]
pub(crate) struct Target {
    pub(crate) process: Process,
    pub(crate) ns_pid: u32,
    pub(crate) place: Place,
    pub(crate) persona: Persona,
    pub(crate) root: Root,
    /// Whether `root` is the target's for certain. If the kernel won't let us look (a process that
    /// changed its user, say), it is ours: good enough to use a socket that proves to be the
    /// target's, not to call for a new one.
    pub(crate) root_is_theirs: bool,
    pub(crate) tmp: OwnedFd,
    start_time: u64,
    /// Absent on kernels before 5.3.
    pidfd: Option<OwnedFd>,
}

impl Target {
    /// Takes hold of a JVM.
    pub(crate) fn hold(jvm: &Jvm) -> Result<Target, AttachError> {
        let pid = jvm.pid;
        let process = Process::new(pid);
        let gone = |_: io::Error| AttachError::NoSuchProcess { pid };
        let pidfd = hold_pid(pid).map_err(|e| gone(e.into()))?;
        let start_time = process.start_time().map_err(gone)?;
        let status = process.status().map_err(gone)?;
        if status.ended() {
            return Err(AttachError::NoSuchProcess { pid });
        }
        let place = Place {
            pid,
            uid: status.uid,
        };
        check_vm(place, &process)?;
        let (root, root_is_theirs) = root(&process, &status, place)?;
        let tmp = root
            .dir(TMP)
            .map_err(|e| place.failed("opening its /tmp", e))?;
        Ok(Target {
            ns_pid: status.ns_pid(),
            persona: Persona::of(&process, &status),
            process,
            place,
            root,
            root_is_theirs,
            tmp,
            start_time,
            pidfd,
        })
    }

    /// The process's status, as long as it is still the same one and runs.
    pub(crate) fn status(&self, doing: &str) -> Result<Status, AttachError> {
        let status = self.process.status().ok().filter(|status| !status.ended());
        let same = self
            .process
            .start_time()
            .is_ok_and(|at| at == self.start_time);
        status.filter(|_| same).ok_or_else(|| self.died(doing))
    }

    /// In words, why the process cannot answer now, if its state tells.
    pub(crate) fn unable_to_answer(&self, status: &Status) -> Option<String> {
        // Asked first: the old freezer shows as uninterruptible sleep.
        let frozen = self
            .process
            .frozen()
            .then_some("frozen with its control group");
        frozen.or(status.unable_to_answer()).map(str::to_owned)
    }

    /// Whether a signal would stay pending until somebody lets the process run again.
    pub(crate) fn halted(&self, status: &Status) -> bool {
        status.stopped() || self.process.frozen()
    }

    pub(crate) fn died(&self, doing: &str) -> AttachError {
        AttachError::TargetDied {
            pid: self.place.pid,
            doing: doing.to_owned(),
        }
    }

    /// Whether the process ends within `limit`; one that has broken a connection may be just about
    /// to.
    pub(crate) fn ends_within(&self, limit: Duration) -> bool {
        let exit = self
            .pidfd
            .as_ref()
            .is_some_and(|fd| wait_readable(fd.as_fd(), limit).is_ok());
        exit || self.status("").is_err()
    }

    /// The attach socket as the target would write it.
    pub(crate) fn socket_path(&self) -> String {
        format!("{TMP}/{}", self.socket_name())
    }

    /// Tries the attach socket once.
    pub(crate) fn connect(&self) -> Result<Attempt, AttachError> {
        let failed = |e| {
            self.place
                .failed(format!("connecting to {}", self.socket_path()), e)
        };
        let name = self.socket_name();
        let stat = match statat(&self.tmp, &name, AtFlags::SYMLINK_NOFOLLOW) {
            Err(Errno::NOENT) => return Ok(Attempt::Absent),
            stat => stat.map_err(|e| failed(e.into()))?,
        };
        if FileType::from_raw_mode(stat.st_mode) != FileType::Socket {
            return Ok(Attempt::NotTheirs);
        }
        let deed = Deed::new(Kind::Connect, self.tmp.as_fd(), &name).map_err(failed)?;
        match self.persona.perform(&deed, DEED_LIMIT) {
            Ok(Some(socket)) => self.checked(socket).map_err(failed),
            Ok(None) => Ok(Attempt::Absent),
            Err(e) => attempt(e, stat.st_uid == self.place.uid).map_err(failed),
        }
    }

    /// Sends SIGQUIT to this very process.
    pub(crate) fn quit(&self) -> Result<(), AttachError> {
        let sent = match &self.pidfd {
            Some(pidfd) => pidfd_send_signal(pidfd, Signal::QUIT),
            None => raw(self.place.pid).and_then(|pid| kill_process(pid, Signal::QUIT)),
        };
        sent.map_err(|e| self.place.failed("sending SIGQUIT", e.into()))
    }

    /// The target's working directory and its /tmp: the places where HotSpot looks for a trigger
    /// file, in its order.
    pub(crate) fn trigger_places(&self) -> Vec<OwnedFd> {
        let flags = OFlags::PATH | OFlags::DIRECTORY | OFlags::CLOEXEC;
        let cwd = openat(
            rustix::fs::CWD,
            self.process.path("cwd/"),
            flags,
            Mode::empty(),
        );
        let tmp = rustix::io::fcntl_dupfd_cloexec(&self.tmp, 0);
        [cwd, tmp].into_iter().flatten().collect()
    }

    fn socket_name(&self) -> String {
        format!(".java_pid{}", self.ns_pid)
    }

    /// The kernel says who serves a socket: it must be the target itself. Stronger than the owner
    /// of the file, and it holds if a JVM that has died left its socket to a pid that is used
    /// again.
    fn checked(&self, socket: OwnedFd) -> io::Result<Attempt> {
        match u32::try_from(server_pid(&socket)?) == Ok(self.place.pid.0) {
            true => Ok(Attempt::Connected(Connection::new(socket)?)),
            false => Ok(Attempt::NotTheirs),
        }
    }
}

fn attempt(cause: io::Error, own: bool) -> io::Result<Attempt> {
    match cause.raw_os_error() {
        // The target's user may use its own sockets: this one was left by another's JVM.
        Some(libc::EACCES) if !own => Ok(Attempt::NotTheirs),
        Some(libc::ECONNREFUSED) => Ok(Attempt::NotTheirs),
        Some(libc::EAGAIN) => Ok(Attempt::Busy),
        None if cause.kind() == io::ErrorKind::TimedOut => Ok(Attempt::Busy),
        Some(libc::ENOENT) => Ok(Attempt::Absent),
        _ => Err(cause),
    }
}

fn raw(pid: Pid) -> Result<rustix::process::Pid, Errno> {
    let number = i32::try_from(pid.0).map_err(|_| Errno::SRCH)?;
    rustix::process::Pid::from_raw(number).ok_or(Errno::SRCH)
}

fn hold_pid(pid: Pid) -> Result<Option<OwnedFd>, Errno> {
    match pidfd_open(raw(pid)?, PidfdFlags::empty()) {
        Ok(fd) => Ok(Some(fd)),
        Err(Errno::NOSYS | Errno::PERM) => Ok(None),
        Err(e) => Err(e),
    }
}

/// The process may have become another since it was described.
fn check_vm(place: Place, process: &Process) -> Result<(), AttachError> {
    let pid = place.pid;
    let maps = match process.maps() {
        Ok(maps) => maps,
        // Whether it is one shows when its socket is tried.
        Err(e) if e.kind() == io::ErrorKind::PermissionDenied => return Ok(()),
        Err(_) => return Err(AttachError::NoSuchProcess { pid }),
    };
    match jvm::vm_kind(process, &maps) {
        Some(VmKind::HotSpot) => Ok(()),
        Some(VmKind::NotPermitted) => {
            Err(place.failed("opening its libjvm.so", Errno::ACCESS.into()))
        }
        Some(vm) => Err(AttachError::UnsupportedVm { pid, vm }),
        None => Err(AttachError::NotAJvm { pid }),
    }
}

fn root(process: &Process, status: &Status, place: Place) -> Result<(Root, bool), AttachError> {
    match Root::of(process) {
        Ok(root) => Ok((root, true)),
        Err(e) if e.kind() == io::ErrorKind::PermissionDenied && status.ns_pids.len() == 1 => {
            let root = Root::ours().map_err(|e| place.failed("opening our own root", e))?;
            Ok((root, false))
        }
        Err(e) => Err(place.failed("opening its root directory", e)),
    }
}
