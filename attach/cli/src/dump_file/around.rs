//! What stands around the lines of a dump: what a log puts before each, the markup of a page, an encoding of two bytes.

use std::borrow::Cow;
use std::io::{self, Read};

/// How the first line of a dump begins and ends.
const HEAD: &str = "Full thread dump ";
const HEAD_ENDS: &str = "):";

/// What a log puts before each line of a dump, as its first line shows it.
#[derive(Debug, Default)]
pub(super) struct Margin {
    before: String,
}

impl Margin {
    /// A line without it. Of one that does not begin so nothing is taken away.
    pub(super) fn cut<'l>(&mut self, line: &'l str) -> &'l str {
        if let Some(at) = line.find(HEAD)
            && line.trim_end().ends_with(HEAD_ENDS)
        {
            line[..at].clone_into(&mut self.before);
        }
        behind(&self.before, line).unwrap_or(line)
    }
}

/// What is behind a margin: numbers in it, as those of a clock, are others on each line.
fn behind<'l>(margin: &str, line: &'l str) -> Option<&'l str> {
    let digits = |text: &str| text.bytes().take_while(u8::is_ascii_digit).count();
    let (mut margin, mut line) = (margin, line);
    while let Some(next) = margin.chars().next() {
        let number = digits(margin);
        if number > 0 {
            margin = &margin[number..];
            line = line.get(digits(line).max(1)..)?;
            continue;
        }
        // Of an empty line the blank behind its margin may have been left out.
        match line.strip_prefix(next) {
            None if line.trim().is_empty() && margin.trim().is_empty() => return Some(""),
            rest => line = rest?,
        }
        margin = &margin[next.len_utf8()..];
    }
    Some(line)
}

/// A line as it was before it was made part of a page.
pub(super) fn unescaped(line: &str) -> Cow<'_, str> {
    const WORDS: [(&str, &str); 5] = [
        ("&lt;", "<"),
        ("&gt;", ">"),
        ("&quot;", "\""),
        ("&#39;", "'"),
        ("&amp;", "&"),
    ];
    let is_of_page = line.contains("&lt;") || line.starts_with("&quot;");
    if !is_of_page {
        return Cow::Borrowed(line);
    }
    let plain = WORDS.iter().fold(line.to_owned(), |line, (word, sign)| {
        line.replace(word, sign)
    });
    Cow::Owned(plain)
}

/// Text of two bytes a letter as UTF-8, behind its byte-order mark.
#[derive(Debug)]
pub(super) struct Wide<R> {
    inner: R,
    big: bool,
    /// Units of a letter that is not whole yet, or bytes of a unit.
    rest: Vec<u8>,
    ready: Vec<u8>,
}

impl<R: Read> Wide<R> {
    /// Whether these are the first bytes of such a text, and the more significant byte comes first.
    pub(super) fn is_big(mark: &[u8]) -> Option<bool> {
        match mark {
            [0xFF, 0xFE, ..] => Some(false),
            [0xFE, 0xFF, ..] => Some(true),
            _ => None,
        }
    }

    pub(super) fn new(inner: R, big: bool) -> Self {
        Self {
            inner,
            big,
            rest: Vec::new(),
            ready: Vec::new(),
        }
    }

    fn fill(&mut self) -> io::Result<()> {
        let mut bytes = [0; 1 << 12];
        let read = self.inner.read(&mut bytes)?;
        let last = read == 0;
        self.rest.extend_from_slice(&bytes[..read]);
        let (pairs, odd) = self.rest.as_chunks::<2>();
        let unit = |pair: &[u8; 2]| match self.big {
            true => u16::from_be_bytes(*pair),
            false => u16::from_le_bytes(*pair),
        };
        let mut units: Vec<u16> = pairs.iter().map(unit).collect();
        let open = units
            .last()
            .is_some_and(|unit| (0xD800..0xDC00).contains(unit))
            && !last;
        let kept = 2 * usize::from(open) + odd.len();
        units.truncate(units.len() - usize::from(open));
        self.rest.drain(..self.rest.len() - kept);
        if last {
            self.rest.clear();
        }
        self.ready = String::from_utf16_lossy(&units).into_bytes();
        match self.ready.is_empty() && !last {
            true => self.fill(),
            false => Ok(()),
        }
    }
}

impl<R: Read> Read for Wide<R> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        if self.ready.is_empty() {
            self.fill()?;
        }
        let length = self.ready.len().min(into.len());
        into[..length].copy_from_slice(&self.ready[..length]);
        self.ready.drain(..length);
        Ok(length)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_log_puts_before_each_line_is_cut_off_and_nothing_else() {
        let mut margin = Margin::default();
        let plain = "\"main\" #1 prio=5";
        assert_eq!(margin.cut(plain), plain);
        let head = "Full thread dump OpenJDK 64-Bit Server VM (17.0.9+9 mixed mode):";
        let log = |time: &str, line: &str| format!("Nov 28 {time} host java[17]: {line}");
        assert_eq!(margin.cut(&log("09:00:59", head)), head);
        assert_eq!(margin.cut(&log("09:01:00", plain)), plain);
        assert_eq!(margin.cut("Nov 28 09:01:00 host java[17]:"), "");
        assert_eq!(margin.cut("another line"), "another line");
        let said = log("09:01:00", "Full thread dump written");
        assert_eq!(margin.cut(&said), "Full thread dump written");
        assert_eq!(margin.cut(head), head);
        assert_eq!(margin.cut(&log("09:01:00", plain)), log("09:01:00", plain));
    }

    #[test]
    fn a_line_of_a_page_is_read_as_what_it_shows() {
        let line = "\t- waiting to lock &lt;0x0a&gt; (a app.Gate)";
        assert_eq!(unescaped(line), "\t- waiting to lock <0x0a> (a app.Gate)");
        assert_eq!(unescaped("&quot;main&quot; #1"), "\"main\" #1");
        let name = "\"GET /a?b&amp;c\" #1";
        assert_eq!(unescaped(name), name);
    }

    #[test]
    fn letters_of_two_bytes_are_read_whatever_their_order_and_where_they_are_cut() {
        let text = "\u{feff}\"main\" é 𝄞\n";
        for big in [false, true] {
            let bytes = |unit: u16| match big {
                true => unit.to_be_bytes(),
                false => unit.to_le_bytes(),
            };
            let wide: Vec<u8> = text.encode_utf16().flat_map(bytes).collect();
            assert_eq!(Wide::<&[u8]>::is_big(&wide), Some(big));
            for cut in 0..wide.len() {
                let both = wide[..cut].chain(&wide[cut..]);
                let mut read = String::new();
                Wide::new(both, big).read_to_string(&mut read).unwrap();
                assert_eq!(read, text, "{cut}");
            }
        }
    }
}
