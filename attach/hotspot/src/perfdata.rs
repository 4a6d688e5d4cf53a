//! The counters HotSpot publishes in a mapped file (`hsperfdata_USER/PID`): what a JVM says of
//! itself without being asked.
//!
//! Pure. A JVM run with `-XX:-UsePerfData` or `-XX:+PerfDisableSharedMem` has none.

use std::collections::BTreeMap;

const MAGIC: [u8; 4] = [0xca, 0xfe, 0xc0, 0xc0];
const LITTLE_ENDIAN: u8 = 1;
const TYPE_BYTE: u8 = b'B';
const TYPE_LONG: u8 = b'J';

/// The counters of one JVM, as far as they could be read.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct PerfData {
    texts: BTreeMap<String, String>,
    numbers: BTreeMap<String, i64>,
    /// Bytes of names and texts so far.
    taken: usize,
}

/// Whether a JVM says in its file that others may read it, which it does at the end of its start-up; none if these
/// bytes are no such file.
pub(crate) fn is_filled_in(bytes: &[u8]) -> Option<bool> {
    let is_file = bytes.get(..4)? == MAGIC && *bytes.get(4)? == LITTLE_ENDIAN;
    let accessible = *bytes.get(7)?;
    is_file.then_some(accessible != 0)
}

impl PerfData {
    /// Reads the bytes of a counter file; entries behind a damaged one are left out. `None` when
    /// the bytes are no such file, or the JVM has not filled it in yet.
    pub(crate) fn parse(bytes: &[u8]) -> Option<PerfData> {
        if !is_filled_in(bytes)? {
            return None;
        }
        let (mut at, entries) = (offset(bytes, 24)?, offset(bytes, 28)?);
        let mut data = PerfData::default();
        for _ in 0..entries {
            // Entries that overlap, which no JVM writes, could take the whole file each.
            match data.entry(bytes, at) {
                Some(length) if length > 0 && data.taken <= bytes.len() => {
                    at = at.checked_add(length)?
                }
                _ => break,
            }
        }
        Some(data)
    }

    /// A text counter; empty ones count as absent.
    pub(crate) fn text(&self, name: &str) -> Option<&str> {
        self.texts
            .get(name)
            .map(String::as_str)
            .filter(|t| !t.is_empty())
    }

    /// A number counter.
    pub(crate) fn number(&self, name: &str) -> Option<i64> {
        self.numbers.get(name).copied()
    }

    /// The first flag of `sun.rt.jvmCapabilities` says whether this JVM can be attached to.
    pub(crate) fn attach_supported(&self) -> Option<bool> {
        let flags = self.text("sun.rt.jvmCapabilities")?;
        Some(!flags.starts_with('0'))
    }

    /// Whether the JVM has come to the end of its own start-up.
    pub(crate) fn started(&self) -> bool {
        self.number("sun.rt.createVmEndTime")
            .is_some_and(|at| at > 0)
    }

    /// Takes in the entry at `at` and gives its length.
    fn entry(&mut self, bytes: &[u8], at: usize) -> Option<usize> {
        let entry = bytes.get(at..)?;
        let length = offset(entry, 0)?;
        let name = until_nul(entry.get(offset(entry, 4)?..)?);
        self.taken += name.len();
        let elements = offset(entry, 8)?;
        let value = entry.get(offset(entry, 16)?..)?;
        match (*entry.get(12)?, elements) {
            (TYPE_BYTE, 1..) => {
                let text = until_nul(value.get(..elements)?);
                self.taken += text.len();
                self.texts.insert(name, text);
            }
            (TYPE_LONG, 0) => {
                let number = i64::from_le_bytes(value.get(..8)?.try_into().ok()?);
                self.numbers.insert(name, number);
            }
            _ => {}
        }
        Some(length)
    }
}

fn offset(bytes: &[u8], at: usize) -> Option<usize> {
    let field = bytes.get(at..at.checked_add(4)?)?;
    usize::try_from(i32::from_le_bytes(field.try_into().ok()?)).ok()
}

