//! When looks came, held against when threads were blocked.
//!
//! A look is to come at a time that nobody chose. On a machine without a free processor the agent's thread runs when the program's threads
//! have got one, too: just as owners wake and let go, and those who were woken have not come yet. Then a lock that is free for a hundredth
//! of the time is found free by a fifth of all looks, and who holds it often but shortly more often than who holds it long. When a lock is
//! handed on is known from events, and so for how much of the blocked time the next hand-over was how far away, and how far apart
//! the two were between which it lies. Looks are weighted so that they stand for as much of each (*raking*: W. E. Deming,
//! F. F. Stephan, *On a Least Squares Adjustment of a Sampled Frequency Table When the Expected Marginal Totals are Known*, Annals of
//! Mathematical Statistics 11, 1940).

use locklens_trace::{Nanos, ThreadId};

/// Ends of the zones, ns.
const EDGES: [u64; 7] = [
    100_000, 300_000, 1_000_000, 3_000_000, 10_000_000, 30_000_000, FAR,
];
const FAR: u64 = 100_000_000;
const ZONES: usize = EDGES.len() + 1;
/// Looks at least of which a group of zones next to each other has some.
const LEAST: u64 = 8;
/// Rounds of raking; a few are enough where two things are known.
const ROUNDS: usize = 20;

/// Where a moment lies between two hand-overs: how far the next is away, and these two are apart; none if that is not known.
pub(super) type Zone = Option<(u8, u8)>;

fn zone(ns: u64) -> u8 {
    EDGES.partition_point(|&edge| edge <= ns) as u8
}

/// Blocked time by how far the next hand-over was away, and by how far the two were apart, ns.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Times {
    next: [u64; ZONES],
    apart: [u64; ZONES],
}

impl Times {
    fn add(&mut self, (next, apart): (u8, u8), time: u64) {
        for (sum, zone) in [(&mut self.next, next), (&mut self.apart, apart)] {
            if let Some(sum) = sum.get_mut(usize::from(zone)) {
                *sum = sum.saturating_add(time);
            }
        }
    }

    pub(super) fn join(&mut self, other: &Self) {
        let sums = [
            (&mut self.next, &other.next),
            (&mut self.apart, &other.apart),
        ];
        for (mine, its) in sums {
            for (sum, &time) in mine.iter_mut().zip(its) {
                *sum = sum.saturating_add(time);
            }
        }
    }
}

/// A time in which so many were blocked.
#[derive(Clone, Copy, Debug)]
struct Piece {
    from: u64,
    to: u64,
    blocked: u64,
}

/// What goes on at one object. `T` is a look of which it is not known yet when the next hand-over is.
#[derive(Clone, Debug)]
pub(super) struct Course<T> {
    blocked: Vec<ThreadId>,
    /// The last change, and the last hand-over; the beginning counts as one.
    at: u64,
    since: u64,
    pieces: Vec<Piece>,
    looks: Vec<(u64, T)>,
    /// Losses of the recording up to which this is known.
    losses: u64,
    pub(super) times: Times,
}

impl<T: Copy> Course<T> {
    pub(super) fn new(at: Nanos, losses: u64) -> Self {
        Self {
            losses,
            blocked: Vec::new(),
            at: at.0,
            since: at.0,
            pieces: Vec::new(),
            looks: Vec::new(),
            times: Times::default(),
        }
    }

    /// A thread is blocked from now on.
    pub(super) fn enter(&mut self, at: Nanos, thread: ThreadId, counted: &mut Vec<(T, Zone)>) {
        self.advance(at.0, counted);
        if !self.blocked.contains(&thread) {
            self.blocked.push(thread);
        }
    }

    /// A thread has got it.
    pub(super) fn hand_over(&mut self, at: Nanos, thread: ThreadId, counted: &mut Vec<(T, Zone)>) {
        self.advance(at.0, counted);
        self.blocked.retain(|&blocked| blocked != thread);
        self.settle(counted);
    }

    /// A look.
    pub(super) fn look(&mut self, at: Nanos, look: T, counted: &mut Vec<(T, Zone)>) {
        self.advance(at.0, counted);
        self.looks.push((at.0, look));
    }

    /// So many losses have been met. After each who is blocked is not known any more, nor where looks lie.
    pub(super) fn known_since(&mut self, losses: u64, counted: &mut Vec<(T, Zone)>) {
        if self.losses == losses {
            return;
        }
        self.losses = losses;
        let looks = std::mem::take(&mut self.looks).into_iter();
        counted.extend(looks.map(|(_, look)| (look, None)));
        self.pieces.clear();
        self.blocked.clear();
    }

