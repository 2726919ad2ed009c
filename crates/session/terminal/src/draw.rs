//! Draws the session into cells: its identity, the LCD, the buttons, the pane, the state. This
//! module knows no terminal and no session: a [`View`] has all that is shown.

use std::sync::Arc;

use host::clock::Speed;
use ili9341_model::Frame;
use live::keymap::{KeyAction, Keymap};
use live::{Branch, ControlReading, clock};
use ratatui_core::buffer::Buffer;
use ratatui_core::layout::Rect;
use ratatui_core::style::{Modifier, Style};
use trace::{Button, ButtonSet};
use virtual_time::Instant;

use super::colours::Depth;
use super::control_state::{is_active, position_text};
use super::layout::{Layout, keys_of};
use super::picture;

const CAP: u32 = 0x2E_3440;
const CAP_INK: u32 = 0xE5_E9F0;
const RESET_CAP: u32 = 0x7A_2E2E;
const ACTIVE: u32 = 0xFF_B000;
const ACTIVE_INK: u32 = 0x1A_1200;
const DIM: u32 = 0x8A_919E;

/// State of the machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum State {
    Runs,
    Off,
    Paused,
    Past,
    /// The past is played.
    Plays,
    Stopped,
    /// A debugger has stopped the firmware.
    Debugged,
}

/// Data that is shown.
#[derive(Clone, Debug)]
pub struct View {
    pub frame: Arc<Frame>,
    pub identity: [String; 2],
    /// The buttons of the board, in pin order.
    pub buttons: Vec<Button>,
    /// The buttons that are down.
    pub down: ButtonSet,
    /// The other controls of a described board, in the order of its file.
    pub controls: Vec<ControlReading>,
    pub state: State,
    pub speed: Speed,
    /// The present speed of virtual time.
    pub pace: Speed,
    /// Time that is shown.
    pub now: Instant,
    /// Name of the recording, if there is one.
    pub recording: Option<String>,
    pub recording_failed: bool,
    pub flash: &'static str,
    pub message: Option<String>,
    /// The keys that a user needs first, shown while there is no message.
    pub hint: String,
    /// The LCD's text, if it is shown.
    pub text: Option<Vec<String>>,
    /// Lines of the console that are shown, the newest last.
    pub console: Vec<String>,
    /// Number of newer lines, which are not shown.
    pub below: usize,
    /// The line that is being typed on the console.
    pub typed: Option<String>,
    pub hertz: Option<u32>,
    pub frame_bytes: u64,
    /// Number of bytes that were sent to the terminal.
    pub sent: u64,
    /// Number of complete frames at the time that is shown.
    pub frame_number: u64,
    /// Courses that the session has left, and the chosen row of their list, if it is shown.
    pub branches: Arc<Vec<Branch>>,
    pub chosen: Option<usize>,
    /// The list of keys, if it is shown, or another list: its title, and its rows.
    pub help: Option<(String, Vec<(String, String)>)>,
    /// Whether the LCD's cells are left out: the terminal shows pixels there.
    pub pixels: bool,
}

/// Draws `view` at the places of `layout`.
pub fn draw(buffer: &mut Buffer, view: &View, layout: &Layout, keymap: &Keymap, depth: Depth) {
    let pen = Pen { depth };
    if let Some(area) = layout.identity {
        let [runs, files] = &view.identity;
        pen.row(buffer, area, &format!(" {runs} · {files}"), pen.bold());
    }
    if !layout.has_picture {
        lines(buffer, layout.lcd, view.text.as_deref().unwrap_or_default(), pen.plain());
    } else if !view.pixels {
        picture::draw(buffer, layout.lcd, &view.frame, depth);
    }
    if let Some(places) = &layout.buttons {
        for button in &view.buttons {
            if let Some(place) = places.get(button.index()) {
                pen.cap(buffer, *place, *button, keymap, view.down.contains(*button));
            }
        }
    }
    for (reading, place) in view.controls.iter().zip(&layout.controls) {
        pen.control(buffer, *place, reading, keymap);
    }
    if let Some(area) = layout.pane {
        pen.pane(buffer, area, view);
    }
    pen.row(buffer, layout.status, &status(view), pen.reversed());
    if let Some(area) = layout.message {
        match (&view.typed, &view.message) {
            (Some(typed), _) => {
                // The end of a long line is shown.
                let typed = format!("> {typed}_");
                let skipped = typed.chars().count().saturating_sub(area.width.into());
                let typed: String = typed.chars().skip(skipped).collect();
                pen.row(buffer, area, &typed, pen.bold());
            }
            (None, Some(message)) => {
                pen.row(buffer, area, &format!(" {message}"), pen.warning());
            }
            (None, None) => pen.row(buffer, area, &view.hint, pen.dim()),
        }
    }
    if let Some((title, rows)) = &view.help {
        pen.help(buffer, title, rows);
    }
    if let Some(chosen) = view.chosen {
        pen.branches(buffer, &view.branches, chosen);
    }
}