fn until_nul(bytes: &[u8]) -> String {
    let end = bytes.iter().position(|b| *b == 0).unwrap_or(bytes.len());
    String::from_utf8_lossy(&bytes[..end]).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn header(entries: i32) -> Vec<u8> {
        let mut bytes = vec![0xca, 0xfe, 0xc0, 0xc0, 1, 2, 0, 1];
        bytes.extend([0; 16]);
        bytes.extend(32i32.to_le_bytes());
        bytes.extend(entries.to_le_bytes());
        bytes
    }

    fn entry(name: &str, kind: u8, elements: usize, value: &[u8]) -> Vec<u8> {
        let data_at = 20 + name.len() + 1;
        let length = data_at + value.len();
        let mut bytes = Vec::new();
        for n in [length, 20, elements] {
            bytes.extend((n as i32).to_le_bytes());
        }
        bytes.extend([kind, 0, 0, 0]);
        bytes.extend((data_at as i32).to_le_bytes());
        bytes.extend(name.bytes().chain([0]).chain(value.iter().copied()));
        bytes
    }

    fn file() -> Vec<u8> {
        let mut bytes = header(3);
        bytes.extend(entry("sun.rt.jvmCapabilities", b'B', 4, b"0100"));
        bytes.extend(entry(
            "sun.rt.createVmEndTime",
            b'J',
            0,
            &7i64.to_le_bytes(),
        ));
        bytes.extend(entry("sun.rt.javaCommand", b'B', 8, b"Main a\0\0"));
        bytes
    }

    #[test]
    fn texts_and_numbers_are_read() {
        let data = PerfData::parse(&file()).expect("a counter file");
        assert_eq!(data.text("sun.rt.javaCommand"), Some("Main a"));
        assert_eq!(data.attach_supported(), Some(false));
        assert!(data.started());
    }

    #[test]
    fn a_file_not_filled_in_yet_is_none() {
        let mut bytes = file();
        assert_eq!(is_filled_in(&bytes), Some(true));
        bytes[7] = 0;
        assert_eq!(PerfData::parse(&bytes), None);
        assert_eq!(is_filled_in(&bytes), Some(false));
        assert_eq!(is_filled_in(&bytes[..7]), None);
        assert_eq!(is_filled_in(b"no such file"), None);
    }

    #[test]
    fn a_cut_file_gives_what_is_whole() {
        let bytes = file();
        let data = PerfData::parse(&bytes[..bytes.len() - 5]).expect("a counter file");
        assert_eq!(data.text("sun.rt.javaCommand"), None);
        assert!(data.started());
    }

    #[test]
    fn entries_that_overlap_take_no_more_than_the_file_has() {
        const ENTRIES: usize = 1_000;
        let mut bytes = header(ENTRIES as i32);
        for number in 0..ENTRIES {
            let name = 24 * (ENTRIES - number) + number;
            for field in [24, name, 1] {
                bytes.extend((field as i32).to_le_bytes());
            }
            bytes.extend([TYPE_BYTE, 0, 0, 0]);
            bytes.extend(20i32.to_le_bytes());
            bytes.extend([0; 4]);
        }
        bytes.resize(bytes.len() + 100_000, b'x');
        let data = PerfData::parse(&bytes).expect("a counter file");
        assert!((1..3).contains(&data.texts.len()), "{}", data.texts.len());
    }

    proptest! {
        #[test]
        fn damage_never_makes_it_panic(at: prop::sample::Index, with: u8, cut: prop::sample::Index) {
            let mut bytes = file();
            let at = at.index(bytes.len());
            bytes[at] = with;
            bytes.truncate(cut.index(bytes.len() + 1));
            let _ = PerfData::parse(&bytes);
        }

        #[test]
        fn garbage_never_makes_it_panic(garbage: Vec<u8>, entries: i32) {
            let mut bytes = header(entries);
            bytes.extend(garbage);
            let _ = PerfData::parse(&bytes);
        }
    }
}
