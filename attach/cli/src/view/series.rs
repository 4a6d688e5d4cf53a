//! The recordings of a JVM that one page shows: one that watches, and those that the page asks for, one after the other.

use super::desk::{Desk, Task};
use crate::args::{Recording, View as Args};
use crate::exit::{Exit, Failure};
use crate::private::PrivateDir;
use crate::record::dip::Dip;
use crate::record::live::{Request, record_as};
use crate::record::outcome::Recorded;
use crate::record::output::Grown;
use crate::record::signals::Signals;
use crate::record::tally::Tally;
use crate::replace::Replace;
use crate::terminal::note;
use crate::trace;
use locklens_hotspot::Jvm;
use locklens_viz::many;
use std::cell::RefCell;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::Sender;
use std::time::Duration;

/// The first trace, if nobody wants to keep it.
const UNKEPT: &str = "view.llt";

/// See the module.
pub(super) struct Series<'a> {
    pub(super) args: &'a Args,
    pub(super) jvm: &'a Jvm,
    pub(super) signals: &'a Signals,
    pub(super) desk: &'a Desk,
    /// Nobody sees it any more.
    pub(super) failed: &'a AtomicBool,
    /// Where the traces are if nobody wants to keep them.
    pub(super) folder: Option<&'a PrivateDir>,
    /// Who makes the pages.
    pub(super) tell: Sender<Grown>,
}

/// What they came to.
#[derive(Debug)]
pub(super) struct Came {
    /// How the command should end.
    pub(super) exit: Exit,
    /// What each trace holds, for people.
    pub(super) summaries: Vec<String>,
}

impl Series<'_> {
    /// Records until it is over. An error if there was no recording at all.
    pub(super) fn run(&self) -> Result<Came, Failure> {
        let unkept = self.folder.map(|folder| folder.path().join(UNKEPT));
        let first = unkept.as_deref().or(self.args.destination.pattern());
        self.desk.begins(&Task::Watch);
        let recorded = self.record(&Task::Watch, first, self.args.destination.replace())?;
        let first = recorded.file.path().to_path_buf();
        let mut came = Came {
            exit: recorded.exit,
            summaries: vec![recorded.summary],
        };
        let mut next = self.next(came.exit);
        while let Some(task) = next {
            self.desk.begins(&task);
            let file = unused(&first);
            next = match self.record(&task, Some(&file), Replace::Nothing) {
                Ok(recorded) => {
                    came.exit = recorded.exit;
                    came.summaries.push(recorded.summary);
                    self.next(came.exit)
                }
                // Somebody wants no other one.
                Err(_) if self.signals.arrived() => None,
                Err(failure) => {
                    note(&failure);
                    self.desk.failed(&failure.to_string());
                    self.after_failure(&task, &mut came)
                }
            };
        }
        self.desk.ends();
        Ok(came)
    }

    /// What a page has asked for meanwhile.
    fn next(&self, exit: Exit) -> Option<Task> {
        let is_over = exit != Exit::Fine || self.signals.arrived();
        self.desk.next().filter(|_| !is_over)
    }

    /// It goes on to be watched, if it can.
    fn after_failure(&self, task: &Task, came: &mut Came) -> Option<Task> {
        let is_there = Path::new("/proc").join(self.jvm.pid.to_string()).exists();
        if *task == Task::Watch && is_there {
            came.exit = Exit::CutShort;
        }
        (*task != Task::Watch && is_there).then_some(Task::Watch)
    }

    fn record(
        &self,
        task: &Task,
        file: Option<&Path>,
        replace: Replace,
    ) -> Result<Recorded, Failure> {
        let recording = Recording {
            duration: self.args.recording.duration.or(Some(Duration::ZERO)),
            ..self.args.recording.clone()
        };
        let enough = |tally: &Tally| {
            self.desk.sees(&tally.exact);
            self.failed.load(Ordering::Relaxed) || self.desk.is_wanted()
        };
        let request = Request {
            pattern: file,
            replace,
            redact: self.args.destination.redact,
            news: Some(&self.tell),
            signs_of_life: true,
            enough: Some(&enough),
            ..Request::watching(self.jvm, &recording, self.signals)
        };
        let mut recorded = match task {
            Task::Watch => record_as(&request)?,
            Task::Exact { lines, locks } => self.exactly(&request, lines, *locks)?,
        };
        recorded.file.close_to_reader();
        Ok(recorded)
    }

    /// Records as `locklens trace --yes` does: who asked for it has been told the price.
    fn exactly(
        &self,
        request: &Request<'_>,
        lines: &str,
        locks: usize,
    ) -> Result<Recorded, Failure> {
        note(format_args!(
            "the page asks for every event of {}",
            many(locks as u64, "lock")
        ));
        let harm = self.desk.harm();
        let dip = RefCell::new(Dip::new(self.jvm));
        note(harm.price());
        let recorded = trace::check(record_as(&Request {
            wishes: Some(&format!("{lines}jvm {harm}\n")),
            dip: Some(&dip),
            ..*request
        })?)?;
        trace::say(&recorded.facts);
        trace::tell(&recorded.facts).into_iter().for_each(note);
        Ok(recorded)
    }
}

/// A file beside the first that is not there yet: `app.llt`, then `app-2.llt` and so on.
fn unused(first: &Path) -> PathBuf {
    let named = |number: u32| {
        let mut name = first.file_stem().unwrap_or_default().to_owned();
        name.push(format!("-{number}"));
        if let Some(extension) = first.extension() {
            name.push(".");
            name.push(extension);
        }
        first.with_file_name(name)
    };
    let mut names = (2..).map(named);
    let free = names.find(|name| name.symlink_metadata().is_err());
    free.unwrap_or_else(|| first.to_path_buf())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_trace_takes_the_place_of_another() {
        let folder = PrivateDir::create().unwrap();
        let first = folder.path().join("app.1.llt");
        assert_eq!(unused(&first), folder.path().join("app.1-2.llt"));
        folder.write("app.1-2.llt", b"", 0o600).unwrap();
        assert_eq!(unused(&first), folder.path().join("app.1-3.llt"));
        assert_eq!(
            unused(&folder.path().join("app")),
            folder.path().join("app-2")
        );
    }
}
