//! A target JVM, the attach protocol in its smallest form, and a command's end of the channel.

pub(crate) mod jdk;
pub(crate) mod trace;

use jdk::{Jdk, children};
use locklens_trace::read::{Item, Reader};
use locklens_trace::{EventKind, Record};
use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::thread;
use std::time::{Duration, Instant};

/// Longest time anything is waited for.
pub(crate) const DEADLINE: Duration = Duration::from_secs(60);

const SECRET: &str = "00112233445566778899aabbccddeeff";

/// Waits for a condition.
pub(crate) fn until(what: &str, mut condition: impl FnMut() -> bool) {
    let deadline = Instant::now() + DEADLINE;
    while !condition() {
        assert!(Instant::now() < deadline, "waited in vain for {what}");
        thread::sleep(Duration::from_millis(5));
    }
}

/// A directory of this test alone, removed at its end.
pub(crate) struct Scratch(PathBuf);

impl Scratch {
    pub(crate) fn new() -> Self {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        let name = format!(
            "locklens-agent-{}-{}",
            std::process::id(),
            NEXT.fetch_add(1, Ordering::Relaxed)
        );
        let dir = std::env::temp_dir().join(name);
        fs::create_dir_all(&dir).expect("scratch directory");
        Self(dir)
    }

    pub(crate) fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// The agent library as the last build made it: `cargo build` leaves it in one of these folders, `cargo test` in the other.
pub(crate) fn agent() -> PathBuf {
    let exe = std::env::current_exe().expect("own path");
    let deps = exe.parent().expect("deps directory");
    let near = [deps.parent().expect("target directory"), deps];
    let found = near
        .iter()
        .map(|dir| dir.join("liblocklens_agent.so"))
        .filter_map(|so| Some((fs::metadata(&so).ok()?.modified().ok()?, so)))
        .max();
    let found = found.map(|(_, so)| so);
    found.expect("the agent library is built with its tests")
}

/// Compiles a program of `tests/java` for a JDK.
pub(crate) fn compile(jdk: &Jdk, program: &str, into: &Path) {
    let source = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/java")
        .join(format!("{program}.java"));
    let status = Command::new(jdk.tool("javac"))
        .args(["-nowarn", "-g", "-d"])
        .arg(into)
        .arg(source)
        .stderr(Stdio::null())
        .status();
    assert!(status.expect("javac runs").success(), "javac {program}");
}

/// A running JVM, killed when dropped.
pub(crate) struct Target {
    child: Child,
    lines: BufReader<std::process::ChildStdout>,
}

impl Target {
    /// Starts a compiled program and waits until it says that it is ready.
    pub(crate) fn start(jdk: &Jdk, classes: &Path, program: &str, flags: &[&str]) -> Self {
        let mut target = Self::launch(jdk, classes, program, flags);
        // A busy machine makes the JVM itself print a warning now and then, before the program says anything.
        let mut said = Vec::new();
        loop {
            let mut line = String::new();
            let read = target.lines.read_line(&mut line).expect("readable output");
            assert!(read > 0, "the program is not ready: {said:?}");
            if line.trim_end() == "ready" {
                return target;
            }
            said.push(line);
        }
    }

    /// Starts a compiled program.
    pub(crate) fn launch(jdk: &Jdk, classes: &Path, program: &str, flags: &[&str]) -> Self {
        let mut child = Command::new(jdk.tool("java"))
            .args(["-Xmx64m", "-XX:+UseSerialGC"])
            .args(flags)
            .arg("-cp")
            .arg(classes)
            .arg(program)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("java runs");
        let lines = BufReader::new(child.stdout.take().expect("piped"));
        Self { child, lines }
    }

    /// Says a line to the program.
    pub(crate) fn tell(&mut self, line: &str) {
        let stdin = self.child.stdin.as_mut().expect("piped");
        stdin.write_all(line.as_bytes()).expect("readable");
        stdin.write_all(b"\n").expect("readable");
    }

