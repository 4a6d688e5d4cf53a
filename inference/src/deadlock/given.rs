//! What methods are given by their callers that lock what they are handed.
//!
//! Such a lock is called by the method, and so is each of those that it is handed: two deadlocks of other objects, by other callers,
//! would be one finding. What tells them apart are the callers, and the fields that they hand in, as far as the code that was read has
//! them. Who it was in a run no probe tells. So they are told below the finding, and make a part of the id: all of which that can be told
//! by fields. Where all locks are handed to one method, only those whose fields are a cycle: others can't be the finding, and whether
//! their code is in a recording depends on what the run came to.
//!
//! What comes to a caller without a name, or under a name that any object has, may have one where the caller has it from: a method that
//! holds one and hands on another, a constructor that keeps them, a lambda that captures them. Who calls those is known besides, and counts
//! by the same rule. `code` finds all of them.
//!
//! It comes last, over a whole report: before that findings are compared by the names of their locks.

mod code;
mod search;

use super::finding::{Report, identify, unnumbered};
use super::unseen::is_program;
use crate::catalog::Catalog;
use crate::cycles::components;
use crate::stable_name::{short, stable_method};
use code::CalledCode;
use locklens_trace::record::MethodDef;
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

/// What is handed in that has no name.
const NAMELESS: &str = "?";
/// So many of them are named.
const NAMED: usize = 4;

/// Callers with what they hand in, by the name of a lock that is called by a method.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Given(BTreeMap<String, Handing>);

/// How a method comes to what it locks.
#[derive(Clone, Debug, Default, PartialEq)]
struct Handing {
    /// Who calls it.
    callers: Callers,
    /// Who calls what stands between, by the names of that.
    between: BTreeMap<String, Callers>,
}

/// What each hands in.
type Callers = BTreeSet<Handed>;

/// What a caller hands in.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Handed {
    /// The caller.
    by: String,
    /// In the order of the parameters.
    what: Vec<Thing>,
    /// Which of them are taken within which, by their places there.
    nested: BTreeSet<(usize, usize)>,
}

/// Something that is handed in.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Thing {
    /// One object, whoever calls.
    One(String),
    /// What a field of any object has.
    Of(String),
    /// What a method has made, by its name and where it makes it.
    Local(String, u16),
    Nameless,
}

impl Thing {
    fn name(&self) -> &str {
        match self {
            Self::One(name) | Self::Of(name) => name,
            Self::Local(..) | Self::Nameless => NAMELESS,
        }
    }
}

impl Handed {
    /// What is said of it.
    fn told(&self) -> String {
        let names: Vec<&str> = self.what.iter().map(Thing::name).collect();
        format!("{}({})", self.by, names.join(", "))
    }

    /// The same with numbers of what has no name but that it was made there.
    fn numbered(&self, locals: &Locals<'_>) -> String {
        let names = self.what.iter().map(|thing| match thing {
            Thing::Local(method, bci) => {
                let all = locals.get(method.as_str()).into_iter().flatten();
                let before = all.take_while(|other| *other < bci).count();
                format!("local {}", before + 1)
            }
            other => other.name().to_owned(),
        });
        let names: Vec<String> = names.collect();
        format!("{}({})", self.by, names.join(", "))
    }

    fn has_name(&self) -> bool {
        self.what.iter().any(|thing| thing.name() != NAMELESS)
    }

    /// Whether a method has made one of them.
    fn has_local(&self) -> bool {
        let mut what = self.what.iter();
        what.any(|thing| matches!(thing, Thing::Local(..)))
    }

    /// Several, each of which is one object.
    fn is_fixed(&self) -> bool {
        self.are_all(|thing| matches!(thing, Thing::One(_)))
    }

    fn are_all(&self, is_so: impl Fn(&Thing) -> bool) -> bool {
        self.what.len() > 1 && self.what.iter().all(is_so)
    }

    /// Every lock that it takes, with each that it takes within that, as far as it is known which that are.
    fn edges(&self) -> impl Iterator<Item = (&Thing, &Thing)> {
        let nested = self.nested.iter();
        let things = nested
            .filter_map(|&(outer, inner)| Some((self.what.get(outer)?, self.what.get(inner)?)));
        let nameless = |thing: &Thing| *thing == Thing::Nameless;
        things.filter(move |(outer, inner)| !nameless(outer) && !nameless(inner))
    }
}

/// What methods make that is handed around, by their names, in the order of their code.
type Locals<'g> = BTreeMap<&'g str, BTreeSet<u16>>;

