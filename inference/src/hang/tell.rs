//! What is stuck, in the words of a finding: the rings, and who hangs behind them.

use super::idle::waits_for_task;
use super::name::{chain, mode, resource, taken};
use super::recorded::{Owned, READ_WRITE, Recorded};
use super::scene::Scene;
use super::want::{Shape, Want};
use super::{Behind, Evidence, Hang, Holder, Queue, called, carried, pools, standing};
use crate::cycles::{Bound, Ended, simple_cycles};
use crate::deadlock::finding::{
    Finding, Kind, Memory, Part, Report, Resource, Tier, first_by_name, known_by, stable_id,
};
use crate::effects::is_platform_name;
use crate::nesting::graph::ThreadName;
use crate::sample::State;
use crate::sample::dump::Thread;
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::ops::ControlFlow;

/// Rings that are looked for; classes and ends that are not told make many.
const BOUND: Bound = Bound {
    cycles: 200,
    steps: 200_000,
};
const LOOSE: &str = "seen once, and its threads one after the other: another dump tells whether they still stand there";
const ONE_BY_ONE: &str =
    "virtual threads are looked at one after the other: each stood at this place in every dump";
const INTERRUPTED: &str =
    "an interrupt could free it: not all threads of the program are known to be stuck";
const ONCE: &str = "of one dump: who is shown waiting for the end of a thread, or for a class, may have been about to go on, as that had come; a second dump tells";
const RELEASED: &str = "a synchronizer of the program's own is on it, which others than its owner may be able to release";
const RECORDED: &str = "who holds it the recording says: those who do have stood since it ended where they stood then, as far as both show";
pub(super) const READ: &str = "who owns a lock of java.util.concurrent the recording has read off it when it ended: he and all who waited for it have stood there since, as far as both show";
const BY_NAME: &str = "classes are known by their names: if two class loaders have one of these each, who initialises it may be another thread that is in an initialiser";
const BEHIND_SUCH: &str = "one of the threads that it can be could be freed by an interrupt, or by a release of a synchronizer of the program's own, or is stuck only by what a recording says";
/// Of many threads that one may wait for, how many rings are looked for.
const LINKS: usize = 16;
/// What a thread holds besides, as far as it is told.
const BESIDES: usize = 64;
/// Of threads that one may wait for, so many are named.
const NAMED: usize = 4;

/// A thread around a ring, and what it wants of the next one.
pub(super) type Step<'w> = (usize, &'w Want);

/// Adds each ring of threads that nobody frees; of those that cross each other, one.
pub(super) fn findings(
    scene: &Scene,
    wants: &[Option<Want>],
    (stuck, for_good): (&[bool], &[bool]),
    report: &mut Report,
) {
    let links = links(wants, stuck);
    let (rings, whole) = all_rings(scene, wants, &links);
    for ring in &rings {
        let mut finding = finding(scene, ring);
        weaken(scene, ring, (stuck, for_good), &mut finding);
        add(report, finding);
    }
    if !whole {
        let said = "the search for rings of threads stopped at its bound";
        report.stopped_after.push(said.to_owned());
    }
    let behind = behind(scene, wants, &links, &rings);
    if let Some(hang) = &mut report.hang {
        hang.behind = behind;
    }
}

