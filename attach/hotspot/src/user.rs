//! Names of users.

use std::ffi::CStr;

/// Room for one entry; entries of directory services can be long.
const ENTRY_MAX: usize = 16 * 1024;

/// The name this machine gives a user id, from wherever it keeps them.
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
