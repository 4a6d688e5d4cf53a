//! What a thread may do from one acquisition of its own to the next that no probe tells of: calls of code that is not
//! recorded, classes that may have to be initialised. Any of it could make it wait for somebody.
//!
//! Code is read from the first acquisition to the second, in one method or through methods that are called on the way, all
//! of them whole but for what has not run. Where the one place is not reached from the other by calls, what lies between is not known.

use super::asked::Asked;
use super::callers::is_meant;
use super::polls::Ways;
use super::ran::Ran;
use super::unseen::asks;
use crate::catalog::Catalog;
use crate::effects::is_platform_name;
use crate::hierarchy::Hierarchy;
use locklens_trace::MethodId;
use locklens_trace::code::{Insn, InvokeKind, MemberRef, Op};
use locklens_trace::record::{Frame, MethodDef};
use std::collections::{BTreeSet, HashMap};

/// Instructions read for one pair of places.
const LENGTH: usize = 1 << 16;
const ABSTRACT: u32 = 0x0400;

/// What may happen between two places that is not recorded, in words. `classes`: those whose accesses are.
pub(super) fn unrecorded(
    (catalog, ran): (&Catalog, &Ran<'_>),
    classes: &BTreeSet<&str>,
    [from, to]: [Option<&Frame>; 2],
) -> Option<String> {
    let (Some(from), Some(to)) = (from, to) else {
        return Some("where a thread took its locks is not known".to_owned());
    };
    let named = named(catalog);
    let mut walk = Walk::new((catalog, ran, &named), classes);
    let found = walk.from(from, to).err().or_else(|| walk.on().err());
    let unreached = !walk.seen.contains(&to.method);
    let found = found.or_else(|| {
        unreached.then(|| "the code from the one to the other is not known".to_owned())
    })?;
    let [from, to] = [from, to].map(|frame| catalog.place(frame));
    Some(format!(
        "between its acquisitions at {from} and {to} a thread may do what is not recorded: {found}"
    ))
}

/// What a thread may read between two places of its own that is set when it has been made already, or do that nobody knows, in words.
/// `classes`: all of the program's.
pub(super) fn read(
    code: (&Catalog, &Ran<'_>, &Named<'_>),
    classes: &BTreeSet<&str>,
    asked: &Asked<'_>,
    [from, to]: [&Frame; 2],
) -> Option<String> {
    let mut walk = Walk::new(code, classes);
    walk.reads = Some(asked);
    let found = walk.from(from, to).err().or_else(|| walk.on().err());
    let unreached = !walk.seen.contains(&to.method);
    found
        .or_else(|| unreached.then(|| "the code from the one to the other is not known".to_owned()))
}

/// The same on every known way to a place from where threads begin: the methods with which they do.
pub(super) fn read_before(
    code: (&Catalog, &Ran<'_>, &Named<'_>),
    classes: &BTreeSet<&str>,
    asked: &Asked<'_>,
    place: &Frame,
) -> Result<BTreeSet<MethodId>, String> {
    let mut walk = Walk::new(code, classes);
    walk.reads = Some(asked);
    let mut begin = BTreeSet::new();
    let bci = place.bci.ok_or("where it is taken is not known")?;
    let mut open = vec![(place.method, bci)];
    let mut seen: BTreeSet<(MethodId, u16)> = open.iter().copied().collect();
    let (mut looping, mut edges) = (BTreeSet::new(), Vec::new());
    while let Some((method, bci)) = open.pop() {
        if walk.before(method, bci)? {
            looping.insert(method);
        }
        let def = (code.0.methods.get(&method)).ok_or("whose code it is is not known")?;
        let class = walk.class(method);
        let calls = asked.calls_of(def).iter();
        let calls = calls.filter(|call| is_meant(call.kind, call.class, &class));
        let calls: Vec<(MethodId, u16)> = calls.map(|call| (call.method, call.bci)).collect();
        match asked.begins(method) {
            true => drop(begin.insert(method)),
            false if calls.is_empty() => {
                return Err(format!("who calls {} is not known", walk.method(method)));
            }
            false => {}
        }
        edges.extend(calls.iter().map(|&(caller, bci)| (caller, bci, method)));
        open.extend(calls.into_iter().filter(|&call| seen.insert(call)));
    }
    edges.sort_unstable();
    edges.dedup();
    for &first in &begin {
        walk.open.extend(behind(first, &edges, &looping));
    }
    walk.on()?;
    Ok(begin)
}

/// The methods of which a thread that begins there may go through all before it comes to a place in them again.
fn behind(
    first: MethodId,
    edges: &[(MethodId, u16, MethodId)],
    looping: &BTreeSet<MethodId>,
) -> BTreeSet<MethodId> {
    let mut reached = BTreeSet::from([first]);
    let mut open = vec![first];
    while let Some(method) = open.pop() {
        let called = edges.iter().filter(|(caller, ..)| *caller == method);
        open.extend(called.map(|edge| edge.2).filter(|&one| reached.insert(one)));
    }
    let mine: Vec<_> = edges
        .iter()
        .filter(|edge| reached.contains(&edge.0))
        .collect();
    let called: BTreeSet<MethodId> = mine.iter().map(|edge| edge.2).collect();
    let once = called.len() == mine.len() && reached.is_disjoint(looping);
    match once {
        true => BTreeSet::new(),
        false => called,
    }
}

/// Methods by name and descriptor, and what may be called by them.
#[derive(Debug)]
pub(super) struct Named<'c> {
    methods: HashMap<(&'c str, &'c str), Vec<&'c MethodDef>>,
    hierarchy: Hierarchy<'c>,
}

