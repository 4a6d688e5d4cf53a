//! What does not change while a lock is tried: the program, its linked code, the operations.

use super::build::{Passed, passed};
use super::function::Bodies;
use super::link::{Link, link};
use super::plan::Plan;
use super::settings::{Setting, settings};
use crate::region::RegionId;
use crate::statics::program::{FieldId, MethodIx, Program, Target};
use crate::trial::bench::Operation;
use locklens_trace::ClassId;
use locklens_trace::code::Op;
use std::cell::{OnceCell, RefCell};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::rc::Rc;
use std::sync::Arc;

/// The unchanging part of a machine.
#[derive(Debug)]
pub(super) struct World<'a> {
    pub(super) program: &'a Program,
    /// By method, in pages: a lock uses few of a large program.
    code: Vec<OnceCell<Page>>,
    /// What the program passes to constructors, looked up once.
    passed: RefCell<BTreeMap<MethodIx, Rc<[Passed]>>>,
    /// What it calls on what they make, looked up once.
    settings: RefCell<BTreeMap<MethodIx, Rc<[Setting]>>>,
    /// Fields that the code of the lock reads, looked up once.
    read: OnceCell<BTreeSet<FieldId>>,
    /// The bodies of functions, by class and instruction, looked up once.
    bodies: RefCell<BTreeMap<ClassId, Rc<Bodies>>>,
    /// The names of classes, by descriptor, made once.
    names: RefCell<HashMap<String, Arc<str>>>,
    /// Classes whose own code is run even where the library's behaviour is known.
    studied: BTreeSet<ClassId>,
    /// Classes of which regions lock the object that they are called on.
    own: BTreeSet<ClassId>,
    /// Regions of the lock by method and instruction that enters.
    pub(super) regions: BTreeMap<(MethodIx, Option<usize>), RegionId>,
    /// What counts as an operation.
    pub(super) reach: Reach,
}

/// Methods in a page.
const PAGE: usize = 64;
/// Methods that are looked at for what the code of a lock reads.
const MAX_READING: usize = 256;

type Page = Box<[OnceCell<Vec<Link>>; PAGE]>;

/// What counts as an operation of a lock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Reach {
    /// What holds a region, or all that use it privately.
    Monitor,
    /// What others call: a lock of several monitors is used through that alone.
    Whole,
    /// What those call who made several objects that are one lock.
    Makers,
}

/// The operations of a machine.
#[derive(Clone, Debug, Default)]
pub(super) struct Menu {
    pub(super) operations: Vec<Operation>,
    pub(super) plans: Vec<Plan>,
}

impl<'a> World<'a> {
    pub(super) fn new(
        program: &'a Program,
        regions: BTreeMap<(MethodIx, Option<usize>), RegionId>,
        own: BTreeSet<ClassId>,
        reach: Reach,
    ) -> Self {
        let declaring = |&(ix, _): &(MethodIx, Option<usize>)| program.methods[ix].def.class;
        Self {
            program,
            code: std::iter::repeat_with(OnceCell::new)
                .take(program.methods.len().div_ceil(PAGE))
                .collect(),
            passed: RefCell::default(),
            settings: RefCell::default(),
            read: OnceCell::new(),
            bodies: RefCell::default(),
            names: RefCell::default(),
            studied: regions.keys().map(declaring).collect(),
            own,
            regions,
            reach,
        }
    }

    /// What the instructions of a method refer to.
    pub(super) fn links(&self, method: MethodIx) -> &[Link] {
        let page =
            self.code[method / PAGE].get_or_init(|| Box::new([const { OnceCell::new() }; PAGE]));
        page[method % PAGE].get_or_init(|| link(self.program, method))
    }

    /// The methods of a class whose code is known.
    pub(super) fn methods_of(&self, class: ClassId) -> &[MethodIx] {
        self.program.methods_of(class)
    }

    /// The static initialiser of a class, if its code is known.
    pub(super) fn initialiser(&self, class: ClassId) -> Option<MethodIx> {
        let named = |ix: &&MethodIx| self.program.methods[**ix].def.name == "<clinit>";
        self.methods_of(class).iter().find(named).copied()
    }

    /// The constants that the places which call a constructor pass.
    pub(super) fn passed(&self, constructor: MethodIx) -> Rc<[Passed]> {
        let mut known = self.passed.borrow_mut();
        let found = known.entry(constructor);
        Rc::clone(found.or_insert_with(|| passed(self.program, constructor).into()))
    }

    /// The code of the lock reads this field: that of its regions, of what they call, and of what calls them on the same object.
    pub(super) fn reads(&self, field: FieldId) -> bool {
        let read = self.read.get_or_init(|| self.all_read());
        read.contains(&field)
    }

