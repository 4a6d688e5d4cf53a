//! Constants of the code, and what `invokedynamic` is linked by.

use super::MemberRef;

/// The text of a `String` constant, or its beginning.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Text {
    /// The beginning, as far as it was recorded.
    pub start: String,
    /// Length of the whole in UTF-16 units.
    pub length: u32,
}

impl Text {
    /// Most bytes of a text that are recorded.
    pub const MOST: usize = 64;

    /// A text as it is recorded: cut if it is long, or where it is not well-formed.
    #[must_use]
    pub fn of(text: &str) -> Self {
        let length = text.encode_utf16().count();
        let sound = text.find(char::REPLACEMENT_CHARACTER).unwrap_or(text.len());
        let mut end = sound.min(Self::MOST);
        while !text.is_char_boundary(end) {
            end -= 1;
        }
        Self {
            start: text[..end].to_owned(),
            length: u32::try_from(length).unwrap_or(u32::MAX),
        }
    }

    /// All of it was recorded.
    #[must_use]
    pub fn is_whole(&self) -> bool {
        self.start.encode_utf16().count() == self.length as usize
    }
}

/// A conversion between primitives.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "the names are those of the JVM's instructions")]
pub enum Conversion {
    IntToLong,
    IntToFloat,
    IntToDouble,
    LongToInt,
    LongToFloat,
    LongToDouble,
    FloatToInt,
    FloatToLong,
    FloatToDouble,
    DoubleToInt,
    DoubleToLong,
    DoubleToFloat,
    IntToByte,
    IntToChar,
    IntToShort,
}

impl Conversion {
    /// All, in the order of the instructions.
    pub const ALL: [Self; 15] = [
        Self::IntToLong,
        Self::IntToFloat,
        Self::IntToDouble,
        Self::LongToInt,
        Self::LongToFloat,
        Self::LongToDouble,
        Self::FloatToInt,
        Self::FloatToLong,
        Self::FloatToDouble,
        Self::DoubleToInt,
        Self::DoubleToLong,
        Self::DoubleToFloat,
        Self::IntToByte,
        Self::IntToChar,
        Self::IntToShort,
    ];

    /// The operand is long or double.
    #[must_use]
    pub fn from_wide(self) -> bool {
        matches!(
            self,
            Self::LongToInt
                | Self::LongToFloat
                | Self::LongToDouble
                | Self::DoubleToInt
                | Self::DoubleToLong
                | Self::DoubleToFloat
        )
    }

    /// The result is long or double.
    #[must_use]
    pub fn to_wide(self) -> bool {
        matches!(
            self,
            Self::IntToLong
                | Self::IntToDouble
                | Self::LongToDouble
                | Self::FloatToLong
                | Self::FloatToDouble
                | Self::DoubleToLong
        )
    }
}

/// An `invokedynamic` instruction that is known how to link.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct CallSite {
    /// Of the instruction.
    pub bci: u16,
    /// How it is linked.
    pub bootstrap: Bootstrap,
}

/// What links a call site: a method and the constants it is given.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Bootstrap {
    /// Binary name of the method's class.
    pub class: String,
    /// Name of the method.
    pub name: String,
    /// Its constants, without those that every bootstrap method gets.
    pub arguments: Vec<Constant>,
}

/// A constant of a bootstrap method.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Constant {
    /// An int or long.
    Number {
        /// Its value.
        value: i64,
        /// Long.
        wide: bool,
    },
    /// A text.
    Text(Text),
    /// A class, by its binary name.
    Class(String),
    /// A method type, by its descriptor.
    Type(String),
    /// A method handle.
    Handle {
        /// What it does with the member.
        kind: HandleKind,
        /// Field or method.
        member: MemberRef,
    },
    /// Any other.
    Other,
}

/// What a method handle does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "the names are the JVM specification's")]
pub enum HandleKind {
    GetField,
    GetStatic,
    PutField,
    PutStatic,
    InvokeVirtual,
    InvokeStatic,
    InvokeSpecial,
    NewInvokeSpecial,
    InvokeInterface,
}

impl HandleKind {
    /// All, by their number in class files less one.
    pub const ALL: [Self; 9] = [
        Self::GetField,
        Self::GetStatic,
        Self::PutField,
        Self::PutStatic,
        Self::InvokeVirtual,
        Self::InvokeStatic,
        Self::InvokeSpecial,
        Self::NewInvokeSpecial,
        Self::InvokeInterface,
    ];

    /// The kind of this number in a class file.
    #[must_use]
    pub fn of(number: u8) -> Option<Self> {
        let index = usize::from(number.checked_sub(1)?);
        Self::ALL.get(index).copied()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_texts_are_cut_between_letters() {
        let whole = Text::of("ä→\u{1f600}");
        assert!(whole.is_whole());
        assert_eq!(whole.length, 4);
        let long = Text::of(&"ä".repeat(40));
        assert_eq!((long.start.len(), long.length), (64, 40));
        assert!(!long.is_whole());
        let odd = Text::of(&"→".repeat(30));
        assert_eq!(odd.start.len(), 63);
    }

    #[test]
    fn what_is_not_well_formed_is_not_whole() {
        let text = Text::of("ab\u{fffd}c");
        assert_eq!((text.start.as_str(), text.length), ("ab", 4));
        assert!(!text.is_whole());
    }

    #[test]
    fn handles_have_the_numbers_of_class_files() {
        assert_eq!(HandleKind::of(0), None);
        assert_eq!(HandleKind::of(1), Some(HandleKind::GetField));
        assert_eq!(HandleKind::of(6), Some(HandleKind::InvokeStatic));
        assert_eq!(HandleKind::of(9), Some(HandleKind::InvokeInterface));
        assert_eq!(HandleKind::of(10), None);
    }
}
