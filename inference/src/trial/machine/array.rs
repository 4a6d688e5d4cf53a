//! Arrays: made, read and written.

use super::Machine;
use super::halt::{Do, stuck, throw};
use super::heap::Native;
use super::step::Flow;
use super::value::Value;
use locklens_trace::code::Op;

/// Largest array that is made.
const MAX_ARRAY: i64 = 1 << 16;
/// Longest array whose length is guessed.
const GUESSED_LENGTH: i64 = 8;

impl<'a> Machine<'a> {
    pub(super) fn array(&mut self, sizes: &[Value]) -> Do<Value> {
        let Some((first, rest)) = sizes.split_first() else {
            return Ok(Value::Unknown);
        };
        let known = match first {
            Value::Guess(n) => self.resolved(Value::Guess((*n).clamp(1, GUESSED_LENGTH))),
            known => known.number(),
        };
        let Some(length) = known else {
            return stuck("an array of a length that is not known");
        };
        if length < 0 {
            return throw("NegativeArraySizeException");
        }
        if length > MAX_ARRAY {
            return stuck("a very large array");
        }
        let mut items = vec![Value::Blank; length as usize];
        if !rest.is_empty() {
            for item in &mut items {
                *item = self.array(rest)?;
            }
        }
        let id = self.allocate("[".into(), Native::Array(items))?;
        Ok(Value::Object(id))
    }

    pub(super) fn element(&mut self, thread: usize, op: &Op) -> Do<Flow> {
        let frame = self.top(thread)?;
        let stored = match op {
            Op::ArrayStore { wide } => Some(frame.pop(*wide)),
            _ => None,
        };
        let index = match op {
            Op::ArrayLength => None,
            _ => Some(frame.pop(false)),
        };
        let id = match frame.pop(false) {
            Value::Object(id) => id,
            Value::Null | Value::Blank => return throw("NullPointerException"),
            _ => return self.element_of_unknown(thread, op),
        };
        let Native::Array(items) = &self.heap.get(id).native else {
            return self.element_of_unknown(thread, op);
        };
        let Some(index) = index else {
            let length = Value::Number(items.len() as i64);
            self.top(thread)?.push(length, false);
            return Ok(Flow::On);
        };
        let count = items.len() as i64;
        let index = match index {
            Value::Guess(n) if count > 0 => self.resolved(Value::Guess(n.rem_euclid(count))),
            known => known.number(),
        };
        let Some(index) = index else {
            return stuck("an array index that is not known");
        };
        let Native::Array(items) = &self.heap.get(id).native else {
            return self.element_of_unknown(thread, op);
        };
        let Some(&item) = usize::try_from(index).ok().and_then(|i| items.get(i)) else {
            return throw("ArrayIndexOutOfBoundsException");
        };
        match (op, stored) {
            (Op::ArrayLoad { wide }, _) => self.top(thread)?.push(item, *wide),
            (_, Some(value)) => {
                self.changes += 1;
                if let Native::Array(items) = &mut self.heap.change(id).native {
                    items[index as usize] = value;
                }
            }
            _ => {}
        }
        Ok(Flow::On)
    }

    fn element_of_unknown(&mut self, thread: usize, op: &Op) -> Do<Flow> {
        match op {
            Op::ArrayLoad { wide } => {
                let item = self.guess(thread, if *wide { "J" } else { "I" });
                self.top(thread)?.push(item, *wide);
            }
            Op::ArrayLength => {
                let length = self.guess(thread, "I");
                self.top(thread)?.push(length, false);
            }
            _ => return stuck("writes an array that is not known"),
        }
        Ok(Flow::On)
    }
}
