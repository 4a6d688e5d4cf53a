//! What is known of a JVM without attaching to it.
//!
//! Sources, best first: the counters the JVM publishes itself, its command line, the `release` file
//! of its JDK.

use std::fmt;
use std::io::{self, Read};
use std::time::Duration;

use crate::cgroup;
use crate::command_line::{self, CommandLine};
use crate::maps::{Mapping, mappings};
use crate::namespace;
use crate::options::{AMONG_ITS_ARGUMENTS, Source};
use crate::perfdata::{self, PerfData};
use crate::process::Process;
use crate::root::Root;
use crate::status::Status;
use crate::user;

/// Argfiles, release files and counters are small; whatever is longer is something else.
const SMALL_FILE: u64 = 4 << 20;
/// An exported symbol every HotSpot has and no other VM.
const HOTSPOT_SYMBOL: &[u8] = b"gHotSpotVMStructs";

/// A process id as this machine's `/proc` shows it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Pid(pub u32);

impl fmt::Display for Pid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// Which virtual machine a process runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum VmKind {
    /// OpenJDK's, the one whose protocol is spoken here.
    HotSpot,
    /// Eclipse OpenJ9, whose protocol is another.
    OpenJ9,
    /// Another.
    Unknown,
    /// Not known: we have no right to look at it.
    NotPermitted,
}

impl fmt::Display for VmKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            VmKind::HotSpot => "HotSpot",
            VmKind::OpenJ9 => "OpenJ9",
            VmKind::Unknown => "an unknown VM",
            VmKind::NotPermitted => "not permitted",
        })
    }
}

/// A JVM as it was when we looked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Jvm {
    /// Its pid here.
    pub pid: Pid,
    /// Its pid as it knows it itself.
    pub ns_pid: u32,
    /// Effective user id, in our user namespace.
    pub uid: u32,
    /// Effective group id, in our user namespace.
    pub gid: u32,
    /// The user's name on this machine.
    pub user: Option<String>,
    /// Such as `17.0.15` or `1.8.0_504`.
    pub version: Option<String>,
    /// Main class, `module/class`, jar or source file, as typed; where a program that embeds the JVM
    /// gave it no name, the program's own.
    pub main: Option<String>,
    /// The program's arguments.
    pub args: Vec<String>,
    /// Whether it has another pid or mount namespace than we.
    pub foreign_namespace: bool,
    /// Short id or name of its container, as far as its control group tells.
    pub container: Option<String>,
    /// Which virtual machine it is.
    pub vm: VmKind,
}

/// Why a process is not described as a JVM.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum NoJvm {
    Gone,
    Other,
}

/// Describes a process if it is a JVM.
pub(crate) fn examine(pid: Pid) -> Result<Jvm, NoJvm> {
    let process = Process::new(pid);
    let status = process
        .status()
        .ok()
        .filter(|s| !s.ended())
        .ok_or(NoJvm::Gone)?;
    let (vm, maps) = match process.maps() {
        Ok(maps) => (vm_kind(&process, &maps).ok_or(NoJvm::Other)?, maps),
        Err(e) if e.kind() == io::ErrorKind::PermissionDenied => (unseen(&process)?, String::new()),
        Err(_) => return Err(NoJvm::Gone),
    };
    Ok(describe(pid, &process, &status, vm, &maps))
}

/// Which VM has its code mapped in a process; `None` if none has.
pub(crate) fn vm_kind(process: &Process, maps: &str) -> Option<VmKind> {
    let mut library = None;
    let mut telltale = false;
    for mapping in mappings(maps) {
        if mapping.executable && mapping.file_name().starts_with("libj9vm") {
            return Some(VmKind::OpenJ9);
        }
        if is_libjvm(&mapping) {
            library = Some(mapping.path.to_owned());
        }
        // Only HotSpot writes these two.
        telltale |= mapping.path.contains("/hsperfdata_") || mapping.path.ends_with(".jsa");
    }
    let path = process.path_in_target(&library?);
    if telltale {
        return Some(VmKind::HotSpot);
    }
    Some(match exports_hotspot(process, &path) {
        Ok(true) => VmKind::HotSpot,
        Err(e) if e.kind() == io::ErrorKind::PermissionDenied => VmKind::NotPermitted,
        Ok(false) | Err(_) => VmKind::Unknown,
    })
}

