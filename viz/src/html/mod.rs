//! The page for a browser: the locks of a recording, and what threads and locks did over time.
//!
//! One file without a network: style, script and data are in it, and a policy that forbids it everything else. What came
//! from the target stands only in the data, which no browser takes for markup, and the script shows it as text only.
//!
//! [`page`] puts it together from `page.html`, `style.css` and the files of `js`, which are in the order of the data:
//! `model.js` reads it, `view.js` says what part of it is shown, the others show it. `data` is what they read, `policy`
//! what they may do.
//!
//! [`served_page`] is the same page for a command that has the trace at hand: it may ask that command, and no other, for
//! [`detail`].

mod data;
mod detail;
mod nesting;
mod panels;
pub(crate) mod policy;
mod pressure;
mod strips;
mod tree;

use data::Data;
pub use detail::detail;
use locklens_inference::levels::model::Levels;
use locklens_inference::model::Model;
pub use panels::Panels;
use policy::Reach;
use std::io::{self, Write};

const PAGE: &str = include_str!("page.html");
const STYLE: &str = concat!(include_str!("style.css"), include_str!("panels.css"));
/// One script, in this order.
const SCRIPT: [&str; 21] = [
    include_str!("js/model.js"),
    include_str!("js/words.js"),
    include_str!("js/view.js"),
    include_str!("js/lanes.js"),
    include_str!("js/table.js"),
    include_str!("js/stocks.js"),
    include_str!("js/waiters.js"),
    include_str!("js/lines.js"),
    include_str!("js/groups.js"),
    include_str!("js/draw.js"),
    include_str!("js/hands.js"),
    include_str!("js/room.js"),
    include_str!("js/jumps.js"),
    include_str!("js/panels.js"),
    include_str!("js/tree.js"),
    include_str!("js/flame.js"),
    include_str!("js/layers.js"),
    include_str!("js/graph.js"),
    include_str!("js/pressure.js"),
    include_str!("js/ticks.js"),
    include_str!("js/main.js"),
];

/// What a served page has besides, before the last.
const SERVED: &str = include_str!("js/detail.js");
/// What one has at the very end that is of a recording under way.
const LIVE: &str = concat!(include_str!("js/visualize.js"), include_str!("js/live.js"));

/// Version of the data in the page.
pub const SCHEMA: u32 = 2;

/// Writes the page; without `panels` it has the timelines alone.
///
/// # Errors
/// When `out` fails.
pub fn page(
    levels: &Levels,
    model: &Model,
    panels: Option<&Panels>,
    out: &mut dyn Write,
) -> io::Result<()> {
    let data = Data::of(levels, model, panels)?;
    write(&data, &SCRIPT.concat(), Reach::Nothing, out)
}

/// Writes the page for a browser that can ask the server it came from for [`detail`], at the path `detail` beside it. Of a recording
/// that is under way it is one of many pages: their number is its `generation`, and how it stands it asks for at the path `now`; what its reader wants
/// to have recorded it posts to the path `visualize`.
///
/// # Errors
/// When `out` fails.
pub fn served_page(
    levels: &Levels,
    model: &Model,
    panels: &Panels,
    generation: Option<u64>,
    out: &mut dyn Write,
) -> io::Result<()> {
    let [before @ .., last] = SCRIPT;
    let live = generation.map_or("", |_| LIVE);
    let script = [&before.concat(), SERVED, last, live].concat();
    let data = Data::of(levels, model, Some(panels))?.live(generation);
    write(&data, &script, Reach::Server, out)
}

fn write(data: &Data, script: &str, reach: Reach, out: &mut dyn Write) -> io::Result<()> {
    let mut rest = PAGE;
    while let Some((before, marked)) = rest.split_once("{{") {
        out.write_all(before.as_bytes())?;
        let (name, after) = marked.split_once("}}").unwrap_or((marked, ""));
        match name {
            "policy" => out.write_all(policy::policy(STYLE, script, reach).as_bytes())?,
            "style" => out.write_all(STYLE.as_bytes())?,
            "script" => out.write_all(script.as_bytes())?,
            _ => data.write(out)?,
        }
        rest = after;
    }
    out.write_all(rest.as_bytes())
}
