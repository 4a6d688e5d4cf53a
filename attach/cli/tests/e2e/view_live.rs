//! `locklens view PID`: the page of a JVM while it is recorded, and what it has recorded, in a real browser.

use crate::browser::{Page, browser};
use crate::rig::{Running, Subject, ends, eventually, info, jdk, jdks, run, signal};
use serde_json::json;
use std::path::Path;
use std::sync::{Arc, Mutex};

/// The command under way, the address that it has printed, and what it says.
struct View {
    running: Running,
    address: String,
    said: Arc<Mutex<String>>,
}

impl View {
    fn of(words: &[&str]) -> Self {
        let mut running = Running::start(words);
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

    fn says(&self, what: &str) {
        eventually(what, || self.said.lock().unwrap().contains(what));
    }

    fn ends(self, status: i32) {
        signal(self.running.pid(), "INT");
        self.running.wait().ended_with(status);
    }
}

const SUMMED_UP: &str = "document.getElementById('summary').textContent.startsWith('Shown')";

#[test]
fn the_page_follows_a_recording_and_keeps_what_was_chosen() {
    let Some(browser) = browser() else { return };
    for jdk in ends() {
        let target = Subject::start(jdk, &["Quarrel"]);
        let trace = target.trace().to_string_lossy().into_owned();
        let view = View::of(&["view", &target.word(), "-o", &trace]);
        let mut page = Page::at(&browser, &view.address);
        // Until there is something to choose.
        page.comes_to("typeof LOCKS === 'object' && LOCKS.some((lock) => lock.name.includes('Quarrel') && lock.blocked > 0) && END > 2e8 && !now.leaving && (now.paused = true)");
        page.comes_to(SUMMED_UP);
        let heading = page.text("document.getElementById('live-said').textContent");
        assert!(
            heading.starts_with("Recording: shown as it was"),
            "{heading}"
        );
        assert_eq!(page.text("DATA.warnings.join()"), "", "JDK {}", jdk.major);
        let chosen = "(() => { const filter = document.getElementById('filter'); filter.value = 'quarrel'; filter.dispatchEvent(new Event('input')); \
             const at = LOCKS.findIndex((lock) => lock.name.includes('Quarrel')); view.show(5e7, 1e8); view.choose(at); tick(at, true); \
             document.querySelectorAll('th button')[4].click(); const order = document.getElementById('thread-order'); order.value = '1'; order.dispatchEvent(new Event('change')); \
             const all = [DATA.live, END, LOCKS[at].blocked]; now.touched = performance.now(); now.paused = false; return all; })()";
        let before = page.value(chosen);
        page.comes_to(&format!(
            "typeof now === 'object' && DATA.live > {} && !now.leaving && (now.paused = true)",
            before[0]
        ));
        page.comes_to(SUMMED_UP);
        let after = page.value("(() => { const lock = LOCKS[view.lock]; return [END, lock.blocked, lock.name.includes('Quarrel'), [...ticked].length, [...ticked][0] === view.lock, document.getElementById('filter').value, [Math.round(view.from), Math.round(view.to)], sorting.column.name, sorting.down, document.getElementById('thread-order').value, document.querySelectorAll('#table-box tbody tr').length === shownLocks().length]; })()");
        assert!(after[0].as_u64() > before[1].as_u64(), "{before} {after}");
        assert!(after[1].as_u64() > before[2].as_u64(), "{before} {after}");
        let kept = json!([
            true,
            1,
            true,
            "quarrel",
            [50_000_000, 100_000_000],
            "Blocked",
            true,
            "1",
            true
        ]);
        assert_eq!(
            json!(after.as_array().unwrap()[2..]),
            kept,
            "JDK {}",
            jdk.major
        );
        // Who holds it has what he had; who wants it gets the newest.
        page.comes_to("now.newest > DATA.live && !document.getElementById('live-newest').hidden");
        let held = page.value("DATA.live");
        page.value("document.getElementById('live-newest').click()");
        page.comes_to(&format!(
            "typeof now === 'object' && DATA.live > {held} && now.paused"
        ));
        for address in page.asked_without_trouble() {
            assert!(address.starts_with(&view.address), "{address}");
        }
        drop(page);
        view.ends(0);
        let figures = info(Path::new(&trace));
        assert_eq!(figures["ended"], true, "JDK {}: {figures}", jdk.major);
        run(&["report", &trace])
            .ended_with(0)
            .printed("Quarrel.BONE");
        eventually("our thread is gone", || !target.has_our_thread());
    }
}

#[test]
fn a_page_whose_command_is_gone_goes_on_with_what_it_has() {
    let Some(browser) = browser() else { return };
    let target = Subject::start(jdk(), &["Quarrel"]);
    let view = View::of(&["view", &target.word()]);
    let mut page = Page::at(&browser, &view.address);
    page.comes_to("typeof now === 'object' && LOCKS.some((lock) => lock.name.includes('Quarrel')) && !now.leaving && (now.paused = true)");
    // Newer data could be had, and the price of an exact recording is asked.
    page.comes_to("now.newest > DATA.live && !document.getElementById('live-newest').hidden");
    page.value("window.same = true; view.choose(0); exactly.asked = { locks: [0] }; exactly.price = 'much'; showExactly()");
    view.ends(0);
    // Who asks for the newest now, before the page has learnt of the end, keeps what there is.
    page.value("now.gone ? 0 : document.getElementById('live-newest').click()");
    page.comes_to("typeof now === 'object' && now.over?.startsWith('The command that recorded this has ended')");
    let offers = "['live-newest', 'price', 'watch-again'].map((id) => document.getElementById(id).hidden).concat(document.getElementById('visualize').disabled)";
    assert_eq!(page.value(offers), json!([true, true, true, true]));
    page.press("r");
    page.comes_to(SUMMED_UP);
    assert_eq!(page.value("[window.same, view.lock]"), json!([true, 0]));
}

#[test]
fn a_target_that_goes_away_leaves_its_page() {
    let Some(browser) = browser() else { return };
    for jdk in ends() {
        let target = Subject::start(jdk, &["Quarrel"]);
        let view = View::of(&["view", &target.word(), "-d", "10m"]);
        let folder = kept_in(&view);
        let mut page = Page::at(&browser, &view.address);
        page.comes_to("typeof LOCKS === 'object' && LOCKS.length > 0");
        signal(target.pid(), "KILL");
        view.says("it is served until Ctrl-C, and then removed");
        page.comes_to("typeof now === 'object' && now.over === 'The recording ended early: what there is of it is shown.'");
        page.comes_to("DATA.warnings.join().includes('PARTIAL')");
        page.asked_without_trouble();
        assert!(Path::new(&folder).exists());
        signal(view.running.pid(), "INT");
        // What is open goes on with what it has.
        let said = view.said.clone();
        view.running.wait().ended_with(4);
        eventually("it says that nothing is kept", || {
            said.lock().unwrap().contains("the trace was not kept")
        });
        assert!(!Path::new(&folder).exists(), "{folder}");
        assert!(page.value("LOCKS.length").as_u64() > Some(0));
    }
}

/// Where the trace is that nobody wants to keep.
fn kept_in(view: &View) -> String {
    let said = view.said.lock().unwrap().clone();
    let (_, rest) = said.split_once(" into ").expect("it says where");
    rest.split_once(';').unwrap().0.to_owned()
}

#[test]
fn a_recording_that_is_over_is_served_whole() {
    let Some(browser) = browser() else { return };
    let target = Subject::start(jdk(), &["Quarrel"]);
    let view = View::of(&["view", &target.word(), "-d", "1s"]);
    let mut page = Page::at(&browser, &view.address);
    page.comes_to(
        "typeof now === 'object' && now.over === 'The recording is over: all of it is shown.'",
    );
    assert_eq!(page.text("DATA.warnings.join()"), "");
    assert!(page.value("END").as_u64() > Some(500_000_000));
    assert_eq!(
        page.value("document.getElementById('live-hold').hidden"),
        json!(true)
    );
    page.asked_without_trouble();
    drop(page);
    view.ends(0);
}

#[test]
fn what_is_for_a_jvm_is_refused_for_a_trace_and_nothing_begins() {
    run(&["view", "app.llt", "-d", "5s"])
        .ended_with(2)
        .said("nothing to record");
    run(&["view", "nobody.by.this.Name"]).ended_with(3);
    let target = Subject::start(jdk(), &["Idle"]);
    run(&["view", &target.word(), "-o", "/nowhere/app.llt"])
        .ended_with(2)
        .said("can't write");
    assert!(!target.has_our_thread());
}

#[test]
fn time_goes_by_where_nothing_happens() {
    let Some(browser) = browser() else { return };
    let target = Subject::start(jdk(), &["Idle"]);
    let view = View::of(&["view", &target.word(), "--no-rewrite"]);
    let mut page = Page::at(&browser, &view.address);
    page.comes_to("typeof END === 'number' && END > 4e9");
    // What is forbidden is said, and refused to those who ask all the same.
    page.comes_to("document.getElementById('visualize')?.title === 'no class is rewritten: --no-rewrite forbids it' && document.getElementById('visualize').disabled");
    page.value("now.paused = true, order(wish('rewrite', ['Idle']))");
    page.comes_to("document.getElementById('exactly-error').textContent.includes('forbids it')");
    page.asked_without_trouble();
    drop(page);
    view.ends(0);
}

const BATON: &str = "LOCKS.findIndex((lock) => lock.name.includes('Turns.Baton'))";

/// Ticks a lock, as soon as it is there, and clicks on what has it recorded, having done something else `first`.
fn visualize(page: &mut Page, first: &str) {
    let button = "document.getElementById('visualize')";
    // In one breath: another page may come between any two, with the lock ticked and the button ready.
    page.comes_to(&format!(
        "typeof exactly === 'object' && {BATON} >= 0 && exactly.told !== null && {button} !== null \
         && (tick({BATON}, true), !{button}.disabled) && ({first}, {button}.click(), true)"
    ));
}

/// A page comes that has every acquisition of the lock.
fn shows_acquisitions(page: &mut Page) {
    page.comes_to(&format!(
        "typeof DATA === 'object' && DATA.exact && {BATON} >= 0 && LOCKS[{BATON}].locked_at_least > 10 && exactly.told?.stage === 'exact'"
    ));
    assert_eq!(page.value(&format!("ticked.has({BATON})")), json!(true));
    let said = page.text("document.getElementById('exactly-said').textContent");
    assert!(said.contains("rewritten in "), "{said}");
    // The next page has that before the command has told it anything.
    let next = "(() => { const kept = unfinished(); exactly.told = null; showExactly(); const away = byId('watch-again').hidden; goesOn(kept); return [away, byId('watch-again').hidden]; })()";
    assert_eq!(page.value(next), json!([true, false]));
}

#[test]
fn what_is_ticked_is_recorded_exactly_in_the_page_and_the_jvm_is_whole_afterwards() {
    let Some(browser) = browser() else { return };
    let mut target = Subject::start(jdk(), &["Turns"]);
    let trace = target.trace().to_string_lossy().into_owned();
    let view = View::of(&["view", &target.word(), "-o", &trace]);
    let mut page = Page::at(&browser, &view.address);
    visualize(&mut page, "null");
    shows_acquisitions(&mut page);
    page.asked_without_trouble();
    let said = view.said.clone();
    view.ends(0);
    eventually("the classes are back", || {
        said.lock().unwrap().contains("original bytes of ")
    });
    let figures = |trace: &str| info(Path::new(trace));
    assert_eq!(figures(&trace)["ended"], true);
    let exact = figures(&trace.replace(".llt", "-2.llt"));
    assert_eq!(exact["ended"], true, "{exact}");
    assert!(exact["target"]["exact.chosen"].is_string(), "{exact}");
    eventually("our thread is gone", || !target.has_our_thread());
    assert!(target.alive());
}

#[test]
fn where_rewriting_is_dear_a_first_click_tells_the_price_and_starts_nothing() {
    let Some(browser) = browser() else { return };
    let oldest = jdks().first().unwrap();
    if oldest.major >= 23 {
        return;
    }
    let target = Subject::start(oldest, &["Turns"]);
    let trace = target.trace().to_string_lossy().into_owned();
    let view = View::of(&["view", &target.word(), "-o", &trace]);
    let mut page = Page::at(&browser, &view.address);
    // A newer page is under way to where the click is. What the click asks for is not lost with the page it is made in.
    visualize(&mut page, "change()");
    page.comes_to("document.getElementById('price-said').textContent.includes('discards ALL code') && !document.getElementById('price').hidden");
    // The recording goes on as it was.
    page.comes_to("exactly.told?.stage === 'watching'");
    let next = trace.replace(".llt", "-2.llt");
    assert!(!Path::new(&next).exists());
    // Nor is the price, if somebody changes to a newer page before agreeing to it. It is that of locks of the older one.
    page.comes_to("now.newest > DATA.live");
    let of = page.value("exactly.asked.of");
    page.value("change()");
    page.comes_to(&format!(
        "typeof exactly === 'object' && DATA.live > {of} && exactly.asked?.of === {of} && document.getElementById('price')?.hidden === false"
    ));
    page.value("document.getElementById('rewrite').click()");
    shows_acquisitions(&mut page);
    page.value("document.getElementById('watch-again').click()");
    page.comes_to("typeof exactly === 'object' && !DATA.exact && exactly.told?.stage === 'watching' && document.getElementById('exactly').hidden");
    page.asked_without_trouble();
    drop(page);
    view.says("original bytes of ");
    view.ends(0);
    assert_eq!(info(Path::new(&next))["ended"], true);
}
