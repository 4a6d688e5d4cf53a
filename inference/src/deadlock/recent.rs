//! What a thread wanted last, each dependency once.
//!
//! That is asked for when it lets others go on, and told each time that it wants something, which is far more often: so what
//! it wants is put down as it comes, and what came again is left out now and then.

/// Dependencies that are remembered.
const RECENT: usize = 64;
/// What is put down before it is looked through.
const LOG: usize = 4 * RECENT;

/// See the module.
#[derive(Debug, Default)]
pub(super) struct Recent {
    /// When, and what, in the order in which it came.
    log: Vec<(u64, u32)>,
}

impl Recent {
    pub(super) fn add(&mut self, now: u64, index: u32) {
        match self.log.last_mut() {
            Some((when, known)) if *known == index => *when = now,
            _ => {
                if self.log.len() >= LOG {
                    self.log = self.since(0);
                }
                self.log.push((now, index));
            }
        }
    }

    /// When it wanted which last, of those that it wanted last, in that order: what came after that.
    pub(super) fn since(&self, then: u64) -> Vec<(u64, u32)> {
        let mut latest: Vec<(u64, u32)> = Vec::new();
        let newer = self.log.iter().rev().take_while(|(when, _)| *when > then);
        for &(when, index) in newer {
            if latest.iter().all(|(_, known)| *known != index) {
                latest.push((when, index));
            }
            if latest.len() == RECENT {
                break;
            }
        }
        latest.reverse();
        latest
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn what_was_wanted_last_is_what_is_left_when_the_oldest_always_goes(
            wanted in prop::collection::vec(0u32..100, 0..2_000),
        ) {
            let (mut recent, mut all) = (Recent::default(), Vec::new());
            for (now, index) in (1..).zip(wanted) {
                recent.add(now, index);
                all.retain(|(_, known)| *known != index);
                all.push((now, index));
                all.drain(..all.len().saturating_sub(RECENT));
            }
            prop_assert_eq!(recent.since(0), all.clone());
            let then = all.len() as u64 * 10;
            all.retain(|(when, _)| *when > then);
            prop_assert_eq!(recent.since(then), all);
        }
    }
}
