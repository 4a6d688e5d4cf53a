//! The program as far as its code is known: classes by name, their hierarchy, methods with
//! code, and which methods write which field.
//!
//! Names are resolved from the class that uses them: a class of the same loader is preferred.

use super::descriptor::Signature;
use crate::catalog::Catalog;
use locklens_trace::code::{Insn, InvokeKind, MemberRef, Op};
use locklens_trace::record::{ClassDef, MethodDef, Reading};
use locklens_trace::{ClassId, MethodId};
use std::collections::{BTreeMap, BTreeSet};

/// Index of a method with code.
pub(super) type MethodIx = usize;

/// A field, the same for every class that inherits it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct FieldId(pub u32);

/// A method whose code is known.
#[derive(Clone, Debug)]
pub(super) struct Method {
    pub(super) def: MethodDef,
    pub(super) signature: Signature,
    pub(super) code: Vec<Insn>,
    /// Instruction indices that a backward branch leads to.
    pub(super) headers: BTreeSet<usize>,
    /// Slots that some instruction stores into.
    pub(super) stored: BTreeSet<u16>,
}

impl Method {
    /// Index of the instruction at a bci.
    pub(super) fn at(&self, bci: u16) -> Option<usize> {
        self.code.binary_search_by_key(&bci, |i| i.bci).ok()
    }

    /// A constructor or static initialiser.
    pub(super) fn is_initialiser(&self) -> bool {
        self.def.name.starts_with('<')
    }
}

/// What is known of a field.
#[derive(Clone, Debug, Default)]
pub(super) struct Field {
    /// Binary name of the class that seems to declare it.
    pub(super) class: String,
    pub(super) name: String,
    pub(super) descriptor: String,
    /// Methods that write it.
    pub(super) writers: BTreeSet<MethodIx>,
}

/// The code of a recording, indexed.
#[derive(Clone, Debug, Default)]
pub(super) struct Program {
    pub(super) methods: Vec<Method>,
    pub(super) by_id: BTreeMap<MethodId, MethodIx>,
    classes: BTreeMap<ClassId, ClassDef>,
    by_name: BTreeMap<String, Vec<ClassId>>,
    /// Declared methods, with code or not.
    declared: BTreeMap<(ClassId, String, String), (MethodId, u32)>,
    subclasses: BTreeMap<ClassId, BTreeSet<ClassId>>,
    pub(super) fields: Vec<Field>,
    field_ids: BTreeMap<MemberRef, FieldId>,
    /// What was read of fields of lock objects, by declaring class and name.
    observed: BTreeMap<(String, String), BTreeSet<i64>>,
    /// Where constructors are called: (calling method, instruction index), by class.
    constructions: BTreeMap<String, Vec<(MethodIx, usize)>>,
    /// Where methods are called, by the name and descriptor used.
    callers: BTreeMap<(String, String), Vec<(MethodIx, usize)>>,
}

const ABSTRACT: u32 = 0x0400;
const MAX_HIERARCHY: usize = 64;

impl Program {
    /// Indexes the code of a catalog.
    pub(super) fn new(catalog: &Catalog) -> Self {
        let mut program = Self {
            classes: catalog.classes.clone(),
            ..Self::default()
        };
        program.index_classes();
        program.index_methods(catalog);
        program.index_fields();
        program.index_calls();
        program.index_observed(catalog);
        program
    }

    fn index_classes(&mut self) {
        for class in self.classes.values() {
            self.by_name
                .entry(class.name.clone())
                .or_default()
                .push(class.id);
        }
        let ids: Vec<_> = self.classes.keys().copied().collect();
        for id in ids {
            for above in self.supertypes(id).into_iter().skip(1) {
                self.subclasses.entry(above).or_default().insert(id);
            }
        }
    }

