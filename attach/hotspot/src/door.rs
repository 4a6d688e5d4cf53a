//! Asking an open JVM: one request and one answer per connection.

use std::fmt;
use std::io::{self, Write};
use std::time::Duration;

use crate::deadline::{Deadline, Patience};
use crate::error::AttachError;
use crate::jvm::Jvm;
use crate::reply::{Reply, ReplyError, StatusLine};
use crate::request;
use crate::socket::Connection;
use crate::summon;
use crate::target::Target;

const BUFFER: usize = 64 * 1024;
/// Longer than any thread dump that could be read afterwards.
const LONGEST_REPLY: usize = 512 << 20;
/// A JVM that dies breaks its connections a moment before its process is gone.
const DYING: Duration = Duration::from_millis(500);

/// Entitles to ask one JVM, which listens. Dropping it leaves nothing behind: what the JVM opened
/// for us, its listener, is its own and stays.
pub struct Door {
    target: Target,
    patience: Patience,
}

impl fmt::Debug for Door {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "Door({}, {:?})",
            self.target.place.pid,
            self.patience.limit()
        )
    }
}

/// Makes sure that a JVM listens, as long as `patience` lasts, by the safe rules: it is never sent a
/// signal that could kill it or make it print.
pub fn open(jvm: &Jvm, patience: impl Into<Patience>) -> Result<Door, AttachError> {
    let (target, patience) = (Target::hold(jvm)?, patience.into());
    summon::connection(&target, Deadline::after(&patience))?;
    Ok(Door { target, patience })
}

impl Door {
    /// The same door with another limit for what comes: a heap dump may take minutes.
    pub fn within(self, limit: Duration) -> Door {
        let patience = self.patience.within(limit);
        Door { patience, ..self }
    }

    /// Asks and collects the answer, which may have 512 MB. Each read and write waits at most the door's limit; for `jcmd`
    /// all arguments form one diagnostic command.
    pub fn execute(&self, command: &str, args: &[&str]) -> Result<Reply, AttachError> {
        let mut text = Collected::up_to(LONGEST_REPLY);
        let status = self.execute_streaming(command, args, &mut text)?;
        let text = text.bytes;
        Ok(Reply { status, text })
    }

    /// Asks and passes the text on as it comes; gives the status.
    pub fn execute_streaming(
        &self,
        command: &str,
        args: &[&str],
        sink: &mut dyn Write,
    ) -> Result<i32, AttachError> {
        let request = request::encode(command, args)?;
        let mut connection = summon::connection(&self.target, Deadline::after(&self.patience))?;
        let began = Deadline::after(&self.patience);
        let sent = connection
            .limit(self.patience.limit())
            .and_then(|()| connection.send(&request));
        sent.or_else(slammed)
            .map_err(|e| self.failed(command, e, &began))?;
        self.receive(command, &mut connection, sink)
    }

    fn receive(
        &self,
        command: &str,
        connection: &mut Connection,
        sink: &mut dyn Write,
    ) -> Result<i32, AttachError> {
        let mut buffer = vec![0; BUFFER];
        let mut line = StatusLine::default();
        let mut status = None;
        loop {
            let began = Deadline::after(&self.patience);
            let length = connection
                .receive(&mut buffer, &began)
                .map_err(|e| self.failed(command, e, &began))?;
            let mut text = &buffer[..length];
            if status.is_none() {
                let fed = line
                    .feed(text)
                    .map_err(|cause| self.bad_reply(command, cause))?;
                (status, text) = fed.map_or((None, &[][..]), |(status, text)| (Some(status), text));
            }
            sink.write_all(text)
                .map_err(|cause| self.unwritten(command, cause))?;
            if length == 0 {
                return status.ok_or_else(|| self.bad_reply(command, line.cut_short()));
            }
        }
    }

    fn failed(&self, command: &str, cause: io::Error, began: &Deadline) -> AttachError {
        let doing = format!("answering {command}");
        let status = match self.target.status(&doing) {
            Ok(status) => status,
            Err(died) => return died,
        };
        match cause.kind() {
            _ if began.interrupted() => AttachError::Interrupted {
                pid: self.target.place.pid,
                doing,
                state: self.target.unable_to_answer(&status),
            },
            io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut => AttachError::TimedOut {
                pid: self.target.place.pid,
                doing,
                waited: began.waited(),
                state: self.target.unable_to_answer(&status),
            },
            _ => self.target.place.failed(doing, cause),
        }
    }

    fn bad_reply(&self, command: &str, cause: ReplyError) -> AttachError {
        let broken = !matches!(cause, ReplyError::NoStatus { .. });
        if broken && self.target.ends_within(DYING) {
            return self.target.died(&format!("answering {command}"));
        }
        AttachError::BadReply {
            pid: self.target.place.pid,
            command: command.to_owned(),
            cause,
        }
    }

    /// A sink that fails is our side's trouble, not a lack of permission.
    fn unwritten(&self, command: &str, cause: io::Error) -> AttachError {
        AttachError::Io {
            pid: self.target.place.pid,
            doing: format!("passing on the answer to {command}"),
            cause,
        }
    }
}

/// What was said, as far as there is room: what calls itself a JVM could talk for ever.
struct Collected {
    bytes: Vec<u8>,
    most: usize,
}

impl Collected {
    fn up_to(most: usize) -> Self {
        Self {
            bytes: Vec::new(),
            most,
        }
    }
}

impl Write for Collected {
    fn write(&mut self, more: &[u8]) -> io::Result<usize> {
        if more.len() > self.most - self.bytes.len() {
            return Err(io::Error::other(format!(
                "it is longer than {} MB",
                self.most >> 20
            )));
        }
        self.bytes.extend_from_slice(more);
        Ok(more.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// A JVM that closes without reading is found out when its answer is read.
fn slammed(error: io::Error) -> io::Result<()> {
    match error.kind() {
        io::ErrorKind::BrokenPipe | io::ErrorKind::ConnectionReset => Ok(()),
        _ => Err(error),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_talks_for_ever_is_not_listened_to() {
        let mut text = Collected::up_to(2 << 20);
        text.write_all(&[b'x'; 2 << 20]).expect("as much as it may");
        let error = text.write_all(b"y").expect_err("more than it may");
        assert_eq!(error.to_string(), "it is longer than 2 MB");
        assert_eq!(text.bytes.len(), 2 << 20);
    }
}
