//! Operations of locks: where their probes are, and in whose classes.

mod asm;

use asm::{ClassText, listing};
use locklens_rewrite::plan::{Amount, Operation, Subject, Told};
use locklens_rewrite::{Plan, SiteKind, rewrite};

const LOCK: &str = "java/util/concurrent/locks/Lock8";

const TRY: Operation = Operation {
    class: LOCK,
    name: "tryTake",
    descriptor: "(I)Z",
    number: 3,
    subject: Subject::This,
    hash: "hash",
    others: &[],
    before: false,
    after: Some(Told::Truth),
    amount: Amount::Argument,
    within: false,
    of_heirs: false,
};
const GIVE: Operation = Operation {
    name: "give",
    descriptor: "()V",
    number: 4,
    before: true,
    after: None,
    amount: Amount::One,
    of_heirs: true,
    ..TRY
};

fn plan() -> Plan {
    Plan {
        operations: &[TRY, GIVE],
        ..Plan::everything("P")
    }
}

/// A class with one method.
fn text(class: &str, name: &str, descriptor: &str, code: &[u8]) -> Vec<u8> {
    let mut text = ClassText::called(class, 48);
    text.method(1, name, descriptor, code, &[], &[]);
    text.bytes()
}

#[test]
fn what_is_told_afterwards_is_told_with_its_result() {
    let done = rewrite(&text(LOCK, "tryTake", "(I)Z", &[0x04, 0xac]), &plan()).expect("a class");
    assert_eq!(done.refused, []);
    let expected = "\
0 iconst_0
1 istore 9
3 iconst_1
4 istore 10
6 aload_0
7 invokestatic hash(LObject;)I
10 istore 9
12 0x1b
13 istore 10
15 goto -> 19
18 pop
19 iconst_1
20 istore 11
22 iload 11
24 iload 9
26 0x11 771
29 iload 10
31 invokestatic tried(ZIII)V
34 iload 11
36 ireturn
37 iload 9
39 0x11 771
42 iload 10
44 invokestatic threw(III)V
47 athrow
48 pop
49 iload 11
51 ireturn
    [6, 15) -> 18 java/lang/VirtualMachineError
    [22, 34) -> 48 java/lang/VirtualMachineError
    [19, 20) -> 37
    stack 15, locals 12";
    assert_eq!(listing(&done.bytes, 0), expected);
}

#[test]
fn what_is_told_before_is_told_again_only_if_it_throws() {
    let done = rewrite(&text(LOCK, "give", "()V", &[0xb1]), &plan()).expect("a class");
    let expected = "\
0 iconst_0
1 istore 9
3 aload_0
4 invokestatic hash(LObject;)I
7 istore 9
9 iload 9
11 0x11 1028
14 iconst_1
15 invokestatic began(III)V
18 goto -> 22
21 pop
22 return
23 iload 9
25 0x11 1028
28 iconst_1
29 invokestatic threw(III)V
32 athrow
    [3, 18) -> 21 java/lang/VirtualMachineError
    stack 9, locals 10";
    assert_eq!(listing(&done.bytes, 0), expected);
}

#[test]
fn whose_class_tells_otherwise_is_known_before_anything_is_looked_up() {
    const OTHERS: Operation = Operation {
        others: &["A", "B"],
        ..GIVE
    };
    let plan = Plan {
        operations: &[OTHERS],
        ..plan()
    };
    let done = rewrite(&text(LOCK, "give", "()V", &[0xb1]), &plan).expect("a class");
    let expected = "\
3 aload_0
4 aload_0
5 0xc1 A
8 aload_0
9 0xc1 B
12 0x80
13 invokestatic hash(LObject;Z)I
16 istore 9
";
    let listing = listing(&done.bytes, 0);
    assert!(listing.contains(expected), "{listing}");
}

#[test]
fn a_call_from_another_class_says_from_where() {
    let mut text = ClassText::called("app/Shop", 48);
    let [high, low] = text.method_ref(LOCK, "give", "()V").to_be_bytes();
    text.method(9, "sell", "()V", &[0x01, 0xb6, high, low, 0xb1], &[], &[]);
    let done = rewrite(&text.bytes(), &plan()).expect("a class");
    let kinds: Vec<SiteKind> = done.sites.iter().map(|site| site.kind).collect();
    assert_eq!(kinds, [SiteKind::Call(GIVE.number)]);
    let listing = listing(&done.bytes, 0);
    assert!(listing.contains("invokestatic calling(II)V"), "{listing}");
}

