//! From flags to what the agent is asked for, a line each.

use super::reach::Reach;
use crate::args::{Analysis, Trace};
use crate::exit::Failure;
use crate::study::{collected, find_lock, options};
use crate::terminal::note;
use locklens_inference::analysis::Analysis as Study;
use locklens_inference::collect::Collected;
use locklens_trace::record::target_key;
use locklens_viz::clean;
use std::collections::BTreeSet;
use std::path::Path;

/// The agent's line for every park and unpark.
pub(crate) const PARKS: &str = "juc 1";

/// What the agent's line for the accesses of a class begins with.
pub(crate) const ACCESS: &str = "access ";

/// The agent's line for probes that stay.
pub(crate) const DORMANT: &str = "dormant 1";

/// What is asked for.
pub(crate) struct Wishes {
    /// The agent's lines.
    pub(crate) lines: String,
    /// Main class of the recording in which the locks were found.
    pub(crate) from: Option<String>,
}

impl Wishes {
    /// A remark, if the locks were found in a recording of another program than this.
    pub(crate) fn foreign_to(&self, main: &str) -> Option<String> {
        let from = self.from.as_deref()?;
        let of = from.split_ascii_whitespace().next()?;
        let simple = |name: &str| name.rsplit(['/', '\\']).next().unwrap_or(name).to_owned();
        (simple(of) != simple(main))
            .then(|| format!("the locks were found in a recording of {of}; this JVM runs {main}"))
    }
}

/// Reads the flags.
pub(crate) fn of(args: &Trace) -> Result<Wishes, Failure> {
    if let Some(glob) = args.choice.method.iter().find(|glob| !glob.contains('.')) {
        return Err(
            Failure::usage(format_args!("--method {} names no class", clean(glob))).hint(
                "--method 'com.example.Store.put', or --method '*.put' for those of all classes",
            ),
        );
    }
    let mut lines: Vec<String> = Vec::new();
    lines.extend(args.choice.class.iter().map(|glob| format!("class {glob}")));
    lines.extend(
        args.choice
            .method
            .iter()
            .map(|glob| format!("method {glob}")),
    );
    if args.choice.all_app {
        lines.push("app".to_owned());
    }
    let (of_locks, from) = of_locks(args)?;
    lines.extend(of_locks);
    if args.juc {
        lines.push(PARKS.to_owned());
    }
    if lines.is_empty() {
        return Err(Failure::usage("which locks?").hint(
            "--locks 1,2 --from first.llt, --class 'com.example.*', --all-app, or --juc for java.util.concurrent",
        ));
    }
    if args.no_clock {
        lines.push("clock 0".to_owned());
    }
    if args.dormant {
        lines.push(DORMANT.to_owned());
    }
    if let Some(bad) = lines.iter().find(|line| line.contains('\n')) {
        return Err(Failure::usage(format_args!("{bad:?} is no name")));
    }
    Ok(Wishes {
        lines: lines.join("\n") + "\n",
        from,
    })
}

/// The locks named: by number or name, on the command line or in a file.
fn named(args: &Trace) -> Result<Vec<String>, Failure> {
    let mut names = args.choice.locks.clone();
    if let Some(file) = &args.choice.select {
        let text = std::fs::read_to_string(file).map_err(|error| {
            Failure::usage(format_args!("can't read {}: {error}", file.display()))
        })?;
        let lines = text.lines().map(str::trim);
        let wanted = lines.filter(|line| !line.is_empty() && !line.starts_with('#'));
        names.extend(wanted.map(str::to_owned));
    }
    Ok(names)
}

/// Lines, and the main class of the recording they come from.
type Found = (BTreeSet<String>, Option<String>);

fn of_locks(args: &Trace) -> Result<Found, Failure> {
    let names = named(args)?;
    match (&args.choice.from, names.is_empty()) {
        (None, true) => Ok(Found::default()),
        (Some(_), true) => Err(Failure::usage("which locks of that recording?")
            .hint("--locks 1,2 or --select FILE; 'locklens report FILE' has their numbers")),
        (None, false) => Err(Failure::usage(
            "--locks and --select need a recording to find the locks in",
        )
        .hint("'locklens record PID -o first.llt', then --from first.llt")),
        (Some(file), false) => in_recording(file, &names),
    }
}

