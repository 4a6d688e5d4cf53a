//! What a thread asks before it takes its locks, where no probe tells of the answer: whether another one is alive, what a latch, a future or
//! a lock is like, whether it was interrupted. If what the other thread does afterwards is such an answer, the two may be in order in
//! every run, and a cycle of theirs is none.
//!
//! Only what is asked on *every* known way to the place counts: from where the thread begins, through all callers.

use super::callers::{Call, called, calls, insns, is_meant};
use super::unseen::is_program;
use super::written::{Past, Written};
use crate::catalog::Catalog;
use crate::statics::program::branch_targets;
use locklens_trace::MethodId;
use locklens_trace::code::{Code, Constant, Insn, MemberRef, Op};
use locklens_trace::record::{Frame, MethodDef};
use std::collections::{BTreeSet, HashMap};

/// Callers of callers that are looked at.
const DEPTH: usize = 16;
const CONCURRENT: &str = "java.util.concurrent.";
/// What is called by code that is not the program's.
const ENTRIES: [&str; 6] = ["run", "call", "compute", "exec", "get", "accept"];
/// Questions to objects of `java.util.concurrent` of whose answers no probe tells.
const QUESTIONS: [&str; 21] = [
    "availablePermits",
    "contains",
    "getArrivedParties",
    "getCount",
    "getNow",
    "getNumberWaiting",
    "getPhase",
    "getQueueLength",
    "getReadLockCount",
    "getUnarrivedParties",
    "hasQueuedThreads",
    "isBroken",
    "isCancelled",
    "isCompletedExceptionally",
    "isEmpty",
    "isLocked",
    "isReadLocked",
    "isWriteLocked",
    "peek",
    "size",
    "validate",
];

/// Who can answer.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Question {
    /// A thread, by its end.
    End,
    /// Whoever interrupts.
    Interrupt,
    /// Whoever does something with an object of that family.
    Object(&'static str),
}

/// What is known of who calls what, and of what is asked.
#[derive(Debug)]
pub(super) struct Asked<'c> {
    catalog: &'c Catalog,
    calls: HashMap<(&'c str, &'c str), Vec<Call<'c>>>,
    /// Names and descriptors of what is handed on as a reference, and called from elsewhere.
    referred: BTreeSet<(&'c str, &'c str)>,
    written: Written<'c>,
}

impl<'c> Asked<'c> {
    pub(super) fn of(catalog: &'c Catalog) -> Self {
        let sites = catalog.code.values().flat_map(|code| &code.sites);
        let arguments = sites.flat_map(|site| &site.bootstrap.arguments);
        let referred = arguments.filter_map(|constant| match constant {
            Constant::Handle { member, .. } => {
                Some((member.name.as_str(), member.descriptor.as_str()))
            }
            _ => None,
        });
        Self {
            catalog,
            calls: calls(catalog),
            referred: referred.collect(),
            written: Written::of(catalog),
        }
    }

    /// What is asked on every way to a place and answered on every way from another one, in words. `past`: what is known of the thread of
    /// that one.
    pub(super) fn between(&self, asks: &[Frame], answers: &[Frame], past: Past) -> Option<String> {
        let answered = |question: &Question| match question {
            Question::End => past.ended,
            other => {
                let answers_it = |code: &Code, bci: u16| self.answers(code, bci, other);
                self.on_every_way(answers, &answers_it).is_some()
            }
        };
        let asked = |code: &Code, bci: u16| {
            let mut all = self.questions(code, bci);
            let found = all.find(|(question, _)| answered(question));
            found.map(|(_, told)| told)
        };
        self.on_every_way(asks, &asked)
    }

    /// For what a thread waits in a loop on every way to a place, if only what comes behind another place sets that, in words.
    pub(super) fn awaited(&self, waits: &[Frame], answers: &[Frame], past: Past) -> Option<String> {
        let waits_for = |code: &Code, bci: u16| {
            let code = self.catalog.code.get(&code.method)?;
            self.written.waits((code, bci), (self, answers), past)
        };
        past.alone
            .then(|| self.on_every_way(waits, &waits_for))
            .flatten()
    }