/// What may free its threads all the same, or is not sure of them.
fn weaken(
    scene: &Scene,
    ring: &[Step<'_>],
    (stuck, for_good): (&[bool], &[bool]),
    finding: &mut Finding,
) {
    if ring.iter().any(|&(ix, _)| scene.seats[ix].loose) {
        (finding.tier, finding.remarks) = (Tier::T4, vec![LOOSE.to_owned()]);
    }
    if ring.iter().all(|&(ix, _)| for_good[ix]) {
        return;
    }
    finding.tier = Tier::T4;
    let released = ring.iter().any(|(_, want)| want.of_anybody);
    let once = scene.once && ring.iter().any(|(_, want)| want.may_have_come());
    let interrupted = !once && ring.iter().any(|(_, want)| want.interruptible);
    let recorded = |&(ix, want): &Step<'_>| want.recorded.is_some() || scene.seats[ix].recorded;
    let recorded = ring.iter().any(recorded);
    let read = ring.iter().any(|(_, want)| want.read);
    // Who may go on is in no initialiser of what the ring waits for, or there were no ring: what its class has to do with those no
    // dump tells.
    let named = |(_, want): &Step<'_>| matches!(want.shape, Shape::Init(Some(_)));
    let by_name = ring.iter().any(named);
    let words = [
        once.then_some(ONCE),
        recorded.then_some(RECORDED),
        read.then_some(READ),
        released.then_some(RELEASED),
        interrupted.then_some(INTERRUPTED),
        (!once && !recorded && !read && !released && !interrupted && !by_name)
            .then_some(BEHIND_SUCH),
    ];
    let words = words.into_iter().flatten();
    finding.remarks.extend(words.map(str::to_owned));
    finding
        .remarks
        .extend(by_name.then(|| others_initialise(scene, stuck)));
}

/// Who of those who may go on is in an initialiser.
fn others_initialise(scene: &Scene, stuck: &[bool]) -> String {
    let all = scene.seats.iter().zip(stuck);
    let free = all.filter(|(seat, stuck)| !**stuck && in_initialiser(&seat.thread));
    let free: Vec<_> = free.map(|(seat, _)| &seat.thread).collect();
    let whom = named(&free).map_or_else(String::new, |names| format!(" ({names})"));
    format!("{BY_NAME}{whom}, perhaps of its superclass")
}

/// Two rings over the same names are one finding.
pub(super) fn add(report: &mut Report, finding: Finding) {
    let mut known = report.findings.iter_mut();
    match known.find(|known| known.id == finding.id) {
        Some(known) => {
            known.patterns += 1;
            let names = finding.edges.iter().map(|edge| edge.thread.name.as_str());
            let names: Vec<_> = names.collect();
            let such = match finding.kind {
                Kind::UnservedWaiter => "another such lock, waited for by",
                _ => "another such ring:",
            };
            known.remarks.push(format!("{such} {}", names.join(", ")));
        }
        None => report.findings.push(finding),
    }
}

/// Of each stuck thread those stuck ones that it waits for; of many, who waits for it, and some others.
fn links(wants: &[Option<Want>], stuck: &[bool]) -> Vec<Vec<usize>> {
    let of = |ix: usize| wants[ix].as_ref().map_or(&[][..], Want::providers);
    let mut back: Vec<Vec<usize>> = vec![Vec::new(); wants.len()];
    for ix in (0..wants.len()).filter(|&ix| stuck[ix]) {
        if let [provider] = of(ix) {
            back[*provider].push(ix);
        }
    }
    let of = |ix: usize| {
        let all = of(ix);
        let back = back[ix].iter().copied();
        let close = back.filter(|other| all.binary_search(other).is_ok());
        let near = close.take(LINKS).chain(all.iter().copied());
        let fits = near.filter(|&other| other != ix && stuck[other]);
        let mut found: BTreeSet<usize> = match stuck[ix] {
            true => fits.take(2 * LINKS).collect(),
            false => BTreeSet::new(),
        };
        // Who waits for nobody but himself.
        if stuck[ix] && all == [ix] {
            found.insert(ix);
        }
        found.into_iter().collect()
    };
    (0..wants.len()).map(of).collect()
}

/// Rings of threads that are known to wait for each other; then, where these do not explain why others are stuck, of those in
/// initialisers of classes that are not told, and of all who may be meant. Whether all were looked for.
fn all_rings<'w>(
    scene: &Scene,
    wants: &'w [Option<Want>],
    links: &[Vec<usize>],
) -> (Vec<Vec<Step<'w>>>, bool) {
    let only = |fits: &dyn Fn(usize, usize) -> bool| -> Vec<Vec<usize>> {
        let each = links.iter().enumerate();
        let of = |(ix, of): (usize, &Vec<usize>)| {
            let of = of.iter().copied();
            of.filter(|&by| fits(ix, by)).collect()
        };
        each.map(of).collect()
    };
    let told = only(&|ix, _| wants[ix].as_ref().is_some_and(|want| want.is_told(ix)));
    let (mut found, mut ended) = rings(wants, &told);
    let explained = explained(links, &found);
    let initialises = |ix: usize| in_initialiser(&scene.seats[ix].thread);
    // Hardly anybody waits for the end of the first thread.
    let ends = |ix: usize| matches!(wants[ix].as_ref().map(|want| &want.shape), Some(Shape::End));
    let close = |ix: usize, by: usize| {
        let class = !is_untold_class(wants[ix].as_ref()) || initialises(by);
        class && !(ends(ix) && is_first(&scene.seats[by].thread))
    };
    let likely = only(&|ix, by| !explained.contains(&ix) && close(ix, by));
    let (more, also) = rings(wants, &likely);
    found.extend(more);
    let explained = self::explained(links, &found);
    let (mut rest, last) = rings(wants, &only(&|ix, _| !explained.contains(&ix)));
    // Who is in no initialiser has begun with a class of which the one that he waits for is a superclass: of such alone there is no ring.
    rest.retain(|ring| {
        let mut steps = ring.iter();
        steps.any(|&(ix, _)| !is_untold_class(wants[ix].as_ref()) || initialises(ix))
    });
    found.extend(rest);
    for one in [also, last] {
        if ended == Ended::Whole {
            ended = one;
        }
    }
    (found, ended == Ended::Whole)
}

