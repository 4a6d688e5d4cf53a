//! `locklens report --select`: the names of chosen locks, for `locklens trace --select`.

use crate::exit::Failure;
use locklens_inference::model::{LogicalLock, Model};
use locklens_inference::types::LockType;
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
pub(crate) fn select<'m>(model: &'m Model, wishes: &str) -> Result<Vec<&'m LogicalLock>, Failure> {
    let words = wishes.split(['|', ',']).map(str::trim);
    let wishes: Vec<_> = words
        .filter(|word| !word.is_empty())
        .map(Wish::of)
        .collect();
    for wish in &wishes {
        if !model.locks.iter().any(|lock| wish.admits(lock)) {
            let (Wish::Type(word) | Wish::Glob(word)) = wish;
            return Err(Failure::usage(format_args!("no lock is a {word:?} or called so"))
                .hint("a type such as SEMAPHORE, or a name as 'locklens report FILE --all' prints it; * stands for anything"));
        }
    }
    let chosen = model.locks.iter();
    Ok(chosen
        .filter(|lock| wishes.iter().any(|wish| wish.admits(lock)))
        .collect())
}

/// A name a line; what the lock is stands in a comment before it.
pub(crate) fn write(locks: &[&LogicalLock], out: &mut impl Write) -> io::Result<()> {
    for lock in locks {
        let types: Vec<_> = lock.types.iter().map(|t| t.lock_type.name()).collect();
        writeln!(out, "# {}\n{}", types.join("+"), clean(&lock.name))?;
    }
    Ok(())
}

/// Whether `*` (anything) and `?` (one character) in the pattern can stand for what the name has there.
fn matches(glob: &str, name: &str) -> bool {
    let (glob, name): (Vec<_>, Vec<_>) = (glob.chars().collect(), name.chars().collect());
    // `reached[i]`: the pattern so far fits the first i characters.
    let mut reached = vec![false; name.len() + 1];
    reached[0] = true;
    for part in glob {
        if part == '*' {
            let first = reached.iter().position(|&fits| fits);
            let first = first.unwrap_or(reached.len());
            reached[first..].fill(true);
        } else {
            for i in (1..reached.len()).rev() {
                reached[i] = reached[i - 1] && (part == '?' || part == name[i - 1]);
            }
            reached[0] = false;
        }
    }
    reached[name.len()]
}

#[cfg(test)]
mod tests {
    use super::matches;

    #[test]
    fn patterns() {
        for (glob, name, fits) in [
            ("a.Pool", "a.Pool", true),
            ("a.Pool", "a.Pools", false),
            ("*Pool*", "a.PoolOfPools.lock", true),
            ("a.*.lock", "a.b.c.lock", true),
            ("a.*.lock", "a.lock", false),
            ("?.Pool", "a.Pool", true),
            ("?.Pool", ".Pool", false),
            ("**", "", true),
            ("", "x", false),
        ] {
            assert_eq!(matches(glob, name), fits, "{glob} {name}");
        }
    }
}
