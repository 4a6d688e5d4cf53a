//! Types at the places where handlers of ours start.

use crate::access::Access;
use crate::sites::{Act, Deed};
use locklens_classfile::class::Code;
use locklens_classfile::code::{Insn, Operand, instructions};
use locklens_classfile::edit::{Class, Refusal};
use locklens_classfile::flow;
use locklens_classfile::frames;
use locklens_classfile::types::{self, State, Type};
use std::collections::{BTreeMap, BTreeSet};

const CONSTRUCTOR: &str = "<init>";

/// Types before each instruction that gets a handler of ours.
#[derive(Debug)]
pub(crate) struct Types {
    states: BTreeMap<u16, Option<State>>,
    /// Those of them to which no way leads at all.
    dead: BTreeSet<u16>,
    /// In which the method starts.
    start: Option<State>,
    /// What the frames of the method mean.
    frames: Vec<State>,
    /// Whether a handler without types will do: the class file is of a version without stack maps,
    /// or of the one version for which the JVM falls back to inferring them, or the JVM threw the
    /// stack map away.
    dispensable: bool,
    /// Whether frames are written at all.
    written: bool,
}

impl Types {
    /// `silenced`: calls in front of which a probe is put, too.
    pub(crate) fn of(class: &Class<'_>, code: &Code<'_>, acts: &[Act], silenced: &[u16]) -> Self {
        let wanted = acts
            .iter()
            .filter(|act| needs_types(act.deed, class.method.name));
        let mut bcis: Vec<u16> = wanted
            .map(|act| act.bci)
            .chain(silenced.iter().copied())
            .collect();
        bcis.sort_unstable();
        let map = stack_map(class, code);
        let thrown_away = map.is_none() && meets(code);
        let written = class.major >= 50 && !thrown_away;
        let frames = match map {
            _ if !written => None,
            Some(bytes) => frames::parse(bytes).ok(),
            None => Some(Vec::new()),
        };
        let known = match &frames {
            _ if bcis.is_empty() => None,
            Some(frames) => class.method.states(code, frames, &bcis),
            None if written => None,
            None => class.method.states_by_paths(code, &bcis),
        };
        let states = known.map_or_else(BTreeMap::new, |s| bcis.iter().copied().zip(s).collect());
        let start = class.method.start();
        let expanded = start.as_ref().zip(frames.as_ref());
        let expanded = expanded.and_then(|(s, f)| types::expand(s, f, class.method.pool));
        Self {
            dead: dead(code, &bcis, &states),
            states,
            start: start.filter(|_| written),
            frames: expanded.unwrap_or_default(),
            dispensable: class.major <= 50 || thrown_away,
            written,
        }
    }

    /// Whether a local variable holds a type wherever control flow meets.
    pub(crate) fn in_every_frame(&self, slot: usize, kind: &Type) -> bool {
        self.frames.iter().all(|f| f.locals.get(slot) == Some(kind))
    }

    /// The state in which a handler of ours starts: the local variables as they are at a bci, and
    /// one more that holds the monitor's object. None where the class needs no frames.
    pub(crate) fn in_handler(&self, bci: u16, object: u16) -> Result<Option<State>, Refusal> {
        match self.states.get(&bci).cloned().flatten() {
            Some(mut state) if self.written => {
                let object = usize::from(object);
                state
                    .locals
                    .resize(state.locals.len().max(object + 1), Type::Top);
                state.locals[object] = Type::object("java/lang/Object");
                Ok(Some(caught(state)))
            }
            _ if self.dispensable => Ok(None),
            _ => Err(Refusal::Types(bci)),
        }
    }

    /// Whether what lies so many slots below the top of the stack is an object that has not been through the
    /// constructor of its superclass.
    ///
    /// Without a stack map the first path that leads there says it: where paths meet that differ in this, nobody may use the object.
    pub(crate) fn is_unborn(
        &self,
        bci: u16,
        depth: usize,
        class: &Class<'_>,
    ) -> Result<bool, Refusal> {
        if class.method.name != CONSTRUCTOR {
            return Ok(false);
        }
        let state = self.states.get(&bci).and_then(Option::as_ref);
        let at = state.and_then(|s| s.stack.len().checked_sub(depth + 1).map(|at| &s.stack[at]));
        // Left without a probe it would be a store that nobody knows to be missing.
        let kind = at.ok_or(Refusal::Types(bci))?;
        Ok(matches!(kind, Type::Unborn | Type::New(_)))
    }

    /// Whether an instruction is never executed, whatever happens.
    pub(crate) fn is_dead(&self, bci: u16) -> bool {
        self.dead.contains(&bci)
    }

    /// What is known to be there before an instruction; none where no way leads to it.
    pub(crate) fn before(&self, bci: u16) -> Option<&State> {
        self.states.get(&bci)?.as_ref()
    }

    /// The state in which a handler for what the method begins with starts.
    pub(crate) fn at_start(&self) -> Option<State> {
        self.start.clone().map(caught)
    }

    /// The same, in a state; none where no frames are written.
    pub(crate) fn in_state(&self, state: State) -> Option<State> {
        self.written.then(|| caught(state))
    }

    /// The state in which the handler around a whole method starts: only `locals` can be relied on.
    pub(crate) fn around_method(&self, locals: Vec<Type>) -> Option<State> {
        let state = State {
            locals,
            stack: Vec::new(),
        };
        self.written.then(|| caught(state))
    }
}

/// Those instructions of which no state is known and to which no path leads.
fn dead(code: &Code<'_>, bcis: &[u16], states: &BTreeMap<u16, Option<State>>) -> BTreeSet<u16> {
    let unknown = |bci: &&u16| !matches!(states.get(*bci), Some(Some(_)));
    let unknown: BTreeSet<u16> = bcis.iter().filter(unknown).copied().collect();
    let reachable = (!unknown.is_empty())
        .then(|| flow::reachable(code))
        .flatten();
    reachable.map_or_else(BTreeSet::new, |reachable| &unknown - &reachable)
}

fn needs_types(deed: Deed, method: &str) -> bool {
    match deed {
        Deed::Enter | Deed::Exit | Deed::Wait(_) => true,
        Deed::Call(_) | Deed::FaceCall(..) | Deed::HeirCall(_) => true,
        Deed::Access(Access::Put { .. }) => method == CONSTRUCTOR,
        _ => false,
    }
}

fn caught(mut state: State) -> State {
    state.stack = vec![Type::object("java/lang/Throwable")];
    state
}

/// The stack map of a method, if it has one.
fn stack_map<'a>(class: &Class<'_>, code: &Code<'a>) -> Option<&'a [u8]> {
    let named = |name: u16| class.method.pool.utf8(name) == Some("StackMapTable");
    let attribute = code.attributes.iter().find(|a| named(a.name))?;
    Some(attribute.bytes)
}

/// Whether control flow meets anywhere, so that a JVM that verifies the method needs a stack map.
///
/// One that does not verify it keeps none: HotSpot trusts the boot loader's classes
/// (`BytecodeVerificationLocal`), and what it hands out of them for rewriting has lost its maps,
/// unless they come from an archive (CDS). It does not verify what it gets back either.
fn meets(code: &Code<'_>) -> bool {
    let jumps = |insn: Insn| matches!(insn.operand, Operand::Branch(_) | Operand::Switch { .. });
    !code.handlers.is_empty() || instructions(code.bytes).flatten().any(jumps)
}
