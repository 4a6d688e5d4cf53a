//! Names made unreadable: equal ones stay equal, and what they are built of can still be seen.
//!
//! A word becomes a letter for its kind and ten digits of a keyed SHA-256. Names of the JDK stay, since everybody knows
//! them, and a report without `java.util.concurrent` would say little.

use super::known::{METHODS, THREADS, are_usual, has_public_members, is_public, is_service_thread};
use crate::record::hello::Secret;
use locklens_trace::crowd::SERVICE_GROUPS;
use sha2::{Digest, Sha256};
use std::fmt::{self, Write};
use std::io;

/// The key may be given, so that names of several recordings are comparable.
pub(super) const KEY: &str = "LOCKLENS_REDACT_KEY";

/// Hexadecimal digits kept: two of a million names are the same with probability 0.4.
const DIGITS: usize = 10;

/// The key with which names are made unreadable.
#[derive(Clone)]
pub(crate) struct Masks {
    key: [u8; 32],
}

impl fmt::Debug for Masks {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Masks")
    }
}

impl Masks {
    /// By the key of the environment; a new one that nobody knows if there is none.
    pub(crate) fn new() -> io::Result<Self> {
        let key = match std::env::var(KEY) {
            Ok(key) if !key.is_empty() => key,
            _ => Secret::random()?.to_string(),
        };
        Ok(Self::of(&key))
    }

    pub(super) fn of(key: &str) -> Self {
        Self {
            key: Sha256::digest(key).into(),
        }
    }

    /// A word of this kind.
    fn word(&self, kind: char, text: &str) -> String {
        let hash = Sha256::new()
            .chain_update(self.key)
            .chain_update([kind as u8]);
        let hash = hash.chain_update(text).finalize();
        let mut word = String::from(kind);
        for byte in &hash[..DIGITS / 2] {
            // Writing to a text never fails.
            let _ = write!(word, "{byte:02x}");
        }
        word
    }

    /// A binary name, of an array too.
    pub(super) fn class(&self, name: &str) -> String {
        let element = name.trim_start_matches('[');
        let dims = &name[..name.len() - element.len()];
        match element
            .strip_prefix('L')
            .and_then(|rest| rest.strip_suffix(';'))
        {
            Some(inner) if !dims.is_empty() => format!("{dims}L{};", self.class(inner)),
            _ if name.contains('(') => self.called(name),
            _ if !dims.is_empty() || name.is_empty() || is_public(name) => name.to_owned(),
            _ => self.own_class(name),
        }
    }

    /// A method with its class and types: of a class that everybody knows it stays, unless its methods are the program's.
    fn called(&self, name: &str) -> String {
        let head = name.split_once('(').map_or(name, |(head, _)| head);
        match head.rsplit_once('.') {
            Some((class, _)) if has_public_members(class) => name.to_owned(),
            Some((class, method)) if is_public(class) => format!("{class}.{}", self.method(method)),
            _ => self.own_class(name),
        }
    }

    /// Package, classes within classes, and what the JVM puts behind a hidden one are told apart.
    fn own_class(&self, name: &str) -> String {
        let (name, hidden) = name
            .split_once('/')
            .map_or((name, None), |(name, rest)| (name, Some(rest)));
        let (package, simple) = name
            .rsplit_once('.')
            .map_or((None, name), |(package, simple)| (Some(package), simple));
        let parts: Vec<String> = simple.split('$').map(|part| self.part('C', part)).collect();
        let package = package.map(|package| self.word('p', package) + ".");
        let hidden = hidden.map(|rest| format!("/{}", address(rest)));
        format!(
            "{}{}{}",
            package.unwrap_or_default(),
            parts.join("$"),
            hidden.unwrap_or_default()
        )
    }

    /// Of a name with dollars; what compilers put in stays.
    fn part(&self, kind: char, part: &str) -> String {
        let ours = part.is_empty() || part.bytes().all(|byte| byte.is_ascii_digit());
        match ours || ["Lambda", "lambda", "access"].contains(&part) {
            true => part.to_owned(),
            false => self.word(kind, part),
        }
    }

    /// A descriptor of a field or method, as in class files.
    pub(super) fn descriptor(&self, descriptor: &str) -> String {
        let mut masked = String::new();
        let mut rest = descriptor;
        while let Some(at) = rest.find('L') {
            masked += &rest[..=at];
            let name = &rest[at + 1..];
            let end = name.find(';').unwrap_or(name.len());
            masked += &self.class(&name[..end].replace('/', ".")).replace('.', "/");
            rest = &name[end..];
        }
        masked + rest
    }

