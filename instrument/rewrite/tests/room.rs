//! A probe that finds no room on the stack keeps nothing from being done: with probes that always throw, programs do what they
//! did, and the JDK's own locks are taken and given back.

mod jvm;

use jvm::{Jdk, Scratch, compile, jdks, rewrite_all, succeed};
use locklens_rewrite::plan::{Amount, Operation, Subject, Told};
use locklens_rewrite::{Plan, rewrite};
use std::fs;
use std::path::Path;

const REENTRANT: &str = "java/util/concurrent/locks/ReentrantLock";
const SYNCHRONIZER: &str = "java/util/concurrent/locks/AbstractQueuedSynchronizer";
const CONDITION: &str = "java/util/concurrent/locks/AbstractQueuedSynchronizer$ConditionObject";
const QUEUE: &str = "java/util/concurrent/LinkedBlockingQueue";
const SEMAPHORE: &str = "java/util/concurrent/Semaphore";
const SUPPORT: &str = "java/util/concurrent/locks/LockSupport";

const fn operation(
    class: &'static str,
    name: &'static str,
    descriptor: &'static str,
    number: u8,
) -> Operation {
    Operation {
        class,
        name,
        descriptor,
        number,
        subject: Subject::This,
        hash: "hash",
        others: &[],
        before: false,
        after: Some(Told::Always),
        amount: Amount::One,
        within: false,
        of_heirs: true,
    }
}

const fn given_back(operation: Operation) -> Operation {
    Operation {
        before: true,
        after: None,
        ..operation
    }
}

const fn tried(operation: Operation) -> Operation {
    Operation {
        after: Some(Told::Truth),
        ..operation
    }
}

/// Of a synchronizer that is not inside one of these.
const fn foreign(operation: Operation) -> Operation {
    Operation {
        hash: "foreign",
        others: &[
            "java/util/concurrent/locks/ReentrantLock$Sync",
            "java/util/concurrent/locks/ReentrantReadWriteLock$Sync",
        ],
        ..operation
    }
}

const OPERATIONS: &[Operation] = &[
    operation(REENTRANT, "lock", "()V", 1),
    given_back(operation(REENTRANT, "unlock", "()V", 2)),
    tried(operation(REENTRANT, "tryLock", "()Z", 3)),
    foreign(operation(SYNCHRONIZER, "acquire", "(I)V", 4)),
    given_back(foreign(operation(SYNCHRONIZER, "release", "(I)Z", 5))),
    given_back(operation(CONDITION, "awaitUninterruptibly", "()V", 6)),
    given_back(operation(CONDITION, "signal", "()V", 7)),
    operation(SEMAPHORE, "acquireUninterruptibly", "()V", 8),
    given_back(operation(SEMAPHORE, "release", "()V", 9)),
];

/// Those, and what is called of queues.
const CALLED: &[Operation] = &[
    OPERATIONS[0],
    OPERATIONS[1],
    OPERATIONS[2],
    operation(QUEUE, "put", "(Ljava/lang/Object;)V", 10),
    tried(operation(QUEUE, "offer", "(Ljava/lang/Object;)Z", 11)),
    operation(QUEUE, "poll", "()Ljava/lang/Object;", 12),
    operation(
        QUEUE,
        "poll",
        "(JLjava/util/concurrent/TimeUnit;)Ljava/lang/Object;",
        13,
    ),
];

fn plan(operations: &'static [Operation]) -> Plan {
    let mut plan = Plan {
        operations,
        ..Plan::everything("probe/Narrow")
    };
    plan.events.waits = false;
    plan.events.notifies = false;
    plan
}

/// Options for every class-file version that knows these locks.
fn levels(jdk: &Jdk) -> Vec<Vec<&'static str>> {
    let mut levels = vec![vec![]];
    if jdk.major == 8 {
        levels.push(vec!["-source", "5", "-target", "5"]);
        levels.push(vec!["-source", "6", "-target", "6"]);
        levels.push(vec!["-source", "7", "-target", "7", "-g"]);
    }
    levels
}

