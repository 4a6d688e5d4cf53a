//! The parts of an ELF file that are needed: segments, sections, symbols by name. 64 bits, little-endian, x86-64.
//!
//! Every number in it is foreign: sums saturate or are checked, lists have an end, what does not fit is none.

use std::fs::File;
use std::os::unix::fs::FileExt;

/// Bytes that can be read from any place.
pub trait Bytes {
    /// Fills `into` with what lies at this offset; false if there is not so much.
    fn read(&self, at: u64, into: &mut [u8]) -> bool;
}

impl Bytes for [u8] {
    fn read(&self, at: u64, into: &mut [u8]) -> bool {
        let from = usize::try_from(at).ok().and_then(|at| self.get(at..));
        let Some(bytes) = from.and_then(|from| from.get(..into.len())) else {
            return false;
        };
        into.copy_from_slice(bytes);
        true
    }
}

impl Bytes for File {
    fn read(&self, at: u64, into: &mut [u8]) -> bool {
        self.read_exact_at(into, at).is_ok()
    }
}

/// Most sections, segments and bytes of a table that are looked at.
const MOST_HEADERS: u64 = 512;
const MOST_SYMBOLS: u64 = 4_000_000;
const MOST_NAMES: u64 = 256 << 20;
/// Bytes read at a time.
const BLOCK: usize = 1 << 16;

const X86_64: u64 = 62;
const SHARED_OBJECT: u64 = 3;
const LOADED: u64 = 1;
const EXECUTABLE: u64 = 1;
const SYMBOL_TABLE: u64 = 2;

/// A part of the file that is mapped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Segment {
    /// Where in the file.
    pub offset: u64,
    /// Where in memory, from the library's base on.
    pub address: u64,
    /// Bytes of the file.
    pub length: u64,
    /// Code.
    pub executable: bool,
}

/// A section.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Section {
    name: u64,
    kind: u64,
    pub(crate) address: u64,
    pub(crate) offset: u64,
    pub(crate) size: u64,
    link: u64,
}

/// A symbol.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Symbol {
    pub(crate) function: bool,
    pub(crate) address: u64,
    pub(crate) size: u64,
}

/// See the module.
pub(crate) struct Elf<'a, B: Bytes + ?Sized> {
    bytes: &'a B,
    pub(crate) segments: Vec<Segment>,
    sections: Vec<Section>,
    names: Option<Section>,
}

impl<'a, B: Bytes + ?Sized> Elf<'a, B> {
    /// Reads the headers; none if it is no library for x86-64.
    pub(crate) fn open(bytes: &'a B) -> Option<Self> {
        let mut head = [0; 64];
        let read = bytes.read(0, &mut head);
        let right = head.starts_with(b"\x7fELF\x02\x01")
            && number(&head, 16, 2)? == SHARED_OBJECT
            && number(&head, 18, 2)? == X86_64;
        if !read || !right {
            return None;
        }
        let list = |at, size, count| headers(bytes, (at, size, count));
        let segments = list(number(&head, 32, 8)?, 56, number(&head, 56, 2)?);
        let sections = list(number(&head, 40, 8)?, 64, number(&head, 60, 2)?);
        let names = number(&head, 62, 2)? as usize;
        let sections: Vec<Section> = sections.iter().filter_map(|h| section(h)).collect();
        Some(Self {
            bytes,
            segments: segments.iter().filter_map(|h| segment(h)).collect(),
            names: sections.get(names).copied(),
            sections,
        })
    }

    /// The section of a name.
    pub(crate) fn section(&self, wanted: &str) -> Option<Section> {
        let names = self.names?;
        let is_it = |section: &&Section| {
            let mut name = vec![0; wanted.len() + 1];
            self.bytes
                .read(names.offset.saturating_add(section.name), &mut name)
                && name.strip_suffix(&[0]) == Some(wanted.as_bytes())
        };
        self.sections.iter().find(is_it).copied()
    }

    /// What a section holds, if it is not too much.
    pub(crate) fn contents(&self, section: Section, most: u64) -> Option<Vec<u8>> {
        self.piece(section.offset, section.size.min(most + 1))
            .filter(|bytes| bytes.len() as u64 <= most)
    }

    fn piece(&self, offset: u64, length: u64) -> Option<Vec<u8>> {
        let mut bytes = vec![0; usize::try_from(length).ok()?];
        self.bytes.read(offset, &mut bytes).then_some(bytes)
    }

    /// The code at an address.
    pub(crate) fn code(&self, address: u64, length: u64) -> Option<Vec<u8>> {
        let holds = |s: &&Segment| {
            let within = address.checked_sub(s.address);
            let end = within.and_then(|at| at.checked_add(length));
            s.executable && end.is_some_and(|end| end <= s.length)
        };
        let segment = self.segments.iter().find(holds)?;
        let at = segment.offset.checked_add(address - segment.address)?;
        self.piece(at, length)
    }

