//! What was seen of locks and call chains, and so which code is wanted.

use super::scan::hash_of;
use crate::definition::Definition;
use crate::vm::Handle;
use locklens_trace::record::{LockObject, StackDef};
use locklens_trace::{ClassId, MethodId};
use std::collections::hash_map::Entry;
use std::collections::{HashMap, HashSet};

/// Classes that extend one near a lock, of which the code is wanted.
const MOST_HEIRS: u32 = 16;

/// Innermost frames whose classes are wanted even if they are the JDK's.
const NEAR: usize = 8;

/// Innermost frames of a program in a chain that was only looked at: whose code may say which lock that is, and who makes it.
const USERS: usize = 2;

/// Classes of which the code is wanted since they make objects of such a one: more than whose numbers anybody compares.
const MOST_MAKERS: u32 = 32;

/// Frames of such a chain that are kept: of some it shows later only that they are the JDK's.
const CANDIDATES: usize = 8;

/// Classes of which it is wanted who makes their objects.
const MOST_MADE: usize = 512;

/// Chains of that kind that wait for their classes to be looked up.
const MOST_CHAINS: usize = 1_000;

/// Classes of which the code is wanted since they call such a method: more than callers that anybody tells apart.
const MOST_CALLERS: u32 = 256;

/// How often a method may hand on what it was handed, and names of methods that are looked for.
const HANDED_ON: u8 = 4;
const MOST_HELPERS: usize = 4_096;

/// Where a class is found: name and loader (0 for the boot loader).
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Home {
    pub(super) loader: u32,
    pub(super) name: String,
}

/// A method seen in a call chain.
pub(super) struct FrameSeed {
    pub(super) home: Home,
    pub(super) method: Handle,
}

/// A method that locks what it is handed, or hands it on to one that does.
struct Helper {
    /// Calls between it and the lock.
    away: u8,
    /// Classes met that call it.
    met: u32,
}

/// See the module.
#[derive(Default)]
pub(super) struct Seeds {
    homes: HashMap<ClassId, Home>,
    methods: HashMap<MethodId, (ClassId, Handle)>,
    /// Loaders met, and whether they are the JDK's.
    loaders: HashMap<u32, bool>,
    locks: Vec<ClassId>,
    lock_classes: HashSet<ClassId>,
    /// Classes of what threads park on, and those of them not asked for yet: what the program's own are their code says.
    synchronizers: HashSet<ClassId>,
    new_synchronizers: Vec<ClassId>,
    frames: HashMap<MethodId, bool>,
    frames_done: HashSet<MethodId>,
    /// Of chains that were only looked at, the frames that need not be the boot loader's.
    users: Vec<Vec<MethodId>>,
    users_done: HashSet<MethodId>,
    /// Their classes, with how many were met that make objects of each.
    made: HashMap<String, u32>,
    lock_names: HashSet<String>,
    /// The classes around those of lock objects, with how many were met that extend each.
    near: HashMap<String, u32>,
    /// Methods of which it is wanted who calls them, by name and descriptor.
    helpers: HashMap<String, HashMap<String, Helper>>,
    /// There are some that no pass has looked for.
    has_new_helpers: bool,
    /// The hashes of the names of all these classes, in the order they came.
    hashes: Vec<u32>,
}

impl Seeds {
    /// Takes a definition in.
    pub(super) fn learn(&mut self, definition: &Definition) {
        match definition {
            Definition::Class(class) => {
                let loader = class.loader.map_or(0, |id| id.0);
                let name = class.name.clone();
                self.homes.insert(class.id, Home { loader, name });
            }
            Definition::Method(method) => {
                let place = (method.class, method.handle);
                self.methods.insert(method.id, place);
            }
            Definition::Lock(lock) => {
                self.want_lock(lock.class);
                if let LockObject::ClassMirror(class) = lock.object {
                    self.want_lock(class);
                }
            }
            Definition::Stack(stack) => self.want_stack(stack),
            Definition::ParkedStack(stack) => self.want_users(stack),
            Definition::Synchronizer(lock) => self.want_synchronizer(lock.class),
            Definition::Loader(_)
            | Definition::PutOff(..)
            | Definition::Fields(_)
            | Definition::Thread(_)
            | Definition::Place(..)
            | Definition::Born(..)
            | Definition::LastName(..) => {}
        }
    }

