//! What is likely and not certain: somebody waits for what nobody is known to owe him, and keeps a lock that others are blocked on.
//!
//! If these are who should end his wait, nobody ever will. That they are no dump says, so it is T5; T4 if nobody else runs who could.

use super::scene::Scene;
use super::tell::{Step, add, finding, stands_still};
use super::want::{Shape, Want};
use crate::deadlock::finding::{Finding, Report, Tier};

const KEPT_OUT: &str = "suspected: the one who waits keeps a lock, and whoever is blocked on it may be who should end the wait; that it is so is not known";
const NOBODY: &str = "all threads of the program stand still: besides these only a signal or a finaliser could end the wait";

/// Adds them.
pub(super) fn findings(scene: &Scene, wants: &[Option<Want>], stuck: &[bool], report: &mut Report) {
    let still = report.hang.as_ref();
    let still = still.is_some_and(|hang| stands_still(scene, wants, hang));
    for (ix, want) in wants.iter().enumerate() {
        let Some(want) = want.as_ref().filter(|want| suspicious(want) && !stuck[ix]) else {
            continue;
        };
        if let Some(kept_out) = first_behind(scene, wants, ix) {
            let finding = suspected(scene, &[(ix, want), kept_out], still);
            add(report, finding);
        }
    }
}

/// It ends by what others do, and nobody knows who.
fn suspicious(want: &Want) -> bool {
    // Of several that it can be one may go on.
    let unknown = want.providers().len() != 1 || matches!(want.shape, Shape::End);
    (unknown || want.timed) && !want.moved
}

/// The first who is blocked on what it holds; whoever it can be that it waits for.
fn first_behind<'w>(scene: &Scene, wants: &'w [Option<Want>], ix: usize) -> Option<Step<'w>> {
    let may_be = |other: &usize| match wants[ix].as_ref().map(Want::providers) {
        Some([]) | None => true,
        Some(providers) => providers.contains(other),
    };
    let others = (0..wants.len()).filter(|&other| other != ix && !scene.seats[other].of_jvm);
    others.filter(may_be).find_map(|other| {
        let want = wants[other].as_ref()?;
        let held = want.object.as_ref().and_then(|object| scene.holder(object));
        (want.is_lock() && !want.moved && held == Some(ix)).then_some((other, want))
    })
}

fn suspected(scene: &Scene, ring: &[Step<'_>], still: bool) -> Finding {
    let timed = ring.iter().any(|(_, want)| want.timed);
    let likely = !matches!(ring[0].1.providers(), [_]);
    let words = [likely.then_some(KEPT_OUT), still.then_some(NOBODY)];
    Finding {
        tier: if still || !likely { Tier::T4 } else { Tier::T5 },
        stall: timed,
        remarks: words.into_iter().flatten().map(str::to_owned).collect(),
        ..finding(scene, ring)
    }
}
