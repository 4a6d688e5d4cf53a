//! Growing a constant pool: what is there stays where it is, what is missing is added behind it.

use crate::mutf8;
use crate::pool::{Constant, Pool};
use std::borrow::Cow;
use std::collections::HashMap;
use std::fmt;

/// Why a constant cannot be had.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Full {
    /// All 65,535 indices are taken.
    Indices,
    /// The text is longer than 65,535 bytes, or was not well-formed where it came from.
    Text,
}

impl fmt::Display for Full {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Full::Indices => "the constant pool is full",
            Full::Text => "a name cannot be written",
        })
    }
}

/// A pool with constants added to it. Entitles to indices that hold in the grown pool.
#[derive(Debug)]
pub struct Append<'p> {
    pool: &'p Pool,
    /// Built when the first constant is asked for: most classes need none.
    known: Option<HashMap<Cow<'p, Constant>, u16>>,
    bytes: Vec<u8>,
    count: u16,
}

/// A state to go back to.
#[derive(Clone, Copy, Debug)]
pub struct Mark {
    bytes: usize,
    count: u16,
}

impl<'p> Append<'p> {
    /// Nothing added yet.
    #[must_use]
    pub fn new(pool: &'p Pool) -> Self {
        let count = u16::try_from(pool.entries().len()).unwrap_or(u16::MAX);
        Self {
            pool,
            known: None,
            bytes: Vec::new(),
            count,
        }
    }

    /// The pool as it was.
    #[must_use]
    pub fn pool(&self) -> &'p Pool {
        self.pool
    }

    /// What to write as the pool's count.
    #[must_use]
    pub fn count(&self) -> u16 {
        self.count
    }

    /// What to write behind the pool.
    #[must_use]
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// The state of now.
    #[must_use]
    pub fn mark(&self) -> Mark {
        Mark {
            bytes: self.bytes.len(),
            count: self.count,
        }
    }

    /// Forgets what was added since.
    pub fn back_to(&mut self, mark: Mark) {
        self.bytes.truncate(mark.bytes);
        self.count = mark.count;
        if let Some(known) = &mut self.known {
            known.retain(|_, index| *index < mark.count);
        }
    }

    /// A text.
    ///
    /// # Errors
    /// See [`Full`].
    pub fn utf8(&mut self, text: &str) -> Result<u16, Full> {
        if text.contains(char::REPLACEMENT_CHARACTER) {
            return Err(Full::Text);
        }
        self.constant(Constant::Utf8(text.to_owned()))
    }

    /// A class by its internal name, or an array type by its descriptor.
    ///
    /// # Errors
    /// See [`Full`].
    pub fn class(&mut self, name: &str) -> Result<u16, Full> {
        let name = self.utf8(name)?;
        self.constant(Constant::Class(name))
    }

    /// An int.
    ///
    /// # Errors
    /// See [`Full`].
    pub fn integer(&mut self, value: i32) -> Result<u16, Full> {
        self.constant(Constant::Integer(value))
    }

    /// A long.
    ///
    /// # Errors
    /// See [`Full`].
    pub fn long(&mut self, value: i64) -> Result<u16, Full> {
        self.constant(Constant::Long(value))
    }

    /// A string.
    ///
    /// # Errors
    /// See [`Full`].
    pub fn string(&mut self, text: &str) -> Result<u16, Full> {
        let text = self.utf8(text)?;
        self.constant(Constant::String(text))
    }

    /// A field of a class.
    ///
    /// # Errors
    /// See [`Full`].
    pub fn field(&mut self, class: &str, name: &str, descriptor: &str) -> Result<u16, Full> {
        let class = self.class(class)?;
        let (name, descriptor) = (self.utf8(name)?, self.utf8(descriptor)?);
        let rest = self.constant(Constant::NameAndType(name, descriptor))?;
        self.constant(Constant::Field(class, rest))
    }

    /// A method of a class.
    ///
    /// # Errors
    /// See [`Full`].
    pub fn method(&mut self, class: &str, name: &str, descriptor: &str) -> Result<u16, Full> {
        let class = self.class(class)?;
        let (name, descriptor) = (self.utf8(name)?, self.utf8(descriptor)?);
        let rest = self.constant(Constant::NameAndType(name, descriptor))?;
        self.constant(Constant::Method(class, rest))
    }

    fn constant(&mut self, constant: Constant) -> Result<u16, Full> {
        let pool = self.pool;
        let known = self.known.get_or_insert_with(|| index(pool));
        if let Some(index) = known.get(&constant) {
            return Ok(*index);
        }
        // A long takes two indices.
        let taken = 1 + u16::from(matches!(constant, Constant::Long(_)));
        let next = self.count.checked_add(taken).ok_or(Full::Indices)?;
        write(&mut self.bytes, &constant)?;
        let index = std::mem::replace(&mut self.count, next);
        known.insert(Cow::Owned(constant), index);
        Ok(index)
    }
}

