//! Regions of code as javac lays it out, with its exception handlers unknown.

use super::place::{LockShape, enclosing, locate, standing};
use super::subject::Subject;
use super::{Region, RegionPlace, RegionTable};
use crate::effects::{EffectTable, Effects};
use crate::fixtures::{Build, STATIC, SYNCHRONIZED, call, dup, field, leave, load, store};
use crate::program::Program;
use locklens_trace::code::{Cond, Handler, Op};
use locklens_trace::record::{Frame, LockObject};
use locklens_trace::{ClassId, MethodId, StackId};

/// `synchronized (lock) { body }` at slots `slot` and `slot + 1`, cleanup handler and all.
/// Branch targets of the body are its own business.
fn synchronized(at: u16, slot: u16, subject: Vec<Op>, body: Vec<Op>) -> Vec<Op> {
    let mut ops = subject;
    ops.extend([dup(), store(slot), Op::MonitorEnter]);
    ops.extend(body);
    ops.extend([load(slot), Op::MonitorExit]);
    let end = at + ops.len() as u16 + 6;
    ops.push(Op::Goto(end));
    let kept = slot + 1;
    ops.extend([
        store(kept),
        load(slot),
        Op::MonitorExit,
        load(kept),
        Op::Throw,
    ]);
    ops
}

pub(super) fn held(program: &Program<'_>, method: MethodId) -> Vec<Vec<u16>> {
    let n = program.nesting(method).expect("code can be followed");
    (0..program.catalog.code[&method].insns.len() as u16)
        .map(|b| n.held_at(b).to_vec())
        .collect()
}

pub(super) fn one_method(flags: u32, ops: Vec<Op>) -> (Build, MethodId) {
    let mut b = Build::default();
    let class = b.class("app.Gate", "java.lang.Object");
    let method = b.coded(class, "run", flags, ops);
    (b, method)
}

#[test]
fn a_block_reaches_from_its_enter_to_its_exit_and_not_into_the_cleanup() {
    let mut ops = synchronized(0, 1, vec![load(0)], vec![Op::Nop]);
    ops.push(leave());
    let (b, m) = one_method(0, ops);
    let p = Program::of(&b.catalog);
    let inside: Vec<bool> = held(&p, m).iter().map(|h| !h.is_empty()).collect();
    //  load  dup    store  enter  nop   load  exit  goto   store  load   exit   load   throw  return
    assert_eq!(
        inside,
        [
            false, false, false, false, true, true, true, false, false, false, false, false, false,
            false
        ]
    );
    assert_eq!(p.nesting(m).unwrap().monitors[0].subject, Subject::This);
}

#[test]
fn whoever_is_told_of_at_the_enter_stands_in_the_block() {
    let mut ops = synchronized(0, 1, vec![load(0)], vec![Op::Nop]);
    ops.push(leave());
    let (b, method) = one_method(SYNCHRONIZED, ops);
    let p = Program::of(&b.catalog);
    let at = |bci| {
        let bci = Some(bci);
        let regions = standing(&p, Frame { method, bci });
        regions
            .iter()
            .map(|region| region.place)
            .collect::<Vec<_>>()
    };
    let block = RegionPlace::Block { bci: 3, ordinal: 0 };
    assert_eq!(at(2), [RegionPlace::Method]);
    assert_eq!(at(3), [block, RegionPlace::Method]);
    assert_eq!(at(4), [block, RegionPlace::Method]);
}

#[test]
fn a_catch_block_that_joins_the_body_again_is_inside() {
    // sync { try { call } catch { nop } nop }
    let body = vec![
        load(0),
        call("app.Gate", "work"),
        Op::Goto(9),
        store(3),
        Op::Nop,
        Op::Nop,
    ];
    let mut ops = synchronized(0, 1, vec![load(0)], body);
    ops.push(leave());
    let (b, m) = one_method(0, ops);
    let p = Program::of(&b.catalog);
    assert_eq!(held(&p, m)[7..9], [vec![0], vec![0]], "the handler");
}

