//! Damaged classes: never a panic, never an edit of what was not understood, and what is given back
//! is a class again.

mod asm;

use asm::ClassText;
use locklens_classfile::class::ClassFile;
use locklens_rewrite::plan::Probes;
use locklens_rewrite::{Plan, identity, rewrite};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::Index;

/// A class with everything in it that an edit must move.
fn sample(major: u16) -> Vec<u8> {
    let mut class = ClassText::new(major);
    let wait = class.method_ref("java/lang/Object", "wait", "(J)V");
    let [high, low] = wait.to_be_bytes();
    let object = class.class("java/lang/Object");
    let throwable = class.class("java/lang/Throwable");
    let code = [
        0x2a, 0x59, 0x4d, 0xc2, // synchronized (this) {
        0x2c, 0x09, 0xb6, high, low, // wait(0)
        0x1b, 0xaa, 0, 0, 0, 0, 18, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 18, // switch
        0x2c, 0xc3, 0xb1, // }
        0x4e, 0x2c, 0xc3, 0x2d, 0xbf, // the handler
    ];
    let [o, t] = [object as u8, throwable as u8];
    let frames = [
        0, 2, 252, 0, 28, 7, 0, o, 255, 0, 2, 0, 3, 7, 0, 2, 1, 7, 0, o, 0, 1, 7, 0, t,
    ];
    let lines = [0, 2, 0, 0, 0, 1, 0, 28, 0, 2];
    let variables = [0, 1, 0, 4, 0, 20, 0, 1, 0, 1, 0, 1];
    let annotations = [
        0, 2, 0x43, 0, 4, 0, 0, 1, 0, 0, 0x40, 0, 1, 0, 4, 0, 9, 0, 1, 0, 0, 1, 0, 1, 0, 1, b'e',
        0, 1, 0, 1,
    ];
    let attributes = [
        ("StackMapTable", &frames[..]),
        ("LineNumberTable", &lines),
        ("LocalVariableTable", &variables),
        ("RuntimeVisibleTypeAnnotations", &annotations),
        ("Unknown", &[1, 2, 3]),
    ];
    class.method(
        0,
        "m",
        "(I)V",
        &code,
        &[[4, 30, 31], [31, 34, 31]],
        &attributes,
    );
    class.method(0x20, "s", "()V", &[0xb1], &[], &[]);
    class.bytes()
}

fn plans() -> [Plan; 2] {
    let plain = Plan::everything("P");
    let mut hashed = plain.clone();
    hashed.probes = Probes::of_class("P").with_identity_hash();
    [plain, hashed]
}

/// Puts bytes through everything there is.
fn survive(bytes: &[u8]) -> Result<(), TestCaseError> {
    if let Ok(same) = identity(bytes) {
        prop_assert!(same.len() == bytes.len());
    }
    for plan in plans() {
        let Ok(done) = rewrite(bytes, &plan) else {
            continue;
        };
        if done.methods.is_empty() {
            prop_assert_eq!(&done.bytes, bytes);
        }
        let again = ClassFile::parse(&done.bytes);
        prop_assert!(again.is_ok(), "{again:?}");
    }
    Ok(())
}

#[test]
fn the_sample_is_rewritten() {
    for major in [45, 49, 50, 69, 72] {
        let bytes = sample(major);
        assert_eq!(identity(&bytes).as_ref(), Ok(&bytes));
        for plan in plans() {
            let done = rewrite(&bytes, &plan).expect("a class");
            assert_eq!(done.refused, [], "{major}");
            assert_eq!((done.methods.len(), done.sites.len()), (2, 7));
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(600))]

    #[test]
    fn any_damage_is_survived(
        damage in vec((any::<Index>(), any::<u8>()), 0..8),
        keep in any::<Index>(),
        cut in any::<bool>(),
        major in 45_u16..=70,
    ) {
        let mut bytes = sample(major);
        for (at, byte) in damage {
            let at = at.index(bytes.len());
            bytes[at] = byte;
        }
        if cut {
            bytes.truncate(keep.index(bytes.len()) + 1);
        }
        survive(&bytes)?;
    }

    #[test]
    fn any_code_is_survived(code in vec(any::<u8>(), 0..120), frames in vec(any::<u8>(), 0..40), major in 45_u16..=72) {
        let mut class = ClassText::new(major);
        class.method(0x20, "m", "(J)I", &code, &[[0, 9, 3]], &[("StackMapTable", &frames)]);
        survive(&class.bytes())?;
    }

    /// Instructions that do mean something, in any order.
    #[test]
    fn any_well_formed_code_is_mapped_there_and_back(
        picks in vec(0_usize..8, 1..60),
        major in prop_oneof![Just(48_u16), Just(50), Just(52)],
    ) {
        let insns: [&[u8]; 8] = [
            &[0x2a], &[0xc2], &[0xc3], &[0x59], &[0x4c], &[0x10, 7], &[0xa7, 0, 3], &[0xc4, 0x19, 0, 9],
        ];
        let code: Vec<u8> = picks.iter().flat_map(|i| insns[*i]).copied().chain([0xb1]).collect();
        let mut class = ClassText::new(major);
        class.method(0, "m", "()V", &code, &[], &[]);
        let bytes = class.bytes();
        survive(&bytes)?;
        let mut plan = Plan::everything("P");
        plan.compiled_up_to = None;
        let done = rewrite(&bytes, &plan).expect("a class");
        for changed in &done.methods {
            let mut last = None;
            let mut bci = 0;
            for i in picks.iter().map(|i| insns[*i]).chain([&[0xb1][..]]) {
                let new = changed.map.to_new(bci).expect("an instruction");
                prop_assert_eq!(changed.map.to_old(new), Some(bci));
                prop_assert!(Some(new) > last);
                last = Some(new);
                bci += i.len() as u16;
            }
        }
    }
}
