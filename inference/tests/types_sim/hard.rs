//! Subjects that stray from the textbook: fair, weighted, interrupted, refilled, drained, striped.

use super::monitor::Move::{Call, Either, Think, When};
use super::monitor::{Act, Cond, Move, Op};
use super::subject::{Subject, always};
use locklens_inference::types::{LockType, Role};

/// All of them.
pub fn subjects() -> Vec<Subject> {
    let mut all = fair();
    all.extend(weighted());
    all.extend(queues());
    all.extend(conditions());
    all.extend(sharing());
    all
}

const EMPTY: Cond = |v, _| v.f[0] == 0;
const DEC: Act = |v, _| v.f[0] -= 1;
const INC: Act = |v, _| v.f[0] += 1;

fn pairs(acquire: usize, release: usize) -> Vec<Move> {
    vec![Call(acquire), Think(60), Call(release), Think(60)]
}

/// Tickets: field 1 is the next to be given, field 2 the one served.
fn fair() -> Vec<Subject> {
    let ticket: Act = |v, t| {
        v.own[t][0] = v.f[1];
        v.f[1] += 1;
    };
    vec![
        Subject::new(
            "ticket lock",
            LockType::Lock,
            vec![
                vec![Op::Do(ticket), Op::While(|v, t| v.f[2] != v.own[t][0])],
                vec![Op::Do(|v, _| v.f[2] += 1), Op::NotifyAll(always)],
            ],
        )
        .or(LockType::Semaphore)
        .threads(4, &pairs(0, 1)),
        Subject::new(
            "fair semaphore",
            LockType::Semaphore,
            vec![
                vec![
                    Op::Do(ticket),
                    Op::While(|v, t| v.f[0] == 0 || v.f[2] != v.own[t][0]),
                    Op::Do(|v, _| v.f[2] += 1),
                    Op::Do(DEC),
                    Op::NotifyAll(|v, _| v.f[0] > 0),
                ],
                vec![Op::Do(INC), Op::NotifyAll(always)],
            ],
        )
        .field(0, 2)
        .threads(6, &pairs(0, 1)),
    ]
}

fn weighted() -> Vec<Subject> {
    let weight: Act = |v, t| v.own[t][1] = 1 + (v.own[t][1] * 7 + t as i64) % 3;
    let got: Cond = |v, t| v.own[t][0] > 0;
    vec![
        Subject::new(
            "semaphore, acquire(n)",
            LockType::Semaphore,
            vec![
                vec![
                    Op::Do(weight),
                    Op::While(|v, t| v.f[0] < v.own[t][1]),
                    Op::Do(|v, t| v.f[0] -= v.own[t][1]),
                ],
                vec![Op::Do(|v, t| v.f[0] += v.own[t][1]), Op::NotifyAll(always)],
            ],
        )
        .field(0, 5)
        .threads(6, &pairs(0, 1)),
        Subject::new(
            "rate limiter",
            LockType::Semaphore,
            vec![
                vec![Op::While(EMPTY), Op::Do(DEC)],
                vec![Op::Do(|v, _| v.f[0] = 5), Op::NotifyAll(always)],
            ],
        )
        .threads(4, &[Call(0), Think(30)])
        .threads(1, &[Think(150), Call(1)]),
        Subject::new(
            "semaphore, interrupted now and then",
            LockType::Semaphore,
            vec![
                vec![
                    Op::Do(|v, t| v.own[t][0] = 0),
                    Op::Interruptible(EMPTY),
                    Op::Do(DEC),
                    Op::Do(|v, t| v.own[t][0] = 1),
                ],
                vec![Op::Do(INC), Op::Notify(always)],
            ],
        )
        .field(0, 3)
        .threads(
            6,
            &[Call(0), When(got, vec![Think(60), Call(1)]), Think(60)],
        ),
    ]
}

