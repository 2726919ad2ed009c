//! A machine whose screens are recorded while it runs, with their times and, on request, their
//! pictures. This module knows neither presses nor what is explored.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use hal_mock::{Call, Machine, MachineWrapper, board::FRAME_IDLE};
use ili9341_model::Frame;
use insight::{OpenMachine, Screen, Screens, View};
use reading::text::Reader;
use virtual_time::Instant;

/// Maximum number of cached screens; beyond that each is read again.
const CACHED_MAX: usize = 100_000;

/// Recognises screens. Machines on several threads share one instance.
pub struct ScreenRecogniser<'a> {
    screens: &'a dyn Screens,
    reader: &'a Reader,
    /// Screens that were read before, by their shapes.
    known: Mutex<HashMap<String, Arc<Screen>>>,
}

impl<'a> ScreenRecogniser<'a> {
    pub fn new(screens: &'a dyn Screens, reader: &'a Reader) -> Self {
        Self { screens, reader, known: Mutex::default() }
    }

    /// Returns the screens of the firmware.
    pub fn screens(&self) -> &'a dyn Screens {
        self.screens
    }

    /// Returns the reader of the LCD.
    pub const fn reader(&self) -> &'a Reader {
        self.reader
    }

    /// Returns the screen of `view`, whose picture is `frame`.
    fn screen(&self, view: &dyn View, frame: impl FnOnce() -> Frame) -> Option<Arc<Screen>> {
        let shape = self.screens.shape(view)?;
        let known = || self.known.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(screen) = known().get(&shape) {
            return Some(Arc::clone(screen));
        }
        // The cache is not locked while reading, which is slow. Two threads may read the same
        // screen.
        let read = Arc::new(self.screens.screen(view, &self.reader.read(&frame())));
        let mut known = known();
        if known.len() < CACHED_MAX {
            known.insert(shape, Arc::clone(&read));
        }
        Some(read)
    }
}

/// A view, and its picture on the LCD.
pub(super) type PicturedView = (Arc<dyn View>, Frame);

/// A screen with its time and, if requested, its view and picture.
#[derive(Clone)]
pub(super) struct SeenScreen {
    pub(super) at: Instant,
    pub(super) screen: Arc<Screen>,
    pub(super) picture: Option<PicturedView>,
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
    machine: Box<dyn OpenMachine>,
    eye: &'a ScreenRecogniser<'a>,
    pub(super) keep: StoredPictures<'a>,
    /// View on the LCD after the last step.
    shown: Option<Arc<dyn View>>,
    /// A view that has been sent and whose frame is not complete yet, with the time of sending.
    sent: Option<(Instant, Arc<dyn View>)>,
    pub(super) noted: Vec<SeenScreen>,
}

impl<'a> Watched<'a> {
    pub(super) fn new(
        machine: Box<dyn OpenMachine>,
        eye: &'a ScreenRecogniser<'a>,
        keep: StoredPictures<'a>,
    ) -> Self {
        Self { machine, eye, keep, shown: None, sent: None, noted: Vec::new() }
    }

    /// Returns the reader of the machine's LCD.
    pub(super) fn reader(&self) -> &'a Reader {
        self.eye.reader()
    }

    /// Returns a copy in the same state, with the same recorded screens; `None` if the machine
    /// cannot be copied.
    pub(super) fn copy(&self) -> Option<Self> {
        Some(Self {
            machine: self.machine.open_copy()?,
            eye: self.eye,
            keep: self.keep,
            shown: self.shown.clone(),
            sent: self.sent.clone(),
            noted: self.noted.clone(),
        })
    }

    fn note(&mut self, at: Instant, view: &Arc<dyn View>) {
        let board = self.machine.board();
        let frame = || board.frame_at(at.saturating_add(FRAME_IDLE));
        let Some(screen) = self.eye.screen(&**view, frame) else { return };
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
            let picture = wanted.then(|| (Arc::clone(view), frame()));
            self.noted.push(SeenScreen { at, screen, picture });
        }
    }
}

impl MachineWrapper for Watched<'_> {
    fn inner(&self) -> &dyn Machine {
        &*self.machine
    }

    fn inner_mut(&mut self) -> &mut dyn Machine {
        &mut *self.machine
    }

    /// Notes what the last step has completed.
    fn after(&mut self, _: Call, _: bool) {
        let now = self.machine.board().now();
        if let Some((at, view)) = self.sent.take_if(|(at, _)| now >= at.saturating_add(FRAME_IDLE))
        {
            self.note(at, &view);
        }
        let shown = self.machine.views().shown;
        let is_same = match (&shown, &self.shown) {
            (Some(shown), Some(before)) => shown.is(&**before),
            (None, None) => true,
            (Some(_), None) | (None, Some(_)) => false,
        };
        if !is_same {
            // What is overtaken before its frame is complete is never seen.
            self.sent = shown.clone().map(|view| (now, view));
            self.shown = shown;
        }
    }
}
