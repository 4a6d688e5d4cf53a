//! `locklens doctor`: what works on a JVM, what it would cost it, and what is in the way.
//!
//! Everything here is found out without loading anything into the JVM: from `/proc`, and by the attach
//! protocol, which any tool of the JDK uses. Without a JVM [`here`] tells of the machine.

mod here;

use crate::args;
use crate::exit::{Exit, Failure};
use crate::quantity::show_bytes;
use crate::record::live;
use crate::record::signals::Signals;
use crate::target::{self, resolve, user};
use crate::terminal;
use crate::trace::harm::{self, Harm};
use locklens_hotspot::{
    Jvm, Reply, Room, TargetFiles, has_thread, mapped_library, options_of, room,
};
use locklens_viz::{clean, clip, folded};
use serde_json::{Value, json};
use std::fs::File;
use std::io::{self, Write};

/// Whether agents may be loaded while the JVM runs.
const FLAG: &str = "EnableDynamicAgentLoading";
/// The native name of the agent's thread.
const AGENT: &str = "locklens";
/// First JDK that warns when an agent is loaded while it runs (JEP 451).
const WARNING_JDK: u32 = 21;
/// First JDK without biased locking as a rule (JEP 374).
const UNBIASED_JDK: u32 = 15;
/// The check for another recording.
const RECORDER: &str = "recorder";
/// Columns before the text of a check.
const MARGIN: usize = 17;

/// How a check came out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    /// Nothing is in the way.
    Fine,
    /// It works, and something should be known.
    Note,
    /// It does not work.
    No,
}

impl State {
    fn word(self) -> &'static str {
        match self {
            Self::Fine => "ok",
            Self::Note => "note",
            Self::No => "no",
        }
    }
}

/// One thing that was looked at.
#[derive(Debug)]
struct Check {
    name: &'static str,
    state: State,
    text: String,
    hint: Option<String>,
}

impl Check {
    fn new(name: &'static str, state: State, text: impl Into<String>) -> Self {
        Self {
            name,
            state,
            text: text.into(),
            hint: None,
        }
    }

    fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }

    fn failed(name: &'static str, failure: Failure) -> Self {
        Self {
            hint: failure.hint,
            ..Self::new(name, State::No, failure.what)
        }
    }
}

/// `locklens doctor`
pub(crate) fn run(args: &args::Doctor) -> Result<Exit, Failure> {
    let Some(target) = &args.target else {
        return here::run(!args.json);
    };
    let jvm = resolve(target)?;
    let signals = Signals::quitting()?;
    let checks = examine(&jvm, args.buffer, &signals)?;
    let harm = harm::of(&jvm);
    let printed = terminal::print(|out| match args.json {
        true => write_json(&jvm, &checks, &harm, out),
        false => write_text(&jvm, &checks, &harm, terminal::look().width, out),
    })?;
    match can_watch(&checks) {
        true => Ok(printed),
        false => Ok(Exit::AttachFailed),
    }
}

fn can_watch(checks: &[Check]) -> bool {
    checks.iter().all(|check| check.state != State::No)
}

/// Looks at everything. An error only if somebody did not want to wait.
fn examine(jvm: &Jvm, buffer: u64, signals: &Signals) -> Result<Vec<Check>, Failure> {
    let mut checks = Vec::new();
    match live::fits(jvm).and_then(|()| target::enter(jvm, signals)) {
        Ok(door) => match door.execute("printflag", &[FLAG]) {
            Ok(reply) => {
                checks.push(Check::new("attach", State::Fine, "it answers"));
                checks.push(agents(jvm, &reply));
                checks.push(files(jvm));
            }
            Err(error) => {
                let failure = target::not_attached(&error);
                if failure.exit == Exit::Interrupted {
                    return Err(failure);
                }
                checks.push(Check::failed("attach", failure));
            }
        },
        Err(failure) if failure.exit == Exit::Interrupted => return Err(failure),
        Err(failure) => checks.push(Check::failed("attach", failure)),
    }
    checks.push(recorder(jvm));
    checks.push(memory(room(jvm.pid), buffer));
    Ok(checks)
}

