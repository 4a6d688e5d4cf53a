//! The program as far as its code is known: classes by name, their hierarchy, methods with
//! code, and which methods write which field.
//!
//! Names are resolved from the class that uses them: a class of the same loader is preferred.

use super::asked::Asked;
use super::captured::{self, Captured};
use super::classes::Classes;
use super::declared::Declarations;
use super::descriptor::Signature;
use crate::catalog::Catalog;
use locklens_trace::code::{
    Bootstrap, CallSite, Code, Constant, Handler, Insn, InvokeKind, MemberRef, Op,
};
use locklens_trace::record::{MethodDef, Reading};
use locklens_trace::{ClassId, MethodId};
use std::collections::{BTreeMap, BTreeSet};

/// Index of a method with code.
pub(crate) type MethodIx = usize;

/// A field, the same for every class that inherits it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct FieldId(pub u32);

/// A method whose code is known.
#[derive(Clone, Debug)]
pub(crate) struct Method {
    pub(crate) def: MethodDef,
    pub(crate) signature: Signature,
    pub(crate) code: Vec<Insn>,
    /// Exception handlers; none when they could not be read.
    pub(crate) handlers: Option<Vec<Handler>>,
    /// What its `invokedynamic` instructions are linked by, as far as that was recorded.
    sites: Vec<CallSite>,
    /// Instruction indices that a backward branch leads to.
    pub(crate) headers: BTreeSet<usize>,
    /// Slots that some instruction stores into.
    pub(crate) stored: BTreeSet<u16>,
}

impl Method {
    /// Index of the instruction at a bci.
    pub(crate) fn at(&self, bci: u16) -> Option<usize> {
        self.code.binary_search_by_key(&bci, |i| i.bci).ok()
    }

    /// Whether an instruction behind this one leads back to before it.
    pub(crate) fn is_in_loop(&self, at: usize) -> bool {
        let before = |bci: u16| self.at(bci).is_some_and(|to| to < at);
        let mut behind = self.code[at..].iter();
        behind.any(|insn| branch_targets(&insn.op).into_iter().any(before))
    }

    /// What links the `invokedynamic` at a bci, if that was recorded.
    pub(crate) fn bootstrap(&self, bci: u16) -> Option<&Bootstrap> {
        let site = self.sites.iter().find(|site| site.bci == bci);
        site.map(|site| &site.bootstrap)
    }

    /// A constructor or static initialiser.
    pub(crate) fn is_initialiser(&self) -> bool {
        self.def.name.starts_with('<')
    }
}

/// What is known of a field.
#[derive(Clone, Debug, Default)]
pub(crate) struct Field {
    /// Binary name of the class that seems to declare it.
    pub(crate) class: String,
    pub(crate) name: String,
    pub(crate) descriptor: String,
    /// Methods that write it.
    pub(crate) writers: BTreeSet<MethodIx>,
}

/// What a constant of the library is that the code treats as a number.
pub(crate) fn library_constant(class: &str, name: &str) -> Option<i64> {
    match (class, name) {
        ("java.lang.Boolean", "TRUE") => Some(1),
        ("java.lang.Boolean", "FALSE") => Some(0),
        _ => None,
    }
}

/// The code of a recording, indexed.
#[derive(Clone, Debug, Default)]
pub(crate) struct Program {
    pub(crate) methods: Vec<Method>,
    pub(crate) by_id: BTreeMap<MethodId, MethodIx>,
    of_class: BTreeMap<ClassId, Vec<MethodIx>>,
    /// By class name.
    initialisers: BTreeMap<String, Vec<MethodIx>>,
    pub(crate) classes: Classes,
    /// Threads need not have the same priority.
    pub(crate) sets_priorities: bool,
    /// Declared methods, with code or not.
    declared: Declarations,
    /// What was found of code before.
    pub(crate) asked: Asked,
    pub(crate) fields: Vec<Field>,
    field_ids: BTreeMap<MemberRef, FieldId>,
    /// What was read of fields of lock objects, by declaring class and name.
    observed: BTreeMap<(String, String), BTreeSet<i64>>,
    /// Where constructors are called: (calling method, instruction index), by class.
    constructions: BTreeMap<String, Vec<(MethodIx, usize)>>,
    /// Where methods are called, by selector and the class that the call names.
    callers: BTreeMap<u32, BTreeMap<ClassId, Vec<(MethodIx, usize)>>>,
    /// Where methods are handed on as functions, by selector and the class named: (the method that does it, bci).
    handed_on: BTreeMap<u32, BTreeMap<ClassId, Vec<(MethodIx, u16)>>>,
    /// Abstract methods by class and name, where a class has only one of that name.
    abstracts: BTreeMap<(ClassId, String), Option<Signature>>,
}