    fn all_read(&self) -> BTreeSet<FieldId> {
        let program = self.program;
        let called = |ix: MethodIx| {
            let of = &program.methods[ix];
            let calls = of.code.iter().filter_map(|insn| match &insn.op {
                Op::Invoke { kind, method } if method.name != "<init>" => Some((*kind, method)),
                _ => None,
            });
            let class = of.def.class;
            calls.filter_map(move |(kind, method)| {
                match program.resolve(kind, method, class, None) {
                    Target::Code(callee) => Some(callee),
                    Target::Opaque => None,
                }
            })
        };
        let holding: BTreeSet<MethodIx> = self.regions.keys().map(|key| key.0).collect();
        let own = self
            .studied
            .iter()
            .flat_map(|&class| self.methods_of(class))
            .copied();
        let calling = own.filter(|&ix| called(ix).any(|callee| holding.contains(&callee)));
        let mut todo: Vec<MethodIx> = calling.chain(holding.iter().copied()).collect();
        let mut all: BTreeSet<MethodIx> = todo.iter().copied().collect();
        while let Some(ix) = todo.pop().filter(|_| all.len() < MAX_READING) {
            todo.extend(called(ix).filter(|&callee| all.insert(callee)));
        }
        let code = all.iter().flat_map(|&ix| &program.methods[ix].code);
        let read = code.filter_map(|insn| match &insn.op {
            Op::GetField(field) | Op::GetStatic(field) => program.field_id(field),
            _ => None,
        });
        read.collect()
    }

    /// What the program calls on an object right behind this constructor.
    pub(super) fn settings(&self, constructor: MethodIx) -> Rc<[Setting]> {
        let mut known = self.settings.borrow_mut();
        let found = known.entry(constructor);
        Rc::clone(found.or_insert_with(|| settings(self.program, constructor).into()))
    }

    /// The code that an instruction makes a function of, if it can be told.
    pub(super) fn body(&self, method: MethodIx, at: usize) -> Option<MethodIx> {
        let class = self.program.methods[method].def.class;
        let known = self.bodies.borrow().get(&class).cloned();
        let bodies = known.unwrap_or_else(|| {
            let found = Rc::new(super::function::bodies(self, class));
            self.bodies.borrow_mut().insert(class, Rc::clone(&found));
            found
        });
        bodies.get(&(method, at)).copied()
    }

    /// The class that a descriptor names.
    pub(super) fn class_name(&self, descriptor: &str) -> Arc<str> {
        let mut names = self.names.borrow_mut();
        if let Some(known) = names.get(descriptor) {
            return Arc::clone(known);
        }
        let name = descriptor.trim_start_matches('L').trim_end_matches(';');
        let name: Arc<str> = name.replace('/', ".").into();
        names.insert(descriptor.to_owned(), Arc::clone(&name));
        name
    }

    /// The class is the library's: modelled, not executed.
    pub(super) fn is_modelled(&self, class: ClassId) -> bool {
        is_library(self.program.classes.name(class)) && !self.studied.contains(&class)
    }

    /// Classes with regions of the lock in their code, or in that of a class within them.
    pub(super) fn around_lock(&self) -> impl Iterator<Item = ClassId> {
        let classes = &self.program.classes;
        let around = self.studied.iter().flat_map(move |&part| {
            let name = classes.name(part);
            let ends = name.match_indices('$').map(|(end, _)| end);
            let outer = ends.filter_map(move |end| classes.named(&name[..end], Some(part)));
            outer.chain([part])
        });
        around.collect::<BTreeSet<_>>().into_iter()
    }

    /// Objects of classes within this one are locked, and nobody is seen to say which object of this one they belong to.
    pub(super) fn is_outer(&self, class: ClassId) -> bool {
        let name = self.program.classes.name(class);
        let within = |part: &ClassId| {
            let inner = self.program.classes.name(*part).strip_prefix(name);
            inner.is_some_and(|inner| inner.starts_with('$'))
        };
        self.own.iter().any(within)
    }

    /// Name of the nearest library class that a class is or inherits from.
    pub(super) fn library_part(&self, class: ClassId) -> &str {
        let classes = &self.program.classes;
        let mut last = "java.lang.Object";
        for &above in classes.chain(class) {
            if self.is_modelled(above) {
                return classes.name(above);
            }
            let next = classes.get(above).and_then(|c| c.super_name.as_deref());
            last = next.unwrap_or(last);
        }
        last
    }
}

/// A class of the Java library.
pub(super) fn is_library(class: &str) -> bool {
    ["java.", "javax.", "jdk.", "sun."]
        .iter()
        .any(|p| class.starts_with(p))
}
