//! The panels below the timelines: who blocked whom, which locks are taken inside which, and pressure over time.
//!
//! Each has data of its own, made here from what other commands print; call chains stand in one list for all of them.

use super::data::{Texts, tame};
use super::{nesting, pressure, tree};
use locklens_inference::contention::Blame;
use locklens_inference::contention::cells::Cells;
use locklens_inference::model::Model;
use locklens_inference::nesting::graph::Graph;
use locklens_inference::pressure::model::Pressure;
use serde_json::{Value, json as value};
use std::collections::HashMap;

/// What the panels show.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Panels {
    /// All blocked time.
    pub blame: Blame,
    /// The same by every aspect.
    pub cells: Cells,
    /// Which locks are taken inside which.
    pub nesting: Graph,
    /// How much locks kept threads from running, and when.
    pub pressure: Pressure,
}

impl Panels {
    pub(super) fn data(&self, model: &Model) -> Value {
        let mut chains = Chains::default();
        let mut data = value!({
            "pid": model.target.get("pid"),
            "tree": tree::data(&self.blame, &self.cells, &mut chains),
            "nesting": nesting::data(&self.nesting, model, &mut chains),
            "pressure": pressure::data(&self.pressure, model, &mut chains),
        });
        data["chains"] = chains.all.into();
        data["texts"] = value!(chains.texts.all);
        tame(&mut data);
        data
    }
}

/// Call chains by number, each once: whether more frames are missing at its outer end, and its frames as numbers of texts.
#[derive(Default)]
pub(super) struct Chains {
    texts: Texts,
    all: Vec<Value>,
    known: HashMap<(bool, Vec<usize>), usize>,
}

impl Chains {
    pub(super) fn code(&mut self, frames: &[String], cut: bool) -> usize {
        let frames: Vec<usize> = frames.iter().map(|frame| self.texts.code(frame)).collect();
        let next = self.all.len();
        let told = value!([u32::from(cut), frames]);
        let code = *self.known.entry((cut, frames)).or_insert(next);
        if code == next {
            self.all.push(told);
        }
        code
    }
}
