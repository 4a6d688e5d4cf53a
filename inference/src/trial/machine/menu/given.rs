//! The numbers that the program itself calls an operation with.

use super::{MethodIx, Program};
use crate::statics::descriptor::Signature;
use crate::statics::expr::{Expr, Exprs, Node};
use crate::statics::flow::{Point, flow};
use crate::statics::frame::{Frame, argument_words, locals_of};
use crate::statics::program::{FieldId, Method};
use locklens_trace::code::{InvokeKind, Op};
use locklens_trace::record::MethodDef;
use std::collections::BTreeSet;

/// Most numbers of one parameter that are of interest.
const MAX_NUMBERS: usize = 8;

/// Callers that are looked at for one parameter, at all levels together: what more call is no matter of a few numbers,
/// and each takes as long as its code.
const MAX_CALLERS: usize = 64;

/// The numbers handed to a parameter, where all calls that are known hand in constants: themselves, or what they were
/// handed as constants in `calls` levels above, through fields of theirs that only constructors fill and what functions
/// keep of where they were made, too. None where there are too many of either.
pub(super) fn constants(
    program: &Program,
    method: MethodIx,
    slot: u16,
    calls: u32,
) -> Option<BTreeSet<i64>> {
    let mut search = Search {
        program,
        left: MAX_CALLERS,
        found: BTreeSet::new(),
    };
    search.parameter(method, slot, calls)?;
    (!search.found.is_empty()).then_some(search.found)
}

struct Search<'a> {
    program: &'a Program,
    /// Methods that may still be looked at.
    left: usize,
    found: BTreeSet<i64>,
}

