//! The console's pane beside the board: console, tone, contacts.

use ili9341_model::{Frame, Region};
use trace::Button;

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
    /// Whether each contact is closed, by [`Button::index`].
    pub closed: [bool; Button::COUNT],
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
    let mark = |button: &Button| {
        format!("{}{}", button.name(), if view.closed[button.index()] { "=0 " } else { "=1 " })
    };
    let levels = |buttons: &[Button]| -> String { buttons.iter().map(mark).collect() };
    let facts = [
        ("tone", tone),
        ("frame", format!("{} bytes", view.frame_bytes)),
        ("redrawn", redrawn),
        ("contacts", levels(&Button::ALL[6..9])),
        ("", levels(&Button::ALL[9..12])),
        ("", levels(&Button::ALL[..3])),
        ("", levels(&Button::ALL[3..6])),
        ("", levels(&Button::ALL[12..])),
    ];
    let tab = 9 * words.advance();
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

/// Maximum number of console lines that a pane shows.
pub const LINES_MAX: usize = 256;
