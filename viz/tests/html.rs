//! The page for a browser: its data as goldens, and what it may not do.

use locklens_inference::levels::model::{
    Change, Deed, Holder, Interval, Levels, Longest, Singles, Span, Step, StockKind, StockRow,
    Strip, Sure, ThreadRow, Woken,
};
use locklens_inference::model::{CallChain, LogicalLock, Model, Recording, Stays, Times, Verdict};
use locklens_inference::types::{Details, LockType};
use locklens_trace::{LockId, Nanos, StackId};
use locklens_viz::html::{self, Panels};
use serde_json::Value;
use std::collections::BTreeMap;

fn row(name: &str, tid: u64) -> ThreadRow {
    ThreadRow {
        name: Some(name.to_owned()),
        tid,
        group: Some("main".to_owned()),
        is_virtual: false,
        service: false,
        alive: vec![(0, 9, 1_000), (9, 10, 500)],
    }
}

fn strip(thread: u32, lock: Option<u32>, deed: Deed, at: u32, ns: u64) -> Strip {
    Strip {
        thread,
        lock,
        deed,
        stretches: vec![(at, at + 1, ns), (at + 3, at + 5, 1_000)],
    }
}

fn stay(thread: u32, from: u64, to: u64) -> Interval {
    Interval {
        thread,
        lock: Some(0),
        object: LockId(7),
        from: Nanos(from),
        to: Nanos(to),
        stack: Some(StackId(3)),
        region: Some("shop.Cart.add".to_owned()),
        owner: Holder::Row(1 - thread),
        woken: Some(Woken {
            by: 1 - thread,
            at: Nanos(to - 10),
            inferred: true,
        }),
        limit: Some(Nanos(5_000)),
        shared: false,
        open: false,
        estimate: false,
    }
}

fn levels() -> Levels {
    let frames = ["shop.Cart.add(Cart.java:7)", "shop.Main.main(Main.java:3)"];
    let chain = CallChain {
        frames: frames.map(str::to_owned).to_vec(),
        cut: true,
    };
    let last = Interval {
        owner: Holder::Nobody,
        stack: None,
        region: None,
        open: true,
        ..stay(1, 8_000, 9_500)
    };
    Levels {
        begin: Nanos(0),
        unmeasured: 7,
        end: Nanos(9_500),
        bucket: Nanos(1_000),
        buckets: 10,
        threads: vec![row("buyer", 11), row("clerk", 12)],
        further: 0,
        strips: vec![
            strip(0, Some(0), Deed::Blocked, 1, 400),
            strip(1, Some(0), Deed::Holding, 1, 600),
            strip(1, None, Deed::Waiting, 2, 50),
        ],
        longest: [
            Longest {
                kept: vec![stay(0, 1_600, 2_000), last],
                left_out: 4,
                cut: Nanos(300),
            },
            Longest::default(),
            Longest::default(),
        ],
        chains: BTreeMap::from([(StackId(3), chain)]),
        stocks: vec![StockRow {
            lock: 0,
            kind: StockKind::Held,
            sure: Sure::AtLeast,
            parts: vec![(
                vec![Step {
                    first: 1,
                    end: 3,
                    least: 0,
                    most: 1,
                    mean: 600,
                }],
                Some(vec![Change {
                    at: Nanos(1_400),
                    value: 1,
                }]),
            )],
        }],
        stock_bucket: Nanos(1_000),
        targets: BTreeMap::from([(LockId(7), 1)]),
        losses: vec![(Nanos(5_000), Nanos(6_000))],
    }
}