    /// The next line the program prints.
    pub(crate) fn line(&mut self) -> String {
        let mut line = String::new();
        self.lines.read_line(&mut line).expect("readable output");
        line.trim_end().to_owned()
    }

    pub(crate) fn pid(&self) -> u32 {
        self.child.id()
    }

    /// Asks the JVM to end, as `kill` does.
    pub(crate) fn terminate(&self) {
        signal(self.pid(), libc::SIGTERM);
    }

    pub(crate) fn wait_for_exit(&mut self) {
        until("the target's exit", || {
            self.child.try_wait().expect("our child").is_some()
        });
    }

    /// Its exit status, once it has ended.
    pub(crate) fn exit_code(&mut self) -> Option<i32> {
        self.wait_for_exit();
        self.child.wait().expect("our child").code()
    }

    /// The rest of what it prints.
    pub(crate) fn rest(&mut self) -> String {
        let mut text = String::new();
        self.lines
            .read_to_string(&mut text)
            .expect("readable output");
        text
    }

    /// Mappings of its memory.
    pub(crate) fn maps(&self) -> usize {
        let maps = fs::read_to_string(format!("/proc/{}/maps", self.pid()));
        maps.expect("alive").lines().count()
    }

    /// Whether it still runs.
    pub(crate) fn is_alive(&mut self) -> bool {
        self.child.try_wait().expect("our child").is_none()
    }

    /// Loads the agent into the running JVM.
    pub(crate) fn load(&self, options: &str) -> String {
        let path = agent();
        let path = path.to_str().expect("plain path");
        let request = ["1", "load", path, "true", options].map(|arg| format!("{arg}\0"));
        let mut socket = self.attach_socket();
        socket
            .write_all(request.concat().as_bytes())
            .expect("request sent");
        let mut reply = String::new();
        let _ = socket.read_to_string(&mut reply);
        reply
    }

    fn attach_socket(&self) -> UnixStream {
        let pid = self.pid();
        let socket = Path::new("/tmp").join(format!(".java_pid{pid}"));
        if !socket.exists() {
            let trigger = Path::new("/tmp").join(format!(".attach_pid{pid}"));
            fs::write(&trigger, "").expect("attach file");
            signal(pid, libc::SIGQUIT);
            until("the attach socket", || socket.exists());
            let _ = fs::remove_file(trigger);
        }
        UnixStream::connect(socket).expect("attach socket")
    }

    /// Names of the JVM's threads as the system has them.
    pub(crate) fn threads(&self) -> Vec<String> {
        let tasks = children(Path::new(&format!("/proc/{}/task", self.pid())));
        let name = |task: PathBuf| fs::read_to_string(task.join("comm")).ok();
        let names = tasks.into_iter().filter_map(name);
        names.map(|name| name.trim_end().to_owned()).collect()
    }

    /// What its descriptors point to, apart from files and pipes.
    pub(crate) fn descriptors(&self) -> Vec<String> {
        let fds = children(Path::new(&format!("/proc/{}/fd", self.pid())));
        let target = |fd: PathBuf| fs::read_link(fd).ok();
        let mut targets: Vec<String> = fds
            .into_iter()
            .filter_map(target)
            .map(|target| target.to_string_lossy().into_owned())
            .collect();
        targets.sort();
        targets
    }

    /// Resident memory, bytes.
    pub(crate) fn resident(&self) -> u64 {
        let statm = fs::read_to_string(format!("/proc/{}/statm", self.pid()));
        let pages = statm
            .expect("alive")
            .split(' ')
            .nth(1)
            .map(str::parse::<u64>);
        pages.expect("two fields").expect("a number") * 4096
    }
}

impl Drop for Target {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
        // A killed JVM cannot remove its socket.
        let _ = fs::remove_file(format!("/tmp/.java_pid{}", self.pid()));
    }
}

