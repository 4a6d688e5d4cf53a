//! The two ways a `java` launcher and the VM cut option text into words: `@argfiles` and variables
//! such as `JAVA_TOOL_OPTIONS`.
//!
//! Pure. Nothing here reads a file or an environment.

/// Words of an `@argfile`: white space separates, quotes group, a backslash inside quotes escapes,
/// `#` outside quotes starts a comment, and a backslash at a line's end continues a quoted text.
pub(crate) fn argfile_words(text: &str) -> Vec<String> {
    let mut words = Words::default();
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        match (words.quote, c) {
            (Some(_), '\\') => words.push_escape(&mut chars),
            (None, '#') => while chars.next_if(|c| *c != '\n' && *c != '\r').is_some() {},
            _ => words.plain(c),
        }
    }
    words.finish()
}

/// Words of `JAVA_TOOL_OPTIONS`, `_JAVA_OPTIONS`, `JDK_JAVA_OPTIONS` or a `VMOptionsFile`: quotes
/// group, nothing escapes.
pub(crate) fn variable_words(text: &str) -> Vec<String> {
    let mut words = Words::default();
    text.chars().for_each(|c| words.plain(c));
    words.finish()
}

#[derive(Default)]
struct Words {
    done: Vec<String>,
    word: Option<String>,
    quote: Option<char>,
}

impl Words {
    fn plain(&mut self, c: char) {
        match self.quote {
            Some(q) if q == c => self.quote = None,
            Some(_) => self.push(c),
            None if c == '"' || c == '\'' => self.open(c),
            None if c.is_ascii_whitespace() => self.end_word(),
            None => self.push(c),
        }
    }

    fn open(&mut self, quote: char) {
        self.quote = Some(quote);
        self.word.get_or_insert_default();
    }

    fn push(&mut self, c: char) {
        self.word.get_or_insert_default().push(c);
    }

    fn push_escape(&mut self, rest: &mut std::iter::Peekable<std::str::Chars<'_>>) {
        match rest.next() {
            Some('n') => self.push('\n'),
            Some('t') => self.push('\t'),
            Some('r') => self.push('\r'),
            Some('f') => self.push('\u{c}'),
            Some('\n' | '\r') => while rest.next_if(|c| c.is_ascii_whitespace()).is_some() {},
            Some(c) => self.push(c),
            None => {}
        }
    }

    fn end_word(&mut self) {
        self.done.extend(self.word.take());
    }

    fn finish(mut self) -> Vec<String> {
        self.end_word();
        self.done
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn words_quotes_comments_and_escapes() {
        let text = "-cp \"a b:c\" # the class path\n-Dx='y z' '' \"tab\\there\" \"long \\\n   text\"\nMain";
        assert_eq!(
            argfile_words(text),
            [
                "-cp",
                "a b:c",
                "-Dx=y z",
                "",
                "tab\there",
                "long text",
                "Main"
            ]
        );
    }

    #[test]
    fn variables_have_quotes_but_no_escapes() {
        assert_eq!(
            variable_words(" -Da='b c'  \"-Xrs\" c:\\d "),
            ["-Da=b c", "-Xrs", "c:\\d"]
        );
    }

    proptest! {
        #[test]
        fn plain_words_come_back(words in proptest::collection::vec("[a-zA-Z0-9:=./@-]{1,12}", 0..9)) {
            let text = words.join(" \t\n");
            prop_assert_eq!(argfile_words(&text), words.clone());
            prop_assert_eq!(variable_words(&text), words);
        }

        #[test]
        fn quoted_words_come_back(words in proptest::collection::vec("[ a-z#'@]{0,12}", 0..9)) {
            let text: String = words.iter().map(|w| format!("\"{w}\" ")).collect();
            prop_assert_eq!(argfile_words(&text), words.clone());
            prop_assert_eq!(variable_words(&text), words);
        }

        #[test]
        fn no_text_makes_it_panic(text in "(?s).{0,200}") {
            let _ = (argfile_words(&text), variable_words(&text));
        }
    }
}
