//! What a served page is answered that asks for the stays of a part: as the data in the page has them, with texts and call
//! chains of its own.

use super::data::{Texts, tame, targets};
use super::strips::{Chains, stays};
use locklens_inference::levels::model::Span;
use serde_json::json as value;
use std::io::{self, Write};

/// Writes the stays of a part as JSON.
///
/// # Errors
/// When `out` fails.
pub fn detail(span: &Span, out: &mut dyn Write) -> io::Result<()> {
    let mut texts = Texts::default();
    let chains = Chains::of(&span.stays.chains, &mut texts);
    let stays = stays(&span.stays.longest, &chains, &mut texts);
    let mut told = value!({
        "from_ns": span.from.0,
        "to_ns": span.to.0,
        "texts": texts.all,
        "chains": chains.told,
    });
    tame(&mut told);
    told["targets"] = targets(&span.stays.targets);
    told["stays"] = stays.into();
    serde_json::to_writer(out, &told)?;
    Ok(())
}
