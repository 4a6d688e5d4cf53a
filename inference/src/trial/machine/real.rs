//! Numbers of floating point: exact where the JVM's are.

use locklens_trace::code::{ArithOp, Conversion};

use super::value::{Value, wrapped};

/// A float or double.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Real {
    /// Of the double of the same value.
    bits: u64,
    wide: bool,
}

impl Real {
    /// A double, or the float nearest to it.
    pub(super) fn new(value: f64, wide: bool) -> Self {
        let value = if wide { value } else { f64::from(value as f32) };
        Self {
            bits: value.to_bits(),
            wide,
        }
    }

    /// A constant, by its bits.
    pub(super) fn constant(bits: u64, wide: bool) -> Self {
        if wide {
            Self { bits, wide }
        } else {
            Self::new(f32::from_bits(bits as u32).into(), wide)
        }
    }

    /// Its value.
    pub(super) fn get(self) -> f64 {
        f64::from_bits(self.bits)
    }

    /// The whole number it is, if it is one that every conversion keeps.
    pub(super) fn whole(self) -> Option<i64> {
        const EXACT: f64 = 9_007_199_254_740_992.0;
        let value = self.get();
        let exact = value.fract() == 0.0 && value.abs() <= EXACT;
        exact.then_some(value as i64)
    }
}

/// Arithmetic on two numbers of one type. A quotient or sum of two floats that is rounded from that
/// of the doubles is the same as one rounded at once.
pub(super) fn computed(op: ArithOp, wide: bool, a: f64, b: f64) -> Value {
    let value = match op {
        ArithOp::Add => a + b,
        ArithOp::Sub => a - b,
        ArithOp::Mul => a * b,
        ArithOp::Div => a / b,
        ArithOp::Rem => a % b,
        ArithOp::Neg => -a,
        _ => return Value::Unknown,
    };
    Value::Real(Real::new(value, wide))
}

/// What a conversion that was recorded makes of a value.
pub(super) fn converted(value: Value, how: Conversion) -> Value {
    use Conversion as C;
    let from_real = matches!(
        how,
        C::FloatToInt
            | C::FloatToLong
            | C::FloatToDouble
            | C::DoubleToInt
            | C::DoubleToLong
            | C::DoubleToFloat
    );
    match (from_real, value) {
        (true, _) => value.real().map_or(Value::Unknown, |r| of_real(r, how)),
        (false, Value::Real(_)) => Value::Unknown,
        (false, _) => value.number().map_or(Value::Unknown, |n| of_whole(n, how)),
    }
}

/// Conversions to whole numbers cut off, stay within the type, and make 0 of what is no number.
fn of_real(value: f64, how: Conversion) -> Value {
    match how {
        Conversion::FloatToInt | Conversion::DoubleToInt => Value::Number((value as i32).into()),
        Conversion::FloatToLong | Conversion::DoubleToLong => Value::Number(value as i64),
        _ => Value::Real(Real::new(value, how.to_wide())),
    }
}

fn of_whole(n: i64, how: Conversion) -> Value {
    match how {
        Conversion::LongToInt => Value::Number(wrapped(n, false)),
        Conversion::IntToByte => Value::Number((n as i8).into()),
        Conversion::IntToChar => Value::Number((n as u16).into()),
        Conversion::IntToShort => Value::Number((n as i16).into()),
        // Not by way of a double, which would round twice.
        Conversion::IntToFloat | Conversion::LongToFloat => {
            Value::Real(Real::new((n as f32).into(), false))
        }
        Conversion::IntToDouble | Conversion::LongToDouble => {
            Value::Real(Real::new(n as f64, true))
        }
        _ => Value::Number(n),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn double(value: f64) -> Value {
        Value::Real(Real::new(value, true))
    }

    #[test]
    fn conversions_are_those_of_the_jvm() {
        let n = Value::Number;
        assert_eq!(converted(double(2.9), Conversion::DoubleToLong), n(2));
        assert_eq!(converted(double(-2.9), Conversion::DoubleToInt), n(-2));
        let most = i64::from(i32::MAX);
        assert_eq!(converted(double(1e18), Conversion::DoubleToInt), n(most));
        assert_eq!(converted(double(f64::NAN), Conversion::DoubleToInt), n(0));
        assert_eq!(converted(n(300), Conversion::IntToByte), n(44));
        assert_eq!(converted(n(-1), Conversion::IntToChar), n(65_535));
        assert_eq!(converted(n(1 << 40), Conversion::LongToInt), n(0));
        assert_eq!(converted(n(3), Conversion::LongToDouble), double(3.0));
        let float = converted(n(16_777_217), Conversion::IntToFloat);
        assert_eq!(float, Value::Real(Real::new(16_777_216.0, false)));
        // Old recordings do not tell a number from a box of another kind.
        let blank = converted(Value::Blank, Conversion::DoubleToFloat);
        assert_eq!(blank, Value::Real(Real::new(0.0, false)));
        assert_eq!(
            converted(double(1.0), Conversion::IntToLong),
            Value::Unknown
        );
    }

    #[test]
    fn floats_are_rounded_and_doubles_are_not() {
        let third = |wide| computed(ArithOp::Div, wide, 1.0, 3.0);
        assert_eq!(third(true), double(1.0 / 3.0));
        let float = Value::Real(Real::constant((1.0_f32 / 3.0).to_bits().into(), false));
        assert_eq!(third(false), float);
        assert_eq!(computed(ArithOp::Rem, true, -7.5, 2.0), double(-1.5));
        assert_eq!(
            computed(ArithOp::Div, true, 1.0, 0.0),
            double(f64::INFINITY)
        );
        assert_eq!(computed(ArithOp::Shl, true, 1.0, 1.0), Value::Unknown);
    }

    #[test]
    fn only_exact_numbers_are_whole() {
        assert_eq!(Real::new(7.0, true).whole(), Some(7));
        assert_eq!(Real::new(7.5, true).whole(), None);
        assert_eq!(Real::new(1e300, true).whole(), None);
        assert_eq!(Real::new(f64::NAN, true).whole(), None);
    }
}
