//! The agent's looks, from the records of their stream: what has changed since the look before is told, the rest stands.

use super::filter::Frame;
use super::group::is_service;
use super::{Fold, Lens, Seen, State};
use locklens_trace::looks::{Look, Sighting, ThreadState};
use locklens_trace::record::{
    ClassDef, LockDef, LockObject, MethodDef, Record, StackDef, ThreadDef,
};
use locklens_trace::{ClassId, LockId, MethodId, StackId, ThreadId};
use std::collections::{BTreeMap, HashMap};

impl From<ThreadState> for State {
    fn from(state: ThreadState) -> Self {
        match state {
            ThreadState::Runnable => Self::Runnable,
            ThreadState::Blocked => Self::Blocked,
            ThreadState::Waiting => Self::Waiting,
            ThreadState::WaitingTimed => Self::WaitingTimed,
            ThreadState::Parked => Self::Parked,
            ThreadState::ParkedTimed => Self::ParkedTimed,
            ThreadState::Sleeping => Self::Sleeping,
            ThreadState::Unknown => Self::Unknown,
        }
    }
}

/// The group of threads that carry virtual ones.
const CARRIERS: &str = "CarrierThreads";

/// A thread as the last look found it.
struct Standing {
    told: Sighting,
    /// None of the JVM's own threads.
    seen: Option<Seen>,
}

/// What the threads are doing now, by what has been told so far. Its memory follows what is different in the JVM, which
/// the agent bounds.
#[derive(Default)]
pub struct Looks {
    threads: HashMap<ThreadId, ThreadDef>,
    classes: HashMap<ClassId, ClassDef>,
    methods: HashMap<MethodId, MethodDef>,
    stacks: HashMap<StackId, StackDef>,
    locks: HashMap<LockId, LockDef>,
    standing: BTreeMap<ThreadId, Standing>,
    untold: u64,
}

impl Looks {
    /// Takes in the next record; a look if that is what it ends: all that it found can be added to a sum then.
    pub fn push(&mut self, record: Record, lens: &Lens) -> Option<Look> {
        match record {
            Record::Thread(def) => self.name(def, lens),
            Record::Class(def) => drop(self.classes.insert(def.id, def)),
            Record::Method(def) => drop(self.methods.insert(def.id, def)),
            Record::Stack(def) => drop(self.stacks.insert(def.id, def)),
            Record::Lock(def) => drop(self.locks.insert(def.id, def)),
            Record::Sighting(told) => self.see(told, lens),
            Record::Look(look) => {
                self.untold += u64::from(look.untold);
                return Some(look);
            }
            _ => {}
        }
        None
    }

    /// Adds the look that has just ended.
    pub fn add_to(&self, fold: &mut Fold) {
        let service = self.standing.values().filter(|s| s.seen.is_none()).count();
        fold.begin_look(service as u64);
        fold.of_one_jvm();
        let mut threads = self.threads.values();
        if threads.any(|thread| thread.group.as_deref() == Some(CARRIERS)) {
            fold.see_carrier();
        }
        for seen in self.standing.values().filter_map(|s| s.seen.as_ref()) {
            fold.see(seen);
        }
    }

    /// Findings of threads that have no id, as the agent's table of them is full.
    #[must_use]
    pub fn untold(&self) -> u64 {
        self.untold
    }

    /// A thread is named, maybe anew.
    fn name(&mut self, def: ThreadDef, lens: &Lens) {
        let id = def.id;
        self.threads.insert(id, def);
        if let Some(told) = self.standing.get(&id).map(|standing| standing.told) {
            self.see(told, lens);
        }
    }

    fn see(&mut self, told: Sighting, lens: &Lens) {
        let Some(state) = told.state else {
            self.standing.remove(&told.thread);
            self.threads.remove(&told.thread);
            return;
        };
        let seen = self.seen(&told, state.into(), lens);
        self.standing.insert(told.thread, Standing { told, seen });
    }

