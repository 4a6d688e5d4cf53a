//! Class files to a catalog, as an agent attached live sends them: no exception handlers.
//!
//! Independent of the product's own reader: it goes through the `cafebabe` crate.

use cafebabe::attributes::{AttributeData, BootstrapMethodEntry, CodeData};
use cafebabe::bytecode::Opcode as O;
use cafebabe::constant_pool::{
    BootstrapArgument, LiteralConstant, Loadable, MemberRef as CpRef, MethodHandle, ObjectArrayType,
};
use cafebabe::{ClassFile, MethodInfo};
use locklens_inference::catalog::Catalog;
use locklens_trace::code::{
    ArithOp, Bootstrap, CallSite, Code, Cond, Constant, Conversion, HandleKind, Insn, InvokeKind,
    MemberRef, Op, StackOp, Text,
};
use locklens_trace::record::{ClassDef, MethodDef, Record};
use locklens_trace::{ClassId, MethodId};

/// Adds a class file to a catalog.
pub(crate) fn define(catalog: &mut Catalog, bytes: &[u8]) {
    let class = cafebabe::parse_class(bytes).expect("class file");
    let id = ClassId(catalog.classes.len() as u32 + 1);
    catalog.define(Record::Class(ClassDef {
        id,
        loader: None,
        name: dots(&class.this_class),
        super_name: class.super_class.as_deref().map(dots),
        interfaces: class.interfaces.iter().map(|i| dots(i)).collect(),
        flags: u32::from(class.access_flags.bits()),
        source_file: None,
    }));
    for method in &class.methods {
        define_method(catalog, id, &class, method);
    }
}

fn define_method(
    catalog: &mut Catalog,
    class: ClassId,
    file: &ClassFile<'_>,
    method: &MethodInfo<'_>,
) {
    let id = MethodId(catalog.methods.len() as u32 + 1);
    catalog.define(Record::Method(MethodDef {
        id,
        class,
        name: method.name.to_string(),
        descriptor: method.descriptor.to_string(),
        flags: u32::from(method.access_flags.bits()),
        lines: Vec::new(),
    }));
    for attribute in &method.attributes {
        if let AttributeData::Code(code) = &attribute.data {
            let insns = instructions(code);
            catalog.define(Record::Code(Code {
                method: id,
                insns,
                handlers: None,
                sites: sites(code, file),
            }));
        }
    }
}

fn instructions(code: &CodeData<'_>) -> Vec<Insn> {
    let opcodes = &code.bytecode.as_ref().expect("decoded").opcodes;
    let lower = |(at, opcode): &(usize, O<'_>)| Insn {
        bci: *at as u16,
        op: operation(*at, opcode),
    };
    opcodes.iter().map(lower).collect()
}

/// What the call sites of a method are linked by.
fn sites(code: &CodeData<'_>, file: &ClassFile<'_>) -> Vec<CallSite> {
    let mut attributes = file.attributes.iter();
    let methods = attributes.find_map(|a| match &a.data {
        AttributeData::BootstrapMethods(methods) => Some(methods.as_slice()),
        _ => None,
    });
    let methods = methods.unwrap_or_default();
    let opcodes = &code.bytecode.as_ref().expect("decoded").opcodes;
    let site = |(at, opcode): &(usize, O<'_>)| match opcode {
        O::Invokedynamic(d) => Some(CallSite {
            bci: *at as u16,
            bootstrap: bootstrap(methods.get(usize::from(d.attr_index))?),
        }),
        _ => None,
    };
    opcodes.iter().filter_map(site).collect()
}

fn bootstrap(entry: &BootstrapMethodEntry<'_>) -> Bootstrap {
    Bootstrap {
        class: dots(&entry.method.class_name),
        name: entry.method.member_ref.name.to_string(),
        arguments: entry.arguments.iter().map(argument).collect(),
    }
}

