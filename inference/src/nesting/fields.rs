//! Objects behind static fields.
//!
//! A region that locks what a static field holds locks one object, as long as nobody assigns the
//! field anew. Where contended events on such regions have only ever shown one object, uncontended
//! ones are taken to be on it too.

use crate::collect::Collected;
use crate::program::Program;
use crate::region::Region;
use crate::region::subject::Subject;
use locklens_trace::LockId;
use locklens_trace::code::MemberRef;
use locklens_trace::record::Frame;
use std::collections::{BTreeMap, BTreeSet};

/// The object of each static field.
#[derive(Debug, Default)]
pub(super) struct StaticFields {
    seen: BTreeMap<MemberRef, BTreeSet<LockId>>,
}

impl StaticFields {
    /// What the call chains of a recording show; `acquired` tells the region that a chain is
    /// about to enter.
    pub(super) fn new(
        program: &Program<'_>,
        collected: &Collected,
        acquired: impl Fn(Frame) -> Option<Region>,
    ) -> Self {
        let mut fields = Self::default();
        for log in &collected.locks {
            for stack in log.stacks() {
                let stack = collected.catalog.stacks.get(&stack);
                let frames = stack.map_or(&[][..], |s| &s.frames);
                if let Some(region) = frames.first().and_then(|&f| acquired(f))
                    && let Some(Subject::Static(field)) = fixed_subject(program, frames, &region)
                {
                    fields.seen.entry(field).or_default().insert(log.lock);
                }
            }
        }
        fields
    }

    /// The only object seen in a field.
    pub(super) fn object(&self, field: &MemberRef) -> Option<LockId> {
        let mut seen = self.seen.get(field)?.iter();
        let first = seen.next().copied();
        first.filter(|_| seen.next().is_none())
    }
}

/// The static field or the class that a region of the first of these frames locks, followed through
/// what its callers pass.
pub(super) fn fixed_subject(
    program: &Program<'_>,
    frames: &[Frame],
    region: &Region,
) -> Option<Subject> {
    let mut subject = program.subject(region);
    for caller in frames.iter().skip(1) {
        if matches!(subject, Subject::Static(_) | Subject::Class(_)) {
            break;
        }
        let call = program.nesting(caller.method)?.call_at(caller.bci?)?;
        subject = subject.in_caller(&call.arguments)?;
    }
    matches!(subject, Subject::Static(_) | Subject::Class(_)).then_some(subject)
}
