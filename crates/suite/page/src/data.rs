//! The data of a page: traces with all files that their replays read, and their failures.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Write};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use flate2::Compression;
use flate2::write::GzEncoder;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use escape::json::in_script;

/// The purpose of a page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// The results of many traces; each failed one can be played.
    Report,
    /// The board alone.
    Board,
    /// The board with its timeline.
    Studio,
}

impl Mode {
    /// Returns the mode's name in a page's data.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Report => "report",
            Self::Board => "board",
            Self::Studio => "studio",
        }
    }
}

/// A trace with all files that its replay reads. Paths are relative to the trace's own folder, with
/// `/`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PackedTrace {
    /// Path of the trace's file, as the user named it.
    pub name: String,
    pub text: String,
    /// Included files.
    pub files: BTreeMap<String, String>,
    /// Golden frames, flash image, and the program and panel table of the board that the header
    /// names.
    pub blobs: BTreeMap<String, Vec<u8>>,
}

impl PackedTrace {
    /// Returns the total size in bytes.
    pub fn bytes(&self) -> usize {
        let files = self.files.iter().map(|(name, text)| name.len() + text.len());
        let blobs = self.blobs.iter().map(|(name, bytes)| name.len() + bytes.len());
        self.name.len() + self.text.len() + files.sum::<usize>() + blobs.sum::<usize>()
    }
}

/// A board file with the files that it names, for a page.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PackedBoard {
    /// Path of the board file, as the headers of new traces name it.
    pub path: String,
    /// Text of the board file.
    pub text: String,
    /// The program and the table of the panel, by their paths.
    pub blobs: BTreeMap<String, Vec<u8>>,
}

/// Returns the member `board_file` of a page's data, and writes its blobs to `out`.
///
/// # Errors
/// If `out` cannot be written.
pub fn board_file(
    board: &PackedBoard,
    blobs: &mut BlobWriter,
    out: &mut dyn Write,
) -> io::Result<Value> {
    let mut ids = BTreeMap::new();
    for (path, bytes) in &board.blobs {
        ids.insert(path, blobs.add(bytes, out)?);
    }
    Ok(json!({ "path": board.path, "files": { board.path.clone(): board.text }, "blobs": ids }))
}

/// A failure of a trace.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Failure {
    /// Line of the trace, if the failure belongs to one.
    pub line: Option<u32>,
    /// Virtual time in nanoseconds.
    pub at: Option<u64>,
    /// A sentence with the expected and the actual value.
    pub message: String,
}

/// A trace of a page, with the results of its replay.
#[derive(Clone, Copy, Debug)]
pub struct TraceEntry<'a> {
    pub trace: &'a PackedTrace,
    /// Failures in order of time.
    pub failures: &'a [Failure],
    /// The shell command that opens the trace, if this page cannot run it.
    pub elf_command: Option<&'a str>,
}

/// Writes files that several traces use only once into a page. Only their names are retained.
#[derive(Debug, Default)]
pub struct BlobWriter {
    written: BTreeSet<String>,
}

impl BlobWriter {
    /// Writes `bytes` to `out`, as a member of a JSON object, unless the same bytes were written
    /// before, and returns their name.
    ///
    /// # Errors
    /// If `out` cannot be written.
    pub fn add(&mut self, bytes: &[u8], out: &mut dyn Write) -> io::Result<String> {
        let digest = Sha256::digest(bytes);
        let id: String = digest.iter().take(8).map(|byte| format!("{byte:02x}")).collect();
        if !self.written.contains(&id) {
            let comma = if self.written.is_empty() { "" } else { "," };
            write!(out, "{comma}\n\"{id}\":\"{}\"", encoded(bytes))?;
            self.written.insert(id.clone());
        }
        Ok(id)
    }
}

