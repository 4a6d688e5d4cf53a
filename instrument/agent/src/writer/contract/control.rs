//! When to give up what, and when to take it back: knows no JVM and no clock.
//!
//! What may be spent is saved up, a little, and owed, a good deal: a burst is paid for by what follows. A slice of time with events
//! is paid for before it begins, so that what all of them cost stays within what they may.

use locklens_trace::cost::Step;

const SECOND: u64 = 1_000_000_000;
/// The time between two turns that is meant, ns,
const TURN: u64 = 20_000_000;
/// and the first one: each of the first comes when twice as much time has passed, so that a storm does not last long before
/// it is seen.
const FIRST_TURN: u64 = 2_000_000;
/// How long it is worth waking up for that.
const NEW: u64 = 200_000_000;
/// What can be saved up: what may be spent in so long.
const SAVED: u64 = SECOND;
/// The deepest debt, in the same measure: what is more is forgiven.
const DEEPEST: u64 = 20 * SECOND;
/// The shortest slice with events, ns,
const ON: u64 = 50_000_000;
/// the shortest time without,
const OFF: u64 = 100_000_000;
/// and the longest, whatever the debt: the agent alone may be dearer than what is allowed.
const LONGEST_OFF: u64 = DEEPEST;
/// How long it must be calm before a step is taken back, doubled each time that was too early, up to
const CALM: u64 = 2 * SECOND;
/// this.
const LONGEST_CALM: u64 = 32 * SECOND;
/// What events cost is taken over about so long: what is named and described for the first time comes in lumps.
const RECENT: u64 = SECOND / 2;
/// So many times what is allowed are events alone when chains need not be tried one by one,
const FAR_TOO_DEAR: u64 = 2;
/// which is believed once they have cost what may be spent in one part in so many of [`RECENT`]: a few are no storm.
const FEW: u64 = 4;
/// Frames of a call chain, step by step.
const DEPTHS: [u32; 2] = [8, 4];
/// Parts of what chains are allowed, step by step.
const PARTS: [u32; 2] = [4, 16];

/// What was spent since the last look.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Spent {
    /// How long that was.
    pub(super) span: u64,
    /// What might have been.
    pub(super) allowed: u64,
    /// On events, in the threads that they happened to.
    pub(super) events: u64,
    /// On what this thread did for them.
    pub(super) telling: u64,
    /// On call chains.
    pub(super) chains: u64,
    /// On everything else, which goes on whether there are events or not.
    pub(super) rest: u64,
}

/// What was spent lately; what is longer ago counts less.
#[derive(Clone, Copy, Debug, Default)]
struct Recent {
    /// As if it had been going on for all of [`RECENT`],
    allowed: u64,
    /// and what it was.
    earned: u64,
    events: u64,
    telling: u64,
    chains: u64,
}

impl Recent {
    fn add(&mut self, spent: Spent) {
        if self.allowed == 0 {
            // As if nothing had been going on before.
            self.allowed = spent.allowed.saturating_mul(RECENT / spent.span.max(1));
        }
        let kept = RECENT - spent.span.min(RECENT);
        let fade = |of: u64, more: u64| {
            let left = u128::from(of) * u128::from(kept) / u128::from(RECENT);
            u64::try_from(left).unwrap_or(u64::MAX).saturating_add(more)
        };
        self.allowed = fade(self.allowed, spent.allowed);
        self.earned = fade(self.earned, spent.allowed);
        self.events = fade(self.events, spent.events);
        self.telling = fade(self.telling, spent.telling);
        self.chains = fade(self.chains, spent.chains);
    }

    /// Whether giving events or chains up would help.
    fn matters(&self) -> bool {
        let all = self.events.saturating_add(self.telling);
        all.saturating_add(self.chains) > self.allowed / 2 || self.is_far_too_dear()
    }

    /// Whether events would be too dear without chains, too: what their threads paid for them tells after a moment
    /// already, since nothing of it comes in lumps.
    fn is_far_too_dear(&self) -> bool {
        self.events > self.allowed / FEW && self.events / FAR_TOO_DEAR > self.earned
    }
}

