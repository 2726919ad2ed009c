//! Packs a trace with every file that its replay reads, for a page, which has no files.

use std::collections::BTreeMap;
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

use host::output_files::{goldens_of, inside};
use page::PackedTrace;
use thiserror::Error;
use trace::{Action, BoardError, BoardParts, IncludeReadError, IncludeSource, ParseErrors, Trace};

use super::open::{IncludedFiles, OpenError, name_of, parts_of};

/// Maximum size of a packed trace in bytes: text, included files, goldens and the files that its
/// header names.
pub const PACKED_BYTES_MAX: usize = 16 << 20;

/// Reason why a trace cannot be packed.
#[derive(Debug, Error)]
pub enum PackError {
    /// The trace cannot be opened.
    #[error(transparent)]
    Open(#[from] OpenError),
    /// The trace is too large for a page.
    #[error(
        "{}: with its goldens and the files that it includes it has more than {} MiB, too much for \
         a page; split it", path.display(), PACKED_BYTES_MAX >> 20
    )]
    TooLarge { path: PathBuf },
}

/// Packs the trace in the file at `path`. Errors in its text are returned beside it: such a trace
/// has the files that could be read, and no goldens.
///
/// # Errors
/// If its file cannot be read, or the packed trace is too large.
pub fn pack_trace(path: &Path) -> Result<(PackedTrace, Option<ParseErrors>), PackError> {
    pack_trace_on(path, None)
}

/// Packs a trace like [`pack_trace`], for a board with these parts; `None`: for the board that its
/// header names, whose files are packed as well.
///
/// # Errors
/// As for [`pack_trace`].
pub fn pack_trace_on(
    path: &Path,
    parts: Option<&BoardParts>,
) -> Result<(PackedTrace, Option<ParseErrors>), PackError> {
    let (mut packed, errors, of_board) = pack_on(path, parts)?;
    let folder = path.parent().unwrap_or(Path::new(""));
    for file in of_board {
        let left = PACKED_BYTES_MAX.saturating_sub(packed.bytes());
        // The replay reports a file that is missing or unreadable.
        let Ok(bytes) = host::input_files::read(&file, left) else { continue };
        if bytes.len() > left {
            return Err(PackError::TooLarge { path: path.to_owned() });
        }
        packed.blobs.insert(plain(file.strip_prefix(folder).unwrap_or(&file)), bytes);
    }
    Ok((packed, errors))
}

/// Packs a trace like [`pack_trace`], for a board with these parts; `None`: for the board that its
/// header names, or the LCD board. Returns also the further files that this board consists of: its
/// program, the table of its panel, its fonts.
pub(crate) fn pack_on(
    path: &Path,
    parts: Option<&BoardParts>,
) -> Result<(PackedTrace, Option<ParseErrors>, Vec<PathBuf>), PackError> {
    let goldens = goldens_of(path).map_err(OpenError::from)?;
    let too_large = || PackError::TooLarge { path: path.to_owned() };
    let bytes = host::input_files::read(path, PACKED_BYTES_MAX)
        .map_err(|source| OpenError::Io { path: path.to_owned(), source })?;
    if bytes.len() > PACKED_BYTES_MAX {
        return Err(too_large());
    }
    let folder = path.parent().unwrap_or(Path::new(""));
    let mut files = Recorded {
        folder,
        inner: IncludedFiles::default(),
        read: BTreeMap::new(),
        of_board: Vec::new(),
    };
    let parsed = trace::parse_on(&name_of(path), &bytes, &mut files, parts);
    let of_board = std::mem::take(&mut files.of_board);
    let mut packed = PackedTrace {
        name: path.display().to_string().replace('\\', "/"),
        text: String::from_utf8_lossy(&bytes).into_owned(),
        files: files.read,
        blobs: BTreeMap::new(),
    };
    let errors = match parsed {
        Ok(trace) => {
            for (name, file) in beside(&trace, folder, &goldens) {
                let left = PACKED_BYTES_MAX.saturating_sub(packed.bytes());
                // The replay reports a file that is missing or unreadable.
                if let Ok(bytes) = host::input_files::read(&file, left) {
                    packed.blobs.insert(name, bytes);
                }
            }
            None
        }
        Err(errors) => Some(errors),
    };
    if packed.bytes() > PACKED_BYTES_MAX {
        Err(too_large())
    } else {
        Ok((packed, errors, of_board))
    }
}

