//! Why a JVM hangs: thread dumps, of a live JVM or saved, explained.
//!
//! A live JVM is asked twice, so that only who did not move counts. Thread dumps come first: they need nothing but a safepoint. The
//! dump of virtual threads is written by Java code in the JVM, which what hangs may stop; if it does not come, that is said. JDK 25
//! can crash while it writes it (JDK-8364343), so it is asked for only if the user wants that.

use super::recorded;
use crate::args::Deadlocks as Args;
use crate::dump_file::{self, LONGEST};
use crate::exit::{Exit, Failure};
use crate::record::signals::Signals;
use crate::study::options;
use crate::target::{enter, name, not_attached, resolve};
use crate::terminal::note;
use crate::trace_file::must_be_file;
use locklens_hotspot::{AttachError, Door, Jvm, Reply, TargetFiles, spent};
use locklens_inference::deadlock::finding::{Finding, Report, Unserved};
use locklens_inference::hang::{Evidence, Recorded, explain};
use locklens_inference::sample::dump::{Dump, Dumps, json};
use locklens_trace::Nanos;
use locklens_viz::many;
use std::collections::BTreeMap;
use std::io::Read;
use std::path::Path;
use std::thread;
use std::time::Duration;

/// Between two dumps.
const PAUSE: Duration = Duration::from_millis(200);
/// Between two of virtual threads, which are looked at one after the other: the more agree, the less is left to chance.
const STEP: Duration = Duration::from_millis(80);
/// Two more, where two may show what passes: so many of these pauses before each.
const MORE: [u32; 2] = [2, 3];
/// Dumps of virtual threads where these tell what they wait for.
const FILES: usize = 4;
/// Saved dumps that count, from the last.
const SAVED: usize = 2;

/// Explains a JVM under way.
pub(super) fn of_jvm(args: &Args) -> Result<Report, Failure> {
    let jvm = resolve(&args.targets[0])?;
    let signals = Signals::quitting()?;
    let recorded = args.recording.as_deref();
    let recorded =
        recorded.map(|trace| recorded::read(trace, &options(&args.analysis), Some(&jvm)));
    let recorded = recorded.transpose()?;
    let wanted = Wanted {
        owners: true,
        virtual_threads: args.virtual_threads,
    };
    explained(&jvm, wanted, recorded.as_ref(), &signals)
}

/// The same, of one that is known, by dumps that cost it next to nothing: of owners of locks of `java.util.concurrent` they
/// say only what the JVM's own search for deadlocks found.
pub(crate) fn look(jvm: &Jvm, signals: &Signals) -> Result<Report, Failure> {
    explained(jvm, LIGHT, None, signals)
}

/// What the JVM is asked for beside what its threads do.
#[derive(Clone, Copy)]
struct Wanted {
    /// Who owns locks of `java.util.concurrent`: the JVM goes through its heap for that, while its threads stand still.
    owners: bool,
    virtual_threads: bool,
}

/// What a JVM has answered.
#[derive(Default)]
pub(crate) struct Asked {
    /// Dumps that show how its threads stand, as many as [`look`] would go by.
    pub(crate) texts: Vec<String>,
    /// They tell that threads hang, or may, or that none of the program goes on.
    pub(crate) tells: bool,
    /// Why there are no more of them.
    pub(crate) failure: Option<Failure>,
}

/// Asks a JVM how its threads stand. Who has ended the recording by a signal has not ended this.
pub(crate) fn texts(jvm: &Jvm) -> Asked {
    let mut asked = Asked::default();
    asked.failure = ask(jvm, &mut asked).err();
    asked
}

fn ask(jvm: &Jvm, asked: &mut Asked) -> Result<(), Failure> {
    let undisturbed = Signals::default();
    let door = enter(jvm, &undisturbed)?;
    let mut dumps = Vec::new();
    let mut another = || {
        let text = text(jvm, &door, LIGHT)?;
        dumps.push(read(&text)?);
        asked.texts.push(text);
        let report = explain(&Evidence {
            dumps: &dumps,
            ..Evidence::default()
        });
        asked.tells = !report.findings.is_empty() || { report.hang.iter() }
            .any(|hang| hang.still && !hang.standing.is_empty());
        Ok::<_, Failure>(report.findings.iter().any(is_passing))
    };
    another()?;
    pause(PAUSE, &undisturbed)?;
    if another()? {
        for pauses in MORE {
            pause(PAUSE * pauses, &undisturbed)?;
            another()?;
        }
    }
    Ok(())
}

