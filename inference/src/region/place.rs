//! Call chain + bytecode → the regions of a lock it stands in.
//!
//! A frame is lexically inside the `monitorenter` blocks around its bci and, if its method is
//! synchronized, inside that method. Which of all these regions lock *the* lock of an event is
//! decided by the object each works on, followed from frame to frame through receivers and
//! arguments; where the code does not show it, by the class of the lock object.

use super::subject::Subject;
use super::{Region, RegionId, RegionPlace, RegionTable};
use crate::program::Program;
use locklens_trace::record::{Frame, LockObject, StackDef};
use locklens_trace::{ClassId, MethodId};

/// What is known of the lock object an event is about.
#[derive(Clone, Copy, Debug)]
pub struct LockShape<'a> {
    /// Class of the object, if its definition was read.
    pub class: Option<ClassId>,
    /// What else it is.
    pub object: &'a LockObject,
}

/// Where an event on a lock happened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// Regions on this lock the event lies in, outermost first; never empty.
    pub levels: Vec<RegionId>,
    /// The event happened inside `Object.wait`.
    pub in_wait: bool,
    /// Stands for the frames outside the outermost region: two events of one thread with
    /// different ones cannot belong to one stay.
    pub callers: u64,
}

impl Place {
    /// The outermost region on this lock.
    #[must_use]
    pub fn outermost(&self) -> RegionId {
        self.levels[0]
    }

    /// The innermost region on this lock.
    #[must_use]
    pub fn innermost(&self) -> RegionId {
        *self.levels.last().unwrap_or(&self.levels[0])
    }
}

/// Regions a frame is lexically inside, innermost first; empty when its code is unknown and its
/// method is not synchronized.
#[must_use]
pub fn around(program: &Program<'_>, frame: Frame) -> Vec<Region> {
    let Some(method) = program.method(frame.method) else {
        return Vec::new();
    };
    let nesting = program.nesting(frame.method);
    let held = nesting
        .zip(frame.bci)
        .map_or(&[][..], |(n, bci)| n.held_at(bci));
    let blocks = held.iter().rev().filter_map(|&ordinal| {
        let bci = nesting?.monitors.get(usize::from(ordinal))?.bci;
        let place = RegionPlace::Block { bci, ordinal };
        Some(Region {
            method: method.id,
            class: method.class,
            place,
        })
    });
    blocks
        .chain(
            method
                .is_synchronized()
                .then(|| Program::method_region(method)),
        )
        .collect()
}

/// Regions that a frame in which something happened to a monitor stands in, innermost first: those around it, and the one it
/// is about to enter or has just entered. Probes tell of an acquisition at the `monitorenter`, which the block is not around.
#[must_use]
pub fn standing(program: &Program<'_>, frame: Frame) -> Vec<Region> {
    let mut regions = around(program, frame);
    let entering = entering(program, frame).filter(|region| !regions.contains(region));
    entering
        .into_iter()
        .for_each(|region| regions.insert(0, region));
    regions
}

/// The block whose `monitorenter` a frame is at, or behind: interpreted code reports the instruction after it.
#[must_use]
pub fn entering(program: &Program<'_>, frame: Frame) -> Option<Region> {
    let method = program.method(frame.method)?;
    let monitor = program.nesting(frame.method)?.monitor_at(frame.bci?)?;
    Some(Region {
        method: method.id,
        class: method.class,
        place: RegionPlace::Block {
            bci: monitor.bci,
            ordinal: monitor.ordinal,
        },
    })
}

/// All regions a call chain is inside, innermost first: what its thread holds, whatever the
/// lock, as far as the code is known.
#[must_use]
pub fn enclosing(program: &Program<'_>, stack: &StackDef) -> Vec<Region> {
    stack
        .frames
        .iter()
        .flat_map(|&f| around(program, f))
        .collect()
}

/// The regions of `lock` in which a thread with this call chain acquires it, waits on it or
/// notifies it.
pub fn locate(
    program: &Program<'_>,
    table: &mut RegionTable,
    stack: Option<&StackDef>,
    lock: LockShape<'_>,
) -> Place {
    let frames = stack.map_or(&[][..], |s| &s.frames);
    let operation = frames
        .iter()
        .take_while(|f| program.is_monitor_operation(f.method));
    let (inner, frames) = frames.split_at(operation.count());
    let levels = match frames {
        [] => vec![(0, Region::UNPLACED)],
        [first, ..] if inner.is_empty() => vec![(0, acquired(program, *first))],
        _ => Search {
            program,
            frames,
            lock,
        }
        .levels(),
    };
    let outermost = levels.last().map_or(0, |&(frame, _)| frame);
    Place {
        callers: fold(frames.get(outermost + 1..).unwrap_or(&[])),
        levels: levels
            .into_iter()
            .rev()
            .map(|(_, region)| table.intern(region))
            .collect(),
        in_wait: inner.iter().any(|f| program.is_object_wait(f.method)),
    }
}

/// A number that stands for a list of frames (FNV-1a; a collision merely hides a difference).
fn fold(frames: &[Frame]) -> u64 {
    let words = frames
        .iter()
        .flat_map(|f| [f.method.0, f.bci.map_or(u32::MAX, u32::from)]);
    words.fold(0xcbf2_9ce4_8422_2325, |hash, word| {
        (hash ^ u64::from(word)).wrapping_mul(0x0100_0000_01b3)
    })
}

