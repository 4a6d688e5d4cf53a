//! Threads that are still inside the code their class had before it was replaced.

use super::list;
use super::select::is_of_juc;
use crate::identity::binary_name;
use crate::recording::Recording;
use crate::vm::{Handle, Vm};
use std::collections::{HashMap, HashSet};

/// Threads above which that is left out: looking at all of them stops the JVM.
const MOST_THREADS: usize = 1000;
/// Frames looked at for that: an endless loop is at the bottom of its stack.
const DEPTH: usize = 1024;

/// Whether a method only parks: who was inside goes on in the old code once, and that is all.
fn parks(vm: Vm<'_>, method: Handle) -> bool {
    // SAFETY: the JVM checks the handle of a method whose class may have gone.
    let class = unsafe { vm.declaring_class(method) }.and_then(|class| vm.class_signature(&class));
    class.is_ok_and(|signature| is_of_juc(&binary_name(&signature)))
}

/// The platform threads that are inside old versions of methods, or may be; none if that is not known. Only methods that lock,
/// wait or notify have old versions: who is in none of them holds nothing that it took in one.
pub(super) fn inside(vm: Vm<'_>, recording: &Recording) -> Option<HashSet<u64>> {
    if vm.all_threads().ok()?.len() > MOST_THREADS {
        return None;
    }
    let mut known = HashMap::new();
    let mut is_old = |method: &Handle| {
        let old = known.entry(*method);
        *old.or_insert_with(|| vm.is_obsolete(*method))
    };
    let stacks = vm.all_stacks(DEPTH).ok()?;
    let inside = stacks
        .iter()
        .filter(|(_, methods)| methods.len() >= DEPTH || methods.iter().any(&mut is_old));
    let tids = inside.map(|(thread, _)| recording.tid_of(vm, thread));
    Some(tids.collect())
}

/// How many platform threads are inside old versions of methods, and which.
pub(super) fn in_old_code(vm: Vm<'_>) -> String {
    let threads = vm.all_threads().map_or(0, |threads| threads.len());
    if threads > MOST_THREADS {
        return format!("unknown: not looked for among {threads} threads");
    }
    let Ok(stacks) = vm.all_stacks(DEPTH) else {
        return "unknown".to_owned();
    };
    let mut known = HashMap::new();
    let mut old = Vec::new();
    for (thread, methods) in &stacks {
        let is_old = |m: &&Handle| {
            *known
                .entry(**m)
                .or_insert_with(|| vm.is_obsolete(**m) && !parks(vm, **m))
        };
        if let Some(method) = methods.iter().find(is_old) {
            // SAFETY: the JVM checks the handle of a method whose class may have gone.
            let name = unsafe { vm.method(*method) }.map_or_else(|_| "?".to_owned(), |m| m.name);
            let thread = vm
                .thread_info(thread)
                .map_or_else(|_| "?".to_owned(), |info| info.0);
            old.push(format!("{thread} in {name}"));
        }
    }
    match old.len() {
        0 => "0".to_owned(),
        n => format!("{n}: {}", list(&old).replace('\n', ", ")),
    }
}
