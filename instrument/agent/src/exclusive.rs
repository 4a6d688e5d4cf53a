//! The right to be this JVM's recorder.
//!
//! A name in the abstract socket namespace: other copies of this library in the same process, say under another path, see it
//! too, and it vanishes with the process whatever happens. But the name is no secret, and anybody on the machine may take it;
//! so one that is taken counts only if a socket of this very process has it, and else the next name is the right.

use crate::channel::{address, unix_socket};
use std::fs;
use std::io;
use std::os::fd::{AsRawFd, OwnedFd};
use std::os::unix::fs::MetadataExt;

/// Names there are: who takes all of them from a JVM can keep it from being recorded.
const NAMES: u32 = 8;

/// The right, as long as it is held.
pub(crate) struct Exclusive {
    _socket: OwnedFd,
}

impl Exclusive {
    /// Takes the right; none if somebody else in this process has it, or strangers have all its names.
    pub(crate) fn take() -> io::Result<Option<Self>> {
        let name = format!("locklens/{}/{}", std::process::id(), start_ticks());
        Self::of(&name, is_ours)
    }

    /// `is_ours`: whether a name that is taken was taken by this process.
    fn of(name: &str, is_ours: impl Fn(&str) -> bool) -> io::Result<Option<Self>> {
        let mut right = None;
        for number in 0..NAMES {
            let name = numbered(name, number);
            match bound(&name)? {
                // What of the others is free stays so; that they are looked at at all is for who had to take one of those.
                Some(socket) => drop(right.get_or_insert(socket)),
                None if is_ours(&name) => return Ok(None),
                None => {}
            }
        }
        Ok(right.map(|socket| Self { _socket: socket }))
    }
}

fn numbered(name: &str, number: u32) -> String {
    match number {
        0 => name.to_owned(),
        _ => format!("{name}/{number}"),
    }
}

/// A socket with this name; none if another one has it.
fn bound(name: &str) -> io::Result<Option<OwnedFd>> {
    let socket = unix_socket()?;
    let (address, len) = address(format!("\0{name}").as_bytes())?;
    // SAFETY: an initialised address of at least `len` bytes.
    let code = unsafe { libc::bind(socket.as_raw_fd(), (&raw const address).cast(), len) };
    match code {
        0 => Ok(Some(socket)),
        _ => match io::Error::last_os_error() {
            error if error.kind() == io::ErrorKind::AddrInUse => Ok(None),
            error => Err(error),
        },
    }
}

/// Whether a socket of this process has the name. Where the system does not tell, it is taken for one.
fn is_ours(name: &str) -> bool {
    let Ok(table) = fs::read_to_string("/proc/self/net/unix") else {
        return true;
    };
    let Ok(files) = fs::read_dir("/proc/self/fd") else {
        return true;
    };
    let sockets = inodes(&table, name);
    let own = files.filter_map(|file| fs::metadata(file.ok()?.path()).ok());
    { own }.any(|own| sockets.contains(&own.ino()))
}

/// Of the system's table of sockets those with this abstract name.
fn inodes(table: &str, name: &str) -> Vec<u64> {
    let of_line = |line: &str| {
        let mut fields = line.split_ascii_whitespace().skip(6);
        let inode = fields.next()?.parse().ok()?;
        let path = fields.next()?.strip_prefix('@')?;
        (path == name).then_some(inode)
    };
    table.lines().filter_map(of_line).collect()
}

/// When this process started, which tells it from one of the same number in another container that
/// shares the network namespace.
fn start_ticks() -> u64 {
    let stat = fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let fields = stat.rsplit(')').next().unwrap_or_default();
    let field = fields.split_whitespace().nth(19);
    field.and_then(|ticks| ticks.parse().ok()).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::process::{Command, Stdio};

    fn name(of: &str) -> String {
        format!("locklens/test/{}/{of}", std::process::id())
    }

    #[test]
    fn one_of_this_process_keeps_others_out_until_it_goes() {
        let name = name("own");
        let right = Exclusive::of(&name, is_ours).unwrap();
        assert!(right.is_some());
        assert!(Exclusive::of(&name, is_ours).unwrap().is_none());
        drop(right);
        assert!(Exclusive::of(&name, is_ours).unwrap().is_some());
    }

    #[test]
    fn a_strangers_name_keeps_nobody_out() {
        let name = name("strange");
        let socket = bound(&name).unwrap().expect("nobody has it");
        // SAFETY: a flag of a descriptor of ours.
        unsafe { libc::fcntl(socket.as_raw_fd(), libc::F_SETFD, 0) };
        let stranger = Command::new("cat").stdin(Stdio::piped()).spawn();
        let mut stranger = stranger.expect("cat runs");
        drop(socket);
        assert!(
            bound(&name).unwrap().is_none(),
            "the other one has it still"
        );
        let right = Exclusive::of(&name, is_ours).unwrap();
        assert!(right.is_some());
        assert!(
            Exclusive::of(&name, is_ours).unwrap().is_none(),
            "that one is ours"
        );
        drop(stranger.stdin.take());
        stranger.wait().expect("it ends");
        // The first name is free again; who took the second one is there still.
        assert!(Exclusive::of(&name, is_ours).unwrap().is_none());
        drop(right);
        assert!(Exclusive::of(&name, is_ours).unwrap().is_some());
    }

    #[test]
    fn lines_of_the_table_are_read_as_they_are() {
        let table = "Num       RefCount Protocol Flags    Type St Inode Path\n\
            0000000000000000: 00000002 00000000 00000000 0001 01 4711 @locklens/1/2\n\
            0000000000000000: 00000003 00000000 00000000 0001 03 4712\n\
            0000000000000000: 00000002 00000000 00000000 0001 01 4713 @locklens/1/2/1\n\
            garbage\n";
        assert_eq!(inodes(table, "locklens/1/2"), [4711]);
        assert_eq!(inodes(table, "locklens/1/2/1"), [4713]);
        assert_eq!(inodes(table, "locklens/1"), []);
    }
}
