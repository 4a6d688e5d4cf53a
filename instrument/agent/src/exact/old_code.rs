//! Threads that are still inside the code their class had before it was replaced.

use super::list;
use super::select::is_of_juc;
use crate::identity::binary_name;
use crate::recording::Recording;
use crate::vm::{Handle, Ref, Vm};
use std::collections::{HashMap, HashSet};
use std::time::{Duration, Instant};

/// Threads above which that is left out: looking at them takes a while.
const MOST_THREADS: usize = 1000;
/// Threads looked at together where the JVM stops for that,
const TOGETHER: usize = 16;
/// unless it stopped for as long as this: then for fewer, and at last for none.
const SLOW: Duration = Duration::from_millis(20);
/// Frames looked at for that: an endless loop is at the bottom of its stack.
const DEPTH: usize = 1024;

/// Whether a method only parks: who was inside goes on in the old code once, and that is all.
fn parks(vm: Vm<'_>, method: Handle) -> bool {
    // SAFETY: the JVM checks the handle of a method whose class may have gone.
    let class = unsafe { vm.declaring_class(method) }.and_then(|class| vm.class_signature(&class));
    class.is_ok_and(|signature| is_of_juc(&binary_name(&signature)))
}

/// The methods that platform threads are in, of each those of its innermost frames. Some after the other, so that the JVM never stops for
/// long: who is not in old code comes into none later. None if the JVM does not tell, or takes too long to.
fn stacks<'vm>(vm: Vm<'vm>) -> Option<Vec<(Ref<'vm>, Vec<Handle>)>> {
    let mut left = vm.all_threads().ok()?;
    let mut together = if vm.stops_for_chains() { TOGETHER } else { 1 };
    let mut stacks = Vec::with_capacity(left.len());
    while !left.is_empty() {
        let some = left.split_off(left.len().saturating_sub(together));
        let began = Instant::now();
        let methods = match vm.methods_of(&some, DEPTH) {
            Ok(methods) => methods,
            // One that is asked for alone may have ended.
            Err(error) if error.is_of_ended_thread() => Vec::new(),
            Err(_) => return None,
        };
        stacks.extend(some.into_iter().zip(methods));
        if vm.stops_for_chains() && began.elapsed() > SLOW {
            together = match together {
                1 => return None,
                several => several / 2,
            };
        }
    }
    Some(stacks)
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
    let stacks = stacks(vm)?;
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
    let Some(stacks) = stacks(vm) else {
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
