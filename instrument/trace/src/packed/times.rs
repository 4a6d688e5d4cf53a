//! Which widths the distances between times are written in: four a chunk, such that all take least.

use super::bits::bits_of;

/// How many widths there are, as bits that choose one.
pub(super) const CHOICE: u32 = 2;
/// See [`CHOICE`].
pub(super) const WIDTHS: usize = 1 << CHOICE;
/// Numbers of bits a distance can have.
const SIZES: usize = u64::BITS as usize + 1;

/// The widths, ascending.
pub(super) fn widths(distances: impl Iterator<Item = u64>) -> [u8; WIDTHS] {
    let mut counts = [0u64; SIZES];
    for distance in distances {
        counts[bits_of(distance) as usize] += 1;
    }
    let mut shorter = [0; SIZES + 1];
    for (size, count) in counts.iter().enumerate() {
        shorter[size + 1] = shorter[size] + count;
    }
    let used: Vec<usize> = (0..SIZES).filter(|&size| counts[size] > 0).collect();
    let longest = used.last().copied().unwrap_or(0);
    // Bits of the distances longer than one size and up to another.
    let cost = |from: usize, to: usize| (shorter[to + 1] - shorter[from]) * to as u64;
    let mut best = (u64::MAX, [longest as u8; WIDTHS]);
    for (m, &b) in used.iter().enumerate() {
        let third = used[m..].iter();
        let third = third.map(|&c| (cost(b + 1, c) + cost(c + 1, longest), c));
        let Some((rest, c)) = third.min() else {
            continue;
        };
        for &a in &used[..=m] {
            let widths = [a, b, c, longest].map(|width| width as u8);
            best = best.min((cost(0, a) + cost(a + 1, b) + rest, widths));
        }
    }
    best.1
}

/// Which of the widths a distance takes.
pub(super) fn choice(widths: &[u8; WIDTHS], distance: u64) -> usize {
    let size = bits_of(distance) as u8;
    // Counted, since a search for it would end at another one each time.
    let narrower = widths[..WIDTHS - 1].iter().map(|&width| width < size);
    narrower.map(usize::from).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_distance_fits_and_frequent_ones_take_no_more_than_they_need() {
        let distances = [0, 1, 3, 3, 9, 9, 9, 1 << 20, 1 << 20, u64::MAX];
        let widths = widths(distances.into_iter());
        assert_eq!(widths, [2, 4, 21, 64]);
        for distance in distances {
            let width = widths[choice(&widths, distance)];
            assert!(bits_of(distance) <= width.into());
        }
        assert_eq!(super::widths([7].into_iter()), [3; WIDTHS]);
        assert_eq!(super::widths([].into_iter()), [0; WIDTHS]);
    }
}
