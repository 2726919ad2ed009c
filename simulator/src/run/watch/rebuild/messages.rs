//! Parses cargo's messages during a build with `--message-format=json`, one line of JSON each.
//! <https://doc.rust-lang.org/cargo/reference/external-tools.html#json-messages>

use std::path::PathBuf;

use serde::Deserialize;

/// Maximum number of errors that are stored.
const ERRORS_MAX: usize = 50;
/// Maximum number of lines that are stored of one error.
const LINES_MAX: usize = 60;

/// The messages of one build.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BuildMessages {
    /// Path of the last executable that was built.
    pub executable: Option<PathBuf>,
    pub errors: Vec<CompileError>,
}

/// An error of the compiler.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CompileError {
    /// The error in one line, for example `mismatched types`.
    pub message: String,
    /// File, line and column, as in `src/lib.rs:12:5`; `None` for an error without a place.
    pub place: Option<String>,
    /// The compiler's text for a terminal.
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

/// Parses the standard output of a build. Lines that are not messages, such as those of a build
/// script, are skipped.
pub fn read(out: &[u8]) -> BuildMessages {
    let mut messages = BuildMessages::default();
    for line in out.split(|byte| *byte == b'\n').filter(|line| line.starts_with(b"{")) {
        let Ok(line) = serde_json::from_slice::<Line>(line) else { continue };
        if line.executable.is_some() {
            messages.executable = line.executable;
        }
        let Some(diagnostic) = line.message.filter(|_| line.reason == "compiler-message") else {
            continue;
        };
        // The last error only has the number of the others.
        let counts = diagnostic.message.starts_with("aborting due to");
        if diagnostic.level.starts_with("error") && !counts && messages.errors.len() < ERRORS_MAX {
            messages.errors.push(error(diagnostic));
        }
    }
    messages
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
        let messages = read(out.as_bytes());
        assert_eq!(messages.executable, None);
        assert_eq!(
            messages.errors,
            [CompileError {
                message: "mismatched types".into(),
                place: Some("src/a.rs:12:5".into()),
                lines: vec!["error[E0308]: mismatched types".into(), " --> src/a.rs:12:5".into()],
            }]
        );
    }

    #[test]
    fn the_built_executable_is_returned() {
        let out = br#"{"reason":"compiler-artifact","executable":"/t/debug/nudge","fresh":false}"#;
        assert_eq!(read(out).executable, Some("/t/debug/nudge".into()));
        assert_eq!(read(b"[1,2]\n{}\n\xff{"), BuildMessages::default());
    }
}
