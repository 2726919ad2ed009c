//! How to play: a text, and below it a drawing of small cups with numbers in them.
//!
//! A move is drawn as two boards, one above the other: the upper one shows the cup that is played
//! and the path of its stones around the board, the lower one the result. The texts and the
//! positions are data, in `lessons`; `tests` checks them against the rules. This module knows no
//! rule.

mod lessons;
#[cfg(test)]
mod tests;

use core::fmt::Write as _;

use embedded_graphics::geometry::{Point, Size};
use embedded_graphics::primitives::Rectangle;
use heapless::String;

use super::painter::{Align, Painter, Towards, Type, inset};
use crate::game::places::{CUPS_A_SIDE, Cup, PLACES, Player};
use crate::interface::screen::layout::Table;
use crate::interface::screen::style::Style;
use crate::interface::screen::theme;
use crate::pins::present::TextTarget;
pub use lessons::{count, lesson};

/// One page of How to play.
#[derive(Debug, PartialEq)]
pub struct Lesson {
    pub title: &'static str,
    pub text: &'static str,
    pub drawing: Drawing,
}

/// Drawing below the text of a lesson or of a step of a saved game.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Drawing {
    /// No drawing.
    None,
    /// A board with the names of its cups.
    Board([u8; PLACES]),
    /// A board with the names of its cups; the first and the last place of the latest move are
    /// marked.
    Step { stones: [u8; PLACES], sown: Option<(u8, u8)> },
    /// A move of the bottom player.
    Move(Example),
}

/// A move of the bottom player, counter-clockwise.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Example {
    /// Stones at each place before the move.
    pub before: [u8; PLACES],
    /// The cup that is played.
    pub cup: u8,
    /// Place where its last stone falls.
    pub last: u8,
    /// Stones at each place after the move.
    pub after: [u8; PLACES],
}

/// Margin in pixels between the edges of a page and its text.
const MARGIN: u32 = 8;
/// Width in pixels of a cup or a store, with the background next to it.
const COLUMN: u32 = 36;
/// Height in pixels of a cup, its digits and the rim around them, with the background below it.
const ROW: u32 = TEXT.font.character_size.height + 3;
/// Width in pixels of a board: a store at each end.
const WIDTH: u32 = (CUPS_A_SIDE as u32 + 2) * COLUMN;
/// Height in pixels of a board.
const BOARD: u32 = 2 * ROW;
/// Height in pixels of the strip next to a row that contains the line of a sowing.
const TRACK: u32 = 5;
/// Thickness in pixels of that line.
const LINE: u32 = 2;
/// Gap in pixels between the two boards of a move; it contains an arrow.
const GAP: u32 = 9;
/// Height in pixels of the names of a row of cups.
const NAMES: u32 = TEXT.font.character_size.height;

const TEXT: Type = Type::new(theme::LABEL_FONT, theme::INK, theme::GROUND);

impl Drawing {
    /// Returns its height, with the background below it, in pixels.
    pub(super) const fn height(&self) -> u32 {
        match self {
            Self::None => 0,
            Self::Board(_) | Self::Step { .. } => NAMES + BOARD + NAMES + 1,
            Self::Move(_) => TRACK + BOARD + TRACK + GAP + BOARD + 1,
        }
    }

    /// Returns the boards of a drawing in `area`, from the top.
    fn boards(&self, area: Rectangle) -> [Option<(Point, &[u8; PLACES])>; 2] {
        let left = area.size.width.saturating_sub(WIDTH) / 2;
        let at = |below: u32| area.top_left + Size::new(left, below);
        match self {
            Self::None => [None; 2],
            Self::Board(stones) | Self::Step { stones, .. } => [Some((at(NAMES), stones)), None],
            Self::Move(Example { before, after, .. }) => {
                [Some((at(TRACK), before)), Some((at(TRACK + BOARD + TRACK + GAP), after))]
            }
        }
    }

    /// Returns the cups and stores of a drawing in `area`, of the upper board and then of the lower
    /// one: the rectangle of each, and its number of stones.
    pub fn places(&self, area: Rectangle, style: &Style) -> impl Iterator<Item = (Rectangle, u8)> {
        let table = style.table;
        self.boards(area).into_iter().flatten().flat_map(move |(corner, stones)| {
            stones
                .iter()
                .enumerate()
                .map(move |(place, stones)| (cell(corner, table, place), *stones))
        })
    }

