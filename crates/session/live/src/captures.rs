//! Pictures and films of a session: the pictures of the last seconds, and the files that a key
//! writes. No file is overwritten.

use std::collections::VecDeque;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use host::{
    clock::file_stamp,
    output_files::{Output, OutputError},
};
use ili9341_model::Frame;
use virtual_time::Instant;

/// Length of a film.
pub const FILM: Duration = Duration::from_secs(10);
/// Minimum time for which a film shows a picture: 25 pictures a second.
const SHORTEST: Duration = Duration::from_millis(40);
/// Maximum number of files with the same second in their names. A number in the name distinguishes
/// them.
const SAME_SECOND_MAX: u32 = 1_000;

/// Pictures of the panel from the last seconds of the wall clock. At most 251 pictures of a byte
/// or two a pixel are stored: 20 MB of the firmware's screens, 39 MB of any.
#[derive(Debug, Default)]
pub struct Reel(VecDeque<(Duration, Packed)>);

/// A picture with one byte a pixel if it has at most 256 colours, otherwise with 16 bits a pixel,
/// which is the depth of the panel.
#[derive(Clone, Debug, PartialEq)]
enum Packed {
    Few { width: usize, colours: Vec<u32>, pixels: Vec<u8> },
    Many { width: usize, pixels: Vec<u16> },
}

impl Packed {
    fn of(frame: &Frame) -> Self {
        let width = frame.width();
        let mut colours: Vec<u32> = Vec::new();
        let mut pixels = Vec::with_capacity(frame.pixels().len());
        let mut last = None;
        for rgb in frame.pixels() {
            let index = match last {
                Some((before, index)) if before == *rgb => index,
                _ => match colours.iter().position(|colour| colour == rgb) {
                    Some(index) => index,
                    None if colours.len() < 256 => {
                        colours.push(*rgb);
                        colours.len() - 1
                    }
                    None => return Self::many(frame),
                },
            };
            last = Some((*rgb, index));
            pixels.push(index as u8);
        }
        Self::Few { width, colours, pixels }
    }

    fn many(frame: &Frame) -> Self {
        let short = |rgb: &u32| (rgb >> 8 & 0xF800 | rgb >> 5 & 0x07E0 | rgb >> 3 & 0x1F) as u16;
        Self::Many { width: frame.width(), pixels: frame.pixels().iter().map(short).collect() }
    }

    fn frame(&self) -> Frame {
        let (width, pixels): (usize, Vec<u32>) = match self {
            Self::Few { width, colours, pixels } => {
                (*width, pixels.iter().map(|index| colours[usize::from(*index)]).collect())
            }
            Self::Many { width, pixels } => {
                let wide = |short: &u16| {
                    let (red, green, blue) = (short >> 11, short >> 5 & 0x3F, short & 0x1F);
                    let five = |bits: u16| u32::from(bits << 3 | bits >> 2);
                    five(red) << 16 | u32::from(green << 2 | green >> 4) << 8 | five(blue)
                };
                (*width, pixels.iter().map(wide).collect())
            }
        };
        Frame::from_pixels(width, pixels.len() / width.max(1), pixels)
    }
}

impl Reel {
    /// Adds `frame`, which the panel shows from `wall` on.
    pub fn add(&mut self, wall: Duration, frame: &Frame) {
        let packed = Packed::of(frame);
        match self.0.back_mut() {
            Some((since, shown)) if wall.saturating_sub(*since) < SHORTEST => *shown = packed,
            Some((_, shown)) if *shown == packed => {}
            _ => self.0.push_back((wall, packed)),
        }
        self.forget(wall);
    }

    /// Removes the pictures that ended before the film begins.
    fn forget(&mut self, wall: Duration) {
        let begins = wall.saturating_sub(FILM);
        while self.0.get(1).is_some_and(|(since, _)| *since <= begins) {
            self.0.pop_front();
        }
    }

    /// Returns the pictures of the last seconds before `wall`, each with its time in the film,
    /// and the film's end.
    pub fn film(&mut self, wall: Duration) -> (Vec<(Instant, Frame)>, Instant) {
        self.forget(wall);
        let first = self.0.front().map_or(wall, |(since, _)| *since).max(wall.saturating_sub(FILM));
        let at = |wall: Duration| {
            Instant(u64::try_from(wall.saturating_sub(first).as_nanos()).unwrap_or(u64::MAX))
        };
        let frames = self.0.iter().map(|(since, packed)| (at(*since), packed.frame())).collect();
        (frames, at(wall))
    }
}

/// Writes `bytes` into a new file `nudge_<date>_<time>.<extension>` in `folder`, and returns its
/// path.
///
/// # Errors
/// If it cannot be written.
pub fn save(folder: &Path, extension: &str, bytes: &[u8]) -> io::Result<PathBuf> {
    let stamp = file_stamp();
    for number in 1..SAME_SECOND_MAX {
        let number = if number == 1 { String::new() } else { format!("_{number}") };
        let path = folder.join(format!("nudge_{stamp}{number}.{extension}"));
        let output = match extension {
            "trace" => Output::trace(&path),
            _ => Output::new(&path),
        };
        match output.write(bytes) {
            Ok(()) => return Ok(path),
            Err(OutputError::Exists { .. }) => {}
            Err(error) => return Err(error.into()),
        }
    }
    Err(io::ErrorKind::AlreadyExists.into())
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn ms(millis: u64) -> Duration {
        Duration::from_millis(millis)
    }

    fn plain(rgb: u32) -> Frame {
        Frame::filled(32, 24, rgb)
    }

    #[test]
    fn a_film_has_the_last_seconds_and_memory_has_no_more() {
        let mut reel = Reel::default();
        for at in 0..4_000 {
            reel.add(ms(10 * at), &plain(at as u32 & 1));
        }
        assert!(reel.0.len() <= 252, "{}", reel.0.len());
        reel.add(ms(60_000), &plain(7));
        let (frames, end) = reel.film(ms(61_000));
        // The first picture of the film is the one shown at the film's beginning.
        let times: Vec<_> = frames.iter().map(|(at, _)| *at).collect();
        assert_eq!(times, [Instant::START, Instant::from_secs(9)]);
        assert_eq!(end, Instant::from_secs(10));
        assert_eq!(frames[1].1, plain(7));
    }

    #[test]
    fn pictures_with_many_colours_have_those_of_the_panel() {
        let pixels: Vec<u32> = (0..32 * 24).map(|at| (at * 331) & 0x00F8_F8F8).collect();
        let back = |frame: &Frame| Packed::of(frame).frame();
        let many = Frame::from_pixels(32, 24, pixels);
        let again = back(&back(&many));
        assert_eq!(back(&many), again);
        assert_eq!(back(&plain(0x12_3456)), plain(0x12_3456));
    }

    #[test]
    fn two_captures_of_one_second_have_two_names() {
        let folder = tempfile::tempdir().unwrap();
        let names: Vec<_> = (0..4).map(|at| save(folder.path(), "png", &[at]).unwrap()).collect();
        for (at, name) in names.iter().enumerate() {
            assert_eq!(std::fs::read(name).unwrap(), [at as u8], "{names:?}");
            assert!(name.file_name().unwrap().to_string_lossy().starts_with("nudge_2"));
        }
    }
}
