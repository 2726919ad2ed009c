//! The console's pane beside the board: console, tone, contacts.

use ili9341_model::{Frame, Region};

use super::colour::Theme;
use super::words::{Words, wrapped};

/// The last row of the pane.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Typing {
    /// The line that is being typed.
    Line(String),
    /// How to type.
    Hint(String),
}

/// A contact of the board, and its level.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Contact {
    pub name: String,
    pub is_high: bool,
}

/// Content of the pane.
#[derive(Clone, Debug, PartialEq)]
pub struct PaneView {
    /// Lines of the console that are shown, the newest last.
    pub console: Vec<String>,
    /// Number of newer lines, which are not shown.
    pub below: usize,
    pub typing: Typing,
    /// Frequency of the buzzer, in hertz.
    pub hertz: Option<u32>,
    /// The contacts, in groups that each begin a line.
    pub contacts: Vec<Vec<Contact>>,
    /// Bytes of the last frame on the LCD's wire.
    pub frame_bytes: u64,
    /// Region that the last frame redrew.
    pub redrawn: Option<Region>,
}

/// Draws the pane into a picture of `size` pixels, beside a board drawn with `unit` window pixels
/// a unit.
pub fn pane(size: (u32, u32), unit: f32, theme: Theme, view: &PaneView) -> Frame {
    let (width, height) = (size.0.max(1) as usize, size.1.max(1) as usize);
    let mut frame = Frame::filled(width, height, theme.sunken());
    let words = Words::beside(unit);
    let left = words.advance();
    let room = width.saturating_sub(2 * left);
    let tone = view.hertz.map_or("silent".to_owned(), |hertz| format!("{hertz} Hz"));
    let redrawn = view.redrawn.map_or("-".to_owned(), |Region { x, y, width, height }| {
        format!("{width}x{height} at {x},{y}")
    });
    let tab = 9 * words.advance();
    let mut facts = vec![
        ("tone", tone),
        ("frame", format!("{} bytes", view.frame_bytes)),
        ("redrawn", redrawn),
    ];
    let names = ["contacts"].into_iter().chain(std::iter::repeat(""));
    facts.extend(names.zip(levels(&view.contacts, words.letters(room.saturating_sub(tab)))));
    for (at, (name, value)) in facts.iter().enumerate() {
        let top = words.line() / 2 + at * words.line();
        words.write(&mut frame, (left, top), tab, name, theme.dim());
        words.write(&mut frame, (left + tab, top), room.saturating_sub(tab), value, theme.ink());
    }
    let top = words.line() / 2 + (facts.len() + 1) * words.line();
    let heading = match view.below {
        0 => "console".to_owned(),
        below => format!("console, {below} newer below"),
    };
    words.write(&mut frame, (left, top), room, &heading, theme.dim());
    let top = top + words.line();
    // The line that is typed has the last row.
    let lines = (height.saturating_sub(top) / words.line()).saturating_sub(1).max(1);
    let letters = words.letters(room);
    let broken = |line: &String| wrapped(&words.readable(line), letters, lines);
    let text: Vec<String> = view.console.iter().flat_map(broken).collect();
    for (at, line) in text[text.len().saturating_sub(lines)..].iter().enumerate() {
        words.write(&mut frame, (left, top + at * words.line()), room, line, theme.ink());
    }
    let row = (left, top + lines * words.line());
    match &view.typing {
        Typing::Line(typed) => {
            // The end of a long line is shown.
            let typed = format!("> {typed}_");
            let skipped = typed.chars().count().saturating_sub(letters);
            let typed: String = typed.chars().skip(skipped).collect();
            words.write(&mut frame, row, room, &typed, theme.active());
        }
        Typing::Hint(hint) => words.write(&mut frame, row, room, hint, theme.dim()),
    }
    frame
}

/// Returns the lines with the names and levels of contacts, of at most `letters` letters if a name
/// is not longer.
fn levels(groups: &[Vec<Contact>], letters: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for group in groups {
        let mut line = String::new();
        for Contact { name, is_high } in group {
            let mark = format!("{name}={} ", u8::from(*is_high));
            if !line.is_empty() && line.chars().count() + mark.chars().count() > letters + 1 {
                lines.push(std::mem::take(&mut line));
            }
            line += &mark;
        }
        lines.push(line);
    }
    lines
}

/// Maximum number of console lines that a pane shows.
pub const LINES_MAX: usize = 256;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn contacts_are_listed_in_lines_that_fit() {
        let contact = |name: &str, is_high: bool| Contact { name: name.to_owned(), is_high };
        let group = vec![contact("A", false), contact("LEFT", true), contact("RIGHT", true)];
        assert_eq!(levels(std::slice::from_ref(&group), 10), ["A=0 LEFT=1 ", "RIGHT=1 "]);
        assert_eq!(levels(&[group.clone(), group], 99).len(), 2);
        assert!(levels(&[Vec::new()], 0) == [""]);
    }
}
