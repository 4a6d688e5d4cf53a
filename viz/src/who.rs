//! What threads are called in text beside words for what is no thread.

use crate::text::clean;
use std::borrow::Cow;

/// Words that stand for what is not known or for no thread.
const WORDS: [&str; 3] = ["unknown", "nobody", "deadlock"];

/// A name of a thread, or of a group of them: in quotes where it could be taken for such a word.
pub(crate) fn who(name: &str) -> String {
    let is_word = WORDS.contains(&name) || name.starts_with(['(', '[', '"']);
    match is_word {
        true => format!("\"{}\"", clean(name)),
        false => clean(name),
    }
}

/// The same of names by which a sample goes, where threads without one are together.
pub(crate) fn group(name: &str) -> Cow<'_, str> {
    match name {
        "" => "<unnamed #>".into(),
        name => name.into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_thread_called_like_what_is_not_known_is_told_apart() {
        let told = ["(unknown)", "nobody", "[unknown]", "main", "<unnamed 12>"].map(who);
        let apart = [
            "\"(unknown)\"",
            "\"nobody\"",
            "\"[unknown]\"",
            "main",
            "<unnamed 12>",
        ];
        assert_eq!(told, apart);
        assert_eq!([group(""), group("pool-#")], ["<unnamed #>", "pool-#"]);
    }
}