fn locals<'g>(all: impl Iterator<Item = &'g Handed>) -> Locals<'g> {
    let mut locals = Locals::new();
    for thing in all.flat_map(|one| &one.what) {
        if let Thing::Local(method, bci) = thing {
            locals.entry(method).or_default().insert(*bci);
        }
    }
    locals
}

/// Those of these callers whose locks are on a ring of what all of them take within each other.
fn on_rings<'g>(all: &[&'g Handed]) -> impl Fn(&Handed) -> bool + use<'g> {
    let rings = components(all.iter().flat_map(|one| one.edges()));
    move |one| {
        one.edges().any(|(outer, inner)| {
            let mut rings = rings.iter();
            rings.any(|ring| ring.contains_key(outer) && ring.contains_key(inner))
        })
    }
}

impl Given {
    /// Of the locks that a report names.
    #[must_use]
    pub fn of(catalog: &Catalog, report: &Report) -> Self {
        let found = report.findings.iter().flat_map(|finding| &finding.locks);
        let found = found.map(|lock| lock.name.as_str());
        let excluded = report.excluded.iter().flat_map(|gone| &gone.locks);
        let names: BTreeSet<&str> = found.chain(excluded.map(String::as_str)).collect();
        // Most are called by something else.
        let named = methods(catalog, &names);
        if named.is_empty() {
            return Self::default();
        }
        let code = CalledCode::of(catalog);
        let all = named.into_iter().filter_map(|(name, methods)| {
            let mut handing = Handing::default();
            methods.iter().for_each(|m| code.given(m, &mut handing));
            (!handing.callers.is_empty()).then_some((name, handing))
        });
        Self(all.collect())
    }

    /// Adds what another run knows.
    pub(super) fn add(&mut self, other: &Self) {
        for (name, given) in &other.0 {
            let known = self.0.entry(name.clone()).or_default();
            known.callers.extend(given.callers.clone());
            for (between, callers) in &given.between {
                let known = known.between.entry(between.clone()).or_default();
                known.extend(callers.clone());
            }
        }
    }

    /// Makes it a part of what findings are known by, and says it.
    pub(super) fn tell(&self, report: &mut Report) {
        for finding in &mut report.findings {
            let locks: BTreeSet<&str> = finding.locks.iter().map(|l| l.name.as_str()).collect();
            let own = self.of_all(&locks);
            finding.remarks.extend(own.words());
            let telling = own.telling(&locks);
            identify(&mut finding.id, &telling);
            if !own.0.is_empty() {
                let given = own.together().union(&telling).cloned().collect();
                report.given.insert(finding.id.clone(), given);
                report.telling.insert(finding.id.clone(), telling);
            }
        }
        for gone in &mut report.excluded {
            let locks: BTreeSet<&str> = gone.locks.iter().map(String::as_str).collect();
            identify(&mut gone.id, &self.of_all(&locks).telling(&locks));
        }
    }

    fn of_all(&self, locks: &BTreeSet<&str>) -> Own<'_> {
        let own = locks.iter().filter_map(|lock| {
            let (name, handing) = self.0.get_key_value(method_of(lock).as_ref())?;
            Some((name.as_str(), handing))
        });
        Own(own.collect())
    }
}

/// Those of one finding, by the method that locks.
struct Own<'g>(BTreeMap<&'g str, &'g Handing>);

impl<'g> Own<'g> {
    fn callers(&self) -> impl Iterator<Item = (&'g str, &'g Handed)> {
        let each = self.0.iter();
        each.flat_map(|(name, of)| of.callers.iter().map(|one| (*name, one)))
    }

    /// By what stands between.
    fn between(&self) -> BTreeMap<&'g str, Vec<&'g Handed>> {
        let mut all: BTreeMap<&str, BTreeSet<&Handed>> = BTreeMap::new();
        for (name, callers) in self.0.values().flat_map(|of| &of.between) {
            all.entry(name).or_default().extend(callers);
        }
        let all = all.into_iter();
        all.map(|(name, callers)| (name, callers.into_iter().collect()))
            .collect()
    }

    fn words(&self) -> Vec<String> {
        let own = self.0.iter().map(|(name, of)| {
            let told = of.callers.iter().map(Handed::told);
            words(name, "locks", &told.collect())
        });
        let between = self.between();
        let locals = locals(between.values().flatten().copied());
        let further = between.iter().map(|(name, callers)| {
            let told = callers.iter().map(|one| one.numbered(&locals));
            words(name, "hands on", &told.collect())
        });
        own.chain(further).collect()
    }

