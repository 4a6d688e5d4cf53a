//! Medians and quartiles.

/// Some values of one thing, one a round.
#[derive(Clone, Debug, Default)]
pub(crate) struct Values(Vec<f64>);

impl Values {
    pub(crate) const fn new() -> Self {
        Self(Vec::new())
    }

    pub(crate) fn add(&mut self, value: f64) {
        self.0.push(value);
    }

    pub(crate) fn median(&self) -> f64 {
        self.quantile(0.5)
    }

    /// Median and quartiles, with so many places.
    pub(crate) fn text(&self, places: usize) -> String {
        let [low, mid, high] = [0.25, 0.5, 0.75].map(|q| self.quantile(q));
        format!("{mid:.places$} ({low:.places$}-{high:.places$})")
    }

    /// Between two values, in proportion.
    fn quantile(&self, q: f64) -> f64 {
        let mut values = self.0.clone();
        values.sort_by(f64::total_cmp);
        let Some(last) = values.len().checked_sub(1) else {
            return f64::NAN;
        };
        let at = last as f64 * q;
        let (below, above) = (values[at.floor() as usize], values[at.ceil() as usize]);
        below + (above - below) * at.fract()
    }
}

impl FromIterator<f64> for Values {
    fn from_iter<I: IntoIterator<Item = f64>>(values: I) -> Self {
        Self(values.into_iter().collect())
    }
}
