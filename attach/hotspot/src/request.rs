//! A request as the JVM wants to read it: `1 NUL command NUL a NUL b NUL c NUL`. Pure.
//!
//! Version 1 of the protocol, which every HotSpot from 8 to 25 reads: always three arguments,
//! missing ones empty.

/// Longest command name the JVM's reader accepts.
const COMMAND_MAX: usize = 16;
/// Longest argument the JVM's reader accepts.
const ARGUMENT_MAX: usize = 1024;
const ARGUMENTS: usize = 3;

/// Why a request cannot be sent. The JVM would cut it, misread it, or complain on its own output.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum RequestError {
    /// A command name no JVM has.
    #[error("the command {command:?} is empty or longer than {COMMAND_MAX} bytes")]
    Command {
        /// The name given.
        command: String,
    },
    /// More than the protocol can carry.
    #[error("the command {command} takes at most {ARGUMENTS} arguments, not {given}")]
    TooMany {
        /// The command.
        command: String,
        /// How many arguments were given.
        given: usize,
    },
    /// An argument that would be cut.
    #[error("argument {number} is {length} bytes long; the JVM reads at most {ARGUMENT_MAX}")]
    TooLong {
        /// Which one, from 1.
        number: usize,
        /// Its length.
        length: usize,
    },
    /// A NUL would end the argument early and shift the others.
    #[error("argument {number} contains a NUL byte")]
    Nul {
        /// Which one, from 1; 0 is the command.
        number: usize,
    },
}

/// The bytes of one request. For `jcmd` all arguments are one diagnostic command and joined by
/// blanks.
pub(crate) fn encode(command: &str, args: &[&str]) -> Result<Vec<u8>, RequestError> {
    check_command(command)?;
    let joined = args.join(" ");
    let args = match command {
        "jcmd" => &[joined.as_str()],
        _ => args,
    };
    if args.len() > ARGUMENTS {
        return Err(RequestError::TooMany {
            command: command.to_owned(),
            given: args.len(),
        });
    }
    check_arguments(args)?;
    let missing = std::iter::repeat_n("", ARGUMENTS - args.len());
    let parts = ["1", command]
        .into_iter()
        .chain(args.iter().copied())
        .chain(missing);
    Ok(parts.flat_map(|part| part.bytes().chain([0])).collect())
}

fn check_command(command: &str) -> Result<(), RequestError> {
    match command {
        _ if command.contains('\0') => Err(RequestError::Nul { number: 0 }),
        _ if command.is_empty() || command.len() > COMMAND_MAX => Err(RequestError::Command {
            command: command.to_owned(),
        }),
        _ => Ok(()),
    }
}

fn check_arguments(args: &[&str]) -> Result<(), RequestError> {
    for (number, arg) in (1..).zip(args) {
        if arg.contains('\0') {
            return Err(RequestError::Nul { number });
        }
        if arg.len() > ARGUMENT_MAX {
            return Err(RequestError::TooLong {
                number,
                length: arg.len(),
            });
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn three_arguments_always() {
        assert_eq!(
            encode("properties", &[]).expect("fits"),
            b"1\0properties\0\0\0\0"
        );
        assert_eq!(
            encode("load", &["/x", "true", "o"]).expect("fits"),
            b"1\0load\0/x\0true\0o\0"
        );
        assert_eq!(
            encode("jcmd", &["GC.heap_info", "-x", "y", "z"]).expect("fits"),
            b"1\0jcmd\0GC.heap_info -x y z\0\0\0"
        );
    }

    #[test]
    fn what_cannot_be_sent() {
        assert_eq!(
            encode("load", &["a", "b\0"]),
            Err(RequestError::Nul { number: 2 })
        );
        assert_eq!(encode("lo\0ad", &[]), Err(RequestError::Nul { number: 0 }));
        assert!(matches!(encode("", &[]), Err(RequestError::Command { .. })));
        assert!(matches!(
            encode("averyverylongcommand", &[]),
            Err(RequestError::Command { .. })
        ));
        assert!(matches!(
            encode("load", &["1", "2", "3", "4"]),
            Err(RequestError::TooMany { given: 4, .. })
        ));
        let long = "x".repeat(1025);
        assert_eq!(
            encode("load", &[&long]),
            Err(RequestError::TooLong {
                number: 1,
                length: 1025
            })
        );
        assert!(encode("load", &[&long[1..]]).is_ok());
    }

    proptest! {
        #[test]
        fn a_request_splits_back(command in "[a-z]{1,16}", args in prop::collection::vec("[^\0]{0,40}", 0..=3)) {
            prop_assume!(command != "jcmd");
            let args: Vec<&str> = args.iter().map(String::as_str).collect();
            let bytes = encode(&command, &args).expect("fits");
            let parts: Vec<&[u8]> = bytes.split(|b| *b == 0).collect();
            prop_assert_eq!(parts.len(), 6);
            prop_assert_eq!(parts[1], command.as_bytes());
            for (given, sent) in args.iter().zip(&parts[2..]) {
                prop_assert_eq!(given.as_bytes(), *sent);
            }
        }
    }
}
