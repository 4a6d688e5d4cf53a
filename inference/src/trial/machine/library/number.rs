//! Static methods of numbers, and the methods of their boxes.

use super::super::Machine;
use super::super::halt::{Do, throw};
use super::super::link::CallLink;
use super::super::real::{Real, converted};
use super::super::value::{Kind, Value, wrapped};
use super::super::world::World;
use locklens_trace::code::Conversion;

impl<'a> Machine<'a> {
    /// A static method of `Math` or of a box.
    pub(super) fn numeric(
        &mut self,
        world: &World<'a>,
        call: &CallLink,
        args: &[Value],
    ) -> Do<Option<Value>> {
        let real = |kind: &Kind| matches!(kind, Kind::Float | Kind::Double);
        match call.name() {
            "toString" => self.text_static(world, call, args),
            "parseInt" | "parseLong" => self.parsed(call, args),
            name if call.method.class == "java.lang.Character" && name != "valueOf" => {
                let letter = args.first().and_then(|a| a.number());
                let known = letter.and_then(|n| super::letters::of_letter(name, n));
                Ok(known.map(Value::Number).or_else(|| of_whole(call, args)))
            }
            name if name.ends_with("Exact") && call.params.len() <= 2 => exact(call, args),
            _ if args.iter().any(|a| matches!(a, Value::Guess(_))) => Ok(of_guesses(call, args)),
            _ if call.params.iter().any(real) => Ok(of_real(call, args)),
            _ => Ok(of_whole(call, args)),
        }
    }

    /// A decimal number.
    fn parsed(&self, call: &CallLink, args: &[Value]) -> Do<Option<Value>> {
        let &[text] = args else {
            return Ok(None);
        };
        let Some(text) = self.text(text).and_then(|t| t.whole()) else {
            return Ok(None);
        };
        let text = String::from_utf16_lossy(text);
        if !text.is_ascii() {
            return Ok(None);
        }
        let number = match call.name() {
            "parseInt" => text.parse::<i32>().map(i64::from),
            _ => text.parse::<i64>(),
        };
        match number {
            Ok(n) => Ok(Some(Value::Number(n))),
            Err(_) => throw("NumberFormatException"),
        }
    }

    /// Methods of boxes and numbers.
    pub(super) fn of_box(
        &mut self,
        world: &World<'a>,
        thread: usize,
        call: &CallLink,
        args: &[Value],
    ) -> Do<Option<Value>> {
        let own = args[0];
        if let Value::Guess(_) = own {
            return Ok(of_guess(call.name(), args));
        }
        Ok(match (call.name(), args.get(1)) {
            ("equals", Some(&other)) => Some(Value::flag(self.equal(world, thread, own, other)?)),
            ("compareTo", Some(&other)) => compared(own, other),
            (name, None) => boxed(name, own),
            _ => None,
        })
    }
}

/// Methods of the box of a number that is guessed.
fn of_guess(name: &str, args: &[Value]) -> Option<Value> {
    let n = args[0].likely()?;
    match (name, args.get(1)) {
        ("equals", Some(other)) => Some(Value::Guess(i64::from(n == other.likely()?))),
        ("compareTo", Some(other)) => Some(Value::Guess(n.cmp(&other.likely()?) as i64)),
        (_, None) if name == "hashCode" || name.ends_with("Value") => Some(args[0]),
        _ => None,
    }
}

/// What a box answers without being asked for more.
fn boxed(name: &str, own: Value) -> Option<Value> {
    let whole = |how| match own {
        Value::Real(_) => Some(converted(own, how)),
        _ => own.number().map(Value::Number),
    };
    let real = |wide| Some(Value::Real(Real::new(own.real()?, wide)));
    match name {
        "intValue" => whole(Conversion::DoubleToInt),
        "longValue" => whole(Conversion::DoubleToLong),
        "floatValue" => real(false),
        "doubleValue" => real(true),
        "isNaN" => own.real().map(|r| Value::flag(r.is_nan())),
        "isInfinite" => own.real().map(|r| Value::flag(r.is_infinite())),
        "booleanValue" | "shortValue" | "byteValue" | "charValue" | "hashCode" => match own {
            Value::Real(_) => None,
            _ => own.number().map(Value::Number),
        },
        _ => None,
    }
}

