//! Classes that are loaded while a recording is exact: they come rewritten.
//!
//! Two steps, both in the thread that loads. When the JVM shows a class file there is no class yet to
//! speak of: its bytes are changed, and what was done is kept by name and loader ([`Arrivals::come`]). When the
//! class is prepared, before any of its code can run, it is left for the writer with what was done to it
//! ([`Arrivals::prepared`]), who takes it in before it reads any record of its probes. No compiled code is discarded for that: there is none yet.
//!
//! A class that does not fit (no room, too little stack left in the thread, too many) stays as it is, and
//! is named.

use super::candidates::{self, Key, MOST};
use super::install::Rewriter;
use super::refusal::{NO_ROOM, Refusal, Refusals};
use super::select::{Extent, Selection};
use crate::headroom;
use crate::identity::{Unknown, binary_name};
use crate::recording::Recording;
use crate::vm::{Handle, Ref, Vm, Weak};
use locklens_classfile::class::ClassFile;
use locklens_classfile::edit::BciMap;
use locklens_rewrite::{Refused, Rewritten, Site, SiteId};
use std::collections::{HashMap, HashSet};
use std::sync::atomic::Ordering::SeqCst;
use std::sync::atomic::{AtomicBool, AtomicUsize};
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::{Duration, Instant};

/// Stack a thread must have left for its class to be rewritten: several times what that takes.
const STACK: usize = 192 << 10;
/// How long putting back the classes that came may take, …
const LAST: Duration = Duration::from_secs(2);
/// … and how many may come all the same.
const FEW: usize = 100;
/// Attempts to define a class that are remembered: of several threads that define it at once one wins, and it may be any of them. Those
/// of a class that fails each time (a superclass is missing) may be many.
const ATTEMPTS: usize = 4;
/// Hidden classes that wait to be read. The writer does not come to it as long as the command fetches nothing.
const HIDDEN: usize = 1 << 14;
/// How often classes that are gone are looked for where there is no room for more.
const PAUSE: Duration = Duration::from_secs(1);
/// Class files kept that could not be rewritten and have not been read.
const UNREAD: usize = 200;

/// See the module.
#[derive(Default)]
pub(crate) struct Arrivals {
    open: AtomicBool,
    /// How many may come.
    most: AtomicUsize,
    wanted: OnceLock<Wanted>,
    state: Mutex<State>,
}

/// What is to be done with classes that come.
struct Wanted {
    selection: Selection,
    rewriter: Rewriter,
}

impl Wanted {
    /// The methods of a class file that lock, wait or notify, of those that are meant; none if it cannot be read.
    fn users(
        &self,
        name: &str,
        bytes: &[u8],
        extent: &Extent,
    ) -> Option<HashSet<(String, String)>> {
        let file = ClassFile::parse(bytes).ok()?;
        let targets = candidates::targets_of(&self.selection, name, extent, &file);
        Some(candidates::users_of_monitors(&file, &targets))
    }
}

#[derive(Default)]
struct State {
    /// Rewritten, and not a class yet. Two threads may define the same class at once, and one of them wins.
    expected: HashMap<Key, Vec<Expected>>,
    /// Everything that came rewritten, and is not gone, as far as that is known.
    all: HashSet<Key>,
    /// The classes of these.
    there: Vec<(Key, Weak)>,
    /// There was no room for one more.
    full: bool,
    /// When classes that are gone are looked for again.
    next_look: Option<Instant>,
    comers: Vec<Comer>,
    refused: Refusals,
    /// Class files that could not be rewritten, and what of them was to be: whether they use monitors is still to be read.
    unread: Vec<(Refusal, Vec<u8>, Extent)>,
    /// Hidden classes, of which that is still to be read.
    hidden: Vec<Weak>,
}

/// A class file as it was rewritten.
struct Expected {
    rewritten: Rewritten,
    /// The code that the changed methods had, by their position.
    originals: HashMap<usize, Vec<u8>>,
}

/// A class that came rewritten and has been prepared.
pub(crate) struct Comer {
    pub(crate) name: String,
    pub(crate) class: Weak,
    pub(crate) methods: Vec<Handle>,
    /// Its sites, and the methods they are in.
    pub(super) sites: Vec<Sites>,
    /// The code that its changed methods had.
    pub(crate) originals: HashMap<Handle, Vec<u8>>,
}

