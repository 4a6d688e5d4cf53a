//! `locklens view`: the page of a trace with every stay of it, served to browsers of this computer and to nobody else.

use crate::browser::{Page, browser};
use crate::rig::{Running, eventually, locklens, run, scratch, signal};
use locklens_trace::chunk::{Encoder, feature, file_header_with};
use locklens_trace::record::{
    ClassDef, End, EndReason, LockDef, LockObject, ThreadDef, Tick, target_key,
};
use locklens_trace::{ClassId, Event, EventKind, LockId, Nanos, Owner, Record, ThreadId};
use serde_json::{Value, json};
use std::fs;
use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::Duration;

/// Stays of each kind: more than a page keeps.
const ROUNDS: u64 = 30_000;
/// How long a round takes, ns.
const ROUND: u64 = 16_000;
const THREADS: u64 = 4;

fn event(at: u64, thread: u64, kind: EventKind) -> Record {
    Record::Event(Event {
        at: Nanos(at),
        thread: ThreadId(thread as u32),
        kind,
        lock: Some(LockId(1)),
        stack: None,
        owner: Owner::Unknown,
        seq: None,
    })
}

fn definitions() -> Vec<Record> {
    let exact = (target_key::EXACT.to_owned(), "true".to_owned());
    let mut records = vec![Record::Target(vec![exact])];
    records.push(Record::Class(ClassDef {
        id: ClassId(1),
        loader: None,
        name: "shop.Till".into(),
        super_name: None,
        interfaces: Vec::new(),
        flags: 0,
        source_file: None,
    }));
    records.push(Record::Lock(LockDef {
        id: LockId(1),
        class: ClassId(1),
        hash: 1,
        object: LockObject::Plain,
    }));
    records.extend((1..=THREADS).map(|id| {
        Record::Thread(ThreadDef {
            id: ThreadId(id as u32),
            tid: 10 + id,
            name: format!("cashier-{id}"),
            group: None,
            daemon: false,
            is_virtual: false,
            at_start: true,
        })
    }));
    records
}

/// Threads that come to a lock in turn, are blocked there for a while, and hold it for a while.
fn trace() -> Vec<u8> {
    let mut bytes = file_header_with(feature::EXACT).to_vec();
    let mut encoder = Encoder::new();
    definitions().iter().for_each(|record| encoder.push(record));
    for round in 0..ROUNDS {
        let (at, thread) = (round * ROUND + 1_000, round % THREADS + 1);
        let blocked = 200 + round * 7_919 % 9_000;
        let held = 100 + round * 104_729 % 5_000;
        encoder.push(&event(at, thread, EventKind::Enter));
        encoder.push(&event(at + blocked, thread, EventKind::Entered));
        encoder.push(&event(at + blocked + held, thread, EventKind::Exit));
        if round % 1_000 == 999 {
            encoder.push(&Record::Tick(Tick {
                at: Nanos(at + ROUND - 1_000),
                agent_cpu: Nanos(0),
            }));
            bytes.extend(encoder.take_chunk());
        }
    }
    encoder.push(&Record::End(End {
        at: Nanos(ROUNDS * ROUND + 1_000),
        reason: EndReason::Stopped,
    }));
    bytes.extend(encoder.take_chunk());
    bytes
}

fn written(bytes: &[u8]) -> PathBuf {
    let path = scratch("till.llt");
    fs::write(&path, bytes).unwrap();
    path
}

/// The command under way, and the address that it has printed.
struct View {
    running: Running,
    address: String,
    said: std::sync::Arc<std::sync::Mutex<String>>,
}

impl View {
    fn of(trace: &Path) -> Self {
        let mut running = Running::start(&["view", &trace.to_string_lossy()]);
        let (printed, said) = (running.read(), running.hear());
        eventually("the address is printed", || {
            printed.lock().unwrap().ends_with('\n')
        });
        let address = printed.lock().unwrap().trim_end().to_owned();
        Self {
            running,
            address,
            said,
        }
    }

