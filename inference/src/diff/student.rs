//! Student's distribution: how far a mean of few may be off.
//!
//! With t = √ν·tan θ its density is proportional to cos θ to the power ν − 1, smooth where it is looked at: so its tail
//! is the quotient of two integrals.

use std::f64::consts::FRAC_PI_2;

/// Steps of an integral: enough for five digits of 1 to 200 degrees of freedom.
const STEPS: u32 = 100;
/// Steps to a limit at most.
const NEWTON: u32 = 50;

/// How likely chance alone gives a value at least that far from 0, either way, with so many degrees of freedom.
pub(super) fn both_tails(t: f64, freedom: f64) -> f64 {
    Tails::of(freedom).beyond(t)
}

/// How far from 0 a value is, either way, that chance alone exceeds so seldom.
pub(super) fn limit(seldom: f64, freedom: f64) -> f64 {
    let tails = Tails::of(freedom);
    // The integral bends upwards: from its right end Newton's steps never go too far.
    let mut tail = FRAC_PI_2;
    for _ in 0..NEWTON {
        let step = (area(tail, freedom) - seldom * tails.whole) / tail.sin().powf(freedom - 1.0);
        tail = (tail - step).max(f64::MIN_POSITIVE);
        if step < 1e-9 * tail {
            break;
        }
    }
    freedom.sqrt() / tail.tan()
}

/// The distribution of so many degrees of freedom.
struct Tails {
    freedom: f64,
    whole: f64,
}

impl Tails {
    fn of(freedom: f64) -> Self {
        Self {
            freedom,
            whole: area(FRAC_PI_2, freedom),
        }
    }

    fn beyond(&self, t: f64) -> f64 {
        let tail = (self.freedom.sqrt() / t.abs()).atan();
        (area(tail, self.freedom) / self.whole).clamp(0.0, 1.0)
    }
}

/// The integral of the sine to the power ν − 1 from 0 on, after Simpson.
fn area(to: f64, freedom: f64) -> f64 {
    let width = to / f64::from(STEPS);
    let height = |step: u32| (width * f64::from(step)).sin().powf(freedom - 1.0);
    let inner = (1..STEPS).map(|step| height(step) * if step % 2 == 1 { 4.0 } else { 2.0 });
    (height(0) + inner.sum::<f64>() + height(STEPS)) * width / 3.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_as_the_tables_have_it() {
        // NIST/SEMATECH e-Handbook of Statistical Methods, 1.3.6.7.2.
        for (freedom, tails, t) in [
            (1.0, 0.05, 12.706),
            (9.0, 0.05, 2.262),
            (9.0, 0.002, 4.297),
            (19.0, 0.05, 2.093),
            (39.0, 0.01, 2.708),
            (100.0, 0.05, 1.984),
        ] {
            assert!((limit(tails, freedom) - t).abs() < 6e-4, "{freedom} {t}");
            assert!((both_tails(t, freedom) / tails - 1.0).abs() < 3e-3);
        }
    }

    #[test]
    fn its_ends_are_no_trouble() {
        assert!((both_tails(0.0, 9.0) - 1.0).abs() < 1e-9);
        assert!(both_tails(1e9, 9.0) < 1e-40);
        assert!(both_tails(f64::INFINITY, 9.0) < 1e-40);
    }
}
