//! Fresh locks made from compiled code: what blocks, what passes, and how many of the locks of
//! `testapps` can be executed at all.

use crate::subjects::{
    Program, Subject, compile, compile_one, java_files, lock_classes, region_name, regions,
};
use locklens_inference::trial::bench::{Bench, Outcome};
use locklens_inference::trial::bench::{Reaction, Returned};
use locklens_inference::trial::machine::{Machine, benches};
use std::collections::{BTreeMap, BTreeSet};

/// Calls of one random walk.
const WALK: u32 = 40;
const THREADS: usize = 4;

/// Numbers that are the same in every run.
pub(crate) struct Numbers(pub(crate) u64);

impl Numbers {
    pub(crate) fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % limit as u64) as usize
    }
}

/// Why operations got stuck on random walks, with how often.
#[derive(Default)]
struct Walked {
    stuck: BTreeMap<String, u32>,
    calls: u32,
    instructions: u64,
}

fn walk(bench: &Machine<'_>, seed: u64, walked: &mut Walked) {
    let mut machine = bench.clone();
    let mut numbers = Numbers(seed);
    let mut busy = [None; THREADS];
    for token in 0..WALK {
        let thread = numbers.below(THREADS);
        let reaction = match busy[thread] {
            None => machine.call(thread, numbers.below(machine.operations().len()), token),
            Some(true) => machine.expire(thread),
            Some(false) => continue,
        };
        walked.calls += 1;
        busy[thread] = match reaction.own {
            Outcome::Waits { timed } => Some(timed),
            _ => None,
        };
        for (other, _) in &reaction.others {
            busy[*other] = None;
        }
        if let Some(why) = machine.why() {
            *walked.stuck.entry(why.to_owned()).or_default() += 1;
            break;
        }
    }
    walked.instructions += machine.cost() - bench.cost();
}

/// What can be executed of one lock.
fn describe(program: &Program, subject: &Subject) -> (bool, String) {
    let (regions, classes) = (regions(program, subject), lock_classes(program, subject));
    let began = std::time::Instant::now();
    let found = benches(&program.model, &regions, &classes);
    let made = began.elapsed().as_micros();
    let mut text = format!(
        "{} {} ({}): {} benches in {made} us\n",
        subject.file,
        subject.lock,
        subject.lock_type,
        found.len()
    );
    let Some(bench) = found.first() else {
        return (false, text);
    };
    let mut walked = Walked::default();
    let began = std::time::Instant::now();
    for seed in 1..=10 {
        walk(bench, seed * 0x9E37_79B9, &mut walked);
    }
    let micros = began.elapsed().as_micros();
    text += &format!(
        "    {} calls, {} instructions in {micros} us\n",
        walked.calls, walked.instructions
    );
    for operation in bench.operations() {
        text += &format!("    {}\n", operation.name);
    }
    for region in bench.uncovered() {
        text += &format!("  UNCOVERED {}\n", region_name(program, region));
    }
    for (operation, why) in bench.left_out() {
        text += &format!("  LEFT OUT {operation}: {why}\n");
    }
    for (why, times) in &walked.stuck {
        text += &format!("  STUCK {times} of 10 walks: {why}\n");
    }
    (
        bench.uncovered().is_empty() && walked.stuck.is_empty(),
        text,
    )
}

/// Every lock of `testapps` whose regions are known. Printed in full with
/// `cargo test -p locklens-inference --test statics -- --nocapture sweep`.
#[test]
#[expect(clippy::print_stdout, reason = "the measurement is what it prints")]
fn sweep_of_locks_that_can_be_executed() {
    let (second, first): (Vec<_>, Vec<_>) = java_files("../testapps")
        .into_iter()
        .filter(|f| crate::is_subject(f))
        .partition(|f| f.parent().is_some_and(|p| p.ends_with("second")));
    for files in [first, second] {
        let program = compile(&files);
        let (mut all, mut whole) = (0, 0);
        for subject in &program.subjects {
            let (executed, text) = describe(&program, subject);
            all += 1;
            whole += u32::from(executed);
            println!("{} {text}", if executed { "ok" } else { "NO" });
        }
        println!("{whole} of {all} locks are executed whole");
        assert!(whole * 10 >= all * 9, "nearly all locks can be executed");
    }
}

