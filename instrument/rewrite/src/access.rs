//! Accesses to what threads share: fields, and what objects of `java.util.concurrent.atomic` hold.
//!
//! Elements of arrays are not among them, nor is what goes through `VarHandle` or `Unsafe`.

use crate::plan::Plan;
use locklens_classfile::class::ClassFile;
use locklens_classfile::code::{Insn, Operand};

/// How an instruction gets at what it reads or writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Access {
    /// `getstatic`, `putstatic`.
    Static(Effect),
    /// `getfield`.
    Get,
    /// `putfield`; whether the value takes two slots.
    Put { wide: bool },
    /// A call of a method of an atomic: the object lies below the arguments.
    Atomic(Effect),
}

/// What it does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Effect {
    Reads,
    Writes,
    /// It reads and writes.
    Updates,
    /// It reads, and writes if its result is true.
    Tries,
    /// It reads, and writes if its result is what was expected.
    Exchanges,
}

impl Access {
    pub(crate) fn effect(self) -> Effect {
        match self {
            Self::Static(effect) | Self::Atomic(effect) => effect,
            Self::Get => Effect::Reads,
            Self::Put { .. } => Effect::Writes,
        }
    }
}

/// The access that an instruction is, if the plan asks for them.
pub(crate) fn of(class: &ClassFile<'_>, insn: &Insn, plan: &Plan) -> Option<Access> {
    let Operand::Pool(index) = insn.operand else {
        return None;
    };
    if !plan.events.accesses {
        return None;
    }
    let member = class.pool.member(index)?;
    match insn.opcode {
        0xb2 => Some(Access::Static(Effect::Reads)),
        0xb3 => Some(Access::Static(Effect::Writes)),
        0xb4 => Some(Access::Get),
        0xb5 => Some(Access::Put {
            wide: matches!(member.descriptor, "J" | "D"),
        }),
        0xb6 if ATOMICS.contains(&member.class) => effect(member.name).map(Access::Atomic),
        _ => None,
    }
}

const ATOMICS: [&str; 4] = [
    "java/util/concurrent/atomic/AtomicInteger",
    "java/util/concurrent/atomic/AtomicLong",
    "java/util/concurrent/atomic/AtomicBoolean",
    "java/util/concurrent/atomic/AtomicReference",
];

/// What a method of an atomic does to what it holds.
fn effect(method: &str) -> Option<Effect> {
    Some(match method {
        "get" | "getPlain" | "getOpaque" | "getAcquire" | "intValue" | "longValue" => Effect::Reads,
        "set" | "lazySet" | "setPlain" | "setOpaque" | "setRelease" => Effect::Writes,
        "getAndSet" | "getAndIncrement" | "getAndDecrement" | "getAndAdd" | "incrementAndGet"
        | "decrementAndGet" | "addAndGet" | "getAndUpdate" | "updateAndGet"
        | "getAndAccumulate" | "accumulateAndGet" => Effect::Updates,
        _ if method.starts_with("compareAndExchange") => Effect::Exchanges,
        _ if method.starts_with("compareAndSet") || method.starts_with("weakCompareAndSet") => {
            Effect::Tries
        }
        _ => return None,
    })
}
