//! Code of two threads, of which one waits in a loop: whether only the other one lets it go.

use super::*;
use crate::fixtures::{Build, STATIC, leave, virtual_ref};
use locklens_trace::code::Cond;

const ONCE: Past = Past {
    ended: false,
    once: true,
    alone: true,
};

fn number(value: i64) -> Op {
    Op::Const { value, wide: false }
}

fn done() -> MemberRef {
    virtual_ref("a.Desk", "done", "Z")
}

fn read() -> Op {
    Op::GetStatic(done())
}

fn set() -> Op {
    Op::PutStatic(done())
}

fn if_set(cond: Cond, target: u16) -> Op {
    Op::If { cond, target }
}

/// Waits until it is set, then takes a lock at 3.
fn polls() -> Vec<Op> {
    let around = vec![read(), if_set(Cond::Ne, 3), Op::Goto(0)];
    around
        .into_iter()
        .chain([Op::MonitorEnter, leave()])
        .collect()
}

/// Takes a lock at 0, then sets it.
fn gives() -> Vec<Op> {
    vec![Op::MonitorEnter, number(1), set(), leave()]
}

struct Scene {
    build: Build,
    class: locklens_trace::ClassId,
    takes: (MethodId, u16),
    gives: (MethodId, u16),
}

impl Scene {
    fn of(takes: Vec<Op>, gives: Vec<Op>) -> Self {
        let mut build = Build::default();
        let class = build.class("a.Desk", "java.lang.Object");
        let lock = |ops: &[Op]| ops.iter().position(|op| *op == Op::MonitorEnter);
        let [at_take, at_give] = [&takes, &gives].map(|ops| lock(ops).unwrap_or(0) as u16);
        let takes = (build.coded(class, "take", STATIC, takes), at_take);
        let gives = (build.coded(class, "give", STATIC, gives), at_give);
        Self {
            build,
            class,
            takes,
            gives,
        }
    }

    fn with(mut self, name: &str, ops: Vec<Op>) -> Self {
        self.build.coded(self.class, name, STATIC, ops);
        self
    }

    fn told(&self, past: Past) -> Option<String> {
        let frame = |(method, bci)| Frame {
            method,
            bci: Some(bci),
        };
        let asked = Asked::of(&self.build.catalog);
        asked.awaited(&[frame(self.takes)], &[frame(self.gives)], past)
    }

    fn is_ordered(&self) -> bool {
        self.told(ONCE).is_some()
    }
}

#[test]
fn who_waits_for_what_only_comes_behind_the_other_place_comes_after_it() {
    let scene = Scene::of(polls(), gives());
    let told = scene.told(ONCE).unwrap();
    assert_eq!(
        told,
        "a.Desk.take waits for a.Desk.done, which nothing else sets than what comes behind the other place"
    );
    // Another thread that was at the place may still be there.
    let others = Past {
        alone: false,
        ..ONCE
    };
    assert_eq!(scene.told(others), None);
}

#[test]
fn what_somebody_else_sets_puts_nothing_in_order() {
    let sets = || vec![number(1), set(), leave()];
    assert!(
        !Scene::of(polls(), gives())
            .with("else", sets())
            .is_ordered()
    );
    // Nor what is set before the place, or from the beginning.
    let before = vec![number(1), set(), Op::MonitorEnter, leave()];
    assert!(!Scene::of(polls(), before).is_ordered());
    assert!(
        !Scene::of(polls(), gives())
            .with("<clinit>", sets())
            .is_ordered()
    );
    // What is set back lets nobody go.
    let back = vec![number(0), set(), leave()];
    assert!(Scene::of(polls(), gives()).with("back", back).is_ordered());
}

#[test]
fn who_sets_it_and_comes_to_the_place_again_may_be_there() {
    let rounds = vec![Op::MonitorEnter, number(1), set(), Op::Goto(0)];
    assert!(!Scene::of(polls(), rounds).is_ordered());
}

#[test]
fn what_is_set_within_the_call_that_leads_to_the_place_may_come_before_it() {
    let sets = vec![number(1), set(), Op::MonitorEnter, leave()];
    let call = || Op::Invoke {
        kind: InvokeKind::Static,
        method: virtual_ref("a.Desk", "give", "()V"),
    };
    assert!(
        !Scene::of(polls(), sets)
            .with("go", vec![call(), leave()])
            .is_ordered()
    );
    // Behind that call it does not.
    let plain = vec![Op::MonitorEnter, leave()];
    let behind = vec![call(), number(1), set(), leave()];
    assert!(Scene::of(polls(), plain).with("go", behind).is_ordered());
}

#[test]
fn a_task_may_be_run_again() {
    let often = Past {
        once: false,
        ..ONCE
    };
    let call = || Op::Invoke {
        kind: InvokeKind::Static,
        method: virtual_ref("a.Desk", "give", "()V"),
    };
    let plain = || vec![Op::MonitorEnter, leave()];
    let told = |ops: Vec<Op>| {
        let mut scene = Scene::of(polls(), plain());
        scene.build.coded(scene.class, "run", 0, ops);
        scene.told(often)
    };
    assert_eq!(told(vec![call(), number(1), set(), leave()]), None);
    let rounds = vec![
        call(),
        read(),
        if_set(Cond::Eq, 0),
        number(1),
        set(),
        leave(),
    ];
    assert!(told(rounds).is_some());
}

