//! Lets the agent load where the C library is older than that of the machine it is built on: JVMs in containers of
//! long-lived distributions.
//!
//! A linker binds a function to the newest version of it that the build machine's glibc has: since 2.34, which took
//! libpthread and libdl in, to `GLIBC_2.34` for everything about threads, although nothing has changed in it but the
//! place. So these functions are linked against stand-ins for the two libraries with the versions they have had since
//! there is x86-64. At run time the real ones are found, in either place: new versions of glibc keep the old names.
//! What is used only where it exists (weakly) is bound to no version at all. See also `src/old_glibc.rs`.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// A library and its functions: name on the linker's command line, name at run time, versions.
struct StandIn {
    link_name: &'static str,
    soname: &'static str,
    /// In version order, each with its functions.
    versions: &'static [(&'static str, &'static [&'static str])],
    /// Bound to no version, in whatever library they are.
    unversioned: &'static [&'static str],
}

const STAND_INS: [StandIn; 2] = [
    StandIn {
        link_name: "pthread",
        soname: "libpthread.so.0",
        versions: &[
            (
                "GLIBC_2.2.5",
                &[
                    "pthread_attr_getguardsize",
                    "pthread_attr_getstack",
                    "pthread_attr_setstacksize",
                    "pthread_create",
                    "pthread_detach",
                    "pthread_getattr_np",
                    "pthread_join",
                    "pthread_key_create",
                    "pthread_key_delete",
                    "pthread_setspecific",
                    "pthread_sigmask",
                ],
            ),
            ("GLIBC_2.12", &["pthread_setname_np"]),
        ],
        unversioned: &["__cxa_thread_atexit_impl", "getrandom", "gettid", "statx"],
    },
    StandIn {
        link_name: "dl",
        soname: "libdl.so.2",
        versions: &[("GLIBC_2.2.5", &["dladdr", "dlclose", "dlopen", "dlsym"])],
        unversioned: &[],
    },
];

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    if env::var("TARGET").as_deref() != Ok("x86_64-unknown-linux-gnu") {
        return;
    }
    let out = PathBuf::from(env::var_os("OUT_DIR").expect("cargo sets OUT_DIR"));
    for library in &STAND_INS {
        make(library, &out);
    }
    println!("cargo::rustc-link-search=native={}", out.display());
}

fn make(library: &StandIn, out: &Path) {
    let source = out.join(format!("{}.s", library.link_name));
    let map = out.join(format!("{}.map", library.link_name));
    fs::write(&source, assembly(library)).expect("OUT_DIR can be written");
    fs::write(&map, version_script(library)).expect("OUT_DIR can be written");
    let linker = env::var_os("RUSTC_LINKER").unwrap_or_else(|| "cc".into());
    let status = Command::new(&linker)
        .args(["-shared", "-nostdlib", "-o"])
        .arg(out.join(format!("lib{}.so", library.link_name)))
        .arg(format!("-Wl,-soname,{}", library.soname))
        .arg(format!("-Wl,--version-script={}", map.display()))
        .arg(&source)
        .status()
        .unwrap_or_else(|error| panic!("{}: {error}", linker.display()));
    assert!(status.success(), "{} failed", linker.display());
}

/// The functions, without bodies: nothing here is ever run.
fn assembly(library: &StandIn) -> String {
    let versioned = library.versions.iter().flat_map(|(_, names)| *names);
    versioned
        .chain(library.unversioned)
        .map(|name| format!(".globl {name}\n.type {name},@function\n{name}: ret\n"))
        .chain([".section .note.GNU-stack,\"\",@progbits\n".to_owned()])
        .collect()
}

fn version_script(library: &StandIn) -> String {
    let node = |(version, names): &(&str, &[&str])| {
        format!("{version} {{ global: {}; }};\n", names.join("; "))
    };
    library.versions.iter().map(node).collect()
}
