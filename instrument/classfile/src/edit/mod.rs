//! Splicing: code put between the instructions of a method, everything that points into it kept true.
//!
//! A [`CodeEdit`] collects what is to be inserted. [`CodeEdit::finish`] lays the method out anew
//! (`layout`), copies every instruction as it was, save for branch offsets and the padding of
//! switches (`emit`), and moves what refers to bcis: handlers and frames, line numbers, local
//! variables, type annotations (`tables`). Attributes that are not known to refer to code are
//! copied. An edit without insertions gives the same bytes.
//!
//! Between two instructions there is a *gap* with two places. What is inserted **after** the first
//! instruction runs only when that one falls through: branches to the second skip it. What is
//! inserted **before** the second runs however it is reached. [`splice`] puts edited methods back
//! into their class.

mod emit;
mod layout;
mod tables;

use crate::append::{Append, Full};
use crate::asm::Fragment;
use crate::class::{Attribute, ClassFile, Code, Member};
use crate::code::{Insn, instructions};
use crate::types::{State, Type};
use std::collections::BTreeMap;
use std::fmt;
use std::ops::Range;

pub use layout::BciMap;

/// Why an edit cannot be carried out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// An instruction is malformed.
    Code,
    /// A table points into the middle of an instruction, or is malformed.
    Table(&'static str),
    /// The code would be longer than 65,535 bytes.
    TooLong(usize),
    /// Too many handlers, stack slots or local variables.
    TooMany(&'static str),
    /// The types at a bci are not known, yet a frame is needed there.
    Types(u16),
    /// A constant is needed and cannot be had.
    Pool(Full),
}

impl From<Full> for Refusal {
    fn from(full: Full) -> Self {
        Refusal::Pool(full)
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Refusal::Code => f.write_str("its instructions are malformed"),
            Refusal::Table(name) => write!(f, "its {name} does not fit its instructions"),
            Refusal::TooLong(len) => write!(f, "it would be {len} bytes long"),
            Refusal::TooMany(what) => write!(f, "it would have too many {what}"),
            Refusal::Types(bci) => write!(f, "the types at bci {bci} are not known"),
            Refusal::Pool(full) => full.fmt(f),
        }
    }
}

/// Where a handler's range has its border when something is inserted *after* the instruction in
/// front of the border.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Cover {
    /// The insertion is covered as the instruction in front of it is.
    #[default]
    AsPrevious,
    /// The insertion is covered as the instruction behind it is.
    AsNext,
}

#[derive(Clone, Debug, Default)]
struct Gap {
    after: Fragment,
    cover: Cover,
    before: Fragment,
    /// Bci that the code in `after` stands for.
    origin: u16,
}

/// A place in the edited method.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// So many bytes into what was inserted *after* the instruction in front of a bci.
    After(u16, u16),
    /// So many bytes into what was inserted *before* the instruction at a bci.
    Before(u16, u16),
    /// Right behind the instruction of a bci.
    Behind(u16),
    /// The start of a block.
    Block(BlockId),
    /// The end of a block.
    BlockEnd(BlockId),
}

/// A block appended to a method.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct BlockId(usize);

/// A handler added to a method.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Catch {
    /// First covered place.
    pub start: Place,
    /// First place no longer covered.
    pub end: Place,
    /// Where it continues: a block, or the instruction at an old bci.
    pub target: Target,
    /// Index of the exception class; 0 catches everything.
    pub catches: u16,
}

/// See [`Catch`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Target {
    /// A block.
    Block(BlockId),
    /// The old instruction at a bci.
    Old(u16),
    /// A place in what is inserted, of which [`CodeEdit::frame`] says the types.
    Within(Place),
}

#[derive(Clone, Debug)]
struct Block {
    code: Fragment,
    /// Types at its start, if the class file is of a version that wants them.
    state: Option<State>,
    origin: u16,
}

/// Insertions into one method.
#[derive(Debug)]
pub struct CodeEdit<'a> {
    code: &'a Code<'a>,
    insns: Vec<Insn>,
    gaps: BTreeMap<u16, Gap>,
    blocks: Vec<Block>,
    first: Vec<Catch>,
    last: Vec<Catch>,
    frames: Vec<(Place, State)>,
    permanent: Vec<(u16, Type)>,
    more_stack: u16,
    least_stack: u16,
    max_locals: u16,
}

/// An edited method.
#[derive(Clone, Debug)]
pub struct Edited {
    /// Contents of the new `Code` attribute.
    pub bytes: Vec<u8>,
    /// Length of the new code.
    pub code_len: usize,
    /// Where each instruction went.
    pub map: BciMap,
}

