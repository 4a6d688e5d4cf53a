//! New objects of the program's classes: constructors called with arguments chosen by type.

use super::Machine;
use super::function;
use super::halt::{Do, stuck};
use super::heap::{Native, Order, Sequence};
use super::real::Real;
use super::text::Text;
use super::value::{ObjectId, Value};
use super::world::{World, is_library};
use crate::statics::descriptor::{Signature, Type};
use crate::statics::expr::Exprs;
use crate::statics::flow::flow;
use crate::statics::program::{FieldId, MethodIx, Program};
use locklens_trace::ClassId;
use locklens_trace::code::Op;
use std::collections::BTreeMap;
use std::rc::Rc;

/// How arguments of constructors are chosen.
#[derive(Clone, Debug, Default)]
pub(super) struct Recipe {
    /// For numbers.
    pub(super) number: i64,
    /// Numbers are what the program passes where that is known and small.
    pub(super) constants: bool,
    /// The place whose constants count first, of those that construct the same.
    pub(super) place: usize,
    /// Arguments given before, by type: what shares a type is one object.
    pub(super) shared: BTreeMap<String, Value>,
    /// What parameters that tell things apart are given in all operations, by type.
    pub(super) keys: BTreeMap<(String, u32), Value>,
    /// The number was used.
    pub(super) used: bool,
    /// Something was constructed that the program constructs in several places, or nowhere.
    pub(super) varied: bool,
}

/// The constants that one place passes, for each parameter.
pub(super) type Passed = Vec<Option<i64>>;

/// Types of what objects are told apart by.
pub(super) const NAMES: [&str; 2] = ["Ljava/lang/String;", "Ljava/lang/Object;"];

/// Objects constructed for each other's constructors.
const MAX_DEPTH: u32 = 3;
/// Constructors of a class, and subclasses of an abstract one, that are tried.
pub(super) const MAX_TRIED: usize = 4;
/// The largest constant of the program that a trial uses: it counts up to it.
const SMALL: i64 = 8;
const ABSTRACT: u32 = 0x0400;
/// A duration that is handed in, in nanoseconds: a time limit, mostly.
const LIMIT: i64 = 1_000_000_000_000;

impl<'a> Machine<'a> {
    /// A new object of a class of the program, or of a subclass if it is abstract.
    pub(super) fn make(&mut self, thread: usize, class: ClassId, depth: u32) -> Do<Value> {
        if depth > MAX_DEPTH {
            return stuck("objects that need each other");
        }
        let world = Rc::clone(&self.world);
        self.thread(thread)?;
        if world.library_part(class) == "java.lang.Enum" {
            let constants = self.constants(&world, thread, class)?;
            return constants
                .first()
                .map_or_else(|| stuck("an enum without constants"), |c| Ok(*c));
        }
        let mut last = stuck("a class that cannot be constructed");
        for class in concrete(world.program, class) {
            let (constructors, called) = constructors(&world, class);
            // Which of several the object was made with is not known.
            Rc::make_mut(&mut self.recipe).varied |= called > 1;
            for constructor in constructors {
                let begun = self.begin_attempt(&world, (class, constructor), (thread, depth));
                let begun = match begun {
                    Ok(begun) => begun,
                    Err(why) => {
                        last = Err(why);
                        continue;
                    }
                };
                let before = self.clone();
                last = self.construct(&world, thread, class, constructor, depth);
                self.end_attempt(begun, last.as_ref().err());
                if last.is_ok() {
                    return last;
                }
                let watch = self.heap.watch.take();
                *self = before;
                self.heap.watch = watch;
            }
        }
        last
    }

    /// Notes what is supposed of the class that a lock is of, or within, which hangs on an object of `root`: where it is
    /// abstract, several extend it, and the root is none of these, nobody has seen which it is.
    pub(super) fn suppose(&mut self, root: Option<ClassId>) {
        let world = Rc::clone(&self.world);
        let program = world.program;
        let chain = root.map_or(&[][..], |root| program.classes.chain(root));
        let seen = |class: ClassId| chain[1.min(chain.len())..].contains(&class);
        for class in world.around_lock().filter(|&class| !seen(class)) {
            let heirs = concrete(program, class);
            if heirs.len() > 1 {
                let mut assumed = self.assumed.borrow_mut();
                assumed.extend([(function::HEIR, class), (function::ONLY, class)]);
            }
        }
        let mut outer = world.around_lock().filter(|&class| world.is_outer(class));
        if let Some(class) = outer.find(|&class| kinds(program, class) > 1) {
            self.assumed.borrow_mut().insert((function::ALIKE, class));
        }
    }

