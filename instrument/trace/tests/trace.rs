//! What is written is read back; what is damaged costs only what it hits.

use locklens_trace::access::{Access, Phase};
use locklens_trace::chunk::{self, Encoder};
use locklens_trace::code::{
    Bootstrap, CallSite, Code, Cond, Constant, Conversion, HandleKind, Handler, Insn, InvokeKind,
    MemberRef, Op, Text,
};
use locklens_trace::held::Held;
use locklens_trace::ids::{ClassId, LoaderId, LockId, MethodId, Nanos, StackId, ThreadId};
use locklens_trace::juc::{self, Operation, Outcome};
use locklens_trace::kin::{Kin, Tie};
use locklens_trace::looks::{Look, Sighting, ThreadState};
use locklens_trace::park::{Park, ParkEnd, Unpark};
use locklens_trace::parked::{Parked, StateSeen, SyncDef, SyncKind};
use locklens_trace::read::{GapCause, Item, OpenError, Reader};
use locklens_trace::record::{
    ClassDef, End, EndReason, Event, EventKind, FieldValue, FieldsDef, Frame, Hidden, LoaderDef,
    LockDef, LockObject, LossCause, Lost, MethodDef, Owner, Reading, Record, StackDef,
    StandingStill, ThreadDef, Tick,
};
use proptest::prelude::*;

fn event() -> impl Strategy<Value = Record> {
    let kind = prop_oneof![
        Just(EventKind::Enter),
        Just(EventKind::Entered),
        proptest::option::of(0..u64::MAX / 4).prop_map(|t| EventKind::Wait {
            timeout: t.map(Nanos)
        }),
        prop_oneof![0..1_000_000u64, Just(u64::MAX)].prop_map(|ms| EventKind::Wait {
            timeout: Some(Nanos::from_millis(ms))
        }),
        any::<bool>().prop_map(|timed_out| EventKind::Waited { timed_out }),
        Just(EventKind::ThreadStart),
        Just(EventKind::ThreadEnd),
        Just(EventKind::Resumed),
        Just(EventKind::Interrupted),
        Just(EventKind::Exit),
        Just(EventKind::Notify),
        Just(EventKind::NotifyAll),
    ];
    let owner = prop_oneof![
        Just(Owner::Unknown),
        Just(Owner::Nobody),
        any::<u32>().prop_map(|t| Owner::Thread(ThreadId(t))),
    ];
    let some = (
        any::<u64>(),
        any::<u32>(),
        proptest::option::of(1..u32::MAX),
    );
    let more = (
        proptest::option::of(any::<u32>()),
        proptest::option::of(any::<u32>()),
    );
    (kind, owner, some, more).prop_map(|(kind, owner, (at, thread, lock), (stack, seq))| {
        Record::Event(Event {
            at: Nanos(at),
            thread: ThreadId(thread),
            kind,
            lock: lock.map(LockId),
            stack: stack.map(StackId),
            owner: if kind == EventKind::Enter {
                owner
            } else {
                Owner::Unknown
            },
            seq,
        })
    })
}