/// Sites with the methods they name by position.
pub(super) struct Sites {
    pub(super) sites: Vec<Site>,
    /// See [`Rewritten::heirs`].
    pub(super) heirs: Vec<(SiteId, String)>,
    pub(super) methods: HashMap<usize, Handle>,
}

impl Arrivals {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// From now on classes like these are rewritten when they come.
    pub(super) fn open(&self, selection: Selection, rewriter: Rewriter) {
        let wanted = Wanted {
            selection,
            rewriter,
        };
        // A recording is exact once at most.
        let first = self.wanted.set(wanted).is_ok();
        self.most.store(MOST, SeqCst);
        self.open.store(first, SeqCst);
    }

    /// Each of them will have to be put back, and one costs so much.
    pub(super) fn limit(&self, cost: Duration) {
        let fitting = LAST.as_nanos() / cost.as_nanos().max(1);
        let most = usize::try_from(fitting).unwrap_or(MOST).clamp(FEW, MOST);
        self.most.store(most, SeqCst);
    }

    /// From now on they stay as they are.
    pub(crate) fn close(&self) {
        self.open.store(false, SeqCst);
    }

    /// Whether a class came rewritten.
    pub(super) fn has(&self, loader: u32, name: &str) -> bool {
        self.state().all.contains(&(loader, name.to_owned()))
    }

    /// Classes that have come since this was asked last.
    pub(super) fn take(&self) -> Vec<Comer> {
        std::mem::take(&mut self.state().comers)
    }

    /// Classes that could not be rewritten, and why.
    pub(super) fn refused(&self) -> Refusals {
        self.state().refused.clone()
    }

    /// Whether a class, or a part of it, could not.
    pub(super) fn has_refused(&self, class: &str) -> bool {
        let state = self.state();
        state.refused.named().any(|one| one.concerns(class))
    }

    /// Names of classes that came rewritten and have not been used.
    pub(super) fn unused(&self) -> HashSet<Key> {
        self.state().expected.keys().cloned().collect()
    }

    /// A class file is being loaded: its new bytes, if it is to have some.
    pub(super) fn come(
        &self,
        vm: Vm<'_>,
        recording: &Recording,
        loader: Option<&Ref<'_>>,
        (name, bytes): (&str, &[u8]),
    ) -> Option<Vec<u8>> {
        let wanted = self.wanted.get().filter(|_| self.open.load(SeqCst))?;
        let jdk = loader.is_none_or(|loader| candidates::is_the_jdks(vm, loader));
        let extent = wanted.selection.extent(name, jdk)?;
        if candidates::untouchable(name).is_some() {
            return None;
        }
        let rewrite = || {
            let file = ClassFile::parse(bytes).map_err(|error| format!("the class {error}"))?;
            let targets = candidates::targets_of(&wanted.selection, name, &extent, &file);
            let accesses = wanted.selection.has_accesses(name);
            let rewritten = wanted.rewriter.rewrite(bytes, targets, accesses)?;
            let originals = originals(&file, &rewritten);
            Ok((rewritten, originals))
        };
        let room = self.check(recording);
        let (mut rewritten, originals) = match room.and_then(|()| rewrite()) {
            Ok(done) => done,
            Err(why) => {
                self.leave(Refusal::of(name, why), bytes, extent);
                return None;
            }
        };
        self.refuse_methods(wanted, (name, bytes), &extent, &rewritten.refused);
        if rewritten.sites.is_empty() {
            return None;
        }
        let key = match loader.map(|loader| recording.loader(vm, loader)) {
            None => (0, name.to_owned()),
            Some(Ok(id)) => (id.0, name.to_owned()),
            Some(Err(_)) => {
                let why = Refusal::of(name, "no room for another class loader");
                self.leave(why, bytes, extent);
                return None;
            }
        };
        let bytes = std::mem::take(&mut rewritten.bytes);
        let expected = Expected {
            rewritten,
            originals,
        };
        self.expect(key, expected);
        Some(bytes)
    }

    /// A class file is being loaded of which the JVM tells no name: as it was defined (`defineClass(null, …)`), or as it will get one
    /// that stands in no class file, and whose constants may change on the way. It stays as it is.
    pub(super) fn come_nameless(&self, vm: Vm<'_>, loader: Option<&Ref<'_>>, bytes: &[u8]) {
        let Some(wanted) = self.wanted.get().filter(|_| self.open.load(SeqCst)) else {
            return;
        };
        if headroom::left().is_none_or(|left| left < STACK) {
            return;
        }
        let Ok(file) = ClassFile::parse(bytes) else {
            return;
        };
        let Some(name) = file.pool.class(file.this_class) else {
            return;
        };
        let name = name.replace('/', ".");
        let jdk = loader.is_none_or(|loader| candidates::is_the_jdks(vm, loader));
        let Some(extent) = wanted.selection.extent(&name, jdk) else {
            return;
        };
        if !name.contains("$$") && candidates::untouchable(&name).is_none() {
            let why = "it is defined without a name".to_owned();
            self.leave(Refusal::of(&name, why), bytes, extent);
        }
    }

