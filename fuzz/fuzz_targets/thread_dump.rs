//! Whatever is in a file that is said to hold thread dumps: it is read to its end, what it comes to adds up, and what hangs in it
//! is explained.
//!
//!     RUSTC_BOOTSTRAP=1 cargo fuzz run -s none thread_dump -- -max_total_time=60

#![no_main]

use libfuzzer_sys::fuzz_target;
use locklens_inference::hang::{Evidence, explain};
use locklens_inference::sample::dump::{Dumps, json};
use locklens_inference::sample::{By, Fold, Lens, Profile, Row};

fuzz_target!(|bytes: &[u8]| {
    let text = String::from_utf8_lossy(bytes);
    let found = Dumps::read(&text);
    let files = Vec::from_iter(json::read(&text));
    let report = explain(&Evidence {
        dumps: &found.dumps,
        files: &files,
        ..Evidence::default()
    });
    assert!(
        report
            .findings
            .iter()
            .all(|finding| finding.locks.len() == finding.edges.len())
    );
    let (mut fold, mut again) = (Fold::default(), Fold::default());
    for dump in &found.dumps {
        dump.add_to(&mut fold, &Lens::default());
    }
    let profile = Profile::of(&fold, None);
    let sum = |rows: &[Row]| rows.iter().map(|row| row.samples).sum::<u64>();
    assert_eq!(sum(&profile.states), profile.findings);
    assert_eq!(sum(profile.rows(By::Thread)), profile.findings);
    assert_eq!(sum(profile.rows(By::Group)), profile.findings);
    let all = [By::Thread, By::Group, By::Location].map(|by| profile.rows(by));
    for row in all.into_iter().flatten() {
        assert!(row.samples <= row.of && row.looks <= profile.samples);
        assert!((0.0..=1.0).contains(&row.share()) && row.error().is_finite());
    }
    again.merge(&fold);
    assert_eq!(Profile::of(&again, None), profile);
});
