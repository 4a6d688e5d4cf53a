//! Code with its branches, fields and calls looked up once.

use super::site::Site;
use super::value::Kind;
use crate::statics::descriptor::Signature;
use crate::statics::program::{FieldId, Method, MethodIx, Program, Target};
use crate::statics::survey::{Signal, signal};
use locklens_trace::ClassId;
use locklens_trace::code::{Insn, InvokeKind, MemberRef, Op};
use std::rc::Rc;
use std::sync::Arc;

/// What an instruction refers to.
#[derive(Debug)]
pub(super) enum Link {
    None,
    /// Index of the instruction a branch leads to; none if there is no such instruction.
    To(Option<usize>),
    Switch(Vec<(i32, Option<usize>)>, Option<usize>),
    Field(FieldLink),
    Call(Box<CallLink>),
    Class(Option<ClassId>, Arc<str>),
}

/// A field as an instruction names it.
#[derive(Debug)]
pub(super) struct FieldLink {
    pub(super) id: FieldId,
    pub(super) kind: Kind,
    /// The class that declares it, where known.
    pub(super) class: Option<ClassId>,
}

/// A call.
#[derive(Clone, Debug)]
pub(super) struct CallLink {
    pub(super) kind: InvokeKind,
    pub(super) method: MemberRef,
    pub(super) params: Vec<Kind>,
    pub(super) result: Option<Kind>,
    /// It has a receiver.
    pub(super) receiver: bool,
    pub(super) class: Option<ClassId>,
    pub(super) selector: Option<u32>,
    /// What a static or special call leads to.
    pub(super) target: Target,
    /// A monitor method, and which argument the monitor is.
    pub(super) signal: Option<(Signal, usize)>,
    /// What an `invokedynamic` leads to, where that was recorded.
    pub(super) site: Option<Rc<Site>>,
}

impl CallLink {
    /// Name of the method called.
    pub(super) fn name(&self) -> &str {
        &self.method.name
    }

    /// For messages: `Class.method`.
    pub(super) fn full_name(&self) -> String {
        format!("{}.{}", self.method.class, self.method.name)
    }

    /// A virtual call of a method of a published interface.
    pub(super) fn of_interface(
        program: &Program,
        from: ClassId,
        class: &str,
        name: &str,
        descriptor: &str,
    ) -> Self {
        let method = MemberRef {
            class: class.to_owned(),
            name: name.to_owned(),
            descriptor: descriptor.to_owned(),
        };
        call(program, from, InvokeKind::Interface, &method)
    }
}

/// Looks up everything a method refers to.
pub(super) fn link(program: &Program, ix: MethodIx) -> Vec<Link> {
    let method = &program.methods[ix];
    let links = method.code.iter().map(|insn| one(program, method, insn));
    links.collect()
}

fn one(program: &Program, method: &Method, insn: &Insn) -> Link {
    let (op, from) = (&insn.op, method.def.class);
    let class = |name: &str| Link::Class(program.classes.named(name, Some(from)), name.into());
    match op {
        Op::If { target, .. }
        | Op::IfCmp { target, .. }
        | Op::IfRef { target, .. }
        | Op::IfNull { target, .. }
        | Op::Goto(target)
        | Op::Jsr(target) => Link::To(method.at(*target)),
        Op::Switch { cases, default } => {
            let cases = cases.iter().map(|&(key, to)| (key, method.at(to)));
            Link::Switch(cases.collect(), method.at(*default))
        }
        Op::GetField(f) | Op::PutField(f) | Op::GetStatic(f) | Op::PutStatic(f) => {
            field(program, from, f)
        }
        Op::Invoke {
            kind,
            method: callee,
        } => {
            let mut call = call(program, from, *kind, callee);
            let bootstrap = method.bootstrap(insn.bci);
            call.site = bootstrap.map(|b| Rc::new(Site::new(program, from, b)));
            Link::Call(Box::new(call))
        }
        Op::New(name) | Op::InstanceOf(name) | Op::CheckCast(name) | Op::ClassLiteral(name) => {
            class(name)
        }
        _ => Link::None,
    }
}

fn field(program: &Program, from: ClassId, field: &MemberRef) -> Link {
    let Some(id) = program.field_id(field) else {
        return Link::None;
    };
    let declaring = program.field(id).class.as_str();
    Link::Field(FieldLink {
        id,
        kind: Kind::of(&field.descriptor),
        class: program.classes.named(declaring, Some(from)),
    })
}

/// Looks up what a call of a method from a class refers to.
pub(super) fn call(
    program: &Program,
    from: ClassId,
    kind: InvokeKind,
    method: &MemberRef,
) -> CallLink {
    let signature = Signature::parse(&method.descriptor);
    let class = program.classes.named(&method.class, Some(from));
    let selector = program.selector(method);
    let target = match (kind, class, selector) {
        (InvokeKind::Static | InvokeKind::Special, Some(class), Some(selector)) => {
            program.method_of(class, selector)
        }
        _ => Target::Opaque,
    };
    CallLink {
        kind,
        method: method.clone(),
        params: signature.params().map(|t| Kind::of(t.0)).collect(),
        result: signature.result().map(|t| Kind::of(t.0)),
        receiver: !matches!(kind, InvokeKind::Static | InvokeKind::Dynamic),
        class,
        selector,
        target,
        signal: signal(kind, method),
        site: None,
    }
}
