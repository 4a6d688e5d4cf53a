//! The command's sign of life to the agent.
//!
//! A command that is stopped (Ctrl-Z, a debugger) or hangs keeps its connection, so the agent cannot
//! tell it from one that has nothing to say. It is therefore promised a byte now and then, from a
//! thread of its own, and leaves the target when none comes any more. The thread also notices when it
//! was itself not running for long, which explains a recording that ended early.

use std::io::{ErrorKind, Write};
use std::os::unix::net::UnixStream;
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// Time between two beats.
const BEAT: Duration = Duration::from_millis(250);
/// How long the agent bears silence.
pub(crate) const SILENCE: Duration = Duration::from_secs(2);
/// What is sent.
const SIGN: &[u8] = b"H";

/// Beats until it is dropped.
#[derive(Debug)]
pub(crate) struct Heart {
    shared: Arc<Shared>,
    thread: Option<JoinHandle<()>>,
}

#[derive(Debug)]
struct Shared {
    state: Mutex<State>,
    stop: Condvar,
}

#[derive(Debug)]
struct State {
    stopping: bool,
    last: Instant,
    longest: Duration,
}

impl State {
    fn beat(&mut self, now: Instant) {
        self.longest = self.gap(now);
        self.last = now;
    }

    fn gap(&self, now: Instant) -> Duration {
        self.longest.max(now.saturating_duration_since(self.last))
    }
}

impl Heart {
    /// Begins. A system that has no thread for it, or no second descriptor, says why.
    pub(crate) fn start(socket: &UnixStream) -> std::io::Result<Self> {
        let socket = socket.try_clone()?;
        let shared = Arc::new(Shared {
            state: Mutex::new(State {
                stopping: false,
                last: Instant::now(),
                longest: Duration::ZERO,
            }),
            stop: Condvar::new(),
        });
        let ours = Arc::clone(&shared);
        let thread = std::thread::Builder::new()
            .name("heartbeat".to_string())
            .spawn(move || ours.beat(&socket))?;
        Ok(Self {
            shared,
            thread: Some(thread),
        })
    }

    /// The longest time between two beats so far.
    pub(crate) fn longest_gap(&self) -> Duration {
        self.shared.state().gap(Instant::now())
    }
}

impl Shared {
    fn state(&self) -> std::sync::MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn beat(&self, mut socket: &UnixStream) {
        let mut state = self.state();
        while !state.stopping {
            state.beat(Instant::now());
            drop(state);
            // A target that does not read (stopped itself) has enough of them in its queue.
            match socket.write(SIGN) {
                Err(error) if error.kind() == ErrorKind::BrokenPipe => return,
                _ => {}
            }
            let waiting = self
                .stop
                .wait_timeout_while(self.state(), BEAT, |state| !state.stopping);
            state = waiting.unwrap_or_else(PoisonError::into_inner).0;
        }
    }
}

impl Drop for Heart {
    fn drop(&mut self) {
        self.shared.state().stopping = true;
        self.shared.stop.notify_all();
        if let Some(thread) = self.thread.take() {
            // It has nothing to panic about.
            let _ = thread.join();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Read;

    #[test]
    fn it_beats_until_it_is_dropped() {
        let (ours, mut theirs) = UnixStream::pair().unwrap();
        let heart = Heart::start(&ours).unwrap();
        let mut signs = [0; 3];
        theirs.read_exact(&mut signs).unwrap();
        assert_eq!(&signs, b"HHH");
        drop(heart);
        drop(ours);
        assert!(theirs.read_to_end(&mut Vec::new()).is_ok());
    }

    #[test]
    fn an_end_that_is_gone_ends_it() {
        let (ours, theirs) = UnixStream::pair().unwrap();
        let heart = Heart::start(&ours).unwrap();
        drop(theirs);
        let thread = heart.thread.as_ref().unwrap();
        let deadline = Instant::now() + Duration::from_secs(60);
        while !thread.is_finished() && Instant::now() < deadline {
            std::thread::yield_now();
        }
        assert!(thread.is_finished());
    }

    #[test]
    fn the_longest_gap_is_remembered_and_the_present_one_counts() {
        let start = Instant::now();
        let mut state = State {
            stopping: false,
            last: start,
            longest: Duration::ZERO,
        };
        for ms in [250, 5250, 5500] {
            state.beat(start + Duration::from_millis(ms));
        }
        assert_eq!(state.longest, Duration::from_secs(5));
        let later = start + Duration::from_millis(12_500);
        assert_eq!(state.gap(later), Duration::from_secs(7));
    }
}
