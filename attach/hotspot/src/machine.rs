//! For which machine and which C library a program is built, as its ELF headers say.
//!
//! A JVM given a library for another machine refuses it, but not quietly: it may warn its user of
//! the library's stack on its own output first. One whose C library is musl cannot find what a library
//! built for glibc needs, or finds half of it where glibc is imitated. So both are found out beforehand.

use std::fmt;
use std::fs::File;
use std::os::unix::fs::FileExt;

use crate::error::AttachError;
use crate::jvm::Jvm;
use crate::maps::mappings;
use crate::process::Process;

const MAGIC: &[u8] = b"\x7fELF";
/// Up to the end of `e_machine`.
const HEADER: usize = 20;

/// What an ELF header says of the machine.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Machine {
    /// `EI_CLASS`: 1 is 32 bits, 2 is 64.
    class: u8,
    /// `EI_DATA`: 1 is little end first, 2 is big.
    order: u8,
    /// `e_machine`.
    number: u16,
}

impl Machine {
    /// That of a program or library; `None` if the bytes are no ELF file.
    fn of(file: &[u8]) -> Option<Machine> {
        let header = file.get(..HEADER).filter(|h| h.starts_with(MAGIC))?;
        let number = [header[18], header[19]];
        Some(Machine {
            class: header[4],
            order: header[5],
            number: match header[5] {
                2 => u16::from_be_bytes(number),
                _ => u16::from_le_bytes(number),
            },
        })
    }
}

impl fmt::Display for Machine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let bits = if self.class == 1 { 32 } else { 64 };
        match self.number {
            3 => write!(f, "{bits}-bit x86"),
            62 => write!(f, "{bits}-bit x86-64"),
            40 | 183 => write!(f, "{bits}-bit ARM"),
            243 => write!(f, "{bits}-bit RISC-V"),
            other => write!(f, "{bits}-bit ELF machine {other}"),
        }
    }
}

/// An error if a library, built for glibc, does not fit the machine or the C library of a JVM's program. What cannot be
/// read is left for the JVM to judge.
pub fn check_machine(jvm: &Jvm, library: &[u8]) -> Result<(), AttachError> {
    let process = Process::new(jvm.pid);
    let Ok(program) = File::open(process.path("exe")) else {
        return Ok(());
    };
    let mut header = [0; HEADER];
    let read = program.read_exact_at(&mut header, 0);
    match (read, Machine::of(&header), Machine::of(library)) {
        (Ok(()), Some(theirs), Some(ours)) if theirs != ours => Err(AttachError::OtherMachine {
            pid: jvm.pid,
            theirs,
            ours,
        }),
        _ => match musl_linker(&process, &program) {
            Some(linker) => Err(AttachError::OtherLibc {
                pid: jvm.pid,
                linker,
            }),
            None => Ok(()),
        },
    }
}

/// The dynamic linker of musl, if the process runs with it: its program names it, or has it mapped when it was started
/// by way of it. The file behind is called otherwise where a distribution has made the name a link.
fn musl_linker(process: &Process, program: &File) -> Option<String> {
    let is_musl = |path: &str| {
        let name = path.rsplit('/').next().unwrap_or(path);
        name.starts_with("ld-musl-") || name.starts_with("libc.musl-")
    };
    let named = interpreter(program).filter(|path| is_musl(path));
    named.or_else(|| {
        let maps = process.maps().ok()?;
        let mapped = mappings(&maps).find(|mapping| is_musl(mapping.path));
        mapped.map(|mapping| mapping.path.to_owned())
    })
}

