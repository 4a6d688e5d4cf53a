//! What threads are parked on: from a blocker to a lock with an id, its kind, its owner, its state.
//!
//! A blocker is known by its tag, as monitors are. A class seen for the first time is looked through once,
//! up to the JDK's class that it extends; its fields are read by JNI as they are, without any lock, so an
//! owner may be gone when it is told. Nothing here keeps an object alive.

use crate::exact::{Resolved, Whose};
use crate::identity::binary_name;
use crate::recording::Recording;
use crate::vm::{Field, FieldKind, ReadableField, Ref, Vm, Weak};
use locklens_trace::juc::{FUTURES, GROUPS, TASKS};
use locklens_trace::parked::{StateSeen, SyncDef, SyncKind};
use locklens_trace::record::{Owner, Reading};
use locklens_trace::{ClassId, LockId, ThreadId};
use std::collections::HashMap;
use std::ffi::CStr;

/// Objects of one class that get an id of their own; and where probes tell who holds them.
const OBJECTS: u32 = 1024;
const HELD: u32 = 1 << 16;
/// Semaphores whose permits are looked at also while nobody is parked on them,
const WATCHED: usize = 256;
/// so many of them with each look.
const AT_A_TIME: usize = 16;

const AQS: &str = "java.util.concurrent.locks.AbstractQueuedSynchronizer";
const LONG_AQS: &str = "java.util.concurrent.locks.AbstractQueuedLongSynchronizer";
const READ_WRITE: &str = "java.util.concurrent.locks.ReentrantReadWriteLock$Sync";
const SEMAPHORE: &str = "java.util.concurrent.Semaphore$Sync";
const PHASER: &str = "java.util.concurrent.Phaser";
/// Made for one wait and known to nobody afterwards.
const OF_ONE_WAIT: [&str; 2] = [
    "java.util.concurrent.CompletableFuture$Signaller",
    "java.util.concurrent.LinkedTransferQueue$DualNode",
];

/// Where threads park past `LockSupport` on JDK 8.
const PAST_SUPPORT: [&str; 3] = [
    "java.util.concurrent.locks.StampedLock",
    "java.util.concurrent.Exchanger",
    "java.util.concurrent.ForkJoinPool",
];

/// What has locks of its own inside, and in which fields.
const CONTAINERS: [(&str, &[&CStr]); 6] = [
    ("java.util.concurrent.ArrayBlockingQueue", &[c"lock"]),
    (
        "java.util.concurrent.LinkedBlockingQueue",
        &[c"takeLock", c"putLock"],
    ),
    ("java.util.concurrent.LinkedBlockingDeque", &[c"lock"]),
    ("java.util.concurrent.PriorityBlockingQueue", &[c"lock"]),
    ("java.util.concurrent.DelayQueue", &[c"lock"]),
    ("java.util.concurrent.CyclicBarrier", &[c"lock"]),
];
const LOCK: &CStr = c"Ljava/util/concurrent/locks/ReentrantLock;";
const LOCK_SYNC: &CStr = c"Ljava/util/concurrent/locks/ReentrantLock$Sync;";

/// What the number in a state field means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Meaning {
    /// Itself.
    Number,
    /// Reading holds are the upper half of an int,
    Readers,
    /// or of a long (JDK 25).
    LongReaders,
    /// Parties are bits 16 to 31.
    Parties,
}

impl Meaning {
    fn of(self, raw: i64) -> i64 {
        match self {
            Self::Number => raw,
            Self::Readers => (raw >> 16) & 0xffff,
            Self::LongReaders => (raw >> 32) & 0xffff_ffff,
            Self::Parties => (raw >> 16) & 0xffff,
        }
    }
}

/// How objects of one class are read.
#[derive(Clone, Copy)]
struct Plan {
    kind: SyncKind,
    /// Where a synchronizer names its owner.
    owner: Option<Field>,
    state: Option<(ReadableField, Meaning)>,
    /// Of a condition: its synchronizer. Of a node: what it belongs to.
    outer: Option<Field>,
    /// The blocker only stands for what `outer` refers to.
    is_node: bool,
    /// Each object is made for one wait.
    is_of_one_wait: bool,
    is_semaphore: bool,
    /// Threads park there in a way that no probe sees.
    past_support: bool,
    /// There are many, each for a moment.
    is_brief: bool,
    /// The same, and nobody ever looks at more than those with an id: tasks, and what several of them are handed over in.
    is_task: bool,
    /// Fields with locks of its own.
    inner: &'static [&'static CStr],
    /// Objects that may still get an id.
    left: u32,
    /// Call chains taken of threads parked on such objects.
    chains: u32,
}

