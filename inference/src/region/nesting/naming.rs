//! What the monitors and calls of a method work on.

use super::super::flow::Value;
use super::super::subject::{Arguments, Subject, split_descriptor, type_name};
use super::{Call, Flow, Monitor, Nesting, Origin};
use locklens_trace::code::{InvokeKind, Op};
use std::collections::BTreeMap;

/// Operands of monitor instructions and field reads, and arguments of calls, by instruction.
#[derive(Default)]
pub(super) struct Notes {
    operands: BTreeMap<usize, Value>,
    calls: BTreeMap<usize, Vec<(u16, Value)>>,
}

impl Notes {
    pub(super) fn keep(&mut self, index: usize, op: &Op, values: Vec<(u16, Value)>) {
        match (op, &values[..]) {
            (Op::Invoke { .. }, _) => drop(self.calls.insert(index, values)),
            (_, &[(_, value)]) => drop(self.operands.insert(index, value)),
            _ => {}
        }
    }
}

impl<'a> Flow<'a> {
    pub(super) fn name_subjects(&self, notes: &Notes, nesting: &mut Nesting<'a>) {
        for (&at, &ordinal) in &self.ordinals {
            let value = notes.operands.get(&at).copied().unwrap_or(Value::Unknown);
            let subject = self.subject(value, notes);
            nesting.monitors.push(Monitor {
                bci: self.code.insns[at].bci,
                ordinal,
                subject,
                origin: self.origin(value),
            });
        }
        for (&at, values) in &notes.calls {
            if let Op::Invoke { kind, method } = &self.code.insns[at].op {
                let first = values.first().map_or(Value::Unknown, |&(_, v)| v);
                let values = values
                    .iter()
                    .map(|&(slot, v)| (slot, self.subject(v, notes)));
                nesting.calls.push(Call {
                    bci: self.code.insns[at].bci,
                    kind: *kind,
                    callee: method,
                    arguments: Arguments {
                        has_receiver: !matches!(kind, InvokeKind::Static | InvokeKind::Dynamic),
                        values: values.collect(),
                    },
                    origin: self.origin(first),
                });
            }
        }
    }

    fn origin(&self, value: Value) -> Option<Origin> {
        let Value::Made(index) = value else {
            return None;
        };
        let insn = &self.code.insns[index];
        Some(Origin {
            bci: insn.bci,
            fresh: matches!(insn.op, Op::New(_)),
        })
    }

    fn subject(&self, value: Value, notes: &Notes) -> Subject {
        match value {
            Value::Unknown => Subject::Unknown,
            Value::Initial(0) if !self.method.is_static() => Subject::This,
            Value::Initial(slot) => Subject::Param(slot),
            Value::Made(index) => self.made(index, notes),
        }
    }

    fn made(&self, index: usize, notes: &Notes) -> Subject {
        let insn = &self.code.insns[index];
        let typed = |type_name| Subject::Made {
            bci: insn.bci,
            type_name,
        };
        match &insn.op {
            Op::GetField(field) => Subject::Field {
                of_this: !self.method.is_static()
                    && notes.operands.get(&index) == Some(&Value::Initial(0)),
                field: field.clone(),
            },
            Op::GetStatic(field) => Subject::Static(field.clone()),
            Op::ClassLiteral(name) => Subject::Class(name.clone()),
            Op::New(name) => typed(Some(name.clone())),
            Op::Invoke { method, .. } => typed(type_name(split_descriptor(&method.descriptor).1)),
            _ => typed(None),
        }
    }
}
