//! The command is killed at random moments of all it does, over and over, in a JVM that works; after each time the JVM
//! must work on, soon hold nothing of ours and have its own code back, and the trace must be readable and say that it is cut.

use super::program::{Open, Program};
use super::stage::{Running, Stage, eventually};
use std::fmt;
use std::time::{Duration, Instant};

/// What the command is about when it is killed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Phase {
    Attaching,
    Recording,
    Rewriting,
    Detaching,
    PuttingBack,
}

pub(crate) const PHASES: [Phase; 5] = [
    Phase::Attaching,
    Phase::Recording,
    Phase::Rewriting,
    Phase::Detaching,
    Phase::PuttingBack,
];

/// The longest moment of a recording that is waited for.
const RECORDING: Duration = Duration::from_millis(700);
/// Moments are chosen until a bit after what they are chosen in has ended when nobody was killed.
const BEYOND: f64 = 1.15;
/// How long speed is measured.
const SPEED: Duration = Duration::from_secs(2);

impl Phase {
    fn rewrites(self) -> bool {
        matches!(self, Phase::Rewriting | Phase::PuttingBack)
    }

    fn is_at_the_end(self) -> bool {
        matches!(self, Phase::Detaching | Phase::PuttingBack)
    }
}

impl fmt::Display for Phase {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Phase::Attaching => "attaching",
            Phase::Recording => "recording",
            Phase::Rewriting => "rewriting",
            Phase::Detaching => "detaching",
            Phase::PuttingBack => "putting back",
        })
    }
}

/// Numbers that look random and are the same for the same seed (splitmix64).
pub(crate) struct Dice(pub(crate) u64);

impl Dice {
    fn roll(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A moment from now on that is before this; early ones are as likely as late ones, or likelier.
    fn moment(&mut self, before: Duration, early: bool) -> Duration {
        let part = self.roll() as f64 / u64::MAX as f64;
        let part = if early { part.powi(3) } else { part };
        before.mul_f64(part * BEYOND)
    }
}

/// What came of some kills.
#[derive(Clone, Debug, Default)]
pub(crate) struct Tally {
    pub(crate) killed: usize,
    /// Where the trace was not there yet, cut, or whole.
    pub(crate) none: usize,
    pub(crate) cut: usize,
    pub(crate) whole: usize,
    /// Where a folder was left in the target's /tmp, which the next attach takes away.
    pub(crate) folders: usize,
    /// The longest time until the JVM held nothing of ours.
    pub(crate) longest: Duration,
}

/// One JVM and the command that is killed.
pub(crate) struct Campaign<'a> {
    stage: &'a Stage,
    program: Program,
    dice: Dice,
    /// Not known of a JVM that was never attached to.
    code: Option<String>,
    open: Open,
    /// Sockets that the JVM may yet open itself: its attach listener's.
    spare: usize,
    /// How long a phase takes when nobody is killed.
    pub(crate) lengths: [Duration; PHASES.len()],
    speed: f64,
    killed: usize,
}

impl<'a> Campaign<'a> {
    /// A JVM, measured, and recorded and traced once.
    pub(crate) fn begin(stage: &'a Stage, seed: u64) -> Result<Self, String> {
        let mut campaign = Self::fresh(stage, seed)?;
        campaign.code = Some(campaign.program.code(stage)?);
        for phase in PHASES {
            let length = campaign.length(phase)?;
            campaign.lengths[phase as usize] = length;
        }
        // The same once more: an agent that comes again does less.
        campaign.lengths[0] = campaign.length(Phase::Attaching)?;
        campaign.is_left("a first recording")?;
        (campaign.open, campaign.spare) = (campaign.program.open(), 0);
        campaign.speed = campaign.program.speed(SPEED)?;
        Ok(campaign)
    }

    /// A JVM that nobody has attached to.
    fn fresh(stage: &'a Stage, seed: u64) -> Result<Self, String> {
        let mut program = Program::start(stage, &[])?;
        program.works()?;
        Ok(Self {
            stage,
            open: program.open(),
            program,
            dice: Dice(seed),
            code: None,
            spare: 1,
            lengths: [RECORDING; PHASES.len()],
            speed: 0.0,
            killed: 0,
        })
    }

    fn trace(&self) -> String {
        self.stage.path("killed.llt")
    }

