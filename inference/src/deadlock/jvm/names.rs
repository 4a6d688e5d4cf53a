//! What the threads, locks and places of a recording are called, and what else it knows of them when findings are told.

use super::super::built::monitor_of;
use super::super::encounters::queue_of;
use super::super::finding::{Awaited, Between, LockName, Names, Outlook, Past};
use super::super::polls::Ways;
use super::super::step::{Lock, Reading, Site, Thread};
use super::super::tasks::is_task;
use super::Jvm;
use crate::nesting::graph::ThreadName;
use crate::pressure::crowd::is_service;
use crate::region::RegionId;
use crate::sample::group::folded;
use crate::stable_name::stable_class;
use crate::types::{Detail, Role};
use locklens_trace::record::Frame;
use locklens_trace::{Nanos, ThreadId};

/// Those that wait there do so on a condition inside.
const BARRIER: &str = "java.util.concurrent.CyclicBarrier";
/// How sure the type of a lock must be of which it is told what its roles may come to.
const SURE: f64 = 0.9;
/// How long all have been silent of whom it is believed that they stand still: what a thread does is written sooner.
const QUIET: Nanos = Nanos(1_000_000_000);

impl Jvm<'_> {
    /// Whether no thread of the program has done anything for a while when the recording ends.
    fn is_quiet(&self) -> bool {
        let threads = &self.collected.catalog.threads;
        let of_program = |id: &ThreadId| threads.get(id).is_none_or(|def| !is_service(def));
        let all = self.ways.iter().filter(|(id, _)| of_program(id));
        let last = all.map(|(_, way)| way.last).max().unwrap_or(Nanos(0));
        self.ticked.since(last) >= QUIET
    }

    /// Whether one object only of a logical lock is called so.
    fn is_alone(&self, ix: usize, own: &String) -> bool {
        let objects = self.analysis.objects[ix].iter();
        let called = objects.filter(|lock| self.analysis.apart.get(lock) == Some(own));
        called.take(2).count() == 1
    }

    /// The place itself, without the way there: by which others it may be come to in another run counts as well, and whether there is
    /// a call chain is a matter of chance.
    fn spot(&self, site: Option<Site>) -> Option<&[Frame]> {
        let stack = self.sites.ids.get(site?.0 as usize)?;
        let frames = self.collected.catalog.stacks.get(stack)?.frames.as_slice();
        let inside = frames.iter().take_while(|frame| self.parks(frame)).count();
        frames.get(inside..=inside).or_else(|| frames.get(..1))
    }
}