fn definition() -> impl Strategy<Value = Record> {
    let text = || "\\PC{0,12}";
    prop_oneof![
        (any::<u32>(), text()).prop_map(|(id, class_name)| Record::Loader(LoaderDef {
            id: LoaderId(id),
            class_name
        })),
        (
            any::<u32>(),
            any::<u32>(),
            text(),
            proptest::option::of(text()),
            proptest::collection::vec(text(), 0..3)
        )
            .prop_map(|(id, loader, name, super_name, interfaces)| Record::Class(
                ClassDef {
                    id: ClassId(id),
                    loader: (loader % 2 == 0).then_some(LoaderId(loader)),
                    name,
                    source_file: super_name.clone(),
                    super_name,
                    interfaces,
                    flags: loader,
                }
            )),
        (
            any::<u32>(),
            text(),
            text(),
            proptest::collection::vec(any::<(u16, u16)>(), 0..9)
        )
            .prop_map(|(id, name, descriptor, lines)| Record::Method(MethodDef {
                id: MethodId(id),
                class: ClassId(id ^ 5),
                name,
                descriptor,
                flags: id,
                lines,
            })),
        (
            any::<u32>(),
            any::<bool>(),
            proptest::collection::vec((any::<u32>(), proptest::option::of(any::<u16>())), 0..9)
        )
            .prop_map(|(id, cut, frames)| Record::Stack(StackDef {
                id: StackId(id),
                cut,
                frames: frames
                    .into_iter()
                    .map(|(m, bci)| Frame {
                        method: MethodId(m),
                        bci
                    })
                    .collect(),
            })),
        (any::<u32>(), any::<i32>(), 0..3u8).prop_map(|(id, hash, what)| Record::Lock(LockDef {
            id: LockId(id),
            class: ClassId(id / 3),
            hash,
            object: match what {
                0 => LockObject::Plain,
                1 => LockObject::Thread(ThreadId(id)),
                _ => LockObject::ClassMirror(ClassId(id)),
            },
        })),
        (
            any::<u32>(),
            any::<u64>(),
            text(),
            proptest::option::of(text()),
            any::<[bool; 3]>()
        )
            .prop_map(|(id, tid, name, group, [daemon, is_virtual, at_start])| {
                Record::Thread(ThreadDef {
                    id: ThreadId(id),
                    tid,
                    name,
                    group,
                    daemon,
                    is_virtual,
                    at_start,
                })
            }),
        any::<(u64, u64, u64)>().prop_map(|(from, to, count)| Record::Lost(Lost {
            from: Nanos(from),
            to: Nanos(to),
            count,
            cause: [
                LossCause::BufferFull,
                LossCause::TableFull,
                LossCause::StackBudget,
                LossCause::Unidentified,
                LossCause::Paused
            ][(count % 5) as usize],
        })),
        (text(), any::<u64>()).prop_map(|(name, events)| Record::Hidden(Hidden { name, events })),
        any::<(u64, u64)>().prop_map(|(at, cpu)| Record::Tick(Tick {
            at: Nanos(at),
            agent_cpu: Nanos(cpu)
        })),
        any::<(u64, bool)>().prop_map(|(at, stopped)| Record::End(End {
            at: Nanos(at),
            reason: if stopped {
                EndReason::Stopped
            } else {
                EndReason::VmDeath
            },
        })),
        proptest::collection::vec((text(), text()), 0..4).prop_map(Record::Target),
        code().prop_map(Record::Code),
        (
            any::<u32>(),
            proptest::collection::vec((text(), any::<i64>()), 0..4)
        )
            .prop_map(|(lock, values)| {
                let value = |(name, value): (String, i64)| FieldValue {
                    class: "a.B".to_owned(),
                    name,
                    reading: match u32::try_from(value) {
                        Ok(len) => Reading::ArrayLength(len),
                        Err(_) => Reading::Number(value),
                    },
                };
                Record::Fields(FieldsDef {
                    lock: LockId(lock),
                    values: values.into_iter().map(value).collect(),
                })
            }),
        sync(),
        parked(),
        park(),
        operation(),
        access(),
        sighting(),
        any::<(u64, u32)>().prop_map(|(at, untold)| Record::Look(Look {
            at: Nanos(at),
            untold
        })),
        held(),
        kin(),
    ]
}

fn kin() -> impl Strategy<Value = Record> {
    let ties = prop_oneof![
        Just(Tie::Starts),
        Just(Tie::Joined),
        Just(Tie::JoinedInTime)
    ];
    (any::<(u64, u32, u32)>(), ties).prop_map(|((at, thread, other), tie)| {
        Record::Kin(Kin {
            at: Nanos(at),
            thread: ThreadId(thread),
            other: ThreadId(other),
            tie,
        })
    })
}

fn held() -> impl Strategy<Value = Record> {
    let stack = proptest::option::of(any::<u32>().prop_map(StackId));
    (any::<[u32; 4]>(), any::<[u64; 2]>(), stack).prop_map(
        |([lock, waiter, blocked, owner], [at, time], stack)| {
            Record::Held(Held {
                at: Nanos(at),
                lock: LockId(lock),
                waiter: ThreadId(waiter),
                blocked,
                time: Nanos(time),
                owner: match owner % 3 {
                    0 => Owner::Unknown,
                    1 => Owner::Nobody,
                    _ => Owner::Thread(ThreadId(owner)),
                },
                stack,
            })
        },
    )
}

fn sync() -> impl Strategy<Value = Record> {
    let states = proptest::option::of(any::<(i64, i64)>());
    (
        any::<u32>(),
        proptest::option::of(any::<u32>()),
        any::<bool>(),
        states,
    )
        .prop_map(|(lock, of, shared, state)| {
            Record::Sync(SyncDef {
                lock: LockId(lock),
                kind: [SyncKind::Synchronizer, SyncKind::Condition, SyncKind::Other]
                    [(lock % 3) as usize],
                of: of.map(LockId),
                shared,
                most: lock / 7,
                state: state.map(|(low, high)| StateSeen { low, high }),
            })
        })
}

