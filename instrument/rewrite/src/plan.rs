//! What is to be rewritten, and what the probes are like.
//!
//! # The probes
//!
//! Probes are `public static` methods, found by the names in [`Probes`]. They live in a class that
//! every class loader sees and can call: for a live JVM, one in a package of `java.base`.
//!
//! | probe | descriptor | called |
//! |---|---|---|
//! | hash | `(Object)int` | before `monitorenter`; the object may be null |
//! | entered | `(Object, int site)` | the monitor has been entered |
//! | entered | `(int hash, int site)` | the same, where a hash was taken |
//! | entered | `(int site)` | a static synchronized method of a class file older than Java 5, which cannot name its class |
//! | exit | as entered | the monitor is about to be left, normally or by an exception |
//! | waiting | `(Object, long millis, int site)` | before `wait`; 0 without a limit; the object may be null |
//! | waited | `(Object, int site)` | `wait` returned: the monitor is held again |
//! | waitThrew | `(Object, int site)` | `wait` threw: interrupted, or it was never a valid call |
//! | notified, notifiedAll | `(Object, int site)` | before `notify`, `notifyAll`; the object may be null |
//! | parking | `(Object blocker)int` | the start of `LockSupport.park`; the blocker may be null |
//! | parkingNanos, parkingUntil | `(Object blocker, long)int` | the same with the time, as `parkNanos` and `parkUntil` were given it |
//! | parked | `(int)` | before these return, with what the probe at their start gave; not if they throw |
//! | unparking | `(Thread)` | the start of `LockSupport.unpark`; the thread may be null |
//! | starting | `(Thread)` | the start of `Thread.start` |
//! | making | `(Thread)` | before each return of the constructor of `Thread` that makes virtual ones |
//! | joined | `(Thread, long limit)` | before each return of `Thread.join(long)` and `Thread.join(Duration)`; 0 without a limit |
//!
//! | began, done, threw | `(int hash, int numbers, int count)` | the start, a return, an exception of an operation |
//! | tried, amounted, stamped, got | `(boolean or int or long or Object result, int hash, int numbers, int count)` | a return that says whether it is done |
//! | parts | `(Object[], int numbers)` | the start of an operation whose parts are in an array |
//! | calling | `(int site, int number)` | before a call that may be one of an operation: the first one that is called so; with [`INSIDE`] in place of the site where an operation calls another one of its class |
//!
//! | reading, writing, updating | `(Object, int site)` | before an access; null for a static field; the object may be null, and the access then throws |
//! | writing, updating | `(Object, int value, int site)` | the same with what is about to be written |
//! | read, wrote, updated | `(int site)` | it is over; not if it threw |
//! | read | `(int value, int site)` | the same with what was read |
//! | swapped | `(boolean, int site)`, `(boolean, int expected, int site)` | the same of one that writes only if its result is true |
//!
//! The contract of a probe: it records the event or it throws, never both; it takes no lock, and it
//! does not throw for any reason of its own (errors of the JVM, such as `StackOverflowError`, come
//! out of any call). If `entered` throws, the monitor is released again and there is no `exit`; if
//! `exit` throws, the monitor is released without one. Either way the error goes on to where an
//! exception of the region would go. What one in front of an operation or its call throws (`began`, `calling`, `parking`, `unparking`, `starting`) is forgotten.
//!
//! With a hash probe a region costs one hash, taken before the object is locked. Where the code
//! proves that a `monitorexit` belongs to a hash taken earlier, `exit` is given that hash, else the
//! object. A synchronized method takes one hash, after it was entered: it cannot be had earlier.
//!
//! Why it matters: an uncontended pair with probes that only add hash and site to a sum (ns of CPU
//! time, best of nine, JIT-compiled, the hash taken by the probe or by the code around it):
//!
//! | | region: none, by probe, before | synchronized method: none, by probe, once |
//! |---|---|---|
//! | JDK 17 | 10.5, 38.7, 11.1 | 10.2, 38.7, 22.6 |
//! | JDK 21 | 10.9, 39.5, 11.6 | 10.3, 38.0, 22.8 |
//! | JDK 25 | 10.3, 11.3, 11.3 | 9.6, 10.6, 10.4 |

/// Number by which a probe knows its site; unique in one JVM if the caller sees to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SiteId(pub u32);

/// Bits that an operation on a thread tells of its tid.
pub const TID_BITS: u32 = 23;

