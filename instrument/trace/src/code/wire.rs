//! Code on the wire: a pool of strings, then one tagged row per instruction. Call sites, where there
//! are any, are rows of their own at the end.

use super::{
    ArithOp, Bootstrap, CallSite, Code, Cond, Constant, Conversion, HandleKind, Handler, Insn,
    InvokeKind, MemberRef, Op, StackOp, Text,
};
use crate::ids::MethodId;
use crate::wire::{Input, WireError, put_i64, put_str, put_u32, put_u64};
use std::collections::HashMap;

const CONDS: [Cond; 6] = [Cond::Eq, Cond::Ne, Cond::Lt, Cond::Ge, Cond::Gt, Cond::Le];
const ARITH: [ArithOp; 12] = [
    ArithOp::Add,
    ArithOp::Sub,
    ArithOp::Mul,
    ArithOp::Div,
    ArithOp::Rem,
    ArithOp::Neg,
    ArithOp::Shl,
    ArithOp::Shr,
    ArithOp::Ushr,
    ArithOp::And,
    ArithOp::Or,
    ArithOp::Xor,
];
const INVOKES: [InvokeKind; 5] = [
    InvokeKind::Static,
    InvokeKind::Special,
    InvokeKind::Virtual,
    InvokeKind::Interface,
    InvokeKind::Dynamic,
];
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

fn position<T: PartialEq>(table: &[T], value: &T) -> u8 {
    table.iter().position(|v| v == value).map_or(0, |i| i as u8)
}

fn pick<T: Copy>(table: &[T], index: u8) -> Result<T, WireError> {
    table.get(index as usize).copied().ok_or(WireError::Range)
}

/// Strings in order of first use; the rows name them by number.
#[derive(Default)]
struct Pool<'a> {
    strings: Vec<&'a str>,
    numbers: HashMap<&'a str, u32>,
}

impl<'a> Pool<'a> {
    fn number(&mut self, text: &'a str) -> u32 {
        let next = self.strings.len() as u32;
        let number = *self.numbers.entry(text).or_insert(next);
        if number == next {
            self.strings.push(text);
        }
        number
    }
}

/// Appends code without its call sites.
pub(crate) fn encode(out: &mut Vec<u8>, code: &Code) {
    put_code(out, code, None);
}

/// Appends code and its call sites.
pub(crate) fn encode_sites(out: &mut Vec<u8>, code: &Code) {
    put_code(out, code, Some(&code.sites));
}

fn put_code(out: &mut Vec<u8>, code: &Code, sites: Option<&[CallSite]>) {
    let mut pool = Pool::default();
    let mut rows = Vec::new();
    let mut bci = 0;
    for insn in &code.insns {
        put_i64(&mut rows, i64::from(insn.bci) - i64::from(bci));
        bci = insn.bci;
        put_op(&mut rows, &mut pool, &insn.op);
    }
    put_handlers(&mut rows, &mut pool, code.handlers.as_deref());
    if let Some(sites) = sites {
        put_sites(&mut rows, &mut pool, sites);
    }
    put_u32(out, code.method.0);
    put_u64(out, pool.strings.len() as u64);
    for text in &pool.strings {
        put_str(out, text);
    }
    put_u64(out, code.insns.len() as u64);
    out.extend_from_slice(&rows);
}

fn put_handlers<'a>(out: &mut Vec<u8>, pool: &mut Pool<'a>, handlers: Option<&'a [Handler]>) {
    let Some(handlers) = handlers else {
        return put_u64(out, 0);
    };
    put_u64(out, handlers.len() as u64 + 1);
    for handler in handlers {
        put_u32(out, handler.start.into());
        put_u32(out, handler.end.into());
        put_u32(out, handler.target.into());
        put_u32(
            out,
            handler.catches.as_deref().map_or(0, |c| pool.number(c) + 1),
        );
    }
}

fn put_sites<'a>(out: &mut Vec<u8>, pool: &mut Pool<'a>, sites: &'a [CallSite]) {
    put_u64(out, sites.len() as u64);
    for site in sites {
        put_u32(out, site.bci.into());
        put_u32(out, pool.number(&site.bootstrap.class));
        put_u32(out, pool.number(&site.bootstrap.name));
        put_u64(out, site.bootstrap.arguments.len() as u64);
        for constant in &site.bootstrap.arguments {
            put_constant(out, pool, constant);
        }
    }
}

