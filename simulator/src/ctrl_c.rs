//! Ctrl-C in verbs that have something to finish first: results to tell, a file to take away.

use runner::interrupt::Interrupt;

/// A flag that Ctrl-C sets from now on. A second Ctrl-C ends everything at once.
///
/// Where the system refuses that, Ctrl-C ends everything at once, as ever.
pub fn listen() -> Interrupt {
    let interrupt = Interrupt::default();
    let told = interrupt.clone();
    let _ = ctrlc::set_handler(move || {
        if told.set() {
            std::process::abort();
        }
    });
    interrupt
}
