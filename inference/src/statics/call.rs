//! Calls on a path: monitor methods, library methods, callees that are followed, and the rest.

use super::descriptor::Signature;
use super::expr::{Expr, Node, OpKey, Site};
use super::frame::{Frame, Memory, locals_of};
use super::jdk::{Effect, effect, is_library};
use super::paths::{Activation, Explorer, State};
use super::program::{MethodIx, Target};
use super::step::{Note, Timeout};
use super::survey::{Signal, own_object, signal};
use locklens_trace::ClassId;
use locklens_trace::code::{Cond, InvokeKind, MemberRef, Op, StackOp};

/// A call with its arguments taken off the stack.
pub(super) struct Call<'c> {
    pub(super) kind: InvokeKind,
    pub(super) method: &'c MemberRef,
    pub(super) signature: Signature,
    pub(super) args: Vec<Expr>,
    pub(super) site: Site,
}

impl Call<'_> {
    fn wide_result(&self) -> bool {
        self.signature.result().is_some_and(|t| t.is_wide())
    }

    fn returns_truth(&self) -> bool {
        self.signature.result().is_some_and(|t| t.0 == "Z")
    }
}

/// Activations of one method on a path: recursion is not followed.
const MAX_RECURSION: usize = 1;

impl Explorer<'_> {
    /// Executes a call.
    pub(super) fn invoke(
        &mut self,
        kind: InvokeKind,
        method: &MemberRef,
        site: Site,
        mut state: State,
    ) -> Option<State> {
        let signature = Signature::parse(&method.descriptor);
        let receiver = !matches!(kind, InvokeKind::Static | InvokeKind::Dynamic);
        let frame = &mut state.calls.last_mut()?.frame;
        let args = frame.pop_call(self.x, &signature, receiver);
        let call = Call {
            kind,
            method,
            signature,
            args,
            site,
        };
        if let Some((signal, operand)) = signal(kind, method) {
            let on = *call.args.get(operand)?;
            return self.signal(signal, on, &call, state);
        }
        let target = self.target(&call, &state);
        let effect = self.library(&call).filter(|_| !self.is_own(target));
        let effect = effect.filter(|&effect| !self.is_scratch(effect, &call, &state));
        if self.is_buffer(&call) {
            return self.buffer(&call, state);
        }
        if effect.is_none()
            && let Some(text) = self.joined(&call, &mut state)
        {
            return self.next(state, Some(text), &call);
        }
        match (effect, target) {
            (Some(effect), _) => self.apply(effect, &call, state),
            (None, Target::Code(ix)) if self.follows(ix, &state) => self.descend(ix, &call, state),
            _ => self.opaque(&call, state),
        }
    }

    fn signal(
        &mut self,
        signal: Signal,
        on: Expr,
        call: &Call<'_>,
        mut state: State,
    ) -> Option<State> {
        if signal == Signal::Wait {
            return self.wait(state, on, self.timeout(call), call.site);
        }
        let other = (Some(on) != self.lock).then_some(on);
        let all = signal == Signal::NotifyAll;
        self.note(&mut state, Note { all, other });
        self.next(state, None, call)
    }

    /// The time-out is the last operand of a wait, if it has one; extra nanoseconds do not count.
    fn timeout(&self, call: &Call<'_>) -> Timeout {
        let millis = call.signature.params().position(|t| t.0 == "J");
        match millis.and_then(|at| call.args.get(at + 1)) {
            None => Timeout::Never,
            Some(&millis) => match self.x.constant(millis) {
                Some(0) => Timeout::Never,
                Some(millis) => Timeout::Millis(millis),
                None => Timeout::Some,
            },
        }
    }

    /// Goes on behind the call with its result.
    pub(super) fn next(
        &mut self,
        mut state: State,
        result: Option<Expr>,
        call: &Call<'_>,
    ) -> Option<State> {
        let top = state.calls.last_mut()?;
        if call.signature.result().is_some() {
            let value = result.unwrap_or_else(|| self.x.unknown());
            top.frame.push(self.x, value, call.wide_result());
        }
        top.pc += 1;
        Some(state)
    }

    fn target(&self, call: &Call<'_>, state: &State) -> Target {
        let Some(top) = state.calls.last() else {
            return Target::Opaque;
        };
        let from = self.program.methods[top.method].def.class;
        let exact = call.args.first().and_then(|&a| self.exact_class(a));
        self.program.resolve(call.kind, call.method, from, exact)
    }

    /// The class of an object, where it is certain.
    fn exact_class(&self, e: Expr) -> Option<ClassId> {
        match self.x.node(e) {
            Node::Entry(0) => self.this_class,
            Node::New(_, class) => self.program.classes.named(class, None),
            _ if Some(e) == self.lock => self.this_class,
            _ => None,
        }
    }

    /// Code of the program's own: it counts more than what the library's method would do.
    fn is_own(&self, target: Target) -> bool {
        let Target::Code(ix) = target else {
            return false;
        };
        let class = self.program.methods[ix].def.class;
        !is_library(self.program.classes.name(class))
    }

    /// A callee is followed if the calls are not nested too deep.
    fn follows(&self, ix: MethodIx, state: &State) -> bool {
        let recursion = state.calls.iter().filter(|c| c.method == ix).count();
        state.calls.len() <= self.depth && recursion < MAX_RECURSION
    }

    fn descend(&mut self, ix: MethodIx, call: &Call<'_>, mut state: State) -> Option<State> {
        let method = &self.program.methods[ix];
        let frame = Frame {
            locals: locals_of(self.x, &method.signature, &call.args),
            stack: Vec::new(),
        };
        let mut activation = Activation::new(ix, 0, frame);
        if method.def.is_synchronized() {
            let own = own_object(self.program, self.x, ix);
            let monitor = match self.x.node(own) {
                Node::Entry(0) => *call.args.first()?,
                _ => own,
            };
            self.enter(&mut state, monitor);
            activation.monitor = Some(monitor);
        }
        state.calls.push(activation);
        Some(state)
    }

    /// A call that is not followed.
    fn opaque(&mut self, call: &Call<'_>, mut state: State) -> Option<State> {
        let trivial = call.method.name == "<init>" || is_library(&call.method.class);
        state.opaque += u32::from(!trivial);
        state
            .stored
            .extend(call.args.iter().skip(1).filter(|_| !trivial));
        let class = call.signature.result().and_then(|t| t.class_name());
        let result = self.result(&mut state, call.site, class);
        self.next(state, Some(result), call)
    }

    /// What the library method called does, also when it is inherited by a class of the program.
    fn library(&self, call: &Call<'_>) -> Option<Effect> {
        let class = &call.method.class;
        let id = self.program.classes.named(class, None);
        if is_library(class) {
            let published = id.is_none_or(|id| self.program.classes.is_public(id));
            return effect(call.kind, class, call.method).filter(|_| published);
        }
        let id = id?;
        let supertypes = self.program.classes.above(id);
        let defs = supertypes
            .iter()
            .filter_map(|&c| self.program.classes.get(c));
        let names = defs.flat_map(|d| d.super_name.iter().chain(&d.interfaces));
        names
            .filter(|n| is_library(n) && *n != "java.lang.Object")
            .find_map(|name| effect(call.kind, name, call.method))
    }

    fn apply(&mut self, effect: Effect, call: &Call<'_>, state: State) -> Option<State> {
        let first = call.args.first().copied();
        match effect {
            Effect::Current => self.constant(Node::Current, call, state),
            Effect::Clock => self.constant(Node::Clock(call.site), call, state),
            Effect::False => self.constant(Node::Int(0), call, state),
            Effect::Alive => self.constant(Node::Alive(first?), call, state),
            Effect::Same => self.next(state, first, call),
            Effect::Unbox => {
                let mut state = state;
                let there = state.facts.assume_not_null(self.x, first?);
                if there {
                    self.next(state, first, call)
                } else {
                    None
                }
            }
            Effect::Extreme(max) => {
                let op = if max { OpKey::Max } else { OpKey::Min };
                let value = self.x.op(op, first?, *call.args.get(1)?);
                self.next(state, Some(value), call)
            }
            Effect::Equal => self.equal(call, state),
            Effect::Nothing => {
                let mut state = state;
                let class = call.signature.result().and_then(|t| t.class_name());
                let result = self.result(&mut state, call.site, class);
                self.next(state, Some(result), call)
            }
            Effect::MapGet | Effect::MapPut | Effect::MapRemove | Effect::MapHas => {
                self.map(effect, call, state)
            }
            Effect::View => self.view(first?, call, state),
            Effect::RemoveSeen => self.remove_seen(first?, call, state),
            Effect::CellGet
            | Effect::CellSet
            | Effect::CellSwap
            | Effect::CellAdd(..)
            | Effect::CellAddArg(_) => self.cell(effect, call, state),
            _ => self.collection(effect, call, state),
        }
    }

    fn constant(&mut self, node: Node, call: &Call<'_>, state: State) -> Option<State> {
        let value = self.x.make(node);
        self.next(state, Some(value), call)
    }

    fn truth(&mut self, value: bool, call: &Call<'_>, state: State) -> Option<State> {
        self.constant(Node::Int(i64::from(value)), call, state)
    }

    /// Goes on with both states, `true` and `false` being the results.
    pub(super) fn answers(
        &mut self,
        (yes, no): (Option<State>, Option<State>),
        call: &Call<'_>,
    ) -> Option<State> {
        let yes = yes.and_then(|s| self.truth(true, call, s));
        let no = no.and_then(|s| self.truth(false, call, s));
        self.either(yes, no)
    }

    fn either(&mut self, one: Option<State>, other: Option<State>) -> Option<State> {
        match (one, other) {
            (Some(one), Some(other)) => {
                self.later(other);
                Some(one)
            }
            (one, other) => one.or(other),
        }
    }

    fn equal(&mut self, call: &Call<'_>, state: State) -> Option<State> {
        let (a, b) = (*call.args.first()?, *call.args.get(1)?);
        let split = self.split_same(state, a, b);
        self.answers(split, call)
    }

    fn map(&mut self, effect: Effect, call: &Call<'_>, mut state: State) -> Option<State> {
        let (map, key) = (*call.args.first()?, *call.args.get(1)?);
        let place = self.x.make(Node::Keyed(map, key));
        let size = self.x.make(Node::Size(map));
        let old = state.heap.read(self.x, self.program, place);
        let null = self.x.make(Node::Null);
        match effect {
            Effect::MapGet => return self.next(state, Some(old), call),
            Effect::MapHas => {
                let (absent, present) = self.split_same(state, old, null);
                return self.answers((present, absent), call);
            }
            Effect::MapPut => {
                let value = *call.args.get(2)?;
                state.heap.write(place, value);
                state.stored.insert(value);
            }
            _ => state.heap.write(place, null),
        }
        let step = if effect == Effect::MapPut { 1 } else { -1 };
        let changes = match effect {
            Effect::MapPut => self.split_same(state, old, null),
            _ => {
                let (absent, present) = self.split_same(state, old, null);
                (present, absent)
            }
        };
        let changed = changes.0.map(|mut s| {
            self.resize(&mut s, size, step);
            s
        });
        let changed = changed.and_then(|s| self.next(s, Some(old), call));
        let kept = changes.1.and_then(|s| self.next(s, Some(old), call));
        self.either(changed, kept)
    }

    pub(super) fn resize(&mut self, state: &mut State, size: Expr, step: i64) {
        let now = state.heap.read(self.x, self.program, size);
        let now = self.x.shift(now, step);
        state.heap.write(size, now);
    }

    fn cell(&mut self, effect: Effect, call: &Call<'_>, mut state: State) -> Option<State> {
        let place = self.x.make(Node::Cell(*call.args.first()?));
        let old = state.heap.read(self.x, self.program, place);
        let (new, result) = match effect {
            Effect::CellSet => (*call.args.get(1)?, old),
            Effect::CellSwap => (*call.args.get(1)?, old),
            Effect::CellAdd(k, after) => {
                let new = self.x.shift(old, k);
                (new, if after { new } else { old })
            }
            Effect::CellAddArg(after) => {
                let new = self.x.plus(old, *call.args.get(1)?, 1);
                (new, if after { new } else { old })
            }
            _ => (old, old),
        };
        if new != old {
            state.heap.write(place, new);
        }
        self.next(state, Some(result), call)
    }

    fn collection(&mut self, effect: Effect, call: &Call<'_>, mut state: State) -> Option<State> {
        let collection = *call.args.first()?;
        let size = self.x.make(Node::Size(collection));
        match effect {
            Effect::Size => {
                let now = state.heap.read(self.x, self.program, size);
                self.next(state, Some(now), call)
            }
            Effect::IsEmpty(positive) => {
                let now = state.heap.read(self.x, self.program, size);
                let (empty, filled) = self.split(state, now, Cond::Eq);
                let pair = if positive {
                    (empty, filled)
                } else {
                    (filled, empty)
                };
                self.answers(pair, call)
            }
            Effect::Add => {
                state.stored.extend(call.args.last());
                self.resize(&mut state, size, 1);
                self.added(call, state)
            }
            Effect::Append => {
                state.stored.extend(call.args.get(1));
                self.resize(&mut state, size, 1);
                self.next(state, Some(collection), call)
            }
            Effect::AddToSet | Effect::RemoveFromSet | Effect::SetHas => {
                self.member(effect, call, size, state)
            }
            Effect::RemoveThis => self.perhaps(-1, call, size, state),
            Effect::Remove | Effect::Poll | Effect::Peek => self.taken(effect, call, size, state),
            Effect::Element => self.element(collection, call, state),
            _ => self.refilled(effect, call, size, state),
        }
    }

    fn added(&mut self, call: &Call<'_>, state: State) -> Option<State> {
        match call.returns_truth() {
            true => self.truth(true, call, state),
            false => self.next(state, call.args.last().copied(), call),
        }
    }

    fn taken(
        &mut self,
        effect: Effect,
        call: &Call<'_>,
        size: Expr,
        mut state: State,
    ) -> Option<State> {
        let now = state.heap.read(self.x, self.program, size);
        let (empty, filled) = self.split(state, now, Cond::Eq);
        let filled = filled.and_then(|mut s| {
            let collection = *call.args.first()?;
            if effect != Effect::Peek {
                self.resize(&mut s, size, -1);
                self.note_use(&mut s, collection);
            }
            self.element(collection, call, s)
        });
        let empty = match effect {
            Effect::Remove => None,
            _ => empty.and_then(|s| self.constant(Node::Null, call, s)),
        };
        self.either(filled, empty)
    }

    /// An element that is taken out is read, unless the code leaves it at that.
    fn note_use(&mut self, state: &mut State, collection: Expr) {
        let next = state.calls.last().and_then(|top| {
            let code = &self.program.methods[top.method].code;
            code.get(top.pc + 1)
        });
        if next.is_some_and(|insn| insn.op != Op::Stack(StackOp::Pop)) {
            let element = self.x.make(Node::Elem(collection));
            state.heap.reads.insert(element);
        }
    }

    fn element(&mut self, collection: Expr, call: &Call<'_>, state: State) -> Option<State> {
        let element = self.x.make(Node::Elem(collection));
        let mut state = state;
        state.facts.assume_not_null(self.x, element);
        self.next(state, Some(element), call)
    }

    fn refilled(
        &mut self,
        effect: Effect,
        call: &Call<'_>,
        size: Expr,
        mut state: State,
    ) -> Option<State> {
        let now = match effect {
            Effect::Clear | Effect::NewEmpty => self.x.int(0),
            Effect::Shorten => *call.args.get(1)?,
            Effect::NewCopy => {
                let source = self.x.make(Node::Size(*call.args.get(1)?));
                state.heap.read(self.x, self.program, source)
            }
            _ => self.result(&mut state, call.site, None),
        };
        if effect == Effect::Listed {
            return self.listed(call, state);
        }
        state.heap.write(size, now);
        self.next(state, None, call)
    }

    /// `Arrays.asList(array)`: a collection as long as the array.
    fn listed(&mut self, call: &Call<'_>, mut state: State) -> Option<State> {
        let length = self.x.make(Node::Length(*call.args.first()?));
        let length = state.heap.read(self.x, self.program, length);
        let list = self.result(&mut state, call.site, None);
        let size = self.x.make(Node::Size(list));
        state.heap.write(size, length);
        self.next(state, Some(list), call)
    }
}
