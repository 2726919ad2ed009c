//! What can be wrong with a request, as data with its sentence.

use serde_json::{Value, json};

/// Why a request was not carried out, or what it did not find.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("{message}")]
pub struct Fault {
    /// What kind of fault it is.
    pub kind: FaultKind,
    /// A sentence without a full stop.
    pub message: String,
    /// More of it, for the kinds that have more.
    pub data: Option<Value>,
}

/// A kind of fault, with its code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FaultKind {
    /// The request is no JSON.
    Parse,
    /// It is no request of JSON-RPC 2.0.
    Request,
    /// There is no such method.
    Method,
    /// Its parameters are wrong.
    Params,
    /// An expectation does not hold. It is in the trace all the same.
    Expectation,
    /// A wait was not met within its time.
    NotMet,
    /// There is no such session.
    NoSession,
    /// There are as many as there may be.
    Limit,
    /// The board is in no state for it: the button is down already.
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
    /// Its code: those of the specification, and -32000 and below for ours.
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
    /// A fault of this kind.
    pub fn new(kind: FaultKind, message: impl ToString) -> Self {
        Self { kind, message: message.to_string(), data: None }
    }

    /// Parameters are wrong.
    pub(crate) fn params(message: impl ToString) -> Self {
        Self::new(FaultKind::Params, message)
    }

    /// The same with more.
    pub(crate) fn with(self, data: Value) -> Self {
        Self { data: Some(data), ..self }
    }

    /// As JSON-RPC has it.
    pub(crate) fn error(&self) -> Value {
        let mut error = json!({"code": self.kind.code(), "message": self.message});
        if let Some(data) = &self.data {
            error["data"] = data.clone();
        }
        error
    }
}