/// The lowest index of each constant of the kinds that are ever asked for.
fn index(pool: &Pool) -> HashMap<Cow<'_, Constant>, u16> {
    let mut known = HashMap::with_capacity(pool.entries().len());
    for (at, constant) in pool.entries().iter().enumerate() {
        if let (true, Ok(at)) = (appendable(constant), u16::try_from(at)) {
            known.entry(Cow::Borrowed(constant)).or_insert(at);
        }
    }
    known
}

fn appendable(constant: &Constant) -> bool {
    use Constant as C;
    matches!(
        constant,
        C::Utf8(_)
            | C::Integer(_)
            | C::Long(_)
            | C::Class(_)
            | C::String(_)
            | C::NameAndType(..)
            | C::Field(..)
            | C::Method(..)
    )
}

fn write(bytes: &mut Vec<u8>, constant: &Constant) -> Result<(), Full> {
    let mut pair = |tag: u8, first: u16, second: u16| {
        bytes.push(tag);
        bytes.extend(first.to_be_bytes());
        bytes.extend(second.to_be_bytes());
    };
    match *constant {
        Constant::NameAndType(name, kind) => pair(12, name, kind),
        Constant::Method(class, rest) => pair(10, class, rest),
        Constant::Field(class, rest) => pair(9, class, rest),
        Constant::Integer(value) => {
            bytes.push(3);
            bytes.extend(value.to_be_bytes());
        }
        Constant::Long(value) => {
            bytes.push(5);
            bytes.extend(value.to_be_bytes());
        }
        Constant::Class(name) => {
            bytes.push(7);
            bytes.extend(name.to_be_bytes());
        }
        Constant::String(text) => {
            bytes.push(8);
            bytes.extend(text.to_be_bytes());
        }
        Constant::Utf8(ref text) => {
            let text = mutf8::encode(text);
            let len = u16::try_from(text.len()).map_err(|_| Full::Text)?;
            bytes.push(1);
            bytes.extend(len.to_be_bytes());
            bytes.extend(text);
        }
        _ => return Err(Full::Text),
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pool() -> Pool {
        Pool::parse(3, &[1, 0, 1, b'A', 7, 0, 1]).expect("well-formed")
    }

    #[test]
    fn what_is_there_is_used_and_what_is_added_is_read_back() {
        let pool = pool();
        let mut append = Append::new(&pool);
        assert_eq!((append.class("A"), append.count()), (Ok(2), 3));
        let method = append.method("A", "f", "()V").expect("room");
        assert_eq!(append.method("A", "f", "()V"), Ok(method));
        let mut bytes = vec![1, 0, 1, b'A', 7, 0, 1];
        bytes.extend(append.bytes());
        let grown = Pool::parse(append.count(), &bytes).expect("well-formed");
        let member = grown.member(method).expect("a method");
        assert_eq!((member.class, member.name), ("A", "f"));
    }

    #[test]
    fn a_long_takes_two_indices() {
        let pool = pool();
        let mut append = Append::new(&pool);
        let (long, text) = (append.long(-9), append.string("A"));
        assert_eq!((long, text, append.count()), (Ok(3), Ok(5), 6));
        let field = append.field("A", "A", "J").expect("room");
        let mut bytes = vec![1, 0, 1, b'A', 7, 0, 1];
        bytes.extend(append.bytes());
        let grown = Pool::parse(append.count(), &bytes).expect("well-formed");
        assert_eq!(grown.get(3), &Constant::Long(-9));
        assert_eq!(grown.get(5), &Constant::String(1));
        assert_eq!(grown.member(field).expect("a field").descriptor, "J");
    }

    #[test]
    fn going_back_forgets() {
        let pool = pool();
        let mut append = Append::new(&pool);
        let mark = append.mark();
        append.integer(7).expect("room");
        append.back_to(mark);
        assert_eq!((append.count(), append.bytes().len()), (3, 0));
        assert_eq!(append.integer(8), Ok(3));
    }

    #[test]
    fn a_full_pool_says_so() {
        let pool = pool();
        let mut append = Append::new(&pool);
        for value in 0..65_532 {
            append.integer(value).expect("room");
        }
        assert_eq!(append.count(), u16::MAX);
        assert_eq!(append.integer(-1), Err(Full::Indices));
        assert_eq!(append.utf8("\u{fffd}"), Err(Full::Text));
    }
}
