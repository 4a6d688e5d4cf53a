//! What accesses of a recording are to its threads: steps, what is known of them, and why that may not be all.
//!
//! Who may have written what was read says [`accesses`](super::accesses); what no access shows, [`unseen`](super::unseen).

use super::accesses::{Accesses, Doubt};
use super::apart::EVERYTHING;
use super::between;
use super::callers;
use super::jvm::Jvm;
use super::operations::at;
use super::ran::Ran;
use super::step::{Op, Reading, Step, Thread};
use super::unseen::{NEVER_SEEN, Unseen};
use locklens_trace::access::Access;
use locklens_trace::park::{Park, ParkEnd};
use locklens_trace::record::{Frame, target_key};
use locklens_trace::{Event, EventKind, LockId, Owner, StackId, ThreadId};
use std::collections::BTreeSet;

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
        self.missing(&event, each);
        self.last = event.at;
        self.busy.insert(access.thread);
        let catalog = &self.collected.catalog;
        let mut accesses = std::mem::take(&mut self.accesses);
        accesses.push(catalog, access, &mut |op| self.tell(&event, op, each));
        self.accesses = accesses;
    }

    /// A thread does something with a lock, or ends.
    pub(super) fn acts(&mut self, thread: ThreadId, ends: bool) {
        if self.has_accesses() {
            self.busy.insert(thread);
        }
        if ends {
            self.accesses.ends(thread);
        }
    }

    /// Whether accesses are recorded.
    pub(super) fn has_accesses(&self) -> bool {
        self.accesses.are_there || self.accesses_asked
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
        let classes = self.recorded();
        if classes.is_empty() {
            // Of which code they are need not be told for them to be some among others.
            return self
                .accesses
                .are_there
                .then(|| format!("accesses to some fields and atomics; {NEVER_SEEN}"));
        }
        let besides = &self.unseen().besides;
        let named = match besides.is_empty() {
            true => String::new(),
            false => format!("; in that code there are {}", besides.join(", ")),
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

    /// Why accesses are not known as they should be.
    pub(super) fn accesses_doubted(&self) -> Option<String> {
        if !self.has_accesses() {
            return None;
        }
        let reasons = [
            self.lost(),
            self.under_way(),
            self.refused(),
            self.accesses.doubts.first().map(|doubt| self.doubt(*doubt)),
            self.hidden(),
        ];
        let reasons: Vec<String> = reasons.into_iter().flatten().collect();
        (!reasons.is_empty()).then(|| reasons.join("; "))
    }

    /// The classes whose accesses are recorded.
    fn recorded(&self) -> BTreeSet<&str> {
        let classes = self.collected.target.get(target_key::ACCESSES_OF);
        classes.into_iter().flat_map(|list| list.lines()).collect()
    }

    fn unseen(&self) -> &Unseen {
        let catalog = &self.collected.catalog;
        self.unseen
            .get_or_init(|| Unseen::of(catalog, &self.recorded(), self.ran()))
    }

    /// What of the recorded code may have run, once all accesses were seen.
    fn ran(&self) -> &Ran<'_> {
        let catalog = &self.collected.catalog;
        let told = || self.accesses.told();
        self.ran
            .get_or_init(|| Ran::of(catalog, &self.recorded(), told()))
    }

    fn hidden(&self) -> Option<String> {
        let stops = &self.unseen().stops;
        let told = || {
            format!(
                "the recorded code has {}, of which no probe tells",
                stops.join(", ")
            )
        };
        (!stops.is_empty()).then(told)
    }

    /// What a thread may do on its way to two acquisitions of its own, or between them, that is not recorded, in words.
    pub(super) fn not_recorded(&self, two: [Option<StackId>; 2]) -> Option<String> {
        let mut known = self.between.borrow_mut();
        let told = known.entry(two).or_insert_with(|| {
            let (catalog, recorded) = (&self.collected.catalog, self.recorded());
            let frames = two.map(|stack| self.caller(stack?));
            let code = (catalog, self.ran());
            let callers = |stack: &Option<StackId>| callers::unrecorded(code, &recorded, (*stack)?);
            between::unrecorded(code, &recorded, frames).or_else(|| two.iter().find_map(callers))
        });
        told.clone()
    }

    /// The first frame of a call chain that is none of `java.util.concurrent`.
    pub(super) fn caller(&self, stack: StackId) -> Option<&Frame> {
        let frames = &self.collected.catalog.stacks.get(&stack)?.frames;
        frames.iter().find(|frame| !self.parks(frame))
    }

    fn lost(&self) -> Option<String> {
        let lost = !self.collected.losses.is_empty() || self.holes > 0;
        let cut = !self.collected.recording.ended;
        match (lost, cut) {
            (true, _) => Some("records of this recording are lost".to_owned()),
            (_, true) => Some("the recording broke off".to_owned()),
            _ => None,
        }
    }

    fn refused(&self) -> Option<String> {
        let target = &self.collected.target;
        let left = [target_key::EXACT_REFUSED, target_key::EXACT_REPLACED];
        let left = left.into_iter().find_map(|key| target.get(key))?;
        let first = left.lines().next().unwrap_or_default();
        let more = match left.lines().count() {
            0 | 1 => String::new(),
            n => format!(" and {} more", n - 1),
        };
        Some(format!("code has no probes: {first}{more}"))
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
                "{}, read at {}, had a value that nobody was seen to write: the constructor of an atomic did, other code, a VarHandle, Unsafe, a field updater, reflection or native code",
                Accesses::what(&self.collected.catalog, stack),
                self.place(stack)
            ),
            Doubt::Named(stack) => format!(
                "{}, accessed at {}, goes by the names of several classes, or several classes have its name: which field it is is not certain",
                Accesses::what(&self.collected.catalog, stack),
                self.place(stack)
            ),
        }
    }

    fn under_way(&self) -> Option<String> {
        let mode = self.collected.target.get(target_key::MODE);
        let live = mode.is_none_or(|mode| mode != "launch");
        live.then(|| "the program was under way when the recording began: what its threads read in code that they were inside of is not in it, nor what came before".to_owned())
    }
}

const BEGAN_LATER: &str = "that a thread began after what the other one had done";
const UNPARKED: &str = "that a thread was parked until the other one unparked it";
