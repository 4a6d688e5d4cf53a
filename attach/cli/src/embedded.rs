//! The agent library that travels inside this executable.

/// The library's bytes.
pub(crate) const LIBRARY: &[u8] = include_bytes!(env!("LOCKLENS_AGENT_SO"));

/// Part of its file name that no other version shares. A target keeps a library mapped until it
/// exits: the same build finds itself again by this, another build gets a name of its own.
pub(crate) const FILE_NAME: &str =
    concat!("liblocklens-agent-", env!("LOCKLENS_AGENT_HASH"), ".so");

#[cfg(test)]
mod tests {
    use super::*;

    /// Versions of glibc named in the library: those it needs, as it defines none.
    fn needed() -> Vec<(u32, u32)> {
        let mark = b"GLIBC_";
        let places = LIBRARY.windows(mark.len()).enumerate();
        let named = places.filter(|(_, window)| window == mark);
        let versions = named.map(|(at, _)| version(&LIBRARY[at + mark.len()..]));
        versions.flatten().collect()
    }

    /// `2.17` at the beginning of the bytes.
    fn version(bytes: &[u8]) -> Option<(u32, u32)> {
        let text = bytes.split(|byte| *byte == 0).next()?;
        let mut parts = std::str::from_utf8(text).ok()?.split('.');
        let major = parts.next()?.parse().ok()?;
        Some((major, parts.next()?.parse().ok()?))
    }

    #[test]
    fn the_agent_loads_where_glibc_is_that_of_centos_7() {
        let needed = needed();
        assert!(needed.contains(&(2, 14)), "not how it is said: {needed:?}");
        assert!(
            needed.iter().all(|version| *version <= (2, 17)),
            "{needed:?}"
        );
    }
}