    /// Whether a loader is the JDK's own, as found by `look` the first time it is met.
    pub(super) fn learn_loader(&mut self, id: u32, look: impl FnOnce() -> bool) {
        self.loaders.entry(id).or_insert_with(look);
    }

    fn want_lock(&mut self, class: ClassId) {
        if self.lock_classes.insert(class) {
            self.locks.push(class);
        }
    }

    fn want_synchronizer(&mut self, class: ClassId) {
        let home = self.homes.get(&class);
        let is_jdk = home.is_some_and(|home| self.is_jdk(home.loader));
        if !is_jdk && self.synchronizers.len() < MOST_MADE && self.synchronizers.insert(class) {
            self.new_synchronizers.push(class);
        }
    }

    fn want_stack(&mut self, stack: &StackDef) {
        for (depth, frame) in stack.frames.iter().enumerate() {
            if !self.frames_done.contains(&frame.method) {
                *self.frames.entry(frame.method).or_default() |= depth < NEAR;
            }
        }
    }

    /// Remembers the frames that may be the program's.
    fn want_users(&mut self, stack: &StackDef) {
        let methods = stack.frames.iter().map(|frame| frame.method);
        let users = methods.filter(|id| {
            let place = self.methods.get(id);
            let home = place.and_then(|(class, _)| self.homes.get(class));
            home.is_none_or(|home| !self.is_jdk(home.loader))
        });
        let users: Vec<MethodId> = users.take(CANDIDATES).collect();
        let mut new = users.iter().take(USERS);
        let is_new = new.any(|id| !self.users_done.contains(id));
        if is_new && self.users.len() < MOST_CHAINS {
            self.users.push(users);
        }
    }

    /// Whether anything new is wanted.
    pub(super) fn any(&self) -> bool {
        !self.locks.is_empty()
            || !self.new_synchronizers.is_empty()
            || !self.frames.is_empty()
            || !self.users.is_empty()
            || self.has_new_helpers
    }

    /// Whether a loader is the JDK's own.
    pub(super) fn is_jdk(&self, loader: u32) -> bool {
        loader == 0 || self.loaders.get(&loader).copied().unwrap_or(false)
    }

    /// Classes of lock objects not asked for before.
    pub(super) fn take_locks(&mut self) -> Vec<Home> {
        let mut homes = Vec::new();
        for class in std::mem::take(&mut self.locks) {
            let Some(home) = self.homes.get(&class) else {
                continue;
            };
            if !is_ubiquitous(&home.name) {
                if self.lock_names.insert(home.name.clone()) {
                    self.hashes.push(hash_of(&home.name));
                }
                homes.push(home.clone());
            }
        }
        homes
    }

    /// The program's classes of what threads park on, not asked for before.
    pub(super) fn take_synchronizers(&mut self) -> Vec<Home> {
        let new = std::mem::take(&mut self.new_synchronizers);
        let homes = new.iter().filter_map(|class| self.homes.get(class));
        let own = homes.filter(|home| !self.is_jdk(home.loader));
        own.cloned().collect()
    }

    /// Methods of call chains not asked for before; those not defined yet stay.
    pub(super) fn take_frames(&mut self) -> Vec<FrameSeed> {
        let mut found = Vec::new();
        for (id, near) in std::mem::take(&mut self.frames) {
            let place = self.methods.get(&id);
            let home = place.and_then(|(class, _)| self.homes.get(class));
            let (Some(&(_, method)), Some(home)) = (place, home) else {
                self.frames.insert(id, near);
                continue;
            };
            self.frames_done.insert(id);
            if near || !self.is_jdk(home.loader) {
                let home = home.clone();
                found.push(FrameSeed { home, method });
            }
        }
        found
    }

