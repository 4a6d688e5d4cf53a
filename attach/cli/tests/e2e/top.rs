//! The live view: as text, and on a terminal that must be left as it was found.

use crate::rig::{
    Running, Subject, compile, eventually, jdk, jdks, locklens, run, scratch, signal,
};
use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use rustix::termios::{LocalModes, Winsize, tcgetattr, tcsetwinsize};
use std::fs::{self, File};
use std::io::{BufRead, BufReader, Read, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};
use std::process::Child;
use std::sync::{Arc, Mutex, OnceLock};

/// Folder with the compiled program.
fn classes() -> &'static Path {
    static CLASSES: OnceLock<PathBuf> = OnceLock::new();
    CLASSES.get_or_init(|| {
        let out = scratch("top");
        fs::create_dir_all(&out).unwrap();
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testapps/pressure");
        compile(&[folder.join("PingPong.java")], &out);
        out
    })
}

fn subject() -> Subject {
    Subject::start_in(jdk(), classes(), &["PingPong", "600"])
}

#[test]
fn as_text_it_tells_pressure_at_once_and_names_and_types_later() {
    for jdk in jdks() {
        let subject = Subject::start_in(jdk, classes(), &["PingPong", "600"]);
        let words = ["top", &subject.word(), "-b", "--interval", "200ms"];
        let mut command = Running::start(&words);
        let mut told = BufReader::new(command.0.stdout.take().unwrap()).lines();
        let mut next = |wanted: &dyn Fn(&str) -> bool| {
            let line = told.find(|line| line.as_ref().is_ok_and(|line| wanted(line)));
            line.unwrap_or_else(|| panic!("JDK {}", jdk.major)).unwrap()
        };
        // Who holds it counts as known when enough was seen.
        let by = |line: &str| line.contains("ping") || line.contains("pong");
        next(&|line| line.contains("PingPong") && line.contains('%') && by(line));
        let line = next(&|line| line.contains("PingPong.table") && !line.contains('…'));
        let pressure: f64 = line.trim().split('%').next().unwrap().parse().unwrap();
        assert!((pressure - 50.0).abs() < 10.0, "{line}");
        signal(command.pid(), "TERM");
        eventually("the command ends", || command.ended());
        eventually("the agent has left", || !subject.has_our_thread());
    }
}

#[test]
fn so_many_frames_and_no_file() {
    let (subject, folder) = (subject(), scratch("top-folder"));
    fs::create_dir_all(&folder).unwrap();
    let words = [
        "top",
        &subject.word(),
        "-b",
        "-n",
        "2",
        "--interval",
        "200ms",
    ];
    let ran = locklens()
        .args(words)
        .current_dir(&folder)
        .output()
        .unwrap();
    let text = String::from_utf8(ran.stdout).unwrap();
    assert_eq!(
        (ran.status.code(), text.matches("PRESS").count()),
        (Some(0), 2),
        "{text}"
    );
    assert_eq!(fs::read_dir(&folder).unwrap().count(), 0);
    fs::remove_dir(folder).unwrap();
}

#[test]
fn what_cannot_be_shown_is_refused() {
    let subject = subject();
    run(&["top", &subject.word()])
        .ended_with(2)
        .said("top needs a terminal")
        .said("-b");
    run(&["top", &subject.word(), "-n", "2"]).ended_with(2);
    run(&["top", "no-such-thing", "-b"])
        .ended_with(3)
        .said("no JVM is called");
}

#[test]
fn who_is_stuck_is_said_and_who_sleeps_is_no_runner() {
    for jdk in jdks() {
        for (program, words) in [
            ("MonitorRing", &["3"][..]),
            ("LockRing", &[]),
            ("MixedRing", &[]),
        ] {
            let program: Vec<&str> = [&[program], words].concat();
            let subject = Subject::start_in(jdk, stuck(), &program);
            let words = ["top", &subject.word(), "-b", "--interval", "200ms"];
            let mut command = Running::start(&words);
            let told = BufReader::new(command.0.stdout.take().unwrap()).lines();
            let mut told = told.map_while(Result::ok);
            let line = told.find(|line| line.starts_with("DEADLOCK D"));
            let line = line.unwrap_or_else(|| panic!("JDK {} {program:?}", jdk.major));
            assert!(line.contains(" T0 order: "), "{line}");
            let mut heads = told.filter(|line| line.starts_with("locklens top"));
            let head = heads.find(|line| line.contains(" run, ")).unwrap();
            // Main reads its input, to the JVM it runs.
            assert!(head.contains(" 1 run, "), "{program:?}: {head}");
            assert!(!head.contains(" 0 blocked, "), "{program:?}: {head}");
            signal(command.pid(), "TERM");
            eventually("the command ends", || command.ended());
        }
    }
}

/// Programs that get stuck.
fn stuck() -> &'static Path {
    static CLASSES: OnceLock<PathBuf> = OnceLock::new();
    CLASSES.get_or_init(|| {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testapps/hang");
        let files = fs::read_dir(folder).unwrap();
        let sources: Vec<PathBuf> = files.map(|file| file.unwrap().path()).collect();
        let out = scratch("top-stuck");
        fs::create_dir_all(&out).unwrap();
        compile(&sources, &out);
        out
    })
}

/// A terminal of 80 by 24, and the command on it.
struct OnTerminal {
    ours: File,
    theirs: File,
    before: String,
    command: Child,
    shown: Arc<Mutex<String>>,
}

