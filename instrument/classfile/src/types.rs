//! Verification types: what a local variable or a stack slot holds, one value per *slot*.
//!
//! A long or double takes two slots here, the second of which is [`Type::Rest`]; in a stack map it
//! is written once. Start with [`expand`], which turns the frames of a stack map into such slots.

use crate::append::{Append, Full};
use crate::frames::{Entry, Form, Frame};
use crate::pool::Pool;
use std::rc::Rc;

/// What one slot holds.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Type {
    /// Nothing that may be used.
    Top,
    /// An int, or what is treated as one.
    Int,
    /// A float.
    Float,
    /// The first slot of a double.
    Double,
    /// The first slot of a long.
    Long,
    /// The second slot of a long or double.
    Rest,
    /// The null reference.
    Null,
    /// `this` of a constructor before the superclass has been initialised.
    Unborn,
    /// An object not yet initialised, by the bci of its `new`.
    New(u16),
    /// An object or array: internal name of the class, or descriptor of the array.
    Object(Rc<str>),
}

/// Local variables and operand stack, slot by slot.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Default)]
pub struct State {
    /// Local variables; what lies behind the last is [`Type::Top`].
    pub locals: Vec<Type>,
    /// Operand stack, bottom first.
    pub stack: Vec<Type>,
}

impl Type {
    /// An object of a class.
    #[must_use]
    pub fn object(name: &str) -> Self {
        Type::Object(Rc::from(name))
    }

    /// Slots it takes.
    #[must_use]
    pub fn width(&self) -> usize {
        1 + usize::from(matches!(self, Type::Double | Type::Long))
    }

    /// The type at the start of a descriptor, and what follows it; `V` and nonsense give none.
    #[must_use]
    pub fn first_of(descriptor: &str) -> Option<(Self, &str)> {
        let rest = |len: usize| descriptor.get(len..).unwrap_or("");
        Some(match *descriptor.as_bytes().first()? {
            b'B' | b'C' | b'S' | b'Z' | b'I' => (Type::Int, rest(1)),
            b'F' => (Type::Float, rest(1)),
            b'D' => (Type::Double, rest(1)),
            b'J' => (Type::Long, rest(1)),
            b'L' => {
                let end = descriptor.find(';')?;
                (Type::object(&descriptor[1..end]), rest(end + 1))
            }
            b'[' => {
                let element = descriptor.trim_start_matches('[');
                let (_, after) = Type::first_of(element)?;
                let array = &descriptor[..descriptor.len() - after.len()];
                (Type::object(array), after)
            }
            _ => return None,
        })
    }

    /// Puts it, and what follows it if it is wide, on top of some slots.
    pub fn push_to(self, slots: &mut Vec<Type>) {
        let wide = self.width() == 2;
        slots.push(self);
        if wide {
            slots.push(Type::Rest);
        }
    }

    fn of_entry(entry: Entry, pool: &Pool) -> Option<Self> {
        Some(match entry {
            Entry::Simple(0) => Type::Top,
            Entry::Simple(1) => Type::Int,
            Entry::Simple(2) => Type::Float,
            Entry::Simple(3) => Type::Double,
            Entry::Simple(4) => Type::Long,
            Entry::Simple(5) => Type::Null,
            Entry::Simple(6) => Type::Unborn,
            Entry::Simple(_) => return None,
            Entry::Object(class) => Type::object(pool.class(class)?),
            Entry::New(bci) => Type::New(bci),
        })
    }

    fn to_entry(&self, pool: &mut Append<'_>) -> Result<Option<Entry>, Full> {
        Ok(Some(match self {
            Type::Rest => return Ok(None),
            Type::Top => Entry::Simple(0),
            Type::Int => Entry::Simple(1),
            Type::Float => Entry::Simple(2),
            Type::Double => Entry::Simple(3),
            Type::Long => Entry::Simple(4),
            Type::Null => Entry::Simple(5),
            Type::Unborn => Entry::Simple(6),
            Type::New(bci) => Entry::New(*bci),
            Type::Object(name) => Entry::Object(pool.class(name)?),
        }))
    }
}

/// Parameter types of a method's descriptor; none if it is malformed.
#[must_use]
pub fn parameters(descriptor: &str) -> Option<Vec<Type>> {
    let mut rest = descriptor.strip_prefix('(')?;
    let mut types = Vec::new();
    while !rest.starts_with(')') {
        let (first, after) = Type::first_of(rest)?;
        types.push(first);
        rest = after;
    }
    Some(types)
}

/// The return type of a method's descriptor; the inner none for `void`.
#[must_use]
pub fn returned(descriptor: &str) -> Option<Option<Type>> {
    let (_, result) = descriptor.rsplit_once(')')?;
    match result {
        "V" => Some(None),
        _ => Type::first_of(result).map(|(first, _)| Some(first)),
    }
}

