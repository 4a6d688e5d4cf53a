//! Composite locks and what must not be taken for one.

use super::*;
use crate::fixtures::{Build, SYNCHRONIZED, call, dup, field, leave, load, store, virtual_ref};
use crate::region::{Region, RegionPlace};
use locklens_trace::ClassId;
use locklens_trace::MethodId;
use locklens_trace::code::{InvokeKind, Op};

fn object(name: &str) -> Op {
    call("java.lang.Object", name)
}

/// `synchronized (slot object) { body }` without its cleanup handler, which no rule here needs.
fn block(object: Vec<Op>, slot: u16, body: Vec<Op>) -> Vec<Op> {
    let mut ops = object;
    ops.extend([dup(), store(slot), Op::MonitorEnter]);
    ops.extend(body);
    ops.extend([load(slot), Op::MonitorExit]);
    ops
}

fn on_field(name: &str, operation: &str) -> Vec<Op> {
    vec![load(0), field("app.Buffer", name), object(operation)]
}

fn kinds(b: &Build, monitors: &[Vec<Region>]) -> Vec<Kind> {
    let program = Program::of(&b.catalog);
    let mut table = RegionTable::default();
    let monitors: Vec<BTreeSet<RegionId>> = monitors
        .iter()
        .map(|regions| regions.iter().map(|r| table.intern(r.clone())).collect())
        .collect();
    let mut effects = EffectTable::new(&program, 6);
    let couplings = couplings(&program, &table, &mut effects, &monitors);
    couplings.found.into_iter().map(|c| c.kind).collect()
}

/// The nth block of a method.
fn nth(b: &Build, method: MethodId, ordinal: u16) -> Region {
    let program = Program::of(&b.catalog);
    let bci = program.nesting(method).unwrap().monitors[usize::from(ordinal)].bci;
    let class = b.catalog.methods[&method].class;
    Region {
        method,
        class,
        place: RegionPlace::Block { bci, ordinal },
    }
}

fn whole(b: &Build, method: MethodId) -> Region {
    Program::method_region(&b.catalog.methods[&method])
}

fn buffer() -> (Build, ClassId) {
    let mut b = Build::default();
    let class = b.class("app.Buffer", "java.lang.Object");
    (b, class)
}

fn two_blocks(first: &str, does: &str, second: &str, then: &str) -> Vec<Op> {
    let read = |name: &str| vec![load(0), field("app.Buffer", name)];
    let mut ops = block(read(first), 1, on_field(first, does));
    ops.extend(block(read(second), 2, on_field(second, then)));
    ops.push(leave());
    ops
}

#[test]
fn two_ends_of_a_buffer_are_one_lock() {
    let (mut b, class) = buffer();
    let put = b.coded(
        class,
        "put",
        0,
        two_blocks("room", "wait", "stock", "notify"),
    );
    let take = b.coded(
        class,
        "take",
        0,
        two_blocks("stock", "wait", "room", "notify"),
    );
    let monitors = [
        vec![nth(&b, put, 0), nth(&b, take, 1)],
        vec![nth(&b, put, 1), nth(&b, take, 0)],
    ];
    assert_eq!(kinds(&b, &monitors), [Kind::Crosswise]);
}

#[test]
fn a_counter_locked_beside_a_queue_is_another_lock() {
    let (mut b, class) = buffer();
    let put = b.coded(
        class,
        "put",
        0,
        two_blocks("statistics", "hashCode", "queue", "notify"),
    );
    let take = b.coded(
        class,
        "take",
        0,
        two_blocks("queue", "wait", "statistics", "hashCode"),
    );
    let monitors = [
        vec![nth(&b, put, 0), nth(&b, take, 1)],
        vec![nth(&b, put, 1), nth(&b, take, 0)],
    ];
    assert!(kinds(&b, &monitors).is_empty());
}

