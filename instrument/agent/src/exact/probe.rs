//! The probe class: what rewritten code calls, assembled here, pure Java.
//!
//! A class of the boot loader in package `java.lang`, because every class loader can see that; its
//! own name carries an address of this library's memory, so that two libraries in one JVM do not meet.
//! It has no native methods (registering those prints on the target's stdout) and no monitor, and
//! calls nothing but `Unsafe`, `Thread.currentThread`, `System.identityHashCode` and
//! `System.nanoTime`, all compiled inline.
//!
//! ```text
//! hash(o)        0 if off; the identity hash of o, negative if o is of no interest. An object met
//!                for the first time goes into the queue of fresh ones, where the writer tags it
//! entered(h, s)  and exit(h, s): put, if h > 0
//! waiting(o, millis, s), waited(o, s) …: put with hash(o)
//! put(k, h, s, a)  reads the clock (or counts), reserves a slot, fills it
//! ```
//!
//! `put` never waits: where a ring is full it counts and returns. In an exception of the JVM's own
//! (`StackOverflowError`) a reserved slot may stay empty; the consumer passes it by.

use super::arena::{Addresses, COUNTS, FRESH, HASH_BITS, SEEN, SEEN_REACH};
use locklens_classfile::append::{Append, Full};
use locklens_classfile::asm::Fragment;
use locklens_classfile::build::{Adrift, Class, Label, Method, Routine};
use locklens_classfile::pool::Pool;

/// Kinds of record.
pub(crate) mod kind {
    pub(crate) const ENTERED: u8 = 1;
    pub(crate) const EXIT: u8 = 2;
    pub(crate) const WAITING: u8 = 3;
    pub(crate) const WAITED: u8 = 4;
    pub(crate) const WAIT_THREW: u8 = 5;
    pub(crate) const NOTIFIED: u8 = 6;
    pub(crate) const NOTIFIED_ALL: u8 = 7;
}

/// The queue of fresh objects.
pub(crate) const FRESH_FIELD: (&str, &str) = ("fresh", "[Ljava/lang/Object;");

/// What differs between JDK 8 and later ones.
struct Dialect {
    class: &'static str,
    swap_int: &'static str,
    swap_long: &'static str,
    release_int: &'static str,
}

const OLD: Dialect = Dialect {
    class: "sun/misc/Unsafe",
    swap_int: "compareAndSwapInt",
    swap_long: "compareAndSwapLong",
    release_int: "putOrderedInt",
};
const NEW: Dialect = Dialect {
    class: "jdk/internal/misc/Unsafe",
    swap_int: "compareAndSetInt",
    swap_long: "compareAndSetLong",
    release_int: "putIntRelease",
};

/// The class cannot be written: a defect, since what goes into it is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Unwritable;

impl From<Full> for Unwritable {
    fn from(_: Full) -> Self {
        Self
    }
}

impl From<Adrift> for Unwritable {
    fn from(_: Adrift) -> Self {
        Self
    }
}

type Result<T> = std::result::Result<T, Unwritable>;

/// Internal name of the class for these addresses.
pub(crate) fn class_name(addresses: &Addresses) -> String {
    format!("java/lang/LocklensProbe${:x}", addresses.limit)
}

/// The class file. `modern`: for JDK 9 and later.
pub(crate) fn class_file(addresses: &Addresses, modern: bool) -> Result<Vec<u8>> {
    let empty = Pool::empty();
    let mut pool = Append::new(&empty);
    let name = class_name(addresses);
    let dialect = if modern { &NEW } else { &OLD };
    let class = Class::new(&mut pool, SYNTHETIC_FINAL_CLASS, &name)?;
    let writer = Writer {
        pool,
        class,
        name,
        dialect,
        addresses,
        out: Routine::new(),
    };
    writer.write()
}

const SYNTHETIC_FINAL_CLASS: u16 = 0x1031;
const PUBLIC_STATIC: u16 = 0x0009;
const STATIC: u16 = 0x0008;
const STATIC_FINAL: u16 = 0x0018;

