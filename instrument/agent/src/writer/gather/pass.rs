//! From seeds to classes: one pass over what is loaded.

use super::super::output::Output;
use super::index::Index;
use super::pools::Pools;
use super::reader::{Call, MethodCode, Reader, enters_monitor};
use super::scan;
use super::seeds::{Home, Seeds, is_ubiquitous};
use crate::recording::Recording;
use crate::vm::{Handle, Vm};
use locklens_classfile::pool::{Member, Pool};
use std::collections::{HashMap, HashSet, VecDeque};
use std::iter;
use std::time::Instant;

/// Calls followed from a method of a lock's class or of a call chain.
const CALL_DEPTH: u8 = 4;

/// Which methods of a class are followed. A class is sent whole, unless only a call led to it.
#[derive(Clone, Debug)]
enum Follow {
    Nothing,
    All,
    Method(Handle),
    Named(String, String),
}

struct Task {
    class: usize,
    follow: Follow,
    depth: u8,
}

enum Stage {
    /// Looking at the list of classes.
    Index,
    /// Reading what the seeds lead to.
    Seeds,
    /// Looking for classes that wait, notify or lock, from this place in the list.
    Scan(usize),
    /// Reading nest mates.
    Mates,
    Done,
}

/// See the module.
pub(super) struct Pass<'vm> {
    index: Index<'vm>,
    stage: Stage,
    queue: VecDeque<Task>,
    read: HashMap<usize, Option<Vec<MethodCode>>>,
    followed: HashSet<(usize, usize)>,
    /// Classes that locks or call chains named.
    anchors: Vec<usize>,
    /// Classes that extend one around a lock were found, or helpers: others may extend or call these.
    has_heirs: bool,
    pools: Pools,
}

/// What every step needs.
struct Tools<'a, 'vm> {
    vm: Vm<'vm>,
    recording: &'a Recording,
    seeds: &'a mut Seeds,
    reader: &'a mut Reader,
    output: &'a mut Output,
}

impl<'vm> Pass<'vm> {
    /// Takes the list of classes; none if the JVM does not give it.
    pub(super) fn begin(vm: Vm<'vm>) -> Option<Self> {
        Some(Self {
            index: Index::begin(vm)?,
            stage: Stage::Index,
            queue: VecDeque::new(),
            read: HashMap::new(),
            followed: HashSet::new(),
            anchors: Vec::new(),
            has_heirs: false,
            pools: Pools::default(),
        })
    }

    /// Goes on until `deadline`; whether the pass is done.
    pub(super) fn run(
        &mut self,
        vm: Vm<'vm>,
        recording: &Recording,
        seeds: &mut Seeds,
        reader: &mut Reader,
        output: &mut Output,
        deadline: Instant,
    ) -> bool {
        let mut tools = Tools {
            vm,
            recording,
            seeds,
            reader,
            output,
        };
        self.pools.clear();
        let has_room = || recording.ceiling.has_room_for_code();
        while !matches!(self.stage, Stage::Done) && Instant::now() < deadline && has_room() {
            match self.queue.pop_front() {
                Some(task) => self.work(&task, &mut tools),
                None => self.advance(&mut tools, deadline),
            }
        }
        matches!(self.stage, Stage::Done)
    }

    /// The next stage, or the next piece of one.
    fn advance(&mut self, tools: &mut Tools<'_, 'vm>, deadline: Instant) {
        self.stage = match self.stage {
            Stage::Index => {
                let (vm, recording) = (tools.vm, tools.recording);
                match self.index.fill(vm, recording, tools.seeds, deadline) {
                    true => Stage::Seeds,
                    false => Stage::Index,
                }
            }
            Stage::Seeds => {
                self.enqueue_seeds(tools);
                Stage::Scan(0)
            }
            Stage::Scan(at) if at < self.index.loaded.len() => {
                self.scan(at, tools);
                Stage::Scan(at + 1)
            }
            Stage::Scan(_) if std::mem::take(&mut self.has_heirs) => Stage::Scan(0),
            Stage::Scan(_) => {
                self.enqueue_mates(tools);
                Stage::Mates
            }
            Stage::Mates | Stage::Done => Stage::Done,
        };
    }

