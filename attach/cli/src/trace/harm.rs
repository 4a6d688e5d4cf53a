//! What rewriting classes costs a JVM, as far as can be known beforehand, and whether that is accepted.
//!
//! Up to JDK 22 the first retransformation by an agent that came live discards all compiled code of the
//! JVM, because it was compiled without a record of what it depends on. Newer JVMs keep that record
//! (`AlwaysRecordEvolDependencies`), and so does any JVM that had such an agent from its start.

use super::Facts;
use crate::exit::Failure;
use crate::record::signals::Signals;
use crate::terminal::note;
use locklens_hotspot::{Jvm, mapped_library, options_of};
use locklens_trace::record::target_key as key;
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use std::fmt;
use std::io::{self, BufRead, IsTerminal, Write};

/// First JDK that records by itself what compiled code depends on.
const RECORDING_JDK: u32 = 23;

/// How long one look at the keyboard takes: signals are looked at between them.
const LOOK: Timespec = Timespec {
    tv_sec: 0,
    tv_nsec: 50_000_000,
};

/// See the module. Each with the reason.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Harm {
    /// Only code that depends on the classes rewritten is discarded.
    Cheap(String),
    /// All compiled code is discarded.
    Flush(String),
    /// It may have happened already.
    Maybe(String),
}

impl fmt::Display for Harm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (Self::Cheap(why) | Self::Flush(why) | Self::Maybe(why)) = self;
        write!(f, "{}: {why}", self.kind())
    }
}

/// What it would cost this JVM.
pub(crate) fn of(jvm: &Jvm) -> Harm {
    // Ours is not asked for: where it only watched, nothing has been discarded.
    let agent = ["libinstrument.so", "libjdwp.so"];
    let agent = agent
        .into_iter()
        .find(|name| mapped_library(jvm, name).is_some());
    judge(major(jvm), &options_of(jvm), agent)
}

fn judge(major: Option<u32>, words: &[String], agent: Option<&str>) -> Harm {
    let has = |prefix: &str| words.iter().any(|word| word.starts_with(prefix));
    let switched_off = has("-XX:-AlwaysRecordEvolDependencies");
    match major {
        Some(major) if major >= RECORDING_JDK && !switched_off => {
            return Harm::Cheap(format!(
                "JDK {major} knows what its compiled code depends on"
            ));
        }
        None => return Harm::Maybe("its version is not known".to_owned()),
        Some(_) => {}
    }
    let on_standby = |word: &String| word.starts_with("-agentpath:") && word.ends_with("=standby");
    if words.iter().any(on_standby) {
        return Harm::Cheap("our agent was there from the start, on standby".to_owned());
    }
    if has("-agentlib:jdwp") {
        return Harm::Cheap("a debugger's agent was there from the start".to_owned());
    }
    if has("-javaagent:") || has("-agentlib:") || has("-agentpath:") {
        return Harm::Maybe("another agent was there from the start".to_owned());
    }
    match agent {
        Some(name) => Harm::Maybe(format!("{name} was there before")),
        None if switched_off => Harm::Flush("AlwaysRecordEvolDependencies is switched off".to_owned()),
        None => Harm::Flush(
            "this JVM does not know what its compiled code depends on, and no agent was there before".to_owned(),
        ),
    }
}

/// The JDK's major version.
pub(crate) fn major(jvm: &Jvm) -> Option<u32> {
    jvm.version.as_deref().and_then(major_of)
}

/// `17.0.15` → 17, `1.8.0_504` → 8.
fn major_of(version: &str) -> Option<u32> {
    let version = version.strip_prefix("1.").unwrap_or(version);
    version.split(['.', '_', '-', '+']).next()?.parse().ok()
}

/// What discarding everything comes to.
pub(crate) const PRICE: &str = "rewriting classes discards ALL code this JVM has compiled: it runs interpreted at first, \
    in measurements at 1-20 % of its speed for the first second and for 8-40 s until it was as before; \
    and once more, far less, at the end";
/// What discarding a little comes to.
pub(crate) const DIPS: &str = "rewriting discards the compiled code that depends on the classes rewritten, now and again at the end: \
    expect two dips of some seconds";

