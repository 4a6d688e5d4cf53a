//! Where the JVM says that the fields of its own structures lie.
//!
//! HotSpot exports a table of them, `gHotSpotVMStructs`, for its debugging agent. What it says is a
//! claim: whoever reads by it proves it first, with every read through [`Memory`].

use jni_sys::JavaVM;
use std::cell::RefCell;
use std::collections::HashMap;
use std::ffi::{CStr, c_char, c_void};
use std::fs::File;
use std::os::unix::fs::FileExt;

/// Types whose fields are looked up.
const TYPES: [&str; 10] = [
    "JavaThread",
    "Thread",
    "ObjectMonitor",
    "Method",
    "ConstMethod",
    "ConstantPool",
    "Array<int>",
    "Array<u2>",
    // To JDK 14 or so a flag's class had the shorter name.
    "JVMFlag",
    "Flag",
];

/// What this JVM claims of itself.
pub(crate) struct Claims {
    /// Offsets of instance fields, by type and name.
    fields: HashMap<(String, String), usize>,
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

impl Claims {
    /// Reads the table; none if this JVM exports none.
    pub(crate) fn read(memory: &Memory, jvm: *mut JavaVM) -> Option<Self> {
        let library = Library::of(jvm)?;
        let memory = &Pages::of(memory);
        let table = Table::find(memory, &library)?;
        let wanted = |entry: &Entry| TYPES.contains(&entry.kind.as_str());
        let (mut fields, mut statics) = (HashMap::new(), HashMap::new());
        for entry in table.entries().filter(wanted) {
            let name = (entry.kind, entry.field);
            match entry.place {
                Where::Instance(offset) => drop(fields.insert(name, offset)),
                Where::Static(address) => drop(statics.insert(name, address)),
            }
        }
        let flags = ["JVMFlag", "Flag"]
            .iter()
            .find_map(|kind| Flags::find(memory, &library, kind, &fields, &statics));
        Some(Self { fields, flags })
    }

    /// Where a field lies in its structure.
    pub(crate) fn offset(&self, kind: &str, name: &str) -> Option<usize> {
        let name = (kind.to_owned(), name.to_owned());
        self.fields.get(&name).copied()
    }

    /// Whether this JVM checks the handles it is given (`-Xcheck:jni`) and ends itself over one it has
    /// not given out; none if it does not say.
    pub(crate) fn checks_handles(&self, memory: &Memory) -> Option<bool> {
        const MOST: u64 = 10_000;
        let flags = self.flags?;
        let pages = Pages::of(memory);
        let name = |at: u64| pages.text(pages.word(at.wrapping_add(flags.name))?);
        let flag = (0..flags.count.min(MOST))
            .map(|i| flags.start.wrapping_add(i.wrapping_mul(flags.size)))
            .find(|&at| name(at).as_deref() == Some("CheckJNICalls"))?;
        let place = pages.word(flag.wrapping_add(flags.value))?;
        memory.byte(place).map(|flag| flag != 0)
    }
}

impl Flags {
    fn find(
        memory: &Pages<'_>,
        library: &Library,
        kind: &str,
        fields: &HashMap<(String, String), usize>,
        statics: &HashMap<(String, String), u64>,
    ) -> Option<Self> {
        let key = |field: &str| (kind.to_owned(), field.to_owned());
        Some(Self {
            start: memory.word(*statics.get(&key("flags"))?)?,
            count: memory.word(*statics.get(&key("numFlags"))?)?,
            size: size_of_type(memory, library, kind)?,
            name: *fields.get(&key("_name"))? as u64,
            value: *fields.get(&key("_addr"))? as u64,
        })
    }
}

/// The size of a type, by the JVM's table of types.
fn size_of_type(memory: &Pages<'_>, library: &Library, wanted: &str) -> Option<u64> {
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
        .find(|(_, kind)| kind == wanted)?;
    memory.word(entry.0.wrapping_add(size))
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

    /// So many bytes from an address on.
    pub(crate) fn bytes(&self, address: u64, length: usize) -> Option<Vec<u8>> {
        let mut bytes = vec![0; length];
        self.0.read_exact_at(&mut bytes, address).ok()?;
        Some(bytes)
    }

    /// The number of 32 bits at an address.
    pub(crate) fn half(&self, address: u64) -> Option<u32> {
        let mut bytes = [0; 4];
        self.0.read_exact_at(&mut bytes, address).ok()?;
        Some(u32::from_ne_bytes(bytes))
    }

    fn byte(&self, address: u64) -> Option<u8> {
        let mut byte = [0];
        self.0.read_exact_at(&mut byte, address).ok()?;
        Some(byte[0])
    }
}

/// Bytes read from the kernel at a time, and what they begin at a multiple of: all of them are mapped or none.
const PAGE: usize = 4096;

type Page = Option<Box<[u8; PAGE]>>;

/// Memory that does not change, read by the page: the JVM's tables have thousands of entries of several words and
/// names each, and a question to the kernel for each of them takes as long as all else a recording begins with.
struct Pages<'a> {
    memory: &'a Memory,
    read: RefCell<HashMap<u64, Page>>,
}