fn explained(
    jvm: &Jvm,
    wanted: Wanted,
    recorded: Option<&Recorded>,
    signals: &Signals,
) -> Result<Report, Failure> {
    let door = enter(jvm, signals).map_err(no_answer)?;
    let mut dumps = vec![dump(jvm, &door, wanted)?];
    pause(PAUSE, signals)?;
    dumps.push(dump(jvm, &door, wanted)?);
    let files = match wanted.virtual_threads {
        true => virtual_threads(jvm, &door, signals)?,
        false => Files::default(),
    };
    let judged = |dumps: &[Dump]| {
        explain(&Evidence {
            dumps,
            files: &files.dumps,
            without_virtual: files.none,
            unasked: !wanted.virtual_threads,
            recorded,
        })
    };
    let mut report = judged(&dumps);
    if report.findings.iter().any(is_passing) {
        for pauses in MORE {
            pause(PAUSE * pauses, signals)?;
            dumps.push(dump(jvm, &door, wanted)?);
        }
        report = judged(&dumps);
    }
    report.notes.extend(files.missing);
    let subject = format!("JVM {} ({})", jvm.pid, name(jvm));
    Ok(of(report, subject))
}

/// What looks the same where threads do nothing but give way to each other: a lock that nobody owns, and who gives up after a while.
fn is_passing(finding: &Finding) -> bool {
    finding.stall || finding.unserved == Some(Unserved::OwnerEnded)
}

fn of(mut report: Report, subject: String) -> Report {
    if let Some(hang) = &mut report.hang {
        hang.subject = subject;
    }
    report
}

fn pause(length: Duration, signals: &Signals) -> Result<(), Failure> {
    thread::sleep(length);
    match signals.arrived() {
        true => Err(Failure::interrupted("interrupted between two dumps")),
        false => Ok(()),
    }
}

/// What costs next to nothing.
const LIGHT: Wanted = Wanted {
    owners: false,
    virtual_threads: false,
};

fn dump(jvm: &Jvm, door: &Door, wanted: Wanted) -> Result<Dump, Failure> {
    read(&text(jvm, door, wanted)?)
}

fn text(jvm: &Jvm, door: &Door, wanted: Wanted) -> Result<String, Failure> {
    let arguments: &[&str] = if wanted.owners { &["-l"] } else { &[] };
    let reply = door
        .execute("threaddump", arguments)
        .map_err(|error| no_answer(not_attached(&error)))?;
    let text = String::from_utf8_lossy(&reply.text).into_owned();
    let told = |line: &str| is_of_thread(line) && line.contains(" cpu=");
    Ok(match text.lines().any(told) {
        true => text,
        false => timed(&text, &spent(jvm)),
    })
}

/// The first line of what a dump says of a thread.
fn is_of_thread(line: &str) -> bool {
    line.starts_with('"')
}

/// A dump with how long each thread has run, as later JVMs write it.
fn timed(text: &str, spent: &BTreeMap<u32, Duration>) -> String {
    let with = |line: &str| {
        let (before, after) = line.split_at(line.rfind(" nid=0x").filter(|_| is_of_thread(line))?);
        let number = after[" nid=0x".len()..].split(' ').next()?;
        let number = u32::from_str_radix(number.trim_end(), 16).ok()?;
        let hundredths = spent.get(&number)?.as_micros() / 10;
        let (ms, rest) = (hundredths / 100, hundredths % 100);
        Some(format!("{before} cpu={ms}.{rest:02}ms{after}"))
    };
    let lines = text.split_inclusive('\n');
    lines
        .map(|line| with(line).unwrap_or_else(|| line.to_owned()))
        .collect()
}

fn read(text: &str) -> Result<Dump, Failure> {
    let found = Dumps::read(text);
    let first = found.dumps.into_iter().next();
    first.ok_or_else(|| Failure::attach("its answer is no thread dump"))
}

/// A JVM that answers nobody hangs in another way.
fn no_answer(failure: Failure) -> Failure {
    let silent = failure.exit == Exit::AttachFailed && failure.what.contains("did not answer");
    let Some(hint) = failure.hint.clone().filter(|_| silent) else {
        return failure;
    };
    failure.hint(format!(
        "{hint}\n  a JVM that waits for a safepoint which one of its threads does not reach answers nobody, jstack neither: that is no deadlock of its locks"
    ))
}

