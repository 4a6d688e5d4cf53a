//! Deadlocks of locks whose names any other object has.

use super::finding::{LockName, Names, Report, Tier};
use super::std_format::Lines;
use super::step::{Lock, Site, Thread};
use super::tests::{analysed, std_trace};
use crate::nesting::graph::ThreadName;
use std::collections::BTreeSet;

/// All locks are called the same; places are methods.
struct Alike {
    lines: Lines,
    foreign: bool,
}

impl Names for Alike {
    fn thread(&self, thread: Thread) -> ThreadName {
        self.lines.thread(thread)
    }

    fn lock(&self, lock: Lock) -> LockName {
        LockName {
            name: "Vector".to_owned(),
            alone: false,
            foreign: self.foreign,
            ..self.lines.lock(lock)
        }
    }

    fn chain(&self, site: Site) -> Vec<String> {
        let places = self.lines.chain(site).into_iter();
        let chain = places.map(|place| format!("java.util.Vector.{place}:7"));
        chain.collect()
    }
}

fn judged(text: &str, foreign: bool) -> Report {
    let (steps, lines) = std_trace(text).unwrap();
    analysed(&steps, &Alike { lines, foreign })
}

/// A thread takes one lock in a method, and the other one there.
fn nests(thread: &str, [one, other]: [&str; 2], [holds, wants]: [&str; 2]) -> String {
    format!(
        "{thread}|acq({one})|{holds}\n{thread}|acq({other})|{wants}\n{thread}|rel({other})|1\n{thread}|rel({one})|1\n"
    )
}

/// Two threads take two locks in different orders, each in this method.
fn crossed(threads: [&str; 2], [a, b]: [&str; 2], at: [&str; 2]) -> String {
    nests(threads[0], [a, b], at) + &nests(threads[1], [b, a], at)
}

fn ids(report: &Report) -> BTreeSet<&str> {
    report.findings.iter().map(|one| one.id.as_str()).collect()
}

const ADDS: [&str; 2] = ["addAll", "toArray"];
const REMOVES: [&str; 2] = ["removeAll", "contains"];

#[test]
fn other_methods_make_another_deadlock_that_has_the_same_id_alone() {
    let added = crossed(["T0", "T1"], ["v", "w"], ADDS);
    let removed = crossed(["T2", "T3"], ["x", "y"], REMOVES);
    let [one, other] = [&added, &removed].map(|text| judged(text, true));
    let both = judged(&format!("{added}{removed}"), true);
    assert_eq!([one.findings.len(), other.findings.len()], [1, 1]);
    assert_eq!(ids(&both), &ids(&one) | &ids(&other));
    assert_eq!(both.findings.len(), 2);
    for finding in &both.findings {
        let threads = finding.edges.iter().map(|edge| edge.thread.name.as_str());
        let at = finding.edges.iter().map(|edge| edge.holds_at[0].as_str());
        let told: BTreeSet<_> = threads.zip(at).collect();
        let added = told
            == [
                ("T0", "java.util.Vector.addAll:7"),
                ("T1", "java.util.Vector.addAll:7"),
            ]
            .into();
        let removed = told
            == [
                ("T2", "java.util.Vector.removeAll:7"),
                ("T3", "java.util.Vector.removeAll:7"),
            ]
            .into();
        assert!(added || removed, "{told:?}");
    }
    let named = judged(&format!("{added}{removed}"), false);
    assert_eq!(named.findings.len(), 1, "a name of the program's own");
}

#[test]
fn what_else_the_same_threads_have_come_to_changes_no_id() {
    let added = crossed(["T0", "T1"], ["v", "w"], ADDS);
    let mixed = format!("{added}{}", nests("T0", ["v", "w"], REMOVES));
    let (one, both) = (judged(&added, true), judged(&mixed, true));
    assert_eq!(both.findings.len(), 2);
    assert!(ids(&one).is_subset(&ids(&both)));
    let known = both
        .findings
        .iter()
        .find(|f| ids(&one).contains(f.id.as_str()));
    let known = known.unwrap();
    for edge in &known.edges {
        assert_eq!(edge.holds_at, ["java.util.Vector.addAll:7"]);
        assert_eq!((edge.count, edge.also_at.len()), (1, 0));
    }
}

#[test]
fn how_far_a_method_came_is_no_part_of_an_id() {
    let empty = crossed(["T0", "T1"], ["v", "w"], ["equals", "size"]);
    let further = nests("T0", ["v", "w"], ["equals", "get"]);
    let whole = format!("{empty}{further}");
    assert_eq!(ids(&judged(&empty, true)), ids(&judged(&whole, true)));
    let only = format!(
        "{further}{}",
        nests("T1", ["w", "v"], ["equals", "iterator"])
    );
    assert_eq!(ids(&judged(&empty, true)), ids(&judged(&only, true)));
}

#[test]
fn one_that_happened_has_the_id_that_it_was_foretold_with() {
    let could = crossed(["T0", "T1"], ["v", "w"], ADDS);
    let has = "T0|acq(v)|addAll\nT1|acq(w)|addAll\nT0|req(w)|toArray\nT1|req(v)|toArray\n";
    let (could, has) = (judged(&could, true), judged(has, true));
    assert_eq!(has.findings[0].tier, Tier::T0);
    assert_eq!(ids(&could), ids(&has));
}

#[test]
fn it_is_excluded_as_a_whole_and_only_where_no_way_is_left() {
    let gated = |text: &str, threads: [&str; 2]| {
        let own = |thread: &str| -> String {
            let lines = text.lines().filter(|line| line.starts_with(thread));
            lines.map(|line| format!("{line}\n")).collect()
        };
        let each = threads.map(|t| format!("{t}|acq(gate)|f\n{}{t}|rel(gate)|1\n", own(t)));
        each.concat()
    };
    let added = gated(&crossed(["T0", "T1"], ["v", "w"], ADDS), ["T0", "T1"]);
    let removed = crossed(["T2", "T3"], ["x", "y"], REMOVES);
    let none = judged(&added, true);
    assert_eq!((none.findings.len(), none.excluded.len()), (0, 1));
    let one = judged(&format!("{added}{removed}"), true);
    assert_eq!(ids(&one), ids(&judged(&removed, true)));
    assert_eq!(one.excluded, []);
}
