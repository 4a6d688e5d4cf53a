//! Recordings without the names of the target: for those that leave the house.
//!
//! [`Redactor`] goes through every record that has a text ([`names`], [`code`], but for what is [`known`]); what it does not know it makes unreadable as
//! a whole. `record --redact` writes no name at all, `locklens redact` copies a recording that has them.

mod code;
mod known;
mod names;

use crate::args::Redact as Args;
use crate::exit::{Exit, Failure};
use crate::record::output::{TraceFile, unwritable};
use crate::record::sink::Sink;
use crate::replace::{Replace, spare};
use crate::terminal::note;
use crate::trace_file;
use known::{has_public_members, is_public};
use locklens_trace::batch::Batch;
use locklens_trace::read::{Item, Reader};
use locklens_trace::record::{ClassDef, FieldsDef, MethodDef, ThreadDef, target_key as key};
use locklens_trace::{ClassId, Record};
use names::Masks;
use std::collections::HashSet;
use std::io::{self, Read};

/// Records that are put into one chunk.
const BATCH: usize = 4096;
/// What is written where the original could not be read: readers find a gap there, too.
const DAMAGE: [u8; 8] = [0; 8];

/// Beginnings of the keys of facts that are made of our own words and numbers, or of what everybody may know of a JVM.
const PLAIN: [&str; 22] = [
    "agent",
    "buffer.",
    "code",
    "cpus",
    "end.",
    "exact",
    "guard",
    "java.version",
    "memory.",
    "mode",
    "operations",
    "overhead.",
    "owner",
    "parked.",
    "parks",
    "pid",
    "process.",
    "stack.",
    "started.",
    "threads.",
    "toll.",
    "vm",
];

/// See the module.
#[derive(Debug)]
pub(crate) struct Redactor {
    masks: Masks,
    /// Classes of which everybody knows the methods.
    public: HashSet<ClassId>,
}

impl Redactor {
    /// With the key of the environment, or a new one.
    pub(crate) fn new() -> Result<Self, Failure> {
        let masks = Masks::new().map_err(|error| {
            Failure::usage(format_args!("there is no random key to be had: {error}"))
        })?;
        Ok(Self::with(masks))
    }

    /// One if that is wanted.
    pub(crate) fn wanted(wanted: bool) -> Result<Option<Self>, Failure> {
        wanted.then(Self::new).transpose()
    }

    fn with(masks: Masks) -> Self {
        Self {
            masks,
            public: HashSet::new(),
        }
    }

    /// The same record without names of the target.
    pub(crate) fn record(&mut self, mut record: Record) -> Record {
        match &mut record {
            Record::Target(facts) => self.facts(facts),
            Record::Loader(def) => self.class(&mut def.class_name),
            Record::Class(def) => self.class_def(def),
            Record::Method(def) => self.method_def(def),
            Record::Code(code) => self.code(code),
            Record::Fields(def) => self.fields(def),
            Record::Thread(def) => self.thread(def),
            // No texts in them, but for the name of an entry of our own table.
            Record::Stack(_)
            | Record::Lock(_)
            | Record::Event(_)
            | Record::Sync(_)
            | Record::Parked(_)
            | Record::Park(_) => {}
            Record::Operation(_)
            | Record::Access(_)
            | Record::Kin(_)
            | Record::Sighting(_)
            | Record::Look(_)
            | Record::Held(_)
            | Record::Lost(_)
            | Record::Hidden(_) => {}
            Record::Tick(_) | Record::End(_) => {}
        }
        record
    }

    fn facts(&self, facts: &mut Vec<(String, String)>) {
        // Nothing of a thread dump would be of use without its names.
        facts.retain(|(key, _)| !key.starts_with(key::DUMP) && key != key::REDACTED);
        let begins = facts.iter().any(|(key, _)| key == key::STARTED_UNIX_NS);
        for (key, value) in facts.iter_mut() {
            *value = self.fact(key, value);
        }
        if begins {
            facts.push((key::REDACTED.to_owned(), "true".to_owned()));
        }
    }

    fn fact(&self, key: &str, value: &str) -> String {
        let by_line = || {
            value
                .lines()
                .map(|line| self.masks.line(line))
                .collect::<Vec<_>>()
                .join("\n")
        };
        match key {
            key::MAIN => self.masks.main(value),
            key::EXACT_NAMES
            | key::ACCESSES_OF
            | key::EXACT_REFUSED
            | key::EXACT_UNPROBED
            | key::EXACT_REPLACED
            | key::OPERATIONS_REFUSED => by_line(),
            key::EXACT_ERROR => self.masks.said(value),
            // Threads and methods follow their number.
            _ if key::EXACT_OLD_CODE.contains(&key) => {
                value.chars().take_while(char::is_ascii_digit).collect()
            }
            _ if PLAIN.iter().any(|start| key.starts_with(start)) => value.to_owned(),
            _ => self.masks.text(value),
        }
    }

    fn class(&self, name: &mut String) {
        *name = self.masks.class(name);
    }

