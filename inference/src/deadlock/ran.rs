//! What of the recorded code may have run. Each of its accesses to fields is told before it happens, so what lies behind one that was never
//! told has not run, and what it would do says nothing of the run.
//!
//! That holds where no record is missing and every method has its probes, which whoever concludes something from it has to know. What goes
//! on without an access of its own before is taken to have run.

use super::polls::Ways;
use crate::catalog::Catalog;
use locklens_trace::code::{Code, Constant, MemberRef, Op};
use locklens_trace::record::MethodDef;
use locklens_trace::{MethodId, StackId};
use std::cell::RefCell;
use std::collections::{BTreeSet, HashMap, HashSet};

/// How javac calls the bodies of lambdas, which nothing else calls than what is made of them.
const BODY: &str = "lambda$";
const SYNTHETIC: u32 = 0x1000;

/// Class, name and descriptor of a method.
type Named<'c> = (&'c str, &'c str, &'c str);

/// See the module.
pub(super) struct Ran<'c> {
    catalog: &'c Catalog,
    /// Where an access was told.
    told: HashSet<(MethodId, u16)>,
    /// Where functions are made of methods.
    made: HashMap<Named<'c>, Vec<(MethodId, u16)>>,
    /// By method, what may have run of it, by the numbers of its instructions; none where all may.
    known: RefCell<HashMap<MethodId, Option<Vec<bool>>>>,
}

impl std::fmt::Debug for Ran<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Ran({} places)", self.told.len())
    }
}

impl<'c> Ran<'c> {
    /// `classes`: those whose accesses are recorded; `told`: where there were any.
    pub(super) fn of(
        catalog: &'c Catalog,
        classes: &BTreeSet<&str>,
        told: impl Iterator<Item = StackId>,
    ) -> Self {
        let place = |stack| {
            let frame = catalog.stacks.get(&stack)?.frames.first()?;
            Some((frame.method, frame.bci?))
        };
        let others = catalog.methods.values().filter(|method| {
            let class = catalog.class_name(method.class);
            !classes.contains(class.as_str())
        });
        let all_of = others.map(|method| (method.id, None));
        let mut made: HashMap<_, Vec<_>> = HashMap::new();
        for code in catalog.code.values() {
            for (bci, member) in functions(code) {
                let key = (&*member.class, &*member.name, &*member.descriptor);
                made.entry(key).or_default().push((code.method, bci));
            }
        }
        Self {
            catalog,
            told: told.filter_map(place).collect(),
            made,
            known: RefCell::new(all_of.collect()),
        }
    }

    /// Whether an instruction may have run.
    pub(super) fn may(&self, method: MethodId, bci: u16) -> bool {
        let known = self.known.borrow().get(&method).cloned();
        let known = known.unwrap_or_else(|| {
            // Whoever comes here on his way back takes it to have run.
            self.known.borrow_mut().insert(method, None);
            let found = self.reached(method);
            self.known.borrow_mut().insert(method, found.clone());
            found
        });
        let code = self.catalog.code.get(&method);
        let at = code.and_then(|code| code.insns.binary_search_by_key(&bci, |insn| insn.bci).ok());
        match (known, at) {
            (Some(reached), Some(at)) => reached[at],
            _ => true,
        }
    }

    fn reached(&self, method: MethodId) -> Option<Vec<bool>> {
        let code = self.catalog.code.get(&method)?;
        let def = self.catalog.methods.get(&method)?;
        let ways = Ways::of(code)?;
        let subroutines = |op: &Op| matches!(op, Op::Jsr(_) | Op::Ret(_));
        if ways.insns.iter().any(|insn| subroutines(&insn.op)) {
            return None;
        }
        if !self.may_begin(def) {
            return Some(vec![false; ways.insns.len()]);
        }
        let silent = |at: usize| {
            let insn = &ways.insns[at];
            is_told(def, &insn.op) && !self.told.contains(&(method, insn.bci))
        };
        let mut reached = ways.from(&[0], &silent);
        // Where exceptions lead is not known: to all that nothing else does, once something may throw one.
        let throws = reached
            .iter()
            .zip(ways.insns)
            .any(|(reached, insn)| *reached && may_throw(&insn.op));
        if throws {
            let normal = ways.from(&[0], &|_| false);
            let caught = (0..normal.len()).filter(|&at| !normal[at]);
            let begin: Vec<usize> = std::iter::once(0).chain(caught).collect();
            reached = ways.from(&begin, &silent);
        }
        Some(reached)
    }

