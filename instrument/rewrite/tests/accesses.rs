//! Accesses to fields and atomics: where their probes are, and what they are given.

mod asm;

use asm::{ClassText, listing};
use locklens_rewrite::{Plan, SiteKind, rewrite};

fn plan() -> Plan {
    let mut plan = Plan::everything("P");
    plan.events.accesses = true;
    plan
}

/// A static method of a class with one field or method that its code names as number 1.
fn rewritten(member: (bool, &str, &str, &str), code: impl Fn(u8) -> Vec<u8>) -> String {
    let mut text = ClassText::new(48);
    let (is_field, class, name, descriptor) = member;
    let index = match is_field {
        true => text.field_ref(class, name, descriptor),
        false => text.method_ref(class, name, descriptor),
    };
    text.method(8, "m", "(LT;J)V", &code(index as u8), &[], &[]);
    let bytes = text.bytes();
    let done = rewrite(&bytes, &plan()).expect("a class");
    assert_eq!(done.refused, []);
    assert_eq!(done.sites.len(), 1);
    assert!(matches!(done.sites[0].kind, SiteKind::Access));
    listing(&done.bytes, 0)
}

fn calls(listing: &str) -> Vec<&str> {
    let lines = listing.lines().filter_map(|line| line.split_once(' '));
    lines.map(|(_, insn)| insn).collect()
}

const GETFIELD: u8 = 0xb4;
const PUTFIELD: u8 = 0xb5;
const PUTSTATIC: u8 = 0xb3;
const POP: u8 = 0x57;
const RETURN: u8 = 0xb1;

#[test]
fn what_is_read_is_told_behind_it_if_it_is_an_int() {
    let code = |index: u8| vec![0x2a, GETFIELD, 0, index, POP, RETURN];
    let int = rewritten((true, "T", "f", "I"), code);
    let expected = [
        "aload_0",
        "dup",
        "iconst_1",
        "invokestatic reading(LObject;I)V",
        "0xb4 fI",
        "dup",
        "iconst_1",
        "invokestatic read(II)V",
    ];
    assert!(starts(&calls(&int), &expected), "{int}");
    let object = rewritten((true, "T", "f", "LT;"), code);
    assert!(object.contains("invokestatic read(I)V"), "{object}");
}

#[test]
fn what_is_written_is_told_in_front_of_it() {
    let code = |index: u8| vec![0x2a, 0x1f, PUTFIELD, 0, index, RETURN];
    let wide = rewritten((true, "T", "f", "J"), code);
    let expected = [
        "aload_0",
        "lload_1",
        "0x5d",
        "0x58",
        "0x5b",
        "iconst_1",
        "invokestatic writing(LObject;I)V",
    ];
    assert!(starts(&calls(&wide), &expected), "{wide}");
    let code = |index: u8| vec![0x04, PUTSTATIC, 0, index, RETURN];
    let static_one = rewritten((true, "T", "f", "Z"), code);
    assert!(
        static_one.contains("invokestatic writing(LObject;II)V"),
        "{static_one}"
    );
}

#[test]
fn a_swap_says_whether_it_wrote() {
    let atomic = "java/util/concurrent/atomic/AtomicBoolean";
    let code = |index: u8| vec![0x2a, 0x03, 0x04, 0xb6, 0, index, POP, RETURN];
    let swap = rewritten((false, atomic, "compareAndSet", "(ZZ)Z"), code);
    for call in ["updating(LObject;II)V", "swapped(ZII)V"] {
        assert!(swap.contains(call), "{swap}");
    }
}

