//! Pieces of blocked time within bounds: nothing is charged to nobody, and sums stay what they are.

use super::*;

#[test]
fn nobody_keeps_himself_out_of_a_monitor() {
    let told = |group| {
        let mut room = Room::new(Keep::All);
        room.enter(ThreadId(1), group, None, Nanos(0));
        for (from, holder) in [(0, 2), (10, 1)] {
            let holder = Holder::Thread(ThreadId(holder));
            room.tell(Piece::new(Nanos(from), Nanos(from + 10), holder, None));
        }
        let (_, pieces) = room.leave(ThreadId(1), Nanos(20)).unwrap();
        pieces.iter().map(|piece| piece.holder).collect::<Vec<_>>()
    };
    let other = Holder::Thread(ThreadId(2));
    assert_eq!(told(Group::Monitor), [other, Holder::Nobody]);
    // Of a lock built of a monitor it may have a permit itself.
    let own = Holder::Thread(ThreadId(1));
    assert_eq!(told(Group::Logical), [other, own]);
}

#[test]
fn sums_are_those_of_the_pieces() {
    let mut state = 7_u64;
    let mut next = |most: u64| {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        (state >> 33) % most
    };
    let mut rooms = [Keep::Lengths, Keep::All].map(Room::new);
    let (mut now, mut inside) = (0, Vec::new());
    for thread in 0..60_000 {
        let since = Nanos(now);
        if thread % 500 == 0 || inside.is_empty() {
            inside.push(ThreadId(thread));
            for room in &mut rooms {
                room.enter(ThreadId(thread), Group::Monitor, None, since);
            }
        }
        // Now and then nothing is told of a while.
        let from = now + if next(10) == 0 { next(9) } else { 0 };
        now = from + 1 + next(100);
        let holder = Holder::Thread(ThreadId(next(400) as u32));
        for room in &mut rooms {
            room.tell(Piece::new(Nanos(from), Nanos(now), holder, None));
        }
        if next(1_000) == 0 || thread > 59_990 {
            let gone = inside.swap_remove(next(inside.len() as u64) as usize);
            let told = rooms.each_mut().map(|room| {
                let (_, pieces) = room.leave(gone, Nanos(now + 5)).unwrap();
                assert!(pieces.windows(2).all(|two| two[0].to == two[1].from));
                let mut sums = FastMap::<Charge, u64>::default();
                for piece in &pieces {
                    *sums.entry(piece.charge()).or_default() += piece.ns();
                }
                (sums, pieces[0].from, pieces[pieces.len() - 1].to)
            });
            assert_eq!(told[0], told[1]);
        }
    }
}

#[test]
fn a_lock_on_which_somebody_is_always_blocked_keeps_what_they_need() {
    for keep in [Keep::All, Keep::Lengths, Keep::Last(100)] {
        let mut room = Room::new(keep);
        for at in 0..200_000 {
            let (from, to) = (Nanos(u64::from(at)), Nanos(u64::from(at) + 1));
            room.enter(ThreadId(at), Group::Monitor, None, from);
            // Each holder is another one.
            let holder = Holder::Thread(ThreadId(1_000_000 + at));
            room.tell(Piece::new(from, to, holder, None));
            if let Some(gone) = at.checked_sub(50) {
                let (_, pieces) = room.leave(ThreadId(gone), to).unwrap();
                let whole = pieces.iter().map(Piece::ns).sum::<u64>();
                assert_eq!((whole, pieces.len()), (51, 51));
                let first = Holder::Thread(ThreadId(1_000_000 + gone));
                assert_eq!(pieces[0].holder, first);
            }
        }
        assert!(room.history.len() < 4 * KEPT, "{keep:?}");
        assert!(room.charges.all.len() < 4 * KEPT, "{keep:?}");
    }
}

#[test]
fn only_the_last_pieces_are_kept_of_a_recording_under_way() {
    let mut room = Room::new(Keep::Last(100));
    room.enter(ThreadId(1), Group::Monitor, None, Nanos(0));
    for at in 0..5_000 {
        let holder = Holder::Thread(ThreadId(2 + at % 2));
        let (from, to) = (Nanos(u64::from(at)), Nanos(u64::from(at) + 1));
        room.tell(Piece::new(from, to, holder, None));
    }
    let (_, pieces) = room.leave(ThreadId(1), Nanos(5_000)).unwrap();
    assert_eq!(pieces[0].holder, Holder::Unknown(Why::Forgotten));
    let times: Vec<_> = pieces.iter().map(|piece| (piece.from, piece.to)).collect();
    assert!(times.windows(2).all(|two| two[0].1 == two[1].0));
    assert_eq!(
        (times[0].0, times[times.len() - 1].1),
        (Nanos(0), Nanos(5_000))
    );
    assert!((100..1_000).contains(&pieces.len()), "{}", pieces.len());
}
