//! Sequences whose answer is known, and sequences of a simulated monitor.

use super::steps::{Span, Step};
use super::view::Sight;
use super::*;
use crate::collect::Losses;
use crate::effects::Effects;
use crate::facsimile::{Context, complete};
use crate::fixtures::{Build, call, dup, event, leave, load, store};
use crate::monitor_sim::simulate;
use crate::region::RegionId;
use crate::region::place::Place;
use locklens_trace::code::Op;
use locklens_trace::record::{Frame, Owner};
use locklens_trace::{Event, EventKind, StackId, ThreadId};
use proptest::prelude::*;

const L: LockId = LockId(1);
const A: ThreadId = ThreadId(1);
const B: ThreadId = ThreadId(2);
const C: ThreadId = ThreadId(3);
const WAIT: EventKind = EventKind::Wait { timeout: None };
const WOKEN: EventKind = EventKind::Waited { timed_out: false };
const ALWAYS: Span = (Nanos(0), Nanos(u64::MAX));

fn at(us: u64, thread: ThreadId, kind: EventKind) -> Event {
    // Region and site of each thread have its number.
    let stack = match kind {
        EventKind::Waited { .. } | EventKind::Resumed => None,
        _ => Some(StackId(thread.0)),
    };
    Event {
        stack,
        ..event(us, thread, kind, L)
    }
}

/// Call chains 1 to 3 are sites, from 101 on the same inside `wait`.
fn places() -> BTreeMap<StackId, Place> {
    let place = |id: u32| Place {
        levels: vec![RegionId(id % 100)],
        in_wait: id > 100,
        callers: 0,
    };
    let ids = (1..10).chain(101..110);
    ids.map(|id| (StackId(id), place(id))).collect()
}

/// Everything the probes tell, and the JVM's part of it, as the facsimile completes them. All regions may notify.
fn compared(events: &[Event]) -> Fidelity {
    let effects = Effects {
        may_wait: Some(true),
        may_wait_for_ever: Some(true),
        may_notify: Some(true),
        may_notify_all: Some(false),
        may_wait_after_notify: Some(true),
        may_notify_after_wait: Some(true),
    };
    let effects = (1..10).map(|id| (RegionId(id), effects)).collect();
    let (places, losses) = (places(), Losses::default());
    let context = |exact| Context {
        exact,
        vm_probes: None,
        reset_after: Nanos::from_millis(250),
        losses: &losses,
        places: &places,
        effects: &effects,
    };
    let mut sight = Sight::default();
    let told = events.iter().filter_map(|event| {
        let kind = sight.told(event)?;
        let stack = match kind {
            EventKind::Entered => None,
            EventKind::Wait { .. } => event.stack.map(|s| StackId(s.0 + 100)),
            _ => event.stack,
        };
        Some(Event {
            kind,
            stack,
            ..*event
        })
    });
    let told: Vec<Event> = told.collect();
    let completed = complete(&told, &context(false));
    let mut fidelity = Fidelity::default();
    fidelity.compare(
        &vec![(events.to_vec(), complete(events, &context(true)))],
        &completed.iter().collect::<Vec<_>>(),
        Nanos(0),
    );
    fidelity
}

fn tally(fidelity: &Fidelity, kind: Kind) -> Tally {
    fidelity.kinds.get(&kind).cloned().unwrap_or_default()
}

/// A's stay shows because B meets A in it; the last two show by themselves or not at all.
fn handed_over() -> Vec<Event> {
    vec![
        at(1, A, EventKind::Entered),
        Event {
            owner: Owner::Thread(A),
            ..at(5, B, EventKind::Enter)
        },
        at(8, A, EventKind::Exit),
        at(9, B, EventKind::Entered),
        at(12, B, EventKind::Exit),
        at(20, C, EventKind::Entered),
        at(22, C, EventKind::Exit),
    ]
}

#[test]
fn what_somebody_met_is_known_and_what_nobody_met_is_not() {
    let done = compared(&handed_over());
    let exit = tally(&done, Kind::Exit);
    assert_eq!(
        (exit.observed, exit.knowable, exit.inferred, exit.right),
        (3, 2, 1, 1)
    );
    assert_eq!(exit.recall_of_knowable(), Some(0.5), "nothing follows B's");
    assert_eq!((exit.within, exit.error().max), (1, Nanos(1_000)));
    let entered = tally(&done, Kind::Entered);
    assert_eq!(
        (entered.observed, entered.knowable, entered.right),
        (2, 1, 1)
    );
    assert_eq!((done.objects, done.reported), (1, 2));
}

