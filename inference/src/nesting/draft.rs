//! Puts the graph together: nodes, edges and cycles with names and places.

use super::chart::{Chart, NodeIx, NodeKey, Span};
use super::deadlock::{Choice, Judge};
use super::gate::Gates;
use super::graph::{Cycle, CycleEdge, Edge, Fate, Graph, Limits, Node, NodeKind, Site, ThreadName};
use super::ledger::{Evidence, Ledger};
use super::order::Order;
use super::rings::{Finding, Findings, find};
use crate::analysis::Analysis;
use crate::collect::Collected;
use crate::model::Times;
use crate::region::Region;
use crate::stable_name::short_id;
use crate::stable_name::{region_name, short, stable_class};
use locklens_trace::ThreadId;
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

/// Places shown of an edge.
const SITES: usize = 8;

/// What the graph is made from.
pub(super) struct Draft<'r, 'a> {
    pub(super) collected: &'r Collected,
    pub(super) analysis: &'r Analysis,
    pub(super) chart: &'r Chart<'a>,
    pub(super) ledger: &'r Ledger,
    pub(super) order: &'r Order,
    pub(super) without_chain: u64,
    pub(super) forgotten: u64,
}

impl Draft<'_, '_> {
    pub(super) fn graph(&self) -> Graph {
        let gates = Gates::new(self.chart.nodes(), self.analysis, self.ledger);
        let judge = Judge::new(&self.ledger.dependencies, gates, self.order);
        let findings = find(&judge);
        let nodes = self.nodes();
        let (cycles, excluded) = self.cycles(&nodes, &findings);
        Graph {
            target: self.collected.target.clone(),
            exact: self.collected.recording.exact,
            edges: self.edges(&cycles),
            nodes,
            cycles,
            excluded,
            limits: self.limits(findings.bounded),
            same: findings.same,
        }
    }

    fn limits(&self, bounded: bool) -> Limits {
        Limits {
            cut_chains: self.chart.cut.len() as u64,
            unread_methods: self.chart.unread.len() as u64,
            without_chain: self.without_chain,
            forgotten: self.forgotten,
            left_out: self.ledger.left_out,
            bounded,
        }
    }

    fn nodes(&self) -> Vec<Node> {
        let locks = self.analysis.model.locks.iter().map(|lock| lock.id);
        let mut next = locks.max().unwrap_or(0);
        let mut number = move || {
            next += 1;
            next
        };
        let mut nodes: Vec<Node> = Vec::new();
        for key in self.chart.nodes() {
            let mut node = match key {
                NodeKey::Lock(ix) => self.lock(*ix),
                NodeKey::Mirror(class) => {
                    let name = self.chart.program().catalog.class_name(*class);
                    other(
                        number(),
                        format!("{}.class", short(&stable_class(&name))),
                        NodeKind::Unseen,
                    )
                }
                NodeKey::Static(field) => {
                    let name = format!("{}.{}", short(&field.class), field.name);
                    other(number(), name, NodeKind::Unseen)
                }
                NodeKey::This(class) => {
                    let name = self.chart.program().catalog.class_name(*class);
                    other(number(), short(&name), NodeKind::Unseen)
                }
                NodeKey::Region(region, several) => {
                    let ids = several.iter().map(|&ix| self.analysis.model.locks[ix].id);
                    let candidates = ids.collect();
                    other(
                        number(),
                        self.region(region),
                        NodeKind::Region { candidates },
                    )
                }
            };
            if nodes.iter().any(|known| known.name == node.name) {
                node.name = format!("{} ({})", node.name, node.id);
                node.called = format!("{} ({})", node.called, node.id);
            }
            nodes.push(node);
        }
        nodes
    }

    fn lock(&self, ix: usize) -> Node {
        let lock = &self.analysis.model.locks[ix];
        Node {
            id: lock.id,
            name: lock.name.clone(),
            called: lock.called(),
            types: lock.types.iter().map(|v| v.lock_type).collect(),
            kind: NodeKind::Lock,
            instances: lock.instances,
            blocked: lock.blocked,
            waits: lock.waits,
        }
    }

    /// Class and method of a region, with its ordinal if the method has several.
    fn region(&self, region: &Region) -> String {
        let whole = region_name(self.chart.program(), region);
        let ordinal = whole.rsplit_once('#').map(|(_, n)| n).filter(|n| *n != "0");
        let method = whole.split('(').next().unwrap_or(&whole);
        let (class, method) = method.rsplit_once('.').unwrap_or(("", method));
        let ordinal = ordinal.map_or(String::new(), |n| format!("#{n}"));
        format!("{}.{method}{ordinal}", short(class))
    }

    fn edges(&self, cycles: &[Cycle]) -> Vec<Edge> {
        let on_cycle = cycles.iter().flat_map(|cycle| &cycle.edges);
        let on_cycle: BTreeSet<_> = on_cycle.map(|e| (e.from, e.to)).collect();
        let edges = self
            .ledger
            .edges
            .iter()
            .map(|(&(from, to), evidence)| Edge {
                from,
                to,
                in_cycle: on_cycle.contains(&(from, to)),
                ..self.edge(evidence)
            });
        edges.collect()
    }

