//! What viewers of others show: a recording in their formats.
//!
//! [`Perfetto`] is written as the recording is read, [`Firefox`] when it has been read; both from what a
//! [`Timeline`](locklens_inference::contention::timeline::Timeline) tells. [`pprof`] is blocked time by call chain, as a profile. (Collapsed
//! stacks are [`crate::contention::collapsed`].) Formats are written by hand after their published descriptions: `proto` is
//! all that is needed of protocol buffers.

mod fast;
mod firefox;
mod names;
mod perfetto;
mod pprof;
mod proto;
#[cfg(test)]
mod reader;
#[cfg(test)]
pub(crate) mod scene;

pub(crate) use fast::FastMap;
pub use firefox::Firefox;
pub(crate) use names::{Names, harmless};
pub use perfetto::Perfetto;
pub use pprof::{MADE_BY, keys as pprof_keys, pprof};
