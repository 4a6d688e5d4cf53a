//! `locklens confirm`: a potential deadlock judged again, by a recording with reads and writes of the code concerned.
//!
//! Three steps: the finding is looked up in the first recording and the classes found that its locks are used in; the
//! same is recorded again as `locklens trace` does it, with accesses; and the finding is looked up there. Whatever comes
//! of that, the finding stands: no run proves that a deadlock cannot happen.

mod surroundings;

use crate::args::{Choice as Chosen, Confirm as Args, Destination, Trace};
use crate::exit::{Exit, Failure};
use crate::private::PrivateDir;
use crate::record::outcome::Recorded;
use crate::study::{collected, find_lock, options};
use crate::trace::wishes::{Choice, PARKS, Wishes};
use crate::trace::{self, Came};
use crate::{deadlocks, terminal};
use locklens_inference::analysis::Analysis;
use locklens_inference::collect::Collected;
use locklens_inference::deadlock::confirm::confirm;
use locklens_inference::deadlock::finding::{Finding, Report, What};
use locklens_inference::model::Options;
use locklens_inference::sample::filter::Filter;
use locklens_trace::record::{LockObject, target_key};
use locklens_viz::deadlocks::{confirmed, confirmed_json};
use std::collections::BTreeSet;
use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

/// `locklens confirm`
pub(crate) fn run(args: &Args) -> Result<Exit, Failure> {
    let options = options(&args.analysis);
    if deadlocks::is_std(&args.file) {
        return Err(Failure::usage(format_args!(
            "{} is no recording of a JVM",
            args.file.display()
        ))
        .hint("'locklens deadlocks' judges reads and writes of other tools' traces at once"));
    }
    if args.destination.redact {
        return Err(
            Failure::usage("a redacted recording cannot be compared with the first one")
                .hint("'locklens redact' makes such a copy of it afterwards"),
        );
    }
    if let Some(output) = args.destination.pattern() {
        keeps(&args.file, output)?;
    }
    let first = deadlocks::read(&args.file, &options)?.told();
    let suspect = suspect(&first, &args.id)?;
    let wanted = wishes(args, &options, suspect)?;
    let place = Place::of(&args.destination)?;
    let recorded = match trace::exactly(&place.trace(args), &wanted)? {
        Came::Dry(exit) => return Ok(exit),
        Came::Recorded(recorded) => recorded,
    };
    let second = deadlocks::read(recorded.file.path(), &options)?.told();
    let judged = confirm(suspect, &second);
    terminal::print(|out| match args.json {
        true => confirmed_json(&judged, out),
        false => confirmed(&judged, terminal::look(), out),
    })?;
    Ok(status(&recorded))
}

/// Never 0: the finding stands. A program that says something by its status still does.
fn status(recorded: &Recorded) -> Exit {
    match recorded.exit {
        _ if !recorded.in_order => Exit::CutShort,
        Exit::Fine | Exit::Child(0) => Exit::Findings,
        theirs_or_ours => theirs_or_ours,
    }
}

/// An error if the second recording would take the place of the first.
fn keeps(first: &Path, second: &Path) -> Result<(), Failure> {
    let file = |path: &Path| {
        let found = fs::metadata(path).ok()?;
        Some((found.dev(), found.ino()))
    };
    match file(first).filter(|first| file(second) == Some(*first)) {
        None => Ok(()),
        Some(_) => Err(Failure::usage(format_args!(
            "{} is the first recording: the second cannot take its place",
            second.display()
        ))
        .hint("another name: -o FILE")),
    }
}

/// The finding of an id, or of its beginning.
fn suspect<'r>(report: &'r Report, id: &str) -> Result<&'r Finding, Failure> {
    let begins = |known: &str| {
        let beginning = known.get(..id.len());
        !id.is_empty() && beginning.is_some_and(|known| known.eq_ignore_ascii_case(id))
    };
    let mut found = report.findings.iter().filter(|finding| begins(&finding.id));
    match (found.next(), found.next()) {
        (Some(one), None) => Ok(one),
        (Some(_), Some(_)) => Err(Failure::usage(format_args!(
            "several ids begin with {id:?}"
        ))),
        (None, _) => {
            let failure = Failure::usage(format_args!("no potential deadlock has the id {id:?}"));
            let gone = report.excluded.iter().find(|gone| begins(&gone.id));
            Err(match gone {
                Some(gone) => Failure::usage(format_args!(
                    "{} is excluded already: {}",
                    gone.id,
                    gone.reasons.join("; ")
                )),
                None => failure.hint("'locklens deadlocks FILE' prints the ids"),
            })
        }
    }
}

