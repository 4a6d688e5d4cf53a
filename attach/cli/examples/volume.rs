//! How fast is file to report, and in how much memory? Writes a synthetic trace of the given
//! number of events, evenly over so many locks of so many classes and so many threads, and times `locklens report` on it.
//!
//! ```text
//! cargo build --release
//! cargo run --release -p locklens --example volume -- [--events 20000000] [--locks 40] [--classes 40] [--threads 16] [--losses 0]
//!     [--command report] [--keep FILE]
//! ```
//! `--losses` tells so many times, evenly, that events are missing. `--command 'export --to perfetto'` times another command, whose output
//! goes to a file beside the trace and is removed.
//! 152,000,000 events on 24,000 locks make about a gigabyte. Peak memory is the kernel's VmHWM; processor time is what the
//! command took of one core, wall time also what others took of the machine.
#![expect(clippy::print_stdout, reason = "a benchmark reports on stdout")]

use locklens_trace::chunk;
use locklens_trace::record::{
    ClassDef, End, EndReason, Event, EventKind, Frame, LockDef, LockObject, LossCause, Lost,
    MethodDef, Owner, Record, StackDef, ThreadDef, Tick,
};
use locklens_trace::{ClassId, LockId, MethodId, Nanos, StackId, ThreadId};
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;

/// Records in a chunk: as many as a recording under full load puts into one.
const AT_ONCE: usize = 10_000;
/// Time between two heartbeats, as of the agent.
const TICK: u64 = 200_000_000;

fn main() -> std::io::Result<()> {
    let args: Vec<_> = std::env::args().skip(1).collect();
    let value = |flag: &str| {
        let place = args.iter().position(|arg| arg == flag)?;
        args.get(place + 1)
    };
    let number = |flag: &str| value(flag).and_then(|n| n.parse().ok());
    let events = number("--events").unwrap_or(20_000_000);
    let some = |flag: &str| number(flag).and_then(|n| u32::try_from(n).ok());
    let classes = some("--classes").unwrap_or(40).max(1);
    let locks = some("--locks").unwrap_or(classes).max(1);
    let threads = some("--threads").unwrap_or(16).max(1);
    let scratch = std::env::temp_dir().join(format!("locklens-volume-{}.llt", std::process::id()));
    let trace = value("--keep").map_or(scratch, PathBuf::from);
    let sizes = Size {
        classes,
        locks,
        threads,
    };
    let losses = number("--losses").unwrap_or(0);
    write_trace(&trace, events, losses, sizes)?;
    let size = std::fs::metadata(&trace)?.len();
    println!(
        "{events} events on {locks} locks by {threads} threads, {:.1} MB, {:.2} bytes each",
        size as f64 / 1e6,
        size as f64 / events as f64
    );
    let command = value("--command").map_or("report", String::as_str);
    let measured = timed(command, &trace);
    if value("--keep").is_none() {
        std::fs::remove_file(&trace)?;
    }
    print(command, events as f64, &measured?);
    Ok(())
}

fn print(command: &str, events: f64, cost: &Cost) {
    println!(
        "{command}: {:.2} s processor time, {:.1} million events/s; {:.2} s wall time; peak memory {:.0} MB",
        cost.processor,
        events / cost.processor / 1e6,
        cost.wall,
        cost.peak_kb as f64 / 1e3
    );
}

/// What a run of the command took.
struct Cost {
    wall: f64,
    processor: f64,
    peak_kb: u64,
}

/// Processor time of the children waited for so far, in seconds.
fn of_children() -> f64 {
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let after_name = stat.rsplit(')').next().unwrap_or_default();
    // cutime and cstime, the 16th and 17th field; ticks are hundredths of a second on Linux.
    let ticks = after_name.split_whitespace().skip(13).take(2);
    ticks.filter_map(|t| t.parse::<f64>().ok()).sum::<f64>() / 100.0
}