    /// The last change counts as a hand-over.
    pub(super) fn settle(&mut self, counted: &mut Vec<(T, Zone)>) {
        let at = self.at;
        let apart = zone(at.saturating_sub(self.since));
        for piece in std::mem::take(&mut self.pieces) {
            let edges = EDGES.iter().rev().map(|edge| at.saturating_sub(*edge));
            let mut from = piece.from;
            for to in edges.chain([piece.to]) {
                let to = to.min(piece.to);
                if to > from {
                    let next = zone(at - to);
                    let time = (to - from).saturating_mul(piece.blocked);
                    self.times.add((next, apart), time);
                    from = to;
                }
            }
        }
        let looks = std::mem::take(&mut self.looks).into_iter();
        let placed = looks.map(|(when, look)| (look, Some((zone(at.saturating_sub(when)), apart))));
        counted.extend(placed);
        self.since = at;
    }

    /// So it was up to now. What is too long ago for it to matter when the next hand-over is is counted.
    fn advance(&mut self, at: u64, counted: &mut Vec<(T, Zone)>) {
        let at = at.max(self.at);
        let blocked = self.blocked.len() as u64;
        if blocked > 0 && at > self.at {
            let from = self.at;
            self.pieces.push(Piece {
                from,
                to: at,
                blocked,
            });
        }
        self.at = at;
        let far = at.saturating_sub(FAR);
        let top = ((ZONES - 1) as u8, (ZONES - 1) as u8);
        let times = &mut self.times;
        self.pieces.retain_mut(|piece| {
            let end = piece.to.min(far);
            if end > piece.from {
                times.add(top, (end - piece.from).saturating_mul(piece.blocked));
                piece.from = end;
            }
            piece.to > piece.from
        });
        let gone = self.looks.extract_if(.., |(when, _)| *when < far);
        counted.extend(gone.map(|(_, look)| (look, Some(top))));
    }
}

/// What looks in one zone are, and the blocked time that they stood for.
#[derive(Clone, Copy, Debug)]
pub(super) struct Group {
    pub(super) zone: Zone,
    pub(super) looks: u64,
    pub(super) weight: f64,
}

/// Weights of groups of looks so that of each zone they stand for the blocked time that there was. Their sum stays.
pub(super) fn rake(groups: &[Group], times: &Times) -> Vec<f64> {
    let mut weights: Vec<f64> = groups.iter().map(|group| group.weight).collect();
    let next = Margin::of(groups, &times.next, |(next, _)| next);
    let apart = Margin::of(groups, &times.apart, |(_, apart)| apart);
    for _ in 0..ROUNDS {
        next.fit(&mut weights);
        apart.fit(&mut weights);
    }
    weights
}

/// One of the two things that are known of a moment.
struct Margin {
    /// The class of each group of looks; none where nothing is known of it.
    classes: Vec<Option<usize>>,
    /// What the looks of each class are to stand for, by all that have one.
    shares: Vec<f64>,
}

impl Margin {
    fn of(groups: &[Group], times: &[u64; ZONES], which: impl Fn((u8, u8)) -> u8) -> Self {
        let at = |group: &Group| group.zone.map(|zone| usize::from(which(zone)));
        let mut looks = [0; ZONES];
        for group in groups {
            if let Some(sum) = at(group).and_then(|zone| looks.get_mut(zone)) {
                *sum += group.looks;
            }
        }
        // Zones in which hardly any look came are one with the next; the last ones with those before.
        let (mut class, mut met) = (0, 0);
        let mut class_of = [0; ZONES];
        for (of, looks) in class_of.iter_mut().zip(looks) {
            *of = class;
            met += looks;
            if met >= LEAST {
                (class, met) = (class + 1, 0);
            }
        }
        let last = class.max(1) - 1;
        class_of
            .iter_mut()
            .for_each(|class| *class = (*class).min(last));
        let mut shares = vec![0.0; last + 1];
        for (&class, &time) in class_of.iter().zip(times) {
            shares[class] += time as f64;
        }
        let classes = groups.iter().map(|group| {
            let class = at(group).and_then(|zone| class_of.get(zone).copied());
            class.filter(|&class| shares[class] > 0.0)
        });
        Self {
            classes: classes.collect(),
            shares,
        }
    }

