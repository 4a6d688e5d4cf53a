//! The report for programs. The schema is versioned: fields are added, never changed.

use super::notes::doubt;
use super::{Known, SortKey, sorted};
use crate::cost;
use crate::deadlocks::stood;
use crate::{toll, uses};
use locklens_inference::model::{
    Bare, Blockage, CallChain, Deadlock, Holder, KnownBy, LogicalLock, Looks, Model, Parks,
    ParksSeen, Recording, RegionReport, Release, Sampled, SampledChain, Stall, Stand, Standstill,
    Stays, Stuck, Times, Verdict, VmProbesSeen, Wants,
};
use locklens_inference::types::Detail;
use locklens_trace::Nanos;
use locklens_trace::juc::Act;
use locklens_trace::record::StandingStill;
use serde::Serialize;
use serde_json::{Map, Value, json as value};
use std::io::{self, Write};

/// Version of the JSON of report and show.
pub const SCHEMA: u32 = 1;

/// Writes the report as one JSON document.
///
/// # Errors
/// When `out` fails.
pub fn json(model: &Model, sort: SortKey, out: &mut dyn Write) -> io::Result<()> {
    let document = Document {
        schema: SCHEMA,
        target: value!(model.target),
        recording: recording_json(model),
        deadlocks: model.deadlocks.iter().map(deadlock).collect(),
        blockages: model.blockages.iter().map(blockage).collect(),
        standstills: model.standstills.iter().map(standstill).collect(),
        stood: model.stood.as_deref().map(stood),
        locks: sorted(model, sort)
            .into_iter()
            .map(|lock| lock_json(lock, &model.recording))
            .collect(),
    };
    crate::json::pretty(&document, out)?;
    writeln!(out)
}

#[derive(Serialize)]
struct Document {
    schema: u32,
    target: Value,
    recording: Value,
    deadlocks: Vec<Value>,
    blockages: Vec<Value>,
    standstills: Vec<Value>,
    stood: Option<Value>,
    locks: Vec<Value>,
}

pub(crate) fn deadlock(deadlock: &Deadlock) -> Value {
    let stuck = |stuck: &Stuck| {
        let mut value = self::stuck(stuck);
        value["known_by"] = value!(stuck.known.map(known_by));
        value["chain"] = value!(stuck.chain.as_ref().map(call_chain));
        value
    };
    value!({"threads": deadlock.threads.iter().map(stuck).collect::<Vec<_>>()})
}

fn stuck(stuck: &Stuck) -> Value {
    value!({
        "thread": stuck.thread,
        "tid": stuck.tid,
        "since_ns": stuck.since.0,
        "since_before": stuck.since.0 == 0,
        "object": stuck.object,
        "class": stuck.class,
        "lock": stuck.lock,
    })
}

pub(crate) fn blockage(blockage: &Blockage) -> Value {
    let first = blockage.first();
    value!({
        "object": first.object,
        "class": first.class,
        "lock": first.lock,
        "held": match blockage.holder {
            Holder::Unknown => Value::Null,
            Holder::Nobody => value!(false),
            Holder::Readers | Holder::Thread { .. } => value!(true),
        },
        "held_by_readers": blockage.holder == Holder::Readers,
        "holder": holder(&blockage.holder),
        "blocked": blockage.threads.iter().map(stuck).collect::<Vec<_>>(),
        "may_be_lockout": blockage.may_be_lockout,
        "handed_on_ns": (blockage.handed_on > Nanos(0)).then_some(blockage.handed_on.0),
        "idle": blockage.is_idle(),
    })
}

fn holder(holder: &Holder) -> Value {
    match holder {
        Holder::Unknown | Holder::Nobody | Holder::Readers => Value::Null,
        Holder::Thread {
            thread,
            tid,
            known,
            since,
            ended,
            stand,
            chain,
        } => value!({
            "thread": thread,
            "tid": tid,
            "known_by": known_by(*known),
            "held_since_ns": since.map(|since| since.0),
            "ended": ended,
            "blocked_on": stand.as_ref().filter(|s| !s.waits).map(|s| stuck(&s.at)),
            "waits_on": stand.as_ref().filter(|s| s.waits).map(|s| waits_on(s)),
            "chain": chain.as_ref().map(call_chain),
        }),
    }
}

