//! Subjects that count: semaphores, locks, queues.

use super::monitor::Move::{Call, Either, Think, When};
use super::monitor::{Act, Cond, Move, Op};
use super::subject::{Subject, always, count, word};
use locklens_inference::types::{Detail, LockType, Role};

const TAKE: Cond = |v, _| v.f[0] == 0;
const DEC: Act = |v, _| v.f[0] -= 1;
const INC: Act = |v, _| v.f[0] += 1;

/// All of them.
pub fn subjects() -> Vec<Subject> {
    let mut all = semaphores();
    all.extend(special_semaphores());
    all.extend(locks());
    all.extend(queues());
    all.extend(bounded_queues());
    all
}

/// acquire, work, release.
fn pairs(acquire: usize, release: usize) -> Vec<Move> {
    vec![Call(acquire), Think(60), Call(release), Think(60)]
}

fn semaphore(name: &'static str, acquire: Vec<Op>, release: Vec<Op>) -> Subject {
    Subject::new(name, LockType::Semaphore, vec![acquire, release])
        .role(Role::Acquire, 0)
        .role(Role::Release, 1)
}

fn plain_acquire() -> Vec<Op> {
    vec![Op::While(TAKE), Op::Do(DEC)]
}

fn semaphores() -> Vec<Subject> {
    let waiters: [Op; 5] = [
        Op::Do(|v, _| v.f[1] += 1),
        Op::While(TAKE),
        Op::Do(|v, _| v.f[1] -= 1),
        Op::Do(DEC),
        Op::Notify(|v, _| v.f[0] > 0 && v.f[1] > 0),
    ];
    vec![
        semaphore(
            "semaphore, 3 permits",
            plain_acquire(),
            vec![Op::Do(INC), Op::Notify(always)],
        )
        .field(0, 3)
        .detail("permits", count(3))
        .threads(6, &pairs(0, 1)),
        semaphore(
            "semaphore, notifies when somebody waits",
            waiters.to_vec(),
            vec![Op::Do(INC), Op::NotifyAll(|v, _| v.f[1] > 0)],
        )
        .field(0, 2)
        .detail("permits", count(2))
        .threads(5, &pairs(0, 1)),
        Subject::new(
            "semaphore with observer",
            LockType::Semaphore,
            vec![
                plain_acquire(),
                vec![Op::Do(INC), Op::Notify(always)],
                vec![],
            ],
        )
        .role(Role::Acquire, 0)
        .role(Role::Release, 1)
        .field(0, 4)
        .detail("permits", count(4))
        .threads(8, &pairs(0, 1))
        .threads(1, &[Think(900), Call(2)]),
        semaphore(
            "signalling semaphore",
            plain_acquire(),
            vec![Op::Do(INC), Op::Notify(always)],
        )
        .or(LockType::ProducerConsumer)
        .free(0)
        .free(1)
        .threads(3, &[Call(0), Think(60)])
        .threads(2, &[Call(1), Think(60)]),
        semaphore(
            "binary semaphore",
            plain_acquire(),
            vec![Op::Do(INC), Op::Notify(always)],
        )
        .or(LockType::Lock)
        .free(0)
        .free(1)
        .field(0, 1)
        .threads(4, &pairs(0, 1)),
    ]
}

fn special_semaphores() -> Vec<Subject> {
    let two: Cond = |v, _| v.f[0] < 2;
    let timed = vec![
        Op::Do(|v, t| v.own[t][0] = 0),
        Op::WhileFor(TAKE, 30),
        Op::Do(DEC),
        Op::Do(|v, t| v.own[t][0] = 1),
    ];
    let give = vec![Op::Do(INC), Op::Notify(always)];
    let got: Cond = |v, t| v.own[t][0] > 0;
    let trial = [Call(0), When(got, vec![Think(60), Call(1)]), Think(60)];
    vec![
        Subject::new(
            "semaphore, acquire(2)",
            LockType::Semaphore,
            vec![
                plain_acquire(),
                vec![Op::Do(INC), Op::NotifyAll(always)],
                vec![Op::While(two), Op::Do(|v, _| v.f[0] -= 2)],
                vec![Op::Do(|v, _| v.f[0] += 2), Op::NotifyAll(always)],
            ],
        )
        .role(Role::Acquire, 0)
        .role(Role::Release, 1)
        .role(Role::Acquire, 2)
        .role(Role::Release, 3)
        .field(0, 4)
        .threads(3, &pairs(2, 3))
        .threads(3, &pairs(0, 1)),
        semaphore("semaphore, timed acquire", timed, give)
            .field(0, 3)
            .threads(7, &trial),
    ]
}

const FREE: Cond = |v, t| v.f[0] != 0 && v.f[0] != t as i64 + 1;
const OWN: Act = |v, t| {
    v.f[0] = t as i64 + 1;
    v.f[1] += 1;
};
const DISOWN: Act = |v, _| {
    v.f[1] -= 1;
    if v.f[1] == 0 {
        v.f[0] = 0;
    }
};

fn lock(name: &'static str, acquire: Vec<Op>, release: Vec<Op>) -> Subject {
    Subject::new(name, LockType::Lock, vec![acquire, release])
        .role(Role::Lock, 0)
        .role(Role::Unlock, 1)
}

