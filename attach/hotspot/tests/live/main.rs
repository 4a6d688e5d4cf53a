//! Against real JVMs: every JDK found on this machine, one program each.
//!
//! Start reading at `subject` (the JVMs attached to) and `jdk` (where JDKs are looked for). What
//! needs root, or namespaces, prints why it is skipped where it cannot run. Without a JDK every
//! test fails and says what to install.

mod asking;
mod files;
mod jdk;
mod names;
mod others;
mod safety;
mod subject;
