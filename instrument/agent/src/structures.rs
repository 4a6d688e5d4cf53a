//! Where the JVM says that the fields of its own structures lie.
//!
//! HotSpot exports a table of them, `gHotSpotVMStructs`, for its debugging agent. What it says is a
//! claim: whoever reads by it proves it first, with every read through [`Memory`].

use jni_sys::JavaVM;
use std::collections::HashMap;
use std::ffi::{CStr, c_char, c_void};
use std::fs::File;
use std::os::unix::fs::FileExt;

/// Types whose fields are looked up.
const TYPES: [&str; 8] = [
    "JavaThread",
    "Thread",
    "ObjectMonitor",
    "Method",
    "ConstMethod",
    "ConstantPool",
    "Array<int>",
    "Array<u2>",
];

/// Offsets of instance fields, by type and name.
pub(crate) struct Claims(HashMap<(String, String), usize>);

impl Claims {
    /// Reads the table; none if this JVM exports none.
    pub(crate) fn read(memory: &Memory, jvm: *mut JavaVM) -> Option<Self> {
        let table = Table::find(memory, jvm)?;
        let wanted = |field: &(String, String, usize)| TYPES.contains(&field.0.as_str());
        let fields = table.fields().filter(wanted);
        let fields = fields.map(|(kind, name, offset)| ((kind, name), offset));
        Some(Self(fields.collect()))
    }

    /// Where a field lies in its structure.
    pub(crate) fn offset(&self, kind: &str, name: &str) -> Option<usize> {
        self.0.get(&(kind.to_owned(), name.to_owned())).copied()
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
}

impl<'a> Table<'a> {
    fn find(memory: &'a Memory, jvm: *mut JavaVM) -> Option<Self> {
        let library = Library::of(jvm)?;
        let value = |name| memory.word(library.symbol(name)?);
        Some(Self {
            memory,
            start: value(c"gHotSpotVMStructs")?,
            stride: value(c"gHotSpotVMStructEntryArrayStride")?,
            type_name: value(c"gHotSpotVMStructEntryTypeNameOffset")?,
            field_name: value(c"gHotSpotVMStructEntryFieldNameOffset")?,
            is_static: value(c"gHotSpotVMStructEntryIsStaticOffset")?,
            offset: value(c"gHotSpotVMStructEntryOffsetOffset")?,
        })
    }

    /// (type, field, offset) of every instance field; the table ends with an entry without a name.
    fn fields(&self) -> impl Iterator<Item = (String, String, usize)> + '_ {
        const MOST: u64 = 20_000;
        (0..MOST)
            .map(|i| self.start.wrapping_add(i.wrapping_mul(self.stride)))
            .map_while(|entry| self.entry(entry))
            .filter_map(|(kind, field, offset)| Some((kind, field, offset?)))
    }

    fn entry(&self, at: u64) -> Option<(String, String, Option<usize>)> {
        let word = |offset: u64| self.memory.word(at.wrapping_add(offset));
        let text = |offset| {
            let address = word(offset)?;
            (address != 0).then(|| self.memory.text(address)).flatten()
        };
        let (kind, field) = (text(self.type_name)?, text(self.field_name)?);
        let is_static = word(self.is_static)? as u32 != 0;
        let offset = usize::try_from(word(self.offset)?).ok()?;
        Some((kind, field, (!is_static).then_some(offset)))
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
    }
}
