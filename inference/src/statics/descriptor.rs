//! Method and field descriptors, read as far as the interpreter needs them.
//!
//! Total: a malformed descriptor gives fewer parameters, never an error.

/// The type of a parameter, field or result: its descriptor text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Type<'a>(pub &'a str);

impl Type<'_> {
    /// Takes two stack words.
    pub(crate) fn is_wide(self) -> bool {
        matches!(self.0, "J" | "D")
    }

    /// Is an object or array.
    pub(crate) fn is_reference(self) -> bool {
        self.0.starts_with(['L', '['])
    }

    /// Binary class name with dots; an array as its descriptor; none for a primitive.
    pub(crate) fn class_name(self) -> Option<String> {
        let inner = self.0.strip_prefix('L').and_then(|t| t.strip_suffix(';'));
        match inner {
            Some(name) => Some(name.replace('/', ".")),
            None => self.0.starts_with('[').then(|| self.0.to_owned()),
        }
    }
}

/// Words that a method's arguments take at most, and the first behind them.
const WORDS: u16 = 256;

/// A method descriptor taken apart.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Signature {
    params: Vec<String>,
    result: String,
}

impl Signature {
    /// Reads a descriptor such as `(IJLjava/lang/String;)V`.
    pub(crate) fn parse(descriptor: &str) -> Self {
        let body = descriptor.strip_prefix('(').unwrap_or("");
        let (params, result) = body.split_once(')').unwrap_or(("", "V"));
        Self {
            params: split(params),
            result: result.to_owned(),
        }
    }

    /// Parameter types, the receiver not included.
    pub(crate) fn params(&self) -> impl DoubleEndedIterator<Item = Type<'_>> {
        self.params.iter().map(|p| Type(p))
    }

    /// The parameters with their places among the local variables, from `first` on. A method has 255 words of them at most (JVM
    /// spec 4.3.3): what a descriptor has beyond that has no place.
    pub(crate) fn slots(&self, first: u16) -> impl Iterator<Item = (u16, Type<'_>)> {
        let mut next = first;
        let placed = self.params().map(move |ty| {
            let slot = next;
            next = next.saturating_add(1 + u16::from(ty.is_wide()));
            (slot, ty)
        });
        placed.take_while(|(slot, _)| *slot < WORDS)
    }

    /// Result type; none for `void`.
    pub(crate) fn result(&self) -> Option<Type<'_>> {
        (self.result != "V").then_some(Type(&self.result))
    }
}

fn split(mut text: &str) -> Vec<String> {
    let mut out = Vec::new();
    while !text.is_empty() {
        let length = first_length(text);
        let (head, tail) = text.split_at(length);
        out.push(head.to_owned());
        text = tail;
    }
    out
}

/// Bytes of the first type in `text`; at least one character, at most all of it.
fn first_length(text: &str) -> usize {
    let dims = text.len() - text.trim_start_matches('[').len();
    let rest = &text[dims..];
    let tail = match rest.chars().next() {
        Some('L') => rest.find(';').map_or(rest.len(), |at| at + 1),
        Some(c) => c.len_utf8(),
        None => 0,
    };
    dims + tail
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn takes_a_descriptor_apart() {
        let signature = Signature::parse("(I[[JLjava/lang/String;D)Z");
        let params: Vec<_> = signature.params().map(|t| t.0).collect();
        assert_eq!(params, ["I", "[[J", "Ljava/lang/String;", "D"]);
        assert_eq!(signature.result(), Some(Type("Z")));
        let class = signature.params().nth(2).and_then(Type::class_name);
        assert_eq!(class.as_deref(), Some("java.lang.String"));
    }

    #[test]
    fn malformed_descriptors_are_survived() {
        for text in ["", "(", ")", "(L", "([", "(Ljava", "é", "(é)é", "()"] {
            let signature = Signature::parse(text);
            assert!(signature.params().count() <= 2, "{text}");
        }
    }

    #[test]
    fn parameters_have_places_as_far_as_a_method_has_words() {
        let slots = |text: &str, first| -> Vec<u16> {
            let signature = Signature::parse(text);
            signature.slots(first).map(|(slot, _)| slot).collect()
        };
        assert_eq!(slots("(IJ[DLa;)V", 1), [1, 2, 4, 5]);
        let lying = format!("({})V", "J".repeat(70_000));
        assert_eq!(slots(&lying, 0).len(), 128);
    }
}
