//! What stays of a name or a place where there is no room for all of it: the same in every table and call chain.

use crate::text::clean;
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

/// Characters that a column may come to: itself, and marks above and below.
const MARKED: usize = 4;

/// At most `width` columns, the cut marked.
pub fn clip(text: &str, width: usize) -> String {
    let most = width.saturating_mul(MARKED);
    if text.width() <= width && text.chars().nth(most).is_none() {
        return text.to_owned();
    }
    let mut clipped = String::new();
    let mut used = 0;
    for c in text.chars().take(most) {
        let next = used + c.width().unwrap_or(0);
        if next + 1 > width {
            break;
        }
        used = next;
        clipped.push(c);
    }
    if width > 0 {
        clipped.push('…');
    }
    clipped
}

/// At most `width` columns, what is too much cut out of the middle: names that begin alike end differently.
pub(crate) fn middle(text: &str, width: usize) -> String {
    if clip(text, width) == text {
        return text.to_owned();
    }
    let most = width.saturating_mul(MARKED);
    let mut end: Vec<char> = Vec::new();
    let mut used = 0;
    for c in text.chars().rev().take(most) {
        used += c.width().unwrap_or(0);
        if used > width.saturating_sub(1) / 2 {
            break;
        }
        end.push(c);
    }
    let end: String = end.iter().rev().collect();
    clip(text, width - end.width().min(width)) + &end
}

/// Of the class at least so many columns stay before the method is cut, too;
const SCRAP: usize = 5;
/// then so many.
const LEAST: usize = 8;

/// A place or the name of a lock in at most `width` columns: `Class.method`, `package.Class.method:12`, `Class.method(Class.java:12)`,
/// `Class.field`, `Class in Class.method`. What tells it from others stays as long as there is room: the name of the file goes
/// first, then the package, the words before, the classes around a nested one; then the middle of the class, and last that of the method.
pub(crate) fn fitted(place: &str, width: usize) -> String {
    if clip(place, width) == place {
        return place.to_owned();
    }
    let with_source = place.split_once('(');
    let with_source =
        with_source.filter(|(method, _)| !method.ends_with([' ', '(']) && !method.is_empty());
    let (method, source) = with_source.unwrap_or((place, ""));
    let line = source.trim_end_matches(')').rsplit_once(':');
    let line = line.map_or(String::new(), |(_, line)| format!(":{line}"));
    let short = format!("{method}{line}");
    match short
        .rsplit_once(' ')
        .filter(|(_, last)| last.contains('.'))
    {
        Some((words, last)) if clip(&short, width) != short => behind(words, last, width),
        _ => member(&short, width),
    }
}

/// A frame of a call chain, as [`fitted`] has it, without the number of a class made at run time.
pub(crate) fn frame(frame: &str, width: usize) -> String {
    let numbered = frame.split_once("/0x");
    let rest = numbered.map(|(class, rest)| {
        (
            class,
            rest.trim_start_matches(|c: char| c.is_ascii_hexdigit()),
        )
    });
    let named = match rest {
        Some((class, rest)) if rest.starts_with('.') => format!("{class}{rest}"),
        _ => frame.to_owned(),
    };
    fitted(&clean(&named), width)
}

/// The name of a lock with the classes of its objects behind it in brackets, in at most `width` columns: these stay whole as long as
/// anything of the name stays.
pub(crate) fn called(name: &str, width: usize) -> String {
    let parts = name.rsplit_once(" [").filter(|_| clip(name, width) != name);
    let Some((name, classes)) = parts else {
        return fitted(name, width);
    };
    let classes = format!(" [{classes}");
    match width.saturating_sub(classes.width()) {
        room if room >= SCRAP => fitted(name, room) + &classes,
        _ => fitted(name, width),
    }
}

/// A place with words before it, of which the last one stays: `in`, `by`.
fn behind(words: &str, place: &str, width: usize) -> String {
    let (head, key) = words.rsplit_once(' ').unwrap_or(("", words));
    let room = width.saturating_sub(key.width() + place.width() + 2);
    let head = match room >= LEAST.min(head.width()) && !head.is_empty() {
        true => nested(head, room) + " ",
        false => String::new(),
    };
    let room = width.saturating_sub(head.width() + key.width() + 1);
    clip(&format!("{head}{key} {}", member(place, room)), width)
}

/// `Class.method` in at most `width` columns.
fn member(place: &str, width: usize) -> String {
    let parts = place
        .rsplit_once('.')
        .filter(|_| clip(place, width) != place);
    let Some((class, method)) = parts else {
        return middle(place, width);
    };
    let room = width.saturating_sub(method.width() + 1);
    let mut class = without_package(class, room);
    let mut method = method.to_owned();
    // That it is the body of a lambda goes before its name does.
    if let Some(body) = method
        .strip_prefix("lambda$")
        .filter(|_| class.width() > room)
    {
        method = format!("…{body}");
    }
    if width.saturating_sub(method.width() + 1) < SCRAP.min(class.width()) {
        let least = LEAST.max(width / 3).min(class.width()).min(width / 2);
        method = middle(&method, width.saturating_sub(least + 1));
    }
    class = nested(&class, width.saturating_sub(method.width() + 1));
    clip(&format!("{class}.{method}"), width)
}

