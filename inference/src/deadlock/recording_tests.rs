//! Recordings written by hand, with operations on locks of `java.util.concurrent`.

use super::finding::{Kind, Report, Tier, Unserved};
use super::jvm::Jvm;
use super::tasks_tests::counts;
use super::{Suspects, report};
use crate::analysis::Analysis;
use crate::collect::Collector;
use crate::fixtures::Build;
use crate::model::Options;
use crate::nesting::Scout;
use locklens_trace::juc::{Act, Operation, Outcome};
use locklens_trace::park::{Park, ParkEnd, Unpark};
use locklens_trace::parked::{Parked, SyncDef, SyncKind};
use locklens_trace::record::{End, EndReason, LossCause, Lost, Owner};
use locklens_trace::{Event, EventKind, LockId, Nanos, Record, StackId, ThreadId};

const OBJECT: &str = "java.lang.Object";
const STAMPED: &str = "java.util.concurrent.locks.StampedLock";
pub(super) const REENTRANT: &str = "java.util.concurrent.locks.ReentrantLock$NonfairSync";
const LATCH: &str = "java.util.concurrent.CountDownLatch$Sync";
/// What the low bytes of stamps stand for.
const READS: u32 = 1;
const WRITES: u32 = 128;

/// A part of a file.
enum Part {
    Record(Record),
    Hole,
}

/// A program that uses such locks.
#[derive(Default)]
pub(super) struct Scene {
    pub(super) build: Build,
    parts: Vec<Part>,
    at: u64,
}

impl Scene {
    pub(super) fn push(&mut self, record: Record) {
        self.parts.push(Part::Record(record));
    }

    pub(super) fn now(&mut self) -> Nanos {
        self.at += 1_000;
        Nanos(self.at)
    }

    pub(super) fn lock(&mut self, class: &str) -> LockId {
        self.locks(class, false)
    }

    /// What stands for one lock, or for all of a class that are not told apart.
    pub(super) fn locks(&mut self, class: &str, shared: bool) -> LockId {
        let class = self.build.class(class, OBJECT);
        let lock = self.build.lock(class);
        self.push(Record::Sync(SyncDef {
            lock,
            kind: SyncKind::Synchronizer,
            of: None,
            shared,
            most: 1,
            state: None,
        }));
        lock
    }

    /// A condition of a lock.
    pub(super) fn condition(&mut self, class: &str, of: LockId) -> LockId {
        let class = self.build.class(class, OBJECT);
        let lock = self.build.lock(class);
        self.push(Record::Sync(SyncDef {
            lock,
            kind: SyncKind::Condition,
            of: Some(of),
            shared: false,
            most: 1,
            state: None,
        }));
        lock
    }

    /// It would not have waited.
    pub(super) fn tries(&mut self, thread: ThreadId, lock: LockId, act: Act) {
        let at = self.now();
        self.push(Record::Operation(Operation {
            at,
            thread,
            lock,
            act,
            outcome: Outcome::Done,
            count: 1,
            tries: true,
            stack: None,
        }));
    }

    /// It was parked there until the other one unparked it.
    pub(super) fn is_let_go(&mut self, thread: ThreadId, lock: LockId, by: ThreadId) {
        self.is_let_go_in(thread, lock, by, None);
    }

    /// The same, for so many microseconds at most.
    fn is_let_go_in(&mut self, thread: ThreadId, lock: LockId, by: ThreadId, limit: Option<Nanos>) {
        let (from, at, to) = (self.now(), self.now(), self.now());
        self.push(Record::Park(Park {
            stack: None,
            thread,
            lock: Some(lock),
            from,
            to,
            limit,
            end: ParkEnd::Unparked,
            unpark: Some(Unpark {
                stack: None,
                by,
                at,
            }),
        }));
    }

    /// What happened here was lost.
    pub(super) fn loses(&mut self) {
        let at = self.now();
        self.push(Record::Lost(Lost {
            cause: LossCause::BufferFull,
            count: 1,
            from: at,
            to: at,
        }));
    }

    fn does(&mut self, thread: ThreadId, lock: LockId, act: Act, count: u32, outcome: Outcome) {
        let done = (act, count, outcome);
        self.does_at(thread, lock, done, None);
    }

    fn does_at(
        &mut self,
        thread: ThreadId,
        lock: LockId,
        (act, count, outcome): (Act, u32, Outcome),
        stack: Option<StackId>,
    ) {
        let at = self.now();
        self.push(Record::Operation(Operation {
            at,
            thread,
            lock,
            act,
            outcome,
            count,
            tries: false,
            stack,
        }));
    }