impl Names for Jvm<'_> {
    fn thread(&self, thread: Thread) -> ThreadName {
        let id = self.threads.ids.get(thread.0 as usize);
        let known = id.and_then(|id| self.collected.catalog.threads.get(id));
        ThreadName {
            name: known.map_or_else(|| format!("<thread {}>", thread.0), |t| t.name.clone()),
            tid: known.map(|t| t.tid),
        }
    }

    fn lock(&self, lock: Lock) -> LockName {
        let Some(&id) = self.locks.ids.get(lock.0 as usize) else {
            return LockName::default();
        };
        let (id, is_built) = monitor_of(id);
        let awaited = self.awaited(id);
        let (id, _) = queue_of(id);
        let object = Some(format!("object {}", id.0));
        let Some(&ix) = self.of_object.get(&id) else {
            let class = self.collected.catalog.locks.get(&id).map(|def| def.class);
            let class = class.map(|class| self.collected.catalog.class_name(class));
            let name = class.map_or_else(|| format!("<lock {}>", id.0), |name| stable_class(&name));
            // The number of a row it has not.
            let number = String::new();
            return LockName {
                name,
                id: number,
                object,
                hidden: !is_task(self.collected, id),
                awaited,
                ..LockName::default()
            };
        };
        let known = &self.analysis.model.locks[ix];
        // The condition inside one that threads wait on.
        let is_barrier = || known.classes == [BARRIER];
        let awaited = match awaited {
            Awaited::Notify if is_barrier() => Awaited::Meeting,
            other => other,
        };
        let types: Vec<_> = known
            .types
            .iter()
            .map(|verdict| verdict.lock_type.name())
            .collect();
        let name = LockName {
            name: known.name.clone(),
            id: known.id.to_string(),
            types: types.join("+"),
            object,
            alone: self.analysis.objects[ix].len() == 1,
            hidden: false,
            foreign: self.foreign.get(ix).is_some_and(|&foreign| foreign),
            awaited,
        };
        match self.analysis.apart.get(&id).filter(|_| !is_built) {
            // A part is not of the type of the whole.
            Some(own) => LockName {
                name: own.clone(),
                types: String::new(),
                alone: self.is_alone(ix, own),
                foreign: false,
                ..name
            },
            None => name,
        }
    }

    fn waiting_role(&self, lock: Lock, site: Site) -> Option<(Role, u64)> {
        let (id, _) = monitor_of(*self.locks.ids.get(lock.0 as usize)?);
        // Of what has several monitors each may serve one role.
        if self.analysis.apart.contains_key(&id) {
            return None;
        }
        let known = &self.analysis.model.locks[*self.of_object.get(&id)?];
        let verdict = known.types.first().filter(|it| it.confidence >= SURE)?;
        let Some(&Detail::Count(room)) = verdict.details.get("capacity") else {
            return None;
        };
        let stack = self.sites.ids.get(site.0 as usize)?;
        let frames = &self.collected.catalog.stacks.get(stack)?.frames;
        let plays = |role: &Role, frame: &Frame| {
            let mut regions = verdict.roles.get(role).into_iter().flatten();
            let of = |id: &RegionId| self.analysis.regions.get(*id);
            regions.any(|id| of(id).is_some_and(|region| region.method == frame.method))
        };
        let told = frames.iter().find_map(|frame| {
            match [Role::Put, Role::Take].map(|role| plays(&role, frame)) {
                [true, false] => Some(Some(Role::Put)),
                [false, true] => Some(Some(Role::Take)),
                [true, true] => Some(None),
                [false, false] => None,
            }
        });
        Some((told.flatten()?, room))
    }

    fn stable_thread(&self, thread: Thread) -> String {
        // Numbers are given out anew in each run.
        folded(&Names::thread(self, thread).name)
    }

    fn outlook(&self) -> Outlook {
        // Who waited when the program ended was none of those it waited for.
        let silent = self.collected.catalog.threads.values().any(|def| {
            let unseen = !self.threads.known.contains_key(&def.id);
            unseen && !is_service(def) && !self.collected.ends.contains_key(&def.id)
        });
        match (self.collected.exited, self.collected.recording.ended) {
            _ if silent => Outlook::Unknown,
            (true, _) => Outlook::Exits,
            (false, true) => Outlook::GoesOn,
            (false, false) if self.is_quiet() => Outlook::Breaks,
            (false, false) => Outlook::Unknown,
        }
    }

    fn reading(&self, reading: Reading) -> Option<String> {
        self.reading_in_words(reading)
    }

    fn unrecorded(&self, (from, to): Between) -> Option<String> {
        let stack = |site: Site| self.sites.ids.get(site.0 as usize).copied();
        self.not_recorded([from, to].map(|site| site.and_then(stack)))
    }

    fn asked(&self, (mine, other): Between, past: Past) -> Option<String> {
        let [mine, other] = [mine, other].map(|site| self.spot(site));
        self.asked().between(mine?, other?, past)
    }

    fn awaited(&self, (mine, other): Between, past: Past) -> Option<String> {
        let [mine, other] = [mine, other].map(|site| self.spot(site));
        self.asked().awaited(mine?, other?, past)
    }

    fn unread(&self, (from, to): Between) -> Option<Option<Vec<String>>> {
        let stack = |site: Site| self.sites.ids.get(site.0 as usize).copied();
        self.read_by_code([from.and_then(stack)?, to.and_then(stack)?])
    }

    fn comes_again(&self, site: Site) -> Option<String> {
        let stack = self.sites.ids.get(site.0 as usize)?;
        let frames = &self.collected.catalog.stacks.get(stack)?.frames;
        let again = |frame: &&Frame| {
            let code = self.collected.catalog.code.get(&frame.method);
            let ways = code.and_then(Ways::of);
            let at = |ways: &Ways<'_>| ways.index(frame.bci?).map(|at| ways.leads(at, at));
            ways.as_ref().and_then(at).unwrap_or(false)
        };
        let frame = frames.iter().find(again)?;
        let place = self.collected.catalog.place(frame);
        Some(format!(
            "who notifies comes there in a loop ({place}), and may come once more"
        ))
    }

    fn reads_known(&self) -> Option<String> {
        self.accesses_known()
    }

    fn reads_doubted(&self) -> Option<String> {
        self.accesses_doubted()
    }

    fn pool(&self, thread: Thread) -> Option<String> {
        let name = Names::thread(self, thread).name;
        let pool = name.rsplit_once("-thread-")?.0;
        // As `Executors.defaultThreadFactory` calls them.
        let number = pool.strip_prefix("pool-")?;
        let is_number = !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit());
        is_number.then(|| pool.to_owned())
    }

    fn is_jvms_own(&self, thread: Thread) -> bool {
        let id = self.threads.ids.get(thread.0 as usize);
        let known = id.and_then(|id| self.collected.catalog.threads.get(id));
        known.is_some_and(is_service)
    }

    fn is_daemon(&self, thread: Thread) -> bool {
        let id = self.threads.ids.get(thread.0 as usize);
        let known = id.and_then(|id| self.collected.catalog.threads.get(id));
        known.is_none_or(|def| def.daemon)
    }

    fn chain(&self, site: Site) -> Vec<String> {
        let stack = self.sites.ids.get(site.0 as usize);
        let stack = stack.and_then(|id| self.collected.catalog.stacks.get(id));
        let frames = stack.map_or(&[][..], |stack| stack.frames.as_slice());
        // Where a thread parks is inside the JDK: what counts is who called that.
        let inside = frames.iter().take_while(|frame| self.parks(frame)).count();
        let caller = frames.get(inside..).filter(|caller| !caller.is_empty());
        let frames = caller.unwrap_or(frames);
        frames
            .iter()
            .map(|frame| self.collected.catalog.place(frame))
            .collect()
    }
}
