//! Frames of a live view, as goldens: the terminal is a buffer of cells.

use locklens_inference::board::view::{Inside, Line, Ring, Standing, View};
use locklens_inference::contention::{Row, Value};
use locklens_inference::hang::{Evidence, explain};
use locklens_inference::model::CallChain;
use locklens_inference::sample::dump::Dumps;
use locklens_trace::Nanos;
use locklens_trace::crowd::Crowd;
use locklens_viz::top::{Press, Scene, Screen, draw, plain};
use ratatui::Terminal;
use ratatui::backend::TestBackend;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

fn chain(frames: &[&str]) -> CallChain {
    CallChain {
        frames: frames.iter().map(|&frame| frame.to_owned()).collect(),
        cut: false,
    }
}

fn row(value: Value, ms: u64, rows: Vec<Row>) -> Row {
    Row {
        value: Some(value),
        ns: Nanos::from_millis(ms),
        count: 12,
        rows,
        ..Row::default()
    }
}

fn blame() -> Row {
    let owner = chain(&["shop.Cart.add(Cart.java:12)", "shop.Till.run(Till.java:90)"]);
    let owners = vec![
        row(
            Value::Named("till-1".into()),
            900,
            vec![row(Value::Chain(owner), 900, Vec::new())],
        ),
        row(
            Value::Unknown,
            300,
            vec![row(Value::Unknown, 300, Vec::new())],
        ),
    ];
    let waiter = chain(&["shop.Cart.total(Cart.java:30)", "shop.Web.page(Web.java:7)"]);
    let waiters = vec![
        row(Value::Chain(waiter), 1_200, owners),
        row(Value::Rest, 50, Vec::new()),
    ];
    row(Value::Lock(1, "Cart.LOCK".into()), 1_250, waiters)
}

fn standing(thread: &str, by: Option<&str>) -> Standing {
    Standing {
        thread: thread.into(),
        time: Nanos::from_millis(31),
        chain: Some(chain(&["shop.Cart.total(Cart.java:30)"])),
        by: by.map(str::to_owned),
        by_chain: by.map(|_| chain(&["shop.Disk.write(Disk.java:3)"])),
    }
}

fn view() -> View {
    let trend = |peak: f64| (0..40).map(|at| peak * f64::from(at % 9) / 8.0).collect();
    View {
        at: Nanos::from_millis(40_000),
        interval: Nanos::from_millis(1_000),
        crowd: Some(Crowd {
            runnable: 8,
            blocked: 3,
            waiting: 20,
            sleeping: 4,
            other: 0,
        }),
        virtual_blocked: None,
        // One more than at that look.
        blocked: 4,
        deadlocks: Vec::new(),
        rings: Vec::new(),
        events: 12_345,
        lost: 0,
        locks: vec![
            Line {
                key: 4,
                id: Some(1),
                name: "Cart.LOCK".into(),
                types: vec![("LOCK".into(), 0.97), ("MUTEX".into(), 0.61)],
                pressure: 0.523,
                average: 0.31,
                peak: 0.61,
                trend: trend(0.61),
                time: Nanos::from_millis(1_400),
                objects: 1,
                blocked: vec![
                    standing("web-7\u{1b}[31m", Some("till-1")),
                    standing("web-9", None),
                ],
                blame: Some(blame()),
                ..Line::default()
            },
            Line {
                key: 9,
                name: "shop.stock.Shelf$Entry".into(),
                place: Some("shop.stock.Shelf.take(Shelf.java:77)".into()),
                pressure: 0.12,
                average: 0.04,
                trend: trend(0.2),
                objects: 230,
                ..Line::default()
            },
            Line {
                key: 12,
                id: Some(2),
                name: "ReentrantLock in Stock.count".into(),
                types: vec![("LOCK".into(), 1.0)],
                pressure: 0.01,
                average: 0.01,
                trend: trend(0.02),
                is_estimate: true,
                objects: 1,
                blocked: vec![standing("web-1", Some("till-2"))],
                ..Line::default()
            },
        ],
        inside: None,
    }
}

fn scene<'a>(view: &'a View, screen: &'a Screen) -> Scene<'a> {
    Scene {
        target: "4242 (Shop)",
        view,
        screen,
        colour: false,
    }
}

/// What a terminal of that size shows.
fn frame(size: (u16, u16), view: &View, screen: &Screen) -> String {
    let mut terminal = Terminal::new(TestBackend::new(size.0, size.1)).unwrap();
    let scene = scene(view, screen);
    terminal
        .draw(|frame| draw(scene, frame.buffer_mut()))
        .unwrap();
    terminal.backend().to_string()
}

fn after(presses: &[Press]) -> Screen {
    let (mut screen, view) = (Screen::default(), view());
    for press in presses {
        screen.press(*press, &view);
    }
    screen
}

#[test]
fn the_table_at_80_by_24() {
    insta::assert_snapshot!(frame((80, 24), &view(), &Screen::default()));
}

#[test]
fn the_table_at_160_by_50() {
    insta::assert_snapshot!(frame((160, 50), &view(), &after(&[Press::Down])));
}

#[test]
fn one_lock_in_full() {
    insta::assert_snapshot!(frame((80, 40), &view(), &after(&[Press::Enter])));
}