    /// It takes one inside the other at these places, and gives both back.
    pub(super) fn nests_at(&mut self, thread: ThreadId, locks: [LockId; 2], stacks: [StackId; 2]) {
        for (lock, stack) in locks.into_iter().zip(stacks) {
            let taken = (Act::Lock, 1, Outcome::Done);
            self.does_at(thread, lock, taken, Some(stack));
        }
        for lock in locks.into_iter().rev() {
            self.did(thread, lock, &[(Act::Unlock, 1)]);
        }
    }

    pub(super) fn did(&mut self, thread: ThreadId, lock: LockId, acts: &[(Act, u32)]) {
        for &(act, count) in acts {
            self.does(thread, lock, act, count, Outcome::Done);
        }
    }

    pub(super) fn begins(&mut self, thread: ThreadId) {
        let at = self.now();
        self.push(Record::Event(Event {
            at,
            thread,
            kind: EventKind::ThreadStart,
            lock: None,
            stack: None,
            owner: Owner::Unknown,
            seq: None,
        }));
    }

    /// It takes one inside the other and gives both back.
    pub(super) fn nests(&mut self, thread: ThreadId, outer: LockId, inner: LockId) {
        self.did(thread, outer, &[(Act::Lock, 1)]);
        self.did(thread, inner, &[(Act::Lock, 1), (Act::Unlock, 1)]);
        self.did(thread, outer, &[(Act::Unlock, 1)]);
    }

    /// It is parked there for good, in a method of the lock's if that is given.
    pub(super) fn is_parked(&mut self, thread: ThreadId, lock: LockId, method: Option<&str>) {
        let stack = method.map(|method| self.chain(method));
        self.is_parked_at(thread, lock, stack);
    }

    /// The same, there.
    pub(super) fn is_parked_at(&mut self, thread: ThreadId, lock: LockId, stack: Option<StackId>) {
        let from = self.now();
        self.push(Record::Park(Park {
            stack: None,
            thread,
            lock: Some(lock),
            from,
            to: from,
            limit: None,
            end: ParkEnd::Open,
            unpark: None,
        }));
        self.push(Record::Parked(Parked {
            thread,
            lock,
            stack,
            owner: Owner::Unknown,
            owner_stack: None,
            from,
            to: from,
            samples: 1,
            time: Nanos(1),
            continues: false,
            open: true,
            timed: false,
        }));
    }

    fn chain(&mut self, method: &str) -> StackId {
        let class = self.build.class(STAMPED, OBJECT);
        let app = self.build.class("app.Shop", OBJECT);
        let inner = self.build.method(class, method, "()J", 0);
        let outer = self.build.method(app, "sell", "()V", 0);
        self.build.stack(&[(inner, 1), (outer, 2)])
    }

    fn hole(&mut self) {
        self.parts.push(Part::Hole);
    }

    /// The recording ends, and the program goes on.
    pub(super) fn report(self) -> Report {
        self.report_of(EndReason::Stopped)
    }

    /// The recording ends for this reason.
    fn report_of(mut self, reason: EndReason) -> Report {
        let at = self.now();
        self.push(Record::End(End { at, reason }));
        let options = Options::default();
        let mut scout = Scout::default();
        let mut collector = Collector::of_piece(options, self.build.catalog);
        for part in &self.parts {
            match part {
                Part::Record(record) => {
                    scout.see(record);
                    collector.push(record.clone());
                }
                Part::Hole => collector.gap(),
            }
        }
        let collected = collector.finish();
        let analysis = Analysis::of(&collected, &options);
        let mut jvm = Jvm::new(&collected, &analysis, &scout);
        let mut scan = jvm.scan();
        for part in &self.parts {
            match part {
                Part::Record(record) => jvm.see(record, &mut |step| scan.push(step)),
                Part::Hole => jvm.hole(&mut |step| scan.push(step)),
            }
        }
        jvm.end(&mut |step| scan.push(step));
        scan.know(jvm.natures());
        scan.know_patience(&jvm.patience());
        scan.know_crews(jvm.crews());
        let suspects = Suspects::of(&scan);
        let mut history = suspects.history();
        jvm.rewind();
        for part in &self.parts {
            match part {
                Part::Record(record) => jvm.see(record, &mut |step| history.push(step)),
                Part::Hole => jvm.hole(&mut |step| history.push(step)),
            }
        }
        jvm.end(&mut |step| history.push(step));
        report(&suspects, &history, &jvm)
    }

