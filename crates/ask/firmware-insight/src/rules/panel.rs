//! Compares the position on the LCD with the last `position` line of the console.
//!
//! A screen is compared when a line of the trace is reached and nothing has changed for 400 ms. It
//! is compared only if it shows the message of the `position` line, which excludes menus, help
//! pages and a board that is being edited. Digits are read from the pixels; the firmware's layout
//! gives their places.

use embedded_graphics::geometry::Size;
use embedded_graphics::primitives::Rectangle;
use firmware_core::menu::Menu;
use firmware_core::rules::{Cup, PLACES, Player};
use firmware_core::screen::layout::Layout;
use firmware_core::screen::page::words;
use firmware_core::screen::style::Counts;
use firmware_core::screen::words::HINT;
use firmware_core::systems::{SYSTEMS, System};
use hal_mock::board::{ConsoleLine, VirtualBoard};
use ili9341_model::Frame;
use insight::BrokenInvariant;
use reading::text::Reader;
use trace::{Action, BoardFault, Button, Line, TAP_HOLD};
use virtual_time::{Instant, Nanos};

use super::position::Position;

/// Time without an event or a change after which every press has been debounced and drawn.
const QUIET: Nanos = Nanos::from_millis(400);

/// Compares the LCD between the lines of a trace.
pub(super) struct Panel<'a> {
    reader: &'a Reader,
    /// Time of the last press, release, power change or fault; it may be in the future.
    touched: Instant,
    /// Whether the LCD has received what was sent.
    memory: LcdMemory,
    lines: Vec<ConsoleLine>,
    /// Number of the last frame that was compared.
    seen: u64,
    finding: Option<(Instant, BrokenInvariant)>,
    in_menu: Vec<Instant>,
}

/// Whether the content of the LCD's memory is what the firmware has sent.
#[derive(Clone, Copy, PartialEq, Eq)]
enum LcdMemory {
    AsSent,
    /// The wire works again, but the memory may contain flipped bits until the next power-on.
    StillGarbled,
    /// Bits flip on the wire.
    Garbled,
}

impl<'a> Panel<'a> {
    pub(super) fn new(reader: &'a Reader) -> Self {
        Self {
            reader,
            touched: Instant::START,
            memory: LcdMemory::AsSent,
            lines: Vec::new(),
            seen: 0,
            finding: None,
            in_menu: Vec::new(),
        }
    }

    pub(super) fn take_finding(&mut self) -> Option<(Instant, BrokenInvariant)> {
        self.finding.take()
    }

    /// Returns the times at which RESET was pressed while the LCD showed the menu, or may have
    /// shown it: a garbled screen cannot be read.
    pub(super) fn in_menu(&self) -> &[Instant] {
        &self.in_menu
    }

    /// Compares the board at the time of `line`, before the line has an effect.
    pub(super) fn look(&mut self, line: &Line, at: Instant, board: &VirtualBoard) {
        let quiet = at >= self.touched.saturating_add(QUIET)
            && at >= board.last_change().saturating_add(QUIET);
        if quiet && self.finding.is_none() && self.memory == LcdMemory::AsSent {
            self.judge(at, board);
        }
        if let Action::Tap { button, .. } | Action::Press(button) = line.action
            && button == Button::Reset
            && (self.memory != LcdMemory::AsSent || self.shows_menu(&board.frame_at(at)))
        {
            self.in_menu.push(at);
        }
        self.note(&line.action, at);
    }

    fn note(&mut self, action: &Action, at: Instant) {
        let touched = match action {
            Action::Tap { hold, .. } => at.saturating_add(hold.unwrap_or(TAP_HOLD)),
            Action::Press(_) | Action::Release(_) | Action::PowerOn | Action::PowerOff => at,
            Action::Fault(_) => at,
            _ => return,
        };
        self.touched = self.touched.max(touched);
        self.memory = match (action, self.memory) {
            (Action::Fault(BoardFault::SpiFlip { .. }), _) => LcdMemory::Garbled,
            (Action::Fault(BoardFault::NoSpiFault { .. }), LcdMemory::Garbled) => {
                LcdMemory::StillGarbled
            }
            (Action::PowerOn, LcdMemory::StillGarbled) => LcdMemory::AsSent,
            (_, memory) => memory,
        };
    }

