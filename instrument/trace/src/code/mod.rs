//! Bytecode in the form the analyser needs: constant-pool references resolved to names,
//! opcodes folded to their meaning, branch targets absolute.
//!
//! The agent lowers class-file bytes to this (it alone can read them); the analyser never sees
//! a constant pool. Exception handlers are unknown on a live attach (JVMTI does not give them):
//! `handlers` is then `None`.
//!
//! Texts, numbers of floating point, kinds of conversions and call sites came later: traces with
//! them need [`feature::CONSTANTS`](crate::chunk::feature::CONSTANTS), in older ones they are unknown.

mod constant;
mod wire;

use crate::ids::MethodId;

pub use constant::{Bootstrap, CallSite, Constant, Conversion, HandleKind, Text};
pub(crate) use wire::{decode, decode_with_sites, encode, encode_sites};

/// The code of one method.
#[derive(Clone, Debug, PartialEq)]
pub struct Code {
    /// The method.
    pub method: MethodId,
    /// Instructions, ascending by bci.
    pub insns: Vec<Insn>,
    /// Exception handlers; none when they could not be read.
    pub handlers: Option<Vec<Handler>>,
    /// What its `invokedynamic` instructions are linked by, where that is known; ascending by bci.
    pub sites: Vec<CallSite>,
}

/// One entry of the exception table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Handler {
    /// First covered bci.
    pub start: u16,
    /// First bci no longer covered.
    pub end: u16,
    /// Where it continues.
    pub target: u16,
    /// Binary name of the exception class; none catches everything.
    pub catches: Option<String>,
}

/// One instruction.
#[derive(Clone, Debug, PartialEq)]
pub struct Insn {
    /// Bytecode index.
    pub bci: u16,
    /// What it does.
    pub op: Op,
}

/// A field or method named by an instruction. Class names are binary names with dots.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct MemberRef {
    /// Class it was looked up in.
    pub class: String,
    /// Simple name.
    pub name: String,
    /// Descriptor.
    pub descriptor: String,
}

/// Condition of a branch.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Cond {
    /// `==`
    Eq,
    /// `!=`
    Ne,
    /// `<`
    Lt,
    /// `>=`
    Ge,
    /// `>`
    Gt,
    /// `<=`
    Le,
}

/// Operator of an arithmetic instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ArithOp {
    /// `+`
    Add,
    /// `-`
    Sub,
    /// `*`
    Mul,
    /// `/`
    Div,
    /// `%`
    Rem,
    /// unary `-`: one operand
    Neg,
    /// `<<` (shift count is an int)
    Shl,
    /// `>>`
    Shr,
    /// `>>>`
    Ushr,
    /// `&`
    And,
    /// `|`
    Or,
    /// `^`
    Xor,
}

/// How a method is called.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum InvokeKind {
    /// `invokestatic`
    Static,
    /// `invokespecial`
    Special,
    /// `invokevirtual`
    Virtual,
    /// `invokeinterface`
    Interface,
    /// `invokedynamic`: the class of the reference is empty, no receiver on the stack
    Dynamic,
}

/// The shuffles of the operand stack.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "the names are the JVM specification's")]
pub enum StackOp {
    Pop,
    Pop2,
    Dup,
    DupX1,
    DupX2,
    Dup2,
    Dup2X1,
    Dup2X2,
    Swap,
}

/// What an instruction does. `wide` marks long and double, which take two stack words.
#[derive(Clone, Debug, PartialEq)]
pub enum Op {
    /// Nothing.
    Nop,
    /// Pushes an int or long constant.
    Const {
        /// Its value.
        value: i64,
        /// Long.
        wide: bool,
    },
    /// Pushes null.
    Null,
    /// Pushes a float or double constant.
    Real {
        /// Its bits; those of a float in the low half.
        bits: u64,
        /// Double.
        wide: bool,
    },
    /// Pushes the constant text of a `String`.
    Text(Text),
    /// Pushes any other constant (a method handle …), or one that was not recorded.
    Literal {
        /// Double.
        wide: bool,
    },
    /// Pushes a class mirror.
    ClassLiteral(String),
    /// Pushes a local variable.
    Load {
        /// Slot.
        slot: u16,
        /// Long or double.
        wide: bool,
    },
    /// Pops into a local variable.
    Store {
        /// Slot.
        slot: u16,
        /// Long or double.
        wide: bool,
    },
    /// Adds to an int local.
    Iinc {
        /// Slot.
        slot: u16,
        /// Amount.
        delta: i16,
    },
    /// Shuffles the operand stack.
    Stack(StackOp),
    /// Pops a reference, pushes the field.
    GetField(MemberRef),
    /// Pops a value and a reference.
    PutField(MemberRef),
    /// Pushes a static field.
    GetStatic(MemberRef),
    /// Pops into a static field.
    PutStatic(MemberRef),
    /// Pops index and array, pushes the element.
    ArrayLoad {
        /// Long or double.
        wide: bool,
    },
    /// Pops value, index and array.
    ArrayStore {
        /// Long or double.
        wide: bool,
    },
    /// Pops an array, pushes its length.
    ArrayLength,
    /// Arithmetic on int/long/float/double.
    Arith {
        /// Operator.
        op: ArithOp,
        /// Long or double.
        wide: bool,
    },
    /// Conversion between primitives.
    Convert {
        /// Operand is long or double.
        from_wide: bool,
        /// Result is long or double.
        to_wide: bool,
        /// Which one, where that was recorded.
        how: Option<Conversion>,
    },
    /// Three-way comparison of two operands, pushes an int.
    Compare {
        /// Operands are long or double.
        wide: bool,
        /// What is pushed when an operand is no number; none of longs, and where that was not
        /// recorded.
        unordered: Option<i8>,
    },
    /// Branch on an int compared with zero.
    If {
        /// Branches when true.
        cond: Cond,
        /// Where to.
        target: u16,
    },
    /// Branch on two ints.
    IfCmp {
        /// Branches when true of (lower, upper) operand.
        cond: Cond,
        /// Where to.
        target: u16,
    },
    /// Branch on two references.
    IfRef {
        /// Branches when they are equal (else when they differ).
        equal: bool,
        /// Where to.
        target: u16,
    },
    /// Branch on a reference compared with null.
    IfNull {
        /// Branches when it is null (else when it is not).
        null: bool,
        /// Where to.
        target: u16,
    },
    /// Unconditional branch.
    Goto(u16),
    /// Old subroutine call: pushes a return address, branches.
    Jsr(u16),
    /// Old subroutine return.
    Ret(u16),
    /// `tableswitch` or `lookupswitch`.
    Switch {
        /// (key, target) pairs.
        cases: Vec<(i32, u16)>,
        /// Target when no key matches.
        default: u16,
    },
    /// Returns from the method.
    Return {
        /// With a value on the stack.
        value: bool,
    },
    /// Throws the reference on the stack.
    Throw,
    /// Calls a method: pops receiver (unless static or dynamic) and arguments, pushes the result.
    Invoke {
        /// How.
        kind: InvokeKind,
        /// Which.
        method: MemberRef,
    },
    /// Pushes a new, uninitialised object of the class.
    New(String),
    /// Pops the dimensions, pushes an array.
    NewArray {
        /// Dimensions popped.
        dims: u8,
    },
    /// Checks a cast; the reference stays.
    CheckCast(String),
    /// Pops a reference, pushes 0 or 1.
    InstanceOf(String),
    /// Pops a reference and locks it.
    MonitorEnter,
    /// Pops a reference and unlocks it.
    MonitorExit,
}