fn put_constant<'a>(out: &mut Vec<u8>, pool: &mut Pool<'a>, constant: &'a Constant) {
    match constant {
        Constant::Other => out.push(0),
        Constant::Number { value, wide } => {
            out.extend([1, u8::from(*wide)]);
            put_i64(out, *value);
        }
        Constant::Text(text) => put_text(out, pool, 2, text),
        Constant::Class(name) => put_name(out, pool, 3, name),
        Constant::Type(descriptor) => put_name(out, pool, 4, descriptor),
        Constant::Handle { kind, member } => {
            put_member(out, pool, 5, member);
            out.push(position(&HandleKind::ALL, kind));
        }
    }
}

fn put_op<'a>(out: &mut Vec<u8>, pool: &mut Pool<'a>, op: &'a Op) {
    match op {
        Op::Nop => out.push(0),
        Op::Const { value, wide } => {
            out.extend([1, u8::from(*wide)]);
            put_i64(out, *value);
        }
        Op::Null => out.push(2),
        Op::Literal { wide } => out.extend([3, u8::from(*wide)]),
        Op::ClassLiteral(name) => put_name(out, pool, 4, name),
        Op::Load { slot, wide } => put_slot(out, 5, *slot, *wide),
        Op::Store { slot, wide } => put_slot(out, 6, *slot, *wide),
        Op::Iinc { slot, delta } => {
            out.push(7);
            put_u32(out, (*slot).into());
            put_i64(out, (*delta).into());
        }
        Op::Stack(shuffle) => out.extend([8, position(&SHUFFLES, shuffle)]),
        Op::GetField(field) => put_member(out, pool, 9, field),
        Op::PutField(field) => put_member(out, pool, 10, field),
        Op::GetStatic(field) => put_member(out, pool, 11, field),
        Op::PutStatic(field) => put_member(out, pool, 12, field),
        Op::ArrayLoad { wide } => out.extend([13, u8::from(*wide)]),
        Op::ArrayStore { wide } => out.extend([14, u8::from(*wide)]),
        Op::ArrayLength => out.push(15),
        Op::Arith { op, wide } => out.extend([16, position(&ARITH, op), u8::from(*wide)]),
        Op::Convert { how: Some(how), .. } => {
            out.extend([37, position(&Conversion::ALL, how)]);
        }
        Op::Convert {
            from_wide, to_wide, ..
        } => {
            out.extend([17, u8::from(*from_wide), u8::from(*to_wide)]);
        }
        Op::Compare {
            wide,
            unordered: Some(order),
        } => out.extend([38, u8::from(*wide), u8::from(*order > 0)]),
        Op::Compare { wide, .. } => out.extend([18, u8::from(*wide)]),
        Op::Real { bits, wide } => {
            out.extend([39, u8::from(*wide)]);
            // Common numbers have their bits at the top.
            put_u64(out, bits.swap_bytes());
        }
        Op::Text(text) => put_text(out, pool, 40, text),
        Op::NewArray { dims } => out.extend([28, *dims]),
        Op::New(name) => put_name(out, pool, 29, name),
        Op::CheckCast(name) => put_name(out, pool, 30, name),
        Op::InstanceOf(name) => put_name(out, pool, 31, name),
        Op::MonitorEnter => out.push(32),
        Op::MonitorExit => out.push(33),
        Op::Throw => out.push(34),
        Op::Return { value } => out.extend([35, u8::from(*value)]),
        Op::Invoke { kind, method } => {
            put_member(out, pool, 36, method);
            out.push(position(&INVOKES, kind));
        }
        branch => put_branch(out, branch),
    }
}

fn put_branch(out: &mut Vec<u8>, op: &Op) {
    let target = match op {
        Op::If { cond, target } => {
            out.extend([19, position(&CONDS, cond)]);
            *target
        }
        Op::IfCmp { cond, target } => {
            out.extend([20, position(&CONDS, cond)]);
            *target
        }
        Op::IfRef { equal, target } => {
            out.extend([21, u8::from(*equal)]);
            *target
        }
        Op::IfNull { null, target } => {
            out.extend([22, u8::from(*null)]);
            *target
        }
        Op::Goto(target) => {
            out.push(23);
            *target
        }
        Op::Jsr(target) => {
            out.push(24);
            *target
        }
        Op::Ret(slot) => {
            out.push(25);
            *slot
        }
        Op::Switch { cases, default } => {
            out.push(26);
            put_u64(out, cases.len() as u64);
            for &(key, target) in cases {
                put_i64(out, key.into());
                put_u32(out, target.into());
            }
            *default
        }
        _ => return out.push(0),
    };
    put_u32(out, target.into());
}

