//! Texts that do not change and are kept in a field: who adds to one puts a longer one in its place, and who takes all puts an empty one there.

use super::call::Call;
use super::expr::{Expr, Exprs, Node, Site};
use super::jdk::{Effect, is_text};
use super::paths::{Activation, Explorer, State};
use locklens_trace::code::{InvokeKind, Op};
use std::collections::BTreeMap;

/// The class of texts.
pub(super) const TEXT: &str = "java.lang.String";

impl Explorer<'_> {
    /// A text that is not kept in a field: what is put together in it is nothing that is handed over.
    pub(super) fn is_scratch(&self, effect: Effect, call: &Call<'_>, state: &State) -> bool {
        let making = |top: &Activation| self.program.methods[top.method].is_initialiser();
        if call.method.name == "<init>" && state.calls.last().is_some_and(making) {
            return false;
        }
        let kept = |&text: &Expr| {
            matches!(
                self.x.node(text),
                Node::Slot(_) | Node::Static(_) | Node::Field(..)
            )
        };
        let measures = matches!(effect, Effect::Size | Effect::IsEmpty(_));
        let is_text = is_text(&call.method.class) || call.method.class == TEXT && measures;
        is_text && !call.args.first().is_some_and(kept)
    }

    /// A text is made of others, one of which is kept in a field or was made of one that is: it is that one with more in it.
    pub(super) fn joined(&mut self, call: &Call<'_>, state: &mut State) -> Option<Expr> {
        if !joins(call) {
            return None;
        }
        let (at, grown) = (call.args.iter().enumerate())
            .find_map(|(at, &part)| Some((at, self.grown(part, state)?)))?;
        let more = call
            .args
            .iter()
            .enumerate()
            .filter(|&(other, _)| other != at);
        state.stored.extend(more.map(|(_, &part)| part));
        let class = call.signature.result()?.class_name();
        let result = self.result(state, call.site, class);
        let size = self.x.make(Node::Size(result));
        state.heap.written.insert(size, grown);
        Some(result)
    }

    /// How long what is made of this part is at least, if that is told by a field.
    fn grown(&mut self, part: Expr, state: &mut State) -> Option<Expr> {
        let size = self.x.make(Node::Size(part));
        if let Some(&made) = state.heap.written.get(&size) {
            return matches!(self.x.node(part), Node::Opaque(..)).then_some(made);
        }
        let field = match *self.x.node(part) {
            Node::Field(_, id) | Node::Slot(id) | Node::Static(id) => self.program.field(id),
            _ => return None,
        };
        let kept = field.descriptor == "Ljava/lang/String;";
        kept.then(|| self.x.shift(size, 1))
    }

    /// A constant text that goes into a field is as long as it is.
    pub(super) fn note_text(&mut self, state: &mut State, site: Site, op: &Op) {
        let Op::Text(text) = op else { return };
        let value = self.x.make(Node::Opaque(site, 0, None));
        let next = state.calls.last().and_then(|top| {
            let code = &self.program.methods[top.method].code;
            code.get(top.pc + 1)
        });
        let kept = |insn: &locklens_trace::code::Insn| {
            matches!(insn.op, Op::PutField(_) | Op::PutStatic(_))
        };
        if next.is_some_and(kept) {
            let size = self.x.make(Node::Size(value));
            let length = self.x.int(i64::from(text.length));
            state.heap.written.insert(size, length);
        }
    }
}

/// The call makes one text of several, or goes on with one that is being made.
fn joins(call: &Call<'_>) -> bool {
    let name = call.method.name.as_str();
    match call.kind {
        InvokeKind::Dynamic => name == "makeConcatWithConstants",
        _ if call.method.class == TEXT => name == "concat",
        _ => is_text(&call.method.class) && matches!(name, "append" | "toString"),
    }
}

/// What was put together and is not kept is no part of the state.
pub(super) fn forget_unkept(x: &Exprs, updates: &mut BTreeMap<Expr, Expr>) {
    let is_made = |text: Expr| match x.node(text) {
        Node::Opaque(_, _, Some(class)) => &**class == TEXT || is_text(class),
        Node::Opaque(_, number, None) => *number == 0,
        _ => false,
    };
    let loose = |place: &Expr| match *x.node(*place) {
        Node::Size(text) => is_made(text) && !updates.values().any(|&kept| kept == text),
        _ => false,
    };
    let loose: Vec<Expr> = updates.keys().copied().filter(loose).collect();
    for place in loose {
        updates.remove(&place);
    }
}
