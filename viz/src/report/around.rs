//! What stands around the table, for those who draw the table themselves.

use super::stood::stood;
use super::{notes, standstill, stuck, table};
use crate::Look;
use locklens_inference::model::Model;
use std::io::{self, Write};

/// What a report says beside its table, in words.
pub(crate) struct Around {
    /// The program, its Java and pid.
    pub(crate) title: String,
    /// Who is stuck on whom; empty if nobody is.
    pub(crate) stuck: String,
    /// Why there is no lock; empty if there is one.
    pub(crate) empty: String,
    /// What was recorded, and how.
    pub(crate) facts: Vec<String>,
    /// What the figures rest on, and what is missing.
    pub(crate) notes: Vec<String>,
}

/// As much as fits a line of the page.
const LOOK: Look = Look {
    width: 120,
    colour: false,
};

impl Around {
    pub(crate) fn of(model: &Model) -> io::Result<Self> {
        let none = model.locks.is_empty();
        Ok(Self {
            title: text(|out| table::title(model, LOOK, out))?,
            stuck: text(|out| {
                stuck::deadlocks(model, LOOK, out)?;
                stood(model, LOOK, out)?;
                stuck::blockages(model, LOOK, out)?;
                standstill::parked(model, LOOK, out)
            })?,
            empty: text(|out| {
                if none {
                    table::empty(model, LOOK, out)
                } else {
                    Ok(())
                }
            })?,
            facts: notes::facts(&model.recording),
            notes: notes::notes(model),
        })
    }
}

fn text(write: impl FnOnce(&mut Vec<u8>) -> io::Result<()>) -> io::Result<String> {
    let mut out = Vec::new();
    write(&mut out)?;
    out.flush()?;
    Ok(String::from_utf8_lossy(&out).trim().to_owned())
}
