//! One HTML file of a bundle and its data.

use std::io::{self, Write};

use base64::engine::general_purpose::STANDARD;
use base64::write::EncoderWriter;
use serde_json::json;

use crate::bundle::Bundle;
use crate::data::{Blobs, Mode, PackedTrace, TraceEntry, entry};
use escape::html::escaped;
use escape::json::in_script;

/// The maker that a page of the board names.
const BOARD_GENERATOR: &str = "nudge export";
/// The maker that a page of the studio names.
const STUDIO_GENERATOR: &str = "nudge open";

/// A page of its own: the board, or the studio.
#[derive(Clone, Copy, Debug)]
pub struct Document<'a> {
    /// What the page is for.
    pub mode: Mode,
    /// What a browser's tab shows.
    pub title: &'a str,
    /// The board's name: `native` or `pico`.
    pub board: &'a str,
    /// The program that the board runs, unless the engine has it.
    pub elf: Option<&'a [u8]>,
    /// The trace that it begins with; a live board without one.
    pub trace: Option<&'a PackedTrace>,
    /// The server that the page comes from; a file has none.
    pub server: Option<Server<'a>>,
}

/// A server that knows the page's files.
#[derive(Clone, Copy, Debug)]
pub struct Server<'a> {
    /// Where it answers, as `/TOKEN/`.
    pub base: &'a str,
    /// What the trace's file held when the page was made, as a word that changes with it.
    pub modified: Option<&'a str>,
}

/// What the page may do: run what is in it, and ask no server but, with a `server`, its own.
pub fn policy(server: bool) -> String {
    let connect = if server { "'self'" } else { "'none'" };
    format!(
        "default-src 'none'; script-src 'unsafe-inline' 'wasm-unsafe-eval'; \
         worker-src blob:; style-src 'unsafe-inline'; img-src data: blob:; \
         connect-src {connect}; \
         base-uri 'none'; form-action 'none'"
    )
}

/// How a page of `generator` begins. The name of its maker tells it from any other page.
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
        let (mut blobs, mut written) = (Blobs::default(), Vec::new());
        let elf = self.elf.map(|elf| blobs.add(elf, &mut written)).transpose()?;
        let about = self.trace.map(|trace| TraceEntry { trace, failures: &[], elf_command: None });
        let about = about.map(|about| entry(&about, &mut blobs, &mut written)).transpose()?;
        out.write_all(b"{\"traces\":[")?;
        out.write_all(about.unwrap_or_default().as_bytes())?;
        out.write_all(b"],\"blobs\":{")?;
        out.write_all(&written)?;
        out.write_all(b"},")?;
        let live = self.trace.is_none();
        let rest = rest(self.mode, self.title, self.board, elf.as_deref(), self.server, live);
        out.write_all(rest.as_bytes())
    }
}

/// Writes the element that holds the machine.
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

/// The members of a page's data behind `traces` and `blobs`, and the brace that closes it.
pub fn rest(
    mode: Mode,
    title: &str,
    board: &str,
    elf: Option<&str>,
    server: Option<Server<'_>>,
    live: bool,
) -> String {
    let server =
        server.map(|Server { base, modified }| json!({ "base": base, "modified": modified }));
    let members = json!({ "mode": mode.name(), "title": title, "board": board, "elf": elf,
        "server": server, "live": live });
    let text = in_script(&members.to_string());
    // Without its opening brace: other members precede these.
    text.strip_prefix('{').unwrap_or(&text).to_owned()
}
