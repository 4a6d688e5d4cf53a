//! Strings, places and call chains, each once for the whole profile.

use super::super::names::Names;
use super::schema;
use locklens_trace::record::Frame;
use locklens_trace::{LockId, StackId};
use std::collections::HashMap;
use std::io::{self, Write};

/// See the module. Columns of tables, as the format has them.
#[derive(Debug)]
pub(super) struct Tables<'a> {
    names: &'a Names<'a>,
    strings: Vec<String>,
    known_strings: HashMap<String, usize>,
    objects: HashMap<Option<LockId>, usize>,
    /// Strings that are names of files.
    sources: Vec<usize>,
    known_sources: HashMap<usize, usize>,
    /// Name and file.
    functions: Vec<(usize, Option<usize>)>,
    known_functions: HashMap<(usize, Option<usize>), usize>,
    /// Function and line.
    frames: Vec<(usize, Option<u16>)>,
    known_frames: HashMap<(usize, Option<u16>), usize>,
    places: HashMap<Frame, usize>,
    /// Frame, and the stack it was called from.
    stacks: Vec<(usize, Option<usize>)>,
    known_stacks: HashMap<(usize, Option<usize>), usize>,
    chains: HashMap<StackId, Option<usize>>,
}

impl<'a> Tables<'a> {
    pub(super) fn new(names: &'a Names<'a>) -> Self {
        Self {
            names,
            strings: Vec::new(),
            known_strings: HashMap::new(),
            objects: HashMap::new(),
            sources: Vec::new(),
            known_sources: HashMap::new(),
            functions: Vec::new(),
            known_functions: HashMap::new(),
            frames: Vec::new(),
            known_frames: HashMap::new(),
            places: HashMap::new(),
            stacks: Vec::new(),
            known_stacks: HashMap::new(),
            chains: HashMap::new(),
        }
    }

    /// The number of a text.
    pub(super) fn string(&mut self, text: &str) -> usize {
        if let Some(&known) = self.known_strings.get(text) {
            return known;
        }
        let next = self.strings.len();
        self.strings.push(text.to_owned());
        self.known_strings.insert(text.to_owned(), next);
        next
    }

    /// The number of what a lock is called.
    pub(super) fn object(&mut self, lock: Option<LockId>) -> usize {
        if let Some(&known) = self.objects.get(&lock) {
            return known;
        }
        let name = self.names.object(lock);
        let number = self.string(&name);
        self.objects.insert(lock, number);
        number
    }

    /// The number of a call chain, if it is known.
    pub(super) fn stack(&mut self, id: StackId) -> Option<usize> {
        if let Some(&known) = self.chains.get(&id) {
            return known;
        }
        let chain = self.chain(id);
        self.chains.insert(id, chain);
        chain
    }

    /// What stands for a call chain that is not known.
    pub(super) fn unknown_stack(&mut self) -> usize {
        let unknown = self.frame("(unknown)", None, None);
        intern((unknown, None), &mut self.stacks, &mut self.known_stacks)
    }

    fn chain(&mut self, id: StackId) -> Option<usize> {
        let (frames, cut) = self.names.frames(id)?;
        let mut last = cut.then(|| {
            let more = self.frame("(more frames)", None, None);
            intern((more, None), &mut self.stacks, &mut self.known_stacks)
        });
        for frame in &frames {
            let frame = self.place(frame);
            let stack = (frame, last);
            last = Some(intern(stack, &mut self.stacks, &mut self.known_stacks));
        }
        last
    }

    fn place(&mut self, frame: &Frame) -> usize {
        if let Some(&known) = self.places.get(frame) {
            return known;
        }
        let place = self.names.place(frame);
        let number = self.frame(&place.method, place.file.as_deref(), place.line);
        self.places.insert(*frame, number);
        number
    }

    fn frame(&mut self, method: &str, file: Option<&str>, line: Option<u16>) -> usize {
        let name = self.string(method);
        let file = file.map(|file| {
            let file = self.string(file);
            intern(file, &mut self.sources, &mut self.known_sources)
        });
        let function = intern((name, file), &mut self.functions, &mut self.known_functions);
        intern((function, line), &mut self.frames, &mut self.known_frames)
    }

