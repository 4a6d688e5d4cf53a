//! What opens once may be the end of a thread. A lock that behaves as a latch of count 1 is a
//! JOIN if opening it is the last act of a thread: who waits for it waits for that thread. The lock
//! itself shows nothing of it, only who opens it and what he does afterwards.

use super::ending::{Ending, Endings, Made, made as made_functions, runs_in_turn};
use super::judge::latch;
use super::program::{Method, Program};
use super::survey::Surveyed;
use super::{StaticModel, Subject};
use crate::region::RegionId;
use crate::types::{Detail, Evidence, Hypothesis, LockType, Role};
use locklens_trace::ClassId;
use locklens_trace::code::Op;
use std::collections::{BTreeMap, BTreeSet};

/// Odds of a latch beyond which it could not be told from the end of a thread.
const FULL: f64 = 7.0;
/// What the end of a thread gains over the latch that it goes as, and this loses.
const LAST_ACT: f64 = 2.0;
/// What the end of a thread loses that is none.
const GOES_ON: f64 = 12.0;
/// What is said against a latch that may be an end.
const IS_AN_END: [(f64, &str); 2] = [latch::IS_THREAD, latch::ENDS_TASK];
/// How far the end of a thread is behind the latch that a thread opens last for somebody else.
const PLAINER: f64 = 1.0;
/// How far the end of a thread is behind the latch where nobody knows who opens it.
const UNTOLD: f64 = 2.0;

/// How far the end of a task is before the latch where whoever runs it goes on.
const IN_TURN: f64 = 1.5;

/// What the whole program says of the ends of threads.
#[derive(Clone, Debug)]
pub(super) struct Threads {
    made: Made,
    /// Classes that threads run, that make threads, or that a task makes for itself.
    of_tasks: BTreeSet<ClassId>,
    /// Tasks are run one after the other somewhere.
    in_turn: bool,
}

impl Threads {
    pub(super) fn of(program: &Program) -> Self {
        let all = || program.methods.iter();
        let class = |m: &Method| m.def.class;
        let tasks: BTreeSet<ClassId> = all().filter(|m| is_run(m)).map(class).collect();
        let makers = all().filter(|m| makes_a_thread(m)).map(class);
        let fresh = |m: &Method| m.def.name == "<init>" && tasks.contains(&m.def.class);
        let made = all().filter(|m| fresh(m)).flat_map(|m| {
            let insns = m.code.iter();
            insns.filter_map(|insn| match &insn.op {
                Op::New(class) => program.classes.named(class, Some(m.def.class)),
                _ => None,
            })
        });
        let mut of_tasks: BTreeSet<ClassId> = makers.chain(made).collect();
        of_tasks.extend(&tasks);
        Self {
            made: made_functions(program),
            of_tasks,
            in_turn: runs_in_turn(program),
        }
    }
}

/// Readings, best first, with the ends of threads that they are.
pub(super) fn tell(
    model: &StaticModel,
    mut readings: Vec<(Hypothesis, Evidence)>,
) -> Vec<(Hypothesis, Evidence)> {
    let known: BTreeSet<_> = readings
        .iter()
        .filter_map(|r| awaited(&r.0, Role::Join))
        .collect();
    let mut endings = None;
    let mut ends = Vec::new();
    for (latch, evidence) in readings.iter_mut().filter(|r| opens_once(&r.0)) {
        let waits = awaited(latch, Role::Await).filter(|waits| !known.contains(waits));
        // No task waits for its own end.
        let Some(waits) = waits.filter(|waits| !waits.iter().any(|id| is_in_own_run(model, id)))
        else {
            continue;
        };
        let endings =
            endings.get_or_insert_with(|| Endings::new(&model.program, &model.threads().made));
        let told = match opening(model, endings, latch) {
            Some(Ending::Thread) if is_of_task(model, latch) => end_of_thread(evidence),
            Some(Ending::Thread) => end_or_news(evidence),
            // Who waits for a value does not wait for an end.
            Some(Ending::Unknown) if !latch.details.contains_key("form") => {
                perhaps_an_end(evidence)
            }
            _ => continue,
        };
        ends.push((join(waits), told));
    }
    readings.extend(ends);
    go_on(model, &mut readings);
    run_in_turn(model, &mut readings);
    readings.sort_by(|a, b| b.1.log_odds.total_cmp(&a.1.log_odds));
    readings
}

/// The end of a task is as good as news of it where whoever runs it goes on to the next.
fn run_in_turn(model: &StaticModel, readings: &mut [(Hypothesis, Evidence)]) {
    if !model.threads().in_turn {
        return;
    }
    let mut endings = Endings::new(&model.program, &model.threads().made);
    let mut is_in_turn = |latch: &Hypothesis| {
        let opens = latch.roles.get(&Role::CountDown).into_iter().flatten();
        let mut known = opens.filter_map(|id| model.regions.get(id));
        known.any(|region| endings.is_of_task(region))
    };
    let latches = readings.iter().filter(|r| opens_once(&r.0));
    let in_turn: Vec<_> = latches
        .filter(|r| is_in_turn(&r.0))
        .filter_map(|r| Some((awaited(&r.0, Role::Await)?, r.1.log_odds)))
        .collect();
    for (join, evidence) in readings
        .iter_mut()
        .filter(|r| r.0.lock_type == LockType::Join)
    {
        let waits = awaited(join, Role::Join);
        let latch = in_turn.iter().find(|(of, _)| Some(of) == waits.as_ref());
        if let Some((_, odds)) = latch.filter(|(_, odds)| odds + IN_TURN < evidence.log_odds) {
            evidence.log_odds = odds + IN_TURN;
            let said = "who runs it goes on: that it is over may as well be an event";
            evidence.contra.push(said.to_owned());
        }
    }
}

