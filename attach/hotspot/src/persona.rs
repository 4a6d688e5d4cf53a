//! Acting with the target's credentials.
//!
//! HotSpot accepts a connection only from its own effective user and group (8 to 10 refuse even
//! root), and a trigger file only if the same user owns it. Credentials belong to the whole process
//! and a user namespace can only be entered by a process of one thread, so neither may be changed
//! here: a forked child changes its own, does one deed, and passes the descriptor back.
//!
//! Mount, pid and network namespaces need not be entered at all. Every deed is relative to a
//! directory descriptor opened through `/proc/PID/root`, which already lies in the target's mount
//! namespace; a socket with a path is found through its directory whatever the network namespace;
//! and signals are sent to the pid as we know it.

use std::ffi::CString;
use std::io::{self, IoSlice, IoSliceMut};
use std::mem::MaybeUninit;
use std::os::fd::{AsFd, AsRawFd, BorrowedFd, OwnedFd};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Duration;

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::fs::{AtFlags, CWD, Mode, OFlags, fchmod, mkdirat, openat, unlinkat};
use rustix::io::Errno;
use rustix::net::{
    AddressFamily, RecvAncillaryBuffer, RecvAncillaryMessage, RecvFlags, SendAncillaryBuffer,
    SendAncillaryMessage, SendFlags, SocketAddrUnix, SocketFlags, SocketType, bind, connect,
    listen, recvmsg, sendmsg, socket_with, socketpair,
};
use rustix::process::{Pid, Signal, WaitOptions, getegid, geteuid, kill_process, waitpid};
use rustix::thread::{Gid, LinkNameSpaceType, Uid};

use crate::namespace;
use crate::process::Process;
use crate::status::Status;

/// Connections that may wait to be accepted on a socket of ours.
const BACKLOG: i32 = 4;
/// Longest wait for one deed: none blocks, but a file system may.
pub(crate) const DEED_LIMIT: Duration = Duration::from_secs(10);

/// One thing to do in a directory of the target's. Holds everything it needs, so that a forked
/// child can do it without allocating.
pub(crate) struct Deed<'a> {
    dir: BorrowedFd<'a>,
    name: CString,
    address: SocketAddrUnix,
    kind: Kind,
}

/// What to do.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Kind {
    /// Connect to the socket; gives the connection.
    Connect,
    /// Make a listening socket with this mode; gives it.
    Listen(u32),
    /// Make a file that must not exist, with this mode; gives it, writable.
    Create(u32),
    /// Make a directory with this mode; gives it, listable.
    MakeDirectory(u32),
    /// Open a directory that exists, not through a link; gives it, listable.
    OpenDirectory,
    /// Remove a file.
    RemoveFile,
    /// Remove an empty directory.
    RemoveDirectory,
}

