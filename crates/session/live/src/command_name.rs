//! The name of the running command in messages that name a next step: `nudge`, or the program of an
//! application.

use std::sync::OnceLock;

static NAME: OnceLock<String> = OnceLock::new();

/// Sets the name, as a shell takes it. Called once, before a message is written; a second call has no
/// effect.
pub fn set_command_name(name: String) {
    let _ = NAME.set(name);
}

/// Returns the name.
pub fn command_name() -> &'static str {
    NAME.get().map_or("nudge", String::as_str)
}
