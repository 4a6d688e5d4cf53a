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

/// How long the agent may take over its greeting once it has begun it.
const GREETING: Duration = Duration::from_secs(2);
/// How long one look at the socket takes: what ends the waiting is looked at between them.
const LOOK: Timespec = Timespec {
    tv_sec: 0,
    tv_nsec: 20_000_000,
};

/// No time at all.
const AT_ONCE: Timespec = Timespec {
    tv_sec: 0,
    tv_nsec: 0,
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

    /// Waits for the agent until `give_up` has a reason not to. Who came before that is still met.
    pub(crate) fn wait(
        &self,
        mut give_up: impl FnMut() -> Option<Failure>,
    ) -> Result<UnixStream, Failure> {
        let mut silent = Vec::new();
        loop {
            let reason = give_up();
            match self.look(&mut silent) {
                Ok(Some(met)) => return met,
                Ok(None) => {}
                Err(error) => return Err(Failure::attach(format_args!("no socket: {error}"))),
            }
            if let Some(reason) = reason {
                return Err(reason);
            }
        }
    }

    /// Whoever of the `silent` has something to say by now. An agent that came with its JVM connects when it is
    /// loaded and greets when the JVM is up: with a large heap to be touched first, many seconds later.
    fn look(
        &self,
        silent: &mut Vec<UnixStream>,
    ) -> io::Result<Option<Result<UnixStream, Failure>>> {
        let listener = PollFd::new(&self.listener, PollFlags::IN);
        let mut all: Vec<PollFd<'_>> = silent.iter().map(speaking).chain([listener]).collect();
        ready(&mut all, &LOOK)?;
        self.admit_known(silent)?;
        for stream in std::mem::take(silent) {
            if !ready(&mut [speaking(&stream)], &AT_ONCE)? {
                silent.push(stream);
            } else if let Some(met) = self.greet(stream) {
                return Ok(Some(met));
            }
        }
        Ok(None)
    }

    /// Adds those who have connected meanwhile and may; strangers are hung up on.
    fn admit_known(&self, silent: &mut Vec<UnixStream>) -> io::Result<()> {
        loop {
            match self.listener.accept() {
                Ok((stream, _)) => silent.extend(self.knows(&stream).then_some(stream)),
                Err(error) if error.kind() == ErrorKind::WouldBlock => return Ok(()),
                Err(error) => return Err(error),
            }
        }
    }

    fn knows(&self, stream: &UnixStream) -> bool {
        socket_peercred(stream).is_ok_and(|peer| {
            let pid = peer.pid.as_raw_nonzero().get().unsigned_abs();
            peer.uid.as_raw() == self.expected.uid
                && self.expected.pid.is_none_or(|expected| expected == pid)
        })
    }

    /// None: hung up on a stranger.
    fn greet(&self, mut stream: UnixStream) -> Option<Result<UnixStream, Failure>> {
        stream.set_nonblocking(false).ok()?;
        stream.set_read_timeout(Some(GREETING)).ok()?;
        match hello::read(&mut stream, &self.secret) {
            Ok(answer) => Some(admit(answer).map(|()| stream)),
            Err(HelloError::Version(version)) => Some(Err(other_version(version))),
            Err(HelloError::Stranger | HelloError::CutOff) => None,
        }
    }
}

/// Set when somebody has said something, or hung up.
fn speaking(stream: &UnixStream) -> PollFd<'_> {
    PollFd::new(stream, PollFlags::IN)
}

/// Whether any of them has something for us within this time.
fn ready(fds: &mut [PollFd<'_>], time: &Timespec) -> io::Result<bool> {
    match poll(fds, Some(time)) {
        Ok(count) => Ok(count > 0),
        Err(rustix::io::Errno::INTR) => Ok(false),
        Err(error) => Err(error.into()),
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

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;
    use std::os::linux::net::SocketAddrExt;
    use std::os::unix::net::SocketAddr;

    fn address(name: &str) -> SocketAddr {
        let name = format!("locklens-test/{}/{name}", std::process::id());
        SocketAddr::from_abstract_name(name).unwrap()
    }

    fn meeting(at: &SocketAddr) -> Meeting {
        expecting(at, rustix::process::geteuid().as_raw(), None)
    }

    fn expecting(at: &SocketAddr, uid: u32, pid: Option<u32>) -> Meeting {
        let expected = Expected { uid, pid };
        Meeting::at(UnixListener::bind_addr(at).unwrap(), expected).unwrap()
    }

    fn hello(meeting: &Meeting) -> Vec<u8> {
        let mut bytes = b"LLAGENT1\x01\0".to_vec();
        let secret = meeting.secret().to_string();
        let digits = |at| u8::from_str_radix(&secret[at..at + 2], 16).unwrap();
        bytes.extend((0..32).step_by(2).map(digits));
        bytes.extend([0; 7]);
        bytes
    }

    fn enough() -> Option<Failure> {
        Some(Failure::attach("enough"))
    }

    #[test]
    fn an_agent_that_greets_long_after_it_connected_is_waited_for() {
        let at = address("late");
        let meeting = meeting(&at);
        let mut agent = UnixStream::connect_addr(&at).unwrap();
        let mut looks = 0;
        let met = meeting.wait(|| {
            looks += 1;
            if looks == 5 {
                // A broken connection shows in what is met.
                let _ = agent.write_all(&hello(&meeting));
            }
            (looks > 10).then(|| Failure::attach("enough"))
        });
        assert!(met.is_ok());
        assert!(looks >= 5, "nobody was met before the greeting: {looks}");
    }

    #[test]
    fn a_silent_one_keeps_nobody_out() {
        let at = address("silent");
        let meeting = meeting(&at);
        let _silent = UnixStream::connect_addr(&at).unwrap();
        let mut agent = UnixStream::connect_addr(&at).unwrap();
        agent.write_all(&hello(&meeting)).unwrap();
        assert!(meeting.wait(enough).is_ok());
    }

    #[test]
    fn an_agent_that_came_and_went_unseen_is_met() {
        let at = address("brief");
        let meeting = meeting(&at);
        let mut agent = UnixStream::connect_addr(&at).unwrap();
        agent.write_all(&hello(&meeting)).unwrap();
        drop(agent);
        assert!(meeting.wait(enough).is_ok());
    }

    #[test]
    fn who_hangs_up_or_knows_no_secret_is_nobody() {
        let at = address("nobody");
        let meeting = meeting(&at);
        drop(UnixStream::connect_addr(&at).unwrap());
        let mut stranger = UnixStream::connect_addr(&at).unwrap();
        stranger.write_all(&[0; 33]).unwrap();
        assert!(meeting.wait(enough).is_err());
    }

    #[test]
    fn who_is_not_the_target_is_nobody_even_with_the_secret() {
        let (us, me) = (rustix::process::geteuid().as_raw(), std::process::id());
        for (name, uid, pid, is_met) in [
            ("itself", us, Some(me), true),
            ("process", us, Some(me + 1), false),
            ("user", us + 1, Some(me), false),
        ] {
            let at = address(name);
            let meeting = expecting(&at, uid, pid);
            let mut agent = UnixStream::connect_addr(&at).unwrap();
            agent.write_all(&hello(&meeting)).unwrap();
            assert_eq!(meeting.wait(enough).is_ok(), is_met, "{name}");
        }
    }
}
