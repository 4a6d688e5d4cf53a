//! `locklens info`: what a trace consists of.

use crate::args::Info;
use crate::exit::{Exit, Failure};
use crate::terminal;
use crate::trace_file;
use locklens_inference::volume::Composition;
use locklens_trace::read::Item;
use locklens_viz::info;

/// Counts the trace through and prints the figures.
pub(crate) fn run(args: &Info) -> Result<Exit, Failure> {
    let mut reader = trace_file::open(&args.file)?;
    let mut composition = Composition::default();
    while let Some(item) = reader.next_item() {
        match item {
            Item::Record(record) => composition.add(&record, reader.last_len()),
            Item::Gap(gap) => composition.gap(&gap),
        }
    }
    composition.volume = reader.volume();
    terminal::print(|out| match args.json {
        true => info::json(&composition, out),
        false => info::text(&composition, terminal::look(), out),
    })
}
