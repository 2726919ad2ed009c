//! Reads the fields of a request.

use serde_json::{Map, Value};
use trace::{Button, Buttons};
use virtual_time::Instant;

use crate::fault::RequestError;

/// Returns the bytes that the caller stored at an address with a length, and takes ownership of
/// them.
pub type Bytes<'a> = dyn FnMut(u64, u64) -> Option<Vec<u8>> + 'a;

/// The JSON object of a request.
pub(crate) struct Request(Map<String, Value>);

impl Request {
    pub(crate) fn parse(bytes: &[u8]) -> Result<Self, RequestError> {
        match serde_json::from_slice(bytes) {
            Ok(Value::Object(fields)) => Ok(Self(fields)),
            Ok(_) => Err(RequestError::new("a request is a JSON object")),
            Err(error) => Err(RequestError::new(format!("the request is no JSON: {error}"))),
        }
    }

    /// Returns the field, unless it is missing or `null`.
    pub(crate) fn get(&self, name: &str) -> Option<&Value> {
        self.0.get(name).filter(|value| !value.is_null())
    }

    pub(crate) fn text(&self, name: &str) -> Result<Option<&str>, RequestError> {
        let wrong = || RequestError::new(format!("`{name}` is no text"));
        self.get(name).map(|value| value.as_str().ok_or_else(wrong)).transpose()
    }

    pub(crate) fn required_text(&self, name: &str) -> Result<&str, RequestError> {
        self.text(name)?.ok_or_else(|| RequestError::new(format!("`{name}` is missing")))
    }

    pub(crate) fn flag(&self, name: &str, default: bool) -> Result<bool, RequestError> {
        let wrong = || RequestError::new(format!("`{name}` is neither true nor false"));
        self.get(name).map_or(Ok(default), |value| value.as_bool().ok_or_else(wrong))
    }

    /// Returns the field as a number from 0 on, truncated to an integer.
    pub(crate) fn number(&self, name: &str) -> Result<u64, RequestError> {
        let value =
            self.get(name).ok_or_else(|| RequestError::new(format!("`{name}` is missing")))?;
        number(value).ok_or_else(|| RequestError::new(format!("`{name}` is no number from 0 on")))
    }

    pub(crate) fn instant(&self, name: &str) -> Result<Instant, RequestError> {
        self.number(name).map(Instant)
    }

    /// Returns the field `button`, one of a board's buttons.
    pub(crate) fn button(&self, buttons: &Buttons) -> Result<Button, RequestError> {
        let name = self.required_text("button")?;
        buttons.named(name).ok_or_else(|| RequestError::new(format!("there is no button `{name}`")))
    }

    /// Returns the fields of the object `name`.
    pub(crate) fn object(&self, name: &str) -> Result<Option<&Map<String, Value>>, RequestError> {
        let wrong = || RequestError::new(format!("`{name}` is no object"));
        self.get(name).map(|value| value.as_object().ok_or_else(wrong)).transpose()
    }
}

/// Converts a number from 0 on, truncated to an integer.
pub(crate) fn number(value: &Value) -> Option<u64> {
    let of_fraction = |number: f64| (number >= 0.0).then_some(number as u64);
    value.as_u64().or_else(|| value.as_f64().and_then(of_fraction))
}