/// It has begun in the `main` of a class: nobody has started it from Java.
fn is_first(thread: &Thread) -> bool {
    let first = thread.frames.last();
    thread.name == "main" && first.is_some_and(|frame| frame.method.ends_with(".main"))
}

/// Who is on these rings, or waits for somebody who is.
fn explained(links: &[Vec<usize>], rings: &[Vec<Step<'_>>]) -> BTreeSet<usize> {
    let waiters = waiters(links);
    let mut explained: BTreeSet<usize> = rings.iter().flatten().map(|&(ix, _)| ix).collect();
    let mut open: Vec<usize> = explained.iter().copied().collect();
    while let Some(by) = open.pop() {
        let behind = waiters.get(&by).into_iter().flatten();
        open.extend(behind.copied().filter(|&ix| explained.insert(ix)));
    }
    explained
}

fn is_untold_class(want: Option<&Want>) -> bool {
    want.is_some_and(|want| want.shape == Shape::Init(None))
}

/// Some frame of it is the initialiser of a class.
pub(super) fn in_initialiser(thread: &Thread) -> bool {
    let mut frames = thread.frames.iter();
    frames.any(|frame| frame.method.ends_with(".<clinit>"))
}

/// Of each thread who waits for it.
fn waiters(links: &[Vec<usize>]) -> BTreeMap<usize, Vec<usize>> {
    let mut waiters: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for (ix, providers) in links.iter().enumerate() {
        for &provider in providers {
            waiters.entry(provider).or_default().push(ix);
        }
    }
    waiters
}

fn rings<'w>(wants: &'w [Option<Want>], links: &[Vec<usize>]) -> (Vec<Vec<Step<'w>>>, Ended) {
    let edges = links.iter().enumerate();
    let edges = edges.flat_map(|(ix, of)| of.iter().map(move |&to| (ix, to)));
    // Who waits for himself alone; the search is for rings of several.
    let alone = (0..links.len()).filter(|&ix| links[ix] == [ix]);
    let mut taken: BTreeSet<usize> = alone.collect();
    let ring = |&ix: &usize| Some(vec![(ix, wants[ix].as_ref()?)]);
    let mut found: Vec<Vec<Step<'w>>> = taken.iter().filter_map(ring).collect();
    let ended = simple_cycles(edges, BOUND, |ring| {
        // The shortest come first.
        if ring.iter().all(|ix| !taken.contains(ix)) {
            taken.extend(ring);
            let steps = ring
                .iter()
                .filter_map(|&ix| Some((ix, wants[ix].as_ref()?)));
            found.push(steps.collect());
        }
        ControlFlow::Continue(())
    });
    (found, ended)
}

