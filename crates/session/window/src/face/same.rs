//! Compares the board in the window with `web/page/tests/face.txt`, with which the page's test
//! `face` compares the board that a browser draws.

use core::fmt::Write as _;

use live::keymap::{KeyAction, Keymap};

use super::colour;
use super::labels::Labels;
use super::layout::{LEGEND, Layout, Panel};
use super::lettering::{CAP_HEIGHT, GLYPHS, LINE_HEIGHT, SPACING, STROKE};
use super::painter::Area;

const NUMBERS: &str = include_str!("../../../../../web/page/tests/face.txt");
const PANEL: Panel = Panel { width: 320, height: 240, columns: [60, 100, 140, 180, 220, 260] };
/// Window pixels for a pixel of the panel. Lengths are rounded to a tenth of a panel pixel.
const FINE: f32 = 10.0;

fn shown(lengths: &[f32]) -> String {
    let units: Vec<String> = lengths.iter().map(|length| (length / FINE).to_string()).collect();
    units.join(" ")
}

fn area(area: Area) -> String {
    shown(&[area.left, area.top, area.width, area.height])
}

fn described() -> Result<String, core::fmt::Error> {
    let layout = Layout::at(PANEL, FINE);
    let labels = Labels::new(&Keymap::default());
    let mut out = String::new();
    writeln!(out, "view {}", shown(&[layout.width() as f32, layout.height() as f32]))?;
    let panel = layout.panel();
    let panel = [panel.left, panel.top, panel.width, panel.height].map(|length| length as f32);
    writeln!(out, "panel {}", shown(&panel))?;
    for (name, place) in [
        ("board", layout.board),
        ("bezel", layout.bezel),
        ("buzzer", layout.buzzer.ok_or(core::fmt::Error)?),
        ("lamp", layout.lamp),
        ("status", layout.status),
        ("legend", layout.legend),
    ] {
        writeln!(out, "{name} {}", area(place))?;
    }
    for (name, text) in [("wordmark", 0), ("lamp_name", 2), ("part_name", 3)] {
        let (x, y) = layout.texts[text].at;
        writeln!(out, "{name} {}", shown(&[x, y]))?;
    }
    let holes: Vec<f32> = layout.holes.iter().flat_map(|(x, y)| [*x, *y]).collect();
    writeln!(out, "holes {}", shown(&holes))?;
    for cap in &layout.caps {
        let (button, housing, (x, y)) = (cap.button, cap.housing, cap.name.at);
        let (name, key) = (shown(&[x, y]), labels.of(KeyAction::Press(button)));
        writeln!(out, "button {button} {} name {name} key {key}", area(housing))?;
    }
    for (action, words) in LEGEND.iter().flat_map(|row| row.iter()) {
        let place = layout.control(*action).ok_or(core::fmt::Error)?;
        let place = [place.left, place.top, place.width, place.height].map(|length| length as f32);
        let key = labels.of(*action);
        writeln!(out, "control {} {} words {words} key {key}", action.name(), shown(&place))?;
    }
    writeln!(out, "lettering {CAP_HEIGHT} {LINE_HEIGHT} {SPACING} {STROKE}")?;
    let mut glyphs = GLYPHS.to_vec();
    glyphs.sort_unstable();
    for (letter, width, lines) in glyphs {
        writeln!(out, "glyph '{letter}' {width} [{lines}]")?;
    }
    for (name, rgb) in [
        ("active", colour::ACTIVE),
        ("bezel_bottom", colour::BEZEL_BOTTOM),
        ("bezel_top", colour::BEZEL_TOP),
        ("board_bottom", colour::BOARD_BOTTOM),
        ("board_edge", colour::BOARD_EDGE),
        ("board_top", colour::BOARD_TOP),
        ("cap_dark", colour::CAP_DARK),
        ("cap_ink", colour::CAP_INK),
        ("cap_light", colour::CAP_LIGHT),
        ("copper", colour::COPPER),
        ("glass", colour::GLASS),
        ("gold", colour::GOLD),
        ("lamp_off", colour::LAMP_OFF),
        ("metal_bottom", colour::METAL_BOTTOM),
        ("metal_edge", colour::METAL_EDGE),
        ("metal_top", colour::METAL_TOP),
        ("reset_dark", colour::RESET_DARK),
        ("reset_ink", colour::RESET_INK),
        ("reset_light", colour::RESET_LIGHT),
        ("silk", colour::SILK),
        ("silk_dim", colour::SILK_DIM),
    ] {
        writeln!(out, "colour {name} #{rgb:06X}")?;
    }
    Ok(out)
}

#[test]
fn the_window_draws_the_board_that_a_page_draws() {
    let described = described().unwrap();
    assert!(described == NUMBERS, "face.txt is to be:\n{described}");
}
