//! Lock objects, regions and call chains → nodes of the graph.
//!
//! A lock object belongs to the logical lock that the analysis put it in. A region on a call chain
//! belongs to a logical lock if exactly one has it; a static synchronized method locks the mirror
//! of its class, and one that locks a static field what the field holds, wherever they are met.
//! Everything else is a node of its own.

use super::fields::{StaticFields, fixed_subject};
use crate::analysis::Analysis;
use crate::collect::{Collected, FastMap};
use crate::lockclass::{ClassKey, Group};
use crate::program::Program;
use crate::region::place::{self, LockShape, around, locate};
use crate::region::subject::Subject;
use crate::region::{Region, RegionPlace, RegionTable};
use crate::safe::known_safe;
use crate::stable_name::stable_class;
use locklens_trace::code::MemberRef;
use locklens_trace::record::{Frame, LockObject, StackDef};
use locklens_trace::{ClassId, LockId, MethodId, StackId};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// Index of a node of the graph, which is not that of a lock in the model.
pub(super) type NodeIx = usize;

/// What a node stands for. The logical locks of which is known who holds them come first, in the order of the model.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum NodeKey {
    /// Index of a logical lock in the model.
    Lock(usize),
    /// The monitor of a class, on which no event was seen.
    Mirror(ClassId),
    /// What a static field holds, on which no event was seen.
    Static(MemberRef),
    /// Objects locked by methods of this class on themselves, on which no event was seen.
    This(ClassId),
    /// A region, and the logical locks that have it: several, or none where it is not clear
    /// either what it locks.
    Region(Region, Vec<usize>),
}

/// A place: a call chain from one of its frames outwards.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Span {
    pub(super) stack: Option<StackId>,
    /// Frames left out at the inner end.
    pub(super) from: u32,
    /// bci in the first frame, where it is not the frame's own: that of a `monitorenter`.
    pub(super) bci: Option<u16>,
}

impl Span {
    pub(super) fn whole(stack: Option<StackId>) -> Self {
        Self {
            stack,
            ..Self::default()
        }
    }
}

/// A region that a call chain stands in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Standing {
    pub(super) node: NodeIx,
    /// The object, if the region can lock only one.
    pub(super) object: Option<LockId>,
    /// A region further out may be on the same object.
    pub(super) again: bool,
    frame: u32,
    bci: Option<u16>,
}

impl Standing {
    pub(super) fn span(&self, stack: Option<StackId>) -> Span {
        Span {
            stack,
            from: self.frame,
            bci: self.bci,
        }
    }
}

/// What a call chain holds when a lock is about to be taken at its inner end.
#[derive(Debug, Default)]
pub(super) struct Chain {
    /// Outermost first.
    pub(super) standing: Vec<Standing>,
    /// The inner end is in `Object.wait`.
    pub(super) in_wait: bool,
    /// All frames and their code are known.
    pub(super) whole: bool,
    /// Frames of `wait` and its like.
    inner: u32,
}

impl Chain {
    /// Where the lock is taken.
    pub(super) fn span(&self, stack: Option<StackId>) -> Span {
        Span {
            stack,
            from: self.inner,
            bci: None,
        }
    }
}

/// What a thread does to a lock.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Operation {
    Acquire,
    Wait,
}

/// The class of a lock object, and of a mirror what it mirrors.
type Shape = (Option<ClassId>, Option<ClassId>);

/// See the module.
#[derive(Debug)]
pub(super) struct Chart<'a> {
    collected: &'a Collected,
    program: Program<'a>,
    nodes: Vec<NodeKey>,
    known: BTreeMap<NodeKey, NodeIx>,
    objects: FastMap<LockId, NodeIx>,
    mirrors: BTreeMap<ClassId, LockId>,
    fields: StaticFields,
    /// Logical locks that have a region.
    locks_of: BTreeMap<Region, Vec<usize>>,
    chains: FastMap<(StackId, Operation, Option<Shape>), Rc<Chain>>,
    /// Whether the inner end of a call chain is an operation on a monitor.
    in_operation: FastMap<StackId, bool>,
    table: RegionTable,
    /// Call chains used that were cut.
    pub(super) cut: BTreeSet<StackId>,
    /// Methods of used call chains whose code is unknown.
    pub(super) unread: BTreeSet<MethodId>,
}

impl<'a> Chart<'a> {
    pub(super) fn new(collected: &'a Collected, analysis: &Analysis) -> Self {
        // Who is inside a lock that is only looked at now and then is not known.
        let monitors = |ix: &usize| analysis.model.locks[*ix].nests();
        let locks: Vec<usize> = (0..analysis.model.locks.len()).filter(monitors).collect();
        let of_lock = |ix: usize| analysis.objects.get(ix).into_iter().flatten();
        // A node's index is its own: the report has sampled locks between those of monitors.
        let objects = (0..).zip(&locks);
        let objects = objects.flat_map(|(node, &ix)| of_lock(ix).map(move |&lock| (lock, node)));
        let mirrors = collected.catalog.locks.values().filter_map(|def| {
            let LockObject::ClassMirror(class) = def.object else {
                return None;
            };
            Some((class, def.id))
        });
        let nodes: Vec<NodeKey> = locks.iter().copied().map(NodeKey::Lock).collect();
        let program = Program::of(&collected.catalog);
        let fields = StaticFields::new(&program, collected, |f| entering(&program, f));
        Self {
            collected,
            program,
            known: nodes.iter().cloned().zip(0..).collect(),
            nodes,
            objects: objects.collect(),
            mirrors: mirrors.collect(),
            fields,
            locks_of: locks_of(analysis),
            chains: FastMap::default(),
            in_operation: FastMap::default(),
            table: RegionTable::default(),
            cut: BTreeSet::new(),
            unread: BTreeSet::new(),
        }
    }

