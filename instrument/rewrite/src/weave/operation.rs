//! Operations of the locks of `java.util.concurrent`: methods that tell what they have done.
//!
//! ```text
//!     0; istore T                                     T: a new local variable, from here to the end
//!     object; hash; istore T                         ─┐
//!     T; number; count; began                         │ where it is told before
//! B:                                                 ◄┘ there was no room for it: see [`super::room`]
//!     …
//!     xstore R; [R]; T; number; count; done …        ─┐ before every return, where it is told afterwards
//!     xload R; xreturn                                │
//! H:  pop; xload R; xreturn                          ◄┘ it is done; the probe found no room
//! E:  T; number; count; threw; athrow                ◄ around all of it that is the method's own
//! ```
//!
//! Where the object is what is returned, T is 0 and its own is told before the return; what it is made of is told in front.
//!
//! Which methods these are the plan says. Where one calls another one of its class that is an operation too, that one is
//! told to be silent.

use super::park::RETURN;
use super::room::OUT_OF_ROOM;
use super::{ATHROW, INVOKESTATIC, Weaver, catch_all};
use crate::plan::{Amount, INSIDE, Operation, Plan, Subject, TID_BITS, Told};
use crate::sites::{INTERFACES, is_static};
use crate::{Reason, SiteKind};
use locklens_classfile::asm::Fragment;
use locklens_classfile::class::{ClassFile, Member};
use locklens_classfile::code::{Insn, Operand};
use locklens_classfile::edit::{Catch, Cover, Place, Refusal, Target};
use locklens_classfile::pool;
use locklens_classfile::types::{self, Type};
use std::ops::RangeInclusive;

const ICONST_0: u8 = 0x03;
const ICONST_1: u8 = 0x04;
const POP: u8 = 0x57;
const IAND: u8 = 0x7e;
const IOR: u8 = 0x80;
const INSTANCEOF: u8 = 0xc1;
const L2I: u8 = 0x88;
const LCMP: u8 = 0x94;
const LCONST_0: u8 = 0x09;
const GETFIELD: u8 = 0xb4;
const INVOKEVIRTUAL: u8 = 0xb6;
pub(super) const RETURNS: RangeInclusive<u8> = 0xac..=0xb1;
const IRETURN: u8 = 0xac;
const LRETURN: u8 = 0xad;
const ARETURN: u8 = 0xb0;
const STAMP_BITS: i32 = 255;
const OF_ARRAY: &str = "([Ljava/lang/Object;I)V";
/// Above the number of an operation stands that of the first which is called alike.
const NUMBER_BITS: u32 = 8;

/// The operation that a method is, if it is one.
pub(super) fn operation<'p>(
    class: &ClassFile<'_>,
    method: &Member<'_>,
    plan: &'p Plan,
) -> Option<&'p Operation> {
    let this = class.pool.class(class.this_class)?;
    let name = class.pool.utf8(method.name)?;
    let descriptor = class.pool.utf8(method.descriptor)?;
    let called = (this, name, descriptor);
    let all = plan.operations.iter();
    let mut alike = all.filter(|one| (one.class, one.name, one.descriptor) == called);
    alike.find(|one| !is_static(method) || !one.is_on_this())
}

/// Where an operation calls others of its class, which then say nothing: the calls, and what is called.
pub(super) fn silenced(
    class: &ClassFile<'_>,
    insns: &[Insn],
    plan: &Plan,
    operation: &Operation,
) -> Vec<(u16, u8)> {
    if operation.makes() || operation.subject == Subject::Born {
        return Vec::new();
    }
    let called = |insn: &Insn| match (insn.opcode, &insn.operand) {
        (0xb6 | 0xb7, Operand::Pool(index)) => {
            let called = class.pool.member(*index)?;
            let mut others = plan.operations.iter();
            let other = others.find(|one| {
                !one.within
                    && one.class == operation.class
                    && one.number != operation.number
                    && (one.class, one.name, one.descriptor)
                        == (called.class, called.name, called.descriptor)
            })?;
            Some((insn.bci, alike(plan, other)))
        }
        _ => None,
    };
    insns.iter().filter_map(called).collect()
}

/// The first operation that is called as this one is.
fn alike(plan: &Plan, operation: &Operation) -> u8 {
    let called = (operation.name, operation.descriptor);
    let mut all = plan.operations.iter();
    let first = all.find(|one| (one.name, one.descriptor) == called);
    first.map_or(operation.number, |one| one.number)
}

impl Operation {
    fn is_on_this(&self) -> bool {
        matches!(self.subject, Subject::This | Subject::Field(..))
    }

    /// What it makes is complete at another time: what it calls for that is told.
    fn makes(&self) -> bool {
        matches!(self.subject, Subject::Made(_) | Subject::MadeOfAll)
    }
}

