//! What `invokedynamic` instructions are linked by, read from the JVM's own constant pools.
//!
//! JVMTI gives the constants of a class, and for a call site the number of its bootstrap method, but
//! not the attribute that says which one that is and what it is given. HotSpot keeps that in the
//! constant pool's `_operands`: first an offset for each bootstrap method, then for each its handle,
//! the number of its arguments, and the arguments, all as indices of the pool.
//!
//! The way there leads over the method of a class that is held meanwhile; every read goes through the
//! kernel, so a wrong offset gives a wrong value and not a crash. Nothing is believed before it fits the constants that
//! JVMTI gave: as many of them, and every index one of a constant that may stand there.

use crate::lower::{dotted, member};
use crate::structures::{Claims, Memory};
use crate::vm::Handle;
use locklens_classfile::code::{Operand, instructions};
use locklens_classfile::pool::{Constant, Pool};
use locklens_trace::code::{Bootstrap, CallSite, Constant as Told, HandleKind, Text};

/// Most numbers of operands that are read.
const MOST: u32 = 1 << 18;
/// Most constants of a bootstrap method that are told.
const MOST_ARGUMENTS: usize = 255;

/// Where the way leads.
#[derive(Clone, Copy, Debug)]
struct Layout {
    /// In `Method`.
    const_method: usize,
    /// In `ConstMethod`.
    constants: usize,
    /// In `ConstantPool`.
    length: usize,
    /// In `ConstantPool`.
    operands: usize,
    /// In an array.
    count: usize,
    /// In an array of 16-bit numbers.
    data: usize,
}

/// See the module.
pub(crate) struct Bootstraps {
    memory: Memory,
    layout: Layout,
}

impl Bootstraps {
    /// A reader, if this JVM says where to look.
    pub(crate) fn new(memory: Memory, claims: &Claims) -> Option<Self> {
        let layout = Layout {
            const_method: claims.offset("Method", "_constMethod")?,
            constants: claims.offset("ConstMethod", "_constants")?,
            length: claims.offset("ConstantPool", "_length")?,
            operands: claims.offset("ConstantPool", "_operands")?,
            count: claims.offset("Array<int>", "_length")?,
            data: claims.offset("Array<u2>", "_data")?,
        };
        Some(Self { memory, layout })
    }

    /// The bootstrap methods of a method's class, whose constants these are; none if it has none, or
    /// if what is read does not fit.
    ///
    /// # Safety
    /// The method's class is alive.
    pub(crate) unsafe fn table(&self, method: Handle, pool: &Pool) -> Option<Table> {
        let sites = || pool.entries().iter().filter_map(bootstrap_of);
        let last = sites().max()?;
        let table = Table(self.operands(method, pool.entries().len())?);
        (table.is_sound(pool) && usize::from(last) < table.count()).then_some(table)
    }

    fn operands(&self, method: Handle, constants: usize) -> Option<Vec<u16>> {
        let at = |address: u64, offset: usize| address.wrapping_add(offset as u64);
        let (memory, layout) = (&self.memory, &self.layout);
        // A method's id is the address of a pointer to it.
        let method = memory.word(method.0 as u64)?;
        let fixed = memory.word(at(method, layout.const_method))?;
        let pool = memory.word(at(fixed, layout.constants))?;
        if memory.half(at(pool, layout.length))? as usize != constants {
            return None;
        }
        let operands = memory.word(at(pool, layout.operands))?;
        let count = memory.half(at(operands, layout.count))?;
        if operands == 0 || count > MOST {
            return None;
        }
        let bytes = memory.bytes(at(operands, layout.data), 2 * count as usize)?;
        let (numbers, _) = bytes.as_chunks::<2>();
        Some(numbers.iter().map(|&b| u16::from_ne_bytes(b)).collect())
    }
}

/// The bootstrap methods of a class.
pub(crate) struct Table(Vec<u16>);

impl Table {
    /// Where the numbers of a bootstrap method begin.
    fn offset(&self, index: usize) -> Option<usize> {
        let low = *self.0.get(2 * index)?;
        let high = *self.0.get(2 * index + 1)?;
        Some(usize::from(low) | usize::from(high) << 16)
    }

    fn count(&self) -> usize {
        self.offset(0).map_or(0, |first| first / 2)
    }

    /// The handle of a bootstrap method and its arguments.
    fn entry(&self, index: usize) -> Option<(u16, &[u16])> {
        let numbers = self.0.get(self.offset(index)?..)?;
        let (&handle, rest) = numbers.split_first()?;
        let (&count, rest) = rest.split_first()?;
        Some((handle, rest.get(..usize::from(count))?))
    }

    fn is_sound(&self, pool: &Pool) -> bool {
        let count = self.count();
        let sound = |index| {
            self.offset(index).is_some_and(|offset| offset >= 2 * count)
                && self.entry(index).is_some_and(|(handle, arguments)| {
                    matches!(pool.get(handle), Constant::MethodHandle(..))
                        && arguments.iter().all(|&a| is_loadable(pool.get(a)))
                })
        };
        count > 0 && (0..count).all(sound)
    }

