//! Ctrl-C in verbs that have something to finish first: results to report, a file to complete.

use output_files::remove_unfinished;
use runner::{Exit, interrupt::Interrupt};

/// A flag that Ctrl-C sets from now on. A second Ctrl-C ends the process at once with code 130 and
/// removes the files that are not complete.
///
/// Where the system refuses a handler, the first Ctrl-C ends the process.
pub fn listen() -> Interrupt {
    let interrupt = Interrupt::default();
    let flag = interrupt.clone();
    // The handler runs on a thread of its own, not in the signal.
    let _ = ctrlc::set_handler(move || {
        if flag.set() {
            remove_unfinished();
            end();
        }
    });
    interrupt
}

/// Ends the process without waiting for its other threads.
#[expect(clippy::disallowed_methods, reason = "the second Ctrl-C must not wait for any thread")]
fn end() -> ! {
    std::process::exit(Exit::Interrupted.code().into())
}
