//! Cells, divided by any aspect, come to what `tally` counts.

use super::cells::{ASPECTS, Cell, Cells};
use super::tests::{anything, blame};
use super::*;
use crate::collect::Collector;
use crate::model::Options;
use proptest::prelude::*;
use std::collections::BTreeMap;

fn cells(records: &[Record], most: usize) -> (Blame, Cells) {
    let options = Options::default();
    let (mut collector, mut census) = (Collector::new(options), Census::default());
    for record in records {
        census.see(record);
        collector.push(record.clone());
    }
    let collected = collector.finish();
    let analysis = Analysis::of(&collected, &options);
    let findings = census.finish();
    let blamer = Blamer::new(&collected, &analysis, &findings, &[], Wish::default());
    let mut blamer = blamer.with_cells();
    records.iter().for_each(|record| blamer.push(record));
    blamer.finish_with_cells(most)
}

/// Time, estimates and stays by the values of one aspect.
fn by(cells: &Cells, aspect: usize) -> BTreeMap<Value, (u64, u64, u64)> {
    let mut rows: BTreeMap<Value, (u64, u64, u64)> = BTreeMap::new();
    let name = |cell: &Cell| cells.values[aspect][cell.at[aspect] as usize].clone();
    for cell in &cells.all {
        let row = rows.entry(name(cell)).or_default();
        row.0 += cell.ns.0;
        row.1 += cell.estimated.0;
        row.2 += cell.alone + cell.loose;
    }
    for (sharing, stays) in &cells.shared {
        let names = sharing.iter().map(|&at| name(&cells.all[at as usize]));
        let names: std::collections::BTreeSet<Value> = names.collect();
        for name in names {
            rows.entry(name).or_default().2 += stays;
        }
    }
    rows
}

fn sum(cells: &Cells) -> u64 {
    cells.rest.ns.0 + cells.all.iter().map(|cell| cell.ns.0).sum::<u64>()
}

fn stays(cells: &Cells) -> u64 {
    let alone = cells.all.iter().map(|cell| cell.alone).sum::<u64>();
    cells.rest.alone + alone + cells.shared.iter().map(|(_, stays)| stays).sum::<u64>()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn cells_come_to_the_rows_of_any_key(mut records in anything(), most in 0usize..5) {
        records.sort_by_key(|record| match record {
            Record::Event(event) => event.at,
            _ => Nanos(0),
        });
        let (total, all) = cells(&records, usize::MAX);
        prop_assert_eq!((sum(&all), stays(&all)), (total.total.ns.0, total.total.count));
        for (aspect, &key) in ASPECTS.iter().enumerate() {
            let rows = blame(&records, &[key], Wish::default()).total.rows;
            let told = |row: Row| Some((row.value?, (row.ns.0, row.estimated.0, row.count)));
            prop_assert_eq!(by(&all, aspect), rows.into_iter().filter_map(told).collect());
        }
        let (_, few) = cells(&records, most);
        prop_assert!(few.all.len() <= most);
        prop_assert_eq!((sum(&few), stays(&few)), (sum(&all), stays(&all)));
    }
}
