//! Which JVM a PID or a NAME means, and the way into it.

use crate::exit::Failure;
use crate::guess;
use crate::record::signals::Signals;
use crate::terminal;
use locklens_hotspot::{
    AttachError, Door, FindError, Jvm, LoadOutcome, Patience, find, halted, open,
};
use locklens_viz::{clean, clip};
use std::time::Duration;

/// Most JVMs named in an error message.
const NAMED: usize = 12;
/// Longest main class or jar in one.
const LONGEST_NAME: usize = 44;
/// How long a JVM may take to open its door.
const OPENING: Duration = Duration::from_secs(10);
/// Why no agent can be loaded, and that it is the JVM's own doing.
pub(crate) const LOADING_IS_OFF: &str =
    "the JVM loads no agents while it runs (-XX:-EnableDynamicAgentLoading)";

/// The one JVM meant.
pub(crate) fn resolve(target: &str) -> Result<Jvm, Failure> {
    find(target).map_err(|error| unresolved(&error))
}

/// The one JVM meant by a word in the place of a command: where none is called so, it may be a slip.
pub(crate) fn resolve_or_guess(target: &str) -> Result<Jvm, Failure> {
    find(target).map_err(|error| match error {
        FindError::NoMatch { .. } => guess::improve(unresolved(&error), target),
        _ => unresolved(&error),
    })
}

fn unresolved(error: &FindError) -> Failure {
    let failure = Failure::attach(error);
    match error {
        FindError::NoMatch { running, .. } if running.is_empty() => {
            failure.hint("as root, if the JVM belongs to another user; there is none of yours")
        }
        FindError::NoMatch { running, .. } => {
            failure.hint(format!("one of these:\n{}", table(running)))
        }
        FindError::Ambiguous { candidates, .. } => failure.hint(format!(
            "the pid, or more of the name:\n{}",
            table(candidates)
        )),
        FindError::NotAJvm { started, .. } if !started.is_empty() => {
            failure.hint(format!("what it started:\n{}", table(started)))
        }
        _ => failure.hint("'locklens list' shows the JVMs here"),
    }
}

/// A line for each: pid, user, name, and what tells it from those of the same name.
fn table(jvms: &[Jvm]) -> String {
    let shown = &jvms[..jvms.len().min(NAMED)];
    let widest = |cell: fn(&Jvm) -> String| {
        let widths = shown.iter().map(|jvm| cell(jvm).chars().count());
        widths.max().unwrap_or(0)
    };
    let (users, names) = (widest(user), widest(called));
    let mut lines: Vec<_> = shown
        .iter()
        .map(|jvm| {
            let (user, name) = (user(jvm), called(jvm));
            let rest = distinction(jvm, jvms);
            let line = format!("    {:>7}  {user:users$}  {name:names$}  {rest}", jvm.pid.0);
            clip(line.trim_end(), terminal::beside())
        })
        .collect();
    if jvms.len() > NAMED {
        lines.push(format!(
            "    and {} more: locklens list",
            jvms.len() - NAMED
        ));
    }
    lines.join("\n")
}

/// Its arguments from the first one on that not all JVMs of its name have.
fn distinction(jvm: &Jvm, all: &[Jvm]) -> String {
    let namesakes = all.iter().filter(|other| other.main == jvm.main);
    let differs = |at: &usize| {
        namesakes
            .clone()
            .any(|other| other.args.get(*at) != jvm.args.get(*at))
    };
    let from = (0..jvm.args.len()).find(differs).unwrap_or(0);
    let shown = clean(&jvm.args[from..].join(" "));
    match from {
        0 => shown,
        _ => format!("… {shown}"),
    }
}

/// Name of its user, or the number.
pub(crate) fn user(jvm: &Jvm) -> String {
    let user = jvm.user.clone();
    clean(&user.unwrap_or_else(|| jvm.uid.to_string()))
}

fn called(jvm: &Jvm) -> String {
    clip(&clean(name(jvm)), LONGEST_NAME)
}

/// Main class or jar, as far as known.
pub(crate) fn name(jvm: &Jvm) -> &str {
    jvm.main.as_deref().unwrap_or("?")
}

/// Has the JVM listen. A signal ends the waiting; what was made for it is then removed.
pub(crate) fn enter(jvm: &Jvm, signals: &Signals) -> Result<Door, Failure> {
    if let Some(why) = halted(jvm.pid) {
        let pid = jvm.pid;
        terminal::note(format_args!(
            "JVM {pid} is {why}: it answers when it runs again (kill -CONT {pid})"
        ));
    }
    let patience = Patience::unless(OPENING, signals.flag());
    open(jvm, patience).map_err(|error| not_attached(&error))
}

/// An error if nothing can be sent into the JVM: for those who would ask somebody first.
pub(crate) fn takes_agents(jvm: &Jvm, signals: &Signals) -> Result<(), Failure> {
    let door = enter(jvm, signals)?;
    let flag = door.execute("printflag", &["EnableDynamicAgentLoading"]);
    // JDK 8 has no such flag, and whatever else goes wrong shows when the agent is sent.
    let off = flag.is_ok_and(|reply| reply.text.starts_with(b"-XX:-"));
    match off {
        true => Err(not_loaded(&LoadOutcome::DynamicLoadingDisabled)),
        false => Ok(()),
    }
}

/// Attaching failed: what, and what to do about it.
pub(crate) fn not_attached(error: &AttachError) -> Failure {
    let failure = match error {
        AttachError::Interrupted { .. } => Failure::interrupted(error),
        _ => Failure::attach(error),
    };
    failure.hint(error.hint())
}

/// The JVM was asked and did not load the agent.
pub(crate) fn not_loaded(outcome: &LoadOutcome) -> Failure {
    match outcome {
        LoadOutcome::DynamicLoadingDisabled => Failure::attach(LOADING_IS_OFF).hint(
            "restart the target without that option, or record it from its start: `locklens record -- java …`",
        ),
        _ => Failure::attach(format_args!(
            "the JVM did not load the agent: {}",
            reason(outcome)
        )),
    }
}

/// What became of a request to load a library, in words.
pub(crate) fn reason(outcome: &LoadOutcome) -> String {
    match outcome {
        LoadOutcome::Loaded => "it is loaded".to_string(),
        LoadOutcome::AgentRefused { code } => format!("its Agent_OnAttach returned {code}"),
        LoadOutcome::DynamicLoadingDisabled => LOADING_IS_OFF.to_string(),
        LoadOutcome::NotLoaded { reason } => reason.clone(),
        LoadOutcome::Unknown { status, text } => {
            format!("it answered with status {status}: {text:?}")
        }
    }
}