    /// Returns the highlighting of a place where the drawing has only one board.
    fn mark(&self, place: usize) -> Mark {
        match self {
            Self::Step { sown: Some((_, last)), .. } if usize::from(*last) == place => {
                Mark::Changed
            }
            Self::Step { sown: Some((first, _)), .. } if usize::from(*first) == place => {
                Mark::Played
            }
            _ => Mark::None,
        }
    }

    pub(super) fn draw<D: TextTarget>(
        &self,
        style: &Style,
        area: Rectangle,
        painter: &mut Painter<'_, D>,
    ) -> Result<(), D::Error> {
        painter.fill(area, theme::GROUND)?;
        let [upper, lower] = self.boards(area);
        let Some((corner, stones)) = upper else { return Ok(()) };
        let board = Board { corner, table: style.table, stones };
        let (Self::Move(example), Some((below, after))) = (self, lower) else {
            board.draw(painter, |place| self.mark(place))?;
            return board.draw_names(style, painter);
        };
        board.draw(painter, |place| example.mark_before(place))?;
        board.draw_line(example, painter)?;
        let gap = Point::new(corner.x + WIDTH as i32 / 2, below.y - GAP as i32 / 2 - 1);
        painter.arrow(Towards::Down, gap, theme::INK)?;
        Board { corner: below, stones: after, ..board }
            .draw(painter, |place| example.mark_after(place))
    }
}

/// Highlighting of a place in a drawing.
enum Mark {
    None,
    /// The place is played.
    Played,
    /// The place is emptied without being played: captured, or swept.
    Taken,
    /// The place has received stones.
    Changed,
}

impl Example {
    fn mark_before(&self, place: usize) -> Mark {
        if place == usize::from(self.cup) {
            return Mark::Played;
        }
        match (self.before[place], self.after[place]) {
            (1.., 0) => Mark::Taken,
            _ => Mark::None,
        }
    }

    fn mark_after(&self, place: usize) -> Mark {
        if self.after[place] == self.before[place] { Mark::None } else { Mark::Changed }
    }
}

/// One of the boards of a drawing.
struct Board<'s> {
    corner: Point,
    table: Table,
    stones: &'s [u8; PLACES],
}

