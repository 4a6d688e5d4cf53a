//! Call chains: taken under a budget, interned by hash, their methods named while they run.
//!
//! **How long a method handle may be used.** A `jmethodID` is valid as long as its class is loaded.
//! Here a handle is passed to the JVM only (a) in the callback that found it in the current thread's
//! own frames, which keep the class alive, or (b) by the writer while it holds a reference to the
//! class. As a *key* it lives longer, and must therefore not come to mean another method: HotSpot
//! 8 to 24 never frees the handles of an unloaded class, 25 numbers them; a slot can be given out
//! again only within a class that another agent redefines so that an old version's methods are
//! purged, and even then only to a method of the same loader.
//!
//! What chains may cost is decided in [`budget`](crate::budget); an event without one is recorded all
//! the same.

use crate::budget::Occasion;
use crate::clock;
use crate::definition::{Definition, NewMethod};
use crate::exact::maps::Epoch;
use crate::exact::site_key;
use crate::identity::Unknown;
use crate::idmap::{Claim, IdMap, scatter};
use crate::options::MAX_DEPTH;
use crate::recording::Recording;
use crate::vm::{Chain, Handle, Object, Ref, Vm};
use locklens_trace::record::{Frame, StackDef};
use locklens_trace::{MethodId, StackId};
use std::io;
use std::sync::atomic::AtomicUsize;
use std::sync::atomic::Ordering::Relaxed;

/// One frame more than the deepest chain kept tells whether it was cut.
const ROOM: usize = MAX_DEPTH + 1;

/// Frames of `java.util.concurrent` and below that may stand before the program's own.
pub(crate) const BETWEEN: usize = 8;

/// `ACC_NATIVE` (JVM spec §4.6).
const NATIVE: u32 = 0x0100;

/// What becomes of a chain.
struct Kind {
    /// Frames kept.
    depth: usize,
    /// Keeps equal chains of other kinds apart.
    salt: u64,
    define: fn(StackDef) -> Definition,
}

/// The chains and methods seen.
pub(crate) struct Stacks {
    chains: IdMap,
    methods: IdMap,
    /// The method in which threads are parked, once it was met; 0 before.
    park: AtomicUsize,
}

impl Stacks {
    /// Tables within so many bytes each.
    pub(crate) fn within(chains: usize, methods: usize) -> io::Result<Self> {
        Ok(Self {
            chains: IdMap::within(chains)?,
            methods: IdMap::within(methods)?,
            park: AtomicUsize::new(0),
        })
    }
}

impl Recording {
    /// The current thread's call chain, if the budget allows; 0 for none. The writer counts the
    /// beginnings that come without.
    pub(crate) fn stack(&self, vm: Vm<'_>, event: &Occasion<'_>) -> u32 {
        match self.options.depth > 0 && self.budget.admits(event) {
            true => self.stack_above(vm, (0, 0), event),
            false => 0,
        }
    }

    /// The same without so many of the innermost frames and with so many more of the others, for who has asked the budget already.
    pub(crate) fn stack_above(
        &self,
        vm: Vm<'_>,
        (skipped, more): (usize, usize),
        event: &Occasion<'_>,
    ) -> u32 {
        let kind = self.of_events_and(more);
        // While classes are being replaced nobody knows which version a frame is of.
        let id = match self.rewritten.epoch() {
            Some(epoch) => {
                let taken = vm.own_stack_above::<ROOM>(skipped, kind.depth + 1);
                let taken = taken.map_err(Unknown::from);
                taken.and_then(|chain| self.intern(vm, &chain, epoch, &kind))
            }
            None => Err(Unknown::Unidentified),
        };
        let took = self.budget.charge(event, clock::monotonic());
        self.meter.chain(took);
        // A thread that is ending has no chain (JDK 25 says so by an error), or a table is full.
        id.map_or(0, |id| id.0)
    }

    /// The call chain of another thread, which is blocked or waits; 0 for none.
    ///
    /// Its frames keep their classes alive as long as it stays there, which the caller looks at before
    /// and after. Should it go on just meanwhile *and* a class of its be unloaded, HotSpot says of the
    /// handle that it is none, since it never frees one (see the module).
    pub(crate) fn stack_of(&self, vm: Vm<'_>, thread: &impl Object) -> u32 {
        let kind = self.of_events();
        let id = match self.rewritten.epoch() {
            Some(epoch) if kind.depth > 0 => {
                let taken = vm.stack_of::<ROOM>(thread, kind.depth + 1);
                let taken = taken.map_err(Unknown::from);
                taken.and_then(|chain| self.intern(vm, &chain, epoch, &kind))
            }
            _ => Err(Unknown::Unidentified),
        };
        id.map_or(0, |id| id.0)
    }

