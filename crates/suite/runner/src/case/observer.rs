//! Records what happens in a replay of the machine and of the trace.
//!
//! [`FrameLog`] records when a machine's frames were complete and, to compare runs, their hashes.
//! [`Observer`] forwards the replay's calls to the [`Gallery`] and records presses, power and the
//! LCD's picture at each failed line. Neither changes the replay.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use hal_mock::{
    VirtualBoard,
    replay::{ChainFrame, Event, Failure, FailureCause, FailureId, Goldens},
};
use ili9341_model::{Frame, Region};
use reading::golden::{self, GoldenError, Mismatch, Rules, chain::FrameHash};
use trace::FrameCheck;
use virtual_time::Instant;

use super::gallery::chain::DifferingFrame;
use super::gallery::{Gallery, GalleryError};
use crate::frames::{FrameObserver, FrameWatch};
use crate::observe::Observers;
use crate::report::history::FrameSeen;
use crate::report::{ComparedWith, Comparison, FailureScreen};

/// Greatest number of frames whose times are recorded: one hour at 290 frames/s. Later ones are not
/// on the timeline.
const FRAMES_MAX: usize = 1 << 20;

/// A machine whose frames are recorded.
pub(crate) type ObservedMachine<'a> = FrameWatch<FrameLog<'a>>;

/// Records the complete frames of a machine.
#[derive(Default)]
pub(crate) struct FrameLog<'a> {
    /// Whether every frame is hashed, which takes a fraction of a millisecond per frame.
    pub hashes_frames: bool,
    pub frames: Vec<FrameSeen>,
    /// Observers that are called for every frame as well.
    pub observers: Observers<'a>,
}

impl FrameObserver for FrameLog<'_> {
    fn frame_complete(&mut self, at: Instant, board: &VirtualBoard) {
        if self.frames.len() < FRAMES_MAX {
            let look = if self.hashes_frames { FrameHash::of(&board.frame()).0 } else { 0 };
            self.frames.push(FrameSeen { at, look });
        }
        self.observers.frame_complete(at, board);
    }
}

/// Forwards calls from the replay to the gallery and records them.
pub(crate) struct Observer<'a, 'b> {
    pub gallery: &'a mut Gallery<'b>,
    /// Folder of the goldens.
    pub folder: PathBuf,
    /// Whether a report shows the LCD's picture at a failure.
    pub wants_screens: bool,
    /// Inputs of the trace, not yet sorted by time.
    pub events: Vec<(Instant, Event)>,
    /// LCD pictures at the recorded failures, one per failure of a line.
    pub screens: BTreeMap<FailureId, FailureScreen>,
    /// Whether a report names the screen elements in which a frame differs.
    pub names_elements: bool,
    /// Pixels in which frames differ at the recorded failures.
    pub differing: BTreeMap<FailureId, DifferingPixels>,
    /// The frames of the chains that differ, by failure.
    pub chains: BTreeMap<FailureId, DifferingFrame>,
    /// The chain that differs, and its frame.
    chain_found: Option<(String, DifferingFrame)>,
    /// The golden frame or chain that differs last, its time if it is not that of the failure, and
    /// its pixels.
    found: Option<(String, Option<Instant>, Pixels)>,
    /// The golden frame or chain that differs, the LCD's picture of the compared region, and the
    /// comparison.
    compared: Option<(String, Vec<u8>, Comparison)>,
}

/// Column and row of pixels of the LCD.
pub(crate) type Pixels = Vec<(usize, usize)>;

/// The pixels of the LCD in which a frame differs.
pub(crate) struct DifferingPixels {
    /// Time of the frame.
    pub at: Instant,
    /// Column and row of each pixel.
    pub pixels: Pixels,
}

impl<'a, 'b> Observer<'a, 'b> {
    pub fn new(gallery: &'a mut Gallery<'b>, folder: PathBuf, wants_screens: bool) -> Self {
        let (events, screens) = (Vec::new(), BTreeMap::new());
        let (names_elements, differing) = (false, BTreeMap::new());
        let (compared, found) = (None, None);
        Self {
            gallery,
            folder,
            wants_screens,
            events,
            screens,
            names_elements,
            differing,
            chains: BTreeMap::new(),
            chain_found: None,
            found,
            compared,
        }
    }
}

/// Returns the pixels of the region at `corner` in which two frames differ, by `rules`.
fn differing(corner: (usize, usize), actual: &Frame, expected: &Frame, rules: &Rules) -> Pixels {
    let columns_of = |row: usize| (0..actual.width()).map(move |column| (column, row));
    let differs = |(column, row): &(usize, usize)| match (
        actual.pixel(*column, *row),
        expected.pixel(*column, *row),
    ) {
        (Some(is), Some(should)) => rules.differs(corner.0 + column, corner.1 + row, is, should),
        _ => false,
    };
    let pixels = (0..actual.height()).flat_map(columns_of).filter(differs);
    pixels.map(|(column, row)| (corner.0 + column, corner.1 + row)).collect()
}

/// Returns the gallery's error of a failure, if the failure is about a golden.
fn gallery_error(failure: &Failure) -> Option<&GalleryError> {
    match &failure.cause {
        FailureCause::Golden(error) => error.cause(),
        _ => None,
    }
}

/// Returns the golden frame or the chain that the failing frame was compared with.
fn golden_of(failure: &Failure) -> Option<&str> {
    gallery_error(failure)?.compared_with()
}

/// Converts a region of the panel to the pixel coordinates of its part `within`.
fn from_corner(region: Region, within: Region) -> Region {
    let (x, y) = (region.x.saturating_sub(within.x), region.y.saturating_sub(within.y));
    Region { x, y, ..region }
}

