//! Quantities as people type them: `30`, `30s`, `1m`, `500ms`; `64M`, `65536`.

use std::time::Duration;

/// Reads a length of time. A bare number means seconds.
pub(crate) fn duration(text: &str) -> Result<Duration, String> {
    let (number, unit) = split(text)?;
    let seconds = match unit {
        "" | "s" | "sec" => number,
        "ms" => number / 1e3,
        "us" => number / 1e6,
        "m" | "min" => number * 60.0,
        "h" => number * 3600.0,
        _ => return Err(format!("unknown unit '{unit}' (use ms, s, m or h)")),
    };
    Duration::try_from_secs_f64(seconds).map_err(|_| "too long".to_string())
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
    }

    #[test]
    fn what_is_no_duration() {
        for text in ["", "s", "-1", "1x", "1.2.3", "99999999999999999999999h"] {
            assert!(duration(text).is_err(), "{text}");
        }
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
