//! The list of all keys, and lists to choose from, which cover the board.

use ili9341_model::Frame;

use super::colour::Theme;
use super::words::{Words, wrapped};

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

/// Number of text lines above the rows of a list.
const LINES_ABOVE: usize = 3;

/// Draws a list to choose from: of each row a number, a heading, and details below it. The chosen
/// row is marked by an arrow and by its colour. If there are more rows than fit, those around it
/// are drawn.
pub fn list(
    size: (u32, u32),
    theme: Theme,
    title: &str,
    rows: &[[String; 3]],
    chosen: usize,
) -> Frame {
    let (width, height) = (size.0.max(1) as usize, size.1.max(1) as usize);
    let mut frame = Frame::filled(width, height, theme.sunken());
    let words = list_words(size);
    let left = words.advance();
    let room = width.saturating_sub(2 * left);
    let title = wrapped(title, words.letters(room), LINES_ABOVE - 1);
    for (at, line) in title.iter().enumerate() {
        words.write(
            &mut frame,
            (left, words.line() * (2 * at + 1) / 2),
            room,
            line,
            theme.active(),
        );
    }
    let (first, most) = listed(size, rows.len(), chosen);
    for (at, (nth, [number, input, extent])) in
        rows.iter().enumerate().skip(first).take(most).enumerate()
    {
        let top = LINES_ABOVE * words.line() + at * 2 * words.line();
        let is_chosen = nth == chosen;
        let arrow = if is_chosen { ">" } else { " " };
        let ink = if is_chosen { theme.active() } else { theme.ink() };
        let heading = format!("{arrow} {number:>3}  {}", words.readable(input));
        words.write(&mut frame, (left, top), room, &heading, ink);
        let indent = 7 * words.advance();
        let place = (left + indent, top + words.line());
        let room = room.saturating_sub(indent);
        words.write(&mut frame, place, room, &words.readable(extent), theme.dim());
    }
    frame
}

/// Returns the row of a list of `count` rows, of which `chosen` is marked, at the height `y`.
pub fn row_at(size: (u32, u32), (count, chosen): (usize, usize), y: i32) -> Option<usize> {
    let words = list_words(size);
    let (first, most) = listed(size, count, chosen);
    let row =
        usize::try_from(y).ok()?.checked_sub(LINES_ABOVE * words.line())? / (2 * words.line());
    (row < most && first + row < count).then_some(first + row)
}

fn list_words((width, height): (u32, u32)) -> Words {
    let mut words = Words::beside((width as f32 / 250.0).max(height as f32 / 250.0));
    while LIST_LETTERS * words.advance() > width as usize
        && let Some(smaller) = words.smaller()
    {
        words = smaller;
    }
    words
}

/// Length of a row of a list, in letters.
const LIST_LETTERS: usize = 48;

/// Returns the first row that is drawn, and the maximum number.
fn listed(size: (u32, u32), count: usize, chosen: usize) -> (usize, usize) {
    let line = list_words(size).line();
    let most = ((size.1 as usize / line).saturating_sub(LINES_ABOVE) / 2).max(1);
    (chosen.saturating_sub(most - 1).min(count.saturating_sub(1)), most)
}

#[cfg(test)]
mod tests {
    use super::*;
    use live::keymap::Control;

    #[test]
    fn the_smallest_window_shows_every_row_to_its_end() {
        let listed = |last: &str| {
            let mut rows =
                vec![("Ctrl-click".to_owned(), "x".repeat(41)); Control::all().count() + 6];
            rows.last_mut().unwrap().1.push_str(last);
            help((362, 460), Theme::Dark, "All keys", &rows)
        };
        assert_ne!(listed("1"), listed("2"));
    }
}
