//! Values, and arithmetic on them.

use super::real::{self, Real};
use locklens_trace::code::{ArithOp, Cond, Conversion};

/// An object of the sandbox.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct ObjectId(pub u32);

/// One stack word, local or field. A box (`Integer` …) is the number in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Value {
    /// An int or long.
    Number(i64),
    /// A whole number that may also be a float or double: conversions of old recordings do not say
    /// which.
    Loose(i64),
    /// A float or double.
    Real(Real),
    /// An object.
    Object(ObjectId),
    /// `null`.
    Null,
    /// Element of a new array: zero or `null`, as it is used.
    Blank,
    /// Second word of a long or double.
    Second,
    /// Not known, but guessed to be this number, so as to go on.
    Guess(i64),
    /// Not known.
    Unknown,
}

/// Types as far as values differ by them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Int,
    Long,
    Float,
    Double,
    Reference,
}

impl Kind {
    /// The kind of a descriptor's first type.
    pub(super) fn of(descriptor: &str) -> Self {
        match descriptor.as_bytes().first() {
            Some(b'J') => Self::Long,
            Some(b'D') => Self::Double,
            Some(b'F') => Self::Float,
            Some(b'L' | b'[') => Self::Reference,
            _ => Self::Int,
        }
    }

    /// Takes two stack words.
    pub(super) fn is_wide(self) -> bool {
        matches!(self, Self::Long | Self::Double)
    }

    /// What a field of this kind holds at first.
    pub(super) fn initial(self) -> Value {
        match self {
            Self::Int | Self::Long => Value::Number(0),
            Self::Float | Self::Double => Value::Real(Real::new(0.0, self.is_wide())),
            Self::Reference => Value::Null,
        }
    }

    /// A value that is now known to be of this kind.
    pub(super) fn take(self, value: Value) -> Value {
        match (self, value) {
            (Self::Int | Self::Long, Value::Loose(n)) => Value::Number(n),
            (Self::Int | Self::Long, Value::Blank) => Value::Number(0),
            (Self::Int | Self::Long, Value::Object(_) | Value::Null | Value::Real(_)) => {
                Value::Unknown
            }
            (Self::Float | Self::Double, _) => match value.real() {
                Some(real) => Value::Real(Real::new(real, self.is_wide())),
                None => Value::Unknown,
            },
            (Self::Reference, Value::Blank) => Value::Null,
            _ => value,
        }
    }
}

impl Value {
    /// A boolean.
    pub(super) fn flag(value: bool) -> Self {
        Self::Number(i64::from(value))
    }

    /// The whole number a value is, if it is one and known.
    pub(super) fn number(self) -> Option<i64> {
        match self {
            Self::Number(n) | Self::Loose(n) => Some(n),
            Self::Real(real) => real.whole(),
            Self::Blank => Some(0),
            _ => None,
        }
    }

    /// The number a value is, where it is one of floating point.
    pub(super) fn real(self) -> Option<f64> {
        match self {
            Self::Real(real) => Some(real.get()),
            _ => self.number().map(|n| n as f64),
        }
    }

    /// It is a number, or the box of one.
    pub(super) fn is_number(self) -> bool {
        matches!(
            self,
            Self::Number(_) | Self::Loose(_) | Self::Real(_) | Self::Guess(_)
        )
    }

    /// The number a value is or is guessed to be.
    pub(super) fn likely(self) -> Option<i64> {
        match self {
            Self::Guess(n) => Some(n),
            _ => self.number(),
        }
    }

    /// The same, of floating point.
    fn likely_real(self) -> Option<f64> {
        match self {
            Self::Guess(n) => Some(n as f64),
            _ => self.real(),
        }
    }

    fn is_guess(self) -> bool {
        matches!(self, Self::Guess(_))
    }

    /// A number that was calculated from these.
    pub(super) fn derived(from: &[Self], number: i64) -> Self {
        if from.iter().any(|v| v.is_guess()) {
            Self::Guess(number)
        } else {
            Self::Number(number)
        }
    }

    /// Whether it is `null`, if that is known.
    pub(super) fn is_null(self) -> Option<bool> {
        match self {
            Self::Null | Self::Blank => Some(true),
            Self::Object(_) | Self::Number(_) | Self::Loose(_) | Self::Real(_) | Self::Guess(_) => {
                Some(false)
            }
            Self::Second | Self::Unknown => None,
        }
    }

