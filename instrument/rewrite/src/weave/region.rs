//! `monitorenter` and `monitorexit`.

use super::{ATHROW, DUP, HASH_AND_SITE, Handler, MONITOREXIT, WITH_OBJECT, Weaver, catch_all};
use crate::held::Held;
use crate::{Reason, SiteKind};
use locklens_classfile::asm::Fragment;
use locklens_classfile::edit::{BlockId, Catch, Cover, Place, Refusal, Target};
use locklens_classfile::types::Type;
use std::collections::BTreeMap;

/// New local variables that hold hashes.
#[derive(Debug, Default)]
pub(super) struct Hashes {
    held: Held,
    /// By the old local variable that holds the object; valid throughout the method.
    kept: BTreeMap<u16, u16>,
    /// For a hash that only its own `monitorenter` needs.
    passing: Option<u16>,
}

impl Weaver<'_, '_> {
    /// Finds out which exits belong to a hash taken earlier, and gives those hashes variables that
    /// hold an int from the first instruction on, since every frame will say so.
    pub(super) fn keep_hashes(&mut self, held: Held) -> Result<(), Reason> {
        let mut start = Fragment::new();
        for local in held.locals() {
            let slot = self.edit.new_local(1)?;
            start = start.op(ICONST_0).istore(slot);
            self.edit.keep_local(slot, Type::Int);
            self.hashes.kept.insert(local, slot);
        }
        if !start.is_empty() {
            self.edit.insert_after(0, &start, Cover::AsPrevious, 0);
        }
        self.hashes.held = held;
        Ok(())
    }

    pub(super) fn enter(&mut self, bci: u16) -> Result<(), Reason> {
        let object = self.object()?;
        let mut before = Fragment::new().op(DUP).astore(object);
        let mut argument = Fragment::new().aload(object);
        let mut descriptor = WITH_OBJECT;
        if let Some(hash) = self.hash_call()? {
            let slot = self.hash_slot(bci)?;
            before = before.op(DUP);
            before.extend(&hash);
            before = before.istore(slot);
            argument = Fragment::new().iload(slot);
            descriptor = HASH_AND_SITE;
        }
        self.edit.insert_before(bci, &before);
        let site = self.site(SiteKind::Enter, bci.into());
        let mut call = self.chained(&argument, descriptor, site)?;
        call.extend(&self.call(argument, &self.plan.probes.entered, descriptor, site)?);
        let next = self.next(bci)?;
        self.edit.insert_after(next, &call, Cover::AsNext, bci);
        let range = (Place::After(next, 0), Place::After(next, call.len() as u16));
        self.release_if_thrown(range, bci, bci)
    }

    pub(super) fn exit(&mut self, bci: u16) -> Result<(), Reason> {
        let object = self.object()?;
        let put_away = Fragment::new().op(DUP).astore(object);
        self.edit.insert_before(bci, &put_away);
        let (argument, descriptor) = match self.kept_hash(bci) {
            Some(slot) => (Fragment::new().iload(slot), HASH_AND_SITE),
            None => (Fragment::new().op(DUP), WITH_OBJECT),
        };
        let site = self.site(SiteKind::Exit, bci.into());
        let call = self.call(argument, &self.plan.probes.exit, descriptor, site)?;
        let start = self.edit.len_before(bci);
        self.edit.insert_before(bci, &call);
        let end = Place::Before(bci, start + call.len() as u16);
        let next = self.next(bci)?;
        self.release_if_thrown((Place::Before(bci, start), end), bci, next)
    }

    /// The variable for the hash taken at a `monitorenter`.
    fn hash_slot(&mut self, bci: u16) -> Result<u16, Refusal> {
        let local = self.hashes.held.entered(bci);
        if let Some(slot) = local.and_then(|local| self.hashes.kept.get(&local)) {
            return Ok(*slot);
        }
        match self.hashes.passing {
            Some(slot) => Ok(slot),
            None => Ok(*self.hashes.passing.insert(self.edit.new_local(1)?)),
        }
    }

    /// The variable with the hash of the object of a `monitorexit`, if it is known to be in one.
    fn kept_hash(&self, bci: u16) -> Option<u16> {
        let local = self.hashes.held.left(bci)?;
        self.hashes.kept.get(&local).copied()
    }

    /// Has an error in a range release the monitor in our variable and go on to where an exception
    /// at the bci `outside` goes. Local variables are as they are at `bci`.
    fn release_if_thrown(
        &mut self,
        range: (Place, Place),
        bci: u16,
        outside: u16,
    ) -> Result<(), Reason> {
        let object = self.object()?;
        let code = Fragment::new().aload(object).op(MONITOREXIT).op(ATHROW);
        let block = self.handler(code, bci, outside)?;
        self.edit.catch_first(catch_all(range, block));
        Ok(())
    }

    /// A handler of ours that rethrows to where an exception at the bci `outside` goes. Each site has
    /// its own: where control flow meets, C1 wants the very same object to be locked, and gives the
    /// method up otherwise.
    pub(super) fn handler(
        &mut self,
        code: Fragment,
        bci: u16,
        outside: u16,
    ) -> Result<BlockId, Reason> {
        let object = self.object()?;
        let state = self.types.in_handler(bci, object)?;
        let block = self.edit.append(code, state, bci);
        let covers = |h: &&Handler| h.start <= outside && outside < h.end;
        for around in self.code.handlers.iter().filter(covers) {
            self.edit.catch_last(Catch {
                start: Place::Block(block),
                end: Place::BlockEnd(block),
                target: Target::Old(around.target),
                catches: around.catches,
            });
        }
        Ok(block)
    }
}

const ICONST_0: u8 = 0x03;
