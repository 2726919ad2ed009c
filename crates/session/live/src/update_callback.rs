//! Callback of a session that has an update, so that a view need not poll.

use std::fmt;
use std::sync::{Arc, OnceLock};

/// Callback for an update that has not been fetched, called from any thread.
pub type OnUpdate = Box<dyn Fn() + Send + Sync>;

/// The callback, shared by both ends: the view sets it once, the session calls it.
#[derive(Clone, Default)]
pub(crate) struct UpdateCallback(Arc<OnceLock<OnUpdate>>);

impl UpdateCallback {
    /// Sets the callback. Only the first call has an effect.
    pub(crate) fn set(&self, on_update: OnUpdate) {
        // An error means that one is set.
        let _ = self.0.set(on_update);
    }

    /// Calls the callback, if it is set.
    pub(crate) fn call(&self) {
        if let Some(on_update) = self.0.get() {
            on_update();
        }
    }
}

impl fmt::Debug for UpdateCallback {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("UpdateCallback")
    }
}
