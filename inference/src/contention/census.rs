//! What the first pass over a trace must learn: which locks probes tell of, and what contention alone is worth
//! as evidence of who holds each of the others.

use super::evidence::{Evidence, Saw, Stands, Stretch, Trust};
use super::follow::AllReasons;
use super::sign::Sign;
use super::stay::Chain;
use crate::collect::FastHash;
use crate::in_time::Queue;
use crate::nesting::Scout;
use locklens_trace::record::{Owner, target_key};
use locklens_trace::{Event, EventKind, LockId, Record, ThreadId};
use std::collections::{BTreeMap, HashMap, HashSet};

/// Looks at every record of the first pass.
#[derive(Debug, Default)]
pub struct Census {
    scout: Scout,
    queue: Queue<Sign>,
    /// Nothing is exact so far: exits are then told by the VM's own probes, those that wake somebody.
    exits: bool,
    /// Virtual threads: nobody looks for them.
    unlooked: HashSet<ThreadId, FastHash>,
    locks: HashMap<LockId, (Evidence, Trust), FastHash>,
}

/// What it has learnt.
#[derive(Debug, Default)]
pub struct Findings {
    pub(super) scout: Scout,
    pub(super) reasons: AllReasons,
    /// Where each thread was seen at a lock, and how often.
    pub(super) stands: BTreeMap<LockId, Stands>,
}

impl Census {
    /// Takes in the next record.
    pub fn see(&mut self, record: &Record) {
        self.scout.see(record);
        match record {
            Record::Target(facts) => {
                let exact = facts.iter().find(|(key, _)| key == target_key::EXACT);
                self.exits = exact.map_or(self.exits, |(_, said)| said == "false");
            }
            Record::Thread(thread) if thread.is_virtual => {
                self.unlooked.insert(thread.id);
            }
            Record::Event(event) if self.is_evidence(event) => {
                let due = self.queue.push(Sign::Event(*event));
                self.learn(due);
            }
            Record::Held(held) => {
                let due = self.queue.push(Sign::Look(*held));
                self.learn(due);
            }
            Record::Tick(tick) => {
                let due = self.queue.until(tick.at);
                self.learn(due);
            }
            _ => {}
        }
    }

    /// Ends the pass.
    #[must_use]
    pub fn finish(mut self) -> Findings {
        let rest = self.queue.rest();
        self.learn(rest);
        let reasons = self.reasons();
        let locks = self.locks.into_iter();
        Findings {
            scout: self.scout,
            reasons,
            stands: locks.map(|(id, (_, trust))| (id, trust.stands())).collect(),
        }
    }

    /// What it has learnt, while the pass goes on.
    pub(super) fn so_far(&self) -> Findings {
        let locks = self.locks.iter();
        let stands = locks.map(|(&id, (_, trust))| (id, trust.clone().stands()));
        Findings {
            scout: self.scout.clone(),
            reasons: self.reasons(),
            stands: stands.collect(),
        }
    }

    fn reasons(&self) -> AllReasons {
        let locks = self.locks.iter();
        let reasons = locks.map(|(&id, (evidence, trust))| {
            let by_now = evidence.test_so_far(trust);
            (id, by_now.as_ref().unwrap_or(trust).judge())
        });
        reasons.collect()
    }

    fn is_evidence(&self, event: &Event) -> bool {
        match event.kind {
            EventKind::Enter
            | EventKind::Entered
            | EventKind::Wait { .. }
            | EventKind::Waited { .. } => true,
            EventKind::Exit => self.exits,
            _ => false,
        }
    }

    fn learn(&mut self, signs: Vec<Sign>) {
        for sign in signs {
            match sign {
                Sign::Event(event) => {
                    if let Some(lock) = event.lock {
                        let (evidence, trust) = self.locks.entry(lock).or_default();
                        if event.kind == EventKind::Enter {
                            trust.comes(!self.unlooked.contains(&event.thread));
                        }
                        learn(&event, evidence, trust);
                    }
                }
                Sign::Look(held) => {
                    if let Some((evidence, _)) = self.locks.get_mut(&held.lock) {
                        evidence.sighted(&held);
                    }
                }
            }
        }
    }
}

fn learn(event: &Event, evidence: &mut Evidence, trust: &mut Trust) {
    let Event { at, thread, .. } = *event;
    let known = trust.so_far();
    let stretch: Option<Stretch> = match event.kind {
        EventKind::Enter => {
            let saw = Saw::of(event.owner);
            saw.into_iter().for_each(|saw| evidence.score(saw, trust));
            Some(evidence.enter(at, thread, saw, &known))
        }
        EventKind::Entered => Some(evidence.entered(at, thread, &known)),
        EventKind::Wait { .. } => Some(evidence.wait(at, thread, &known)),
        EventKind::Waited { .. } => evidence.waited(at, thread, &known),
        EventKind::Exit => evidence.exit(at, thread, &known),
        _ => return,
    };
    if let Some(stretch) = stretch {
        evidence.test(&stretch, trust);
    }
    let chain = event.stack.map(|stack| match event.kind {
        EventKind::Wait { .. } => Chain::inside(stack),
        _ => Chain::at_end(stack),
    });
    let has_place = !matches!(event.kind, EventKind::Entered | EventKind::Exit);
    let chain = chain.filter(|_| has_place);
    chain
        .into_iter()
        .for_each(|chain| trust.stand(thread, chain));
    trust.meet(thread);
    if let Owner::Thread(owner) = event.owner {
        trust.meet(owner);
    }
}
