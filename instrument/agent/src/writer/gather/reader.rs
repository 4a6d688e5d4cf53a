//! One class: what its methods call, and their code sent, each method once.

use super::super::output::Output;
use super::index::Loaded;
use super::scan::Scans;
use super::seeds::Home;
use crate::bootstraps::{Bootstraps, Table};
use crate::lower::lower;
use crate::recording::Recording;
use crate::vm::{Handle, Ref, Vm};
use locklens_classfile::code::{Operand, instructions};
use locklens_classfile::pool::Pool;
use locklens_trace::Record;
use locklens_trace::code::{Code, Constant};
use std::collections::{HashMap, HashSet};
use std::ops::{Range, RangeInclusive};
use std::rc::Rc;

const MONITOR_ENTER: u8 = 0xc2;
const INVOKES: RangeInclusive<u8> = 0xb6..=0xb9;

/// Classes whose code a recording may hold.
const MAX_CLASSES: usize = 4_000;
/// Bytes of bytecode a recording may hold.
const MAX_BYTES: usize = 16 << 20;

/// A method's name and what it calls.
pub(super) struct MethodCode {
    pub(super) handle: Handle,
    pub(super) name: String,
    pub(super) descriptor: String,
    pub(super) calls: Vec<Call>,
}

/// A method as a call names it; the class with dots.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Call {
    pub(super) class: String,
    pub(super) name: String,
    pub(super) descriptor: String,
}

/// Reads classes, sends their methods once, and keeps count.
#[derive(Default)]
pub(super) struct Reader {
    sent: HashSet<Handle>,
    classes: HashSet<Home>,
    /// Those of which all methods were sent.
    whole: HashSet<Home>,
    pub(super) scans: Scans,
    bytes: usize,
    exhausted: bool,
    unfinished: bool,
    bootstraps: Option<Bootstraps>,
    cramped: bool,
    /// Methods sent at once that lock what they are handed, by name and descriptor, with their class.
    locking: Vec<(String, [String; 2])>,
}

impl Reader {
    /// Nothing read yet.
    pub(super) fn new(recording: &Recording) -> Self {
        Self {
            scans: Scans::within(recording.ceiling.shares.heap / 16),
            ..Self::default()
        }
    }

    /// Looks up what call sites are linked by, if that can be read.
    pub(super) fn look_up(&mut self, bootstraps: Option<Bootstraps>) {
        self.bootstraps = bootstraps;
    }

    fn has_room_for(&self, home: &Home) -> bool {
        let known = self.classes.contains(home);
        (known || self.classes.len() < MAX_CLASSES) && self.bytes < MAX_BYTES
    }

    /// Whether all code of the class was sent.
    pub(super) fn was_sent(&self, home: &Home) -> bool {
        self.whole.contains(home)
    }

    /// All code of the class is sent now.
    pub(super) fn note_whole(&mut self, home: &Home) {
        if self.classes.contains(home) && !self.whole.contains(home) {
            self.whole.insert(home.clone());
        }
    }

    /// The recording ended in the middle of a pass.
    pub(super) fn note_unfinished(&mut self) {
        self.unfinished = true;
    }

    /// There was no room under the ceiling for what a pass needs.
    pub(super) fn note_cramped(&mut self) {
        self.cramped = true;
    }

    /// Why some code is missing, if it is.
    pub(super) fn shortfall(&self) -> Option<String> {
        if self.exhausted {
            let classes = self.classes.len();
            return Some(format!("cut at {classes} classes, {} bytes", self.bytes));
        }
        if self.cramped {
            return Some("cut: no room under the agent's ceiling (--buffer)".to_owned());
        }
        self.unfinished
            .then(|| "cut: the recording ended while classes were read".to_owned())
    }

