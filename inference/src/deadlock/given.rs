//! What methods are given by their callers that lock what they are handed.
//!
//! Such a lock is called by the method, and so is each of those that it is handed: two deadlocks of other objects, by other callers,
//! would be one finding. What tells them apart are the callers, and the fields that they hand in, as far as the code that was read has
//! them. Who it was in a run no probe tells. So they are told below the finding, and make a part of the id: all of which that can be told
//! by fields. Where all locks are handed to one method, only those whose fields are a cycle: others can't be the finding, and whether
//! their code is in a recording depends on what the run came to.
//!
//! It comes last, over a whole report: before that findings are compared by the names of their locks.

use super::callers::{Call, calls, is_meant};
use super::finding::{Report, unnumbered};
use super::unseen::is_program;
use crate::catalog::Catalog;
use crate::cycles::components;
use crate::program::Program;
use crate::region::subject::Subject;
use crate::stable_name::{field_name, short, short_id, stable_method};
use locklens_trace::MethodId;
use locklens_trace::code::MemberRef;
use locklens_trace::record::MethodDef;
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// Callers of callers that are looked at, where these hand on what they were handed.
const DEPTH: usize = 4;
/// Callers of one method that are told apart, and calls looked at for that.
const CALLERS: usize = 256;
const CALLS: usize = 4096;
/// What is handed in that has no name.
const NAMELESS: &str = "?";
/// So many of them are named.
const NAMED: usize = 4;
/// The JDK's locks that a method may be handed.
const LOCKS: [&str; 2] = [
    "java.util.concurrent.locks.",
    "java.util.concurrent.Semaphore",
];

/// Callers with what they hand in, by the name of a lock that is called by a method.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Given(BTreeMap<String, Callers>);

/// What each hands in, by what is said of it.
type Callers = BTreeMap<String, Handed>;

/// What a caller hands in.
#[derive(Clone, Debug, Default, PartialEq)]
struct Handed {
    /// Names, in the order of the parameters.
    names: Vec<String>,
    /// Each is one object, whoever calls.
    fixed: bool,
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
        let code = CalledCode {
            program: Program::of(catalog),
            calls: calls(catalog),
        };
        let all = named.into_iter().filter_map(|(name, methods)| {
            let given: Callers = methods.iter().flat_map(|m| code.given(m)).collect();
            (!given.is_empty()).then(|| (name.to_owned(), given))
        });
        Self(all.collect())
    }

    /// Adds what another run knows.
    pub(super) fn add(&mut self, other: &Self) {
        for (name, given) in &other.0 {
            let known = self.0.entry(name.clone()).or_default();
            known.extend(given.clone());
        }
    }

    /// Makes it a part of what findings are known by, and says it.
    pub(super) fn tell(&self, report: &mut Report) {
        for finding in &mut report.findings {
            let locks: BTreeSet<&str> = finding.locks.iter().map(|l| l.name.as_str()).collect();
            let own = self.of_all(locks.iter().copied());
            let told = own.iter().map(|(name, given)| words(name, given));
            finding.remarks.extend(told);
            let telling = telling(&locks, &own);
            identify(&mut finding.id, &telling);
            if !own.is_empty() {
                report.given.insert(finding.id.clone(), together(&own));
                report.telling.insert(finding.id.clone(), telling);
            }
        }
        for gone in &mut report.excluded {
            let locks: BTreeSet<&str> = gone.locks.iter().map(String::as_str).collect();
            let own = self.of_all(locks.iter().copied());
            identify(&mut gone.id, &telling(&locks, &own));
        }
    }

    fn of_all<'g>(&'g self, locks: impl Iterator<Item = &'g str>) -> Own<'g> {
        locks.filter_map(|lock| self.by(lock)).collect()
    }

    /// Under the name that it is known by.
    fn by(&self, lock: &str) -> Option<(&str, &Callers)> {
        let (name, given) = self.0.get_key_value(method_of(lock))?;
        Some((name, given))
    }
}

