//! What a test subject says of itself: the `// @…` lines at its top (testapps/README.md).

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// One Java program with what must be found in it.
pub(crate) struct Subject {
    /// Source file.
    pub(crate) source: PathBuf,
    /// Main class.
    pub(crate) main: String,
    /// Locks that must be found.
    pub(crate) locks: Vec<Expected>,
}

/// One logical lock that must be found.
#[derive(Clone, Default)]
pub(crate) struct Expected {
    /// Binary name of a class of its objects.
    pub(crate) class: String,
    /// A method that one of its regions is in.
    pub(crate) method: Option<String>,
    /// Types.
    pub(crate) types: BTreeSet<String>,
    /// Parameters.
    pub(crate) details: BTreeMap<String, String>,
    /// `Class.method` of the regions of each role.
    pub(crate) roles: BTreeMap<String, BTreeSet<String>>,
    /// Watching shows too little of it.
    pub(crate) quiet: bool,
}

impl Subject {
    /// Reads a source file; none if it expects nothing.
    pub(crate) fn read(source: &Path) -> Option<Self> {
        let text = std::fs::read_to_string(source).ok()?;
        let mut locks: Vec<Expected> = Vec::new();
        for line in text.lines().filter_map(|l| l.trim().strip_prefix("// @")) {
            let words: Vec<_> = line.split_whitespace().collect();
            if let ["lock", name, ..] = words[..] {
                locks.push(Expected::of(name));
            } else {
                locks.last_mut()?.add(&words);
            }
        }
        let main = source.file_stem()?.to_str()?.to_owned();
        (!locks.is_empty()).then(|| Self {
            source: source.to_owned(),
            main,
            locks,
        })
    }

    /// Folder and main class: programs of different authors may share a name.
    pub(crate) fn name(&self) -> String {
        let folder = self.source.parent().and_then(Path::file_name);
        let folder = folder.map_or_else(String::new, |f| f.to_string_lossy().into_owned());
        format!("{folder}.{}", self.main)
    }

    /// Every subject below a folder, by name.
    pub(crate) fn below(folder: &Path) -> Vec<Self> {
        let sources = super::launch::sources(folder);
        sources
            .iter()
            .filter_map(|source| Self::read(source))
            .collect()
    }
}

impl Expected {
    fn of(name: &str) -> Self {
        let (class, method) = match name.split_once('#') {
            Some((class, method)) => (class, Some(method.to_owned())),
            None => (name, None),
        };
        Self {
            class: class.to_owned(),
            method,
            ..Self::default()
        }
    }

    fn add(&mut self, words: &[&str]) {
        match words {
            ["type", types, details @ ..] => {
                self.types = types.split('+').map(str::to_owned).collect();
                let pairs = details.iter().filter_map(|d| d.split_once('='));
                self.details = pairs
                    .map(|(k, v)| (k.to_owned(), v.replace('-', " ")))
                    .collect();
            }
            ["role", role, places @ ..] => {
                let places = places.iter().map(|p| p.trim_end_matches(',').to_owned());
                self.roles
                    .entry((*role).to_owned())
                    .or_default()
                    .extend(places);
            }
            ["quiet", ..] => self.quiet = true,
            _ => {}
        }
    }
}