impl Default for Plan {
    fn default() -> Self {
        Self {
            kind: SyncKind::Other,
            owner: None,
            state: None,
            outer: None,
            is_node: false,
            is_of_one_wait: false,
            is_semaphore: false,
            past_support: false,
            is_brief: false,
            is_task: false,
            inner: &[],
            left: OBJECTS,
            chains: 0,
        }
    }
}

/// A blocker with an id.
struct Known {
    class: ClassId,
    plan: Plan,
    def: SyncDef,
    /// Something of `def` has not been told.
    news: bool,
    /// Last look that met it, and how many threads were parked on it then.
    pass: u64,
    parked: u32,
    owner: Owner,
    owner_stack: u32,
    owner_chain_at: u64,
    /// Call chains taken of threads parked on it.
    chains: u32,
}

/// Who owns a synchronizer.
pub(super) struct Owned<'vm> {
    pub(super) owner: Owner,
    pub(super) stack: u32,
    /// The owner itself, if it was read just now and has no recent chain.
    pub(super) reference: Option<Ref<'vm>>,
}

/// An owner of a synchronizer, by id and itself.
pub(super) struct Owning<'vm> {
    pub(super) thread: ThreadId,
    pub(super) reference: Ref<'vm>,
}

/// See the module.
pub(in crate::writer) struct Blockers<'vm> {
    vm: Vm<'vm>,
    recording: &'vm Recording,
    plans: HashMap<ClassId, Plan>,
    known: HashMap<LockId, Known>,
    /// By class: the lock that stands for objects without an id of their own.
    shared: HashMap<ClassId, LockId>,
    watched: Vec<(LockId, Weak)>,
    next_watched: usize,
    /// Objects of one class that get an id of their own.
    most: u32,
    /// Something has become known of an object that nothing was told of yet.
    has_new: bool,
}

impl<'vm> Blockers<'vm> {
    pub(in crate::writer) fn new(vm: Vm<'vm>, recording: &'vm Recording) -> Self {
        Self {
            vm,
            recording,
            plans: HashMap::new(),
            known: HashMap::new(),
            shared: HashMap::new(),
            watched: Vec::new(),
            next_watched: 0,
            most: OBJECTS,
            has_new: false,
        }
    }

    /// Probes tell who holds them: they are not to be lumped together as long as there is room.
    pub(super) fn tell_more_apart(&mut self) {
        // A quarter of the ids there are: the last one of a class stands for all that follow.
        let ids = self.recording.identity.most_locks();
        self.most = HELD.min(ids / 4).max(OBJECTS);
    }

    /// Whether there is something that must be told before what happens to it.
    pub(super) fn take_new(&mut self) -> bool {
        std::mem::take(&mut self.has_new)
    }

    /// The lock a blocker is or stands for.
    pub(in crate::writer) fn resolve(&mut self, blocker: &Ref<'vm>) -> Option<LockId> {
        if let Some(lock) = self.recording.known_lock(self.vm, blocker)
            && self.known.contains_key(&lock)
        {
            return Some(lock);
        }
        let (class, plan) = self.plan_of(blocker)?;
        match plan.outer.filter(|_| plan.is_node) {
            Some(outer) => {
                let object = self.vm.object_field(blocker, outer)?;
                let (class, plan) = self.plan_of(&object)?;
                self.identify(&object, class, plan)
            }
            None => self.identify(blocker, class, plan),
        }
    }

    /// The same, and whose id that is.
    pub(super) fn resolve_for_probes(&mut self, blocker: &Ref<'vm>) -> Option<Resolved> {
        let lock = self.resolve(blocker)?;
        let (_, plan) = self.plan_of(blocker)?;
        let shared = self.known.get(&lock).is_some_and(|known| known.def.shared);
        let whose = match (plan.is_node, plan.is_of_one_wait, shared) {
            _ if plan.is_task && shared => Whose::Spent,
            (true, _, _) => Whose::Outer,
            (_, true, _) => Whose::OneWait,
            (_, _, true) => Whose::Class,
            (_, _, false) => Whose::Own,
        };
        Some(Resolved { lock, whose })
    }

    fn plan_of(&mut self, object: &Ref<'vm>) -> Option<(ClassId, Plan)> {
        let mirror = self.vm.class_of(object)?;
        let class = self.recording.class(self.vm, &mirror).ok()?;
        let (vm, most) = (self.vm, self.most);
        let new = || {
            let plan = plan(vm, mirror);
            let more = plan.left.saturating_add(most - OBJECTS);
            let left = match (plan.is_of_one_wait, plan.is_brief) {
                (true, _) => 0,
                (_, true) => plan.left,
                (_, false) => more,
            };
            Plan { left, ..plan }
        };
        let plan = self.plans.entry(class).or_insert_with(new);
        Some((class, *plan))
    }

