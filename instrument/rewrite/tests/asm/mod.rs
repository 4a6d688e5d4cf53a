//! A small assembler: classes with exactly the bytes a test wants, and listings of what became of
//! them.
#![allow(dead_code, reason = "each test uses a part of it")]

use locklens_classfile::class::ClassFile;
use locklens_classfile::code::{Operand, instructions};
use std::fmt::Write as _;

/// A class under construction. Constants are numbered from 1 in the order in which they are added.
pub(crate) struct ClassText {
    pub(crate) major: u16,
    pool: Vec<u8>,
    count: u16,
    methods: Vec<u8>,
    method_count: u16,
    this: u16,
}

impl ClassText {
    /// A class `T`.
    pub(crate) fn new(major: u16) -> Self {
        Self::called("T", major)
    }

    /// A class of this name.
    pub(crate) fn called(name: &str, major: u16) -> Self {
        let mut class = Self {
            major,
            pool: Vec::new(),
            count: 1,
            methods: Vec::new(),
            method_count: 0,
            this: 0,
        };
        class.this = class.class(name);
        class
    }

    pub(crate) fn utf8(&mut self, text: &str) -> u16 {
        self.pool.push(1);
        self.pool.extend((text.len() as u16).to_be_bytes());
        self.pool.extend(text.bytes());
        self.next()
    }

    pub(crate) fn class(&mut self, name: &str) -> u16 {
        let name = self.utf8(name);
        self.pair(7, &[name])
    }

    pub(crate) fn method_ref(&mut self, class: &str, name: &str, descriptor: &str) -> u16 {
        let class = self.class(class);
        let (name, descriptor) = (self.utf8(name), self.utf8(descriptor));
        let rest = self.pair(12, &[name, descriptor]);
        self.pair(10, &[class, rest])
    }

    pub(crate) fn field_ref(&mut self, class: &str, name: &str, descriptor: &str) -> u16 {
        let class = self.class(class);
        let (name, descriptor) = (self.utf8(name), self.utf8(descriptor));
        let rest = self.pair(12, &[name, descriptor]);
        self.pair(9, &[class, rest])
    }

    pub(crate) fn integers(&mut self, count: u16) {
        for value in 0..count {
            self.pair(3, &[0x7777, value]);
        }
    }

    fn pair(&mut self, tag: u8, parts: &[u16]) -> u16 {
        self.pool.push(tag);
        parts
            .iter()
            .for_each(|part| self.pool.extend(part.to_be_bytes()));
        self.next()
    }

    fn next(&mut self) -> u16 {
        self.count += 1;
        self.count - 1
    }

    /// Adds a method: flags, name, descriptor, code, handlers (start, end, target), attributes of
    /// the code by name.
    pub(crate) fn method(
        &mut self,
        flags: u16,
        name: &str,
        descriptor: &str,
        code: &[u8],
        handlers: &[[u16; 3]],
        attributes: &[(&str, &[u8])],
    ) {
        let mut body = vec![0, 9, 0, 9];
        body.extend((code.len() as u32).to_be_bytes());
        body.extend(code);
        body.extend((handlers.len() as u16).to_be_bytes());
        for [start, end, target] in handlers {
            [*start, *end, *target, 0]
                .iter()
                .for_each(|n| body.extend(n.to_be_bytes()));
        }
        body.extend((attributes.len() as u16).to_be_bytes());
        for (name, bytes) in attributes {
            body.extend(self.utf8(name).to_be_bytes());
            body.extend((bytes.len() as u32).to_be_bytes());
            body.extend(*bytes);
        }
        let head = [
            flags,
            self.utf8(name),
            self.utf8(descriptor),
            1,
            self.utf8("Code"),
        ];
        head.iter()
            .for_each(|n| self.methods.extend(n.to_be_bytes()));
        self.methods.extend((body.len() as u32).to_be_bytes());
        self.methods.extend(body);
        self.method_count += 1;
    }

    pub(crate) fn bytes(&self) -> Vec<u8> {
        let mut out = vec![0xca, 0xfe, 0xba, 0xbe, 0, 0];
        out.extend(self.major.to_be_bytes());
        out.extend(self.count.to_be_bytes());
        out.extend(&self.pool);
        for number in [0x21, self.this, self.this, 0, 0, self.method_count] {
            out.extend(number.to_be_bytes());
        }
        out.extend(&self.methods);
        out.extend([0, 0]);
        out
    }
}

/// The code of one method as text: bci, opcode, operand by name; then its handlers.
pub(crate) fn listing(bytes: &[u8], method: usize) -> String {
    let class = ClassFile::parse(bytes).expect("a class");
    let code = class.code(&class.methods[method]).expect("code");
    let mut text = String::new();
    for insn in instructions(code.bytes) {
        let insn = insn.expect("well-formed");
        let operand = match &insn.operand {
            Operand::None => String::new(),
            Operand::Pool(index) => match class.pool.member(*index) {
                Some(m) => format!("{}{}", m.name, m.descriptor.replace("java/lang/", "")),
                None => class
                    .pool
                    .class(*index)
                    .map_or(format!("#{index}"), str::to_owned),
            },
            Operand::Local(slot) => slot.to_string(),
            Operand::Value(value) => value.to_string(),
            Operand::Branch(target) => format!("-> {target}"),
            other => format!("{other:?}"),
        };
        let line = format!("{} {} {operand}", insn.bci, mnemonic(insn.opcode));
        let _ = writeln!(text, "{}", line.trim_end());
    }
    for h in &code.handlers {
        let _ = write!(text, "    [{}, {}) -> {}", h.start, h.end, h.target);
        let caught = class.pool.class(h.catches).map(|name| format!(" {name}"));
        let _ = writeln!(text, "{}", caught.unwrap_or_default());
    }
    let _ = write!(
        text,
        "    stack {}, locals {}",
        code.max_stack, code.max_locals
    );
    text
}

fn mnemonic(opcode: u8) -> String {
    let known = [
        (0x00, "nop"),
        (0x01, "aconst_null"),
        (0x03, "iconst_0"),
        (0x04, "iconst_1"),
        (0x05, "iconst_2"),
        (0x06, "iconst_3"),
        (0x07, "iconst_4"),
        (0x09, "lconst_0"),
        (0x12, "ldc"),
        (0x15, "iload"),
        (0x1f, "lload_1"),
        (0x16, "lload"),
        (0x19, "aload"),
        (0x2a, "aload_0"),
        (0x2b, "aload_1"),
        (0x2c, "aload_2"),
        (0x36, "istore"),
        (0x37, "lstore"),
        (0x3a, "astore"),
        (0x4c, "astore_1"),
        (0x4d, "astore_2"),
        (0x57, "pop"),
        (0x59, "dup"),
        (0xa7, "goto"),
        (0xac, "ireturn"),
        (0xb1, "return"),
        (0xb6, "invokevirtual"),
        (0xb8, "invokestatic"),
        (0xbf, "athrow"),
        (0xc6, "ifnull"),
        (0xc2, "monitorenter"),
        (0xc3, "monitorexit"),
        (0xc8, "goto_w"),
    ];
    let name = known.iter().find(|(code, _)| *code == opcode);
    name.map_or_else(|| format!("{opcode:#04x}"), |(_, name)| (*name).to_owned())
}
