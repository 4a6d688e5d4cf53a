//! A JDK on this machine, for the bundled demonstration: its launcher and its compiler.

use std::env;
use std::path::{Path, PathBuf};

/// Folders with one JDK in each of their folders, most trusted first.
const COLLECTIONS: [&str; 4] = [
    "/usr/lib/jvm",
    "/usr/java",
    "/opt/java",
    "/Library/Java/JavaVirtualMachines",
];
/// The same under the home directory.
const COLLECTIONS_AT_HOME: [&str; 4] = [
    ".cache/locklens/jdks",
    ".sdkman/candidates/java",
    ".jdks",
    ".local/share/mise/installs/java",
];

/// An installed JDK.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Jdk {
    home: PathBuf,
}

impl Jdk {
    /// The JDK a user of this machine would expect: JAVA_HOME, then PATH, then the usual folders.
    pub(crate) fn find() -> Option<Self> {
        let named = env::var_os("JAVA_HOME").map(PathBuf::from);
        named
            .into_iter()
            .chain(on_path())
            .chain(installed())
            .find_map(|home| Self::at(&home))
    }

    /// The JDK at `home`, if there is a whole one.
    fn at(home: &Path) -> Option<Self> {
        let homes = [home.to_path_buf(), home.join("Contents/Home")];
        homes
            .into_iter()
            .map(|home| Self { home })
            .find(|jdk| jdk.java().is_file() && jdk.javac().is_file())
    }

    /// The launcher.
    pub(crate) fn java(&self) -> PathBuf {
        self.home.join("bin/java")
    }

    /// The compiler.
    pub(crate) fn javac(&self) -> PathBuf {
        self.home.join("bin/javac")
    }
}

/// The JDK whose `javac` the PATH leads to, through the links of package managers.
fn on_path() -> Option<PathBuf> {
    let path = env::var_os("PATH")?;
    let javac = env::split_paths(&path)
        .map(|dir| dir.join("javac"))
        .find(|javac| javac.is_file())?;
    Some(javac.canonicalize().ok()?.parent()?.parent()?.to_path_buf())
}

fn installed() -> Vec<PathBuf> {
    let home = env::var_os("HOME").map(PathBuf::from);
    let at_home = home
        .iter()
        .flat_map(|home| COLLECTIONS_AT_HOME.map(|folder| home.join(folder)));
    COLLECTIONS
        .iter()
        .map(PathBuf::from)
        .chain(at_home)
        .flat_map(|folder| folders_in(&folder))
        .collect()
}

/// In the order of their names, so that the choice is the same every time.
fn folders_in(folder: &Path) -> Vec<PathBuf> {
    let Ok(entries) = folder.read_dir() else {
        return Vec::new();
    };
    let mut folders: Vec<_> = entries.flatten().map(|entry| entry.path()).collect();
    folders.sort();
    folders
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_runtime_without_a_compiler_is_no_jdk() {
        assert_eq!(Jdk::at(Path::new("/nowhere")), None);
        assert_eq!(folders_in(Path::new("/nowhere")), Vec::<PathBuf>::new());
    }
}