#[test]
fn a_notify_that_ends_a_wait_is_known_if_the_notifier_shows() {
    let wait_and_notify = |kind| {
        let mut events = vec![at(1, A, EventKind::Entered), at(2, A, WAIT)];
        if kind == EventKind::Enter {
            events.push(at(3, B, EventKind::Enter));
        }
        events.extend([
            at(4, B, EventKind::Entered),
            at(5, B, EventKind::Notify),
            at(6, B, EventKind::Notify),
            at(7, B, EventKind::Exit),
            at(8, A, WOKEN),
            at(9, A, EventKind::Resumed),
            at(10, A, EventKind::Exit),
        ]);
        tally(&compared(&events), Kind::Notify)
    };
    let blocked = wait_and_notify(EventKind::Enter);
    assert_eq!((blocked.observed, blocked.knowable), (2, 1));
    assert_eq!((blocked.inferred, blocked.right, blocked.within), (1, 1, 1));
    let unseen = wait_and_notify(EventKind::Entered);
    assert_eq!(
        (unseen.observed, unseen.knowable, unseen.inferred),
        (2, 0, 0)
    );
}

#[test]
fn who_was_there_and_did_not_notify_makes_the_guess_wrong() {
    let done = compared(&[
        at(1, A, EventKind::Entered),
        at(2, A, WAIT),
        at(3, B, EventKind::Enter),
        at(4, B, EventKind::Entered),
        at(5, B, EventKind::Exit),
        // Nothing tells of C, who did it.
        at(6, C, EventKind::Entered),
        at(7, C, EventKind::Notify),
        at(8, C, EventKind::Exit),
        at(9, A, WOKEN),
        at(10, A, EventKind::Resumed),
        at(11, A, EventKind::Exit),
    ]);
    let notify = tally(&done, Kind::Notify);
    assert_eq!((notify.inferred, notify.right), (1, 0));
    assert_eq!(notify.precision(), Some(0.0));
}

#[test]
fn who_was_inside_before_may_leave_unseen() {
    let mut events = vec![at(1, A, WOKEN), at(2, A, EventKind::Resumed)];
    // Past the events for which the exact record reckons with its return.
    events.extend((0..10).map(|i| at(3 + i, B, EventKind::Notify)));
    for us in [20, 30] {
        events.push(at(us, A, EventKind::Entered));
        events.push(at(us + 1, A, EventKind::Entered));
        events.push(at(us + 2, A, EventKind::Exit));
        events.push(at(us + 3, A, EventKind::Exit));
    }
    let done = compared(&events);
    let (entered, exit) = (tally(&done, Kind::Entered), tally(&done, Kind::Exit));
    assert_eq!((entered.observed, exit.observed), (2, 2));
}

fn step(kind: Kind, after: u32, from: u64, to: u64) -> Step {
    Step {
        kind,
        thread: A,
        after,
        from: Nanos(from),
        to: Nanos(to),
        all: false,
        ends_wait: true,
        shown: true,
    }
}

fn held(happened: &[Step], said: &[Step], span: Span) -> Tally {
    let mut kinds = BTreeMap::new();
    tally::compare(happened, said, span, &mut kinds);
    kinds.into_values().next().unwrap_or_default()
}

#[test]
fn beyond_its_bounds_a_step_is_right_but_not_within() {
    let exit = |at| step(Kind::Exit, 1, at, at);
    let done = held(&[exit(5)], &[step(Kind::Exit, 1, 10, 20)], ALWAYS);
    assert_eq!((done.right, done.within), (1, 0));
    assert_eq!((done.error().max, done.width().max), (Nanos(15), Nanos(10)));
    let other = held(&[exit(5)], &[step(Kind::Exit, 2, 0, 20)], ALWAYS);
    assert_eq!(
        (other.right, other.inferred, other.observed),
        (0, 1, 1),
        "another stretch"
    );
}

#[test]
fn a_probe_tells_of_an_acquisition_a_moment_later() {
    let within =
        |kind, at| held(&[step(kind, 1, at, at)], &[step(kind, 1, 0, 1_000)], ALWAYS).within;
    assert_eq!(within(Kind::Resumed, 11_000), 1);
    assert_eq!(within(Kind::Resumed, 11_001), 0);
    assert_eq!(within(Kind::Exit, 1_001), 0, "and of a release before");
}

