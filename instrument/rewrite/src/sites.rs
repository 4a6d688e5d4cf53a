//! What there is to report in a method.

use crate::access::{self, Access};
use crate::plan::{Operation, Parts, Plan};
use locklens_classfile::class::{ClassFile, Member};
use locklens_classfile::code::{Insn, Operand};

/// What happens at a site.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SiteKind {
    /// A `monitorenter`.
    Enter,
    /// A `monitorexit`.
    Exit,
    /// The start of a synchronized method.
    MethodEnter,
    /// A return from a synchronized method.
    MethodReturn,
    /// The end of a synchronized method by an exception.
    MethodThrow,
    /// A call of `wait`.
    Wait,
    /// A call of `notify`.
    Notify,
    /// A call of `notifyAll`.
    NotifyAll,
    /// The start of a method that parks.
    Park,
    /// The start of a method that unparks.
    Unpark,
    /// A method that starts a thread, or waits for its end.
    Kin,
    /// The start of a method that is an operation of a lock.
    Operation,
    /// A call of one, outside its class, by the class or by an interface: the number of the first operation that is called so.
    Call(u8),
    /// The same, if the class it is called on extends that of the operation ([`Rewritten::heirs`](crate::Rewritten::heirs)).
    HeirCall(u8),
    /// An access to a field, or to what an object of `java.util.concurrent.atomic` holds.
    Access,
}

/// The arguments of a call of `wait`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum WaitForm {
    Unlimited,
    Millis,
    MillisAndNanos,
}

/// What an instruction does to a monitor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Deed {
    Enter,
    Exit,
    Return,
    Wait(WaitForm),
    Notify,
    NotifyAll,
    Call(u8),
    /// By an interface: which of [`INTERFACES`].
    FaceCall(u8, usize),
    HeirCall(u8),
    Access(Access),
}

/// An instruction that does something to a monitor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Act {
    pub(crate) bci: u16,
    pub(crate) deed: Deed,
}

pub(crate) const STATIC: u16 = 0x0008;
const SYNCHRONIZED: u16 = 0x0020;
const NATIVE: u16 = 0x0100;

/// Whether a method's own monitor is to be reported. On class initialisers the flag means nothing.
pub(crate) fn reports_body(method: &Member<'_>, name: &str, plan: &Plan, parts: &Parts) -> bool {
    let synchronized = method.flags & SYNCHRONIZED != 0 && !name.starts_with('<');
    synchronized && plan.events.methods && parts.has_body()
}

pub(crate) fn is_native(method: &Member<'_>) -> bool {
    method.flags & NATIVE != 0
}

pub(crate) fn is_static(method: &Member<'_>) -> bool {
    method.flags & STATIC != 0
}

/// Whether the bytes of a method can do anything to a monitor at all. May say yes for a byte that is
/// an operand; never no for one that is an opcode.
pub(crate) fn may_have_acts(code: &[u8], plan: &Plan) -> bool {
    code.iter().any(|byte| match byte {
        0xb2..=0xb5 => plan.events.accesses,
        byte => matches!(byte, 0xb6 | 0xb7 | 0xb9 | 0xc2 | 0xc3),
    })
}

/// What the instructions of a method do to monitors, as far as the plan asks for it. `body`: the
/// returns of a synchronized method count.
pub(crate) fn acts(
    class: &ClassFile<'_>,
    insns: &[Insn],
    plan: &Plan,
    parts: &Parts,
    body: bool,
) -> Vec<Act> {
    let act = |insn: &Insn| {
        let deed = deed(class, insn)
            .or_else(|| operation(class, insn, plan))
            .or_else(|| access::of(class, insn, plan).map(Deed::Access))?;
        let wanted = match deed {
            Deed::Return => body,
            Deed::Enter | Deed::Exit => plan.events.regions && parts.has(insn.bci),
            Deed::Wait(_) => plan.events.waits && parts.has(insn.bci),
            Deed::Notify | Deed::NotifyAll => plan.events.notifies && parts.has(insn.bci),
            Deed::Call(_) | Deed::FaceCall(..) | Deed::HeirCall(_) | Deed::Access(_) => {
                parts.has(insn.bci)
            }
        };
        wanted.then_some(Act {
            bci: insn.bci,
            deed,
        })
    };
    insns.iter().filter_map(act).collect()
}

