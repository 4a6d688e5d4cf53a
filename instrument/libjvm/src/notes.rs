//! The notes of an ELF file: who built it, and its probe points (`.note.stapsdt`).

use crate::elf::number;

/// A probe point as its note says it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Point {
    /// Where its no-operation stands.
    pub(crate) address: u64,
    /// Address of `.stapsdt.base` when the note was written.
    pub(crate) base: u64,
    pub(crate) provider: String,
    pub(crate) name: String,
    /// Where its arguments are, as an assembler would write it.
    pub(crate) arguments: String,
}

/// The descriptions in a section of notes, by the owner's name and kind.
fn descriptions<'a>(section: &'a [u8], owner: &[u8], kind: u64) -> Vec<&'a [u8]> {
    let mut found = Vec::new();
    let mut rest = section;
    while let Some((is_it, description, after)) = first(rest, owner, kind) {
        if is_it {
            found.push(description);
        }
        rest = after;
    }
    found
}

fn first<'a>(notes: &'a [u8], owner: &[u8], kind: u64) -> Option<(bool, &'a [u8], &'a [u8])> {
    let length = |at| usize::try_from(number(notes, at, 4)?).ok();
    let (name, description) = (length(0)?, length(4)?);
    let padded = |length: usize| length.checked_next_multiple_of(4);
    let from = 12_usize.checked_add(padded(name)?)?;
    let end = from.checked_add(description)?;
    let next = from.checked_add(padded(description)?)?;
    let is_it = number(notes, 8, 4)? == kind && notes.get(12..12 + name)? == owner;
    let after = notes.get(next..).unwrap_or_default();
    Some((is_it, notes.get(from..end)?, after))
}

/// The number of a build.
pub(crate) fn build_id(section: &[u8]) -> Option<Vec<u8>> {
    const BUILD_ID: u64 = 3;
    let found = descriptions(section, b"GNU\0", BUILD_ID);
    found.first().map(|id| id.to_vec())
}

/// The probe points.
pub(crate) fn points(section: &[u8]) -> Vec<Point> {
    const PROBE: u64 = 3;
    let found = descriptions(section, b"stapsdt\0", PROBE);
    found.into_iter().filter_map(point).collect()
}

fn point(description: &[u8]) -> Option<Point> {
    let mut texts = description.get(24..)?.split(|&byte| byte == 0);
    let mut text = || Some(String::from_utf8_lossy(texts.next()?).into_owned());
    Some(Point {
        address: number(description, 0, 8)?,
        base: number(description, 8, 8)?,
        provider: text()?,
        name: text()?,
        arguments: text()?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn note(owner: &[u8], kind: u32, description: &[u8]) -> Vec<u8> {
        let mut note = Vec::new();
        for n in [owner.len() as u32, description.len() as u32, kind] {
            note.extend(n.to_le_bytes());
        }
        for part in [owner, description] {
            note.extend(part);
            note.resize(note.len().next_multiple_of(4), 0);
        }
        note
    }

    #[test]
    fn a_point_between_others_is_read() {
        let mut description: Vec<u8> = [0x1234_u64, 0x99, 0]
            .iter()
            .flat_map(|n| n.to_le_bytes())
            .collect();
        description.extend(b"hotspot\0monitor__notify\0-8@%r13 8@%rbx\0");
        let mut section = note(b"GNU\0", 3, &[1, 2, 3]);
        section.extend(note(b"stapsdt\0", 3, &description));
        let [point] = &points(&section)[..] else {
            panic!("one point");
        };
        assert_eq!((point.address, point.base), (0x1234, 0x99));
        assert_eq!(point.name, "monitor__notify");
        assert_eq!(point.arguments, "-8@%r13 8@%rbx");
        assert_eq!(build_id(&section), Some(vec![1, 2, 3]));
    }

    #[test]
    fn a_note_cut_off_is_none() {
        let section = note(b"stapsdt\0", 3, &[0; 40]);
        for end in 0..section.len() - 4 {
            assert!(points(&section[..end]).is_empty());
        }
        assert!(points(&[0xff; 64]).is_empty());
    }
}
