//! `locklens completions`, `locklens man`: what shells and man know of the flags, from where the flags are defined.

use crate::args::{Cli, Completions, Man};
use crate::exit::{Exit, Failure};
use crate::terminal::{note, print};
use clap::{Command, CommandFactory};
use std::fs;
use std::io::{self, Write};
use std::path::Path;

/// `locklens completions`.
pub(crate) fn completions(args: &Completions) -> Result<Exit, Failure> {
    // The generator panics where it can't write.
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "locklens", &mut script);
    print(|out| out.write_all(&script))
}

/// `locklens man`.
pub(crate) fn man(args: &Man) -> Result<Exit, Failure> {
    let pages = pages();
    let named = match &args.command {
        None => None,
        Some(name) => Some(named(&pages, name)?),
    };
    let Some(folder) = &args.output else {
        return print(|out| render(named.unwrap_or(&pages[0]), out));
    };
    let written = match named {
        Some(page) => std::slice::from_ref(page),
        None => &pages[..],
    };
    store(written, folder).map_err(|error| {
        Failure::usage(format_args!("can't write {}: {error}", folder.display()))
            .hint("another folder: -o DIR")
    })?;
    note(format_args!(
        "{} in {}",
        match written.len() {
            1 => "1 page".to_owned(),
            pages => format!("{pages} pages"),
        },
        folder.display()
    ));
    Ok(Exit::Fine)
}

/// What has a page: the command itself, then each of its commands.
fn pages() -> Vec<Command> {
    let mut whole = Cli::command();
    whole.build();
    let each: Vec<_> = whole.get_subcommands().cloned().collect();
    [whole].into_iter().chain(each).collect()
}

/// `locklens-record`: how man knows it.
fn name(page: &Command) -> &str {
    page.get_display_name().unwrap_or(page.get_name())
}

fn named<'a>(pages: &'a [Command], name: &str) -> Result<&'a Command, Failure> {
    let page = pages[1..].iter().find(|page| page.get_name() == name);
    page.ok_or_else(|| {
        Failure::usage(format_args!("there is no command {name:?}"))
            .hint("'locklens --help' lists them")
    })
}

fn store(pages: &[Command], folder: &Path) -> io::Result<()> {
    fs::create_dir_all(folder)?;
    for page in pages {
        let mut text = Vec::new();
        render(page, &mut text)?;
        fs::write(folder.join(format!("{}.1", name(page))), text)?;
    }
    Ok(())
}

/// In ASCII: not every man and groff is told how a page is encoded.
fn render(page: &Command, out: &mut impl Write) -> io::Result<()> {
    let mut text = Vec::new();
    draw(page, &mut text)?;
    for c in String::from_utf8_lossy(&text).chars() {
        match c.is_ascii() {
            true => write!(out, "{c}")?,
            false => write!(out, "\\[u{:04X}]", u32::from(c))?,
        }
    }
    Ok(())
}

fn draw(page: &Command, out: &mut Vec<u8>) -> io::Result<()> {
    let man = clap_mangen::Man::new(page.clone())
        .source(concat!("locklens ", env!("CARGO_PKG_VERSION")))
        .manual("locklens");
    man.render_title(out)?;
    man.render_name_section(out)?;
    man.render_synopsis_section(out)?;
    man.render_description_section(out)?;
    man.render_options_section(out)?;
    if page.has_subcommands() {
        man.render_subcommands_section(out)?;
    }
    if let Some(notes) = page.get_after_help() {
        as_it_stands(&notes.to_string(), out)?;
    }
    Ok(())
}

/// Examples and exit statuses, line by line as help has them.
fn as_it_stands(text: &str, out: &mut Vec<u8>) -> io::Result<()> {
    writeln!(out, ".SH NOTES\n.nf")?;
    for line in text.lines() {
        writeln!(out, "\\&{}", literal(line))?;
    }
    writeln!(out, ".fi")
}

/// Nothing in it means anything to roff, and what is copied from it can be typed.
fn literal(line: &str) -> String {
    let mut text = String::new();
    for c in line.chars() {
        match c {
            '\\' => text += "\\e",
            '-' => text += "\\-",
            '\'' => text += "\\(aq",
            '`' => text += "\\(ga",
            '^' => text += "\\(ha",
            '~' => text += "\\(ti",
            other => text.push(other),
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(page: &Command) -> String {
        let mut text = Vec::new();
        render(page, &mut text).unwrap();
        String::from_utf8(text).unwrap()
    }

    #[test]
    fn every_command_has_a_page_with_its_options() {
        let pages = pages();
        let commands = Cli::command().get_subcommands().count();
        assert_eq!(pages.len(), commands + 1);
        for page in &pages[1..] {
            let text = text(page);
            assert_eq!(name(page), format!("locklens-{}", page.get_name()));
            for option in page.get_arguments().filter(|arg| !arg.is_hide_set()) {
                let Some(long) = option.get_long() else {
                    continue;
                };
                let long = format!("\\-\\-{}", long.replace('-', "\\-"));
                assert!(text.contains(&long), "{}: {long}", page.get_name());
            }
            assert!(text.is_ascii(), "{}", page.get_name());
            assert!(text.contains(".SH NOTES"), "{}", page.get_name());
        }
    }

    #[test]
    fn nothing_in_an_example_is_a_word_of_roff() {
        assert_eq!(literal("a\\b -o 'x' ~"), "a\\eb \\-o \\(aqx\\(aq \\(ti");
    }
}