    /// The call sites of a method's code.
    pub(crate) fn sites(&self, code: &[u8], pool: &Pool) -> Vec<CallSite> {
        const INVOKE_DYNAMIC: u8 = 0xba;
        let insns = instructions(code).map_while(Result::ok);
        let sites = insns.filter_map(|insn| match insn.operand {
            Operand::Pool(index) if insn.opcode == INVOKE_DYNAMIC => Some((insn.bci, index)),
            _ => None,
        });
        let linked = sites.filter_map(|(bci, index)| {
            let bootstrap = self.bootstrap(bootstrap_of(pool.get(index))?, pool)?;
            Some(CallSite { bci, bootstrap })
        });
        linked.collect()
    }

    fn bootstrap(&self, index: u16, pool: &Pool) -> Option<Bootstrap> {
        let (handle, arguments) = self.entry(index.into())?;
        let Constant::MethodHandle(_, of) = *pool.get(handle) else {
            return None;
        };
        let method = pool.member(of)?;
        let told = arguments.iter().take(MOST_ARGUMENTS);
        Some(Bootstrap {
            class: dotted(method.class),
            name: method.name.to_owned(),
            arguments: told.map(|&index| constant(pool, index)).collect(),
        })
    }
}

/// The number of the bootstrap method of a call site or computed constant.
fn bootstrap_of(constant: &Constant) -> Option<u16> {
    match constant {
        Constant::InvokeDynamic(bootstrap, _) | Constant::Dynamic(bootstrap, _) => Some(*bootstrap),
        _ => None,
    }
}

fn is_loadable(constant: &Constant) -> bool {
    matches!(
        constant,
        Constant::Integer(_)
            | Constant::Float(_)
            | Constant::Long(_)
            | Constant::Double(_)
            | Constant::Class(_)
            | Constant::String(_)
            | Constant::MethodHandle(..)
            | Constant::MethodType(_)
            | Constant::Dynamic(..)
    )
}

fn constant(pool: &Pool, index: u16) -> Told {
    let told = match *pool.get(index) {
        Constant::Integer(value) => Some(Told::Number {
            value: value.into(),
            wide: false,
        }),
        Constant::Long(value) => Some(Told::Number { value, wide: true }),
        Constant::String(text) => pool.utf8(text).map(|text| Told::Text(Text::of(text))),
        Constant::Class(_) => pool.class(index).map(|name| Told::Class(dotted(name))),
        Constant::MethodType(descriptor) => pool.utf8(descriptor).map(|d| Told::Type(d.to_owned())),
        Constant::MethodHandle(kind, of) => HandleKind::of(kind)
            .zip(member(pool, of))
            .map(|(kind, member)| Told::Handle { kind, member }),
        _ => None,
    };
    told.unwrap_or(Told::Other)
}

#[cfg(test)]
mod tests {
    use super::*;
    use locklens_trace::code::MemberRef;

    /// 1: `p/C`, 2: class, 3: `n`, 4: `()V`, 5: n()V, 6: method, 7: static handle of it, 8: type of
    /// it, 9: string `n`, 10: call site of bootstrap method 1, 11: `boot`, 12 and 13: its method, 14:
    /// its handle.
    fn pool() -> Pool {
        let mut bytes = vec![1, 0, 3];
        bytes.extend(b"p/C");
        bytes.extend([7, 0, 1, 1, 0, 1, b'n', 1, 0, 3]);
        bytes.extend(b"()V");
        bytes.extend([12, 0, 3, 0, 4, 10, 0, 2, 0, 5, 15, 6, 0, 6, 16, 0, 4]);
        bytes.extend([8, 0, 3, 18, 0, 1, 0, 5, 1, 0, 4]);
        bytes.extend(b"boot");
        bytes.extend([12, 0, 11, 0, 4, 10, 0, 2, 0, 12, 15, 6, 0, 13]);
        Pool::parse(15, &bytes).expect("well-formed")
    }

    /// Two bootstrap methods: one given a text, one a type and a handle.
    fn table() -> Table {
        Table(vec![4, 0, 7, 0, 14, 1, 9, 14, 2, 8, 7])
    }

    #[test]
    fn a_site_is_linked_by_its_bootstrap_method() {
        let sites = table().sites(&[0x00, 0xba, 0, 10, 0, 0, 0xb1], &pool());
        let member = MemberRef {
            class: "p.C".into(),
            name: "n".into(),
            descriptor: "()V".into(),
        };
        let kind = HandleKind::InvokeStatic;
        let bootstrap = Bootstrap {
            class: "p.C".into(),
            name: "boot".into(),
            arguments: vec![Told::Type("()V".into()), Told::Handle { kind, member }],
        };
        assert_eq!(sites, [CallSite { bci: 1, bootstrap }]);
        let first = table().bootstrap(0, &pool()).expect("the first");
        assert_eq!(first.arguments, [Told::Text(Text::of("n"))]);
    }

    #[test]
    fn what_does_not_fit_the_constants_is_not_believed() {
        assert!(table().is_sound(&pool()));
        let changed = |at: usize, number| {
            let mut table = table();
            table.0[at] = number;
            table.is_sound(&pool())
        };
        // Another count, a place outside, not a handle, more arguments than there are, not loadable.
        for (at, number) in [(0, 0), (0, 6), (2, 3), (2, 11), (4, 8), (8, 3), (9, 5)] {
            assert!(!changed(at, number), "{number} at {at}");
        }
        assert!(!Table(Vec::new()).is_sound(&pool()));
    }
}
