//! The private channel to the command: a unix stream socket the command listens on.
//!
//! Nothing here blocks: connecting to a command whose queue is full fails, sending takes what the
//! socket takes and keeps the rest. No signal is raised by a broken connection and no child of the
//! target inherits the descriptor.

use crate::options::Options;
use std::collections::VecDeque;
use std::fs::File;
use std::io;
use std::os::fd::{AsRawFd, FromRawFd, OwnedFd, RawFd};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;
use std::ptr;
use std::time::{Duration, Instant};

const MAGIC: &[u8; 8] = b"LLAGENT1";
const PROTOCOL: u16 = 1;
/// The command's byte that ends the recording.
const STOP: u8 = b'S';
/// Begins a message: then come its length, four bytes, low ones first, and its text.
const MESSAGE: u8 = b'X';
/// Of builds for tests alone: makes the writer fail, as a defect of ours would.
#[cfg(debug_assertions)]
const FAULT: u8 = b'!';
/// Longest message taken.
const LONGEST_MESSAGE: usize = 4 << 20;
/// Longest time the last bytes may take, however slowly they are fetched.
const LONGEST_END: Duration = Duration::from_secs(60);
/// Longest message of a hello.
const MAX_MESSAGE: usize = 4096;

/// What the agent answers to being loaded.
pub(crate) enum Status<'a> {
    /// A recording begins; the stream follows.
    Recording,
    /// Another recorder is active in this JVM.
    Busy(&'a str),
    /// It cannot be done here.
    Refused(&'a str),
}

/// What the command wants.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Command {
    /// Go on: it has said so since the last look.
    Alive,
    /// Go on, for all that is known.
    Continue,
    /// End the recording properly.
    Stop,
    /// It has said what is to be recorded exactly; see [`Channel::take_message`].
    Message,
    /// The command is gone.
    Gone,
}

/// See the module.
pub(crate) struct Channel {
    socket: OwnedFd,
    outgoing: VecDeque<Vec<u8>>,
    /// Bytes of the first chunk already sent.
    sent: usize,
    pending: usize,
    broken: bool,
    incoming: Incoming,
}

/// What the command says: single bytes, and messages among them.
#[derive(Default)]
struct Incoming {
    /// From the first byte of a message that is not complete.
    begun: Option<Vec<u8>>,
    message: Option<String>,
    stop: bool,
}

impl Incoming {
    fn take(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            match &mut self.begun {
                Some(begun) => {
                    begun.push(byte);
                    self.complete();
                }
                None if byte == MESSAGE => self.begun = Some(Vec::new()),
                None => {
                    #[cfg(debug_assertions)]
                    assert!(byte != FAULT, "asked for");
                    self.stop |= byte == STOP;
                }
            }
        }
    }

    fn complete(&mut self) {
        let Some([a, b, c, d, text @ ..]) = self.begun.as_deref() else {
            return;
        };
        let len = u32::from_le_bytes([*a, *b, *c, *d]) as usize;
        if len > LONGEST_MESSAGE {
            // Not our command's: what follows cannot be told apart.
            self.stop = true;
            self.begun = None;
        } else if text.len() == len {
            self.message = Some(String::from_utf8_lossy(text).into_owned());
            self.begun = None;
        }
    }
}

pub(crate) fn unix_socket() -> io::Result<OwnedFd> {
    let kind = libc::SOCK_STREAM | libc::SOCK_CLOEXEC | libc::SOCK_NONBLOCK;
    // SAFETY: no memory involved.
    let fd = unsafe { libc::socket(libc::AF_UNIX, kind, 0) };
    if fd < 0 {
        return Err(io::Error::last_os_error());
    }
    // SAFETY: a descriptor just made, owned by nobody else.
    Ok(unsafe { OwnedFd::from_raw_fd(fd) })
}

/// An address from its bytes; one that begins with NUL is in the abstract namespace.
pub(crate) fn address(path: &[u8]) -> io::Result<(libc::sockaddr_un, libc::socklen_t)> {
    // SAFETY: plain integers, of which zero is a value.
    let mut address: libc::sockaddr_un = unsafe { std::mem::zeroed() };
    address.sun_family = libc::AF_UNIX as libc::sa_family_t;
    if path.len() >= address.sun_path.len() {
        return Err(io::ErrorKind::InvalidInput.into());
    }
    for (to, from) in address.sun_path.iter_mut().zip(path) {
        *to = *from as libc::c_char;
    }
    let terminator = usize::from(path.first() != Some(&0));
    let len = std::mem::offset_of!(libc::sockaddr_un, sun_path) + path.len() + terminator;
    Ok((address, len as libc::socklen_t))
}

