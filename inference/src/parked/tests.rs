//! Sampled locks of recordings written by hand.

use crate::analysis::Analysis;
use crate::collect::{Collected, Collector};
use crate::fixtures::Build;
use crate::model::{Holder, LogicalLock, Model, Options, Stuck, Wants};
use crate::types::LockType;
use locklens_trace::code::Op;
use locklens_trace::juc::{Act, Operation, Outcome};
use locklens_trace::park::{Park, ParkEnd, Unpark};
use locklens_trace::parked::{Parked, StateSeen, SyncDef, SyncKind};
use locklens_trace::record::{End, EndReason, Owner, Tick, target_key};
use locklens_trace::{ClassId, LockId, MethodId, Nanos, Record, StackId, ThreadId};

const AQS: &str = "java.util.concurrent.locks.AbstractQueuedSynchronizer";

/// A program that parks.
pub(super) struct Scene {
    pub(super) build: Build,
    records: Vec<Record>,
    pub(super) park: MethodId,
    sync: ClassId,
    condition: ClassId,
    pub(super) app: ClassId,
}

impl Scene {
    pub(super) fn new() -> Self {
        let mut build = Build::default();
        let support = build.class("java.util.concurrent.locks.LockSupport", "java.lang.Object");
        let park = build.method(support, "park", "(Ljava/lang/Object;)V", 0);
        let sync = build.class("java.util.concurrent.locks.ReentrantLock$NonfairSync", AQS);
        let condition = build.class(&format!("{AQS}$ConditionObject"), "java.lang.Object");
        let app = build.class("app.Shop", "java.lang.Object");
        Self {
            build,
            records: Vec::new(),
            park,
            sync,
            condition,
            app,
        }
    }

    pub(super) fn blocker(&mut self, class: ClassId, kind: SyncKind, of: Option<LockId>) -> LockId {
        let lock = self.build.lock(class);
        self.learn(SyncDef {
            lock,
            kind,
            of,
            shared: false,
            most: 1,
            state: None,
        });
        lock
    }

    pub(super) fn learn(&mut self, def: SyncDef) {
        self.records.push(Record::Sync(def));
    }

    pub(super) fn lock(&mut self) -> LockId {
        self.blocker(self.sync, SyncKind::Synchronizer, None)
    }

    /// A chain that parks in JDK code of `container` (if any), called by that method of the program's.
    fn chain(&mut self, container: Option<(&str, &str)>, method: &str, bci: u16) -> StackId {
        let caller = self.build.method(self.app, method, "()V", 0);
        let mut frames = vec![(self.park, 3)];
        if let Some((class, name)) = container {
            let class = self.build.class(class, "java.lang.Object");
            frames.push((self.build.method(class, name, "()V", 0), 7));
        }
        frames.push((caller, bci));
        self.build.stack(&frames)
    }

    /// A chain that parks in code of the program, which ends with a call.
    pub(super) fn coded(&mut self, method: &str, ops: Vec<Op>) -> StackId {
        let bci = ops.len() as u16 - 1;
        let caller = self.build.coded(self.app, method, 0, ops);
        self.build.stack(&[(self.park, 3), (caller, bci)])
    }

    /// A thread found parked so many times, 20 ms apart.
    pub(super) fn park(
        &mut self,
        thread: &str,
        lock: LockId,
        stack: Option<StackId>,
        samples: u32,
    ) -> ThreadId {
        let thread = self.build.thread(thread);
        self.records.push(Record::Parked(Parked {
            thread,
            lock,
            stack,
            owner: Owner::Unknown,
            owner_stack: None,
            from: Nanos::from_millis(20),
            to: Nanos::from_millis(20 * u64::from(samples)),
            samples,
            time: Nanos::from_millis(20 * u64::from(samples)),
            continues: false,
            open: false,
            timed: false,
        }));
        thread
    }

    /// Changes what was said last of a parked thread.
    fn last(&mut self, change: impl FnOnce(&mut Parked)) {
        if let Some(Record::Parked(parked)) = self.records.last_mut() {
            change(parked);
        }
    }

    fn collected(&self, options: &Options) -> Collected {
        let mut collector = Collector::of_piece(*options, self.build.catalog.clone());
        for record in &self.records {
            collector.push(record.clone());
        }
        collector.finish()
    }

