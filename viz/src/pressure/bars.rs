//! Shares over time as a row of bars.

use locklens_trace::Nanos;

/// Heights a bar can have.
const BARS: [char; 8] = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];
/// What a full bar may stand for.
const TOPS: [f64; 7] = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0];

/// What all bars of one page have in common.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Scale {
    /// Intervals in a column.
    pub(crate) each: usize,
    /// The share of a full bar.
    pub(crate) top: f64,
}

impl Scale {
    /// A scale for so many intervals in so many columns, and shares up to `most`.
    pub(crate) fn of(intervals: usize, columns: usize, most: f64) -> Self {
        let top = TOPS.into_iter().find(|&top| most <= top);
        Self {
            each: intervals.div_ceil(columns.max(1)).max(1),
            top: top.unwrap_or(1.0),
        }
    }

    /// The time a column stands for.
    pub(crate) fn column(self, interval: Nanos) -> Nanos {
        Nanos(interval.0.saturating_mul(self.each as u64))
    }

    /// A column has the highest of its intervals; a dot where there is nothing, a gap where no thread ran.
    pub(crate) fn draw(self, series: &[Option<f64>]) -> String {
        let columns = series.chunks(self.each);
        columns.map(|column| self.bar(column)).collect()
    }

    fn bar(self, column: &[Option<f64>]) -> char {
        let known = column.iter().filter_map(|share| *share);
        match known.reduce(f64::max) {
            None => ' ',
            Some(share) if share <= 0.0 => '·',
            Some(share) => {
                let height = (share / self.top * BARS.len() as f64).ceil();
                BARS[(height as usize).clamp(1, BARS.len()) - 1]
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_column_has_the_highest_of_its_intervals() {
        let scale = Scale::of(7, 4, 0.4);
        assert_eq!(scale, Scale { each: 2, top: 0.5 });
        let series = [0.0, 0.001, 0.25, 0.4, 0.5, 0.0].map(Some);
        let series = [&series[..], &[None]].concat();
        assert_eq!(scale.draw(&series), "▁▇█ ");
        assert_eq!(scale.draw(&[Some(0.0), None]), "·");
        assert_eq!(scale.column(Nanos(5)), Nanos(10));
    }

    #[test]
    fn no_figure_is_too_large_or_too_many() {
        let scale = Scale::of(0, 0, 3.0);
        assert_eq!((scale.each, scale.draw(&[Some(9.0)])), (1, "█".to_owned()));
    }
}