/// New local variables of an operation.
#[derive(Clone, Copy)]
struct Slots {
    /// What stands for the object; 0 where that is known only when it returns.
    token: u16,
    /// How many, where that is said at the beginning.
    count: Option<u16>,
}

impl Weaver<'_, '_> {
    pub(super) fn operation(&mut self, operation: &Operation) -> Result<(), Reason> {
        self.site(SiteKind::Operation, 0);
        if operation.subject == Subject::Born {
            return self.born(operation);
        }
        let slots = self.begin(operation)?;
        let last = self.edit.insns().last().map_or(0, |insn| insn.bci);
        let threw = self.tell(Fragment::new(), "threw", "(III)V", (operation, slots))?;
        let state = self.types.around_method(Vec::new());
        let thrown = self.edit.append(threw.op(ATHROW), state, last);
        let mut start = Place::Before(0, 0);
        for (bci, opcode) in self.returns(RETURNS) {
            self.edit
                .catch_last(catch_all((start, Place::Before(bci, 0)), thrown));
            if let Some(told) = operation.after {
                self.told_at(bci, opcode, told, (operation, slots))?;
            }
            start = Place::Behind(bci);
        }
        self.edit
            .catch_last(catch_all((start, Place::Block(thrown)), thrown));
        Ok(())
    }

    /// Before a constructor returns: what it has made is whole by then, and what comes out of the probe's call is its own.
    fn born(&mut self, operation: &Operation) -> Result<(), Reason> {
        for (bci, _) in self.returns(RETURN..=RETURN) {
            let object = self.stands_for(Fragment::new().aload(0), operation)?;
            let told = self.told_of(object, "done", (operation, 1))?;
            self.edit.insert_before(bci, &told);
        }
        Ok(())
    }

    /// Where the method returns by one of these, and by which.
    pub(super) fn returns(&self, opcodes: RangeInclusive<u8>) -> Vec<(u16, u8)> {
        let insns = self.edit.insns().iter();
        let returns = insns.filter(|insn| opcodes.contains(&insn.opcode));
        returns.map(|insn| (insn.bci, insn.opcode)).collect()
    }

    /// The object's hash, how many, and the probe in front.
    fn begin(&mut self, operation: &Operation) -> Result<Slots, Reason> {
        let token = self.int_slot()?;
        let object = match operation.subject {
            Subject::This => Some(Fragment::new().aload(0)),
            Subject::Field(class, name, descriptor) => {
                let field = self.pool.field(class, name, descriptor)?;
                Some(Fragment::new().aload(0).pooled(GETFIELD, field))
            }
            Subject::Local(local) => Some(Fragment::new().aload(local)),
            Subject::Result | Subject::Born | Subject::Made(_) | Subject::MadeOfAll => None,
        };
        let mut before = Fragment::new().op(ICONST_0).istore(token);
        let mut start = match object {
            Some(object) => self.stands_for(object, operation)?.istore(token),
            None => Fragment::new(),
        };
        let mut slots = Slots { token, count: None };
        let amount = match operation.amount {
            Amount::One | Amount::Result => None,
            Amount::Argument => Some(Fragment::new().iload(1)),
            Amount::Stamp => {
                let low = Fragment::new().lload(1).op(L2I);
                Some(low.int(STAMP_BITS, self.pool)?.op(IAND))
            }
            Amount::Thread => {
                let tid = self.pool.method("java/lang/Thread", "threadId", "()J")?;
                let low = Fragment::new().aload(1).pooled(INVOKEVIRTUAL, tid).op(L2I);
                Some(low.int((1 << TID_BITS) - 1, self.pool)?.op(IAND))
            }
            Amount::Day => {
                let unit = "java/util/concurrent/TimeUnit";
                let days = self.pool.method(unit, "toDays", "(J)J")?;
                let days = Fragment::new()
                    .aload(3)
                    .lload(1)
                    .pooled(INVOKEVIRTUAL, days);
                Some(days.op(LCONST_0).op(LCMP))
            }
        };
        if let Some(amount) = amount {
            let count = self.int_slot()?;
            before = before.op(ICONST_1).istore(count);
            start.extend(&amount.istore(count));
            slots.count = Some(count);
        }
        match operation.subject {
            Subject::Made(of) => {
                for &part in of {
                    let part = self.stands_for(Fragment::new().aload(part), operation)?;
                    start.extend(&self.told_of(part, "began", (operation, of.len()))?);
                }
            }
            Subject::MadeOfAll => {
                let array = Fragment::new().aload(0);
                let parts = array.int(self.numbers_of(operation), self.pool)?;
                let class = &self.plan.probes.entered.class;
                let probe = self.pool.method(class, "parts", OF_ARRAY)?;
                start.extend(&parts.pooled(INVOKESTATIC, probe));
            }
            _ if operation.before => {
                let began = self.tell(Fragment::new(), "began", "(III)V", (operation, slots))?;
                start.extend(&began);
            }
            _ => {}
        }
        match start.is_empty() {
            true => self.edit.insert_after(0, &before, Cover::AsPrevious, 0),
            false => self.begin_with(&before, &start)?,
        }
        Ok(slots)
    }

