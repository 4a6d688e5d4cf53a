//! The VM's own probes: notify, notify-all, and the exit that wakes a successor, heard in process without rewriting a class.
//!
//! HotSpot asks a flag of its own before each of these points; while it is set, the code before the point calls a
//! function that has no effect. That call is redirected to a [`thunk`](thunks) while the flag is cleared, and then the
//! flag is set. What is true of the file is found by `locklens_libjvm`; that memory is the same, by [`image`]; that what
//! is heard is what happened, by a [`trial`]. Whatever is not verified is left alone, with a reason, and the recording
//! goes on without.
//!
//! The way back: the flag is cleared, a safepoint shows that nobody is in the code that asked it, the calls are restored.
//! The thunks stay, for the next recording and for whoever is still in one; without a recording they tell nobody.

mod image;
mod listener;
mod patch;
mod thunks;
mod trial;

use crate::clock;
use crate::entry::Jvm;
use crate::recording::Recording;
use crate::structures::{Claims, Memory};
use crate::vm::Vm;
use image::Image;
use listener::{Header, Site};
use locklens_libjvm::Kind;
use patch::{Flag, Patch};
use std::fmt::Write;
use std::sync::atomic::Ordering::Relaxed;
use trial::{Means, Verdict};

pub(crate) use listener::Listener;

/// Most trials until an exit has woken somebody.
const TRIALS: usize = 10;

/// Probes that are being listened to.
pub(crate) struct VmProbes {
    flag: Flag,
    patches: Vec<Patch>,
    /// Absolute time from which on everything is heard.
    pub(crate) since: u64,
}

impl VmProbes {
    /// Begins to listen; the error says why not, and then everything is as it was.
    pub(crate) fn begin(
        vm: Vm<'_>,
        recording: &Recording,
        jvm: Jvm,
        claims: Option<&Claims>,
    ) -> Result<Self, String> {
        let memory = Memory::open().ok_or("the target may not read its own memory safely")?;
        let claims = claims.ok_or("this JVM exports no table of its structures")?;
        let peek = recording.peek.get();
        let peek = peek.ok_or("what this JVM says of its monitors could not be verified")?;
        let own = vm
            .current_thread()
            .ok_or("the JVM does not name its threads")?;
        let header_at = ["_metadata", "_header"]
            .iter()
            .find_map(|name| claims.offset("ObjectMonitor", name));
        let image = Image::verified(jvm.0, &memory)?;
        let means = Means {
            vm,
            jvm,
            memory: &memory,
            layout: peek.layout,
            own: recording.address_of(vm, &own),
            header_at: header_at.ok_or("this JVM does not say where a monitor keeps the hash")?,
        };
        let mut probes = Self::install(vm, &image)?;
        let kinds: Vec<Kind> = image.points.sites.iter().map(|site| site.kind).collect();
        if recording.listener.get().is_none() {
            match probes.prove(&means, &kinds) {
                Ok(header) => listen(recording, &means, (claims, kinds), header),
                Err(why) => {
                    probes.end(vm);
                    return Err(why);
                }
            }
        }
        // Proved, now or earlier in this recording.
        probes.flag.set(true);
        probes.since = clock::monotonic();
        Ok(probes)
    }

    /// Redirects the calls. The flag stays cleared.
    fn install(vm: Vm<'_>, image: &Image) -> Result<Self, String> {
        let thunks = thunks::made(image, listener::listen)?;
        let mut patches = Vec::new();
        for (site, &thunk) in image.points.sites.iter().zip(&thunks) {
            let at = image.address(site.displacement());
            let to = |address| thunks::displacement(at + 4, address).map(i32::to_le_bytes);
            let original = to(image.address(image.points.called));
            let ours = to(thunk);
            let (Some(original), Some(ours)) = (original, ours) else {
                return Err("no room near the JVM's library".into());
            };
            patches.push(Patch { at, original, ours });
        }
        // Whoever met the flag set, in an earlier recording say, has left its code now.
        stop_once(vm)?;
        let mut probes = Self {
            flag: Flag::of(image),
            patches: Vec::new(),
            since: 0,
        };
        for patch in patches {
            // Listed first: if it fails halfway it is undone with the others.
            probes.patches.push(patch);
            // SAFETY: verified to be the displacement of a guarded call; the flag is cleared and nobody is inside.
            if let Err(error) = unsafe { patch.exchange(patch.original, patch.ours) } {
                probes.end(vm);
                return Err(format!("the JVM's code may not be changed: {error}"));
            }
        }
        let crossing = image.points.sites.iter().any(|s| s.crosses_cache_lines());
        if let (Err(error), true) = (patch::forget_fetched(), crossing) {
            probes.end(vm);
            return Err(format!(
                "the JVM's code cannot be changed for all processors at once: {error}"
            ));
        }
        Ok(probes)
    }

