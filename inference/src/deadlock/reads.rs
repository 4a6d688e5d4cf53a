//! What accesses of a recording are to its threads: steps, what is known of them, and why that may not be all.
//!
//! Who wrote what was read, and whether somebody had waited for it, says [`accesses`](super::accesses).

use super::accesses::{Accesses, Doubt};
use super::apart::EVERYTHING;
use super::jvm::Jvm;
use super::operations::at;
use super::step::{Op, Reading, Step, Thread};
use crate::effects::is_platform_name;
use crate::pressure::crowd::is_service;
use locklens_trace::access::Access;
use locklens_trace::code::{self, MemberRef};
use locklens_trace::juc::{Act, Operation, Outcome};
use locklens_trace::park::{Park, ParkEnd};
use locklens_trace::record::{MethodDef, target_key};
use locklens_trace::{Event, EventKind, LockId, Owner, StackId, ThreadId};
use std::collections::{BTreeMap, BTreeSet};

/// Names told of classes, and of places.
const NAMES: usize = 12;

impl Jvm<'_> {
    /// Takes in the next access of the file, and gives the steps that it means.
    pub(super) fn push_access(&mut self, access: &Access, each: &mut dyn FnMut(&Step)) {
        let event = Event {
            at: access.at,
            thread: access.thread,
            kind: EventKind::Entered,
            lock: None,
            stack: access.stack,
            owner: Owner::Unknown,
            seq: None,
        };
        self.keep_apart(&event, each);
        self.fork_before(&event, each);
        if self.missing(&event, each) {
            self.uses.lose_grip(access.thread);
            self.accesses.ends(access.thread);
        }
        self.last = event.at;
        self.busy.insert(access.thread);
        let catalog = &self.collected.catalog;
        self.with_accesses(&event, each, |accesses, tell| {
            accesses.push(catalog, access, tell);
        });
    }

    fn with_accesses(
        &mut self,
        event: &Event,
        each: &mut dyn FnMut(&Step),
        what: impl FnOnce(&mut Accesses, &mut dyn FnMut(Op)),
    ) {
        let mut accesses = std::mem::take(&mut self.accesses);
        what(&mut accesses, &mut |op| self.tell(event, op, each));
        self.accesses = accesses;
    }

    /// Whether accesses are recorded.
    fn has_accesses(&self) -> bool {
        let target = &self.collected.target;
        self.accesses.are_there || target.contains_key(target_key::ACCESSES_OF)
    }

    /// Who started a thread no JVM tells, nor that somebody asked for the end of one that had ended: a thread that begins
    /// may do so for all that was done before.
    pub(super) fn may_follow(&mut self, event: &Event, each: &mut dyn FnMut(&Step)) {
        if !self.has_accesses() {
            return;
        }
        let ledger = Event {
            thread: EVERYTHING,
            stack: None,
            ..*event
        };
        for before in std::mem::take(&mut self.busy) {
            let before = Thread(self.threads.number(before));
            self.tell(&ledger, Op::Follows(before), each);
        }
        let ledger = Thread(self.threads.number(EVERYTHING));
        self.tell(event, Op::MayFollow(ledger, Reading::START), each);
        self.busy.insert(event.thread);
    }

    /// Who was unparked may have waited for what the other one did, unless it was for a lock: a future, an exchange.
    pub(super) fn may_follow_unpark(&mut self, park: &Park, each: &mut dyn FnMut(&Step)) {
        let unpark = park.unpark.filter(|unpark| unpark.by != park.thread);
        let Some(unpark) = unpark.filter(|_| self.has_accesses()) else {
            return;
        };
        let is_lock = |lock| self.uses.is_owned(lock);
        if park.end == ParkEnd::Unparked && !park.lock.is_some_and(is_lock) {
            let event = at(park.to, park.thread, park.lock.unwrap_or(LockId(0)));
            let by = Thread(self.threads.number(unpark.by));
            self.tell(&event, Op::MayFollow(by, Reading::UNPARK), each);
        }
    }

    /// What a thread does with monitors says whether it had waited for what it read.
    pub(super) fn goes_on(&mut self, event: &Event, each: &mut dyn FnMut(&Step)) {
        if !self.has_accesses() {
            return;
        }
        let thread = event.thread;
        self.busy.insert(thread);
        self.with_accesses(event, each, |accesses, tell| {
            match (event.kind, event.lock) {
                (EventKind::Exit, Some(lock)) => accesses.leaves(thread, lock),
                (EventKind::Enter | EventKind::Wait { .. }, _) => accesses.goes_on(thread, tell),
                (EventKind::Entered, Some(lock)) => {
                    accesses.goes_on(thread, tell);
                    accesses.takes(thread, lock);
                }
                (EventKind::ThreadEnd, _) => accesses.ends(thread),
                _ => {}
            }
        });
    }

    /// The same of locks of `java.util.concurrent`.
    pub(super) fn goes_on_with(
        &mut self,
        operation: &Operation,
        event: &Event,
        each: &mut dyn FnMut(&Step),
    ) {
        if !self.has_accesses() {
            return;
        }
        self.busy.insert(operation.thread);
        let (thread, lock) = (operation.thread, operation.lock);
        let done = operation.outcome == Outcome::Done;
        self.with_accesses(event, each, |accesses, tell| match operation.act {
            Act::Unlock | Act::Unshare => accesses.leaves(thread, lock),
            Act::Await | Act::Awaited => accesses.goes_on(thread, tell),
            act => {
                accesses.goes_on(thread, tell);
                match act {
                    Act::Lock | Act::Share if done => accesses.takes(thread, lock),
                    _ if done => accesses.works(thread),
                    _ => {}
                }
            }
        });
    }

    fn place(&self, stack: StackId) -> String {
        let catalog = &self.collected.catalog;
        let frames = catalog.stacks.get(&stack).map(|stack| &stack.frames);
        let first = frames.and_then(|frames| frames.first());
        first.map_or_else(String::new, |frame| catalog.place(frame))
    }

    /// What was read, where, and where that had been written.
    pub(super) fn reading_in_words(&self, reading: Reading) -> Option<String> {
        match reading {
            Reading::START => return Some(BEGAN_LATER.to_owned()),
            Reading::UNPARK => return Some(UNPARKED.to_owned()),
            _ => {}
        }
        let catalog = &self.collected.catalog;
        self.accesses
            .words(catalog, reading, |stack| self.place(stack))
    }

    /// Whose accesses are in the recording, and which are never.
    pub(super) fn accesses_known(&self) -> Option<String> {
        let classes = self.collected.target.get(target_key::ACCESSES_OF);
        let Some(classes) = classes else {
            // Of which code they are need not be told for them to be some among others.
            return self
                .accesses
                .are_there
                .then(|| format!("accesses to some fields and atomics; {NEVER_SEEN}"));
        };
        let classes: BTreeSet<&str> = classes.lines().collect();
        let unseen = self.unseen(&classes);
        let named = match unseen.is_empty() {
            true => String::new(),
            false => format!("; in that code there are {}", unseen.join(", ")),
        };
        let all = classes.len();
        let mut told: Vec<&str> = classes.into_iter().take(NAMES).collect();
        let more = format!("{} more", all.saturating_sub(NAMES));
        if all > NAMES {
            told.push(&more);
        }
        Some(format!(
            "accesses to fields and atomics in the code of {}; {NEVER_SEEN}{named}",
            told.join(", ")
        ))
    }

    /// Accesses in some classes that no probe tells of: what they go through, and one of the methods.
    fn unseen(&self, classes: &BTreeSet<&str>) -> Vec<String> {
        let catalog = &self.collected.catalog;
        let mut found: BTreeMap<&str, String> = BTreeMap::new();
        for method in catalog.methods.values() {
            let class = catalog.class_name(method.class);
            if !classes.contains(class.as_str()) || is_platform_name(&class) {
                continue;
            }
            let place = || format!("{class}.{}", method.name);
            if is_native(method) {
                found.entry("native code").or_insert_with(place);
            }
            let code = catalog.code.get(&method.id);
            for insn in code.into_iter().flat_map(|code| &code.insns) {
                if let Some(kind) = by_no_probe(&insn.op) {
                    found.entry(kind).or_insert_with(place);
                }
            }
        }
        let told = found.iter();
        told.map(|(kind, place)| format!("{kind} ({place})"))
            .collect()
    }

    /// Why accesses are not known as they should be.
    pub(super) fn accesses_doubted(&self) -> Option<String> {
        if !self.has_accesses() {
            return None;
        }
        let target = &self.collected.target;
        if let Some(doubt) = self.accesses.doubts.first() {
            return Some(self.doubt(*doubt));
        }
        if !self.collected.losses.is_empty() || self.holes > 0 {
            return Some("records of this recording are lost".to_owned());
        }
        let left = [target_key::EXACT_REFUSED, target_key::EXACT_REPLACED];
        let left = left.into_iter().find_map(|key| target.get(key));
        if let Some(left) = left {
            let first = left.lines().next().unwrap_or_default();
            let more = match left.lines().count() {
                0 | 1 => String::new(),
                n => format!(" and {} more", n - 1),
            };
            return Some(format!("code has no probes: {first}{more}"));
        }
        self.under_way()
    }

    fn doubt(&self, doubt: Doubt) -> String {
        match doubt {
            Doubt::Missing => "some reads or writes are missing".to_owned(),
            Doubt::Late => "some reads or writes came too late to be put in their place".to_owned(),
            Doubt::Partial => {
                "there were more variables or writes than are kept: what was read is known in part"
                    .to_owned()
            }
            Doubt::Unexplained(stack) => format!(
                "{}, read at {}, had a value that nobody was seen to write: other code did, or a VarHandle, Unsafe, a field updater, reflection or native code",
                Accesses::what(&self.collected.catalog, stack),
                self.place(stack)
            ),
        }
    }

    fn under_way(&self) -> Option<String> {
        let mode = self.collected.target.get(target_key::MODE);
        let live = mode.is_none_or(|mode| mode != "launch");
        let threads = &self.collected.catalog.threads;
        let under_way = |id: &ThreadId| {
            let def = threads.get(id);
            *id != EVERYTHING && def.is_none_or(|def| def.at_start && !is_service(def))
        };
        let any = live && self.threads.ids.iter().any(under_way);
        any.then(|| "threads were under way when the recording began, and what they read in code that they were inside of is not in it".to_owned())
    }
}

