//! Which JVM a PID or a NAME means.

use crate::exit::Failure;
use locklens_hotspot::{AttachError, FindError, Jvm, LoadOutcome, find};

/// Most JVMs named in an error message.
const NAMED: usize = 12;

/// The one JVM meant.
pub(crate) fn resolve(target: &str) -> Result<Jvm, Failure> {
    find(target).map_err(|error| unresolved(&error))
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
        _ => failure.hint("'locklens list' shows the JVMs here"),
    }
}

fn table(jvms: &[Jvm]) -> String {
    let mut lines: Vec<_> = jvms
        .iter()
        .take(NAMED)
        .map(|jvm| format!("    {:>7}  {}", jvm.pid.0, name(jvm)))
        .collect();
    if jvms.len() > NAMED {
        lines.push(format!(
            "    and {} more: locklens list",
            jvms.len() - NAMED
        ));
    }
    lines.join("\n")
}

/// Main class or jar, as far as known.
pub(crate) fn name(jvm: &Jvm) -> &str {
    jvm.main.as_deref().unwrap_or("?")
}

/// Attaching failed: what, and what to do about it.
pub(crate) fn not_attached(error: &AttachError) -> Failure {
    Failure::attach(error).hint(error.hint())
}

/// The JVM was asked and did not load the agent.
pub(crate) fn not_loaded(outcome: &LoadOutcome) -> Failure {
    let failure = Failure::attach(format_args!(
        "the JVM did not load the agent: {}",
        reason(outcome)
    ));
    match outcome {
        LoadOutcome::DynamicLoadingDisabled => failure.hint(
            "restart the target without -XX:-EnableDynamicAgentLoading, or record it from its start: `locklens record -- java …`",
        ),
        _ => failure,
    }
}

/// What became of a request to load a library, in words.
pub(crate) fn reason(outcome: &LoadOutcome) -> String {
    match outcome {
        LoadOutcome::Loaded => "it is loaded".to_string(),
        LoadOutcome::AgentRefused { code } => format!("its Agent_OnAttach returned {code}"),
        LoadOutcome::DynamicLoadingDisabled => {
            "loading agents is switched off (-XX:-EnableDynamicAgentLoading)".to_string()
        }
        LoadOutcome::NotLoaded { reason } => reason.clone(),
        LoadOutcome::Unknown { status, text } => {
            format!("it answered with status {status}: {text:?}")
        }
    }
}
