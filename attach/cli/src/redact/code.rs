//! Names and texts in recorded bytecode.

use super::Redactor;
use super::known::has_public_members;
use locklens_trace::code::{Bootstrap, CallSite, Code, Constant, MemberRef, Op, Text};

impl Redactor {
    pub(super) fn code(&self, code: &mut Code) {
        code.insns.iter_mut().for_each(|insn| self.op(&mut insn.op));
        let handlers = code.handlers.iter_mut().flatten();
        handlers
            .filter_map(|handler| handler.catches.as_mut())
            .for_each(|class| self.class(class));
        let sites = code.sites.iter_mut();
        sites.for_each(|CallSite { bootstrap, .. }| self.bootstrap(bootstrap));
    }

    fn op(&self, op: &mut Op) {
        match op {
            Op::Text(text) => self.text(text),
            Op::ClassLiteral(class)
            | Op::New(class)
            | Op::CheckCast(class)
            | Op::InstanceOf(class) => {
                self.class(class);
            }
            Op::GetField(field)
            | Op::PutField(field)
            | Op::GetStatic(field)
            | Op::PutStatic(field) => {
                self.field(field);
            }
            Op::Invoke { method, .. } => self.method(method),
            _ => {}
        }
    }

    fn bootstrap(&self, bootstrap: &mut Bootstrap) {
        if !has_public_members(&bootstrap.class) {
            bootstrap.name = self.masks.method(&bootstrap.name);
        }
        self.class(&mut bootstrap.class);
        for argument in &mut bootstrap.arguments {
            match argument {
                Constant::Text(text) => self.text(text),
                Constant::Class(class) => self.class(class),
                Constant::Type(descriptor) => *descriptor = self.masks.descriptor(descriptor),
                // Fields have no parameters.
                Constant::Handle { member, .. } if member.descriptor.starts_with('(') => {
                    self.method(member)
                }
                Constant::Handle { member, .. } => self.field(member),
                Constant::Number { .. } | Constant::Other => {}
            }
        }
    }

    /// One that was recorded as a whole stays one.
    fn text(&self, text: &mut Text) {
        let whole = text.is_whole();
        let masked = self.masks.text(&text.start);
        text.length = match (whole, u32::try_from(masked.len())) {
            (true, Ok(length)) => length,
            _ => u32::MAX,
        };
        text.start = masked;
    }

    fn method(&self, method: &mut MemberRef) {
        if !has_public_members(&method.class) {
            method.name = self.masks.method(&method.name);
        }
        self.member(method);
    }

    fn field(&self, field: &mut MemberRef) {
        if !has_public_members(&field.class) {
            field.name = self.masks.field(&field.name);
        }
        self.member(field);
    }

    fn member(&self, member: &mut MemberRef) {
        self.class(&mut member.class);
        member.descriptor = self.masks.descriptor(&member.descriptor);
    }
}