impl<'a> Pages<'a> {
    /// Most pages kept.
    const MOST: usize = 64;

    fn of(memory: &'a Memory) -> Self {
        let read = RefCell::default();
        Self { memory, read }
    }

    /// The word at an address.
    fn word(&self, address: u64) -> Option<u64> {
        let mut bytes = [0; 8];
        (self.fill(address, &mut bytes) == bytes.len()).then(|| u64::from_ne_bytes(bytes))
    }

    /// The beginning of a terminated string, long enough to tell names apart.
    fn text(&self, address: u64) -> Option<String> {
        let mut bytes = [0; 64];
        let got = self.fill(address, &mut bytes);
        let text = bytes[..got].split(|&byte| byte == 0).next()?;
        (got > 0).then(|| String::from_utf8_lossy(text).into_owned())
    }

    /// Copies what lies from an address on; how many bytes, up to the first that is not mapped.
    fn fill(&self, address: u64, into: &mut [u8]) -> usize {
        let mut got = 0;
        while got < into.len() {
            let Some(at) = address.checked_add(got as u64) else {
                break;
            };
            let within = (at % PAGE as u64) as usize;
            let length = (into.len() - got).min(PAGE - within);
            if !self.copy(at - within as u64, within, &mut into[got..got + length]) {
                break;
            }
            got += length;
        }
        got
    }

    /// Copies out of a page; false if it is not mapped.
    fn copy(&self, page: u64, within: usize, into: &mut [u8]) -> bool {
        let mut read = self.read.borrow_mut();
        if read.len() >= Self::MOST && !read.contains_key(&page) {
            read.clear();
        }
        let bytes = read.entry(page).or_insert_with(|| {
            let mut bytes = Box::new([0; PAGE]);
            let whole = self.memory.0.read_exact_at(&mut bytes[..], page);
            whole.ok().map(|()| bytes)
        });
        let Some(bytes) = bytes else {
            return false;
        };
        into.copy_from_slice(&bytes[within..within + into.len()]);
        true
    }
}

/// The JVM's table of its own structures.
struct Table<'a> {
    memory: &'a Pages<'a>,
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
    fn find(memory: &'a Pages<'a>, library: &Library) -> Option<Self> {
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
pub(crate) struct Library {
    handle: *mut c_void,
    /// Where it is mapped.
    pub(crate) base: u64,
}

impl Library {
    pub(crate) fn of(jvm: *mut JavaVM) -> Option<Self> {
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
        let base = info.dli_fbase as u64;
        (!handle.is_null()).then_some(Self { handle, base })
    }

    fn symbol(&self, name: &CStr) -> Option<u64> {
        let name: *const c_char = name.as_ptr();
        // SAFETY: an open handle and a terminated name.
        let address = unsafe { libc::dlsym(self.handle, name) };
        (!address.is_null()).then_some(address as u64)
    }
}

impl Drop for Library {
    fn drop(&mut self) {
        // SAFETY: opened in `of`, closed once.
        unsafe { libc::dlclose(self.handle) };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unmapped_memory_is_no_answer() {
        let memory = Memory::open().expect("our own memory");
        let word = 0x1234_5678_9abc_def0_u64;
        assert_eq!(memory.word(&raw const word as u64), Some(word));
        assert_eq!(memory.half(&raw const word as u64), Some(word as u32));
        let bytes = memory.bytes(&raw const word as u64, 8);
        assert_eq!(bytes, Some(word.to_ne_bytes().to_vec()));
        assert_eq!(memory.word(8), None);
        assert_eq!(memory.bytes(8, 3), None);
        assert_eq!(memory.word(u64::MAX - 3), None);
        let pages = Pages::of(&memory);
        assert_eq!(pages.word(&raw const word as u64), Some(word));
        assert_eq!(pages.word(8), None);
        assert_eq!(pages.text(8), None);
        assert_eq!(pages.word(u64::MAX - 3), None);
    }

    #[test]
    fn what_is_read_by_the_page_is_what_lies_there() {
        let memory = Memory::open().expect("our own memory");
        let pages = Pages::of(&memory);
        let there: Vec<u8> = (0..100 * PAGE).map(|i| (i / 7 % 251) as u8 + 1).collect();
        let start = there.as_ptr() as u64;
        // Forwards, backwards, and across the ends of pages; more pages than are kept.
        let steps = (0..there.len() - 64).step_by(61);
        for at in steps.clone().chain(steps.rev()) {
            let address = start + at as u64;
            assert_eq!(pages.word(address), memory.word(address), "at {at}");
            let text = String::from_utf8_lossy(&there[at..at + 64]).into_owned();
            assert_eq!(pages.text(address), Some(text), "at {at}");
        }
        let text = c"ends here";
        let address = text.as_ptr() as u64;
        assert_eq!(pages.text(address).as_deref(), Some("ends here"));
    }
}
