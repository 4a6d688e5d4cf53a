//! First inputs for the targets that do not take files as they are; `fuzz/seed` calls it.
//!
//!     seeds trace FOLDER FILE.llt …      records of each kind, in each form they have in a chunk
//!     seeds analysis FOLDER FILE.llt …   traces of one class of locks each
//!     seeds library FOLDER LIBJVM …      the code around the probe points

use locklens_fuzz::library;
use locklens_fuzz::trace::{Way, parts};
use locklens_trace::chunk::{self, CHUNK_HEADER_LEN, Encoder};
use locklens_trace::read::{Item, Reader};
use locklens_trace::{ClassId, LockId, Record};
use std::collections::{BTreeMap, HashMap, HashSet};
use std::fs::{self, File};
use std::io::Result;
use std::mem::{Discriminant, discriminant};
use std::path::Path;

/// Records of one input.
const FEW: usize = 12;
/// Events of a trace to be analysed.
const EVENTS: usize = 400;
/// Inputs for each kind of record of a trace.
const OFTEN: usize = 3;

fn main() -> Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [what, folder, files @ ..] = &arguments[..] else {
        panic!("see the head of this file");
    };
    let folder = Path::new(folder);
    for (nth, file) in files.iter().enumerate() {
        let name = format!("seed-{nth}");
        match what.as_str() {
            "trace" => of_trace(folder, Path::new(file), &name)?,
            "analysis" => of_locks(folder, Path::new(file), &name)?,
            _ => of_library(folder, Path::new(file), &name)?,
        }
    }
    Ok(())
}

fn records(bytes: &[u8]) -> Vec<Record> {
    let reader = Reader::new(bytes).expect("a trace");
    let records = reader.filter_map(|item| match item {
        Item::Record(record) => Some(record),
        Item::Gap(_) => None,
    });
    records.collect()
}

/// What is analysed takes as long as there are kinds of locks: of each a trace of its own.
fn of_locks(folder: &Path, file: &Path, name: &str) -> Result<()> {
    let records = records(&fs::read(file)?);
    let mut classes: BTreeMap<ClassId, HashSet<LockId>> = BTreeMap::new();
    for record in &records {
        if let Record::Lock(lock) = record {
            classes.entry(lock.class).or_default().insert(lock.id);
        }
    }
    for (class, locks) in classes {
        let mut events = 0;
        let wanted = |record: &&Record| match record {
            Record::Event(event) => {
                let of_it = event.lock.is_none_or(|lock| locks.contains(&lock));
                events += usize::from(of_it);
                of_it && events <= EVENTS
            }
            Record::Lock(lock) => locks.contains(&lock.id),
            _ => true,
        };
        let some = Vec::from_iter(records.iter().filter(wanted));
        let packed = chunk::pack(some.iter().copied());
        let file = [&chunk::file_header()[..], &packed].concat();
        fs::write(folder.join(format!("{name}-{}", class.0)), file)?;
    }
    Ok(())
}

fn of_trace(folder: &Path, file: &Path, name: &str) -> Result<()> {
    let bytes = fs::read(file)?;
    let beginning = &bytes[..bytes.len().min(20_000)];
    fs::write(
        folder.join(format!("{name}-file")),
        Way::File.input(beginning),
    )?;
    let records = records(&bytes);
    let mut seen: HashMap<Discriminant<Record>, usize> = HashMap::new();
    for (at, record) in records.iter().enumerate() {
        let often = seen.entry(discriminant(record)).or_default();
        *often += 1;
        if *often <= OFTEN {
            let some = &records[at..records.len().min(at + FEW)];
            for (form, input) in forms(some) {
                fs::write(folder.join(format!("{name}-{at}-{form}")), input)?;
            }
        }
    }
    Ok(())
}

/// These records as inputs of every kind.
fn forms(records: &[Record]) -> Vec<(&'static str, Vec<u8>)> {
    let mut encoder = Encoder::new();
    records.iter().for_each(|record| encoder.push(record));
    let plain = encoder.take_chunk();
    let packed = chunk::pack(records.iter());
    let mut forms = vec![
        ("chunks", Way::Chunks.input(&[&plain[..], &packed].concat())),
        ("plain", Way::Plain.input(&plain[CHUNK_HEADER_LEN..])),
        ("packed", Way::Packed.input(&packed[CHUNK_HEADER_LEN..])),
    ];
    forms.extend(parts(records).map(|parts| ("parts", Way::Parts.input(&parts))));
    forms
}

fn of_library(folder: &Path, file: &Path, name: &str) -> Result<()> {
    // Libraries without probe points have nothing to begin with.
    let Ok(points) = locklens_libjvm::find(&File::open(file)?) else {
        return Ok(());
    };
    let Some(input) = library::input(&points.sites) else {
        return Ok(());
    };
    let built = library::build(&input);
    locklens_libjvm::find(&built[..]).expect("what is built is found");
    fs::write(
        folder.join(format!("{name}-code")),
        [&[1], &input[..]].concat(),
    )?;
    fs::write(
        folder.join(format!("{name}-file")),
        [&[0], &built[..]].concat(),
    )
}
