//! For which machine a program is built, as its ELF header says.
//!
//! A JVM given a library for another machine refuses it, but not quietly: it may warn its user of
//! the library's stack on its own output first. So that is found out beforehand.

use std::fmt;
use std::fs::File;
use std::io::Read;

use crate::error::AttachError;
use crate::jvm::Jvm;
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

/// An error if a library is built for another machine than a JVM's program. What cannot be read is
/// left for the JVM to judge.
pub fn check_machine(jvm: &Jvm, library: &[u8]) -> Result<(), AttachError> {
    let mut header = [0; HEADER];
    let read = File::open(Process::new(jvm.pid).path("exe"))
        .and_then(|mut program| program.read_exact(&mut header));
    match (read, Machine::of(&header), Machine::of(library)) {
        (Ok(()), Some(theirs), Some(ours)) if theirs != ours => Err(AttachError::OtherMachine {
            pid: jvm.pid,
            theirs,
            ours,
        }),
        _ => Ok(()),
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

    proptest! {
        #[test]
        fn any_bytes_are_a_machine_or_none(bytes in proptest::collection::vec(any::<u8>(), 0..40)) {
            let named = Machine::of(&bytes).is_some();
            prop_assert_eq!(named, bytes.len() >= HEADER && bytes.starts_with(MAGIC));
        }
    }
}
