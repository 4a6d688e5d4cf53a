//! What is answered to a request: the page, stays of a part of the recording, what became of a wish, or why not.
//!
//! Nobody gets anything who does not have the token, and nothing is read from disk by a name that a request has. A [`Wish`] is
//! taken from nobody but the page itself: the browser must say that it comes from there, and in a way that no page of another
//! server may have it sent.

use super::desk::{self, Desk, Wish};
use super::request::Request;
use super::source::{Ask, Refused};
use crate::exit::Failure;
use crate::record::hello::Secret;
use locklens_trace::Nanos;
use serde_json::json;
use std::io::{self, Write};
use std::sync::mpsc::{Sender, channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

/// Headers of every answer. The page's own policy stands in it; that nobody puts it into a frame can only be said here.
const HEADERS: &str = "Cache-Control: no-store\r\n\
    Content-Security-Policy: frame-ancestors 'none'\r\n\
    Cross-Origin-Opener-Policy: same-origin\r\n\
    Cross-Origin-Resource-Policy: same-origin\r\n\
    Referrer-Policy: no-referrer\r\n\
    X-Content-Type-Options: nosniff\r\n\
    Connection: close\r\n";

/// What is served.
pub(crate) struct Site {
    /// Who knows it may see everything.
    pub(crate) token: String,
    pub(crate) port: u16,
    /// Who reads the trace, one part after the other.
    pub(crate) source: Sender<Ask>,
    /// What a page may have the command do, if anything.
    pub(crate) desk: Option<Arc<Desk>>,
    shown: Mutex<Shown>,
}

/// What there is to be seen by now.
#[derive(Clone, Debug, Default)]
pub(crate) struct Shown {
    pub(crate) page: Arc<Vec<u8>>,
    /// How it stands with a recording that is under way.
    pub(crate) live: Option<Live>,
}

/// See [`Shown`].
#[derive(Clone, Debug)]
pub(crate) struct Live {
    /// How many pages there have been.
    pub(crate) generation: u64,
    /// When this one was read.
    pub(crate) read: Instant,
    /// Why there will not be more, once it is over.
    pub(crate) over: Option<&'static str>,
}

impl Live {
    fn told(&self, desk: Option<&Desk>) -> Vec<u8> {
        let Self {
            generation,
            read,
            over,
        } = self;
        let told = json!({
            "generation": generation,
            "age_ms": read.elapsed().as_millis() as u64,
            "over": over,
            "recording": desk.map(Desk::told),
        });
        told.to_string().into_bytes()
    }
}

/// An answer.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Answer {
    status: &'static str,
    kind: &'static str,
    body: Arc<Vec<u8>>,
    /// The method that would have had another answer.
    allow: Option<&'static str>,
}

impl Answer {
    /// One without a result.
    pub(crate) fn refusal(status: &'static str) -> Self {
        Self {
            status,
            kind: "text/plain; charset=utf-8",
            body: Arc::new(format!("{status}\n").into_bytes()),
            allow: None,
        }
    }

    fn only(method: &'static str) -> Self {
        Self {
            allow: Some(method),
            ..Self::refusal("405 Method Not Allowed")
        }
    }

    fn json(body: Vec<u8>) -> Self {
        Self {
            status: "200 OK",
            kind: "application/json",
            body: Arc::new(body),
            allow: None,
        }
    }

    /// Writes it.
    pub(crate) fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        let Self {
            status,
            kind,
            body,
            allow,
        } = self;
        let allow = allow.map_or(String::new(), |method| format!("Allow: {method}\r\n"));
        let length = body.len();
        write!(
            out,
            "HTTP/1.1 {status}\r\nContent-Type: {kind}\r\nContent-Length: {length}\r\n{allow}{HEADERS}\r\n"
        )?;
        out.write_all(body)?;
        out.flush()
    }
}

impl Site {
    /// One that shows nothing yet.
    pub(crate) fn new(
        port: u16,
        source: Sender<Ask>,
        desk: Option<Arc<Desk>>,
    ) -> Result<Self, Failure> {
        let token = Secret::random();
        let token = token.map_err(|error| Failure::usage(format_args!("no token: {error}")))?;
        Ok(Self {
            token: token.to_string(),
            port,
            source,
            desk,
            shown: Mutex::default(),
        })
    }

    /// Where it is.
    pub(crate) fn address(&self) -> String {
        format!("http://127.0.0.1:{}/{}/", self.port, self.token)
    }

