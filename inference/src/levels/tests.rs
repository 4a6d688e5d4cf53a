//! Small recordings, and what is told of them.

mod concurrent;
mod stocks;

use super::Surveyor;
use super::model::{Deed, Holder, Levels, ThreadRow};
use crate::analysis::Analysis;
use crate::catalog::Catalog;
use crate::collect::{Collected, Collector};
use crate::fixtures::{Build, SYNCHRONIZED, event, leave};
use crate::model::Options;
use locklens_trace::record::{LossCause, Lost, Owner, ThreadDef, Tick, target_key};
use locklens_trace::{Event, EventKind, LockId, Nanos, Record, StackId, ThreadId};

fn definitions(catalog: &Catalog) -> Vec<Record> {
    let classes = catalog.classes.values().cloned().map(Record::Class);
    let methods = catalog.methods.values().cloned().map(Record::Method);
    let code = catalog.code.values().cloned().map(Record::Code);
    let stacks = catalog.stacks.values().cloned().map(Record::Stack);
    let locks = catalog.locks.values().cloned().map(Record::Lock);
    let threads = catalog.threads.values().cloned().map(Record::Thread);
    let all = classes.chain(methods).chain(code).chain(stacks);
    all.chain(locks).chain(threads).collect()
}

fn analysed(records: &[Record]) -> (Collected, Analysis) {
    let mut collector = Collector::new(Options::default());
    records
        .iter()
        .for_each(|record| collector.push(record.clone()));
    let collected = collector.finish();
    let analysis = Analysis::of(&collected, &Options::default());
    (collected, analysis)
}

fn surveyed(records: &[Record]) -> (Levels, Analysis) {
    let (collected, analysis) = analysed(records);
    let mut surveyor = Surveyor::new(&collected, &analysis);
    records.iter().for_each(|record| surveyor.push(record));
    (surveyor.finish(), analysis)
}

/// A lock with one method, and its threads.
struct Pool {
    build: Build,
    lock: LockId,
    take: StackId,
    a: ThreadId,
    b: ThreadId,
}

impl Pool {
    fn new() -> Self {
        let mut build = Build::default();
        let class = build.class("app.Pool", "java.lang.Object");
        let take = build.coded(class, "take", SYNCHRONIZED, vec![leave()]);
        let take = build.stack(&[(take, 0)]);
        let lock = build.lock(class);
        let (a, b) = (build.thread("a"), build.thread("b"));
        for thread in build.catalog.threads.values_mut() {
            thread.group = Some("main".to_owned());
            thread.at_start = true;
        }
        Self {
            build,
            lock,
            take,
            a,
            b,
        }
    }

    fn records(&self, events: &[Event], more: &[(&str, &str)]) -> Vec<Record> {
        let more = more
            .iter()
            .map(|&(key, value)| (key.to_owned(), value.to_owned()));
        let mut records = vec![Record::Target(more.collect())];
        records.extend(definitions(&self.build.catalog));
        records.extend(events.iter().copied().map(Record::Event));
        records
    }
}

fn of(levels: &Levels, deed: Deed) -> Vec<(Option<String>, u64)> {
    let strips = levels.strips.iter().filter(|strip| strip.deed == deed);
    let told = strips.map(|strip| {
        let total = strip
            .stretches
            .iter()
            .map(|&(from, to, ns)| u64::from(to - from) * ns);
        (
            levels.threads[strip.thread as usize].name.clone(),
            total.sum(),
        )
    });
    told.collect()
}

fn named(name: &str, ns: u64) -> (Option<String>, u64) {
    (Some(name.to_owned()), ns)
}

#[test]
fn a_blocked_stay_has_its_lock_region_chain_and_owner() {
    let pool = Pool::new();
    let enter = Event {
        stack: Some(pool.take),
        owner: Owner::Thread(pool.a),
        ..event(100, pool.b, EventKind::Enter, pool.lock)
    };
    let entered = event(350, pool.b, EventKind::Entered, pool.lock);
    let (levels, analysis) = surveyed(&pool.records(&[enter, entered], &[]));
    assert_eq!(of(&levels, Deed::Blocked), [named("b", 250_000)]);
    let stay = &levels.longest[0].kept[0];
    assert_eq!(stay.region.as_deref(), Some("app.Pool.take"));
    assert_eq!(stay.lock, Some(0));
    assert_eq!(analysis.model.locks[0].blocked.total, Nanos(250_000));
    assert_eq!(stay.owner, Holder::Row(0));
    assert_eq!(levels.threads[0].name.as_deref(), Some("a"));
    assert_eq!(levels.chains[&pool.take].frames, ["app.Pool.take"]);
    assert!(!stay.open && !stay.estimate);
}