/// The region a thread about to block is entering: its innermost frame is at the `monitorenter`, or right behind it,
/// or at the beginning of the synchronized method. A thread that blocks holds no level of the
/// lock, so this is the only one. Of one that lets go of it, the frame is at the `monitorexit`.
fn acquired(program: &Program<'_>, frame: Frame) -> Region {
    let (class, synchronized) = program
        .method(frame.method)
        .map_or((ClassId(0), false), |m| (m.class, m.is_synchronized()));
    let monitor = program.nesting(frame.method).zip(frame.bci);
    let monitor = monitor.and_then(|(nesting, bci)| {
        let entered = nesting.monitor_at(bci);
        let entered = entered.or_else(|| nesting.monitor_before(bci));
        entered.or_else(|| nesting.exited_at(bci))
    });
    let place = match monitor {
        Some(m) => RegionPlace::Block {
            bci: m.bci,
            ordinal: m.ordinal,
        },
        None if synchronized => RegionPlace::Method,
        None => return entered(program, frame, class),
    };
    Region {
        method: frame.method,
        class,
        place,
    }
}

/// An acquisition reported from inside its region (probes run behind the `monitorenter`), else
/// a place of which no more than the method is known.
fn entered(program: &Program<'_>, frame: Frame, class: ClassId) -> Region {
    let inside = around(program, frame).into_iter().next();
    inside.unwrap_or_else(|| unknown(frame.method, class, frame.bci))
}

fn unknown(method: MethodId, class: ClassId, bci: Option<u16>) -> Region {
    Region {
        method,
        class,
        place: RegionPlace::Unknown { bci },
    }
}

/// The search for the regions a thread waits or notifies in.
struct Search<'a, 'p> {
    program: &'a Program<'p>,
    /// From the frame that called the operation outwards.
    frames: &'a [Frame],
    lock: LockShape<'a>,
}

impl Search<'_, '_> {
    /// Regions on the lock with the index of their frames, innermost first, never empty.
    fn levels(&self) -> Vec<(usize, Region)> {
        let subject = self.receiver(self.frames[0]);
        let mut levels = subject.map_or(Vec::new(), |s| self.levels_of(s, 0));
        if levels.is_empty() {
            levels = self.by_class();
        }
        if levels.is_empty() {
            let frame = self.frames[0];
            let class = self
                .program
                .method(frame.method)
                .map_or(ClassId(0), |m| m.class);
            levels.push((0, unknown(frame.method, class, frame.bci)));
        }
        levels
    }

    /// What the operation of a frame is called on.
    fn receiver(&self, frame: Frame) -> Option<Subject> {
        let call = self.program.nesting(frame.method)?.call_at(frame.bci?)?;
        call.arguments
            .receiver()
            .filter(|&s| *s != Subject::Unknown)
            .cloned()
    }

    /// Regions on an object that is `subject` in frame `from`: followed up the chain as long as
    /// callers are seen to pass it on.
    fn levels_of(&self, subject: Subject, from: usize) -> Vec<(usize, Region)> {
        let mut found = Vec::new();
        let mut subject = Some(subject);
        for (index, &frame) in self.frames.iter().enumerate().skip(from) {
            if index > from {
                subject = subject.and_then(|s| self.in_caller(&s, frame));
            }
            let Some(subject) = &subject else { break };
            let regions = around(self.program, frame).into_iter();
            let same = regions.filter(|r| self.program.subject(r) == *subject);
            found.extend(same.map(|r| (index, r)));
        }
        found
    }

    fn in_caller(&self, subject: &Subject, caller: Frame) -> Option<Subject> {
        if matches!(subject, Subject::Static(_) | Subject::Class(_)) {
            return Some(subject.clone());
        }
        let call = self.program.nesting(caller.method)?.call_at(caller.bci?)?;
        subject.in_caller(&call.arguments)
    }

    /// The innermost region whose object can be the lock by its class, with its outer levels.
    /// A frame of unknown code ends the search, since the region may be in it; not so one that only hands a call on.
    fn by_class(&self) -> Vec<(usize, Region)> {
        for (index, &frame) in self.frames.iter().enumerate() {
            let mut regions = around(self.program, frame).into_iter();
            if let Some(region) = regions.find(|r| self.suits(r)) {
                let levels = self.levels_of(self.program.subject(&region), index);
                return if levels.is_empty() {
                    vec![(index, region)]
                } else {
                    levels
                };
            }
            let known = self.program.nesting(frame.method).is_some();
            if !known && !self.program.hands_on(frame.method) {
                break;
            }
        }
        Vec::new()
    }

    /// Whether the object a region locks can be the lock, by its class.
    fn suits(&self, region: &Region) -> bool {
        let hierarchy = &self.program.hierarchy;
        let subject = self.program.subject(region);
        match (&subject, self.lock.object, self.lock.class) {
            (Subject::Class(name), LockObject::ClassMirror(mirrored), _) => {
                self.program.catalog.class_name(*mirrored) == *name
            }
            (Subject::Class(_), _, _) | (Subject::This, LockObject::ClassMirror(_), _) => false,
            (Subject::This, _, Some(class)) => {
                hierarchy.extends(class, region.class) != Some(false)
            }
            (other, _, Some(class)) => other
                .declared_type()
                .is_none_or(|name| hierarchy.extends_name(class, &name) != Some(false)),
            (_, _, None) => true,
        }
    }
}
