//! locklens trace format: events, ids, encoder and decoder.