impl<'c> Named<'c> {
    fn all<'s>(&'s self, name: (&'s str, &'s str)) -> &'s [&'c MethodDef] {
        self.methods.get(&name).map_or(&[], Vec::as_slice)
    }

    /// Those that a call may mean: what is called by a class of the JDK's only one that extends it, as far as that is known.
    fn meant<'s>(&'s self, called: &'s MemberRef) -> impl Iterator<Item = &'c MethodDef> + 's {
        let name = (called.name.as_str(), called.descriptor.as_str());
        let extends = |def: &&'c MethodDef| {
            !is_platform_name(&called.class)
                || self.hierarchy.extends_name(def.class, &called.class) != Some(false)
        };
        self.all(name).iter().copied().filter(extends)
    }
}

pub(super) fn named(catalog: &Catalog) -> Named<'_> {
    let mut methods: HashMap<_, Vec<_>> = HashMap::new();
    for method in catalog.methods.values() {
        let name = (method.name.as_str(), method.descriptor.as_str());
        methods.entry(name).or_default().push(method);
    }
    Named {
        methods,
        hierarchy: Hierarchy::of(catalog),
    }
}

/// Reads code, and ends with what is not recorded.
struct Walk<'c> {
    catalog: &'c Catalog,
    ran: &'c Ran<'c>,
    classes: &'c BTreeSet<&'c str>,
    /// What is read counts, too, and this knows what is set.
    reads: Option<&'c Asked<'c>>,
    named: &'c Named<'c>,
    /// Classes that have been initialised, or are initialised by this thread.
    known: BTreeSet<String>,
    seen: BTreeSet<MethodId>,
    open: Vec<MethodId>,
    left: usize,
}

impl<'c> Walk<'c> {
    fn new(
        (catalog, ran, named): (&'c Catalog, &'c Ran<'c>, &'c Named<'c>),
        classes: &'c BTreeSet<&'c str>,
    ) -> Self {
        Self {
            catalog,
            ran,
            classes,
            reads: None,
            named,
            known: BTreeSet::new(),
            seen: BTreeSet::new(),
            open: Vec::new(),
            left: LENGTH,
        }
    }

    fn insns(&self, method: MethodId) -> Result<&'c [Insn], String> {
        let code = self.catalog.code.get(&method);
        let unknown = || format!("the code of {} is not known", self.method(method));
        Ok(code.ok_or_else(unknown)?.insns.as_slice())
    }

    fn class(&self, method: MethodId) -> String {
        let def = self.catalog.methods.get(&method);
        def.map_or_else(String::new, |def| self.catalog.class_name(def.class))
    }

    fn method(&self, method: MethodId) -> String {
        let name = self.catalog.methods.get(&method).map(|def| &def.name);
        format!("{}.{}", self.class(method), name.map_or("", String::as_str))
    }

    /// The code behind the one place, up to the other if it is in the same method.
    fn from(&mut self, from: &Frame, to: &Frame) -> Result<(), String> {
        let all = self.insns(from.method)?;
        let class = self.class(from.method);
        if !self.classes.contains(class.as_str()) {
            return Err(format!("what {} reads", self.method(from.method)));
        }
        let def = self.catalog.methods.get(&from.method);
        if def.is_some_and(|def| def.name == "<clinit>") {
            return Err(format!("{class} is initialised there"));
        }
        let entry = all.iter().take_while(|insn| !branches(&insn.op));
        let before = entry.take_while(|insn| from.bci.is_some_and(|bci| insn.bci <= bci));
        self.known = before.filter_map(|insn| uses(&insn.op)).collect();
        self.seen.insert(from.method);
        let end = match to.method == from.method {
            true => to.bci,
            false => Some(u16::MAX),
        };
        let stretch = stretch(all, from.bci, end).filter(|_| !self.comes_back(from.method));
        self.read((from.method, &class), stretch.unwrap_or(all))
    }