/// What to rewrite in a class, and how.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Plan {
    /// What the probes are called.
    pub probes: Probes,
    /// Which kinds of event.
    pub events: Events,
    /// Which methods.
    pub targets: Targets,
    /// Id of the first site; the others follow it.
    pub first_site: SiteId,
    /// Methods that are operations of locks: they tell what they have done.
    pub operations: &'static [Operation],
    /// Longest code that the JVM compiles: a method must not grow beyond it. HotSpot's
    /// `HugeMethodLimit`, unless it runs with `-XX:-DontCompileHugeMethods`.
    pub compiled_up_to: Option<usize>,
    /// Annotation (its descriptor) by which the JVM is told to make a method of its own a part of whatever calls it. Operations and
    /// parks get it that were small enough for that anyhow ([`MAX_INLINE_SIZE`]), and no longer are.
    ///
    /// What is a part of its caller needs no room on the stack of its own: a program that has none left gives a lock back all the same.
    pub inlined_by: Option<&'static str>,
}

/// HotSpot's `HugeMethodLimit`, a constant in every product build.
pub const HUGE_METHOD_LIMIT: usize = 8000;

/// HotSpot's `MaxInlineSize`: methods as large are inlined wherever they are called.
pub const MAX_INLINE_SIZE: usize = 35;

impl Plan {
    /// Every monitor event of every method, with probes of the usual names in one class.
    #[must_use]
    pub fn everything(probe_class: &str) -> Self {
        Self {
            probes: Probes::of_class(probe_class),
            events: Events::of_monitors(),
            targets: Targets::Everything,
            first_site: SiteId(1),
            operations: &[],
            compiled_up_to: Some(HUGE_METHOD_LIMIT),
            inlined_by: None,
        }
    }
}

/// The site of a call by which an operation does its work: who is called so has nothing to tell.
pub const INSIDE: u32 = i32::MAX as u32;

/// A method that is an operation of a lock. Its probes are in the class of the others, under the names that the
/// table in the [module](self) says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Operation {
    /// Internal name of its class.
    pub class: &'static str,
    /// Its name.
    pub name: &'static str,
    /// Its descriptor.
    pub descriptor: &'static str,
    /// By what probes know it.
    pub number: u8,
    /// Which object it is on.
    pub subject: Subject,
    /// The probe that makes an int of the lock: `(Object)int`.
    pub hash: &'static str,
    /// Internal names of classes of its own package whose objects tell by other operations what they do: the probe is `(Object, boolean)int`
    /// then, and is told whether it is one of these. Where the compiler knows the class, that costs nothing.
    pub others: &'static [&'static str],
    /// It is told when it begins.
    pub before: bool,
    /// It is told when it is over, and how.
    pub after: Option<Told>,
    /// How many.
    pub amount: Amount,
    /// It is told also where another operation of its class calls it.
    pub within: bool,
    /// Who calls it by the name of a class that extends its own is to be known.
    pub of_heirs: bool,
}

/// Which object an operation is on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Subject {
    /// `this`; of a static method there is none.
    This,
    /// This field of `this`: class, name, descriptor.
    Field(&'static str, &'static str, &'static str),
    /// What is in this local variable at the beginning.
    Local(u16),
    /// What is returned.
    Result,
    /// What a constructor has made, told at its end.
    Born,
    /// What is returned, made of what is in these local variables, each of which is told at the beginning.
    Made(&'static [u16]),
    /// The same of each element of the first argument, an array.
    MadeOfAll,
}

/// What the result of an operation says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Told {
    /// Nothing: it is done.
    Always,
    /// Whether it is done.
    Truth,
    /// How many: an int.
    Amount,
    /// A long, 0 if it is not done.
    Stamp,
    /// A reference, null if it is not done.
    Reference,
}

/// How many permits or elements an operation is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Amount {
    /// One.
    One,
    /// The first argument, an int.
    Argument,
    /// The result.
    Result,
    /// The low byte of the first argument, a long.
    Stamp,
    /// The low bits of the tid of the first argument, a thread: as many as say [`TID_BITS`].
    Thread,
    /// One if the first two arguments, a number and its unit, are a day or more; none if they are less.
    Day,
}

/// Kinds of events.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Events {
    /// `monitorenter` and `monitorexit`.
    pub regions: bool,
    /// Synchronized methods.
    pub methods: bool,
    /// Calls of `wait`.
    pub waits: bool,
    /// Calls of `notify` and `notifyAll`.
    pub notifies: bool,
    /// Parks and unparks: the methods of `LockSupport`, and of no other class.
    pub parks: bool,
    /// Who starts a thread or makes a virtual one, and who comes back from the wait for its end: methods of `Thread`.
    pub kin: bool,
    /// Accesses to fields, and to what objects of `java.util.concurrent.atomic` hold.
    pub accesses: bool,
}

