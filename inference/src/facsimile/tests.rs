//! Completion of hand-made sequences, and of sequences of a simulated monitor.

use super::*;
use crate::collect::vm_probes::VmProbesSeen;
use crate::fixtures::event;
use crate::monitor_sim::{Truth, simulate};
use crate::visit::fold::history;
use crate::visit::{Begin, Finish, Step};
use locklens_trace::LockId;
use locklens_trace::record::Owner;
use proptest::prelude::*;

const L: LockId = LockId(1);
const A: ThreadId = ThreadId(1);
const B: ThreadId = ThreadId(2);
const C: ThreadId = ThreadId(3);
const WAIT: EventKind = EventKind::Wait { timeout: None };
const WOKEN: EventKind = EventKind::Waited { timed_out: false };
const TIMED_OUT: EventKind = EventKind::Waited { timed_out: true };

/// Region and call chain of the same number; call chains from 100 on are inside `wait`.
#[derive(Default)]
struct World {
    losses: Losses,
    places: BTreeMap<StackId, Place>,
    effects: BTreeMap<RegionId, Effects>,
    exact: bool,
    vm_probes: Option<VmProbesSeen>,
}

impl World {
    fn new() -> Self {
        let mut world = Self::default();
        for id in 1..10 {
            world.place(id, &[id], false);
            world.place(id + 100, &[id], true);
        }
        world
    }

    fn place(&mut self, stack: u32, levels: &[u32], in_wait: bool) {
        let levels = levels.iter().map(|&r| RegionId(r)).collect();
        self.places.insert(
            StackId(stack),
            Place {
                levels,
                in_wait,
                callers: 0,
            },
        );
    }

    fn notifies(mut self, region: u32, one: bool, all: bool) -> Self {
        let effects = Effects {
            may_wait: Some(false),
            may_wait_for_ever: Some(false),
            may_notify: Some(one),
            may_notify_all: Some(all),
            may_wait_after_notify: None,
            may_notify_after_wait: None,
        };
        self.effects.insert(RegionId(region), effects);
        self
    }

    /// The VM's own probes were listened to.
    fn listened(mut self) -> Self {
        self.vm_probes = Some(VmProbesSeen {
            counted: true,
            ..VmProbesSeen::default()
        });
        self
    }

    fn complete(&self, events: &[Event]) -> Vec<Completed> {
        let context = Context {
            exact: self.exact,
            vm_probes: self.vm_probes.as_ref(),
            reset_after: Nanos::from_millis(250),
            losses: &self.losses,
            places: &self.places,
            effects: &self.effects,
        };
        complete(events, &context)
    }
}

fn at(us: u64, thread: ThreadId, kind: EventKind, stack: u32) -> Event {
    let stack = (stack > 0).then_some(StackId(stack));
    Event {
        stack,
        ..event(us, thread, kind, L)
    }
}

/// `thread kind region`, inferred ones in parentheses.
fn spell(completed: &[Completed]) -> String {
    let words = completed.iter().map(|c| {
        let name = match c.what {
            What::Reset => return "RESET".to_owned(),
            What::Event(EventKind::Wait { .. }) => "wait".to_owned(),
            What::Event(EventKind::Waited { timed_out: true }) => "timed-out".to_owned(),
            What::Event(EventKind::Waited { .. }) => "waited".to_owned(),
            What::Event(kind) => format!("{kind:?}").to_lowercase(),
        };
        let thread = c.thread.map_or(0, |t| t.0);
        let region = c.region.map_or("?".to_owned(), |r| r.0.to_string());
        match c.mark {
            Mark::Observed => format!("{thread}:{name}@{region}"),
            Mark::Inferred => format!("({thread}:{name}@{region})"),
        }
    });
    words.collect::<Vec<_>>().join(" ")
}

#[test]
fn a_wait_without_enter_proves_an_acquisition() {
    let done = World::new().complete(&[at(10, A, WAIT, 101)]);
    assert_eq!(spell(&done), "(1:entered@1) 1:wait@1");
}