/// Draws a terminal that is too small for anything else.
pub fn draw_tiny(buffer: &mut Buffer) {
    let area = buffer.area;
    put(buffer, area, 0, "too small", Style::new());
}

/// Returns the status line.
fn status(view: &View) -> String {
    let state = match view.state {
        State::Runs => "RUNNING",
        State::Off => "POWER OFF",
        State::Paused => "PAUSED",
        State::Past => "IN THE PAST",
        State::Plays => "PLAYING",
        State::Stopped => "STOPPED",
        State::Debugged => "GDB STOPPED",
    };
    let seconds = view.now.0 / 1_000_000_000;
    let time = format!("{}:{:02}", seconds / 60, seconds % 60);
    let time = match view.state {
        State::Runs | State::Off => time,
        State::Paused | State::Past | State::Plays | State::Stopped | State::Debugged => {
            format!("{} frame {}", clock(view.now), view.frame_number)
        }
    };
    let recording = match &view.recording {
        _ if view.recording_failed => " │ RECORDING FAILED".to_owned(),
        Some(name) => format!(" │ ● REC {name}"),
        None => String::new(),
    };
    let tone = view.hertz.map_or(String::new(), |hertz| format!(" │ ♪ {hertz} Hz"));
    let down = view.buttons.iter().filter(|button| view.down.contains(**button));
    let down: Vec<&str> = down.map(|button| button.name()).collect();
    let down = if down.is_empty() { String::new() } else { format!(" │ ▼ {}", down.join(" ")) };
    let speed = match view.pace == view.speed {
        true => format!("{}×", view.pace),
        false => format!("{}×, then {}×", view.pace, view.speed),
    };
    format!(" {state} │ {speed} │ {time}{recording} │ flash {}{tone}{down}", view.flash)
}

/// Writes `text` into row `row` of `area`, as far as it fits.
fn put(buffer: &mut Buffer, area: Rect, row: u16, text: &str, style: Style) {
    let area = area.intersection(buffer.area);
    if row < area.height {
        buffer.set_stringn(area.x, area.y + row, text, usize::from(area.width), style);
    }
}

/// Writes lines from the top, as many as fit.
fn lines(buffer: &mut Buffer, area: Rect, lines: &[String], style: Style) {
    for (line, row) in lines.iter().zip(0..area.height) {
        put(buffer, area, row, line, style);
    }
}

/// Breaks lines at their blanks, or within a word that is too long.
pub(super) fn wrapped(lines: &[String], width: usize) -> Vec<String> {
    let mut rows = Vec::new();
    for line in lines {
        let mut row = String::new();
        let mut length = 0;
        for word in line.split_inclusive(' ') {
            let needs = word.trim_end().chars().count();
            if length > 0 && length + needs > width {
                rows.push(std::mem::take(&mut row));
                length = 0;
            }
            for letter in word.chars() {
                if length == width {
                    rows.push(std::mem::take(&mut row));
                    length = 0;
                }
                row.push(letter);
                length += 1;
            }
        }
        rows.push(row);
    }
    rows
}

/// Styles in the available colours.
#[derive(Clone, Copy)]
struct Pen {
    depth: Depth,
}

impl Pen {
    fn plain(self) -> Style {
        Style::new()
    }

    fn bold(self) -> Style {
        Style::new().add_modifier(Modifier::BOLD)
    }

    fn reversed(self) -> Style {
        Style::new().add_modifier(Modifier::REVERSED)
    }

    fn dim(self) -> Style {
        if self.depth == Depth::None {
            Style::new()
        } else {
            Style::new().fg(self.depth.colour(DIM))
        }
    }

