//! Objects of several runs.

use super::*;
use crate::nesting::graph::ThreadName;

#[test]
fn objects_of_different_runs_have_no_numbers_in_common() {
    let known = |name: &str, object: &str| Known {
        lock: Resource {
            name: name.to_owned(),
            id: String::new(),
            types: String::new(),
            mode: Mode::Exclusive.name(),
            what: What::Lock,
            object: Some(object.to_owned()),
        },
        alone: true,
        at: Vec::new(),
        taken: Taken::new(),
    };
    let nesting = |thread: &str, holds: Known, wants: Known| Nesting {
        holds: vec![holds],
        wants,
        span: None,
        part: Part::wanting(
            ThreadName {
                name: thread.to_owned(),
                tid: None,
            },
            Vec::new(),
        ),
    };
    let first = nesting("one", known("a", "object 3"), known("b", "object 4"));
    let second = nesting("two", known("b", "object 3"), known("a", "object 4"));
    let found = finding(&[(0, &first), (1, &second)], false).unwrap();
    assert_eq!(found.tier, Tier::T4);
    assert!(found.locks.iter().all(|lock| lock.object.is_none()));
    assert_eq!(found.kind, Kind::Order);
    let mut besides = first.clone();
    let gate = Known {
        at: vec!["App.open:1".to_owned()],
        ..known("gate", "object 5")
    };
    besides.holds.insert(0, gate);
    besides.holds[1].at = vec!["App.go:2".to_owned()];
    let found = finding(&[(0, &besides), (1, &second)], false).unwrap();
    assert_eq!(found.edges[0].holds_at, ["App.go:2"]);
    assert_eq!(found.edges[0].also_holds, ["gate"]);
    let mut read = first.clone();
    read.holds[0].lock.mode = Mode::Shared.name();
    let read = finding(&[(0, &read), (1, &second)], false).unwrap();
    assert_eq!(read.kind, Kind::ReadWrite, "one run by itself calls it so");
}
