//! Thread dumps that a JVM is asked for, by the attach protocol: nothing is loaded into it.
//!
//! The JVM stands still while it writes one, so they are asked for as seldom as it takes to keep that under 1 % of the time.

use super::page;
use super::window::Window;
use crate::args::Sample;
use crate::exit::{Exit, Failure};
use crate::quantity::show_duration;
use crate::record::signals::{self, Signals};
use crate::target::{enter, name, not_attached};
use crate::terminal::note;
use locklens_hotspot::{Door, Jvm};
use locklens_inference::sample::Lens;
use locklens_inference::sample::dump::Dumps;
use locklens_viz::sample::About;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

/// How many times as long as a dump took the JVM runs before the next.
const REST: u32 = 100;
/// How often signals are looked at.
const STEP: Duration = Duration::from_millis(50);

/// Samples a JVM, and prints what that comes to.
pub(crate) fn run(args: &Sample, jvm: &Jvm, lens: &Lens) -> Result<Exit, Failure> {
    let (signals, asked) = (Signals::quitting()?, signals::asked()?);
    let door = enter(jvm, &signals)?;
    announce(args, jvm);
    let mut sampling = Sampling {
        args,
        jvm,
        lens,
        window: Window::new(args.duration().is_zero()),
        pace: Pace::new(args.interval()),
        began: Instant::now(),
        dumps: 0,
    };
    let end = sampling.go_on(&door, &signals, &asked);
    if sampling.window.samples() == 0 {
        return match end {
            Ok(()) => Err(Failure::interrupted("interrupted before the first sample")),
            Err(failure) => Err(failure),
        };
    }
    let printed = sampling.print()?;
    match end {
        Ok(()) => Ok(printed),
        Err(failure) if failure.exit == Exit::Interrupted => Ok(printed),
        Err(failure) => {
            note(format_args!("ended early: {}", failure.what));
            Ok(Exit::CutShort)
        }
    }
}

/// Says what begins.
pub(super) fn announce(args: &Sample, jvm: &Jvm) {
    let length = match args.duration().is_zero() {
        true => "until Ctrl-C; Ctrl-\\ or kill -USR1 prints the last 10 minutes".to_owned(),
        false => format!("for {}", show_duration(args.duration())),
    };
    let (pid, name) = (jvm.pid, name(jvm));
    note(format_args!("sampling {pid} ({name}) {length}"));
}

struct Sampling<'a> {
    args: &'a Sample,
    jvm: &'a Jvm,
    lens: &'a Lens,
    window: Window,
    pace: Pace,
    began: Instant,
    /// Since then.
    dumps: u64,
}

impl Sampling<'_> {
    /// Samples until the time is over or somebody has had enough; an error if the JVM does not answer any more.
    fn go_on(&mut self, door: &Door, signals: &Signals, asked: &AtomicBool) -> Result<(), Failure> {
        let length = self.args.duration();
        let is_over = |at: Duration| !length.is_zero() && at >= length;
        loop {
            let due = Instant::now();
            self.sample(door)?;
            let due = due + self.pace.period();
            while Instant::now() < due {
                if signals.arrived() || is_over(self.began.elapsed()) {
                    return Ok(());
                }
                if asked.swap(false, Ordering::Relaxed) {
                    self.print()?;
                }
                thread::sleep(due.saturating_duration_since(Instant::now()).min(STEP));
            }
            if is_over(self.began.elapsed()) {
                return Ok(());
            }
        }
    }

    fn sample(&mut self, door: &Door) -> Result<(), Failure> {
        let (asked, at) = (Instant::now(), self.began.elapsed());
        let reply = door
            .execute("threaddump", &[])
            .map_err(|error| not_attached(&error))?;
        self.pace.note(asked.elapsed());
        self.dumps += 1;
        let found = Dumps::read(&String::from_utf8_lossy(&reply.text));
        let Some(dump) = found.dumps.first() else {
            return Err(Failure::attach("its answer is no thread dump"));
        };
        dump.add_to(self.window.at(at), self.lens);
        Ok(())
    }

    fn print(&self) -> Result<Exit, Failure> {
        let profile = self.window.profile();
        let about = About {
            subject: format!("JVM {} ({})", self.jvm.pid, name(self.jvm)),
            how: "by thread dumps".to_owned(),
            notes: [
                Some(self.pace.told(self.dumps, self.began.elapsed())),
                few(self.dumps),
            ]
            .into_iter()
            .flatten()
            .collect(),
            ..About::default()
        };
        page::print(self.args, &profile, about)
    }
}

/// Dumps under which shares are hardly more than a guess.
const FEW: u64 = 30;

/// How to get more of them.
fn few(dumps: u64) -> Option<String> {
    (dumps < FEW).then(|| {
        "few samples: a longer -d takes more; without --no-agent a look costs the JVM far less, and more are taken".to_owned()
    })
}

/// When to ask for the next dump.
struct Pace {
    wish: Duration,
    /// What an answer takes, averaged over some.
    pause: Duration,
    /// What all took.
    spent: Duration,
}

impl Pace {
    fn new(wish: Duration) -> Self {
        Self {
            wish,
            pause: Duration::ZERO,
            spent: Duration::ZERO,
        }
    }

    /// An answer took so long, and the JVM stood still for no longer.
    fn note(&mut self, took: Duration) {
        self.spent += took;
        self.pause = match self.pause {
            Duration::ZERO => took,
            pause => (pause * 7 + took) / 8,
        };
    }

    fn period(&self) -> Duration {
        self.wish.max(self.pause * REST)
    }

    /// What became of the wish in so many dumps.
    fn told(&self, dumps: u64, elapsed: Duration) -> String {
        let each = self.spent.as_secs_f64() * 1e3 / dumps.max(1) as f64;
        let share = self.spent.as_secs_f64() * 100.0 / elapsed.as_secs_f64();
        let wish = show_duration(self.wish);
        format!(
            "a dump took {each:.1} ms, and the JVM stood still for no longer: at most {share:.2} % of the time; one every {wish} was asked for"
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_samples_come_with_advice() {
        assert!(few(2).is_some_and(|said| said.contains("-d")));
        assert_eq!(few(FEW), None);
    }

    #[test]
    fn pauses_stay_under_one_percent() {
        let ms = Duration::from_millis;
        let mut pace = Pace::new(ms(100));
        assert_eq!(pace.period(), ms(100));
        pace.note(Duration::from_micros(500));
        assert_eq!(pace.period(), ms(100));
        pace.note(ms(40));
        assert!(pace.period() > ms(100), "{:?}", pace.period());
        for _ in 0..40 {
            pace.note(ms(40));
        }
        assert!((ms(3_900)..=ms(4_000)).contains(&pace.period()));
    }
}
