//! What code calls around an access to a field or an atomic, instruction by instruction.
//!
//! The access lies between two readings of the clock, and nothing of it outside: a full fence stands between each of them and
//! the access, for compilers and processors alike. A store has reached the others when its second reading is taken.
//!
//! Of what is written or read, if it is an int or smaller, the low bits are told.

use super::{PUBLIC_STATIC, Result, STATIC, Writer, kind, op};
use locklens_classfile::asm::Fragment;
use locklens_trace::access::Phase;

const FENCE: (&str, &str) = ("fullFence", "()V");
/// Object, site, argument; site, argument.
const ACCESSING: (&str, &str) = ("accessing", "(Ljava/lang/Object;II)V");
const ACCESSED: (&str, &str) = ("accessed", "(II)V");

impl Writer<'_> {
    pub(super) fn access_probes(&mut self) -> Result<()> {
        let (name, descriptor) = ACCESSING;
        self.method(STATIC, name, descriptor, (5, 3), Self::accessing)?;
        let (name, descriptor) = ACCESSED;
        self.method(STATIC, name, descriptor, (4, 2), Self::accessed)?;
        for (name, phase) in [
            ("reading", Phase::Reading),
            ("writing", Phase::Writing),
            ("updating", Phase::Updating),
        ] {
            let (plain, valued) = ("(Ljava/lang/Object;I)V", "(Ljava/lang/Object;II)V");
            self.method(PUBLIC_STATIC, name, plain, (3, 2), |method| {
                method.run(Fragment::new().aload(0).iload(1));
                method.tell(phase, None, ACCESSING)
            })?;
            self.method(PUBLIC_STATIC, name, valued, (4, 3), |method| {
                method.run(Fragment::new().aload(0).iload(2));
                method.tell(phase, Some(1), ACCESSING)
            })?;
        }
        for (name, phase) in [
            ("read", Phase::Read),
            ("wrote", Phase::Wrote),
            ("updated", Phase::Updated),
        ] {
            self.method(PUBLIC_STATIC, name, "(I)V", (2, 1), |method| {
                method.run(Fragment::new().iload(0));
                method.tell(phase, None, ACCESSED)
            })?;
            self.method(PUBLIC_STATIC, name, "(II)V", (3, 2), |method| {
                method.run(Fragment::new().iload(1));
                method.tell(phase, Some(0), ACCESSED)
            })?;
        }
        self.method(PUBLIC_STATIC, "swapped", "(ZI)V", (2, 2), |method| {
            method.swapped(1, None)
        })?;
        self.method(PUBLIC_STATIC, "swapped", "(ZII)V", (3, 3), |method| {
            method.swapped(2, Some(1))
        })?;
        self.exchange_probes()
    }

    /// What was there, what was expected, the site.
    fn exchange_probes(&mut self) -> Result<()> {
        self.method(PUBLIC_STATIC, "exchanged", "(III)V", (3, 3), |method| {
            let there = Fragment::new().iload(0).iload(1);
            method.exchanged((there, &[], op::IF_ICMPNE), 2, Some(0))
        })?;
        self.method(PUBLIC_STATIC, "exchanged", "(JJI)V", (4, 5), |method| {
            let there = Fragment::new().lload(0).lload(2);
            method.exchanged((there, &[op::LCMP], op::IFNE), 4, None)
        })?;
        let objects = "(Ljava/lang/Object;Ljava/lang/Object;I)V";
        self.method(PUBLIC_STATIC, "exchanged", objects, (2, 3), |method| {
            let there = Fragment::new().aload(0).aload(1);
            method.exchanged((there, &[], op::IF_ACMPNE), 2, None)
        })
    }

    /// It has written if what was there is what was expected.
    fn exchanged(
        &mut self,
        (there, compare, unlike): (Fragment, &[u8], u8),
        site: u16,
        value: Option<u16>,
    ) -> Result<()> {
        let failed = self.out.label();
        self.run(there);
        compare.iter().for_each(|&opcode| self.op(opcode));
        self.out.branch(unlike, failed);
        self.run(Fragment::new().iload(site));
        self.tell(Phase::Updated, value, ACCESSED)?;
        self.out.bind(failed);
        self.run(Fragment::new().iload(site));
        self.tell(Phase::Read, value, ACCESSED)
    }

    /// Variables: 0 whether it was written; the site and the value that was expected are in others. What was read if
    /// it was another one is not known.
    fn swapped(&mut self, site: u16, expected: Option<u16>) -> Result<()> {
        let failed = self.out.label();
        self.run(Fragment::new().iload(0));
        self.out.branch(op::IFEQ, failed);
        self.run(Fragment::new().iload(site));
        self.tell(Phase::Updated, expected, ACCESSED)?;
        self.out.bind(failed);
        self.run(Fragment::new().iload(site));
        self.tell(Phase::Read, None, ACCESSED)
    }

    /// With what comes before the argument pushed; the value, if there is one, is in a variable.
    fn tell(&mut self, phase: Phase, value: Option<u16>, how: (&str, &str)) -> Result<()> {
        match value {
            Some(slot) => {
                self.run(Fragment::new().iload(slot));
                self.int(kind::ACCESS_VALUE as i32)?;
                self.op(op::ISHL);
                self.int(8 | phase as i32)?;
                self.op(op::IOR);
            }
            None => self.int(phase as i32)?,
        }
        self.call_own(how.0, how.1)?;
        self.op(op::RETURN);
        Ok(())
    }

    fn fence(&mut self) -> Result<()> {
        self.push_unsafe()?;
        self.call_unsafe(FENCE)
    }

    /// Variables: 0 object, 1 site, 2 argument.
    fn accessing(&mut self) -> Result<()> {
        self.unless_off(None, &[op::RETURN])?;
        self.int(kind::ACCESS.cast_signed())?;
        self.run(Fragment::new().aload(0));
        let identity = ("identityHashCode", "(Ljava/lang/Object;)I");
        self.call(op::INVOKESTATIC, "java/lang/System", identity)?;
        self.run(Fragment::new().iload(1).iload(2));
        self.put_note()?;
        self.fence()?;
        self.op(op::RETURN);
        Ok(())
    }

    /// Variables: 0 site, 1 argument.
    fn accessed(&mut self) -> Result<()> {
        self.unless_off(None, &[op::RETURN])?;
        self.fence()?;
        self.int(kind::ACCESS.cast_signed())?;
        self.run(Fragment::new().op(op::ICONST_0).iload(0).iload(1));
        self.put_note()?;
        self.op(op::RETURN);
        Ok(())
    }
}