/// What is known of virtual threads.
#[derive(Default)]
struct Files {
    dumps: Vec<Dump>,
    /// The JVM has none.
    none: bool,
    /// Why nothing is known of them.
    missing: Option<String>,
}

fn virtual_threads(jvm: &Jvm, door: &Door, signals: &Signals) -> Result<Files, Failure> {
    let mut files = Files::default();
    loop {
        match file(jvm, door) {
            Ok(Some(dump)) => files.dumps.push(dump),
            Ok(None) => {
                files.none = files.dumps.is_empty();
                return Ok(files);
            }
            Err(why) => {
                files.missing = Some(format!("virtual threads are unknown: {why}"));
                return Ok(files);
            }
        }
        let last = &files.dumps[files.dumps.len() - 1];
        let mut told = last.threads.iter().filter(|thread| thread.is_virtual);
        if files.dumps.len() == FILES || told.all(|thread| thread.stand.is_none()) {
            return Ok(files);
        }
        pause(STEP, signals)?;
    }
}

/// One dump of virtual threads; none if the JVM is too old to have any.
fn file(jvm: &Jvm, door: &Door) -> Result<Option<Dump>, String> {
    let said = |error: AttachError| error.to_string();
    let folder = TargetFiles::create(jvm).map_err(said)?;
    let path = folder.target_path("threads.json");
    let path = match path.contains(' ') {
        true => format!("\"{path}\""),
        false => path,
    };
    let command = format!("Thread.dump_to_file -format=json {path}");
    let reply = door.execute("jcmd", &[&command]).map_err(said)?;
    if is_unknown(&reply) {
        return Ok(None);
    }
    let mut bytes = Vec::new();
    let read =
        { folder.open("threads.json") }.and_then(|file| file.take(LONGEST).read_to_end(&mut bytes));
    let text = String::from_utf8_lossy(&bytes);
    match read.ok().and_then(|_| json::read(&text)) {
        Some(dump) if dump.complete => Ok(Some(dump)),
        _ => Err("the JVM has written no dump of them".to_owned()),
    }
}

fn is_unknown(reply: &Reply) -> bool {
    String::from_utf8_lossy(&reply.text).contains("Unknown diagnostic command")
}

/// Dumps that were saved: of those as `jstack` prints them, and of those that have virtual threads in them.
#[derive(Default)]
pub(super) struct Saved {
    /// By the JVM that has made them, the latest one last.
    dumps: Vec<(Made, Last)>,
    /// JVMs whose dumps were passed over.
    passed_over: u64,
    of_virtual: Last,
    /// A file looks like one that `Thread.dump_to_file` writes as text.
    is_other_format: bool,
}

/// What tells the dumps of one JVM from those of the one that was started after it, and writes into the same log: its release, and the
/// number that the system has given one of its own threads.
type Made = (Option<u32>, Option<u32>);

/// JVMs whose dumps are kept.
const JVMS: usize = 8;

fn made(dump: &Dump) -> Made {
    let named = |name: &str| dump.jvms.iter().find(|thread| thread.name == name);
    let own = named("Reference Handler").or_else(|| named("Finalizer"));
    (dump.release, own.and_then(|thread| thread.nid))
}

/// Whether both may be of one JVM, as far as they tell.
fn may_be_one(a: Made, b: Made) -> bool {
    let same = |a: Option<u32>, b: Option<u32>| a.zip(b).is_none_or(|(a, b)| a == b);
    same(a.0, b.0) && same(a.1, b.1)
}

/// The last dumps, by their clocks if all of them tell.
#[derive(Default)]
struct Last {
    /// Each with its number.
    kept: Vec<(u64, Dump)>,
    seen: u64,
    /// One at least does not tell when it was made.
    without_time: bool,
}

impl Last {
    fn add(&mut self, dump: Dump) {
        let mut kept = self.kept.iter();
        if kept.any(|(_, kept)| (kept.at, kept.fingerprint) == (dump.at, dump.fingerprint)) {
            return;
        }
        self.without_time |= dump.at.is_none();
        self.kept.push((self.seen, dump));
        self.seen += 1;
        // Whether all tell is known at the end.
        let mut wanted = self.latest(|_| None);
        if !self.without_time {
            wanted.extend(self.latest(|dump| dump.at));
        }
        self.kept.retain(|(number, _)| wanted.contains(number));
    }