    fn warning(self) -> Style {
        match self.depth {
            Depth::None => self.bold(),
            depth => Style::new().fg(depth.colour(ACTIVE)),
        }
    }

    /// Draws a row over the whole width.
    fn row(self, buffer: &mut Buffer, area: Rect, text: &str, style: Style) {
        buffer.set_style(area.intersection(buffer.area), style);
        put(buffer, area, 0, text, style);
    }

    /// Draws a button's cap: its key, and its name if there is room.
    fn cap(self, buffer: &mut Buffer, area: Rect, button: Button, keymap: &Keymap, down: bool) {
        let key = keymap.key_name(KeyAction::Press(button));
        let whole = format!("{key} {button}");
        let room = usize::from(area.width);
        let label = if whole.chars().count() <= room { whole } else { short(key, room) };
        let style = match (self.depth, down) {
            (Depth::None, true) => self.reversed(),
            (Depth::None, false) => self.bold(),
            (depth, true) => Style::new()
                .fg(depth.colour(ACTIVE_INK))
                .bg(depth.colour(ACTIVE))
                .add_modifier(Modifier::BOLD),
            (depth, false) => {
                let is_reset = button.name() == Button::Reset.name();
                let cap = if is_reset { RESET_CAP } else { CAP };
                Style::new().fg(depth.colour(CAP_INK)).bg(depth.colour(cap))
            }
        };
        buffer.set_style(area.intersection(buffer.area), style);
        for row in 0..area.height {
            let text = if row == area.height / 2 { label.as_str() } else { "" };
            put(buffer, area, row, &format!("{text:^room$}"), style);
        }
    }

    /// Draws a control: its keys, its name and its position.
    fn control(self, buffer: &mut Buffer, area: Rect, reading: &ControlReading, keymap: &Keymap) {
        let ControlReading { control, position, .. } = *reading;
        let (keys, text) = (keys_of(control, keymap), position_text(position, control.kind()));
        let label = format!(" {keys} {} {text}", control.name());
        let style = match (self.depth, is_active(reading)) {
            (Depth::None, true) => self.reversed(),
            (Depth::None, false) => self.bold(),
            (depth, true) => Style::new().fg(depth.colour(ACTIVE_INK)).bg(depth.colour(ACTIVE)),
            (depth, false) => Style::new().fg(depth.colour(CAP_INK)).bg(depth.colour(CAP)),
        };
        buffer.set_style(area.intersection(buffer.area), style);
        let room = usize::from(area.width);
        put(buffer, area, 0, &format!("{label:<room$}"), style);
    }

    /// Draws the LCD's text, and below it the console and the measured values.
    fn pane(self, buffer: &mut Buffer, area: Rect, view: &View) {
        let text = view.text.as_deref().unwrap_or_default();
        let text = wrapped(text, usize::from(area.width));
        let upper = (text.len() as u16 + 2).min(area.height / 2 + 1);
        put(buffer, area, 0, "LCD", self.dim());
        let inner = |top: u16, bottom: u16| {
            Rect::new(area.x, area.y + top, area.width, bottom.saturating_sub(top))
        };
        lines(buffer, inner(1, upper), &text, self.plain());
        let heading = match view.below {
            0 => "CONSOLE".to_owned(),
            below => format!("CONSOLE, {below} newer below"),
        };
        put(buffer, area, upper, &heading, self.dim());
        let measured = area.height.saturating_sub(1);
        let console = inner(upper + 1, measured);
        let said = wrapped(&view.console, usize::from(area.width));
        let last = said.len().saturating_sub(usize::from(console.height));
        lines(buffer, console, &said[last..], self.plain());
        let (spi, sent) = (view.frame_bytes as f64 / 1_000.0, view.sent as f64 / 1_000.0);
        let text = format!("SPI {spi:.1} kB · sent {sent:.0} kB");
        put(buffer, area, measured, &text, self.dim());
    }

