//! Ways by which threads tell each other something that no probe around fields and atomics sees.

use super::ran::Ran;
use crate::catalog::Catalog;
use crate::effects::is_platform_name;
use locklens_trace::code::{self, Code, Constant, InvokeKind, MemberRef};
use locklens_trace::record::{ClassDef, MethodDef};
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// What no probe tells of.
pub(super) const NEVER_SEEN: &str = "never seen are elements of arrays, what goes through a VarHandle, a MethodHandle, Unsafe, an Atomic…FieldUpdater, another class of java.util.concurrent.atomic, a subclass of an atomic or a reference to a method of one, what collections hold, what executors and futures hand over, that a thread asks for the end, the state or the interrupt of another (a join of one that had ended, too), what files, pipes, sockets and other processes tell, properties of the system, reflection, native code, and other code, such as callers whose code is not in the recording";

/// Atomics whose methods are recorded, and other classes of `java.util.concurrent` whose operations are.
pub(super) const ATOMICS: [&str; 4] = [
    "AtomicInteger",
    "AtomicLong",
    "AtomicBoolean",
    "AtomicReference",
];
pub(super) const OPERATED: [&str; 5] = [
    "CountDownLatch",
    "CyclicBarrier",
    "Exchanger",
    "Phaser",
    "Semaphore",
];

/// How the names of collections end, and of what goes through them.
const COLLECTIONS: [&str; 17] = [
    "BitSet",
    "Collection",
    "Collections",
    "Deque",
    "Dictionary",
    "Entry",
    "Enumeration",
    "Iterator",
    "List",
    "Map",
    "Properties",
    "Queue",
    "Set",
    "Stack",
    "Stream",
    "Table",
    "Vector",
];

const CONCURRENT: &str = "java.util.concurrent.";
const OF_ATOMICS: &str = "java.util.concurrent.atomic.";
const NATIVE: u32 = 0x0100;
/// Ancestors of a class that are looked at.
const ANCESTORS: usize = 64;

/// What there is of it in some code: of each kind one of the methods.
#[derive(Debug, Default)]
pub(super) struct Unseen {
    /// With these nothing is proved.
    pub(super) stops: Vec<String>,
    /// What is only to be said.
    pub(super) besides: Vec<String>,
}

/// How a kind of it is called, and whether nothing is proved where there is some.
type Way = (&'static str, bool);

impl Unseen {
    /// In the code of these classes, as far as it may have run.
    pub(super) fn of(catalog: &Catalog, classes: &BTreeSet<&str>, ran: &Ran<'_>) -> Self {
        let atomics = of_atomics(catalog);
        let others = of_others(catalog, classes);
        let mut found: BTreeMap<Way, String> = BTreeMap::new();
        for method in catalog.methods.values() {
            let class = catalog.class_name(method.class);
            if !classes.contains(class.as_str()) || is_platform_name(&class) {
                continue;
            }
            let place = format!("{class}.{}", method.name);
            let code = catalog.code.get(&method.id);
            for way in ways(method, code, (&atomics, ran)) {
                found.entry(way).or_insert_with(|| place.clone());
            }
            if let Some(called) = code.and_then(|code| elsewhere(code, classes, (&others, ran))) {
                let way = ("calls of code that is not recorded", true);
                found
                    .entry(way)
                    .or_insert_with(|| format!("{place} calls {called}"));
            }
        }
        let mut unseen = Self::default();
        for ((way, stops), place) in found {
            let told = format!("{way} ({place})");
            match stops {
                true => unseen.stops.push(told),
                false => unseen.besides.push(told),
            }
        }
        unseen
    }
}

/// Names and descriptors of the application's methods of other classes than these.
fn of_others<'c>(catalog: &'c Catalog, classes: &BTreeSet<&str>) -> BTreeSet<(&'c str, &'c str)> {
    let methods = catalog.methods.values().filter(|method| {
        let class = catalog.class_name(method.class);
        !classes.contains(class.as_str()) && is_program(&class)
    });
    methods
        .map(|method| (method.name.as_str(), method.descriptor.as_str()))
        .collect()
}

/// Whether a class is the application's, and written: who calls a lambda is seen by what that calls.
pub(super) fn is_program(class: &str) -> bool {
    !is_platform_name(class) && !class.contains("$$Lambda")
}

