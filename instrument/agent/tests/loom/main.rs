//! What threads share without a lock, in every order of steps that the memory model allows.
//!
//! The modules are the agent's own files; only the atomics, the memory they lie in and the clock are others.
//!
//! ```text
//! RUSTFLAGS="--cfg loom" cargo test --release -p locklens-agent --test loom
//! ```
#![cfg(loom)]
#![expect(dead_code, reason = "the agent uses the rest")]
#![allow(unsafe_code, reason = "the modules of the agent have it")]

mod clock;
#[path = "../../src/gate.rs"]
mod gate;
#[path = "../../src/idmap.rs"]
mod idmap;
#[path = "../../src/loss.rs"]
mod loss;
mod memory;
mod models;
#[path = "../../src/ring.rs"]
mod ring;
mod sync;
