//! The operations: which regions each method enters, itself or by calls.

use super::{MonitorIx, Touch};
use crate::effects::EffectTable;
use crate::program::Program;
use crate::region::nesting::{Call, Origin};
use crate::region::place::around;
use crate::region::subject::{Subject, type_name};
use crate::region::{Region, RegionId, RegionPlace, RegionTable};
use locklens_trace::code::{InvokeKind, MemberRef, Op, StackOp};
use locklens_trace::record::{Frame, MethodDef};
use locklens_trace::{ClassId, MethodId};
use std::collections::{BTreeMap, BTreeSet};

/// How deep the callees of an operation are followed to regions.
const DEPTH: u32 = 2;

/// Looks for operations.
pub(super) struct Finder<'a, 'p> {
    program: &'a Program<'p>,
    table: &'a RegionTable,
    /// The monitor that each region enters; of several, the first.
    pub(super) monitor_of: BTreeMap<RegionId, MonitorIx>,
    /// Regions of several monitors: what they lock is handed to them.
    shared: BTreeMap<RegionId, BTreeSet<MonitorIx>>,
    /// The monitor in a field, where all that is locked through the field is one.
    in_field: BTreeMap<MemberRef, Option<MonitorIx>>,
    /// Fields whose objects belong to the object that has them.
    owned: BTreeSet<&'p MemberRef>,
    /// Classes that keep arrays of objects of other classes, which they alone make.
    elements: BTreeSet<(ClassId, String)>,
    /// Regions each method enters itself or through callees; those on its own receiver marked.
    entered: BTreeMap<(MethodId, u32), Vec<Entered>>,
}

/// A region entered somewhere in a method, and whether on the method's own receiver.
#[derive(Clone, Copy, Debug)]
struct Entered {
    region: RegionId,
    on_receiver: bool,
    /// By steps of the operation itself.
    inner: bool,
}

impl<'a, 'p> Finder<'a, 'p> {
    pub(super) fn new(
        program: &'a Program<'p>,
        table: &'a RegionTable,
        monitors: &[BTreeSet<RegionId>],
    ) -> Self {
        let mut monitor_of = BTreeMap::new();
        let mut shared: BTreeMap<RegionId, BTreeSet<MonitorIx>> = BTreeMap::new();
        let mut in_field = BTreeMap::new();
        for (index, regions) in monitors.iter().enumerate() {
            for &region in regions {
                monitor_of.entry(region).or_insert(index);
                shared.entry(region).or_default().insert(index);
                let subject = table.get(region).and_then(|r| subject_of(program, r));
                if let Some(Subject::Field { field, .. } | Subject::Static(field)) = subject {
                    let known = in_field.entry(field).or_insert(Some(index));
                    *known = known.filter(|&known| known == index);
                }
            }
        }
        shared.retain(|_, monitors| monitors.len() > 1);
        Self {
            program,
            table,
            monitor_of,
            shared,
            in_field,
            owned: owned_fields(program),
            elements: owned_elements(program),
            entered: BTreeMap::new(),
        }
    }

    /// The operations: touches in bci order, of methods that touch two monitors.
    pub(super) fn operations(&mut self, effects: &mut EffectTable<'_, '_>) -> Vec<Vec<Touch>> {
        let methods = self.program.catalog.code.keys();
        let all = methods.map(|&method| self.touches(method, effects));
        let several =
            |touches: &Vec<Touch>| touches.iter().any(|t| t.monitor != touches[0].monitor);
        all.filter(several).collect()
    }

    fn touches(&mut self, method: MethodId, effects: &mut EffectTable<'_, '_>) -> Vec<Touch> {
        let Some(nesting) = self.program.nesting(method) else {
            return Vec::new();
        };
        let mut found = Vec::new();
        if let Some(region) = self.method_region(method) {
            found.extend(self.touch(region, 0, None, effects));
        }
        for monitor in &nesting.monitors {
            if let Some(region) = self.block(method, monitor.bci, monitor.ordinal) {
                let touch = self.touch(region, monitor.bci, monitor.origin, effects);
                found.extend(touch.map(|t| Touch {
                    around: self.around(method, t.bci),
                    ..t
                }));
            }
        }
        for call in &nesting.calls {
            for entered in self.called(method, call, DEPTH) {
                let origin = call.origin.filter(|_| entered.on_receiver);
                let touch = self.touch(entered.region, call.bci, origin, effects);
                let around = self.around(method, call.bci);
                let monitor = self.handed(entered.region, call);
                let handed = matches!(call.arguments.receiver(), Some(Subject::Param(_)));
                let on_own = call.kind == InvokeKind::Static
                    || call.arguments.receiver() == Some(&Subject::This);
                let result_used = self.uses_result(method, call);
                found.extend(touch.map(|t| Touch {
                    monitor: monitor.unwrap_or(t.monitor),
                    own: false,
                    inner: entered.inner,
                    handed,
                    around,
                    part: entered.inner && !on_own,
                    made: call.origin.is_some_and(|origin| origin.fresh),
                    on: call.arguments.receiver().cloned().and_then(field_of),
                    result_used,
                    ..t
                }));
            }
        }
        for touch in &mut found {
            touch.got_in = touch
                .origin
                .map_or_else(Vec::new, |origin| self.around(method, origin.bci));
        }
        found.sort_by_key(|touch| touch.bci);
        found
    }

