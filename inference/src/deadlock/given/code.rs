//! Who calls methods that lock what they are handed, and what these hand in, as the code says it.

use super::search::{CALLERS, Search, Wanted, is_param};
use super::{Callers, Handed, Handing, Thing, name};
use crate::catalog::Catalog;
use crate::deadlock::callers::{Call, calls, insns, is_meant};
use crate::program::Program;
use crate::region::nesting::{Call as Passed, Nesting};
use crate::region::subject::Subject;
use crate::stable_name::{field_name, short};
use locklens_trace::code::{Code, Constant, InvokeKind, MemberRef, Op};
use locklens_trace::record::MethodDef;
use locklens_trace::{ClassId, MethodId};
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// Callers of callers that are looked at, where these hand on what they were handed; and how often something may stand between.
const DEPTH: usize = 4;
/// The JDK's locks that a method may be handed.
const LOCKS: [&str; 2] = [
    "java.util.concurrent.locks.",
    "java.util.concurrent.Semaphore",
];

/// By class and name of a field, the constructors that set it, and which of their arguments to.
type Kept<'c> = HashMap<(&'c str, &'c str), Vec<(MethodId, Option<u16>)>>;

/// Code, and who calls it.
pub(super) struct CalledCode<'c> {
    program: Program<'c>,
    calls: HashMap<(&'c str, &'c str), Vec<Call<'c>>>,
    /// Fields that only constructors set, each to something that it is handed: by class and name.
    kept: Kept<'c>,
    /// Bodies of lambdas: who makes these, and where.
    captured: HashMap<&'c MemberRef, Vec<(MethodId, u16)>>,
}

impl<'c> CalledCode<'c> {
    pub(super) fn of(catalog: &'c Catalog) -> Self {
        let mut kept: HashMap<_, Vec<_>> = HashMap::new();
        let mut captured: HashMap<_, Vec<_>> = HashMap::new();
        for code in catalog.code.values() {
            for (field, slot) in stores(catalog, code) {
                let key = (field.class.as_str(), field.name.as_str());
                kept.entry(key).or_default().push((code.method, slot));
            }
            for site in &code.sites {
                let handles = site.bootstrap.arguments.iter();
                let members = handles.filter_map(|constant| match constant {
                    Constant::Handle { member, .. } => Some(member),
                    _ => None,
                });
                for member in members {
                    let made: &mut Vec<_> = captured.entry(member).or_default();
                    made.push((code.method, site.bci));
                }
            }
        }
        kept.retain(|_, stores| stores.iter().all(|(_, slot)| slot.is_some()));
        Self {
            program: Program::of(catalog),
            calls: calls(catalog),
            kept,
            captured,
        }
    }

    /// Callers of a method with what they hand in of what it locks, and of what stands between.
    pub(super) fn given(&self, method: &'c MethodDef, into: &mut Handing) {
        let slots: BTreeSet<u16> = self.locked(method.id).into_iter().collect();
        if slots.is_empty() {
            return;
        }
        let slots: Vec<u16> = slots.into_iter().collect();
        let wanted: Vec<Subject> = slots.iter().copied().map(Subject::Param).collect();
        let mut wanted = Wanted::in_order(wanted);
        wanted.nested.extend(self.nested(method.id, &slots));
        let mut search = Search::new();
        self.by_callers(method, &wanted, &[method.id], &mut search);
        into.callers.extend(search.taken());
        let further = self.handed_down(method.id);
        search.between.extend(further.map(|down| (method, down, 1)));
        self.between(search, &mut into.between);
    }

    /// Who calls what stands between, and what stands before that.
    fn between(&self, mut search: Search<'c>, into: &mut BTreeMap<String, Callers>) {
        let (mut seen, mut all) = (BTreeSet::new(), BTreeMap::<_, Callers>::new());
        while let Some((method, wanted, depth)) = search.between.pop() {
            if !seen.insert((method.id, wanted.what.clone())) || depth > DEPTH {
                continue;
            }
            search.depth = depth;
            self.by_callers(method, &wanted, &[method.id], &mut search);
            for &made in self.made_of(method) {
                self.by_call(made, &wanted, &[method.id], &mut search);
            }
            let (name, found) = (name(self.program.catalog, method), search.taken());
            all.entry(name).or_default().extend(found);
        }
        // Which were left out would depend on the recording.
        if search.left == 0 {
            return;
        }
        for handed in search.apart {
            all.entry(handed.by.clone()).or_default().insert(handed);
        }
        for (name, found) in all.into_iter().filter(|(_, found)| !found.is_empty()) {
            into.entry(name).or_default().extend(found);
        }
    }

