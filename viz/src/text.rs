//! Words and numbers as people read them. Everything that came from the target passes through
//! [`clean`] before it reaches a terminal.

use crate::Look;
pub use crate::cut::clip;
pub(crate) use crate::cut::{fitted, middle};
use locklens_inference::model::{RegionReport, Verdict};
use locklens_inference::types::{Detail, LockType};
use locklens_trace::Nanos;
use unicode_width::UnicodeWidthStr;

/// Text from the target, made harmless: no control characters (hence no escape sequences and no line
/// breaks), none that change the direction of writing, none that cannot be seen.
#[must_use]
pub fn clean(text: &str) -> String {
    text.chars()
        .map(|c| if is_harmful(c) { '\u{fffd}' } else { c })
        .collect()
}

/// Whether a character controls something, changes the direction of writing, or cannot be seen.
pub(crate) fn is_harmful(c: char) -> bool {
    c.is_control()
        || matches!(c,
            '\u{ad}' | '\u{61c}' | '\u{115f}'..='\u{1160}' | '\u{180e}' | '\u{200b}'..='\u{200f}'
            | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{3164}' | '\u{feff}' | '\u{ffa0}'
            | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e0fff}')
}

/// The same for text of several lines: the breaks between them stay.
#[must_use]
pub fn clean_lines(text: &str) -> String {
    text.split('\n').map(clean).collect::<Vec<_>>().join("\n")
}

/// Left-aligned in `width` columns.
pub(crate) fn left(text: &str, width: usize) -> String {
    let clipped = clip(text, width);
    let pad = width - clipped.width().min(width);
    clipped + &" ".repeat(pad)
}

/// Right-aligned in `width` columns.
pub(crate) fn right(text: &str, width: usize) -> String {
    let clipped = clip(text, width);
    " ".repeat(width - clipped.width().min(width)) + &clipped
}

/// A length of time in three digits: `12.3ms`.
pub(crate) fn time(time: Nanos) -> String {
    let units = [(1e9, "s"), (1e6, "ms"), (1e3, "µs")];
    let ns = time.0 as f64;
    match units.iter().find(|(unit, _)| ns >= *unit * 0.9995) {
        Some((unit, name)) => format!("{}{name}", three_digits(ns / unit)),
        None => format!("{}ns", time.0),
    }
}

/// A moment of a recording, in seconds from its beginning.
pub(crate) fn seconds(at: Nanos) -> String {
    three_digits(at.0 as f64 / 1e9)
}

fn three_digits(value: f64) -> String {
    match value {
        v if v >= 99.95 => format!("{v:.0}"),
        v if v >= 9.995 => format!("{v:.1}"),
        v => format!("{v:.2}"),
    }
}

/// A number with its thousands apart: `12,345`.
pub(crate) fn count(n: u64) -> String {
    let digits = n.to_string();
    let mut grouped = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    grouped
}

/// A number in at most five characters: `12.3k`.
pub(crate) fn short_count(n: u64) -> String {
    match n {
        0..=9_999 => n.to_string(),
        10_000..=999_949 => format!("{}k", three_digits(n as f64 / 1e3)),
        _ => format!("{}M", three_digits(n as f64 / 1e6)),
    }
}

/// A number of bytes, in powers of 1,024 as everywhere in the command.
pub(crate) fn bytes(n: u64) -> String {
    const KB: u64 = 1 << 10;
    const MB: u64 = 1 << 20;
    match n {
        0..=9_999 => format!("{} B", count(n)),
        10_000..MB => format!("{} KB", three_digits(n as f64 / KB as f64)),
        _ => format!("{} MB", three_digits(n as f64 / MB as f64)),
    }
}

/// A share as whole percent, never rounded to "all" or "nothing" when it is not.
pub(crate) fn percent(share: f64) -> String {
    match share {
        // What is left of nothing may be a little less.
        s if s <= 0.0 && s > -0.005 => "0%".to_owned(),
        s if s > 0.0 && s < 0.01 => "<1%".to_owned(),
        s if s < 1.0 && s > 0.99 => "99%".to_owned(),
        s => format!("{:.0}%", s * 100.0),
    }
}

