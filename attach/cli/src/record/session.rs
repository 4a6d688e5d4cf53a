//! A recording under way: chunks from the agent to whoever takes them, until somebody or something ends it.

use super::dip::Dip;
use super::heart::{Heart, SILENCE};
use super::packer::{self, Packer};
use super::progress::Progress;
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
                end = end.or_else(|| self.end_if_settled());
            }
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
mod tests {
    use super::*;
    use crate::record::output::TraceFile;
    use crate::replace::Replace;
    use locklens_trace::Nanos;
    use locklens_trace::batch::Batch;
    use locklens_trace::chunk::{CHUNK_HEADER_LEN, Encoder, file_header, frame_for_tests};
    use locklens_trace::read::{Item, Reader};
    use locklens_trace::record::{End, Hidden, Record};
    use rustix::process::{Signal, kill_process};
    use std::fs::File;
    use std::io::Read;
    use std::path::PathBuf;
    use std::process::Command;
    use std::thread::{self, JoinHandle};

    fn chunk(record: &Record) -> Vec<u8> {
        let mut encoder = Encoder::new();
        encoder.push(record);
        encoder.take_chunk()
    }

    fn hidden(events: u64) -> Vec<u8> {
        chunk(&Record::Hidden(Hidden {
            name: "x".into(),
            events,
        }))
    }

    fn end(reason: EndReason) -> Vec<u8> {
        chunk(&Record::End(End {
            at: Nanos(9),
            reason,
        }))
    }

    /// Plays the agent on its own thread.
    fn agent(play: impl FnOnce(&mut UnixStream) + Send + 'static) -> (UnixStream, JoinHandle<()>) {
        let (ours, mut theirs) = UnixStream::pair().unwrap();
        (ours, thread::spawn(move || play(&mut theirs)))
    }

    fn wait_for_stop(stream: &mut UnixStream) {
        let mut order = [0];
        while order != STOP {
            stream.read_exact(&mut order).unwrap();
        }
    }

    fn file(name: &str) -> (PathBuf, TraceFile) {
        let path = std::env::temp_dir().join(format!(
            "locklens-session-{}-{name}.llt",
            std::process::id()
        ));
        (path.clone(), TraceFile::open(path, Replace::Own).unwrap())
    }

    fn records(path: &PathBuf) -> usize {
        let reader = Reader::new(File::open(path).unwrap()).unwrap();
        let records = reader
            .filter(|item| matches!(item, Item::Record(_)))
            .count();
        std::fs::remove_file(path).unwrap();
        records
    }

    #[test]
    fn what_the_agent_still_has_after_the_order_to_stop_is_kept() {
        let (socket, agent) = agent(|stream| {
            stream.write_all(&file_header()).unwrap();
            stream.write_all(&hidden(1)).unwrap();
            wait_for_stop(stream);
            stream.write_all(&hidden(2)).unwrap();
            stream.write_all(&end(EndReason::Stopped)).unwrap();
        });
        let (path, mut file) = file("stopped");
        let session = Session::new(socket, &mut file, None);
        let (finish, tally) = session.run(|_| true);
        agent.join().unwrap();
        assert!(matches!(finish, Finish::Stopped), "{finish:?}");
        assert_eq!((records(&path), tally.hidden()), (3, 2));
    }

    #[test]
    fn the_length_of_a_recording_ends_it() {
        let (socket, agent) = agent(|stream| {
            stream.write_all(&file_header()).unwrap();
            wait_for_stop(stream);
            stream.write_all(&end(EndReason::Stopped)).unwrap();
        });
        let (path, mut file) = file("length");
        let session = Session::new(socket, &mut file, Some(Duration::from_millis(1)));
        let (finish, _) = session.run(|_| false);
        agent.join().unwrap();
        assert!(matches!(finish, Finish::Stopped), "{finish:?}");
        assert_eq!(records(&path), 1);
    }

    /// Somebody who looks at what would be recorded, until so many records have come.
    struct Onlooker(Vec<Record>, usize);

    impl Sink for Onlooker {
        fn take(&mut self, batch: &Batch) -> io::Result<()> {
            self.0.extend(batch.to_records());
            Ok(())
        }

        fn is_done(&self) -> bool {
            self.0.len() >= self.1
        }
    }

    #[test]
    fn who_only_looks_sees_every_record_and_may_end_it() {
        let (socket, agent) = agent(|stream| {
            stream.write_all(&file_header()).unwrap();
            stream.write_all(&hidden(1)).unwrap();
            stream.write_all(&hidden(2)).unwrap();
            wait_for_stop(stream);
            stream.write_all(&end(EndReason::Stopped)).unwrap();
        });
        let mut onlooker = Onlooker(Vec::new(), 2);
        let (finish, tally) = Session::new(socket, &mut onlooker, None).run(|_| false);
        agent.join().unwrap();
        assert!(matches!(finish, Finish::Stopped), "{finish:?}");
        assert_eq!((onlooker.0.len(), tally.hidden()), (3, 2));
    }