    fn identify(&mut self, object: &Ref<'vm>, class: ClassId, plan: Plan) -> Option<LockId> {
        let (vm, recording) = (self.vm, self.recording);
        if let Some(lock) = recording.known_lock(vm, object)
            && self.known.contains_key(&lock)
        {
            return Some(lock);
        }
        let shared = plan.left == 0;
        if shared && let Some(&lock) = self.shared.get(&class) {
            return Some(lock);
        }
        let lock = match plan.kind {
            SyncKind::Other => recording.lock(vm, object),
            SyncKind::Synchronizer | SyncKind::Condition => recording.synchronizer(vm, object),
        };
        let Ok(lock) = lock else {
            return self.shared.get(&class).copied();
        };
        match self.plans.get_mut(&class) {
            Some(plan) if !shared => plan.left -= 1,
            _ => drop(self.shared.insert(class, lock)),
        }
        let of = plan.outer.filter(|_| plan.kind == SyncKind::Condition);
        let of = of.and_then(|outer| {
            let outer = vm.object_field(object, outer)?;
            let (class, plan) = self.plan_of(&outer)?;
            self.identify(&outer, class, plan)
        });
        self.learn(object, lock, (class, plan), of, shared);
        if !shared {
            self.claim_inner(object, lock, plan.inner);
        }
        Some(lock)
    }

