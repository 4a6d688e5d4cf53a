//! Which regions lock the same logical lock.
//!
//! Regions on `this` meet through the class of the lock object, regions on a field through the
//! field. A field that a constructor fills with `this` or with an argument that the known
//! construction sites take from one other field or one allocation is that other lock; fields that are filled with
//! the same object of one place are one lock.

mod apart;

use super::expr::{Expr, Exprs, Node, Site};
use super::flow::{Flow, flow};
use super::program::{FieldId, MethodIx, Program};
use super::subject::Subject;
use super::survey::Surveyed;
use crate::region::RegionId;
use locklens_trace::code::Op;
use locklens_trace::{ClassId, LoaderId};
use std::collections::{BTreeMap, BTreeSet};

/// Where a lock object comes from.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Origin {
    /// Content of a field.
    Field(String, String),
    /// An instance of a class.
    Instance(String),
    /// Made at a place.
    Made(Site),
}

/// Origins known to be the same lock: each leads to a common one.
#[derive(Clone, Debug, Default)]
pub(super) struct Aliases(BTreeMap<Origin, Origin>);

impl Aliases {
    /// Reads the constructors that fill fields some region locks.
    pub(super) fn find(program: &Program, regions: &BTreeMap<RegionId, Surveyed>) -> Self {
        let mut fields = BTreeMap::new();
        for (id, field) in (0..).map(FieldId).zip(&program.fields) {
            let key = (field.class.as_str(), field.name.as_str());
            fields.entry(key).or_insert(id);
        }
        let mut finder = Finder {
            program,
            fields,
            x: Exprs::default(),
            flows: BTreeMap::new(),
            found: Self::default(),
        };
        let mut done = BTreeSet::new();
        for surveyed in regions.values() {
            if let Subject::Field {
                owner,
                name,
                is_static: false,
                ..
            } = &surveyed.subject
                && done.insert((owner.clone(), name.clone()))
            {
                finder.field(owner, name);
            }
        }
        finder.found
    }

    fn root(&self, origin: &Origin) -> Origin {
        let mut at = origin;
        while let Some(next) = self.0.get(at) {
            at = next;
        }
        at.clone()
    }

    fn unite(&mut self, a: &Origin, b: &Origin) {
        let (a, b) = (self.root(a), self.root(b));
        if a != b {
            self.0.insert(a.clone().max(b.clone()), a.min(b));
        }
    }
}

struct Finder<'a> {
    program: &'a Program,
    /// Fields by class and name; of several, the first.
    fields: BTreeMap<(&'a str, &'a str), FieldId>,
    x: Exprs,
    flows: BTreeMap<MethodIx, Flow>,
    found: Aliases,
}

