//! Who blocked whom, held against programs that keep books of it themselves (`testapps/contention`).

use crate::rig::{
    Jdk, Ran, Running, Subject, compile, eventually, jdk, jdks, locklens, run, scratch,
};
use serde_json::Value;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

/// Points that a share may be wrong by.
const POINTS: f64 = 3.0;
/// Rounds of a program: each thread is seen at the lock often enough to conclude something from it.
const ROUNDS: &str = "50";

fn testapps(folder: &str) -> PathBuf {
    let all = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testapps");
    all.join(folder)
}

/// Folder with the compiled programs.
fn classes() -> &'static Path {
    static CLASSES: OnceLock<PathBuf> = OnceLock::new();
    CLASSES.get_or_init(|| {
        let out = scratch("contention-classes");
        fs::create_dir_all(&out).unwrap();
        let ours = ["HeldShares", "HeldByLock", "HeldTogether"]
            .map(|name| format!("contention/{name}.java"));
        let others = ["nesting/StuckPair.java".to_owned()];
        let sources: Vec<_> = ours
            .iter()
            .chain(&others)
            .map(|name| testapps(name))
            .collect();
        compile(&sources, &out);
        out
    })
}

/// A program from its start to its end, recorded, and the books it kept.
struct Told {
    trace: PathBuf,
    /// Nanoseconds in which threads wanted in.
    blocked: f64,
    /// Who had it then: `thread` or `method`, name, nanoseconds.
    books: Vec<(String, String, f64)>,
}

impl Told {
    fn of(jdk: &Jdk, how: &[&str], program: &[&str]) -> Self {
        let trace = scratch("held.llt");
        let (java, path) = (jdk.java(), trace.to_string_lossy().into_owned());
        let classes = classes().to_string_lossy().into_owned();
        let java = java.to_string_lossy().into_owned();
        let mut words = how.to_vec();
        words.extend(["-o", &path, "--", &java, "-Xmx64m", "-cp", &classes]);
        words.extend(program);
        let said = run(&words).ended_with(0).printed("DONE").stdout;
        let mut told = Self {
            trace,
            blocked: 0.0,
            books: Vec::new(),
        };
        for line in said.lines() {
            let words: Vec<&str> = line.split(' ').collect();
            match words[..] {
                ["BLOCKED", ns] => told.blocked = ns.parse().unwrap(),
                ["BOOK", what, name, ns] => {
                    let ns = ns.parse().unwrap();
                    told.books.push((what.to_owned(), name.to_owned(), ns));
                }
                _ => {}
            }
        }
        assert!(!told.books.is_empty(), "{said}");
        told
    }

    /// Percent of the blocked time of a group by this key; what is no name under what it is.
    fn shares(&self, group: &str, key: &str) -> BTreeMap<String, f64> {
        let path = self.trace.to_string_lossy().into_owned();
        let by = format!("group,{key}");
        let ran = run(&["contention", &path, "--json", "--by", &by]).ended_with(0);
        let blame: Value = serde_json::from_str(&ran.stdout).unwrap();
        assert_eq!(blame["schema"], 1);
        let groups = blame["rows"].as_array().unwrap();
        let of_group = groups.iter().find(|row| row["keys"]["group"] == group);
        let of_group = of_group.unwrap_or_else(|| panic!("no {group} in {blame:#}"));
        let total = of_group["ns"].as_f64().unwrap();
        let near = (total / self.blocked - 1.0).abs() < 0.05;
        assert!(near, "{total} of {} ns blocked", self.blocked);
        let rows = of_group["children"].as_array().unwrap();
        let share = |row: &Value| {
            let name = row["keys"][key].as_str().or(row["is"].as_str()).unwrap();
            let name = name.rsplit('.').next().unwrap().to_owned();
            (name, 100.0 * row["ns"].as_f64().unwrap() / total)
        };
        rows.iter().map(share).collect()
    }