/// As `compareTo` orders two boxes.
pub(super) fn compared(a: Value, b: Value) -> Option<Value> {
    let order = match (a, b) {
        (Value::Real(_), _) | (_, Value::Real(_)) => total(a.real()?, b.real()?),
        _ => a.number()?.cmp(&b.number()?) as i64,
    };
    Some(Value::Number(order))
}

/// The order of `Double.compare`: -0.0 comes before 0.0, and what is no number at the end.
fn total(a: f64, b: f64) -> i64 {
    match (a.is_nan(), b.is_nan()) {
        (true, true) => 0,
        (true, false) => 1,
        (false, true) => -1,
        (false, false) => a.total_cmp(&b) as i64,
    }
}

/// Functions of numbers of floating point, as far as every JVM computes the same.
fn of_real(call: &CallLink, args: &[Value]) -> Option<Value> {
    let wide = call.params.first() == Some(&Kind::Double);
    let a = args.first()?.real()?;
    let b = args.get(1).and_then(|b| b.real());
    let real = match (call.name(), b) {
        ("max", Some(b)) => extreme(a, b, total(a, b) >= 0),
        ("min", Some(b)) => extreme(a, b, total(a, b) <= 0),
        ("abs", None) => a.abs(),
        ("ceil", None) => a.ceil(),
        ("floor", None) => a.floor(),
        ("rint", None) => a.round_ties_even(),
        ("sqrt", None) => a.sqrt(),
        ("signum", None) if a == 0.0 || a.is_nan() => a,
        ("signum", None) => a.signum(),
        ("sum", Some(b)) => a + b,
        ("valueOf", None) => a,
        _ => return of_real_whole(call.name(), a, b, wide),
    };
    Some(Value::Real(Real::new(real, wide)))
}

/// Those that give whole numbers.
fn of_real_whole(name: &str, a: f64, b: Option<f64>, wide: bool) -> Option<Value> {
    let n = match (name, b) {
        ("compare", Some(b)) => total(a, b),
        ("isNaN", None) => a.is_nan().into(),
        ("isInfinite", None) => a.is_infinite().into(),
        ("isFinite", None) => a.is_finite().into(),
        ("round", None) => {
            // Up from the middle, without adding a half first, which may round.
            let below = a.floor();
            let rounded = if a - below >= 0.5 { below + 1.0 } else { below };
            match wide {
                true => rounded as i64,
                false => (rounded as i32).into(),
            }
        }
        ("doubleToLongBits" | "doubleToRawLongBits", None) if !a.is_nan() => a.to_bits() as i64,
        ("floatToIntBits" | "floatToRawIntBits", None) if !a.is_nan() => {
            i64::from((a as f32).to_bits() as i32)
        }
        _ => return None,
    };
    Some(Value::Number(n))
}

/// One of two, unless one is no number.
fn extreme(a: f64, b: f64, first: bool) -> f64 {
    match (a.is_nan() || b.is_nan(), first) {
        (true, _) => f64::NAN,
        (_, true) => a,
        (_, false) => b,
    }
}

/// Functions of numbers some of which are guessed: those of floating point are whole ones then.
fn of_guesses(call: &CallLink, args: &[Value]) -> Option<Value> {
    match call.name() {
        "ceil" | "floor" | "rint" | "round" => args.first().copied(),
        _ => of_whole(call, args),
    }
}

/// Functions that fail where the result does not fit.
fn exact(call: &CallLink, args: &[Value]) -> Do<Option<Value>> {
    let wide = call.result.is_some_and(|k| k.is_wide());
    let first = args.first().and_then(|a| a.likely());
    let second = args.get(1).and_then(|a| a.likely());
    let (Some(a), b) = (first, second.unwrap_or(1)) else {
        return Ok(None);
    };
    let computed = match call.name() {
        "addExact" | "incrementExact" => a.checked_add(b),
        "subtractExact" | "decrementExact" => a.checked_sub(b),
        "multiplyExact" => a.checked_mul(b),
        "negateExact" => a.checked_neg(),
        "toIntExact" => Some(a),
        _ => return Ok(None),
    };
    match computed.filter(|&n| wrapped(n, wide) == n) {
        Some(n) => Ok(Some(Value::derived(args, n))),
        None => throw("ArithmeticException"),
    }
}