/// The counters of a JVM, if it publishes any.
pub(crate) fn counters(process: &Process, root: &Root, maps: &str) -> Option<PerfData> {
    counters_at(root, &published(process, maps)?)
}

/// Where it publishes them, as it would write it itself.
pub(crate) fn published(process: &Process, maps: &str) -> Option<String> {
    let mapping = mappings(maps).find(|m| !m.deleted && m.path.contains("/hsperfdata_"))?;
    Some(process.path_in_target(mapping.path))
}

/// The counters in this file.
pub(crate) fn counters_at(root: &Root, path: &str) -> Option<PerfData> {
    PerfData::parse(&root.read(path, SMALL_FILE).ok()?)
}

/// Whether a process says in its counters that it has come to the end of its start-up; none if it has no such file.
pub(crate) fn filled_in(process: &Process, root: &Root, maps: &str) -> Option<bool> {
    let bytes = root.read(&published(process, maps)?, SMALL_FILE).ok()?;
    perfdata::is_filled_in(&bytes)
}

/// The command line, with its argfiles read as the target would.
pub(crate) fn command_line(process: &Process, root: Option<&Root>) -> CommandLine {
    let read = |name: &str| {
        let path = absolute(process, name)?;
        let bytes = root?.read(&path, SMALL_FILE).ok()?;
        Some(String::from_utf8_lossy(&bytes).into_owned())
    };
    command_line::parse(&process.command_line(), &read)
}

/// Every place a process has options from, in the order in which they count.
pub(crate) fn option_sources(process: &Process, root: &Root) -> Vec<Source> {
    let variable = |name, place| {
        process
            .variable(name)
            .map(|text| Source::variable(place, &text))
    };
    let counters = process
        .maps()
        .ok()
        .and_then(|maps| counters(process, root, &maps));
    let counter = |name| counters.as_ref().and_then(|c| c.text(name));
    let launcher_reads_it =
        !counter("java.property.java.version").is_some_and(|v| v.starts_with("1."));
    [
        variable("JAVA_TOOL_OPTIONS", "in JAVA_TOOL_OPTIONS"),
        variable("JDK_JAVA_OPTIONS", "in JDK_JAVA_OPTIONS").filter(|_| launcher_reads_it),
        counter("java.rt.vmArgs").map(|text| Source::variable(AMONG_ITS_ARGUMENTS, text)),
        Some(Source {
            place: "on the command line",
            options: command_line(process, Some(root)).options,
        }),
        variable("_JAVA_OPTIONS", "in _JAVA_OPTIONS"),
    ]
    .into_iter()
    .flatten()
    .collect()
}

/// How long a JVM has been there, to a second; none if that cannot be read.
#[must_use]
pub fn age_of(jvm: &Jvm) -> Option<Duration> {
    Process::new(jvm.pid).age().ok()
}

/// The options a JVM was started with, from every place it takes some from; one may stand there twice.
pub fn options_of(jvm: &Jvm) -> Vec<String> {
    let process = Process::new(jvm.pid);
    let sources = Root::of(&process).map(|root| option_sources(&process, &root));
    let all = sources.unwrap_or_default().into_iter();
    all.flat_map(|source| source.options).collect()
}

/// The main class, jar or module that a command line names, launcher first, which is to be run from here.
pub fn main_of(words: &[String]) -> Option<String> {
    let read = |name: &str| std::fs::read_to_string(name).ok();
    command_line::parse(words, &read).main
}

/// A path the target would resolve against its working directory, made absolute in its tree.
pub(crate) fn absolute(process: &Process, path: &str) -> Option<String> {
    if path.starts_with('/') {
        return Some(path.to_owned());
    }
    let cwd = std::fs::read_link(process.path("cwd")).ok()?;
    Some(format!("{}/{path}", process.path_in_target(cwd.to_str()?)))
}