    fn expect(&self, key: Key, expected: Expected) {
        let mut state = self.state();
        state.all.insert(key.clone());
        let attempts = state.expected.entry(key).or_default();
        if attempts.len() == ATTEMPTS {
            attempts.remove(0);
        }
        attempts.push(expected);
    }

    fn check(&self, recording: &Recording) -> Result<(), String> {
        let most = self.most.load(SeqCst);
        let mut state = self.state();
        if state.all.len() >= most {
            state.full = true;
            return Err(format!("more than {most} classes came"));
        }
        drop(state);
        if headroom::left().is_none_or(|left| left < STACK) {
            return Err("the thread that loads it has little stack left".to_owned());
        }
        match recording.ceiling.has_room_for_sites() {
            true => Ok(()),
            false => Err(NO_ROOM.to_owned()),
        }
    }

    fn refuse(&self, refusal: Refusal) {
        self.state().refused.add(refusal);
    }

    /// A class file stays as it is. The thread that loads it may have no stack left to read it; the writer will.
    fn leave(&self, refusal: Refusal, bytes: &[u8], extent: Extent) {
        let mut state = self.state();
        if state.unread.len() < UNREAD {
            state.unread.push((refusal, bytes.to_vec(), extent));
        } else {
            drop(state);
            self.refuse(refusal.using_monitors(true));
        }
    }

    fn refuse_methods(
        &self,
        wanted: &Wanted,
        (name, bytes): (&str, &[u8]),
        extent: &Extent,
        refused: &[Refused],
    ) {
        if refused.is_empty() {
            return;
        }
        let users = wanted.users(name, bytes, extent);
        for refused in refused {
            let method = (refused.name.clone(), refused.descriptor.clone());
            let uses = users.as_ref().is_none_or(|users| users.contains(&method));
            self.refuse(Refusal::of_method(name, refused).using_monitors(uses));
        }
    }

    /// Finds out which of the classes that stayed as they are lock, wait or notify. Called in the writer's thread.
    pub(super) fn judge(&self, vm: Vm<'_>) {
        let Some(wanted) = self.wanted.get() else {
            return;
        };
        let unread = std::mem::take(&mut self.state().unread);
        for (refusal, bytes, extent) in unread {
            let users = wanted.users(refusal.class(), &bytes, &extent);
            let uses = users.is_none_or(|users| !users.is_empty());
            self.refuse(refusal.using_monitors(uses));
        }
        self.look_for_room(vm);
        let hidden = std::mem::take(&mut self.state().hidden);
        for weak in hidden {
            let class = vm.upgrade(&weak);
            let refusal = class.and_then(|class| candidates::left_hidden(vm, &class));
            refusal.into_iter().for_each(|refusal| self.refuse(refusal));
            vm.delete_weak(weak);
        }
    }

    /// Forgets classes that are gone, where there was no room for more: nobody has to put them back.
    fn look_for_room(&self, vm: Vm<'_>) {
        let now = Instant::now();
        let mut state = self.state();
        let due = state.next_look.is_none_or(|next| now >= next);
        if !std::mem::take(&mut state.full) || !due {
            return;
        }
        state.next_look = Some(now + PAUSE);
        let there = std::mem::take(&mut state.there);
        drop(state);
        // Not while the lock is held: the JVM may stop us here.
        let is_gone = |(_, weak): &(Key, Weak)| vm.upgrade(weak).is_none();
        let (gone, there): (Vec<_>, Vec<_>) = there.into_iter().partition(is_gone);
        let mut state = self.state();
        state.there.extend(there);
        for (key, weak) in gone {
            state.all.remove(&key);
            vm.delete_weak(weak);
        }
    }

    /// Gives back what the JVM holds for it.
    pub(crate) fn release(&self, vm: Vm<'_>) {
        let State {
            there,
            hidden,
            comers,
            ..
        } = std::mem::take(&mut *self.state());
        let there = there.into_iter().map(|(_, weak)| weak);
        let comers = comers.into_iter().map(|comer| comer.class);
        let all = there.chain(hidden).chain(comers);
        all.for_each(|weak| vm.delete_weak(weak));
    }

