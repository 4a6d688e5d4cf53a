//! `locklens html`: the page of a real recording, looked at in a real browser.

use crate::browser::{Page, browser};
use crate::hostile;
use crate::rig::{Subject, compile, jdk, run, scratch};
use std::fs;
use std::path::{Path, PathBuf};

/// A recording of a program, made by a command with these words.
pub(crate) fn recorded(program: &str, words: &[&str]) -> Subject {
    let classes = scratch("classes");
    fs::create_dir_all(&classes).unwrap();
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testapps");
    let source = source.join(format!("{program}.java"));
    let name = source.file_stem().unwrap().to_string_lossy().into_owned();
    compile(&[source], &classes);
    let subject = Subject::start_in(jdk(), &classes, &[&name, "600"]);
    let (pid, trace) = (
        subject.word(),
        subject.trace().to_string_lossy().into_owned(),
    );
    run(&[
        &[words[0], pid.as_str()],
        &words[1..],
        &["-d", "2s", "-o", trace.as_str()],
    ]
    .concat())
    .ended_with(0);
    subject
}

/// The page of a trace.
pub(crate) fn page_of(trace: &Path) -> PathBuf {
    let page = scratch("report.html");
    let (trace, out) = (trace.to_string_lossy(), page.to_string_lossy());
    run(&["html", &trace, "-o", &out]).ended_with(0);
    page
}

/// How many pixels of a canvas have a colour of the style sheet.
fn pixels(page: &mut Page, canvas: &str, colour: &str) -> u64 {
    let count = format!(
        "(() => {{ const c = document.querySelector('{canvas}'); \
         const [r, g, b] = [1, 3, 5].map((at) => parseInt(colours.{colour}.slice(at, at + 2), 16)); \
         const all = c.getContext('2d').getImageData(0, 0, c.width, c.height).data; let n = 0; \
         for (let i = 0; i < all.length; i += 4) if (all[i] === r && all[i + 1] === g && all[i + 2] === b) n++; return n; }})()"
    );
    page.value(&count).as_u64().unwrap()
}

#[test]
fn every_view_of_a_page_works_in_a_browser() {
    let Some(browser) = browser() else { return };
    let subject = recorded("pressure/PingPong", &["record"]);
    let file = page_of(subject.trace());
    let mut page = Page::open(&browser, &file, "");
    page.waits_for("document.getElementById('summary').textContent.includes('most on PingPong')");
    shows_all(&mut page);
    zooms(&mut page);
    selects_a_span(&mut page);
    filters(&mut page);
    keeps_its_height(&mut page);
    has_its_tools_in_one_line(&mut page);
    tells_of_types_on_hover(&mut page);
    goes_to_blocks(&mut page);
    points_and_chooses(&mut page);
    changes_its_colours(&mut page);
    page.was_quiet();
    drop(page);
    follows_links(&browser, &file);
    fs::remove_file(file).unwrap();
}

fn shows_all(page: &mut Page) {
    assert!(page.text("document.title").contains("PingPong"));
    assert!(
        page.text("document.querySelector('tbody tr').textContent")
            .contains("PingPong")
    );
    page.waits_for(
        "document.getElementById('threads').getAttribute('aria-label').includes('rows 1 to')",
    );
    page.waits_for(
        "document.getElementById('lock-rows').getAttribute('aria-label').includes('rows 1 to')",
    );
    assert!(
        page.text("document.getElementById('advice').textContent")
            .contains("locklens trace PID")
    );
    let same =
        "LOCKS.every((lock, at) => Math.abs(sums(0, END)[at][BLOCKED] - lock.blocked_ns) < 1)";
    assert_eq!(
        page.value(same),
        true,
        "the buckets have what the report has"
    );
    for canvas in ["#overview", "#threads", "#lock-rows"] {
        assert!(pixels(page, canvas, "blocked") > 100, "{canvas}");
    }
}

/// From the whole recording to a microsecond and back, by keys.
fn zooms(page: &mut Page) {
    let length = "view.to - view.from";
    let whole = page.value(length).as_f64().unwrap();
    page.press("+");
    assert_eq!(page.value(length).as_f64().unwrap(), whole / 2.0);
    while page.value(length).as_f64().unwrap() > 1000.0 {
        page.press("+");
    }
    page.waits_for("document.getElementById('resolution').textContent.startsWith('Exact')");
    page.press("ArrowRight");
    page.press("-");
    assert_eq!(page.value(length).as_f64().unwrap(), 2000.0);
    page.press("Home");
    assert_eq!(page.value(length).as_f64().unwrap(), whole);
}

