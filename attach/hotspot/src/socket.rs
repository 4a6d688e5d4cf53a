//! A connection to a target's attach socket, with a deadline on every read and write.

use std::io::{self, Read, Write};
use std::os::fd::{AsFd, AsRawFd, OwnedFd};
use std::os::unix::net::UnixStream;
use std::time::Duration;

use crate::deadline::{Deadline, LONGEST_NAP};
use crate::persona::wait_readable;

/// What came of trying to connect.
#[derive(Debug)]
pub(crate) enum Attempt {
    /// Connected, and the other end is the target.
    Connected(Connection),
    /// There is no socket.
    Absent,
    /// There is one nobody serves (left by a killed JVM), or somebody else does.
    NotTheirs,
    /// The target's queue is full: it is there but does not accept.
    Busy,
}

/// An open connection: one request, one answer.
#[derive(Debug)]
pub(crate) struct Connection {
    stream: UnixStream,
}

impl Connection {
    /// Takes over a connected, non-blocking socket.
    pub(crate) fn new(socket: OwnedFd) -> io::Result<Connection> {
        let stream = UnixStream::from(socket);
        stream.set_nonblocking(false)?;
        Ok(Connection { stream })
    }

    /// From now on every write waits at most this long.
    pub(crate) fn limit(&self, limit: Duration) -> io::Result<()> {
        // A limit of zero would mean none at all.
        let limit = Some(limit.max(Duration::from_millis(1)));
        self.stream.set_write_timeout(limit)
    }

    pub(crate) fn send(&mut self, request: &[u8]) -> io::Result<()> {
        self.stream.write_all(request)
    }

    /// Reads some bytes before the deadline; 0 at the end.
    pub(crate) fn receive(&mut self, buffer: &mut [u8], deadline: &Deadline) -> io::Result<usize> {
        loop {
            self.readable(deadline)?;
            match self.stream.read(buffer) {
                Err(e) if e.kind() == io::ErrorKind::Interrupted => {}
                // The JVM slams the door on callers it does not trust without reading their words.
                Err(e) if e.kind() == io::ErrorKind::ConnectionReset => return Ok(0),
                other => return other,
            }
        }
    }

    /// Waits in short steps, so that an interrupt that came to another thread is noticed too.
    fn readable(&self, deadline: &Deadline) -> io::Result<()> {
        loop {
            let left = deadline.left();
            match wait_readable(self.stream.as_fd(), left.min(LONGEST_NAP)) {
                Err(e) if e.kind() == io::ErrorKind::TimedOut && !left.is_zero() => {}
                result => return result,
            }
        }
    }
}

/// The pid of the process that listens at the other end, as our pid namespace knows it; 0 if it
/// does not.
#[allow(
    unsafe_code,
    reason = "rustix types the pid as never 0, which it is for a process we cannot see"
)]
pub(crate) fn server_pid(socket: &OwnedFd) -> io::Result<i32> {
    let mut peer = libc::ucred {
        pid: 0,
        uid: 0,
        gid: 0,
    };
    let mut length = size_of::<libc::ucred>() as libc::socklen_t;
    let (value, length) = ((&raw mut peer).cast(), &raw mut length);
    // SAFETY: value points to a live, writable ucred of the length given; any bits are a valid one.
    let result = unsafe {
        libc::getsockopt(
            socket.as_raw_fd(),
            libc::SOL_SOCKET,
            libc::SO_PEERCRED,
            value,
            length,
        )
    };
    match result {
        0 => Ok(peer.pid),
        _ => Err(io::Error::last_os_error()),
    }
}
