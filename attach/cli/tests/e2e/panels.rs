//! `locklens html`: the panels below the timelines, of real recordings, in a real browser, beside what other commands say.

use crate::browser::{Page, browser};
use crate::html::{page_of, recorded};
use crate::rig::run;
use serde_json::{Value, json};
use std::fs;
use std::path::Path;

/// What a command says of a trace in JSON.
fn said(trace: &Path, command: &str, words: &[&str]) -> Value {
    let trace = trace.to_string_lossy();
    let told = run(&[&[command, &trace, "--json"], words].concat()).ended_with(0);
    serde_json::from_str(&told.stdout).unwrap()
}

#[test]
fn panels_say_what_the_commands_say() {
    let Some(browser) = browser() else { return };
    let subject = recorded("pressure/PingPong", &["record"]);
    let file = page_of(subject.trace());
    let mut page = Page::open(&browser, &file, "#panel=tree");
    page.waits_for("document.querySelectorAll('.tree-row').length > 1");
    divides_as_contention_does(&mut page, subject.trace());
    tells_names_from_words(&mut page);
    keeps_aspects_in_the_link(&mut page);
    goes_through_rows_by_keys(&mut page);
    draws_flames_both_ways(&mut page);
    presses_as_pressure_does(&mut page, subject.trace());
    writes_the_file_of_select(&mut page);
    says_whether_it_copied(&mut page);
    page.was_quiet();
    fs::remove_file(file).unwrap();
}

fn divides_as_contention_does(page: &mut Page, trace: &Path) {
    let all = "CELLS.ns.reduce((sum, ns) => sum + ns, 0)";
    for key in ["lock", "waiter-thread", "owner-thread", "owner-stack"] {
        let told = said(trace, "contention", &["--by", key]);
        assert_eq!(page.value(all).as_u64(), told["blocked_ns"].as_u64());
        page.value(&format!("setAspects(['{key}'])"));
        let rows = page.value("below(tree.root).map((row) => [row.ns, row.count])");
        let expected = told["rows"].as_array().unwrap().iter();
        let expected: Vec<Value> = expected
            .map(|row| json!([row["ns"], row["count"]]))
            .collect();
        assert_eq!(rows, Value::Array(expected), "by {key}");
    }
}

/// A thread may be called anything, and one without a name is not one that is not known.
fn tells_names_from_words(page: &mut Page) {
    let called = |name: &str| {
        format!(
            "CELLS.values['owner-thread'].push({name}), valueName('owner-thread', CELLS.values['owner-thread'].length - 1)"
        )
    };
    let mut told = |name| page.text(&called(name));
    let names = [
        "'unknown'",
        "'nobody held it'",
        "'(unknown)'",
        "'<unnamed 12>'",
    ]
    .map(&mut told);
    let apart = [
        "\"unknown\"",
        "\"nobody held it\"",
        "\"(unknown)\"",
        "<unnamed 12>",
    ];
    assert_eq!(names, apart);
    let words = ["{ is: 'unknown' }", "{ is: 'nobody' }"].map(told);
    assert_eq!(words, ["unknown", "nobody held it"]);
}

/// Who is sent the link sees time divided as who sent it.
fn keeps_aspects_in_the_link(page: &mut Page) {
    page.value("setAspects(['waiter-thread', 'lock'])");
    page.waits_for("location.hash.endsWith('panel=tree&by=waiter-thread,lock')");
    page.value("location.hash = '#panel=tree&by=owner-thread,nonsense,lock'");
    page.waits_for("tree.keys.join() === 'owner-thread,lock'");
    assert_eq!(page.value("tree.root.children[0].key"), "owner-thread");
    page.value("location.hash = '#panel=tree'");
    page.waits_for("tree.keys === USUAL[0]");
}

fn goes_through_rows_by_keys(page: &mut Page) {
    page.value("setAspects(['lock', 'waiter-thread'])");
    page.value("document.querySelector('.tree-row').focus()");
    page.press("ArrowDown");
    assert_eq!(page.value("tree.chosen.depth"), 2);
    page.press("ArrowLeft");
    page.press("ArrowLeft");
    assert_eq!(page.value("tree.chosen.open"), false);
    assert_eq!(
        page.value("document.activeElement.getAttribute('aria-selected')"),
        "true"
    );
    let pane = page.text("document.getElementById('tree-pane').textContent");
    assert!(pane.contains("PingPong.play"), "{pane}");
}

fn draws_flames_both_ways(page: &mut Page) {
    page.value("showTab('flame')");
    page.waits_for("document.querySelectorAll('#flame-waiter .frame').length > 2");
    page.waits_for("document.querySelectorAll('#flame-owner .frame').length > 1");
    let same = "SIDES.every(({ root }) => root.ns === PANELS.tree.blocked_ns)";
    assert_eq!(page.value(same), true);
    page.value("document.querySelector('#flame-waiter .frame').focus()");
    page.press("ArrowDown");
    page.press(" ");
    assert_eq!(page.value("SIDES[0].zoom.depth"), 1);
    page.press("Escape");
    assert_eq!(page.value("SIDES[0].zoom.depth"), 0);
}

