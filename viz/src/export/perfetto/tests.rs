//! Perfetto traces.