    fn index_methods(&mut self, catalog: &Catalog) {
        for def in catalog.methods.values() {
            let key = (def.class, def.name.clone(), def.descriptor.clone());
            self.declared.insert(key, (def.id, def.flags));
            if let Some(code) = catalog.code.get(&def.id) {
                self.by_id.insert(def.id, self.methods.len());
                self.methods.push(method(def, &code.insns));
            }
        }
    }

    fn index_fields(&mut self) {
        let mut used = BTreeSet::new();
        for op in self.methods.iter().flat_map(|m| &m.code).map(|i| &i.op) {
            if let Some(field) = field_of(op) {
                used.insert(field.clone());
            }
        }
        let mut canonical = BTreeMap::new();
        for field in &used {
            let owner = self.declaring(field, &used);
            let fields = &mut self.fields;
            let id = *canonical.entry(owner.clone()).or_insert_with(|| {
                fields.push(Field {
                    class: owner.class,
                    name: owner.name,
                    descriptor: owner.descriptor,
                    writers: BTreeSet::new(),
                });
                FieldId(fields.len() as u32 - 1)
            });
            self.field_ids.insert(field.clone(), id);
        }
        self.index_writers();
    }

    fn index_writers(&mut self) {
        for (ix, method) in self.methods.iter().enumerate() {
            for insn in &method.code {
                if let Op::PutField(f) | Op::PutStatic(f) = &insn.op
                    && let Some(id) = self.field_ids.get(f)
                {
                    self.fields[id.0 as usize].writers.insert(ix);
                }
            }
        }
    }

    fn index_observed(&mut self, catalog: &Catalog) {
        for field in catalog.fields.values().flatten() {
            let value = match field.reading {
                Reading::Number(value) => value,
                Reading::ArrayLength(len) => i64::from(len),
            };
            let key = (field.class.clone(), field.name.clone());
            self.observed.entry(key).or_default().insert(value);
        }
    }

    /// What a field that never changes after construction (or the array it refers to, its length)
    /// held in every lock object looked at, if that was the same in all.
    pub(super) fn observed(&self, id: FieldId) -> Option<i64> {
        let field = self.field(id);
        let values = self
            .observed
            .get(&(field.class.clone(), field.name.clone()))?;
        let agreed = values.len() == 1 && self.is_stable(id);
        values.first().copied().filter(|_| agreed)
    }

    fn index_calls(&mut self) {
        for (ix, method) in self.methods.iter().enumerate() {
            for (at, insn) in method.code.iter().enumerate() {
                let Op::Invoke { kind, method } = &insn.op else {
                    continue;
                };
                if *kind == InvokeKind::Special && method.name == "<init>" {
                    let sites = self.constructions.entry(method.class.clone()).or_default();
                    sites.push((ix, at));
                }
                let key = (method.name.clone(), method.descriptor.clone());
                self.callers.entry(key).or_default().push((ix, at));
            }
        }
    }

    /// The class that seems to declare a field: the topmost one it is also used through.
    /// Field tables are not recorded, so a shadowed field of the same type counts as inherited.
    fn declaring(&self, field: &MemberRef, used: &BTreeSet<MemberRef>) -> MemberRef {
        let mut best = field.clone();
        let Some(class) = self.named(&field.class, None) else {
            return best;
        };
        for above in self.superclasses(class) {
            let candidate = MemberRef {
                class: self.classes[&above].name.clone(),
                ..field.clone()
            };
            if used.contains(&candidate) {
                best = candidate;
            }
        }
        best
    }

    /// The canonical id of a field reference in the code of this program.
    pub(super) fn field_id(&self, field: &MemberRef) -> Option<FieldId> {
        self.field_ids.get(field).copied()
    }

    /// What is known of a field.
    pub(super) fn field(&self, id: FieldId) -> &Field {
        &self.fields[id.0 as usize]
    }

    /// Never written after construction, as far as the known code says.
    pub(super) fn is_stable(&self, id: FieldId) -> bool {
        let writers = &self.field(id).writers;
        writers.iter().all(|&w| self.methods[w].is_initialiser())
    }

