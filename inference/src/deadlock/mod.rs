//! Deadlocks that have not happened yet: which threads could come to wait for each other, and how well that is proved.
//!
//! Pure, over steps from whatever source: `std_format` reads those of other tools, `jvm` makes them of a recording. Two
//! passes over the same steps, in memory that grows with locks, threads and what is nested; only the second keeps
//! something of every critical section, and only if the first has found a cycle:
//!
//! 1. `follow` turns steps into what they mean, `scan` keeps every distinct dependency in a `table`, `waits` who waits for a notify, `missed` which of these may come too late for it, `served` by whose each wait was ended (`tellers` who else could have done so), `errands` what others take on their way to that (of what they took `recent`ly), `firsts` whether there was anybody to wait yet;
//! 2. `candidates` finds cycles and the choices of threads that gates and held locks permit, those first that the `past` keeps together, `loops` those of one lock alone,
//!    `permits` counts what is left of a semaphore;
//! 3. `history` is the second pass (`openers` has who can let go on whoever waits), `closure` asks it whether all can be at their places at the same time;
//! 4. `kinds` puts together what is one deadlock (by `ways`, where names are not enough), `judge` gives tiers, `proof` says which is the best, `others` which else there are, `weakness` says why no better ones, `stuck` tells what had happened, `placed` where (`moments` has the places), `part` finds the words of a [`finding`].
//!
//! Beside these: `jvm` makes steps of a recording, `operations` those of locks of `java.util.concurrent` (`uses` is what is known of them), `meetings` those at latches and barriers, `encounters` those where two meet and `rounds` where all do, `handed` those of queues, `built` those of locks that the program has built, `foreign` which names are none of the program's, `starts` who started whom, `tasks` what runs tasks, `stages` what is run once futures are complete, `reads` and `accesses` of accesses to
//! fields, `still` of what threads were in the middle of at its end, `watched` adds what its nesting graph and report know besides (`judged` tells the graph what was found),
//! `merged` puts several runs together (`lineage` has what starts and joins put apart in each), `given` tells apart by their callers what is handed to code that locks it, `confirm` judges a finding of one run by another one, `apart` keeps threads apart where only
//! what is new was recorded, `between` reads the code from one acquisition to the next, `callers` looks at who called it, `asked` what was asked on the way there, `polls` what it waits for in a loop, which `written` says where it is set,
//! `unseen` knows what no probe tells of, `ran` what of all that code may have run, `unread` where code reads nothing that others set.
//!
//! A tier never claims more than was shown. T1 is what the closure gives where reads and writes are in the trace; the
//! same without them is T3, since what two threads tell each other by memory is not seen. T2 (unordered under full
//! happens-before) is not given: of two threads around a cycle one has taken in the end what the other held, and what is
//! left orders who takes it next; if neither has, both stand there when the trace ends, and that is T0.
//!
//! Start with [`Scan`], [`Suspects`] and [`report`].

pub mod confirm;
pub mod finding;
pub mod given;
pub mod jvm;
pub mod merged;
pub mod std_format;
pub mod step;

mod accesses;
mod apart;
mod asked;
mod between;
mod built;
mod callers;
mod candidates;
mod closure;
mod counted;
mod crews;
mod encounters;
mod errands;
mod firsts;
mod follow;
mod foreign;
mod gates;
mod handed;
mod history;
mod judge;
mod judged;
mod kept;
mod kinds;
mod left_out;
mod likely;
mod lineage;
mod lockouts;
mod loops;
mod meetings;
mod members;
mod missed;
mod moments;
mod openers;
mod operations;
mod others;
mod part;
mod past;
mod permits;
mod placed;
mod polls;
mod proof;
mod ran;
mod reads;
mod recent;
mod rounds;
mod scan;
mod served;
mod signals;
mod stages;
mod starts;
mod still;
mod stood;
mod stuck;
mod table;
mod tasks;
mod tellers;
mod twins;
mod unread;
mod unseen;
mod uses;
pub(crate) mod waits;
mod watched;
mod ways;
mod weakness;
mod woken;
mod written;

use finding::{Facts, Finding, Names, Report};
pub use history::History;
pub use judge::Suspects;
pub use left_out::without_operations;
pub(crate) use part::end_of;
pub use scan::Scan;
use std::collections::BTreeMap;

