//! READ-WRITE: many readers or one writer.

use super::super::change::{Change, Move};
use super::super::expr::{Node, OpKey};
use super::super::profile::{Profile, Test, Var};
use super::super::step::{End, From, Step};
use super::case::Case;
use super::family::Family;
use super::finding::Finding;
use crate::region::RegionId;
use crate::types::{LockType, Role};
use std::collections::BTreeSet;

pub(super) fn find(case: &Case<'_>) -> Vec<Finding> {
    let vars = case.vars();
    let families: Vec<_> = vars.iter().map(|v| (v, Family::new(case, v))).collect();
    let mut found = Vec::new();
    for (readers, r) in &families {
        for (writer, w) in &families {
            if readers != writer {
                let found_here = two_counters(case, (readers, r), (writer, w));
                let third = |roles: &Roles| families.iter().any(|(_, f)| is_third(f, w, roles));
                found.extend(
                    found_here
                        .filter(|(_, roles)| !third(roles))
                        .map(|(f, _)| f),
                );
            }
        }
        found.extend(one_counter(case, readers));
    }
    found
}

/// The four roles.
#[derive(Default)]
struct Roles {
    read_lock: BTreeSet<RegionId>,
    read_unlock: BTreeSet<RegionId>,
    write_lock: BTreeSet<RegionId>,
    write_unlock: BTreeSet<RegionId>,
}

impl Roles {
    fn locks(&self) -> BTreeSet<RegionId> {
        self.read_lock.union(&self.write_lock).copied().collect()
    }

    fn give(&self, finding: &mut Finding) {
        finding.role(Role::ReadLock, &self.read_lock);
        finding.role(Role::ReadUnlock, &self.read_unlock);
        finding.role(Role::WriteLock, &self.write_lock);
        finding.role(Role::WriteUnlock, &self.write_unlock);
    }
}

/// Readers are counted; a writer is counted or marked elsewhere.
fn two_counters(
    case: &Case<'_>,
    (readers, r): (&Var, &Family),
    (writer, w): (&Var, &Family),
) -> Option<(Finding, Roles)> {
    // Who shares it with others is counted: what one of several sets and resets tells of one.
    if matches!(readers, Var::Count(_)) && case.is_binary(readers) {
        return None;
    }
    let common = |a: &BTreeSet<RegionId>, b: &BTreeSet<RegionId>| -> BTreeSet<RegionId> {
        a.intersection(b).copied().collect()
    };
    let exclusive = common(&r.waits_high, &w.adds);
    let write_lock = match exclusive.is_empty() {
        true => common(&r.waits_high, &w.up),
        false => exclusive.clone(),
    };
    let mut roles = Roles {
        read_lock: common(&w.waits_high, &r.up),
        write_lock,
        // Who gives up his share to set the mark has not left.
        read_unlock: r.down.difference(&w.adds).copied().collect(),
        write_unlock: w.down.clone(),
    };
    let either: BTreeSet<RegionId> = common(&r.adds, &w.adds)
        .into_iter()
        .filter(|&id| lets_in_either(case.profile(id), case, (readers, writer)))
        .collect();
    roles.read_lock.extend(&either);
    roles.write_lock.extend(&either);
    let exclusive = !exclusive.is_empty() || !either.is_empty();
    if roles.read_lock.is_empty() || roles.write_lock.is_empty() {
        return None;
    }
    roles.read_lock.extend(common(&r.up, &w.tests));
    let mut finding = Finding::new(LockType::ReadWrite, [readers.clone(), writer.clone()]);
    let (r_name, w_name) = (case.name(readers), case.name(writer));
    finding.pro(
        2.5,
        format!("one side waits while {w_name} is set and then counts {r_name}"),
    );
    finding.pro(
        2.5,
        format!("the other waits while there are {r_name} and then sets {w_name}"),
    );
    finding.weigh(
        exclusive,
        (0.5, "writers exclude each other"),
        (
            6.0,
            "writers do not exclude each other: two groups take turns",
        ),
    );
    releases(case, &roles, &mut finding);
    preference(case, &roles, &mut finding);
    Some((finish(case, &roles, finding)?, roles))
}