#[test]
fn calls_are_made_whether_their_probes_have_room_or_not() {
    for jdk in jdks() {
        for options in levels(&jdk) {
            let scratch = Scratch::new();
            let sources = ["probe/Narrow.java", "Calls.java"];
            compile(&jdk, &options, &sources, scratch.dir());
            let sites = rewrite_all(scratch.dir(), &plan(CALLED));
            for mode in ["-Xint", "-XX:TieredStopAtLevel=1", "-XX:+TieredCompilation"] {
                let mut java = jdk.java();
                java.arg(mode).arg("-cp").arg(scratch.dir()).arg("Calls");
                let said = succeed(&mut java);
                assert!(
                    said.ends_with(" probes, all as expected\n"),
                    "{jdk:?} {options:?} {mode} {said}"
                );
                let probes = said.split(' ').next().and_then(|n| n.parse().ok());
                assert!(probes > Some(100_000), "{sites} sites: {said}");
            }
            let mut java = jdk.java();
            java.arg("-XX:+PrintCompilation").arg("-cp");
            let said = succeed(java.arg(scratch.dir()).arg("Calls"));
            assert!(!said.contains("COMPILE SKIPPED"), "{jdk:?} {said}");
        }
    }
}

#[test]
fn the_jvm_is_told_to_inline_what_it_has_always_inlined() {
    const MARKED: Operation = Operation {
        subject: Subject::Result,
        ..given_back(operation("Marked", "plain", "()V", 1))
    };
    const ANNOTATED: Operation = Operation {
        name: "annotated",
        number: 2,
        ..MARKED
    };
    const LARGE: Operation = Operation {
        name: "large",
        number: 3,
        ..MARKED
    };
    let mut plan = plan(&[MARKED, ANNOTATED, LARGE]);
    plan.inlined_by = Some("Ljava/lang/SafeVarargs;");
    for jdk in jdks() {
        let scratch = Scratch::new();
        let sources = ["probe/Narrow.java", "Marked.java"];
        compile::<&str>(&jdk, &[], &sources, scratch.dir());
        rewrite_all(scratch.dir(), &plan);
        let mut java = jdk.java();
        let said = succeed(java.arg("-cp").arg(scratch.dir()).arg("Marked"));
        let expected = "annotated Deprecated SafeVarargs\nplain SafeVarargs\nlarge\nother\n";
        assert_eq!(said, expected, "{jdk:?}");
    }
}

/// The class file of a JDK's class, rewritten in place.
fn rewritten(file: &Path) {
    let mut plan = plan(OPERATIONS);
    plan.events.parks = true;
    plan.events.kin = true;
    plan.events.regions = false;
    plan.events.methods = false;
    let bytes = fs::read(file).expect("readable");
    let done = rewrite(&bytes, &plan).expect("a class file");
    assert_eq!(done.refused, [], "{file:?}");
    assert!(!done.sites.is_empty(), "{file:?}");
    fs::write(file, done.bytes).expect("writable");
}

#[test]
fn the_locks_of_every_jdk_are_given_back_without_their_probes() {
    for jdk in jdks() {
        let (scratch, program) = (Scratch::new(), Scratch::new());
        compile::<&str>(&jdk, &[], &["Dump.java", "Rewritten.java"], program.dir());
        compile::<&str>(&jdk, &[], &["probe/Narrow.java"], scratch.dir());
        let classes = [
            REENTRANT,
            SYNCHRONIZER,
            CONDITION,
            SEMAPHORE,
            SUPPORT,
            "java/lang/Thread",
        ];
        let mut java = jdk.java();
        java.arg("-cp").arg(program.dir()).arg("Dump");
        succeed(java.arg(scratch.dir()).args(classes));
        for class in classes {
            rewritten(&scratch.join(&format!("{class}.class")));
        }
        let dir = scratch.dir().display();
        let boot = match jdk.major {
            8 => format!("-Xbootclasspath/p:{dir}"),
            _ => format!("--patch-module=java.base={dir}"),
        };
        for mode in ["-Xint", "-XX:+TieredCompilation"] {
            let mut java = jdk.java();
            java.args([mode, &boot, "-cp"]);
            let said = succeed(java.arg(program.dir()).arg("Rewritten"));
            assert_eq!(said, "4000 rounds, all given back\n", "{jdk:?} {mode}");
        }
    }
}