/// What is to be done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Order {
    Nothing,
    /// The step is another one.
    Change,
    /// Switch events off,
    Pause,
    /// and on.
    Resume,
}

/// Decides: knows no JVM and no clock.
#[derive(Debug)]
pub(super) struct Control {
    began: u64,
    /// The first gives nothing up.
    steps: Vec<Step>,
    level: usize,
    credit: i64,
    recent: Recent,
    /// Since when events are off.
    off: Option<u64>,
    /// Since when they are on, and what they have cost since.
    on: u64,
    on_cost: i64,
    /// What a slice costs.
    slice: i64,
    /// Since when there has been nothing to worry about.
    calm: u64,
    /// For how long there must be.
    patience: u64,
    /// When a step was taken back last.
    eased: Option<u64>,
}

impl Control {
    pub(super) fn new(now: u64, depth: usize) -> Self {
        let chains = depth > 0;
        let depths = DEPTHS.into_iter().filter(|&to| (to as usize) < depth);
        let parts = PARTS.into_iter().filter(|_| chains);
        let steps = [Step::Nothing]
            .into_iter()
            .chain(depths.map(Step::Depth))
            .chain(parts.map(Step::Chains))
            .chain(chains.then_some(Step::PerLock))
            .chain([Step::Slices])
            .collect();
        Self {
            began: now,
            steps,
            level: 0,
            credit: 0,
            recent: Recent::default(),
            off: None,
            on: now,
            on_cost: 0,
            slice: 0,
            calm: now,
            patience: CALM,
            eased: None,
        }
    }

    /// Events are off.
    pub(super) fn is_off(&self) -> bool {
        self.off.is_some()
    }

    /// The steps taken, the last of them at the end.
    pub(super) fn given_up(&self) -> &[Step] {
        &self.steps[..=self.level]
    }

    /// The last of them.
    pub(super) fn step(&self) -> Step {
        self.steps[self.level]
    }

    /// When the next turn is meant to be, after one at that time.
    pub(super) fn due(&self, last: u64) -> u64 {
        let due = last + last.saturating_sub(self.began).clamp(FIRST_TURN, TURN);
        match self.is_on_for_a_slice() {
            true => due.min((self.on + ON).max(last + FIRST_TURN)),
            false => due,
        }
    }

    /// It has only begun: nothing is known of the program yet.
    pub(super) fn is_new(&self, now: u64) -> bool {
        now.saturating_sub(self.began) < NEW
    }

    /// Events are on until what may be spent is spent.
    pub(super) fn is_on_for_a_slice(&self) -> bool {
        self.off.is_none() && self.level + 1 == self.steps.len()
    }

    /// Takes into account what was spent. Events are not switched off unless they `may` be.
    pub(super) fn turn(&mut self, now: u64, spent: Spent, may: bool) -> Order {
        let most = self.book(spent);
        match self.off {
            Some(since) => self.while_off(now, since),
            None => self.while_on(now, spent, most, may),
        }
    }

    /// What can be saved up now.
    fn book(&mut self, spent: Spent) -> i64 {
        let number = |n: u64| i64::try_from(n).unwrap_or(i64::MAX);
        let each = |span: u64| {
            let all = u128::from(spent.allowed) * u128::from(span) / u128::from(spent.span.max(1));
            number(u64::try_from(all).unwrap_or(u64::MAX))
        };
        let most = each(SAVED);
        let by_events = spent.events.saturating_add(spent.telling);
        let by_events = number(by_events.saturating_add(spent.chains));
        let paid = by_events.saturating_add(number(spent.rest));
        let balance = self
            .credit
            .saturating_add(number(spent.allowed))
            .saturating_sub(paid);
        self.credit = balance.min(most.max(self.slice)).max(-each(DEEPEST));
        self.on_cost = self.on_cost.saturating_add(by_events);
        most
    }

    fn while_off(&mut self, now: u64, since: u64) -> Order {
        let off = now.saturating_sub(since);
        if off < OFF || self.credit < self.slice && off < LONGEST_OFF {
            return Order::Nothing;
        }
        (self.off, self.on, self.calm) = (None, now, now);
        self.on_cost = 0;
        Order::Resume
    }

