//! What the methods of `java.util.concurrent` call, instruction by instruction.
//!
//! Each puts one record: the hash of the lock, which operation it was, how many it was about. How it went is in the kind.

use super::{PUBLIC_STATIC, Result, STATIC, Writer, kind, op};
use locklens_classfile::asm::Fragment;

const TOLD: &str = "(III)V";
const BY_INT: &str = "(IIII)V";
const NOTE: &str = "(IIII)V";
/// Above that there are as many as it takes: more than fit.
const MOST: i32 = kind::MOST_COUNTED as i32;

impl Writer<'_> {
    pub(super) fn operation_probes(&mut self) -> Result<()> {
        self.method(STATIC, "note", NOTE, (6, 4), Self::note)?;
        for (name, kind) in [
            ("began", kind::BEGAN),
            ("done", kind::DONE),
            ("threw", kind::THREW),
        ] {
            self.method(PUBLIC_STATIC, name, TOLD, (5, 3), |method| {
                method.told(kind)
            })?;
        }
        self.method(PUBLIC_STATIC, "tried", "(ZIII)V", (5, 4), |method| {
            method.run(Fragment::new().iload(0));
            method.judged(op::IFNE, 1)
        })?;
        self.method(PUBLIC_STATIC, "amounted", BY_INT, (5, 4), |method| {
            method.run(Fragment::new().iload(0).istore(3).iload(0));
            method.judged(op::IFNE, 1)
        })?;
        self.method(PUBLIC_STATIC, "stamped", "(JIII)V", (5, 5), |method| {
            method.run(Fragment::new().lload(0));
            method.long(0)?;
            method.op(op::LCMP);
            method.judged(op::IFNE, 2)
        })?;
        let descriptor = "(Ljava/lang/Object;III)V";
        self.method(PUBLIC_STATIC, "got", descriptor, (5, 4), |method| {
            method.run(Fragment::new().aload(0));
            method.judged(op::IFNONNULL, 1)
        })
    }

    /// Variables: 0 kind, 1 hash, 2 operation, 3 count. An object of no interest has a negative hash.
    fn note(&mut self) -> Result<()> {
        let (none, fits) = (self.out.label(), self.out.label());
        self.run(Fragment::new().iload(1));
        self.out.branch(op::IFLE, none);
        self.run(Fragment::new().iload(3));
        self.int(kind::COUNT_BITS)?;
        self.op(op::IUSHR);
        self.out.branch(op::IFEQ, fits);
        self.int(MOST)?;
        self.run(Fragment::new().istore(3));
        self.out.bind(fits);
        self.run(Fragment::new().iload(0).iload(1).op(op::ICONST_0).iload(3));
        self.int(kind::OPERATION_BITS)?;
        self.run(Fragment::new().op(op::ISHL).iload(2).op(op::IOR));
        self.put_note()?;
        self.out.bind(none);
        self.op(op::RETURN);
        Ok(())
    }

    /// Variables: 0 hash, 1 operation, 2 count.
    fn told(&mut self, kind: u8) -> Result<()> {
        self.int(kind.into())?;
        self.run(Fragment::new().iload(0).iload(1).iload(2));
        self.call_own("note", NOTE)?;
        self.op(op::RETURN);
        self.without_room(&[op::RETURN])
    }

    /// With what the result is judged by pushed; from a variable on: hash, operation, count.
    fn judged(&mut self, is_done: u8, first: u16) -> Result<()> {
        let (done, note) = (self.out.label(), self.out.label());
        self.out.branch(is_done, done);
        self.int(kind::FAILED.into())?;
        self.out.branch(op::GOTO, note);
        self.out.bind(done);
        self.int(kind::DONE.into())?;
        self.out.bind(note);
        let load = Fragment::new().iload(first);
        self.run(load.iload(first + 1).iload(first + 2));
        self.call_own("note", NOTE)?;
        self.op(op::RETURN);
        self.without_room(&[op::RETURN])
    }
}