/// Binary class name as a programmer writes it: without package, arrays as `int[]`, and without the
/// number of a class made at run time, which is another one in the next run.
pub(crate) fn short_class(name: &str) -> String {
    let element = name.trim_start_matches('[');
    let dimensions = name.len() - element.len();
    let element = match element.strip_prefix('L') {
        Some(class) if dimensions > 0 => class.trim_end_matches(';'),
        _ if dimensions > 0 => primitive(element).unwrap_or(element),
        _ => element,
    };
    let number = element.find("$$Lambda").map(|at| at + "$$Lambda".len());
    let end = number.or_else(|| element.find('/'));
    let named = &element[..end.unwrap_or(element.len())];
    let start = named.rfind('.').map_or(0, |dot| dot + 1);
    named[start..].to_owned() + &"[]".repeat(dimensions)
}

/// The primitive type of a one-letter descriptor.
fn primitive(descriptor: &str) -> Option<&'static str> {
    Some(match descriptor {
        "Z" => "boolean",
        "B" => "byte",
        "C" => "char",
        "S" => "short",
        "I" => "int",
        "J" => "long",
        "F" => "float",
        "D" => "double",
        _ => return None,
    })
}

/// The parameters of a method descriptor, `(String[], long)`; as it is if it is none.
pub(crate) fn parameters(descriptor: &str) -> String {
    let types = descriptor.strip_prefix('(').and_then(|rest| {
        let (mut rest, _) = rest.split_once(')')?;
        let mut types = Vec::new();
        while !rest.is_empty() {
            let (one, others) = rest.split_at(type_length(rest)?);
            types.push(java_type(one));
            rest = others;
        }
        Some(types)
    });
    types.map_or_else(
        || descriptor.to_owned(),
        |types| format!("({})", types.join(", ")),
    )
}

/// What a method of this descriptor returns; `void` if it is none.
pub(crate) fn returned(descriptor: &str) -> String {
    let result = descriptor.rsplit_once(')').map(|(_, result)| result);
    let result = result.filter(|result| !result.is_empty() && *result != "V");
    result.map_or_else(|| "void".to_owned(), java_type)
}

/// Bytes of the field descriptor that a text begins with.
fn type_length(text: &str) -> Option<usize> {
    let dimensions = text.len() - text.trim_start_matches('[').len();
    let element = &text[dimensions..];
    let length = match element.chars().next()? {
        'L' => element.find(';')? + 1,
        letter => letter.len_utf8(),
    };
    Some(dimensions + length)
}

fn java_type(descriptor: &str) -> String {
    let dotted = descriptor.replace('/', ".");
    // Within an array a class stands between L and ; already.
    match dotted.strip_prefix('L') {
        Some(class) => short_class(class.trim_end_matches(';')),
        None => primitive(&dotted).map_or_else(|| short_class(&dotted), str::to_owned),
    }
}

/// `Class.method`.
pub(crate) fn place(region: &RegionReport) -> String {
    clean(&format!("{}.{}", short_class(&region.class), region.method))
}

/// `package.Class.method:12` without the package.
pub(crate) fn short_place(place: &str) -> String {
    match place.rsplit_once('.') {
        Some((class, method)) => format!("{}.{method}", short_class(class)),
        None => place.to_owned(),
    }
}

/// A number with its thing: `1 object`, `2 objects`, `3 classes`.
#[must_use]
pub fn many(n: u64, thing: &str) -> String {
    let plural = match thing.ends_with('s') {
        true => "es",
        false => "s",
    };
    format!("{} {thing}{}", count(n), if n == 1 { "" } else { plural })
}

/// Equal words that follow each other as one: `Thread.join ×2`.
pub(crate) fn tallied(words: &[String]) -> Vec<String> {
    let equal = words.chunk_by(|a, b| a == b);
    equal
        .map(|same| match same {
            [one] => one.clone(),
            _ => format!("{} ×{}", same[0], same.len()),
        })
        .collect()
}

