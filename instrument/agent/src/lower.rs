//! Bytecode to the form of the trace: names instead of pool indices, meanings instead of opcodes.
//!
//! A method whose code refers to something that is not in the pool is given up as a whole: half of
//! a method would be taken for all of it.

use locklens_classfile::code::{Insn as Raw, Operand, instructions};
use locklens_classfile::pool::{Constant, Pool};
use locklens_trace::code::{
    ArithOp, Cond, Conversion, Insn, InvokeKind, MemberRef, Op, StackOp, Text,
};

/// The instructions of a method; none if they cannot be read in full.
pub(crate) fn lower(code: &[u8], pool: &Pool) -> Option<Vec<Insn>> {
    instructions(code)
        .map(|raw| {
            let raw = raw.ok()?;
            let op = operation(&raw, pool)?;
            Some(Insn { bci: raw.bci, op })
        })
        .collect()
}

/// `java/lang/Object` → `java.lang.Object`.
pub(crate) fn dotted(internal: &str) -> String {
    internal.replace('/', ".")
}

fn operation(raw: &Raw, pool: &Pool) -> Option<Op> {
    let opcode = raw.opcode;
    match &raw.operand {
        Operand::None => simple(opcode),
        Operand::Value(_) if opcode == 0xbc => Some(Op::NewArray { dims: 1 }),
        Operand::Value(value) => Some(int(i64::from(*value))),
        Operand::Local(slot) => local(opcode, *slot),
        Operand::Increment(slot, delta) => Some(Op::Iinc {
            slot: *slot,
            delta: *delta,
        }),
        Operand::Pool(index) => pooled(opcode, *index, pool),
        Operand::Array(_, dims) => Some(Op::NewArray { dims: *dims }),
        Operand::Branch(target) => branch(opcode, *target),
        Operand::Switch { cases, default } => Some(Op::Switch {
            cases: cases.clone(),
            default: *default,
        }),
    }
}

fn int(value: i64) -> Op {
    Op::Const { value, wide: false }
}

/// Among int, long, float, double (and reference): whether the type takes two words.
fn is_wide(kind: u8) -> bool {
    kind == 1 || kind == 3
}

fn simple(opcode: u8) -> Option<Op> {
    Some(match opcode {
        0x00 => Op::Nop,
        0x01 => Op::Null,
        0x02..=0x08 => int(i64::from(opcode) - 3),
        0x09 | 0x0a => Op::Const {
            value: i64::from(opcode) - 9,
            wide: true,
        },
        0x0b..=0x0d => float((opcode - 0x0b).into()),
        0x0e | 0x0f => double((opcode - 0x0e).into()),
        0x1a..=0x2d => Op::Load {
            slot: u16::from((opcode - 0x1a) % 4),
            wide: is_wide((opcode - 0x1a) / 4),
        },
        0x2e..=0x35 => Op::ArrayLoad {
            wide: is_wide(opcode - 0x2e),
        },
        0x3b..=0x4e => Op::Store {
            slot: u16::from((opcode - 0x3b) % 4),
            wide: is_wide((opcode - 0x3b) / 4),
        },
        0x4f..=0x56 => Op::ArrayStore {
            wide: is_wide(opcode - 0x4f),
        },
        0x57..=0x5f => Op::Stack(shuffle(opcode)?),
        0x60..=0x83 => arithmetic(opcode)?,
        0x85..=0x93 => conversion(opcode)?,
        0x94 => Op::Compare {
            wide: true,
            unordered: None,
        },
        0x95..=0x98 => Op::Compare {
            wide: opcode > 0x96,
            unordered: Some(if opcode.is_multiple_of(2) { 1 } else { -1 }),
        },
        0xac..=0xb0 => Op::Return { value: true },
        0xb1 => Op::Return { value: false },
        0xbe => Op::ArrayLength,
        0xbf => Op::Throw,
        0xc2 => Op::MonitorEnter,
        0xc3 => Op::MonitorExit,
        _ => return None,
    })
}

fn shuffle(opcode: u8) -> Option<StackOp> {
    const SHUFFLES: [StackOp; 9] = [
        StackOp::Pop,
        StackOp::Pop2,
        StackOp::Dup,
        StackOp::DupX1,
        StackOp::DupX2,
        StackOp::Dup2,
        StackOp::Dup2X1,
        StackOp::Dup2X2,
        StackOp::Swap,
    ];
    SHUFFLES
        .get(usize::from(opcode.checked_sub(0x57)?))
        .copied()
}

