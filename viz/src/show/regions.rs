//! Where a lock is used.

use super::distributions;
use crate::Look;
use crate::text::{clean, count, listed, many, parameters, place, source, tallied};
use locklens_inference::model::{LogicalLock, RegionReport, Stays};
use std::io::{self, Write};

/// Regions that were seen or play a role in full, the others by name.
pub(super) fn regions(lock: &LogicalLock, look: Look, out: &mut dyn Write) -> io::Result<()> {
    let is_worth = |r: &&RegionReport| r.seen || !r.is_idle();
    let (worth, rest): (Vec<_>, Vec<_>) = lock.regions.iter().partition(is_worth);
    for region in worth {
        full(lock, region, out)?;
    }
    unplaced(&lock.unplaced, out)?;
    if rest.is_empty() {
        return Ok(());
    }
    let names: Vec<_> = rest.iter().map(|r| place(r)).collect();
    writeln!(
        out,
        "  {} known from the code only, with no role but to enter\n     {}",
        many(rest.len() as u64, "more region"),
        listed(&tallied(&names), 5, look.width)
    )
}

/// What happened in none of the regions, so that they add up to the lock.
fn unplaced(stays: &Stays, out: &mut dyn Write) -> io::Result<()> {
    if stays.blocked.count + stays.waits.count == 0 {
        return Ok(());
    }
    writeln!(out, "  no call chain, or one that stands in no region")?;
    distributions(&stays.blocked, &stays.waits, out)
}

fn full(lock: &LogicalLock, region: &RegionReport, out: &mut dyn Write) -> io::Result<()> {
    let names = |region: &RegionReport| -> Vec<_> {
        let names = region.roles.iter().map(|role| role.name());
        names.collect()
    };
    let roles = match (&names(region)[..], lock.begun_in(region)) {
        (_, Some(begun)) => format!(
            "- (waits in {}, begun in #{})",
            names(begun).join(", "),
            begun.id.0
        ),
        ([], None) => "-".to_owned(),
        (roles, None) => roles.join(", "),
    };
    let method = clean(&format!(
        "{}.{}{}",
        region.class,
        region.method,
        parameters(&region.descriptor)
    ));
    let nth = match (region.ordinal, region.synchronized) {
        (Some(n), _) => format!("; synchronized block {}", n + 1),
        (None, true) => "; synchronized method".to_owned(),
        // The lock is taken further out, or nobody knows where.
        (None, false) => String::new(),
    };
    writeln!(out, "  #{} {method}", region.id.0)?;
    let seen = if region.seen {
        ""
    } else {
        ", known from the code only"
    };
    let source = source(region);
    let source = if source.is_empty() {
        String::new()
    } else {
        format!(", {source}")
    };
    writeln!(out, "     role {roles}{nth}{source}{seen}")?;
    distributions(&region.blocked, &region.waits, out)?;
    if region.supposed > 0 {
        writeln!(
            out,
            "     {} of these without a call chain: the lock has no other region",
            count(region.supposed)
        )?;
    }
    Ok(())
}