mod op {
    pub(super) const ACONST_NULL: u8 = 0x01;
    pub(super) const ICONST_0: u8 = 0x03;
    pub(super) const ICONST_1: u8 = 0x04;
    pub(super) const AASTORE: u8 = 0x53;
    pub(super) const DUP: u8 = 0x59;
    pub(super) const IADD: u8 = 0x60;
    pub(super) const LADD: u8 = 0x61;
    pub(super) const LSUB: u8 = 0x65;
    pub(super) const ISHL: u8 = 0x78;
    pub(super) const LSHL: u8 = 0x79;
    pub(super) const IAND: u8 = 0x7e;
    pub(super) const LAND: u8 = 0x7f;
    pub(super) const LOR: u8 = 0x81;
    pub(super) const IINC: u8 = 0x84;
    pub(super) const I2L: u8 = 0x85;
    pub(super) const L2I: u8 = 0x88;
    pub(super) const LCMP: u8 = 0x94;
    pub(super) const IFEQ: u8 = 0x99;
    pub(super) const IFNE: u8 = 0x9a;
    pub(super) const IFLT: u8 = 0x9b;
    pub(super) const IFLE: u8 = 0x9e;
    pub(super) const IF_ICMPNE: u8 = 0xa0;
    pub(super) const IF_ICMPGE: u8 = 0xa2;
    pub(super) const GOTO: u8 = 0xa7;
    pub(super) const IRETURN: u8 = 0xac;
    pub(super) const RETURN: u8 = 0xb1;
    pub(super) const GETSTATIC: u8 = 0xb2;
    pub(super) const PUTSTATIC: u8 = 0xb3;
    pub(super) const INVOKEVIRTUAL: u8 = 0xb6;
    pub(super) const INVOKESTATIC: u8 = 0xb8;
    pub(super) const ANEWARRAY: u8 = 0xbd;
    pub(super) const IFNONNULL: u8 = 0xc7;
}

struct Writer<'p> {
    pool: Append<'p>,
    class: Class,
    name: String,
    dialect: &'static Dialect,
    addresses: &'p Addresses,
    /// The code of the method under way.
    out: Routine,
}

impl Writer<'_> {
    fn write(mut self) -> Result<Vec<u8>> {
        let unsafe_type = format!("L{};", self.dialect.class);
        self.class
            .field(&mut self.pool, STATIC_FINAL, "unsafe", &unsafe_type)?;
        self.class.field(&mut self.pool, STATIC_FINAL, "tid", "J")?;
        self.class
            .field(&mut self.pool, STATIC_FINAL, FRESH_FIELD.0, FRESH_FIELD.1)?;
        self.method(STATIC, "<clinit>", "()V", (4, 0), Self::initialise)?;
        self.method(
            PUBLIC_STATIC,
            "hash",
            "(Ljava/lang/Object;)I",
            (6, 3),
            Self::hash,
        )?;
        self.method(
            STATIC,
            "first",
            "(Ljava/lang/Object;I)I",
            (8, 6),
            Self::first,
        )?;
        self.method(
            STATIC,
            "offer",
            "(Ljava/lang/Object;)Z",
            (10, 3),
            Self::offer,
        )?;
        self.method(STATIC, "put", "(IIII)V", (10, 16), Self::put)?;
        self.probes()?;
        Ok(self.class.finish(&self.pool))
    }

    fn probes(&mut self) -> Result<()> {
        for (name, kind) in [("entered", kind::ENTERED), ("exit", kind::EXIT)] {
            self.method(PUBLIC_STATIC, name, "(II)V", (4, 2), |method| {
                method.hashed(kind)
            })?;
            self.method(PUBLIC_STATIC, name, "(I)V", (4, 1), |method| {
                method.nameless(kind)
            })?;
            self.method(PUBLIC_STATIC, name, ON_OBJECT, (4, 3), |method| {
                method.on_object(kind)
            })?;
        }
        for (name, kind) in [
            ("waited", kind::WAITED),
            ("waitThrew", kind::WAIT_THREW),
            ("notified", kind::NOTIFIED),
            ("notifiedAll", kind::NOTIFIED_ALL),
        ] {
            self.method(PUBLIC_STATIC, name, ON_OBJECT, (4, 3), |method| {
                method.on_object(kind)
            })?;
        }
        let descriptor = "(Ljava/lang/Object;JI)V";
        self.method(PUBLIC_STATIC, "waiting", descriptor, (5, 6), Self::waiting)
    }

    fn method(
        &mut self,
        flags: u16,
        name: &str,
        descriptor: &str,
        (max_stack, max_locals): (u16, u16),
        code: impl FnOnce(&mut Self) -> Result<()>,
    ) -> Result<()> {
        code(self)?;
        let method = Method {
            flags,
            name,
            descriptor,
            max_stack,
            max_locals,
            code: std::mem::take(&mut self.out).finish()?,
        };
        Ok(self.class.method(&mut self.pool, &method)?)
    }
}

const ON_OBJECT: &str = "(Ljava/lang/Object;I)V";
const GET_LONG: (&str, &str) = ("getLong", "(J)J");
const GET_INT: (&str, &str) = ("getInt", "(J)I");
const PUT_LONG: (&str, &str) = ("putLong", "(JJ)V");
const PUT_INT: (&str, &str) = ("putInt", "(JI)V");