    /// The callers of several methods, each with what it calls.
    fn together(&self) -> BTreeSet<String> {
        let own = self.callers();
        let own = own.map(|(name, one)| format!("{name} by {}", one.told()));
        let between = self.between();
        let locals = locals(between.values().flatten().copied());
        let each = between.iter();
        let further = each.flat_map(|(name, callers)| {
            let told = callers.iter().map(|one| one.numbered(&locals));
            told.map(move |by| format!("{name} by {by}"))
        });
        own.chain(further).collect()
    }

    /// Those of them that tell these locks from others that are called the same.
    fn telling(&self, locks: &BTreeSet<&str>) -> BTreeSet<String> {
        let own: Vec<(&str, &Handed)> = self.callers().collect();
        let methods: BTreeSet<_> = locks.iter().map(|lock| method_of(lock)).collect();
        let mut named = own.iter().filter(|(_, one)| one.has_name());
        let alone = methods.len() == 1 && named.all(|(_, one)| one.is_fixed());
        let all = own.iter().map(|(_, one)| *one);
        // What a method has made has no name here.
        let all: Vec<&Handed> = all.filter(|one| !one.has_local()).collect();
        let on_ring = on_rings(&all);
        let tells = |one: &Handed| match alone {
            true => on_ring(one),
            false => one.has_name(),
        };
        let own = own.into_iter().filter(|(_, one)| tells(one));
        let own = own.map(|(name, one)| format!("{name} by {}", one.told()));
        own.chain(self.telling_between()).collect()
    }

    fn telling_between(&self) -> Vec<String> {
        let between = self.between();
        let all: Vec<&Handed> = between.values().flatten().copied().collect();
        let on_ring = on_rings(&all);
        let mut telling: Vec<(&str, &Handed)> = Vec::new();
        for (name, callers) in between {
            let known = |one: &&&Handed| one.has_name() || one.has_local();
            let one = |thing: &Thing| matches!(thing, Thing::One(_) | Thing::Local(..));
            let fixed = callers.iter().filter(known).all(|of| of.are_all(one));
            let tells = |one: &&Handed| match fixed {
                true => on_ring(one),
                false => one.has_name(),
            };
            telling.extend(callers.into_iter().filter(tells).map(|one| (name, one)));
        }
        let locals = locals(telling.iter().map(|(_, one)| *one));
        let told = telling.iter();
        told.map(|(name, one)| format!("{name} by {}", one.numbered(&locals)))
            .collect()
    }
}

fn words(name: &str, does: &str, given: &BTreeSet<String>) -> String {
    let named: Vec<&str> = given.iter().map(String::as_str).take(NAMED).collect();
    let more = match given.len().saturating_sub(NAMED) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    let which = match given.len() {
        1 => "",
        _ => "; which of these it was the trace does not tell",
    };
    format!(
        "{name} {does} what it is handed, by {}{more}{which}",
        named.join(", ")
    )
}

/// The method that a lock may be called by: `Desk.sell`, `notify of Desk.sell`, `ReentrantLock in Desk.sell (2)`, and
/// `Desk.sell in shop.Desk.sell(Ljava/lang/Object;)V#1` where it locks several.
fn method_of(lock: &str) -> Cow<'_, str> {
    let name = unnumbered(lock);
    let last = name.rsplit_once(' ').map_or(name, |(_, last)| last);
    let Some((method, _)) = last.split_once('(') else {
        return last.into();
    };
    match method.rsplit_once('.') {
        Some((class, method)) => format!("{}.{method}", short(class)).into(),
        None => method.into(),
    }
}

/// Methods of the program that these locks are called by.
fn methods<'c>(
    catalog: &'c Catalog,
    locks: &BTreeSet<&str>,
) -> BTreeMap<String, Vec<&'c MethodDef>> {
    let wanted: BTreeSet<Cow<'_, str>> = locks.iter().map(|lock| method_of(lock)).collect();
    let mut found: BTreeMap<String, Vec<&MethodDef>> = BTreeMap::new();
    for method in catalog.methods.values() {
        let name = name(catalog, method);
        if wanted.contains(name.as_str()) && is_program(&catalog.class_name(method.class)) {
            found.entry(name).or_default().push(method);
        }
    }
    found
}

fn name(catalog: &Catalog, method: &MethodDef) -> String {
    let class = short(&catalog.class_name(method.class));
    format!("{class}.{}", stable_method(&method.name))
}

#[cfg(test)]
mod tests;
