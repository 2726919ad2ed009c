//! An update of the session wakes the window's loop: it is an event of SDL's.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use live::Live;
use sdl2::EventSubsystem;

use super::error::SdlError;

/// There is an update.
struct News;

/// Rung by sessions, from their threads.
pub(super) struct Doorbell {
    events: EventSubsystem,
    /// It was rung, and nobody has looked since: one event suffices.
    rung: Arc<AtomicBool>,
}

impl Doorbell {
    pub(super) fn new(events: EventSubsystem) -> Result<Self, SdlError> {
        events.register_custom_event::<News>()?;
        Ok(Self { events, rung: Arc::default() })
    }

    /// `live` rings it for each update.
    pub(super) fn of(&self, live: &Live) {
        let (sender, rung) = (self.events.event_sender(), Arc::clone(&self.rung));
        live.rings(Box::new(move || {
            if !rung.swap(true, Ordering::AcqRel) && sender.push_custom_event(News).is_err() {
                // The queue is full, or SDL has ended. The loop looks by itself, only later.
                rung.store(false, Ordering::Release);
            }
        }));
    }

    /// The loop looks for an update: a later one rings anew.
    pub(super) fn answered(&self) {
        self.rung.store(false, Ordering::Release);
    }
}
