//! From a trace to what it means: reading the file into the analyser.

use crate::args::Analysis as Flags;
use crate::crowd;
use crate::exit::Failure;
use crate::trace_file;
use locklens_inference::analysis::Analysis;
use locklens_inference::collect::{Collected, Collector};
use locklens_inference::model::{Model, Options};
use locklens_inference::nesting::Scout;
use locklens_trace::read::Item;
use locklens_trace::{LockId, Nanos};
use locklens_viz::{Unclear, clean, find};
use std::collections::BTreeSet;
use std::path::Path;

/// What the flags say, for the analyser.
pub(crate) fn options(flags: &Flags) -> Options {
    let reset_after = u64::try_from(flags.reset_after.as_nanos()).unwrap_or(u64::MAX);
    Options {
        reset_after: Nanos(reset_after),
        call_depth: flags.call_depth,
        hide_safe: !flags.show_safe_locks,
        ..Options::default()
    }
}

/// Analyses a trace.
pub(crate) fn analyse(file: &Path, options: &Options) -> Result<Analysis, Failure> {
    let collected = collected(file, options)?;
    Ok(Analysis::of(&collected, options))
}

/// Reads a trace, as an analysis needs it.
pub(crate) fn collected(file: &Path, options: &Options) -> Result<Collected, Failure> {
    collect(file, Collector::new(*options))
}

/// Reads a trace, as those need it who follow what threads hold.
pub(crate) fn scouted(file: &Path, options: &Options) -> Result<(Collected, Scout), Failure> {
    let (mut scout, mut collector) = (Scout::default(), Collector::new(*options));
    crowd::each(trace_file::open(file)?, |item| match item {
        Item::Record(record) => {
            scout.see(record);
            collector.see(record);
        }
        Item::Gap(_) => collector.gap(),
    });
    Ok((collector.finish(), scout))
}

/// Reads a trace, keeping every event of these lock objects.
pub(crate) fn focus(
    file: &Path,
    options: &Options,
    locks: BTreeSet<LockId>,
) -> Result<Collected, Failure> {
    collect(file, Collector::focused(*options, locks))
}

fn collect(file: &Path, mut collector: Collector) -> Result<Collected, Failure> {
    for item in trace_file::open(file)? {
        match item {
            Item::Record(record) => collector.push(record),
            Item::Gap(_) => collector.gap(),
        }
    }
    Ok(collector.finish())
}

/// The lock a user means, as an index (see [`find`]).
pub(crate) fn find_lock(model: &Model, wanted: &str) -> Result<usize, Failure> {
    find(model, wanted).map_err(|unclear| match unclear {
        Unclear::Nothing => Failure::usage(format_args!("no lock is called {wanted:?}"))
            .hint("'locklens report FILE --all' lists the locks with their numbers"),
        Unclear::Several(which) => {
            let n = which.len();
            Failure::usage(format_args!("{n} locks are called {wanted:?}"))
                .hint(numbers(model, &which))
        }
    })
}

/// Most locks named in an error message.
const NAMED: usize = 12;

fn numbers(model: &Model, indices: &[usize]) -> String {
    let named = indices.iter().take(NAMED).map(|&index| &model.locks[index]);
    let lines: Vec<_> = named
        .map(|lock| format!("    {:>4}  {}", lock.id, clean(&lock.called())))
        .collect();
    format!("the number of the one meant:\n{}", lines.join("\n"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use locklens_inference::model::{LogicalLock, Stays, Times};

    fn model(names: &[&str]) -> Model {
        let lock = |(id, name): (u32, &&str)| LogicalLock {
            id,
            name: (*name).to_string(),
            classes: Vec::new(),
            concrete: Vec::new(),
            types: Vec::new(),
            runners_up: Vec::new(),
            contradictions: Vec::new(),
            regions: Vec::new(),
            unplaced: Stays::default(),
            instances: 1,
            threads: 1,
            locked: None,
            blocked: Times::default(),
            waits: Times::default(),
            timed_out: 0,
            still_waiting: 0,
            still_blocked: 0,
            sampled: None,
            parks: None,
            uses: None,
        };
        Model {
            locks: (1..).zip(names).map(lock).collect(),
            ..Model::default()
        }
    }

    #[test]
    fn a_lock_is_found_by_number_name_and_unique_part() {
        let model = model(&["a.Pool", "a.PoolOfPools", "b.Queue"]);
        assert_eq!(find_lock(&model, "2").ok(), Some(1));
        assert_eq!(find_lock(&model, "#3").ok(), Some(2));
        assert_eq!(find_lock(&model, "a.Pool").ok(), Some(0));
        assert_eq!(find_lock(&model, "Queue").ok(), Some(2));
    }

    #[test]
    fn what_is_unknown_or_ambiguous_says_what_to_do() {
        let model = model(&["a.Pool", "a.PoolOfPools"]);
        assert!(find_lock(&model, "9").is_err());
        assert!(
            find_lock(&model, "")
                .unwrap_err()
                .to_string()
                .contains("locklens report")
        );
        let ambiguous = find_lock(&model, "Poo").unwrap_err().to_string();
        assert!(
            ambiguous.contains("1  a.Pool") && ambiguous.contains("2  a.PoolOfPools"),
            "{ambiguous}"
        );
    }
}