    /// Whether a method may have been called: of the body of a lambda that only its makers decide.
    fn may_begin(&self, def: &MethodDef) -> bool {
        let is_body = def.flags & SYNTHETIC != 0 && def.name.starts_with(BODY);
        let class = self.catalog.class_name(def.class);
        let key = (class.as_str(), &*def.name, &*def.descriptor);
        match self.made.get(&key).filter(|_| is_body) {
            Some(makers) => makers.iter().any(|&(maker, bci)| self.may(maker, bci)),
            None => true,
        }
    }
}

/// What functions some code makes, and where.
fn functions(code: &Code) -> impl Iterator<Item = (u16, &MemberRef)> {
    code.sites.iter().flat_map(|site| {
        let arguments = site.bootstrap.arguments.iter();
        arguments.filter_map(|constant| match constant {
            Constant::Handle { member, .. } => Some((site.bci, member)),
            _ => None,
        })
    })
}

/// Whether there is a probe in front of it: what a constructor stores may have none.
fn is_told(def: &MethodDef, op: &Op) -> bool {
    match op {
        Op::GetField(_) | Op::GetStatic(_) | Op::PutStatic(_) => true,
        Op::PutField(_) => def.name != "<init>",
        _ => false,
    }
}

fn may_throw(op: &Op) -> bool {
    !matches!(
        op,
        Op::Nop
            | Op::Const { .. }
            | Op::Real { .. }
            | Op::Null
            | Op::Load { .. }
            | Op::Store { .. }
            | Op::Stack(_)
            | Op::Iinc { .. }
            | Op::Goto(_)
            | Op::Convert { .. }
            | Op::Compare { .. }
            | Op::If { .. }
            | Op::IfCmp { .. }
            | Op::IfRef { .. }
            | Op::IfNull { .. }
            | Op::Switch { .. }
            | Op::InstanceOf(_)
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixtures::{Build, call, field, leave, load};

    const CLASS: &str = "a.B";

    /// Whether each instruction of a method of the recorded class may have run, where accesses were told at these.
    fn ran(ops: Vec<Op>, told: &[u16]) -> Vec<bool> {
        let mut build = Build::default();
        let class = build.class(CLASS, "java.lang.Object");
        let count = ops.len() as u16;
        let method = build.coded(class, "m", 0, ops);
        let told: Vec<StackId> = told
            .iter()
            .map(|&bci| build.stack(&[(method, bci)]))
            .collect();
        let ran = Ran::of(&build.catalog, &BTreeSet::from([CLASS]), told.into_iter());
        (0..count).map(|bci| ran.may(method, bci)).collect()
    }

    #[test]
    fn what_lies_behind_an_access_that_was_never_told_has_not_run() {
        let ops = || {
            vec![
                load(0),
                field(CLASS, "map"),
                call("java.util.Map", "clear"),
                leave(),
            ]
        };
        assert_eq!(ran(ops(), &[]), [true, false, false, false]);
        assert_eq!(ran(ops(), &[1]), [true; 4]);
    }

    #[test]
    fn another_way_there_and_what_may_throw_lead_past_it() {
        let branch = |target| Op::IfNull { null: true, target };
        let ops = vec![
            load(1),
            branch(4),
            load(0),
            field(CLASS, "map"),
            call("java.util.Map", "clear"),
            leave(),
        ];
        assert_eq!(ran(ops, &[]), [true, true, true, false, true, true]);
        // Behind the return stands what nothing leads to but an exception.
        let caught = |first: Op| {
            let ops = vec![
                first,
                load(0),
                field(CLASS, "map"),
                leave(),
                call("a.C", "told"),
            ];
            ran(ops, &[])
        };
        assert!(caught(call("a.C", "first"))[4]);
        assert!(!caught(load(1))[4]);
    }

    #[test]
    fn other_code_and_what_a_constructor_stores_may_have_run() {
        let mut build = Build::default();
        let [own, other] = [CLASS, "a.C"].map(|name| build.class(name, "java.lang.Object"));
        let ops = |op: Op| vec![load(0), load(1), op, leave()];
        let store = || {
            let Op::GetField(member) = field(CLASS, "map") else {
                unreachable!("a field")
            };
            Op::PutField(member)
        };
        let made = build.coded(own, "<init>", 0, ops(store()));
        let set = build.coded(own, "set", 0, ops(store()));
        let others = build.coded(other, "set", 0, ops(store()));
        let ran = Ran::of(&build.catalog, &BTreeSet::from([CLASS]), std::iter::empty());
        assert_eq!(
            [made, set, others].map(|m| ran.may(m, 3)),
            [true, false, true]
        );
    }
}
