//! The probe class: what rewritten code calls, assembled here, pure Java.
//!
//! A class of the boot loader in package `java.lang`, because every class loader can see that; its
//! own name carries an address of this library's memory, so that two libraries in one JVM do not meet.
//! It has no native methods (see [`chains`](super::chains) for the one there is elsewhere) and no monitor, and
//! calls nothing but that one, `Unsafe`, `Thread.currentThread`, `Object.getClass`, `System.identityHashCode`,
//! `System.nanoTime` and `System.currentTimeMillis`, all compiled inline, and around waits and notifies `Thread.holdsLock`; to JDK 13 also `Thread.isInterrupted`,
//! of threads whose class cannot have overridden it.
//!
//! ```text
//! hash(o)        0 if off; the identity hash of o, negative if o is of no interest. An object met
//!                for the first time goes into the queue of fresh ones, where the writer tags it
//! entered(h, s)  and exit(h, s): put, if h > 0; the exit with chain(s), if somebody blocks on the lock
//! waiting(o, millis, s), waited(o, s) …: put with hash(o). Of a notify nothing, if the thread does not hold o; of a
//!                wait then a time-out below 0
//! parking(o) …   1 if its record was put, else 0; parked(1): put
//! unparking(t)   put with the thread's tid; so starting(t), making(t), joined(t, limit)
//! began(h, n, c) and done, failed, threw; tried(r, h, n, c) …: put operation n, if h > 0
//! reading(o, s) … put with the object's identity hash, a fence; read(s) …: a fence, put
//! chained(h, s)  chain(s), if h > 0: in front of `entered`
//! chain(s)       if the writer wants chains and there is one: put its id with s, in front of what is put next
//! put(k, h, s, a)  reads the clock (or counts), fills a slot of the thread's ring; 1 if there was one (see [`put`])
//! ```
//!
//! The probes of parks are called from inside `LockSupport` and never come back into it: nothing they call is
//! written in Java, save for the class itself. Nothing is kept by thread, so a virtual thread may go on elsewhere.
//!
//! Where there is no room on its stack for the probe, a thread does what it was about to do all the same: the code around the call sees to
//! that, and here whatever is called at an end of a method without such code, or takes a chain beforehand.
//! `put` never waits: where a ring is full it counts and returns. In an exception of the JVM's own
//! (`StackOverflowError`) a reserved slot may stay empty; the consumer passes it by.

use super::arena::{Addresses, Lane, LaneAddresses};
use locklens_classfile::append::{Append, Full};
use locklens_classfile::asm::Fragment;
use locklens_classfile::build::{Adrift, Class, Handler, Method, Routine};
use locklens_classfile::pool::Pool;

/// Kinds of record.
pub(crate) mod kind {
    /// The call chain of the next record of the thread: its id in place of the hash, the site of that record, and a mark of the recording.
    pub(crate) const CHAIN: u32 = 0;
    pub(crate) const ENTERED: u32 = 1;
    pub(crate) const EXIT: u32 = 2;
    pub(crate) const WAITING: u32 = 3;
    pub(crate) const WAITED: u32 = 4;
    pub(crate) const WAIT_THREW: u32 = 5;
    pub(crate) const NOTIFIED: u32 = 6;
    pub(crate) const NOTIFIED_ALL: u32 = 7;
    /// About to park. Hash of the blocker, or 0; in place of the site that of its class; microseconds at most, 0 for
    /// as long as it takes, or [`NO_TIME`].
    pub(crate) const PARK: u32 = 8;
    /// Going on. Whether the thread is interrupted: 0, 1, or 2 if that could not be found out.
    pub(crate) const PARKED: u32 = 9;
    /// About to unpark. The low half of the thread's tid in place of the hash, the high one as argument.
    pub(crate) const UNPARK: u32 = 10;
    /// In the argument of an [`UNPARK`], where tids have no bits: about to start that thread, …
    pub(crate) const STARTS: u32 = 1 << 31;
    /// … or back from the wait for its end.
    pub(crate) const JOINED: u32 = 1 << 30;
    /// Both: has just made that virtual thread.
    pub(crate) const MAKES: u32 = STARTS | JOINED;
    /// The wait had a limit.
    pub(crate) const IN_TIME: u32 = 1 << IN_TIME_BIT;
    pub(crate) const IN_TIME_BIT: u32 = 29;

