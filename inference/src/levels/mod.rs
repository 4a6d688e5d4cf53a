//! A recording as a picture needs it: what each thread did with each lock, by interval of time, in memory that does not
//! grow with events.
//!
//! A timeline has a few thousand pixels, however long the recording is. So time is cut into some thousand *buckets* of
//! one width, as wide as the length of the recording needs it. What a coarser level has is the sum of what a
//! finer one has, so the finest is all that is kept. Of each thread and logical lock it says how long the thread was
//! blocked on it, waited on it and held it in each bucket; what threads or locks have is a sum over these. Beside that the
//! longest stays are kept one by one.
//!
//! What is a stay, and which are of unknown length and count for no time, is as in [`crate::collect`]: a bucket has
//! the time that the report has, cut at its borders. How long locks are held is known of exact recordings only; then
//! waiting is not holding.
//!
//! A [`Surveyor`] takes in the records of a file whose analysis is at hand, in order: lives and parks there, the events of
//! monitors in `events`, what threads hold in `hold`. `strips` has the buckets, `longest` the stays, and `draft` makes
//! [`model`] of them. What two threads do to each other goes through `course`: who ends whose wait, and `stocks`, how many
//! there are of what the type of a lock calls for. [`Detail`] reads a part of the file again, as `index` has it, for the stays
//! that were not kept.

mod course;
mod detail;
mod draft;
mod early;
mod events;
mod hold;
mod index;
mod longest;
pub mod model;
mod owned;
mod roles;
mod rows;
mod stock;
mod stocks;
mod strips;
mod survey;

pub use detail::{Detail, Reading};
pub use survey::Surveyor;

#[cfg(test)]
mod properties;
#[cfg(test)]
mod tests;
