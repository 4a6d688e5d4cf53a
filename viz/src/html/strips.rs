//! Buckets and stays as numbers in a row, which is a third of what objects would take. What there may be millions of stands
//! as digits in one text: that is shorter, and neither side makes a value of JSON for each.

use super::data::Texts;
use locklens_inference::levels::model::{
    Change, Deed, Holder, Interval, Levels, Longest, Step, StockRow, Stretch,
};
use locklens_inference::model::CallChain;
use locklens_trace::StackId;
use serde_json::{Value, json as value};
use std::collections::BTreeMap;

/// Stands for a lock that the report leaves out, and for an owner that is not known.
const NONE: i64 = -1;
/// Stands for no owner.
const NOBODY: i64 = -2;
const OPEN: u32 = 1;
const ESTIMATE: u32 = 2;
const INFERRED: u32 = 4;
const SHARED: u32 = 8;

/// Of each stretch: buckets since the one before, buckets, and what each has.
pub(super) fn stretches(stretches: &[Stretch]) -> Vec<u64> {
    let mut next = 0;
    let mut numbers = Vec::with_capacity(stretches.len() * 3);
    for &(from, to, each) in stretches {
        numbers.extend([u64::from(from - next), u64::from(to - from), each]);
        next = to;
    }
    numbers
}

/// All strips: of each thread, lock, deed and how many stretches, and the stretches of all as digits.
pub(super) fn strips(levels: &Levels) -> Value {
    let strips = levels.strips.iter();
    let rows = strips.map(|strip| {
        let many = strip.stretches.len();
        value!([strip.thread, lock(strip.lock), strip.deed as u32, many])
    });
    let mut digits = String::new();
    for strip in &levels.strips {
        let numbers = stretches(&strip.stretches);
        numbers.iter().for_each(|&n| add_digits(n, &mut digits));
    }
    let all = String::from_utf8_lossy(DIGITS);
    value!({"rows": rows.collect::<Vec<_>>(), "stretches": digits, "digits": all})
}

/// Five bits a digit, the lowest first; the sixth is set if another digit follows. None of them means anything to JSON or HTML.
const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
const LOW: u64 = 31;
const MORE: u64 = 32;

fn add_digits(mut number: u64, out: &mut String) {
    while number > LOW {
        out.push(char::from(DIGITS[(number & LOW | MORE) as usize]));
        number >>= 5;
    }
    out.push(char::from(DIGITS[number as usize]));
}

fn lock(lock: Option<u32>) -> i64 {
    lock.map_or(NONE, i64::from)
}

/// The stays of each kind, a column a fact.
pub(super) fn stays(longest: &[Longest; 3], chains: &Chains, texts: &mut Texts) -> Vec<Value> {
    let kinds = Deed::ALL.iter().zip(longest);
    kinds
        .map(|(deed, longest)| {
            let mut told = columns(longest, chains, texts);
            told["deed"] = value!(deed.name());
            told
        })
        .collect()
}

fn columns(longest: &Longest, chains: &Chains, texts: &mut Texts) -> Value {
    let kept = &longest.kept;
    let column = |of: &dyn Fn(&Interval) -> i64| kept.iter().map(of).collect::<Vec<i64>>();
    let regions: Vec<usize> = kept
        .iter()
        .map(|stay| {
            stay.region
                .as_ref()
                .map_or(0, |region| texts.code(region) + 1)
        })
        .collect();
    let mut before = 0;
    let since: Vec<u64> = kept
        .iter()
        .map(|stay| stay.from.0 - std::mem::replace(&mut before, stay.from.0))
        .collect();
    value!({
        "left_out": longest.left_out,
        "cut_ns": longest.cut.0,
        "thread": column(&|stay| stay.thread.into()),
        "lock": column(&|stay| lock(stay.lock)),
        "object": column(&|stay| stay.object.0.into()),
        "since": since,
        "length": kept.iter().map(|stay| stay.to.since(stay.from).0).collect::<Vec<_>>(),
        "chain": column(&|stay| chains.number(stay.stack)),
        "region": regions,
        "owner": column(&|stay| owner(stay.owner)),
        "woken_by": sparse(kept, |stay| stay.woken.map(|woken| woken.by.into())),
        "woken_before": sparse(kept, |stay| stay.woken.map(|woken| stay.to.since(woken.at).0)),
        "limit": sparse(kept, |stay| stay.limit.map(|limit| limit.0)),
        "flags": kept.iter().map(flags).collect::<Vec<_>>(),
    })
}

