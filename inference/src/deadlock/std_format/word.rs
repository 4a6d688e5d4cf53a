//! Words of the format that are followed by an operand.

use crate::deadlock::step::{Lock, Mode, Op, Thread, Var};

/// See the module.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Word {
    Acquire,
    Release,
    Request,
    Wait,
    Notify,
    NotifyAll,
    Read,
    Write,
    Fork,
    Join,
}

/// What an operand is the name of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Lock,
    Var,
    Thread,
}

impl Word {
    pub(super) fn of(word: &[u8]) -> Option<Self> {
        Some(match word {
            b"acq" => Self::Acquire,
            b"rel" => Self::Release,
            b"req" => Self::Request,
            b"wait" => Self::Wait,
            b"notify" => Self::Notify,
            b"notifyAll" | b"notifyall" => Self::NotifyAll,
            b"r" => Self::Read,
            b"w" => Self::Write,
            b"fork" => Self::Fork,
            b"join" => Self::Join,
            _ => return None,
        })
    }

    /// The word that this begins with, and what stands behind its parenthesis.
    pub(super) fn before_operand(bytes: &[u8]) -> Option<(Self, &[u8])> {
        Some(match bytes {
            [b'a', b'c', b'q', b'(', rest @ ..] => (Self::Acquire, rest),
            [b'r', b'e', b'l', b'(', rest @ ..] => (Self::Release, rest),
            [b'r', b'(', rest @ ..] => (Self::Read, rest),
            [b'w', b'(', rest @ ..] => (Self::Write, rest),
            _ => {
                let end = bytes.iter().take(LONGEST).position(|&byte| byte == b'(')?;
                (Self::of(&bytes[..end])?, &bytes[end + 1..])
            }
        })
    }

    pub(super) fn kind(self) -> Kind {
        match self {
            Self::Read | Self::Write => Kind::Var,
            Self::Fork | Self::Join => Kind::Thread,
            _ => Kind::Lock,
        }
    }

    /// The operation on what has this number.
    pub(super) fn op(self, number: u32) -> Op {
        let (lock, mode, timed) = (Lock(number), Mode::Exclusive, false);
        match self {
            Self::Acquire => Op::Acquire { lock, mode },
            Self::Release => Op::Release(lock),
            Self::Request => Op::Request { lock, mode, timed },
            Self::Wait => Op::Wait {
                lock,
                gives: Some(lock),
                timed,
                joins: None,
            },
            Self::Notify => Op::Notify { lock, all: false },
            Self::NotifyAll => Op::Notify { lock, all: true },
            Self::Read => Op::Read(Var(number)),
            Self::Write => Op::Write(Var(number)),
            Self::Fork => Op::Fork {
                child: Thread(number),
                presumed: false,
            },
            Self::Join => Op::Join {
                child: Thread(number),
                timed,
            },
        }
    }
}

/// Letters of the longest word, and its parenthesis.
const LONGEST: usize = 10;
