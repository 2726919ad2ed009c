//! Two pictures side by side, or lines of text, over the whole window: the difference that a new
//! firmware makes, or the reason why there is no new firmware.

use ili9341_model::Frame;
use live::Both;

use super::colour::Theme;
use super::words::{Words, cut, wrapped};

/// Line length, in letters, that the size of the letters is chosen for.
const LETTERS: usize = 60;
/// Number of text lines above and below the pictures.
const LINES: usize = 6;

/// Draws the frames of the previous and the present firmware into a picture of `size` pixels.
pub fn both(size: (u32, u32), theme: Theme, shown: &Both) -> Frame {
    let (width, height) = (size.0.max(1) as usize, size.1.max(1) as usize);
    let mut frame = Frame::filled(width, height, theme.sunken());
    let words = fitting(width, height);
    let margin = words.advance();
    let room = (width.saturating_sub(3 * margin) / 2).max(1);
    let top = 3 * words.line();
    let high = height.saturating_sub((LINES + 1) * words.line()).max(1);
    for (at, picture) in shown.frames.iter().enumerate() {
        let left = margin + at * (room + margin);
        let name = if at == 0 { "before" } else { "now" };
        words.write(&mut frame, (left, words.line() / 2), room, name, theme.active());
        let line = (left, words.line() * 3 / 2);
        words.write(&mut frame, line, room, &shown.words[at], theme.dim());
        // The largest size that both the width and the height permit.
        let (wide, tall) = (picture.width().max(1), picture.height().max(1));
        let across = room.min(high * wide / tall).max(1);
        let down = (across * tall / wide).max(1);
        for y in 0..down.min(height.saturating_sub(top)) {
            for x in 0..across.min(width.saturating_sub(left)) {
                let rgb = picture.pixel(x * wide / across, y * tall / down).unwrap_or(0);
                frame.pixels_mut()[(top + y) * width + left + x] = rgb;
            }
        }
    }
    let letters = words.letters(width.saturating_sub(2 * margin));
    let below = wrapped(&words.readable(&shown.words[2]), letters, 3);
    let lowest = height.saturating_sub((below.len() + 1) * words.line());
    for (at, line) in below.iter().enumerate() {
        let place = (margin, lowest + at * words.line());
        words.write(&mut frame, place, width.saturating_sub(2 * margin), line, theme.ink());
    }
    frame
}

/// Draws a title and lines of text into a picture of `size` pixels. Lines that do not fit are left
/// out.
pub fn report(size: (u32, u32), theme: Theme, title: &str, lines: &[String]) -> Frame {
    let (width, height) = (size.0.max(1) as usize, size.1.max(1) as usize);
    let mut frame = Frame::filled(width, height, theme.sunken());
    let words = fitting(width, height);
    let margin = words.advance();
    let room = width.saturating_sub(2 * margin);
    words.write(&mut frame, (margin, words.line() / 2), room, title, theme.active());
    let most = (height / words.line()).saturating_sub(3);
    let letters = words.letters(room);
    let broken = |line: &String| match line.trim().is_empty() {
        true => vec![String::new()],
        false => cut(&words.readable(line), letters, most.max(1)),
    };
    for (at, line) in lines.iter().flat_map(broken).take(most).enumerate() {
        words.write(&mut frame, (margin, (at + 2) * words.line()), room, &line, theme.ink());
    }
    frame
}

/// Returns the largest letters of which [`LETTERS`] fit into a line and whose lines leave half of
/// the height to the pictures.
fn fitting(width: usize, height: usize) -> Words {
    let mut words = Words::beside((width as f32 / 250.0).max(height as f32 / 250.0));
    let too_large = |words: &Words| {
        LETTERS * words.advance() > width || 2 * (LINES + 1) * words.line() > height
    };
    while too_large(&words)
        && let Some(smaller) = words.smaller()
    {
        words = smaller;
    }
    words
}

#[cfg(test)]
mod tests {
    use virtual_time::Instant;

    use super::*;

    fn shown(rgb: [u32; 2]) -> Both {
        let frames = rgb.map(|rgb| Frame::filled(320, 240, rgb));
        Both { at: Instant(5), frames, words: ["a", "b", "they differ"].map(str::to_owned) }
    }

    #[test]
    fn both_pictures_are_shown_in_a_window_of_any_size() {
        for size in [(362, 460), (1_366, 728), (3_840, 400)] {
            let picture = both(size, Theme::Dark, &shown([0x0011_2233, 0x0044_5566]));
            let count = |rgb: u32| picture.pixels().iter().filter(|pixel| **pixel == rgb).count();
            let [left, right] = [count(0x0011_2233), count(0x0044_5566)];
            assert!(left == right && left > 5_000, "{size:?}: {left} and {right}");
        }
        both((1, 1), Theme::Light, &shown([1, 2]));
    }

    #[test]
    fn the_first_lines_of_a_report_are_shown() {
        let lines = |first: &str| [first.to_owned(), String::new(), "x".repeat(400)];
        let picture = |first| report((362, 460), Theme::Dark, "not built", &lines(first));
        assert_ne!(picture("error: a"), picture("error: b"));
        assert_ne!(picture("  | ^^ here"), picture("| ^^ here"), "blanks are shown");
        report((1, 1), Theme::Dark, "not built", &lines("a"));
    }
}