    /// The call chain of another thread that was found parked, or that owns what others are parked on; 0
    /// for none. What is said of [`Self::stack_of`] holds here too.
    pub(crate) fn parked_stack_of(&self, vm: Vm<'_>, thread: &impl Object) -> u32 {
        self.stack_beside(vm, thread, &self.of_parked(), |_| true)
    }

    /// The same of a thread that was found parked; 0 also where it was not when the chain was taken: it went on just then,
    /// and may be back by now.
    pub(crate) fn park_stack_of(&self, vm: Vm<'_>, thread: &impl Object) -> u32 {
        let in_park = |chain: &Chain<ROOM>| self.is_in_park(vm, chain);
        self.stack_beside(vm, thread, &self.of_parked(), in_park)
    }

    fn is_in_park(&self, vm: Vm<'_>, chain: &Chain<ROOM>) -> bool {
        let innermost = chain.frames().next();
        innermost.is_some_and(|(method, _)| self.is_park(vm, method))
    }

    /// Whether that is the method in which threads are parked: the native `park` of the JDK's `Unsafe`.
    fn is_park(&self, vm: Vm<'_>, method: Handle) -> bool {
        let known = self.stacks.park.load(Relaxed);
        if known != 0 {
            return known == method.0;
        }
        // SAFETY: `stack_of` answers for it.
        let is_park = unsafe { vm.method(method) }
            .is_ok_and(|method| method.name == "park" && method.flags & NATIVE != 0);
        if is_park {
            self.stacks.park.store(method.0, Relaxed);
        }
        is_park
    }

