//! What the redirected calls go to: a little code of ours near the JVM's library, since a call reaches 2 GB.
//!
//! A thunk keeps every register a called function may change, tells the listener which thread is at which monitor, and
//! goes on to the function the JVM meant to call as if it had been called directly. The page is written once, then made
//! executable and read-only, and stays for as long as the process: a thread may be on its way into it at any time.

use super::image::{Image, PAGE};
use std::ptr;
use std::sync::{Mutex, PoisonError};

/// What the JVM's threads call: thread, monitor, number of the site.
pub(super) type Listen = extern "C" fn(usize, usize, u32);

/// Bytes for one thunk; the longest takes some 350.
const EACH: usize = 512;
/// Most sites there may be.
pub(super) const MOST: usize = 16;
/// How far from the library a page is looked for, and in which steps.
const NEAR: u64 = 1 << 30;
const STEP: u64 = 32 << 20;
/// Room for the 16 vector registers.
const VECTORS: u32 = 256;

/// The thunks there are: where, and for which functions. Made once in a process.
static MADE: Mutex<Option<(u64, u64)>> = Mutex::new(None);

/// Addresses of the thunks, by site.
pub(super) fn made(image: &Image, listen: Listen) -> Result<Vec<u64>, String> {
    let sites = image.points.sites.len();
    if sites > MOST {
        return Err(format!("{sites} probe points are more than are known"));
    }
    let called = image.address(image.points.called);
    let mut made = MADE.lock().unwrap_or_else(PoisonError::into_inner);
    let start = match *made {
        Some((start, of)) if of == called => start,
        Some(_) => return Err("the JVM's library has moved".into()),
        None => {
            let start = make(image, called, listen)?;
            *made = Some((start, called));
            start
        }
    };
    Ok((0..sites).map(|i| start + (i * EACH) as u64).collect())
}

fn make(image: &Image, called: u64, listen: Listen) -> Result<u64, String> {
    let page = Page::near(image)?;
    let monitors = image.points.sites.iter().map(|site| site.monitor);
    for (i, monitor) in monitors.enumerate() {
        let at = page.start + (i * EACH) as u64;
        let code = thunk(at, called, monitor, (listen as usize as u64, i as u32));
        let code = code.ok_or("no room near the JVM's library")?;
        // SAFETY: inside the new mapping, which nobody else knows; `EACH` is more than the code takes.
        unsafe { ptr::copy_nonoverlapping(code.as_ptr(), at as *mut u8, code.len()) };
    }
    page.finish()
}

/// A mapping that is not in use yet.
struct Page {
    start: u64,
}

impl Page {
    const LENGTH: usize = MOST * EACH;

    /// A writable mapping that everything in the library can call and that can call all of it. The kernel is asked for
    /// a place and may give another.
    fn near(image: &Image) -> Result<Self, String> {
        let end = image.points.segments.iter().map(|s| s.address + s.length);
        let end = image.address(end.max().unwrap_or(0)) & !(PAGE - 1);
        let steps = (1..NEAR / STEP).map(|i| i * STEP);
        let mut why = "no room near the JVM's library".to_owned();
        for by in steps {
            for hint in [image.base.wrapping_sub(by), end.wrapping_add(by)] {
                match map(hint & !(PAGE - 1)) {
                    Ok(start) if is_near(start, image.base, end) => return Ok(Self { start }),
                    Ok(start) => unmap(start),
                    Err(error) => why = format!("no memory for code: {error}"),
                }
            }
        }
        Err(why)
    }

    fn finish(self) -> Result<u64, String> {
        let rights = libc::PROT_READ | libc::PROT_EXEC;
        // SAFETY: the whole of our own mapping.
        let code = unsafe { libc::mprotect(self.start as *mut _, Self::LENGTH, rights) };
        if code == 0 {
            return Ok(self.start);
        }
        let error = std::io::Error::last_os_error();
        unmap(self.start);
        Err(format!(
            "the process may have no code of its own making: {error}"
        ))
    }
}

fn map(hint: u64) -> std::io::Result<u64> {
    // SAFETY: an anonymous private mapping at an address of the kernel's choice.
    let start = unsafe {
        libc::mmap(
            hint as *mut _,
            Page::LENGTH,
            libc::PROT_READ | libc::PROT_WRITE,
            libc::MAP_PRIVATE | libc::MAP_ANONYMOUS,
            -1,
            0,
        )
    };
    match start == libc::MAP_FAILED {
        true => Err(std::io::Error::last_os_error()),
        false => Ok(start as u64),
    }
}

fn unmap(start: u64) {
    // SAFETY: a mapping just made, of which nobody knows.
    unsafe { libc::munmap(start as *mut _, Page::LENGTH) };
}

fn is_near(start: u64, low: u64, high: u64) -> bool {
    const REACH: u64 = (2 << 30) - (1 << 20);
    let end = start + Page::LENGTH as u64;
    end.abs_diff(low) < REACH && start.abs_diff(high) < REACH && start != 0
}

/// The displacement of a call or jump that ends at `end`.
pub(super) fn displacement(end: u64, to: u64) -> Option<i32> {
    i32::try_from(to.wrapping_sub(end) as i64).ok()
}

