//! Tables read back, and held against what the pages for users say of them.

use super::schema::{COMMON, Kind, TABLES, Table};
use super::sheet::{Cell, ROWS, Sheet, maybe, text};
use super::*;
use crate::export::scene::{Told, hostile, hostile_records, is_harmless, records};
use bytes::Bytes;
use locklens_inference::nesting::{Nester, Scout};
use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::record::Field;
use proptest::prelude::*;
use std::collections::BTreeMap;

/// The bytes of each table.
fn tables(records: &[Record]) -> BTreeMap<&'static str, Vec<u8>> {
    let told = Told::of(records);
    let scout = Scout::default();
    let mut nester = Nester::new(&told.collected, &told.analysis, &scout);
    let mut tables =
        Tables::begin(&told.collected, &told.analysis, &mut |_| Ok(Vec::new())).unwrap();
    for record in records {
        nester.see(record);
        tables.parts().0.see(record).unwrap();
    }
    for happening in &told.happenings {
        tables.parts().1.tell(happening).unwrap();
    }
    let all = tables.end(&nester.finish()).unwrap();
    names().zip(all).collect()
}

fn read(bytes: Vec<u8>) -> SerializedFileReader<Bytes> {
    SerializedFileReader::new(Bytes::from(bytes)).unwrap()
}

/// A row a line, without the columns that are the same in all.
fn lines(bytes: Vec<u8>) -> Vec<String> {
    let reader = read(bytes);
    let line = |row: parquet::record::Row| {
        let cells = row.get_column_iter().skip(COMMON.len());
        let cells: Vec<_> = cells.map(|(name, cell)| format!("{name}={cell}")).collect();
        cells.join(" ")
    };
    let rows = reader.get_row_iter(None).unwrap();
    rows.map(|row| line(row.unwrap())).collect()
}

fn told(records: &[Record]) -> String {
    let tables = tables(records).into_iter();
    let tables = tables.map(|(name, bytes)| format!("{name}\n  {}\n", lines(bytes).join("\n  ")));
    tables.collect()
}

#[test]
fn a_recording_becomes_rows() {
    insta::assert_snapshot!(told(&records("writer", "app.Store")));
}

#[test]
fn a_recording_of_nothing_has_all_tables() {
    insta::assert_snapshot!(told(&[]));
}

#[test]
fn the_same_recording_becomes_the_same_bytes() {
    let records = records("writer", "app.Store");
    assert_eq!(tables(&records), tables(&records));
}

#[test]
fn every_row_says_of_which_recording_it_is() {
    for (name, bytes) in tables(&records("writer", "app.Store")) {
        for row in read(bytes).get_row_iter(None).unwrap() {
            let row = row.unwrap();
            let common = row.get_column_iter().take(COMMON.len());
            let common: Vec<_> = common.map(|(_, cell)| cell.to_string()).collect();
            let id = common[0].trim_matches('"');
            assert_eq!(id.len(), 16, "{name}: {common:?}");
            assert_eq!(common[1], "4242", "{name}");
            assert!(common[2].starts_with("2023-11-14 22:13:20"), "{common:?}");
        }
    }
}

#[test]
fn recordings_are_told_apart() {
    let id = |records: &[Record]| recording_id(&Told::of(records).collected);
    let first = records("writer", "app.Store");
    let shorter = &first[..first.len() - 1];
    assert_eq!(id(&first), id(&first));
    assert_ne!(id(&first), id(shorter));
    assert_ne!(id(&[]), id(&first));
}

#[test]
fn names_are_made_harmless() {
    for name in hostile() {
        let mut texts = 0;
        for (table, bytes) in tables(&hostile_records(&name)) {
            for row in read(bytes).get_row_iter(None).unwrap() {
                for (column, cell) in row.unwrap().get_column_iter() {
                    let Field::Str(text) = cell else { continue };
                    texts += 1;
                    assert!(
                        is_harmless(text),
                        "{table}.{column} of {name:.40}: {text:?}"
                    );
                }
            }
        }
        assert!(texts > 50, "{texts}");
    }
}