#[test]
fn the_holder_left_before_somebody_else_entered() {
    let done = World::new().complete(&[
        at(1, A, EventKind::Enter, 1),
        at(2, A, EventKind::Entered, 0),
        at(5, B, EventKind::Enter, 2),
        at(9, B, EventKind::Entered, 0),
    ]);
    assert_eq!(
        spell(&done),
        "1:enter@1 1:entered@1 2:enter@2 (1:exit@1) 2:entered@2"
    );
    assert_eq!((done[3].not_before.0, done[3].not_after.0), (2_000, 9_000));
}

#[test]
fn a_thread_about_to_block_held_nothing() {
    let done = World::new().complete(&[
        at(1, A, EventKind::Enter, 1),
        at(2, A, EventKind::Entered, 0),
        at(7, A, EventKind::Enter, 2),
    ]);
    assert_eq!(spell(&done), "1:enter@1 1:entered@1 (1:exit@1) 1:enter@2");
}

#[test]
fn the_papers_figure_comes_out() {
    // Thread 1 waits, thread 2 notifies and leaves, thread 1 comes back, leaves and re-enters.
    let world = World::new().notifies(2, false, true);
    let done = world.complete(&[
        at(1, A, WAIT, 101),
        at(2, B, EventKind::Enter, 2),
        at(3, B, EventKind::Entered, 0),
        at(4, A, WOKEN, 0),
        at(6, A, EventKind::Enter, 3),
        at(7, A, EventKind::Entered, 0),
    ]);
    assert_eq!(
        spell(&done),
        "(1:entered@1) 1:wait@1 2:enter@2 2:entered@2 1:waited@1 (2:notifyall@2) (2:exit@2) \
         (1:resumed@1) (1:exit@1) 1:enter@3 1:entered@3"
            .replace("1:waited@1 (2:notifyall@2)", "(2:notifyall@2) 1:waited@1")
    );
}

#[test]
fn a_single_notify_wakes_one_and_a_needed_second_makes_it_all() {
    let events = [
        at(1, A, WAIT, 101),
        at(2, B, WAIT, 101),
        at(3, C, EventKind::Enter, 2),
        at(4, C, EventKind::Entered, 0),
        at(5, A, WOKEN, 0),
        at(6, B, WOKEN, 0),
    ];
    let count = |world: World| {
        let done = world.complete(&events);
        let of = |kind| done.iter().filter(|c| c.what == What::Event(kind)).count();
        (of(EventKind::Notify), of(EventKind::NotifyAll))
    };
    assert_eq!(count(World::new().notifies(2, true, false)), (1, 0));
    assert_eq!(count(World::new().notifies(2, true, true)), (0, 1));
    assert_eq!(
        count(World::new()),
        (0, 0),
        "the bytecode does not allow it"
    );
}

#[test]
fn a_wait_that_timed_out_asks_for_no_notify() {
    let done = World::new().notifies(2, true, true).complete(&[
        at(1, A, WAIT, 101),
        at(2, B, EventKind::Enter, 2),
        at(3, B, EventKind::Entered, 0),
        at(4, A, TIMED_OUT, 0),
    ]);
    assert!(!spell(&done).contains("notify"), "{}", spell(&done));
}

#[test]
fn a_stay_that_goes_on_to_wait_notified_only_if_its_code_can() {
    let events = [at(1, A, WAIT, 101), at(2, B, WAIT, 102), at(3, A, WOKEN, 0)];
    let spelled = |can: bool| {
        let mut world = World::new().notifies(2, true, false);
        if let Some(effects) = world.effects.get_mut(&RegionId(2)) {
            effects.may_wait_after_notify = Some(can);
        }
        spell(&world.complete(&events))
    };
    assert!(spelled(true).contains("(2:notify@2) 2:wait@2"));
    assert!(!spelled(false).contains("notify"));
}

#[test]
fn who_came_back_from_a_wait_notified_only_if_its_code_can() {
    let events = [
        at(1, A, WAIT, 102),
        at(2, B, WAIT, 102),
        at(3, A, WOKEN, 0),
        at(4, B, WOKEN, 0),
    ];
    let notified = |can: bool| {
        let mut world = World::new()
            .notifies(102, false, true)
            .notifies(2, false, true);
        if let Some(effects) = world.effects.get_mut(&RegionId(2)) {
            effects.may_notify_after_wait = Some(can);
        }
        let spelled = spell(&world.complete(&events));
        spelled.contains("1:notifyall")
    };
    assert_eq!((notified(true), notified(false)), (true, false));
}