/// The listing of a call by an interface, and its sites.
fn by_interface(name: &'static str, descriptor: &'static str, arguments: &[u8]) -> String {
    let operation = Operation {
        name,
        descriptor,
        ..GIVE
    };
    let plan = Plan {
        operations: Box::leak(Box::new([operation])),
        ..plan()
    };
    let mut text = ClassText::called("app/Shop", 48);
    let interface = "java/util/concurrent/locks/Lock";
    let [high, low] = text.method_ref(interface, name, descriptor).to_be_bytes();
    let code = [arguments, &[0xb9, high, low, 5, 0, 0xb1]].concat();
    text.method(9, "sell", "()V", &code, &[], &[]);
    let done = rewrite(&text.bytes(), &plan).expect("a class");
    assert_eq!(done.refused, []);
    let kinds: Vec<SiteKind> = done.sites.iter().map(|site| site.kind).collect();
    assert_eq!(kinds, [SiteKind::Call(operation.number)]);
    listing(&done.bytes, 0)
}

#[test]
fn who_calls_by_an_interface_shows_what_it_calls() {
    // Null, and its method.
    let expected = "\
0 aconst_null
1 astore 9
3 aload 9
5 iconst_1
6 iconst_4
7 invokestatic callingLock(LObject;II)V
10 goto -> 14
13 pop
14 aload 9
16 aconst_null
17 astore 9
19 0xb9 lock()V
24 return
    [3, 10) -> 13 java/lang/VirtualMachineError
    stack 10, locals 10";
    assert_eq!(by_interface("lock", "()V", &[0x01]), expected);
    // Null, a long and null: they are put away, and what held an object lets go of it.
    let descriptor = "(JLjava/util/concurrent/TimeUnit;)V";
    let expected = "\
0 aconst_null
1 lconst_0
2 aconst_null
3 astore 12
5 lstore 10
7 astore 9
9 aload 9
11 iconst_1
12 iconst_4
13 invokestatic callingLock(LObject;II)V
16 goto -> 20
19 pop
20 aload 9
22 aconst_null
23 astore 9
25 lload 10
27 aload 12
29 aconst_null
30 astore 12
32 0xb9 tryLock(JLjava/util/concurrent/TimeUnit;)V
37 return
    [9, 16) -> 19 java/lang/VirtualMachineError
    stack 10, locals 13";
    let told = by_interface("tryLock", descriptor, &[0x01, 0x09, 0x01]);
    assert_eq!(told, expected);
}

#[test]
fn a_call_on_what_may_be_an_heir_says_from_where_and_on_what() {
    let of = |class: &str, name: &str, descriptor: &str| {
        let mut text = ClassText::called("app/Shop", 48);
        let [high, low] = text.method_ref(class, name, descriptor).to_be_bytes();
        // Null, and 1 for who takes an argument; what is returned is left.
        let code = [0x01, 0x04, 0xb6, high, low, 0xb1];
        text.method(9, "sell", "()V", &code, &[], &[]);
        rewrite(&text.bytes(), &plan()).expect("a class")
    };
    let done = of("app/Shop$Own", "give", "()V");
    let kinds: Vec<SiteKind> = done.sites.iter().map(|site| site.kind).collect();
    assert_eq!(kinds, [SiteKind::HeirCall(GIVE.number)]);
    assert_eq!(done.heirs, [(done.sites[0].id, "app/Shop$Own".to_owned())]);
    let listing = listing(&done.bytes, 0);
    assert!(listing.contains("invokestatic calling(II)V"), "{listing}");
    // A name that everything has, one that is none, and a class of the JDK's that is no lock.
    for (class, name, descriptor) in [
        ("app/Shop$Own", "tryTake", "(I)Z"),
        ("app/Shop$Own", "give", "(I)V"),
        ("java/util/Vector", "give", "()V"),
    ] {
        assert_eq!(of(class, name, descriptor).sites.len(), 0);
    }
}

