//! Class files and their parts as values: names, constant pools, instructions, whole files.
//!
//! Everything here is a total function of bytes: hostile input gives an [`Error`], never a panic
//! and no more memory than a small multiple of the input. Nothing here knows of a JVM, of locks, or
//! of what the values are for.
//!
//! Start with [`pool`] (names), then [`code`] (instructions); [`class`] reads a whole file and
//! serves where there is one: a live JVM gives pool and code directly.
//!
//! Changing a class: [`edit`] moves code about and keeps everything that points into it true,
//! [`append`] adds constants, [`asm`] writes instructions, [`flow`] knows the types at each of them.
//! [`build`] writes small classes from nothing.
#![forbid(unsafe_code)]

pub mod append;
pub mod asm;
pub mod build;
mod bytes;
pub mod class;
pub mod code;
pub mod edit;
pub mod flow;
pub mod frames;
pub mod mutf8;
pub mod pool;
pub mod types;

use std::fmt;

/// Why bytes are not what they should be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error {
    /// Offset in the bytes given.
    pub offset: usize,
    /// What is wrong there.
    pub cause: Cause,
}

/// See [`Error`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cause {
    /// The bytes end here.
    Truncated,
    /// More bytes than were announced.
    LeftOver,
    /// Not a class file.
    Magic,
    /// Another number of constants than there is room for.
    Count,
    /// No such kind of constant.
    Tag(u8),
    /// No such instruction.
    Opcode(u8),
    /// A branch out of the method.
    Target,
    /// No such kind of frame, or of type in one.
    Frame(u8),
    /// A switch whose bounds are the wrong way round or too far apart.
    Switch,
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let at = self.offset;
        match self.cause {
            Cause::Truncated => write!(f, "ends too early, at byte {at}"),
            Cause::LeftOver => write!(f, "has bytes left over at {at}"),
            Cause::Count => write!(
                f,
                "has a number of constants that they don't fit, at byte {at}"
            ),
            Cause::Magic => f.write_str("is not a class file"),
            Cause::Tag(tag) => write!(f, "has an unknown constant of kind {tag} at byte {at}"),
            Cause::Opcode(op) => write!(f, "has an unknown instruction {op:#04x} at {at}"),
            Cause::Frame(kind) => write!(f, "has an unknown frame of kind {kind} at byte {at}"),
            Cause::Target => write!(f, "branches out of its method at {at}"),
            Cause::Switch => write!(f, "has an impossible switch at {at}"),
        }
    }
}

impl std::error::Error for Error {}