#[test]
fn the_end_of_one_lock_in_full() {
    let screen = after(&[
        Press::Enter,
        Press::PageDown,
        Press::PageDown,
        Press::PageDown,
    ]);
    insta::assert_snapshot!(frame((80, 12), &view(), &screen));
}

#[test]
fn help() {
    insta::assert_snapshot!(frame((80, 24), &view(), &after(&[Press::Char('?')])));
}

#[test]
fn a_filter_that_is_being_typed() {
    let screen = after(&[Press::Char('/'), Press::Char('s'), Press::Char('h')]);
    insta::assert_snapshot!(frame((80, 12), &view(), &screen));
}

/// Two threads that hold each other up.
fn stuck() -> View {
    let thread = |name: &str, number: u32, holds: &str, wants: &str| {
        format!(
            "\"{name}\" #{number} prio=5 os_prio=0 tid=0x0{number} nid=0x1 waiting for monitor entry  [0x1]\n   java.lang.Thread.State: BLOCKED (on object monitor)\n\tat shop.Till.move(Till.java:9)\n\t- waiting to lock <{wants}> (a shop.Till)\n\t- locked <{holds}> (a shop.Till)\n\n"
        )
    };
    let text = format!(
        "2026-01-01 10:00:00\nFull thread dump X (17 mixed mode):\n\n{}{}JNI global refs: 1\n",
        thread("till-1", 1, "0x01", "0x02"),
        thread("till-2", 2, "0x02", "0x01")
    );
    let dumps = Dumps::read(&text).dumps;
    let evidence = Evidence {
        dumps: &dumps,
        ..Evidence::default()
    };
    View {
        deadlocks: explain(&evidence).findings,
        ..view()
    }
}

#[test]
fn who_is_stuck_stands_above_the_table() {
    insta::assert_snapshot!(frame((80, 12), &stuck(), &Screen::default()));
    let (screen, view) = (Screen::default(), stuck());
    let mut out = Vec::new();
    plain(scene(&view, &screen), 80, &mut out).unwrap();
    insta::assert_snapshot!(String::from_utf8(out).unwrap());
    let mut small = Buffer::empty(Rect::new(0, 0, 60, 10));
    draw(scene(&view, &screen), &mut small);
}

#[test]
fn who_seems_to_be_stuck_is_told_in_a_lower_voice() {
    let mut view = view();
    view.rings = vec![Ring {
        threads: vec!["till-1".to_owned(), "evil \u{1b}[31m".to_owned()],
        time: Nanos::from_millis(7_000),
    }];
    let (screen, mut out) = (Screen::default(), Vec::new());
    plain(scene(&view, &screen), 80, &mut out).unwrap();
    let text = String::from_utf8(out).unwrap();
    for words in [
        "DEADLOCK? blocked on each other for 7.00s, as it seems: till-1, evil \u{fffd}[31m",
        "'locklens deadlocks 4242' says",
    ] {
        assert!(text.contains(words), "{text}");
    }
}

#[test]
fn before_anything_has_come() {
    insta::assert_snapshot!(frame(
        (80, 12),
        &View::default(),
        &after(&[Press::Char('p')])
    ));
}

#[test]
fn virtual_threads_that_are_blocked_are_told_apart() {
    let told = |virtual_blocked| {
        let view = View {
            virtual_blocked,
            ..view()
        };
        let (screen, mut out) = (Screen::default(), Vec::new());
        plain(scene(&view, &screen), 120, &mut out).unwrap();
        String::from_utf8(out)
            .unwrap()
            .lines()
            .next()
            .map(str::to_owned)
    };
    let (without, with) = (told(None).unwrap(), told(Some(3)).unwrap());
    assert!(without.contains(" 4 sleep  12,345 events"), "{without}");
    assert!(
        with.contains(" 4 sleep, 3 virtual at monitors  12,345 events"),
        "{with}"
    );
}

#[test]
fn what_is_too_small_says_so() {
    insta::assert_snapshot!(frame((44, 5), &view(), &Screen::default()));
    let sizes = [
        (0, 0),
        (1, 1),
        (59, 24),
        (80, 9),
        (80, 10),
        (60, 10),
        (3, 200),
        (500, 3),
    ];
    for (width, height) in sizes {
        for press in [
            Press::Home,
            Press::Enter,
            Press::Char('?'),
            Press::Char('/'),
        ] {
            let mut cells = Buffer::empty(Rect::new(0, 0, width, height));
            draw(scene(&view(), &after(&[press])), &mut cells);
        }
    }
}

#[test]
fn without_a_terminal() {
    let (screen, view) = (Screen::default(), view());
    let mut out = Vec::new();
    plain(scene(&view, &screen), 100, &mut out).unwrap();
    insta::assert_snapshot!(String::from_utf8(out).unwrap());
}

#[test]
fn waits_inside_locks_that_the_program_has_built_stand_below() {
    let inside = |locks| Inside {
        time: Nanos::from_millis(44_900),
        locks,
        most: "Hand.Gate".into(),
    };
    let of_one = View {
        inside: Some(inside(1)),
        locks: Vec::new(),
        ..view()
    };
    let (screen, mut out) = (Screen::default(), Vec::new());
    plain(scene(&of_one, &screen), 90, &mut out).unwrap();
    let of_two = View {
        inside: Some(inside(2)),
        ..view()
    };
    insta::assert_snapshot!(String::from_utf8(out).unwrap() + &frame((90, 11), &of_two, &screen));
}