/// Who opens what is taken for the end of a thread or task, and surely goes on, has only said that he is so far.
fn go_on(model: &StaticModel, readings: &mut [(Hypothesis, Evidence)]) {
    let is_join = |r: &&(Hypothesis, Evidence)| r.0.lock_type == LockType::Join;
    let joined = readings.iter().filter(is_join);
    let joined: BTreeSet<_> = joined.filter_map(|r| awaited(&r.0, Role::Join)).collect();
    let mut endings = Endings::roughly(&model.program, &model.threads().made);
    let mut news = BTreeSet::new();
    for (latch, evidence) in readings.iter_mut().filter(|r| opens_once(&r.0)) {
        let waits = awaited(latch, Role::Await).filter(|waits| joined.contains(waits));
        let Some(waits) = waits else { continue };
        if opening(model, &mut endings, latch) == Some(Ending::Nothing) {
            for (lost, said) in IS_AN_END {
                if evidence.contra.iter().any(|contra| contra == said) {
                    evidence.contra.retain(|contra| contra != said);
                    evidence.log_odds += lost;
                }
            }
            evidence.pro.push("who opens it goes on".to_owned());
            news.insert(waits);
        }
    }
    for (join, evidence) in readings
        .iter_mut()
        .filter(|r| r.0.lock_type == LockType::Join)
    {
        if awaited(join, Role::Join).is_some_and(|waits| news.contains(&waits)) {
            evidence.log_odds -= GOES_ON;
            evidence.refuted = true;
            evidence.contradicted += 1;
            evidence
                .contra
                .push("who ends the waits goes on".to_owned());
        }
    }
}

/// What ends with the opening of a latch.
fn opening(model: &StaticModel, endings: &mut Endings<'_>, latch: &Hypothesis) -> Option<Ending> {
    let opens = latch.roles.get(&Role::CountDown)?.iter();
    let known = |id| model.regions.get(id);
    opens
        .map(|id| known(id).map_or(Ending::Unknown, |r| endings.of(r)))
        .max()
}

/// What is opened is a thread's own: what it runs, the handle that made it, or what its task made for itself. Where it was
/// given to the thread from outside, it may as well be what the thread was to bring about.
fn is_of_task(model: &StaticModel, latch: &Hypothesis) -> bool {
    let opens = latch.roles.get(&Role::CountDown).into_iter().flatten();
    let known = opens.filter_map(|id| model.regions.get(id));
    let class = |r: &Surveyed| model.program.methods[r.method].def.class;
    let classes: BTreeSet<ClassId> = known.map(class).collect();
    !classes.is_disjoint(&model.threads().of_tasks)
}

fn is_run(method: &Method) -> bool {
    (method.def.name.as_str(), method.def.descriptor.as_str()) == ("run", "()V")
}

/// The region lies in the `run()` of the task that is the lock.
fn is_in_own_run(model: &StaticModel, id: &RegionId) -> bool {
    model.regions.get(id).is_some_and(|region| {
        matches!(region.subject, Subject::This(_)) && is_run(&model.program.methods[region.method])
    })
}

fn makes_a_thread(method: &Method) -> bool {
    let makes = |op: &Op| matches!(op, Op::New(class) if class == "java.lang.Thread");
    method.code.iter().any(|insn| makes(&insn.op))
}

fn awaited(hypothesis: &Hypothesis, role: Role) -> Option<BTreeSet<RegionId>> {
    hypothesis.roles.get(&role).cloned()
}

fn opens_once(hypothesis: &Hypothesis) -> bool {
    hypothesis.lock_type == LockType::Latch
        && hypothesis.details.get("count") == Some(&Detail::Count(1))
}

fn join(waits: BTreeSet<RegionId>) -> Hypothesis {
    Hypothesis {
        lock_type: LockType::Join,
        roles: BTreeMap::from([(Role::Join, waits)]),
        details: BTreeMap::new(),
    }
}

/// The evidence for the end of a thread; the latch loses.
fn end_of_thread(latch: &mut Evidence) -> Evidence {
    let mut end = latch.clone();
    end.log_odds += LAST_ACT;
    end.pro
        .push("what opens it is the last act of a thread".to_owned());
    latch.log_odds = latch.log_odds.min(FULL) - LAST_ACT;
    latch.contradicted += 1;
    latch
        .contra
        .push("what opens it is the last act of a thread".to_owned());
    end
}

/// The evidence for the end of a thread where the latch is as good a reading, and the plainer one.
fn end_or_news(latch: &mut Evidence) -> Evidence {
    let said = "what opens it is the last act of a thread, but not its own";
    let mut end = latch.clone();
    latch.log_odds = latch.log_odds.min(FULL);
    latch.contra.push(said.to_owned());
    end.log_odds = latch.log_odds - PLAINER;
    end.pro.push(said.to_owned());
    end
}

/// The evidence for the end of a thread where it is not known what follows.
fn perhaps_an_end(latch: &Evidence) -> Evidence {
    let mut end = latch.clone();
    end.log_odds = end.log_odds.min(FULL) - UNTOLD;
    end.contra
        .push("who opens it, and what he does then, is not known".to_owned());
    end
}
