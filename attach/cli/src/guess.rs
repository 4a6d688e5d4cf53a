//! What somebody may have meant whose words are neither a command nor a JVM.
//!
//! A NAME stands where a command does, so a command typed wrong looks like the name of a JVM.

use crate::args::Cli;
use crate::exit::Failure;
use clap::CommandFactory;
use std::path::Path;

/// Commands of the attach protocol, which other tools take behind the pid.
pub(crate) const PROTOCOL: [&str; 10] = [
    "load",
    "properties",
    "agentProperties",
    "datadump",
    "threaddump",
    "dumpheap",
    "inspectheap",
    "setflag",
    "printflag",
    "jcmd",
];
/// What other tools call it.
const ALIASES: [(&str, &str); 5] = [
    ("jps", "list"),
    ("ps", "list"),
    ("dump", "report"),
    ("print", "report"),
    ("deadlock", "deadlocks"),
];

/// A better hint for a NAME that no JVM has.
pub(crate) fn improve(failure: Failure, name: &str) -> Failure {
    let failure = Failure {
        what: format!("{}, and there is no such command", failure.what),
        ..failure
    };
    match () {
        () if name == "help" => failure.hint("locklens --help"),
        () if Path::new(name).is_file() => failure.hint(format!("locklens report {name}")),
        () => match command(name) {
            Some(meant) => failure.hint(format!("the command {meant}: locklens {meant} --help")),
            None => failure,
        },
    }
}

/// Why words that begin with no command make no sense, if that is what is wrong with them.
pub(crate) fn failure(words: &[String]) -> Option<Failure> {
    let (first, rest) = words.split_first()?;
    let second = rest.first().filter(|word| !word.starts_with('-'))?;
    if first.starts_with('-') || commands().contains(first) {
        return None;
    }
    let wrong = Failure::usage(format_args!("there is no command {first:?}"));
    let again = rest.join(" ");
    Some(match command(first) {
        Some(meant) => wrong.hint(format!("locklens {meant} {again}")),
        None if first == "help" => wrong.hint(format!("locklens {second} --help")),
        None => misplaced(wrong, first, second, rest),
    })
}

/// The JVM first and then what to do with it, as other tools have it.
fn misplaced(wrong: Failure, jvm: &str, second: &str, rest: &[String]) -> Failure {
    let again = rest.join(" ");
    let right = match () {
        () if PROTOCOL.contains(&second) => format!("attach {jvm} {again}"),
        () if is_of_jcmd(second) => format!("attach {jvm} jcmd {again}"),
        () if commands().iter().any(|command| command == second) => {
            [&[second, jvm], &words(&rest[1..])[..]].concat().join(" ")
        }
        () => {
            return wrong.hint(
                "'locklens --help' lists them; a PID or NAME alone is recorded and reported",
            );
        }
    };
    Failure::usage("the command comes before the JVM").hint(format!("locklens {right}"))
}

/// As in GC.heap_info: what jcmd calls its commands.
pub(crate) fn is_of_jcmd(word: &str) -> bool {
    word.contains('.') && word.starts_with(|c: char| c.is_ascii_uppercase())
}

fn words(words: &[String]) -> Vec<&str> {
    words.iter().map(String::as_str).collect()
}

fn commands() -> Vec<String> {
    let all = Cli::command();
    let names = all
        .get_subcommands()
        .map(|command| command.get_name().to_owned());
    names.collect()
}

/// The command that is written nearly like this, or begins so, or goes by this name elsewhere.
fn command(word: &str) -> Option<String> {
    let lower = word.to_ascii_lowercase();
    if let Some((_, meant)) = ALIASES.iter().find(|(alias, _)| *alias == lower) {
        return Some((*meant).to_owned());
    }
    let near = |name: &String| {
        let slips = slips(&lower, name);
        let begun = lower.len() >= 2 && name.starts_with(&lower);
        (begun || slips <= tolerated(name)).then_some((slips, name.clone()))
    };
    let best = commands().iter().filter_map(near).min();
    best.map(|(_, name)| name)
}

/// Slips after which a word of this length may still be meant: a class `Main` is not taken for the command `man`.
fn tolerated(name: &str) -> usize {
    match name.len() {
        0..=3 => 0,
        4 => 1,
        _ => 2,
    }
}

/// Letters left out, put in, wrong, or exchanged with their neighbours.
fn slips(typed: &str, meant: &str) -> usize {
    let (typed, meant): (Vec<char>, Vec<char>) = (typed.chars().collect(), meant.chars().collect());
    let mut before: Vec<usize> = Vec::new();
    let mut last: Vec<usize> = (0..=meant.len()).collect();
    for (i, &c) in typed.iter().enumerate() {
        let mut row = vec![i + 1];
        for (j, &m) in meant.iter().enumerate() {
            let wrong = last[j] + usize::from(c != m);
            let mut least = wrong.min(last[j + 1] + 1).min(row[j] + 1);
            if i > 0 && j > 0 && c == meant[j - 1] && typed[i - 1] == m {
                least = least.min(before[j - 1] + 1);
            }
            row.push(least);
        }
        before = std::mem::replace(&mut last, row);
    }
    last[meant.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slips_are_counted() {
        for (typed, meant, slips_) in [
            ("report", "report", 0),
            ("reprot", "report", 1),
            ("rport", "report", 1),
            ("reporrt", "report", 1),
            ("tarce", "trace", 1),
            ("", "list", 4),
            ("kitten", "sitting", 3),
        ] {
            assert_eq!(slips(typed, meant), slips_, "{typed}");
        }
    }

    #[test]
    fn a_command_is_known_by_what_is_nearly_it() {
        let meant = |word| command(word);
        for (word, name) in [
            ("reprot", "report"),
            ("lst", "list"),
            ("rec", "record"),
            ("Graph", "graph"),
            ("jps", "list"),
        ] {
            assert_eq!(meant(word).as_deref(), Some(name), "{word}");
        }
        for word in ["Main", "main", "tomcat", "4242", "x", "app.jar"] {
            assert_eq!(meant(word), None, "{word}");
        }
    }

    #[test]
    fn words_in_another_order_are_put_right() {
        let hint = |line: &str| {
            let words: Vec<_> = line.split(' ').map(str::to_owned).collect();
            failure(&words).and_then(|failure| failure.hint)
        };
        for (line, right) in [
            ("reprot f.llt --json", "locklens report f.llt --json"),
            ("4242 threaddump -l", "locklens attach 4242 threaddump -l"),
            (
                "4242 GC.heap_info",
                "locklens attach 4242 jcmd GC.heap_info",
            ),
            ("4242 record -d 5", "locklens record 4242 -d 5"),
            ("help graph", "locklens graph --help"),
        ] {
            assert_eq!(hint(line).as_deref(), Some(right), "{line}");
        }
        for line in ["report", "report a b", "4242", "--json x", "4242 -d"] {
            assert_eq!(hint(line), None, "{line}");
        }
    }
}