    /// Percent of the blocked time in which nobody had it by the books: they are closed a little before the lock is given up,
    /// and on a busy machine that may be long. Who had it last is charged with it.
    fn unbooked(&self, what: &str) -> f64 {
        let booked = self.books.iter().filter(|book| book.0 == what);
        let booked: f64 = booked.map(|(_, _, ns)| ns).sum();
        let rest = (100.0 - 100.0 * booked / self.blocked).max(0.0);
        assert!(rest < 30.0, "the books have hardly any {what}");
        rest
    }

    /// The most that may be said of somebody.
    fn most(&self, what: &str, truth: f64) -> f64 {
        let kind = what.split(' ').next().unwrap();
        truth + self.unbooked(kind) + POINTS
    }

    /// The books with what is said of them: what it is, percent in the books, percent said, percent unknown.
    fn compared(&self, group: &str) -> Vec<(String, f64, f64, f64)> {
        let keys = [("thread", "owner-thread"), ("method", "owner-method")];
        let kept = |what: &str| self.books.iter().any(|book| book.0 == what);
        let keys = keys.into_iter().filter(|(what, _)| kept(what));
        let all = keys.flat_map(|(what, key)| {
            let shares = self.shares(group, key);
            let of = |name: &str| shares.get(name).copied().unwrap_or(0.0);
            let books = self.books.iter().filter(|book| book.0 == what);
            let compare = |(what, name, ns): &(String, String, f64)| {
                let truth = 100.0 * ns / self.blocked;
                (format!("{what} {name}"), truth, of(name), of("unknown"))
            };
            books.map(compare).collect::<Vec<_>>()
        });
        all.collect()
    }

    /// Every share is known, and as in the books.
    #[track_caller]
    fn is_exact(&self, group: &str) {
        for (what, truth, said, unknown) in self.compared(group) {
            let most = self.most(&what, truth);
            let right = said <= most && truth <= said + POINTS && unknown <= POINTS;
            assert!(
                right,
                "{what}: {said:.1} % of {truth:.1} % (at most {most:.1} %), {unknown:.1} % unknown"
            );
        }
    }

    /// Looks at owners come near the books, by far more than they may be off by chance. Whether there were enough of them:
    /// on a busy machine the agent looks less often.
    #[track_caller]
    fn is_sampled(&self) -> bool {
        let path = self.trace.to_string_lossy().into_owned();
        let ran = run(&["contention", &path, "--json"]).ended_with(0);
        let blame: Value = serde_json::from_str(&ran.stdout).unwrap();
        let lock = &blame["looks"]["locks"][0];
        if lock["looks"].as_u64().is_none_or(|looks| looks < 10) {
            return false;
        }
        let places = lock["places"].as_array().unwrap();
        let number = |place: &Value, key: &str| place[key].as_f64().unwrap();
        let all: f64 = places.iter().map(|place| number(place, "percent")).sum();
        assert!((all - 100.0).abs() < 1e-6, "{lock:#}");
        for (what, name, ns) in &self.books {
            if what != "method" {
                continue;
            }
            let truth = 100.0 * ns / self.blocked;
            let is_it = |place: &&Value| {
                let method = place["method"].as_str();
                method.is_some_and(|method| method.rsplit('.').next() == Some(name))
            };
            let place = places.iter().find(is_it);
            let said = place.map_or(0.0, |place| number(place, "percent"));
            // Of so many looks that know nothing of each other 19 times of 20 one finds what has this share.
            let missed = 300.0 / lock["independent"].as_f64().unwrap().max(1.0);
            let error = place.map_or(missed, |place| {
                (number(place, "high_percent") - said).max(said - number(place, "low_percent"))
            });
            let unknown = places.iter().filter(|place| place["is"] == "unknown");
            let unknown: f64 = unknown.map(|place| number(place, "percent")).sum();
            // Twice the error of 95 times of 100 is exceeded once in 10,000 times. Below a place's own error it may not be found.
            let far = POINTS + 2.0 * error.max(5.0);
            let most = truth + far + self.unbooked("method");
            let right = said <= most && truth <= said + unknown + far;
            assert!(right, "{name}: {said:.1} % of {truth:.1} %: {lock:#}");
        }
        true
    }

