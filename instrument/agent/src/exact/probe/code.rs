//! The probes of monitors, instruction by instruction.

use super::super::arena::{BLOCKING, ENTERS, HASH_BITS, Lane, LaneAddresses, SEEN_REACH};
use super::super::chains;
use super::{
    GET_INT, LANES, OBJECTS, OF_OBJECT, PUT, PUT_INT, RECENT_FIELDS, Result, SITE, Writer, kind,
    names, op,
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

    /// Variables: 0 object, 1 hash, 2 entry. An object that is met for the first time goes through `first`.
    pub(super) fn hash(&mut self, lane: (Lane, LaneAddresses), first: &str) -> Result<()> {
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
        self.call_own(first, "(Ljava/lang/Object;I)I")?;
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

    /// Variables: 0 object, 1 hash, 2 steps, 3 address, 5 entry. An object that cannot be offered now is of interest, or (`or_never`)
    /// not: then it has the hash 0.
    pub(super) fn first(&mut self, lane: (Lane, LaneAddresses), or_never: bool) -> Result<()> {
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
        let refused = if or_never { miss } else { taken };
        self.claim_entry(lane.0, again, [taken, refused])?;
        self.out.bind(next);
        self.run(Fragment::new().op(op::IINC).op(2).op(1));
        self.out.branch(op::GOTO, again);
        if or_never {
            self.out.bind(miss);
            self.run(Fragment::new().op(op::ICONST_0).op(op::IRETURN));
            self.out.bind(taken);
        } else {
            self.out.bind(taken);
            self.out.bind(miss);
        }
        self.run(Fragment::new().iload(1).op(op::IRETURN));
        Ok(())
    }

    fn five_labels(&mut self) -> (Label, Label, Label, Label, Label) {
        let mut one = || self.out.label();
        (one(), one(), one(), one(), one())
    }

    /// Makes an empty entry this hash's and offers the object. An entry whose object finds no room is
    /// emptied again, so that the object is offered another time.
    fn claim_entry(
        &mut self,
        lane: Lane,
        again: Label,
        [taken, refused]: [Label; 2],
    ) -> Result<()> {
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
        self.run(Fragment::new().aload(0).iload(1));
        self.call_own(names(lane).offer, "(Ljava/lang/Object;I)Z")?;
        self.out.branch(op::IFNE, taken);
        self.push_unsafe()?;
        self.run(Fragment::new().lload(3).op(op::ICONST_0));
        self.call_unsafe(PUT_INT)?;
        self.out.branch(op::GOTO, refused);
        Ok(())
    }

    /// Variables: 0 object, 1 hash, 2 position.
    pub(super) fn offer(&mut self, (lane, at): (Lane, LaneAddresses)) -> Result<()> {
        let (again, room) = (self.out.label(), self.out.label());
        self.out.bind(again);
        self.read_long(at.fresh_tail)?;
        self.run(Fragment::new().lstore(2).lload(2));
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
        self.advance(2, again)?;
        self.push_unsafe()?;
        self.long(at.fresh_hashes)?;
        self.run(Fragment::new().lload(2));
        self.long(lane.fresh() as i64 - 1)?;
        self.op(op::LAND);
        self.int(2)?;
        self.run(Fragment::new().op(op::LSHL).op(op::LADD).iload(1));
        self.call_unsafe(PUT_INT)?;
        self.field(op::GETSTATIC, names(lane).queue, OBJECTS)?;
        self.run(Fragment::new().lload(2));
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
    pub(super) fn advance(&mut self, position: u16, again: Label) -> Result<()> {
        self.run(Fragment::new().lload(position).lload(position));
        self.long(1)?;
        self.op(op::LADD);
        let swap = (self.dialect.swap_long, "(Ljava/lang/Object;JJJ)Z");
        self.call_unsafe(swap)?;
        self.out.branch(op::IFEQ, again);
        Ok(())
    }

    /// Puts a record whose parts have been pushed.
    pub(super) fn put_note(&mut self) -> Result<()> {
        self.call_own("put", PUT)?;
        self.op(op::POP);
        Ok(())
    }

    /// Variables: 0 site, 1 the chain's id and above it the mark of the recording.
    pub(super) fn chain(&mut self) -> Result<()> {
        let (wanted, none) = (self.out.label(), self.out.label());
        self.read_long(self.addresses.chains)?;
        // A shift goes by the low bits of the site.
        self.run(Fragment::new().iload(0).op(op::LUSHR).op(op::L2I));
        self.op(op::ICONST_1);
        self.op(op::IAND);
        self.out.branch(op::IFNE, wanted);
        self.out.bind(none);
        self.op(op::RETURN);
        self.out.bind(wanted);
        self.run(Fragment::new().iload(0));
        self.long(chains::address())?;
        self.call(op::INVOKESTATIC, chains::CLASS, chains::NAMES)?;
        self.run(Fragment::new().lstore(1).lload(1));
        self.long(0)?;
        self.op(op::LCMP);
        self.out.branch(op::IFEQ, none);
        self.int(kind::CHAIN.cast_signed())?;
        self.run(Fragment::new().lload(1).op(op::L2I).iload(0).lload(1));
        self.int(32)?;
        self.run(Fragment::new().op(op::LUSHR).op(op::L2I));
        self.put_note()?;
        self.op(op::RETURN);
        self.without_room(&[op::RETURN])
    }

    /// Has the call chain taken of what is put next, at the site in a variable.
    pub(super) fn take_chain(&mut self, site: u16) -> Result<()> {
        self.run(Fragment::new().iload(site));
        self.call_own("chain", SITE)
    }

    /// The same of a park or an unpark.
    pub(super) fn take_chain_at(&mut self, site: u32) -> Result<()> {
        self.int(site.cast_signed())?;
        self.call_own("chain", SITE)
    }

    /// Variables: 0 hash, 1 site. In front of `entered`, if that is going to tell anything.
    pub(super) fn chained(&mut self) -> Result<()> {
        let none = self.out.label();
        self.run(Fragment::new().iload(0));
        self.out.branch(op::IFLE, none);
        self.take_chain_of_any(1)?;
        self.out.bind(none);
        self.op(op::RETURN);
        Ok(())
    }

    /// Has that of an enter taken which is none of the first at the site in a variable: of these `entered` has it taken itself.
    pub(super) fn take_chain_of_any(&mut self, site: u16) -> Result<()> {
        let first = self.out.label();
        self.read_number((self.addresses.enters, ENTERS), site)?;
        self.out.branch(op::IFNE, first);
        self.take_chain(site)?;
        self.out.bind(first);
        Ok(())
    }

    /// Has the call chain taken of an exit, with hash and site in these variables, if somebody is blocked on the lock, and of an enter
    /// or the call of an operation, if that is one of the first there.
    pub(super) fn take_some_chains(
        &mut self,
        kind: u32,
        (hash, site): (Option<u16>, u16),
    ) -> Result<()> {
        let (table, places, number) = match (kind, hash) {
            (kind::EXIT, Some(hash)) => (self.addresses.blocking, BLOCKING, hash),
            (kind::ENTERED | kind::BEGAN, _) => (self.addresses.enters, ENTERS, site),
            _ => return Ok(()),
        };
        let none = self.out.label();
        self.read_number((table, places), number)?;
        self.out.branch(op::IFEQ, none);
        self.take_chain(site)?;
        self.out.bind(none);
        Ok(())
    }

    /// Pushes what a table of so many places has for the low bits of a variable.
    fn read_number(&mut self, (table, places): (i64, usize), number: u16) -> Result<()> {
        self.push_unsafe()?;
        self.long(table)?;
        self.run(Fragment::new().iload(number));
        self.int(places as i32 - 1)?;
        self.op(op::IAND);
        self.op(op::ICONST_2);
        self.run(Fragment::new().op(op::ISHL).op(op::I2L).op(op::LADD));
        self.call_unsafe(GET_INT)
    }

    /// Variables: 0 hash, 1 site.
    pub(super) fn hashed(&mut self, kind: u32) -> Result<()> {
        let none = self.out.label();
        self.run(Fragment::new().iload(0));
        self.out.branch(op::IFLE, none);
        self.take_some_chains(kind, (Some(0), 1))?;
        self.int(kind.cast_signed())?;
        self.run(Fragment::new().iload(0).iload(1).op(op::ICONST_0));
        self.put_note()?;
        self.out.bind(none);
        self.op(op::RETURN);
        Ok(())
    }

    /// Variable: 0 site. The object is the class the site is in.
    pub(super) fn nameless(&mut self, kind: u32) -> Result<()> {
        self.take_some_chains(kind, (None, 0))?;
        self.int(kind.cast_signed())?;
        self.run(Fragment::new().op(op::ICONST_0).iload(0).op(op::ICONST_0));
        self.put_note()?;
        self.op(op::RETURN);
        Ok(())
    }

    /// Variables: 0 object, 1 site, 2 hash.
    pub(super) fn on_object(&mut self, kind: u32) -> Result<()> {
        self.put_on_object(kind, false)
    }

    fn put_on_object(&mut self, kind: u32, with_chain: bool) -> Result<()> {
        let none = self.out.label();
        self.run(Fragment::new().aload(0));
        self.call_own("hash", OF_OBJECT)?;
        self.run(Fragment::new().op(op::DUP).istore(2));
        self.out.branch(op::IFLE, none);
        if with_chain {
            self.take_chain(1)?;
        }
        self.take_some_chains(kind, (Some(2), 1))?;
        self.int(kind.cast_signed())?;
        self.run(Fragment::new().iload(2).iload(1).op(op::ICONST_0));
        self.put_note()?;
        self.out.bind(none);
        self.op(op::RETURN);
        Ok(())
    }

    /// The same where it notifies: who does not hold the lock is told so by an exception, and notifies nobody.
    pub(super) fn by_holder(&mut self, kind: u32) -> Result<()> {
        let (none, holder) = (self.out.label(), self.out.label());
        self.run(Fragment::new().aload(0));
        self.out.branch(op::IFNULL, none);
        self.holds()?;
        self.out.branch(op::IFNE, holder);
        self.out.bind(none);
        self.op(op::RETURN);
        self.out.bind(holder);
        self.put_on_object(kind, true)
    }

    /// Pushes whether this thread holds the object in variable 0.
    fn holds(&mut self) -> Result<()> {
        self.run(Fragment::new().aload(0));
        let method = ("holdsLock", "(Ljava/lang/Object;)Z");
        self.call(op::INVOKESTATIC, "java/lang/Thread", method)
    }

    /// Variables: 0 object, 1 milliseconds, 3 site, 4 hash. A time-out too long for an int is cut; where the thread does not
    /// hold the lock it is -1, for such a wait throws.
    pub(super) fn waiting(&mut self) -> Result<()> {
        let (none, short, holder) = (self.out.label(), self.out.label(), self.out.label());
        self.run(Fragment::new().aload(0));
        self.call_own("hash", OF_OBJECT)?;
        self.run(Fragment::new().op(op::DUP).istore(4));
        self.out.branch(op::IFLE, none);
        self.holds()?;
        self.out.branch(op::IFNE, holder);
        self.long(-1)?;
        self.run(Fragment::new().lstore(1));
        self.out.bind(holder);
        self.take_chain(3)?;
        self.run(Fragment::new().lload(1));
        self.long(i32::MAX.into())?;
        self.op(op::LCMP);
        self.out.branch(op::IFLE, short);
        self.long(i32::MAX.into())?;
        self.run(Fragment::new().lstore(1));
        self.out.bind(short);
        self.int(kind::WAITING.cast_signed())?;
        self.run(Fragment::new().iload(4).iload(3).lload(1).op(op::L2I));
        self.put_note()?;
        self.out.bind(none);
        self.op(op::RETURN);
        Ok(())
    }
}
