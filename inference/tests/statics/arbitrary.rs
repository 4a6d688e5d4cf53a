//! Arbitrary code is survived: no panic, no endless work, the same result twice.

use locklens_inference::catalog::Catalog;
use locklens_inference::model::Options;
use locklens_inference::region::{RegionId, RegionTable};
use locklens_inference::statics::{StaticModel, survey};
use locklens_inference::trial::bench::{Bench, Outcome};
use locklens_inference::trial::machine::benches;
use locklens_trace::code::{
    ArithOp, Code, Cond, Conversion, Insn, InvokeKind, MemberRef, Op, StackOp, Text,
};
use locklens_trace::record::{ClassDef, MethodDef, Record};
use locklens_trace::{ClassId, MethodId};
use proptest::prelude::*;
use std::collections::BTreeSet;

const DESCRIPTORS: &[&str] = &[
    "()V", "(J)V", "(I)I", "()Z", "(LA;)LA;", "(", "()", "(L)[", "()D",
];
const NAMES: &[&str] = &[
    "wait",
    "notify",
    "notifyAll",
    "a",
    "b",
    "<init>",
    "size",
    "add",
    "poll",
    "get",
];
const CLASSES: &[&str] = &[
    "A",
    "B",
    "java.util.LinkedList",
    "java.util.HashMap",
    "no.such.Class",
    "",
];

fn member() -> impl Strategy<Value = MemberRef> {
    let of = |list: &'static [&'static str]| prop::sample::select(list).prop_map(str::to_owned);
    (of(CLASSES), of(NAMES), of(DESCRIPTORS)).prop_map(|(class, name, descriptor)| MemberRef {
        class,
        name,
        descriptor,
    })
}

fn field() -> impl Strategy<Value = MemberRef> {
    let kinds = prop::sample::select(&["I", "Z", "J", "LA;", "[I", "?", ""][..]);
    (member(), kinds).prop_map(|(member, kind)| MemberRef {
        descriptor: kind.to_owned(),
        ..member
    })
}

fn cond() -> impl Strategy<Value = Cond> {
    prop::sample::select(&[Cond::Eq, Cond::Ne, Cond::Lt, Cond::Ge, Cond::Gt, Cond::Le][..])
}

fn plain() -> impl Strategy<Value = Op> {
    let stack = [
        StackOp::Pop,
        StackOp::Dup,
        StackOp::DupX2,
        StackOp::Dup2X2,
        StackOp::Swap,
    ];
    let arith = [
        ArithOp::Add,
        ArithOp::Sub,
        ArithOp::Mul,
        ArithOp::Rem,
        ArithOp::Neg,
        ArithOp::Shl,
    ];
    prop_oneof![
        (any::<i64>(), any::<bool>()).prop_map(|(value, wide)| Op::Const { value, wide }),
        (-2i64..3).prop_map(|value| Op::Const { value, wide: false }),
        Just(Op::Null),
        Just(Op::ClassLiteral("A".to_owned())),
        (prop_oneof![0u16..4, any::<u16>()], any::<bool>())
            .prop_map(|(slot, wide)| Op::Load { slot, wide }),
        (prop_oneof![0u16..4, any::<u16>()], any::<bool>())
            .prop_map(|(slot, wide)| Op::Store { slot, wide }),
        (0u16..4, any::<i16>()).prop_map(|(slot, delta)| Op::Iinc { slot, delta }),
        prop::sample::select(stack.to_vec()).prop_map(Op::Stack),
        (prop::sample::select(arith.to_vec()), any::<bool>())
            .prop_map(|(op, wide)| Op::Arith { op, wide }),
        Just(Op::ArrayLength),
        Just(Op::New("A".to_owned())),
        any::<u8>().prop_map(|dims| Op::NewArray { dims: dims % 4 }),
        any::<bool>().prop_map(|wide| Op::Compare {
            wide,
            unordered: wide.then_some(1),
        }),
        (any::<f64>(), any::<bool>()).prop_map(|(value, wide)| Op::Real {
            bits: value.to_bits(),
            wide,
        }),
        "\\PC{0,80}".prop_map(|text| Op::Text(Text::of(&text))),
        prop::sample::select(Conversion::ALL.to_vec()).prop_map(|how| Op::Convert {
            from_wide: how.from_wide(),
            to_wide: how.to_wide(),
            how: Some(how),
        }),
    ]
}

fn control(length: u16) -> impl Strategy<Value = Op> {
    let target = move || 0..length + 2;
    prop_oneof![
        (cond(), target()).prop_map(|(cond, target)| Op::If { cond, target }),
        (cond(), target()).prop_map(|(cond, target)| Op::IfCmp { cond, target }),
        (any::<bool>(), target()).prop_map(|(null, target)| Op::IfNull { null, target }),
        (any::<bool>(), target()).prop_map(|(equal, target)| Op::IfRef { equal, target }),
        target().prop_map(Op::Goto),
        target().prop_map(Op::Jsr),
        Just(Op::Ret(1)),
        (
            prop::collection::vec((any::<i32>(), target()), 0..4),
            target()
        )
            .prop_map(|(cases, default)| Op::Switch { cases, default }),
        any::<bool>().prop_map(|value| Op::Return { value }),
        Just(Op::Throw),
        Just(Op::MonitorEnter),
        Just(Op::MonitorExit),
    ]
}

fn access() -> impl Strategy<Value = Op> {
    let kinds = [
        InvokeKind::Static,
        InvokeKind::Special,
        InvokeKind::Virtual,
        InvokeKind::Interface,
        InvokeKind::Dynamic,
    ];
    prop_oneof![
        field().prop_map(Op::GetField),
        field().prop_map(Op::PutField),
        field().prop_map(Op::GetStatic),
        field().prop_map(Op::PutStatic),
        (prop::sample::select(kinds.to_vec()), member())
            .prop_map(|(kind, method)| Op::Invoke { kind, method }),
    ]
}