    /// The locks that an object has inside are parts of it.
    fn claim_inner(&mut self, object: &Ref<'vm>, whole: LockId, fields: &[&CStr]) {
        let vm = self.vm;
        let inner = |name: &CStr, descriptor: &CStr, of: &Ref<'vm>| {
            let field = vm.field(&vm.class_of(of)?, name, descriptor)?;
            vm.object_field(of, field)
        };
        for name in fields {
            let lock = inner(name, LOCK, object);
            let sync = lock.and_then(|lock| inner(c"sync", LOCK_SYNC, &lock));
            let part = sync.and_then(|sync| self.resolve(&sync));
            if let Some(known) = part.and_then(|part| self.known.get_mut(&part))
                && !known.def.shared
            {
                known.def.of = Some(whole);
                known.news = true;
            }
        }
    }

    fn learn(
        &mut self,
        object: &Ref<'vm>,
        lock: LockId,
        (class, plan): (ClassId, Plan),
        of: Option<LockId>,
        shared: bool,
    ) {
        if plan.is_semaphore && self.watched.len() < WATCHED {
            let weak = self.vm.weak(object);
            self.watched.extend(weak.map(|weak| (lock, weak)));
        }
        let known = Known {
            class,
            plan,
            def: SyncDef {
                lock,
                kind: plan.kind,
                of,
                shared,
                most: 0,
                state: None,
            },
            news: true,
            pass: 0,
            parked: 0,
            owner: Owner::Unknown,
            owner_stack: 0,
            owner_chain_at: 0,
            chains: 0,
        };
        self.known.insert(lock, known);
        self.has_new = true;
    }

    /// A thread is parked on this lock: counts it, and says who owns it. Owner and state are read once a look.
    pub(super) fn meet(
        &mut self,
        blocker: &Ref<'vm>,
        lock: LockId,
        pass: u64,
        at: u64,
        pause: u64,
    ) -> Owned<'vm> {
        let Some(known) = self.known.get_mut(&lock) else {
            return Owned {
                owner: Owner::Unknown,
                stack: 0,
                reference: None,
            };
        };
        let mut reference = None;
        if known.pass != pass {
            known.pass = pass;
            known.parked = 0;
            if known.is_owned_itself() {
                (known.owner, reference) = owner(self.vm, self.recording, blocker, &known.plan);
                known.note_state(self.vm, blocker);
                known.owner_stack = 0;
            }
            if at.saturating_sub(known.owner_chain_at) < pause {
                reference = None;
            }
        }
        known.parked += 1;
        if known.parked > known.def.most {
            known.def.most = known.parked;
            known.news = true;
        }
        Owned {
            owner: known.owner,
            stack: known.owner_stack,
            reference,
        }
    }

    /// Whether probes see that threads park there.
    pub(super) fn has_probes(&self, lock: LockId) -> bool {
        let known = self.known.get(&lock);
        known.is_some_and(|known| !known.plan.past_support)
    }

    /// Who owns a synchronizer now.
    pub(super) fn owner_now(&self, blocker: &Ref<'vm>, lock: LockId) -> Option<Owning<'vm>> {
        let known = self.known.get(&lock)?;
        if !known.is_owned_itself() {
            return None;
        }
        match owner(self.vm, self.recording, blocker, &known.plan) {
            (Owner::Thread(thread), Some(reference)) => Some(Owning { thread, reference }),
            _ => None,
        }
    }

    /// Whether a synchronizer is still owned by this thread.
    pub(super) fn is_owned_by(&self, blocker: &Ref<'vm>, lock: LockId, owner: &Ref<'vm>) -> bool {
        let field = self.known.get(&lock).and_then(|known| known.plan.owner);
        let now = field.and_then(|field| self.vm.object_field(blocker, field));
        now.is_some_and(|now| self.vm.is_same(&now, owner))
    }

    /// What the owner of this look was doing.
    pub(super) fn set_owner_chain(&mut self, lock: LockId, at: u64, stack: u32) {
        if let Some(known) = self.known.get_mut(&lock) {
            (known.owner_stack, known.owner_chain_at) = (stack, at.max(1));
        }
    }

    /// Call chains taken of threads parked on this lock; on any of its class, if such objects come and go.
    pub(super) fn chains(&self, lock: LockId) -> u32 {
        self.known
            .get(&lock)
            .map_or(0, |known| match known.plan.kind {
                SyncKind::Other => self.plans.get(&known.class).map_or(0, |plan| plan.chains),
                SyncKind::Synchronizer | SyncKind::Condition => known.chains,
            })
    }

    /// Another one was taken.
    pub(super) fn count_chain(&mut self, lock: LockId) {
        if let Some(known) = self.known.get_mut(&lock) {
            known.chains = known.chains.saturating_add(1);
            if let Some(plan) = self.plans.get_mut(&known.class) {
                plan.chains = plan.chains.saturating_add(1);
            }
        }
    }

    /// A phaser's state, which is not its node's.
    pub(super) fn look_through(&mut self, blocker: &Ref<'vm>, lock: LockId) {
        let Some((_, plan)) = self.plan_of(blocker) else {
            return;
        };
        if let Some(outer) = plan.outer.filter(|_| plan.is_node)
            && let Some(object) = self.vm.object_field(blocker, outer)
            && let Some(known) = self.known.get_mut(&lock)
        {
            known.note_state(self.vm, &object);
        }
    }

    /// Looks at the permits of some semaphores, whoever uses them.
    pub(super) fn watch(&mut self) {
        for _ in 0..AT_A_TIME.min(self.watched.len()) {
            self.next_watched = (self.next_watched + 1) % self.watched.len();
            let (lock, weak) = &self.watched[self.next_watched];
            if let Some(object) = self.vm.upgrade(weak)
                && let Some(known) = self.known.get_mut(lock)
            {
                known.note_state(self.vm, &object);
            }
        }
    }

    /// What has become known of blockers since the last time.
    pub(super) fn take_news(&mut self) -> Vec<SyncDef> {
        let mut news = Vec::new();
        for known in self.known.values_mut().filter(|known| known.news) {
            known.news = false;
            news.push(known.def);
        }
        news.sort_unstable_by_key(|def| def.lock);
        news
    }

    /// Gives back what the JVM holds.
    pub(in crate::writer) fn release(self) {
        for (_, weak) in self.watched {
            self.vm.delete_weak(weak);
        }
    }
}

impl Known {
    /// A blocker that only stands for the lock has other fields, and of many objects under one id each has its
    /// own: nothing of one may be told of the others.
    fn is_owned_itself(&self) -> bool {
        self.plan.kind == SyncKind::Synchronizer && !self.def.shared
    }

    fn note_state(&mut self, vm: Vm<'_>, object: &Ref<'_>) {
        let Some((field, meaning)) = self.plan.state else {
            return;
        };
        // SAFETY: the field was found in a class of this object's, of this kind.
        let Some(Reading::Number(raw)) = (unsafe { vm.read_field(object, field) }) else {
            return;
        };
        let now = meaning.of(raw);
        let seen = self.def.state.get_or_insert(StateSeen {
            low: i64::MAX,
            high: i64::MIN,
        });
        let wider = StateSeen {
            low: seen.low.min(now),
            high: seen.high.max(now),
        };
        self.news |= *seen != wider;
        *seen = wider;
    }
}