fn lock(name: &str) -> LogicalLock {
    let blocked = Times {
        count: 6,
        total: Nanos(2_400),
        ..Times::default()
    };
    LogicalLock {
        id: 1,
        name: name.to_owned(),
        classes: vec!["shop.Cart".to_owned()],
        concrete: Vec::new(),
        types: vec![Verdict {
            lock_type: LockType::Mutex,
            confidence: 0.99,
            details: Details::new(),
            roles: BTreeMap::new(),
            evidence: Default::default(),
        }],
        runners_up: Vec::new(),
        contradictions: Vec::new(),
        regions: Vec::new(),
        unplaced: Stays::default(),
        instances: 1,
        threads: 2,
        locked: None,
        blocked,
        waits: Times::default(),
        timed_out: 0,
        still_waiting: 0,
        still_blocked: 1,
        sampled: None,
        parks: None,
        uses: None,
    }
}

fn model(name: &str) -> Model {
    let target = [
        ("main", "shop.Main"),
        ("java.version", "17.0.1"),
        ("pid", "42"),
    ];
    let target = target.map(|(key, value)| (key.to_owned(), value.to_owned()));
    Model {
        target: BTreeMap::from(target),
        recording: Recording {
            duration: Nanos(9_500),
            events: 20,
            lost: 3,
            ended: true,
            ..Recording::default()
        },
        locks: vec![lock(name)],
        ..Model::default()
    }
}

fn page(levels: &Levels, model: &Model) -> String {
    let mut out = Vec::new();
    html::page(levels, model, None, &mut out).unwrap();
    String::from_utf8(out).unwrap()
}

/// What stands before the data, the data, and what stands behind.
fn parts(page: &str) -> [&str; 3] {
    let (before, rest) = page.split_once("id=\"data\">").expect("there is data");
    let (data, after) = rest.split_once("</script>").expect("it ends");
    [before, data, after]
}

fn data(page: &str) -> Value {
    serde_json::from_str(parts(page)[1]).expect("it is JSON")
}

#[test]
fn the_script_reads_this() {
    let page = page(&levels(), &model("shop.Cart"));
    insta::assert_snapshot!(serde_json::to_string_pretty(&data(&page)).unwrap());
}

#[test]
fn an_empty_recording_says_what_it_is() {
    let levels = Levels {
        buckets: 1,
        bucket: Nanos(1_024),
        ..Levels::default()
    };
    let model = Model {
        recording: Recording {
            ended: true,
            ..Recording::default()
        },
        ..Model::default()
    };
    let data = data(&page(&levels, &model));
    assert_eq!(
        data["empty"][0],
        "No thread blocked on a monitor or waited during the recording."
    );
    assert_eq!(data["threads"], serde_json::json!([]));
    assert_eq!(data["title"], "unknown program");
}

#[test]
fn what_can_not_be_known_says_how_it_could_be() {
    let advice = |exact| {
        let mut model = model("shop.Cart");
        model.recording.exact = exact;
        data(&page(&levels(), &model))["advice"].clone()
    };
    assert!(
        advice(false)[0]
            .as_str()
            .unwrap()
            .contains("'locklens trace PID")
    );
    assert_eq!(advice(true), serde_json::json!([]));
}

#[test]
fn hostile_names_are_text_and_nothing_else() {
    let long = "x".repeat(64 * 1024);
    let names = [
        "</script><script>alert(1)</script>",
        "<!--<script>",
        "\u{202e}\u{200b}evil\u{1b}[31m\n\r\"'`&{{script}}",
        long.as_str(),
    ];
    let [before, _, after] = parts(&page(&levels(), &model("tame"))).map(str::to_owned);
    for name in names {
        let mut levels = levels();
        levels.threads[0].name = Some(name.to_owned());
        levels.threads[0].group = Some(name.to_owned());
        levels.longest[0].kept[0].region = Some(name.to_owned());
        let chain = levels.chains.get_mut(&StackId(3)).unwrap();
        chain.frames[0] = name.to_owned();
        let page = page(&levels, &model(name));
        let [first, told, last] = parts(&page);
        assert_eq!(
            [first, last],
            [before.as_str(), after.as_str()],
            "{name:.40}"
        );
        assert!(!told.contains('<'), "{name:.40}");
        let data = data(&page);
        for shown in [
            &data["threads"][0]["name"],
            &data["locks"][0]["name"],
            &data["texts"][0],
        ] {
            let shown = shown.as_str().unwrap();
            assert!(shown.chars().count() <= 300, "{name:.40}");
            assert!(
                !shown.contains(['\u{202e}', '\u{200b}', '\u{1b}', '\r']),
                "{shown}"
            );
        }
    }
}

