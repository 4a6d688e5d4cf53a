//! What the standard library calls and glibc before 2.33 does not export: there the header made it a call of
//! `__xstat64`. A JVM loads its agents' names for themselves (RTLD_LOCAL): nobody else's calls come here. See also `build.rs`.

use libc::{SYS_fstat, SYS_stat, c_char, c_int, syscall};

/// As the C library's. On x86-64 its structure is the kernel's.
///
/// # Safety
/// As the C library's.
#[unsafe(no_mangle)]
unsafe extern "C" fn stat64(path: *const c_char, into: *mut libc::stat64) -> c_int {
    // SAFETY: the caller's promise; the call takes the same arguments.
    unsafe { syscall(SYS_stat, path, into) as c_int }
}

/// As the C library's.
///
/// # Safety
/// As the C library's.
#[unsafe(no_mangle)]
unsafe extern "C" fn fstat64(file: c_int, into: *mut libc::stat64) -> c_int {
    // SAFETY: the caller's promise; the call takes the same arguments.
    unsafe { syscall(SYS_fstat, file, into) as c_int }
}
