//! Texts: what `String` and `StringBuilder` do, as far as the letters are known.

use super::super::Machine;
use super::super::function::UNLIKE;
use super::super::halt::{Do, stuck, throw};
use super::super::heap::{MOST as LONG, Native};
use super::super::link::CallLink;
use super::super::site::Piece;
use super::super::text::{Text, units};
use super::super::value::{ObjectId, Value};
use super::super::world::World;
use super::letters::found;
use crate::statics::descriptor::Signature;

impl<'a> Machine<'a> {
    /// A method of a text. None: what it returns is not known.
    pub(super) fn of_text(
        &mut self,
        (world, thread): (&World<'a>, usize),
        call: &CallLink,
        id: ObjectId,
        args: &[Value],
    ) -> Do<Option<Value>> {
        let Native::Text(text) = &self.heap.get(id).native else {
            return Ok(None);
        };
        let text = text.clone();
        match (call.name(), args) {
            ("length", []) => return Ok(Some(Value::Number(text.length()))),
            ("isEmpty", []) => return Ok(Some(Value::flag(text.length() == 0))),
            ("toString", []) => return Ok(Some(Value::Object(id))),
            ("compareTo", &[other]) => {
                let order = self.text(other).and_then(|other| text.order(other));
                return Ok(order.map(Value::Number));
            }
            _ => {}
        }
        let Some(letters) = text.whole() else {
            if call.name() != "intern" {
                return Ok(None);
            }
            // Whatever its letters are, it is equal to itself.
            self.note_assumed(world, thread, UNLIKE);
            return Ok(Some(Value::Object(id)));
        };
        if let Some(found) = self.asked(call, letters, args)? {
            return Ok(Some(found));
        }
        if let Some(found) = self.sought(call, letters, args)? {
            return Ok(Some(found));
        }
        if let Some(made) = self.rewritten(call, letters, args)? {
            return Ok(Some(made));
        }
        self.derived(call, letters, args)
    }

    /// What a text answers with a number.
    fn asked(&self, call: &CallLink, letters: &[u16], args: &[Value]) -> Do<Option<Value>> {
        let operand = args.first().and_then(|&a| self.text(a)?.whole());
        let number = args.first().and_then(|a| a.number());
        let is_text = call.method.descriptor.starts_with("(Ljava/lang/");
        let place = |at: Option<usize>| Value::Number(at.map_or(-1, |at| at as i64));
        let letter = |n: i64| move |&unit: &u16| i64::from(unit) == n;
        Ok(match (call.name(), operand, number, args.len()) {
            ("charAt", _, Some(at), 1) => {
                let unit = usize::try_from(at).ok().and_then(|at| letters.get(at));
                match unit {
                    Some(&unit) => Some(Value::Number(unit.into())),
                    None => return throw("StringIndexOutOfBoundsException"),
                }
            }
            ("startsWith", Some(other), _, 1) => Some(Value::flag(letters.starts_with(other))),
            ("endsWith", Some(other), _, 1) => Some(Value::flag(letters.ends_with(other))),
            ("contains", Some(other), _, 1) => Some(Value::flag(found(letters, other).is_some())),
            ("contentEquals", Some(other), _, 1) => Some(Value::flag(letters == other)),
            ("equalsIgnoreCase", Some(other), _, 1) => ascii(letters)
                .zip(ascii(other))
                .map(|(a, b)| Value::flag(a.eq_ignore_ascii_case(&b))),
            ("indexOf", Some(other), _, 1) if is_text => Some(place(found(letters, other))),
            ("indexOf", None, Some(n), 1) => Some(place(letters.iter().position(letter(n)))),
            ("lastIndexOf", None, Some(n), 1) => Some(place(letters.iter().rposition(letter(n)))),
            _ => None,
        })
    }

    /// What a text makes of itself.
    fn derived(&mut self, call: &CallLink, letters: &[u16], args: &[Value]) -> Do<Option<Value>> {
        let numbers: Vec<_> = args.iter().map(|a| a.number()).collect();
        let made = match (call.name(), numbers.as_slice()) {
            ("intern", []) => return self.interned(letters).map(|id| Some(Value::Object(id))),
            ("toCharArray", []) => {
                let items = letters.iter().map(|&unit| Value::Number(unit.into()));
                return self.new_array(items.collect());
            }
            ("substring", [Some(from)]) => part(letters, *from, letters.len() as i64),
            ("substring" | "subSequence", [Some(from), Some(to)]) => part(letters, *from, *to),
            ("concat", [_]) => match self.text(args[0]).and_then(Text::whole) {
                Some(more) if letters.len() + more.len() > LONG => {
                    return stuck("a very long text");
                }
                Some(more) => Some([letters, more].concat()),
                None => return Ok(None),
            },
            ("trim", []) => Some(trimmed(letters).to_vec()),
            _ => return Ok(None),
        };
        match made {
            Some(units) => self.new_text(&units).map(Some),
            None => throw("StringIndexOutOfBoundsException"),
        }
    }

    /// A static method of `String`.
    pub(super) fn text_static(
        &mut self,
        world: &World<'a>,
        call: &CallLink,
        args: &[Value],
    ) -> Do<Option<Value>> {
        match (call.name(), args) {
            ("valueOf" | "copyValueOf", &[Value::Object(id)])
                if call.method.descriptor.starts_with("([C)") =>
            {
                let letters = match &self.heap.get(id).native {
                    Native::Array(letters) => whole(letters),
                    _ => None,
                };
                letters.map_or(Ok(None), |units| self.new_text(&units).map(Some))
            }
            ("valueOf" | "toString", &[value]) => self.value_text(world, call, value),
            ("join", &[between, Value::Object(items)]) => {
                let items = match &self.heap.get(items).native {
                    Native::Array(items) => items.clone(),
                    _ => self.elements(Value::Object(items))?,
                };
                let between = self.text(between).and_then(|t| Some(t.whole()?.to_vec()));
                between.map_or(Ok(None), |between| self.put_between(&between, &items))
            }
            _ => Ok(None),
        }
    }

    fn value_text(
        &mut self,
        world: &World<'a>,
        call: &CallLink,
        value: Value,
    ) -> Do<Option<Value>> {
        let signature = Signature::parse(&call.method.descriptor);
        let ty = signature.params().next().map_or("", |ty| ty.0);
        match self.text_of(world, value, ty) {
            Some(units) => self.new_text(&units).map(Some),
            None => Ok(None),
        }
    }

    /// An `invokedynamic` that puts a text together.
    pub(super) fn put_together(
        &mut self,
        world: &World<'a>,
        call: &CallLink,
        pieces: &[Piece],
        args: &[Value],
    ) -> Do<Option<Value>> {
        let signature = Signature::parse(&call.method.descriptor);
        let mut operands = args.iter().zip(signature.params());
        let mut all = Vec::new();
        for piece in pieces {
            match piece {
                Piece::Letters(letters) => all.extend(letters.encode_utf16()),
                Piece::Operand => {
                    let operand = operands.next();
                    let text = operand.and_then(|(&v, ty)| self.text_of(world, v, ty.0));
                    match text {
                        Some(text) => all.extend(text),
                        None => return Ok(None),
                    }
                }
            }
            if all.len() > LONG {
                return stuck("a very long text");
            }
        }
        self.new_text(&all).map(Some)
    }

    /// The text of a value of a type, if it is known.
    fn text_of(&self, world: &World<'a>, value: Value, ty: &str) -> Option<Vec<u16>> {
        let n = value.number();
        match ty {
            "C" | "Ljava/lang/Character;" => return n.map(|n| vec![n as u16]),
            "Z" | "Ljava/lang/Boolean;" if value.is_number() || ty == "Z" => {
                return n.map(|n| units(if n == 0 { "false" } else { "true" }));
            }
            "I" | "J" | "S" | "B" => return n.map(|n| units(&n.to_string())),
            "Ljava/lang/Integer;" | "Ljava/lang/Long;" if value.is_number() => {
                return n.map(|n| units(&n.to_string()));
            }
            "F" | "D" => return real_text(value),
            "Ljava/lang/Float;" | "Ljava/lang/Double;" if value.is_number() => {
                return real_text(value);
            }
            _ => {}
        }
        match value {
            Value::Null | Value::Blank => Some(units("null")),
            Value::Object(id) => match &self.heap.get(id).native {
                Native::Text(text) => text.whole().map(<[u16]>::to_vec),
                Native::Buffer(letters) => whole(letters),
                Native::Constant(_) => self.written_constant(world, id),
                _ => None,
            },
            _ => None,
        }
    }

    /// The text of an enum constant whose class does not say otherwise.
    fn written_constant(&self, world: &World<'a>, id: ObjectId) -> Option<Vec<u16>> {
        let class = self.heap.get(id).class?;
        let own = self.redefined(world, class, "toString", "()Ljava/lang/String;");
        let name = self
            .constant_name(Value::Object(id))
            .filter(|_| own.is_none());
        name.map(|name| units(&name))
    }

    /// The name of an enum constant.
    pub(super) fn constant_name(&self, constant: Value) -> Option<String> {
        let Value::Object(id) = constant else {
            return None;
        };
        let object = self.heap.get(id);
        if !matches!(object.native, Native::Constant(_)) {
            return None;
        }
        let name = *object.holds.first()?;
        let name = self.text(Value::Object(name))?.whole()?;
        String::from_utf16(name).ok()
    }

    /// A method of a text that is put together. What is added in a way that leaves its length
    /// open makes it unknown.
    pub(super) fn buffer(
        &mut self,
        world: &World<'a>,
        call: &CallLink,
        id: ObjectId,
        args: &[Value],
    ) -> Do<Option<Value>> {
        let own = Some(Value::Object(id));
        self.changes += 1;
        if let Some(known) = self.of_built(call, id, args)? {
            return Ok(Some(known));
        }
        let added = self.added(world, call, args);
        let Native::Buffer(text) = &mut self.heap.change(id).native else {
            return Ok(None);
        };
        let at = |v: &Value, most: usize| {
            let at = v.number().and_then(|n| usize::try_from(n).ok());
            at.filter(|&at| at <= most)
        };
        match (call.name(), args) {
            ("length", []) => return Ok(Some(Value::Number(text.len() as i64))),
            ("isEmpty", []) => return Ok(Some(Value::flag(text.is_empty()))),
            ("charAt", [index]) => match at(index, text.len()) {
                Some(index) if index < text.len() => return Ok(Some(text[index])),
                _ => return throw("StringIndexOutOfBoundsException"),
            },
            ("setCharAt", [index, letter]) => match at(index, text.len()) {
                Some(index) if index < text.len() => text[index] = *letter,
                _ => return throw("StringIndexOutOfBoundsException"),
            },
            ("deleteCharAt", [index]) => match at(index, text.len()) {
                Some(index) if index < text.len() => _ = text.remove(index),
                _ => return throw("StringIndexOutOfBoundsException"),
            },
            ("delete", [from, to]) => match (at(from, text.len()), to.number()) {
                (Some(from), Some(to)) => {
                    let to = usize::try_from(to).unwrap_or(0).clamp(from, text.len());
                    text.drain(from..to);
                }
                _ => return throw("StringIndexOutOfBoundsException"),
            },
            ("setLength", [length]) => match at(length, LONG) {
                Some(length) => text.resize(length, Value::Number(0)),
                None => return stuck("a length that is not known"),
            },
            ("reverse", []) => text.reverse(),
            ("insert", [index, letter]) if call.method.descriptor.starts_with("(IC)") => {
                match at(index, text.len()) {
                    Some(index) => text.insert(index, *letter),
                    None => return throw("StringIndexOutOfBoundsException"),
                }
            }
            ("append", [_]) | ("<init>", [_]) => match added {
                Some(more) if text.len() + more.len() <= LONG => text.extend(more),
                Some(_) => return stuck("a very long text"),
                None => self.heap.change(id).native = Native::Opaque,
            },
            ("<init>", []) => {}
            ("toString", []) => {
                let native = match whole(text) {
                    Some(units) => Text::of(&units),
                    None => Text::vague(text.len() as i64),
                };
                let id = self.allocate("java.lang.String".into(), Native::Text(native))?;
                return Ok(Some(Value::Object(id)));
            }
            _ => self.heap.change(id).native = Native::Opaque,
        }
        Ok(own)
    }

    /// The letters that a call appends; none if not even their number is known.
    fn added(&self, world: &World<'a>, call: &CallLink, args: &[Value]) -> Option<Vec<Value>> {
        let &[value] = args else {
            return None;
        };
        let descriptor = call.method.descriptor.as_str();
        match (call.name(), descriptor.get(..3)) {
            // How much room there is to be.
            ("<init>", Some("(I)")) => return Some(Vec::new()),
            ("append", Some("(C)")) => return Some(vec![value]),
            _ => {}
        }
        let signature = Signature::parse(descriptor);
        let ty = signature.params().next()?;
        if let Some(units) = self.text_of(world, value, ty.0) {
            return Some(units.iter().map(|&u| Value::Number(u.into())).collect());
        }
        let length = usize::try_from(self.text(value)?.length()).ok()?;
        (length <= LONG).then(|| vec![Value::Unknown; length])
    }
}

/// The letters, if all are known.
pub(super) fn whole(letters: &[Value]) -> Option<Vec<u16>> {
    letters
        .iter()
        .map(|v| v.number().map(|n| n as u16))
        .collect()
}

/// The text of a number of floating point, where every JVM writes the same.
fn real_text(value: Value) -> Option<Vec<u16>> {
    let n = value.number().filter(|n| n.abs() < 1_000_000)?;
    let negative_zero = n == 0 && value.real().is_some_and(f64::is_sign_negative);
    Some(units(&match negative_zero {
        true => "-0.0".to_owned(),
        false => format!("{n}.0"),
    }))
}

/// The units as ASCII, if they are.
fn ascii(letters: &[u16]) -> Option<String> {
    let byte = |&unit: &u16| u8::try_from(unit).ok().filter(u8::is_ascii);
    let bytes: Option<Vec<u8>> = letters.iter().map(byte).collect();
    String::from_utf8(bytes?).ok()
}

/// Without what `trim` takes for white space.
pub(super) fn trimmed(letters: &[u16]) -> &[u16] {
    let is_space = |unit: &u16| *unit <= 0x20;
    let start = letters.iter().position(|u| !is_space(u));
    let start = start.unwrap_or(letters.len());
    let end = letters.iter().rposition(|u| !is_space(u));
    &letters[start..end.map_or(start, |at| at + 1)]
}

fn part(letters: &[u16], from: i64, to: i64) -> Option<Vec<u16>> {
    let (from, to) = (usize::try_from(from).ok()?, usize::try_from(to).ok()?);
    letters.get(from..to).map(<[u16]>::to_vec)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::trial::machine::real::Real;

    #[test]
    fn parts_of_texts_are_found() {
        let text = units(" lock me ");
        assert_eq!(found(&text, &units("me")), Some(6));
        assert_eq!(found(&text, &units("")), Some(0));
        assert_eq!(found(&text, &units("you")), None);
        assert_eq!(trimmed(&text), units("lock me"));
        assert_eq!(trimmed(&units("  ")), units(""));
        assert_eq!(part(&text, 1, 5), Some(units("lock")));
        assert_eq!(part(&text, 5, 1), None);
        assert_eq!(part(&text, 0, 10), None);
    }

    #[test]
    fn only_what_every_jvm_writes_alike_is_written() {
        let double = |value| real_text(Value::Real(Real::new(value, true)));
        assert_eq!(double(3.0), Some(units("3.0")));
        assert_eq!(double(-0.0), Some(units("-0.0")));
        assert_eq!(double(0.1), None);
        assert_eq!(double(1e9), None);
    }
}
