//! `locklens detach`: takes out the probes that a recording left in a JVM.

use super::{Facts, check, counted, fact};
use crate::args::{Detach, Recording};
use crate::embedded;
use crate::exit::{Exit, Failure};
use crate::record::live::{self, Request};
use crate::record::signals::Signals;
use crate::target::{resolve, takes_agents};
use crate::terminal;
use locklens_hotspot::{Jvm, mapped_library};
use locklens_trace::record::target_key as key;
use std::io::Write;

/// The agent's line for it.
const DETACH: &str = "detach 1\n";

/// `locklens detach`
pub(crate) fn run(args: &Detach) -> Result<Exit, Failure> {
    let jvm = resolve(&args.target)?;
    let facts = match mapped_library(&jvm, embedded::FILE_NAME) {
        Some(_) => ask(&jvm)?,
        None => Facts::new(),
    };
    let there = facts.get(key::EXACT_DORMANT).is_some_and(|n| n != "0");
    let said = match there {
        true => format!(
            "original bytes of {} of {} back in {} ms",
            fact(&facts, key::EXACT_RESTORED),
            counted(&facts, key::EXACT_DORMANT, "class"),
            fact(&facts, key::EXACT_RESTORE_MS)
        ),
        false => format!(
            "no probes of this locklens in {}: nothing to take out",
            jvm.pid
        ),
    };
    terminal::print(|out| writeln!(out, "{said}"))?;
    let all = facts.get(key::EXACT_DORMANT) == facts.get(key::EXACT_RESTORED);
    Ok(if all { Exit::Fine } else { Exit::Findings })
}

/// Has the agent do it; what it says of that.
fn ask(jvm: &Jvm) -> Result<Facts, Failure> {
    let signals = Signals::quitting()?;
    takes_agents(jvm, &signals)?;
    let recording = Recording::default();
    let recorded = live::record_as(&Request {
        unnamed: true,
        wishes: Some(DETACH),
        quiet: true,
        ..Request::watching(jvm, &recording, &signals)
    })?;
    Ok(check(recorded)?.facts)
}
