//! Any bytes as the file of a HotSpot library: found or refused, never a panic.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    if let Ok(points) = locklens_libjvm::find(bytes) {
        assert!(!points.sites.is_empty());
    }
});
