//! The flag that ends work early, for Ctrl-C. It knows no signals: the command `nudge` sets it.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// The flag. Clones are the same flag.
#[derive(Clone, Debug, Default)]
pub struct Interrupt(Arc<AtomicBool>);

impl Interrupt {
    /// Sets the flag, which cannot be cleared. Returns whether it was set before.
    pub fn set(&self) -> bool {
        self.0.swap(true, Ordering::Relaxed)
    }

    /// Whether it has been set.
    pub fn is_set(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}