    /// What it shows.
    pub(crate) fn shown(&self) -> MutexGuard<'_, Shown> {
        self.shown.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The answer to a request. Its body is read by `body`, and only if it matters.
    pub(crate) fn answer(
        &self,
        request: &Request<'_>,
        body: impl FnOnce() -> io::Result<Vec<u8>>,
    ) -> Answer {
        if !is_host(request.host, self.port) {
            return Answer::refusal("400 Bad Request");
        }
        match (asked(request.target, &self.token), request.method) {
            (Asked::Visualize, _) if self.desk.is_none() => Answer::refusal("404 Not Found"),
            (Asked::Visualize, "POST") => self.wish(request, body),
            (Asked::Visualize, _) => Answer::only("POST"),
            (_, method) if method != "GET" => Answer::only("GET"),
            (asked, _) => self.got(&asked),
        }
    }

    fn wish(&self, request: &Request<'_>, body: impl FnOnce() -> io::Result<Vec<u8>>) -> Answer {
        if !is_own(request) {
            return Answer::refusal("403 Forbidden");
        }
        if request.length > desk::LONGEST {
            return Answer::refusal("413 Content Too Large");
        }
        let Ok(body) = body() else {
            return Answer::refusal("408 Request Timeout");
        };
        let Ok(wish) = serde_json::from_slice::<Wish>(&body) else {
            return Answer::refusal("400 Bad Request");
        };
        match self.desk.as_ref().and_then(|desk| desk.ask(wish)) {
            Some(reply) => Answer::json(reply.json()),
            None => Answer::refusal("500 Internal Server Error"),
        }
    }

    fn got(&self, asked: &Asked) -> Answer {
        match *asked {
            Asked::Page => Answer {
                status: "200 OK",
                kind: "text/html; charset=utf-8",
                body: Arc::clone(&self.shown().page),
                allow: None,
            },
            Asked::Now => match &self.shown().live {
                Some(live) => Answer::json(live.told(self.desk.as_deref())),
                None => Answer::refusal("404 Not Found"),
            },
            Asked::Detail(from, to, of) => self.detail(from, to, of),
            Asked::Nonsense => Answer::refusal("400 Bad Request"),
            Asked::Visualize | Asked::Nothing => Answer::refusal("404 Not Found"),
        }
    }

    fn detail(&self, from: u64, to: u64, of: u64) -> Answer {
        let (reply, told) = channel();
        let ask = Ask {
            from: Nanos(from),
            to: Nanos(to),
            of,
            reply,
        };
        // With nobody to read the trace any more, there is no reply either.
        let _ = self.source.send(ask);
        match told.recv() {
            Ok(Ok(body)) => Answer::json(body),
            Ok(Err(Refused::TooMuch)) => Answer::json(b"{\"too_much\":true}".to_vec()),
            Ok(Err(Refused::Old)) => Answer::json(b"{\"old\":true}".to_vec()),
            Ok(Err(Refused::Unread)) | Err(_) => Answer::refusal("500 Internal Server Error"),
        }
    }
}

/// Only what a browser shows as this computer: a name of somebody else's that leads here (DNS rebinding) is not ours.
fn is_host(host: &str, port: u16) -> bool {
    let is_ours = |name: &str| name == "127.0.0.1" || name.eq_ignore_ascii_case("localhost");
    match host.rsplit_once(':') {
        Some((name, told)) => is_ours(name) && told == port.to_string(),
        // Browsers leave out the usual port.
        None => is_ours(host) && port == 80,
    }
}

/// What only the page itself can have sent: browsers tell for whom they post something, a page of another server can't change that;
/// and what is called JSON they post for such a page only if this server allowed it.
fn is_own(request: &Request<'_>) -> bool {
    let is_ours = |origin: &str| {
        let host = origin.strip_prefix("http://");
        host.is_some_and(|host| host.eq_ignore_ascii_case(request.host))
    };
    request.origin.is_some_and(is_ours) && request.kind == Some("application/json")
}

#[derive(Debug, PartialEq, Eq)]
enum Asked {
    Page,
    Now,
    Visualize,
    Detail(u64, u64, u64),
    Nonsense,
    Nothing,
}

fn asked(target: &str, token: &str) -> Asked {
    let path = target.strip_prefix('/').unwrap_or(target);
    let (told, rest) = path.split_once('/').unwrap_or((path, "nothing"));
    if !is_same(told.as_bytes(), token.as_bytes()) {
        return Asked::Nothing;
    }
    match rest.split_once('?').unwrap_or((rest, "")) {
        ("", _) => Asked::Page,
        ("now", "") => Asked::Now,
        ("visualize", "") => Asked::Visualize,
        ("detail", query) => {
            part(query).map_or(Asked::Nonsense, |(f, t, of)| Asked::Detail(f, t, of))
        }
        _ => Asked::Nothing,
    }
}

/// In a time that does not tell how much of it is right.
fn is_same(told: &[u8], token: &[u8]) -> bool {
    let differing = told.iter().zip(token).fold(0, |all, (a, b)| all | (a ^ b));
    told.len() == token.len() && std::hint::black_box(differing) == 0
}