    fn model(&self, options: &Options) -> Model {
        Analysis::of(&self.collected(options), options).model
    }

    pub(super) fn locks(&self) -> Vec<LogicalLock> {
        self.model(&Options::default()).locks
    }
}

#[test]
fn locks_used_from_one_place_are_one_and_others_are_not() {
    let mut scene = Scene::new();
    let (first, second, third) = (scene.lock(), scene.lock(), scene.lock());
    let sell = scene.chain(None, "sell", 4);
    let buy = scene.chain(None, "buy", 4);
    scene.park("a", first, Some(sell), 5);
    scene.park("b", second, Some(sell), 5);
    scene.park("c", third, Some(buy), 1);
    let locks = scene.locks();
    assert_eq!(locks.len(), 2);
    assert_eq!((locks[0].instances, locks[0].threads), (2, 2));
    assert_eq!(locks[0].blocked.total, Nanos::from_millis(200));
    assert_eq!(locks[0].name, "ReentrantLock in Shop.sell");
    assert_eq!(
        locks[0].classes,
        ["java.util.concurrent.locks.ReentrantLock"]
    );
    assert_eq!(locks[0].regions[0].method, "sell");
    assert_eq!(locks[1].regions[0].method, "buy");
    assert!(
        locks
            .iter()
            .all(|lock| lock.types[0].lock_type == LockType::Lock)
    );
}

/// A chain that parks and has these frames around that.
fn around(scene: &mut Scene, frames: &[(&str, &str)]) -> StackId {
    let mut all = vec![(scene.park, 3)];
    for (class, method) in frames {
        let class = scene.build.class(class, "java.lang.Object");
        all.push((scene.build.method(class, method, "()V", 0), 7));
    }
    scene.build.stack(&all)
}

#[test]
fn what_a_queue_inherits_is_not_where_it_is_used() {
    const QUEUE: &str = "java.util.concurrent.ArrayBlockingQueue";
    let mut scene = Scene::new();
    let lock = scene.lock();
    let frames = [
        (QUEUE, "size"),
        ("java.util.AbstractCollection", "isEmpty"),
        ("app.Log", "flush"),
    ];
    let chain = around(&mut scene, &frames);
    scene.park("writer", lock, Some(chain), 5);
    let locks = scene.locks();
    assert_eq!(locks[0].name, "ArrayBlockingQueue in Log.flush");
    let mut scene = Scene::new();
    let lock = scene.lock();
    // What is the JDK's own has its own name.
    let begin = ("sun.nio.ch.SocketChannelImpl", "beginWrite");
    let chain = around(&mut scene, &[begin, ("app.Log", "flush")]);
    scene.park("writer", lock, Some(chain), 5);
    let told = "ReentrantLock in SocketChannelImpl.beginWrite";
    assert_eq!(scene.locks()[0].name, told);
}

#[test]
fn a_thread_of_a_pool_uses_a_lock_where_the_pool_does() {
    const POOL: &str = "java.util.concurrent.ThreadPoolExecutor";
    let mut scene = Scene::new();
    let lock = scene.lock();
    let worker = format!("{POOL}$Worker");
    let frames = [
        (POOL, "processWorkerExit"),
        (POOL, "runWorker"),
        (&*worker, "run"),
        ("java.lang.Thread", "run"),
    ];
    let chain = around(&mut scene, &frames);
    scene.park("pool-1", lock, Some(chain), 5);
    let locks = scene.locks();
    let told = "ReentrantLock in ThreadPoolExecutor.processWorkerExit";
    assert_eq!(locks[0].name, told);
}

