//! Who holds a monitor that somebody is about to block on, read from the JVM's own structures.
//!
//! JVMTI has no cheap answer (`GetObjectMonitorUsage` stops the whole VM), so in
//! `MonitorContendedEnter` two words are read: the monitor this thread is pending on, from its
//! `JavaThread`, and that monitor's owner. Where they lie the JVM says itself, in the table
//! `gHotSpotVMStructs` that it exports for its debugging agent.
//!
//! Nothing is read this way before `writer::verify` has seen it agree with `GetObjectMonitorUsage`
//! on a monitor of our own, with every read guarded. Object headers are never decoded.
//!
//! What the owner's word means differs: its `JavaThread`, or an address in its stack while the lock
//! is still a record there (to 23); its Java tid (from 24). 0 is nobody; 1 and 2 are the JVM's marks.

use jni_sys::{JNIEnv, JavaVM};
use std::ffi::{CStr, c_char, c_void};
use std::fs::File;
use std::os::unix::fs::FileExt;

/// An owner's word that tells nothing: not read, or a mark of the JVM's.
pub(crate) const UNREAD: u64 = 1;
/// The largest mark.
pub(crate) const LAST_MARK: u64 = 2;

/// What an owner's word is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Meaning {
    /// Address of the owner's `JavaThread`, or one in its stack.
    Address,
    /// The owner's Java tid.
    Tid,
}

/// Where the words lie.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Layout {
    /// From a thread's `JavaThread` to its JNI environment.
    pub(crate) to_jni: usize,
    /// In `JavaThread`.
    pub(crate) pending: usize,
    /// In `ObjectMonitor`.
    pub(crate) owner: usize,
    /// In `JavaThread`.
    pub(crate) stack_base: usize,
    /// In `JavaThread`.
    pub(crate) stack_size: usize,
    /// In `JavaThread`: the monitor whose `wait` it is in.
    pub(crate) waiting: Option<usize>,
    /// In `ObjectMonitor`: its object.
    pub(crate) object: Option<usize>,
}

/// How a monitor refers to its object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Naming {
    /// By the object's address (to 14).
    Address,
    /// By a weak handle, a place that holds the object's address (from 15).
    Handle,
}

/// A layout that has been verified, and what the words mean. Holding it entitles to read them.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Peek {
    pub(crate) layout: Layout,
    pub(crate) meaning: Meaning,
    /// None where it could not be verified, or must not be used.
    pub(crate) naming: Option<Naming>,
}

/// Where a thread is in memory; all 0 if unknown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Place {
    /// Of its `JavaThread`.
    pub(crate) address: u64,
    /// Its stack, from here
    pub(crate) stack_low: u64,
    /// up to here.
    pub(crate) stack_high: u64,
}

impl Peek {
    /// The owner of the monitor the current thread is about to block on.
    ///
    /// # Safety
    /// Called in the thread's own `MonitorContendedEnter`, with its JNI environment.
    pub(crate) unsafe fn owner_word(&self, jni: *mut JNIEnv) -> u64 {
        let thread = jni as usize - self.layout.to_jni;
        // SAFETY: the `JavaThread` of the running thread; the field's place was verified.
        let monitor = unsafe { *((thread + self.layout.pending) as *const usize) };
        if monitor == 0 {
            return UNREAD;
        }
        // SAFETY: a monitor somebody is contending for is not taken down; its field's place was
        // verified. The word changes under us: volatile, and any value is an answer.
        unsafe { std::ptr::read_volatile((monitor + self.layout.owner) as *const u64) }
    }

    /// Where the current platform thread is.
    ///
    /// # Safety
    /// `jni` is its JNI environment.
    pub(crate) unsafe fn own_place(&self, jni: *mut JNIEnv) -> Place {
        let address = jni as usize - self.layout.to_jni;
        // SAFETY: the `JavaThread` of the running thread; the fields' places were verified.
        let (base, size) = unsafe {
            (
                *((address + self.layout.stack_base) as *const u64),
                *((address + self.layout.stack_size) as *const u64),
            )
        };
        place(address as u64, base, size)
    }

    /// Where another platform thread is; its stack is unknown if it has ended meanwhile.
    pub(crate) fn place_of(&self, memory: &Memory, address: u64) -> Place {
        let word = |offset: usize| memory.word(address.wrapping_add(offset as u64));
        let base = word(self.layout.stack_base);
        let size = word(self.layout.stack_size);
        place(address, base.unwrap_or(0), size.unwrap_or(0))
    }
}

fn place(address: u64, base: u64, size: u64) -> Place {
    Place {
        address,
        stack_low: base.saturating_sub(size),
        stack_high: base,
    }
}

/// Our own memory read through the kernel: an address that is not mapped is no answer, not a crash.
pub(crate) struct Memory(File);

impl Memory {
    /// Opens it; a hardened process may not allow that.
    pub(crate) fn open() -> Option<Self> {
        File::open("/proc/self/mem").ok().map(Self)
    }

