//! `locklens report --select`: the names of chosen locks, for `locklens trace --select`.

use crate::exit::Failure;
use crate::terminal::note;
use locklens_inference::model::{LogicalLock, Model};
use locklens_inference::types::LockType;
use locklens_trace::pattern::matches;
use locklens_viz::clean;
use std::io::{self, Write};

/// What somebody wants to see: a type, or a pattern for the name of a lock or of one of its classes.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Wish {
    Type(String),
    Glob(String),
}

impl Wish {
    fn of(word: &str) -> Self {
        let upper = word.to_ascii_uppercase();
        match LockType::ALL
            .iter()
            .any(|lock_type| lock_type.name() == upper)
        {
            true => Self::Type(upper),
            false => Self::Glob(word.to_owned()),
        }
    }

    fn admits(&self, lock: &LogicalLock) -> bool {
        match self {
            Self::Type(name) => lock.types.iter().any(|t| t.lock_type.name() == name),
            Self::Glob(glob) => {
                let mut names = std::iter::once(&lock.name).chain(&lock.classes);
                names.any(|name| matches(glob, name))
            }
        }
    }
}

/// The locks that one of the wishes admits, in the order of the report. Wishes are separated by `|` or `,`.
/// Of one that admits none a note tells, if another one admits any.
pub(crate) fn select<'m>(model: &'m Model, wishes: &str) -> Result<Vec<&'m LogicalLock>, Failure> {
    let words = wishes.split(['|', ',']).map(str::trim);
    let wishes: Vec<_> = words
        .filter(|word| !word.is_empty())
        .map(Wish::of)
        .collect();
    let chosen: Vec<_> = { model.locks.iter() }
        .filter(|lock| wishes.iter().any(|wish| wish.admits(lock)))
        .collect();
    let in_vain = wishes.iter().filter(|wish| {
        let any = chosen.iter().any(|lock| wish.admits(lock));
        !any
    });
    for Wish::Type(word) | Wish::Glob(word) in in_vain {
        let nothing = format!("no lock is a {word:?} or called so");
        match chosen.is_empty() {
            true => return Err(Failure::usage(nothing).hint(HINT)),
            false => note(format_args!("{nothing}: the others are chosen")),
        }
    }
    Ok(chosen)
}

const HINT: &str = "a type such as SEMAPHORE, or a name as 'locklens report FILE --all' prints it; * stands for anything";

/// A name a line; what the lock is stands in a comment before it.
pub(crate) fn write(locks: &[&LogicalLock], out: &mut impl Write) -> io::Result<()> {
    for lock in locks {
        let types: Vec<_> = lock.types.iter().map(|t| t.lock_type.name()).collect();
        writeln!(out, "# {}\n{}", types.join("+"), clean(&lock.name))?;
    }
    Ok(())
}
