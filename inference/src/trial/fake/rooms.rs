//! Who is kept out by what he comes for, or by how many readers there are.

use super::{Attempt, DONE, Did, Subject};

/// A room that one group at a time shares, so many of it at most.
#[derive(Clone, Debug)]
pub(in super::super) struct Washroom {
    inside: [usize; 2],
    most: usize,
    /// One way out serves both.
    one_way_out: bool,
    /// Those of the second group do not mind the first.
    broken: bool,
}

impl Washroom {
    pub(in super::super) fn new(most: usize, one_way_out: bool, broken: bool) -> Self {
        Self {
            inside: [0; 2],
            most,
            one_way_out,
            broken,
        }
    }

    fn enter(&mut self, kind: usize) -> Did {
        let ignores = self.broken && kind == 1;
        if self.inside[1 - kind] > 0 && !ignores || self.inside[kind] == self.most {
            return Did::Wait;
        }
        self.inside[kind] += 1;
        DONE
    }

    fn leave(&mut self, kind: usize) -> Did {
        self.inside[kind] = self.inside[kind].saturating_sub(1);
        DONE
    }
}

impl Subject for Washroom {
    fn names(&self) -> Vec<&'static str> {
        match self.one_way_out {
            true => vec!["enter a", "enter b", "leave"],
            false => vec!["enter a", "enter b", "leave a", "leave b"],
        }
    }

    fn attempt(&mut self, call: &Attempt) -> Did {
        match call.name {
            "enter a" => self.enter(0),
            "enter b" => self.enter(1),
            "leave" => self.leave(usize::from(self.inside[0] == 0)),
            "leave a" => self.leave(0),
            _ => self.leave(1),
        }
    }
}

/// A lock for each of two keys. Anybody can give it back.
#[derive(Clone, Debug)]
pub(in super::super) struct Keyed {
    held: [bool; 2],
    /// Who has the one has both.
    broken: bool,
}

impl Keyed {
    pub(in super::super) fn new(broken: bool) -> Self {
        Self {
            held: [false; 2],
            broken,
        }
    }
}

impl Subject for Keyed {
    fn names(&self) -> Vec<&'static str> {
        vec!["lock a", "lock b", "unlock a", "unlock b"]
    }

    fn region(&self, operation: u32) -> u32 {
        operation / 2
    }

    fn attempt(&mut self, call: &Attempt) -> Did {
        let key = usize::from(call.name.ends_with('b') && !self.broken);
        let locks = call.name.starts_with("lock");
        if locks && self.held[key] {
            return Did::Wait;
        }
        self.held[key] = locks;
        DONE
    }
}

/// So much may be out at once, or one who takes more than that.
#[derive(Clone, Debug)]
pub(in super::super) struct Ample {
    most: u32,
    out: u32,
}

impl Ample {
    pub(in super::super) fn new(most: u32) -> Self {
        Self { most, out: 0 }
    }
}

impl Subject for Ample {
    fn names(&self) -> Vec<&'static str> {
        vec!["take much", "take one", "give much", "give one"]
    }

    fn region(&self, operation: u32) -> u32 {
        operation / 2
    }

    fn attempt(&mut self, call: &Attempt) -> Did {
        let amount = match call.name.ends_with("much") {
            true => 2 * self.most,
            false => 1,
        };
        if call.name.starts_with("give") {
            self.out = self.out.saturating_sub(amount);
        } else if self.out > 0 && self.out + amount > self.most {
            return Did::Wait;
        } else {
            self.out += amount;
        }
        DONE
    }
}

/// Forks in a row, of which two neighbours are taken at once, or else each by itself.
#[derive(Clone, Debug)]
pub(in super::super) struct Forks {
    taken: [bool; 4],
    width: usize,
}

impl Forks {
    pub(in super::super) fn new(width: usize) -> Self {
        Self {
            taken: [false; 4],
            width,
        }
    }
}

impl Subject for Forks {
    fn names(&self) -> Vec<&'static str> {
        vec!["take 0", "take 1", "take 2", "give 0", "give 1", "give 2"]
    }

    fn region(&self, operation: u32) -> u32 {
        operation / 3 * 3
    }

    fn attempt(&mut self, call: &Attempt) -> Did {
        let first = call
            .name
            .bytes()
            .last()
            .map_or(0, |n| usize::from(n - b'0'));
        let forks = &mut self.taken[first..first + self.width];
        let takes = call.name.starts_with("take");
        if takes && forks.contains(&true) {
            return Did::Wait;
        }
        forks.fill(takes);
        DONE
    }
}

/// A read-write lock that lets in so many readers: it counts them, or it counts permits, of which writers take all.
#[derive(Clone, Debug)]
pub(in super::super) struct Bounded {
    readers: usize,
    writer: bool,
    most: usize,
    permits: bool,
}

impl Bounded {
    pub(in super::super) fn new(most: usize, permits: bool) -> Self {
        Self {
            readers: 0,
            writer: false,
            most,
            permits,
        }
    }
}

impl Subject for Bounded {
    fn names(&self) -> Vec<&'static str> {
        vec!["read", "unread", "write", "unwrite"]
    }

    fn attempt(&mut self, call: &Attempt) -> Did {
        let full = self.readers >= self.most;
        match call.name {
            "read" if self.writer || full => return Did::Wait,
            "read" => self.readers += 1,
            "unread" => self.readers = self.readers.saturating_sub(1),
            "write" if self.writer || self.readers > 0 => return Did::Wait,
            "write" if self.permits => self.readers = self.most,
            "write" => self.writer = true,
            _ if self.permits => self.readers = self.readers.saturating_sub(self.most),
            _ => self.writer = false,
        }
        DONE
    }
}

/// Places for so many, who all have to leave again before anybody else comes in.
#[derive(Clone, Debug, Default)]
pub(in super::super) struct Sitting {
    inside: usize,
    full: bool,
}

impl Subject for Sitting {
    fn names(&self) -> Vec<&'static str> {
        vec!["sit", "rise"]
    }

    fn is_genuine(&self) -> bool {
        true
    }

    fn attempt(&mut self, call: &Attempt) -> Did {
        match call.name {
            "sit" if self.full => return Did::Wait,
            "sit" => self.inside += 1,
            _ => self.inside = self.inside.saturating_sub(1),
        }
        self.full = self.inside == 4 || self.full && self.inside > 0;
        DONE
    }
}
