//! `locklens sample`: what the threads of a JVM do, found by looking at them now and then.
//!
//! Samples come from one of three places: looks of the agent [`inside`] a JVM, thread dumps that it is [`asked`] for, or
//! [`saved`] ones. [`window`] keeps what they add up to, [`page`] prints it.

mod asked;
mod inside;
mod page;
mod saved;
mod window;

use crate::args::Sample;
use crate::exit::{Exit, Failure};
use crate::quantity::show_duration;
use crate::target::resolve;
use locklens_inference::sample::Lens;
use locklens_inference::sample::filter::Filter;
use locklens_inference::sample::group::folded;
use std::path::Path;

/// `locklens sample`
pub(crate) fn run(args: &Sample) -> Result<Exit, Failure> {
    if !args.duration().is_zero() && args.interval() * 2 > args.duration() {
        let (interval, length) = (args.interval(), args.duration());
        return Err(Failure::usage(format_args!(
            "a look every {} is too seldom for {}",
            show_duration(interval),
            show_duration(length)
        ))
        .hint("-d takes at least twice as long as -i; -d 0 goes on until Ctrl-C"));
    }
    let lens = lens(args);
    match &args.targets[..] {
        [target] if !is_file(target) => {
            let jvm = resolve(target)?;
            match args.no_agent {
                true => asked::run(args, &jvm, &lens),
                false => inside::run(args, &jvm, &lens),
            }
        }
        files => match args.said_of_looking() {
            Some(flag) if files.iter().all(|file| is_file(file)) => Err(of_jvm(flag, &files[0])),
            _ => saved::run(args, files, &lens),
        },
    }
}

/// Dumps are read as they are.
fn of_jvm(flag: &str, file: &str) -> Failure {
    Failure::usage(format_args!("{flag} is for a JVM, and {file} is a file"))
        .hint("without it all dumps of the files are read")
}

/// A number alone is a pid whatever files there are.
pub(crate) fn is_file(target: &str) -> bool {
    let is_pid = target.bytes().all(|byte| byte.is_ascii_digit());
    !is_pid && Path::new(target).exists()
}

fn lens(args: &Sample) -> Lens {
    let regex = args.group.clone();
    Lens {
        filter: Filter {
            include: args.include.clone(),
            exclude: args.exclude.clone(),
        },
        group: Box::new(move |name| match &regex {
            None => folded(name),
            Some(regex) => matched(regex, name),
        }),
    }
}

/// What a pattern finds of a name; threads it does not match are a group of their own.
fn matched(regex: &regex_lite::Regex, name: &str) -> String {
    let Some(found) = regex.captures(name) else {
        return "(no match)".to_owned();
    };
    let part = found.get(1).or_else(|| found.get(0));
    part.map_or_else(String::new, |part| part.as_str().to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn groups_are_what_a_pattern_finds_of_names() {
        let regex = |text| regex_lite::Regex::new(text).unwrap();
        assert_eq!(matched(&regex("http|pool"), "my-pool-7"), "pool");
        assert_eq!(matched(&regex("^([a-z]+)-[0-9]+"), "exec-12-x"), "exec");
        assert_eq!(matched(&regex("http"), "main"), "(no match)");
    }

    #[test]
    fn a_number_is_a_pid_and_no_file() {
        assert!(!is_file("4242"));
        assert!(is_file("/"));
        assert!(!is_file("no such file"));
    }
}
