//! Phases: intervals in a row in which a lock reaches the threshold.

/// Phases of one lock that are told: the longest.
const MOST: usize = 1_000;

/// A phase, by its intervals.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Span {
    pub(super) first: u32,
    /// The first one behind it.
    pub(super) end: u32,
}

impl Span {
    fn length(self) -> u32 {
        self.end - self.first
    }
}

/// The phases in order, and how many are left out. A stub begins no phase; it may be the end or the beginning of one.
pub(super) fn phases(
    shares: &[Option<f64>],
    threshold: f64,
    is_stub: impl Fn(u32) -> bool,
) -> (Vec<Span>, u64) {
    let mut spans: Vec<Span> = Vec::new();
    for (at, share) in (0..).zip(shares) {
        let reaches = share.is_some_and(|share| share >= threshold && share > 0.0);
        match spans.last_mut() {
            _ if !reaches => {}
            Some(last) if last.end == at => last.end = at + 1,
            _ => spans.push(Span {
                first: at,
                end: at + 1,
            }),
        }
    }
    spans.retain(|span| (span.first..span.end).any(|at| !is_stub(at)));
    let more = spans.len().saturating_sub(MOST);
    if more > 0 {
        spans.sort_by_key(|span| (std::cmp::Reverse(span.length()), span.first));
        spans.truncate(MOST);
        spans.sort_by_key(|span| span.first);
    }
    (spans, more as u64)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spans(shares: &[f64], stub: Option<u32>) -> Vec<(u32, u32)> {
        let shares: Vec<_> = shares.iter().map(|&share| Some(share)).collect();
        let (spans, _) = phases(&shares, 0.1, |at| Some(at) == stub);
        spans.iter().map(|span| (span.first, span.end)).collect()
    }

    #[test]
    fn a_phase_lasts_as_long_as_the_threshold_is_reached() {
        assert_eq!(spans(&[0.0, 0.1, 0.5, 0.09, 0.2], None), [(1, 3), (4, 5)]);
        assert_eq!(spans(&[], None), []);
        assert_eq!(phases(&[None, Some(0.0)], 0.0, |_| false).0, []);
    }

    #[test]
    fn a_stub_is_no_phase_by_itself() {
        assert_eq!(spans(&[0.0, 0.5, 0.5], Some(2)), [(1, 3)]);
        assert_eq!(spans(&[0.5, 0.0, 0.5], Some(2)), [(0, 1)]);
    }

    #[test]
    fn of_very_many_the_longest_are_told() {
        let shares: Vec<_> = (0..3 * MOST + 6)
            .map(|n| Some(f64::from(u8::from(n % 3 != 2 && n != 1))))
            .collect();
        let (spans, more) = phases(&shares, 0.1, |_| false);
        assert_eq!((spans.len(), more), (MOST, 2));
        assert!(spans.is_sorted_by_key(|span| span.first));
        assert_eq!(spans[0].first, 3, "the short one was left out");
    }
}
