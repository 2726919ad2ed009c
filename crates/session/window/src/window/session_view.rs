//! What the window has of one session. Another session replaces the whole value, so that no finger, drag, message or
//! picture of the one before remains.

use host::clock::Speed;
use live::{OpenSession, Rebuilds, short_name};

use super::build::Build;
use super::fingers::Fingers;
use crate::face::{FooterView, Recording, Sound, View};

/// A session in the window.
pub(super) struct SessionView {
    pub(super) open: OpenSession,
    pub(super) view: View,
    pub(super) footer: FooterView,
    pub(super) fingers: Fingers,
    /// Whether the film has the frame that is shown.
    pub(super) is_filmed: bool,
    /// Whether the mouse drags the hand of the strip.
    pub(super) drags: bool,
    /// Firmware that is built again when its sources are saved.
    pub(super) build: Option<Build>,
}

impl SessionView {
    /// Shows `open`, from its first picture on.
    pub(super) fn new(
        open: OpenSession,
        (speed, sound): (Speed, Sound),
        rebuilds: Option<Box<dyn Rebuilds>>,
    ) -> Self {
        let build = rebuilds.map(|mut rebuilds| {
            rebuilds.begun(&open.recording_files);
            Build::new(rebuilds)
        });
        let recording = match &open.recording_files.record {
            Some(path) => Recording::To(short_name(path)),
            None => Recording::Off,
        };
        let view = View { flash: open.flash_state, speed, recording, sound, ..View::default() };
        let footer = FooterView { identity: open.identity.clone(), ..FooterView::default() };
        let fingers = Fingers::default();
        Self { open, view, footer, fingers, is_filmed: true, drags: false, build }
    }

    /// Brings what is drawn up to date.
    pub(super) fn refresh(&mut self) {
        self.view.down = self.open.held.down();
        self.view.flash = self.open.flash_state;
        if self.open.recording_failed {
            self.view.recording = Recording::Failed;
        }
        self.footer.message = self.open.message();
    }
}
