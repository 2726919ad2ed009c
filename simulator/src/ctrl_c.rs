//! Ctrl-C, SIGTERM and a hangup in verbs that have something to finish first: results to report, a file to
//! complete. The one place that handles signals.

use std::sync::atomic::{AtomicU8, Ordering};

use host::{Exit, Interrupt, output_files::remove_unfinished};

/// The exit code of the signal that came first; 0 before it.
static CODE: AtomicU8 = AtomicU8::new(0);

/// A flag that such a signal sets from now on. A second signal ends the process at once, with the code of
/// the first, and removes the files that are not complete.
///
/// Where the system refuses a handler, the first signal ends the process.
pub fn listen() -> Interrupt {
    let interrupt = Interrupt::default();
    let flag = interrupt.clone();
    on_signals(move || {
        if flag.set() {
            remove_unfinished();
            end();
        }
    });
    interrupt
}

/// As [`listen`], for a verb that has programs to end and folders to remove: a second signal changes nothing while it
/// does so. A third one ends the process at once, and leaves them.
pub fn listen_and_clean_up() -> Interrupt {
    let interrupt = Interrupt::default();
    let (flag, second) = (interrupt.clone(), Interrupt::default());
    on_signals(move || {
        if flag.set() && second.set() {
            remove_unfinished();
            end();
        }
    });
    interrupt
}

/// Waits for such a signal. A second one ends the process at once, as with [`listen`].
///
/// Where the system refuses a handler, the signal ends the process.
pub fn wait() {
    wait_behind(|| {});
}

/// As [`wait`], once `ready` is done: a signal that comes from then on is not missed.
pub fn wait_behind<T>(ready: impl FnOnce() -> T) -> T {
    let interrupt = Interrupt::default();
    let waiting = std::thread::current();
    let flag = interrupt.clone();
    on_signals(move || {
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

/// The exit code of a verb that ended so: for an interrupted one, 128 and the number of the signal.
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

/// Calls `handle` for each signal from now on, on a thread of its own, not in the signal.
#[cfg(unix)]
fn on_signals(handle: impl Fn() + Send + 'static) {
    use std::sync::mpsc;

    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
    use signal_hook::iterator::Signals;

    use crate::ignored_signals::is_ignored;

    let (ready, is_ready) = mpsc::channel();
    let listen = move || {
        let mut numbers = vec![SIGINT, SIGTERM];
        // Where the system does not tell, a hangup ends the process at once, unless it is ignored.
        if is_ignored(SIGHUP) == Some(false) {
            numbers.push(SIGHUP);
        }
        let Ok(mut signals) = Signals::new(numbers) else { return };
        let _ = ready.send(());
        for number in signals.forever() {
            let code = u8::try_from(128 + number).unwrap_or(Exit::Interrupted.code());
            // Only the first counts.
            let _ = CODE.compare_exchange(0, code, Ordering::Relaxed, Ordering::Relaxed);
            handle();
        }
    };
    // The thread registers the handler itself: without one, a signal ends the process as ever.
    if std::thread::Builder::new().name("signals".into()).spawn(listen).is_ok() {
        // An error says that there is no handler.
        let _ = is_ready.recv();
    }
}

#[cfg(not(unix))]
fn on_signals(handle: impl Fn() + Send + 'static) {
    let _ = ctrlc::set_handler(handle);
}