/// `enter() { sync (this) {..} turn = new Turn(); turn.await(); }`,
/// `leave() { sync (this) { turn = this.first; } turn.call(); }`, or got behind the block.
fn waiting_room(guard_waits: bool, got_under: bool) -> Vec<Kind> {
    let (mut b, class) = buffer();
    let turn = b.class("app.Turn", "java.lang.Object");
    let body = |name| vec![load(0), object(name), leave()];
    let wait = b.coded(turn, "await", SYNCHRONIZED, body("wait"));
    let wake = b.coded(turn, "call", SYNCHRONIZED, body("notify"));
    let under = if guard_waits {
        vec![load(0), object("wait")]
    } else {
        vec![Op::Nop]
    };
    let mut enter = block(vec![load(0)], 1, under);
    enter.extend([
        Op::New("app.Turn".into()),
        store(3),
        load(3),
        call("app.Turn", "await"),
        leave(),
    ]);
    let got = vec![load(0), field("app.Buffer", "first"), store(3)];
    let (under, behind) = match got_under {
        true => (got, Vec::new()),
        false => (vec![Op::Nop], got),
    };
    let mut exit = block(vec![load(0)], 1, under);
    exit.extend(behind);
    exit.extend([load(3), call("app.Turn", "call"), leave()]);
    let enter = b.coded(class, "enter", 0, enter);
    let exit = b.coded(class, "leave", 0, exit);
    let monitors = [
        vec![nth(&b, enter, 0), nth(&b, exit, 0)],
        vec![whole(&b, wait), whole(&b, wake)],
    ];
    kinds(&b, &monitors)
}

#[test]
fn objects_of_ones_own_to_wait_on_belong_to_their_guard() {
    assert_eq!(waiting_room(false, true), [Kind::WaitingRoom]);
}

#[test]
fn what_is_got_behind_the_guard_has_nothing_to_do_with_it() {
    assert!(waiting_room(false, false).is_empty());
}

/// `enter() { sync (this.room) { [sync (this) {..}] this.room.wait(); } }`, `leave() { sync (this) {..} sync (this.room) { this.room.notify(); } }`.
fn room_in_a_field(asks_inside: bool) -> Vec<Kind> {
    let (mut b, class) = buffer();
    let read = || vec![load(0), field("app.Buffer", "room")];
    let state = |slot| block(vec![load(0)], slot, vec![Op::Nop]);
    let (before, inside) = match asks_inside {
        true => (Vec::new(), state(2)),
        false => (state(2), Vec::new()),
    };
    let mut enter = before;
    let waits = [inside, on_field("room", "wait")].concat();
    enter.extend(block(read(), 1, waits));
    enter.push(leave());
    let mut exit = state(1);
    exit.extend(block(read(), 2, on_field("room", "notify")));
    exit.push(leave());
    let enter = b.coded(class, "enter", 0, enter);
    let exit = b.coded(class, "leave", 0, exit);
    let (room, guard) = if asks_inside { (0, 1) } else { (1, 0) };
    let monitors = [
        vec![nth(&b, enter, guard), nth(&b, exit, 0)],
        vec![nth(&b, enter, room), nth(&b, exit, 1)],
    ];
    kinds(&b, &monitors)
}

#[test]
fn a_room_in_which_the_guard_is_asked_belongs_to_it_however_it_is_got() {
    assert_eq!(room_in_a_field(true), [Kind::WaitingRoom]);
    assert!(room_in_a_field(false).is_empty());
}

#[test]
fn a_queue_and_the_future_handed_through_it_are_two_locks() {
    assert!(waiting_room(true, true).is_empty());
}

#[test]
fn state_written_under_one_monitor_and_waited_for_on_another_joins_them() {
    let link = crate::fixtures::virtual_ref("app.Node", "next", "Lapp/Node;");
    let couple = |written_under_its_own: bool| {
        let (mut b, class) = buffer();
        let write = vec![load(5), load(6), Op::PutField(link.clone())];
        let read = |name: &str| vec![load(0), field("app.Buffer", name)];
        let mut put = block(read("tail"), 1, write.clone());
        put.extend(block(read("head"), 2, on_field("head", "notify")));
        put.push(leave());
        let mut body = vec![load(5), Op::GetField(link.clone()), store(6)];
        body.extend(on_field("head", "wait"));
        if written_under_its_own {
            body.extend(write);
        }
        let mut take = block(read("head"), 1, body);
        take.push(leave());
        let put = b.coded(class, "put", 0, put);
        let take = b.coded(class, "take", 0, take);
        let monitors = [
            vec![nth(&b, put, 0)],
            vec![nth(&b, put, 1), nth(&b, take, 0)],
        ];
        kinds(&b, &monitors)
    };
    assert_eq!(couple(false), [Kind::Publication]);
    assert!(couple(true).is_empty());
}