const ABSTRACT: u32 = 0x0400;
const INTERFACE: u32 = 0x0200;
const STATIC: u32 = 0x0008;
/// What links a lambda or a method reference.
const METAFACTORY: &str = "java.lang.invoke.LambdaMetafactory";
/// Subtypes looked at for what a call can reach; with more, it is not followed.
const MAX_SUBTYPES: usize = 48;

impl Program {
    /// Indexes the code of a catalog.
    pub(crate) fn new(catalog: &Catalog) -> Self {
        let mut program = Self {
            classes: Classes::new(&catalog.classes),
            ..Self::default()
        };
        program.index_methods(catalog);
        program.index_fields();
        program.index_calls();
        program.index_observed(catalog);
        let captured = captured::find(&program);
        program.adopt(captured);
        program
    }

    /// Reads captured variables as the fields that they are taken for.
    fn adopt(&mut self, captured: Captured) {
        if captured.holders.is_empty() {
            return;
        }
        for (ix, at, op) in captured.replaced {
            self.methods[ix].code[at].op = op;
        }
        for (ix, name, code) in captured.holders {
            let loader = self.classes.get(self.methods[ix].def.class);
            let loader = loader.and_then(|class| class.loader);
            let last = self.by_id.keys().next_back().map_or(0, |last| last.0);
            let (Some(id), Some(class)) = (last.checked_add(1), self.classes.add(name, loader))
            else {
                break;
            };
            let def = MethodDef {
                id: MethodId(id),
                class,
                name: "<clinit>".to_owned(),
                descriptor: "()V".to_owned(),
                flags: STATIC,
                lines: Vec::new(),
            };
            let code = Code {
                method: def.id,
                insns: code,
                handlers: Some(Vec::new()),
                sites: Vec::new(),
            };
            self.add(method(&def, &code));
        }
        self.fields.clear();
        self.field_ids.clear();
        self.constructions.clear();
        self.callers.clear();
        self.handed_on.clear();
        self.index_fields();
        self.index_calls();
    }

    fn index_methods(&mut self, catalog: &Catalog) {
        for def in catalog.methods.values() {
            let code = catalog.code.get(&def.id);
            self.declared.add(def, code.map(|_| self.methods.len()));
            if def.flags & ABSTRACT != 0 {
                let known = self.abstracts.entry((def.class, def.name.clone()));
                known
                    .and_modify(|several| *several = None)
                    .or_insert_with(|| Some(Signature::parse(&def.descriptor)));
            }
            if let Some(code) = code {
                self.add(method(def, code));
            }
        }
    }

    fn add(&mut self, method: Method) {
        let (ix, class) = (self.methods.len(), method.def.class);
        self.by_id.insert(method.def.id, ix);
        self.of_class.entry(class).or_default().push(ix);
        if method.is_initialiser() {
            let name = self.classes.name(class).to_owned();
            self.initialisers.entry(name).or_default().push(ix);
        }
        self.methods.push(method);
    }

