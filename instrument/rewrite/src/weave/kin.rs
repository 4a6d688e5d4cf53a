//! The methods of `Thread` that start one and wait for its end.
//!
//! ```text
//!     this; starting                at the start of `start`; `making`: before every return of what makes a virtual one
//!     …
//!     this; limit; joined          ─┐ before every return of `join(long)`, which others call, and `join(Duration)`
//!     return                        │
//! H:  pop; return                  ◄┘ the wait is over; the probe found no room
//! ```
//!
//! A virtual thread is started by code that must not be rewritten. Each is made by one constructor, which makes no others: who
//! makes it is told in place of who starts it. Its tid is set by the end of that, and nobody else has seen it yet.

use super::Weaver;
use super::operation::RETURNS;
use super::park::RETURN;
use crate::plan::{Plan, Probe};
use crate::sites::is_static;
use crate::{Reason, SiteKind};
use locklens_classfile::asm::Fragment;
use locklens_classfile::class::{ClassFile, Member};

const THREAD: &str = "java/lang/Thread";
const ON_THREAD: &str = "(Ljava/lang/Thread;)V";
const JOINED: &str = "(Ljava/lang/Thread;J)V";
const LCONST_1: u8 = 0x0a;

/// What a method does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    Start,
    Make,
    Join(Limit),
}

/// How long a join waits at most.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Limit {
    /// Its argument says so: 0 is as long as it takes.
    Argument,
    /// It always has one.
    Always,
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
        // What all virtual threads extend calls it, and nothing else does.
        ("<init>", "(Ljava/lang/String;IZ)V") => Some(Form::Make),
        // The second one waits for a virtual thread by itself.
        ("join", "(J)V") => Some(Form::Join(Limit::Argument)),
        ("join", "(Ljava/time/Duration;)Z") => Some(Form::Join(Limit::Always)),
        _ => None,
    }
}

impl Weaver<'_, '_> {
    pub(super) fn kin(&mut self, form: Form) -> Result<(), Reason> {
        self.site(SiteKind::Kin, 0);
        match form {
            Form::Start => self.starting(),
            Form::Make => self.making(),
            Form::Join(limit) => self.joining(limit),
        }
    }

    fn starting(&mut self) -> Result<(), Reason> {
        let call = self.on_this(&self.plan.probes.starting)?;
        self.begin_with(&Fragment::new(), &call)
    }

    /// A constructor has no handler for what comes out of the probe's call, as at [`Weaver::born`]: on a stack that is as good as full
    /// no virtual thread is made.
    fn making(&mut self) -> Result<(), Reason> {
        let call = self.on_this(&self.plan.probes.making)?;
        for (bci, _) in self.returns(RETURN..=RETURN) {
            self.edit.insert_before(bci, &call);
        }
        Ok(())
    }

    /// No JDK's `join` stores anything into its argument.
    fn joining(&mut self, limit: Limit) -> Result<(), Reason> {
        let this = Fragment::new().aload(0);
        let arguments = match limit {
            Limit::Argument => this.lload(1),
            Limit::Always => this.op(LCONST_1),
        };
        let call = self.plain_call(arguments, &self.plan.probes.joined, JOINED)?;
        for (bci, opcode) in self.returns(RETURNS) {
            let result = self.result(opcode)?;
            self.before_return((bci, opcode), &result, &call)?;
        }
        Ok(())
    }

    fn on_this(&mut self, probe: &Probe) -> Result<Fragment, Reason> {
        self.plain_call(Fragment::new().aload(0), probe, ON_THREAD)
    }
}