/// Whoever comes there is counted where nothing is marked, however many are counted already, or marks it where nobody is and nothing is
/// marked: he says which of both he wants.
fn lets_in_either(profile: &Profile<'_>, case: &Case<'_>, (readers, writer): (&Var, &Var)) -> bool {
    let raises = |step: &Step, var: &Var| {
        let change = case.change(step, var);
        change.is_some_and(|c| case.see.direction(step, var, &c) == Move::Up)
    };
    let found = |step: &Step, var: &Var, fits: &dyn Fn(&Test) -> bool| {
        let conditions = case.see.conditions(step);
        conditions.iter().any(|c| c.var == *var && fits(&c.test))
    };
    let reads = |step: &Step| {
        !raises(step, writer) && found(step, writer, &is_none) && !found(step, readers, &|_| true)
    };
    let writes = |step: &Step| {
        !raises(step, readers) && found(step, writer, &is_none) && found(step, readers, &is_none)
    };
    let those = |var: &Var| -> Vec<&Step> {
        let passes = profile.passes.iter().copied();
        passes.filter(|step| raises(step, var)).collect()
    };
    let (count, mark) = (those(readers), those(writer));
    let all = count.iter().all(|step| reads(step)) && mark.iter().all(|step| writes(step));
    all && !count.is_empty() && !mark.is_empty()
}

/// Holders of a third kind are counted here, who keep readers and writers out, and whom writers keep out: a room for one
/// group at a time.
fn is_third(f: &Family, w: &Family, roles: &Roles) -> bool {
    let mut others = f.up.intersection(&w.waits_high);
    let kept_out = |locks: &BTreeSet<RegionId>| locks.is_subset(&f.waits_high);
    others.any(|region| !roles.read_lock.contains(region))
        && !f.down.is_empty()
        && kept_out(&roles.read_lock)
        && kept_out(&roles.write_lock)
}

fn releases(case: &Case<'_>, roles: &Roles, finding: &mut Finding) {
    let both = !roles.read_unlock.is_empty() && !roles.write_unlock.is_empty();
    finding.weigh(
        both,
        (1.5, "both are given back without waiting"),
        (2.0, "who gives it back is not known"),
    );
    let signals = case.signals(&roles.write_unlock) && case.signals(&roles.read_unlock);
    finding.weigh(
        signals,
        (1.0, "giving back notifies"),
        (1.0, "giving back notifies nobody"),
    );
}

/// What else readers wait for says whom it prefers.
fn preference(case: &Case<'_>, roles: &Roles, finding: &mut Finding) {
    let others: BTreeSet<Var> = roles
        .read_lock
        .iter()
        .flat_map(|&r| case.blocks(r))
        .map(|c| c.var.clone())
        .filter(|v| !finding.vars.contains(v))
        .collect();
    let queued = |v: &&Var| {
        let writers = roles.write_lock.iter().map(|&r| case.profile(r));
        writers
            .into_iter()
            .any(|p| raises_before_waiting(case, p, v))
    };
    let waiting: Vec<_> = others.iter().filter(queued).cloned().collect();
    let turns = is_by_turns(case, &roles.read_lock) && is_by_turns(case, &roles.write_lock);
    match (turns, waiting.is_empty()) {
        (true, _) => {
            finding.vars.extend(others);
            finding.word("preference", "fair");
        }
        (false, false) => {
            finding.vars.extend(waiting);
            finding.pro(0.5, "readers also wait for waiting writers");
            finding.word("preference", "writers");
        }
        // Those who come while he still waits for readers wait for him, and when he leaves all compete. So readers come in between only
        // with those who woke as they did: the next writer who gets a turn claims it, and keeps out who is not in yet.
        (false, true) if claims(case, roles, &finding.vars) => {
            finding.pro(
                0.0,
                "a writer keeps readers out before he waits for those inside",
            );
            finding.word("preference", "writers");
            finding.claimed = others.is_empty();
        }
        (false, true) => finding.word("preference", "readers"),
    }
}