const BEGAN_LATER: &str = "that a thread began after what the other one had done";
const UNPARKED: &str = "that a thread was parked until the other one unparked it";

/// What no probe tells of.
const NEVER_SEEN: &str = "never seen are elements of arrays, and what goes through a VarHandle, Unsafe, an Atomic…FieldUpdater or another class of java.util.concurrent.atomic, reflection or native code";

const NATIVE: u32 = 0x0100;

fn is_native(method: &MethodDef) -> bool {
    method.flags & NATIVE != 0
}

/// What an access goes through that no probe tells of.
fn by_no_probe(op: &code::Op) -> Option<&'static str> {
    match op {
        code::Op::ArrayLoad { .. } | code::Op::ArrayStore { .. } => Some("elements of arrays"),
        code::Op::Invoke { method, .. } => through(method),
        _ => None,
    }
}

fn through(called: &MemberRef) -> Option<&'static str> {
    let class = called.class.as_str();
    let atomic = class.strip_prefix("java.util.concurrent.atomic.");
    match (class, atomic) {
        ("java.lang.invoke.VarHandle", _) => Some("calls of a VarHandle"),
        ("sun.misc.Unsafe" | "jdk.internal.misc.Unsafe", _) => Some("calls of Unsafe"),
        ("java.lang.reflect.Field", _) => Some("fields by reflection"),
        (_, Some(class)) if class.ends_with("FieldUpdater") => Some("calls of a field updater"),
        (_, Some("AtomicInteger" | "AtomicLong" | "AtomicBoolean" | "AtomicReference")) => None,
        (_, Some(_)) => Some("other atomics"),
        _ => None,
    }
}