fn put_name<'a>(out: &mut Vec<u8>, pool: &mut Pool<'a>, code: u8, name: &'a str) {
    out.push(code);
    put_u32(out, pool.number(name));
}

fn put_text<'a>(out: &mut Vec<u8>, pool: &mut Pool<'a>, code: u8, text: &'a Text) {
    put_name(out, pool, code, &text.start);
    put_u32(out, text.length);
}

fn put_slot(out: &mut Vec<u8>, code: u8, slot: u16, wide: bool) {
    out.extend([code, u8::from(wide)]);
    put_u32(out, slot.into());
}

fn put_member<'a>(out: &mut Vec<u8>, pool: &mut Pool<'a>, code: u8, member: &'a MemberRef) {
    out.push(code);
    for text in [&member.class, &member.name, &member.descriptor] {
        put_u32(out, pool.number(text));
    }
}

/// Reads what [`encode`] writes.
pub(crate) fn decode(input: &mut Input<'_>) -> Result<Code, WireError> {
    Ok(code(input)?.0)
}

/// Reads what [`encode_sites`] writes.
pub(crate) fn decode_with_sites(input: &mut Input<'_>) -> Result<Code, WireError> {
    let (mut code, pool) = code(input)?;
    code.sites = input.list(|i| site(i, &pool))?;
    Ok(code)
}

/// Code without call sites, and its strings.
fn code(input: &mut Input<'_>) -> Result<(Code, Vec<String>), WireError> {
    let method = MethodId(input.u32()?);
    let pool = input.list(Input::str)?;
    let mut bci = 0_i64;
    let insns = input.list(|i| {
        bci = bci.checked_add(i.i64()?).ok_or(WireError::Range)?;
        Ok(Insn {
            bci: u16::try_from(bci).map_err(|_| WireError::Range)?,
            op: op(i, &pool)?,
        })
    })?;
    let handlers = handlers(input, &pool)?;
    let code = Code {
        method,
        insns,
        handlers,
        sites: Vec::new(),
    };
    Ok((code, pool))
}

fn site(input: &mut Input<'_>, pool: &[String]) -> Result<CallSite, WireError> {
    Ok(CallSite {
        bci: input.u16()?,
        bootstrap: Bootstrap {
            class: name(input, pool)?,
            name: name(input, pool)?,
            arguments: input.list(|i| constant(i, pool))?,
        },
    })
}

fn constant(input: &mut Input<'_>, pool: &[String]) -> Result<Constant, WireError> {
    Ok(match input.u8()? {
        0 => Constant::Other,
        1 => {
            let wide = input.bool()?;
            let value = input.i64()?;
            Constant::Number { value, wide }
        }
        2 => Constant::Text(text_constant(input, pool)?),
        3 => Constant::Class(name(input, pool)?),
        4 => Constant::Type(name(input, pool)?),
        5 => {
            let member = member(input, pool)?;
            let kind = pick(&HandleKind::ALL, input.u8()?)?;
            Constant::Handle { kind, member }
        }
        unknown => return Err(WireError::Tag(unknown)),
    })
}

fn text_constant(input: &mut Input<'_>, pool: &[String]) -> Result<Text, WireError> {
    Ok(Text {
        start: name(input, pool)?,
        length: input.u32()?,
    })
}

fn handlers(input: &mut Input<'_>, pool: &[String]) -> Result<Option<Vec<Handler>>, WireError> {
    let count = input.u64()?;
    if count == 0 {
        return Ok(None);
    }
    let mut handlers = Vec::new();
    for _ in 1..count {
        handlers.push(Handler {
            start: input.u16()?,
            end: input.u16()?,
            target: input.u16()?,
            catches: match input.u32()? {
                0 => None,
                n => Some(text(pool, n - 1)?),
            },
        });
    }
    Ok(Some(handlers))
}