    /// The same of several threads at one moment, for which the JVM stops; of those only that are parked then, if `parked`.
    pub(crate) fn parked_stacks_of(
        &self,
        vm: Vm<'_>,
        threads: &[Ref<'_>],
        parked: bool,
    ) -> Vec<u32> {
        let mut ids = vec![0; threads.len()];
        let Some(epoch) = self.rewritten.epoch().filter(|_| self.options.depth > 0) else {
            return ids;
        };
        let kind = self.of_parked();
        // Where the call fails none is known.
        let _ = vm.stacks_of::<ROOM>(threads, kind.depth + 1, |nth, chain| {
            if !parked || self.is_in_park(vm, chain) {
                ids[nth] = self.intern(vm, chain, epoch, &kind).map_or(0, |id| id.0);
            }
        });
        ids
    }

    /// The call chain of another thread, which owns what others are blocked on; 0 for none. What is said of
    /// [`Self::stack_of`] holds here too.
    pub(crate) fn owner_stack_of(&self, vm: Vm<'_>, thread: &impl Object) -> u32 {
        let kind = Kind {
            depth: self.options.depth,
            salt: 0x27d4_eb2f_0000_0003,
            define: Definition::ParkedStack,
        };
        self.stack_beside(vm, thread, &kind, |_| true)
    }

    /// A call chain that belongs to no event, if it is as it should be.
    fn stack_beside(
        &self,
        vm: Vm<'_>,
        thread: &impl Object,
        kind: &Kind,
        is_right: impl Fn(&Chain<ROOM>) -> bool,
    ) -> u32 {
        let id = match self.rewritten.epoch() {
            Some(epoch) if self.options.depth > 0 => {
                let taken = vm.stack_of::<ROOM>(thread, kind.depth + 1);
                let taken = taken.map_err(Unknown::from);
                taken.and_then(|chain| match is_right(&chain) {
                    true => self.intern(vm, &chain, epoch, kind),
                    false => Err(Unknown::Unidentified),
                })
            }
            _ => Err(Unknown::Unidentified),
        };
        id.map_or(0, |id| id.0)
    }

    fn of_parked(&self) -> Kind {
        Kind {
            // The frames of java.util.concurrent come first.
            depth: (self.options.depth + BETWEEN).min(MAX_DEPTH),
            salt: 0x5bd1_e995_0000_0001,
            define: Definition::ParkedStack,
        }
    }

    fn of_events(&self) -> Kind {
        self.of_events_and(0)
    }

    fn of_events_and(&self, more: usize) -> Kind {
        let depth = (self.depth.load(Relaxed) + more).min(MAX_DEPTH);
        Kind {
            depth,
            // Where other numbers of frames are kept, chains that differ below may look alike.
            salt: match self.options.depth == depth {
                true => 0,
                false => 0x85eb_ca6b_0000_0000 | depth as u64,
            },
            define: Definition::Stack,
        }
    }

    fn intern(
        &self,
        vm: Vm<'_>,
        chain: &Chain<ROOM>,
        epoch: Epoch,
        kind: &Kind,
    ) -> Result<StackId, Unknown> {
        let hash = (hash(chain, epoch.number()) ^ kind.salt).max(1);
        match self.stacks.chains.find(hash) {
            Some(Claim::Known(id) | Claim::New(id)) => return Ok(StackId(id)),
            Some(Claim::Full) => return Err(Unknown::TableFull),
            None => self.check_room()?,
        }
        let mut def = self.describe_stack(vm, chain, kind.depth)?;
        if !self.rewritten.is_still(epoch) {
            return Err(Unknown::Unidentified);
        }
        match self.stacks.chains.claim(hash) {
            Claim::Known(id) => Ok(StackId(id)),
            Claim::Full => Err(Unknown::TableFull),
            Claim::New(id) => {
                def.id = StackId(id);
                self.definitions.push((kind.define)(def));
                Ok(StackId(id))
            }
        }
    }

    /// Its definition, all but the id.
    fn describe_stack(
        &self,
        vm: Vm<'_>,
        chain: &Chain<ROOM>,
        depth: usize,
    ) -> Result<StackDef, Unknown> {
        let mut frames = Vec::with_capacity(depth.min(chain.len()));
        for (handle, bci) in chain.frames().take(depth) {
            // SAFETY: it is running in this thread, so its class is alive, or `stack_of` answers for it.
            match unsafe { self.method(vm, handle) } {
                Ok(method) => frames.push(Frame {
                    method,
                    bci: u16::try_from(bci)
                        .ok()
                        .and_then(|bci| self.rewritten.original(handle, bci)),
                }),
                // The frames below an unknown one would look like its callers: cut there.
                Err(Unknown::TableFull) => break,
                // Next time it may be known.
                Err(why @ (Unknown::Unidentified | Unknown::Busy)) => return Err(why),
            }
        }
        if frames.is_empty() && chain.len() > 0 {
            return Err(Unknown::TableFull);
        }
        let cut = frames.len() < chain.len();
        let id = StackId(0);
        Ok(StackDef { id, frames, cut })
    }

    /// The chain that stands for a site of rewritten code: its one frame.
    pub(crate) fn site_stack(
        &self,
        method: MethodId,
        bci: Option<u16>,
    ) -> Result<StackId, Unknown> {
        match self.stacks.chains.claim(site_key(method, bci)) {
            Claim::Known(id) => Ok(StackId(id)),
            Claim::Full => Err(Unknown::TableFull),
            Claim::New(id) => {
                let id = StackId(id);
                self.definitions.push(Definition::Stack(StackDef {
                    id,
                    frames: vec![Frame { method, bci }],
                    cut: true,
                }));
                Ok(id)
            }
        }
    }

    /// The id of a method of a class the caller holds.
    ///
    /// # Safety
    /// The method's class is alive.
    pub(crate) unsafe fn method(&self, vm: Vm<'_>, handle: Handle) -> Result<MethodId, Unknown> {
        let key = handle.0 as u64;
        match self.stacks.methods.find(key) {
            Some(Claim::Known(id) | Claim::New(id)) => return Ok(MethodId(id)),
            Some(Claim::Full) => return Err(Unknown::TableFull),
            None => self.check_room()?,
        }
        // SAFETY: the caller's promise.
        let mut def = unsafe { self.describe_method(vm, handle)? };
        match self.stacks.methods.claim(key) {
            Claim::Known(id) => Ok(MethodId(id)),
            Claim::Full => Err(Unknown::TableFull),
            Claim::New(id) => {
                def.id = MethodId(id);
                self.definitions.push(Definition::Method(def));
                Ok(MethodId(id))
            }
        }
    }

    /// Its definition, all but the id.
    ///
    /// # Safety
    /// The method's class is alive.
    unsafe fn describe_method(&self, vm: Vm<'_>, handle: Handle) -> Result<NewMethod, Unknown> {
        // SAFETY: the caller's promise, for both.
        let (class, method) = unsafe { (vm.declaring_class(handle)?, vm.method(handle)?) };
        let class = self.class(vm, &class)?;
        Ok(NewMethod {
            id: MethodId(0),
            class,
            name: method.name,
            descriptor: method.descriptor,
            flags: method.flags,
            handle,
        })
    }
}

/// A hash of the chain, never 0. Two of a million different chains collide with probability 3e-8.
fn hash<const N: usize>(chain: &Chain<N>, epoch: u64) -> u64 {
    /// Odd, so that multiplying tells any two methods apart.
    const SPREAD: u64 = 0x9e37_79b9_7f4a_7c15;
    let frames = chain.frames();
    let hash = frames.fold(chain.len() as u64 | epoch << 32, |hash, (method, bci)| {
        let frame = (method.0 as u64).wrapping_mul(SPREAD) ^ bci as u64;
        scatter(hash.rotate_left(23) ^ frame)
    });
    hash.max(1)
}
