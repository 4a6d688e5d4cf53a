//! Which tables there are, and which columns. `docs/tables.md` says the same in words; a test holds the two together.

use Kind::{Number, Text, Time, Truth, Weight};
use std::fmt::Write;

/// What a column holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// Ids and counts.
    Number,
    /// Nanoseconds: since the recording began, or of length.
    Time,
    /// A moment, microseconds since 1970.
    Moment,
    Text,
    Truth,
    /// 0 to 1.
    Weight,
}

/// A column.
#[derive(Clone, Copy, Debug)]
pub(super) struct Field {
    pub(super) name: &'static str,
    pub(super) kind: Kind,
    /// It may be null.
    pub(super) optional: bool,
}

/// A table: its name, and its columns after those of [`COMMON`].
#[derive(Clone, Copy, Debug)]
pub(super) struct Table {
    pub(super) name: &'static str,
    pub(super) fields: &'static [Field],
}

const fn is(name: &'static str, kind: Kind) -> Field {
    Field {
        name,
        kind,
        optional: false,
    }
}

const fn may(name: &'static str, kind: Kind) -> Field {
    Field {
        name,
        kind,
        optional: true,
    }
}

/// The first columns of every table.
pub(super) const COMMON: [Field; 3] = [
    is("recording", Text),
    may("pid", Number),
    may("started", Kind::Moment),
];

pub(super) const RECORDINGS: Table = Table {
    name: "recordings",
    fields: &[
        may("main", Text),
        may("java_version", Text),
        may("vm_name", Text),
        is("duration_ns", Time),
        is("events", Number),
        is("exact", Truth),
        is("ended", Truth),
        is("whole", Truth),
        is("lost", Number),
        is("gaps", Number),
        is("paused_ns", Time),
    ],
};

pub(super) const THREADS: Table = Table {
    name: "threads",
    fields: &[
        is("thread", Number),
        is("tid", Number),
        is("name", Text),
        may("thread_group", Text),
        is("daemon", Truth),
        is("virtual", Truth),
        is("at_start", Truth),
    ],
};

pub(super) const STACKS: Table = Table {
    name: "stacks",
    fields: &[
        is("stack", Number),
        is("depth", Number),
        is("method", Text),
        is("descriptor", Text),
        may("file", Text),
        may("line", Number),
        is("cut", Truth),
    ],
};

pub(super) const OBJECTS: Table = Table {
    name: "objects",
    fields: &[
        is("object", Number),
        is("class", Text),
        is("kind", Text),
        may("lock", Number),
    ],
};

pub(super) const LOCKS: Table = Table {
    name: "locks",
    fields: &[
        is("lock", Number),
        is("name", Text),
        may("class", Text),
        is("type", Text),
        is("types", Text),
        is("confidence", Weight),
        is("instances", Number),
        is("threads", Number),
        may("locked", Number),
        may("blocked", Number),
        may("blocked_ns", Time),
        is("waits", Number),
        may("wait_ns", Time),
        is("timed_out", Number),
        is("still_blocked", Number),
        is("still_waiting", Number),
        is("estimated", Truth),
    ],
};

pub(super) const EVENTS: Table = Table {
    name: "events",
    fields: &[
        is("at_ns", Time),
        may("to_ns", Time),
        is("event", Text),
        may("thread", Number),
        may("object", Number),
        may("lock", Number),
        may("stack", Number),
        may("other_thread", Number),
        may("detail", Text),
        may("limit_ns", Time),
        may("count", Number),
    ],
};

pub(super) const CONTENTIONS: Table = Table {
    name: "contentions",
    fields: &[
        is("contention", Number),
        is("kind", Text),
        is("thread", Number),
        may("object", Number),
        may("lock", Number),
        is("from_ns", Time),
        is("to_ns", Time),
        may("ns", Time),
        is("length", Text),
        may("stack", Number),
        may("site", Text),
        is("others", Number),
        may("waker", Number),
        may("waker_ns", Time),
    ],
};

pub(super) const SHARES: Table = Table {
    name: "shares",
    fields: &[
        is("contention", Number),
        is("nth", Number),
        is("by", Text),
        may("owner", Number),
        may("site", Text),
        may("ns", Time),
        may("why", Text),
    ],
};

pub(super) const HOLDS: Table = Table {
    name: "holds",
    fields: &[
        is("thread", Number),
        is("object", Number),
        may("lock", Number),
        is("from_ns", Time),
        is("to_ns", Time),
        may("stack", Number),
    ],
};

pub(super) const EDGES: Table = Table {
    name: "edges",
    fields: &[
        is("from_lock", Number),
        is("from_name", Text),
        is("to_lock", Number),
        is("to_name", Text),
        is("count", Number),
        is("threads", Number),
        is("known", Text),
        is("first_ns", Time),
        is("in_cycle", Truth),
    ],
};

/// All of them.
pub(super) const TABLES: [Table; 10] = [
    RECORDINGS,
    THREADS,
    STACKS,
    OBJECTS,
    LOCKS,
    EVENTS,
    CONTENTIONS,
    SHARES,
    HOLDS,
    EDGES,
];

impl Table {
    /// Every column.
    pub(super) fn all(&self) -> impl Iterator<Item = &Field> {
        COMMON.iter().chain(self.fields)
    }

    /// The schema, as the format writes it down.
    pub(super) fn message(&self) -> String {
        let mut message = format!("message {} {{\n", self.name);
        for field in self.all() {
            let repetition = if field.optional {
                "optional"
            } else {
                "required"
            };
            let (physical, logical) = match field.kind {
                Kind::Number | Kind::Time => ("INT64", ""),
                Kind::Moment => ("INT64", " (TIMESTAMP(MICROS,true))"),
                Kind::Text => ("BYTE_ARRAY", " (STRING)"),
                Kind::Truth => ("BOOLEAN", ""),
                Kind::Weight => ("DOUBLE", ""),
            };
            // Writing to a text can't fail.
            let _ = writeln!(
                message,
                "  {repetition} {physical} {}{logical};",
                field.name
            );
        }
        message + "}"
    }
}