    /// Draws the list of branches over everything else.
    fn branches(self, buffer: &mut Buffer, branches: &[Branch], chosen: usize) {
        let whole = buffer.area;
        buffer.reset();
        let title = " Branches: Up, Down, Enter goes there, Esc closes";
        put(buffer, whole, 0, title, self.bold());
        let most = usize::from(whole.height.saturating_sub(2)).max(1);
        let first = chosen.saturating_sub(most - 1);
        for ((nth, branch), row) in branches.iter().enumerate().skip(first).zip(2..whole.height) {
            let Branch { number, at, first, presses, end } = branch;
            let first = if first.is_empty() { "no other press" } else { first };
            let arrow = if nth == chosen { '>' } else { ' ' };
            let what = format!(
                " {arrow} {number:>3}  {} {first}, {}, to {}",
                clock(*at),
                trace::counted(*presses, "press"),
                clock(*end)
            );
            let style = if nth == chosen { self.reversed() } else { self.plain() };
            put(buffer, whole, row, &what, style);
        }
    }

    /// Draws a list over everything else, in as many columns as necessary.
    fn help(self, buffer: &mut Buffer, title: &str, rows: &[(String, String)]) {
        let whole = buffer.area;
        buffer.reset();
        put(buffer, whole, 0, &format!(" {title} (any key closes this)"), self.bold());
        let high = usize::from(whole.height.saturating_sub(2)).max(1);
        let columns = rows.len().div_ceil(high).max(1) as u16;
        let width = whole.width / columns;
        for (nth, chunk) in rows.chunks(high).enumerate() {
            let left = whole.x + nth as u16 * width;
            let name_width = chunk.iter().map(|(name, _)| name.chars().count()).max().unwrap_or(0);
            for ((name, what), row) in chunk.iter().zip(2..whole.height) {
                let line = Rect::new(left, row, width.saturating_sub(1), 1);
                put(buffer, line, 0, &format!(" {name:>name_width$}  {what}"), self.plain());
            }
        }
    }
}

/// Returns the first letters of a key's name.
fn short(key: &str, room: usize) -> String {
    key.chars().take(room).collect()
}

#[cfg(test)]
mod tests {
    use hal_mock::board::Position;
    use trace::{ControlKind, Share};

    use super::super::layout::{Caps, Wanted};
    use super::*;

    fn view() -> View {
        View {
            frame: Arc::new(Frame::filled(320, 240, 0x10_2030)),
            identity: ["native, dots, seed 7".into(), "a flash\x1b[2J that is not kept".into()],
            buttons: Button::LCD_BOARD.into(),
            down: ButtonSet::EMPTY,
            controls: Vec::new(),
            state: State::Runs,
            speed: Speed::REAL,
            pace: Speed::REAL,
            now: Instant::from_millis(83_400),
            recording: Some("win".into()),
            recording_failed: false,
            flash: "not kept",
            message: None,
            hint: " ? keys · Ctrl-C quit".into(),
            text: Some(vec!["Dots".into(), "Your move".into()]),
            console: (0..40).map(|nth| format!("line {nth}")).collect(),
            below: 0,
            typed: None,
            hertz: Some(880),
            frame_bytes: 1_234,
            sent: 5_600,
            help: None,
            frame_number: 87,
            branches: Arc::default(),
            chosen: None,
            pixels: false,
        }
    }

    const WANTED: Wanted = Wanted {
        panel: (320, 240),
        buttons: Caps::AroundPanel([60, 100, 140, 180, 220, 260]),
        pane_first: false,
        pane: true,
        text: false,
    };

    /// Returns the rows of a terminal of that size that shows `view`.
    fn shown(columns: u16, rows: u16, view: &View, depth: Depth) -> Vec<String> {
        let mut buffer = Buffer::empty(Rect::new(0, 0, columns, rows));
        let layout = Layout::new(columns, rows, &WANTED).unwrap();
        draw(&mut buffer, view, &layout, &Keymap::default(), depth);
        let row =
            |row: &[ratatui_core::buffer::Cell]| row.iter().map(|cell| cell.symbol()).collect();
        buffer.content().chunks(usize::from(columns)).map(row).collect()
    }

    #[test]
    fn all_that_is_known_is_shown_with_the_keys() {
        let mut view = view();
        view.down.insert(Button::T2);
        let rows = shown(130, 40, &view, Depth::True);
        let all = rows.join("\n");
        for word in [
            "native, dots, seed 7",
            "Q T1",
            "N B6",
            "Space RESET",
            "Your move",
            "line 39",
            "RUNNING │ 1× │ 1:23 │ ● REC win │ flash not kept │ ♪ 880 Hz │ ▼ T2",
            "SPI 1.2 kB · sent 6 kB",
            "Ctrl-C quit",
        ] {
            assert!(all.contains(word), "{word}\n{all}");
        }
        assert!(!all.contains('\x1b'), "no file name controls the terminal");
    }

