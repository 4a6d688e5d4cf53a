//! Profiles read again, and held against the description of their format.

use super::super::scene::{Told, hostile, hostile_records, is_harmless, records};
use super::*;

fn profile(told: &Told) -> Value {
    let mut profile = Firefox::new(&told.collected, &told.analysis);
    told.happenings
        .iter()
        .for_each(|happening| profile.tell(happening));
    let mut out = Vec::new();
    profile.write(&mut out).unwrap();
    serde_json::from_slice(&out).unwrap()
}

fn column<'v>(table: &'v Value, name: &str) -> &'v Vec<Value> {
    let column = table[name]
        .as_array()
        .unwrap_or_else(|| panic!("{name} in {table}"));
    let length = table["length"].as_u64().unwrap();
    assert_eq!(
        column.len() as u64,
        length,
        "{name} is as long as its table"
    );
    column
}

/// Every number refers to something; markers in words.
fn told(profile: &Value) -> Vec<String> {
    let shared = &profile["shared"];
    let strings = shared["stringArray"].as_array().unwrap();
    let text = |index: &Value| strings[index.as_u64().unwrap() as usize].as_str().unwrap();
    let (stacks, frames, functions) = (
        &shared["stackTable"],
        &shared["frameTable"],
        &shared["funcTable"],
    );
    for (nth, prefix) in column(stacks, "prefix").iter().enumerate() {
        assert!(
            prefix.as_u64().is_none_or(|prefix| (prefix as usize) < nth),
            "callers come first"
        );
    }
    for frame in column(stacks, "frame") {
        let frame = frame.as_u64().unwrap() as usize;
        let function = column(frames, "func")[frame].as_u64().unwrap() as usize;
        assert!(!text(&column(functions, "name")[function]).is_empty());
    }
    for name in [
        "address",
        "inlineDepth",
        "category",
        "subcategory",
        "nativeSymbol",
        "innerWindowID",
        "line",
        "column",
    ] {
        column(frames, name);
    }
    for name in [
        "isJS",
        "relevantForJS",
        "resource",
        "source",
        "lineNumber",
        "columnNumber",
    ] {
        column(functions, name);
    }
    let schemas = profile["meta"]["markerSchema"].as_array().unwrap();
    let mut lines = Vec::new();
    for thread in profile["threads"].as_array().unwrap() {
        let (samples, markers) = (&thread["samples"], &thread["markers"]);
        let times: Vec<f64> = column(samples, "time")
            .iter()
            .map(|t| t.as_f64().unwrap())
            .collect();
        assert!(times.is_sorted());
        assert_eq!(
            (
                column(samples, "stack").len(),
                column(samples, "weight").len()
            ),
            (times.len(), times.len())
        );
        for nth in 0..column(markers, "data").len() {
            let at = |name| &column(markers, name)[nth];
            let data = at("data");
            let schema = schemas
                .iter()
                .find(|schema| schema["name"] == data["type"])
                .unwrap();
            let fields = schema["fields"].as_array().unwrap().iter();
            let fields = fields.filter(|field| !data[field["key"].as_str().unwrap()].is_null());
            let fields: Vec<_> = fields
                .map(|field| {
                    format!(
                        "{}={}",
                        field["key"].as_str().unwrap(),
                        text(&data[field["key"].as_str().unwrap()])
                    )
                })
                .collect();
            lines.push(format!(
                "{}: {} {}..{} {}",
                thread["name"].as_str().unwrap(),
                text(at("name")),
                at("startTime"),
                at("endTime"),
                fields.join(" ")
            ));
        }
    }
    lines
}

#[test]
fn a_recording_becomes_markers() {
    let profile = profile(&Told::of(&records("writer", "app.Store")));
    insta::assert_snapshot!(told(&profile).join("\n"));
}

/// What held threads up, in the call tree: by thread, milliseconds.
fn in_the_tree(recording: &Told) -> Vec<f64> {
    let profile = profile(recording);
    let threads = profile["threads"].as_array().unwrap().iter();
    let weights = threads.map(|thread| {
        let weights = column(&thread["samples"], "weight").iter();
        weights.map(|weight| weight.as_f64().unwrap()).sum()
    });
    weights.collect()
}

#[test]
fn what_has_no_call_chain_is_in_the_tree_as_well() {
    let mut recording = Told::of(&records("writer", "app.Store"));
    let with = in_the_tree(&recording);
    assert!(with.iter().sum::<f64>() > 0.0);
    for happening in &mut recording.happenings {
        if let Happening::Stay(stay) = happening {
            stay.stack = None;
        }
    }
    assert_eq!(in_the_tree(&recording), with);
    assert!(profile(&recording).to_string().contains("(unknown)"));
}

#[test]
fn a_recording_of_nothing_is_a_profile() {
    let profile = profile(&Told::of(&[]));
    assert_eq!(told(&profile), Vec::<String>::new());
    assert_eq!(profile["threads"].as_array().unwrap().len(), 1);
    assert_eq!(profile["meta"]["preprocessedProfileVersion"], VERSION);
}

/// Every text in it, and what it is called by.
fn texts(value: &Value) -> Vec<&str> {
    match value {
        Value::String(text) => vec![text],
        Value::Array(all) => all.iter().flat_map(texts).collect(),
        Value::Object(all) => {
            let keys = all.keys().map(String::as_str);
            keys.chain(all.values().flat_map(texts)).collect()
        }
        _ => Vec::new(),
    }
}

#[test]
fn names_do_no_harm() {
    let plain = told(&profile(&Told::of(&records("writer", "app.Store"))));
    for name in hostile() {
        let profile = profile(&Told::of(&hostile_records(&name)));
        assert_eq!(told(&profile).len(), plain.len(), "{name:.40}");
        for text in texts(&profile) {
            assert!(is_harmless(text), "{name:.40}: {text:?}");
        }
    }
}

#[test]
fn the_longest_are_kept() {
    let all = Told::of(&records("writer", "app.Store"));
    let names = Names::of(&all.collected, &all.analysis);
    let mark = all
        .happenings
        .iter()
        .find_map(|happening| Mark::of(happening, &names))
        .unwrap();
    let mut marks = Marks::default();
    let of = 3 << 20;
    for nth in 0..of {
        let (from, to) = (Nanos(0), Nanos(nth));
        let mut mark = mark;
        (mark.from, mark.to) = (from, to);
        marks.add(mark);
    }
    let left_out = marks.left_out;
    let kept = &marks.by_thread()[0];
    assert_eq!(kept.len() as u64 + left_out, of);
    assert!(kept.len() <= 1 << 20);
    let shortest = kept.iter().map(|mark| mark.to.0).min();
    assert_eq!(
        shortest,
        Some(of - kept.len() as u64),
        "no longer one is missing"
    );
}