    /// Percent of the group's time of which this chain is told up to where its thread began.
    fn whole_chains(&self, group: &str, key: &str) -> f64 {
        let path = self.trace.to_string_lossy().into_owned();
        let by = format!("group,{key}");
        let ran = run(&["contention", &path, "--json", "--by", &by]).ended_with(0);
        let blame: Value = serde_json::from_str(&ran.stdout).unwrap();
        let groups = blame["rows"].as_array().unwrap();
        let of_group = groups.iter().find(|row| row["keys"]["group"] == group);
        let of_group = of_group.unwrap_or_else(|| panic!("no {group} in {blame:#}"));
        let ns = |row: &Value| row["ns"].as_f64().unwrap();
        let is_whole = |row: &&Value| {
            let frames = row["keys"][key].as_array();
            let outermost = frames.and_then(|frames| frames.last()?.as_str());
            outermost.is_some_and(|frame| frame.starts_with("java.lang.Thread.run"))
        };
        let rows = of_group["children"].as_array().unwrap();
        let whole: f64 = rows.iter().filter(is_whole).map(ns).sum();
        let of_nobody = rows.iter().filter(|row| row["is"] == "nobody");
        let all = ns(of_group) - of_nobody.map(ns).sum::<f64>();
        100.0 * whole / all
    }

    /// Percent of the group's time of which it is unknown who held the lock, or by which method.
    fn unknown(&self, group: &str) -> f64 {
        let unknown = self.compared(group).into_iter().map(|row| row.3);
        unknown.fold(0.0, f64::max)
    }

    /// No share that is known is wrong; what is missing is unknown.
    #[track_caller]
    fn is_honest(&self, group: &str) {
        for (what, truth, said, unknown) in self.compared(group) {
            let most = self.most(&what, truth);
            let right = said <= most && truth <= said + unknown + POINTS;
            assert!(
                right,
                "{what}: {said:.1} % of {truth:.1} % (at most {most:.1} %), {unknown:.1} % unknown"
            );
        }
    }
}

impl Drop for Told {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.trace);
    }
}

const EXACTLY: [&str; 2] = ["trace", "--all-app"];

#[test]
fn exact_shares_are_those_of_the_books() {
    for jdk in jdks() {
        for how in ["plain", "throwing", "waiting", "barging"] {
            let told = Told::of(jdk, &EXACTLY, &["HeldShares", how, ROUNDS]);
            told.is_exact("monitor");
            for key in ["waiter-stack", "owner-stack"] {
                let whole = told.whole_chains("monitor", key);
                let context = format!("JDK {}, {how}", jdk.major);
                assert!(whole > 90.0, "{context}: {whole:.1} % by {key}");
            }
        }
    }
}

#[test]
fn shares_from_contention_alone_are_right_or_unknown() {
    for jdk in jdks() {
        let mut sampled = 0;
        for how in ["plain", "throwing", "waiting", "barging"] {
            let told = Told::of(jdk, &["record"], &["HeldShares", how, ROUNDS]);
            told.is_honest("monitor");
            sampled += u32::from(told.is_sampled());
            if how == "plain" {
                // Each thread has one method: nothing speaks against any of them, unless the machine is so busy that
                // threads that come back overtake those that were woken.
                let again = || Told::of(jdk, &["record"], &["HeldShares", how, ROUNDS]);
                let is_known = |told: &Told| {
                    told.is_honest("monitor");
                    told.unknown("monitor") <= POINTS
                };
                let known = is_known(&told) || (0..2).any(|_| is_known(&again()));
                assert!(known, "JDK {}", jdk.major);
            }
        }
        // Up to JDK 15 the JVM stops for each look, so there are few of them, and fewer on a busy machine.
        let mut rounds = ROUNDS.parse::<u32>().unwrap();
        while sampled == 0 {
            rounds *= 2;
            assert!(rounds <= 800, "JDK {}: hardly any looks", jdk.major);
            let program = ["HeldShares", "plain", &rounds.to_string()];
            let told = Told::of(jdk, &["record"], &program);
            told.is_honest("monitor");
            sampled += u32::from(told.is_sampled());
        }
    }
}