    /// Writes them.
    pub(super) fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        write!(out, "{{\"stackTable\":{{\"frame\":")?;
        list(out, self.stacks.iter().map(|(frame, _)| frame.to_string()))?;
        write!(out, ",\"prefix\":")?;
        list(out, self.stacks.iter().map(|(_, prefix)| or_null(*prefix)))?;
        writeln!(out, ",\"length\":{}}},", self.stacks.len())?;
        self.write_frames(out)?;
        self.write_functions(out)?;
        let nothing = r#""resourceTable":{"type":[],"lib":[],"name":[],"host":[],"length":0},
"nativeSymbols":{"libIndex":[],"address":[],"name":[],"functionSize":[],"length":0},"#;
        writeln!(out, "{nothing}")?;
        write!(out, "\"sources\":{{\"uuid\":")?;
        list(out, nulls(self.sources.len()))?;
        write!(out, ",\"filename\":")?;
        list(out, self.sources.iter().map(usize::to_string))?;
        writeln!(out, ",\"length\":{}}},", self.sources.len())?;
        write!(out, "\"stringArray\":")?;
        serde_json::to_writer(&mut *out, &self.strings)?;
        write!(out, "}}")
    }

    fn write_frames(&self, out: &mut dyn Write) -> io::Result<()> {
        let n = self.frames.len();
        write!(out, "\"frameTable\":{{\"func\":")?;
        list(
            out,
            self.frames.iter().map(|(function, _)| function.to_string()),
        )?;
        write!(out, ",\"line\":")?;
        list(out, self.frames.iter().map(|(_, line)| or_null(*line)))?;
        write!(out, ",\"address\":")?;
        list(out, repeated("-1", n))?;
        write!(out, ",\"inlineDepth\":")?;
        list(out, repeated("0", n))?;
        write!(out, ",\"category\":")?;
        list(out, repeated(&schema::JAVA.to_string(), n))?;
        for column in ["subcategory", "nativeSymbol", "innerWindowID", "column"] {
            write!(out, ",\"{column}\":")?;
            list(out, nulls(n))?;
        }
        writeln!(out, ",\"length\":{n}}},")
    }

    fn write_functions(&self, out: &mut dyn Write) -> io::Result<()> {
        let n = self.functions.len();
        write!(out, "\"funcTable\":{{\"name\":")?;
        list(out, self.functions.iter().map(|(name, _)| name.to_string()))?;
        write!(out, ",\"source\":")?;
        list(out, self.functions.iter().map(|(_, file)| or_null(*file)))?;
        for column in ["isJS", "relevantForJS"] {
            write!(out, ",\"{column}\":")?;
            list(out, repeated("false", n))?;
        }
        write!(out, ",\"resource\":")?;
        list(out, repeated("-1", n))?;
        for column in ["lineNumber", "columnNumber"] {
            write!(out, ",\"{column}\":")?;
            list(out, nulls(n))?;
        }
        writeln!(out, ",\"length\":{n}}},")
    }
}

/// The number of something; a new one if it has none.
fn intern<T: Copy + Eq + std::hash::Hash>(
    what: T,
    all: &mut Vec<T>,
    known: &mut HashMap<T, usize>,
) -> usize {
    *known.entry(what).or_insert_with(|| {
        all.push(what);
        all.len() - 1
    })
}

/// A list of values that are JSON already.
pub(super) fn list(out: &mut dyn Write, values: impl Iterator<Item = String>) -> io::Result<()> {
    out.write_all(b"[")?;
    for (nth, value) in values.enumerate() {
        if nth > 0 {
            out.write_all(b",")?;
        }
        out.write_all(value.as_bytes())?;
    }
    out.write_all(b"]")
}

fn or_null(value: Option<impl ToString>) -> String {
    value.map_or_else(|| "null".to_owned(), |value| value.to_string())
}

fn repeated(value: &str, n: usize) -> impl Iterator<Item = String> {
    std::iter::repeat_n(value.to_owned(), n)
}

fn nulls(n: usize) -> impl Iterator<Item = String> {
    repeated("null", n)
}
