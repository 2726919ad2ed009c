//! The list of all keys, which covers the board.

use ili9341_model::Frame;

use super::colour::Theme;
use super::words::Words;

/// Length of the widest line in letters: a key, a gap, and its action.
const LETTERS: usize = 57;

/// Draws the list into a picture of `size` pixels: `title`, then one row for each key and its
/// action. The letters are as large as fit; rows that do not fit at the smallest size are left
/// out.
pub fn help(size: (u32, u32), theme: Theme, title: &str, rows: &[(String, String)]) -> Frame {
    let (width, height) = (size.0.max(1) as usize, size.1.max(1) as usize);
    let mut frame = Frame::filled(width, height, theme.sunken());
    let mut words = Words::beside((width as f32 / 250.0).max(height as f32 / 250.0));
    let margin = |words: Words| words.advance() * 2;
    let columns = |words: Words| {
        ((width - margin(words).min(width)) / (LETTERS * words.advance())).clamp(1, 2)
    };
    let fits = |words: Words| {
        // The title and the gap after it take two lines.
        let lines = rows.len().div_ceil(columns(words)) + 2;
        lines * words.line() <= height && LETTERS * words.advance() + margin(words) <= width
    };
    while !fits(words)
        && let Some(smaller) = words.smaller()
    {
        words = smaller;
    }
    let columns = columns(words);
    let left = margin(words).min(width);
    let keys =
        rows.iter().map(|(key, _)| words.readable(key).chars().count()).max().unwrap_or(0) + 2;
    words.write(&mut frame, (left, words.line() / 2), width - left, title, theme.active());
    let column_width = (width - left) / columns;
    for (at, (key, what)) in rows.iter().enumerate() {
        let per_column = rows.len().div_ceil(columns);
        let x = left + at / per_column * column_width;
        let y = (at % per_column + 2) * words.line();
        let tab = keys * words.advance();
        words.write(&mut frame, (x, y), tab, key, theme.active());
        let room = column_width.saturating_sub(tab);
        words.write(&mut frame, (x + tab, y), room, what, theme.ink());
    }
    frame
}

#[cfg(test)]
mod tests {
    use super::*;
    use live::keymap::KeyAction;

    #[test]
    fn the_smallest_window_shows_every_row_to_its_end() {
        let listed = |last: &str| {
            let mut rows = vec![("Ctrl-click".to_owned(), "x".repeat(41)); KeyAction::COUNT + 3];
            rows.last_mut().unwrap().1.push_str(last);
            help((362, 460), Theme::Dark, "All keys", &rows)
        };
        assert_ne!(listed("1"), listed("2"));
    }
}
