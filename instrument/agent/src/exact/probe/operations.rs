//! What the methods of `java.util.concurrent` call, instruction by instruction.
//!
//! Each puts one record: the hash of the lock, which operation it was, how many it was about. How it went is in the kind.

use super::super::arena::{CALLERS, Lane};
use super::parks::GET_CLASS;
use super::{GET_LONG, OF_OBJECT, PUBLIC_STATIC, PUT_LONG, Result, STATIC, Writer, kind, op};
use locklens_classfile::asm::Fragment;
use locklens_rewrite::plan::INSIDE;

const TOLD: &str = "(III)V";
const BY_INT: &str = "(IIII)V";
const NOTE: &str = "(IIII)V";
const OF_ARRAY: &str = "([Ljava/lang/Object;I)V";
const FIRST_TASK: &str = "firstTask";
const ONE_TASK: &str = "oneTask";
/// Probes in front of what is called by an interface, and the classes that have it: those that are met most first, since each is
/// loaded when it is asked for.
const FACES: [(&str, &[&str]); 3] = [
    (
        "callingLock",
        &[
            "java/util/concurrent/locks/ReentrantLock",
            "java/util/concurrent/locks/ReentrantReadWriteLock$ReadLock",
            "java/util/concurrent/locks/ReentrantReadWriteLock$WriteLock",
        ],
    ),
    (
        "callingCondition",
        &[
            "java/util/concurrent/locks/AbstractQueuedSynchronizer$ConditionObject",
            "java/util/concurrent/locks/AbstractQueuedLongSynchronizer$ConditionObject",
        ],
    ),
    (
        "callingQueue",
        &[
            "java/util/concurrent/LinkedBlockingQueue",
            "java/util/concurrent/ArrayBlockingQueue",
            "java/util/concurrent/LinkedBlockingDeque",
            "java/util/concurrent/SynchronousQueue",
            "java/util/concurrent/PriorityBlockingQueue",
            "java/util/concurrent/DelayQueue",
            "java/util/concurrent/LinkedTransferQueue",
        ],
    ),
];
/// Parts that are told of a whole.
const PARTS: i32 = 256;
/// Above that there are as many as it takes: more than fit.
const MOST: i32 = kind::MOST_COUNTED as i32;

