//! Tests, to the pixel, which lines are beside each other and which are below.

use super::*;

/// Returns a line of cells that are 6 pixels wide and 10 high.
fn line(x: usize, y: usize, text: &str) -> TextLine {
    TextLine {
        x,
        y,
        width: 6 * text.len(),
        height: 10,
        pitch: 6,
        places: Vec::new(),
        text: text.to_owned(),
        font: 0,
    }
}

fn screen(lines: &[(usize, usize, &str)]) -> ScreenText {
    ScreenText::from_lines(lines.iter().map(|(x, y, text)| line(*x, *y, text)).collect())
}

#[test]
fn a_text_continues_in_a_line_less_than_a_height_below() {
    // The lines may overlap by half a line.
    for (y, goes_on) in [(54, false), (55, true), (60, true), (69, true), (70, false)] {
        let screen = screen(&[(10, 50, "one"), (10, y, "two")]);
        let apart = screen.rows().count();
        assert_eq!(apart, if y < 55 { 1 } else { 2 }, "{y}");
        let below = screen.below(0).count() == 1;
        assert_eq!(below, goes_on, "{y}");
    }
}

#[test]
fn a_line_below_shares_a_column_with_the_one_above() {
    // `one` has the columns 30 to 47; `two` has equally many.
    for (x, goes_on) in [(12, false), (13, true), (47, true), (48, false)] {
        let screen = screen(&[(30, 50, "one"), (x, 60, "two")]);
        assert_eq!(screen.contains("one two"), goes_on, "{x}");
    }
}

#[test]
fn half_a_line_lower_is_another_row() {
    for (y, rows) in [(54, "one  two"), (55, "one\ntwo")] {
        assert_eq!(screen(&[(10, 50, "one"), (100, y, "two")]).to_string(), rows);
    }
    let mut high = line(10, 50, "one");
    high.height = 11;
    let screen = ScreenText::from_lines(vec![high, line(100, 55, "two")]);
    assert_eq!(screen.to_string(), "one  two", "half of eleven is six");
}

#[test]
fn lines_are_ordered_left_to_right_in_rows_top_to_bottom() {
    let screen = screen(&[(100, 50, "two"), (10, 54, "one"), (100, 80, "four"), (10, 84, "three")]);
    let texts: Vec<&str> = screen.lines.iter().map(|line| line.text.as_str()).collect();
    assert_eq!(texts, ["one", "two", "three", "four"]);
}

#[test]
fn a_line_between_two_others_is_read_instead_of_them() {
    let screen = screen(&[(10, 50, "one"), (10, 60, "two"), (10, 69, "six")]);
    assert!(screen.contains("one two six"));
    assert!(!screen.contains("one six"));
}