fn selects_a_span(page: &mut Page) {
    let blocked = "[...document.querySelectorAll('tbody td')][5].textContent";
    let whole = page.text(blocked);
    let (from, to) = (
        page.place("axis", (0.4, 0.5)),
        page.place("axis", (0.6, 0.5)),
    );
    page.drag(from, to);
    page.waits_for("!document.getElementById('span').hidden");
    assert_ne!(page.text(blocked), whole);
    assert_eq!(
        page.value("view.span.every((at) => at % WIDTH === 0)"),
        true
    );
    page.press("Escape");
    page.waits_for("document.getElementById('span').hidden");
    assert_eq!(page.text(blocked), whole);
}

fn filters(page: &mut Page) {
    let shown = "document.querySelectorAll('tbody tr').length";
    page.press("/");
    page.call("Input.insertText", serde_json::json!({"text": "pong.play"}));
    assert_eq!(page.value(shown), 1, "by a method of it");
    page.call("Input.insertText", serde_json::json!({"text": " nothing"}));
    assert_eq!(page.value(shown), 0);
    let count = page.text("document.getElementById('locks-count').textContent");
    assert!(count.starts_with("0 of "), "{count}");
    page.press("Escape");
    assert!(page.value(shown).as_u64() > Some(0));
    // The keys are those of the page again.
    let length = page.value("view.to - view.from").as_f64().unwrap();
    page.press("+");
    assert_eq!(
        page.value("view.to - view.from").as_f64(),
        Some(length / 2.0)
    );
    page.press("Home");
}

/// A single row of threads needs less than the least height of its box: the one for locks must not take what is not there.
fn keeps_its_height(page: &mut Page) {
    let heights = "(() => { const all = rows.threads; rows.threads = all.slice(0, 1);
        const heights = [1, 2, 3].map(() => { fitTimelines(); return byId('locks-box').offsetHeight; });
        rows.threads = all; fitTimelines(); return heights; })()";
    let heights = page.value(heights);
    assert!(heights[0].as_f64() >= Some(40.0), "{heights}");
    assert_eq!(heights[0], heights[2]);
}

/// The browser's window is 1,280 pixels wide: what the tools take there rows have not.
fn has_its_tools_in_one_line(page: &mut Page) {
    assert_eq!(page.value("innerWidth"), 1280);
    let tops = "new Set([...document.querySelectorAll('#time .bar > *')].filter((one) => one.offsetHeight > 0).map((one) => Math.round((one.offsetTop + one.offsetHeight / 2) / 20))).size";
    assert_eq!(page.value(tops), 1);
}

/// What a lock is, and what speaks for that, stands beside the pointer on its row.
fn tells_of_types_on_hover(page: &mut Page) {
    let middle = |column: u32| {
        format!(
            "(({{ left, top, width, height }}) => [left + width / 2, top + height / 2])(document.querySelectorAll('tbody tr td')[{column}].getBoundingClientRect())"
        )
    };
    let point = |page: &mut Page, column| {
        let spot = page.value(&middle(column));
        let at = |side: usize| spot[side].as_f64().unwrap();
        page.move_to((at(0), at(1)), false);
    };
    point(page, 2);
    page.waits_for("!document.getElementById('tip').hidden");
    let tip = page.text("document.getElementById('tip').textContent");
    assert!(
        tip.contains("MUTEX") && tip.contains("sure") && tip.contains("for: "),
        "{tip}"
    );
    point(page, 5);
    page.waits_for("document.getElementById('tip').hidden");
}

fn goes_to_blocks(page: &mut Page) {
    page.press("n");
    page.waits_for(
        "document.getElementById('summary').textContent.includes('blocked on PingPong')",
    );
    let first = page.value("current");
    page.press("n");
    assert_ne!(page.value("current"), first);
    page.press("Home");
}

