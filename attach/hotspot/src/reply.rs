//! What a JVM answers: a status line, then text until it closes the connection.
//!
//! Pure, fuzzed (`fuzz/fuzz_targets/attach_reply.rs`) and property-tested.

/// An answer. `status` is about the request having been carried out at all; whether what was asked
/// for succeeded is often only in the text (see [`crate::load_outcome`]).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reply {
    /// 0 when the JVM accepted the command.
    pub status: i32,
    /// Everything behind the status line, byte for byte.
    pub text: Vec<u8>,
}

/// Why some bytes are no reply.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ReplyError {
    /// The JVM closed the connection without a word.
    #[error("the JVM closed the connection without an answer")]
    Empty,
    /// The connection ended within the status line.
    #[error("the answer ends within its status line")]
    Truncated,
    /// The first line is not a number.
    #[error("the answer does not begin with a status but with {found:?}")]
    NoStatus {
        /// The beginning of what came instead.
        found: String,
    },
}

/// No status line is longer: a sign and ten digits, generously.
const STATUS_MAX: usize = 16;

/// Takes a whole answer apart.
pub fn parse_reply(bytes: &[u8]) -> Result<Reply, ReplyError> {
    let mut head = StatusLine::default();
    match head.feed(bytes)? {
        Some((status, text)) => Ok(Reply {
            status,
            text: text.to_vec(),
        }),
        None => Err(head.cut_short()),
    }
}

/// The status line while it is still arriving.
#[derive(Default)]
pub(crate) struct StatusLine {
    seen: Vec<u8>,
}

impl StatusLine {
    /// Takes the next bytes; once the line is whole, gives the status and the text behind it.
    pub(crate) fn feed<'a>(
        &mut self,
        bytes: &'a [u8],
    ) -> Result<Option<(i32, &'a [u8])>, ReplyError> {
        let room = STATUS_MAX.saturating_sub(self.seen.len());
        let window = &bytes[..bytes.len().min(room + 1)];
        let end = window.iter().position(|b| *b == b'\n');
        self.seen
            .extend_from_slice(&window[..end.unwrap_or(window.len())]);
        match end {
            Some(end) => Ok(Some((self.number()?, &bytes[end + 1..]))),
            None if self.seen.len() > STATUS_MAX => Err(self.no_status()),
            None => Ok(None),
        }
    }

    /// The error for an answer that ended here.
    pub(crate) fn cut_short(&self) -> ReplyError {
        match self.seen.is_empty() {
            true => ReplyError::Empty,
            false => ReplyError::Truncated,
        }
    }

    fn number(&self) -> Result<i32, ReplyError> {
        let text = std::str::from_utf8(&self.seen).map_err(|_| self.no_status())?;
        let text = text.strip_suffix('\r').unwrap_or(text);
        text.parse().map_err(|_| self.no_status())
    }

    fn no_status(&self) -> ReplyError {
        ReplyError::NoStatus {
            found: String::from_utf8_lossy(&self.seen).into_owned(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn real_answers() {
        for (bytes, status, text) in [
            (&b"0\n"[..], 0, &b""[..]),
            (b"0\nreturn code: 0\n", 0, b"return code: 0\n"),
            (
                b"-1\nOperation x not recognized!",
                -1,
                b"Operation x not recognized!",
            ),
            (b"101\n", 101, b""),
        ] {
            let reply = parse_reply(bytes).expect("a reply");
            assert_eq!((reply.status, &reply.text[..]), (status, text));
        }
    }

    #[test]
    fn what_is_no_answer() {
        assert_eq!(parse_reply(b""), Err(ReplyError::Empty));
        assert_eq!(parse_reply(b"10"), Err(ReplyError::Truncated));
        for bytes in [
            &b"\n"[..],
            b"x\n",
            b"0 0\n",
            b"\xff\n",
            b"99999999999\n",
            b"HTTP/1.1 400 Bad Request",
        ] {
            assert!(
                matches!(parse_reply(bytes), Err(ReplyError::NoStatus { .. })),
                "{bytes:?}"
            );
        }
    }

    proptest! {
        #[test]
        fn a_reply_comes_back(status: i32, text: Vec<u8>) {
            let mut bytes = format!("{status}\n").into_bytes();
            bytes.extend_from_slice(&text);
            prop_assert_eq!(parse_reply(&bytes), Ok(Reply { status, text }));
        }

        #[test]
        fn pieces_read_like_the_whole(bytes: Vec<u8>, cut: prop::sample::Index) {
            let at = cut.index(bytes.len() + 1);
            let mut line = StatusLine::default();
            let mut pieces = line.feed(&bytes[..at]).map(|done| done.map(|(s, t)| (s, [t, &bytes[at..]].concat())));
            if pieces == Ok(None) {
                pieces = line.feed(&bytes[at..]).map(|done| done.map(|(s, t)| (s, t.to_vec())));
            }
            let pieces = pieces.and_then(|done| done.ok_or_else(|| line.cut_short()));
            prop_assert_eq!(pieces.is_ok(), parse_reply(&bytes).is_ok());
            prop_assert_eq!(pieces.ok(), parse_reply(&bytes).ok().map(|r| (r.status, r.text)));
        }
    }
}