    fn class_def(&mut self, def: &mut ClassDef) {
        if has_public_members(&def.name) {
            self.public.insert(def.id);
        }
        if let Some(file) = def.source_file.as_mut().filter(|_| !is_public(&def.name)) {
            let (name, kind) = file.rsplit_once('.').unwrap_or((file, ""));
            let kind = [".java", ".kt", ".scala", ".groovy"]
                .into_iter()
                .find(|known| known[1..] == *kind);
            *file = self.masks.class(name) + kind.unwrap_or_default();
        }
        self.class(&mut def.name);
        let supers = def.super_name.iter_mut().chain(&mut def.interfaces);
        supers.for_each(|name| self.class(name));
    }

    fn method_def(&self, def: &mut MethodDef) {
        if !self.public.contains(&def.class) {
            def.name = self.masks.method(&def.name);
        }
        def.descriptor = self.masks.descriptor(&def.descriptor);
    }

    fn fields(&self, def: &mut FieldsDef) {
        for value in &mut def.values {
            if !is_public(&value.class) {
                value.name = self.masks.field(&value.name);
            }
            self.class(&mut value.class);
        }
    }

    fn thread(&self, def: &mut ThreadDef) {
        def.name = self.masks.thread(&def.name);
        if let Some(group) = &mut def.group {
            *group = self.masks.group(group);
        }
    }
}

/// `locklens redact`
pub(crate) fn run(args: &Args) -> Result<Exit, Failure> {
    spare(&args.file, Some(&args.output))?;
    let reader = trace_file::open(&args.file)?;
    let file = TraceFile::open(args.output.clone(), Replace::forced(args.force))?;
    let mut file = file
        .needing(reader.features())
        .redacted(Some(Redactor::new()?));
    match copy(reader, &mut file) {
        Ok(0) => Ok(Exit::Fine),
        Ok(gaps) => {
            note(format_args!(
                "some of the trace could not be read ({gaps} x), which its copy says, too"
            ));
            Ok(Exit::Fine)
        }
        Err(error) => {
            file.abandon();
            Err(unwritable(&args.output, &error))
        }
    }
}

/// Copies what can be read; how many parts can't.
fn copy(reader: Reader<impl Read>, file: &mut TraceFile) -> io::Result<u64> {
    file.begin()?;
    let mut gaps = 0;
    let mut batch = Batch::default();
    for item in reader {
        match item {
            Item::Record(record) => batch.push(record),
            Item::Gap(_) => {
                gaps += 1;
                file.take(&std::mem::take(&mut batch))?;
                file.append(&DAMAGE)?;
            }
        }
        if batch.len() == BATCH {
            file.take(&std::mem::take(&mut batch))?;
        }
    }
    file.take(&batch)?;
    Ok(gaps)
}

#[cfg(test)]
mod tests {
    use super::*;
    use locklens_trace::code::{Code, Insn, InvokeKind, MemberRef, Op, Text};
    use locklens_trace::crowd::{SERVICE, SERVICE_GROUPS, is_service};
    use locklens_trace::record::{FieldValue, LoaderDef, LockDef, LockObject, Reading};
    use locklens_trace::{LoaderId, MethodId, ThreadId};

    fn redactor() -> Redactor {
        Redactor::with(Masks::of("key"))
    }

    /// A key that nobody has thought of here loses its numbers, and the figures change.
    #[test]
    fn every_fact_of_numbers_stays_as_it_is() {
        let source = include_str!("../../../../instrument/trace/src/record/target_key.rs");
        let words = [
            key::MAIN,
            key::EXACT_NAMES,
            key::ACCESSES_OF,
            key::EXACT_REFUSED,
            key::EXACT_UNPROBED,
            key::EXACT_REPLACED,
            key::OPERATIONS_REFUSED,
            key::EXACT_ERROR,
            key::DUMP,
            key::REDACTED,
        ];
        let keys = source.split("= \"").skip(1);
        let keys: Vec<&str> = keys.filter_map(|rest| rest.split('"').next()).collect();
        assert!(keys.contains(&key::STOPS), "{keys:?}");
        let redactor = redactor();
        for key in keys.into_iter().filter(|key| !words.contains(key)) {
            assert_eq!(redactor.fact(key, "12 34\n56 78"), "12 34\n56 78", "{key}");
        }
    }

    fn member(name: &str) -> MemberRef {
        MemberRef {
            class: "com.acme.Vault".into(),
            name: name.into(),
            descriptor: "(Lcom/acme/Vault;)V".into(),
        }
    }

