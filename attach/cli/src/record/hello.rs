//! The first words of the agent: who it is, and whether it will record.
//!
//! ```text
//! "LLAGENT1"  version:u16  secret[16]  pid:u32  status:u8  len:u16  message[len]
//! ```
//! Little-endian; the pid is in the target's own namespace. The secret proves that this is the agent we sent, not somebody who found the socket.

use std::fmt;
use std::io::{self, Read};

const MAGIC: &[u8; 8] = b"LLAGENT1";
const VERSION: u16 = 1;
const FIXED_LEN: usize = 33;

/// What only our agent knows: sent to it in its options.
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct Secret([u8; 16]);

impl Secret {
    /// A new one from the kernel.
    pub(crate) fn random() -> io::Result<Self> {
        let mut bytes = [0; 16];
        let got = rustix::rand::getrandom(&mut bytes, rustix::rand::GetRandomFlags::empty())?;
        if got < bytes.len() {
            return Err(io::Error::other("no randomness"));
        }
        Ok(Self(bytes))
    }
}

/// 32 hexadecimal digits.
impl fmt::Display for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secret")
    }
}

/// What the agent answers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Answer {
    /// It records.
    Ready,
    /// Somebody else is recording this JVM.
    Busy(String),
    /// It cannot record here.
    Refused(String),
}

/// Why a greeting was not accepted.
#[derive(Debug)]
pub(crate) enum HelloError {
    /// It could not be read to its end.
    CutOff,
    /// Not our agent, or not with our secret.
    Stranger,
    /// Our agent of another version.
    Version(u16),
}

/// Reads a greeting; bytes behind it are left alone.
pub(crate) fn read(source: &mut impl Read, secret: &Secret) -> Result<Answer, HelloError> {
    let mut fixed = [0; FIXED_LEN];
    source
        .read_exact(&mut fixed)
        .map_err(|_| HelloError::CutOff)?;
    if &fixed[..8] != MAGIC || fixed[10..26] != secret.0 {
        return Err(HelloError::Stranger);
    }
    let version = u16::from_le_bytes([fixed[8], fixed[9]]);
    if version != VERSION {
        return Err(HelloError::Version(version));
    }
    let len = u16::from_le_bytes([fixed[31], fixed[32]]);
    let mut message = vec![0; usize::from(len)];
    source
        .read_exact(&mut message)
        .map_err(|_| HelloError::CutOff)?;
    let message = String::from_utf8_lossy(&message).into_owned();
    Ok(answer(fixed[30], message))
}

fn answer(status: u8, message: String) -> Answer {
    match status {
        0 => Answer::Ready,
        1 => Answer::Busy(message),
        _ => Answer::Refused(message),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn greeting(secret: &Secret, version: u16, status: u8, message: &str) -> Vec<u8> {
        let mut bytes = MAGIC.to_vec();
        bytes.extend(version.to_le_bytes());
        bytes.extend(secret.0);
        bytes.extend(42u32.to_le_bytes());
        bytes.push(status);
        bytes.extend((message.len() as u16).to_le_bytes());
        bytes.extend(message.as_bytes());
        bytes
    }

    #[test]
    fn ready_busy_refused() {
        let secret = Secret([7; 16]);
        for (status, answer) in [
            (0, Answer::Ready),
            (1, Answer::Busy("by 17".into())),
            (2, Answer::Refused("by 17".into())),
        ] {
            let bytes = greeting(&secret, 1, status, "by 17");
            assert_eq!(read(&mut bytes.as_slice(), &secret).unwrap(), answer);
        }
    }

    #[test]
    fn a_greeting_leaves_the_trace_behind_it_unread() {
        let secret = Secret([7; 16]);
        let mut bytes = greeting(&secret, 1, 0, "x");
        bytes.extend(b"LLTRACE");
        let mut rest = bytes.as_slice();
        read(&mut rest, &secret).unwrap();
        assert_eq!(rest, b"LLTRACE");
    }

    #[test]
    fn strangers_and_other_versions_are_told_apart() {
        let secret = Secret([7; 16]);
        let wrong = greeting(&Secret([8; 16]), 1, 0, "");
        assert!(matches!(
            read(&mut wrong.as_slice(), &secret),
            Err(HelloError::Stranger)
        ));
        let newer = greeting(&secret, 9, 0, "");
        assert!(matches!(
            read(&mut newer.as_slice(), &secret),
            Err(HelloError::Version(9))
        ));
    }

    #[test]
    fn cut_anywhere_it_is_an_error() {
        let secret = Secret([7; 16]);
        let bytes = greeting(&secret, 1, 1, "message");
        for len in 0..bytes.len() {
            assert!(
                matches!(read(&mut &bytes[..len], &secret), Err(HelloError::CutOff)),
                "{len}"
            );
        }
    }

    #[test]
    fn a_secret_is_32_digits_and_hidden_from_debugging() {
        let secret = Secret::random().unwrap();
        assert_eq!(secret.to_string().len(), 32);
        assert!(secret.to_string().chars().all(|c| c.is_ascii_hexdigit()));
        assert!(!format!("{secret:?}").contains(&secret.to_string()));
    }
}
