//! Tables of recordings, asked by a database that reads them: the sums are those that the other commands tell, and the queries
//! in the pages for users work.

use crate::rig::{Jdk, Ran, Subject, compile, ends, jdk, locklens, run, scratch};
use serde_json::Value;
use std::env;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

const PAGE: &str = include_str!("../../../../docs/tables.md");
/// Asks a question, and prints the rows as JSON.
const ASK: &str = "
import duckdb, json, sys
asked = duckdb.connect().execute(sys.argv[1])
names = [column[0] for column in asked.description]
print(json.dumps([dict(zip(names, row)) for row in asked.fetchall()], default=str))
";
const BLOCKED: &str = "kind IN ('monitor', 'after-wait', 'acquire')";

/// A Python that has DuckDB. Without one a test is left out with a word, but never where CI runs: there it fails.
fn duckdb() -> Option<PathBuf> {
    let python = env::var_os("LOCKLENS_DUCKDB").map(PathBuf::from);
    let must = env::var_os("CI").is_some_and(|value| value == "true");
    assert!(
        python.is_some() || !must,
        "this test needs DuckDB: python3 -m venv DIR && DIR/bin/pip install duckdb, and LOCKLENS_DUCKDB=DIR/bin/python"
    );
    if python.is_none() {
        eprintln!(
            "left out: LOCKLENS_DUCKDB names no Python with DuckDB (python3 -m venv DIR && DIR/bin/pip install duckdb)"
        );
    }
    python
}

/// The rows that a query gives of the tables in a folder.
fn ask(python: &Path, folder: &Path, query: &str) -> Vec<Value> {
    let query = query.replace("'fleet/", &format!("'{}/", folder.display()));
    let asked = Command::new(python).args(["-c", ASK, &query]).output();
    let asked = Ran::from(asked.unwrap()).ended_with(0);
    let rows: Value = serde_json::from_str(&asked.stdout).unwrap();
    rows.as_array().unwrap().clone()
}

/// The one row that a query gives.
fn one(python: &Path, folder: &Path, query: &str) -> Value {
    let rows = ask(python, folder, query);
    assert_eq!(rows.len(), 1, "{query}: {rows:#?}");
    rows[0].clone()
}

fn told(words: &[&str]) -> Value {
    serde_json::from_str(&run(words).ended_with(0).stdout).unwrap()
}

fn export(trace: &Path, folder: &Path, more: &[&str]) -> Ran {
    let mut words = vec!["export", trace.to_str().unwrap(), "--to", "parquet"];
    words.extend(["-o", folder.to_str().unwrap()]);
    words.extend(more);
    run(&words)
}

/// What the other commands say of a recording, held against its tables.
fn compare(python: &Path, trace: &Path, folder: &Path) -> u64 {
    let path = trace.to_str().unwrap();
    let report = told(&["report", path, "--json", "--show-safe-locks"]);
    let blocked = told(&["contention", path, "--json", "--show-safe-locks"]);
    let waits = told(&["contention", path, "--json", "--waits", "--show-safe-locks"]);
    let graph = told(&["graph", path, "--json", "--show-safe-locks"]);
    let sums = |kind: &str| {
        let query = format!(
            "SELECT coalesce(sum(ns), 0)::BIGINT AS blocked_ns, count(*) AS count, count(*) - count(ns) AS unmeasured
            FROM 'fleet/contentions/*/*/*.parquet' WHERE {kind}"
        );
        one(python, folder, &query)
    };
    for (kind, said) in [(BLOCKED, &blocked), ("kind = 'wait'", &waits)] {
        let sums = sums(kind);
        for figure in ["blocked_ns", "count", "unmeasured"] {
            assert_eq!(sums[figure], said[figure], "{figure} of {kind} in {path}");
        }
    }
    let events =
        "SELECT count(*) AS n, (SELECT events FROM 'fleet/recordings/*/*/*.parquet') AS events
        FROM 'fleet/events/*/*/*.parquet'
        WHERE event = upper(event) AND event NOT IN ('PARK', 'FOUND-PARKED', 'LOST')";
    let events = one(python, folder, events);
    assert_eq!(events["n"], report["recording"]["events"], "{path}");
    assert_eq!(events["events"], report["recording"]["events"], "{path}");
    let figures = [
        "name",
        "blocked",
        "blocked_ns",
        "waits",
        "wait_ns",
        "locked",
        "instances",
        "threads",
    ];
    let query = format!(
        "SELECT {} FROM 'fleet/locks/*/*/*.parquet' ORDER BY lock",
        figures.join(", ")
    );
    let locks = ask(python, folder, &query);
    let said = report["locks"].as_array().unwrap();
    assert_eq!(locks.len(), said.len(), "{path}");
    for (lock, said) in locks.iter().zip(said) {
        for figure in figures {
            assert_eq!(lock[figure], said[figure], "{figure} in {path}");
        }
    }
    let edges = "SELECT from_lock AS from, to_lock AS to, count FROM 'fleet/edges/*/*/*.parquet' ORDER BY 1, 2";
    let edges = ask(python, folder, edges);
    let mut said = graph["edges"].as_array().unwrap().clone();
    said.sort_by_key(|edge| (edge["from"].as_u64(), edge["to"].as_u64()));
    assert_eq!(edges.len(), said.len(), "{path}");
    for (edge, said) in edges.iter().zip(&said) {
        for figure in ["from", "to", "count"] {
            assert_eq!(edge[figure], said[figure], "{figure} in {path}");
        }
    }
    blocked["blocked_ns"].as_u64().unwrap()
}

