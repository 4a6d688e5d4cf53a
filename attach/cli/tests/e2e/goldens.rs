//! Pictures of the page as they were looked at and found good, beside the page as it is now.
//!
//! They are of a recording that is made up here, so that they stay the same. A picture differs if too many of its cells (10 by
//! 10 pixels) have another colour on the average: that forgives another font and the smoothing of edges, but no bar in another
//! place or colour. What is different on purpose is blessed by `LOCKLENS_BLESS=1 cargo test -p locklens --test e2e goldens`,
//! looked at (`tests/e2e/goldens/*.png`) and committed. A picture that differs is left beside the temporary files, and named.

use crate::browser::{Page, browser};
use crate::html::page_of;
use crate::rig::scratch;
use locklens_trace::chunk;
use locklens_trace::juc::{Act, Operation, Outcome};
use locklens_trace::park::{Park, ParkEnd, Unpark};
use locklens_trace::parked::{SyncDef, SyncKind};
use locklens_trace::record::{
    ClassDef, End, EndReason, Frame, LockDef, LockObject, MethodDef, StackDef, ThreadDef,
    target_key,
};
use locklens_trace::{
    ClassId, Event, EventKind, LockId, MethodId, Nanos, Owner, Record, StackId, ThreadId,
};
use serde_json::json;
use std::fs;
use std::path::{Path, PathBuf};

/// Another colour than it was by so much of 255, in one channel at least.
const FAR: f64 = 30.0;
/// So many cells of all may be another colour.
const FEW: f64 = 0.01;

const LOCKS: [(&str, &str); 4] = [
    ("shop.Ledger", "book"),
    ("shop.Shelf", "take"),
    ("shop.Order", "await"),
    ("java.util.concurrent.Semaphore$NonfairSync", "acquire"),
];
const THREADS: u32 = 8;
pub(crate) const MS: u64 = 1_000_000;

pub(crate) fn definitions() -> Vec<Record> {
    let facts = [
        (target_key::MAIN, "shop.Main"),
        (target_key::EXACT, "true"),
        (target_key::EXACT_SINCE, "0"),
        (target_key::PARKS_SINCE, "0"),
    ];
    let facts = facts.map(|(key, value)| (key.to_owned(), value.to_owned()));
    let mut records = vec![Record::Target(facts.into())];
    for (id, (class, method)) in (1..).zip(LOCKS) {
        records.extend([
            Record::Class(ClassDef {
                id: ClassId(id),
                loader: None,
                name: class.into(),
                super_name: Some("java.lang.Object".into()),
                interfaces: Vec::new(),
                flags: 0x20,
                source_file: None,
            }),
            Record::Method(MethodDef {
                id: MethodId(id),
                class: ClassId(id),
                name: method.into(),
                descriptor: "()V".into(),
                flags: 0x21,
                lines: Vec::new(),
            }),
            Record::Stack(StackDef {
                id: StackId(id),
                frames: vec![Frame {
                    method: MethodId(id),
                    bci: Some(0),
                }],
                cut: false,
            }),
            Record::Lock(LockDef {
                id: LockId(id),
                class: ClassId(id),
                hash: id as i32,
                object: LockObject::Plain,
            }),
        ]);
    }
    records.push(Record::Sync(SyncDef {
        lock: LockId(4),
        kind: SyncKind::Synchronizer,
        of: None,
        shared: true,
        most: 1,
        state: None,
    }));
    records.extend((1..=THREADS).map(|id| {
        Record::Thread(ThreadDef {
            id: ThreadId(id),
            tid: id.into(),
            name: format!("worker-{id}"),
            group: Some("main".into()),
            daemon: false,
            is_virtual: false,
            at_start: true,
        })
    }));
    records
}

/// Records as they happen, to be told in the order of time.
pub(crate) struct Story(pub(crate) Vec<(u64, Record)>);

impl Story {
    fn event(&mut self, at: u64, thread: u32, kind: EventKind, lock: u32, owner: Owner) {
        let event = Event {
            at: Nanos(at),
            thread: ThreadId(thread),
            kind,
            lock: Some(LockId(lock)),
            stack: Some(StackId(lock)),
            owner,
            seq: None,
        };
        self.0.push((at, Record::Event(event)));
    }

