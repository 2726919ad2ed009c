//! Compares one trace on both sides: which of its frames differ and how, and what else does.

mod console_and_tones;

use std::collections::HashMap;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use causes::difference::union;
use causes::difference::{Difference, What, differences, headline};
use causes::tones::ToneDifference;
use causes::{Cause, folded};
use ili9341_model::{Frame, Region};
use reading::{
    golden::{chain::FrameHash, encode_png},
    text::Reader,
};
use similar::{Algorithm, DiffOp, capture_diff_slices};
use virtual_time::Instant;

use self::console_and_tones::{ConsoleAndTones, Divergence};
use crate::align::{Fingerprint, Step, align};
use crate::observation::{Observation, Pictures, SettledFrame};

/// Maximum number of different kinds of differences per trace.
const KINDS_MAX: usize = 200;
/// Maximum number of causes per trace.
const CAUSES_MAX: usize = 50;
/// Maximum number of frame pairs whose differences are cached, over all traces.
const KNOWN_MAX: usize = 20_000;
/// Maximum number of console lines per trace that are compared.
const LINES_MAX: usize = 20_000;

/// The differences in one trace.
#[derive(Clone, Debug, Default)]
pub struct TraceChange {
    /// Path of the trace, as it was given.
    pub path: String,
    /// Number of settled frames on each side.
    pub frames: [u64; 2],
    /// Number of settled frames that differ, were added or were removed.
    pub frames_changed: u64,
    /// Number of settled frames after the time at which the other side's replay stopped. Nothing
    /// after that time is compared.
    pub beyond: u64,
    /// Number of settled frames that are equal, but with different frames before them.
    pub between_changed: u64,
    /// Kinds of differences between frames, each with the number of frames that have it, in order
    /// of time.
    pub kinds: Vec<(What, u64, Example)>,
    /// Causes of the differences, in order of time.
    pub causes: Vec<SeenCause>,
    /// Number of differing frames after the first divergence of the behaviour.
    pub frames_after: u64,
    /// Number of differences beyond the bounded number of kinds.
    pub kinds_left_out: u64,
    /// Number of bytes on the LCD's bus, on each side.
    pub bytes: [u64; 2],
    /// Virtual time of the end, on each side.
    pub ended_at: [Instant; 2],
    /// The frame with the greatest difference in time: the line of its input, and the time on each
    /// side.
    pub shifted: Option<(u32, [Instant; 2])>,
    /// Console lines that changed, were added or were removed.
    pub console: Vec<ConsoleChange>,
    /// First difference in the notes, if there is one.
    pub tones: Option<ToneChange>,
    /// First failed expectation on each side, if it is not the same.
    pub failed: Option<[Option<String>; 2]>,
}

/// A cause in one trace.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SeenCause {
    pub cause: Cause,
    /// Number of frames with the cause.
    pub frames: u64,
    /// First difference, for people.
    pub what: String,
    pub example: Example,
}

/// The first occurrence of a difference.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Example {
    /// Line of the last input before the difference; 0 if there is none.
    pub line: u32,
    /// Time at which the frame was settled, on the side that has it.
    pub at: Instant,
    /// Region on the LCD.
    pub region: Region,
    /// The frames before and after as PNG; `None` if a summary already has them, or the frame does
    /// not exist.
    pub pictures: [Option<Arc<[u8]>>; 2],
}

/// A console line on each side. One side is `None` if the line was added or removed.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct ConsoleChange(pub [Option<String>; 2]);

/// A difference in the notes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ToneChange {
    /// Frequency in Hz of the first note that differs on each side, 0 for silence; `None` if there
    /// is none.
    pub first: [Option<u32>; 2],
    /// Time of the note, on the side on which it is earlier.
    pub at: Instant,
}

impl TraceChange {
    /// Returns whether nothing differs.
    pub fn is_empty(&self) -> bool {
        self.frames_changed == 0
            && self.between_changed == 0
            && self.bytes[0] == self.bytes[1]
            && self.ended_at[0] == self.ended_at[1]
            && self.shifted.is_none()
            && self.console.is_empty()
            && self.tones.is_none()
            && self.failed.is_none()
    }
}

/// Cache of the differences between pairs of frames, shared by all threads.
#[derive(Default)]
pub struct DifferenceCache(Mutex<HashMap<Pair, Arc<[Difference]>>>);

/// Two frames that are paired with each other.
type Pair = (FrameHash, FrameHash);

