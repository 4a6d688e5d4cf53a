//! Recordings without names: none is left, and everything else is as it was.

use crate::rig::{Jdk, compile, info, jdk, jdks, locklens, run, scratch};
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};

/// Words that only names of the program have: one is of a thread, and one of an interface with a proxy.
const NAMES: [&str; 6] = [
    "philharmonic",
    "ticket",
    "ushers",
    "backstage",
    "10.1.2.3",
    "sopranos",
];

const PROGRAM: &str = "\
package backstage;
public class PhilharmonicTickets extends Thread {
    public interface Office { void greetSopranos() throws Exception; }
    private static final Office office = (Office) java.lang.reflect.Proxy.newProxyInstance(
        PhilharmonicTickets.class.getClassLoader(), new Class<?>[] { Office.class },
        (proxy, method, args) -> { takeTicket(); Thread.sleep(1); returnTicket(); return null; });
    private static final Object ticketDesk = new Object();
    private static int tickets = 4;
    PhilharmonicTickets(String name) { super(name); }
    static void takeTicket() throws InterruptedException {
        synchronized (ticketDesk) {
            while (tickets == 0) ticketDesk.wait();
            tickets--;
        }
    }
    static void returnTicket() {
        synchronized (ticketDesk) {
            tickets++;
            ticketDesk.notify();
        }
    }
    public void run() {
        try {
            for (int i = 0; i < 400; i++) {
                office.greetSopranos();
            }
        } catch (Exception e) { throw new AssertionError(\"ticket lost\", e); }
    }
    public static void main(String[] args) throws Exception {
        Thread[] all = new Thread[10];
        for (int i = 0; i < all.length; i++) (all[i] = new PhilharmonicTickets(i == 0 ? \"10.1.2.3:8080\" : \"ushers-\" + i)).start();
        for (Thread one : all) one.join();
    }
}
";

/// A recording of the program from its start.
fn recorded(jdk: &Jdk, flags: &[&str]) -> PathBuf {
    let folder = scratch("redact");
    fs::create_dir_all(&folder).unwrap();
    let source = folder.join("PhilharmonicTickets.java");
    fs::write(&source, PROGRAM).unwrap();
    compile(&[source], &folder);
    let trace = folder.join("app.llt");
    let (java, classes) = (jdk.java(), folder.to_string_lossy().into_owned());
    let mut words = vec!["record", "-o", trace.to_str().unwrap()];
    words.extend(flags);
    words.extend(["--", java.to_str().unwrap(), "-Xmx64m", "-cp", &classes]);
    words.push("backstage.PhilharmonicTickets");
    run(&words).ended_with(0);
    trace
}

/// What every command that reads a recording tells of it.
fn told(trace: &Path) -> String {
    let file = trace.to_str().unwrap();
    let commands: [&[&str]; 8] = [
        &["report", file, "--all"],
        &["report", file, "--json"],
        &["show", file, "1"],
        &["events", file, "--raw"],
        &["info", file, "--json"],
        &[
            "contention",
            file,
            "--by",
            "waiter-thread,waiter-stack,owner-stack",
        ],
        &["export", file, "--to", "firefox", "-o", "-"],
        &["html", file, "-o", "-"],
    ];
    let all = commands.map(|words| run(words).ended_with(0).stdout);
    all.concat()
}

fn has_no_names(trace: &Path, context: &str) {
    let file = fs::read(trace).unwrap();
    let texts = [told(trace), String::from_utf8_lossy(&file).into_owned()];
    for text in texts.map(|text| text.to_lowercase()) {
        for name in NAMES {
            let found = text.find(name).map(|at| {
                let around = text.as_bytes()[at.saturating_sub(100)..].iter();
                String::from_utf8_lossy(&around.take(200).copied().collect::<Vec<_>>()).into_owned()
            });
            assert_eq!(found, None, "{context}: {name}");
        }
    }
}

/// A report without its names: types and figures of each lock, in order.
fn figures(trace: &Path) -> Vec<Value> {
    let ran = run(&["report", trace.to_str().unwrap(), "--json"]).ended_with(0);
    let report: Value = serde_json::from_str(&ran.stdout).unwrap();
    let locks = report["locks"].as_array().unwrap().iter();
    let of_lock = |lock: &Value| {
        let types = lock["types"].as_array().unwrap().iter();
        let types: Vec<Value> = types
            .map(|one| {
                serde_json::json!([one["type"], one["confidence"], one["detail"], one["roles"]])
            })
            .collect();
        let keys = [
            "instances",
            "threads",
            "blocked",
            "blocked_ns",
            "waits",
            "wait_ns",
        ];
        serde_json::json!([types, keys.map(|key| lock[key].clone())])
    };
    locks.map(of_lock).collect()
}

#[test]
fn a_recording_without_names_has_none_on_any_jdk() {
    for jdk in jdks() {
        let trace = recorded(jdk, &["--redact"]);
        has_no_names(&trace, &format!("JDK {}", jdk.major));
        assert_eq!(info(&trace)["target"]["redacted"], "true");
        assert!(!figures(&trace).is_empty(), "JDK {}", jdk.major);
    }
}

#[test]
fn a_copy_without_names_says_the_same_as_the_original() {
    for jdk in jdks() {
        let context = format!("JDK {}", jdk.major);
        let original = recorded(jdk, &[]);
        assert!(
            told(&original).to_lowercase().contains(NAMES[0]),
            "{context}"
        );
        let copy = original.with_file_name("copy.llt");
        let (file, out) = (original.to_str().unwrap(), copy.to_str().unwrap());
        run(&["redact", file, "-o", out]).ended_with(0);
        has_no_names(&copy, &context);
        assert_eq!(figures(&copy), figures(&original), "{context}");
        run(&["redact", file, "-o", file]).ended_with(2);
    }
}

#[test]
fn copies_made_with_one_key_are_the_same_and_others_are_not() {
    let original = recorded(jdk(), &[]);
    let copy = |name: &str, key: Option<&str>| {
        let out = original.with_file_name(name);
        let mut command = locklens();
        command
            .args(["redact", original.to_str().unwrap(), "-o"])
            .arg(&out);
        match key {
            Some(key) => command.env("LOCKLENS_REDACT_KEY", key),
            None => command.env_remove("LOCKLENS_REDACT_KEY"),
        };
        assert!(command.status().unwrap().success());
        fs::read(&out).unwrap()
    };
    assert!(copy("a.llt", Some("one")) == copy("b.llt", Some("one")));
    assert!(copy("a.llt", Some("one")) != copy("b.llt", Some("other")));
    assert!(copy("a.llt", None) != copy("b.llt", None));
}

#[test]
fn what_was_damaged_is_damaged_in_the_copy() {
    let original = recorded(jdk(), &[]);
    let mut bytes = fs::read(&original).unwrap();
    let cut = bytes.len() - 7;
    bytes.truncate(cut);
    fs::write(&original, bytes).unwrap();
    let copy = original.with_file_name("copy.llt");
    let words = [
        "redact",
        original.to_str().unwrap(),
        "-o",
        copy.to_str().unwrap(),
    ];
    run(&words).ended_with(0).said("could not be read");
    assert_eq!(
        info(&copy)["gaps"].as_array().map(Vec::len),
        info(&original)["gaps"].as_array().map(Vec::len)
    );
    assert_eq!(figures(&copy), figures(&original));
}
