//! Requests of a browser and replies to it, independent of the transport.

use serde_json::Value;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    /// A read.
    Get,
    /// A write.
    Put,
    /// Any other method, which is refused.
    Other,
}

/// A request of a browser.
#[derive(Clone, Debug)]
pub struct Request {
    pub method: Method,
    /// The path as sent, with its escapes.
    pub path: String,
    /// Query: the part after the `?`.
    pub query: String,
    /// Header `Host`.
    pub host: Option<String>,
    /// Header `Origin`: the page that sends the request.
    pub origin: Option<String>,
    /// Header `Sec-Fetch-Site`: the relation of that page to this server.
    pub site: Option<String>,
    /// Header `If-Match`: the content to replace.
    pub if_match: Option<String>,
    /// The body; `None` if it is larger than [`BODY_BYTES_MAX`](crate::BODY_BYTES_MAX).
    pub body: Option<Vec<u8>>,
}

impl Request {
    /// Returns the unescaped value of `name` in the query; `None` if it is missing or no UTF-8.
    pub(crate) fn value(&self, name: &str) -> Option<String> {
        let pairs = self.query.split('&').filter_map(|pair| pair.split_once('='));
        let (_, value) = pairs.into_iter().find(|(key, _)| *key == name)?;
        unescaped(value)
    }
}

/// Unescapes a text of a query, in which `%20` and `+` are a blank.
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

/// A reply.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reply {
    /// HTTP status code.
    pub status: u16,
    pub kind: &'static str,
    pub body: Vec<u8>,
}

impl Reply {
    /// Returns a page.
    pub(crate) fn page(html: Vec<u8>) -> Self {
        Self { status: 200, kind: "text/html; charset=utf-8", body: html }
    }

    /// Returns bytes of a file.
    pub(crate) fn bytes(body: Vec<u8>) -> Self {
        Self { status: 200, kind: "application/octet-stream", body }
    }

    /// Returns data as JSON.
    pub(crate) fn data(value: &Value) -> Self {
        Self { status: 200, kind: "application/json", body: value.to_string().into_bytes() }
    }

    /// Returns a refusal, with its reason as a sentence.
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