fn locks() -> Vec<Subject> {
    let busy: Cond = |v, _| v.f[0] == 1;
    let set: Act = |v, _| v.f[0] = 1;
    let clear: Act = |v, _| v.f[0] = 0;
    let nested = [
        Call(0),
        Think(40),
        Either(40, vec![Call(0), Think(20), Call(1)], vec![]),
        Think(20),
        Call(1),
        Think(60),
    ];
    let reentrant = vec![Op::Do(DISOWN), Op::Notify(|v, _| v.f[1] == 0)];
    let trial = vec![
        Op::WhileFor(FREE, 25),
        Op::Do(OWN),
        Op::Do(|v, t| v.own[t][0] += 1),
    ];
    let undo = vec![
        Op::Do(|v, t| v.own[t][0] -= 1),
        Op::Do(DISOWN),
        Op::NotifyAll(always),
    ];
    let got: Cond = |v, t| v.own[t][0] > 0;
    let inner = vec![Think(20), Call(0), Think(30), Call(1), Think(20), Call(1)];
    let tried = [Call(0), When(got, inner), Think(60)];
    vec![
        lock(
            "lock",
            vec![Op::While(busy), Op::Do(set)],
            vec![Op::Do(clear), Op::Notify(always)],
        )
        .or(LockType::Semaphore)
        .free(0)
        .free(1)
        .threads(4, &pairs(0, 1)),
        lock(
            "reentrant lock",
            vec![Op::While(FREE), Op::Do(OWN)],
            reentrant,
        )
        .detail("reentrant", Detail::Flag(true))
        .threads(4, &nested),
        lock("reentrant lock, timed trial", trial, undo).threads(4, &tried),
    ]
}

fn queue(name: &'static str, put: Vec<Op>, take: Vec<Op>) -> Subject {
    Subject::new(name, LockType::ProducerConsumer, vec![put, take])
        .role(Role::Put, 0)
        .role(Role::Take, 1)
}

fn queues() -> Vec<Subject> {
    let put = || vec![Op::Do(INC), Op::Notify(always)];
    let unbounded = || word("unbounded");
    vec![
        queue("queue", put(), plain_acquire())
            .or(LockType::Semaphore)
            .free(0)
            .free(1)
            .threads(2, &[Think(50), Call(0)])
            .threads(3, &[Call(1), Think(60)]),
        Subject::new(
            "queue with size()",
            LockType::ProducerConsumer,
            vec![
                vec![Op::Do(INC), Op::NotifyAll(always)],
                plain_acquire(),
                vec![],
            ],
        )
        .role(Role::Put, 0)
        .role(Role::Take, 1)
        .detail("capacity", unbounded())
        .threads(3, &[Think(50), Call(0)])
        .threads(3, &[Call(1), Think(40)])
        .threads(1, &[Think(800), Call(2)]),
        queue("work queue fed by its workers", put(), plain_acquire())
            .field(0, 3)
            .threads(
                4,
                &[
                    Call(1),
                    Think(60),
                    Either(
                        55,
                        vec![],
                        vec![Call(0), Think(10), Either(60, vec![Call(0)], vec![])],
                    ),
                ],
            )
            .threads(1, &[Think(120), Call(0)]),
        Subject::new(
            "queue, two ways in, polled",
            LockType::ProducerConsumer,
            vec![put(), vec![Op::WhileFor(TAKE, 60), Op::Do(DEC)], put()],
        )
        .role(Role::Put, 0)
        .role(Role::Take, 1)
        .role(Role::Put, 2)
        .threads(2, &[Think(120), Call(0)])
        .threads(1, &[Think(150), Call(2)])
        .threads(3, &[Call(1), Think(60)]),
    ]
}

fn bounded(name: &'static str, capacity: i64, put: Vec<Op>, take: Vec<Op>) -> Subject {
    queue(name, put, take)
        .field(1, capacity)
        .detail("capacity", count(capacity as u64))
}

fn bounded_queues() -> Vec<Subject> {
    let full: Cond = |v, _| v.f[0] >= v.f[1];
    let put = || vec![Op::While(full), Op::Do(INC), Op::NotifyAll(always)];
    let take = || vec![Op::While(TAKE), Op::Do(DEC), Op::NotifyAll(always)];
    let sparing_put = vec![
        Op::While(full),
        Op::Do(INC),
        Op::NotifyAll(|v, _| v.f[0] == 1),
    ];
    let sparing_take = vec![
        Op::While(TAKE),
        Op::Do(DEC),
        Op::NotifyAll(|v, _| v.f[0] == v.f[1] - 1),
    ];
    let producers = [Think(60), Call(0)];
    let consumers = [Call(1), Think(60)];
    vec![
        bounded("bounded buffer", 4, put(), take())
            .threads(3, &producers)
            .threads(3, &consumers),
        bounded("slot", 1, put(), take())
            .threads(2, &producers)
            .threads(2, &consumers),
        bounded("bounded buffer, sparing", 3, sparing_put, sparing_take)
            .threads(3, &producers)
            .threads(3, &consumers),
        bounded(
            "bounded buffer, offered",
            3,
            vec![Op::WhileFor(full, 40), Op::Do(INC), Op::NotifyAll(always)],
            take(),
        )
        .threads(4, &producers)
        .threads(3, &consumers),
    ]
}
