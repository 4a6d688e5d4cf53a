//! The code that belongs to a lock: the classes of its regions, and what these call, as far as that
//! uses monitors.

use locklens_inference::catalog::Catalog;
use locklens_trace::code::{Insn, MemberRef, Op};
use locklens_trace::record::{LockObject, MethodDef};
use locklens_trace::{LockId, MethodId};
use std::collections::{BTreeMap, BTreeSet, VecDeque};

/// Calls followed from a region.
const DEPTH: u32 = 6;

/// See the module.
pub(crate) struct Reach<'a> {
    catalog: &'a Catalog,
    /// Methods with code, by name and descriptor.
    named: BTreeMap<(&'a str, &'a str), Vec<&'a MethodDef>>,
    supers: BTreeMap<&'a str, &'a str>,
}

impl<'a> Reach<'a> {
    /// Over the code a recording holds.
    pub(crate) fn of(catalog: &'a Catalog) -> Self {
        let mut named: BTreeMap<(&str, &str), Vec<&MethodDef>> = BTreeMap::new();
        for method in catalog.methods.values() {
            let key = (method.name.as_str(), method.descriptor.as_str());
            named.entry(key).or_default().push(method);
        }
        let supers = catalog.classes.values();
        let supers = supers.filter_map(|c| Some((c.name.as_str(), c.super_name.as_deref()?)));
        Self {
            catalog,
            named,
            supers: supers.collect(),
        }
    }

    /// Binary names of the classes that regions in these methods (class, name, descriptor) need.
    pub(crate) fn classes<'r>(
        &self,
        regions: impl Iterator<Item = (&'r str, &'r str, &'r str)>,
    ) -> BTreeSet<String> {
        let mut classes = BTreeSet::new();
        let mut open = VecDeque::new();
        for (class, name, descriptor) in regions {
            classes.insert(class.to_owned());
            let same = |m: &&&MethodDef| self.class(m) == class;
            let methods = self.named.get(&(name, descriptor));
            open.extend(methods.into_iter().flatten().filter(same).map(|m| (*m, 0)));
        }
        let mut seen: BTreeSet<MethodId> = BTreeSet::new();
        while let Some((method, depth)) = open.pop_front() {
            if !seen.insert(method.id) {
                continue;
            }
            if method.is_synchronized() || self.insns(method).iter().any(uses_monitor) {
                classes.insert(self.class(method));
            }
            if depth < DEPTH {
                open.extend(self.callees(method).map(|callee| (callee, depth + 1)));
            }
        }
        classes.retain(|class| !is_of_object(class));
        classes
    }

    /// The monitor of a method's own class, as the agent is told it: of its object, or of the class where it has none.
    pub(crate) fn own_monitor(&self, (class, name, descriptor): (&str, &str, &str)) -> String {
        let methods = self.named.get(&(name, descriptor));
        let mut own = methods.into_iter().flatten();
        let own = own.find(|method| self.class(method) == class);
        match own.is_some_and(|method| method.is_static() && method.is_synchronized()) {
            true => format!("{class}.class"),
            false => class.to_owned(),
        }
    }

    /// The class of a lock object, as the agent is told it.
    pub(crate) fn lock_class(&self, lock: LockId) -> Option<String> {
        let def = self.catalog.locks.get(&lock)?;
        let name = |id| {
            self.catalog
                .classes
                .get(&id)
                .map(|class| class.name.clone())
        };
        match def.object {
            LockObject::ClassMirror(class) => Some(name(class)? + ".class"),
            LockObject::Plain | LockObject::Thread(_) => name(def.class),
        }
    }

    fn class(&self, method: &MethodDef) -> String {
        self.catalog.class_name(method.class)
    }

    fn insns(&self, method: &MethodDef) -> &'a [Insn] {
        let code = self.catalog.code.get(&method.id);
        code.map_or(&[], |code| &code.insns)
    }

    /// The methods a method may call: those declared where the call says, above, or below.
    fn callees(&self, method: &MethodDef) -> impl Iterator<Item = &'a MethodDef> {
        let calls = self.insns(method).iter().filter_map(|insn| match &insn.op {
            Op::Invoke { method, .. } => Some(method),
            _ => None,
        });
        calls.flat_map(|called| self.meant(called))
    }

    fn meant(&self, called: &'a MemberRef) -> Vec<&'a MethodDef> {
        let key = (called.name.as_str(), called.descriptor.as_str());
        let methods = self.named.get(&key).into_iter().flatten().copied();
        let related = |m: &&MethodDef| {
            let class = self.class(m);
            self.is_below(&class, &called.class) || self.is_below(&called.class, &class)
        };
        methods.filter(related).collect()
    }

    /// Whether a class is another one or a subclass of it.
    fn is_below(&self, class: &str, other: &str) -> bool {
        let mut at = Some(class);
        // A chain of superclasses in a damaged trace may be a ring.
        for _ in 0..64 {
            match at {
                Some(name) if name == other => return true,
                Some(name) => at = self.supers.get(name).copied(),
                None => return false,
            }
        }
        false
    }
}

/// Its own code does nothing with monitors but call itself.
fn is_of_object(class: &str) -> bool {
    class == "java.lang.Object"
}

fn uses_monitor(insn: &Insn) -> bool {
    match &insn.op {
        Op::MonitorEnter | Op::MonitorExit => true,
        Op::Invoke { method, .. } => matches!(
            (method.name.as_str(), method.descriptor.as_str()),
            ("wait", "()V" | "(J)V" | "(JI)V") | ("notify" | "notifyAll", "()V")
        ),
        _ => false,
    }
}