/// A method called that is, or may be, the application's and in none of these classes.
fn elsewhere(
    code: &Code,
    classes: &BTreeSet<&str>,
    (others, ran): (&BTreeSet<(&str, &str)>, &Ran<'_>),
) -> Option<String> {
    let insns = code.insns.iter();
    let mut insns = insns.filter(|insn| ran.may(code.method, insn.bci));
    insns.find_map(|insn| {
        let code::Op::Invoke { kind, method } = &insn.op else {
            return None;
        };
        let is_there = is_program(&method.class) && !classes.contains(method.class.as_str());
        let name = (method.name.as_str(), method.descriptor.as_str());
        let away = match kind {
            InvokeKind::Dynamic => false,
            InvokeKind::Static | InvokeKind::Special => is_there,
            InvokeKind::Virtual | InvokeKind::Interface => is_there || others.contains(&name),
        };
        away.then(|| format!("{}.{}", method.class, method.name))
    })
}

fn ways(
    method: &MethodDef,
    code: Option<&Code>,
    (atomics, ran): (&BTreeSet<&str>, &Ran<'_>),
) -> Vec<Way> {
    let native = (method.flags & NATIVE != 0).then_some(("native code", true));
    let insns = code.into_iter().flat_map(|code| &code.insns);
    let insns = insns.filter(|insn| ran.may(method.id, insn.bci));
    let of_insns = insns.filter_map(|insn| by_no_probe(code, insn, atomics));
    native.into_iter().chain(of_insns).collect()
}

/// The application's classes that are atomics themselves.
fn of_atomics(catalog: &Catalog) -> BTreeSet<&str> {
    let classes = catalog.classes.values();
    let by_name: HashMap<&str, &ClassDef> = classes.map(|c| (c.name.as_str(), c)).collect();
    let parent = |name: &str| by_name.get(name)?.super_name.as_deref();
    let is_one = |name: &&str| {
        let mut ancestors = std::iter::successors(parent(name), |name| parent(name));
        ancestors.by_ref().take(ANCESTORS).any(is_atomic)
    };
    let names = by_name.keys().copied();
    names
        .filter(|name| !is_platform_name(name))
        .filter(is_one)
        .collect()
}

fn is_atomic(class: &str) -> bool {
    class.starts_with(OF_ATOMICS)
}

/// What an access goes through that no probe tells of.
fn by_no_probe(code: Option<&Code>, insn: &code::Insn, atomics: &BTreeSet<&str>) -> Option<Way> {
    match &insn.op {
        code::Op::ArrayLoad { .. } | code::Op::ArrayStore { .. } => {
            Some(("elements of arrays", false))
        }
        code::Op::Invoke {
            kind: InvokeKind::Dynamic,
            ..
        } => linked(code?, insn.bci),
        code::Op::Invoke { method, .. } if atomics.contains(method.class.as_str()) => {
            Some(("calls of a subclass of an atomic", true))
        }
        code::Op::Invoke { method, .. } => through(method),
        _ => None,
    }
}

/// What a reference to a method, or a field, leads to.
fn linked(code: &Code, bci: u16) -> Option<Way> {
    let at = code.sites.binary_search_by_key(&bci, |site| site.bci).ok();
    let Some(at) = at else {
        return Some(("an invokedynamic whose target is not known", true));
    };
    let arguments = &code.sites[at].bootstrap.arguments;
    arguments.iter().find_map(|constant| match constant {
        Constant::Handle { member, .. } if is_atomic(&member.class) => {
            Some(("references to methods of atomics", true))
        }
        Constant::Handle { member, .. } => through(member),
        _ => None,
    })
}

fn through(called: &MemberRef) -> Option<Way> {
    let class = called.class.as_str();
    let way = match class {
        "java.lang.invoke.VarHandle" => "calls of a VarHandle",
        "java.lang.invoke.MethodHandle" => "calls of a MethodHandle",
        "sun.misc.Unsafe" | "jdk.internal.misc.Unsafe" => "calls of Unsafe",
        "java.lang.Number" => "calls of a Number, which may be an atomic",
        "java.lang.Thread" => return of_threads(called),
        "java.util.concurrent.locks.LockSupport" if called.name.starts_with("park") => {
            "parks of its own, which may return at once"
        }
        "java.lang.System" | "java.lang.Boolean" | "java.lang.Integer" | "java.lang.Long" => {
            return of_properties(called);
        }
        _ if tells_from_outside(class) => "calls of files, pipes, sockets, processes or references",
        _ if is_collection(class) => "calls of a collection",
        _ if class.starts_with("java.lang.reflect.") => "reflection",
        _ => return of_concurrent(called),
    };
    Some((way, true))
}

/// Whether a class of `java.util` keeps what threads put there.
fn is_collection(class: &str) -> bool {
    let simple = class.strip_prefix("java.util.");
    class == "java.lang.Iterable"
        || simple.is_some_and(|simple| COLLECTIONS.iter().any(|end| simple.ends_with(end)))
            && !class.starts_with(CONCURRENT)
}

/// Whether what others did comes out of a class by a way through native code: not where it only goes in.
fn tells_from_outside(class: &str) -> bool {
    const PACKAGES: [&str; 4] = ["java.io.", "java.lang.ref.", "java.net.", "java.nio."];
    const PRINTS: [&str; 2] = ["java.io.PrintStream", "java.io.PrintWriter"];
    let fails = class.ends_with("Exception") || class.ends_with("Error");
    let is_process = class.starts_with("java.lang.Process");
    (is_process || PACKAGES.iter().any(|package| class.starts_with(package)))
        && !fails
        && !PRINTS.contains(&class)
}

/// What one thread sets another one may read.
fn of_properties(called: &MemberRef) -> Option<Way> {
    let reads = match called.class.as_str() {
        "java.lang.System" => called.name == "getProperty" || called.name == "getProperties",
        "java.lang.Boolean" => called.name == "getBoolean",
        "java.lang.Integer" => called.name == "getInteger",
        _ => called.name == "getLong",
    };
    reads.then_some(("properties of the system", false))
}

fn of_threads(called: &MemberRef) -> Option<Way> {
    asks_thread(called).then_some(("ends, states or interrupts of threads", false))
}

/// Whether a call asks a thread how it is.
pub(super) fn asks_thread(called: &MemberRef) -> bool {
    let asks = [
        "join",
        "isAlive",
        "getState",
        "interrupt",
        "isInterrupted",
        "interrupted",
    ];
    called.class == "java.lang.Thread" && asks.contains(&called.name.as_str())
}

fn of_concurrent(called: &MemberRef) -> Option<Way> {
    let class = called.class.strip_prefix(CONCURRENT)?;
    let way = match class.strip_prefix("atomic.") {
        Some(class) if class.ends_with("FieldUpdater") => "calls of a field updater",
        Some(class) if ATOMICS.contains(&class) => return None,
        Some(_) => "other atomics",
        None if class.starts_with("locks.") || OPERATED.contains(&class) => {
            return asks(called).then_some(("questions to a lock about its state", true));
        }
        None if ["TimeUnit", "ThreadLocalRandom"].contains(&class) => return None,
        None => "calls of a concurrent map or queue, an executor or a future",
    };
    Some((way, true))
}

/// Whether a method of a lock only says how it is.
pub(super) fn asks(called: &MemberRef) -> bool {
    let questions = ["get", "is", "has", "available"];
    called.class.starts_with(CONCURRENT)
        && questions.iter().any(|begin| called.name.starts_with(begin))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixtures::virtual_ref;

    #[test]
    fn what_comes_from_outside_the_program_no_probe_tells() {
        let way = |class: &str, name: &str| through(&virtual_ref(class, name, "()I"));
        let stops = |class: &str, name: &str| way(class, name).is_some_and(|(_, stops)| stops);
        for (class, name) in [
            ("java.io.PipedInputStream", "read"),
            ("java.io.File", "exists"),
            ("java.nio.channels.Pipe$SourceChannel", "read"),
            ("java.net.Socket", "getInputStream"),
            ("java.lang.Process", "waitFor"),
            ("java.lang.ref.WeakReference", "get"),
        ] {
            assert!(stops(class, name), "{class}.{name}");
        }
        assert_eq!(way("java.io.PrintStream", "println"), None);
        assert_eq!(way("java.io.IOException", "<init>"), None);
        assert_eq!(way("java.lang.Integer", "valueOf"), None);
        let property = way("java.lang.System", "getProperty");
        assert_eq!(property, Some(("properties of the system", false)));
    }
}