#[test]
fn waits_that_end_one_after_the_other_are_put_down_to_one_who_notified_all() {
    let waits = [at(1, A, WAIT, 101), at(2, B, WAIT, 101)];
    let again = [at(5, A, WOKEN, 0), at(6, A, WAIT, 101), at(7, B, WOKEN, 0)];
    let left = [at(5, A, WOKEN, 0), at(7, B, WOKEN, 0)];
    let notifier = [
        at(3, C, EventKind::Enter, 2),
        at(4, C, EventKind::Entered, 0),
    ];
    let notified = |events: &[&[Event]], all: bool| {
        let world = World::new().notifies(1, !all, all).notifies(2, !all, all);
        let done = world.complete(&events.concat());
        let notify = |kind| matches!(kind, EventKind::Notify | EventKind::NotifyAll);
        let notifies = |c: &&Completed| matches!(c.what, What::Event(kind) if notify(kind));
        done.iter()
            .filter(notifies)
            .filter_map(|c| c.thread)
            .collect::<Vec<_>>()
    };
    assert_eq!(notified(&[&waits, &notifier, &again], true), [C]);
    assert_eq!(
        notified(&[&waits, &notifier, &again], false),
        [C, A],
        "one wakes one"
    );
    assert_eq!(
        notified(&[&waits, &notifier, &left], true),
        [C, A],
        "it went on"
    );
    let late = [at(3, C, WAIT, 109)];
    let again_late = [at(5, B, WOKEN, 0), at(6, B, WAIT, 101), at(7, C, WOKEN, 0)];
    let unseen = notified(&[&waits[1..], &late, &again_late], true);
    assert!(
        unseen.is_empty(),
        "who notified all left no trace: {unseen:?}"
    );
    assert_eq!(notified(&[&waits[1..], &late, &again_late], false), [B]);
}

#[test]
fn a_woken_thread_is_back_before_it_leaves_and_perhaps_before_those_seen_inside() {
    let done = World::new().complete(&[
        at(10, A, WAIT, 101),
        at(20, A, WOKEN, 0),
        at(30, B, EventKind::Enter, 2),
        at(40, B, EventKind::Entered, 0),
        at(90, A, EventKind::Enter, 1),
    ]);
    let bounds = |kind| {
        let of = |c: &&Completed| c.thread == Some(A) && c.what == What::Event(kind);
        let found = done.iter().find(of).expect("inferred");
        (found.not_before.0 / 1_000, found.not_after.0 / 1_000)
    };
    assert_eq!(bounds(EventKind::Resumed), (20, 40));
    assert_eq!(bounds(EventKind::Exit), (20, 40));
}

#[test]
fn a_blocked_return_from_wait_is_one_visit() {
    let events = [
        at(1, A, WAIT, 101),
        at(3, A, TIMED_OUT, 0),
        at(4, A, EventKind::Enter, 101),
        at(6, A, EventKind::Entered, 0),
        at(8, A, EventKind::Enter, 2),
    ];
    let done = World::new().complete(&events);
    assert_eq!(
        spell(&done),
        "(1:entered@1) 1:wait@1 1:timed-out@1 1:enter@1 1:entered@1 (1:resumed@1) (1:exit@1) 1:enter@2"
    );
    let history = history(L, &[done], false, None);
    let visits: Vec<_> = history.steps.iter().filter_map(visit).collect();
    assert_eq!(visits.len(), 2);
    assert_eq!(visits[1].begin, Begin::Resumed { timed_out: true });
}

#[test]
fn a_wait_that_was_interrupted_did_not_run_out() {
    let events = [
        at(1, A, EventKind::Enter, 1),
        at(2, A, EventKind::Entered, 1),
        at(
            3,
            A,
            EventKind::Wait {
                timeout: Some(Nanos(900)),
            },
            1,
        ),
        at(4, A, EventKind::Interrupted, 1),
        at(5, A, EventKind::Exit, 1),
    ];
    let mut world = World::new();
    world.exact = true;
    let done = world.complete(&events);
    let history = history(L, &[done], true, None);
    let visits: Vec<_> = history.steps.iter().filter_map(visit).collect();
    assert_eq!(visits.len(), 2);
    assert_eq!(visits[1].begin, Begin::Interrupted);
}