/// A connection to a socket in the file system. A path that is too long for an address is shortened by a descriptor of its directory:
/// the one that libraries can be loaded from may lie deep.
fn connected(path: &Path) -> io::Result<OwnedFd> {
    if let Ok((address, len)) = address(path.as_os_str().as_bytes()) {
        return connected_to((&address, len));
    }
    let invalid = || io::Error::from(io::ErrorKind::InvalidInput);
    let (parent, name) = path.parent().zip(path.file_name()).ok_or_else(invalid)?;
    let flags = libc::O_PATH | libc::O_DIRECTORY | libc::O_CLOEXEC;
    let parent = File::options()
        .read(true)
        .custom_flags(flags)
        .open(parent)?;
    let short = Path::new("/proc/self/fd").join(parent.as_raw_fd().to_string());
    let (address, len) = address(short.join(name).as_os_str().as_bytes())?;
    connected_to((&address, len))
}

fn connected_to((address, len): (&libc::sockaddr_un, libc::socklen_t)) -> io::Result<OwnedFd> {
    let socket = unix_socket()?;
    // SAFETY: an initialised address of at least `len` bytes.
    let code = unsafe { libc::connect(socket.as_raw_fd(), ptr::from_ref(address).cast(), len) };
    match code {
        0 => Ok(socket),
        _ => Err(io::Error::last_os_error()),
    }
}

impl Channel {
    /// Connects to the command.
    pub(crate) fn connect(options: &Options) -> io::Result<Self> {
        let socket = connected(Path::new(&options.socket))?;
        Ok(Self {
            socket,
            outgoing: VecDeque::new(),
            sent: 0,
            pending: 0,
            broken: false,
            incoming: Incoming::default(),
        })
    }

    /// Says who we are and what will happen.
    pub(crate) fn hello(&mut self, options: &Options, status: &Status<'_>) {
        let (code, message) = match status {
            Status::Recording => (0, ""),
            Status::Busy(why) => (1, *why),
            Status::Refused(why) => (2, *why),
        };
        let message = &message.as_bytes()[..message.floor_char_boundary(MAX_MESSAGE)];
        let mut hello = Vec::with_capacity(64);
        hello.extend(MAGIC);
        hello.extend(PROTOCOL.to_le_bytes());
        hello.extend(options.secret);
        hello.extend(std::process::id().to_le_bytes());
        hello.push(code);
        hello.extend((message.len() as u16).to_le_bytes());
        hello.extend(message);
        self.send(hello);
    }

    /// Queues bytes and sends what can be sent.
    pub(crate) fn send(&mut self, bytes: Vec<u8>) {
        if !self.broken && !bytes.is_empty() {
            self.pending += bytes.len();
            self.outgoing.push_back(bytes);
        }
        self.flush();
    }

    /// Sends what can be sent now.
    pub(crate) fn flush(&mut self) {
        while let Some(first) = self.outgoing.front() {
            let rest = &first[self.sent..];
            let flags = libc::MSG_NOSIGNAL | libc::MSG_DONTWAIT;
            // SAFETY: `rest` is readable for its length.
            let sent = unsafe { libc::send(self.fd(), rest.as_ptr().cast(), rest.len(), flags) };
            let Ok(sent) = usize::try_from(sent) else {
                self.note(&io::Error::last_os_error());
                return;
            };
            self.pending -= sent;
            self.sent += sent;
            if sent == rest.len() {
                self.outgoing.pop_front();
                self.sent = 0;
            }
        }
    }

    fn note(&mut self, error: &io::Error) {
        let again = [io::ErrorKind::WouldBlock, io::ErrorKind::Interrupted];
        if !again.contains(&error.kind()) {
            self.broken = true;
            self.outgoing.clear();
            self.pending = 0;
        }
    }

    /// Bytes queued and not sent.
    pub(crate) fn pending(&self) -> usize {
        self.pending
    }

    /// What the command has said since the last call.
    pub(crate) fn command(&mut self) -> Command {
        let mut bytes = [0_u8; 4096];
        // SAFETY: `bytes` is writable for its length.
        let got = unsafe {
            libc::recv(
                self.fd(),
                bytes.as_mut_ptr().cast(),
                bytes.len(),
                libc::MSG_DONTWAIT,
            )
        };
        match usize::try_from(got) {
            Ok(0) => self.broken = true,
            Ok(got) => return self.heard(&bytes[..got]),
            Err(_) => self.note(&io::Error::last_os_error()),
        }
        if self.broken {
            Command::Gone
        } else {
            Command::Continue
        }
    }

