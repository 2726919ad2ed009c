//! Draws the face of a board as text: a box for each part.

use crate::layout::{FaceItem, layout};
use crate::parts::BoardFile;

/// Width of a cell in characters.
const CELL_WIDTH: usize = 8;
/// Height of a cell in lines.
const CELL_HEIGHT: usize = 3;

/// Returns a picture of the face, with the name in the middle of each part and what it is below.
pub fn face_text(board: &BoardFile) -> String {
    let face = layout(board);
    let (width, height) = (face.columns as usize * CELL_WIDTH, face.rows as usize * CELL_HEIGHT);
    let mut canvas = vec![vec![' '; width]; height];
    for item in &face.items {
        draw(&mut canvas, item, board);
    }
    let lines: Vec<String> =
        canvas.iter().map(|line| line.iter().collect::<String>().trim_end().to_owned()).collect();
    lines.join("\n") + "\n"
}

fn draw(canvas: &mut [Vec<char>], item: &FaceItem, board: &BoardFile) {
    let place = item.place;
    let (left, top) =
        ((place.column as usize - 1) * CELL_WIDTH, (place.row as usize - 1) * CELL_HEIGHT);
    let (width, height) = (place.columns as usize * CELL_WIDTH, place.rows as usize * CELL_HEIGHT);
    let (right, bottom) = (left + width - 1, top + height - 1);
    let mut put = |x: usize, y: usize, letter: char| {
        if let Some(cell) = canvas.get_mut(y).and_then(|line| line.get_mut(x)) {
            *cell = letter;
        }
    };
    for x in left..=right {
        put(x, top, '─');
        put(x, bottom, '─');
    }
    for y in top..=bottom {
        put(left, y, '│');
        put(right, y, '│');
    }
    for (x, y, corner) in
        [(left, top, '┌'), (right, top, '┐'), (left, bottom, '└'), (right, bottom, '┘')]
    {
        put(x, y, corner);
    }
    let mut lines = vec![item.name.clone()];
    if height > CELL_HEIGHT {
        lines.push(about(item, board));
    }
    let first = top + (height - lines.len()) / 2;
    for (at, line) in lines.iter().enumerate() {
        let line: Vec<char> = line.chars().take(width - 2).collect();
        let start = left + (width - line.len()) / 2;
        for (x, letter) in line.into_iter().enumerate() {
            put(start + x, first + at, letter);
        }
    }
}

/// Returns the kind of a part, of a display also its panel and size.
fn about(item: &FaceItem, board: &BoardFile) -> String {
    if item.kind != "display" {
        return item.kind.replace('_', " ");
    }
    let name = |name: &Option<crate::table::value::Name>| {
        name.as_ref().map_or("LCD".to_owned(), |name| name.text.clone())
    };
    let display = board.display.iter().find(|display| name(&display.name) == item.name);
    display.map_or_else(String::new, |display| {
        let size = display.visible_size().map_or_else(String::new, |size| format!(" {size}"));
        format!("{}{size}", display.panel.name())
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lcd_board;

    #[test]
    fn the_lcd_board_has_two_rows_of_buttons_around_its_display() {
        let text = face_text(lcd_board());
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines.len(), 27);
        assert_eq!(lines[1], "        │  T1  ││  T2  ││  T3  ││  T4  ││  T5  ││  T6  ││BUZZER│");
        assert!(lines[12].contains("ili9341 320x240 px"), "{text}");
        assert_eq!(lines[22], "        │  B1  ││  B2  ││  B3  ││  B4  ││  B5  ││  B6  │");
        assert!(lines[25].contains("│    RESET     │"), "{text}");
    }
}
