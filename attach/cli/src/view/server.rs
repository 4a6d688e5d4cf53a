//! Connections from this computer: few at a time, none for long, one request each.

use super::answer::{Answer, Site};
use super::request::{LONGEST, length, parse};
use crate::exit::Failure;
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use std::collections::BTreeMap;
use std::io::{self, BufWriter, ErrorKind, Read};
use std::net::{Ipv4Addr, Shutdown, TcpListener, TcpStream};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// Connections at a time; a browser has six.
const MOST: usize = 32;
/// How long a request may take to come, and an answer to be taken in.
const ASKING: Duration = Duration::from_secs(10);
const TAKING: Duration = Duration::from_secs(60);
/// How often it is looked for Ctrl-C.
const LOOK: Timespec = Timespec {
    tv_sec: 0,
    tv_nsec: 100_000_000,
};

/// Listens on the loopback interface, and on no other.
pub(crate) fn listen(port: Option<u16>) -> Result<(TcpListener, u16), Failure> {
    let bound = TcpListener::bind((Ipv4Addr::LOCALHOST, port.unwrap_or(0)));
    let bound = bound.and_then(|listener| {
        listener.set_nonblocking(true)?;
        let port = listener.local_addr()?.port();
        Ok((listener, port))
    });
    bound.map_err(|error| unheard(port, &error))
}

fn unheard(port: Option<u16>, error: &io::Error) -> Failure {
    let named = port.map_or_else(|| "a port".to_owned(), |port| format!("port {port}"));
    match error.kind() {
        ErrorKind::AddrInUse => Failure::usage(format_args!("{named} is taken")),
        _ => Failure::usage(format_args!("can't listen on {named}: {error}")),
    }
    .hint("another --port; without it any free one is taken")
}

/// Connections under way by number, so that they can be ended.
#[derive(Default)]
struct Open(Mutex<BTreeMap<u64, TcpStream>>);

impl Open {
    fn all(&self) -> MutexGuard<'_, BTreeMap<u64, TcpStream>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether there was room for one more.
    fn add(&self, number: u64, stream: &TcpStream) -> bool {
        let mut all = self.all();
        let copy = stream.try_clone().ok().filter(|_| all.len() < MOST);
        copy.is_some_and(|copy| all.insert(number, copy).is_none())
    }

    fn end(&self) {
        for stream in self.all().values() {
            // One that is closed already has ended.
            let _ = stream.shutdown(Shutdown::Both);
        }
    }
}

/// Serves until it is over.
pub(crate) fn serve(
    listener: &TcpListener,
    site: &Site,
    over: &(dyn Fn() -> bool + Sync),
) -> io::Result<()> {
    let open = Open::default();
    thread::scope(|scope| {
        let mut number = 0;
        let served = loop {
            if over() {
                break Ok(());
            }
            match next(listener) {
                Ok(Some(stream)) if open.add(number, &stream) => {
                    let (taken, open) = (number, &open);
                    scope.spawn(move || {
                        // Whoever went away does not want an answer.
                        let _ = attend(&stream, site);
                        open.all().remove(&taken);
                    });
                    number += 1;
                }
                // More than any browser has: closed without a word.
                Ok(_) => {}
                Err(error) => break Err(error),
            }
        };
        open.end();
        served
    })
}

/// The next connection, if one comes soon.
fn next(listener: &TcpListener) -> io::Result<Option<TcpStream>> {
    let mut ready = [PollFd::new(listener, PollFlags::IN)];
    match poll(&mut ready, Some(&LOOK)) {
        Ok(0) | Err(rustix::io::Errno::INTR) => return Ok(None),
        Ok(_) => {}
        Err(error) => return Err(error.into()),
    }
    match listener.accept() {
        Ok((stream, _)) => {
            stream.set_nonblocking(false)?;
            Ok(Some(stream))
        }
        // It may have gone away in between; without descriptors the next may find one.
        Err(error) if is_passing(&error) => Ok(None),
        Err(error) => Err(error),
    }
}

fn is_passing(error: &io::Error) -> bool {
    use rustix::io::Errno;
    let passing = [Errno::MFILE, Errno::NFILE, Errno::NOBUFS, Errno::NOMEM];
    let is_kind = matches!(
        error.kind(),
        ErrorKind::WouldBlock | ErrorKind::Interrupted | ErrorKind::ConnectionAborted
    );
    is_kind || Errno::from_io_error(error).is_some_and(|errno| passing.contains(&errno))
}

fn attend(stream: &TcpStream, site: &Site) -> io::Result<()> {
    let deadline = Instant::now() + ASKING;
    let head = head(stream, deadline)?;
    let request = head
        .as_ref()
        .and_then(|(head, rest)| Some((parse(head).ok()?, rest)));
    let answer = match request {
        Some((request, rest)) => {
            site.answer(&request, || body(stream, deadline, rest, request.length))
        }
        None => Answer::refusal("400 Bad Request"),
    };
    stream.set_write_timeout(Some(TAKING))?;
    answer.write(&mut BufWriter::new(stream))?;
    stream.shutdown(Shutdown::Write)
}

/// The head of a request, and what came behind it already; none if it is too long.
fn head(stream: &TcpStream, deadline: Instant) -> io::Result<Option<(Vec<u8>, Vec<u8>)>> {
    let mut bytes = Vec::new();
    loop {
        if let Some(length) = length(&bytes) {
            let rest = bytes.split_off(length);
            return Ok(Some((bytes, rest)).filter(|(head, _)| head.len() <= LONGEST));
        }
        if bytes.len() > LONGEST {
            return Ok(None);
        }
        more(stream, deadline, &mut bytes)?;
    }
}

/// The body of a request, of that many bytes; `begun` came with its head.
fn body(stream: &TcpStream, deadline: Instant, begun: &[u8], length: u64) -> io::Result<Vec<u8>> {
    let mut bytes = begun.to_vec();
    while (bytes.len() as u64) < length {
        more(stream, deadline, &mut bytes)?;
    }
    // What a client sends behind it is not asked for.
    bytes.truncate(usize::try_from(length).unwrap_or(usize::MAX));
    Ok(bytes)
}

/// Reads some more.
fn more(mut stream: &TcpStream, deadline: Instant, bytes: &mut Vec<u8>) -> io::Result<()> {
    let left = deadline.saturating_duration_since(Instant::now());
    if left.is_zero() {
        return Err(ErrorKind::TimedOut.into());
    }
    stream.set_read_timeout(Some(left))?;
    let mut part = [0; 2048];
    match stream.read(&mut part)? {
        0 => return Err(ErrorKind::UnexpectedEof.into()),
        n => bytes.extend_from_slice(&part[..n]),
    }
    Ok(())
}
