//! Profiles for Firefox.
