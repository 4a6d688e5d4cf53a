//! Changing the JVM's code: the four bytes that say where a call goes, and the flag that lets it come there.
//!
//! Nobody executes a guarded call while its flag is false, and a safepoint after the flag was cleared shows that nobody
//! is before one still: the JVM's threads reach a safepoint only outside of this code. Bytes are changed in that state
//! alone. HotSpot itself changes its calls in use in the same way, one store of four bytes within a cache line; where a
//! displacement lies in two lines, the processors are told to forget what they fetched before the flag is set.

use super::image::{Image, PAGE};
use std::io;
use std::sync::atomic::AtomicU8;
use std::sync::atomic::Ordering::SeqCst;

const READ_EXECUTE: i32 = libc::PROT_READ | libc::PROT_EXEC;

/// One displacement.
#[derive(Clone, Copy)]
pub(super) struct Patch {
    /// Where it is.
    pub(super) at: u64,
    pub(super) original: [u8; 4],
    pub(super) ours: [u8; 4],
}

impl Patch {
    /// Puts `new` where `old` stands; an error if something else does, or if it is not allowed.
    ///
    /// # Safety
    /// `at` is inside the JVM's code, mapped readable and executable, and nobody is about to execute it.
    pub(super) unsafe fn exchange(&self, old: [u8; 4], new: [u8; 4]) -> io::Result<()> {
        let pages = Pages::of(self.at);
        // SAFETY: whole pages of the library, given more rights for a moment; reading and executing go on.
        unsafe { pages.protect(READ_EXECUTE | libc::PROT_WRITE)? };
        // SAFETY: writable now, the caller's promise for the rest.
        let done = unsafe { replace(self.at, old, new) };
        // SAFETY: back to what they were.
        let back = unsafe { pages.protect(READ_EXECUTE) };
        match done {
            true => back,
            false => Err(io::Error::other("the code is not what it was")),
        }
    }
}

/// The pages that hold four bytes.
struct Pages {
    start: u64,
    length: u64,
}

impl Pages {
    fn of(at: u64) -> Self {
        let start = at & !(PAGE - 1);
        let length = ((at + 3) & !(PAGE - 1)) + PAGE - start;
        Self { start, length }
    }

    /// # Safety
    /// The pages may be given these rights.
    unsafe fn protect(&self, rights: i32) -> io::Result<()> {
        // SAFETY: the caller's promise.
        let code = unsafe { libc::mprotect(self.start as *mut _, self.length as usize, rights) };
        match code {
            0 => Ok(()),
            _ => Err(io::Error::last_os_error()),
        }
    }
}

/// # Safety
/// Four writable bytes.
unsafe fn replace(at: u64, old: [u8; 4], new: [u8; 4]) -> bool {
    // SAFETY: four readable bytes; nobody else writes them.
    let now = unsafe { (at as *const [u8; 4]).read_volatile() };
    if now != old {
        return false;
    }
    // SAFETY: as above.
    unsafe { store(at, u32::from_ne_bytes(new)) };
    true
}

/// One store of four bytes, aligned or not.
///
/// # Safety
/// Four writable bytes.
#[cfg(target_arch = "x86_64")]
unsafe fn store(at: u64, value: u32) {
    // SAFETY: the caller's promise.
    unsafe {
        std::arch::asm!("mov dword ptr [{at}], {value:e}", at = in(reg) at, value = in(reg) value, options(nostack));
    }
}

/// Elsewhere there are no sites, see [`locklens_libjvm::Refusal::NotX86`].
#[cfg(not(target_arch = "x86_64"))]
unsafe fn store(_at: u64, _value: u32) {}

/// The flag that guards the probes.
#[derive(Clone, Copy)]
pub(super) struct Flag(&'static AtomicU8);

impl Flag {
    /// The flag of a verified library.
    pub(super) fn of(image: &Image) -> Self {
        let at = image.address(image.points.flag) as *const AtomicU8;
        // SAFETY: a byte of the library's data, seen mapped and writable, there as long as the process; the JVM only
        // reads it.
        Self(unsafe { &*at })
    }

    /// Lets the JVM come to its probes, or not.
    pub(super) fn set(self, on: bool) {
        self.0.store(u8::from(on), SeqCst);
    }

    /// Whether the JVM comes to its probes.
    pub(super) fn is_set(self) -> bool {
        self.0.load(SeqCst) != 0
    }
}

/// Makes every processor that runs one of our threads forget what it has fetched of code.
pub(super) fn forget_fetched() -> io::Result<()> {
    const PRIVATE_EXPEDITED_SYNC_CORE: i32 = 1 << 5;
    const REGISTER_PRIVATE_EXPEDITED_SYNC_CORE: i32 = 1 << 6;
    for command in [
        REGISTER_PRIVATE_EXPEDITED_SYNC_CORE,
        PRIVATE_EXPEDITED_SYNC_CORE,
    ] {
        // SAFETY: no memory involved.
        let code = unsafe { libc::syscall(libc::SYS_membarrier, command, 0, 0) };
        if code != 0 {
            return Err(io::Error::last_os_error());
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_across_pages_take_both() {
        let pages = Pages::of(0x1ffe);
        assert_eq!((pages.start, pages.length), (0x1000, 0x2000));
        let pages = Pages::of(0x1ffc);
        assert_eq!((pages.start, pages.length), (0x1000, 0x1000));
    }
}
