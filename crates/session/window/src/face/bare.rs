//! Draws the parts of the board that never change: PCB, copper, the panel's frame, housings,
//! silk-screen and legend.

use super::colour;
use super::housing::{draw_housing, write};
use super::labels::Labels;
use super::layout::Layout;
use super::lettering::{self, Align, CAP_HEIGHT, LINE_HEIGHT};
use super::painter::{Area, Paint, Painter, mix};
use super::parts;

/// Column of the words of the legend unless its keys are wide, in units.
const LEGEND_TAB: f32 = 20.0;

pub(super) fn draw_bare(painter: &mut Painter<'_>, layout: &Layout, labels: &Labels, desk: u32) {
    let unit = layout.unit;
    let board = layout.board;
    let fallen = board.moved(0.0, 1.5 * unit);
    painter.shadow(fallen, 7.0 * unit, 8.0 * unit, Paint::flat(colour::BLACK).with_opacity(0.6));
    painter.round_box(board, 7.0 * unit, Paint::gradient(colour::BOARD_TOP, colour::BOARD_BOTTOM));
    let rim = board.grown(-0.5 * unit);
    painter.outline(rim, 6.5 * unit, unit, Paint::flat(colour::BOARD_EDGE).with_opacity(0.8));
    let track = Paint::flat(colour::COPPER).with_opacity(0.9);
    for ends in &layout.tracks {
        painter.stroke(ends, 1.5 * unit, track);
    }
    for hole in layout.holes {
        painter.disc(
            hole,
            6.5 * unit,
            Paint::gradient(mix(colour::GOLD, colour::WHITE, 0.3), colour::GOLD),
        );
        painter.disc(hole, 4.0 * unit, Paint::flat(desk));
    }

    draw_bezel(painter, layout);
    for cap in &layout.caps {
        draw_housing(painter, cap.housing, unit);
        write(painter, &cap.name);
    }
    for part in &layout.parts {
        parts::draw_bare(painter, part, unit);
    }
    for text in &layout.texts {
        write(painter, text);
    }
    draw_legend(painter, layout, labels);
}

fn draw_bezel(painter: &mut Painter<'_>, layout: &Layout) {
    let unit = layout.unit;
    let bezel = layout.bezel;
    let fallen = bezel.moved(0.0, 1.5 * unit);
    painter.shadow(fallen, 4.0 * unit, 6.0 * unit, Paint::flat(colour::BLACK).with_opacity(0.7));
    painter.round_box(bezel, 4.0 * unit, Paint::gradient(colour::BEZEL_TOP, colour::BEZEL_BOTTOM));
    let rim = bezel.grown(-0.5 * unit);
    painter.outline(rim, 3.5 * unit, unit, Paint::gradient(0x4C_5157, 0x1E_2023));
    let panel = layout.panel();
    let glass = Area {
        left: panel.left as f32,
        top: panel.top as f32,
        width: panel.width as f32,
        height: panel.height as f32,
    };
    painter.round_box(glass.grown(2.0 * unit), 2.0 * unit, Paint::flat(colour::GLASS));
}

fn draw_legend(painter: &mut Painter<'_>, layout: &Layout, labels: &Labels) {
    let (area, unit) = (layout.legend, layout.unit);
    let key_of = |action| lettering::fitted(labels.of(action), 36.0);
    let in_column =
        layout.legend_rows.iter().filter(|row| row.len() == 1).flat_map(|row| row.iter());
    let widest = in_column.map(|(action, _)| lettering::width(&key_of(*action)));
    let tab = LEGEND_TAB.max(widest.fold(0.0, f32::max) + 8.0);
    for (row, controls) in layout.legend_rows.iter().enumerate() {
        let top = area.top + (row as f32 * LINE_HEIGHT * unit).round();
        let share = area.width / controls.len() as f32;
        for (at, (action, words)) in controls.iter().enumerate() {
            let key = key_of(*action);
            let left = area.left + at as f32 * share;
            // The key's name is centred in its column. Two names in a row are left-aligned.
            let tab = if controls.len() == 1 { tab } else { lettering::width(&key) + 12.0 };
            let middle = left + ((tab - 8.0) / 2.0 * unit).round();
            let silk = Paint::flat(colour::SILK);
            let text = Area::around((middle, top + (CAP_HEIGHT + 1.0) * unit / 2.0), 0.0, 0.0);
            let wide = (lettering::width(&key) / 2.0 + 3.0).max(5.0) * unit;
            let cap = Area::around(text.center(), 2.0 * wide, (LINE_HEIGHT - 1.0) * unit);
            painter.round_box(cap, 2.5 * unit, Paint::flat(colour::SILK).with_opacity(0.16));
            lettering::write(painter, (middle, top), Align::Center, &key, unit, silk);
            let words = lettering::fitted(words, share / unit - tab);
            let dim = Paint::flat(colour::SILK_DIM);
            lettering::write(painter, (left + tab * unit, top), Align::Left, &words, unit, dim);
        }
    }
}
