//! Samples for people: all states, where threads stand, and a histogram for each thread or group.

use super::About;
use crate::Look;
use crate::text::{Paint, clean, clip, count, left, many, right, short_class, time, wrapped};
use crate::who::group;
use locklens_inference::catalog::unnamed;
use locklens_inference::sample::{By, Keys, Location, Profile, Row, Spot, State};
use std::io::{self, Write};
use unicode_width::UnicodeWidthStr;

/// Threads or groups shown: the rest is in the JSON.
const SUBJECTS: usize = 30;
/// Places shown of each state where places were asked for,
const PLACES: usize = 30;
/// where they were not,
const SOME_PLACES: usize = 5;
/// and of a group's blocked threads.
const OF_GROUP: usize = 3;
/// Columns of a state's name,
const STATE: usize = 24;
/// of `123.4`,
const THREADS: usize = 8;
/// and of `100.0 % ± 12.3`.
const SHARE: usize = 14;
/// Fewest columns for a bar.
const BAR: usize = 8;

/// Writes what the samples came to.
///
/// # Errors
/// When `out` fails.
pub fn text(profile: &Profile, about: &About, look: Look, out: &mut dyn Write) -> io::Result<()> {
    let page = Page { profile, look };
    page.head(about, out)?;
    if profile.findings == 0 {
        return writeln!(out, "No thread of the program was found.");
    }
    writeln!(out)?;
    page.title("All threads", "of all", out)?;
    for row in &profile.states {
        page.state(row, out)?;
    }
    let most = match about.by {
        By::Location => PLACES,
        By::Thread | By::Group => SOME_PLACES,
    };
    page.places(most, out)?;
    if about.by != By::Location {
        page.subjects(about.by, out)?;
    }
    page.caveat(out)
}

struct Page<'p> {
    profile: &'p Profile,
    look: Look,
}

