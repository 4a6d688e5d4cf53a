//! Which loaded classes are to be rewritten: those asked for that have something to report.
//!
//! A class is never replaced by itself, so whether there is anything to report is found out first, by
//! reading the code of its methods, which harms nothing. What cannot be rewritten is said by name.

use super::chains::SIGNATURE;
use super::operations::load_named;
use super::refusal::Refusal;
use super::select::{Extent, LOCK_SUPPORT, Selection, is_of_lives};
use crate::identity::{Unknown, binary_name, is_platform_loader};
use crate::recording::Recording;
use crate::vm::{Handle, Ref, Vm};
use locklens_classfile::class::{self, ClassFile};
use locklens_classfile::code::{Operand, instructions};
use locklens_classfile::pool::{Member, Pool};
use locklens_rewrite::plan::{Operation, Parts, Target, Targets};
use locklens_rewrite::{Reason, may_be_heir};
use locklens_trace::{ClassId, juc};
use std::collections::{HashMap, HashSet};

/// Classes one recording may rewrite.
pub(super) const MOST: usize = 5_000;

/// A method of a candidate.
pub(crate) struct Declared {
    pub(crate) handle: Handle,
    pub(crate) name: String,
    pub(crate) descriptor: String,
    flags: u32,
    reports: bool,
    /// It locks, waits or notifies.
    uses_monitors: bool,
}

impl Declared {
    /// That it is left as it is, being native.
    fn native(&self, class: &str) -> Refusal {
        let method = format!("{}.{}{}", class, self.name, self.descriptor);
        Refusal::of(&method, Reason::Native.to_string()).using_monitors(true)
    }
}

/// A class to be rewritten, held.
pub(crate) struct Candidate<'vm> {
    pub(crate) class: Ref<'vm>,
    pub(crate) id: ClassId,
    pub(crate) name: String,
    pub(crate) methods: Vec<Declared>,
    pub(crate) targets: Targets,
    /// Accesses, too.
    pub(crate) accesses: bool,
    /// It is rewritten beside others, and no reason to rewrite anything by itself: [`Extent::Lives`], and what is
    /// [shared](is_shared).
    pub(super) beside: bool,
}

impl Candidate<'_> {
    /// Whether its code that is meant locks, waits or notifies; or a method of it does.
    pub(super) fn uses_monitors(&self, method: Option<(&str, &str)>) -> bool {
        self.methods.iter().any(|m| {
            let (name, descriptor) = (m.name.as_str(), m.descriptor.as_str());
            let is_asked_of = method.is_none_or(|asked| asked == (name, descriptor));
            is_asked_of && m.uses_monitors && is_meant(&self.targets, name, descriptor)
        })
    }
}

/// Whether the monitors of a method are meant.
pub(super) fn is_meant(targets: &Targets, name: &str, descriptor: &str) -> bool {
    let is_one = |t: &Target| t.name == name && t.descriptor == descriptor && t.parts == Parts::All;
    match targets {
        Targets::Everything => true,
        Targets::Only(some) => some.iter().any(is_one),
    }
}

/// What a selection comes to.
#[derive(Default)]
pub(crate) struct Found<'vm> {
    pub(crate) candidates: Vec<Candidate<'vm>>,
    /// Classes asked for that must not be touched, and why.
    pub(crate) refused: Vec<Refusal>,
    /// Classes asked for that lock, wait for and notify nothing.
    pub(crate) idle: usize,
    /// Those of the refused that are not linked yet, or cannot be read, and whether they may be touched.
    pub(super) unread: Vec<(Ref<'vm>, bool)>,
}

/// Why a class is left as it is that is not linked.
const UNLINKED: &str = "it is not linked yet, or its code cannot be read";
/// Why one whose code the JVM does not let anybody replace.
const HIDDEN: &str = "it is a hidden class";

const SYNCHRONIZED: u32 = 0x0020;
const NATIVE: u32 = 0x0100;

/// Finds them; the error is a sentence for the command's user.
pub(crate) fn find<'vm>(
    vm: Vm<'vm>,
    recording: &Recording,
    selection: &Selection,
) -> Result<Found<'vm>, String> {
    let mut found = Found::default();
    let mut loaders = Loaders::default();
    let classes = vm
        .loaded_classes()
        .map_err(|error| format!("GetLoadedClasses: JVM TI error {}", error.0))?;
    for class in classes {
        let Some(name) = ordinary_name(vm, &class) else {
            continue;
        };
        let jdk = loaders.is_jdk(vm, recording, &class);
        let Some(extent) = selection.extent(host(&name), jdk) else {
            continue;
        };
        if came(vm, recording, &class) {
            continue;
        }
        found.consider(vm, recording, selection, (class, name, extent));
        if found.candidates.len() > MOST {
            return Err(format!(
                "more than {MOST} classes would have to be rewritten: choose fewer"
            ));
        }
    }
    Ok(found)
}