impl DifferenceCache {
    fn differences(
        &self,
        [before, after]: [&SettledFrame; 2],
        frames: [&Frame; 2],
        reader: &Reader,
    ) -> Arc<[Difference]> {
        let key = (before.hash, after.hash);
        let lock = || self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(found) = lock().get(&key) {
            return Arc::clone(found);
        }
        let found: Arc<[Difference]> = differences(frames[0], frames[1], reader).into();
        let mut known = lock();
        if known.len() < KNOWN_MAX {
            known.insert(key, Arc::clone(&found));
        }
        found
    }
}

/// Compares the observations of both sides of the trace at `path`. Encodes pictures only for
/// differences for which `wanted` returns true.
pub fn compare(
    path: &Path,
    sides: [&Observation; 2],
    reader: &Reader,
    known: &DifferenceCache,
    wanted: impl Fn(&Cause) -> bool,
) -> TraceChange {
    let [before, after] = sides;
    let outputs = ConsoleAndTones::of(sides);
    let mut change = TraceChange {
        path: path.display().to_string(),
        frames: sides.map(|side| side.frames.len() as u64 + side.left_out),
        bytes: sides.map(|side| side.bytes),
        ended_at: sides.map(|side| side.ended_at),
        console: console_changes(sides),
        tones: tones(sides),
        failed: (before.failed != after.failed).then(|| sides.map(|side| side.failed.clone())),
        ..TraceChange::default()
    };
    let until = [comparable(before, after), comparable(after, before)];
    change.beyond = (0..2).map(|side| (sides[side].frames.len() - until[side]) as u64).sum();
    let hashes = [0, 1].map(|side: usize| {
        sides[side].frames[..until[side]].iter().map(|frame| frame.hash).collect::<Vec<_>>()
    });
    let looks = |side: usize| {
        let mut pictures = Pictures::new(&sides[side].frames);
        (0..until[side]).map(|index| Fingerprint::of(pictures.at(index))).collect()
    };
    let mut steps = align(&hashes[0], &hashes[1], looks);
    if before.stopped != after.stopped {
        change.ignore_after_stop(&mut steps, usize::from(after.stopped));
    }
    let mut pictures = sides.map(|side| Pictures::new(&side.frames));
    let mut after_divergence = false;
    for step in steps {
        let (old, new) = match step {
            Step::Same(old, new) | Step::Changed(old, new) => (Some(old), Some(new)),
            Step::Gone(old) => (Some(old), None),
            Step::New(new) => (None, Some(new)),
        };
        let (was, is) = (old.map(|old| &before.frames[old]), new.map(|new| &after.frames[new]));
        if let Some((was, is)) = was.zip(is) {
            change.compare_times(was, is);
        }
        if matches!(step, Step::Same(..)) {
            let between = |frame: &SettledFrame| (frame.between, frame.between_hash);
            change.between_changed += u64::from(was.map(between) != is.map(between));
            continue;
        }
        change.frames_changed += 1;
        let [one, other] = &mut pictures;
        let frames = [old.map(|old| one.at(old)), new.map(|new| other.at(new))];
        let found: Arc<[Difference]> = match (was.zip(is), frames) {
            (Some((was, is)), [Some(one), Some(other)]) => {
                known.differences([was, is], [one, other], reader)
            }
            (_, [Some(gone), _]) => alone(gone, reader, false).into(),
            (_, [_, Some(come)]) => alone(come, reader, true).into(),
            _ => Arc::default(),
        };
        let Some(seen) = is.or(was) else { continue };
        let encoded = |is_wanted: bool| {
            let picture = |frame: Option<&Frame>| frame.map(|frame| Arc::from(encode_png(frame)));
            if is_wanted { frames.map(picture) } else { [None, None] }
        };
        let at =
            |region: Region, pictures| Example { line: seen.line, at: seen.at, region, pictures };
        let diverged = outputs.diverged.iter().find(|one| one.contains(seen.at));
        if let Some(Divergence { cause: Some((cause, what)), .. }) =
            diverged.filter(|_| !after_divergence)
        {
            let region = found.iter().map(|one| one.region).reduce(union);
            let is_first = change.causes.iter().all(|seen| seen.cause != *cause);
            let example = at(region.unwrap_or(Region::PANEL), encoded(is_first && wanted(cause)));
            change.add(cause.clone(), 0, what, || example);
        }
        let is_folded = after_divergence || diverged.is_some();
        change.frames_after += u64::from(is_folded);
        if !is_folded {
            let mut in_this_frame: Vec<Cause> = Vec::new();
            let divergence = folded(&found).find(|(cause, _)| cause.diverges());
            let shown: Vec<_> = match divergence {
                Some(divergence) => vec![divergence],
                None => folded(&found).collect(),
            };
            for (cause, Difference { what, region }) in shown {
                after_divergence |= cause.diverges();
                let is_first = !in_this_frame.contains(&cause);
                let example = || at(*region, encoded(wanted(&cause)));
                change.add(cause.clone(), u64::from(is_first), &what.to_string(), example);
                in_this_frame.push(cause);
            }
        }
        for Difference { what, region } in found.iter() {
            if let Some((_, count, _)) = change.kinds.iter_mut().find(|(kind, ..)| kind == what) {
                *count += 1;
                continue;
            }
            if change.kinds.len() >= KINDS_MAX {
                change.kinds_left_out += 1;
                continue;
            }
            change.kinds.push((what.clone(), 1, at(*region, [None, None])));
        }
    }
    change.add_outputs(outputs, after_divergence);
    change
}

