//! A part of every JDK through the rewriter, the verifier and both compilers: the classes of
//! `java.util`, which the JVM then runs on. `--example corpus` does the same with all there are.

mod jvm;

#[path = "jvm/corpus.rs"]
mod corpus;

fn java_util_stays_sound(hash: bool) {
    for jdk in jvm::jdks() {
        let options = corpus::Options {
            prefix: "java/util/",
            hash,
            ..corpus::Options::default()
        };
        let report = corpus::check(&jdk, &options);
        assert!(report.is_good(), "{report}");
        assert!(report.classes > 300 && report.changed > 20, "{report}");
        assert!(report.sites > 500, "{report}");
    }
}

#[test]
fn locks_and_atomics_are_verified_with_probes_around_every_access() {
    for jdk in jvm::jdks() {
        let options = corpus::Options {
            prefix: "java/util/concurrent/",
            accesses: true,
            compile: false,
            ..corpus::Options::default()
        };
        let report = corpus::check(&jdk, &options);
        assert!(report.is_good(), "{report}");
        assert!(report.classes > 100 && report.sites > 3_000, "{report}");
    }
}

#[test]
fn java_util_is_verified_and_compiled_on_every_jdk() {
    java_util_stays_sound(false);
}

#[test]
fn java_util_is_verified_and_compiled_with_hashes_taken_early() {
    java_util_stays_sound(true);
}
