//! The name of a trace: as asked for, or made from what is recorded.

use crate::args;
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

/// Longest part of a main class that goes into a file name.
const LONGEST_MAIN: usize = 60;

/// What the name of a trace is made from.
#[derive(Clone, Debug)]
pub(crate) struct Subject {
    /// Pid of the target.
    pub(crate) pid: u32,
    /// Main class or jar, as far as known.
    pub(crate) main: String,
}

impl Subject {
    /// The same if its name may be told.
    pub(crate) fn told(&self, may: bool) -> Self {
        match may {
            true => self.clone(),
            false => Self {
                main: "redacted".to_owned(),
                ..*self
            },
        }
    }
}

/// Where the trace goes.
pub(super) fn path(pattern: Option<&Path>, subject: &Subject, now: SystemTime) -> PathBuf {
    let pattern = match pattern {
        Some(pattern) => pattern.to_string_lossy().into_owned(),
        None => args::DEFAULT_OUTPUT.replace("{main}", &short(&subject.main)),
    };
    // The pid first: it cannot contain a "%t", and a main class was put in before both.
    PathBuf::from(
        pattern
            .replace("%p", &subject.pid.to_string())
            .replace("%t", &stamp(now)),
    )
}

/// `com.example.Main` → `Main`, `/opt/app-1.2.jar` → `app-1.2`; only what is harmless in a name.
fn short(main: &str) -> String {
    let file = main.rsplit('/').next().unwrap_or(main);
    let name = match file.strip_suffix(".jar") {
        Some(jar) => jar,
        None => file.rsplit('.').next().unwrap_or(file),
    };
    let harmless = |c: char| {
        if c.is_ascii_alphanumeric() || "-_.".contains(c) {
            c
        } else {
            '_'
        }
    };
    let name: String = name.chars().take(LONGEST_MAIN).map(harmless).collect();
    if name.is_empty() {
        "jvm".to_string()
    } else {
        name
    }
}

/// UTC as `20260731T142359Z`.
fn stamp(now: SystemTime) -> String {
    let seconds = now
        .duration_since(UNIX_EPOCH)
        .map_or(0, |since| since.as_secs());
    let (year, month, day) = civil(seconds / 86_400);
    let (hour, minute, second) = (seconds / 3600 % 24, seconds / 60 % 60, seconds % 60);
    format!("{year:04}{month:02}{day:02}T{hour:02}{minute:02}{second:02}Z")
}

/// Year, month and day of a number of days since 1970, Gregorian.
pub(crate) fn civil(mut days: u64) -> (u64, u64, u64) {
    let leap = |year: u64| {
        year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400))
    };
    let mut year = 1970;
    while days >= 365 + u64::from(leap(year)) {
        days -= 365 + u64::from(leap(year));
        year += 1;
    }
    let february = 28 + u64::from(leap(year));
    let mut month = 1;
    for length in [31, february, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31] {
        if days < length {
            break;
        }
        days -= length;
        month += 1;
    }
    (year, month, days + 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    fn subject(main: &str) -> Subject {
        Subject {
            pid: 42,
            main: main.to_string(),
        }
    }

    fn at(seconds: u64) -> SystemTime {
        UNIX_EPOCH + Duration::from_secs(seconds)
    }

    #[test]
    fn default_name() {
        let name = path(None, &subject("com.example.Main"), at(1_700_000_000));
        assert_eq!(name, Path::new("locklens-Main-42-20231114T221320Z.llt"));
        let jar = path(None, &subject("/opt/app-1.2.jar"), at(0));
        assert_eq!(jar, Path::new("locklens-app-1.2-42-19700101T000000Z.llt"));
    }

    #[test]
    fn pattern() {
        let name = path(
            Some(Path::new("/tmp/%p/%t-%p.llt")),
            &subject("x"),
            at(951_782_400),
        );
        assert_eq!(name, Path::new("/tmp/42/20000229T000000Z-42.llt"));
    }

    #[test]
    fn a_hostile_main_class_stays_a_file_name() {
        assert_eq!(short("a b/../../c d;e"), "c_d_e");
        assert_eq!(short(""), "jvm");
        assert_eq!(short("Kreuzfahrt\u{1b}[0m"), "Kreuzfahrt__0m");
        assert!(short(&"x".repeat(1000)).len() <= LONGEST_MAIN);
    }

    #[test]
    fn last_day_of_a_leap_year() {
        assert_eq!(civil(11_322), (2000, 12, 31));
        assert_eq!(civil(11_323), (2001, 1, 1));
    }
}
