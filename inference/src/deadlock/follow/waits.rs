//! Threads that wait in a monitor, and whom a notify wakes.

use super::super::step::{Bond, By, Lock, Thread};
use super::{Act, Follower, Held, Moment, WAITERS, Waiting, Wanted, Watch};

impl Follower {
    pub(super) fn wait(
        &mut self,
        moment: Moment,
        (lock, gives): (Lock, Option<Lock>),
        (timed, joins): (bool, Option<Thread>),
        watch: &mut impl Watch,
    ) {
        let hold = gives.and_then(|gives| self.drop_hold(moment, gives, watch));
        // It stands there when the lock has been left.
        let state = self.state(moment.thread);
        state.at = state.at.saturating_add(1);
        (state.pending, state.asked) = (None, None);
        let moment = Moment {
            at: state.at,
            ..moment
        };
        let wanted = Wanted::Notice(lock);
        // The end of a thread notifies those who wait on it.
        let stalls = timed || joins.is_some();
        let wants = Act::Wants {
            wanted,
            timed: stalls,
        };
        self.tell(moment, wants, watch);
        let by = By::Next;
        self.tell(moment, Act::Stands { lock, by, gives }, watch);
        if let Some(gave) = hold {
            let timed = stalls;
            self.tell(moment, Act::Waits { lock, gave, timed }, watch);
            self.wants_back(moment, gave, watch);
        }
        self.state(moment.thread).waiting = Some(Waiting {
            lock,
            gives,
            timed,
            joins,
            site: moment.site,
            hold,
            woken: None,
        });
        let waiters = self.waiters.entry(lock).or_default();
        if waiters.len() < WAITERS {
            waiters.push(moment.thread);
        }
    }

    pub(super) fn returned(
        &mut self,
        moment: Moment,
        lock: Lock,
        timed_out: bool,
        w: &mut impl Watch,
    ) {
        let state = self.state(moment.thread);
        (state.pending, state.asked) = (None, None);
        let waiting = state.waiting.take();
        let waiting = waiting.filter(|waiting| waiting.lock == lock);
        self.leave_waiters(moment.thread, lock);
        let woken = match timed_out {
            true => None,
            false => waiting.and_then(|w| w.woken.or_else(|| self.notice(lock))),
        };
        if let Some(woken) = woken {
            // With a limit it would have gone on a little later without.
            let bond = match waiting.is_some_and(|waiting| waiting.timed) {
                true => Bond::Presumed,
                false => Bond::Opened(lock),
            };
            self.comes_after(moment, woken, bond, w);
        } else if !timed_out && self.under_way && waiting.is_some_and(|w| w.is_of_monitor()) {
            self.woken_unseen(moment, w);
        }
        self.tell(moment, Act::Back(lock), w);
        // Of a wait that began before the trace it is not known how often the lock was held.
        if let Some((hold, site)) = waiting.and_then(|w| Some((w.hold?, w.site))) {
            // It is there still, whatever it does next.
            let site = site.or(moment.site);
            self.take(Moment { site, ..moment }, hold, w);
        }
    }

    /// Who waits needs the lock that he has given up whatever ends the wait, also where nothing does before the trace is over.
    fn wants_back(&self, waits: Moment, hold: Held, watch: &mut impl Watch) {
        let wanted = Wanted::Lock(hold.lock, hold.mode);
        let timed = false;
        let at = waits.at.saturating_add(1);
        self.tell(Moment { at, ..waits }, Act::Wants { wanted, timed }, watch);
    }

    /// Nobody was seen to notify it: somebody has who was under way before, in code from then.
    fn woken_unseen(&self, moment: Moment, watch: &mut impl Watch) {
        let threads = (0..).map(Thread).zip(&self.threads);
        let before = threads.filter(|(_, state)| !state.begun && state.at > 0);
        for (thread, state) in before {
            self.comes_after(moment, (thread, state.at), Bond::Stood, watch);
        }
    }

    pub(super) fn leave_waiters(&mut self, thread: Thread, lock: Lock) {
        if let Some(waiters) = self.waiters.get_mut(&lock) {
            waiters.retain(|&waiter| waiter != thread);
        }
    }

    pub(super) fn notify(&mut self, moment: Moment, lock: Lock, all: bool, watch: &mut impl Watch) {
        let waiters = self.waiters.get(&lock).cloned().unwrap_or_default();
        let asleep = |t: &&Thread| {
            let waiting = self.threads[t.0 as usize].waiting;
            waiting.is_some_and(|waiting| waiting.woken.is_none())
        };
        let asleep: Vec<Thread> = waiters.iter().filter(asleep).copied().collect();
        let from = (moment.thread, moment.at);
        if all {
            // Whomever an earlier one was for: all of them go on from here.
            self.forget_notices(lock);
        }
        match (all || asleep.len() == 1, asleep.is_empty()) {
            (_, true) => self.forget_notices(lock),
            (true, false) => self.wake(&asleep, from),
            (false, false) => self.note(lock, from),
        }
        let waiters = asleep.len();
        self.tell(moment, Act::Notified { lock, all, waiters }, watch);
    }

    fn wake(&mut self, asleep: &[Thread], from: (Thread, u32)) {
        for &thread in asleep {
            if let Some(waiting) = &mut self.state(thread).waiting {
                waiting.woken = Some(from);
            }
        }
    }
}
