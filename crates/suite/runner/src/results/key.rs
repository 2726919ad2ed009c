//! Hashes of everything that a replay depends on, and of its result.

use core::fmt;
use std::fs;
use std::io::ErrorKind;
use std::path::Path;

use hal_mock::VirtualBoard;
use host::output_files::goldens_of;
use reading::golden::chain::FrameHash;
use sha2::{Digest as _, Sha256};
use virtual_time::Instant;

use crate::options::ReplayOptions;
use crate::suite::pack::pack_on;

/// Maximum size in bytes of a board's program or panel table whose replays are cached.
const BOARD_FILE_BYTES_MAX: usize = 64 << 20;

/// Hash of everything that a replay and its verdict depend on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Key(String);

impl Key {
    /// Returns the key of the trace in the file at `path`; `None` if a file that its replay reads
    /// cannot be read, if they are too large to be read twice, or if the trace has a known failure.
    pub fn of(engine: &str, path: &Path, options: &ReplayOptions) -> Option<Self> {
        let ReplayOptions { until, allow_violations, lenient, strict, .. } = options;
        let (packed, errors, of_board) = pack_on(path, options.parts.as_ref()).ok()?;
        if errors.is_some() {
            return None;
        }
        // Its result also depends on the date, and a pass is an error.
        if trace::header_entry(&packed.text, trace::XFAIL_KEY).is_some() {
            return None;
        }
        let mut parts: Vec<Vec<u8>> = vec![
            b"nudge result 1".to_vec(),
            engine.as_bytes().to_vec(),
            format!("{until:?} {allow_violations} {lenient} {strict}").into_bytes(),
            packed.text.into_bytes(),
        ];
        for (name, text) in packed.files {
            parts.extend([b"include".to_vec(), name.into_bytes(), text.into_bytes()]);
        }
        for file in of_board {
            let bytes = host::input_files::read(&file, BOARD_FILE_BYTES_MAX).ok()?;
            if bytes.len() > BOARD_FILE_BYTES_MAX {
                return None;
            }
            parts.extend([b"board".to_vec(), bytes]);
        }
        for (name, bytes) in packed.blobs {
            // Only the file's own name counts: its folder has the trace's name, which must not
            // change the key.
            let name = name.rsplit('/').next().unwrap_or_default().to_owned();
            parts.extend([b"beside".to_vec(), name.into_bytes(), bytes]);
        }
        for name in files_in(&goldens_of(path).ok()?)? {
            parts.extend([b"golden".to_vec(), name]);
        }
        Some(Self(hash(parts.iter().map(Vec::as_slice))))
    }

    /// Returns whether `name` has the form of a key. A folder that the user chose may contain other
    /// files.
    pub fn is_key_name(name: &str) -> bool {
        let is_digit = |byte: u8| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte);
        name.len() == 64 && name.bytes().all(is_digit)
    }

    /// Returns a pseudo-random number that depends on the key and on `seed`.
    pub fn draw(&self, seed: u64) -> u64 {
        let drawn = hash([self.0.as_bytes(), &seed.to_le_bytes()]);
        drawn.get(..16).and_then(|digits| u64::from_str_radix(digits, 16).ok()).unwrap_or_default()
    }
}

/// Prints 64 hexadecimal digits.
impl fmt::Display for Key {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.0)
    }
}

/// Returns the SHA-256 hash of `parts` and their lengths, in hexadecimal digits.
pub(super) fn hash<'a>(parts: impl IntoIterator<Item = &'a [u8]>) -> String {
    let mut hasher = Sha256::new();
    for part in parts {
        hasher.update((part.len() as u64).to_le_bytes());
        hasher.update(part);
    }
    hasher.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Returns the hash of the last frame of a board and of everything that it sent and sounded up to
/// `ended_at`.
pub(super) fn record(board: &VirtualBoard, ended_at: Instant) -> String {
    let frames = (FrameHash::of(&board.frame_at(ended_at)), board.frame_count_at(ended_at));
    let sounded = format!("{frames:?} {:?} {:?}", board.console_lines(), board.tones());
    hash([board.console_bytes().as_slice(), sounded.as_bytes()])
}

/// Returns the names in a folder, sorted; `None` if the folder exists but cannot be read. The names
/// matter because a golden that no line names fails its trace.
fn files_in(folder: &Path) -> Option<Vec<Vec<u8>>> {
    let entries = match fs::read_dir(folder) {
        Ok(entries) => entries,
        Err(error) if error.kind() == ErrorKind::NotFound => return Some(Vec::new()),
        Err(_) => return None,
    };
    let name = |entry: fs::DirEntry| entry.file_name().into_encoded_bytes();
    let mut names: Vec<Vec<u8>> =
        entries.map(|entry| entry.map(name)).collect::<Result<_, _>>().ok()?;
    names.sort();
    Some(names)
}
