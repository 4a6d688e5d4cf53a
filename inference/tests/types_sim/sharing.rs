//! Subjects with readers and writers, plain mutual exclusion, and several uses of one lock.

use super::monitor::Move::{Call, Either, Think};
use super::monitor::{Act, Cond, Move, Op};
use super::subject::{Subject, always, word};
use locklens_inference::types::{Detail, LockType, Role};

/// All of them.
pub fn subjects() -> Vec<Subject> {
    let mut all = read_write();
    all.extend(exclusive());
    all.extend(mixed());
    all
}

// Fields: 0 readers, 1 writing (0/1), 2 waiting writers.
const NO_READ: Cond = |v, _| v.f[1] > 0;
const NO_READ_FAIR: Cond = |v, _| v.f[1] > 0 || v.f[2] > 0;
const NO_WRITE: Cond = |v, _| v.f[0] > 0 || v.f[1] > 0;
const READ: Act = |v, _| v.f[0] += 1;
const UNREAD: Act = |v, _| v.f[0] -= 1;
const WRITE: Act = |v, _| v.f[1] = 1;
const UNWRITE: Act = |v, _| v.f[1] = 0;

const RL: usize = 0;
const WL: usize = 1;
const RU: usize = 2;
const WU: usize = 3;

fn reader() -> Vec<Move> {
    vec![Call(RL), Think(90), Call(RU), Think(60)]
}

fn writer() -> Vec<Move> {
    vec![Call(WL), Think(50), Call(WU), Think(120)]
}

fn rw(name: &'static str, regions: Vec<Vec<Op>>) -> Subject {
    let unlock = if regions.len() == 4 { WU } else { RU };
    Subject::new(name, LockType::ReadWrite, regions)
        .role(Role::ReadLock, RL)
        .role(Role::WriteLock, WL)
        .role(Role::ReadUnlock, RU)
        .role(Role::WriteUnlock, unlock)
}

fn four(no_read: Cond, write_lock: Vec<Op>) -> Vec<Vec<Op>> {
    vec![
        vec![Op::While(no_read), Op::Do(READ)],
        write_lock,
        vec![Op::Do(UNREAD), Op::NotifyAll(|v, _| v.f[0] == 0)],
        vec![Op::Do(UNWRITE), Op::NotifyAll(always)],
    ]
}

fn read_write() -> Vec<Subject> {
    let queueing = vec![
        Op::Do(|v, _| v.f[2] += 1),
        Op::While(NO_WRITE),
        Op::Do(|v, _| v.f[2] -= 1),
        Op::Do(WRITE),
    ];
    let plain = || vec![Op::While(NO_WRITE), Op::Do(WRITE)];
    let mut joint = four(NO_READ, plain());
    joint.truncate(2);
    joint.push(vec![
        Op::Do(|v, _| if v.f[1] > 0 { v.f[1] = 0 } else { v.f[0] -= 1 }),
        Op::NotifyAll(always),
    ]);
    vec![
        rw("read-write, readers first", four(NO_READ, plain()))
            .detail("preference", word("readers"))
            .threads(4, &reader())
            .threads(2, &writer()),
        rw("read-write, writers first", four(NO_READ_FAIR, queueing))
            .detail("preference", word("writers"))
            .threads(4, &reader())
            .threads(2, &writer()),
        rw("read-write, one unlock", joint)
            .threads(3, &reader())
            .threads(2, &[Call(WL), Think(50), Call(RU), Think(120)]),
        reentrant_read_write(),
    ]
}