fn presses_as_pressure_does(page: &mut Page, trace: &Path) {
    page.value("showTab('pressure')");
    page.waits_for("document.getElementById('press').getAttribute('aria-label').includes('lock')");
    let interval = page.value("PRESS.interval_ns / 1e6").as_f64().unwrap();
    let told = said(trace, "pressure", &["--interval", &format!("{interval}ms")]);
    let expected = { told["locks"].as_array().unwrap().iter() }.map(|lock| {
        let parts = |share: &Value| (share.as_f64().unwrap() * 1000.0).round() as u64;
        let series = lock["series"].as_array().unwrap().len();
        json!([
            lock["id"],
            parts(&lock["average_percent"]),
            parts(&lock["peak_percent"]),
            series
        ])
    });
    let shown = "PRESS.locks.map((lock) => [lock.id, lock.average, lock.peak, lock.series.length])";
    assert_eq!(page.value(shown), Value::Array(expected.collect()));
    // Phases are those that the command tells unasked.
    let told = said(trace, "pressure", &[]);
    let phases = { told["locks"].as_array().unwrap().iter() }
        .flat_map(|lock| lock["phases"].as_array().unwrap())
        .map(|phase| json!([phase["start_ns"], phase["end_ns"]]));
    let shown = "PRESS.locks.flatMap((lock) => lock.phases.map(([from, to]) => [from, to]))";
    assert_eq!(page.value(shown), Value::Array(phases.collect()));
}

fn writes_the_file_of_select(page: &mut Page) {
    page.value("showTab('ticks')");
    page.value("tickOnly((lock) => lock.blocked > 0)");
    let text = page.text("document.getElementById('tick-file').value");
    assert!(
        text.contains("# MUTEX") && text.contains("PingPong"),
        "{text}"
    );
    let command = page.text("document.querySelector('#tick-command input').value");
    assert!(command.contains("--select locks.txt --from"), "{command}");
    assert_ne!(
        page.text("document.getElementById('ticked').textContent"),
        "Ticked: 0"
    );
}

/// A browser that lets no page copy is not said to have copied; the text is then selected for who does it by hand.
fn says_whether_it_copied(page: &mut Page) {
    page.value(
        "(() => { window.may = false; \
         Object.defineProperty(navigator, 'clipboard', { value: { writeText: () => (may ? Promise.resolve() : Promise.reject()) } }); \
         document.execCommand = () => false; \
         window.copying = () => { const [field, button] = document.querySelector('#tick-command').children; window.says = null; \
         copy(field, button).then(() => { says = button.textContent; }); return 0; }; return 0; })()",
    );
    page.value("copying()");
    page.waits_for("says !== null");
    assert_eq!(page.text("says"), "Not copied: press Ctrl+C");
    let chosen = "(({ tagName, value, selectionStart, selectionEnd }) => tagName === 'INPUT' && value.slice(selectionStart, selectionEnd))(document.activeElement)";
    let command = "document.querySelector('#tick-command input').value";
    assert_eq!(page.text(chosen), page.text(command));
    page.value("may = true; copying()");
    page.waits_for("says !== null");
    assert_eq!(page.text("says"), "Copied");
}

#[test]
fn the_nesting_panel_has_the_cycle() {
    let Some(browser) = browser() else { return };
    let subject = recorded("nesting/CrossedTellers", &["trace", "--all-app", "--yes"]);
    let file = page_of(subject.trace());
    let mut page = Page::open(&browser, &file, "#panel=nesting");
    page.waits_for("document.querySelectorAll('#nest-svg .node').length > 1");
    let told = said(subject.trace(), "graph", &[]);
    let cycles = told["cycles"].as_array().unwrap();
    assert!(!cycles.is_empty());
    let expected: Vec<&Value> = cycles.iter().map(|cycle| &cycle["id"]).collect();
    assert_eq!(
        page.value("NEST.cycles.map((cycle) => cycle.id)"),
        json!(expected)
    );
    assert_eq!(
        page.value("document.querySelectorAll('#nest-svg .edge').length")
            .as_u64(),
        told["edges"].as_array().map(|edges| edges.len() as u64)
    );
    // A click on a node selects its lock everywhere, and the other way round.
    page.value("chooseNest({ node: nodeAt(NEST.cycles[0].nodes[0]) })");
    assert_eq!(page.value("LOCKS[view.lock].id"), cycles[0]["nodes"][0]);
    page.value("view.choose(LOCK_AT.get(NEST.cycles[0].nodes[1]))");
    assert_eq!(
        page.value("NEST.nodes[nest.chosen.node].id"),
        cycles[0]["nodes"][1]
    );
    counts_stand_on_lines(&mut page);
    // When it was, or might have been, stands in the timelines.
    page.value("[...document.querySelectorAll('#nest-side .cycle button')].find((button) => button.textContent === 'Show over time').click()");
    page.waits_for("/deadlock/i.test(document.getElementById('summary').textContent)");
    page.was_quiet();
    fs::remove_file(file).unwrap();
}

/// No line is drawn over the count of another, and none runs through its own.
fn counts_stand_on_lines(page: &mut Page) {
    let last = "document.getElementById('nest-svg').querySelector('.counts').compareDocumentPosition([...document.querySelectorAll('#nest-svg .edge')].at(-1)) === Node.DOCUMENT_POSITION_PRECEDING";
    assert_eq!(page.value(last), true);
    let covered = "[...document.querySelectorAll('#nest-svg .counts text')].every((text) => { const [one, other] = [text.getBBox(), text.previousSibling.getBBox()]; return other.x <= one.x && other.x + other.width >= one.x + one.width; })";
    assert_eq!(page.value(covered), true);
}
