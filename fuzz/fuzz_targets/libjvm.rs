//! Any bytes as the file of a HotSpot library: found or refused, never a panic. By their first byte the others are the file,
//! or code around which one is built: `RUSTC_BOOTSTRAP=1 cargo fuzz run -s none libjvm -- -max_total_time=60`.
#![no_main]

use libfuzzer_sys::fuzz_target;
use locklens_fuzz::library;
use locklens_libjvm::Kind;

fuzz_target!(|input: &[u8]| {
    let Some((&way, bytes)) = input.split_first() else {
        return;
    };
    let file = match way {
        0 => bytes.to_vec(),
        _ => library::build(bytes),
    };
    let Ok(points) = locklens_libjvm::find(&file[..]) else {
        return;
    };
    for kind in Kind::ALL {
        assert!(points.sites.iter().any(|site| site.kind == kind));
    }
    for site in &points.sites {
        // What is redirected is a call of that function.
        let at = (site.call - site.text_start) as usize;
        let by = i32::from_le_bytes(site.text[at + 1..at + 5].try_into().expect("four bytes"));
        let there = (site.call + 5).wrapping_add_signed(by.into());
        assert_eq!((site.text[at], there), (0xe8, points.called));
        assert!(site.call < site.point);
    }
});