    /// Whether a field is set when what has it was made already, as far as the code is known.
    pub(super) fn sets_later(&self, method: MethodId, field: &MemberRef) -> bool {
        self.written.sets_later((method, field))
    }

    /// The application's calls by which a method may be meant.
    pub(super) fn calls_of<'s>(&'s self, def: &'s MethodDef) -> &'s [Call<'c>] {
        let name = (def.name.as_str(), def.descriptor.as_str());
        self.calls.get(&name).map_or(&[], Vec::as_slice)
    }

    /// Whether others than the application's code may call a method: a thread may begin with it.
    pub(super) fn begins(&self, method: MethodId) -> bool {
        let def = self.catalog.methods.get(&method);
        def.is_none_or(|def| {
            let name = (def.name.as_str(), def.descriptor.as_str());
            let is_main = name == ("main", "([Ljava/lang/String;)V");
            is_main || self.referred.contains(&name) || ENTRIES.contains(&name.0)
        })
    }

    /// What all ways through a place have, which is found in each of their methods by itself.
    pub(super) fn on_every_way(
        &self,
        frames: &[Frame],
        has: &dyn Fn(&Code, u16) -> Option<String>,
    ) -> Option<String> {
        let own = |frame: &&Frame| self.name(frame.method).is_some();
        let own: Vec<&Frame> = frames.iter().filter(own).collect();
        let code = |frame: &&Frame| Some((self.catalog.code.get(&frame.method)?, frame.bci?));
        let mut here = own.iter().filter_map(code);
        let found = here.find_map(|(code, bci)| has(code, bci));
        found.or_else(|| {
            let outermost = own.last()?.method;
            self.by_callers(outermost, has, &mut BTreeSet::from([outermost]))
        })
    }

    fn by_callers(
        &self,
        method: MethodId,
        has: &dyn Fn(&Code, u16) -> Option<String>,
        seen: &mut BTreeSet<MethodId>,
    ) -> Option<String> {
        let def = self.catalog.methods.get(&method)?;
        let class = self.name(method)?;
        let name = (def.name.as_str(), def.descriptor.as_str());
        if self.begins(method) || seen.len() > DEPTH {
            return None;
        }
        let mut found = None;
        let all = self.calls.get(&name)?.iter();
        for call in all.filter(|call| is_meant(call.kind, call.class, &class)) {
            let code = self.catalog.code.get(&call.method)?;
            let told = has(code, call.bci).or_else(|| match seen.insert(call.method) {
                true => self.by_callers(call.method, has, seen),
                false => found.clone(),
            })?;
            found.get_or_insert(told);
        }
        found
    }

    /// The class of a method of the program.
    fn name(&self, method: MethodId) -> Option<String> {
        let def = self.catalog.methods.get(&method)?;
        let class = self.catalog.class_name(def.class);
        is_program(&class).then_some(class)
    }

    /// What a method asks before it comes to a place.
    fn questions(
        &self,
        code: &Code,
        bci: u16,
    ) -> impl Iterator<Item = (Question, String)> + use<'_, 'c> {
        let def = self.catalog.methods.get(&code.method);
        let place = def.map_or_else(String::new, |def| {
            format!("{}.{}", self.catalog.class_name(def.class), def.name)
        });
        let before = insns(self.catalog, code.method).take_while(move |insn| insn.bci < bci);
        let calls = before.filter_map(called);
        // Other states are asked for while both live.
        let of_end = insns(self.catalog, code.method).any(is_terminated);
        let asked = calls.filter(move |(_, called)| of_end || called.name != "getState");
        let asked = asked.filter_map(|(_, called)| Some((question(called)?, called)));
        let by = place.clone();
        let asked = asked.map(move |(question, called)| {
            let class = called.class.rsplit('.').next().unwrap_or_default();
            (question, format!("{by} asks {class}.{}", called.name))
        });
        let caught = catches_interrupt(code, bci).then(|| {
            let told = format!("{place} catches InterruptedException");
            (Question::Interrupt, told)
        });
        asked.chain(caught)
    }

