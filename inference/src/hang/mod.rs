//! Why a JVM hangs now: who waits for whom in thread dumps, and which threads nobody can free any more.
//!
//! The wait-for graph is one of AND and OR ([`wait_for`]): a thread at a monitor waits for its holder, one at a lock that readers
//! hold for all of them, one at a class or a thread that the dump does not name for one of those that it can be. A deadlock is
//! the largest set of threads of which none can be freed from outside. Whoever may be freed in a way that no dump tells (a
//! notify, a permit, a count-down, a result, a time-out) counts as free: what is called T0 is certain, and what is likely
//! besides ([`suspect`]) is called suspected.
//!
//! What a [`Recorded`] run of the same JVM knows besides (who has a permit, who reads, locks that the program has built) is very
//! likely, and never T0.
//!
//! `sample::dump` reads dumps, `scene` puts together what several of them say of each thread, `want` what each one waits for,
//! `idle` who of them has nothing to do, `name`, `tell` and `standing` find the words. Start with [`explain`].

mod carried;
mod idle;
mod kept;
mod name;
mod pools;
mod recorded;
mod scene;
mod standing;
mod stood;
mod suspect;
mod tell;
mod wait_for;
mod want;

use crate::deadlock::finding::{Report, Resource};
use crate::deadlock::sort;
use crate::nesting::graph::ThreadName;
use crate::sample::dump::Dump;
use crate::sample::{State, dump};
pub(crate) use idle::asks_for_task;
pub use recorded::Recorded;
use scene::Scene;
pub use stood::settle;
pub(crate) use stood::stood;

/// What threads are read from.
#[derive(Clone, Copy, Debug, Default)]
pub struct Evidence<'e> {
    /// Thread dumps as `jstack` prints them, of one JVM, the oldest first. Each shows one moment.
    pub dumps: &'e [Dump],
    /// Dumps of `Thread.dump_to_file`, for the virtual threads.
    pub files: &'e [Dump],
    /// The JVM has no virtual threads: it is too old.
    pub without_virtual: bool,
    /// The JVM could have been asked for its virtual threads, and was not.
    pub unasked: bool,
    /// What a recording of that JVM knows.
    pub recorded: Option<&'e Recorded>,
}

const UNASKED: &str = "virtual threads: unknown (--virtual-threads asks the JVM for them; JDK 25 may crash of it, JDK-8364343)";

const LACKS: &str = "the recording does not have every acquisition: who holds what is not known of it ('locklens trace --all-app --juc -- java …' has them)";

/// The first release that has virtual threads, if only when asked for.
const VIRTUAL: u32 = 19;
/// From this release on the JVM begins this thread before the first virtual one is made, and it never ends.
const UNBLOCKED: u32 = 24;
const UNBLOCKER: &str = "VirtualThread-unblocker";

/// No virtual thread was ever made.
fn has_made_none(dump: &Dump) -> bool {
    let tells = dump.release.is_some_and(|release| release >= UNBLOCKED);
    let mut threads = dump.threads.iter().chain(&dump.jvms);
    tells && scene::is_whole(dump) && threads.all(|thread| thread.name != UNBLOCKER)
}

/// What virtual threads run on, are woken by after a time, or when they can read or write; from 21 on, all by these names.
fn is_carrier(name: &str) -> bool {
    let begins = ["VirtualThread-", "ForkJoinPool-"];
    begins.iter().any(|begin| name.starts_with(begin)) || name.contains("-Poller")
}

/// No virtual thread runs, nor will one before a platform thread starts or unparks it.
fn runs_none_virtual(dump: &Dump) -> bool {
    let mut threads = dump.threads.iter().chain(&dump.jvms);
    scene::is_whole(dump) && threads.all(|thread| !is_carrier(&thread.name))
}

