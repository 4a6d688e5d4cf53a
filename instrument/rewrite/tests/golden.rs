//! What the probes look like in the code, instruction by instruction.

mod asm;

use asm::{ClassText, listing};
use locklens_rewrite::plan::{Parts, Plan, Probe, Probes, Target, Targets};
use locklens_rewrite::{SiteId, SiteKind, rewrite};

fn plan() -> Plan {
    Plan::everything("P")
}

/// `synchronized (this) { }`, as javac writes it.
fn region() -> Vec<u8> {
    let mut class = ClassText::new(48);
    let code = [
        0x2a, 0x59, 0x4c, 0xc2, 0x2b, 0xc3, 0xa7, 0, 8, 0x4d, 0x2b, 0xc3, 0x2c, 0xbf, 0xb1,
    ];
    class.method(0, "m", "()V", &code, &[[4, 6, 9], [9, 12, 9]], &[]);
    class.bytes()
}

fn rewritten(bytes: &[u8], plan: &Plan) -> String {
    let done = rewrite(bytes, plan).expect("a class");
    assert_eq!(done.refused, []);
    listing(&done.bytes, 0)
}

#[test]
fn a_region() {
    let expected = "\
0 aload_0
1 dup
2 astore_1
3 dup
4 astore 9
6 monitorenter
7 aload 9
9 iconst_1
10 invokestatic entered(LObject;I)V
13 aload_1
14 dup
15 astore 9
17 dup
18 iconst_2
19 invokestatic exit(LObject;I)V
22 monitorexit
23 goto -> 39
26 astore_2
27 aload_1
28 dup
29 astore 9
31 dup
32 iconst_3
33 invokestatic exit(LObject;I)V
36 monitorexit
37 aload_2
38 athrow
39 return
40 aload 9
42 monitorexit
43 athrow
44 aload 9
46 monitorexit
47 athrow
48 aload 9
50 monitorexit
51 athrow
    [7, 13) -> 40
    [17, 22) -> 44
    [31, 36) -> 48
    [7, 23) -> 26
    [26, 37) -> 26
    stack 15, locals 10";
    assert_eq!(rewritten(&region(), &plan()), expected);
}

#[test]
fn a_region_with_its_hash() {
    let mut plan = plan();
    plan.probes = Probes::of_class("P").with_identity_hash();
    let text = rewritten(&region(), &plan);
    let expected = "\
0 iconst_0
1 istore 9
3 aload_0
4 dup
5 astore_1
6 dup
7 astore 10
9 dup
10 invokestatic identityHashCode(LObject;)I
13 istore 9
15 monitorenter
16 iload 9
18 iconst_1
19 invokestatic entered(II)V
22 aload_1
23 dup
24 astore 10
26 iload 9
28 iconst_2
29 invokestatic exit(II)V
32 monitorexit
";
    assert!(text.starts_with(expected), "{text}");
}

#[test]
fn a_synchronized_method() {
    let mut class = ClassText::new(48);
    class.method(0x20, "m", "()I", &[0x04, 0xac], &[], &[]);
    let expected = "\
0 aload_0
1 iconst_1
2 invokestatic entered(LObject;I)V
5 iconst_1
6 aload_0
7 iconst_2
8 invokestatic exit(LObject;I)V
11 ireturn
12 aload_0
13 iconst_3
14 invokestatic exit(LObject;I)V
17 athrow
    [5, 6) -> 12
    stack 15, locals 9";
    assert_eq!(rewritten(&class.bytes(), &plan()), expected);
}

#[test]
fn a_static_synchronized_method_names_its_class_if_its_version_can() {
    for (major, expected) in [
        (48, "0 iconst_1\n1 invokestatic entered(I)V\n"),
        (
            49,
            "0 ldc T\n2 iconst_1\n3 invokestatic entered(LObject;I)V\n",
        ),
    ] {
        let mut class = ClassText::new(major);
        class.method(0x28, "m", "()V", &[0xb1], &[], &[]);
        let text = rewritten(&class.bytes(), &plan());
        assert!(text.starts_with(expected), "{text}");
    }
}

#[test]
fn a_method_that_overwrites_this_keeps_a_copy() {
    let mut class = ClassText::new(48);
    class.method(0x20, "m", "()V", &[0x01, 0x4b, 0xb1], &[], &[]);
    let text = rewritten(&class.bytes(), &plan());
    let expected = "0 aload_0\n1 astore 9\n3 aload 9\n5 iconst_1\n";
    assert!(text.starts_with(expected), "{text}");
}

