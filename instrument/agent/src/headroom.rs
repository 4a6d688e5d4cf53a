//! How much stack the current thread has left.
//!
//! A thread of the application may load a class with hardly any: then nothing of ours must run in it that needs
//! much, for native code that runs out of stack takes the JVM with it.

use std::mem::MaybeUninit;

/// Bytes between here and the end of this thread's stack, the JVM's guard pages included; none if the system
/// does not say.
pub(crate) fn left() -> Option<usize> {
    let here = 0_u8;
    let lowest = lowest()?;
    (&raw const here as usize).checked_sub(lowest)
}

/// The lowest address of this thread's stack.
fn lowest() -> Option<usize> {
    let mut attributes = MaybeUninit::<libc::pthread_attr_t>::uninit();
    // SAFETY: this thread is alive, and the call fills the attributes in if it succeeds.
    let code = unsafe { libc::pthread_getattr_np(libc::pthread_self(), attributes.as_mut_ptr()) };
    if code != 0 {
        return None;
    }
    let (mut lowest, mut size) = (std::ptr::null_mut(), 0);
    // SAFETY: filled in above, and destroyed once.
    let code = unsafe {
        let code = libc::pthread_attr_getstack(attributes.as_ptr(), &raw mut lowest, &raw mut size);
        libc::pthread_attr_destroy(attributes.as_mut_ptr());
        code
    };
    (code == 0).then_some(lowest as usize)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_thread_has_less_left_the_deeper_it_is() {
        let size = 16 << 20;
        let thread = std::thread::Builder::new().stack_size(size).spawn(|| {
            let outer = left().expect("the system says");
            let inner = deeper(&[0; 100_000]);
            (outer, inner)
        });
        let (outer, inner) = thread.expect("a thread").join().expect("no panic");
        assert!(outer <= size + (64 << 10), "{outer}");
        assert!(inner + 100_000 <= outer, "{inner} of {outer}");
    }

    #[inline(never)]
    fn deeper(room: &[u8; 100_000]) -> usize {
        let copy = std::hint::black_box(*room);
        let left = left().expect("the system says");
        left - usize::from(copy[0])
    }
}