    /// The word at an address.
    pub(crate) fn word(&self, address: u64) -> Option<u64> {
        let mut bytes = [0; 8];
        self.0.read_exact_at(&mut bytes, address).ok()?;
        Some(u64::from_ne_bytes(bytes))
    }

    fn byte(&self, address: u64) -> Option<u8> {
        let mut byte = [0];
        self.0.read_exact_at(&mut byte, address).ok()?;
        Some(byte[0])
    }

    /// The beginning of a terminated string, long enough to tell names apart.
    fn text(&self, address: u64) -> Option<String> {
        let mut bytes = [0; 64];
        let got = self.0.read_at(&mut bytes, address).ok()?;
        let text = bytes[..got].split(|&byte| byte == 0).next()?;
        Some(String::from_utf8_lossy(text).into_owned())
    }
}

/// The JVM's table of its own structures.
struct Table<'a> {
    memory: &'a Memory,
    start: u64,
    stride: u64,
    type_name: u64,
    field_name: u64,
    is_static: u64,
    offset: u64,
    address: u64,
}

/// A field as the table says it.
struct Entry {
    kind: String,
    field: String,
    place: Where,
}

enum Where {
    /// Offset in an instance.
    Instance(usize),
    /// Address of a static field.
    Static(u64),
}

impl<'a> Table<'a> {
    fn find(memory: &'a Memory, library: &Library) -> Option<Self> {
        let value = |name| memory.word(library.symbol(name)?);
        Some(Self {
            memory,
            start: value(c"gHotSpotVMStructs")?,
            stride: value(c"gHotSpotVMStructEntryArrayStride")?,
            type_name: value(c"gHotSpotVMStructEntryTypeNameOffset")?,
            field_name: value(c"gHotSpotVMStructEntryFieldNameOffset")?,
            is_static: value(c"gHotSpotVMStructEntryIsStaticOffset")?,
            offset: value(c"gHotSpotVMStructEntryOffsetOffset")?,
            address: value(c"gHotSpotVMStructEntryAddressOffset")?,
        })
    }

    /// Every field; the table ends with an entry without a name.
    fn entries(&self) -> impl Iterator<Item = Entry> + '_ {
        const MOST: u64 = 20_000;
        (0..MOST)
            .map(|i| self.start.wrapping_add(i.wrapping_mul(self.stride)))
            .map_while(|entry| self.entry(entry))
    }

    fn entry(&self, at: u64) -> Option<Entry> {
        let word = |offset: u64| self.memory.word(at.wrapping_add(offset));
        let text = |offset| {
            let address = word(offset)?;
            (address != 0).then(|| self.memory.text(address)).flatten()
        };
        let (kind, field) = (text(self.type_name)?, text(self.field_name)?);
        let place = match word(self.is_static)? as u32 {
            0 => Where::Instance(usize::try_from(word(self.offset)?).ok()?),
            _ => Where::Static(word(self.address)?),
        };
        Some(Entry { kind, field, place })
    }
}

/// The library the JVM is in.
struct Library(*mut c_void);

impl Library {
    fn of(jvm: *mut JavaVM) -> Option<Self> {
        // SAFETY: plain pointers, of which null is a value; filled by dladdr.
        let mut info: libc::Dl_info = unsafe { std::mem::zeroed() };
        // SAFETY: the JVM's own table; one of its functions lies in its library. The name stays
        // valid as long as the library is loaded, and NOLOAD only finds what is.
        let handle = unsafe {
            let function = (**jvm).v1_2.GetEnv as *const c_void;
            if libc::dladdr(function, &raw mut info) == 0 || info.dli_fname.is_null() {
                return None;
            }
            libc::dlopen(info.dli_fname, libc::RTLD_LAZY | libc::RTLD_NOLOAD)
        };
        (!handle.is_null()).then_some(Self(handle))
    }

    fn symbol(&self, name: &CStr) -> Option<u64> {
        let name: *const c_char = name.as_ptr();
        // SAFETY: an open handle and a terminated name.
        let address = unsafe { libc::dlsym(self.0, name) };
        (!address.is_null()).then_some(address as u64)
    }
}

impl Drop for Library {
    fn drop(&mut self) {
        // SAFETY: opened in `of`, closed once.
        unsafe { libc::dlclose(self.0) };
    }
}

/// What this JVM claims of itself.
pub(crate) struct Claims {
    pub(crate) layout: Layout,
    flags: Option<Flags>,
}

/// Where its flags are.
#[derive(Clone, Copy)]
struct Flags {
    start: u64,
    count: u64,
    size: u64,
    /// In a flag: its name.
    name: u64,
    /// In a flag: where its value is.
    value: u64,
}

/// What its table says, as far as that is of use here.
#[derive(Default)]
struct Found {
    pending: Option<usize>,
    waiting: Option<usize>,
    owner: Option<usize>,
    object: Option<usize>,
    stack_base: Option<usize>,
    stack_size: Option<usize>,
    flags: Option<u64>,
    flag_count: Option<u64>,
    flag_name: Option<usize>,
    flag_value: Option<usize>,
}

