//! The page opened in the browser of a desktop.
//!
//! The words of a command can be read by all users of a computer, and the address has a token that is for one of them. So
//! the browser is sent to a file that only he can read, and from there to the address.

use crate::private::PrivateDir;
use crate::terminal::note;
use std::io;
use std::process::{Command, Stdio};

/// What opens something on a desktop.
const OPENER: &str = "xdg-open";

/// The file that leads to the address, as long as it is served.
pub(super) struct Desktop {
    _folder: Option<PrivateDir>,
}

impl Desktop {
    /// Opens an address, or says that it can't.
    pub(super) fn open(address: &str) -> Self {
        let opened = opened(address);
        if let Err(error) = &opened {
            note(format_args!(
                "no browser could be started ({OPENER}: {error}): open the address yourself"
            ));
        }
        Self {
            _folder: opened.ok(),
        }
    }
}

fn opened(address: &str) -> io::Result<PrivateDir> {
    let folder = PrivateDir::create()?;
    let leads = format!(
        "<!doctype html><meta charset=\"utf-8\"><meta http-equiv=\"refresh\" content=\"0; url={address}\"><title>locklens</title>\n"
    );
    let file = folder.write("open.html", leads.as_bytes(), 0o600)?;
    Command::new(OPENER)
        .arg(file)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()?;
    Ok(folder)
}