#[test]
fn a_catch_block_that_returns_is_inside_exactly_what_it_unlocks() {
    // outer { inner { try { call; goto } catch { exit inner; exit outer; return } } }
    let body = vec![
        load(0),
        call("app.Gate", "work"),
        Op::Goto(18),
        store(5),
        load(3),
        Op::MonitorExit,
        load(1),
        Op::MonitorExit,
        leave(),
    ];
    let inner = synchronized(
        4,
        3,
        vec![field_of_this()[0].clone(), field_of_this()[1].clone()],
        body,
    );
    let mut ops = synchronized(0, 1, vec![load(0)], inner);
    ops.push(leave());
    let (b, m) = one_method(0, ops);
    let p = Program::of(&b.catalog);
    let held = held(&p, m);
    assert_eq!(held[12], [0, 1], "entry of the handler");
    assert_eq!(held[15], [0], "behind the inner exit");
    assert!(held[17].is_empty(), "behind the outer exit");
}

fn field_of_this() -> [Op; 2] {
    [load(0), field("app.Gate", "lock")]
}

#[test]
fn a_catch_block_that_only_throws_is_inside_the_blocks_laid_out_around_it() {
    // sync { try { call; exit; return } catch { throw } }
    let body = vec![
        load(0),
        call("app.Gate", "work"),
        load(1),
        Op::MonitorExit,
        leave(),
        store(3),
        Op::New("app.Failure".into()),
        Op::Throw,
    ];
    let mut ops = vec![load(0), dup(), store(1), Op::MonitorEnter];
    ops.extend(body);
    ops.extend([store(2), load(1), Op::MonitorExit, load(2), Op::Throw]);
    // catch of a try around it all, behind the cleanup
    ops.extend([store(3), load(3), Op::Throw]);
    let (b, m) = one_method(0, ops);
    let p = Program::of(&b.catalog);
    let held = held(&p, m);
    assert_eq!(held[9], [0], "catch inside");
    assert!(held[12].is_empty(), "cleanup");
    assert!(held[17].is_empty(), "catch outside");
}

#[test]
fn known_handlers_lead_to_the_same_result() {
    let body = vec![
        load(0),
        call("app.Gate", "work"),
        Op::Goto(9),
        store(3),
        Op::Nop,
        Op::Nop,
    ];
    let mut ops = synchronized(0, 1, vec![load(0)], body);
    ops.push(leave());
    let (mut b, m) = one_method(0, ops);
    let guessed = held(&Program::of(&b.catalog), m);
    let handler = |start, end, target| Handler {
        start,
        end,
        target,
        catches: None,
    };
    b.catalog.code.get_mut(&m).unwrap().handlers = Some(vec![
        handler(4, 6, 7),
        handler(4, 12, 13),
        handler(13, 16, 13),
    ]);
    assert_eq!(held(&Program::of(&b.catalog), m), guessed);
}

#[test]
fn loops_keep_the_block_they_are_in() {
    // for (;;) { sync { if (..) break-out } }
    let ops = vec![
        load(0),
        dup(),
        store(1),
        Op::MonitorEnter,
        load(2),
        Op::If {
            cond: Cond::Ne,
            target: 9,
        },
        load(1),
        Op::MonitorExit,
        Op::Goto(0),
        load(1),
        Op::MonitorExit,
        leave(),
    ];
    let (b, m) = one_method(0, ops);
    let p = Program::of(&b.catalog);
    let held = held(&p, m);
    assert_eq!(held[9], [0]);
    assert!(held[0].is_empty() && held[11].is_empty());
}

#[test]
fn irregular_code_is_refused_or_followed_without_panic() {
    for ops in [
        vec![],
        vec![
            Op::MonitorExit,
            Op::Stack(locklens_trace::code::StackOp::Dup2X2),
            Op::Goto(0),
        ],
        vec![Op::Goto(77)],
        vec![Op::Null, Op::Goto(0)],
        vec![Op::Null, Op::MonitorEnter, Op::Goto(0)],
        vec![Op::Jsr(1), Op::Ret(9)],
    ] {
        let (b, m) = one_method(STATIC, ops);
        let _ = Program::of(&b.catalog).nesting(m);
    }
}

