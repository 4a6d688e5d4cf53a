//! find HotSpot JVMs and speak their attach protocol.