/// The finding that a ring of threads is, each waiting for the next.
pub(super) fn finding(scene: &Scene, ring: &[Step<'_>]) -> Finding {
    let before = |at: usize| (at + ring.len() - 1) % ring.len();
    let mut locks: Vec<Resource> = (0..ring.len())
        .map(|at| given(scene, ring, before(at)))
        .collect();
    let mut edges: Vec<Part> = (0..ring.len()).map(|at| part(scene, ring, at)).collect();
    let names: Vec<String> = locks.iter().map(|lock| lock.name.clone()).collect();
    let by = first_by_name(&names);
    locks.rotate_left(by);
    edges.rotate_left(by);
    tell_apart(&mut locks);
    let kind = match upgrades(ring) {
        true => Kind::Upgrade,
        false => kind(ring.iter().map(|(_, want)| *want)),
    };
    if kind == Kind::Upgrade {
        locks
            .iter_mut()
            .for_each(|lock| lock.mode = mode(&Shape::Read));
    }
    Finding {
        id: stable_id(kind, &known_by(names)),
        tier: Tier::T0,
        kind,
        stall: false,
        locks,
        edges,
        patterns: 1,
        others: Vec::new(),
        alike: 1,
        numbered: 0,
        unserved: None,
        memory: Memory::Unjudged,
        remarks: remarks(scene, ring),
    }
}

/// A lock of the JDK's that readers share.
fn is_of_readers(want: &Want) -> bool {
    let object = want.object.as_ref();
    object.is_some_and(|object| object.class.starts_with(READ_WRITE))
}

/// Each has what all of them want: they read it, and want to write. Who has permits and wants more does not.
fn upgrades(ring: &[Step<'_>]) -> bool {
    let own = |&(ix, want): &Step<'_>| {
        let has = want.recorded.is_some() && want.providers().contains(&ix);
        has && want.shape != Shape::Permit
    };
    ring.iter().all(own)
}

/// Numbers behind the names of different objects that are called the same. The id of a finding goes without.
fn tell_apart(locks: &mut [Resource]) {
    let mut known: BTreeMap<String, Vec<Option<String>>> = BTreeMap::new();
    for lock in locks.iter_mut().filter(|lock| lock.object.is_some()) {
        let objects = known.entry(lock.name.clone()).or_default();
        let at = objects.iter().position(|one| *one == lock.object);
        let at = at.unwrap_or(objects.len());
        if at == objects.len() {
            objects.push(lock.object.clone());
        }
        if at > 0 {
            lock.name = format!("{} ({})", lock.name, at + 1);
        }
    }
}

/// What the thread at a place of the ring wants of the next one.
fn given(scene: &Scene, ring: &[Step<'_>], at: usize) -> Resource {
    let (ix, want) = ring[at];
    let (next, _) = ring[(at + 1) % ring.len()];
    let (thread, giver) = (&scene.seats[ix].thread, &scene.seats[next].thread);
    let wanted = chain(&thread.frames);
    let held = held_at(want, giver);
    let named: [&[String]; 2] = [&wanted, &held];
    resource(want, &named, want.is_told(ix).then_some(giver))
}

/// Where somebody has taken what another wants.
fn held_at(want: &Want, giver: &Thread) -> Vec<String> {
    match &want.recorded {
        Some(wanted) => wanted.taken(giver.tid),
        None => taken(giver, want.object.as_ref().map_or("", |object| &object.id)),
    }
}

fn part(scene: &Scene, ring: &[Step<'_>], at: usize) -> Part {
    let (ix, want) = ring[at];
    let (_, before) = ring[(at + ring.len() - 1) % ring.len()];
    let thread = &scene.seats[ix].thread;
    let id = before.object.as_ref().map_or("", |object| &object.id);
    let held_at = match &before.shape {
        Shape::Init(class) => initialises(scene, ix, class.as_deref()),
        _ => held_at(before, thread),
    };
    Part {
        thread: called(thread),
        holds_at: held_at,
        wants_at: chain(&thread.frames),
        wants_object: None,
        mode: mode(&want.shape),
        count: 1,
        timed: want.timed,
        also_at: Vec::new(),
        also_holds: besides(scene, ix, id),
    }
}

/// Where a thread is in an initialiser: of this class, or the innermost.
fn initialises(scene: &Scene, ix: usize, class: Option<&str>) -> Vec<String> {
    let frames = &scene.seats[ix].thread.frames;
    let own = class.map(|class| format!("{class}.<clinit>"));
    let fits = |method: &str| match &own {
        Some(own) => method == own,
        None => method.ends_with(".<clinit>"),
    };
    let at = frames.iter().position(|frame| fits(&frame.method));
    at.map_or_else(Vec::new, |at| chain(&frames[at..]))
}

/// Names of what else it holds.
fn besides(scene: &Scene, ix: usize, but: &str) -> Vec<String> {
    let thread = &scene.seats[ix].thread;
    let entered = thread.entered.iter().map(|(_, object)| object);
    let all: BTreeMap<&str, _> = entered
        .chain(&thread.owns)
        .map(|object| (object.id.as_str(), object))
        .collect();
    let held = all
        .into_iter()
        // Each thread of a pool has that one while it runs a task.
        .filter(|(_, object)| object.class != "java.util.concurrent.ThreadPoolExecutor$Worker")
        .filter(|&(id, object)| id != but && scene.holder(object) == Some(ix));
    let named = held.take(BESIDES).map(|(id, object)| {
        let at = taken(thread, id);
        super::name::object_name(object, &[&at])
    });
    named.collect()
}

/// What the ring is made of.
fn kind<'s>(wants: impl Iterator<Item = &'s Want>) -> Kind {
    let kinds: BTreeSet<Kind> = wants
        .filter_map(|want| match &want.shape {
            // Who has it alone a dump tells: those that only a recording tells of read it.
            Shape::Write if want.recorded.is_some() && is_of_readers(want) => Some(Kind::ReadWrite),
            Shape::Monitor | Shape::Lock | Shape::Write => None,
            Shape::Read => Some(Kind::ReadWrite),
            Shape::Permit => Some(Kind::Permit),
            Shape::Notify | Shape::Signal(_) | Shape::Met(..) => Some(Kind::NestedWait),
            Shape::End => Some(Kind::Join),
            Shape::Init(_) => Some(Kind::ClassInit),
        })
        .collect();
    match (kinds.len(), kinds.first()) {
        (0, _) => Kind::Order,
        (1, Some(&only)) => only,
        _ => Kind::Mixed,
    }
}

fn remarks(scene: &Scene, ring: &[Step<'_>]) -> Vec<String> {
    let mut remarks = Vec::new();
    if ring
        .iter()
        .any(|&(ix, _)| scene.seats[ix].thread.is_virtual)
    {
        remarks.push(ONE_BY_ONE.to_owned());
    }
    // One ring of some of those who have permits is not all that keeps them out.
    let permits = |(_, want): &&Step<'_>| want.shape == Shape::Permit && want.recorded.is_some();
    if let Some((_, want)) = ring.iter().find(permits) {
        let all = want.providers().iter();
        let all: Vec<&str> = all
            .map(|&ix| scene.seats[ix].thread.name.as_str())
            .collect();
        let names = standing::listed(&all)
            .map(|names| format!("its permits have, by the recording: {names}"));
        remarks.extend(names);
    }
    let untold = ring.iter().find(|&&(ix, want)| !want.is_told(ix));
    remarks.extend(untold.map(|&(ix, want)| candidates(scene, ix, want)));
    remarks
}

/// Of whom one is waited for.
fn candidates(scene: &Scene, ix: usize, want: &Want) -> String {
    let others = want.providers().iter().filter(|&&other| other != ix);
    let threads = others.map(|&other| &scene.seats[other].thread);
    // He may be at a superclass, and in no initialiser that is seen; that is seldom.
    let (likely, rest): (Vec<_>, Vec<_>) =
        threads.partition(|thread| is_untold_class(Some(want)) && in_initialiser(thread));
    let [likely, rest] = [likely, rest].map(|threads| named(&threads));
    let whom = match (likely, rest) {
        (Some(likely), Some(rest)) => {
            format!("most likely {likely}, in an initialiser, else one of {rest}")
        }
        (one, other) => format!("it is one of {}", one.or(other).unwrap_or_default()),
    };
    format!("which thread is waited for no dump says: {whom}, and all of these are stuck")
}

fn named(threads: &[&Thread]) -> Option<String> {
    let names = threads.iter().map(|thread| thread.name.as_str());
    let told = names.take(NAMED).collect::<Vec<_>>().join(", ");
    match threads.len().checked_sub(NAMED) {
        _ if threads.is_empty() => None,
        None | Some(0) => Some(told),
        Some(more) => Some(format!("{told} and {more} more")),
    }
}

/// Of each ring who else can't go on because of it, the nearest first.
fn behind(
    scene: &Scene,
    wants: &[Option<Want>],
    links: &[Vec<usize>],
    rings: &[Vec<Step<'_>>],
) -> Vec<(String, Vec<Behind>)> {
    let waiters = waiters(links);
    let mut seen: BTreeSet<usize> = rings.iter().flatten().map(|&(ix, _)| ix).collect();
    let mut found: Vec<(String, Vec<Behind>)> = Vec::new();
    for ring in rings {
        let mut queue: VecDeque<usize> = ring.iter().map(|&(ix, _)| ix).collect();
        let mut hanging = Vec::new();
        while let Some(by) = queue.pop_front() {
            for &ix in waiters.get(&by).into_iter().flatten() {
                if seen.insert(ix) {
                    queue.push_back(ix);
                    hanging.extend(wants[ix].as_ref().map(|want| hangs(scene, ix, want, by)));
                }
            }
        }
        let id = finding(scene, ring).id;
        match found.iter_mut().find(|(known, _)| *known == id) {
            Some((_, all)) => all.append(&mut hanging),
            None => found.push((id, hanging)),
        }
    }
    found
}

fn hangs(scene: &Scene, ix: usize, want: &Want, by: usize) -> Behind {
    let (thread, giver) = (&scene.seats[ix].thread, &scene.seats[by].thread);
    let (wants_at, held) = (chain(&thread.frames), held_at(want, giver));
    let by_whom = want.is_told(ix).then_some(giver);
    let wants = resource(want, &[&wants_at, &held], by_whom);
    Behind {
        thread: called(thread),
        wants,
        wants_at,
        by: called(giver),
    }
}

/// How all of them stand.
pub(super) fn hang(
    scene: &Scene,
    wants: &[Option<Want>],
    stuck: &[bool],
    evidence: &Evidence<'_>,
) -> Hang {
    let program = || (0..scene.seats.len()).filter(|&ix| !scene.seats[ix].of_jvm);
    let count = |holds: &dyn Fn(&Want) -> bool| {
        let wants = program().filter_map(|ix| wants[ix].as_ref());
        wants.filter(|want| holds(want)).count() as u64
    };
    let of = |holds: &dyn Fn(usize) -> bool| program().filter(|&ix| holds(ix)).count() as u64;
    let virtual_threads = of(&|ix| scene.seats[ix].thread.is_virtual);
    let known = evidence.knows_virtual();
    Hang {
        subject: String::new(),
        dumps: evidence.dumps.len().max(evidence.files.len()) as u64,
        is_cut: super::is_cut(evidence),
        threads: program().count() as u64,
        virtual_threads: known.then_some(virtual_threads),
        untold: super::untold(scene, wants, evidence),
        blocked: count(&Want::is_lock),
        waiting: count(&|want| !want.is_lock()),
        moved: of(&|ix| !scene.seats[ix].steady),
        behind: Vec::new(),
        queues: queues(scene, wants, (stuck, evidence.recorded)),
        standing: standing::standing(scene, wants),
        still: scene.whole && standing::none_runs(scene, wants),
        starved: pools::starved(scene, wants),
        carriers: carried::carriers(scene),
    }
}

fn queues(
    scene: &Scene,
    wants: &[Option<Want>],
    (stuck, recorded): (&[bool], Option<&Recorded>),
) -> Vec<Queue> {
    let mut by_lock: BTreeMap<&str, Vec<(usize, &Want)>> = BTreeMap::new();
    for (ix, want) in wants.iter().enumerate() {
        let stays = |want: &&Want| want.is_lock() && !want.moved && !stuck[ix];
        let Some(want) = want.as_ref().filter(stays) else {
            continue;
        };
        if let Some(object) = &want.object {
            by_lock.entry(&object.id).or_default().push((ix, want));
        }
    }
    let queues = by_lock.values();
    let queues = queues.map(|of| {
        let queue = queue(scene, wants, of);
        let unknown = recorded.filter(|_| queue.holder.is_none());
        let held_last = unknown.and_then(|recorded| held_last(scene, recorded, of));
        Queue { held_last, ..queue }
    });
    let mut queues: Vec<Queue> = queues.collect();
    queues.sort_by_key(|queue| std::cmp::Reverse(queue.threads.len()));
    queues
}

fn queue(scene: &Scene, wants: &[Option<Want>], of: &[(usize, &Want)]) -> Queue {
    let (first, want) = of[0];
    let holder = want.object.as_ref().and_then(|object| scene.holder(object));
    // Somebody who is just being let in is shown as if he had it: whose it is nobody knows then.
    let is_entering = |ix: &usize| {
        matches!(want.shape, Shape::Monitor) && of.iter().any(|(waiter, _)| waiter == ix)
    };
    let at = holder.filter(|ix| !is_entering(ix));
    let wants_at = chain(&scene.seats[first].thread.frames);
    let id = want.object.as_ref().map_or("", |object| &object.id);
    let held = at.map_or_else(Vec::new, |ix| taken(&scene.seats[ix].thread, id));
    let holder = at.map(|ix| &scene.seats[ix].thread);
    // It may be a virtual thread, of which the dumps say nothing.
    let absent = want.object.as_ref().and_then(|object| scene.owned(object));
    let absent = absent.filter(|owned| at.is_none() && !owned.ended);
    Queue {
        anonymous: matches!(want.shape, Shape::Read | Shape::Write),
        lock: resource(want, &[&wants_at, &held], holder),
        threads: of
            .iter()
            .map(|&(ix, _)| called(&scene.seats[ix].thread))
            .collect(),
        holder: holder
            .map(|thread| Holder {
                thread: called(thread),
                state: thread.state,
                at: chain(&thread.frames),
                idle: at.is_some_and(|ix| waits_for_task(thread, wants[ix].as_ref()).is_some()),
                native: native(thread),
                read: want.read,
            })
            .or(absent.map(away)),
        held_last: None,
    }
}

/// Who held it when the recording ended, by the looks at all who are blocked on it since.
fn held_last(scene: &Scene, recorded: &Recorded, of: &[(usize, &Want)]) -> Option<ThreadName> {
    let mut each = of
        .iter()
        .map(|&(ix, _)| recorded.last_owner(&scene.seats[ix]));
    let first = each.next()??;
    each.all(|other| other.is_some_and(|other| other.thread == first.thread))
        .then(|| first.thread.clone())
}

/// Who owns it by the recording, and is in no dump.
fn away(owned: &Owned) -> Holder {
    Holder {
        thread: owned.thread.clone(),
        state: State::Unknown,
        at: owned.at.clone(),
        idle: false,
        native: None,
        read: true,
    }
}

/// The method of the JDK's in which a thread is that the JVM calls running: in native code it may wait for somebody outside.
/// Told is the innermost that programs know.
fn native(thread: &Thread) -> Option<String> {
    let first = thread.frames.first()?;
    let is_native = first.source == "Native Method" && is_platform_name(&first.method);
    let above = thread.frames.iter().map(|frame| frame.method.as_str());
    let mut above = above.take_while(|method| is_platform_name(method));
    let known = above.find(|method| method.starts_with("java."));
    let told = known.unwrap_or(&first.method);
    (is_native && thread.state == State::Runnable).then(|| told.to_owned())
}