/// Words with commas between them, in lines no longer than `width`, all but the first indented.
pub(crate) fn listed(words: &[String], indent: usize, width: usize) -> String {
    let mut text = String::new();
    let mut used = indent;
    for (nth, word) in words.iter().enumerate() {
        let comma = usize::from(nth + 1 < words.len());
        if nth > 0 && used + 1 + word.width() + comma > width {
            text.push('\n');
            text.push_str(&" ".repeat(indent));
            used = indent;
        } else if nth > 0 {
            text.push(' ');
            used += 1;
        }
        text.push_str(word);
        text.push_str(&",".repeat(comma));
        used += word.width() + comma;
    }
    text
}

/// Words in lines no longer than `width`, all but the first indented; the first begins two columns in.
#[must_use]
pub fn folded(text: &str, indent: usize, width: usize) -> String {
    broken(text, 2, indent, width)
}

/// Words in lines no longer than `width`; none are indented.
pub(crate) fn wrapped(text: &str, width: usize) -> String {
    broken(text, 0, 0, width)
}

/// The same, given the columns before the first word.
fn broken(text: &str, mut used: usize, indent: usize, width: usize) -> String {
    let mut folded = String::new();
    for (nth, word) in text.split(' ').enumerate() {
        if nth > 0 && used + 1 + word.width() > width {
            folded.push('\n');
            folded.push_str(&" ".repeat(indent));
            used = indent;
        } else if nth > 0 {
            folded.push(' ');
            used += 1;
        }
        folded.push_str(word);
        used += word.width();
    }
    folded
}

/// `Source.java:12`, `line 12`, or nothing.
pub(crate) fn source(region: &RegionReport) -> String {
    match (&region.source, region.line) {
        (Some(file), Some(line)) => clean(&format!("{file}:{line}")),
        (Some(file), None) => clean(file),
        (None, Some(line)) => format!("line {line}"),
        (None, None) => String::new(),
    }
}

/// All types of a lock: `PRODUCER-CONSUMER+MUTEX`.
pub(crate) fn types(types: &[Verdict]) -> String {
    if types.is_empty() {
        return LockType::Unknown.name().to_owned();
    }
    let names: Vec<_> = types.iter().map(|v| v.lock_type.name()).collect();
    names.join("+")
}

/// `permits=3 reentrant`.
pub(crate) fn details(verdict: &Verdict) -> String {
    let details = verdict.details.iter();
    let words: Vec<_> = details.map(|(key, value)| detail(key, value)).collect();
    words.join(" ")
}

fn detail(key: &str, value: &Detail) -> String {
    match value {
        Detail::Count(n) => match key.strip_suffix("_at_least") {
            Some(bound) => format!("{bound}≥{n}"),
            None => format!("{key}={n}"),
        },
        Detail::Flag(true) => key.to_owned(),
        Detail::Flag(false) => format!("not {key}"),
        Detail::Word(word) => format!("{key}={}", clean(word)),
    }
}

/// The parameter a type is known by, as short as can be: `permits=3`, `unbounded`.
pub(crate) fn parameter(verdict: &Verdict) -> String {
    let keys = [
        "permits",
        "permits_at_least",
        "capacity",
        "parties",
        "count",
        "count_at_least",
        "preference",
    ];
    let known = keys
        .iter()
        .find_map(|key| verdict.details.get_key_value(key));
    known.map_or_else(String::new, |(key, value)| match value {
        Detail::Word(word) => clean(word),
        _ => detail(key, value),
    })
}

/// Paint for a terminal.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Paint {
    Bold,
    Dim,
    Sure,
    Unsure,
    Doubtful,
}

impl Paint {
    /// The colour of a confidence.
    pub(crate) fn of_confidence(confidence: f64) -> Self {
        match confidence {
            c if c >= 0.9 => Self::Sure,
            c if c >= 0.6 => Self::Unsure,
            _ => Self::Doubtful,
        }
    }

