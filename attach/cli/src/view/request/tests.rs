//! Requests of browsers, and of others.

use super::*;
use proptest::prelude::*;

const BROWSER: &str = "GET /token/detail?from=1&to=2 HTTP/1.1\r\nHost: 127.0.0.1:8123\r\n\
    Connection: keep-alive\r\nAccept: text/html,*/*;q=0.8\r\nAccept-Language:\r\n\r\n";

#[test]
fn what_a_browser_sends_is_understood() {
    assert_eq!(length(BROWSER.as_bytes()), Some(BROWSER.len()));
    let request = parse(BROWSER.as_bytes()).unwrap();
    assert_eq!(request.method, "GET");
    assert_eq!(request.target, "/token/detail?from=1&to=2");
    assert_eq!(request.host, "127.0.0.1:8123");
}

#[test]
fn what_a_page_posts_is_understood() {
    let head = "POST /token/visualize HTTP/1.1\r\nHost: 127.0.0.1:8123\r\nContent-Length: 12\r\n\
        content-type: application/json\r\nOrigin: http://127.0.0.1:8123\r\n\r\n";
    let request = parse(head.as_bytes()).unwrap();
    assert_eq!(request.method, "POST");
    assert_eq!(request.origin, Some("http://127.0.0.1:8123"));
    assert_eq!(request.kind, Some("application/json"));
    assert_eq!(request.length, 12);
    let plain = parse(BROWSER.as_bytes()).unwrap();
    assert_eq!((plain.origin, plain.kind, plain.length), (None, None, 0));
}

#[test]
fn a_head_is_whole_or_not_there() {
    for cut in 0..BROWSER.len() {
        assert_eq!(length(&BROWSER.as_bytes()[..cut]), None, "{cut}");
        assert_eq!(parse(&BROWSER.as_bytes()[..cut]), Err(Malformed), "{cut}");
    }
    let more = format!("{BROWSER}body");
    assert_eq!(length(more.as_bytes()), Some(BROWSER.len()));
}

#[test]
fn what_could_mean_two_things_means_nothing() {
    for head in [
        "GET / HTTP/1.1\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: a\r\nhost: b\r\n\r\n",
        "GET / HTTP/1.1\r\nHost : a\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: a\r\n b\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: a\nX: b\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: a\0\r\n\r\n",
        "GET / HTTP/1.1\r\nHost\r\n\r\n",
        "GET  / HTTP/1.1\r\nHost: a\r\n\r\n",
        "GET / HTTP/1.1 \r\nHost: a\r\n\r\n",
        "GET /\u{e4} HTTP/1.1\r\nHost: a\r\n\r\n",
        "GET http://a/ HTTP/1.1\r\nHost: a\r\n\r\n",
        "GET * HTTP/1.1\r\nHost: a\r\n\r\n",
        "G(T / HTTP/1.1\r\nHost: a\r\n\r\n",
        "GET / HTTP/2.0\r\nHost: a\r\n\r\n",
        "GET / HTTP/1.1\nHost: a\n\n",
        "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n",
        "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: +1\r\n\r\n",
        "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1, 1\r\n\r\n",
        "POST / HTTP/1.1\r\nHost: a\r\nContent-Length:\r\n\r\n",
        "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n",
        "POST / HTTP/1.1\r\nHost: a\r\nOrigin: a\r\nOrigin: b\r\n\r\n",
    ] {
        assert_eq!(parse(head.as_bytes()), Err(Malformed), "{head:?}");
    }
    let latin = b"GET / HTTP/1.1\r\nHost: \xe4\r\n\r\n";
    assert_eq!(parse(latin), Err(Malformed));
}

proptest! {
    #[test]
    fn nothing_breaks_it(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
        let _ = length(&bytes);
        let _ = parse(&bytes);
    }

    #[test]
    fn what_it_understands_is_what_was_sent(
        method in "[A-Z]{1,8}",
        target in "/[!-~]{0,40}",
        host in "[!-~]{0,20}",
        fields in prop::collection::vec(("[a-z-]{1,10}", "[ -~]{0,20}"), 0..6),
        place in any::<prop::sample::Index>(),
    ) {
        let mut lines: Vec<String> = { fields }
            .into_iter()
            .map(|(name, value)| format!("x{name}: {value}"))
            .collect();
        lines.insert(place.index(lines.len() + 1), format!("hOsT:\t{host} "));
        let head = format!("{method} {target} HTTP/1.1\r\n{}\r\n\r\n", lines.join("\r\n"));
        prop_assert_eq!(length(head.as_bytes()), Some(head.len()));
        let request = parse(head.as_bytes()).unwrap();
        prop_assert_eq!(request.method, &method);
        prop_assert_eq!(request.target, &target);
        prop_assert_eq!(request.host, &host);
    }
}
