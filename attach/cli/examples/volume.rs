//! How fast is file to report, and in how much memory? Writes a synthetic trace of the given
//! number of events and times `locklens report` on it.
//!
//! ```text
//! cargo build --release
//! cargo run --release -p locklens --example volume -- [--events 20000000]
//! ```
//! 160,000,000 events make about a gigabyte. Peak memory is the kernel's VmHWM.
#![expect(clippy::print_stdout, reason = "a benchmark reports on stdout")]

use locklens_trace::chunk::{self, Encoder};
use locklens_trace::record::{
    ClassDef, End, EndReason, Event, EventKind, Frame, LockDef, LockObject, MethodDef, Owner,
    Record, StackDef, ThreadDef,
};
use locklens_trace::{ClassId, LockId, MethodId, Nanos, StackId, ThreadId};
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;

const THREADS: u32 = 16;
const LOCKS: u32 = 40;

fn main() -> std::io::Result<()> {
    let args: Vec<_> = std::env::args().skip(1).collect();
    let events = match &args[..] {
        [flag, n] if flag == "--events" => n.parse().unwrap_or(20_000_000),
        _ => 20_000_000,
    };
    let trace = std::env::temp_dir().join(format!("locklens-volume-{}.llt", std::process::id()));
    write_trace(&trace, events)?;
    let size = std::fs::metadata(&trace)?.len();
    println!(
        "{events} events, {:.1} MB, {:.2} bytes each",
        size as f64 / 1e6,
        size as f64 / events as f64
    );
    let measured = report(&trace);
    std::fs::remove_file(&trace)?;
    let (seconds, peak_kb) = measured?;
    println!(
        "report: {seconds:.2} s, {:.1} million events/s, peak memory {:.0} MB",
        events as f64 / seconds / 1e6,
        peak_kb as f64 / 1e3
    );
    Ok(())
}

/// Runs the report; its wall time and the largest resident set seen, in kB.
fn report(trace: &Path) -> std::io::Result<(f64, u64)> {
    let here = std::env::current_exe()?;
    let locklens: PathBuf = here
        .ancestors()
        .nth(2)
        .map(|dir| dir.join("locklens"))
        .unwrap_or_default();
    let start = Instant::now();
    let mut child = Command::new(locklens)
        .arg("report")
        .arg(trace)
        .stdout(Stdio::null())
        .spawn()?;
    let status = format!("/proc/{}/status", child.id());
    let mut peak = 0;
    while child.try_wait()?.is_none() {
        let text = std::fs::read_to_string(&status).unwrap_or_default();
        let line = text.lines().find_map(|l| l.strip_prefix("VmHWM:"));
        let kb = line.and_then(|l| l.trim().trim_end_matches(" kB").parse().ok());
        peak = peak.max(kb.unwrap_or(0));
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
    Ok((start.elapsed().as_secs_f64(), peak))
}

fn write_trace(path: &Path, events: u64) -> std::io::Result<()> {
    let mut out = BufWriter::new(File::create(path)?);
    out.write_all(&chunk::file_header())?;
    let mut encoder = Encoder::new();
    definitions(&mut encoder);
    let mut stream = Stream::default();
    for _ in 0..events {
        encoder.push(&Record::Event(stream.next_event()));
        if encoder.raw_len() > 64 << 10 {
            flush(&mut encoder, &mut out)?;
        }
    }
    encoder.push(&Record::End(End {
        at: Nanos(stream.at),
        reason: EndReason::Stopped,
    }));
    flush(&mut encoder, &mut out)?;
    out.flush()
}

fn flush(encoder: &mut Encoder, out: &mut impl Write) -> std::io::Result<()> {
    let chunk = encoder.take_chunk();
    out.write_all(&chunk::compress(&chunk).unwrap_or(chunk))
}

fn definitions(encoder: &mut Encoder) {
    for id in 1..=LOCKS {
        encoder.push(&Record::Class(ClassDef {
            id: ClassId(id),
            loader: None,
            name: format!("app.Lock{id}"),
            super_name: Some("java.lang.Object".to_owned()),
            interfaces: vec![],
            flags: 0x20,
            source_file: None,
        }));
        encoder.push(&Record::Method(MethodDef {
            id: MethodId(id),
            class: ClassId(id),
            name: "run".to_owned(),
            descriptor: "()V".to_owned(),
            flags: 0x21,
            lines: vec![],
        }));
        encoder.push(&Record::Stack(StackDef {
            id: StackId(id),
            frames: vec![Frame {
                method: MethodId(id),
                bci: Some(0),
            }],
            cut: false,
        }));
        encoder.push(&Record::Lock(LockDef {
            id: LockId(id),
            class: ClassId(id),
            hash: id as i32,
            object: LockObject::Plain,
        }));
    }
    for id in 1..=THREADS {
        encoder.push(&Record::Thread(ThreadDef {
            id: ThreadId(id),
            tid: id.into(),
            name: format!("worker-{id}"),
            group: None,
            daemon: false,
            is_virtual: false,
            at_start: true,
        }));
    }
}

/// Threads that block and wait on locks in turn, with irregular gaps between the events.
struct Stream {
    at: u64,
    random: u64,
    doing: Vec<(u32, u8)>,
    seq: Vec<u32>,
}

impl Default for Stream {
    fn default() -> Self {
        Self {
            at: 0,
            random: 0x9e37_79b9_7f4a_7c15,
            doing: vec![(1, 0); THREADS as usize],
            seq: vec![0; LOCKS as usize + 1],
        }
    }
}

impl Stream {
    fn next_event(&mut self) -> Event {
        self.random = self
            .random
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        self.at += self.random >> 46;
        let thread = (self.random >> 20) as u32 % THREADS;
        let pick = (self.random >> 30) as u32 % LOCKS + 1;
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
                .then_some(StackId(*lock)),
            owner: Owner::Unknown,
            seq: held.then_some(self.seq[*lock as usize]),
        }
    }
}
