//! The methods of `Thread` that start one and wait for its end.
//!
//! ```text
//!     this; starting                at the start of `start`
//!     …
//!     this; joined                 ─┐ before every return of `join(long)`, which the others call
//!     return                        │
//! H:  pop; return                  ◄┘ the wait is over; the probe found no room
//! ```
//!
//! A virtual thread is started by code that must not be rewritten: who started it nobody tells.

use super::Weaver;
use super::park::{OUT_OF_ROOM, POP, RETURN};
use crate::plan::Plan;
use crate::sites::is_static;
use crate::{Reason, SiteKind};
use locklens_classfile::asm::Fragment;
use locklens_classfile::class::{ClassFile, Member};
use locklens_classfile::edit::{Catch, Cover, Place, Target};

const THREAD: &str = "java/lang/Thread";
const ON_THREAD: &str = "(Ljava/lang/Thread;)V";

/// What a method does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    Start,
    Join,
}

/// What a method does that is to be reported.
pub(super) fn form(class: &ClassFile<'_>, method: &Member<'_>, plan: &Plan) -> Option<Form> {
    let own = class.pool.class(class.this_class) == Some(THREAD);
    if !own || !plan.events.kin || is_static(method) {
        return None;
    }
    let name = class.pool.utf8(method.name)?;
    match (name, class.pool.utf8(method.descriptor)?) {
        // Pools start their threads by the second one, from JDK 19 on.
        ("start", "()V" | "(Ljdk/internal/vm/ThreadContainer;)V") => Some(Form::Start),
        ("join", "(J)V") => Some(Form::Join),
        _ => None,
    }
}

impl Weaver<'_, '_> {
    pub(super) fn kin(&mut self, form: Form) -> Result<(), Reason> {
        self.site(SiteKind::Kin, 0);
        match form {
            Form::Start => self.starting(),
            Form::Join => self.joining(),
        }
    }

    fn starting(&mut self) -> Result<(), Reason> {
        let this = Fragment::new().aload(0);
        let call = self.plain_call(this, &self.plan.probes.starting, ON_THREAD)?;
        self.edit.insert_after(0, &call, Cover::AsPrevious, 0);
        Ok(())
    }

    fn joining(&mut self) -> Result<(), Reason> {
        let insns = self.edit.insns().iter();
        let returns = insns.filter(|insn| insn.opcode == RETURN);
        let returns: Vec<u16> = returns.map(|insn| insn.bci).collect();
        for bci in returns {
            let this = Fragment::new().aload(0);
            let call = self.plain_call(this, &self.plan.probes.joined, ON_THREAD)?;
            self.edit.insert_before(bci, &call);
            let state = self.types.around_method(Vec::new());
            let caught = Fragment::new().op(POP).op(RETURN);
            let block = self.edit.append(caught, state, bci);
            let (start, end) = (Place::Before(bci, 0), Place::Before(bci, call.len() as u16));
            self.edit.catch_first(Catch {
                start,
                end,
                target: Target::Block(block),
                catches: self.pool.class(OUT_OF_ROOM)?,
            });
        }
        Ok(())
    }
}