    fn symbol_table(&self) -> Option<(Section, Section)> {
        let table = self.sections.iter().find(|s| s.kind == SYMBOL_TABLE)?;
        let names = self.sections.get(usize::try_from(table.link).ok()?)?;
        Some((*table, *names))
    }

    /// Whether there is a table of all symbols, also of those nobody else can link to.
    pub(crate) fn has_symbols(&self) -> bool {
        self.symbol_table().is_some()
    }

    /// The symbols of each of these names.
    pub(crate) fn symbols_named(&self, wanted: &[&str]) -> Vec<Vec<Symbol>> {
        let Some((table, names)) = self.symbol_table() else {
            return vec![Vec::new(); wanted.len()];
        };
        let places: Vec<_> = wanted.iter().map(|name| self.places(names, name)).collect();
        let mut found = vec![Vec::new(); wanted.len()];
        self.each_symbol(table, |name, symbol| {
            for (found, places) in found.iter_mut().zip(&places) {
                if places.contains(&name) && symbol.address != 0 {
                    found.push(symbol);
                }
            }
        });
        found
    }

    /// For each address the function that holds it.
    pub(crate) fn functions_at(&self, addresses: &[u64]) -> Vec<Option<Symbol>> {
        let mut found = vec![None; addresses.len()];
        if let Some((table, _)) = self.symbol_table() {
            self.each_symbol(table, |_, symbol| {
                for (found, address) in found.iter_mut().zip(addresses) {
                    let within = address.checked_sub(symbol.address);
                    if symbol.function && within.is_some_and(|at| at < symbol.size) {
                        *found = Some(symbol);
                    }
                }
            });
        }
        found
    }

    /// Where in a table of names this one stands; the end of a longer name is a name, too.
    fn places(&self, names: Section, wanted: &str) -> Vec<u64> {
        let needle: Vec<u8> = wanted.bytes().chain([0]).collect();
        let mut found = Vec::new();
        let end = names.size.min(MOST_NAMES);
        let mut at = 0;
        while at < end {
            let length = (end - at).min((BLOCK + needle.len()) as u64);
            let Some(block) = names
                .offset
                .checked_add(at)
                .and_then(|from| self.piece(from, length))
            else {
                break;
            };
            let starts = block.windows(needle.len()).take(BLOCK);
            let hits = starts.enumerate().filter(|(_, w)| *w == needle);
            found.extend(hits.map(|(i, _)| at + i as u64));
            at += BLOCK as u64;
        }
        found
    }

    fn each_symbol(&self, table: Section, mut each: impl FnMut(u64, Symbol)) {
        const SIZE: u64 = 24;
        const AT_ONCE: u64 = 2048;
        let count = (table.size / SIZE).min(MOST_SYMBOLS);
        let mut at = 0;
        while at < count {
            let some = (count - at).min(AT_ONCE);
            let from = table.offset.checked_add(at * SIZE);
            let Some(block) = from.and_then(|from| self.piece(from, some * SIZE)) else {
                return;
            };
            for entry in block.chunks_exact(SIZE as usize) {
                if let Some((name, symbol)) = symbol(entry) {
                    each(name, symbol);
                }
            }
            at += some;
        }
    }
}

/// A little-endian number of some bytes.
pub(crate) fn number(bytes: &[u8], at: usize, length: usize) -> Option<u64> {
    let bytes = bytes.get(at..at.checked_add(length)?)?;
    Some(bytes.iter().rev().fold(0, |n, &b| n << 8 | u64::from(b)))
}

fn headers(bytes: &(impl Bytes + ?Sized), (at, size, count): (u64, usize, u64)) -> Vec<Vec<u8>> {
    let header = |i: u64| {
        let mut header = vec![0; size];
        let at = at.checked_add(i * size as u64)?;
        bytes.read(at, &mut header).then_some(header)
    };
    (0..count.min(MOST_HEADERS)).map_while(header).collect()
}

fn segment(header: &[u8]) -> Option<Segment> {
    let loaded = number(header, 0, 4)? == LOADED;
    let segment = Segment {
        offset: number(header, 8, 8)?,
        address: number(header, 16, 8)?,
        length: number(header, 32, 8)?,
        executable: number(header, 4, 4)? & EXECUTABLE != 0,
    };
    loaded.then_some(segment)
}

fn section(header: &[u8]) -> Option<Section> {
    Some(Section {
        name: number(header, 0, 4)?,
        kind: number(header, 4, 4)?,
        address: number(header, 16, 8)?,
        offset: number(header, 24, 8)?,
        size: number(header, 32, 8)?,
        link: number(header, 40, 4)?,
    })
}

fn symbol(entry: &[u8]) -> Option<(u64, Symbol)> {
    const FUNCTION: u64 = 2;
    let symbol = Symbol {
        function: number(entry, 4, 1)? & 15 == FUNCTION,
        address: number(entry, 8, 8)?,
        size: number(entry, 16, 8)?,
    };
    Some((number(entry, 0, 4)?, symbol))
}
