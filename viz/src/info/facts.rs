//! What a trace says of its target, in words: JSON has the keys as they are.

use crate::cost;
use crate::text::{bytes, count, many, time};
use crate::toll;
use locklens_trace::Nanos;
use locklens_trace::record::target_key as key;

/// Keys with what they are called; of others, which a later agent may write, only the dots go.
const LABELS: [(&str, &str); 105] = [
    (key::DUMP, "thread dump"),
    (key::PID, "pid"),
    (key::VM_NAME, "JVM"),
    (key::VM_VERSION, "JVM version"),
    (key::JAVA_VERSION, "Java version"),
    (key::MAIN, "program"),
    (key::CPUS, "processors"),
    (key::STARTED_UNIX_NS, "began"),
    (key::MODE, "mode"),
    (key::STOPS, "stood still"),
    (key::STALLS, "stalled"),
    (key::EXACT, "exact"),
    (key::REDACTED, "names unreadable"),
    (key::STACK_DEPTH, "frames of a call chain"),
    (key::BUFFER_BYTES, "memory ceiling"),
    (key::OWNER, "owners of monitors"),
    (key::AGENT, "agent version"),
    (key::THREADS_START, "threads at the start"),
    (key::THREADS_END, "threads at the end"),
    (key::END_OWNERS, "owners at the end"),
    (key::END_CHAINS, "what owners did then"),
    (key::END_ENDED, "owners that had ended"),
    (key::END_STILL, "parked and never ran"),
    (key::THREADS_NOW, "threads, last look"),
    (key::PARKED_SAMPLES, "looks at parked threads"),
    (key::PARKED_FIRST, "looks: the first at"),
    (key::PARKED_SPAN, "looks: time covered"),
    (key::PARKED_WISH, "looks: interval meant"),
    (key::PARKED_CPU, "looks: CPU time taken"),
    (key::PARKED_SHARE, "looks: CPU allowed"),
    (key::PARKED_THREADS, "looks: threads seen"),
    (key::PARKED_UNTOLD, "looks: missing"),
    (key::PARKED_BARE, "looks: no blocker, time"),
    (key::PARKED_BARE_THREADS, "looks: no blocker"),
    (key::PARKED_BARE_STACK, "looks: their call chain"),
    (key::PARKED_VIRTUAL, "looks: virtual threads"),
    (key::PARKS_SINCE, "every park from"),
    (key::PARKS, "parks"),
    (key::PARKS_UNPARKS, "unparks"),
    (key::OPERATIONS, "operations"),
    (key::OPERATIONS_REFUSED, "operations: not told of"),
    (key::ACCESSES_OF, "accesses of"),
    (key::PARKS_REPLACED, "parks: probes gone at"),
    (key::EXACT_ERROR, "not exact, because"),
    (key::EXACT_SINCE, "exact from"),
    (key::EXACT_UNTIL, "exact until"),
    (key::EXACT_JVM, "price of rewriting"),
    (key::EXACT_CLASSES, "classes rewritten"),
    (key::EXACT_NAMES, "their names"),
    (key::EXACT_METHODS, "methods rewritten"),
    (key::EXACT_SITES, "sites rewritten"),
    (key::EXACT_IDLE, "classes without locks"),
    (key::EXACT_REFUSED, "not rewritten"),
    (key::EXACT_UNPROBED, "of these, using locks"),
    (key::EXACT_CHOSEN, "chosen by"),
    (key::EXACT_BEFORE, "rewritten before"),
    (key::EXACT_CLOCK, "clock"),
    (key::EXACT_CHAINS, "call chains of probes"),
    (key::EXACT_INSTALL_MS, "rewriting took"),
    (key::EXACT_RESTORE_MS, "putting back took"),
    (key::EXACT_RESTORED, "classes put back"),
    (key::EXACT_DORMANT, "classes left dormant"),
    (key::EXACT_LOCKS, "lock objects met"),
    (key::EXACT_ELSEWHERE, "enters of other code"),
    (key::EXACT_UNMET, "locks met by no probe"),
    (key::EXACT_BARE, "waits without a probe"),
    (key::GUARD, "only new dependencies"),
    (key::GUARD_JUC, "java.util.concurrent"),
    (key::GUARD_TOLD, "excerpts told"),
    (key::GUARD_COMBINATIONS, "combinations known"),
    (key::GUARD_LEFT_OUT, "no room for"),
    (key::GUARD_PASSED, "objects looked past"),
    (key::GUARD_LOST, "records of no use"),
    (key::GUARD_UNNAMED, "without a name"),
    (key::EXACT_OTHERS, "events of other locks"),
    (key::EXACT_REPLACED, "replaced by others"),
    (key::EXACT_REPLACED_SINCE, "the first replaced at"),
    (key::EXACT_OLD_CODE[0], "in old code at once"),
    (key::EXACT_OLD_CODE[1], "in old code after 2 s"),
    (key::EXACT_OLD_CODE[2], "in old code after 5 s"),
    (key::EXACT_OLD_CODE[3], "in old code at the end"),
    (key::VM_PROBES, "VM's own probes"),
    (key::VM_PROBES_SINCE, "VM probes from"),
    (key::VM_PROBES_SWITCHED, "VM probes: switched"),
    (key::VM_PROBES_SITES, "VM probes: places"),
    (key::VM_PROBES_NOTIFIES, "VM probes: notify"),
    (key::VM_PROBES_NOTIFY_ALLS, "VM probes: notifyAll"),
    (key::VM_PROBES_EXITS, "VM probes: exits"),
    (key::VM_PROBES_WRONG, "VM probes: wrong"),
    (key::VM_PROBES_OTHER_LOCKS, "VM probes: no lock"),
    (key::VM_PROBES_OTHER_THREADS, "VM probes: no thread"),
    (key::VM_PROBES_BY_WAITING, "VM probes: in a wait"),
    (key::TOLL_BEFORE, "JVM before it"),
    (key::TOLL_SETTLING, "JVM until settled"),
    (key::TOLL_RECORDING, "JVM while recording"),
    (key::TOLL_AFTER, "JVM after it"),
    (key::TOLL_SETTLED, "JIT settled in time"),
    (key::OVERHEAD_COST, "cost"),
    (key::OVERHEAD_MOST, "cost at most"),
    (key::OVERHEAD_STEPS, "given up for that"),
    (key::OVERHEAD_MORE_STEPS, "further steps"),
    (key::OVERHEAD_SLICES, "events switched off"),
    ("memory.heap.peak", "memory used at most"),
    ("memory.tagged", "objects tagged"),
    ("code", "code not read"),
];

