//! The message of a panic, as `catch_unwind` and panic hooks get it.

use std::any::Any;

/// Returns the message of a panic with this payload; `None` if the panic has none.
pub fn panic_text(payload: &(dyn Any + Send)) -> Option<&str> {
    let literal = payload.downcast_ref::<&str>().copied();
    literal.or_else(|| payload.downcast_ref::<String>().map(String::as_str))
}