impl Found {
    fn add(&mut self, entry: &Entry) {
        let (kind, field) = (entry.kind.as_str(), entry.field.as_str());
        match entry.place {
            // To JDK 9 or so the fields of a thread were those of its base class, at the same offset;
            // to JDK 14 or so a flag's class had a shorter name.
            Where::Instance(offset) => match (kind, field) {
                ("JavaThread" | "Thread", "_current_pending_monitor") => {
                    self.pending = Some(offset);
                }
                ("JavaThread" | "Thread", "_current_waiting_monitor") => {
                    self.waiting = Some(offset);
                }
                ("JavaThread" | "Thread", "_stack_base") => self.stack_base = Some(offset),
                ("JavaThread" | "Thread", "_stack_size") => self.stack_size = Some(offset),
                ("ObjectMonitor", "_owner") => self.owner = Some(offset),
                ("ObjectMonitor", "_object") => self.object = Some(offset),
                ("JVMFlag" | "Flag", "_name") => self.flag_name = Some(offset),
                ("JVMFlag" | "Flag", "_addr") => self.flag_value = Some(offset),
                _ => {}
            },
            Where::Static(at) => match (kind, field) {
                ("JVMFlag" | "Flag", "flags") => self.flags = Some(at),
                ("JVMFlag" | "Flag", "numFlags") => self.flag_count = Some(at),
                _ => {}
            },
        }
    }

    fn layout(&self, to_jni: usize) -> Result<Layout, String> {
        let missing = |name: &str| format!("this JVM does not say where {name} is");
        Ok(Layout {
            to_jni,
            pending: self
                .pending
                .ok_or_else(|| missing("_current_pending_monitor"))?,
            owner: self.owner.ok_or_else(|| missing("ObjectMonitor::_owner"))?,
            stack_base: self.stack_base.ok_or_else(|| missing("_stack_base"))?,
            stack_size: self.stack_size.ok_or_else(|| missing("_stack_size"))?,
            waiting: self.waiting,
            object: self.object,
        })
    }

    fn flags(&self, memory: &Memory, library: &Library) -> Option<Flags> {
        Some(Flags {
            start: memory.word(self.flags?)?,
            count: memory.word(self.flag_count?)?,
            size: size_of_type(memory, library, &["JVMFlag", "Flag"])?,
            name: self.flag_name? as u64,
            value: self.flag_value? as u64,
        })
    }
}

/// What this JVM claims, given how far a JNI environment lies from its thread.
pub(crate) fn claims(memory: &Memory, jvm: *mut JavaVM, to_jni: usize) -> Result<Claims, String> {
    let library = Library::of(jvm).ok_or("the library of this JVM cannot be found")?;
    let table =
        Table::find(memory, &library).ok_or("this JVM exports no table of its structures")?;
    let mut found = Found::default();
    table.entries().for_each(|entry| found.add(&entry));
    Ok(Claims {
        layout: found.layout(to_jni)?,
        flags: found.flags(memory, &library),
    })
}

impl Claims {
    /// Whether this JVM checks the handles it is given (`-Xcheck:jni`) and ends itself over one it has
    /// not given out; none if it does not say.
    pub(crate) fn checks_handles(&self, memory: &Memory) -> Option<bool> {
        const MOST: u64 = 10_000;
        let flags = self.flags?;
        let name = |at: u64| memory.text(memory.word(at.wrapping_add(flags.name))?);
        let flag = (0..flags.count.min(MOST))
            .map(|i| flags.start.wrapping_add(i.wrapping_mul(flags.size)))
            .find(|&at| name(at).as_deref() == Some("CheckJNICalls"))?;
        let place = memory.word(flag.wrapping_add(flags.value))?;
        memory.byte(place).map(|flag| flag != 0)
    }
}

/// The size of the first of these types that the JVM's table of types has.
fn size_of_type(memory: &Memory, library: &Library, names: &[&str]) -> Option<u64> {
    const MOST: u64 = 10_000;
    let value = |name| memory.word(library.symbol(name)?);
    let start = value(c"gHotSpotVMTypes")?;
    let stride = value(c"gHotSpotVMTypeEntryArrayStride")?;
    let name = value(c"gHotSpotVMTypeEntryTypeNameOffset")?;
    let size = value(c"gHotSpotVMTypeEntrySizeOffset")?;
    let text = |at: u64| match memory.word(at.wrapping_add(name))? {
        0 => None,
        address => memory.text(address),
    };
    let entry = (0..MOST)
        .map(|i| start.wrapping_add(i.wrapping_mul(stride)))
        .map_while(|at| Some((at, text(at)?)))
        .find(|(_, kind)| names.contains(&kind.as_str()))?;
    memory.word(entry.0.wrapping_add(size))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unmapped_memory_is_no_answer() {
        let memory = Memory::open().expect("our own memory");
        let word = 0x1234_5678_9abc_def0_u64;
        assert_eq!(memory.word(&raw const word as u64), Some(word));
        assert_eq!(memory.word(8), None);
        assert_eq!(memory.word(u64::MAX - 3), None);
    }
}
