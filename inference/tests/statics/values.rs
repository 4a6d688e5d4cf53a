//! What the sandbox computes with texts, numbers of floating point and functions: the same as a JVM,
//! or nothing.

use crate::subjects::{Program, compile_one};
use locklens_inference::catalog::Catalog;
use locklens_inference::trial::bench::{Bench, Outcome, Returned};
use locklens_inference::trial::machine::{Machine, benches};
use locklens_trace::code::Op;
use std::collections::BTreeMap;

/// What a JVM prints for these methods, each called first on a new object.
const EXPECTED: [(&str, &str, i64); 14] = [
    ("Values$Texts", "equal", 15),
    ("Values$Texts", "put", 77),
    ("Values$Texts", "hash", -250),
    ("Values$Texts", "choose", 11_111),
    ("Values$Texts", "parts", -1_443),
    ("Values$Texts", "names", 4),
    ("Values$Reals", "drip", 1_375),
    ("Values$Reals", "nothing", 4),
    ("Values$Reals", "rounded", -7_268),
    ("Values$Reals", "sums", 5),
    ("Values$Functions", "lambdas", 24),
    ("Values$Functions", "references", 6_911),
    ("Values$Functions", "adapted", 520),
    ("Values$Functions", "composed", 3),
];

fn program() -> Program {
    compile_one("tests/trials/Values.java")
}

/// The first bench of a class.
fn bench_of<'a>(program: &'a Program, class: &str) -> Option<Machine<'a>> {
    let classes = program.catalog.classes.values();
    let lock: Vec<_> = classes.filter(|c| c.name == class).map(|c| c.id).collect();
    let regions = program.regions.iter();
    let seen = regions.filter(|(_, r)| lock.contains(&r.class));
    let seen = seen.map(|r| r.0).collect();
    benches(&program.model, &seen, &lock).into_iter().next()
}

/// What the methods return, by class and name; those that cannot be executed are missing.
fn results(program: &Program) -> BTreeMap<(&str, &str), i64> {
    let mut found = BTreeMap::new();
    for (class, method, _) in EXPECTED {
        let Some(bench) = bench_of(program, class) else {
            continue;
        };
        let name = format!("{}.{method}()", class.trim_start_matches("Values$"));
        let at = bench.operations().iter().position(|o| o.name == name);
        let own = at.map(|at| bench.clone().call(0, at, 0).own);
        if let Some(Outcome::Passed(Returned::Number(result))) = own {
            found.insert((class, method), result);
        }
    }
    found
}

#[test]
fn what_is_computed_is_what_a_jvm_computes() {
    let program = program();
    let expected: BTreeMap<_, _> = EXPECTED.iter().map(|&(c, m, n)| ((c, m), n)).collect();
    assert_eq!(results(&program), expected);
}

/// The code as it was recorded before constants and call sites were.
fn without_constants(catalog: &Catalog) -> Catalog {
    let mut out = catalog.clone();
    for code in out.code.values_mut() {
        code.sites.clear();
        for insn in &mut code.insns {
            match &mut insn.op {
                Op::Text(_) => insn.op = Op::Literal { wide: false },
                Op::Real { wide, .. } => insn.op = Op::Literal { wide: *wide },
                Op::Convert { how, .. } => *how = None,
                Op::Compare { unordered, .. } => *unordered = None,
                _ => {}
            }
        }
    }
    out
}

#[test]
fn what_was_not_recorded_is_not_made_up() {
    let program = program();
    let old = program.renamed(without_constants(&program.catalog));
    let found = results(&old);
    for (class, method, expected) in EXPECTED {
        let result = found.get(&(class, method)).copied();
        assert!(result.is_none_or(|r| r == expected), "{method}: {result:?}");
    }
    assert!(found.len() < EXPECTED.len() / 2, "{found:?}");
}
