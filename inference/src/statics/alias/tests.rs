use crate::fixtures::{Build, SYNCHRONIZED, dup, leave, load, store, virtual_ref};
use crate::model::Options;
use crate::region::{RegionId, RegionTable};
use crate::statics::survey;
use locklens_trace::code::{Cond, InvokeKind, Op};
use locklens_trace::{ClassId, LoaderId};
use std::collections::BTreeSet;

#[test]
fn copies_of_a_class_share_no_lock() {
    let mut build = Build::default();
    let copy = |build: &mut Build, loader| {
        let class = build.class_in(Some(LoaderId(loader)), "app.Cell", "java.lang.Object");
        build.coded(class, "run", SYNCHRONIZED, vec![leave()]);
        build.coded(class, "wake", SYNCHRONIZED, vec![leave()]);
        class
    };
    let classes = [1, 2, 3].map(|loader| copy(&mut build, loader));
    let mut table = RegionTable::default();
    let model = survey(&build.catalog, &mut table, &Options::default());
    let of = |class: ClassId| -> BTreeSet<RegionId> {
        let own = table.iter().filter(|(_, region)| region.class == class);
        own.map(|(id, _)| id).collect()
    };
    for class in classes {
        let seen: BTreeSet<_> = of(class).into_iter().take(1).collect();
        assert_eq!(model.same_lock(&seen, &[class]), of(class));
        assert_eq!(of(class).len(), 2);
    }
}

/// How a method fills two fields.
enum Fill {
    Both,
    Each,
    Either,
}

/// Whether what locks one field of a class locks the other, too, when a method fills both with one node, each with
/// its own, or one of them.
fn is_one_lock(fill: Fill) -> bool {
    let node = "app.Node";
    let mut build = Build::default();
    let class = build.class("app.Line", "java.lang.Object");
    build.class(node, "java.lang.Object");
    let of_line = |name: &str| virtual_ref("app.Line", name, "Lapp/Node;");
    let init = Op::Invoke {
        kind: InvokeKind::Special,
        method: virtual_ref(node, "<init>", "()V"),
    };
    let make = || [Op::New(node.to_owned()), dup(), init.clone(), store(1)];
    let keep = |name: &str| [load(0), load(1), Op::PutField(of_line(name))];
    let between = match fill {
        Fill::Both => Vec::new(),
        Fill::Each => make().to_vec(),
        Fill::Either => vec![leave()],
    };
    let mut ops = make().to_vec();
    if let Fill::Either = fill {
        let cond = Cond::Eq;
        ops.extend([load(2), Op::If { cond, target: 10 }]);
    }
    ops.extend(keep("last").into_iter().chain(between).chain(keep("own")));
    ops.push(leave());
    build.coded(class, "fill", 0, ops);
    for name in ["last", "own"] {
        let lock = [load(0), Op::GetField(of_line(name)), dup(), store(1)];
        let rest = [Op::MonitorEnter, load(1), Op::MonitorExit, leave()];
        build.coded(class, name, 0, lock.into_iter().chain(rest).collect());
    }
    let mut table = RegionTable::default();
    let model = survey(&build.catalog, &mut table, &Options::default());
    let all: BTreeSet<_> = table.iter().map(|(id, _)| id).collect();
    assert_eq!(all.len(), 2);
    let first: BTreeSet<_> = all.iter().copied().take(1).collect();
    model.same_lock(&first, &[]) == all
}

#[test]
fn fields_filled_with_the_same_object_are_one_lock() {
    assert!(is_one_lock(Fill::Both));
    assert!(!is_one_lock(Fill::Each));
    assert!(!is_one_lock(Fill::Either));
}
