//! Text on a plate: without a margin its first letter merges with the ground beside the plate.

use super::*;

/// Returns whether the reader finds `text` in the colour of the ground on a plate with `margin`.
fn is_found(text: &str, font: &MonoFont<'_>, margin: i32) -> bool {
    let mut panel = Panel::new(GROUND);
    let size = font.character_size;
    let width = text.len() as u32 * (size.width + font.character_spacing);
    let plate = Rectangle::new(
        Point::new(40 - margin, 50),
        Size::new(width + 2 * margin as u32, size.height),
    );
    let Ok(()) = plate.into_styled(PrimitiveStyle::with_fill(INK)).draw(&mut panel);
    panel.text_in(MonoTextStyle::new(font, GROUND), 40, 50, text);
    panel.read().contains(text)
}

#[test]
fn letters_that_merge_with_the_edge_of_a_plate_are_not_read() {
    let font = &ascii::FONT_6X10;
    for text in ["Btm", "Dim", "Hold"] {
        assert!(!is_found(text, font, 0), "{text} without a margin");
        for margin in [1, 2, 5] {
            assert!(is_found(text, font, margin), "{text} with a margin of {margin}");
        }
    }
    // No stroke of this word is at the edge.
    assert!(is_found("Tim", font, 0));
}
