//! The fresh lock: which object to construct, and how.

use super::Machine;
use super::build::{MAX_TRIED, Recipe, is_of_program};
use super::guess::{Bias, Guesses};
use super::menu;
use super::value::{ObjectId, Value};
use super::world::{Reach, World};
use crate::region::RegionId;
use crate::statics::StaticModel;
use crate::statics::Subject;
use crate::statics::program::Program;
use crate::statics::survey::Surveyed;
use crate::trial::bench::Bench;
use locklens_trace::ClassId;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// Most benches offered for a lock.
const MAX_BENCHES: usize = 4;
/// Objects tried as the root of a lock.
const MAX_ROOTS: usize = 4;
/// Instructions after which no further benches are looked for.
const MAX_COST: u64 = 300_000;
/// Numbers given to constructors, in order of how much a trial can learn; the first stands for
/// what the program itself passes where that is known and small.
const NUMBERS: [(i64, bool); 4] = [(2, true), (3, false), (2, false), (1, false)];

/// How a lock is tried that does not show what it is by itself.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Manner {
    /// What is supposed of numbers that are not known.
    pub guess: Option<Bias>,
    /// Waits with a time limit end by themselves now and then.
    pub polls: bool,
    /// What is called is what holds the regions, not what is around it.
    pub inner: bool,
    /// No time limit of a wait passes.
    pub patient: bool,
}

/// Fresh locks to try the code of a logical lock on, most plausible first; none if it cannot be
/// executed. `regions` are all its regions, `classes` the classes of its lock objects.
#[must_use]
pub fn benches<'a>(
    model: &'a StaticModel,
    regions: &BTreeSet<RegionId>,
    classes: &[ClassId],
) -> Vec<Machine<'a>> {
    benches_in(Manner::default(), model, regions, classes)
}

/// The same, to be tried in some manner.
#[must_use]
pub fn benches_in<'a>(
    manner: Manner,
    model: &'a StaticModel,
    regions: &BTreeSet<RegionId>,
    classes: &[ClassId],
) -> Vec<Machine<'a>> {
    within((model, regions, classes), Reach::Monitor, manner)
}

/// Fresh locks made of several monitors: their operations are what others call.
#[must_use]
pub fn benches_of_whole<'a>(
    manner: Manner,
    model: &'a StaticModel,
    regions: &BTreeSet<RegionId>,
    classes: &[ClassId],
) -> Vec<Machine<'a>> {
    within((model, regions, classes), Reach::Whole, manner)
}

/// Fresh locks made of several objects of these classes that call each other, hung on whoever
/// makes them: their operations are what others call.
#[must_use]
pub fn benches_of_makers<'a>(
    model: &'a StaticModel,
    regions: &BTreeSet<RegionId>,
    classes: &[ClassId],
) -> Vec<Machine<'a>> {
    let program = &model.program;
    let sites = classes
        .iter()
        .flat_map(|&class| program.constructions(program.classes.name(class)));
    let makers = sites.map(|site| program.methods[site.0].def.class);
    let makers: BTreeSet<_> = makers.filter(|maker| !classes.contains(maker)).collect();
    let roots = makers.into_iter().map(Root::Object).take(MAX_ROOTS);
    let manner = Manner::default();
    around(
        (model, regions),
        |_, _| roots.collect(),
        Reach::Makers,
        manner,
    )
}

fn within<'a>(
    (model, regions, classes): (&'a StaticModel, &BTreeSet<RegionId>, &[ClassId]),
    reach: Reach,
    manner: Manner,
) -> Vec<Machine<'a>> {
    around(
        (model, regions),
        |world, known| match reach {
            Reach::Whole => makers_first(world, roots(world, known, classes)),
            _ => roots(world, known, classes),
        },
        reach,
        manner,
    )
}

