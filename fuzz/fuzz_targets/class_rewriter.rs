//! Any bytes may be a class: `RUSTC_BOOTSTRAP=1 cargo fuzz run -s none class_rewriter -- -max_total_time=60`, best with
//! some class files as its corpus (`fuzz/corpus/class_rewriter`).
//!
//! Nothing panics; taking methods apart and putting them together again changes no length; what has
//! no event stays as it is; what is given back is a class file again, and its stacks map back.
#![no_main]

use libfuzzer_sys::{fuzz_mutator, fuzz_target, fuzzer_mutate};
use locklens_classfile::class::ClassFile;
use locklens_rewrite::plan::{Plan, Probes};
use locklens_rewrite::{identity, rewrite};
use std::ops::Range;

fuzz_target!(|bytes: &[u8]| {
    if let Ok(same) = identity(bytes) {
        assert_eq!(same.len(), bytes.len());
    }
    let plain = Plan::everything("P");
    let mut hashed = plain.clone();
    hashed.probes = Probes::of_class("P").with_identity_hash();
    hashed.compiled_up_to = None;
    for plan in [plain, hashed] {
        let Ok(done) = rewrite(bytes, &plan) else {
            return;
        };
        assert!(!done.methods.is_empty() || done.bytes == bytes);
        let class = ClassFile::parse(&done.bytes).expect("a class");
        for site in &done.sites {
            let changed = done.methods.iter().find(|m| m.method == site.method);
            let map = &changed.expect("a changed method").map;
            let code = class.code(&class.methods[site.method]).expect("code");
            for new in 0..code.bytes.len() {
                assert!(map.to_old(new as u16).is_some());
            }
        }
    }
});

// Most mutations of a class file only break its tables: every other one stays within the code of one method, its handlers, or its
// frames, and keeps their length.
fuzz_mutator!(|data: &mut [u8], size: usize, max_size: usize, seed: u32| {
    let chosen = code(&data[..size], seed as usize / 2).filter(|_| seed.is_multiple_of(2));
    let Some(chosen) = chosen else {
        return fuzzer_mutate(data, size, max_size);
    };
    let mut piece = data[chosen.clone()].to_vec();
    let length = piece.len();
    let kept = fuzzer_mutate(&mut piece, length, length);
    piece[kept..].fill(0);
    data[chosen].copy_from_slice(&piece);
    size
});

/// Where the code of one of the methods lies, or what belongs to it.
fn code(bytes: &[u8], nth: usize) -> Option<Range<usize>> {
    let class = ClassFile::parse(bytes).ok()?;
    let of = |method| Some((class.code_attribute(method)?, class.code(method)?));
    let all = Vec::from_iter(class.methods.iter().filter_map(of));
    let (attribute, code) = all.get(nth % all.len().max(1))?;
    let start = attribute.at + 8;
    let end = attribute.at + attribute.bytes.len();
    let after = start + code.bytes.len();
    Some(if nth % 3 == 0 {
        after..end
    } else {
        start..after
    })
    .filter(|range| !range.is_empty())
}