    /// A method of a class of the program.
    pub(super) fn method(&self, name: &str) -> String {
        if name.starts_with('<') || METHODS.contains(&name) {
            return name.to_owned();
        }
        let parts: Vec<String> = name
            .split('$')
            .map(|part| match METHODS.contains(&part) {
                true => part.to_owned(),
                false => self.part('m', part),
            })
            .collect();
        parts.join("$")
    }

    pub(super) fn field(&self, name: &str) -> String {
        self.word('f', name)
    }

    /// A thread: as it is if the JDK names its own so; otherwise words and numbers change, and the ASCII marks that stand
    /// between them stay.
    pub(super) fn thread(&self, name: &str) -> String {
        match is_service_thread(name) {
            true => name.to_owned(),
            false => self.unless_usual(name),
        }
    }

    /// A group of threads, likewise.
    pub(super) fn group(&self, name: &str) -> String {
        match SERVICE_GROUPS.contains(&name) {
            true => name.to_owned(),
            false => self.unless_usual(name),
        }
    }

    fn unless_usual(&self, name: &str) -> String {
        let runs = runs(name);
        if are_usual(&runs) {
            return name.to_owned();
        }
        runs.iter().map(|run| self.run(run)).collect()
    }

    fn run(&self, run: &str) -> String {
        match run.chars().next() {
            _ if !run.is_ascii() => self.word('t', run),
            Some(first) if first.is_alphabetic() && !THREADS.contains(&run) => self.word('t', run),
            Some(first) if first.is_numeric() => {
                let hash = self.word('n', run);
                let number = u64::from_str_radix(&hash[1..], 16).unwrap_or(0);
                format!("{:07}", number % 10_000_000)
            }
            _ => run.to_owned(),
        }
    }

    /// Any text: marks that stand for something stay, so that what is put together from it stays as many parts.
    pub(super) fn text(&self, text: &str) -> String {
        let parts: Vec<String> = text
            .split_inclusive(is_mark)
            .map(|part| {
                let words = part.trim_end_matches(is_mark);
                let masked = if words.is_empty() {
                    String::new()
                } else {
                    self.word('s', words)
                };
                masked + &part[words.len()..]
            })
            .collect();
        parts.concat()
    }

    /// A name, and what we say of it.
    pub(super) fn line(&self, line: &str) -> String {
        match line.split_once(": ") {
            Some((name, said)) => format!("{}: {}", self.class(name), self.said(said)),
            None => self.class(line),
        }
    }

    /// Our own words with names of the target among them: whatever may be one.
    pub(super) fn said(&self, text: &str) -> String {
        let words: Vec<String> = text
            .split(' ')
            .map(|word| {
                let name = word.trim_end_matches([':', ',', ';']);
                let masked = match name.contains(['.', '$', '/', '('])
                    || name.contains(char::is_uppercase)
                {
                    true => self.class(name),
                    false => name.to_owned(),
                };
                masked + &word[name.len()..]
            })
            .collect();
        words.join(" ")
    }

    /// A main class with what else is known of the command, or a jar.
    pub(super) fn main(&self, main: &str) -> String {
        self.word('C', main)
    }
}

/// It stands for an argument in the recipe of a text that is put together.
fn is_mark(c: char) -> bool {
    matches!(c, '\u{1}' | '\u{2}')
}

/// What the JVM puts behind the name of a hidden class: a number or an address, nothing else.
fn address(text: &str) -> &str {
    let digits = text.strip_prefix("0x").unwrap_or(text);
    match digits.bytes().all(|byte| byte.is_ascii_hexdigit()) {
        true => text,
        false => "",
    }
}

/// Letters, digits and the rest, each as long as it goes.
fn runs(text: &str) -> Vec<&str> {
    let kind = |c: char| (c.is_alphabetic(), c.is_numeric());
    let mut runs = Vec::new();
    let mut start = 0;
    let mut last = None;
    for (at, c) in text.char_indices() {
        if last.is_some_and(|last| last != kind(c)) {
            runs.push(&text[start..at]);
            start = at;
        }
        last = Some(kind(c));
    }
    if start < text.len() {
        runs.push(&text[start..]);
    }
    runs
}

#[cfg(test)]
mod tests {
    use super::*;

    fn masks() -> Masks {
        Masks::of("key")
    }

