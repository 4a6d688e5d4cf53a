//! Which calls announce which probe, or why they must be left alone.

use crate::elf::{Bytes, Elf, Segment, Symbol};
use crate::notes::{self, Point};
use crate::walk::{Code, leads_to};
use std::fmt;

/// What a probe tells.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Kind {
    /// A thread notifies, and somebody waits.
    Notify,
    /// The same, of all.
    NotifyAll,
    /// A monitor was left, and a successor is woken.
    Exit,
}

impl Kind {
    /// Every kind.
    pub const ALL: [Self; 3] = [Self::Notify, Self::NotifyAll, Self::Exit];

    fn name(self) -> &'static str {
        match self {
            Self::Notify => "monitor__notify",
            Self::NotifyAll => "monitor__notifyAll",
            Self::Exit => "monitor__contended__exit",
        }
    }
}

/// A call that can be redirected. Addresses count from the library's base.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Site {
    /// What it tells.
    pub kind: Kind,
    /// Where the call instruction begins: a byte, then four of displacement.
    pub call: u64,
    /// Where the probe's no-operation stands.
    pub point: u64,
    /// The number of the register that holds the monitor; it survives calls.
    pub monitor: u8,
    /// Where `text` begins.
    pub text_start: u64,
    /// What must stand in memory around it.
    pub text: Vec<u8>,
}

impl Site {
    /// Where the displacement of the call is.
    #[must_use]
    pub fn displacement(&self) -> u64 {
        self.call + 1
    }

    /// Whether the displacement lies in two cache lines, so that another processor may see half of a change.
    #[must_use]
    pub fn crosses_cache_lines(&self) -> bool {
        self.displacement() / CACHE_LINE != (self.displacement() + 3) / CACHE_LINE
    }
}

/// What was found in the file. Whoever has it may redirect the calls in a process where all of it holds in memory, too.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Points {
    /// Number of the build.
    pub build_id: Vec<u8>,
    /// Where the build's number lies in memory.
    pub build_id_at: u64,
    /// The flag, one byte.
    pub flag: u64,
    /// The flags beside it, which nobody touches.
    pub other_flags: Vec<u64>,
    /// The function called.
    pub called: u64,
    /// The calls, at least one of each kind.
    pub sites: Vec<Site>,
    /// What of the file is mapped where.
    pub segments: Vec<Segment>,
}

/// Why there are no probes to be had.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// Another processor, or no library at all.
    NotX86,
    /// Nothing says which build it is.
    NoBuildId,
    /// Built without probe points.
    NoPoints(Kind),
    /// The names of its parts were taken out.
    NoSymbols,
    /// A name is missing, or there is more than one.
    NoSymbol(&'static str),
    /// The code around a probe is not as it is known.
    Shape(Kind),
    /// The code does not ask the flag.
    Unguarded(Kind),
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotX86 => write!(f, "its library is not one for x86-64"),
            Self::NoBuildId => write!(f, "its library does not say which build it is"),
            Self::NoPoints(kind) => {
                write!(
                    f,
                    "this JVM was built without the probe point {}",
                    kind.name()
                )
            }
            Self::NoSymbols => write!(f, "its library has no table of symbols (.symtab)"),
            Self::NoSymbol(name) => {
                write!(f, "its library's table of symbols does not have {name}")
            }
            Self::Shape(kind) => {
                write!(
                    f,
                    "the code before {} is none of a known shape",
                    kind.name()
                )
            }
            Self::Unguarded(kind) => write!(
                f,
                "the code before {} does not ask the flag {FLAG}",
                kind.name()
            ),
        }
    }
}

impl std::error::Error for Refusal {}

const PROVIDER: &str = "hotspot";
const FLAG: &str = "DTraceMonitorProbes";
const OTHER_FLAGS: [&str; 2] = ["DTraceAllocProbes", "DTraceMethodProbes"];
const CALLED: &str = "SharedRuntime::get_java_tid";
/// To JDK 17 or so it took any thread.
const CALLED_AS: [&str; 2] = [
    "_ZN13SharedRuntime12get_java_tidEP10JavaThread",
    "_ZN13SharedRuntime12get_java_tidEP6Thread",
];
/// The bytes compared before and after a probe point.
pub const TEXT_BEFORE: u64 = 160;
/// See [`TEXT_BEFORE`].
pub const TEXT_AFTER: u64 = 256;
/// A call is at most so far from its point.
const REACH: u64 = 128;
const CACHE_LINE: u64 = 64;
const MOST_NOTES: u64 = 4 << 20;
const LARGEST_FUNCTION: u64 = 1 << 16;
const CALL: u8 = 0xe8;
const NO_OPERATION: u8 = 0x90;

/// Reads the file of a HotSpot library.
///
/// # Errors
/// Why its probes must be left alone.
pub fn find(bytes: &(impl Bytes + ?Sized)) -> Result<Points, Refusal> {
    let elf = Elf::open(bytes).ok_or(Refusal::NotX86)?;
    let id = elf
        .section(".note.gnu.build-id")
        .ok_or(Refusal::NoBuildId)?;
    let build_id = elf
        .contents(id, 4096)
        .and_then(|note| notes::build_id(&note));
    let build_id = build_id
        .filter(|id| !id.is_empty())
        .ok_or(Refusal::NoBuildId)?;
    let points = points(&elf)?;
    if !elf.has_symbols() {
        return Err(Refusal::NoSymbols);
    }
    let [called, flag, other_flags] = symbols(&elf)?;
    let called_at = called[0].address;
    let sites: Vec<Site> = points
        .iter()
        .map(|(kind, point)| site(&elf, (*kind, point), called_at))
        .collect::<Result<_, _>>()?;
    check_flag(&elf, &sites, flag[0].address)?;
    check_distinct(&sites)?;
    Ok(Points {
        build_id,
        // After the head of the note and its owner's name.
        build_id_at: id.address.saturating_add(16),
        flag: flag[0].address,
        other_flags: other_flags.iter().map(|flag| flag.address).collect(),
        called: called_at,
        sites,
        segments: elf.segments,
    })
}

