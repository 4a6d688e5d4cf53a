//! Any bytes give a value or an error: no panic, no endless loop, no memory beyond their size.

use locklens_classfile::class::ClassFile;
use locklens_classfile::code::{Operand, instructions};
use locklens_classfile::mutf8;
use locklens_classfile::pool::Pool;
use proptest::collection::vec;
use proptest::prelude::*;

/// A small real class: `class A { int f; synchronized void m() { f++; } }`, written by hand.
fn sample() -> Vec<u8> {
    let mut class = vec![0xca, 0xfe, 0xba, 0xbe, 0, 0, 0, 52, 0, 11];
    for text in ["A", "java/lang/Object", "f", "I", "m", "()V", "Code"] {
        class.extend([1, 0, text.len() as u8]);
        class.extend(text.bytes());
    }
    class.extend([7, 0, 1, 7, 0, 2]); // 8: A, 9: Object
    class.extend([12, 0, 3, 0, 4]); // 10: f I
    class.extend([0, 0x20, 0, 8, 0, 9, 0, 0]); // flags, this, super, no interfaces
    class.extend([0, 1, 0, 0, 0, 3, 0, 4, 0, 0]); // the field
    class.extend([0, 1, 0, 0x20, 0, 5, 0, 6, 0, 1]); // the method, one attribute
    let code = [0x2a, 0x59, 0xb4, 0, 10, 0x04, 0x60, 0xb5, 0, 10, 0xb1];
    class.extend([0, 7, 0, 0, 0, 12 + code.len() as u8, 0, 3, 0, 1]);
    class.extend([0, 0, 0, code.len() as u8]);
    class.extend(code);
    class.extend([0, 0, 0, 0]); // no handlers, no attributes
    class.extend([0, 0]); // no attributes of the class
    class
}

fn read_all(bytes: &[u8]) -> usize {
    let Ok(class) = ClassFile::parse(bytes) else {
        return 0;
    };
    let codes = class.methods.iter().filter_map(|m| class.code(m));
    let insns = codes
        .map(|code| instructions(code.bytes).count())
        .sum::<usize>();
    insns + class.pool.members().count()
}

#[test]
fn the_sample_is_read() {
    let bytes = sample();
    let class = ClassFile::parse(&bytes).expect("well-formed");
    assert_eq!(class.pool.class(class.this_class), Some("A"));
    let code = class.code(&class.methods[0]).expect("has code");
    let opcodes: Vec<u8> = instructions(code.bytes)
        .map(|insn| insn.expect("well-formed").opcode)
        .collect();
    assert_eq!(opcodes, [0x2a, 0x59, 0xb4, 0x04, 0x60, 0xb5, 0xb1]);
}

proptest! {
    #[test]
    fn any_bytes_are_survived(bytes in vec(any::<u8>(), 0..400), count in any::<u16>()) {
        read_all(&bytes);
        let _ = Pool::parse(count, &bytes);
        let _ = mutf8::decode(&bytes);
    }

    #[test]
    fn a_damaged_class_is_survived(
        damage in vec((any::<prop::sample::Index>(), any::<u8>()), 0..6),
        keep in any::<prop::sample::Index>(),
    ) {
        let mut bytes = sample();
        for (at, byte) in damage {
            let at = at.index(bytes.len());
            bytes[at] = byte;
        }
        bytes.truncate(keep.index(bytes.len()) + 1);
        read_all(&bytes);
    }

    #[test]
    fn any_code_is_read_in_order_and_within_itself(code in vec(any::<u8>(), 0..600)) {
        let mut next = 0;
        for insn in instructions(&code) {
            let Ok(insn) = insn else { break };
            prop_assert!(usize::from(insn.bci) >= next && usize::from(insn.bci) < code.len());
            next = usize::from(insn.bci) + 1;
            let inside = |target: u16| usize::from(target) < code.len();
            match insn.operand {
                Operand::Branch(target) => prop_assert!(inside(target)),
                Operand::Switch { cases, default } => {
                    prop_assert!(inside(default) && cases.iter().all(|c| inside(c.1)));
                    prop_assert!(cases.len() * 4 <= code.len());
                }
                _ => {}
            }
        }
    }

    #[test]
    fn valid_utf8_of_the_basic_plane_is_kept(text in "[^\u{0}\u{10000}-\u{10ffff}]*") {
        prop_assert_eq!(mutf8::decode(text.as_bytes()), text);
    }
}
