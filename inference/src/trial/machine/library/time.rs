//! Units of time, and the durations and instants of `java.time`.

use super::super::Machine;
use super::super::halt::{Do, stuck};
use super::super::heap::Native;
use super::super::link::CallLink;
use super::super::value::{ObjectId, Value};

const SECOND: i64 = 1_000_000_000;

/// The unit of time with this name, in nanoseconds.
pub(in super::super) fn unit(name: &str) -> Option<i64> {
    Some(match name {
        "NANOSECONDS" => 1,
        "MICROSECONDS" => 1_000,
        "MILLISECONDS" => 1_000_000,
        "SECONDS" => SECOND,
        "MINUTES" => 60 * SECOND,
        "HOURS" => 3_600 * SECOND,
        "DAYS" => 86_400 * SECOND,
        _ => return None,
    })
}

/// Nanoseconds of the unit that a method's name ends with: `toMillis`, `plusSeconds`, `ofDays`.
fn named(name: &str, start: &str) -> Option<i64> {
    Some(match name.strip_prefix(start)? {
        "Nanos" => 1,
        "Micros" => 1_000,
        "Millis" | "EpochMilli" => 1_000_000,
        "Seconds" | "EpochSecond" => SECOND,
        "Minutes" => 60 * SECOND,
        "Hours" => 3_600 * SECOND,
        "Days" => 86_400 * SECOND,
        _ => return None,
    })
}

impl Machine<'_> {
    /// A method of a unit of time. A limit that does not fit into nanoseconds stays the largest
    /// that does.
    pub(super) fn of_unit(
        &mut self,
        thread: usize,
        call: &CallLink,
        nanos: i64,
        args: &[Value],
    ) -> Do<Option<Value>> {
        let whole = |time: &Value| time.number().map(|n| n.saturating_mul(nanos));
        Ok(match (call.name(), args) {
            ("sleep", [time]) => {
                let of = &mut self.threads[thread];
                of.now = of.now.saturating_add(whole(time).unwrap_or(1).max(0));
                self.latest = self.latest.max(of.now);
                None
            }
            ("convert", [time, Value::Object(from)]) => match self.heap.get(*from).native {
                Native::Unit(from) => time
                    .number()
                    .map(|n| Value::Number(n.saturating_mul(from) / nanos)),
                _ => None,
            },
            ("convert", &[Value::Object(span)]) => match self.heap.get(span).native {
                Native::Span(span) => Some(Value::Number(span / nanos)),
                _ => None,
            },
            (name, [time]) => {
                let per = named(name, "to");
                per.zip(whole(time)).map(|(per, n)| Value::Number(n / per))
            }
            _ => None,
        })
    }

    fn new_span(&mut self, class: &str, nanos: i64) -> Do<Option<Value>> {
        let made = self.allocate(class.into(), Native::Span(nanos))?;
        Ok(Some(Value::Object(made)))
    }

    fn nanos_of(&self, value: Value) -> Option<i64> {
        match value {
            Value::Object(id) => match self.heap.get(id).native {
                Native::Span(nanos) => Some(nanos),
                _ => None,
            },
            _ => None,
        }
    }

    /// A static method of `Duration` or `Instant`.
    pub(super) fn span_static(
        &mut self,
        thread: usize,
        call: &CallLink,
        args: &[Value],
    ) -> Do<Option<Value>> {
        let class = call.method.class.as_str();
        let now = self.threads[thread].now;
        let nanos = match (call.name(), args) {
            ("now", []) => Some(now),
            ("between", &[from, to]) => {
                let ends = self.nanos_of(from).zip(self.nanos_of(to));
                ends.map(|(from, to)| to.saturating_sub(from))
            }
            ("of", &[amount, Value::Object(unit)]) => match self.heap.get(unit).native {
                Native::Unit(unit) => amount.number().map(|n| n.saturating_mul(unit)),
                _ => None,
            },
            (name, [amount]) => named(name, "of")
                .zip(amount.number())
                .map(|(unit, n)| n.saturating_mul(unit)),
            _ => None,
        };
        match nanos {
            Some(nanos) => self.new_span(class, nanos),
            None => Ok(None),
        }
    }

    /// A method of a duration or an instant.
    pub(super) fn span(
        &mut self,
        call: &CallLink,
        id: ObjectId,
        nanos: i64,
        args: &[Value],
    ) -> Do<Option<Value>> {
        let name = call.name();
        let other = args.first().and_then(|&a| self.nanos_of(a));
        let number = args.first().and_then(|a| a.number());
        let known = match (name, other, number, args.len()) {
            ("isNegative", _, _, 0) => i64::from(nanos < 0),
            ("isZero", _, _, 0) => i64::from(nanos == 0),
            ("isPositive", _, _, 0) => i64::from(nanos > 0),
            ("getSeconds", _, _, 0) => nanos.div_euclid(SECOND),
            ("getNano", _, _, 0) => nanos.rem_euclid(SECOND),
            ("compareTo", Some(other), ..) => nanos.cmp(&other) as i64,
            ("isBefore", Some(other), ..) => i64::from(nanos < other),
            ("isAfter", Some(other), ..) => i64::from(nanos > other),
            (_, _, _, 0) => match named(name, "to").or_else(|| named(name, "get")) {
                Some(per) => nanos / per,
                None => return self.changed_span(call, id, nanos, args),
            },
            _ => return self.changed_span(call, id, nanos, args),
        };
        Ok(Some(Value::Number(known)))
    }

    fn changed_span(
        &mut self,
        call: &CallLink,
        id: ObjectId,
        nanos: i64,
        args: &[Value],
    ) -> Do<Option<Value>> {
        let name = call.name();
        let other = args.first().and_then(|&a| self.nanos_of(a));
        let number = args.first().and_then(|a| a.number());
        let changed = match (name, other, number) {
            ("plus", Some(other), _) => nanos.saturating_add(other),
            ("minus", Some(other), _) => nanos.saturating_sub(other),
            ("multipliedBy", _, Some(n)) => nanos.saturating_mul(n),
            ("dividedBy", _, Some(n)) if n != 0 => nanos / n,
            ("negated", ..) => nanos.saturating_neg(),
            ("abs", ..) => nanos.saturating_abs(),
            (_, _, Some(n)) => match (named(name, "plus"), named(name, "minus")) {
                (Some(unit), _) => nanos.saturating_add(n.saturating_mul(unit)),
                (_, Some(unit)) => nanos.saturating_sub(n.saturating_mul(unit)),
                _ => return stuck(format!("{} is not modelled", call.full_name())),
            },
            ("toString", ..) => return Ok(None),
            _ => return Self::not_modelled(call),
        };
        let class = self.heap.get(id).name.to_string();
        self.new_span(&class, changed)
    }
}
