//! The methods of `LockSupport`: every lock of `java.util.concurrent` parks and unparks by them.
//!
//! ```text
//!     0; istore T                                   T: a new local variable, from here to the end
//!     blocker or null; time; parking…; istore T     where there is no room for it (see [`super::room`]) T stays 0
//!     …
//!     iload T; parked                               ─┐ before every return
//!     return                                         │
//! H:  pop; return                                   ◄┘ the thread has parked; the probe found no room
//! ```
//!
//! H catches errors of the JVM itself. What another thread throws into this one (`Thread.stop`) goes its way.
//!
//! A method that parks by another one of the same class (on JDK 25 `parkUntil` with a blocker) is left to that one.
//!
//! A thread that is thrown out of its park (nothing does that, save for an error of the JVM) has no end of it.

use super::room::OUT_OF_ROOM;
use super::{INVOKESTATIC, Weaver};
use crate::plan::{Plan, Probe};
use crate::sites::is_static;
use crate::{Reason, SiteKind};
use locklens_classfile::asm::Fragment;
use locklens_classfile::class::{ClassFile, Code, Member};
use locklens_classfile::code::{Operand, instructions};
use locklens_classfile::edit::{Catch, Place, Target};
use locklens_classfile::types::Type;

const LOCK_SUPPORT: &str = "java/util/concurrent/locks/LockSupport";
const ACONST_NULL: u8 = 0x01;
const ICONST_0: u8 = 0x03;
pub(super) const POP: u8 = 0x57;
pub(super) const RETURN: u8 = 0xb1;

/// What a method does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    Park(Limit, Blocker),
    Unpark,
}

/// For how long.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Limit {
    None,
    Nanos,
    Until,
}

/// Whether the first argument says on what.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Blocker {
    Named,
    None,
}

/// What a method does that is to be reported.
pub(super) fn form(class: &ClassFile<'_>, method: &Member<'_>, plan: &Plan) -> Option<Form> {
    let own = class.pool.class(class.this_class) == Some(LOCK_SUPPORT);
    if !own || !plan.events.parks || !is_static(method) {
        return None;
    }
    let name = class.pool.utf8(method.name)?;
    let descriptor = class.pool.utf8(method.descriptor)?;
    if class
        .code(method)
        .is_some_and(|code| parks_by_another(class, &code))
    {
        return None;
    }
    Some(match (name, descriptor) {
        ("park", "(Ljava/lang/Object;)V") => Form::Park(Limit::None, Blocker::Named),
        ("park", "()V") => Form::Park(Limit::None, Blocker::None),
        ("parkNanos", "(Ljava/lang/Object;J)V") => Form::Park(Limit::Nanos, Blocker::Named),
        ("parkNanos", "(J)V") => Form::Park(Limit::Nanos, Blocker::None),
        ("parkUntil", "(Ljava/lang/Object;J)V") => Form::Park(Limit::Until, Blocker::Named),
        ("parkUntil", "(J)V") => Form::Park(Limit::Until, Blocker::None),
        ("unpark", "(Ljava/lang/Thread;)V") => Form::Unpark,
        _ => return None,
    })
}

fn parks_by_another(class: &ClassFile<'_>, code: &Code<'_>) -> bool {
    instructions(code.bytes)
        .map_while(Result::ok)
        .any(|insn| match (insn.opcode, insn.operand) {
            (INVOKESTATIC, Operand::Pool(index)) => class
                .pool
                .member(index)
                .is_some_and(|m| m.class == LOCK_SUPPORT && m.name.starts_with("park")),
            _ => false,
        })
}

impl Weaver<'_, '_> {
    pub(super) fn park(&mut self, form: Form) -> Result<(), Reason> {
        let Form::Park(limit, blocker) = form else {
            return self.unpark();
        };
        self.site(SiteKind::Park, 0);
        let (object, time) = match blocker {
            Blocker::Named => (Fragment::new().aload(0), 1),
            Blocker::None => (Fragment::new().op(ACONST_NULL), 0),
        };
        let probes = &self.plan.probes;
        let timed = "(Ljava/lang/Object;J)I";
        let (arguments, probe, descriptor) = match limit {
            Limit::None => (object, &probes.parking, "(Ljava/lang/Object;)I"),
            Limit::Nanos => (object.lload(time), &probes.parking_nanos, timed),
            Limit::Until => (object.lload(time), &probes.parking_until, timed),
        };
        let token = self.edit.new_local(1)?;
        let start = self.plain_call(arguments, probe, descriptor)?.istore(token);
        self.edit.keep_local(token, Type::Int);
        self.begin_with(&Fragment::new().op(ICONST_0).istore(token), &start)?;
        let returns: Vec<u16> = self
            .edit
            .insns()
            .iter()
            .filter(|insn| insn.opcode == RETURN)
            .map(|insn| insn.bci)
            .collect();
        returns.into_iter().try_for_each(|bci| self.end(bci, token))
    }

    /// The probe before a return.
    fn end(&mut self, bci: u16, token: u16) -> Result<(), Reason> {
        let token = Fragment::new().iload(token);
        let call = self.plain_call(token, &self.plan.probes.parked, "(I)V")?;
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
        Ok(())
    }

    fn unpark(&mut self) -> Result<(), Reason> {
        self.site(SiteKind::Unpark, 0);
        let thread = Fragment::new().aload(0);
        let probe = &self.plan.probes.unparking;
        let call = self.plain_call(thread, probe, "(Ljava/lang/Thread;)V")?;
        self.begin_with(&Fragment::new(), &call)
    }

    /// A call without a site: which it is, the probe says.
    pub(super) fn plain_call(
        &mut self,
        arguments: Fragment,
        probe: &Probe,
        descriptor: &str,
    ) -> Result<Fragment, Reason> {
        let method = self.pool.method(&probe.class, &probe.name, descriptor)?;
        Ok(arguments.pooled(INVOKESTATIC, method))
    }
}