    /// What a method may do before it comes to a place of its own; whether it may come there again.
    fn before(&mut self, method: MethodId, bci: u16) -> Result<bool, String> {
        let (all, class) = (self.insns(method)?, self.class(method));
        // A synchronized method has its lock before its first instruction.
        let calls = |insn: &Insn| matches!(insn.op, Op::Invoke { .. });
        if bci == 0 && !all.first().is_some_and(calls) {
            return Ok(false);
        }
        let code = self.catalog.code.get(&method).and_then(Ways::of);
        let ways = code.ok_or_else(|| "more code than is read here".to_owned())?;
        let place = ways.index(bci);
        let place = place.ok_or_else(|| "where it is taken is not known".to_owned())?;
        let again = ways.leads(place, place);
        let normal = ways.from(&[0], &|_| false);
        let before = ways.from(&[0], &|at| at == place && !again);
        // What nothing leads to deals with exceptions, whenever they come.
        let may = (0..all.len()).filter(|&at| before[at] || !normal[at]);
        may.map(|at| &all[at])
            .try_for_each(|insn| self.insn((method, &class), &insn.op))?;
        Ok(again)
    }

    /// Whether a method may be called again from inside of it: then the two places may be in different calls of it.
    fn comes_back(&self, method: MethodId) -> bool {
        let (mut seen, mut open) = (BTreeSet::new(), vec![method]);
        while let Some(next) = open.pop() {
            let code = self.catalog.code.get(&next);
            let insns = code.into_iter().flat_map(|code| &code.insns);
            for called in insns.filter_map(|insn| called(&insn.op)) {
                let all = self.named.meant(called);
                open.extend(all.map(|def| def.id).filter(|&id| seen.insert(id)));
            }
        }
        seen.contains(&method)
    }

    /// The methods that were called.
    fn on(&mut self) -> Result<(), String> {
        while let Some(method) = self.open.pop() {
            if self.seen.insert(method) {
                let class = self.class(method);
                self.read((method, &class), self.insns(method)?)?;
            }
        }
        Ok(())
    }

    fn read(&mut self, (method, class): (MethodId, &str), insns: &'c [Insn]) -> Result<(), String> {
        let left = self.left.checked_sub(insns.len());
        self.left = left.ok_or_else(|| "more code than is read here".to_owned())?;
        let ran = self.ran;
        let mut insns = insns.iter().filter(|insn| ran.may(method, insn.bci));
        insns.try_for_each(|insn| self.insn((method, class), &insn.op))
    }

    fn insn(&mut self, (method, class): (MethodId, &str), op: &'c Op) -> Result<(), String> {
        let of = uses(op).filter(|of| of != class && !is_platform_name(of));
        if let Some(of) = of.filter(|of| !self.known.contains(of)) {
            match self.reads {
                None => return Err(format!("class {of} may have to be initialised")),
                Some(_) => self.initialise(&of)?,
            }
        }
        if let Some(told) = self.reads.and_then(|asked| reads(asked, method, op)) {
            return Err(told);
        }
        match op {
            Op::Invoke { method: called, .. } if self.reads.is_some() && is_idle(called) => Ok(()),
            Op::Invoke {
                kind: InvokeKind::Dynamic,
                method,
            } => Err(format!("an invokedynamic ({})", method.name)),
            Op::Invoke { kind, method } => self.call(*kind, method),
            _ => Ok(()),
        }
    }

    /// What the initialiser of a class does is done there, too.
    fn initialise(&mut self, class: &str) -> Result<(), String> {
        let initialisers = self.named.all(("<clinit>", "()V")).iter();
        let own = |def: &&&MethodDef| self.catalog.class_name(def.class) == class;
        let own: Vec<MethodId> = initialisers.filter(own).map(|def| def.id).collect();
        if !self.classes.contains(class) {
            return Err(format!("class {class} may have to be initialised"));
        }
        self.known.insert(class.to_owned());
        self.open.extend(own);
        Ok(())
    }

    fn call(&mut self, kind: InvokeKind, called: &MemberRef) -> Result<(), String> {
        let exact = matches!(kind, InvokeKind::Static | InvokeKind::Special);
        let mut any = is_recorded_otherwise(called);
        for def in self.named.meant(called) {
            let class = self.catalog.class_name(def.class);
            let meant = !exact || class == called.class;
            if is_platform_name(&class) || !meant {
                continue;
            }
            if !self.classes.contains(class.as_str()) {
                return Err(format!("a call of {class}.{}", called.name));
            }
            if def.flags & ABSTRACT == 0 {
                self.open.push(def.id);
                any = true;
            }
        }
        match any {
            true => Ok(()),
            false => Err(format!("a call of {}.{}", called.class, called.name)),
        }
    }
}

