//! Every class of a JDK's base library, held against an independent parser.

use locklens_classfile::class::{ClassFile, Code};
use locklens_classfile::code::instructions;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// A directory of class files, removed at the end.
struct Classes(PathBuf);

impl Drop for Classes {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// Extracts the base library of a JDK; none if this is not one, or one without its tools.
fn extract(home: &Path) -> Option<Classes> {
    static NEXT: std::sync::atomic::AtomicU32 = std::sync::atomic::AtomicU32::new(0);
    let id = NEXT.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
    let name = format!("locklens-classes-{}-{id}", std::process::id());
    let dir = Classes(std::env::temp_dir().join(name));
    fs::create_dir_all(&dir.0).expect("directory");
    let rt = home.join("jre/lib/rt.jar");
    let mut command = if rt.exists() {
        let mut jar = Command::new(home.join("bin/jar"));
        jar.current_dir(&dir.0)
            .arg("xf")
            .arg(rt)
            .arg("java")
            .arg("sun/misc");
        jar
    } else {
        let mut jimage = Command::new(home.join("bin/jimage"));
        jimage
            .arg("extract")
            .arg("--include")
            .arg("regex:/java.base/.*");
        jimage
            .arg("--dir")
            .arg(&dir.0)
            .arg(home.join("lib/modules"));
        jimage
    };
    let done = command.stdout(Stdio::null()).stderr(Stdio::null()).status();
    done.is_ok_and(|status| status.success()).then_some(dir)
}

fn homes() -> Vec<PathBuf> {
    let mut homes: Vec<PathBuf> = Vec::new();
    if let Some(list) = std::env::var_os("LOCKLENS_JDKS") {
        homes.extend(std::env::split_paths(&list));
    }
    homes.extend(std::env::var_os("JAVA_HOME").map(PathBuf::from));
    let mut parents = vec![PathBuf::from("/usr/lib/jvm")];
    if let Some(home) = std::env::var_os("HOME") {
        parents.push(Path::new(&home).join(".cache/locklens/jdks"));
    }
    for entries in parents.into_iter().filter_map(|dir| fs::read_dir(dir).ok()) {
        homes.extend(entries.flatten().map(|entry| entry.path()));
    }
    homes.retain(|home| home.join("bin/javac").exists());
    let mut homes: Vec<PathBuf> = homes
        .iter()
        .filter_map(|h| fs::canonicalize(h).ok())
        .collect();
    homes.sort();
    homes.dedup();
    homes
}

fn walk(dir: &Path, each: &mut impl FnMut(&Path)) {
    for entry in fs::read_dir(dir).expect("readable").flatten() {
        let path = entry.path();
        if path.is_dir() {
            walk(&path, each);
        } else if path.extension().is_some_and(|e| e == "class") {
            each(&path);
        }
    }
}

#[test]
fn every_method_of_every_jdk_is_read_as_another_parser_reads_it() {
    let mut jdks = 0;
    for home in homes() {
        let Some(classes) = extract(&home) else {
            continue;
        };
        let (mut files, mut insns) = (0, 0);
        walk(&classes.0, &mut |path| {
            let bytes = fs::read(path).expect("readable");
            insns += compare(path, &bytes);
            files += 1;
        });
        assert!(files > 1000 && insns > 500_000, "{home:?}: {files} {insns}");
        jdks += 1;
    }
    assert!(jdks > 0, "no JDK found: install one, or set LOCKLENS_JDKS");
}

/// Compares one class; the number of its instructions.
fn compare(path: &Path, bytes: &[u8]) -> usize {
    let ours = ClassFile::parse(bytes).unwrap_or_else(|error| panic!("{path:?} {error}"));
    let theirs = cafebabe::parse_class(bytes).unwrap_or_else(|error| panic!("{path:?} {error}"));
    assert_eq!(
        ours.pool.class(ours.this_class),
        Some(&*theirs.this_class.to_string()),
        "{path:?}"
    );
    assert_eq!(ours.methods.len(), theirs.methods.len(), "{path:?}");
    let mut insns = 0;
    for (our, their) in ours.methods.iter().zip(&theirs.methods) {
        assert_eq!(ours.pool.utf8(our.name), Some(&*their.name), "{path:?}");
        let their_code = their.attributes.iter().find_map(|a| match &a.data {
            cafebabe::attributes::AttributeData::Code(code) => Some(code),
            _ => None,
        });
        let our_code = ours.code(our);
        assert_eq!(our_code.is_some(), their_code.is_some(), "{path:?}");
        if let (Some(our_code), Some(their_code)) = (our_code, their_code) {
            insns += compare_code(path, &our_code, their_code);
        }
    }
    insns
}

fn compare_code(
    path: &Path,
    ours: &Code<'_>,
    theirs: &cafebabe::attributes::CodeData<'_>,
) -> usize {
    let bcis: Vec<usize> = instructions(ours.bytes)
        .map(|insn| insn.unwrap_or_else(|error| panic!("{path:?} {error}")))
        .map(|insn| usize::from(insn.bci))
        .collect();
    let bytecode = theirs.bytecode.as_ref().expect("parsed");
    let their_bcis: Vec<usize> = bytecode.opcodes.iter().map(|(bci, _)| *bci).collect();
    assert_eq!(bcis, their_bcis, "{path:?}");
    assert_eq!(
        ours.handlers.len(),
        theirs.exception_table.len(),
        "{path:?}"
    );
    bcis.len()
}
