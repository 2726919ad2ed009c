//! A machine whose screens are recorded while it runs, with their times and, on request, their
//! pictures. This module knows neither presses nor what is explored.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use boards::native::Native;
use firmware_core::screen::View;
use hal_mock::{Call, Machine, MachineWrapper, board::FRAME_IDLE};
use ili9341_model::Frame;
use reading::text::Reader;
use virtual_time::Instant;

use super::screen::{Screen, screen, shape};

/// Maximum number of cached screens; beyond that each is read again.
const CACHED_MAX: usize = 100_000;

/// Recognises screens. Machines on several threads share one instance.
pub struct ScreenRecogniser<'a> {
    reader: &'a Reader,
    /// Screens that were read before, by their shapes.
    known: Mutex<HashMap<String, Arc<Screen>>>,
}

impl<'a> ScreenRecogniser<'a> {
    pub fn new(reader: &'a Reader) -> Self {
        Self { reader, known: Mutex::default() }
    }

    /// Returns the reader of the LCD.
    pub const fn reader(&self) -> &'a Reader {
        self.reader
    }

    /// Returns the screen of `view`, whose picture is `frame`.
    fn screen(&self, view: &View, frame: impl FnOnce() -> Frame) -> Option<Arc<Screen>> {
        let shape = shape(view)?;
        let known = || self.known.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(screen) = known().get(&shape) {
            return Some(Arc::clone(screen));
        }
        // The cache is not locked while reading, which is slow. Two threads may read the same
        // screen.
        let read = Arc::new(screen(view, &self.reader.read(&frame())));
        let mut known = known();
        if known.len() < CACHED_MAX {
            known.insert(shape, Arc::clone(&read));
        }
        Some(read)
    }
}

/// A screen with its time and, if requested, its view and picture.
#[derive(Clone)]
pub(super) struct SeenScreen {
    pub(super) at: Instant,
    pub(super) screen: Arc<Screen>,
    pub(super) picture: Option<(View, Frame)>,
}

/// Selects the screens whose pictures are stored.
#[derive(Clone, Copy)]
pub(super) enum StoredPictures<'a> {
    Nothing,
    /// The first occurrence of this screen since this time.
    Only(&'a Screen, Instant),
}

/// A machine whose screens are recorded.
pub(super) struct Watched<'a> {
    native: Native,
    eye: &'a ScreenRecogniser<'a>,
    pub(super) keep: StoredPictures<'a>,
    /// View on the LCD after the last step.
    shown: Option<View>,
    /// A view that has been sent and whose frame is not complete yet, with the time of sending.
    sent: Option<(Instant, View)>,
    pub(super) noted: Vec<SeenScreen>,
}

impl<'a> Watched<'a> {
    pub(super) fn new(
        native: Native,
        eye: &'a ScreenRecogniser<'a>,
        keep: StoredPictures<'a>,
    ) -> Self {
        Self { native, eye, keep, shown: None, sent: None, noted: Vec::new() }
    }

    /// Returns the reader of the machine's LCD.
    pub(super) fn reader(&self) -> &'a Reader {
        self.eye.reader()
    }

    /// Returns a copy in the same state, with the same recorded screens; `None` if the machine
    /// cannot be copied.
    pub(super) fn copy(&self) -> Option<Self> {
        let (native, noted) = (self.native.copy()?, self.noted.clone());
        let Self { eye, keep, shown, sent, .. } = *self;
        Some(Self { native, eye, keep, shown, sent, noted })
    }

    fn note(&mut self, at: Instant, view: &View) {
        let board = self.native.board();
        let frame = || board.frame_at(at.saturating_add(FRAME_IDLE));
        let Some(screen) = self.eye.screen(view, frame) else { return };
        let wanted = match self.keep {
            StoredPictures::Only(wanted, since) => {
                *screen == *wanted
                    && at >= since
                    && !self.noted.iter().any(|noted| noted.picture.is_some())
            }
            StoredPictures::Nothing => false,
        };
        let is_new = self.noted.last().is_none_or(|last| last.screen != screen);
        if is_new || wanted {
            let picture = wanted.then(|| (*view, frame()));
            self.noted.push(SeenScreen { at, screen, picture });
        }
    }
}

impl MachineWrapper for Watched<'_> {
    fn inner(&self) -> &dyn Machine {
        &self.native
    }

    fn inner_mut(&mut self) -> &mut dyn Machine {
        &mut self.native
    }

    /// Notes what the last step has completed.
    fn after(&mut self, _: Call, _: bool) {
        let now = self.native.board().now();
        if let Some((at, view)) = self.sent
            && now >= at.saturating_add(FRAME_IDLE)
        {
            self.sent = None;
            self.note(at, &view);
        }
        let (shown, _) = self.native.views();
        if shown != self.shown {
            self.shown = shown;
            // What is overtaken before its frame is complete is never seen.
            self.sent = shown.map(|view| (now, view));
        }
    }
}