impl OnTerminal {
    fn start(words: &[&str], folder: &Path) -> Self {
        let ours = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).unwrap();
        grantpt(&ours).unwrap();
        unlockpt(&ours).unwrap();
        let name = ptsname(&ours, Vec::new()).unwrap().into_string().unwrap();
        let noctty = rustix::fs::OFlags::NOCTTY.bits().cast_signed();
        let theirs = File::options()
            .read(true)
            .write(true)
            .custom_flags(noctty)
            .open(name);
        let (ours, theirs) = (File::from(ours), theirs.unwrap());
        let size = Winsize {
            ws_row: 24,
            ws_col: 80,
            ws_xpixel: 0,
            ws_ypixel: 0,
        };
        tcsetwinsize(&theirs, size).unwrap();
        let before = modes(&theirs);
        let stream = || theirs.try_clone().unwrap();
        let mut command = locklens();
        command.args(words).env("TERM", "xterm").current_dir(folder);
        command.stdin(stream()).stdout(stream()).stderr(stream());
        let command = command.spawn().unwrap();
        let shown = Arc::new(Mutex::new(String::new()));
        let (mut from, to) = (ours.try_clone().unwrap(), Arc::clone(&shown));
        std::thread::spawn(move || {
            let mut bytes = [0; 4096];
            while let Ok(read @ 1..) = from.read(&mut bytes) {
                *to.lock().unwrap() += &String::from_utf8_lossy(&bytes[..read]);
            }
        });
        Self {
            ours,
            theirs,
            before,
            command,
            shown,
        }
    }

    fn shows(&self, text: &str) -> bool {
        self.shown.lock().unwrap().contains(text)
    }

    fn press(&mut self, keys: &str) {
        self.ours.write_all(keys.as_bytes()).unwrap();
    }

    /// Waits for its end, and sees that the terminal is as it was; what was said after it was given back.
    #[track_caller]
    fn ended_with(mut self, status: i32) -> String {
        eventually("the command ends", || {
            self.command.try_wait().unwrap().is_some()
        });
        assert_eq!(self.command.wait().unwrap().code(), Some(status));
        assert_eq!(modes(&self.theirs), self.before);
        eventually("the terminal is given back", || self.shows("\u{1b}[?1049l"));
        let shown = self.shown.lock().unwrap().clone();
        let (_, after) = shown.rsplit_once("\u{1b}[?1049l").unwrap();
        assert!(after.contains("\u{1b}[?25h"), "the cursor: {after:?}");
        after.to_owned()
    }
}

impl Drop for OnTerminal {
    fn drop(&mut self) {
        let _ = self.command.kill();
        let _ = self.command.wait();
    }
}

/// What `stty -a` would say.
fn modes(terminal: &File) -> String {
    let modes = tcgetattr(terminal).unwrap();
    format!(
        "{:?} {:?} {:?} {:?}",
        modes.input_modes, modes.output_modes, modes.control_modes, modes.local_modes
    )
}

/// It shows the lock, and the terminal is its own.
fn shown(subject: &Subject, folder: &Path) -> OnTerminal {
    let terminal = OnTerminal::start(&["top", &subject.word(), "--interval", "200ms"], folder);
    eventually("it shows the lock", || {
        terminal.shows("PingPong at") || terminal.shows("PingPong.table")
    });
    let modes = tcgetattr(&terminal.theirs).unwrap().local_modes;
    assert!(!modes.intersects(LocalModes::ECHO | LocalModes::ICANON));
    terminal
}

#[test]
fn a_terminal_is_left_as_it_was_found_however_it_ends() {
    let folder = scratch("top-terminal");
    fs::create_dir_all(&folder).unwrap();
    let subject = subject();
    for keys in ["q", "\u{3}", "?xq"] {
        let mut terminal = shown(&subject, &folder);
        terminal.press(keys);
        terminal.ended_with(0);
    }
    for name in ["TERM", "HUP", "INT"] {
        let terminal = shown(&subject, &folder);
        signal(terminal.command.id(), name);
        terminal.ended_with(0);
    }
    let terminal = shown(&subject, &folder);
    drop(subject);
    let said = terminal.ended_with(4);
    assert!(said.contains("the target went away"), "{said:?}");
    assert_eq!(fs::read_dir(&folder).unwrap().count(), 0);
    fs::remove_dir(folder).unwrap();
}

#[test]
fn a_snapshot_is_a_trace() {
    let folder = scratch("top-snapshot");
    fs::create_dir_all(&folder).unwrap();
    let subject = subject();
    let mut terminal = shown(&subject, &folder);
    terminal.press("w");
    eventually("it says so", || terminal.shows("wrote locklens-PingPong-"));
    terminal.press("q");
    terminal.ended_with(0);
    let trace = fs::read_dir(&folder)
        .unwrap()
        .next()
        .unwrap()
        .unwrap()
        .path();
    let trace = trace.to_string_lossy().into_owned();
    run(&["report", &trace, "--json"])
        .ended_with(0)
        .printed("PingPong.table");
    // Of a few seconds it may not be certain who held it; that it was held up there is.
    run(&["contention", &trace, "--by", "lock,waiter-thread"])
        .ended_with(0)
        .printed("of ping")
        .printed("of pong");
    fs::remove_dir_all(folder).unwrap();
}
