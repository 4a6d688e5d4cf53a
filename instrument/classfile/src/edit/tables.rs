//! What refers to bcis from the attributes of a method's code.

use super::layout::{Layout, has_long_form};
use super::{Class, CodeEdit, Refusal, add_locals};
use crate::Error;
use crate::append::Append;
use crate::bytes::Bytes;
use crate::flow::Method;
use crate::frames::{self, Entry, Form, Frame};
use crate::types::{self, State};

pub(super) struct Tables<'e, 'a> {
    pub(super) edit: &'e CodeEdit<'a>,
    pub(super) layout: &'e Layout,
    pub(super) class: &'e Class<'e>,
}

const STACK_MAP: Refusal = Refusal::Table("StackMapTable");

impl Tables<'_, '_> {
    /// An attribute of the code, with every bci in it moved; as it is if it is not known to have any.
    pub(super) fn attribute(
        &self,
        name: Option<&str>,
        bytes: &[u8],
        pool: &mut Append<'_>,
    ) -> Result<Vec<u8>, Refusal> {
        let mut moved = bytes.to_vec();
        let done = match name {
            Some("StackMapTable") => return self.stack_map(bytes, pool),
            Some("LineNumberTable") => self.lines(&mut moved),
            Some("LocalVariableTable" | "LocalVariableTypeTable") => self.variables(&mut moved),
            Some("RuntimeVisibleTypeAnnotations" | "RuntimeInvisibleTypeAnnotations") => {
                self.annotations(&mut moved)
            }
            _ => Ok(()),
        };
        done.map_err(|_| Refusal::Table("table of lines, variables or annotations"))?;
        Ok(moved)
    }

    fn lines(&self, moved: &mut [u8]) -> Result<(), Error> {
        let old = moved.to_vec();
        let mut bytes = Bytes::new(&old);
        for _ in 0..bytes.u2()? {
            let at = bytes.offset();
            patch(moved, at, self.layout.near(bytes.u2()?));
            bytes.take(2)?;
        }
        Ok(())
    }

    fn variables(&self, moved: &mut [u8]) -> Result<(), Error> {
        let old = moved.to_vec();
        let mut bytes = Bytes::new(&old);
        for _ in 0..bytes.u2()? {
            self.range(&mut bytes, moved)?;
            bytes.take(6)?;
        }
        Ok(())
    }

    /// Moves a start and a length.
    fn range(&self, bytes: &mut Bytes<'_>, moved: &mut [u8]) -> Result<(), Error> {
        let at = bytes.offset();
        let (start, len) = (bytes.u2()?, bytes.u2()?);
        let (new_start, end) = (self.layout.near(start), start.saturating_add(len));
        patch(moved, at, new_start);
        patch(
            moved,
            at + 2,
            self.layout.near(end).saturating_sub(new_start),
        );
        Ok(())
    }

    fn annotations(&self, moved: &mut [u8]) -> Result<(), Error> {
        let old = moved.to_vec();
        let mut bytes = Bytes::new(&old);
        for _ in 0..bytes.u2()? {
            self.target(&mut bytes, moved)?;
            let path = bytes.u1()?;
            bytes.take(2 * usize::from(path))?;
            annotation(&mut bytes, 0)?;
        }
        Ok(())
    }

    fn target(&self, bytes: &mut Bytes<'_>, moved: &mut [u8]) -> Result<(), Error> {
        let start = *bytes;
        match bytes.u1()? {
            0x40 | 0x41 => {
                for _ in 0..bytes.u2()? {
                    self.range(bytes, moved)?;
                    bytes.take(2)?;
                }
            }
            // Handlers that were added in front shift the positions of the old ones.
            0x42 => {
                let at = bytes.offset();
                let index = u32::from(bytes.u2()?) + self.edit.first.len() as u32;
                patch(moved, at, index);
            }
            0x43..=0x46 => self.instruction(bytes, moved)?,
            0x47..=0x4b => {
                self.instruction(bytes, moved)?;
                bytes.take(1)?;
            }
            kind => return Err(start.error(crate::Cause::Tag(kind))),
        }
        Ok(())
    }

