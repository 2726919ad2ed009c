//! The inputs of a session as another thread reads them when the session's own thread does not
//! answer any more. It knows no machine.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

use trace::Action;
use virtual_time::Instant;

use super::branches::Course;
use super::input_log::InputLog;

/// The inputs of a session, shared with another thread.
#[derive(Debug, Default)]
pub(super) struct Journal {
    events: Mutex<Vec<(Instant, Action)>>,
    /// Courses that the session has left, and the number of its present one.
    courses: Mutex<(Vec<Course>, u32)>,
    /// Whether another session has taken over: this one records nothing any more.
    is_abandoned: AtomicBool,
}

impl Journal {
    /// Adds an input.
    pub(super) fn add(&self, at: Instant, action: &Action) {
        self.locked().push((at, action.clone()));
    }

    /// Replaces all inputs.
    pub(super) fn replace(&self, events: &[(Instant, Action)]) {
        let mut locked = self.locked();
        locked.clear();
        locked.extend_from_slice(events);
    }

    /// Returns the inputs up to `end`.
    pub(super) fn until(&self, end: Instant) -> InputLog {
        InputLog { events: self.locked().clone(), end }.until(end)
    }

    /// Replaces the courses that the session has left, and the number of its present one.
    pub(super) fn set_courses(&self, left: &[Course], present: u32) {
        *self.courses.lock().unwrap_or_else(PoisonError::into_inner) = (left.to_vec(), present);
    }

    /// Returns the courses that the session has left, and the number of its present one.
    pub(super) fn courses(&self) -> (Vec<Course>, u32) {
        self.courses.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Makes the session record nothing any more, and end as soon as it can.
    pub(super) fn abandon(&self) {
        self.is_abandoned.store(true, Ordering::Release);
    }

    pub(super) fn is_abandoned(&self) -> bool {
        self.is_abandoned.load(Ordering::Acquire)
    }

    fn locked(&self) -> std::sync::MutexGuard<'_, Vec<(Instant, Action)>> {
        self.events.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
