//! Writes the LCD as an animation: every complete frame of a replay, in real time, as a GIF.
//!
//! A [`Film`] observes the frames of a replay as they become complete. It retains one frame, so
//! memory does not grow with the trace. A GIF counts in hundredths of a second, and players slow
//! down below two: a frame that is shown for a shorter time is drawn together with the next. This
//! module does not know firmware or files.

use std::collections::HashMap;
use std::io::{self, Write};

use gif::{Encoder, EncodingError, Repeat};
use hal_mock::VirtualBoard;
use ili9341_model::{Frame, frame::Region};
use reading::golden::{self, Mismatch};
use virtual_time::Instant;

use crate::frames::FrameObserver;

/// Time unit of a GIF in nanoseconds: 10 ms.
const TICK: u64 = 10_000_000;
/// Shortest time for which a picture is shown, in ticks.
const SHORTEST: u64 = 2;
/// Longest time for which one picture can be shown, in ticks: 655 s.
const LONGEST: u64 = u16::MAX as u64;
/// Smallest possible picture.
const PIXEL: Region = Region { x: 0, y: 0, width: 1, height: 1 };
/// Maximum number of colours in one picture.
const COLOURS: usize = 256;

/// A GIF that is being written.
pub struct Film<W: Write> {
    encoder: Encoder<W>,
    /// Frame as drawn by the pictures written so far.
    shown: Frame,
    /// The next picture, and the tick from which it is shown.
    next: (u64, Frame),
    pictures: u64,
    /// The first error; nothing is written after it.
    error: Option<io::Error>,
}

impl<W: Write> FrameObserver for Film<W> {
    fn frame_complete(&mut self, at: Instant, board: &VirtualBoard) {
        if self.error.is_none() {
            self.error = self.add(at, board.frame()).err();
        }
    }
}

impl<W: Write> Film<W> {
    /// Begins a film with a dark panel of this size at time 0.
    ///
    /// # Errors
    /// If `out` cannot be written.
    pub fn new(out: W, panel: Region) -> io::Result<Self> {
        let Region { width, height, .. } = panel;
        let mut encoder = Encoder::new(out, width, height, &[]).map_err(io_error)?;
        encoder.set_repeat(Repeat::Infinite).map_err(io_error)?;
        let dark = Frame::filled(width.into(), height.into(), 0);
        Ok(Self { encoder, shown: other_than(&dark), next: (0, dark), pictures: 0, error: None })
    }

    /// Shows `frame` from `at` on. Times must not decrease.
    ///
    /// # Errors
    /// If the previous picture cannot be written.
    pub fn add(&mut self, at: Instant, frame: Frame) -> io::Result<()> {
        let (since, before) = &self.next;
        if frame == *before {
            return Ok(());
        }
        let since = *since;
        let tick = tick(at);
        if tick < since + SHORTEST {
            self.next.1 = frame;
            return Ok(());
        }
        self.write_next(tick - since)?;
        self.next = (tick, frame);
        Ok(())
    }

    /// Ends the film at `at` and returns the number of pictures.
    ///
    /// # Errors
    /// If the file cannot be written, now or at an earlier call.
    pub fn finish(mut self, at: Instant) -> io::Result<u64> {
        if let Some(error) = self.error {
            return Err(error);
        }
        let ticks = tick(at).saturating_sub(self.next.0).max(SHORTEST);
        self.write_next(ticks)?;
        // The encoder writes the end of the file in `into_inner`.
        self.encoder.into_inner().map_err(io_error)?.flush()?;
        Ok(self.pictures)
    }

    /// Writes the region that differs from the previous picture, shown for `ticks`.
    fn write_next(&mut self, mut ticks: u64) -> io::Result<()> {
        let mut part = changed(&self.shown, &self.next.1);
        loop {
            let now = ticks.min(LONGEST);
            let mut picture = picture(&self.next.1.part(part));
            (picture.left, picture.top, picture.delay) = (part.x, part.y, now as u16);
            self.encoder.write_frame(&picture).map_err(io_error)?;
            self.pictures += 1;
            ticks -= now;
            if ticks == 0 {
                break;
            }
            // Nothing changes in the remaining time, so one pixel is enough.
            part = PIXEL;
        }
        self.shown = self.next.1.clone();
        Ok(())
    }
}

fn tick(at: Instant) -> u64 {
    (at.0 + TICK / 2) / TICK
}

/// Returns a frame that differs from `frame` in every pixel, so that the first picture is drawn
/// whole.
fn other_than(frame: &Frame) -> Frame {
    let pixels = frame.pixels().iter().map(|pixel| pixel ^ 0x00FF_FFFF).collect();
    Frame::from_pixels(frame.width(), frame.height(), pixels)
}

/// Returns the smallest region in which two frames of one size differ, or one pixel if they are
/// equal.
fn changed(before: &Frame, after: &Frame) -> Region {
    match golden::compare(after, before) {
        Err(Mismatch::Pixels(difference)) => difference.region(),
        _ => PIXEL,
    }
}

/// Encodes `frame` in its own colours. If they exceed the 256 of a GIF, as in the noise of memory
/// that was never written, each is mapped to the nearest of 256 colours with three, three and two
/// bits.
fn picture(frame: &Frame) -> gif::Frame<'static> {
    let mut indices = HashMap::new();
    let mut colours: Vec<u32> = Vec::new();
    let mut buffer = Vec::with_capacity(frame.pixels().len());
    for pixel in frame.pixels() {
        let index = *indices.entry(*pixel).or_insert_with(|| {
            colours.push(*pixel);
            colours.len() - 1
        });
        if index >= COLOURS {
            return coarse(frame);
        }
        buffer.push(index as u8);
    }
    let palette: Vec<u8> = colours.iter().flat_map(|colour| rgb(*colour)).collect();
    with_palette(frame, palette, buffer)
}

fn coarse(frame: &Frame) -> gif::Frame<'static> {
    let buffer = frame.pixels().iter().map(|pixel| {
        let [red, green, blue] = rgb(*pixel);
        red & 0xE0 | green >> 3 & 0x1C | blue >> 6
    });
    let scaled = |bits: u16, most: u16| (bits * 255 / most) as u8;
    let palette = (0..COLOURS as u16)
        .flat_map(|index| [scaled(index >> 5, 7), scaled(index >> 2 & 7, 7), scaled(index & 3, 3)]);
    with_palette(frame, palette.collect(), buffer.collect())
}

fn with_palette(frame: &Frame, palette: Vec<u8>, buffer: Vec<u8>) -> gif::Frame<'static> {
    gif::Frame {
        width: frame.width() as u16,
        height: frame.height() as u16,
        palette: Some(palette),
        buffer: buffer.into(),
        ..gif::Frame::default()
    }
}

/// Splits a `0x00RRGGBB` colour into its three bytes.
fn rgb(colour: u32) -> [u8; 3] {
    let [_, red, green, blue] = colour.to_be_bytes();
    [red, green, blue]
}

fn io_error(error: EncodingError) -> io::Error {
    match error {
        EncodingError::Io(error) => error,
        other => io::Error::other(other),
    }
}

#[cfg(test)]
mod tests;
