//! Where agent and command meet: a unix socket in a private directory of the target's view.
//!
//! Whoever connects must be the target by the kernel's word (`SO_PEERCRED`) and must know the
//! secret; anybody else is hung up on, and waiting goes on.

use super::hello::{self, Answer, HelloError, Secret};
use crate::exit::Failure;
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::net::sockopt::socket_peercred;
use std::io::{self, ErrorKind};
use std::os::unix::net::{UnixListener, UnixStream};
use std::time::Duration;

/// How long the agent may take over its greeting once it has connected.
const GREETING: Duration = Duration::from_secs(2);
/// How long one look at the socket takes: what ends the waiting is looked at between them.
const LOOK: Timespec = Timespec {
    tv_sec: 0,
    tv_nsec: 20_000_000,
};

/// Who is expected.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Expected {
    /// User, as seen from here.
    pub(crate) uid: u32,
    /// Process, as seen from here; none if it is a descendant of what was started.
    pub(crate) pid: Option<u32>,
}

/// A socket that waits for the agent.
#[derive(Debug)]
pub(crate) struct Meeting {
    listener: UnixListener,
    secret: Secret,
    expected: Expected,
}

impl Meeting {
    /// Waits at a socket that nobody but the expected user can reach.
    pub(crate) fn at(listener: UnixListener, expected: Expected) -> io::Result<Self> {
        listener.set_nonblocking(true)?;
        Ok(Self {
            listener,
            secret: Secret::random()?,
            expected,
        })
    }

    /// What the agent must say.
    pub(crate) fn secret(&self) -> &Secret {
        &self.secret
    }

    /// Waits for the agent until `give_up` has a reason not to.
    pub(crate) fn wait(
        &self,
        mut give_up: impl FnMut() -> Option<Failure>,
    ) -> Result<UnixStream, Failure> {
        loop {
            match self.look() {
                Ok(Some(met)) => return met,
                Ok(None) => {}
                Err(error) => return Err(Failure::attach(format_args!("no socket: {error}"))),
            }
            if let Some(reason) = give_up() {
                return Err(reason);
            }
        }
    }

    fn look(&self) -> io::Result<Option<Result<UnixStream, Failure>>> {
        match poll(
            &mut [PollFd::new(&self.listener, PollFlags::IN)],
            Some(&LOOK),
        ) {
            Ok(0) | Err(rustix::io::Errno::INTR) => return Ok(None),
            Ok(_) => {}
            Err(error) => return Err(error.into()),
        }
        match self.listener.accept() {
            Ok((stream, _)) => Ok(self.greet(stream)),
            Err(error) if error.kind() == ErrorKind::WouldBlock => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// None: hung up on a stranger.
    fn greet(&self, mut stream: UnixStream) -> Option<Result<UnixStream, Failure>> {
        let peer = socket_peercred(&stream).ok()?;
        let pid = peer.pid.as_raw_nonzero().get().unsigned_abs();
        let known = peer.uid.as_raw() == self.expected.uid
            && self.expected.pid.is_none_or(|expected| expected == pid);
        if !known {
            return None;
        }
        stream.set_nonblocking(false).ok()?;
        stream.set_read_timeout(Some(GREETING)).ok()?;
        match hello::read(&mut stream, &self.secret) {
            Ok(answer) => Some(admit(answer).map(|()| stream)),
            Err(HelloError::Version(version)) => Some(Err(other_version(version))),
            Err(HelloError::Stranger | HelloError::CutOff) => None,
        }
    }
}

fn admit(answer: Answer) -> Result<(), Failure> {
    match answer {
        Answer::Ready => Ok(()),
        Answer::Busy(message) => Err(Failure::attach(format_args!(
            "another locklens is recording this JVM{}",
            in_brackets(&message)
        ))
        .hint("again when it has finished")),
        Answer::Refused(message) => Err(Failure::attach(format_args!(
            "the agent can't record in this JVM{}",
            in_brackets(&message)
        ))),
    }
}

fn in_brackets(message: &str) -> String {
    if message.is_empty() {
        String::new()
    } else {
        format!(" ({message})")
    }
}

fn other_version(version: u16) -> Failure {
    Failure::attach(format_args!(
        "the agent in this JVM speaks version {version}, not this one"
    ))
    .hint("the locklens that attached to it first, or restart the JVM")
}
