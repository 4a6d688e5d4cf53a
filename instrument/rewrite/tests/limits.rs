//! What cannot be rewritten is left alone and named; everything around it is rewritten.

mod asm;
mod jvm;

use asm::ClassText;
use jvm::{Scratch, jdks, rewrite_all, run, succeed};
use locklens_classfile::append::Full;
use locklens_classfile::class::ClassFile;
use locklens_classfile::edit::Refusal;
use locklens_rewrite::{Plan, Reason, Unreadable, rewrite};
use std::fmt::Write as _;
use std::fs;

/// Enters and leaves, so many `nop`s before.
fn padded(nops: usize) -> Vec<u8> {
    let mut code = vec![0; nops];
    code.extend([0x2a, 0xc2, 0x2a, 0xc3, 0xb1]);
    code
}

fn reasons(class: &ClassText, plan: &Plan) -> Vec<(String, Reason)> {
    let bytes = class.bytes();
    let done = rewrite(&bytes, plan).expect("a class");
    let refused = done.refused.into_iter().map(|r| (r.name, r.reason));
    refused.collect()
}

#[test]
fn a_method_too_long_is_named_and_the_next_is_done() {
    let mut class = ClassText::new(48);
    class.method(0, "long", "()V", &padded(65_520), &[], &[]);
    class.method(0, "short", "()V", &padded(1), &[], &[]);
    let mut plan = Plan::everything("P");
    plan.compiled_up_to = None;
    let [(name, Reason::Edit(Refusal::TooLong(len)))] = &reasons(&class, &plan)[..] else {
        panic!("not refused");
    };
    assert!(name == "long" && *len > 65_535);
    let done = rewrite(&class.bytes(), &plan).expect("a class");
    assert_eq!(done.methods.len(), 1);
    assert_eq!(
        done.sites.iter().map(|s| s.id.0).collect::<Vec<_>>(),
        [1, 2]
    );
}

#[test]
fn no_method_grows_beyond_what_the_jit_compiles() {
    let mut class = ClassText::new(48);
    class.method(0, "crosses", "()V", &padded(7_990), &[], &[]);
    class.method(0, "hopeless", "()V", &padded(8_000), &[], &[]);
    class.method(0, "fits", "()V", &padded(7_900), &[], &[]);
    let refused = reasons(&class, &Plan::everything("P"));
    let [(name, Reason::NeverCompiled(len))] = &refused[..] else {
        panic!("{refused:?}");
    };
    assert!(name == "crosses" && *len > 8_000);
}

#[test]
fn a_full_pool_names_the_method_and_leaves_the_class() {
    let mut class = ClassText::new(48);
    class.integers(65_522);
    class.method(0, "m", "()V", &padded(0), &[], &[]);
    let full = Reason::Edit(Refusal::Pool(Full::Indices));
    assert_eq!(
        reasons(&class, &Plan::everything("P")),
        [("m".to_owned(), full)]
    );
    let bytes = class.bytes();
    let done = rewrite(&bytes, &Plan::everything("P")).expect("a class");
    assert_eq!(done.bytes, bytes);
}

/// A branch over an enter and an exit, in a class of a version that knows stack maps.
fn branch_with(map: &[(&str, &[u8])], major: u16) -> ClassText {
    let mut class = ClassText::new(major);
    let code = [&[0xa7, 0, 3][..], &padded(0)].concat();
    class.method(0, "m", "()V", &code, &[], map);
    class
}

#[test]
fn a_stack_map_that_does_not_lead_to_an_enter_refuses_it() {
    let empty: &[(&str, &[u8])] = &[("StackMapTable", &[0, 0])];
    let unknown = Reason::Edit(Refusal::Types(4));
    assert_eq!(
        reasons(&branch_with(empty, 51), &Plan::everything("P")),
        [("m".to_owned(), unknown)]
    );
    // Version 50 falls back to inference, so no frame is needed.
    let old = branch_with(empty, 50);
    assert_eq!(reasons(&old, &Plan::everything("P")), []);
}

