//! Quantities as people type them: `30`, `30s`, `1m`, `500ms`; `64M`, `65536`.

use std::time::Duration;

/// Nobody records longer; what is longer is a slip of the hand.
const LONGEST: Duration = Duration::from_secs(366 * 86_400);
const DURATIONS: &str = "expected a time such as 30, 30s, 1m30s or 500ms";

/// Reads a length of time. A bare number means seconds; several with units are added up.
pub(crate) fn duration(text: &str) -> Result<Duration, String> {
    let mut rest = text.trim();
    if rest.starts_with('-') && rest[1..].starts_with(|c: char| c.is_ascii_digit()) {
        return Err("a time can't be negative".to_string());
    }
    let whole = rest;
    let mut sum = Duration::ZERO;
    while !rest.is_empty() || whole.is_empty() {
        let (part, more) = part(rest)?;
        let bare = part.1.is_empty() && part.0.len() != whole.len();
        if bare {
            return Err(DURATIONS.to_string());
        }
        sum = sum.saturating_add(length(part)?);
        rest = more;
    }
    match sum {
        sum if sum > LONGEST => Err("longer than a year".to_string()),
        sum => Ok(sum),
    }
}

/// The first number with its unit, and what comes behind it.
fn part(text: &str) -> Result<((&str, &str), &str), String> {
    let end_of =
        |text: &str, is_part: fn(char) -> bool| text.find(|c| !is_part(c)).unwrap_or(text.len());
    let (number, rest) = text.split_at(end_of(text, |c| c.is_ascii_digit() || c == '.'));
    let rest = rest.trim_start();
    let (unit, rest) = rest.split_at(end_of(rest, char::is_alphabetic));
    match number.is_empty() || unit.is_empty() && !rest.is_empty() {
        true => Err(DURATIONS.to_string()),
        false => Ok(((number, unit), rest.trim_start())),
    }
}

fn length((number, unit): (&str, &str)) -> Result<Duration, String> {
    let number: f64 = number.parse().map_err(|_| DURATIONS.to_string())?;
    let seconds = match unit {
        "" | "s" | "sec" => number,
        "ms" => number / 1e3,
        "us" => number / 1e6,
        "m" | "min" => number * 60.0,
        "h" => number * 3600.0,
        "d" => number * 86_400.0,
        _ => return Err(format!("unknown unit '{unit}' (use ms, s, m, h or d)")),
    };
    // What is too long for the type is too long for us as well.
    Ok(Duration::try_from_secs_f64(seconds).unwrap_or(Duration::MAX))
}

/// Reads a share as `10%` or `10`, which is the same; the share, 0 to 1.
pub(crate) fn percent(text: &str) -> Result<f64, String> {
    percent_from(text, 0.0)
}

/// The same where there is a least, in percent.
pub(crate) fn percent_from(text: &str, least: f64) -> Result<f64, String> {
    let number = text.trim().trim_end_matches('%').trim_end();
    let percent: Result<f64, _> = number.parse();
    match percent {
        Ok(percent) if (least..=100.0).contains(&percent) => Ok(percent / 100.0),
        Ok(_) => Err(format!("expected {least}% to 100%")),
        Err(_) => Err("expected a percentage such as 10%".to_string()),
    }
}

/// Reads a number of bytes. `K`, `M`, `G` are powers of 1024.
pub(crate) fn bytes(text: &str) -> Result<u64, String> {
    let (number, unit) = split(text)?;
    let factor = match unit.to_ascii_lowercase().trim_end_matches(['b', 'i']) {
        "" => 1.0,
        "k" => 1024.0,
        "m" => 1024.0 * 1024.0,
        "g" => 1024.0 * 1024.0 * 1024.0,
        _ => return Err(format!("unknown unit '{unit}' (use K, M or G)")),
    };
    let total = number * factor;
    if total > 1e15 {
        return Err("too large".to_string());
    }
    #[allow(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "0 to 1e15, checked above"
    )]
    Ok(total as u64)
}

fn split(text: &str) -> Result<(f64, &str), String> {
    let text = text.trim();
    let end = text
        .find(|c: char| !c.is_ascii_digit() && c != '.')
        .unwrap_or(text.len());
    let (number, unit) = text.split_at(end);
    let number = number
        .parse()
        .map_err(|_| "expected a number".to_string())?;
    Ok((number, unit.trim()))
}

