//! bytecode and constant pools, as values.
#![forbid(unsafe_code)]
pub mod mutf8;
