//! What is calculated with the letters of texts, where every JVM and every language does it alike.

use super::super::Machine;
use super::super::halt::{Do, stuck, throw};
use super::super::heap::{MOST as LONG, Native};
use super::super::link::CallLink;
use super::super::value::{ObjectId, Value};

impl Machine<'_> {
    /// Methods of texts that compare letters or look for some. None: it is none of them, or not
    /// known.
    pub(super) fn sought(
        &self,
        call: &CallLink,
        letters: &[u16],
        args: &[Value],
    ) -> Do<Option<Value>> {
        let operand = args.first().and_then(|&a| self.text(a)?.whole());
        let from = args.get(1).and_then(|a| a.number());
        let place = |at: Option<usize>| Some(Value::Number(at.map_or(-1, |at| at as i64)));
        let start = from.map_or(0, |n| usize::try_from(n).unwrap_or(0).min(letters.len()));
        let rest = &letters[start..];
        Ok(match (call.name(), operand, args) {
            ("isBlank", _, []) => is_ascii(letters).then(|| {
                let blank = |&u: &u16| u8::try_from(u).is_ok_and(|b| b.is_ascii_whitespace());
                Value::flag(letters.iter().all(blank))
            }),
            ("startsWith", Some(other), [_, _]) => Some(Value::flag(rest.starts_with(other))),
            ("indexOf", Some(other), [_, _]) => place(found(rest, other).map(|at| at + start)),
            ("indexOf", None, [letter, _]) => {
                let is_it = |&unit: &u16| Some(i64::from(unit)) == letter.number();
                place(rest.iter().position(is_it).map(|at| at + start))
            }
            ("lastIndexOf", Some(other), [_]) => {
                let ends = (0..=letters.len()).rev();
                place(ends.clone().find(|&at| letters[at..].starts_with(other)))
            }
            ("compareToIgnoreCase", Some(other), [_]) => {
                let both = is_ascii(letters) && is_ascii(other);
                both.then(|| {
                    let (a, b) = (lower(letters), lower(other));
                    let pair = a.iter().zip(&b).find(|(a, b)| a != b);
                    let lengths = a.len() as i64 - b.len() as i64;
                    Value::Number(pair.map_or(lengths, |(&a, &b)| i64::from(a) - i64::from(b)))
                })
            }
            _ => None,
        })
    }

    /// Methods of texts that make other texts. None: it is none of them, or not known.
    pub(super) fn rewritten(
        &mut self,
        call: &CallLink,
        letters: &[u16],
        args: &[Value],
    ) -> Do<Option<Value>> {
        let text = |at: usize| {
            args.get(at)
                .and_then(|&a| Some(self.text(a)?.whole()?.to_vec()))
        };
        let number = |at: usize| args.get(at).and_then(|a| a.number());
        let (first, second) = (text(0), text(1));
        let made = match (call.name(), args.len()) {
            ("toLowerCase", _) if is_ascii(letters) => lower(letters),
            ("toUpperCase", _) if is_ascii(letters) => upper(letters),
            ("strip", 0) if is_ascii(letters) => super::text::trimmed(letters).to_vec(),
            ("repeat", 1) => match number(0).and_then(|n| usize::try_from(n).ok()) {
                Some(n) if n.saturating_mul(letters.len()) <= LONG => letters.repeat(n),
                Some(_) => return stuck("a very long text"),
                None => return throw("IllegalArgumentException"),
            },
            ("replace", 2) => {
                let made = match (first, second, number(0), number(1)) {
                    (Some(old), Some(new), ..) => replaced(letters, &old, &new),
                    (_, _, Some(old), Some(new)) => replaced(letters, &[old as u16], &[new as u16]),
                    _ => return Ok(None),
                };
                match made {
                    Some(made) => made,
                    None => return stuck("a very long text"),
                }
            }
            ("split", 1) => {
                let Some(at) = first.as_deref().and_then(plain) else {
                    return Ok(None);
                };
                return self.pieces(letters, at);
            }
            ("chars", 0) => {
                let items = letters.iter().map(|&unit| Value::Number(unit.into()));
                return self.new_stream(items.collect());
            }
            _ => return Ok(None),
        };
        self.new_text(&made).map(Some)
    }

    /// The pieces of a text between the places of a letter, without empty ones at the end.
    fn pieces(&mut self, letters: &[u16], at: u16) -> Do<Option<Value>> {
        let mut pieces: Vec<&[u16]> = letters.split(|&unit| unit == at).collect();
        while pieces.len() > 1 && pieces.last().is_some_and(|p| p.is_empty()) {
            pieces.pop();
        }
        let mut made = Vec::with_capacity(pieces.len());
        for piece in pieces {
            made.push(self.new_text(piece)?);
        }
        self.new_array(made)
    }

    /// Texts with something between them; none if one is not known.
    pub(super) fn put_between(&mut self, between: &[u16], items: &[Value]) -> Do<Option<Value>> {
        let mut all = Vec::new();
        for (at, &item) in items.iter().enumerate() {
            let Some(letters) = self.text(item).and_then(|t| t.whole()) else {
                return Ok(None);
            };
            if at > 0 {
                all.extend_from_slice(between);
            }
            all.extend_from_slice(letters);
            if all.len() > LONG {
                return stuck("a very long text");
            }
        }
        self.new_text(&all).map(Some)
    }

    /// Methods of a text that is put together that neither add at its end nor change single
    /// letters. None: it is none of them.
    pub(super) fn of_built(
        &mut self,
        call: &CallLink,
        id: ObjectId,
        args: &[Value],
    ) -> Do<Option<Value>> {
        let Native::Buffer(letters) = &self.heap.get(id).native else {
            return Ok(None);
        };
        let known = |items: &[Value]| super::text::whole(items);
        let numbers: Vec<_> = args.iter().map(|a| a.number()).collect();
        let other = args
            .last()
            .and_then(|&a| Some(self.text(a)?.whole()?.to_vec()));
        let place = |at: Option<usize>| Some(Value::Number(at.map_or(-1, |at| at as i64)));
        Ok(match (call.name(), numbers.as_slice(), other) {
            ("indexOf", [_], Some(other)) => {
                known(letters).and_then(|all| place(found(&all, &other)))
            }
            ("lastIndexOf", [_], Some(other)) => known(letters).and_then(|all| {
                place(
                    (0..=all.len())
                        .rev()
                        .find(|&at| all[at..].starts_with(&other)),
                )
            }),
            ("substring" | "subSequence", &[Some(from), ref to @ ..], _) => {
                let to = to
                    .first()
                    .copied()
                    .flatten()
                    .unwrap_or(letters.len() as i64);
                let range = usize::try_from(from).ok().zip(usize::try_from(to).ok());
                let part = range.and_then(|(from, to)| letters.get(from..to));
                let Some(part) = part.map(<[Value]>::to_vec) else {
                    return throw("StringIndexOutOfBoundsException");
                };
                match known(&part) {
                    Some(units) => Some(self.new_text(&units)?),
                    None => Some(self.unknown("Ljava/lang/String;")?),
                }
            }
            ("insert", &[Some(at), _], Some(other)) => {
                self.put_in(id, at, at, &other)?;
                Some(Value::Object(id))
            }
            ("replace", &[Some(from), Some(to), _], Some(other)) => {
                self.put_in(id, from, to, &other)?;
                Some(Value::Object(id))
            }
            ("append", &[_, Some(from), Some(to)], _) => {
                let text = self.text(args[0]).and_then(|t| t.whole());
                let range = usize::try_from(from).ok().zip(usize::try_from(to).ok());
                let part = text.zip(range).and_then(|(t, (from, to))| t.get(from..to));
                let Some(part) = part.map(<[u16]>::to_vec) else {
                    return Ok(None);
                };
                let end = letters.len() as i64;
                self.put_in(id, end, end, &part)?;
                Some(Value::Object(id))
            }
            _ => None,
        })
    }

    fn put_in(&mut self, id: ObjectId, from: i64, to: i64, units: &[u16]) -> Do<()> {
        let Native::Buffer(letters) = &mut self.heap.change(id).native else {
            return Ok(());
        };
        let from = usize::try_from(from).unwrap_or(usize::MAX);
        let to = usize::try_from(to).unwrap_or(0).min(letters.len());
        if from > to || letters.len() + units.len() > LONG {
            return throw("StringIndexOutOfBoundsException");
        }
        let new = units.iter().map(|&unit| Value::Number(unit.into()));
        letters.splice(from..to, new).for_each(drop);
        Ok(())
    }
}

