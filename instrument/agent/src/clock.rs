//! The clocks: the target's `CLOCK_MONOTONIC` for events, the thread's own for what we cost.

/// Nanoseconds on `CLOCK_MONOTONIC`, absolute.
pub(crate) fn monotonic() -> u64 {
    read(libc::CLOCK_MONOTONIC)
}

/// Nanoseconds since 1970.
pub(crate) fn wall() -> u64 {
    read(libc::CLOCK_REALTIME)
}

/// Processor time the calling thread has used.
pub(crate) fn thread_cpu() -> u64 {
    read(libc::CLOCK_THREAD_CPUTIME_ID)
}

/// Processor time all threads of this process have used. The kernel adds them up: not for every day.
pub(crate) fn process_cpu() -> u64 {
    read(libc::CLOCK_PROCESS_CPUTIME_ID)
}

fn read(clock: libc::clockid_t) -> u64 {
    let mut time = libc::timespec {
        tv_sec: 0,
        tv_nsec: 0,
    };
    // SAFETY: writes one timespec of ours; on failure it stays zero.
    unsafe { libc::clock_gettime(clock, &raw mut time) };
    time.tv_sec as u64 * 1_000_000_000 + time.tv_nsec as u64
}
