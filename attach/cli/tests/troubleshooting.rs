//! The page of messages and the messages: what it quotes is said somewhere, and what attaching says is in it.

use std::fs;
use std::path::{Path, PathBuf};

/// Stands for particulars, in the page and here in messages.
const HOLE: char = '…';

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn page() -> String {
    fs::read_to_string(root().join("docs/troubleshooting.md")).unwrap()
}

/// What the page has entries for: the code at the beginning of headings and of list items, up to the text.
fn entries() -> Vec<String> {
    let page = page();
    let heads = page.lines().filter_map(|line| {
        let line = line.strip_prefix("### ").or(line.strip_prefix("- "))?;
        let quotes = line.starts_with('`') || line.contains(": `");
        quotes.then_some(line)
    });
    let spans = heads.flat_map(leading);
    spans.collect()
}

/// Code spans that stand together at the beginning.
fn leading(line: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut rest = line.strip_prefix("nothing was rewritten: ").unwrap_or(line);
    while let Some((span, behind)) = rest.strip_prefix('`').and_then(|rest| rest.split_once('`')) {
        found.push(span.to_owned());
        rest = behind.strip_prefix(", ").unwrap_or("");
    }
    found
}

/// Every Rust file below a folder.
fn sources(folder: &Path, into: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap().flatten() {
        let path = entry.path();
        match path.is_dir() {
            true => sources(&path, into),
            false if path.extension().is_some_and(|end| end == "rs") => into.push(path),
            false => {}
        }
    }
}

/// The text of the sources of a crate, tests at the end of files left out.
fn texts(krate: &str) -> Vec<String> {
    let mut paths = Vec::new();
    sources(&root().join(krate).join("src"), &mut paths);
    assert!(!paths.is_empty(), "{krate}");
    let whole = paths.iter().map(|path| fs::read_to_string(path).unwrap());
    whole
        .map(|text| {
            let end = text.find("#[cfg(test)]\nmod tests").unwrap_or(text.len());
            text[..end].to_owned()
        })
        .collect()
}

/// The first string from here on, as it is printed: holes for what is put in.
fn literal(text: &str) -> Option<(String, &str)> {
    let begin = text.find('"')? + 1;
    let mut said = String::new();
    let mut chars = text[begin..].char_indices();
    let mut depth = 0;
    while let Some((at, c)) = chars.next() {
        match c {
            '"' => return Some((said, &text[begin + at + 1..])),
            '\\' => match chars.next()?.1 {
                // The line goes on behind the blanks.
                '\n' => {
                    let rest = chars.as_str();
                    let blanks = rest.len() - rest.trim_start().len();
                    for _ in 0..blanks {
                        chars.next();
                    }
                }
                'n' => said.push('\n'),
                other => said.push(other),
            },
            '{' => {
                depth += 1;
                said.push(HOLE);
            }
            '}' => depth -= 1,
            other if depth == 0 => said.push(other),
            _ => {}
        }
    }
    None
}

/// All strings of a text.
fn literals(text: &str) -> Vec<String> {
    // Comments have quotes, too; characters may be one.
    let code: Vec<_> = text
        .lines()
        .filter(|line| !line.trim_start().starts_with("//"))
        .map(|line| line.replace("'\"'", "' '"))
        .collect();
    let code = code.join("\n");
    let mut rest = code.as_str();
    let mut all = Vec::new();
    while let Some((said, behind)) = literal(rest) {
        all.push(said);
        rest = behind;
    }
    all
}

/// Whether this is an entry for that message: a part of it, longer than a word.
fn explains(entry: &str, message: &str) -> bool {
    let fixed = entry.trim_end_matches(['…', ' ', '(', ':']);
    entry == message || fixed.chars().count() >= 8 && message.contains(fixed)
}

#[test]
fn what_the_page_quotes_is_said_by_the_sources() {
    let crates = [
        "attach/cli",
        "attach/hotspot",
        "instrument/agent",
        "instrument/trace",
        "viz",
    ];
    let said: Vec<_> = crates
        .iter()
        .flat_map(|krate| texts(krate))
        .flat_map(|text| literals(&text))
        .collect();
    let entries = entries();
    assert!(entries.len() > 60, "the page is not read: {entries:?}");
    let unsaid: Vec<_> = entries
        .iter()
        .filter(|entry| !said.iter().any(|message| explains(entry, message)))
        .collect();
    assert!(unsaid.is_empty(), "nobody says: {unsaid:#?}");
}

/// What is said where attaching fails: by the library that does it, and by the command.
fn refusals() -> Vec<String> {
    let library = texts("attach/hotspot");
    let command = texts("attach/cli");
    let marks = [
        (&library, "#[error("),
        (&command, "Failure::attach("),
        (&command, "Failure::interrupted("),
        (&command, "cut_short("),
        (&command, "const LOADING_IS_OFF: &str ="),
    ];
    let mut all = Vec::new();
    for (texts, mark) in marks {
        let before = all.len();
        for text in texts {
            // What is in parentheses there may be an error that has a text of its own.
            let calls = text
                .match_indices(mark)
                .map(|(at, _)| &text[at + mark.len()..]);
            all.extend(calls.filter_map(told_at_once));
        }
        assert!(all.len() > before, "nothing follows {mark}");
    }
    all
}

/// The string that is the argument, or in a `format_args!` that is.
fn told_at_once(text: &str) -> Option<String> {
    let plain = text.trim_start();
    let plain = plain
        .strip_prefix("format_args!(")
        .unwrap_or(plain)
        .trim_start();
    plain
        .starts_with('"')
        .then(|| literal(plain))?
        .map(|(said, _)| said)
}

#[test]
fn whatever_keeps_from_attaching_or_ends_a_recording_has_an_entry() {
    let entries = entries();
    let refusals = refusals();
    assert!(refusals.len() > 35, "{refusals:#?}");
    let unexplained: Vec<_> = refusals
        .iter()
        .filter(|message| !entries.iter().any(|entry| explains(entry, message)))
        .collect();
    assert!(unexplained.is_empty(), "no entry for: {unexplained:#?}");
}
