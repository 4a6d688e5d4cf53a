//! The definitions of a trace, by id: classes, methods, bytecode, call chains, locks, threads.
//!
//! A method that was replaced while it ran has two ids: one for calls from then on, one for the frames that
//! are still in its old code. Here it is one method.

use crate::model::CallChain;
use crate::parked::is_concurrent;
use locklens_trace::code::Code;
use locklens_trace::record::{
    ClassDef, FieldValue, Frame, LoaderDef, LockDef, MethodDef, StackDef, ThreadDef,
};
use locklens_trace::{ClassId, LoaderId, LockId, MethodId, Record, StackId, ThreadId};
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// Frames of a call chain in words: no agent writes more, but a trace may be anybody's.
const MAX_FRAMES: usize = 256;

/// Everything a trace defines. Ids without a definition are possible (a lost chunk, a name that
/// could not be resolved): every look-up may fail.
#[derive(Clone, Debug, Default)]
pub struct Catalog {
    /// Class loaders.
    pub loaders: BTreeMap<LoaderId, LoaderDef>,
    /// Classes.
    pub classes: BTreeMap<ClassId, ClassDef>,
    /// Methods.
    pub methods: BTreeMap<MethodId, MethodDef>,
    /// Bytecode.
    pub code: BTreeMap<MethodId, Code>,
    /// Call chains.
    pub stacks: BTreeMap<StackId, StackDef>,
    /// Lock objects.
    pub locks: BTreeMap<LockId, LockDef>,
    /// What fields of lock objects held when these were first seen.
    pub fields: BTreeMap<LockId, Vec<FieldValue>>,
    /// Threads, with their last known name.
    pub threads: BTreeMap<ThreadId, ThreadDef>,
    /// Those that had another name before.
    pub renamed: BTreeSet<ThreadId>,
    versions: Versions,
}

/// Methods by what names them, and further ids of the same ones.
#[derive(Clone, Debug, Default)]
struct Versions {
    named: HashMap<(ClassId, String, String), MethodId>,
    same: HashMap<MethodId, MethodId>,
}

impl Versions {
    /// The id a method goes by: the first it was defined with.
    fn of(&mut self, def: &MethodDef) -> MethodId {
        let name = (def.class, def.name.clone(), def.descriptor.clone());
        let first = *self.named.entry(name).or_insert(def.id);
        if first != def.id {
            self.same.insert(def.id, first);
        }
        first
    }

    fn known(&self, id: MethodId) -> MethodId {
        self.same.get(&id).copied().unwrap_or(id)
    }
}

impl Catalog {
    /// Takes in a record if it is a definition; a later one of the same id replaces the earlier.
    pub fn define(&mut self, record: Record) {
        match record {
            Record::Loader(def) => drop(self.loaders.insert(def.id, def)),
            Record::Class(def) => drop(self.classes.insert(def.id, def)),
            Record::Method(def) => self.define_method(def),
            Record::Code(code) => self.define_code(code),
            Record::Stack(def) => self.define_stack(def),
            Record::Lock(def) => drop(self.locks.insert(def.id, def)),
            Record::Fields(def) => drop(self.fields.insert(def.lock, def.values)),
            Record::Thread(def) => self.define_thread(def),
            Record::Target(_)
            | Record::Event(_)
            | Record::Sync(_)
            | Record::Park(_)
            | Record::Operation(_)
            | Record::Access(_)
            | Record::Kin(_)
            | Record::Parked(_)
            | Record::Lost(_)
            | Record::Hidden(_)
            | Record::Tick(_)
            | Record::Sighting(_)
            | Record::Look(_)
            | Record::Held(_)
            | Record::End(_) => {}
        }
    }

    fn define_method(&mut self, def: MethodDef) {
        if self.versions.of(&def) == def.id {
            self.methods.insert(def.id, def);
        }
    }

    fn define_code(&mut self, code: Code) {
        if self.versions.known(code.method) == code.method {
            self.code.insert(code.method, code);
        }
    }

    fn define_thread(&mut self, def: ThreadDef) {
        let (id, name) = (def.id, def.name.clone());
        let before = self.threads.insert(id, def);
        let named = before.filter(|before| !before.name.is_empty());
        if named.is_some_and(|before| before.name != name) {
            self.renamed.insert(id);
        }
    }

    fn define_stack(&mut self, mut def: StackDef) {
        for frame in &mut def.frames {
            frame.method = self.versions.known(frame.method);
        }
        self.stacks.insert(def.id, def);
    }

    /// The method of a class by its name and descriptor.
    pub(crate) fn method(&self, class: ClassId, name: &str, descriptor: &str) -> Option<MethodId> {
        let key = (class, name.to_owned(), descriptor.to_owned());
        self.versions.named.get(&key).copied()
    }