/// Functions of whole numbers.
fn of_whole(call: &CallLink, args: &[Value]) -> Option<Value> {
    let wide = call.result.is_some_and(|k| k.is_wide());
    let first = args.first().and_then(|a| a.likely());
    let second = args.get(1).and_then(|a| a.likely());
    if call.name() == "valueOf" {
        let box_of_number = !call.method.descriptor.starts_with("(L");
        return args.first().copied().filter(|_| box_of_number);
    }
    let n = match (call.name(), first, second) {
        ("max", Some(a), Some(b)) => a.max(b),
        ("min", Some(a), Some(b)) => a.min(b),
        ("abs", Some(a), _) => a.wrapping_abs(),
        ("floorMod", Some(a), Some(b)) if b != 0 => a.wrapping_rem_euclid(b),
        ("floorDiv", Some(a), Some(b)) if b != 0 => a.wrapping_div_euclid(b),
        ("sum", Some(a), Some(b)) => a.wrapping_add(b),
        ("compare", Some(a), Some(b)) => a.cmp(&b) as i64,
        ("hashCode", Some(a), _) if width(call) == 32 => a,
        ("hashCode", Some(a), _) => wrapped(a ^ ((a as u64) >> 32) as i64, false),
        ("logicalOr", Some(a), Some(b)) => a | b,
        ("logicalAnd", Some(a), Some(b)) => a & b,
        ("logicalXor", Some(a), Some(b)) => a ^ b,
        ("rotateLeft", Some(a), Some(b)) if width(call) == 32 => {
            (a as i32).rotate_left(b as u32 & 31).into()
        }
        ("rotateRight", Some(a), Some(b)) if width(call) == 32 => {
            (a as i32).rotate_right(b as u32 & 31).into()
        }
        ("rotateLeft", Some(a), Some(b)) => a.rotate_left(b as u32 & 63),
        ("rotateRight", Some(a), Some(b)) => a.rotate_right(b as u32 & 63),
        ("toUnsignedLong", Some(a), _) => i64::from(a as u32),
        ("signum", Some(a), _) => a.signum(),
        ("lowestOneBit", Some(a), _) => a & a.wrapping_neg(),
        ("bitCount", Some(a), _) => bits(call, a).count_ones().into(),
        ("numberOfTrailingZeros", Some(a), _) => {
            i64::from(bits(call, a).trailing_zeros().min(width(call)))
        }
        ("numberOfLeadingZeros", Some(a), _) => {
            i64::from(bits(call, a).leading_zeros()) - 64 + i64::from(width(call))
        }
        ("highestOneBit", Some(a), _) => match bits(call, a) {
            0 => 0,
            some => 1 << some.ilog2(),
        },
        _ => return None,
    };
    Some(Value::derived(args, wrapped(n, wide)))
}

/// Bits of the numbers that a method is about.
fn width(call: &CallLink) -> u32 {
    match call.method.class == "java.lang.Long" {
        true => 64,
        false => 32,
    }
}

fn bits(call: &CallLink, n: i64) -> u64 {
    if call.method.class == "java.lang.Long" {
        n as u64
    } else {
        u64::from(n as u32)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn double(value: f64) -> Value {
        Value::Real(Real::new(value, true))
    }

    #[test]
    fn extremes_and_order_are_those_of_the_library() {
        assert_eq!(total(-0.0, 0.0), -1);
        assert_eq!(total(f64::NAN, f64::INFINITY), 1);
        assert_eq!(total(f64::NAN, -f64::NAN), 0);
        assert!(extreme(0.0, f64::NAN, true).is_nan());
        assert_eq!(compared(double(1.5), double(2.0)), Some(Value::Number(-1)));
        assert_eq!(
            compared(Value::Number(3), Value::Number(2)),
            Some(Value::Number(1))
        );
    }

    #[test]
    fn halves_are_rounded_up() {
        let round = |value| of_real_whole("round", value, None, true);
        assert_eq!(round(2.5), Some(Value::Number(3)));
        assert_eq!(round(-2.5), Some(Value::Number(-2)));
        assert_eq!(round(0.499_999_999_999_999_94), Some(Value::Number(0)));
        assert_eq!(round(f64::NAN), Some(Value::Number(0)));
        assert_eq!(round(1e300), Some(Value::Number(i64::MAX)));
    }

    #[test]
    fn boxes_convert_as_their_numbers() {
        assert_eq!(boxed("intValue", double(2.9)), Some(Value::Number(2)));
        assert_eq!(boxed("doubleValue", Value::Number(2)), Some(double(2.0)));
        assert_eq!(boxed("longValue", Value::Number(7)), Some(Value::Number(7)));
        assert_eq!(boxed("hashCode", double(2.9)), None);
    }
}
