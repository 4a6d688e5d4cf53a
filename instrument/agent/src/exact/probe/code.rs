//! The methods of the probe class, instruction by instruction.

use super::super::arena::{COUNTS, HASH_BITS, Lane, LaneAddresses, SEEN_REACH};
use super::{
    GET_INT, LANES, OBJECTS, OF_OBJECT, PUT, PUT_INT, PUT_LONG, RECENT_FIELDS, Result, Writer,
    kind, names, op,
};
use locklens_classfile::asm::Fragment;
use locklens_classfile::build::Label;

impl Writer<'_> {
    pub(super) fn initialise(&mut self) -> Result<()> {
        let class = self.dialect.class;
        let descriptor = format!("L{class};");
        let get = format!("(){descriptor}");
        self.call(op::INVOKESTATIC, class, ("getUnsafe", &get))?;
        self.field(op::PUTSTATIC, "unsafe", &descriptor)?;
        let object = self.pool.class("java/lang/Object")?;
        for lane in LANES {
            self.int(lane.fresh() as i32)?;
            self.run(Fragment::new().pooled(op::ANEWARRAY, object));
            self.field(op::PUTSTATIC, names(lane).queue, OBJECTS)?;
        }
        self.find_field("tid")?;
        if self.jvm.recent {
            RECENT_FIELDS
                .iter()
                .try_for_each(|name| self.find_field(name))?;
        }
        self.op(op::RETURN);
        Ok(())
    }

    /// Keeps the offset of a field of threads under the same name.
    fn find_field(&mut self, name: &str) -> Result<()> {
        self.push_unsafe()?;
        let thread = self.pool.class("java/lang/Thread")?;
        let text = self.pool.string(name)?;
        self.run(Fragment::new().constant(thread).constant(text));
        let declared = "(Ljava/lang/String;)Ljava/lang/reflect/Field;";
        self.call(
            op::INVOKEVIRTUAL,
            "java/lang/Class",
            ("getDeclaredField", declared),
        )?;
        self.call_unsafe(("objectFieldOffset", "(Ljava/lang/reflect/Field;)J"))?;
        self.field(op::PUTSTATIC, name, "J")
    }

    /// Variables: 0 object, 1 hash, 2 entry.
    pub(super) fn hash(&mut self, lane: (Lane, LaneAddresses)) -> Result<()> {
        self.unless_off(None, &[op::ICONST_0, op::IRETURN])?;
        self.run(Fragment::new().aload(0));
        let identity = ("identityHashCode", "(Ljava/lang/Object;)I");
        self.call(op::INVOKESTATIC, "java/lang/System", identity)?;
        self.run(Fragment::new().istore(1));
        self.push_unsafe()?;
        self.seen_address(lane, |method| {
            method.run(Fragment::new().iload(1));
        })?;
        self.call_unsafe(GET_INT)?;
        self.run(Fragment::new().istore(2));
        let unknown = self.out.label();
        self.same_hash(2, unknown)?;
        self.run(Fragment::new().iload(2).op(op::IRETURN));
        self.out.bind(unknown);
        self.run(Fragment::new().aload(0).iload(1));
        self.call_own(names(lane.0).first, "(Ljava/lang/Object;I)I")?;
        self.op(op::IRETURN);
        Ok(())
    }

    /// Pushes the address in the table of hashes seen for an int that `index` pushes.
    fn seen_address(
        &mut self,
        (lane, at): (Lane, LaneAddresses),
        index: impl FnOnce(&mut Self),
    ) -> Result<()> {
        self.long(at.seen)?;
        index(self);
        self.int(lane.seen() as i32 - 1)?;
        self.op(op::IAND);
        self.int(2)?;
        self.run(Fragment::new().op(op::ISHL).op(op::I2L).op(op::LADD));
        Ok(())
    }

    /// Branches if the entry in a variable is not that of the hash in variable 1.
    fn same_hash(&mut self, entry: u16, otherwise: Label) -> Result<()> {
        self.run(Fragment::new().iload(entry));
        self.int(HASH_BITS as i32)?;
        self.run(Fragment::new().op(op::IAND).iload(1));
        self.out.branch(op::IF_ICMPNE, otherwise);
        Ok(())
    }

    /// Variables: 0 object, 1 hash, 2 steps, 3 address, 5 entry.
    pub(super) fn first(&mut self, lane: (Lane, LaneAddresses)) -> Result<()> {
        let (there, again, next, miss, taken) = self.five_labels();
        self.run(Fragment::new().aload(0));
        self.out.branch(op::IFNONNULL, there);
        self.run(Fragment::new().op(op::ICONST_0).op(op::IRETURN));
        self.out.bind(there);
        self.run(Fragment::new().op(op::ICONST_0).istore(2));
        self.out.bind(again);
        self.run(Fragment::new().iload(2));
        self.int(SEEN_REACH)?;
        self.out.branch(op::IF_ICMPGE, miss);
        self.seen_address(lane, |method| {
            method.run(Fragment::new().iload(1).iload(2).op(op::IADD));
        })?;
        self.run(Fragment::new().lstore(3));
        self.push_unsafe()?;
        self.run(Fragment::new().lload(3));
        self.call_unsafe(GET_INT)?;
        self.run(Fragment::new().istore(5));
        let other = self.out.label();
        self.same_hash(5, other)?;
        self.run(Fragment::new().iload(5).op(op::IRETURN));
        self.out.bind(other);
        self.run(Fragment::new().iload(5));
        self.out.branch(op::IFNE, next);
        self.claim_entry(lane.0, again, taken)?;
        self.out.bind(next);
        self.run(Fragment::new().op(op::IINC).op(2).op(1));
        self.out.branch(op::GOTO, again);
        self.out.bind(taken);
        self.out.bind(miss);
        self.run(Fragment::new().iload(1).op(op::IRETURN));
        Ok(())
    }

    fn five_labels(&mut self) -> (Label, Label, Label, Label, Label) {
        let mut one = || self.out.label();
        (one(), one(), one(), one(), one())
    }

    /// Makes an empty entry this hash's and offers the object. An entry whose object finds no room is
    /// emptied again, so that the object is offered another time.
    fn claim_entry(&mut self, lane: Lane, again: Label, taken: Label) -> Result<()> {
        self.push_unsafe()?;
        self.run(
            Fragment::new()
                .op(op::ACONST_NULL)
                .lload(3)
                .op(op::ICONST_0)
                .iload(1),
        );
        let swap = (self.dialect.swap_int, "(Ljava/lang/Object;JII)Z");
        self.call_unsafe(swap)?;
        self.out.branch(op::IFEQ, again);
        self.run(Fragment::new().aload(0));
        self.call_own(names(lane).offer, "(Ljava/lang/Object;)Z")?;
        self.out.branch(op::IFNE, taken);
        self.push_unsafe()?;
        self.run(Fragment::new().lload(3).op(op::ICONST_0));
        self.call_unsafe(PUT_INT)?;
        self.out.branch(op::GOTO, taken);
        Ok(())
    }

    /// Variables: 0 object, 1 position.
    pub(super) fn offer(&mut self, (lane, at): (Lane, LaneAddresses)) -> Result<()> {
        let (again, room) = (self.out.label(), self.out.label());
        self.out.bind(again);
        self.read_long(at.fresh_tail)?;
        self.run(Fragment::new().lstore(1).lload(1));
        self.read_long(at.fresh_head)?;
        self.op(op::LSUB);
        self.long(lane.fresh() as i64)?;
        self.op(op::LCMP);
        self.out.branch(op::IFLT, room);
        self.run(Fragment::new().op(op::ICONST_0).op(op::IRETURN));
        self.out.bind(room);
        self.push_unsafe()?;
        self.op(op::ACONST_NULL);
        self.long(at.fresh_tail)?;
        self.advance(1, again)?;
        self.field(op::GETSTATIC, names(lane).queue, OBJECTS)?;
        self.run(Fragment::new().lload(1));
        self.long(lane.fresh() as i64 - 1)?;
        self.run(Fragment::new().op(op::LAND).op(op::L2I).aload(0));
        self.run(
            Fragment::new()
                .op(op::AASTORE)
                .op(op::ICONST_1)
                .op(op::IRETURN),
        );
        Ok(())
    }

    /// With `Unsafe`, null and an address pushed: swaps the position in a variable for the next one.
    fn advance(&mut self, position: u16, again: Label) -> Result<()> {
        self.run(Fragment::new().lload(position).lload(position));
        self.long(1)?;
        self.op(op::LADD);
        let swap = (self.dialect.swap_long, "(Ljava/lang/Object;JJJ)Z");
        self.call_unsafe(swap)?;
        self.out.branch(op::IFEQ, again);
        Ok(())
    }

    /// Variables: 0 kind, 1 hash, 2 site, 3 argument, 4 limit, 6 tid, 8 ring's head, 10 time,
    /// 12 position, 14 slot.
    pub(super) fn put(&mut self) -> Result<()> {
        self.unless_off(Some(4), &[op::ICONST_0, op::IRETURN])?;
        self.push_unsafe()?;
        let current = ("currentThread", "()Ljava/lang/Thread;");
        self.call(op::INVOKESTATIC, "java/lang/Thread", current)?;
        self.field(op::GETSTATIC, "tid", "J")?;
        self.call_unsafe(("getLong", "(Ljava/lang/Object;J)J"))?;
        self.run(Fragment::new().lstore(6));
        self.in_ring(self.addresses.heads, self.addresses.head_shift)?;
        self.run(Fragment::new().lstore(8));
        self.time()?;
        self.reserve()?;
        self.in_ring(self.addresses.slots, self.addresses.slots_shift)?;
        self.run(Fragment::new().lload(12));
        self.long(self.addresses.slots_per_ring - 1)?;
        self.op(op::LAND);
        self.int(5)?;
        self.run(Fragment::new().op(op::LSHL).op(op::LADD).lstore(14));
        self.fill()
    }

    /// Pushes where something of this thread's ring begins.
    fn in_ring(&mut self, start: i64, shift: i32) -> Result<()> {
        self.long(start)?;
        self.run(Fragment::new().lload(6));
        self.long(self.addresses.rings - 1)?;
        self.op(op::LAND);
        self.int(shift)?;
        self.run(Fragment::new().op(op::LSHL).op(op::LADD));
        Ok(())
    }

    /// The clock, or the number of the event by the counter of its hash.
    fn time(&mut self) -> Result<()> {
        let (clock, done) = (self.out.label(), self.out.label());
        self.read_long(self.addresses.clockless)?;
        self.op(op::L2I);
        self.out.branch(op::IFEQ, clock);
        self.push_unsafe()?;
        self.op(op::ACONST_NULL);
        self.long(self.addresses.counts)?;
        self.run(Fragment::new().iload(1));
        self.int(COUNTS as i32 - 1)?;
        self.op(op::IAND);
        self.int(3)?;
        self.run(Fragment::new().op(op::ISHL).op(op::I2L).op(op::LADD));
        self.long(1)?;
        self.call_unsafe(("getAndAddLong", "(Ljava/lang/Object;JJ)J"))?;
        self.run(Fragment::new().lstore(10));
        self.out.branch(op::GOTO, done);
        self.out.bind(clock);
        self.call(op::INVOKESTATIC, "java/lang/System", ("nanoTime", "()J"))?;
        self.run(Fragment::new().lstore(10));
        self.out.bind(done);
        Ok(())
    }

    fn reserve(&mut self) -> Result<()> {
        let (again, room) = (self.out.label(), self.out.label());
        self.out.bind(again);
        self.read_long_at(8, 0)?;
        self.run(Fragment::new().lstore(12).lload(12));
        self.read_long_at(8, self.addresses.head_offset)?;
        self.run(Fragment::new().op(op::LSUB).lload(4).op(op::LCMP));
        self.out.branch(op::IFLT, room);
        self.push_unsafe()?;
        self.op(op::ACONST_NULL);
        self.address_at(8, self.addresses.dropped_offset)?;
        self.long(1)?;
        self.call_unsafe(("getAndAddLong", "(Ljava/lang/Object;JJ)J"))?;
        self.run(
            Fragment::new()
                .op(op::POP2)
                .op(op::ICONST_0)
                .op(op::IRETURN),
        );
        self.out.bind(room);
        self.push_unsafe()?;
        self.run(Fragment::new().op(op::ACONST_NULL).lload(8));
        self.advance(12, again)
    }

    fn fill(&mut self) -> Result<()> {
        let load = Fragment::new;
        self.store(0, load().lload(10), PUT_LONG)?;
        self.store(8, load().iload(1), PUT_INT)?;
        self.store(12, load().iload(2), PUT_INT)?;
        let who = load().lload(6).int(4, &mut self.pool)?.op(op::LSHL);
        let who = who.iload(0).op(op::I2L).op(op::LOR);
        self.store(16, who, PUT_LONG)?;
        self.store(24, load().iload(3), PUT_INT)?;
        self.push_unsafe()?;
        self.op(op::ACONST_NULL);
        self.address_at(14, 28)?;
        self.run(load().lload(12).op(op::L2I).op(op::ICONST_1).op(op::IADD));
        let release = (self.dialect.release_int, "(Ljava/lang/Object;JI)V");
        self.call_unsafe(release)?;
        self.run(load().op(op::ICONST_1).op(op::IRETURN));
        Ok(())
    }

    /// Puts a record whose parts have been pushed.
    pub(super) fn put_note(&mut self) -> Result<()> {
        self.call_own("put", PUT)?;
        self.op(op::POP);
        Ok(())
    }

    fn store(&mut self, offset: i64, value: Fragment, how: (&str, &str)) -> Result<()> {
        self.push_unsafe()?;
        self.address_at(14, offset)?;
        self.run(value);
        self.call_unsafe(how)
    }

    /// Variables: 0 hash, 1 site.
    pub(super) fn hashed(&mut self, kind: u8) -> Result<()> {
        let none = self.out.label();
        self.run(Fragment::new().iload(0));
        self.out.branch(op::IFLE, none);
        self.int(kind.into())?;
        self.run(Fragment::new().iload(0).iload(1).op(op::ICONST_0));
        self.put_note()?;
        self.out.bind(none);
        self.op(op::RETURN);
        Ok(())
    }

    /// Variable: 0 site. The object is the class the site is in.
    pub(super) fn nameless(&mut self, kind: u8) -> Result<()> {
        self.int(kind.into())?;
        self.run(Fragment::new().op(op::ICONST_0).iload(0).op(op::ICONST_0));
        self.put_note()?;
        self.op(op::RETURN);
        Ok(())
    }

    /// Variables: 0 object, 1 site, 2 hash.
    pub(super) fn on_object(&mut self, kind: u8) -> Result<()> {
        let none = self.out.label();
        self.run(Fragment::new().aload(0));
        self.call_own("hash", OF_OBJECT)?;
        self.run(Fragment::new().op(op::DUP).istore(2));
        self.out.branch(op::IFLE, none);
        self.int(kind.into())?;
        self.run(Fragment::new().iload(2).iload(1).op(op::ICONST_0));
        self.put_note()?;
        self.out.bind(none);
        self.op(op::RETURN);
        Ok(())
    }

    /// Variables: 0 object, 1 milliseconds, 3 site, 4 hash. A time-out too long for an int is cut.
    pub(super) fn waiting(&mut self) -> Result<()> {
        let (none, short) = (self.out.label(), self.out.label());
        self.run(Fragment::new().aload(0));
        self.call_own("hash", OF_OBJECT)?;
        self.run(Fragment::new().op(op::DUP).istore(4));
        self.out.branch(op::IFLE, none);
        self.run(Fragment::new().lload(1));
        self.long(i32::MAX.into())?;
        self.op(op::LCMP);
        self.out.branch(op::IFLE, short);
        self.long(i32::MAX.into())?;
        self.run(Fragment::new().lstore(1));
        self.out.bind(short);
        self.int(kind::WAITING.into())?;
        self.run(Fragment::new().iload(4).iload(3).lload(1).op(op::L2I));
        self.put_note()?;
        self.out.bind(none);
        self.op(op::RETURN);
        Ok(())
    }
}
