//! Exceptions: frames left, monitors released, handlers found where they are known.

use super::Machine;
use super::function;
use super::halt::{Do, Halt, stuck};
use super::heap::Native;
use super::step::Flow;
use super::thread::Frame;
use super::throwables::is_kind;
use super::value::{ObjectId, Value};
use super::world::World;
use crate::effects::is_platform_name;
use crate::statics::program::{FieldId, Method};
use crate::statics::survey::{Signal, signal};
use locklens_trace::code::{Handler, Op};
use std::sync::Arc;

/// Why execution stops at an exception.
pub(super) const MAY_BE_CAUGHT: &str = "an exception that may be caught";

impl<'a> Machine<'a> {
    /// An exception leaves frames until one handles it. Where handlers are not known and a frame
    /// may have one, nothing more can be said.
    pub(super) fn unwind(
        &mut self,
        world: &World<'a>,
        thread: usize,
        class: &Arc<str>,
    ) -> Do<Flow> {
        let explicit = self.threads[thread].frames.last().is_some_and(|frame| {
            let code = &world.program.methods[frame.method].code;
            let at = frame.at.checked_sub(1).and_then(|at| code.get(at));
            at.is_some_and(|i| i.op == Op::Throw)
        });
        while let Some(frame) = self.threads[thread].frames.last() {
            let method = &world.program.methods[frame.method];
            let entered = !frame.entering;
            let at = frame.at.saturating_sub(1);
            match &method.handlers {
                Some(handlers) if entered => {
                    if let Some(target) = handler(world, method, handlers, at, class)? {
                        return self.handle(thread, target, class);
                    }
                }
                None if entered && !self.escapes(thread, method, at, explicit) => {
                    let target = match explicit {
                        true => next_start(method, at).filter(|&next| waits(method, next)),
                        false => next_handler(method, at),
                    };
                    let Some(target) = target else {
                        return stuck(MAY_BE_CAUGHT);
                    };
                    self.note_assumed(world, thread, function::CATCHES);
                    return self.handle(thread, target, class);
                }
                _ => {}
            }
            let bottom = frame.bottom;
            let left = self.threads[thread].frames.len() - 1;
            self.drop_frames(thread, left);
            if bottom {
                return Err(Halt::Throw(Arc::clone(class)));
            }
        }
        Err(Halt::Throw(Arc::clone(class)))
    }

    /// An exception surely leaves a method whose handlers are not known: it has none; or the
    /// code threw on purpose when there was nothing that a `finally` would have to undo, and the
    /// method has nothing but those, or threw itself, which is not to catch it again.
    fn escapes(&self, thread: usize, method: &Method, at: usize, explicit: bool) -> bool {
        let throws = method.code.get(at).is_some_and(|i| i.op == Op::Throw);
        match handling(method) {
            Handling::None => true,
            Handling::Rethrows => explicit && self.is_unchanged(thread),
            Handling::Swallows => throws && self.is_unchanged(thread),
        }
    }

    /// The activation on top has left everything as it was, as far as it can be told.
    fn is_unchanged(&self, thread: usize) -> bool {
        let Some(frame) = self.threads[thread].frames.last() else {
            return false;
        };
        let kept = |&(id, field, old): &(ObjectId, FieldId, Option<Value>)| {
            let now = self.heap.get(id).field(field);
            now == old || (old.is_none() && now.is_some_and(is_initial))
        };
        frame.changes == self.changes && frame.written.iter().all(kept)
    }

    fn handle(&mut self, thread: usize, target: usize, class: &Arc<str>) -> Do<Flow> {
        let exception = self.allocate(Arc::clone(class), Native::Opaque)?;
        if let Some(frame) = self.threads[thread].frames.last_mut() {
            frame.stack = vec![Value::Object(exception)];
            frame.at = target;
        }
        Ok(Flow::On)
    }

    /// Leaves frames until so many are left, with all their monitors.
    pub(super) fn drop_frames(&mut self, thread: usize, left: usize) {
        while self.threads[thread].frames.len() > left {
            let Some(frame) = self.threads[thread].frames.pop() else {
                return;
            };
            self.release(thread, &frame);
        }
    }

    /// Releases the monitors of a frame that is left.
    pub(super) fn release(&mut self, thread: usize, frame: &Frame) {
        let blocks = frame.held.iter().rev().map(|h| h.1);
        let own = frame.own.filter(|_| !frame.entering);
        for on in blocks.chain(own) {
            // A monitor that is not held any more needs no release.
            let _ = self.leave(thread, on);
        }
    }
}

fn handler(
    world: &World<'_>,
    method: &Method,
    handlers: &[Handler],
    at: usize,
    class: &str,
) -> Do<Option<usize>> {
    let Some(bci) = method.code.get(at).map(|i| i.bci) else {
        return Ok(None);
    };
    for handler in handlers.iter().filter(|h| (h.start..h.end).contains(&bci)) {
        match catches(world, handler.catches.as_deref(), class) {
            Some(true) => return Ok(method.at(handler.target)),
            Some(false) => {}
            None => return stuck("an exception of a class that is not known"),
        }
    }
    Ok(None)
}

