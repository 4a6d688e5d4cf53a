//! Where what is found goes: lines on standard output, or beside the program where that has it.

use super::Args;
use crate::exit::Failure;
use crate::terminal::{self, note};
use locklens_inference::deadlock::finding::{Finding, Report, Tier};
use locklens_inference::deadlock::merged::Nesting;
use locklens_viz::deadlocks::guard;
use std::collections::BTreeMap;
use std::io::{self, Write};

/// See the module.
pub(super) struct Voice {
    json: bool,
    /// Standard output is somebody else's.
    beside: bool,
}

impl Voice {
    /// As the flags want it.
    pub(super) fn of(args: &Args) -> Self {
        Self {
            json: args.json,
            beside: !args.launch.is_empty(),
        }
    }

    /// A new cycle, or one that is better proved than it was.
    pub(super) fn cycle(&self, finding: &Finding, before: Option<Tier>) -> Result<(), Failure> {
        self.say(|out| match self.json {
            true => guard::cycle_json(finding, before, out),
            false => guard::cycle(finding, before, out),
        })
    }

    /// A new dependency.
    pub(super) fn dependency(&self, nesting: &Nesting) -> Result<(), Failure> {
        self.say(|out| match self.json {
            true => guard::dependency_json(nesting, out),
            false => guard::dependency(nesting, out),
        })
    }

    /// Everything, at the end.
    pub(super) fn end(
        &self,
        report: &Report,
        facts: &BTreeMap<String, String>,
    ) -> Result<(), Failure> {
        self.say(|out| match self.json {
            true => guard::end_json(report, facts, out),
            false => guard::end(report, facts, terminal::look(), out),
        })
    }

    fn say(&self, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Result<(), Failure> {
        let mut text = Vec::new();
        // Into memory nothing fails.
        let _ = write(&mut text);
        match (self.beside, self.json) {
            (true, true) => terminal::beside_line(&text),
            (true, false) => note(String::from_utf8_lossy(&text).trim_end()),
            (false, _) => drop(terminal::print(|out| out.write_all(&text))?),
        }
        Ok(())
    }
}
