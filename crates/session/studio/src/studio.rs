//! Answers of the studio: the page, the state of its file, and the files of its folder.

use std::error::Error;

use serde_json::json;

use crate::files::{FileError, TraceFolder};
use crate::guard::Guard;
use crate::request::{Method, Reply, Request};

/// Services of the command: the page, and the source of a program.
pub trait PageServices: Send + Sync {
    /// Returns the page, whose requests begin with `base`. `modified` is the hash of the trace's
    /// file.
    ///
    /// # Errors
    /// If the trace cannot be read or the page cannot be made.
    fn page(&self, base: &str, modified: Option<&str>) -> Result<Vec<u8>, PageError>;

    /// Returns the source of the program's instruction at `pc`.
    fn source(&self, pc: u32) -> Option<Source>;
}

/// The command's reason why there is no page.
#[derive(Debug, thiserror::Error)]
#[error(transparent)]
pub struct PageError(Box<dyn Error + Send + Sync>);

impl PageError {
    pub fn new(reason: impl Into<Box<dyn Error + Send + Sync>>) -> Self {
        Self(reason.into())
    }
}

/// Source of an instruction.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Source {
    pub function: String,
    pub file: Option<String>,
    pub line: Option<u32>,
    /// Lines around it, each with its number.
    pub text: Vec<(u32, String)>,
}

/// A studio: its token, its folder, its services.
pub struct Studio<H> {
    guard: Guard,
    folder: TraceFolder,
    host: H,
}

impl<H: PageServices> Studio<H> {
    /// Answers requests with `token` on `port`.
    pub fn new(token: String, port: u16, folder: TraceFolder, host: H) -> Self {
        Self { guard: Guard::new(token, port), folder, host }
    }

    /// Returns the answer to `request`.
    pub fn answer(&self, request: &Request) -> Reply {
        let asked = match self.guard.admit(request) {
            Ok(asked) => asked,
            Err(refused) => return refused,
        };
        match (request.method, asked) {
            (Method::Get, "") => {
                let modified = self.folder.modified();
                match self.host.page(&self.guard.base(), modified.as_deref()) {
                    Ok(html) => Reply::page(html),
                    Err(error) => Reply::refused(500, error.to_string()),
                }
            }
            (Method::Get, "state") => self.state(request),
            (Method::Get, "file") => {
                self.with_name(request, |name| Ok(Reply::bytes(self.folder.read(name)?)))
            }
            (Method::Get, "source") => self.source(request),
            (Method::Put, "trace") => self.write_trace(request),
            (Method::Put, "save") => self.with_name_and_body(request, |name, body| {
                Ok(Reply::data(&json!({ "name": self.folder.save(name, body)? })))
            }),
            (Method::Put, "golden") => self.with_name_and_body(request, |name, body| {
                self.folder.bless(name, body)?;
                Ok(Reply::data(&json!({ "name": name })))
            }),
            _ => Reply::refused(404, "there is nothing of that name here"),
        }
    }

    /// Returns the file's path and hash, and whether the hash differs from the page's `If-Match`.
    fn state(&self, request: &Request) -> Reply {
        let modified = self.folder.modified();
        let file = self.folder.file().map(|file| file.display().to_string());
        let known = request.if_match.as_deref().map(unquoted);
        let changed = known.is_some_and(|known| modified.as_deref() != Some(known));
        Reply::data(&json!({ "file": file, "modified": modified, "changed": changed }))
    }

    fn write_trace(&self, request: &Request) -> Reply {
        let Some(expected) = request.if_match.as_deref().map(unquoted) else {
            return Reply::refused(428, "the header If-Match says what is to be replaced");
        };
        let Some(body) = &request.body else { return too_large() };
        match self.folder.write_trace(body, expected) {
            Ok(modified) => Reply::data(&json!({ "modified": modified })),
            Err(error) => refused(&error),
        }
    }

    fn source(&self, request: &Request) -> Reply {
        let pc = request
            .value("pc")
            .and_then(|pc| u32::from_str_radix(pc.strip_prefix("0x").unwrap_or(&pc), 16).ok());
        let Some(pc) = pc else { return Reply::refused(400, "`pc` is a hexadecimal address") };
        let Some(Source { function, file, line, text }) = self.host.source(pc) else {
            return Reply::refused(404, "the program does not say what is at that address");
        };
        let lines = text.into_iter().map(|(line, text)| json!({ "line": line, "text": text }));
        Reply::data(&json!({ "function": function, "file": file, "line": line,
            "text": lines.collect::<Vec<_>>() }))
    }

