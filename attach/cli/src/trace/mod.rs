//! `locklens trace`: the chosen locks of a live JVM, every event of them.
//!
//! [`wishes`] turns the flags into what the agent is asked to rewrite ([`reach`] finds the code that
//! belongs to locks of an earlier recording), [`harm`] says what rewriting costs this JVM and asks;
//! the recording itself is that of `locklens record`. [`phases`] does it all for `--exact`, [`detach`] takes out what a
//! recording left.

pub(crate) mod detach;
pub(crate) mod harm;
mod novelty;
pub(crate) mod phases;
mod reach;
pub(crate) mod wishes;

use crate::args::Trace;
use crate::exit::{Exit, Failure};
use crate::record::begun;
use crate::record::dip::Dip;
use crate::record::launch::{self, Start};
use crate::record::live::{self, Request};
use crate::record::naming::Subject;
use crate::record::outcome::Recorded;
use crate::record::output::{Grown, check as check_output};
use crate::record::signals::Signals;
use crate::target::{self, resolve};
use crate::terminal::{self, note};
use locklens_trace::record::target_key as key;
use locklens_viz::{clean, clean_lines, many, toll};
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::io::Write;
use std::sync::mpsc::Sender;
use wishes::Wishes;

/// Facts about an exact recording, as the trace has them.
pub(crate) type Facts = BTreeMap<String, String>;

/// `locklens trace`
pub(crate) fn run(args: &Trace) -> Result<Exit, Failure> {
    match record(args, Extra::default())? {
        Came::Dry(exit) => Ok(exit),
        Came::Recorded(recorded) if args.target.is_some() => conclude(&recorded),
        Came::Recorded(recorded) => {
            // Standard output is the program's.
            tell_aside(&recorded);
            let is_of_names = !args.choice.is_empty() && !args.choice.all_app && !args.juc;
            Ok(match recorded.exit {
                Exit::Fine | Exit::Child(0)
                    if is_of_names && none_came(&recorded.facts).is_some() =>
                {
                    Exit::Usage
                }
                exit => exit,
            })
        }
    }
}

/// That no class came, from a program's start to its end, that was chosen and locks; if so.
fn none_came(facts: &Facts) -> Option<String> {
    const NONE: &str =
        "no class of these names came that locks, waits or notifies: nothing was rewritten";
    let names = facts.get(key::EXACT_NAMES).map(String::as_str);
    match facts.get(key::EXACT_CLASSES).map(String::as_str) {
        Some("0") => Some(format!(
            "{NONE} (names as 'locklens report' prints them; * stands for anything)"
        )),
        Some("1") if names == Some(STARTS_THREADS) => Some(format!(
            "{NONE} but {STARTS_THREADS}, which tells who starts threads"
        )),
        _ => None,
    }
}

/// What else is asked of the agent, and who reads the trace while it grows.
#[derive(Debug, Default)]
pub(crate) struct Extra<'a> {
    /// The agent's lines.
    pub(crate) lines: &'a str,
    /// Gets the trace's path whenever it has grown.
    pub(crate) news: Option<Sender<Grown>>,
}

/// What came of it.
pub(crate) enum Came {
    /// What would be done was said; or a program ended before there was a recording.
    Dry(Exit),
    /// It was recorded; of a started program the exit is the program's, unless ours is not fine.
    Recorded(Box<Recorded>),
}

/// Records what the flags choose, of a JVM or of a program from its start.
pub(crate) fn record(args: &Trace, extra: Extra<'_>) -> Result<Came, Failure> {
    if args.no_rewrite {
        return Err(
            Failure::usage("trace rewrites classes, which --no-rewrite forbids").hint(
                "'locklens record' without --exact only watches; 'trace --dry-run' says what would be rewritten",
            ),
        );
    }
    possible(args)?;
    let mut wanted = wishes::of(args)?;
    wanted.lines += extra.lines;
    let news = extra.news.as_ref();
    match &args.target {
        None => from_start(args, &wanted, news, false),
        Some(target) => under_way(args, target, &wanted, news),
    }
}

/// Records exactly what is wanted, for another command: standard output is that command's.
pub(crate) fn exactly(args: &Trace, wanted: &Wishes) -> Result<Came, Failure> {
    possible(args)?;
    let came = match &args.target {
        None => from_start(args, wanted, None, true)?,
        Some(target) => under_way(args, target, wanted, None)?,
    };
    match &came {
        Came::Recorded(recorded) => tell_aside(recorded),
        Came::Dry(exit) if args.target.is_none() => {
            return Err(Failure::usage("nothing was recorded").ending(*exit));
        }
        Came::Dry(_) => {}
    }
    Ok(came)
}

