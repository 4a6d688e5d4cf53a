//! What rewriting took of the JVM, in a sentence.

use crate::text::{count, many, percent, time};
use locklens_trace::Nanos;
use locklens_trace::record::target_key as key;
use locklens_trace::toll::Toll;
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// The stretches, in order, and what JSON calls them.
const STRETCHES: [(&str, &str); 4] = [
    (key::TOLL_BEFORE, "before"),
    (key::TOLL_SETTLING, "settling"),
    (key::TOLL_RECORDING, "recording"),
    (key::TOLL_AFTER, "after"),
];

/// What the facts of a trace say of it; none if nothing was rewritten in a JVM that ran already.
#[must_use]
pub fn toll(facts: &BTreeMap<String, String>) -> Option<String> {
    let said = STRETCHES.map(|(key, _)| of(facts, key).map(|toll| stretch(key, &toll, facts)));
    let said: Vec<_> = said.into_iter().flatten().collect();
    (!said.is_empty()).then(|| {
        format!(
            "Compiler threads / all other threads of the JVM took, of one processor: {}.",
            said.join("; ")
        )
    })
}

fn of(facts: &BTreeMap<String, String>, key: &str) -> Option<Toll> {
    Toll::parse(facts.get(key)?)
}

fn stretch(key: &str, toll: &Toll, facts: &BTreeMap<String, String>) -> String {
    let share = |time| percent(toll.share(time));
    let span = time(toll.span);
    let (shares, short) = match toll.is_measured() {
        true => {
            let shares = format!("{} / {}", share(toll.compilers), share(toll.others));
            (shares, String::new())
        }
        false => (
            "unknown".to_owned(),
            format!(" ({span}: too short to measure)"),
        ),
    };
    match key {
        key::TOLL_BEFORE => format!("{shares} before{short}"),
        key::TOLL_SETTLING => format!(
            "{shares} for {span} after rewriting{}",
            settling(toll, facts)
        ),
        key::TOLL_RECORDING => format!("{shares} then{short}"),
        _ => format!("{shares} in the {span} after the original bytes were back"),
    }
}

fn settling(toll: &Toll, facts: &BTreeMap<String, String>) -> String {
    let compiled = toll
        .compiled
        .map(|n| format!("{} compiled", many(n, "method")));
    let late = facts
        .get(key::TOLL_SETTLED)
        .is_some_and(|said| said == "false");
    let late = late.then(|| "the JIT had NOT settled then".to_owned());
    let said: Vec<_> = compiled.into_iter().chain(late).collect();
    match said.is_empty() {
        true => String::new(),
        false => format!(" ({})", said.join("; ")),
    }
}

/// The same as JSON: null where there is nothing.
pub(crate) fn json(facts: &BTreeMap<String, String>) -> Value {
    let mut all = serde_json::Map::new();
    for (key, name) in STRETCHES {
        if let Some(toll) = of(facts, key) {
            let measured = |time: Nanos| toll.is_measured().then_some(time.0);
            let toll = json!({
                "span_ns": toll.span.0,
                "compilers_ns": measured(toll.compilers),
                "others_ns": measured(toll.others),
                "compiled": toll.compiled,
            });
            all.insert(name.to_owned(), toll);
        }
    }
    if all.is_empty() {
        return Value::Null;
    }
    let settled = facts.get(key::TOLL_SETTLED).map(|said| said == "true");
    all.insert("settled".to_owned(), json!(settled));
    Value::Object(all)
}

/// A fact of the trace for `info`.
pub(crate) fn value(text: &str) -> Option<String> {
    let toll = Toll::parse(text)?;
    let compiled = toll
        .compiled
        .map_or(String::new(), |n| format!(", {} compiled", count(n)));
    let times = match toll.is_measured() {
        true => format!(
            "compilers {}, others {}",
            time(toll.compilers),
            time(toll.others)
        ),
        false => "too short to measure".to_owned(),
    };
    Some(format!("{}: {times}{compiled}", time(toll.span)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn facts(pairs: &[(&str, &str)]) -> BTreeMap<String, String> {
        let pairs = pairs.iter();
        pairs
            .map(|(key, text)| ((*key).to_owned(), (*text).to_owned()))
            .collect()
    }

    #[test]
    fn a_dip_is_told_in_one_sentence() {
        let facts = facts(&[
            (
                key::TOLL_BEFORE,
                "span=1000000000 compilers=20000000 others=1050000000 compiled=3",
            ),
            (
                key::TOLL_SETTLING,
                "span=8200000000 compilers=11700000000 others=3280000000 compiled=812",
            ),
            (
                key::TOLL_RECORDING,
                "span=10000000000 compilers=400000000 others=9800000000",
            ),
            (
                key::TOLL_AFTER,
                "span=500000000 compilers=300000000 others=475000000 compiled=40",
            ),
            (key::TOLL_SETTLED, "true"),
        ]);
        assert_eq!(
            toll(&facts).as_deref(),
            Some(
                "Compiler threads / all other threads of the JVM took, of one processor: 2% / 105% before; \
                 143% / 40% for 8.20s after rewriting (812 methods compiled); 4% / 98% then; \
                 60% / 95% in the 500ms after the original bytes were back."
            )
        );
        let json = json(&facts);
        assert_eq!(
            (&json["settling"]["compiled"], &json["settled"]),
            (&json!(812), &json!(true))
        );
        assert_eq!(json["recording"]["compiled"], Value::Null);
    }

    #[test]
    fn what_is_too_short_for_hundredths_of_a_second_is_no_figure() {
        let before = "span=86000000 compilers=0 others=30000000 compiled=3";
        let facts = facts(&[
            (key::TOLL_BEFORE, before),
            (
                key::TOLL_RECORDING,
                "span=10000000000 compilers=400000000 others=9800000000",
            ),
        ]);
        let said = toll(&facts).expect("it is said");
        assert!(
            said.ends_with("unknown before (86.0ms: too short to measure); 4% / 98% then."),
            "{said}"
        );
        let told = super::json(&facts);
        assert_eq!(
            told["before"],
            json!({"span_ns": 86_000_000, "compilers_ns": null, "others_ns": null, "compiled": 3})
        );
        assert_eq!(
            value(before).as_deref(),
            Some("86.0ms: too short to measure, 3 compiled")
        );
    }

    #[test]
    fn one_that_did_not_end_is_said_so_and_nothing_is_said_of_none() {
        let late = facts(&[
            (
                key::TOLL_SETTLING,
                "span=30000000000 compilers=30000000000 others=1",
            ),
            (key::TOLL_SETTLED, "false"),
        ]);
        assert!(toll(&late).is_some_and(|said| said.contains("(the JIT had NOT settled then)")));
        let none = facts(&[(key::TOLL_BEFORE, "nonsense")]);
        assert_eq!((toll(&none), super::json(&none)), (None, Value::Null));
    }
}