#[test]
fn an_exchange_is_told_with_what_was_there_and_what_was_expected() {
    let atomic = "java/util/concurrent/atomic/AtomicInteger";
    let code = |index: u8| vec![0x2a, 0x03, 0x04, 0xb6, 0, index, POP, RETURN];
    let exchange = rewritten((false, atomic, "compareAndExchange", "(II)I"), code);
    for call in ["updating(LObject;II)V", "exchanged(III)V"] {
        assert!(exchange.contains(call), "{exchange}");
    }
    assert!(!exchange.contains("updated("), "{exchange}");
    let atomic = "java/util/concurrent/atomic/AtomicReference";
    let code = |index: u8| vec![0x2a, 0x01, 0x01, 0xb6, 0, index, POP, RETURN];
    let objects = "(Ljava/lang/Object;Ljava/lang/Object;)Ljava/lang/Object;";
    let exchange = rewritten((false, atomic, "compareAndExchangeAcquire", objects), code);
    assert!(
        exchange.contains("exchanged(LObject;LObject;I)V"),
        "{exchange}"
    );
}

/// What becomes of a constructor of a class file without stack maps, or with this version: its sites, and what is refused.
fn constructed(major: u16, code: impl Fn([u8; 2]) -> Vec<u8>) -> (usize, Vec<String>) {
    let mut text = ClassText::new(major);
    let field = text.field_ref("T", "f", "I") as u8;
    let born = text.method_ref("java/lang/Object", "<init>", "()V") as u8;
    text.method(0, "<init>", "(I)V", &code([field, born]), &[], &[]);
    let bytes = text.bytes();
    let done = rewrite(&bytes, &plan()).expect("a class");
    let refused = done.refused.iter().map(|refused| refused.name.clone());
    (done.sites.len(), refused.collect())
}

#[test]
fn what_a_constructor_stores_is_told_from_when_the_object_is_born() {
    // f = i; super(); if (i != 0) f = i;
    let code = |[field, born]: [u8; 2]| {
        let early = [0x2a, 0x1b, PUTFIELD, 0, field, 0x2a, 0xb7, 0, born];
        let late = [0x1b, 0x99, 0, 8, 0x2a, 0x1b, PUTFIELD, 0, field, RETURN];
        [&early[..], &late].concat()
    };
    for major in [45, 48, 49] {
        assert_eq!(constructed(major, code), (1, vec![]), "{major}");
    }
    // Nor has one whose map the JVM threw away.
    assert_eq!(constructed(52, code), (1, vec![]));
}

#[test]
fn a_constructor_that_stores_into_who_knows_what_is_refused_by_name() {
    // Behind a subroutine (`jsr`).
    let code = |[field, born]: [u8; 2]| {
        let calls = [0x2a, 0xb7, 0, born, 0xa8, 0, 9];
        let stores = [0x2a, 0x1b, PUTFIELD, 0, field, RETURN];
        let returns = [0x4d, 0xa9, 2];
        [&calls[..], &stores, &returns].concat()
    };
    assert_eq!(constructed(48, code), (0, vec!["<init>".to_owned()]));
}

#[test]
fn a_store_that_is_never_executed_needs_no_probe() {
    // super(); f = i; and between these what an obfuscator left, over which it jumps.
    let code = |[field, born]: [u8; 2]| {
        let over = [0x2a, 0xb7, 0, born, 0xa7, 0, 8];
        let stores = [0x2a, 0x1b, PUTFIELD, 0, field];
        [&over[..], &stores, &stores, &[RETURN]].concat()
    };
    for major in [48, 52] {
        assert_eq!(constructed(major, code), (1, vec![]), "{major}");
    }
}

#[test]
fn what_is_not_asked_for_is_not_touched() {
    let mut text = ClassText::new(48);
    let index = text.field_ref("T", "f", "I") as u8;
    text.method(
        8,
        "m",
        "(LT;)V",
        &[0x2a, GETFIELD, 0, index, POP, RETURN],
        &[],
        &[],
    );
    let bytes = text.bytes();
    let done = rewrite(&bytes, &Plan::everything("P")).expect("a class");
    assert!(done.sites.is_empty() && done.bytes == bytes);
}

/// Whether a listing begins so.
fn starts(insns: &[&str], expected: &[&str]) -> bool {
    insns.len() >= expected.len()
        && insns
            .iter()
            .zip(expected)
            .all(|(insn, name)| insn.starts_with(name))
}