fn call_chain(chain: &CallChain) -> Value {
    value!({"frames": chain.frames, "cut": chain.cut})
}

pub(crate) fn standstill(at: &Standstill) -> Value {
    let first = at.first();
    value!({
        "object": first.object,
        "class": first.class,
        "lock": first.lock,
        "wants": match at.wants {
            Wants::Room => "room",
            Wants::Elements => "elements",
            Wants::Permit => "permit",
            Wants::Count => "count",
            Wants::Result => "result",
            Wants::Parties => "parties",
            Wants::Notify => "notify",
        },
        "proven": at.proven,
        "stuck": at.is_stuck(),
        "objects_told_apart": !at.shared,
        "state_low": at.state.map(|(low, _)| low),
        "state_high": at.state.map(|(_, high)| high),
        "parked": at.threads.iter().map(stuck).collect::<Vec<_>>(),
        "chain": at.chain.as_ref().map(call_chain),
    })
}

fn waits_on(stand: &Stand) -> Value {
    let mut value = stuck(&stand.at);
    value["timed"] = value!(stand.timed);
    value
}

fn known_by(known: KnownBy) -> &'static str {
    match known {
        KnownBy::End => "end",
        KnownBy::StillThere => "still there",
        KnownBy::Steps => "steps",
        KnownBy::CallChain => "call chain",
        KnownBy::Beginning => "beginning",
    }
}

fn standing(counts: Option<StandingStill>) -> Value {
    counts.map_or(Value::Null, |counts| {
        value!({
            "blocked": counts.blocked,
            "waiting": counts.waiting,
            "parked": counts.parked,
            "unread": counts.unread,
        })
    })
}

pub(crate) fn recording_json(model: &Model) -> Value {
    let recording = &model.recording;
    value!({
        "duration_ns": recording.duration.0,
        "probes_off_ns": recording.probes_off.map(|at| at.0),
        "stops": recording.stops.iter().map(|(from, to)| value!([from.0, to.0])).collect::<Vec<_>>(),
        "stalls": recording.stalls.iter().map(stall).collect::<Vec<_>>(),
        "events": recording.events,
        "lost": recording.lost,
        "exact": recording.exact,
        "incomplete": recording.incomplete.iter().map(doubt).collect::<Vec<_>>(),
        "clock": !recording.clockless,
        "unmet": recording.unmet,
        "ended": recording.ended,
        "gaps": recording.gaps,
        "stacks_left_out": recording.stacks_lost,
        "inferred_share": recording.inferred_share,
        "hidden": recording.hidden,
        "hidden_blocked_ns": recording.hidden_blocked.0,
        "still_blocked": recording.still_blocked,
        "still_waiting": recording.still_waiting,
        "from_before": recording.from_before,
        "threads_at_start": standing(recording.at_start),
        "threads_at_end": standing(recording.at_end),
        "sampling": recording.looks.as_ref().map(looks),
        "no_blocker": recording.bare.as_ref().map(bare),
        "parks": recording.parks.as_ref().map(parks_seen),
        "toll": toll::json(&model.target),
        "cost": cost::json(&model.target),
        "paused_ns": recording.paused.0,
        "vm_probes": recording.vm_probes.as_ref().map(vm_probes),
        "vm_probes_declined": recording.vm_probes_declined,
        "options": {
            "reset_after_ns": recording.options.reset_after.0,
            "call_depth": recording.options.call_depth,
            "hide_safe": recording.options.hide_safe,
            "static_model": recording.options.static_model,
            "dynamic_model": recording.options.dynamic_model,
        },
    })
}