    /// Whether two references are the same, if that is known.
    pub(super) fn is_same(self, other: Self) -> Option<bool> {
        match (self, other) {
            (Self::Object(a), Self::Object(b)) => Some(a == b),
            (Self::Real(_), _) | (_, Self::Real(_)) if self.is_number() && other.is_number() => {
                Some(self.real()? == other.real()?)
            }
            _ => match (self.is_null()?, other.is_null()?) {
                (true, true) => Some(true),
                (true, false) | (false, true) => Some(false),
                (false, false) => Some(self.number()? == other.number()?),
            },
        }
    }
}

/// `left cond right`.
pub(super) fn holds(cond: Cond, left: i64, right: i64) -> bool {
    match cond {
        Cond::Eq => left == right,
        Cond::Ne => left != right,
        Cond::Lt => left < right,
        Cond::Ge => left >= right,
        Cond::Gt => left > right,
        Cond::Le => left <= right,
    }
}

/// An int operation keeps 32 bits.
pub(super) fn wrapped(n: i64, wide: bool) -> i64 {
    if wide { n } else { i64::from(n as i32) }
}

/// What a conversion leaves. Where it is not said which one it is, it may round, cut off or keep.
pub(super) fn converted(
    value: Value,
    from_wide: bool,
    to_wide: bool,
    how: Option<Conversion>,
) -> Value {
    /// What a float can hold of whole numbers.
    const SMALL: i64 = 1 << 24;
    if let Value::Guess(n) = value {
        return Value::Guess(wrapped(n, to_wide));
    }
    if let Some(how) = how {
        return real::converted(value, how);
    }
    let Some(n) = value.number() else {
        return Value::Unknown;
    };
    match (value, from_wide, to_wide) {
        (Value::Real(_), _, false) if n.abs() > SMALL => Value::Unknown,
        (Value::Real(_), ..) => Value::Loose(n),
        (_, false, false) if i8::try_from(n).is_err() => Value::Unknown,
        (_, true, false) => Value::Loose(wrapped(n, false)),
        _ => Value::Loose(n),
    }
}

/// How two numbers compare; `unordered`: the result when one of them is none.
pub(super) fn ordered(left: Value, right: Value, unordered: Option<i8>) -> Value {
    let order = match (left, right) {
        (Value::Real(_), _) | (_, Value::Real(_)) => {
            match (left.likely_real(), right.likely_real()) {
                (Some(a), Some(b)) => match a.partial_cmp(&b) {
                    Some(order) => Some(order as i64),
                    None => unordered.map(i64::from),
                },
                _ => None,
            }
        }
        _ => left
            .likely()
            .zip(right.likely())
            .map(|(a, b)| a.cmp(&b) as i64),
    };
    order.map_or(Value::Unknown, |order| {
        Value::derived(&[left, right], order)
    })
}

/// The result of an arithmetic instruction; none for a division of whole numbers by zero.
pub(super) fn arithmetic(op: ArithOp, wide: bool, left: Value, right: Value) -> Option<Value> {
    if let (Value::Real(_), _) | (_, Value::Real(_)) = (left, right) {
        let likely = left.likely_real().zip(right.likely_real());
        let result = likely.map_or(Value::Unknown, |(a, b)| real::computed(op, wide, a, b));
        return Some(match result.real() {
            Some(n) if left.is_guess() || right.is_guess() => Value::Guess(n as i64),
            _ => result,
        });
    }
    let (Some(a), Some(b)) = (left.number(), right.number()) else {
        return Some(guessed(op, wide, left, right).unwrap_or(Value::Unknown));
    };
    let bits = matches!(
        op,
        ArithOp::Shl | ArithOp::Shr | ArithOp::Ushr | ArithOp::And | ArithOp::Or | ArithOp::Xor
    );
    // Both operands are of one type, and old recordings tell no constants of floating point.
    let loose = |v| matches!(v, Value::Loose(_) | Value::Blank);
    let whole = bits || !(loose(left) && loose(right));
    if !whole && matches!(op, ArithOp::Div | ArithOp::Rem) && (b == 0 || a.wrapping_rem(b) != 0) {
        return Some(Value::Unknown);
    }
    let n = wrapped(computed(op, wide, a, b)?, wide);
    Some(if whole {
        Value::Number(n)
    } else {
        Value::Loose(n)
    })
}