/// A class with as much of its package as there is room for: of its parts the first ones are a letter each, as loggers have it;
/// nothing of it where that is not enough.
fn without_package(class: &str, width: usize) -> String {
    let parts: Vec<&str> = class.split('.').collect();
    let is_package = |part: &&&str| part.starts_with(char::is_lowercase);
    let package = parts.iter().take_while(is_package).count();
    let (package, class) = parts.split_at(package.min(parts.len() - 1));
    let class = class.join(".");
    let initial = |part: &&str| part.chars().take(1).collect::<String>();
    let shortened = (0..=package.len()).map(|short| {
        let (short, whole) = package.split_at(short);
        let whole = whole.iter().map(|&part| part.to_owned());
        let parts = short
            .iter()
            .map(initial)
            .chain(whole)
            .chain([class.clone()]);
        parts.collect::<Vec<_>>().join(".")
    });
    let mut fitting = shortened.filter(|shown| clip(shown, width) == *shown);
    fitting.next().unwrap_or(class.clone())
}

/// A class in at most `width` columns. Of a nested one the classes around it go first: they are often the same.
fn nested(class: &str, width: usize) -> String {
    let inner = class.rsplit_once('$').map_or("", |(_, inner)| inner);
    let has_name = inner.chars().any(|c| !c.is_ascii_digit());
    if clip(class, width) == class || !has_name {
        return middle(class, width);
    }
    let short = format!("…{inner}");
    match clip(&short, width) == short {
        true => short,
        false => middle(inner, width),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_cut_in_the_middle_and_places_keep_their_method_and_line() {
        assert_eq!(middle("http-nio-8080-exec-12", 12), "http-n…ec-12");
        assert_eq!(middle("short", 5), "short");
        assert_eq!(
            (middle("ab", 1), middle("ab", 0)),
            ("…".into(), String::new())
        );
        let place = "AbstractConnectionPool.borrow(AbstractConnectionPool.java:123)";
        let at = |width| fitted(place, width);
        assert_eq!(at(62), place);
        assert_eq!(at(33), "AbstractConnectionPool.borrow:123");
        assert_eq!(at(24), "Abstra…onPool.borrow:123");
        assert_eq!(at(16), "Ab…ol.borrow:123");
        assert_eq!(fitted("Shop$Document.read", 15), "…Document.read");
        assert_eq!(fitted("Shop$Document.read", 12), "Doc…ent.read");
        assert_eq!(fitted("Department$1.read", 14), "Depa…nt$1.read");
        let long = "PrefetchSubscription.getBrokerSequenceId";
        assert_eq!(fitted(long, 27), "Pre…ion.getBrokerSequenceId");
        assert_eq!(fitted(long, 18), "Pref…ion.getB…ceId");
        let lambda = "JDBC3Statement.lambda$executeLargeUpdate$2";
        assert_eq!(fitted(lambda, 33), "JDBC3…ement.…executeLargeUpdate$2");
        for place in [
            place,
            long,
            lambda,
            "A in B.c",
            "Queue in very.long.Name.of",
        ] {
            for width in 0..60 {
                assert!(fitted(place, width).width() <= width, "{place} {width}");
                assert!(middle(place, width).width() <= width, "{width}");
            }
        }
        assert_eq!(fitted("<method 7> of nobody", 9), "<met…body");
    }

    #[test]
    fn of_packages_initials_stay_as_long_as_there_is_room() {
        let place = "org.apache.logging.appender.FileManager.write:335";
        let at = |width| fitted(place, width);
        assert_eq!(at(47), "o.apache.logging.appender.FileManager.write:335");
        assert_eq!(at(40), "o.a.l.appender.FileManager.write:335");
        assert_eq!(at(32), "o.a.l.a.FileManager.write:335");
        assert_eq!(at(25), "FileManager.write:335");
        let lambda = "org.sqlite.core.DB$$Lambda/0x000000006d0c0ca8.run";
        assert_eq!(frame(lambda, 80), "org.sqlite.core.DB$$Lambda.run");
        assert_eq!(frame("a/0xq.b(C.java:7)", 80), "a/0xq.b(C.java:7)");
        let name = "ArrayBlockingQueue in AsyncAppender.transfer";
        assert_eq!(fitted(name, 35), "Arra…ueue in AsyncAppender.transfer");
        assert_eq!(fitted(name, 26), "in AsyncAppender.transfer");
        assert_eq!(fitted(name, 20), "in Asyn…der.transfer");
    }
}
