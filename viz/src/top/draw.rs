//! A frame: a line about everything, the table or one lock in full, a line about keys.

use super::screen::{Mode, Screen};
use super::{detail, help, table};
use crate::deadlocks::headline;
use crate::text::{clean, clip, many, seconds, time};
use locklens_inference::board::view::{Ring, View};
use locklens_inference::deadlock::finding::Finding;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::{Color, Modifier, Style};
use unicode_width::UnicodeWidthStr;

/// Deadlocks that are shown.
const STUCK: usize = 2;

/// Columns and lines below which there is no table.
pub const LEAST: (u16, u16) = (60, 10);

/// What there is to draw.
#[derive(Clone, Copy, Debug)]
pub struct Scene<'a> {
    /// Pid and name of the JVM.
    pub target: &'a str,
    /// How it stands.
    pub view: &'a View,
    /// What somebody has chosen.
    pub screen: &'a Screen,
    /// Colours are welcome.
    pub colour: bool,
}

/// How something looks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Tone {
    Plain,
    Bold,
    Dim,
    /// Much, and very much.
    Warm,
    Hot,
    /// A bar across the screen.
    Bar,
}

impl Scene<'_> {
    pub(super) fn style(&self, tone: Tone) -> Style {
        let plain = Style::default();
        let colour = |colour: Color| if self.colour { plain.fg(colour) } else { plain };
        match tone {
            Tone::Plain => plain,
            Tone::Bold => plain.add_modifier(Modifier::BOLD),
            Tone::Dim => plain.add_modifier(Modifier::DIM),
            Tone::Warm => colour(Color::Yellow),
            Tone::Hot => colour(Color::Red).add_modifier(Modifier::BOLD),
            Tone::Bar => plain.add_modifier(Modifier::REVERSED),
        }
    }
}

/// Lines of words, each with its tone, from the top of an area on.
pub(super) fn lines(scene: Scene<'_>, all: &[(String, Tone)], area: Rect, cells: &mut Buffer) {
    for (y, (text, tone)) in (area.y..area.bottom()).zip(all) {
        put(scene, cells, (area.x, y), (text, area.width), *tone);
    }
}

/// One piece of text, cut to its width.
pub(super) fn put(
    scene: Scene<'_>,
    cells: &mut Buffer,
    (x, y): (u16, u16),
    (text, width): (&str, u16),
    tone: Tone,
) {
    let text = clip(text, width.into());
    cells.set_stringn(x, y, text, width.into(), scene.style(tone));
}

/// Draws everything into the cells.
pub fn draw(scene: Scene<'_>, cells: &mut Buffer) {
    let area = cells.area;
    if area.width < LEAST.0 || area.height < LEAST.1 {
        return too_small(scene, cells);
    }
    let row = |y: u16, height: u16| Rect::new(area.x, area.y + y, area.width, height);
    let bar = |text: &str| format!("{text:width$}", width = area.width.into());
    put(
        scene,
        cells,
        (area.x, area.y),
        (&bar(&heading_within(scene, area.width)), area.width),
        Tone::Bar,
    );
    let told = stuck(scene, STUCK);
    let shown = told.len() as u16;
    lines(scene, &told, row(1, shown), cells);
    let middle = row(1 + shown, area.height - 2 - shown);
    match scene.screen.mode {
        Mode::Table | Mode::Filter => table::draw(scene, middle, cells),
        Mode::Detail(from) => detail::draw(scene, from, middle, cells),
        Mode::Help => lines(scene, &help::lines(), middle, cells),
    }
    let last = area.bottom() - 1;
    put(
        scene,
        cells,
        (area.x, last),
        (&bar(&footing(scene.screen)), area.width),
        Tone::Bar,
    );
}

fn too_small(scene: Scene<'_>, cells: &mut Buffer) {
    let area = cells.area;
    if area.height == 0 {
        return;
    }
    let (columns, rows) = LEAST;
    let text = format!(
        "too small: {}x{}, needs {columns}x{rows}; q quits",
        area.width, area.height
    );
    put(
        scene,
        cells,
        (area.x, area.y),
        (&text, area.width),
        Tone::Plain,
    );
}