struct Waiter {
    b: Build,
    gate: ClassId,
    stack: StackId,
    outer: MethodId,
}

/// `synchronized take() { awaitFull(); }`, `awaitFull() { this.wait(); }`
fn waits_in_a_helper() -> Waiter {
    let mut b = Build::default();
    let wait = b.object_wait();
    let gate = b.class("app.Gate", "java.lang.Object");
    let helper = b.coded(
        gate,
        "awaitFull",
        0,
        vec![load(0), call("java.lang.Object", "wait"), leave()],
    );
    let outer = b.coded(
        gate,
        "take",
        SYNCHRONIZED,
        vec![load(0), call("app.Gate", "awaitFull"), leave()],
    );
    let stack = b.stack(&[(wait, 0), (helper, 1), (outer, 1)]);
    Waiter {
        b,
        gate,
        stack,
        outer,
    }
}

#[test]
fn a_wait_in_a_helper_belongs_to_the_synchronized_caller() {
    let w = waits_in_a_helper();
    let p = Program::of(&w.b.catalog);
    let mut table = RegionTable::default();
    let lock = LockShape {
        class: Some(w.gate),
        object: &LockObject::Plain,
    };
    let place = locate(&p, &mut table, w.b.catalog.stacks.get(&w.stack), lock);
    assert!(place.in_wait);
    let region = table.get(place.outermost()).unwrap();
    assert_eq!(
        (region.method, region.place),
        (w.outer, RegionPlace::Method)
    );
}

#[test]
fn a_wait_by_reflection_belongs_to_whoever_reflects() {
    let place = |between: &str| {
        let mut b = Build::default();
        let wait = b.object_wait();
        let gate = b.class("app.Gate", "java.lang.Object");
        let hands_on = b.class(between, "java.lang.Object");
        let invoke = b.method(hands_on, "invoke", "()V", 0);
        let code = vec![load(0), call(between, "invoke"), leave()];
        let outer = b.coded(gate, "take", SYNCHRONIZED, code);
        let stack = b.stack(&[(wait, 0), (invoke, 0), (outer, 1)]);
        let p = Program::of(&b.catalog);
        let mut table = RegionTable::default();
        let lock = LockShape {
            class: Some(gate),
            object: &LockObject::Plain,
        };
        let place = locate(&p, &mut table, b.catalog.stacks.get(&stack), lock);
        table.get(place.outermost()).unwrap().method == outer
    };
    assert!(place("jdk.internal.reflect.DirectMethodHandleAccessor"));
    assert!(place("java.lang.invoke.LambdaForm$DMH/0x0000000800c05000"));
    assert!(!place("lib.Unknown"), "that may lock it itself");
}

#[test]
fn nested_regions_on_different_objects_are_told_apart() {
    // synchronized poll() { synchronized (this.lock) { this.lock.wait(); } }
    let mut b = Build::default();
    let wait = b.object_wait();
    let object = ClassId(1);
    let gate = b.class("app.Gate", "java.lang.Object");
    let body = vec![
        load(0),
        field("app.Gate", "lock"),
        call("java.lang.Object", "wait"),
    ];
    let mut ops = synchronized(0, 1, vec![load(0), field("app.Gate", "lock")], body);
    ops.push(leave());
    let poll = b.coded(gate, "poll", SYNCHRONIZED, ops);
    let stack = b.stack(&[(wait, 0), (poll, 7)]);
    let p = Program::of(&b.catalog);
    let mut table = RegionTable::default();
    let lock = LockShape {
        class: Some(object),
        object: &LockObject::Plain,
    };
    let place = locate(&p, &mut table, b.catalog.stacks.get(&stack), lock);
    assert_eq!(place.levels.len(), 1);
    let place = table.get(place.outermost()).unwrap().place;
    assert_eq!(place, RegionPlace::Block { bci: 4, ordinal: 0 });
    let all = enclosing(&p, &b.catalog.stacks[&stack]);
    assert_eq!(all.len(), 2, "the chain is inside both");
}

