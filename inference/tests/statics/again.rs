//! Blocks that are left after a wait only to be entered again.

use crate::subjects::{compile_one, region_name};
use std::collections::BTreeSet;

#[test]
fn a_block_in_a_loop_of_its_own_wait_is_one_visit_and_no_other() {
    let program = compile_one("tests/trials/Again.java");
    let regions: BTreeSet<_> = program.regions.iter().map(|(id, _)| id).collect();
    assert!(regions.len() >= 9, "{regions:?}");
    let found = program.model.asking_again(&regions);
    let found: BTreeSet<String> = found.iter().map(|&id| region_name(&program, id)).collect();
    let expected = ["Again.around", "Again.aroundWithTime"].map(str::to_owned);
    assert_eq!(found, expected.into());
}