/// What is to be rewritten: the classes in which the locks concerned are used, and those around them, with the accesses of
/// their code.
fn wishes(args: &Args, options: &Options, suspect: &Finding) -> Result<Wishes, Failure> {
    let collected = collected(&args.file, options)?;
    if collected.target.contains_key(target_key::REDACTED) {
        return Err(Failure::usage(
            "the recording is redacted: which code it is about is not known",
        )
        .hint("the recording from which it was made"));
    }
    let study = Analysis::of(&collected, options);
    let mut code = Code::new(&collected, &study);
    let locks = suspect.locks.iter().filter(|lock| lock.what != What::End);
    locks.for_each(|lock| code.add(&lock.id, true));
    let besides = suspect.edges.iter().flat_map(|edge| &edge.also_holds);
    besides.for_each(|name| code.add(name, false));
    let classes = code.classes();
    let classes = surroundings::of(&collected.catalog, &classes);
    if classes.is_empty() {
        return Err(
            Failure::usage("the recording does not say which code uses these locks")
                .hint("'locklens trace --all-app' records the code, too"),
        );
    }
    let lines = classes
        .iter()
        .flat_map(|class| [format!("class {class}\n"), format!("access {class}\n")]);
    // Latches and queues order threads, too; under way nothing is proved that they could refute.
    let operations = code.operations || args.target.is_none();
    let operations = operations.then(|| format!("{PARKS}\n"));
    Ok(Wishes {
        lines: lines.chain(operations).collect(),
        from: collected.target.get(target_key::MAIN).cloned(),
    })
}

/// The code that uses some locks of a recording.
struct Code<'a> {
    collected: &'a Collected,
    study: &'a Analysis,
    choice: Choice,
    /// Classes with the regions of the locks that threads wait for.
    own: BTreeSet<String>,
    /// There are locks of `java.util.concurrent` among them.
    operations: bool,
}

impl<'a> Code<'a> {
    fn new(collected: &'a Collected, study: &'a Analysis) -> Self {
        Self {
            collected,
            study,
            choice: Choice::default(),
            own: BTreeSet::new(),
            operations: false,
        }
    }

    /// Adds a lock by its number or name; `wanted`: a thread waits for it.
    fn add(&mut self, name: &str, wanted: bool) {
        let Ok(at) = find_lock(&self.study.model, name) else {
            return;
        };
        if self.is_of_threads(at) {
            return;
        }
        let lock = &self.study.model.locks[at];
        self.operations |= lock.sampled.is_some();
        if wanted {
            let regions = lock.regions.iter();
            self.own.extend(regions.map(|region| region.class.clone()));
        }
        self.choice.add(self.collected, self.study, at);
    }

    /// Whether its objects are threads: who waits on one joins it, and the code that does so is the JDK's.
    fn is_of_threads(&self, at: usize) -> bool {
        let locks = &self.collected.catalog.locks;
        let is_thread = |lock| {
            let def = locks.get(lock);
            def.is_some_and(|def| matches!(def.object, LockObject::Thread(_)))
        };
        self.study.objects[at].iter().any(is_thread)
    }

    /// The classes, of the JDK's only those whose own locks are concerned.
    fn classes(&self) -> Vec<&str> {
        let is_apps = |class: &str| Filter::default().shows(class);
        let mut classes = self.choice.classes();
        classes.retain(|class| is_apps(class) || self.own.contains(*class));
        classes
    }
}

/// Where the second recording goes.
struct Place {
    destination: Destination,
    /// The folder it is in, if nobody wants to keep it.
    _dir: Option<PrivateDir>,
}

impl Place {
    fn of(wanted: &Destination) -> Result<Self, Failure> {
        if wanted.output.is_some() {
            return Ok(Self {
                destination: wanted.clone(),
                _dir: None,
            });
        }
        let dir = PrivateDir::create()
            .map_err(|e| Failure::usage(format_args!("can't make a temporary directory: {e}")))?;
        let output: PathBuf = dir.path().join("second.llt");
        Ok(Self {
            destination: Destination {
                output: Some(output),
                force: false,
                redact: false,
            },
            _dir: Some(dir),
        })
    }

    /// The recording, as `locklens trace` knows it.
    fn trace(&self, args: &Args) -> Trace {
        Trace {
            target: args.target.clone(),
            choice: Chosen {
                locks: Vec::new(),
                select: None,
                from: None,
                class: Vec::new(),
                method: Vec::new(),
                all_app: false,
            },
            juc: false,
            dry_run: args.dry_run,
            dormant: false,
            yes: args.yes,
            no_clock: false,
            no_rewrite: false,
            recording: args.recording.clone(),
            destination: self.destination.clone(),
            launch: args.launch.clone(),
        }
    }
}