    fn instruction(&self, bytes: &mut Bytes<'_>, moved: &mut [u8]) -> Result<(), Error> {
        let at = bytes.offset();
        let bci = bytes.u2()?;
        let new = match self.layout.spot(bci) {
            Some(spot) => spot.at,
            None => self.layout.near(bci),
        };
        patch(moved, at, new);
        Ok(())
    }

    fn stack_map(&self, bytes: &[u8], pool: &mut Append<'_>) -> Result<Vec<u8>, Refusal> {
        let old = frames::parse(bytes).map_err(|_| STACK_MAP)?;
        let new = self.frames(&old, pool)?;
        frames::write(&new).ok_or(STACK_MAP)
    }

    /// The contents of a new stack map, if the method had none and needs one now.
    pub(super) fn frames_where_there_were_none(
        &self,
        pool: &mut Append<'_>,
    ) -> Result<Option<Vec<u8>>, Refusal> {
        let named = |name: u16| pool.pool().utf8(name) == Some("StackMapTable");
        let had = self.edit.code.attributes.iter().any(|a| named(a.name));
        let blocks = &self.edit.blocks;
        let needs =
            !self.edit.frames.is_empty() || blocks.iter().any(|block| block.state.is_some());
        if had || !needs {
            return Ok(None);
        }
        let new = self.frames(&[], pool)?;
        Ok(Some(frames::write(&new).ok_or(STACK_MAP)?))
    }

    fn frames(&self, old: &[Frame], pool: &mut Append<'_>) -> Result<Vec<Frame>, Refusal> {
        let as_they_were = self.edit.permanent.is_empty() && self.edit.frames.is_empty();
        let mut new = match as_they_were {
            true => old.iter().map(|f| self.moved(f)).collect(),
            false => self.widened(old, pool),
        }?;
        self.frames_behind_long_branches(old, &mut new, pool)?;
        for (place, state) in &self.edit.frames {
            let bci = self.layout.find(*place).ok_or(STACK_MAP)?;
            // The end of an insertion may be where an old instruction has a frame.
            if let Err(at) = new.binary_search_by_key(&bci, |frame| frame.bci.into()) {
                new.insert(at, self.full(bci, state, pool)?);
            }
        }
        for (id, block) in self.edit.blocks.iter().enumerate() {
            if let Some(state) = &block.state {
                let bci = self.layout.block(super::BlockId(id)).ok_or(STACK_MAP)?;
                new.push(self.widest(bci, state.clone(), pool)?);
            }
        }
        Ok(new)
    }

    fn moved(&self, frame: &Frame) -> Result<Frame, Refusal> {
        let spot = self.layout.spot(frame.bci).ok_or(STACK_MAP)?;
        let mut moved = frame.clone();
        moved.bci = spot.before as u16;
        match &mut moved.form {
            Form::Stack(item) => self.move_new(item)?,
            Form::Append(more) => more.iter_mut().try_for_each(|e| self.move_new(e))?,
            Form::Full(locals, stack) => {
                let mut all = locals.iter_mut().chain(stack);
                all.try_for_each(|e| self.move_new(e))?;
            }
            Form::Same | Form::Chop(_) => {}
        }
        Ok(moved)
    }

    fn move_new(&self, entry: &mut Entry) -> Result<(), Refusal> {
        if let Entry::New(bci) = entry {
            *bci = self.layout.spot(*bci).ok_or(STACK_MAP)?.at as u16;
        }
        Ok(())
    }