/// A letter that a regular expression of one stands for: itself.
fn plain(pattern: &[u16]) -> Option<u16> {
    const MEANS: &str = ".$|()[{^?*+\\";
    let means = |unit: u16| MEANS.encode_utf16().any(|m| m == unit);
    match *pattern {
        [one] if !means(one) => Some(one),
        [escape, one] if escape == u16::from(b'\\') && means(one) => Some(one),
        _ => None,
    }
}

pub(super) fn found(letters: &[u16], other: &[u16]) -> Option<usize> {
    if other.is_empty() {
        return Some(0);
    }
    letters.windows(other.len()).position(|part| part == other)
}

/// None where it becomes very long.
fn replaced(letters: &[u16], old: &[u16], new: &[u16]) -> Option<Vec<u16>> {
    if old.is_empty() {
        let length = (letters.len() + 1).saturating_mul(new.len() + 1);
        let each = letters.iter().flat_map(|&u| [new, &[u]].concat());
        return (length <= LONG).then(|| each.chain(new.iter().copied()).collect());
    }
    let mut out = Vec::new();
    let mut rest = letters;
    while let Some(at) = found(rest, old) {
        out.extend_from_slice(&rest[..at]);
        out.extend_from_slice(new);
        rest = &rest[at + old.len()..];
        if out.len() > LONG {
            return None;
        }
    }
    out.extend_from_slice(rest);
    (out.len() <= LONG).then_some(out)
}