impl Harm {
    /// The word for it: `cheap`, `flush` or `maybe`.
    pub(crate) fn kind(&self) -> &'static str {
        match self {
            Self::Cheap(_) => "cheap",
            Self::Flush(_) => "flush",
            Self::Maybe(_) => "maybe",
        }
    }

    /// The same, knowing what the agent says of this JVM: only the first rewriting discards everything.
    pub(crate) fn after(self, facts: &Facts) -> Self {
        match (self, facts.contains_key(key::EXACT_BEFORE)) {
            (Self::Flush(_) | Self::Maybe(_), true) => Self::again(),
            (harm, _) => harm,
        }
    }

    /// What it costs once classes of this JVM have been rewritten: only the first time is dear.
    pub(crate) fn again() -> Self {
        Self::Cheap("classes of this JVM have been rewritten before".to_owned())
    }

    /// What it costs, as whoever is to agree is told it.
    pub(crate) fn price(&self) -> String {
        match self {
            Self::Cheap(_) => DIPS.to_owned(),
            Self::Flush(why) => format!("{why}; {PRICE}"),
            Self::Maybe(why) => format!("{why}: it may be cheap; if not, {PRICE}"),
        }
    }

    /// What rewriting would come to, in a line for people.
    pub(crate) fn told(&self) -> String {
        match self {
            Self::Cheap(why) => format!("Rewriting would be cheap: {why}."),
            Self::Flush(why) => format!("Rewriting would discard all compiled code: {why}."),
            Self::Maybe(why) => format!("Rewriting may discard all compiled code: {why}."),
        }
    }

    /// Tells the price, and asks where it is high. An error if the answer is no, or nobody is there;
    /// it says which flag answers beforehand.
    pub(crate) fn accept(&self, yes: bool, flag: &str, signals: &Signals) -> Result<(), Failure> {
        note(self.price());
        let is_cheap = matches!(self, Self::Cheap(_));
        if is_cheap || yes || can_ask() && asked(signals)? {
            return Ok(());
        }
        Err(
            Failure::usage("nothing was rewritten: it would slow this JVM down for a while").hint(
                format!("{flag} to do it all the same, or 'locklens PID', which rewrites nothing"),
            ),
        )
    }
}

/// There is somebody to ask.
fn can_ask() -> bool {
    io::stdin().is_terminal() && io::stderr().is_terminal()
}

/// Asks on a terminal. Ctrl-C is an answer too.
fn asked(signals: &Signals) -> Result<bool, Failure> {
    let stdin = io::stdin();
    let mut answer = String::new();
    // Without a terminal to ask on there is no answer either.
    let _ = write!(io::stderr(), "locklens: go on? [y/N] ");
    while !signals.arrived() {
        let mut answered = [PollFd::new(&stdin, PollFlags::IN)];
        if let Ok(1..) = poll(&mut answered, Some(&LOOK)) {
            let read = stdin.lock().read_line(&mut answer);
            return Ok(read.is_ok() && matches!(answer.trim(), "y" | "Y" | "yes"));
        }
    }
    let _ = writeln!(io::stderr());
    Err(Failure::interrupted("interrupted; nothing was rewritten"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(line: &str) -> Vec<String> {
        line.split(' ').map(str::to_owned).collect()
    }

    #[test]
    fn kinds_of_jvms() {
        let kind = |major, line, agent| judge(major, &words(line), agent).kind();
        assert_eq!(kind(Some(25), "java Main", None), "cheap");
        assert_eq!(
            kind(
                Some(25),
                "java -XX:-AlwaysRecordEvolDependencies Main",
                None
            ),
            "flush"
        );
        assert_eq!(kind(Some(17), "java Main", None), "flush");
        assert_eq!(kind(Some(17), "java -agentlib:jdwp=x Main", None), "cheap");
        assert_eq!(kind(Some(17), "java -javaagent:x.jar Main", None), "maybe");
        assert_eq!(
            kind(Some(8), "java Main", Some("libinstrument.so")),
            "maybe"
        );
        assert_eq!(kind(None, "java Main", None), "maybe");
        let standby = "java -agentpath:/opt/l.so=standby Main";
        assert_eq!(kind(Some(8), standby, None), "cheap");
    }

    #[test]
    fn only_the_first_time_is_dear() {
        let flush = || Harm::Flush("no agent was there".to_owned());
        let before = Facts::from([(key::EXACT_BEFORE.to_owned(), "true".to_owned())]);
        assert!(matches!(flush().after(&before), Harm::Cheap(_)));
        assert_eq!(flush().after(&Facts::new()), flush());
    }

    #[test]
    fn versions() {
        assert_eq!(
            (
                major_of("17.0.15"),
                major_of("1.8.0_504"),
                major_of("25-ea+1")
            ),
            (Some(17), Some(8), Some(25))
        );
    }
}
