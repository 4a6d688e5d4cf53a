//! Deadlocks that have not happened: programs that say themselves which there are (`testapps/deadlock`), and traces in
//! STD format.

use crate::rig::{Jdk, Ran, Subject, compile, ends, jdks, run, scratch};
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testapps/deadlock")
}

pub(crate) fn sources() -> Vec<PathBuf> {
    let files = fs::read_dir(folder()).unwrap();
    let mut files: Vec<PathBuf> = files.map(|file| file.unwrap().path()).collect();
    files.sort();
    files
}

pub(crate) fn classes() -> &'static Path {
    static CLASSES: OnceLock<PathBuf> = OnceLock::new();
    CLASSES.get_or_init(|| {
        let out = scratch("deadlock");
        fs::create_dir_all(&out).unwrap();
        compile(&sources(), &out);
        out
    })
}

/// What a program says of itself: `// @finds order T3`, `// @finds join T3 stall` or `// @finds nothing`.
fn expected(source: &Path) -> Vec<String> {
    tagged(source, "finds").unwrap()
}

/// The words behind `// @name` in a program.
pub(crate) fn tagged(source: &Path, name: &str) -> Option<Vec<String>> {
    let text = fs::read_to_string(source).unwrap();
    let tag = format!("// @{name} ");
    let words = text.lines().find_map(|line| line.strip_prefix(&tag))?;
    Some(words.split(' ').map(str::to_owned).collect())
}

/// Records a program exactly, from its start to its end.
pub(crate) fn recorded(jdk: &Jdk, app: &str) -> PathBuf {
    let trace = scratch(&format!("deadlock-{}-{app}.llt", jdk.major));
    let (java, file) = (jdk.java(), trace.to_string_lossy().into_owned());
    let java = java.to_string_lossy();
    let classes = classes().to_string_lossy();
    let source = folder().join(app).with_extension("java");
    // What monitors alone show is shown by them alone.
    let juc: &[&str] = match tagged(&source, "records") {
        Some(_) => &[],
        None => &["--juc"],
    };
    let program = ["--", &java, "-Xmx64m", "-cp", &classes, app];
    let words = [&["trace", "--all-app", "-o", &file][..], juc, &program].concat();
    run(&words).ended_with(0).printed("DONE");
    trace
}

pub(crate) fn parsed(ran: &Ran) -> Value {
    serde_json::from_str(&ran.stdout).unwrap_or_else(|e| panic!("{e}: {ran:#?}"))
}

/// Kind and tier of each finding that counts.
fn findings(report: &Value) -> Vec<[String; 2]> {
    let all = report["deadlocks"].as_array().unwrap().iter();
    let counts = all.filter(|finding| finding["tier"] != "T5");
    counts
        .map(|f| ["kind", "tier"].map(|key| f[key].as_str().unwrap().to_owned()))
        .collect()
}

#[test]
fn what_a_program_says_of_itself_is_found_and_nothing_else() {
    for jdk in jdks() {
        for source in sources() {
            let app = source.file_stem().unwrap().to_string_lossy().into_owned();
            let trace = recorded(jdk, &app);
            let ran = run(&["deadlocks", &trace.to_string_lossy(), "--json"]);
            let report = parsed(&ran);
            let context = format!("{app} on JDK {}: {report:#}", jdk.major);
            match expected(&source).as_slice() {
                [kind, tier, rest @ ..] => {
                    assert_eq!(
                        findings(&report),
                        [[kind.clone(), tier.clone()]],
                        "{context}"
                    );
                    let mut all = report["deadlocks"].as_array().unwrap().iter();
                    let found = all.find(|finding| finding["tier"] != "T5").unwrap();
                    let stalls = rest == ["stall".to_owned()];
                    assert_eq!(found["stall"], stalls, "{context}");
                    assert_eq!(ran.status, Some(1), "{context}");
                }
                _ => {
                    assert_eq!(findings(&report), [[""; 2]; 0], "{context}");
                    assert_eq!(ran.status, Some(0), "{context}");
                }
            }
            let _ = fs::remove_file(trace);
        }
    }
}

/// A file with this text, gone afterwards.
struct Text(PathBuf);

impl Text {
    fn of(name: &str, text: &str) -> Self {
        let path = scratch(name);
        fs::write(&path, text).unwrap();
        Self(path)
    }

    fn word(&self) -> String {
        self.0.to_string_lossy().into_owned()
    }
}

impl Drop for Text {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.0);
    }
}

const ONE: &str = "T1|acq(a)|1\nT1|acq(b)|2\nT1|rel(b)|3\nT1|rel(a)|4\n";
const OTHER: &str = "T2|acq(b)|5\nT2|acq(a)|6\nT2|rel(a)|7\nT2|rel(b)|8\n";

#[test]
fn a_trace_in_std_format_is_read_in_every_form() {
    let trace = Text::of("crossed.std", &format!("{ONE}{OTHER}"));
    let file = trace.word();
    let text = run(&["deadlocks", &file]).ended_with(1);
    assert!(text.stdout.contains("T3 order: a → b → a"), "{text:?}");
    let report = parsed(&run(&["deadlocks", &file, "--json"]).ended_with(1));
    assert_eq!(report["deadlocks"][0]["tier"], "T3");
    let sarif = parsed(&run(&["deadlocks", &file, "--sarif"]).ended_with(1));
    assert_eq!(sarif["version"], "2.1.0");
    assert_eq!(sarif["runs"][0]["results"][0]["ruleId"], "deadlock/order");
    run(&["deadlocks", &file, "--dot"])
        .ended_with(1)
        .printed("digraph locks {");
    run(&["deadlocks", &file, "--min-tier", "T1"]).ended_with(0);
    let first = Text::of("one.std", ONE);
    run(&["deadlocks", &first.word()]).ended_with(0);
}