/// What a key is called.
pub(super) fn label(key: &str) -> String {
    let (key, number) = match key.strip_prefix(key::DUMP) {
        Some(number) => (key::DUMP, format!(" {number}")),
        None => (key, String::new()),
    };
    let known = LABELS.iter().find(|(known, _)| *known == key);
    known.map_or_else(
        || key.replace(['.', '_'], " "),
        |(_, label)| format!("{label}{number}"),
    )
}

/// What a list of numbers, which mean nothing outside the trace, has a line for each of.
fn listed(key: &str) -> Option<&'static str> {
    match key {
        key::END_OWNERS => Some("blocked thread"),
        key::END_CHAINS => Some("call chain"),
        key::END_ENDED | key::END_STILL => Some("thread"),
        key if key.starts_with(key::DUMP) => Some("line"),
        _ => None,
    }
}

/// A value with its unit.
pub(super) fn value(key: &str, text: &str) -> String {
    if let Some(thing) = listed(key) {
        return many(text.lines().count() as u64, thing);
    }
    if let Some(toll) = key
        .starts_with("toll.")
        .then(|| toll::value(text))
        .flatten()
    {
        return toll;
    }
    if let Some(said) = cost::value(key, text) {
        return said;
    }
    let number = text.parse::<u64>();
    match (key, number) {
        (key::BUFFER_BYTES | "memory.heap.peak", Ok(n)) => bytes(n),
        (key::EXACT_INSTALL_MS | key::EXACT_RESTORE_MS, Ok(n)) => format!("{n} ms"),
        (key::STARTED_UNIX_NS, Ok(n)) => date(n / 1_000_000_000),
        (
            key::EXACT_SINCE
            | key::EXACT_UNTIL
            | key::EXACT_REPLACED_SINCE
            | key::VM_PROBES_SINCE
            | key::PARKS_SINCE
            | key::PARKS_REPLACED
            | key::PARKED_FIRST
            | key::PARKED_SPAN
            | key::PARKED_BARE
            | key::PARKED_WISH
            | key::PARKED_CPU,
            Ok(n),
        ) => time(Nanos(n)),
        (key::STOPS | key::STALLS, _) => stops(text),
        (key::PARKED_SHARE, Ok(n)) => format!("{}% of one processor", n as f64 / 100.0),
        (key, Ok(n)) if key::EXACT_OLD_CODE.contains(&key) => many(n, "thread"),
        (key::PARKED_UNTOLD, Ok(n)) => many(n, "finding"),
        (key::PARKED_BARE_THREADS, Ok(n)) => many(n, "thread"),
        (key::PARKED_BARE_STACK, Ok(n)) => format!("number {n}"),
        (key::PARKED_VIRTUAL, _) if text == "true" => "there are some, not looked at".to_owned(),
        // A name, not a number.
        (key::PID | key::JAVA_VERSION | key::MAIN, _) => text.to_owned(),
        (_, Ok(n)) => count(n),
        _ => text.to_owned(),
    }
}