    /// `text`, painted if the look allows it.
    pub(crate) fn on(self, text: &str, look: Look) -> String {
        if !look.colour {
            return text.to_owned();
        }
        let code = match self {
            Self::Bold => "1",
            Self::Dim => "2",
            Self::Sure => "32",
            Self::Unsure => "33",
            Self::Doubtful => "35",
        };
        format!("\x1b[{code}m{text}\x1b[0m")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_have_three_digits() {
        let shown: Vec<_> = [
            0,
            999,
            1_000,
            12_345,
            999_499,
            999_600,
            1_234_567,
            61_000_000_000,
        ]
        .map(|ns| time(Nanos(ns)))
        .into();
        assert_eq!(
            shown,
            [
                "0ns", "999ns", "1.00µs", "12.3µs", "999µs", "1.00ms", "1.23ms", "61.0s"
            ]
        );
    }

    #[test]
    fn counts_stay_short_and_readable() {
        assert_eq!(count(1_234_567), "1,234,567");
        assert_eq!(short_count(9_999), "9999");
        assert_eq!(short_count(12_345), "12.3k");
        assert_eq!(short_count(999_999), "1.00M");
        assert_eq!(percent(0.004), "<1%");
        assert_eq!(percent(0.999), "99%");
    }

    #[test]
    fn hostile_names_are_harmless() {
        assert_eq!(
            clean("a\x1b[31mb\u{202e}c\n"),
            "a\u{fffd}[31mb\u{fffd}c\u{fffd}"
        );
        let unseen = "\u{85}\u{9b}\u{61c}\u{200b}\u{200d}\u{2028}\u{2029}\u{2060}\u{2064}";
        assert_eq!(clean(unseen), "\u{fffd}".repeat(9));
        assert_eq!(clean_lines("a\x1b\nb\r"), "a\u{fffd}\nb\u{fffd}");
        let tags = "\u{e0041}\u{ad}\u{3164}\u{206a}";
        assert_eq!(clean(tags), "\u{fffd}".repeat(4));
        assert_eq!(clip("lock-name", 5), "lock…");
        // Marks take no column, and room all the same.
        assert_eq!(clip("e\u{301}", 1), "e\u{301}");
        let heaped = format!("e{}", "\u{301}".repeat(60_000));
        assert!(clip(&heaped, 5).chars().count() <= 21);
        assert_eq!(left("ab", 4), "ab  ");
        assert_eq!(right("äö", 4), "  äö");
    }

    #[test]
    fn classes_lose_their_package_only() {
        assert_eq!(short_class("java.util.Map$Entry"), "Map$Entry");
        assert_eq!(short_class("Gate"), "Gate");
        assert_eq!(short_class("[[Ljava.lang.String;"), "String[][]");
        assert_eq!(short_class("[I"), "int[]");
        assert_eq!(short_class("jdk.proxy2.$Proxy7"), "$Proxy7");
        assert_eq!(short_class(""), "");
    }

    #[test]
    fn classes_made_at_run_time_lose_their_number() {
        assert_eq!(short_class("a.b.C$$Lambda/0x7f.12"), "C$$Lambda");
        assert_eq!(short_class("a.b.C$$Lambda$14/0x7f00"), "C$$Lambda");
        assert_eq!(short_class("a.b.C/0x7f00.5"), "C");
    }

    #[test]
    fn descriptors_read_like_java() {
        assert_eq!(parameters("()V"), "()");
        assert_eq!(
            parameters("(Ljava/util/Map;J[[Ljava/lang/String;[IZ)V"),
            "(Map, long, String[][], int[], boolean)"
        );
        for odd in ["", "V", "(", "(Lx)V", "([)V"] {
            assert_eq!(parameters(odd), odd);
        }
        assert_eq!(short_place("a.b.C.run:12"), "C.run:12");
        assert_eq!(short_place("<method 7>"), "<method 7>");
    }

    #[test]
    fn lists_break_between_words() {
        let words = ["one", "two", "three"].map(str::to_owned);
        assert_eq!(listed(&words, 2, 80), "one, two, three");
        assert_eq!(listed(&words, 2, 11), "one, two,\n  three");
        assert_eq!(wrapped("one two three", 7), "one two\nthree");
        assert_eq!(folded("one two three", 4, 9), "one two\n    three");
        let words = ["one", "one", "two", "one"].map(str::to_owned);
        assert_eq!(tallied(&words), ["one ×2", "two", "one"]);
        assert_eq!(many(1, "object"), "1 object");
        assert_eq!(many(1_000, "object"), "1,000 objects");
        assert_eq!(
            (many(1, "class"), many(2, "class")),
            ("1 class".into(), "2 classes".into())
        );
    }
}
