//! bytecode and constant pools, as values.
