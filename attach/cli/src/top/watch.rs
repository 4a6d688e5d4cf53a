//! What is known at the moment: the board, the last study, the last minute.

use super::feed::Batch;
use super::inquest::Inquest;
use crate::args::Top as Args;
use crate::record::signals::Signals;
use locklens_inference::board::recent::Recent;
use locklens_inference::board::view::View;
use locklens_inference::board::{Board, Study};
use locklens_trace::Nanos;
use std::sync::mpsc::{Receiver, RecvTimeoutError, TryRecvError};
use std::time::Duration;

/// How long is waited for something new before signals are looked at.
const STEP: Duration = Duration::from_millis(50);

/// See the module.
pub(super) struct Watch<'a> {
    /// Pid and name of the JVM.
    pub(super) target: &'a str,
    board: Board,
    pub(super) recent: Recent,
    study: Study,
    records: Receiver<Batch>,
    studies: Receiver<Study>,
    inquest: Inquest,
    signals: &'a Signals,
    /// Nothing will come any more.
    is_over: bool,
    /// Intervals that were told since somebody asked.
    turned: bool,
    changed: bool,
}

impl<'a> Watch<'a> {
    pub(super) fn new(
        args: &Args,
        target: &'a str,
        (records, studies, inquest): (Receiver<Batch>, Receiver<Study>, Inquest),
        signals: &'a Signals,
    ) -> Self {
        let interval = u64::try_from(args.interval.as_nanos()).unwrap_or(u64::MAX);
        Self {
            target,
            board: Board::new(Nanos(interval)),
            recent: Recent::default(),
            study: Study::default(),
            records,
            studies,
            inquest,
            signals,
            is_over: false,
            turned: false,
            changed: true,
        }
    }

    /// Waits until the agent is there; false if it never is.
    pub(super) fn begins(&mut self) -> bool {
        match self.records.recv() {
            Ok(batch) => {
                self.take(&batch);
                true
            }
            Err(_) => {
                self.is_over = true;
                false
            }
        }
    }

    /// The recording is over.
    pub(super) fn is_over(&self) -> bool {
        self.is_over
    }

    /// Somebody wants it to end, by a signal.
    pub(super) fn is_unwanted(&self) -> bool {
        self.signals.arrived()
    }

    /// Takes in what has come.
    pub(super) fn catch_up(&mut self) {
        loop {
            match self.records.try_recv() {
                Ok(batch) => self.take(&batch),
                Err(TryRecvError::Empty) => break,
                Err(TryRecvError::Disconnected) => {
                    self.is_over = true;
                    break;
                }
            }
        }
        self.learn();
    }

    /// The same, and waits a moment for it.
    pub(super) fn wait(&mut self) {
        match self.records.recv_timeout(STEP) {
            Ok(batch) => self.take(&batch),
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => self.is_over = true,
        }
        self.catch_up();
    }

    fn take(&mut self, batch: &Batch) {
        for record in batch.iter() {
            self.board.push(record.clone());
            self.recent.push(record.clone());
        }
        self.turned |= self.board.turn();
        self.changed |= !batch.is_empty();
        if self.board.is_suspicious() && self.inquest.ask() {
            self.board.asks();
        }
    }

    fn learn(&mut self) {
        while let Ok(study) = self.studies.try_recv() {
            self.study = study;
            self.changed = true;
        }
        if let Some(report) = self.inquest.answer() {
            self.board.answered(report);
            self.changed = true;
        }
    }

    /// Whether an interval has ended since this was asked last.
    pub(super) fn has_turned(&mut self) -> bool {
        std::mem::take(&mut self.turned)
    }

    /// Whether anything is new since this was asked last.
    pub(super) fn has_changed(&mut self) -> bool {
        std::mem::take(&mut self.changed)
    }

    /// How it stands.
    pub(super) fn view(&mut self) -> View {
        self.board.view(&self.study)
    }
}
