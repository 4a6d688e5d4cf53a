//! Flags of what is made of the flags: completions for shells, pages for man.

use clap::Args;
use std::path::PathBuf;

/// Print completions of commands and options for a shell
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  locklens completions bash > ~/.local/share/bash-completion/completions/locklens
  locklens completions zsh > ~/.zfunc/_locklens       (a folder of $fpath, before compinit)
  locklens completions fish > ~/.config/fish/completions/locklens.fish
  source <(locklens completions bash)                 for this shell only

Exit status: 0 fine   2 usage, or nothing could be written")]
pub(crate) struct Completions {
    /// For which shell
    pub(crate) shell: clap_complete::Shell,
}

/// Print the manual page of a command, or write the pages of all
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  locklens man | man -l -              the page of locklens itself
  locklens man record | man -l -       the page of one command
  locklens man -o ~/.local/share/man/man1
                                       all pages, for 'man locklens' and 'man locklens-record'

Exit status: 0 fine   2 usage, or nothing could be written")]
pub(crate) struct Man {
    /// The page of this command only
    #[arg(value_name = "COMMAND")]
    pub(crate) command: Option<String>,
    /// Write files into this folder instead of standard output: of all commands, if none is named
    #[arg(short, long, value_name = "DIR")]
    pub(crate) output: Option<PathBuf>,
}