    #[test]
    fn the_controls_of_a_board_have_keys_and_positions() {
        let kinds = [
            (ControlKind::Encoder, "DIAL", Position::Edges(-7)),
            (ControlKind::Switch, "MODE", Position::Switch(true)),
            (ControlKind::Potentiometer, "LEVEL", Position::Axes(Share::WHOLE, Share::ZERO)),
            (ControlKind::Joystick, "STICK", Position::Axes(Share::ZERO, Share::WHOLE)),
        ];
        let controls = kinds.map(|(kind, name, _)| (kind, name));
        let controls = trace::Controls::new(controls).unwrap();
        let keys = controls.all().iter().map(|control| (*control, Vec::new()));
        let keymap = Keymap::of_board([], keys);
        let reading = |(control, (.., position)): (&trace::Control, &(_, _, Position))| {
            ControlReading { control: *control, position: *position, rest: *position }
        };
        let mut view = view();
        view.controls = controls.all().iter().zip(&kinds).map(reading).collect();
        let caps = Caps::below(&[], controls.all(), &keymap);
        let layout = Layout::new(120, 40, &Wanted { buttons: caps, ..WANTED }).unwrap();
        let mut buffer = Buffer::empty(Rect::new(0, 0, 120, 40));
        draw(&mut buffer, &view, &layout, &keymap, Depth::True);
        let text = |place: &Rect| -> String {
            (place.left()..place.right())
                .filter_map(|x| Some(buffer.cell((x, place.y))?.symbol().to_owned()))
                .collect()
        };
        let shown: Vec<String> =
            layout.controls.iter().map(|place| text(place).trim().to_owned()).collect();
        assert_eq!(shown, ["[ ] DIAL -7", "Z MODE on", "; ' LEVEL 100%", "H K U J STICK 0,100"]);
        // A switch that is on differs from the others.
        let style = |at: usize| {
            let place = layout.controls[at];
            buffer.cell((place.x, place.y)).map(|cell| cell.style())
        };
        assert_ne!(style(1), style(0));
        assert_eq!(style(3), style(0), "it is at rest");
    }

    #[test]
    fn a_line_that_is_too_long_is_broken_at_a_blank() {
        let lines = ["Capture more".to_owned(), "abcdefghij".to_owned(), String::new()];
        assert_eq!(wrapped(&lines, 8), ["Capture ", "more", "abcdefgh", "ij", ""]);
    }

    #[test]
    fn a_pressed_button_differs_with_any_number_of_colours() {
        for depth in [Depth::True, Depth::Many, Depth::Few, Depth::None] {
            let cap = |down: bool| {
                let mut view = view();
                view.down.set(Button::B3, down);
                let mut buffer = Buffer::empty(Rect::new(0, 0, 80, 24));
                let layout = Layout::new(80, 24, &WANTED).unwrap();
                draw(&mut buffer, &view, &layout, &Keymap::default(), depth);
                let place = layout.buttons.as_ref().unwrap()[Button::B3.index()];
                buffer.cell((place.x, place.y)).unwrap().style()
            };
            assert_ne!(cap(true), cap(false), "{depth:?}");
        }
    }

    #[test]
    fn every_size_and_every_overlay_is_drawn_without_a_panic() {
        let mut view = view();
        for help in [false, true] {
            let rows = || vec![("Q".to_owned(), "button T1".to_owned()); 40];
            view.help = help.then(|| ("Keys".to_owned(), rows()));
            for (columns, rows) in
                [(12, 2), (13, 3), (24, 8), (80, 24), (500, 5), (30, 200), (255, 255)]
            {
                let text = shown(columns, rows, &view, Depth::Few).join("\n");
                assert!(text.contains(if help { "Keys" } else { "RUNNING" }), "{columns} × {rows}");
            }
        }
        let mut tiny = Buffer::empty(Rect::new(0, 0, 3, 1));
        draw_tiny(&mut tiny);
        assert_eq!(tiny.content()[0].symbol(), "t");
        draw_tiny(&mut Buffer::empty(Rect::new(0, 0, 0, 0)));
    }
}