fn around<'a>(
    (model, regions): (&'a StaticModel, &BTreeSet<RegionId>),
    roots: impl FnOnce(&World<'_>, &BTreeMap<RegionId, &Surveyed>) -> Vec<Root>,
    reach: Reach,
    manner: Manner,
) -> Vec<Machine<'a>> {
    let known: BTreeMap<RegionId, &Surveyed> = regions
        .iter()
        .filter_map(|id| Some((*id, model.regions.get(id)?)))
        .collect();
    if known.is_empty() {
        return Vec::new();
    }
    let sites = known.iter().map(|(&id, s)| ((s.method, s.enter), id));
    let own = known
        .values()
        .filter_map(|surveyed| match surveyed.subject {
            Subject::This(class) => Some(class),
            _ => None,
        });
    let own = own.collect();
    let world = Rc::new(World::new(&model.program, sites.collect(), own, reach));
    let mut all: Vec<Machine<'a>> = Vec::new();
    for root in roots(&world, &known) {
        let found = of_root(&world, root, manner);
        all.extend(found);
        let spent: u64 = all.iter().map(Bench::cost).sum();
        if spent > MAX_COST || all.iter().any(|m| m.uncovered().is_empty()) {
            break;
        }
    }
    all.sort_by_key(|m| m.uncovered().len());
    all.truncate(MAX_BENCHES);
    all
}

/// Benches around one root.
fn of_root<'a>(world: &Rc<World<'a>>, root: Root, manner: Manner) -> Vec<Machine<'a>> {
    let mut found: Vec<Machine<'a>> = genuine(world, root, manner).into_iter().collect();
    let class = match root {
        Root::Object(class) => Some(class),
        Root::Statics => None,
    };
    for (number, constants) in NUMBERS {
        let mut machine = Machine::new(Rc::clone(world));
        machine.take(manner);
        machine.recipe = Rc::new(Recipe {
            number,
            constants,
            ..Recipe::default()
        });
        let Some(root) = machine.plant(root) else {
            if machine.cost > MAX_COST / 4 {
                break;
            }
            continue;
        };
        // Nothing else was handed in than what the program hands in, at its only place.
        machine.genuine = constants && !machine.recipe.used && !machine.recipe.varied;
        machine.suppose(class);
        machine.write_menu(root);
        if let Some(root) = root {
            machine.compare_observed(root);
            machine.compare_places(root, class);
            machine.mind_setters(root);
        }
        let used = machine.recipe.used;
        let spent = machine.cost > MAX_COST / 4;
        if !machine.menu.operations.is_empty() {
            found.push(machine);
        }
        if !used && !constants || spent {
            break;
        }
    }
    found
}

/// The bench around an object that the program's own code made.
fn genuine<'a>(world: &Rc<World<'a>>, root: Root, manner: Manner) -> Option<Machine<'a>> {
    let Root::Object(class) = root else {
        return None;
    };
    let mut machine = Machine::new(Rc::clone(world));
    machine.take(manner);
    machine.recipe = Rc::new(Recipe {
        number: NUMBERS[0].0,
        constants: true,
        ..Recipe::default()
    });
    let root = machine.grow(class).ok()?;
    machine.genuine = true;
    machine.suppose(Some(class));
    machine.write_menu(Some(root));
    machine.compare_observed(root);
    machine.mind_setters(root);
    (!machine.menu.operations.is_empty()).then_some(machine)
}

/// What a lock hangs on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Root {
    /// An object of this class.
    Object(ClassId),
    /// Static fields.
    Statics,
}

impl Machine<'_> {
    fn take(&mut self, manner: Manner) {
        self.guesses = manner.guess.map(Guesses::new);
        self.polls = manner.polls;
        self.inner = manner.inner;
        self.patient = manner.patient;
    }

    /// What the other places make that construct the same, with the constants that they hand in.
    fn compare_places(&mut self, root: ObjectId, class: Option<ClassId>) {
        let (Some(class), true) = (class, self.recipe.constants && self.recipe.varied) else {
            return;
        };
        let mine = self.numbers_of(root);
        for place in 1..MAX_TRIED {
            let mut other = Machine::new(Rc::clone(&self.world));
            other.recipe = Rc::new(Recipe {
                number: self.recipe.number,
                constants: true,
                place,
                ..Recipe::default()
            });
            if let Some(Some(id)) = other.plant(Root::Object(class)) {
                self.differ(&mine, &other.numbers_of(id));
            }
            self.cost += other.cost;
        }
    }

    /// Makes the root. None: it cannot be made; else the object, if it is one.
    fn plant(&mut self, root: Root) -> Option<Option<ObjectId>> {
        self.thread(0).ok()?;
        self.fuel = super::MAKING;
        match root {
            Root::Statics => Some(None),
            Root::Object(class) => match self.make(0, class, 0).ok()? {
                Value::Object(id) => {
                    let name = self.world.program.classes.name(class).replace('.', "/");
                    let shared = &mut Rc::make_mut(&mut self.recipe).shared;
                    shared.insert(format!("L{name};"), Value::Object(id));
                    Some(Some(id))
                }
                _ => None,
            },
        }
    }
}

