//! What a recording took of its target, and what was given up to keep that small, in a sentence each.

use crate::text::{count, many, time};
use locklens_trace::Nanos;
use locklens_trace::cost::{Concession, Cost, Slices, Step};
use locklens_trace::record::target_key as key;
use serde_json::{Value, json};
use std::collections::BTreeMap;

type Facts = BTreeMap<String, String>;

/// Steps that are told.
const SHOWN: usize = 4;
/// A step that was followed by another one within such a time is passed over.
const BRIEF: Nanos = Nanos(1_000_000_000);

/// What it took; none if the trace does not say.
#[must_use]
pub fn cost(facts: &Facts) -> Option<String> {
    let cost = Cost::parse(facts.get(key::OVERHEAD_COST)?)?;
    let limit = match most(facts) {
        None => String::new(),
        Some(most) if cost.share(cost.total()) > most => {
            format!("; MORE than the {} it was to cost at most", share(most))
        }
        Some(most) if facts.contains_key(key::OVERHEAD_STEPS) => {
            format!("; {} was the most", share(most))
        }
        Some(most) => format!("; {} was the most, and nothing was given up", share(most)),
    };
    Some(format!("Cost: about {}{limit}.", parts(&cost)))
}

fn parts(cost: &Cost) -> String {
    let of = |time| share(cost.share(time));
    let base = match cost.is_of_one_processor() {
        true => "of one processor",
        false => "of what the program took of the processors",
    };
    format!(
        "{} {base} (events {}, their call chains {}, agent thread {})",
        of(cost.total()),
        of(cost.events),
        of(cost.chains),
        of(cost.thread)
    )
}

fn most(facts: &Facts) -> Option<f64> {
    let parts: u64 = facts.get(key::OVERHEAD_MOST)?.parse().ok()?;
    Some(parts as f64 / 1e6)
}

/// What was given up for it; none if nothing was.
#[must_use]
pub fn given_up(facts: &Facts) -> Option<String> {
    let steps = steps(facts.get(key::OVERHEAD_STEPS)?);
    let lasting = lasting(&steps);
    let shown = lasting.iter().take(SHOWN);
    let mut said: Vec<_> = shown.map(|step| concession(step)).collect();
    let more = facts
        .get(key::OVERHEAD_MORE_STEPS)
        .and_then(|n| n.parse().ok());
    let more = lasting.len().saturating_sub(SHOWN) as u64 + more.unwrap_or(0);
    if more > 0 {
        said.push(format!(
            "and {} (`locklens info` has them)",
            many(more, "more step")
        ));
    }
    (!said.is_empty()).then(|| format!("Given up, to cost no more: {}.", said.join("; ")))
}

fn steps(text: &str) -> Vec<Concession> {
    text.lines().filter_map(Concession::parse).collect()
}

/// Without those that were on the way to others.
fn lasting(steps: &[Concession]) -> Vec<&Concession> {
    let next = steps.iter().skip(1).map(Some).chain([None]);
    let pairs = steps.iter().zip(next);
    let lasts = pairs.filter(|(step, next)| next.is_none_or(|next| next.at.since(step.at) > BRIEF));
    lasts.map(|(step, _)| step).collect()
}

fn concession(step: &Concession) -> String {
    let from = time(step.at);
    match step.step {
        Step::Nothing => format!("from {from} on nothing more"),
        Step::Depth(_) => format!("from {from} on {}", frames(step)),
        Step::Chains(_) => format!("from {from} on {}, {}", frames(step), chains(step)),
        Step::PerLock => format!(
            "from {from} on {}, only chains that are new to their lock ({})",
            frames(step),
            chains(step)
        ),
        Step::Slices => format!(
            "from {from} on events outside of time slices, {}, only chains that are new to their lock ({})",
            frames(step),
            chains(step)
        ),
    }
}

fn frames(step: &Concession) -> String {
    format!("frames beyond {}", step.frames)
}

fn chains(step: &Concession) -> String {
    match (step.begun, step.chained) {
        (0, _) => "no event since".to_owned(),
        (_, 0) => "no event has one".to_owned(),
        (begun, chained) => format!("of 1 event in {}", count((begun / chained).max(1))),
    }
}

/// `1.04%`, `12%`.
pub(crate) fn share(share: f64) -> String {
    let percent = share * 100.0;
    match percent {
        0.0..9.95 => format!("{percent:.2}%"),
        _ => format!("{percent:.0}%"),
    }
}

