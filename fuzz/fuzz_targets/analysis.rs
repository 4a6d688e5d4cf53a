//! Whatever a trace says, the analyser answers. Records of real traces are dropped, repeated, exchanged and
//! bent, one field or one instruction at a time, and the result is analysed.
//!
//! ```text
//! locklens record -d 2 -o corpus/analysis/one.llt -- java …      # some traces to begin with
//! RUSTC_BOOTSTRAP=1 cargo fuzz run -s none analysis -- -max_len=4000000 -timeout=120 -max_total_time=600
//! ```
#![no_main]

use libfuzzer_sys::{fuzz_mutator, fuzz_target};
use locklens_inference::analysis::Analysis;
use locklens_inference::board::recent::Recent;
use locklens_inference::board::{Board, KEYS, Study};
use locklens_inference::collect::Collector;
use locklens_inference::contention::live::Watcher;
use locklens_inference::contention::timeline::Timeline;
use locklens_inference::contention::{Blamer, Census, Key, Wish};
use locklens_inference::deadlock::{self, Suspects, jvm::Jvm};
use locklens_inference::levels::Surveyor;
use locklens_inference::model::Options;
use locklens_inference::nesting::{Nester, Scout};
use locklens_inference::pressure::live::Follower;
use locklens_inference::pressure::{Gauge, Wanted};
use locklens_inference::sample::{Fold, Lens, Looks, Profile};
use locklens_trace::access::Phase;
use locklens_trace::chunk::{self, Encoder};
use locklens_trace::code::{Code, Op};
use locklens_trace::park::{Park, ParkEnd, Unpark};
use locklens_trace::parked::{Parked, StateSeen};
use locklens_trace::read::{Item, Reader};
use locklens_trace::record::{Event, LossCause, Owner, Reading};
use locklens_trace::{EventKind, LockId, Nanos, Record, StackId, ThreadId};
use std::hint::black_box;
use std::mem::swap;

/// Events kept of a trace: enough for every stage to have something to do.
const EVENTS: usize = 1_500;
/// Records bent at a time.
const MOST: u64 = 12;

fuzz_target!(|bytes: &[u8]| {
    let Ok(reader) = Reader::new(bytes) else {
        return;
    };
    let options = Options::default();
    let wanted = Wanted {
        interval: Nanos(1_000_000),
        most: None,
        threads: None,
    };
    let mut collector = Collector::new(options);
    let mut follower = Follower::new(&wanted, 0.1);
    let mut census = Census::default();
    let mut scout = Scout::default();
    let (mut looks, mut fold, lens) = (Looks::default(), Fold::default(), Lens::default());
    for item in reader {
        match item {
            Item::Record(record) => {
                if looks.push(record.clone(), &lens).is_some() {
                    looks.add_to(&mut fold);
                }
                follower.push(&record);
                census.see(&record);
                scout.see(&record);
                collector.push(record);
            }
            Item::Gap(_) => {
                follower.gap();
                collector.gap();
            }
        }
        black_box(follower.news(&collector));
    }
    black_box(follower.last_news(&collector));
    black_box(Profile::of(&fold, None));
    let collected = collector.finish();
    let analysis = Analysis::of(&collected, &options);
    let mut gauge = Gauge::informed(&wanted, &collected);
    for item in Reader::new(bytes).into_iter().flatten() {
        match item {
            Item::Record(record) => gauge.push(&record),
            Item::Gap(_) => gauge.gap(),
        }
    }
    black_box(gauge.finish(&collected, &analysis, 0.1));
    let mut surveyor = Surveyor::new(&collected, &analysis);
    for item in Reader::new(bytes).into_iter().flatten() {
        match item {
            Item::Record(record) => surveyor.push(&record),
            Item::Gap(_) => surveyor.gap(),
        }
    }
    black_box(surveyor.finish());
    let mut nester = Nester::new(&collected, &analysis, &scout);
    for record in self::records(bytes) {
        nester.see(&record);
    }
    let graph = nester.finish();
    let mut deadlocks = predict(bytes, Jvm::new(&collected, &analysis, &scout));
    deadlocks.add_watched(&graph, &analysis.model, &analysis.apart);
    black_box(deadlocks);
    let findings = census.finish();
    let mut timeline = Timeline::new(&collected, &analysis, &findings);
    for record in self::records(bytes) {
        black_box(timeline.push(&record));
    }
    black_box(timeline.finish());
    for waits in [false, true] {
        let wish = Wish {
            root: !waits,
            waits,
        };
        let keys = [Key::Time, Key::OwnerStack, Key::WaiterSite];
        let mut blamer = Blamer::new(&collected, &analysis, &findings, &keys, wish);
        for record in self::records(bytes) {
            blamer.push(&record);
        }
        black_box(blamer.finish());
    }
    black_box(analysis);
    watch(bytes, options);
});