fn arithmetic(opcode: u8) -> Option<Op> {
    // Six operators for four types, then six for int and long only.
    const FOUR: [ArithOp; 6] = [
        ArithOp::Add,
        ArithOp::Sub,
        ArithOp::Mul,
        ArithOp::Div,
        ArithOp::Rem,
        ArithOp::Neg,
    ];
    const TWO: [ArithOp; 6] = [
        ArithOp::Shl,
        ArithOp::Shr,
        ArithOp::Ushr,
        ArithOp::And,
        ArithOp::Or,
        ArithOp::Xor,
    ];
    let (op, wide) = if opcode < 0x78 {
        let at = opcode.checked_sub(0x60)?;
        (FOUR.get(usize::from(at / 4)), is_wide(at % 4))
    } else {
        let at = opcode - 0x78;
        (TWO.get(usize::from(at / 2)), at % 2 == 1)
    };
    Some(Op::Arith { op: *op?, wide })
}

fn conversion(opcode: u8) -> Option<Op> {
    let how = *Conversion::ALL.get(usize::from(opcode.checked_sub(0x85)?))?;
    Some(Op::Convert {
        from_wide: how.from_wide(),
        to_wide: how.to_wide(),
        how: Some(how),
    })
}

fn float(value: f32) -> Op {
    Op::Real {
        bits: value.to_bits().into(),
        wide: false,
    }
}

fn double(value: f64) -> Op {
    Op::Real {
        bits: value.to_bits(),
        wide: true,
    }
}

fn local(opcode: u8, slot: u16) -> Option<Op> {
    Some(match opcode {
        0x15..=0x19 => Op::Load {
            slot,
            wide: is_wide(opcode - 0x15),
        },
        0x36..=0x3a => Op::Store {
            slot,
            wide: is_wide(opcode - 0x36),
        },
        0xa9 => Op::Ret(slot),
        _ => return None,
    })
}

fn branch(opcode: u8, target: u16) -> Option<Op> {
    const CONDS: [Cond; 6] = [Cond::Eq, Cond::Ne, Cond::Lt, Cond::Ge, Cond::Gt, Cond::Le];
    let cond = |first: u8| CONDS.get(usize::from(opcode - first)).copied();
    Some(match opcode {
        0x99..=0x9e => Op::If {
            cond: cond(0x99)?,
            target,
        },
        0x9f..=0xa4 => Op::IfCmp {
            cond: cond(0x9f)?,
            target,
        },
        0xa5 | 0xa6 => Op::IfRef {
            equal: opcode == 0xa5,
            target,
        },
        0xc6 | 0xc7 => Op::IfNull {
            null: opcode == 0xc6,
            target,
        },
        0xa7 | 0xc8 => Op::Goto(target),
        0xa8 | 0xc9 => Op::Jsr(target),
        _ => return None,
    })
}

fn pooled(opcode: u8, index: u16, pool: &Pool) -> Option<Op> {
    let class = || pool.class(index).map(dotted);
    let invoke = |kind| {
        let method = member(pool, index)?;
        Some(Op::Invoke { kind, method })
    };
    match opcode {
        0x12..=0x14 => constant(pool, index),
        0xb2 => member(pool, index).map(Op::GetStatic),
        0xb3 => member(pool, index).map(Op::PutStatic),
        0xb4 => member(pool, index).map(Op::GetField),
        0xb5 => member(pool, index).map(Op::PutField),
        0xb6 => invoke(InvokeKind::Virtual),
        0xb7 => invoke(InvokeKind::Special),
        0xb8 => invoke(InvokeKind::Static),
        0xb9 => invoke(InvokeKind::Interface),
        0xba => invoke(InvokeKind::Dynamic),
        0xbb => class().map(Op::New),
        0xbd => Some(Op::NewArray { dims: 1 }),
        0xc0 => class().map(Op::CheckCast),
        0xc1 => class().map(Op::InstanceOf),
        _ => None,
    }
}

/// The field or method of an index.
pub(crate) fn member(pool: &Pool, index: u16) -> Option<MemberRef> {
    let member = pool.member(index)?;
    Some(MemberRef {
        class: dotted(member.class),
        name: member.name.to_owned(),
        descriptor: member.descriptor.to_owned(),
    })
}