#[test]
fn a_queue_is_one_lock_with_its_conditions_and_a_plain_condition_is_its_own() {
    let mut scene = Scene::new();
    let inner = scene.lock();
    let not_empty = scene.blocker(scene.condition, SyncKind::Condition, Some(inner));
    let not_full = scene.blocker(scene.condition, SyncKind::Condition, Some(inner));
    const QUEUE: &str = "java.util.concurrent.ArrayBlockingQueue";
    let take = scene.chain(Some((QUEUE, "take")), "consume", 4);
    let put = scene.chain(Some((QUEUE, "put")), "produce", 4);
    scene.park("consumer", not_empty, Some(take), 5);
    scene.park("producer", not_full, Some(put), 5);
    scene.park("other", inner, Some(put), 1);
    let own = scene.lock();
    let changed = scene.blocker(scene.condition, SyncKind::Condition, Some(own));
    let wait = scene.chain(None, "await", 4);
    scene.park("waiter", changed, Some(wait), 1);
    let locks = scene.locks();
    let types: Vec<_> = locks.iter().map(|lock| lock.types[0].lock_type).collect();
    assert_eq!(types, [LockType::ProducerConsumer, LockType::Condition]);
    assert_eq!(locks[0].classes, [QUEUE]);
    assert_eq!((locks[0].instances, locks[0].threads), (1, 3));
    assert_eq!((locks[0].blocked.count, locks[0].waits.count), (1, 2));
}

/// What threads are parked on in a `SynchronousQueue` is in it, and does not say in which.
#[test]
fn what_a_queue_has_inside_is_of_the_queue_used_from_the_same_place() {
    const QUEUE: &str = "java.util.concurrent.SynchronousQueue";
    let mut scene = Scene::new();
    let inside = format!("{QUEUE}$TransferStack");
    let inside = scene.build.class(&inside, "java.lang.Object");
    let queue = scene.build.class(QUEUE, "java.lang.Object");
    let queues = [0; 2].map(|_| scene.blocker(queue, SyncKind::Other, None));
    let chains = ["sell", "buy"].map(|method| scene.chain(Some((QUEUE, "put")), method, 4));
    for (lock, chain) in queues.into_iter().zip(chains) {
        let thread = scene.build.thread("trader");
        scene.records.push(Record::Operation(Operation {
            at: Nanos(1),
            thread,
            lock,
            act: Act::Put,
            outcome: Outcome::Done,
            count: 1,
            tries: false,
            stack: Some(chain),
        }));
    }
    let stack = scene.blocker(inside, SyncKind::Other, None);
    scene.park("buyer", stack, Some(chains[1]), 5);
    let locks = scene.locks();
    let told = locks.iter().map(|lock| {
        let most = lock.uses.as_ref().map(|uses| uses.acts.len());
        // That it is a guess is said where it is one.
        let reasons = lock.types[0].evidence.pro.len();
        (lock.instances, lock.waits.count, most, reasons)
    });
    let mut told: Vec<_> = told.collect();
    told.sort_unstable();
    assert_eq!(told, [(1, 0, Some(1), 1), (1, 1, Some(1), 2)]);
}

#[test]
fn a_task_is_a_row_only_if_somebody_was_parked_on_it() {
    let task = "java.util.concurrent.ForkJoinTask$RunnableExecuteAction";
    let rows = |is_awaited: bool| {
        let mut scene = Scene::new();
        let class = scene.build.class(task, "java.util.concurrent.ForkJoinTask");
        let lock = scene.blocker(class, SyncKind::Other, None);
        let thread = scene.build.thread("worker");
        for (at, act) in [(1, Act::Made), (2, Act::Run), (3, Act::CountDown)] {
            scene.records.push(Record::Operation(Operation {
                at: Nanos(at),
                thread,
                lock,
                act,
                outcome: Outcome::Done,
                count: 1,
                tries: false,
                stack: None,
            }));
        }
        if is_awaited {
            let join = scene.chain(None, "join", 4);
            scene.park("waiter", lock, Some(join), 5);
        }
        scene.locks().len()
    };
    assert_eq!((rows(false), rows(true)), (0, 1));
}

#[test]
fn idle_threads_of_pools_are_counted_and_shown_on_demand() {
    let mut scene = Scene::new();
    let inner = scene.lock();
    let not_empty = scene.blocker(scene.condition, SyncKind::Condition, Some(inner));
    let pool = "java.util.concurrent.ThreadPoolExecutor";
    let idle = scene.chain(Some((pool, "getTask")), "run", 4);
    scene.park("pool-1", not_empty, Some(idle), 5);
    scene.park("pool-2", not_empty, None, 5);
    let model = scene.model(&Options::default());
    assert_eq!(model.locks, []);
    assert_eq!(model.recording.hidden["idle pool threads"], 2);
    let all = Options {
        hide_safe: false,
        ..Options::default()
    };
    let model = scene.model(&all);
    assert_eq!((model.locks.len(), model.recording.hidden.len()), (1, 0));
}