    /// What a call returns is used for more than to be returned.
    fn uses_result(&self, method: MethodId, call: &Call<'_>) -> bool {
        if call.callee.descriptor.ends_with(")V") {
            return false;
        }
        let code = self.program.catalog.code.get(&method);
        let mut insns = code.iter().flat_map(|code| &code.insns);
        let then = insns.find(|insn| insn.bci > call.bci).map(|insn| &insn.op);
        !matches!(
            then,
            Some(Op::Stack(StackOp::Pop | StackOp::Pop2) | Op::Return { .. })
        )
    }

    /// A region the operation enters itself.
    fn touch(
        &self,
        id: RegionId,
        bci: u16,
        origin: Option<Origin>,
        effects: &mut EffectTable<'_, '_>,
    ) -> Option<Touch> {
        let effects = effects.of(self.table.get(id)?);
        Some(Touch {
            monitor: *self.monitor_of.get(&id)?,
            region: id,
            bci,
            origin,
            got_in: Vec::new(),
            around: Vec::new(),
            own: true,
            inner: true,
            handed: false,
            waits: effects.may_wait == Some(true),
            notifies: effects.notifies(),
            part: false,
            made: false,
            on: subject_of(self.program, self.table.get(id)?).and_then(field_of),
            result_used: false,
        })
    }

    /// The monitor that a region of several locks in this call, which hands it the content of a field.
    fn handed(&self, region: RegionId, call: &Call<'_>) -> Option<MonitorIx> {
        let monitors = self.shared.get(&region)?;
        let place = self.table.get(region)?;
        let callee = self.program.method(place.method)?;
        let Subject::Param(slot) = subject_of(self.program, place)? else {
            return None;
        };
        if (&callee.name, &callee.descriptor) != (&call.callee.name, &call.callee.descriptor) {
            return None;
        }
        let mut handed = call.arguments.values.iter();
        let (_, value) = handed.find(|(at, _)| *at == slot)?;
        let (Subject::Field { field, .. } | Subject::Static(field)) = value else {
            return None;
        };
        let monitor = self.in_field.get(field).copied().flatten()?;
        monitors.contains(&monitor).then_some(monitor)
    }

    fn method_region(&self, method: MethodId) -> Option<RegionId> {
        let def = self
            .program
            .method(method)
            .filter(|m| m.is_synchronized())?;
        self.table.find(&Program::method_region(def))
    }

    fn block(&self, method: MethodId, bci: u16, ordinal: u16) -> Option<RegionId> {
        let class = self.program.method(method)?.class;
        let place = RegionPlace::Block { bci, ordinal };
        self.table.find(&Region {
            method,
            class,
            place,
        })
    }

    fn around(&self, method: MethodId, bci: u16) -> Vec<RegionId> {
        let regions = around(
            self.program,
            Frame {
                method,
                bci: Some(bci),
            },
        );
        regions
            .iter()
            .filter_map(|region| self.table.find(region))
            .collect()
    }

    /// Regions that a call enters.
    fn called(&mut self, from: MethodId, call: &Call<'_>, depth: u32) -> Vec<Entered> {
        let Some(caller) = self.program.method(from) else {
            return Vec::new();
        };
        let targets = self
            .program
            .hierarchy
            .targets(caller.class, call.kind, call.callee);
        let mut found = Vec::new();
        for target in targets {
            let is_step = self.is_step(
                caller,
                call,
                target,
                !self.around(from, call.bci).is_empty(),
            );
            found.extend(self.entered(target, depth).into_iter().map(|e| Entered {
                inner: e.inner && is_step,
                ..e
            }));
        }
        found
    }

    /// A call that is a step of the operation itself: on its own object, of a function of its class alone, on one
    /// that it made, by a method that its own package alone can call, on one of several that its class alone makes
    /// and keeps in an array, or, while it holds a monitor, on one that its object made for itself and keeps.
    fn is_step(&self, caller: &MethodDef, call: &Call<'_>, target: MethodId, holds: bool) -> bool {
        const PUBLIC: u32 = 0x0001;
        let Some(callee) = self.program.method(target) else {
            return false;
        };
        if call.kind == InvokeKind::Static {
            return callee.class == caller.class && callee.flags & PUBLIC == 0;
        }
        let made = call.origin.is_some_and(|o| o.fresh) && callee.flags & PUBLIC == 0;
        let owned = match call.arguments.receiver() {
            Some(Subject::This) => return true,
            Some(Subject::Field {
                of_this: true,
                field,
            }) => {
                let one_of_many = self.is_element(caller.class, callee.class);
                holds && self.owned.contains(field)
                    || one_of_many && self.replaces(caller.id, field)
            }
            Some(Subject::Made { bci, .. }) => {
                self.is_element(caller.class, callee.class) && self.loads_element(caller.id, *bci)
            }
            _ => false,
        };
        let package = |class| {
            let name = self.program.catalog.class_name(class);
            name[..name.rfind('.').unwrap_or(0)].to_owned()
        };
        (made || owned) && package(caller.class) == package(callee.class)
    }

