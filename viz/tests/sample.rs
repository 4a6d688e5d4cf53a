//! Samples in both forms, as goldens.

use locklens_inference::sample::filter::Frame;
use locklens_inference::sample::{By, Fold, Lens, Profile, State};
use locklens_trace::Nanos;
use locklens_viz::Look;
use locklens_viz::sample::{About, json, text};

fn frame(method: &str) -> Frame {
    Frame {
        method: method.to_owned(),
        source: "Till.java:42".to_owned(),
    }
}

fn profile() -> Profile {
    let (lens, mut fold) = (Lens::default(), Fold::default());
    let lock = |class: &str| Some(class.to_owned());
    for look in 0..40 {
        fold.begin_look(7);
        let class = lock("java.lang.Class for shop.counter.Till");
        let held = look % 4 == 0;
        for (tid, name) in [(11, "till-1"), (12, "till-2")] {
            let state = if held {
                State::Blocked
            } else {
                State::Runnable
            };
            let chain = [
                frame("shop.counter.Till.book"),
                frame("shop.counter.Till.run"),
            ];
            let who = (Some(tid), name, Some("tills\u{1b}[31m"));
            fold.see(&lens.seen(who, state, &chain, class.clone()));
        }
        let chain = [frame("java.util.concurrent.locks.LockSupport.park")];
        let who = (Some(13), "idle", Some("main"));
        let blocker = lock("java.util.concurrent.SynchronousQueue$TransferStack");
        fold.see(&lens.seen(who, State::ParkedTimed, &chain, blocker));
        let who = (Some(14), "lost", None);
        fold.see(&lens.seen(who, State::Waiting, &[], None));
    }
    Profile::of(&fold, Some(Nanos(100_000_000)))
}

fn about(by: By) -> About {
    About {
        subject: "JVM 4242 (shop.Main)".to_owned(),
        how: "by the agent".to_owned(),
        notes: vec!["the agent took 0.03 % of one processor".to_owned()],
        by,
    }
}

fn shown(profile: &Profile, by: By, width: usize) -> String {
    let (look, mut out) = (
        Look {
            width,
            colour: false,
        },
        Vec::new(),
    );
    text(profile, &about(by), look, &mut out).expect("memory takes it");
    String::from_utf8(out).expect("text")
}

#[test]
fn a_page_of_80_columns() {
    insta::assert_snapshot!(shown(&profile(), By::Group, 80));
}

#[test]
fn a_wide_page_by_location() {
    insta::assert_snapshot!(shown(&profile(), By::Location, 160));
}

#[test]
fn no_line_is_longer_than_the_page() {
    for width in [40, 60, 80, 160] {
        for by in [By::Thread, By::Group, By::Location] {
            let text = shown(&profile(), by, width);
            assert!(
                text.lines().all(|line| line.chars().count() <= width),
                "{text}"
            );
            assert!(!text.contains('\u{1b}'), "escapes of the target");
        }
    }
}

#[test]
fn nothing_found_is_said() {
    let text = shown(&Profile::default(), By::Group, 80);
    assert!(
        text.contains("No thread of the program was found."),
        "{text}"
    );
}

#[test]
fn rows_for_programs() {
    let mut out = Vec::new();
    json(&profile(), &about(By::Location), &mut out).expect("memory takes it");
    insta::assert_snapshot!(String::from_utf8(out).expect("text"));
}
