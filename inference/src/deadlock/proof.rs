//! How well a kind of deadlock is proved, and which of its choices is the one to tell.

use super::candidates::Cycle;
use super::closure::Force;
use super::finding::{Memory, Tier};
use super::placed::Stand;
use super::weakness::Weakness;

/// The best that was found of one kind of deadlock.
#[derive(Clone, Debug)]
pub(super) struct Best<'s> {
    pub(super) proof: Proof,
    pub(super) cycle: &'s Cycle,
    pub(super) choice: &'s [u32],
    /// Somebody on it gives up.
    pub(super) stall: bool,
    /// Choices that gates and held locks permit.
    pub(super) patterns: u64,
    /// So many have the same names, and nothing else in common.
    pub(super) alike: u64,
    /// Methods with numbers in their names at the places of all of them.
    pub(super) numbered: u64,
    /// Where its threads stand, as far as that is known.
    pub(super) stands: Vec<Stand>,
    /// The same by other threads at other objects.
    pub(super) others: Vec<Self>,
}

impl<'s> Best<'s> {
    pub(super) fn of(proof: Proof, cycle: &'s Cycle, choice: &'s [u32], stall: bool) -> Self {
        Self {
            proof,
            cycle,
            choice,
            stall,
            patterns: 0,
            alike: 1,
            numbered: 0,
            stands: Vec::new(),
            others: Vec::new(),
        }
    }

    /// Who waits for ever comes before who gives up, if anything speaks for it: to give up is the less of the two.
    fn rank(&self) -> (bool, bool, (Tier, bool, bool)) {
        let proof = self.proof.rank();
        (self.proof.tier == Tier::T5, self.stall, proof)
    }

    /// Keeps the better one.
    pub(super) fn or_better(best: Option<Self>, other: Self) -> Self {
        match best {
            Some(best) if best.rank() <= other.rank() => best,
            _ => other,
        }
    }
}

/// How well something is proved.
#[derive(Clone, Copy, Debug)]
pub(super) struct Proof {
    pub(super) tier: Tier,
    /// What keeps it from a better tier.
    pub(super) why: Option<Weakness>,
    /// What was in force when it was found possible, as far as it was.
    pub(super) by: Option<Force>,
}

impl Proof {
    /// With what was in force, and what could be said against it.
    pub(super) fn of(tier: Tier, by: Force, why: Option<Weakness>) -> Self {
        let by = Some(by);
        Self { tier, why, by }
    }

    /// The search for what speaks against it was given up.
    pub(super) fn given_up() -> Self {
        Self {
            tier: Tier::T5,
            why: Some(Weakness::GivenUp),
            by: None,
        }
    }

    /// Those choices that were looked at are excluded, and there are more of them.
    pub(super) fn unlooked() -> Self {
        Self {
            tier: Tier::T5,
            why: Some(Weakness::Unlooked),
            by: None,
        }
    }

    /// Of the same tier, what is proved as far as reads are known comes first, and last what code may put in order.
    pub(super) fn rank(self) -> (Tier, bool, bool) {
        let is_awaited = matches!(self.why, Some(Weakness::Awaited(..)));
        (self.tier, self.memory() != Memory::Permits, is_awaited)
    }

    pub(super) fn memory(self) -> Memory {
        match self.why {
            Some(Weakness::Unrecorded) => Memory::Permits,
            Some(Weakness::Data(_)) => Memory::Orders,
            None if self.tier == Tier::T1 => Memory::Permits,
            _ => Memory::Unjudged,
        }
    }
}