    fn start(&self, phase: Phase) -> Result<Running, String> {
        let (trace, pid) = (self.trace(), self.program.word());
        let _ = std::fs::remove_file(&trace);
        let words = ["-d", "0", "-o", &trace];
        let more: &[&str] = match (phase.rewrites(), self.killed % 2) {
            (true, 0) => &["trace", &pid, "--yes", "--class", "Books*"],
            (true, _) => &["trace", &pid, "--yes", "--juc", "--class", "Books$*"],
            (false, 0) => &["record", &pid],
            (false, _) => &["record", &pid, "--vm-probes"],
        };
        self.stage.start(&[more, &words].concat())
    }

    /// Its trace has begun.
    fn begins(&self, running: &mut Running) -> Result<(), String> {
        let trace = self.trace();
        eventually("the recording begins", || {
            let begun = std::fs::metadata(&trace).is_ok_and(|meta| meta.len() > 0);
            match running.has_ended() {
                true => Err(format!(
                    "the command ended before it recorded: {}",
                    running.said()
                )),
                false => Ok(begun),
            }
        })
    }

    /// It is so far that what is about to be interrupted may come now.
    fn comes_to(&self, phase: Phase, running: &mut Running) -> Result<(), String> {
        if phase != Phase::Attaching {
            self.begins(running)?;
        }
        if phase == Phase::PuttingBack {
            eventually("classes are rewritten", || Ok(self.has_rewritten()))?;
        }
        match phase.is_at_the_end() {
            true => running.signal("INT"),
            false => Ok(()),
        }
    }

    fn has_rewritten(&self) -> bool {
        let facts = self.stage.info(&self.trace());
        facts.is_ok_and(|facts| facts["target"].get("exact.since").is_some())
    }

    /// How long a phase takes when nobody is killed.
    fn length(&mut self, phase: Phase) -> Result<Duration, String> {
        let mut began = Instant::now();
        let mut running = self.start(phase)?;
        self.comes_to(phase, &mut running)?;
        if phase != Phase::Attaching {
            began = Instant::now();
        }
        let length = match phase {
            Phase::Attaching => self.begins(&mut running).map(|()| began.elapsed())?,
            Phase::Recording => RECORDING,
            Phase::Rewriting => {
                eventually("classes are rewritten", || Ok(self.has_rewritten()))?;
                let length = began.elapsed();
                // What is looked for after each kill must be there to be seen.
                match Some(self.program.code(self.stage)?) == self.code {
                    true => return Err("rewritten methods look as before".to_owned()),
                    false => length,
                }
            }
            Phase::Detaching | Phase::PuttingBack => {
                running.well()?;
                return Ok(began.elapsed());
            }
        };
        running.signal("INT")?;
        running.well()?;
        Ok(length)
    }

    /// Kills the command so many times while it is about this.
    pub(crate) fn kill(&mut self, phase: Phase, times: usize) -> Result<Tally, String> {
        let mut tally = Tally::default();
        let mut tries = 0;
        while tally.killed < times {
            tries += 1;
            if tries > 4 * times + 10 {
                return Err(format!("{phase}: it had always ended before it was killed"));
            }
            let (seed, number) = (self.dice.0, self.killed);
            let context = |why| format!("{phase}, kill {number}, seed {seed}: {why}");
            self.one(phase, &mut tally).map_err(context)?;
        }
        Ok(tally)
    }

    fn one(&mut self, phase: Phase, tally: &mut Tally) -> Result<(), String> {
        let mut running = self.start(phase)?;
        self.comes_to(phase, &mut running)?;
        // An attach takes so little that a machine with much to do wakes us too late for most of it.
        let is_short = phase == Phase::Attaching;
        let length = self.lengths[phase as usize];
        std::thread::sleep(self.dice.moment(length, is_short));
        let command = running.pid();
        if !running.kill() {
            // It was done already: no kill. The machine had more to do when it was measured.
            self.lengths[phase as usize] = length.mul_f64(0.75);
            return Ok(());
        }
        let at = Instant::now();
        self.killed += 1;
        tally.killed += 1;
        self.is_left("a kill")?;
        tally.longest = tally.longest.max(at.elapsed());
        tally.folders += usize::from(!folders(command).is_empty());
        self.program.works()?;
        self.judge_trace(tally)
    }

