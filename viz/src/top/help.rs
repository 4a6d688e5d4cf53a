//! What keys do, and what the columns are.

use super::draw::Tone;

const TEXT: &str = "
 q, Esc, Ctrl-C   quit; of one lock in full: Esc back
 up, down, j, k   choose a lock           Enter   one lock in full
 s                sort: pressure, average, blocked now, time, name
 /                filter by name, type or thread; Esc clears it
 p, space         pause: nothing moves, nothing is lost
 w                write a trace of the last minute

 PRESS       pressure: time threads spent to get the lock in the last
             interval, by the time all threads were running; at least so
             much; ~ = an estimate: from looks at parked threads, or as it is
             not known how many virtual threads there are
 AVG         the same since this began
 TREND       the last intervals; a full bar is what stands beside the word
 NOW         threads that are blocked at the moment
 LOCK, TYPE  name and types of the lock, as reports have them; until there is
             an analysis its class, and where it is wanted
 BLOCKED BY  who was named last as the one who holds it
 DEADLOCK    nobody frees these threads any more, by two thread dumps
";

/// Its lines.
pub(super) fn lines() -> Vec<(String, Tone)> {
    let all = TEXT.lines().map(|line| (line.to_owned(), Tone::Plain));
    all.collect()
}