    pub(crate) fn held(&mut self, thread: u32, lock: u32, from: u64, to: u64) {
        self.event(from, thread, EventKind::Entered, lock, Owner::Unknown);
        self.event(to, thread, EventKind::Exit, lock, Owner::Unknown);
    }

    pub(crate) fn blocked(&mut self, thread: u32, lock: u32, owner: u32, from: u64) {
        let owner = Owner::Thread(ThreadId(owner));
        self.event(from, thread, EventKind::Enter, lock, owner);
    }

    /// One has the ledger, and the shelf inside it; another is blocked on it, and has it next. Every tenth time the shelf is
    /// taken first.
    fn books(&mut self, step: u64, at: u64) {
        let (one, other) = (step as u32 % 3 + 1, (step as u32 + 1) % 3 + 1);
        let long = (1 + step * step % 7) * MS;
        let (outer, inner) = if step % 10 == 9 { (2, 1) } else { (1, 2) };
        self.held(one, outer, at, at + long);
        self.held(one, inner, at + long / 4, at + long / 2);
        self.blocked(other, outer, one, at + long / 3);
        self.held(other, outer, at + long + 20_000, at + long + MS);
    }

    /// One waits until another notifies it.
    fn orders(&mut self, at: u64) {
        let (waits, notifies) = (5, 4);
        let none = Owner::Unknown;
        self.event(at, waits, EventKind::Entered, 3, none);
        let wait = EventKind::Wait { timeout: None };
        self.event(at + 50_000, waits, wait, 3, none);
        self.event(at + 5 * MS, notifies, EventKind::Entered, 3, none);
        self.event(at + 5 * MS + 10_000, notifies, EventKind::Notify, 3, none);
        self.event(at + 5 * MS + 20_000, notifies, EventKind::Exit, 3, none);
        let waited = EventKind::Waited { timed_out: false };
        self.event(at + 5 * MS + 60_000, waits, waited, 3, none);
        self.event(at + 5 * MS + 70_000, waits, EventKind::Resumed, 3, none);
        self.event(at + 6 * MS, waits, EventKind::Exit, 3, none);
    }

    pub(crate) fn operation(&mut self, at: u64, thread: u32, act: Act) {
        let operation = Operation {
            at: Nanos(at),
            thread: ThreadId(thread),
            lock: LockId(4),
            act,
            outcome: Outcome::Done,
            count: 1,
            tries: false,
            stack: Some(StackId(4)),
        };
        self.0.push((at, Record::Operation(operation)));
    }

    /// Two have a permit each; a third is parked until the first gives its own back.
    fn permits(&mut self, at: u64) {
        for (thread, from, to) in [
            (6, 0, 4 * MS),
            (7, MS, 7 * MS),
            (8, 4 * MS + 30_000, 9 * MS),
        ] {
            self.operation(at + from, thread, Act::Share);
            self.operation(at + to, thread, Act::Unshare);
        }
        let park = Park {
            stack: None,
            thread: ThreadId(8),
            lock: Some(LockId(4)),
            from: Nanos(at + 2 * MS),
            to: Nanos(at + 4 * MS + 20_000),
            limit: None,
            end: ParkEnd::Unparked,
            unpark: Some(Unpark {
                stack: None,
                by: ThreadId(6),
                at: Nanos(at + 4 * MS + 10_000),
            }),
        };
        self.0.push((at + 4 * MS + 20_000, Record::Park(park)));
    }

    /// The trace that tells it after these definitions, and ends then.
    pub(crate) fn told(mut self, definitions: Vec<Record>, end: u64) -> Vec<u8> {
        self.0.sort_by_key(|(at, _)| *at);
        let mut records = definitions;
        records.extend(self.0.into_iter().map(|(_, record)| record));
        records.push(Record::End(End {
            at: Nanos(end),
            reason: EndReason::Stopped,
        }));
        let mut bytes = chunk::file_header_with(chunk::feature::PACKED).to_vec();
        bytes.extend(chunk::pack(records.iter()));
        bytes
    }
}

