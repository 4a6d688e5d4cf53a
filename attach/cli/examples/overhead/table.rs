//! The figures of all rounds: medians and quartiles.

use crate::arm::Arm;
use crate::caught::Caught;
use crate::run::Sample;
use std::collections::HashMap;
use std::fmt::Write;

/// What was measured so far.
#[derive(Default)]
pub(crate) struct Rows {
    arms: HashMap<Arm, Row>,
    /// Runs that gave no figure, and why the last did not.
    failed: HashMap<Arm, (usize, String)>,
    /// Pieces a second and µs of processor time for each, without a recorder.
    base: Vec<(f64, f64)>,
}

/// One value a round in each.
#[derive(Default)]
struct Row {
    throughput: Vec<f64>,
    processor: Vec<f64>,
    caught: Vec<Caught>,
}

impl Rows {
    /// Takes a round in: ratios against its run without a recorder.
    pub(crate) fn add(&mut self, round: &[(Arm, Sample)]) {
        let Some((_, base)) = round.iter().find(|(arm, _)| *arm == Arm::Nothing) else {
            return;
        };
        self.base.push((base.rate, base.processor_us));
        for (arm, sample) in round {
            let row = self.arms.entry(*arm).or_default();
            row.throughput.push(sample.rate / base.rate);
            row.processor.push(sample.processor_us / base.processor_us);
            row.caught.extend(sample.caught);
        }
    }

    /// Takes note of a run that gave no figure.
    pub(crate) fn failed(&mut self, arm: Arm, why: String) {
        let (times, last) = self.failed.entry(arm).or_default();
        (*times, *last) = (*times + 1, why);
    }

    /// The table.
    pub(crate) fn text(&self, arms: &[Arm]) -> String {
        let mut text = String::from(
            "                       throughput (quartiles)     CPU a piece (quartiles)    caught/s  bytes  chains    says\n",
        );
        for arm in arms {
            if let Some(row) = self.arms.get(arm) {
                // Writing to a string does not fail.
                let _ = writeln!(text, "{:<22} {}", arm.label(), row.text());
            }
            if let Some((times, why)) = self.failed.get(arm) {
                let _ = writeln!(
                    text,
                    "{:<22} no figure in {times} of the runs: {why}",
                    arm.label()
                );
            }
        }
        let of = |field: fn(&(f64, f64)) -> f64| {
            let values: Vec<f64> = self.base.iter().map(field).collect();
            quantile(&values, 0.5).unwrap_or(f64::NAN)
        };
        let _ = writeln!(
            text,
            "with nothing: {:.0} pieces a second, {:.2} µs of CPU a piece",
            of(|base| base.0),
            of(|base| base.1)
        );
        text
    }
}

impl Row {
    fn text(&self) -> String {
        format!(
            "{}   {}  {}",
            ratios(&self.throughput),
            ratios(&self.processor),
            self.caught()
        )
    }

    fn caught(&self) -> String {
        let of = |field: fn(&Caught) -> f64| {
            let values: Vec<f64> = self.caught.iter().map(field).collect();
            quantile(&values, 0.5)
        };
        let Some(rate) = of(|c| c.per_second) else {
            return String::new();
        };
        let bytes: Vec<f64> = self.caught.iter().filter_map(|c| c.bytes_each).collect();
        let bytes = quantile(&bytes, 0.5).map_or(String::new(), |bytes| format!("{bytes:.1}"));
        let chains: Vec<f64> = self.caught.iter().filter_map(|c| c.with_chain).collect();
        let chains =
            quantile(&chains, 0.5).map_or(String::new(), |share| format!("{:.1} %", share * 100.0));
        let says: Vec<f64> = self.caught.iter().filter_map(|c| c.cost).collect();
        let says =
            quantile(&says, 0.5).map_or(String::new(), |cost| format!("{:.2} %", cost * 100.0));
        format!("{rate:>9.0} {bytes:>6} {chains:>7} {says:>7}")
    }
}

fn ratios(values: &[f64]) -> String {
    let at = |q| quantile(values, q).unwrap_or(f64::NAN);
    format!("{:>10.3} ({:.3}-{:.3})", at(0.5), at(0.25), at(0.75))
}

/// Between two values, in proportion.
fn quantile(values: &[f64], q: f64) -> Option<f64> {
    let mut values = values.to_vec();
    values.sort_by(f64::total_cmp);
    let at = values.len().checked_sub(1)? as f64 * q;
    let (below, above) = (values[at.floor() as usize], values[at.ceil() as usize]);
    Some(below + (above - below) * at.fract())
}