    /// A hidden class has been made: no class file of it was shown. The writer reads it.
    fn note_hidden(&self, vm: Vm<'_>, class: &Ref<'_>, name: &str) {
        let wanted = self.wanted.get().filter(|_| self.open.load(SeqCst));
        if wanted.is_some_and(|w| candidates::hidden(vm, &w.selection, (class, name))) {
            if self.state().hidden.len() >= HIDDEN {
                let refusal = candidates::unread_hidden(name);
                return self.refuse(refusal);
            }
            let weak = vm.weak(class);
            self.state().hidden.extend(weak);
        }
    }

    /// A class is prepared: takes in what there is to know of it, if it came rewritten.
    pub(crate) fn prepared(
        &self,
        vm: Vm<'_>,
        recording: &Recording,
        class: &Ref<'_>,
    ) -> Result<(), Unknown> {
        let name = binary_name(&vm.class_signature(class)?);
        self.note_hidden(vm, class, &name);
        if self.state().expected.is_empty() {
            return Ok(());
        }
        let key = candidates::key_of(vm, recording, class)?;
        if !self.state().expected.contains_key(&key) {
            return Ok(());
        }
        // What can fail comes first: a class that is not taken in is put back as one not used yet.
        let methods = vm.class_methods(class)?;
        let mut named = HashMap::new();
        for &handle in &methods {
            // SAFETY: the caller holds the class.
            let method = unsafe { vm.method(handle) }?;
            named.insert((method.name, method.descriptor), handle);
        }
        let weak = vm.weak(class).ok_or(Unknown::Unidentified)?;
        let there = vm.weak(class);
        let Some(expected) = self.state().expected.remove(&key) else {
            [Some(weak), there]
                .into_iter()
                .flatten()
                .for_each(|weak| vm.delete_weak(weak));
            return Ok(());
        };
        let there = there.map(|weak| (key.clone(), weak));
        let mut comer = Comer {
            name: key.1,
            class: weak,
            methods,
            sites: Vec::new(),
            originals: HashMap::new(),
        };
        let maps = expected.into_iter().flat_map(|one| comer.add(&named, one));
        // Before any chain can have these methods in it.
        recording.rewritten.add(maps.collect());
        let mut state = self.state();
        state.comers.push(comer);
        state.there.extend(there);
        Ok(())
    }
}

impl Comer {
    /// Adds what was done to its class file; the maps of the methods changed.
    fn add(
        &mut self,
        named: &HashMap<(String, String), Handle>,
        expected: Expected,
    ) -> Vec<(Handle, BciMap)> {
        let (mut handles, mut maps) = (HashMap::new(), Vec::new());
        for changed in expected.rewritten.methods {
            let Some(&handle) = named.get(&(changed.name, changed.descriptor)) else {
                continue;
            };
            handles.insert(changed.method, handle);
            maps.push((handle, changed.map));
            let original = expected.originals.get(&changed.method);
            self.originals
                .extend(original.map(|code| (handle, code.clone())));
        }
        self.sites.push(Sites {
            sites: expected.rewritten.sites,
            heirs: expected.rewritten.heirs,
            methods: handles,
        });
        maps
    }
}

/// The code that the methods changed had, by their position.
fn originals(file: &ClassFile<'_>, rewritten: &Rewritten) -> HashMap<usize, Vec<u8>> {
    let code = |method: usize| Some(file.code(file.methods.get(method)?)?.bytes.to_vec());
    let changed = rewritten.methods.iter().map(|changed| changed.method);
    changed
        .filter_map(|method| Some((method, code(method)?)))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn expected() -> Expected {
        Expected {
            rewritten: Rewritten::default(),
            originals: HashMap::new(),
        }
    }

    #[test]
    fn a_class_that_fails_each_time_is_remembered_a_few_times() {
        let arrivals = Arrivals::default();
        for _ in 0..100 {
            arrivals.expect((1, "a.Optional".to_owned()), expected());
        }
        arrivals.expect((1, "a.Other".to_owned()), expected());
        let attempts = |name: &str| {
            let state = arrivals.state();
            state.expected[&(1, name.to_owned())].len()
        };
        assert_eq!((attempts("a.Optional"), attempts("a.Other")), (ATTEMPTS, 1));
        assert_eq!(arrivals.state().all.len(), 2);
    }
}
