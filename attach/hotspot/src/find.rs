//! From what a user typed to one JVM.

use crate::jvm::{Jvm, NoJvm, Pid, examine};
use crate::list::list;
use crate::process::parent;
use std::iter;

/// Why a name or number is not one JVM.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum FindError {
    /// A number that is no process.
    #[error("process {pid} does not exist")]
    NoSuchPid {
        /// The number.
        pid: Pid,
    },
    /// A process that is no JVM.
    #[error("process {pid} is not a JVM: it has no libjvm.so mapped")]
    NotAJvm {
        /// Its pid.
        pid: Pid,
        /// JVMs that it started, or that those started whom it started.
        started: Vec<Jvm>,
    },
    /// A name no JVM goes by.
    #[error("no JVM is called {name:?}")]
    NoMatch {
        /// The name.
        name: String,
        /// What does run.
        running: Vec<Jvm>,
    },
    /// A name several JVMs go by, or part of the names of several.
    #[error("{} JVMs match {name:?}", candidates.len())]
    Ambiguous {
        /// The name.
        name: String,
        /// Those JVMs.
        candidates: Vec<Jvm>,
    },
}

/// The JVM with this pid, main class (full or simple), jar name, or unique part of one.
pub fn find(target: &str) -> Result<Jvm, FindError> {
    match target.parse() {
        Ok(number) => by_pid(Pid(number)),
        Err(_) => choose(target, list()),
    }
}

fn by_pid(pid: Pid) -> Result<Jvm, FindError> {
    examine(pid).map_err(|why| match why {
        NoJvm::Gone => FindError::NoSuchPid { pid },
        NoJvm::Other => FindError::NotAJvm {
            pid,
            started: started_by(pid),
        },
    })
}

/// Most generations between a process and a JVM it is responsible for: a script, `timeout`, `sudo`.
const GENERATIONS: usize = 16;

fn started_by(pid: Pid) -> Vec<Jvm> {
    let descends = |jvm: &Jvm| {
        let parents = iter::successors(parent(jvm.pid), |&of| parent(of));
        parents.take(GENERATIONS).any(|above| above == pid)
    };
    list().into_iter().filter(descends).collect()
}

/// An exact name wins over part of one, however many JVMs the part would match; the case of letters counts
/// only as long as somebody is called so.
fn choose(name: &str, running: Vec<Jvm>) -> Result<Jvm, FindError> {
    let exact = matching(&running, |main| goes_by(main, name));
    let lower = name.to_lowercase();
    let part = |main: &str| !name.is_empty() && main.contains(name);
    let relaxed = |main: &str| !name.is_empty() && main.to_lowercase().contains(&lower);
    let ways: [&dyn Fn(&str) -> bool; 2] = [&part, &relaxed];
    let mut others = ways.iter().map(|way| matching(&running, way));
    let mut candidates = match exact.is_empty() {
        true => others.find(|found| !found.is_empty()).unwrap_or_default(),
        false => exact,
    };
    match candidates.len() {
        0 => Err(FindError::NoMatch {
            name: name.to_owned(),
            running,
        }),
        1 => Ok(candidates.remove(0)),
        _ => Err(FindError::Ambiguous {
            name: name.to_owned(),
            candidates,
        }),
    }
}

fn matching(running: &[Jvm], fits: impl Fn(&str) -> bool) -> Vec<Jvm> {
    let fits = |jvm: &&Jvm| jvm.main.as_deref().is_some_and(&fits);
    running.iter().filter(fits).cloned().collect()
}

/// Whether `name` is the whole of `main`, its file or class without folder or module, the file
/// without its ending, or the simple class name.
fn goes_by(main: &str, name: &str) -> bool {
    let last = main.rsplit('/').next().unwrap_or(main);
    let stem = [".jar", ".war", ".java"]
        .iter()
        .find_map(|end| last.strip_suffix(end));
    let short = stem.unwrap_or_else(|| last.rsplit('.').next().unwrap_or(last));
    [main, last, short].contains(&name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::VmKind;

    fn jvm(pid: u32, main: &str) -> Jvm {
        Jvm {
            pid: Pid(pid),
            ns_pid: pid,
            uid: 0,
            gid: 0,
            user: None,
            version: None,
            main: (!main.is_empty()).then(|| main.to_owned()),
            args: vec![],
            foreign_namespace: false,
            container: None,
            vm: VmKind::HotSpot,
        }
    }

    fn running() -> Vec<Jvm> {
        let mains = [
            "org.acme.Server",
            "org.acme.ServerTwo",
            "/opt/app-1.2.jar",
            "mod/org.x.Main",
            "",
            "com.acme.Server",
        ];
        (1..).zip(mains).map(|(pid, main)| jvm(pid, main)).collect()
    }

    fn chosen(name: &str) -> Result<u32, FindError> {
        choose(name, running()).map(|jvm| jvm.pid.0)
    }

    #[test]
    fn exact_names_win() {
        for (name, pid) in [
            ("org.acme.Server", 1),
            ("ServerTwo", 2),
            ("app-1.2.jar", 3),
            ("app-1.2", 3),
            ("/opt/app-1.2.jar", 3),
            ("Main", 4),
            ("org.x.Main", 4),
            ("mod/org.x.Main", 4),
        ] {
            assert_eq!(chosen(name), Ok(pid), "{name}");
        }
    }

    #[test]
    fn a_unique_part_is_enough() {
        assert_eq!(chosen("app-"), Ok(3));
        assert_eq!(chosen("com.ac"), Ok(6));
    }

    #[test]
    fn several_are_all_named() {
        let pids = |name| -> Vec<u32> {
            match chosen(name) {
                Err(FindError::Ambiguous { candidates, .. }) => {
                    candidates.iter().map(|j| j.pid.0).collect()
                }
                other => panic!("{other:?}"),
            }
        };
        assert_eq!(
            pids("Server"),
            [1, 6],
            "the exact simple name, not ServerTwo"
        );
        assert_eq!(pids("acme"), [1, 2, 6]);
    }

    #[test]
    fn whose_names_have_a_part_match_and_are_not_called_so() {
        let told = |name| chosen(name).map_err(|error| error.to_string());
        assert_eq!(told("acme"), Err("3 JVMs match \"acme\"".to_owned()));
        assert_eq!(told("Server"), Err("2 JVMs match \"Server\"".to_owned()));
    }

    #[test]
    fn case_does_not_matter_where_nobody_is_called_so() {
        assert_eq!(chosen("servertwo"), Ok(2));
        assert_eq!(chosen("SERVERT"), Ok(2));
        assert_eq!(chosen("Main"), Ok(4), "as before");
    }

    #[test]
    fn none_lists_what_runs() {
        for name in ["nothing", ""] {
            assert!(
                matches!(chosen(name), Err(FindError::NoMatch { running, .. }) if running.len() == 6)
            );
        }
    }

    #[test]
    fn numbers_are_pids() {
        let us = std::process::id();
        assert_eq!(
            find(&us.to_string()),
            Err(FindError::NotAJvm {
                pid: Pid(us),
                started: vec![]
            })
        );
        assert_eq!(
            find("4194304999"),
            Err(FindError::NoSuchPid {
                pid: Pid(4_194_304_999)
            })
        );
    }
}