/// Whether it was rewritten as it was loaded.
fn came(vm: Vm<'_>, recording: &Recording, class: &Ref<'_>) -> bool {
    let key = key_of(vm, recording, class);
    key.is_ok_and(|(loader, name)| recording.arrivals.has(loader, &name))
}

/// The name of a class that may be looked at; none for arrays, primitives and our own.
fn ordinary_name(vm: Vm<'_>, class: &Ref<'_>) -> Option<String> {
    let signature = vm.class_signature(class).ok()?;
    let name = binary_name(&signature);
    let ours = name.starts_with("java.lang.LocklensProbe$") || signature == SIGNATURE;
    (signature.starts_with('L') && !ours).then_some(name)
}

/// Why a class must not be replaced, whatever the JVM says of it. Replacing one that was made
/// for a single call site crashes JDK 8.
pub(super) fn untouchable(name: &str) -> Option<&'static str> {
    let hidden = is_hidden(name) || name.contains("LambdaForm$");
    // What runs while a virtual thread is neither here nor there.
    let between =
        name.starts_with("java.lang.VirtualThread") || name.starts_with("jdk.internal.vm.");
    match (hidden, between) {
        (true, _) => Some(HIDDEN),
        (_, true) => Some("it carries virtual threads"),
        _ => None,
    }
}

/// The class was made for a single call site, or by the program for its own use.
fn is_hidden(name: &str) -> bool {
    name.contains('/') || name.contains(LAMBDA)
}

/// What the JDK calls the classes it makes of lambdas and method references, behind the name of the class they are in.
const LAMBDA: &str = "$$Lambda";

/// The class that a hidden one is part of, or the one itself: who names that means this one, too.
fn host(name: &str) -> &str {
    let end = name.find(LAMBDA).or_else(|| name.find('/'));
    end.map_or(name, |end| &name[..end])
}

/// A hidden class that is meant; its name.
pub(super) fn hidden(vm: Vm<'_>, selection: &Selection, (class, name): (&Ref<'_>, &str)) -> bool {
    let jdk = || match vm.class_loader(class) {
        Ok(loader) => loader.is_none_or(|loader| is_the_jdks(vm, &loader)),
        Err(_) => false,
    };
    is_hidden(name) && selection.extent(host(name), jdk()).is_some()
}

/// That a hidden class was left as it is, if its code locks, waits or notifies.
pub(super) fn left_hidden(vm: Vm<'_>, class: &Ref<'_>) -> Option<Refusal> {
    let name = ordinary_name(vm, class)?;
    let uses = uses_monitors_now(vm, class)?;
    uses.then(|| Refusal::of(&name, HIDDEN).using_monitors(true))
}

/// The same of one that nobody could read: there were too many.
pub(super) fn unread_hidden(name: &str) -> Refusal {
    let why = "it is a hidden class, and too many came for each to be read";
    Refusal::of(host(name), why).using_monitors(true)
}

/// Whether the code of a class locks, waits or notifies; none if it is not linked.
pub(super) fn uses_monitors_now(vm: Vm<'_>, class: &Ref<'_>) -> Option<bool> {
    let methods = methods(vm, class, &[])?;
    Some(methods.iter().any(|m| m.uses_monitors))
}