    /// A class by name, preferably of the loader of `from`.
    pub(super) fn named(&self, name: &str, from: Option<ClassId>) -> Option<ClassId> {
        let candidates = self.by_name.get(name)?;
        let loader = from.and_then(|id| self.classes.get(&id)).map(|c| c.loader);
        let same = candidates
            .iter()
            .find(|id| Some(self.classes[id].loader) == loader);
        same.or(candidates.first()).copied()
    }

    /// Definition of a class.
    pub(super) fn class(&self, id: ClassId) -> Option<&ClassDef> {
        self.classes.get(&id)
    }

    /// Binary name of a class, empty if unknown.
    pub(super) fn class_name(&self, id: ClassId) -> &str {
        self.classes.get(&id).map_or("", |c| &c.name)
    }

    /// The class and its known superclasses, nearest first.
    pub(super) fn superclasses(&self, id: ClassId) -> Vec<ClassId> {
        let mut chain = vec![id];
        while let Some(above) = self.superclass(chain[chain.len() - 1]) {
            if chain.len() >= MAX_HIERARCHY || chain.contains(&above) {
                break;
            }
            chain.push(above);
        }
        chain.retain(|c| self.classes.contains_key(c));
        chain
    }

    fn superclass(&self, id: ClassId) -> Option<ClassId> {
        let name = self.classes.get(&id)?.super_name.as_ref()?;
        self.named(name, Some(id))
    }

    /// The class, its superclasses and all their interfaces, as far as known.
    pub(super) fn supertypes(&self, id: ClassId) -> Vec<ClassId> {
        let mut all = self.superclasses(id);
        let mut at = 0;
        while at < all.len() && all.len() < MAX_HIERARCHY * 4 {
            for name in &self.classes[&all[at]].interfaces {
                if let Some(found) = self.named(name, Some(id))
                    && !all.contains(&found)
                {
                    all.push(found);
                }
            }
            at += 1;
        }
        all
    }

    /// `sub` is `name` or inherits from it; superclasses outside the recording end the search.
    pub(super) fn is_a(&self, sub: ClassId, name: &str) -> bool {
        self.supertypes(sub).iter().any(|c| {
            let class = &self.classes[c];
            class.name == name
                || class.super_name.as_deref() == Some(name)
                || class.interfaces.iter().any(|i| i == name)
        })
    }

    /// Known subtypes of a class, itself not included.
    pub(super) fn subtypes(&self, id: ClassId) -> impl Iterator<Item = ClassId> {
        self.subclasses.get(&id).into_iter().flatten().copied()
    }

    /// The method an object of exactly this class would run.
    pub(super) fn method_of(&self, class: ClassId, name: &str, desc: &str) -> Target {
        for above in self.supertypes(class) {
            let key = (above, name.to_owned(), desc.to_owned());
            if let Some((id, flags)) = self.declared.get(&key) {
                if flags & ABSTRACT != 0 {
                    continue;
                }
                return self
                    .by_id
                    .get(id)
                    .map_or(Target::Opaque, |&ix| Target::Code(ix));
            }
        }
        Target::Opaque
    }

    /// The one method a call can reach, if the known classes leave only one.
    pub(super) fn resolve(
        &self,
        kind: InvokeKind,
        method: &MemberRef,
        from: ClassId,
        exact: Option<ClassId>,
    ) -> Target {
        let Some(class) = self.named(&method.class, Some(from)) else {
            return Target::Opaque;
        };
        let (name, desc) = (&method.name, &method.descriptor);
        match kind {
            InvokeKind::Dynamic => Target::Opaque,
            InvokeKind::Static | InvokeKind::Special => self.method_of(class, name, desc),
            InvokeKind::Virtual | InvokeKind::Interface => match exact {
                Some(exact) => self.method_of(exact, name, desc),
                None => self.only_override(class, name, desc),
            },
        }
    }