    /// The methods of a class and what they call; none if it cannot be read.
    pub(super) fn methods(
        &self,
        vm: Vm<'_>,
        loaded: &Loaded<'_>,
        pool: &Pool,
    ) -> Option<Vec<MethodCode>> {
        // The list holds the class for all that follows.
        let handles = vm.class_methods(&loaded.class).ok()?;
        // SAFETY: as above.
        let table = unsafe { self.table(&handles, pool) };
        let one = |handle| {
            // SAFETY: as above, for both.
            let (method, code) = unsafe { (vm.method(handle).ok()?, vm.bytecode(handle)) };
            let code = code.unwrap_or_default();
            let mut calls = calls(&code, pool);
            calls.extend(table.iter().flat_map(|t| functions(t, &code, pool)));
            calls.sort();
            calls.dedup();
            Some(MethodCode {
                handle,
                name: method.name,
                descriptor: method.descriptor,
                calls,
            })
        };
        Some(handles.into_iter().filter_map(one).collect())
    }

    /// # Safety
    /// The class of these methods, whose constants these are, is alive.
    unsafe fn table(&self, methods: &[Handle], pool: &Pool) -> Option<Table> {
        let (bootstraps, &any) = (self.bootstraps.as_ref()?, methods.first()?);
        // SAFETY: the caller's promise.
        unsafe { bootstraps.table(any, pool) }
    }

