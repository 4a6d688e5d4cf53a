//! The definitions of a trace, by id: classes, methods, bytecode, call chains, locks, threads.

use locklens_trace::code::Code;
use locklens_trace::record::{
    ClassDef, FieldValue, LoaderDef, LockDef, MethodDef, StackDef, ThreadDef,
};
use locklens_trace::{ClassId, LoaderId, LockId, MethodId, Record, StackId, ThreadId};
use std::collections::BTreeMap;

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
}

impl Catalog {
    /// Takes in a record if it is a definition; a later one of the same id replaces the earlier.
    pub fn define(&mut self, record: Record) {
        match record {
            Record::Loader(def) => drop(self.loaders.insert(def.id, def)),
            Record::Class(def) => drop(self.classes.insert(def.id, def)),
            Record::Method(def) => drop(self.methods.insert(def.id, def)),
            Record::Code(code) => drop(self.code.insert(code.method, code)),
            Record::Stack(def) => drop(self.stacks.insert(def.id, def)),
            Record::Lock(def) => drop(self.locks.insert(def.id, def)),
            Record::Fields(def) => drop(self.fields.insert(def.lock, def.values)),
            Record::Thread(def) => drop(self.threads.insert(def.id, def)),
            Record::Target(_)
            | Record::Event(_)
            | Record::Lost(_)
            | Record::Hidden(_)
            | Record::Tick(_)
            | Record::End(_) => {}
        }
    }

    /// Binary name of a class, or a marked placeholder.
    #[must_use]
    pub fn class_name(&self, id: ClassId) -> String {
        self.classes
            .get(&id)
            .map_or_else(|| format!("<class {}>", id.0), |c| c.name.clone())
    }
}