/// The first bench of the lock that a class or its inner classes are.
fn bench_of<'a>(program: &'a Program, class: &str) -> Machine<'a> {
    let inside = format!("{class}$");
    bench_with(program, class, |name| {
        name == class || name.starts_with(&inside)
    })
}

/// … or of one with the regions of these classes.
fn bench_with<'a>(program: &'a Program, class: &str, own: impl Fn(&str) -> bool) -> Machine<'a> {
    let classes = program.catalog.classes.values();
    let lock: Vec<_> = classes.filter(|c| c.name == class).map(|c| c.id).collect();
    let regions = program.regions.iter();
    let seen = regions.filter(|(_, r)| own(&program.catalog.class_name(r.class)));
    let seen: BTreeSet<_> = seen.map(|r| r.0).collect();
    assert!(!seen.is_empty(), "no regions of {class}");
    let mut found = benches(&program.model, &seen, &lock);
    assert!(!found.is_empty(), "no bench of {class}");
    found.remove(0)
}

/// Calls an operation by its name.
fn call(machine: &mut Machine<'_>, thread: usize, name: &str) -> Reaction {
    call_with(machine, thread, name, 0)
}

fn call_with(machine: &mut Machine<'_>, thread: usize, name: &str, token: u32) -> Reaction {
    let all = machine.operations();
    let at = all.iter().position(|o| o.name == name);
    let names: Vec<_> = all.iter().map(|o| &o.name).collect();
    let at = at.unwrap_or_else(|| panic!("no {name} in {names:?}"));
    machine.call(thread, at, token)
}

const PASSED: Outcome = Outcome::Passed(Returned::Nothing);
const WAITS: Outcome = Outcome::Waits { timed: false };

/// What the calls came to, each with the threads that went on because of it.
fn outcomes(machine: &mut Machine<'_>, calls: &[(usize, &str)]) -> Vec<(Outcome, Vec<usize>)> {
    let one = |&(thread, name): &(usize, &str)| {
        let reaction = call(machine, thread, name);
        let others = reaction.others.into_iter().map(|o| o.0).collect();
        (reaction.own, others)
    };
    calls.iter().map(one).collect()
}

#[test]
fn permits_are_counted_and_time_limits_pass() {
    let program = compile_one("tests/trials/Locks.java");
    let mut machine = bench_of(&program, "Locks$Counting");
    let calls = [
        (0, "Counting.a()"),
        (1, "Counting.a()"),
        (2, "Counting.a()"),
        (0, "Counting.c()"),
    ];
    let seen = outcomes(&mut machine, &calls);
    let expected = [
        (PASSED, vec![]),
        (PASSED, vec![]),
        (WAITS, vec![]),
        (PASSED, vec![2]),
    ];
    assert_eq!(seen, expected);
    let limited = call(&mut machine, 1, "Counting.b(1000000)").own;
    assert_eq!(limited, Outcome::Waits { timed: true });
    assert_eq!(machine.expire(1).own, Outcome::Passed(Returned::Number(0)));
}

#[test]
fn an_owner_enters_again_and_only_it_leaves() {
    let program = compile_one("tests/trials/Locks.java");
    let mut machine = bench_of(&program, "Locks$Owned");
    let calls = [
        (0, "Owned.in()"),
        (0, "Owned.in()"),
        (1, "Owned.out()"),
        (1, "Owned.in()"),
        (0, "Owned.out()"),
        (0, "Owned.out()"),
    ];
    let expected = [
        (PASSED, vec![]),
        (PASSED, vec![]),
        (Outcome::Threw, vec![]),
        (WAITS, vec![]),
        (PASSED, vec![]),
        (PASSED, vec![1]),
    ];
    assert_eq!(outcomes(&mut machine, &calls), expected);
}

