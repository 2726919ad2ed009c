//! What a session rings when it has an update, so that a view need not look for one.

use std::fmt;
use std::sync::{Arc, OnceLock};

/// What is called when there is an update that has not been fetched; it may be called from any thread.
pub type Ring = Box<dyn Fn() + Send + Sync>;

/// Both ends have it: the view says once what it calls.
#[derive(Clone, Default)]
pub(crate) struct Bell(Arc<OnceLock<Ring>>);

impl Bell {
    /// From now on it calls `ring`. A second one is not taken.
    pub(crate) fn rings(&self, ring: Ring) {
        // An error says that it has one.
        let _ = self.0.set(ring);
    }

    /// Calls it, if there is something to call.
    pub(crate) fn ring(&self) {
        if let Some(ring) = self.0.get() {
            ring();
        }
    }
}

impl fmt::Debug for Bell {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("Bell")
    }
}
