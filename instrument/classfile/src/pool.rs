//! Constant pools: from an index in an instruction to names.
//!
//! A pool is parsed as far as its own bytes go; what one entry says of another is looked up when it
//! is asked for, and the answer is none where it does not hold.

use crate::bytes::Bytes;
use crate::{Cause, Error, mutf8};

/// One constant. Indices refer to entries of the same pool.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Constant {
    /// Index 0, and the index after a long or double.
    Unusable,
    /// Text.
    Utf8(String),
    /// An int.
    Integer(i32),
    /// A float, as its bits.
    Float(u32),
    /// A long.
    Long(i64),
    /// A double, as its bits.
    Double(u64),
    /// A class by the index of its name.
    Class(u16),
    /// A string by the index of its text.
    String(u16),
    /// A field by the indices of its class and its name and type.
    Field(u16, u16),
    /// A method of a class.
    Method(u16, u16),
    /// A method of an interface.
    InterfaceMethod(u16, u16),
    /// A name and a descriptor by their indices.
    NameAndType(u16, u16),
    /// A method handle: its kind and the index of the member.
    MethodHandle(u8, u16),
    /// A method type by the index of its descriptor.
    MethodType(u16),
    /// A computed constant: bootstrap method, name and type.
    Dynamic(u16, u16),
    /// A call site: bootstrap method, name and type.
    InvokeDynamic(u16, u16),
    /// A module by the index of its name.
    Module(u16),
    /// A package by the index of its name.
    Package(u16),
}

/// A field or method an entry names; class names in the JVM's internal form, with slashes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Member<'a> {
    /// Class it is looked up in; empty for a call site.
    pub class: &'a str,
    /// Name.
    pub name: &'a str,
    /// Descriptor.
    pub descriptor: &'a str,
}

/// A constant pool.
#[derive(Clone, Debug, PartialEq)]
pub struct Pool {
    entries: Vec<Constant>,
}

impl Pool {
    /// A pool without constants, to begin a class with.
    #[must_use]
    pub fn empty() -> Self {
        Self {
            entries: vec![Constant::Unusable],
        }
    }

    /// Parses the entries of a pool of `count` (number of entries plus one) from the start of
    /// `bytes`, as JVMTI's `GetConstantPool` gives them.
    ///
    /// # Errors
    /// When the bytes end too early or hold a constant of an unknown kind.
    pub fn parse(count: u16, bytes: &[u8]) -> Result<Self, Error> {
        Self::read(count, &mut Bytes::new(bytes))
    }

    pub(crate) fn read(count: u16, bytes: &mut Bytes<'_>) -> Result<Self, Error> {
        let mut entries = vec![Constant::Unusable];
        while entries.len() < usize::from(count) {
            let constant = read_constant(bytes)?;
            let wide = matches!(constant, Constant::Long(_) | Constant::Double(_));
            entries.push(constant);
            if wide {
                entries.push(Constant::Unusable);
            }
        }
        // None at all, or one that takes two places where there is one: written again, the count would be another.
        match entries.len() == usize::from(count) {
            true => Ok(Self { entries }),
            false => Err(bytes.error(Cause::Count)),
        }
    }

    /// All entries, index 0 included.
    #[must_use]
    pub fn entries(&self) -> &[Constant] {
        &self.entries
    }

    /// The entry of an index; [`Constant::Unusable`] if there is none.
    #[must_use]
    pub fn get(&self, index: u16) -> &Constant {
        self.entries
            .get(usize::from(index))
            .unwrap_or(&Constant::Unusable)
    }

    /// The text of an index.
    #[must_use]
    pub fn utf8(&self, index: u16) -> Option<&str> {
        match self.get(index) {
            Constant::Utf8(text) => Some(text),
            _ => None,
        }
    }

    /// The internal name of a class.
    #[must_use]
    pub fn class(&self, index: u16) -> Option<&str> {
        match *self.get(index) {
            Constant::Class(name) => self.utf8(name),
            _ => None,
        }
    }

    fn name_and_type(&self, index: u16) -> Option<(&str, &str)> {
        match *self.get(index) {
            Constant::NameAndType(name, kind) => self.utf8(name).zip(self.utf8(kind)),
            _ => None,
        }
    }