#[test]
fn of_several_the_first_release_and_the_last_acquisition_are_meant() {
    let error = |kind| {
        let happened = [step(kind, 1, 4, 4), step(kind, 1, 8, 8)];
        let done = held(&happened, &[step(kind, 1, 0, 10)], ALWAYS);
        (done.observed, done.right, done.error().max)
    };
    assert_eq!(error(Kind::Exit), (2, 1, Nanos(6)));
    assert_eq!(error(Kind::Entered), (2, 1, Nanos(2)));
}

#[test]
fn what_may_have_happened_in_a_gap_is_not_judged() {
    let said = [step(Kind::Exit, 1, 5, 20), step(Kind::Exit, 2, 12, 20)];
    let done = held(&[], &said, (Nanos(10), Nanos(30)));
    assert_eq!((done.inferred, done.unjudged), (1, 1));
}

#[test]
fn the_longest_time_without_a_gap_counts() {
    let mut events = handed_over();
    // Blocked in code without a probe.
    let unseen = Event {
        stack: None,
        ..at(31, B, EventKind::Entered)
    };
    events.extend([at(30, B, EventKind::Enter), unseen]);
    events.extend([at(40, C, EventKind::Entered), at(41, C, EventKind::Exit)]);
    let done = compared(&events);
    let exit = tally(&done, Kind::Exit);
    assert_eq!(exit.observed, 3, "those before the gap");
}

fn perfect(tally: &Tally) -> bool {
    tally.right == tally.observed && tally.right == tally.inferred && tally.within == tally.right
}

proptest! {
    #[test]
    fn of_what_probes_tell_the_jvm_tells_its_part(seed in any::<u64>(), steps in 0u32..200) {
        let truth = simulate(seed, steps);
        let told: Vec<_> = truth.contended().iter().map(|e| (e.thread, e.kind)).collect();
        let mut sight = Sight::default();
        let seen = truth.probed().events;
        let seen = seen.iter().filter_map(|e| Some((e.thread, sight.told(e)?)));
        prop_assert_eq!(seen.collect::<Vec<_>>(), told);
    }

    #[test]
    fn the_truth_itself_is_right_throughout(seed in any::<u64>(), steps in 0u32..200) {
        let events = simulate(seed, steps).probed().events;
        let context = Context {
            exact: true,
            vm_probes: None,
            reset_after: Nanos(0),
            losses: &Losses::default(),
            places: &places(),
            effects: &BTreeMap::new(),
        };
        let completed = complete(&events, &context);
        let truth = steps::happened(&vec![(events, completed)], Nanos(0));
        let mut kinds = BTreeMap::new();
        tally::compare(&truth.steps, &truth.steps, ALWAYS, &mut kinds);
        prop_assert!(kinds.values().all(perfect), "{kinds:?}");
    }

    #[test]
    fn no_more_is_right_than_happened_and_was_said(seed in any::<u64>(), steps in 0u32..200) {
        let done = compared(&simulate(seed, steps).probed().events);
        for tally in done.kinds.values() {
            prop_assert!(tally.right <= tally.observed.min(tally.inferred), "{tally:?}");
            prop_assert!(tally.right_knowable <= tally.knowable && tally.knowable <= tally.observed);
            prop_assert!(tally.within <= tally.right);
        }
    }
}

/// A method with a block that waits, called by two others, and a lock.
struct Scene {
    build: Build,
    site: StackId,
    enter: StackId,
    exit: StackId,
    waits: [StackId; 2],
    enters: [StackId; 2],
}

impl Scene {
    fn new() -> Self {
        let mut build = Build::default();
        let wait = build.object_wait();
        let app = build.class("App", "java.lang.Object");
        let ops = vec![
            load(0),
            dup(),
            store(1),
            Op::MonitorEnter,
            load(1),
            call("java.lang.Object", "wait"),
            load(1),
            Op::MonitorExit,
            leave(),
        ];
        let take = build.coded(app, "take", 0, ops);
        let runs = ["run1", "run2"].map(|name| build.method(app, name, "()V", 0));
        let waits = runs.map(|run| build.stack(&[(wait, 0), (take, 5), (run, 1)]));
        let enters = runs.map(|run| build.stack(&[(take, 3), (run, 1)]));
        build.lock(app);
        for name in ["a", "b"] {
            build.thread(name);
        }
        Self {
            site: build.stack(&[(take, 5)]),
            enter: build.stack(&[(take, 3)]),
            exit: build.stack(&[(take, 7)]),
            waits,
            enters,
            build,
        }
    }

