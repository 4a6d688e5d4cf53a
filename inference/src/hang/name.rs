//! Names of what threads hold and want: the class where it is the program's, else with a place in the program beside it, so that
//! another run gives the same.

use super::idle::is_machinery;
use super::want::{Shape, Want};
use crate::deadlock::finding::{Resource, What};
use crate::effects::is_platform_name;
use crate::sample::dump::{Object, Thread};
use crate::sample::filter::Frame;
use crate::stable_name::{short, stable_method};

/// The mirror of a class.
const MIRROR: &str = "java.lang.Class for ";

/// A chain from the place on where the program calls the JDK; if it does not, from that on which says what is waited for.
pub(super) fn chain(frames: &[Frame]) -> Vec<String> {
    let first = |fits: fn(&str) -> bool| frames.iter().position(|frame| fits(&frame.method));
    let ours = first(|method| !is_platform_name(method));
    let from = ours.or_else(|| first(|method| !is_machinery(method)));
    let from = frames[from.unwrap_or(0)..].iter();
    // Another run makes other such classes, and nothing is written in them.
    from.filter(|frame| !frame.method.contains("$$Lambda"))
        .map(told)
        .collect()
}

/// `app.Pool.take:42`.
fn told(frame: &Frame) -> String {
    let line = frame.source.rsplit_once(':').map(|(_, line)| line);
    match line.filter(|line| line.parse::<u32>().is_ok()) {
        Some(line) => format!("{}:{line}", frame.method),
        None => frame.method.clone(),
    }
}

/// Where a thread has taken an object: the chain of that frame. At which of its lines no dump says: it tells where the frame is now.
pub(super) fn taken(thread: &Thread, id: &str) -> Vec<String> {
    // The outermost is where it was free before.
    let mut entered = thread.entered.iter().rev();
    let at = entered.find_map(|(at, object)| (object.id == id).then_some(*at));
    let frames = at.and_then(|at| thread.frames.get(at..));
    let mut taken = chain(frames.unwrap_or(&[]));
    if let Some(first) = taken.first_mut() {
        *first = without_line(first).to_owned();
    }
    taken
}

fn without_line(frame: &str) -> &str {
    frame.rsplit_once(':').map_or(frame, |(method, _)| method)
}

/// The class of an object that is the program's own, without its package.
fn own(class: &str) -> Option<String> {
    match class.strip_prefix(MIRROR) {
        Some(mirrored) => Some(format!("{}.class", short(mirrored))),
        None => (!is_platform_name(class)).then(|| short(class)),
    }
}

/// A class of the JDK's as people know it: `ReentrantLock`, not what that has inside.
fn known_as(class: &str) -> String {
    short(class.split('$').next().unwrap_or(class))
}

/// `Pool.take` of the innermost frame.
fn place(chain: &[String]) -> Option<String> {
    let (class, method) = without_line(chain.first()?).rsplit_once('.')?;
    Some(format!("{}.{}", short(class), stable_method(method)))
}

/// An object by name, of which these are the chains of those who have or want it.
pub(super) fn object_name(object: &Object, chains: &[&[String]]) -> String {
    let places = chains.iter().filter_map(|chain| place(chain));
    match (own(&object.class), places.min()) {
        (Some(name), _) => name,
        (None, Some(place)) => format!("{} in {place}", known_as(&object.class)),
        (None, None) => known_as(&object.class),
    }
}

/// What the methods above the program wait for, which the object they are parked at does not say.
fn met(word: &str, class: &str, chains: &[&[String]]) -> String {
    let places = chains.iter().filter_map(|chain| place(chain));
    match places.min() {
        Some(place) => format!("{word} {class} in {place}"),
        None => format!("{word} {class}"),
    }
}

/// The type of a lock of `java.util.concurrent`.
fn types(shape: &Shape) -> &'static str {
    match shape {
        Shape::Lock => "LOCK",
        Shape::Write | Shape::Read => "READ-WRITE",
        Shape::Permit => "SEMAPHORE",
        Shape::End => "THREAD",
        Shape::Signal("count-down") => "LATCH",
        Shape::Signal("signal") => "CONDITION",
        Shape::Monitor | Shape::Notify | Shape::Signal(_) | Shape::Met(..) | Shape::Init(_) => "",
    }
}

/// How it is wanted.
pub(super) fn mode(shape: &Shape) -> &'static str {
    match shape {
        Shape::Read => "shared",
        Shape::Permit => "permit",
        _ => "exclusive",
    }
}

/// What a thread wants, of which these are the chains; `of` is whose end or class it is, if that is known.
pub(super) fn resource(want: &Want, chains: &[&[String]], of: Option<&Thread>) -> Resource {
    let object = want.object.as_ref();
    if let Some(wanted) = &want.recorded {
        return Resource {
            name: wanted.name.clone(),
            id: wanted.id.clone(),
            types: wanted.types.clone(),
            mode: mode(&want.shape),
            what: What::Lock,
            object: object.map(told_apart),
        };
    }
    let name = object.map_or_else(
        || "unknown".to_owned(),
        |object| object_name(object, chains),
    );
    let (name, what) = match &want.shape {
        Shape::Monitor | Shape::Lock | Shape::Write | Shape::Read | Shape::Permit => {
            (name, What::Lock)
        }
        Shape::Notify => (format!("notify of {name}"), What::Notify),
        // Whom it is to come from, or through what, is not known.
        Shape::Signal(word) if object.is_none() => ((*word).to_owned(), What::Notify),
        Shape::Signal(word) => (format!("{word} of {name}"), What::Notify),
        Shape::Met(word, class) => (met(word, class, chains), What::Notify),
        Shape::End => return end(of),
        Shape::Init(class) => (initialiser(class.as_deref(), of), What::Init),
    };
    Resource {
        name,
        id: object.map_or_else(String::new, |object| object.id.clone()),
        types: types(&want.shape).to_owned(),
        mode: "exclusive",
        what,
        object: object.map(|object| match want.presumed {
            true => format!(
                "{}, as it seems: it has entered others, too",
                told_apart(object)
            ),
            false => told_apart(object),
        }),
    }
}

/// Its class and its address.
fn told_apart(object: &Object) -> String {
    match object.id.starts_with(&object.class) {
        true => object.id.clone(),
        false => format!("{} {}", object.class, object.id),
    }
}

fn end(of: Option<&Thread>) -> Resource {
    let name = of.map_or("a thread", |thread| thread.name.as_str());
    Resource {
        name: crate::deadlock::end_of(&crate::sample::group::folded(name)),
        id: of.map_or_else(String::new, |thread| thread.name.clone()),
        types: "THREAD".to_owned(),
        mode: "exclusive",
        what: What::End,
        object: None,
    }
}

/// The class that is waited for; where that is not told, the one whose initialiser that thread is in.
fn initialiser(class: Option<&str>, of: Option<&Thread>) -> String {
    let running = || {
        let mut frames = of?.frames.iter();
        frames.find_map(|frame| frame.method.strip_suffix(".<clinit>"))
    };
    match class.or_else(running) {
        Some(class) => format!("initialisation of {}", short(class)),
        None => "initialisation of a class".to_owned(),
    }
}
