//! Where methods hand variables on: to bodies of functions, and to fields of local classes.

use crate::statics::descriptor::Signature;
use crate::statics::frame::argument_words;
use crate::statics::program::{MethodIx, Program};
use locklens_trace::code::{Insn, InvokeKind, MemberRef, Op};
use std::collections::BTreeMap;

/// Where a variable is, outside the method that makes it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Place {
    /// An argument of a function's body.
    Argument(MethodIx, u16),
    /// A field that a constructor fills.
    Field(MemberRef),
}

/// What is captured by a function or an object, of the words on the stack when it is made.
pub(super) struct Capture {
    /// How many words are above it.
    pub(super) below: usize,
    pub(super) descriptor: String,
    pub(super) place: Place,
}

/// A field that the constructor of a local class fills with an argument.
struct Filled {
    constructor: MethodIx,
    slot: u16,
    field: MemberRef,
}

/// Functions within functions that are looked into.
const MAX_DEPTH: u32 = 4;

const SYNTHETIC: u32 = 0x1000;

/// All places of a program.
pub(super) struct Places<'a> {
    program: &'a Program,
    /// Fields that are filled before there is an object, by class.
    filled: BTreeMap<&'a str, Vec<Filled>>,
    /// Where such fields are read: of the object that the code belongs to, by instructions; none if of another one as well.
    reads: BTreeMap<MemberRef, Option<Vec<(MethodIx, usize)>>>,
}

impl<'a> Places<'a> {
    pub(super) fn of(program: &'a Program) -> Self {
        let mut places = Self {
            program,
            filled: BTreeMap::new(),
            reads: BTreeMap::new(),
        };
        places.find_fields();
        places.find_reads();
        places
    }

    /// The fields of local classes.
    fn find_fields(&mut self) {
        for (ix, method) in self.program.methods.iter().enumerate() {
            if method.def.name != "<init>" {
                continue;
            }
            // No other code can fill a field before the superclass's constructor is called.
            let called = |insn: &Insn| matches!(&insn.op, Op::Invoke { kind: InvokeKind::Special, method } if method.name == "<init>");
            let before = method.code.iter().position(called).unwrap_or(0);
            for ops in method.code[..before].windows(3) {
                if let [
                    Op::Load { slot: 0, .. },
                    Op::Load { slot, .. },
                    Op::PutField(field),
                ] = [&ops[0].op, &ops[1].op, &ops[2].op]
                    && self.is_filled_once(field)
                {
                    let class = self.program.classes.name(method.def.class);
                    self.filled.entry(class).or_default().push(Filled {
                        constructor: ix,
                        slot: *slot,
                        field: field.clone(),
                    });
                }
            }
        }
    }

    /// One constructor writes it, and nobody else.
    fn is_filled_once(&self, field: &MemberRef) -> bool {
        let id = self.program.field_id(field);
        id.is_some_and(|id| self.program.field(id).writers.len() == 1)
    }

    /// Where the fields of local classes are read.
    fn find_reads(&mut self) {
        let filled = self.filled.values().flatten();
        self.reads = filled
            .map(|filled| (filled.field.clone(), Some(Vec::new())))
            .collect();
        if self.reads.is_empty() {
            return;
        }
        for (ix, method) in self.program.methods.iter().enumerate() {
            for (at, insn) in method.code.iter().enumerate() {
                let Op::GetField(field) = &insn.op else {
                    continue;
                };
                let Some(found) = self.reads.get_mut(field) else {
                    continue;
                };
                let before = at.checked_sub(1).map(|before| &method.code[before].op);
                let own = self.program.classes.name(method.def.class) == field.class
                    && matches!(before, Some(Op::Load { slot: 0, .. }))
                    && !method.def.is_static();
                match found {
                    Some(reads) if own => reads.push((ix, at)),
                    _ => *found = None,
                }
            }
        }
    }

