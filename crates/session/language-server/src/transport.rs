//! Messages on a stream, with limits that the reader of the library does not have.

use std::io::{self, BufRead, ErrorKind, Read as _};

use lsp_server::Message;
use thiserror::Error;

/// Maximum number of bytes of a message, headers not counted.
pub const MESSAGE_BYTES_MAX: usize = 64 << 20;
/// Maximum number of bytes of the headers of a message.
pub const HEAD_BYTES_MAX: u64 = 4 << 10;
/// Maximum number of characters of the input that an error quotes.
const QUOTED_CHARS_MAX: usize = 40;

/// Reason why no further message can be read.
#[derive(Debug, Error)]
pub enum TransportError {
    #[error(
        "the input is not the Language Server Protocol: a message begins with `Content-Length: N`, not with {0:?}; \
         an editor starts `nudge lsp`, and docs/editors.md has its settings"
    )]
    NotAHeader(String),
    #[error("a message has more than {HEAD_BYTES_MAX} bytes of headers")]
    HeadTooLong,
    #[error(
        "a message has no valid `Content-Length`; it is a number of bytes, at most {MESSAGE_BYTES_MAX}"
    )]
    NoLength,
    #[error("a message has {0} bytes; the limit is {MESSAGE_BYTES_MAX}")]
    TooLarge(usize),
    #[error("the input ends within a message: the editor has ended, or closed it")]
    CutOff,
    #[error("a message is not JSON-RPC: {0}")]
    NotJsonRpc(io::Error),
    #[error("the input cannot be read: {0}")]
    Read(io::Error),
}

/// Reads the next message; `None` at the end of the input.
///
/// # Errors
/// If the input is no message, or a limit is exceeded; the position in the input is then lost.
pub fn read(input: &mut dyn BufRead) -> Result<Option<Message>, TransportError> {
    let mut head = Vec::new();
    let mut length = None;
    loop {
        let start = head.len();
        let left = HEAD_BYTES_MAX - start as u64;
        let count = input.take(left).read_until(b'\n', &mut head).map_err(TransportError::Read)?;
        if count == 0 && start == 0 {
            return Ok(None);
        }
        if !head.ends_with(b"\n") {
            let is_long = head.len() as u64 >= HEAD_BYTES_MAX;
            return Err(if is_long { TransportError::HeadTooLong } else { TransportError::CutOff });
        }
        let line = String::from_utf8_lossy(&head[start..]).trim_end().to_owned();
        if line.is_empty() {
            break;
        }
        let Some((name, value)) = line.split_once(": ") else {
            let quoted = line.chars().take(QUOTED_CHARS_MAX).collect();
            return Err(TransportError::NotAHeader(quoted));
        };
        if name.eq_ignore_ascii_case("content-length") {
            length = value.parse::<usize>().ok();
        }
    }
    match length {
        None => return Err(TransportError::NoLength),
        Some(length) if length > MESSAGE_BYTES_MAX => {
            return Err(TransportError::TooLarge(length));
        }
        Some(_) => {}
    }
    Message::read(&mut head.chain(input)).map_err(|error| match error.kind() {
        ErrorKind::UnexpectedEof => TransportError::CutOff,
        ErrorKind::InvalidData => TransportError::NotJsonRpc(error),
        _ => TransportError::Read(error),
    })
}