fn parked() -> impl Strategy<Value = Record> {
    let stack = || proptest::option::of(any::<u32>().prop_map(StackId));
    (
        any::<[u32; 4]>(),
        any::<[u64; 3]>(),
        stack(),
        stack(),
        any::<[bool; 3]>(),
    )
        .prop_map(
            |([thread, lock, owner, samples], [from, to, time], stack, owner_stack, flags)| {
                let [continues, open, timed] = flags;
                Record::Parked(Parked {
                    thread: ThreadId(thread),
                    lock: LockId(lock),
                    stack,
                    owner: match owner % 3 {
                        0 => Owner::Unknown,
                        1 => Owner::Nobody,
                        _ => Owner::Thread(ThreadId(owner)),
                    },
                    owner_stack,
                    from: Nanos(from),
                    to: Nanos(to),
                    samples,
                    time: Nanos(time),
                    continues,
                    open,
                    timed,
                })
            },
        )
}

fn sighting() -> impl Strategy<Value = Record> {
    const STATES: [Option<ThreadState>; 9] = [
        None,
        Some(ThreadState::Runnable),
        Some(ThreadState::Blocked),
        Some(ThreadState::Waiting),
        Some(ThreadState::WaitingTimed),
        Some(ThreadState::Parked),
        Some(ThreadState::ParkedTimed),
        Some(ThreadState::Sleeping),
        Some(ThreadState::Unknown),
    ];
    let number = || proptest::option::of(any::<u32>());
    (any::<u32>(), 0..STATES.len(), number(), number()).prop_map(|(thread, state, lock, stack)| {
        Record::Sighting(Sighting {
            thread: ThreadId(thread),
            state: STATES[state],
            lock: lock.map(LockId),
            stack: stack.map(StackId),
        })
    })
}

fn operation() -> impl Strategy<Value = Record> {
    let methods: Vec<_> = juc::methods().map(|(_, _, method)| method).collect();
    (
        any::<[u32; 3]>(),
        any::<u64>(),
        proptest::sample::select(methods),
        proptest::sample::select(vec![Outcome::Done, Outcome::Failed, Outcome::Threw]),
        proptest::option::of(any::<u32>()),
    )
        .prop_map(|([thread, lock, count], at, method, outcome, stack)| {
            Record::Operation(Operation {
                at: Nanos(at),
                thread: ThreadId(thread),
                lock: LockId(lock),
                act: method.told_after().unwrap_or(method.act),
                outcome,
                count,
                tries: method.tries(),
                stack: stack.map(StackId),
            })
        })
}

fn access() -> impl Strategy<Value = Record> {
    (
        any::<[u32; 2]>(),
        any::<u64>(),
        proptest::sample::select(Phase::ALL.to_vec()),
        any::<bool>(),
        any::<[Option<u32>; 2]>(),
    )
        .prop_map(|([thread, object], at, phase, late, [stack, value])| {
            Record::Access(Access {
                at: Nanos(at),
                thread: ThreadId(thread),
                phase,
                object,
                stack: stack.map(StackId),
                late,
                value,
            })
        })
}

fn park() -> impl Strategy<Value = Record> {
    const ENDS: [ParkEnd; 6] = [
        ParkEnd::Unparked,
        ParkEnd::TimedOut,
        ParkEnd::Interrupted,
        ParkEnd::Unknown,
        ParkEnd::Unseen,
        ParkEnd::Open,
    ];
    (
        any::<[u32; 2]>(),
        any::<[u64; 2]>(),
        proptest::option::of(any::<u32>()),
        proptest::option::of(any::<u64>()),
        proptest::option::of(any::<(u32, u64, Option<u32>)>()),
        proptest::option::of(any::<u32>()),
    )
        .prop_map(|([thread, end], [from, to], lock, limit, unpark, stack)| {
            Record::Park(Park {
                stack: stack.map(StackId),
                thread: ThreadId(thread),
                lock: lock.map(LockId),
                from: Nanos(from),
                to: Nanos(to),
                limit: limit.map(Nanos),
                end: ENDS[end as usize % ENDS.len()],
                unpark: unpark.map(|(by, at, stack)| Unpark {
                    stack: stack.map(StackId),
                    by: ThreadId(by),
                    at: Nanos(at),
                }),
            })
        })
}

