//! What the classes of blockers are taken for.

use super::*;
use locklens_trace::parked::SyncDef;
use locklens_trace::{LockId, ThreadId};

fn log(kind: SyncKind, most: u32, state: Option<(i64, i64)>) -> ParkedLog {
    ParkedLog {
        def: Some(SyncDef {
            lock: LockId(1),
            kind,
            of: None,
            shared: false,
            most,
            state: state.map(|(low, high)| StateSeen { low, high }),
        }),
        ..ParkedLog::default()
    }
}

fn said(class: &str, container: Option<&str>, log: &ParkedLog) -> String {
    let kind = Kind::of(class, container, log);
    let details: Vec<_> = kind
        .details
        .iter()
        .map(|(key, value)| format!("{key}={value:?}"))
        .collect();
    format!("{} {}", kind.lock_type, details.join(" "))
}

#[test]
fn who_awaits_peers_is_idle() {
    for (class, method) in [
        ("sun.nio.ch.NioSocketImpl", "accept"),
        ("sun.nio.ch.ServerSocketChannelImpl", "implAccept"),
        ("sun.nio.ch.DatagramChannelImpl", "blockingReceive"),
        ("java.net.AbstractPlainSocketImpl", "socketAccept"),
    ] {
        assert!(idle(class, method).is_some(), "{class}.{method}");
    }
    for (class, method) in [
        ("sun.nio.ch.NioSocketImpl", "read"),
        ("com.example.Server", "accept"),
    ] {
        assert_eq!(idle(class, method), None, "{class}.{method}");
    }
}

#[test]
fn classes_of_the_jdk_are_known_with_their_parameters() {
    let sync = |state| log(SyncKind::Synchronizer, 2, state);
    let other = |state| log(SyncKind::Other, 2, state);
    for (class, log, said_) in [
        (
            "java.util.concurrent.locks.ReentrantLock$FairSync",
            sync(None),
            "LOCK fair=Flag(true)",
        ),
        (
            "java.util.concurrent.locks.ReentrantLock$NonfairSync",
            sync(None),
            "LOCK fair=Flag(false)",
        ),
        (
            "java.util.concurrent.Semaphore$NonfairSync",
            sync(Some((0, 3))),
            "SEMAPHORE fair=Flag(false) permits_at_least=Count(3)",
        ),
        (
            "java.util.concurrent.Semaphore$FairSync",
            sync(Some((0, 0))),
            "SEMAPHORE fair=Flag(true) free=Word(\"none seen\")",
        ),
        (
            "java.util.concurrent.CountDownLatch$Sync",
            sync(Some((1, 2))),
            "LATCH count_at_least=Count(2)",
        ),
        (
            "java.util.concurrent.locks.StampedLock",
            other(None),
            "READ-WRITE ",
        ),
        (
            "java.util.concurrent.Phaser",
            other(Some((4, 4))),
            "BARRIER parties=Count(4)",
        ),
        (
            "java.util.concurrent.Phaser",
            other(Some((1, 4))),
            "BARRIER parties=Word(\"1-4\")",
        ),
        ("java.util.concurrent.FutureTask", other(None), "JOIN "),
        (
            "java.util.concurrent.ForkJoinTask$AdaptedCallable",
            other(None),
            "JOIN ",
        ),
        ("java.util.concurrent.RecursiveTask", other(None), "JOIN "),
        (
            "java.util.concurrent.SynchronousQueue$TransferStack",
            other(None),
            "PRODUCER-CONSUMER capacity=Count(0)",
        ),
        (
            "java.util.concurrent.ConcurrentHashMap$TreeBin",
            other(None),
            "UNKNOWN ",
        ),
    ] {
        assert_eq!(said(class, None, &log), said_, "{class}");
    }
}

#[test]
fn parts_of_queues_and_barriers_are_what_they_belong_to() {
    let condition = log(SyncKind::Condition, 2, None);
    let class = "java.util.concurrent.locks.AbstractQueuedSynchronizer$ConditionObject";
    let said = |container| said(class, container, &condition);
    assert_eq!(said(None), "CONDITION ");
    assert_eq!(
        said(Some("java.util.concurrent.ArrayBlockingQueue")),
        "PRODUCER-CONSUMER "
    );
    assert_eq!(said(Some(BARRIER)), "BARRIER ");
    assert_eq!(
        said(Some("java.util.concurrent.ThreadPoolExecutor")),
        "CONDITION "
    );
}

#[test]
fn a_synchronizer_of_the_program_is_a_lock_only_if_it_had_an_owner() {
    let mut log = log(SyncKind::Synchronizer, 1, Some((0, 1)));
    let kind = Kind::of("app.Gate$Sync", None, &log);
    assert_eq!((kind.lock_type, kind.confidence), (LockType::Unknown, 0.0));
    log.owners.insert((ThreadId(4), None), 3);
    let kind = Kind::of("app.Gate$Sync", None, &log);
    assert_eq!((kind.lock_type, kind.blocks), (LockType::Lock, true));
    assert!(kind.confidence < 1.0 && kind.class == "app.Gate$Sync");
}
