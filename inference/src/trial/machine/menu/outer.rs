//! Which methods are operations: those with regions, or those through which alone they are used.

use super::super::world::Reach;
use super::{MethodIx, Op, Program, RegionId, Target, World, is_library};
use crate::statics::survey::{Signal, signal};
use crate::statics::together::ahead_of;
use locklens_trace::ClassId;
use locklens_trace::code::{InvokeKind, MemberRef};
use std::collections::BTreeSet;
use std::rc::Rc;

/// Levels of private methods looked through.
const MAX_LEVELS: u32 = 3;
/// Levels of calls in which regions are found.
const MAX_CALLS: u32 = 4;
const PUBLIC: u32 = 0x0001;
const PRIVATE: u32 = 0x0002;
const SYNTHETIC: u32 = 0x1000;

/// The methods to call so as to run these on an object of a class.
pub(super) fn outermost(
    world: &World<'_>,
    holders: &BTreeSet<MethodIx>,
    class: Option<ClassId>,
) -> BTreeSet<MethodIx> {
    let all = holders
        .iter()
        .flat_map(|&m| outer(world, (holders, class), m, MAX_LEVELS));
    all.collect()
}

fn outer(
    world: &World<'_>,
    (holders, class): (&BTreeSet<MethodIx>, Option<ClassId>),
    method: MethodIx,
    level: u32,
) -> BTreeSet<MethodIx> {
    let program = world.program;
    let def = &program.methods[method].def;
    if class.is_some_and(|class| program.is_overridden(class, method)) {
        let supers: BTreeSet<_> = program.super_calls(method).map(|site| site.0).collect();
        let supers = supers.into_iter().filter(|_| level > 0);
        return supers
            .flat_map(|c| outer(world, (holders, class), c, level - 1))
            .collect();
    }
    let sites = program.callers(def).filter(|c| c.0 != method);
    let sites: BTreeSet<_> = sites.collect();
    // What a worker does again and again is one operation each time.
    let again = |&(caller, at): &(MethodIx, usize)| {
        is_task(program, caller) && program.methods[caller].is_in_loop(at)
    };
    if sites.iter().any(again) || loops_around(world, method) {
        return BTreeSet::from([method]);
    }
    let callers: BTreeSet<_> = sites.into_iter().map(|s| s.0).collect();
    let whole = world.reach != Reach::Monitor && def.flags & PUBLIC == 0;
    let called_back = takes_function(program, method);
    let inside = |&c: &MethodIx| {
        let caller = &program.methods[c].def;
        let related = program.classes.chain(caller.class).contains(&def.class);
        called_back && related && !caller.is_static() && caller.flags & SYNTHETIC == 0
            || holders.contains(&c) && caller.class == def.class
            || whole
                && is_part(program, c, method)
                && (!is_all(world, def.class) || calls_back(world, caller.class, def.class))
            || is_on_handle(program, holders, c, method)
            || def.flags & PRIVATE != 0
                // What runs somebody's code between two steps of the lock is no single operation.
                && (called_back || !takes_function(program, c))
                && !caller.is_static()
                && !def.is_static()
                && !program.methods[c].is_initialiser()
    };
    if level == 0 || callers.is_empty() || !callers.iter().all(inside) {
        return BTreeSet::from([method]);
    }
    callers
        .iter()
        .flat_map(|&c| outer(world, (holders, class), c, level - 1))
        .collect()
}

/// The caller is a method of what another operation of the lock returns: that is how this one is
/// meant to be called.
fn is_on_handle(
    program: &Program,
    holders: &BTreeSet<MethodIx>,
    caller: MethodIx,
    called: MethodIx,
) -> bool {
    let (caller, called) = (&program.methods[caller], &program.methods[called].def);
    let gives = |&&holder: &&MethodIx| {
        let of = &program.methods[holder];
        let name = of.signature.result().and_then(|t| t.class_name());
        name.is_some_and(|n| n == program.classes.name(caller.def.class))
            && of.def.class == called.class
    };
    caller.def.class != called.class
        && !caller.def.is_static()
        && !caller.is_initialiser()
        && caller.def.flags & SYNTHETIC == 0
        && holders.iter().any(|holder| gives(&holder))
}

