//! READ-WRITE.

use super::*;
use crate::trial::fake::{Preference, Sharing, SharingFault, Upgrading};

const PREFERENCES: [(Preference, &str); 3] = [
    (Preference::Readers, "readers"),
    (Preference::Writers, "writers"),
    (Preference::Fair, "fair"),
];

#[test]
fn a_read_write_lock_is_found_with_its_preference() {
    for (preference, name) in PREFERENCES {
        for reentrant in [false, true] {
            let subject = Sharing::new(preference, reentrant, false, SharingFault::None);
            let all = found(subject.clone());
            assert_eq!(all.len(), 1, "{name} {all:?}");
            let it = &all[0].0;
            assert_eq!(it.lock_type, LockType::ReadWrite);
            assert_eq!(detail(it, "preference"), word(name));
            assert_eq!(detail(it, "reentrant"), flag(reentrant));
            assert_eq!(names(&subject, it, Role::ReadLock), ["readLock"]);
            assert_eq!(names(&subject, it, Role::ReadUnlock), ["readUnlock"]);
            assert_eq!(names(&subject, it, Role::WriteLock), ["writeLock"]);
            assert_eq!(names(&subject, it, Role::WriteUnlock), ["writeUnlock"]);
        }
    }
}

#[test]
fn one_way_out_may_serve_both() {
    let subject = Sharing::new(Preference::Readers, false, true, SharingFault::None);
    let all = found(subject.clone());
    assert_eq!(all[0].0.lock_type, LockType::ReadWrite, "{all:?}");
    assert_eq!(names(&subject, &all[0].0, Role::ReadUnlock), ["leave"]);
    assert_eq!(names(&subject, &all[0].0, Role::WriteUnlock), ["leave"]);
}

#[test]
fn broken_ones_are_none() {
    let faults = [
        SharingFault::ForgetsReaders,
        SharingFault::ReadersIgnoreWriters,
        SharingFault::TwoWriters,
    ];
    for fault in faults {
        let found = types(Sharing::new(Preference::Readers, false, false, fault));
        assert!(!found.contains(&LockType::ReadWrite), "{fault:?} {found:?}");
    }
}

#[test]
fn a_writer_may_have_to_take_his_turn_first() {
    for steps_back in [false, true] {
        let subject = Upgrading::new(steps_back, false);
        let all = found(subject.clone());
        let it = all.iter().find(|f| f.0.lock_type == LockType::ReadWrite);
        let it = &it.unwrap_or_else(|| panic!("{all:?}")).0;
        assert_eq!(names(&subject, it, Role::ReadLock), ["read"]);
        assert_eq!(names(&subject, it, Role::ReadUnlock), ["unread"]);
        assert_eq!(names(&subject, it, Role::WriteLock), ["claim", "write"]);
        let ways_out: &[&str] = match steps_back {
            true => &["free", "step back"],
            false => &["free"],
        };
        assert_eq!(names(&subject, it, Role::WriteUnlock), ways_out);
    }
    let broken = types(Upgrading::new(false, true));
    assert!(!broken.contains(&LockType::ReadWrite), "{broken:?}");
}
