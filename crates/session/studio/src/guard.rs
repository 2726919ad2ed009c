//! Access control: only the page of this studio is answered, no other page, program or computer.
//!
//! Another page in the same browser reaches the loopback too, and a name of its own may lead
//! there (DNS rebinding). It does not know the token, and its requests show where they are from.

use crate::request::{Method, Reply, Request};

/// Token of a studio, and its port.
#[derive(Clone, Debug)]
pub(crate) struct Guard {
    token: String,
    port: u16,
}

impl Guard {
    pub fn new(token: String, port: u16) -> Self {
        Self { token, port }
    }

    /// Returns the path of the page, `/TOKEN/`.
    pub fn base(&self) -> String {
        format!("/{}/", self.token)
    }

    /// Returns the path of `request` after the token.
    ///
    /// # Errors
    /// The refusal, if the request is not one of this session's page.
    pub fn admit<'a>(&self, request: &'a Request) -> Result<&'a str, Reply> {
        let names = ["127.0.0.1", "localhost"].map(|name| format!("{name}:{}", self.port));
        let ours = |host: &str| names.iter().any(|name| name.eq_ignore_ascii_case(host));
        if !request.host.as_deref().is_some_and(ours) {
            return Err(Reply::refused(421, "this server has another name"));
        }
        let origin = request.origin.as_deref();
        let ours = |origin: &str| origin.strip_prefix("http://").is_some_and(ours);
        let is_own = match request.method {
            // A browser sends the origin with each request that writes.
            Method::Put => origin.is_some_and(ours),
            Method::Get => origin.is_none_or(ours),
            Method::Other => return Err(Reply::refused(405, "only GET and PUT are answered")),
        };
        let site = request.site.as_deref();
        if !is_own || site.is_some_and(|site| !matches!(site, "same-origin" | "none")) {
            return Err(Reply::refused(403, "another page asks"));
        }
        let behind = request.path.strip_prefix('/').and_then(|path| path.split_once('/'));
        match behind {
            Some((token, rest))
                if equal_in_constant_time(token.as_bytes(), self.token.as_bytes()) =>
            {
                Ok(rest)
            }
            _ => Err(Reply::refused(404, "open the address that `nudge open` has printed")),
        }
    }
}

/// Returns whether both are equal. The time does not depend on where they differ.
fn equal_in_constant_time(one: &[u8], other: &[u8]) -> bool {
    let differ = one.iter().zip(other).fold(0, |differ, (one, other)| differ | (one ^ other));
    one.len() == other.len() && differ == 0
}

#[cfg(test)]
mod tests {
    use super::*;

    fn request(method: Method, host: &str, origin: Option<&str>, path: &str) -> Request {
        Request {
            method,
            path: path.to_owned(),
            query: String::new(),
            host: Some(host.to_owned()),
            origin: origin.map(str::to_owned),
            site: None,
            if_match: None,
            body: Some(Vec::new()),
        }
    }

    #[track_caller]
    fn check(request: &Request, expected: Result<&str, u16>) {
        let guard = Guard::new("0123abcd".into(), 4000);
        let admitted = guard.admit(request).map_err(|reply| reply.status);
        assert_eq!(admitted, expected, "{request:?}");
    }

    #[test]
    fn only_the_page_of_this_session_is_answered() {
        use Method::{Get, Other, Put};
        let (host, own) = ("127.0.0.1:4000", Some("http://127.0.0.1:4000"));
        check(&request(Get, host, None, "/0123abcd/"), Ok(""));
        check(&request(Get, "localhost:4000", own, "/0123abcd/state"), Ok("state"));
        check(&request(Put, host, own, "/0123abcd/trace"), Ok("trace"));
        for path in ["/", "/0123abcd", "/0123abce/", "/0123abc/", "//0123abcd/", "/0123abcd0/"] {
            check(&request(Get, host, None, path), Err(404));
        }
        for foreign in ["evil.example:4000", "127.0.0.1", "127.0.0.1:4001", "127.0.0.1:4000.x", ""]
        {
            check(&request(Get, foreign, None, "/0123abcd/"), Err(421));
        }
        for foreign in ["http://evil.example", "null", "https://127.0.0.1:4000", "http://localhost"]
        {
            check(&request(Get, host, Some(foreign), "/0123abcd/"), Err(403));
            check(&request(Put, host, Some(foreign), "/0123abcd/trace"), Err(403));
        }
        check(&request(Put, host, None, "/0123abcd/trace"), Err(403));
        check(&request(Other, host, own, "/0123abcd/trace"), Err(405));
        let cross = Some("cross-site".to_owned());
        check(&Request { site: cross, ..request(Get, host, None, "/0123abcd/") }, Err(403));
        let typed = Some("none".to_owned());
        check(&Request { site: typed, ..request(Get, host, None, "/0123abcd/") }, Ok(""));
        check(&Request { host: None, ..request(Get, host, None, "/0123abcd/") }, Err(421));
    }
}
