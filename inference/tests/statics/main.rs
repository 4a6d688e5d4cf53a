//! The static model on real bytecode: every lock in `java/*.java` says in its head what it is.
//!
//! The sources are compiled once with the `javac` found on this machine. They use many styles
//! and mostly names that tell nothing, because the model must not lean on names.

mod reader;
mod subjects;

use subjects::{Subject, compile, java_files, judge};

#[test]
fn machines_print() {
    let program = compile(&java_files("tests/statics/java"));
    for subject in &program.subjects {
        println!("{}", judge(&program, subject).text);
    }
    let _: Option<&Subject> = None;
}