    fn enqueue(&mut self, class: usize, follow: Follow, depth: u8) {
        self.queue.push_back(Task {
            class,
            follow,
            depth,
        });
    }

    fn enqueue_seeds(&mut self, tools: &mut Tools<'_, 'vm>) {
        tools.seeds.take_helpers();
        for home in tools.seeds.take_locks() {
            for mate in self.index.mates(&home) {
                tools.seeds.learn_near(&self.index.loaded[mate].home.name);
            }
            let mut next = self.index.at(&home);
            while let Some(class) = next {
                self.anchors.push(class);
                self.enqueue(class, Follow::All, 0);
                next = self.superclass(class, tools);
            }
        }
        for home in tools.seeds.take_synchronizers() {
            let mut next = self.index.at(&home);
            while let Some(class) = next {
                self.enqueue(class, Follow::Nothing, CALL_DEPTH);
                let above = self.superclass(class, tools);
                next = above.filter(|&above| {
                    let loader = self.index.loaded[above].home.loader;
                    !tools.seeds.is_jdk(loader)
                });
            }
        }
        for seed in tools.seeds.take_frames() {
            if let Some(class) = self.index.at(&seed.home) {
                self.anchors.push(class);
                self.enqueue(class, Follow::Method(seed.method), 0);
            }
        }
        for home in tools.seeds.take_users() {
            if let Some(class) = self.index.at(&home) {
                self.anchors.push(class);
                self.enqueue(class, Follow::Nothing, CALL_DEPTH);
            }
        }
    }

    /// The superclass, unless it is one whose code says nothing.
    fn superclass(&self, class: usize, tools: &Tools<'_, 'vm>) -> Option<usize> {
        let loaded = &self.index.loaded[class];
        let superclass = tools.vm.superclass(&loaded.class)?;
        let signature = tools.vm.class_signature(&superclass).ok()?;
        let name = crate::identity::binary_name(&signature);
        if is_ubiquitous(&name) {
            return None;
        }
        let loader = match tools.vm.class_loader(&superclass).ok()? {
            Some(loader) => tools.recording.loader(tools.vm, &loader).ok()?.0,
            None => 0,
        };
        self.index.at(&Home { loader, name })
    }

    /// Reads a class and follows the calls of the methods asked for.
    fn work(&mut self, task: &Task, tools: &mut Tools<'_, 'vm>) {
        let class = task.class;
        let loaded = &self.index.loaded[class];
        let read = self.read.entry(class);
        let (vm, pools) = (tools.vm, &mut self.pools);
        let read = read.or_insert_with(|| {
            let pool = pools.of(vm, class, &loaded.class)?;
            tools.reader.methods(vm, loaded, &pool)
        });
        let wanted: Vec<Handle> = read
            .iter()
            .flatten()
            .filter(|method| task.follow.sends(method))
            .map(|method| method.handle)
            .collect();
        let pool = || pools.of(vm, class, &loaded.class);
        let what = (loaded, wanted.as_slice());
        tools
            .reader
            .send(vm, tools.recording, tools.output, what, pool);
        if !matches!(task.follow, Follow::Named(..)) {
            tools.reader.note_whole(&self.index.loaded[class].home);
        }
        let found = self.follow(task, tools);
        if let (0, Follow::Named(..), Some(superclass)) =
            (found, &task.follow, self.superclass(class, tools))
            && !tools
                .seeds
                .is_jdk(self.index.loaded[superclass].home.loader)
        {
            self.enqueue(superclass, task.follow.clone(), task.depth);
        }
    }

    /// Enqueues what the methods asked for call; how many methods there are.
    fn follow(&mut self, task: &Task, tools: &Tools<'_, 'vm>) -> usize {
        let class = task.class;
        let Some(methods) = self.read.get(&class).and_then(Option::as_ref) else {
            return 0;
        };
        let loader = self.index.loaded[class].home.loader;
        let (mut found, mut calls) = (0, Vec::new());
        for (at, method) in methods.iter().enumerate() {
            if !task.follow.includes(method) {
                continue;
            }
            found += 1;
            if task.depth < CALL_DEPTH && self.followed.insert((class, at)) {
                calls.extend(method.calls.iter().cloned());
            }
        }
        for call in calls {
            let name = call.class;
            let callee = self.index.meant(&Home { loader, name });
            let outside = |&c: &usize| !tools.seeds.is_jdk(self.index.loaded[c].home.loader);
            if let Some(callee) = callee.filter(outside) {
                let follow = Follow::Named(call.name, call.descriptor);
                self.enqueue(callee, follow, task.depth + 1);
            }
        }
        found
    }

