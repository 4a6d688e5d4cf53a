//! The wait-for graph of AND and OR: the largest set of threads of which none can be freed from outside.
//!
//! Whoever waits for nothing is free; a thread is freed when enough of those are who could give it what it wants. What is left
//! in the end is stuck. Each edge is looked at once.

use super::want::Want;
use std::collections::BTreeMap;
use std::rc::Rc;

/// Who can give a thread what it wants.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Providers {
    /// Each of these has to.
    All(Vec<usize>),
    /// One of these; any of them would do, or it is not known which of them it is.
    /// Many may wait for the same.
    Any(Rc<[usize]>),
}

impl Providers {
    pub(super) fn threads(&self) -> &[usize] {
        match self {
            Self::All(threads) => threads,
            Self::Any(threads) => threads,
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
    let mut graph = Graph::default();
    graph.grow(providers.len());
    for (thread, of) in providers.iter().enumerate() {
        match of {
            Some(Providers::All(all)) => graph.needs(thread, all),
            Some(Providers::Any(any)) if !any.is_empty() => {
                let crowd = graph.crowd(any);
                graph.needs(thread, &[crowd]);
            }
            Some(Providers::Any(_)) | None => {}
        }
    }
    let mut stuck = graph.stuck();
    stuck.truncate(providers.len());
    stuck
}

/// Threads, and behind them crowds of which one has to be free. Many threads that wait for one of the same crowd have one edge each.
#[derive(Default)]
struct Graph {
    waiters: Vec<Vec<usize>>,
    missing: Vec<usize>,
    /// By the place in memory of their lists, which says only which are the same.
    crowds: BTreeMap<*const usize, usize>,
}

impl Graph {
    fn grow(&mut self, length: usize) {
        self.waiters.resize(length, Vec::new());
        self.missing.resize(length, 0);
    }

    fn needs(&mut self, node: usize, all: &[usize]) {
        self.missing[node] = all.len();
        for &provider in all {
            self.waiters[provider].push(node);
        }
    }

    fn crowd(&mut self, any: &Rc<[usize]>) -> usize {
        if let Some(&known) = self.crowds.get(&any.as_ptr()) {
            return known;
        }
        let node = self.missing.len();
        self.grow(node + 1);
        self.crowds.insert(any.as_ptr(), node);
        self.missing[node] = 1;
        for &provider in any.iter() {
            self.waiters[provider].push(node);
        }
        node
    }

    fn stuck(mut self) -> Vec<bool> {
        let all = 0..self.missing.len();
        let mut freed: Vec<usize> = all.filter(|&node| self.missing[node] == 0).collect();
        while let Some(provider) = freed.pop() {
            for &node in &self.waiters[provider] {
                if self.missing[node] > 0 {
                    self.missing[node] -= 1;
                    freed.extend((self.missing[node] == 0).then_some(node));
                }
            }
        }
        self.missing.iter().map(|&missing| missing > 0).collect()
    }
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
        let any = Some(Providers::Any(vec![1, 2].into()));
        let freed = [any.as_ref(), reader.as_ref(), None];
        assert_eq!(eliminated(&freed), [false, false, false]);
    }
}
