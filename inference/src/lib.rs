//! From lock events to logical locks: what each lock of a program *is*.
//!
//! Pure: no I/O, clock, environment, threads or unsafe. The same records give the same model.
//! The data flows through the modules in this order:
//!
//! 1. `collect`: one pass over the records: definitions, statistics, and per lock object a
//!    bounded window of its raw events. Memory grows with locks, regions and threads.
//! 2. `region`: call chain + bytecode → the synchronized regions it stands in.
//! 3. `facsimile`: the raw sequence of one lock, completed with what the JVM does not report.
//! 4. `visit`: the completed sequence as atomic stays in the monitor. Checkers read only these.
//! 5. `lockclass`: lock objects grouped into logical locks, with stable names.
//! 6. `statics`: guards, updates and notifies read off the bytecode.
//! 7. `trial`: the code of a lock executed in a sandbox, and held against what each type does.
//! 8. `types`: checkers, one file a type; static and dynamic evidence joined as odds.
//! 9. `model`: the result. Everything a renderer may know.
//!
//! Beside these: `parked`, the locks of `java.util.concurrent`, known from looks at parked threads.
//!
//! Beyond these: `fidelity`, what the facsimile is worth, measured on recordings that hold the truth too.
//!
//! `pressure` reads the events once more: how much locks keep threads from running, and when; of a file or of what is still being recorded.
//!
//! `diff` holds two recordings against each other.
//!
//! `levels` reads them once more for pictures: what threads do and locks have, by interval of time, and the longest stays.
//!
//! `analyze` joins them. `stuck` finds who was blocked on whom for ever. `nesting` reads the events once more, with the result in hand: which locks
//! are taken inside which, and which cycles of that can be deadlocks; `deadlock` says how well each is proved. So does `contention`: who was blocked by whom, and for how long.
#![forbid(unsafe_code)]

pub mod analysis;
pub mod board;
pub mod catalog;
mod chance;
pub mod collect;
pub mod composite;
pub mod contention;
mod cycles;
pub mod deadlock;
pub mod diff;
pub mod effects;
pub mod facsimile;
pub mod fidelity;
mod grip;
pub mod hang;
pub mod hierarchy;
mod in_time;
mod joined;
pub mod levels;
pub mod lockclass;
pub mod model;
pub mod nesting;
mod parked;
pub mod pressure;
pub mod program;
pub mod region;
pub mod safe;
pub mod sample;
mod sets;
pub mod stable_name;
pub mod statics;
pub mod stuck;
pub mod times;
pub mod trial;
pub mod types;
pub mod visit;

pub mod volume;
mod wake;

#[cfg(test)]
mod fixtures;
#[cfg(test)]
mod monitor_sim;