    /// The method puts another object into the field.
    fn replaces(&self, method: MethodId, field: &MemberRef) -> bool {
        let code = self.program.catalog.code.get(&method);
        let mut insns = code.iter().flat_map(|code| &code.insns);
        insns.any(|insn| matches!(&insn.op, Op::PutField(put) if put == field))
    }

    /// Objects of the second class are made by the first alone, which keeps them.
    fn is_element(&self, class: ClassId, of: ClassId) -> bool {
        let element = self.program.catalog.class_name(of);
        self.elements.contains(&(class, element))
    }

    /// The instruction reads an element of an array.
    fn loads_element(&self, method: MethodId, bci: u16) -> bool {
        let code = self.program.catalog.code.get(&method);
        let mut insns = code.iter().flat_map(|code| &code.insns);
        insns.any(|insn| insn.bci == bci && matches!(insn.op, Op::ArrayLoad { .. }))
    }

    /// Regions a method enters, itself or by calls up to a depth.
    fn entered(&mut self, method: MethodId, depth: u32) -> Vec<Entered> {
        if let Some(known) = self.entered.get(&(method, depth)) {
            return known.clone();
        }
        // A recursive method enters nothing new by entering itself again.
        self.entered.insert((method, depth), Vec::new());
        let mut found: Vec<Entered> = self
            .method_region(method)
            .map(on_receiver)
            .into_iter()
            .collect();
        if let Some(nesting) = self.program.nesting(method) {
            for monitor in &nesting.monitors {
                let on_receiver = monitor.subject == Subject::This;
                let region = self.block(method, monitor.bci, monitor.ordinal);
                found.extend(region.map(|region| Entered {
                    region,
                    on_receiver,
                    inner: true,
                }));
            }
            for call in nesting.calls.iter().filter(|_| depth > 1) {
                let on_this = call.arguments.receiver() == Some(&Subject::This);
                let entered = self.called(method, call, depth - 1).into_iter();
                found.extend(entered.map(|e| Entered {
                    on_receiver: e.on_receiver && on_this,
                    ..e
                }));
            }
        }
        self.entered.insert((method, depth), found.clone());
        found
    }
}

/// What a block locks, as its method says.
fn subject_of(program: &Program<'_>, region: &Region) -> Option<Subject> {
    let RegionPlace::Block { bci, .. } = region.place else {
        return None;
    };
    let nesting = program.nesting(region.method)?;
    let monitor = nesting.monitors.iter().find(|m| m.bci == bci)?;
    Some(monitor.subject.clone())
}

/// The field that an object comes from.
fn field_of(subject: Subject) -> Option<MemberRef> {
    match subject {
        Subject::Field { field, .. } | Subject::Static(field) => Some(field),
        _ => None,
    }
}

fn on_receiver(region: RegionId) -> Entered {
    Entered {
        region,
        on_receiver: true,
        inner: true,
    }
}

/// Fields that hold only objects made for them: every write to one stores what its code has just made.
fn owned_fields<'p>(program: &Program<'p>) -> BTreeSet<&'p MemberRef> {
    let (mut made, mut handed) = (BTreeSet::new(), BTreeSet::new());
    for code in program.catalog.code.values() {
        let mut before: Option<&Op> = None;
        for insn in &code.insns {
            if let Op::PutField(field) = &insn.op {
                let fresh = matches!(before, Some(Op::Invoke { kind: InvokeKind::Special, method }) if method.name == "<init>");
                let kind = if fresh { &mut made } else { &mut handed };
                kind.insert(field);
            }
            before = Some(&insn.op);
        }
    }
    made.retain(|field| !handed.contains(field));
    made
}

/// Classes that keep objects of another class in an array, or one after the other in a field, with that class, where they
/// alone make such objects.
fn owned_elements(program: &Program<'_>) -> BTreeSet<(ClassId, String)> {
    let mut makers: BTreeMap<&str, BTreeSet<ClassId>> = BTreeMap::new();
    let mut kept = BTreeSet::new();
    for (&method, code) in &program.catalog.code {
        let Some(def) = program.method(method) else {
            continue;
        };
        let class = def.class;
        for insn in &code.insns {
            match &insn.op {
                Op::New(made) => drop(makers.entry(made).or_default().insert(class)),
                Op::PutField(field) => {
                    // One object by itself is one of several if another one takes its place.
                    let one = (def.name != "<init>").then_some(field.descriptor.as_str());
                    let kept_type = field.descriptor.strip_prefix('[').or(one);
                    let element = kept_type.and_then(type_name);
                    kept.extend(element.map(|element| (class, element)));
                }
                _ => {}
            }
        }
    }
    kept.retain(|(class, element)| {
        let by = makers.get(element.as_str());
        by.is_some_and(|by| by.len() == 1 && by.contains(class))
    });
    kept
}