#[test]
fn an_operation_begins_in_its_first_region() {
    let (mut b, class) = buffer();
    let put = b.coded(
        class,
        "put",
        0,
        two_blocks("room", "wait", "stock", "notify"),
    );
    let program = Program::of(&b.catalog);
    let mut table = RegionTable::default();
    let regions = [0, 1].map(|n| table.intern(nth(&b, put, n)));
    let monitors = regions.map(|r| BTreeSet::from([r]));
    let mut effects = EffectTable::new(&program, 6);
    let couplings = couplings(&program, &table, &mut effects, &monitors);
    let beginnings = couplings.beginnings(&BTreeSet::from([0, 1]));
    assert_eq!(beginnings, BTreeMap::from([(regions[1], regions[0])]));
}

/// A method that makes an object and calls one method of it after the other uses it: what they lock is not entered in one operation.
#[test]
fn who_calls_what_he_has_made_begins_nothing() {
    let (mut b, class) = buffer();
    let one = |name: &str, does: &str| {
        let read = vec![load(0), field("app.Buffer", name)];
        let mut ops = block(read, 1, on_field(name, does));
        ops.push(leave());
        ops
    };
    let take = b.coded(class, "take", 0, one("room", "wait"));
    let give = b.coded(class, "give", 0, one("stock", "notify"));
    let user = b.class("app.User", "java.lang.Object");
    let calls = ["take", "give"].map(|name| vec![load(1), call("app.Buffer", name)]);
    let mut uses = vec![Op::New("app.Buffer".into()), store(1)];
    uses.extend(calls.concat());
    uses.push(leave());
    b.coded(user, "work", 0, uses);
    let program = Program::of(&b.catalog);
    let mut table = RegionTable::default();
    let regions = [take, give].map(|method| table.intern(nth(&b, method, 0)));
    let monitors = regions.map(|r| BTreeSet::from([r]));
    let mut effects = EffectTable::new(&program, 6);
    let couplings = couplings(&program, &table, &mut effects, &monitors);
    assert!(!couplings.operations.is_empty(), "it uses both");
    assert!(couplings.beginnings(&BTreeSet::from([0, 1])).is_empty());
}

/// A buffer with a counter at either end, and one function of this access that notifies whichever it is handed.
fn ends_by_one_function(access: u32) -> Vec<BTreeSet<MonitorIx>> {
    const STATIC: u32 = 0x0008;
    let (mut b, class) = buffer();
    let of_end = virtual_ref("app.Buffer", "grant", "(Ljava/lang/Object;)V");
    let mut body = block(vec![load(0)], 1, vec![load(0), object("notify")]);
    body.push(leave());
    let grant = b.method(class, "grant", &of_end.descriptor, STATIC | access);
    b.code(grant, body);
    let mut end = |name: &str, waits: &str, notifies: &str| {
        let read = |name: &str| vec![load(0), field("app.Buffer", name)];
        let mut ops = block(read(waits), 1, on_field(waits, "wait"));
        ops.extend(read(notifies));
        ops.push(Op::Invoke {
            kind: InvokeKind::Static,
            method: of_end.clone(),
        });
        ops.push(leave());
        b.coded(class, name, PUBLIC, ops)
    };
    let (put, take) = (end("put", "room", "stock"), end("take", "stock", "room"));
    let program = Program::of(&b.catalog);
    let mut table = RegionTable::default();
    let granted = table.intern(nth(&b, grant, 0));
    let ends = [put, take].map(|end| table.intern(nth(&b, end, 0)));
    let monitors = ends.map(|end| BTreeSet::from([end, granted]));
    let mut effects = EffectTable::new(&program, 6);
    couplings(&program, &table, &mut effects, &monitors).together()
}

#[test]
fn a_function_enters_what_it_is_handed() {
    assert_eq!(ends_by_one_function(0), [BTreeSet::from([0, 1])]);
    assert!(ends_by_one_function(PUBLIC).is_empty(), "anybody's");
}

const PUBLIC: u32 = 0x0001;

