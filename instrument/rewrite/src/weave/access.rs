//! Accesses to fields and to atomics: a probe in front, which is told the object, and one behind.
//!
//! ```text
//!     dup; site; reading                 a getfield
//!     getfield
//!     [dup;] site; read                  with what was read, if it is an int
//!     dup2; [pop;] site; writing         a putfield of one slot; with what is written, if it is an int
//!     dup2_x1; pop2; dup_x2; site; …     of two
//!     xstore A …; dup; [iload A;] site; updating; xload A …    a call: its arguments are put away
//! ```
//!
//! A call that writes only sometimes is told with its result, and the probe sees by that whether it wrote.
//!
//! What is stored into an object that no constructor of its superclass has seen yet has no probes: the verifier lets nobody be
//! told of such an object, and no other thread knows it. Where it is not known whether it is one (behind a subroutine), the method is left alone.

use super::{DUP, HASH_AND_SITE, SITE_ONLY, WITH_OBJECT, Weaver};
use crate::access::{Access, Effect};
use crate::{Reason, SiteId, SiteKind};
use locklens_classfile::asm::Fragment;
use locklens_classfile::class::ClassFile;
use locklens_classfile::code::Operand;
use locklens_classfile::edit::{Cover, Refusal};
use locklens_classfile::pool;
use locklens_classfile::types::{self, Type};

const ACONST_NULL: u8 = 0x01;
const POP: u8 = 0x57;
const POP2: u8 = 0x58;
const DUP_X2: u8 = 0x5b;
const DUP2: u8 = 0x5c;
const DUP2_X1: u8 = 0x5d;
const SWAP: u8 = 0x5f;
const RESULT_AND_SITE: &str = "(ZI)V";

/// An access with what there is to say of it.
struct Site<'d> {
    id: SiteId,
    access: Access,
    /// Descriptor of the field, or of the method of the atomic.
    descriptor: &'d str,
    /// New local variables with the arguments of the call.
    arguments: Vec<u16>,
}

impl Weaver<'_, '_> {
    pub(super) fn access(&mut self, bci: u16, access: Access) -> Result<(), Reason> {
        if let Access::Put { wide } = access {
            let depth = 1 + usize::from(wide);
            let is_silent =
                self.types.is_dead(bci) || self.types.is_unborn(bci, depth, &self.around)?;
            if is_silent {
                return Ok(());
            }
        }
        let id = self.site(SiteKind::Access, bci.into());
        let class = self.class;
        let named = self.named(bci, class).ok_or(Refusal::Code)?;
        let mut site = Site {
            id,
            access,
            descriptor: named.descriptor,
            arguments: Vec::new(),
        };
        let before = match access {
            Access::Atomic(_) => self.about_call(&mut site)?,
            _ => self.about_field(&site)?,
        };
        self.edit.insert_before(bci, &before);
        let next = self.next(bci)?;
        let after = self.over(&site)?;
        self.edit.insert_after(next, &after, Cover::AsPrevious, bci);
        Ok(())
    }

    /// The probe in front of an access to a field.
    fn about_field(&mut self, site: &Site<'_>) -> Result<Fragment, Reason> {
        let none = Fragment::new();
        let is_int = is_int(site.descriptor);
        let (pushed, valued) = match site.access {
            Access::Static(Effect::Writes) if is_int => {
                (none.op(DUP).op(ACONST_NULL).op(SWAP), true)
            }
            Access::Put { wide: false } if is_int => (none.op(DUP2), true),
            Access::Put { wide: false } => (none.op(DUP2).op(POP), false),
            Access::Put { wide: true } => (none.op(DUP2_X1).op(POP2).op(DUP_X2), false),
            Access::Get => (none.op(DUP), false),
            Access::Static(_) | Access::Atomic(_) => (none.op(ACONST_NULL), false),
        };
        self.about(pushed, valued, site)
    }

