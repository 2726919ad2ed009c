//! Writes a bundle and its data as one HTML file.

use std::io::{self, Write};

use base64::engine::general_purpose::STANDARD;
use base64::write::EncoderWriter;
use serde_json::{Value, json};

use crate::bundle::Bundle;
use crate::data::{BlobWriter, Mode, PackedBoard, PackedTrace, TraceEntry, board_file, entry};
use escape::html::escaped;
use escape::json::in_script;

/// Content of the element `meta name=generator` of a page of the board.
const BOARD_GENERATOR: &str = "nudge export";
/// Content of the element `meta name=generator` of a page of the studio.
const STUDIO_GENERATOR: &str = "nudge open";

/// A page with a single player: the board, or the studio.
#[derive(Clone, Copy, Debug)]
pub struct Document<'a> {
    pub mode: Mode,
    /// Title of the browser's tab.
    pub title: &'a str,
    /// The board's name: `native`, `pico` or `described`.
    pub board: &'a str,
    /// The board's program, unless it is part of the engine.
    pub elf: Option<&'a [u8]>,
    /// The board file that describes the board, if one does.
    pub board_file: Option<&'a PackedBoard>,
    /// The trace that the page plays; `None` is a live board.
    pub trace: Option<&'a PackedTrace>,
    /// The server of the page; `None` for a file.
    pub server: Option<Server<'a>>,
}

/// A server with access to the page's files.
#[derive(Clone, Copy, Debug)]
pub struct Server<'a> {
    /// Base path of all requests, `/TOKEN/`.
    pub base: &'a str,
    /// Hash of the trace's file when the page was made.
    pub modified: Option<&'a str>,
}

/// Returns the page's content security policy: only embedded scripts run, and only a page with a
/// `server` may send requests, to that server.
pub fn policy(server: bool) -> String {
    let connect = if server { "'self'" } else { "'none'" };
    format!(
        "default-src 'none'; script-src 'unsafe-inline' 'wasm-unsafe-eval'; \
         worker-src blob:; style-src 'unsafe-inline'; img-src data: blob:; \
         connect-src {connect}; \
         base-uri 'none'; form-action 'none'"
    )
}

/// Returns the beginning of a page by `generator`, which distinguishes it from pages of other
/// programs.
fn beginning(generator: &str) -> String {
    format!(
        "<!DOCTYPE html>\n<html lang=en>\n<head>\n<meta charset=utf-8>\n\
         <meta name=generator content=\"{generator}\">\n"
    )
}

impl Document<'_> {
    /// Writes the page.
    ///
    /// # Errors
    /// If `out` cannot be written.
    pub fn write(&self, bundle: &Bundle, out: &mut dyn Write) -> io::Result<()> {
        let generator = match self.mode {
            Mode::Board => BOARD_GENERATOR,
            Mode::Studio | Mode::Report => STUDIO_GENERATOR,
        };
        write!(
            out,
            "{}<meta name=viewport content=\"width=device-width, initial-scale=1\">\n\
             <meta http-equiv=Content-Security-Policy content=\"{}\">\n\
             <meta name=color-scheme content=\"light dark\">\n\
             <title>{}</title>\n<style>\n{}\n</style>\n</head>\n<body>\n\
             <noscript>This page runs a board, and this browser runs no scripts.</noscript>\n",
            beginning(generator),
            policy(self.server.is_some()),
            escaped(self.title),
            bundle.style,
        )?;
        write_engine(bundle, out)?;
        writeln!(out, "<script type=\"application/json\" id=\"nudge-data\">")?;
        self.write_data(out)?;
        write!(out, "\n</script>\n<script>\n{}\n</script>\n</body>\n</html>\n", bundle.script)
    }

    fn write_data(&self, out: &mut dyn Write) -> io::Result<()> {
        let (mut blobs, mut written) = (BlobWriter::default(), Vec::new());
        let elf = self.elf.map(|elf| blobs.add(elf, &mut written)).transpose()?;
        let board_file = self.board_file.map(|file| board_file(file, &mut blobs, &mut written));
        let board_file = board_file.transpose()?;
        let about = self.trace.map(|trace| TraceEntry { trace, failures: &[], elf_command: None });
        let about = about.map(|about| entry(&about, &mut blobs, &mut written)).transpose()?;
        out.write_all(b"{\"traces\":[")?;
        out.write_all(about.unwrap_or_default().as_bytes())?;
        out.write_all(b"],\"blobs\":{")?;
        out.write_all(&written)?;
        out.write_all(b"},")?;
        let live = self.trace.is_none();
        let rest =
            rest(self.mode, self.title, self.board, elf.as_deref(), board_file, self.server, live);
        out.write_all(rest.as_bytes())
    }
}

/// Writes the element that contains the machine.
///
/// # Errors
/// If `out` cannot be written.
pub fn write_engine(bundle: &Bundle, out: &mut dyn Write) -> io::Result<()> {
    out.write_all(b"<script type=\"application/octet-stream;gzip;base64\" id=\"engine\">")?;
    let mut encoder = EncoderWriter::new(&mut *out, &STANDARD);
    encoder.write_all(bundle.engine)?;
    encoder.finish()?;
    drop(encoder);
    out.write_all(b"</script>\n")
}

/// Returns the members of a page's data after `traces` and `blobs`, and the closing brace.
pub fn rest(
    mode: Mode,
    title: &str,
    board: &str,
    elf: Option<&str>,
    board_file: Option<Value>,
    server: Option<Server<'_>>,
    live: bool,
) -> String {
    let server =
        server.map(|Server { base, modified }| json!({ "base": base, "modified": modified }));
    let members = json!({ "mode": mode.name(), "title": title, "board": board, "elf": elf,
        "board_file": board_file, "server": server, "live": live });
    let text = in_script(&members.to_string());
    // Without the opening brace: other members precede these.
    text.strip_prefix('{').unwrap_or(&text).to_owned()
}
