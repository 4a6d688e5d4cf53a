//! What the targets and the maker of their first inputs (`examples/seeds.rs`) share: how bytes from the fuzzer become a
//! trace, or a library, that gets past the checksums and tables at the door.
#![forbid(unsafe_code)]

pub mod library;
pub mod trace;