/// A writer says that he is there, which keeps readers out, and only then waits until those are gone who are there.
fn claims(case: &Case<'_>, roles: &Roles, vars: &BTreeSet<Var>) -> bool {
    let mut flags = vars.iter().filter(|v| case.is_binary(v));
    flags.any(|flag| {
        let mut writers = roles.write_lock.iter().map(|&r| case.profile(r));
        writers.any(|writer| raises_before_waiting(case, writer, flag))
    })
}

/// The region raises a quantity and only then waits.
fn raises_before_waiting(case: &Case<'_>, profile: &Profile<'_>, var: &Var) -> bool {
    profile
        .waits
        .iter()
        .filter(|s| s.from == From::Entry)
        .any(|s| {
            let change = case.see.change(s, var);
            change.is_some_and(|c| case.see.direction(s, var, &c) == Move::Up)
        })
}

/// The regions wait until a number drawn before is up.
fn is_by_turns(case: &Case<'_>, regions: &BTreeSet<RegionId>) -> bool {
    let by_turn = |&r: &RegionId| {
        let old = |t: &Test| matches!(t, Test::Old(_));
        case.blocks(r).iter().any(|c| old(&c.test))
    };
    regions.iter().all(by_turn)
}

fn finish(case: &Case<'_>, roles: &Roles, mut finding: Finding) -> Option<Finding> {
    let own: BTreeSet<Var> = roles
        .locks()
        .iter()
        .flat_map(|&r| case.blocks(r))
        .filter(|c| matches!(c.test, Test::Mine(_)))
        .map(|c| c.var.clone())
        .collect();
    finding.vars.extend(own);
    roles.give(&mut finding);
    finding.flag("reentrant", case.lets_owner_pass(&roles.locks()));
    case.charge(&mut finding);
    Some(finding)
}

/// How one number that counts readers tells a writer.
enum Mark {
    /// It is negative.
    Negative,
    /// This bit of it is set, which is tested by itself.
    Bit(i64, Var),
}

impl Mark {
    /// Negative, and every bit of it that some region tests.
    fn of(case: &Case<'_>, var: &Var) -> Vec<Self> {
        let vars = case.vars().into_iter();
        let bits = vars.filter_map(|part| Some(Self::Bit(bit_of(case, &part, var)?, part)));
        std::iter::once(Self::Negative).chain(bits).collect()
    }

    /// A region waits while it is set.
    fn blocks(&self, profile: &Profile<'_>, var: &Var) -> bool {
        match self {
            Self::Negative => profile.blocks_on(var).any(is_negative),
            Self::Bit(bit, part) => profile
                .blocks_on(part)
                .any(|t| is_nonzero(t) || is(t, *bit)),
        }
    }

    fn is_set_by(&self, change: &Change) -> bool {
        match (self, change) {
            (Self::Negative, Change::Set(v)) => *v < 0,
            (Self::Negative, change) => *change == Change::Add(-1),
            (Self::Bit(bit, _), Change::Set(v) | Change::Add(v)) => v == bit,
            (Self::Bit(..), change) => *change == Change::Toward(true),
        }
    }

    fn is_cleared_by(&self, change: &Change) -> bool {
        match (self, change) {
            (_, Change::Set(0)) => true,
            (Self::Negative, change) => *change == Change::Add(1),
            (Self::Bit(bit, _), Change::Add(v)) => *v == -bit,
            (Self::Bit(..), change) => *change == Change::Toward(false),
        }
    }

    fn in_words(&self) -> &'static str {
        match self {
            Self::Negative => "is negative",
            Self::Bit(..) => "has a bit set",
        }
    }
}

