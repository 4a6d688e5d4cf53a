//! The programs that are watched.

use clap::ValueEnum;
use std::path::{Path, PathBuf};
use std::process::Command;

/// What the program does.
#[derive(Clone, Copy, Debug, PartialEq, ValueEnum)]
pub(crate) enum Load {
    /// Computes; about 1,000 times a second on two processors a thread waits or blocks
    Ordinary,
    /// Does nothing but wait and notify: 100,000 waits a second and more
    Waits,
    /// Does nothing but wait, and block on locks whose holders wait: 100,000 a second and more
    Mixed,
    /// 5,000 virtual threads at 32 locks of java.util.concurrent (JDK 21 and later)
    Virtual,
    /// The JDK's own XSLTC
    Xsltc,
    /// Apache Xalan (real programs are resolved from Maven)
    Xalan,
    /// H2 in memory
    H2,
    /// HSQLDB in memory
    Hsqldb,
    /// Embedded Tomcat and eight clients
    Tomcat,
}

/// Those that are measured if none is named: they need nothing from elsewhere.
pub(crate) const LOADS: [Load; 3] = [Load::Ordinary, Load::Waits, Load::Mixed];

impl Load {
    /// Whether a JDK can run it.
    pub(crate) fn runs_on(self, release: u32) -> bool {
        self != Self::Virtual || release >= 21
    }

    /// The command that runs it for so many seconds, with these options of the JVM. Each prints READY and then a line a
    /// second that begins with the work done in it.
    pub(crate) fn command(
        self,
        home: &Path,
        classes: &Path,
        seconds: u64,
        options: &[String],
    ) -> Command {
        let seconds = seconds.to_string();
        let mut command = match self {
            Self::Ordinary | Self::Waits | Self::Mixed | Self::Virtual => {
                let mut java = Command::new(home.join("bin/java"));
                java.arg("-Xmx128m").args(options).arg("-cp").arg(classes);
                java
            }
            Self::Xsltc | Self::Xalan | Self::H2 | Self::Hsqldb | Self::Tomcat => {
                Command::new(testapps("drivers/run"))
            }
        };
        match self {
            Self::Ordinary => {
                command.args(["Contention", &seconds, "4", "700000", "100000", "2", "0"])
            }
            Self::Waits => command.args(["Contention", &seconds, "4", "0", "0", "0", "0"]),
            Self::Mixed => command.args(["Contention", &seconds, "0", "0", "0", "0", "4"]),
            Self::Virtual => command.args(["Virtual", &seconds, "5000", "32"]),
            Self::Xsltc => command.arg("xsltc"),
            Self::Xalan => command.arg("xalan"),
            Self::H2 => command.arg("h2"),
            Self::Hsqldb => command.arg("hsqldb"),
            Self::Tomcat => command.arg("tomcat"),
        };
        if matches!(
            self,
            Self::Xsltc | Self::Xalan | Self::H2 | Self::Hsqldb | Self::Tomcat
        ) {
            command.arg(seconds).args(options).env("JAVA_HOME", home);
        }
        command
    }
}

/// Compiles the programs that need no jars.
pub(crate) fn compile(home: &Path, into: &Path) -> Result<(), String> {
    let sources = ["Contention", "Virtual"].map(|name| testapps(&format!("bench/{name}.java")));
    let javac = Command::new(home.join("bin/javac"))
        .arg("-d")
        .arg(into)
        .args(sources)
        .status();
    match javac {
        Ok(status) if status.success() => Ok(()),
        _ => Err("javac failed".to_owned()),
    }
}

pub(crate) fn testapps(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../testapps")
        .join(path)
}
