//! What the trace says of the JVM and of the recording before anything else.

use crate::clock;
use crate::recording::{Mode, Recording};
use crate::vm::Vm;
use locklens_trace::record::target_key;

/// The first record.
pub(super) fn target(
    vm: Vm<'_>,
    recording: &Recording,
    no_peek: Option<&String>,
) -> Vec<(String, String)> {
    let mut pairs = Vec::new();
    let mut add = |key: &str, value: Option<String>| {
        if let Some(value) = value {
            pairs.push((key.to_owned(), value));
        }
    };
    let elapsed = clock::monotonic().saturating_sub(recording.start);
    let mode = match recording.mode {
        Mode::Live => "live",
        Mode::Launch => "launch",
    };
    let pid = recording.options.pid.unwrap_or_else(std::process::id);
    add(target_key::PID, Some(pid.to_string()));
    add(target_key::VM_NAME, vm.property(c"java.vm.name"));
    add(target_key::VM_VERSION, vm.property(c"java.vm.version"));
    add(target_key::JAVA_VERSION, vm.java_property(c"java.version"));
    add(target_key::MAIN, program(vm));
    add(target_key::CPUS, vm.processors().map(|n| n.to_string()));
    let started = clock::wall().saturating_sub(elapsed);
    add(target_key::STARTED_UNIX_NS, Some(started.to_string()));
    add(target_key::MODE, Some(mode.to_owned()));
    add(target_key::EXACT, Some("false".to_owned()));
    add(
        target_key::STACK_DEPTH,
        Some(recording.options.depth.to_string()),
    );
    add(
        target_key::BUFFER_BYTES,
        Some(recording.options.buffer.to_string()),
    );
    add(
        target_key::OWNER,
        Some(no_peek.map_or("peek".to_owned(), Clone::clone)),
    );
    add(
        target_key::AGENT,
        Some(env!("CARGO_PKG_VERSION").to_owned()),
    );
    pairs
}

/// Main class or jar.
fn program(vm: Vm<'_>) -> Option<String> {
    let command = vm.property(c"sun.java.command")?;
    let class_path = vm.property(c"java.class.path").unwrap_or_default();
    Some(without_arguments(&command, &class_path).to_owned())
}

/// What stands behind the program may be a password. A jar is its own class path, and may have blanks in its name.
fn without_arguments<'c>(command: &'c str, class_path: &str) -> &'c str {
    let jar = command
        .strip_prefix(class_path)
        .filter(|rest| rest.is_empty() || rest.starts_with(' '))
        .map_or(0, |rest| command.len() - rest.len());
    match jar {
        0 => command.split(' ').next().unwrap_or_default(),
        length => &command[..length],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments_are_nobodys_business() {
        for (command, class_path, program) in [
            ("a.Main", "/opt/classes", "a.Main"),
            ("a.Main --password=x b.jar", "a.jar:b.jar", "a.Main"),
            ("app.jar --password=x", "app.jar", "app.jar"),
            ("/opt/my app.jar x", "/opt/my app.jar", "/opt/my app.jar"),
            ("app.jar", "app.jar", "app.jar"),
            ("app.jars x", "app.jar", "app.jars"),
            ("mod/a.Main x", "", "mod/a.Main"),
            ("", "", ""),
        ] {
            assert_eq!(without_arguments(command, class_path), program, "{command}");
        }
    }
}
