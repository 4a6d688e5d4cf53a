//! How a record gets into a ring, instruction by instruction.
//!
//! A thread that has a ring to itself writes with plain stores, the position last. One that found none shares
//! a ring with others, and reserves its place by compare-and-swap. Likewise the number of an event where no clock is
//! read: who holds a lock with a counter of its own raises it by a plain store. A guard, which follows each thread by itself, needs none.

use super::super::arena::{COUNTS, GROUP, NOBODY, Order, WIDER};
use super::{PUT, PUT_INT, PUT_LONG, Result, STATIC, Writer, kind, op};
use locklens_classfile::asm::Fragment;
use locklens_classfile::build::Label;

/// What `shared` is called with: the record, and the first ring's group.
const PUT_SHARED: &str = "(IIIIJJJ)I";
const OF_TID: &str = "(J)I";
const NUMBER: &str = "(II)J";
const CURRENT: (&str, &str) = ("currentThread", "()Ljava/lang/Thread;");
/// Left shift that makes a group's number the distance of its owners.
const OWNERS_SHIFT: i32 = (GROUP * 8).ilog2() as i32;

/// Variables of `put` and of `shared`.
mod at {
    pub(super) const KIND: u16 = 0;
    pub(super) const HASH: u16 = 1;
    pub(super) const SITE: u16 = 2;
    pub(super) const ARGUMENT: u16 = 3;
    pub(super) const LIMIT: u16 = 4;
    pub(super) const TID: u16 = 6;
    pub(super) const TIME: u16 = 8;
    pub(super) const HEAD: u16 = 10;
    pub(super) const POSITION: u16 = 12;
    pub(super) const SLOT: u16 = 14;
    /// The ring.
    pub(super) const RING: u16 = 16;
}