    fn while_on(&mut self, now: u64, spent: Spent, most: i64, may: bool) -> Order {
        self.recent.add(spent);
        // What this thread does of its own accord is not made cheaper by giving events up.
        if self.credit < 0 && self.recent.matters() {
            self.calm = now;
            return self.give_up(now, may);
        }
        if self.credit < most / 2 {
            self.calm = now;
        } else if self.level > 0 && now.saturating_sub(self.calm) >= self.patience {
            self.level -= 1;
            (self.calm, self.eased) = (now, Some(now));
            return Order::Change;
        }
        Order::Nothing
    }

    fn give_up(&mut self, now: u64, may: bool) -> Order {
        let last = self.steps.len() - 1;
        if self.level == last {
            let on = now.saturating_sub(self.on);
            if on < ON || !may {
                return Order::Nothing;
            }
            self.slice = self.on_cost / i64::try_from(on / ON).unwrap_or(1);
            self.off = Some(now);
            return Order::Pause;
        }
        // Where events are too dear even without chains, chains need not be tried one by one.
        let far = self.recent.is_far_too_dear();
        self.learn_patience(now);
        self.level = if far { last } else { self.level + 1 };
        if self.level == last {
            // What a slice costs is what it costs from now on.
            (self.on, self.on_cost) = (now, 0);
        }
        // What the step does is to show before the next one.
        self.recent = Recent::default();
        Order::Change
    }