/// Returns the number of frames of `side` before the stop of `other`, if only `other` stopped.
/// Counts the frames up to the last input of `other`: a wait that is not satisfied lasts for
/// seconds, in which `side` already executes the following lines.
fn comparable(side: &Observation, other: &Observation) -> usize {
    match other.frames.last() {
        Some(last) if other.stopped && !side.stopped => {
            side.frames.partition_point(|frame| frame.line <= last.line)
        }
        _ => side.frames.len(),
    }
}

impl TraceChange {
    /// Adds a cause, or counts it.
    fn add(&mut self, cause: Cause, frames: u64, what: &str, example: impl FnOnce() -> Example) {
        if let Some(seen) = self.causes.iter_mut().find(|seen| seen.cause == cause) {
            seen.frames += frames;
        } else if self.causes.len() < CAUSES_MAX {
            let what = what.to_owned();
            self.causes.push(SeenCause { cause, frames, what, example: example() });
        }
    }

    /// Adds the causes that no frame shows. What follows from a divergence or from other bytes on the
    /// bus is no cause.
    fn add_outputs(&mut self, outputs: ConsoleAndTones, diverged: bool) {
        let example =
            |at: Instant| Example { line: 0, at, region: Region::PANEL, pictures: [None, None] };
        let diverged_at = outputs.diverged.iter().find(|one| one.from < one.until);
        let diverged_at = diverged_at.map(|one| one.from);
        for Divergence { cause, from, .. } in outputs.diverged {
            if let Some((cause, what)) = cause {
                self.add(cause, 0, &what, || example(from));
            }
        }
        for token in outputs.wordings {
            let cause = Cause::wording(token);
            let what = cause.to_string();
            self.add(cause, 0, &what, || example(Instant::START));
        }
        let stopped = self.tones.is_none();
        match outputs.tones {
            ToneDifference::Replaced(replaced) => {
                for (was, is) in replaced {
                    let cause = Cause::Tone([Some(was), Some(is)]);
                    let what = cause.to_string();
                    self.add(cause, 0, &what, || example(outputs.tones_at));
                }
            }
            ToneDifference::Diverged { hertz, .. }
                if !stopped && !diverged && diverged_at.is_none_or(|at| outputs.tones_at < at) =>
            {
                let cause = Cause::Tone(hertz);
                let what = cause.to_string();
                self.add(cause, 0, &what, || example(outputs.tones_at));
            }
            ToneDifference::Diverged { .. } | ToneDifference::None => {}
        }
        if !self.causes.is_empty() || self.is_empty() {
            return;
        }
        let is_later = |moments: [Instant; 2]| moments[1] > moments[0];
        let cause = if let Some((_, moments)) = self.shifted {
            Cause::Time { is_later: is_later(moments) }
        } else if self.ended_at[0] != self.ended_at[1] {
            Cause::Time { is_later: is_later(self.ended_at) }
        } else if self.failed.is_some() {
            Cause::Verdict
        } else if self.bytes[0] != self.bytes[1] {
            Cause::Bytes { are_more: self.bytes[1] > self.bytes[0] }
        } else {
            Cause::Movements
        };
        let what = cause.to_string();
        let line = self.shifted.map_or(0, |(line, _)| line);
        let at = self.shifted.map_or(Instant::START, |(_, moments)| moments[0]);
        self.add(cause, 0, &what, || Example { line, ..example(at) });
    }

    /// Leaves out everything after the stop of the replay of `side`.
    fn ignore_after_stop(&mut self, steps: &mut Vec<Step>, side: usize) {
        let goes_on = |step: &Step| matches!((step, side), (Step::New(_), 0) | (Step::Gone(_), 1));
        while steps.pop_if(|step| goes_on(step)).is_some() {
            self.beyond += 1;
        }
        while self.console.pop_if(|ConsoleChange(line)| line[side].is_none()).is_some() {}
        self.tones.take_if(|tones| tones.first[side].is_none());
        (self.bytes, self.ended_at) = ([self.bytes[side]; 2], [self.ended_at[side]; 2]);
    }