/// How long the process stood still each time, and from when on.
fn stops(text: &str) -> String {
    let each = text.lines().filter_map(|line| {
        let mut numbers = line.split(' ').map(|number| number.parse().ok());
        let (from, to) = (Nanos(numbers.next()??), Nanos(numbers.next()??));
        Some(format!("{} from {} on", time(to.since(from)), time(from)))
    });
    each.collect::<Vec<_>>().join("\n")
}

/// `2026-03-01 12:34:56 UTC`, by the calendar in which a year begins in March (H. Hinnant, *chrono-Compatible
/// Low-Level Date Algorithms*).
fn date(seconds: u64) -> String {
    let (days, clock) = (seconds / 86_400 + 719_468, seconds % 86_400);
    let (era, of_era) = (days / 146_097, days % 146_097);
    let year = (of_era - of_era / 1_460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year + year / 4 - year / 100);
    let march = (5 * of_year + 2) / 153;
    let day = of_year - (153 * march + 2) / 5 + 1;
    let month = if march < 10 { march + 3 } else { march - 9 };
    let year = year + era * 400 + u64::from(month <= 2);
    let (hour, minute, second) = (clock / 3_600, clock / 60 % 60, clock % 60);
    format!("{year}-{month:02}-{day:02} {hour:02}:{minute:02}:{second:02} UTC")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_are_those_of_the_calendar() {
        assert_eq!(date(0), "1970-01-01 00:00:00 UTC");
        assert_eq!(date(951_782_399), "2000-02-28 23:59:59 UTC");
        assert_eq!(date(951_782_400), "2000-02-29 00:00:00 UTC");
        assert_eq!(date(1_795_311_904), "2026-11-22 01:45:04 UTC");
    }

    /// The keys as their module writes them down, so that a new one can't be forgotten here.
    #[test]
    fn every_key_of_the_trace_has_a_phrase_that_fits() {
        let module = include_str!("../../../instrument/trace/src/record/target_key.rs");
        let keys: Vec<_> = module
            .lines()
            .filter(|line| !line.trim_start().starts_with("//"))
            .filter_map(|line| line.split('"').nth(1))
            .collect();
        assert!(
            keys.len() > 40 && keys.contains(&key::PARKED_CPU),
            "{keys:?}"
        );
        for key in keys {
            let known = LABELS.iter().find(|(known, _)| *known == key);
            let (_, label) = known.unwrap_or_else(|| panic!("{key} has no phrase"));
            assert!(label.len() < super::super::LABEL, "{label}");
        }
    }

    #[test]
    fn figures_have_units() {
        for (key, text, shown) in [
            (key::PARKED_SAMPLES, "1234", "1,234"),
            (key::PARKED_SPAN, "6042209017", "6.04s"),
            (key::PARKED_WISH, "20000000", "20.0ms"),
            (key::PARKED_CPU, "6941795", "6.94ms"),
            (key::PARKED_SHARE, "50", "0.5% of one processor"),
            (key::PARKED_UNTOLD, "1", "1 finding"),
            (key::EXACT_OLD_CODE[1], "2", "2 threads"),
            (key::EXACT_OLD_CODE[1], "1: main in run", "1: main in run"),
            (key::PARKED_VIRTUAL, "true", "there are some, not looked at"),
            (key::PID, "123456", "123456"),
            (key::END_CHAINS, "12 7\n3 9", "2 call chains"),
            (key::END_OWNERS, "12 7 3", "1 blocked thread"),
            (key::END_STILL, "", "0 threads"),
            ("dump.1", "2026-11-28\n\"main\" #1", "2 lines"),
        ] {
            assert_eq!(value(key, text), shown, "{key}");
        }
    }

    #[test]
    fn what_is_known_has_a_name_and_a_unit_and_the_rest_stays() {
        assert_eq!(label(key::EXACT_ELSEWHERE), "enters of other code");
        assert_eq!(label("dump.1"), "thread dump 1");
        assert_eq!(value(key::BUFFER_BYTES, "67108864"), "64.0 MB");
        assert_eq!(
            (label("new.key_too"), value("new.key_too", "7")),
            ("new key too".to_owned(), "7".to_owned())
        );
        assert_eq!(value(key::BUFFER_BYTES, "unknown"), "unknown");
    }
}