    /// A step that has to be taken again soon was taken back too early.
    fn learn_patience(&mut self, now: u64) {
        let eased = self.eased.take();
        if eased.is_some_and(|eased| now.saturating_sub(eased) < 2 * self.patience) {
            self.patience = (2 * self.patience).min(LONGEST_CALM);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MS: u64 = 1_000_000;

    /// A program that would spend so much a second if nothing were given up, looked at every 50 ms and when a turn is due, at 1 %
    /// of one processor.
    struct Program {
        control: Control,
        now: u64,
        spent: u64,
        off: u64,
    }

    impl Program {
        fn new(depth: usize) -> Self {
            Self {
                control: Control::new(0, depth),
                now: 0,
                spent: 0,
                off: 0,
            }
        }

        /// Goes on for so long, with events, chains and other work of so many ms a second.
        fn run(&mut self, seconds: u64, events: u64, chains: u64, rest: u64) -> Vec<Order> {
            let end = self.now + seconds * SECOND;
            let mut orders = Vec::new();
            while self.now < end {
                let due = self.control.due(self.now) - self.now;
                let (new, slice) = (
                    self.control.is_new(self.now),
                    self.control.is_on_for_a_slice(),
                );
                let span = if new || slice { due } else { 50 * MS };
                orders.push(self.turn(span.min(end - self.now), (events, chains, rest)));
            }
            orders
        }

        fn turn(&mut self, span: u64, (events, chains, rest): (u64, u64, u64)) -> Order {
            self.now += span;
            let on = u64::from(self.control.off.is_none());
            self.off += (1 - on) * span;
            let chains = match self.control.step() {
                Step::Nothing | Step::Depth(_) => chains,
                Step::Chains(parts) => chains / u64::from(parts),
                Step::PerLock | Step::Slices => chains / 64,
            };
            let of = |ms: u64| ms * span / 1_000;
            let spent = Spent {
                span,
                allowed: span / 100,
                events: on * of(events) * 9 / 10,
                telling: on * of(events) / 10,
                chains: on * of(chains),
                rest: of(rest),
            };
            self.spent += spent.events + spent.telling + spent.chains + spent.rest;
            self.control.turn(self.now, spent, true)
        }
    }

    #[test]
    fn a_quiet_program_gives_nothing_up_whatever_the_agent_does() {
        let mut program = Program::new(16);
        let orders = program.run(60, 2, 2, 3);
        assert!(orders.iter().all(|&order| order == Order::Nothing));
        // Reading code at the start, or a thousand threads to look at: giving events up would not help.
        let mut program = Program::new(16);
        let orders = program.run(60, 2, 2, 50);
        assert!(orders.iter().all(|&order| order == Order::Nothing));
    }

    #[test]
    fn chains_that_are_too_dear_are_given_up_and_events_are_not() {
        let mut program = Program::new(16);
        let orders = program.run(60, 2, 20, 3);
        assert!(orders.contains(&Order::Change) && !orders.contains(&Order::Pause));
        assert!(program.control.step() > Step::Depth(4));
        assert!(program.spent <= 60 * 11 * MS, "{}", program.spent);
    }

    #[test]
    fn a_storm_is_recorded_in_slices_and_costs_what_it_may() {
        for (events, rest) in [(100, 0), (100, 3), (400, 5), (2_000, 1)] {
            let mut program = Program::new(16);
            let orders = program.run(60, events, 20, rest);
            assert!(orders.contains(&Order::Pause) && orders.contains(&Order::Resume));
            assert_eq!(program.control.step(), Step::Slices);
            // The last slice may have begun a moment ago.
            let most = 60 * 10 * MS + (events + 20) * MS / 20;
            assert!(program.spent <= most, "{events}: {}", program.spent);
            assert!(program.spent > most / 2, "{events}: {}", program.spent);
        }
    }

    #[test]
    fn a_storm_costs_what_it_may_from_the_beginning() {
        // 100,000 events a second, and what is set up at the start.
        for (events, chains, rest) in [(70, 50, 0), (120, 50, 2), (300, 0, 2)] {
            for seconds in [2, 5, 10] {
                let mut program = Program::new(16);
                program.run(seconds, events, chains, rest);
                let most = seconds * 10 * MS + events * 50 * MS / 1_000;
                let about = format!("{events}, {seconds} s: {} of {most}", program.spent);
                assert!(program.spent <= most, "{about}");
                assert!(program.spent > most / 3, "{about}");
            }
        }
    }

    #[test]
    fn a_lump_at_the_start_is_no_storm() {
        // A thousand threads are named, some hundreds of them block once.
        let mut program = Program::new(16);
        program.now = 2 * MS;
        let lump = Spent {
            span: 2 * MS,
            allowed: 2 * MS / 100,
            events: MS / 2,
            telling: 2 * MS,
            ..Spent::default()
        };
        let order = program.control.turn(program.now, lump, true);
        assert_eq!(order, Order::Nothing);
        let orders = program.run(20, 2, 1, 3);
        assert!(!orders.contains(&Order::Pause));
    }

    #[test]
    fn turns_are_close_at_first() {
        let control = Control::new(5 * SECOND, 16);
        let mut at = 5 * SECOND;
        let mut turns = 0;
        while at < 5 * SECOND + 60 * MS {
            at = control.due(at);
            turns += 1;
        }
        assert!(turns <= 7, "{turns}");
        assert_eq!(control.due(60 * SECOND), 60 * SECOND + TURN);
    }

    #[test]
    fn events_come_back_though_the_agent_alone_is_too_dear() {
        let mut program = Program::new(16);
        let orders = program.run(60, 100, 20, 15);
        let resumed = orders.iter().filter(|&&order| order == Order::Resume);
        assert!(resumed.count() >= 2);
    }

    #[test]
    fn when_the_storm_is_over_all_is_taken_back() {
        let mut program = Program::new(16);
        program.run(10, 100, 20, 3);
        let off = program.off;
        program.run(120, 1, 1, 3);
        assert_eq!(program.control.step(), Step::Nothing);
        assert!(program.control.off.is_none());
        assert!(program.off - off <= DEEPEST, "{}", program.off - off);
    }

    #[test]
    fn what_was_taken_back_too_early_is_given_up_for_longer() {
        let mut program = Program::new(16);
        let orders = program.run(600, 2, 20, 3);
        let changes = orders.iter().filter(|&&order| order == Order::Change);
        assert!(changes.count() < 120);
    }

    #[test]
    fn without_call_chains_there_is_one_step() {
        let control = Control::new(0, 0);
        assert_eq!(control.steps, [Step::Nothing, Step::Slices]);
        let control = Control::new(0, 6);
        assert_eq!(control.steps[1], Step::Depth(4));
    }
}