/// Deadlocks that did not happen: two passes over its steps.
fn predict(bytes: &[u8], mut jvm: Jvm<'_>) -> deadlock::finding::Report {
    let mut scan = jvm.scan();
    for record in records(bytes) {
        jvm.see(&record, &mut |step| scan.push(step));
    }
    jvm.end(&mut |step| scan.push(step));
    scan.know(jvm.natures());
    scan.know_patience(&jvm.patience());
    scan.know_crews(jvm.crews());
    let suspects = Suspects::of(&scan);
    let mut history = suspects.history();
    jvm.rewind();
    for record in records(bytes) {
        jvm.see(&record, &mut |step| history.push(step));
    }
    jvm.end(&mut |step| history.push(step));
    deadlock::report(&suspects, &history, &jvm)
}

/// The same of a recording under way.
fn watch(bytes: &[u8], options: Options) {
    let mut watcher = Watcher::new(options, &KEYS, Wish::default(), EVENTS / 3);
    let mut board = Board::new(Nanos(1_000_000));
    let mut recent = Recent::default();
    for record in records(bytes) {
        board.push(record.clone());
        board.turn();
        recent.push(record.clone());
        watcher.push(record);
    }
    let last = watcher.last_lock();
    let (blame, analysis) = watcher.so_far();
    black_box(board.view(&Study::of(analysis, blame, last)));
    black_box(recent.snapshot());
    black_box(watcher.finish());
}

fuzz_mutator!(|data: &mut [u8], size: usize, max_size: usize, seed: u32| {
    let mut records = records(&data[..size]);
    let mut dice = Dice(u64::from(seed) << 1 | 1);
    for _ in 0..=dice.below(MOST) {
        bend_somewhere(&mut records, &mut dice);
    }
    let trace = trace(&records, max_size.min(data.len()));
    data[..trace.len()].copy_from_slice(&trace);
    trace.len()
});

fn records(bytes: &[u8]) -> Vec<Record> {
    let Ok(reader) = Reader::new(bytes) else {
        return Vec::new();
    };
    let mut events = 0;
    let mut few = |record: &Record| {
        events += usize::from(matches!(record, Record::Event(_)));
        events <= EVENTS || !matches!(record, Record::Event(_))
    };
    let records = reader.filter_map(|item| match item {
        Item::Record(record) => Some(record),
        Item::Gap(_) => None,
    });
    records.filter(|record| few(record)).collect()
}

/// As many of the records as find room.
fn trace(records: &[Record], room: usize) -> Vec<u8> {
    let mut bytes = chunk::file_header().to_vec();
    for part in records.chunks(64) {
        let mut encoder = Encoder::new();
        part.iter().for_each(|record| encoder.push(record));
        let chunk = encoder.take_chunk();
        if bytes.len() + chunk.len() <= room {
            bytes.extend(chunk);
        }
    }
    bytes.truncate(room);
    bytes
}

/// Numbers that look random.
struct Dice(u64);

impl Dice {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    fn below(&mut self, end: u64) -> u64 {
        (self.next() >> 16) % end.max(1)
    }

    fn index(&mut self, len: usize) -> usize {
        self.below(len as u64) as usize
    }

    /// Small numbers, and those at the edges.
    fn number(&mut self) -> u64 {
        match self.below(6) {
            0 => 0,
            1 => 1,
            2 => u64::MAX,
            3 => self.next(),
            4 => self.below(300),
            _ => 1 << self.below(64),
        }
    }
}

fn bend_somewhere(records: &mut Vec<Record>, dice: &mut Dice) {
    if records.is_empty() {
        return;
    }
    let (at, other) = (dice.index(records.len()), dice.index(records.len()));
    match dice.below(8) {
        0 => drop(records.remove(at)),
        1 => records.insert(other, records[at].clone()),
        2 => records.swap(at, other),
        // Code is what most can be said wrongly with.
        3..6 => {
            let codes = records.iter_mut().filter_map(|record| match record {
                Record::Code(code) => Some(code),
                _ => None,
            });
            let mut codes: Vec<&mut Code> = codes.collect();
            if !codes.is_empty() {
                let at = dice.index(codes.len());
                bend_code(codes[at], dice);
            }
        }
        _ => bend(&mut records[at], dice),
    }
}

fn bend(record: &mut Record, dice: &mut Dice) {
    match record {
        Record::Event(event) => bend_event(event, dice),
        Record::Class(class) => match dice.below(3) {
            0 => class.super_name = Some(class.name.clone()),
            1 => class.flags ^= 1 << dice.below(16),
            _ => class.interfaces.push(class.name.clone()),
        },
        Record::Method(method) => match dice.below(3) {
            0 => method.flags ^= 1 << dice.below(16),
            1 => method
                .descriptor
                .truncate(dice.index(method.descriptor.len())),
            _ => method.lines.clear(),
        },
        Record::Stack(stack) => match dice.below(3) {
            0 => stack.frames.reverse(),
            1 => stack.frames.truncate(dice.index(stack.frames.len() + 1)),
            _ => {
                for frame in &mut stack.frames {
                    frame.bci = Some(dice.number() as u16);
                }
            }
        },
        Record::Fields(fields) => {
            for value in &mut fields.values {
                value.reading = Reading::Number(dice.number() as i64);
            }
        }
        Record::Lost(lost) if dice.below(2) == 0 => lost.cause = LossCause::Paused,
        Record::Lost(lost) => swap(&mut lost.from, &mut lost.to),
        Record::Tick(tick) => tick.at = Nanos(dice.number()),
        Record::Parked(parked) => bend_parked(parked, dice),
        Record::Park(park) => bend_park(park, dice),
        Record::Access(access) => match dice.below(4) {
            0 => access.at = Nanos(dice.number()),
            1 => access.phase = Phase::ALL[dice.index(Phase::ALL.len())],
            2 => access.stack = Some(StackId(dice.number() as u32)),
            _ => access.object = dice.number() as u32,
        },
        Record::Sync(def) => match dice.below(3) {
            0 => def.of = Some(LockId(dice.number() as u32)),
            1 => def.most = dice.number() as u32,
            _ => {
                let (low, high) = (dice.number() as i64, dice.number() as i64);
                def.state = Some(StateSeen { low, high });
            }
        },
        _ => {}
    }
}

