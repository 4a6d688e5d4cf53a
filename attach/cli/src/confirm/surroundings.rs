//! The classes around the code that takes locks: of its callers, and of what all of them call. What these read decides whether a
//! thread comes to a lock at all.

use locklens_inference::catalog::Catalog;
use locklens_inference::sample::filter::Filter;
use locklens_trace::code::{Constant, InvokeKind, Op};
use locklens_trace::record::{Frame, MethodDef};
use std::collections::{BTreeMap, BTreeSet, VecDeque};

/// Classes added at most: accesses are dear, and whatever is called besides is told.
const MOST: usize = 64;

/// These classes, with those around them as far as code and call chains are known: callers first, the nearest of them, and
/// then what all of them call.
pub(super) fn of(catalog: &Catalog, classes: &[&str]) -> BTreeSet<String> {
    let mut all: BTreeSet<String> = classes.iter().map(|&class| class.to_owned()).collect();
    let most = all.len() + MOST;
    let calls = calls(catalog);
    let mut back: BTreeMap<&str, BTreeSet<String>> = BTreeMap::new();
    for (caller, called) in &calls {
        for class in called {
            let callers = back.entry(class).or_default();
            callers.extend(of_program(std::iter::once(caller.clone())));
        }
    }
    let in_chains = callers(catalog, &all);
    spread(&mut all, in_chains, most, |class| back.get(class));
    spread(&mut all, BTreeSet::new(), most, |class| calls.get(class));
    all
}

/// Adds these, and what lies next to each that is there, until there are so many.
fn spread<'n>(
    all: &mut BTreeSet<String>,
    more: BTreeSet<String>,
    most: usize,
    next: impl Fn(&str) -> Option<&'n BTreeSet<String>>,
) {
    let mut open: VecDeque<String> = of_program(all.iter().cloned()).chain(more).collect();
    let mut seen = BTreeSet::new();
    while let Some(class) = open.pop_front() {
        let fits = all.contains(&class) || all.len() < most;
        if fits && seen.insert(class.clone()) {
            open.extend(next(&class).into_iter().flatten().cloned());
            all.insert(class);
        }
    }
}

/// The application's, and those that are written: a lambda has no fields that anybody else writes.
fn of_program(classes: impl Iterator<Item = String>) -> impl Iterator<Item = String> {
    let is_one = |class: &String| {
        // A line for each goes to the agent.
        let is_line = !class.contains(char::is_control);
        Filter::default().shows(class) && !class.contains("$$Lambda") && is_line
    };
    classes.filter(is_one)
}

/// Of all frames of the call chains through one of these.
fn callers(catalog: &Catalog, classes: &BTreeSet<String>) -> BTreeSet<String> {
    let class = |frame: &Frame| {
        let method = catalog.methods.get(&frame.method);
        method.map(|method| catalog.class_name(method.class))
    };
    let stacks = catalog.stacks.values();
    let chains = stacks.map(|stack| stack.frames.iter().filter_map(class).collect::<Vec<_>>());
    let through = chains.filter(|chain| chain.iter().any(|class| classes.contains(class)));
    of_program(through.flatten()).collect()
}

/// The application's classes that the code of each class calls or makes.
fn calls(catalog: &Catalog) -> BTreeMap<String, BTreeSet<String>> {
    let mut calls: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for method in catalog.methods.values() {
        let of = calls.entry(catalog.class_name(method.class)).or_default();
        of.extend(of_program(called(catalog, method)));
    }
    calls
}

fn called<'c>(catalog: &'c Catalog, method: &MethodDef) -> impl Iterator<Item = String> + 'c {
    let code = catalog.code.get(&method.id);
    let insns = code.into_iter().flat_map(|code| &code.insns);
    let direct = insns.filter_map(|insn| match &insn.op {
        Op::Invoke {
            kind: InvokeKind::Dynamic,
            ..
        } => None,
        Op::Invoke { method, .. } => Some(method.class.clone()),
        Op::New(class) => Some(class.clone()),
        _ => None,
    });
    let sites = code.into_iter().flat_map(|code| &code.sites);
    let arguments = sites.flat_map(|site| &site.bootstrap.arguments);
    let referred = arguments.filter_map(|argument| match argument {
        Constant::Handle { member, .. } => Some(member.class.clone()),
        _ => None,
    });
    // Arrays have methods, too.
    direct
        .chain(referred)
        .filter(|class| !class.starts_with('['))
}

#[cfg(test)]
mod tests {
    use super::*;
    use locklens_trace::code::{Code, Insn, MemberRef};
    use locklens_trace::record::ClassDef;
    use locklens_trace::{ClassId, MethodId};

    /// Classes, each with a method that calls one of these.
    fn catalog(all: &[(&str, &[&str])]) -> Catalog {
        let mut catalog = Catalog::default();
        for (at, (name, called)) in all.iter().enumerate() {
            let (class, method) = (ClassId(at as u32 + 1), MethodId(at as u32 + 1));
            catalog.classes.insert(
                class,
                ClassDef {
                    id: class,
                    loader: None,
                    name: (*name).to_owned(),
                    super_name: None,
                    interfaces: Vec::new(),
                    flags: 0,
                    source_file: None,
                },
            );
            catalog.methods.insert(
                method,
                MethodDef {
                    id: method,
                    class,
                    name: "m".to_owned(),
                    descriptor: "()V".to_owned(),
                    flags: 0,
                    lines: Vec::new(),
                },
            );
            let call = |class: &&str| Insn {
                bci: 0,
                op: Op::Invoke {
                    kind: InvokeKind::Static,
                    method: MemberRef {
                        class: (*class).to_owned(),
                        name: "m".to_owned(),
                        descriptor: "()V".to_owned(),
                    },
                },
            };
            catalog.code.insert(
                method,
                Code {
                    method,
                    insns: called.iter().map(call).collect(),
                    handlers: None,
                    sites: Vec::new(),
                },
            );
        }
        catalog
    }

    #[test]
    fn callers_and_what_they_call_belong_to_it_and_the_jdk_does_not() {
        let catalog = catalog(&[
            ("app.Main", &["app.Desk", "app.Flags"]),
            ("app.Desk", &["java.lang.Thread", "[Lapp.Desk;", "app.Till"]),
            ("java.lang.Thread", &["app.Other"]),
            ("app.Apart", &["app.Till", "bad\nline"]),
        ]);
        let all = of(&catalog, &["app.Desk"]);
        let expected = ["app.Desk", "app.Flags", "app.Main", "app.Till"];
        assert_eq!(all.iter().map(String::as_str).collect::<Vec<_>>(), expected);
        assert!(!of(&catalog, &["app.Apart"]).contains("bad\nline"));
    }

    #[test]
    fn there_is_an_end_to_it() {
        let names: Vec<String> = (0..200).map(|at| format!("app.C{at}")).collect();
        let next: Vec<[&str; 1]> = (1..=200).map(|at| [names[at % 200].as_str()]).collect();
        let all: Vec<(&str, &[&str])> = { names.iter().zip(&next) }
            .map(|(name, next)| (name.as_str(), &next[..]))
            .collect();
        assert_eq!(of(&catalog(&all), &["app.C0"]).len(), MOST + 1);
    }
}