    /// An operation of `java.util.concurrent` is about to begin. Nothing in place of the site; the argument has its number
    /// in the low bits, and above them how many it is about. So have the next three.
    pub(crate) const BEGAN: u32 = 11;
    /// It is done.
    pub(crate) const DONE: u32 = 12;
    /// It returned without having done it.
    pub(crate) const FAILED: u32 = 13;
    /// It threw.
    pub(crate) const THREW: u32 = 14;

    /// An access to a field or an atomic is about to happen, or over: which of these the argument says, a number of
    /// [`Phase`](locklens_trace::access::Phase). The last kind there is room for.
    pub(crate) const ACCESS: u32 = 15;
    /// The argument of an [`ACCESS`] has the phase in its low bits, 8 if there is a value, and that from here on.
    pub(crate) const ACCESS_VALUE: u32 = 8;

    /// Bits of the number of an operation, …
    pub(crate) const OPERATION_BITS: i32 = 8;
    /// … of how many it is about, …
    pub(crate) const COUNT_BITS: i32 = 24;
    /// … which are as many or more.
    pub(crate) const MOST_COUNTED: u32 = (1 << COUNT_BITS) - 1;

    /// The argument of a [`PARK`] for so long or longer.
    pub(crate) const LONGEST: u32 = i32::MAX as u32;
    /// The argument of a [`PARK`] until a point in time that has come already. It takes a permit, and waits for none.
    pub(crate) const NO_TIME: u32 = i32::MIN as u32;
}

/// What the code for the objects of a lane is called.
struct Names {
    /// The queue of fresh objects.
    queue: &'static str,
    hash: &'static str,
    first: &'static str,
    offer: &'static str,
}

fn names(lane: Lane) -> Names {
    match lane {
        Lane::Locks => Names {
            queue: "fresh",
            hash: "hash",
            first: "first",
            offer: "offer",
        },
        Lane::Blockers => Names {
            queue: "blockers",
            hash: "blocker",
            first: "firstBlocker",
            offer: "offerBlocker",
        },
    }
}

/// What the code must know of the JVM.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Jvm {
    /// JDK 9 or later.
    pub(crate) modular: bool,
    /// JDK 14 or later: threads have their interrupt as a field, and park without naming what they have named
    /// before (`setCurrentBlocker`).
    pub(crate) recent: bool,
    /// There may be virtual threads.
    pub(crate) has_virtual: bool,
}

/// What differs between JDK 8 and later ones.
struct Dialect {
    class: &'static str,
    swap_int: &'static str,
    swap_long: &'static str,
    release_int: &'static str,
    release_long: &'static str,
}

