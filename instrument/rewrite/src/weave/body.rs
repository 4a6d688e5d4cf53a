//! The bodies of synchronized methods.

use super::{ATHROW, HASH_AND_SITE, SITE_ONLY, WITH_OBJECT, Weaver, catch_all};
use crate::sites::{self, Act, Deed};
use crate::{Reason, SiteId, SiteKind};
use locklens_classfile::asm::Fragment;
use locklens_classfile::code::{Insn, Operand};
use locklens_classfile::edit::{BlockId, Cover, Place};
use locklens_classfile::types::Type;

/// How a synchronized method names its own monitor.
pub(super) struct Monitor {
    push: Fragment,
    descriptor: &'static str,
    /// Local variables that hold throughout and that `push` relies on.
    locals: Vec<Type>,
}

impl Weaver<'_, '_> {
    pub(super) fn enter_method(&mut self) -> Result<Monitor, Reason> {
        let mut start = Fragment::new();
        let monitor = self.monitor(&mut start)?;
        let site = self.site(SiteKind::MethodEnter, 0);
        let probe = &self.plan.probes.entered;
        let call = self.call(monitor.push.clone(), probe, monitor.descriptor, site)?;
        start.extend(&self.chained(&monitor.push, monitor.descriptor, site)?);
        start.extend(&call);
        self.edit.insert_after(0, &start, Cover::AsPrevious, 0);
        Ok(monitor)
    }

    /// How the method names its monitor. What must be done for that once is added to `start`.
    fn monitor(&mut self, start: &mut Fragment) -> Result<Monitor, Reason> {
        let monitor = match sites::is_static(self.method) {
            true => self.class_monitor(),
            false => self.instance_monitor(),
        };
        match self.hash_call()? {
            Some(hash) if !monitor.push.is_empty() => self.hashed(monitor, &hash, start),
            _ if self.may_lose(&monitor) => self.copied(start),
            _ => Ok(monitor),
        }
    }

    fn instance_monitor(&self) -> Monitor {
        Monitor {
            push: Fragment::new().aload(0),
            descriptor: WITH_OBJECT,
            locals: vec![self.this()],
        }
    }

    /// Class files before Java 5 cannot load a class as a constant.
    fn class_monitor(&self) -> Monitor {
        let (push, descriptor) = match self.class.major >= 49 {
            true => (Fragment::new().constant(self.class.this_class), WITH_OBJECT),
            false => (Fragment::new(), SITE_ONLY),
        };
        Monitor {
            push,
            descriptor,
            locals: Vec::new(),
        }
    }

    /// One hash for the whole body.
    fn hashed(
        &mut self,
        monitor: Monitor,
        hash: &Fragment,
        start: &mut Fragment,
    ) -> Result<Monitor, Reason> {
        let slot = self.edit.new_local(1)?;
        start.extend(&monitor.push);
        start.extend(hash);
        start.extend(&Fragment::new().istore(slot));
        self.edit.keep_local(slot, Type::Int);
        Ok(Monitor {
            push: Fragment::new().iload(slot),
            descriptor: HASH_AND_SITE,
            locals: Vec::new(),
        })
    }

    /// `this` in a variable that the body does not overwrite.
    fn copied(&mut self, start: &mut Fragment) -> Result<Monitor, Reason> {
        let slot = self.edit.new_local(1)?;
        start.extend(&Fragment::new().aload(0).astore(slot));
        self.edit.keep_local(slot, self.this());
        Ok(Monitor {
            push: Fragment::new().aload(slot),
            descriptor: WITH_OBJECT,
            locals: Vec::new(),
        })
    }

    fn this(&self) -> Type {
        Type::object(self.around.method.class)
    }

    /// Whether the variable that the monitor is named by may hold something else at a return or in
    /// our handler: the body stores into it, or frames (of shrunk code) no longer mention it.
    fn may_lose(&self, monitor: &Monitor) -> bool {
        let this = match monitor.locals.first() {
            Some(this) => this,
            None => return false,
        };
        let stored = self.edit.insns().iter().any(stores_to_0);
        stored || !self.types.in_every_frame(0, this)
    }

    pub(super) fn leave_method(&mut self, bci: u16, monitor: &Monitor) -> Result<(), Reason> {
        let site = self.site(SiteKind::MethodReturn, bci.into());
        let call = self.leave(monitor, site)?;
        self.edit.insert_before(bci, &call);
        Ok(())
    }

    fn leave(&mut self, monitor: &Monitor, site: SiteId) -> Result<Fragment, Reason> {
        let probe = &self.plan.probes.exit;
        self.call(monitor.push.clone(), probe, monitor.descriptor, site)
    }

    /// A handler around the whole body, save for the exits that have their own probe.
    pub(super) fn leave_method_by_exception(
        &mut self,
        monitor: &Monitor,
        acts: &[Act],
    ) -> Result<(), Reason> {
        let end = self.code.bytes.len() as u32;
        let site = self.site(SiteKind::MethodThrow, end);
        let code = self.leave(monitor, site)?.op(ATHROW);
        let state = self.types.around_method(monitor.locals.clone());
        let last = self.edit.insns().last().map_or(0, |insn| insn.bci);
        let block = self.edit.append(code, state, last);
        let mut start = Place::Before(0, 0);
        for act in acts.iter().filter(|act| act.deed == Deed::Return) {
            let own = self.edit.len_before(act.bci);
            self.cover((start, Place::Before(act.bci, 0)), block);
            debug_assert_ne!(own, 0, "a return without a probe");
            start = Place::Behind(act.bci);
        }
        self.cover((start, Place::Block(block)), block);
        Ok(())
    }

    fn cover(&mut self, range: (Place, Place), block: BlockId) {
        self.edit.catch_last(catch_all(range, block));
    }
}

fn stores_to_0(insn: &Insn) -> bool {
    match insn.opcode {
        0x36..=0x3a => insn.operand == Operand::Local(0),
        0x3b | 0x3f | 0x43 | 0x47 | 0x4b => true,
        _ => false,
    }
}
