//! Samples on standard output.

use crate::args::Sample;
use crate::exit::{Exit, Failure};
use crate::terminal;
use locklens_inference::sample::Profile;
use locklens_viz::sample::{self, About};

/// Prints them as the flags say.
pub(crate) fn print(args: &Sample, profile: &Profile, about: About) -> Result<Exit, Failure> {
    let about = About {
        by: args.by,
        ..about
    };
    terminal::print(|out| match args.json {
        true => sample::json(profile, &about, out),
        false => sample::text(profile, &about, terminal::look(), out),
    })
}