#[test]
fn a_loop_that_ends_for_another_reason_too_puts_nothing_in_order() {
    let other = virtual_ref("a.Desk", "other", "Z");
    let either = vec![
        read(),
        if_set(Cond::Ne, 5),
        Op::GetStatic(other),
        if_set(Cond::Eq, 0),
        Op::Nop,
        Op::MonitorEnter,
        leave(),
    ];
    let scene = || Scene::of(either.clone(), gives());
    let sets_other = |value| {
        let other = Op::PutStatic(virtual_ref("a.Desk", "other", "Z"));
        vec![number(value), other, leave()]
    };
    assert!(scene().is_ordered());
    assert!(scene().with("never", sets_other(0)).is_ordered());
    assert!(!scene().with("early", sets_other(1)).is_ordered());
    // Nor one that a branch leads around.
    let mut around = vec![
        Op::Load {
            slot: 0,
            wide: false,
        },
        if_set(Cond::Ne, 5),
    ];
    around.extend([
        read(),
        if_set(Cond::Ne, 5),
        Op::Goto(2),
        Op::MonitorEnter,
        leave(),
    ]);
    assert!(!Scene::of(around, gives()).is_ordered());
}

#[test]
fn what_a_loop_goes_through_is_not_what_it_waits_for() {
    let next = virtual_ref("a.Desk", "next", "La/Desk;");
    let steps = vec![
        Op::Load {
            slot: 0,
            wide: false,
        },
        Op::GetField(next.clone()),
        Op::IfNull {
            null: true,
            target: 7,
        },
        Op::Load {
            slot: 0,
            wide: false,
        },
        Op::GetField(next),
        Op::Store {
            slot: 0,
            wide: false,
        },
        Op::Goto(0),
        Op::MonitorEnter,
        leave(),
    ];
    assert!(!Scene::of(steps, gives()).is_ordered());
}

#[test]
fn whose_turn_it_is_may_be_an_atomic() {
    let of = "java.util.concurrent.atomic.AtomicInteger";
    let turn = || {
        virtual_ref(
            "a.Desk",
            "turn",
            "Ljava/util/concurrent/atomic/AtomicInteger;",
        )
    };
    let call = |kind, name, descriptor| Op::Invoke {
        kind,
        method: virtual_ref(of, name, descriptor),
    };
    let on = |name, descriptor| call(InvokeKind::Virtual, name, descriptor);
    let begins = |with: i64| {
        vec![
            Op::New(of.to_owned()),
            number(with),
            call(InvokeKind::Special, "<init>", "(I)V"),
            Op::PutStatic(turn()),
            leave(),
        ]
    };
    let waits = || {
        vec![
            Op::GetStatic(turn()),
            on("get", "()I"),
            number(1),
            Op::IfCmp {
                cond: Cond::Ne,
                target: 0,
            },
            Op::MonitorEnter,
            Op::GetStatic(turn()),
            on("incrementAndGet", "()I"),
            leave(),
        ]
    };
    let counts = vec![
        Op::MonitorEnter,
        Op::GetStatic(turn()),
        on("incrementAndGet", "()I"),
        leave(),
    ];
    let scene = |with| Scene::of(waits(), counts.clone()).with("<clinit>", begins(with));
    assert!(scene(0).is_ordered());
    assert!(!scene(1).is_ordered());
    // Who has it can do anything to it.
    let away = vec![Op::GetStatic(turn()), Op::Return { value: true }];
    assert!(!scene(0).with("turn", away).is_ordered());
}

#[test]
fn a_constructor_is_handed_what_there_is_from_the_beginning() {
    let left = || virtual_ref("a.Desk", "left", "I");
    let own = || Op::Load {
        slot: 0,
        wide: false,
    };
    let waits = vec![
        own(),
        Op::GetField(left()),
        if_set(Cond::Gt, 0),
        Op::MonitorEnter,
        leave(),
    ];
    let counts = vec![
        Op::MonitorEnter,
        own(),
        number(0),
        Op::PutField(left()),
        leave(),
    ];
    let made = |with: i64| {
        let mut scene = Scene::of(waits.clone(), counts.clone());
        let init = scene.build.method(scene.class, "<init>", "(I)V", 0);
        let given = Op::Load {
            slot: 1,
            wide: false,
        };
        scene
            .build
            .code(init, vec![own(), given, Op::PutField(left()), leave()]);
        let call = Op::Invoke {
            kind: InvokeKind::Special,
            method: virtual_ref("a.Desk", "<init>", "(I)V"),
        };
        let new = Op::New("a.Desk".to_owned());
        scene.with("make", vec![new, number(with), call, leave()])
    };
    assert!(made(1).is_ordered());
    assert!(!made(0).is_ordered());
}

#[test]
fn a_state_is_told_by_a_constant_of_its_enum() {
    let state = || virtual_ref("a.Desk", "state", "La/State;");
    let constant = |name| Op::GetStatic(virtual_ref("a.State", name, "La/State;"));
    let waits = vec![
        Op::GetStatic(state()),
        constant("DONE"),
        Op::IfRef {
            equal: false,
            target: 0,
        },
        Op::MonitorEnter,
        leave(),
    ];
    let begins = |with| vec![constant(with), Op::PutStatic(state()), leave()];
    let gives = vec![
        Op::MonitorEnter,
        constant("DONE"),
        Op::PutStatic(state()),
        leave(),
    ];
    let scene = |with| Scene::of(waits.clone(), gives.clone()).with("<clinit>", begins(with));
    assert!(scene("NEW").is_ordered());
    assert!(!scene("DONE").is_ordered());
}