/// Two seconds, the second of them quieter.
fn trace() -> Vec<u8> {
    let mut story = Story(Vec::new());
    for step in 0..150 {
        let at = step * 10 * MS + step.saturating_sub(100) * 10 * MS;
        story.books(step, at);
        story.orders(at + MS);
        story.permits(at);
    }
    story.told(definitions(), 2000 * MS)
}

/// Has the browser hold two pictures against each other: the share of cells that differ, or more than all where sizes do.
const JUDGE: &str = r"
async function judge(one, other) {
  const pixels = async (text) => {
    const picture = await createImageBitmap(new Blob([Uint8Array.from(atob(text), (c) => c.charCodeAt(0))], { type: 'image/png' }));
    const pen = new OffscreenCanvas(picture.width, picture.height).getContext('2d');
    pen.drawImage(picture, 0, 0);
    return pen.getImageData(0, 0, picture.width, picture.height);
  };
  const [a, b] = [await pixels(one), await pixels(other)];
  if (a.width !== b.width || a.height !== b.height) return 2;
  const CELL = 10, mean = ({ data, width, height }, x, y, part) => {
    let sum = 0, n = 0;
    for (let i = x; i < Math.min(width, x + CELL); i++) for (let j = y; j < Math.min(height, y + CELL); j++, n++) sum += data[(j * width + i) * 4 + part];
    return sum / n;
  };
  let cells = 0, off = 0;
  for (let x = 0; x < a.width; x += CELL) for (let y = 0; y < a.height; y += CELL, cells++) {
    if ([0, 1, 2].some((part) => Math.abs(mean(a, x, y, part) - mean(b, x, y, part)) > FAR)) off++;
  }
  return off / cells;
}";

/// How much of two pictures differs.
fn difference(page: &mut Page, one: &str, other: &str) -> f64 {
    let judge = JUDGE.replace("FAR", &FAR.to_string());
    page.value(&format!(
        "window.judged = undefined; ({judge})('{one}', '{other}').then((off) => {{ window.judged = off; }}, (error) => {{ window.judged = String(error); }}); 0"
    ));
    page.waits_for("window.judged !== undefined");
    let judged = page.value("window.judged");
    judged.as_f64().unwrap_or_else(|| panic!("{judged}"))
}

/// The part of the page that an expression has as [left, top, right, bottom], as a PNG in base64.
fn picture(page: &mut Page, part: &str) -> String {
    // What is asked for is drawn in the next frame but one at the latest. A picture of more than the window is taken from the top.
    page.value("scrollTo({ top: 0, behavior: 'instant' }); window.drawn = false; requestAnimationFrame(() => requestAnimationFrame(() => { window.drawn = true; })); 0");
    page.waits_for("window.drawn");
    let corners = page.value(part);
    let at = |side: usize| corners[side].as_f64().unwrap().round();
    let clip = json!({"x": at(0), "y": at(1), "width": at(2) - at(0), "height": at(3) - at(1), "scale": 1});
    let asked = json!({"format": "png", "clip": clip, "captureBeyondViewport": true});
    let shot = page.call("Page.captureScreenshot", asked);
    shot["data"].as_str().unwrap().to_owned()
}

fn golden(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/e2e/goldens");
    folder.join(format!("{name}.png"))
}

/// In base64, as the browser takes it.
fn encoded(bytes: &[u8]) -> String {
    const SIGNS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::new();
    for three in bytes.chunks(3) {
        let part = |at: usize| u32::from(three.get(at).copied().unwrap_or(0));
        let all = part(0) << 16 | part(1) << 8 | part(2);
        for sign in 0..4 {
            let six = all >> (18 - 6 * sign) & 63;
            let is_there = sign <= three.len();
            text.push(if is_there {
                char::from(SIGNS[six as usize])
            } else {
                '='
            });
        }
    }
    text
}

fn decoded(text: &str) -> Vec<u8> {
    let six = |sign: u8| match sign {
        b'A'..=b'Z' => sign - b'A',
        b'a'..=b'z' => sign - b'a' + 26,
        b'0'..=b'9' => sign - b'0' + 52,
        b'+' => 62,
        _ => 63,
    };
    let signs: Vec<u8> = text.bytes().filter(|&sign| sign != b'=').collect();
    let bytes = signs.chunks(4).flat_map(|four| {
        let all = { four.iter().enumerate() }.fold(0_u32, |all, (at, &sign)| {
            all | u32::from(six(sign)) << (18 - 6 * at)
        });
        let [_, bytes @ ..] = all.to_be_bytes();
        bytes.into_iter().take(four.len() - 1)
    });
    bytes.collect()
}

