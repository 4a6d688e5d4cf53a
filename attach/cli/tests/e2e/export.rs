//! A recording in the formats of others: each is what it should be, and the same each time.

use crate::rig::{compile, jdk, run, scratch};
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

/// Three threads that hold one lock in turn, recorded exactly from the start to the end.
fn trace() -> &'static str {
    static TRACE: OnceLock<PathBuf> = OnceLock::new();
    let trace = TRACE.get_or_init(|| {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testapps/contention");
        let classes = scratch("export-classes");
        fs::create_dir_all(&classes).unwrap();
        compile(&[folder.join("HeldShares.java")], &classes);
        let trace = scratch("export.llt");
        let path = trace.to_string_lossy().into_owned();
        let (java, classes) = (jdk().java(), classes.to_string_lossy().into_owned());
        let java = java.to_string_lossy().into_owned();
        run(&[
            "trace",
            "--class",
            "HeldShares*",
            "-o",
            &path,
            "--",
            &java,
            "-Xmx64m",
            "-cp",
            &classes,
            "HeldShares",
            "waiting",
            "10",
        ])
        .ended_with(0)
        .printed("DONE");
        trace
    });
    trace.to_str().unwrap()
}

fn exported(format: &str, words: &[&str]) -> Vec<u8> {
    let [first, second] = ["one", "two"].map(|name| scratch(&format!("export.{format}.{name}")));
    for out in [&first, &second] {
        let mut all = vec![
            "export",
            trace(),
            "--to",
            format,
            "-o",
            out.to_str().unwrap(),
        ];
        all.extend(words);
        run(&all).ended_with(0);
    }
    let bytes = fs::read(&first).unwrap();
    assert_eq!(
        bytes,
        fs::read(&second).unwrap(),
        "the same trace, the same bytes"
    );
    bytes
}

fn contains(bytes: &[u8], text: &str) -> bool {
    bytes
        .windows(text.len())
        .any(|window| window == text.as_bytes())
}

/// The packets of a trace, whole to its end.
fn packets(mut bytes: &[u8]) -> usize {
    let mut packets = 0;
    while let Some((&key, rest)) = bytes.split_first() {
        assert_eq!(key, 0x0a, "a packet is field 1 of a trace");
        let (mut length, mut shift, mut rest) = (0usize, 0, rest);
        while let Some((&byte, behind)) = rest.split_first() {
            length |= usize::from(byte & 0x7f) << shift;
            (rest, shift) = (behind, shift + 7);
            if byte & 0x80 == 0 {
                break;
            }
        }
        bytes = &rest[length..];
        packets += 1;
    }
    packets
}

#[test]
fn perfetto_has_contended_monitors_and_who_held_the_lock() {
    let bytes = exported("perfetto", &[]);
    assert!(packets(&bytes) > 100);
    for text in [
        "monitor contention with owner ",
        " waiters=",
        " blocking from ",
        "held by",
        "threads blocked",
        "pressure",
        "released ",
    ] {
        assert!(contains(&bytes, text), "{text}");
    }
}

#[test]
fn firefox_has_markers_of_every_thread() {
    let bytes = exported("firefox", &[]);
    let profile: Value = serde_json::from_slice(&bytes).unwrap();
    let threads = profile["threads"].as_array().unwrap();
    assert!(threads.len() >= 3, "{} threads", threads.len());
    let blocked = |thread: &&Value| {
        let data = thread["markers"]["data"].as_array().unwrap();
        data.iter().any(|data| data["type"] == "blocked")
    };
    assert!(threads.iter().filter(blocked).count() >= 2);
}

#[test]
fn pprof_and_collapsed_have_the_chains_of_either_side() {
    for side in ["waiter", "owner"] {
        let bytes = exported("pprof", &["--of", side]);
        for text in ["contentions", "nanoseconds", "HeldShares"] {
            assert!(contains(&bytes, text), "{text}");
        }
        let collapsed =
            String::from_utf8(exported("collapsed", &["--of", side, "--force"])).unwrap();
        let printed = run(&["contention", trace(), "--collapsed", side]).ended_with(0);
        assert_eq!(collapsed, printed.stdout);
        assert!(!collapsed.is_empty());
    }
}

#[test]
fn what_can_not_be_written_is_said() {
    let trace = trace();
    let nowhere = run(&["export", trace, "--to", "perfetto", "-o", "/nowhere/at/all"]);
    nowhere.ended_with(2).said("can't write /nowhere/at/all");
    let own = run(&["export", trace, "--to", "firefox", "-o", trace]);
    own.ended_with(2).said("is what is read");
    let foreign = scratch("export-foreign.java");
    fs::write(&foreign, "class Main {}").unwrap();
    let foreign = foreign.to_str().unwrap();
    let kept = run(&["export", trace, "--to", "perfetto", "-o", foreign]);
    kept.ended_with(2).said("it was not touched");
    let odd = run(&[
        "export", trace, "--to", "perfetto", "--of", "owner", "-o", "-",
    ]);
    odd.ended_with(2)
        .said("--of and --waits are for pprof and collapsed");
}