/// Folder with the compiled programs.
fn classes() -> &'static Path {
    static CLASSES: OnceLock<PathBuf> = OnceLock::new();
    CLASSES.get_or_init(|| {
        let out = scratch("tables-classes");
        fs::create_dir_all(&out).unwrap();
        let apps = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testapps");
        let sources = ["contention/HeldShares.java", "nesting/CrossedTellers.java"];
        compile(&sources.map(|source| apps.join(source)), &out);
        out
    })
}

/// A program from its start on.
fn record(jdk: &Jdk, how: &[&str], words: &[&str]) -> PathBuf {
    let trace = scratch("tables.llt");
    let mut command = locklens();
    command
        .args(how)
        .arg("-o")
        .arg(&trace)
        .arg("--")
        .arg(jdk.java());
    command.args(["-Xmx64m", "-cp"]).arg(classes()).args(words);
    Ran::from(command.output().unwrap()).ended_with(0);
    trace
}

/// Three threads that hold one lock in turn, exactly.
fn exact(jdk: &Jdk) -> PathBuf {
    record(
        jdk,
        &["trace", "--class", "HeldShares*"],
        &["HeldShares", "waiting", "10"],
    )
}

/// Recordings of one JVM: exact, watched with nesting, watched, cut off, and of nothing.
fn recordings(jdk: &Jdk) -> Vec<PathBuf> {
    let exact = exact(jdk);
    let subject = Subject::start_in(jdk, classes(), &["CrossedTellers"]);
    let nested = scratch("tables-nested.llt");
    let path = nested.to_str().unwrap();
    run(&["record", &subject.word(), "-d", "1s", "-o", path]).ended_with(0);
    let watched = record(jdk, &["record"], &["HeldShares", "plain", "10"]);
    let bytes = fs::read(&nested).unwrap();
    let cut = scratch("tables-cut.llt");
    fs::write(&cut, &bytes[..bytes.len() - 40]).unwrap();
    let nothing = scratch("tables-nothing.llt");
    fs::write(&nothing, &bytes[..64]).unwrap();
    vec![exact, nested, watched, cut, nothing]
}

#[test]
fn tables_have_what_the_other_commands_tell() {
    let Some(python) = duckdb() else { return };
    for jdk in ends() {
        let fleet = scratch("tables-fleet");
        let mut sum = 0;
        let traces = recordings(jdk);
        for trace in &traces {
            let alone = scratch("tables-alone");
            export(trace, &alone, &["--show-safe-locks"]).ended_with(0);
            let blocked = compare(&python, trace, &alone);
            export(trace, &fleet, &["--show-safe-locks", "--host", "a b/ü"]).ended_with(0);
            sum += blocked;
        }
        assert!(sum > 0, "somebody was blocked");
        let total = one(&python, &fleet, &format!(
            "SELECT sum(ns)::BIGINT AS ns, count(DISTINCT recording) AS recordings, any_value(host) AS host
            FROM 'fleet/contentions/*/*/*.parquet' WHERE {BLOCKED}"
        ));
        assert_eq!(total["ns"].as_u64(), Some(sum), "of all recordings");
        assert_eq!(total["host"], "a b/ü");
        documented(&python, &fleet, sum, traces.len());
    }
}

