//! Requests of a browser and their answers, independent of the transport.

use serde_json::Value;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    Get,
    Put,
    /// Any other method, which is refused.
    Other,
}

#[derive(Clone, Debug)]
pub struct Request {
    pub method: Method,
    /// The path as sent, with its escapes.
    pub path: String,
    /// The part of the URL after the `?`.
    pub query: String,
    /// The header `PageServices`.
    pub host: Option<String>,
    /// The header `Origin`: the origin of the requesting page.
    pub origin: Option<String>,
    /// The header `Sec-Fetch-Site`: the relation between the requesting page and this server.
    pub site: Option<String>,
    /// The header `If-Match`: the hash of the content to be replaced.
    pub if_match: Option<String>,
    /// The body; `None` if it is larger than [`BODY_BYTES_MAX`](crate::BODY_BYTES_MAX).
    pub body: Option<Vec<u8>>,
}

impl Request {
    /// Returns the unescaped value of `name` in the query; `None` without it, or if it is not UTF-8.
    pub(crate) fn value(&self, name: &str) -> Option<String> {
        let pairs = self.query.split('&').filter_map(|pair| pair.split_once('='));
        let (_, value) = pairs.into_iter().find(|(key, _)| *key == name)?;
        unescaped(value)
    }
}

/// Decodes a text of a query, in which `%20` and `+` are a blank.
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

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reply {
    /// HTTP status code.
    pub status: u16,
    /// Media type of the body.
    pub kind: &'static str,
    pub body: Vec<u8>,
}

impl Reply {
    pub(crate) fn page(html: Vec<u8>) -> Self {
        Self { status: 200, kind: "text/html; charset=utf-8", body: html }
    }

    /// Returns the answer with a file's bytes.
    pub(crate) fn bytes(body: Vec<u8>) -> Self {
        Self { status: 200, kind: "application/octet-stream", body }
    }

    /// Returns the answer with JSON data.
    pub(crate) fn data(value: &Value) -> Self {
        Self { status: 200, kind: "application/json", body: value.to_string().into_bytes() }
    }

    /// Returns a refusal; `reason` is a sentence.
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