    /// What is captured in a method: where, which word below the top of the stack, of which type, and where it goes.
    pub(super) fn captures(&self, ix: MethodIx) -> Vec<(usize, Vec<Capture>)> {
        let method = &self.program.methods[ix];
        let mut found = Vec::new();
        for (at, insn) in method.code.iter().enumerate() {
            let Op::Invoke {
                kind,
                method: called,
            } = &insn.op
            else {
                continue;
            };
            let places = match kind {
                InvokeKind::Dynamic => self.by_function((ix, insn.bci), called),
                InvokeKind::Special if called.name == "<init>" => self.by_constructor(called),
                _ => continue,
            };
            if !places.is_empty() {
                found.push((at, places));
            }
        }
        found
    }

    /// What the body of a function is given with the function, if it is its class's own, made for it alone.
    fn by_function(&self, (ix, bci): (MethodIx, u16), called: &MemberRef) -> Vec<Capture> {
        let program = self.program;
        let class = program.methods[ix].def.class;
        let body = program.function(ix, bci).filter(|&body| {
            let of = &program.methods[body].def;
            let is_own = of.class == class && of.flags & SYNTHETIC != 0;
            is_own && program.handings_on(of).count() == 1
        });
        let Some(body) = body else { return Vec::new() };
        let place = |slot| Place::Argument(body, slot);
        words(&Signature::parse(&called.descriptor), place)
    }

    /// What a constructor puts into fields for captured variables.
    pub(super) fn by_constructor(&self, called: &MemberRef) -> Vec<Capture> {
        let Some(all) = self.filled.get(called.class.as_str()) else {
            return Vec::new();
        };
        if self.program.constructions(&called.class).len() != 1 {
            return Vec::new();
        }
        let signature = Signature::parse(&called.descriptor);
        let count = argument_words(&signature, false);
        let is_called =
            |f: &&Filled| self.program.methods[f.constructor].def.descriptor == called.descriptor;
        let word = |f: &Filled| {
            let below = usize::from(count.checked_sub(f.slot)?.checked_sub(1)?);
            Some(Capture {
                below,
                descriptor: f.field.descriptor.clone(),
                place: Place::Field(f.field.clone()),
            })
        };
        all.iter().filter(is_called).filter_map(word).collect()
    }

    /// The code at a place, or that the class of which has the field, enters a monitor.
    pub(super) fn may_lock(&self, place: &Place) -> bool {
        self.may_lock_within(place, 0)
    }

    fn may_lock_within(&self, place: &Place, depth: u32) -> bool {
        let enters = |ix: &MethodIx| {
            let mut code = self.program.methods[*ix].code.iter();
            code.any(|insn| insn.op == Op::MonitorEnter)
        };
        match place {
            _ if depth > MAX_DEPTH => false,
            Place::Argument(body, _) => {
                enters(body) || {
                    let within = self.captures(*body).into_iter();
                    let mut within = within.flat_map(|(_, places)| places);
                    within.any(|of| self.may_lock_within(&of.place, depth + 1))
                }
            }
            Place::Field(field) => {
                let class = self.program.classes.named(&field.class, None);
                class.is_some_and(|class| self.program.methods_of(class).iter().any(enters))
            }
        }
    }

    /// The instructions that read a field of the object they belong to; none if any reads it of another one.
    pub(super) fn read(&self, field: &MemberRef) -> Option<&[(MethodIx, usize)]> {
        self.reads.get(field)?.as_deref()
    }
}

/// The words of arguments: how far below the top of the stack, their type, and the place of each by its slot.
fn words(signature: &Signature, place: impl Fn(u16) -> Place) -> Vec<Capture> {
    let count = argument_words(signature, true);
    let mut found = Vec::new();
    for (slot, ty) in signature.slots(0) {
        let Some(below) = count.checked_sub(1).and_then(|last| last.checked_sub(slot)) else {
            break;
        };
        if ty.is_reference() {
            found.push(Capture {
                below: usize::from(below),
                descriptor: ty.0.to_owned(),
                place: place(slot),
            });
        }
    }
    found
}