    fn heard(&mut self, bytes: &[u8]) -> Command {
        self.incoming.take(bytes);
        match &self.incoming {
            Incoming { stop: true, .. } => Command::Stop,
            Incoming {
                message: Some(_), ..
            } => Command::Message,
            _ => Command::Alive,
        }
    }

    /// The message that has come, once.
    pub(crate) fn take_message(&mut self) -> Option<String> {
        self.incoming.message.take()
    }

    /// Waits until there is something to do, or `timeout`.
    pub(crate) fn wait(&self, wake: RawFd, timeout: Duration) {
        let output = if self.pending > 0 { libc::POLLOUT } else { 0 };
        let entry = |fd, events| libc::pollfd {
            fd,
            events,
            revents: 0,
        };
        let mut fds = [
            entry(self.fd(), libc::POLLIN | output),
            entry(wake, libc::POLLIN),
        ];
        let timeout = timeout.as_millis() as libc::c_int;
        // SAFETY: two entries, writable.
        unsafe { libc::poll(fds.as_mut_ptr(), 2, timeout) };
    }

    /// Sends the rest, as long as no more than `patience` passes without a byte being taken.
    pub(crate) fn finish(&mut self, patience: Duration) {
        self.finish_with(patience, || {});
    }

    /// The same, reporting every step forward.
    pub(crate) fn finish_with(&mut self, patience: Duration, mut moved: impl FnMut()) {
        let end = Instant::now() + LONGEST_END;
        let mut deadline = Instant::now() + patience;
        self.flush();
        while self.pending > 0 && Instant::now() < deadline.min(end) {
            let before = self.pending;
            self.wait(-1, Duration::from_millis(20));
            self.flush();
            if self.pending < before {
                deadline = Instant::now() + patience;
                moved();
            }
        }
    }

    fn fd(&self) -> RawFd {
        self.socket.as_raw_fd()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;
    use std::io::Read;
    use std::os::unix::net::{UnixListener, UnixStream};
    use std::thread;

    fn pair() -> (Channel, UnixStream) {
        let (ours, theirs) = UnixStream::pair().expect("a pair");
        let channel = Channel {
            socket: OwnedFd::from(ours),
            outgoing: VecDeque::new(),
            sent: 0,
            pending: 0,
            broken: false,
            incoming: Incoming::default(),
        };
        (channel, theirs)
    }

    #[test]
    fn a_socket_deep_down_is_connected_to() {
        let name = format!("locklens-channel-{}", std::process::id());
        let top = std::env::temp_dir().join(name);
        let deep = top.join("a".repeat(60)).join("b".repeat(60));
        fs::create_dir_all(&deep).expect("a folder");
        let folder = File::open(&deep).expect("it is there");
        let short = format!("/proc/self/fd/{}/sock", folder.as_raw_fd());
        let listener = UnixListener::bind(short).expect("a socket");
        let ours = connected(&deep.join("sock"));
        assert!(ours.is_ok(), "{ours:?}");
        assert!(listener.accept().is_ok());
        assert!(connected(&deep.join("other")).is_err());
        let _ = fs::remove_dir_all(top);
    }

    #[test]
    fn a_slow_reader_gets_the_end_as_long_as_it_reads() {
        const LEN: usize = 4 << 20;
        let (mut channel, mut theirs) = pair();
        let reader = thread::spawn(move || {
            let (mut all, mut some) = (0, [0; 1 << 15]);
            loop {
                match theirs.read(&mut some).expect("readable") {
                    0 => return all,
                    got => all += got,
                }
                thread::sleep(Duration::from_millis(2));
            }
        });
        channel.send(vec![7; LEN]);
        let mut steps = 0;
        channel.finish_with(Duration::from_secs(20), || steps += 1);
        drop(channel);
        assert_eq!(reader.join().expect("no panic"), LEN);
        assert!(steps > 0);
    }

    #[test]
    fn a_message_comes_in_pieces_and_between_beats() {
        let mut incoming = Incoming::default();
        for bytes in [&b"HHX\x03"[..], b"\0\0", b"\0aS", b"cH"] {
            assert!(incoming.message.is_none());
            incoming.take(bytes);
        }
        assert_eq!(incoming.message.take().as_deref(), Some("aSc"));
        assert!(!incoming.stop);
        incoming.take(b"X\xff\xff\xff\xff");
        assert!(incoming.stop);
    }

    #[test]
    fn who_does_not_read_at_all_is_not_waited_for() {
        let (mut channel, theirs) = pair();
        channel.send(vec![7; 8 << 20]);
        let patience = Duration::from_millis(100);
        channel.finish(patience);
        assert!(channel.pending() > 0);
        drop(theirs);
        assert_eq!(channel.command(), Command::Gone);
    }
}