    /// Records the pair of frames with the greatest difference in time.
    fn compare_times(&mut self, was: &SettledFrame, is: &SettledFrame) {
        let apart = |moments: [Instant; 2]| moments[0].0.abs_diff(moments[1].0);
        let moments = [was.at, is.at];
        let furthest = self.shifted.map_or(0, |(_, moments)| apart(moments));
        if apart(moments) > furthest {
            self.shifted = Some((is.line, moments));
        }
    }
}

/// Returns the difference for a frame that only one side has.
fn alone(frame: &Frame, reader: &Reader, is_new: bool) -> Vec<Difference> {
    let (hash, shows) = (FrameHash::of(frame), headline(&reader.read(frame).to_string()));
    let what =
        if is_new { What::FrameNew { hash, shows } } else { What::FrameGone { hash, shows } };
    vec![Difference { what, region: Region::PANEL }]
}

/// Returns the console lines that differ. Lines in the same place are one change.
fn console_changes(sides: [&Observation; 2]) -> Vec<ConsoleChange> {
    let texts = sides.map(|side| {
        side.console.iter().take(LINES_MAX).map(|line| line.text.as_str()).collect::<Vec<_>>()
    });
    if texts[0] == texts[1] {
        return Vec::new();
    }
    let mut found = Vec::new();
    for change in capture_diff_slices(Algorithm::Patience, &texts[0], &texts[1]) {
        let (old, new) = match change {
            DiffOp::Equal { .. } => continue,
            change => (change.old_range(), change.new_range()),
        };
        let line = |side: usize, range: &std::ops::Range<usize>, nth: usize| {
            let text = texts[side].get(range.start + nth).filter(|_| nth < range.len())?;
            Some((*text).to_owned())
        };
        let lines =
            (0..old.len().max(new.len())).map(|nth| [line(0, &old, nth), line(1, &new, nth)]);
        found.extend(lines.map(ConsoleChange));
    }
    found
}

/// Returns the first note that differs.
fn tones(sides: [&Observation; 2]) -> Option<ToneChange> {
    let [before, after] = sides.map(|side| &side.tones);
    let longer = before.len().max(after.len());
    let hertz = |tone: &hal_mock::board::Tone| tone.hz.unwrap_or(0);
    let pair = |nth: usize| [before.get(nth), after.get(nth)];
    (0..longer).map(pair).find_map(|pair| {
        let first = pair.map(|tone| tone.map(hertz));
        let at = pair.iter().flatten().map(|tone| tone.at).min()?;
        (first[0] != first[1]).then_some(ToneChange { first, at })
    })
}

#[cfg(test)]
mod tests {
    use hal_mock::board::ConsoleLine;
    use proptest::prelude::*;
    use reading::golden::chain::Link;

    use super::*;

    const INK: u32 = 0x00FF_FFFF;

    /// Draws a frame with bars for `number`, and a mark in `ink` that is moved by `moved` columns.
    fn frame(number: u32, ink: u32, moved: usize) -> Frame {
        let mut frame = Frame::filled(320, 240, 0x0010_2030);
        let mut fill = |left: usize, top: usize, width: usize, height: usize, ink: u32| {
            for y in top..top + height {
                frame.pixels_mut()[y * 320 + left..y * 320 + left + width].fill(ink);
            }
        };
        for bit in 0..16 {
            let is_long = number.wrapping_mul(0x9E37_79B9) >> bit & 1 == 1;
            fill(bit % 8 * 40, 60 + bit / 8 * 60, if is_long { 30 } else { 4 }, 20, INK);
        }
        fill(10 + moved, 8, 12, 4, ink);
        fill(10 + moved, 8, 2, 9, ink);
        frame
    }

    fn observation(frames: &[Frame], console: &[&str]) -> Observation {
        let mut shown = Frame::filled(320, 240, 0);
        let mut seen = Observation::default();
        for (number, frame) in (1..).zip(frames) {
            let at = Instant::from_millis(number * 200);
            let link = Link::between(&shown, frame, at).unwrap();
            seen.frames.push(SettledFrame {
                at,
                settled: true,
                hash: link.hash,
                line: number as u32,
                bytes: 10,
                between: 0,
                between_hash: FrameHash(0),
                region: link.region,
                patch: frame.part(link.region),
            });
            shown = frame.clone();
        }
        let line = |text: &&str| ConsoleLine { at: Instant::START, text: (*text).to_owned() };
        seen.console = console.iter().map(line).collect();
        seen
    }