fn queues() -> Vec<Subject> {
    let put = || vec![Op::Do(INC), Op::NotifyAll(always)];
    let queue = |name, regions| Subject::new(name, LockType::ProducerConsumer, regions);
    vec![
        queue(
            "queue that is drained",
            vec![put(), vec![Op::While(EMPTY), Op::Do(|v, _| v.f[0] = 0)]],
        )
        .threads(3, &[Think(60), Call(0)])
        .threads(2, &[Call(1), Think(60)]),
        queue(
            "mailbox",
            vec![
                vec![Op::Do(|v, _| v.f[0] = 1), Op::Notify(always)],
                vec![Op::While(EMPTY), Op::Do(|v, _| v.f[0] = 0)],
            ],
        )
        .threads(2, &[Think(60), Call(0)])
        .threads(1, &[Call(1), Think(60)]),
        queue(
            "queue with poll() beside take()",
            vec![
                put(),
                vec![Op::While(EMPTY), Op::Do(DEC)],
                vec![Op::ReturnIf(EMPTY), Op::Do(DEC)],
            ],
        )
        .threads(2, &[Think(60), Call(0)])
        .threads(2, &[Call(1), Think(60)])
        .threads(1, &[Call(2), Think(90)]),
        queue(
            "queue, put in pairs",
            vec![
                vec![Op::Do(|v, _| v.f[0] += 2), Op::NotifyAll(always)],
                vec![Op::While(EMPTY), Op::Do(DEC)],
            ],
        )
        .or(LockType::Semaphore)
        .threads(2, &[Think(120), Call(0)])
        .threads(3, &[Call(1), Think(60)]),
    ]
}

fn conditions() -> Vec<Subject> {
    let await_zero = vec![Op::While(|v, _| v.f[0] > 0)];
    let done = vec![Op::Do(DEC), Op::NotifyAll(EMPTY)];
    let changed = vec![
        Op::Do(|v, t| v.own[t][0] = v.f[0]),
        Op::While(|v, t| v.f[0] - v.own[t][0] < 2),
    ];
    vec![
        Subject::new(
            "wait group",
            LockType::Condition,
            vec![await_zero, done, vec![Op::Do(INC)]],
        )
        .or(LockType::Latch)
        .threads(2, &[Call(0), Think(60)])
        .threads(3, &[Call(2), Think(60), Call(1), Think(90)]),
        Subject::new(
            "two more changes",
            LockType::Condition,
            vec![changed, vec![Op::Do(INC), Op::NotifyAll(always)]],
        )
        .threads(3, &[Call(0), Think(60)])
        .threads(1, &[Think(60), Call(1)]),
        Subject::new(
            "turns in a fixed order",
            LockType::Condition,
            vec![
                vec![Op::While(|v, t| v.f[0] != t as i64)],
                vec![
                    Op::Do(|v, _| v.f[0] = (v.f[0] + 1) % 3),
                    Op::NotifyAll(always),
                ],
            ],
        )
        .threads(
            3,
            &[
                Either(50, vec![Think(150)], vec![Think(30)]),
                Call(0),
                Think(60),
                Call(1),
            ],
        ),
    ]
}

fn sharing() -> Vec<Subject> {
    let few = |name, lock_type| {
        Subject::new(
            name,
            lock_type,
            vec![
                vec![Op::While(EMPTY), Op::Do(DEC)],
                vec![Op::Do(INC), Op::Notify(always)],
            ],
        )
    };
    let read = vec![
        Op::WhileFor(|v, _| v.f[1] > 0, 40),
        Op::Do(INC),
        Op::Do(|v, t| v.own[t][0] = 1),
    ];
    let begin = vec![Op::Do(|v, t| v.own[t][0] = 0)];
    let read = [begin, read].concat();
    let write = vec![
        Op::While(|v, _| v.f[0] > 0 || v.f[1] > 0),
        Op::Do(|v, _| v.f[1] = 1),
    ];
    let got: Cond = |v, t| v.own[t][0] > 0;
    vec![
        few("striped semaphores, short lives", LockType::Semaphore)
            .field(0, 2)
            .one_shot()
            .rounds(4, 2, &[Call(0), Think(90), Call(1), Think(30)]),
        few("futures: one answer each", LockType::Latch)
            .or(LockType::Semaphore)
            .or(LockType::ProducerConsumer)
            .or(LockType::Condition)
            .one_shot()
            .rounds(1, 1, &[Call(0)])
            .rounds(1, 1, &[Think(90), Call(1)]),
        Subject::new(
            "read-write, timed reads",
            LockType::ReadWrite,
            vec![
                read,
                write,
                vec![Op::Do(DEC), Op::NotifyAll(always)],
                vec![Op::Do(|v, _| v.f[1] = 0), Op::NotifyAll(always)],
            ],
        )
        .role(Role::ReadLock, 0)
        .role(Role::WriteLock, 1)
        .role(Role::ReadUnlock, 2)
        .role(Role::WriteUnlock, 3)
        .threads(
            4,
            &[Call(0), When(got, vec![Think(90), Call(2)]), Think(60)],
        )
        .threads(
            2,
            &[
                Call(1),
                Think(60),
                Call(3),
                Either(50, vec![Think(120)], vec![Think(60)]),
            ],
        ),
    ]
}
