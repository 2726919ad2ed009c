//! The frames of a whole session, compared by hashes of their decoded pixels.
//!
//! A [`Chain`] is a text file: one line per frame with its hash, the time at which it was complete
//! and what it changed, and a last line with a hash over all of them, so that a truncated or
//! wrongly merged file is reported as such and not as firmware that draws something else. Only the
//! hashes are compared; the rest is for people and for the report.
//!
//! ```text
//! frames 2
//! 5f0c1b8e27d94a63  612.345ms   76800 pixels in 0,0,320,240
//! 90d1f6f2c6a04b1e  1.302s      812 pixels in 120,80,40,44
//! all 2 c2a7f15e9b3d8840
//! ```
//!
//! The module knows no trace and no folder. [`FrameHash`] defines the hash. Files that begin with
//! `frames 1` have another hash ([`FrameHash::of_first_format`]); they are read, but no longer
//! written.

use core::fmt;
use core::hash::Hasher as _;
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};

use siphasher::sip::SipHasher13;
use thiserror::Error;
use twox_hash::XxHash3_64;

use host::output_files::{Output, OutputError};

use super::difference::Mismatch;
pub use super::hash::{FrameHash, TileHashes};
use ili9341_model::{
    Tiles,
    frame::{Frame, Region},
};
use trace::lfs::{IS_A_POINTER, is_pointer};
use virtual_time::Instant;

/// Format of a chain: its hashes, and the first line of its file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ChainFormat {
    /// `frames 1`: [`FrameHash::of_first_format`]. Read only.
    First,
    /// `frames 2`: [`FrameHash::of`].
    #[default]
    Second,
}

impl ChainFormat {
    const ALL: [Self; 2] = [Self::First, Self::Second];

    /// Returns the first line of the file.
    pub fn first_line(self) -> &'static str {
        match self {
            Self::First => "frames 1",
            Self::Second => "frames 2",
        }
    }

    /// Returns the hash of a `frame` whose link is known.
    pub fn hash_of(self, link: &Link, frame: &Frame) -> FrameHash {
        match self {
            Self::First => FrameHash::of_first_format(frame),
            Self::Second => link.hash,
        }
    }

    /// Returns the hash over all frames' hashes.
    fn sum(self, links: &[Link]) -> FrameHash {
        let hashes = links.iter().map(|link| link.hash.0.to_le_bytes());
        FrameHash(match self {
            Self::First => {
                let mut hasher = SipHasher13::new();
                hashes.for_each(|hash| hasher.write(&hash));
                hasher.finish()
            }
            Self::Second => XxHash3_64::oneshot(hashes.collect::<Vec<_>>().as_flattened()),
        })
    }
}

/// Maximum number of frames in a chain: at 5 ms a frame, almost an hour and a half.
pub const FRAMES_MAX: usize = 1_000_000;

/// Maximum size of a file in bytes: no line is longer than 64 bytes.
const FILE_BYTES_MAX: u64 = 64 << 20;

/// One frame of a chain in the current format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Link {
    /// Hash of the frame's pixels.
    pub hash: FrameHash,
    /// Time at which the frame was complete.
    pub at: Instant,
    /// Number of pixels that differ from the previous frame.
    pub changed: usize,
    /// The smallest rectangle around these pixels.
    pub region: Region,
}

impl Link {
    /// Returns the link of `frame` after the frame `before`; `None` if they are equal.
    pub fn between(before: &Frame, frame: &Frame, at: Instant) -> Option<Self> {
        let (changed, region) = match super::compare(frame, before) {
            Ok(()) => return None,
            Err(Mismatch::Size { .. }) => (frame.pixels().len(), frame.whole()),
            Err(Mismatch::Pixels(found)) => (found.count, found.region()),
        };
        Some(Self { hash: FrameHash::of(frame), at, changed, region })
    }

    /// Returns the link of `frame` like [`between`](Self::between), if the frames have the same
    /// size and differ at most in the `changed` tiles; `hashes` are those of `frame`.
    pub fn of_changed(
        before: &Frame,
        frame: &Frame,
        changed: &Tiles,
        hashes: &TileHashes,
        at: Instant,
    ) -> Option<Self> {
        let (changed, region) = super::changed::changed_in(before, frame, changed)?;
        Some(Self { hash: hashes.hash(), at, changed, region })
    }

    /// Describes the change for people: `812 pixels in 120,80,40,44`.
    pub fn change(&self) -> String {
        format!("{} in {}", trace::counted(self.changed, "pixel"), self.region)
    }
}

/// The reason why a file of a chain cannot be used: `PATH: …` or `PATH:LINE: …`, a sentence without
/// a full stop.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ChainError {
    /// The file cannot be read.
    #[error("{}: cannot be read: {error}", path.display())]
    Read {
        path: PathBuf,
        #[source]
        error: io::Error,
    },
    /// The file cannot be written.
    #[error(transparent)]
    Write(OutputError),
    /// The file is larger than any chain.
    #[error("{}: is larger than {} MiB", path.display(), FILE_BYTES_MAX >> 20)]
    TooLarge { path: PathBuf },
    /// The file is a pointer of Git LFS.
    #[error("{}: {IS_A_POINTER}", path.display())]
    LfsPointer { path: PathBuf },
    /// The file is not UTF-8.
    #[error("{}: is no chain of frames; one is plain text", path.display())]
    NotText { path: PathBuf },
    /// The text is not a valid chain.
    #[error("{}:{fault}", path.display())]
    Parse {
        path: PathBuf,
        #[source]
        fault: ChainFault,
    },
}

