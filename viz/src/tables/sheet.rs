//! One table on its way into a file: rows are kept until there are enough for a row group.

use super::schema::{COMMON, Field, Kind, Table};
use bytes::Bytes;
use parquet::basic::{Compression, Encoding};
use parquet::data_type::{BoolType, ByteArray, ByteArrayType, DataType, DoubleType, Int64Type};
use parquet::errors::ParquetError;
use parquet::file::properties::{DEFAULT_WRITE_BATCH_SIZE, EnabledStatistics, WriterProperties};
use parquet::file::writer::{
    SerializedColumnWriter, SerializedFileWriter, SerializedRowGroupWriter,
};
use parquet::schema::parser::parse_message_type;
use parquet::schema::types::ColumnPath;
use std::io::{self, Write};
use std::sync::Arc;

/// Rows of a row group.
pub(super) const ROWS: usize = 122_880;
/// Rows of a column handed over at once that has one value in all: as many as the format's writer takes in at once from more.
const SAME: usize = DEFAULT_WRITE_BATCH_SIZE;

/// One value of a row.
#[derive(Clone, Debug)]
pub(super) enum Cell {
    Nothing,
    Number(i64),
    Text(ByteArray),
    Truth(bool),
    Weight(f64),
}

/// Counts and times: what is more than the format can hold becomes the most it can.
pub(super) fn number(value: u64) -> Cell {
    Cell::Number(i64::try_from(value).unwrap_or(i64::MAX))
}

/// A word of ours: it stands in millions of rows, so nothing is made for it.
pub(super) fn word(value: &'static str) -> Cell {
    Cell::Text(ByteArray::from(Bytes::from_static(value.as_bytes())))
}

pub(super) fn text(value: &str) -> Cell {
    Cell::Text(ByteArray::from(value))
}

/// The value, if there is one.
pub(super) fn maybe<T>(value: Option<T>, cell: impl FnOnce(T) -> Cell) -> Cell {
    value.map_or(Cell::Nothing, cell)
}

/// The values of a column that are there.
#[derive(Debug)]
enum Values {
    Numbers(Vec<i64>),
    Texts(Vec<ByteArray>),
    Truths(Vec<bool>),
    Weights(Vec<f64>),
}

#[derive(Debug)]
struct Column {
    values: Values,
    /// 1 where there is a value; of columns that always have one nothing.
    levels: Option<Vec<i16>>,
}

impl Column {
    fn of(field: &Field) -> Self {
        let values = match field.kind {
            Kind::Number | Kind::Time | Kind::Moment => Values::Numbers(Vec::new()),
            Kind::Text => Values::Texts(Vec::new()),
            Kind::Truth => Values::Truths(Vec::new()),
            Kind::Weight => Values::Weights(Vec::new()),
        };
        Self {
            values,
            levels: field.optional.then(Vec::new),
        }
    }

    fn push(&mut self, cell: Cell) {
        let is_there = match (&mut self.values, cell) {
            (_, Cell::Nothing) => false,
            (Values::Numbers(values), Cell::Number(value)) => {
                values.push(value);
                true
            }
            (Values::Texts(values), Cell::Text(value)) => {
                values.push(value);
                true
            }
            (Values::Truths(values), Cell::Truth(value)) => {
                values.push(value);
                true
            }
            (Values::Weights(values), Cell::Weight(value)) => {
                values.push(value);
                true
            }
            (values, cell) => unreachable!("{cell:?} is not for {values:?}"),
        };
        match &mut self.levels {
            Some(levels) => levels.push(i16::from(is_there)),
            None => assert!(is_there, "a column that is never null"),
        }
    }

    /// Writes what is kept.
    fn write(&self, to: &mut SerializedColumnWriter<'_>) -> Result<(), ParquetError> {
        let levels = self.levels.as_deref();
        match &self.values {
            Values::Numbers(values) => batch::<Int64Type>(to, values, levels),
            Values::Texts(values) => batch::<ByteArrayType>(to, values, levels),
            Values::Truths(values) => batch::<BoolType>(to, values, levels),
            Values::Weights(values) => batch::<DoubleType>(to, values, levels),
        }
    }

    fn clear(&mut self) {
        match &mut self.values {
            Values::Numbers(values) => values.clear(),
            Values::Texts(values) => values.clear(),
            Values::Truths(values) => values.clear(),
            Values::Weights(values) => values.clear(),
        }
        if let Some(levels) = &mut self.levels {
            levels.clear();
        }
    }
}