    fn fit(&self, weights: &mut [f64]) {
        let mut sums = vec![0.0; self.shares.len()];
        for (class, weight) in self.classes.iter().zip(weights.iter()) {
            if let Some(class) = *class {
                sums[class] += weight;
            }
        }
        let all: f64 = sums.iter().sum();
        let met = self.shares.iter().zip(&sums).filter(|(_, sum)| **sum > 0.0);
        let known: f64 = met.map(|(share, _)| share).sum();
        for (class, weight) in self.classes.iter().zip(weights) {
            if let Some(class) = *class
                && sums[class] > 0.0
            {
                *weight *= self.shares[class] / known * all / sums[class];
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const A: ThreadId = ThreadId(1);
    const MS: u64 = 1_000_000;

    /// What a look finds.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    enum Found {
        Long,
        Short,
        Free,
    }

    /// 1,000 times held for 9.5 ms and for 4.5 ms in turn, each followed by 0.5 ms in which it is free until A, who is always blocked, gets
    /// it. A look comes every 7.3 ms, and `late` every so many hand-overs one just before.
    fn shares(late: Option<usize>) -> [f64; 3] {
        let (mut course, mut counted) = (Course::new(Nanos(0), 0), Vec::new());
        let (mut at, mut next) = (0, 0);
        course.enter(Nanos(0), A, &mut counted);
        for turn in 0..2_000 {
            let (held, found) = match turn % 2 {
                0 => (9 * MS + MS / 2, Found::Long),
                _ => (4 * MS + MS / 2, Found::Short),
            };
            let end = at + held + MS / 2;
            while next < end {
                let found = if next < at + held { found } else { Found::Free };
                course.look(Nanos(next), found, &mut counted);
                next += 7_300_000;
            }
            if late.is_some_and(|each| turn % each == 0) {
                course.look(Nanos(end - 1_000), Found::Free, &mut counted);
            }
            course.hand_over(Nanos(end), A, &mut counted);
            course.enter(Nanos(end), A, &mut counted);
            at = end;
        }
        let groups = counted.iter().map(|&(_, zone)| Group {
            zone,
            looks: 1,
            weight: 1.0,
        });
        let weights = rake(&groups.collect::<Vec<_>>(), &course.times);
        let all: f64 = weights.iter().sum();
        assert!((all - counted.len() as f64).abs() < 1e-6, "{all}");
        [Found::Long, Found::Short, Found::Free].map(|found| {
            let of = counted
                .iter()
                .zip(&weights)
                .filter(|((f, _), _)| *f == found);
            of.map(|(_, weight)| weight).sum::<f64>() / all
        })
    }

    #[test]
    fn looks_that_come_just_before_hand_overs_count_for_as_long_as_these_take() {
        let truth = [9.5 / 15.0, 4.5 / 15.0, 1.0 / 15.0];
        for late in [None, Some(2), Some(3), Some(8)] {
            let shares = shares(late);
            for (share, truth) in shares.iter().zip(truth) {
                assert!((share - truth).abs() < 0.02, "{late:?}: {shares:?}");
            }
        }
    }

    #[test]
    fn blocked_time_is_counted_by_how_far_hand_overs_are() {
        let (mut course, mut counted) = (Course::<()>::new(Nanos(0), 0), Vec::new());
        course.enter(Nanos(0), A, &mut counted);
        course.enter(Nanos(2 * MS), ThreadId(2), &mut counted);
        course.look(Nanos(4 * MS), (), &mut counted);
        course.hand_over(Nanos(5 * MS), A, &mut counted);
        assert_eq!(counted, [((), Some((3, 4)))]);
        let times = [200_000, 400_000, 1_400_000, 4 * MS, 2 * MS, 0, 0, 0];
        assert_eq!(course.times.next, times);
        assert_eq!(course.times.apart, [0, 0, 0, 0, 8 * MS, 0, 0, 0]);
        // The other one goes on for a second; what is long before the end is counted meanwhile.
        course.look(Nanos(6 * MS), (), &mut counted);
        course.look(Nanos(1005 * MS - 1), (), &mut counted);
        assert_eq!(counted.last(), Some(&((), Some((7, 7)))));
        course.hand_over(Nanos(1005 * MS), ThreadId(2), &mut counted);
        assert_eq!(counted.last(), Some(&((), Some((0, 7)))));
        let sum: u64 = course.times.apart.iter().sum();
        assert_eq!((sum, course.times.apart[7]), (1008 * MS, 1000 * MS));
        assert_eq!(course.times.next.iter().sum::<u64>(), sum);
    }

    #[test]
    fn over_a_loss_nothing_is_known_of_looks_and_they_keep_their_weight() {
        let (mut course, mut counted) = (Course::new(Nanos(0), 0), Vec::new());
        course.enter(Nanos(0), A, &mut counted);
        course.look(Nanos(MS), (), &mut counted);
        course.known_since(1, &mut counted);
        course.hand_over(Nanos(2 * MS), A, &mut counted);
        assert_eq!(counted, [((), None)]);
        assert_eq!(course.times.next, [0; ZONES]);
        let groups = [None, Some((3, 3))].map(|zone| Group {
            zone,
            looks: 20,
            weight: 20.0,
        });
        assert_eq!(rake(&groups, &course.times), [20.0, 20.0]);
    }
}
