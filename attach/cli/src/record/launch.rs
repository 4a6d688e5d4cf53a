//! Recording a program from its first moment: it is started here, with the agent on board.

use super::live::{add_dumps, wish};
use super::meeting::{Expected, Meeting};
use super::naming::Subject;
use super::outcome::{Recorded, Target, conclude, kept};
use super::output::{self, Grown, Nowhere, TraceFile};
use super::session::{Finish, Session};
use super::signals::{ECHO, Signals};
use super::tally::Tally;
use super::{Purpose, agent_options, announce, begun};
use crate::args::{Destination, Recording};
use crate::deadlocks::hang::{self, Asked};
use crate::embedded;
use crate::exit::{Exit, Failure};
use crate::private::PrivateDir;
use crate::redact::Redactor;
use crate::terminal::note;
use locklens_hotspot::{find, main_of};
use rustix::net::sockopt::socket_peercred;
use rustix::process::{Pid, Signal, kill_process, test_kill_process};
use std::cell::RefCell;
use std::ffi::{OsStr, OsString};
use std::io;
use std::os::unix::net::{UnixListener, UnixStream};
use std::os::unix::process::ExitStatusExt;
use std::panic::resume_unwind;
use std::path::Path;
use std::process::{Child, Command, ExitStatus};
use std::sync::mpsc::Sender;
use std::thread;
use std::time::{Duration, Instant};

/// How often an unobserved child is looked after.
const LOOK: Duration = Duration::from_millis(20);

/// A program that takes longer to end than this, with the recording, goes on.
const LEAVING: Duration = Duration::from_secs(1);

/// One that was asked to end, and is still there so long after the recording, hangs.
const HANGING: Duration = Duration::from_secs(6);

/// A program has so long to end, once it was asked to: as much as containers give.
const GRACE: Duration = Duration::from_secs(10);

/// So long its end is recorded: after that there is time to write the trace.
const ENDING: Duration = Duration::from_secs(5);

/// A program to be started and recorded.
#[derive(Clone, Copy)]
pub(crate) struct Start<'a> {
    /// Its command.
    pub(crate) launch: &'a [OsString],
    /// How.
    pub(crate) recording: &'a Recording,
    /// Where the trace goes.
    pub(crate) destination: &'a Destination,
    /// What is to be rewritten, in the agent's words.
    pub(crate) wishes: Option<&'a str>,
    /// Who reads the trace while it grows.
    pub(crate) news: Option<&'a Sender<Grown>>,
    /// It is run for another command: what it prints goes to standard error, and it ends when the recording does.
    pub(crate) aside: bool,
}

/// Starts a program and records it; `tell` says what came of the recording. Ends as the program did, unless there is
/// something to say of ours.
pub(crate) fn run(
    args: &Start<'_>,
    tell: impl FnOnce(Recorded) -> Result<Exit, Failure>,
) -> Result<Exit, Failure> {
    let signals = Signals::forwarding()?;
    let (started, mut file) = start(args)?;
    let Started {
        child,
        meeting,
        dir,
        direct,
    } = started;
    let child = RefCell::new(Running {
        child,
        signals,
        forward: !shares_terminal(),
        jvm: None,
        asked: None,
        insisted: false,
    });
    let met = meeting.wait(|| child.borrow_mut().ended_early());
    if direct {
        // A wrapper may start further JVMs, which would fail without the library.
        dir.remove();
    }
    let path = file.path().to_path_buf();
    let mut goes_on = false;
    let ours = match met.and_then(|met| record(args, met, &mut file, &child)) {
        Ok((finish, tally)) => {
            goes_on = !matches!(finish, Finish::VmEnded);
            Ok(conclude(finish, Target::Launched, &tally, file))
        }
        Err(failure) => Err((failure, file)),
    };
    let over = ours.is_ok().then_some(path.as_path());
    if args.aside && goes_on && child.borrow_mut().end() {
        return ours.map_or_else(|(failure, _)| Err(failure), tell);
    }
    let ended = child.borrow_mut().wait(over);
    match ours {
        Ok(recorded) => Ok(match tell(recorded)? {
            Exit::Fine => Exit::Child(ended),
            ours => ours,
        }),
        Err((failure, file)) => {
            file.abandon();
            note(format_args!("nothing recorded in {}", path.display()));
            Err(failure)
        }
    }
}

/// As shells count: the status, or 128 and the signal.
fn code(status: ExitStatus) -> u8 {
    let code = status
        .code()
        .or_else(|| status.signal().map(|signal| 128 + signal));
    code.and_then(|code| u8::try_from(code).ok())
        .unwrap_or(u8::MAX)
}

