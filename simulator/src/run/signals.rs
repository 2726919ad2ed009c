//! Signals that end a session as closing the window does, and the signal that suspends it in a
//! terminal. In a window SDL handles SIGINT and SIGTERM; SIGHUP (the terminal was closed) and
//! SIGQUIT are handled here. In a terminal all four are handled here.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// Returns a flag that SIGHUP and SIGQUIT set. A SIGHUP that is ignored, as under `nohup`, stays
/// ignored.
#[cfg(feature = "window")]
pub fn listen() -> Arc<AtomicBool> {
    let quit = Arc::new(AtomicBool::new(false));
    #[cfg(unix)]
    set_on(&quit, &[signal_hook::consts::SIGHUP, signal_hook::consts::SIGQUIT]);
    quit
}

/// Returns two flags for a session in the terminal. The signals that end it set the first, SIGTSTP
/// the second.
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

/// Sets `flag` on each of the signals. An ignored SIGHUP stays ignored.
#[cfg(unix)]
fn set_on(flag: &Arc<AtomicBool>, signals: &[i32]) {
    use signal_hook::consts::SIGHUP;

    use crate::ignored_signals::is_ignored;

    let is_kept = |signal: &&i32| **signal != SIGHUP || is_ignored(SIGHUP) != Some(true);
    for signal in signals.iter().filter(is_kept) {
        // If the system refuses a handler, the signal has its default effect.
        let _ = signal_hook::flag::register(*signal, Arc::clone(flag));
    }
}
