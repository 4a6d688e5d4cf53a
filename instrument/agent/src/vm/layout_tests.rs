//! `sys` against the `jvmti.h` of every JDK found: a C program prints what the compiler makes of it.

use super::sys::{
    self, Callbacks, Capabilities, FrameInfo, GroupInfo, LineEntry, MonitorUsage, StackInfo,
    ThreadInfo, capability, event, state,
};
use crate::jdk;
use std::collections::HashMap;
use std::fmt::Write as _;
use std::mem::offset_of;
use std::path::Path;
use std::process::Command;

/// (name, C expression, our value).
type Fact = (String, String, usize);

fn facts() -> Vec<Fact> {
    let mut facts: Vec<Fact> = Vec::new();
    let mut add = |name: &str, expression: String, ours: usize| {
        facts.push((name.to_owned(), expression, ours));
    };
    for (name, number) in sys::FUNCTIONS {
        let entry = format!("offsetof(struct jvmtiInterface_1_, {name}) / sizeof(void*) + 1");
        add(name, entry, *number);
    }
    for (name, bit) in capability::ALL {
        add(name, format!("BIT({name})"), *bit);
    }
    for (name, bits) in state::ALL {
        add(name, (*name).to_owned(), *bits as usize);
    }
    for (constant, callback, number) in event::ALL {
        add(constant, (*constant).to_owned(), *number as usize);
        let slot = format!("offsetof(jvmtiEventCallbacks, {callback}) / sizeof(void*) + 50");
        add(callback, slot, *number as usize);
    }
    for (field, offset) in [
        ("jvmtiFrameInfo, method", offset_of!(FrameInfo, method)),
        ("jvmtiFrameInfo, location", offset_of!(FrameInfo, location)),
        (
            "jvmtiLineNumberEntry, start_location",
            offset_of!(LineEntry, start),
        ),
        (
            "jvmtiLineNumberEntry, line_number",
            offset_of!(LineEntry, line),
        ),
        ("jvmtiThreadInfo, name", offset_of!(ThreadInfo, name)),
        (
            "jvmtiThreadInfo, is_daemon",
            offset_of!(ThreadInfo, is_daemon),
        ),
        (
            "jvmtiThreadInfo, thread_group",
            offset_of!(ThreadInfo, group),
        ),
        (
            "jvmtiThreadInfo, context_class_loader",
            offset_of!(ThreadInfo, context_loader),
        ),
        (
            "jvmtiThreadGroupInfo, parent",
            offset_of!(GroupInfo, parent),
        ),
        ("jvmtiThreadGroupInfo, name", offset_of!(GroupInfo, name)),
        ("jvmtiMonitorUsage, owner", offset_of!(MonitorUsage, owner)),
        (
            "jvmtiMonitorUsage, waiters",
            offset_of!(MonitorUsage, waiters),
        ),
        (
            "jvmtiMonitorUsage, notify_waiters",
            offset_of!(MonitorUsage, notify_waiters),
        ),
        (
            "jvmtiStackInfo, frame_buffer",
            offset_of!(StackInfo, frames),
        ),
        (
            "jvmtiStackInfo, frame_count",
            offset_of!(StackInfo, frame_count),
        ),
    ] {
        add(field, format!("offsetof({field})"), offset);
    }
    for (name, size) in [
        ("jvmtiFrameInfo", size_of::<FrameInfo>()),
        ("jvmtiLineNumberEntry", size_of::<LineEntry>()),
        ("jvmtiThreadInfo", size_of::<ThreadInfo>()),
        ("jvmtiThreadGroupInfo", size_of::<GroupInfo>()),
        ("jvmtiMonitorUsage", size_of::<MonitorUsage>()),
        ("jvmtiStackInfo", size_of::<StackInfo>()),
        ("jvmtiCapabilities", size_of::<Capabilities>()),
    ] {
        add(name, format!("sizeof({name})"), size);
    }
    facts
}

/// What is newer than some JDKs.
fn may_be_missing(name: &str) -> bool {
    name.to_lowercase()
        .replace('_', "")
        .contains("virtualthread")
}

fn program(header: &str, facts: &[Fact]) -> String {
    let mut source = String::from(
        "#include <jvmti.h>\n#include <stddef.h>\n#include <stdio.h>\n#include <string.h>\n\
         static size_t bit(const unsigned char *set) {\n\
           for (size_t i = 0; i < 128; i++) if (set[i / 8] >> (i % 8) & 1) return i;\n\
           return 999;\n}\n\
         #define BIT(f) (memset(&caps, 0, sizeof caps), caps.f = 1, bit((unsigned char *)&caps))\n\
         int main(void) {\n  jvmtiCapabilities caps;\n",
    );
    for (name, expression, _) in facts {
        let word = name.rsplit([' ', ',']).next().unwrap_or(name);
        if header.contains(word) {
            let _ = writeln!(
                source,
                "  printf(\"%s=%zu\\n\", \"{name}\", (size_t)({expression}));"
            );
        }
    }
    source + "  return 0;\n}\n"
}

fn theirs(include: &Path, source: &str, dir: &Path) -> HashMap<String, usize> {
    let (c, exe) = (dir.join("layout.c"), dir.join("layout"));
    std::fs::write(&c, source).expect("written");
    let compiled = Command::new("cc")
        .arg("-I")
        .arg(include)
        .arg("-I")
        .arg(include.join("linux"))
        .arg(&c)
        .arg("-o")
        .arg(&exe)
        .status();
    assert!(compiled.expect("a C compiler").success());
    let output = Command::new(&exe).output().expect("runs").stdout;
    let text = String::from_utf8(output).expect("ASCII");
    text.lines()
        .filter_map(|line| line.split_once('='))
        .map(|(name, value)| (name.to_owned(), value.parse().expect("a number")))
        .collect()
}

#[test]
fn our_tables_are_those_of_every_jdk() {
    let facts = facts();
    for jdk in jdk::Jdk::all() {
        let include = jdk.home.join("include");
        let Ok(header) = std::fs::read_to_string(include.join("jvmti.h")) else {
            continue;
        };
        let dir = std::env::temp_dir().join(format!(
            "locklens-layout-{}-{}",
            std::process::id(),
            jdk.major
        ));
        std::fs::create_dir_all(&dir).expect("directory");
        let theirs = theirs(&include, &program(&header, &facts), &dir);
        std::fs::remove_dir_all(&dir).expect("removed");
        for (name, _, ours) in &facts {
            match theirs.get(name) {
                Some(value) => assert_eq!(value, ours, "{name} on {}", jdk.major),
                None => assert!(may_be_missing(name), "{name} is not in {}", jdk.major),
            }
        }
    }
    assert_eq!(size_of::<Callbacks>(), 39 * size_of::<usize>());
}