fn visit(step: &Step) -> Option<crate::visit::Visit> {
    match step {
        Step::Visit(visit) => Some(*visit),
        _ => None,
    }
}

#[test]
fn waiting_again_leaves_open_what_happened_in_between() {
    let done =
        World::new().complete(&[at(1, A, WAIT, 101), at(3, A, WOKEN, 0), at(4, A, WAIT, 101)]);
    assert_eq!(
        spell(&done),
        "(1:entered@1) 1:wait@1 1:waited@1 (1:resumed@1) 1:wait@1"
    );
    let history = history(L, &[done], false, None);
    let ends: Vec<_> = history
        .steps
        .iter()
        .filter_map(visit)
        .map(|v| v.finish)
        .collect();
    let waits = Finish::Waits { timeout: None };
    assert_eq!(ends, [waits, Finish::Unknown, waits]);
}

#[test]
fn somebody_elses_stay_proves_that_it_left() {
    let done = World::new().complete(&[
        at(1, A, WAIT, 101),
        at(3, A, WOKEN, 0),
        at(4, B, WAIT, 102),
        at(5, A, WAIT, 101),
    ]);
    assert_eq!(
        spell(&done),
        "(1:entered@1) 1:wait@1 1:waited@1 (1:resumed@1) (1:exit@1) (2:entered@2) 2:wait@2 \
         (1:entered@1) 1:wait@1"
    );
}

#[test]
fn other_callers_prove_that_it_left() {
    let mut world = World::new();
    let callers = Place {
        callers: 7,
        ..world.places[&StackId(101)].clone()
    };
    world.places.insert(StackId(201), callers);
    let done = world.complete(&[at(1, A, WAIT, 101), at(3, A, WOKEN, 0), at(4, A, WAIT, 201)]);
    assert!(
        spell(&done).contains("(1:exit@1) (1:entered@1)"),
        "{}",
        spell(&done)
    );
}

#[test]
fn nested_levels_are_entered_and_left() {
    let mut world = World::new();
    world.place(150, &[4, 5], true);
    let done = world.complete(&[at(1, A, WAIT, 150), at(2, A, WOKEN, 0), at(3, B, WAIT, 101)]);
    assert_eq!(
        spell(&done),
        "(1:entered@4) (1:entered@5) 1:wait@4 1:waited@4 (1:resumed@4) (1:exit@5) (1:exit@4) \
         (2:entered@1) 2:wait@1"
    );
}

#[test]
fn silence_resets_only_while_nobody_waits_or_blocks() {
    let late = 1_000_000;
    let world = World::new();
    let idle = [
        at(1, A, EventKind::Enter, 1),
        at(2, A, EventKind::Entered, 0),
        at(late, B, EventKind::Enter, 1),
    ];
    assert!(spell(&world.complete(&idle)).contains("RESET"));
    let waiting = [at(1, A, WAIT, 101), at(late, A, WOKEN, 0)];
    assert!(!spell(&world.complete(&waiting)).contains("RESET"));
    let blocked = [
        at(1, A, EventKind::Enter, 1),
        at(late, A, EventKind::Entered, 0),
    ];
    assert!(!spell(&world.complete(&blocked)).contains("RESET"));
}

#[test]
fn losses_reset_even_while_somebody_waits() {
    let mut world = World::new();
    world.losses.add(Nanos(3_000), Nanos(4_000));
    let done = world.complete(&[at(1, A, WAIT, 101), at(9, A, WOKEN, 101)]);
    assert_eq!(
        spell(&done),
        "(1:entered@1) 1:wait@1 RESET 1:waited@1 (1:resumed@1)"
    );
}

#[test]
fn a_waiter_from_before_the_recording_comes_back() {
    let done = World::new().complete(&[at(5, A, WOKEN, 101), at(6, B, WAIT, 102)]);
    assert_eq!(
        spell(&done),
        "1:waited@1 (1:resumed@1) (1:exit@1) (2:entered@2) 2:wait@2"
    );
}