    fn port(&self) -> u16 {
        let rest = self.address.strip_prefix("http://127.0.0.1:").unwrap();
        rest.split_once('/').unwrap().0.parse().unwrap()
    }

    /// The path of the page.
    fn path(&self) -> &str {
        let (_, rest) = self.address.split_once("//").unwrap();
        &rest[rest.find('/').unwrap()..]
    }

    /// What is answered to these bytes.
    fn raw(&self, request: &[u8]) -> String {
        let mut stream = TcpStream::connect(("127.0.0.1", self.port())).unwrap();
        stream
            .set_read_timeout(Some(Duration::from_secs(60)))
            .unwrap();
        stream.write_all(request).unwrap();
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer).unwrap();
        String::from_utf8(answer).unwrap()
    }

    fn asked(&self, method: &str, path: &str, host: &str) -> String {
        self.raw(format!("{method} {path} HTTP/1.1\r\nHost: {host}\r\n\r\n").as_bytes())
    }

    fn get(&self, path: &str) -> String {
        self.asked("GET", path, &format!("127.0.0.1:{}", self.port()))
    }

    /// Ctrl-C ends it, and all is well.
    fn ends(self) {
        signal(self.running.pid(), "INT");
        self.running.wait().ended_with(0);
    }
}

#[test]
fn the_page_has_every_stay_that_the_trace_has() {
    let Some(browser) = browser() else { return };
    let trace = written(&trace());
    let view = View::of(&trace);
    let mut page = Page::at(&browser, &view.address);
    page.waits_for("document.getElementById('summary').textContent.startsWith('Shown')");
    assert!(page.value("STAYS[BLOCKED].leftOut").as_u64() > Some(5_000));
    assert_eq!(
        page.value("part.to"),
        json!(-1),
        "nothing is asked for the whole"
    );
    let events = events(&trace);
    // In the middle, at the end, and wider than what was asked for before.
    for (from, to) in [
        (240_000_000, 240_200_000),
        (479_900_000, 480_001_000),
        (100_000_000, 103_000_000),
    ] {
        page.value(&format!("view.show({from}, {to})"));
        page.waits_for("isWhole(BLOCKED) && isWhole(HOLDING)");
        page.waits_for("document.getElementById('resolution').textContent.startsWith('Exact')");
        for (deed, begins, ends) in [
            ("BLOCKED", "ENTER", "ENTERED"),
            ("HOLDING", "ENTERED", "EXIT"),
        ] {
            let wanted = between(&events, (begins, ends), (from, to));
            assert!(wanted.len() > 5, "{wanted:?}");
            let told = format!(
                "(() => {{ const all = [], stays = STAYS[{deed}]; touching(stays, stays.ofLock[0], {from}, {to}, (i) => all.push([THREADS[stays.thread[i]].tid, stays.from[i], stays.to[i]])); return all; }})()"
            );
            assert_eq!(page.value(&told), json!(wanted), "{deed} from {from}");
            let common =
                |&(_, begin, end): &(u64, u64, u64)| end.min(to).saturating_sub(begin.max(from));
            let sum = format!("sums({from}, {to})[0][{deed}]");
            assert_eq!(
                page.value(&sum).as_f64(),
                Some(wanted.iter().map(common).sum::<u64>() as f64),
                "{deed} from {from}"
            );
        }
        page.waits_for("!document.getElementById('summary').textContent.includes('about')");
    }
    // Where not all are here, part of an interval has about so much.
    page.value("view.show(1000, END - 1000)");
    page.waits_for("document.getElementById('summary').textContent.includes('Blocked about ')");
    // Rows that share threads have them, too; and what the page keeps for good is as it was.
    page.value("(() => { folding.by = 1; fillRows(); return 0; })()");
    let shared = "STAYS[BLOCKED].ofThread[rows.threads[0]].list.length";
    assert!(page.value(shared).as_u64() > Some(20_000));
    assert_eq!(page.value("STAYS[BLOCKED].count"), json!(20_000));
    for address in page.asked_without_trouble() {
        assert!(address.starts_with(&view.address), "{address}");
    }
    drop(page);
    view.ends();
    fs::remove_file(trace).unwrap();
}