    fn with(stack: StackId, event: Event) -> Record {
        Record::Event(Event {
            stack: Some(stack),
            ..event
        })
    }

    /// B blocks while A is inside, then both wait.
    fn events(&self) -> Vec<Record> {
        vec![
            Self::with(self.enter, at(1, A, EventKind::Entered)),
            Self::with(self.enters[1], at(2, B, EventKind::Enter)),
            Self::with(self.site, at(3, A, WAIT)),
            Self::with(self.enter, at(4, B, EventKind::Entered)),
            Self::with(self.site, at(5, B, WAIT)),
            Record::Event(at(6, B, EventKind::Waited { timed_out: true })),
            Self::with(self.site, at(7, B, EventKind::Resumed)),
            Self::with(self.exit, at(8, B, EventKind::Exit)),
        ]
    }
}

#[test]
fn a_wait_gets_back_the_chain_that_begins_as_its_thread_does() {
    let scene = Scene::new();
    let view = watched(&scene.events(), &scene.build.catalog);
    let told = view.records.iter().map(|record| match record {
        Record::Event(event) => (event.at.0 / 1000, event.thread, event.stack),
        other => panic!("{other:?}"),
    });
    let told: Vec<_> = told.collect();
    let [first, second] = scene.waits;
    let expected = [
        (2, B, Some(scene.enters[1])),
        (3, A, Some(first)),
        (4, B, None),
        (5, B, Some(second)),
        (6, B, None),
    ];
    assert_eq!(told, expected);
    let chains = Chains {
        waits: 2,
        several: 2,
        none: 0,
    };
    assert_eq!(view.chains, chains);
}

#[test]
fn a_wait_inside_another_method_of_the_lock_gets_a_chain_through_that() {
    let mut scene = Scene::new();
    let Frame { method, .. } = scene.build.catalog.stacks[&scene.waits[1]].frames[2];
    // The lock was taken in `run2`, and `take` waits inside.
    let outer = scene.build.stack(&[(method, 0)]);
    let records = [
        Scene::with(outer, at(1, A, EventKind::Entered)),
        Scene::with(scene.site, at(3, A, WAIT)),
    ];
    let view = watched(&records, &scene.build.catalog);
    let Record::Event(wait) = &view.records[0] else {
        panic!("{:?}", view.records);
    };
    assert_eq!(wait.stack, Some(scene.waits[1]));
}

/// As a trace.
fn records(scene: &Scene, facts: &[(&str, &str)]) -> Vec<Record> {
    let facts = facts.iter().map(|&(k, v)| (k.to_owned(), v.to_owned()));
    let catalog = &scene.build.catalog;
    let mut records = vec![Record::Target(facts.collect())];
    records.extend(catalog.classes.values().cloned().map(Record::Class));
    records.extend(catalog.methods.values().cloned().map(Record::Method));
    records.extend(catalog.code.values().cloned().map(Record::Code));
    records.extend(catalog.stacks.values().cloned().map(Record::Stack));
    records.extend(catalog.locks.values().cloned().map(Record::Lock));
    records.extend(catalog.threads.values().cloned().map(Record::Thread));
    records.extend(scene.events());
    records
}

#[test]
fn a_trace_that_holds_both_is_compared_and_others_are_refused() {
    let scene = Scene::new();
    let of = |facts: &[(&str, &str)]| Fidelity::of(&records(&scene, facts), &Options::default());
    let exact = (target_key::EXACT, "true");
    assert_eq!(of(&[]).err(), Some(Unfit::Watched));
    let clockless = [exact, (target_key::EXACT_CLOCK, "none")];
    assert_eq!(of(&clockless).err(), Some(Unfit::Clockless));
    let Ok(done) = of(&[exact]) else {
        panic!("it holds both");
    };
    assert_eq!((done.traces, done.objects, done.reported), (1, 1, 5));
    let resumed = tally(&done, Kind::Resumed);
    assert_eq!((resumed.observed, resumed.right), (1, 1));
    let entered = tally(&done, Kind::Entered);
    assert_eq!((entered.observed, entered.right), (1, 1), "A's");
    assert_eq!((done.agreement.locks, done.agreement.unseen), (1, 0));
}