    /// What stands for an object that is pushed.
    fn stands_for(&mut self, object: Fragment, operation: &Operation) -> Result<Fragment, Reason> {
        let probe = &self.plan.probes.entered.class;
        let mut given = object.clone();
        let mut descriptor = "(Ljava/lang/Object;)I";
        for (at, other) in operation.others.iter().enumerate() {
            let class = self.pool.class(other)?;
            given.extend(&object);
            given = given.pooled(INSTANCEOF, class);
            if at > 0 {
                given = given.op(IOR);
            }
            descriptor = "(Ljava/lang/Object;Z)I";
        }
        let hash = self.pool.method(probe, operation.hash, descriptor)?;
        Ok(given.pooled(INVOKESTATIC, hash))
    }

    /// The call of a probe about one of so many objects; this stands for it.
    fn told_of(
        &mut self,
        object: Fragment,
        probe: &str,
        (operation, count): (&Operation, usize),
    ) -> Result<Fragment, Reason> {
        let told = object.int(self.numbers_of(operation), self.pool)?;
        let told = told.int(count as i32, self.pool)?;
        let class = &self.plan.probes.entered.class;
        let method = self.pool.method(class, probe, "(III)V")?;
        Ok(told.pooled(INVOKESTATIC, method))
    }

    fn numbers_of(&self, operation: &Operation) -> i32 {
        i32::from(operation.number) | i32::from(alike(self.plan, operation)) << NUMBER_BITS
    }

    /// The probe in front of a call of an operation: from where it is called. There is none where it might keep the call from being
    /// made: then that has no place.
    pub(super) fn called(&mut self, bci: u16, number: u8) -> Result<(), Reason> {
        let Some(stack) = self.put_away(bci)? else {
            return Ok(());
        };
        let site = self.site(SiteKind::Call(number), bci.into());
        let probe = self.calling(site.0, number)?;
        self.in_front_of(bci, &stack, &probe)
    }

    /// The same, in front of a call by an interface: the probe is given the object, and says nothing where that is none of those
    /// that tell of operations, or null. It would be taken for the place of whatever its thread calls by that name next.
    pub(super) fn called_by_face(
        &mut self,
        bci: u16,
        number: u8,
        face: usize,
    ) -> Result<(), Reason> {
        let Some(stack) = self.put_away(bci)? else {
            return Ok(());
        };
        let called = self.called_at(bci).ok_or(Refusal::Code)?;
        let kinds = types::parameters(called.descriptor).ok_or(Refusal::Code)?;
        let above = kinds.iter().map(Type::width).sum::<usize>() as u16;
        let object = stack.below_top(above).ok_or(Refusal::Code)?;
        let site = self.site(SiteKind::Call(number), bci.into());
        let told = Fragment::new().aload(object);
        let told = told.int(site.0 as i32, self.pool)?;
        let told = told.int(number.into(), self.pool)?;
        let class = &self.plan.probes.entered.class;
        let (_, probe) = INTERFACES[face];
        let method = self.pool.method(class, probe, "(Ljava/lang/Object;II)V")?;
        self.in_front_of(bci, &stack, &told.pooled(INVOKESTATIC, method))
    }

