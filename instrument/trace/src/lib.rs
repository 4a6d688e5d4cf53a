//! The locklens trace: what the agent says and what every later stage reads.
//!
//! This crate is the ABI between the guest (the agent inside somebody else's JVM) and the
//! mind (the analyser). It knows the *shape* of what was observed and nothing of its meaning:
//! no lock types, no inference, no files, no sockets.
//!
//! Start with [`record`] (what can be said) and [`parked`], [`held`] and [`looks`] (what was only seen now and then), then [`code`] (bytecode in the form the analyser
//! needs), then [`chunk`] (how records become bytes that survive truncation and damage), then
//! [`read`] (bytes back to records and a list of gaps). [`pattern`] is how either end says which names it means.
#![forbid(unsafe_code)]

pub mod access;
pub mod batch;
pub mod chunk;
pub mod code;
pub mod cost;
pub mod crowd;
mod decode;
mod encode;
pub mod held;
pub mod ids;
pub mod juc;
pub mod kin;
pub mod looks;
mod packed;
pub mod park;
pub mod parked;
pub mod pattern;
pub mod read;
pub mod record;
pub mod toll;
mod wire;

pub use ids::{ClassId, LoaderId, LockId, MethodId, Nanos, StackId, ThreadId};
pub use record::{Event, EventKind, Owner, Record};