/// The same of a program that would have ended by that signal.
fn code_of(signal: i32) -> u8 {
    u8::try_from(128 + signal).unwrap_or(u8::MAX)
}

/// A program under way with the agent's way to us.
struct Started {
    child: Child,
    meeting: Meeting,
    dir: PrivateDir,
    /// The child is the JVM, not something that starts it.
    direct: bool,
}

fn start(args: &Start<'_>) -> Result<(Started, TraceFile), Failure> {
    let output = args.destination.pattern();
    output.map_or(Ok(()), check_place)?;
    output::check(output, args.destination.replace())?;
    let redactor = Redactor::wanted(args.destination.redact)?;
    let started = spawn(args)?;
    let subject = Subject {
        pid: started.child.id(),
        main: main_class(args.launch),
    };
    let replace = args.destination.replace();
    let named = subject.told(!args.destination.redact);
    match output::open(output, &named, replace, Nowhere::Refused) {
        Ok(file) => {
            let file = match args.wishes {
                Some(wishes) => file.exact(wishes),
                None => file
                    .sampled(!args.recording.no_juc)
                    .looking_at_owners(args.recording.stack_depth > 0)
                    .paused(args.recording.max_overhead.is_some()),
            };
            match args.news {
                None => announce(&subject, args.recording, &file, args.recording.duration),
                Some(_) => begun(&subject, args.recording),
            }
            let file = file.read_by(args.news.cloned(), false).redacted(redactor);
            Ok((started, file))
        }
        Err(failure) => {
            end(started.child);
            Err(failure)
        }
    }
}

fn spawn(args: &Start<'_>) -> Result<Started, Failure> {
    let dir = PrivateDir::create()
        .map_err(|e| Failure::usage(format_args!("can't make a temporary directory: {e}")))?;
    let library = dir
        .write(embedded::FILE_NAME, embedded::LIBRARY, 0o500)
        .map_err(|e| Failure::usage(format_args!("can't write the agent: {e}")))?;
    let socket = dir.path().join("sock");
    let meeting =
        listen(&socket).map_err(|e| Failure::usage(format_args!("can't make a socket: {e}")))?;
    let options = agent_options(
        &socket.to_string_lossy(),
        meeting.secret(),
        args.recording,
        Purpose {
            exact: args.wishes.is_some(),
            ..Purpose::default()
        },
    );
    let (mut command, direct) = with_agent(
        args.launch,
        &format!("-agentpath:{}={options}", library.display()),
    );
    if args.aside {
        command.stdout(io::stderr());
    }
    let program = args.launch[0].to_string_lossy();
    let child = command
        .spawn()
        .map_err(|e| Failure::usage(format_args!("can't start {program}: {e}")))?;
    Ok(Started {
        child,
        meeting,
        dir,
        direct,
    })
}

/// Any descendant of what is started may be the JVM, so only the user and the secret are known beforehand.
fn listen(socket: &Path) -> io::Result<Meeting> {
    let expected = Expected {
        uid: rustix::process::geteuid().as_raw(),
        pid: None,
    };
    Meeting::at(UnixListener::bind(socket)?, expected)
}

/// Finds out before the program runs whether its trace can be written: its pid, which may be part
/// of the name, is only known afterwards.
fn check_place(output: &Path) -> Result<(), Failure> {
    let parent = output.parent();
    let parent = parent.filter(|parent| !parent.as_os_str().is_empty());
    let place = parent.unwrap_or(Path::new("."));
    if place.to_string_lossy().contains('%') {
        return Ok(());
    }
    rustix::fs::access(place, rustix::fs::Access::WRITE_OK).map_err(|error| {
        Failure::usage(format_args!(
            "can't write into {}: {error}",
            place.display()
        ))
        .hint("another place: -o FILE")
    })
}

/// The command with the agent put in, and whether it is a JVM itself.
fn with_agent(launch: &[OsString], agent: &str) -> (Command, bool) {
    let (program, rest) = (&launch[0], &launch[1..]);
    let mut command = Command::new(program);
    let direct = Path::new(program).file_name() == Some(OsStr::new("java"));
    if direct {
        command.arg(agent);
    } else {
        note(format_args!(
            "{} is not java itself: the agent goes in by JAVA_TOOL_OPTIONS, the first JVM is recorded",
            program.to_string_lossy()
        ));
        let mut options = std::env::var_os("JAVA_TOOL_OPTIONS").unwrap_or_default();
        options.push(" ");
        options.push(agent);
        command.env("JAVA_TOOL_OPTIONS", options);
    }
    command.args(rest);
    (command, direct)
}

