//! Wakes the window's loop for an update of the session with an SDL event.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use live::Live;
use sdl2::EventSubsystem;

use super::error::SdlError;

/// Event of an update.
struct UpdatePending;

/// Puts one event into the queue of SDL for any number of updates, from the threads of sessions.
pub(super) struct UpdateEvents {
    events: EventSubsystem,
    /// Whether an event was put in, and the loop has not polled for an update since: one event
    /// suffices.
    pending: Arc<AtomicBool>,
}

impl UpdateEvents {
    pub(super) fn new(events: EventSubsystem) -> Result<Self, SdlError> {
        events.register_custom_event::<UpdatePending>()?;
        Ok(Self { events, pending: Arc::default() })
    }

    /// Wakes the loop for updates of `live`.
    pub(super) fn watch(&self, live: &Live) {
        let (sender, pending) = (self.events.event_sender(), Arc::clone(&self.pending));
        live.on_update(Box::new(move || {
            if !pending.swap(true, Ordering::AcqRel)
                && sender.push_custom_event(UpdatePending).is_err()
            {
                // The queue is full, or SDL has ended. The loop polls by itself, only later.
                pending.store(false, Ordering::Release);
            }
        }));
    }

    /// Must be called when the loop polls for an update, so that a later update adds another
    /// event.
    pub(super) fn taken(&self) {
        self.pending.store(false, Ordering::Release);
    }
}