/// What belongs to these locks of a recording: the classes of their objects, and all the code.
fn in_recording(file: &Path, names: &[String]) -> Result<Found, Failure> {
    let options = options(&Analysis::default());
    let collected = collected(file, &options)?;
    let study = Study::of(&collected, &options);
    let choice = Choice::of(&collected, &study, names)?;
    if let Some(left_out) = &choice.left_out {
        note(left_out);
    }
    Ok((
        choice.lines,
        collected.target.get(target_key::MAIN).cloned(),
    ))
}

/// Code and objects of locks that were chosen.
#[derive(Debug, Default)]
pub(crate) struct Choice {
    lines: BTreeSet<String>,
    /// Of which no classes are chosen, and how they are recorded, in words.
    left_out: Option<String>,
}

impl Choice {
    /// These locks of a recording, by number or name. Locks of `java.util.concurrent` among them are left out; an error if there
    /// are no others.
    pub(crate) fn of(
        collected: &Collected,
        study: &Study,
        names: &[String],
    ) -> Result<Self, Failure> {
        let mut choice = Self::default();
        let mut concurrent = Vec::new();
        for name in names {
            let at = find_lock(&study.model, name)?;
            let lock = &study.model.locks[at];
            match lock.sampled {
                Some(_) => concurrent.push(lock.id.to_string()),
                None => choice.add(collected, study, at),
            }
        }
        let (subject, verb) = match concurrent.len() {
            0 => return Ok(choice),
            1 => ("lock", "is no monitor"),
            _ => ("locks", "are no monitors"),
        };
        let said = format!(
            "{subject} {} {verb}: only monitors are chosen one by one",
            concurrent.join(", ")
        );
        let hint = "--juc records every operation and park on any lock of java.util.concurrent";
        if concurrent.len() == names.len() {
            return Err(Failure::usage(said).hint(hint));
        }
        choice.left_out = Some(format!("left out: {said}; {hint}"));
        Ok(choice)
    }

    /// Adds a lock of a recording, by its place in the report.
    pub(crate) fn add(&mut self, collected: &Collected, study: &Study, at: usize) {
        let reach = Reach::of(&collected.catalog);
        let regions = study.model.locks[at].regions.iter();
        let methods = regions.map(|r| (&*r.class, &*r.method, &*r.descriptor));
        let classes = reach.classes(methods).into_iter();
        self.lines
            .extend(classes.map(|class| format!("class {class}")));
        let objects = study.objects[at].iter();
        let classes = objects.filter_map(|&lock| reach.lock_class(lock));
        // A monitor that nobody was blocked at may be a part of it, all the same: that of the class whose code it is, most likely.
        let unseen = study.model.locks[at].regions.iter().filter(|r| !r.seen);
        let unseen = unseen.map(|r| reach.own_monitor((&r.class, &r.method, &r.descriptor)));
        self.lines
            .extend(classes.chain(unseen).map(|class| format!("lock {class}")));
    }

    /// The classes whose code belongs to them.
    pub(crate) fn classes(&self) -> Vec<&str> {
        let lines = self.lines.iter();
        lines
            .filter_map(|line| line.strip_prefix("class "))
            .collect()
    }

    /// The agent's lines.
    pub(crate) fn lines(&self) -> String {
        self.lines.iter().map(|line| line.clone() + "\n").collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_recording_of_another_program_is_told() {
        let of = |from: &str, main: &str| {
            let wishes = Wishes {
                lines: String::new(),
                from: Some(from.to_owned()),
            };
            wishes.foreign_to(main)
        };
        assert_eq!(of("app.Main 8080", "app.Main"), None);
        assert_eq!(of("/opt/app.jar -v", "app.jar"), None);
        let said = of("app.Main", "other.Main").expect("another program");
        assert!(said.contains("app.Main") && said.contains("other.Main"));
    }
}