/// A step of a lock that its own package alone can take, and what takes it there.
fn is_part(program: &Program, caller: MethodIx, step: MethodIx) -> bool {
    let (caller, step) = (&program.methods[caller], &program.methods[step].def);
    let package = |class| {
        let name = program.classes.name(class);
        name.rsplit_once('.').map_or("", |(package, _)| package)
    };
    package(caller.def.class) == package(step.class)
        && !caller.def.is_static()
        && !step.is_static()
        && !caller.is_initialiser()
}

/// The class is the whole that others use: it has all regions of the lock, or makes objects of those other classes that have some.
fn is_all(world: &World<'_>, class: ClassId) -> bool {
    let program = world.program;
    let classes = world
        .regions
        .keys()
        .map(|site| program.methods[site.0].def.class);
    let parts: BTreeSet<ClassId> = classes.filter(|&part| part != class).collect();
    // Whoever extends a class makes none of it when it is made.
    let makes = |part: ClassId| {
        let mut sites = program.constructions(program.classes.name(part)).iter();
        !program.classes.chain(class).contains(&part)
            && sites.any(|site| program.methods[site.0].def.class == class)
    };
    // Several objects of one class are used through what holds them together.
    let alone = parts.is_empty() && world.reach == Reach::Whole;
    alone || parts.into_iter().any(makes)
}

/// The first class has regions of the lock and is made by the second one alone: what it calls there is a step, and it is
/// itself what others use.
fn calls_back(world: &World<'_>, part: ClassId, whole: ClassId) -> bool {
    let program = world.program;
    let mut holders = world
        .regions
        .keys()
        .map(|site| &program.methods[site.0].def);
    let has_regions = holders.any(|method| method.class == part);
    let mut sites = program.constructions(program.classes.name(part)).iter();
    let wholes = program.classes.chain(whole);
    let made_by_it = |maker: ClassId| wholes.contains(&maker);
    !made_by_it(part)
        && has_regions
        && sites.len() > 0
        && sites.all(|site| made_by_it(program.methods[site.0].def.class))
}

/// The method is what a thread or task runs.
pub(super) fn is_task(program: &Program, method: MethodIx) -> bool {
    let def = &program.methods[method].def;
    let is = |class: &str| program.classes.is_a(def.class, class);
    let runs = def.name == "run" && def.descriptor == "()V";
    runs && (is("java.lang.Runnable") || is("java.lang.Thread"))
        || def.name == "call" && is("java.util.concurrent.Callable")
}

/// A task with the lock in a loop: each time around is one operation.
pub(super) fn loops_around(world: &World<'_>, method: MethodIx) -> bool {
    let mut own = world.regions.keys().filter(|site| site.0 == method);
    let in_loop = |at: usize| world.program.methods[method].is_in_loop(at);
    let is_body = is_task(world.program, method) || is_all_of_one(world.program, method);
    is_body && own.any(|site| site.1.is_some_and(in_loop))
}

/// Where a method that goes on for ever leaves a monitor and comes straight to another region of the lock, before it begins again: both are
/// one round of it. What it calls on its way may do anything, where that is known.
pub(super) fn goes_on(world: &World<'_>, method: MethodIx) -> Rc<BTreeSet<usize>> {
    let program = world.program;
    let of = &program.methods[method];
    let all = world.regions.keys().filter(|site| site.0 == method);
    let regions: BTreeSet<usize> = all.filter_map(|site| site.1).collect();
    let is_known = |op: &Op| match op {
        Op::Invoke {
            kind,
            method: called,
        } => {
            let target = program.resolve(*kind, called, of.def.class, None);
            matches!(target, Target::Code(_)) && !is_library(&called.class)
        }
        _ => false,
    };
    let all = || of.code.iter().enumerate();
    let known = all().filter(|(_, insn)| is_known(&insn.op));
    let known: BTreeSet<usize> = known.map(|(at, _)| at).collect();
    let exits = all().filter(|(_, insn)| insn.op == Op::MonitorExit);
    let comes = |at: &usize| !ahead_of(of, *at, &known).is_disjoint(&regions);
    Rc::new(exits.map(|(at, _)| at).filter(comes).collect())
}

