//! A small library with all that is looked for in HotSpot's, built around code that the fuzzer chooses: behind the tables
//! of a real one, which has 20 MB, no mutation of its code would ever be tried.
//!
//! ```text
//! input   registers:3  code around each probe point[3 * 416]  further notes
//! ```

use locklens_libjvm::{Kind, Site, TEXT_AFTER, TEXT_BEFORE};

/// Bytes of code around a point.
const TEXT: usize = (TEXT_BEFORE + TEXT_AFTER) as usize;
/// Where the function lies that is called.
const CALLED: u64 = 0x800;
/// Where the flag lies.
const FLAG: u64 = 0x900;
/// Where the code of the first point begins, and how far it is to the next.
const CODE: u64 = 0x1000;
const STEP: u64 = 0x400;
/// Where the tables begin.
const TABLES: usize = (CODE + 3 * STEP) as usize;
const REGISTERS: [(&str, u8); 5] = [
    ("%rbx", 3),
    ("%r12", 12),
    ("%r13", 13),
    ("%r14", 14),
    ("%r15", 15),
];
const PROBES: [&str; 3] = [
    "monitor__notify",
    "monitor__notifyAll",
    "monitor__contended__exit",
];

/// The library of an input.
#[must_use]
pub fn build(input: &[u8]) -> Vec<u8> {
    let byte = |at: usize| input.get(at).copied().unwrap_or(0);
    let mut file = vec![0; TABLES];
    let (mut notes, mut symbols) = (Vec::new(), Table::default());
    symbols.add(
        "_ZN13SharedRuntime12get_java_tidEP10JavaThread",
        2,
        (CALLED, 16),
    );
    symbols.add("DTraceMonitorProbes", 1, (FLAG, 1));
    symbols.add("DTraceAllocProbes", 1, (FLAG + 1, 1));
    symbols.add("DTraceMethodProbes", 1, (FLAG + 2, 1));
    for (nth, probe) in PROBES.iter().enumerate() {
        let start = CODE + nth as u64 * STEP;
        let from = start as usize;
        for at in 0..TEXT {
            file[from + at] = byte(PROBES.len() + nth * TEXT + at);
        }
        // The function names its flag somewhere.
        let end = from + TEXT + 4;
        file[from + TEXT..end].copy_from_slice(&(FLAG as i32 - end as i32).to_le_bytes());
        symbols.add(probe, 2, (start, TEXT as u64 + 8));
        let (register, _) = REGISTERS[byte(nth) as usize % REGISTERS.len()];
        notes.extend(point(probe, register, start + TEXT_BEFORE));
    }
    notes.extend(input.get(PROBES.len() * (TEXT + 1)..).unwrap_or_default());
    finish(file, &notes, symbols)
}

/// An input with the code of a real library.
#[must_use]
pub fn input(sites: &[Site]) -> Option<Vec<u8>> {
    let of = |kind: Kind| sites.iter().find(|site| site.kind == kind);
    let sites = [of(Kind::Notify)?, of(Kind::NotifyAll)?, of(Kind::Exit)?];
    let register = |site: &&Site| REGISTERS.iter().position(|(_, n)| *n == site.monitor);
    let mut input = Vec::new();
    for site in &sites {
        input.push(register(site)? as u8);
    }
    for (nth, site) in sites.iter().enumerate() {
        let mut text = site.text.clone();
        let at = (site.call - site.text_start) as usize;
        let after = CODE + nth as u64 * STEP + at as u64 + 5;
        text[at + 1..at + 5].copy_from_slice(&(CALLED as i32 - after as i32).to_le_bytes());
        input.extend(text);
    }
    Some(input)
}

/// Symbols and their names.
struct Table {
    symbols: Vec<u8>,
    names: Vec<u8>,
}

impl Default for Table {
    fn default() -> Self {
        Self {
            symbols: vec![0; 24],
            names: vec![0],
        }
    }
}