fn points_and_chooses(page: &mut Page) {
    page.press("n");
    // The middle of the block that it went to.
    let spot = page.place("threads", (0.0, 0.0));
    let middle = page.value("(({from, to}) => GUTTER + (((from[current] + to[current]) / 2 - view.from) / (view.to - view.from)) * timeWidth(paneWidth()))(STAYS[BLOCKED])");
    let row = page.value("rows.threads.indexOf(STAYS[BLOCKED].thread[current]) * THREAD_ROW - byId('threads-box').scrollTop");
    let spot = (
        spot.0 + middle.as_f64().unwrap(),
        spot.1 + row.as_f64().unwrap() + 10.0,
    );
    page.move_to(spot, false);
    page.waits_for("!document.getElementById('tip').hidden");
    let tip = page.text("document.getElementById('tip').textContent");
    assert!(
        tip.contains("blocked on PingPong") && tip.contains("PingPong.play"),
        "{tip}"
    );
    page.drag(spot, spot);
    page.waits_for("!document.getElementById('detail').hidden");
    assert!(
        page.text("document.getElementById('detail').textContent")
            .contains("MUTEX")
    );
    assert_eq!(
        page.text("document.querySelector('tr[aria-selected=true] td').textContent"),
        "1"
    );
    page.waits_for("location.hash.includes('lock=1') && location.hash.includes('t=')");
    page.press("Escape");
    page.press("Home");
}

fn changes_its_colours(page: &mut Page) {
    let light = page.text("colours.back");
    let dark = serde_json::json!({"features": [{"name": "prefers-color-scheme", "value": "dark"}]});
    page.call("Emulation.setEmulatedMedia", dark);
    page.waits_for(&format!("colours.back !== '{light}'"));
    assert!(pixels(page, "#threads", "blocked") > 100);
}

fn follows_links(browser: &Path, file: &Path) {
    let mut page = Page::open(browser, file, "#t=0.5,0.75&lock=1&span=0.6,0.7");
    page.waits_for("document.getElementById('summary').textContent.startsWith('Shown: 0.5')");
    assert_eq!(
        page.value("[view.from, view.to, view.lock]"),
        serde_json::json!([500_000_000, 750_000_000, 0])
    );
    assert_eq!(page.value("document.getElementById('span').hidden"), false);
    page.was_quiet();
}

#[test]
fn an_exact_recording_shows_who_holds() {
    let Some(browser) = browser() else { return };
    let subject = recorded("mutex/AccountLedger", &["trace", "--all-app", "--yes"]);
    let file = page_of(subject.trace());
    let mut page = Page::open(&browser, &file, "");
    page.waits_for("document.getElementById('summary').textContent.includes('Holding')");
    assert_eq!(page.value("document.getElementById('advice').hidden"), true);
    // One thread at a time has the ledger, and whoever was blocked on it had it afterwards.
    let ledger = "LOCKS.findIndex((lock) => lock.name.includes('Ledger'))";
    let held = format!("sums(DATA.begin_ns, END)[{ledger}][HOLDING] / (END - DATA.begin_ns)");
    let held = page.value(&held).as_f64().unwrap();
    assert!(held > 0.0 && held <= 1.0, "{held}");
    // Threads that hold it one after the other are told apart by shades.
    let shades = "(() => { const c = document.querySelector('#lock-rows'); \
        const all = c.getContext('2d').getImageData(0, 0, c.width, c.height).data; \
        return new Uint32Array(all.buffer).filter((one) => colours.holders.includes(one)).length; })()";
    page.waits_for(&format!("{shades} > 10"));
    page.was_quiet();
    fs::remove_file(file).unwrap();
}

#[test]
fn rows_say_what_the_type_calls_for_and_lines_who_woke_whom() {
    let Some(browser) = browser() else { return };
    let subject = recorded("semaphore/BoatHire", &["trace", "--all-app", "--yes"]);
    let file = page_of(subject.trace());
    let mut page = Page::open(&browser, &file, "");
    page.waits_for("document.getElementById('summary').textContent.startsWith('Shown')");
    let lock = "LOCKS.findIndex((lock) => lock.types[0].type === 'SEMAPHORE')";
    assert_eq!(
        page.text(&format!("STOCKS.get({lock}).kind")),
        "permits-left"
    );
    // What is counted from regions never is more than there are permits, and all were taken at times: many had to wait.
    let top = page.value(&format!("STOCKS.get({lock}).parts[0].top"));
    let permits = page.value(&format!("Number(LOCKS[{lock}].types[0].detail.permits)"));
    assert!(
        top.as_u64() > Some(0) && top.as_u64() <= permits.as_u64(),
        "{top} of {permits}"
    );
    // The longest wait that somebody ended, as wide as half the picture.
    let woken =
        "[...Array(STAYS[WAITING].count).keys()].filter((at) => STAYS[WAITING].wokenBy[at] >= 0)";
    let longest = format!(
        "{woken}.reduce((best, at) => STAYS[WAITING].to[at] - STAYS[WAITING].from[at] > STAYS[WAITING].to[best] - STAYS[WAITING].from[best] ? at : best)"
    );
    page.value(&format!(
        "(() => {{ const at = {longest}, from = STAYS[WAITING].from[at], length = STAYS[WAITING].to[at] - from; view.show(from - length / 2, from + 1.5 * length); return 0; }})()"
    ));
    page.waits_for("lines.drawn > 0");
    folds(&mut page);
    page.was_quiet();
    fs::remove_file(file).unwrap();
}

