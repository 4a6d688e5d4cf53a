//! What threads, locks and places are called in the viewers: made harmless, and of a length that they can show.

use super::fast::FastMap;
use crate::report::HEADLESS;
use crate::text::clean;
use locklens_inference::analysis::Analysis;
use locklens_inference::catalog::Catalog;
use locklens_inference::collect::Collected;
use locklens_trace::record::{Frame, ThreadDef, target_key};
use locklens_trace::{LockId, StackId, ThreadId};

/// Characters kept of a name.
const LONGEST: usize = 300;
/// Frames kept of a call chain.
const FRAMES: usize = 128;

/// A name from the target, for a viewer.
pub(crate) fn harmless(name: &str) -> String {
    let end = name.char_indices().nth(LONGEST).map(|(end, _)| end);
    match end {
        Some(end) => clean(&name[..end]) + "…",
        None => clean(name),
    }
}

/// See the module.
#[derive(Debug)]
pub(crate) struct Names<'a> {
    pub(crate) collected: &'a Collected,
    pub(crate) analysis: &'a Analysis,
    locks: FastMap<LockId, usize>,
}

/// A frame, part by part.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Place {
    /// `Class.method`.
    pub(crate) method: String,
    pub(crate) descriptor: String,
    pub(crate) file: Option<String>,
    pub(crate) line: Option<u16>,
}

impl<'a> Names<'a> {
    pub(crate) fn of(collected: &'a Collected, analysis: &'a Analysis) -> Self {
        let objects = analysis.objects.iter().enumerate();
        let objects = objects.flat_map(|(ix, locks)| locks.iter().map(move |&lock| (lock, ix)));
        Self {
            collected,
            analysis,
            locks: objects.collect(),
        }
    }

    pub(crate) fn catalog(&self) -> &'a Catalog {
        &self.collected.catalog
    }

    /// A fact of the target, if it is known.
    pub(crate) fn fact(&self, key: &str) -> Option<&'a str> {
        self.collected.target.get(key).map(String::as_str)
    }

    pub(crate) fn program(&self) -> String {
        self.fact(target_key::MAIN)
            .map_or_else(|| "unknown program".to_owned(), harmless)
    }

    /// A process id that any viewer takes; 1 if none is known.
    pub(crate) fn pid(&self) -> i32 {
        let pid = self.fact(target_key::PID).and_then(|pid| pid.parse().ok());
        pid.filter(|&pid| pid > 0).unwrap_or(1)
    }

    pub(crate) fn thread(&self, id: ThreadId) -> Option<&'a ThreadDef> {
        self.catalog().threads.get(&id)
    }

    pub(crate) fn thread_name(&self, id: ThreadId) -> String {
        harmless(&self.catalog().thread_name(id))
    }

    /// Index of the logical lock of an object, if reports have it.
    pub(crate) fn index(&self, lock: LockId) -> Option<usize> {
        self.locks.get(&lock).copied()
    }

    /// A logical lock, as the report lists it.
    pub(crate) fn lock(&self, index: usize) -> String {
        let Some(lock) = self.analysis.model.locks.get(index) else {
            return "<lock>".to_owned();
        };
        let types: Vec<_> = lock.types.iter().map(|one| one.lock_type.name()).collect();
        match types.is_empty() {
            true => format!("#{} {}", lock.id, harmless(&lock.name)),
            false => format!("#{} {} {}", lock.id, types.join("+"), harmless(&lock.name)),
        }
    }

    /// What somebody is held up by.
    pub(crate) fn object(&self, lock: Option<LockId>) -> String {
        let Some(lock) = lock else {
            return "nothing named".to_owned();
        };
        if let Some(index) = self.index(lock) {
            return self.lock(index);
        }
        let def = self.catalog().locks.get(&lock);
        def.map_or_else(
            || format!("<lock {}>", lock.0),
            |def| harmless(&self.catalog().class_name(def.class)),
        )
    }

    pub(crate) fn place(&self, frame: &Frame) -> Place {
        let catalog = self.catalog();
        let Some(method) = catalog.methods.get(&frame.method) else {
            return Place {
                method: format!("<method {}>", frame.method.0),
                ..Place::default()
            };
        };
        let class = catalog.classes.get(&method.class);
        let file = class.and_then(|class| class.source_file.as_deref());
        let name = format!("{}.{}", catalog.class_name(method.class), method.name);
        Place {
            method: harmless(&name),
            descriptor: method.descriptor.clone(),
            file: file.map(harmless),
            line: frame.bci.and_then(|bci| method.line_at(bci)),
        }
    }

    /// A call chain in one text, innermost first.
    pub(crate) fn chain(&self, stack: StackId) -> String {
        let Some(def) = self.catalog().stacks.get(&stack) else {
            return String::new();
        };
        let frames = def.frames.iter().take(FRAMES);
        let mut told: Vec<String> = frames.map(|frame| self.place(frame).short()).collect();
        if def.cut || def.frames.len() > FRAMES {
            told.push("…".to_owned());
        }
        told.join(" < ")
    }

    /// The frames of a call chain, outermost first, and whether there were more.
    pub(crate) fn frames(&self, stack: StackId) -> Option<(Vec<Frame>, bool)> {
        let def = self.catalog().stacks.get(&stack)?;
        let mut frames: Vec<Frame> = def.frames.iter().take(FRAMES).copied().collect();
        frames.reverse();
        Some((frames, def.cut || def.frames.len() > FRAMES))
    }

    /// What the recording does not have, in a sentence each.
    pub(crate) fn warnings(&self) -> Vec<String> {
        let recording = &self.analysis.model.recording;
        let mut all = Vec::new();
        if !recording.ended {
            all.push("the recording was cut off: it has no end".to_owned());
        }
        if recording.lost > 0 {
            all.push(format!("events lost: {}", recording.lost));
        }
        if recording.gaps > 0 {
            all.push(format!("parts that could not be read: {}", recording.gaps));
        }
        if recording.paused.0 > 0 {
            all.push(format!(
                "events were switched off for {} ns",
                recording.paused.0
            ));
        }
        if recording.stacks_lost > 0 {
            all.push(format!("call chains left out: {}", recording.stacks_lost));
        }
        if recording.headless {
            all.push(HEADLESS.to_owned());
        } else if !recording.exact {
            all.push("watched only: what nobody blocked or waited for is not in it".to_owned());
        }
        all
    }
}

impl Place {
    /// `Class.method(File.java:12)`, with what is known of it.
    pub(crate) fn short(&self) -> String {
        match (&self.file, self.line) {
            (Some(file), Some(line)) => format!("{}({file}:{line})", self.method),
            (Some(file), None) => format!("{}({file})", self.method),
            (None, _) => self.method.clone(),
        }
    }
}