    /// One of each kind that has a text, each with the word in all its texts.
    fn telling() -> Vec<Record> {
        let facts = [
            key::STARTED_UNIX_NS,
            key::MAIN,
            key::EXACT_NAMES,
            key::ACCESSES_OF,
            key::EXACT_REFUSED,
            key::EXACT_OLD_CODE[0],
            "later.key",
        ];
        let insn = |op| Insn { bci: 0, op };
        vec![
            Record::Target(
                facts
                    .iter()
                    .map(|key| {
                        let value = if *key == key::STARTED_UNIX_NS {
                            "42"
                        } else {
                            "vault: com.acme.Vault is too long for AcmeVault"
                        };
                        ((*key).to_owned(), value.to_owned())
                    })
                    .collect(),
            ),
            Record::Loader(LoaderDef {
                id: LoaderId(1),
                class_name: "com.acme.VaultLoader".into(),
            }),
            Record::Class(ClassDef {
                id: ClassId(1),
                loader: None,
                name: "com.acme.Vault".into(),
                super_name: Some("com.acme.Acme".into()),
                interfaces: vec!["com.acme.IVault".into()],
                flags: 0,
                source_file: Some("Vault.acme".into()),
            }),
            Record::Method(MethodDef {
                id: MethodId(1),
                class: ClassId(1),
                name: "vault".into(),
                descriptor: "()Lcom/acme/Vault;".into(),
                flags: 0,
                lines: vec![(0, 7)],
            }),
            Record::Code(Code {
                method: MethodId(1),
                insns: vec![
                    insn(Op::Text(Text::of("acme vault"))),
                    insn(Op::GetField(member("vault"))),
                    insn(Op::New("com.acme.Vault".into())),
                    insn(Op::Invoke {
                        kind: InvokeKind::Virtual,
                        method: member("vault"),
                    }),
                ],
                handlers: Some(vec![locklens_trace::code::Handler {
                    start: 0,
                    end: 1,
                    target: 2,
                    catches: Some("com.acme.VaultError".into()),
                }]),
                sites: Vec::new(),
            }),
            Record::Fields(FieldsDef {
                lock: locklens_trace::LockId(1),
                values: vec![FieldValue {
                    class: "com.acme.Vault".into(),
                    name: "vault".into(),
                    reading: Reading::Number(3),
                }],
            }),
            Record::Thread(ThreadDef {
                id: ThreadId(1),
                tid: 1,
                name: "acme-vault-7".into(),
                group: Some("vaults".into()),
                daemon: false,
                is_virtual: false,
                at_start: true,
            }),
        ]
    }

    #[test]
    fn no_record_tells_a_name() {
        let mut redactor = redactor();
        for record in telling() {
            let told = format!("{record:?}").to_lowercase();
            assert!(told.contains("vault"), "{told}");
            let told = format!("{:?}", redactor.record(record)).to_lowercase();
            assert!(!told.contains("vault") && !told.contains("acme"), "{told}");
        }
    }

    #[test]
    fn threads_of_the_jvm_are_still_told_from_those_of_the_program() {
        let redacted = |name: &str, group: &str| {
            let Record::Thread(mut def) = telling().pop().expect("a thread") else {
                panic!("a thread");
            };
            (def.name, def.group) = (name.to_owned(), Some(group.to_owned()));
            let Record::Thread(def) = redactor().record(Record::Thread(def)) else {
                panic!("a thread");
            };
            (def.name, def.group.expect("its group"))
        };
        for group in SERVICE_GROUPS {
            let told = redacted("vault-7", group);
            assert!(told.0 != "vault-7" && told.1 == group, "{told:?}");
        }
        for name in SERVICE {
            assert_eq!(redacted(name, "main"), (name.to_owned(), "main".to_owned()));
        }
        let told = redacted("CarrierThreads", "locklens");
        assert!(!is_service(&told.0, &told.1), "{told:?}");
    }

    #[test]
    fn who_calls_whom_can_still_be_seen() {
        let mut redactor = redactor();
        let all: Vec<Record> = telling()
            .into_iter()
            .map(|record| redactor.record(record))
            .collect();
        let (Record::Class(class), Record::Method(method), Record::Code(code)) =
            (&all[2], &all[3], &all[4])
        else {
            panic!("{all:?}");
        };
        let Op::Invoke { method: called, .. } = &code.insns[3].op else {
            panic!("{code:?}");
        };
        assert_eq!((&called.class, &called.name), (&class.name, &method.name));
    }

    #[test]
    fn a_trace_says_that_it_is_redacted_and_jdk_names_stay() {
        let mut redactor = redactor();
        let Record::Target(facts) = redactor.record(telling().remove(0)) else {
            panic!("facts");
        };
        assert!(facts.contains(&(key::REDACTED.to_owned(), "true".to_owned())));
        let lock = Record::Lock(LockDef {
            id: locklens_trace::LockId(1),
            class: ClassId(1),
            hash: 7,
            object: LockObject::Plain,
        });
        assert_eq!(redactor.record(lock.clone()), lock);
        let own = ClassDef {
            id: ClassId(2),
            loader: None,
            name: "java.util.Vector".into(),
            super_name: None,
            interfaces: Vec::new(),
            flags: 0,
            source_file: Some("Vector.java".into()),
        };
        assert_eq!(
            redactor.record(Record::Class(own.clone())),
            Record::Class(own)
        );
        let method = MethodDef {
            id: MethodId(2),
            class: ClassId(2),
            name: "grow".into(),
            descriptor: "(I)V".into(),
            flags: 0,
            lines: Vec::new(),
        };
        assert_eq!(
            redactor.record(Record::Method(method.clone())),
            Record::Method(method)
        );
    }
}