#[test]
fn other_classes_and_other_methods_are_left_alone() {
    let untouched = |class: Vec<u8>| {
        let done = rewrite(&class, &plan()).expect("a class");
        assert_eq!((done.sites.len(), done.bytes), (0, class));
    };
    untouched(text("app/Lock8", "give", "()V", &[0xb1]));
    untouched(text(LOCK, "give", "(I)V", &[0xb1]));
}

#[test]
fn what_is_told_within_another_operation_is_not_silenced() {
    const WITHIN: Operation = Operation {
        within: true,
        ..TRY
    };
    let plan = Plan {
        operations: &[WITHIN, GIVE],
        ..plan()
    };
    let mut text = ClassText::called(LOCK, 48);
    let [high, low] = text.method_ref(LOCK, "tryTake", "(I)Z").to_be_bytes();
    let code = [0x2a, 0x04, 0xb6, high, low, 0x57, 0xb1];
    text.method(1, "give", "()V", &code, &[], &[]);
    let done = rewrite(&text.bytes(), &plan).expect("a class");
    let listing = listing(&done.bytes, 0);
    assert!(!listing.contains("calling"), "{listing}");
}

#[test]
fn an_operation_that_calls_another_one_has_that_be_silent() {
    let mut text = ClassText::called(LOCK, 48);
    let [high, low] = text.method_ref(LOCK, "tryTake", "(I)Z").to_be_bytes();
    let code = [0x2a, 0x04, 0xb6, high, low, 0x57, 0xb1];
    text.method(1, "give", "()V", &code, &[], &[]);
    let done = rewrite(&text.bytes(), &plan()).expect("a class");
    let listing = listing(&done.bytes, 0);
    let calls: Vec<&str> = listing
        .lines()
        .filter(|line| line.contains("invoke"))
        .collect();
    let at = |what: &str| calls.iter().position(|line| line.contains(what));
    let (silent, call) = (at("calling(II)V"), at("tryTake"));
    assert!(silent.is_some() && silent < call, "{listing}");
}

/// The listing of a static method of the lock's class that is an operation.
fn of_static(operation: Operation, code: &[u8]) -> String {
    let operation = Operation {
        name: "make",
        before: true,
        amount: Amount::One,
        after: Some(Told::Always),
        ..operation
    };
    let plan = Plan {
        operations: Box::leak(Box::new([operation])),
        ..plan()
    };
    let mut text = ClassText::called(LOCK, 48);
    text.method(9, "make", operation.descriptor, code, &[], &[]);
    let done = rewrite(&text.bytes(), &plan).expect("a class");
    assert_eq!(done.refused, []);
    listing(&done.bytes, 0)
}

#[test]
fn what_is_made_is_told_behind_its_parts() {
    const MAKE: Operation = Operation {
        descriptor: "(LX;LX;)LX;",
        subject: Subject::Made(&[0, 1]),
        ..TRY
    };
    let expected = "\
0 iconst_0
1 istore 9
3 aload_0
4 invokestatic hash(LObject;)I
7 0x11 771
10 iconst_2
11 invokestatic began(III)V
14 aload_1
15 invokestatic hash(LObject;)I
18 0x11 771
21 iconst_2
22 invokestatic began(III)V
";
    let made = of_static(MAKE, &[0x2a, 0xb0]);
    assert!(made.starts_with(expected), "{made}");
    let told = "aload 10\n34 invokestatic hash(LObject;)I\n37 0x11 771\n40 iconst_1\n41 invokestatic done(III)V";
    assert!(made.contains(told), "{made}");
    let all = of_static(
        Operation {
            descriptor: "([LX;)LX;",
            subject: Subject::MadeOfAll,
            ..MAKE
        },
        &[0x2a, 0xb0],
    );
    assert!(
        all.contains("aload_0\n4 0x11 771\n7 invokestatic parts([LObject;I)V"),
        "{all}"
    );
}

#[test]
fn an_argument_may_be_what_an_operation_is_on() {
    const HAND: Operation = Operation {
        descriptor: "(ILX;)V",
        subject: Subject::Local(1),
        ..TRY
    };
    let told = of_static(HAND, &[0xb1]);
    assert!(
        told.starts_with("0 iconst_0\n1 istore 9\n3 aload_1\n4 invokestatic hash(LObject;)I\n"),
        "{told}"
    );
}
