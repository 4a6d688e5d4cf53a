//! Locks of a JVM under way, on a terminal: what is drawn, and what keys do.
//!
//! Nothing here knows a terminal: [`draw()`] puts a [`Scene`] into a buffer of cells, [`Screen`] is what somebody has chosen
//! (sort, filter, one lock in full …) and what each [`Press`] makes of it. Who reads keys and shows the cells is
//! somebody else.

mod detail;
mod draw;
mod help;
mod plain;
mod screen;
mod table;

pub use draw::{LEAST, Scene, draw};
pub use plain::plain;
pub use screen::{Order, Press, Screen};

use crate::text::{clean, short_class};
use crate::who::who;
use locklens_inference::board::view::Line;

/// Types of a lock, `…` before there has been an analysis.
fn types(line: &Line) -> String {
    match line.types.is_empty() {
        true => "…".to_owned(),
        false => {
            let names: Vec<&str> = line.types.iter().map(|(name, _)| &**name).collect();
            names.join("+")
        }
    }
}

/// What a lock is called: before there has been an analysis its class, and where it is wanted.
fn called(line: &Line) -> String {
    match (line.id, &line.place) {
        (None, Some(place)) => format!("{} at {}", class(line), clean(&short(place))),
        (None, None) => class(line),
        (Some(_), _) => clean(&line.name),
    }
}

/// The class of its objects.
fn class(line: &Line) -> String {
    clean(&short_class(&line.name))
}

/// A frame without its package.
fn short(frame: &str) -> String {
    match frame.split_once('(') {
        Some((method, source)) => format!("{}({source}", crate::text::short_place(method)),
        None => crate::text::short_place(frame),
    }
}

/// Who holds what threads are blocked on at the moment, as far as anybody was named.
fn by(line: &Line) -> String {
    let mut names: Vec<String> = Vec::new();
    for standing in &line.blocked {
        let name = standing.by.as_deref().map_or("(unknown)".to_owned(), who);
        if !names.contains(&name) {
            names.push(name);
        }
    }
    match names.len() {
        0 | 1 => names.concat(),
        more => format!("{} +{}", names[0], more - 1),
    }
}

/// `45.2%`, of estimates `~45.2%`.
fn share(share: f64, is_estimate: bool) -> String {
    let about = if is_estimate { "~" } else { "" };
    format!("{about}{:.1}%", share * 100.0)
}