/// What a field holds that was never written.
fn is_initial(value: Value) -> bool {
    value.number() == Some(0) || value.is_null() == Some(true)
}

const SELDOM_EXTENDED: [&str; 3] = [
    "java.io.IOException",
    "java.lang.IndexOutOfBoundsException",
    "java.lang.InterruptedException",
];
/// Classes of a program's exceptions, one above the other.
const DEEP: usize = 16;

/// Whether a handler of a class catches an exception, if that is known.
fn catches(world: &World<'_>, caught: Option<&str>, class: &str) -> Option<bool> {
    let Some(caught) = caught else {
        return Some(true);
    };
    if caught == class || caught == "java.lang.Throwable" {
        return Some(true);
    }
    let classes = &world.program.classes;
    let Some(mut id) = classes.named(class, None) else {
        // Hardly a program's own class, of which nothing is recorded, extends these.
        let own = !is_platform_name(class) && SELDOM_EXTENDED.contains(&caught);
        return is_kind(class, caught).or(own.then_some(false));
    };
    if classes.is_a(id, caught) {
        return Some(true);
    }
    // One of the program's is what the last class of the program's that it extends is.
    for _ in 0..DEEP {
        let above = classes.get(id)?.super_name.as_deref()?;
        match classes.named(above, None) {
            Some(next) => id = next,
            None => return is_kind(above, caught),
        }
    }
    None
}

/// What the handlers of a method do that are not known as such. Handlers are what control flow
/// alone never reaches; those that only release a monitor and throw on do not count.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Handling {
    None,
    /// All throw on after something else, as a `finally` does.
    Rethrows,
    Swallows,
}

fn handling(method: &Method) -> Handling {
    let starts = (1..method.code.len()).filter(|&at| is_unreached(method, at));
    let kinds = starts.map(
        |at| match (only_releases(method, at), throws_on(method, at)) {
            (true, _) => Handling::None,
            (_, true) => Handling::Rethrows,
            _ => Handling::Swallows,
        },
    );
    kinds.max().unwrap_or(Handling::None)
}

/// The handler of the block that an instruction seems to be in, where it swallows what it catches: compilers write it right
/// behind the block, which ends in a jump over it. The code leads there, whichever way, so that no other block begins in between.
fn next_handler(method: &Method, at: usize) -> Option<usize> {
    let target = next_start(method, at)?;
    let between = method.code[at..target - 1].iter().map(|i| &i.op);
    let within = method.code[at].bci..=method.code[target - 1].bci;
    let straight = |op: &Op| {
        let ends = matches!(op, Op::Return { .. } | Op::Throw | Op::Goto(_));
        let targets = crate::statics::program::branch_targets(op);
        !ends && targets.iter().all(|to| within.contains(to))
    };
    let swallows = !only_releases(method, target) && !throws_on(method, target);
    let jumps = matches!(method.code[target - 1].op, Op::Goto(_));
    (swallows && jumps && between.into_iter().all(straight)).then_some(target)
}

/// Where the first handler behind an instruction begins.
fn next_start(method: &Method, at: usize) -> Option<usize> {
    let mut rest = at + 1..method.code.len();
    rest.find(|&next| is_unreached(method, next))
}

/// Straight code from here waits: what is thrown on purpose by a method that this one calls is the only way there.
fn waits(method: &Method, at: usize) -> bool {
    let ends = |op: &&Op| matches!(op, Op::Goto(_) | Op::Return { .. } | Op::Throw);
    let straight = method.code[at..].iter().map(|i| &i.op);
    let mut straight = straight.take_while(|op| !ends(op));
    straight.any(|op| match op {
        Op::Invoke { kind, method } => matches!(signal(*kind, method), Some((Signal::Wait, _))),
        _ => false,
    })
}

/// Straight code from here ends in a throw.
fn throws_on(method: &Method, at: usize) -> bool {
    let ends = |op: &Op| matches!(op, Op::Goto(_) | Op::Return { .. } | Op::Throw);
    let mut rest = method.code[at..].iter().map(|i| &i.op);
    rest.find(|op| ends(op)) == Some(&Op::Throw)
}

/// No instruction leads here, and the one before does not fall through.
fn is_unreached(method: &Method, at: usize) -> bool {
    let before = &method.code[at - 1].op;
    let ends = matches!(
        before,
        Op::Goto(_) | Op::Return { .. } | Op::Throw | Op::Switch { .. } | Op::Ret(_)
    );
    let bci = method.code[at].bci;
    let leads = |op: &Op| crate::statics::program::branch_targets(op).contains(&bci);
    ends && !method.code.iter().any(|i| leads(&i.op))
}

fn only_releases(method: &Method, at: usize) -> bool {
    let rest = method.code[at..].iter().map(|i| &i.op);
    let mut rest = rest.skip_while(|op| {
        matches!(
            op,
            Op::Store { .. } | Op::Load { .. } | Op::MonitorExit | Op::Nop
        )
    });
    matches!(rest.next(), Some(Op::Throw))
}