impl Finder<'_> {
    /// Looks at every constructor that writes a field.
    fn field(&mut self, owner: &str, name: &str) {
        let Some(&id) = self.fields.get(&(owner, name)) else {
            return;
        };
        let here = Origin::Field(owner.to_owned(), name.to_owned());
        for &writer in &self.program.field(id).writers {
            for (at, value) in self.written(writer, |field| field == id) {
                if !self.is_step(value, id) {
                    self.unite_with(&here, writer, (at, value));
                }
            }
        }
    }

    /// What a field of the old content refers to: a step along a list, to another object.
    fn is_step(&self, value: Expr, field: FieldId) -> bool {
        let old = |e: Expr| matches!(*self.x.node(e), Node::Field(_, id) if id == field);
        matches!(*self.x.node(value), Node::Field(from, _) if old(from))
    }

    /// Where a method writes such fields, and what.
    fn written(
        &mut self,
        writer: MethodIx,
        is_meant: impl Fn(FieldId) -> bool,
    ) -> Vec<(usize, Expr)> {
        let program = self.program;
        let mut out = Vec::new();
        for (at, insn) in program.methods[writer].code.iter().enumerate() {
            if matches!(&insn.op, Op::PutField(f) if program.field_id(f).is_some_and(&is_meant)) {
                out.extend(self.top(writer, at, 0).map(|value| (at, value)));
            }
        }
        out
    }

    /// Whether a field gets what is made at a place at another time than another field does.
    fn is_alternative(&mut self, writer: MethodIx, (at, value): (usize, Expr), site: Site) -> bool {
        let method = &self.program.methods[writer];
        let Some(made) = method.at(site.bci).filter(|_| site.method == writer) else {
            return true;
        };
        let Op::PutField(this) = &method.code[at].op else {
            return true;
        };
        let this = self.program.field_id(this);
        let mut others = self.written(writer, |field| Some(field) != this);
        others.retain(|other| other.1 == value);
        let others: Vec<usize> = others.into_iter().map(|(other, _)| other).collect();
        !others.is_empty() && apart::is_any_apart(method, made, at, &others)
    }

    /// The stack word `below` the top, before an instruction.
    fn top(&mut self, ix: MethodIx, at: usize, below: usize) -> Option<Expr> {
        let (program, x) = (self.program, &mut self.x);
        let flow = self.flows.entry(ix).or_insert_with(|| flow(program, x, ix));
        let stack = &flow.points.get(at)?.as_ref()?.frame.stack;
        let index = stack.len().checked_sub(1 + below)?;
        stack.get(index).copied()
    }

    fn unite_with(&mut self, here: &Origin, writer: MethodIx, (at, value): (usize, Expr)) {
        let method = &self.program.methods[writer];
        match self.x.node(value).clone() {
            Node::Entry(0) if !method.def.is_static() => {
                let class = self.program.classes.name(method.def.class).to_owned();
                self.found.unite(here, &Origin::Instance(class));
            }
            Node::Entry(slot) if method.def.name == "<init>" => self.argument(here, writer, slot),
            Node::Field(_, id) => {
                let other = self.field_origin(id);
                self.found.unite(here, &other);
            }
            // Fields that are filled with what one place makes.
            Node::New(site, _) if !self.is_alternative(writer, (at, value), site) => {
                self.found.unite(here, &Origin::Made(site));
            }
            _ => {}
        }
    }

    fn field_origin(&self, id: FieldId) -> Origin {
        let field = self.program.field(id);
        Origin::Field(field.class.clone(), field.name.clone())
    }

    /// The arguments given for a constructor's parameter.
    fn argument(&mut self, here: &Origin, constructor: MethodIx, slot: u16) {
        let program = self.program;
        let method = &program.methods[constructor];
        let words = super::frame::argument_words(&method.signature, false);
        let class = program.classes.name(method.def.class).to_owned();
        let descriptor = &method.def.descriptor;
        for &(caller, at) in program.constructions(&class) {
            let same = matches!(&program.methods[caller].code[at].op,
                Op::Invoke { method, .. } if method.descriptor == *descriptor);
            let Some(below) = (words - 1).checked_sub(slot) else {
                continue;
            };
            if !same {
                continue;
            }
            if let Some(value) = self.top(caller, at, usize::from(below)) {
                self.unite_argument(here, caller, value);
            }
        }
    }

    fn unite_argument(&mut self, here: &Origin, caller: MethodIx, value: Expr) {
        let other = match *self.x.node(value) {
            Node::Entry(0) if !self.program.methods[caller].def.is_static() => {
                let class = self.program.methods[caller].def.class;
                Origin::Instance(self.program.classes.name(class).to_owned())
            }
            Node::Field(_, id) | Node::Static(id) => self.field_origin(id),
            Node::New(site, _) => Origin::Made(site),
            _ => return,
        };
        self.found.unite(here, &other);
    }
}

/// The static type that says nothing.
const ANY: &str = "java.lang.Object";

/// The regions of a program by what they lock.
#[derive(Clone, Debug, Default)]
pub(super) struct Index {
    /// Of the objects that methods of a class are called on. These instances are locks by themselves.
    this: BTreeMap<ClassId, Vec<RegionId>>,
    mirrors: BTreeMap<String, Vec<RegionId>>,
    origins: BTreeMap<Origin, Vec<RegionId>>,
    /// Of values and fields, by their static type.
    typed: BTreeMap<String, Vec<RegionId>>,
}

