//! Completions and pages, as the programs that read them find them.

use crate::rig::{run, scratch};
use std::ffi::OsStr;
use std::fs;
use std::path::Path;
use std::process::Command;

/// What bash offers for words under way, the last of which is not finished.
fn offered(script: &Path, words: &[&str]) -> Vec<String> {
    let ask = "source \"$0\"
        f=$(complete -p locklens) && f=${f#*-F } && f=${f%% *} || exit 9
        COMP_WORDS=(\"$@\"); COMP_CWORD=$(($# - 1)); COMPREPLY=()
        \"$f\" locklens \"${COMP_WORDS[COMP_CWORD]}\" \"${COMP_WORDS[COMP_CWORD - 1]}\"
        printf '%s\\n' \"${COMPREPLY[@]}\"";
    let output = Command::new("bash")
        .args(["--norc", "-c", ask])
        .arg(script)
        .args(words)
        .output()
        .expect("bash");
    assert!(output.status.success(), "{words:?}: {output:?}");
    let text = String::from_utf8(output.stdout).unwrap();
    text.lines().map(str::to_owned).collect()
}

#[test]
fn bash_completes_commands_options_and_values() {
    let path = scratch("completion.bash");
    let script = run(&["completions", "bash"]).ended_with(0).stdout;
    fs::write(&path, script).unwrap();
    for (words, wanted) in [
        (&["locklens", "dead"][..], &["deadlocks"][..]),
        (&["locklens", "record", "--max-o"], &["--max-overhead"]),
        (&["locklens", "report", "--js"], &["--json"]),
        (&["locklens", "export", "--to", "perf"], &["perfetto"]),
        (&["locklens", "completions", "p"], &["powershell"]),
    ] {
        assert_eq!(offered(&path, words), wanted, "{words:?}");
    }
    fs::remove_file(path).unwrap();
}

#[test]
fn every_shell_gets_a_script_that_knows_every_command() {
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let script = run(&["completions", shell]).ended_with(0).stdout;
        for word in ["record", "deadlocks", "max-overhead"] {
            assert!(script.contains(word), "{shell}: {word}");
        }
    }
    run(&["completions", "cmd.exe"]).ended_with(2).said("zsh");
}

/// What groff complains of, and the page it makes, if there is a groff here.
fn formatted(page: &Path) -> Option<(String, String)> {
    let output = Command::new("groff")
        .args(["-man", "-Tutf8", "-ww", "-z"])
        .arg(page)
        .output()
        .ok()?;
    assert!(output.status.success(), "{page:?}: {output:?}");
    let seen = Command::new("groff")
        .args(["-man", "-Tutf8", "-P-cbou", "-rLL=200n"])
        .arg(page)
        .output()
        .ok()?;
    let complaints = String::from_utf8_lossy(&output.stderr).into_owned();
    Some((
        complaints,
        String::from_utf8_lossy(&seen.stdout).into_owned(),
    ))
}

#[test]
fn pages_are_written_for_every_command_and_formatted_without_a_complaint() {
    let folder = scratch("man").join("man1");
    let name = folder.to_string_lossy().into_owned();
    run(&["man", "-o", &name]).ended_with(0).said("pages in");
    let pages: Vec<_> = fs::read_dir(&folder).unwrap().flatten().collect();
    assert!(pages.len() > 25, "{pages:?}");
    for page in pages {
        let path = page.path();
        assert_eq!(path.extension(), Some(OsStr::new("1")));
        let stem = path.file_stem().unwrap().to_string_lossy().into_owned();
        let command = stem
            .strip_prefix("locklens")
            .expect("ours")
            .trim_start_matches('-');
        let Some((complaints, text)) = formatted(&path) else {
            continue;
        };
        assert_eq!(complaints, "", "{path:?}");
        // An example of its help stands in it as it can be typed.
        let help =
            run(&[command, "--help"].map(|word| if word.is_empty() { "-h" } else { word })).stdout;
        let example = help
            .lines()
            .find(|line| line.starts_with("  locklens "))
            .unwrap_or_else(|| panic!("{help}"));
        assert!(text.contains(example.trim()), "{example:?} not in {text}");
    }
    let one = scratch("one");
    let name = one.to_string_lossy().into_owned();
    run(&["man", "record", "-o", &name]).ended_with(0);
    let files: Vec<_> = fs::read_dir(&one).unwrap().flatten().collect();
    assert_eq!(files.len(), 1, "{files:?}");
    fs::remove_dir_all(one).unwrap();
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn a_page_is_printed_by_the_name_of_its_command() {
    run(&["man"]).ended_with(0).printed(".TH locklens 1");
    run(&["man", "record"])
        .ended_with(0)
        .printed(".TH locklens-record 1");
    run(&["man", "reccord"])
        .ended_with(2)
        .said("there is no command");
}