/// Pictures show idle workers of pools, and no cleaner of the JDK's.
#[test]
fn a_thread_of_the_jdk_s_own_is_parked_on_what_is_known_to_be_safe() {
    let mut scene = Scene::new();
    let inner = scene.lock();
    let conditions =
        [0; 2].map(|_| scene.blocker(scene.condition, SyncKind::Condition, Some(inner)));
    for (condition, (class, method)) in conditions.into_iter().zip([
        ("java.lang.ref.ReferenceQueue", "remove"),
        ("java.util.concurrent.ThreadPoolExecutor", "getTask"),
    ]) {
        let chain = scene.chain(Some((class, method)), "run", 4);
        scene.park(method, condition, Some(chain), 5);
    }
    let options = Options::default();
    let safe = super::safe(&scene.collected(&options));
    assert_eq!(safe.into_iter().collect::<Vec<_>>(), [conditions[0]]);
    let all = Options {
        hide_safe: false,
        ..options
    };
    assert!(super::safe(&scene.collected(&all)).is_empty());
}

/// Who has to queue for the queue's own lock is not idle, though it comes from the same place.
#[test]
fn who_is_kept_out_of_the_queue_of_a_pool_is_not_idle() {
    let mut scene = Scene::new();
    let inner = scene.lock();
    let not_empty = scene.blocker(scene.condition, SyncKind::Condition, Some(inner));
    let pool = "java.util.concurrent.ThreadPoolExecutor";
    let idle = scene.chain(Some((pool, "getTask")), "run", 4);
    scene.park("pool-1", not_empty, Some(idle), 5);
    scene.park("pool-2", inner, Some(idle), 3);
    let model = scene.model(&Options::default());
    assert_eq!(model.locks.len(), 1);
    assert!(model.locks[0].blocked.total.0 > 0);
    assert_eq!(model.locks[0].waits.count, 0);
    assert_eq!(model.recording.hidden["idle pool threads"], 1);
}

#[test]
fn the_error_grows_with_what_a_finding_stands_for_and_with_company() {
    let error = |samples: u32, threads: u32| {
        let mut scene = Scene::new();
        let lock = scene.lock();
        let sell = scene.chain(None, "sell", 4);
        for at in 0..threads {
            scene.park(&format!("t{at}"), lock, Some(sell), samples);
        }
        if let Some(Record::Sync(def)) = scene.records.first_mut() {
            def.most = threads;
        }
        let sampled = scene.locks()[0].sampled.clone().expect("a sampled lock");
        assert_eq!(sampled.samples, u64::from(samples * threads));
        sampled.error
    };
    // 20 ms, and the square root of four findings.
    assert_eq!(error(1, 1), Nanos::from_millis(20));
    assert_eq!(error(4, 1), Nanos::from_millis(40));
    assert_eq!(error(1, 4), Nanos::from_millis(80));
}

#[test]
fn who_was_parked_at_the_first_look_was_so_before_and_who_parked_later_was_not() {
    let since = |first: Option<u64>| {
        let mut scene = Scene::new();
        let pairs = first.map(|at| (target_key::PARKED_FIRST.to_owned(), at.to_string()));
        scene
            .records
            .push(Record::Target(pairs.into_iter().collect()));
        cross(&mut scene, |parked| parked.from = Nanos(70));
        let deadlocks = scene.model(&Options::default()).deadlocks;
        deadlocks[0].threads[0].since
    };
    assert_eq!(since(Some(70)), Nanos(0));
    assert_eq!(since(Some(60)), Nanos(70), "nobody was, at the first look");
    assert_eq!(since(None), Nanos(0), "not told");
}

/// Two threads, each parked on what the other owns.
fn crossed(change: impl Fn(&mut Parked)) -> usize {
    let mut scene = Scene::new();
    cross(&mut scene, change);
    let model = scene.model(&Options::default());
    for ring in &model.deadlocks {
        assert_eq!(ring.threads.len(), 2);
        assert!(ring.threads.iter().all(|stuck| stuck.since == Nanos(0)));
        assert!(ring.threads.iter().all(|stuck| stuck.lock == Some(1)));
    }
    model.deadlocks.len()
}

