//! What says who holds a monitor: events of threads, and looks that the agent takes at owners.

use crate::in_time::Timed;
use locklens_trace::held::Held;
use locklens_trace::{Event, Nanos, ThreadId};

/// See the module.
#[derive(Clone, Copy, Debug)]
pub(super) enum Sign {
    Event(Event),
    Look(Held),
}

impl Timed for Sign {
    fn series(&self) -> (ThreadId, u8) {
        match self {
            Self::Event(event) => (event.thread, 0),
            // The agent looks.
            Self::Look(_) => (ThreadId(0), 1),
        }
    }

    fn at(&self) -> Nanos {
        match self {
            Self::Event(event) => event.at,
            Self::Look(held) => held.at,
        }
    }

    fn at_mut(&mut self) -> &mut Nanos {
        match self {
            Self::Event(event) => &mut event.at,
            Self::Look(held) => &mut held.at,
        }
    }
}
