//! What `LockSupport` calls, instruction by instruction.

use super::super::arena::HASH_BITS;
use super::super::chains;
use super::{OF_OBJECT, PUBLIC_STATIC, Result, STATIC, Writer, kind, op};
use locklens_classfile::asm::Fragment;
use locklens_classfile::build::Handler;

const PARK: &str = "(Ljava/lang/Object;I)I";
const TIMED: &str = "(Ljava/lang/Object;J)I";
const THREAD: &str = "java/lang/Thread";
const CURRENT: (&str, &str) = ("currentThread", "()Ljava/lang/Thread;");
pub(super) const GET_CLASS: (&str, &str) = ("getClass", "()Ljava/lang/Class;");

impl Writer<'_> {
    pub(super) fn park_probes(&mut self) -> Result<()> {
        self.method(STATIC, "cut", "(J)I", (4, 2), Self::cut)?;
        self.method(STATIC, "park", PARK, (4, 4), Self::park)?;
        self.method(PUBLIC_STATIC, "parking", OF_OBJECT, (2, 1), Self::parking)?;
        self.method(PUBLIC_STATIC, "parkingNanos", TIMED, (5, 3), |method| {
            method.parking_nanos()
        })?;
        self.method(PUBLIC_STATIC, "parkingUntil", TIMED, (5, 5), |method| {
            method.parking_until()
        })?;
        self.method(PUBLIC_STATIC, "parked", "(I)V", (4, 3), Self::parked)?;
        let descriptor = "(Ljava/lang/Thread;)V";
        for (name, bit) in [
            ("unparking", 0),
            ("starting", kind::STARTS),
            ("making", kind::MAKES),
        ] {
            self.method(PUBLIC_STATIC, name, descriptor, (6, 3), |method| {
                method.on_thread(bit, None)
            })?;
        }
        let descriptor = "(Ljava/lang/Thread;J)V";
        self.method(PUBLIC_STATIC, "joined", descriptor, (9, 5), |method| {
            method.on_thread(kind::JOINED, Some(1))
        })
    }

    /// Variable: 0 a number, which becomes one from 1 to the largest int.
    fn cut(&mut self) -> Result<()> {
        let (short, positive) = (self.out.label(), self.out.label());
        self.run(Fragment::new().lload(0));
        self.long(kind::LONGEST.into())?;
        self.op(op::LCMP);
        self.out.branch(op::IFLE, short);
        self.int(kind::LONGEST as i32)?;
        self.op(op::IRETURN);
        self.out.bind(short);
        self.run(Fragment::new().lload(0));
        self.long(1)?;
        self.op(op::LCMP);
        self.out.branch(op::IFGE, positive);
        self.run(Fragment::new().op(op::ICONST_1).op(op::IRETURN));
        self.out.bind(positive);
        self.run(Fragment::new().lload(0).op(op::L2I).op(op::IRETURN));
        Ok(())
    }

    /// Variables: 0 blocker, 1 microseconds, 2 hash of its class, 3 its hash. Where the class is not of
    /// interest for its objects' sake, they are not hashed.
    fn park(&mut self) -> Result<()> {
        let (named, put) = (self.out.label(), self.out.label());
        self.unless_off(None, &[op::ICONST_0, op::IRETURN])?;
        if self.jvm.recent {
            self.read_blocker()?;
        }
        self.run(Fragment::new().op(op::ICONST_0).istore(2));
        self.run(Fragment::new().op(op::ICONST_0).istore(3));
        self.run(Fragment::new().aload(0));
        self.out.branch(op::IFNULL, put);
        self.run(Fragment::new().aload(0));
        self.call(op::INVOKEVIRTUAL, "java/lang/Object", GET_CLASS)?;
        self.call_own("blocker", OF_OBJECT)?;
        self.run(Fragment::new().istore(2).iload(2));
        self.out.branch(op::IFLE, named);
        self.run(Fragment::new().aload(0));
        self.call_own("blocker", OF_OBJECT)?;
        self.int(HASH_BITS as i32)?;
        self.run(Fragment::new().op(op::IAND).istore(3));
        self.out.bind(named);
        self.run(Fragment::new().iload(2));
        self.int(HASH_BITS as i32)?;
        self.run(Fragment::new().op(op::IAND).istore(2));
        self.out.bind(put);
        self.int(kind::PARK.cast_signed())?;
        self.run(Fragment::new().iload(3).iload(2).iload(1));
        self.call_own("put", super::PUT)?;
        self.op(op::IRETURN);
        Ok(())
    }

    /// Where none is given, the one that the thread has named.
    fn read_blocker(&mut self) -> Result<()> {
        let given = self.out.label();
        self.run(Fragment::new().aload(0));
        self.out.branch(op::IFNONNULL, given);
        self.push_unsafe()?;
        self.call(op::INVOKESTATIC, THREAD, CURRENT)?;
        self.field(op::GETSTATIC, "parkBlocker", "J")?;
        let get = "(Ljava/lang/Object;J)Ljava/lang/Object;";
        self.call_unsafe(("getReference", get))?;
        self.run(Fragment::new().astore(0));
        self.out.bind(given);
        Ok(())
    }

    /// Ends a method: where there is no room on the stack for what it calls, it returns so all the same. The caller has
    /// yet to park, or to unpark somebody who would wait for ever.
    pub(super) fn without_room(&mut self, end: &[u8]) -> Result<()> {
        let at = u16::try_from(self.out.len()).map_err(|_| super::Unwritable)?;
        let catches = self.pool.class("java/lang/StackOverflowError")?;
        self.handler = Some(Handler { at, catches });
        self.op(op::POP);
        end.iter().for_each(|&opcode| self.op(opcode));
        Ok(())
    }

    /// Variable: 0 blocker.
    fn parking(&mut self) -> Result<()> {
        self.take_chain_at(chains::PARKS)?;
        self.run(Fragment::new().aload(0).op(op::ICONST_0));
        self.call_own("park", PARK)?;
        self.op(op::IRETURN);
        Ok(())
    }

    /// Variables: 0 blocker, 1 nanoseconds. Without any nobody parks.
    fn parking_nanos(&mut self) -> Result<()> {
        let parks = self.out.label();
        self.run(Fragment::new().lload(1));
        self.long(0)?;
        self.op(op::LCMP);
        self.out.branch(op::IFGT, parks);
        self.run(Fragment::new().op(op::ICONST_0).op(op::IRETURN));
        self.out.bind(parks);
        self.take_chain_at(chains::PARKS)?;
        self.run(Fragment::new().aload(0).lload(1));
        self.long(1000)?;
        self.op(op::LDIV);
        self.long(1)?;
        self.op(op::LADD);
        self.call_own("cut", "(J)I")?;
        self.call_own("park", PARK)?;
        self.op(op::IRETURN);
        Ok(())
    }

    /// Variables: 0 blocker, 1 milliseconds since 1970, 3 those of now. The clock may show the last of them any moment
    /// now, so that one does not count. What is not later than now may be earlier by more than a long holds.
    fn parking_until(&mut self) -> Result<()> {
        let later = self.out.label();
        self.take_chain_at(chains::PARKS)?;
        let now = ("currentTimeMillis", "()J");
        self.call(op::INVOKESTATIC, "java/lang/System", now)?;
        self.run(Fragment::new().lstore(3).lload(1).lload(3).op(op::LCMP));
        self.out.branch(op::IFGT, later);
        self.run(Fragment::new().aload(0));
        self.int(kind::NO_TIME as i32)?;
        self.call_own("park", PARK)?;
        self.op(op::IRETURN);
        self.out.bind(later);
        self.run(Fragment::new().aload(0).lload(1).lload(3));
        self.op(op::LSUB);
        self.call_own("cut", "(J)I")?;
        self.op(op::I2L);
        self.long(1)?;
        self.op(op::LSUB);
        self.long(1000)?;
        self.op(op::LMUL);
        self.long(1)?;
        self.op(op::LADD);
        self.call_own("cut", "(J)I")?;
        self.call_own("park", PARK)?;
        self.op(op::IRETURN);
        Ok(())
    }

    /// Variables: 0 what the probe at the start gave, 1 whether the thread is interrupted, 2 the thread.
    fn parked(&mut self) -> Result<()> {
        let begun = self.out.label();
        self.run(Fragment::new().iload(0));
        self.out.branch(op::IFNE, begun);
        self.op(op::RETURN);
        self.out.bind(begun);
        match self.jvm.recent {
            true => self.read_interrupt()?,
            false => self.ask_interrupt()?,
        }
        self.int(kind::PARKED.cast_signed())?;
        self.run(Fragment::new().op(op::ICONST_0).op(op::ICONST_0).iload(1));
        self.put_note()?;
        self.op(op::RETURN);
        Ok(())
    }

    fn read_interrupt(&mut self) -> Result<()> {
        self.push_unsafe()?;
        self.call(op::INVOKESTATIC, THREAD, CURRENT)?;
        self.field(op::GETSTATIC, "interrupted", "J")?;
        self.call_unsafe(("getBoolean", "(Ljava/lang/Object;J)Z"))?;
        self.run(Fragment::new().istore(1));
        Ok(())
    }

    /// A subclass may have a method of its own, which is not ours to call.
    fn ask_interrupt(&mut self) -> Result<()> {
        let unknown = self.out.label();
        self.run(Fragment::new().op(op::ICONST_2).istore(1));
        self.call(op::INVOKESTATIC, THREAD, CURRENT)?;
        self.run(Fragment::new().astore(2).aload(2));
        self.call(op::INVOKEVIRTUAL, "java/lang/Object", GET_CLASS)?;
        let thread = self.pool.class(THREAD)?;
        self.run(Fragment::new().constant(thread));
        self.out.branch(op::IF_ACMPNE, unknown);
        self.run(Fragment::new().aload(2));
        self.call(op::INVOKEVIRTUAL, THREAD, ("isInterrupted", "()Z"))?;
        self.run(Fragment::new().istore(1));
        self.out.bind(unknown);
        Ok(())
    }

    /// Variables: 0 the thread, the limit if there is one, the thread's tid. What is done to it the bit says; that there is a
    /// limit above 0 another one.
    fn on_thread(&mut self, bit: u32, limit: Option<u16>) -> Result<()> {
        let there = self.out.label();
        let tid = limit.map_or(1, |limit| limit + 2);
        self.unless_off(None, &[op::RETURN])?;
        self.run(Fragment::new().aload(0));
        self.out.branch(op::IFNONNULL, there);
        self.op(op::RETURN);
        self.out.bind(there);
        if bit == 0 {
            self.take_chain_at(chains::UNPARKS)?;
        }
        self.push_unsafe()?;
        self.run(Fragment::new().aload(0));
        self.field(op::GETSTATIC, "tid", "J")?;
        self.call_unsafe(("getLong", "(Ljava/lang/Object;J)J"))?;
        self.run(Fragment::new().lstore(tid));
        self.int(kind::UNPARK.cast_signed())?;
        self.run(
            Fragment::new()
                .lload(tid)
                .op(op::L2I)
                .op(op::ICONST_0)
                .lload(tid),
        );
        self.int(32)?;
        self.run(Fragment::new().op(op::LUSHR).op(op::L2I));
        self.int(bit as i32)?;
        self.op(op::IOR);
        if let Some(limit) = limit {
            // Compared with 0 it is 1 or 0: below that `join` throws.
            self.run(Fragment::new().lload(limit));
            self.long(0)?;
            self.op(op::LCMP);
            self.int(kind::IN_TIME_BIT as i32)?;
            self.run(Fragment::new().op(op::ISHL).op(op::IOR));
        }
        self.put_note()?;
        self.op(op::RETURN);
        self.without_room(&[op::RETURN])
    }
}