fn cross(scene: &mut Scene, change: impl Fn(&mut Parked)) {
    let (left, right) = (scene.lock(), scene.lock());
    let both = scene.chain(None, "both", 4);
    let names = ["one", "two"].map(|name| scene.build.thread(name));
    for (thread, lock, owner) in [(0, left, 1), (1, right, 0)] {
        scene.park("unused", lock, Some(both), 2);
        scene.last(|parked| {
            parked.thread = names[thread];
            parked.owner = Owner::Thread(names[owner]);
            parked.open = true;
            change(parked);
        });
    }
}

#[test]
fn threads_parked_for_ever_on_what_the_other_owns_are_a_deadlock() {
    assert_eq!(crossed(|_| {}), 1);
    assert_eq!(crossed(|parked| parked.timed = true), 0);
    assert_eq!(crossed(|parked| parked.open = false), 0);
    assert_eq!(crossed(|parked| parked.samples = 1), 0, "read once");
    assert_eq!(crossed(|parked| parked.owner = Owner::Unknown), 0);
}

/// The parks of a scene.
impl Scene {
    fn every_park(&mut self, lock: LockId, parks: &[(u64, u64, ParkEnd)]) {
        let (thread, by) = (self.build.thread("a"), self.build.thread("b"));
        for &(from, to, end) in parks {
            let (from, to) = (Nanos::from_millis(from), Nanos::from_millis(to));
            let unpark = (end == ParkEnd::Unparked).then_some(Unpark {
                stack: None,
                by,
                at: to,
            });
            self.records.push(Record::Park(Park {
                stack: None,
                thread,
                lock: Some(lock),
                from,
                to,
                limit: None,
                end,
                unpark,
            }));
        }
    }
}

#[test]
fn a_name_goes_neither_by_what_was_used_most_nor_by_the_numbers_of_lambdas() {
    for (lambda, looks) in [("lambda$buy$0", [1, 5]), ("lambda$buy$7", [5, 1])] {
        let mut scene = Scene::new();
        let lock = scene.lock();
        for (method, looks) in [lambda, "sell"].into_iter().zip(looks) {
            let chain = scene.chain(None, method, 4);
            scene.park(method, lock, Some(chain), looks);
        }
        let names: Vec<String> = scene.locks().into_iter().map(|lock| lock.name).collect();
        assert_eq!(names, ["ReentrantLock in Shop.lambda$buy"]);
    }
}

#[test]
fn every_park_counts_in_place_of_estimates_and_the_looks_say_where() {
    let mut scene = Scene::new();
    let (seen, quick) = (scene.lock(), scene.lock());
    let sell = scene.chain(None, "sell", 4);
    scene.park("a", seen, Some(sell), 5);
    let (unparked, timed_out) = (ParkEnd::Unparked, ParkEnd::TimedOut);
    scene.every_park(seen, &[(0, 90, unparked), (100, 110, unparked)]);
    scene.every_park(quick, &[(200, 203, timed_out), (300, 390, ParkEnd::Open)]);
    let locks = scene.locks();
    let [sold, other] = &locks[..] else {
        panic!("{locks:#?}");
    };
    assert!(!sold.is_estimated() && sold.sampled.is_some());
    assert_eq!(sold.name, "ReentrantLock in Shop.sell");
    let times = (sold.blocked.count, sold.blocked.total, sold.blocked.max);
    let ms = Nanos::from_millis;
    assert_eq!(times, (2, ms(100), ms(90)));
    let parks = sold.parks.as_ref().expect("parks");
    assert_eq!((parks.count, parks.unparked, parks.unparkers), (2, 2, 1));
    assert_eq!(parks.by, [("b".to_owned(), 2)]);
    // No look ever found anybody there.
    let parks = other.parks.as_ref().expect("parks");
    assert_eq!((parks.count, parks.timed_out, parks.open), (2, 1, 1));
    // Who is stuck to the end is counted up to then.
    let times = (other.blocked.count, other.blocked.total, other.blocked.max);
    assert_eq!(times, (2, ms(93), ms(90)));
    assert!(other.regions.is_empty());
}