#[test]
fn parked_threads_are_blamed_on_who_unparked_them() {
    for jdk in jdks() {
        let how = ["trace", "--all-app", "--juc"];
        let told = Told::of(jdk, &how, &["HeldByLock", ROUNDS]);
        told.is_exact("java.util.concurrent");
        for key in ["waiter-stack", "owner-stack"] {
            let whole = told.whole_chains("java.util.concurrent", key);
            assert!(whole > 90.0, "JDK {}: {whole:.1} % by {key}", jdk.major);
        }
    }
}

#[test]
fn both_call_chains_of_a_lock_that_the_program_has_built_are_whole_on_every_jdk() {
    for jdk in jdks() {
        let told = Told::of(jdk, &EXACTLY, &["HeldTogether", "door", ROUNDS]);
        for key in ["waiter-stack", "owner-stack"] {
            let whole = told.whole_chains("lock of the program", key);
            assert!(whole > 90.0, "JDK {}: {whole:.1} % by {key}", jdk.major);
        }
    }
}

#[test]
fn who_holds_a_lock_together_is_charged_in_equal_parts() {
    let kinds = [
        ("door", "lock of the program"),
        ("rw", "java.util.concurrent"),
        ("permits", "java.util.concurrent"),
    ];
    for (kind, group) in kinds {
        let how = ["trace", "--all-app", "--juc"];
        let told = Told::of(jdk(), &how, &["HeldTogether", kind, ROUNDS]);
        told.is_exact(group);
    }
}

#[test]
fn waits_name_who_ended_them() {
    let told = Told::of(jdk(), &EXACTLY, &["HeldShares", "waiting", ROUNDS]);
    let path = told.trace.to_string_lossy().into_owned();
    let words = [
        "contention",
        &path,
        "--waits",
        "--json",
        "--by",
        "lock,owner-method",
    ];
    let blame: Value = serde_json::from_str(&run(&words).ended_with(0).stdout).unwrap();
    let rows = blame["rows"].as_array().unwrap();
    let ledger = rows.iter().find(|row| {
        let name = row["keys"]["lock"].as_str();
        name.is_some_and(|name| name.contains("LEDGER") || name.contains("Ledger"))
    });
    let enders = ledger.unwrap_or_else(|| panic!("{blame:#}"))["children"]
        .as_array()
        .unwrap();
    assert_eq!(
        enders[0]["keys"]["owner-method"], "HeldShares.work",
        "{blame:#}"
    );
}

#[test]
fn owners_are_followed_into_a_deadlock() {
    let mut subject = Subject::start_in(jdk(), classes(), &["StuckPair"]);
    let trace = subject.trace().to_string_lossy().into_owned();
    let record = Running::start(&["record", &subject.word(), "-d", "0", "-o", &trace]);
    eventually("the recording is under way", || subject.is_recorded());
    subject.say("eat");
    eventually("both are stuck", || {
        let dump = run(&["attach", &subject.word(), "threaddump"]).stdout;
        dump.contains("Found one Java-level deadlock")
    });
    crate::rig::signal(record.pid(), "INT");
    record.wait().ended_with(0);
    run(&["contention", &trace, "--root", "--by", "owner-thread"])
        .ended_with(0)
        .printed("(deadlock)");
    run(&["contention", &trace, "--by", "owner-thread"])
        .ended_with(0)
        .printed("by anna")
        .printed("by bruno");
}