fn bend_event(event: &mut Event, dice: &mut Dice) {
    const KINDS: [EventKind; 12] = [
        EventKind::Enter,
        EventKind::Entered,
        EventKind::Wait { timeout: None },
        EventKind::Wait {
            timeout: Some(Nanos(1_000_000)),
        },
        EventKind::Waited { timed_out: false },
        EventKind::Waited { timed_out: true },
        EventKind::ThreadEnd,
        EventKind::Resumed,
        EventKind::Interrupted,
        EventKind::Exit,
        EventKind::Notify,
        EventKind::NotifyAll,
    ];
    match dice.below(7) {
        0 => event.at = Nanos(dice.number()),
        1 => event.thread = ThreadId(dice.number() as u32),
        2 => event.kind = KINDS[dice.index(KINDS.len())],
        3 => event.lock = (dice.below(2) == 0).then_some(LockId(dice.number() as u32)),
        4 => event.stack = (dice.below(2) == 0).then_some(StackId(dice.number() as u32)),
        5 => event.owner = Owner::Thread(ThreadId(dice.number() as u32)),
        _ => event.seq = Some(dice.number() as u32),
    }
}

fn bend_parked(parked: &mut Parked, dice: &mut Dice) {
    match dice.below(7) {
        0 => parked.time = Nanos(dice.number()),
        1 => parked.samples = dice.number() as u32,
        2 => parked.to = Nanos(dice.number()),
        3 => parked.lock = LockId(dice.number() as u32),
        4 => parked.stack = (dice.below(2) == 0).then_some(StackId(dice.number() as u32)),
        5 => parked.owner = Owner::Thread(parked.thread),
        _ => parked.open = !parked.open,
    }
}

fn bend_park(park: &mut Park, dice: &mut Dice) {
    const ENDS: [ParkEnd; 4] = [
        ParkEnd::Unparked,
        ParkEnd::TimedOut,
        ParkEnd::Unseen,
        ParkEnd::Open,
    ];
    let stack = (dice.below(2) == 0).then_some(StackId(dice.number() as u32));
    match dice.below(6) {
        0 => park.from = Nanos(dice.number()),
        1 => park.to = Nanos(dice.number()),
        2 => park.lock = (dice.below(2) == 0).then_some(LockId(dice.number() as u32)),
        3 => park.end = ENDS[dice.index(ENDS.len())],
        4 => park.stack = stack,
        _ => {
            let (by, at) = (ThreadId(dice.number() as u32), Nanos(dice.number()));
            park.unpark = Some(Unpark { by, at, stack });
        }
    }
}

fn bend_code(code: &mut Code, dice: &mut Dice) {
    if code.insns.is_empty() {
        return;
    }
    let (at, other) = (dice.index(code.insns.len()), dice.index(code.insns.len()));
    let target = code.insns[other].bci;
    match dice.below(7) {
        0 => drop(code.insns.remove(at)),
        1 => {
            let op = code.insns[other].op.clone();
            code.insns[at].op = op;
        }
        2 => code.insns.truncate(at),
        3 => code.handlers = None,
        4 => drop(code.sites.pop()),
        _ => bend_op(&mut code.insns[at].op, target, dice),
    }
}

fn bend_op(op: &mut Op, to: u16, dice: &mut Dice) {
    match op {
        Op::Const { value, .. } => *value = dice.number() as i64,
        Op::Real { bits, .. } => *bits = dice.number(),
        Op::Text(text) => text.length = dice.number() as u32,
        Op::Load { slot, .. } | Op::Store { slot, .. } | Op::Ret(slot) => {
            *slot = dice.number() as u16;
        }
        Op::Iinc { delta, .. } => *delta = dice.number() as i16,
        Op::If { target, .. }
        | Op::IfCmp { target, .. }
        | Op::IfRef { target, .. }
        | Op::IfNull { target, .. }
        | Op::Goto(target)
        | Op::Jsr(target) => *target = to,
        Op::Switch { default, .. } => *default = to,
        Op::NewArray { dims } => *dims = dice.number() as u8,
        Op::Invoke { method, .. } => method
            .descriptor
            .truncate(dice.index(method.descriptor.len())),
        other => *other = Op::Goto(to),
    }
}
