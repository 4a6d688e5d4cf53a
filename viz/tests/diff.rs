//! Comparisons in their forms, as goldens.

use locklens_inference::diff::model::{Diff, Estimate, Figure, LockDiff, OfLock, SameBy, Verdict};
use locklens_inference::model::{Model, Recording};
use locklens_inference::pressure::model::Known;
use locklens_inference::types::LockType;
use locklens_trace::Nanos;
use locklens_trace::record::target_key;
use locklens_viz::Look;
use locklens_viz::diff::{Side, html, json, text};

const HOSTILE: &str = "<script>alert('\"&')</script>\u{1b}[31m\u{202e}";

fn estimate(value: f64, reach: Option<f64>) -> Estimate {
    Estimate {
        value,
        low: reach.map(|reach| (value - reach).max(0.0)),
        high: reach.map(|reach| value + reach),
    }
}

fn figure(a: f64, b: f64, verdict: Verdict) -> Figure {
    let reach = |value: f64| (value > 0.0).then_some(value / 8.0);
    Figure {
        a: estimate(a, reach(a)),
        b: estimate(b, reach(b)),
        difference: Estimate {
            value: b - a,
            low: Some(b - a - 0.1 * a.max(b)),
            high: Some(b - a + 0.1 * a.max(b)),
        },
        p: 0.0004,
        adjusted: 0.0016,
        verdict,
    }
}

fn of(id: u32, name: &str, types: &[(LockType, f64)], known: Option<Known>) -> Option<OfLock> {
    Some(OfLock {
        id,
        name: name.to_owned(),
        types: types.to_vec(),
        known,
        stays: 4_711,
    })
}

fn diff() -> Diff {
    use Verdict::{Less, More, NotShown};
    let mutex = [(LockType::Mutex, 0.93)];
    let both = [(LockType::ProducerConsumer, 0.8), (LockType::Mutex, 0.62)];
    let lock = |a, b, blocked, pressure| LockDiff {
        a,
        b,
        same_by: SameBy::Name,
        blocked,
        pressure,
    };
    let at_least = Some(Known::AtLeast);
    let same = of(4, "shop.Log", &mutex, None);
    Diff {
        locks: vec![
            LockDiff {
                same_by: SameBy::Regions,
                ..lock(
                    of(1, "Store", &mutex, at_least),
                    of(
                        2,
                        "Store in shop.Store.put(Ljava/lang/Object;)V",
                        &both,
                        at_least,
                    ),
                    figure(12.1e6, 35.4e6, More),
                    figure(0.012, 0.035, More),
                )
            },
            lock(
                of(2, HOSTILE, &mutex, Some(Known::Estimate)),
                None,
                figure(512_345.0, 0.0, Less),
                figure(0.000_51, 0.0, NotShown),
            ),
            lock(
                of(3, &"a.long.name.Of".repeat(40), &both, Some(Known::Exact)),
                of(1, &"a.long.name.Of".repeat(40), &mutex, Some(Known::Exact)),
                figure(2.2e9, 2.1e9, NotShown),
                figure(0.22, 0.21, NotShown),
            ),
            lock(
                same.clone(),
                same,
                figure(0.0, 0.0, NotShown),
                figure(0.0, 0.0, NotShown),
            ),
        ],
        ..Diff::default()
    }
}

fn model(facts: &[(&str, &str)], recording: Recording) -> Model {
    let facts = facts.iter();
    Model {
        target: facts
            .map(|(key, value)| ((*key).to_owned(), (*value).to_owned()))
            .collect(),
        recording,
        ..Model::default()
    }
}

fn models() -> [Model; 2] {
    let before = Recording {
        duration: Nanos(60_000_000_000),
        events: 24_700,
        ended: true,
        ..Recording::default()
    };
    let after = Recording {
        duration: Nanos(3_200_000_000),
        events: 4_111,
        lost: 12,
        exact: true,
        ended: true,
        ..Recording::default()
    };
    [
        model(
            &[
                (target_key::MAIN, "shop.Main"),
                (target_key::JAVA_VERSION, "17.0.15"),
                (target_key::STACK_DEPTH, "64"),
            ],
            before,
        ),
        model(
            &[
                (target_key::MAIN, HOSTILE),
                (target_key::JAVA_VERSION, "25"),
                (target_key::STACK_DEPTH, "16"),
                (target_key::REDACTED, "true"),
            ],
            after,
        ),
    ]
}

fn sides(models: &[Model; 2]) -> [Side<'_>; 2] {
    [
        Side {
            name: "before.llt",
            model: &models[0],
        },
        Side {
            name: HOSTILE,
            model: &models[1],
        },
    ]
}

fn told(diff: &Diff, all: bool, width: usize, colour: bool) -> String {
    let (models, mut out) = (models(), Vec::new());
    text(diff, sides(&models), all, Look { width, colour }, &mut out).unwrap();
    String::from_utf8(out).unwrap()
}

fn fits(text: &str, width: usize) -> bool {
    text.lines().all(|line| line.chars().count() <= width)
}

#[test]
fn text_at_80_columns() {
    let text = told(&diff(), false, 80, false);
    assert!(fits(&text, 80), "{text}");
    insta::assert_snapshot!(text);
}

#[test]
fn text_at_160_columns_with_all_locks() {
    let text = told(&diff(), true, 160, false);
    assert!(fits(&text, 160), "{text}");
    insta::assert_snapshot!(text);
}

#[test]
fn colours_change_nothing_else() {
    let mut bare = told(&diff(), true, 80, true);
    assert!(bare.contains("\u{1b}[35mMORE"));
    for code in ["1", "2", "32", "33", "35", "0"] {
        bare = bare.replace(&format!("\u{1b}[{code}m"), "");
    }
    assert_eq!(told(&diff(), true, 80, false), bare);
}

#[test]
fn where_nothing_differs_it_says_so() {
    let locks = diff().locks.into_iter().skip(3).collect();
    insta::assert_snapshot!(told(
        &Diff {
            locks,
            ..Diff::default()
        },
        false,
        80,
        false
    ));
}

#[test]
fn json_has_both_sides_and_every_lock() {
    let (models, mut out) = (models(), Vec::new());
    json(&diff(), sides(&models), &mut out).unwrap();
    let mut document: serde_json::Value = serde_json::from_slice(&out).unwrap();
    // The report's own tests look at these.
    document["a"]["recording"].take();
    document["b"]["recording"].take();
    insta::assert_snapshot!(serde_json::to_string_pretty(&document).unwrap());
}

#[test]
fn the_page_takes_no_name_for_markup() {
    let (models, mut out) = (models(), Vec::new());
    html(&diff(), sides(&models), &mut out).unwrap();
    let page = String::from_utf8(out).unwrap();
    assert!(!page.contains("<script") && !page.contains("alert('"));
    assert!(!page.contains('\u{1b}') && !page.contains('\u{202e}'));
    assert!(page.contains("&lt;script&gt;alert(&#39;&quot;&amp;&#39;)"));
    assert!(page.contains("default-src 'none'"));
    for outside in ["http:", "https:", "src=", "url("] {
        assert!(!page.contains(outside), "{outside}");
    }
    insta::assert_snapshot!(page);
}