/// The main class or jar of a java command line, for the file's name; the program if unclear.
fn main_class(launch: &[OsString]) -> String {
    let words: Vec<String> = launch
        .iter()
        .map(|word| word.to_string_lossy().into_owned())
        .collect();
    main_of(&words).unwrap_or_else(|| launch[0].to_string_lossy().into_owned())
}

fn record(
    args: &Start<'_>,
    met: UnixStream,
    file: &mut TraceFile,
    child: &RefCell<Running>,
) -> Result<(Finish, Tally), Failure> {
    child.borrow_mut().jvm = socket_peercred(&met).ok().map(|peer| peer.pid);
    let met = wish(met, args.wishes)?;
    let length = args.recording.duration.filter(|length| !length.is_zero());
    let (finish, mut tally) = Session::new(met, file, length).run(|_| {
        let mut child = child.borrow_mut();
        child.pass_signals_on();
        let late = child.asked_for() > ENDING;
        if late && !child.insisted {
            note(format_args!(
                "the program was asked to end {} s ago and goes on: the recording ends",
                ENDING.as_secs()
            ));
        }
        late || child.insisted
    });
    let running = child.borrow();
    if matches!(finish, Finish::Stopped) && running.asked.is_none() && !args.destination.redact {
        // One that has ended meanwhile, or another user's, is not asked.
        let jvm = running
            .jvm
            .map(|pid| find(&pid.as_raw_nonzero().to_string()));
        drop(running);
        if let Some(Ok(jvm)) = jvm {
            add_dumps(file, &mut tally, || {
                let told = meanwhile(child, || hang::texts(&jvm));
                // Of one that ends, threads stand for other reasons.
                let ends = child.borrow().asked.is_some();
                if ends { Asked::default() } else { told }
            });
        }
    }
    Ok((kept(finish, file)?, tally))
}

/// Does what may take its time, and passes signals on meanwhile.
fn meanwhile<T: Send>(child: &RefCell<Running>, work: impl FnOnce() -> T + Send) -> T {
    thread::scope(|scope| {
        let work = scope.spawn(work);
        while !work.is_finished() {
            child.borrow_mut().pass_signals_on();
            thread::sleep(LOOK);
        }
        work.join().unwrap_or_else(|panic| resume_unwind(panic))
    })
}

/// The terminal sends its signals to the child as well.
fn shares_terminal() -> bool {
    rustix::termios::tcgetpgrp(std::io::stdin())
        .is_ok_and(|foreground| foreground == rustix::process::getpgrp())
}

fn end(mut child: Child) {
    // It ran for a moment only; whatever goes wrong here, there is nothing left to do.
    let _ = child.kill();
    let _ = child.wait();
}

/// The started program.
struct Running {
    child: Child,
    signals: Signals,
    /// Signals of the terminal must be passed on, the child does not get them itself.
    forward: bool,
    /// The JVM, which may have been started by the child.
    jvm: Option<Pid>,
    /// The signal by which it was asked to end, and when.
    asked: Option<(i32, Instant)>,
    /// That was said once more.
    insisted: bool,
}

impl Running {
    fn pass_signals_on(&mut self) {
        let Some(signal) = self.signals.take() else {
            return;
        };
        match self.asked {
            Some((_, since)) => self.insisted |= since.elapsed() > ECHO,
            None => self.asked = Some((signal, Instant::now())),
        }
        let from_terminal =
            signal == signal_hook::consts::SIGINT || signal == signal_hook::consts::SIGHUP;
        if from_terminal && !self.forward {
            return;
        }
        let child = i32::try_from(self.child.id()).ok().and_then(Pid::from_raw);
        if let (Some(child), Some(signal)) = (child, Signal::from_named_raw(signal)) {
            // It may have ended meanwhile.
            let _ = kill_process(child, signal);
        }
    }

    /// Why waiting for the agent is in vain.
    fn ended_early(&mut self) -> Option<Failure> {
        self.pass_signals_on();
        match self.child.try_wait() {
            Ok(None) if !self.insisted => None,
            _ if self.signals.arrived() => Some(Failure::interrupted(
                "interrupted before the recording began",
            )),
            _ => Some(
                Failure::attach("the program ended before a JVM in it called back")
                    .hint("the full path of java in place of a script"),
            ),
        }
    }