/// Runs a command on the trace.
fn timed(command: &str, trace: &Path) -> std::io::Result<Cost> {
    let here = std::env::current_exe()?;
    let locklens: PathBuf = here
        .ancestors()
        .nth(2)
        .map(|dir| dir.join("locklens"))
        .unwrap_or_default();
    let output = trace.with_extension("out");
    let mut words = command.split_whitespace();
    let name = words.next().unwrap_or("report");
    let mut run = Command::new(locklens);
    run.arg(name).arg(trace).args(words).stdout(Stdio::null());
    if matches!(name, "export" | "html") {
        run.arg("-o").arg(&output);
    }
    let start = Instant::now();
    let mut child = run.spawn()?;
    let status = format!("/proc/{}/status", child.id());
    let mut peak = 0;
    while child.try_wait()?.is_none() {
        let text = std::fs::read_to_string(&status).unwrap_or_default();
        let line = text.lines().find_map(|l| l.strip_prefix("VmHWM:"));
        let kb = line.and_then(|l| l.trim().trim_end_matches(" kB").parse().ok());
        peak = peak.max(kb.unwrap_or(0));
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
    let wall = start.elapsed().as_secs_f64();
    let written = output.symlink_metadata();
    match written {
        Ok(meta) if meta.is_dir() => std::fs::remove_dir_all(&output)?,
        Ok(_) => std::fs::remove_file(&output)?,
        Err(_) => {}
    }
    Ok(Cost {
        wall,
        processor: of_children(),
        peak_kb: peak,
    })
}

/// How many of what there are in a trace.
#[derive(Clone, Copy)]
struct Size {
    classes: u32,
    locks: u32,
    threads: u32,
}

impl Size {
    /// Number of the class of a lock, which is that of its call chain too.
    fn class_of(self, lock: u32) -> u32 {
        (lock - 1) % self.classes + 1
    }
}

fn write_trace(path: &Path, events: u64, losses: u64, size: Size) -> std::io::Result<()> {
    let mut out = BufWriter::new(File::create(path)?);
    out.write_all(&chunk::file_header_with(chunk::feature::PACKED))?;
    let mut records = definitions(size);
    let mut stream = Stream::new(size);
    let (mut ticked, mut lost) = (0, 0);
    for nth in 1..=events {
        records.push(Record::Event(stream.next_event()));
        let at = Nanos(stream.at);
        if at.0 / TICK > ticked {
            ticked = at.0 / TICK;
            let agent_cpu = Nanos(0);
            records.push(Record::Tick(Tick { at, agent_cpu }));
        }
        if nth * losses / events > lost {
            lost += 1;
            records.push(Record::Lost(Lost {
                from: at,
                to: at,
                count: 1,
                cause: LossCause::BufferFull,
            }));
        }
        if records.len() >= AT_ONCE {
            flush(&mut records, &mut out)?;
        }
    }
    records.push(Record::End(End {
        at: Nanos(stream.at),
        reason: EndReason::Stopped,
    }));
    flush(&mut records, &mut out)?;
    out.flush()
}

fn flush(records: &mut Vec<Record>, out: &mut impl Write) -> std::io::Result<()> {
    let chunk = chunk::pack(records.iter());
    records.clear();
    out.write_all(&chunk)
}

fn definitions(size: Size) -> Vec<Record> {
    let mut records = Vec::new();
    for id in 1..=size.classes {
        records.push(Record::Class(ClassDef {
            id: ClassId(id),
            loader: None,
            name: format!("app.Lock{id}"),
            super_name: Some("java.lang.Object".to_owned()),
            interfaces: vec![],
            flags: 0x20,
            source_file: None,
        }));
        records.push(Record::Method(MethodDef {
            id: MethodId(id),
            class: ClassId(id),
            name: "run".to_owned(),
            descriptor: "()V".to_owned(),
            flags: 0x21,
            lines: vec![],
        }));
        records.push(Record::Stack(StackDef {
            id: StackId(id),
            frames: vec![Frame {
                method: MethodId(id),
                bci: Some(0),
            }],
            cut: false,
        }));
    }
    for id in 1..=size.locks {
        records.push(Record::Lock(LockDef {
            id: LockId(id),
            class: ClassId(size.class_of(id)),
            hash: id as i32,
            object: LockObject::Plain,
        }));
    }
    for id in 1..=size.threads {
        records.push(Record::Thread(ThreadDef {
            id: ThreadId(id),
            tid: id.into(),
            name: format!("worker-{id}"),
            group: None,
            daemon: false,
            is_virtual: false,
            at_start: true,
        }));
    }
    records
}

/// Threads that block and wait on locks in turn, with irregular gaps between the events.
struct Stream {
    at: u64,
    random: u64,
    doing: Vec<(u32, u8)>,
    seq: Vec<u32>,
    size: Size,
}

impl Stream {
    fn new(size: Size) -> Self {
        Self {
            at: 0,
            random: 0x9e37_79b9_7f4a_7c15,
            doing: vec![(1, 0); size.threads as usize],
            seq: vec![0; size.locks as usize + 1],
            size,
        }
    }

    fn next_event(&mut self) -> Event {
        self.random = self
            .random
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        self.at += self.random >> 46;
        let thread = (self.random >> 20) as u32 % self.doing.len() as u32;
        let pick = (self.random >> 30) as u32 % self.size.locks + 1;
        let (lock, phase) = &mut self.doing[thread as usize];
        if *phase == 0 {
            *lock = pick;
        }
        let (kind, held) = match *phase {
            0 => (EventKind::Enter, false),
            1 => (EventKind::Entered, true),
            2 => (EventKind::Wait { timeout: None }, true),
            _ => (EventKind::Waited { timed_out: false }, false),
        };
        *phase = (*phase + 1) % 4;
        self.seq[*lock as usize] += u32::from(held);
        Event {
            at: Nanos(self.at),
            thread: ThreadId(thread + 1),
            kind,
            lock: Some(LockId(*lock)),
            stack: matches!(kind, EventKind::Enter | EventKind::Wait { .. })
                .then_some(StackId(self.size.class_of(*lock))),
            owner: Owner::Unknown,
            seq: held.then_some(self.seq[*lock as usize]),
        }
    }
}
