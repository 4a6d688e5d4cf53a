//! Places where threads meet or wait for something to open.

use super::super::bench::Returned;
use super::{Attempt, DONE, Did, Subject, truth};
use std::collections::BTreeMap;

/// What is wrong with a barrier.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in super::super) enum MeetingFault {
    None,
    /// Works once.
    Once,
    /// Every other round needs one more.
    Uneven,
    /// Exchanges what two bring.
    Exchanges,
}

/// A barrier.
#[derive(Clone, Debug)]
pub(in super::super) struct Meeting {
    parties: u32,
    fault: MeetingFault,
    arrived: Vec<u32>,
    round: u32,
    came: BTreeMap<usize, (u32, u32)>,
    brought: Vec<Vec<u32>>,
}

impl Meeting {
    pub(in super::super) fn new(parties: u32, fault: MeetingFault) -> Self {
        Self {
            parties,
            fault,
            arrived: Vec::new(),
            round: 0,
            came: BTreeMap::new(),
            brought: Vec::new(),
        }
    }

    fn needed(&self) -> u32 {
        match self.fault {
            MeetingFault::Uneven => self.parties + self.round % 2,
            MeetingFault::Once if self.round > 0 => 1,
            _ => self.parties,
        }
    }

    fn result(&self, round: u32, token: u32) -> Did {
        let others = &self.brought[round as usize];
        let other = others.iter().find(|&&t| t != token);
        match (self.fault, other) {
            (MeetingFault::Exchanges, Some(&other)) => Did::Pass(Returned::Token(other)),
            _ => DONE,
        }
    }
}

impl Subject for Meeting {
    fn names(&self) -> Vec<&'static str> {
        vec!["arrived", "arrive"]
    }

    fn arrive(&mut self, call: &Attempt) {
        if call.name != "arrive" {
            return;
        }
        self.came.insert(call.thread, (self.round, call.token));
        self.arrived.push(call.token);
        if self.arrived.len() as u32 == self.needed() {
            self.round += 1;
            self.brought.push(std::mem::take(&mut self.arrived));
        }
    }

    fn attempt(&mut self, call: &Attempt) -> Did {
        if call.name != "arrive" {
            return Did::Pass(Returned::Number(self.arrived.len() as i64));
        }
        let (round, token) = self.came[&call.thread];
        if round < self.round {
            self.result(round, token)
        } else {
            Did::Wait
        }
    }
}

/// A barrier at which parties register, and leave.
#[derive(Clone, Debug)]
pub(in super::super) struct Registering {
    parties: usize,
    /// One registers for two.
    broken: bool,
    arrived: usize,
    round: u32,
    came: BTreeMap<usize, u32>,
}

impl Registering {
    pub(in super::super) fn new(parties: usize, broken: bool) -> Self {
        Self {
            parties,
            broken,
            arrived: 0,
            round: 0,
            came: BTreeMap::new(),
        }
    }

    fn meet(&mut self) {
        if self.arrived == self.parties {
            self.arrived = 0;
            self.round += 1;
        }
    }
}

impl Subject for Registering {
    fn names(&self) -> Vec<&'static str> {
        vec!["leave", "arrive", "parties", "register"]
    }

    fn arrive(&mut self, call: &Attempt) {
        if call.name == "arrive" {
            self.came.insert(call.thread, self.round);
            self.arrived += 1;
            self.meet();
        }
    }

    fn attempt(&mut self, call: &Attempt) -> Did {
        match call.name {
            "register" => self.parties += if self.broken { 2 } else { 1 },
            "leave" => {
                self.parties = self.parties.saturating_sub(1);
                self.meet();
            }
            "arrive" if self.came[&call.thread] == self.round => return Did::Wait,
            _ => {}
        }
        DONE
    }
}

/// What kind of thing opens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in super::super) enum OpeningKind {
    Latch,
    /// Each thread counts once.
    Votes,
    /// A count-down too many throws.
    Strict,
    /// Another operation shuts it.
    Resettable,
    /// Lets one through and shuts.
    AutoReset,
    /// Another operation lets one through: a queue with an end.
    Fed,
    /// Shuts again after five calls: broken.
    Fickle,
    /// Whoever waits throws now and then: cannot be followed.
    Opaque,
}

/// A latch, or what looks like one.
#[derive(Clone, Debug)]
pub(in super::super) struct Opening {
    left: u32,
    count: u32,
    kind: OpeningKind,
    voted: Vec<usize>,
    calls: u32,
    fed: u32,
}

impl Opening {
    pub(in super::super) fn new(count: u32, kind: OpeningKind) -> Self {
        Self {
            left: count,
            count,
            kind,
            voted: Vec::new(),
            calls: 0,
            fed: 0,
        }
    }

    fn count_down(&mut self, thread: usize) -> Did {
        match self.kind {
            OpeningKind::Strict if self.left == 0 => return Did::Throw,
            OpeningKind::Votes if self.voted.contains(&thread) => return DONE,
            _ => {}
        }
        self.voted.push(thread);
        self.left = self.left.saturating_sub(1);
        DONE
    }