/// What a class overrides nobody can call on its objects but that class.
#[test]
fn what_is_overridden_is_no_operation() {
    let program = compile_one("tests/trials/Locks.java");
    let both = ["Locks$Plain", "Locks$Checked"];
    let mut machine = bench_with(&program, "Locks$Checked", |name| both.contains(&name));
    let operations = machine.operations().iter();
    let named: BTreeMap<_, _> = operations
        .map(|o| (o.name.as_str(), o.regions.len()))
        .collect();
    let expected = BTreeMap::from([("Checked.in()", 2), ("Checked.out()", 2)]);
    assert_eq!(named, expected);
    let calls = [
        (1, "Checked.out()"),
        (0, "Checked.in()"),
        (1, "Checked.in()"),
        (0, "Checked.out()"),
    ];
    let expected = [
        (PASSED, vec![]),
        (PASSED, vec![]),
        (WAITS, vec![]),
        (PASSED, vec![1]),
    ];
    assert_eq!(outcomes(&mut machine, &calls), expected);
}

fn shares(machine: &mut Machine<'_>, [r, s, w, x]: [&str; 4]) {
    let calls = [
        (0, r),
        (1, r),
        (2, w),
        (0, s),
        (1, s),
        (0, r),
        (1, w),
        (2, x),
    ];
    let seen = outcomes(machine, &calls);
    let passed: Vec<_> = seen.iter().map(|o| o.0 == PASSED).collect();
    assert_eq!(
        passed,
        [true, true, false, true, true, false, false, true],
        "{seen:?}"
    );
    assert_eq!(seen[4].1, [2], "the last reader lets the writer in");
    assert_eq!(
        seen[7].1,
        [0],
        "the writer lets the reader in who has waited longest"
    );
}

#[test]
fn readers_share_whatever_keeps_count_of_them() {
    let program = compile_one("tests/trials/Locks.java");
    let packed = ["Packed.r()", "Packed.s()", "Packed.w()", "Packed.x()"];
    shares(&mut bench_of(&program, "Locks$Packed"), packed);
    let inner = [
        "Reading.lock()",
        "Reading.unlock()",
        "Writing.lock()",
        "Writing.unlock()",
    ];
    shares(&mut bench_of(&program, "Locks$Outer"), inner);
}

#[test]
fn buffers_hand_on_what_was_put_in_in_order() {
    let program = compile_one("tests/trials/Locks.java");
    for (class, name) in [("Locks$ListBuffer", "ListBuffer"), ("Locks$Ring", "Ring")] {
        let mut machine = bench_of(&program, class);
        let (put, take) = (format!("{name}.put(new object)"), format!("{name}.take()"));
        assert_eq!(call(&mut machine, 0, &take).own, WAITS);
        let first = call_with(&mut machine, 1, &put, 7);
        assert_eq!(first.others, [(0, Outcome::Passed(Returned::Token(7)))]);
        let fills: Vec<_> = (8..11)
            .map(|token| call_with(&mut machine, 1, &put, token).own)
            .collect();
        assert_eq!(fills, [PASSED, PASSED, WAITS], "{name}");
        let taken = call(&mut machine, 2, &take);
        assert_eq!(taken.own, Outcome::Passed(Returned::Token(8)));
        assert_eq!(taken.others, [(1, PASSED)]);
    }
}

#[test]
fn the_last_party_opens_a_barrier_and_it_closes_again() {
    let program = compile_one("tests/trials/Locks.java");
    let classes = benches_with(&program, "Locks$Meeting", 3);
    let mut machine = classes.expect("a bench for three");
    for _ in 0..2 {
        let calls = [
            (0, "Meeting.meet()"),
            (1, "Meeting.meet()"),
            (2, "Meeting.meet()"),
        ];
        let seen = outcomes(&mut machine, &calls);
        assert_eq!(seen[0].0, WAITS);
        assert_eq!(seen[1].0, WAITS);
        assert_eq!(seen[2], (Outcome::Passed(Returned::Number(2)), vec![0, 1]));
    }
}