/// An error in the text of a chain: `LINE: …`.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{line}: {kind}")]
pub struct ChainFault {
    /// Line number, from 1.
    pub line: usize,
    pub kind: ChainFaultKind,
}

/// The kinds of errors in a line of a chain.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum ChainFaultKind {
    /// The first line is not that of a chain.
    #[error("is no chain of frames; one begins with `{}`", ChainFormat::default().first_line())]
    NotAChain,
    /// The line is not a frame.
    #[error("is no frame; one is a hash of 16 digits, a time, what changed")]
    NotAFrame,
    /// There are more than [`FRAMES_MAX`] frames.
    #[error("a chain has at most {FRAMES_MAX} frames")]
    TooManyFrames,
    /// The hash in the last line does not match the lines above.
    #[error(
        "says `all {says}`, but the lines above make `all {whole}`: the file was changed by hand, \
         or merged"
    )]
    WrongSum {
        /// Number and hash in the line.
        says: String,
        /// Correct number and hash.
        whole: String,
    },
    /// A line follows the last one.
    #[error("nothing may follow the last line")]
    LineAfterSum,
    /// The last line is missing.
    #[error("the last line, `all …`, is missing: the file is not whole")]
    NotWhole,
}

/// All frames of a session, in order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Chain {
    /// Format of the hashes.
    pub format: ChainFormat,
    /// Links of the frames, at most [`FRAMES_MAX`].
    pub links: Vec<Link>,
}

/// Creates a chain in the current format.
impl From<Vec<Link>> for Chain {
    fn from(links: Vec<Link>) -> Self {
        Self { format: ChainFormat::default(), links }
    }
}

impl Chain {
    /// Returns the hash over all frames' hashes.
    pub fn hash(&self) -> FrameHash {
        self.format.sum(&self.links)
    }

    /// Parses the output of `Display`.
    ///
    /// # Errors
    /// The error and its line.
    pub fn parse(text: &str) -> Result<Self, ChainFault> {
        let fault = |line, kind| Err(ChainFault { line, kind });
        let mut lines = text.lines().enumerate().map(|(index, line)| (index + 1, line));
        let first = lines.next().map(|(_, line)| line);
        let format = ChainFormat::ALL.into_iter().find(|of| first == Some(of.first_line()));
        let Some(format) = format else { return fault(1, ChainFaultKind::NotAChain) };
        let mut chain = Self { format, links: Vec::new() };
        for (number, line) in lines.by_ref() {
            if let Some(rest) = line.strip_prefix("all ") {
                let whole = format!("{} {}", chain.links.len(), chain.hash());
                if rest != whole {
                    let says = rest.to_owned();
                    return fault(number, ChainFaultKind::WrongSum { says, whole });
                }
                return match lines.next() {
                    None => Ok(chain),
                    Some((number, _)) => fault(number, ChainFaultKind::LineAfterSum),
                };
            }
            if chain.links.len() >= FRAMES_MAX {
                return fault(number, ChainFaultKind::TooManyFrames);
            }
            match link(line) {
                Some(link) => chain.links.push(link),
                None => return fault(number, ChainFaultKind::NotAFrame),
            }
        }
        fault(text.lines().count() + 1, ChainFaultKind::NotWhole)
    }

    /// Reads the file at `path`.
    ///
    /// # Errors
    /// If the file cannot be read or is not a valid chain.
    pub fn load(path: &Path) -> Result<Self, ChainError> {
        let path_owned = || path.to_owned();
        let mut bytes = Vec::new();
        host::input_files::open(path)
            // One byte more than allowed suffices to detect a file that is too large, even an
            // endless one.
            .and_then(|file| file.take(FILE_BYTES_MAX + 1).read_to_end(&mut bytes))
            .map_err(|error| ChainError::Read { path: path_owned(), error })?;
        if is_pointer(&bytes) {
            return Err(ChainError::LfsPointer { path: path_owned() });
        }
        if bytes.len() as u64 > FILE_BYTES_MAX {
            return Err(ChainError::TooLarge { path: path_owned() });
        }
        let text =
            std::str::from_utf8(&bytes).map_err(|_| ChainError::NotText { path: path_owned() })?;
        Self::parse(text).map_err(|fault| ChainError::Parse { path: path_owned(), fault })
    }

    /// Writes the file at `path`, completely or not at all.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn save(&self, path: &Path) -> Result<(), ChainError> {
        let written = Output::golden(path).replace(true).write(self.to_string().as_bytes());
        written.map_err(ChainError::Write)
    }
}

impl fmt::Display for Chain {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(out, "{}", self.format.first_line())?;
        for link in &self.links {
            // The time as in reports, without the blank that would separate words of the file.
            let at = virtual_time::spoken(link.at.since_start()).replace(' ', "");
            writeln!(out, "{}  {at:<14} {}", link.hash, link.change())?;
        }
        writeln!(out, "all {} {}", self.links.len(), self.hash())
    }
}

fn link(line: &str) -> Option<Link> {
    let words: Vec<&str> = line.split_whitespace().collect();
    let [hash, at, changed, "pixel" | "pixels", "in", region] = words[..] else { return None };
    let hex = hash.len() == 16 && hash.bytes().all(|byte| byte.is_ascii_hexdigit());
    Some(Link {
        hash: FrameHash(u64::from_str_radix(hash, 16).ok().filter(|_| hex)?),
        at: trace::parse_instant(at).ok()?,
        changed: changed.parse().ok()?,
        region: Region::parse(region)?,
    })
}
