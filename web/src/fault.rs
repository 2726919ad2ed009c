//! Why a request is not carried out.

use hal_mock::setup::SetupError;
use serde_json::{Value, json};
use timeline::SessionError;

/// Why a request is not carried out. Its text is a sentence without a full stop.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// The sentence.
    pub message: String,
    /// The line of a trace that it is about.
    pub line: Option<u32>,
}

impl Fault {
    /// One that is about no line.
    pub fn new(message: impl Into<String>) -> Self {
        Self { message: message.into(), line: None }
    }

    pub(crate) fn answer(&self) -> Value {
        match self.line {
            None => json!({"error": {"message": self.message}}),
            Some(line) => json!({"error": {"message": self.message, "line": line}}),
        }
    }
}

impl From<SessionError> for Fault {
    fn from(error: SessionError) -> Self {
        Self::new(error.to_string())
    }
}

impl From<SetupError> for Fault {
    fn from(error: SetupError) -> Self {
        Self { message: error.message(), line: error.place.map(|place| place.line) }
    }
}
