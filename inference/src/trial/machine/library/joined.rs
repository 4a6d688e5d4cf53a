//! Functions that the library makes of functions: `negate`, `andThen`, `identity` and the like.

use super::super::Machine;
use super::super::halt::Do;
use super::super::heap::{Joined, Native};
use super::super::link::CallLink;
use super::super::value::{ObjectId, Value};
use super::super::world::World;

/// How functions of any interface are called here.
const APPLY: (&str, &str, &str) = (
    "java.util.function.Function",
    "apply",
    "(Ljava/lang/Object;)Ljava/lang/Object;",
);

/// What a method that functions have besides the one they implement makes of one.
pub(super) fn rest_of_function(id: ObjectId, call: &CallLink, args: &[Value]) -> Option<Joined> {
    let own = Value::Object(id);
    let takes_only = call.method.class.ends_with("Consumer");
    Some(match (call.name(), args) {
        ("negate", []) => Joined::Not(own),
        ("and", &[other]) => Joined::Both(own, other),
        ("or", &[other]) => Joined::Either(own, other),
        ("andThen", &[next]) if takes_only => Joined::Each(own, next),
        ("andThen", &[next]) => Joined::Then(own, next),
        ("compose", &[first]) => Joined::Then(first, own),
        _ => return None,
    })
}

impl<'a> Machine<'a> {
    pub(super) fn new_joined(&mut self, joined: Joined) -> Do<Value> {
        let name = "java.util.function.Function".into();
        let made = self.allocate(name, Native::Joined(joined))?;
        Ok(Value::Object(made))
    }

    /// A static method of one of the interfaces of functions.
    pub(super) fn function_static(&mut self, call: &CallLink, args: &[Value]) -> Do<Option<Value>> {
        let joined = match (call.name(), args) {
            ("identity", []) => Joined::Same,
            ("not", &[test]) => Joined::Not(test),
            ("minBy", &[order]) => Joined::Least(order),
            ("maxBy", &[order]) => Joined::Most(order),
            _ => return Self::not_modelled(call),
        };
        self.new_joined(joined).map(Some)
    }

    /// A method of such a function.
    pub(super) fn joined(
        &mut self,
        at: (&World<'a>, usize),
        call: &CallLink,
        id: ObjectId,
        joined: Joined,
        args: &[Value],
    ) -> Do<Option<Value>> {
        match rest_of_function(id, call, args) {
            Some(more) => self.new_joined(more).map(Some),
            None => self.apply_joined(at, joined, args).map(Some),
        }
    }

    /// What such a function gives.
    pub(in super::super) fn apply_joined(
        &mut self,
        at: (&World<'a>, usize),
        joined: Joined,
        args: &[Value],
    ) -> Do<Value> {
        self.deeper(|machine| machine.joined_result(at, joined, args))
    }

    fn joined_result(
        &mut self,
        at: (&World<'a>, usize),
        joined: Joined,
        args: &[Value],
    ) -> Do<Value> {
        let (world, thread) = at;
        let first = args.first().copied().unwrap_or(Value::Unknown);
        let holds = |machine: &mut Self, test| -> Do<Value> {
            machine.apply(world, thread, test, APPLY, args)
        };
        match joined {
            Joined::Same => Ok(first),
            Joined::Not(test) => {
                let known = holds(self, test)?.number();
                Ok(known.map_or(Value::Unknown, |n| Value::flag(n == 0)))
            }
            Joined::Both(one, other) => match holds(self, one)?.number() {
                Some(0) => Ok(Value::flag(false)),
                Some(_) => holds(self, other),
                None => Ok(Value::Unknown),
            },
            Joined::Either(one, other) => match holds(self, one)?.number() {
                Some(0) => holds(self, other),
                Some(_) => Ok(Value::flag(true)),
                None => Ok(Value::Unknown),
            },
            Joined::Then(one, next) => {
                let given = holds(self, one)?;
                self.apply(world, thread, next, APPLY, &[given])
            }
            Joined::Each(one, next) => {
                holds(self, one)?;
                holds(self, next)
            }
            Joined::Least(order) | Joined::Most(order) => {
                let second = args.get(1).copied().unwrap_or(Value::Unknown);
                let ordered = self.compare(world, thread, first, second, Some(order))?;
                let least = matches!(joined, Joined::Least(_));
                Ok(if ordered == 0 || (ordered < 0) == least {
                    first
                } else {
                    second
                })
            }
        }
    }
}
