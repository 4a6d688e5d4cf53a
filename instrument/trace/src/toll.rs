//! What rewriting took of a JVM: what its threads spent processor time on in one stretch of the way.
//!
//! The command reads it from outside and adds it to the trace as facts of the target
//! ([`target_key::TOLL_BEFORE`](crate::record::target_key::TOLL_BEFORE) and its kin), in words like those of
//! [`StandingStill`](crate::record::StandingStill).

use crate::ids::Nanos;
use std::fmt;

/// The system counts processor time in hundredths of a second: in a shorter stretch a single one of them is more than 2.5 %.
const SHORTEST: Nanos = Nanos(400_000_000);

/// One stretch: before the rewriting, while the JIT was at it, while recording, after the bytes were back.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Toll {
    /// How long it was.
    pub span: Nanos,
    /// Processor time of the JVM's compiler threads.
    pub compilers: Nanos,
    /// Of all its other threads.
    pub others: Nanos,
    /// Methods that were compiled, if the JVM publishes it.
    pub compiled: Option<u64>,
}

impl fmt::Display for Toll {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (span, compilers, others) = (self.span.0, self.compilers.0, self.others.0);
        write!(f, "span={span} compilers={compilers} others={others}")?;
        match self.compiled {
            Some(compiled) => write!(f, " compiled={compiled}"),
            None => Ok(()),
        }
    }
}

impl Toll {
    /// What was written by [`fmt::Display`]; words that are not known are left out. None if it took no time.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let mut toll = Self::default();
        for (key, value) in text.split(' ').filter_map(|word| word.split_once('=')) {
            let value = value.parse().ok();
            let nanos = Nanos(value.unwrap_or(0));
            match key {
                "span" => toll.span = nanos,
                "compilers" => toll.compilers = nanos,
                "others" => toll.others = nanos,
                "compiled" => toll.compiled = value,
                _ => {}
            }
        }
        (toll.span.0 > 0).then_some(toll)
    }

    /// Whether it was long enough for its processor times to tell something.
    #[must_use]
    pub fn is_measured(&self) -> bool {
        self.span >= SHORTEST
    }

    /// The share of one processor that a time of this stretch is.
    #[must_use]
    pub fn share(&self, time: Nanos) -> f64 {
        time.0 as f64 / self.span.0.max(1) as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read() {
        for compiled in [None, Some(12)] {
            let toll = Toll {
                span: Nanos(1_200_000_000),
                compilers: Nanos(30_000_000),
                others: Nanos(2_100_000_000),
                compiled,
            };
            assert_eq!(Toll::parse(&toll.to_string()), Some(toll));
        }
    }

    #[test]
    fn nonsense_is_no_toll() {
        for text in ["", "span=0 compilers=4", "span=-1", "span", "x=5"] {
            assert_eq!(Toll::parse(text), None, "{text}");
        }
        let some = Toll::parse("span=5 others=x new=7").expect("a span");
        assert_eq!((some.others, some.compiled), (Nanos(0), None));
    }
}