impl Table {
    fn add(&mut self, name: &str, kind: u8, (address, size): (u64, u64)) {
        self.symbols.extend((self.names.len() as u32).to_le_bytes());
        self.symbols.extend([kind, 0, 1, 0]);
        self.symbols.extend(address.to_le_bytes());
        self.symbols.extend(size.to_le_bytes());
        self.names.extend(name.bytes().chain([0]));
    }
}

fn note(owner: &[u8; 4], more: &[u8], description: &[u8]) -> Vec<u8> {
    let lengths = [owner.len() + more.len(), description.len(), 3];
    let mut note = Vec::from_iter(lengths.iter().flat_map(|n| (*n as u32).to_le_bytes()));
    note.extend(owner.iter().chain(more).chain(description));
    note.resize(note.len().next_multiple_of(4), 0);
    note
}

fn point(probe: &str, register: &str, address: u64) -> Vec<u8> {
    let numbers = [address, CODE, 0].map(u64::to_le_bytes).concat();
    let texts = format!("hotspot\0{probe}\08@%rax 8@{register} 8@%rdx\0");
    note(
        b"stap",
        b"sdt\0",
        &[&numbers[..], texts.as_bytes()].concat(),
    )
}

/// Sections and the two headers.
fn finish(mut file: Vec<u8>, notes: &[u8], symbols: Table) -> Vec<u8> {
    let names =
        b"\0.note.gnu.build-id\0.note.stapsdt\0.stapsdt.base\0.symtab\0.strtab\0.shstrtab\0";
    let id = note(b"GNU\0", &[], &[7; 20]);
    let contents: [(&[u8], u64); 6] = [
        (&id, 7),
        (notes, 7),
        (&[0], 1),
        (&symbols.symbols, 2),
        (&symbols.names, 3),
        (names, 3),
    ];
    let mut sections = vec![0; 64];
    let mut name = 1;
    for (bytes, kind) in contents {
        let link = if kind == 2 { 5 } else { 0 };
        let at = file.len() as u64;
        // The base of the points is that of the notes.
        let address = if bytes == [0] { CODE } else { at };
        sections.extend((name as u32).to_le_bytes());
        sections.extend((kind as u32).to_le_bytes());
        let numbers = [0, address, at, bytes.len() as u64, link, 4, 0];
        sections.extend(numbers.map(u64::to_le_bytes).concat());
        name += names[name..].iter().take_while(|&&byte| byte != 0).count() + 1;
        file.extend(bytes);
    }
    head(&mut file, &sections);
    file
}

fn head(file: &mut Vec<u8>, sections: &[u8]) {
    let at = file.len() as u64;
    let whole = at + sections.len() as u64;
    let mut head = b"\x7fELF\x02\x01\x01\0\0\0\0\0\0\0\0\0\x03\0\x3e\0\x01\0\0\0".to_vec();
    head.extend([0, 64, at].map(u64::to_le_bytes).concat());
    head.extend([0_u8; 4]);
    head.extend([64_u16, 56, 1, 64, 7, 6].map(u16::to_le_bytes).concat());
    // One segment: all of it, to be read and run.
    head.extend([1_u32, 5].map(u32::to_le_bytes).concat());
    head.extend([0, 0, 0, whole, whole, 4096].map(u64::to_le_bytes).concat());
    file[..head.len()].copy_from_slice(&head);
    file.extend(sections);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_built_is_found() {
        let mut input = vec![0; PROBES.len()];
        for nth in 0..PROBES.len() {
            let mut text = [0x90; TEXT];
            let at = TEXT_BEFORE as usize - 8;
            let after = CODE + nth as u64 * STEP + at as u64 + 5;
            text[at] = 0xe8;
            text[at + 1..at + 5].copy_from_slice(&(CALLED as i32 - after as i32).to_le_bytes());
            input.extend(text);
        }
        let found = locklens_libjvm::find(&build(&input)[..]).expect("all of it is there");
        assert_eq!(found.sites.len(), PROBES.len());
        assert_eq!(super::input(&found.sites), Some(input));
    }
}
