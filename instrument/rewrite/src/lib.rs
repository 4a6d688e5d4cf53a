//! Class files that report their monitor events: (class bytes, [`Plan`]) → class bytes.
//!
//! [`rewrite`] puts calls of static *probe* methods at every `monitorenter` and `monitorexit`, into
//! the bodies of synchronized methods, and around calls of `wait`, `notify` and `notifyAll`; where it is
//! wanted, into the methods of `LockSupport` that park and unpark, and around accesses to fields and atomics, too. What a
//! probe does is not decided here; [`plan::Probes`] says what each must be like. Nothing here knows
//! of a JVM that runs, and nothing is dropped silently: a method that cannot be rewritten is left as
//! it was and named with the [`Reason`].
//!
//! What holds for every class given back:
//! - every byte that had no reason to change is the same; without any site it is the input;
//! - flags, fields, methods and the indices of old constants stay, as retransformation demands;
//! - a method that the JIT compiles is still compiled: monitors stay structured on the exceptional
//!   paths too, and no method grows beyond the size that HotSpot compiles;
//! - a probe that throws (a `StackOverflowError` can come out of any call) leaves no lock behind, and one in front of an operation or its call
//!   keeps neither from being done.
//!
//! Start with [`plan`]; `sites` finds what there is to report, `weave` puts the probes in.
#![forbid(unsafe_code)]

mod access;
mod frames;
mod held;
pub mod plan;
mod sites;
mod weave;

use locklens_classfile::Error;
use locklens_classfile::append::Append;
use locklens_classfile::class::ClassFile;
use locklens_classfile::edit::{self, BciMap, Refusal};
use std::collections::BTreeMap;
use std::fmt;

pub use plan::{Plan, SiteId};
pub use sites::{SiteKind, may_be_heir};

/// Class-file versions that are understood: JDK 1.1 to 28, the newest that was tried. What a later one may have changed nobody
/// here knows.
pub const MAJORS: std::ops::RangeInclusive<u16> = 45..=72;

/// A rewritten class.
#[derive(Clone, Debug, Default)]
pub struct Rewritten {
    /// The class file.
    pub bytes: Vec<u8>,
    /// Every probed site, in order of its id.
    pub sites: Vec<Site>,
    /// Of each [`SiteKind::HeirCall`] among them the internal name of the class it is on. Nothing here knows what that extends.
    pub heirs: Vec<(SiteId, String)>,
    /// The methods that were changed.
    pub methods: Vec<Changed>,
    /// The methods that have sites and were left as they were.
    pub refused: Vec<Refused>,
}

/// Something in a method that is reported.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Site {
    /// What the probe is given.
    pub id: SiteId,
    /// Position of the method in the class.
    pub method: usize,
    /// Bci, in the original method, of the instruction; 0 for the start of a synchronized method and
    /// the length of the code for its exceptional end.
    pub bci: u32,
    /// What happens there.
    pub kind: SiteKind,
}

/// A method that was changed.
#[derive(Clone, Debug)]
pub struct Changed {
    /// Position of the method in the class.
    pub method: usize,
    /// Its name.
    pub name: String,
    /// Its descriptor.
    pub descriptor: String,
    /// Its old bcis and its new ones.
    pub map: BciMap,
}

/// A method that was left as it was though it has sites.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refused {
    /// Position of the method in the class.
    pub method: usize,
    /// Its name.
    pub name: String,
    /// Its descriptor.
    pub descriptor: String,
    /// Why.
    pub reason: Reason,
}

/// Why a method is left as it was.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reason {
    /// It is native: its monitor is taken and released outside any bytecode.
    Native,
    /// It would grow from a size that HotSpot compiles to one that it only interprets.
    NeverCompiled(usize),
    /// The edit does not work out.
    Edit(Refusal),
}

impl From<Refusal> for Reason {
    fn from(refusal: Refusal) -> Self {
        Reason::Edit(refusal)
    }
}

