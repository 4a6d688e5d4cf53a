//! End to end: the real command against real JVMs.
//!
//! Each file is one thing a user does; [`rig`] has what they share. Nothing here sleeps for a
//! time: it waits for a condition, with a deadline far beyond what is needed.

mod analysis;
mod attach;
mod browser;
mod confirm;
mod containers;
mod contention;
mod contract;
mod damage;
mod deadlocks;
mod demo;
mod departure;
mod diff;
mod doctor;
mod export;
mod faults;
mod gate;
mod goldens;
mod graph;
mod guard;
mod guard_juc;
mod hang;
mod hostile;
mod html;
mod interrupt;
mod juc;
mod launch;
mod left_behind;
mod left_out;
mod mishaps;
mod operations;
mod outputs;
mod panels;
mod parked;
mod pointing;
mod pressure;
mod record;
mod redact;
mod refusals;
mod rig;
mod rival;
mod sample;
mod shell;
mod stuck;
mod stuck_now;
mod tables;
mod top;
mod trace;
mod trust;
mod usage;
mod view;
mod view_live;
mod vm_probes;
