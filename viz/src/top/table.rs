//! The locks, one a line.

use super::draw::{Scene, Tone, put};
use super::{by, called, share, types};
use crate::pressure::bars::Scale;
use crate::text::{clean, fitted, left, middle, right, time};
use locklens_inference::board::view::{Line, View};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

/// From here on pressure is much, and very much.
const WARM: f64 = 0.1;
const HOT: f64 = 0.5;

/// Widths of the columns, without the gaps between them.
#[derive(Clone, Copy, Debug)]
struct Widths {
    trend: usize,
    lock: usize,
    types: usize,
    by: usize,
}

/// Columns of the numbers and of the gaps before trend and name.
const FIXED: usize = 7 + 7 + 2 + 4 + 2;

impl Widths {
    fn of(width: usize) -> Self {
        let rest = width.saturating_sub(FIXED);
        let trend = (rest / 6).clamp(10, 30);
        let rest = rest - trend;
        let (types, by) = (rest * 28 / 100, rest * 25 / 100);
        Self {
            trend,
            lock: rest - types - by - 2,
            types,
            by,
        }
    }
}

pub(super) fn draw(scene: Scene<'_>, area: Rect, cells: &mut Buffer) {
    let lines = scene.screen.lines(scene.view);
    let widths = Widths::of(area.width.into());
    let most = lines.iter().flat_map(|line| &line.trend);
    let most = most.copied().fold(0.0, f64::max);
    let scale = Scale::of(1, 1, most);
    put(
        scene,
        cells,
        (area.x, area.y),
        (&header(widths, scale), area.width),
        Tone::Bold,
    );
    let area = with_remarks(scene, area, cells);
    let room = usize::from(area.height) - 1;
    if lines.is_empty() {
        let text = empty(scene);
        put(
            scene,
            cells,
            (area.x, area.y + 2),
            (text, area.width),
            Tone::Dim,
        );
        return;
    }
    let chosen = scene.screen.place(&lines);
    let first = (chosen + 1).saturating_sub(room);
    let shown = lines.iter().enumerate().skip(first);
    for (y, (at, line)) in (area.y + 1..area.bottom()).zip(shown) {
        let tone = match line.pressure {
            _ if at == chosen => Tone::Bar,
            pressure if pressure >= HOT => Tone::Hot,
            pressure if pressure >= WARM => Tone::Warm,
            _ => Tone::Plain,
        };
        put(
            scene,
            cells,
            (area.x, y),
            (&row(line, widths, scale), area.width),
            tone,
        );
    }
}

/// What is in no row, a line each.
pub(super) fn remarks(view: &View) -> Vec<String> {
    let inside = view.inside.as_ref().map(|inside| {
        let which = match inside.locks {
            1 => clean(&inside.most),
            locks => format!("{locks} locks, most {}", clean(&inside.most)),
        };
        format!(
            " Not in it: waits inside locks built by the program, {}: {which}",
            time(inside.time)
        )
    });
    let parked = view
        .virtual_blocked
        .map(|_| " Not in it: virtual threads parked for locks of java.util.concurrent".to_owned());
    inside.into_iter().chain(parked).collect()
}

/// Remarks stand in the last lines; the area that is left.
fn with_remarks(scene: Scene<'_>, mut area: Rect, cells: &mut Buffer) -> Rect {
    for text in remarks(scene.view).iter().rev() {
        area.height -= 1;
        let at = (area.x, area.bottom());
        put(scene, cells, at, (text, area.width), Tone::Dim);
    }
    area
}

fn empty(scene: Scene<'_>) -> &'static str {
    match (scene.view.locks.is_empty(), scene.view.at.0) {
        (false, _) => " No lock is like the filter (Esc clears it).",
        (true, 0) => " Watching …",
        (true, _) => " Nobody was blocked on a monitor, or parked to own a lock.",
    }
}

fn header(widths: Widths, scale: Scale) -> String {
    let trend = format!("TREND {:.0}%", scale.top * 100.0);
    cells(
        ["PRESS", "AVG", "NOW"].map(str::to_owned),
        [&trend, "LOCK", "TYPE", "BLOCKED BY"],
        widths,
    )
}

fn row(line: &Line, widths: Widths, scale: Scale) -> String {
    let first = line.trend.len().saturating_sub(widths.trend);
    let trend: Vec<_> = line.trend[first..].iter().copied().map(Some).collect();
    let now = match line.blocked.len() {
        0 => String::new(),
        blocked => blocked.to_string(),
    };
    cells(
        [
            share(line.pressure, line.is_estimate),
            share(line.average, line.is_estimate),
            now,
        ],
        [&scale.draw(&trend), &called(line), &types(line), &by(line)],
        widths,
    )
}

/// Numbers and texts where their columns are.
fn cells([pressure, average, now]: [String; 3], texts: [&str; 4], widths: Widths) -> String {
    let [trend, lock, types, by] = texts;
    [
        right(&pressure, 7),
        right(&average, 7),
        format!("  {}", left(trend, widths.trend)),
        right(&now, 4),
        format!("  {} ", left(&fitted(lock, widths.lock), widths.lock)),
        format!("{} ", left(types, widths.types)),
        left(&middle(by, widths.by), widths.by),
    ]
    .concat()
}