/// The probe points of each kind.
fn points(elf: &Elf<'_, impl Bytes + ?Sized>) -> Result<Vec<(Kind, Point)>, Refusal> {
    let missing = Refusal::NoPoints(Kind::Notify);
    let notes = elf.section(".note.stapsdt").ok_or(missing)?;
    let base = elf.section(".stapsdt.base").ok_or(missing)?;
    let notes = elf.contents(notes, MOST_NOTES).ok_or(missing)?;
    let mut found = Vec::new();
    for mut point in notes::points(&notes) {
        let kind = Kind::ALL.into_iter().find(|kind| kind.name() == point.name);
        if let Some(kind) = kind.filter(|_| point.provider == PROVIDER) {
            // A library that was moved after it was linked says by how much.
            point.address = point
                .address
                .wrapping_add(base.address.wrapping_sub(point.base));
            found.push((kind, point));
        }
    }
    match Kind::ALL
        .iter()
        .find(|kind| found.iter().all(|(k, _)| k != *kind))
    {
        Some(&kind) => Err(Refusal::NoPoints(kind)),
        None => Ok(found),
    }
}

/// The function called, the flag, the other flags.
fn symbols(elf: &Elf<'_, impl Bytes + ?Sized>) -> Result<[Vec<Symbol>; 3], Refusal> {
    let wanted = [&CALLED_AS[..], &[FLAG], &OTHER_FLAGS].concat();
    let found = elf.symbols_named(&wanted);
    let [new, old, flag, other @ ..] = &found[..] else {
        return Err(Refusal::NoSymbols);
    };
    let called = [&new[..], &old[..]].concat();
    if called.len() != 1 || !called[0].function {
        return Err(Refusal::NoSymbol(CALLED));
    }
    if flag.len() != 1 || flag[0].function || flag[0].size != 1 {
        return Err(Refusal::NoSymbol(FLAG));
    }
    Ok([called, flag.clone(), other.concat()])
}

fn site(
    elf: &Elf<'_, impl Bytes + ?Sized>,
    (kind, point): (Kind, &Point),
    called: u64,
) -> Result<Site, Refusal> {
    let shape = Refusal::Shape(kind);
    let start = point.address.checked_sub(TEXT_BEFORE).ok_or(shape)?;
    let text = elf.code(start, TEXT_BEFORE + TEXT_AFTER).ok_or(shape)?;
    let monitor = monitor(&point.arguments).ok_or(shape)?;
    let call = last_call(&text, start, (point.address, called)).ok_or(shape)?;
    let code = Code {
        start,
        bytes: &text,
    };
    let stands = text.get(TEXT_BEFORE as usize) == Some(&NO_OPERATION);
    if !stands || !leads_to(code, call + 5, point.address, monitor) {
        return Err(shape);
    }
    Ok(Site {
        kind,
        call,
        point: point.address,
        monitor,
        text_start: start,
        text,
    })
}

/// The call of a function that stands nearest before a point.
fn last_call(text: &[u8], start: u64, (point, called): (u64, u64)) -> Option<u64> {
    (point.checked_sub(REACH)?..point.checked_sub(4)?)
        .rev()
        .find(|&at| {
            let i = (at - start) as usize;
            let Some(&[CALL, a, b, c, d]) = text.get(i..i + 5) else {
                return false;
            };
            let by = i64::from(i32::from_le_bytes([a, b, c, d]));
            at.wrapping_add(5).wrapping_add_signed(by) == called
        })
}

/// The register of a probe's second argument, if it survives calls.
fn monitor(arguments: &str) -> Option<u8> {
    match arguments.split_whitespace().nth(1)? {
        "8@%rbx" => Some(3),
        "8@%r12" => Some(12),
        "8@%r13" => Some(13),
        "8@%r14" => Some(14),
        "8@%r15" => Some(15),
        _ => None,
    }
}

/// Every call stands in a function that asks the flag.
fn check_flag(
    elf: &Elf<'_, impl Bytes + ?Sized>,
    sites: &[Site],
    flag: u64,
) -> Result<(), Refusal> {
    let calls: Vec<u64> = sites.iter().map(|site| site.call).collect();
    for (site, function) in sites.iter().zip(elf.functions_at(&calls)) {
        let function = function.filter(|f| f.size <= LARGEST_FUNCTION);
        let code = function.and_then(|f| Some((f.address, elf.code(f.address, f.size)?)));
        let asks = code.is_some_and(|(start, code)| refers_to(&code, start, flag));
        if !asks {
            return Err(Refusal::Unguarded(site.kind));
        }
    }
    Ok(())
}

/// Whether code names an address by its distance: at the end of an instruction, or before one byte to compare with.
fn refers_to(code: &[u8], start: u64, address: u64) -> bool {
    code.windows(4).enumerate().any(|(i, window)| {
        let by = i32::from_le_bytes([window[0], window[1], window[2], window[3]]);
        let end = start.wrapping_add(i as u64 + 4);
        let there = end.wrapping_add_signed(i64::from(by));
        there == address || there.wrapping_add(1) == address
    })
}

/// No two points have one call.
fn check_distinct(sites: &[Site]) -> Result<(), Refusal> {
    for (i, site) in sites.iter().enumerate() {
        if sites[..i].iter().any(|other| other.call == site.call) {
            return Err(Refusal::Shape(site.kind));
        }
    }
    Ok(())
}
