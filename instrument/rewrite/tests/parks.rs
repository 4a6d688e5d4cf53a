//! `LockSupport`: where its probes are, and that every JDK's own is rewritten as a whole.

mod asm;
mod jvm;

use asm::{ClassText, listing};
use jvm::{Scratch, compile, jdks, succeed};
use locklens_rewrite::{Plan, SiteKind, rewrite};
use std::fs;

const STATIC: u16 = 9;

fn plan() -> Plan {
    let mut plan = Plan::everything("P");
    plan.events.parks = true;
    plan
}

/// A class with one method that returns at two places.
fn text(class: &str, flags: u16, name: &str, descriptor: &str) -> Vec<u8> {
    let mut text = ClassText::called(class, 48);
    let code = [0x2a, 0xc6, 0, 4, 0xb1, 0xb1];
    text.method(flags, name, descriptor, &code, &[], &[]);
    text.bytes()
}

const LOCK_SUPPORT: &str = "java/util/concurrent/locks/LockSupport";

#[test]
fn a_park_begins_and_ends_with_a_probe() {
    let class = text(LOCK_SUPPORT, STATIC, "parkNanos", "(Ljava/lang/Object;J)V");
    let done = rewrite(&class, &plan()).expect("a class");
    assert_eq!(done.refused, []);
    let expected = "\
0 iconst_0
1 istore 9
3 aload_0
4 lload_1
5 invokestatic parkingNanos(LObject;J)I
8 istore 9
10 goto -> 14
13 pop
14 aload_0
15 ifnull -> 24
18 iload 9
20 invokestatic parked(I)V
23 return
24 iload 9
26 invokestatic parked(I)V
29 return
30 pop
31 return
32 pop
33 return
    [3, 10) -> 13 java/lang/VirtualMachineError
    [18, 23) -> 30 java/lang/VirtualMachineError
    [24, 29) -> 32 java/lang/VirtualMachineError
    stack 15, locals 10";
    assert_eq!(listing(&done.bytes, 0), expected);
}

#[test]
fn an_unpark_begins_with_one() {
    let class = text(LOCK_SUPPORT, STATIC, "unpark", "(Ljava/lang/Thread;)V");
    let done = rewrite(&class, &plan()).expect("a class");
    let listing = listing(&done.bytes, 0);
    let expected = "\
0 aload_0
1 invokestatic unparking(LThread;)V
4 goto -> 8
7 pop
8 aload_0
";
    assert!(listing.starts_with(expected), "{listing}");
    let goes_on = "[0, 4) -> 7 java/lang/VirtualMachineError";
    assert!(listing.contains(goes_on), "{listing}");
    let kinds: Vec<SiteKind> = done.sites.iter().map(|site| site.kind).collect();
    assert_eq!(kinds, [SiteKind::Unpark]);
}

#[test]
fn who_starts_a_thread_and_who_saw_its_end_tell_of_it() {
    let mut plan = Plan::everything("P");
    plan.events.kin = true;
    let done = |class: &str, name: &str, descriptor: &str| {
        let class = text(class, 1, name, descriptor);
        rewrite(&class, &plan).expect("a class")
    };
    for descriptor in ["()V", "(Ljdk/internal/vm/ThreadContainer;)V"] {
        let start = done("java/lang/Thread", "start", descriptor);
        let start = listing(&start.bytes, 0);
        let first: Vec<&str> = start.lines().take(2).collect();
        assert_eq!(first, ["0 aload_0", "1 invokestatic starting(LThread;)V"]);
    }
    let join = done("java/lang/Thread", "join", "(J)V");
    let join = listing(&join.bytes, 0);
    let probes = join.matches("invokestatic joined(LThread;J)V").count();
    assert_eq!(probes, 2, "before each return: {join}");
    assert!(join.contains("lload_1"), "its limit: {join}");
    let mut timed = ClassText::called("java/lang/Thread", 48);
    timed.method(1, "join", "(Ljava/time/Duration;)Z", &[4, 0xac], &[], &[]);
    let timed = rewrite(&timed.bytes(), &plan).expect("a class");
    let timed = listing(&timed.bytes, 0);
    assert!(
        timed.contains("joined(LThread;J)V"),
        "it always has one: {timed}"
    );
    let made = done("java/lang/Thread", "<init>", "(Ljava/lang/String;IZ)V");
    let made = listing(&made.bytes, 0);
    let probes = made.matches("invokestatic making(LThread;)V").count();
    assert_eq!(probes, 2, "before each return: {made}");
    for (class, name, descriptor) in [
        ("java/lang/Thread", "join", "()V"),
        ("java/lang/Thread", "<init>", "(Ljava/lang/String;)V"),
        ("app/Thread", "start", "()V"),
    ] {
        assert!(done(class, name, descriptor).sites.is_empty());
    }
}

#[test]
fn other_classes_methods_and_plans_are_left_alone() {
    let park = "(Ljava/lang/Object;)V";
    let untouched = |class: Vec<u8>, plan: Plan| {
        let done = rewrite(&class, &plan).expect("a class");
        assert_eq!((done.sites.len(), done.bytes), (0, class));
    };
    untouched(text("app/LockSupport", STATIC, "park", park), plan());
    untouched(
        text(LOCK_SUPPORT, STATIC, "setCurrentBlocker", park),
        plan(),
    );
    untouched(text(LOCK_SUPPORT, 1, "park", park), plan());
    untouched(
        text(LOCK_SUPPORT, STATIC, "park", park),
        Plan::everything("P"),
    );
}

#[test]
fn a_park_that_another_one_does_is_left_to_that() {
    let mut text = ClassText::called(LOCK_SUPPORT, 48);
    let other = text.method_ref(LOCK_SUPPORT, "parkUntil", "(J)V");
    let [high, low] = other.to_be_bytes();
    let code = [0x1f, 0xb8, high, low, 0xb1];
    let descriptor = "(Ljava/lang/Object;J)V";
    text.method(STATIC, "parkUntil", descriptor, &code, &[], &[]);
    let done = rewrite(&text.bytes(), &plan()).expect("a class");
    assert_eq!(done.bytes, text.bytes());
}

#[test]
fn the_one_of_every_jdk_is_rewritten_as_a_whole() {
    for jdk in jdks() {
        let scratch = Scratch::new();
        compile::<&str>(&jdk, &[], &["Dump.java"], scratch.dir());
        let file = scratch.join(&format!("{LOCK_SUPPORT}.class"));
        let mut java = jdk.java();
        java.arg("-cp").arg(scratch.dir()).arg("Dump");
        succeed(java.arg(scratch.dir()).arg(LOCK_SUPPORT));
        let done = rewrite(&fs::read(&file).expect("written"), &plan()).expect("a class");
        assert_eq!(done.refused, [], "JDK {}", jdk.major);
        let of = |kind| done.sites.iter().filter(|site| site.kind == kind).count();
        // From JDK 25 on the one that parks on a blocker until a time does so by the one without.
        let parks = if jdk.major < 25 { 6 } else { 5 };
        let sites = (of(SiteKind::Park), of(SiteKind::Unpark), done.sites.len());
        assert_eq!(sites, (parks, 1, parks + 1), "JDK {}", jdk.major);
    }
}