/// The events of the trace as another command prints them: name, thread, time.
fn events(trace: &Path) -> Vec<(String, u64, u64)> {
    let printed = run(&["events", &trace.to_string_lossy(), "--raw", "--json"]).ended_with(0);
    let document: Value = serde_json::from_str(&printed.stdout).unwrap();
    let events = document["events"].as_array().unwrap().iter();
    let row = |row: &Value| {
        let name = row["event"].as_str().unwrap().to_owned();
        let number = |of: &str| row[of].as_u64().unwrap();
        (name, number("tid"), number("not_before_ns"))
    };
    events.map(row).collect()
}

/// Threads with what lies between two events of them and touches a span.
fn between(
    events: &[(String, u64, u64)],
    (begins, ends): (&str, &str),
    (from, to): (u64, u64),
) -> Vec<(u64, u64, u64)> {
    let mut found = Vec::new();
    for (at, (name, tid, since)) in events.iter().enumerate() {
        let until = || events[at..].iter().find(|(n, t, _)| n == ends && t == tid);
        if name == begins && *since <= to && *since + ROUND >= from {
            let until = until().unwrap().2;
            found.extend((until >= from).then_some((*tid, *since, until)));
        }
    }
    found.sort_by_key(|&(_, since, _)| since);
    found
}

#[test]
fn nobody_gets_anything_who_has_not_the_address() {
    let trace = written(&trace());
    let view = View::of(&trace);
    let (port, path) = (view.port(), view.path());
    let page = view.get(path);
    assert!(page.starts_with("HTTP/1.1 200 OK\r\n"), "{page:.200}");
    assert!(page.contains("connect-src 'self'") && page.contains("frame-ancestors 'none'"));
    assert!(!page.contains("Access-Control"));
    assert_eq!(path.len(), 34, "128 bits: {path}");
    let part = view.get(&format!("{path}detail?from=1000&to=90000"));
    let part: Value = serde_json::from_str(part.split_once("\r\n\r\n").unwrap().1).unwrap();
    assert_eq!(
        [&part["from_ns"], &part["to_ns"]],
        [&json!(1000), &json!(90_000)]
    );
    let other = format!("/{}/", "0".repeat(32));
    for path in [
        "/",
        "/favicon.ico",
        &other,
        &format!("{other}detail?from=1&to=2"),
    ] {
        let answer = view.get(path);
        assert!(answer.starts_with("HTTP/1.1 404 "), "{path}: {answer}");
    }
    for path in [format!("{path}detail"), format!("{path}detail?from=2&to=1")] {
        let answer = view.get(&path);
        assert!(answer.starts_with("HTTP/1.1 400 "), "{path}: {answer}");
    }
    for host in [
        "evil.example",
        &format!("evil.example:{port}"),
        "127.0.0.1",
        "",
    ] {
        let answer = view.asked("GET", path, host);
        assert!(answer.starts_with("HTTP/1.1 400 "), "{host}: {answer}");
    }
    let localhost = view.asked("GET", path, &format!("localhost:{port}"));
    assert!(localhost.starts_with("HTTP/1.1 200 "));
    let posted = view.asked("POST", path, &format!("localhost:{port}"));
    assert!(posted.starts_with("HTTP/1.1 405 ") && posted.contains("\r\nAllow: GET\r\n"));
    assert!(view.raw(b"nonsense\r\n\r\n").starts_with("HTTP/1.1 400 "));
    view.ends();
    fs::remove_file(trace).unwrap();
}