#[test]
fn who_waits_holds_nothing_and_holds_again_afterwards() {
    let pool = Pool::new();
    let at = |us, kind| event(us, pool.a, kind, pool.lock);
    let events = [
        at(10, EventKind::Entered),
        at(30, EventKind::Wait { timeout: None }),
        at(130, EventKind::Waited { timed_out: false }),
        at(150, EventKind::Resumed),
        at(155, EventKind::Exit),
    ];
    let (levels, _) = surveyed(&pool.records(&events, &[(target_key::EXACT, "true")]));
    assert_eq!(of(&levels, Deed::Waiting), [named("a", 100_000)]);
    assert_eq!(of(&levels, Deed::Holding), [named("a", 25_000)]);
    assert_eq!(of(&levels, Deed::Blocked), []);
}

#[test]
fn who_has_ended_holds_nothing() {
    let pool = Pool::new();
    let at = |us, thread, kind| event(us, thread, kind, pool.lock);
    let events = [
        at(10, pool.a, EventKind::Entered),
        at(20, pool.a, EventKind::Exit),
        Event {
            lock: None,
            ..at(30, pool.a, EventKind::ThreadEnd)
        },
        // Those who join it are woken in its own monitor, which the JVM gives back where nobody sees it.
        at(31, pool.a, EventKind::Enter),
        at(40, pool.a, EventKind::Entered),
        at(500, pool.b, EventKind::Entered),
        at(510, pool.b, EventKind::Exit),
    ];
    let (levels, _) = surveyed(&pool.records(&events, &[(target_key::EXACT, "true")]));
    let held = [named("a", 10_000), named("b", 10_000)];
    assert_eq!(of(&levels, Deed::Holding), held);
    assert_eq!(of(&levels, Deed::Blocked), [named("a", 9_000)]);
}

/// Two threads come in by code from before the rewriting, which no probe sees them leave.
#[test]
fn who_was_not_seen_to_leave_by_a_probe_holds_nothing_at_the_end() {
    let pool = Pool::new();
    let at = |us, thread, kind| event(us, thread, kind, pool.lock);
    let probed = |us, thread, kind| Event {
        stack: Some(pool.take),
        ..at(us, thread, kind)
    };
    let events = [
        at(10, pool.a, EventKind::Enter),
        at(20, pool.a, EventKind::Entered),
        at(30, pool.b, EventKind::Enter),
        at(40, pool.b, EventKind::Entered),
        probed(100, pool.a, EventKind::Entered),
        probed(110, pool.a, EventKind::Exit),
        probed(300, pool.a, EventKind::Entered),
        at(500, pool.b, EventKind::Enter),
    ];
    let (levels, _) = surveyed(&pool.records(&events, &[(target_key::EXACT, "true")]));
    assert_eq!(of(&levels, Deed::Holding), [named("a", 210_000)]);
}

#[test]
fn over_a_loss_nothing_is_known() {
    let pool = Pool::new();
    let stay = |us, thread, kind| Record::Event(event(us, thread, kind, pool.lock));
    let mut records = pool.records(&[], &[(target_key::EXACT, "true")]);
    records.extend([
        stay(10, pool.a, EventKind::Entered),
        stay(12, pool.b, EventKind::Enter),
        stay(100, pool.a, EventKind::Exit),
        stay(101, pool.b, EventKind::Entered),
        stay(130, pool.b, EventKind::Exit),
    ]);
    let (levels, _) = surveyed(&records);
    assert_eq!(
        of(&levels, Deed::Holding),
        [named("a", 90_000), named("b", 29_000)]
    );
    assert_eq!(of(&levels, Deed::Blocked), [named("b", 89_000)]);
    records.push(Record::Lost(Lost {
        from: Nanos(40_000),
        to: Nanos(50_000),
        count: 2,
        cause: LossCause::BufferFull,
    }));
    let (levels, _) = surveyed(&records);
    assert_eq!(of(&levels, Deed::Holding), [named("b", 29_000)]);
    assert_eq!(of(&levels, Deed::Blocked), []);
    assert_eq!(levels.losses, [(Nanos(40_000), Nanos(50_000))]);
}

