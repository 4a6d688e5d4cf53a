//! The head of an HTTP request, as it comes from a connection: any bytes at all.
//!
//! Only what a browser sends when it asks for a page is understood, and that strictly; everything else is malformed. Nothing
//! here knows what is served.

/// Bytes that a head may have.
pub(crate) const LONGEST: usize = 8 << 10;
const END: &[u8] = b"\r\n\r\n";

/// What is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Request<'a> {
    /// What is to be done: `GET`.
    pub(crate) method: &'a str,
    /// With what: a path, and a query.
    pub(crate) target: &'a str,
    /// The server that is meant, as its address stands in the browser.
    pub(crate) host: &'a str,
    /// The page that asks, as browsers tell it where more than a page is asked for.
    pub(crate) origin: Option<&'a str>,
    /// What the body is, if there is one.
    pub(crate) kind: Option<&'a str>,
    /// How long it is, in bytes.
    pub(crate) length: u64,
}

/// These bytes are no request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Malformed;

/// How long the head is that these bytes begin with, if it is all there.
pub(crate) fn length(bytes: &[u8]) -> Option<usize> {
    let at = bytes.windows(END.len()).position(|part| part == END)?;
    Some(at + END.len())
}

/// Reads a whole head.
pub(crate) fn parse(head: &[u8]) -> Result<Request<'_>, Malformed> {
    let head = std::str::from_utf8(head).map_err(|_| Malformed)?;
    let head = head.strip_suffix("\r\n\r\n").ok_or(Malformed)?;
    let (first, fields) = head.split_once("\r\n").ok_or(Malformed)?;
    let (method, target) = request_line(first)?;
    let mut known = [None; KNOWN.len()];
    for line in fields.split("\r\n") {
        let (name, value) = field(line)?;
        let place = KNOWN
            .iter()
            .position(|known| name.eq_ignore_ascii_case(known));
        let Some(at) = place else { continue };
        // Of two nobody knows which is meant.
        if known[at].replace(value).is_some() {
            return Err(Malformed);
        }
    }
    let [host, origin, kind, length, encoding] = known;
    // A body whose end is not known beforehand is none of a page's.
    if encoding.is_some() {
        return Err(Malformed);
    }
    Ok(Request {
        method,
        target,
        host: host.ok_or(Malformed)?,
        origin,
        kind,
        length: length.map_or(Ok(0), number)?,
    })
}

/// Fields that mean something here.
const KNOWN: [&str; 5] = [
    "host",
    "origin",
    "content-type",
    "content-length",
    "transfer-encoding",
];

fn number(text: &str) -> Result<u64, Malformed> {
    let is_number = text.bytes().all(|byte| byte.is_ascii_digit());
    let number = text.parse().ok().filter(|_| is_number);
    number.ok_or(Malformed)
}

fn request_line(line: &str) -> Result<(&str, &str), Malformed> {
    let mut words = line.split(' ');
    let mut word = || words.next().ok_or(Malformed);
    let (method, target, version) = (word()?, word()?, word()?);
    let is_path = target.starts_with('/') && target.bytes().all(|byte| byte.is_ascii_graphic());
    let is_http = matches!(version, "HTTP/1.1" | "HTTP/1.0");
    let is_all = words.next().is_none();
    match is_name(method) && is_path && is_http && is_all {
        true => Ok((method, target)),
        false => Err(Malformed),
    }
}

/// `Name: value`. A name with room behind it, and lines that go on in the next one, have been used to smuggle.
fn field(line: &str) -> Result<(&str, &str), Malformed> {
    let (name, value) = line.split_once(':').ok_or(Malformed)?;
    let is_text = value.chars().all(|c| c == '\t' || !c.is_control());
    match is_name(name) && is_text {
        true => Ok((name, value.trim_matches([' ', '\t']))),
        false => Err(Malformed),
    }
}

fn is_name(text: &str) -> bool {
    let is_letter = |byte: u8| byte.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&byte);
    !text.is_empty() && text.bytes().all(is_letter)
}

#[cfg(test)]
mod tests;