impl Evidence<'_> {
    /// There are no virtual threads, as the one who asks knows or the dumps say themselves.
    fn has_none_virtual(&self) -> bool {
        let old = |dump: &Dump| dump.release.is_some_and(|release| release < VIRTUAL);
        let too_old = !self.dumps.is_empty() && self.dumps.iter().all(old);
        self.without_virtual || too_old || self.dumps.last().is_some_and(has_made_none)
    }

    /// None of those that may be there goes on by itself.
    fn runs_none_virtual(&self) -> bool {
        self.dumps.last().is_some_and(runs_none_virtual)
    }

    /// All virtual threads are known, or there are none.
    fn knows_virtual(&self) -> bool {
        let whole = self.files.last().is_some_and(|file| file.complete);
        self.has_none_virtual() || whole
    }
}

/// How the threads stand.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Hang {
    /// Of what.
    pub subject: String,
    /// Dumps of all threads.
    pub dumps: u64,
    /// One of them was cut off: threads are missing.
    pub is_cut: bool,
    /// Threads that run Java code, the JVM's own left out; virtual ones as far as they are known.
    pub threads: u64,
    /// Virtual ones; none: that is not known.
    pub virtual_threads: Option<u64>,
    /// Of so many threads the dumps do not tell what they wait for, or who has it.
    pub untold: u64,
    /// Blocked on a lock.
    pub blocked: u64,
    /// Waiting for something else.
    pub waiting: u64,
    /// Stood elsewhere in another dump.
    pub moved: u64,
    /// Those who hang behind a finding, by its id: the nearest first.
    pub behind: Vec<(String, Vec<Behind>)>,
    /// Locks that threads are blocked on and whose holder is not stuck as far as is known: most threads first.
    pub queues: Vec<Queue>,
    /// Where threads wait in code of the program.
    pub standing: Vec<Standing>,
    /// No thread of the program runs, as far as the dumps show all.
    pub still: bool,
    /// Pools of which every thread waits in a task.
    pub starved: Vec<Starved>,
    /// Virtual threads that stand on their carriers.
    pub carriers: Carriers,
}

/// Carriers of virtual threads that have not run between the dumps, and how many others of them there are.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Carriers {
    /// Whom they carry.
    pub standing: Vec<Carried>,
    /// Those that carry nobody, or have run.
    pub others: u64,
}

/// A virtual thread that stands on its carrier.
#[derive(Clone, Debug, PartialEq)]
pub struct Carried {
    /// The carrier.
    pub carrier: ThreadName,
    /// The virtual thread; its name may not be known.
    pub thread: ThreadName,
    /// Where it stands, if a dump tells.
    pub at: Vec<String>,
}

/// Threads that wait for the same at the same place.
#[derive(Clone, Debug, PartialEq)]
pub struct Standing {
    /// The threads.
    pub threads: Vec<ThreadName>,
    /// What for: the first one's, if they are not all at one object.
    pub wants: Resource,
    /// Objects that they are at, as far as these are known.
    pub objects: usize,
    /// Where.
    pub at: Vec<String>,
    /// They give up after a while.
    pub timed: bool,
}

/// What the tasks of a pool wait for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Awaited {
    /// The result of a task.
    Result,
    /// Something else that others do.
    Deed,
    /// The end of a pool.
    End,
}

/// A pool of which every thread waits in a task, or many such pools alike. Whose results these are, or who is to end the wait, no dump says.
#[derive(Clone, Debug, PartialEq)]
pub struct Starved {
    /// Their threads.
    pub threads: Vec<ThreadName>,
    /// How many pools these are.
    pub pools: usize,
    /// In which method of the JDK.
    pub method: String,
    /// What for.
    pub awaited: Awaited,
    /// Who of the others could give the results.
    pub others: Vec<Other>,
    /// Threads of pools that wait for this one, or for each other, in the same way.
    pub together: Vec<ThreadName>,
}

/// A thread that goes on beside a pool of which all wait.
#[derive(Clone, Debug, PartialEq)]
pub struct Other {
    /// The thread.
    pub thread: ThreadName,
    /// What it does.
    pub state: State,
    /// It runs, or is in a task of its own: not only asleep for a while.
    pub busy: bool,
}

impl Starved {
    /// Somebody else runs, or has a task, and may be who gives the results.
    #[must_use]
    pub fn is_doubtful(&self) -> bool {
        self.others.iter().any(|other| other.busy)
    }
}