impl Page<'_> {
    fn line(&self, line: &str, out: &mut dyn Write) -> io::Result<()> {
        writeln!(out, "{}", clip(line, self.look.width).trim_end())
    }

    fn head(&self, about: &About, out: &mut dyn Write) -> io::Result<()> {
        let profile = self.profile;
        let period = profile
            .period
            .map(|period| format!(", one every {}", time(period)));
        let how = match about.how.as_str() {
            "" => String::new(),
            how => format!(", {how}"),
        };
        let (samples, period) = (many(profile.samples, "sample"), period.unwrap_or_default());
        let head = format!("{samples} of {}{period}{how}", clean(&about.subject));
        writeln!(
            out,
            "{}",
            Paint::Bold.on(&wrapped(&head, self.look.width), self.look)
        )?;
        let left_out = format!(
            "left out: {} of the JVM's own",
            many(profile.service, "thread")
        );
        writeln!(out, "{}", wrapped(&left_out, self.look.width))?;
        if profile.has_virtual {
            let note = "There are virtual threads, of which looks tell nothing: 'locklens top' says how many are blocked, 'locklens record' by what.";
            writeln!(out, "{}", wrapped(note, self.look.width))?;
        }
        for note in &about.notes {
            writeln!(out, "{}", wrapped(&clean(note), self.look.width))?;
        }
        Ok(())
    }

    fn title(&self, title: &str, of: &str, out: &mut dyn Write) -> io::Result<()> {
        let line = format!(
            "{}{}{}",
            left(title, STATE + 2),
            right("threads", THREADS),
            right(of, SHARE)
        );
        writeln!(
            out,
            "{}",
            Paint::Bold.on(&clip(&line, self.look.width), self.look)
        )
    }

    /// How many threads a look found so, on average; the share and its error.
    fn figures(&self, row: &Row) -> String {
        let threads = row.samples as f64 / self.profile.samples.max(1) as f64;
        let threads = match threads {
            few if few < 9.995 => format!("{few:.2}"),
            many => format!("{many:.1}"),
        };
        let (share, error) = (row.share() * 100.0, row.error() * 100.0);
        let share = format!("{share:.1} % ±{error:4.1}");
        right(&threads, THREADS) + &right(&share, SHARE)
    }

    fn state(&self, row: &Row, out: &mut dyn Write) -> io::Result<()> {
        let used = 2 + STATE + THREADS + SHARE + 2;
        let room = self.look.width.saturating_sub(used).min(40);
        let bar = match room < BAR {
            true => String::new(),
            false => bar(row.share(), room),
        };
        let line = format!(
            "  {}{}  {bar}",
            left(words(row.state), STATE),
            self.figures(row)
        );
        self.line(&line, out)
    }

    fn places(&self, most: usize, out: &mut dyn Write) -> io::Result<()> {
        let rows = self.profile.rows(By::Location);
        for of_state in rows.chunk_by(|a, b| a.state == b.state) {
            writeln!(out)?;
            let state = of_state[0].state;
            let title = format!("Where {}", words(state));
            self.title(&title, "of these", out)?;
            for row in of_state.iter().take(most) {
                self.place(row, out)?;
            }
            self.more(of_state.len(), most, "place", out)?;
        }
        Ok(())
    }

    fn more(&self, all: usize, shown: usize, thing: &str, out: &mut dyn Write) -> io::Result<()> {
        match all > shown {
            true => writeln!(
                out,
                "  and {} more: --json",
                many((all - shown) as u64, thing)
            ),
            false => Ok(()),
        }
    }

    /// The place has a line of its own where it would not fit behind lock and figures.
    fn place(&self, row: &Row, out: &mut dyn Write) -> io::Result<()> {
        let Keys::Location(spot) = &row.keys else {
            return Ok(());
        };
        let (lock, place) = (lock(spot), place(spot));
        let lead = " ".repeat(STATE + 2);
        let line = format!("{lead}{}  {lock}", self.figures(row));
        if line.width() + 2 + place.width() <= self.look.width {
            return self.line(&format!("{line}  {place}"), out);
        }
        self.line(&line, out)?;
        self.line(&format!("{:6}{place}", ""), out)
    }

    fn subjects(&self, by: By, out: &mut dyn Write) -> io::Result<()> {
        let mut subjects: Vec<&[Row]> = self
            .profile
            .rows(by)
            .chunk_by(|a, b| a.keys == b.keys)
            .collect();
        let hurt = |rows: &&[Row]| {
            let of = |state| {
                rows.iter()
                    .filter(|r| r.state == state)
                    .map(|r| r.samples)
                    .sum::<u64>()
            };
            std::cmp::Reverse((of(State::Blocked), of(State::Parked), rows[0].of))
        };
        subjects.sort_by_key(hurt);
        writeln!(out)?;
        let title = match by {
            By::Thread => "By thread",
            By::Group | By::Location => "By group of threads",
        };
        self.title(title, "of its time", out)?;
        for rows in subjects.iter().take(SUBJECTS) {
            self.subject(rows, out)?;
        }
        self.more(
            subjects.len(),
            SUBJECTS,
            title.trim_start_matches("By "),
            out,
        )
    }

    fn subject(&self, rows: &[Row], out: &mut dyn Write) -> io::Result<()> {
        let (name, rest) = match &rows[0].keys {
            Keys::Thread(name, Some(tid)) if name.is_empty() => (unnamed(*tid), String::new()),
            Keys::Thread(name, Some(tid)) => (name.clone(), format!("  #{tid}")),
            Keys::Group(name, groups) => (group(name).into(), members(rows[0].threads, groups)),
            Keys::Thread(name, None) => (group(name).into(), String::new()),
            Keys::All | Keys::Location(_) => return Ok(()),
        };
        self.line(&format!("{}{}", clean(&name), clean(&rest)), out)?;
        for row in rows {
            self.state(row, out)?;
            if let (State::Blocked, Keys::Group(name, _)) = (row.state, &row.keys) {
                self.of_group(name, out)?;
            }
        }
        Ok(())
    }

    /// The locks that a group is blocked on most.
    fn of_group(&self, group: &str, out: &mut dyn Write) -> io::Result<()> {
        let rows = self
            .profile
            .group_locations
            .get(group)
            .into_iter()
            .flatten();
        let blocked = rows.filter(|row| row.state == State::Blocked);
        for row in blocked.take(OF_GROUP) {
            if let Keys::Location(spot) = &row.keys {
                let share = row.share() * 100.0;
                let line = format!("      {share:5.1} %  {}  {}", lock(spot), place(spot));
                self.line(&line, out)?;
            }
        }
        Ok(())
    }

    fn caveat(&self, out: &mut dyn Write) -> io::Result<()> {
        let profile = self.profile;
        writeln!(out)?;
        let mut texts = vec![
            "threads: how many a sample found so, on average. ± is how far off the share may be 95 times of 100 \
             (Wilson's interval, of the samples that found any of these threads). It holds for samples that do not depend on each other: those within one long \
             block do, so that few and long blocks may be further off than it says."
                .to_owned(),
        ];
        if profile.filtered > 0 {
            let frames = count(profile.filtered);
            texts.push(format!(
                "{frames} frames of the JDK, or excluded, were passed over (-I shows them)."
            ));
        }
        if profile.lumped > 0 {
            let lumped = count(profile.lumped);
            texts.push(format!(
                "{lumped} findings of threads or places beyond the first 20,000 are counted together."
            ));
        }
        for text in texts {
            writeln!(
                out,
                "{}",
                Paint::Dim.on(&wrapped(&text, self.look.width), self.look)
            )?;
        }
        Ok(())
    }
}

fn members(threads: u64, groups: &[String]) -> String {
    let threads = many(threads, "thread");
    match groups {
        [] => format!("  ({threads})"),
        groups => format!("  ({threads} in {})", groups.join(", ")),
    }
}

fn words(state: State) -> &'static str {
    match state {
        State::Blocked => "blocked on a monitor",
        State::Parked => "parked",
        State::ParkedTimed => "parked, timed",
        State::Waiting => "in Object.wait",
        State::WaitingTimed => "in wait, timed",
        State::Sleeping => "sleeping",
        State::Runnable => "runnable",
        State::Unknown => "not told",
    }
}

fn lock(spot: &Spot) -> String {
    let Some(class) = &spot.lock else {
        return "-".to_owned();
    };
    match class.strip_prefix("java.lang.Class for ") {
        Some(class) => format!("class {}", clean(&short_class(class))),
        None => clean(&short_class(class)),
    }
}

fn place(spot: &Spot) -> String {
    match &spot.location {
        Location::At(place) => clean(place),
        Location::Filtered => "(frames of the JDK alone)".to_owned(),
        Location::Unknown => "(call chain not known)".to_owned(),
    }
}

fn bar(share: f64, room: usize) -> String {
    let filled = (share * room as f64).round() as usize;
    "█".repeat(filled.min(room))
}