#[test]
fn it_asks_for_nothing_and_makes_no_markup() {
    let page = page(&levels(), &model("shop.Cart"));
    let forbidden = [
        "http:",
        "https:",
        " src=",
        "url(",
        "@import",
        "fetch(",
        "XMLHttp",
        "WebSocket",
        "innerHTML",
        "outerHTML",
        "insertAdjacent",
        "document.write",
        "eval(",
        "new Function",
        "{{",
        " style=\"",
        "\r",
    ];
    // The name of a language, and parts of the page itself: nobody asks a network for them.
    let asking = page
        .replace("http://www.w3.org/2000/svg", "")
        .replace("url(#${", "");
    for word in forbidden {
        assert!(!asking.contains(word), "{word}");
    }
    assert!(page.contains("default-src 'none'; style-src 'sha256-"));
    assert_eq!(page.matches("</script>").count(), 2);
    assert_eq!(page.matches("</style>").count(), 1);
}

#[test]
fn the_same_again() {
    assert_eq!(page(&levels(), &model("a")), page(&levels(), &model("a")));
}

#[test]
fn a_served_page_may_ask_its_server_and_nobody_else() {
    let (levels, model) = (levels(), model("shop.Cart"));
    let mut out = Vec::new();
    html::served_page(&levels, &model, &Panels::default(), None, &mut out).unwrap();
    let served = String::from_utf8(out).unwrap();
    assert!(served.contains("default-src 'none'; connect-src 'self'; style-src 'sha256-"));
    assert_eq!(served.matches("fetch(").count(), 1);
    assert_eq!(served.matches("answered(").count(), 2);
    assert!(served.contains("answered(`detail?from=") && !served.contains("visualize\""));
    let mut out = Vec::new();
    html::served_page(&levels, &model, &Panels::default(), Some(7), &mut out).unwrap();
    let live = String::from_utf8(out).unwrap();
    assert_eq!(live.matches("fetch(").count(), 2);
    assert_eq!(live.matches("answered(").count(), 4);
    assert!(live.contains("answered(\"now\")") && live.contains("fetch(\"visualize\""));
    assert_eq!(
        data(&served)["strips"],
        data(&page(&levels, &model))["strips"]
    );
}

#[test]
fn stays_of_a_part_are_told_as_those_of_the_page() {
    let (levels, model) = (levels(), model("shop.Cart"));
    let hostile = "</script>\u{202e}\u{1b}[31m";
    let mut stays = Singles {
        longest: levels.longest.clone(),
        chains: levels.chains.clone(),
        targets: levels.targets.clone(),
    };
    let span = |stays: &Singles| Span {
        from: Nanos(1_000),
        to: Nanos(9_000),
        stays: stays.clone(),
    };
    let told = |stays: &Singles| -> Value {
        let mut out = Vec::new();
        html::detail(&span(stays), &mut out).unwrap();
        serde_json::from_slice(&out).unwrap()
    };
    let (part, whole) = (told(&stays), data(&page(&levels, &model)));
    assert_eq!([&part["from_ns"], &part["to_ns"]], [1_000, 9_000]);
    for of in ["stays", "chains", "texts", "targets"] {
        assert_eq!(part[of], whole[of], "{of}");
    }
    stays.longest[0].kept[0].region = Some(hostile.to_owned());
    let text = told(&stays)["texts"].to_string();
    assert!(!text.contains(['\u{202e}', '\u{1b}']), "{text}");
}