#[test]
fn the_owner_seen_fills_a_hole() {
    let mut enter = at(5, A, EventKind::Enter, 1);
    enter.owner = Owner::Thread(B);
    let done = World::new().complete(&[enter, at(6, A, EventKind::Entered, 0)]);
    assert_eq!(
        spell(&done),
        "1:enter@1 (2:entered@?) (2:exit@?) 1:entered@1"
    );
}

/// A world in which everything is probed.
fn exact() -> World {
    World {
        exact: true,
        ..World::new()
    }
}

#[test]
fn an_acquisition_only_the_jvm_told_ends_unseen() {
    let done = exact().complete(&[
        at(1, A, EventKind::Entered, 0),
        at(2, B, EventKind::Entered, 1),
        at(3, B, EventKind::Exit, 1),
        at(4, A, EventKind::Entered, 2),
        at(5, A, EventKind::Exit, 2),
    ]);
    assert_eq!(
        spell(&done),
        "1:entered@? RESET 2:entered@1 2:exit@1 1:entered@2 1:exit@2"
    );
    let visits: Vec<_> = history(L, &[done], true, None).steps;
    let left = visits.iter().filter_map(visit).skip(1);
    assert!(left.into_iter().all(|v| v.finish == Finish::Left));
}

#[test]
fn who_began_to_wait_without_a_probe_comes_back_without_one() {
    let done = exact().complete(&[
        at(1, A, WOKEN, 0),
        at(2, B, EventKind::Entered, 1),
        at(3, A, EventKind::Entered, 2),
        at(4, A, WAIT, 2),
        at(5, A, WOKEN, 0),
        at(6, A, EventKind::Resumed, 2),
    ]);
    assert_eq!(
        spell(&done),
        "1:waited@? RESET 2:entered@1 RESET RESET 1:entered@2 1:wait@2 1:waited@2 1:resumed@2"
    );
}

#[test]
fn a_wait_the_jvm_told_alone_is_one_in_old_code() {
    let done = exact().complete(&[
        at(1, B, EventKind::Entered, 1),
        at(2, B, EventKind::Exit, 1),
        at(3, A, WAIT, 102),
    ]);
    assert_eq!(spell(&done), "2:entered@1 2:exit@1 1:wait@2 RESET");
}

fn world_of(truth: &Truth) -> World {
    let mut world = World::new();
    for id in 1..10 {
        world = world.notifies(id, id % 2 == 0, id % 3 == 0);
    }
    world.exact = truth.exact;
    world
}

/// Runs the completed sequence on a monitor that allows nothing impossible.
fn well_formed(done: &[Completed]) -> Result<(), String> {
    let mut holder: Option<(ThreadId, u32)> = None;
    let mut unknown_start: std::collections::BTreeSet<ThreadId> = Default::default();
    let mut levels: BTreeMap<ThreadId, u32> = BTreeMap::new();
    for (i, c) in done.iter().enumerate() {
        let fail = |why: &str| Err(format!("{why} at {i}: {}", spell(done)));
        if c.not_before > c.not_after {
            return fail("bounds the wrong way round");
        }
        let (What::Event(kind), Some(t)) = (c.what, c.thread) else {
            holder = None;
            levels.clear();
            continue;
        };
        match kind {
            EventKind::Entered => match &mut holder {
                Some((h, depth)) if *h == t => *depth += 1,
                Some(_) => return fail("entered while held"),
                None => holder = Some((t, 1)),
            },
            EventKind::Resumed => match holder {
                Some((h, _)) if h != t => return fail("resumed while held"),
                _ => holder = Some((t, levels.remove(&t).unwrap_or(1))),
            },
            EventKind::Wait { .. } => match holder.take() {
                Some((h, depth)) if h == t => drop(levels.insert(t, depth)),
                _ => return fail("waits without holding"),
            },
            EventKind::Exit => match &mut holder {
                Some((h, 1)) if *h == t => holder = None,
                Some((h, depth)) if *h == t => *depth -= 1,
                _ => return fail("exit without holding"),
            },
            EventKind::Notify | EventKind::NotifyAll if holder.is_none_or(|(h, _)| h != t) => {
                return fail("notifies without holding");
            }
            EventKind::Enter if holder.is_some_and(|(h, _)| h == t) => {
                return fail("blocks while holding");
            }
            _ => drop(unknown_start.insert(t)),
        }
    }
    Ok(())
}