    pub(super) fn found(self) -> Vec<(Tier, Kind)> {
        let findings = self.report().findings;
        findings.iter().map(|f| (f.tier, f.kind)).collect()
    }
}

#[test]
fn to_convert_a_stamp_takes_no_waiting() {
    let mut scene = Scene::default();
    let lock = scene.lock(STAMPED);
    for name in ["one", "other"] {
        let thread = scene.build.thread(name);
        scene.did(
            thread,
            lock,
            &[(Act::Share, 1), (Act::ConvertToLock, READS)],
        );
        scene.did(thread, lock, &[(Act::UnlockStamp, WRITES), (Act::Share, 1)]);
        scene.does(thread, lock, Act::ConvertToLock, READS, Outcome::Failed);
        let writes = [(Act::Lock, 1), (Act::UnlockStamp, WRITES)];
        scene.did(thread, lock, &[(Act::UnlockStamp, READS)]);
        scene.did(thread, lock, &writes);
        // From a stamp that stood for nothing.
        scene.did(thread, lock, &[(Act::ConvertToLock, 0)]);
        scene.did(thread, lock, &[(Act::UnlockStamp, WRITES)]);
    }
    assert_eq!(scene.found(), []);
}

/// At one condition one thread always waits for a time only, and another one as long as it takes.
#[test]
fn who_always_waits_with_a_limit_stalls_whatever_others_do_there() {
    let stalls = |is_kept: [bool; 2]| {
        let mut scene = Scene::default();
        let (kept, lock) = (scene.lock(REENTRANT), scene.lock(REENTRANT));
        let conditions = "java.util.concurrent.locks.AbstractQueuedSynchronizer$ConditionObject";
        let condition = scene.condition(conditions, lock);
        let [patient, hasty, other] =
            ["patient", "hasty", "other"].map(|name| scene.build.thread(name));
        let limits = [None, Some(Nanos(1_000))];
        for ((thread, limit), keeps) in [patient, hasty].into_iter().zip(limits).zip(is_kept) {
            scene.did(other, kept, &[(Act::Lock, 1), (Act::Unlock, 1)]);
            if keeps {
                scene.did(thread, kept, &[(Act::Lock, 1)]);
            }
            scene.did(thread, lock, &[(Act::Lock, 1)]);
            scene.did(thread, condition, &[(Act::Await, 1)]);
            scene.did(other, lock, &[(Act::Lock, 1)]);
            scene.did(other, condition, &[(Act::Signal, 1)]);
            scene.did(other, lock, &[(Act::Unlock, 1)]);
            scene.is_let_go_in(thread, condition, other, limit);
            scene.did(thread, condition, &[(Act::Awaited, 1)]);
            scene.did(thread, lock, &[(Act::Unlock, 1)]);
            if keeps {
                scene.did(thread, kept, &[(Act::Unlock, 1)]);
            }
        }
        let findings = scene.report().findings;
        findings
            .iter()
            .map(|f| (f.kind, f.stall))
            .collect::<Vec<_>>()
    };
    assert_eq!(stalls([true, false]), [(Kind::NestedWait, false)]);
    assert_eq!(stalls([false, true]), [(Kind::NestedWait, true)]);
}

/// Two read a lock, one within another one and one around it: stuck as soon as a third stands in line to write, behind whom who reads
/// waits.
#[test]
fn who_tries_to_write_at_once_makes_no_reader_wait() {
    let found = |tries: &[u32]| {
        let mut scene = Scene::default();
        let shelf = scene.lock("java.util.concurrent.locks.ReentrantReadWriteLock$NonfairSync");
        let list = scene.lock(REENTRANT);
        let [one, two, writer] = ["one", "two", "writer"].map(|name| scene.build.thread(name));
        scene.did(one, shelf, &[(Act::Share, 1)]);
        scene.did(one, list, &[(Act::Lock, 1), (Act::Unlock, 1)]);
        scene.did(one, shelf, &[(Act::Unshare, 1)]);
        scene.did(two, list, &[(Act::Lock, 1)]);
        scene.did(two, shelf, &[(Act::Share, 1), (Act::Unshare, 1)]);
        scene.did(two, list, &[(Act::Unlock, 1)]);
        for &count in tries {
            counts(&mut scene, writer, (shelf, Act::Lock, count), true);
            scene.did(writer, shelf, &[(Act::Unlock, 1)]);
        }
        let findings = scene.report().findings;
        findings
            .iter()
            .map(|f| (f.kind, f.stall))
            .collect::<Vec<_>>()
    };
    let (at_once, for_a_time) = (0, 1);
    assert_eq!(found(&[at_once]), []);
    assert_eq!(found(&[for_a_time]), [(Kind::ReadWrite, true)]);
    let both = found(&[at_once, for_a_time]);
    assert_eq!(
        both,
        [(Kind::ReadWrite, true)],
        "now and then it stands in line"
    );
}

