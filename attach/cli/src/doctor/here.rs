//! `locklens doctor` without a JVM: what would be in the way of every one that runs here.

use super::{Check, State, as_json, can_watch, write_checks};
use crate::exit::{Exit, Failure};
use crate::record::live;
use crate::terminal;
use locklens_hotspot::{Jvm, Sight, Surroundings, VmKind, list, surroundings};
use rustix::fs::{Access, access};
use serde_json::{Value, json};
use std::env;
use std::io::{self, Write};
use std::path::Path;

/// Looks around and tells. No JVM is touched.
pub(super) fn run(as_text: bool) -> Result<Exit, Failure> {
    let here = surroundings();
    let checks = vec![proc(&here), rights(&here), jvms(&list()), traces()];
    let printed = terminal::print(|out| match as_text {
        true => write_text(&checks, terminal::look().width, out),
        false => write_json(&checks, out),
    })?;
    match can_watch(&checks) {
        true => Ok(printed),
        false => Ok(Exit::AttachFailed),
    }
}

fn proc(here: &Surroundings) -> Check {
    const NAME: &str = "proc";
    match &here.sight {
        Sight::None => Check::new(
            NAME,
            State::No,
            "/proc is not mounted, or is that of another pid namespace: no process can be looked into",
        )
        .hint("mount -t proc proc /proc, in the namespace of this command"),
        Sight::Hidden(option) if !here.lacking.is_empty() => Check::new(
            NAME,
            State::Note,
            format!("/proc is mounted with {option}: JVMs of other users are not seen"),
        )
        .hint("sudo, or the user of the JVM"),
        _ if here.contained => Check::new(
            NAME,
            State::Note,
            "this command runs in a container, or a pid namespace of its own: JVMs outside of it are not seen",
        )
        .hint("outside of it, where those inside are seen, too"),
        _ => Check::new(NAME, State::Fine, "every process of this machine is seen"),
    }
}

fn rights(here: &Surroundings) -> Check {
    const NAME: &str = "rights";
    match (here.lacking.is_empty(), here.uid) {
        (true, _) => Check::new(NAME, State::Fine, "JVMs of every user can be reached"),
        (false, 0) => Check::new(
            NAME,
            State::Note,
            format!(
                "root without {}: JVMs of root only, and those perhaps not",
                here.lacking.join(", ")
            ),
        )
        .hint("a container started with --privileged, or with these rights (--cap-add)"),
        (false, _) => {
            Check::new(NAME, State::Note, "JVMs of this user only").hint("sudo for those of others")
        }
    }
}

fn jvms(jvms: &[Jvm]) -> Check {
    const NAME: &str = "jvms";
    let closed = jvms
        .iter()
        .filter(|jvm| jvm.vm == VmKind::NotPermitted)
        .count();
    let foreign = jvms
        .iter()
        .filter(|jvm| matches!(jvm.vm, VmKind::OpenJ9 | VmKind::Unknown));
    let unfit = jvms
        .iter()
        .filter(|jvm| jvm.vm == VmKind::HotSpot && live::fits(jvm).is_err());
    let (foreign, unfit) = (foreign.count(), unfit.count());
    let open = jvms.len() - closed - foreign - unfit;
    let others = [
        (closed, "of other users"),
        (foreign, "not HotSpot"),
        (unfit, "for another machine or C library than the agent"),
    ];
    let others = others.iter().filter(|(count, _)| *count > 0);
    let others: Vec<String> = others
        .map(|(count, why)| format!("{count} {why}"))
        .collect();
    let others = match others.is_empty() {
        true => String::new(),
        false => format!("; {}", others.join(", ")),
    };
    match (jvms.len(), open) {
        (0, _) => Check::new(NAME, State::Note, "no JVM is seen from here"),
        (_, 0) => Check::new(
            NAME,
            State::No,
            format!("none that is seen can be attached to{others}"),
        )
        .hint("`locklens list` names them, `locklens doctor PID` says why"),
        (_, open) => Check::new(
            NAME,
            State::Fine,
            format!("{open} that may be attached to{others}"),
        ),
    }
}

/// Where a recording goes if nobody says: here, or to the temporary folder.
fn traces() -> Check {
    const NAME: &str = "traces";
    let writable = |folder: &Path| access(folder, Access::WRITE_OK | Access::EXEC_OK).is_ok();
    let temporary = env::temp_dir();
    match (writable(Path::new(".")), writable(&temporary)) {
        (true, _) => Check::new(
            NAME,
            State::Fine,
            "go to the current folder, if nobody says otherwise",
        ),
        (false, true) => Check::new(
            NAME,
            State::Note,
            format!(
                "go to {}: the current folder can't be written",
                temporary.display()
            ),
        ),
        (false, false) => Check::new(
            NAME,
            State::Note,
            format!(
                "can go neither to the current folder nor to {}",
                temporary.display()
            ),
        )
        .hint("-o FILE, or a TMPDIR that can be written"),
    }
}

fn write_text(checks: &[Check], width: usize, out: &mut impl Write) -> io::Result<()> {
    writeln!(out, "This machine, for every JVM:")?;
    write_checks(checks, width, out)?;
    match can_watch(checks) {
        true => writeln!(
            out,
            "Nothing here is in the way: `locklens doctor PID` says it of one JVM."
        ),
        false => writeln!(out, "As things are no JVM can be watched from here."),
    }
}

fn write_json(checks: &[Check], out: &mut impl Write) -> io::Result<()> {
    let all: Vec<Value> = checks.iter().map(as_json).collect();
    let doc = json!({
        "schema": 1,
        "target": null,
        "watch": can_watch(checks),
        "exact": null,
        "checks": all,
    });
    locklens_viz::json::pretty(&doc, out)?;
    writeln!(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn here() -> Surroundings {
        Surroundings {
            uid: 0,
            sight: Sight::All,
            contained: false,
            lacking: Vec::new(),
        }
    }

    #[test]
    fn what_keeps_everybody_from_everything_is_told() {
        let blind = Surroundings {
            sight: Sight::None,
            ..here()
        };
        assert_eq!(proc(&blind).state, State::No);
        assert_eq!(
            (proc(&here()).state, rights(&here()).state),
            (State::Fine, State::Fine)
        );
        assert_eq!(jvms(&[]).state, State::Note);
    }

    #[test]
    fn what_is_not_seen_or_not_reached_is_told() {
        let user = Surroundings {
            uid: 1000,
            sight: Sight::Hidden("hidepid=2".into()),
            lacking: vec!["CAP_KILL"],
            ..here()
        };
        assert!(proc(&user).text.contains("hidepid=2"));
        assert!(rights(&user).text.contains("this user only"));
        let bare = Surroundings {
            contained: true,
            lacking: vec!["CAP_SYS_PTRACE"],
            ..here()
        };
        assert!(proc(&bare).text.contains("container"));
        assert!(rights(&bare).text.contains("CAP_SYS_PTRACE"));
        // Who may do everything sees everything, however it is mounted.
        let hidden = Surroundings {
            sight: Sight::Hidden("hidepid=2".into()),
            ..here()
        };
        assert_eq!(proc(&hidden).state, State::Fine);
    }
}