#[test]
fn the_page_for_users_has_every_column() {
    let page = include_str!("../../../docs/tables.md");
    for table in TABLES {
        let head = format!("\n### {}\n", table.name);
        let part = page.split(&head).nth(1).unwrap_or_else(|| panic!("{head}"));
        let part = part.split("\n#").next().unwrap_or(part);
        let said = part.lines().filter_map(|line| line.strip_prefix("| `"));
        let said: Vec<&str> = said.filter_map(|line| line.split('`').next()).collect();
        let expected: Vec<&str> = table.fields.iter().map(|field| field.name).collect();
        assert_eq!(said, expected, "columns of {}", table.name);
        for field in table.fields {
            let line = part
                .lines()
                .find(|l| l.starts_with(&format!("| `{}`", field.name)));
            assert_eq!(
                line.is_some_and(|line| line.contains("null")),
                field.optional,
                "{} of {}: whether it may be null",
                field.name,
                table.name
            );
        }
    }
}

const ANY: Table = Table {
    name: "any",
    fields: schema::CONTENTIONS.fields,
};

fn cell(kind: Kind, optional: bool) -> BoxedStrategy<Cell> {
    let value = match kind {
        Kind::Number | Kind::Time | Kind::Moment => any::<i64>().prop_map(Cell::Number).boxed(),
        Kind::Text => ".{0,12}".prop_map(|value| text(&value)).boxed(),
        Kind::Truth => any::<bool>().prop_map(Cell::Truth).boxed(),
        Kind::Weight => (0.0..1.0).prop_map(Cell::Weight).boxed(),
    };
    match optional {
        true => proptest::option::of(value)
            .prop_map(|value| maybe(value, |value| value))
            .boxed(),
        false => value,
    }
}

fn row() -> impl Strategy<Value = Vec<Cell>> {
    let fields = ANY.fields.iter();
    fields
        .map(|field| cell(field.kind, field.optional))
        .collect::<Vec<_>>()
}

fn shown(cell: &Cell) -> String {
    match cell {
        Cell::Nothing => "null".to_owned(),
        Cell::Number(value) => value.to_string(),
        Cell::Text(value) => format!("{:?}", value.as_utf8().unwrap()),
        Cell::Truth(value) => value.to_string(),
        Cell::Weight(value) => value.to_string(),
    }
}

fn shown_back(field: &parquet::record::Field) -> String {
    match field {
        parquet::record::Field::Str(value) => format!("{value:?}"),
        other => other.to_string(),
    }
}

proptest! {
    /// Whatever stands in the rows comes back, in their order.
    #[test]
    fn rows_come_back(rows in proptest::collection::vec(row(), 0..40)) {
        let common = [text("id"), Cell::Nothing, Cell::Nothing];
        let mut sheet = Sheet::begin(&ANY, &common, Vec::new()).unwrap();
        for cells in &rows {
            let cells: [Cell; 14] = cells.clone().try_into().unwrap();
            sheet.row(cells).unwrap();
        }
        let reader = read(sheet.end().unwrap());
        let back = reader.get_row_iter(None).unwrap().map(|row| {
            let row = row.unwrap();
            let cells = row.get_column_iter().skip(COMMON.len());
            cells.map(|(_, field)| shown_back(field)).collect::<Vec<_>>()
        });
        let back: Vec<_> = back.collect();
        let put: Vec<Vec<_>> = rows.iter().map(|row| row.iter().map(shown).collect()).collect();
        prop_assert_eq!(back, put);
    }
}

#[test]
fn a_row_group_is_written_when_it_is_full() {
    let common = [text("id"), Cell::Nothing, Cell::Nothing];
    let edges = schema::HOLDS;
    let mut sheet = Sheet::begin(&edges, &common, Vec::new()).unwrap();
    let rows = i64::try_from(ROWS).unwrap() + 1;
    for nth in 0..rows {
        let [a, b, c, d, e] = [nth, 1, 2, nth, nth + 5].map(Cell::Number);
        sheet.row([a, b, c, d, e, Cell::Nothing]).unwrap();
    }
    let reader = read(sheet.end().unwrap());
    let groups = reader.metadata().row_groups();
    let sizes: Vec<_> = groups.iter().map(|group| group.num_rows()).collect();
    assert_eq!(sizes, [rows - 1, 1]);
}
