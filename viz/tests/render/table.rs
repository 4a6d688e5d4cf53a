//! The table of locks, for people and for programs.

use crate::fixtures::{lock, model, rendered, shown, table, table_of};
use locklens_inference::model::Model;
use locklens_inference::types::Detail;
use locklens_trace::record::target_key;
use locklens_viz::report::SortKey;
use locklens_viz::{Look, report};
use std::collections::BTreeMap;

#[test]
fn the_table_fits_80_columns() {
    let text = table(80);
    insta::assert_snapshot!(text);
    assert!(text.lines().all(|line| line.chars().count() <= 80));
}

#[test]
fn the_table_uses_160_columns() {
    let text = table(160);
    insta::assert_snapshot!(text);
    assert!(text.lines().all(|line| line.chars().count() <= 160));
    assert!(text.lines().any(|line| line.chars().count() > 140));
}

#[test]
fn nothing_seen_is_said() {
    let mut empty = Model::default();
    empty.recording.ended = true;
    let look = Look::default();
    let text =
        rendered(|out| report::table(&empty, SortKey::Hurt, false, look, out).expect("memory"));
    assert!(
        text.lines().all(|line| line.chars().count() <= 80),
        "{text}"
    );
    insta::assert_snapshot!(text);
}

#[test]
fn an_empty_exact_recording_does_not_speak_for_the_program() {
    let mut empty = Model::default();
    empty.recording.exact = true;
    let others = (target_key::EXACT_OTHERS.to_owned(), "35019".to_owned());
    empty.target.extend([others]);
    let look = Look::default();
    let text =
        rendered(|out| report::table(&empty, SortKey::Hurt, false, look, out).expect("memory"));
    assert!(
        text.contains("used no lock") && text.contains("35,019 events"),
        "{text}"
    );
    assert!(!text.contains("No thread blocked"), "{text}");
}

#[test]
fn json_has_the_documented_shape() {
    let text = rendered(|out| report::json(&model(), SortKey::Hurt, out).expect("memory"));
    let document: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    assert_eq!(document["schema"], 1);
    let lock = &document["locks"][0];
    assert_eq!(lock["types"][0]["type"], "SEMAPHORE");
    assert_eq!(lock["types"][0]["detail"]["permits"], 3);
    assert_eq!(lock["types"][0]["roles"]["acquire"][0], 10);
    assert_eq!(lock["locked"], serde_json::Value::Null);
    assert_eq!(lock["regions"][0]["roles"][0], "acquire");
    insta::assert_snapshot!(text);
}

#[test]
fn csv_has_one_row_a_lock() {
    let text = rendered(|out| report::csv(&model(), SortKey::Type, out).expect("memory"));
    insta::assert_snapshot!(text);
}

/// The ids of a report in the order that a key of the command line gives them.
fn ids(model: &Model, key: &str) -> Vec<String> {
    let key = SortKey::parse(key).expect("a key");
    let text = rendered(|out| report::csv(model, key, out).expect("memory"));
    let rows = text.lines().skip(1).filter_map(|row| row.split(',').next());
    rows.map(str::to_owned).collect()
}

#[test]
fn locks_are_sorted_by_id_and_by_acquisitions_those_not_known_last() {
    let mut model = model();
    model.locks.push(lock(3, "shop.Till", Vec::new()));
    model.locks.push(lock(4, "shop.Safe", Vec::new()));
    model.recording.exact = true;
    for (lock, locked) in model
        .locks
        .iter_mut()
        .zip([None, Some(7), Some(0), Some(9_000)])
    {
        lock.locked = locked;
    }
    assert_eq!(ids(&model, "locked"), ["4", "2", "3", "1"]);
    model.locks.reverse();
    assert_eq!(ids(&model, "id"), ["1", "2", "3", "4"]);
    // Without acquisitions, all are equal.
    model.locks.iter_mut().for_each(|lock| lock.locked = None);
    assert_eq!(ids(&model, "locked"), ["4", "3", "2", "1"]);
}

#[test]
fn long_ids_and_many_threads_have_their_columns() {
    let mut model = model();
    model.locks[1].id = 1_500;
    model.locks[1].threads = 23_456;
    let table = table_of(&model, 80);
    assert!(
        table.contains("\n1500 ") && table.contains(" 23.5k\n"),
        "{table}"
    );
    assert!(table.lines().all(|line| line.chars().count() <= 80));
}

#[test]
fn a_type_comes_with_its_parameter_where_there_is_room() {
    let mut model = model();
    let capacity = Detail::Word("unbounded".to_owned());
    let details = [
        ("capacity", capacity),
        ("fair", Detail::Flag(true)),
        ("form", Detail::Word("long words".to_owned())),
    ];
    model.locks[1].types.truncate(1);
    model.locks[1].types[0].details = BTreeMap::from(details);
    let wide = table_of(&model, 160);
    assert!(wide.contains(" SEMAPHORE permits=3 "), "{wide}");
    assert!(wide.contains(" PRODUCER-CONSUMER unbounded "), "{wide}");
    assert!(table_of(&model, 80).contains(" SEMAPHORE permits=3 "));
}

#[test]
fn names_cannot_work_on_a_terminal() {
    let mut model = model();
    let evil = "a.B\u{1b}[2J\u{9b}31m\n\u{2028}\u{200b}";
    model.locks[0].name = evil.to_owned();
    model.locks[0].classes = vec![evil.to_owned()];
    model.locks[0].regions[0].class = evil.to_owned();
    let csv = rendered(|out| report::csv(&model, SortKey::Hurt, out).expect("memory"));
    let look = Look::default();
    let table =
        rendered(|out| report::table(&model, SortKey::Hurt, true, look, out).expect("memory"));
    for text in [csv, table, shown(&model, 0)] {
        let harmful = |c: char| c.is_control() && c != '\n' || c == '\u{2028}' || c == '\u{200b}';
        assert!(!text.contains(harmful), "{text:?}");
    }
}
