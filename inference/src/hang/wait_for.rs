//! The wait-for graph of AND and OR: the largest set of threads of which none can be freed from outside.
//!
//! Whoever waits for nothing is free; a thread is freed when enough of those are who could give it what it wants. What is left
//! in the end is stuck. Each edge is looked at once.

use super::want::Want;

/// Who can give a thread what it wants.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Providers {
    /// Each of these has to.
    All(Vec<usize>),
    /// One of these; any of them would do, or it is not known which of them it is.
    Any(Vec<usize>),
}

impl Providers {
    pub(super) fn threads(&self) -> &[usize] {
        match self {
            Self::All(threads) | Self::Any(threads) => threads,
        }
    }
}

/// Which threads are stuck.
pub(super) fn stuck(wants: &[Option<Want>]) -> Vec<bool> {
    let each = wants.iter().map(|want| {
        let want = want.as_ref().filter(|want| want.stays())?;
        want.providers.as_ref()
    });
    eliminated(&each.collect::<Vec<_>>())
}

/// The same of nothing but providers; none is freed whatever others do.
pub(super) fn eliminated(providers: &[Option<&Providers>]) -> Vec<bool> {
    let mut waiters: Vec<Vec<usize>> = vec![Vec::new(); providers.len()];
    let mut missing: Vec<usize> = vec![0; providers.len()];
    let mut freed = Vec::new();
    for (thread, of) in providers.iter().enumerate() {
        missing[thread] = match of {
            Some(Providers::All(all)) => all.len(),
            Some(Providers::Any(any)) => usize::from(!any.is_empty()),
            None => 0,
        };
        if missing[thread] == 0 {
            freed.push(thread);
            continue;
        }
        for &provider in of.map_or(&[][..], Providers::threads) {
            waiters[provider].push(thread);
        }
    }
    while let Some(provider) = freed.pop() {
        for &thread in &waiters[provider] {
            if missing[thread] > 0 {
                missing[thread] -= 1;
                freed.extend((missing[thread] == 0).then_some(thread));
            }
        }
    }
    missing.iter().map(|&missing| missing > 0).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn holds(set: u32, providers: &[Option<Providers>]) -> bool {
        let within = |thread: &usize| set >> thread & 1 == 1;
        let members = (0..providers.len()).filter(within);
        let stays = |thread: usize| match &providers[thread] {
            Some(Providers::All(all)) => all.iter().any(within),
            Some(Providers::Any(any)) => !any.is_empty() && any.iter().all(within),
            None => false,
        };
        members.into_iter().all(stays)
    }

    /// By trying every set.
    fn largest(providers: &[Option<Providers>]) -> Vec<bool> {
        let sets = (0..1_u32 << providers.len()).filter(|&set| holds(set, providers));
        let all = sets.fold(0, |all, set| all | set);
        (0..providers.len()).map(|t| all >> t & 1 == 1).collect()
    }

    fn graphs() -> impl Strategy<Value = Vec<Option<Providers>>> {
        let threads = || prop::collection::btree_set(0..7_usize, 0..4);
        let one = prop_oneof![
            1 => Just(None),
            3 => threads().prop_map(|t| Some(Providers::All(t.into_iter().collect()))),
            3 => threads().prop_map(|t| Some(Providers::Any(t.into_iter().collect()))),
        ];
        prop::collection::vec(one, 7)
    }

    proptest! {
        #[test]
        fn it_is_the_largest_set_that_nobody_frees(providers in graphs()) {
            let each: Vec<_> = providers.iter().map(Option::as_ref).collect();
            prop_assert_eq!(eliminated(&each), largest(&providers));
        }
    }

    #[test]
    fn one_reader_that_goes_on_frees_no_writer_that_waits_for_another() {
        let writer = Some(Providers::All(vec![1, 2]));
        let reader = Some(Providers::All(vec![0]));
        let freed = [writer.as_ref(), reader.as_ref(), None];
        assert_eq!(eliminated(&freed), [true, true, false]);
        let any = Some(Providers::Any(vec![1, 2]));
        let freed = [any.as_ref(), reader.as_ref(), None];
        assert_eq!(eliminated(&freed), [false, false, false]);
    }
}
