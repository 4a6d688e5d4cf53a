//! Names of users.

#[cfg(not(target_feature = "crt-static"))]
use std::ffi::CStr;

/// Room for one entry; entries of directory services can be long.
#[cfg(not(target_feature = "crt-static"))]
const ENTRY_MAX: usize = 16 * 1024;

/// The name this machine gives a user id, from its file of users.
///
/// A program that has its C library inside must not ask it for more: it would load modules for directory services that
/// belong to the machine's C library, which may be of another version.
#[cfg(target_feature = "crt-static")]
pub(crate) fn name(uid: u32) -> Option<String> {
    let users = std::fs::read_to_string("/etc/passwd").ok()?;
    let is_it = |line: &&str| {
        line.split(':')
            .nth(2)
            .is_some_and(|field| field.parse() == Ok(uid))
    };
    let name = users.lines().find(is_it)?.split(':').next()?;
    Some(name.to_owned())
}

/// The name this machine gives a user id, from wherever it keeps them.
#[cfg(not(target_feature = "crt-static"))]
#[allow(
    unsafe_code,
    reason = "the C library is the only one that knows every user database"
)]
pub(crate) fn name(uid: u32) -> Option<String> {
    let mut buffer = vec![0; ENTRY_MAX];
    let mut entry = std::mem::MaybeUninit::<libc::passwd>::uninit();
    let mut found = std::ptr::null_mut();
    // SAFETY: entry and buffer are live, writable and of the sizes given; found is a valid place
    // for a pointer.
    let error = unsafe {
        libc::getpwuid_r(
            uid,
            entry.as_mut_ptr(),
            buffer.as_mut_ptr(),
            buffer.len(),
            &mut found,
        )
    };
    if error != 0 || found.is_null() {
        return None;
    }
    // SAFETY: found is not null, so it points to the filled entry, whose name is a NUL-terminated
    // string in buffer.
    let name = unsafe { CStr::from_ptr((*found).pw_name) };
    Some(name.to_string_lossy().into_owned())
}

#[cfg(test)]
mod tests {
    #[test]
    fn root_is_root_and_nobody_else() {
        assert_eq!(super::name(0).as_deref(), Some("root"));
        assert_eq!(super::name(4_000_000_001), None);
    }
}
