//! renderers: model in, bytes out.