/// Threads whose names differ in their numbers share a row, however many they are, and have their own again.
fn folds(page: &mut Page) {
    let rows = page.value("rows.threads.length").as_u64();
    let fold = |by: u32| {
        format!(
            "(() => {{ const folds = document.getElementById('thread-folds'); folds.value = {by}; folds.dispatchEvent(new Event('change')); return rows.threads.length; }})()"
        )
    };
    let many = "(() => { const idle = THREADS.findIndex((_, row) => STAYS.every((stays) => stays.ofThread[row].list.length === 0)); \
         const row = makeFold('many', new Array(300000).fill(idle)); return LIVES[row].join() === LIVES[idle].join(); })()";
    assert_eq!(page.value(many), true, "as many threads as one likes");
    let folded = page.value(&fold(1)).as_u64();
    assert!(folded < rows, "{folded:?} of {rows:?}");
    assert_eq!(page.value(&fold(0)).as_u64(), rows);
}

#[test]
fn hostile_names_do_nothing_in_a_browser() {
    let Some(browser) = browser() else { return };
    let trace = scratch("hostile.llt");
    let evil = "</script><script>alert(1)</script><img src=x onerror=alert(2)>{{script}}\u{202e}";
    fs::write(&trace, hostile::trace(evil)).unwrap();
    let file = page_of(&trace);
    let mut page = Page::open(&browser, &file, "#lock=1");
    page.waits_for("document.getElementById('summary').textContent.startsWith('Shown')");
    let title = page.text("document.getElementById('title').textContent");
    assert!(title.contains("</script><script>alert(1)"), "{title}");
    let thread = page.text("threadName(0)");
    assert!(thread.contains("<img src=x onerror=alert(2)>"), "{thread}");
    assert_eq!(page.value("document.querySelectorAll('img').length"), 0);
    assert_eq!(page.value("document.querySelectorAll('script').length"), 2);
    page.was_quiet();
    fs::remove_file(file).unwrap();
    fs::remove_file(trace).unwrap();
}

#[test]
fn what_can_not_be_written_or_drawn_is_said() {
    let trace = scratch("hostile.llt");
    fs::write(&trace, hostile::trace("plain")).unwrap();
    let name = trace.to_string_lossy().into_owned();
    run(&["html", &name]).ended_with(2).said("-o report.html");
    run(&["html", &name, "-o", "/nowhere/at/all.html"])
        .ended_with(2)
        .said("can't write");
    run(&["html", &name, "--force", "-o", &name])
        .ended_with(2)
        .said("it was not touched");
    run(&["html", "/nowhere.llt", "-o", "-"])
        .ended_with(2)
        .said("can't read");
    let (mine, other) = (scratch("mine.html"), scratch("other.html"));
    fs::write(&other, "<!doctype html><p>Mine").unwrap();
    let (mine_name, other_name) = (
        mine.to_string_lossy().into_owned(),
        other.to_string_lossy().into_owned(),
    );
    for _ in 0..2 {
        run(&["html", &name, "-o", &mine_name]).ended_with(0);
    }
    run(&["html", &name, "-o", &other_name])
        .ended_with(2)
        .said("it was not touched");
    run(&["html", &name, "-o", &other_name, "--force"]).ended_with(0);
    assert_eq!(
        fs::read(&mine).unwrap(),
        fs::read(&other).unwrap(),
        "the same trace, the same page"
    );
    let printed = run(&["html", &name, "-o", "-"]).ended_with(0);
    assert_eq!(printed.stdout.as_bytes(), fs::read(&mine).unwrap());
    for file in [mine, other, trace] {
        fs::remove_file(file).unwrap();
    }
}