fn code() -> impl Strategy<Value = Vec<Op>> {
    (1u16..40).prop_flat_map(|length| {
        let op = prop_oneof![plain(), control(length), access()];
        prop::collection::vec(op, usize::from(length))
    })
}

/// Classes `A` and `B`, each the other's superclass, with methods that call each other.
fn catalog(bodies: &[(Vec<Op>, usize, usize, u32)]) -> Catalog {
    let mut catalog = Catalog::default();
    for (id, name, above) in [(1, "A", "B"), (2, "B", "A")] {
        catalog.define(Record::Class(ClassDef {
            id: ClassId(id),
            loader: None,
            name: name.to_owned(),
            super_name: Some(above.to_owned()),
            interfaces: vec![name.to_owned()],
            flags: 0,
            source_file: None,
        }));
    }
    for (id, (ops, name, descriptor, flags)) in (1..).zip(bodies) {
        catalog.define(Record::Method(MethodDef {
            id: MethodId(id),
            class: ClassId(1 + id % 3),
            name: NAMES[name % NAMES.len()].to_owned(),
            descriptor: DESCRIPTORS[descriptor % DESCRIPTORS.len()].to_owned(),
            flags: flags & 0x28,
            lines: Vec::new(),
        }));
        let insns = (0u16..).zip(ops.clone()).map(|(bci, op)| Insn { bci, op });
        catalog.define(Record::Code(Code {
            method: MethodId(id),
            insns: insns.collect(),
            handlers: None,
            sites: Vec::new(),
        }));
    }
    catalog
}

/// Whatever the code is, calls of it end, and the same calls end alike.
fn execute(
    model: &StaticModel,
    all: &BTreeSet<RegionId>,
    classes: &[ClassId],
) -> Result<(), TestCaseError> {
    for bench in benches(model, all, classes) {
        let (mut first, mut second) = (bench.clone(), bench.clone());
        for step in 0..12usize {
            let (thread, operation) = (step % 3, step % bench.operations().len());
            let reaction = first.call(thread, operation, step as u32);
            prop_assert_eq!(&reaction, &second.call(thread, operation, step as u32));
            if reaction.own == (Outcome::Waits { timed: true }) {
                prop_assert_eq!(first.expire(thread), second.expire(thread));
            }
        }
        prop_assert!(first.cost() < 2_000_000);
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    #[test]
    fn arbitrary_code_is_survived(
        bodies in prop::collection::vec((code(), any::<usize>(), any::<usize>(), any::<u32>()), 1..6)
    ) {
        let catalog = catalog(&bodies);
        let mut table = RegionTable::default();
        let model = survey(&catalog, &mut table, &Options::default());
        let all: BTreeSet<_> = table.iter().map(|(id, _)| id).collect();
        let classes = [ClassId(1), ClassId(7)];
        let same = model.same_lock(&all, &classes);
        prop_assert_eq!(&same, &all, "seen regions stay, and there are no others");
        let readings = model.judge(&all, &classes[..1]);
        prop_assert_eq!(&readings, &model.judge(&all, &classes[..1]));
        for (hypothesis, evidence) in &readings {
            prop_assert!(evidence.log_odds.is_finite());
            prop_assert!(hypothesis.regions().is_subset(&all));
        }
        execute(&model, &all, &classes)?;
        let text = model.machine(&all).to_string();
        prop_assert!(text.lines().count() <= all.len() * 2_000);
    }
}

/// An arrival that adds a product under the monitor, which is too deep to be told, and waits unless that made zero.
fn sum_of_something_deep() -> Vec<Op> {
    let left = MemberRef {
        class: "A".to_owned(),
        name: "left".to_owned(),
        descriptor: "I".to_owned(),
    };
    let number = Op::Load {
        slot: 1,
        wide: false,
    };
    let this = Op::Load {
        slot: 0,
        wide: false,
    };
    let call = |name: &str| Op::Invoke {
        kind: InvokeKind::Virtual,
        method: MemberRef {
            class: "java.lang.Object".to_owned(),
            name: name.to_owned(),
            descriptor: "()V".to_owned(),
        },
    };
    let arith = |op| Op::Arith { op, wide: false };
    let mut ops = vec![this.clone(), Op::Stack(StackOp::Dup)];
    ops.extend([Op::GetField(left.clone()), number.clone()]);
    for _ in 0..12 {
        ops.extend([number.clone(), arith(ArithOp::Mul)]);
    }
    ops.extend([arith(ArithOp::Add), Op::PutField(left.clone())]);
    ops.extend([this.clone(), Op::GetField(left)]);
    let wait = ops.len() as u16 + 4;
    let cond = Cond::Ne;
    ops.push(Op::If { cond, target: wait });
    ops.extend([this.clone(), call("notifyAll")]);
    ops.push(Op::Return { value: false });
    ops.extend([this, call("wait"), Op::Return { value: false }]);
    ops
}

#[test]
fn a_sum_of_something_too_deep_is_survived() {
    const SYNCHRONIZED: u32 = 0x20;
    let named = |name: &str| NAMES.iter().position(|n| *n == name).unwrap();
    let body = (sum_of_something_deep(), named("a"), 2, SYNCHRONIZED);
    let catalog = catalog(&[body]);
    let mut table = RegionTable::default();
    let model = survey(&catalog, &mut table, &Options::default());
    let all: BTreeSet<_> = table.iter().map(|(id, _)| id).collect();
    assert!(!all.is_empty());
    assert!(!model.judge(&all, &[ClassId(2)]).is_empty());
}