fn code() -> impl Strategy<Value = Code> {
    let text = || "\\PC{0,80}";
    let member = || {
        ("[a-c]{1,2}", "[a-c]", "[()VI]{1,3}").prop_map(|(class, name, descriptor)| MemberRef {
            class,
            name,
            descriptor,
        })
    };
    let cond = || {
        (0..6usize).prop_map(|i| [Cond::Eq, Cond::Ne, Cond::Lt, Cond::Ge, Cond::Gt, Cond::Le][i])
    };
    let op = prop_oneof![
        any::<(i64, bool)>().prop_map(|(value, wide)| Op::Const { value, wide }),
        any::<(u16, bool)>().prop_map(|(slot, wide)| Op::Load { slot, wide }),
        any::<(u16, i16)>().prop_map(|(slot, delta)| Op::Iinc { slot, delta }),
        member().prop_map(Op::GetField),
        member().prop_map(Op::PutStatic),
        (cond(), any::<u16>()).prop_map(|(cond, target)| Op::If { cond, target }),
        (cond(), any::<u16>()).prop_map(|(cond, target)| Op::IfCmp { cond, target }),
        any::<(bool, u16)>().prop_map(|(null, target)| Op::IfNull { null, target }),
        any::<u16>().prop_map(Op::Goto),
        (
            proptest::collection::vec(any::<(i32, u16)>(), 0..4),
            any::<u16>()
        )
            .prop_map(|(cases, default)| Op::Switch { cases, default }),
        member().prop_map(|method| Op::Invoke {
            kind: InvokeKind::Virtual,
            method
        }),
        Just(Op::MonitorEnter),
        Just(Op::MonitorExit),
        Just(Op::Null),
        "[a-c]{1,3}".prop_map(Op::ClassLiteral),
        any::<bool>().prop_map(|value| Op::Return { value }),
        any::<(bool, bool, usize)>()
            .prop_map(|(from_wide, to_wide, how)| conversion(from_wide, to_wide, how)),
        any::<(bool, Option<bool>)>().prop_map(|(wide, greater)| Op::Compare {
            wide,
            unordered: greater.map(|g| if g { 1 } else { -1 }),
        }),
        any::<(f64, bool)>().prop_map(|(value, wide)| Op::Real {
            bits: value.to_bits(),
            wide
        }),
        text().prop_map(|text| Op::Text(Text::of(&text))),
    ];
    let handler = any::<(u16, u16, u16, bool)>().prop_map(|(start, end, target, any)| Handler {
        start,
        end,
        target,
        catches: any.then(|| "java.lang.Throwable".to_owned()),
    });
    let constant = prop_oneof![
        Just(Constant::Other),
        any::<(i64, bool)>().prop_map(|(value, wide)| Constant::Number { value, wide }),
        text().prop_map(|text| Constant::Text(Text::of(&text))),
        text().prop_map(Constant::Class),
        text().prop_map(Constant::Type),
        (0..9usize, member()).prop_map(|(kind, member)| Constant::Handle {
            kind: HandleKind::ALL[kind],
            member
        }),
    ];
    let constants = proptest::collection::vec(constant, 0..4);
    let site =
        (any::<u16>(), text(), text(), constants).prop_map(|(bci, class, name, arguments)| {
            let bootstrap = Bootstrap {
                class,
                name,
                arguments,
            };
            CallSite { bci, bootstrap }
        });
    (
        any::<u32>(),
        proptest::collection::vec((any::<u16>(), op), 0..12),
        proptest::option::of(proptest::collection::vec(handler, 0..3)),
        proptest::collection::vec(site, 0..3),
    )
        .prop_map(|(method, insns, handlers, sites)| Code {
            sites,
            method: MethodId(method),
            insns: insns
                .into_iter()
                .map(|(bci, op)| Insn { bci, op })
                .collect(),
            handlers,
        })
}

/// A conversion as new recordings have it, or as old ones do.
fn conversion(from_wide: bool, to_wide: bool, how: usize) -> Op {
    let how = Conversion::ALL.get(how % 16).copied();
    Op::Convert {
        from_wide: how.map_or(from_wide, Conversion::from_wide),
        to_wide: how.map_or(to_wide, Conversion::to_wide),
        how,
    }
}

/// A trace of the given chunks of records, which are plain, compressed and packed in turn.
fn trace(chunks: &[Vec<Record>]) -> Vec<u8> {
    let mut bytes = chunk::file_header_with(chunk::feature::PACKED).to_vec();
    let mut encoder = Encoder::new();
    for (n, records) in chunks.iter().enumerate() {
        records.iter().for_each(|r| encoder.push(r));
        let plain = encoder.take_chunk();
        bytes.extend(match n % 3 {
            0 => plain,
            1 => chunk::compress(&plain).expect("a whole chunk compresses"),
            _ => chunk::pack(records.iter()),
        });
    }
    bytes
}