    fn construct(
        &mut self,
        world: &World<'a>,
        thread: usize,
        class: ClassId,
        constructor: MethodIx,
        depth: u32,
    ) -> Do<Value> {
        let program = world.program;
        let name = program.classes.name(class).into();
        let object = self.instance(world, thread, Some(class), &name)?;
        let places = world.passed(constructor);
        let recipe = Rc::make_mut(&mut self.recipe);
        recipe.varied |= !is_passed_alike(program, constructor, &places);
        // The constant that is passed first, beginning with one of the places.
        let from = places.iter().cycle().skip(recipe.place);
        let from: Vec<_> = from.take(places.len()).collect();
        let known = |at: usize| from.iter().find_map(|place| *place.get(at)?);
        let mut args = vec![Value::Object(object)];
        let params = program.methods[constructor].signature.params();
        for (at, ty) in params.enumerate() {
            args.push(self.constructor_argument(world, thread, ty, known(at), depth)?);
        }
        self.nested_call(world, thread, constructor, &args)?;
        self.set_up(world, (thread, object), constructor);
        Ok(Value::Object(object))
    }

    pub(super) fn constructor_argument(
        &mut self,
        world: &World<'a>,
        thread: usize,
        ty: Type<'_>,
        known: Option<i64>,
        depth: u32,
    ) -> Do<Value> {
        match ty.0 {
            "Z" => return Ok(Value::Number(known.unwrap_or(0))),
            "I" | "J" | "S" | "B" | "C" => return Ok(Value::Number(self.number(known))),
            "F" | "D" => {
                let number = self.number(None) as f64;
                return Ok(Value::Real(Real::new(number, ty.is_wide())));
            }
            _ => {}
        }
        self.note_shared(ty.0);
        if let Some(&shared) = self.recipe.shared.get(ty.0) {
            return Ok(shared);
        }
        let found = self.found_in_shared(world, ty);
        self.note_kept(ty.0, found);
        let made = match found {
            Some(found) => found,
            None => self.new_argument(world, thread, ty, depth)?,
        };
        let recipe = Rc::make_mut(&mut self.recipe);
        recipe.shared.insert(ty.0.to_owned(), made);
        Ok(made)
    }

    /// What a field of this type refers to in something shared: what is made later is made with
    /// the parts of what was made before.
    pub(super) fn found_in_shared(&self, world: &World<'a>, ty: Type<'_>) -> Option<Value> {
        let objects = self.recipe.shared.values().filter_map(|v| match v {
            Value::Object(id) => Some(self.heap.glance(*id)),
            _ => None,
        });
        let mut fields = objects.flat_map(|o| &o.fields);
        let fits = |f: &&(FieldId, Value)| {
            world.program.field(f.0).descriptor == ty.0 && matches!(f.1, Value::Object(_))
        };
        fields.find(fits).map(|f| f.1)
    }

    pub(super) fn number(&mut self, known: Option<i64>) -> i64 {
        let recipe = Rc::make_mut(&mut self.recipe);
        match known.filter(|n| recipe.constants && (0..=SMALL).contains(n)) {
            Some(known) => known,
            None => {
                recipe.used = true;
                recipe.number
            }
        }
    }

