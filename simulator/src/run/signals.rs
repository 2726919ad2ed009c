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
        let signals = [SIGHUP, SIGQUIT];
        for signal in signals.into_iter().filter(|signal| *signal != SIGHUP || !is_ignored(SIGHUP))
        {
            // Where the system refuses a handler, the signal ends the process.
            let _ = signal_hook::flag::register(signal, Arc::clone(&quit));
        }
    }
    quit
}

/// Whether this process ignores `signal`, where the system says so (Linux: proc(5), `SigIgn`).
#[cfg(unix)]
fn is_ignored(signal: i32) -> bool {
    std::fs::read_to_string("/proc/self/status").is_ok_and(|status| ignores(&status, signal))
}

/// Whether the mask `SigIgn` of a process's status has `signal`.
#[cfg(unix)]
fn ignores(status: &str, signal: i32) -> bool {
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let mask = mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
    mask.is_some_and(|mask| mask >> (signal - 1) & 1 == 1)
}

#[cfg(all(test, unix))]
mod tests {
    use super::ignores;

    #[test]
    fn the_mask_of_ignored_signals_is_read() {
        let status = "Name:\tnudge\nSigBlk:\t0000000000000000\nSigIgn:\t0000000000001001\n";
        assert!(ignores(status, 1) && ignores(status, 13));
        assert!(!ignores(status, 3) && !ignores("", 1));
    }
}