    fn edge(&self, evidence: &Evidence) -> Edge {
        let mut sites: Vec<_> = evidence.sites.iter().collect();
        sites.sort_by_key(|(place, site)| (Reverse(site.count), **place));
        let shown = sites.iter().take(SITES).map(|(place, site)| Site {
            outer: self.frames(place.0),
            inner: self.frames(place.1),
            known: site.known,
            count: site.count,
            first: site.first,
            thread: self.thread(site.thread),
        });
        let more = sites.len().saturating_sub(SITES) as u64 + u64::from(evidence.elsewhere > 0);
        Edge {
            from: 0,
            to: 0,
            count: evidence.count,
            threads: evidence.threads.iter().map(|&t| self.thread(t)).collect(),
            known: evidence.known(),
            sites: shown.collect(),
            more_sites: more,
            first: evidence.first,
            in_cycle: false,
        }
    }

    fn thread(&self, id: ThreadId) -> ThreadName {
        let catalog = &self.collected.catalog;
        ThreadName {
            name: catalog.thread_name(id),
            tid: catalog.threads.get(&id).map(|t| t.tid),
        }
    }

    /// The frames of a place, innermost first, as `Class.method:line`.
    fn frames(&self, span: Span) -> Vec<String> {
        let catalog = &self.collected.catalog;
        let stack = span.stack.and_then(|id| catalog.stacks.get(&id));
        let frames = stack.map_or(&[][..], |s| {
            s.frames.get(span.from as usize..).unwrap_or(&[])
        });
        let place = |(index, frame): (usize, &locklens_trace::record::Frame)| {
            let Some(method) = catalog.methods.get(&frame.method) else {
                return format!("<method {}>", frame.method.0);
            };
            let bci = span.bci.filter(|_| index == 0).or(frame.bci);
            let line = bci.and_then(|bci| method.line_at(bci));
            let line = line.map_or(String::new(), |line| format!(":{line}"));
            format!("{}.{}{line}", catalog.class_name(method.class), method.name)
        };
        frames.iter().enumerate().map(place).collect()
    }

    /// What stands and what is excluded, each in order of weight.
    fn cycles(&self, nodes: &[Node], findings: &Findings) -> (Vec<Cycle>, Vec<Cycle>) {
        let cycles = findings.cycles.iter().map(|f| self.cycle(nodes, f));
        let mut all: Vec<Cycle> = cycles.collect();
        all.sort_by(|a, b| weight(a).cmp(&weight(b)));
        make_unique(&mut all);
        all.into_iter().partition(|cycle| cycle.fate.stands())
    }

    fn cycle(&self, nodes: &[Node], finding: &Finding) -> Cycle {
        let mut cycle = finding.nodes.clone();
        let mut edges: Vec<CycleEdge> = self.cycle_edges(&finding.choices);
        // From the node that comes first by name, so that order and id are the same everywhere.
        let name = |ix: &NodeIx| nodes[*ix].name.as_str();
        let rotations = (0..cycle.len()).min_by_key(|&by| {
            let rotated = cycle[by..].iter().chain(&cycle[..by]);
            rotated.map(name).collect::<Vec<_>>()
        });
        let by = rotations.unwrap_or(0);
        cycle.rotate_left(by);
        edges.rotate_left(by);
        Cycle {
            judged: Vec::new(),
            id: short_id('C', cycle.iter().map(name)),
            nodes: cycle,
            edges,
            fate: finding.fate.clone(),
            objects: finding.objects,
        }
    }

    fn cycle_edges(&self, choices: &[Choice]) -> Vec<CycleEdge> {
        let edge = |choice: &Choice| {
            let dependency = &self.ledger.dependencies[choice.dependency];
            let hold = &dependency.holds[choice.hold];
            CycleEdge {
                from: hold.node,
                to: dependency.to,
                thread: self.thread(dependency.thread),
                known: hold.known,
                outer: self.frames(hold.span),
                inner: self.frames(dependency.span),
                first: dependency.first,
                count: dependency.count,
                holds: hold.object.map(|lock| lock.0),
                wants: dependency.object.map(|lock| lock.0),
                after_wait: dependency.wait,
                blocked_at_end: dependency.open.is_some(),
            }
        };
        choices.iter().map(edge).collect()
    }
}

/// What happened, then the best founded, then the shortest.
fn weight(cycle: &Cycle) -> (bool, super::graph::Objects, usize, &str) {
    let open = cycle.fate != Fate::Happened;
    (open, cycle.objects, cycle.edges.len(), &cycle.id)
}

/// A node that is no logical lock.
fn other(id: u32, name: String, kind: NodeKind) -> Node {
    Node {
        id,
        called: name.clone(),
        name,
        types: Vec::new(),
        kind,
        instances: 0,
        blocked: Times::default(),
        waits: Times::default(),
    }
}

/// Several deadlocks over the same locks get a number each behind the id they share.
fn make_unique(cycles: &mut [Cycle]) {
    let mut seen: BTreeMap<String, u32> = BTreeMap::new();
    for cycle in cycles {
        let times = seen.entry(cycle.id.clone()).or_default();
        *times += 1;
        if *times > 1 {
            cycle.id = format!("{}-{times}", cycle.id);
        }
    }
}