impl Index {
    pub(super) fn new(
        program: &Program,
        regions: &BTreeMap<RegionId, Surveyed>,
        aliases: &Aliases,
    ) -> Self {
        let mut index = Self::default();
        for (&id, region) in regions {
            let subject = &region.subject;
            match subject {
                Subject::This(class) => index.this.entry(*class).or_default().push(id),
                Subject::StaticMirror(class) => {
                    index.mirrors.entry(class.clone()).or_default().push(id);
                }
                Subject::Field { .. } | Subject::Value(_) | Subject::Unknown => {}
            }
            if let Some(origin) = origin(program, aliases, subject) {
                index.origins.entry(origin).or_default().push(id);
            }
            if let Some(class) = subject.declared_type() {
                index.typed.entry(class.to_owned()).or_default().push(id);
            }
        }
        index
    }

    /// Every region that a group may take, and others.
    fn near(&self, group: &Group<'_>) -> BTreeSet<RegionId> {
        let classes = &group.program.classes;
        let of_classes = group.classes.iter();
        let above = of_classes.clone().flat_map(|&class| classes.above(class));
        let names = of_classes.flat_map(|&class| classes.names_above(class));
        // What is merely known to be some object is taken for none of them.
        let names = names.filter(|&name| name != ANY);
        let this = above.filter_map(|class| self.this.get(class));
        let mirrors = group.mirrors.iter().filter_map(|m| self.mirrors.get(m));
        let origins = group.origins.iter().filter_map(|o| self.origins.get(o));
        let values = group.values.iter().filter_map(|v| self.typed.get(v));
        let typed = names.filter_map(|name| self.typed.get(name));
        let all = this.chain(mirrors).chain(origins);
        all.chain(values).chain(typed).flatten().copied().collect()
    }
}

fn origin(program: &Program, aliases: &Aliases, subject: &Subject) -> Option<Origin> {
    let origin = match subject {
        Subject::Field { owner, name, .. } => Origin::Field(owner.clone(), name.clone()),
        Subject::This(class) => Origin::Instance(program.classes.name(*class).to_owned()),
        _ => return None,
    };
    Some(aliases.root(&origin))
}

/// The regions that can lock the same logical lock as those seen, whose objects are of `classes`.
pub(super) fn same_lock(
    program: &Program,
    regions: &BTreeMap<RegionId, Surveyed>,
    (aliases, index): (&Aliases, &Index),
    seen: &BTreeSet<RegionId>,
    classes: &[ClassId],
) -> BTreeSet<RegionId> {
    let group = Group::new(program, regions, (aliases, index), seen, classes);
    let near = index.near(&group).into_iter();
    let more = near
        .filter_map(|id| Some((id, regions.get(&id)?)))
        .filter(|(_, s)| !is_threads_own(program, s) && !group.is_of_others(s))
        .filter(|(_, s)| group.takes(&s.subject) && !group.is_a_subclasses(s));
    seen.iter().copied().chain(more.map(|(id, _)| id)).collect()
}

/// `Thread.join` and the like: every thread object could be met there, so only seeing it counts.
fn is_threads_own(program: &Program, region: &Surveyed) -> bool {
    let class = program.methods[region.method].def.class;
    program.classes.name(class) == "java.lang.Thread"
}

struct Group<'a> {
    program: &'a Program,
    aliases: &'a Aliases,
    classes: &'a [ClassId],
    origins: BTreeSet<Origin>,
    mirrors: BTreeSet<String>,
    /// Static types of what seen regions lock that is no field of theirs, classes of the program.
    values: BTreeSet<String>,
    index: &'a Index,
    /// Loaders of the classes of its objects and regions.
    loaders: BTreeSet<Option<LoaderId>>,
}