    fn new_argument(
        &mut self,
        world: &World<'a>,
        thread: usize,
        ty: Type<'_>,
        depth: u32,
    ) -> Do<Value> {
        if let Some(item) = ty.0.strip_prefix('[') {
            let length = self.number(None).clamp(1, 8);
            let mut items = Vec::new();
            for _ in 0..length {
                items.push(match item {
                    // Several of something are hardly all the same.
                    "Ljava/lang/String;" => self.another_text()?,
                    "Z" | "I" | "J" | "S" | "B" | "C" | "F" | "D" => Value::Blank,
                    _ => self.new_argument(world, thread, Type(item), depth)?,
                });
            }
            let id = self.allocate("[".into(), Native::Array(items))?;
            return Ok(Value::Object(id));
        }
        let name = ty.class_name().unwrap_or_default();
        if name == "java.lang.Thread" {
            return Ok(Value::Object(self.threads[thread].object));
        }
        match world.program.classes.named(&name, None) {
            Some(class) if !world.is_modelled(class) => {
                self.program_argument(world, thread, class, &name, depth)
            }
            _ => {
                let native = match name.as_str() {
                    "java.lang.String" => Native::Text(Text::made_up(self.number(None))),
                    _ => argument(&name),
                };
                let id = self.allocate(name.as_str().into(), native)?;
                Ok(Value::Object(id))
            }
        }
    }

    /// A text unlike any other.
    fn another_text(&mut self) -> Do<Value> {
        let id = self.allocate("java.lang.String".into(), Native::Opaque)?;
        self.heap.change(id).native = Native::Text(Text::unlike_others(id));
        Ok(Value::Object(id))
    }

    /// Something shared that is of a class.
    pub(super) fn fitting(&self, world: &World<'a>, class: ClassId) -> Option<Value> {
        let fits = |v: &&Value| match v {
            Value::Object(id) => {
                let of = self.heap.glance(*id).class;
                of.is_some_and(|c| world.program.classes.above(c).contains(&class))
            }
            _ => false,
        };
        self.recipe.shared.values().find(fits).copied()
    }

    /// An argument whose type is a class of the program: something shared that fits, or new.
    fn program_argument(
        &mut self,
        world: &World<'a>,
        thread: usize,
        class: ClassId,
        name: &str,
        depth: u32,
    ) -> Do<Value> {
        let shared = self.fitting(world, class);
        self.note_fitting(class, shared);
        if let Some(shared) = shared {
            return Ok(shared);
        }
        match self.make(thread, class, depth + 1) {
            Ok(made) => Ok(made),
            Err(_) => {
                let id = self.allocate(name.into(), Native::Stub)?;
                Ok(Value::Object(id))
            }
        }
    }

    /// All that can be reached from some objects, nearest first.
    pub(super) fn reachable(&self, from: &[ObjectId]) -> Vec<ObjectId> {
        let mut found: Vec<ObjectId> = Vec::new();
        let mut seen = vec![false; self.heap.len()];
        let mut add = |id: ObjectId, found: &mut Vec<ObjectId>| {
            if !std::mem::replace(&mut seen[id.0 as usize], true) {
                found.push(id);
            }
        };
        from.iter().for_each(|&id| add(id, &mut found));
        let mut at = 0;
        while at < found.len() {
            for id in self.heap.get(found[at]).references() {
                add(id, &mut found);
            }
            at += 1;
        }
        found
    }
}

/// What is in an object of this class that is handed in.
pub(super) fn argument(name: &str) -> Native {
    let order = match name {
        "java.util.concurrent.TimeUnit" => return Native::Unit(1_000_000),
        "java.time.Duration" => return Native::Span(LIMIT),
        "java.util.Comparator" | "java.lang.Runnable" | "java.util.concurrent.Callable" => {
            return Native::Stub;
        }
        _ if name.starts_with("java.util.function.") => return Native::Stub,
        "java.util.List" | "java.util.Collection" | "java.lang.Iterable" => Order::List,
        "java.util.Queue" | "java.util.Deque" => Order::Deque,
        "java.util.Set" => Order::Set,
        "java.util.Map" => return super::library::native("java.util.HashMap", false),
        _ => return super::library::native(name, false),
    };
    Native::Sequence(Sequence {
        order,
        ..Sequence::default()
    })
}

