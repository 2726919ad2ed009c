//! Panics: the message, as `catch_unwind` and panic hooks get it, and firmware that may panic.
//!
//! [`caught`] runs firmware and returns its panic with the place in the source and the calls that led to it,
//! and prints nothing. Panics outside of it go to the panic hook that was installed before.

use std::any::Any;
use std::backtrace::Backtrace;
use std::cell::{Cell, RefCell};
use std::fmt;
use std::panic::{self, AssertUnwindSafe, PanicHookInfo, catch_unwind};
use std::sync::Once;

/// Greatest number of calls in a backtrace.
const CALLS_MAX: usize = 16;

/// Returns the message of a panic with this payload; `None` if the panic has none.
pub fn panic_text(payload: &(dyn Any + Send)) -> Option<&str> {
    let literal = payload.downcast_ref::<&str>().copied();
    literal.or_else(|| payload.downcast_ref::<String>().map(String::as_str))
}

/// A place in the source, as the compiler names it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct PanicPlace {
    pub file: String,
    /// From 1.
    pub line: u32,
    /// From 1.
    pub column: u32,
}

impl fmt::Display for PanicPlace {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}:{}:{}", self.file, self.line, self.column)
    }
}

/// A panic that [`caught`] has caught. It is written as `panicked at FILE:LINE:COLUMN: message`.
#[derive(Debug)]
pub struct Panic {
    pub place: Option<PanicPlace>,
    /// `None` if the panic has no text.
    pub message: Option<String>,
    backtrace: Option<Backtrace>,
}

impl Panic {
    /// Returns the calls that led to the panic, innermost first, without those of the standard library.
    /// Names and lines are looked up here, which takes long.
    pub fn calls(&self) -> Vec<String> {
        self.backtrace.as_ref().map_or_else(Vec::new, |trace| calls_of(&trace.to_string()))
    }
}

impl fmt::Display for Panic {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("panicked")?;
        if let Some(place) = &self.place {
            write!(out, " at {place}")?;
        }
        write!(out, ": {}", self.message.as_deref().unwrap_or("without a message"))
    }
}

thread_local! {
    /// Whether a panic of this thread is caught by [`caught`].
    static CATCHES: Cell<bool> = const { Cell::new(false) };
    /// Place and calls of the last panic.
    static LAST: RefCell<Option<(Option<PanicPlace>, Backtrace)>> = const { RefCell::new(None) };
}

/// Returns whether a panic of this thread is one of firmware, which is contained: a panic hook does
/// not report it.
pub fn panic_is_contained() -> bool {
    CATCHES.get()
}

/// Calls `work` and returns its panic, which is not reported to the error stream.
///
/// # Errors
/// The panic.
pub fn caught<T>(work: impl FnOnce() -> T) -> Result<T, Panic> {
    static HOOK: Once = Once::new();
    HOOK.call_once(|| {
        let before = panic::take_hook();
        panic::set_hook(Box::new(move |panic: &PanicHookInfo<'_>| {
            if panic_is_contained() {
                let place = panic.location().map(|at| PanicPlace {
                    file: at.file().to_owned(),
                    line: at.line(),
                    column: at.column(),
                });
                LAST.set(Some((place, Backtrace::force_capture())));
            } else {
                before(panic);
            }
        }));
    });
    let outer = CATCHES.replace(true);
    LAST.set(None);
    let result = catch_unwind(AssertUnwindSafe(work));
    CATCHES.set(outer);
    result.map_err(|payload| {
        let (place, backtrace) = LAST.take().unzip();
        let message = panic_text(payload.as_ref()).map(str::to_owned);
        Panic { place: place.flatten(), message, backtrace }
    })
}

/// Returns the calls in the text of a backtrace: those between the panic's own and [`caught`].
fn calls_of(text: &str) -> Vec<String> {
    let mut calls: Vec<String> = Vec::new();
    for line in text.lines() {
        if let Some(place) = line.trim_start().strip_prefix("at ") {
            if let Some(call) = calls.last_mut().filter(|call| !call.contains(" at ")) {
                *call += &format!(" at {place}");
            }
        } else if let Some((_, name)) = line.split_once(": ") {
            calls.push(name.to_owned());
        }
    }
    let starts = |call: &String, with: &[&str]| {
        let name = call.trim_start_matches(['<', '&']);
        with.iter().any(|with| name.starts_with(with))
    };
    let begins = ["core::panicking::", "__rustc::", "rust_begin_unwind"];
    let first = calls.iter().position(|call| starts(call, &begins)).unwrap_or_default();
    let own = calls[first..].iter().position(|call| !starts(call, &begins));
    let first = first + own.unwrap_or_default();
    let calls = calls.into_iter().skip(first);
    let calls = calls.take_while(|call| !call.contains("host::panic::caught"));
    let library = ["core::", "std::", "alloc::", "__rust", "generator::"];
    calls.filter(|call| !starts(call, &library)).take(CALLS_MAX).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_caught_panic_has_its_place_and_its_message() {
        let panic = caught(|| panic!("no level {}", 7)).unwrap_err();
        assert_eq!(panic.message.as_deref(), Some("no level 7"));
        let place = panic.place.clone().unwrap();
        assert!(place.file.ends_with("panic.rs"), "{place}");
        assert_eq!(panic.to_string(), format!("panicked at {place}: no level 7"));
        assert!(!panic_is_contained());
        assert_eq!(caught(|| 5).unwrap(), 5);
    }

    #[test]
    fn a_panic_without_a_hook_has_no_place_of_an_earlier_one() {
        caught(|| panic!("first")).unwrap_err();
        let panic = caught(|| panic::resume_unwind(Box::new(5))).unwrap_err();
        assert_eq!(panic.to_string(), "panicked: without a message");
        assert_eq!(panic.calls(), Vec::<String>::new());
    }

    #[test]
    fn a_backtrace_has_the_calls_of_the_firmware_only() {
        let text = "   0: std::backtrace::Backtrace::force_capture\n   1: host::panic::hook\n   \
                    2: __rustc::rust_begin_unwind\n   3: core::panicking::panic_fmt\n   \
                    4: game::level\n             at ./src/level.rs:56:25\n   \
                    5: <core::option::Option<T>>::map\n   6: game::step\n   \
                    7: std::panicking::catch_unwind\n   8: host::panic::caught\n   9: main\n";
        assert_eq!(calls_of(text), ["game::level at ./src/level.rs:56:25", "game::step"]);
    }
}
