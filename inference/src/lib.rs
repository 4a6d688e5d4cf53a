//! from lock events to logical locks and their types.