/// Who has taken a monitor lightly is not named by it (JDK 25) until he leaves.
#[test]
fn owners_from_before_the_recording_are_seen_by_looks() {
    for jdk in jdks() {
        let mut subject = Subject::start_in(jdk, classes(), &["StuckPair"]);
        subject.say("eat");
        eventually("both are stuck", || {
            let dump = run(&["attach", &subject.word(), "threaddump"]).stdout;
            dump.contains("Found one Java-level deadlock")
        });
        let trace = subject.trace().to_string_lossy().into_owned();
        // To JDK 15 the JVM stops for a look at one monitor, and the longer that takes on a busy machine the fewer there are.
        let looks = [2, 4, 8, 16, 32].iter().find_map(|seconds: &u32| {
            let length = format!("{seconds}s");
            let words = ["record", &subject.word(), "-d", &length, "-o", &trace];
            run(&[&words[..], &["--force"]].concat()).ended_with(0);
            let ran = run(&["contention", &trace, "--json"]).ended_with(0);
            let blame: Value = serde_json::from_str(&ran.stdout).unwrap();
            let looks = blame["looks"]["locks"].as_array().unwrap().clone();
            (looks.len() == 2).then_some(looks)
        });
        let looks = looks.unwrap_or_else(|| panic!("JDK {}: hardly any looks", jdk.major));
        // Where nobody was there to look for a while, who is not named (JDK 25) may be another one by then.
        for lock in &looks {
            let mut places = lock["places"].as_array().unwrap().iter();
            let is_known = places.any(|place| place["is"] == "known");
            assert!(is_known, "JDK {}: {looks:#?}", jdk.major);
        }
    }
}

#[test]
fn owners_are_followed_and_times_told_of_a_jvm_under_way() {
    for jdk in jdks() {
        let mut subject = Subject::start_in(jdk, classes(), &["StuckPair"]);
        let by = ["--root", "--by", "time,owner-thread", "--json"];
        let words = ["contention", &subject.word(), "--live", "-d", "0"];
        let live = Running::start(&[&words[..], &by].concat());
        eventually("it is under way", || subject.is_recorded());
        subject.say("eat");
        eventually("both are stuck", || {
            let dump = run(&["attach", &subject.word(), "threaddump"]).stdout;
            dump.contains("Found one Java-level deadlock")
        });
        crate::rig::signal(live.pid(), "INT");
        let ran = live.wait().ended_with(0);
        let blame: Value = serde_json::from_str(&ran.stdout).unwrap();
        assert_eq!(blame["root"], true, "{blame:#}");
        assert_eq!(blame["interval_ns"], 1_000_000_000, "{blame:#}");
        assert!(blame["deadlock_ns"].as_u64() > Some(0), "{blame:#}");
        for part in blame["rows"].as_array().unwrap() {
            let from = part["keys"]["time"].as_u64().unwrap();
            assert_eq!(from % 1_000_000_000, 0, "{blame:#}");
        }
    }
}