    #[test]
    fn an_orderly_end_and_a_broken_connection_are_told_apart() {
        for (last, name) in [
            (end(EndReason::VmDeath), "ended"),
            (hidden(1)[..9].to_vec(), "broken"),
        ] {
            let (socket, agent) = agent(move |stream| {
                stream.write_all(&file_header()).unwrap();
                stream.write_all(&last).unwrap();
            });
            let (path, mut file) = file(name);
            let (finish, _) = Session::new(socket, &mut file, None).run(|_| false);
            agent.join().unwrap();
            match name {
                "ended" => assert!(matches!(finish, Finish::VmEnded), "{finish:?}"),
                _ => assert!(matches!(finish, Finish::Broken), "{finish:?}"),
            }
            records(&path);
        }
    }

    #[test]
    fn an_agent_that_left_because_we_were_silent_is_not_called_broken() {
        let (socket, agent) = agent(|stream| {
            stream.write_all(&file_header()).unwrap();
            stream.write_all(&end(EndReason::CommandSilent)).unwrap();
        });
        let (path, mut file) = file("silent");
        let (finish, _) = Session::new(socket, &mut file, None).run(|_| false);
        agent.join().unwrap();
        assert!(matches!(finish, Finish::Silent(_)), "{finish:?}");
        records(&path);
    }

    /// As an agent of another version may send.
    #[test]
    fn what_can_be_read_of_a_chunk_counts() {
        let (socket, agent) = agent(|stream| {
            let mut records = Encoder::new();
            for events in [1, 2] {
                let name = events.to_string();
                records.push(&Record::Hidden(Hidden { name, events }));
            }
            let mut raw = records.take_chunk().split_off(CHUNK_HEADER_LEN);
            raw.push(u8::MAX);
            stream.write_all(&file_header()).unwrap();
            stream.write_all(&frame_for_tests(&raw)).unwrap();
            stream.write_all(&end(EndReason::VmDeath)).unwrap();
        });
        let (path, mut file) = file("readable");
        let (finish, tally) = Session::new(socket, &mut file, None).run(|_| false);
        agent.join().unwrap();
        assert!(matches!(finish, Finish::VmEnded), "{finish:?}");
        assert_eq!((records(&path), tally.hidden()), (3, 3));
    }

    #[test]
    fn nonsense_costs_nothing_of_what_came_before() {
        let (socket, agent) = agent(|stream| {
            stream.write_all(&file_header()).unwrap();
            stream.write_all(&hidden(1)).unwrap();
            stream.write_all(&[0; 64]).unwrap();
            wait_for_stop(stream);
        });
        let (path, mut file) = file("nonsense");
        let (finish, tally) = Session::new(socket, &mut file, None).run(|_| false);
        agent.join().unwrap();
        assert!(matches!(finish, Finish::Nonsense(_)), "{finish:?}");
        assert_eq!((records(&path), tally.hidden()), (1, 1));
    }

    /// So it is where it was stopped itself and went on just then: signs of life of a minute fill the connection.
    #[test]
    fn an_agent_that_has_much_to_read_is_told_to_stop_all_the_same() {
        let (mut socket, agent) = agent(|stream| {
            thread::sleep(READ * 4);
            wait_for_stop(stream);
            stream.write_all(&file_header()).unwrap();
            stream.write_all(&end(EndReason::Stopped)).unwrap();
        });
        socket.set_nonblocking(true).unwrap();
        while socket.write_all(b"H").is_ok() {}
        socket.set_nonblocking(false).unwrap();
        let (path, mut file) = file("late");
        let (finish, _) = Session::new(socket, &mut file, None).run(|_| true);
        agent.join().unwrap();
        assert!(matches!(finish, Finish::Stopped), "{finish:?}");
        assert_eq!(records(&path), 1);
    }

    #[test]
    fn a_target_that_is_stopped_is_given_up_sooner_than_one_that_may_be_starved() {
        let (socket, _agent) = UnixStream::pair().unwrap();
        let (path, mut file) = file("halted");
        let mut session = Session::new(socket, &mut file, None);
        assert_eq!(session.target, Some(Pid(std::process::id())));
        let mut child = Command::new("sleep").arg("600").spawn().unwrap();
        session.target = Some(Pid(child.id()));
        assert!(!session.is_given_up(HALTED) && session.is_given_up(DRAIN));
        let send = |signal| kill_process(rustix::process::Pid::from_child(&child), signal);
        send(Signal::STOP).unwrap();
        let deadline = Instant::now() + Duration::from_secs(60);
        while halted(Pid(child.id())).is_none() && Instant::now() < deadline {
            thread::yield_now();
        }
        assert!(session.is_given_up(HALTED) && !session.is_given_up(READ));
        child.kill().unwrap();
        child.wait().unwrap();
        std::fs::remove_file(path).unwrap();
    }

    #[test]
    fn a_full_disk_ends_the_recording_and_the_agent() {
        let (socket, agent) = agent(|stream| {
            wait_for_stop(stream);
        });
        let mut full = TraceFile::open(PathBuf::from("/dev/full"), Replace::Own).unwrap();
        let (finish, _) = Session::new(socket, &mut full, None).run(|_| false);
        agent.join().unwrap();
        assert!(matches!(finish, Finish::Disk(_)), "{finish:?}");
    }
}