/// The code of one thunk that lies at `at`. It is entered in place of `called`, with the thread in rdi and the monitor
/// in a register that calls don't change.
fn thunk(at: u64, called: u64, monitor: u8, (listen, site): (u64, u32)) -> Option<Vec<u8>> {
    let mut code = Vec::with_capacity(EACH);
    // endbr64; push rbp; mov rbp, rsp
    code.extend([0xf3, 0x0f, 0x1e, 0xfa, 0x55, 0x48, 0x89, 0xe5]);
    // push rax, rcx, rdx, rsi, rdi, r8, r9, r10, r11: by its contract a function may change them, and by its contract
    // nobody would mind, unless the compiler saw into the function that is called.
    code.extend([
        0x50, 0x51, 0x52, 0x56, 0x57, 0x41, 0x50, 0x41, 0x51, 0x41, 0x52, 0x41, 0x53,
    ]);
    // sub rsp, VECTORS + 16; and rsp, -16
    code.extend([0x48, 0x81, 0xec]);
    code.extend((VECTORS + 16).to_le_bytes());
    code.extend([0x48, 0x83, 0xe4, 0xf0]);
    vectors(&mut code, 0x11);
    // mov rsi, monitor; mov edx, site; mov rax, listen; call rax
    code.extend([
        0x48 | (monitor >> 3) << 2,
        0x89,
        0xc6 | (monitor & 7) << 3,
        0xba,
    ]);
    code.extend(site.to_le_bytes());
    code.extend([0x48, 0xb8]);
    code.extend(listen.to_le_bytes());
    code.extend([0xff, 0xd0]);
    vectors(&mut code, 0x10);
    // lea rsp, [rbp - 9 * 8]; pop r11, r10, r9, r8, rdi, rsi, rdx, rcx, rax, rbp
    code.extend([0x48, 0x8d, 0x65, 0xb8]);
    code.extend([
        0x41, 0x5b, 0x41, 0x5a, 0x41, 0x59, 0x41, 0x58, 0x5f, 0x5e, 0x5a, 0x59, 0x58, 0x5d,
    ]);
    // jmp called
    code.push(0xe9);
    let end = at + code.len() as u64 + 4;
    code.extend(displacement(end, called)?.to_le_bytes());
    (code.len() <= EACH).then_some(code)
}

/// movups between the 16 vector registers and the stack: 0x11 stores, 0x10 loads.
fn vectors(code: &mut Vec<u8>, op: u8) {
    for register in 0..16_u8 {
        if register >= 8 {
            code.push(0x44);
        }
        code.extend([0x0f, op, 0x84 | (register & 7) << 3, 0x24]);
        code.extend((u32::from(register) * 16).to_le_bytes());
    }
}

#[cfg(all(test, target_arch = "x86_64"))]
mod tests {
    use super::*;
    use std::arch::asm;
    use std::sync::atomic::AtomicU64;
    use std::sync::atomic::Ordering::Relaxed;

    static HEARD: [AtomicU64; 3] = [const { AtomicU64::new(0) }; 3];

    extern "C" fn hear(thread: usize, monitor: usize, site: u32) {
        let values = [thread as u64, monitor as u64, u64::from(site)];
        for (heard, value) in HEARD.iter().zip(values) {
            heard.store(value, Relaxed);
        }
        // Leaves nothing as it was.
        // SAFETY: every register named is declared changed.
        unsafe {
            asm!("pcmpeqd xmm0, xmm0", "pcmpeqd xmm9, xmm9",
                out("xmm0") _, out("xmm9") _, out("rcx") _, out("r8") _, out("r11") _);
        }
    }

    extern "C" fn meant(thread: u64) -> u64 {
        thread + 1
    }

    #[test]
    fn a_thunk_tells_and_goes_on_and_changes_nothing() {
        let called = meant as *const () as u64;
        let near = map(called & !(PAGE - 1)).expect("memory");
        let page = Page { start: near };
        // r12 is as good as any: the operand of the others differs in bits only.
        let listen = hear as Listen as usize as u64;
        let code = thunk(near, called, 12, (listen, 7));
        let Some(code) = code else { return unmap(near) };
        // SAFETY: room in a mapping of our own.
        unsafe { ptr::copy_nonoverlapping(code.as_ptr(), near as *mut u8, code.len()) };
        let entry = page.finish().expect("code of our own");
        let (result, mut r8, mut rcx): (u64, u64, u64);
        (r8, rcx) = (88, 99);
        let mut vector = [1.5_f64, 2.5];
        // SAFETY: the thunk is a function of one argument that keeps what is named here.
        unsafe {
            asm!(
                "push rbp", "mov rbp, rsp", "and rsp, -16", "call {entry}", "mov rsp, rbp", "pop rbp",
                entry = in(reg) entry, in("rdi") 41_u64, in("r12") 12_u64,
                lateout("rax") result, inout("r8") r8, inout("rcx") rcx,
                inout("xmm0") vector[0], inout("xmm9") vector[1],
            );
        }
        assert_eq!((result, r8, rcx, vector), (42, 88, 99, [1.5, 2.5]));
        let heard: Vec<u64> = HEARD.iter().map(|h| h.load(Relaxed)).collect();
        assert_eq!(heard, [41, 12, 7]);
        unmap(near);
    }
}