    fn compared(before: &Observation, after: &Observation) -> TraceChange {
        let reader = Reader::new(Vec::new());
        compare(Path::new("a.trace"), [before, after], &reader, &DifferenceCache::default(), |_| {
            true
        })
    }

    fn kinds_of(change: &TraceChange) -> Vec<(String, u64)> {
        change.kinds.iter().map(|(what, frames, _)| (what.to_string(), *frames)).collect()
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(24))]
        #[test]
        fn a_change_in_all_frames_is_one_kind_beside_an_added_frame(
            numbers in proptest::collection::vec(0_u32..1_000, 2..9), recolours in any::<bool>(), at in 0_usize..9,
        ) {
            let mut numbers = numbers;
            numbers.dedup();
            let (ink, moved) = if recolours { (0x00FF_0000, 0) } else { (INK, 1) };
            let before: Vec<Frame> = numbers.iter().map(|number| frame(*number, INK, 0)).collect();
            let mut after: Vec<Frame> = numbers.iter().map(|number| frame(*number, ink, moved)).collect();
            after.insert(at % numbers.len(), frame(5_000, ink, moved));
            let change = compared(&observation(&before, &[]), &observation(&after, &[]));
            let planted = if recolours {
                "the picture in 10,8,12,9 changed colour: #ffffff became #ff0000"
            } else {
                "the picture in 10,8,13,9 moved 1 px to the right"
            };
            let mut said = kinds_of(&change);
            said.sort();
            let new = ("a settled frame is new: “”".to_owned(), 1);
            prop_assert_eq!(said, [new, (planted.to_owned(), numbers.len() as u64)]);
            prop_assert_eq!(change.frames_changed, numbers.len() as u64 + 1);
            // The first frame with the change is the example, with both of its pictures.
            let planted = change.kinds.iter().find(|(what, ..)| !matches!(what, What::FrameNew { .. }));
            let (_, _, example) = planted.unwrap();
            prop_assert!(example.line <= 2);
            let causes = change.causes.iter().map(|seen| &seen.example);
            prop_assert!(causes.flat_map(|example| &example.pictures).any(Option::is_some));
        }
    }

    #[test]
    fn differences_besides_settled_frames_are_reported() {
        let frames = [frame(1, INK, 0), frame(2, INK, 0)];
        let before = observation(&frames, &["one", "two", "three"]);
        assert!(compared(&before, &before).is_empty());
        let mut after = observation(&frames, &["one", "2", "three", "four"]);
        after.frames[1].at = Instant::from_millis(403);
        after.frames[1].between = 1;
        after.bytes = 7;
        after.tones = vec![hal_mock::board::Tone { at: Instant::from_secs(1), hz: Some(440) }];
        after.failed = Some("line 3: why".to_owned());
        // Neither side stopped, so everything is compared.
        let change = compared(&before, &after);
        let line = |before: Option<&str>, after: Option<&str>| {
            ConsoleChange([before, after].map(|text| text.map(str::to_owned)))
        };
        assert_eq!(change.console, [line(Some("two"), Some("2")), line(None, Some("four"))]);
        let tones = ToneChange { first: [None, Some(440)], at: Instant::from_secs(1) };
        assert_eq!((change.bytes, change.tones.clone()), ([0, 7], Some(tones)));
        assert_eq!((change.frames_changed, change.between_changed), (0, 1));
        assert_eq!(change.shifted, Some((2, [400, 403].map(Instant::from_millis))));
        assert_eq!(change.failed, Some([None, Some("line 3: why".to_owned())]));
    }

    #[test]
    fn nothing_after_the_stop_of_one_side_is_compared() {
        let frames: Vec<Frame> = (1..6).map(|number| frame(number, INK, 0)).collect();
        let whole = observation(&frames, &["one", "two"]);
        let mut short = observation(&frames[..2], &["one"]);
        (short.stopped, short.failed) = (true, Some("line 3: why".to_owned()));
        for sides in [[&short, &whole], [&whole, &short]] {
            let change = compared(sides[0], sides[1]);
            assert_eq!((change.beyond, change.frames_changed, &change.kinds[..]), (3, 0, &[][..]));
            assert!(change.console.is_empty() && change.failed.is_some() && !change.is_empty());
        }
        short.stopped = false;
        assert_eq!(compared(&short, &whole).frames_changed, 3);
        // The short side stops before frames that the other side shows only after later inputs.
        let short = observation(&[frames[0].clone(), frames[4].clone()], &["one"]);
        let short = Observation { stopped: true, ..short };
        let change = compared(&short, &whole);
        assert_eq!((change.beyond, change.frames_changed), (3, 1), "{:?}", kinds_of(&change));
    }
}