/// Owner (field 1) may take both again; field 2 counts its holds.
fn reentrant_read_write() -> Subject {
    let regions = vec![
        vec![
            Op::While(|v, t| v.f[1] != 0 && v.f[1] != t as i64 + 1),
            Op::Do(READ),
            Op::Do(|v, t| v.own[t][0] += 1),
        ],
        vec![
            Op::While(|v, t| v.f[1] != t as i64 + 1 && (v.f[1] != 0 || v.f[0] > v.own[t][0])),
            Op::Do(|v, t| {
                v.f[1] = t as i64 + 1;
                v.f[2] += 1;
            }),
        ],
        vec![
            Op::Do(UNREAD),
            Op::Do(|v, t| v.own[t][0] -= 1),
            Op::NotifyAll(always),
        ],
        vec![
            Op::Do(|v, _| {
                v.f[2] -= 1;
                if v.f[2] == 0 {
                    v.f[1] = 0;
                }
            }),
            Op::NotifyAll(|v, _| v.f[1] == 0),
        ],
    ];
    let again = vec![Call(WL), Think(20), Call(WU)];
    let look = vec![Call(RL), Think(20), Call(RU)];
    rw("read-write, reentrant", regions)
        .detail("reentrant", Detail::Flag(true))
        .threads(4, &reader())
        .threads(
            2,
            &[
                Call(WL),
                Think(30),
                Either(40, again, vec![]),
                Either(40, look, vec![]),
                Call(WU),
                Think(120),
            ],
        )
}

fn exclusive() -> Vec<Subject> {
    vec![
        Subject::new("mutex", LockType::Mutex, vec![vec![], vec![], vec![]])
            .role(Role::Enter, 0)
            .role(Role::Enter, 1)
            .role(Role::Enter, 2)
            .threads(
                4,
                &[
                    Call(0),
                    Think(30),
                    Either(50, vec![Call(1)], vec![]),
                    Either(30, vec![Call(2)], vec![]),
                ],
            ),
        Subject::new("not shared", LockType::NotShared, vec![vec![], vec![]])
            .free(0)
            .free(1)
            .threads(1, &[Call(0), Think(30), Call(1)]),
    ]
}

fn mixed() -> Vec<Subject> {
    let put = || vec![Op::Do(|v, _| v.f[0] += 1), Op::NotifyAll(always)];
    let take = || vec![Op::While(|v, _| v.f[0] == 0), Op::Do(|v, _| v.f[0] -= 1)];
    let put2 = vec![Op::Do(|v, _| v.f[1] += 1), Op::NotifyAll(always)];
    let take2 = vec![Op::While(|v, _| v.f[1] == 0), Op::Do(|v, _| v.f[1] -= 1)];
    let update = || vec![Op::Do(|v, _| v.f[3] += 1)];
    let mut shared = four(NO_READ, vec![Op::While(NO_WRITE), Op::Do(WRITE)]);
    shared.push(update());
    vec![
        Subject::new(
            "queue and mutex",
            LockType::ProducerConsumer,
            vec![put(), take(), update()],
        )
        .role(Role::Put, 0)
        .role(Role::Take, 1)
        .plus(LockType::Mutex)
        .role(Role::Enter, 2)
        .threads(2, &[Think(80), Call(0)])
        .threads(3, &[Call(1), Think(60)])
        .threads(2, &[Call(2), Think(60)]),
        Subject::new(
            "two queues",
            LockType::ProducerConsumer,
            vec![put(), take(), put2, take2],
        )
        .role(Role::Put, 0)
        .role(Role::Take, 1)
        .plus(LockType::ProducerConsumer)
        .role(Role::Put, 2)
        .role(Role::Take, 3)
        .threads(2, &[Think(80), Call(0)])
        .threads(2, &[Call(1), Think(60)])
        .threads(2, &[Think(60), Call(2)])
        .threads(2, &[Call(3), Think(40)]),
        rw_and_mutex(shared),
    ]
}

fn rw_and_mutex(regions: Vec<Vec<Op>>) -> Subject {
    Subject::new("read-write and mutex", LockType::ReadWrite, regions)
        .role(Role::ReadLock, RL)
        .role(Role::WriteLock, WL)
        .role(Role::ReadUnlock, RU)
        .role(Role::WriteUnlock, WU)
        .plus(LockType::Mutex)
        .role(Role::Enter, 4)
        .threads(4, &reader())
        .threads(2, &writer())
        .threads(2, &[Call(4), Think(60)])
        .detail("preference", word("readers"))
}
