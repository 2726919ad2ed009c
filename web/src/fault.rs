//! The error of a request.

use hal_mock::setup::SetupError;
use serde_json::{Value, json};
use timeline::SessionError;

/// The reason why a request was not executed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RequestError {
    /// A sentence without a full stop.
    pub message: String,
    /// Line of the trace, if the fault belongs to one.
    pub line: Option<u32>,
}

impl RequestError {
    /// Returns a fault that belongs to no line.
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

impl From<SessionError> for RequestError {
    fn from(error: SessionError) -> Self {
        Self::new(error.to_string())
    }
}

impl From<SetupError> for RequestError {
    fn from(error: SetupError) -> Self {
        Self { message: error.message(), line: error.place.map(|place| place.line) }
    }
}
