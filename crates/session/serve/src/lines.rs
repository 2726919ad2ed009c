//! Messages as lines: each is one line of UTF-8 without line breaks in it, and so is each answer.

use std::io::{self, BufRead, Read as _, Write};

use serde_json::Value;

use crate::fault::{Fault, FaultKind};
use crate::rpc::refusal;

/// Maximum number of bytes of a request, with its line end.
pub const REQUEST_BYTES_MAX: usize = 1 << 20;

/// Answers each line of `input` on `output`, until there are no more. A line that is too long is
/// skipped to its end.
///
/// # Errors
/// If a line cannot be read, or an answer cannot be written.
pub fn serve(
    input: &mut dyn BufRead,
    output: &mut dyn Write,
    answer: &mut dyn FnMut(&[u8]) -> Option<Value>,
) -> io::Result<()> {
    let mut line = Vec::new();
    loop {
        line.clear();
        let limit = REQUEST_BYTES_MAX as u64;
        if (&mut *input).take(limit).read_until(b'\n', &mut line)? == 0 {
            return Ok(());
        }
        let answer = if line.len() == REQUEST_BYTES_MAX && !line.ends_with(b"\n") {
            skip_line(input)?;
            let message = format!("a request has at most {} MiB", REQUEST_BYTES_MAX >> 20);
            Some(refusal(&Fault::new(FaultKind::Request, message), Value::Null))
        } else if line.iter().all(u8::is_ascii_whitespace) {
            None
        } else {
            answer(&line)
        };
        if let Some(answer) = answer {
            let mut text = answer.to_string();
            text.push('\n');
            output.write_all(text.as_bytes())?;
            output.flush()?;
        }
    }
}

/// Skips the rest of a line.
fn skip_line(input: &mut dyn BufRead) -> io::Result<()> {
    loop {
        let buffer = input.fill_buf()?;
        let end = buffer.iter().position(|byte| *byte == b'\n');
        let (used, is_over) =
            (end.map_or(buffer.len(), |end| end + 1), end.is_some() || buffer.is_empty());
        input.consume(used);
        if is_over {
            return Ok(());
        }
    }
}