/// It keeps another lock, which the one who signals takes first. Without the condition's own lock it does not wait: it is told so.
#[test]
fn who_waits_at_a_condition_without_its_lock_waits_for_nobody() {
    let found = |has_lock: bool| {
        let mut scene = Scene::default();
        let (kept, lock) = (scene.lock(REENTRANT), scene.lock(REENTRANT));
        let conditions = "java.util.concurrent.locks.AbstractQueuedSynchronizer$ConditionObject";
        let condition = scene.condition(conditions, lock);
        let [one, other] = ["one", "other"].map(|name| scene.build.thread(name));
        scene.did(one, kept, &[(Act::Lock, 1)]);
        if has_lock {
            scene.did(one, lock, &[(Act::Lock, 1)]);
        }
        scene.did(one, condition, &[(Act::Await, 1)]);
        scene.does(one, condition, Act::Awaited, 1, Outcome::Threw);
        if has_lock {
            scene.did(one, lock, &[(Act::Unlock, 1)]);
        }
        scene.did(one, kept, &[(Act::Unlock, 1)]);
        scene.did(other, kept, &[(Act::Lock, 1), (Act::Unlock, 1)]);
        scene.did(other, lock, &[(Act::Lock, 1)]);
        scene.did(other, condition, &[(Act::Signal, 1)]);
        scene.did(other, lock, &[(Act::Unlock, 1)]);
        scene.found()
    };
    assert_eq!(found(false), []);
    let interrupted = [(Tier::T3, Kind::NestedWait)];
    assert_eq!(found(true), interrupted, "it would have waited on");
}

#[test]
fn a_stamp_that_somebody_else_gave_back_is_nobodys() {
    let passed = |passes: bool| {
        let mut scene = Scene::default();
        let (stamped, plain) = (scene.lock(STAMPED), scene.lock(REENTRANT));
        let [reader, finisher, writer] =
            ["reader", "finisher", "writer"].map(|name| scene.build.thread(name));
        let back = [(Act::UnlockStamp, READS)];
        scene.did(reader, stamped, &[(Act::Share, 1)]);
        if passes {
            scene.did(finisher, stamped, &back);
        }
        scene.did(reader, plain, &[(Act::Lock, 1), (Act::Unlock, 1)]);
        if !passes {
            scene.did(reader, stamped, &back);
        }
        scene.did(writer, plain, &[(Act::Lock, 1)]);
        let writes = [(Act::Lock, 1), (Act::UnlockStamp, WRITES)];
        scene.did(writer, stamped, &writes);
        scene.did(writer, plain, &[(Act::Unlock, 1)]);
        scene.found()
    };
    assert_eq!(passed(true), []);
    assert_eq!(passed(false), [(Tier::T3, Kind::ReadWrite)]);
}

#[test]
fn what_was_held_when_the_recording_began_makes_no_lock_nobodys() {
    let mut scene = Scene::default();
    let (a, b) = (scene.lock(REENTRANT), scene.lock(REENTRANT));
    let [one, other] = ["one", "other"].map(|name| scene.build.thread(name));
    scene.did(one, a, &[(Act::Unlock, 1)]);
    scene.nests(one, a, b);
    scene.nests(other, b, a);
    assert_eq!(scene.found(), [(Tier::T3, Kind::Order)]);
}

#[test]
fn who_has_a_stamped_lock_is_not_let_in_again() {
    let mut scene = Scene::default();
    let lock = scene.lock(STAMPED);
    let thread = scene.build.thread("twice");
    scene.did(thread, lock, &[(Act::Lock, 1)]);
    scene.is_parked(thread, lock, Some("writeLock"));
    assert_eq!(scene.found(), [(Tier::T0, Kind::Upgrade)]);
}

/// A reader parked on its lock again, behind a writer.
fn read_again(class: &str, method: Option<&str>) -> Vec<(Tier, Kind)> {
    let mut scene = Scene::default();
    let lock = scene.lock(class);
    let [reader, writer] = ["reader", "writer"].map(|name| scene.build.thread(name));
    scene.did(reader, lock, &[(Act::Share, 1)]);
    scene.is_parked(writer, lock, Some("writeLock"));
    scene.is_parked(reader, lock, method);
    scene.found()
}

