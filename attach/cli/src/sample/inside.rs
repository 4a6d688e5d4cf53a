//! Looks of the agent inside a JVM: it records no event, looks at all threads now and then, and tells what has changed.

use super::asked::announce;
use super::page;
use super::window::Window;
use crate::args::{Recording, Sample};
use crate::exit::{Exit, Failure};
use crate::quantity::show_duration;
use crate::record::Purpose;
use crate::record::heart::Heart;
use crate::record::live::{self, Request};
use crate::record::packer::readable;
use crate::record::signals::{self, Signals};
use crate::record::stream::{Arrival, Stream};
use crate::target::name;
use crate::terminal::note;
use locklens_hotspot::Jvm;
use locklens_inference::sample::{Lens, Looks};
use locklens_trace::Record;
use locklens_trace::record::EndReason;
use locklens_viz::sample::About;
use std::io::Write;
use std::os::unix::net::UnixStream;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// Frames asked for: below those of the JDK there should be some of the program.
const DEPTH: u32 = 32;
/// Ceiling of the agent's memory: there are no events to be kept.
const MEMORY: u64 = 32 << 20;
/// The agent's order to stop.
const STOP: &[u8] = b"S";
/// How long one read may take: between them the clock and the signals are looked at.
const READ: Duration = Duration::from_millis(50);
/// How long the agent may take to say goodbye.
const GOODBYE: Duration = Duration::from_secs(10);

/// Samples a JVM, and prints what that comes to.
pub(crate) fn run(args: &Sample, jvm: &Jvm, lens: &Lens) -> Result<Exit, Failure> {
    let (signals, asked) = (Signals::quitting()?, signals::asked()?);
    let recording = Recording {
        stack_depth: DEPTH,
        buffer: MEMORY,
        record_safe_locks: true,
        no_juc: true,
        ..Recording::default()
    };
    let purpose = Purpose {
        sample: Some(args.interval()),
        ..Purpose::default()
    };
    let request = Request::watching(jvm, &recording, &signals);
    let socket = live::enter(&request, purpose)?;
    announce(args, jvm);
    let mut sampling = Sampling::new(args, jvm, lens, socket);
    let ended = sampling.go_on(&signals, &asked);
    if sampling.window.samples() == 0 {
        return Err(match ended {
            Ended::Asked => Failure::interrupted("interrupted before the first sample"),
            Ended::ByItself => {
                Failure::attach("the JVM went away, or stood still, before the first sample")
            }
        });
    }
    let printed = sampling.print()?;
    let orderly = sampling.end.is_some() && args.duration().is_zero();
    match ended {
        Ended::Asked => Ok(printed),
        Ended::ByItself if orderly => Ok(printed),
        Ended::ByItself => {
            note("ended early: the JVM went away");
            Ok(Exit::CutShort)
        }
    }
}

/// How it came to an end.
enum Ended {
    /// The time was over, or somebody had enough.
    Asked,
    /// The JVM or the agent went away.
    ByItself,
}

struct Sampling<'a> {
    args: &'a Sample,
    jvm: &'a Jvm,
    lens: &'a Lens,
    socket: UnixStream,
    stream: Stream,
    looks: Looks,
    window: Window,
    began: Instant,
    /// Processor time the agent's thread took, and by when.
    cost: (Duration, Duration),
    end: Option<EndReason>,
}

impl<'a> Sampling<'a> {
    fn new(args: &'a Sample, jvm: &'a Jvm, lens: &'a Lens, socket: UnixStream) -> Self {
        Self {
            args,
            jvm,
            lens,
            socket,
            stream: Stream::default(),
            looks: Looks::default(),
            window: Window::new(args.duration().is_zero()),
            began: Instant::now(),
            cost: Default::default(),
            end: None,
        }
    }

    fn go_on(&mut self, signals: &Signals, asked: &AtomicBool) -> Ended {
        // Without them a read waits for the next look, which is soon.
        let _ = self.socket.set_read_timeout(Some(READ));
        let _ = self.socket.set_write_timeout(Some(READ));
        // Without one the agent leaves after a while, which is told.
        let _heart = Heart::start(&self.socket).ok();
        let length = self.args.duration();
        loop {
            let over = !length.is_zero() && self.began.elapsed() >= length;
            // A JVM on a busy machine may need longer for the first; one that stands still sends none.
            if over && self.began.elapsed() >= length + self.args.interval() * 3 + GOODBYE {
                return Ended::ByItself;
            }
            if signals.arrived() || over && self.window.samples() > 0 {
                self.say_goodbye();
                return Ended::Asked;
            }
            if asked.swap(false, Ordering::Relaxed) && self.print().is_err() {
                self.say_goodbye();
                return Ended::Asked;
            }
            if !self.step() {
                return Ended::ByItself;
            }
        }
    }

    /// One read and what came of it; false if there will be no other.
    fn step(&mut self) -> bool {
        let arrival = self.stream.read(&mut self.socket);
        loop {
            let records: Vec<Record> = match self.stream.chunk() {
                Ok(Some(chunk)) => readable(chunk).collect(),
                Ok(None) => return arrival != Arrival::Closed,
                // Nothing of it can be used, nor what follows.
                Err(_) => return false,
            };
            records.into_iter().for_each(|record| self.take(record));
        }
    }

    fn take(&mut self, record: Record) {
        match &record {
            Record::Tick(tick) => {
                let time = |nanos: locklens_trace::Nanos| Duration::from_nanos(nanos.0);
                self.cost = (time(tick.agent_cpu), time(tick.at));
            }
            Record::End(end) => self.end = Some(end.reason),
            _ => {}
        }
        if let Some(look) = self.looks.push(record, self.lens) {
            let at = Duration::from_nanos(look.at.0);
            self.looks.add_to(self.window.at(at));
        }
    }

    /// Asks the agent to leave, and waits until it has.
    fn say_goodbye(&mut self) {
        let began = Instant::now();
        let mut told = false;
        while began.elapsed() < GOODBYE {
            told = told || self.socket.write_all(STOP).is_ok();
            if !self.step() {
                return;
            }
        }
    }

    fn print(&self) -> Result<Exit, Failure> {
        let (took, of) = self.cost;
        let share = match of.is_zero() {
            true => 0.0,
            false => took.as_secs_f64() * 100.0 / of.as_secs_f64(),
        };
        let wish = show_duration(self.args.interval());
        let mut notes = vec![format!(
            "the agent took {share:.2} % of one processor; a look every {wish} was asked for"
        )];
        let untold = self.looks.untold();
        if untold > 0 {
            notes.push(format!(
                "{untold} findings are missing: of more threads than the agent has room for"
            ));
        }
        let about = About {
            subject: format!("JVM {} ({})", self.jvm.pid, name(self.jvm)),
            how: "by the agent".to_owned(),
            notes,
            ..About::default()
        };
        page::print(self.args, &self.window.profile(), about)
    }
}