    /// A call chain in words.
    #[must_use]
    pub fn call_chain(&self, id: StackId) -> Option<CallChain> {
        let def = self.stacks.get(&id)?;
        let told = def.frames.iter().take(MAX_FRAMES);
        Some(CallChain {
            frames: told.map(|frame| self.frame(frame)).collect(),
            cut: def.cut || def.frames.len() > MAX_FRAMES,
        })
    }

    /// Whether it is of the code of `java.util.concurrent` that parks and unparks, or below that.
    pub(crate) fn is_concurrent(&self, frame: &Frame) -> bool {
        let method = self.methods.get(&frame.method);
        method.is_some_and(|method| is_concurrent(&self.class_name(method.class)))
    }

    pub(crate) fn frame(&self, frame: &Frame) -> String {
        let Some(method) = self.methods.get(&frame.method) else {
            return format!("<method {}>", frame.method.0);
        };
        let class = self.classes.get(&method.class);
        let file = class.and_then(|class| class.source_file.as_deref());
        let line = frame.bci.and_then(|bci| method.line_at(bci));
        let place = match (file, line) {
            (Some(file), Some(line)) => format!("({file}:{line})"),
            (Some(file), None) => format!("({file})"),
            (None, _) => String::new(),
        };
        format!("{}.{}{place}", self.class_name(method.class), method.name)
    }

    /// Binary name of a class, or a marked placeholder.
    #[must_use]
    pub fn class_name(&self, id: ClassId) -> String {
        self.classes
            .get(&id)
            .map_or_else(|| format!("<class {}>", id.0), |c| c.name.clone())
    }

    /// What a thread is called: its name, else a marked placeholder, which is nobody else's.
    #[must_use]
    pub fn thread_name(&self, id: ThreadId) -> String {
        match self.threads.get(&id) {
            Some(def) if def.name.is_empty() && def.tid > 0 => unnamed(def.tid),
            Some(def) if !def.name.is_empty() => def.name.clone(),
            _ => format!("<thread {}>", id.0),
        }
    }

    /// Where a frame stands, as `Class.method:line`.
    #[must_use]
    pub fn place(&self, frame: &Frame) -> String {
        let Some(method) = self.methods.get(&frame.method) else {
            return format!("<method {}>", frame.method.0);
        };
        let line = frame.bci.and_then(|bci| method.line_at(bci));
        let line = line.map_or(String::new(), |line| format!(":{line}"));
        format!("{}.{}{line}", self.class_name(method.class), method.name)
    }
}

/// What a thread is called that has no name, as virtual threads have none unless they are given one: by the number that
/// Java knows it by.
#[must_use]
pub fn unnamed(tid: u64) -> String {
    format!("<unnamed {tid}>")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixtures::{Build, SYNCHRONIZED, leave};

    #[test]
    fn a_thread_without_a_name_is_called_by_its_number() {
        let mut b = Build::default();
        let (named, unnamed) = (b.thread("main"), b.thread(""));
        let tid = b.catalog.threads[&unnamed].tid;
        let name = |id| b.catalog.thread_name(id);
        assert_eq!(name(named), "main");
        assert_eq!(name(unnamed), format!("<unnamed {tid}>"));
        assert_eq!(name(ThreadId(99)), "<thread 99>", "not in the trace");
    }

    #[test]
    fn a_thread_that_is_told_again_by_another_name_was_renamed() {
        let mut b = Build::default();
        let thread = b.thread("");
        let mut catalog = Catalog::default();
        let told = |catalog: &mut Catalog, name: &str| {
            let def = b.catalog.threads[&thread].clone();
            let name = name.to_owned();
            catalog.define(Record::Thread(ThreadDef { name, ..def }));
            catalog.renamed.len()
        };
        let renamed = ["", "left", "left", "right"].map(|name| told(&mut catalog, name));
        assert_eq!(renamed, [0, 0, 0, 1], "a name that comes late is the first");
        assert_eq!(catalog.thread_name(thread), "right");
    }

    #[test]
    fn a_method_still_in_its_old_code_is_the_same_method() {
        let mut b = Build::default();
        let class = b.class("app.Pool", "java.lang.Object");
        let take = b.coded(class, "take", SYNCHRONIZED, vec![leave()]);
        let stack = b.stack(&[(take, 0)]);
        let mut catalog = Catalog::default();
        let first = b.catalog.methods[&take].clone();
        let old = MethodDef {
            id: MethodId(77),
            ..first.clone()
        };
        let mut chain = b.catalog.stacks[&stack].clone();
        chain.frames[0].method = old.id;
        let lines = MethodDef {
            lines: vec![(0, 5)],
            ..first.clone()
        };
        for def in [first, old, lines] {
            catalog.define(Record::Method(def));
        }
        catalog.define(Record::Stack(chain));
        assert_eq!(catalog.stacks[&stack].frames[0].method, take);
        assert_eq!(catalog.methods.keys().collect::<Vec<_>>(), [&take]);
        assert_eq!(catalog.methods[&take].lines, [(0, 5)], "told again");
    }
}