impl<'a> Deed<'a> {
    /// A deed on `name` (one path part) in `dir`.
    pub(crate) fn new(kind: Kind, dir: BorrowedFd<'a>, name: &str) -> io::Result<Deed<'a>> {
        // The detour keeps any name within the 108 bytes of a socket address, and works in the
        // child as well: what a process may do with its own descriptors does not depend on its
        // credentials.
        let address = SocketAddrUnix::new(format!("/proc/self/fd/{}/{name}", dir.as_raw_fd()))?;
        Ok(Deed {
            dir,
            name: CString::new(name)?,
            address,
            kind,
        })
    }

    /// Async-signal-safe: system calls on what is already there.
    fn perform(&self) -> Result<Option<OwnedFd>, Errno> {
        let (dir, name) = (self.dir, self.name.as_c_str());
        match self.kind {
            Kind::Connect => self.connected().map(Some),
            Kind::Listen(mode) => self.listening(mode).map(Some),
            Kind::Create(mode) => {
                let flags = OFlags::WRONLY
                    | OFlags::CREATE
                    | OFlags::EXCL
                    | OFlags::NOFOLLOW
                    | OFlags::CLOEXEC;
                let file = openat(dir, name, flags, Mode::RUSR)?;
                // The mode at creation is cut by our umask.
                fchmod(&file, Mode::from_raw_mode(mode))?;
                Ok(Some(file))
            }
            Kind::MakeDirectory(mode) => {
                mkdirat(dir, name, Mode::RWXU)?;
                let made = self.directory()?;
                fchmod(&made, Mode::from_raw_mode(mode))?;
                Ok(Some(made))
            }
            Kind::OpenDirectory => self.directory().map(Some),
            Kind::RemoveFile => unlinkat(dir, name, AtFlags::empty()).map(|()| None),
            Kind::RemoveDirectory => unlinkat(dir, name, AtFlags::REMOVEDIR).map(|()| None),
        }
    }

    fn directory(&self) -> Result<OwnedFd, Errno> {
        let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        openat(self.dir, self.name.as_c_str(), flags, Mode::empty())
    }

    /// Non-blocking, so that a full backlog is an error and not a wait.
    fn connected(&self) -> Result<OwnedFd, Errno> {
        let socket = stream(SocketFlags::CLOEXEC | SocketFlags::NONBLOCK)?;
        connect(&socket, &self.address)?;
        Ok(socket)
    }

    fn listening(&self, mode: u32) -> Result<OwnedFd, Errno> {
        let socket = stream(SocketFlags::CLOEXEC)?;
        bind(&socket, &self.address)?;
        rustix::fs::chmodat(
            self.dir,
            self.name.as_c_str(),
            Mode::from_raw_mode(mode),
            AtFlags::empty(),
        )?;
        listen(&socket, BACKLOG)?;
        Ok(socket)
    }
}

fn stream(flags: SocketFlags) -> Result<OwnedFd, Errno> {
    socket_with(AddressFamily::UNIX, SocketType::STREAM, flags, None)
}

/// Entitles to act as the target's user and group.
#[derive(Debug)]
pub(crate) struct Persona {
    change: Option<Credentials>,
}

#[derive(Debug)]
struct Credentials {
    uid: Uid,
    gid: Gid,
    /// How to get them inside the target's user namespace, when we lack the right to take them in
    /// ours.
    inside: Option<Inside>,
}

#[derive(Debug)]
struct Inside {
    namespace: OwnedFd,
    uid: Uid,
    gid: Gid,
}

impl Persona {
    /// The credentials of a process; whether we may take them shows when a deed is done.
    pub(crate) fn of(process: &Process, status: &Status) -> Persona {
        let (uid, gid) = (Uid::from_raw(status.uid), Gid::from_raw(status.gid));
        let same = uid == geteuid() && gid == getegid();
        let change = (!same).then(|| Credentials {
            uid,
            gid,
            inside: Inside::of(process, status),
        });
        Persona { change }
    }

