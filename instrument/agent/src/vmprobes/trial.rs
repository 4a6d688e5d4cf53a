//! Proof that the probes tell the truth in this JVM, on a monitor of our own, before anybody's are listened to.
//!
//! A second thread of ours waits, this one notifies and leaves, then the same with notify-all: with the flag cleared
//! nothing may be heard of it, with the flag set exactly that. Where a monitor keeps its object's hash is found out on the way.

use super::listener::{Header, TRIAL};
use crate::callbacks;
use crate::clock;
use crate::entry::Jvm;
use crate::owner::Layout;
use crate::structures::Memory;
use crate::vm::sys::RawEnv;
use crate::vm::{Global, Object, Ref, Vm};
use crate::writer::thread::{attach, detach, spawn_quietly};
use locklens_libjvm::Kind;
use std::ptr;
use std::sync::Arc;
use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering::{Acquire, Release};
use std::thread;
use std::time::Duration;

/// Longest time for a step of the second thread.
const PATIENCE: Duration = Duration::from_millis(1500);
/// Longest it waits to be notified: it ends by itself, whatever comes.
const LONGEST_WAIT: i64 = 5000;
const PAUSE: Duration = Duration::from_micros(200);

/// What a trial needs to know.
pub(super) struct Means<'a> {
    pub(super) vm: Vm<'a>,
    pub(super) jvm: Jvm,
    pub(super) memory: &'a Memory,
    pub(super) layout: Layout,
    /// This thread's `JavaThread`.
    pub(super) own: u64,
    /// Where a monitor may keep the hash.
    pub(super) header_at: usize,
}

/// What a trial saw.
pub(super) struct Seen {
    pub(super) header: Header,
    monitor: u64,
    heard: Vec<(u64, u32)>,
}

impl Seen {
    /// Whether nothing was heard.
    pub(super) fn is_silent(&self) -> bool {
        self.heard.is_empty()
    }

    /// What was heard, in words.
    pub(super) fn told(&self, kind_of: impl Fn(u32) -> Option<Kind>) -> String {
        let one = |&(monitor, site): &(u64, u32)| {
            let what = match kind_of(site) {
                Some(Kind::Notify) => "notify",
                Some(Kind::NotifyAll) => "notifyAll",
                Some(Kind::Exit) => "exit",
                None => "nothing known",
            };
            match monitor == self.monitor {
                true => what.to_owned(),
                false => format!("{what} of another monitor"),
            }
        };
        let all: Vec<String> = self.heard.iter().map(one).collect();
        match all.is_empty() {
            true => "nothing".to_owned(),
            false => all.join(", "),
        }
    }

    /// Whether what happened was heard, in its order, and no more; and whether an exit was among it. A waiter that has
    /// been notified before it sleeps needs nobody to wake it, so that an exit may be silent.
    pub(super) fn verdict(&self, kind_of: impl Fn(u32) -> Option<Kind>) -> Verdict {
        let heard: Vec<_> = self.heard.iter().map(|&(_, site)| kind_of(site)).collect();
        let of_it = self
            .heard
            .iter()
            .all(|&(monitor, _)| monitor == self.monitor);
        let (one, all, exit) = (Some(Kind::Notify), Some(Kind::NotifyAll), Some(Kind::Exit));
        match &heard[..] {
            _ if !of_it => Verdict::Wrong,
            h if *h == [one, all] => Verdict::NoExit,
            h if *h == [one, exit, all, exit] => Verdict::Right,
            h if *h == [one, exit, all] || *h == [one, all, exit] => Verdict::Right,
            _ => Verdict::Wrong,
        }
    }
}

/// How a trial came out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Verdict {
    /// What was heard is what happened.
    Right,
    /// It may be, but no exit woke anybody.
    NoExit,
    /// It is not.
    Wrong,
}

/// Goes through it once.
pub(super) fn run(means: &Means<'_>) -> Result<Seen, String> {
    let vm = means.vm;
    let failed = "no lock of our own could be made";
    let object = vm.new_object().ok_or(failed)?;
    let hash = vm.identity_hash(&object).map_err(|_| failed)? as u32;
    let partner = Partner::start(means, vm.global(&object).ok_or(failed)?)?;
    TRIAL.of(means.own);
    let went = go(means, &partner, &object);
    let heard = TRIAL.heard();
    TRIAL.of(0);
    partner.wait_for_end();
    let (monitor, word) = went?;
    let header = header(means.header_at, word, hash);
    Ok(Seen {
        header: header.ok_or("a monitor does not keep its object's hash where this JVM says")?,
        monitor,
        heard,
    })
}

