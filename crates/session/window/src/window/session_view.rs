//! State of one session in the window. Another session replaces the whole value, so that no
//! finger, drag, message or picture of the previous one remains.

use std::sync::Arc;

use host::clock::Speed;
use live::keymap::KeyAction;
use live::{Branch, ConsoleView, OpenSession, Rebuilds, RecentSession, short_name};
use trace::Control;

use super::build::Build;
use super::fingers::Fingers;
use super::held_part::HeldPart;
use super::part_states::states_of;
use crate::face::{FooterView, Recording, Sound, View};

/// Progress of the change of a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Remap {
    /// The key of the action is awaited.
    Former,
    /// The new key of this action is awaited.
    New(KeyAction),
}

/// A session in the window.
pub(super) struct SessionView {
    pub(super) open: OpenSession,
    pub(super) view: View,
    pub(super) footer: FooterView,
    pub(super) fingers: Fingers,
    /// Encoders, joysticks and potentiometers that pointers hold.
    pub(super) held_parts: Vec<HeldPart>,
    /// The control under the mouse.
    pub(super) pointed_part: Option<Control>,
    /// Courses that the session has left.
    pub(super) branches: Arc<Vec<Branch>>,
    /// Recent sessions, as they are listed.
    pub(super) recent: Vec<RecentSession>,
    /// Progress of the change of a key.
    pub(super) remap: Option<Remap>,
    /// Number of repetitions of the key that is held.
    pub(super) repeats: u32,
    /// The console in the pane.
    pub(super) console: ConsoleView,
    /// Whether the film contains the shown frame.
    pub(super) is_filmed: bool,
    /// Whether the key for fast-forward is down.
    pub(super) fast: bool,
    /// Whether the mouse drags the time marker of the strip.
    pub(super) drags: bool,
    /// State of the firmware's rebuilds, with `--watch`.
    pub(super) build: Option<Build>,
}

impl SessionView {
    /// Shows `open`, starting with its first picture.
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
        let view = View {
            flash: open.flash_state,
            speed,
            pace: speed,
            recording,
            sound,
            ..View::default()
        };
        let footer = FooterView { identity: open.identity.clone(), ..FooterView::default() };
        let fingers = Fingers::default();
        Self {
            open,
            view,
            footer,
            fingers,
            held_parts: Vec::new(),
            pointed_part: None,
            console: ConsoleView::default(),
            branches: Arc::default(),
            recent: Vec::new(),
            remap: None,
            repeats: 0,
            is_filmed: true,
            fast: false,
            drags: false,
            build,
        }
    }

    /// Updates the states of the parts that are drawn.
    pub(super) fn show_parts(&mut self) {
        self.view.parts = states_of(&self.open.hands.shown());
    }

    /// Updates the data that is drawn.
    pub(super) fn refresh(&mut self) {
        self.view.down = self.open.held.down();
        self.view.flash = self.open.flash_state;
        self.view.recording = match (&self.open.recording_files.record, &self.open.recording_failed)
        {
            (_, Some(_)) => Recording::Failed,
            (Some(path), None) => Recording::To(short_name(path)),
            (None, None) => Recording::Off,
        };
        self.footer.message = self.open.message();
    }
}
