//! Real libraries of the JDKs that are here, and bytes that are no library.

use locklens_libjvm::{Kind, Refusal, find};
use proptest::prelude::*;
use std::fs::{self, File};
use std::path::PathBuf;

/// The libraries of the JDKs in `LOCKLENS_JDKS`, or where `.ci/jdks` puts them, with their JDK's number.
fn libraries() -> Vec<(u32, PathBuf)> {
    let listed = std::env::var("LOCKLENS_JDKS").unwrap_or_default();
    let home = PathBuf::from(std::env::var("HOME").unwrap_or_default());
    let usual = [8, 11, 17, 21, 25].map(|n| home.join(format!(".cache/locklens/jdks/{n}")));
    let homes: Vec<PathBuf> = match listed.is_empty() {
        true => usual.to_vec(),
        false => listed.split(':').map(PathBuf::from).collect(),
    };
    let of = |home: PathBuf| {
        let number = home.file_name()?.to_str()?.parse().ok()?;
        let places = ["lib/server", "jre/lib/amd64/server"];
        let mut files = places
            .iter()
            .map(|place| home.join(place).join("libjvm.so"));
        files.find(|file| file.exists()).map(|file| (number, file))
    };
    homes.into_iter().filter_map(of).collect()
}

#[test]
#[cfg(target_arch = "x86_64")]
fn what_is_found_in_real_libraries_is_whole() {
    for (jdk, file) in libraries() {
        match find(&File::open(file).expect("just seen")) {
            Ok(points) => {
                assert!(jdk >= 17, "{jdk}");
                let of = |kind| points.sites.iter().filter(|s| s.kind == kind).count();
                assert!(Kind::ALL.iter().all(|&kind| of(kind) >= 1), "{points:?}");
                assert_eq!(points.other_flags.len(), 2);
                for site in &points.sites {
                    let at = (site.call - site.text_start) as usize;
                    assert_eq!(site.text[at], 0xe8);
                }
            }
            Err(why) => {
                assert!(jdk < 17, "{jdk}: {why}");
                assert_eq!(why, Refusal::NoPoints(Kind::Notify), "{jdk}");
            }
        }
    }
}

#[test]
#[cfg(target_arch = "x86_64")]
fn a_damaged_library_never_panics_and_is_not_believed_where_it_matters() {
    let Some((_, file)) = libraries().into_iter().rev().find(|(jdk, _)| *jdk >= 17) else {
        return;
    };
    let mut bytes = fs::read(file).expect("just seen");
    let points = find(&bytes[..]).expect("whole");
    for site in &points.sites {
        let segment = points
            .segments
            .iter()
            .find(|s| s.executable && (s.address..s.address + s.length).contains(&site.call));
        let segment = segment.expect("code is in a segment");
        let in_file = |address: u64| (address - segment.address + segment.offset) as usize;
        for at in [site.call, site.call + 2, site.call + 5, site.point] {
            let at = in_file(at);
            let before = bytes[at];
            bytes[at] = 0xcc;
            assert!(find(&bytes[..]).is_err(), "{site:?} at {at:#x}");
            bytes[at] = before;
        }
    }
    for end in [0, 20, 64, 4096, bytes.len() / 2, bytes.len() - 1] {
        let _ = find(&bytes[..end]);
    }
}

fn header(noise: &[u8]) -> Vec<u8> {
    let mut bytes = b"\x7fELF\x02\x01\x01\0\0\0\0\0\0\0\0\0\x03\0\x3e\0".to_vec();
    bytes.extend(noise);
    bytes
}

proptest! {
    #[test]
    fn any_bytes_are_read_without_panic(noise in proptest::collection::vec(any::<u8>(), 0..2000)) {
        prop_assert!(find(&noise[..]).is_err());
        prop_assert!(find(&header(&noise)[..]).is_err());
    }
}
