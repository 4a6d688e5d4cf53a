//! An analysis of what has come, now and then: names, types and who is to blame.
//!
//! It takes time, the more the larger the program is: so it is made again only after it has been idle for ten times as long as
//! the processors were taken.

use super::feed::Batch;
use locklens_inference::board::{KEYS, Study};
use locklens_inference::contention::Wish;
use locklens_inference::contention::live::{STRETCH, Watcher};
use locklens_inference::model::Options;
use rustix::time::{ClockId, clock_gettime};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender};
use std::time::{Duration, Instant};

/// Shortest time between two of them.
const REST: Duration = Duration::from_secs(2);
/// How many times as long as one took of the processors is rested.
const TIMES: u32 = 10;
/// Events that are kept to know what the locks are.
const EVENTS: usize = 100_000;

/// Studies what comes until nothing does any more, and tells what it finds.
pub(super) fn study(lessons: Receiver<Batch>, tell: &Sender<Study>) {
    let options = Options {
        window_events: EVENTS,
        ..Options::default()
    };
    let mut watcher = Watcher::new(options, &KEYS, Wish::default(), STRETCH);
    let (mut due, mut is_new) = (Instant::now() + REST, false);
    loop {
        match lessons.recv_timeout(REST) {
            Ok(batch) => {
                is_new |= !batch.is_empty();
                batch.iter().for_each(|record| watcher.push(record.clone()));
            }
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => return,
        }
        if !is_new || Instant::now() < due {
            continue;
        }
        let began = Effort::begin();
        let last = watcher.last_lock();
        let (blame, analysis) = watcher.so_far();
        let study = Study::of(analysis, blame, last);
        is_new = false;
        due = Instant::now() + REST.max(began.spent() * TIMES);
        if tell.send(study).is_err() {
            return;
        }
    }
}

/// What an analysis takes of the processors. On a busy machine that is a small part of the time that goes by.
struct Effort {
    began: Instant,
    processor: Duration,
}

impl Effort {
    fn begin() -> Self {
        Self {
            began: Instant::now(),
            processor: processor(),
        }
    }

    /// What else the process does meanwhile counts, too; but no more than one processor's time.
    fn spent(&self) -> Duration {
        let processor = processor().saturating_sub(self.processor);
        processor.min(self.began.elapsed())
    }
}

/// The process's processor time.
fn processor() -> Duration {
    let time = clock_gettime(ClockId::ProcessCPUTime);
    let seconds = Duration::from_secs(u64::try_from(time.tv_sec).unwrap_or(0));
    seconds + Duration::from_nanos(u64::try_from(time.tv_nsec).unwrap_or(0))
}
