//! Blocks that are left by an exception.

use super::place::{LockShape, locate};
use super::tests::{held, one_method};
use super::{RegionPlace, RegionTable};
use crate::fixtures::{Build, call, dup, leave, load, store};
use crate::program::Program;
use locklens_trace::MethodId;
use locklens_trace::code::{Handler, Op};
use locklens_trace::record::LockObject;

/// `synchronized (a) { try { synchronized (b) { throw } } catch (…) { a.notify() } }`, with its handlers known.
fn thrown_through_a_block() -> (Build, MethodId) {
    let handler = |start, end, target| Handler {
        start,
        end,
        target,
        catches: None,
    };
    let mut ops = vec![load(0), dup(), store(2), Op::MonitorEnter];
    ops.extend([load(1), dup(), store(3), Op::MonitorEnter]);
    ops.extend([Op::New("app.Failure".into()), Op::Throw]);
    // 10: cleanup of b
    ops.extend([store(4), load(3), Op::MonitorExit, load(4), Op::Throw]);
    // 15: the catch block
    ops.extend([
        store(5),
        load(0),
        call("java.lang.Object", "notify"),
        load(2),
        Op::MonitorExit,
        leave(),
    ]);
    // 21: cleanup of a
    ops.extend([store(6), load(2), Op::MonitorExit, load(6), Op::Throw]);
    let (mut b, m) = one_method(0, ops);
    b.catalog.code.get_mut(&m).unwrap().handlers = Some(vec![
        handler(8, 13, 10),
        handler(4, 15, 15),
        handler(4, 20, 21),
        handler(21, 24, 21),
    ]);
    (b, m)
}

#[test]
fn a_block_left_by_an_exception_ends_no_other_one() {
    let (b, m) = thrown_through_a_block();
    let held = held(&Program::of(&b.catalog), m);
    assert_eq!(held[9], [0, 1]);
    assert_eq!(
        (&held[12][..], &held[14][..]),
        (&[0][..], &[0][..]),
        "its cleanup"
    );
    assert_eq!(held[17], [0], "the catch block");
    assert!(held[20].is_empty() && held[24].is_empty());
}

#[test]
fn an_exit_is_of_the_block_it_ends() {
    let (mut b, m) = thrown_through_a_block();
    let exits = [(12, 7, 1), (19, 3, 0), (23, 3, 0)];
    let exits = exits.map(|(bci, enter, ordinal)| (b.stack(&[(m, bci)]), enter, ordinal));
    let p = Program::of(&b.catalog);
    let mut table = RegionTable::default();
    let lock = LockShape {
        class: None,
        object: &LockObject::Plain,
    };
    for (stack, enter, ordinal) in exits {
        let place = locate(&p, &mut table, b.catalog.stacks.get(&stack), lock);
        let place = table.get(place.outermost()).unwrap().place;
        assert_eq!(
            place,
            RegionPlace::Block {
                bci: enter,
                ordinal
            }
        );
    }
}
