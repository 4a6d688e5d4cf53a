//! How many there are, of a semaphore with two permits whose regions are known.

use super::*;
use crate::levels::model::{StockKind, StockRow, Sure};
use crate::model::{EvidenceReport, Verdict};
use crate::types::{Detail, LockType, Role};
use locklens_trace::record::{End, EndReason};

/// A pool with a second method, which gives back.
fn with_give() -> (Pool, StackId) {
    let mut pool = Pool::new();
    let class = pool.build.catalog.locks[&pool.lock].class;
    let give = pool.build.coded(class, "give", SYNCHRONIZED, vec![leave()]);
    let give = pool.build.stack(&[(give, 0)]);
    (pool, give)
}

/// What is told of the stock, if these regions acquire and release two permits.
fn counted(pool: &Pool, events: &[Event]) -> StockRow {
    counted_from(pool, events, "live")
}

/// The same of a recording of that mode.
fn counted_from(pool: &Pool, events: &[Event], mode: &str) -> StockRow {
    let facts = [(target_key::EXACT, "true"), (target_key::MODE, mode)];
    let mut records = pool.records(events, &facts);
    records.push(Record::End(End {
        at: events.last().map_or(Nanos(0), |event| event.at),
        reason: EndReason::Stopped,
    }));
    let mut collector = Collector::new(Options::default());
    records
        .iter()
        .for_each(|record| collector.push(record.clone()));
    let collected = collector.finish();
    let mut analysis = Analysis::of(&collected, &Options::default());
    let lock = &mut analysis.model.locks[0];
    let of = |method: &str| {
        let of = lock.regions.iter().filter(|region| region.method == method);
        of.map(|region| region.id).collect()
    };
    lock.types = vec![Verdict {
        lock_type: LockType::Semaphore,
        confidence: 0.9,
        details: [("permits", Detail::Count(2))].into(),
        roles: [(Role::Acquire, of("take")), (Role::Release, of("give"))].into(),
        evidence: EvidenceReport::default(),
    }];
    let mut surveyor = Surveyor::new(&collected, &analysis);
    records.iter().for_each(|record| surveyor.push(record));
    let levels = surveyor.finish();
    assert_eq!(levels.stocks.len(), 1);
    let row = levels.stocks.into_iter().next().unwrap();
    assert_eq!(row.kind, StockKind::PermitsLeft);
    row
}

fn changes(row: &StockRow) -> Vec<(u64, i64)> {
    let changes = row.parts[0].1.as_ref().unwrap();
    changes.iter().map(|c| (c.at.0 / 1000, c.value)).collect()
}

/// One visit of a region: in at one moment, out at another.
fn visit(pool: &Pool, thread: ThreadId, stack: StackId, from: u64, to: u64) -> [Event; 2] {
    let entered = Event {
        stack: Some(stack),
        ..event(from, thread, EventKind::Entered, pool.lock)
    };
    [entered, event(to, thread, EventKind::Exit, pool.lock)]
}

#[test]
fn what_is_taken_and_given_back_is_counted_from_the_least() {
    let (pool, give) = with_give();
    let (a, b) = (pool.a, pool.b);
    let events = [
        visit(&pool, a, pool.take, 10, 20),
        visit(&pool, b, pool.take, 30, 40),
        visit(&pool, a, give, 50, 60),
    ];
    let row = counted(&pool, events.as_flattened());
    assert_eq!(changes(&row), [(0, 2), (20, 1), (40, 0), (60, 1)]);
    // A try in vain looks the same.
    assert_eq!(row.sure, Sure::About);
}

#[test]
fn from_the_start_of_the_program_on_it_is_sure_as_long_as_it_agrees() {
    let (pool, give) = with_give();
    let (a, b) = (pool.a, pool.b);
    let waits = |from: u64| {
        let at = |us, kind| event(us, b, kind, pool.lock);
        let [entered, exit] = visit(&pool, b, pool.take, from, from + 30);
        let mut all = vec![
            entered,
            at(from + 5, EventKind::Wait { timeout: None }),
            at(from + 20, EventKind::Waited { timed_out: false }),
            at(from + 25, EventKind::Resumed),
            exit,
        ];
        all.splice(2..2, visit(&pool, a, give, from + 10, from + 15));
        all
    };
    let takes = |from| visit(&pool, a, pool.take, from, from + 10);
    let agrees = [takes(10).to_vec(), takes(30).to_vec(), waits(100)].concat();
    let row = counted_from(&pool, &agrees, "launch");
    assert_eq!(row.sure, Sure::AtLeast);
    assert_eq!(
        changes(&row),
        [(0, 2), (20, 1), (40, 0), (115, 1), (130, 0)]
    );
    assert_eq!(counted_from(&pool, &agrees, "live").sure, Sure::About);
    // Somebody waits although one is left: one who did not come through was counted, or one who did was not.
    let given = visit(&pool, a, give, 150, 160).to_vec();
    let odd = [agrees, given, waits(200)].concat();
    assert_eq!(counted_from(&pool, &odd, "launch").sure, Sure::About);
}

#[test]
fn who_was_inside_before_the_recording_gives_back_what_nobody_took_and_the_next_wait_puts_it_right()
{
    let (pool, give) = with_give();
    let (a, b) = (pool.a, pool.b);
    let mut events = Vec::new();
    events.extend(visit(&pool, a, give, 10, 20));
    events.extend(visit(&pool, b, give, 30, 40));
    events.extend(visit(&pool, b, give, 50, 60));
    events.extend(visit(&pool, a, pool.take, 70, 80));
    events.extend(visit(&pool, a, pool.take, 85, 90));
    let [entered, exit] = visit(&pool, b, pool.take, 100, 150);
    let at = |us, kind| event(us, b, kind, pool.lock);
    events.extend([
        entered,
        at(110, EventKind::Wait { timeout: None }),
        at(130, EventKind::Waited { timed_out: false }),
        at(140, EventKind::Resumed),
    ]);
    events.insert(events.len() - 2, visit(&pool, a, give, 120, 125)[0]);
    events.insert(events.len() - 2, visit(&pool, a, give, 120, 125)[1]);
    events.push(exit);
    let row = counted(&pool, &events);
    let told = changes(&row);
    assert!(told.iter().all(|&(_, left)| (0..=2).contains(&left)));
    let after: Vec<_> = told.iter().filter(|change| change.0 >= 90).collect();
    assert_eq!(after, [&(90, 0), &(125, 1), &(150, 0)]);
    let most = row.parts[0].0.iter().map(|step| step.most).max();
    assert_eq!(most, Some(2));
}

#[test]
fn tries_in_vain_do_not_take_what_is_not_there() {
    let (pool, give) = with_give();
    let (a, b) = (pool.a, pool.b);
    let at = |us, kind| event(us, b, kind, pool.lock);
    let [entered, exit] = visit(&pool, b, pool.take, 10, 90);
    let mut events = vec![entered, at(20, EventKind::Wait { timeout: None })];
    events.extend(visit(&pool, a, pool.take, 30, 40));
    events.extend(visit(&pool, a, pool.take, 50, 55));
    events.extend(visit(&pool, a, give, 60, 65));
    events.extend([
        at(70, EventKind::Waited { timed_out: false }),
        at(80, EventKind::Resumed),
        exit,
    ]);
    let row = counted(&pool, &events);
    assert_eq!(changes(&row), [(0, 0), (65, 1), (90, 0)]);
}