    /// The numbers of the last ones.
    fn latest(&self, at: impl Fn(&Dump) -> Option<Nanos>) -> Vec<u64> {
        let all = self.kept.iter();
        let mut all: Vec<_> = all.map(|(number, dump)| (at(dump), *number)).collect();
        all.sort_unstable();
        let last = all.split_off(all.len().saturating_sub(SAVED));
        last.into_iter().map(|(_, number)| number).collect()
    }

    /// The oldest first.
    fn into_dumps(mut self) -> Vec<Dump> {
        match self.without_time {
            true => self.kept.sort_by_key(|(number, _)| *number),
            false => self.kept.sort_by_key(|(number, dump)| (dump.at, *number)),
        }
        let first = self.kept.len().saturating_sub(SAVED);
        let last = self.kept.drain(first..);
        last.map(|(_, dump)| dump).collect()
    }
}

/// The dumps of a file that is no trace; none if there are none in it.
pub(super) fn saved(path: &Path) -> Result<Option<Saved>, Failure> {
    if !path.is_file() || super::is_step_or_recording(path) {
        return Ok(None);
    }
    let mut saved = Saved::default();
    let found = saved.add(path)?;
    match saved.is_other_format && !found {
        true => Err(none(&path.display().to_string(), false, true)),
        false => Ok(found.then_some(saved)),
    }
}

impl Saved {
    /// Adds those of a file; false if there are none.
    fn add(&mut self, path: &Path) -> Result<bool, Failure> {
        let rest = dump_file::read(path, &mut |dump| self.take(dump))?;
        if rest.unread > 0 && rest.dumps > 0 {
            let threads = many(rest.unread, "thread");
            note(format_args!(
                "{}: {threads} could not be read: left out",
                path.display()
            ));
        }
        let found = rest.dumps > 0 || rest.of_virtual.is_some();
        self.is_other_format |= rest.is_other_format;
        rest.of_virtual
            .into_iter()
            .for_each(|dump| self.of_virtual.add(dump));
        Ok(found)
    }

    fn take(&mut self, dump: Dump) {
        let made = made(&dump);
        let known = { self.dumps.iter() }.rposition(|(one, _)| may_be_one(*one, made));
        let (one, mut last) = match known {
            Some(at) => self.dumps.remove(at),
            None => (made, Last::default()),
        };
        last.add(dump);
        self.dumps
            .push(((one.0.or(made.0), one.1.or(made.1)), last));
        if self.dumps.len() > JVMS {
            self.dumps.remove(0);
            self.passed_over += 1;
        }
    }

    /// Explains those of the JVM that has made the last one; or of the latest before it that something is found in.
    pub(super) fn explained(self, subject: String, recorded: Option<&Recorded>) -> Report {
        let files = self.of_virtual.into_dumps();
        let jvms = self.dumps.len().max(1);
        let mut all = self.dumps.into_iter().rev().map(|(_, last)| last);
        let mut report = explain(&Evidence {
            dumps: &all.next().unwrap_or_default().into_dumps(),
            files: &files,
            recorded,
            ..Evidence::default()
        });
        let mut told = 0;
        for (before, last) in (1..).zip(all) {
            if report.findings.is_empty() {
                // What was recorded, and what virtual threads do, is another JVM's.
                let earlier = explain(&Evidence {
                    dumps: &last.into_dumps(),
                    ..Evidence::default()
                });
                if !earlier.findings.is_empty() {
                    (report, told) = (earlier, before);
                }
            }
        }
        let others = jvms as u64 - 1 + self.passed_over;
        if others > 0 {
            report.notes.push(of_several(others + 1, told));
        }
        of(report, subject)
    }
}

/// `told`: how many JVMs came after the one that is told of.
fn of_several(jvms: u64, told: u64) -> String {
    let which = match told {
        0 => "the last".to_owned(),
        1 => "the last but one, since nothing is found in those of the last".to_owned(),
        n => format!("the one before the last {n}, since nothing is found in those of these"),
    };
    format!(
        "the dumps are of {jvms} JVMs, by their releases and the numbers of their threads: told is {which}; for another, give its dumps in a file of their own"
    )
}

/// Explains dumps of several files.
pub(super) fn of_dumps(paths: &[String], recorded: Option<&Recorded>) -> Result<Report, Failure> {
    let mut all = Saved::default();
    for path in paths {
        must_be_file(Path::new(path))?;
        if !all.add(Path::new(path))? {
            let is_trace = super::is_step_or_recording(Path::new(path));
            return Err(none(path, is_trace, all.is_other_format));
        }
    }
    Ok(all.explained(many(paths.len() as u64, "file"), recorded))
}