fn text(pool: &[String], number: u32) -> Result<String, WireError> {
    pool.get(number as usize).cloned().ok_or(WireError::Range)
}

fn name(input: &mut Input<'_>, pool: &[String]) -> Result<String, WireError> {
    text(pool, input.u32()?)
}

fn member(input: &mut Input<'_>, pool: &[String]) -> Result<MemberRef, WireError> {
    Ok(MemberRef {
        class: name(input, pool)?,
        name: name(input, pool)?,
        descriptor: name(input, pool)?,
    })
}

fn op(input: &mut Input<'_>, pool: &[String]) -> Result<Op, WireError> {
    Ok(match input.u8()? {
        0 => Op::Nop,
        1 => {
            let wide = input.bool()?;
            let value = input.i64()?;
            Op::Const { value, wide }
        }
        2 => Op::Null,
        3 => Op::Literal {
            wide: input.bool()?,
        },
        4 => Op::ClassLiteral(name(input, pool)?),
        5 => {
            let wide = input.bool()?;
            let slot = input.u16()?;
            Op::Load { slot, wide }
        }
        6 => {
            let wide = input.bool()?;
            let slot = input.u16()?;
            Op::Store { slot, wide }
        }
        7 => Op::Iinc {
            slot: input.u16()?,
            delta: input.i16()?,
        },
        8 => Op::Stack(pick(&SHUFFLES, input.u8()?)?),
        9 => Op::GetField(member(input, pool)?),
        10 => Op::PutField(member(input, pool)?),
        11 => Op::GetStatic(member(input, pool)?),
        12 => Op::PutStatic(member(input, pool)?),
        13 => Op::ArrayLoad {
            wide: input.bool()?,
        },
        14 => Op::ArrayStore {
            wide: input.bool()?,
        },
        15 => Op::ArrayLength,
        16 => Op::Arith {
            op: pick(&ARITH, input.u8()?)?,
            wide: input.bool()?,
        },
        17 => Op::Convert {
            from_wide: input.bool()?,
            to_wide: input.bool()?,
            how: None,
        },
        18 => Op::Compare {
            wide: input.bool()?,
            unordered: None,
        },
        28 => Op::NewArray { dims: input.u8()? },
        29 => Op::New(name(input, pool)?),
        30 => Op::CheckCast(name(input, pool)?),
        31 => Op::InstanceOf(name(input, pool)?),
        32 => Op::MonitorEnter,
        33 => Op::MonitorExit,
        34 => Op::Throw,
        35 => Op::Return {
            value: input.bool()?,
        },
        36 => {
            let method = member(input, pool)?;
            let kind = pick(&INVOKES, input.u8()?)?;
            Op::Invoke { kind, method }
        }
        37 => {
            let how = pick(&Conversion::ALL, input.u8()?)?;
            Op::Convert {
                from_wide: how.from_wide(),
                to_wide: how.to_wide(),
                how: Some(how),
            }
        }
        38 => Op::Compare {
            wide: input.bool()?,
            unordered: Some(if input.bool()? { 1 } else { -1 }),
        },
        39 => {
            let wide = input.bool()?;
            let bits = input.u64()?.swap_bytes();
            Op::Real { bits, wide }
        }
        40 => Op::Text(text_constant(input, pool)?),
        branch => return self::branch(input, branch),
    })
}

fn branch(input: &mut Input<'_>, code: u8) -> Result<Op, WireError> {
    Ok(match code {
        19 => Op::If {
            cond: pick(&CONDS, input.u8()?)?,
            target: input.u16()?,
        },
        20 => Op::IfCmp {
            cond: pick(&CONDS, input.u8()?)?,
            target: input.u16()?,
        },
        21 => Op::IfRef {
            equal: input.bool()?,
            target: input.u16()?,
        },
        22 => Op::IfNull {
            null: input.bool()?,
            target: input.u16()?,
        },
        23 => Op::Goto(input.u16()?),
        24 => Op::Jsr(input.u16()?),
        25 => Op::Ret(input.u16()?),
        26 => Op::Switch {
            cases: input.list(|i| Ok((i.i32()?, i.u16()?)))?,
            default: input.u16()?,
        },
        unknown => return Err(WireError::Tag(unknown)),
    })
}
