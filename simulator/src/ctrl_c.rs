//! Handles Ctrl-C, SIGTERM and a hangup for verbs that have something to finish first: results to
//! report, or a file to complete. No other module handles signals.

use std::sync::atomic::{AtomicU8, Ordering};

use host::{Exit, Interrupt, output_files::remove_unfinished};

/// Exit code of the first signal; 0 before it.
static CODE: AtomicU8 = AtomicU8::new(0);

/// Returns a flag that these signals set from now on. A second signal ends the process at once with
/// the exit code of the first, and removes incomplete files.
///
/// If the system refuses a handler, the first signal ends the process.
pub fn listen() -> Interrupt {
    let interrupt = Interrupt::default();
    let flag = interrupt.clone();
    register_signals(move || {
        if flag.set() {
            remove_unfinished();
            end();
        }
    });
    interrupt
}

/// Like [`listen`], for a verb that has child processes to end and folders to remove: a second
/// signal is ignored during the cleanup. A third one ends the process at once, without the cleanup.
pub fn listen_and_clean_up() -> Interrupt {
    let interrupt = Interrupt::default();
    let (flag, second) = (interrupt.clone(), Interrupt::default());
    register_signals(move || {
        if flag.set() && second.set() {
            remove_unfinished();
            end();
        }
    });
    interrupt
}

/// Waits for a signal. A second one ends the process at once, as with [`listen`].
///
/// If the system refuses a handler, the first signal ends the process.
pub fn wait() {
    wait_after(|| {});
}

/// Like [`wait`], but runs `ready` after the handler is registered, so a signal during `ready` is
/// not missed.
pub fn wait_after<T>(ready: impl FnOnce() -> T) -> T {
    let interrupt = Interrupt::default();
    let waiting = std::thread::current();
    let flag = interrupt.clone();
    register_signals(move || {
        if flag.set() {
            remove_unfinished();
            end();
        }
        waiting.unpark();
    });
    let done = ready();
    while !interrupt.is_set() {
        std::thread::park();
    }
    done
}

/// Returns the exit code of a verb; for an interrupted one, 128 plus the signal's number.
pub fn code(exit: Exit) -> u8 {
    match (exit, CODE.load(Ordering::Relaxed)) {
        (Exit::Interrupted, code @ 1..) => code,
        _ => exit.code(),
    }
}

/// Ends the process without waiting for its other threads.
#[expect(clippy::disallowed_methods, reason = "the second signal must not wait for any thread")]
fn end() -> ! {
    std::process::exit(code(Exit::Interrupted).into())
}

/// Calls `handle` for each signal from now on, on a thread of its own, not in the signal handler.
#[cfg(unix)]
fn register_signals(handle: impl Fn() + Send + 'static) {
    use std::sync::mpsc;

    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
    use signal_hook::iterator::Signals;

    use crate::ignored_signals::is_ignored;

    let (ready, is_ready) = mpsc::channel();
    let listen = move || {
        let mut numbers = vec![SIGINT, SIGTERM];
        // Where the system does not report ignored signals, a hangup ends the process at once,
        // unless it is ignored.
        if is_ignored(SIGHUP) == Some(false) {
            numbers.push(SIGHUP);
        }
        let Ok(mut signals) = Signals::new(numbers) else { return };
        let _ = ready.send(());
        for number in signals.forever() {
            let code = u8::try_from(128 + number).unwrap_or(Exit::Interrupted.code());
            // The exit code is that of the first signal.
            let _ = CODE.compare_exchange(0, code, Ordering::Relaxed, Ordering::Relaxed);
            handle();
        }
    };
    // The thread registers the handler itself. If there is no thread, a signal ends the process as
    // usual.
    if std::thread::Builder::new().name("signals".into()).spawn(listen).is_ok() {
        // An error means that no handler was registered.
        let _ = is_ready.recv();
    }
}

#[cfg(not(unix))]
fn register_signals(handle: impl Fn() + Send + 'static) {
    let _ = ctrlc::set_handler(handle);
}