fn read(bytes: &[u8]) -> (Vec<Record>, Vec<GapCause>) {
    let mut records = Vec::new();
    let mut gaps = Vec::new();
    for item in Reader::new(bytes).expect("the header is whole") {
        match item {
            Item::Record(record) => records.push(record),
            Item::Gap(gap) => gaps.push(gap.cause),
        }
    }
    (records, gaps)
}

proptest! {
    #[test]
    fn reads_back_what_was_written(
        chunks in proptest::collection::vec(
            proptest::collection::vec(prop_oneof![3 => event(), 1 => definition()], 0..40), 0..6)
    ) {
        let (records, gaps) = read(&trace(&chunks));
        prop_assert_eq!(records, chunks.concat());
        prop_assert!(gaps.is_empty());
    }

    #[test]
    fn truncation_costs_only_the_chunk_it_hits(
        chunks in proptest::collection::vec(proptest::collection::vec(event(), 1..20), 1..4),
        cut in any::<prop::sample::Index>(),
    ) {
        let bytes = trace(&chunks);
        let cut = 16 + cut.index(bytes.len() - 16);
        let whole = (0..=chunks.len())
            .rev()
            .find(|&n| trace(&chunks[..n]).len() <= cut)
            .unwrap_or(0);
        let (records, gaps) = read(&bytes[..cut]);
        prop_assert_eq!(records, chunks[..whole].concat());
        prop_assert_eq!(gaps.is_empty(), trace(&chunks[..whole]).len() == cut);
    }

    #[test]
    fn damage_leaves_the_other_chunks(
        chunks in proptest::collection::vec(proptest::collection::vec(event(), 1..20), 3..4),
        spot in any::<prop::sample::Index>(), flip in 1..=255u8,
    ) {
        let mut bytes = trace(&chunks);
        let (start, end) = (trace(&chunks[..1]).len(), trace(&chunks[..2]).len());
        bytes[start + spot.index(end - start)] ^= flip;
        let (records, gaps) = read(&bytes);
        prop_assert_eq!(records, [&chunks[0][..], &chunks[2][..]].concat());
        prop_assert!(!gaps.is_empty());
    }

    #[test]
    fn what_is_put_behind_a_trace_is_not_of_it(
        chunks in proptest::collection::vec(proptest::collection::vec(event(), 1..20), 1..4),
    ) {
        let bytes = trace(&chunks);
        let (records, gaps) = read(&[&bytes[..], &bytes].concat());
        prop_assert_eq!(records, chunks.concat());
        prop_assert_eq!(gaps, [GapCause::AnotherTrace]);
    }

    #[test]
    fn takes_any_bytes(bytes in proptest::collection::vec(any::<u8>(), 0..400)) {
        let mut whole = chunk::file_header().to_vec();
        whole.extend(&bytes);
        let (_, gaps) = read(&whole);
        prop_assert_eq!(gaps.is_empty(), bytes.is_empty());
    }

    #[test]
    fn takes_any_records(raw in proptest::collection::vec(any::<u8>(), 1..400)) {
        // A well-framed chunk of nonsense: the frame of a real one, around other bytes.
        let bytes = [&chunk::file_header()[..], &chunk::frame_for_tests(&raw)].concat();
        let (_, gaps) = read(&bytes);
        prop_assert!(gaps.iter().all(|&g| g == GapCause::Unreadable));
    }
}

#[test]
fn says_what_is_not_a_trace() {
    let open = |bytes: &'static [u8]| Reader::new(bytes).map(|_| ());
    assert!(matches!(open(b""), Err(OpenError::Empty)));
    assert!(matches!(
        open(b"PK\x03\x04 not a trace"),
        Err(OpenError::NotATrace)
    ));
    assert!(matches!(open(b"LLTRACE"), Err(OpenError::NotATrace)));
    assert!(matches!(
        open(b"LLTRACE\x07........"),
        Err(OpenError::Version(7))
    ));
    assert!(matches!(
        open(b"LLTRACE\x01\0\0\0\x40\0\0\0\0"),
        Err(OpenError::Features(0x4000_0000))
    ));
    assert!(open(b"LLTRACE\x01\0\0\0\0\0\0\0\0").is_ok());
    assert!(open(b"LLTRACE\x01\x07\0\0\0\0\0\0\0").is_ok());
}

#[test]
fn what_threads_were_doing_is_read_as_it_was_written() {
    let counts = StandingStill {
        blocked: 40,
        waiting: 4,
        parked: 1234,
        unread: 1,
    };
    assert_eq!(StandingStill::parse(&counts.to_string()), counts);
    let newer = StandingStill::parse("blocked=2 dreaming=7 nonsense parked=x");
    assert_eq!((newer.blocked, newer.parked), (2, 0));
}