impl<'vm> Found<'vm> {
    fn consider(
        &mut self,
        vm: Vm<'vm>,
        recording: &Recording,
        selection: &Selection,
        (class, name, extent): (Ref<'vm>, String, Extent),
    ) {
        let juc = selection.has_juc(&name);
        if juc {
            // At the start of a JVM nobody has used it yet, and it may not be linked. Whatever is asked for, that is done.
            vm.initialise(&class, c"park", c"()V");
            load_named(vm, &name);
        }
        let Some(mut methods) = methods(vm, &class, selection.operations()) else {
            self.refused.push(Refusal::of(&name, UNLINKED));
            let may_be_touched = untouchable(&name).is_none() && vm.is_modifiable(&class);
            self.unread.push((class, may_be_touched));
            return;
        };
        if juc {
            methods
                .iter_mut()
                .for_each(|m| m.reports |= tells(&name, m));
        }
        if extent == Extent::Lives {
            methods.iter_mut().for_each(|m| m.reports = true);
        }
        let accesses = selection.has_accesses(&name);
        if accesses {
            methods
                .iter_mut()
                .for_each(|m| m.reports |= m.flags & NATIVE == 0);
        }
        let wanted = |m: &Declared| match extent {
            Extent::Whole => true,
            Extent::Some => selection.names_method(&name, &m.name),
            Extent::Lives => is_of_lives(&m.name, &m.descriptor),
        };
        let targets = targets(&extent, &methods, wanted);
        let meant = |m: &&Declared| m.uses_monitors && is_meant(&targets, &m.name, &m.descriptor);
        let uses_monitors = methods.iter().any(|m| meant(&m));
        if !methods.iter().any(|m| m.reports && wanted(m)) {
            self.idle += 1;
            self.refused
                .extend(methods.iter().filter(meant).map(|m| m.native(&name)));
            return;
        }
        let refusal = |why: &str| Refusal::of(&name, why).using_monitors(uses_monitors);
        if let Some(why) = untouchable(&name) {
            self.refused.push(refusal(why));
            return;
        }
        if !vm.is_modifiable(&class) {
            self.refused.push(refusal("the JVM calls it unmodifiable"));
            return;
        }
        match recording.class(vm, &class) {
            Ok(id) => self.candidates.push(Candidate {
                class,
                id,
                targets,
                accesses,
                beside: extent == Extent::Lives || selection.is_beside(&name),
                name,
                methods,
            }),
            Err(_) => self.refused.push(refusal("no room for another class")),
        }
    }
}

/// Whether a method of `java.util.concurrent` tells of parks or is an operation of a lock.
fn tells(class: &str, method: &Declared) -> bool {
    let parks = method.name.starts_with("park") || method.name == "unpark";
    let is = |m: &juc::Method| m.name == method.name && m.descriptor == method.descriptor;
    match juc::class_named(class) {
        Some(class) => class.methods.iter().any(is),
        None => class == LOCK_SUPPORT && parks,
    }
}

/// What of a class file is meant.
pub(super) fn targets_of(
    selection: &Selection,
    class: &str,
    extent: &Extent,
    file: &ClassFile<'_>,
) -> Targets {
    if *extent == Extent::Whole {
        return Targets::Everything;
    }
    let target = |m: &class::Member<'_>| {
        let (name, descriptor) = (file.pool.utf8(m.name)?, file.pool.utf8(m.descriptor)?);
        let wanted = match extent {
            Extent::Lives => is_of_lives(name, descriptor),
            Extent::Whole | Extent::Some => selection.names_method(class, name),
        };
        wanted.then(|| Target {
            name: name.to_owned(),
            descriptor: descriptor.to_owned(),
            parts: parts(extent),
        })
    };
    Targets::Only(file.methods.iter().filter_map(target).collect())
}

/// What of a method that is meant.
fn parts(extent: &Extent) -> Parts {
    match extent {
        Extent::Whole | Extent::Some => Parts::All,
        Extent::Lives => Parts::Only {
            body: false,
            bcis: Vec::new(),
        },
    }
}

fn targets(extent: &Extent, methods: &[Declared], wanted: impl Fn(&Declared) -> bool) -> Targets {
    if *extent == Extent::Whole {
        return Targets::Everything;
    }
    let target = |m: &Declared| Target {
        name: m.name.clone(),
        descriptor: m.descriptor.clone(),
        parts: parts(extent),
    };
    Targets::Only(methods.iter().filter(|m| wanted(m)).map(target).collect())
}

/// The methods of a class, of which those report, too, that call one of these operations; none if they cannot be read.
fn methods(vm: Vm<'_>, class: &Ref<'_>, operations: &[Operation]) -> Option<Vec<Declared>> {
    let handles = vm.class_methods(class).ok()?;
    if handles.is_empty() {
        return Some(Vec::new());
    }
    let (count, bytes) = vm.constant_pool(class).ok()?;
    let pool = Pool::parse(count, &bytes).ok()?;
    let mut methods = Vec::with_capacity(handles.len());
    for handle in handles {
        // SAFETY: the caller holds the class.
        let method = unsafe { vm.method(handle) }.ok()?;
        methods.push(Declared {
            handle,
            name: method.name,
            descriptor: method.descriptor,
            flags: method.flags,
            reports: false,
            uses_monitors: false,
        });
    }
    let own: Vec<(String, String)> = methods
        .iter()
        .map(|m| (m.name.clone(), m.descriptor.clone()))
        .collect();
    for method in &mut methods {
        // SAFETY: as above. Native and abstract methods have no code.
        let code = unsafe { vm.bytecode(method.handle) }.unwrap_or_default();
        let body = method.flags & SYNCHRONIZED != 0 && !method.name.starts_with('<');
        let native = method.flags & NATIVE != 0;
        let calls = calls_operations(&code, &pool, operations);
        method.uses_monitors = body || uses_monitors(&code, &pool, &own);
        method.reports = calls || method.uses_monitors && !native;
    }
    Some(methods)
}