/// What an instruction reads that may be set when it has been made already, in words.
fn reads(asked: &Asked<'_>, method: MethodId, op: &Op) -> Option<String> {
    match op {
        Op::GetField(field) | Op::GetStatic(field) => {
            let set = is_platform_name(&field.class) || asked.sets_later(method, field);
            set.then(|| format!("{}.{} is read", field.class, field.name))
        }
        Op::ArrayLoad { .. } => Some("elements of arrays are read".to_owned()),
        Op::Invoke { method, .. } => {
            let atomic = method.class.starts_with("java.util.concurrent.atomic.");
            let asks = atomic || asks(method);
            asks.then(|| format!("{}.{} is called", method.class, method.name))
        }
        _ => None,
    }
}

/// Calls into the JDK that read nothing of the program's.
fn is_idle(called: &MemberRef) -> bool {
    called.class == "java.lang.Thread"
        && ["sleep", "yield", "onSpinWait", "currentThread"].contains(&called.name.as_str())
}

/// The instructions behind one place and before another, if no branch leads out of them.
fn stretch(all: &[Insn], from: Option<u16>, to: Option<u16>) -> Option<&[Insn]> {
    let at = |bci: u16| all.binary_search_by_key(&bci, |insn| insn.bci);
    // A synchronized method has its lock before its first instruction.
    let first = match from? {
        0 => 0,
        bci => at(bci).ok()? + 1,
    };
    let last = match to? {
        0 => return None,
        u16::MAX => all.len(),
        bci => at(bci).ok()?,
    };
    let insns = all.get(first..last)?;
    let begin = insns.first().map_or(0, |insn| insn.bci);
    let end = all.get(last).map_or(u16::MAX, |insn| insn.bci);
    let inside = |target: &u16| (begin..=end).contains(target);
    let mut targets = insns.iter().flat_map(|insn| targets(&insn.op));
    targets.all(|target| inside(&target)).then_some(insns)
}

/// Where an instruction may lead besides the next one.
fn targets(op: &Op) -> Vec<u16> {
    match op {
        Op::If { target, .. }
        | Op::IfCmp { target, .. }
        | Op::IfRef { target, .. }
        | Op::IfNull { target, .. }
        | Op::Goto(target)
        | Op::Jsr(target) => vec![*target],
        Op::Switch { cases, default } => {
            let cases = cases.iter().map(|&(_, target)| target);
            cases.chain([*default]).collect()
        }
        _ => Vec::new(),
    }
}

fn branches(op: &Op) -> bool {
    let leaves = matches!(op, Op::Ret(_) | Op::Return { .. } | Op::Throw);
    leaves || !targets(op).is_empty()
}

/// The method that an instruction calls.
fn called(op: &Op) -> Option<&MemberRef> {
    match op {
        Op::Invoke { method, .. } => Some(method),
        _ => None,
    }
}

/// The class that an instruction has initialised.
fn uses(op: &Op) -> Option<String> {
    match op {
        Op::GetStatic(member) | Op::PutStatic(member) => Some(member.class.clone()),
        Op::Invoke {
            kind: InvokeKind::Static,
            method,
        } => Some(method.class.clone()),
        Op::New(class) => Some(class.clone()),
        _ => None,
    }
}

/// Calls into the JDK that keep nobody waiting and call nobody back, or are recorded themselves.
fn is_recorded_otherwise(called: &MemberRef) -> bool {
    let arguments = called.descriptor.split(')').next().unwrap_or_default();
    let given = arguments.replace("Ljava/lang/String;", "");
    let plain = !given.contains('L');
    match called.class.as_str() {
        "java.lang.Object" => {
            let known = ["<init>", "getClass", "wait", "notify", "notifyAll"];
            known.contains(&called.name.as_str())
        }
        "java.lang.System" => ["nanoTime", "currentTimeMillis"].contains(&called.name.as_str()),
        "java.lang.Math"
        | "java.lang.Integer"
        | "java.lang.Long"
        | "java.lang.Boolean"
        | "java.lang.String"
        | "java.lang.StringBuilder" => plain,
        class => {
            let atomic = class.strip_prefix("java.util.concurrent.atomic.");
            let atomic = atomic.is_some_and(|class| super::unseen::ATOMICS.contains(&class));
            atomic && !given.contains("Ljava/util/function/") || is_operated(class)
        }
    }
}

/// Whether operations of a class of the JDK are recorded.
fn is_operated(class: &str) -> bool {
    let concurrent = class.strip_prefix("java.util.concurrent.");
    concurrent.is_some_and(|class| {
        class.starts_with("locks.") || super::unseen::OPERATED.contains(&class)
    })
}

#[cfg(test)]
mod tests;
