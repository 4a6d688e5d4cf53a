//! What a page says of the place that the pointer is on, of a recording that is made up: one thread has a lock, and two want it.

use crate::browser::{Page, browser};
use crate::goldens::{MS, Story, definitions};
use crate::html::page_of;
use crate::rig::scratch;
use locklens_trace::Record;
use locklens_trace::juc::Act;
use std::fs;

/// The first thread has the ledger up to the middle, then the second one, then the third. Of a semaphore it is known that a permit
/// was given back, and nothing that takes time.
fn trace() -> Vec<u8> {
    let mut story = Story(Vec::new());
    let (one, two, three, ledger) = (1, 2, 3, 1);
    story.held(one, ledger, 100 * MS, 500 * MS);
    story.blocked(two, ledger, one, 200 * MS);
    story.blocked(three, ledger, one, 300 * MS);
    story.held(two, ledger, 500 * MS + 1000, 700 * MS);
    story.held(three, ledger, 700 * MS + 1000, 900 * MS);
    story.operation(50 * MS, 5, Act::Unshare);
    let mut definitions = definitions();
    for record in &mut definitions {
        if let Record::Thread(thread) = record
            && thread.id.0 == 4
        {
            thread.name = "nobody".into();
        }
    }
    story.told(definitions, 1000 * MS)
}

/// What the tooltip says at a time of the recording, so many pixels below the top of the row of the ledger.
fn told(page: &mut Page, ms: u64, y: u32) -> String {
    let place = format!(
        "(() => {{ const box = byId('locks-box'), {{ left, top }} = box.getBoundingClientRect(), row = rows.locks.findIndex((lock) => rowName(lock).includes('Ledger')); \
         byId('tip').hidden = true; return [left + xOf({ms}e6, paneWidth()), top + row * LOCK_ROW - box.scrollTop + {y}]; }})()"
    );
    let place = page.value(&place);
    let at = |side: usize| place[side].as_f64().unwrap();
    page.move_to((at(0), at(1)), false);
    page.waits_for("!document.getElementById('tip').hidden");
    page.text("document.getElementById('tip').innerText")
}

#[track_caller]
fn says(page: &mut Page, (ms, y): (u64, u32), words: &[&str]) {
    let tip = told(page, ms, y);
    for words in words {
        assert!(tip.contains(words), "at {ms} ms, {y} px: {words}: {tip}");
    }
}

#[test]
fn the_row_of_a_lock_names_who_stands_where_the_pointer_is() {
    let Some(browser) = browser() else { return };
    let file = scratch("pointing.llt");
    fs::write(&file, trace()).unwrap();
    let html = page_of(&file);
    let mut page = Page::open(&browser, &html, "");
    page.waits_for("document.getElementById('summary').textContent.startsWith('Shown')");
    // The whole, where rows are sums over intervals, and a part that is finer than they are.
    for part in ["view.show(0, END)", "view.show(380e6, 420e6)"] {
        page.value(&format!("{part}; drawAll(); 0"));
        let holder = ["worker-1 holding Ledger", "blocked: worker-2, worker-3"];
        for y in [2, 10, 18] {
            says(&mut page, (400, y), &holder);
        }
        let first = ["worker-2 blocked on Ledger", "also blocked: worker-3"];
        let second = ["worker-3 blocked on Ledger", "also blocked: worker-2"];
        says(&mut page, (400, 22), &first);
        says(&mut page, (400, 34), &second);
    }
    both_chains(&mut page);
    page.value("view.show(0, END); drawAll(); 0");
    // Who held it when a stay began need not have it any more.
    says(
        &mut page,
        (600, 25),
        &[
            "worker-3 blocked on",
            "Held by worker-1 when that began.",
            "0.6000 s held by worker-2",
        ],
    );
    names_are_told_from_words(&mut page);
    begins_with_the_first_block(&mut page);
    page.was_quiet();
    fs::remove_file(file).unwrap();
    fs::remove_file(html).unwrap();
}

/// Where who was blocked stood, and where who had it had taken it: beside the pointer, and of the lock that is selected.
fn both_chains(page: &mut Page) {
    let holder = "worker-1 had it from 0.100000 s to 0.500000 s, taken in\nshop.Ledger.book";
    let waiter = "worker-2 was blocked in\nshop.Ledger.book";
    says(page, (400, 22), &[waiter, holder]);
    page.value("view.choose(LOCKS.findIndex((lock) => lock.name.includes('Ledger')))");
    page.waits_for("document.querySelectorAll('#detail .stays details').length === 2");
    let chains = page.text("document.querySelector('#detail .stays').textContent");
    for words in [
        "Both call chains",
        "worker-1 had it from",
        "shop.Ledger.book",
    ] {
        assert!(chains.contains(words), "{words}: {chains}");
    }
    page.value("view.choose(null)");
}

fn names_are_told_from_words(page: &mut Page) {
    let name = "threadName(THREADS.findIndex((thread) => thread.name === 'nobody'))";
    assert_eq!(page.text(name), "\"nobody\"");
    page.waits_for("document.getElementById('summary').textContent.includes('1 of 2 locks')");
}

fn begins_with_the_first_block(page: &mut Page) {
    page.press("Home");
    page.press("n");
    page.waits_for("document.getElementById('summary').textContent.startsWith('worker-2 blocked')");
    page.press("Home");
    page.press("p");
    page.waits_for("document.getElementById('summary').textContent.startsWith('worker-3 blocked')");
}
