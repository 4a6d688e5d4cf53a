//! Lists of work.

use super::super::bench::Returned;
use super::{Attempt, DONE, Did, Subject};

/// What those find who come when there is nothing, and nobody at work.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in super::super) enum Over {
    /// That all is done.
    Told,
    /// They wait for more.
    Waits,
}

/// A list of work: whoever does some may add more.
#[derive(Clone, Debug)]
pub(in super::super) struct Worklist {
    items: Vec<u32>,
    busy: u32,
    over: Over,
}

impl Worklist {
    /// Begins with so many things.
    pub(in super::super) fn new(begins: u32, over: Over) -> Self {
        Self {
            items: (1_000..1_000 + begins).collect(),
            busy: 0,
            over,
        }
    }
}

impl Subject for Worklist {
    fn names(&self) -> Vec<&'static str> {
        vec!["add", "next", "done"]
    }

    fn attempt(&mut self, call: &Attempt) -> Did {
        match call.name {
            "add" => self.items.push(call.token),
            "done" => self.busy = self.busy.saturating_sub(1),
            _ => {
                let Some(item) = self.items.pop() else {
                    let told = self.busy == 0 && self.over == Over::Told;
                    return if told {
                        Did::Pass(Returned::Null)
                    } else {
                        Did::Wait
                    };
                };
                self.busy += 1;
                return Did::Pass(match item {
                    ..1_000 => Returned::Token(item),
                    _ => Returned::Other,
                });
            }
        }
        DONE
    }
}