fn observed(done: &[Completed]) -> Vec<(Nanos, Option<ThreadId>, What)> {
    let observed = done.iter().filter(|c| c.mark == Mark::Observed);
    observed.map(|c| (c.not_before, c.thread, c.what)).collect()
}

fn given(events: &[Event]) -> Vec<(Nanos, Option<ThreadId>, What)> {
    events
        .iter()
        .map(|e| (e.at, Some(e.thread), What::Event(e.kind)))
        .collect()
}

/// Steps by kind, thread and how many events the JVM has reported of that thread before, in order.
type Stretches<T> = BTreeMap<(&'static str, ThreadId, usize), Vec<T>>;

fn stretches<T>(steps: impl Iterator<Item = (What, ThreadId, bool, T)>) -> Stretches<T> {
    let mut told: BTreeMap<ThreadId, usize> = BTreeMap::new();
    let mut stretches = Stretches::new();
    for (what, thread, seen, step) in steps {
        let told = told.entry(thread).or_default();
        *told += usize::from(seen);
        let kind = match what {
            What::Event(EventKind::Entered) => "entered",
            What::Event(EventKind::Exit) => "exit",
            What::Event(EventKind::Resumed) => "resumed",
            _ => continue,
        };
        let stretch = stretches.entry((kind, thread, *told)).or_default();
        stretch.push(step);
    }
    stretches
}

/// When the outermost levels were entered and left and waits returned, unreported.
fn happened(truth: &Truth) -> Stretches<Nanos> {
    let mut depths: BTreeMap<ThreadId, u32> = BTreeMap::new();
    let steps = truth.events.iter().zip(&truth.seen).map(|(event, &seen)| {
        let depth = depths.entry(event.thread).or_default();
        let returns = event.stack.is_none() && *depth > 0;
        let outermost = match event.kind {
            // The return of a wait that had to block is reported, before wait returns.
            EventKind::Entered if returns => false,
            EventKind::Entered => {
                *depth += 1;
                *depth == 1
            }
            EventKind::Exit => {
                *depth -= 1;
                *depth == 0
            }
            kind => kind == EventKind::Resumed,
        };
        let what = What::Event(event.kind);
        (
            what,
            event.thread,
            seen,
            (outermost && !seen).then_some(event.at),
        )
    });
    let steps: Vec<_> = steps.collect();
    let mut stretches = stretches(steps.into_iter());
    stretches
        .values_mut()
        .for_each(|times| times.retain(Option::is_some));
    stretches
        .into_iter()
        .map(|(key, times)| (key, times.into_iter().flatten().collect()))
        .collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn nothing_happened_before_its_bounds(seed in any::<u64>()) {
        let truth = simulate(seed, 120);
        let done = world_of(&truth).complete(&truth.contended());
        let steps = done.iter().filter_map(|c| Some((c.what, c.thread?, c.mark == Mark::Observed, *c)));
        let happened = happened(&truth);
        for ((kind, thread, told), said) in stretches(steps) {
            let said = said.iter().filter(|c| c.mark == Mark::Inferred);
            let times = happened.get(&(kind, thread, told)).map_or(&[][..], Vec::as_slice);
            // What follows a reported event is the first release, what leads to one the last acquisition.
            let time = if kind == "entered" { times.last() } else { times.first() };
            for (said, &time) in said.zip(time) {
                prop_assert!(said.not_before <= time, "{kind} {thread:?} at {time:?}: {said:?}");
                let acquired = kind == "entered";
                prop_assert!(!acquired || time <= said.not_after, "{kind} {thread:?} at {time:?}: {said:?}");
            }
        }
    }

    #[test]
    fn who_came_back_did_before_it_left(seed in any::<u64>()) {
        let truth = simulate(seed, 120);
        let done = world_of(&truth).complete(&truth.contended());
        let mut inside = None;
        for step in &done {
            match step.what {
                What::Event(EventKind::Resumed) => inside = Some(step),
                What::Event(EventKind::Exit | EventKind::Wait { .. }) => {
                    if let Some(resumed) = inside.take() {
                        prop_assert!(resumed.not_after <= step.not_after, "{resumed:?} {step:?}");
                        prop_assert!(resumed.not_before <= step.not_before, "{resumed:?} {step:?}");
                    }
                }
                _ => {}
            }
        }
    }

    #[test]
    fn a_real_monitors_contended_view_becomes_well_formed(seed in any::<u64>()) {
        let truth = simulate(seed, 120);
        let events = truth.contended();
        let done = world_of(&truth).complete(&events);
        prop_assert_eq!(observed(&done), given(&events), "what was observed passes through");
        prop_assert_eq!(well_formed(&done), Ok(()));
        prop_assert!(!spell(&done).contains("RESET"), "nothing unexplained: {}", spell(&done));
    }

    #[test]
    fn exact_sequences_pass_unchanged(seed in any::<u64>()) {
        let truth = simulate(seed, 120).probed();
        let done = world_of(&truth).complete(&truth.events);
        prop_assert_eq!(observed(&done), given(&truth.events));
        prop_assert_eq!(done.len(), truth.events.len(), "nothing inserted");
        prop_assert_eq!(well_formed(&done), Ok(()));
    }

    #[test]
    fn damaged_sequences_stay_well_formed(seed in any::<u64>(), keep in prop::collection::vec(prop::bool::weighted(0.8), 200)) {
        let truth = simulate(seed, 120);
        let kept = truth.contended().into_iter().zip(keep).filter(|&(_, kept)| kept);
        let events: Vec<Event> = kept.map(|(event, _)| event).collect();
        let done = world_of(&truth).complete(&events);
        prop_assert_eq!(observed(&done), given(&events));
        if !done.iter().any(|c| c.what == What::Reset) {
            prop_assert_eq!(well_formed(&done), Ok(()));
        }
        let _ = history(L, &[done], false, Some(Nanos(50_000)));
    }

    #[test]
    fn partly_observed_releases_are_used(seed in any::<u64>(), keep in prop::collection::vec(prop::bool::weighted(0.5), 400)) {
        let truth = simulate(seed, 120);
        let contended = truth.contended();
        let seen = |e: &Event| contended.contains(e);
        let release = |e: &Event| matches!(e.kind, EventKind::Exit | EventKind::Notify | EventKind::NotifyAll);
        let kept = truth.events.iter().zip(keep).filter(|(e, kept)| seen(e) || (*kept && release(e)));
        let events: Vec<Event> = kept.map(|(event, _)| *event).collect();
        let done = world_of(&truth).complete(&events);
        prop_assert_eq!(observed(&done), given(&events));
        if !done.iter().any(|c| c.what == What::Reset) {
            prop_assert_eq!(well_formed(&done), Ok(()));
        }
    }

    #[test]
    fn visits_of_an_exact_sequence_are_its_stays(seed in any::<u64>()) {
        let truth = simulate(seed, 120).probed();
        let done = world_of(&truth).complete(&truth.events);
        let steps = history(L, &[done], true, None).steps;
        let count = |f: fn(&EventKind) -> bool| truth.events.iter().filter(|e| f(&e.kind)).count();
        let waits = steps.iter().filter_map(visit).filter(|v| matches!(v.finish, Finish::Waits { .. })).count();
        prop_assert_eq!(waits, count(|k| matches!(k, EventKind::Wait { .. })));
        let resumed = steps.iter().filter_map(visit).filter(|v| matches!(v.begin, Begin::Resumed { .. })).count();
        prop_assert_eq!(resumed, count(|k| *k == EventKind::Resumed));
    }
}

#[test]
fn a_re_entry_without_a_beginning_ends_the_wait_and_acquires_nothing() {
    let world = World::new();
    let done = world.complete(&[
        at(10, A, WAIT, 101),
        at(20, A, WOKEN, 0),
        at(25, A, EventKind::Entered, 0),
        at(30, A, WAIT, 101),
    ]);
    let of = |kind: EventKind| done.iter().filter(|c| c.what == What::Event(kind)).count();
    // One inferred before the first wait, one reported; nobody left in between.
    assert_eq!(
        (of(EventKind::Entered), of(EventKind::Exit)),
        (2, 0),
        "{done:#?}"
    );
    let resumed = done
        .iter()
        .find(|c| c.what == What::Event(EventKind::Resumed))
        .expect("it came back");
    assert_eq!(resumed.not_after, Nanos(25_000));
}

#[test]
fn who_is_found_inside_may_have_been_there_before_anything_was_seen() {
    let done = World::new().complete(&[at(300, A, WAIT, 101)]);
    let entered = done[0];
    assert_eq!(entered.what, What::Event(EventKind::Entered));
    assert_eq!(entered.mark, Mark::Inferred);
    assert_eq!(
        (entered.not_before, entered.not_after),
        (Nanos(0), Nanos(300_000))
    );
}

#[test]
fn nothing_is_concluded_from_what_began_before() {
    let world = World::new();
    let done = world.complete(&[
        at(0, A, WAIT, 101),
        at(0, B, EventKind::Enter, 2),
        at(50, B, EventKind::Entered, 0),
    ]);
    let whats: Vec<What> = done.iter().map(|c| c.what).collect();
    let expected = [WAIT, EventKind::Enter, EventKind::Entered].map(What::Event);
    assert_eq!(whats, expected, "{done:#?}");
    let history = history(L, &[done], false, None);
    let begins: Vec<_> = history
        .steps
        .iter()
        .filter_map(|step| match step {
            Step::Visit(visit) => Some(visit.begin),
            _ => None,
        })
        .collect();
    assert!(begins.is_empty() || begins == [Begin::Fresh { blocked: true }]);
}

#[test]
fn a_notify_that_was_told_is_not_inferred_and_what_was_not_told_was_none() {
    let world = World::new().notifies(2, false, true).listened();
    let events = |told: &[Event]| {
        let before = [
            at(1, A, WAIT, 101),
            at(2, B, EventKind::Enter, 2),
            at(3, B, EventKind::Entered, 0),
        ];
        let after = [at(6, A, WOKEN, 0), at(9, B, EventKind::Enter, 2)];
        [&before, told, &after].concat()
    };
    let told = [
        at(4, B, EventKind::NotifyAll, 0),
        at(5, B, EventKind::Exit, 0),
    ];
    assert_eq!(
        spell(&world.complete(&events(&told))),
        "(1:entered@1) 1:wait@1 2:enter@2 2:entered@2 2:notifyall@2 2:exit@2 1:waited@1 (1:resumed@1) 2:enter@2"
    );
    // Woken by an interrupt, or by nobody: a notify would have been told.
    let spelt = spell(&world.complete(&events(&[])));
    assert!(!spelt.contains("notify"), "{spelt}");
    // Where notifies are missing, one is inferred.
    let mut partly = world;
    partly.vm_probes.as_mut().expect("listened").other_threads = 1;
    let spelt = spell(&partly.complete(&events(&[])));
    assert!(spelt.contains("(2:notifyall@2)"), "{spelt}");
}

#[test]
fn an_exit_told_after_the_next_one_came_is_the_one_concluded() {
    let done = World::new().listened().complete(&[
        at(1, A, EventKind::Enter, 1),
        at(2, A, EventKind::Entered, 0),
        at(5, B, EventKind::Enter, 2),
        at(9, B, EventKind::Entered, 0),
        at(10, A, EventKind::Exit, 0),
        at(12, B, EventKind::Exit, 0),
    ]);
    assert_eq!(
        spell(&done),
        "1:enter@1 1:entered@1 2:enter@2 1:exit@1 2:entered@2 2:exit@2"
    );
    assert_eq!((done[3].not_before.0, done[3].not_after.0), (9_000, 9_000));
}

#[test]
fn an_exit_that_was_told_is_of_the_last_level() {
    let mut world = World::new().listened();
    world.place(50, &[1, 2], true);
    let done = world.complete(&[
        at(1, A, WAIT, 50),
        at(2, A, WOKEN, 0),
        at(5, A, EventKind::Exit, 0),
    ]);
    assert_eq!(
        spell(&done),
        "(1:entered@1) (1:entered@2) 1:wait@1 1:waited@1 (1:resumed@1) (1:exit@2) 1:exit@1"
    );
}