/// A thread that hangs behind a deadlock.
#[derive(Clone, Debug, PartialEq)]
pub struct Behind {
    /// The thread.
    pub thread: ThreadName,
    /// What it wants.
    pub wants: Resource,
    /// Where.
    pub wants_at: Vec<String>,
    /// Who would have to give it.
    pub by: ThreadName,
}

/// Threads blocked on one lock.
#[derive(Clone, Debug, PartialEq)]
pub struct Queue {
    /// The lock.
    pub lock: Resource,
    /// The threads.
    pub threads: Vec<ThreadName>,
    /// Who holds it, if that is known.
    pub holder: Option<Holder>,
    /// If it is not: who did when the recording ended.
    pub held_last: Option<ThreadName>,
    /// Who has it no dump tells: readers, or whoever has a stamp.
    pub anonymous: bool,
}

/// Who holds what others are blocked on.
#[derive(Clone, Debug, PartialEq)]
pub struct Holder {
    /// The thread.
    pub thread: ThreadName,
    /// What it does.
    pub state: State,
    /// Where.
    pub at: Vec<String>,
    /// It waits for the next task of its pool.
    pub idle: bool,
    /// It is in this method of the JDK's, in native code.
    pub native: Option<String>,
    /// That it holds it a recording has read off the lock when it ended; no dump says so.
    pub read: bool,
}

/// Why the threads hang, if they do.
#[must_use]
pub fn explain(evidence: &Evidence<'_>) -> Report {
    let scene = Scene::of(evidence);
    let wants = want::wants(&scene, evidence.recorded, !evidence.dumps.is_empty());
    let stuck = wait_for::stuck(&wants);
    let held = held_for_good(&scene, &wants, &stuck);
    let mut report = Report {
        hang: Some(tell::hang(&scene, &wants, &stuck, evidence)),
        notes: notes(&scene, &wants, evidence),
        ..Report::default()
    };
    tell::findings(&scene, &wants, (&stuck, &held), &mut report);
    standing::abandoned(&scene, &wants, evidence, &mut report);
    kept::findings(&scene, &wants, evidence, &mut report);
    suspect::findings(&scene, &wants, &stuck, &mut report);
    pools::findings(&scene, &wants, &mut report);
    standing::unheld(&scene, &wants, &mut report);
    sort(&mut report.findings);
    report
}

/// Those of the stuck whom neither an interrupt frees nor a release by somebody else, nor an initialiser of another class of the same
/// name, and who had not been woken already when they were looked at. Who is stuck interrupts nobody.
fn held_for_good(scene: &Scene, wants: &[Option<want::Want>], stuck: &[bool]) -> Vec<bool> {
    let mut program = (0..stuck.len()).filter(|&ix| !scene.seats[ix].of_jvm);
    // A virtual thread that nobody carries or wakes interrupts nobody either.
    let all_known = scene.whole && (scene.virtual_known || scene.no_carrier);
    let interrupted = !all_known || program.any(|ix| !stuck[ix]);
    let any = scene.seats.iter().any(|seat| seat.recorded);
    let recorded = |want: &want::Want| {
        let mut providers = want.providers().iter();
        want.read || want.recorded.is_some() || any && providers.any(|&ix| scene.seats[ix].recorded)
    };
    let initialisers = want::may_initialise(scene);
    let stays = wants.iter().map(|want| {
        let stays = |want: &&want::Want| {
            let woken = scene.once && want.may_have_come();
            !(want.of_anybody || recorded(want) || woken || interrupted && want.interruptible)
        };
        let want = want.clone().filter(|want| stays(&want))?;
        match want.shape {
            want::Shape::Init(Some(_)) => want.by_any(initialisers.as_ref()?),
            _ => Some(want),
        }
    });
    wait_for::stuck(&stays.collect::<Vec<_>>())
}

fn is_cut(evidence: &Evidence<'_>) -> bool {
    let mut all = evidence.dumps.iter().chain(evidence.files);
    all.any(|dump| !dump.complete)
}