/// The bit of a number that another quantity is. The lowest one is no mark beside a count.
fn bit_of(case: &Case<'_>, part: &Var, var: &Var) -> Option<i64> {
    let (Var::Count(part), Var::Count(whole)) = (part, var) else {
        return None;
    };
    let (&[(part, 1)], &[(whole, 1)]) = (part.as_slice(), whole.as_slice()) else {
        return None;
    };
    let Node::Op(OpKey::And, a, b) = *case.see.x.node(part) else {
        return None;
    };
    let mask = match (a == whole, b == whole) {
        (true, _) => b,
        (_, true) => a,
        _ => return None,
    };
    match *case.see.x.node(mask) {
        Node::Int(bit) if bit.count_ones() == 1 && bit != 1 => Some(bit),
        _ => None,
    }
}

/// One number: counted up by readers, marked by a writer.
fn one_counter(case: &Case<'_>, var: &Var) -> Vec<Finding> {
    if case.is_binary(var) || case.is_size(var) {
        return Vec::new();
    }
    let marks = Mark::of(case, var).into_iter();
    marks.filter_map(|mark| marked(case, var, &mark)).collect()
}

fn marked(case: &Case<'_>, var: &Var, mark: &Mark) -> Option<Finding> {
    let mut roles = Roles::default();
    for (&id, profile) in &case.profiles {
        let changes = changes(case, profile, var);
        let is_marked = mark.blocks(profile, var);
        let nonzero = profile.blocks_on(var).any(is_nonzero);
        let writes = changes.iter().any(|c| mark.is_set_by(c));
        match (nonzero, is_marked) {
            (true, _) if writes => drop(roles.write_lock.insert(id)),
            (false, true) if changes.contains(&Change::Add(1)) => drop(roles.read_lock.insert(id)),
            (false, false) => unlock(id, &changes, mark, &mut roles),
            _ => {}
        }
    }
    if roles.read_lock.is_empty() || roles.write_lock.is_empty() {
        return None;
    }
    let mut finding = Finding::new(LockType::ReadWrite, [var.clone()]);
    if let Mark::Bit(_, part) = mark {
        finding.vars.insert(part.clone());
    }
    let (name, marked) = (case.name(var), mark.in_words());
    finding.pro(
        2.5,
        format!("one side waits while {name} {marked} and then raises it"),
    );
    finding.pro(
        2.5,
        format!("the other waits until {name} is zero and then sees to it that it {marked}"),
    );
    releases(case, &roles, &mut finding);
    preference(case, &roles, &mut finding);
    finish(case, &roles, finding)
}

fn unlock(id: RegionId, changes: &BTreeSet<Change>, mark: &Mark, roles: &mut Roles) {
    if changes.contains(&Change::Add(-1)) {
        roles.read_unlock.insert(id);
    }
    if changes.iter().any(|c| mark.is_cleared_by(c)) {
        roles.write_unlock.insert(id);
    }
}

fn changes(case: &Case<'_>, profile: &Profile<'_>, var: &Var) -> BTreeSet<Change> {
    let leaves = profile
        .passes
        .iter()
        .filter(|s| matches!(s.end, End::Leaves(_)));
    leaves.filter_map(|s| case.see.change(s, var)).collect()
}

fn is_negative(test: &Test) -> bool {
    match test {
        Test::AtMost(b) | Test::Is(b) => b.terms.is_empty() && b.constant < 0,
        _ => false,
    }
}

/// The test is for this number.
fn is(test: &Test, number: i64) -> bool {
    matches!(test, Test::Is(b) if b.terms.is_empty() && b.constant == number)
}

fn is_none(test: &Test) -> bool {
    match test {
        Test::Is(b) | Test::AtMost(b) => b.terms.is_empty() && b.constant == 0,
        _ => false,
    }
}

fn is_nonzero(test: &Test) -> bool {
    match test {
        Test::IsNot(b) => b.terms.is_empty() && b.constant == 0,
        Test::AtLeast(b) => b.terms.is_empty() && b.constant == 1,
        _ => false,
    }
}