/// A fact of the trace for `info`.
pub(crate) fn value(name: &str, text: &str) -> Option<String> {
    match name {
        key::OVERHEAD_COST => Cost::parse(text).map(|cost| parts(&cost)),
        key::OVERHEAD_MOST => text
            .parse()
            .ok()
            .map(|parts: u64| share(parts as f64 / 1e6)),
        key::OVERHEAD_STEPS => {
            let lines: Vec<_> = steps(text).iter().map(concession).collect();
            Some(lines.join("\n"))
        }
        key::OVERHEAD_SLICES => Slices::parse(text).map(|slices| {
            format!(
                "{}, {} altogether",
                many(slices.pauses, "time"),
                time(slices.off)
            )
        }),
        _ => None,
    }
}

/// The same as JSON: null where there is nothing.
pub(crate) fn json(facts: &Facts) -> Value {
    let Some(cost) = facts
        .get(key::OVERHEAD_COST)
        .and_then(|text| Cost::parse(text))
    else {
        return Value::Null;
    };
    let given_up = facts
        .get(key::OVERHEAD_STEPS)
        .map_or(Vec::new(), |text| steps(text));
    json!({
        "share": cost.share(cost.total()),
        "most": most(facts),
        "span_ns": cost.span.0,
        "program_ns": cost.program.0,
        "events_ns": cost.events.0,
        "chains_ns": cost.chains.0,
        "thread_ns": cost.thread.0,
        "given_up": given_up.iter().map(step_json).collect::<Vec<_>>(),
    })
}

fn step_json(step: &Concession) -> Value {
    json!({
        "from_ns": step.at.0,
        "step": match step.step {
            Step::Nothing => "nothing",
            Step::Depth(_) => "frames",
            Step::Chains(_) => "chains",
            Step::PerLock => "chains but new ones",
            Step::Slices => "time",
        },
        "frames": step.frames,
        "events": step.begun,
        "call_chains": step.chained,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn facts(pairs: &[(&str, &str)]) -> Facts {
        let pairs = pairs.iter();
        pairs
            .map(|(key, text)| ((*key).to_owned(), (*text).to_owned()))
            .collect()
    }

    const COST: (&str, &str) = (
        key::OVERHEAD_COST,
        "span=10000000000 program=18000000000 events=54000000 chains=9000000 thread=9000000",
    );

    #[test]
    fn the_cost_is_told_in_parts() {
        assert_eq!(
            cost(&facts(&[COST])).as_deref(),
            Some(
                "Cost: about 0.40% of what the program took of the processors (events 0.30%, their call chains 0.05%, \
                 agent thread 0.05%)."
            )
        );
        let kept = cost(&facts(&[COST, (key::OVERHEAD_MOST, "10000")]));
        assert!(
            kept.is_some_and(
                |said| said.ends_with("; 1.00% was the most, and nothing was given up.")
            )
        );
        let broken = cost(&facts(&[COST, (key::OVERHEAD_MOST, "1000")]));
        assert!(broken.is_some_and(|said| said.ends_with("; MORE than the 0.10% it was to cost at most.")));
        let idle = cost(&facts(&[(
            key::OVERHEAD_COST,
            "span=1000 program=5 thread=8",
        )]));
        assert!(idle.is_some_and(|said| said.starts_with("Cost: about 0.80% of one processor")));
    }

    #[test]
    fn steps_on_the_way_are_passed_over() {
        let told = facts(&[(
            key::OVERHEAD_STEPS,
            "at=100000000 depth=8 frames=8 begun=10 chained=10\nat=150000000 chains=4 frames=4 begun=900 chained=3\n\
             at=3200000000 slices=1 frames=4 begun=80000 chained=160\nat=9000000000 perlock=1 frames=4 begun=0 chained=0\n\
             at=11000000000 nothing=1 frames=16 begun=4 chained=4",
        )]);
        assert_eq!(
            given_up(&told).as_deref(),
            Some(
                "Given up, to cost no more: from 150ms on frames beyond 4, of 1 event in 300; from 3.20s on events outside \
                 of time slices, frames beyond 4, only chains that are new to their lock (of 1 event in 500); from 9.00s \
                 on frames beyond 4, only chains that are new to their lock (no event since); from 11.0s on nothing more."
            )
        );
        assert_eq!(given_up(&facts(&[])), None);
        assert_eq!(given_up(&facts(&[(key::OVERHEAD_STEPS, "nonsense")])), None);
    }

    #[test]
    fn json_has_null_for_what_is_not_known() {
        assert_eq!(json(&facts(&[])), Value::Null);
        let value = json(&facts(&[COST]));
        assert_eq!(
            (&value["most"], &value["events_ns"]),
            (&Value::Null, &json!(54_000_000))
        );
    }
}