/// The dynamic linker that a program of 64 bits names (`PT_INTERP`).
fn interpreter(program: &impl FileExt) -> Option<String> {
    const INTERPRETER: u64 = 3;
    const MOST_SEGMENTS: u64 = 256;
    const LONGEST: u64 = 4096;
    let mut file = [0; 64];
    program.read_exact_at(&mut file, 0).ok()?;
    if Machine::of(&file)?.class != 2 {
        return None;
    }
    let big = file[5] == 2;
    let (table, size) = (number(&file, big, 32, 8), number(&file, big, 54, 2));
    for nth in 0..number(&file, big, 56, 2).min(MOST_SEGMENTS) {
        let mut segment = [0; 56];
        let at = table.checked_add(nth * size)?;
        program.read_exact_at(&mut segment, at).ok()?;
        if number(&segment, big, 0, 4) == INTERPRETER {
            let mut path = vec![0; number(&segment, big, 32, 8).min(LONGEST) as usize];
            let at = number(&segment, big, 8, 8);
            program.read_exact_at(&mut path, at).ok()?;
            let end = path.iter().position(|&byte| byte == 0);
            path.truncate(end.unwrap_or(path.len()));
            return String::from_utf8(path).ok();
        }
    }
    None
}

/// A number of so many bytes in a header, in the file's own order.
fn number(header: &[u8], big: bool, at: usize, size: usize) -> u64 {
    let bytes = &header[at..at + size];
    let join = |all: u64, byte: &u8| all << 8 | u64::from(*byte);
    match big {
        true => bytes.iter().fold(0, join),
        false => bytes.iter().rev().fold(0, join),
    }
}

#[cfg(test)]
pub(crate) const I386: Machine = Machine {
    class: 1,
    order: 1,
    number: 3,
};

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn our_own_program_is_for_this_machine() {
        let program = std::fs::read("/proc/self/exe").expect("our own program");
        let machine = Machine::of(&program).expect("an ELF file");
        let (little, wide) = (cfg!(target_endian = "little"), usize::BITS == 64);
        assert_eq!((machine.order == 1, machine.class == 2), (little, wide));
        assert_ne!(machine, I386);
    }

    #[test]
    fn the_number_is_read_in_the_file_s_own_order() {
        let mut file = [0; HEADER];
        file[..6].copy_from_slice(b"\x7fELF\x02\x02");
        file[19] = 22;
        let text = Machine::of(&file).map(|m| m.to_string());
        assert_eq!(text.as_deref(), Some("64-bit ELF machine 22"));
        assert_eq!(I386.to_string(), "32-bit x86");
    }

    /// Bytes in a file's place.
    struct Bytes(Vec<u8>);

    impl FileExt for Bytes {
        fn read_at(&self, into: &mut [u8], at: u64) -> std::io::Result<usize> {
            let rest = usize::try_from(at).ok().and_then(|at| self.0.get(at..));
            let rest = rest.unwrap_or_default();
            let length = rest.len().min(into.len());
            into[..length].copy_from_slice(&rest[..length]);
            Ok(length)
        }

        fn write_at(&self, _: &[u8], _: u64) -> std::io::Result<usize> {
            Err(std::io::ErrorKind::Unsupported.into())
        }
    }

    #[test]
    fn our_own_program_names_its_linker() {
        let program = File::open("/proc/self/exe").expect("our own program");
        let linker = interpreter(&program).expect("a dynamic program");
        assert!(std::path::Path::new(&linker).exists(), "{linker}");
    }

    proptest! {
        #[test]
        fn whatever_the_segments_are_it_ends(bytes in proptest::collection::vec(any::<u8>(), 0..400), order in 1..3_u8) {
            let mut file = [&b"\x7fELF\x02"[..], &[order], &bytes].concat();
            if file.len() > 64 {
                // So that the table of segments lies in the file now and then.
                file[32..40].fill(0);
                file[if order == 2 { 39 } else { 32 }] = bytes[0];
            }
            let length = file.len();
            let named = interpreter(&Bytes(file));
            prop_assert!(named.is_none_or(|name| name.len() <= length));
        }

        #[test]
        fn any_bytes_are_a_machine_or_none(bytes in proptest::collection::vec(any::<u8>(), 0..40)) {
            let named = Machine::of(&bytes).is_some();
            prop_assert_eq!(named, bytes.len() >= HEADER && bytes.starts_with(MAGIC));
        }
    }
}