/// Its threads do the same all the time: what somebody sees who comes a little late is as all of it.
#[test]
fn a_jvm_under_way_tells_the_same_shares_without_a_trace() {
    let mut least = f64::INFINITY;
    for jdk in jdks() {
        let folder = scratch("live");
        fs::create_dir_all(&folder).unwrap();
        let (subject, lines) =
            Subject::start_heard(jdk, classes(), &["HeldShares", "plain", ROUNDS]);
        let words = ["contention", &subject.word(), "--live", "-d", "0", "--json"];
        let by = ["--by", "owner-thread,owner-method"];
        let ran = locklens()
            .args(words)
            .args(by)
            .current_dir(&folder)
            .output();
        let ran = Ran::from(ran.unwrap()).ended_with(0);
        let blame: Value = serde_json::from_str(&ran.stdout).unwrap();
        let total = blame["blocked_ns"].as_f64().unwrap();
        // Where threads get no processor, more of it is not known of whom.
        let unknown = 100.0 * blame["unknown_owner_ns"].as_f64().unwrap() / total;
        least = least.min(unknown);
        let said = |name: &str| {
            let rows = blame["rows"].as_array().unwrap();
            let row = rows.iter().find(|row| row["keys"]["owner-thread"] == name);
            row.map_or(0.0, |row| 100.0 * row["ns"].as_f64().unwrap() / total)
        };
        let (mut blocked, mut seen) = (0.0, 0);
        for line in lines.map_while(Result::ok) {
            match line.split(' ').collect::<Vec<_>>()[..] {
                ["BLOCKED", ns] => blocked = ns.parse::<f64>().unwrap(),
                ["BOOK", "thread", name, ns] => {
                    let truth = 100.0 * ns.parse::<f64>().unwrap() / blocked;
                    let (said, major) = (said(name), jdk.major);
                    let near =
                        said <= truth + 2.0 * POINTS && said + unknown >= truth - 2.0 * POINTS;
                    assert!(
                        near,
                        "JDK {major}: {name}: {said:.1} % of {truth:.1} %, unknown {unknown:.1} %"
                    );
                    seen += 1;
                }
                _ => {}
            }
        }
        assert!(seen > 0 && total > 0.5 * blocked, "{blame:#}");
        assert_eq!(fs::read_dir(&folder).unwrap().count(), 0);
        fs::remove_dir(folder).unwrap();
    }
    assert!(
        least < 50.0,
        "of most it is not known anywhere: {least:.1} %"
    );
}

#[test]
fn what_is_live_and_what_is_a_file_is_told_apart() {
    let subject = Subject::start_in(jdk(), classes(), &["StuckPair"]);
    let word = subject.word();
    run(&["contention", &word])
        .ended_with(2)
        .said("--live watches it now")
        .said("locklens record");
    run(&["contention", "x.llt", "--live"])
        .ended_with(2)
        .said("is a trace");
    let trace = subject.trace().to_string_lossy().into_owned();
    run(&["record", &word, "-d", "1ms", "-o", &trace]).ended_with(0);
    run(&["contention", &trace, "-d", "3s"])
        .ended_with(2)
        .said("for --live");
    run(&["contention", &word, "--live", "-d", "10ms"])
        .ended_with(0)
        .printed("No thread was blocked");
}

#[test]
fn pictures_and_tables_are_written_and_known_again() {
    let told = Told::of(jdk(), &["record"], &["HeldShares", "plain", "10"]);
    let path = told.trace.to_string_lossy().into_owned();
    let picture = scratch("blame.svg");
    let svg = picture.to_string_lossy().into_owned();
    for _ in 0..2 {
        run(&["contention", &path, "--flame", "waiter", "-o", &svg]).ended_with(0);
    }
    assert!(
        fs::read_to_string(&picture)
            .unwrap()
            .contains("HeldShares.balance")
    );
    run(&["contention", &path, "--csv", "-o", &svg]).ended_with(0);
    run(&["contention", &path, "--flame", "waiter"])
        .ended_with(2)
        .said("-o FILE.svg");
    // The lock has the number and name that the report's table gives it.
    run(&["contention", &path])
        .ended_with(0)
        .printed(" 1 HeldShares.LEDGER");
    run(&["contention", &path, "--flame", "waiter", "-o", "-"])
        .ended_with(0)
        .printed("<svg");
    run(&["contention", &path, "--collapsed", "waiter"])
        .ended_with(0)
        .printed(";HeldShares.post(HeldShares.java:");
    run(&["contention", &path, "--by", "lock,thread"])
        .ended_with(2)
        .said("waiter-thread, waiter-group");
    run(&["contention", &path, "--by", "lock,lock"])
        .ended_with(2)
        .said("twice");
    fs::remove_file(picture).unwrap();
}