/// Holds a part of the page against its picture, or makes that its picture.
fn is_as_it_was(page: &mut Page, name: &str, part: &str) {
    let (now, path) = (picture(page, part), golden(name));
    if std::env::var_os("LOCKLENS_BLESS").is_some() {
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        return fs::write(path, decoded(&now)).unwrap();
    }
    let before = encoded(&fs::read(&path).unwrap());
    let off = difference(page, &before, &now);
    if off > FEW {
        let left = scratch(&format!("{name}.png"));
        fs::write(&left, decoded(&now)).unwrap();
        let (now, share) = (left.display(), off * 100.0);
        panic!(
            "{name}: {share:.1} % of it is not as in {}: {now}",
            path.display()
        );
    }
}

/// Left of it are names, in whatever font there is.
const TIMELINES: &str = "(() => { const [a, b] = ['overview', 'locks-box'].map((id) => byId(id).getBoundingClientRect()); \
     return [a.left + GUTTER, a.top + scrollY, a.left + paneWidth(), b.bottom + scrollY]; })()";

/// A page whose parts are as large as they are in the pictures, whatever the font.
fn opened(browser: &Path, file: &Path) -> Page {
    let mut page = Page::open(browser, file, "");
    let size = json!({"width": 1000, "height": 1400, "deviceScaleFactor": 1, "mobile": false});
    page.call("Emulation.setDeviceMetricsOverride", size);
    page.waits_for("innerWidth === 1000");
    // They take their room where the page is higher than the window, which is a matter of fonts.
    page.call("Emulation.setScrollbarsHidden", json!({"hidden": true}));
    page.value(
        "room.divided = true; for (const [id, high] of [['threads-box', 180], ['locks-box', 188]]) byId(id).style.flex = `0 0 ${high}px`; drawAll(); 0",
    );
    page.waits_for("paneWidth() > 900");
    page
}

fn in_scheme(page: &mut Page, scheme: &str) {
    let features = json!({"features": [{"name": "prefers-color-scheme", "value": scheme}]});
    page.call("Emulation.setEmulatedMedia", features);
    page.waits_for(&format!(
        "matchMedia('(prefers-color-scheme: {scheme})').matches"
    ));
    page.waits_for(
        "colours.back === getComputedStyle(document.documentElement).getPropertyValue('--back').trim()",
    );
}

#[test]
fn pictures_are_as_they_were_when_somebody_looked_at_them() {
    let Some(browser) = browser() else { return };
    let file = scratch("goldens.llt");
    fs::write(&file, trace()).unwrap();
    let html = page_of(&file);
    let mut page = opened(&browser, &html);
    in_scheme(&mut page, "light");
    is_as_it_was(&mut page, "whole", TIMELINES);
    let whole = picture(&mut page, TIMELINES);
    page.value("view.show(300e6, 340e6)");
    is_as_it_was(&mut page, "near", TIMELINES);
    let near = picture(&mut page, TIMELINES);
    in_scheme(&mut page, "dark");
    is_as_it_was(&mut page, "near-dark", TIMELINES);
    let dark = picture(&mut page, TIMELINES);
    in_scheme(&mut page, "light");
    page.value("view.show(0, END); view.choose(0)");
    is_as_it_was(&mut page, "selected", TIMELINES);
    // The judge does not take everything for the same.
    for (one, other) in [(&whole, &near), (&near, &dark)] {
        assert!(difference(&mut page, one, other) > 10.0 * FEW);
    }
    assert!(difference(&mut page, &near, &near) <= 0.0);
    let swapped = "document.documentElement.style.setProperty('--waiting', '#009e73'); readColours(); view.show(300e6, 340e6)";
    page.value(swapped);
    let swapped = picture(&mut page, TIMELINES);
    assert!(difference(&mut page, &near, &swapped) > FEW);
    page.was_quiet();
    fs::remove_file(file).unwrap();
    fs::remove_file(html).unwrap();
}
