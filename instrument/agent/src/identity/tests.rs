use super::*;

#[test]
fn signatures_become_binary_names() {
    for (signature, name) in [
        ("Ljava/lang/Object;", "java.lang.Object"),
        ("LMain$Lock;", "Main$Lock"),
        ("[I", "[I"),
        ("[Ljava/lang/String;", "[Ljava.lang.String;"),
        ("Lp/App$$Lambda.0x7f01;", "p.App$$Lambda/0x7f01"),
        ("Lp/App$$Lambda$3/914504136;", "p.App$$Lambda$3/914504136"),
        ("I", "I"),
    ] {
        assert_eq!(binary_name(signature), name);
    }
}

#[test]
fn ids_are_given_once_even_in_a_race_and_end_where_the_table_does() {
    let last = AtomicU32::new(0);
    let ids = Ids {
        last: &last,
        end: 3001,
    };
    let mut given: Vec<u32> = std::thread::scope(|scope| {
        let take = || std::iter::from_fn(|| ids.next()).collect::<Vec<_>>();
        let workers: Vec<_> = (0..3).map(|_| scope.spawn(take)).collect();
        workers
            .into_iter()
            .flat_map(|worker| worker.join().expect("no panic"))
            .collect()
    });
    given.sort_unstable();
    assert_eq!(given, (1..=3000).collect::<Vec<u32>>());
    assert!(ids.check_room().is_err());
}

#[test]
fn one_object_has_one_turn_at_a_time_and_others_have_theirs() {
    let identity = Identity::within(1 << 20, 1 << 16).expect("memory");
    let turn = identity.take_turn(5, false).expect("free");
    assert!(identity.take_turn(6, false).is_ok());
    let taken = |waits| identity.take_turn(5, waits).err();
    assert_eq!(taken(true), Some(Unknown::Unidentified));
    assert_eq!(taken(false), Some(Unknown::Busy), "who does not wait");
    drop(turn);
    assert!(identity.take_turn(5, false).is_ok());
}

#[test]
fn tags_and_what_goes_with_them_stay_within_their_share() {
    for share in [1 << 18, 16 << 20] {
        let identity = Identity::within(share, share / 16).expect("memory");
        let most = |ids: Ids<'_>| std::iter::from_fn(|| ids.next()).count();
        let (locks, classes) = (most(identity.lock_ids()), most(identity.class_ids()));
        let loaders = most(identity.loader_ids());
        let taken = locks * (TAG + size_of::<LockSlot>()) + (classes + loaders) * TAG;
        assert!(
            taken <= share && taken * 10 > share * 9,
            "{taken} of {share}"
        );
        assert!(identity.lock_ids().check_room().is_err());
        assert_eq!(identity.tagged() as usize, locks + classes + loaders);
    }
}

#[test]
fn the_two_fields_of_a_tag_do_not_touch() {
    let tag = Half::Mirror.put(Half::Lock.put(0, 7), u32::MAX);
    assert_eq!((Half::Lock.of(tag), Half::Mirror.of(tag)), (7, u32::MAX));
}
