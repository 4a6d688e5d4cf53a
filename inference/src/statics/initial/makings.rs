//! How objects of the library are made, of which no code is recorded: the arguments of their constructors.
//!
//! What a semaphore of `java.util.concurrent` began with, no field of it tells: the number there changes with every permit. The
//! code that makes it says it, and where one field holds it, which object that is.

use super::{Initials, MAX_SITES};
use crate::statics::StaticModel;
use crate::statics::descriptor::{Signature, Type};
use crate::statics::expr::{Expr, Exprs, Node};
use crate::statics::flow::flow;
use crate::statics::frame::argument_words;
use crate::statics::program::{FieldId, MethodIx, Program};
use locklens_trace::MethodId;
use locklens_trace::code::{InvokeKind, Op};
use std::collections::BTreeSet;

/// Fields and arguments looked through, one behind the other.
const MAX_LEVELS: u32 = 4;

/// How an object was made.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Made {
    /// The constructor's.
    pub(crate) descriptor: String,
    /// Its arguments, as far as they are the same whenever such an object is made here.
    pub(crate) arguments: Vec<Option<i64>>,
}

/// See the module.
pub(crate) struct Makings<'a>(Initials<'a>);

impl StaticModel {
    /// How objects of the library are made; `values` are what is known of values meanwhile.
    pub(crate) fn makings<'m>(&'m self, values: &'m mut Exprs) -> Makings<'m> {
        let initials = Initials::new(&self.program, values, &[], self.depth, None);
        Makings(initials)
    }
}

/// Where a value comes from.
#[derive(Default)]
struct Sources {
    /// Calls of constructors: (calling method, instruction index).
    sites: BTreeSet<(MethodIx, usize)>,
    /// Values that were looked at: ways may meet, and lead back.
    seen: BTreeSet<(MethodIx, Expr)>,
}

/// Values that are looked at for one place.
const MAX_VALUES: usize = 64;