    /// Something that it does behind a place and that answers this.
    fn answers(&self, code: &Code, bci: u16, question: &Question) -> Option<String> {
        let after = insns(self.catalog, code.method).filter(|insn| insn.bci > bci);
        let mut calls = after.filter_map(called).map(|(_, called)| called);
        let answer = calls.find(|called| match question {
            Question::End => false,
            Question::Interrupt => is_thread(called) && called.name == "interrupt",
            Question::Object(of) => {
                family(&called.class) == Some(of) && !QUESTIONS.contains(&called.name.as_str())
            }
        });
        answer.map(|called| called.name.clone())
    }
}

/// Whether it has come to a place after it may have caught that it was interrupted. No JVM tells what a method catches: what is left is
/// code to which no other leads, behind a call that an interrupt ends, and which does not throw on what it caught.
fn catches_interrupt(code: &Code, bci: u16) -> bool {
    let targets: BTreeSet<u16> = code
        .insns
        .iter()
        .flat_map(|insn| branch_targets(&insn.op))
        .collect();
    let is_over = |insn: &Insn| {
        matches!(
            insn.op,
            Op::Goto(_) | Op::Return { .. } | Op::Throw | Op::Switch { .. }
        )
    };
    let sleeps = |insn: &Insn| called(insn).is_some_and(|(_, method)| may_be_interrupted(method));
    let Some(since) = code.insns.iter().position(sleeps) else {
        return false;
    };
    let mut behind = (since + 1..code.insns.len()).filter(|&at| {
        let start = code.insns[at].bci;
        let begins = is_over(&code.insns[at - 1]) && !targets.contains(&start);
        let last = code.insns[at..].iter().find(|insn| is_over(insn));
        let throws = last.is_some_and(|insn| matches!(insn.op, Op::Throw));
        begins && !throws && start <= bci
    });
    behind.next().is_some()
}

/// Whether an interrupt ends a call with an exception: of the JDK's methods those that declare it, and how they are called by their descriptor.
fn may_be_interrupted(called: &MemberRef) -> bool {
    let timed = called.descriptor.contains('J');
    let name = called.name.as_str();
    let Some(class) = called.class.strip_prefix(CONCURRENT) else {
        return match name {
            "wait" => called.class == "java.lang.Object",
            // Also of the program's own threads.
            "join" => is_thread(called) && called.descriptor.ends_with(['V', 'Z']),
            "sleep" => called.class == "java.lang.Thread",
            "waitFor" => called.class == "java.lang.Process",
            _ => false,
        };
    };
    let of_queue = class.ends_with("Queue") || class.ends_with("Deque");
    match name {
        "acquire"
        | "await"
        | "awaitNanos"
        | "awaitUntil"
        | "awaitTermination"
        | "exchange"
        | "invokeAll"
        | "invokeAny"
        | "acquireInterruptibly"
        | "acquireSharedInterruptibly"
        | "tryAcquireNanos"
        | "tryAcquireSharedNanos"
        | "awaitAdvanceInterruptibly"
        | "lockInterruptibly"
        | "readLockInterruptibly"
        | "writeLockInterruptibly"
        | "putFirst"
        | "putLast"
        | "take"
        | "takeFirst"
        | "takeLast"
        | "transfer" => true,
        "sleep" | "timedJoin" | "timedWait" => class == "TimeUnit",
        "offer" | "offerFirst" | "offerLast" | "poll" | "pollFirst" | "pollLast" | "tryAcquire"
        | "tryLock" | "tryReadLock" | "tryTransfer" | "tryWriteLock" => timed,
        "get" => {
            let tasks = [
                "ForkJoinTask",
                "RecursiveTask",
                "RecursiveAction",
                "CountedCompleter",
            ];
            class.contains("Future") || tasks.contains(&class)
        }
        // The others have room without end.
        "put" => {
            of_queue
                && !["DelayQueue", "LinkedTransferQueue", "PriorityBlockingQueue"].contains(&class)
        }
        _ => false,
    }
}