/// The JVM hands out classes of its own that it does not verify without their stack maps.
#[test]
fn where_the_jvm_threw_the_stack_map_away_none_is_written() {
    let bytes = branch_with(&[], 52).bytes();
    let done = rewrite(&bytes, &Plan::everything("P")).expect("a class");
    assert_eq!(done.refused, []);
    assert_eq!(done.sites.len(), 2);
    let after = ClassFile::parse(&done.bytes).expect("a class");
    let code = after.code(&after.methods[0]).expect("code");
    assert!(!code.handlers.is_empty());
    assert_eq!(code.attributes, []);
}

#[test]
fn native_methods_are_named() {
    let mut class = ClassText::new(48);
    class.method(0x120, "m", "()V", &[0xb1], &[], &[]);
    assert_eq!(
        reasons(&class, &Plan::everything("P")),
        [("m".to_owned(), Reason::Native)]
    );
}

#[test]
fn versions_to_come_are_not_touched() {
    let class = ClassText::new(73);
    let error = rewrite(&class.bytes(), &Plan::everything("P")).expect_err("unknown");
    assert_eq!(error, Unreadable::Major(73));
}

/// A program whose branches just reach, and no longer do with the probes in between: forwards and
/// backwards, conditional and not, out of a switch and over it.
fn far_reaching() -> String {
    let mut java = String::from(
        "public class Far { static Object a = new Object(); static int f;\n\
         static int m(int n) { int x = 0;\n for (int i = 0; i < n; i++) { if (i % 3 != 1) {\n",
    );
    for block in 0..40 {
        let _ = writeln!(
            java,
            "synchronized (a) {{ f++; if (f == -{block}) a.notify(); }}"
        );
        let _ = writeln!(
            java,
            "switch (f & 3) {{ case 0: x++; break; case 1: x += 2; break; default: x--; }}"
        );
        java.push_str(&"x++;".repeat(238));
    }
    java.push_str("} else x--; } return x; }\n");
    java.push_str(
        "public static void main(String[] s) { System.out.println(m(7) + \" \" + f); } }\n",
    );
    java
}

#[test]
fn branches_that_no_longer_reach_are_written_long() {
    for jdk in jdks() {
        let scratch = Scratch::new();
        let file = scratch.join("Far.java");
        fs::write(&file, far_reaching()).expect("writable");
        let mut javac = jdk.tool("javac");
        let probe = jvm::source("probe/Counter.java");
        succeed(
            javac
                .arg("-nowarn")
                .arg("-d")
                .arg(scratch.dir())
                .arg(&file)
                .arg(probe),
        );
        let go = || {
            let mut java = jdk.java();
            succeed(java.arg("-cp").arg(scratch.dir()).arg("Far"))
        };
        let before = go();
        let mut plan = Plan::everything("probe/Counter");
        plan.compiled_up_to = None;
        let old = fs::read(scratch.join("Far.class")).expect("compiled");
        assert!(rewrite_all(scratch.dir(), &plan) > 100);
        let new = fs::read(scratch.join("Far.class")).expect("rewritten");
        assert!(
            !asm::listing(&old, 1).contains("goto_w"),
            "{jdk:?}: long already"
        );
        assert!(
            asm::listing(&new, 1).contains("goto_w"),
            "{jdk:?}: not long"
        );
        assert_eq!(go(), before, "{jdk:?}");
        let mut java = jdk.java();
        let huge = run(java
            .args([
                "-Xcomp",
                "-XX:CompileOnly=Far.m",
                "-XX:-DontCompileHugeMethods",
                "-cp",
            ])
            .arg(scratch.dir())
            .arg("Far"));
        // JVMs repeat on stdout which methods they were told to compile.
        assert!(
            huge.out.ends_with(&before),
            "{jdk:?} {} {}",
            huge.out,
            huge.err
        );
    }
}