impl<'a> Group<'a> {
    fn new(
        program: &'a Program,
        regions: &BTreeMap<RegionId, Surveyed>,
        (aliases, index): (&'a Aliases, &'a Index),
        seen: &BTreeSet<RegionId>,
        classes: &'a [ClassId],
    ) -> Self {
        let seen = || seen.iter().filter_map(|id| regions.get(id));
        let declaring = seen().map(|s| program.methods[s.method].def.class);
        let own = declaring.chain(classes.iter().copied());
        let loaders = own.filter_map(|class| Some(program.classes.get(class)?.loader));
        let mut group = Self {
            program,
            aliases,
            classes,
            origins: BTreeSet::new(),
            mirrors: BTreeSet::new(),
            values: BTreeSet::new(),
            index,
            loaders: loaders.collect(),
        };
        for surveyed in seen() {
            group.note(&surveyed.subject);
        }
        for &class in classes {
            let name = program.classes.name(class).to_owned();
            group.origins.insert(aliases.root(&Origin::Instance(name)));
        }
        group
    }

    fn note(&mut self, subject: &Subject) {
        if let Subject::StaticMirror(class) = subject {
            self.mirrors.insert(class.clone());
        }
        // Objects of a class of the library are locked for all sorts of reasons.
        // What a field holds is handed on as well, and then locked as a value.
        if let Subject::Value(class) | Subject::Field { class, .. } = subject
            && !class.starts_with("java.")
            && !class.is_empty()
        {
            self.values.insert(class.clone());
        }
        if let Some(origin) = self.origin(subject) {
            self.origins.insert(origin);
        }
    }

    fn origin(&self, subject: &Subject) -> Option<Origin> {
        origin(self.program, self.aliases, subject)
    }

    /// A region of a class of which the loaders of this group have one of their own with the same name: the copies
    /// of a class share no object.
    fn is_of_others(&self, region: &Surveyed) -> bool {
        let class = self.program.methods[region.method].def.class;
        let classes = &self.program.classes;
        let Some(def) = classes.get(class) else {
            return false;
        };
        let has = |&loader: &Option<LoaderId>| classes.has(loader, &def.name);
        !self.loaders.contains(&def.loader) && self.loaders.iter().any(has)
    }

    fn takes(&self, subject: &Subject) -> bool {
        match subject {
            Subject::StaticMirror(class) => self.mirrors.contains(class),
            Subject::Unknown => false,
            Subject::This(class) => self.locks_this(*class) || self.aliased(subject),
            Subject::Field { .. } => self.aliased(subject) || self.typed(subject),
            Subject::Value(class) => self.values.contains(class) || self.typed(subject),
        }
    }

    /// A region of a proper subclass on a field in which objects keep themselves: no lock object
    /// is of that subclass, so none of them can run it.
    fn is_a_subclasses(&self, region: &Surveyed) -> bool {
        let Subject::Field {
            owner,
            is_static: false,
            ..
        } = &region.subject
        else {
            return false;
        };
        let declaring = self.program.methods[region.method].def.class;
        let keeps_itself = |&c: &ClassId| self.program.classes.is_a(c, owner);
        !self.classes.is_empty()
            && self.classes.iter().all(keeps_itself)
            && self.program.classes.is_a(declaring, owner)
            && !self.locks_this(declaring)
    }

    fn aliased(&self, subject: &Subject) -> bool {
        self.origin(subject)
            .is_some_and(|o| self.origins.contains(&o))
    }

    /// A region on `this` of a class that some lock object's class inherits from.
    fn locks_this(&self, declaring: ClassId) -> bool {
        let inherits = |&class: &ClassId| self.program.classes.above(class).contains(&declaring);
        self.classes.iter().any(inherits)
    }

    /// A region on a value whose static type is a class of lock objects, where that class or a
    /// superclass is used as a lock by its own methods, or is a thread's.
    fn typed(&self, subject: &Subject) -> bool {
        let Some(name) = subject.declared_type() else {
            return false;
        };
        let fits = |&class: &ClassId| {
            let own = |c: &ClassId| self.index.this.contains_key(c);
            let locks = self.program.classes.above(class).iter().any(own);
            let typed = name != ANY && self.program.classes.is_a(class, name);
            typed && (locks || self.program.classes.is_a(class, "java.lang.Thread"))
        };
        self.classes.iter().any(fits)
    }
}

#[cfg(test)]
mod tests;