/// `enter() { turn.step(); }` with `synchronized step() { notify }` of this access, on a turn that
/// is new or was there before, and then `synchronized (room) { room.wait(); }`.
fn used_together(new: bool, access: u32) -> (Vec<BTreeSet<MonitorIx>>, Span) {
    let (mut b, class) = buffer();
    let turn = b.class("app.Turn", "java.lang.Object");
    let step = vec![load(0), object("notify"), leave()];
    let step = b.coded(turn, "step", SYNCHRONIZED | access, step);
    let read = |name: &str| vec![load(0), field("app.Buffer", name)];
    let mut enter = match new {
        true => vec![Op::New("app.Turn".into()), store(1)],
        false => vec![load(0), field("app.Buffer", "turn"), store(1)],
    };
    enter.extend([load(1), call("app.Turn", "step")]);
    enter.extend(block(read("room"), 2, on_field("room", "wait")));
    enter.push(leave());
    let enter = b.coded(class, "enter", PUBLIC, enter);
    let program = Program::of(&b.catalog);
    let mut table = RegionTable::default();
    let regions = [whole(&b, step), nth(&b, enter, 0)].map(|r| table.intern(r));
    let monitors = regions.map(|r| BTreeSet::from([r]));
    let mut effects = EffectTable::new(&program, 6);
    let couplings = couplings(&program, &table, &mut effects, &monitors);
    assert!(couplings.waits(regions[1]) && !couplings.waits(regions[0]));
    let span = couplings.reach(&BTreeSet::from([regions[1]]));
    (couplings.together(), span)
}

#[test]
fn a_monitor_of_ones_own_making_is_used_together_with_ones_own() {
    let (together, span) = used_together(true, 0);
    assert_eq!(together, [BTreeSet::from([0, 1])]);
    assert_eq!(span.monitors, BTreeSet::from([0, 1]));
    assert_eq!(span.regions.len(), 2);
}

#[test]
fn a_lock_that_was_there_before_or_that_others_can_use_is_no_part() {
    for (new, access) in [(false, 0), (true, PUBLIC), (false, PUBLIC)] {
        let (together, span) = used_together(new, access);
        assert!(together.is_empty(), "{new} {access}");
        assert_eq!(span.monitors, BTreeSet::from([1]), "{new} {access}");
    }
}

/// `pull() { sync (this) {..} this.seats[i].rest(); }`, where the class itself makes its seats, or others do, too.
fn waits_on_an_element(others_make: bool) -> Vec<BTreeSet<MonitorIx>> {
    let (mut b, class) = buffer();
    let seat = b.class("app.Seat", "java.lang.Object");
    let rest = vec![load(0), object("wait"), leave()];
    let rest = b.coded(seat, "rest", SYNCHRONIZED, rest);
    let seats = crate::fixtures::virtual_ref("app.Buffer", "seats", "[Lapp/Seat;");
    let made = Op::New("app.Seat".into());
    let fill = vec![load(0), made.clone(), Op::PutField(seats.clone()), leave()];
    b.coded(class, "fill", 0, fill);
    if others_make {
        let other = b.class("app.Other", "java.lang.Object");
        b.coded(other, "make", 0, vec![made, store(1), leave()]);
    }
    let mut pull = block(vec![load(0)], 2, vec![Op::Nop]);
    pull.extend([
        load(0),
        Op::GetField(seats),
        load(1),
        Op::ArrayLoad { wide: false },
        call("app.Seat", "rest"),
        leave(),
    ]);
    let pull = b.coded(class, "pull", PUBLIC, pull);
    let program = Program::of(&b.catalog);
    let mut table = RegionTable::default();
    let regions = [nth(&b, pull, 0), whole(&b, rest)].map(|r| table.intern(r));
    let monitors = regions.map(|r| BTreeSet::from([r]));
    let mut effects = EffectTable::new(&program, 6);
    couplings(&program, &table, &mut effects, &monitors).together()
}

#[test]
fn elements_that_ones_class_alone_makes_are_used_together_with_ones_own() {
    assert_eq!(waits_on_an_element(false), [BTreeSet::from([0, 1])]);
    assert!(waits_on_an_element(true).is_empty());
}

