//! Signals that end a session as the closing of the window does, and the one that suspends it in a terminal.
//! SDL makes SIGINT and SIGTERM such that end it; SIGHUP (the terminal is closed) and SIGQUIT come here, and in
//! a terminal all four.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// A flag that SIGHUP and SIGQUIT set from now on. A SIGHUP that is ignored, as under `nohup`, stays
/// ignored.
#[cfg(feature = "window")]
pub fn listen() -> Arc<AtomicBool> {
    let quit = Arc::new(AtomicBool::new(false));
    #[cfg(unix)]
    set_on(&quit, &[signal_hook::consts::SIGHUP, signal_hook::consts::SIGQUIT]);
    quit
}

/// Two flags for a session in the terminal: one that the signals set that end it, and one that SIGTSTP sets.
#[cfg(feature = "terminal")]
pub fn listen_in_terminal() -> [Arc<AtomicBool>; 2] {
    let [quit, suspend] = [(); 2].map(|()| Arc::new(AtomicBool::new(false)));
    #[cfg(unix)]
    {
        use signal_hook::consts::{SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGTSTP};

        set_on(&quit, &[SIGHUP, SIGINT, SIGQUIT, SIGTERM]);
        set_on(&suspend, &[SIGTSTP]);
    }
    [quit, suspend]
}

/// Sets `flag` on each of the signals; a SIGHUP that is ignored stays so.
#[cfg(unix)]
fn set_on(flag: &Arc<AtomicBool>, signals: &[i32]) {
    use signal_hook::consts::SIGHUP;

    use crate::ignored_signals::is_ignored;

    let is_kept = |signal: &&i32| **signal != SIGHUP || is_ignored(SIGHUP) != Some(true);
    for signal in signals.iter().filter(is_kept) {
        // Where the system refuses a handler, the signal does what it does by default.
        let _ = signal_hook::flag::register(*signal, Arc::clone(flag));
    }
}
