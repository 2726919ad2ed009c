//! What cargo says while it builds, with `--message-format=json`: a line of JSON each.
//! <https://doc.rust-lang.org/cargo/reference/external-tools.html#json-messages>

use std::path::PathBuf;

use serde::Deserialize;

/// Errors that are kept.
const ERRORS_MAX: usize = 50;
/// Lines of one error that are kept.
const LINES_MAX: usize = 60;

/// What was said.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Said {
    /// The last program that was built.
    pub executable: Option<PathBuf>,
    /// What the compiler refuses.
    pub errors: Vec<CompileError>,
}

/// What the compiler refuses.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CompileError {
    /// In a line: `mismatched types`.
    pub message: String,
    /// `src/lib.rs:12:5`; `None` of an error without a place.
    pub place: Option<String>,
    /// As the compiler words it for a terminal.
    pub lines: Vec<String>,
}

#[derive(Deserialize)]
struct Line {
    reason: String,
    message: Option<Diagnostic>,
    executable: Option<PathBuf>,
}

#[derive(Deserialize)]
struct Diagnostic {
    level: String,
    message: String,
    #[serde(default)]
    spans: Vec<Span>,
    rendered: Option<String>,
}

#[derive(Deserialize)]
struct Span {
    file_name: String,
    line_start: u64,
    column_start: u64,
    is_primary: bool,
}

/// Reads what was said. Lines that are no messages are left out: a build script may write some.
pub fn read(out: &[u8]) -> Said {
    let mut said = Said::default();
    for line in out.split(|byte| *byte == b'\n').filter(|line| line.starts_with(b"{")) {
        let Ok(line) = serde_json::from_slice::<Line>(line) else { continue };
        if line.executable.is_some() {
            said.executable = line.executable;
        }
        let Some(diagnostic) = line.message.filter(|_| line.reason == "compiler-message") else {
            continue;
        };
        // The last one only counts the others.
        let counts = diagnostic.message.starts_with("aborting due to");
        if diagnostic.level.starts_with("error") && !counts && said.errors.len() < ERRORS_MAX {
            said.errors.push(error(diagnostic));
        }
    }
    said
}

fn error(diagnostic: Diagnostic) -> CompileError {
    let place = diagnostic.spans.iter().find(|span| span.is_primary);
    let place =
        place.map(|span| format!("{}:{}:{}", span.file_name, span.line_start, span.column_start));
    let rendered = diagnostic.rendered.unwrap_or_else(|| diagnostic.message.clone());
    let lines = rendered.lines().take(LINES_MAX).map(str::to_owned).collect();
    CompileError { message: diagnostic.message, place, lines }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_have_their_place_and_warnings_are_none() {
        let out = concat!(
            "   a build script writes this\n",
            r#"{"reason":"compiler-artifact","package_id":"a","target":{"name":"a"},"executable":null,"fresh":true}"#,
            "\n",
            r#"{"reason":"compiler-message","message":{"level":"warning","message":"unused","spans":[],"rendered":"warning: unused"}}"#,
            "\n",
            r#"{"reason":"compiler-message","message":{"level":"error","message":"mismatched types","code":{"code":"E0308"},"spans":[{"file_name":"src/b.rs","line_start":1,"line_end":1,"column_start":1,"column_end":2,"is_primary":false},{"file_name":"src/a.rs","line_start":12,"line_end":12,"column_start":5,"column_end":9,"is_primary":true}],"rendered":"error[E0308]: mismatched types\n --> src/a.rs:12:5\n"}}"#,
            "\n",
            r#"{"reason":"compiler-message","message":{"level":"error","message":"aborting due to 1 previous error","spans":[],"rendered":"error: aborting"}}"#,
            "\n",
            r#"{"reason":"build-finished","success":false}"#,
            "\n{\"reason\":",
        );
        let said = read(out.as_bytes());
        assert_eq!(said.executable, None);
        assert_eq!(
            said.errors,
            [CompileError {
                message: "mismatched types".into(),
                place: Some("src/a.rs:12:5".into()),
                lines: vec!["error[E0308]: mismatched types".into(), " --> src/a.rs:12:5".into()],
            }]
        );
    }

    #[test]
    fn the_program_that_was_built_is_named() {
        let out = br#"{"reason":"compiler-artifact","executable":"/t/debug/nudge","fresh":false}"#;
        assert_eq!(read(out).executable, Some("/t/debug/nudge".into()));
        assert_eq!(read(b"[1,2]\n{}\n\xff{"), Said::default());
    }
}