/// Why a cycle is excluded that one thread made alone.
const ONE_THREAD: &str = "no two threads were seen at its places";

/// What two passes over a trace have shown.
#[must_use]
pub fn report(suspects: &Suspects<'_>, history: &History<'_>, names: &dyn Names) -> Report {
    let scan = suspects.scan;
    let verdicts = judge::judge(suspects, history, names);
    let happened = stuck::happened(scan, names);
    let possible = verdicts.findings.into_iter();
    let possible = possible.chain(stuck::two_roles(scan, names));
    let possible = possible.chain(missed::findings(scan, history, names));
    let mut stopped_after = verdicts.stopped;
    if scan.table.left_out > 0 {
        let n = scan.table.left_out;
        stopped_after.push(format!(
            "{n} acquisitions found no room among the dependencies"
        ));
    }
    Report {
        findings: joined(happened, possible.collect()),
        excluded: verdicts.excluded,
        stopped_after,
        notes: notes(scan),
        facts: facts(scan),
        doubt: names.reads_doubted(),
        hang: None,
        stood: None,
        untold: 0,
        ends: stuck::stands(scan, names),
        given: BTreeMap::new(),
        telling: BTreeMap::new(),
    }
}

/// Each deadlock once, the best proved first.
fn joined(happened: Vec<Finding>, possible: Vec<Finding>) -> Vec<Finding> {
    let mut by_id: BTreeMap<String, Finding> = BTreeMap::new();
    for finding in happened.into_iter().chain(possible) {
        match by_id.get(&finding.id) {
            Some(known) if known.tier <= finding.tier => {}
            _ => drop(by_id.insert(finding.id.clone(), finding)),
        }
    }
    let mut all: Vec<Finding> = by_id.into_values().collect();
    sort(&mut all);
    all
}

/// The best proved first, then the shortest.
pub fn sort(findings: &mut [Finding]) {
    findings.sort_by(|a, b| {
        let key = |f: &Finding| (f.tier, f.stall, f.edges.len());
        key(a).cmp(&key(b)).then_with(|| a.id.cmp(&b.id))
    });
}

fn notes(scan: &Scan) -> Vec<String> {
    let mut notes = Vec::new();
    let impossible = scan.follower.impossible;
    if impossible > 0 {
        notes.push(format!(
            "{impossible} steps contradict what came before (a lock taken while another held it, or released by who did not): steps are missing, and nothing is called T1"
        ));
    }
    let gaps = scan.follower.gaps;
    if gaps > 0 {
        notes.push(format!(
            "steps are missing {gaps} times: what a thread holds is not known from there on, and nothing is better than T4"
        ));
    }
    let too_deep = scan.follower.too_deep;
    if too_deep > 0 {
        notes.push(format!(
            "{too_deep} times a thread took a lock with {} others held, which is as deep as it is followed: what it holds is not known from there on, and nothing is better than T4", follow::DEPTH
        ));
    }
    if scan.excerpts {
        notes.push("only what was new was recorded: nothing is better than T4, and an order by notify is not seen".to_owned());
    }
    notes
}

fn facts(scan: &Scan) -> Facts {
    Facts {
        steps: scan.steps,
        threads: scan.threads() as u64,
        locks: scan.locks() as u64,
        dependencies: scan.table.all.len() as u64,
        reads: scan.accesses > 0,
    }
}

#[cfg(test)]
mod before_tests;
#[cfg(test)]
mod chain_tests;
#[cfg(test)]
mod encounters_tests;
#[cfg(test)]
mod errands_tests;
#[cfg(test)]
mod firsts_tests;
#[cfg(test)]
mod handed_tests;
#[cfg(test)]
mod missed_tests;
#[cfg(test)]
mod modes_tests;
#[cfg(test)]
mod openers_tests;
#[cfg(test)]
mod placed_tests;
#[cfg(test)]
mod reads_tests;
#[cfg(test)]
mod recording_tests;
#[cfg(test)]
mod schedule;
#[cfg(test)]
mod shapes_tests;
#[cfg(test)]
mod signals_tests;
#[cfg(test)]
mod stages_tests;
#[cfg(test)]
mod stood_tests;
#[cfg(test)]
mod tasks_tests;
#[cfg(test)]
mod tests;
#[cfg(test)]
mod ways_tests;