    /// The old frames, each with the permanent locals in it. All of them become full frames.
    fn widened(&self, old: &[Frame], pool: &mut Append<'_>) -> Result<Vec<Frame>, Refusal> {
        let start = self.class.method.start().ok_or(STACK_MAP)?;
        let states = types::expand(&start, old, pool.pool()).ok_or(STACK_MAP)?;
        let widen = |(frame, state): (&Frame, State)| {
            let spot = self.layout.spot(frame.bci).ok_or(STACK_MAP)?;
            self.widest(spot.before, state, pool)
        };
        old.iter().zip(states).map(widen).collect()
    }

    /// A full frame of a state with the permanent locals in it.
    fn widest(&self, bci: u32, mut state: State, pool: &mut Append<'_>) -> Result<Frame, Refusal> {
        add_locals(&mut state, &self.edit.permanent);
        self.full(bci, &state, pool)
    }

    /// A full frame of a state given in old bcis.
    fn full(&self, bci: u32, state: &State, pool: &mut Append<'_>) -> Result<Frame, Refusal> {
        let mut form = types::full_form(state, pool)?;
        if let Form::Full(locals, stack) = &mut form {
            let mut all = locals.iter_mut().chain(stack);
            all.try_for_each(|e| self.move_new(e))?;
        }
        Ok(Frame {
            bci: bci as u16,
            form,
            extended: true,
        })
    }

    /// A long conditional branch skips a `goto_w`; where it lands there must be a frame. The frame
    /// behind an added one is written in full, since it was relative to the one before.
    fn frames_behind_long_branches(
        &self,
        old: &[Frame],
        new: &mut Vec<Frame>,
        pool: &mut Append<'_>,
    ) -> Result<(), Refusal> {
        let landings = self.landings();
        if landings.is_empty() || self.class.major < 50 {
            return Ok(());
        }
        let bcis: Vec<u16> = landings.iter().map(|(bci, _)| *bci).collect();
        let method: Method<'_> = self.class.method;
        let states = method.states(self.edit.code, old, &bcis);
        let states = states.ok_or(STACK_MAP)?;
        *new = self.widened(old, pool)?;
        for ((bci, at), state) in landings.into_iter().zip(states) {
            let state = state.ok_or(Refusal::Types(bci))?;
            if let Err(place) = new.binary_search_by_key(&(at as u16), |frame| frame.bci) {
                new.insert(place, self.widest(at, state, pool)?);
            }
        }
        Ok(())
    }

    /// Old bcis, and new places, behind long conditional branches.
    fn landings(&self) -> Vec<(u16, u32)> {
        let insns = self.edit.insns.iter().zip(self.layout.spots());
        let next = insns.clone().skip(1);
        let pairs = insns.zip(next);
        pairs
            .filter(|((insn, spot), _)| spot.long && !has_long_form(insn.opcode))
            .map(|(_, (next, spot))| (next.bci, spot.after))
            .collect()
    }
}

fn patch(bytes: &mut [u8], at: usize, value: u32) {
    bytes[at..at + 2].copy_from_slice(&(value as u16).to_be_bytes());
}

/// Deepest nesting of annotations that is followed: each level costs the format six bytes, and the
/// reader a stack frame.
const DEEPEST: u32 = 64;

/// Skips an annotation.
fn annotation(bytes: &mut Bytes<'_>, depth: u32) -> Result<(), Error> {
    bytes.take(2)?;
    for _ in 0..bytes.u2()? {
        bytes.take(2)?;
        element(bytes, depth)?;
    }
    Ok(())
}

fn element(bytes: &mut Bytes<'_>, depth: u32) -> Result<(), Error> {
    let start = *bytes;
    match bytes.u1()? {
        b'e' => bytes.take(4).map(drop),
        tag @ (b'@' | b'[') if depth == DEEPEST => Err(start.error(crate::Cause::Tag(tag))),
        b'@' => annotation(bytes, depth + 1),
        b'[' => {
            let count = bytes.u2()?;
            (0..count).try_for_each(|_| element(bytes, depth + 1))
        }
        _ => bytes.take(2).map(drop),
    }
}