/// All that some function or task does: it takes nothing and returns nothing, and is handed on as a function, or called by who calls
/// nothing else.
fn is_all_of_one(program: &Program, method: MethodIx) -> bool {
    let of = &program.methods[method];
    let calls = |m: MethodIx| {
        let code = program.methods[m].code.iter();
        let invokes = |op: &Op| matches!(op, Op::Invoke { .. });
        code.filter(|insn| invokes(&insn.op)).count()
    };
    let is_function = |m: MethodIx| {
        let flags = program.methods[m].def.flags;
        flags & SYNTHETIC != 0 || is_task(program, m)
    };
    let mut callers = program.callers(&of.def).peekable();
    let is_called = callers.peek().is_some();
    of.def.descriptor == "()V"
        && (program.is_handed_on(&of.def) || is_called)
        && callers.all(|(caller, _)| is_function(caller) && calls(caller) == 1)
}

/// What the method does is handed to it as functions: alone it says nothing.
fn takes_function(program: &Program, method: MethodIx) -> bool {
    let mut params = program.methods[method].signature.params();
    params.any(|ty| {
        let name = ty.class_name().unwrap_or_default();
        let class = program.classes.named(&name, None);
        name.starts_with("java.util.function.")
            || matches!(
                name.as_str(),
                "java.lang.Runnable" | "java.util.concurrent.Callable"
            )
            || class.is_some_and(|c| program.is_functional(c))
    })
}

/// The regions of the lock that a method contains, itself or in what it calls, in order of code. What the program's code
/// calls that is one of several methods is that of the class on whose object the lock hangs.
pub(super) fn regions_of(
    world: &World<'_>,
    class: Option<ClassId>,
    method: MethodIx,
) -> Vec<RegionId> {
    let mut found = Vec::new();
    let mut seen = BTreeSet::new();
    collect(world, (class, method), MAX_CALLS, &mut seen, &mut found);
    found
}

fn target(
    program: &Program,
    class: Option<ClassId>,
    from: ClassId,
    (kind, callee): (InvokeKind, &MemberRef),
) -> Target {
    match program.resolve(kind, callee, from, None) {
        Target::Opaque if !is_library(&callee.class) => {
            let named = program.classes.named(&callee.class, Some(from));
            let is_one =
                |&c: &ClassId| named.is_some_and(|n| program.classes.above(c).contains(&n));
            match class.filter(is_one) {
                Some(class) => program.resolve(kind, callee, from, Some(class)),
                None => Target::Opaque,
            }
        }
        known => known,
    }
}

fn collect(
    world: &World<'_>,
    (class, method): (Option<ClassId>, MethodIx),
    calls: u32,
    seen: &mut BTreeSet<MethodIx>,
    found: &mut Vec<RegionId>,
) {
    if !seen.insert(method) {
        return;
    }
    let mut add = |site| {
        if let Some(id) = world.regions.get(&site) {
            found.push(*id);
        }
    };
    add((method, None));
    let of = &world.program.methods[method];
    for (at, insn) in of.code.iter().enumerate() {
        match &insn.op {
            Op::MonitorEnter => found.extend(world.regions.get(&(method, Some(at)))),
            Op::Invoke {
                kind,
                method: callee,
            } if calls > 0 => {
                let target = target(world.program, class, of.def.class, (*kind, callee));
                if let Target::Code(callee) = target {
                    collect(world, (class, callee), calls - 1, seen, found);
                }
            }
            _ => {}
        }
    }
}

/// A method that itself waits.
pub(in super::super) fn waits(program: &Program, method: MethodIx) -> bool {
    let mut code = program.methods[method].code.iter();
    code.any(|insn| match &insn.op {
        Op::Invoke { kind, method } => {
            matches!(signal(*kind, method), Some((Signal::Wait, _)))
        }
        _ => false,
    })
}

/// A method that waits or notifies, itself or in what it calls.
pub(super) fn signals(program: &Program, method: MethodIx) -> bool {
    signals_within(program, method, MAX_CALLS, &mut BTreeSet::new())
}

fn signals_within(
    program: &Program,
    method: MethodIx,
    calls: u32,
    seen: &mut BTreeSet<MethodIx>,
) -> bool {
    let of = &program.methods[method];
    seen.insert(method)
        && of.code.iter().any(|insn| match &insn.op {
            Op::Invoke { kind, method } if signal(*kind, method).is_none() && calls > 0 => {
                let target = program.resolve(*kind, method, of.def.class, None);
                matches!(target, Target::Code(callee) if signals_within(program, callee, calls - 1, seen))
            }
            Op::Invoke { kind, method } => signal(*kind, method).is_some(),
            _ => false,
        })
}