/// The methods of a class file that lock, wait or notify, of those that are meant: names and descriptors.
pub(super) fn users_of_monitors(
    file: &ClassFile<'_>,
    targets: &Targets,
) -> HashSet<(String, String)> {
    let named = |m: &class::Member<'_>| {
        let name = file.pool.utf8(m.name)?.to_owned();
        Some((name, file.pool.utf8(m.descriptor)?.to_owned()))
    };
    let own: Vec<(String, String)> = file.methods.iter().filter_map(named).collect();
    let uses = |m: &class::Member<'_>, name: &str| {
        let body = u32::from(m.flags) & SYNCHRONIZED != 0 && !name.starts_with('<');
        let code = file.code(m);
        body || code.is_some_and(|code| uses_monitors(code.bytes, &file.pool, &own))
    };
    let users = file.methods.iter().filter_map(|m| {
        let (name, descriptor) = named(m)?;
        (uses(m, &name) && is_meant(targets, &name, &descriptor)).then_some((name, descriptor))
    });
    users.collect()
}

/// Whether code calls what may be one of these operations.
fn calls_operations(code: &[u8], pool: &Pool, operations: &[Operation]) -> bool {
    if operations.is_empty() {
        return false;
    }
    let is_one = |m: &Member<'_>| {
        let of_locks = m.class.starts_with("java/util/concurrent/");
        let of_heirs = may_be_heir(m.class);
        let alike = |one: &Operation| one.name == m.name && one.descriptor == m.descriptor;
        let mut operations = operations.iter();
        operations.any(|one| alike(one) && (of_locks || of_heirs && one.of_heirs))
    };
    instructions(code)
        .map_while(Result::ok)
        .any(|insn| match (insn.opcode, insn.operand) {
            (0xb6 | 0xb7 | 0xb9, Operand::Pool(index)) => {
                pool.member(index).as_ref().is_some_and(is_one)
            }
            _ => false,
        })
}

/// Whether code enters a monitor, waits or notifies.
fn uses_monitors(code: &[u8], pool: &Pool, own: &[(String, String)]) -> bool {
    instructions(code)
        .map_while(Result::ok)
        .any(|insn| match (insn.opcode, insn.operand) {
            (0xc2 | 0xc3, _) => true,
            (0xb6 | 0xb7 | 0xb9, Operand::Pool(index)) => {
                pool.member(index).is_some_and(|m| is_operation(&m, own))
            }
            _ => false,
        })
}

/// The methods of `java.lang.Object` are final, but a class may have a private one of that name.
fn is_operation(called: &Member<'_>, own: &[(String, String)]) -> bool {
    let named = matches!(
        (called.name, called.descriptor),
        ("wait", "()V" | "(J)V" | "(JI)V") | ("notify" | "notifyAll", "()V")
    );
    named
        && !own
            .iter()
            .any(|(n, d)| n == called.name && d == called.descriptor)
}

/// Class loaders met, and whether they are the JDK's.
#[derive(Default)]
struct Loaders(HashMap<u32, bool>);

impl Loaders {
    fn is_jdk(&mut self, vm: Vm<'_>, recording: &Recording, class: &Ref<'_>) -> bool {
        let Ok(Some(loader)) = vm.class_loader(class) else {
            return true;
        };
        let look = || is_the_jdks(vm, &loader);
        match recording.loader(vm, &loader) {
            Ok(id) => *self.0.entry(id.0).or_insert_with(look),
            Err(_) => look(),
        }
    }
}

/// Whether a class loader is the JDK's platform loader.
pub(super) fn is_the_jdks(vm: Vm<'_>, loader: &Ref<'_>) -> bool {
    let class = vm.class_of(loader);
    let signature = class.and_then(|class| vm.class_signature(&class).ok());
    signature.is_some_and(|s| is_platform_loader(&binary_name(&s)))
}

/// What tells a class from others: the id of its loader (0 is the boot loader) and its name.
pub(super) type Key = (u32, String);

/// The key of a class.
pub(super) fn key_of(vm: Vm<'_>, recording: &Recording, class: &Ref<'_>) -> Result<Key, Unknown> {
    let name = binary_name(&vm.class_signature(class)?);
    let loader = match vm.class_loader(class)? {
        Some(loader) => recording.loader(vm, &loader)?.0,
        None => 0,
    };
    Ok((loader, name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hidden_class_is_part_of_the_one_it_was_made_for() {
        for (name, of) in [
            ("a.B", "a.B"),
            ("a.B/0x00007f7a4c000400", "a.B"),
            ("a.B$$Lambda/0x00007f7a4c000400", "a.B"),
            ("a.B$$Lambda$2/142257191", "a.B"),
        ] {
            assert_eq!((host(name), is_hidden(name)), (of, name != of));
        }
    }
}
