//! `locklens list`: the JVMs that can be seen from here.

use crate::args::List;
use crate::exit::{Exit, Failure};
use crate::target::{name, user};
use crate::terminal;
use locklens_hotspot::{Jvm, VmKind, list};
use locklens_viz::clean;
use serde_json::{Value, json};
use std::io::{self, Write};

/// Longest version shown in the table.
const VERSION: usize = 16;

/// Prints them, by pid.
pub(crate) fn run(args: &List) -> Result<Exit, Failure> {
    let jvms = list();
    if jvms.is_empty() && !args.json {
        terminal::note("no JVM can be seen from here (those of other users only as root)");
    }
    terminal::print(|out| {
        if args.json {
            write_json(&jvms, out)
        } else {
            write_table(&jvms, out)
        }
    })
}

fn write_json(jvms: &[Jvm], out: &mut impl Write) -> io::Result<()> {
    let all: Vec<Value> = jvms.iter().map(as_json).collect();
    locklens_viz::json::pretty(&all, out)?;
    writeln!(out)
}

fn as_json(jvm: &Jvm) -> Value {
    json!({
        "pid": jvm.pid.0,
        "namespace_pid": jvm.ns_pid,
        "uid": jvm.uid,
        "user": jvm.user,
        "version": jvm.version,
        "main": jvm.main,
        "args": jvm.args,
        "foreign_namespace": jvm.foreign_namespace,
        "container": jvm.container,
        "vm": jvm.vm.to_string(),
    })
}

fn write_table(jvms: &[Jvm], out: &mut impl Write) -> io::Result<()> {
    if jvms.is_empty() {
        return Ok(());
    }
    let users = widest(jvms, user).max("USER".len());
    let versions = widest(jvms, version).max("VERSION".len());
    writeln!(
        out,
        "{:>7}  {:users$}  {:versions$}  MAIN",
        "PID", "USER", "VERSION"
    )?;
    for jvm in jvms {
        let (pid, user, version) = (jvm.pid.0, user(jvm), version(jvm));
        writeln!(
            out,
            "{pid:>7}  {user:users$}  {version:versions$}  {}{}",
            clean(name(jvm)),
            clean(&remark(jvm))
        )?;
    }
    Ok(())
}

fn widest(jvms: &[Jvm], cell: impl Fn(&Jvm) -> String) -> usize {
    jvms.iter()
        .map(|jvm| cell(jvm).chars().count())
        .max()
        .unwrap_or(0)
}

fn version(jvm: &Jvm) -> String {
    let version = clean(jvm.version.as_deref().unwrap_or("?"));
    version.chars().take(VERSION).collect()
}

/// What is unusual about it: another virtual machine, or one that is not ours to look at, another place.
fn remark(jvm: &Jvm) -> String {
    let vm = match jvm.vm {
        VmKind::HotSpot => String::new(),
        VmKind::NotPermitted => "  [no permission to look]".to_owned(),
        other => format!("  [{other}]"),
    };
    vm + &place(jvm)
}

/// Where the JVM is, if not here.
fn place(jvm: &Jvm) -> String {
    match &jvm.container {
        Some(container) => format!("  [container {container}]"),
        None if jvm.foreign_namespace => "  [another namespace]".to_string(),
        None => String::new(),
    }
}