    /// Where a lambda is made of a method, which is its body.
    fn made_of(&self, method: &MethodDef) -> &[(MethodId, u16)] {
        let member = MemberRef {
            class: self.program.catalog.class_name(method.class),
            name: method.name.clone(),
            descriptor: method.descriptor.clone(),
        };
        let made = self.captured.get(&member);
        made.filter(|_| method.name != "<init>")
            .map_or(&[], Vec::as_slice)
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

    /// Which of its parameters a method locks within which, whatever their order.
    fn nested(&self, method: MethodId, slots: &[u16]) -> Vec<(usize, usize)> {
        let Some(nesting) = self.program.nesting(method) else {
            return Vec::new();
        };
        let place = |subject: &Subject| slots.iter().position(|&s| *subject == Subject::Param(s));
        let inner = nesting.monitors.iter();
        let pairs = inner.flat_map(|inner| {
            let held = held(nesting, inner.bci);
            held.filter_map(move |outer| Some((place(outer)?, place(&inner.subject)?)))
        });
        pairs.filter(|(outer, inner)| outer != inner).collect()
    }

    /// What it locks of its parameters within others of them, by what it calls.
    fn handed_down(&self, method: MethodId) -> Option<Wanted> {
        let nesting = self.program.nesting(method)?;
        let mut what: Vec<Subject> = Vec::new();
        let mut place = |subject: &Subject| {
            let known = what.iter().position(|one| one == subject);
            known.unwrap_or_else(|| {
                what.push(subject.clone());
                what.len() - 1
            })
        };
        let mut nested = BTreeSet::new();
        for call in &nesting.calls {
            let outer: Vec<&Subject> = held(nesting, call.bci)
                .filter(|one| is_param(one))
                .collect();
            if outer.is_empty() {
                continue;
            }
            for inner in self.locked_by(method, call, DEPTH) {
                let others = outer.iter().filter(|outer| ***outer != inner);
                nested.extend(others.map(|outer| (place(outer), place(&inner))));
            }
        }
        (!nested.is_empty()).then_some(Wanted { what, nested })
    }

    /// Parameters of a method that are locked by what it calls there.
    fn locked_by(&self, method: MethodId, call: &Passed<'_>, depth: usize) -> BTreeSet<Subject> {
        let from = self.program.method(method).map(|method| method.class);
        let hierarchy = &self.program.hierarchy;
        let targets = from.map(|from| hierarchy.targets(from, call.kind, call.callee));
        let mut found = BTreeSet::new();
        for target in targets.into_iter().flatten() {
            let own = self.locked(target).into_iter().map(Subject::Param);
            let mut inner: BTreeSet<Subject> = own.collect();
            if let Some(nesting) = self.program.nesting(target).filter(|_| depth > 1) {
                let calls = nesting.calls.iter();
                let calls =
                    calls.filter(|call| call.arguments.values.iter().any(|(_, one)| is_param(one)));
                inner.extend(calls.flat_map(|call| self.locked_by(target, call, depth - 1)));
            }
            found.extend(
                inner
                    .iter()
                    .filter_map(|one| one.in_caller(&call.arguments)),
            );
        }
        found.retain(is_param);
        found
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
        method: &'c MethodDef,
        wanted: &Wanted,
        way: &[MethodId],
        search: &mut Search<'c>,
    ) -> bool {
        let class = self.program.catalog.class_name(method.class);
        let named = (method.name.as_str(), method.descriptor.as_str());
        let all = self.calls.get(&named).into_iter().flatten();
        let meant = all.filter(|call| is_meant(call.kind, call.class, &class));
        let meant = meant.filter(|call| self.leads_to(call, method));
        let at = meant.map(|call| (call.method, call.bci));
        let direct: Vec<_> = at.filter(|(caller, _)| !way.contains(caller)).collect();
        let mut any = false;
        for at in direct {
            any |= self.by_call(at, wanted, way, search);
        }
        any
    }

    /// Whether the caller is known.
    fn by_call(
        &self,
        (caller, bci): (MethodId, u16),
        wanted: &Wanted,
        way: &[MethodId],
        search: &mut Search<'c>,
    ) -> bool {
        let known = self.program.method(caller).filter(|_| search.left > 0);
        let Some(caller) = known else {
            return false;
        };
        search.left -= 1;
        let nesting = self.program.nesting(caller.id);
        let passed = nesting.and_then(|nesting| nesting.call_at(bci));
        let handed = wanted.what.iter().map(|one| {
            let seen = passed.and_then(|passed| one.in_caller(&passed.arguments));
            let seen = seen.unwrap_or(Subject::Unknown);
            self.told_by(caller.class, nesting, &seen).unwrap_or(seen)
        });
        let handed = wanted.with(handed.collect());
        if let Some(both) = nesting.and_then(|nesting| outside(nesting, bci, &handed)) {
            search.between.push((caller, both, search.depth + 1));
        }
        let further = handed.has_param() && way.len() < DEPTH && {
            let way = [way, &[caller.id]].concat();
            self.by_callers(caller, &handed, &way, search)
        };
        // Where nobody is known who calls him it is himself.
        if !further {
            self.ends(caller, &handed, search);
        }
        true
    }

    /// Nobody is known who calls this one.
    fn ends(&self, caller: &'c MethodDef, handed: &Wanted, search: &mut Search<'c>) {
        let depth = search.depth + 1;
        let kept = self.kept_by(handed).into_iter();
        search
            .between
            .extend(kept.map(|(by, kept)| (by, kept, depth)));
        if handed.has_param() && !self.made_of(caller).is_empty() {
            search.between.push((caller, handed.clone(), depth));
        }
        let told = |what: Vec<Thing>| Handed {
            by: name(self.program.catalog, caller),
            what,
            nested: handed.nested.clone(),
        };
        let what = handed.what.iter();
        let things = told(what.clone().map(|one| self.thing(caller, one)).collect());
        let own = |own: bool| {
            what.clone()
                .any(|one| matches!(one, Subject::Field { of_this, .. } if *of_this == own))
        };
        if own(true) && own(false) {
            let apart = what.zip(&things.what).map(|pair| match pair {
                (Subject::Field { of_this: false, .. }, thing) => {
                    Thing::Of(format!("another's {}", thing.name()))
                }
                (_, thing) => thing.clone(),
            });
            search.apart.push(told(apart.collect()));
        }
        if search.found.len() < CALLERS {
            search.found.insert(things);
        }
    }

    /// The constructors that set this field of the own object.
    fn stores_of<'s>(&'s self, subject: &'s Subject) -> Option<&'s Vec<(MethodId, Option<u16>)>> {
        match subject {
            Subject::Field {
                of_this: true,
                field,
            } => self.kept.get(&(field.class.as_str(), field.name.as_str())),
            _ => None,
        }
    }

    /// Constructors that were handed what is in these fields.
    fn kept_by(&self, handed: &Wanted) -> Vec<(&'c MethodDef, Wanted)> {
        let kept = |one| self.stores_of(one);
        let all = handed.what.iter().filter_map(kept).flatten();
        let constructors: BTreeSet<MethodId> = all.map(|(method, _)| *method).collect();
        let of = |constructor: &MethodId| {
            let what = handed.what.iter().map(|one| {
                let mut stores = kept(one).into_iter().flatten();
                let slot = stores.find(|(method, _)| method == constructor);
                match (slot, one) {
                    (Some(&(_, Some(slot))), _) => Subject::Param(slot),
                    (_, Subject::Static(_) | Subject::Class(_)) => one.clone(),
                    _ => Subject::Unknown,
                }
            });
            let wanted = handed.with(what.collect());
            Some((self.program.method(*constructor)?, wanted))
        };
        match handed.what.len() {
            0 | 1 => Vec::new(),
            _ => constructors.iter().filter_map(of).collect(),
        }
    }

    /// What is handed in, as far as it has a name.
    fn thing(&self, caller: &MethodDef, subject: &Subject) -> Thing {
        match subject {
            Subject::Static(field) => Thing::One(field_name(field)),
            Subject::Class(name) => Thing::One(format!("{}.class", short(name))),
            Subject::Field { field, .. } => Thing::Of(field_name(field)),
            Subject::This => Thing::Of("this".to_owned()),
            Subject::Made { bci, .. } if self.is_new(caller.id, *bci) => {
                Thing::Local(name(self.program.catalog, caller), *bci)
            }
            Subject::Param(_) | Subject::Made { .. } | Subject::Unknown => Thing::Nameless,
        }
    }

    fn is_new(&self, method: MethodId, bci: u16) -> bool {
        let mut insns = insns(self.program.catalog, method);
        insns.any(|insn| insn.bci == bci && matches!(insn.op, Op::New(_)))
    }

    /// The field that a method tells which is called there, and does nothing else.
    fn told_by(
        &self,
        from: ClassId,
        nesting: Option<&Nesting<'_>>,
        subject: &Subject,
    ) -> Option<Subject> {
        let Subject::Made { bci, .. } = subject else {
            return None;
        };
        let call = nesting?.call_at(*bci)?;
        let hierarchy = &self.program.hierarchy;
        // Which of several it is nobody knows.
        let [method] = hierarchy.targets(from, call.kind, call.callee)[..] else {
            return None;
        };
        let code = self.program.catalog.code.get(&method)?;
        let ops: Vec<&Op> = code.insns.iter().map(|insn| &insn.op).collect();
        match ops[..] {
            [Op::GetStatic(field), Op::Return { value: true }] => {
                Some(Subject::Static(field.clone()))
            }
            [
                Op::Load { slot: 0, .. },
                Op::GetField(field),
                Op::Return { value: true },
            ] if call.kind != InvokeKind::Static => Some(Subject::Field {
                of_this: call.arguments.receiver() == Some(&Subject::This),
                field: field.clone(),
            }),
            _ => None,
        }
    }
}

/// What is held at an instruction.
fn held<'n>(nesting: &'n Nesting<'_>, bci: u16) -> impl Iterator<Item = &'n Subject> {
    let held = nesting.held_at(bci).iter();
    held.filter_map(|&at| Some(&nesting.monitors.get(usize::from(at))?.subject))
}

/// What a method holds of what it was handed where it hands on something else.
fn outside(nesting: &Nesting<'_>, bci: u16, handed: &Wanted) -> Option<Wanted> {
    let params = handed.what.iter().filter(|one| is_param(one));
    let held = held(nesting, bci).filter(|one| is_param(one) && !handed.what.contains(one));
    let outer: Vec<Subject> = held.cloned().collect();
    let inner: Vec<Subject> = params.cloned().collect();
    (!outer.is_empty() && !inner.is_empty()).then(|| Wanted::in_order([outer, inner].concat()))
}

/// Fields that code sets, each with the parameter whose value it gets where a constructor gives an object of its own class that.
fn stores<'c>(
    catalog: &'c Catalog,
    code: &'c Code,
) -> impl Iterator<Item = (&'c MemberRef, Option<u16>)> {
    let method = catalog.methods.get(&code.method);
    let class = method.filter(|method| method.name == "<init>");
    let class = class.map(|method| catalog.class_name(method.class));
    let ops = code.insns.iter().map(|insn| &insn.op);
    let ops: Vec<&Op> = ops.collect();
    let at = 0..ops.len();
    at.filter_map(move |at| {
        let Op::PutField(field) = ops[at] else {
            return None;
        };
        let slot = match ops[at.saturating_sub(2)..at] {
            [Op::Load { slot: 0, .. }, Op::Load { slot, .. }] => Some(*slot),
            _ => None,
        };
        let changes = |slot: u16| {
            let mut all = ops.iter();
            all.any(|op| matches!(op, Op::Store { slot: to, .. } if *to == slot))
        };
        let own = class.as_ref() == Some(&field.class);
        Some((field, slot.filter(|&slot| own && !changes(slot))))
    })
}