    /// The classes of the program whose methods were found to use what threads park on, not asked for before.
    pub(super) fn take_users(&mut self) -> Vec<Home> {
        let mut found = Vec::new();
        for chain in std::mem::take(&mut self.users) {
            let known = |id: &MethodId| {
                let (class, _) = self.methods.get(id)?;
                self.homes.get(class)
            };
            let users = chain.iter().filter_map(|id| Some((*id, known(id)?)));
            let users = users.filter(|(_, home)| !self.is_jdk(home.loader));
            let users: Vec<_> = users
                .take(USERS)
                .map(|(id, home)| (id, home.clone()))
                .collect();
            for (id, home) in users {
                if !self.users_done.insert(id) {
                    continue;
                }
                if self.made.len() < MOST_MADE && !self.made.contains_key(&home.name) {
                    self.made.insert(home.name.clone(), 0);
                    self.hashes.push(hash_of(&home.name));
                }
                found.push(home);
            }
        }
        found
    }

    /// A class in the nest of one of lock objects: which methods it has, those that extend it decide.
    pub(super) fn learn_near(&mut self, name: &str) {
        if !self.near.contains_key(name) {
            self.near.insert(name.to_owned(), 0);
            self.hashes.push(hash_of(name));
        }
    }

    /// Whether a class that extends this one is wanted for that.
    pub(super) fn wants_heir(&mut self, parent: &str) -> bool {
        self.near.get_mut(parent).is_some_and(|met| {
            *met += 1;
            *met <= MOST_HEIRS
        })
    }

    /// A method that locks what it is handed, or is so many calls away from one: who calls it tells which objects these are. Whether it is
    /// a new one.
    pub(super) fn learn_helper(
        &mut self,
        class: &str,
        (name, descriptor): (&str, &str),
        away: u8,
    ) -> bool {
        if away > HANDED_ON || self.helpers.len() >= MOST_HELPERS || !takes_objects(descriptor) {
            return false;
        }
        let named = self.helpers.entry(name.to_owned()).or_default();
        if let Entry::Vacant(helper) = named.entry(descriptor.to_owned()) {
            helper.insert(Helper { away, met: 0 });
            self.has_new_helpers = true;
            self.hashes.push(hash_of(class));
            return true;
        }
        false
    }

    /// The next pass looks for all helpers that are known.
    pub(super) fn take_helpers(&mut self) {
        self.has_new_helpers = false;
    }

    /// How far away from a lock the method is that goes by these, if it is a helper.
    pub(super) fn helper(&self, name: &str, descriptor: &str) -> Option<u8> {
        Some(self.helpers.get(name)?.get(descriptor)?.away)
    }

    /// Whether there are any.
    pub(super) fn has_helpers(&self) -> bool {
        !self.helpers.is_empty()
    }

    /// Whether a class that calls this one is wanted for that.
    pub(super) fn wants_caller(&mut self, name: &str, descriptor: &str) -> bool {
        let named = self.helpers.get_mut(name);
        let helper = named.and_then(|named| named.get_mut(descriptor));
        helper.is_some_and(|helper| {
            helper.met += 1;
            helper.met <= MOST_CALLERS
        })
    }

    /// Whether a class that makes objects of this one is wanted for that: what it hands in may be how many get in.
    pub(super) fn wants_maker(&mut self, of: &str) -> bool {
        self.made.get_mut(of).is_some_and(|met| {
            *met += 1;
            *met <= MOST_MAKERS
        })
    }

    /// Hashes of the names that make a class that mentions them worth a look, in the order they came.
    pub(super) fn hashes(&self) -> &[u32] {
        &self.hashes
    }

    /// Whether the name is that of a class around those of lock objects.
    pub(super) fn is_near_name(&self, name: &str) -> bool {
        self.near.contains_key(name)
    }

    /// Whether the name is that of a lock object's class.
    pub(super) fn is_lock_name(&self, name: &str) -> bool {
        self.lock_names.contains(name)
    }
}

/// Classes whose instances are locked everywhere and whose own code says nothing about it. Their
/// methods are still read where a call chain shows them.
pub(super) fn is_ubiquitous(name: &str) -> bool {
    ["java.lang.Object", "java.lang.Class", "java.lang.Thread"].contains(&name)
}

