//! What `/proc/PID/maps` says: which files a process has mapped.

use crate::jvm::Jvm;
use crate::process::Process;

const DELETED: &str = " (deleted)";

/// One line of a maps file that names a file.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Mapping<'a> {
    /// Path, without the mark of a file that has been removed since.
    pub(crate) path: &'a str,
    /// Whether code may run from it: a debugger that reads symbols maps without.
    pub(crate) executable: bool,
    /// Whether the file has been removed or replaced since.
    pub(crate) deleted: bool,
}

impl Mapping<'_> {
    /// The last part of the path.
    pub(crate) fn file_name(&self) -> &str {
        self.path.rsplit('/').next().unwrap_or(self.path)
    }
}

/// The file mappings of a maps file, in its order; lines of another form are passed over.
pub(crate) fn mappings(text: &str) -> impl Iterator<Item = Mapping<'_>> {
    text.lines().filter_map(mapping)
}

fn mapping(line: &str) -> Option<Mapping<'_>> {
    let (_range, rest) = line.split_once(' ')?;
    let (permissions, _) = rest.split_once(' ')?;
    let start = line.find('/')?;
    let path = &line[start..];
    let live = path.strip_suffix(DELETED);
    Some(Mapping {
        path: live.unwrap_or(path),
        executable: permissions.as_bytes().get(2) == Some(&b'x'),
        deleted: live.is_some(),
    })
}

/// The path, as the target sees it, of an already mapped library whose file name contains `needle`.
/// A library that has been removed from disk since it was mapped is found too.
pub fn mapped_library(jvm: &Jvm, needle: &str) -> Option<String> {
    let process = Process::new(jvm.pid);
    let maps = process.maps().ok()?;
    let found = mappings(&maps).find(|m| m.executable && m.file_name().contains(needle))?;
    Some(process.path_in_target(found.path))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn paths_with_blanks_and_deleted_files() {
        let text = "7f00-7f01 r-xp 00000000 fe:00 315152   /a b/libx.so (deleted)\n\
                    7f01-7f02 rw-p 00000000 00:00 0 \n\
                    7f02-7f03 rw-p 00000000 00:00 0        [heap]\n\
                    7f03-7f04 rw-s 00000000 fe:00 9986049  /tmp/hsperfdata_root/1\n";
        let found: Vec<_> = mappings(text).collect();
        assert_eq!(
            found,
            [
                Mapping {
                    path: "/a b/libx.so",
                    executable: true,
                    deleted: true
                },
                Mapping {
                    path: "/tmp/hsperfdata_root/1",
                    executable: false,
                    deleted: false
                },
            ]
        );
        assert_eq!(found[0].file_name(), "libx.so");
    }

    proptest! {
        #[test]
        fn no_text_makes_it_panic(text in "(?s).{0,200}") {
            let _ = mappings(&text).count();
        }
    }
}
