//! Any bytes may be a class: `RUSTC_BOOTSTRAP=1 cargo fuzz run -s none class_rewriter -- -max_total_time=60`, best with
//! some class files as its corpus (`fuzz/corpus/class_rewriter`).
//!
//! Nothing panics; taking methods apart and putting them together again changes no length; what has
//! no event stays as it is; what is given back is a class file again, and its stacks map back.
#![no_main]

use libfuzzer_sys::fuzz_target;
use locklens_classfile::class::ClassFile;
use locklens_rewrite::plan::{Plan, Probes};
use locklens_rewrite::{identity, rewrite};

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