#[test]
fn a_wait() {
    let mut class = ClassText::new(48);
    let wait = class.method_ref("java/lang/Object", "wait", "(JI)V");
    let code = [0x2a, 0x09, 0x04, 0xb6, 0, wait as u8, 0xb1];
    class.method(0, "m", "()V", &code, &[[3, 6, 6]], &[]);
    let expected = "\
0 aload_0
1 lconst_0
2 iconst_1
3 istore 12
5 lstore 10
7 dup
8 astore 9
10 aload 9
12 lload 10
14 iload 12
16 0x10 31
18 0x7a
19 0x85
20 0x81
21 iload 12
23 0x11 1000
26 dup
27 0x68
28 0x64
29 0x02
30 0x82
31 0x10 31
33 0x7a
34 0x85
35 0x81
36 iload 12
38 0x74
39 0x10 31
41 0x7c
42 lload 10
44 lconst_0
45 0x94
46 iconst_1
47 0x7e
48 iconst_1
49 0x82
50 0x7e
51 0x85
52 0x81
53 iconst_1
54 invokestatic waiting(LObject;JI)V
57 lload 10
59 iload 12
61 invokevirtual wait(JI)V
64 aload 9
66 iconst_1
67 invokestatic waited(LObject;I)V
70 return
71 aload 9
73 iconst_1
74 invokestatic waitThrew(LObject;I)V
77 athrow
    [61, 64) -> 71
    [3, 70) -> 70
    [71, 78) -> 70
    stack 15, locals 13";
    assert_eq!(rewritten(&class.bytes(), &plan()), expected);
}

#[test]
fn where_a_method_waits_who_comes_in_is_asked_how() {
    let mut plan = plan();
    plan.probes = Probes::of_class("P").with_identity_hash();
    plan.probes.chained = Some(Probe {
        class: "P".to_owned(),
        name: "chained".to_owned(),
    });
    let synchronized = |code: &dyn Fn(&mut ClassText) -> Vec<u8>| {
        let mut class = ClassText::new(48);
        let code = code(&mut class);
        class.method(0x20, "m", "()V", &code, &[], &[]);
        rewritten(&class.bytes(), &plan)
    };
    let waits = synchronized(&|class| {
        let wait = class.method_ref("java/lang/Object", "wait", "()V");
        vec![0x2a, 0xb6, 0, wait as u8, 0xb1]
    });
    let expected = "\
0 aload_0
1 invokestatic identityHashCode(LObject;)I
4 istore 9
6 iload 9
8 iconst_1
9 invokestatic chained(II)V
12 iload 9
14 iconst_1
15 invokestatic entered(II)V
";
    assert!(waits.starts_with(expected), "{waits}");
    let others = synchronized(&|_| vec![0xb1]);
    assert!(!others.contains("chained"), "{others}");
    assert!(!rewritten(&region(), &plan).contains("chained"));
}

#[test]
fn calls_of_other_methods_called_alike_are_no_events() {
    let mut class = ClassText::new(48);
    let own = class.method_ref("T", "notify", "()V");
    let other = class.method_ref("T", "wait", "(I)V");
    let code = [
        0x2a,
        0xb7,
        0,
        own as u8,
        0x2a,
        0x04,
        0xb6,
        0,
        other as u8,
        0xb1,
    ];
    class.method(0, "m", "()V", &code, &[], &[]);
    class.method(2, "notify", "()V", &[0xb1], &[], &[]);
    let bytes = class.bytes();
    assert_eq!(rewrite(&bytes, &plan()).expect("a class").bytes, bytes);
}

#[test]
fn sites_are_numbered_and_stacks_can_be_mapped_back() {
    let mut plan = plan();
    plan.first_site = SiteId(7);
    let done = rewrite(&region(), &plan).expect("a class");
    let sites: Vec<_> = done.sites.iter().map(|s| (s.id.0, s.bci, s.kind)).collect();
    let (enter, exit) = (SiteKind::Enter, SiteKind::Exit);
    assert_eq!(sites, [(7, 3, enter), (8, 5, exit), (9, 11, exit)]);
    let map = &done.methods[0].map;
    assert_eq!(
        (map.to_new(3), map.to_new(5), map.to_new(14)),
        (Some(6), Some(24), Some(42))
    );
    let old = |new: u16| map.to_old(new).expect("inside");
    // Probes stand for the instruction they report: after the enter, before the exits, in handlers.
    assert_eq!([old(4), old(6), old(11), old(14)], [3, 3, 3, 4]);
    assert_eq!([old(21), old(36), old(43), old(54)], [5, 11, 3, 11]);
    assert_eq!(map.to_new(4), Some(14));
    assert_eq!(map.to_new(7), None);
}

#[test]
fn only_what_is_asked_for_is_touched() {
    let bytes = region();
    let target = |name: &str, parts| {
        Targets::Only(vec![Target {
            name: name.to_owned(),
            descriptor: "()V".to_owned(),
            parts,
        }])
    };
    let mut plan = plan();
    plan.targets = target("other", Parts::All);
    assert_eq!(rewrite(&bytes, &plan).expect("a class").bytes, bytes);
    plan.targets = target(
        "m",
        Parts::Only {
            body: true,
            bcis: vec![11],
        },
    );
    let done = rewrite(&bytes, &plan).expect("a class");
    let sites: Vec<_> = done.sites.iter().map(|s| (s.bci, s.kind)).collect();
    assert_eq!(sites, [(11, SiteKind::Exit)]);
    plan.targets = Targets::Everything;
    plan.events.regions = false;
    assert_eq!(rewrite(&bytes, &plan).expect("a class").bytes, bytes);
}
