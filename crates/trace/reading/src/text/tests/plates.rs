//! Letters that merge with a shape of their colour beside, above or under their line.

use super::*;

/// Returns what the reader finds of `text` in the colour of the ground, on a plate with `margin`
/// pixels at each side.
fn on_a_plate(text: &str, font: &MonoFont<'_>, margin: i32) -> String {
    let mut panel = Panel::new(GROUND);
    let size = font.character_size;
    let width = text.len() as u32 * (size.width + font.character_spacing);
    let plate = Rectangle::new(
        Point::new(40 - margin, 50 - margin),
        Size::new(width + 2 * margin as u32, size.height + 2 * margin as u32),
    );
    let Ok(()) = plate.into_styled(PrimitiveStyle::with_fill(INK)).draw(&mut panel);
    panel.text_in(MonoTextStyle::new(font, GROUND), 40, 50, text);
    panel.read().to_string()
}

#[test]
fn a_letter_that_merges_with_the_edge_of_a_plate_is_not_read() {
    for (text, rest) in [("Btm", "tm"), ("Hold", "old"), ("Tim", "im")] {
        assert_eq!(on_a_plate(text, &ascii::FONT_6X10, 0), rest, "{text} without a margin");
        for margin in [1, 2, 5] {
            let found = on_a_plate(text, &ascii::FONT_6X10, margin);
            assert_eq!(found, text, "{text} with a margin of {margin}");
        }
    }
}

#[test]
fn the_letters_beside_one_that_merges_are_read() {
    // `g` has ink in the last row of its cell, the `1` and the dots have none.
    let mut panel = Panel::new(GROUND);
    panel.text(&ascii::FONT_6X10, 20, 20, "A1g. go..");
    check(&panel, &["A1g. go.."]);
    let [_, ink] = panel.colours();
    let under = |cell: usize| 30 * 320 + 20 + 6 * cell..30 * 320 + 20 + 6 * (cell + 1);
    panel.frame.pixels_mut()[under(2)].fill(ink);
    check(&panel, &["A1", ". go.."]);
    panel.frame.pixels_mut()[under(5)].fill(ink);
    // A point alone is no text.
    check(&panel, &["A1", "o.."]);
    panel.frame.pixels_mut()[under(6)].fill(ink);
    check(&panel, &["A1", "o.."]);
}

#[test]
fn nothing_is_read_from_the_ink_of_a_letter_that_merges() {
    // At double size the `B` has pixels in which a smaller font may find something.
    for text in ["B", "B|", "B-."] {
        let mut panel = Panel { scale: 2, ..Panel::new(GROUND) };
        panel.text(&ascii::FONT_6X10, 10, 10, text);
        let ink = panel.colours()[1];
        (20..40).for_each(|y| panel.frame.pixels_mut()[y * 320 + 19] = ink);
        check(&panel, &[]);
    }
}

#[test]
fn letters_of_two_lines_may_touch() {
    let mut panel = Panel::new(GROUND);
    panel.text(&ascii::FONT_6X10, 20, 20, "Ay");
    panel.text(&ascii::FONT_6X10, 20, 30, "A`");
    check(&panel, &["Ay", "A`"]);
}

#[test]
fn ink_of_another_colour_may_touch_a_letter() {
    let mut panel = Panel::new(GROUND);
    panel.text(&ascii::FONT_6X10, 20, 20, "Btm");
    for y in 20..30 {
        panel.frame.pixels_mut()[y * 320 + 19] = 7;
    }
    check(&panel, &["Btm"]);
}