#[test]
fn without_a_place_a_fair_lock_is_another_one_than_an_unfair() {
    let mut scene = Scene::new();
    let fair = scene
        .build
        .class("java.util.concurrent.locks.ReentrantLock$FairSync", AQS);
    let fair = scene.blocker(fair, SyncKind::Synchronizer, None);
    let (plain, same) = (scene.lock(), scene.lock());
    for (thread, lock) in [("a", fair), ("b", plain), ("c", same)] {
        scene.park(thread, lock, None, 3);
    }
    let mut instances: Vec<_> = scene.locks().iter().map(|lock| lock.instances).collect();
    instances.sort_unstable();
    assert_eq!(instances, [1, 2]);
}

#[test]
fn what_objects_do_not_agree_on_is_not_told_whatever_their_order() {
    for order in [
        [true, false, true],
        [false, true, false],
        [true, true, false],
    ] {
        let mut scene = Scene::new();
        let fair = scene
            .build
            .class("java.util.concurrent.locks.ReentrantLock$FairSync", AQS);
        let at = scene.chain(None, "book", 1);
        for (is_fair, thread) in order.into_iter().zip(["a", "b", "c"]) {
            let lock = match is_fair {
                true => scene.blocker(fair, SyncKind::Synchronizer, None),
                false => scene.lock(),
            };
            scene.park(thread, lock, Some(at), 3);
        }
        let locks = scene.locks();
        assert_eq!((locks.len(), locks[0].instances), (1, 3));
        let details = &locks[0].types[0].details;
        assert!(!details.contains_key("fair"), "{order:?}: {details:?}");
    }
}

/// Threads that were parked from the first look to the end of five seconds, at a full and an empty queue, a semaphore
/// and in a pool.
fn all_along() -> (Scene, [ThreadId; 4]) {
    let mut scene = Scene::new();
    let queue = "java.util.concurrent.ArrayBlockingQueue";
    let pool = "java.util.concurrent.ThreadPoolExecutor";
    let chains = [
        scene.chain(Some((queue, "put")), "feed", 1),
        scene.chain(Some((queue, "take")), "eat", 2),
        scene.chain(None, "borrow", 3),
        scene.chain(Some((pool, "getTask")), "idle", 4),
    ];
    let semaphore = scene
        .build
        .class("java.util.concurrent.Semaphore$NonfairSync", AQS);
    let locks = [
        scene.blocker(scene.condition, SyncKind::Condition, None),
        scene.blocker(scene.condition, SyncKind::Condition, None),
        scene.blocker(semaphore, SyncKind::Synchronizer, None),
        scene.blocker(scene.condition, SyncKind::Condition, None),
    ];
    let names = ["feeder", "eater", "borrower", "worker"];
    let mut nth = 0;
    let threads = names.map(|name| {
        let thread = scene.park(name, locks[nth], Some(chains[nth]), 200);
        scene.last(|parked| parked.open = true);
        nth += 1;
        thread
    });
    let end = Record::End(End {
        at: Nanos(5_000_000_000),
        reason: EndReason::Stopped,
    });
    scene.records.push(end);
    (scene, threads)
}

fn fact(key: &str, value: String) -> Record {
    Record::Target(vec![(key.to_owned(), value)])
}

#[test]
fn a_full_queue_is_stuck_a_semaphore_may_be_and_a_pool_is_not() {
    let (mut scene, threads) = all_along();
    let told = |scene: &Scene| {
        let found = scene.model(&Options::default()).standstills;
        let told = found.iter().map(|at| (at.wants, at.is_stuck(), at.proven));
        let mut told: Vec<_> = told.collect();
        told.sort_unstable();
        told
    };
    let unproven = [Wants::Room, Wants::Elements, Wants::Permit];
    assert_eq!(told(&scene), unproven.map(|wants| (wants, false, false)));
    let [feeder, eater, ..] = threads.map(|thread| thread.0);
    let still = fact(
        target_key::END_STILL,
        format!("{feeder}\n{eater}\nnonsense"),
    );
    scene.records.push(still);
    let proven = [(Wants::Room, true, true), (Wants::Elements, false, true)];
    assert_eq!(told(&scene), proven, "the others may have run meanwhile");
    let model = scene.model(&Options::default());
    assert!(model.blockages.is_empty(), "{:?}", model.blockages);
    assert!(!model.target.contains_key(target_key::END_STILL));
}

