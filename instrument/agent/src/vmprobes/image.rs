//! The JVM's library as it is mapped here, and its file: are they the same, and where do its parts lie?

use crate::structures::{Library, Memory};
use jni_sys::JavaVM;
use locklens_libjvm::{Points, find};
use std::fs::{self, File};

/// Pages are at least so large.
pub(super) const PAGE: u64 = 4096;

/// A library whose file and memory agree. Holding it entitles to change what [`Points`] names.
pub(super) struct Image {
    /// Where its addresses count from.
    pub(super) base: u64,
    pub(super) points: Points,
}

/// One line of the process's memory map.
struct Mapping<'a> {
    start: u64,
    end: u64,
    rights: &'a str,
    path: &'a str,
}

impl Image {
    /// Reads and compares; the error says why the probes must be left alone.
    pub(super) fn verified(jvm: *mut JavaVM, memory: &Memory) -> Result<Self, String> {
        let library = Library::of(jvm).ok_or("the JVM's library is not found")?;
        let base = library.base;
        let maps = fs::read_to_string("/proc/self/maps")
            .map_err(|error| format!("the process's memory map cannot be read: {error}"))?;
        let path = mapping_at(&maps, base).map(|mapping| mapping.path);
        let path = path.ok_or("the JVM's library is not in the memory map")?;
        let file = File::open(path).map_err(|error| format!("{path}: {error}"))?;
        let points = find(&file).map_err(|refusal| refusal.to_string())?;
        let image = Self { base, points };
        image.compare(memory)?;
        image.check_rights(&maps, path)?;
        Ok(image)
    }

    /// Where something of the library is.
    pub(super) fn address(&self, offset: u64) -> u64 {
        self.base.wrapping_add(offset)
    }

    /// What is mapped is what the file says, and nobody listens yet.
    fn compare(&self, memory: &Memory) -> Result<(), String> {
        let same = |at: u64, bytes: &[u8]| {
            memory.bytes(self.address(at), bytes.len()).as_deref() == Some(bytes)
        };
        let points = &self.points;
        if points.segments.iter().map(|s| s.address).min() != Some(0)
            || !same(points.build_id_at, &points.build_id)
        {
            return Err("the file of the JVM's library is not the one that is loaded".into());
        }
        if !points.sites.iter().all(|s| same(s.text_start, &s.text)) {
            return Err(
                "the JVM's code was changed in memory: another tool may be at its probes".into(),
            );
        }
        if !same(points.flag, &[0]) {
            return Err(
                "the flag DTraceMonitorProbes is set: somebody else uses the probes".into(),
            );
        }
        Ok(())
    }

    /// Code is mapped as code usually is, the flag as data; anything else is nothing we know how to leave as it was.
    fn check_rights(&self, maps: &str, path: &str) -> Result<(), String> {
        let has = |offset: u64, rights: &str| {
            let mapping = mapping_at(maps, self.address(offset));
            mapping.is_some_and(|mapping| mapping.rights == rights)
        };
        let code = self.points.sites.iter().all(|site| {
            let at = |offset: u64| mapping_at(maps, self.address(offset));
            let ours = |m: Mapping<'_>| m.rights == "r-xp" && m.path == path;
            at(site.displacement()).is_some_and(ours)
                && at(site.displacement() + 3).is_some_and(ours)
        });
        match code && has(self.points.flag, "rw-p") {
            true => Ok(()),
            false => Err("the JVM's library is mapped in an unusual way".into()),
        }
    }
}

fn mapping_at(maps: &str, address: u64) -> Option<Mapping<'_>> {
    maps.lines()
        .filter_map(mapping)
        .find(|m| (m.start..m.end).contains(&address))
}

/// `start-end rights offset device inode   path`
fn mapping(line: &str) -> Option<Mapping<'_>> {
    let (range, rest) = line.split_once(' ')?;
    let (start, end) = range.split_once('-')?;
    let number = |text| u64::from_str_radix(text, 16).ok();
    let path = rest.find('/').map_or("", |at| &rest[at..]);
    Some(Mapping {
        start: number(start)?,
        end: number(end)?,
        rights: rest.split(' ').next()?,
        path,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_of_the_map_is_read() {
        let maps = "\
7f00000-7f10000 r--p 00000000 fe:00 77   /a b/libjvm.so
7f10000-7f20000 rw-p 00000000 00:00 0 \n";
        let mapping = mapping_at(maps, 0x7f0_ffff).expect("mapped");
        assert_eq!((mapping.rights, mapping.path), ("r--p", "/a b/libjvm.so"));
        let mapping = mapping_at(maps, 0x7f1_0000).expect("mapped");
        assert_eq!((mapping.rights, mapping.path), ("rw-p", ""));
        assert!(mapping_at(maps, 0x7f2_0000).is_none());
    }
}