const OLD: Dialect = Dialect {
    class: "sun/misc/Unsafe",
    swap_int: "compareAndSwapInt",
    swap_long: "compareAndSwapLong",
    release_int: "putOrderedInt",
    release_long: "putOrderedLong",
};
const NEW: Dialect = Dialect {
    class: "jdk/internal/misc/Unsafe",
    swap_int: "compareAndSetInt",
    swap_long: "compareAndSetLong",
    release_int: "putIntRelease",
    release_long: "putLongRelease",
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

/// The class file.
pub(crate) fn class_file(addresses: &Addresses, jvm: Jvm) -> Result<Vec<u8>> {
    let empty = Pool::empty();
    let mut pool = Append::new(&empty);
    let name = class_name(addresses);
    let dialect = if jvm.modular { &NEW } else { &OLD };
    let class = Class::new(&mut pool, SYNTHETIC_FINAL_CLASS, &name)?;
    let writer = Writer {
        pool,
        class,
        name,
        dialect,
        jvm,
        addresses,
        out: Routine::new(),
        handler: None,
    };
    writer.write()
}

const SYNTHETIC_FINAL_CLASS: u16 = 0x1031;
const PUBLIC_STATIC: u16 = 0x0009;
const STATIC: u16 = 0x0008;
const STATIC_FINAL: u16 = 0x0018;

mod accesses;
mod code;
mod operations;
mod parks;
mod put;

mod op {
    pub(super) const ACONST_NULL: u8 = 0x01;
    pub(super) const ICONST_0: u8 = 0x03;
    pub(super) const ICONST_1: u8 = 0x04;
    pub(super) const ICONST_2: u8 = 0x05;
    pub(super) const AALOAD: u8 = 0x32;
    pub(super) const AASTORE: u8 = 0x53;
    pub(super) const POP: u8 = 0x57;
    pub(super) const POP2: u8 = 0x58;
    pub(super) const DUP: u8 = 0x59;
    pub(super) const IADD: u8 = 0x60;
    pub(super) const LADD: u8 = 0x61;
    pub(super) const LSUB: u8 = 0x65;
    pub(super) const LMUL: u8 = 0x69;
    pub(super) const LDIV: u8 = 0x6d;
    pub(super) const ISHL: u8 = 0x78;
    pub(super) const LSHL: u8 = 0x79;
    pub(super) const IUSHR: u8 = 0x7c;
    pub(super) const LUSHR: u8 = 0x7d;
    pub(super) const IAND: u8 = 0x7e;
    pub(super) const LAND: u8 = 0x7f;
    pub(super) const IOR: u8 = 0x80;
    pub(super) const LOR: u8 = 0x81;
    pub(super) const IINC: u8 = 0x84;
    pub(super) const I2L: u8 = 0x85;
    pub(super) const L2I: u8 = 0x88;
    pub(super) const LCMP: u8 = 0x94;
    pub(super) const IFEQ: u8 = 0x99;
    pub(super) const IFNE: u8 = 0x9a;
    pub(super) const IFLT: u8 = 0x9b;
    pub(super) const IFGE: u8 = 0x9c;
    pub(super) const IFGT: u8 = 0x9d;
    pub(super) const IFLE: u8 = 0x9e;
    pub(super) const IF_ICMPNE: u8 = 0xa0;
    pub(super) const IF_ICMPEQ: u8 = 0x9f;
    pub(super) const IF_ICMPGE: u8 = 0xa2;
    pub(super) const IF_ICMPGT: u8 = 0xa3;
    pub(super) const IF_ICMPLE: u8 = 0xa4;
    pub(super) const IF_ACMPNE: u8 = 0xa6;
    pub(super) const GOTO: u8 = 0xa7;
    pub(super) const IRETURN: u8 = 0xac;
    pub(super) const LRETURN: u8 = 0xad;
    pub(super) const RETURN: u8 = 0xb1;
    pub(super) const GETSTATIC: u8 = 0xb2;
    pub(super) const PUTSTATIC: u8 = 0xb3;
    pub(super) const INVOKEVIRTUAL: u8 = 0xb6;
    pub(super) const INVOKESTATIC: u8 = 0xb8;
    pub(super) const ANEWARRAY: u8 = 0xbd;
    pub(super) const ARRAYLENGTH: u8 = 0xbe;
    pub(super) const INSTANCEOF: u8 = 0xc1;
    pub(super) const IFNULL: u8 = 0xc6;
    pub(super) const IFNONNULL: u8 = 0xc7;
}

struct Writer<'p> {
    pool: Append<'p>,
    class: Class,
    name: String,
    dialect: &'static Dialect,
    jvm: Jvm,
    addresses: &'p Addresses,
    /// The code of the method under way.
    out: Routine,
    /// Its handler.
    handler: Option<Handler>,
}