impl<'a> CodeEdit<'a> {
    /// No insertions yet.
    ///
    /// # Errors
    /// When the instructions are malformed.
    pub fn new(code: &'a Code<'a>) -> Result<Self, Refusal> {
        let insns: Result<Vec<Insn>, _> = instructions(code.bytes).collect();
        Ok(Self {
            code,
            insns: insns.map_err(|_| Refusal::Code)?,
            gaps: BTreeMap::new(),
            blocks: Vec::new(),
            first: Vec::new(),
            last: Vec::new(),
            frames: Vec::new(),
            permanent: Vec::new(),
            more_stack: 0,
            least_stack: 0,
            max_locals: code.max_locals,
        })
    }

    /// The instructions as they were.
    #[must_use]
    pub fn insns(&self) -> &[Insn] {
        &self.insns
    }

    /// Position among the instructions of the one at a bci.
    #[must_use]
    pub fn position(&self, bci: u16) -> Option<usize> {
        self.insns.binary_search_by_key(&bci, |insn| insn.bci).ok()
    }

    /// Inserts behind the instruction in front of `bci`; branches to `bci` skip it. At 0 it is what
    /// the method begins with. `origin` is the bci it stands for.
    pub fn insert_after(&mut self, bci: u16, code: &Fragment, cover: Cover, origin: u16) {
        let gap = self.gaps.entry(bci).or_default();
        gap.after.extend(code);
        gap.cover = cover;
        gap.origin = origin;
    }

    /// Inserts in front of the instruction at `bci`; branches to `bci` run it. What was inserted
    /// there earlier runs earlier.
    pub fn insert_before(&mut self, bci: u16, code: &Fragment) {
        self.gaps.entry(bci).or_default().before.extend(code);
    }

    /// Bytes inserted in front of the instruction at a bci so far.
    #[must_use]
    pub fn len_before(&self, bci: u16) -> u16 {
        self.gaps.get(&bci).map_or(0, |gap| gap.before.len() as u16)
    }

    /// The same of what was inserted behind the instruction in front of it.
    #[must_use]
    pub fn len_after(&self, bci: u16) -> u16 {
        self.gaps.get(&bci).map_or(0, |gap| gap.after.len() as u16)
    }

    /// Says the types at a place in what is inserted, where the class file is of a version that wants them and control flow
    /// meets. The locals that have been declared to be permanent by now are added.
    pub fn frame(&mut self, place: Place, mut state: State) {
        add_locals(&mut state, &self.permanent);
        self.frames.push((place, state));
    }

    /// Appends code that only handlers reach. It must not fall through.
    pub fn append(&mut self, code: Fragment, state: Option<State>, origin: u16) -> BlockId {
        self.blocks.push(Block {
            code,
            state,
            origin,
        });
        BlockId(self.blocks.len() - 1)
    }

    /// Adds a handler that is asked before the old ones; its range must not be empty.
    pub fn catch_first(&mut self, catch: Catch) {
        self.first.push(catch);
    }

    /// Adds a handler that is asked after the old ones and those added so far. An empty range is
    /// left out.
    pub fn catch_last(&mut self, catch: Catch) {
        self.last.push(catch);
    }

    /// Room for more on the operand stack, wherever something is inserted.
    pub fn need_stack(&mut self, slots: u16) {
        self.more_stack = self.more_stack.max(slots);
    }

    /// Room for so much in all, where something is inserted and nothing is on the operand stack.
    pub fn need_least_stack(&mut self, slots: u16) {
        self.least_stack = self.least_stack.max(slots);
    }

    /// A local variable of so many slots that the method has not used.
    ///
    /// # Errors
    /// When there are too many.
    pub fn new_local(&mut self, slots: u16) -> Result<u16, Refusal> {
        let grown = self.max_locals.checked_add(slots);
        let grown = grown.ok_or(Refusal::TooMany("local variables"))?;
        Ok(std::mem::replace(&mut self.max_locals, grown))
    }

    /// Declares that a new local variable holds a type from the method's beginning to its end; what
    /// is inserted at 0 must see to that.
    pub fn keep_local(&mut self, slot: u16, kind: Type) {
        self.permanent.push((slot, kind));
    }

