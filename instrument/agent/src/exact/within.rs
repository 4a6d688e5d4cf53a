//! Which call chains stand in the classes that are rewritten.
//!
//! A lock is chosen when a probe meets it. A thread that never leaves the method it was in when that was
//! rewritten meets none: what the JVM tells of its locks is all there is. Its call chain says that they are
//! locks of the chosen code all the same.
//!
//! It learns from the definitions on their way to the output, from the beginning of the recording.

use crate::definition::Definition;
use locklens_trace::record::{LockObject, StackDef};
use locklens_trace::{ClassId, LockId, MethodId, StackId};
use std::collections::HashMap;

/// See the module.
#[derive(Default)]
pub(crate) struct Within {
    names: HashMap<ClassId, String>,
    methods: HashMap<MethodId, ClassId>,
    /// The class of the code at the inner end of each chain.
    stacks: HashMap<StackId, ClassId>,
    /// The class of each lock object, or the one it is the mirror of.
    locks: HashMap<LockId, (ClassId, bool)>,
}

impl Within {
    /// Takes in a definition.
    pub(crate) fn learn(&mut self, definition: &Definition) {
        match definition {
            Definition::Class(class) => drop(self.names.insert(class.id, class.name.clone())),
            Definition::Method(method) => drop(self.methods.insert(method.id, method.class)),
            Definition::Stack(stack) => self.learn_stack(stack),
            Definition::Lock(lock) => {
                let object = match lock.object {
                    LockObject::ClassMirror(class) => (class, true),
                    LockObject::Plain | LockObject::Thread(_) => (lock.class, false),
                };
                self.locks.insert(lock.id, object);
            }
            _ => {}
        }
    }

    fn learn_stack(&mut self, stack: &StackDef) {
        let classes = stack
            .frames
            .iter()
            .filter_map(|f| self.methods.get(&f.method));
        // Of `wait` and its like the caller counts.
        let object = |class: &&ClassId| self.name(**class) == Some("java.lang.Object");
        let class = classes.copied().find(|class| !object(&class));
        self.stacks.extend(class.map(|class| (stack.id, class)));
    }

    fn name(&self, class: ClassId) -> Option<&str> {
        self.names.get(&class).map(String::as_str)
    }

    /// The class whose code is at the inner end of a call chain.
    pub(crate) fn class_of(&self, stack: StackId) -> Option<ClassId> {
        self.stacks.get(&stack).copied()
    }

    /// What a lock object is, as a wish names it: its class, or `NAME.class`.
    pub(crate) fn name_of(&self, lock: LockId) -> Option<String> {
        let &(class, mirror) = self.locks.get(&lock)?;
        let name = self.name(class)?.to_owned();
        Some(if mirror { name + ".class" } else { name })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::definition::{NewClass, NewMethod};
    use crate::vm::Handle;
    use locklens_trace::record::{Frame, LockDef};

    fn class(id: u32, name: &str) -> Definition {
        Definition::Class(NewClass {
            id: ClassId(id),
            name: name.to_owned(),
            loader: None,
            mirror: None,
        })
    }

    fn method(id: u32, class: u32) -> Definition {
        Definition::Method(NewMethod {
            id: MethodId(id),
            class: ClassId(class),
            name: "m".to_owned(),
            descriptor: "()V".to_owned(),
            flags: 0,
            handle: Handle(id as usize),
        })
    }

    fn stack(id: u32, methods: &[u32]) -> Definition {
        let frame = |&method: &u32| Frame {
            method: MethodId(method),
            bci: Some(0),
        };
        Definition::Stack(StackDef {
            id: StackId(id),
            frames: methods.iter().map(frame).collect(),
            cut: false,
        })
    }

    fn lock(id: u32, class: u32, object: LockObject) -> Definition {
        Definition::Lock(LockDef {
            id: LockId(id),
            class: ClassId(class),
            object,
            hash: 0,
        })
    }

    #[test]
    fn the_code_that_waits_counts_not_object_wait() {
        let mut within = Within::default();
        let all = [
            class(1, "java.lang.Object"),
            class(2, "app.Pool"),
            method(1, 1),
            method(2, 2),
            stack(1, &[2]),
            stack(2, &[1, 2]),
            stack(3, &[1]),
        ];
        all.iter().for_each(|definition| within.learn(definition));
        let classes = [1, 2, 3].map(|id| within.class_of(StackId(id)));
        assert_eq!(classes, [Some(ClassId(2)), Some(ClassId(2)), None]);
    }

    #[test]
    fn a_mirror_is_named_for_what_it_mirrors() {
        let mut within = Within::default();
        let all = [
            class(1, "java.lang.Class"),
            class(2, "app.Pool"),
            lock(1, 2, LockObject::Plain),
            lock(2, 1, LockObject::ClassMirror(ClassId(2))),
        ];
        all.iter().for_each(|definition| within.learn(definition));
        let names = [1, 2, 3].map(|id| within.name_of(LockId(id)));
        assert_eq!(
            names,
            [Some("app.Pool".into()), Some("app.Pool.class".into()), None]
        );
    }
}