    /// Does the deed as the target's user, waiting no longer than `limit` for it.
    pub(crate) fn perform(&self, deed: &Deed<'_>, limit: Duration) -> io::Result<Option<OwnedFd>> {
        match &self.change {
            None => Ok(deed.perform()?),
            Some(credentials) => {
                in_child(&|| credentials.take().and_then(|()| deed.perform()), limit)
            }
        }
    }
}

impl Inside {
    fn of(process: &Process, status: &Status) -> Option<Inside> {
        if !namespace::differs(process, "user")? {
            return None;
        }
        let map = |name| std::fs::read_to_string(process.path(name)).ok();
        let flags = OFlags::RDONLY | OFlags::CLOEXEC;
        Some(Inside {
            namespace: openat(CWD, process.path("ns/user"), flags, Mode::empty()).ok()?,
            uid: Uid::from_raw(namespace::id_inside(&map("uid_map")?, status.uid)?),
            gid: Gid::from_raw(namespace::id_inside(&map("gid_map")?, status.gid)?),
        })
    }
}

impl Credentials {
    /// Only for a forked child. The group first: without the user's rights it could no longer be
    /// changed. These are the raw system calls for one thread, not the C library's, which would
    /// signal threads that do not exist here.
    fn take(&self) -> Result<(), Errno> {
        match (become_user(self.uid, self.gid, true), &self.inside) {
            (Err(Errno::PERM | Errno::INVAL), Some(inside)) => {
                let kind = Some(LinkNameSpaceType::User);
                rustix::thread::move_into_link_name_space(inside.namespace.as_fd(), kind)?;
                // A namespace made by an ordinary user forbids setgroups; there is nothing to drop
                // then.
                become_user(inside.uid, inside.gid, false)
            }
            (result, _) => result,
        }
    }
}

fn become_user(uid: Uid, gid: Gid, must_drop_groups: bool) -> Result<(), Errno> {
    let dropped = rustix::thread::set_thread_groups(&[]);
    if must_drop_groups {
        dropped?;
    }
    rustix::thread::set_thread_res_gid(gid, gid, gid)?;
    rustix::thread::set_thread_res_uid(uid, uid, uid)
}

/// Runs `work`, which must be async-signal-safe, in a forked child, and brings its result back.
fn in_child(
    work: &dyn Fn() -> Result<Option<OwnedFd>, Errno>,
    limit: Duration,
) -> io::Result<Option<OwnedFd>> {
    let flags = SocketFlags::CLOEXEC;
    let (ours, theirs) = socketpair(AddressFamily::UNIX, SocketType::STREAM, flags, None)?;
    let child = fork(&|| report(theirs.as_fd(), work()))?;
    drop(theirs);
    let result = collect(ours.as_fd(), limit);
    if result.is_err() {
        // It has ended, or hangs in a file system that does not answer. Either way nobody waits for
        // it any longer.
        let _ = kill_process(child, Signal::KILL);
    }
    // An error means somebody else reaps children here; the result has come over the socket.
    let _ = waitpid(Some(child), WaitOptions::empty());
    result?
}

/// Starts a child that runs `work` with all signals blocked and ends. Handlers of the host program
/// must not run twice.
#[allow(unsafe_code, reason = "fork has no safe form")]
fn fork(work: &dyn Fn()) -> io::Result<Pid> {
    let mut all = MaybeUninit::<libc::sigset_t>::uninit();
    let mut before = MaybeUninit::<libc::sigset_t>::uninit();
    // SAFETY: both sets are live and writable; the call after it reads `all`, filled by then.
    unsafe {
        libc::sigfillset(all.as_mut_ptr());
        libc::pthread_sigmask(libc::SIG_SETMASK, all.as_ptr(), before.as_mut_ptr());
    }
    // SAFETY: the child runs only `work`, system calls on memory made before (the contract of
    // `in_child`), and leaves by _exit, so it touches no lock another thread may have held and runs
    // no destructor of the parent's. A panic, a defect, must not carry it back into the parent's code.
    let pid = unsafe { libc::fork() };
    if pid == 0 {
        let _ = catch_unwind(AssertUnwindSafe(work));
        // SAFETY: ends the child at once; it has nothing to unwind.
        unsafe { libc::_exit(0) };
    }
    let failure = io::Error::last_os_error();
    // SAFETY: `before` was filled above.
    unsafe { libc::pthread_sigmask(libc::SIG_SETMASK, before.as_ptr(), std::ptr::null_mut()) };
    Pid::from_raw(pid).filter(|_| pid > 0).ok_or(failure)
}

/// The child's last words: an error number, or 0 and perhaps a descriptor.
fn report(to: BorrowedFd<'_>, result: Result<Option<OwnedFd>, Errno>) {
    let errno = result.as_ref().err().map_or(0, |e| e.raw_os_error());
    let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(1))];
    let mut control = SendAncillaryBuffer::new(&mut space);
    let given = result
        .as_ref()
        .ok()
        .and_then(Option::as_ref)
        .map(|fd| [fd.as_fd()]);
    if let Some(fds) = &given {
        control.push(SendAncillaryMessage::ScmRights(fds));
    }
    // If the parent has gone there is nobody left to tell.
    let _ = sendmsg(
        to,
        &[IoSlice::new(&errno.to_ne_bytes())],
        &mut control,
        SendFlags::NOSIGNAL,
    );
}

/// Outer error: no word came. Inner: the child's own.
fn collect(from: BorrowedFd<'_>, limit: Duration) -> io::Result<io::Result<Option<OwnedFd>>> {
    wait_readable(from, limit)?;
    let mut errno = [0; 4];
    let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(1))];
    let mut control = RecvAncillaryBuffer::new(&mut space);
    let mut words = [IoSliceMut::new(&mut errno)];
    let message = recvmsg(from, &mut words, &mut control, RecvFlags::CMSG_CLOEXEC)?;
    if message.bytes != errno.len() {
        return Err(io::ErrorKind::UnexpectedEof.into());
    }
    let fd = control.drain().find_map(|message| match message {
        RecvAncillaryMessage::ScmRights(mut fds) => fds.next(),
        _ => None,
    });
    Ok(match i32::from_ne_bytes(errno) {
        0 => Ok(fd),
        errno => Err(io::Error::from_raw_os_error(errno)),
    })
}

