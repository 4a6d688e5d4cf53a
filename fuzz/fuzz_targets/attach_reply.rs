//! Whatever a process sends in place of an answer: it parses or it is refused, and nothing is lost.
//!
//!     RUSTC_BOOTSTRAP=1 cargo fuzz run -s none attach_reply -- -max_total_time=60

#![no_main]

use libfuzzer_sys::fuzz_target;
use locklens_hotspot::{LoadOutcome, load_outcome, parse_reply};

fuzz_target!(|bytes: &[u8]| {
    let Ok(reply) = parse_reply(bytes) else {
        return;
    };
    assert!(bytes.ends_with(&reply.text));
    let head = &bytes[..bytes.len() - reply.text.len()];
    let line = std::str::from_utf8(head).expect("a number is text");
    assert_eq!(line.trim_end().parse(), Ok(reply.status));
    if load_outcome(&reply) == LoadOutcome::Loaded {
        assert!(reply.text.contains(&b'0'));
    }
});
