//! Find HotSpot JVMs on this machine and speak their attach protocol.
//!
//! What it does: [`list`] and [`find`] name the JVMs; [`open`] gets one of them to listen, by rules
//! that cannot hurt it; [`Door::execute`] sends one request and reads one reply; [`TargetFiles`]
//! puts files where the target can read them. It works across users and across pid, mount,
//! network and user namespaces.
//!
//! What it does not: it knows nothing of locks or agents, prints nothing, reads no flags, and never
//! attaches merely to find out who somebody is.
//!
//! Where to start reading: `jvm` for what is known of a JVM without touching it, `summon` for
//! how its attach listener is woken, `persona` for how another user's JVM is reached.

mod argfile;
mod cgroup;
mod command_line;
mod deadline;
mod door;
mod effort;
mod error;
mod files;
mod find;
mod jvm;
mod list;
mod load;
mod machine;
mod maps;
mod namespace;
mod obstacle;
mod options;
mod perfdata;
mod persona;
mod process;
mod reply;
mod request;
mod root;
mod socket;
mod spent;
mod status;
mod summon;
mod surroundings;
mod target;
mod trigger;
mod user;

pub use deadline::Patience;
pub use door::{Door, open};
pub use effort::{Effort, EffortMeter};
pub use error::AttachError;
pub use files::{PathInTarget, TargetFiles};
pub use find::{FindError, find};
pub use jvm::{Jvm, Pid, VmKind, age_of, main_of, options_of};
pub use list::list;
pub use load::{LoadOutcome, load_outcome};
pub use machine::{Machine, check_machine};
pub use maps::mapped_library;
pub use process::{Room, halted, has_thread, room};
pub use reply::{Reply, ReplyError, parse_reply};
pub use request::RequestError;
pub use spent::{spent, spent_in_all};
pub use surroundings::{Sight, Surroundings, surroundings};