fn none(path: &str, is_trace: bool, is_other_format: bool) -> Failure {
    match is_trace {
        _ if is_other_format => Failure::usage(format_args!(
            "{path} is what Thread.dump_to_file writes as text, which is not read"
        ))
        .hint("'jcmd PID Thread.print -l', or 'Thread.dump_to_file -format=json'"),
        true => Failure::usage(format_args!(
            "{path} is a trace, and these are read one by one"
        ))
        .hint("'locklens check' takes several"),
        false => Failure::usage(format_args!("{path} holds no thread dump"))
            .hint("what 'jstack -l PID', 'jcmd PID Thread.print -l' or 'kill -3 PID' print"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_kernel_knows_is_put_where_later_jvms_write_it() {
        let spent = [(0x2a, Duration::from_nanos(39_956_000))].into();
        let line = "\"a nid=0x7 b\" #1 prio=5 os_prio=0 tid=0x00007f nid=0x2a waiting on condition [0x0]\n";
        let text = timed(
            &format!("Full\n{line}\tat a.B\n\"c\" nid=0x2b runnable\n"),
            &spent,
        );
        assert_eq!(
            text,
            format!(
                "Full\n{}\tat a.B\n\"c\" nid=0x2b runnable\n",
                line.replace(" nid=0x2a", " cpu=39.95ms nid=0x2a")
            )
        );
    }

    /// A dump of a JVM that has called its own thread so.
    fn made_by(release: u32, nid: &str) -> Dump {
        let text = format!(
            "Full thread dump OpenJDK 64-Bit Server VM ({release}.0.1+1 mixed mode):\n\n\"Reference Handler\" #2 daemon prio=10 os_prio=0 tid=0x1 {nid}waiting on condition  [0x1]\n   java.lang.Thread.State: RUNNABLE\n\tat java.lang.ref.Reference.waitForReferencePendingList(Native Method)\n\nJNI global refs: 1\n"
        );
        Dumps::read(&text).dumps.remove(0)
    }

    #[test]
    fn dumps_of_another_jvm_are_not_taken_for_later_ones_of_the_first() {
        let made = [
            (17, "nid=0x7 "),
            (17, "nid=0x9 "),
            (17, ""),
            (17, "nid=0x7 "),
            (21, "nid=0x7 "),
        ];
        let mut saved = Saved::default();
        for (n, (release, nid)) in (0..).zip(made) {
            let at = Some(Nanos(n));
            saved.take(Dump {
                at,
                ..made_by(release, nid)
            });
        }
        let kept = saved.dumps.into_iter();
        let kept: Vec<_> = kept.map(|(made, last)| (made, last.seen)).collect();
        let one = |release, nid, seen| ((Some(release), Some(nid)), seen);
        assert_eq!(kept, [one(17, 9, 2), one(17, 7, 2), one(21, 7, 1)]);
    }

    fn last(times: &[Option<u64>]) -> Vec<Option<u64>> {
        let mut last = Last::default();
        for (&at, fingerprint) in times.iter().zip(1..) {
            last.add(Dump {
                at: at.map(Nanos),
                fingerprint,
                ..Dump::default()
            });
            assert!(last.kept.len() <= 2 * SAVED);
        }
        let dumps = last.into_dumps().into_iter();
        dumps.map(|dump| dump.at.map(|at| at.0)).collect()
    }

    #[test]
    fn a_dump_that_is_given_twice_is_one() {
        let mut last = Last::default();
        for (at, fingerprint) in [(1, 1), (1, 1), (1, 2), (1, 1)] {
            last.add(Dump {
                at: Some(Nanos(at)),
                fingerprint,
                ..Dump::default()
            });
        }
        let kept = last.into_dumps().into_iter();
        let kept: Vec<_> = kept.map(|dump| dump.fingerprint).collect();
        assert_eq!(kept, [1, 2]);
    }

    #[test]
    fn the_last_dumps_count_by_their_clocks_if_all_tell() {
        assert_eq!(last(&[]), []);
        assert_eq!(last(&[Some(7)]), [Some(7)]);
        let times = [Some(9), Some(8), Some(3), Some(4), Some(1)];
        assert_eq!(last(&times), [Some(8), Some(9)]);
        let times = [Some(9), Some(8), None, Some(3), Some(4)];
        assert_eq!(last(&times), [Some(3), Some(4)]);
        assert_eq!(last(&[Some(5), Some(5), Some(5)]), [Some(5), Some(5)]);
    }
}
