//! The options string of `Agent_OnLoad` and `Agent_OnAttach`.
//!
//! `sock=<path>,secret=<32 hex>,depth=<frames>,buffer=<bytes>,safe=<0|1>,beat=<ms>,exact=<0|1>,juc=<0|1>,live=<0|1>,sample=<ms>,vmprobes=<times>,
//! overhead=<parts in a million>,pid=<number>`.
//! A path may hold no comma; the command chooses it. Unknown keys are refused, so that a newer command learns that
//! this agent does not know what it asks for.

use std::time::Duration;

/// Deepest call chain kept.
pub(crate) const MAX_DEPTH: usize = 128;
/// Smallest ceiling the buffers can work in; less is raised to it, and `Target` says what was used.
pub(crate) const MIN_BUFFER: usize = 1 << 20;
const DEFAULT_BUFFER: usize = 64 << 20;
const DEFAULT_DEPTH: usize = 16;

/// What the command asks of one recording.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Options {
    /// Listening socket of the command, in the target's view of the file system.
    pub(crate) socket: String,
    /// Proves to the command that this connection is the agent it loaded.
    pub(crate) secret: [u8; 16],
    /// Frames kept of a call chain; 0 takes none.
    pub(crate) depth: usize,
    /// Ceiling of the agent's memory, bytes; see `ceiling`.
    pub(crate) buffer: usize,
    /// Apply the safe-lock table.
    pub(crate) hide_safe: bool,
    /// How long the command may be silent; none: it has not promised to say anything.
    pub(crate) silence: Option<Duration>,
    /// The command is going to say what is to be recorded exactly; until then nothing is.
    pub(crate) exact: bool,
    /// Look at parked threads now and then.
    pub(crate) juc: bool,
    /// Somebody watches while it is recorded: what goes on for long is told soon and often.
    pub(crate) live: bool,
    /// Record no event: look at all threads so often, and tell what they do.
    pub(crate) sample: Option<Duration>,
    /// Listen to the VM's own probes, if that can be done without harm; so many times, all but the last only to
    /// switch them off again. 0: never.
    pub(crate) vm_probes: u32,
    /// What the recording may cost, parts in a million of the program's processor time.
    pub(crate) overhead: Option<u64>,
    /// The number of this process where the command is; none: the same as here.
    pub(crate) pid: Option<u32>,
    /// For tests: each lock object is identified by the writer.
    #[cfg(debug_assertions)]
    pub(crate) puts_off: bool,
}

impl Options {
    /// Reads the options; the error is a sentence for the command's user.
    pub(crate) fn parse(text: &str) -> Result<Self, String> {
        let mut options = Self {
            socket: String::new(),
            secret: [0; 16],
            depth: DEFAULT_DEPTH,
            buffer: DEFAULT_BUFFER,
            hide_safe: true,
            silence: None,
            exact: false,
            juc: true,
            live: false,
            sample: None,
            vm_probes: 0,
            overhead: None,
            pid: None,
            #[cfg(debug_assertions)]
            puts_off: false,
        };
        for pair in text.split(',').filter(|pair| !pair.is_empty()) {
            let (key, value) = pair
                .split_once('=')
                .ok_or_else(|| format!("agent option {pair:?} has no value"))?;
            options.set(key, value)?;
        }
        if options.socket.is_empty() {
            return Err("agent option sock is missing".into());
        }
        Ok(options)
    }