/// The queries in the page for users.
fn documented(python: &Path, fleet: &Path, blocked: u64, recordings: usize) {
    let queries = PAGE.split("```sql\n").skip(1);
    let queries: Vec<&str> = queries
        .filter_map(|rest| rest.split("```").next())
        .collect();
    let [locks, owners, days] = queries[..] else {
        panic!("three queries: {queries:#?}");
    };
    let sum = |rows: &[Value], column: &str| -> u64 {
        rows.iter().filter_map(|row| row[column].as_u64()).sum()
    };
    let rows = ask(python, fleet, locks);
    assert_eq!(sum(&rows, "ns"), blocked, "{rows:#?}");
    let named = |row: &Value| {
        row["name"]
            .as_str()
            .is_some_and(|name| name.to_lowercase().contains("ledger"))
    };
    assert!(rows.iter().any(named), "{rows:#?}");
    let rows = ask(python, fleet, owners);
    assert_eq!(sum(&rows, "ns"), blocked, "{rows:#?}");
    let known = |row: &Value| {
        row["by"] == "thread"
            && row["site"]
                .as_str()
                .is_some_and(|s| s.contains("HeldShares"))
    };
    assert!(rows.iter().any(known), "{rows:#?}");
    let rows = ask(python, fleet, days);
    assert_eq!(sum(&rows, "blocked_ns"), blocked, "{rows:#?}");
    assert_eq!(sum(&rows, "recordings"), recordings as u64, "{rows:#?}");
    let broken = |row: &Value| row["whole"] == false;
    assert!(rows.iter().any(broken), "one was cut off: {rows:#?}");
}

/// All files below a folder.
fn files(folder: &Path) -> Vec<PathBuf> {
    let mut all = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        match path.is_dir() {
            true => all.extend(files(&path)),
            false => all.push(path),
        }
    }
    all.sort();
    all
}

#[test]
fn what_is_there_is_not_written_again() {
    let trace = exact(jdk());
    let folder = scratch("tables-again");
    export(&trace, &folder, &["--host", "../up"]).ended_with(0);
    let first: Vec<_> = files(&folder)
        .into_iter()
        .map(|path| (fs::read(&path).unwrap(), path))
        .collect();
    assert_eq!(first.len(), 10);
    for (_, path) in &first {
        let mode = path.metadata().unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o600, "{}", path.display());
        assert!(
            path.to_str().unwrap().contains("/host=..%2Fup/"),
            "{}",
            path.display()
        );
    }
    let again = export(&trace, &folder, &["--host", "../up"]).ended_with(2);
    again
        .said("this recording is there already")
        .said("--force");
    export(&trace, &folder, &["--host", "../up", "--force"]).ended_with(0);
    let second: Vec<_> = files(&folder)
        .into_iter()
        .map(|path| (fs::read(&path).unwrap(), path))
        .collect();
    assert!(first == second, "the same recording, the same files");
}

#[test]
fn what_can_not_be_written_leaves_nothing() {
    let trace = exact(jdk());
    let folder = scratch("tables-not");
    fs::create_dir_all(&folder).unwrap();
    fs::write(folder.join("locks"), "a file where a folder must be").unwrap();
    export(&trace, &folder, &[])
        .ended_with(2)
        .said("can't write");
    assert_eq!(files(&folder), [folder.join("locks")]);
    let trace = trace.to_str().unwrap();
    run(&["export", trace, "--to", "parquet", "-o", "-"])
        .ended_with(2)
        .said("-o DIR");
    run(&["export", trace, "--to", "firefox", "--host", "a", "-o", "-"])
        .ended_with(2)
        .said("--host is for parquet");
}