    /// Sends the code of methods of a class, each once; `pool` is asked for where there is anything to send.
    pub(super) fn send(
        &mut self,
        vm: Vm<'_>,
        recording: &Recording,
        output: &mut Output,
        (loaded, methods): (&Loaded<'_>, &[Handle]),
        pool: impl FnOnce() -> Option<Rc<Pool>>,
    ) {
        // Of a method that came rewritten, only the code that it had is to be told.
        let new =
            |&&handle: &&Handle| !self.sent.contains(&handle) && !recording.rewritten.has(handle);
        let new: Vec<Handle> = methods.iter().filter(new).copied().collect();
        if new.is_empty() {
            return;
        }
        if !self.has_room_for(&loaded.home) {
            self.exhausted = true;
            return;
        }
        self.classes.insert(loaded.home.clone());
        if let Some(pool) = pool() {
            self.send_new(vm, recording, output, (&pool, &new), &HashMap::new());
        }
    }

    /// Sends the code of methods of a class that the caller holds, each once; what is not sent now is
    /// not sent later either. What is known of it counts, not what the JVM shows.
    pub(super) fn send_class(
        &mut self,
        vm: Vm<'_>,
        recording: &Recording,
        output: &mut Output,
        (class, home, methods): (&Ref<'_>, Home, &[Handle]),
        known: &HashMap<Handle, Vec<u8>>,
    ) {
        let new = |handle: &&Handle| !self.sent.contains(handle);
        let new: Vec<Handle> = methods.iter().filter(new).copied().collect();
        if self.has_room_for(&home) {
            let name = home.name.clone();
            self.classes.insert(home);
            if let Some(pool) = pool(vm, class) {
                self.note_locking(vm, &name, &pool, (&new, known));
                self.send_new(vm, recording, output, (&pool, &new), known);
            }
        } else {
            self.exhausted = true;
            self.sent.extend(new);
        }
    }

    /// Remembers which of these methods lock what they are handed; the caller holds their class.
    fn note_locking(
        &mut self,
        vm: Vm<'_>,
        class: &str,
        pool: &Pool,
        (methods, known): (&[Handle], &HashMap<Handle, Vec<u8>>),
    ) {
        for &handle in methods {
            let code = known.get(&handle).cloned();
            // SAFETY: the caller holds the class.
            let code = code.or_else(|| unsafe { vm.bytecode(handle) }.ok());
            let Some(code) = code.filter(|code| locks(code, pool)) else {
                continue;
            };
            // SAFETY: as above.
            let Ok(method) = (unsafe { vm.method(handle) }) else {
                continue;
            };
            if locks_handed(&code, pool, &handed_in(method.flags, &method.descriptor)) {
                let named = [method.name, method.descriptor];
                self.locking.push((class.to_owned(), named));
            }
        }
    }

    /// The methods sent since the last time that lock what they are handed, each with its class.
    pub(super) fn take_locking(&mut self) -> Vec<(String, [String; 2])> {
        std::mem::take(&mut self.locking)
    }

    fn send_new(
        &mut self,
        vm: Vm<'_>,
        recording: &Recording,
        output: &mut Output,
        (pool, methods): (&Pool, &[Handle]),
        known: &HashMap<Handle, Vec<u8>>,
    ) {
        // SAFETY: the caller holds the class.
        let table = unsafe { self.table(methods, pool) };
        for &handle in methods {
            self.sent.insert(handle);
            let code = match known.get(&handle) {
                Some(code) => Ok(code.clone()),
                // SAFETY: the caller holds the class.
                None => unsafe { vm.bytecode(handle) },
            };
            // Native and abstract methods have none.
            let Ok(code) = code else {
                continue;
            };
            let method = (handle, code.as_slice());
            // SAFETY: as above.
            unsafe { self.send_one(vm, recording, output, method, (pool, table.as_ref())) };
        }
    }

    /// # Safety
    /// The method's class is alive.
    unsafe fn send_one(
        &mut self,
        vm: Vm<'_>,
        recording: &Recording,
        output: &mut Output,
        (handle, code): (Handle, &[u8]),
        (pool, table): (&Pool, Option<&Table>),
    ) {
        // SAFETY: the caller's promise. The definition goes ahead of the code.
        let Ok(method) = (unsafe { recording.method(vm, handle) }) else {
            return;
        };
        self.bytes += code.len();
        if let Some(insns) = lower(code, pool).filter(|insns| !insns.is_empty()) {
            let sites = table.map(|t| t.sites(code, pool)).unwrap_or_default();
            output.push(&Record::Code(Code {
                method,
                insns,
                handlers: None,
                sites,
            }));
        }
    }
}

/// Whether code takes the monitor of what its method was handed, or calls a lock of the JDK that it was handed: in `slots`, the variables in
/// which that comes. What it gets elsewhere, out of a field of that too, is known by the field.
fn locks_handed(code: &[u8], pool: &Pool, slots: &Range<u16>) -> bool {
    const ALOAD_N: RangeInclusive<u8> = 0x2a..=0x2d;
    const ASTORE_N: RangeInclusive<u8> = 0x4b..=0x4e;
    let (mut handed, mut insns) = (false, instructions(code).map_while(Result::ok));
    insns.any(|insn| {
        let of_lock = |index| {
            let member = pool.member(index);
            member.is_some_and(|member| is_lock(member.class))
        };
        match (insn.opcode, insn.operand) {
            (0x19, Operand::Local(slot)) => handed = slots.contains(&slot),
            (load, _) if ALOAD_N.contains(&load) => {
                handed = slots.contains(&u16::from(load - ALOAD_N.start()));
            }
            // Numbers and copies come between.
            (0x02..=0x18 | 0x1a..=0x21 | 0x3a | 0x59, _) => {}
            (store, _) if ASTORE_N.contains(&store) => {}
            (MONITOR_ENTER, _) => return handed,
            (invoke, Operand::Pool(index)) if INVOKES.contains(&invoke) && handed => {
                if of_lock(index) {
                    return true;
                }
                handed = false;
            }
            _ => handed = false,
        }
        false
    })
}

/// Locks of the JDK that a method may be handed.
fn is_lock(class: &str) -> bool {
    class.starts_with("java/util/concurrent/locks/") || class == "java/util/concurrent/Semaphore"
}

/// The variables in which a method is handed something, the object that it is called on left out.
fn handed_in(flags: u32, descriptor: &str) -> Range<u16> {
    const STATIC: u32 = 0x0008;
    let first = u16::from(flags & STATIC == 0);
    let (mut slots, mut class, mut array) = (first, false, false);
    for letter in descriptor.chars().skip(1).take_while(|c| *c != ')') {
        match letter {
            _ if class => class = letter != ';',
            '[' => array = true,
            _ => {
                let wide = matches!(letter, 'J' | 'D') && !array;
                slots = slots.saturating_add(1 + u16::from(wide));
                (class, array) = (letter == 'L', false);
            }
        }
    }
    first..slots
}

/// Whether code takes a monitor, or calls locks of the JDK.
fn locks(code: &[u8], pool: &Pool) -> bool {
    instructions(code).map_while(Result::ok).any(|insn| {
        let calls_lock = |index| pool.member(index).is_some_and(|m| is_lock(m.class));
        match (insn.opcode, insn.operand) {
            (MONITOR_ENTER, _) => true,
            (invoke, Operand::Pool(index)) => INVOKES.contains(&invoke) && calls_lock(index),
            _ => false,
        }
    })
}

/// Whether code has a synchronized block.
pub(super) fn enters_monitor(code: &[u8]) -> bool {
    instructions(code)
        .map_while(Result::ok)
        .any(|insn| insn.opcode == MONITOR_ENTER)
}

/// The constant pool of a class.
pub(super) fn pool(vm: Vm<'_>, class: &Ref<'_>) -> Option<Pool> {
    let (count, bytes) = vm.constant_pool(class).ok()?;
    Pool::parse(count, &bytes).ok()
}

/// The methods that code makes functions of.
fn functions(table: &Table, code: &[u8], pool: &Pool) -> Vec<Call> {
    let sites = table.sites(code, pool).into_iter();
    let handle = |constant| match constant {
        Constant::Handle { member, .. } if member.descriptor.starts_with('(') => Some(Call {
            class: member.class,
            name: member.name,
            descriptor: member.descriptor,
        }),
        _ => None,
    };
    let all = sites.flat_map(|site| site.bootstrap.arguments);
    all.filter_map(handle).collect()
}

/// What code calls; call sites without a class are left out.
fn calls(code: &[u8], pool: &Pool) -> Vec<Call> {
    instructions(code)
        .map_while(Result::ok)
        .filter(|insn| INVOKES.contains(&insn.opcode))
        .filter_map(|insn| match insn.operand {
            Operand::Pool(index) => pool.member(index),
            _ => None,
        })
        .map(|member| Call {
            class: member.class.replace('/', "."),
            name: member.name.to_owned(),
            descriptor: member.descriptor.to_owned(),
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn variables_in_which_something_is_handed() {
        assert_eq!(handed_in(0, "(Ljava/lang/Object;J[[D[La/B;I)V"), 1..7);
        assert_eq!(handed_in(0x0008, "()V"), 0..0);
        assert_eq!(handed_in(0x0008, "(D)V"), 0..2);
    }

    #[test]
    fn only_what_is_locked_as_it_was_handed_in_counts() {
        const ENTER: u8 = MONITOR_ENTER;
        // Class, name and type of java.util.concurrent.locks.Lock.lock(), and a reference to it.
        let mut bytes = Vec::new();
        for text in ["java/util/concurrent/locks/Lock", "lock", "()V"] {
            bytes.extend([1, 0, text.len() as u8]);
            bytes.extend(text.as_bytes());
        }
        bytes.extend([7, 0, 1, 12, 0, 2, 0, 3, 11, 0, 4, 0, 5]);
        let pool = Pool::parse(7, &bytes).unwrap();
        let found = |code: &[u8]| locks_handed(code, &pool, &(1..3));
        // aload_1, dup, astore_3, monitorenter
        assert!(found(&[0x2b, 0x59, 0x4e, ENTER]));
        assert!(!found(&[0x2a, 0x59, 0x4e, ENTER]), "its own object");
        assert!(!found(&[0x19, 7, 0x59, 0x4e, ENTER]), "another variable");
        // aload_1, getfield, …
        assert!(!found(&[0x2b, 0xb4, 0, 6, 0x59, 0x4e, ENTER]), "a field");
        // aload 2, invokeinterface
        assert!(found(&[0x19, 2, 0xb9, 0, 6, 1, 0]));
        assert!(!found(&[0x2a, 0xb9, 0, 6, 1, 0]));
    }
}