/// The state in which a method starts.
#[must_use]
pub fn entry_state(receiver: Option<Type>, descriptor: &str) -> Option<State> {
    let mut locals: Vec<Type> = receiver.into_iter().collect();
    for parameter in parameters(descriptor)? {
        parameter.push_to(&mut locals);
    }
    Some(State {
        locals,
        stack: Vec::new(),
    })
}

/// What each frame means, given the state in which the method starts; none if a frame is nonsense.
#[must_use]
pub fn expand(start: &State, frames: &[Frame], pool: &Pool) -> Option<Vec<State>> {
    let mut locals = start.locals.clone();
    let mut states = Vec::with_capacity(frames.len());
    for frame in frames {
        let mut stack = Vec::new();
        match &frame.form {
            Form::Same => {}
            Form::Stack(item) => stack = slots(std::slice::from_ref(item), pool)?,
            Form::Chop(count) => chop(&mut locals, *count)?,
            Form::Append(more) => locals.extend(slots(more, pool)?),
            Form::Full(all, items) => {
                locals = slots(all, pool)?;
                stack = slots(items, pool)?;
            }
        }
        states.push(State {
            locals: locals.clone(),
            stack,
        });
    }
    Some(states)
}

fn slots(entries: &[Entry], pool: &Pool) -> Option<Vec<Type>> {
    let mut slots = Vec::with_capacity(entries.len());
    for entry in entries {
        Type::of_entry(*entry, pool)?.push_to(&mut slots);
    }
    Some(slots)
}

fn chop(locals: &mut Vec<Type>, count: u8) -> Option<()> {
    for _ in 0..count {
        if locals.pop()? == Type::Rest {
            locals.pop()?;
        }
    }
    Some(())
}

/// A full frame that says a state; classes it names are added to the pool.
///
/// # Errors
/// When the pool is full.
pub fn full_form(state: &State, pool: &mut Append<'_>) -> Result<Form, Full> {
    let end = state.locals.iter().rposition(|slot| *slot != Type::Top);
    let locals = &state.locals[..end.map_or(0, |last| last + 1)];
    Ok(Form::Full(
        entries(locals, pool)?,
        entries(&state.stack, pool)?,
    ))
}

fn entries(slots: &[Type], pool: &mut Append<'_>) -> Result<Vec<Entry>, Full> {
    let entries = slots.iter().map(|slot| slot.to_entry(pool));
    entries.filter_map(Result::transpose).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn descriptors_become_slots() {
        let state = entry_state(Some(Type::object("A")), "(J[[Lp/B;DZ[I)V").expect("well-formed");
        let (array, ints) = (Type::object("[[Lp/B;"), Type::object("[I"));
        let all = [
            Type::object("A"),
            Type::Long,
            Type::Rest,
            array,
            Type::Double,
            Type::Rest,
        ];
        assert_eq!(state.locals[..6], all);
        assert_eq!(state.locals[6..], [Type::Int, ints]);
        assert_eq!(returned("()[I"), Some(Some(Type::object("[I"))));
        assert_eq!(returned("(I)V"), Some(None));
        for nonsense in ["(", "(L", "(Q)V", "I", "(["] {
            assert_eq!(entry_state(None, nonsense), None, "{nonsense}");
        }
    }

    #[test]
    fn frames_build_upon_each_other() {
        let pool = Pool::parse(3, &[1, 0, 1, b'A', 7, 0, 1]).expect("well-formed");
        let start = entry_state(None, "(J)V").expect("well-formed");
        let frame = |form| Frame {
            bci: 0,
            form,
            extended: true,
        };
        let frames = [
            frame(Form::Append(vec![Entry::Simple(3), Entry::Object(2)])),
            frame(Form::Stack(Entry::Simple(4))),
            frame(Form::Chop(3)),
        ];
        let states = expand(&start, &frames, &pool).expect("sensible");
        let (long, double) = ([Type::Long, Type::Rest], [Type::Double, Type::Rest]);
        let locals = [&long[..], &double, &[Type::object("A")]].concat();
        assert_eq!(states[0].locals, locals);
        assert_eq!(
            (&states[1].locals, &states[1].stack[..]),
            (&locals, &long[..])
        );
        assert_eq!(states[2], State::default());
        let too_many = [frame(Form::Chop(3))];
        assert_eq!(expand(&start, &too_many, &pool), None);
    }

    #[test]
    fn a_state_is_written_as_a_full_frame() {
        let pool = Pool::parse(3, &[1, 0, 1, b'A', 7, 0, 1]).expect("well-formed");
        let mut append = Append::new(&pool);
        let state = State {
            locals: vec![Type::Long, Type::Rest, Type::object("A"), Type::Top],
            stack: vec![Type::object("B")],
        };
        let form = full_form(&state, &mut append).expect("room");
        let locals = vec![Entry::Simple(4), Entry::Object(2)];
        assert_eq!(form, Form::Full(locals, vec![Entry::Object(4)]));
    }
}
