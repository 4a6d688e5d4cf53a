//! Every flag of the command: here and below, the one place where names, defaults and help are written.

mod confirm;
mod contention;
mod deadlocks;
mod diff;
mod export;
mod guard;
mod html;
mod jvm;
mod pressure;
mod read;
mod record;
mod redact;
mod sample;
mod shell;
mod top;
mod trace;
mod view;

use clap::{Parser, Subcommand};

pub(crate) use confirm::Confirm;
pub(crate) use contention::Contention;
pub(crate) use deadlocks::{Check, Deadlocks};
pub(crate) use diff::Diff;
pub(crate) use export::{Export, Viewer};
pub(crate) use guard::Guard;
pub(crate) use html::Html;
pub(crate) use jvm::{Agent, Attach, Demo, Doctor, List};
pub(crate) use pressure::Pressure;
pub(crate) use read::{Analysis, Events, Graph, Info, Report, Show, Table, file};
pub(crate) use record::{DEFAULT_OUTPUT, Destination, Exact, Record, Recording, Watch};
pub(crate) use redact::Redact;
pub(crate) use sample::Sample;
pub(crate) use shell::{Completions, Man};
pub(crate) use top::Top;
pub(crate) use trace::{Choice, Detach, Trace};
pub(crate) use view::View;

const EXAMPLES: &str = "\
Examples:
  locklens demo                        see it work on a bundled program
  locklens list                        the JVMs here
  locklens doctor 4242                 what works on JVM 4242, and what it would cost it
  locklens 4242                        watch JVM 4242 for 30 s, then report its locks
  locklens Main -d 10s -o app.llt      the same for the main class Main; keep the trace
  locklens record 4242 -o app.llt      watch, keep the trace
  locklens report app.llt              the table of its locks
  locklens show app.llt 1              lock 1 in full
  locklens html app.llt -o app.html    its threads and locks over time, in a browser
  locklens view app.llt                the same with every stay, served to browsers of this computer
  locklens view 4242                   the same of a live JVM, while it is recorded
  locklens graph app.llt --cycles      locks taken in circles: possible deadlocks
  locklens deadlocks app.llt           deadlocks that have not happened yet, the best proved first
  locklens confirm app.llt D1f0c27a4 -- java Main
                                       one of them judged again, with what threads read and write
  locklens check *.llt --baseline known.json
                                       the same of many runs, for a script: only what is new
  locklens guard 4242 --all-app        new lock-order cycles of a JVM as they appear, for as long as it runs
  locklens pressure app.llt            when locks kept threads from running, and how much
  locklens top 4242                    its locks as they stand, on the terminal
  locklens sample 4242                 what its threads do, at nearly no cost
  locklens contention app.llt          who blocked whom, where, and for how long
  locklens diff before.llt after.llt   what has changed between two recordings, and what chance explains
  locklens export app.llt --to perfetto -o app.pftrace
                                       the recording over time, for ui.perfetto.dev
  locklens redact app.llt -o public.llt
                                       a copy without the names of the program
  locklens trace 4242 --locks 1 --from app.llt
                                       lock 1 exactly: every enter, exit, wait and notify
  locklens attach 4242 threaddump      what jstack prints, without a JDK

Exit status:
  0 fine   1 findings of a command that looks for them: graph --cycles, deadlocks, confirm, check, guard
  2 usage or bad input, or nothing could be written   3 attach failed
  4 the recording ended early: the target went away, or the disk is full; what there is is kept
  130 interrupted by Ctrl-C before there was anything to keep
A report is no gate: it ends with 0 whatever it shows, a deadlock at its top too.

On a terminal: NO_COLOR, CLICOLOR_FORCE and COLUMNS are honoured.";

/// What the locks of a live JVM really are and do.
#[derive(Debug, Parser)]
#[command(
    name = "locklens",
    version,
    about,
    after_help = EXAMPLES,
    args_conflicts_with_subcommands = true,
    arg_required_else_help = true,
    disable_help_subcommand = true,
    max_term_width = 100
)]
pub(crate) struct Cli {
    /// What to do.
    #[command(subcommand)]
    pub(crate) command: Option<Command>,
    /// Without a command: record, then report.
    #[command(flatten)]
    pub(crate) watch: Watch,
}

impl Cli {
    /// The command line, with what one group of flags says to another.
    pub(crate) fn try_parse_whole() -> Result<Self, clap::Error> {
        let mut cli = Self::try_parse()?;
        let watching = match &mut cli.command {
            None => Some((&cli.watch.exact, &mut cli.watch.recording)),
            Some(Command::Record(args)) => Some((&args.exact, &mut args.recording)),
            Some(_) => None,
        };
        if let Some((exact, recording)) = watching {
            recording.vm_probes = exact.vm_probes;
        }
        Ok(cli)
    }
}

/// The commands.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    List(List),
    Attach(Attach),
    Doctor(Doctor),
    Record(Record),
    Trace(Trace),
    Detach(Detach),
    Report(Report),
    Show(Show),
    Events(Events),
    Graph(Graph),
    Html(Html),
    View(View),
    Pressure(Pressure),
    Sample(Sample),
    Top(Top),
    Contention(Contention),
    Diff(Diff),
    Export(Export),
    Deadlocks(Deadlocks),
    Confirm(Confirm),
    Check(Check),
    Guard(Guard),
    Info(Info),
    Redact(Redact),
    Demo(Demo),
    Agent(Agent),
    Completions(Completions),
    Man(Man),
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;
    use std::time::Duration;

    #[test]
    fn flags_are_consistent() {
        Cli::command().debug_assert();
    }

    #[test]
    fn a_bare_target_is_recorded_and_reported() {
        let cli = Cli::try_parse_from(["locklens", "4242", "-d", "1m"]).unwrap();
        assert!(cli.command.is_none());
        assert_eq!(cli.watch.target.as_deref(), Some("4242"));
        assert_eq!(cli.watch.recording.duration, Some(Duration::from_secs(60)));
    }

    #[test]
    fn a_command_to_start_follows_two_dashes() {
        let cli =
            Cli::try_parse_from(["locklens", "record", "-o", "x", "--", "java", "-d"]).unwrap();
        let Some(Command::Record(record)) = cli.command else {
            panic!("{cli:?}")
        };
        assert_eq!(record.launch, ["java", "-d"]);
        assert_eq!(record.target, None);
    }

    #[test]
    fn record_needs_exactly_one_subject() {
        assert!(Cli::try_parse_from(["locklens", "record"]).is_err());
        assert!(Cli::try_parse_from(["locklens", "record", "1", "--", "java"]).is_err());
    }

    #[test]
    fn arguments_of_the_attach_protocol_may_start_with_a_dash() {
        let cli = Cli::try_parse_from(["locklens", "attach", "1", "threaddump", "-l"]).unwrap();
        let Some(Command::Attach(attach)) = cli.command else {
            panic!("{cli:?}")
        };
        assert_eq!(attach.args, ["-l"]);
    }
}
