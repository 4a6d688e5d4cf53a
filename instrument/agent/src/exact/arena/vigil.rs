//! Waiting for a place that was reserved to be filled.

use std::time::{Duration, Instant};

/// The place where a reader cannot get on, if there is one, and since when.
#[derive(Clone, Copy, Default)]
pub(crate) struct Vigil(Option<(u64, Instant)>);

impl Vigil {
    /// Whether this place, which is empty, has been for longer than that.
    pub(crate) fn is_in_vain(&mut self, position: u64, patience: Duration) -> bool {
        let since = match self.0 {
            Some((at, since)) if at == position => since,
            _ => Instant::now(),
        };
        self.0 = Some((position, since));
        since.elapsed() > patience
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_place_is_waited_for_anew() {
        let mut vigil = Vigil::default();
        let (long, none) = (Duration::from_secs(600), Duration::ZERO);
        assert!(!vigil.is_in_vain(7, long));
        let deadline = Instant::now() + Duration::from_secs(30);
        while !vigil.is_in_vain(7, none) {
            assert!(Instant::now() < deadline, "the clock stands still");
        }
        let before = vigil.0;
        assert!(!vigil.is_in_vain(8, long));
        assert_ne!(vigil.0, before);
    }
}
