//! What the page's script reads: one JSON document, harmless where it stands.

use super::SCHEMA;
use super::panels::Panels;
use super::strips::{Chains, stays, stocks, stretches, strips};
use crate::report::{Around, bare, damage, lock_json, slices, stopped, unsampled};
use crate::text::{clean_lines, clip, many};
use locklens_inference::levels::model::{Levels, ThreadRow};
use locklens_inference::model::{Model, Recording};
use locklens_trace::LockId;
use serde_json::{Value, json as value};
use std::collections::{BTreeMap, HashMap};
use std::io::{self, Write};

/// Columns of a name: nobody reads more.
const LONGEST: usize = 300;

/// See the module.
pub(super) struct Data(Value);

impl Data {
    pub(super) fn of(levels: &Levels, model: &Model, panels: Option<&Panels>) -> io::Result<Self> {
        let around = Around::of(model)?;
        let mut texts = Texts::default();
        let chains = Chains::of(&levels.chains, &mut texts);
        let stays = stays(&levels.longest, &chains, &mut texts);
        let locks = model.locks.iter();
        let locks: Vec<Value> = locks
            .map(|lock| lock_json(lock, &model.recording))
            .collect();
        let mut data = value!({
            "schema": SCHEMA,
            "title": around.title,
            "stuck": around.stuck.lines().collect::<Vec<_>>(),
            "empty": around.empty.lines().collect::<Vec<_>>(),
            "facts": around.facts,
            "notes": around.notes,
            "advice": advice(model),
            "warnings": warnings(&model.recording),
            "exact": model.recording.exact,
            "begin_ns": levels.begin.0,
            "end_ns": levels.end.0,
            "bucket_ns": levels.bucket.0,
            "buckets": levels.buckets,
            "stock_bucket_ns": levels.stock_bucket.0,
            "unmeasured": levels.unmeasured,
            "losses": levels.losses.iter().map(|(from, to)| [from.0, to.0]).collect::<Vec<_>>(),
            "locks": locks,
            "threads": levels.threads.iter().map(thread).collect::<Vec<_>>(),
            "further": levels.further,
            "texts": texts.all,
            "chains": chains.told,
        });
        tame(&mut data);
        data["panels"] = value!(panels.map(|panels| panels.data(model)));
        // Numbers only, and many: nothing to tame.
        data["targets"] = targets(&levels.targets);
        data["stocks"] = stocks(levels).into();
        data["strips"] = strips(levels);
        data["stays"] = stays.into();
        Ok(Self(data))
    }

    /// It is one of the pages of a recording under way.
    pub(super) fn live(mut self, generation: Option<u64>) -> Self {
        if let Some(generation) = generation {
            self.0["live"] = generation.into();
        }
        self
    }

    /// Nothing in it ends the element it stands in.
    pub(super) fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        serde_json::to_writer(Escaped(out), &self.0)?;
        Ok(())
    }
}

/// What nobody may miss who looks at the pictures.
fn warnings(recording: &Recording) -> Vec<String> {
    let mut warnings = damage(recording);
    warnings.extend(stopped(recording));
    warnings.extend(slices(recording));
    if recording.lost > 0 {
        warnings.push(format!(
            "{} dropped: where they are missing (grey), what threads did is not known.",
            match recording.lost {
                1 => "1 event was".to_owned(),
                n => format!("{} were", many(n, "event")),
            }
        ));
    }
    warnings
}

/// What a trace like this can't say, and how to get one that can.
fn advice(model: &Model) -> Vec<String> {
    let mut advice = Vec::new();
    if !model.recording.exact && !model.locks.is_empty() {
        advice.push(
            "Who held locks, and how long, is not in this recording, only who was kept waiting: 'locklens trace PID --locks 1 --from FILE' \
             records every enter and exit of a lock."
                .to_owned(),
        );
    }
    advice.extend(bare(&model.recording));
    // Where every park is recorded, it is in the picture.
    let note = unsampled(&model.recording).filter(|_| model.recording.parks.is_none());
    advice.extend(note.map(|note| format!("{note} Parked, their rows are grey.")));
    advice
}

/// Lock objects that are threads, with the rows of those.
pub(super) fn targets(targets: &BTreeMap<LockId, u32>) -> Value {
    targets
        .iter()
        .map(|(object, row)| value!([object.0, row]))
        .collect()
}

fn thread(row: &ThreadRow) -> Value {
    value!({
        "name": row.name,
        "tid": row.tid,
        "group": row.group,
        "virtual": row.is_virtual,
        "service": row.service,
        "alive": stretches(&row.alive),
    })
}

/// Texts by number, each once.
#[derive(Default)]
pub(super) struct Texts {
    pub(super) all: Vec<String>,
    known: HashMap<String, usize>,
}

impl Texts {
    pub(super) fn code(&mut self, text: &str) -> usize {
        if let Some(&code) = self.known.get(text) {
            return code;
        }
        let code = self.all.len();
        self.known.insert(text.to_owned(), code);
        self.all.push(text.to_owned());
        code
    }
}

/// Makes every text in it harmless, and cuts those that are too long.
pub(super) fn tame(data: &mut Value) {
    match data {
        Value::String(text) => *text = clip(&clean_lines(text), LONGEST),
        Value::Array(all) => all.iter_mut().for_each(tame),
        Value::Object(all) => all.values_mut().for_each(tame),
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

/// Writes JSON so that no `<` is in it: with it begins all that could end a script or begin a comment. In JSON it stands in
/// texts only.
struct Escaped<'a>(&'a mut dyn Write);

impl Write for Escaped<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        for (at, part) in bytes.split(|&byte| byte == b'<').enumerate() {
            if at > 0 {
                self.0.write_all(b"\\u003c")?;
            }
            self.0.write_all(part)?;
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}
