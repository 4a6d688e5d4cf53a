//! Whether those who have been blocked for long are stuck: the JVM is asked for two thread dumps, as `locklens deadlocks PID` does.
//!
//! That stops its threads for a moment, so it is asked seldom. A thread of its own does it, which nobody waits for: a JVM that does
//! not answer holds up nothing, and of one that cannot be asked nothing is said.

use crate::deadlocks::hang;
use crate::record::signals::Signals;
use locklens_hotspot::Jvm;
use locklens_inference::deadlock::finding::Report;
use std::sync::mpsc::{self, Receiver, SyncSender};
use std::thread;
use std::time::{Duration, Instant};

/// Shortest time between two inquests.
const REST: Duration = Duration::from_secs(5);
/// How many times as long as one took is rested.
const TIMES: u32 = 20;

/// Somebody who asks the JVM.
pub(super) struct Inquest {
    ask: SyncSender<()>,
    answers: Receiver<Option<Report>>,
}

impl Inquest {
    pub(super) fn begin(jvm: &Jvm, signals: &Signals) -> Self {
        // Who rests takes no order.
        let (ask, orders) = mpsc::sync_channel(0);
        let (tell, answers) = mpsc::channel();
        let (jvm, signals) = (jvm.clone(), signals.clone());
        thread::spawn(move || {
            while orders.recv().is_ok() {
                let began = Instant::now();
                let found = hang::look(&jvm, &signals);
                if tell.send(found.ok()).is_err() {
                    return;
                }
                thread::sleep(REST.max(began.elapsed() * TIMES));
            }
        });
        Self { ask, answers }
    }

    /// Asks, unless it was just asked; whether it does.
    pub(super) fn ask(&self) -> bool {
        self.ask.try_send(()).is_ok()
    }

    /// What it has come to; inside nothing if the JVM did not answer.
    pub(super) fn answer(&self) -> Option<Option<Report>> {
        self.answers.try_recv().ok()
    }
}