impl Makings<'_> {
    /// How the object of a class was made of which a method is called at a place: none unless all that is known of where it
    /// comes from leads to constructors of that class, called with the same constants.
    pub(crate) fn of_called(
        &mut self,
        (method, bci): (MethodId, u16),
        class: &str,
    ) -> Option<Made> {
        let program = self.0.program;
        let &ix = program.by_id.get(&method)?;
        let at = program.methods[ix].at(bci)?;
        let Op::Invoke { kind, method } = &program.methods[ix].code[at].op else {
            return None;
        };
        if matches!(kind, InvokeKind::Static | InvokeKind::Dynamic) {
            return None;
        }
        let receiver = self.word((ix, at), &method.descriptor, 0)?;
        let mut sources = Sources::default();
        self.trace((ix, receiver), class, 0, &mut sources)?;
        let mut all = sources.sites.into_iter().map(|site| self.made_at(site));
        let first = all.next()??;
        all.all(|other| other.as_ref() == Some(&first))
            .then_some(first)
    }

    /// A word of a call that has a receiver: that, and the arguments.
    fn word(&mut self, at: (MethodIx, usize), descriptor: &str, slot: u16) -> Option<Expr> {
        let count = argument_words(&Signature::parse(descriptor), false);
        self.below(at, count.checked_sub(slot)?)
    }

    /// The word that lies so deep on the stack: 1 is the uppermost.
    fn below(&mut self, (ix, at): (MethodIx, usize), depth: u16) -> Option<Expr> {
        let (program, x) = (self.0.program, &mut *self.0.x);
        let known = self.0.flows.entry(ix);
        let flow = known.or_insert_with(|| flow(program, x, ix));
        let stack = &flow.points.get(at)?.as_ref()?.frame.stack;
        stack.len().checked_sub(depth.into()).map(|i| stack[i])
    }

    /// Adds where a value of a method may have been made; none if it may have come from anywhere.
    fn trace(
        &mut self,
        (ix, value): (MethodIx, Expr),
        class: &str,
        level: u32,
        sources: &mut Sources,
    ) -> Option<()> {
        if !sources.seen.insert((ix, value)) {
            return Some(());
        }
        let many = sources.seen.len() > MAX_VALUES || sources.sites.len() > MAX_SITES;
        if level > MAX_LEVELS || many {
            return None;
        }
        match self.0.x.node(value).clone() {
            Node::Null => Some(()),
            Node::New(site, of) if &*of == class => {
                let site = self.construction(site.method, value, class)?;
                sources.sites.insert(site);
                Some(())
            }
            Node::Field(_, id) | Node::Static(id) => self.written(id, class, level, sources),
            Node::Index(array, _) => self.stored(array, class, level, sources),
            Node::Entry(slot) => self.passed_in(ix, slot, class, level, sources),
            _ => None,
        }
    }

    /// Where a method calls the constructor of what it makes.
    fn construction(&mut self, ix: MethodIx, made: Expr, class: &str) -> Option<(MethodIx, usize)> {
        let program = self.0.program;
        let here = program.constructions(class).iter().copied();
        let mut here = here.filter(|&(caller, _)| caller == ix);
        here.find(|&site| {
            let called = match &program.methods[site.0].code[site.1].op {
                Op::Invoke { method, .. } => &method.descriptor,
                _ => return false,
            };
            self.word(site, called, 0) == Some(made)
        })
    }

    /// What is written to a field.
    fn written(
        &mut self,
        id: FieldId,
        class: &str,
        level: u32,
        sources: &mut Sources,
    ) -> Option<()> {
        let program = self.0.program;
        let mut any = None;
        for &writer in &program.field(id).writers {
            for at in puts(program, writer, id) {
                let value = self.below((writer, at), 1)?;
                self.trace((writer, value), class, level + 1, sources)?;
                any = Some(());
            }
        }
        any
    }

    /// What is put into an array: by the method that makes it, or by those of the class that keeps it.
    fn stored(
        &mut self,
        array: Expr,
        class: &str,
        level: u32,
        sources: &mut Sources,
    ) -> Option<()> {
        let program = self.0.program;
        let kept = |node: &Node| match *node {
            Node::Field(_, id) | Node::Static(id) => Some(id),
            _ => None,
        };
        let of = self.0.x.node(array).clone();
        let methods: Vec<MethodIx> = match (&of, kept(&of)) {
            (Node::New(site, _), _) => vec![site.method],
            (_, Some(id)) => {
                let keeper = program.classes.named(&program.field(id).class, None)?;
                program.methods_of(keeper).to_vec()
            }
            _ => return None,
        };
        let mut any = None;
        for method in methods {
            for (at, insn) in program.methods[method].code.iter().enumerate() {
                if !matches!(insn.op, Op::ArrayStore { wide: false }) {
                    continue;
                }
                let into = self.below((method, at), 3)?;
                let node = self.0.x.node(into).clone();
                let other = match (kept(&of), kept(&node)) {
                    (Some(one), Some(another)) => one != another,
                    (None, None) => matches!(node, Node::New(..)) && into != array,
                    // Its maker may put it into the field afterwards.
                    (Some(id), None) => {
                        matches!(node, Node::New(..)) && !self.is_put((method, into), id)
                    }
                    (None, Some(_)) => false,
                };
                if !other && !self.is_of_others(&node, class) {
                    let value = self.below((method, at), 1)?;
                    self.trace((method, value), class, level + 1, sources)?;
                    any = Some(());
                }
            }
        }
        any
    }

    /// A method writes a value to a field.
    fn is_put(&mut self, (method, value): (MethodIx, Expr), id: FieldId) -> bool {
        let mut puts = puts(self.0.program, method, id);
        puts.any(|at| self.below((method, at), 1) == Some(value))
    }

    /// An array whose elements are of another class of the library, or no objects, by the descriptor of its field.
    fn is_of_others(&self, array: &Node, class: &str) -> bool {
        let (Node::Field(_, id) | Node::Static(id)) = *array else {
            return false;
        };
        let element = self.0.program.field(id).descriptor.strip_prefix('[');
        let of = element.and_then(|element| Type(element).class_name());
        match of {
            Some(name) => name != class && name.starts_with("java.lang."),
            None => true,
        }
    }

    /// What callers hand to a method, and who makes a function of it.
    fn passed_in(
        &mut self,
        ix: MethodIx,
        slot: u16,
        class: &str,
        level: u32,
        sources: &mut Sources,
    ) -> Option<()> {
        let program = self.0.program;
        let def = &program.methods[ix].def;
        let own = program.classes.name(def.class);
        let is_meant =
            |&(caller, at): &(MethodIx, usize)| match &program.methods[caller].code[at].op {
                Op::Invoke { method, .. } => def.name != "<init>" || method.class == own,
                _ => false,
            };
        let calls = program.callers(def).filter(is_meant);
        let calls: Vec<_> = calls.take(MAX_SITES + 1).collect();
        let functions: Vec<_> = program.handings_on(def).take(MAX_SITES + 1).collect();
        // Who calls it as a function is not known, unless it is given there what it has captured.
        let unknown = functions.is_empty() && program.is_handed_on(def);
        if calls.len() + functions.len() > MAX_SITES || unknown {
            return None;
        }
        let words = argument_words(&program.methods[ix].signature, def.is_static());
        let mut any = None;
        for call in calls {
            let value = self.below(call, words.checked_sub(slot)?)?;
            self.trace((call.0, value), class, level + 1, sources)?;
            any = Some(());
        }
        for maker in functions {
            let Op::Invoke { method, .. } = &program.methods[maker.0].code[maker.1].op else {
                return None;
            };
            let captured = argument_words(&Signature::parse(&method.descriptor), true);
            let value = self.below(maker, captured.checked_sub(slot).filter(|&n| n > 0)?)?;
            self.trace((maker.0, value), class, level + 1, sources)?;
            any = Some(());
        }
        any
    }

    /// The constructor called at a place, and what with.
    fn made_at(&mut self, (caller, at): (MethodIx, usize)) -> Option<Made> {
        let program = self.0.program;
        let Op::Invoke { method, .. } = &program.methods[caller].code[at].op else {
            return None;
        };
        let signature = Signature::parse(&method.descriptor);
        let mut arguments = Vec::new();
        for (slot, _) in signature.slots(1) {
            let word = self.word((caller, at), &method.descriptor, slot);
            arguments.push(word.and_then(|word| self.0.constant(caller, word, 0)));
        }
        Some(Made {
            descriptor: method.descriptor.clone(),
            arguments,
        })
    }
}

/// Where a method writes a field.
fn puts(program: &Program, method: MethodIx, id: FieldId) -> impl Iterator<Item = usize> + '_ {
    let code = program.methods[method].code.iter().enumerate();
    let puts = code.filter(move |(_, insn)| match &insn.op {
        Op::PutField(field) | Op::PutStatic(field) => program.field_id(field) == Some(id),
        _ => false,
    });
    puts.map(|(at, _)| at)
}
