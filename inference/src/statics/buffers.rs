//! Buffers of `java.nio` that are kept in a field: how far they are filled, and how far they may be. Whoever leaves one to others leaves it
//! as it is filled, so its limit is then how much it holds.

use super::call::Call;
use super::expr::{Expr, Node};
use super::paths::{Explorer, State};
use locklens_trace::code::{Cond, InvokeKind};

/// Fresh buffers are made by these.
const MAKERS: [&str; 2] = ["allocate", "allocateDirect"];

/// Where a buffer stands.
struct Marks {
    /// Place of its position.
    position: Expr,
    /// Place of its limit.
    limit: Expr,
    at: Expr,
    end: Expr,
}

impl Explorer<'_> {
    /// Whether the call is one of a buffer that is followed.
    pub(super) fn is_buffer(&self, call: &Call<'_>) -> bool {
        let class = &call.method.class;
        if !(class.starts_with("java.nio.") && class.ends_with("Buffer")) {
            return false;
        }
        if call.kind == InvokeKind::Static {
            return MAKERS.contains(&call.method.name.as_str());
        }
        let kept = |&buffer: &Expr| {
            matches!(
                self.x.node(buffer),
                Node::Slot(_) | Node::Static(_) | Node::Field(..)
            )
        };
        call.args.first().is_some_and(kept)
    }

    /// Executes it.
    pub(super) fn buffer(&mut self, call: &Call<'_>, mut state: State) -> Option<State> {
        if call.kind == InvokeKind::Static {
            let class = call.signature.result().and_then(|t| t.class_name());
            let made = self.result(&mut state, call.site, class);
            let marks = self.marks(made, &mut state);
            let (none, size) = (self.x.int(0), *call.args.first()?);
            state.heap.written.insert(marks.position, none);
            state.heap.written.insert(marks.limit, size);
            return self.next(state, Some(made), call);
        }
        let buffer = *call.args.first()?;
        let marks = self.marks(buffer, &mut state);
        let left = self.x.plus(marks.end, marks.at, -1);
        let parameters = call.args.len() - 1;
        let mut move_to = |at: Expr, end: Expr| {
            state.heap.written.insert(marks.position, at);
            state.heap.written.insert(marks.limit, end);
        };
        match (call.method.name.as_str(), parameters) {
            ("position", 0) => return self.next(state, Some(marks.at), call),
            ("limit", 0) => return self.next(state, Some(marks.end), call),
            ("capacity", 0) => return self.next(state, Some(marks.limit), call),
            ("remaining", 0) => return self.next(state, Some(left), call),
            ("hasRemaining", 0) => {
                let (none, some) = self.split(state, left, Cond::Eq);
                return self.answers((some, none), call);
            }
            ("flip", 0) => move_to(self.x.int(0), marks.at),
            ("rewind", 0) => move_to(self.x.int(0), marks.end),
            ("clear", 0) => move_to(self.x.int(0), marks.limit),
            ("compact", 0) => move_to(left, marks.limit),
            ("position", 1) => move_to(*call.args.get(1)?, marks.end),
            ("limit", 1) => move_to(marks.at, *call.args.get(1)?),
            ("put" | "get", _) => {
                let to = match self.passed(call, &mut state) {
                    Some(many) => self.x.plus(marks.at, many, 1),
                    None => self.result(&mut state, call.site, None),
                };
                state.heap.written.insert(marks.position, to);
                return self.passes(call, buffer, state);
            }
            _ => {}
        }
        self.next(state, Some(buffer), call)
    }

    fn marks(&mut self, buffer: Expr, state: &mut State) -> Marks {
        let position = self.x.make(Node::Size(buffer));
        let limit = self.x.make(Node::Length(buffer));
        let now = |place: Expr| state.heap.written.get(&place).copied().unwrap_or(place);
        Marks {
            position,
            limit,
            at: now(position),
            end: now(limit),
        }
    }

    /// How many go in or out by the call; none if that is not known.
    fn passed(&mut self, call: &Call<'_>, state: &mut State) -> Option<Expr> {
        let types: Vec<String> = call.signature.params().map(|t| t.0.to_owned()).collect();
        let types: Vec<&str> = types.iter().map(String::as_str).collect();
        let puts = call.method.name == "put";
        match types.as_slice() {
            [] => Some(self.x.int(1)),
            [of] if of.starts_with('[') => {
                let length = self.x.make(Node::Length(*call.args.get(1)?));
                Some(length)
            }
            [of, "I", "I"] if of.starts_with('[') => call.args.get(3).copied(),
            [of] if puts && of.starts_with('L') => {
                let other = self.marks(*call.args.get(1)?, state);
                Some(self.x.plus(other.end, other.at, -1))
            }
            [_] if puts => Some(self.x.int(1)),
            // At a place that the caller says.
            ["I"] | ["I", _] => Some(self.x.int(0)),
            _ => None,
        }
    }

    /// What is put in is kept, and what is got comes from there.
    fn passes(&mut self, call: &Call<'_>, buffer: Expr, mut state: State) -> Option<State> {
        let element = self.x.make(Node::Elem(buffer));
        if call.method.name == "put" {
            state.stored.extend(call.args.get(1));
            return self.next(state, Some(buffer), call);
        }
        state.heap.reads.insert(element);
        let is_one = call.signature.result().is_some_and(|t| !t.is_reference());
        self.next(state, Some(if is_one { element } else { buffer }), call)
    }
}