    /// Sets the flag, and sees that exactly what happens is heard.
    fn prove(&self, means: &Means<'_>, kinds: &[Kind]) -> Result<Header, String> {
        if !trial::run(means)?.is_silent() {
            return Err("the probes are not guarded by the flag DTraceMonitorProbes".into());
        }
        self.flag.set(true);
        for _ in 0..TRIALS {
            let seen = trial::run(means)?;
            let kind_of = |site: u32| kinds.get(site as usize).copied();
            match seen.verdict(kind_of) {
                Verdict::Right => return Ok(seen.header),
                Verdict::NoExit => {}
                Verdict::Wrong => {
                    return Err(format!(
                        "what the probes tell of a lock of our own is not what happened: {}",
                        seen.told(kind_of)
                    ));
                }
            }
        }
        Err("no exit from a lock of our own was told".into())
    }

    /// Listens no more, and leaves the JVM's code as it was. Without a safepoint the calls stay redirected, to where
    /// nobody comes.
    pub(crate) fn end(mut self, vm: Vm<'_>) {
        self.flag.set(false);
        if stop_once(vm).is_err() {
            return;
        }
        for patch in self.patches.drain(..) {
            // SAFETY: changed by us; the flag is cleared and nobody is inside. One that somebody else has changed since
            // is left alone.
            let _ = unsafe { patch.exchange(patch.ours, patch.original) };
        }
        // For whoever sets the flag next.
        let _ = patch::forget_fetched();
    }

    /// The same while the JVM ends, when it may not stop for anything any more.
    pub(crate) fn abandon(self) {
        self.flag.set(false);
    }
}

impl Drop for VmProbes {
    fn drop(&mut self) {
        if self.flag.is_set() {
            self.flag.set(false);
        }
    }
}

/// From now on what the probes tell goes into the recording.
fn listen(
    recording: &Recording,
    means: &Means<'_>,
    (claims, kinds): (&Claims, Vec<Kind>),
    header: Header,
) {
    let (Some(peek), Some(memory)) = (recording.peek.get(), Memory::open()) else {
        return;
    };
    // Nobody else sets it.
    let _ = recording.listener.set(Listener {
        layout: means.layout,
        meaning: peek.meaning,
        header,
        own_tid: claims.offset("JavaThread", "_monitor_owner_id"),
        memory,
        writer: means.own,
        sites: kinds.into_iter().map(Site::new).collect(),
        unhashed: 0.into(),
    });
}

/// Stops the JVM once, for a moment: whoever was in the VM's code for monitors has left it then. Of one thread a call
/// chain is taken without a stop; of two, be they the same, it is not.
fn stop_once(vm: Vm<'_>) -> Result<(), String> {
    let own = || {
        vm.current_thread()
            .ok_or("the JVM does not name its threads")
    };
    vm.stacks_of::<1>(&[own()?, own()?], 1, |_, _| {})
        .map_err(|error| format!("GetThreadListStackTraces: error {}", error.0))
}

impl Listener {
    /// How many sites there are of each kind, and how many of them were wrong.
    pub(crate) fn sites(&self) -> String {
        let mut text = String::new();
        for kind in Kind::ALL {
            let of = self.sites.iter().filter(|site| site.kind == kind).count();
            let separator = if text.is_empty() { "" } else { ", " };
            let name = match kind {
                Kind::Notify => "notify",
                Kind::NotifyAll => "notifyAll",
                Kind::Exit => "exit",
            };
            let _ = write!(text, "{separator}{name} {of}");
        }
        text
    }

    /// Sites that were not what they were taken for.
    pub(crate) fn wrong_sites(&self) -> usize {
        self.sites
            .iter()
            .filter(|site| site.wrong.load(Relaxed))
            .count()
    }

    /// Events of locks nobody was seen to wait for or to block on.
    pub(crate) fn unhashed(&self) -> u64 {
        self.unhashed.load(Relaxed)
    }
}