/// The monitor, and its word that holds the hash.
fn go(means: &Means<'_>, partner: &Partner, object: &Ref<'_>) -> Result<(u64, u64), String> {
    let vm = means.vm;
    let mut seen = (0, 0);
    for (round, all) in [(1, false), (2, true)] {
        let monitor = partner.wait_until_it_waits(means, round)?;
        let word = means
            .memory
            .word(monitor.wrapping_add(means.header_at as u64));
        seen = (monitor, word.ok_or("a monitor is not where this JVM says")?);
        if !vm.monitor_enter(object) {
            return Err("no lock of our own could be taken".into());
        }
        let notified = vm.notify(object, all);
        vm.monitor_exit(object);
        if !notified {
            return Err("this JVM would not notify for us".into());
        }
    }
    Ok(seen)
}

/// How the hash lies in a word, if it does.
fn header(at: usize, word: u64, hash: u32) -> Option<Header> {
    let of = |shift| Header {
        at,
        shift,
        marked: shift > 1,
    };
    let mut fitting = (0..=33).map(of).filter(|header| header.hash(word) == hash);
    let header = fitting
        .next()
        .filter(|_| hash != 0 && fitting.next().is_none());
    header.filter(|header| header.fits(word))
}

/// The second thread.
struct Partner {
    /// Its JNI environment: 0 not attached yet.
    jni: Arc<AtomicU64>,
    /// The wait it is about to begin, or [`ENDED`].
    round: Arc<AtomicU64>,
}

const ENDED: u64 = u64::MAX;

impl Partner {
    /// Starts it; it takes the global reference over.
    fn start(means: &Means<'_>, object: Global) -> Result<Self, String> {
        let (jvm, env) = (means.jvm, means.vm.env() as usize);
        let partner = Self {
            jni: Arc::default(),
            round: Arc::default(),
        };
        let (jni, round) = (Arc::clone(&partner.jni), Arc::clone(&partner.round));
        let group = means.vm.system_group();
        let group = group.and_then(|group| means.vm.global(&group));
        let spawned = spawn_quietly("locklens-probe", move || {
            callbacks::ignore_this_thread();
            wait_twice(jvm, env, (object, group), (&jni, &round));
            round.store(ENDED, Release);
        });
        match spawned {
            Ok(()) => Ok(partner),
            Err(error) => Err(format!("no second thread: {error}")),
        }
    }

    /// The monitor it waits on in this round.
    fn wait_until_it_waits(&self, means: &Means<'_>, round: u64) -> Result<u64, String> {
        let waiting = means
            .layout
            .waiting
            .ok_or("this JVM does not say where threads wait")?;
        let deadline = clock::monotonic() + PATIENCE.as_nanos() as u64;
        while clock::monotonic() < deadline {
            if self.round.load(Acquire) == round {
                let thread = self
                    .jni
                    .load(Acquire)
                    .wrapping_sub(means.layout.to_jni as u64);
                match means.memory.word(thread.wrapping_add(waiting as u64)) {
                    Some(0) | None => {}
                    Some(monitor) => return Ok(monitor),
                }
            }
            thread::sleep(PAUSE);
        }
        Err("a second thread of ours does not come to wait".into())
    }

    fn wait_for_end(&self) {
        let deadline = clock::monotonic() + PATIENCE.as_nanos() as u64;
        while self.round.load(Acquire) != ENDED && clock::monotonic() < deadline {
            thread::sleep(PAUSE);
        }
    }
}

/// What the second thread does: attach, wait two times, leave. It is in the group of the JVM's own threads, for up to ten seconds.
fn wait_twice(
    jvm: Jvm,
    env: usize,
    (object, group): (Global, Option<Global>),
    (jni, round): (&AtomicU64, &AtomicU64),
) {
    let own = group.as_ref().map_or(ptr::null_mut(), Object::object);
    let Some(own) = attach(jvm, c"locklens-probe", own) else {
        return;
    };
    // SAFETY: this thread's environment until it detaches; JVMTI is not used through it.
    let vm = unsafe { Vm::new(env as *mut RawEnv, own) };
    jni.store(own as u64, Release);
    if vm.monitor_enter(&object) {
        for this in [1, 2] {
            round.store(this, Release);
            vm.wait(&object, LONGEST_WAIT);
        }
        vm.monitor_exit(&object);
    }
    vm.delete_global(object);
    group.into_iter().for_each(|group| vm.delete_global(group));
    detach(jvm);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hash_is_found_in_a_header_and_by_itself() {
        let found = header(0, 0x12_3456_7801, 0x1234_5678).expect("there");
        assert_eq!((found.shift, found.marked), (8, true));
        let found = header(0, 0x1234_5678, 0x1234_5678).expect("there");
        assert_eq!((found.shift, found.marked), (0, false));
        assert!(
            header(0, 0x12_3456_7800, 0x1234_5678).is_none(),
            "no header"
        );
        assert!(header(0, 0x1234, 0x9999).is_none());
        assert!(header(0, 0, 0).is_none());
    }
}