pub(crate) fn lock_json(lock: &LogicalLock, recording: &Recording) -> Value {
    let known = Known::of(lock, recording);
    value!({
        "id": lock.id,
        "name": lock.name,
        "classes": lock.classes,
        "types": lock.types.iter().map(verdict).collect::<Vec<_>>(),
        "runners_up": lock.runners_up.iter().map(verdict).collect::<Vec<_>>(),
        "contradictions": lock.contradictions,
        "regions": lock.regions.iter().map(region).collect::<Vec<_>>(),
        "unplaced": unplaced(&lock.unplaced),
        "instances": lock.instances,
        "threads": lock.threads,
        "locked": known.locked,
        "locked_at_least": lock.locked,
        "blocked": known.blocked,
        "blocked_ns": known.blocked_ns,
        "blocked_times": self::times(&lock.blocked, lock.is_estimated()),
        "waits": lock.waits.count,
        "wait_ns": known.wait_ns,
        "wait_times": self::times(&lock.waits, lock.is_estimated()),
        "timed_out": lock.timed_out,
        "still_waiting": lock.still_waiting,
        "still_blocked": lock.still_blocked,
        "sampled": lock.sampled.as_ref().map(sampled),
        "parks": lock.parks.as_ref().map(parks),
        "operations": lock.uses.as_ref().map(uses::json),
    })
}

fn vm_probes(told: &VmProbesSeen) -> Value {
    value!({
        "since_ns": told.since.0,
        "notifies": told.notifies,
        "notify_alls": told.notify_alls,
        "exits": told.exits,
        "other_locks": told.other_locks,
        "other_threads": told.other_threads,
        "wrong_sites": told.wrong,
        "every_notify": told.has_every_notify(),
    })
}

fn parks(parks: &Parks) -> Value {
    let unparker = |(thread, n): &(String, u64)| value!({"thread": thread, "unparks": n});
    value!({
        "count": parks.count,
        "unparked": parks.unparked,
        "unparked_before": parks.at_once,
        "timed_out": parks.timed_out,
        "interrupted": parks.interrupted,
        "end_unknown": parks.unknown,
        "end_unseen": parks.unseen,
        "open": parks.open,
        "unparker_threads": parks.unparkers,
        "unparkers": parks.by.iter().map(unparker).collect::<Vec<_>>(),
        "releases": parks.releases.iter().map(release).collect::<Vec<_>>(),
    })
}

/// What ended parks.
fn release(release: &Release) -> Value {
    let chain = release.chain.as_ref();
    value!({
        "thread": release.thread,
        "act": release.act.map(Act::name),
        "frames": chain.map(|chain| &chain.frames),
        "cut": chain.map(|chain| chain.cut),
        "unparks": release.times,
    })
}

fn sampled(sampled: &Sampled) -> Value {
    let chains = |chains: &[SampledChain]| {
        let chain = |chain: &SampledChain| value!({"samples": chain.samples, "frames": chain.chain.frames, "cut": chain.chain.cut});
        chains.iter().map(chain).collect::<Vec<_>>()
    };
    let owner = |(thread, samples): &(String, u64)| value!({"thread": thread, "samples": samples});
    value!({
        "stays": sampled.stays,
        "samples": sampled.samples,
        "time_ns": sampled.time.0,
        "error_ns": sampled.error.0,
        "most_at_once": sampled.most,
        "objects_told_apart": !sampled.shared,
        "waiters": chains(&sampled.waiters),
        "owners": chains(&sampled.owners),
        "owner_threads": sampled.owner_threads.iter().map(owner).collect::<Vec<_>>(),
    })
}

fn stall(stall: &Stall) -> Value {
    value!({
        "from_ns": stall.from.0,
        "to_ns": stall.to.0,
        "waited_for_processor_ns": stall.delayed.0,
    })
}

