//! Whether something is given as time passes, and not in return for what was taken.

use super::program::{MethodIx, Program, Target};
use super::survey::{Signal, signal};
use super::together::Callers;
use locklens_trace::code::{InvokeKind, MemberRef, Op};
use std::collections::BTreeSet;

/// How many calls below a method a pause is looked for.
const LEVELS: usize = 3;
/// Methods that are looked at.
const MOST: usize = 1_000;

/// Those who give these pause, or are sent by a timer, and wait for nothing that others bring, and none of them was sent by who
/// takes: a clock gives. Those who call it come first; where they do nothing of that, who calls them.
/// Callers that are `inside` do not count.
pub(crate) fn gives(
    program: &Program,
    (take, give): (&BTreeSet<MethodIx>, &BTreeSet<MethodIx>),
    inside: &BTreeSet<MethodIx>,
) -> bool {
    let (takers, givers) = (
        Callers::of(program, take, inside),
        Callers::of(program, give, inside),
    );
    let makers = |of: &BTreeSet<MethodIx>| -> BTreeSet<MethodIx> {
        let defs = of.iter().map(|&method| &program.methods[method].def);
        let sites = defs.flat_map(|def| program.handings_on(def));
        sites.map(|site| site.0).collect()
    };
    let all: BTreeSet<MethodIx> = givers.methods().chain(give.iter().copied()).collect();
    if makers(&all).iter().any(|&maker| takers.has(maker)) {
        return false;
    }
    if all.iter().any(|&method| is_task(program, method))
        || makers(&all).iter().any(|&by| does(program, by, schedules))
    {
        return true;
    }
    let near = || paces(program, givers.nearest());
    near().or_else(|| paces(program, givers.methods())) == Some(true)
}

/// A task of a timer does this.
fn is_task(program: &Program, method: MethodIx) -> bool {
    let class = program.methods[method].def.class;
    program.classes.is_a(class, "java.util.TimerTask")
}

/// These do what they do as time passes, or as something comes to them. None: neither, as far as they were looked at.
fn paces(program: &Program, these: impl Iterator<Item = MethodIx>) -> Option<bool> {
    let below = below(program, these)?;
    let do_so = |what: fn(&Op) -> bool| below.iter().any(|&method| does(program, method, what));
    match (do_so(receives), do_so(pauses)) {
        (true, _) => Some(false),
        (false, true) => Some(true),
        (false, false) => None,
    }
}

/// These methods and those that they alone can mean by what they call, within a few calls. None: there are too many.
fn below(program: &Program, from: impl Iterator<Item = MethodIx>) -> Option<BTreeSet<MethodIx>> {
    let mut known: BTreeSet<MethodIx> = from.collect();
    let mut last: Vec<MethodIx> = known.iter().copied().collect();
    for _ in 0..LEVELS {
        let called = last.iter().flat_map(|&caller| called(program, caller));
        last = called.filter(|&method| known.insert(method)).collect();
        if known.len() > MOST {
            return None;
        }
    }
    Some(known)
}

fn called(program: &Program, caller: MethodIx) -> impl Iterator<Item = MethodIx> + '_ {
    let method = &program.methods[caller];
    let ops = method.code.iter().map(|insn| &insn.op);
    ops.filter_map(|op| match op {
        Op::Invoke { kind, method: to } => {
            match program.resolve(*kind, to, method.def.class, None) {
                Target::Code(found) => Some(found),
                Target::Opaque => None,
            }
        }
        _ => None,
    })
}

fn does(program: &Program, method: MethodIx, what: fn(&Op) -> bool) -> bool {
    let mut code = program.methods[method].code.iter();
    code.any(|insn| what(&insn.op))
}

/// A call that comes back when some time has passed.
fn pauses(op: &Op) -> bool {
    let Op::Invoke { kind, method } = op else {
        return false;
    };
    let class = method.class.as_str();
    match method.name.as_str() {
        // A thread may call it by its own name.
        "sleep" => method.descriptor.starts_with("(J"),
        "parkNanos" | "parkUntil" => class == "java.util.concurrent.locks.LockSupport",
        _ => waits(*kind, method) && !is_unlimited(method),
    }
}

/// A call that has something done again and again.
fn schedules(op: &Op) -> bool {
    let Op::Invoke { method, .. } = op else {
        return false;
    };
    let timer = ["java.util.Timer", "java.util.concurrent.Scheduled"];
    method.name.starts_with("schedule") && timer.iter().any(|of| method.class.starts_with(of))
}

/// A call that comes back with what others have brought, or have let go of.
fn receives(op: &Op) -> bool {
    let Op::Invoke { kind, method } = op else {
        return false;
    };
    let (class, name) = (method.class.as_str(), method.name.as_str());
    let of = |package: &str| class.starts_with(package);
    match name {
        "take" | "takeFirst" | "takeLast" | "poll" | "pollFirst" | "pollLast" | "acquire"
        | "await" | "exchange" | "join" => of("java.util.concurrent."),
        "get" => of("java.util.concurrent.") && class.contains("Future"),
        "accept" | "receive" | "select" => of("java.net.") || of("java.nio."),
        _ if name.starts_with("read") => of("java.io.") || of("java.net.") || of("java.nio."),
        _ => waits(*kind, method) && is_unlimited(method),
    }
}

fn waits(kind: InvokeKind, method: &MemberRef) -> bool {
    matches!(signal(kind, method), Some((Signal::Wait, _)))
}

fn is_unlimited(method: &MemberRef) -> bool {
    method.descriptor == "()V"
}