fn owner(owner: Holder) -> i64 {
    match owner {
        Holder::Unknown => NONE,
        Holder::Nobody => NOBODY,
        Holder::Row(row) => row.into(),
    }
}

fn flags(stay: &Interval) -> u32 {
    let flag = |on: bool, bit: u32| if on { bit } else { 0 };
    let inferred = stay.woken.is_some_and(|woken| woken.inferred);
    flag(stay.open, OPEN)
        | flag(stay.estimate, ESTIMATE)
        | flag(inferred, INFERRED)
        | flag(stay.shared, SHARED)
}

/// A column of what not every stay has; an empty one if none has.
fn sparse(kept: &[Interval], of: impl Fn(&Interval) -> Option<u64>) -> Vec<Value> {
    match kept.iter().any(|stay| of(stay).is_some()) {
        true => kept
            .iter()
            .map(|stay| of(stay).map_or(value!(NONE), Value::from))
            .collect(),
        false => Vec::new(),
    }
}

/// What the types of locks call for: by bucket the least, the most and the mean in thousandths, and each change.
pub(super) fn stocks(levels: &Levels) -> Vec<Value> {
    let part = |(steps, changes): &(Vec<Step>, Option<Vec<Change>>)| {
        let steps = steps.iter();
        let steps = steps.map(|s| [(s.end - s.first).into(), s.least, s.most, s.mean]);
        value!({
            "steps": steps.flatten().collect::<Vec<i64>>(),
            "changes": changes.as_ref().map(|all| since(all)),
        })
    };
    let row = |row: &StockRow| {
        value!({
            "lock": row.lock,
            "kind": row.kind.name(),
            "sure": row.sure.name(),
            "parts": row.parts.iter().map(part).collect::<Vec<_>>(),
        })
    };
    levels.stocks.iter().map(row).collect()
}

/// Of each change the time since the one before, and the value.
fn since(changes: &[Change]) -> Vec<i64> {
    let mut before = 0;
    let each = changes.iter().flat_map(|change| {
        let since = change.at.0 - std::mem::replace(&mut before, change.at.0);
        [since.cast_signed(), change.value]
    });
    each.collect()
}

/// Call chains by number.
pub(super) struct Chains {
    numbers: BTreeMap<StackId, i64>,
    pub(super) told: Vec<Value>,
}

impl Chains {
    pub(super) fn of(all: &BTreeMap<StackId, CallChain>, texts: &mut Texts) -> Self {
        let mut chains = Self {
            numbers: BTreeMap::new(),
            told: Vec::new(),
        };
        for (&stack, chain) in all {
            let frames = chain.frames.iter().map(|frame| texts.code(frame));
            let frames: Vec<usize> = frames.collect();
            chains.told.push(value!([u32::from(chain.cut), frames]));
            chains.numbers.insert(stack, chains.told.len() as i64);
        }
        chains
    }

    /// From 1; 0 for none.
    fn number(&self, stack: Option<StackId>) -> i64 {
        let number = stack.and_then(|stack| self.numbers.get(&stack));
        number.copied().unwrap_or(0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn numbers(digits: &str) -> Vec<u64> {
        let (mut all, mut number, mut shift) = (Vec::new(), 0, 0);
        for digit in digits.bytes() {
            let value = DIGITS.iter().position(|&known| known == digit).unwrap() as u64;
            number |= (value & LOW) << shift;
            shift += 5;
            if value & MORE == 0 {
                all.push(std::mem::take(&mut number));
                shift = 0;
            }
        }
        all
    }

    proptest! {
        #[test]
        fn digits_are_the_numbers_again(all in proptest::collection::vec(0..=u64::MAX, 0..20), bits in 1..64) {
            let all: Vec<u64> = all.into_iter().map(|n| n >> bits).collect();
            let mut digits = String::new();
            all.iter().for_each(|&n| add_digits(n, &mut digits));
            prop_assert_eq!(numbers(&digits), all);
        }
    }

    #[test]
    fn small_numbers_are_one_digit() {
        let mut digits = String::new();
        [0, 31, 32, 1 << 20]
            .into_iter()
            .for_each(|n| add_digits(n, &mut digits));
        assert_eq!(digits, "AfgBggggB");
    }
}