    #[test]
    fn what_everybody_knows_stays() {
        let masks = masks();
        for name in [
            "java.lang.Object",
            "[I",
            "[Ljava.lang.String;",
            "jdk.internal.misc.Unsafe",
        ] {
            assert_eq!(masks.class(name), name);
        }
        for name in [
            "main",
            "pool-12-thread-3",
            "ForkJoinPool.commonPool-worker-1",
            "Reference Handler",
            "Thread-0",
        ] {
            assert_eq!(masks.thread(name), name);
        }
        for name in ["Signal Dispatcher", "system", "Timer-12345"] {
            assert_eq!(masks.thread(name), name);
        }
        for name in ["<init>", "run", "lambda$run$0", "access$100"] {
            assert_eq!(masks.method(name), name);
        }
    }

    #[test]
    fn parts_of_a_class_stay_apart() {
        let masks = masks();
        let (outer, inner) = (
            masks.class("com.acme.Orders"),
            masks.class("com.acme.Orders$Book$1"),
        );
        assert!(
            inner.starts_with(&(outer.clone() + "$C")) && inner.ends_with("$1"),
            "{inner}"
        );
        assert_eq!(masks.class("[[Lcom.acme.Orders;"), format!("[[L{outer};"));
        let of_proxy = masks.class("com.sun.proxy.$Proxy3.takeOrder(Lcom/acme/Order;)V");
        let taken = masks.method("takeOrder");
        assert_eq!(of_proxy, format!("com.sun.proxy.$Proxy3.{taken}"));
        let hidden = masks.class("com.acme.Orders$$Lambda/0x0000712a3c");
        assert_eq!(hidden, format!("{outer}$$Lambda/0x0000712a3c"));
        assert!(
            !masks
                .class("com.acme.Orders$$Lambda/0xacme secret")
                .contains("secret")
        );
    }

    #[test]
    fn a_descriptor_names_the_same_classes() {
        let masks = masks();
        let own = masks.class("com.acme.Orders").replace('.', "/");
        let descriptor = "([Lcom/acme/Orders;ILjava/lang/String;J)Lcom/acme/Orders;";
        assert_eq!(
            masks.descriptor(descriptor),
            format!("([L{own};ILjava/lang/String;J)L{own};")
        );
        // Nonsense does no harm.
        assert!(!masks.descriptor("(Lcom/acme/Orders").contains("acme"));
    }

    #[test]
    fn nothing_of_a_name_is_left() {
        let masks = masks();
        let all = [
            masks.class("com.acme.Vault"),
            masks.method("vaultOf$acme"),
            masks.field("vault"),
            masks.thread("acme-vault-10.1.2.3:8080"),
            masks.text("acme\u{1}vault"),
            masks.main("acme.jar --vault"),
            masks.line("com.acme.Vault.open(Lcom/acme/Vault;)V: it is too long, says Vault"),
        ];
        for masked in all {
            assert!(
                !masked.to_lowercase().contains("acme") && !masked.to_lowercase().contains("vault"),
                "{masked}"
            );
            assert!(
                !masked.contains("8080") && !masked.contains("10.1"),
                "{masked}"
            );
        }
    }

    #[test]
    fn a_thread_called_by_numbers_or_signs_tells_nothing() {
        let masks = masks();
        for name in [
            "10.1.2.3:8080",
            "4929 1234 5678 9012",
            "Listener-10.20.30.40",
            "main 1985-03-12",
            "pool-1-thread-12345678",
            "\u{1f3ad}\u{2801}\u{2803}",
            "worker \u{1f3ad}-1",
            "main(acme)",
        ] {
            let masked = masks.thread(name);
            assert!(masked.is_ascii(), "{masked}");
            for part in ["10", "4929", "9012", "1985", "12345678", "acme"] {
                let tells = name.contains(part)
                    && masked
                        .split(|c: char| !c.is_alphanumeric())
                        .any(|word| word == part);
                assert!(!tells, "{name}: {masked}");
            }
        }
    }

    #[test]
    fn another_key_gives_other_names() {
        let (one, other) = (masks(), Masks::of("other"));
        assert_ne!(one.class("a.B"), other.class("a.B"));
        assert_eq!(one.class("a.B"), masks().class("a.B"));
        assert_ne!(one.thread("x-1"), one.thread("x-2"));
        assert!(one.text("a\u{1}b\u{1}").matches('\u{1}').count() == 2);
    }
}
