//! JSON as it is printed: what could harm a terminal (a control character, one that changes the direction of writing or cannot be
//! seen) is written as `\uXXXX`, which is the same text to whoever parses it.

use crate::text::is_harmful;
use serde::Serialize;
use std::io::{self, Write};

/// Writes a document over several lines.
///
/// # Errors
/// When `out` fails.
pub fn pretty(document: &impl Serialize, out: &mut dyn Write) -> io::Result<()> {
    serde_json::to_writer_pretty(Harmless(out), document).map_err(io::Error::from)
}

/// Writes a document in one line.
///
/// # Errors
/// When `out` fails.
pub fn compact(document: &impl Serialize, out: &mut dyn Write) -> io::Result<()> {
    serde_json::to_writer(Harmless(out), document).map_err(io::Error::from)
}

/// Characters that are not ASCII stand in texts only, and are written whole.
struct Harmless<'a>(&'a mut dyn Write);

impl Write for Harmless<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if bytes.is_ascii() {
            self.0.write_all(bytes)?;
            return Ok(bytes.len());
        }
        for c in String::from_utf8_lossy(bytes).chars() {
            if c.is_ascii() || !is_harmful(c) {
                self.0.write_all(c.encode_utf8(&mut [0; 4]).as_bytes())?;
                continue;
            }
            for unit in c.encode_utf16(&mut [0; 2]) {
                write!(self.0, "\\u{unit:04x}")?;
            }
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_could_harm_a_terminal_is_escaped_and_reads_the_same() {
        let name = "a\u{9b}31m \u{202e}b\u{2066} \u{85}\u{e0041} Käse\n\"";
        for whole in [true, false] {
            let mut out = Vec::new();
            let done = match whole {
                true => pretty(&[name], &mut out),
                false => compact(&[name], &mut out),
            };
            done.unwrap();
            let text = String::from_utf8(out).unwrap();
            assert!(
                !text.chars().any(|c| c != '\n' && is_harmful(c)),
                "{text:?}"
            );
            assert!(text.contains("\\u009b31m \\u202eb\\u2066"), "{text}");
            assert!(text.contains("\\udb40\\udc41 Käse\\n\\\""), "{text}");
            let read: Vec<String> = serde_json::from_str(&text).unwrap();
            assert_eq!(read, [name]);
        }
    }
}
