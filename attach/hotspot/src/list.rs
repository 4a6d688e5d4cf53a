//! Every JVM on this machine that we can see.

use crate::jvm::{Jvm, Pid, examine};
use crate::process::all_pids;

/// The JVMs here, by pid. Found by the VM's library mapped for execution, so the name of the
/// launcher does not matter. Processes that end meanwhile are left out; those of other users we may
/// not look into are listed with what little is visible.
pub fn list() -> Vec<Jvm> {
    let ourselves = Pid(std::process::id());
    let others = all_pids().into_iter().filter(|pid| *pid != ourselves);
    others.filter_map(|pid| examine(pid).ok()).collect()
}