#[test]
fn what_a_start_puts_apart_in_one_run_is_presumed_to_be_so_in_another() {
    let fork = "T1|fork(T2)|9\n";
    let other = Text::of("second-run.std", &format!("{fork}{OTHER}"));
    let tier = |name: &str, first: String| {
        let first = Text::of(name, &first);
        let found = parsed(&run(&["check", &first.word(), &other.word(), "--json"]));
        found["deadlocks"][0]["tier"].clone()
    };
    assert_eq!(
        tier("before-start.std", format!("{ONE}{fork}T2|w(x)|1\n")),
        "T5"
    );
    assert_eq!(
        tier("after-start.std", format!("{fork}T2|w(x)|1\n{ONE}")),
        "T4"
    );
}

#[test]
fn what_is_no_trace_is_refused_with_its_line() {
    let bad = Text::of("bad.std", &format!("{ONE}T1|grab(a)|1\n"));
    run(&["deadlocks", &bad.word()])
        .ended_with(2)
        .said("line 5: there is no operation \"grab\"");
    let other = Text::of("other.txt", "hello\n");
    run(&["deadlocks", &other.word()]).ended_with(2);
    run(&["deadlocks", "no such file"]).ended_with(2);
}

#[test]
fn a_trace_that_ends_in_the_middle_of_a_line_is_read_up_to_there() {
    let cut = Text::of("cut.std", &format!("{ONE}{OTHER}T2|ac"));
    run(&["deadlocks", &cut.word()])
        .ended_with(1)
        .printed("T3 order: a → b → a")
        .printed("cut off in the middle of a line");
    let marked = Text::of("marked.std", &format!("\u{feff}{ONE}{OTHER}"));
    let report = parsed(&run(&["deadlocks", &marked.word(), "--json"]).ended_with(1));
    assert_eq!(report["threads"], 2, "{report:#}");
}

#[test]
fn a_suppression_that_matches_nothing_is_told() {
    let crossed = Text::of("s1.std", &format!("{ONE}{OTHER}"));
    let ours = Text::of("idle.supp", "deadlock:^a$\ndeadlock:Pool\n");
    let ran = run(&["check", &crossed.word(), "--suppress", &ours.word()]).ended_with(0);
    let ran = ran.said("the suppression deadlock:Pool matches no finding");
    assert!(!ran.stderr.contains("^a$"), "{ran:?}");
}

/// Its threads never leave the loop that they were in when it was rewritten: no probe sees what they take.
#[test]
fn threads_that_no_probe_sees_are_told_where_nothing_is_found() {
    for jdk in ends() {
        let target = Subject::start(jdk, &["Quarrel"]);
        let (word, file) = (target.word(), target.trace().to_string_lossy().into_owned());
        let class = ["--class", "Quarrel", "--yes", "-d", "1s"];
        run(&[&["trace", &word, "-o", &file][..], &class].concat()).ended_with(0);
        for command in ["deadlocks", "check"] {
            let report = parsed(&run(&[command, &file, "--json"]).ended_with(0));
            let notes = report["notes"].to_string();
            let said = "threads inside code from before: 4: ";
            let named = (0..4).all(|dog| notes.contains(&format!("dog-{dog} in quarrel")));
            assert!(
                notes.contains(said) && named,
                "{command}, {}: {notes}",
                jdk.major
            );
            assert!(notes.contains("proves nothing"), "{notes}");
        }
    }
}

#[test]
fn a_gate_tells_what_is_new() {
    let (one, other) = (Text::of("g1.std", ONE), Text::of("g2.std", OTHER));
    let (one, other) = (one.word(), other.word());
    run(&["check", &one]).ended_with(0);
    let both = run(&["check", &one, &other, "--json"]).ended_with(1);
    assert_eq!(parsed(&both)["deadlocks"][0]["tier"], "T4");
    let baseline = scratch("known.json");
    let known = baseline.to_string_lossy().into_owned();
    run(&["check", &one, "--baseline", &known]).ended_with(2);
    run(&[
        "check",
        &one,
        &other,
        "--baseline",
        &known,
        "--update-baseline",
    ])
    .ended_with(0)
    .said("known from now on: POTENTIAL DEADLOCK D");
    let again = run(&["check", &other, &one, "--baseline", &known]).ended_with(0);
    assert!(
        again.stdout.starts_with("nothing new, 0 excluded"),
        "{again:?}"
    );
    let crossed = Text::of("g3.std", &format!("{ONE}{OTHER}").replace('a', "c"));
    run(&["check", &crossed.word(), "--baseline", &known]).ended_with(2);
    let third = Text::of("g4.std", &format!("{ONE}{OTHER}").replace("(a)", "(c)"));
    run(&["check", &third.word(), "--baseline", &known]).ended_with(1);
    let suppressed = Text::of("ours.supp", "# known\ndeadlock:^c$\n");
    run(&["check", &third.word(), "--suppress", &suppressed.word()]).ended_with(0);
    let _ = fs::remove_file(baseline);
}
