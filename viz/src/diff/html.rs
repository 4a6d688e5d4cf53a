//! The comparison as a page for a browser: the table of the text, in one file without a network and without a script.
//!
//! What came from the targets stands in it as text, with what could be markup escaped; and the policy of the page lets nothing
//! run or load.

use super::warnings::warnings;
use super::{Side, WORTH, kinds, matters, names, rows, told, where_seen};
use crate::html::policy::{Reach, policy};
use crate::text::many;
use locklens_inference::diff::model::{Diff, LockDiff, Verdict};
use std::io::{self, Write};

const STYLE: &str = include_str!("page.css");

/// Writes the page.
///
/// # Errors
/// When `out` fails.
pub fn html(diff: &Diff, sides: [Side<'_>; 2], out: &mut dyn Write) -> io::Result<()> {
    let policy = policy(STYLE, "", Reach::Nothing);
    let [a, b] = sides.map(|side| escaped(&told(&side)));
    write!(
        out,
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"generator\" content=\"locklens html\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"{policy}\">\n\
         <meta name=\"referrer\" content=\"no-referrer\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"color-scheme\" content=\"light dark\">\n<title>locklens diff</title>\n\
         <style>{STYLE}</style>\n</head>\n<body>\n<h1>Two recordings</h1>\n<dl><dt>A<dd>{a}<dt>B<dd>{b}</dl>\n"
    )?;
    for warning in warnings(diff, sides) {
        writeln!(out, "<p class=\"warning\">{}</p>", escaped(&warning))?;
    }
    let (shown, others): (Vec<_>, Vec<_>) = diff.locks.iter().partition(|lock| matters(lock));
    if shown.iter().all(|lock| lock.verdict() == Verdict::NotShown) {
        writeln!(
            out,
            "<p>No difference shown in how long threads were blocked.</p>"
        )?;
    }
    table(&shown, out)?;
    if !others.is_empty() {
        let left = many(others.len() as u64, "more lock");
        writeln!(
            out,
            "<details><summary>{left} without a difference shown</summary>"
        )?;
        table(&others, out)?;
        writeln!(out, "</details>")?;
    }
    for line in WORTH {
        writeln!(out, "<p class=\"faint\">{}</p>", escaped(line))?;
    }
    writeln!(out, "</body>\n</html>")
}

fn table(locks: &[&LockDiff], out: &mut dyn Write) -> io::Result<()> {
    if locks.is_empty() {
        return Ok(());
    }
    write!(
        out,
        "<table>\n<thead><tr><th scope=\"col\">Verdict<th scope=\"col\">Lock<th scope=\"col\">Type<th scope=\"col\">Figure\
         <th scope=\"col\">A<th scope=\"col\">B<th scope=\"col\">Difference</tr></thead>\n<tbody>\n"
    )?;
    locks.iter().try_for_each(|one| lock(one, out))?;
    writeln!(out, "</tbody>\n</table>")
}

fn lock(lock: &LockDiff, out: &mut dyn Write) -> io::Result<()> {
    let verdict = lock.verdict();
    let class = match verdict {
        Verdict::More => "more",
        Verdict::Less => "less",
        Verdict::Both => "both",
        Verdict::NotShown => "faint",
    };
    let seen = match where_seen(lock) {
        "" => String::new(),
        seen => format!("<br><span class=\"faint\">{seen}</span>"),
    };
    let [first, second] = rows(lock).map(|row| {
        let [a, b, difference] = [&row.a, &row.b, &row.difference].map(|text| escaped(text));
        format!(
            "<td>{}<td class=\"n\">{a}<td class=\"n\">{b}<td class=\"n\">{difference}",
            row.what
        )
    });
    writeln!(
        out,
        "<tr class=\"first\"><td rowspan=\"2\" class=\"{class}\">{}<th scope=\"rowgroup\" rowspan=\"2\">{}{seen}\
         <td rowspan=\"2\">{}{first}</tr>\n<tr>{second}</tr>",
        verdict.name(),
        escaped(&names(lock)),
        escaped(&kinds(lock)),
    )
}

/// Text as it stands in a page.
fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&#39;"),
            c => escaped.push(c),
        }
    }
    escaped
}