    /// Ends the program if it goes on: it is asked to, and killed if it hangs. Whether that was needed.
    fn end(&mut self) -> bool {
        let began = Instant::now();
        let mut asked = false;
        while self.is_there() {
            match (asked, began.elapsed()) {
                (false, since) if since > LEAVING => {
                    note("the recording is over: the program is ended");
                    self.send(Signal::TERM);
                    asked = true;
                }
                (true, since) if since > HANGING => {
                    self.send(Signal::KILL);
                    break;
                }
                _ => thread::sleep(LOOK),
            }
        }
        if asked {
            // Whatever it is that goes wrong here, there is nothing left to do.
            let _ = self.child.wait();
        }
        asked
    }

    /// Whether the child is there, or the JVM that it has started.
    fn is_there(&mut self) -> bool {
        let there = |pid| test_kill_process(pid).is_ok();
        matches!(self.child.try_wait(), Ok(None)) || self.jvm.is_some_and(there)
    }

    fn send(&self, signal: Signal) {
        let child = i32::try_from(self.child.id()).ok().and_then(Pid::from_raw);
        let all = [child, self.jvm];
        let mut all: Vec<Pid> = all.into_iter().flatten().collect();
        all.dedup();
        for pid in all {
            // It may have ended meanwhile.
            let _ = kill_process(pid, signal);
        }
    }

    /// Waits for the program's end, and says so if it goes on although the recording is over. One that hangs when it was asked to end
    /// is left to itself. The status to end with.
    fn wait(&mut self, trace: Option<&Path>) -> u8 {
        let (began, mut trace) = (Instant::now(), trace);
        loop {
            self.pass_signals_on();
            match self.child.try_wait() {
                Ok(Some(status)) => return code(status),
                Ok(None) => thread::sleep(LOOK),
                Err(_) => return 0,
            }
            if let Some((signal, _)) = self.asked.filter(|_| self.hangs()) {
                self.leave();
                return code_of(signal);
            }
            if let Some(path) = trace.take_if(|_| began.elapsed() > LEAVING) {
                note(format_args!(
                    "the recording is over, {} can be read; waiting for the program to end",
                    path.display()
                ));
            }
        }
    }

    /// It should have ended by now.
    fn hangs(&self) -> bool {
        self.insisted || self.asked_for() > GRACE
    }

    /// How long ago it was asked to end; no time if it was not.
    fn asked_for(&self) -> Duration {
        self.asked
            .map_or(Duration::ZERO, |(_, asked)| asked.elapsed())
    }

    fn leave(&self) {
        let pid = self.jvm.map_or(self.child.id(), |jvm| {
            jvm.as_raw_nonzero().get().unsigned_abs()
        });
        note(format_args!(
            "the program was asked to end and goes on: it is left as it is, pid {pid} ('locklens deadlocks {pid}' says why it hangs, 'kill -9 {pid}' ends it)"
        ));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(line: &str) -> Vec<OsString> {
        line.split(' ').map(OsString::from).collect()
    }

    #[test]
    fn the_agent_is_the_first_argument_of_java() {
        let (command, direct) = with_agent(&words("/usr/bin/java -cp x Main"), "-agentpath:a=b");
        let args: Vec<_> = command.get_args().collect();
        assert!(direct);
        assert_eq!(args, ["-agentpath:a=b", "-cp", "x", "Main"]);
    }

    #[test]
    fn a_wrapper_gets_the_agent_by_its_environment() {
        let (command, direct) = with_agent(&words("./run.sh fast"), "-agentpath:a=b");
        let variable = command
            .get_envs()
            .find(|(name, _)| *name == "JAVA_TOOL_OPTIONS");
        assert!(!direct);
        assert!(
            variable
                .unwrap()
                .1
                .unwrap()
                .to_string_lossy()
                .ends_with("-agentpath:a=b")
        );
        assert_eq!(command.get_args().collect::<Vec<_>>(), ["fast"]);
    }

    #[test]
    fn the_main_class_names_the_trace() {
        assert_eq!(
            main_class(&words("java -Xmx1g -cp a:b x.Main arg")),
            "x.Main"
        );
        assert_eq!(main_class(&words("java -jar /opt/a.jar -x")), "/opt/a.jar");
        assert_eq!(main_class(&words("java -m mod/x.Main")), "mod/x.Main");
        let opened = "java --add-opens java.base/java.lang=ALL-UNNAMED x.Main";
        assert_eq!(main_class(&words(opened)), "x.Main");
        assert_eq!(main_class(&words("java -version")), "java");
    }
}