    fn seen(&self, told: &Sighting, state: State, lens: &Lens) -> Option<Seen> {
        let thread = self.threads.get(&told.thread);
        let name = thread.map_or("?", |thread| &thread.name);
        if is_service(name) {
            return None;
        }
        let (tid, group) = match thread {
            Some(thread) => (Some(thread.tid), thread.group.as_deref()),
            None => (None, None),
        };
        let frames = told.stack.map_or_else(Vec::new, |stack| self.frames(stack));
        let lock = told.lock.and_then(|lock| self.lock(lock));
        Some(lens.seen((tid, name, group), state, &frames, lock))
    }

    /// Class of a lock object; of a class's own lock, as thread dumps name it.
    fn lock(&self, lock: LockId) -> Option<String> {
        let def = self.locks.get(&lock)?;
        let name = |class: &ClassId| Some(self.classes.get(class)?.name.clone());
        match &def.object {
            LockObject::ClassMirror(class) => Some(format!("java.lang.Class for {}", name(class)?)),
            _ => name(&def.class),
        }
    }

    fn frames(&self, stack: StackId) -> Vec<Frame> {
        let frames = self
            .stacks
            .get(&stack)
            .map_or(&[][..], |stack| &stack.frames);
        let text = |frame: &locklens_trace::record::Frame| {
            let method = self.methods.get(&frame.method)?;
            let class = self.classes.get(&method.class)?;
            Some(Frame {
                method: format!("{}.{}", class.name, method.name),
                source: source(class, method, frame.bci),
            })
        };
        frames.iter().filter_map(text).collect()
    }
}