/// What the agent would refuse only when a program runs, or runs to its end.
fn possible(args: &Trace) -> Result<(), Failure> {
    if args.recording.max_overhead.is_some() {
        return Err(limitless());
    }
    match args.recording.buffer < LEAST_BUFFER {
        true => Err(not_begun(
            "exact recording needs a --buffer of 32M or more: the tables of its probes alone take 5M",
        )),
        false => Ok(()),
    }
}

/// With less of it the agent has no room for probes.
const LEAST_BUFFER: u64 = 32 << 20;

fn under_way(
    args: &Trace,
    target: &str,
    wanted: &Wishes,
    news: Option<&Sender<Grown>>,
) -> Result<Came, Failure> {
    let jvm = resolve(target)?;
    check_output(args.destination.pattern(), args.destination.replace())?;
    live::fits(&jvm)?;
    let signals = Signals::quitting()?;
    // Nobody is asked about a JVM that nothing can be sent into.
    target::takes_agents(&jvm, &signals)?;
    if let Some(foreign) = wanted.foreign_to(target::name(&jvm)) {
        note(foreign);
    }
    let harm = harm::of(&jvm);
    let dip = RefCell::new(Dip::new(&jvm));
    let wishes = format!("{}jvm {harm}\n", wanted.lines);
    let request = Request {
        pattern: args.destination.pattern(),
        replace: args.destination.replace(),
        redact: args.destination.redact,
        wishes: Some(&wishes),
        quiet: news.is_some(),
        ..Request::watching(&jvm, &args.recording, &signals)
    };
    // Where there is nothing to rewrite, nobody need be asked; and only the first time is dear.
    let facts = rehearse(&request)?;
    let harm = harm.after(&facts);
    if args.dry_run {
        return would_do(&facts, &harm).map(Came::Dry);
    }
    let wishes = format!("{}jvm {harm}\n", wanted.lines);
    let request = Request {
        wishes: Some(&wishes),
        dip: Some(&dip),
        news,
        ..request
    };
    if request.signals.arrived() {
        return Err(Failure::interrupted(
            "interrupted before anything was rewritten",
        ));
    }
    harm.accept(args.yes, "--yes", &signals)?;
    if news.is_some() {
        let main = target::name(&jvm).to_string();
        begun(
            &Subject {
                pid: jvm.pid.0,
                main,
            },
            &args.recording,
        );
    }
    let mut recorded = check(live::record_as(&request)?)?;
    recorded.file.close_to_reader();
    Ok(Came::Recorded(Box::new(recorded)))
}

/// The agent's line on the harm to a program that is started with it.
const FROM_START: &str = "jvm cheap: the agent was there from the start\n";

/// Starts a program and traces it from its beginning.
fn from_start(
    args: &Trace,
    wanted: &Wishes,
    news: Option<&Sender<Grown>>,
    aside: bool,
) -> Result<Came, Failure> {
    let wishes = format!("{}{FROM_START}", wanted.lines);
    let start = Start {
        launch: &args.launch,
        recording: &args.recording,
        destination: &args.destination,
        wishes: Some(&wishes),
        news,
        aside,
    };
    let mut kept = None;
    let exit = launch::run(&start, |recorded| {
        let mut recorded = check(recorded)?;
        recorded.file.close_to_reader();
        let exit = recorded.exit;
        kept = Some(recorded);
        Ok(exit)
    })?;
    // A program that fails before there is a recording.
    Ok(kept.map_or(Came::Dry(exit), |recorded| {
        Came::Recorded(Box::new(Recorded { exit, ..recorded }))
    }))
}

/// Says what came of it on standard error.
fn tell_aside(recorded: &Recorded) {
    say(&recorded.facts);
    note(clean_lines(&recorded.summary));
    tell(&recorded.facts).into_iter().for_each(note);
}

/// An error if there was nothing to rewrite; the trace then goes.
pub(crate) fn check(recorded: Recorded) -> Result<Recorded, Failure> {
    match recorded.facts.get(key::EXACT_ERROR) {
        None => Ok(recorded),
        Some(error) => {
            let failure = not_begun(error);
            // It holds nothing but this sentence.
            recorded.file.abandon();
            Err(failure)
        }
    }
}

fn not_begun(error: &str) -> Failure {
    let failure = Failure::usage(format_args!("nothing was rewritten: {error}"));
    if error.contains("is loaded") {
        return failure.hint(
            "names as 'locklens report' prints them; * stands for anything; a class that no code has used yet is not loaded",
        );
    }
    if error.contains("choose fewer") {
        return failure.hint("--class or --locks with less in it");
    }
    failure
}

/// Finds out what would be rewritten, and changes nothing. An error if that is nothing.
fn rehearse(request: &Request<'_>) -> Result<Facts, Failure> {
    let wishes = request.wishes.map(|wishes| format!("{wishes}dry 1\n"));
    let recorded = live::record_as(&Request {
        unnamed: true,
        wishes: wishes.as_deref(),
        quiet: true,
        ..*request
    })?;
    match recorded.facts.get(key::EXACT_ERROR) {
        Some(error) => Err(not_begun(error)),
        None => Ok(recorded.facts),
    }
}

