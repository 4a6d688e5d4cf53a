//! Flags of `locklens view`.

use super::Analysis;
use clap::Args;
use std::path::PathBuf;

/// Serve the page of 'locklens html' to the browsers of this computer, with every stay of the trace
///
/// The same page, but where its intervals are coarser than the pixels it asks for the single stays of the part that is shown, and they are
/// read from the trace, so that a recording of any length is shown in full. Its address is printed on standard output. It has a token that
/// nobody can guess; other computers cannot reach it, and other users of this one only if they know the address. Ctrl-C ends it.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  locklens view app.llt                then open the address that it prints
  locklens view app.llt --open         open it at once
  locklens view app.llt --port 8123    on a port of your choice

On another computer, over ssh: ssh -L 8123:127.0.0.1:8123 HOST, there 'locklens view app.llt --port 8123',
and here the address that it prints.

Exit status: 0 ended by Ctrl-C   2 usage, no trace, or the port is taken")]
pub(crate) struct View {
    /// A trace
    pub(crate) file: PathBuf,
    /// Port to listen on, on 127.0.0.1; without it any that is free
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    pub(crate) port: Option<u16>,
    /// Open the page in the browser of this desktop
    #[arg(long)]
    pub(crate) open: bool,
    #[command(flatten)]
    pub(crate) analysis: Analysis,
}