impl Search<'_> {
    /// Adds what is handed to a parameter.
    fn parameter(&mut self, method: MethodIx, slot: u16, calls: u32) -> Option<()> {
        let of = &self.program.methods[method];
        let sites = self.sites(method, slot)?;
        let mut known = false;
        for sites in sites.chunk_by(|a, b| a.0 == b.0) {
            let caller = sites[0].0;
            let (mut x, points) = self.points(caller)?;
            for &(_, at) in sites {
                let Some(frame) = points[at].as_ref().map(|point| point.frame.clone()) else {
                    continue;
                };
                let handed = handed(&mut x, frame, &self.program.methods[caller], at, of, slot)?;
                self.value(&x, handed, (caller, Some(method)), calls)?;
                known = true;
            }
        }
        known.then_some(())
    }

    /// Where the parameter gets its value, all of one method together. None where nobody knows.
    fn sites(&self, method: MethodIx, slot: u16) -> Option<Vec<(MethodIx, usize)>> {
        let def = &self.program.methods[method].def;
        let mut sites: Vec<_> = self.program.callers(def).collect();
        if def.name == "<init>" {
            // `A::new` as a function: whoever gets it hands in what he likes.
            if self.program.handings_on(def).next().is_some() {
                return None;
            }
            sites = self.constructions(def);
        } else if self.program.is_handed_on(def) {
            let made: Vec<_> = self.program.handings_on(def).collect();
            let keeps = |&(by, at): &(MethodIx, usize)| {
                let op = &self.program.methods[by].code[at].op;
                kept(op).is_some_and(|kept| slot < argument_words(&kept, true))
            };
            // Else it is a parameter of the function, or the function overrides or is overridden.
            if made.is_empty() || !made.iter().all(keeps) {
                return None;
            }
            sites.extend(made);
        }
        sites.sort_unstable();
        Some(sites)
    }

    fn constructions(&self, constructor: &MethodDef) -> Vec<(MethodIx, usize)> {
        let class = self.program.classes.name(constructor.class);
        let calls = |&&(by, at): &&(MethodIx, usize)| {
            matches!(&self.program.methods[by].code[at].op,
                Op::Invoke { method, .. } if method.descriptor == constructor.descriptor)
        };
        let all = self.program.constructions(class).iter();
        all.filter(calls).copied().collect()
    }

    fn points(&mut self, method: MethodIx) -> Option<(Exprs, Vec<Option<Point>>)> {
        self.left = self.left.checked_sub(1)?;
        let mut x = Exprs::default();
        let points = flow(self.program, &mut x, method).points;
        Some((x, points))
    }

    /// Adds a value that a caller hands to another method.
    fn value(
        &mut self,
        x: &Exprs,
        value: Expr,
        (caller, callee): (MethodIx, Option<MethodIx>),
        calls: u32,
    ) -> Option<()> {
        match *x.node(value) {
            Node::Int(number) => {
                self.found.insert(number);
                (self.found.len() <= MAX_NUMBERS).then_some(())
            }
            Node::Entry(from) if calls > 0 && callee != Some(caller) => {
                self.parameter(caller, from, calls - 1)
            }
            Node::Field(base, field) => {
                let own = !self.program.methods[caller].def.is_static();
                (own && *x.node(base) == Node::Entry(0)).then_some(())?;
                self.field(field, calls)
            }
            _ => None,
        }
    }

    /// Adds what the constructors write to a field that nobody else writes.
    fn field(&mut self, field: FieldId, calls: u32) -> Option<()> {
        let program = self.program;
        let writers = &program.field(field).writers;
        if self.is_left_alone(field) {
            self.found.insert(0);
        }
        for &writer in writers {
            let of = &program.methods[writer];
            (of.def.name == "<init>").then_some(())?;
            let (x, points) = self.points(writer)?;
            for (insn, point) in of.code.iter().zip(&points) {
                let Op::PutField(written) = &insn.op else {
                    continue;
                };
                if let (Some(point), true) = (point, program.field_id(written) == Some(field)) {
                    let value = *point.frame.stack.last()?;
                    self.value(&x, value, (writer, None), calls)?;
                }
            }
        }
        (!writers.is_empty()).then_some(())
    }

    /// Some objects keep what the field holds at first: their class has constructors that fill it, and they are made by
    /// another.
    fn is_left_alone(&self, field: FieldId) -> bool {
        let program = self.program;
        let of = program.field(field);
        let all = program.initialisers(&of.class).iter();
        let of_objects = |&&ix: &&MethodIx| program.methods[ix].def.name == "<init>";
        let (fill, leave): (Vec<MethodIx>, Vec<MethodIx>) = all
            .filter(of_objects)
            .partition(|ix| of.writers.contains(ix));
        let delegates = |op: &Op| {
            matches!(op, Op::Invoke { kind: InvokeKind::Special, method }
                if method.name == "<init>" && method.class == of.class)
        };
        let leaves = |&ix: &MethodIx| {
            let method = &program.methods[ix];
            let made = !self.constructions(&method.def).is_empty()
                || program.handings_on(&method.def).next().is_some();
            made && !method.code.iter().any(|insn| delegates(&insn.op))
        };
        !fill.is_empty() && leave.iter().any(leaves)
    }
}

/// What an `invokedynamic` keeps for the function it makes, as parameters of it.
fn kept(op: &Op) -> Option<Signature> {
    match op {
        Op::Invoke {
            kind: InvokeKind::Dynamic,
            method,
        } => Some(Signature::parse(&method.descriptor)),
        _ => None,
    }
}