#[test]
fn who_came_late_or_goes_on_by_itself_was_not_parked_all_along() {
    for change in [
        |parked: &mut Parked| parked.timed = true,
        |parked: &mut Parked| parked.open = false,
        |parked: &mut Parked| parked.from = Nanos(2_000_000_000),
    ] {
        let mut scene = Scene::new();
        let chain = scene.chain(None, "open", 3);
        let class = scene
            .build
            .class("java.util.concurrent.CountDownLatch$Sync", AQS);
        let latch = scene.blocker(class, SyncKind::Synchronizer, None);
        scene.park("early", latch, Some(chain), 200);
        scene.park("waiter", latch, Some(chain), 200);
        scene.last(|parked| parked.open = true);
        scene.last(change);
        let at = Nanos(5_000_000_000);
        let reason = EndReason::Stopped;
        scene.records.push(Record::End(End { at, reason }));
        let found = scene.model(&Options::default()).standstills;
        assert!(found.is_empty(), "{found:?}");
    }
}

#[test]
fn who_holds_a_lock_is_told_since_when_and_that_it_has_ended_or_reads() {
    let mut scene = Scene::new();
    let chain = scene.chain(None, "work", 3);
    let owner = scene.build.thread("owner");
    let (lock, class) = (
        scene.lock(),
        scene.build.class(
            "java.util.concurrent.locks.ReentrantReadWriteLock$NonfairSync",
            AQS,
        ),
    );
    scene.park("guest", lock, Some(chain), 200);
    scene.last(|parked| (parked.open, parked.owner) = (true, Owner::Thread(owner)));
    let read = scene.blocker(class, SyncKind::Synchronizer, None);
    if let Some(Record::Sync(def)) = scene.records.last_mut() {
        def.state = Some(StateSeen { low: 1, high: 2 });
    }
    scene.park("scribe", read, Some(chain), 200);
    scene.last(|parked| parked.open = true);
    let (at, reason) = (Nanos(5_000_000_000), EndReason::Stopped);
    scene.records.push(Record::End(End { at, reason }));
    let holders = |scene: &Scene| {
        let all = scene.model(&Options::default()).blockages;
        assert_eq!(all.len(), 2, "{all:?}");
        assert!(all.iter().all(|blockage| !blockage.may_be_lockout));
        let holders = all.into_iter().map(|blockage| blockage.holder);
        holders.collect::<Vec<_>>()
    };
    let [Holder::Thread { since, ended, .. }, Holder::Readers] = &holders(&scene)[..] else {
        panic!("{:?}", holders(&scene));
    };
    assert_eq!((*since, *ended), (Some(Nanos(0)), false));
    scene
        .records
        .push(fact(target_key::END_ENDED, owner.0.to_string()));
    let gone = holders(&scene);
    assert!(
        matches!(gone[0], Holder::Thread { ended: true, .. }),
        "{gone:?}"
    );
}

#[test]
fn who_ran_meanwhile_may_have_had_the_lock_and_is_not_stuck_since_the_first_look() {
    let mut scene = Scene::new();
    let chain = scene.chain(None, "work", 3);
    let owner = scene.build.thread("owner");
    let lock = scene.lock();
    let guests = ["served", "stuck"].map(|name| {
        let guest = scene.park(name, lock, Some(chain), 200);
        scene.last(|parked| (parked.open, parked.owner) = (true, Owner::Thread(owner)));
        guest
    });
    let (at, reason) = (Nanos(5_000_000_000), EndReason::Stopped);
    scene.records.push(Record::End(End { at, reason }));
    let since = |scene: &Scene| {
        let model = scene.model(&Options::default());
        let threads = &model.blockages[0].threads;
        ["served", "stuck"].map(|name| {
            let of_it = |stuck: &&Stuck| stuck.thread == name;
            threads.iter().find(of_it).map(|stuck| stuck.since)
        })
    };
    let first = Some(Nanos(0));
    assert_eq!(since(&scene), [first, first], "not known of any");
    let still = fact(target_key::END_STILL, guests[1].0.to_string());
    scene.records.push(still);
    assert_eq!(since(&scene), [Some(Nanos::from_millis(4_000)), first]);
}