    /// The field, method, call site or computed constant of an index.
    #[must_use]
    pub fn member(&self, index: u16) -> Option<Member<'_>> {
        let (class, rest) = match *self.get(index) {
            Constant::Field(class, rest)
            | Constant::Method(class, rest)
            | Constant::InterfaceMethod(class, rest) => (self.class(class)?, rest),
            Constant::InvokeDynamic(_, rest) | Constant::Dynamic(_, rest) => ("", rest),
            _ => return None,
        };
        let (name, descriptor) = self.name_and_type(rest)?;
        Some(Member {
            class,
            name,
            descriptor,
        })
    }

    /// Every field, method, call site and computed constant the pool names.
    pub fn members(&self) -> impl Iterator<Item = Member<'_>> {
        (0..self.entries.len()).filter_map(|i| self.member(u16::try_from(i).ok()?))
    }
}

fn read_constant(bytes: &mut Bytes<'_>) -> Result<Constant, Error> {
    let unknown = *bytes;
    Ok(match bytes.u1()? {
        1 => {
            let len = bytes.u2()?;
            Constant::Utf8(mutf8::decode(bytes.take(usize::from(len))?))
        }
        3 => Constant::Integer(bytes.i4()?),
        4 => Constant::Float(bytes.u4()?),
        5 => Constant::Long(bytes.i8()?),
        6 => Constant::Double(bytes.i8()? as u64),
        7 => Constant::Class(bytes.u2()?),
        8 => Constant::String(bytes.u2()?),
        9 => Constant::Field(bytes.u2()?, bytes.u2()?),
        10 => Constant::Method(bytes.u2()?, bytes.u2()?),
        11 => Constant::InterfaceMethod(bytes.u2()?, bytes.u2()?),
        12 => Constant::NameAndType(bytes.u2()?, bytes.u2()?),
        15 => Constant::MethodHandle(bytes.u1()?, bytes.u2()?),
        16 => Constant::MethodType(bytes.u2()?),
        17 => Constant::Dynamic(bytes.u2()?, bytes.u2()?),
        18 => Constant::InvokeDynamic(bytes.u2()?, bytes.u2()?),
        19 => Constant::Module(bytes.u2()?),
        20 => Constant::Package(bytes.u2()?),
        tag => return Err(unknown.error(Cause::Tag(tag))),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_count_that_the_constants_do_not_fit_is_refused() {
        let cause = |count, bytes: &[u8]| Pool::parse(count, bytes).map_err(|error| error.cause);
        assert_eq!(cause(0, &[]), Err(Cause::Count));
        let long = [5, 0, 0, 0, 0, 0, 0, 0, 9];
        assert_eq!(
            cause(2, &long),
            Err(Cause::Count),
            "its second place is missing"
        );
        assert_eq!(cause(3, &long).map(|pool| pool.entries().len()), Ok(3));
        assert_eq!(cause(1, &[]).map(|pool| pool.entries().len()), Ok(1));
    }

    fn sample() -> Vec<u8> {
        let mut bytes = Vec::new();
        for text in ["p/C", "f", "I"] {
            bytes.extend([1, 0, text.len() as u8]);
            bytes.extend(text.bytes());
        }
        bytes.extend([7, 0, 1]); // 4: class p/C
        bytes.extend([12, 0, 2, 0, 3]); // 5: f I
        bytes.extend([5, 0, 0, 0, 0, 0, 0, 0, 9]); // 6 and 7: 9L
        bytes.extend([9, 0, 4, 0, 5]); // 8: p/C.f I
        bytes.extend([10, 0, 8, 0, 99]); // 9: nonsense
        bytes
    }

    #[test]
    fn names_are_found_and_nonsense_is_none() {
        let pool = Pool::parse(10, &sample()).expect("well-formed");
        let member = Member {
            class: "p/C",
            name: "f",
            descriptor: "I",
        };
        assert_eq!(pool.member(8), Some(member));
        assert_eq!(pool.members().collect::<Vec<_>>(), [member]);
        assert_eq!(pool.get(6), &Constant::Long(9));
        assert_eq!(pool.get(7), &Constant::Unusable);
        assert_eq!(
            (pool.member(9), pool.class(1), pool.utf8(77)),
            (None, None, None)
        );
    }

    #[test]
    fn every_cut_is_an_error() {
        let bytes = sample();
        for len in 0..bytes.len() {
            let error = Pool::parse(10, &bytes[..len]).expect_err("cut");
            assert_eq!(error.cause, Cause::Truncated);
        }
        let error = Pool::parse(2, &[2]).expect_err("no such kind");
        assert_eq!((error.offset, error.cause), (0, Cause::Tag(2)));
    }
}