/// Those of one finding, by the method that locks.
type Own<'g> = BTreeMap<&'g str, &'g Callers>;

/// The callers of several methods, each with what it calls.
fn together(own: &Own<'_>) -> BTreeSet<String> {
    let each = own.iter();
    let all = each.flat_map(|(name, given)| given.keys().map(move |by| format!("{name} by {by}")));
    all.collect()
}

/// Those of them that tell these locks from others that are called the same.
fn telling(locks: &BTreeSet<&str>, own: &Own<'_>) -> BTreeSet<String> {
    let all = || own.values().flat_map(|callers| callers.values());
    let has_name = |name: &String| name != NAMELESS;
    let is_fixed = |one: &Handed| one.fixed && one.names.len() > 1;
    let methods: BTreeSet<&str> = locks.iter().map(|lock| method_of(lock)).collect();
    let mut named = all().filter(|one| one.names.iter().any(has_name));
    let alone = methods.len() == 1 && named.all(is_fixed);
    let rings = components(all().flat_map(|one| edges(&one.names)));
    let on_ring = |one: &Handed| {
        edges(&one.names).any(|(outer, inner)| {
            let mut rings = rings.iter();
            rings.any(|ring| ring.contains_key(outer) && ring.contains_key(inner))
        })
    };
    let tells = |one: &Handed| match alone {
        true => on_ring(one),
        false => one.names.iter().any(has_name),
    };
    let each = own.iter().flat_map(|(name, callers)| {
        let telling = callers.iter().filter(|(_, one)| tells(one));
        telling.map(move |(by, _)| format!("{name} by {by}"))
    });
    each.collect()
}

/// Every lock that one of these takes, with each that it takes within that.
fn edges(handed: &[String]) -> impl Iterator<Item = (&str, &str)> {
    let outer = handed.iter().enumerate();
    outer.flat_map(|(at, outer)| {
        let inner = handed[at + 1..].iter();
        inner.map(|inner| (outer.as_str(), inner.as_str()))
    })
}

/// The id of the names alone becomes one of the callers, too.
fn identify(id: &mut String, given: &BTreeSet<String>) {
    if !given.is_empty() {
        let all = [id.as_str()].into_iter();
        *id = short_id('D', all.chain(given.iter().map(String::as_str)));
    }
}

fn words(name: &str, given: &Callers) -> String {
    let named: Vec<&str> = given.keys().map(String::as_str).take(NAMED).collect();
    let more = match given.len().saturating_sub(NAMED) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    let which = match given.len() {
        1 => "",
        _ => "; which of these it was the trace does not tell",
    };
    format!(
        "{name} locks what it is handed, by {}{more}{which}",
        named.join(", ")
    )
}

/// The method that a lock may be called by: `Desk.sell`, `notify of Desk.sell`, `ReentrantLock in Desk.sell (2)`.
fn method_of(lock: &str) -> &str {
    let name = unnumbered(lock);
    name.rsplit_once(' ').map_or(name, |(_, last)| last)
}

/// Methods of the program that these locks are called by.
fn methods<'c>(
    catalog: &'c Catalog,
    locks: &BTreeSet<&str>,
) -> BTreeMap<String, Vec<&'c MethodDef>> {
    let wanted: BTreeSet<&str> = locks.iter().map(|lock| method_of(lock)).collect();
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

/// Code, and who calls it.
struct CalledCode<'c> {
    program: Program<'c>,
    calls: HashMap<(&'c str, &'c str), Vec<Call<'c>>>,
}

