//! All threads of a JVM, counted: which of them are the program's, and what these do.

use crate::looks::ThreadState;
use std::fmt;

/// Groups of threads that belong to the JDK.
pub const SERVICE_GROUPS: [&str; 3] = ["system", "InnocuousThreadGroup", "CarrierThreads"];
/// Threads of the JVM's own whatever group they are in.
pub const SERVICE: [&str; 4] = [
    "DestroyJavaVM",
    "Attach Listener",
    "Signal Dispatcher",
    "locklens",
];

/// A thread of the JVM's, or one that carries virtual ones, by its name and its group.
#[must_use]
pub fn is_service(name: &str, group: &str) -> bool {
    SERVICE_GROUPS.contains(&group) || SERVICE.contains(&name)
}

/// Platform threads of the program by what one look found them doing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Crowd {
    /// Running, ready to run, or in the system: the JVM tells these not apart.
    pub runnable: u64,
    /// Blocked on a monitor.
    pub blocked: u64,
    /// In `Object.wait`, or parked.
    pub waiting: u64,
    /// In `Thread.sleep`.
    pub sleeping: u64,
    /// Anything else.
    pub other: u64,
}

impl Crowd {
    /// Counts a thread.
    pub fn add(&mut self, state: ThreadState) {
        let count = match state {
            ThreadState::Runnable => &mut self.runnable,
            ThreadState::Blocked => &mut self.blocked,
            ThreadState::Waiting
            | ThreadState::WaitingTimed
            | ThreadState::Parked
            | ThreadState::ParkedTimed => &mut self.waiting,
            ThreadState::Sleeping => &mut self.sleeping,
            ThreadState::Unknown => &mut self.other,
        };
        *count = count.saturating_add(1);
    }

    /// What was written by [`fmt::Display`]; words that are not known are left out.
    #[must_use]
    pub fn parse(text: &str) -> Self {
        let mut crowd = Self::default();
        for (key, value) in text.split(' ').filter_map(|word| word.split_once('=')) {
            let value = value.parse().unwrap_or(0);
            match key {
                "runnable" => crowd.runnable = value,
                "blocked" => crowd.blocked = value,
                "waiting" => crowd.waiting = value,
                "sleeping" => crowd.sleeping = value,
                "other" => crowd.other = value,
                _ => {}
            }
        }
        crowd
    }
}

impl fmt::Display for Crowd {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            runnable,
            blocked,
            waiting,
            sleeping,
            other,
        } = self;
        write!(
            f,
            "runnable={runnable} blocked={blocked} waiting={waiting} sleeping={sleeping} other={other}"
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read() {
        let mut crowd = Crowd::default();
        for state in [
            ThreadState::Runnable,
            ThreadState::Blocked,
            ThreadState::Parked,
            ThreadState::WaitingTimed,
            ThreadState::Sleeping,
            ThreadState::Unknown,
        ] {
            crowd.add(state);
        }
        assert_eq!((crowd.waiting, crowd.other), (2, 1));
        assert_eq!(Crowd::parse(&crowd.to_string()), crowd);
        assert_eq!(Crowd::parse("runnable=x new=7"), Crowd::default());
    }
}