/// Says what would be done.
fn would_do(facts: &Facts, harm: &harm::Harm) -> Result<Exit, Failure> {
    terminal::print(|out| {
        writeln!(out, "{}", harm.told())?;
        writeln!(
            out,
            "Would be rewritten, {}:",
            counted(facts, key::EXACT_CLASSES, "class")
        )?;
        lines(out, facts, key::EXACT_NAMES)?;
        if facts.contains_key(key::EXACT_REFUSED) {
            writeln!(out, "Can't be rewritten:")?;
            lines(out, facts, key::EXACT_REFUSED)?;
        }
        match fact(facts, key::EXACT_IDLE).as_str() {
            "0" => {}
            _ => writeln!(
                out,
                "Chosen too, and nothing to report in: {}.",
                counted(facts, key::EXACT_IDLE, "class")
            )?,
        }
        writeln!(out, "Nothing was changed.")
    })
}

fn fact(facts: &Facts, key: &str) -> String {
    facts
        .get(key)
        .map_or_else(|| "?".to_owned(), |text| clean(text))
}

/// A number that the agent tells, with its thing.
fn counted(facts: &Facts, key: &str, thing: &str) -> String {
    let text = fact(facts, key);
    match text.parse() {
        Ok(n) => many(n, thing),
        Err(_) => format!("{text} {thing}s"),
    }
}

fn lines(out: &mut impl Write, facts: &Facts, key: &str) -> std::io::Result<()> {
    let text = facts.get(key).map_or("", String::as_str);
    let mut lines = text.lines().map(clean);
    lines.try_for_each(|line| writeln!(out, "  {line}"))
}

/// Says what came of it.
fn conclude(recorded: &Recorded) -> Result<Exit, Failure> {
    say(&recorded.facts);
    terminal::print(|out| {
        writeln!(out, "{}", clean_lines(&recorded.summary))?;
        let mut lines = tell(&recorded.facts).into_iter();
        lines.try_for_each(|line| writeln!(out, "{line}"))
    })?;
    Ok(recorded.exit)
}

/// What was rewritten, as soon as it is.
pub(crate) fn rewritten(facts: &Facts) -> String {
    format!(
        "exact: {}, {}, {} rewritten in {} ms",
        counted(facts, key::EXACT_CLASSES, "class"),
        counted(facts, key::EXACT_METHODS, "method"),
        counted(facts, key::EXACT_SITES, "site"),
        fact(facts, key::EXACT_INSTALL_MS),
    )
}

/// What was done, a line each.
pub(crate) fn tell(facts: &Facts) -> Vec<String> {
    let objects = counted(facts, key::EXACT_LOCKS, "lock object");
    let rewritten = format!("{}; {objects}", rewritten(facts));
    let restored = facts.get(key::EXACT_RESTORED).map(|_| {
        format!(
            "original bytes of {} back in {} ms",
            counted(facts, key::EXACT_RESTORED, "class"),
            fact(facts, key::EXACT_RESTORE_MS)
        )
    });
    let parks = facts.get(key::PARKS).map(|_| {
        format!(
            "parks: {}, {}",
            counted(facts, key::PARKS, "park"),
            counted(facts, key::PARKS_UNPARKS, "unpark")
        )
    });
    let dormant = facts.get(key::EXACT_DORMANT).map(|_| {
        format!(
            "the probes of {} stay, switched off: 'locklens detach' takes them out",
            counted(facts, key::EXACT_DORMANT, "class")
        )
    });
    let operations = facts.get(key::OPERATIONS).map(|_| {
        format!(
            "operations: {}",
            counted(facts, key::OPERATIONS, "operation")
        )
    });
    let lines = [
        Some(rewritten),
        operations,
        parks,
        restored,
        dormant,
        toll(facts),
    ];
    lines.into_iter().flatten().collect()
}

/// A limit to what it costs can be kept where events can be left out.
fn limitless() -> Failure {
    Failure::usage("--max-overhead holds for recordings that watch: an exact one has every event")
        .hint("--method and --locks choose less; --no-clock makes each event cheaper")
}

/// Says what somebody should know.
pub(crate) fn say(facts: &Facts) {
    for remark in remarks(facts) {
        note(remark);
    }
}

/// What is rewritten with all classes of an application, whether these have locks or not.
const STARTS_THREADS: &str = "java.lang.Thread";

/// Lines of a list that are shown here; the trace has more.
const SHOWN: usize = 20;

fn not_rewritten(refused: &str) -> String {
    listed("not rewritten:", refused)
}