impl Goldens for Observer<'_, '_> {
    fn check(&mut self, expected: &FrameCheck, actual: &Frame) -> Result<(), GoldenError> {
        let result = self.gallery.check(expected, actual);
        if result.is_err() && (self.wants_screens || self.names_elements) {
            let name = &expected.name;
            let golden = golden::read_png(self.folder.join(format!("{name}.png")));
            if let (Ok(golden), true) = (&golden, self.names_elements) {
                let (region, rules) = (expected.shown(actual), &expected.rules);
                let part = actual.part(region);
                let pixels = differing(region.corner(), &part, golden, rules);
                self.found = Some((name.clone(), None, pixels));
            }
            let golden = golden.ok().filter(|_| self.wants_screens);
            self.compared = golden.map(|golden| {
                let (region, rules) = (expected.shown(actual), &expected.rules);
                let difference = golden::difference_part(actual, &golden, region, rules);
                let part = actual.part(region);
                let compared = Comparison {
                    with: ComparedWith::Golden,
                    other: golden::encode_png(&golden),
                    difference: golden::encode_png(&difference),
                    region: match golden::compare_part(actual, &golden, region, rules) {
                        Err(Mismatch::Pixels(found)) => Some(from_corner(found.region(), region)),
                        _ => None,
                    },
                };
                (name.clone(), golden::encode_png(&part), compared)
            });
        }
        result
    }

    fn watch(&mut self, name: &str, seen: &ChainFrame<'_>) {
        self.gallery.watch(name, seen);
    }

    fn chain(&mut self, name: &str) -> Result<(), GoldenError> {
        let result = self.gallery.chain(name);
        let found = self.gallery.differing.take();
        if let (Err(_), Some(found), true) = (&result, &found, self.names_elements) {
            let pixels = differing((0, 0), &found.actual, &found.before, &Rules::default());
            self.found = Some((name.to_owned(), Some(found.at), pixels));
        }
        if let (Err(_), Some(DifferingFrame { before, actual, .. }), true) =
            (&result, &found, self.wants_screens)
        {
            let compared = Comparison {
                with: ComparedWith::FrameBefore,
                other: golden::encode_png(before),
                difference: golden::encode_png(&golden::difference_frame(actual, before)),
                region: match golden::compare(actual, before) {
                    Err(Mismatch::Pixels(found)) => Some(found.region()),
                    _ => None,
                },
            };
            self.compared = Some((name.to_owned(), golden::encode_png(actual), compared));
        }
        if result.is_err() {
            self.chain_found = found.map(|found| (name.to_owned(), found));
        }
        result
    }

    fn screenshot(&mut self, name: &str, frame: &Frame) -> Result<(), GoldenError> {
        self.gallery.screenshot(name, frame)
    }

    fn happened(&mut self, at: Instant, event: Event) {
        self.events.push((at, event));
    }

    fn failed(&mut self, failure: &Failure, frame: &Frame) {
        // A comparison belongs only to the failure that names its golden, not to a later one.
        let compared = self.compared.take();
        let found = self.found.take().filter(|(name, ..)| golden_of(failure) == Some(name));
        if let Some((_, at, pixels)) = found {
            let at = at.unwrap_or(failure.at);
            self.differing.insert(failure.id, DifferingPixels { at, pixels });
        }
        let chain = self.chain_found.take().filter(|(name, _)| golden_of(failure) == Some(name));
        if let Some((_, found)) = chain {
            self.chains.insert(failure.id, found);
        }
        let difference = gallery_error(failure).and_then(GalleryError::artifact);
        let difference = difference.map(Path::to_owned);
        let screen = match compared.filter(|(name, ..)| golden_of(failure) == Some(name)) {
            Some((_, actual, compared)) => {
                FailureScreen { actual, compared: Some(compared), difference }
            }
            None if self.wants_screens && !frame.pixels().is_empty() => {
                FailureScreen { actual: golden::encode_png(frame), compared: None, difference }
            }
            None => FailureScreen::default(),
        };
        self.screens.insert(failure.id, screen);
    }
}

#[cfg(test)]
mod tests {
    use trace::Place;

    use super::*;

    fn failure(cause: FailureCause) -> Failure {
        let (place, at) = (Some(Place::default()), Instant::START);
        Failure { id: FailureId(0), place, included: None, at, cause, display: None, shown: None }
    }

    fn differs(name: &str) -> GalleryError {
        let sizes = Mismatch::Size { actual: (320, 240), expected: (1, 1) };
        let (name, golden) = (name.to_owned(), PathBuf::from("win/start.png"));
        GalleryError::FrameDiffers {
            name,
            golden,
            mismatch: Box::new(sizes),
            relation: None,
            artifact: None,
        }
    }

    #[test]
    fn frames_are_recorded_up_to_a_limit() {
        let board = VirtualBoard::new(hal_mock::BoardConfig::default());
        let frames = vec![FrameSeen { at: Instant::START, look: 0 }; FRAMES_MAX - 1];
        let mut log = FrameLog { frames, ..FrameLog::default() };
        for nth in 1..=3 {
            log.frame_complete(Instant::from_millis(nth), &board);
        }
        assert_eq!(log.frames.len(), FRAMES_MAX);
        let last = log.frames.last().map(|frame| frame.at);
        assert_eq!(last, Some(Instant::from_millis(1)), "the first are kept");
    }

    #[test]
    fn a_failure_names_the_golden_that_it_was_compared_with() {
        let golden = failure(GoldenError::reported(differs("start")).into());
        assert_eq!(golden_of(&golden), Some("start"));
        let text = failure(FailureCause::TextMissing { wanted: "A".into(), near: None });
        assert_eq!(golden_of(&text), None);
        let other = failure(GoldenError::from("expected frame start, but it differs").into());
        assert_eq!(golden_of(&other), None, "a text is not parsed back");
    }
}