impl Events {
    /// All that has to do with monitors.
    #[must_use]
    pub fn of_monitors() -> Self {
        Self {
            regions: true,
            methods: true,
            waits: true,
            notifies: true,
            parks: false,
            kin: false,
            accesses: false,
        }
    }
}

/// Which methods.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Targets {
    /// All of them.
    Everything,
    /// These.
    Only(Vec<Target>),
}

/// A method and what of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Target {
    /// Its name.
    pub name: String,
    /// Its descriptor.
    pub descriptor: String,
    /// What of it.
    pub parts: Parts,
}

/// What of a method.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Parts {
    /// Everything.
    All,
    /// Some of its sites. Who names a `monitorenter` should name the exits that belong to it too.
    Only {
        /// Its own monitor, if it is synchronized.
        body: bool,
        /// Bcis of the instructions, in the original method.
        bcis: Vec<u16>,
    },
}

impl Targets {
    /// What of a method, if anything.
    pub(crate) fn of(&self, name: &str, descriptor: &str) -> Option<&Parts> {
        match self {
            Targets::Everything => Some(&Parts::All),
            Targets::Only(targets) => targets
                .iter()
                .find(|t| t.name == name && t.descriptor == descriptor)
                .map(|target| &target.parts),
        }
    }
}

impl Parts {
    pub(crate) fn has_body(&self) -> bool {
        match self {
            Parts::All => true,
            Parts::Only { body, .. } => *body,
        }
    }

    pub(crate) fn has(&self, bci: u16) -> bool {
        match self {
            Parts::All => true,
            Parts::Only { bcis, .. } => bcis.contains(&bci),
        }
    }
}

/// A static method; its descriptor follows from what it is for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Probe {
    /// Internal name of its class.
    pub class: String,
    /// Its name.
    pub name: String,
}

/// The probes; see the [module](self) for what each is given.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Probes {
    /// Takes the hash of an object that is not locked yet; none where the JVM hashes a locked object
    /// as cheaply. `java.lang.System.identityHashCode` serves.
    pub hash: Option<Probe>,
    /// Where a method waits, too: a monitor is about to be told as entered, and how the thread came there is of interest. It
    /// is given what `entered` is, if that is no object.
    pub chained: Option<Probe>,
    /// A monitor was entered.
    pub entered: Probe,
    /// A monitor is about to be left.
    pub exit: Probe,
    /// A wait begins.
    pub waiting: Probe,
    /// A wait returned.
    pub waited: Probe,
    /// A wait threw.
    pub wait_threw: Probe,
    /// One waiting thread is about to be notified.
    pub notified: Probe,
    /// All waiting threads are about to be notified.
    pub notified_all: Probe,
    /// A thread is about to park, without a time, …
    pub parking: Probe,
    /// … for so many nanoseconds, …
    pub parking_nanos: Probe,
    /// … until a time, in milliseconds since 1970.
    pub parking_until: Probe,
    /// It goes on.
    pub parked: Probe,
    /// A thread is about to be unparked.
    pub unparking: Probe,
    /// A thread is about to be started.
    pub starting: Probe,
    /// A virtual thread has been made.
    pub making: Probe,
    /// A wait for the end of a thread is over.
    pub joined: Probe,
}

impl Probes {
    /// Probes of the usual names in one class, without the hash.
    #[must_use]
    pub fn of_class(class: &str) -> Self {
        let probe = |name: &str| Probe {
            class: class.to_owned(),
            name: name.to_owned(),
        };
        Self {
            hash: None,
            chained: None,
            entered: probe("entered"),
            exit: probe("exit"),
            waiting: probe("waiting"),
            waited: probe("waited"),
            wait_threw: probe("waitThrew"),
            notified: probe("notified"),
            notified_all: probe("notifiedAll"),
            parking: probe("parking"),
            parking_nanos: probe("parkingNanos"),
            parking_until: probe("parkingUntil"),
            parked: probe("parked"),
            unparking: probe("unparking"),
            starting: probe("starting"),
            making: probe("making"),
            joined: probe("joined"),
        }
    }

    /// With the hash taken before `monitorenter`, by the JVM's own intrinsic.
    #[must_use]
    pub fn with_identity_hash(mut self) -> Self {
        self.hash = Some(Probe {
            class: "java/lang/System".to_owned(),
            name: "identityHashCode".to_owned(),
        });
        self
    }
}
