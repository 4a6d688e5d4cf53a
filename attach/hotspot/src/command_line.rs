//! A `java` command line taken apart: the VM's options, the main class or jar, the program's
//! arguments.
//!
//! Pure: the caller supplies the vector and a way to read `@argfiles`. Follows the launchers of
//! JDK 8 to 25; an option this module has never heard of counts as one word.

use std::collections::VecDeque;

use crate::argfile::argfile_words;

/// Launcher options whose value is the *next* word.
const WITH_VALUE: &[&str] = &[
    "-cp",
    "-classpath",
    "--class-path",
    "-p",
    "--module-path",
    "--upgrade-module-path",
    "--add-modules",
    "--limit-modules",
    "--add-exports",
    "--add-opens",
    "--add-reads",
    "--patch-module",
    "--enable-native-access",
    "--illegal-native-access",
    "--enable-final-field-mutation",
    "--illegal-final-field-mutation",
    "--sun-misc-unsafe-memory-access",
    "-d",
    "--describe-module",
    "--source",
];

/// What a command line says.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct CommandLine {
    /// Everything between the launcher and the main class, argfiles expanded, `-J` stripped.
    pub(crate) options: Vec<String>,
    /// Main class, `module/class`, jar or source file, as typed.
    pub(crate) main: Option<String>,
    /// What follows the main class.
    pub(crate) args: Vec<String>,
}

/// Takes `argv` (launcher first) apart. `read` gives an argfile's text, or `None` if it cannot be
/// read; then the main class is unknown too, for it may have been in there.
pub(crate) fn parse(argv: &[String], read: &dyn Fn(&str) -> Option<String>) -> CommandLine {
    let words = argv.iter().skip(1).map(|w| Word::typed(w)).collect();
    let mut parser = Parser {
        words,
        read,
        expanding: true,
        blind: false,
    };
    let mut line = CommandLine::default();
    line.main = parser.options(&mut line.options);
    line.args = parser.words.into_iter().map(|w| w.text).collect();
    if parser.blind {
        line.main = None;
        line.args.clear();
    }
    line
}

struct Word {
    text: String,
    /// Words out of an argfile are not expanded again.
    expandable: bool,
}

impl Word {
    fn typed(text: &str) -> Word {
        Word {
            text: text.to_owned(),
            expandable: true,
        }
    }
}

struct Parser<'a> {
    words: VecDeque<Word>,
    read: &'a dyn Fn(&str) -> Option<String>,
    expanding: bool,
    blind: bool,
}

impl Parser<'_> {
    /// Consumes options up to and including the main class, which it returns.
    fn options(&mut self, options: &mut Vec<String>) -> Option<String> {
        while let Some(word) = self.next() {
            if let Some(module) = word.strip_prefix("--module=") {
                return Some(module.to_owned());
            }
            if word == "-m" || word == "--module" {
                return self.next();
            }
            if !word.starts_with('-') || word == "-" {
                return Some(word);
            }
            self.option(word, options);
        }
        None
    }

    fn option(&mut self, word: String, options: &mut Vec<String>) {
        let takes_value = WITH_VALUE.contains(&word.as_str());
        if word == "--disable-@files" {
            self.expanding = false;
        }
        options.push(word.strip_prefix("-J").map(str::to_owned).unwrap_or(word));
        if takes_value {
            options.extend(self.next());
        }
    }

    fn next(&mut self) -> Option<String> {
        loop {
            let word = self.words.pop_front()?;
            match word.text.strip_prefix('@') {
                Some(name) if word.expandable && self.expanding => {
                    if let Some(escaped) = self.argfile(name) {
                        return Some(escaped);
                    }
                }
                _ => return Some(word.text),
            }
        }
    }

    /// Puts an argfile's words in front of the rest; `@@x` is the word `@x` instead.
    fn argfile(&mut self, name: &str) -> Option<String> {
        if name.starts_with('@') {
            return Some(name.to_owned());
        }
        match (self.read)(name) {
            None => self.blind = true,
            Some(text) => {
                for text in argfile_words(&text).into_iter().rev() {
                    self.words.push_front(Word {
                        text,
                        expandable: false,
                    });
                }
            }
        }
        None
    }
}

