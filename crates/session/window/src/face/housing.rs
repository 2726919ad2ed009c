//! The housings of parts, and the lettering beside them.

use super::items::Text;
use super::painter::{Area, Paint, Painter};
use super::{colour, lettering};

/// Writes lettering on the board.
pub(super) fn write(painter: &mut Painter<'_>, text: &Text) {
    let paint = Paint::flat(if text.is_dim { colour::SILK_DIM } else { colour::SILK });
    lettering::write(painter, text.at, text.align, &text.text, text.size, paint);
}

/// Draws the housing of a part.
pub(super) fn draw_housing(painter: &mut Painter<'_>, housing: Area, unit: f32) {
    let fallen = housing.moved(0.0, unit);
    painter.shadow(fallen, 4.0 * unit, 4.0 * unit, Paint::flat(colour::BLACK).with_opacity(0.55));
    painter.round_box(
        housing,
        4.0 * unit,
        Paint::gradient(colour::METAL_TOP, colour::METAL_BOTTOM),
    );
    let rim = housing.grown(-0.5 * unit);
    let edge = Paint::gradient(colour::METAL_EDGE, colour::METAL_BOTTOM).with_opacity(0.7);
    painter.outline(rim, 3.5 * unit, unit, edge);
}
