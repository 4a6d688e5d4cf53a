//! Sets of which the caller names the element: whether it is in is a state by itself, like what is under a key of a map. And
//! iterators: what was seen last is taken out.

use super::call::Call;
use super::expr::{Expr, Node};
use super::frame::Memory;
use super::jdk::Effect;
use super::paths::{Explorer, State};
use locklens_trace::code::Cond;

impl Explorer<'_> {
    /// An element is looked for, added or removed: the call says whether it is, or was, in.
    pub(super) fn member(
        &mut self,
        effect: Effect,
        call: &Call<'_>,
        size: Expr,
        mut state: State,
    ) -> Option<State> {
        let (set, element) = (*call.args.first()?, *call.args.get(1)?);
        if !self.is_told_apart(element) {
            return match effect {
                Effect::AddToSet => self.perhaps(1, call, size, state),
                Effect::RemoveFromSet => self.perhaps(-1, call, size, state),
                _ => {
                    let answer = self.result(&mut state, call.site, None);
                    self.next(state, Some(answer), call)
                }
            };
        }
        let place = self.x.make(Node::Keyed(set, element));
        let null = self.x.make(Node::Null);
        let old = state.heap.read(self.x, self.program, place);
        let (out, within) = match old == element {
            // It was put in before, in the same step.
            true => (None, Some(state)),
            false => self.split_same(state, old, null),
        };
        let change = |of: &mut Self, mut state: State, value: Expr, step: i64| {
            state.heap.write(place, value);
            of.resize(&mut state, size, step);
            state
        };
        match effect {
            Effect::AddToSet => {
                let added = out.map(|s| change(self, s, element, 1));
                let added = added.map(|mut s| {
                    s.stored.insert(element);
                    s
                });
                self.answers((added, within), call)
            }
            Effect::RemoveFromSet => {
                let removed = within.map(|s| change(self, s, null, -1));
                self.answers((removed, out), call)
            }
            _ => self.answers((within, out), call),
        }
    }

    /// What is called by it now and what was called by it before is the same.
    fn is_told_apart(&self, element: Expr) -> bool {
        let vague = |node: &Node| {
            matches!(
                node,
                Node::Opaque(..) | Node::Looped(..) | Node::Elem(_) | Node::New(..)
            )
        };
        !self.x.any(element, &vague)
    }

    /// Another way of looking at a collection.
    pub(super) fn view(&mut self, of: Expr, call: &Call<'_>, mut state: State) -> Option<State> {
        let class = call.signature.result().and_then(|t| t.class_name());
        let view = self.result(&mut state, call.site, class);
        let of = state.views.get(&of).copied().unwrap_or(of);
        state.views.insert(view, of);
        self.next(state, Some(view), call)
    }

    /// What was seen last in a collection is taken out of it.
    pub(super) fn remove_seen(
        &mut self,
        view: Expr,
        call: &Call<'_>,
        mut state: State,
    ) -> Option<State> {
        let Some(&collection) = state.views.get(&view) else {
            return self.next(state, None, call);
        };
        let size = self.x.make(Node::Size(collection));
        let now = state.heap.read(self.x, self.program, size);
        let (_, filled) = self.split(state, now, Cond::Eq);
        let mut state = filled?;
        self.resize(&mut state, size, -1);
        let element = self.x.make(Node::Elem(collection));
        state.heap.reads.insert(element);
        self.next(state, None, call)
    }

    /// An element is added or removed, or not: the call says which.
    pub(super) fn perhaps(
        &mut self,
        step: i64,
        call: &Call<'_>,
        size: Expr,
        mut state: State,
    ) -> Option<State> {
        state.stored.extend(call.args.last());
        let answer = self.result(&mut state, call.site, None);
        let (yes, no) = self.split(state, answer, Cond::Ne);
        let yes = yes.map(|mut s| {
            self.resize(&mut s, size, step);
            s
        });
        self.answers((yes, no), call)
    }
}