/// Fits the VM's own account of its command (`sun.rt.javaCommand`: words joined by blanks) to the
/// vector, where the words are still apart; words split at blanks if it does not fit.
pub(crate) fn from_java_command(command: &str, argv: &[String]) -> (Option<String>, Vec<String>) {
    let tail = (0..argv.len())
        .map(|k| &argv[k..])
        .find(|tail| tail.join(" ") == command);
    let words = tail.map_or_else(
        || command.split_whitespace().map(str::to_owned).collect(),
        <[_]>::to_vec,
    );
    let mut words = words.into_iter();
    (words.next(), words.collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn words(text: &str) -> Vec<String> {
        text.split(' ').map(str::to_owned).collect()
    }

    fn parsed(text: &str) -> CommandLine {
        parse(&words(text), &|_| None)
    }

    fn main_and_args(text: &str) -> (Option<String>, String) {
        let line = parsed(text);
        (line.main, line.args.join(" "))
    }

    #[test]
    fn main_is_found_behind_every_kind_of_option() {
        for (line, main, args) in [
            ("java Main", "Main", ""),
            ("java -cp a:b org.x.Main -x y", "org.x.Main", "-x y"),
            ("/opt/my-launcher -classpath Decoy Main", "Main", ""),
            ("java --class-path Decoy Main", "Main", ""),
            ("java --class-path=Decoy Main", "Main", ""),
            ("java -Xmx1g -XX:+UseG1GC -Dk=v -ea:x... Main", "Main", ""),
            (
                "java -jar app.jar -jar other.jar",
                "app.jar",
                "-jar other.jar",
            ),
            ("java -jar -Xmx1g /opt/app.jar", "/opt/app.jar", ""),
            (
                "java --add-opens java.base/java.lang=ALL-UNNAMED Main",
                "Main",
                "",
            ),
            (
                "java -p mods --add-modules m -m m/org.Main a b",
                "m/org.Main",
                "a b",
            ),
            ("java --module=m/org.Main -m x", "m/org.Main", "-m x"),
            ("java --source 21 Foo.java", "Foo.java", ""),
            ("java -javaagent:x.jar=y -agentpath:/l.so Main", "Main", ""),
            ("java @@at", "@at", ""),
        ] {
            assert_eq!(
                main_and_args(line),
                (Some(main.to_owned()), args.to_owned()),
                "{line}"
            );
        }
    }

    #[test]
    fn no_main_is_none() {
        for line in ["java", "java -version", "java -cp", "java -m"] {
            assert_eq!(parsed(line).main, None, "{line}");
        }
    }

    #[test]
    fn argfiles_are_expanded_once_and_only_before_main() {
        let file = |name: &str| (name == "f").then(|| "-cp 'x y' -Xrs @f\n Main one".to_owned());
        let line = parse(&words("java @f @f"), &file);
        assert_eq!(line.options, ["-cp", "x y", "-Xrs"]);
        assert_eq!(
            line.main.as_deref(),
            Some("@f"),
            "a nested argfile is an ordinary word"
        );
        let file = |_: &str| Some("-Xrs Main one".to_owned());
        let line = parse(&words("java @f @f"), &file);
        assert_eq!(line.main.as_deref(), Some("Main"));
        assert_eq!(line.args, ["one", "@f"]);
    }

    #[test]
    fn an_unreadable_argfile_makes_main_unknown_but_keeps_the_options() {
        let line = parsed("java -Xrs @gone Main");
        assert_eq!(line.main, None);
        assert_eq!(line.options, ["-Xrs"]);
    }

    #[test]
    fn argfiles_can_be_switched_off() {
        let line = parse(&words("java --disable-@files @f"), &|_| {
            Some("Other".to_owned())
        });
        assert_eq!(line.main.as_deref(), Some("@f"));
    }

    #[test]
    fn tool_launchers_pass_vm_options_with_a_j() {
        assert_eq!(parsed("javac -J-Xrs A.java").options, ["-Xrs"]);
    }

    #[test]
    fn the_vms_account_is_fitted_to_the_vector() {
        let argv = ["jl", "-J-X", "/a b/app.jar", "x y"].map(str::to_owned);
        let fitted = from_java_command("/a b/app.jar x y", &argv);
        assert_eq!(
            fitted,
            (Some("/a b/app.jar".to_owned()), vec!["x y".to_owned()])
        );
        let split = from_java_command("jdk.compiler/com.sun.tools.javac.Main A.java", &argv);
        assert_eq!(
            split.0.as_deref(),
            Some("jdk.compiler/com.sun.tools.javac.Main")
        );
        assert_eq!(from_java_command("", &argv), (None, vec![]));
    }

    fn option() -> impl Strategy<Value = Vec<String>> {
        prop_oneof![
            "-(Xmx[0-9]m|XX:[+-][A-Z][a-z]{1,9}|D[a-z]=[a-z]?|ea|server)".prop_map(|o| vec![o]),
            (proptest::sample::select(WITH_VALUE), "[-a-z/=]{1,9}")
                .prop_map(|(o, v)| vec![o.to_owned(), v]),
        ]
    }

    proptest! {
        #[test]
        fn options_main_and_arguments_come_back(
            launcher in "[a-z/]{1,9}",
            options in proptest::collection::vec(option(), 0..8),
            main in "[a-z]{1,3}(\\.[A-Za-z]{1,5}){0,3}",
            args in proptest::collection::vec("[-@a-z ]{0,6}", 0..5),
        ) {
            let options = options.concat();
            let mut argv = vec![launcher];
            argv.extend(options.clone());
            argv.push(main.clone());
            argv.extend(args.clone());
            let line = parse(&argv, &|_| None);
            prop_assert_eq!(line, CommandLine { options, main: Some(main), args });
        }

        #[test]
        fn no_vector_makes_it_panic(argv in proptest::collection::vec("(?s).{0,12}", 0..9)) {
            let _ = parse(&argv, &|name| name.contains('x').then(|| name.to_owned()));
        }
    }
}