/// Encodes `bytes` for a page: base64, or `gz:` and base64 of the compressed bytes if nine eighths
/// of their number are still fewer.
pub(crate) fn encoded(bytes: &[u8]) -> String {
    let packed = compressed(bytes);
    if packed.len() + packed.len() / 8 < bytes.len() {
        return format!("gz:{}", STANDARD.encode(packed));
    }
    STANDARD.encode(bytes)
}

/// Compresses `bytes` in gzip's format.
pub(crate) fn compressed(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    // Writing to memory cannot fail.
    let written = encoder.write_all(bytes).and_then(|()| encoder.finish());
    written.unwrap_or_default()
}

/// Returns the element of `traces` for `entry`, escaped for a script element, and writes its blobs
/// to `out`.
///
/// # Errors
/// If `out` cannot be written.
pub fn entry(
    entry: &TraceEntry<'_>,
    blobs: &mut BlobWriter,
    out: &mut dyn Write,
) -> io::Result<String> {
    let PackedTrace { name, text, files, blobs: named } = entry.trace;
    let mut ids = BTreeMap::new();
    for (path, bytes) in named {
        ids.insert(path, blobs.add(bytes, out)?);
    }
    let failures = entry.failures.iter();
    let failures = failures
        .map(|Failure { line, at, message }| json!({ "line": line, "at": at, "message": message }));
    let mut value = json!({
        "name": name,
        "text": text,
        "files": files,
        "blobs": ids,
        "at": entry.failures.iter().find_map(|failure| failure.at),
        "failures": failures.collect::<Vec<Value>>(),
    });
    if let Some(command) = entry.elf_command {
        value["elf_command"] = command.into();
    }
    Ok(in_script(&value.to_string()))
}

#[cfg(test)]
mod tests {
    use std::io::Read;

    use flate2::read::GzDecoder;

    use super::*;

    #[test]
    fn bytes_of_many_traces_are_written_once() {
        let (mut blobs, mut out) = (BlobWriter::default(), Vec::new());
        let flash = vec![0xFF; 1 << 18];
        let first = blobs.add(&flash, &mut out).unwrap();
        let other = blobs.add(b"\x89PNG", &mut out).unwrap();
        assert_eq!(blobs.add(&flash, &mut out).unwrap(), first);
        let object: Value = serde_json::from_slice(&[b"{", &out[..], b"}"].concat()).unwrap();
        assert_eq!(object.as_object().unwrap().len(), 2);
        assert_eq!(object[&other], STANDARD.encode(b"\x89PNG"));
        let packed = object[&first].as_str().unwrap().strip_prefix("gz:").unwrap();
        assert!(packed.len() < 1_000);
        let mut unpacked = Vec::new();
        let packed = STANDARD.decode(packed).unwrap();
        GzDecoder::new(&packed[..]).read_to_end(&mut unpacked).unwrap();
        assert!(unpacked == flash);
    }

    #[test]
    fn an_entry_begins_at_the_first_failure() {
        let mut trace = PackedTrace { name: "a.trace".into(), ..PackedTrace::default() };
        trace.text = "trace 1\n# </script>\n".into();
        trace.files.insert("../boot.inc".into(), "0ms power on\n".into());
        trace.blobs.insert("a/won.png".into(), b"\x89PNG".to_vec());
        let failed = |at| Failure { line: Some(3), at, message: "no <b>".into() };
        let failures = [failed(None), failed(Some(7)), failed(Some(9))];
        let about = TraceEntry { trace: &trace, failures: &failures, elf_command: None };
        let mut out = Vec::new();
        let text = entry(&about, &mut BlobWriter::default(), &mut out).unwrap();
        assert!(!text.contains('<'), "{text}");
        let read: Value = serde_json::from_str(&text).unwrap();
        assert_eq!(read["at"], 7);
        assert_eq!(read["failures"][2]["message"], "no <b>");
        assert_eq!(read["files"]["../boot.inc"], "0ms power on\n");
        let id = read["blobs"]["a/won.png"].as_str().unwrap();
        assert!(String::from_utf8(out).unwrap().contains(id));
    }
}