fn replaced_by_others(classes: &str) -> String {
    let said =
        "replaced by another agent meanwhile, so that what ran there later was not recorded:";
    listed(said, classes)
}

fn listed(said: &str, lines: &str) -> String {
    let mut said = said.to_owned();
    let shown = lines.lines().take(SHOWN);
    shown.for_each(|line| said += &format!("\n    {line}"));
    let more = lines.lines().count().saturating_sub(SHOWN);
    if more > 0 {
        said += &format!("\n    and {more} more: locklens info");
    }
    said
}

/// What somebody should know who relies on the recording.
pub(crate) fn remarks(facts: &Facts) -> Vec<String> {
    let mut remarks: Vec<String> = none_came(facts).into_iter().collect();
    if let Some(refused) = facts.get(key::EXACT_REFUSED) {
        remarks.push(not_rewritten(refused));
    }
    let late = key::EXACT_OLD_CODE
        .iter()
        .rev()
        .find_map(|key| facts.get(*key));
    if let Some(old) = late.filter(|old| *old != "0") {
        remarks.push(format!(
            "threads still inside code from before, of which nothing is seen: {old}"
        ));
    }
    if facts.get(key::EXACT_UNMET).is_some_and(|n| n != "0") {
        remarks.push(format!(
            "{} of these classes met by no probe: the code that uses it was running when it was rewritten (an endless loop?); only what the JVM tells of it was recorded. Choose the methods that the loop calls, or watch: locklens record",
            counted(facts, key::EXACT_UNMET, "lock object")
        ));
    }
    if facts.get(key::EXACT_ELSEWHERE).is_some_and(|n| n != "0") {
        remarks.push(format!(
            "{} of these locks confirmed by no probe (code that was not rewritten, or lost records): their record is not complete",
            counted(facts, key::EXACT_ELSEWHERE, "contended enter")
        ));
    }
    if let Some(replaced) = facts.get(key::EXACT_REPLACED) {
        remarks.push(replaced_by_others(replaced));
    }
    if facts.contains_key(key::PARKS_REPLACED) {
        remarks.push(replaced_by_others("java.util.concurrent.locks.LockSupport"));
    }
    if facts
        .get(key::EXACT_RESTORED)
        .is_some_and(|restored| *restored != fact(facts, key::EXACT_CLASSES))
    {
        remarks.push(format!(
            "the original bytes of {} of {} classes are back; in the others the probes are switched off",
            fact(facts, key::EXACT_RESTORED),
            fact(facts, key::EXACT_CLASSES)
        ));
    }
    remarks
}

#[cfg(test)]
mod tests {
    use super::*;

    fn facts(pairs: &[(&str, &str)]) -> Facts {
        let pairs = pairs
            .iter()
            .map(|(k, v)| ((*k).to_owned(), (*v).to_owned()));
        pairs.collect()
    }

    #[test]
    fn a_clean_recording_has_no_remarks() {
        let clean = facts(&[
            (key::EXACT_SINCE, "1"),
            (key::EXACT_CLASSES, "3"),
            (key::EXACT_RESTORED, "3"),
            (key::EXACT_ELSEWHERE, "0"),
            (key::EXACT_UNMET, "0"),
            (key::EXACT_OLD_CODE[0], "1: main in run"),
            (key::EXACT_OLD_CODE[3], "0"),
        ]);
        assert_eq!(remarks(&clean), Vec::<String>::new());
    }

    #[test]
    fn a_program_without_locks_is_told() {
        let said = |n, names| {
            remarks(&facts(&[
                (key::EXACT_CLASSES, n),
                (key::EXACT_NAMES, names),
            ]))
        };
        assert!(said("0", "")[0].contains("nothing was rewritten (names"));
        assert!(said("1", STARTS_THREADS)[0].contains("nothing was rewritten but"));
        assert_eq!(said("1", "app.Desk"), Vec::<String>::new());
    }

    #[test]
    fn what_is_not_complete_is_said() {
        let said = remarks(&facts(&[
            (key::EXACT_SINCE, "1"),
            (key::EXACT_CLASSES, "3"),
            (key::EXACT_RESTORED, "2"),
            (key::EXACT_REFUSED, "a.B: it is a hidden class"),
            (key::EXACT_ELSEWHERE, "4"),
            (key::EXACT_UNMET, "3"),
            (key::EXACT_OLD_CODE[1], "1: main in run"),
            (key::EXACT_REPLACED, "a.C"),
            (key::PARKS_REPLACED, "5"),
        ]));
        let words = [
            "hidden class",
            "main in run",
            "3 lock objects",
            "4 contended",
            "a.C",
            "LockSupport",
            "2 of 3",
        ];
        for (remark, word) in said.iter().zip(words) {
            assert!(remark.contains(word), "{remark}");
        }
        assert_eq!(said.len(), words.len());
    }
}
