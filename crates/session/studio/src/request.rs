//! What a browser asks, and what it is answered, whatever carries both.

use serde_json::Value;

/// What is to be done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    /// Something is asked for.
    Get,
    /// Something is to be written.
    Put,
    /// Anything else, which is refused.
    Other,
}

/// A request.
#[derive(Clone, Debug)]
pub struct Request {
    /// What is to be done.
    pub method: Method,
    /// The path, as it was sent.
    pub path: String,
    /// What stands behind the `?`.
    pub query: String,
    /// The header `PageServices`.
    pub host: Option<String>,
    /// The header `Origin`: which page asks.
    pub origin: Option<String>,
    /// The header `Sec-Fetch-Site`: where that page is from.
    pub site: Option<String>,
    /// The header `If-Match`: which content is to be replaced.
    pub if_match: Option<String>,
    /// The body; `None` if it is larger than [`BODY_BYTES_MAX`](crate::BODY_BYTES_MAX).
    pub body: Option<Vec<u8>>,
}

impl Request {
    /// The value of `name` in the query, its escapes read; `None` without it, or if it is no UTF-8.
    pub(crate) fn value(&self, name: &str) -> Option<String> {
        let pairs = self.query.split('&').filter_map(|pair| pair.split_once('='));
        let (_, value) = pairs.into_iter().find(|(key, _)| *key == name)?;
        unescaped(value)
    }
}

/// A text of a query, in which `%20` and `+` are a blank.
fn unescaped(text: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((&byte, behind)) = rest.split_first() {
        rest = behind;
        match byte {
            b'+' => bytes.push(b' '),
            b'%' => {
                let (digits, behind) = rest.split_at_checked(2)?;
                let digit = |byte: u8| char::from(byte).to_digit(16);
                let value = digit(digits[0])? * 16 + digit(digits[1])?;
                bytes.push(u8::try_from(value).ok()?);
                rest = behind;
            }
            byte => bytes.push(byte),
        }
    }
    String::from_utf8(bytes).ok()
}

/// An answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reply {
    /// The status of HTTP.
    pub status: u16,
    /// The media type.
    pub kind: &'static str,
    /// The content.
    pub body: Vec<u8>,
}

impl Reply {
    /// A page.
    pub(crate) fn page(html: Vec<u8>) -> Self {
        Self { status: 200, kind: "text/html; charset=utf-8", body: html }
    }

    /// Bytes of a file.
    pub(crate) fn bytes(body: Vec<u8>) -> Self {
        Self { status: 200, kind: "application/octet-stream", body }
    }

    /// Data.
    pub(crate) fn data(value: &Value) -> Self {
        Self { status: 200, kind: "application/json", body: value.to_string().into_bytes() }
    }

    /// A refusal, with its reason as a sentence.
    pub(crate) fn refused(status: u16, reason: impl ToString) -> Self {
        Self { status, kind: "text/plain; charset=utf-8", body: reason.to_string().into_bytes() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_query_is_read_with_its_escapes() {
        for (text, expected) in [
            ("a%20b+c", Some("a b c")),
            ("%C3%BC/..", Some("ü/..")),
            ("%2e%2E%2f", Some("../")),
            ("%", None),
            ("%2", None),
            ("%zz", None),
            ("%+1", None),
            ("%ff", None),
            ("%ü", None),
        ] {
            assert_eq!(unescaped(text).as_deref(), expected, "{text}");
        }
    }
}
