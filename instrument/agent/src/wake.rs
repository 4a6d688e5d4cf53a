//! Waking the writer from a callback: an eventfd, one system call that never blocks.

use std::io;
use std::os::fd::{AsRawFd, FromRawFd, OwnedFd, RawFd};

/// See the module.
pub(crate) struct Wake(OwnedFd);

impl Wake {
    /// A new one, not inherited by children of the target.
    pub(crate) fn new() -> io::Result<Self> {
        // SAFETY: no memory involved.
        let fd = unsafe { libc::eventfd(0, libc::EFD_CLOEXEC | libc::EFD_NONBLOCK) };
        if fd < 0 {
            return Err(io::Error::last_os_error());
        }
        // SAFETY: a descriptor just made, owned by nobody else.
        Ok(Self(unsafe { OwnedFd::from_raw_fd(fd) }))
    }

    /// Wakes the writer. A failure means that it has been woken a great many times already.
    pub(crate) fn ring(&self) {
        let one = 1_u64.to_ne_bytes();
        // SAFETY: eight readable bytes.
        unsafe { libc::write(self.0.as_raw_fd(), one.as_ptr().cast(), one.len()) };
    }

    /// Forgets what was rung so far.
    pub(crate) fn clear(&self) {
        let mut count = [0_u8; 8];
        // SAFETY: eight writable bytes.
        unsafe { libc::read(self.0.as_raw_fd(), count.as_mut_ptr().cast(), count.len()) };
    }

    /// The descriptor to poll for reading.
    pub(crate) fn fd(&self) -> RawFd {
        self.0.as_raw_fd()
    }
}
