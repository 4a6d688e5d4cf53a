//! Whatever comes from a connection: the head of a request is found where it ends, and what is understood of it stands in it.
//!
//!     RUSTC_BOOTSTRAP=1 cargo fuzz run -s none http_request -- -max_total_time=60

#![no_main]

#[path = "../../attach/cli/src/view/request.rs"]
#[allow(dead_code, unreachable_pub)]
mod request;

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let Some(length) = request::length(bytes) else {
        assert!(request::parse(bytes).is_err());
        return;
    };
    let head = &bytes[..length];
    assert!(request::length(&bytes[..length - 1]).is_none());
    let Ok(request) = request::parse(head) else { return };
    let text = std::str::from_utf8(head).expect("it is text");
    assert!(text.starts_with(&format!("{} {} HTTP/1.", request.method, request.target)));
    assert!(text.contains(request.host) && !request.host.contains(['\r', '\n', '\0']));
    assert!(request.target.starts_with('/') && request.target.is_ascii());
});
