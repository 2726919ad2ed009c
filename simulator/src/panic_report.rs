//! Writes panics to standard error like Rust's own report, but without control characters that the
//! terminal or GitHub's log would execute. Firmware may panic with any text.

use std::backtrace::{Backtrace, BacktraceStatus};
use std::io::{self, Write};
use std::panic::{self, PanicHookInfo};
use std::thread;

use escape::terminal::TextWriter;

use crate::environment::on_github;

/// Installs this report for all panics from now on.
pub fn install() {
    panic::set_hook(Box::new(|panic| {
        let mut err = io::stderr().lock();
        // If standard error is closed, the message is lost.
        let _ = report(panic, &mut TextWriter::new(&mut err, on_github()));
    }));
}

fn report(panic: &PanicHookInfo<'_>, err: &mut TextWriter<'_>) -> io::Result<()> {
    let thread = thread::current();
    write!(err, "\nthread '{}' panicked", thread.name().unwrap_or("<unnamed>"))?;
    if let Some(location) = panic.location() {
        write!(err, " at {location}")?;
    }
    writeln!(err, ":\n{}", host::panic_text(panic.payload()).unwrap_or("without a message"))?;
    let trace = Backtrace::capture();
    match trace.status() {
        BacktraceStatus::Captured => write!(err, "{trace}"),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use std::sync::{Arc, Mutex};

    use super::*;

    #[test]
    fn a_panic_message_cannot_control_terminal_or_github_log() {
        let said = Arc::new(Mutex::new(Vec::new()));
        let writes = Arc::clone(&said);
        let before = panic::take_hook();
        panic::set_hook(Box::new(move |panic| {
            let mut said = writes.lock().unwrap();
            report(panic, &mut TextWriter::new(&mut *said, true)).unwrap();
        }));
        let caught = panic::catch_unwind(|| panic!("cup 14\n::error::x ##[group]\x1b[31m"));
        panic::set_hook(before);
        assert!(caught.is_err());
        let said = String::from_utf8(said.lock().unwrap().clone()).unwrap();
        assert!(said.contains(":\ncup 14\n: :error::x ## [group]\u{FFFD}[31m\n"), "{said}");
    }
}