/// What is calculated from a guess is one, and never fails.
fn guessed(op: ArithOp, wide: bool, left: Value, right: Value) -> Option<Value> {
    let n = computed(op, wide, left.likely()?, right.likely()?).unwrap_or(0);
    Some(Value::Guess(wrapped(n, wide)))
}

fn computed(op: ArithOp, wide: bool, a: i64, b: i64) -> Option<i64> {
    let shift = (b & if wide { 63 } else { 31 }) as u32;
    Some(match op {
        ArithOp::Add => a.wrapping_add(b),
        ArithOp::Sub => a.wrapping_sub(b),
        ArithOp::Mul => a.wrapping_mul(b),
        ArithOp::Div | ArithOp::Rem if b == 0 => return None,
        ArithOp::Div => a.wrapping_div(b),
        ArithOp::Rem => a.wrapping_rem(b),
        ArithOp::Neg => a.wrapping_neg(),
        ArithOp::Shl => a.wrapping_shl(shift),
        ArithOp::Shr => a.wrapping_shr(shift),
        ArithOp::Ushr if wide => ((a as u64) >> shift) as i64,
        ArithOp::Ushr => i64::from(((a as u32) >> shift) as i32),
        ArithOp::And => a & b,
        ArithOp::Or => a | b,
        ArithOp::Xor => a ^ b,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ints_wrap_and_longs_are_packed() {
        let n = Value::Number;
        let max = arithmetic(ArithOp::Add, false, n(i64::from(i32::MAX)), n(1));
        assert_eq!(max, Some(n(i64::from(i32::MIN))));
        let packed = arithmetic(ArithOp::Shl, true, Value::Loose(1), n(40));
        assert_eq!(packed, Some(n(1 << 40)));
        assert_eq!(arithmetic(ArithOp::Ushr, false, n(-1), n(28)), Some(n(15)));
        assert_eq!(arithmetic(ArithOp::Div, true, n(1), n(0)), None);
        assert_eq!(
            arithmetic(ArithOp::Rem, true, n(i64::MIN), n(-1)),
            Some(n(0))
        );
    }

    #[test]
    fn a_division_that_may_be_of_floats_is_known_only_if_it_is_even() {
        let l = Value::Loose;
        assert_eq!(arithmetic(ArithOp::Div, false, l(6), l(3)), Some(l(2)));
        assert_eq!(
            arithmetic(ArithOp::Div, false, l(7), l(3)),
            Some(Value::Unknown)
        );
        let whole = arithmetic(ArithOp::Div, false, l(7), Value::Number(3));
        assert_eq!(whole, Some(Value::Number(2)));
    }
    #[test]
    fn what_is_no_number_compares_as_the_instruction_says() {
        let double = |value| Value::Real(Real::new(value, true));
        let none = double(f64::NAN);
        assert_eq!(ordered(double(0.5), double(1.0), None), Value::Number(-1));
        assert_eq!(ordered(none, double(1.0), Some(1)), Value::Number(1));
        assert_eq!(ordered(none, double(1.0), Some(-1)), Value::Number(-1));
        assert_eq!(ordered(none, double(1.0), None), Value::Unknown);
        // The first element of a new array.
        assert_eq!(
            ordered(Value::Blank, double(1.0), Some(1)),
            Value::Number(-1)
        );
        assert_eq!(
            ordered(Value::Unknown, double(1.0), Some(1)),
            Value::Unknown
        );
    }

    #[test]
    fn fields_of_floating_point_hold_such_numbers() {
        let double = |value| Value::Real(Real::new(value, true));
        assert_eq!(Kind::Double.take(Value::Loose(3)), double(3.0));
        assert_eq!(Kind::Double.take(Value::Blank), double(0.0));
        assert_eq!(Kind::Double.take(Value::Unknown), Value::Unknown);
        assert_eq!(Kind::Long.take(double(3.0)), Value::Unknown);
        let sum = arithmetic(ArithOp::Add, true, Kind::Double.initial(), Value::Loose(2));
        assert_eq!(sum, Some(double(2.0)));
        // An old recording may mean either of two conversions.
        assert_eq!(converted(double(0.5), true, true, None), Value::Unknown);
        assert_eq!(converted(double(4.0), true, true, None), Value::Loose(4));
    }
}