fn parks_seen(seen: &ParksSeen) -> Value {
    value!({
        "since_ns": seen.since.0,
        "parks": seen.parks,
        "without_blocker": seen.nameless,
        "under_way": seen.under_way,
        "under_way_ns": seen.under_way_time.0,
        "unparks": seen.unparks,
        "alone": seen.alone,
        "replaced_ns": seen.replaced.map(|at| at.0),
    })
}

fn bare(bare: &Bare) -> Value {
    value!({
        "ns": bare.time.0,
        "threads": bare.threads,
        "place": bare.place,
        "frames": bare.chain.as_ref().map(|chain| &chain.frames),
        "cut": bare.chain.as_ref().map(|chain| chain.cut),
    })
}

fn looks(looks: &Looks) -> Value {
    value!({
        "samples": looks.samples,
        "interval_ns": looks.interval().0,
        "wish_ns": looks.wish.0,
        "widened": looks.is_widened(),
        "cpu_ns": looks.cpu.0,
        "cpu_share": rounded(looks.cpu.0 as f64 / looks.span.0.max(1) as f64),
        "threads": looks.threads,
        "findings_missing": looks.untold,
        "virtual_threads": looks.has_virtual,
    })
}

fn verdict(verdict: &Verdict) -> Value {
    let roles: Map<String, Value> = verdict
        .roles
        .iter()
        .map(|(role, regions)| {
            let ids: Vec<_> = regions.iter().map(|r| r.0).collect();
            (role.name().to_owned(), value!(ids))
        })
        .collect();
    let detail: Map<String, Value> = verdict
        .details
        .iter()
        .map(|(key, detail)| ((*key).to_owned(), self::detail(detail)))
        .collect();
    let evidence = &verdict.evidence;
    value!({
        "type": verdict.lock_type.name(),
        "confidence": rounded(verdict.confidence),
        "detail": detail,
        "roles": roles,
        "evidence": {
            "static_log_odds": rounded(evidence.static_log_odds),
            "dynamic_log_odds": rounded(evidence.dynamic_log_odds),
            "confirmed": evidence.confirmed,
            "contradicted": evidence.contradicted,
            "for": evidence.pro,
            "against": evidence.contra,
        },
    })
}

/// Four digits are more than the evidence holds.
fn rounded(number: f64) -> f64 {
    (number * 1e4).round() / 1e4
}

fn detail(detail: &Detail) -> Value {
    match detail {
        Detail::Count(n) => value!(n),
        Detail::Flag(flag) => value!(flag),
        Detail::Word(word) => value!(word),
    }
}

fn region(region: &RegionReport) -> Value {
    value!({
        "id": region.id.0,
        "class": region.class,
        "method": region.method,
        "descriptor": region.descriptor,
        "ordinal": region.ordinal,
        "source": region.source,
        "line": region.line,
        "roles": region.roles.iter().map(|r| r.name()).collect::<Vec<_>>(),
        "seen": region.seen,
        "blocked": region.blocked.count,
        "blocked_ns": total(&region.blocked),
        "waits": region.waits.count,
        "wait_ns": total(&region.waits),
        "timed_out": region.timed_out,
        "supposed": region.supposed,
    })
}

fn unplaced(stays: &Stays) -> Value {
    value!({
        "blocked": stays.blocked.count,
        "blocked_ns": total(&stays.blocked),
        "waits": stays.waits.count,
        "wait_ns": total(&stays.waits),
        "timed_out": stays.timed_out,
    })
}

fn total(times: &Times) -> Option<u64> {
    times.known_total().map(|total| total.0)
}

/// Without any length known the lengths are null; of what was sampled only the sum is estimated.
pub(crate) fn times(times: &Times, sampled: bool) -> Value {
    let known = |length: Nanos| times.known_total().map(|_| length.0);
    let single = |length: Nanos| known(length).filter(|_| !sampled);
    value!({
        "count": times.count,
        "unknown": times.unknown,
        "total_ns": known(times.total),
        "p50_ns": single(times.p50),
        "p99_ns": single(times.p99),
        "max_ns": single(times.max),
    })
}
