//! Writing whole classes: small ones, of a version without stack maps.
//!
//! Version 49 (Java 5) is read by every JVM to this day, can load a class as a constant, and needs no
//! frames, so that code may branch as it likes. [`Routine`] is code with branches; [`Class`] is what
//! it is put in. Who writes code answers for the sizes of stack and variables; a JVM that verifies
//! tells if they are wrong.

use crate::append::{Append, Full};
use crate::asm::Fragment;

/// Class-file version of what is written here.
pub const MAJOR: u16 = 49;
/// `ACC_NATIVE` (JVM spec §4.6).
const NATIVE: u16 = 0x0100;

/// A place in a routine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Label(usize);

/// Code with branches.
#[derive(Clone, Debug, Default)]
pub struct Routine {
    bytes: Vec<u8>,
    places: Vec<Option<usize>>,
    /// Position of each branch, and where it goes.
    branches: Vec<(usize, Label)>,
}

/// A branch goes to a place that is nowhere, or too far away.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Adrift;

impl Routine {
    /// Nothing yet.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// A place to be bound later.
    pub fn label(&mut self) -> Label {
        self.places.push(None);
        Label(self.places.len() - 1)
    }

    /// The place is here.
    pub fn bind(&mut self, label: Label) {
        self.places[label.0] = Some(self.bytes.len());
    }

    /// Instructions that do not branch.
    pub fn run(&mut self, code: &Fragment) {
        self.bytes.extend_from_slice(code.bytes());
    }

    /// Bytes so far.
    #[must_use]
    pub fn len(&self) -> usize {
        self.bytes.len()
    }

    /// Whether there is nothing yet.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.bytes.is_empty()
    }

    /// A branch with an offset of two bytes.
    pub fn branch(&mut self, opcode: u8, to: Label) {
        self.branches.push((self.bytes.len(), to));
        self.bytes.extend([opcode, 0, 0]);
    }

    /// The code, its branches filled in.
    ///
    /// # Errors
    /// When a branch has no target within its reach.
    pub fn finish(mut self) -> Result<Vec<u8>, Adrift> {
        for (at, label) in &self.branches {
            let place = self.places[label.0].ok_or(Adrift)?;
            let offset = i16::try_from(place as i64 - *at as i64).map_err(|_| Adrift)?;
            self.bytes[at + 1..at + 3].copy_from_slice(&offset.to_be_bytes());
        }
        Ok(self.bytes)
    }
}

/// A method to be written.
#[derive(Clone, Debug)]
pub struct Method<'a> {
    /// Access flags.
    pub flags: u16,
    /// Its name.
    pub name: &'a str,
    /// Its descriptor.
    pub descriptor: &'a str,
    /// Words the operand stack needs.
    pub max_stack: u16,
    /// Words the local variables need.
    pub max_locals: u16,
    /// Its instructions.
    pub code: Vec<u8>,
    /// A handler of what is thrown by the instructions in front of it.
    pub handler: Option<Handler>,
}

/// See [`Method`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Handler {
    /// Where it begins.
    pub at: u16,
    /// Index of the class it catches.
    pub catches: u16,
}

/// A class being written: a subclass of `java.lang.Object` without interfaces.
#[derive(Debug)]
pub struct Class {
    flags: u16,
    this: u16,
    object: u16,
    code: u16,
    fields: Vec<u8>,
    field_count: u16,
    methods: Vec<u8>,
    method_count: u16,
}

impl Class {
    /// A class without members. All constants go into the same pool, which began empty.
    ///
    /// # Errors
    /// See [`Full`].
    pub fn new(pool: &mut Append<'_>, flags: u16, name: &str) -> Result<Self, Full> {
        Ok(Self {
            flags,
            this: pool.class(name)?,
            object: pool.class("java/lang/Object")?,
            code: pool.utf8("Code")?,
            fields: Vec::new(),
            field_count: 0,
            methods: Vec::new(),
            method_count: 0,
        })
    }

    /// Adds a field.
    ///
    /// # Errors
    /// See [`Full`].
    pub fn field(
        &mut self,
        pool: &mut Append<'_>,
        flags: u16,
        name: &str,
        descriptor: &str,
    ) -> Result<(), Full> {
        for half in [flags, pool.utf8(name)?, pool.utf8(descriptor)?, 0] {
            self.fields.extend(half.to_be_bytes());
        }
        self.field_count += 1;
        Ok(())
    }