/// The same in so many columns: what it is about comes before what command that is, and before how many events there were.
fn heading_within(scene: Scene<'_>, width: u16) -> String {
    let whole = heading(scene);
    let brief = whole.replacen(" locklens top ", " top ", 1);
    let events = format!("  {}", many(scene.view.events, "event"));
    let least = brief.strip_suffix(&events).unwrap_or(&brief).to_owned();
    let fits = |line: &String| line.width() <= width.into();
    [whole, brief].into_iter().find(fits).unwrap_or(least)
}

/// A line about everything.
pub(super) fn heading(scene: Scene<'_>) -> String {
    let view = scene.view;
    let paused = if scene.screen.is_paused {
        "PAUSED  "
    } else {
        ""
    };
    let lost = match view.lost {
        0 => String::new(),
        lost => format!("  {lost} LOST"),
    };
    format!(
        " locklens top {}  {paused}{} s  {}{lost}  {}",
        clean(scene.target),
        seconds(view.at),
        crowd(view),
        many(view.events, "event"),
    )
}

/// What threads did at one moment, the last look; where nobody looks, who is blocked by the events so far.
fn crowd(view: &View) -> String {
    let Some(crowd) = view.crowd else {
        return format!("{} blocked", view.blocked);
    };
    let (run, blocked) = (crowd.runnable, crowd.blocked);
    let (wait, sleep) = (crowd.waiting, crowd.sleeping);
    let of_virtual = view.virtual_blocked.map_or(String::new(), |blocked| {
        format!(", {blocked} virtual at monitors")
    });
    format!("{run} run, {blocked} blocked, {wait} wait, {sleep} sleep{of_virtual}")
}

/// A line about each deadlock, so many at most: what it is, and who is in it; then who explains it.
pub(super) fn stuck(scene: Scene<'_>, most: usize) -> Vec<(String, Tone)> {
    let told = |finding: &Finding| {
        let threads = finding.edges.iter().map(|edge| clean(&edge.thread.name));
        let threads: Vec<_> = threads.collect();
        format!(" {} ({})", headline(finding), threads.join(", "))
    };
    let likely = |ring: &Ring| {
        let threads: Vec<_> = ring.threads.iter().map(|name| clean(name)).collect();
        let (time, threads) = (time(ring.time), threads.join(", "));
        format!(" DEADLOCK? blocked on each other for {time}, as it seems: {threads}")
    };
    let certain = scene.view.deadlocks.iter().map(told);
    let mut all: Vec<_> = certain.chain(scene.view.rings.iter().map(likely)).collect();
    all.truncate(most);
    let pid = scene.target.split(' ').next().unwrap_or_default();
    let ask = format!(
        " 'locklens deadlocks {}' says where each of them stands",
        clean(pid)
    );
    let ask = (!all.is_empty()).then_some((ask, Tone::Dim));
    let hot = all.into_iter().map(|line| (line, Tone::Hot));
    hot.chain(ask).collect()
}

fn footing(screen: &Screen) -> String {
    if let Some(message) = &screen.message {
        return format!(" {}", clean(message));
    }
    match screen.mode {
        Mode::Filter => format!(
            " filter: {}_  (Enter keeps it, Esc clears it)",
            clean(&screen.filter)
        ),
        Mode::Help => " any key: back".to_owned(),
        Mode::Detail(_) => {
            " Esc back  up, down scroll  p pause  w trace  ? help  Ctrl-C quit".to_owned()
        }
        Mode::Table => {
            let filter = match &*screen.filter {
                "" => "/ filter".to_owned(),
                filter => format!("/ filter: {}", clean(filter)),
            };
            format!(
                " q quit  Enter open  s sort: {}  {filter}  p pause  w trace  ? help",
                screen.sort.name()
            )
        }
    }
}
