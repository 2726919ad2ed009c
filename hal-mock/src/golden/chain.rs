//! The frames of a whole session, compared by hashes of their decoded pixels.
//!
//! A [`Chain`] is a text file of its own: a line a frame with its hash, when it was complete
//! and what it changed, and a last line with a hash over all of them, so that a file that was cut
//! or merged wrongly is told apart from a firmware that draws something else. Only the hashes
//! are compared: the rest is for people, and for the report.
//!
//! ```text
//! frames 1
//! 5f0c1b8e27d94a63  612.345ms   76800 pixels in 0,0,320,240
//! 90d1f6f2c6a04b1e  1.302s      812 pixels in 120,80,40,44
//! all 2 c2a7f15e9b3d8840
//! ```
//!
//! It knows no trace and no folder. A hash is SipHash-1-3 of width, height and pixels, as
//! little-endian bytes: the same on every computer.

use core::fmt;
use core::hash::Hasher as _;
use std::fs::File;
use std::io::Read as _;
use std::path::Path;

use siphasher::sip::SipHasher13;

use super::Mismatch;
use crate::frame::{Frame, Region};
use crate::{Nanos, trace};

/// The first line of the file.
const FIRST: &str = "frames 1";

/// The most frames in a chain: at 5 ms a frame, almost an hour and a half.
pub const FRAMES_MAX: usize = 1_000_000;

/// The largest file: no line is longer than 64 bytes.
const FILE_BYTES_MAX: u64 = 64 << 20;

/// The hash of a frame's pixels.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct FrameHash(pub u64);

impl FrameHash {
    /// Of these pixels.
    pub fn of(frame: &Frame) -> Self {
        let mut hasher = SipHasher13::new();
        let mut bytes = Vec::with_capacity(frame.pixels().len() * 4 + 8);
        for side in [frame.width(), frame.height()] {
            bytes.extend_from_slice(&(side as u32).to_le_bytes());
        }
        bytes.extend(frame.pixels().iter().flat_map(|pixel| pixel.to_le_bytes()));
        hasher.write(&bytes);
        Self(hasher.finish())
    }
}

impl fmt::Display for FrameHash {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{:016x}", self.0)
    }
}

/// One frame of a chain.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Link {
    /// Of its pixels.
    pub hash: FrameHash,
    /// When it was complete.
    pub at: Nanos,
    /// How many pixels it changed of the frame before.
    pub changed: usize,
    /// The smallest rectangle around them.
    pub region: Region,
}

impl Link {
    /// A frame behind the frame `before`; `None` if it shows the same.
    pub fn between(before: &Frame, frame: &Frame, at: Nanos) -> Option<Self> {
        let (changed, region) = match super::compare(frame, before) {
            Ok(()) => return None,
            Err(Mismatch::Size { .. }) => (frame.pixels().len(), Region::PANEL),
            Err(Mismatch::Pixels(found)) => (found.count, found.region()),
        };
        Some(Self { hash: FrameHash::of(frame), at, changed, region })
    }
}

impl Link {
    /// What it changes, for people: `812 pixels in 120,80,40,44`.
    pub fn change(&self) -> String {
        let pixels = if self.changed == 1 { "pixel" } else { "pixels" };
        format!("{} {pixels} in {}", self.changed, self.region)
    }
}

/// All frames, in order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Chain {
    /// At most [`FRAMES_MAX`].
    pub links: Vec<Link>,
}

impl Chain {
    /// Over all frames' hashes.
    pub fn hash(&self) -> FrameHash {
        let mut hasher = SipHasher13::new();
        for link in &self.links {
            hasher.write(&link.hash.0.to_le_bytes());
        }
        FrameHash(hasher.finish())
    }

    /// Reads what `Display` has written.
    ///
    /// # Errors
    /// `LINE: what is wrong`, as a sentence without a full stop.
    pub fn parse(text: &str) -> Result<Self, String> {
        let mut lines = text.lines().enumerate().map(|(index, line)| (index + 1, line));
        if lines.next().map(|(_, line)| line) != Some(FIRST) {
            return Err(format!("1: is no chain of frames; one begins with `{FIRST}`"));
        }
        let mut chain = Self::default();
        for (number, line) in lines.by_ref() {
            if let Some(rest) = line.strip_prefix("all ") {
                let whole = format!("{} {}", chain.links.len(), chain.hash());
                if rest != whole {
                    return Err(format!(
                        "{number}: says `all {rest}`, but the lines above make `all {whole}`: the \
                         file was changed by hand, or merged"
                    ));
                }
                return match lines.next() {
                    None => Ok(chain),
                    Some((number, _)) => Err(format!("{number}: nothing may follow the last line")),
                };
            }
            if chain.links.len() >= FRAMES_MAX {
                return Err(format!("{number}: a chain has at most {FRAMES_MAX} frames"));
            }
            let link = link(line).ok_or_else(|| {
                format!("{number}: is no frame; one is a hash of 16 digits, a time, what changed")
            })?;
            chain.links.push(link);
        }
        Err(format!(
            "{}: the last line, `all …`, is missing: the file is not whole",
            text.lines().count() + 1
        ))
    }

    /// Reads the file at `path`.
    ///
    /// # Errors
    /// `PATH: …` or `PATH:LINE: …`, as a sentence without a full stop.
    pub fn load(path: &Path) -> Result<Self, String> {
        let name = path.display();
        let mut bytes = Vec::new();
        File::open(path)
            // One byte more than allowed tells a file that is too large, even an endless one.
            .and_then(|file| file.take(FILE_BYTES_MAX + 1).read_to_end(&mut bytes))
            .map_err(|error| format!("{name}: cannot be read: {error}"))?;
        if bytes.len() as u64 > FILE_BYTES_MAX {
            return Err(format!("{name}: is larger than {} MiB", FILE_BYTES_MAX >> 20));
        }
        let text = std::str::from_utf8(&bytes)
            .map_err(|_| format!("{name}: is no chain of frames; one is plain text"))?;
        Self::parse(text).map_err(|fault| format!("{name}:{fault}"))
    }

    /// Writes the file at `path`; it is there whole or not at all.
    ///
    /// # Errors
    /// `PATH: …`, as a sentence without a full stop.
    pub fn save(&self, path: &Path) -> Result<(), String> {
        super::picture::write_whole(path, self.to_string().as_bytes())
            .map_err(|error| format!("{}: cannot be written: {error}", path.display()))
    }
}

impl fmt::Display for Chain {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(out, "{FIRST}")?;
        for link in &self.links {
            writeln!(out, "{}  {:<14} {}", link.hash, link.at.to_string(), link.change())?;
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
        at: trace::parse_time(at).ok()?,
        changed: changed.parse().ok()?,
        region: Region::parse(region)?,
    })
}