    /// Wants a class outside the JDK if it waits, notifies, or locks what others lock, or extends a class around a lock, or makes objects of
    /// one that uses what threads park on.
    fn scan(&mut self, at: usize, tools: &mut Tools<'_, 'vm>) {
        let loaded = &self.index.loaded[at];
        let sent = tools.reader.was_sent(&loaded.home);
        if tools.seeds.is_jdk(loaded.home.loader)
            || sent && !tools.seeds.has_helpers()
            || !(tools.reader.scans).may_tell(&loaded.home, tools.seeds.hashes())
        {
            return;
        }
        let Some(pool) = self.pools.of(tools.vm, at, &loaded.class) else {
            return;
        };
        let calls = self.calls_helper(at, &pool, tools);
        let loaded = &self.index.loaded[at];
        if sent {
            let names = tools.seeds.hashes().len();
            return tools.reader.scans.note(&loaded.home, names, &pool);
        }
        let names_lock = || scan::classes(&pool).any(|name| tools.seeds.is_lock_name(&name));
        let extends = || scan::classes(&pool).any(|name| tools.seeds.is_near_name(&name));
        let (may_extend, wanted) = (
            extends(),
            waits_or_notifies(&pool) || names_lock() && self.locks(at, tools),
        );
        let makes = makes(&pool, tools.seeds);
        if may_extend && self.is_heir(at, tools) {
            tools.seeds.learn_near(&self.index.loaded[at].home.name);
            self.has_heirs = true;
            // What it puts in place of its parent's often stands in classes within it.
            self.anchors.push(at);
            self.enqueue(at, Follow::All, CALL_DEPTH);
        } else if wanted {
            self.enqueue(at, Follow::All, CALL_DEPTH);
        } else if makes || calls {
            self.enqueue(at, Follow::Nothing, CALL_DEPTH);
        } else {
            let names = tools.seeds.hashes().len();
            tools.reader.scans.note(&loaded.home, names, &pool);
        }
    }

    /// Whether a class calls what locks what it is handed, and is wanted for that. What hands on there what it was handed itself, and what
    /// keeps it for that, is such a helper, too.
    fn calls_helper(&mut self, at: usize, pool: &Pool, tools: &mut Tools<'_, 'vm>) -> bool {
        let seeds = &tools.seeds;
        let named = |member: Member<'_>| {
            let helper = seeds.helper(member.name, member.descriptor);
            helper.is_some() && !is_of_java(&member.class.replace('/', "."))
        };
        if !pool.members().any(named) {
            return false;
        }
        let loaded = &self.index.loaded[at];
        let read = self.read.entry(at);
        let read = read.or_insert_with(|| tools.reader.methods(tools.vm, loaded, pool));
        let methods = read.as_deref().unwrap_or_default();
        let calls = methods.iter();
        let calls = calls.filter_map(|method| Some((method, nearest(tools.seeds, method)?)));
        let calls: Vec<_> = calls.collect();
        let Some(least) = calls.iter().map(|(_, (away, _))| *away).min() else {
            return false;
        };
        let wants = calls
            .iter()
            .filter(|(_, (_, call))| tools.seeds.wants_caller(&call.name, &call.descriptor));
        let wanted = wants.count() > 0;
        let handing = calls.iter().map(|(method, (away, _))| (*method, *away));
        let keeping = methods.iter().filter(|method| method.name == "<init>");
        for (method, away) in handing.chain(keeping.map(|method| (method, least))) {
            let named = (method.name.as_str(), method.descriptor.as_str());
            let new = tools.seeds.learn_helper(&loaded.home.name, named, away + 1);
            self.has_heirs |= new;
        }
        wanted
    }

    /// Whether a class extends one around a lock, and is wanted for that.
    fn is_heir(&self, at: usize, tools: &mut Tools<'_, 'vm>) -> bool {
        let superclass = tools.vm.superclass(&self.index.loaded[at].class);
        let signature = superclass.and_then(|class| tools.vm.class_signature(&class).ok());
        signature.is_some_and(|s| tools.seeds.wants_heir(&crate::identity::binary_name(&s)))
    }

    /// Whether a class has a synchronized block.
    fn locks(&self, at: usize, tools: &Tools<'_, 'vm>) -> bool {
        let class = &self.index.loaded[at].class;
        let handles = tools.vm.class_methods(class).unwrap_or_default();
        handles.into_iter().any(|handle| {
            // SAFETY: the index holds the class.
            let code = unsafe { tools.vm.bytecode(handle) };
            code.is_ok_and(|code| enters_monitor(&code))
        })
    }

    fn enqueue_mates(&mut self, tools: &Tools<'_, 'vm>) {
        let (index, seeds) = (&self.index, &tools.seeds);
        let anchors = std::mem::take(&mut self.anchors).into_iter();
        let homes = anchors.map(|anchor| &index.loaded[anchor].home);
        let homes = homes.filter(|home| !seeds.is_jdk(home.loader));
        let mates = each_once(homes.map(|home| index.mates(home)));
        self.queue.extend(mates.map(|class| Task {
            class,
            follow: Follow::Nothing,
            depth: CALL_DEPTH,
        }));
    }
}

