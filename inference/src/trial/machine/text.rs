//! Texts: their letters as far as they are known.

use super::Machine;
use super::halt::Do;
use super::heap::Native;
use super::value::{ObjectId, Value};
use locklens_trace::code;
use std::rc::Rc;

/// The content of a `String`, in UTF-16 units.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Text {
    /// Its beginning, as far as it is known.
    start: Rc<[u16]>,
    length: i64,
    /// It was made up, and is equal to nothing the program made.
    ours: bool,
}

/// Where letters begin of which every one stands for something handed in.
const FIRST_LETTER: u32 = 0x4e00;
/// Longest text that is made up.
const LONG: i64 = 4_096;

impl Text {
    /// A text of these units.
    pub(super) fn of(units: &[u16]) -> Self {
        Self {
            start: units.into(),
            length: units.len() as i64,
            ours: false,
        }
    }

    /// A text of so many units that are not known.
    pub(super) fn vague(length: i64) -> Self {
        Self {
            start: Rc::from([]),
            length,
            ours: false,
        }
    }

    /// A text of so many letters that somebody hands in.
    pub(super) fn made_up(length: i64) -> Self {
        let letters = length.clamp(0, LONG) as usize;
        Self {
            start: vec![u16::from(b'a'); letters].into(),
            length,
            ours: true,
        }
    }

    /// A text that somebody hands in, other than that of any other object.
    pub(super) fn unlike_others(id: ObjectId) -> Self {
        // There are fewer objects than letters from there on.
        let letter = (FIRST_LETTER + id.0 % 0x5000) as u16;
        Self {
            ours: true,
            ..Self::of(&[letter])
        }
    }

    /// Its length in UTF-16 units.
    pub(super) fn length(&self) -> i64 {
        self.length
    }

    /// It was made up.
    pub(super) fn is_ours(&self) -> bool {
        self.ours
    }

    /// All of it, if it is known.
    pub(super) fn whole(&self) -> Option<&[u16]> {
        (self.start.len() as i64 == self.length).then_some(&*self.start)
    }

    /// Whether two texts are equal, if that is known.
    pub(super) fn is_same(&self, other: &Self) -> Option<bool> {
        if let (Some(a), Some(b)) = (self.whole(), other.whole()) {
            return Some(a == b);
        }
        let mut pairs = self.start.iter().zip(&*other.start);
        let differ = self.length != other.length || pairs.any(|(a, b)| a != b);
        differ.then_some(false)
    }

    /// As `compareTo` orders them, if that is known.
    pub(super) fn order(&self, other: &Self) -> Option<i64> {
        let mut pairs = self.start.iter().zip(&*other.start);
        if let Some((&a, &b)) = pairs.find(|(a, b)| a != b) {
            return Some(i64::from(a) - i64::from(b));
        }
        let known = self.whole().is_some() && other.whole().is_some();
        known.then_some(self.length - other.length)
    }

    /// As `hashCode` gives it, if it is known.
    /// How many units are known.
    pub(super) fn known(&self) -> usize {
        self.start.len()
    }

    pub(super) fn hash(&self) -> Option<i64> {
        let step = |hash: i32, &unit: &u16| hash.wrapping_mul(31).wrapping_add(unit.into());
        let hash = self.whole()?.iter().fold(0, step);
        Some(hash.into())
    }
}

/// The units of a text.
pub(super) fn units(text: &str) -> Vec<u16> {
    text.encode_utf16().collect()
}

impl Machine<'_> {
    /// A new `String` of these units.
    pub(super) fn new_text(&mut self, units: &[u16]) -> Do<Value> {
        let native = Native::Text(Text::of(units));
        let id = self.allocate("java.lang.String".into(), native)?;
        Ok(Value::Object(id))
    }

    /// The one object of a constant text. What was recorded only in part is an object of its own.
    pub(super) fn intern(&mut self, text: &code::Text) -> Do<ObjectId> {
        let start = units(&text.start);
        if !text.is_whole() {
            let native = Native::Text(Text {
                start: start.into(),
                length: text.length.into(),
                ours: false,
            });
            return self.allocate("java.lang.String".into(), native);
        }
        self.interned(&start)
    }

    /// The one object of a text.
    pub(super) fn interned(&mut self, units: &[u16]) -> Do<ObjectId> {
        if let Some(&known) = self.statics.texts.get(units) {
            return Ok(known);
        }
        let native = Native::Text(Text::of(units));
        let made = self.allocate("java.lang.String".into(), native)?;
        Rc::make_mut(&mut self.statics.texts).insert(units.into(), made);
        Ok(made)
    }

    /// The text of a value, if it is one.
    pub(super) fn text(&self, value: Value) -> Option<&Text> {
        match value {
            Value::Object(id) => match &self.heap.get(id).native {
                Native::Text(text) => Some(text),
                _ => None,
            },
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(text: &str) -> Text {
        Text::of(&units(text))
    }

    /// Only the beginning is known.
    fn cut(start: &str, length: i64) -> Text {
        Text {
            length,
            ..text(start)
        }
    }

    #[test]
    fn equal_is_said_only_of_what_is_known() {
        assert_eq!(text("ab").is_same(&text("ab")), Some(true));
        assert_eq!(text("ab").is_same(&text("aä")), Some(false));
        assert_eq!(cut("ab", 70).is_same(&cut("ab", 70)), None);
        assert_eq!(cut("ab", 70).is_same(&cut("ab", 71)), Some(false));
        assert_eq!(cut("ab", 70).is_same(&cut("ac", 70)), Some(false));
        assert_eq!(Text::vague(2).is_same(&text("ab")), None);
        assert_eq!(Text::vague(0).is_same(&text("")), Some(true));
    }

    #[test]
    fn order_and_hash_are_those_of_strings() {
        assert_eq!(text("b").order(&text("abc")), Some(1));
        assert_eq!(text("ab").order(&text("abcd")), Some(-2));
        assert_eq!(cut("ab", 70).order(&text("ab")), None);
        assert_eq!(cut("ab", 70).order(&text("aa")), Some(1));
        assert_eq!(text("").hash(), Some(0));
        assert_eq!(text("acquire").hash(), Some(-1_164_222_250));
        assert_eq!(cut("ab", 70).hash(), None);
    }

    #[test]
    fn what_is_handed_in_differs() {
        let first = Text::unlike_others(ObjectId(7));
        assert_eq!(
            first.is_same(&Text::unlike_others(ObjectId(8))),
            Some(false)
        );
        assert_eq!((first.length(), first.is_ours()), (1, true));
        assert_eq!(Text::made_up(3).length(), 3);
        assert_eq!(Text::made_up(1 << 20).whole(), None);
    }
}
