//! What code calls around an access to a field or an atomic, instruction by instruction.
//!
//! The access lies between two readings of the clock, and nothing of it outside: a full fence stands between each of them and
//! the access, for compilers and processors alike. A store has reached the others when its second reading is taken.

use super::{PUBLIC_STATIC, Result, STATIC, Writer, kind, op};
use locklens_classfile::asm::Fragment;
use locklens_trace::access::Phase;

const FENCE: (&str, &str) = ("fullFence", "()V");

impl Writer<'_> {
    pub(super) fn access_probes(&mut self) -> Result<()> {
        self.method(
            STATIC,
            "accessing",
            "(Ljava/lang/Object;II)V",
            (5, 3),
            Self::accessing,
        )?;
        self.method(STATIC, "accessed", "(II)V", (4, 2), Self::accessed)?;
        for (name, phase) in [
            ("reading", Phase::Reading),
            ("writing", Phase::Writing),
            ("updating", Phase::Updating),
        ] {
            let descriptor = "(Ljava/lang/Object;I)V";
            self.method(PUBLIC_STATIC, name, descriptor, (3, 2), |method| {
                method.run(Fragment::new().aload(0).iload(1));
                method.int(phase as i32)?;
                method.call_own("accessing", "(Ljava/lang/Object;II)V")?;
                method.op(op::RETURN);
                Ok(())
            })?;
        }
        for (name, phase) in [
            ("read", Phase::Read),
            ("wrote", Phase::Wrote),
            ("updated", Phase::Updated),
        ] {
            self.method(PUBLIC_STATIC, name, "(I)V", (2, 1), |method| {
                method.run(Fragment::new().iload(0));
                method.tell_over(phase)
            })?;
        }
        self.method(PUBLIC_STATIC, "swapped", "(ZI)V", (2, 2), |method| {
            let failed = method.out.label();
            method.run(Fragment::new().iload(0));
            method.out.branch(op::IFEQ, failed);
            method.run(Fragment::new().iload(1));
            method.tell_over(Phase::Updated)?;
            method.out.bind(failed);
            method.run(Fragment::new().iload(1));
            method.tell_over(Phase::Read)
        })
    }

    /// With the site pushed.
    fn tell_over(&mut self, phase: Phase) -> Result<()> {
        self.int(phase as i32)?;
        self.call_own("accessed", "(II)V")?;
        self.op(op::RETURN);
        Ok(())
    }

    fn fence(&mut self) -> Result<()> {
        self.push_unsafe()?;
        self.call_unsafe(FENCE)
    }

    /// Variables: 0 object, 1 site, 2 phase.
    fn accessing(&mut self) -> Result<()> {
        self.unless_off(None, &[op::RETURN])?;
        self.int(kind::ACCESS.into())?;
        self.run(Fragment::new().aload(0));
        let identity = ("identityHashCode", "(Ljava/lang/Object;)I");
        self.call(op::INVOKESTATIC, "java/lang/System", identity)?;
        self.run(Fragment::new().iload(1).iload(2));
        self.put_note()?;
        self.fence()?;
        self.op(op::RETURN);
        Ok(())
    }

    /// Variables: 0 site, 1 phase.
    fn accessed(&mut self) -> Result<()> {
        self.unless_off(None, &[op::RETURN])?;
        self.fence()?;
        self.int(kind::ACCESS.into())?;
        self.run(Fragment::new().op(op::ICONST_0).iload(0).iload(1));
        self.put_note()?;
        self.op(op::RETURN);
        Ok(())
    }
}