    /// The methods of a class whose code is known.
    pub(crate) fn methods_of(&self, class: ClassId) -> &[MethodIx] {
        self.of_class.get(&class).map_or(&[], Vec::as_slice)
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
    pub(crate) fn observed(&self, id: FieldId) -> Option<i64> {
        let values = self.observed_in(id);
        let agreed = values.len() == 1 && self.is_stable(id);
        values.first().copied().filter(|_| agreed)
    }

    /// What a field (or the array it refers to, its length) held in the lock objects looked at.
    pub(crate) fn observed_in(&self, id: FieldId) -> &BTreeSet<i64> {
        static NOTHING: BTreeSet<i64> = BTreeSet::new();
        let field = self.field(id);
        let seen = self
            .observed
            .get(&(field.class.clone(), field.name.clone()));
        seen.unwrap_or(&NOTHING)
    }

    fn index_calls(&mut self) {
        for (ix, method) in self.methods.iter().enumerate() {
            let from = method.def.class;
            let sites = method.sites.iter();
            let constants = sites.flat_map(|s| s.bootstrap.arguments.iter().map(|c| (s.bci, c)));
            for (bci, constant) in constants {
                if let Constant::Handle { member, .. } = constant {
                    let selector = self.declared.selector(&member.name, &member.descriptor);
                    let class = self.classes.named(&member.class, Some(from));
                    if let (Some(selector), Some(class)) = (selector, class) {
                        let of_selector = self.handed_on.entry(selector).or_default();
                        of_selector.entry(class).or_default().push((ix, bci));
                    }
                }
            }
            for (at, insn) in method.code.iter().enumerate() {
                let Op::Invoke { kind, method } = &insn.op else {
                    continue;
                };
                self.sets_priorities |= method.name == "setPriority";
                if *kind == InvokeKind::Special && method.name == "<init>" {
                    let sites = self.constructions.entry(method.class.clone()).or_default();
                    sites.push((ix, at));
                }
                let selector = self.declared.selector(&method.name, &method.descriptor);
                let class = self.classes.named(&method.class, Some(from));
                if let (Some(selector), Some(class)) = (selector, class) {
                    let of_selector = self.callers.entry(selector).or_default();
                    of_selector.entry(class).or_default().push((ix, at));
                }
            }
        }
    }

    /// The class that seems to declare a field: the topmost one it is also used through.
    /// Field tables are not recorded, so a shadowed field of the same type counts as inherited.
    fn declaring(&self, field: &MemberRef, used: &BTreeSet<MemberRef>) -> MemberRef {
        let mut best = field.clone();
        let Some(class) = self.classes.named(&field.class, None) else {
            return best;
        };
        for &above in self.classes.chain(class) {
            let candidate = MemberRef {
                class: self.classes.name(above).to_owned(),
                ..field.clone()
            };
            if used.contains(&candidate) {
                best = candidate;
            }
        }
        best
    }

    /// The canonical id of a field reference in the code of this program.
    pub(crate) fn field_id(&self, field: &MemberRef) -> Option<FieldId> {
        self.field_ids.get(field).copied()
    }

    /// What is known of a field.
    pub(crate) fn field(&self, id: FieldId) -> &Field {
        &self.fields[id.0 as usize]
    }

    /// Never written after construction, as far as the known code says.
    pub(crate) fn is_stable(&self, id: FieldId) -> bool {
        let writers = &self.field(id).writers;
        writers.iter().all(|&w| self.methods[w].is_initialiser())
    }

    /// The number of a method's name and descriptor, if any known class declares such a method.
    pub(crate) fn selector(&self, method: &MemberRef) -> Option<u32> {
        self.declared.selector(&method.name, &method.descriptor)
    }

    /// The only abstract method of this name that a class has or inherits.
    pub(crate) fn abstract_method(&self, class: ClassId, name: &str) -> Option<&Signature> {
        let above = self.classes.above(class).iter();
        let mut found = above.filter_map(|&c| self.abstracts.get(&(c, name.to_owned())));
        found.next()?.as_ref()
    }

    /// The class is an interface with one abstract method.
    pub(crate) fn is_functional(&self, class: ClassId) -> bool {
        let is_interface = self
            .classes
            .get(class)
            .is_some_and(|c| c.flags & INTERFACE != 0);
        let all = self.abstracts.range((class, String::new())..);
        let all = all.take_while(|((of, _), _)| *of == class);
        is_interface && all.filter(|(_, method)| method.is_some()).count() == 1
    }

    /// Some class of the chain declares the method, with code known or not; abstract ones aside.
    pub(crate) fn declares(&self, class: ClassId, selector: u32) -> Option<ClassId> {
        let declared = |c: &&ClassId| {
            let found = self.declared.of(**c, selector);
            found.is_some_and(|method| !method.is_abstract)
        };
        self.classes.above(class).iter().find(declared).copied()
    }

    /// The method an object of exactly this class would run.
    pub(crate) fn method_of(&self, class: ClassId, selector: u32) -> Target {
        for &above in self.classes.above(class) {
            match self.declared.of(above, selector) {
                Some(method) if method.is_abstract => {}
                Some(method) => return method.code.map_or(Target::Opaque, Target::Code),
                None => {}
            }
        }
        Target::Opaque
    }

    /// The one method a call can reach, if the known classes leave only one.
    pub(crate) fn resolve(
        &self,
        kind: InvokeKind,
        method: &MemberRef,
        from: ClassId,
        exact: Option<ClassId>,
    ) -> Target {
        let selector = self.selector(method);
        let class = self.classes.named(&method.class, Some(from));
        let (Some(class), Some(selector)) = (class, selector) else {
            return Target::Opaque;
        };
        match kind {
            InvokeKind::Dynamic => Target::Opaque,
            InvokeKind::Static | InvokeKind::Special => self.method_of(class, selector),
            InvokeKind::Virtual | InvokeKind::Interface => match exact {
                Some(exact) => self.method_of(exact, selector),
                None => {
                    let find = || self.only_override(class, selector);
                    self.asked.target((class, selector), find)
                }
            },
        }
    }

    fn only_override(&self, class: ClassId, selector: u32) -> Target {
        if self.classes.count_below(class) > MAX_SUBTYPES {
            return self.never_overridden(class, selector);
        }
        let mut found = BTreeSet::new();
        for sub in std::iter::once(class).chain(self.classes.below(class)) {
            let concrete = self
                .classes
                .get(sub)
                .is_some_and(|c| c.flags & ABSTRACT == 0);
            if concrete {
                found.insert(self.method_of(sub, selector));
            }
        }
        if found.is_empty() {
            found.insert(self.method_of(class, selector));
        }
        match (found.len(), found.first()) {
            (1, Some(&target)) => target,
            _ => Target::Opaque,
        }
    }

    /// The method of a class with many subtypes, if it is declared nowhere else.
    fn never_overridden(&self, class: ClassId, selector: u32) -> Target {
        match self.declared.count(selector) {
            1 => self.method_of(class, selector),
            _ => Target::Opaque,
        }
    }

    /// Calls of constructors of a class: (method, instruction index).
    pub(crate) fn constructions(&self, class: &str) -> &[(MethodIx, usize)] {
        self.constructions.get(class).map_or(&[], Vec::as_slice)
    }

    /// The method, or one that it overrides or is overridden by, is handed on as a function: nobody knows who calls it.
    pub(crate) fn is_handed_on(&self, def: &MethodDef) -> bool {
        let selector = self.declared.selector(&def.name, &def.descriptor);
        let named = selector.and_then(|selector| self.handed_on.get(&selector));
        let above = |class: ClassId, other: ClassId| self.classes.above(class).contains(&other);
        let mut named = named.into_iter().flat_map(BTreeMap::keys).copied();
        named.any(|class| above(class, def.class) || above(def.class, class))
    }

    /// Where this very method is handed on as a function: (the method that does it, instruction index).
    pub(crate) fn handings_on(&self, def: &MethodDef) -> impl Iterator<Item = (MethodIx, usize)> {
        let selector = self.declared.selector(&def.name, &def.descriptor);
        let sites = selector.and_then(|selector| self.handed_on.get(&selector)?.get(&def.class));
        let sites = sites.map_or(&[][..], Vec::as_slice);
        sites
            .iter()
            .filter_map(|&(by, bci)| Some((by, self.methods[by].at(bci)?)))
    }

    /// The code of the function that a method makes at a bci, as far as that was recorded.
    pub(crate) fn function(&self, maker: MethodIx, bci: u16) -> Option<MethodIx> {
        let method = &self.methods[maker];
        let bootstrap = method.bootstrap(bci).filter(|b| b.class == METAFACTORY)?;
        let member = bootstrap.arguments.iter().find_map(|a| match a {
            Constant::Handle { member, .. } => Some(member),
            _ => None,
        })?;
        let class = self.classes.named(&member.class, Some(method.def.class))?;
        match self.method_of(class, self.selector(member)?) {
            Target::Code(body) => Some(body),
            Target::Opaque => None,
        }
    }

    /// Calls that can reach a method: (calling method, instruction index).
    pub(crate) fn callers(&self, def: &MethodDef) -> impl Iterator<Item = (MethodIx, usize)> {
        let selector = self.declared.selector(&def.name, &def.descriptor);
        let sites = selector.and_then(|selector| self.callers.get(&selector));
        let mut found = sites.map_or_else(Vec::new, |sites| self.related(sites, def.class));
        found.sort_unstable();
        found.into_iter()
    }

    /// Those of the sites that name a class above or below this one, or itself.
    fn related(
        &self,
        sites: &BTreeMap<ClassId, Vec<(MethodIx, usize)>>,
        declaring: ClassId,
    ) -> Vec<(MethodIx, usize)> {
        let above = self.classes.above(declaring);
        let is_below = |class| self.classes.above(class).contains(&declaring);
        if above.len() + self.classes.count_below(declaring) > sites.len() {
            let related = |class: &ClassId| above.contains(class) || is_below(*class);
            let related = sites.iter().filter(|(class, _)| related(class));
            return related.flat_map(|(_, at)| at).copied().collect();
        }
        let below = self.classes.below(declaring);
        let below = below.filter(|class| !above.contains(class));
        let related = above.iter().copied().chain(below);
        let sites = related.filter_map(|class| sites.get(&class));
        sites.flatten().copied().collect()
    }

    /// Initialisers (`<init>` or `<clinit>`) of the classes of a name.
    pub(crate) fn initialisers(&self, class: &str) -> &[MethodIx] {
        self.initialisers.get(class).map_or(&[], Vec::as_slice)
    }
}

/// What a call leads to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Target {
    /// A method whose code is known.
    Code(MethodIx),
    /// A method whose code is not known, or one of several.
    Opaque,
}

fn method(def: &MethodDef, recorded: &Code) -> Method {
    let mut code = recorded.insns.clone();
    code.sort_by_key(|i| i.bci);
    code.dedup_by_key(|i| i.bci);
    let mut method = Method {
        signature: Signature::parse(&def.descriptor),
        def: def.clone(),
        handlers: recorded.handlers.clone(),
        sites: recorded.sites.clone(),
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

/// Where a Java program begins.
pub(crate) fn is_main(def: &MethodDef) -> bool {
    def.is_static() && def.name == "main" && def.descriptor == "([Ljava/lang/String;)V"
}

/// Everywhere a branch can lead besides the next instruction.
pub(crate) fn branch_targets(op: &Op) -> Vec<u16> {
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