/// The bench on which so many calls of the first operation are needed to pass.
fn benches_with<'a>(program: &'a Program, class: &str, calls: usize) -> Option<Machine<'a>> {
    let lock = program.catalog.classes.values().filter(|c| c.name == class);
    let lock: Vec<_> = lock.map(|c| c.id).collect();
    let regions = program
        .regions
        .iter()
        .filter(|(_, r)| lock.contains(&r.class));
    let seen = regions.map(|r| r.0).collect();
    let mut all = benches(&program.model, &seen, &lock).into_iter();
    all.find(|bench| {
        let mut machine = bench.clone();
        (0..calls).all(|t| (machine.call(t, 0, 0).own == WAITS) == (t + 1 < calls))
    })
}

#[test]
fn a_latch_over_a_set_opens_once() {
    let program = compile_one("tests/trials/Locks.java");
    let mut machine = bench_of(&program, "Locks$Roll");
    let calls = [
        (0, "Roll.all()"),
        (1, "Roll.tick(1)"),
        (1, "Roll.tick(1)"),
        (1, "Roll.tick(0)"),
        (0, "Roll.all()"),
    ];
    let expected = [
        (WAITS, vec![]),
        (PASSED, vec![]),
        (PASSED, vec![]),
        (PASSED, vec![0]),
        (PASSED, vec![]),
    ];
    assert_eq!(outcomes(&mut machine, &calls), expected);
}

#[test]
fn modes_that_are_constants_of_an_enum_are_switched_on() {
    let program = compile_one("../testapps/second/Wc.java");
    let machine = bench_of(&program, "Wc$b");
    let modes: Vec<_> = machine
        .operations()
        .iter()
        .map(|o| o.name.clone())
        .filter(|n| n.contains("object"))
        .collect();
    assert_eq!(modes.len(), 3);
    // The mode in which it begins comes last.
    let (shared, alone) = (&modes[0], &modes[1]);
    let mut machine = machine;
    let calls = [
        (0, shared.as_str()),
        (1, shared),
        (2, alone),
        (0, "b.e()"),
        (1, "b.e()"),
        (0, shared),
    ];
    let seen = outcomes(&mut machine, &calls);
    let passed: Vec<_> = seen.iter().map(|o| o.0 == PASSED).collect();
    assert_eq!(passed, [true, true, false, true, true, false]);
    assert_eq!(seen[4].1, [2]);
}

#[test]
fn a_queue_of_nodes_is_first_in_first_out() {
    let program = compile_one("../testapps/second/GalleryVisits.java");
    let mut machine = bench_of(&program, "GalleryVisits$FifoRwLock");
    let (read, write, unlock) = (
        "FifoRwLock.lockRead()",
        "FifoRwLock.lockWrite()",
        "FifoRwLock.unlock()",
    );
    let calls = [
        (0, read),
        (1, write),
        (2, read),
        (0, unlock),
        (1, unlock),
        (3, unlock),
    ];
    let expected = [
        (PASSED, vec![]),
        (WAITS, vec![]),
        (WAITS, vec![]),
        (PASSED, vec![1]),
        (PASSED, vec![2]),
        (Outcome::Threw, vec![]),
    ];
    assert_eq!(outcomes(&mut machine, &calls), expected);
}

#[test]
fn a_lock_of_several_monitors_is_called_as_one() {
    let program = compile_one("../testapps/composite/BarberShop.java");
    let mut machine = bench_of(&program, "BarberShop$a");
    let regions: BTreeSet<_> = machine
        .operations()
        .iter()
        .map(|o| o.regions.len())
        .collect();
    assert_eq!(
        regions,
        BTreeSet::from([2]),
        "two monitors in each operation"
    );
    let calls = [
        (0, "a.c()"),
        (1, "a.c()"),
        (2, "a.c()"),
        (0, "a.d()"),
        (0, "a.d()"),
        (1, "a.d()"),
    ];
    let expected = [
        (PASSED, vec![]),
        (WAITS, vec![]),
        (WAITS, vec![]),
        (PASSED, vec![1]),
        (Outcome::Threw, vec![]),
        (PASSED, vec![2]),
    ];
    assert_eq!(outcomes(&mut machine, &calls), expected);
}