/// Writes a number of bytes for people.
pub(crate) fn show_bytes(bytes: u64) -> String {
    const UNITS: [(&str, u64); 3] = [("GB", 1 << 30), ("MB", 1 << 20), ("KB", 1 << 10)];
    for (unit, size) in UNITS {
        if bytes >= size {
            #[allow(clippy::cast_precision_loss, reason = "shown with one decimal")]
            let value = bytes as f64 / size as f64;
            return if bytes.is_multiple_of(size) {
                format!("{value:.0} {unit}")
            } else {
                format!("{value:.1} {unit}")
            };
        }
    }
    format!("{bytes} bytes")
}

/// Writes a length of time for people: whole seconds as `30 s`, shorter ones as `1.5 s`, `20 ms`.
pub(crate) fn show_duration(length: Duration) -> String {
    if length < Duration::from_secs(1) {
        return format!("{} ms", length.as_millis());
    }
    if length.subsec_millis() < 50 {
        return format!("{} s", length.as_secs());
    }
    format!("{:.1} s", length.as_secs_f64())
}

/// Writes a count with its noun: `1 event`, `2 events`.
pub(crate) fn counted(count: u64, noun: &str) -> String {
    format!("{count} {noun}{}", if count == 1 { "" } else { "s" })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations() {
        assert_eq!(duration("30"), Ok(Duration::from_secs(30)));
        assert_eq!(duration("30s"), Ok(Duration::from_secs(30)));
        assert_eq!(duration("1m"), Ok(Duration::from_secs(60)));
        assert_eq!(duration("500ms"), Ok(Duration::from_millis(500)));
        assert_eq!(duration("0.5 h"), Ok(Duration::from_secs(1800)));
        assert_eq!(duration("30 s"), Ok(Duration::from_secs(30)));
        assert_eq!(duration("1m30s"), Ok(Duration::from_secs(90)));
        assert_eq!(duration("1h 1m 0.5s"), Ok(Duration::from_millis(3_660_500)));
        assert_eq!(duration("0"), Ok(Duration::ZERO));
    }

    #[test]
    fn what_is_no_duration() {
        for text in [
            "", " ", "s", "1.2.3", ".", "1 2", "1m30", "30,5", "soon", "-o", "-", "µ",
        ] {
            assert_eq!(duration(text), Err(DURATIONS.to_string()), "{text}");
        }
        for (text, why) in [
            ("-1", "negative"),
            ("-5s", "negative"),
            ("1x", "unit 'x'"),
            ("1e9", "unit 'e'"),
            ("9999d", "a year"),
            ("99999999999999999999999h", "a year"),
            ("1d 366d", "a year"),
        ] {
            assert!(duration(text).unwrap_err().contains(why), "{text}");
        }
    }

    #[test]
    fn percentages() {
        assert_eq!(percent("10%"), Ok(0.1));
        assert_eq!(percent(" 2.5 % "), Ok(0.025));
        assert_eq!(percent("0"), Ok(0.0));
        for text in ["", "%", "-1", "101%", "nan", "a lot"] {
            assert!(percent(text).is_err(), "{text}");
        }
        assert_eq!(percent("101"), Err("expected 0% to 100%".to_owned()));
        for text in ["0", "0.09%", "500%"] {
            assert_eq!(
                percent_from(text, 0.1),
                Err("expected 0.1% to 100%".to_owned())
            );
        }
        assert_eq!(percent_from("0.1%", 0.1), Ok(0.001));
    }

    #[test]
    fn sizes() {
        assert_eq!(bytes("65536"), Ok(65536));
        assert_eq!(bytes("64M"), Ok(64 << 20));
        assert_eq!(bytes("1GiB"), Ok(1 << 30));
        assert_eq!(bytes("8kb"), Ok(8192));
        for text in ["", "M", "1T", "-3", "9999999999G"] {
            assert!(bytes(text).is_err(), "{text}");
        }
    }

    #[test]
    fn shown() {
        assert_eq!(show_bytes(64 << 20), "64 MB");
        assert_eq!(show_bytes(1536), "1.5 KB");
        assert_eq!(show_bytes(12), "12 bytes");
        assert_eq!(show_duration(Duration::from_millis(20)), "20 ms");
        assert_eq!(show_duration(Duration::from_millis(1500)), "1.5 s");
        assert_eq!(show_duration(Duration::from_secs(30)), "30 s");
        assert_eq!(counted(1, "event"), "1 event");
    }
}
