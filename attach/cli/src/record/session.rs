//! A recording under way: chunks from the agent to whoever takes them, until somebody or something ends it.

use super::dip::Dip;
use super::heart::{Heart, SILENCE};
use super::packer::{self, Packer};
use super::progress::Progress;
use super::quiet::Quiet;
use super::sink::Sink;
use super::stream::{Arrival, Nonsense, Stream};
use super::tally::Tally;
use locklens_hotspot::{Pid, halted};
use locklens_trace::record::{EndReason, target_key};
use rustix::net::sockopt::socket_peercred;
use std::io::{self, Write};
use std::os::unix::net::UnixStream;
use std::time::{Duration, Instant};

/// The agent's order to stop.
const STOP: &[u8] = b"S";
/// How long one read may take: between them the clock and the signals are looked at.
const READ: Duration = Duration::from_millis(50);
/// How long the agent may send nothing of what it still has; it may have to put classes back first, and on a
/// busy machine its thread may not run for seconds.
const DRAIN: Duration = Duration::from_secs(20);
/// The same in a target that was stopped.
const HALTED: Duration = Duration::from_secs(5);
/// How long it may take altogether.
const LONGEST_DRAIN: Duration = Duration::from_secs(60);
/// Time between two progress lines.
const SHOW: Duration = Duration::from_millis(250);

/// How a recording ended.
#[derive(Debug)]
pub(crate) enum Finish {
    /// The agent was asked to stop, and has sent everything.
    Stopped,
    /// The target's JVM ended in order.
    VmEnded,
    /// The connection broke: the target was killed, or the agent gave up.
    Broken,
    /// The agent heard nothing of us for too long and left; how long we were silent, as we know it.
    Silent(Duration),
    /// The agent left because the target's process had no memory left.
    NoMemory,
    /// The agent was asked to stop and did not answer; the process it is in, if the system names it.
    Unresponsive(Option<Pid>),
    /// What was recorded could not be written.
    Disk(io::Error),
    /// The agent sent something else than a trace.
    Nonsense(Nonsense),
}

/// A recording under way.
pub(crate) struct Session<'a> {
    socket: UnixStream,
    stream: Stream,
    packer: Packer,
    sink: &'a mut dyn Sink,
    tally: Tally,
    length: Option<Duration>,
    heart: Option<Heart>,
    /// Whom the agent is in: others may stop it.
    target: Option<Pid>,
    /// What it has done of late.
    quiet: Quiet,
    /// Where classes are rewritten: the length counts from when the JVM has got over it.
    dip: Option<&'a mut Dip>,
}

impl<'a> Session<'a> {
    /// A recording from this agent for whoever takes it, for `length` (none: until something ends it).
    pub(crate) fn new(
        socket: UnixStream,
        sink: &'a mut dyn Sink,
        length: Option<Duration>,
    ) -> Self {
        let (stream, tally) = (Stream::default(), Tally::default());
        let target = peer(&socket);
        Self {
            socket,
            stream,
            packer: Packer::default(),
            sink,
            tally,
            length,
            heart: None,
            target,
            quiet: Quiet::default(),
            dip: None,
        }
    }

    /// The same, with an eye on what rewriting does to the JVM.
    pub(crate) fn minding(mut self, dip: Option<&'a mut Dip>) -> Self {
        self.dip = dip;
        self
    }

    /// Records until the time is over, the target ends, or `asked_to_stop`. When it returns, the
    /// connection is closed and the agent, if there still is one, has switched itself off.
    pub(crate) fn run(mut self, asked_to_stop: impl FnMut(&Tally) -> bool) -> (Finish, Tally) {
        let progress = Progress::start(self.length, self.sink.talks());
        let finish = match self.begin() {
            Ok(()) => self.record(&progress, asked_to_stop),
            Err(finish) => finish,
        };
        let finish = match finish {
            disk @ Finish::Disk(_) => disk,
            other => self.settle().err().unwrap_or(other),
        };
        progress.finish();
        if matches!(finish, Finish::Disk(_) | Finish::Nonsense(_)) {
            self.dismiss();
        }
        (finish, self.tally)
    }

    fn begin(&mut self) -> Result<(), Finish> {
        let timed = self.socket.set_read_timeout(Some(READ));
        timed
            .and_then(|()| self.socket.set_write_timeout(Some(READ)))
            .map_err(|_| Finish::Broken)?;
        self.heart = Heart::start(&self.socket).ok();
        self.sink.begin().map_err(Finish::Disk)
    }

    fn record(
        &mut self,
        progress: &Progress,
        mut asked_to_stop: impl FnMut(&Tally) -> bool,
    ) -> Finish {
        let mut end = self.end_if_settled();
        let mut shown = Instant::now();
        self.look();
        loop {
            let over = asked_to_stop(&self.tally) || self.sink.is_done();
            if over || end.is_some_and(|end| Instant::now() >= end) {
                return self.drain();
            }
            if let Err(finish) = self.step() {
                return finish;
            }
            if shown.elapsed() >= SHOW {
                shown = Instant::now();
                progress.show(&self.tally, self.sink.written());
                self.look();
                end = end.or_else(|| self.end_if_settled());
            }
        }
    }