    pub(super) fn program(&self) -> &Program<'a> {
        &self.program
    }

    pub(super) fn nodes(&self) -> &[NodeKey] {
        &self.nodes
    }

    /// The node of a lock object; none if it is left out of reports.
    pub(super) fn node_of(&self, lock: LockId) -> Option<NodeIx> {
        self.objects.get(&lock).copied()
    }

    /// What a thread with this call chain holds besides the lock of the operation.
    pub(super) fn chain(
        &mut self,
        stack: Option<StackId>,
        operation: Operation,
        lock: LockId,
    ) -> Rc<Chain> {
        let Some(id) = stack else {
            return Rc::new(Chain {
                in_wait: operation == Operation::Wait,
                ..Chain::default()
            });
        };
        // Of a plain acquisition the chain alone tells; elsewhere the lock has a say.
        let shape = self.is_in_operation(id).then(|| self.shape(lock));
        if let Some(chain) = self.chains.get(&(id, operation, shape)) {
            return Rc::clone(chain);
        }
        let chain = Rc::new(self.read(id, operation, lock));
        self.chains
            .insert((id, operation, shape), Rc::clone(&chain));
        chain
    }

    fn is_in_operation(&mut self, id: StackId) -> bool {
        let (collected, program) = (self.collected, &self.program);
        *self.in_operation.entry(id).or_insert_with(|| {
            let stack = collected.catalog.stacks.get(&id);
            let first = stack.and_then(|s| s.frames.first());
            first.is_some_and(|f| program.is_monitor_operation(f.method))
        })
    }

    fn shape(&self, lock: LockId) -> Shape {
        match self.collected.catalog.locks.get(&lock) {
            None => (None, None),
            Some(def) => match def.object {
                LockObject::ClassMirror(mirrored) => (Some(def.class), Some(mirrored)),
                LockObject::Plain | LockObject::Thread(_) => (Some(def.class), None),
            },
        }
    }

    fn read(&mut self, id: StackId, operation: Operation, lock: LockId) -> Chain {
        let collected = self.collected;
        let Some(stack) = collected.catalog.stacks.get(&id) else {
            return Chain::default();
        };
        let inner = stack
            .frames
            .iter()
            .take_while(|f| self.program.is_monitor_operation(f.method))
            .count();
        let own = if inner > 0 {
            self.levels(stack, lock)
        } else {
            let first = stack.frames.first();
            first
                .and_then(|&f| entering(&self.program, f))
                .into_iter()
                .collect()
        };
        let mut chain = Chain {
            standing: Vec::new(),
            in_wait: operation == Operation::Wait
                || stack.frames[..inner]
                    .iter()
                    .any(|f| self.program.is_object_wait(f.method)),
            whole: !stack.cut,
            inner: inner as u32,
        };
        for (index, &frame) in stack.frames.iter().enumerate().skip(inner) {
            chain.whole &= self.is_read(frame.method) || self.is_platform(frame.method);
            for region in around(&self.program, frame) {
                let is_own = own.contains(&region) && (inner > 0 || index == 0);
                if !is_own && !self.is_safe(&region) {
                    let standing = self.standing(&stack.frames[index..], index as u32, region);
                    chain.standing.push(standing);
                }
            }
        }
        chain.standing.reverse();
        for index in 1..chain.standing.len() {
            let (outer, inner) = chain.standing.split_at_mut(index);
            let node = inner[0].node;
            inner[0].again = outer.iter().any(|o| self.may_be_same(o.node, node));
        }
        if stack.cut {
            self.cut.insert(id);
        }
        chain
    }

    /// Whether a method's code is known, or has none to know.
    fn is_read(&mut self, id: MethodId) -> bool {
        const NATIVE: u32 = 0x0100;
        let native = self
            .program
            .method(id)
            .is_some_and(|m| m.flags & NATIVE != 0);
        let read = native || self.program.nesting(id).is_some() || self.is_glue(id);
        if !read {
            self.unread.insert(id);
        }
        read
    }

    /// Classes of the platform: of those only what is near a lock is recorded.
    fn is_platform(&self, id: MethodId) -> bool {
        let class = self.program.method(id).map(|m| m.class);
        let class = class.and_then(|id| self.collected.catalog.classes.get(&id));
        class.is_some_and(|c| c.loader.is_none())
    }

    /// The JVM's own way into the program, of which no code is recorded: the classes that start
    /// threads, and those made at run time for lambdas and the like.
    fn is_glue(&self, id: MethodId) -> bool {
        let class = self
            .program
            .method(id)
            .map(|m| self.program.catalog.class_name(m.class));
        class.is_some_and(|name| name.starts_with("java.lang.") || stable_class(&name) != name)
    }

    /// The regions of the lock that is waited on: given up by the wait.
    fn levels(&mut self, stack: &StackDef, lock: LockId) -> Vec<Region> {
        let def = self.collected.catalog.locks.get(&lock);
        let shape = LockShape {
            class: def.map(|d| d.class),
            object: def.map_or(&LockObject::Plain, |d| &d.object),
        };
        let place = locate(&self.program, &mut self.table, Some(stack), shape);
        let levels = place.levels.iter().filter_map(|&id| self.table.get(id));
        levels.cloned().collect()
    }

    fn is_safe(&self, region: &Region) -> bool {
        let mut table = RegionTable::default();
        let group = Group {
            classes: [ClassKey::Lost(LockId(0))].into(),
            regions: [table.intern(region.clone())].into(),
            ..Group::default()
        };
        self.collected.recording.options.hide_safe
            && known_safe(&self.program, &table, &group).is_some()
    }

    fn standing(&mut self, frames: &[Frame], frame: u32, region: Region) -> Standing {
        let bci = match region.place {
            RegionPlace::Block { bci, .. } => Some(bci),
            RegionPlace::Method | RegionPlace::Unknown { .. } => None,
        };
        let (key, object) = self.key(frames, region);
        Standing {
            node: self.intern(key),
            object,
            again: false,
            frame,
            bci,
        }
    }

    fn key(&self, frames: &[Frame], region: Region) -> (NodeKey, Option<LockId>) {
        let of_object = |lock: LockId| Some((self.nodes[self.node_of(lock)?].clone(), Some(lock)));
        match fixed_subject(&self.program, frames, &region) {
            Some(Subject::Class(name)) => {
                if let Some(class) = self.program.hierarchy.resolve(region.class, &name) {
                    let lock = self.mirrors.get(&class).copied();
                    return lock
                        .and_then(of_object)
                        .unwrap_or((NodeKey::Mirror(class), lock));
                }
            }
            Some(Subject::Static(field)) => {
                if let Some(known) = self.fields.object(&field).and_then(of_object) {
                    return known;
                }
            }
            _ => {}
        }
        match self.locks_of.get(&region).map_or(&[][..], Vec::as_slice) {
            &[only] => (NodeKey::Lock(only), None),
            [] => (self.unmapped(frames, region), None),
            several => (NodeKey::Region(region, several.to_vec()), None),
        }
    }

    /// The node of a region that no logical lock has.
    fn unmapped(&self, frames: &[Frame], region: Region) -> NodeKey {
        match (
            fixed_subject(&self.program, frames, &region),
            self.program.subject(&region),
        ) {
            (Some(Subject::Static(field)), _) => NodeKey::Static(field),
            (_, Subject::This) => NodeKey::This(region.class),
            _ => NodeKey::Region(region, Vec::new()),
        }
    }

    /// Whether regions of these nodes can be on one object, so that the inner one may be a second
    /// entry and no nesting.
    pub(super) fn may_be_same(&self, a: NodeIx, b: NodeIx) -> bool {
        let extends = |a, b| self.program.hierarchy.extends(a, b) == Some(true);
        let unclear = |key: &NodeKey| matches!(key, NodeKey::Region(_, locks) if locks.is_empty());
        let (first, second) = (&self.nodes[a], &self.nodes[b]);
        a == b
            || match (first, second) {
                (&NodeKey::This(a), &NodeKey::This(b)) => extends(a, b) || extends(b, a),
                (NodeKey::Region(_, a), NodeKey::Region(_, b))
                    if !a.is_empty() && !b.is_empty() =>
                {
                    a.iter().any(|lock| b.contains(lock))
                }
                (NodeKey::Region(_, locks), NodeKey::Lock(lock))
                | (NodeKey::Lock(lock), NodeKey::Region(_, locks)) => locks.contains(lock),
                _ => unclear(first) || unclear(second),
            }
    }

    fn intern(&mut self, key: NodeKey) -> NodeIx {
        if let Some(&ix) = self.known.get(&key) {
            return ix;
        }
        let ix = self.nodes.len();
        self.nodes.push(key.clone());
        self.known.insert(key, ix);
        ix
    }
}

/// The region that a frame is about to enter or has just entered.
fn entering(program: &Program<'_>, frame: Frame) -> Option<Region> {
    place::entering(program, frame).or_else(|| around(program, frame).into_iter().next())
}

fn locks_of(analysis: &Analysis) -> BTreeMap<Region, Vec<usize>> {
    let mut found: BTreeMap<Region, Vec<usize>> = BTreeMap::new();
    let locks = analysis.model.locks.iter().enumerate();
    for (ix, lock) in locks.filter(|(_, lock)| lock.sampled.is_none()) {
        for report in &lock.regions {
            if let Some(region) = analysis.regions.get(report.id) {
                found.entry(region.clone()).or_default().push(ix);
            }
        }
    }
    found
}
