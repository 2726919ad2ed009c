//! Signals that end a session in the window as the closing of the window does. SDL makes SIGINT and
//! SIGTERM such; SIGHUP (the terminal is closed) and SIGQUIT come here.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// A flag that SIGHUP and SIGQUIT set from now on. A SIGHUP that is ignored, as under `nohup`, stays
/// ignored.
pub fn listen() -> Arc<AtomicBool> {
    let quit = Arc::new(AtomicBool::new(false));
    #[cfg(unix)]
    {
        use signal_hook::consts::{SIGHUP, SIGQUIT};

        use crate::ignored_signals::is_ignored;

        let signals = [SIGHUP, SIGQUIT];
        let is_kept = |signal: &i32| *signal != SIGHUP || is_ignored(SIGHUP) != Some(true);
        for signal in signals.into_iter().filter(is_kept) {
            // Where the system refuses a handler, the signal ends the process.
            let _ = signal_hook::flag::register(signal, Arc::clone(&quit));
        }
    }
    quit
}