impl From<locklens_classfile::append::Full> for Reason {
    fn from(full: locklens_classfile::append::Full) -> Self {
        Reason::Edit(Refusal::Pool(full))
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Reason::Native => f.write_str("it is native"),
            Reason::NeverCompiled(len) => {
                write!(f, "at {len} bytes HotSpot would no longer compile it")
            }
            Reason::Edit(refusal) => refusal.fmt(f),
        }
    }
}

/// Why a class is not looked at.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unreadable {
    /// It is malformed.
    Malformed(Error),
    /// It is of a version whose rules are not known here.
    Major(u16),
}

impl fmt::Display for Unreadable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Unreadable::Malformed(error) => write!(f, "the class {error}"),
            Unreadable::Major(major) => write!(f, "class-file version {major} is not known"),
        }
    }
}

impl std::error::Error for Unreadable {}

impl From<Error> for Unreadable {
    fn from(error: Error) -> Self {
        Unreadable::Malformed(error)
    }
}

/// Rewrites a class as planned.
///
/// # Errors
/// When the class cannot be read. What stands in the way of one method only is in
/// [`Rewritten::refused`].
pub fn rewrite(bytes: &[u8], plan: &Plan) -> Result<Rewritten, Unreadable> {
    let class = read(bytes)?;
    let mut pool = Append::new(&class.pool);
    let (mut codes, mut marks) = (BTreeMap::new(), BTreeMap::new());
    let mut done = Rewritten {
        bytes: Vec::new(),
        sites: Vec::new(),
        heirs: Vec::new(),
        methods: Vec::new(),
        refused: Vec::new(),
    };
    for method in 0..class.methods.len() {
        let mark = pool.mark();
        let first = SiteId(plan.first_site.0 + done.sites.len() as u32);
        match weave::method(&class, method, plan, first, &mut pool) {
            Ok(None) => {}
            Ok(Some(woven)) => {
                codes.insert(method, woven.edited.bytes);
                marks.extend(woven.mark.map(|mark| (method, mark)));
                done.sites.extend(woven.sites);
                done.heirs.extend(woven.heirs);
                done.methods.push(changed(&class, method, woven.edited.map));
            }
            Err(reason) => {
                pool.back_to(mark);
                done.refused.push(refused(&class, method, reason));
            }
        }
    }
    done.bytes = edit::splice(bytes, &class, &pool, &codes, &marks);
    Ok(done)
}

/// Takes every method apart and puts it together again, unchanged. The result is the input, or the
/// editor is wrong; for tests over large numbers of classes.
///
/// # Errors
/// When the class cannot be read.
pub fn identity(bytes: &[u8]) -> Result<Vec<u8>, Unreadable> {
    let class = read(bytes)?;
    let mut pool = Append::new(&class.pool);
    let mut codes = BTreeMap::new();
    for (at, method) in class.methods.iter().enumerate() {
        let code = class.code(method);
        let edited = code.and_then(|code| weave::untouched(&class, method, &code, &mut pool));
        codes.extend(edited.map(|edited| (at, edited)));
    }
    Ok(edit::splice(bytes, &class, &pool, &codes, &BTreeMap::new()))
}

fn read(bytes: &[u8]) -> Result<ClassFile<'_>, Unreadable> {
    let class = ClassFile::parse(bytes)?;
    match MAJORS.contains(&class.major) {
        true => Ok(class),
        false => Err(Unreadable::Major(class.major)),
    }
}

fn names(class: &ClassFile<'_>, method: usize) -> (String, String) {
    let method = &class.methods[method];
    let text = |index| class.pool.utf8(index).unwrap_or_default().to_owned();
    (text(method.name), text(method.descriptor))
}

fn changed(class: &ClassFile<'_>, method: usize, map: BciMap) -> Changed {
    let (name, descriptor) = names(class, method);
    Changed {
        method,
        name,
        descriptor,
        map,
    }
}

fn refused(class: &ClassFile<'_>, method: usize, reason: Reason) -> Refused {
    let (name, descriptor) = names(class, method);
    Refused {
        method,
        name,
        descriptor,
        reason,
    }
}
