//! Builds the agent library, so that the command can carry it inside itself.
//!
//! A nested cargo does it, with a target directory of its own under `OUT_DIR`: sharing the outer
//! one would wait for ever on the lock the outer cargo holds. The agent is always built in
//! release mode, whatever the command is built in: it runs inside somebody else's program.

use std::env;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Variables of the outer cargo that would leak into the nested one: another target directory,
/// clippy as the compiler, coverage flags in a library that must load into a foreign process.
const NOT_INHERITED: &[&str] = &[
    "RUSTC_WORKSPACE_WRAPPER",
    "CARGO_ENCODED_RUSTFLAGS",
    "RUSTFLAGS",
    "CARGO_TARGET_DIR",
    "CARGO_BUILD_TARGET_DIR",
    "CARGO_BUILD_TARGET",
    "CARGO_BUILD_RUSTFLAGS",
    "CARGO_MAKEFLAGS",
    "MAKEFLAGS",
    "CLIPPY_ARGS",
];

fn main() {
    let out = PathBuf::from(var("OUT_DIR"));
    let workspace = PathBuf::from(var("CARGO_MANIFEST_DIR")).join("../..");
    let target = env::var("TARGET").expect("cargo sets TARGET");
    let target_dir = out.join("agent");

    build_agent(&workspace, &target_dir, &target);
    let built = target_dir.join(&target).join("release");
    let library = built.join("liblocklens_agent.so");
    let bytes = fs::read(&library)
        .unwrap_or_else(|e| panic!("the agent was built, but {}: {e}", library.display()));

    println!("cargo::rustc-env=LOCKLENS_AGENT_SO={}", library.display());
    println!(
        "cargo::rustc-env=LOCKLENS_AGENT_HASH={:016x}",
        fnv1a(&bytes)
    );
    rerun_when_agent_changes(&workspace, &built.join("liblocklens_agent.d"));
}

fn var(name: &str) -> OsString {
    env::var_os(name).unwrap_or_else(|| panic!("cargo sets {name}"))
}

fn build_agent(workspace: &Path, target_dir: &Path, target: &str) {
    let mut cargo = Command::new(var("CARGO"));
    cargo
        .args(["build", "--release", "--package", "locklens-agent"])
        .arg("--manifest-path")
        .arg(workspace.join("Cargo.toml"))
        .arg("--target-dir")
        .arg(target_dir)
        .args(["--target", target])
        // Symbols would only make the file larger that is written into the target's /tmp.
        .env("CARGO_PROFILE_RELEASE_STRIP", "symbols")
        .env("CARGO_PROFILE_RELEASE_DEBUG", "0");
    for name in NOT_INHERITED {
        cargo.env_remove(name);
    }
    let status = cargo.status().expect("cargo can be started again");
    assert!(
        status.success(),
        "building the agent library failed: {status}"
    );
}

/// Names every source file the agent was built from, as its dependency file lists them.
fn rerun_when_agent_changes(workspace: &Path, dependency_file: &Path) {
    println!("cargo::rerun-if-changed=build.rs");
    for manifest in [
        "Cargo.toml",
        "Cargo.lock",
        "instrument/agent/Cargo.toml",
        "instrument/trace/Cargo.toml",
        "instrument/classfile/Cargo.toml",
        "instrument/rewrite/Cargo.toml",
        "instrument/libjvm/Cargo.toml",
    ] {
        println!(
            "cargo::rerun-if-changed={}",
            workspace.join(manifest).display()
        );
    }
    let listed = fs::read_to_string(dependency_file).unwrap_or_default();
    for source in sources(&listed) {
        println!("cargo::rerun-if-changed={source}");
    }
}

/// The prerequisites of a make rule; blanks inside a name are written `\ `.
fn sources(rule: &str) -> Vec<String> {
    let Some((_, prerequisites)) = rule.lines().next().and_then(|l| l.split_once(": ")) else {
        return Vec::new();
    };
    prerequisites
        .replace("\\ ", "\0")
        .split(' ')
        .filter(|name| !name.is_empty())
        .map(|name| name.replace('\0', " "))
        .collect()
}

/// A content hash for the library's file name. Not a defence: it only tells builds apart.
fn fnv1a(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, &byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    })
}
