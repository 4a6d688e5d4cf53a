//! What the file of a HotSpot library (`libjvm.so`) says of the VM's own monitor probes: where they are, and whether
//! they can be listened to without rewriting a class.
//!
//! Some builds carry the notes of SystemTap's probe points. HotSpot runs the code before such a point only while a flag
//! of its own is set, and that code begins with a call of a function that has no effect. Who redirects that call and
//! sets the flag hears of every notify and of every exit that wakes a successor. This crate finds the calls, or says why
//! they must be left alone. It only reads: the agent does the rest, the command asks beforehand.
//!
//! It knows no process and no memory, and is total on any bytes. Start with [`find`], then `elf` (sections, symbols),
//! `notes` (the probe points) and `walk` (the proof that a call leads to its point and nowhere else).
#![forbid(unsafe_code)]

mod elf;
mod notes;
mod points;
mod walk;

pub use elf::{Bytes, Segment};
pub use points::{Kind, Points, Refusal, Site, TEXT_AFTER, TEXT_BEFORE, find};