    /// The same of a call: its arguments lie above the object.
    fn about_call(&mut self, site: &mut Site<'_>) -> Result<Fragment, Reason> {
        let (put_away, take_back) = self.arguments_of_call(site)?;
        let written = match (site.access.effect(), site.descriptor) {
            (Effect::Writes, "(I)V" | "(Z)V") => site.arguments.first(),
            (Effect::Tries, "(II)Z" | "(ZZ)Z") | (Effect::Exchanges, "(II)I" | "(ZZ)Z") => {
                site.arguments.get(1)
            }
            _ => None,
        };
        let pushed = put_away.op(DUP);
        let mut before = match written {
            Some(&slot) => self.about(pushed.iload(slot), true, site)?,
            None => self.about(pushed, false, site)?,
        };
        before.extend(&take_back);
        Ok(before)
    }

    fn about(
        &mut self,
        pushed: Fragment,
        valued: bool,
        site: &Site<'_>,
    ) -> Result<Fragment, Reason> {
        let name = match site.access.effect() {
            Effect::Reads => "reading",
            Effect::Writes => "writing",
            Effect::Updates | Effect::Tries | Effect::Exchanges => "updating",
        };
        let descriptor = match valued {
            true => "(Ljava/lang/Object;II)V",
            false => WITH_OBJECT,
        };
        self.tell_access(pushed, (name, descriptor), site.id)
    }

    /// How the arguments of a call are put away and taken back.
    fn arguments_of_call(&mut self, site: &mut Site<'_>) -> Result<(Fragment, Fragment), Reason> {
        let (mut put_away, mut take_back) = (Fragment::new(), Fragment::new());
        for kind in types::parameters(site.descriptor).ok_or(Refusal::Code)? {
            let slot = self.edit.new_local(kind.width() as u16)?;
            site.arguments.push(slot);
            let none = Fragment::new();
            let (mut store, load) = match kind {
                Type::Int => (none.clone().istore(slot), none.iload(slot)),
                Type::Long => (none.clone().lstore(slot), none.lload(slot)),
                Type::Object(_) => (none.clone().astore(slot), none.aload(slot)),
                _ => return Err(Refusal::Code.into()),
            };
            take_back.extend(&load);
            store.extend(&put_away);
            put_away = store;
        }
        Ok((put_away, take_back))
    }

    /// What the instruction at a bci names.
    fn named<'c>(&self, bci: u16, class: &'c ClassFile<'_>) -> Option<pool::Member<'c>> {
        let insn = &self.edit.insns()[self.edit.position(bci)?];
        match insn.operand {
            Operand::Pool(index) => class.pool.member(index),
            _ => None,
        }
    }

    /// The probe behind.
    fn over(&mut self, site: &Site<'_>) -> Result<Fragment, Reason> {
        let none = Fragment::new();
        let result = site.descriptor.rsplit(')').next().unwrap_or_default();
        let (given, probe) = match (site.access.effect(), site.descriptor) {
            (Effect::Reads, _) if is_int(result) => (none.op(DUP), ("read", HASH_AND_SITE)),
            (Effect::Reads, _) => (none, ("read", SITE_ONLY)),
            (Effect::Writes, _) => (none, ("wrote", SITE_ONLY)),
            (Effect::Updates, _) => (none, ("updated", SITE_ONLY)),
            (Effect::Tries, "(II)Z" | "(ZZ)Z") => {
                let expected = site.arguments.first().copied().unwrap_or_default();
                (none.op(DUP).iload(expected), ("swapped", "(ZII)V"))
            }
            (Effect::Tries, _) => (none.op(DUP), ("swapped", RESULT_AND_SITE)),
            (Effect::Exchanges, _) => return self.over_exchange(site, result),
        };
        self.tell_access(given, probe, site.id)
    }

    /// The probe behind an exchange: it compares what was there with what was expected.
    fn over_exchange(&mut self, site: &Site<'_>, result: &str) -> Result<Fragment, Reason> {
        let expected = site.arguments.first().copied().ok_or(Refusal::Code)?;
        let none = Fragment::new();
        let (given, descriptor) = match result {
            "J" => (none.op(DUP2).lload(expected), "(JJI)V"),
            _ if is_int(result) => (none.op(DUP).iload(expected), "(III)V"),
            _ => (
                none.op(DUP).aload(expected),
                "(Ljava/lang/Object;Ljava/lang/Object;I)V",
            ),
        };
        self.tell_access(given, ("exchanged", descriptor), site.id)
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

/// Whether a value of this descriptor is an int to the JVM.
fn is_int(descriptor: &str) -> bool {
    matches!(descriptor, "Z" | "B" | "C" | "S" | "I")
}