/// Who owns a synchronizer now, as far as it says so.
fn owner<'vm>(
    vm: Vm<'vm>,
    recording: &Recording,
    sync: &Ref<'vm>,
    plan: &Plan,
) -> (Owner, Option<Ref<'vm>>) {
    let Some(field) = plan.owner else {
        return (Owner::Unknown, None);
    };
    let Some(thread) = vm.object_field(sync, field) else {
        // Shared synchronizers name none, and readers neither.
        return (Owner::Unknown, None);
    };
    match recording.thread(vm, &thread, false) {
        Ok(id) => (Owner::Thread(id), Some(thread)),
        Err(_) => (Owner::Unknown, None),
    }
}

fn is_task(class: &str) -> bool {
    TASKS.contains(&class) || GROUPS.contains(&class) || class.starts_with('[')
}

/// Looks a class and those above it through.
fn plan<'vm>(vm: Vm<'vm>, mirror: Ref<'vm>) -> Plan {
    let mut plan = Plan::default();
    let mut next = Some(mirror);
    let mut is_first = true;
    let mut meaning = Meaning::Number;
    while let Some(class) = next {
        let name = vm.class_signature(&class).map(|s| binary_name(&s));
        let name = name.unwrap_or_default();
        let state = |descriptor| vm.field(&class, c"state", descriptor);
        let nested = |suffix: &str| {
            name.strip_suffix(suffix)
                .filter(|of| [AQS, LONG_AQS].contains(of))
        };
        match name.as_str() {
            AQS | LONG_AQS => {
                plan.kind = SyncKind::Synchronizer;
                plan.owner = vm.field(&class, c"exclusiveOwnerThread", c"Ljava/lang/Thread;");
                let (descriptor, kind, meaning) = match (name == AQS, meaning) {
                    (true, meaning) => (c"I", FieldKind::Int, meaning),
                    (false, Meaning::Readers) => (c"J", FieldKind::Long, Meaning::LongReaders),
                    (false, meaning) => (c"J", FieldKind::Long, meaning),
                };
                plan.state = state(descriptor).map(|f| (f.reading(kind), meaning));
                break;
            }
            _ if let Some((_, inner)) = CONTAINERS.iter().find(|(of, _)| *of == name) => {
                plan.inner = inner;
                break;
            }
            READ_WRITE => meaning = Meaning::Readers,
            SEMAPHORE => plan.is_semaphore = true,
            name if PAST_SUPPORT.contains(&name) => plan.past_support = vm.parks_past_support(),
            name if FUTURES.contains(&name) => plan.is_brief = true,
            // A queue has operations of its own.
            "java.util.AbstractQueue" => break,
            name if is_task(name) => (plan.is_brief, plan.is_task) = (true, true),
            PHASER => {
                plan.state = state(c"J").map(|f| (f.reading(FieldKind::Long), Meaning::Parties));
                break;
            }
            "java.util.concurrent.Phaser$QNode" => {
                plan.outer = vm.field(&class, c"phaser", c"Ljava/util/concurrent/Phaser;");
                plan.is_node = plan.outer.is_some();
                break;
            }
            _ if is_first && OF_ONE_WAIT.contains(&name.as_str()) => {
                plan.left = 0;
                plan.is_of_one_wait = true;
                break;
            }
            _ if let Some(of) = nested("$ConditionObject") => {
                plan.kind = SyncKind::Condition;
                let descriptor = match of == AQS {
                    true => c"Ljava/util/concurrent/locks/AbstractQueuedSynchronizer;",
                    false => c"Ljava/util/concurrent/locks/AbstractQueuedLongSynchronizer;",
                };
                plan.outer = vm.field(&class, c"this$0", descriptor);
                break;
            }
            _ => {}
        }
        is_first = false;
        next = vm.superclass(&class);
    }
    plan
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tasks_and_what_they_are_handed_over_in_are_told_by_their_classes() {
        let tasks = ["java.util.concurrent.ForkJoinTask", "[Lapp.Sort;"];
        let groups = ["java.util.AbstractCollection", "[Ljava.lang.Object;"];
        assert!(tasks.into_iter().chain(groups).all(is_task));
        assert!(!is_task("java.util.concurrent.CompletableFuture"));
    }

    #[test]
    fn halves_of_a_state_are_told_apart() {
        assert_eq!(Meaning::Readers.of(3 << 16 | 7), 3);
        assert_eq!(Meaning::LongReaders.of(3 << 32 | 7), 3);
        assert_eq!(Meaning::Parties.of(5 << 32 | 4 << 16 | 2), 4);
        assert_eq!(Meaning::Number.of(-1), -1);
    }
}
