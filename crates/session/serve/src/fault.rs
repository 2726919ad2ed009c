//! Faults of requests, as data with a sentence.

use serde_json::{Value, json};

/// Reason why a request was not executed, or what it did not find.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("{message}")]
pub struct Fault {
    pub kind: FaultKind,
    /// Message, a sentence without a full stop.
    pub message: String,
    /// More data, for some kinds.
    pub data: Option<Value>,
}

/// A kind of fault, with its code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FaultKind {
    /// The request is no JSON.
    Parse,
    /// The message is no request of JSON-RPC 2.0.
    Request,
    /// There is no such method.
    Method,
    /// The parameters are wrong.
    Params,
    /// An expectation does not hold. It stays in the trace.
    Expectation,
    /// A wait was not satisfied within its time.
    NotMet,
    /// There is no such session.
    NoSession,
    /// A bound is reached.
    Limit,
    /// The board's state does not allow it: the button is down already.
    State,
    /// The firmware has stopped.
    Stopped,
    /// A file cannot be read or written.
    File,
    /// There is no board of these settings.
    Board,
    /// There is no answer to the question.
    NoAnswer,
}

impl FaultKind {
    /// Returns the code: those of the specification, and -32000 and below for our own.
    pub const fn code(self) -> i64 {
        match self {
            Self::Parse => -32700,
            Self::Request => -32600,
            Self::Method => -32601,
            Self::Params => -32602,
            Self::Expectation => -32000,
            Self::NotMet => -32001,
            Self::NoSession => -32002,
            Self::Limit => -32003,
            Self::State => -32004,
            Self::Stopped => -32005,
            Self::File => -32006,
            Self::Board => -32007,
            Self::NoAnswer => -32008,
        }
    }
}

impl Fault {
    /// Returns a fault of this kind.
    pub fn new(kind: FaultKind, message: impl ToString) -> Self {
        Self { kind, message: message.to_string(), data: None }
    }

    /// Returns a fault of the parameters.
    pub(crate) fn params(message: impl ToString) -> Self {
        Self::new(FaultKind::Params, message)
    }

    /// Adds data.
    pub(crate) fn with(self, data: Value) -> Self {
        Self { data: Some(data), ..self }
    }

    /// Returns the fault as an error of JSON-RPC.
    pub(crate) fn error(&self) -> Value {
        let mut error = json!({"code": self.kind.code(), "message": self.message});
        if let Some(data) = &self.data {
            error["data"] = data.clone();
        }
        error
    }
}