/// Returns the goldens that the lines of `trace` name, and the files in its folder that its header
/// names.
fn beside(trace: &Trace, folder: &Path, goldens: &Path) -> BTreeMap<String, PathBuf> {
    let stem = goldens.file_name().unwrap_or_default().to_string_lossy();
    let mut files = BTreeMap::new();
    for line in &trace.lines {
        let name = match &line.action {
            Action::ExpectFrame(expected) => format!("{}.png", expected.name),
            Action::ExpectFrames { name, .. } => format!("{name}.frames"),
            _ => continue,
        };
        if let Ok(file) = inside(goldens, name.as_ref()) {
            files.insert(format!("{stem}/{name}"), file);
        }
    }
    for entry in &trace.header {
        let name = Path::new(&entry.value);
        let file = folder.join(name);
        if name.file_name() == Some(name.as_os_str()) && file.is_file() {
            files.insert(entry.value.clone(), file);
        }
    }
    files
}

/// Files on the disk, with a record of each file read, by its path from the trace's folder.
struct Recorded<'a> {
    folder: &'a Path,
    inner: IncludedFiles,
    read: BTreeMap<String, String>,
    /// Files of the board that the header names.
    of_board: Vec<PathBuf>,
}

impl IncludeSource for Recorded<'_> {
    fn read(&mut self, path: &Path, limit: usize) -> Result<Arc<[u8]>, IncludeReadError> {
        let bytes = self.inner.read(path, limit.min(PACKED_BYTES_MAX))?;
        let name = plain(path.strip_prefix(self.folder).unwrap_or(path));
        self.read.insert(name, String::from_utf8_lossy(&bytes).into_owned());
        Ok(bytes)
    }

    fn board(&mut self, path: &Path) -> Result<BoardParts, BoardError> {
        let board = self.inner.board_file(path)?;
        // The file is in the cache of `inner` now; this records it.
        let reason = |reason| BoardError::Unreadable { file: path.display().to_string(), reason };
        self.read(path, PACKED_BYTES_MAX).map_err(reason)?;
        let folder = path.parent().unwrap_or(Path::new(""));
        self.of_board.extend(board.files().map(|file| folder.join(file)));
        parts_of(&board, path)
    }
}

/// Returns `path` with `/`, without `.` and, as far as a folder precedes it, without `..`.
fn plain(path: &Path) -> String {
    let mut parts: Vec<String> = Vec::new();
    for part in path.components() {
        match part {
            Component::ParentDir if parts.last().is_some_and(|last| last != "..") => {
                parts.pop();
            }
            Component::ParentDir => parts.push("..".to_owned()),
            Component::Normal(name) => parts.push(name.to_string_lossy().into_owned()),
            Component::CurDir | Component::RootDir | Component::Prefix(_) => {}
        }
    }
    parts.join("/")
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn a_packed_trace_has_every_file_that_its_replay_reads() {
        let folder = tempfile::tempdir().unwrap();
        let suite = folder.path().join("suite");
        fs::create_dir_all(suite.join("win")).unwrap();
        fs::write(folder.path().join("boot.inc"), "include suite/a/../on.inc\n").unwrap();
        fs::create_dir(suite.join("a")).unwrap();
        fs::write(suite.join("on.inc"), "0ms power on\n").unwrap();
        for name in ["win/start.png", "win/all.frames", "win/unnamed.png", "kept.flash"] {
            fs::write(suite.join(name), name).unwrap();
        }
        let path = suite.join("win.trace");
        let head = "trace 1\nflash kept.flash\nseed 7\ninclude ../boot.inc\n";
        let rest = "+0ms expect frame start\n+0ms expect frame none\n+1s expect frames all\n";
        fs::write(&path, format!("{head}{rest}")).unwrap();
        let (packed, errors) = pack_trace(&path).unwrap();
        assert!(errors.is_none(), "{errors:?}");
        let names = |of: &[&str]| of.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>();
        assert_eq!(
            packed.files.into_keys().collect::<Vec<_>>(),
            names(&["../boot.inc", "../suite/on.inc"])
        );
        assert_eq!(
            packed.blobs.keys().cloned().collect::<Vec<_>>(),
            names(&["kept.flash", "win/all.frames", "win/start.png"])
        );
        assert_eq!(packed.blobs["win/start.png"], b"win/start.png");
    }

    #[test]
    fn a_trace_with_errors_is_packed_with_its_text() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("bad.trace");
        fs::write(&path, "trace 1\n0ms power on\n+1s tpa B3\n").unwrap();
        let (packed, errors) = pack_trace(&path).unwrap();
        assert!(packed.text.ends_with("tpa B3\n"));
        assert_eq!(errors.unwrap().to_string().matches("unknown verb `tpa`").count(), 1);
    }

    #[test]
    fn a_trace_that_is_too_large_for_a_page_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("large.trace");
        fs::write(&path, vec![b'#'; PACKED_BYTES_MAX + 1]).unwrap();
        assert!(matches!(pack_trace(&path), Err(PackError::TooLarge { .. })));
    }
}
