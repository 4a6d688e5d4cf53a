//! Accesses to fields and to atomics: a probe in front, which is told the object, and one behind.
//!
//! ```text
//!     dup; site; reading                 a getfield
//!     getfield
//!     site; read
//!     dup2; pop; site; writing           a putfield of one slot
//!     dup2_x1; pop2; dup_x2; site; …     of two
//!     xstore A …; dup; site; updating; xload A …    a call: its arguments are put away
//! ```
//!
//! What is stored into an object that no constructor of its superclass has seen yet has no probes: the verifier lets nobody be
//! told of such an object, and no other thread knows it.

use super::{DUP, SITE_ONLY, WITH_OBJECT, Weaver};
use crate::access::{Access, Effect};
use crate::{Reason, SiteId, SiteKind};
use locklens_classfile::asm::Fragment;
use locklens_classfile::class;
use locklens_classfile::code::Operand;
use locklens_classfile::edit::{Cover, Refusal};
use locklens_classfile::pool;
use locklens_classfile::types::{self, Type};

const VOLATILE: u16 = 0x0040;
const ACONST_NULL: u8 = 0x01;
const POP: u8 = 0x57;
const POP2: u8 = 0x58;
const DUP_X2: u8 = 0x5b;
const DUP2: u8 = 0x5c;
const DUP2_X1: u8 = 0x5d;
const RESULT_AND_SITE: &str = "(ZI)V";

impl Weaver<'_, '_> {
    pub(super) fn access(&mut self, bci: u16, access: Access) -> Result<(), Reason> {
        if let Access::Put { wide } = access
            && self
                .types
                .may_be_unborn(bci, 1 + usize::from(wide), &self.around)
        {
            return Ok(());
        }
        let is_volatile = self.is_volatile(bci);
        let site = self.site(SiteKind::Access { is_volatile }, bci.into());
        let before = match access {
            Access::Static(_) => self.about(Fragment::new().op(ACONST_NULL), access, site)?,
            Access::Get => self.about(Fragment::new().op(DUP), access, site)?,
            Access::Put { wide: false } => {
                self.about(Fragment::new().op(DUP2).op(POP), access, site)?
            }
            Access::Put { wide: true } => {
                let below = Fragment::new().op(DUP2_X1).op(POP2).op(DUP_X2);
                self.about(below, access, site)?
            }
            Access::Atomic(_) => self.about_atomic(bci, access, site)?,
        };
        self.edit.insert_before(bci, &before);
        let next = self.next(bci)?;
        let after = self.over(access, site)?;
        self.edit.insert_after(next, &after, Cover::AsPrevious, bci);
        Ok(())
    }

    /// The probe in front; the object has been pushed.
    fn about(
        &mut self,
        object: Fragment,
        access: Access,
        site: SiteId,
    ) -> Result<Fragment, Reason> {
        let name = match access.effect() {
            Effect::Reads => "reading",
            Effect::Writes => "writing",
            Effect::Updates | Effect::Tries => "updating",
        };
        self.tell_access(object, (name, WITH_OBJECT), site)
    }

    /// The same with arguments above the object.
    fn about_atomic(&mut self, bci: u16, access: Access, site: SiteId) -> Result<Fragment, Reason> {
        let (put_away, take_back) = self.arguments_of_call(bci)?;
        let mut before = self.about(put_away.op(DUP), access, site)?;
        before.extend(&take_back);
        Ok(before)
    }

    /// How the arguments of the call at a bci are put away and taken back.
    fn arguments_of_call(&mut self, bci: u16) -> Result<(Fragment, Fragment), Reason> {
        let called = self.named(bci);
        let types = called.and_then(|called| types::parameters(called.descriptor));
        let (mut put_away, mut take_back) = (Fragment::new(), Fragment::new());
        for kind in types.ok_or(Refusal::Code)? {
            let slot = self.edit.new_local(kind.width() as u16)?;
            let none = Fragment::new();
            let (store, load) = match kind {
                Type::Int => (none.clone().istore(slot), none.iload(slot)),
                Type::Long => (none.clone().lstore(slot), none.lload(slot)),
                Type::Object(_) => (none.clone().astore(slot), none.aload(slot)),
                _ => return Err(Refusal::Code.into()),
            };
            take_back.extend(&load);
            let mut later = store;
            later.extend(&put_away);
            put_away = later;
        }
        Ok((put_away, take_back))
    }

    /// What the instruction at a bci names.
    fn named(&self, bci: u16) -> Option<pool::Member<'_>> {
        let insn = &self.edit.insns()[self.edit.position(bci)?];
        match insn.operand {
            Operand::Pool(index) => self.class.pool.member(index),
            _ => None,
        }
    }

    fn is_volatile(&self, bci: u16) -> bool {
        let Some(named) = self.named(bci) else {
            return false;
        };
        let pool = &self.class.pool;
        let is_it = |field: &&class::Member<'_>| {
            let text = |index| pool.utf8(index);
            (text(field.name), text(field.descriptor)) == (Some(named.name), Some(named.descriptor))
        };
        let own = pool.class(self.class.this_class) == Some(named.class);
        let field = self.class.fields.iter().find(is_it).filter(|_| own);
        field.is_some_and(|field| field.flags & VOLATILE != 0)
    }

    /// The probe behind.
    fn over(&mut self, access: Access, site: SiteId) -> Result<Fragment, Reason> {
        let (given, probe) = match access.effect() {
            Effect::Reads => (Fragment::new(), ("read", SITE_ONLY)),
            Effect::Writes => (Fragment::new(), ("wrote", SITE_ONLY)),
            Effect::Updates => (Fragment::new(), ("updated", SITE_ONLY)),
            Effect::Tries => (Fragment::new().op(DUP), ("swapped", RESULT_AND_SITE)),
        };
        self.tell_access(given, probe, site)
    }

    fn tell_access(
        &mut self,
        given: Fragment,
        (name, descriptor): (&str, &str),
        site: SiteId,
    ) -> Result<Fragment, Reason> {
        let class = &self.plan.probes.entered.class;
        let method = self.pool.method(class, name, descriptor)?;
        let pushed = given.int(site.0 as i32, self.pool)?;
        Ok(pushed.pooled(super::INVOKESTATIC, method))
    }
}