    /// Looks what the target does.
    fn look(&mut self) {
        if let Some(target) = self.target {
            self.quiet.look(target);
        }
    }

    /// When the recording is over if it begins now; none if it has no end, or the JVM is still busy with what was
    /// rewritten.
    fn end_if_settled(&mut self) -> Option<Instant> {
        if let Some(dip) = &mut self.dip {
            if self.tally.exact.contains_key(target_key::EXACT_SINCE) {
                dip.rewritten();
            }
            if !dip.is_over() {
                return None;
            }
        }
        Instant::now().checked_add(self.length?)
    }

    /// One read and what came of it.
    fn step(&mut self) -> Result<Arrival, Finish> {
        let arrival = self.stream.read(&mut self.socket);
        self.store()?;
        match arrival {
            Arrival::Closed => {
                self.settle()?;
                Err(self.closed())
            }
            arrival => Ok(arrival),
        }
    }

    fn store(&mut self) -> Result<(), Finish> {
        while let Some(chunk) = self.stream.chunk().map_err(Finish::Nonsense)? {
            if !self.packer.take_in(chunk) {
                // Damaged on the way, or too large: it is kept as it is, and the reader judges.
                let chunk = chunk.to_vec();
                self.settle()?;
                self.sink.take_odd(&chunk).map_err(Finish::Disk)?;
                self.tally.add(&packer::readable(&chunk).collect());
            }
            self.settle_if_due()?;
        }
        // Time passes where nothing comes, too.
        self.settle_if_due()
    }

    fn settle_if_due(&mut self) -> Result<(), Finish> {
        match self.packer.is_due() {
            true => self.settle(),
            false => Ok(()),
        }
    }

    /// Hands on what waits.
    fn settle(&mut self) -> Result<(), Finish> {
        let batch = self.packer.waiting();
        let taken = match batch.is_empty() {
            true => Ok(()),
            false => self.sink.take(batch),
        };
        if taken.is_ok() {
            // Only what has been taken counts.
            self.tally.add(batch);
        }
        self.packer.clear();
        taken.map_err(Finish::Disk)
    }

    fn closed(&self) -> Finish {
        match self.tally.end {
            Some(EndReason::Stopped) => Finish::Stopped,
            Some(EndReason::VmDeath) => Finish::VmEnded,
            Some(EndReason::CommandSilent) => Finish::Silent(self.silence()),
            Some(EndReason::OutOfMemory) => Finish::NoMemory,
            // Its last words may not have found room while nobody read them.
            None if self.silence() >= SILENCE => Finish::Silent(self.silence()),
            None => Finish::Broken,
        }
    }

    fn silence(&self) -> Duration {
        self.heart
            .as_ref()
            .map_or(Duration::ZERO, Heart::longest_gap)
    }

    /// Asks the agent to stop and takes what it still has.
    fn drain(&mut self) -> Finish {
        if let Some(dip) = &mut self.dip {
            dip.ending();
        }
        self.tally.quiet = self.target.is_some_and(|target| self.quiet.lasts(target));
        let began = Instant::now();
        let mut heard = began;
        let mut told = false;
        while began.elapsed() < LONGEST_DRAIN && !self.is_given_up(heard.elapsed()) {
            // A connection that has no room gets some when the agent reads; a closed one is found out by the reads.
            told = told || self.socket.write_all(STOP).is_ok();
            match self.step() {
                Ok(Arrival::Some) => heard = Instant::now(),
                Ok(_) => {}
                Err(finish) => return finish,
            }
        }
        Finish::Unresponsive(self.target)
    }

    /// Whether nothing is to be expected any more after such a silence.
    fn is_given_up(&self, silence: Duration) -> bool {
        let halted = || self.target.is_some_and(|target| halted(target).is_some());
        silence >= DRAIN || silence >= HALTED && halted()
    }

    /// Lets the agent finish without keeping what it sends, so that it is gone when we return.
    fn dismiss(&mut self) {
        let deadline = Instant::now() + HALTED;
        let _ = self.socket.write_all(STOP);
        let mut rest = Stream::default();
        while Instant::now() < deadline && rest.read(&mut self.socket) != Arrival::Closed {
            rest = Stream::default();
        }
    }
}

/// Who connected, by the kernel's word.
fn peer(socket: &UnixStream) -> Option<Pid> {
    let peer = socket_peercred(socket).ok()?;
    Some(Pid(peer.pid.as_raw_nonzero().get().unsigned_abs()))
}

#[cfg(test)]
mod tests;
