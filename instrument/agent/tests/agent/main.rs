//! The agent in real JVMs, seen from outside: over its channel, and in `/proc`.
//!
//! Needs at least one JDK (see `harness::jdk`) and runs on each one found. `live` asks what is said,
//! `lifecycle` how it begins and ends and what is left behind, `exact` what rewritten classes tell.

mod exact;
mod harness;
mod lifecycle;
mod live;