fn argument(argument: &BootstrapArgument<'_>) -> Constant {
    match argument {
        BootstrapArgument::LiteralConstant(LiteralConstant::Integer(v)) => Constant::Number {
            value: i64::from(*v),
            wide: false,
        },
        BootstrapArgument::LiteralConstant(LiteralConstant::String(text)) => {
            Constant::Text(Text::of(text))
        }
        BootstrapArgument::ClassInfo(name) => Constant::Class(dots(name)),
        BootstrapArgument::MethodType(descriptor) => Constant::Type(descriptor.to_string()),
        BootstrapArgument::MethodHandle(of) => handle(of),
        BootstrapArgument::LiteralConstant(_) => Constant::Other,
    }
}

fn handle(of: &MethodHandle<'_>) -> Constant {
    Constant::Handle {
        kind: HandleKind::ALL[of.kind as usize],
        member: MemberRef {
            class: dots(&of.class_name),
            name: of.member_ref.name.to_string(),
            descriptor: of.member_ref.descriptor.to_string(),
        },
    }
}

fn dots(name: &str) -> String {
    name.replace('/', ".")
}

fn member(member: &CpRef<'_>) -> MemberRef {
    MemberRef {
        class: dots(&member.class_name),
        name: member.name_and_type.name.to_string(),
        descriptor: member.name_and_type.descriptor.to_string(),
    }
}

fn operation(at: usize, opcode: &O<'_>) -> Op {
    constant(opcode)
        .or_else(|| local(opcode))
        .or_else(|| arithmetic(opcode))
        .or_else(|| branch(at, opcode))
        .or_else(|| object(opcode))
        .unwrap_or(Op::Nop)
}

fn constant(opcode: &O<'_>) -> Option<Op> {
    let int = |value| Some(Op::Const { value, wide: false });
    match opcode {
        O::AconstNull => Some(Op::Null),
        O::Bipush(v) => int(i64::from(*v)),
        O::Sipush(v) => int(i64::from(*v)),
        O::IconstM1 => int(-1),
        O::Iconst0 => int(0),
        O::Iconst1 => int(1),
        O::Iconst2 => int(2),
        O::Iconst3 => int(3),
        O::Iconst4 => int(4),
        O::Iconst5 => int(5),
        O::Lconst0 => Some(Op::Const {
            value: 0,
            wide: true,
        }),
        O::Lconst1 => Some(Op::Const {
            value: 1,
            wide: true,
        }),
        O::Dconst0 => Some(double(0.0)),
        O::Dconst1 => Some(double(1.0)),
        O::Fconst0 => Some(float(0.0)),
        O::Fconst1 => Some(float(1.0)),
        O::Fconst2 => Some(float(2.0)),
        O::Ldc(l) | O::LdcW(l) | O::Ldc2W(l) => Some(loadable(l)),
        _ => None,
    }
}

fn double(value: f64) -> Op {
    Op::Real {
        bits: value.to_bits(),
        wide: true,
    }
}

fn float(value: f32) -> Op {
    Op::Real {
        bits: value.to_bits().into(),
        wide: false,
    }
}

fn loadable(loadable: &Loadable<'_>) -> Op {
    match loadable {
        Loadable::LiteralConstant(LiteralConstant::Integer(v)) => Op::Const {
            value: i64::from(*v),
            wide: false,
        },
        Loadable::LiteralConstant(LiteralConstant::Long(v)) => Op::Const {
            value: *v,
            wide: true,
        },
        Loadable::LiteralConstant(LiteralConstant::Double(v)) => double(*v),
        Loadable::LiteralConstant(LiteralConstant::Float(v)) => float(*v),
        Loadable::LiteralConstant(LiteralConstant::String(text)) => Op::Text(Text::of(text)),
        Loadable::ClassInfo(name) => Op::ClassLiteral(dots(name)),
        _ => Op::Literal { wide: false },
    }
}