    fn pass(&mut self) -> Did {
        match self.kind {
            OpeningKind::AutoReset => self.left = self.count,
            OpeningKind::Fickle if self.calls.is_multiple_of(5) => self.left = 1,
            OpeningKind::Opaque => return Did::Stuck,
            _ => {}
        }
        DONE
    }
}

impl Subject for Opening {
    fn names(&self) -> Vec<&'static str> {
        match self.kind {
            OpeningKind::Resettable => vec!["down", "await", "isOpen", "reset"],
            OpeningKind::Fed => vec!["down", "await", "isOpen", "feed"],
            _ => vec!["down", "await", "isOpen"],
        }
    }

    fn arrive(&mut self, _call: &Attempt) {
        self.calls += 1;
    }

    fn attempt(&mut self, call: &Attempt) -> Did {
        match call.name {
            "down" => self.count_down(call.thread),
            "await" if self.left == 0 => self.pass(),
            "await" if self.fed > 0 => {
                self.fed -= 1;
                DONE
            }
            "feed" => {
                self.fed += 1;
                DONE
            }
            "await" => Did::Wait,
            "isOpen" => truth(self.left == 0),
            _ => {
                self.left = self.count;
                DONE
            }
        }
    }
}

/// What is wrong with a hand-over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in super::super) enum HandoverFault {
    None,
    /// What the first one brought is handed out twice.
    Twice,
    /// Who puts does not see that somebody took.
    Deaf,
}

/// A queue without room.
#[derive(Clone, Debug)]
pub(in super::super) struct Handover {
    fault: HandoverFault,
    offers: Vec<u32>,
    takers: usize,
    taken: Vec<u32>,
}

impl Handover {
    pub(in super::super) fn new(fault: HandoverFault) -> Self {
        Self {
            fault,
            offers: Vec::new(),
            takers: 0,
            taken: Vec::new(),
        }
    }

    fn put(&mut self, token: u32) -> Did {
        // Who waits already will take it.
        let is_awaited = self.takers >= self.offers.len();
        let taken = self.taken.contains(&token) || is_awaited;
        let hears = self.fault != HandoverFault::Deaf || !token.is_multiple_of(3);
        match taken && hears {
            true => DONE,
            false => Did::Wait,
        }
    }

    fn take(&mut self) -> Did {
        if self.offers.is_empty() {
            return Did::Wait;
        }
        let token = self.offers.remove(0);
        self.takers -= 1;
        self.taken.push(token);
        match self.fault {
            HandoverFault::Twice => Did::Pass(Returned::Token(self.taken[0])),
            _ => Did::Pass(Returned::Token(token)),
        }
    }
}

impl Subject for Handover {
    fn names(&self) -> Vec<&'static str> {
        vec!["put", "takers", "take"]
    }

    fn arrive(&mut self, call: &Attempt) {
        match call.name {
            "put" => self.offers.push(call.token),
            "take" => self.takers += 1,
            _ => {}
        }
    }

    fn attempt(&mut self, call: &Attempt) -> Did {
        match call.name {
            "put" => self.put(call.token),
            "take" => self.take(),
            _ => Did::Pass(Returned::Number(self.takers as i64)),
        }
    }
}

/// Stages of which the third opens it; each call names one, or the next one.
#[derive(Clone, Debug, Default)]
pub(in super::super) struct Stages {
    stage: u8,
    calls: u8,
}

impl Subject for Stages {
    fn names(&self) -> Vec<&'static str> {
        vec!["to 0", "to next", "to 1", "to 2", "await"]
    }

    fn region(&self, operation: u32) -> u32 {
        if operation < 4 { 0 } else { operation }
    }

    fn alternates(&self, name: &str) -> bool {
        name == "to next"
    }

    fn attempt(&mut self, call: &Attempt) -> Did {
        let next = self.calls % 3;
        let to = match call.name {
            "await" if self.stage < 2 => return Did::Wait,
            "await" => return DONE,
            "to next" => {
                self.calls += 1;
                next
            }
            name => name.bytes().last().map_or(0, |n| n - b'0'),
        };
        self.stage = self.stage.max(to);
        DONE
    }
}

/// Two of one kind and one of another meet.
#[derive(Clone, Debug, Default)]
pub(in super::super) struct Molecule {
    came: [u32; 2],
    round: u32,
    waiting: Vec<(usize, u32)>,
}

impl Subject for Molecule {
    fn names(&self) -> Vec<&'static str> {
        vec!["h", "o"]
    }

    fn is_genuine(&self) -> bool {
        true
    }

    fn attempt(&mut self, call: &Attempt) -> Did {
        if let Some(at) = self.waiting.iter().position(|w| w.0 == call.thread) {
            if self.waiting[at].1 == self.round {
                return Did::Wait;
            }
            self.waiting.remove(at);
            return DONE;
        }
        let kind = usize::from(call.name == "o");
        if self.came[kind] == 2 - kind as u32 {
            return Did::Wait;
        }
        self.came[kind] += 1;
        if self.came == [2, 1] {
            self.came = [0, 0];
            self.round += 1;
            return DONE;
        }
        self.waiting.push((call.thread, self.round));
        Did::Wait
    }
}