    /// The JVM holds nothing of ours and its methods are as they were.
    fn is_left(&mut self, after: &str) -> Result<(), String> {
        let mut last = String::new();
        let clean = eventually(&format!("nothing of ours is left after {after}"), || {
            if !self.program.is_alive() {
                return Err(format!("the program died: {}", self.program.said()));
            }
            let open = self.program.open();
            let more = more(&self.open, &open);
            last = format!("{:?} {open:?}", self.program.threads());
            Ok(more <= self.spare && !self.program.has_our_thread())
        });
        clean.map_err(|why| format!("{why}: {last}, at first {:?}", self.open))?;
        let Some(known) = &self.code else {
            return Ok(());
        };
        let code = self.program.code(self.stage)?;
        match code == *known {
            true => Ok(()),
            false => Err(format!("code has changed: {code}\nbefore: {known}")),
        }
    }

    fn judge_trace(&self, tally: &mut Tally) -> Result<(), String> {
        let trace = self.trace();
        let Ok(bytes) = std::fs::metadata(&trace) else {
            tally.none += 1;
            return Ok(());
        };
        if bytes.len() == 0 {
            // A name and nothing else; `info` says so.
            tally.none += 1;
            let refused = self.stage.locklens(&["info", &trace])?;
            let said = String::from_utf8_lossy(&refused.stderr).into_owned();
            return match said.contains("is empty") {
                true => Ok(()),
                false => Err(format!("an empty trace: {said}")),
            };
        }
        self.stage.well(&["report", "--json", &trace])?;
        match self.stage.info(&trace)?["ended"].as_bool() {
            Some(true) => {
                tally.whole += 1;
                Ok(())
            }
            _ => {
                tally.cut += 1;
                let said = self.stage.well(&["info", &trace])?.stdout;
                match String::from_utf8_lossy(&said).contains("cut off") {
                    true => Ok(()),
                    false => Err("a trace that is cut does not say so".to_owned()),
                }
            }
        }
    }

    /// After all of them: it can be recorded as ever, nothing lies about, and it soon has at least this part of the speed it
    /// had before. The part it has.
    pub(crate) fn end(mut self, least: f64) -> Result<f64, String> {
        let (pid, trace) = (self.program.word(), self.trace());
        self.stage
            .well(&["record", &pid, "-d", "300ms", "-o", &trace])?;
        if self.stage.info(&trace)?["ended"] != true {
            return Err("the last recording is not whole".to_owned());
        }
        self.is_left("the last recording")?;
        let mark = format!("-{pid}-");
        let left: Vec<_> = in_tmp(|name| name.contains(&mark)).collect();
        if !left.is_empty() {
            return Err(format!("left behind: {left:?}"));
        }
        let mut part = 0.0;
        eventually("it is as fast as before", || {
            part = self.program.speed(SPEED)? / self.speed;
            Ok(part >= least)
        })
        .map_err(|why| format!("{why}: {part:.2} of the speed before"))?;
        self.program.works()?;
        Ok(part)
    }
}

/// Kills so many commands that are the first to attach to a JVM, each in a JVM of its own, which can be recorded afterwards.
pub(crate) fn first_attaches(stage: &Stage, seed: u64, times: usize) -> Result<Tally, String> {
    let mut first = Campaign::fresh(stage, seed)?;
    let length = first.length(Phase::Attaching)?;
    let (mut tally, mut dice) = (Tally::default(), first.dice);
    drop(first.program);
    while tally.killed < times {
        let mut campaign = Campaign::fresh(stage, dice.roll())?;
        campaign.lengths[Phase::Attaching as usize] = length;
        campaign.one(Phase::Attaching, &mut tally)?;
        campaign.length(Phase::Attaching)?;
        campaign.is_left("a recording after a kill")?;
    }
    Ok(tally)
}

/// How many more there are now.
fn more(before: &Open, now: &Open) -> usize {
    let before = |kind| before.get(kind).copied().unwrap_or(0);
    now.iter()
        .map(|(kind, &n)| n.saturating_sub(before(kind)))
        .sum()
}

/// Folders in /tmp that this process made for its attach.
fn folders(command: u32) -> Vec<String> {
    in_tmp(|name| name.contains(&format!("-{command}-"))).collect()
}

fn in_tmp(is_meant: impl Fn(&str) -> bool) -> impl Iterator<Item = String> {
    let entries = std::fs::read_dir("/tmp").into_iter().flatten().flatten();
    let names = entries.map(|entry| entry.file_name().to_string_lossy().into_owned());
    names.filter(move |name| name.starts_with(".locklens-") && is_meant(name))
}