fn local(opcode: &O<'_>) -> Option<Op> {
    Some(match opcode {
        O::Aload(slot) | O::Iload(slot) | O::Fload(slot) => Op::Load {
            slot: *slot,
            wide: false,
        },
        O::Lload(slot) | O::Dload(slot) => Op::Load {
            slot: *slot,
            wide: true,
        },
        O::Astore(slot) | O::Istore(slot) | O::Fstore(slot) => Op::Store {
            slot: *slot,
            wide: false,
        },
        O::Lstore(slot) | O::Dstore(slot) => Op::Store {
            slot: *slot,
            wide: true,
        },
        O::Iinc(slot, delta) => Op::Iinc {
            slot: *slot,
            delta: *delta,
        },
        O::Pop => Op::Stack(StackOp::Pop),
        O::Pop2 => Op::Stack(StackOp::Pop2),
        O::Dup => Op::Stack(StackOp::Dup),
        O::DupX1 => Op::Stack(StackOp::DupX1),
        O::DupX2 => Op::Stack(StackOp::DupX2),
        O::Dup2 => Op::Stack(StackOp::Dup2),
        O::Dup2X1 => Op::Stack(StackOp::Dup2X1),
        O::Dup2X2 => Op::Stack(StackOp::Dup2X2),
        O::Swap => Op::Stack(StackOp::Swap),
        _ => return None,
    })
}

fn arithmetic(opcode: &O<'_>) -> Option<Op> {
    use ArithOp as A;
    let (op, wide) = match opcode {
        O::Iadd | O::Fadd => (A::Add, false),
        O::Ladd | O::Dadd => (A::Add, true),
        O::Isub | O::Fsub => (A::Sub, false),
        O::Lsub | O::Dsub => (A::Sub, true),
        O::Imul | O::Fmul => (A::Mul, false),
        O::Lmul | O::Dmul => (A::Mul, true),
        O::Idiv | O::Fdiv => (A::Div, false),
        O::Ldiv | O::Ddiv => (A::Div, true),
        O::Irem | O::Frem => (A::Rem, false),
        O::Lrem | O::Drem => (A::Rem, true),
        O::Ineg | O::Fneg => (A::Neg, false),
        O::Lneg | O::Dneg => (A::Neg, true),
        O::Ishl => (A::Shl, false),
        O::Lshl => (A::Shl, true),
        O::Ishr => (A::Shr, false),
        O::Lshr => (A::Shr, true),
        O::Iushr => (A::Ushr, false),
        O::Lushr => (A::Ushr, true),
        O::Iand => (A::And, false),
        O::Land => (A::And, true),
        O::Ior => (A::Or, false),
        O::Lor => (A::Or, true),
        O::Ixor => (A::Xor, false),
        O::Lxor => (A::Xor, true),
        _ => return conversion(opcode),
    };
    Some(Op::Arith { op, wide })
}

fn conversion(opcode: &O<'_>) -> Option<Op> {
    let compare = |wide, unordered| Some(Op::Compare { wide, unordered });
    let how = match opcode {
        O::I2l => Conversion::IntToLong,
        O::I2f => Conversion::IntToFloat,
        O::I2d => Conversion::IntToDouble,
        O::L2i => Conversion::LongToInt,
        O::L2f => Conversion::LongToFloat,
        O::L2d => Conversion::LongToDouble,
        O::F2i => Conversion::FloatToInt,
        O::F2l => Conversion::FloatToLong,
        O::F2d => Conversion::FloatToDouble,
        O::D2i => Conversion::DoubleToInt,
        O::D2l => Conversion::DoubleToLong,
        O::D2f => Conversion::DoubleToFloat,
        O::I2b => Conversion::IntToByte,
        O::I2c => Conversion::IntToChar,
        O::I2s => Conversion::IntToShort,
        O::Lcmp => return compare(true, None),
        O::Fcmpl => return compare(false, Some(-1)),
        O::Fcmpg => return compare(false, Some(1)),
        O::Dcmpl => return compare(true, Some(-1)),
        O::Dcmpg => return compare(true, Some(1)),
        _ => return None,
    };
    Some(Op::Convert {
        from_wide: how.from_wide(),
        to_wide: how.to_wide(),
        how: Some(how),
    })
}

