//! Flags of `locklens view`.

use super::{Analysis, Destination, Recording};
use clap::Args;

/// Serve the page of 'locklens html' to the browsers of this computer: of a trace with every stay, of a JVM while it is recorded
///
/// The same page, but where its intervals are coarser than the pixels it asks for the single stays of the part that is shown, and they are
/// read from the trace, so that a recording of any length is shown in full. Its address is printed on standard output. It has a token that
/// nobody can guess; other computers cannot reach it, and other users of this one only if they know the address. Ctrl-C ends it.
///
/// Of a PID or NAME it records as 'locklens record' does, and the page follows: what is chosen, filtered and shown stays. When the
/// recording is over the page is served on, until Ctrl-C. The trace is removed then, unless -o names a file for it.
///
/// "Visualize" in that page records every event of the locks that are ticked, as 'locklens trace' does, and the page follows that recording
/// (with -o app.llt it goes to app-2.llt). Where rewriting classes is dear, the page tells the price, and nothing is rewritten before it is agreed
/// to there; --no-rewrite forbids it. The classes are put back by "Watch again", at the end, and on Ctrl-C.
#[derive(Debug, Args)]
#[command(
    override_usage = "locklens view [OPTIONS] <FILE>\n       locklens view [OPTIONS] <PID|NAME>",
    mut_arg("duration", |arg| arg.help("Of a JVM, how long to record: 30, 30s, 1m30s, 500ms; 0 = until Ctrl-C or the end of the JVM [default: 0]")),
    mut_arg("output", |arg| arg.help("Of a JVM, keep the trace in FILE: %p stands for the pid, %t for the time [default: it is removed at the end]")),
    after_help = "\
Examples:
  locklens view app.llt                then open the address that it prints
  locklens view app.llt --open         open it at once
  locklens view app.llt --port 8123    on a port of your choice
  locklens view 4242                   JVM 4242, while it is recorded
  locklens view Main -d 5m -o app.llt  for five minutes; the trace is kept
  locklens view 4242 --no-rewrite      the page cannot have classes rewritten

On another computer, over ssh: ssh -L 8123:127.0.0.1:8123 HOST, there 'locklens view app.llt --port 8123',
and here the address that it prints.

Exit status:
  0 ended by Ctrl-C   2 usage, no trace, or the port is taken   3 attach failed
  4 the recording ended early (the target went away, the disk is full): said on the page, which is served until Ctrl-C
  130 interrupted by Ctrl-C before there was a page"
)]
pub(crate) struct View {
    /// A trace, or a JVM: a pid, a main class, a jar, or a unique part of one
    #[arg(value_name = "FILE|PID|NAME")]
    pub(crate) target: String,
    /// Port to listen on, on 127.0.0.1; without it any that is free
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    pub(crate) port: Option<u16>,
    /// Open the page in the browser of this desktop
    #[arg(long)]
    pub(crate) open: bool,
    /// Of a JVM: never rewrite a class, whatever the page asks for
    #[arg(long)]
    pub(crate) no_rewrite: bool,
    #[command(flatten)]
    pub(crate) recording: Recording,
    #[command(flatten)]
    pub(crate) destination: Destination,
    #[command(flatten)]
    pub(crate) analysis: Analysis,
}