impl Writer<'_> {
    fn write(mut self) -> Result<Vec<u8>> {
        let unsafe_type = format!("L{};", self.dialect.class);
        self.class
            .field(&mut self.pool, STATIC_FINAL, "unsafe", &unsafe_type)?;
        self.class.field(&mut self.pool, STATIC_FINAL, "tid", "J")?;
        if self.jvm.recent {
            for name in RECENT_FIELDS {
                self.class.field(&mut self.pool, STATIC_FINAL, name, "J")?;
            }
        }
        for lane in LANES {
            self.class
                .field(&mut self.pool, STATIC_FINAL, names(lane).queue, OBJECTS)?;
        }
        self.method(STATIC, "<clinit>", "()V", (4, 0), Self::initialise)?;
        for lane in LANES {
            let (names, at) = (names(lane), self.of(lane));
            let lane = (lane, at);
            self.method(PUBLIC_STATIC, names.hash, OF_OBJECT, (6, 3), |method| {
                method.hash(lane, names.first)
            })?;
            let first = "(Ljava/lang/Object;I)I";
            self.method(STATIC, names.first, first, (8, 6), |method| {
                method.first(lane, false)
            })?;
            let offer = "(Ljava/lang/Object;I)Z";
            self.method(STATIC, names.offer, offer, (10, 4), |method| {
                method.offer(lane)
            })?;
        }
        self.put_methods()?;
        self.method(STATIC, "chain", SITE, (6, 3), Self::chain)?;
        self.method(PUBLIC_STATIC, "chained", SITE, (5, 1), |method| {
            method.take_chain_of_any(0)?;
            method.op(op::RETURN);
            Ok(())
        })?;
        self.method(PUBLIC_STATIC, "chained", "(II)V", (5, 2), Self::chained)?;
        self.probes()?;
        self.park_probes()?;
        self.operation_probes()?;
        self.access_probes()?;
        Ok(self.class.finish(&self.pool))
    }

    fn probes(&mut self) -> Result<()> {
        for (name, kind) in [("entered", kind::ENTERED), ("exit", kind::EXIT)] {
            self.method(PUBLIC_STATIC, name, "(II)V", (5, 2), |method| {
                method.hashed(kind)
            })?;
            self.method(PUBLIC_STATIC, name, "(I)V", (5, 1), |method| {
                method.nameless(kind)
            })?;
            self.method(PUBLIC_STATIC, name, ON_OBJECT, (5, 3), |method| {
                method.on_object(kind)
            })?;
        }
        for (name, kind) in [("waited", kind::WAITED), ("waitThrew", kind::WAIT_THREW)] {
            self.method(PUBLIC_STATIC, name, ON_OBJECT, (4, 3), |method| {
                method.on_object(kind)
            })?;
        }
        let notifies = [
            ("notified", kind::NOTIFIED),
            ("notifiedAll", kind::NOTIFIED_ALL),
        ];
        for (name, kind) in notifies {
            self.method(PUBLIC_STATIC, name, ON_OBJECT, (4, 3), |method| {
                method.by_holder(kind)
            })?;
        }
        let descriptor = "(Ljava/lang/Object;JI)V";
        self.method(PUBLIC_STATIC, "waiting", descriptor, (5, 6), Self::waiting)
    }

    fn of(&self, lane: Lane) -> LaneAddresses {
        match lane {
            Lane::Locks => self.addresses.locks,
            Lane::Blockers => self.addresses.blockers,
        }
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
            handler: self.handler.take(),
        };
        Ok(self.class.method(&mut self.pool, &method)?)
    }
}

const LANES: [Lane; 2] = [Lane::Locks, Lane::Blockers];
/// Fields of threads, of which the offsets are kept.
const RECENT_FIELDS: [&str; 2] = ["interrupted", "parkBlocker"];
const OBJECTS: &str = "[Ljava/lang/Object;";
const OF_OBJECT: &str = "(Ljava/lang/Object;)I";
const SITE: &str = "(I)V";
const PUT: &str = "(IIII)I";
const ON_OBJECT: &str = "(Ljava/lang/Object;I)V";
const GET_LONG: (&str, &str) = ("getLong", "(J)J");
const GET_INT: (&str, &str) = ("getInt", "(J)I");
const PUT_LONG: (&str, &str) = ("putLong", "(JJ)V");
const PUT_INT: (&str, &str) = ("putInt", "(JI)V");

impl Writer<'_> {
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
}