impl CalledCode<'_> {
    /// Callers of a method with what they hand in of what it locks.
    fn given(&self, method: &MethodDef) -> Callers {
        let slots: BTreeSet<u16> = self.locked(method.id).into_iter().collect();
        let wanted: Vec<Subject> = slots.into_iter().map(Subject::Param).collect();
        let mut found = Callers::new();
        if !wanted.is_empty() {
            let mut left = CALLS;
            self.by_callers(method, &wanted, &[method.id], (&mut found, &mut left));
            // Which were left out depends on the recording.
            if left == 0 || found.len() >= CALLERS {
                found.clear();
            }
        }
        found
    }

    /// Parameters that a method locks.
    fn locked(&self, method: MethodId) -> Vec<u16> {
        let Some(nesting) = self.program.nesting(method) else {
            return Vec::new();
        };
        let monitors = nesting.monitors.iter().map(|monitor| &monitor.subject);
        let of_locks = |class: &str| LOCKS.iter().any(|own| class.starts_with(own));
        let called = nesting.calls.iter();
        let called = called.filter(|call| of_locks(&call.callee.class));
        let receivers = called.filter_map(|call| call.arguments.receiver());
        let params = monitors
            .chain(receivers)
            .filter_map(|subject| match subject {
                Subject::Param(slot) => Some(*slot),
                _ => None,
            });
        params.collect()
    }

    /// A call by that name reaches the method, as far as the classes are known.
    fn leads_to(&self, call: &Call<'_>, method: &MethodDef) -> bool {
        let Some(caller) = self.program.method(call.method) else {
            return false;
        };
        let callee = MemberRef {
            class: call.class.to_owned(),
            name: method.name.clone(),
            descriptor: method.descriptor.clone(),
        };
        let hierarchy = &self.program.hierarchy;
        let targets = hierarchy.targets(caller.class, call.kind, &callee);
        targets.is_empty() || targets.contains(&method.id)
    }

    /// Whether there are any.
    fn by_callers(
        &self,
        method: &MethodDef,
        wanted: &[Subject],
        way: &[MethodId],
        (found, left): (&mut Callers, &mut usize),
    ) -> bool {
        let catalog = self.program.catalog;
        let class = catalog.class_name(method.class);
        let named = (method.name.as_str(), method.descriptor.as_str());
        let all = self.calls.get(&named).into_iter().flatten();
        let meant = all.filter(|call| is_meant(call.kind, call.class, &class));
        let meant = meant.filter(|call| self.leads_to(call, method));
        let mut any = false;
        for call in meant.filter(|call| !way.contains(&call.method)) {
            let Some(caller) = self.program.method(call.method).filter(|_| *left > 0) else {
                continue;
            };
            any = true;
            *left -= 1;
            let nesting = self.program.nesting(call.method);
            let passed = nesting.and_then(|nesting| nesting.call_at(call.bci));
            let seen = |subject: &Subject| subject.in_caller(&passed?.arguments);
            let handed = wanted
                .iter()
                .map(|one| seen(one).unwrap_or(Subject::Unknown));
            let handed: Vec<Subject> = handed.collect();
            let handed_on = handed.iter().any(|one| matches!(one, Subject::Param(_)));
            let further = handed_on && way.len() < DEPTH && {
                let way = [way, &[call.method]].concat();
                self.by_callers(caller, &handed, &way, (found, left))
            };
            // Where nobody is known who calls him it is himself.
            if !further && found.len() < CALLERS {
                let fixed = |one: &Subject| matches!(one, Subject::Static(_) | Subject::Class(_));
                let fixed = handed.iter().all(fixed);
                let names: Vec<String> = handed.iter().map(called).collect();
                let by = format!("{}({})", name(catalog, caller), names.join(", "));
                found.insert(by, Handed { names, fixed });
            }
        }
        any
    }
}

/// What is handed in, as far as it has a name.
fn called(subject: &Subject) -> String {
    match subject {
        Subject::Static(field) | Subject::Field { field, .. } => field_name(field),
        Subject::Class(name) => format!("{}.class", short(name)),
        Subject::This => "this".to_owned(),
        Subject::Param(_) | Subject::Made { .. } | Subject::Unknown => NAMELESS.to_owned(),
    }
}

#[cfg(test)]
mod tests;
