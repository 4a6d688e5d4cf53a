//! What became of a `load` request. Pure.
//!
//! The status of the reply does not tell: on JDK 24 and 25 it is 0 even when the library was not
//! loaded, so the text is read. Even [`LoadOutcome::Loaded`] is only what the JVM says; the agent's
//! own handshake is the proof.

use crate::reply::Reply;

/// What the JVM says of a `load` request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum LoadOutcome {
    /// The library is mapped and its `Agent_OnAttach` returned 0.
    Loaded,
    /// The library is mapped and its `Agent_OnAttach` returned something else.
    AgentRefused {
        /// What it returned.
        code: i32,
    },
    /// The JVM runs with `-XX:-EnableDynamicAgentLoading`.
    DynamicLoadingDisabled,
    /// The library was not loaded or has no `Agent_OnAttach`; the linker's words if there are any.
    NotLoaded {
        /// The JVM's text, or what its silence means.
        reason: String,
    },
    /// An answer of no known form.
    Unknown {
        /// Status and text as they came.
        status: i32,
        /// The text, invalid UTF-8 replaced.
        text: String,
    },
}

/// Reads the reply to a `load` request, in the forms of JDK 8 to 25.
pub fn load_outcome(reply: &Reply) -> LoadOutcome {
    let text = String::from_utf8_lossy(&reply.text);
    let text = text.trim();
    match returned(text) {
        Some(0) => LoadOutcome::Loaded,
        Some(code) => LoadOutcome::AgentRefused { code },
        None => not_loaded(reply.status, text),
    }
}

/// `return code: N` (9 and later) or a bare `N` (8).
fn returned(text: &str) -> Option<i32> {
    let last = text.lines().last()?;
    let number = last.strip_prefix("return code:").unwrap_or(last);
    number.trim().parse().ok()
}

fn not_loaded(status: i32, text: &str) -> LoadOutcome {
    if text.contains("Dynamic agent loading is not enabled") {
        LoadOutcome::DynamicLoadingDisabled
    } else if text.contains(" was not loaded.") || text.contains("is not available in") {
        LoadOutcome::NotLoaded {
            reason: text.to_owned(),
        }
    } else if status != 0 && text.is_empty() {
        // JDK 8 answers a bare -1 and keeps the linker's words to itself.
        LoadOutcome::NotLoaded {
            reason: "the JVM gives no reason (wrong architecture, C library or path?)".to_owned(),
        }
    } else {
        LoadOutcome::Unknown {
            status,
            text: text.to_owned(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn outcome(status: i32, text: &str) -> LoadOutcome {
        load_outcome(&Reply {
            status,
            text: text.as_bytes().to_vec(),
        })
    }

    #[test]
    fn success_in_both_forms() {
        assert_eq!(outcome(0, "0\n"), LoadOutcome::Loaded);
        assert_eq!(outcome(0, "return code: 0\n"), LoadOutcome::Loaded);
        assert_eq!(
            outcome(0, "return code: -3\n"),
            LoadOutcome::AgentRefused { code: -3 }
        );
        assert_eq!(outcome(0, "100\n"), LoadOutcome::AgentRefused { code: 100 });
    }

    #[test]
    fn failure_whatever_the_status() {
        let disabled = "Dynamic agent loading is not enabled. Use -XX:+EnableDynamicAgentLoading to launch target VM.";
        let missing = "/x.so was not loaded.\n/x.so: cannot open shared object file: No such file or directory\n";
        for status in [0, -1] {
            assert_eq!(
                outcome(status, disabled),
                LoadOutcome::DynamicLoadingDisabled
            );
            assert!(
                matches!(outcome(status, missing), LoadOutcome::NotLoaded { reason } if reason.contains("No such file"))
            );
            let symbol = "Agent_OnAttach is not available in /x.so\n";
            assert!(matches!(
                outcome(status, symbol),
                LoadOutcome::NotLoaded { .. }
            ));
        }
        assert!(matches!(outcome(-1, ""), LoadOutcome::NotLoaded { .. }));
        assert!(matches!(outcome(0, ""), LoadOutcome::Unknown { .. }));
        assert!(matches!(
            outcome(-1, "Operation load not recognized!"),
            LoadOutcome::Unknown { .. }
        ));
    }

    proptest! {
        #[test]
        fn only_a_zero_is_success(status: i32, text in "(?s).{0,80}") {
            let loaded = outcome(status, &text) == LoadOutcome::Loaded;
            prop_assert!(!loaded || text.contains('0'));
        }

        #[test]
        fn codes_come_back(code: i32) {
            let expected = if code == 0 { LoadOutcome::Loaded } else { LoadOutcome::AgentRefused { code } };
            prop_assert_eq!(outcome(0, &format!("return code: {code}\n")), expected.clone());
            prop_assert_eq!(outcome(0, &format!("{code}\n")), expected);
        }
    }
}
