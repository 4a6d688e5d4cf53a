//! Catalogs and events written by hand, for the tests of this crate.

use crate::catalog::Catalog;
use locklens_trace::code::{Code, Insn, InvokeKind, MemberRef, Op, StackOp};
use locklens_trace::record::{
    ClassDef, Event, EventKind, Frame, LockDef, LockObject, MethodDef, Owner, StackDef, ThreadDef,
};
use locklens_trace::{ClassId, LoaderId, LockId, MethodId, Nanos, StackId, ThreadId};

pub(crate) const STATIC: u32 = 0x0008;
pub(crate) const SYNCHRONIZED: u32 = 0x0020;

/// Builds a catalog.
#[derive(Default)]
pub(crate) struct Build {
    pub(crate) catalog: Catalog,
}

impl Build {
    pub(crate) fn class_in(
        &mut self,
        loader: Option<LoaderId>,
        name: &str,
        parent: &str,
    ) -> ClassId {
        let id = ClassId(self.catalog.classes.len() as u32 + 1);
        self.catalog.classes.insert(
            id,
            ClassDef {
                id,
                loader,
                name: name.into(),
                super_name: Some(parent.into()),
                interfaces: Vec::new(),
                flags: 0,
                source_file: None,
            },
        );
        id
    }

    pub(crate) fn class(&mut self, name: &str, parent: &str) -> ClassId {
        self.class_in(None, name, parent)
    }

    /// `java.lang.Object` with its `wait`.
    pub(crate) fn object_wait(&mut self) -> MethodId {
        let object = self.class("java.lang.Object", "");
        if let Some(class) = self.catalog.classes.get_mut(&object) {
            class.super_name = None;
        }
        self.method(object, "wait", "(J)V", 0x0100)
    }

    pub(crate) fn method(
        &mut self,
        class: ClassId,
        name: &str,
        descriptor: &str,
        flags: u32,
    ) -> MethodId {
        let id = MethodId(self.catalog.methods.len() as u32 + 1);
        self.catalog.methods.insert(
            id,
            MethodDef {
                id,
                class,
                name: name.into(),
                descriptor: descriptor.into(),
                flags,
                lines: Vec::new(),
            },
        );
        id
    }

    /// A method whose instructions stand at bci 0, 1, 2 …
    pub(crate) fn coded(
        &mut self,
        class: ClassId,
        name: &str,
        flags: u32,
        ops: Vec<Op>,
    ) -> MethodId {
        let id = self.method(class, name, "()V", flags);
        self.code(id, ops);
        id
    }

    pub(crate) fn code(&mut self, method: MethodId, ops: Vec<Op>) {
        let insns = (0..).zip(ops).map(|(bci, op)| Insn { bci, op }).collect();
        self.catalog.code.insert(
            method,
            Code {
                method,
                insns,
                handlers: None,
                sites: Vec::new(),
            },
        );
    }

    /// A call chain of (method, bci), innermost first.
    pub(crate) fn stack(&mut self, frames: &[(MethodId, u16)]) -> StackId {
        let id = StackId(self.catalog.stacks.len() as u32 + 1);
        let frames = frames.iter().map(|&(method, bci)| Frame {
            method,
            bci: Some(bci),
        });
        self.catalog.stacks.insert(
            id,
            StackDef {
                id,
                frames: frames.collect(),
                cut: false,
            },
        );
        id
    }

    pub(crate) fn lock(&mut self, class: ClassId) -> LockId {
        self.lock_as(class, LockObject::Plain)
    }

    pub(crate) fn lock_as(&mut self, class: ClassId, object: LockObject) -> LockId {
        let id = LockId(self.catalog.locks.len() as u32 + 1);
        self.catalog.locks.insert(
            id,
            LockDef {
                id,
                class,
                hash: id.0 as i32,
                object,
            },
        );
        id
    }

    pub(crate) fn thread(&mut self, name: &str) -> ThreadId {
        let id = ThreadId(self.catalog.threads.len() as u32 + 1);
        self.catalog.threads.insert(
            id,
            ThreadDef {
                id,
                tid: u64::from(id.0),
                name: name.into(),
                group: None,
                daemon: false,
                is_virtual: false,
                at_start: false,
            },
        );
        id
    }
}

pub(crate) fn virtual_ref(class: &str, name: &str, descriptor: &str) -> MemberRef {
    MemberRef {
        class: class.into(),
        name: name.into(),
        descriptor: descriptor.into(),
    }
}

pub(crate) fn call(class: &str, name: &str) -> Op {
    Op::Invoke {
        kind: InvokeKind::Virtual,
        method: virtual_ref(class, name, "()V"),
    }
}

pub(crate) fn load(slot: u16) -> Op {
    Op::Load { slot, wide: false }
}

pub(crate) fn store(slot: u16) -> Op {
    Op::Store { slot, wide: false }
}

pub(crate) fn dup() -> Op {
    Op::Stack(StackOp::Dup)
}

pub(crate) fn field(class: &str, name: &str) -> Op {
    Op::GetField(virtual_ref(class, name, "Ljava/lang/Object;"))
}

pub(crate) fn leave() -> Op {
    Op::Return { value: false }
}

/// One event at a time in microseconds.
pub(crate) fn event(us: u64, thread: ThreadId, kind: EventKind, lock: LockId) -> Event {
    Event {
        at: Nanos(us * 1000),
        thread,
        kind,
        lock: Some(lock),
        stack: None,
        owner: Owner::Unknown,
        seq: None,
    }
}