fn constant(pool: &Pool, index: u16) -> Option<Op> {
    Some(match *pool.get(index) {
        Constant::Integer(value) => int(i64::from(value)),
        Constant::Long(value) => Op::Const { value, wide: true },
        Constant::Float(bits) => Op::Real {
            bits: bits.into(),
            wide: false,
        },
        Constant::Double(bits) => Op::Real { bits, wide: true },
        Constant::String(text) => Op::Text(Text::of(pool.utf8(text)?)),
        Constant::MethodHandle(..) | Constant::MethodType(_) => Op::Literal { wide: false },
        Constant::Class(_) => Op::ClassLiteral(pool.class(index).map(dotted)?),
        Constant::Dynamic(..) => Op::Literal {
            wide: matches!(pool.member(index)?.descriptor, "J" | "D"),
        },
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 1: `p/C`, 2: class, 3: `n`, 4: `()V`, 5: n()V, 6: method, 7: int 7, 8: double 0.5, 10: float
    /// -1, 11: string `n`.
    fn pool() -> Pool {
        let mut bytes = vec![1, 0, 3];
        bytes.extend(b"p/C");
        bytes.extend([7, 0, 1, 1, 0, 1, b'n', 1, 0, 3]);
        bytes.extend(b"()V");
        bytes.extend([12, 0, 3, 0, 4, 10, 0, 2, 0, 5, 3, 0, 0, 0, 7]);
        bytes.extend([6, 0x3f, 0xe0, 0, 0, 0, 0, 0, 0, 4, 0xbf, 0x80, 0, 0]);
        bytes.extend([8, 0, 3]);
        Pool::parse(12, &bytes).expect("well-formed")
    }

    fn ops(code: &[u8]) -> Vec<Op> {
        let insns = lower(code, &pool()).expect("readable");
        insns.into_iter().map(|insn| insn.op).collect()
    }

    #[test]
    fn names_take_the_place_of_indices() {
        let method = MemberRef {
            class: "p.C".into(),
            name: "n".into(),
            descriptor: "()V".into(),
        };
        assert_eq!(
            ops(&[0xb6, 0, 6, 0x12, 2, 0x12, 7, 0xbb, 0, 2]),
            [
                Op::Invoke {
                    kind: InvokeKind::Virtual,
                    method
                },
                Op::ClassLiteral("p.C".into()),
                int(7),
                Op::New("p.C".into()),
            ]
        );
    }

    #[test]
    fn families_of_opcodes_fold() {
        let arith = |op, wide| Op::Arith { op, wide };
        assert_eq!(
            ops(&[0x60, 0x61, 0x63, 0x77, 0x78, 0x7b, 0x83]),
            [
                arith(ArithOp::Add, false),
                arith(ArithOp::Add, true),
                arith(ArithOp::Add, true),
                arith(ArithOp::Neg, true),
                arith(ArithOp::Shl, false),
                arith(ArithOp::Shr, true),
                arith(ArithOp::Xor, true),
            ]
        );
        let convert = |how: Conversion| Op::Convert {
            from_wide: how.from_wide(),
            to_wide: how.to_wide(),
            how: Some(how),
        };
        assert_eq!(
            ops(&[0x85, 0x88, 0x8a, 0x8b, 0x8f, 0x90, 0x93]),
            [
                convert(Conversion::IntToLong),
                convert(Conversion::LongToInt),
                convert(Conversion::LongToDouble),
                convert(Conversion::FloatToInt),
                convert(Conversion::DoubleToLong),
                convert(Conversion::DoubleToFloat),
                convert(Conversion::IntToShort),
            ]
        );
        assert_eq!(
            ops(&[0x2a, 0x1f, 0x4c, 0x40, 0x02, 0x0a]),
            [
                Op::Load {
                    slot: 0,
                    wide: false
                },
                Op::Load {
                    slot: 1,
                    wide: true
                },
                Op::Store {
                    slot: 1,
                    wide: false
                },
                Op::Store {
                    slot: 1,
                    wide: true
                },
                int(-1),
                Op::Const {
                    value: 1,
                    wide: true
                },
            ]
        );
    }

    #[test]
    fn constants_are_told() {
        assert_eq!(
            ops(&[0x0c, 0x0e, 0x14, 0, 8, 0x12, 10, 0x12, 11]),
            [
                float(1.0),
                double(0.0),
                double(0.5),
                float(-1.0),
                Op::Text(Text::of("n")),
            ]
        );
        let compare = |wide, unordered| Op::Compare { wide, unordered };
        assert_eq!(
            ops(&[0x94, 0x95, 0x96, 0x97, 0x98]),
            [
                compare(true, None),
                compare(false, Some(-1)),
                compare(false, Some(1)),
                compare(true, Some(-1)),
                compare(true, Some(1)),
            ]
        );
    }

    #[test]
    fn branches_keep_their_conditions() {
        assert_eq!(
            ops(&[0x9e, 0, 0, 0xa3, 0xff, 0xfd, 0xa6, 0, 0, 0xc6, 0, 0]),
            [
                Op::If {
                    cond: Cond::Le,
                    target: 0
                },
                Op::IfCmp {
                    cond: Cond::Gt,
                    target: 0
                },
                Op::IfRef {
                    equal: false,
                    target: 6
                },
                Op::IfNull {
                    null: true,
                    target: 9
                },
            ]
        );
    }

    #[test]
    fn what_is_not_in_the_pool_gives_the_method_up() {
        assert_eq!(lower(&[0x00, 0xb6, 0, 2], &pool()), None);
        assert_eq!(lower(&[0x00, 0xff], &pool()), None);
        assert_eq!(lower(&[0x12, 1], &pool()), None);
    }
}
