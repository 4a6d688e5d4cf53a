//! Which lock of a report somebody means: by the number or a name that a report prints.

use crate::report::location;
use crate::text::{clean, short_class};
use locklens_inference::model::{LogicalLock, Model};

/// Why a word means no one lock.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unclear {
    /// No lock is called so.
    Nothing,
    /// Several are: their places in the model.
    Several(Vec<usize>),
}

/// The place in the model of the lock meant. Best first: its number, its name, what the table says
/// of it, a region (`Class.method`) or a class of it, part of its name, the same whatever its case. Of several that fit equally
/// well none is meant.
///
/// # Errors
/// When no lock is called so, or several are.
pub fn find(model: &Model, wanted: &str) -> Result<usize, Unclear> {
    let wanted = wanted.trim();
    if wanted.is_empty() {
        return Err(Unclear::Nothing);
    }
    let unmarked = wanted.strip_prefix('#').unwrap_or(wanted);
    let number = unmarked
        .bytes()
        .all(|b| b.is_ascii_digit())
        .then(|| unmarked.parse::<u32>().ok());
    let place = place(wanted);
    let named = |lock: &LogicalLock| [&lock.name, &lock.called()].map(|name| clean(name));
    let ways: [&dyn Fn(&LogicalLock) -> bool; 5] = [
        &|lock| number.flatten() == Some(lock.id),
        &|lock| lock.name == wanted || named(lock).iter().any(|name| name == wanted),
        &|lock| location(lock).as_deref() == Some(place),
        &|lock| has_region(lock, place) || has_class(lock, wanted),
        &|lock| lock.name.contains(wanted),
    ];
    let lower = wanted.to_lowercase();
    let relaxed = |lock: &LogicalLock| lock.name.to_lowercase().contains(&lower);
    for way in ways
        .into_iter()
        .chain([&relaxed as &dyn Fn(&LogicalLock) -> bool])
    {
        let fitting = model.locks.iter().enumerate().filter(|(_, lock)| way(lock));
        let fitting: Vec<usize> = fitting.map(|(index, _)| index).collect();
        match fitting[..] {
            [] => {}
            [index] => return Ok(index),
            _ => return Err(Unclear::Several(fitting)),
        }
    }
    Err(Unclear::Nothing)
}

/// Without the number of further regions and the class that the table puts behind it.
fn place(wanted: &str) -> &str {
    let wanted = wanted.split(" [").next().unwrap_or(wanted);
    match wanted.rsplit_once(" +") {
        Some((place, more)) if more.bytes().all(|b| b.is_ascii_digit()) => place,
        _ => wanted,
    }
}

fn has_region(lock: &LogicalLock, wanted: &str) -> bool {
    lock.regions.iter().any(|region| {
        let class = &region.class;
        [class.as_str(), &short_class(class)]
            .iter()
            .any(|class| clean(&format!("{class}.{}", region.method)) == wanted)
    })
}

fn has_class(lock: &LogicalLock, wanted: &str) -> bool {
    let mut classes = lock.classes.iter();
    classes.any(|class| {
        let short = short_class(class);
        // As in its source: a nested class by its own name, or with dots.
        let simple = short.rsplit('$').next().unwrap_or(&short);
        [class, &short, simple, &short.replace('$', ".")]
            .iter()
            .any(|name| !name.starts_with(|c: char| c.is_ascii_digit()) && clean(name) == wanted)
    })
}
