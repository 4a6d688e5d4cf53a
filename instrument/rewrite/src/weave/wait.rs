//! Calls of `wait`, `notify` and `notifyAll`.

use super::{ATHROW, DUP, WITH_OBJECT, Weaver, catch_all};
use crate::sites::WaitForm;
use crate::{Reason, SiteKind};
use locklens_classfile::asm::Fragment;
use locklens_classfile::edit::{Cover, Place};

const LCONST_0: u8 = 0x09;
const ICONST_M1: u8 = 0x02;
const ICONST_1: u8 = 0x04;
const BIPUSH: u8 = 0x10;
const SIPUSH: u8 = 0x11;
const ISUB: u8 = 0x64;
const IMUL: u8 = 0x68;
const INEG: u8 = 0x74;
const ISHR: u8 = 0x7a;
const IUSHR: u8 = 0x7c;
const IAND: u8 = 0x7e;
const LOR: u8 = 0x81;
const IXOR: u8 = 0x82;
const I2L: u8 = 0x85;
const LCMP: u8 = 0x94;

impl Weaver<'_, '_> {
    pub(super) fn wait(&mut self, bci: u16, form: WaitForm) -> Result<(), Reason> {
        let object = self.object()?;
        let (put_away, millis, take_back) = self.arguments(form)?;
        let site = self.site(SiteKind::Wait, bci.into());
        let mut before = put_away.op(DUP).astore(object).aload(object);
        before.extend(&millis);
        let probes = &self.plan.probes;
        let mut before = self.call(before, &probes.waiting, "(Ljava/lang/Object;JI)V", site)?;
        before.extend(&take_back);
        self.edit.insert_before(bci, &before);
        let receiver = Fragment::new().aload(object);
        let waited = self.call(receiver.clone(), &probes.waited, WITH_OBJECT, site)?;
        let next = self.next(bci)?;
        self.edit
            .insert_after(next, &waited, Cover::AsPrevious, bci);
        let threw = self.call(receiver, &probes.wait_threw, WITH_OBJECT, site)?;
        let block = self.handler(threw.op(ATHROW), bci, bci)?;
        let range = (
            Place::Before(bci, self.edit.len_before(bci)),
            Place::Behind(bci),
        );
        self.edit.catch_first(catch_all(range, block));
        Ok(())
    }

    /// How the arguments of a `wait` are put away, what the probe is told of them, and how they are
    /// taken back.
    fn arguments(&mut self, form: WaitForm) -> Result<(Fragment, Fragment, Fragment), Reason> {
        let none = Fragment::new();
        if form == WaitForm::Unlimited {
            return Ok((none.clone(), none.clone().op(LCONST_0), none));
        }
        let millis = match self.numbers {
            Some(slot) => slot,
            None => *self.numbers.insert(self.edit.new_local(3)?),
        };
        let (store, load) = (none.clone().lstore(millis), none.clone().lload(millis));
        if form == WaitForm::Millis {
            return Ok((store, load.clone(), load));
        }
        let nanos = millis + 2;
        let store = none.istore(nanos).lstore(millis);
        Ok((
            store,
            limit(load.clone(), (millis, nanos)),
            load.iload(nanos),
        ))
    }

    pub(super) fn notify(&mut self, bci: u16, kind: SiteKind) -> Result<(), Reason> {
        let site = self.site(kind, bci.into());
        let probe = match kind {
            SiteKind::Notify => &self.plan.probes.notified,
            _ => &self.plan.probes.notified_all,
        };
        let call = self.call(Fragment::new().op(DUP), probe, WITH_OBJECT, site)?;
        self.edit.insert_before(bci, &call);
        Ok(())
    }
}

/// The milliseconds on the stack, below 0 if `wait` does not take these nanoseconds besides, and 1 for none and some nanoseconds, as
/// every JVM takes them: 0 is no limit. No branch: rewritten code gets no further frame.
fn limit(load: Fragment, (millis, nanos): (u16, u16)) -> Fragment {
    let sign = |value: Fragment| value.op(BIPUSH).op(31).op(ISHR).op(I2L).op(LOR);
    let below_zero = sign(load.iload(nanos));
    // A thousand times a thousand.
    let many = below_zero.iload(nanos).op(SIPUSH).op(3).op(0xe8);
    let too_many = many.op(DUP).op(IMUL).op(ISUB);
    let too_many = sign(too_many.op(ICONST_M1).op(IXOR));
    let some = too_many.iload(nanos).op(INEG).op(BIPUSH).op(31).op(IUSHR);
    let none = some.lload(millis).op(LCONST_0).op(LCMP);
    let none = none.op(ICONST_1).op(IAND).op(ICONST_1).op(IXOR);
    none.op(IAND).op(I2L).op(LOR)
}