/// The members of nests, of which each may come as often as there are call chains that led to one of its classes.
fn each_once<N: Iterator<Item = usize>>(
    nests: impl Iterator<Item = N>,
) -> impl Iterator<Item = usize> {
    let mut known = HashSet::new();
    let new = nests.filter_map(move |mut nest| {
        let first = nest.next()?;
        known.insert(first).then(|| iter::once(first).chain(nest))
    });
    new.flatten()
}

impl Follow {
    fn sends(&self, method: &MethodCode) -> bool {
        !matches!(self, Self::Named(..)) || self.includes(method)
    }

    fn includes(&self, method: &MethodCode) -> bool {
        match self {
            Self::Nothing => false,
            Self::All => true,
            Self::Method(handle) => method.handle == *handle,
            Self::Named(name, descriptor) => {
                method.name == *name && method.descriptor == *descriptor
            }
        }
    }
}

/// Calls a constructor of a class of which it is wanted who does.
fn makes(pool: &Pool, seeds: &mut Seeds) -> bool {
    let mut constructors = pool.members().filter(|member| member.name == "<init>");
    constructors.any(|member| seeds.wants_maker(&member.class.replace('/', ".")))
}

/// The nearest helper that a method calls, and how far away that is from a lock.
fn nearest<'m>(seeds: &Seeds, method: &'m MethodCode) -> Option<(u8, &'m Call)> {
    let calls = method.calls.iter().filter(|call| !is_of_java(&call.class));
    let helpers =
        calls.filter_map(|call| Some((seeds.helper(&call.name, &call.descriptor)?, call)));
    helpers.min_by_key(|(away, _)| *away)
}

/// Methods of the JDK may be called as those of a program are.
fn is_of_java(class: &str) -> bool {
    class.starts_with("java.") || class.starts_with("javax.")
}

fn waits_or_notifies(pool: &Pool) -> bool {
    pool.members().any(|member| {
        matches!(
            (member.name, member.descriptor),
            ("wait", "()V" | "(J)V" | "(JI)V") | ("notify" | "notifyAll", "()V")
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_nest_is_read_once_however_many_call_chains_lead_there() {
        let (wide, narrow): (Vec<usize>, Vec<usize>) = ((0..3000).collect(), vec![4000]);
        let chains = (0..20_000).map(|chain| match chain % 3 {
            0 => narrow.iter().copied(),
            1 => [].iter().copied(),
            _ => wide.iter().copied(),
        });
        let mut read: Vec<usize> = each_once(chains).collect();
        read.sort_unstable();
        assert_eq!(
            read,
            wide.into_iter().chain(narrow.clone()).collect::<Vec<_>>()
        );
    }
}
