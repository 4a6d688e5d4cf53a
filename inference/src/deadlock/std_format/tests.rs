//! What is read where it is, is what a closer look would read.

use super::*;
use proptest::prelude::*;

type Read = (Vec<Step>, Vec<Malformed>, Vec<String>);

/// All steps of a text, what is wrong with its lines, and names by their numbers; `plain` lines without a closer look.
fn read(text: &[u8], plain: bool) -> Read {
    let (mut lines, mut steps, mut wrong) = (Lines::default(), Vec::new(), Vec::new());
    let mut rest = text;
    while !rest.is_empty() {
        if plain {
            let length = lines.push_plain(rest, &mut |step| steps.push(*step));
            rest = &rest[length..];
        }
        let end = rest.iter().position(|&byte| byte == b'\n');
        let line = &rest[..end.unwrap_or(rest.len())];
        if !rest.is_empty() {
            wrong.extend(lines.push(line, &mut |step| steps.push(*step)).err());
        }
        rest = rest.get(line.len() + 1..).unwrap_or_default();
    }
    let pools = [&lines.threads, &lines.locks, &lines.vars, &lines.sites];
    let names = pools.map(|pool| (0..pool.len() as u32).map(|n| pool.name(n)));
    (steps, wrong, names.into_iter().flatten().collect())
}

#[test]
fn the_same_name_has_the_same_number_however_it_is_read() {
    let text = "T1|acq(L1)|1\nT01|acq(L01)|01\nT1 |acq( L1)|1 \nX1|acq(1)|L1\nT1|acq(M1)|4294967297\nT1|rel(L1)\nT1|acq(L1048576)|1\n# T1\nT1|wait(L1)|\nT1|acq(a(1))|1\n";
    assert_eq!(read(text.as_bytes(), true), read(text.as_bytes(), false));
}

#[test]
fn plain_lines_are_read_up_to_the_first_that_is_none() {
    let mut lines = Lines::default();
    let text = b"T1|acq(L1)|1\nT2|fork(T1)\nT1| rel(L1)|1\n";
    let mut count = 0;
    assert_eq!(lines.push_plain(text, &mut |_| count += 1), 25);
    assert_eq!(count, 2);
    assert_eq!(lines.push_plain(b"T1|acq(L1)|1", &mut |_| count += 1), 0);
}

proptest! {
    #[test]
    fn plain_lines_mean_what_a_closer_look_finds(
        words in prop::collection::vec(prop::sample::select(vec![
            "T1", "T2", "T", "1", "01", "12", "L7", "|", "|", "|", "|", "acq(", "rel(", "w(", "r(", "wait(", "notifyAll(", "fork(",
            "join(", "begin", ")|", ")|", ")", "(", "\n", "\n", "\n", " ", "\r", "#", "é", "\u{feff}", "99999999999",
        ]), 0..60),
        lines in prop::collection::vec((0u8..4, 0usize..8, 0u8..12, 0u8..30), 0..20),
    ) {
        let names = ["acq", "rel", "w", "r", "req", "notify", "wait", "join"];
        let plain = lines.iter().map(|(thread, name, operand, place)| {
            format!("T{thread}|{}(L{operand})|{place}\n", names[*name])
        });
        let text = plain.chain([words.concat()]).collect::<String>();
        prop_assert_eq!(read(text.as_bytes(), true), read(text.as_bytes(), false));
    }
}
