//! Two pictures beside each other, or lines of text, over the whole window: the difference that a
//! new firmware makes, or the reason why there is no new firmware.

use ili9341_model::Frame;
use live::Both;

use super::colour::Theme;
use super::words::{Words, cut, wrapped};

/// Line length, in letters, that the size of the letters is chosen for.
const LETTERS: usize = 60;
/// Number of text lines above and below the pictures.
const LINES: usize = 6;

/// Draws the frames of the previous and the present firmware into a picture of `size` pixels: side
/// by side or one below the other, whichever is larger, and as large as the window permits. Where
/// they differ, both have an outline.
pub fn both(size: (u32, u32), theme: Theme, shown: &Both) -> Frame {
    let (width, height) = (size.0.max(1) as usize, size.1.max(1) as usize);
    let mut frame = Frame::filled(width, height, theme.sunken());
    let words = fitting(width, height);
    let margin = words.advance();
    let letters = words.letters(width.saturating_sub(2 * margin));
    let below = wrapped(&words.readable(&shown.words[2]), letters, 3);
    let lowest = height.saturating_sub((below.len() + 1) * words.line());
    let titles = TITLE_LINES * words.line();
    let picture = &shown.frames[0];
    let across = |count: usize| (width.saturating_sub((count + 1) * margin) / count).max(1);
    let down = |count: usize| (lowest / count).saturating_sub(titles + words.line() / 2).max(1);
    // Width and height of a picture in a room.
    let fitting = |room: (usize, usize)| {
        let (wide, tall) = (picture.width().max(1), picture.height().max(1));
        let across = room.0.min(room.1 * wide / tall).max(1);
        (across, (across * tall / wide).max(1))
    };
    let (beside, stacked) = (fitting((across(2), down(1))), fitting((across(1), down(2))));
    let is_stacked = stacked.0 > beside.0;
    let size = if is_stacked { stacked } else { beside };
    let differs = region_of_difference(&shown.frames);
    for (at, picture) in shown.frames.iter().enumerate() {
        let (left, top) = match is_stacked {
            true => (width.saturating_sub(size.0) / 2, at * lowest / 2),
            false => (margin + at * (across(2) + margin), 0),
        };
        let room = if is_stacked { width.saturating_sub(left) } else { across(2) };
        let name = if at == 0 { "before" } else { "now" };
        words.write(&mut frame, (left, top + words.line() / 2), room, name, theme.active());
        // Beside the name if there is room, because height is scarce.
        let (x, y) = match is_stacked {
            true => (left + 8 * words.advance(), top + words.line() / 2),
            false => (left, top + words.line() * 3 / 2),
        };
        let room = room.saturating_sub(x - left);
        words.write(&mut frame, (x, y), room, &shown.words[at], theme.dim());
        let place = (left, top + titles);
        draw_scaled(&mut frame, place, size, picture);
        if let Some(region) = differs {
            outline(&mut frame, place, size, (picture.width(), picture.height()), region, theme);
        }
    }
    for (at, line) in below.iter().enumerate() {
        let place = (margin, lowest + at * words.line());
        words.write(&mut frame, place, width.saturating_sub(2 * margin), line, theme.ink());
    }
    frame
}

/// Height of the text above a picture, in lines.
const TITLE_LINES: usize = 3;

fn draw_scaled(
    frame: &mut Frame,
    (left, top): (usize, usize),
    (across, down): (usize, usize),
    picture: &Frame,
) {
    let (width, height) = (frame.width(), frame.height());
    for y in 0..down.min(height.saturating_sub(top)) {
        for x in 0..across.min(width.saturating_sub(left)) {
            let (from_x, from_y) = (x * picture.width() / across, y * picture.height() / down);
            let rgb = picture.pixel(from_x, from_y).unwrap_or(0);
            frame.pixels_mut()[(top + y) * width + left + x] = rgb;
        }
    }
}

/// Returns the region in which the frames differ: left, top, right and bottom, the last two
/// excluded.
fn region_of_difference(frames: &[Frame; 2]) -> Option<[usize; 4]> {
    let [one, other] = frames;
    let width = one.width().max(1);
    let pairs = one.pixels().iter().zip(other.pixels()).enumerate();
    pairs.filter(|(_, (one, other))| one != other).fold(None, |region, (at, _)| {
        let (x, y) = (at % width, at / width);
        let [left, top, right, bottom] = region.unwrap_or([x, y, x, y]);
        Some([left.min(x), top.min(y), right.max(x + 1), bottom.max(y + 1)])
    })
}

/// Draws a frame of two lines, a dark and a bright one, around a region of a picture that is drawn
/// at a place.
fn outline(
    frame: &mut Frame,
    (left, top): (usize, usize),
    (across, down): (usize, usize),
    (wide, tall): (usize, usize),
    region: [usize; 4],
    theme: Theme,
) {
    let [x0, y0, x1, y1] = region;
    let scaled_x = |x: usize| left + x * across / wide.max(1);
    let scaled_y = |y: usize| top + y * down / tall.max(1);
    let (x0, y0, x1, y1) = (scaled_x(x0), scaled_y(y0), scaled_x(x1), scaled_y(y1));
    let (width, height) = (frame.width(), frame.height());
    for (margin, ink) in [(1, 0), (2, theme.active()), (3, theme.active()), (4, 0)] {
        let (x0, y0) = (x0.saturating_sub(margin), y0.saturating_sub(margin));
        let (x1, y1) = ((x1 + margin - 1).min(width - 1), (y1 + margin - 1).min(height - 1));
        for x in x0..=x1 {
            frame.pixels_mut()[y0 * width + x] = ink;
            frame.pixels_mut()[y1 * width + x] = ink;
        }
        for y in y0..=y1 {
            frame.pixels_mut()[y * width + x0] = ink;
            frame.pixels_mut()[y * width + x1] = ink;
        }
    }
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
    fn the_pictures_are_as_large_as_the_window_permits() {
        let count = |size: (u32, u32)| {
            let picture = both(size, Theme::Dark, &shown([0x0011_2233, 0x0044_5566]));
            picture.pixels().iter().filter(|rgb| **rgb == 0x0044_5566).count()
        };
        // Beside each other each would be at most 610 × 457 pixels.
        assert!(count((1_250, 1_500)) > 700 * 525, "{}", count((1_250, 1_500)));
        assert!(count((1_366, 728)) > 600 * 450, "{}", count((1_366, 728)));
    }

    #[test]
    fn only_what_differs_has_an_outline() {
        let mut view = shown([0x0011_2233; 2]);
        let active = |view: &Both| {
            let picture = both((1_366, 728), Theme::Dark, view);
            picture.pixels().iter().filter(|rgb| **rgb == Theme::Dark.active()).count()
        };
        let without = active(&view);
        assert_eq!(region_of_difference(&view.frames), None);
        view.frames[1].pixels_mut()[100 * 320 + 50] = 7;
        view.frames[1].pixels_mut()[139 * 320 + 119] = 7;
        assert_eq!(region_of_difference(&view.frames), Some([50, 100, 120, 140]));
        // Two lines around 70 × 40 pixels at twice their size, on both pictures.
        assert!(active(&view) > without + 2 * 2 * 2 * (70 + 40), "{without}");
        // A difference at the edge of the panel does not reach out of a small window.
        view.frames[1].pixels_mut()[0] = 7;
        view.frames[1].pixels_mut()[320 * 240 - 1] = 7;
        both((2, 2), Theme::Dark, &view);
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