/// The class, or if it is abstract those of its subclasses that are not, first those that the
/// program constructs.
fn concrete(program: &Program, class: ClassId) -> Vec<ClassId> {
    let classes = &program.classes;
    let is_concrete = |c: &ClassId| classes.get(*c).is_some_and(|d| d.flags & ABSTRACT == 0);
    if is_concrete(&class) {
        return vec![class];
    }
    let mut found: Vec<_> = classes.below(class).filter(is_concrete).collect();
    found.sort_by_key(|&c| std::cmp::Reverse(program.constructions(classes.name(c)).len().min(1)));
    found.truncate(MAX_TRIED);
    found
}

/// How many classes of objects the program makes that are of this class and go about it each in its own way.
fn kinds(program: &Program, class: ClassId) -> usize {
    let made = |&class: &ClassId| {
        let name = program.classes.name(class);
        let mut sites = program.constructions(name).iter();
        sites.any(|&(caller, _)| {
            let mut code = program.methods[caller].code.iter();
            code.any(|insn| matches!(&insn.op, Op::New(of) if of == name))
        })
    };
    let own = program.methods_of(class);
    let differs = |&sub: &ClassId| own.iter().any(|&m| program.is_overridden(sub, m));
    let below = program.classes.below(class).filter(differs).filter(made);
    below.count() + usize::from(made(&class))
}

/// Constructors of a class, those first that the program calls, then those with the fewest
/// parameters; and how many it calls.
fn constructors(world: &World<'_>, class: ClassId) -> (Vec<MethodIx>, usize) {
    let program = world.program;
    let own = world.methods_of(class).iter().copied();
    let mut own: Vec<_> = own
        .filter(|&ix| program.methods[ix].def.name == "<init>")
        .collect();
    let is_called = |ix: MethodIx| {
        let mut sites = sites(program, ix);
        sites.any(|s| program.methods[s.0].def.class != class)
    };
    let called = own.iter().filter(|&&ix| is_called(ix)).count();
    own.sort_by_key(|&ix| {
        let params = program.methods[ix].signature.params().count();
        (!is_called(ix), params)
    });
    own.truncate(MAX_TRIED);
    (own, called)
}

/// Where the program calls a constructor.
pub(super) fn sites(
    program: &Program,
    constructor: MethodIx,
) -> impl Iterator<Item = (MethodIx, usize)> {
    let def = &program.methods[constructor].def;
    let all = program
        .constructions(program.classes.name(def.class))
        .iter()
        .copied();
    all.filter(move |&(caller, at)| {
        let op = program.methods[caller].code.get(at).map(|i| &i.op);
        matches!(op, Some(Op::Invoke { method, .. }) if method.descriptor == def.descriptor)
    })
}

/// The constants that each place which calls a constructor passes, for each parameter.
pub(super) fn passed(program: &Program, constructor: MethodIx) -> Vec<Passed> {
    let signature = &program.methods[constructor].signature;
    let sites = sites(program, constructor).take(MAX_TRIED);
    sites
        .map(|site| handed_in(program, site, signature))
        .collect()
}

/// The constants that a call hands in, for each parameter.
pub(super) fn handed_in(
    program: &Program,
    (caller, at): (MethodIx, usize),
    signature: &Signature,
) -> Passed {
    let mut x = Exprs::default();
    let flow = flow(program, &mut x, caller);
    let Some(Some(point)) = flow.points.get(at) else {
        return signature.params().map(|_| None).collect();
    };
    let words = point.frame.clone().pop_call(&mut x, signature, false);
    words.into_iter().map(|word| x.constant(word)).collect()
}

/// What a constructor is passed does not depend on the place.
fn is_passed_alike(program: &Program, constructor: MethodIx, places: &[Passed]) -> bool {
    let Some((first, others)) = places.split_first() else {
        return false;
    };
    let known = |place: &Passed| {
        let mut all = program.methods[constructor].signature.params().zip(place);
        all.all(|(ty, known)| known.is_some() || ty.is_reference())
    };
    let all_seen = sites(program, constructor).nth(MAX_TRIED).is_none();
    others.is_empty() || all_seen && known(first) && others.iter().all(|other| other == first)
}

/// The class is part of the program rather than the library.
pub(super) fn is_of_program(world: &World<'_>, class: ClassId) -> bool {
    !is_library(world.program.classes.name(class)) || !world.is_modelled(class)
}