fn branch(at: usize, opcode: &O<'_>) -> Option<Op> {
    let to = |offset: &i32| (at as i32 + offset) as u16;
    let int = |cond, offset| Op::If {
        cond,
        target: to(offset),
    };
    let two = |cond, offset| Op::IfCmp {
        cond,
        target: to(offset),
    };
    Some(match opcode {
        O::Ifeq(o) => int(Cond::Eq, o),
        O::Ifne(o) => int(Cond::Ne, o),
        O::Iflt(o) => int(Cond::Lt, o),
        O::Ifge(o) => int(Cond::Ge, o),
        O::Ifgt(o) => int(Cond::Gt, o),
        O::Ifle(o) => int(Cond::Le, o),
        O::IfIcmpeq(o) => two(Cond::Eq, o),
        O::IfIcmpne(o) => two(Cond::Ne, o),
        O::IfIcmplt(o) => two(Cond::Lt, o),
        O::IfIcmpge(o) => two(Cond::Ge, o),
        O::IfIcmpgt(o) => two(Cond::Gt, o),
        O::IfIcmple(o) => two(Cond::Le, o),
        O::IfAcmpeq(o) => Op::IfRef {
            equal: true,
            target: to(o),
        },
        O::IfAcmpne(o) => Op::IfRef {
            equal: false,
            target: to(o),
        },
        O::Ifnull(o) => Op::IfNull {
            null: true,
            target: to(o),
        },
        O::Ifnonnull(o) => Op::IfNull {
            null: false,
            target: to(o),
        },
        O::Goto(o) => Op::Goto(to(o)),
        O::Jsr(o) => Op::Jsr(to(o)),
        O::Ret(slot) => Op::Ret(*slot),
        O::Lookupswitch(table) => Op::Switch {
            cases: table
                .match_offsets
                .iter()
                .map(|(k, o)| (*k, to(o)))
                .collect(),
            default: to(&table.default),
        },
        O::Tableswitch(table) => Op::Switch {
            cases: (table.low..).zip(table.jumps.iter().map(to)).collect(),
            default: to(&table.default),
        },
        O::Return => Op::Return { value: false },
        O::Areturn | O::Ireturn | O::Freturn | O::Lreturn | O::Dreturn => {
            Op::Return { value: true }
        }
        O::Athrow => Op::Throw,
        _ => return None,
    })
}

fn object(opcode: &O<'_>) -> Option<Op> {
    let call = |kind, m| Op::Invoke {
        kind,
        method: member(m),
    };
    Some(match opcode {
        O::Getfield(f) => Op::GetField(member(f)),
        O::Putfield(f) => Op::PutField(member(f)),
        O::Getstatic(f) => Op::GetStatic(member(f)),
        O::Putstatic(f) => Op::PutStatic(member(f)),
        O::Invokestatic(m) => call(InvokeKind::Static, m),
        O::Invokespecial(m) => call(InvokeKind::Special, m),
        O::Invokevirtual(m) => call(InvokeKind::Virtual, m),
        O::Invokeinterface(m, _) => call(InvokeKind::Interface, m),
        O::Invokedynamic(d) => Op::Invoke {
            kind: InvokeKind::Dynamic,
            method: MemberRef {
                class: String::new(),
                name: d.name_and_type.name.to_string(),
                descriptor: d.name_and_type.descriptor.to_string(),
            },
        },
        O::New(class) => Op::New(dots(class)),
        O::Newarray(_) | O::Anewarray(_) => Op::NewArray { dims: 1 },
        O::Multianewarray(_, dims) => Op::NewArray { dims: *dims },
        O::Checkcast(class) => Op::CheckCast(class_name(class)),
        O::Instanceof(class) => Op::InstanceOf(class_name(class)),
        O::Monitorenter => Op::MonitorEnter,
        O::Monitorexit => Op::MonitorExit,
        _ => return array(opcode),
    })
}

fn array(opcode: &O<'_>) -> Option<Op> {
    Some(match opcode {
        O::Aaload | O::Baload | O::Caload | O::Faload | O::Iaload | O::Saload => {
            Op::ArrayLoad { wide: false }
        }
        O::Daload | O::Laload => Op::ArrayLoad { wide: true },
        O::Aastore | O::Bastore | O::Castore | O::Fastore | O::Iastore | O::Sastore => {
            Op::ArrayStore { wide: false }
        }
        O::Dastore | O::Lastore => Op::ArrayStore { wide: true },
        O::Arraylength => Op::ArrayLength,
        _ => return None,
    })
}

fn class_name(class: &ObjectArrayType<'_>) -> String {
    match class {
        ObjectArrayType::BinaryName(name) => dots(name),
        ObjectArrayType::ArrayType(array) => array.to_string(),
    }
}