/// `enter() { this.gate.pass(); synchronized (this.room) { this.room.wait(); } }` in two classes.
#[test]
fn what_two_classes_begin_with_is_waited_for_by_each_in_its_own_way() {
    let (mut b, class) = buffer();
    let gate = b.class("app.Gate", "java.lang.Object");
    let pass = vec![load(0), object("wait"), leave()];
    let pass = b.coded(gate, "pass", SYNCHRONIZED | PUBLIC, pass);
    let other = b.class("app.Other", "java.lang.Object");
    let enters = [class, other].map(|class| {
        let mut enter = vec![
            load(0),
            field("app.Buffer", "gate"),
            call("app.Gate", "pass"),
        ];
        let room = vec![load(0), field("app.Buffer", "room")];
        enter.extend(block(room, 1, on_field("room", "wait")));
        enter.push(leave());
        b.coded(class, "enter", PUBLIC, enter)
    });
    let program = Program::of(&b.catalog);
    let mut table = RegionTable::default();
    let pass = table.intern(whole(&b, pass));
    let own = enters.map(|enter| table.intern(nth(&b, enter, 0)));
    let monitors = [pass, own[0], own[1]].map(|r| BTreeSet::from([r]));
    let mut effects = EffectTable::new(&program, 6);
    let couplings = couplings(&program, &table, &mut effects, &monitors);
    let begun = BTreeSet::from([pass]);
    let apart = couplings.waits_of_strangers(&begun, |a, b| a == b);
    assert_eq!(apart, own.into());
    assert!(couplings.waits_of_strangers(&begun, |_, _| true).is_empty());
    assert!(
        couplings
            .waits_of_strangers(&own.into(), |a, b| a == b)
            .is_empty()
    );
}

/// What is used together where each of the two blocks of a method has a monitor of its own.
fn two_blocks_together(b: &Build, method: MethodId) -> Vec<BTreeSet<MonitorIx>> {
    let program = Program::of(&b.catalog);
    let mut table = RegionTable::default();
    let regions = [0, 1].map(|n| table.intern(nth(b, method, n)));
    let monitors = regions.map(|r| BTreeSet::from([r]));
    let mut effects = EffectTable::new(&program, 6);
    couplings(&program, &table, &mut effects, &monitors).together()
}

/// `synchronized (this) { under } behind; synchronized (room) { room.wait(); within }`
fn guard_and_room(under: Vec<Op>, behind: Vec<Op>, within: Vec<Op>) -> Vec<BTreeSet<MonitorIx>> {
    let (mut b, class) = buffer();
    let mut ops = block(vec![load(0)], 1, under);
    ops.extend(behind);
    let read = vec![load(0), field("app.Buffer", "room")];
    let body = [on_field("room", "wait"), within].concat();
    ops.extend(block(read, 2, body));
    ops.push(leave());
    let enter = b.coded(class, "enter", PUBLIC, ops);
    two_blocks_together(&b, enter)
}

#[test]
fn what_guards_data_of_its_own_and_decides_nothing_is_another_lock() {
    let number = |name: &str| virtual_ref("app.Buffer", name, "I");
    let set = |name: &str| vec![load(0), load(5), Op::PutField(number(name))];
    let get = |name: &str| vec![load(0), Op::GetField(number(name)), store(6)];
    let one = [BTreeSet::from([0, 1])];
    let apart = guard_and_room(set("visits"), Vec::new(), get("free"));
    assert!(apart.is_empty(), "{apart:?}");
    // What it changes is looked at where is waited.
    let shared = guard_and_room(set("free"), Vec::new(), get("free"));
    assert_eq!(shared, one);
    // What both only look at was there before.
    let read = guard_and_room(get("most"), Vec::new(), get("most"));
    assert!(read.is_empty(), "{read:?}");
    // What it finds out decides whether is waited, or is a mere value.
    let found_out = get("queued");
    let branch = vec![
        load(6),
        Op::IfNull {
            null: false,
            target: 0,
        },
    ];
    assert_eq!(guard_and_room(found_out.clone(), branch, get("free")), one);
    let value = vec![load(0), load(6), Op::PutField(number("shown"))];
    let told = guard_and_room(found_out, value, get("free"));
    assert!(told.is_empty(), "{told:?}");
}

/// `synchronized (this) { synchronized (room) { room.wait(); } }`
#[test]
fn what_is_held_while_it_waits_is_a_part() {
    let (mut b, class) = buffer();
    let read = vec![load(0), field("app.Buffer", "room")];
    let inner = block(read, 2, on_field("room", "wait"));
    let mut ops = block(vec![load(0)], 1, inner);
    ops.push(leave());
    let enter = b.coded(class, "enter", PUBLIC, ops);
    assert_eq!(two_blocks_together(&b, enter), [BTreeSet::from([0, 1])]);
}