#[test]
fn nested_levels_of_one_object_are_all_found() {
    // synchronized outer() { inner(); }  synchronized inner() { wait(); }
    let mut b = Build::default();
    let wait = b.object_wait();
    let gate = b.class("app.Gate", "java.lang.Object");
    let inner = b.coded(
        gate,
        "inner",
        SYNCHRONIZED,
        vec![load(0), call("java.lang.Object", "wait"), leave()],
    );
    let outer = b.coded(
        gate,
        "outer",
        SYNCHRONIZED,
        vec![load(0), call("app.Gate", "inner"), leave()],
    );
    let other = b.coded(
        gate,
        "other",
        SYNCHRONIZED,
        vec![load(1), call("app.Gate", "outer"), leave()],
    );
    let stack = b.stack(&[(wait, 0), (inner, 1), (outer, 1), (other, 1)]);
    let p = Program::of(&b.catalog);
    let mut table = RegionTable::default();
    let lock = LockShape {
        class: Some(gate),
        object: &LockObject::Plain,
    };
    let place = locate(&p, &mut table, b.catalog.stacks.get(&stack), lock);
    let methods: Vec<_> = place
        .levels
        .iter()
        .map(|&r| table.get(r).unwrap().method)
        .collect();
    assert_eq!(
        methods,
        [outer, inner],
        "`other` calls outer on something else"
    );
}

#[test]
fn a_blocked_thread_is_placed_at_its_monitorenter_or_synchronized_method() {
    let mut b = Build::default();
    let gate = b.class("app.Gate", "java.lang.Object");
    let mut ops = synchronized(0, 1, vec![load(0)], vec![]);
    ops.push(leave());
    let block = b.coded(gate, "block", 0, ops);
    let native = b.method(gate, "lockNative", "()V", 0x0100);
    let whole = b.method(gate, "whole", "()V", SYNCHRONIZED);
    let mut ops = synchronized(0, 1, vec![load(0)], vec![]);
    ops.push(leave());
    let within = b.coded(gate, "within", SYNCHRONIZED, ops);
    // Interpreted code stands behind the instruction.
    let at = [
        (block, 3),
        (native, 0),
        (whole, 0),
        (within, 3),
        (within, 4),
        (within, 0),
    ];
    let stacks = at.map(|frame| b.stack(&[frame]));
    let p = Program::of(&b.catalog);
    let mut table = RegionTable::default();
    let places = stacks.map(|s| {
        let lock = LockShape {
            class: Some(gate),
            object: &LockObject::Plain,
        };
        let place = locate(&p, &mut table, b.catalog.stacks.get(&s), lock);
        table.get(place.outermost()).unwrap().place
    });
    assert_eq!(places[0], RegionPlace::Block { bci: 3, ordinal: 0 });
    assert_eq!(places[1], RegionPlace::Unknown { bci: Some(0) });
    assert_eq!(places[2], RegionPlace::Method);
    assert_eq!(places[3], RegionPlace::Block { bci: 3, ordinal: 0 });
    assert_eq!(places[4], RegionPlace::Block { bci: 3, ordinal: 0 });
    assert_eq!(places[5], RegionPlace::Method);
}

#[test]
fn no_call_chain_means_no_place() {
    let b = Build::default();
    let p = Program::of(&b.catalog);
    let mut table = RegionTable::default();
    let lock = LockShape {
        class: None,
        object: &LockObject::Plain,
    };
    let place = locate(&p, &mut table, None, lock);
    assert!(!table.get(place.outermost()).unwrap().is_placed());
}

