//! Random programs behave as before, and their books balance.
//!
//! Each method is a random nest of regions, loops, exceptions, returns, waits and notifies. What it
//! does is decided at run time by a counter that both runs share, and summed up. Fuel ends it.

mod jvm;

use jvm::{Scratch, compile, jdks, rewrite_all, succeed};
use locklens_rewrite::Plan;
use locklens_rewrite::plan::Probes;
use std::fmt::Write as _;
use std::fs;

/// A small generator of numbers (xorshift), so that a seed names a program.
struct Dice(u64);

impl Dice {
    fn below(&mut self, limit: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % limit
    }
}

/// Writes the body of a method.
struct Body {
    dice: Dice,
    text: String,
    names: u32,
    loops: u32,
    locks: Vec<&'static str>,
}

impl Body {
    fn block(&mut self, depth: u32) {
        for _ in 0..1 + self.dice.below(2) {
            self.statement(depth);
        }
    }

    fn statement(&mut self, depth: u32) {
        if depth == 0 {
            return self.leaf();
        }
        match self.dice.below(10) {
            0..=3 => self.region(depth),
            4 => self.nest("if (next(2) == 0) {", depth, "} else next(1);"),
            5 => self.counted(depth),
            6 => self.nest(
                "try {",
                depth,
                "} catch (IllegalStateException caught) { sum(5); }",
            ),
            7 => {
                self.nest("try {", depth, "} finally {");
                // Compilers write it out for every way in: keep it short.
                self.leaf();
                self.text.push_str("}\n");
            }
            8 => self.nest(
                "switch (next(4)) { case 0: sum(1); case 2:",
                depth,
                "break; default: sum(7); }",
            ),
            _ => self.leaf(),
        }
    }

    fn nest(&mut self, open: &str, depth: u32, close: &str) {
        let _ = writeln!(self.text, "{open}");
        self.block(depth - 1);
        let _ = writeln!(self.text, "{close}");
    }

    fn region(&mut self, depth: u32) {
        let lock = ["a", "b", "c", "this"][self.dice.below(4) as usize];
        self.locks.push(lock);
        self.nest(&format!("synchronized ({lock}) {{"), depth, "}");
        self.locks.pop();
    }

    fn counted(&mut self, depth: u32) {
        let name = self.names;
        self.names += 1;
        self.loops += 1;
        self.nest(
            &format!("for (int i{name} = 0; i{name} < 3; i{name}++) {{"),
            depth,
            "}",
        );
        self.loops -= 1;
    }

    fn leaf(&mut self) {
        let lock = self.locks.last().copied();
        match (self.dice.below(9), lock) {
            (0, _) => self.text.push_str("if (next(5) == 0) return x;\n"),
            (1, _) => self
                .text
                .push_str("if (next(4) == 0) throw new IllegalStateException();\n"),
            (2, Some(lock)) => {
                let _ = writeln!(self.text, "{lock}.notifyAll();");
            }
            (3, Some(lock)) => {
                let _ = writeln!(self.text, "if (next(80) == 0) {lock}.wait(1);");
            }
            (4, _) if self.loops > 0 => self.text.push_str("if (next(3) == 0) continue;\n"),
            (5, _) if self.loops > 0 => self.text.push_str("if (next(3) == 0) break;\n"),
            (6, _) => self
                .text
                .push_str("{ long y = x; double z = y; x += (long) z & 3; sum((int) y); }\n"),
            (7, _) => {
                let called = self.dice.below(METHODS);
                let _ = writeln!(self.text, "x += m{called}(x);");
            }
            _ => self.text.push_str("sum(next(3));\n"),
        }
    }
}

const METHODS: u64 = 120;

/// A program of random methods.
fn program(seed: u64) -> String {
    let mut java = String::from(PRELUDE);
    for method in 0..METHODS {
        let mut body = Body {
            dice: Dice(seed.wrapping_mul(1_000_003) + method + 1),
            text: String::new(),
            names: 0,
            loops: 0,
            locks: Vec::new(),
        };
        body.block(5);
        let synchronized = if method % 3 == 0 { "synchronized " } else { "" };
        let _ = writeln!(
            java,
            "{synchronized}long m{method}(long x) throws InterruptedException {{"
        );
        let _ = writeln!(java, "next(1);\n{}\nreturn x + {method}; }}", body.text);
    }
    java.push_str("void all(int r) throws InterruptedException {\n");
    for method in 0..METHODS {
        let _ = writeln!(
            java,
            "fuel = 400; try {{ s += m{method}(r); }} catch (RuntimeException e) {{ sum(11); }}"
        );
    }
    java.push_str("}\n}\n");
    java
}

/// `next` decides, `sum` remembers; out of fuel everything ends by an exception.
const PRELUDE: &str = "\
public class Random {
    final Object a = new Object(), b = new Object(), c = new Object();
    int state = 12345, fuel;
    long s;
    int next(int n) {
        if (--fuel < 0) throw new IllegalArgumentException();
        state = state * 1103515245 + 12345;
        return (state >>> 8) % n;
    }
    void sum(int n) { s = s * 31 + n; }
    public static void main(String[] args) throws Exception {
        Random random = new Random();
        for (int round = 0; round < 25; round++) random.all(round);
        System.out.println(random.s);
        System.out.println(probe.Probe.balanced());
    }
";

#[test]
fn random_programs_do_what_they_did() {
    let seed = 20_240_607;
    let plain = Plan::everything("probe/Probe");
    let mut hashed = plain.clone();
    hashed.probes = Probes::of_class("probe/Probe").with_identity_hash();
    for (at, jdk) in jdks().into_iter().enumerate() {
        for plan in [&plain, &hashed] {
            let scratch = Scratch::new();
            compile::<&str>(&jdk, &[], &["probe/Probe.java"], scratch.dir());
            let file = scratch.join("Random.java");
            fs::write(&file, program(seed + at as u64)).expect("writable");
            let mut javac = jdk.tool("javac");
            javac
                .args(["-nowarn", "-cp"])
                .arg(scratch.dir())
                .arg("-d")
                .arg(scratch.dir());
            succeed(javac.arg(&file));
            let go = || succeed(jdk.java().arg("-cp").arg(scratch.dir()).arg("Random"));
            let before = go();
            assert!(rewrite_all(scratch.dir(), plan) > 1000);
            let after = go();
            let (sum, none) = before.split_once('\n').expect("two lines");
            let (same, balance) = after.split_once('\n').expect("two lines");
            assert_eq!((sum, none), (same, "0 events, balanced\n"), "{jdk:?}");
            assert!(
                balance.ends_with(" events, balanced\n"),
                "{jdk:?} {balance}"
            );
            let events: u64 = balance
                .split(' ')
                .next()
                .and_then(|n| n.parse().ok())
                .expect("a number");
            assert!(events > 10_000, "{jdk:?} {balance}");
        }
    }
}
