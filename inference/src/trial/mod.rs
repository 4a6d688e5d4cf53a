//! Trials: the code of a lock's operations, executed on a fresh lock and compared with what the
//! types of locks promise.
//!
//! - `bench`: what a trial needs of a fresh lock: operations to call, and what came of it;
//! - `machine`: the sandbox that provides it, a concrete interpreter of recorded bytecode.
//!
//! All work is bounded and none of it can fail: what cannot be executed is inconclusive.

pub mod bench;
pub mod machine;