fn describe(pid: Pid, process: &Process, status: &Status, vm: VmKind, maps: &str) -> Jvm {
    let root = Root::of(process).ok();
    let counters = root.as_ref().and_then(|root| counters(process, root, maps));
    let (main, args) = main_and_args(process, root.as_ref(), counters.as_ref());
    Jvm {
        pid,
        ns_pid: status.ns_pid(),
        uid: status.uid,
        gid: status.gid,
        user: user::name(status.uid),
        version: version(process, root.as_ref(), counters.as_ref(), maps),
        main,
        args,
        foreign_namespace: namespace::foreign(process, &status.ns_pids),
        container: process
            .cgroup()
            .ok()
            .and_then(|text| cgroup::container(&text)),
        vm,
    }
}

/// Whether its library lies where that of JDK 8 does, in a folder for the architecture.
pub(crate) fn is_of_8(process: &Process) -> bool {
    let Ok(maps) = process.maps() else {
        return false;
    };
    let library = mappings(&maps).find(is_libjvm);
    library.is_some_and(|library| library.path.contains("/lib/amd64/"))
}

fn is_libjvm(mapping: &Mapping<'_>) -> bool {
    mapping.executable && mapping.file_name() == "libjvm.so"
}

/// A process we may not look into counts as a JVM if its program says so.
fn unseen(process: &Process) -> Result<VmKind, NoJvm> {
    let launcher = process
        .command_line()
        .into_iter()
        .next()
        .unwrap_or_default();
    match is_java(&launcher) {
        true => Ok(VmKind::NotPermitted),
        false => Err(NoJvm::Other),
    }
}

fn is_java(path: &str) -> bool {
    path.rsplit('/').next() == Some("java")
}

/// Where the launcher is `java`, what was typed is what the command line says; for any other
/// launcher the JVM's own account is better, and the words on its command line mean what only it
/// knows.
fn main_and_args(
    process: &Process,
    root: Option<&Root>,
    counters: Option<&PerfData>,
) -> (Option<String>, Vec<String>) {
    let argv = process.command_line();
    let launcher = argv.first().is_some_and(|path| is_java(path));
    let program = process.program();
    if launcher || program.as_deref().is_some_and(is_java) {
        let line = command_line(process, root);
        if line.main.is_some() {
            return (line.main, line.args);
        }
    }
    let command = counters.and_then(|counters| counters.text("sun.rt.javaCommand"));
    match command.map(|command| command_line::from_java_command(command, &argv)) {
        Some((Some(main), args)) => (Some(main), args),
        _ => (program, argv.into_iter().skip(1).collect()),
    }
}

fn version(
    process: &Process,
    root: Option<&Root>,
    counters: Option<&PerfData>,
    maps: &str,
) -> Option<String> {
    let published = counters.and_then(|c| c.text("java.property.java.version"));
    published
        .map(str::to_owned)
        .or_else(|| released(process, root?, maps))
}

/// The version in the JDK's `release` file, unless the library has been replaced since it was
/// mapped: then the file speaks of the successor.
fn released(process: &Process, root: &Root, maps: &str) -> Option<String> {
    let library = mappings(maps).find(|m| is_libjvm(m) && !m.deleted)?;
    let path = process.path_in_target(library.path);
    let homes = std::path::Path::new(&path).ancestors().skip(2).take(5);
    homes
        .filter_map(|home| root.read(home.join("release").to_str()?, SMALL_FILE).ok())
        .find_map(|bytes| {
            let text = String::from_utf8_lossy(&bytes).into_owned();
            let value = text
                .lines()
                .find_map(|line| line.strip_prefix("JAVA_VERSION="))?;
            Some(value.trim().trim_matches('"').to_owned())
        })
}

/// Whether a library exports the symbol; names are near the front of the file.
fn exports_hotspot(process: &Process, path: &str) -> io::Result<bool> {
    let mut file = Root::of(process)?.file(path)?.take(256 << 20);
    let mut window = Vec::new();
    loop {
        let kept = window.len().min(HOTSPOT_SYMBOL.len());
        window.drain(..window.len() - kept);
        if file.by_ref().take(1 << 20).read_to_end(&mut window)? == 0 {
            return Ok(false);
        }
        if window
            .windows(HOTSPOT_SYMBOL.len())
            .any(|w| w == HOTSPOT_SYMBOL)
        {
            return Ok(true);
        }
    }
}