#[test]
fn where_it_is_not_known_who_ran_another_owner_says_that_the_lock_was_free() {
    let mut scene = Scene::new();
    let chain = scene.chain(None, "work", 3);
    let owners = ["early", "late"].map(|name| scene.build.thread(name));
    let lock = scene.lock();
    let guest = scene.park("guest", lock, Some(chain), 100);
    scene.last(|parked| parked.owner = Owner::Thread(owners[0]));
    scene.park("unused", lock, Some(chain), 200);
    scene.last(|parked| {
        parked.thread = guest;
        parked.owner = Owner::Thread(owners[1]);
        parked.from = Nanos::from_millis(2_000);
        (parked.continues, parked.open) = (true, true);
    });
    let (at, reason) = (Nanos(5_000_000_000), EndReason::Stopped);
    scene.records.push(Record::End(End { at, reason }));
    let since = |scene: &Scene| scene.model(&Options::default()).blockages[0].first().since;
    assert_eq!(since(&scene), Nanos::from_millis(2_000));
    let still = fact(target_key::END_STILL, guest.0.to_string());
    scene.records.push(still);
    assert_eq!(since(&scene), Nanos(0), "it never left");
}

#[test]
fn the_last_word_of_a_stay_says_whether_it_goes_on() {
    let told = |last: fn(&mut Parked), end: u64, whole: bool| {
        let mut scene = Scene::new();
        let chain = scene.chain(None, "work", 3);
        let owner = scene.build.thread("owner");
        let lock = scene.lock();
        let guest = scene.park("guest", lock, Some(chain), 100);
        scene.last(|parked| (parked.open, parked.owner) = (true, Owner::Thread(owner)));
        scene.park("unused", lock, Some(chain), 5);
        scene.last(|parked| {
            (parked.thread, parked.owner) = (guest, Owner::Thread(owner));
            (parked.from, parked.to) = (Nanos::from_millis(2_020), Nanos::from_millis(2_100));
            parked.continues = true;
            last(parked);
        });
        let at = Nanos::from_millis(end);
        scene.records.push(match whole {
            true => Record::End(End {
                at,
                reason: EndReason::Stopped,
            }),
            false => Record::Tick(Tick {
                at,
                agent_cpu: Nanos(0),
            }),
        });
        scene.model(&Options::default()).blockages.len()
    };
    for whole in [true, false] {
        assert_eq!(told(|parked| parked.open = true, 2_500, whole), 1);
        assert_eq!(told(|_| {}, 2_500, whole), 0, "it ended");
    }
    assert_eq!(told(|parked| parked.open = true, 20_000, true), 1);
    assert_eq!(
        told(|parked| parked.open = true, 20_000, false),
        0,
        "an old word"
    );
}

#[test]
fn looks_that_agree_on_an_owner_count_over_all_that_was_told_of_a_stay() {
    let blocked = |before: bool| {
        let mut scene = Scene::new();
        let chain = scene.chain(None, "work", 3);
        let owners = ["early", "late"].map(|name| scene.build.thread(name));
        let lock = scene.lock();
        let guest = scene.park("guest", lock, Some(chain), 20);
        let first = owners[usize::from(before)];
        scene.last(|parked| (parked.open, parked.owner) = (true, Owner::Thread(first)));
        scene.park("unused", lock, Some(chain), 1);
        scene.last(|parked| {
            (parked.thread, parked.owner) = (guest, Owner::Thread(owners[1]));
            (parked.continues, parked.open) = (true, true);
        });
        let (at, reason) = (Nanos(1_000_000_000), EndReason::VmDeath);
        scene.records.push(Record::End(End { at, reason }));
        scene.model(&Options::default()).blockages.len()
    };
    assert_eq!(blocked(true), 1, "the last look is one of many");
    assert_eq!(blocked(false), 0, "a single look may be mistaken");
}
