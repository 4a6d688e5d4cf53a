//! What the lines between the frames of a thread dump say: objects, and how a thread stands at one.

use locklens_trace::Nanos;

/// An object as a dump names it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Object {
    /// Its address, or its class and hash: good within one dump.
    pub id: String,
    /// Its class; of the mirror of a class `java.lang.Class for app.Gate`.
    pub class: String,
}

/// How a thread stands at what keeps it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Stand {
    /// It wants to enter this monitor.
    Enter(Object),
    /// It wants to enter it again: its wait is over.
    Reenter(Object),
    /// It waits to be notified.
    Wait(Object),
    /// It is parked.
    Park(Object),
    /// It waits until another thread has initialised a class: this one, where the JVM says which.
    Init(Option<String>),
}

/// Who owns an object.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Owned {
    /// The object.
    pub object: Object,
    /// Name of the thread.
    pub owner: String,
}

impl Object {
    /// `<0x…> (a app.Gate)`.
    pub(super) fn read(text: &str) -> Option<Self> {
        let (address, rest) = text.trim().split_once("> (a ")?;
        let class = rest.strip_suffix(')')?;
        let id = address.strip_prefix('<')?;
        Self::of(id, class)
    }

    fn of(id: &str, class: &str) -> Option<Self> {
        let known = !class.is_empty() && !id.is_empty();
        known.then(|| Self {
            id: id.to_owned(),
            class: class.to_owned(),
        })
    }
}

impl Stand {
    /// `waiting to lock <0x…> (a app.Gate)`.
    pub(super) fn read(note: &str) -> Option<Self> {
        type Of = fn(Object) -> Stand;
        const KINDS: [(&str, Of); 4] = [
            ("waiting to lock ", Stand::Enter),
            ("waiting to re-lock in wait() ", Stand::Reenter),
            ("waiting on ", Stand::Wait),
            ("parking to wait for ", Stand::Park),
        ];
        if let Some(class) = note.strip_prefix("waiting on the Class initialization monitor for ") {
            return Some(Self::Init(Some(class.trim().to_owned())));
        }
        let told = |(words, of): &(&str, Of)| Some(of(Object::read(note.strip_prefix(words)?)?));
        KINDS.iter().find_map(told)
    }

    /// At which object.
    #[must_use]
    pub fn object(&self) -> Option<&Object> {
        match self {
            Self::Enter(object)
            | Self::Reenter(object)
            | Self::Wait(object)
            | Self::Park(object) => Some(object),
            Self::Init(_) => None,
        }
    }
}

/// `waiting to lock monitor 0x… (object 0x…, a app.Gate),` or `waiting for ownable synchronizer 0x…, (a app.Sync),`.
pub(super) fn wanted(line: &str) -> Option<Object> {
    let line = line.trim_end_matches(',').strip_suffix(')')?;
    if let Some(rest) = line.strip_prefix("waiting for ownable synchronizer ") {
        let (id, class) = rest.split_once(", (a ")?;
        return Object::of(id, class);
    }
    let rest = line.strip_prefix("waiting to lock monitor ")?;
    let (_, object) = rest.split_once(" (object ")?;
    let (id, class) = object.split_once(", a ")?;
    Object::of(id, class)
}

/// `which is held by "worker"`.
pub(super) fn held_by(line: &str) -> Option<&str> {
    line.strip_prefix("which is held by \"")?.strip_suffix('"')
}

/// The release in `Full thread dump OpenJDK 64-Bit Server VM (17.0.15+6 mixed mode)`. JDK 8 tells a version of HotSpot, `25.504-b01`.
pub(super) fn release(head: &str) -> Option<u32> {
    let (_, version) = head.split_once(" VM (")?;
    let version = version.split(' ').next()?;
    match version.split_once("-b") {
        Some((_, build))
            if !version.contains('+') && build.starts_with(|c: char| c.is_ascii_digit()) =>
        {
            Some(8)
        }
        _ => version.split(['.', '+', '-']).next()?.parse().ok(),
    }
}

/// `nid=0x801` of a thread's first line; from JDK 21 on `nid=2049`.
pub(super) fn nid(word: &str) -> Option<u32> {
    let number = word.strip_prefix("nid=")?;
    match number.strip_prefix("0x") {
        Some(digits) => u32::from_str_radix(digits, 16).ok(),
        None => number.parse().ok(),
    }
}

/// `cpu=39.95ms` of a thread's first line.
pub(super) fn cpu(word: &str) -> Option<Nanos> {
    let text = word.strip_prefix("cpu=")?.strip_suffix("ms")?;
    let (whole, hundredths) = text.split_once('.').filter(|(_, parts)| parts.len() == 2)?;
    let (whole, hundredths) = (whole.parse::<u64>().ok()?, hundredths.parse::<u64>().ok()?);
    let micros = whole.saturating_mul(1_000).saturating_add(hundredths * 10);
    Some(Nanos(micros.saturating_mul(1_000)))
}

#[cfg(test)]
mod tests {
    use super::{cpu, nid, release};
    use locklens_trace::Nanos;

    #[test]
    fn so_do_those_of_threads_how_long_they_have_run() {
        assert_eq!(cpu("cpu=39.95ms"), Some(Nanos(39_950_000)));
        assert_eq!(cpu("cpu=39.9ms"), None);
        assert_eq!(
            (nid("nid=0x801"), nid("nid=2049")),
            (Some(2049), Some(2049))
        );
    }

    #[test]
    fn the_first_line_tells_the_release() {
        let of = |version: &str| {
            release(&format!(
                "Full thread dump OpenJDK 64-Bit Server VM ({version} mixed mode, sharing):"
            ))
        };
        assert_eq!(of("25.504-b01"), Some(8));
        assert_eq!(of("11.0.24+8-post-Debian-2deb11u1"), Some(11));
        assert_eq!(of("25+36-LTS"), Some(25));
        assert_eq!(of("25.0.3+9-LTS"), Some(25));
        assert_eq!(of("x"), None);
        assert_eq!(release("Full thread dump"), None);
    }
}
