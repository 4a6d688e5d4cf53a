//! Subjects where threads meet or wait for one moment: barriers, latches, joins, delays,
//! conditions.

use super::monitor::Move::{Call, Either, SubjectEnds, Think};
use super::monitor::{Cond, Op};
use super::subject::{Subject, always, count};
use locklens_inference::types::{LockType, Role};

/// All of them.
pub fn subjects() -> Vec<Subject> {
    let mut all = barriers();
    all.extend(latches());
    all.extend(joins_and_delays());
    all.extend(conditions());
    all
}

/// Barrier with a generation: field 0 counts, 1 is the number of parties, 2 the generation.
fn cyclic() -> Vec<Op> {
    vec![
        Op::Do(|v, t| {
            v.own[t][0] = v.f[2];
            v.f[0] += 1;
            if v.f[0] == v.f[1] {
                v.f[0] = 0;
                v.f[2] += 1;
            }
        }),
        Op::NotifyAll(|v, t| v.own[t][0] != v.f[2]),
        Op::ReturnIf(|v, t| v.own[t][0] != v.f[2]),
        Op::While(|v, t| v.own[t][0] == v.f[2]),
    ]
}

fn barrier(name: &'static str, parties: i64, code: Vec<Op>) -> Subject {
    Subject::new(name, LockType::Barrier, vec![code])
        .role(Role::Arrive, 0)
        .detail("parties", count(parties as u64))
        .field(1, parties)
}

/// A barrier with as many threads as parties.
pub fn cyclic_barrier(parties: u32) -> Subject {
    barrier("cyclic barrier", i64::from(parties), cyclic())
        .threads(parties as usize, &[Call(0), Think(80)])
}

fn barriers() -> Vec<Subject> {
    let naive = vec![
        Op::Do(|v, t| {
            v.f[0] += 1;
            v.own[t][0] = i64::from(v.f[0] < v.f[1]);
        }),
        Op::If(|v, t| v.own[t][0] == 1),
        Op::ReturnIf(|v, t| v.own[t][0] == 1),
        Op::Do(|v, _| v.f[0] = 0),
        Op::NotifyAll(always),
    ];
    // Field 0: nobody is there, one waits, two have met.
    let one_place = vec![
        Op::While(|v, _| v.f[0] == 2),
        Op::Do(|v, t| {
            v.own[t][0] = v.f[0];
            v.f[0] += 1;
        }),
        Op::NotifyAll(|v, t| v.own[t][0] == 1),
        Op::ReturnIf(|v, t| v.own[t][0] == 1),
        Op::While(|v, _| v.f[0] != 2),
        Op::Do(|v, _| v.f[0] = 0),
        Op::NotifyAll(always),
    ];
    vec![
        cyclic_barrier(4),
        barrier("two meet, the others wait outside", 2, one_place)
            .threads(4, &[Call(0), Think(80)]),
        barrier("barrier without generations", 3, naive).threads(3, &[Call(0), Think(80)]),
        barrier("rendezvous", 2, cyclic()).threads(4, &[Call(0), Think(80)]),
        barrier("barrier used once", 5, cyclic())
            .one_shot()
            .rounds(5, 1, &[Think(80), Call(0)]),
    ]
}

fn latches() -> Vec<Subject> {
    let closed: Cond = |v, _| v.f[0] > 0;
    let down = |notify| vec![Op::Do(|v, _| v.f[0] = (v.f[0] - 1).max(0)), notify];
    let latch = |name, code, n: i64| {
        Subject::new(name, LockType::Latch, vec![vec![Op::While(closed)], code])
            .role(Role::Await, 0)
            .role(Role::CountDown, 1)
            .field(0, n)
            .one_shot()
    };
    vec![
        latch("latch of 3", down(Op::NotifyAll(|v, _| v.f[0] == 0)), 3)
            .detail("count", count(3))
            .rounds(4, 1, &[Think(100), Call(0), Think(50), Call(0)])
            .rounds(3, 1, &[Think(300), Call(1)]),
        latch("gate that opens once", down(Op::NotifyAll(always)), 1)
            .rounds(4, 3, &[Call(0), Think(50)])
            .rounds(1, 1, &[Think(150), Call(1)]),
        latch(
            "latch, notifies at each step",
            down(Op::NotifyAll(always)),
            4,
        )
        .detail("count", count(4))
        .rounds(3, 2, &[Think(60), Call(0)])
        .rounds(2, 2, &[Think(150), Call(1)]),
    ]
}

fn joins_and_delays() -> Vec<Subject> {
    let join = |name| {
        Subject::new(
            name,
            LockType::Join,
            vec![vec![Op::While(|v, _| v.f[0] == 0)]],
        )
        .role(Role::Join, 0)
        .one_shot()
        .rounds(1, 1, &[Think(200), SubjectEnds])
    };
    vec![
        join("join of a thread")
            .thread_object()
            .rounds(2, 1, &[Think(60), Call(0)]),
        join("end of a task").rounds(3, 1, &[Think(60), Call(0)]),
        Subject::new("delay", LockType::Delay, vec![vec![Op::Sleep(80)]])
            .role(Role::Delay, 0)
            .threads(2, &[Call(0), Think(60)]),
    ]
}

fn conditions() -> Vec<Subject> {
    let condition = |name, code| {
        Subject::new(name, LockType::Condition, code)
            .role(Role::Wait, 0)
            .role(Role::Notify, 1)
    };
    let pulse = vec![
        vec![
            Op::Do(|v, t| v.own[t][0] = v.f[0]),
            Op::While(|v, t| v.own[t][0] == v.f[0]),
        ],
        vec![Op::Do(|v, _| v.f[0] += 1), Op::NotifyAll(always)],
    ];
    let pause = vec![
        vec![Op::While(|v, _| v.f[0] == 1)],
        vec![Op::Do(|v, _| v.f[0] = 0), Op::NotifyAll(always)],
        vec![Op::Do(|v, _| v.f[0] = 1)],
    ];
    let level = vec![
        vec![Op::While(|v, _| v.f[0] < 5)],
        vec![Op::Do(|v, _| v.f[0] += 1), Op::NotifyAll(always)],
        vec![Op::Do(|v, _| v.f[0] -= 4)],
    ];
    vec![
        condition("pulse", pulse)
            .threads(3, &[Call(0), Think(60)])
            .threads(1, &[Think(90), Call(1)]),
        condition("pause and go on", pause)
            .free(2)
            .threads(4, &[Call(0), Think(60)])
            .threads(1, &[Think(150), Call(2), Think(150), Call(1)]),
        condition("level", level)
            .free(2)
            .threads(2, &[Call(0), Think(60)])
            .threads(2, &[Think(60), Call(1), Either(30, vec![Call(2)], vec![])]),
        turns(),
    ]
}

/// Threads that take turns in a ring, in one region that both waits and notifies.
fn turns() -> Subject {
    let step = vec![
        Op::While(|v, t| v.f[0] != t as i64),
        Op::Do(|v, _| v.f[0] = (v.f[0] + 1) % 3),
        Op::NotifyAll(always),
    ];
    Subject::new("turns", LockType::Condition, vec![step])
        .role(Role::Wait, 0)
        .role(Role::Notify, 0)
        .threads(3, &[Call(0), Think(60)])
}
