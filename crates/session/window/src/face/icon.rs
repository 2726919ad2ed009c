//! The window's icon: the LCD between two rows of buttons.

use ili9341_model::Frame;

use super::colour;
use super::painter::{Area, Paint, Painter};

/// Draws the icon, `size` × `size` pixels.
pub fn icon(size: usize) -> Frame {
    let mut frame = Frame::filled(size, size, colour::BOARD_BOTTOM);
    let unit = size as f32 / 32.0;
    let area = |left: f32, top: f32, width: f32, height: f32| Area {
        left: left * unit,
        top: top * unit,
        width: width * unit,
        height: height * unit,
    };
    let painter = &mut Painter::new(&mut frame);
    let board = Paint::gradient(colour::BOARD_TOP, colour::BOARD_BOTTOM);
    painter.round_box(area(0.0, 0.0, 32.0, 32.0), 0.0, board);
    painter.round_box(area(4.0, 9.0, 24.0, 14.0), unit, Paint::flat(colour::GLASS));
    for nth in 0..4 {
        let x = (7.0 + 6.0 * nth as f32) * unit;
        for y in [5.0, 27.0] {
            painter.disc((x, y * unit), 2.2 * unit, Paint::flat(colour::CAP_LIGHT));
        }
        for (y, paint) in [(13.0, 0x56_B4E9), (19.0, 0xE6_9F00)] {
            painter.disc((x, y * unit), 1.8 * unit, Paint::flat(paint));
        }
    }
    frame
}