    fn with_name(
        &self,
        request: &Request,
        answer: impl FnOnce(&str) -> Result<Reply, FileError>,
    ) -> Reply {
        let Some(name) = request.value("name") else {
            return Reply::refused(400, "`name` says which file");
        };
        answer(&name).unwrap_or_else(|error| refused(&error))
    }

    fn with_name_and_body(
        &self,
        request: &Request,
        answer: impl FnOnce(&str, &[u8]) -> Result<Reply, FileError>,
    ) -> Reply {
        let Some(body) = &request.body else { return too_large() };
        self.with_name(request, |name| answer(name, body))
    }
}

fn too_large() -> Reply {
    Reply::refused(413, FileError::TooLarge("the request".into()))
}

fn refused(error: &FileError) -> Reply {
    Reply::refused(error.status(), error)
}

/// Removes the quotes that HTTP writes in `If-Match`; a page may leave them out.
fn unquoted(text: &str) -> &str {
    text.strip_prefix('"').and_then(|text| text.strip_suffix('"')).unwrap_or(text)
}

#[cfg(test)]
mod tests {
    use serde_json::Value;

    use super::*;

    struct Alone;

    impl PageServices for Alone {
        fn page(&self, base: &str, modified: Option<&str>) -> Result<Vec<u8>, PageError> {
            Ok(format!("{base} {}", modified.is_some()).into_bytes())
        }

        fn source(&self, pc: u32) -> Option<Source> {
            let text = vec![(7, "fn main() {".to_owned())];
            let source = Source { function: "main".into(), line: Some(7), text, file: None };
            (pc == 0x1000_0100).then_some(source)
        }
    }

    /// Sends these requests in turn to a studio of a trace in a new folder.
    fn ask(requests: &[(Method, &str, Option<&str>, &str)]) -> Vec<(u16, Value)> {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("win.trace");
        std::fs::write(&file, "trace 1\n").unwrap();
        let studio = Studio::new("t".into(), 80, TraceFolder::of_trace(&file).unwrap(), Alone);
        let answer = |(method, asked, if_match, body): &(Method, &str, Option<&str>, &str)| {
            let (path, query) = asked.split_once('?').unwrap_or((asked, ""));
            let reply = studio.answer(&Request {
                method: *method,
                path: format!("/t/{path}"),
                query: query.to_owned(),
                host: Some("127.0.0.1:80".into()),
                origin: Some("http://127.0.0.1:80".into()),
                site: Some("same-origin".into()),
                if_match: if_match.map(str::to_owned),
                body: (*body != "too large").then(|| body.as_bytes().to_vec()),
            });
            let text = String::from_utf8(reply.body).unwrap();
            (reply.status, serde_json::from_str(&text).unwrap_or(Value::String(text)))
        };
        requests.iter().map(answer).collect()
    }

    #[test]
    fn a_change_of_the_file_is_reported_to_the_page() {
        use Method::{Get, Put};
        let answers = ask(&[
            (Get, "", None, ""),
            (Get, "state", None, ""),
            (Get, "state", Some("\"other\""), ""),
            (Put, "trace", None, "trace 1\n"),
            (Put, "trace", Some("other"), "trace 1\n"),
            (Put, "trace", Some("other"), "too large"),
            (Put, "golden?name=win/a.png", None, "too large"),
        ]);
        assert_eq!(answers[0], (200, Value::String("/t/ true".into())));
        assert_eq!((&answers[1].1["changed"], answers[1].0), (&json!(false), 200));
        assert_eq!(answers[2].1["changed"], true);
        assert_eq!(answers[3].0, 428);
        assert_eq!(answers[4].0, 409);
        assert_eq!((answers[5].0, answers[6].0), (413, 413));
    }

    #[test]
    fn missing_files_are_refused_with_a_sentence() {
        use Method::{Get, Put};
        let answers = ask(&[
            (Get, "source?pc=0x10000100", None, ""),
            (Get, "source?pc=10000102", None, ""),
            (Get, "source?pc=x", None, ""),
            (Get, "file", None, ""),
            (Get, "file?name=%2e%2e/a.trace", None, ""),
            (Get, "trace", None, ""),
            (Put, "state", None, ""),
            (Put, "save?name=win.trace", None, "trace 1\n"),
        ]);
        let statuses: Vec<u16> = answers.iter().map(|(status, _)| *status).collect();
        assert_eq!(statuses, [200, 404, 400, 400, 403, 404, 404, 409]);
        assert_eq!(answers[0].1["text"][0]["text"], "fn main() {");
        let said = answers[7].1.as_str().unwrap();
        assert!(said.contains("win.trace is there already"), "{said}");
    }
}
