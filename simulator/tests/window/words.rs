//! Reads the text next to the board from the window's pixels.

use embedded_graphics::mono_font::iso_8859_1::{FONT_6X10, FONT_9X15, FONT_10X20};
use ili9341_model::Frame;
use reading::text::{Font, Reader};
use window::face::{Footer, Layout, Rect};

/// Returns the rows of text in a part of the window, from the top; neighbouring texts are separated
/// by a space.
pub fn rows(window: &Frame, place: Rect) -> Vec<String> {
    let letters: String = (' '..='~').collect();
    let font = |name: &str, font| Font::from_mono(name, font, 1, &letters);
    let reader = Reader::new(vec![
        font("small", &FONT_6X10),
        font("middle", &FONT_9X15),
        font("large", &FONT_10X20),
    ]);
    let text = reader.read(&cropped(window, place));
    let row = |row: &[reading::text::TextLine]| {
        let parts: Vec<&str> = row.iter().map(|line| line.text.as_str()).collect();
        parts.join(" ")
    };
    text.rows().map(row).collect()
}

/// Returns the footer's text below a board that fills the window: its two lines as one.
pub fn footer(window: &Frame, layout: &Layout) -> String {
    let strip = strip(layout);
    let top = strip.top + strip.height;
    let height = window.height() as u32 - top;
    rows(window, Rect { left: 0, top, width: window.width() as u32, height }).join(" ")
}

/// Returns the position of the strip below a board that fills the window.
pub fn strip(layout: &Layout) -> Rect {
    let mut strip = Footer::new(layout.width(), layout.unit()).strip();
    strip.top += layout.height();
    strip
}

/// Returns a part of a picture.
pub fn cropped(window: &Frame, place: Rect) -> Frame {
    let Rect { left, top, width, height } = place;
    let pixels = (top..top + height).flat_map(|y| (left..left + width).map(move |x| (x, y)));
    let pixels = pixels.map(|(x, y)| window.pixel(x as usize, y as usize).unwrap()).collect();
    Frame::from_pixels(width as usize, height as usize, pixels)
}
