//! Errors of Wokwi scenarios.

use core::str::Utf8Error;

use thiserror::Error;
use trace::{ParseErrors, TimeError, did_you_mean};

/// The reason why a scenario cannot be read. Texts from the file have no control characters and at
/// most 200 characters.
#[derive(Debug, Error)]
pub enum ScenarioError {
    /// The file is larger than a scenario may be.
    #[error("is larger than 1 MiB; no scenario is")]
    TooLarge,
    /// The file is not UTF-8.
    #[error("is not UTF-8")]
    NotUtf8(#[source] Utf8Error),
    /// The file has a NUL byte.
    #[error("a NUL byte; this is no YAML")]
    NulByte,
    /// The document is not a map; its kind.
    #[error("a scenario is a map with `steps:`, and this is {0}")]
    NotAMap(&'static str),
    /// A version other than 1.
    #[error("an unknown version of scenarios; this build reads version 1")]
    UnknownVersion,
    /// A key that scenarios do not have.
    #[error("unknown key `{key}`{}", did_you_mean(key, known))]
    UnknownKey {
        key: String,
        /// The keys of scenarios.
        known: &'static [&'static str],
    },
    /// No list of steps.
    #[error("there is no `steps:` here; a scenario is a list of steps")]
    NoSteps,
    /// The steps are not a list; their kind.
    #[error("`steps` is {0}; it is a list")]
    StepsNoList(&'static str),
    /// A step that Wokwi does not document.
    #[error("unknown step `{step}`{}", did_you_mean(step, known))]
    UnknownStep {
        step: String,
        /// The documented steps.
        known: &'static [&'static str],
    },
    /// Two steps in one entry of the list.
    #[error("a second step in one entry; each has its own `-`")]
    SecondStep,
    /// An entry of the list that is not a step; its kind.
    #[error("a step is a map like `delay: 500ms`, and this is {0}")]
    NotAStep(&'static str),
    /// An invalid delay; the reason.
    #[error(transparent)]
    Delay(TimeError),
    /// Delays whose sum exceeds virtual time.
    #[error("time ends at 2^63 ns, about 292 years, and this is past it")]
    PastTheEnd,
    /// `set-control` without a part.
    #[error("set-control names no `part-id`")]
    NoPart,
    /// `set-control` without a control.
    #[error("set-control names no `control`")]
    NoControl,
    /// `set-control` without a value.
    #[error("set-control has no `value`")]
    NoValue,
    /// An invalid value of a control.
    #[error("`{value}` is no value of `{control}`: {limits}")]
    NotAValue { value: String, control: String, limits: &'static str },
    /// `expect-pin` without a value.
    #[error("expect-pin has no `value`: 0 or 1")]
    NoPinValue,
    /// `write-serial` of something else than a text or bytes.
    #[error("write-serial takes a text, or a list of bytes from 0 to 255")]
    NotBytes,
    /// `take-screenshot` without a picture.
    #[error("take-screenshot names neither `save-to` nor `compare-with`")]
    NoPicture,
    /// The steps break a rule of traces.
    #[error("makes no trace: {}", .0.first().kind)]
    NoTrace(#[source] Box<ParseErrors>),
}
