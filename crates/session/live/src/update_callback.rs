//! What a session calls when it has an update, so that a view need not look for one.

use std::fmt;
use std::sync::{Arc, OnceLock};

/// Called when there is an update that has not been fetched, from any thread.
pub type OnUpdate = Box<dyn Fn() + Send + Sync>;

/// Shared by both ends: the view sets once what the session calls.
#[derive(Clone, Default)]
pub(crate) struct UpdateCallback(Arc<OnceLock<OnUpdate>>);

impl UpdateCallback {
    /// From now on [`call`](Self::call) calls `on_update`. Only the first one is taken.
    pub(crate) fn set(&self, on_update: OnUpdate) {
        // An error says that one is set.
        let _ = self.0.set(on_update);
    }

    /// Calls it, if it is set.
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
