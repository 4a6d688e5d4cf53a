//! What somebody has chosen, and what keys make of it.

use super::{called, detail, types};
use locklens_inference::board::view::{Line, View};
use std::cmp::Ordering;

/// A key, whatever terminal it came from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Press {
    /// A letter or sign.
    Char(char),
    /// Enter.
    Enter,
    /// Escape.
    Escape,
    /// Backspace.
    Back,
    /// Up.
    Up,
    /// Down.
    Down,
    /// A page up.
    PageUp,
    /// A page down.
    PageDown,
    /// To the first.
    Home,
    /// To the last.
    End,
    /// Ctrl-C.
    Interrupt,
}

/// What somebody else has to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// End.
    Quit,
    /// Write a trace.
    Snapshot,
}

/// Order of the locks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Sort {
    /// Pressure in the last interval.
    #[default]
    Pressure,
    Average,
    /// Threads blocked at the moment.
    Blocked,
    /// All time spent acquiring.
    Time,
    Name,
}

impl Sort {
    const ALL: [Self; 5] = [
        Self::Pressure,
        Self::Average,
        Self::Blocked,
        Self::Time,
        Self::Name,
    ];

    fn next(self) -> Self {
        let at = Self::ALL.iter().position(|sort| *sort == self);
        Self::ALL[(at.unwrap_or(0) + 1) % Self::ALL.len()]
    }

    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Pressure => "pressure",
            Self::Average => "average",
            Self::Blocked => "blocked",
            Self::Time => "time",
            Self::Name => "name",
        }
    }

    fn compare(self, a: &Line, b: &Line) -> Ordering {
        let more = |a: f64, b: f64| b.total_cmp(&a);
        let by = match self {
            Self::Pressure => more(a.pressure, b.pressure),
            Self::Average => more(a.average, b.average),
            Self::Blocked => b.blocked.len().cmp(&a.blocked.len()),
            Self::Time => b.time.cmp(&a.time),
            Self::Name => a.name.cmp(&b.name),
        };
        let rest = || b.time.cmp(&a.time).then_with(|| a.key.cmp(&b.key));
        by.then_with(rest)
    }
}

/// What is shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Mode {
    /// All locks.
    #[default]
    Table,
    /// One in full, from that line on.
    Detail(usize),
    /// What keys do.
    Help,
    /// All locks, while the filter is typed.
    Filter,
}

/// See the module.
#[derive(Clone, Debug, Default)]
pub struct Screen {
    pub(super) mode: Mode,
    pub(super) sort: Sort,
    pub(super) filter: String,
    pub(super) is_paused: bool,
    /// The lock that is chosen; none: the first.
    chosen: Option<u32>,
    /// What somebody has to be told.
    pub(super) message: Option<String>,
}

/// Lines that a page has, for who turns pages.
const PAGE: usize = 10;

impl Screen {
    /// Nothing moves.
    #[must_use]
    pub fn is_paused(&self) -> bool {
        self.is_paused
    }

    /// Tells something, until the next key.
    pub fn say(&mut self, message: String) {
        self.message = Some(message);
    }

    /// A key was pressed, with this before the eyes.
    pub fn press(&mut self, press: Press, view: &View) -> Option<Order> {
        self.message = None;
        if press == Press::Interrupt {
            return Some(Order::Quit);
        }
        match self.mode {
            Mode::Filter => self.typed(press),
            Mode::Help => self.mode = Mode::Table,
            Mode::Detail(from) => {
                let order = self.in_detail(press, from);
                self.stay_within(view);
                return order;
            }
            Mode::Table => return self.in_table(press, view),
        }
        None
    }

    fn typed(&mut self, press: Press) {
        match press {
            Press::Char(c) => self.filter.push(c),
            Press::Back => drop(self.filter.pop()),
            Press::Escape => {
                self.filter.clear();
                self.mode = Mode::Table;
            }
            Press::Enter => self.mode = Mode::Table,
            _ => {}
        }
    }