#[test]
fn connections_that_say_nothing_keep_nobody_from_anything() {
    let trace = written(&trace());
    let view = View::of(&trace);
    let silent: Vec<TcpStream> = (0..8)
        .map(|_| TcpStream::connect(("127.0.0.1", view.port())).unwrap())
        .collect();
    let mut endless = TcpStream::connect(("127.0.0.1", view.port())).unwrap();
    // It is closed after 8 KB, whatever comes.
    eventually("a head without an end is not taken in", || {
        endless.write_all(&[b'x'; 4096]).is_err()
    });
    assert!(view.get(view.path()).starts_with("HTTP/1.1 200 "));
    // They do not keep it from ending, either.
    view.ends();
    drop(silent);
    fs::remove_file(trace).unwrap();
}

#[test]
fn what_is_cut_off_or_empty_is_served_and_said() {
    let whole = trace();
    let cut = written(&whole[..whole.len() / 2]);
    let view = View::of(&cut);
    eventually("it says that it is partial", || {
        view.said.lock().unwrap().contains("PARTIAL")
    });
    assert!(view.get(view.path()).contains("PARTIAL"));
    let part = view.get(&format!(
        "{}detail?from=100000000&to=100100000",
        view.path()
    ));
    assert!(part.starts_with("HTTP/1.1 200 "), "{part}");
    view.ends();
    let empty = written(&whole[..16]);
    let view = View::of(&empty);
    assert!(view.get(view.path()).starts_with("HTTP/1.1 200 "));
    view.ends();
    for file in [cut, empty] {
        fs::remove_file(file).unwrap();
    }
}

#[test]
fn what_can_not_be_served_is_said() {
    let trace = written(&trace());
    let taken = TcpListener::bind(("127.0.0.1", 0)).unwrap();
    let port = taken.local_addr().unwrap().port().to_string();
    run(&["view", &trace.to_string_lossy(), "--port", &port])
        .ended_with(2)
        .said("is taken")
        .said("another --port");
    run(&["view", "/nowhere.llt"])
        .ended_with(2)
        .said("can't read");
    run(&["view", "Cargo.toml"])
        .ended_with(2)
        .said("not a locklens trace");
    fs::remove_file(trace).unwrap();
}

#[test]
fn a_browser_is_sent_there_without_the_address_among_its_words() {
    let trace = written(&trace());
    let folder = scratch("bin");
    fs::create_dir_all(&folder).unwrap();
    let (opener, told) = (folder.join("xdg-open"), folder.join("told"));
    let script = format!(
        "#!/bin/sh\necho \"$@\" > {0}.words\ncat \"$1\" > {0}\nmv {0}.words {0}.done\n",
        told.display()
    );
    fs::write(&opener, script).unwrap();
    let mode = std::os::unix::fs::PermissionsExt::from_mode(0o755);
    fs::set_permissions(&opener, mode).unwrap();
    let path = format!("{}:/usr/bin:/bin", folder.display());
    let mut command = locklens();
    command.args(["view", &trace.to_string_lossy(), "--open"]);
    command
        .env("PATH", path)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let mut running = Running(command.spawn().unwrap());
    let printed = running.read();
    let done = PathBuf::from(format!("{}.done", told.display()));
    eventually("the browser is started", || {
        done.exists() && printed.lock().unwrap().ends_with('\n')
    });
    let address = printed.lock().unwrap().trim_end().to_owned();
    let (words, file) = (
        fs::read_to_string(&done).unwrap(),
        fs::read_to_string(&told).unwrap(),
    );
    assert!(file.contains(&format!("url={address}\"")), "{file}");
    let lead = PathBuf::from(words.trim_end());
    assert!(lead.exists() && !words.contains(&address), "{words}");
    signal(running.pid(), "INT");
    running.wait().ended_with(0);
    assert!(!lead.exists(), "{words}");
    fs::remove_dir_all(folder).unwrap();
    fs::remove_file(trace).unwrap();
}