    fn set(&mut self, key: &str, value: &str) -> Result<(), String> {
        let bad = || format!("agent option {key} cannot be {value:?}");
        match key {
            "sock" => self.socket = value.to_owned(),
            "secret" => self.secret = parse_secret(value).ok_or_else(bad)?,
            "depth" => {
                self.depth = value.parse().map_err(|_| bad())?;
                if self.depth > MAX_DEPTH {
                    return Err(bad());
                }
            }
            "buffer" => {
                self.buffer = value
                    .parse::<usize>()
                    .map_err(|_| bad())?
                    .clamp(MIN_BUFFER, 1 << 40);
            }
            "safe" => self.hide_safe = parse_flag(value).ok_or_else(bad)?,
            "exact" => self.exact = parse_flag(value).ok_or_else(bad)?,
            "juc" => self.juc = parse_flag(value).ok_or_else(bad)?,
            #[cfg(debug_assertions)]
            "putoff" => self.puts_off = parse_flag(value).ok_or_else(bad)?,
            "live" => self.live = parse_flag(value).ok_or_else(bad)?,
            "sample" => {
                let ms = value.parse().ok().filter(|&ms| ms > 0).ok_or_else(bad)?;
                self.sample = Some(Duration::from_millis(ms));
            }
            "vmprobes" => self.vm_probes = value.parse().map_err(|_| bad())?,
            "overhead" => {
                let parts = value.parse().ok();
                let parts = parts.filter(|parts| (1..=1_000_000).contains(parts));
                self.overhead = Some(parts.ok_or_else(bad)?);
            }
            "pid" => self.pid = Some(value.parse().map_err(|_| bad())?),
            "beat" => {
                let ms = value.parse().map_err(|_| bad())?;
                self.silence = (ms > 0).then(|| Duration::from_millis(ms));
            }
            _ => return Err(format!("agent option {key:?} is unknown to this agent")),
        }
        Ok(())
    }
}

fn parse_flag(digit: &str) -> Option<bool> {
    match digit {
        "0" => Some(false),
        "1" => Some(true),
        _ => None,
    }
}

fn parse_secret(hex: &str) -> Option<[u8; 16]> {
    if hex.len() != 32 || !hex.bytes().all(|b| b.is_ascii_hexdigit()) {
        return None;
    }
    let mut secret = [0; 16];
    for (i, byte) in secret.iter_mut().enumerate() {
        *byte = u8::from_str_radix(hex.get(2 * i..2 * i + 2)?, 16).ok()?;
    }
    Some(secret)
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECRET: &str = "000102030405060708090a0b0c0d0e0f";

    #[test]
    fn a_full_string_is_read() {
        let text = format!(
            "sock=/tmp/a b,secret={SECRET},depth=0,buffer=2097152,safe=0,beat=1500,exact=1,juc=0,live=1,sample=100,vmprobes=3,overhead=10000,pid=4242"
        );
        let options = Options::parse(&text).expect("well-formed");
        assert_eq!(options.socket, "/tmp/a b");
        assert_eq!((options.secret[15], options.exact), (15, true));
        assert!(!options.juc && options.live);
        assert_eq!(options.sample, Some(Duration::from_millis(100)));
        assert_eq!((options.vm_probes, options.overhead), (3, Some(10_000)));
        assert_eq!(options.pid, Some(4242));
        assert_eq!(options.silence, Some(Duration::from_millis(1500)));
        assert_eq!(
            (options.depth, options.buffer, options.hide_safe),
            (0, 2 << 20, false)
        );
    }

    #[test]
    fn what_is_left_out_has_a_default() {
        let options = Options::parse("sock=/s").expect("well-formed");
        assert_eq!(
            (options.depth, options.buffer, options.hide_safe),
            (DEFAULT_DEPTH, DEFAULT_BUFFER, true)
        );
        assert_eq!((options.silence, options.exact), (None, false));
        assert!(options.juc && !options.live);
        assert_eq!((options.vm_probes, options.overhead), (0, None));
    }

    #[test]
    fn nonsense_is_refused_by_name() {
        for (text, word) in [
            ("", "sock"),
            ("sock", "sock"),
            ("sock=/s,depth=129", "depth"),
            ("sock=/s,depth=-1", "depth"),
            ("sock=/s,safe=yes", "safe"),
            ("sock=/s,exact=2", "exact"),
            ("sock=/s,juc=on", "juc"),
            ("sock=/s,live=now", "live"),
            ("sock=/s,vmprobes=yes", "vmprobes"),
            ("sock=/s,overhead=0", "overhead"),
            ("sock=/s,overhead=1%", "overhead"),
            ("sock=/s,secret=00", "secret"),
            ("sock=/s,secret=zz0102030405060708090a0b0c0d0e0f", "secret"),
            ("sock=/s,beat=soon", "beat"),
            ("sock=/s,pid=self", "pid"),
            ("sock=/s,colour=1", "colour"),
        ] {
            let error = Options::parse(text).expect_err(text);
            assert!(error.contains(word), "{text}: {error}");
        }
    }

    #[test]
    fn a_tiny_buffer_is_raised() {
        let options = Options::parse("sock=/s,buffer=1").expect("well-formed");
        assert_eq!(options.buffer, MIN_BUFFER);
    }
}
