//! Critical section pressure: how much locks keep the threads of a program from running, and when.
//!
//! Of a lock object and an interval: the time threads spend acquiring it by the running time of all application threads.
//! A thread runs as long as it lives and does not wait:
//!
//! - in `Object.wait` it does not run until it is notified. An exact recording tells notifies (one wakes who has waited
//!   longest, as HotSpot has it); else the wait counts up to its end, for a notify that is inferred has no time of its own;
//! - parked it does not run, unless it is parked to own something: a lock of `java.util.concurrent`;
//! - blocked, asleep, in the system or ready to run, it does.
//!
//! It acquires from when it blocks until it has the lock; parked to own it; and from its notify until its `wait` returns.
//! The pressure of a logical lock is the sum over its objects.
//!
//! A [`Gauge`] takes in the records in order of the file, in memory that grows with locks, call chains and intervals, and
//! never with events. `events` says what each means for its thread, `series` is time by interval, `stay` what a thread does, `hold` what it holds, `crowd` who counts,
//! `draft` makes logical locks of it, with `phases` and `chains`; [`model`] is the result, and [`course`] the bare times for who compares
//! recordings. [`live`] tells phases as they
//! come.

mod chains;
pub mod course;
pub(crate) mod crowd;
mod draft;
mod events;
mod gauge;
mod hold;
pub mod live;
pub mod model;
mod phases;
pub(crate) mod series;
mod stay;

pub use gauge::{Gauge, Wanted};

#[cfg(test)]
mod properties;
#[cfg(test)]
mod tests;
