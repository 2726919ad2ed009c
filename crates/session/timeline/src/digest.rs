//! A session's frames, texts, tones and console as a few numbers, which are equal for two machines
//! with equal outputs.

use core::fmt;
use core::hash::Hasher as _;

use hal_mock::VirtualBoard;
use ili9341_model::Frame;
use reading::{golden::chain::FrameHash, text::Reader};
use siphasher::sip::SipHasher13;
use virtual_time::Instant;

use crate::frames::{FrameLog, FrameSeen};
use crate::run::{Run, StepObserver};
use crate::session::Session;

/// Hashes over a session.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Digest {
    /// Number of complete frames.
    pub frames: u64,
    /// Hash over the pixels of each frame and the time at which it was complete.
    pub chain: u64,
    /// Hash over the texts of each frame that was shown for
    /// [`SETTLED_AFTER`](hal_mock::board::SETTLED_AFTER).
    pub texts: u64,
    /// Hash over the tones and their times.
    pub tones: u64,
    /// Hash over the console lines and their times.
    pub console: u64,
}

/// `12 frames 5f0c… texts 90d1… tones c2a7… console 5f0c…`.
impl fmt::Display for Digest {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { frames, chain, texts, tones, console } = self;
        write!(out, "{frames} frames {chain:016x} texts {texts:016x} ")?;
        write!(out, "tones {tones:016x} console {console:016x}")
    }
}

/// Returns the digest of all that `session` has reached; `None` if there is no machine any more.
pub fn digest(session: &Session) -> Option<Digest> {
    let mut run = Run::new((session.setup().maker)(session.trace()).ok()?);
    let until = session.reached();
    let mut hashes = Hashes {
        log: FrameLog::new(run.board().panel()),
        reader: &session.setup().reader,
        until,
        frames: 0,
        chain: SipHasher13::new(),
        texts: SipHasher13::new(),
        last: None,
    };
    run.advance(session.done(), until, &mut hashes, None);
    let (mut tones, mut console) = (SipHasher13::new(), SipHasher13::new());
    for tone in run.board().tones().iter().filter(|tone| tone.at <= until) {
        tones.write_u64(tone.at.0);
        tones.write_u32(tone.hz.unwrap_or_default());
    }
    for line in run.board().console_lines().iter().filter(|line| line.at <= until) {
        console.write_u64(line.at.0);
        console.write(line.text.as_bytes());
        console.write_u8(b'\n');
    }
    hashes.read_before(until);
    let Hashes { frames, chain, texts, .. } = hashes;
    let [chain, texts, tones, console] =
        [chain, texts, tones, console].map(|hasher| hasher.finish());
    Some(Digest { frames, chain, texts, tones, console })
}

struct Hashes<'a> {
    log: FrameLog,
    reader: &'a Reader,
    until: Instant,
    frames: u64,
    chain: SipHasher13,
    texts: SipHasher13,
    last: Option<(FrameSeen, Frame)>,
}

impl Hashes<'_> {
    /// Reads the last frame, if it was shown until the first change of the next one at `next`.
    fn read_before(&mut self, next: Instant) {
        if let Some((_, frame)) = self.last.take().filter(|(seen, _)| seen.is_settled(next)) {
            self.texts.write(self.reader.read(&frame).to_string().as_bytes());
            self.texts.write_u8(0);
        }
    }
}

impl StepObserver for Hashes<'_> {
    fn limit(&self, board: &VirtualBoard, limit: Instant) -> Instant {
        self.log.limited(board, limit)
    }

    fn observe(&mut self, board: &VirtualBoard) {
        let Some(frame) = self.log.note(board) else { return };
        let (hash, frame) = (FrameHash::of(frame).0, frame.clone());
        let Some(seen) = self.log.seen.pop().filter(|seen| seen.at <= self.until) else { return };
        self.frames += 1;
        self.chain.write_u64(seen.at.0);
        self.chain.write_u64(hash);
        self.read_before(seen.from);
        self.last = Some((seen, frame));
    }
}
