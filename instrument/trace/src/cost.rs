//! What a recording took of its target, as the agent measured it, and what was given up to keep it small.
//!
//! Both are facts of the target ([`target_key::OVERHEAD_COST`](crate::record::target_key::OVERHEAD_COST) and its kin) in
//! words, like those of [`Toll`](crate::toll::Toll): words that a reader does not know are left out.

use crate::ids::Nanos;
use std::fmt;

/// What a recording took, and of how much.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Cost {
    /// How long it was measured.
    pub span: Nanos,
    /// Processor time the program took meanwhile, without what follows.
    pub program: Nanos,
    /// Time its threads spent on events: on the way to the agent, in it, and back.
    pub events: Nanos,
    /// And on the call chains of some of them.
    pub chains: Nanos,
    /// Processor time of the agent's own thread.
    pub thread: Nanos,
}

impl fmt::Display for Cost {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "span={} program={} events={} chains={} thread={}",
            self.span.0, self.program.0, self.events.0, self.chains.0, self.thread.0
        )
    }
}

impl Cost {
    /// What was written by [`fmt::Display`]; none if it took no time.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let mut cost = Self::default();
        for (key, value) in words(text) {
            let place = match key {
                "span" => &mut cost.span,
                "program" => &mut cost.program,
                "events" => &mut cost.events,
                "chains" => &mut cost.chains,
                "thread" => &mut cost.thread,
                _ => continue,
            };
            *place = Nanos(value);
        }
        (cost.span.0 > 0).then_some(cost)
    }

    /// What shares are shares of: the processor time of the program itself, and of one processor where it took less.
    #[must_use]
    pub fn base(&self) -> Nanos {
        self.program.max(self.span)
    }

    /// The program took less than one processor.
    #[must_use]
    pub fn is_of_one_processor(&self) -> bool {
        self.program < self.span
    }

    /// The share that a time is.
    #[must_use]
    pub fn share(&self, time: Nanos) -> f64 {
        time.0 as f64 / self.base().0.max(1) as f64
    }

    /// What its threads were kept from their work, all told.
    #[must_use]
    pub fn in_threads(&self) -> Nanos {
        Nanos(self.events.0.saturating_add(self.chains.0))
    }

    /// All of it.
    #[must_use]
    pub fn total(&self) -> Nanos {
        Nanos(self.in_threads().0.saturating_add(self.thread.0))
    }
}

/// What is given up, one after the other: each comes on top of those before.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Step {
    /// Nothing is.
    Nothing,
    /// Frames of a call chain beyond so many.
    Depth(u32),
    /// Call chains beyond one part in so many of what they were allowed.
    Chains(u32),
    /// All call chains but those that show something new of a lock, or of one that has had none for long.
    PerLock,
    /// Events, save in slices of time.
    Slices,
}

/// A step, when it was taken, and what came of it until the next one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Concession {
    /// From then on.
    pub at: Nanos,
    /// How far.
    pub step: Step,
    /// Frames kept of a call chain meanwhile.
    pub frames: u32,
    /// Blockings and waits that began meanwhile, of those recorded.
    pub begun: u64,
    /// And how many of them got a call chain.
    pub chained: u64,
}

impl fmt::Display for Concession {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "at={} ", self.at.0)?;
        match self.step {
            Step::Nothing => write!(f, "nothing=1")?,
            Step::Depth(n) => write!(f, "depth={n}")?,
            Step::Chains(n) => write!(f, "chains={n}")?,
            Step::PerLock => write!(f, "perlock=1")?,
            Step::Slices => write!(f, "slices=1")?,
        }
        write!(
            f,
            " frames={} begun={} chained={}",
            self.frames, self.begun, self.chained
        )
    }
}

impl Concession {
    /// What was written by [`fmt::Display`]; none if it is no step that is known.
    #[must_use]
    pub fn parse(line: &str) -> Option<Self> {
        let (mut at, mut step) = (None, None);
        let (mut frames, mut begun, mut chained) = (0, 0, 0);
        for (key, value) in words(line) {
            let small = u32::try_from(value).unwrap_or(u32::MAX);
            match key {
                "at" => at = Some(Nanos(value)),
                "nothing" => step = Some(Step::Nothing),
                "depth" => step = Some(Step::Depth(small)),
                "chains" => step = Some(Step::Chains(small)),
                "perlock" => step = Some(Step::PerLock),
                "slices" => step = Some(Step::Slices),
                "frames" => frames = small,
                "begun" => begun = value,
                "chained" => chained = value,
                _ => {}
            }
        }
        Some(Self {
            at: at?,
            step: step?,
            frames,
            begun,
            chained,
        })
    }
}

/// Slices of time in which events were recorded, and the time between them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Slices {
    /// Times events were switched off.
    pub pauses: u64,
    /// How long they were off altogether.
    pub off: Nanos,
}

impl fmt::Display for Slices {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "pauses={} off={}", self.pauses, self.off.0)
    }
}

impl Slices {
    /// What was written by [`fmt::Display`]; none if events were never off.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let mut slices = Self::default();
        for (key, value) in words(text) {
            match key {
                "pauses" => slices.pauses = value,
                "off" => slices.off = Nanos(value),
                _ => {}
            }
        }
        (slices.pauses > 0).then_some(slices)
    }
}

/// Words `key=number`; others are left out.
fn words(text: &str) -> impl Iterator<Item = (&str, u64)> {
    let pairs = text.split(' ').filter_map(|word| word.split_once('='));
    pairs.filter_map(|(key, value)| Some((key, value.parse().ok()?)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cost(program: u64) -> Cost {
        Cost {
            span: Nanos(1_000),
            program: Nanos(program),
            events: Nanos(6),
            chains: Nanos(3),
            thread: Nanos(1),
        }
    }

    #[test]
    fn what_is_written_is_read() {
        let cost = cost(2_000);
        assert_eq!(Cost::parse(&cost.to_string()), Some(cost));
        let slices = Slices {
            pauses: 3,
            off: Nanos(70),
        };
        assert_eq!(Slices::parse(&slices.to_string()), Some(slices));
        let steps = [
            Step::Nothing,
            Step::Depth(8),
            Step::Chains(4),
            Step::PerLock,
            Step::Slices,
        ];
        for step in steps {
            let told = Concession {
                at: Nanos(5),
                step,
                frames: 4,
                begun: 9,
                chained: 2,
            };
            assert_eq!(Concession::parse(&told.to_string()), Some(told));
        }
        assert!(steps.is_sorted());
    }

    #[test]
    fn nonsense_is_nothing() {
        for text in ["", "span=0", "span=-1 events=3", "span", "at=x slices=1"] {
            assert_eq!(Cost::parse(text), None, "{text}");
            assert_eq!(Slices::parse(text), None, "{text}");
            assert_eq!(Concession::parse(text), None, "{text}");
        }
        assert_eq!(Concession::parse("at=3 later=1"), None);
        let most = Cost::parse("span=1 events=18446744073709551615 chains=1 thread=1 x=2");
        assert_eq!(most.map(|cost| cost.total()), Some(Nanos(u64::MAX)));
    }

    #[test]
    fn a_share_is_of_the_program_and_of_one_processor_at_least() {
        assert_eq!(cost(2_000).share(cost(2_000).total()), 0.005);
        assert!(!cost(2_000).is_of_one_processor());
        assert_eq!(cost(10).share(cost(10).in_threads()), 0.009);
        assert!(cost(10).is_of_one_processor());
    }
}