/// What the lock may hang on, most plausible first: by how many of its regions speak for it.
fn roots(
    world: &World<'_>,
    regions: &BTreeMap<RegionId, &Surveyed>,
    classes: &[ClassId],
) -> Vec<Root> {
    let program = world.program;
    let mut votes: BTreeMap<Root, u32> = BTreeMap::new();
    for surveyed in regions.values() {
        for (root, weight) in votes_of(program, surveyed, classes) {
            *votes.entry(root).or_default() += weight;
        }
    }
    let mut all: Vec<_> = votes.into_iter().collect();
    all.retain(|(root, _)| match root {
        Root::Object(class) => is_of_program(world, *class),
        Root::Statics => true,
    });
    all.sort_by_key(|(root, votes)| (std::cmp::Reverse(*votes), *root));
    all.into_iter().map(|v| v.0).take(MAX_ROOTS).collect()
}

/// Of several objects that are one lock, those that make others of them first: the others hang on them.
fn makers_first(world: &World<'_>, mut roots: Vec<Root>) -> Vec<Root> {
    let program = world.program;
    let makes = |maker: Root, made: Root| match (maker, made) {
        (Root::Object(maker), Root::Object(made)) if maker != made => {
            let sites = program.constructions(program.classes.name(made)).iter();
            let mut classes = sites.map(|site| program.methods[site.0].def.class);
            classes.any(|class| class == maker)
        }
        _ => false,
    };
    let all = roots.clone();
    roots.sort_by_key(|&root| std::cmp::Reverse(all.iter().filter(|&&o| makes(root, o)).count()));
    roots
}

fn votes_of(program: &Program, surveyed: &Surveyed, classes: &[ClassId]) -> Vec<(Root, u32)> {
    let def = &program.methods[surveyed.method].def;
    let most = |class: ClassId| Root::Object(most_derived(program, class, classes));
    let mut votes = Vec::new();
    let is_other = matches!(surveyed.subject, Subject::Value(_) | Subject::Unknown);
    let holds = is_other && menu::tells_its_callers_apart(program, surveyed.method);
    match &surveyed.subject {
        Subject::This(class) => votes.push((most(*class), 6)),
        Subject::StaticMirror(_)
        | Subject::Field {
            is_static: true, ..
        } => votes.push((Root::Statics, 6)),
        Subject::Field { owner, class, .. } => {
            let lock = program.classes.named(class, Some(def.class));
            let lock = lock.map(|declared| most_derived(program, declared, classes));
            if let Some(lock) = lock.filter(|l| classes.contains(l)) {
                votes.push((Root::Object(lock), 5));
            }
            if let Some(owner) = program.classes.named(owner, Some(def.class)) {
                votes.push((most(owner), 4));
            }
        }
        // Who takes it is another object, which keeps what it has taken.
        Subject::Value(class) if holds => {
            let lock = program.classes.named(class, Some(def.class));
            let lock = lock.map(|declared| most_derived(program, declared, classes));
            if let Some(lock) = lock.filter(|l| *l != def.class && classes.contains(l)) {
                votes.push((Root::Object(lock), 4));
            }
        }
        Subject::Value(_) | Subject::Unknown => {}
    }
    votes.push(match def.is_static() {
        true => (Root::Statics, 1),
        false if holds => (most(def.class), 1),
        false => (most(def.class), 3),
    });
    votes
}

/// The class of lock objects that inherits from a class, or the class itself.
fn most_derived(program: &Program, class: ClassId, classes: &[ClassId]) -> ClassId {
    let inherits = |c: &&ClassId| program.classes.above(**c).contains(&class);
    classes.iter().find(inherits).copied().unwrap_or(class)
}

/// Some of these regions can wait with a time limit.
#[must_use]
pub fn waits_with_limit(model: &StaticModel, regions: &BTreeSet<RegionId>) -> bool {
    let known = regions.iter().filter_map(|r| model.regions.get(r));
    let mut methods = known.map(|r| r.method);
    methods.any(|m| menu::waits_with_limit(&model.program, m))
}