fn batch<T: DataType>(
    to: &mut SerializedColumnWriter<'_>,
    values: &[T::T],
    levels: Option<&[i16]>,
) -> Result<(), ParquetError> {
    to.typed::<T>().write_batch(values, levels, None)?;
    Ok(())
}

/// See the module.
pub(super) struct Sheet<W: Write + Send> {
    writer: SerializedFileWriter<W>,
    /// What every row begins with.
    common: [Cell; COMMON.len()],
    columns: Vec<Column>,
    rows: usize,
}

impl<W: Write + Send> Sheet<W> {
    pub(super) fn begin(table: &Table, common: &[Cell; COMMON.len()], out: W) -> io::Result<Self> {
        let schema = parse_message_type(&table.message()).map_err(failed)?;
        let writer = SerializedFileWriter::new(out, Arc::new(schema), properties(table));
        Ok(Self {
            writer: writer.map_err(failed)?,
            common: common.clone(),
            columns: table.fields.iter().map(Column::of).collect(),
            rows: 0,
        })
    }

    /// Adds a row: a value for each column of the table's own.
    pub(super) fn row<const N: usize>(&mut self, cells: [Cell; N]) -> io::Result<()> {
        assert_eq!(N, self.columns.len(), "a cell for each column");
        for (column, cell) in self.columns.iter_mut().zip(cells) {
            column.push(cell);
        }
        self.rows += 1;
        match self.rows == ROWS {
            true => self.flush(),
            false => Ok(()),
        }
    }

    /// Writes the rows that are kept as a row group.
    fn flush(&mut self) -> io::Result<()> {
        let mut group = self.writer.next_row_group().map_err(failed)?;
        for (cell, field) in self.common.iter().zip(&COMMON) {
            next(&mut group, |to| same(cell, field, self.rows, to))?;
        }
        for column in &mut self.columns {
            next(&mut group, |to| column.write(to))?;
            column.clear();
        }
        group.close().map_err(failed)?;
        self.rows = 0;
        Ok(())
    }

    /// Writes the rest and the end of the file.
    pub(super) fn end(mut self) -> io::Result<W> {
        if self.rows > 0 {
            self.flush()?;
        }
        self.writer.into_inner().map_err(failed)
    }
}

/// Writes the next column of a row group.
fn next<W: Write + Send>(
    group: &mut SerializedRowGroupWriter<'_, W>,
    write: impl FnOnce(&mut SerializedColumnWriter<'_>) -> Result<(), ParquetError>,
) -> io::Result<()> {
    let to = group.next_column().map_err(failed)?;
    let mut to = to.ok_or_else(|| io::Error::other("more columns than the schema has"))?;
    let written = write(&mut to).and_then(|()| to.close());
    written.map_err(failed)
}

/// Writes a column that has the same value in all rows, piece by piece.
fn same(
    cell: &Cell,
    field: &Field,
    rows: usize,
    to: &mut SerializedColumnWriter<'_>,
) -> Result<(), ParquetError> {
    let piece = |rows: usize| {
        let mut column = Column::of(field);
        (0..rows).for_each(|_| column.push(cell.clone()));
        column
    };
    let whole = piece(SAME);
    (0..rows / SAME).try_for_each(|_| whole.write(to))?;
    piece(rows % SAME).write(to)
}

/// Times are written as differences, everything else by dictionaries as long as these pay.
fn properties(table: &Table) -> Arc<WriterProperties> {
    let mut properties = WriterProperties::builder()
        .set_created_by("locklens".to_owned())
        .set_compression(Compression::SNAPPY)
        .set_statistics_enabled(EnabledStatistics::Chunk);
    for field in table.all().filter(|field| field.kind == Kind::Time) {
        let path = ColumnPath::from(field.name);
        properties = properties
            .set_column_dictionary_enabled(path.clone(), false)
            .set_column_encoding(path, Encoding::DELTA_BINARY_PACKED);
    }
    Arc::new(properties.build())
}

/// What went wrong, with the system's own word where it is the system that failed.
fn failed(error: ParquetError) -> io::Error {
    match error {
        ParquetError::External(cause) => match cause.downcast::<io::Error>() {
            Ok(error) => *error,
            Err(other) => io::Error::other(other),
        },
        other => io::Error::other(other),
    }
}