/// What an instruction hands to a parameter of a method, or keeps for it.
fn handed(
    x: &mut Exprs,
    mut frame: Frame,
    caller: &Method,
    at: usize,
    of: &Method,
    slot: u16,
) -> Option<Expr> {
    let locals = match kept(&caller.code[at].op) {
        Some(kept) => {
            let args = frame.pop_call(x, &kept, false);
            locals_of(x, &kept, &args)
        }
        None => {
            let args = frame.pop_call(x, &of.signature, !of.def.is_static());
            locals_of(x, &of.signature, &args)
        }
    };
    locals.get(usize::from(slot)).copied()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalog::Catalog;
    use crate::fixtures::{Build, leave, load, virtual_ref};
    use locklens_trace::code::{
        Bootstrap, CallSite, Code, Constant, HandleKind, Insn, InvokeKind, MemberRef, Op,
    };
    use locklens_trace::record::{ClassDef, MethodDef, Record};
    use locklens_trace::{ClassId, MethodId};

    const STATIC: u32 = 8;

    /// Defines `static void NAME(int)`, which hands one value (none: its own parameter) to each of some others.
    fn method(catalog: &mut Catalog, name: &str, calls: &[(&str, Option<i64>)]) {
        let id = MethodId(catalog.methods.len() as u32 + 1);
        catalog.define(Record::Method(MethodDef {
            id,
            class: ClassId(1),
            name: name.to_owned(),
            descriptor: "(I)V".to_owned(),
            flags: STATIC,
            lines: Vec::new(),
        }));
        let mut ops = Vec::new();
        for &(callee, value) in calls {
            ops.push(match value {
                Some(value) => Op::Const { value, wide: false },
                None => Op::Load {
                    slot: 0,
                    wide: false,
                },
            });
            ops.push(Op::Invoke {
                kind: InvokeKind::Static,
                method: MemberRef {
                    class: "A".to_owned(),
                    name: callee.to_owned(),
                    descriptor: "(I)V".to_owned(),
                },
            });
        }
        let insns = (0u16..).zip(ops).map(|(bci, op)| Insn { bci, op });
        catalog.define(Record::Code(Code {
            method: id,
            insns: insns.collect(),
            handlers: Some(Vec::new()),
            sites: Vec::new(),
        }));
    }

    /// What the first method is handed.
    fn handed(define: impl FnOnce(&mut Catalog)) -> Option<Vec<i64>> {
        let mut catalog = Catalog::default();
        catalog.define(Record::Class(ClassDef {
            id: ClassId(1),
            loader: None,
            name: "A".to_owned(),
            super_name: None,
            interfaces: Vec::new(),
            flags: 0,
            source_file: None,
        }));
        method(&mut catalog, "set", &[]);
        define(&mut catalog);
        let found = constants(&Program::new(&catalog), 0, 0, 3)?;
        Some(found.into_iter().collect())
    }

    #[test]
    fn constants_come_from_all_levels() {
        let found = handed(|catalog| {
            method(catalog, "through", &[("set", None)]);
            method(catalog, "one", &[("set", Some(4)), ("set", Some(5))]);
            method(catalog, "two", &[("through", Some(7))]);
        });
        assert_eq!(found, Some(vec![4, 5, 7]));
    }

    #[test]
    fn too_many_numbers_are_none() {
        let each: Vec<_> = (0..=MAX_NUMBERS as i64).map(|n| ("set", Some(n))).collect();
        let found = |most: usize| handed(|catalog| method(catalog, "all", &each[..most]));
        assert_eq!(found(MAX_NUMBERS).map(|f| f.len()), Some(MAX_NUMBERS));
        assert_eq!(found(MAX_NUMBERS + 1), None);
    }

    /// Who calls each other through several levels is as many callers as there are ways.
    #[test]
    fn of_many_callers_not_all_are_looked_at() {
        let direct = |callers: usize| {
            handed(|catalog| {
                for caller in 0..callers {
                    method(catalog, &format!("m{caller}"), &[("set", Some(1))]);
                }
            })
        };
        assert_eq!(direct(MAX_CALLERS), Some(vec![1]));
        assert_eq!(direct(MAX_CALLERS + 1), None);
        let ways = handed(|catalog| {
            for way in 0..8 {
                method(catalog, &format!("low{way}"), &[("set", None)]);
            }
            let low: Vec<_> = (0..8).map(|way| format!("low{way}")).collect();
            let low: Vec<_> = low.iter().map(|way| (way.as_str(), Some(1))).collect();
            for way in 0..8 {
                method(catalog, &format!("high{way}"), &low);
            }
        });
        assert_eq!(ways, None);
    }

    /// What `A.set(int)` is handed by `Part.go()`, which has it from the field that `Part(int)` fills; the method `main`
    /// makes a part of each number, and does some more.
    fn kept(more: &[Op], sites: Vec<CallSite>, numbers: &[i64]) -> Option<Vec<i64>> {
        let mut build = Build::default();
        let class = build.class("A", "java.lang.Object");
        let part = build.class("Part", "java.lang.Object");
        let set = build.method(class, "set", "(I)V", STATIC);
        build.code(set, vec![leave()]);
        let of_part = |name: &str, descriptor: &str| virtual_ref("Part", name, descriptor);
        let init = |descriptor: &str| Op::Invoke {
            kind: InvokeKind::Special,
            method: of_part("<init>", descriptor),
        };
        let which = of_part("which", "I");
        let fills = build.method(part, "<init>", "(I)V", 0);
        let fill = vec![load(0), load(1), Op::PutField(which.clone()), leave()];
        build.code(fills, fill);
        let leaves = build.method(part, "<init>", "()V", 0);
        build.code(leaves, vec![leave()]);
        let delegates = build.method(part, "<init>", "(Z)V", 0);
        let five = Op::Const {
            value: 5,
            wide: false,
        };
        build.code(delegates, vec![load(0), five, init("(I)V"), leave()]);
        let hand = Op::Invoke {
            kind: InvokeKind::Static,
            method: virtual_ref("A", "set", "(I)V"),
        };
        build.coded(
            part,
            "go",
            0,
            vec![load(0), Op::GetField(which), hand, leave()],
        );
        let main = build.coded(class, "main", STATIC, Vec::new());
        let made = numbers.iter().flat_map(|&value| {
            let number = Op::Const { value, wide: false };
            [Op::New("Part".to_owned()), number, init("(I)V")]
        });
        let mut ops: Vec<Op> = made.collect();
        ops.extend_from_slice(more);
        ops.push(leave());
        build.code(main, ops);
        let code = build.catalog.code.get_mut(&main).expect("just defined");
        code.sites = sites;
        let found = constants(&Program::new(&build.catalog), 0, 0, 3)?;
        Some(found.into_iter().collect())
    }

    fn made_by(descriptor: &str) -> [Op; 2] {
        let method = virtual_ref("Part", "<init>", descriptor);
        let kind = InvokeKind::Special;
        [Op::New("Part".to_owned()), Op::Invoke { kind, method }]
    }

    #[test]
    fn a_constructor_that_leaves_the_field_alone_leaves_it_zero() {
        let delegated = Some(vec![1, 2, 5]);
        assert_eq!(kept(&[], Vec::new(), &[1, 2]), delegated);
        assert_eq!(kept(&made_by("(Z)V"), Vec::new(), &[1, 2]), delegated);
        let left = Some(vec![0, 1, 2, 5]);
        assert_eq!(kept(&made_by("()V"), Vec::new(), &[1, 2]), left);
    }

    #[test]
    fn who_gets_a_constructor_as_a_function_hands_in_anything() {
        let site = |descriptor: &str| CallSite {
            bci: 6,
            bootstrap: Bootstrap {
                class: "java.lang.invoke.LambdaMetafactory".to_owned(),
                name: "metafactory".to_owned(),
                arguments: vec![Constant::Handle {
                    kind: HandleKind::NewInvokeSpecial,
                    member: virtual_ref("Part", "<init>", descriptor),
                }],
            },
        };
        let function = Op::Invoke {
            kind: InvokeKind::Dynamic,
            method: virtual_ref("", "apply", "()Ljava/util/function/IntFunction;"),
        };
        let handed_on = |descriptor| {
            kept(
                std::slice::from_ref(&function),
                vec![site(descriptor)],
                &[1, 2],
            )
        };
        assert_eq!(handed_on("(I)V"), None);
        assert_eq!(handed_on("()V"), Some(vec![0, 1, 2, 5]));
    }
}