    fn in_detail(&mut self, press: Press, from: usize) -> Option<Order> {
        match press {
            Press::Escape | Press::Enter | Press::Back | Press::Char('q') => {
                self.mode = Mode::Table
            }
            Press::Up | Press::Char('k') => self.mode = Mode::Detail(from.saturating_sub(1)),
            Press::Down | Press::Char('j') => self.mode = Mode::Detail(from + 1),
            Press::PageUp => self.mode = Mode::Detail(from.saturating_sub(PAGE)),
            Press::PageDown => self.mode = Mode::Detail(from + PAGE),
            Press::Home => self.mode = Mode::Detail(0),
            press => return self.anywhere(press),
        }
        None
    }

    /// Behind the last line there is nothing to see.
    fn stay_within(&mut self, view: &View) {
        if let Mode::Detail(from) = &mut self.mode {
            let mut lines = view.locks.iter();
            let opened = lines.find(|line| Some(line.key) == self.chosen);
            let lines = opened.map_or(0, |line| detail::all(line).len());
            *from = (*from).min(lines.saturating_sub(1));
        }
    }

    fn in_table(&mut self, press: Press, view: &View) -> Option<Order> {
        match press {
            Press::Escape if !self.filter.is_empty() => self.filter.clear(),
            Press::Char('q') | Press::Escape => return Some(Order::Quit),
            Press::Up | Press::Char('k') => self.step(view, |at, _| at.saturating_sub(1)),
            Press::Down | Press::Char('j') => self.step(view, |at, last| last.min(at + 1)),
            Press::PageUp => self.step(view, |at, _| at.saturating_sub(PAGE)),
            Press::PageDown => self.step(view, |at, last| last.min(at + PAGE)),
            Press::Home => self.chosen = None,
            Press::End => self.step(view, |_, last| last),
            Press::Enter if self.chosen(view).is_some() => {
                self.chosen = self.chosen(view).map(|line| line.key);
                self.mode = Mode::Detail(0);
            }
            Press::Char('/') => self.mode = Mode::Filter,
            Press::Char('s') => self.sort = self.sort.next(),
            press => return self.anywhere(press),
        }
        None
    }

    fn anywhere(&mut self, press: Press) -> Option<Order> {
        match press {
            Press::Char('p' | ' ') => self.is_paused = !self.is_paused,
            Press::Char('?' | 'h') => self.mode = Mode::Help,
            Press::Char('w') => return Some(Order::Snapshot),
            _ => {}
        }
        None
    }

    fn step(&mut self, view: &View, step: impl Fn(usize, usize) -> usize) {
        let lines = self.lines(view);
        let Some(last) = lines.len().checked_sub(1) else {
            return;
        };
        let at = step(self.place(&lines), last);
        self.chosen = lines.get(at).map(|line| line.key);
    }

