//! Which call chains stand in the methods that are rewritten.
//!
//! A lock is chosen when a probe meets it. A thread that never leaves the method it was in when that was
//! rewritten meets none: what the JVM tells of its locks is all there is. Its call chain says that they are
//! locks of the chosen code all the same.
//!
//! It learns from the definitions on their way to the output, from the beginning of the recording.

use crate::definition::{Definition, NewMethod};
use locklens_trace::record::{LockObject, StackDef};
use locklens_trace::{ClassId, Event, LockId, MethodId, StackId, ThreadId};
use std::collections::{HashMap, HashSet};

/// A method, whichever version: its first id.
type Method = MethodId;

/// See the module.
#[derive(Default)]
pub(crate) struct Within {
    named: HashMap<(ClassId, String, String), Method>,
    names: HashMap<ClassId, String>,
    methods: HashMap<MethodId, (ClassId, Method)>,
    /// Ids of each method: its code from before has one of its own.
    versions: HashMap<Method, Vec<MethodId>>,
    /// The method at the inner end of each chain.
    stacks: HashMap<StackId, Method>,
    /// The chains that stand in `Object.wait`.
    waits: HashSet<StackId>,
    /// `Thread.join`, in all its forms …
    joins: HashSet<MethodId>,
    /// … and the chains that stand in it.
    joining: HashSet<StackId>,
    /// The class of each lock object, or the one it is the mirror of.
    locks: HashMap<LockId, (ClassId, bool)>,
    /// Lock objects that are threads.
    threads: HashMap<LockId, ThreadId>,
}

impl Within {
    /// Takes in a definition.
    pub(crate) fn learn(&mut self, definition: &Definition) {
        match definition {
            Definition::Class(class) => drop(self.names.insert(class.id, class.name.clone())),
            Definition::Method(method) => self.learn_method(method),
            Definition::Stack(stack) => self.learn_stack(stack),
            Definition::Lock(lock) => {
                if let LockObject::Thread(thread) = lock.object {
                    self.threads.insert(lock.id, thread);
                }
                let object = match lock.object {
                    LockObject::ClassMirror(class) => (class, true),
                    LockObject::Plain | LockObject::Thread(_) => (lock.class, false),
                };
                self.locks.insert(lock.id, object);
            }
            _ => {}
        }
    }

    fn learn_method(&mut self, method: &NewMethod) {
        let name = (method.class, method.name.clone(), method.descriptor.clone());
        let first = *self.named.entry(name).or_insert(method.id);
        self.methods.insert(method.id, (method.class, first));
        if method.name == "join" && self.name(method.class) == Some("java.lang.Thread") {
            self.joins.insert(method.id);
        }
        self.versions.entry(first).or_default().push(method.id);
    }

    fn learn_stack(&mut self, stack: &StackDef) {
        let frames = stack.frames.iter();
        let mut methods = frames.filter_map(|f| self.methods.get(&f.method));
        let first = stack
            .frames
            .first()
            .and_then(|f| self.methods.get(&f.method));
        if first.is_some_and(|(class, _)| self.name(*class) == Some("java.lang.Object")) {
            self.waits.insert(stack.id);
        }
        // Of `wait` and its like the caller counts.
        let inner = methods.find(|(class, _)| self.name(*class) != Some("java.lang.Object"));
        let Some(&(_, method)) = inner else { return };
        self.stacks.insert(stack.id, method);
        if self.joins.contains(&method) {
            self.joining.insert(stack.id);
        }
    }

    /// A thread that somebody waits for, or that wakes them at its end: that is code of the JDK's and the JVM's own.
    pub(crate) fn is_of_joins(&self, event: &Event) -> bool {
        let own = event.lock.and_then(|lock| self.threads.get(&lock));
        // At its end it has no frames any more.
        let within_code = event.stack.is_some_and(|s| self.stacks.contains_key(&s));
        let ends = own == Some(&event.thread) && !within_code;
        ends || event.stack.is_some_and(|stack| self.is_join(stack))
    }

    /// The chain stands in `Thread.join`, which is never rewritten: what the JVM tells of it is all there is.
    pub(crate) fn is_join(&self, stack: StackId) -> bool {
        self.joining.contains(&stack)
    }

    /// The chain stands in `Object.wait`.
    pub(crate) fn is_wait(&self, stack: StackId) -> bool {
        self.waits.contains(&stack)
    }

    /// The class of the code at the inner end of a call chain.
    pub(crate) fn class_of(&self, stack: StackId) -> Option<&str> {
        let (class, _) = self.methods.get(self.stacks.get(&stack)?)?;
        self.name(*class)
    }

    fn name(&self, class: ClassId) -> Option<&str> {
        self.names.get(&class).map(String::as_str)
    }

    /// Ids of the method at the inner end of a call chain.
    pub(crate) fn methods_of(&self, stack: StackId) -> &[MethodId] {
        let method = self.stacks.get(&stack);
        let versions = method.and_then(|method| self.versions.get(method));
        versions.map_or(&[], Vec::as_slice)
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
    use crate::definition::NewClass;
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
        // Its code from before.
        within.learn(&method(3, 2));
        let methods = [1, 2, 3].map(|id| within.methods_of(StackId(id)));
        assert_eq!(
            [1, 2, 3].map(|id| within.is_wait(StackId(id))),
            [false, true, true]
        );
        assert_eq!(within.class_of(StackId(2)), Some("app.Pool"));
        let both = &[MethodId(2), MethodId(3)][..];
        assert_eq!(methods, [both, both, &[]]);
    }

    #[test]
    fn a_join_is_known_by_its_chain() {
        let mut within = Within::default();
        let mut join = method(2, 2);
        if let Definition::Method(method) = &mut join {
            method.name = "join".to_owned();
        }
        let all = [
            class(1, "java.lang.Object"),
            class(2, "java.lang.Thread"),
            class(3, "app.Farm"),
            method(1, 1),
            join,
            method(3, 3),
            stack(1, &[1, 2, 3]),
            stack(2, &[1, 3]),
        ];
        all.iter().for_each(|definition| within.learn(definition));
        assert!(within.is_join(StackId(1)) && !within.is_join(StackId(2)));
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