fn source(class: &ClassDef, method: &MethodDef, bci: Option<u16>) -> String {
    let Some(bci) = bci else {
        return "Native Method".to_owned();
    };
    let file = class.source_file.as_deref();
    match (file, method.line_at(bci)) {
        (Some(file), Some(line)) => format!("{file}:{line}"),
        (Some(file), None) => file.to_owned(),
        (None, _) => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample::{By, Keys, Location, Profile, Spot};
    use locklens_trace::Nanos;
    use locklens_trace::record::Frame as Told;
    use proptest::prelude::*;

    fn definitions() -> Vec<Record> {
        let class = |id, name: &str| {
            Record::Class(ClassDef {
                id: ClassId(id),
                loader: None,
                name: name.to_owned(),
                super_name: None,
                interfaces: Vec::new(),
                flags: 0,
                source_file: Some("Pool.java".to_owned()),
            })
        };
        let stack = StackDef {
            id: StackId(1),
            frames: vec![Told {
                method: MethodId(1),
                bci: Some(4),
            }],
            cut: false,
        };
        let method = MethodDef {
            id: MethodId(1),
            class: ClassId(1),
            name: "take".to_owned(),
            descriptor: "()V".to_owned(),
            flags: 0,
            lines: vec![(0, 7)],
        };
        let lock = |id, object| {
            Record::Lock(LockDef {
                id: LockId(id),
                class: ClassId(2),
                hash: 1,
                object,
            })
        };
        vec![
            class(1, "app.Pool"),
            class(2, "app.Gate"),
            Record::Method(method),
            Record::Stack(stack),
            lock(1, LockObject::Plain),
            lock(2, LockObject::ClassMirror(ClassId(1))),
            named(1, "worker-1"),
            named(2, "locklens"),
        ]
    }

    fn named(id: u32, name: &str) -> Record {
        Record::Thread(ThreadDef {
            id: ThreadId(id),
            tid: u64::from(id) + 10,
            name: name.to_owned(),
            group: Some("main".to_owned()),
            daemon: false,
            is_virtual: false,
            at_start: true,
        })
    }

    fn sighting(id: u32, state: Option<ThreadState>, lock: Option<u32>) -> Record {
        Record::Sighting(Sighting {
            thread: ThreadId(id),
            state,
            lock: lock.map(LockId),
            stack: lock.map(|_| StackId(1)),
        })
    }

    fn look() -> Record {
        Record::Look(Look {
            at: Nanos(1),
            untold: 0,
        })
    }

    fn profile(records: Vec<Record>) -> Profile {
        let (mut looks, mut fold) = (Looks::default(), Fold::default());
        for record in definitions().into_iter().chain(records) {
            if looks.push(record, &Lens::default()).is_some() {
                looks.add_to(&mut fold);
            }
        }
        Profile::of(&fold, None)
    }

    #[test]
    fn what_is_not_told_again_still_stands() {
        let blocked = Some(ThreadState::Blocked);
        let profile = profile(vec![
            sighting(1, blocked, Some(1)),
            sighting(2, Some(ThreadState::Runnable), None),
            look(),
            look(),
            sighting(1, blocked, Some(2)),
            look(),
            sighting(1, None, None),
            look(),
        ]);
        assert_eq!(
            (profile.samples, profile.findings, profile.service),
            (4, 3, 1)
        );
        let spot = |lock: &str| {
            Keys::Location(Spot {
                lock: Some(lock.to_owned()),
                location: Location::At("app.Pool.take(Pool.java:7)".to_owned()),
            })
        };
        let rows = profile.rows(By::Location).iter();
        let rows: Vec<_> = rows.map(|row| (row.keys.clone(), row.samples)).collect();
        let expected = [
            (spot("app.Gate"), 2),
            (spot("java.lang.Class for app.Pool"), 1),
        ];
        assert_eq!(rows, expected);
    }

    fn any_record() -> impl Strategy<Value = Record> {
        const STATES: [Option<ThreadState>; 4] = [
            None,
            Some(ThreadState::Blocked),
            Some(ThreadState::Runnable),
            Some(ThreadState::Parked),
        ];
        let told = (0..5_u32, 0..4_usize, proptest::option::of(0..4_u32));
        prop_oneof![
            4 => told.prop_map(|(id, state, lock)| sighting(id, STATES[state], lock)),
            2 => Just(look()),
            1 => (0..5_u32, "[a-z]{1,3}").prop_map(|(id, name)| named(id, &name)),
        ]
    }

    proptest! {
        #[test]
        fn whatever_is_told_adds_up(records in prop::collection::vec(any_record(), 0..60)) {
            let looks = records.iter().filter(|r| matches!(r, Record::Look(_))).count();
            let profile = profile(records);
            prop_assert_eq!(profile.samples, looks as u64);
            let sum = |by| profile.rows(by).iter().map(|row| row.samples).sum::<u64>();
            prop_assert_eq!(sum(By::Group), profile.findings);
            prop_assert_eq!(sum(By::Thread), profile.findings);
            let within = |row: &crate::sample::Row| row.samples <= row.of && row.looks <= profile.samples;
            prop_assert!(profile.rows(By::Location).iter().all(within));
        }
    }

    #[test]
    fn a_new_name_counts_from_then_on() {
        let profile = profile(vec![
            sighting(1, Some(ThreadState::Sleeping), None),
            look(),
            named(1, "renamed-5"),
            look(),
        ]);
        let names: Vec<_> = profile
            .rows(By::Group)
            .iter()
            .map(|row| row.keys.clone())
            .collect();
        let group = |name: &str| Keys::Group(name.to_owned(), vec!["main".to_owned()]);
        assert_eq!(names, [group("renamed-#"), group("worker-#")]);
        // The thread itself is one, by its last name.
        let threads = profile.rows(By::Thread).iter();
        let threads: Vec<_> = threads
            .map(|row| (row.keys.clone(), row.samples, row.of, row.looks))
            .collect();
        let renamed = Keys::Thread("renamed-5".to_owned(), Some(11));
        assert_eq!(threads, [(renamed, 2, 2, 2)]);
    }

    #[test]
    fn threads_that_carry_virtual_ones_say_that_there_are_such() {
        let has_virtual = |group: &str| {
            let Record::Thread(carrier) = named(3, "ForkJoinPool-1-worker-1") else {
                unreachable!("it is a thread");
            };
            let carrier = ThreadDef {
                group: Some(group.to_owned()),
                ..carrier
            };
            profile(vec![Record::Thread(carrier), look()]).has_virtual
        };
        assert!(has_virtual("CarrierThreads"));
        assert!(!has_virtual("main"));
    }
}
