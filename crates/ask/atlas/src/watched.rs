//! A machine whose screens are noted while it runs: when each came, and, where it is asked for, its picture.
//! It knows neither presses nor what is explored.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use boards::native::Native;
use firmware_core::screen::View;
use hal_mock::{Call, Machine, MachineWrapper, board::FRAME_IDLE};
use ili9341_model::Frame;
use reading::text::Reader;
use virtual_time::Instant;

use super::screen::{Screen, screen, shape};

/// Screens in a cache; beyond that each is read again.
const CACHED_MAX: usize = 100_000;

/// Tells screens from each other. Machines on several threads share one.
pub struct Eye<'a> {
    reader: &'a Reader,
    /// The screens of the shapes that were read before.
    known: Mutex<HashMap<String, Arc<Screen>>>,
}

impl<'a> Eye<'a> {
    pub fn new(reader: &'a Reader) -> Self {
        Self { reader, known: Mutex::default() }
    }

    /// What reads the LCD.
    pub const fn reader(&self) -> &'a Reader {
        self.reader
    }

    /// The screen that `view` is, whose picture is `frame`.
    fn screen(&self, view: &View, frame: impl FnOnce() -> Frame) -> Option<Arc<Screen>> {
        let shape = shape(view)?;
        let known = || self.known.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(screen) = known().get(&shape) {
            return Some(Arc::clone(screen));
        }
        // Not locked meanwhile: reading takes a while, and two threads read the same.
        let read = Arc::new(screen(view, &self.reader.read(&frame())));
        let mut known = known();
        if known.len() < CACHED_MAX {
            known.insert(shape, Arc::clone(&read));
        }
        Some(read)
    }
}

/// A screen, when it came, and the view and picture that were asked for.
#[derive(Clone)]
pub(super) struct Noted {
    pub(super) at: Instant,
    pub(super) screen: Arc<Screen>,
    pub(super) picture: Option<(View, Frame)>,
}

/// Which pictures are kept of the screens that are noted.
#[derive(Clone, Copy)]
pub(super) enum Keep<'a> {
    Nothing,
    /// The first of this screen since a moment.
    Only(&'a Screen, Instant),
}

/// A machine whose screens are noted.
pub(super) struct Watched<'a> {
    native: Native,
    eye: &'a Eye<'a>,
    pub(super) keep: Keep<'a>,
    /// What the LCD showed after the last step.
    shown: Option<View>,
    /// A view that has been sent, and when: its frame is not complete yet.
    sent: Option<(Instant, View)>,
    pub(super) noted: Vec<Noted>,
}

impl<'a> Watched<'a> {
    pub(super) fn new(native: Native, eye: &'a Eye<'a>, keep: Keep<'a>) -> Self {
        Self { native, eye, keep, shown: None, sent: None, noted: Vec::new() }
    }

    /// What reads its LCD.
    pub(super) fn reader(&self) -> &'a Reader {
        self.eye.reader()
    }

    /// Another one in the same state, which has noted the same. `None` if the machine cannot be copied.
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
            Keep::Only(wanted, since) => {
                *screen == *wanted
                    && at >= since
                    && !self.noted.iter().any(|noted| noted.picture.is_some())
            }
            Keep::Nothing => false,
        };
        let is_new = self.noted.last().is_none_or(|last| last.screen != screen);
        if is_new || wanted {
            let picture = wanted.then(|| (*view, frame()));
            self.noted.push(Noted { at, screen, picture });
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