impl Writer<'_> {
    pub(super) fn put_methods(&mut self) -> Result<()> {
        self.method(STATIC, "put", PUT, (10, 17), Self::put)?;
        self.method(STATIC, "shared", PUT_SHARED, (10, 16), Self::shared)?;
        self.method(STATIC, "ring", OF_TID, (6, 4), Self::ring)?;
        self.method(STATIC, "claim", OF_TID, (10, 4), Self::claim)?;
        self.method(STATIC, "time", NUMBER, (6, 3), Self::time)?;
        self.method(STATIC, "number", NUMBER, (10, 6), Self::number)
    }

    fn put(&mut self) -> Result<()> {
        let (shared, room) = (self.out.label(), self.out.label());
        self.unless_off(Some(at::LIMIT), &[op::ICONST_0, op::IRETURN])?;
        self.push_unsafe()?;
        self.call(op::INVOKESTATIC, "java/lang/Thread", CURRENT)?;
        self.field(op::GETSTATIC, "tid", "J")?;
        self.call_unsafe(("getLong", "(Ljava/lang/Object;J)J"))?;
        self.run(Fragment::new().lstore(at::TID));
        self.run(Fragment::new().iload(at::KIND).iload(at::HASH));
        self.call_own("time", NUMBER)?;
        self.run(Fragment::new().lstore(at::TIME).lload(at::TID));
        self.call_own("ring", OF_TID)?;
        self.run(Fragment::new().istore(at::RING).iload(at::RING));
        self.out.branch(op::IFLT, shared);
        self.head_of_ring()?;
        self.read_long_at(at::HEAD, 0)?;
        self.run(Fragment::new().lstore(at::POSITION));
        self.is_full(0, room)?;
        self.drop_record()?;
        self.out.bind(room);
        self.slot(self.addresses.own_slots)?;
        self.fill()?;
        self.push_unsafe()?;
        self.run(Fragment::new().op(op::ACONST_NULL).lload(at::HEAD));
        self.run(Fragment::new().lload(at::POSITION));
        self.long(1)?;
        self.op(op::LADD);
        self.call_unsafe((self.dialect.release_long, "(Ljava/lang/Object;JJ)V"))?;
        self.run(Fragment::new().op(op::ICONST_1).op(op::IRETURN));
        self.out.bind(shared);
        let record = Fragment::new().iload(at::KIND).iload(at::HASH);
        let record = record.iload(at::SITE).iload(at::ARGUMENT);
        self.run(record.lload(at::LIMIT).lload(at::TID).lload(at::TIME));
        self.call_own("shared", PUT_SHARED)?;
        self.op(op::IRETURN);
        Ok(())
    }

    fn shared(&mut self) -> Result<()> {
        let (again, room) = (self.out.label(), self.out.label());
        self.long(self.addresses.heads)?;
        self.group(at::TID)?;
        self.int(self.addresses.head_shift + GROUP.ilog2() as i32)?;
        self.run(Fragment::new().op(op::LSHL).op(op::LADD));
        self.long((GROUP as i64 - 1) << self.addresses.head_shift)?;
        self.run(Fragment::new().op(op::LADD).lstore(at::HEAD));
        self.out.bind(again);
        self.read_long_at(at::HEAD, 0)?;
        self.run(Fragment::new().lstore(at::POSITION));
        self.is_full(WIDER.ilog2() as i32, room)?;
        self.drop_record()?;
        self.out.bind(room);
        self.push_unsafe()?;
        self.run(Fragment::new().op(op::ACONST_NULL).lload(at::HEAD));
        self.advance(at::POSITION, again)?;
        self.shared_slot()?;
        self.fill()?;
        self.run(Fragment::new().op(op::ICONST_1).op(op::IRETURN));
        Ok(())
    }

    /// Pushes the number of a thread's group of rings, a long.
    fn group(&mut self, tid: u16) -> Result<()> {
        self.run(Fragment::new().lload(tid));
        self.long(self.addresses.groups - 1)?;
        self.op(op::LAND);
        Ok(())
    }

    /// Variables: 0 tid, 2 its group's owners. The ring that this thread has to itself, or one below 0.
    fn ring(&mut self) -> Result<()> {
        self.owners()?;
        for ring in 0..GROUP as i32 - 1 {
            let other = self.out.label();
            self.read_long_at(2, i64::from(ring) * 8)?;
            self.run(Fragment::new().lload(0).op(op::LCMP));
            self.out.branch(op::IFNE, other);
            self.ring_in_group(ring)?;
            self.op(op::IRETURN);
            self.out.bind(other);
        }
        self.run(Fragment::new().lload(0));
        self.call_own("claim", OF_TID)?;
        self.op(op::IRETURN);
        Ok(())
    }

    /// Takes a ring that nobody has. Not for a thread that is not all there yet (its tid is 0), nor for a
    /// virtual one: there are many, and nobody tells when they end.
    fn claim(&mut self) -> Result<()> {
        let none = self.out.label();
        self.run(Fragment::new().lload(0));
        self.long(0)?;
        self.op(op::LCMP);
        self.out.branch(op::IFEQ, none);
        if self.jvm.has_virtual {
            self.call(op::INVOKESTATIC, "java/lang/Thread", CURRENT)?;
            let class = self.pool.class("java/lang/BaseVirtualThread")?;
            self.run(Fragment::new().pooled(op::INSTANCEOF, class));
            self.out.branch(op::IFNE, none);
        }
        self.owners()?;
        for ring in 0..GROUP as i32 - 1 {
            let taken = self.out.label();
            self.read_long_at(2, i64::from(ring) * 8)?;
            self.long(NOBODY)?;
            self.op(op::LCMP);
            self.out.branch(op::IFNE, taken);
            self.push_unsafe()?;
            self.op(op::ACONST_NULL);
            self.address_at(2, i64::from(ring) * 8)?;
            self.long(NOBODY)?;
            self.run(Fragment::new().lload(0));
            self.call_unsafe((self.dialect.swap_long, "(Ljava/lang/Object;JJJ)Z"))?;
            self.out.branch(op::IFEQ, taken);
            self.ring_in_group(ring)?;
            self.op(op::IRETURN);
            self.out.bind(taken);
        }
        self.out.bind(none);
        self.int(-1)?;
        self.op(op::IRETURN);
        Ok(())
    }

    /// Leaves where the owners of the group of the tid in variable 0 stand in variable 2.
    fn owners(&mut self) -> Result<()> {
        self.long(self.addresses.owners)?;
        self.group(0)?;
        self.int(OWNERS_SHIFT)?;
        self.run(Fragment::new().op(op::LSHL).op(op::LADD).lstore(2));
        Ok(())
    }

    /// Pushes the number of a ring of the group of the tid in variable 0.
    fn ring_in_group(&mut self, ring: i32) -> Result<()> {
        self.group(0)?;
        self.op(op::L2I);
        self.int(GROUP.ilog2() as i32)?;
        self.op(op::ISHL);
        self.int(ring)?;
        self.op(op::IADD);
        Ok(())
    }

    fn head_of_ring(&mut self) -> Result<()> {
        self.long(self.addresses.heads)?;
        self.run(Fragment::new().iload(at::RING).op(op::I2L));
        self.int(self.addresses.head_shift)?;
        let sum = Fragment::new().op(op::LSHL).op(op::LADD);
        self.run(sum.lstore(at::HEAD));
        Ok(())
    }

    /// Branches if there is room; the limit is shifted left by so much.
    fn is_full(&mut self, shift: i32, room: Label) -> Result<()> {
        self.run(Fragment::new().lload(at::POSITION));
        self.read_long_at(at::HEAD, self.addresses.head_offset)?;
        self.run(Fragment::new().op(op::LSUB).lload(at::LIMIT));
        if shift != 0 {
            self.int(shift)?;
            self.op(op::LSHL);
        }
        self.op(op::LCMP);
        self.out.branch(op::IFLT, room);
        Ok(())
    }

    /// Counts a record for which there was no room, and returns.
    fn drop_record(&mut self) -> Result<()> {
        self.push_unsafe()?;
        self.op(op::ACONST_NULL);
        self.address_at(at::HEAD, self.addresses.dropped_offset)?;
        self.long(1)?;
        self.call_unsafe(("getAndAddLong", "(Ljava/lang/Object;JJ)J"))?;
        let end = Fragment::new().op(op::POP2).op(op::ICONST_0);
        self.run(end.op(op::IRETURN));
        Ok(())
    }

    /// Where the record at this position of one's own ring goes.
    fn slot(&mut self, (start, shift, mask): (i64, i32, i64)) -> Result<()> {
        self.long(start)?;
        self.run(Fragment::new().iload(at::RING).op(op::I2L));
        self.int(shift)?;
        self.run(Fragment::new().op(op::LSHL).op(op::LADD));
        self.slot_in_ring(mask)
    }

    fn shared_slot(&mut self) -> Result<()> {
        let (start, shift, mask) = self.addresses.shared_slots;
        self.long(start)?;
        self.group(at::TID)?;
        self.int(shift)?;
        self.run(Fragment::new().op(op::LSHL).op(op::LADD));
        self.slot_in_ring(mask)
    }

    fn slot_in_ring(&mut self, mask: i64) -> Result<()> {
        self.run(Fragment::new().lload(at::POSITION));
        self.long(mask)?;
        self.op(op::LAND);
        self.int(5)?;
        let sum = Fragment::new().op(op::LSHL).op(op::LADD);
        self.run(sum.lstore(at::SLOT));
        Ok(())
    }

    fn fill(&mut self) -> Result<()> {
        let load = Fragment::new;
        self.store(0, load().lload(at::TIME), PUT_LONG)?;
        self.store(8, load().iload(at::HASH), PUT_INT)?;
        self.store(12, load().iload(at::SITE), PUT_INT)?;
        let who = load().lload(at::TID).int(4, &mut self.pool)?.op(op::LSHL);
        let who = who.iload(at::KIND).op(op::I2L).op(op::LOR);
        self.store(16, who, PUT_LONG)?;
        self.store(24, load().iload(at::ARGUMENT), PUT_INT)?;
        self.push_unsafe()?;
        self.op(op::ACONST_NULL);
        self.address_at(at::SLOT, 28)?;
        let stamp = load().lload(at::POSITION).op(op::L2I);
        self.run(stamp.op(op::ICONST_1).op(op::IADD));
        self.call_unsafe((self.dialect.release_int, "(Ljava/lang/Object;JI)V"))
    }

    fn store(&mut self, offset: i64, value: Fragment, how: (&str, &str)) -> Result<()> {
        self.push_unsafe()?;
        self.address_at(at::SLOT, offset)?;
        self.run(value);
        self.call_unsafe(how)
    }

    /// Variables: 0 kind, 1 hash, 2 what tells the order. The clock, the number of the event, or 0.
    fn time(&mut self) -> Result<()> {
        let (clock, none) = (self.out.label(), self.out.label());
        self.read_long(self.addresses.order)?;
        self.run(Fragment::new().op(op::L2I).istore(2).iload(2));
        self.out.branch(op::IFEQ, clock);
        self.run(Fragment::new().iload(2));
        self.int(Order::Numbers as i32)?;
        self.out.branch(op::IF_ICMPNE, none);
        self.run(Fragment::new().iload(0).iload(1));
        self.call_own("number", NUMBER)?;
        self.op(op::LRETURN);
        self.out.bind(clock);
        self.call(op::INVOKESTATIC, "java/lang/System", ("nanoTime", "()J"))?;
        self.op(op::LRETURN);
        self.out.bind(none);
        self.long(0)?;
        self.op(op::LRETURN);
        Ok(())
    }

    /// Variables: 0 kind, 1 hash, 2 counter, 4 whose it is. What happens under a lock is numbered by the lock's own counter;
    /// if another one has taken it, or it happens under none, by one that many share. Who waits or notifies may be
    /// told by the JVM a moment later that it does not hold the lock at all: only enters and exits raise it by a plain store.
    fn number(&mut self) -> Result<()> {
        let (own, shared) = (self.out.label(), self.out.label());
        self.run(Fragment::new().iload(0));
        self.int(kind::NOTIFIED_ALL.cast_signed())?;
        self.out.branch(op::IF_ICMPGT, shared);
        self.run(Fragment::new().iload(1));
        self.out.branch(op::IFLE, shared);
        self.counter(self.addresses.counters, 4)?;
        self.run(Fragment::new().lstore(2));
        self.read_long_at(2, 0)?;
        self.run(Fragment::new().lstore(4));
        self.is_ones_own(own)?;
        self.run(Fragment::new().lload(4));
        self.long(0)?;
        self.op(op::LCMP);
        self.out.branch(op::IFNE, shared);
        self.push_unsafe()?;
        self.run(Fragment::new().op(op::ACONST_NULL).lload(2));
        self.long(0)?;
        self.run(Fragment::new().iload(1).op(op::I2L));
        self.call_unsafe((self.dialect.swap_long, "(Ljava/lang/Object;JJJ)Z"))?;
        self.op(op::POP);
        self.read_long_at(2, 0)?;
        self.run(Fragment::new().lstore(4));
        self.is_ones_own(own)?;
        self.out.bind(shared);
        self.push_unsafe()?;
        self.op(op::ACONST_NULL);
        self.counter(self.addresses.counts, 3)?;
        self.long(1)?;
        self.call_unsafe(("getAndAddLong", "(Ljava/lang/Object;JJ)J"))?;
        self.op(op::LRETURN);
        self.out.bind(own);
        let alone = self.out.label();
        self.run(Fragment::new().iload(0));
        self.int(kind::EXIT.cast_signed())?;
        self.out.branch(op::IF_ICMPLE, alone);
        self.push_unsafe()?;
        self.op(op::ACONST_NULL);
        self.address_at(2, 8)?;
        self.long(1)?;
        self.call_unsafe(("getAndAddLong", "(Ljava/lang/Object;JJ)J"))?;
        self.op(op::LRETURN);
        self.out.bind(alone);
        self.read_long_at(2, 8)?;
        self.run(Fragment::new().lstore(4));
        self.push_unsafe()?;
        self.address_at(2, 8)?;
        self.run(Fragment::new().lload(4));
        self.long(1)?;
        self.op(op::LADD);
        self.call_unsafe(PUT_LONG)?;
        self.run(Fragment::new().lload(4).op(op::LRETURN));
        Ok(())
    }

    fn is_ones_own(&mut self, own: Label) -> Result<()> {
        let whose = Fragment::new().lload(4).iload(1).op(op::I2L);
        self.run(whose.op(op::LCMP));
        self.out.branch(op::IFEQ, own);
        Ok(())
    }

    /// Pushes where the counter for the hash in variable 1 is, of those from `start`.
    fn counter(&mut self, start: i64, shift: i32) -> Result<()> {
        self.long(start)?;
        self.run(Fragment::new().iload(1));
        self.int(COUNTS as i32 - 1)?;
        self.op(op::IAND);
        self.int(shift)?;
        self.run(Fragment::new().op(op::ISHL).op(op::I2L).op(op::LADD));
        Ok(())
    }
}