    fn judge(&mut self, at: Instant, board: &VirtualBoard) {
        let frame_number = board.frame_count_at(at);
        let new = board.console_lines_from(self.lines.len());
        if !board.is_powered() || (new.is_empty() && frame_number == self.seen) {
            self.lines.extend(new);
            return;
        }
        self.lines.extend(new);
        self.seen = frame_number;
        let Some((system, position)) = self.reported_position(at) else { return };
        let frame = board.frame_at(at);
        let size = Size::new(frame.width() as u32, frame.height() as u32);
        let layout = Layout::of(system.style().table, size);
        let message = self.words(&frame, &layout.message());
        if message.strip_suffix(HINT).unwrap_or(&message).trim_end() != position.message {
            return;
        }
        let shown: Vec<String> =
            (0..PLACES).map(|place| self.words(&frame, &count(&layout, place))).collect();
        // A system may hide digits, or show only those of the cup that is being counted.
        let hides = !matches!(system.style().counts, Counts::Always);
        let is_shown = |(shown, stones): (&String, &u32)| {
            hides && shown.is_empty() || shown.parse() == Ok(*stones)
        };
        if !shown.iter().zip(&position.stones).all(is_shown) {
            self.finding = Some((at, finding(&shown, &position.stones)));
        }
    }

    /// Returns whether the frame shows the names of all menus.
    fn shows_menu(&self, frame: &Frame) -> bool {
        let text = self.reader.read(frame);
        let is_shown = |menu: &Menu| text.lines.iter().any(|line| line.text == words::menu(*menu));
        Menu::ALL.iter().all(is_shown)
    }

    /// Returns the system and the position from the last console lines since power-on.
    fn reported_position(&self, at: Instant) -> Option<(&'static System, Position<'_>)> {
        let by_then = self.lines.partition_point(|line| line.at <= at);
        let lines = &self.lines[..by_then];
        let booted = lines.iter().rposition(|line| line.text.contains("boot nudge="))?;
        let position = lines[booted..].iter().rev().find_map(|line| Position::of(&line.text))?;
        let name = lines[booted..].iter().rev().find_map(|line| {
            let named = ["boot nudge=", "option game=", "loaded name=", "restored game="];
            if !named.iter().any(|word| line.text.contains(word)) {
                return None;
            }
            line.text.split(' ').find_map(|word| word.strip_prefix("game="))
        })?;
        let system = SYSTEMS.iter().find(|system| system.name == name)?;
        Some((system, position))
    }

    /// Returns the text in `area`, its lines joined by one space.
    fn words(&self, frame: &Frame, area: &Rectangle) -> String {
        let (left, top) = (area.top_left.x.max(0) as usize, area.top_left.y.max(0) as usize);
        let (width, height) = (area.size.width as usize, area.size.height as usize);
        let pixel = |at: usize| frame.pixel(left + at % width, top + at / width);
        let pixels = (0..width * height).map(|at| pixel(at).unwrap_or_default()).collect();
        let text = self.reader.read(&Frame::from_pixels(width, height, pixels));
        let lines: Vec<&str> = text.lines.iter().map(|line| line.text.as_str()).collect();
        lines.join(" ")
    }
}

/// Returns the area of the number of stones of a place, in the order of the console.
fn count(layout: &Layout, place: usize) -> Rectangle {
    match Cup::at(place) {
        Some(cup) => layout.cup_count(cup),
        None => layout.store_count(Player::BOTH[place / 7]),
    }
}

/// Returns the finding of digits on the LCD, by place and empty where none can be read, that are not
/// the stones of the `position`.
fn finding(shown: &[String], position: &[u32]) -> BrokenInvariant {
    let evidence = format!("{:?}", wrong_places(shown, position));
    let position: Vec<String> = position.iter().map(u32::to_string).collect();
    let (shown, position) = (shown.join(","), position.join(","));
    let message = format!("it shows {shown}, the position is {position}");
    BrokenInvariant { kind: super::PANEL, evidence, message }
}

/// Returns the places whose digits on the LCD are not the number of their stones. A missing digit
/// is a wrong one.
fn wrong_places(shown: &[String], position: &[u32]) -> Vec<usize> {
    let pairs = shown.iter().zip(position).enumerate();
    let wrong = pairs.filter(|(_, (digits, stones))| digits.parse() != Ok(**stones));
    wrong.map(|(place, _)| place).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_finding_names_both_positions_and_is_compared_by_the_wrong_places() {
        let panel = |shown: [&str; 2]| finding(&shown.map(str::to_owned), &[4, 0]);
        assert_eq!(panel(["4", ""]).message, "it shows 4,, the position is 4,0");
        assert_eq!(panel(["4", "1"]).evidence, panel(["4", ""]).evidence);
        assert_ne!(panel(["4", "1"]).evidence, panel(["5", "0"]).evidence);
    }
}