/// `from=1&to=2&of=3`: ns, and of which page; there is but one if it does not say.
fn part(query: &str) -> Option<(u64, u64, u64)> {
    let (from, rest) = query.split_once('&')?;
    let (to, of) = rest.split_once('&').unwrap_or((rest, "of=0"));
    let number = |text: &str, name| {
        let digits = text.strip_prefix(name)?.strip_prefix('=')?;
        let is_number = digits.bytes().all(|byte| byte.is_ascii_digit());
        digits.parse().ok().filter(|_| is_number)
    };
    let part = (number(from, "from")?, number(to, "to")?, number(of, "of")?);
    (part.0 <= part.1).then_some(part)
}

#[cfg(test)]
mod tests {
    use super::*;

    const TOKEN: &str = "0123456789abcdef0123456789abcdef";

    #[test]
    fn only_who_has_the_token_gets_anything() {
        let asked = |path: &str| asked(path, TOKEN);
        assert_eq!(asked(&format!("/{TOKEN}/")), Asked::Page);
        for path in [
            "/",
            "//",
            "/detail?from=1&to=2",
            "/0123456789abcdef0123456789abcdee/",
            "/0123456789abcdef0123456789abcdef0/",
            "/0123456789abcdef/",
            "/../0123456789abcdef0123456789abcdef/",
        ] {
            assert_eq!(asked(path), Asked::Nothing, "{path}");
        }
        for rest in ["", "/etc/passwd", "/../x", "/detail/", "/%2e%2e/"] {
            assert_eq!(asked(&format!("/{TOKEN}{rest}")), Asked::Nothing, "{rest}");
        }
    }

    #[test]
    fn a_part_has_two_times() {
        let asked = |query: &str| asked(&format!("/{TOKEN}/detail{query}"), TOKEN);
        assert_eq!(asked("?from=7&to=12"), Asked::Detail(7, 12, 0));
        assert_eq!(asked("?from=7&to=12&of=3"), Asked::Detail(7, 12, 3));
        for query in [
            "",
            "?from=7",
            "?from=7&to=",
            "?from=12&to=7",
            "?from=+7&to=12",
            "?from=7&to=12&more=1",
            "?to=12&from=7",
            "?from=7&to=99999999999999999999",
        ] {
            assert_eq!(asked(query), Asked::Nonsense, "{query}");
        }
    }

    #[test]
    fn other_names_of_this_computer_are_not_ours() {
        for host in ["127.0.0.1:8123", "localhost:8123", "LocalHost:8123"] {
            assert!(is_host(host, 8123), "{host}");
        }
        for host in [
            "evil.example:8123",
            "127.0.0.1",
            "localhost",
            "127.0.0.1:80",
            "127.0.0.1:08123",
            "127.0.0.1.evil.example:8123",
            "localhost.:8123",
            "[::1]:8123",
            "",
            ":8123",
        ] {
            assert!(!is_host(host, 8123), "{host}");
        }
        assert!(is_host("localhost", 80) && is_host("127.0.0.1:80", 80));
    }

    #[test]
    fn a_wish_is_taken_from_the_page_alone() {
        let own = Request {
            method: "POST",
            target: "/visualize",
            host: "127.0.0.1:8123",
            origin: Some("http://127.0.0.1:8123"),
            kind: Some("application/json"),
            length: 2,
        };
        assert!(is_own(&own));
        for origin in [
            None,
            Some("null"),
            Some(""),
            Some("http://evil.example"),
            Some("http://localhost:8123"),
            Some("https://127.0.0.1:8123"),
            Some("http://127.0.0.1:8124"),
            Some("http://127.0.0.1:8123.evil.example"),
            Some("http://127.0.0.1:8123, http://evil.example"),
        ] {
            assert!(!is_own(&Request { origin, ..own }), "{origin:?}");
        }
        for kind in [
            None,
            Some("text/plain"),
            Some("application/x-www-form-urlencoded"),
        ] {
            assert!(!is_own(&Request { kind, ..own }), "{kind:?}");
        }
    }

    #[test]
    fn an_answer_tells_how_long_it_is_and_lets_nobody_else_read_it() {
        let mut out = Vec::new();
        Answer::only("GET").write(&mut out).unwrap();
        let text = String::from_utf8(out).unwrap();
        let (head, body) = text.split_once("\r\n\r\n").unwrap();
        assert!(head.starts_with("HTTP/1.1 405 Method Not Allowed\r\n"));
        assert!(head.contains(&format!("Content-Length: {}\r\n", body.len())));
        assert!(head.contains("\r\nAllow: GET\r\n") && !head.contains("Access-Control"));
    }
}