fn effects_of(b: &Build, region: Region, depth: u32) -> Effects {
    let p = Program::of(&b.catalog);
    EffectTable::new(&p, depth).of(&region)
}

#[test]
fn a_region_waits_through_a_callee_within_the_depth() {
    let w = waits_in_a_helper();
    let region = Region {
        method: w.outer,
        class: w.gate,
        place: RegionPlace::Method,
    };
    let deep = effects_of(&w.b, region.clone(), 6);
    assert_eq!(deep.may_wait, Some(true));
    assert_eq!(deep.may_notify, Some(false));
    assert_eq!(
        effects_of(&w.b, region, 0).may_wait,
        None,
        "not followed, so not known"
    );
}

#[test]
fn a_notify_on_another_object_does_not_count() {
    let mut b = Build::default();
    let gate = b.class("app.Gate", "java.lang.Object");
    let other = b.class("app.Other", "java.lang.Object");
    let signal = b.coded(
        other,
        "signal",
        0,
        vec![load(0), call("java.lang.Object", "notify"), leave()],
    );
    let own = b.coded(
        gate,
        "own",
        SYNCHRONIZED,
        vec![load(0), call("java.lang.Object", "notifyAll"), leave()],
    );
    let passes = b.coded(
        gate,
        "passes",
        SYNCHRONIZED,
        vec![load(1), call("app.Other", "signal"), leave()],
    );
    let _ = signal;
    let at = |method| Region {
        method,
        class: gate,
        place: RegionPlace::Method,
    };
    assert_eq!(effects_of(&b, at(own), 6).may_notify_all, Some(true));
    assert_eq!(effects_of(&b, at(passes), 6).may_notify, Some(false));
}

#[test]
fn unknown_code_gives_unknown_effects() {
    let mut b = Build::default();
    let gate = b.class("app.Gate", "java.lang.Object");
    let bare = b.method(gate, "bare", "()V", SYNCHRONIZED);
    let calls = b.coded(
        gate,
        "calls",
        SYNCHRONIZED,
        vec![load(1), call("app.Missing", "go"), leave()],
    );
    let at = |method| Region {
        method,
        class: gate,
        place: RegionPlace::Method,
    };
    assert_eq!(effects_of(&b, at(bare), 6), Effects::default());
    assert_eq!(effects_of(&b, at(calls), 6), Effects::default());
}

#[test]
fn only_calls_inside_the_block_count() {
    let mut b = Build::default();
    let gate = b.class("app.Gate", "java.lang.Object");
    let notify = || [load(0), call("java.lang.Object", "notify")];
    let mut ops = synchronized(0, 1, vec![load(0)], vec![Op::Nop]);
    ops.extend(notify());
    ops.push(leave());
    let method = b.coded(gate, "late", 0, ops);
    let place = RegionPlace::Block { bci: 3, ordinal: 0 };
    let region = Region {
        method,
        class: gate,
        place,
    };
    assert_eq!(effects_of(&b, region, 6).may_notify, Some(false));
}

#[test]
fn waiting_after_a_notify_is_told_from_waiting_before_it() {
    let mut b = Build::default();
    let gate = b.class("app.Gate", "java.lang.Object");
    let wait = || [load(0), call("java.lang.Object", "wait")];
    let notify = || [load(0), call("java.lang.Object", "notify")];
    let before = [&wait()[..], &notify(), &[leave()]].concat();
    let after = [&notify()[..], &wait(), &[leave()]].concat();
    let looped = [&wait()[..], &notify(), &[Op::Goto(0)]].concat();
    let answers = [before, after, looped].map(|ops| {
        let method = b.coded(gate, "run", SYNCHRONIZED, ops);
        let region = Region {
            method,
            class: gate,
            place: RegionPlace::Method,
        };
        let effects = effects_of(&b, region, 6);
        (effects.may_wait_after_notify, effects.may_notify_after_wait)
    });
    let (yes, no) = (Some(true), Some(false));
    assert_eq!(answers, [(no, yes), (yes, no), (yes, yes)]);
}