fn deed(class: &ClassFile<'_>, insn: &Insn) -> Option<Deed> {
    match (insn.opcode, &insn.operand) {
        (0xc2, _) => Some(Deed::Enter),
        (0xc3, _) => Some(Deed::Exit),
        (0xac..=0xb1, _) => Some(Deed::Return),
        (0xb6 | 0xb7 | 0xb9, Operand::Pool(index)) => call(class, *index),
        _ => None,
    }
}

/// A call that may be one of an operation: whichever class is named, what is called is known only when it runs.
fn operation(class: &ClassFile<'_>, insn: &Insn, plan: &Plan) -> Option<Deed> {
    let (0xb6 | 0xb7 | 0xb9, Operand::Pool(index)) = (insn.opcode, &insn.operand) else {
        return None;
    };
    let called = class.pool.member(*index)?;
    let this = class.pool.class(class.this_class)?;
    if is_of_locks(this) {
        return None;
    }
    let alike = |one: &&Operation| (one.name, one.descriptor) == (called.name, called.descriptor);
    if !is_of_locks(called.class) {
        let mut operations = plan.operations.iter();
        let of_heirs = plan
            .operations
            .iter()
            .any(|one| one.of_heirs && alike(&one));
        let found = operations
            .find(alike)
            .filter(|_| of_heirs && may_be_heir(called.class));
        return found.map(|one| Deed::HeirCall(one.number));
    }
    // A class of the same package that has none of these operations may have a method called so.
    let is_meant = |one: &&Operation| alike(one) && one.class == called.class;
    let mut faces = INTERFACES.iter();
    let face = faces.position(|(face, _)| *face == called.class);
    let mut operations = plan.operations.iter();
    if face.is_none() && !operations.clone().any(|one| is_meant(&one)) {
        return None;
    }
    let number = operations.find(alike)?.number;
    Some(match face {
        Some(face) => Deed::FaceCall(number, face),
        None => Deed::Call(number),
    })
}

/// Interfaces by which operations are called, and the probe that knows the classes that have these.
pub(crate) const INTERFACES: [(&str, &str); 5] = [
    ("java/util/concurrent/locks/Lock", "callingLock"),
    ("java/util/concurrent/locks/Condition", "callingCondition"),
    ("java/util/concurrent/BlockingQueue", "callingQueue"),
    ("java/util/concurrent/BlockingDeque", "callingQueue"),
    ("java/util/concurrent/TransferQueue", "callingQueue"),
];

/// Whether a class, by its internal name, may be the program's, and so extend one that has operations. Who chooses what to
/// rewrite goes by it, too.
#[must_use]
pub fn may_be_heir(class: &str) -> bool {
    let others = ["java/", "javax/", "jdk/", "sun/", "["];
    !others.iter().any(|start| class.starts_with(start))
}

/// The classes that have operations, and the interfaces by which they are called.
fn is_of_locks(class: &str) -> bool {
    class.starts_with("java/util/concurrent/")
}

/// The methods of `java.lang.Object` are final: a call of that name and descriptor on any class or
/// array is a call of them, unless the class itself has a private method called so.
fn call(class: &ClassFile<'_>, index: u16) -> Option<Deed> {
    let called = class.pool.member(index)?;
    let deed = match (called.name, called.descriptor) {
        ("wait", "()V") => Deed::Wait(WaitForm::Unlimited),
        ("wait", "(J)V") => Deed::Wait(WaitForm::Millis),
        ("wait", "(JI)V") => Deed::Wait(WaitForm::MillisAndNanos),
        ("notify", "()V") => Deed::Notify,
        ("notifyAll", "()V") => Deed::NotifyAll,
        _ => return None,
    };
    let this = class.pool.class(class.this_class)?;
    let own = |m: &Member<'_>| {
        class.pool.utf8(m.name) == Some(called.name)
            && class.pool.utf8(m.descriptor) == Some(called.descriptor)
    };
    let shadowed =
        called.class == this && this != "java/lang/Object" && class.methods.iter().any(own);
    (!shadowed).then_some(deed)
}