fn signal(pid: u32, signal: i32) {
    let kill = Command::new("kill")
        .arg(format!("-{signal}"))
        .arg(pid.to_string())
        .status();
    assert!(kill.expect("kill runs").success());
}

/// The listening end of a command.
pub(crate) struct Station {
    listener: UnixListener,
    path: PathBuf,
}

/// What the agent says first.
#[derive(Debug)]
pub(crate) struct Hello {
    pub(crate) pid: u32,
    pub(crate) status: u8,
    pub(crate) message: String,
}

impl Station {
    pub(crate) fn new(dir: &Path) -> Self {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        let path = dir.join(format!("sock{}", NEXT.fetch_add(1, Ordering::Relaxed)));
        let listener = UnixListener::bind(&path).expect("listening socket");
        listener.set_nonblocking(true).expect("nonblocking");
        Self { listener, path }
    }

    /// Options that lead here.
    pub(crate) fn options(&self, more: &str) -> String {
        format!("sock={},secret={SECRET}{more}", self.path.display())
    }

    /// Waits for the agent and its hello.
    pub(crate) fn accept(&self) -> (Hello, UnixStream) {
        let mut accepted = None;
        until("the agent's connection", || {
            accepted = self.listener.accept().ok();
            accepted.is_some()
        });
        let (mut stream, _) = accepted.expect("just accepted");
        stream.set_nonblocking(false).expect("blocking");
        stream.set_read_timeout(Some(DEADLINE)).expect("timeout");
        let mut fixed = [0; 33];
        stream.read_exact(&mut fixed).expect("a hello");
        assert_eq!(&fixed[..8], b"LLAGENT1");
        assert_eq!(fixed[8..10], 1_u16.to_le_bytes());
        let secret: String = fixed[10..26].iter().map(|b| format!("{b:02x}")).collect();
        assert_eq!(secret, SECRET);
        let len = u16::from_le_bytes([fixed[31], fixed[32]]);
        let mut message = vec![0; len as usize];
        stream.read_exact(&mut message).expect("its message");
        let hello = Hello {
            pid: u32::from_le_bytes([fixed[26], fixed[27], fixed[28], fixed[29]]),
            status: fixed[30],
            message: String::from_utf8(message).expect("UTF-8"),
        };
        (hello, stream)
    }
}

/// Events of a kind, whatever their details.
pub(crate) fn count(records: &[Record], kind: EventKind) -> usize {
    let same = |record: &&Record| match record {
        Record::Event(event) => {
            std::mem::discriminant(&event.kind) == std::mem::discriminant(&kind)
        }
        _ => false,
    };
    records.iter().filter(same).count()
}

/// Reads until `enough`, then stops the recording and reads the rest.
pub(crate) fn record(stream: UnixStream, mut enough: impl FnMut(&[Record]) -> bool) -> Vec<Record> {
    let mut control = stream.try_clone().expect("second handle");
    let mut stopped = false;
    read(stream, |records, tick| {
        // Asked at every tick: five times a second.
        if tick && !stopped && enough(records) {
            control.write_all(b"S").expect("stop sent");
            stopped = true;
        }
    })
}

/// Reads to the end, showing what there is after each record, and whether that was a tick.
pub(crate) fn read(stream: UnixStream, mut each: impl FnMut(&[Record], bool)) -> Vec<Record> {
    let mut records = Vec::new();
    let deadline = Instant::now() + DEADLINE;
    for item in Reader::new(stream).expect("a trace") {
        match item {
            Item::Record(record) => records.push(record),
            // The agent had said its last when our word to stop arrived: unread, it resets the stream.
            Item::Gap(_) if matches!(records.last(), Some(Record::End(_))) => break,
            Item::Gap(gap) => panic!("a gap in a live stream: {gap:?}"),
        }
        let tick = matches!(records.last(), Some(Record::Tick(_)));
        each(&records, tick);
        assert!(
            Instant::now() < deadline,
            "waited in vain for the end of a recording"
        );
    }
    records
}
