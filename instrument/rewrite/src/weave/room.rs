//! Probes that never stand in the way of what the method itself is about to do.
//!
//! ```text
//!     xstore A …        in front of a call: the operand stack is put away
//!     … probe          ─┐
//!     goto L            │
//! H:  pop              ◄┘ there was no room for the probe
//! L:  xload A …         and taken back
//! ```
//!
//! A call needs room on the stack, and one that finds none throws before anything of what is called has run. A program that gives a
//! lock back then does so by code that a compiler has made a part of the method, and so needs none.
//!
//! Nothing falls into H: C1 gives a method up whose handler is reached otherwise than by an exception.
//!
//! H catches errors of the JVM itself. What another thread throws into this one (`Thread.stop`) goes its way.

use super::Weaver;
use crate::Reason;
use locklens_classfile::asm::Fragment;
use locklens_classfile::edit::{Catch, Cover, Place, Target};
use locklens_classfile::types::{State, Type};

/// What a probe throws that finds no room on the stack, or for the error itself.
pub(super) const OUT_OF_ROOM: &str = "java/lang/VirtualMachineError";
const ACONST_NULL: u8 = 0x01;
const POP: u8 = 0x57;
const GOTO: u8 = 0xa7;

/// The operand stack in front of a call, in local variables.
pub(super) struct PutAway {
    store: Fragment,
    load: Fragment,
    /// Of each slot of the stack the variable.
    first: u16,
    depth: u16,
    /// The types where a handler starts.
    caught: Option<State>,
}

impl PutAway {
    /// The variable with what lies so many slots below the top.
    pub(super) fn below_top(&self, slots: u16) -> Option<u16> {
        Some(self.first + self.depth.checked_sub(slots + 1)?)
    }
}

impl Weaver<'_, '_> {
    /// What the method begins with: `before`, and a probe without which it goes on all the same. Both leave nothing on the stack.
    pub(super) fn begin_with(&mut self, before: &Fragment, probe: &Fragment) -> Result<(), Reason> {
        let from = self.edit.len_after(0);
        let caught = self.types.at_start();
        let code = self.forgiving(|at| Place::After(0, from + at), (before, probe), caught)?;
        self.edit.insert_after(0, &code, Cover::AsPrevious, 0);
        Ok(())
    }

    /// Puts a probe in front of a call, which is called all the same where that finds no room.
    pub(super) fn in_front_of(
        &mut self,
        bci: u16,
        stack: &PutAway,
        probe: &Fragment,
    ) -> Result<(), Reason> {
        let from = self.edit.len_before(bci);
        let parts = (&stack.store, probe);
        let at = |at| Place::Before(bci, from + at);
        let mut code = self.forgiving(at, parts, stack.caught.clone())?;
        code.extend(&stack.load);
        self.edit.insert_before(bci, &code);
        Ok(())
    }

    /// Both, the second one covered by a handler that goes on behind it.
    fn forgiving(
        &mut self,
        place: impl Fn(u16) -> Place,
        (before, probe): (&Fragment, &Fragment),
        caught: Option<State>,
    ) -> Result<Fragment, Reason> {
        let mut code = before.clone();
        let start = place(code.len() as u16);
        code.extend(probe);
        let end = place(code.len() as u16);
        // Over itself and the handler.
        code = code.pooled(GOTO, 4);
        let handler = place(code.len() as u16);
        code = code.op(POP);
        if let Some(state) = caught {
            let goes_on = State {
                locals: state.locals.clone(),
                stack: Vec::new(),
            };
            self.edit.frame(handler, state);
            self.edit.frame(place(code.len() as u16), goes_on);
        }
        self.edit.catch_first(Catch {
            start,
            end,
            target: Target::Within(handler),
            catches: self.pool.class(OUT_OF_ROOM)?,
        });
        Ok(code)
    }

    /// How the operand stack in front of an instruction is put away. None where it is not known, or where no handler may know it: an
    /// object that no constructor has seen yet, in a constructor before its own, and to Java 5 anywhere. The variables that
    /// held objects let go of them.
    pub(super) fn put_away(&mut self, bci: u16) -> Result<Option<PutAway>, Reason> {
        let Some(mut state) = self.types.before(bci).cloned() else {
            return Ok(None);
        };
        let mut all = state.locals.iter().chain(&state.stack);
        let is_new = |kind: &Type| matches!(kind, Type::New(_));
        let inferred = self.class.major < 50;
        if all.any(|kind| *kind == Type::Unborn) || inferred && state.stack.iter().any(is_new) {
            return Ok(None);
        }
        let stack = std::mem::take(&mut state.stack);
        let depth = stack.len() as u16;
        let first = self.slots_for_stack(depth)?;
        let (mut store, mut load) = (Fragment::new(), Fragment::new());
        for (slot, kind) in (first..).zip(&stack) {
            let none = Fragment::new();
            let (mut stored, loaded) = match kind {
                Type::Rest => continue,
                Type::Int => (none.clone().istore(slot), none.iload(slot)),
                Type::Long => (none.clone().lstore(slot), none.lload(slot)),
                Type::Float => (none.clone().fstore(slot), none.fload(slot)),
                Type::Double => (none.clone().dstore(slot), none.dload(slot)),
                Type::Top => return Ok(None),
                Type::Null | Type::Unborn | Type::New(_) | Type::Object(_) => {
                    let gone = none.clone().aload(slot).op(ACONST_NULL).astore(slot);
                    (none.astore(slot), gone)
                }
            };
            stored.extend(&store);
            store = stored;
            load.extend(&loaded);
        }
        state.locals.resize(usize::from(first), Type::Top);
        state.locals.extend(stack);
        Ok(Some(PutAway {
            store,
            load,
            first,
            depth,
            caught: self.types.in_state(state),
        }))
    }

    /// New local variables for so many slots of the operand stack, the same at each place.
    fn slots_for_stack(&mut self, depth: u16) -> Result<u16, Reason> {
        match self.put_away {
            Some((first, room)) if depth <= room => Ok(first),
            _ => {
                let first = self.edit.new_local(depth)?;
                self.put_away = Some((first, depth));
                Ok(first)
            }
        }
    }
}
