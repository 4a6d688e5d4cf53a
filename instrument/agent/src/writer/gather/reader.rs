//! One class: its methods' code sent, and what they call remembered.

use super::super::output::Output;
use super::index::Loaded;
use super::seeds::Home;
use crate::lower::lower;
use crate::recording::Recording;
use crate::vm::{Handle, Ref, Vm};
use locklens_classfile::pool::Pool;
use locklens_trace::Record;
use locklens_trace::code::{Code, Insn, MemberRef, Op};
use std::collections::{HashMap, HashSet};

/// Classes whose code a recording may hold.
const MAX_CLASSES: usize = 4_000;
/// Bytes of bytecode a recording may hold.
const MAX_BYTES: usize = 16 << 20;
const NATIVE_OR_ABSTRACT: u32 = 0x0100 | 0x0400;

/// A method's name and what it calls.
pub(super) struct MethodCode {
    pub(super) handle: Handle,
    pub(super) name: String,
    pub(super) descriptor: String,
    pub(super) calls: Vec<MemberRef>,
}

/// Reads classes and keeps count.
#[derive(Default)]
pub(super) struct Reader {
    sent: HashSet<Home>,
    /// Classes looked at for their use of monitors, and how many lock names were known then.
    scanned: HashMap<Home, usize>,
    bytes: usize,
    exhausted: bool,
    unfinished: bool,
}

impl Reader {
    /// Whether there is room for more classes.
    pub(super) fn has_room(&self) -> bool {
        self.sent.len() < MAX_CLASSES && self.bytes < MAX_BYTES
    }

    /// Whether its code was sent.
    pub(super) fn was_sent(&self, home: &Home) -> bool {
        self.sent.contains(home)
    }

    /// Whether looking at a class again can tell anything new, given so many names of locks.
    pub(super) fn may_scan(&mut self, home: &Home, lock_names: usize) -> bool {
        self.scanned.insert(home.clone(), lock_names) != Some(lock_names)
    }

    /// The recording ended in the middle of a pass.
    pub(super) fn note_unfinished(&mut self) {
        self.unfinished = true;
    }

    /// Why some code is missing, if it is.
    pub(super) fn shortfall(&self) -> Option<String> {
        if self.exhausted {
            let classes = self.sent.len();
            return Some(format!("cut at {classes} classes, {} bytes", self.bytes));
        }
        self.unfinished
            .then(|| "cut: the recording ended while classes were read".to_owned())
    }

    /// Reads a class and, the first time, sends its code. None if it cannot be read, or there is no
    /// room for it.
    pub(super) fn read(
        &mut self,
        vm: Vm<'_>,
        recording: &Recording,
        output: &mut Output,
        loaded: &Loaded<'_>,
    ) -> Option<Vec<MethodCode>> {
        let class = &loaded.class;
        // The reference keeps the class alive for all that follows.
        let handles = vm.class_methods(class).ok()?;
        let is_new = !self.was_sent(&loaded.home);
        if is_new && !self.has_room() {
            self.exhausted = true;
            return None;
        }
        self.sent.insert(loaded.home.clone());
        let pool = pool(vm, class)?;
        let one = |handle| self.method(vm, recording, output, (handle, &pool, is_new));
        Some(handles.into_iter().filter_map(one).collect())
    }

    fn method(
        &mut self,
        vm: Vm<'_>,
        recording: &Recording,
        output: &mut Output,
        (handle, pool, is_new): (Handle, &Pool, bool),
    ) -> Option<MethodCode> {
        // SAFETY: the caller holds the class.
        let method = unsafe { vm.method(handle) }.ok()?;
        let insns = if method.flags & NATIVE_OR_ABSTRACT == 0 {
            // SAFETY: as above.
            let code = unsafe { vm.bytecode(handle) }.ok()?;
            if is_new {
                self.bytes += code.len();
            }
            lower(&code, pool)
        } else {
            None
        };
        // SAFETY: as above.
        let id = unsafe { recording.method(vm, handle) };
        let summary = MethodCode {
            handle,
            name: method.name,
            descriptor: method.descriptor,
            calls: insns.as_deref().map(calls).unwrap_or_default(),
        };
        if is_new && let (Some(insns), Ok(method)) = (insns, id) {
            output.push(&Record::Code(Code {
                method,
                insns,
                handlers: None,
            }));
        }
        Some(summary)
    }
}

/// The constant pool of a class.
pub(super) fn pool(vm: Vm<'_>, class: &Ref<'_>) -> Option<Pool> {
    let (count, bytes) = vm.constant_pool(class).ok()?;
    Pool::parse(count, &bytes).ok()
}

fn calls(insns: &[Insn]) -> Vec<MemberRef> {
    let mut calls: Vec<MemberRef> = insns
        .iter()
        .filter_map(|insn| match &insn.op {
            Op::Invoke { method, .. } if !method.class.is_empty() => Some(method.clone()),
            _ => None,
        })
        .collect();
    calls.sort();
    calls.dedup();
    calls
}