    /// Adds a method.
    ///
    /// # Errors
    /// See [`Full`].
    pub fn method(&mut self, pool: &mut Append<'_>, method: &Method<'_>) -> Result<(), Full> {
        let (name, descriptor) = (pool.utf8(method.name)?, pool.utf8(method.descriptor)?);
        let out = &mut self.methods;
        for half in [method.flags, name, descriptor, 1, self.code] {
            out.extend(half.to_be_bytes());
        }
        let code_len = method.code.len() as u32;
        let handlers: Vec<[u16; 4]> = method
            .handler
            .map(|handler| [0, handler.at, handler.at, handler.catches])
            .into_iter()
            .collect();
        // Sizes before the code; behind it the handlers, and a table without entries.
        let table_len = 8 * handlers.len() as u32;
        out.extend((2 + 2 + 4 + code_len + 2 + table_len + 2).to_be_bytes());
        out.extend(method.max_stack.to_be_bytes());
        out.extend(method.max_locals.to_be_bytes());
        out.extend(code_len.to_be_bytes());
        out.extend(&method.code);
        out.extend((handlers.len() as u16).to_be_bytes());
        let halves = handlers.iter().flatten();
        halves.for_each(|half| out.extend(half.to_be_bytes()));
        out.extend([0; 2]);
        self.method_count += 1;
        Ok(())
    }

    /// Adds a native method: one without code.
    ///
    /// # Errors
    /// See [`Full`].
    pub fn native(
        &mut self,
        pool: &mut Append<'_>,
        flags: u16,
        name: &str,
        descriptor: &str,
    ) -> Result<(), Full> {
        for half in [flags | NATIVE, pool.utf8(name)?, pool.utf8(descriptor)?, 0] {
            self.methods.extend(half.to_be_bytes());
        }
        self.method_count += 1;
        Ok(())
    }

    /// The class file.
    #[must_use]
    pub fn finish(&self, pool: &Append<'_>) -> Vec<u8> {
        let mut out = Vec::new();
        out.extend(0xcafe_babe_u32.to_be_bytes());
        for half in [0, MAJOR, pool.count()] {
            out.extend(half.to_be_bytes());
        }
        out.extend(pool.bytes());
        for half in [self.flags, self.this, self.object, 0, self.field_count] {
            out.extend(half.to_be_bytes());
        }
        out.extend(&self.fields);
        out.extend(self.method_count.to_be_bytes());
        out.extend(&self.methods);
        out.extend([0; 2]);
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::class::ClassFile;
    use crate::code::{Operand, instructions};
    use crate::pool::Pool;

    const STATIC: u16 = 0x0009;

    /// `static int f(int x) { while (x > 9) x--; return x; }`
    fn counting_down() -> Routine {
        let mut code = Routine::new();
        let (again, done) = (code.label(), code.label());
        code.bind(again);
        code.run(&Fragment::new().iload(0).op(0x10).op(9));
        code.branch(0xa4, done);
        code.run(&Fragment::new().op(0x84).op(0).op(0xff));
        code.branch(0xa7, again);
        code.bind(done);
        code.run(&Fragment::new().iload(0).op(0xac));
        code
    }

    #[test]
    fn what_is_written_is_read_back() {
        let empty = Pool::empty();
        let mut pool = Append::new(&empty);
        let mut class = Class::new(&mut pool, 0x21, "p/C").expect("room");
        class.field(&mut pool, STATIC, "x", "J").expect("room");
        let method = Method {
            flags: STATIC,
            name: "f",
            descriptor: "(I)I",
            max_stack: 2,
            max_locals: 1,
            code: counting_down().finish().expect("bound"),
            handler: Some(Handler { at: 13, catches: 0 }),
        };
        class.method(&mut pool, &method).expect("room");
        class.native(&mut pool, STATIC, "g", "()V").expect("room");
        let bytes = class.finish(&pool);
        let read = ClassFile::parse(&bytes).expect("a class file");
        assert_eq!(
            (read.major, read.pool.class(read.this_class)),
            (MAJOR, Some("p/C"))
        );
        assert_eq!((read.fields.len(), read.methods.len()), (1, 2));
        assert!(read.code(&read.methods[1]).is_none());
        let code = read.code(&read.methods[0]).expect("its code");
        let handlers = code.handlers.iter().map(|h| (h.start, h.end, h.target));
        let handlers: Vec<_> = handlers.collect();
        assert_eq!(handlers, [(0, 13, 13)]);
        let insns: Vec<_> = instructions(code.bytes).flatten().collect();
        assert_eq!(insns[2].operand, Operand::Branch(12));
        assert_eq!(insns[4].operand, Operand::Branch(0));
    }

    #[test]
    fn a_branch_to_nowhere_is_no_code() {
        let mut code = Routine::new();
        let nowhere = code.label();
        code.branch(0xa7, nowhere);
        assert_eq!(code.finish(), Err(Adrift));
    }
}
