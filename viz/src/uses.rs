//! What was done to a lock of `java.util.concurrent`, in words and as JSON.

use crate::Look;
use crate::report::json::times;
use crate::text::{Paint, count};
use locklens_inference::model::Uses;
use locklens_trace::juc::{Act, Outcome};
use serde_json::{Value, json as value};
use std::io::{self, Write};

/// The section of `show`.
pub(crate) fn section(uses: &Uses, look: Look, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "\n{}", Paint::Bold.on("Operations", look))?;
    for (&(act, outcome), &times) in &uses.acts {
        writeln!(out, "  {:>8} × {}", count(times), words(uses, act, outcome))?;
    }
    if uses.most > 1 {
        writeln!(
            out,
            "  {} held with others at once, at most",
            count(uses.most)
        )?;
    }
    match uses.strays {
        0 => Ok(()),
        n => writeln!(
            out,
            "  {} given back that nobody was seen to take",
            count(n)
        ),
    }
}

fn words(uses: &Uses, act: Act, outcome: Outcome) -> String {
    let times = uses.acts.get(&(act, outcome)).copied().unwrap_or(0);
    match (outcome, uses.counts.get(&act)) {
        (Outcome::Done, Some(&sum)) if sum != times && has_amount(act) => {
            format!("{} ({} in all)", act.name(), count(sum))
        }
        (Outcome::Done, _) => act.name().to_owned(),
        (Outcome::Failed, _) if act == Act::Awaited => format!("{}, timed out", act.name()),
        (Outcome::Failed, _) => format!("{}, failed", act.name()),
        (Outcome::Threw, _) => format!("{}, threw", act.name()),
    }
}

/// Of acts by stamp the number is none of things.
fn has_amount(act: Act) -> bool {
    use Act::{Register, Share, Take, Unshare};
    matches!(act, Share | Unshare | Take | Register)
}

/// The member of a lock in the report's document.
pub(crate) fn json(uses: &Uses) -> Value {
    let act = |(&(act, outcome), &times): (&(Act, Outcome), &u64)| {
        let sum = uses.counts.get(&act).filter(|_| outcome == Outcome::Done);
        value!({
            "act": act.name(),
            "outcome": outcome.name(),
            "times": times,
            "amount": sum.filter(|_| has_amount(act)),
        })
    };
    value!({
        "taken_alone": uses.alone,
        "taken_shared": uses.shared,
        "held_alone": times(&uses.held_alone, false),
        "held_shared": times(&uses.held_shared, false),
        "most_at_once": uses.most,
        "given_back_unseen": uses.strays,
        "acts": uses.acts.iter().map(act).collect::<Vec<_>>(),
    })
}