    /// What the call at a bci names.
    fn called_at(&self, bci: u16) -> Option<pool::Member<'_>> {
        let insn = &self.edit.insns()[self.edit.position(bci)?];
        match insn.operand {
            Operand::Pool(index) => self.class.pool.member(index),
            _ => None,
        }
    }

    /// The same, in front of a call on what may be an heir of its class.
    pub(super) fn called_of_heir(&mut self, bci: u16, number: u8) -> Result<(), Reason> {
        let called = self.called_at(bci).ok_or(Refusal::Code)?;
        let class = called.class.to_owned();
        let Some(stack) = self.put_away(bci)? else {
            return Ok(());
        };
        let site = self.site(SiteKind::HeirCall(number), bci.into());
        self.heirs.push((site, class));
        let probe = self.calling(site.0, number)?;
        self.in_front_of(bci, &stack, &probe)
    }

    /// In front of a call by which an operation does its work.
    pub(super) fn silence(&mut self, bci: u16, number: u8) -> Result<(), Reason> {
        let stack = self.put_away(bci)?.ok_or(Refusal::Types(bci))?;
        let probe = self.calling(INSIDE, number)?;
        self.in_front_of(bci, &stack, &probe)
    }

    fn calling(&mut self, site: u32, number: u8) -> Result<Fragment, Reason> {
        let class = &self.plan.probes.entered.class;
        let method = self.pool.method(class, "calling", "(II)V")?;
        let call = Fragment::new().int(site as i32, self.pool)?;
        let call = call.int(number.into(), self.pool)?;
        Ok(call.pooled(INVOKESTATIC, method))
    }

    fn int_slot(&mut self) -> Result<u16, Reason> {
        let slot = self.edit.new_local(1)?;
        self.edit.keep_local(slot, Type::Int);
        Ok(slot)
    }

    /// The call of a probe, its result (if it is given one) pushed already.
    fn tell(
        &mut self,
        result: Fragment,
        probe: &str,
        descriptor: &str,
        (operation, slots): (&Operation, Slots),
    ) -> Result<Fragment, Reason> {
        let number = self.numbers_of(operation);
        let told = result.iload(slots.token).int(number, self.pool)?;
        let told = match slots.count {
            Some(count) => told.iload(count),
            None => told.int(1, self.pool)?,
        };
        let class = &self.plan.probes.entered.class;
        let method = self.pool.method(class, probe, descriptor)?;
        Ok(told.pooled(INVOKESTATIC, method))
    }

    /// The probe before a return.
    fn told_at(
        &mut self,
        bci: u16,
        opcode: u8,
        told: Told,
        whole: (&Operation, Slots),
    ) -> Result<(), Reason> {
        let result = self.result(opcode)?;
        let given = match told {
            Told::Always => Fragment::new(),
            _ => result.load.clone(),
        };
        let (probe, descriptor) = match told {
            Told::Always => ("done", "(III)V"),
            Told::Truth => ("tried", "(ZIII)V"),
            Told::Amount => ("amounted", "(IIII)V"),
            Told::Stamp => ("stamped", "(JIII)V"),
            Told::Reference => ("got", "(Ljava/lang/Object;III)V"),
        };
        let (operation, _) = whole;
        let call = match operation.subject {
            Subject::Result | Subject::Born | Subject::Made(_) | Subject::MadeOfAll => {
                let object = self.stands_for(result.load.clone(), operation)?;
                self.told_of(object, "done", (operation, 1))?
            }
            Subject::This | Subject::Field(..) | Subject::Local(_) => {
                self.tell(given, probe, descriptor, whole)?
            }
        };
        self.before_return((bci, opcode), &result, &call)
    }

    /// The call of a probe before a return, which returns all the same where there is no room for that.
    pub(super) fn before_return(
        &mut self,
        (bci, opcode): (u16, u8),
        result: &Held,
        call: &Fragment,
    ) -> Result<(), Reason> {
        self.edit.insert_before(bci, &result.store);
        let from = self.edit.len_before(bci);
        self.edit.insert_before(bci, call);
        let to = self.edit.len_before(bci);
        self.edit.insert_before(bci, &result.load);
        let mut caught = Fragment::new().op(POP);
        caught.extend(&result.load);
        let state = self.types.around_method(result.locals.clone());
        let block = self.edit.append(caught.op(opcode), state, bci);
        self.edit.catch_first(Catch {
            start: Place::Before(bci, from),
            end: Place::Before(bci, to),
            target: Target::Block(block),
            catches: self.pool.class(OUT_OF_ROOM)?,
        });
        Ok(())
    }

    /// How the result of the method is put away and taken back.
    pub(super) fn result(&mut self, opcode: u8) -> Result<Held, Reason> {
        let none = Fragment::new();
        let (slots, kind) = match opcode {
            IRETURN => (1, Type::Int),
            LRETURN => (2, Type::Long),
            ARETURN => (1, Type::object(self.returned())),
            _ => {
                return Ok(Held {
                    store: none.clone(),
                    load: none,
                    locals: Vec::new(),
                });
            }
        };
        let slot = self.edit.new_local(slots)?;
        let (store, load) = match opcode {
            IRETURN => (none.clone().istore(slot), none.iload(slot)),
            LRETURN => (none.clone().lstore(slot), none.lload(slot)),
            _ => (none.clone().astore(slot), none.aload(slot)),
        };
        let mut locals = vec![Type::Top; usize::from(slot)];
        let wide = kind == Type::Long;
        locals.push(kind);
        locals.extend(wide.then_some(Type::Rest));
        Ok(Held {
            store,
            load,
            locals,
        })
    }

    /// The class that a method which returns an object returns.
    fn returned(&self) -> &str {
        let result = self.around.method.descriptor.rsplit(')').next();
        let result = result.unwrap_or_default();
        let class = result.strip_prefix('L').and_then(|r| r.strip_suffix(';'));
        class.unwrap_or(result)
    }
}

/// See [`Weaver::result`].
pub(super) struct Held {
    store: Fragment,
    load: Fragment,
    locals: Vec<Type>,
}
