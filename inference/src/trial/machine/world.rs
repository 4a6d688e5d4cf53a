//! What does not change while a lock is tried: the program, its linked code, the operations.

use super::build::passed;
use super::function::Bodies;
use super::link::{Link, link};
use super::plan::Plan;
use crate::region::RegionId;
use crate::statics::program::{MethodIx, Program};
use crate::trial::bench::Operation;
use locklens_trace::ClassId;
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
    passed: RefCell<BTreeMap<MethodIx, Rc<[Option<i64>]>>>,
    /// The bodies of functions, by class and instruction, looked up once.
    bodies: RefCell<BTreeMap<ClassId, Rc<Bodies>>>,
    /// The names of classes, by descriptor, made once.
    names: RefCell<HashMap<String, Arc<str>>>,
    /// Classes whose own code is run even where the library's behaviour is known.
    studied: BTreeSet<ClassId>,
    /// Regions of the lock by method and instruction that enters.
    pub(super) regions: BTreeMap<(MethodIx, Option<usize>), RegionId>,
    /// What counts as an operation.
    pub(super) reach: Reach,
}

/// Methods in a page.
const PAGE: usize = 64;

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
        reach: Reach,
    ) -> Self {
        let declaring = |&(ix, _): &(MethodIx, Option<usize>)| program.methods[ix].def.class;
        Self {
            program,
            code: std::iter::repeat_with(OnceCell::new)
                .take(program.methods.len().div_ceil(PAGE))
                .collect(),
            passed: RefCell::default(),
            bodies: RefCell::default(),
            names: RefCell::default(),
            studied: regions.keys().map(declaring).collect(),
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

    /// For each parameter of a constructor the constant that the program passes, where it does.
    pub(super) fn passed(&self, constructor: MethodIx) -> Rc<[Option<i64>]> {
        let mut known = self.passed.borrow_mut();
        let found = known.entry(constructor);
        Rc::clone(found.or_insert_with(|| passed(self.program, constructor).into()))
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
