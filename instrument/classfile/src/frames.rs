//! Stack maps (`StackMapTable`), frame by frame, in the form in which they are written.
//!
//! A frame keeps its form (same, chop, append, full …) for as long as its distance to the frame
//! before it can be written in that form, so that a table whose frames do not move is written as it
//! was read. What the frames *mean*, as types of locals and stack, is [`crate::types`]'s business.

use crate::bytes::Bytes;
use crate::{Cause, Error};

/// One verification type, as written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Entry {
    /// A type without an operand: 0 top, 1 int, 2 float, 3 double, 4 long, 5 null, 6 this of a
    /// constructor before the superclass has been initialised.
    Simple(u8),
    /// An object, by the index of its class.
    Object(u16),
    /// An object not yet initialised, by the bci of its `new`.
    New(u16),
}

/// What a frame says of locals and stack, mostly relative to the frame before it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Form {
    /// The same locals, an empty stack.
    Same,
    /// The same locals, one item on the stack.
    Stack(Entry),
    /// Without the last 1 to 3 locals, an empty stack.
    Chop(u8),
    /// With 1 to 3 locals more, an empty stack.
    Append(Vec<Entry>),
    /// All locals, all of the stack.
    Full(Vec<Entry>, Vec<Entry>),
}

/// A frame.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Frame {
    /// Where it holds.
    pub bci: u16,
    /// What holds.
    pub form: Form,
    /// Whether its distance is written in two bytes though one would do.
    pub extended: bool,
}

/// Reads the contents of a `StackMapTable`.
///
/// # Errors
/// When they end too early or hold a frame of an unknown kind.
pub fn parse(bytes: &[u8]) -> Result<Vec<Frame>, Error> {
    let mut bytes = Bytes::new(bytes);
    let count = bytes.u2()?;
    let mut frames: Vec<Frame> = Vec::new();
    for _ in 0..count {
        let error = bytes.error(Cause::Target);
        let (delta, form, extended) = read(&mut bytes)?;
        let bci = match frames.last() {
            None => Some(delta),
            Some(last) => last.bci.checked_add(delta).and_then(|b| b.checked_add(1)),
        };
        frames.push(Frame {
            bci: bci.ok_or(error)?,
            form,
            extended,
        });
    }
    bytes.end()?;
    Ok(frames)
}

fn read(bytes: &mut Bytes<'_>) -> Result<(u16, Form, bool), Error> {
    let start = *bytes;
    Ok(match bytes.u1()? {
        kind @ 0..=63 => (u16::from(kind), Form::Same, false),
        kind @ 64..=127 => (u16::from(kind - 64), Form::Stack(entry(bytes)?), false),
        247 => (bytes.u2()?, Form::Stack(entry(bytes)?), true),
        kind @ 248..=250 => (bytes.u2()?, Form::Chop(251 - kind), true),
        251 => (bytes.u2()?, Form::Same, true),
        kind @ 252..=254 => {
            let delta = bytes.u2()?;
            let more = (251..kind)
                .map(|_| entry(bytes))
                .collect::<Result<_, _>>()?;
            (delta, Form::Append(more), true)
        }
        255 => {
            let delta = bytes.u2()?;
            let locals = bytes.counted(entry)?;
            (delta, Form::Full(locals, bytes.counted(entry)?), true)
        }
        kind => return Err(start.error(Cause::Frame(kind))),
    })
}

fn entry(bytes: &mut Bytes<'_>) -> Result<Entry, Error> {
    let start = *bytes;
    Ok(match bytes.u1()? {
        simple @ 0..=6 => Entry::Simple(simple),
        7 => Entry::Object(bytes.u2()?),
        8 => Entry::New(bytes.u2()?),
        kind => return Err(start.error(Cause::Frame(kind))),
    })
}

/// Writes the contents of a `StackMapTable`; none if the frames are not in order of their bci or
/// more than can be counted.
#[must_use]
pub fn write(frames: &[Frame]) -> Option<Vec<u8>> {
    let mut bytes = u16::try_from(frames.len()).ok()?.to_be_bytes().to_vec();
    let mut last: Option<u16> = None;
    for frame in frames {
        let delta = match last {
            None => frame.bci,
            Some(last) => frame.bci.checked_sub(last)?.checked_sub(1)?,
        };
        write_frame(&mut bytes, frame, delta);
        last = Some(frame.bci);
    }
    Some(bytes)
}

fn write_frame(bytes: &mut Vec<u8>, frame: &Frame, delta: u16) {
    let long = frame.extended || delta > 63;
    let mut head = |short: u8, kind: u8| match long {
        true => {
            bytes.push(kind);
            bytes.extend(delta.to_be_bytes());
        }
        false => bytes.push(short + delta as u8),
    };
    match &frame.form {
        Form::Same => head(0, 251),
        Form::Stack(item) => {
            head(64, 247);
            write_entry(bytes, *item);
        }
        Form::Chop(count) => write_head(bytes, 251 - count, delta),
        Form::Append(more) => {
            write_head(bytes, 251 + more.len() as u8, delta);
            more.iter().for_each(|entry| write_entry(bytes, *entry));
        }
        Form::Full(locals, stack) => {
            write_head(bytes, 255, delta);
            write_entries(bytes, locals);
            write_entries(bytes, stack);
        }
    }
}

fn write_head(bytes: &mut Vec<u8>, kind: u8, delta: u16) {
    bytes.push(kind);
    bytes.extend(delta.to_be_bytes());
}

fn write_entries(bytes: &mut Vec<u8>, entries: &[Entry]) {
    bytes.extend((entries.len() as u16).to_be_bytes());
    entries.iter().for_each(|entry| write_entry(bytes, *entry));
}

fn write_entry(bytes: &mut Vec<u8>, entry: Entry) {
    match entry {
        Entry::Simple(kind) => bytes.push(kind),
        Entry::Object(class) => write_head(bytes, 7, class),
        Entry::New(bci) => write_head(bytes, 8, bci),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TABLE: &[u8] = &[
        0, 7, // frames
        3, // same at 3
        64, 7, 0, 9, // one object at 4
        251, 0, 5, // same, written long, at 10
        247, 1, 0, 8, 0, 2, // one new object at 267
        249, 0, 0, // two locals less
        253, 0, 0, 1, 4, // an int and a long more
        255, 0, 0, 0, 1, 6, 0, 1, 5, // all
    ];

    #[test]
    fn a_table_is_written_as_it_was_read() {
        let frames = parse(TABLE).expect("well-formed");
        let bcis: Vec<u16> = frames.iter().map(|f| f.bci).collect();
        assert_eq!(bcis, [3, 4, 10, 267, 268, 269, 270]);
        assert_eq!(write(&frames).as_deref(), Some(TABLE));
    }

    #[test]
    fn a_frame_that_moves_far_is_written_long() {
        let mut frames = parse(TABLE).expect("well-formed");
        frames.iter_mut().for_each(|f| f.bci += 100);
        let bytes = write(&frames).expect("in order");
        assert_eq!(bytes[2..5], [251, 0, 103]);
        let mut back = parse(&bytes).expect("well-formed");
        assert!(back[0].extended);
        back[0].extended = false;
        assert_eq!(back, frames);
    }

    #[test]
    fn disorder_and_damage_are_seen() {
        let mut frames = parse(TABLE).expect("well-formed");
        frames[1].bci = 3;
        assert_eq!(write(&frames), None);
        assert!((0..TABLE.len()).all(|len| parse(&TABLE[..len]).is_err()));
        let unknown = parse(&[0, 1, 200]).expect_err("no such frame");
        assert_eq!(unknown.cause, Cause::Frame(200));
    }
}
