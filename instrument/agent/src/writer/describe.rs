//! Definitions to records: what callbacks had no time for is read here, as long as the class lives.

use super::output::Output;
use super::owners::Owners;
use super::put_off::PutOff;
use super::stays::Stays;
use crate::definition::{Definition, NewClass, NewMethod};
use crate::identity::binary_name;
use crate::recording::Recording;
use crate::vm::{Ref, Vm, Weak};
use locklens_trace::record::{ClassDef, MethodDef, ThreadDef};
use locklens_trace::{ClassId, Record, ThreadId};
use std::collections::HashMap;

/// What has been defined so far.
#[derive(Default)]
pub(super) struct Describer {
    mirrors: HashMap<ClassId, Weak>,
    pub(super) threads: HashMap<ThreadId, ThreadDef>,
    pub(super) owners: Owners,
    pub(super) stays: Stays,
    pub(super) put_off: PutOff,
}

impl Describer {
    /// Turns one definition into its record.
    pub(super) fn define(
        &mut self,
        vm: Vm<'_>,
        recording: &Recording,
        definition: Definition,
        output: &mut Output,
    ) {
        let record = match definition {
            Definition::Loader(def) => Record::Loader(def),
            Definition::Class(class) => Record::Class(self.class(vm, class)),
            Definition::Method(method) => Record::Method(self.method(vm, recording, method)),
            Definition::Stack(def) | Definition::ParkedStack(def) => Record::Stack(def),
            Definition::Lock(def) | Definition::Synchronizer(def) => Record::Lock(def),
            Definition::Fields(def) => Record::Fields(def),
            // Who met it first knew its number alone, and comes too late with that.
            Definition::Thread(def)
                if def.name.is_empty() && self.threads.contains_key(&def.id) =>
            {
                return;
            }
            Definition::Thread(def) => {
                self.owners.learn_tid(def.tid, def.id);
                self.threads.insert(def.id, def.clone());
                Record::Thread(def)
            }
            Definition::Place(id, place) => {
                self.owners.learn_place(id, place);
                return;
            }
            Definition::PutOff(id, weak) => {
                self.put_off.identify(vm, recording, (id, weak));
                return;
            }
            // For who tells only what is new.
            Definition::Born(..) => return,
            Definition::LastName(id, name) => {
                self.rename(id, name, output);
                return;
            }
        };
        output.push(&record);
    }

    fn class(&mut self, vm: Vm<'_>, class: NewClass) -> ClassDef {
        let mut def = ClassDef {
            id: class.id,
            loader: class.loader,
            name: class.name,
            super_name: None,
            interfaces: Vec::new(),
            flags: 0,
            source_file: None,
        };
        if let Some(weak) = class.mirror {
            if let Some(mirror) = vm.upgrade(&weak) {
                complete(vm, &mirror, &mut def);
            }
            self.mirrors.insert(class.id, weak);
        }
        def
    }

    fn method(&mut self, vm: Vm<'_>, recording: &Recording, method: NewMethod) -> MethodDef {
        let mirror = self.mirror(vm, method.class);
        // SAFETY: the mirror is held, so the class is alive.
        let lines = mirror.and_then(|_alive| unsafe { vm.lines(method.handle) }.ok());
        // Of a class that came rewritten, the JVM has the lines of the new code.
        let lines = lines.map(|lines| recording.rewritten.original_lines(method.handle, lines));
        MethodDef {
            id: method.id,
            class: method.class,
            name: method.name,
            descriptor: method.descriptor,
            flags: method.flags,
            lines: lines.unwrap_or_default(),
        }
    }

    /// A class defined before, if it still lives.
    pub(super) fn mirror<'vm>(&self, vm: Vm<'vm>, class: ClassId) -> Option<Ref<'vm>> {
        vm.upgrade(self.mirrors.get(&class)?)
    }

    /// Says a thread's name again if it has changed.
    pub(super) fn rename(&mut self, id: ThreadId, name: String, output: &mut Output) {
        if let Some(def) = self.threads.get_mut(&id)
            && def.name != name
        {
            def.name = name;
            output.push(&Record::Thread(def.clone()));
        }
    }

    /// Corrects a thread that was met (somebody joined it) before its start was posted.
    pub(super) fn started(&mut self, id: ThreadId, output: &mut Output) {
        self.owners.start(id);
        if let Some(def) = self.threads.get_mut(&id)
            && def.at_start
        {
            def.at_start = false;
            output.push(&Record::Thread(def.clone()));
        }
    }

    /// Forgets a thread that has ended, so that memory follows the threads there are. Its tid stays: it
    /// may still lock its own object on its way out.
    pub(super) fn ended(&mut self, id: ThreadId) {
        self.owners.end(id);
        self.threads.remove(&id);
    }

    /// Gives back what the JVM holds for it.
    pub(super) fn release(&mut self, vm: Vm<'_>) {
        for (_, mirror) in self.mirrors.drain() {
            vm.delete_weak(mirror);
        }
    }
}

fn complete(vm: Vm<'_>, mirror: &Ref<'_>, def: &mut ClassDef) {
    let name_of = |class: &Ref<'_>| vm.class_signature(class).ok().map(|s| binary_name(&s));
    def.super_name = vm.superclass(mirror).and_then(|class| name_of(&class));
    let interfaces = vm.interfaces(mirror).unwrap_or_default();
    def.interfaces = interfaces.iter().filter_map(name_of).collect();
    def.flags = vm.class_flags(mirror).unwrap_or(0);
    def.source_file = vm.source_file(mirror);
}