/// Whether it loads the state of a thread that has ended.
fn is_terminated(insn: &Insn) -> bool {
    matches!(&insn.op, Op::GetStatic(field) if field.name == "TERMINATED")
}

fn is_thread(called: &MemberRef) -> bool {
    called.class == "java.lang.Thread" || !called.class.starts_with("java.")
}

/// Whether a call asks, and who could answer.
fn question(called: &MemberRef) -> Option<Question> {
    match (called.name.as_str(), called.descriptor.as_str()) {
        ("isAlive", "()Z") if is_thread(called) => Some(Question::End),
        ("getState", "()Ljava/lang/Thread$State;") => Some(Question::End),
        ("activeCount" | "enumerate", _) if called.class == "java.lang.ThreadGroup" => {
            Some(Question::End)
        }
        ("isInterrupted" | "interrupted", "()Z") if is_thread(called) => Some(Question::Interrupt),
        (name, _) if QUESTIONS.contains(&name) => family(&called.class).map(Question::Object),
        _ => None,
    }
}

/// What classes of `java.util.concurrent` have in common by which code may call the same object.
fn family(class: &str) -> Option<&'static str> {
    let simple = class.strip_prefix(CONCURRENT)?;
    let families = [
        "Queue",
        "Deque",
        "Future",
        "CountDownLatch",
        "CyclicBarrier",
        "Phaser",
        "Semaphore",
        "StampedLock",
        "Lock",
    ];
    let found = families.into_iter().find(|family| simple.ends_with(family));
    match found {
        Some("Deque") => Some("Queue"),
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixtures::{Build, call, virtual_ref};
    use locklens_trace::code::InvokeKind;

    fn asks(class: &str, name: &str, descriptor: &str) -> Op {
        Op::Invoke {
            kind: InvokeKind::Virtual,
            method: virtual_ref(class, name, descriptor),
        }
    }

    /// Whether "take", which `ways` call behind what each has there, may only come after "give", behind which its thread does this.
    fn is_ordered(ways: &[Op], answer: Op, ended: bool) -> bool {
        let past = Past {
            ended,
            once: true,
            alone: true,
        };
        let mut build = Build::default();
        let class = build.class("a.Desk", "java.lang.Object");
        let take = build.coded(class, "take", 0, vec![Op::MonitorEnter]);
        let give = build.coded(class, "give", 0, vec![Op::MonitorEnter, answer]);
        for (at, question) in ways.iter().enumerate() {
            let ops = vec![question.clone(), call("a.Desk", "take")];
            build.coded(class, &format!("way{at}"), 0, ops);
        }
        let frame = |method| Frame {
            method,
            bci: Some(0),
        };
        let asked = Asked::of(&build.catalog);
        let found = asked.between(&[frame(take)], &[frame(give)], past);
        found.is_some()
    }

    #[test]
    fn what_every_way_asks_and_the_other_thread_answers_may_be_an_order() {
        let latch = "java.util.concurrent.CountDownLatch";
        let alive = || asks("java.lang.Thread", "isAlive", "()Z");
        let count = || asks(latch, "getCount", "()J");
        let counts = || call(latch, "countDown");
        let sleeps = || call("java.lang.Thread", "sleep");
        assert!(is_ordered(&[alive()], sleeps(), true));
        assert!(!is_ordered(&[alive()], sleeps(), false));
        assert!(is_ordered(&[count(), count()], counts(), false));
        // Who comes by another way has not asked.
        assert!(!is_ordered(&[count(), sleeps()], counts(), false));
        assert!(!is_ordered(&[count()], sleeps(), false));
        assert!(!is_ordered(&[], counts(), false));
        let interrupted = || asks("java.lang.Thread", "isInterrupted", "()Z");
        let interrupts = call("java.lang.Thread", "interrupt");
        assert!(is_ordered(&[interrupted()], interrupts, false));
        assert!(!is_ordered(&[interrupted()], sleeps(), true));
    }

    #[test]
    fn what_an_interrupt_ends_is_known_by_class_and_descriptor() {
        let ends = |class: &str, name: &str, descriptor: &str| match asks(class, name, descriptor) {
            Op::Invoke { method, .. } => may_be_interrupted(&method),
            _ => unreachable!("it is a call"),
        };
        let timed = "(JLjava.util.concurrent.TimeUnit;)Ljava.lang.Object;";
        for (class, name, descriptor) in [
            ("java.lang.Object", "wait", "(J)V"),
            ("a.Clerk", "join", "()V"),
            ("java.lang.Thread", "join", "(J)V"),
            ("java.util.concurrent.Future", "get", "()Ljava.lang.Object;"),
            (
                "java.util.concurrent.BlockingQueue",
                "put",
                "(Ljava.lang.Object;)V",
            ),
            ("java.util.concurrent.BlockingQueue", "poll", timed),
            ("java.util.concurrent.locks.Condition", "await", "()V"),
            (
                "java.util.concurrent.locks.Lock",
                "tryLock",
                "(JLjava.util.concurrent.TimeUnit;)Z",
            ),
        ] {
            assert!(ends(class, name, descriptor), "{class}.{name}");
        }
        let object = "()Ljava.lang.Object;";
        for (class, name, descriptor) in [
            ("java.lang.String", "join", "()Ljava.lang.String;"),
            ("java.lang.ThreadLocal", "get", object),
            ("java.util.concurrent.ConcurrentHashMap", "get", object),
            ("java.util.concurrent.ConcurrentHashMap", "put", object),
            ("java.util.concurrent.ConcurrentLinkedQueue", "poll", object),
            ("java.util.concurrent.BlockingQueue", "poll", object),
            ("java.util.concurrent.CompletableFuture", "join", object),
            (
                "java.util.concurrent.PriorityBlockingQueue",
                "put",
                "(Ljava.lang.Object;)V",
            ),
            ("java.util.concurrent.atomic.AtomicInteger", "get", "()I"),
            ("java.util.concurrent.locks.Lock", "tryLock", "()Z"),
        ] {
            assert!(!ends(class, name, descriptor), "{class}.{name}");
        }
    }

    #[test]
    fn who_goes_on_once_interrupted_may_come_only_after_whoever_interrupts() {
        let sleep = || call("java.lang.Thread", "sleep");
        let catches = |ops: Vec<Op>, at: u16| {
            let mut build = Build::default();
            let class = build.class("a.Desk", "java.lang.Object");
            let method = build.coded(class, "run", 0, ops);
            catches_interrupt(&build.catalog.code[&method], at)
        };
        let over = || Op::Return { value: false };
        let take = || call("a.Desk", "take");
        let handled = |first: Op| vec![first, Op::Goto(4), Op::Nop, take(), over()];
        assert!(catches(handled(sleep()), 3));
        assert!(!catches(handled(take()), 3), "nothing there is interrupted");
        assert!(!catches(handled(sleep()), 0), "it comes before");
        let thrown = vec![sleep(), Op::Goto(4), Op::Nop, Op::Throw, take(), over()];
        assert!(!catches(thrown, 4), "it is thrown on");
        let jumped = vec![Op::Goto(3), sleep(), over(), take(), over()];
        assert!(!catches(jumped, 3), "another instruction leads there");
    }
}
