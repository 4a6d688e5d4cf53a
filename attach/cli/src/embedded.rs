//! The agent library that travels inside this executable.

/// The library's bytes.
pub(crate) const LIBRARY: &[u8] = include_bytes!(env!("LOCKLENS_AGENT_SO"));

/// Part of its file name that no other version shares. A target keeps a library mapped until it
/// exits: the same build finds itself again by this, another build gets a name of its own.
pub(crate) const FILE_NAME: &str =
    concat!("liblocklens-agent-", env!("LOCKLENS_AGENT_HASH"), ".so");
