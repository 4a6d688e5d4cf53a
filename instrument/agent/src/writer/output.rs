//! Records to chunks to the channel.

use crate::channel::{Channel, Command};
use locklens_trace::chunk::{self, Encoder};
use locklens_trace::{Event, Record};
use std::os::fd::RawFd;
use std::time::{Duration, Instant};

/// Length of a chunk at which it is sent.
const CHUNK: usize = 48 << 10;
/// Longest time a record waits for company.
const LINGER: Duration = Duration::from_millis(100);

/// See the module.
pub(super) struct Output {
    channel: Channel,
    encoder: Encoder,
    last_cut: Instant,
}

impl Output {
    /// An output whose hello has been said.
    pub(super) fn new(channel: Channel) -> Self {
        Self {
            channel,
            encoder: Encoder::new(),
            last_cut: Instant::now(),
        }
    }

    /// Starts the stream.
    pub(super) fn begin(&mut self) {
        self.channel.send(chunk::file_header().to_vec());
    }

    /// Adds a record.
    pub(super) fn push(&mut self, record: &Record) {
        self.encoder.push(record);
        self.cut_if_long();
    }

    /// Adds an event.
    pub(super) fn push_event(&mut self, event: &Event) {
        self.encoder.push_event(event);
        self.cut_if_long();
    }

    fn cut_if_long(&mut self) {
        if self.encoder.raw_len() >= CHUNK {
            self.cut();
        }
    }

    /// Sends what has been added so far.
    pub(super) fn cut(&mut self) {
        self.last_cut = Instant::now();
        if !self.encoder.is_empty() {
            let chunk = self.encoder.take_chunk();
            self.channel.send(chunk);
        }
    }

    /// Sends what the socket takes.
    pub(super) fn flush(&mut self) {
        self.channel.flush();
    }

    /// Bytes the command has not fetched.
    pub(super) fn backlog(&self) -> usize {
        self.channel.pending()
    }

    /// Waits until there is something to do, or `timeout`.
    pub(super) fn wait(&mut self, wake: RawFd, timeout: Duration) {
        if self.last_cut.elapsed() >= LINGER {
            self.cut();
        }
        self.channel.flush();
        self.channel.wait(wake, timeout);
    }

    /// What the command has said.
    pub(super) fn command(&mut self) -> Command {
        self.channel.command()
    }

    /// The message that has come, once.
    pub(super) fn take_message(&mut self) -> Option<String> {
        self.channel.take_message()
    }

    /// Sends the rest and closes the channel; see [`Channel::finish_with`].
    pub(super) fn close(mut self, patience: Duration, moved: impl FnMut()) {
        self.cut();
        self.channel.finish_with(patience, moved);
    }
}