    fn only_override(&self, class: ClassId, name: &str, desc: &str) -> Target {
        let mut found = BTreeSet::new();
        for sub in std::iter::once(class).chain(self.subtypes(class)) {
            let flags = self.classes[&sub].flags;
            if flags & ABSTRACT == 0 {
                found.insert(self.method_of(sub, name, desc));
            }
        }
        if found.is_empty() {
            found.insert(self.method_of(class, name, desc));
        }
        match (found.len(), found.first()) {
            (1, Some(&target)) => target,
            _ => Target::Opaque,
        }
    }

    /// Calls of constructors of a class: (method, instruction index).
    pub(super) fn constructions(&self, class: &str) -> &[(MethodIx, usize)] {
        self.constructions.get(class).map_or(&[], Vec::as_slice)
    }

    /// Calls of methods of this name and descriptor, of whatever class.
    pub(super) fn callers(&self, name: &str, descriptor: &str) -> &[(MethodIx, usize)] {
        let key = (name.to_owned(), descriptor.to_owned());
        self.callers.get(&key).map_or(&[], Vec::as_slice)
    }

    /// The call at an instruction can reach a method declared in `class`.
    pub(super) fn calls(&self, caller: MethodIx, at: usize, class: ClassId) -> bool {
        let Op::Invoke { method, .. } = &self.methods[caller].code[at].op else {
            return false;
        };
        let from = self.methods[caller].def.class;
        let Some(named) = self.named(&method.class, Some(from)) else {
            return false;
        };
        self.supertypes(named).contains(&class) || self.supertypes(class).contains(&named)
    }

    /// Initialisers (`<init>` or `<clinit>`) of a class.
    pub(super) fn initialisers(&self, class: &str) -> Vec<MethodIx> {
        let of_class = |m: &Method| self.class_name(m.def.class) == class;
        let all = self.methods.iter().enumerate();
        all.filter(|(_, m)| m.is_initialiser() && of_class(m))
            .map(|(ix, _)| ix)
            .collect()
    }
}

/// What a call leads to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Target {
    /// A method whose code is known.
    Code(MethodIx),
    /// A method whose code is not known, or one of several.
    Opaque,
}

fn method(def: &MethodDef, insns: &[Insn]) -> Method {
    let mut code = insns.to_vec();
    code.sort_by_key(|i| i.bci);
    code.dedup_by_key(|i| i.bci);
    let mut method = Method {
        signature: Signature::parse(&def.descriptor),
        def: def.clone(),
        headers: BTreeSet::new(),
        stored: code.iter().filter_map(|i| stored(&i.op)).collect(),
        code,
    };
    method.headers = headers(&method);
    method
}

fn stored(op: &Op) -> Option<u16> {
    match op {
        Op::Store { slot, .. } | Op::Iinc { slot, .. } => Some(*slot),
        _ => None,
    }
}

fn headers(method: &Method) -> BTreeSet<usize> {
    let mut out = BTreeSet::new();
    for insn in &method.code {
        for target in branch_targets(&insn.op) {
            if target <= insn.bci {
                out.extend(method.at(target));
            }
        }
    }
    out
}

/// Everywhere a branch can lead besides the next instruction.
pub(super) fn branch_targets(op: &Op) -> Vec<u16> {
    match op {
        Op::If { target, .. }
        | Op::IfCmp { target, .. }
        | Op::IfRef { target, .. }
        | Op::IfNull { target, .. }
        | Op::Goto(target)
        | Op::Jsr(target) => vec![*target],
        Op::Switch { cases, default } => {
            let mut all: Vec<_> = cases.iter().map(|&(_, t)| t).collect();
            all.push(*default);
            all
        }
        _ => Vec::new(),
    }
}

fn field_of(op: &Op) -> Option<&MemberRef> {
    match op {
        Op::GetField(f) | Op::PutField(f) | Op::GetStatic(f) | Op::PutStatic(f) => Some(f),
        _ => None,
    }
}