fn is_ascii(letters: &[u16]) -> bool {
    letters.iter().all(|&unit| unit < 0x80)
}

fn lower(letters: &[u16]) -> Vec<u16> {
    let one = |&unit: &u16| u8::try_from(unit).map_or(unit, |b| b.to_ascii_lowercase().into());
    letters.iter().map(one).collect()
}

fn upper(letters: &[u16]) -> Vec<u16> {
    let one = |&unit: &u16| u8::try_from(unit).map_or(unit, |b| b.to_ascii_uppercase().into());
    letters.iter().map(one).collect()
}

/// Methods of `Character` for letters that every version of Unicode treats alike.
pub(super) fn of_letter(name: &str, letter: i64) -> Option<i64> {
    let ascii = u8::try_from(letter).ok().filter(u8::is_ascii)?;
    Some(match name {
        "isDigit" => ascii.is_ascii_digit().into(),
        "isLetter" | "isAlphabetic" => ascii.is_ascii_alphabetic().into(),
        "isLetterOrDigit" => ascii.is_ascii_alphanumeric().into(),
        "isUpperCase" => ascii.is_ascii_uppercase().into(),
        "isLowerCase" => ascii.is_ascii_lowercase().into(),
        "isWhitespace" => matches!(ascii, b'\t'..=b'\r' | 0x1c..=0x20).into(),
        "toLowerCase" => ascii.to_ascii_lowercase().into(),
        "toUpperCase" => ascii.to_ascii_uppercase().into(),
        "getNumericValue" => char::from(ascii).to_digit(36).map_or(-1, i64::from),
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::trial::machine::text::units;

    #[test]
    fn only_plain_letters_are_split_at() {
        assert_eq!(plain(&units(",")), Some(u16::from(b',')));
        assert_eq!(plain(&units("\\.")), Some(u16::from(b'.')));
        assert_eq!(plain(&units(".")), None);
        assert_eq!(plain(&units(", ")), None);
    }

    #[test]
    fn letters_are_replaced_from_left_to_right() {
        assert_eq!(
            replaced(&units("aaa"), &units("aa"), &units("b")),
            Some(units("ba"))
        );
        let between = replaced(&units("ab"), &[], &units("-"));
        assert_eq!(between, Some(units("-a-b-")));
        let many = vec![u16::from(b'a'); LONG / 2 + 1];
        assert_eq!(replaced(&many, &units("a"), &units("aa")), None);
        assert_eq!(replaced(&many, &[], &many), None);
        assert_eq!(found(&units("abcab"), &units("ca")), Some(2));
    }
}
