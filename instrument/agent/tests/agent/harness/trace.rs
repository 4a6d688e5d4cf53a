//! Questions to the records of a trace.

use locklens_trace::juc::Operation;
use locklens_trace::record::{ClassDef, LockDef, LossCause, MethodDef, StackDef, ThreadDef};
use locklens_trace::{ClassId, Event, EventKind, LockId, MethodId, Record, StackId, ThreadId};
use std::collections::HashMap;

/// Records by id, the last definition of each.
#[derive(Default)]
pub(crate) struct Trace {
    pub(crate) target: HashMap<String, String>,
    pub(crate) classes: HashMap<ClassId, ClassDef>,
    pub(crate) methods: HashMap<MethodId, MethodDef>,
    pub(crate) stacks: HashMap<StackId, StackDef>,
    pub(crate) locks: HashMap<LockId, LockDef>,
    pub(crate) threads: HashMap<ThreadId, ThreadDef>,
    pub(crate) code: HashMap<MethodId, locklens_trace::code::Code>,
    pub(crate) hidden: HashMap<String, u64>,
    pub(crate) events: Vec<Event>,
    pub(crate) operations: Vec<Operation>,
    pub(crate) end: Option<locklens_trace::record::EndReason>,
    pub(crate) lost: HashMap<String, u64>,
    pub(crate) names: Vec<String>,
}

impl Trace {
    pub(crate) fn of(records: &[Record]) -> Self {
        let mut trace = Self::default();
        for record in records {
            trace.add(record.clone());
        }
        trace
    }

    fn add(&mut self, record: Record) {
        match record {
            Record::Target(pairs) => self.target.extend(pairs),
            Record::Class(def) => drop(self.classes.insert(def.id, def)),
            Record::Method(def) => drop(self.methods.insert(def.id, def)),
            Record::Stack(def) => drop(self.stacks.insert(def.id, def)),
            Record::Lock(def) => drop(self.locks.insert(def.id, def)),
            Record::Thread(def) => {
                self.names.push(def.name.clone());
                self.threads.insert(def.id, def);
            }
            Record::Code(code) => drop(self.code.insert(code.method, code)),
            Record::Hidden(hidden) => drop(self.hidden.insert(hidden.name, hidden.events)),
            Record::Lost(lost) => {
                *self.lost.entry(format!("{:?}", lost.cause)).or_default() += lost.count;
            }
            Record::Event(event) => self.events.push(event),
            Record::Operation(operation) => self.operations.push(operation),
            Record::End(end) => self.end = Some(end.reason),
            Record::Loader(_)
            | Record::Fields(_)
            | Record::Sync(_)
            | Record::Park(_)
            | Record::Access(_)
            | Record::Parked(_)
            | Record::Sighting(_)
            | Record::Look(_)
            | Record::Held(_)
            | Record::Kin(_)
            | Record::Tick(_) => {}
        }
    }

    /// Name of the class of an event's lock.
    pub(crate) fn lock_class(&self, event: &Event) -> &str {
        let lock = event.lock.and_then(|id| self.locks.get(&id));
        let class = lock.and_then(|lock| self.classes.get(&lock.class));
        class.map_or("?", |class| &class.name)
    }

    /// Name of the thread of an event.
    pub(crate) fn thread(&self, id: ThreadId) -> &str {
        self.threads.get(&id).map_or("?", |def| &def.name)
    }

    /// `Class.method` of the frames of an event's call chain, innermost first.
    pub(crate) fn chain(&self, event: &Event) -> Vec<String> {
        self.frames(event.stack)
    }

    /// The same of an operation.
    pub(crate) fn place(&self, operation: &Operation) -> Vec<String> {
        self.frames(operation.stack)
    }

    fn frames(&self, stack: Option<StackId>) -> Vec<String> {
        let stack = stack.and_then(|id| self.stacks.get(&id));
        let frames = stack.map_or(&[][..], |stack| &stack.frames);
        frames
            .iter()
            .map(|frame| self.method(frame.method))
            .collect()
    }

    /// `Class.method`.
    pub(crate) fn method(&self, id: MethodId) -> String {
        let method = self.methods.get(&id);
        let class = method.and_then(|method| self.classes.get(&method.class));
        match (class, method) {
            (Some(class), Some(method)) => format!("{}.{}", class.name, method.name),
            _ => "?".to_owned(),
        }
    }

    /// Events of a kind, whatever their details, on locks of a class.
    pub(crate) fn on(&self, class: &str, kind: EventKind) -> Vec<&Event> {
        let same = |event: &&Event| {
            std::mem::discriminant(&event.kind) == std::mem::discriminant(&kind)
                && self.lock_class(event) == class
        };
        self.events.iter().filter(same).collect()
    }

    /// Events lost for a cause.
    pub(crate) fn lost(&self, cause: LossCause) -> u64 {
        self.lost.get(&format!("{cause:?}")).copied().unwrap_or(0)
    }
}