/// `flag`: what the JVM answered when it was asked for [`FLAG`], which JDK 8 has not.
fn agents(jvm: &Jvm, flag: &Reply) -> Check {
    const NAME: &str = "agents";
    if flag.text.starts_with(b"-XX:-") {
        return Check::new(NAME, State::No, target::LOADING_IS_OFF)
            .hint("restart it without that option, or `locklens record -- java …`");
    }
    let allowed = format!("-XX:+{FLAG}");
    let quiet = harm::major(jvm).is_none_or(|major| major < WARNING_JDK)
        || options_of(jvm).contains(&allowed)
        || mapped_library(jvm, AGENT).is_some();
    match quiet {
        true => Check::new(NAME, State::Fine, "may be loaded while it runs"),
        false => Check::new(
            NAME,
            State::Note,
            "may be loaded while it runs; the JVM warns of it on its standard error, once",
        )
        .hint(format!("{allowed} at its next start")),
    }
}

fn files(jvm: &Jvm) -> Check {
    const NAME: &str = "files";
    match TargetFiles::create(jvm) {
        Ok(files) if files.suits_libraries() => {
            let path = files.target_path("");
            let folder = path.trim_end_matches('/');
            let parent = folder.rsplit_once('/').map_or("/", |(parent, _)| parent);
            Check::new(
                NAME,
                State::Fine,
                format!("the library can lie in its {parent} meanwhile"),
            )
        }
        Ok(_) => Check::new(
            NAME,
            State::No,
            "it can write nowhere that libraries may be loaded from: full, or mounted noexec",
        )
        .hint("a TMPDIR of the JVM that may hold executables"),
        Err(error) => Check::failed(NAME, target::not_attached(&error)),
    }
}

fn recorder(jvm: &Jvm) -> Check {
    match has_thread(jvm.pid, AGENT) {
        true => Check::new(
            RECORDER,
            State::Note,
            "it has our agent's thread: a recording is going on, and a second one would be refused",
        ),
        false => Check::new(RECORDER, State::Fine, "no other recording"),
    }
}

fn memory(room: Option<Room>, buffer: u64) -> Check {
    const NAME: &str = "memory";
    let Some(room) = room else {
        return Check::new(
            NAME,
            State::Fine,
            "no limit of its control groups is seen from here",
        );
    };
    let (limit, left) = (show_bytes(room.limit), show_bytes(room.left()));
    match room.left() < buffer {
        true => Check::new(
            NAME,
            State::Note,
            format!(
                "{left} left of its {limit}: the agent may take {}",
                show_bytes(buffer)
            ),
        )
        .hint("a smaller --buffer: the kernel ends processes that take more"),
        false => Check::new(NAME, State::Fine, format!("{left} left of its {limit}")),
    }
}

/// What exact recordings would cost, besides time.
fn exact(jvm: &Jvm, harm: &Harm) -> Vec<Check> {
    const NAME: &str = "exact";
    let price = match harm {
        Harm::Cheap(_) => Check::new(NAME, State::Fine, format!("{harm}; {}", harm::DIPS)),
        Harm::Flush(_) | Harm::Maybe(_) => {
            let text = format!(
                "{harm}, unless classes were rewritten before; {}",
                harm::PRICE
            );
            Check::new(NAME, State::Note, text).hint(
                "watching, which rewrites nothing; `locklens agent --help` for JVMs where it shall be cheap",
            )
        }
    };
    let biased = harm::major(jvm).is_some_and(|major| major < UNBIASED_JDK)
        && !options_of(jvm).contains(&"-XX:-UseBiasedLocking".to_owned());
    let biasing = biased.then(|| {
        Check::new(
            NAME,
            State::Note,
            "biased locking: locks that were recorded exactly are never biased again, and stay dearer for good",
        )
    });
    std::iter::once(price).chain(biasing).collect()
}

/// What of it goes beyond watching.
fn beyond(jvm: &Jvm, harm: &Harm) -> Vec<Check> {
    let mut checks = exact(jvm, harm);
    checks.push(vm_probes(jvm));
    checks
}

