//! The probe class in every JVM there is: it verifies and initialises.

use super::arena::Arena;
use super::probe::{Jvm, class_file, class_name};
use crate::jdk;
use std::path::Path;
use std::process::Command;

const MAIN: &str = "public class Load { public static void main(String[] a) throws Exception { \
    Class.forName(a[0], true, null); System.out.print(\"fine\"); } }";

fn java(jdk: &jdk::Jdk, dir: &Path, class: &str) -> String {
    let boot = match jdk.major {
        8 => format!("-Xbootclasspath/a:{}", dir.display()),
        _ => format!("--patch-module=java.base={}", dir.display()),
    };
    let (javac, main) = (jdk.tool("javac"), dir.join("Load.java"));
    let compiled = Command::new(javac).arg("-d").arg(dir).arg(main).status();
    assert!(compiled.expect("javac runs").success());
    let output = Command::new(jdk.tool("java"))
        .args(["-Xmx32m", "-Xverify:all", &boot, "-cp"])
        .arg(dir)
        .args(["Load", class])
        .output()
        .expect("java runs");
    let said = [output.stdout, output.stderr].concat();
    String::from_utf8_lossy(&said).into_owned()
}

#[test]
fn every_jvm_verifies_and_initialises_the_class() {
    let arena = Arena::within(1 << 20, 2).expect("memory");
    let addresses = arena.addresses();
    let name = class_name(&addresses);
    for jdk in jdk::Jdk::all() {
        let dir = format!("locklens-probe-{}-{}", std::process::id(), jdk.major);
        let dir = std::env::temp_dir().join(dir);
        std::fs::create_dir_all(dir.join("java/lang")).expect("directory");
        let jvm = Jvm {
            modular: jdk.major > 8,
            recent: jdk.major > 13,
            has_virtual: jdk.major > 20,
        };
        let bytes = class_file(&addresses, jvm).expect("written");
        std::fs::write(dir.join(format!("{name}.class")), bytes).expect("written");
        std::fs::write(dir.join("Load.java"), MAIN).expect("written");
        let said = java(&jdk, &dir, &name.replace('/', "."));
        std::fs::remove_dir_all(&dir).expect("removed");
        assert!(said.contains("fine"), "JDK {}: {said}", jdk.major);
    }
}
