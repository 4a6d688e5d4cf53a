//! Without a terminal: each interval as lines of text.

use super::watch::Watch;
use crate::args::Top as Args;
use crate::terminal;
use locklens_viz::top::{Scene, Screen, plain};
use std::io::{self, ErrorKind, Write};

/// Prints frames until there are enough, or somebody or something ends it.
pub(super) fn run(args: &Args, watch: &mut Watch<'_>) -> io::Result<()> {
    let mut left = args.frames.unwrap_or(u64::MAX);
    while left > 0 && !watch.is_over() && !watch.is_unwanted() {
        watch.wait();
        if !watch.has_turned() {
            continue;
        }
        left -= 1;
        match print(watch) {
            // A reader that went away has what it wanted.
            Err(error) if error.kind() == ErrorKind::BrokenPipe => return Ok(()),
            printed => printed?,
        }
    }
    Ok(())
}

fn print(watch: &mut Watch<'_>) -> io::Result<()> {
    let width = u16::try_from(terminal::look().width).unwrap_or(u16::MAX);
    let scene = Scene {
        target: watch.target,
        view: &watch.view(),
        screen: &Screen::default(),
        colour: false,
    };
    let mut out = io::stdout().lock();
    plain(scene, width, &mut out)?;
    out.flush()
}