impl Writer<'_> {
    // ---- instructions ----

    fn run(&mut self, code: Fragment) {
        self.out.run(&code);
    }

    fn op(&mut self, opcode: u8) {
        self.run(Fragment::new().op(opcode));
    }

    fn long(&mut self, value: i64) -> Result<()> {
        let code = Fragment::new().long(value, &mut self.pool)?;
        self.run(code);
        Ok(())
    }

    fn int(&mut self, value: i32) -> Result<()> {
        let code = Fragment::new().int(value, &mut self.pool)?;
        self.run(code);
        Ok(())
    }

    fn field(&mut self, opcode: u8, name: &str, descriptor: &str) -> Result<()> {
        let index = self.pool.field(&self.name, name, descriptor)?;
        self.run(Fragment::new().pooled(opcode, index));
        Ok(())
    }

    fn call(&mut self, opcode: u8, class: &str, (name, descriptor): (&str, &str)) -> Result<()> {
        let index = self.pool.method(class, name, descriptor)?;
        self.run(Fragment::new().pooled(opcode, index));
        Ok(())
    }

    fn call_own(&mut self, name: &str, descriptor: &str) -> Result<()> {
        let class = self.name.clone();
        self.call(op::INVOKESTATIC, &class, (name, descriptor))
    }

    /// Pushes the `Unsafe`.
    fn push_unsafe(&mut self) -> Result<()> {
        let descriptor = format!("L{};", self.dialect.class);
        self.field(op::GETSTATIC, "unsafe", &descriptor)
    }

    fn call_unsafe(&mut self, method: (&str, &str)) -> Result<()> {
        self.call(op::INVOKEVIRTUAL, self.dialect.class, method)
    }

    /// Pushes the long at a fixed address.
    fn read_long(&mut self, address: i64) -> Result<()> {
        self.push_unsafe()?;
        self.long(address)?;
        self.call_unsafe(GET_LONG)
    }

    /// Pushes the long at an address in a variable, a little further on.
    fn read_long_at(&mut self, slot: u16, offset: i64) -> Result<()> {
        self.push_unsafe()?;
        self.address_at(slot, offset)?;
        self.call_unsafe(GET_LONG)
    }

    fn address_at(&mut self, slot: u16, offset: i64) -> Result<()> {
        self.run(Fragment::new().lload(slot));
        if offset != 0 {
            self.long(offset)?;
            self.op(op::LADD);
        }
        Ok(())
    }

    /// Returns 0 or nothing if the probes are off; leaves the limit in a variable, if one is named.
    fn unless_off(&mut self, limit: Option<u16>, off: &[u8]) -> Result<()> {
        let on = self.out.label();
        self.read_long(self.addresses.limit)?;
        if let Some(slot) = limit {
            self.run(Fragment::new().lstore(slot).lload(slot));
        }
        self.long(0)?;
        self.op(op::LCMP);
        self.out.branch(op::IFNE, on);
        off.iter().for_each(|&opcode| self.op(opcode));
        self.out.bind(on);
        Ok(())
    }

    // ---- methods ----

    fn initialise(&mut self) -> Result<()> {
        let class = self.dialect.class;
        let descriptor = format!("L{class};");
        let get = format!("(){descriptor}");
        self.call(op::INVOKESTATIC, class, ("getUnsafe", &get))?;
        self.field(op::PUTSTATIC, "unsafe", &descriptor)?;
        self.int(FRESH as i32)?;
        let object = self.pool.class("java/lang/Object")?;
        self.run(Fragment::new().pooled(op::ANEWARRAY, object));
        self.field(op::PUTSTATIC, FRESH_FIELD.0, FRESH_FIELD.1)?;
        self.push_unsafe()?;
        let thread = self.pool.class("java/lang/Thread")?;
        let tid = self.pool.string("tid")?;
        self.run(Fragment::new().constant(thread).constant(tid));
        let declared = "(Ljava/lang/String;)Ljava/lang/reflect/Field;";
        self.call(
            op::INVOKEVIRTUAL,
            "java/lang/Class",
            ("getDeclaredField", declared),
        )?;
        self.call_unsafe(("objectFieldOffset", "(Ljava/lang/reflect/Field;)J"))?;
        self.field(op::PUTSTATIC, "tid", "J")?;
        self.op(op::RETURN);
        Ok(())
    }

    /// Variables: 0 object, 1 hash, 2 entry.
    fn hash(&mut self) -> Result<()> {
        self.unless_off(None, &[op::ICONST_0, op::IRETURN])?;
        self.run(Fragment::new().aload(0));
        let identity = ("identityHashCode", "(Ljava/lang/Object;)I");
        self.call(op::INVOKESTATIC, "java/lang/System", identity)?;
        self.run(Fragment::new().istore(1));
        self.push_unsafe()?;
        self.seen_address(|method| {
            method.run(Fragment::new().iload(1));
        })?;
        self.call_unsafe(GET_INT)?;
        self.run(Fragment::new().istore(2));
        let unknown = self.out.label();
        self.same_hash(2, unknown)?;
        self.run(Fragment::new().iload(2).op(op::IRETURN));
        self.out.bind(unknown);
        self.run(Fragment::new().aload(0).iload(1));
        self.call_own("first", "(Ljava/lang/Object;I)I")?;
        self.op(op::IRETURN);
        Ok(())
    }

    /// Pushes the address in the table of hashes seen for an int that `index` pushes.
    fn seen_address(&mut self, index: impl FnOnce(&mut Self)) -> Result<()> {
        self.long(self.addresses.seen)?;
        index(self);
        self.int(SEEN as i32 - 1)?;
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
    fn first(&mut self) -> Result<()> {
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
        self.seen_address(|method| method.run(Fragment::new().iload(1).iload(2).op(op::IADD)))?;
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
        self.claim_entry(again, taken)?;
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
    fn claim_entry(&mut self, again: Label, taken: Label) -> Result<()> {
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
        self.call_own("offer", "(Ljava/lang/Object;)Z")?;
        self.out.branch(op::IFNE, taken);
        self.push_unsafe()?;
        self.run(Fragment::new().lload(3).op(op::ICONST_0));
        self.call_unsafe(PUT_INT)?;
        self.out.branch(op::GOTO, taken);
        Ok(())
    }

    /// Variables: 0 object, 1 position.
    fn offer(&mut self) -> Result<()> {
        let (again, room) = (self.out.label(), self.out.label());
        self.out.bind(again);
        self.read_long(self.addresses.fresh_tail)?;
        self.run(Fragment::new().lstore(1).lload(1));
        self.read_long(self.addresses.fresh_head)?;
        self.op(op::LSUB);
        self.long(FRESH as i64)?;
        self.op(op::LCMP);
        self.out.branch(op::IFLT, room);
        self.run(Fragment::new().op(op::ICONST_0).op(op::IRETURN));
        self.out.bind(room);
        self.push_unsafe()?;
        self.op(op::ACONST_NULL);
        self.long(self.addresses.fresh_tail)?;
        self.advance(1, again)?;
        self.field(op::GETSTATIC, FRESH_FIELD.0, FRESH_FIELD.1)?;
        self.run(Fragment::new().lload(1));
        self.long(FRESH as i64 - 1)?;
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
    fn put(&mut self) -> Result<()> {
        self.unless_off(Some(4), &[op::RETURN])?;
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
        self.run(Fragment::new().op(POP2).op(op::RETURN));
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
        self.op(op::RETURN);
        Ok(())
    }

    fn store(&mut self, offset: i64, value: Fragment, how: (&str, &str)) -> Result<()> {
        self.push_unsafe()?;
        self.address_at(14, offset)?;
        self.run(value);
        self.call_unsafe(how)
    }

    /// Variables: 0 hash, 1 site.
    fn hashed(&mut self, kind: u8) -> Result<()> {
        let none = self.out.label();
        self.run(Fragment::new().iload(0));
        self.out.branch(op::IFLE, none);
        self.int(kind.into())?;
        self.run(Fragment::new().iload(0).iload(1).op(op::ICONST_0));
        self.call_own("put", "(IIII)V")?;
        self.out.bind(none);
        self.op(op::RETURN);
        Ok(())
    }

    /// Variable: 0 site. The object is the class the site is in.
    fn nameless(&mut self, kind: u8) -> Result<()> {
        self.int(kind.into())?;
        self.run(Fragment::new().op(op::ICONST_0).iload(0).op(op::ICONST_0));
        self.call_own("put", "(IIII)V")?;
        self.op(op::RETURN);
        Ok(())
    }

    /// Variables: 0 object, 1 site, 2 hash.
    fn on_object(&mut self, kind: u8) -> Result<()> {
        let none = self.out.label();
        self.run(Fragment::new().aload(0));
        self.call_own("hash", "(Ljava/lang/Object;)I")?;
        self.run(Fragment::new().op(op::DUP).istore(2));
        self.out.branch(op::IFLE, none);
        self.int(kind.into())?;
        self.run(Fragment::new().iload(2).iload(1).op(op::ICONST_0));
        self.call_own("put", "(IIII)V")?;
        self.out.bind(none);
        self.op(op::RETURN);
        Ok(())
    }

    /// Variables: 0 object, 1 milliseconds, 3 site, 4 hash. A time-out too long for an int is cut.
    fn waiting(&mut self) -> Result<()> {
        let (none, short) = (self.out.label(), self.out.label());
        self.run(Fragment::new().aload(0));
        self.call_own("hash", "(Ljava/lang/Object;)I")?;
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
        self.call_own("put", "(IIII)V")?;
        self.out.bind(none);
        self.op(op::RETURN);
        Ok(())
    }
}

const POP2: u8 = 0x58;