impl Writer<'_> {
    pub(super) fn operation_probes(&mut self) -> Result<()> {
        self.method(PUBLIC_STATIC, "calling", "(II)V", (5, 2), Self::calling)?;
        self.method(STATIC, "remember", "(II)V", (10, 4), Self::remember)?;
        for (name, classes) in FACES {
            let descriptor = "(Ljava/lang/Object;II)V";
            self.method(PUBLIC_STATIC, name, descriptor, (5, 3), |method| {
                method.calling_on(classes)
            })?;
        }
        self.method(STATIC, "taken", "(I)I", (10, 5), Self::taken)?;
        let descriptor = "(Ljava/lang/Object;Z)I";
        self.method(PUBLIC_STATIC, "foreign", descriptor, (1, 2), Self::foreign)?;
        self.task_probes()?;
        self.method(STATIC, "note", NOTE, (7, 5), Self::note)?;
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

    /// Variables: 0 object, 1 whether it is inside a lock of the JDK's, which tells what it does.
    fn foreign(&mut self) -> Result<()> {
        let inside = self.out.label();
        self.run(Fragment::new().iload(1));
        self.out.branch(op::IFNE, inside);
        self.run(Fragment::new().aload(0));
        self.call_own("hash", OF_OBJECT)?;
        self.op(op::IRETURN);
        self.out.bind(inside);
        self.run(Fragment::new().op(op::ICONST_0).op(op::IRETURN));
        Ok(())
    }

    /// Of tasks there may be millions, each for a moment: those are told that can be told apart.
    fn task_probes(&mut self) -> Result<()> {
        let lane = (Lane::Blockers, self.of(Lane::Blockers));
        self.method(STATIC, FIRST_TASK, "(Ljava/lang/Object;I)I", (8, 6), |m| {
            m.first(lane, true)
        })?;
        self.method(STATIC, ONE_TASK, OF_OBJECT, (6, 3), |method| {
            method.hash(lane, FIRST_TASK)
        })?;
        self.method(PUBLIC_STATIC, "task", OF_OBJECT, (4, 1), Self::task)?;
        self.method(PUBLIC_STATIC, "parts", OF_ARRAY, (5, 3), Self::parts)
    }

    /// Variable: 0 object. Nothing is told where its class is of no interest any more.
    fn task(&mut self) -> Result<()> {
        let none = self.out.label();
        self.run(Fragment::new().aload(0));
        self.out.branch(op::IFNULL, none);
        self.run(Fragment::new().aload(0));
        self.call(op::INVOKEVIRTUAL, "java/lang/Object", GET_CLASS)?;
        self.call_own("blocker", OF_OBJECT)?;
        self.out.branch(op::IFLE, none);
        self.run(Fragment::new().aload(0));
        self.call_own(ONE_TASK, OF_OBJECT)?;
        self.op(op::IRETURN);
        self.out.bind(none);
        self.run(Fragment::new().op(op::ICONST_0).op(op::IRETURN));
        self.without_room(&[op::ICONST_0, op::IRETURN])
    }

    /// Variables: 0 objects, 1 operation, 2 how many have been told. The first so many.
    fn parts(&mut self) -> Result<()> {
        let (again, over) = (self.out.label(), self.out.label());
        self.run(Fragment::new().aload(0));
        self.out.branch(op::IFNULL, over);
        self.run(Fragment::new().op(op::ICONST_0).istore(2));
        self.out.bind(again);
        self.run(Fragment::new().iload(2).aload(0).op(op::ARRAYLENGTH));
        self.out.branch(op::IF_ICMPGE, over);
        self.run(Fragment::new().iload(2));
        self.int(PARTS)?;
        self.out.branch(op::IF_ICMPGE, over);
        self.run(Fragment::new().aload(0).iload(2).op(op::AALOAD));
        self.call_own("blocker", OF_OBJECT)?;
        self.run(Fragment::new().iload(1).aload(0).op(op::ARRAYLENGTH));
        self.call_own("began", TOLD)?;
        self.run(Fragment::new().op(op::IINC).op(2).op(1));
        self.out.branch(op::GOTO, again);
        self.out.bind(over);
        self.op(op::RETURN);
        Ok(())
    }

    /// Pushes this thread's tid.
    fn tid(&mut self) -> Result<()> {
        self.push_unsafe()?;
        let current = ("currentThread", "()Ljava/lang/Thread;");
        self.call(op::INVOKESTATIC, "java/lang/Thread", current)?;
        self.field(op::GETSTATIC, "tid", "J")?;
        self.call_unsafe(("getLong", "(Ljava/lang/Object;J)J"))
    }

    /// With the tid in a variable, pushes the address of that thread's place.
    fn place_of(&mut self, tid: u16) -> Result<()> {
        self.long(self.addresses.callers)?;
        self.run(Fragment::new().lload(tid));
        self.long(CALLERS as i64 - 1)?;
        self.op(op::LAND);
        self.int(3)?;
        self.run(Fragment::new().op(op::LSHL).op(op::LADD));
        Ok(())
    }

    /// Pushes what stands there beside the site: the low bits of the tid, and what is called, both in variables.
    fn key_of(&mut self, tid: u16, called: u16) -> Result<()> {
        self.run(Fragment::new().lload(tid).op(op::L2I));
        self.int(kind::OPERATION_BITS)?;
        self.run(Fragment::new().op(op::ISHL).iload(called).op(op::IOR));
        Ok(())
    }

    /// Variables: 0 site, 1 what is called.
    fn calling(&mut self) -> Result<()> {
        let inside = self.out.label();
        self.unless_off(None, &[op::RETURN])?;
        self.run(Fragment::new().iload(0));
        self.int(INSIDE as i32)?;
        self.out.branch(op::IF_ICMPEQ, inside);
        self.take_some_chains(kind::BEGAN, (None, 0))?;
        self.out.bind(inside);
        self.run(Fragment::new().iload(0).iload(1));
        self.call_own("remember", "(II)V")?;
        self.op(op::RETURN);
        Ok(())
    }

    /// Variables: 0 site, 1 what is called, 2 tid.
    fn remember(&mut self) -> Result<()> {
        self.tid()?;
        self.run(Fragment::new().lstore(2));
        self.push_unsafe()?;
        self.place_of(2)?;
        self.key_of(2, 1)?;
        self.op(op::I2L);
        self.int(32)?;
        self.run(
            Fragment::new()
                .op(op::LSHL)
                .iload(0)
                .op(op::I2L)
                .op(op::LOR),
        );
        self.call_unsafe(PUT_LONG)?;
        self.op(op::RETURN);
        Ok(())
    }

    /// Variables: 0 the object, 1 site, 2 what is called. Nothing, where the object is of none of these classes: what is called then
    /// need not come to any of those that take it.
    fn calling_on(&mut self, classes: &[&str]) -> Result<()> {
        let one = self.out.label();
        self.unless_off(None, &[op::RETURN])?;
        for class in classes {
            let class = self.pool.class(class)?;
            self.run(Fragment::new().aload(0).pooled(op::INSTANCEOF, class));
            self.out.branch(op::IFNE, one);
        }
        self.op(op::RETURN);
        self.out.bind(one);
        self.take_some_chains(kind::BEGAN, (None, 1))?;
        self.run(Fragment::new().iload(1).iload(2));
        self.call_own("remember", "(II)V")?;
        self.op(op::RETURN);
        Ok(())
    }

    /// The site from which this thread has called that, or 0; whoever asks next gets none. Variables: 0 what is called, 1 tid,
    /// 3 what stands in its place.
    fn taken(&mut self) -> Result<()> {
        let none = self.out.label();
        self.tid()?;
        self.run(Fragment::new().lstore(1));
        self.push_unsafe()?;
        self.place_of(1)?;
        self.call_unsafe(GET_LONG)?;
        self.run(Fragment::new().lstore(3).lload(3));
        self.int(32)?;
        self.run(Fragment::new().op(op::LUSHR).op(op::L2I));
        self.key_of(1, 0)?;
        self.out.branch(op::IF_ICMPNE, none);
        self.push_unsafe()?;
        self.place_of(1)?;
        self.long(0)?;
        self.call_unsafe(PUT_LONG)?;
        self.run(Fragment::new().lload(3).op(op::L2I).op(op::IRETURN));
        self.out.bind(none);
        self.run(Fragment::new().op(op::ICONST_0).op(op::IRETURN));
        Ok(())
    }

    /// Variables: 0 kind, 1 hash, 2 operation (above its number that of the first which is called alike), 3 count, 4 site. What another operation does is not told, for that
    /// is. An object of no interest has a negative hash.
    fn note(&mut self) -> Result<()> {
        let (none, fits, whole) = (self.out.label(), self.out.label(), self.out.label());
        self.run(Fragment::new().iload(1));
        self.out.branch(op::IFLE, none);
        self.run(Fragment::new().iload(3));
        self.int(kind::COUNT_BITS)?;
        self.op(op::IUSHR);
        self.out.branch(op::IFEQ, fits);
        self.int(MOST)?;
        self.run(Fragment::new().istore(3));
        self.out.bind(fits);
        self.run(Fragment::new().iload(2));
        self.int(kind::OPERATION_BITS)?;
        self.op(op::IUSHR);
        self.call_own("taken", "(I)I")?;
        self.run(Fragment::new().istore(4).iload(4));
        self.int(INSIDE as i32)?;
        self.out.branch(op::IF_ICMPNE, whole);
        self.op(op::RETURN);
        self.out.bind(whole);
        self.run(Fragment::new().iload(0).iload(1).iload(4).iload(3));
        self.int(kind::OPERATION_BITS)?;
        self.run(Fragment::new().op(op::ISHL).iload(2));
        self.int((1 << kind::OPERATION_BITS) - 1)?;
        self.run(Fragment::new().op(op::IAND).op(op::IOR));
        self.put_note()?;
        self.out.bind(none);
        self.op(op::RETURN);
        Ok(())
    }

    /// Variables: 0 hash, 1 operation, 2 count.
    fn told(&mut self, kind: u32) -> Result<()> {
        self.int(kind.cast_signed())?;
        self.run(Fragment::new().iload(0).iload(1).iload(2));
        self.call_own("note", NOTE)?;
        self.op(op::RETURN);
        self.without_room(&[op::RETURN])
    }

    /// With what the result is judged by pushed; from a variable on: hash, operation, count.
    fn judged(&mut self, is_done: u8, first: u16) -> Result<()> {
        let (done, note) = (self.out.label(), self.out.label());
        self.out.branch(is_done, done);
        self.int(kind::FAILED.cast_signed())?;
        self.out.branch(op::GOTO, note);
        self.out.bind(done);
        self.int(kind::DONE.cast_signed())?;
        self.out.bind(note);
        let load = Fragment::new().iload(first);
        self.run(load.iload(first + 1).iload(first + 2));
        self.call_own("note", NOTE)?;
        self.op(op::RETURN);
        self.without_room(&[op::RETURN])
    }
}