    /// Whether nothing is to be inserted.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.gaps.is_empty() && self.blocks.is_empty()
    }

    /// Carries it out.
    ///
    /// # Errors
    /// When the result would break a limit of the format, or what points into the code is malformed.
    pub fn finish(&self, class: &Class<'_>, pool: &mut Append<'_>) -> Result<Edited, Refusal> {
        let layout = layout::Layout::of(self)?;
        let bytes = emit::Emit {
            edit: self,
            layout: &layout,
            class,
        }
        .attribute(pool)?;
        Ok(Edited {
            bytes,
            code_len: layout.len(),
            map: layout.map(self),
        })
    }
}

/// Puts what is in some local variables into a state.
fn add_locals(state: &mut State, locals: &[(u16, Type)]) {
    for (slot, kind) in locals {
        let slot = usize::from(*slot);
        if state.locals.len() <= slot {
            state.locals.resize(slot + 1, Type::Top);
        }
        state.locals[slot] = kind.clone();
    }
}

/// What an edit must know of the class and the method around it.
#[derive(Clone, Copy, Debug)]
pub struct Class<'a> {
    /// Major version of the class file: from 50 on methods have stack maps.
    pub major: u16,
    /// The method.
    pub method: crate::flow::Method<'a>,
}

/// Puts edited `Code` attributes, by the position of their method, into a class, and the constants
/// they need behind its pool. Of `marks` each is an annotation without elements that its method gets: the index of its type. Every other
/// byte stays.
#[must_use]
pub fn splice(
    bytes: &[u8],
    class: &ClassFile<'_>,
    pool: &Append<'_>,
    codes: &BTreeMap<usize, Vec<u8>>,
    marks: &BTreeMap<usize, Mark>,
) -> Vec<u8> {
    let mut out = Vec::with_capacity(bytes.len() + bytes.len() / 4);
    out.extend_from_slice(&bytes[..8]);
    out.extend(pool.count().to_be_bytes());
    out.extend_from_slice(&bytes[10..class.pool_end]);
    out.extend_from_slice(pool.bytes());
    let mut copied = class.pool_end;
    for (position, new) in codes {
        let Some(method) = class.methods.get(*position) else {
            continue;
        };
        let code = class.code_attribute(method);
        let mut patches: Vec<Patch> = code.map(|old| replaced(&old, new)).into_iter().collect();
        if let Some(mark) = marks.get(position) {
            patches.extend(marked(class, method, *mark));
        }
        patches.sort_by_key(|(range, _)| range.start);
        for (range, new) in patches {
            out.extend_from_slice(&bytes[copied..range.start]);
            out.extend(new);
            copied = range.end;
        }
    }
    out.extend_from_slice(&bytes[copied..]);
    out
}

/// An annotation without elements.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mark {
    /// Index of the descriptor of its type.
    pub kind: u16,
    /// Index of the name of the attribute that holds annotations.
    pub attribute: u16,
}

/// Name of the attribute that holds the annotations which a program sees, and the JVM.
pub const ANNOTATIONS: &str = "RuntimeVisibleAnnotations";

/// Bytes of a class file, and what comes in their place.
type Patch = (Range<usize>, Vec<u8>);

/// New contents of an attribute.
fn replaced(old: &Attribute<'_>, new: &[u8]) -> Patch {
    let len = (new.len() as u32).to_be_bytes();
    (old.at - 4..old.at + old.bytes.len(), [&len, new].concat())
}

/// An annotation more, beside those there are.
fn marked(class: &ClassFile<'_>, method: &Member<'_>, mark: Mark) -> Vec<Patch> {
    let annotation = [mark.kind.to_be_bytes(), [0; 2]].concat();
    let all = &method.attributes;
    let have = all
        .iter()
        .find(|one| class.pool.utf8(one.name) == Some(ANNOTATIONS));
    if let Some((have, count)) = have.and_then(|have| have.bytes.first_chunk().map(|n| (have, n))) {
        let count = u16::from_be_bytes(*count).saturating_add(1).to_be_bytes();
        let more = [&count[..], &have.bytes[2..], &annotation].concat();
        return vec![replaced(have, &more)];
    }
    let (Some(first), Some(last)) = (all.first(), all.last()) else {
        return Vec::new();
    };
    let end = last.at + last.bytes.len();
    let count = (all.len() as u16).saturating_add(1).to_be_bytes();
    let len = (2 + annotation.len() as u32).to_be_bytes();
    let attribute = [
        &mark.attribute.to_be_bytes()[..],
        &len,
        &1_u16.to_be_bytes(),
        &annotation,
    ];
    // In front of the first attribute there is their number, and its own name and length.
    let counted = first.at - 8..first.at - 6;
    vec![(counted, count.to_vec()), (end..end, attribute.concat())]
}