/// Waits until there is something to read or the other end has gone.
pub(crate) fn wait_readable(fd: BorrowedFd<'_>, limit: Duration) -> io::Result<()> {
    let until = std::time::Instant::now() + limit;
    loop {
        let left = until.saturating_duration_since(std::time::Instant::now());
        let left = Timespec::try_from(left).map_err(|_| io::ErrorKind::InvalidInput)?;
        match poll(
            &mut [PollFd::from_borrowed_fd(fd, PollFlags::IN)],
            Some(&left),
        ) {
            Ok(0) => return Err(io::ErrorKind::TimedOut.into()),
            Ok(_) => return Ok(()),
            Err(Errno::INTR) => {}
            Err(e) => return Err(e.into()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::{Read, Write};
    use std::os::unix::fs::{MetadataExt, PermissionsExt};
    use std::time::Instant;

    const LIMIT: Duration = Duration::from_secs(20);

    #[test]
    fn a_childs_descriptor_and_error_come_back() {
        let file = || {
            let (reader, writer) = rustix::pipe::pipe()?;
            rustix::io::write(&writer, b"hello")?;
            Ok(Some(reader))
        };
        let mut text = String::new();
        let fd = in_child(&file, LIMIT)
            .expect("a child")
            .expect("a descriptor");
        std::fs::File::from(fd)
            .read_to_string(&mut text)
            .expect("the pipe");
        assert_eq!(text, "hello");
        let error = in_child(&|| Err(Errno::DEADLK), LIMIT).expect_err("the child failed");
        assert_eq!(error.raw_os_error(), Some(Errno::DEADLK.raw_os_error()));
        assert!(in_child(&|| Ok(None), LIMIT).expect("a child").is_none());
    }

    #[test]
    fn a_child_that_hangs_is_given_up() {
        let (reader, _writer) = rustix::pipe::pipe().expect("a pipe");
        let hang = || rustix::io::read(&reader, &mut [0u8; 1]).map(|_| None);
        let error = in_child(&hang, Duration::from_millis(50)).expect_err("it hangs");
        assert_eq!(error.kind(), io::ErrorKind::TimedOut);
    }

    #[test]
    fn modes_are_exact_whatever_the_umask() {
        let path = std::env::temp_dir().join(format!("locklens-persona-{}", std::process::id()));
        std::fs::create_dir(&path).expect("a scratch directory");
        let dir = std::fs::File::open(&path).expect("just made");
        let persona = Persona { change: None };
        let deed = |kind, name| Deed::new(kind, dir.as_fd(), name).expect("a deed");
        let file = persona
            .perform(&deed(Kind::Create(0o666), "f"), LIMIT)
            .expect("new")
            .expect("a file");
        std::fs::File::from(file).write_all(b"x").expect("writable");
        persona
            .perform(&deed(Kind::MakeDirectory(0o777), "d"), LIMIT)
            .expect("new");
        persona
            .perform(&deed(Kind::Listen(0o600), "s"), LIMIT)
            .expect("new");
        // The listener has been dropped here; a child that another test forked meanwhile may have
        // a copy of it for as long as it lives.
        let end = Instant::now() + LIMIT;
        while persona.perform(&deed(Kind::Connect, "s"), LIMIT).is_ok() {
            assert!(Instant::now() < end, "somebody listens");
            std::thread::sleep(Duration::from_millis(1));
        }
        let mode = |name| {
            path.join(name)
                .metadata()
                .expect("made")
                .permissions()
                .mode()
                & 0o777
        };
        assert_eq!((mode("f"), mode("d"), mode("s")), (0o666, 0o777, 0o600));
        let again = persona
            .perform(&deed(Kind::Create(0o600), "f"), LIMIT)
            .expect_err("it exists");
        assert_eq!(again.kind(), io::ErrorKind::AlreadyExists);
        for (kind, name) in [
            (Kind::RemoveFile, "f"),
            (Kind::RemoveFile, "s"),
            (Kind::RemoveDirectory, "d"),
        ] {
            persona
                .perform(&deed(kind, name), LIMIT)
                .expect("removable");
        }
        std::fs::remove_dir(&path).expect("empty again");
    }

    #[test]
    fn root_can_be_nobody() {
        if !geteuid().is_root() {
            eprintln!("skipped: only root can take another's credentials");
            return;
        }
        let tmp = std::fs::File::open(std::env::temp_dir()).expect("a temporary directory");
        let name = format!("locklens-nobody-{}", std::process::id());
        let credentials = Credentials {
            uid: Uid::from_raw(65534),
            gid: Gid::from_raw(65533),
            inside: None,
        };
        let persona = Persona {
            change: Some(credentials),
        };
        let deed = |kind| Deed::new(kind, tmp.as_fd(), &name).expect("a deed");
        let file = persona
            .perform(&deed(Kind::Create(0o640)), LIMIT)
            .expect("new")
            .expect("a file");
        let owner = std::fs::File::from(file).metadata().expect("open");
        assert_eq!((owner.uid(), owner.gid()), (65534, 65533));
        persona
            .perform(&deed(Kind::RemoveFile), LIMIT)
            .expect("its own file");
        assert!(geteuid().is_root(), "we stay who we are");
    }
}