impl Board<'_> {
    fn draw<D: TextTarget>(
        &self,
        painter: &mut Painter<'_, D>,
        mark: impl Fn(usize) -> Mark,
    ) -> Result<(), D::Error> {
        for (place, stones) in self.stones.iter().enumerate() {
            let area = cell(self.corner, self.table, place);
            if !painter.sees(&area) {
                continue;
            }
            let owned = match Cup::at(place) {
                Some(_) => theme::RIM,
                None if place == Player::Bottom.store() => theme::player(Player::Bottom),
                None => theme::player(Player::Top),
            };
            let mark = mark(place);
            let (ink, ground, rim) = match mark {
                Mark::None => (theme::INK, theme::HOLLOW, owned),
                Mark::Played => (theme::CURSOR_INK, theme::CURSOR_GROUND, theme::CURSOR_GROUND),
                Mark::Taken => (theme::RIM_EVENT, theme::HOLLOW, theme::RIM_EVENT),
                Mark::Changed => (theme::INK, theme::MESSAGE_GROUND, theme::INK),
            };
            painter.fill(area, rim)?;
            painter.fill(inset(area, 1, 1), ground)?;
            let mut digits = String::<3>::new();
            // Three digits fit: a count is a byte.
            let _ = match (self.table, Cup::at(place)) {
                (Table::StoresInTheMiddle, None) => write!(digits, "{stones:02}"),
                _ => write!(digits, "{stones}"),
            };
            painter.line(&digits, Type { ink, ground, ..TEXT }, Align::Centre, area)?;
        }
        Ok(())
    }

    /// Draws the names of the cups and the stores' owners, each next to its row.
    fn draw_names<D: TextTarget>(
        &self,
        style: &Style,
        painter: &mut Painter<'_, D>,
    ) -> Result<(), D::Error> {
        for place in 0..PLACES {
            let player = if place <= Player::Bottom.store() { Player::Bottom } else { Player::Top };
            let name = match Cup::at(place) {
                Some(cup) => style.label(cup),
                None => style.stores[player.index()],
            };
            let x = cell(self.corner, self.table, place).top_left.x;
            let y = match player {
                Player::Bottom => self.corner.y + BOARD as i32,
                Player::Top => self.corner.y - NAMES as i32,
            };
            let area = Rectangle::new(Point::new(x, y), Size::new(COLUMN - 2, NAMES));
            painter.line(name, Type { ink: theme::player(player), ..TEXT }, Align::Centre, area)?;
        }
        Ok(())
    }

    /// Draws the path of the stones of a sowing, from below its cup to an arrow at the place of the
    /// last one.
    fn draw_line<D: TextTarget>(
        &self,
        example: &Example,
        painter: &mut Painter<'_, D>,
    ) -> Result<(), D::Error> {
        let ink = theme::player(Player::Bottom);
        let middle = |place: u8| cell(self.corner, self.table, place.into()).center().x;
        let (from, to) = (middle(example.cup), middle(example.last));
        let Point { x: left, y: top } = self.corner;
        let (right, bottom) = (left + WIDTH as i32, top + BOARD as i32);
        // The middle of each strip; on the sides there is room next to the board.
        let (above, below) = (top - 3, bottom + 2);
        let (west, east) = (left - 4, right + 2);
        let mut line = |x: i32, y: i32, to_x: i32, to_y: i32| {
            let corner = Point::new(x.min(to_x), y.min(to_y));
            let size = Size::new(x.abs_diff(to_x), y.abs_diff(to_y)) + Size::new_equal(LINE);
            painter.fill(Rectangle::new(corner, size), ink)
        };
        line(from, bottom, from, below)?;
        let ends_below = usize::from(example.last) <= Player::Bottom.store();
        let comes_round = self.stones[usize::from(example.cup)] >= 2 * CUPS_A_SIDE as u8;
        if ends_below && example.last > example.cup && !comes_round {
            line(from, below, to, below)?;
        } else {
            line(from, below, east, below)?;
            line(east, below, east, above)?;
            line(east, above, if ends_below { west } else { to }, above)?;
            if ends_below {
                line(west, above, west, below)?;
                line(west, below, to, below)?;
            }
        }
        let (towards, y) = match ends_below {
            true => (Towards::Up, below),
            false => (Towards::Down, above),
        };
        painter.arrow(towards, Point::new(to, y), ink)
    }
}

/// Returns the rectangle of a place on the board whose upper left corner is `corner`.
fn cell(corner: Point, table: Table, place: usize) -> Rectangle {
    let last = CUPS_A_SIDE as u32 + 1;
    let (column, row, rows) = match Cup::at(place) {
        Some(cup) => match cup.owner() {
            Player::Bottom => (1 + cup.nth_of_owner() as u32, 1, 1),
            Player::Top => (last - 1 - cup.nth_of_owner() as u32, 0, 1),
        },
        None if (place == Player::Bottom.store()) == (table == Table::StoresAtTheEnds) => {
            (last, 0, 2)
        }
        None => (0, 0, 2),
    };
    Rectangle::new(
        corner + Size::new(column * COLUMN + 1, row * ROW),
        Size::new(COLUMN - 2, rows * ROW - 1),
    )
}

/// Draws the text of a lesson, from the top of `area`.
pub(super) fn draw_text<D: TextTarget>(
    text: &str,
    area: Rectangle,
    painter: &mut Painter<'_, D>,
) -> Result<(), D::Error> {
    painter.fill(area, theme::GROUND)?;
    let inside = inset(area, MARGIN, 0);
    let height = TEXT.height(text, inside.size.width);
    let free = area.size.height.saturating_sub(height);
    let block = Rectangle::new(
        inside.top_left + Size::new(0, free / 2),
        Size::new(inside.size.width, height),
    );
    painter.block(text, TEXT, Align::Left, block)
}
