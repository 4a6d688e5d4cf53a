//! Whether a candidate goes on walks as its machine does.

use super::bench::Bench;
use super::lab::Lab;
use super::measure::Candidate;
use super::spec::{Cast, Machine};
use super::tally::Tally;
use super::walk::{End, walk};

/// Walks that a candidate must survive.
const WALKS: usize = 24;
/// Steps of all walks together, about; long walks need not be as many.
const STEPS: usize = 900;
const FEWEST_WALKS: usize = 10;

/// Times that every kind of prediction must have come true.
const ENOUGH: u32 = 4;

/// Operations in roles that go as a machine does.
#[derive(Clone, Debug)]
pub(super) struct Finding {
    pub(super) machine: Machine,
    pub(super) cast: Cast,
    pub(super) tally: Tally,
}

impl Finding {
    /// The first operation in a role.
    pub(super) fn first(&self, role: crate::types::Role) -> usize {
        let members = self.cast.get(&role).into_iter().flatten();
        members.map(|m| m.operation).next().unwrap_or(0)
    }

    /// How many of its operations wait at times.
    pub(super) fn waiting(&self) -> usize {
        let blocking = self
            .cast
            .iter()
            .filter(|(role, _)| self.machine.spec().blocks(**role));
        let members = blocking.flat_map(|(_, members)| members);
        let waiting = members.filter(|m| m.refusal.is_none()).map(|m| m.operation);
        waiting.collect::<std::collections::BTreeSet<_>>().len()
    }

    /// The operations that have a role.
    pub(super) fn operations(&self) -> std::collections::BTreeSet<usize> {
        self.cast.values().flatten().map(|m| m.operation).collect()
    }
}

/// What came of a candidate.
#[derive(Clone, Debug)]
pub(super) enum Judged {
    Conforms(Finding),
    Refuted(String),
    Inconclusive,
}

/// The first machine of a candidate that it goes as.
pub(super) fn judge<B: Bench>(lab: &Lab<'_, B>, candidate: &Candidate) -> Judged {
    let mut first = None;
    let mut void = false;
    for machine in &candidate.machines {
        match conform(lab, machine, &candidate.cast) {
            Ok(tally) if tally.at_least(ENOUGH, machine.spec().keeps()) => {
                return Judged::Conforms(Finding {
                    machine: machine.clone(),
                    cast: candidate.cast.clone(),
                    tally,
                });
            }
            Err(End::Refuted(at)) => _ = first.get_or_insert(at),
            Err(End::Void) => void = true,
            Ok(_) | Err(_) => return Judged::Inconclusive,
        }
    }
    match first {
        Some(at) if !void => Judged::Refuted(at),
        _ => Judged::Inconclusive,
    }
}

/// Takes all walks; ends with the first that fails.
pub(super) fn conform<B: Bench>(
    lab: &Lab<'_, B>,
    machine: &Machine,
    cast: &Cast,
) -> Result<Tally, End> {
    let steps = machine.spec().extent().steps;
    let walks = (STEPS / steps.max(1)).clamp(FEWEST_WALKS, WALKS);
    let mut all = Tally::default();
    for seed in 0..walks as u64 {
        let (tally, end) = walk(lab, machine, cast, seed);
        all.add(&tally);
        match end {
            None | Some(End::Open) => {}
            Some(end) => return Err(end),
        }
    }
    Ok(all)
}
