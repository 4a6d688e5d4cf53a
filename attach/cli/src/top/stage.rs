//! On the terminal: frames are shown, keys are read, and it is left as it was found.

use super::watch::Watch;
use crate::record::naming::Subject;
use crate::record::output::{self, Nowhere};
use crate::replace::Replace;
use crate::target::name;
use crate::terminal;
use locklens_hotspot::Jvm;
use locklens_inference::board::view::View;
use locklens_inference::trial::panics_are_caught;
use locklens_trace::chunk;
use locklens_trace::record::{LossCause, Record};
use locklens_viz::many;
use locklens_viz::top::{Order, Press, Scene, Screen, draw};
use ratatui::backend::{Backend, CrosstermBackend};
use ratatui::buffer::Buffer;
use ratatui::crossterm::cursor::{Hide, Show};
use ratatui::crossterm::event::{self, Event, KeyCode, KeyEvent, KeyEventKind, KeyModifiers};
use ratatui::crossterm::execute;
use ratatui::crossterm::terminal::{
    EnterAlternateScreen, LeaveAlternateScreen, disable_raw_mode, enable_raw_mode,
};
use ratatui::layout::{Position, Rect};
use std::io::{self, Stdout};
use std::time::Duration;

/// How long a key is waited for before what has come is looked at.
const STEP: Duration = Duration::from_millis(50);
/// Records of one chunk of a trace.
const CHUNK: usize = 8_192;

/// Shows it until somebody or something ends it.
pub(super) fn run(watch: &mut Watch<'_>, jvm: &Jvm) -> io::Result<()> {
    let mut stage = Stage::enter()?;
    let mut screen = Screen::default();
    let mut view = watch.view();
    let mut is_old = true;
    while !watch.is_over() && !watch.is_unwanted() {
        watch.catch_up();
        if !screen.is_paused() && watch.has_changed() {
            view = watch.view();
            is_old = true;
        }
        if std::mem::take(&mut is_old) {
            stage.show(watch.target, &view, &screen)?;
        }
        if !event::poll(STEP)? {
            continue;
        }
        is_old = true;
        let press = match event::read()? {
            Event::Key(key) => press(key),
            _ => None,
        };
        match press.and_then(|press| screen.press(press, &view)) {
            Some(Order::Quit) => return Ok(()),
            Some(Order::Snapshot) => {
                screen.say(snapshot(watch, jvm));
                stage.forget()?;
            }
            None => {}
        }
    }
    Ok(())
}

/// The terminal while it is ours; given back when this is dropped, or somebody panics. It is asked nothing but its size:
/// one that does not answer is as good as any.
struct Stage {
    backend: CrosstermBackend<Stdout>,
    /// What it shows.
    shown: Buffer,
    colour: bool,
}

impl Stage {
    fn enter() -> io::Result<Self> {
        let usual = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |panic| {
            if !panics_are_caught() {
                leave();
                usual(panic);
            }
        }));
        enable_raw_mode()?;
        let stage = Self {
            backend: CrosstermBackend::new(io::stdout()),
            shown: Buffer::default(),
            colour: terminal::look().colour,
        };
        execute!(io::stdout(), EnterAlternateScreen, Hide)?;
        Ok(stage)
    }

    /// What it shows may be something else by now.
    fn forget(&mut self) -> io::Result<()> {
        self.shown = Buffer::default();
        self.backend.clear()
    }

    fn show(&mut self, target: &str, view: &View, screen: &Screen) -> io::Result<()> {
        let colour = self.colour;
        let scene = Scene {
            target,
            view,
            screen,
            colour,
        };
        let area = Rect::from((Position::ORIGIN, self.backend.size()?));
        if self.shown.area != area {
            self.forget()?;
            self.shown = Buffer::empty(area);
        }
        let mut cells = Buffer::empty(area);
        draw(scene, &mut cells);
        self.backend.draw(self.shown.diff(&cells).into_iter())?;
        self.shown = cells;
        Backend::flush(&mut self.backend)
    }
}

impl Drop for Stage {
    fn drop(&mut self) {
        leave();
    }
}

/// Gives the terminal back. What can't be done for want of one need not be.
fn leave() {
    let _ = execute!(io::stdout(), LeaveAlternateScreen, Show);
    let _ = disable_raw_mode();
}

fn press(key: KeyEvent) -> Option<Press> {
    if key.kind == KeyEventKind::Release {
        return None;
    }
    let ctrl = key.modifiers.contains(KeyModifiers::CONTROL);
    Some(match key.code {
        KeyCode::Char('c') if ctrl => Press::Interrupt,
        KeyCode::Char(_) if ctrl => return None,
        KeyCode::Char(c) => Press::Char(c),
        KeyCode::Enter => Press::Enter,
        KeyCode::Esc => Press::Escape,
        KeyCode::Backspace => Press::Back,
        KeyCode::Up => Press::Up,
        KeyCode::Down => Press::Down,
        KeyCode::PageUp => Press::PageUp,
        KeyCode::PageDown => Press::PageDown,
        KeyCode::Home => Press::Home,
        KeyCode::End => Press::End,
        _ => return None,
    })
}

fn has_slices(records: &[Record]) -> bool {
    let is_pause =
        |record: &Record| matches!(record, Record::Lost(lost) if lost.cause == LossCause::Paused);
    records.iter().any(is_pause)
}

/// Writes a trace of the last minute; what is to be said of that.
fn snapshot(watch: &Watch<'_>, jvm: &Jvm) -> String {
    let Some(records) = watch.recent.snapshot() else {
        return "nothing has happened yet: no trace is written".to_owned();
    };
    let subject = Subject {
        pid: jvm.pid.0,
        main: name(jvm).to_owned(),
    };
    let mut file = match output::open(None, &subject, Replace::Own, Nowhere::Refused) {
        Ok(file) => file
            .sampled(true)
            .looking_at_owners(true)
            .paused(has_slices(&records)),
        Err(failure) => return failure.what,
    };
    let mut chunks = records.chunks(CHUNK);
    let written = file
        .begin()
        .and_then(|()| chunks.try_for_each(|records| file.append(&chunk::pack(records.iter()))));
    match written {
        Ok(()) => format!(
            "wrote {}, {}",
            file.name(),
            many(records.len() as u64, "record")
        ),
        Err(error) => {
            let said = format!("can't write {}: {error}", file.name());
            file.abandon();
            said
        }
    }
}
