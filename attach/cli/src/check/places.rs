//! Where the threads of a finding hold one thing and want the next, in words that are kept in a baseline.

use locklens_inference::deadlock::finding::Finding;
use locklens_inference::stable_name::stable_method;
use serde_json::Value;

/// Kind, and where each of its threads holds one thing and wants the next, without lines. None if a place is not known.
pub(super) fn places(finding: &Finding) -> Option<String> {
    let edges = finding.locks.iter().zip(&finding.edges);
    let edges = edges.map(|(held, edge)| {
        let (holds, wants) = (methods(&edge.holds_at)?, methods(&edge.wants_at)?);
        Some(format!("{} {holds} > {} {wants}", held.mode, edge.mode))
    });
    joined(finding.kind.name(), edges.collect())
}

/// The same, of a finding in a report.
pub(super) fn places_in(entry: &Value) -> Option<String> {
    let edges = entry["edges"].as_array()?.iter();
    let edges = edges.map(|edge| {
        let chain = |key: &str| -> Option<String> {
            let frames = edge[key].as_array()?.iter();
            let frames: Option<Vec<_>> = frames.map(Value::as_str).collect();
            methods(&frames?)
        };
        let (holds, wants) = (chain("holds_at")?, chain("wants_at")?);
        let modes = (edge["holds_mode"].as_str()?, edge["wants_mode"].as_str()?);
        Some(format!("{} {holds} > {} {wants}", modes.0, modes.1))
    });
    joined(entry["kind"].as_str()?, edges.collect())
}

/// The same whichever thread comes first.
fn joined(kind: &str, edges: Option<Vec<String>>) -> Option<String> {
    let mut edges = edges.filter(|edges| !edges.is_empty())?;
    edges.sort_unstable();
    Some(format!("{kind}: {}", edges.join("; ")))
}

/// A call chain without lines and numbers of lambdas.
fn methods(chain: &[impl AsRef<str>]) -> Option<String> {
    let frames = chain.iter().map(|frame| {
        let frame = frame.as_ref();
        let frame = match frame.rsplit_once(':') {
            Some((method, line)) if line.bytes().all(|b| b.is_ascii_digit()) => method,
            _ => frame,
        };
        match frame.rsplit_once('.') {
            Some((class, method)) => format!("{class}.{}", stable_method(method)),
            None => frame.to_owned(),
        }
    });
    let frames: Vec<String> = frames.collect();
    (!frames.is_empty()).then(|| frames.join(" < "))
}

/// Whether the same is told of each thread, as far as its call chains go in both: how much of a chain is known may be chance.
pub(super) fn fit(one: &str, other: &str) -> bool {
    let (Some((kind, edges)), Some((other_kind, others))) =
        (one.split_once(": "), other.split_once(": "))
    else {
        return false;
    };
    // What is known best has the fewest that it fits.
    let best_first = |edges: &str| -> Vec<String> {
        let mut all: Vec<String> = edges.split("; ").map(str::to_owned).collect();
        all.sort_by_key(|edge| std::cmp::Reverse(edge.matches(" < ").count()));
        all
    };
    let mut left = best_first(others);
    let found = best_first(edges).iter().all(|edge| {
        let at = left.iter().position(|other| is_edge(edge, other));
        at.map(|at| left.remove(at)).is_some()
    });
    kind == other_kind && found && left.is_empty()
}

fn is_edge(one: &str, other: &str) -> bool {
    let [chains, others] = [one, other].map(|edge| edge.split(" > ").collect::<Vec<_>>());
    let begin_alike = |(one, other): (&str, &str)| {
        let frames = one.split(" < ").zip(other.split(" < "));
        frames.into_iter().all(|(one, other)| one == other)
    };
    let mut both = chains.iter().copied().zip(others.iter().copied());
    chains.len() == others.len() && both.all(begin_alike)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chains_of_which_one_goes_on_fit() {
        assert!(fit("order: A; A < X", "order: A < X; A < Y"));
        assert!(fit("order: A < X; A < Y", "order: A; A < X"));
        let edge = |held: &str, wanted: &str| format!("exclusive {held} > exclusive {wanted}");
        let of = |edges: &[String]| format!("order: {}", edges.join("; "));
        let short = of(&[edge("V.addAll", "V.toArray"), edge("V.clear", "V.size")]);
        let long = of(&[
            edge("V.clear < Desk.open < Desk.run", "V.size"),
            edge("V.addAll < Desk.open", "V.toArray < V.addAll"),
        ]);
        let other = of(&[
            edge("V.clear < Store.cut", "V.size"),
            edge("V.addAll < Desk.open", "V.toArray"),
        ]);
        assert!(fit(&short, &long) && fit(&long, &short) && fit(&short, &other));
        assert!(!fit(&long, &other), "another caller");
        assert!(!fit(&short, &of(&[edge("V.addAll", "V.toArray")])));
        assert!(!fit(&short, &short.replace("order", "join")));
        assert!(!fit("", ""));
    }
}
