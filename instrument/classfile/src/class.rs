//! Whole class files. Attributes stay bytes until they are asked for.

use crate::bytes::Bytes;
use crate::pool::Pool;
use crate::{Cause, Error};

/// A class file, every byte accounted for.
#[derive(Clone, Debug, PartialEq)]
pub struct ClassFile<'a> {
    /// Minor version.
    pub minor: u16,
    /// Major version; 52 is Java 8.
    pub major: u16,
    /// Constant pool.
    pub pool: Pool,
    /// Offset right behind the constant pool.
    pub pool_end: usize,
    /// Access flags.
    pub flags: u16,
    /// Index of this class.
    pub this_class: u16,
    /// Index of the superclass; 0 for `java.lang.Object` and modules.
    pub super_class: u16,
    /// Indices of the interfaces.
    pub interfaces: Vec<u16>,
    /// Fields.
    pub fields: Vec<Member<'a>>,
    /// Methods.
    pub methods: Vec<Member<'a>>,
    /// Attributes of the class.
    pub attributes: Vec<Attribute<'a>>,
}

/// A field or method.
#[derive(Clone, Debug, PartialEq)]
pub struct Member<'a> {
    /// Access flags.
    pub flags: u16,
    /// Index of its name.
    pub name: u16,
    /// Index of its descriptor.
    pub descriptor: u16,
    /// Its attributes.
    pub attributes: Vec<Attribute<'a>>,
}

/// An attribute, not looked into.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Attribute<'a> {
    /// Index of its name.
    pub name: u16,
    /// Offset of its contents: in the class file, or in the attribute it belongs to.
    pub at: usize,
    /// Its contents.
    pub bytes: &'a [u8],
}

/// The `Code` attribute of a method.
#[derive(Clone, Debug, PartialEq)]
pub struct Code<'a> {
    /// Words the operand stack needs.
    pub max_stack: u16,
    /// Words the local variables need.
    pub max_locals: u16,
    /// Instructions, see [`crate::code`].
    pub bytes: &'a [u8],
    /// Exception table.
    pub handlers: Vec<Handler>,
    /// Attributes of the code.
    pub attributes: Vec<Attribute<'a>>,
}

/// One entry of an exception table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Handler {
    /// First covered bci.
    pub start: u16,
    /// First bci no longer covered.
    pub end: u16,
    /// Where it continues.
    pub target: u16,
    /// Index of the exception class; 0 catches everything.
    pub catches: u16,
}

impl<'a> ClassFile<'a> {
    /// Reads a class file; bytes behind its end are not looked at.
    ///
    /// # Errors
    /// When the bytes are not a class file, end too early or hold an unknown kind of constant.
    pub fn parse(bytes: &'a [u8]) -> Result<Self, Error> {
        let mut bytes = Bytes::new(bytes);
        let start = bytes;
        if bytes.u4()? != 0xcafe_babe {
            return Err(start.error(Cause::Magic));
        }
        let (minor, major, count) = (bytes.u2()?, bytes.u2()?, bytes.u2()?);
        let pool = Pool::read(count, &mut bytes)?;
        Ok(Self {
            minor,
            major,
            pool,
            pool_end: bytes.offset(),
            flags: bytes.u2()?,
            this_class: bytes.u2()?,
            super_class: bytes.u2()?,
            interfaces: bytes.counted(Bytes::u2)?,
            fields: bytes.counted(member)?,
            methods: bytes.counted(member)?,
            attributes: bytes.counted(attribute)?,
        })
    }

    /// The code of a method; none if it has none, or if that is not well-formed.
    #[must_use]
    pub fn code(&self, method: &Member<'a>) -> Option<Code<'a>> {
        Code::parse(self.code_attribute(method)?.bytes).ok()
    }

    /// The attribute that holds the code of a method.
    #[must_use]
    pub fn code_attribute(&self, method: &Member<'a>) -> Option<Attribute<'a>> {
        let named_code = |a: &&Attribute<'a>| self.pool.utf8(a.name) == Some("Code");
        method.attributes.iter().find(named_code).copied()
    }
}

fn member<'a>(bytes: &mut Bytes<'a>) -> Result<Member<'a>, Error> {
    Ok(Member {
        flags: bytes.u2()?,
        name: bytes.u2()?,
        descriptor: bytes.u2()?,
        attributes: bytes.counted(attribute)?,
    })
}

fn attribute<'a>(bytes: &mut Bytes<'a>) -> Result<Attribute<'a>, Error> {
    let name = bytes.u2()?;
    let len = bytes.u4()?;
    Ok(Attribute {
        name,
        at: bytes.offset(),
        bytes: bytes.take(len as usize)?,
    })
}

impl<'a> Code<'a> {
    /// Reads the contents of a `Code` attribute.
    ///
    /// # Errors
    /// When they end too early or too late.
    pub fn parse(bytes: &'a [u8]) -> Result<Self, Error> {
        let mut bytes = Bytes::new(bytes);
        let (max_stack, max_locals, len) = (bytes.u2()?, bytes.u2()?, bytes.u4()?);
        let code = Self {
            max_stack,
            max_locals,
            bytes: bytes.take(len as usize)?,
            handlers: bytes.counted(handler)?,
            attributes: bytes.counted(attribute)?,
        };
        bytes.end()?;
        Ok(code)
    }
}

fn handler(bytes: &mut Bytes<'_>) -> Result<Handler, Error> {
    Ok(Handler {
        start: bytes.u2()?,
        end: bytes.u2()?,
        target: bytes.u2()?,
        catches: bytes.u2()?,
    })
}
