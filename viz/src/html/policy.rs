//! What the page may do: run its own script, known by its hash, and nothing else; if it is served, ask its server.

use sha2::{Digest, Sha256};

/// Whom a page may ask.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reach {
    /// Nobody.
    Nothing,
    /// The server that it came from.
    Server,
}

/// The content security policy of a page with this style and this script.
pub(crate) fn policy(style: &str, script: &str, reach: Reach) -> String {
    let asks = match reach {
        Reach::Nothing => "",
        Reach::Server => "connect-src 'self'; ",
    };
    format!(
        "default-src 'none'; {asks}style-src '{}'; script-src '{}'; base-uri 'none'; form-action 'none'",
        source(style),
        source(script)
    )
}

/// How a policy names a text that stands in the page itself.
fn source(text: &str) -> String {
    format!("sha256-{}", base64(&Sha256::digest(text.as_bytes())))
}

fn base64(bytes: &[u8]) -> String {
    const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let group = |three: &[u8]| {
        let byte = |at: usize| u32::from(three.get(at).copied().unwrap_or(0));
        let bits = byte(0) << 16 | byte(1) << 8 | byte(2);
        let letter = |at: usize| char::from(LETTERS[(bits >> (18 - 6 * at) & 63) as usize]);
        let told = |at: usize| if at <= three.len() { letter(at) } else { '=' };
        [0, 1, 2, 3].map(told)
    };
    bytes.chunks(3).flat_map(group).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_named_as_browsers_name_them() {
        // The example of the specification "Content Security Policy Level 3".
        assert_eq!(
            source("alert('Hello, world.');"),
            "sha256-qznLcsROx4GACP2dm0UCKCzCG+HiZ1guq6ZZDob/Tng="
        );
        assert_eq!(base64(b"ab"), "YWI=");
        assert_eq!(base64(b"a"), "YQ==");
    }
}