    /// The locks that are shown, in their order.
    pub(super) fn lines<'v>(&self, view: &'v View) -> Vec<&'v Line> {
        let lines = view.locks.iter().filter(|line| self.is_wanted(line));
        let mut lines: Vec<_> = lines.collect();
        lines.sort_by(|a, b| self.sort.compare(a, b));
        lines
    }

    /// What is typed stands in its name, its type, or the name of a thread that is blocked or blocks.
    fn is_wanted(&self, line: &Line) -> bool {
        let wanted = self.filter.to_lowercase();
        let has = |text: &str| text.to_lowercase().contains(&wanted);
        let mut blocked = line.blocked.iter();
        wanted.is_empty()
            || has(&called(line))
            || has(&types(line))
            || blocked.any(|at| has(&at.thread) || at.by.as_deref().is_some_and(has))
    }

    /// Which of them is chosen.
    pub(super) fn place(&self, lines: &[&Line]) -> usize {
        let at = lines.iter().position(|line| Some(line.key) == self.chosen);
        at.unwrap_or(0)
    }

    /// The lock that is chosen.
    pub(super) fn chosen<'v>(&self, view: &'v View) -> Option<&'v Line> {
        let lines = self.lines(view);
        lines.get(self.place(&lines)).copied()
    }

    /// The lock that is shown in full; none if it is there no more.
    pub(super) fn opened<'v>(&self, view: &'v View) -> Option<&'v Line> {
        let mut lines = view.locks.iter();
        lines.find(|line| Some(line.key) == self.chosen)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn view() -> View {
        let line = |key: u32, name: &str, pressure: f64, time: u64| Line {
            key,
            name: name.to_owned(),
            pressure,
            time: locklens_trace::Nanos(time),
            ..Line::default()
        };
        View {
            locks: vec![
                line(1, "A", 0.1, 9),
                line(2, "B", 0.3, 5),
                line(3, "C", 0.2, 7),
            ],
            ..View::default()
        }
    }

    fn names(screen: &Screen) -> String {
        let view = view();
        let lines = screen.lines(&view);
        lines.iter().map(|line| &*line.name).collect()
    }

    #[test]
    fn sorts_go_round() {
        let (mut screen, view) = (Screen::default(), view());
        let mut seen = vec![names(&screen)];
        for _ in Sort::ALL {
            assert_eq!(screen.press(Press::Char('s'), &view), None);
            seen.push(names(&screen));
        }
        assert_eq!(seen, ["BCA", "ACB", "ACB", "ACB", "ABC", "BCA"]);
    }

    #[test]
    fn the_lock_that_is_chosen_stays_so_wherever_it_goes() {
        let (mut screen, view) = (Screen::default(), view());
        screen.press(Press::Down, &view);
        assert_eq!(screen.chosen(&view).unwrap().name, "C");
        for _ in 0..4 {
            screen.press(Press::Char('s'), &view);
        }
        assert_eq!(screen.chosen(&view).unwrap().name, "C");
        screen.press(Press::Down, &view);
        assert_eq!(screen.chosen(&view).unwrap().name, "C", "it is the last");
        screen.press(Press::Home, &view);
        assert_eq!(screen.chosen(&view).unwrap().name, "A");
    }

    #[test]
    fn a_filter_is_typed_and_taken_back() {
        let (mut screen, view) = (Screen::default(), view());
        for press in [
            Press::Char('/'),
            Press::Char('q'),
            Press::Back,
            Press::Char('b'),
            Press::Enter,
        ] {
            assert_eq!(screen.press(press, &view), None);
        }
        assert_eq!(names(&screen), "B");
        assert_eq!(screen.press(Press::Escape, &view), None);
        assert_eq!(names(&screen), "BCA");
        assert_eq!(screen.press(Press::Escape, &view), Some(Order::Quit));
    }

    #[test]
    fn one_lock_in_full_and_back() {
        let (mut screen, view) = (Screen::default(), view());
        screen.press(Press::Enter, &view);
        assert_eq!(
            (screen.mode, &*screen.opened(&view).unwrap().name),
            (Mode::Detail(0), "B")
        );
        screen.press(Press::Down, &view);
        assert_eq!(screen.mode, Mode::Detail(1));
        for _ in 0..30 {
            screen.press(Press::PageDown, &view);
        }
        screen.press(Press::PageUp, &view);
        assert_eq!(screen.mode, Mode::Detail(0), "there are not so many lines");
        assert_eq!(screen.press(Press::Char('q'), &view), None);
        assert_eq!(screen.mode, Mode::Table);
        assert_eq!(screen.press(Press::Char('q'), &view), Some(Order::Quit));
        assert_eq!(screen.press(Press::Enter, &View::default()), None);
        assert_eq!(screen.mode, Mode::Table, "there is none");
    }

    #[test]
    fn ctrl_c_ends_it_everywhere() {
        let view = view();
        for press in ['/', '?', 'p', 'w'] {
            let mut screen = Screen::default();
            screen.press(Press::Char(press), &view);
            assert_eq!(screen.press(Press::Interrupt, &view), Some(Order::Quit));
        }
    }
}
