//! A frame as lines of text, for who has no terminal.

use super::draw::{Scene, heading, stuck};
use super::table;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use std::io::{self, Write};

/// Writes the heading, deadlocks if there are any, and the locks, so wide.
///
/// # Errors
/// When `out` fails.
pub fn plain(scene: Scene<'_>, width: u16, out: &mut dyn Write) -> io::Result<()> {
    let width = width.max(super::LEAST.0);
    let locks = scene.screen.lines(scene.view).len().clamp(2, MOST);
    let below = table::remarks(scene.view).len() as u16;
    let area = Rect::new(0, 0, width, locks as u16 + 1 + below);
    let mut cells = Buffer::empty(area);
    table::draw(scene, area, &mut cells);
    writeln!(out, "{}", heading(scene).trim())?;
    for (deadlock, _) in stuck(scene, usize::MAX) {
        writeln!(out, "{}", deadlock.trim())?;
    }
    let rows = cells.content.chunks(width.into());
    for row in rows {
        let line: String = row.iter().map(|cell| cell.symbol()).collect();
        writeln!(out, "{}", line.trim_end())?;
    }
    writeln!(out)
}

/// Locks of one frame.
const MOST: usize = 1_000;