#[test]
fn who_reads_by_a_stamp_and_is_parked_may_want_to_read_again() {
    let found = read_again(STAMPED, Some("readLock"));
    assert_eq!(found.first(), Some(&(Tier::T0, Kind::ReadWrite)));
    assert!(found.iter().all(|(_, kind)| *kind != Kind::Upgrade));
    let unknown = read_again(STAMPED, None);
    assert!(
        unknown.iter().all(|(tier, _)| *tier > Tier::T0),
        "{unknown:?}"
    );
}

#[test]
fn what_was_done_before_a_gap_counts_and_who_was_in_it_holds_nothing() {
    let ended = |gap: bool| {
        let mut scene = Scene::default();
        let (a, b) = (scene.lock(REENTRANT), scene.lock(REENTRANT));
        let [one, other] = ["one", "other"].map(|name| scene.build.thread(name));
        scene.nests(one, a, b);
        scene.nests(other, b, a);
        scene.did(one, a, &[(Act::Lock, 1)]);
        scene.did(other, b, &[(Act::Lock, 1)]);
        if gap {
            scene.hole();
        }
        scene.is_parked(one, b, None);
        scene.is_parked(other, a, None);
        scene.found()
    };
    assert_eq!(ended(false), [(Tier::T0, Kind::Order)]);
    assert_eq!(ended(true), [(Tier::T4, Kind::Order)]);
}

#[test]
fn who_waits_while_the_program_goes_on_may_be_served_yet() {
    let mut scene = Scene::default();
    let latch = scene.lock(LATCH);
    let main = scene.build.thread("main");
    scene.is_parked(main, latch, None);
    let report = scene.report();
    let found: Vec<_> = report.findings.iter().map(|f| (f.tier, f.kind)).collect();
    assert_eq!(found, [(Tier::T5, Kind::UnservedWaiter)]);
    let remarks = &report.findings[0].remarks;
    assert!(
        remarks.iter().any(|said| said.contains("shutdown hook")),
        "{remarks:?}"
    );
}

#[test]
fn who_waits_when_the_program_is_made_to_end_waited_for_ever() {
    let found = |daemon: bool| {
        let mut scene = Scene::default();
        let latch = scene.lock(LATCH);
        let main = scene.build.thread("main");
        if let Some(def) = scene.build.catalog.threads.get_mut(&main) {
            def.daemon = daemon;
        }
        scene.is_parked(main, latch, None);
        let findings = scene.report_of(EndReason::VmDeath).findings;
        findings
            .iter()
            .map(|f| (f.tier, f.kind))
            .collect::<Vec<_>>()
    };
    assert_eq!(found(false), [(Tier::T5, Kind::UnservedWaiter)]);
    assert_eq!(found(true), [], "it did not keep the program from ending");
}

#[test]
fn who_waits_for_what_those_have_who_have_ended_waits_for_ever() {
    const SEMAPHORE: &str = "java.util.concurrent.Semaphore$NonfairSync";
    let found = |class: &str, act: Act, ended: bool| {
        let mut scene = Scene::default();
        let lock = scene.lock(class);
        let [gone, main] = ["gone", "main"].map(|name| scene.build.thread(name));
        scene.did(gone, lock, &[(act, 1)]);
        if ended {
            super::tasks_tests::ends(&mut scene, gone);
        }
        scene.is_parked(main, lock, None);
        let findings = scene.report().findings;
        let each = findings.iter().map(|f| (f.tier, f.unserved));
        each.collect::<Vec<_>>()
    };
    for (class, act) in [(SEMAPHORE, Act::Share), (REENTRANT, Act::Lock)] {
        let ended = [(Tier::T5, Some(Unserved::OwnerEnded))];
        assert_eq!(found(class, act, true), ended, "{class}");
        assert_eq!(found(class, act, false), [], "{class}: it may give back");
    }
}

#[test]
fn who_waits_for_a_permit_of_one_who_waits_himself_is_on_a_ring_or_not_told() {
    let mut scene = Scene::default();
    let semaphores = [(); 2].map(|()| scene.lock("java.util.concurrent.Semaphore$NonfairSync"));
    for (name, own) in [("one", 0), ("two", 1)] {
        let thread = scene.build.thread(name);
        scene.did(thread, semaphores[own], &[(Act::Share, 1)]);
        scene.is_parked(thread, semaphores[1 - own], None);
    }
    let findings = scene.report().findings;
    assert!(
        findings.iter().all(|f| f.unserved.is_none()),
        "{findings:#?}"
    );
}
