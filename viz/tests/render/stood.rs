//! What thread dumps say that a recording has.

use crate::fixtures::{blocked, model, rendered};
use locklens_inference::hang::{Evidence, explain};
use locklens_inference::model::{Deadlock, Model};
use locklens_inference::sample::dump::{Dump, Dumps};
use locklens_viz::report::SortKey;
use locklens_viz::{Look, report};

/// Two threads, each of which wants what the other one has, or waits for a signal.
fn stood(ring: bool) -> Model {
    let thread = |name: &str, tid: u32, wants: u32| {
        let (state, stand) = match ring {
            true => (
                "BLOCKED (on object monitor)",
                format!(
                    "\tat app.A.{name}(A.java:1)\n\t- waiting to lock <0x{wants}> (a app.L)\n\t- locked <0x{tid}> (a app.L)\n"
                ),
            ),
            false => (
                "WAITING (parking)",
                format!(
                    "\tat sun.misc.Unsafe.park(Native Method)\n\t- parking to wait for  <0x9> (a java.util.concurrent.CountDownLatch$Sync)\n\tat java.util.concurrent.CountDownLatch.await(C.java:1)\n\tat app.A.{name}(A.java:1)\n"
                ),
            ),
        };
        format!(
            "\"{name}\" #{tid} prio=5 os_prio=0 cpu=1.00ms tid=0x{tid} nid=0x{tid} waiting [0x1]\n   java.lang.Thread.State: {state}\n{stand}\n"
        )
    };
    let text = format!(
        "2026-01-01 10:00:00\nFull thread dump X (17.0.9+9 mixed mode):\n\n{}{}JNI global refs: 1\n",
        thread("one", 1, 2),
        thread("two", 2, 1)
    );
    let dumps: Vec<Dump> = [&text, &text]
        .into_iter()
        .flat_map(|text| Dumps::read(text).dumps)
        .collect();
    let report = explain(&Evidence {
        dumps: &dumps,
        ..Evidence::default()
    });
    Model {
        stood: Some(Box::new(report)),
        ..model()
    }
}

fn table(model: &Model) -> String {
    let look = Look {
        width: 80,
        colour: false,
    };
    rendered(|out| report::table(model, SortKey::Hurt, false, look, out).expect("memory"))
}

#[test]
fn a_hang_of_which_events_do_not_tell_stands_at_the_top() {
    let mut model = stood(true);
    let text = table(&model);
    assert!(text.contains("T0 order: "), "{text}");
    assert!(text.contains("\"one\" #1 is blocked on"), "{text}");
    assert!(
        text.contains("`locklens deadlocks FILE` tells more"),
        "{text}"
    );
    let threads = vec![blocked("one", 1, 0, 1), blocked("two", 2, 0, 2)];
    model.deadlocks = vec![Deadlock { threads }];
    assert!(!table(&model).contains("T0 order: "), "told once");
    let json = rendered(|out| report::json(&model, SortKey::Hurt, out).expect("memory"));
    let json: serde_json::Value = serde_json::from_str(&json).expect("JSON");
    assert_eq!(json["stood"]["deadlocks"][0]["tier"], "T0");
}

#[test]
fn that_nobody_went_on_is_said_with_where_they_wait() {
    let text = table(&stood(false));
    assert!(
        text.contains("thread of the program went on at the end"),
        "{text}"
    );
    assert!(text.contains("count-down of CountDownLatch"), "{text}");
    assert!(!table(&model()).contains("went on at the end"));
}
