//! Pictures of characters, for terminals that show colours and no pictures.

use ili9341_model::Frame;

/// Returns the frame in lines of at most `columns` characters: each `▀` has two pixels, one above
/// the other, in 24-bit colours. A larger frame loses pixels.
pub(crate) fn half_blocks(frame: &Frame, columns: usize) -> String {
    let step = frame.width().div_ceil(columns.max(1)).max(1);
    let mut text = String::new();
    let at = |x: usize, y: usize| {
        let pixel = frame.pixel(x, y).unwrap_or(0);
        let [_, red, green, blue] = pixel.to_be_bytes();
        format!("2;{red};{green};{blue}")
    };
    for y in (0..frame.height()).step_by(2 * step) {
        for x in (0..frame.width()).step_by(step) {
            text += &format!("\x1b[38;{};48;{}m▀", at(x, y), at(x, y + step));
        }
        text += "\x1b[0m\n";
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_pixels_are_one_character_and_a_large_frame_is_scaled() {
        let frame = Frame::from_pixels(1, 2, vec![0x0001_0203, 0x00FF_0000]);
        assert_eq!(half_blocks(&frame, 9), "\x1b[38;2;1;2;3;48;2;255;0;0m▀\x1b[0m\n");
        let large = half_blocks(&Frame::filled(320, 240, 0), 78);
        let first = large.lines().next().unwrap_or_default();
        assert_eq!((first.matches('▀').count(), large.lines().count()), (64, 24));
    }
}