/// Whether the VM's own probes can be listened to, as far as that is seen from outside.
fn vm_probes(jvm: &Jvm) -> Check {
    const NAME: &str = "vm-probes";
    match own_probes(jvm) {
        Ok(sites) => Check::new(
            NAME,
            State::Fine,
            format!(
                "by its library's file --vm-probes can listen at {sites} places; a trial in it decides"
            ),
        ),
        Err(why) => Check::new(
            NAME,
            State::Note,
            format!("--vm-probes would decline: {why}; it is recorded without"),
        ),
    }
}

/// How many places there are to listen at.
fn own_probes(jvm: &Jvm) -> Result<usize, String> {
    const FLAGS: [&str; 2] = ["-XX:+DTraceMonitorProbes", "-XX:+ExtendedDTraceProbes"];
    let options = options_of(jvm);
    if let Some(option) = options.iter().find(|o| FLAGS.contains(&o.as_str())) {
        return Err(format!("{option}: somebody else may use the probes"));
    }
    let path = mapped_library(jvm, "libjvm.so").ok_or("its library is not found")?;
    let file = File::open(format!("/proc/{}/root{path}", jvm.pid));
    let file = file.map_err(|error| format!("{path}: {error}"))?;
    let points = locklens_libjvm::find(&file).map_err(|refusal| refusal.to_string())?;
    Ok(points.sites.len())
}

fn write_text(
    jvm: &Jvm,
    checks: &[Check],
    harm: &Harm,
    width: usize,
    out: &mut impl Write,
) -> io::Result<()> {
    let version = jvm.version.as_deref().unwrap_or("?");
    let (pid, name) = (jvm.pid, clean(target::name(jvm)));
    let who = format!("JVM {pid}: {name}, {}, user {}", clean(version), user(jvm));
    writeln!(out, "{}", clip(&who, width))?;
    write_checks(checks, width, out)?;
    write_checks(&beyond(jvm, harm), width, out)?;
    let is_taken = |check: &Check| check.name == RECORDER && check.state != State::Fine;
    match can_watch(checks) {
        true if checks.iter().any(is_taken) => writeln!(
            out,
            "It can be watched when that recording has ended: `locklens {pid}`."
        ),
        true => writeln!(
            out,
            "It can be watched: `locklens {pid}`. That rewrites nothing."
        ),
        false => writeln!(out, "It can't be watched as things are."),
    }
}

fn write_checks(checks: &[Check], width: usize, out: &mut impl Write) -> io::Result<()> {
    for check in checks {
        let (state, name) = (check.state.word(), check.name);
        let line = format!("{state:4} {name:10}{}", clean(&check.text));
        writeln!(out, "  {}", folded(&line, MARGIN, width))?;
        if let Some(hint) = &check.hint {
            let line = format!("{:15}try: {}", "", clean(hint));
            writeln!(out, "  {}", folded(&line, MARGIN, width))?;
        }
    }
    Ok(())
}

fn write_json(jvm: &Jvm, checks: &[Check], harm: &Harm, out: &mut impl Write) -> io::Result<()> {
    let (Harm::Cheap(why) | Harm::Flush(why) | Harm::Maybe(why)) = harm;
    let exact = beyond(jvm, harm);
    let checks: Vec<Value> = checks.iter().chain(&exact).map(as_json).collect();
    let doc = json!({
        "schema": 1,
        "target": {
            "pid": jvm.pid.0,
            "user": jvm.user,
            "version": jvm.version,
            "main": jvm.main,
            "container": jvm.container,
        },
        "watch": checks.iter().all(|check| check["state"] != State::No.word()),
        "exact": {"kind": harm.kind(), "why": why},
        "checks": checks,
    });
    locklens_viz::json::pretty(&doc, out)?;
    writeln!(out)
}

fn as_json(check: &Check) -> Value {
    json!({
        "name": check.name,
        "state": check.state.word(),
        "text": check.text,
        "hint": check.hint,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_container_that_is_nearly_full_is_told() {
        let of = |limit, used| memory(Some(Room { limit, used }), 64 << 20).state;
        assert_eq!(of(512 << 20, 100 << 20), State::Fine);
        assert_eq!(of(512 << 20, 500 << 20), State::Note);
        assert_eq!(of(512 << 20, 600 << 20), State::Note, "over its limit");
        assert_eq!(memory(None, 64 << 20).state, State::Fine);
    }
}