#[test]
fn before_the_probes_stays_are_known_and_holds_are_not() {
    let pool = Pool::new();
    let at = |us, thread, kind| event(us, thread, kind, pool.lock);
    let events = [
        at(5, pool.a, EventKind::Enter),
        at(20, pool.a, EventKind::Entered),
        at(25, pool.b, EventKind::Wait { timeout: None }),
        at(90, pool.b, EventKind::Waited { timed_out: false }),
        at(95, pool.a, EventKind::Exit),
    ];
    let told = [
        (target_key::EXACT, "true"),
        (target_key::EXACT_SINCE, "60000"),
    ];
    let (levels, analysis) = surveyed(&pool.records(&events, &told));
    assert_eq!(of(&levels, Deed::Holding), []);
    assert_eq!(of(&levels, Deed::Blocked), [named("a", 15_000)]);
    assert_eq!(of(&levels, Deed::Waiting), [named("b", 65_000)]);
    assert_eq!(analysis.model.locks[0].waits.total, Nanos(65_000));
}

#[test]
fn what_goes_on_at_the_end_counts_up_to_then() {
    let pool = Pool::new();
    let enter = event(100, pool.a, EventKind::Enter, pool.lock);
    let mut records = pool.records(&[enter], &[]);
    records.push(Record::Tick(Tick {
        at: Nanos(400_000),
        agent_cpu: Nanos(0),
    }));
    let (levels, _) = surveyed(&records);
    assert_eq!(of(&levels, Deed::Blocked), [named("a", 300_000)]);
    assert!(levels.longest[0].kept[0].open);
    let alive: u64 = levels.threads[0]
        .alive
        .iter()
        .map(|&(from, to, ns)| u64::from(to - from) * ns)
        .sum();
    assert_eq!(alive, 400_000);
}

#[test]
fn what_goes_on_when_the_probes_go_counts_up_to_then() {
    let pool = Pool::new();
    let enter = event(100, pool.a, EventKind::Enter, pool.lock);
    let told = [
        (target_key::EXACT, "true"),
        (target_key::EXACT_SINCE, "0"),
        (target_key::EXACT_UNTIL, "250000"),
    ];
    let mut records = pool.records(&[enter], &told);
    records.push(Record::Tick(Tick {
        at: Nanos(400_000),
        agent_cpu: Nanos(0),
    }));
    let (levels, _) = surveyed(&records);
    assert_eq!(of(&levels, Deed::Blocked), [named("a", 150_000)]);
    assert_eq!(levels.end, Nanos(250_000));
}

#[test]
fn what_was_so_when_it_began_counts_from_its_beginning() {
    let pool = Pool::new();
    let waited = event(
        100,
        pool.a,
        EventKind::Waited { timed_out: false },
        pool.lock,
    );
    let (levels, _) = surveyed(&pool.records(&[waited], &[]));
    assert_eq!(of(&levels, Deed::Waiting), [named("a", 100_000)]);
}

#[test]
fn service_threads_have_a_row_only_if_there_is_something_to_tell() {
    let mut pool = Pool::new();
    for (id, name) in [(8, "Signal Dispatcher"), (9, "Attach Listener")] {
        let id = ThreadId(id);
        let def = ThreadDef {
            id,
            name: name.to_owned(),
            ..pool.build.catalog.threads[&pool.a].clone()
        };
        pool.build.catalog.threads.insert(id, def);
    }
    let events = [
        event(10, ThreadId(9), EventKind::Enter, pool.lock),
        event(20, ThreadId(9), EventKind::Entered, pool.lock),
    ];
    let (levels, _) = surveyed(&pool.records(&events, &[]));
    let rows: Vec<_> = levels
        .threads
        .iter()
        .map(|row| (row.name.as_deref(), row.service))
        .collect();
    assert_eq!(
        rows,
        [
            (Some("a"), false),
            (Some("Attach Listener"), true),
            (Some("b"), false)
        ]
    );
}

#[test]
fn of_very_many_threads_the_last_row_has_the_rest() {
    let pool = Pool::new();
    let stays = (1..=6_000u32).flat_map(|n| {
        let thread = ThreadId(10 + n);
        let at = u64::from(n) * 10;
        let length = u64::from(n % 3000 + 1);
        [
            event(at, thread, EventKind::Enter, pool.lock),
            event(at + length, thread, EventKind::Entered, pool.lock),
        ]
    });
    let events: Vec<Event> = stays.collect();
    let (levels, analysis) = surveyed(&pool.records(&events, &[]));
    assert_eq!((levels.threads.len(), levels.further), (5_001, 1_002));
    assert_eq!(levels.threads[5_000].name, None);
    let total: u64 = of(&levels, Deed::Blocked).iter().map(|(_, ns)| ns).sum();
    assert_eq!(Nanos(total), analysis.model.locks[0].blocked.total);
}

#[test]
fn nothing_is_one_empty_bucket() {
    let (levels, _) = surveyed(&[]);
    assert_eq!((levels.buckets, levels.threads.len()), (1, 0));
    assert!(levels.strips.is_empty() && levels.longest.iter().all(|l| l.kept.is_empty()));
}