/// Whether a method of this descriptor is handed any.
pub(super) fn takes_objects(descriptor: &str) -> bool {
    let taken = descriptor.split(')').next().unwrap_or_default();
    taken.contains('L')
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::definition::{NewClass, NewMethod};
    use locklens_trace::record::Frame;
    use locklens_trace::{LoaderId, StackId};

    /// A class with one method, whose id is the same.
    fn define(seeds: &mut Seeds, id: u32, name: &str, loader: Option<u32>) {
        seeds.learn(&Definition::Class(NewClass {
            id: ClassId(id),
            name: name.to_owned(),
            loader: loader.map(LoaderId),
            mirror: None,
        }));
        seeds.learn(&Definition::Method(NewMethod {
            id: MethodId(id),
            class: ClassId(id),
            name: "m".to_owned(),
            descriptor: "()V".to_owned(),
            flags: 0,
            handle: Handle(id as usize),
        }));
    }

    fn parked(seeds: &mut Seeds, methods: &[u32]) {
        let frames = methods.iter().map(|&id| Frame {
            method: MethodId(id),
            bci: Some(0),
        });
        seeds.learn(&Definition::ParkedStack(StackDef {
            id: StackId(1),
            frames: frames.collect(),
            cut: false,
        }));
    }

    #[test]
    fn who_parks_is_wanted_once_and_so_is_who_makes_it() {
        let mut seeds = Seeds::default();
        define(&mut seeds, 1, "java.util.concurrent.Semaphore", None);
        define(&mut seeds, 2, "jdk.Tool", Some(7));
        for (id, name) in [(3, "app.Store"), (4, "app.Shop"), (5, "app.Main")] {
            define(&mut seeds, id, name, Some(9));
        }
        seeds.learn_loader(7, || true);
        seeds.learn_loader(9, || false);
        parked(&mut seeds, &[1, 1]);
        assert!(!seeds.any(), "nothing of the program is there");
        parked(&mut seeds, &[1, 2, 3, 4, 5]);
        assert!(seeds.any());
        let names = |found: Vec<Home>| found.into_iter().map(|home| home.name).collect::<Vec<_>>();
        assert_eq!(names(seeds.take_users()), ["app.Store", "app.Shop"]);
        parked(&mut seeds, &[1, 3, 4]);
        assert!(!seeds.any(), "known");
        let wanted = (0..100).filter(|_| seeds.wants_maker("app.Store"));
        assert_eq!(wanted.count(), 32);
        assert!(!seeds.wants_maker("app.Main"));
        assert_eq!(seeds.hashes().len(), 2);
    }

    #[test]
    fn what_threads_park_on_is_wanted_where_it_is_the_programs() {
        let mut seeds = Seeds::default();
        define(&mut seeds, 1, "java.util.concurrent.FutureTask", None);
        define(&mut seeds, 2, "app.Gate$Sync", Some(9));
        let parked_on = |class| {
            Definition::Synchronizer(locklens_trace::record::LockDef {
                id: locklens_trace::LockId(1),
                class: ClassId(class),
                hash: 1,
                object: LockObject::Plain,
            })
        };
        seeds.learn(&parked_on(1));
        assert!(!seeds.any(), "the JDK's own are known by their names");
        seeds.learn(&parked_on(2));
        assert!(seeds.any());
        let names: Vec<_> = seeds.take_synchronizers();
        assert_eq!(names.len(), 1);
        assert_eq!(names[0].name, "app.Gate$Sync");
        seeds.learn(&parked_on(2));
        assert!(!seeds.any(), "known");
    }

    #[test]
    fn who_calls_what_locks_what_it_is_handed_is_wanted_as_far_as_that_is_handed_on() {
        const PAIR: &str = "(Ljava/lang/Object;Ljava/lang/Object;)V";
        let mut seeds = Seeds::default();
        seeds.learn_helper("app.Store", ("count", "([J)V"), 0);
        assert!(!seeds.any(), "it is handed no object");
        seeds.learn_helper("app.Store", ("move", PAIR), 0);
        assert!(seeds.any() && seeds.has_helpers());
        seeds.take_helpers();
        seeds.learn_helper("app.Store", ("move", PAIR), 0);
        assert!(!seeds.any(), "known");
        assert_eq!(seeds.helper("move", PAIR), Some(0));
        assert_eq!(seeds.helper("move", "()V"), None);
        seeds.learn_helper("app.Desk", ("far", PAIR), 5);
        assert_eq!(seeds.helper("far", PAIR), None);
        let wanted = (0..1000).filter(|_| seeds.wants_caller("move", PAIR));
        assert_eq!(wanted.count(), 256);
        assert_eq!(seeds.hashes(), [hash_of("app.Store")]);
    }
}