/// What the dumps cannot tell.
fn notes(scene: &Scene, wants: &[Option<want::Want>], evidence: &Evidence<'_>) -> Vec<String> {
    let mut notes = Vec::new();
    let without_owners = evidence.dumps.iter().any(|dump| !dump.owners);
    let unowned = |want: &&want::Want| want.is_lock() && want.providers.is_none() && !want.read;
    if without_owners && wants.iter().flatten().any(|want| unowned(&want)) {
        notes.push("the dump does not say who owns locks of java.util.concurrent: jstack -l, jcmd Thread.print -l do".to_owned());
    }
    notes.extend(virtual_threads(scene, wants, evidence));
    notes.extend(stateless(scene, evidence));
    if evidence.recorded.is_some_and(|recorded| recorded.lacks) {
        notes.push(LACKS.to_owned());
    }
    if evidence.dumps.len() + evidence.files.len() == 1 {
        notes.push("one dump: whether threads blocked behind others move on, a second one some seconds later tells".to_owned());
    }
    let unread: u64 = evidence.dumps.iter().map(|dump| dump.unread).sum();
    if unread > 0 {
        notes.push("threads of a dump could not be read: who waits for the end of a thread may wait for one of these".to_owned());
    }
    if is_cut(evidence) {
        notes.push("a dump was cut off: threads are missing".to_owned());
    }
    notes
}

fn virtual_threads(
    scene: &Scene,
    wants: &[Option<want::Want>],
    evidence: &Evidence<'_>,
) -> Option<String> {
    if evidence.has_none_virtual() {
        return None;
    }
    if evidence.files.is_empty() {
        let said = match evidence.unasked {
            true => UNASKED,
            false => "virtual threads are in no such dump: what they hold or wait for is unknown",
        };
        return Some(said.to_owned());
    }
    let n = untold_virtual(scene, wants);
    (n > 0).then(|| {
        let threads = if n == 1 { "thread" } else { "threads" };
        format!("of {n} virtual {threads} the JVM does not tell what they wait for, or who owns it: unknown. A recording knows more of those that begin to block during it: locklens record")
    })
}

/// That dumps have call chains and nothing else, as those in JSON of older JVMs.
fn stateless(scene: &Scene, evidence: &Evidence<'_>) -> Option<String> {
    let n = mute(scene, evidence);
    (n > 0).then(|| {
        let threads = if n == 1 { "thread" } else { "threads" };
        format!("of {n} {threads} the dump has call chains and nothing else, as JSON dumps of JDK 21 to 24 do: whether they wait, what for and who has it is unknown. 'jcmd PID Thread.print -l', or 'locklens deadlocks PID' while the JVM is there, tell it")
    })
}

/// Platform threads of the program of which the only dumps there are do not say whether they wait.
fn mute(scene: &Scene, evidence: &Evidence<'_>) -> u64 {
    let of = |seat: &&scene::Seat| {
        !seat.of_jvm && !seat.thread.is_virtual && seat.thread.state == State::Unknown
    };
    match evidence.dumps.is_empty() {
        true => scene.seats.iter().filter(of).count() as u64,
        false => 0,
    }
}

/// Threads of which the dumps do not tell what they wait for, or who has it.
fn untold(scene: &Scene, wants: &[Option<want::Want>], evidence: &Evidence<'_>) -> u64 {
    untold_virtual(scene, wants) + mute(scene, evidence)
}

/// Virtual threads of which the JVM does not tell what they wait for, or who has it.
fn untold_virtual(scene: &Scene, wants: &[Option<want::Want>]) -> u64 {
    let of = |ix: &usize| scene.seats[*ix].thread.is_virtual;
    let all = (0..scene.seats.len()).filter(of);
    let unknown = |ix: &usize| match &wants[*ix] {
        Some(want) => want.is_lock() && want.providers.is_none(),
        None => scene.seats[*ix].thread.state == State::Unknown,
    };
    all.filter(unknown).count() as u64
}

/// Names of a thread as a dump has it.
fn called(thread: &dump::Thread) -> ThreadName {
    ThreadName {
        name: thread.name.clone(),
        tid: thread.tid,
    }
}

#[cfg(test)]
mod idle_tests;
#[cfg(test)]
mod join_tests;
#[cfg(test)]
mod pools_tests;
#[cfg(test)]
mod standing_tests;
#[cfg(test)]
mod suspect_tests;
#[cfg(test)]
mod tests;
