//! Finds which bytes of a capture are those of a replay, and relates the two clocks.

use super::stream::Byte;

/// Number of bytes that are searched for in the other stream.
const SEARCHED: usize = 64;
/// Distances of the searched bytes from the first of the replay or of the capture, in bytes. The
/// first bytes may be missing in the other stream, or differ.
const STARTS: [usize; 5] = [0, 300, 3_000, 30_000, 300_000];
/// Largest number of places at which the searched bytes are compared further: a board sends the
/// same bytes at each start.
const PLACES_MAX: usize = 16;
/// Largest number of bytes that one stream may lack, and number of bytes that must then agree
/// again.
const LACKING_MAX: usize = 4_096;
const RESUMED: usize = 64;
/// Largest number of differences after which a place is followed further, and bytes that each of
/// them counts against it.
const REPAIRS_MAX: usize = 8;
const REPAIR_BYTES: usize = 1_000;

/// Returns the number of bytes of `capture` before the first byte of `reported`: negative if the
/// capture begins later. Of several places the one after which most bytes agree is returned, in
/// spite of a few differences, and the last of equal ones: the capture may contain earlier starts
/// of the board. `None` if no bytes agree.
pub(super) fn place_of(reported: &[Byte], capture: &[Byte]) -> Option<isize> {
    let mut places = places_of(reported, capture);
    if places.is_empty() {
        places.extend(places_of(capture, reported).into_iter().map(|place| -place));
    }
    places.sort_unstable();
    places.dedup();
    places.into_iter().max_by_key(|place| (agreement(reported, capture, *place), *place))
}

/// Returns the places of `all` at which parts of `wanted` are found, as those of its first byte.
fn places_of(wanted: &[Byte], all: &[Byte]) -> Vec<isize> {
    let mut places = Vec::new();
    for start in STARTS {
        let Some(part) = wanted.get(start..) else { continue };
        let part = &part[..part.len().min(SEARCHED)];
        // A short or uniform part has no certain place.
        let is_certain = part.len() == SEARCHED && part.iter().any(|byte| !byte.data);
        if part.is_empty() || !is_certain && start > 0 {
            continue;
        }
        let found = all.windows(part.len()).enumerate().filter(|(_, window)| same(window, part));
        places.extend(found.map(|(at, _)| at as isize - start as isize).take(PLACES_MAX));
    }
    places
}

fn same(one: &[Byte], other: &[Byte]) -> bool {
    one.iter().zip(other).all(|(one, other)| one.is_same(other))
}

/// Returns the number of bytes that agree from the first common one on, less some for each
/// difference.
fn agreement(reported: &[Byte], capture: &[Byte], place: isize) -> usize {
    let mut ours = reported.get(place.min(0).unsigned_abs()..).unwrap_or_default();
    let mut theirs = capture.get(place.max(0) as usize..).unwrap_or_default();
    let mut agreed = 0_usize;
    for _ in 0..=REPAIRS_MAX {
        let equal = ours.iter().zip(theirs).take_while(|(one, other)| one.is_same(other)).count();
        (agreed, ours, theirs) = (agreed + equal, &ours[equal..], &theirs[equal..]);
        if ours.is_empty() || theirs.is_empty() {
            break;
        }
        agreed = agreed.saturating_sub(REPAIR_BYTES);
        match resumes([ours, theirs]) {
            Some((true, by)) => theirs = &theirs[by..],
            Some((false, by)) => ours = &ours[by..],
            None => (ours, theirs) = (&ours[1..], &theirs[1..]),
        }
    }
    agreed
}

/// Returns how the streams, which differ in their first byte, agree again if one of them lacks
/// bytes: whether that is the first one, the replay's, and their number. `None` if they agree again
/// after the byte that differs.
pub(super) fn resumes([ours, theirs]: [&[Byte]; 2]) -> Option<(bool, usize)> {
    let agrees = |one: &[Byte], other: &[Byte]| {
        let length = RESUMED.min(one.len()).min(other.len());
        // A uniform area agrees with itself at every distance.
        length > 0
            && same(&one[..length], &other[..length])
            && (length < RESUMED || one[..length].windows(2).any(|pair| !pair[0].is_same(&pair[1])))
    };
    if ours.len() > RESUMED && theirs.len() > RESUMED && agrees(&ours[1..], &theirs[1..]) {
        return None;
    }
    (1..=LACKING_MAX).find_map(|by| {
        let lacks = |one: &[Byte], other: &[Byte]| {
            other.get(by..).is_some_and(|rest| one.len() >= RESUMED && agrees(one, rest))
        };
        match (lacks(ours, theirs), lacks(theirs, ours)) {
            (true, _) => Some((true, by)),
            (false, true) => Some((false, by)),
            (false, false) => None,
        }
    })
}

/// Relation of the capture's clock to the replay's.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Clocks {
    /// A time of the replay and the same one of the capture, in nanoseconds.
    anchor: [i128; 2],
    /// Nanoseconds of the capture for one of the replay, minus 1.
    drift: f64,
}

impl Clocks {
    /// Converts a time of the replay to the capture's, in nanoseconds.
    pub(super) fn capture_of(self, at: u64) -> i128 {
        let since = i128::from(at) - self.anchor[0];
        self.anchor[1] + since + (since as f64 * self.drift).round() as i128
    }

    pub(super) fn drift_ppm(self) -> f64 {
        self.drift * 1e6
    }
}

/// Estimates the relation from pairs of times, the replay's first, in order. The medians of the
/// slopes and of the distances are not moved by single pairs that are wrong.
pub(super) fn clocks(pairs: &[[u64; 2]]) -> Clocks {
    let times = |pair: &[u64; 2]| pair.map(i128::from);
    let half = pairs.len() / 2;
    let slopes = pairs.iter().zip(&pairs[half..]).filter_map(|(early, late)| {
        let (early, late) = (times(early), times(late));
        let spans = [late[0] - early[0], late[1] - early[1]];
        (spans[0] > 0).then(|| (spans[1] - spans[0]) as f64 / spans[0] as f64)
    });
    let drift = median(slopes.collect(), f64::total_cmp).unwrap_or_default();
    let Some(first) = pairs.first().map(times) else {
        return Clocks { anchor: [0, 0], drift };
    };
    let from = Clocks { anchor: first, drift };
    let apart = pairs.iter().map(|pair| i128::from(pair[1]) - from.capture_of(pair[0]));
    let apart = median(apart.collect(), Ord::cmp).unwrap_or_default();
    Clocks { anchor: [first[0], first[1] + apart], drift }
}

fn median<T: Copy>(mut values: Vec<T>, order: impl Fn(&T, &T) -> std::cmp::Ordering) -> Option<T> {
    values.sort_unstable_by(order);
    values.get(values.len() / 2).copied()
}
